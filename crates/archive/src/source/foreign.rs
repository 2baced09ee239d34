//! Detects files that are not game records.

/// The shortest text that is examined for UTF-16.
const TEXT: usize = 32;

#[cfg(feature = "encodings")]
const UTF_16: &str =
    "text in UTF-16 without its byte order mark (state its encoding, utf-16le or utf-16be)";
#[cfg(not(feature = "encodings"))]
use crate::encoding::UNSUPPORTED as UTF_16;
const UTF_32: &str = "text in UTF-32 (save it as UTF-8)";

/// The first bytes of known kinds of files that are not game records.
const KNOWN: [(&[u8], &str); 16] = [
    (b"PK\x03\x04", "a ZIP archive (unpack it first)"),
    (b"PK\x05\x06", "a ZIP archive (unpack it first)"),
    (b"PK\x07\x08", "a ZIP archive (unpack it first)"),
    (b"\xfd7zXZ\0", "xz data (unpack it first)"),
    (b"7z\xbc\xaf", "a 7z archive (unpack it first)"),
    (b"Rar!\x1a\x07", "a RAR archive (unpack it first)"),
    (b"%PDF-", "a PDF document"),
    (b"{\\rtf", "an RTF document (save it as plain text)"),
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1",
        "an office document (save it as plain text)",
    ),
    (b"\x89PNG\r\n", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\x7fELF", "a program"),
    (b"SQLite f", "an SQLite database"),
    (b"\xff\xfe\0\0", UTF_32),
    (b"\0\0\xfe\xff", UTF_32),
];

/// The code and the kind of a file by its first bytes, if it is not a game record. In UTF-16 nearly every second byte
/// is zero, so only signatures are compared.
pub(super) fn foreign(head: &[u8], is_utf_16: bool) -> Option<(&'static str, &'static str)> {
    let mut known = KNOWN.iter();
    let what = match known.find(|(signature, _)| head.starts_with(signature)) {
        Some((_, what)) => what,
        _ if is_utf_16 => return None,
        _ if is_wide(head) => UTF_16,
        _ => is_binary(head).then_some("binary data")?,
    };
    match what {
        UTF_16 | UTF_32 => Some(("unknown-encoding", what)),
        _ => Some(("no-record", what)),
    }
}

/// Whether this is binary data. Damaged text may contain a block of zeros, or one byte many times, and its games are
/// still read. Binary data contains many different control characters, and many of each. Zeros, escapes and the end
/// mark of old text files (Ctrl-Z) do not count, since some texts contain them.
fn is_binary(head: &[u8]) -> bool {
    let controls = (0..=127).filter(|byte| matches!(byte, 1..=8 | 14..=25 | 28..=31 | 127));
    let counts = controls.map(|control| memchr::memchr_iter(control, head).count());
    let found: Vec<usize> = counts.filter(|count| *count > 0).collect();
    found.len() >= 8 && found.iter().sum::<usize>() * 20 >= head.len()
}

/// Whether every second byte is zero and few others are, as in text with two bytes for each character.
fn is_wide(head: &[u8]) -> bool {
    let (pairs, _) = head.as_chunks::<2>();
    let first = pairs.iter().filter(|pair| pair[0] == 0).count();
    let second = pairs.iter().filter(|pair| pair[1] == 0).count();
    let (more, fewer) = (first.max(second), first.min(second));
    head.len() >= TEXT && more * 10 >= pairs.len() * 9 && fewer * 10 <= pairs.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foreign(head: &[u8]) -> Option<&'static str> {
        super::foreign(head, false).map(|(_, what)| what)
    }

    /// Bytes as in compressed data: random.
    fn packed(len: usize) -> Vec<u8> {
        let next = |n: &mut u32| {
            *n = n.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Some((*n >> 24) as u8)
        };
        let mut number = 7;
        std::iter::from_fn(|| next(&mut number)).take(len).collect()
    }

    #[test]
    fn what_is_no_text_is_called_so() {
        assert_eq!(foreign(&packed(4096)), Some("binary data"));
        assert_eq!(foreign(&packed(200)), Some("binary data"));
        // Tables of numbers, as in programs and databases.
        let table: Vec<u8> = (0..1_000_u32).flat_map(u32::to_be_bytes).collect();
        assert_eq!(foreign(&table), Some("binary data"));
        let wider: Vec<u8> = "\u{feff}1. b4N"
            .chars()
            .flat_map(|c| u32::from(c).to_le_bytes())
            .collect();
        assert_eq!(foreign(&wider), Some(UTF_32));
        for big in [false, true] {
            let text = "[Event \"x\"]\n\n1. b4N b5B 2. c3W *\n";
            let wide: Vec<u8> = text
                .encode_utf16()
                .flat_map(|unit| {
                    if big {
                        unit.to_be_bytes()
                    } else {
                        unit.to_le_bytes()
                    }
                })
                .collect();
            let kind = foreign(&wide).unwrap_or_default();
            assert!(kind.starts_with("text in UTF-16 without"), "{kind}");
        }
    }

    #[test]
    fn text_is_text_whatever_befell_it() {
        let game = "1. b4N b5B 2. c3W {♘ é Ж} *\n".repeat(8);
        let harmed: [Vec<u8>; 8] = [
            Vec::new(),
            vec![0; 4096],
            [vec![0; 512], game.clone().into_bytes()].concat(),
            game.replace(' ', "\u{1}").into_bytes(),
            game.replace(' ', "\u{1b}[0m").into_bytes(),
            game.replace('\n', "\r\n\u{c}").into_bytes(),
            // Latin-1, and a code page where every letter is a byte above 127.
            game.bytes()
                .map(|byte| {
                    if byte.is_ascii_lowercase() {
                        byte | 0x80
                    } else {
                        byte
                    }
                })
                .collect(),
            b"\x00\x01\x02\x03\x04\x05\x06".to_vec(),
        ];
        for text in harmed {
            assert_eq!(foreign(&text), None, "{}", text.escape_ascii());
        }
    }
}
