//! The kinds of files with games, their compression, and the detection of both.

use std::path::Path;

use crate::{lex, ndjson, sheet};

tridex_text::enum_table! {
    /// The kind of a file with games.
    ///
    /// ```
    /// use std::path::Path;
    /// use tridex_archive::Container;
    ///
    /// assert_eq!(Container::detect(Some(Path::new("club.csv.gz")), b""), Container::Csv);
    /// assert_eq!(Container::detect(None, b"[Event \"Club\"]\n"), Container::Pgn);
    /// assert_eq!(Container::detect(None, b"1. b4N b5B").as_str(), "movetext");
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Container(
        /// The name of the kind: `pgn`, `movetext`, `csv`, `ndjson`, `json`.
        as_str: &'static str
    ) {
        /// Tags and movetext.
        Pgn("pgn"),
        /// Movetext without tags. It is read like [`Container::Pgn`].
        Movetext("movetext"),
        /// A score sheet in CSV: most often with a row for each move number and a column for each player.
        Csv("csv"),
        /// A JSON object for each game, each on its own line.
        Ndjson("ndjson"),
        /// A JSON array of such objects, or objects of several lines.
        Json("json"),
    }
}

impl Container {
    /// Detects the kind of a file by its name or, if the name does not decide, by its first bytes, decompressed and
    /// decoded.
    ///
    /// The extensions `.pgn`, `.csv`, `.tsv`, `.ndjson`, `.jsonl` and `.json` decide. An extension `.gz`, `.zst` or
    /// `.bz2` after them is ignored. For JSON, the first bytes show whether each line is a game. A few hundred bytes
    /// are enough, and `head` may be empty.
    ///
    /// ```
    /// use std::path::Path;
    /// use tridex_archive::Container;
    ///
    /// assert_eq!(Container::detect(Some(Path::new("games.csv.gz")), b""), Container::Csv);
    /// assert_eq!(Container::detect(None, b"[Event \"x\"]\n"), Container::Pgn);
    /// ```
    pub fn detect(name: Option<&Path>, head: &[u8]) -> Self {
        match name.and_then(extension).as_deref() {
            Some("pgn") => Self::Pgn,
            Some("csv" | "tsv") => Self::Csv,
            Some("ndjson" | "jsonl" | "json") => match ndjson::is_document(beginning(head)) {
                true => Self::Json,
                false => Self::Ndjson,
            },
            _ => Self::of_head(head),
        }
    }

    fn of_head(head: &[u8]) -> Self {
        let head = beginning(head);
        let inner = |open: &[u8]| head.strip_prefix(open).map(<[u8]>::trim_ascii_start);
        if let Some([b'"' | b'}', ..]) = inner(b"{") {
            match ndjson::is_document(head) {
                true => Self::Json,
                false => Self::Ndjson,
            }
        } else if inner(b"[").is_some_and(|rest| !rest.is_empty()) && ndjson::is_document(head) {
            Self::Json
        } else if head.starts_with(b"[") {
            Self::Pgn
        } else if sheet::looks_like_sheet(head) {
            Self::Csv
        } else if lex::tag_line(head, 0, head.len(), true).is_some() {
            // Tags may follow a comment.
            Self::Pgn
        } else {
            Self::Movetext
        }
    }
}

/// Skips blanks and escape lines at the start of a text; every container may have them.
fn beginning(head: &[u8]) -> &[u8] {
    let skip_blanks = |text| after(text, lex::skip_blanks(text, 0));
    let mut head = skip_blanks(head);
    while head.starts_with(b"%") {
        head = skip_blanks(after(head, lex::line_end(head, 0)));
    }
    head
}

fn after(text: &[u8], from: usize) -> &[u8] {
    text.get(from..).unwrap_or_default()
}

/// Returns the extension of a file in lower case, without that of its compression.
///
/// ```
/// use std::path::Path;
/// use tridex_archive::container::extension;
///
/// assert_eq!(extension(Path::new("club.CSV.gz")).as_deref(), Some("csv"));
/// assert_eq!(extension(Path::new("club")), None);
/// ```
pub fn extension(name: &Path) -> Option<String> {
    let name = name.file_name()?.to_string_lossy();
    let (name, _) = Compression::of_name(&name);
    Some(Path::new(name).extension()?.to_str()?.to_ascii_lowercase())
}

