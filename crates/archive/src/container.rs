//! The kinds of files with games, and their detection.

use std::path::Path;

use crate::lex;
use crate::sheet;

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
pub enum Container {
    /// Tags and movetext.
    Pgn,
    /// Movetext without tags. It is read like [`Container::Pgn`].
    Movetext,
    /// A score sheet in CSV: a row for each move number, a column for each player.
    Csv,
    /// A JSON object for each game, each on its own line.
    Ndjson,
}

impl Container {
    /// The name of the kind: `pgn`, `movetext`, `csv`, `ndjson`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pgn => "pgn",
            Self::Movetext => "movetext",
            Self::Csv => "csv",
            Self::Ndjson => "ndjson",
        }
    }

    /// Detects the kind of a file by its name or, if the name does not decide, by its first bytes, decompressed and
    /// decoded.
    ///
    /// The extensions `.pgn`, `.csv`, `.tsv`, `.ndjson` and `.jsonl` decide; an extension `.gz`, `.zst` or `.bz2` after
    /// them is ignored. A few hundred bytes are enough; there may be none.
    ///
    /// ```
    /// use std::path::Path;
    /// use tridex_archive::Container;
    ///
    /// assert_eq!(Container::detect(Some(Path::new("games.csv.gz")), b""), Container::Csv);
    /// assert_eq!(Container::detect(None, b"[Event \"x\"]\n"), Container::Pgn);
    /// ```
    #[must_use]
    pub fn detect(name: Option<&Path>, head: &[u8]) -> Self {
        name.and_then(Self::of_name)
            .unwrap_or_else(|| Self::of_head(head))
    }

    fn of_name(name: &Path) -> Option<Self> {
        match extension(name)?.as_str() {
            "pgn" => Some(Self::Pgn),
            "csv" | "tsv" => Some(Self::Csv),
            "ndjson" | "jsonl" => Some(Self::Ndjson),
            _ => None,
        }
    }

    fn of_head(head: &[u8]) -> Self {
        let from = lex::skip_blanks(head, 0);
        let mut head = head.get(from..).unwrap_or_default();
        // Escape lines may be in all containers.
        while head.starts_with(b"%") {
            let end = memchr::memchr2(b'\n', b'\r', head).unwrap_or(head.len());
            let rest = head.get(end..).unwrap_or_default();
            head = rest.get(lex::skip_blanks(rest, 0)..).unwrap_or_default();
        }
        if let Some(rest) = head.strip_prefix(b"{") {
            let rest = rest.trim_ascii_start();
            if rest.starts_with(b"\"") || rest.starts_with(b"}") {
                return Self::Ndjson;
            }
        }
        if head.starts_with(b"[") {
            return Self::Pgn;
        }
        if sheet::looks_like_sheet(head) {
            return Self::Csv;
        }
        // Tags may come after a comment.
        if lex::tag_line(head, 0, head.len(), true).is_some() {
            return Self::Pgn;
        }
        Self::Movetext
    }
}

/// The extension of a file in lower case, without that of its compression.
pub(crate) fn extension(name: &Path) -> Option<String> {
    let lower = |path: &Path| Some(path.extension()?.to_str()?.to_ascii_lowercase());
    let last = lower(name)?;
    if matches!(last.as_str(), "gz" | "zst" | "bz2") {
        return lower(Path::new(name.file_stem()?));
    }
    Some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_says_it_and_else_the_first_bytes() {
        use Container::{Csv, Movetext, Ndjson, Pgn};
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
