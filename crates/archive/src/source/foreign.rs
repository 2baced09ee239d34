//! Detects files that are not game records.

use crate::encoding::{self, NotUnicode};

/// The shortest text that is examined for UTF-16.
const TEXT: usize = 32;

/// Text in an encoding that is not read, or only if it is named.
pub(super) const UNKNOWN_ENCODING: [&str; 3] = [UTF_16, UTF_32, NotUnicode::WHAT];
const UTF_16: &str =
    "text in UTF-16 without its byte order mark (read it with --encoding utf-16le or utf-16be)";
const UTF_32: &str = "text in UTF-32 (save it as UTF-8)";

/// The kind of a file by its first bytes, if it is not a game record.
pub(super) fn foreign(head: &[u8]) -> Option<&'static str> {
    known(head).or_else(|| {
        if let [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] = head {
            return Some(UTF_32);
        }
        // With its byte order mark it is read.
        if encoding::is_marked_utf_16(head) {
            return None;
        }
        if is_wide(head) {
            return Some(UTF_16);
        }
        is_binary(head).then_some("binary data")
    })
}

/// Known kinds of files by their signatures. A few bytes are enough.
pub(super) fn known(head: &[u8]) -> Option<&'static str> {
    match head {
        [b'P', b'K', 3 | 5 | 7, 4 | 6 | 8, ..] => Some("a ZIP archive (unpack it first)"),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some("xz data (unpack it first)"),
        [b'7', b'z', 0xbc, 0xaf, ..] => Some("a 7z archive (unpack it first)"),
        [b'R', b'a', b'r', b'!', 0x1a, 7, ..] => Some("a RAR archive (unpack it first)"),
        [b'%', b'P', b'D', b'F', b'-', ..] => Some("a PDF document"),
        [b'{', b'\\', b'r', b't', b'f', ..] => Some("an RTF document (save it as plain text)"),
        [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, ..] => {
            Some("an office document (save it as plain text)")
        }
        [0x89, b'P', b'N', b'G', b'\r', b'\n', ..]
        | [0xff, 0xd8, 0xff, ..]
        | [b'G', b'I', b'F', b'8', ..] => Some("a picture"),
        [0x7f, b'E', b'L', b'F', ..] => Some("a program"),
        [b'S', b'Q', b'L', b'i', b't', b'e', b' ', b'f', ..] => Some("an SQLite database"),
        _ => None,
    }
}

/// A control character that texts do not contain. Some texts contain zeros, escapes and the old end-of-file sign.
const fn is_control(byte: u8) -> bool {
    matches!(byte, 1..=8 | 14..=25 | 28..=31 | 127)
}

/// Whether this is binary data. Damaged text may contain a block of zeros, or one byte many times, and its games are
/// still read; binary data contains many different control characters, and many of each.
fn is_binary(head: &[u8]) -> bool {
    let mut seen = [false; 256];
    let mut count = 0;
    for &byte in head.iter().filter(|byte| is_control(**byte)) {
        count += 1;
        if let Some(seen) = seen.get_mut(usize::from(byte)) {
            *seen = true;
        }
    }
    let kinds = seen.iter().filter(|seen| **seen).count();
    kinds >= 8 && count * 20 >= head.len()
}

/// Whether every second byte is zero and hardly another one, as in text with two bytes for each character.
fn is_wide(head: &[u8]) -> bool {
    let (pairs, _) = head.as_chunks::<2>();
    let zeros = |side: fn(&[u8; 2]) -> bool| pairs.iter().filter(|pair| side(pair)).count();
    let (first, second) = (zeros(|pair| pair[0] == 0), zeros(|pair| pair[1] == 0));
    let (more, fewer) = (first.max(second), first.min(second));
    head.len() >= TEXT && more * 10 >= pairs.len() * 9 && fewer * 10 <= pairs.len()
}

#[cfg(test)]
mod tests {
    use super::*;

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