tridex_text::enum_table! {
    /// The compression of a source. A reader detects it from the first bytes, not from the name.
    ///
    /// ```
    /// use tridex_archive::source::Compression;
    ///
    /// assert_eq!(Compression::of_name("club.pgn.GZ"), ("club.pgn", Compression::Gzip));
    /// assert_eq!(Compression::of_name("club.pgn"), ("club.pgn", Compression::None));
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Compression(
        /// Its name: `plain`, `gzip`, `zstd`, `bzip2`.
        as_str: &'static str,
        /// The extension of a file name; empty for files that are not compressed.
        extension: &'static str
    ) {
        /// gzip, all members.
        Gzip("gzip", ".gz"),
        /// Zstandard, all frames.
        Zstd("zstd", ".zst"),
        /// bzip2, all streams.
        Bzip2("bzip2", ".bz2"),
        /// Not compressed.
        None("plain", ""),
    }
}

impl Compression {
    /// The compression that the extension of a file name means (`.gz`, `.zst` or `.bz2`, in either case), and the name
    /// without that extension. Use it for files to be written. For files to be read the first bytes decide.
    pub fn of_name(name: &str) -> (&str, Self) {
        let ended = Self::ALL.into_iter().find_map(|compression| {
            let end = compression.extension();
            let (stem, last) = name.split_at_checked(name.len().checked_sub(end.len())?)?;
            last.eq_ignore_ascii_case(end)
                .then_some((stem, compression))
        });
        ended.unwrap_or((name, Self::None))
    }

    /// The compression of a file by its first bytes.
    pub(crate) fn detect(head: &[u8]) -> Self {
        // Text may begin like the short signature of bzip2, so the signature of a block or of the end must follow too.
        let bzip2 = [b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90"];
        match head {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]
                if bzip2.iter().any(|block| rest.starts_with(*block)) =>
            {
                Self::Bzip2
            }
            _ => Self::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_says_it_and_else_the_first_bytes() {
        use Container::{Csv, Json, Movetext, Ndjson, Pgn};
        for (name, head, expected) in [
            ("a.pgn", "1,b4N,b5B", Pgn),
            ("a.PGN.gz", "", Pgn),
            ("a.csv.zst", "[Event", Csv),
            ("a.tsv", "", Csv),
            ("a.jsonl.bz2", "", Ndjson),
            ("a.gz", "[Event \"a\"]", Pgn),
            ("a.txt", "\u{feff}\n [Event \"a\"]", Pgn),
            ("a.txt", "{a comment}\n[Event \"a\"]", Pgn),
            ("a.txt", "{a comment} 1. b4N", Movetext),
            ("a.txt", " { \"moves\": [] }", Ndjson),
            ("a.txt", "{\n  \"moves\": []\n}", Json),
            ("a.txt", "{\"moves\":\n []}", Json),
            ("a.txt", "{\"moves\": []}\n{}", Ndjson),
            ("a.txt", "{\"moves\": [\n{}", Ndjson),
            ("a.txt", "[{\"moves\": []}", Json),
            ("a.txt", "[ ]", Json),
            ("a.txt", "[\n{", Json),
            ("a.json", "{\"moves\": []}", Ndjson),
            ("a.json", "{\n", Json),
            ("a.ndjson", "[", Json),
            ("a.ndjson", "[x", Ndjson),
            ("a.txt", "no;white;black\n", Csv),
            ("a.txt", "1,b4N,b5B\n2,c3W,\n", Csv),
            ("a.txt", "1. b4N b5B\n2. c3W", Movetext),
            ("a", "% x:3: game 3\n{\"moves\": []}", Ndjson),
            ("a", "% x:3: game 3\r\n% y\n[Event \"a\"]", Pgn),
            ("a", "% x:1: game 1\n1. b4N b5B", Movetext),
            ("a", "%", Movetext),
            ("a.tri", "b3,WB-b5,NB b8,BB-b7,BB", Movetext),
            ("a", "", Movetext),
        ] {
            let found = Container::detect(Some(Path::new(name)), head.as_bytes());
            assert_eq!(found, expected, "{name} {head:?}");
        }
        assert_eq!(Container::detect(None, b"[Event \"a\"]"), Pgn);
    }
}
