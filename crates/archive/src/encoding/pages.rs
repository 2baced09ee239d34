//! The code pages 437 and 850 of DOS. The Encoding Standard omits them, but old programs and archives used them.

use oem_cp::code_table::{DECODING_TABLE_CP437, DECODING_TABLE_CP850};

use super::Encoding;

/// The characters of the bytes from 0x80 on.
pub(super) type Page = &'static [char; 128];

/// The code page that is guessed. The letters of western languages are at the same places in both.
pub(super) const LATIN: Encoding = Encoding("IBM850");

/// Finds a code page by one of its names: `ibm437`, `cp437`, `437`.
pub(super) fn from_name(name: &str) -> Option<Encoding> {
    let name = name.trim().to_ascii_lowercase();
    let number = name.trim_start_matches("ibm").trim_start_matches("cp");
    match number.trim_start_matches(['-', '_']) {
        "437" => Some(Encoding("IBM437")),
        "850" => Some(LATIN),
        _ => None,
    }
}

/// The characters of an encoding, if it is a code page.
pub(super) fn of(encoding: Encoding) -> Option<Page> {
    match encoding.0 {
        "IBM437" => Some(&DECODING_TABLE_CP437),
        "IBM850" => Some(&DECODING_TABLE_CP850),
        _ => None,
    }
}

/// Decodes bytes and appends the text.
pub(super) fn decode(page: Page, bytes: &[u8], text: &mut Vec<u8>) {
    for byte in bytes {
        match page.get(usize::from(*byte).wrapping_sub(0x80)) {
            Some(c) => text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            None => text.push(*byte),
        }
    }
}

/// The bytes of letters that both pages share.
fn is_letter(byte: u8) -> bool {
    matches!(byte, 0x80..=0x9a | 0xa0..=0xa5 | 0xe1)
}

/// Whether a byte is a letter in both pages, and in other encodings of Latin letters a quotation mark, or nothing.
fn is_evidence(byte: u8) -> bool {
    matches!(byte, 0x81 | 0x82 | 0x84 | 0x93 | 0x94)
}

/// Whether a text is likely to be in one of the pages: all bytes beyond ASCII are letters there, few of them side by side,
/// and one of them is inside a word of ASCII letters, where other encodings have a quotation mark. `before` is the text
/// before it.
pub(super) fn is_likely(before: &[u8], raw: &[u8]) -> bool {
    let is_high = |b: &u8| !b.is_ascii();
    let near = before.get(before.len().saturating_sub(2)..);
    let text = [near.unwrap_or_default(), raw].concat();
    let at = |index: Option<usize>| index.and_then(|index| text.get(index)).copied();
    let is_inside = |index: usize| {
        let [second, first] = [2, 1].map(|by| at(index.checked_sub(by)));
        let [next, last] = [1, 2].map(|by| at(index.checked_add(by)));
        first.is_some_and(|b| b.is_ascii_alphabetic())
            && next.is_some_and(|b| b.is_ascii_lowercase())
            && second.is_none_or(|b| b.is_ascii())
            && last.is_none_or(|b| b.is_ascii())
    };
    let mut evidence = (0..text.len()).filter(|index| is_evidence(text[*index]));
    let in_a_row = |three: &[u8]| three.iter().all(is_high);
    raw.iter().filter(|b| is_high(b)).all(|b| is_letter(*b))
        && !raw.windows(3).any(in_a_row)
        && evidence.any(is_inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_are_read() {
        for name in ["cp437", "IBM437", "437", "cp-437"] {
            assert_eq!(
                from_name(name).map(Encoding::name),
                Some("IBM437"),
                "{name}"
            );
        }
        assert_eq!(Encoding::from_name("cp850"), Some(LATIN));
        assert_eq!(from_name("cp1250"), None);
    }

    #[test]
    fn a_page_is_decoded() {
        let mut text = Vec::new();
        decode(
            of(LATIN).unwrap(),
            b"J\x94rg Wei\xe1 \x8anderung",
            &mut text,
        );
        assert_eq!(
            String::from_utf8(text).unwrap(),
            "J\u{f6}rg Wei\u{df} \u{e8}nderung"
        );
    }

    #[test]
    fn only_letters_inside_words_are_evidence() {
        for (text, expected) in [
            (&b"J\x94rg"[..], true),
            (b"M\x81ller, Wei\xe1", true),
            (b"Ren\x82e", true),
            // Quotation marks of Windows-1252.
            (b"\x84Jojo\x93 Meier", false),
            (b"a \x93quoted\x94 word", false),
            (b"a\x94 b", false),
            (b"J\xf6rg", false),
            // Other letters.
            (b"J\x94rg \xfc", false),
            (b"J\x94rg \x84\x84\x84", false),
        ] {
            assert_eq!(is_likely(b"", text), expected, "{}", text.escape_ascii());
        }
        assert!(is_likely(b"J", b"\x94rg"));
    }
}
