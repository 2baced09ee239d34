//! Names of files as text, without loss.
//!
//! On Unix a file name is a sequence of bytes and need not be UTF-8. In the text, a byte that is not part of a
//! character becomes `\x` and two hexadecimal digits, as in `M\xfcller.pgn`. A backslash that would be read as such an
//! escape becomes `\x5c`. Every other character is unchanged. Different names therefore have different texts, and a
//! UTF-8 name without `\x` is its own text.
//!
//! On Windows the text has `/` between folders, also where `\` was given, so that results can be compared with those of
//! other systems. Windows reads both; only in verbatim names, which begin with `\\?\`, the separators stay as they are.
//!
//! Written here because `bstr::ByteSlice::escape_bytes` escapes every backslash, which separates folders on Windows,
//! and every control character, which a UTF-8 name may contain.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Returns the name of a file as text. [`to_path`] converts it back, to a name of the same file.
///
/// ```
/// use tridex_archive::file_name::{to_path, to_text};
///
/// assert_eq!(to_text("games/Müller.pgn"), "games/Müller.pgn");
/// assert_eq!(to_text(r"a\xfc.pgn"), r"a\x5cxfc.pgn");
/// # #[cfg(unix)] {
/// use std::ffi::OsStr;
/// use std::os::unix::ffi::OsStrExt;
///
/// let name = OsStr::from_bytes(b"M\xfcller.pgn");
/// assert_eq!(to_text(name), r"M\xfcller.pgn");
/// assert_eq!(to_path(r"M\xfcller.pgn"), name);
/// # }
/// ```
pub fn to_text(name: impl AsRef<OsStr>) -> String {
    let bytes = name.as_ref().as_encoded_bytes();
    text(bytes, cfg!(windows) && !is_verbatim(bytes))
}

/// Returns a text of the system that need not be the name of a file, such as an argument: the same as [`to_text`], but no
/// separator is replaced.
///
/// ```
/// use tridex_archive::file_name::escape;
///
/// assert_eq!(escape(r"--tag=a\b"), r"--tag=a\b");
/// ```
pub fn escape(name: impl AsRef<OsStr>) -> String {
    text(name.as_ref().as_encoded_bytes(), false)
}

/// Whether Windows takes a name as it is, so that `/` is no separator in it.
fn is_verbatim(name: &[u8]) -> bool {
    name.starts_with(br"\\?\") || name.starts_with(br"\\.\")
}

/// The text of a name, with `/` for each backslash if `replaces` is set.
fn text(bytes: &[u8], replaces: bool) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some(place) = rest.find('\\') {
            let (before, from) = rest.split_at(place);
            text.push_str(before);
            text.push_str(match escaped(from.as_bytes()) {
                _ if replaces => "/",
                Some(_) => r"\x5c",
                None => r"\",
            });
            rest = &from[1..];
        }
        text.push_str(rest);
        for byte in chunk.invalid() {
            // Writing to a string does not fail.
            let _ = write!(text, r"\x{byte:02x}");
        }
    }
    text
}

/// Returns the file name that [`to_text`] converted to this text.
pub fn to_path(text: &str) -> PathBuf {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        match escaped(rest) {
            Some(byte) => {
                bytes.push(byte);
                rest = rest.get(4..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    of_bytes(bytes)
}

/// Returns the byte that an escape at the beginning of a text means: the backslash, or a byte beyond ASCII.
fn escaped(text: &[u8]) -> Option<u8> {
    let digits = text.strip_prefix(br"\x")?.first_chunk::<2>()?;
    if digits.iter().any(u8::is_ascii_uppercase) {
        return None;
    }
    let [high, low] = digits.map(|digit| char::from(digit).to_digit(16));
    let byte = (high? << 4 | low?) as u8;
    (byte == b'\\' || !byte.is_ascii()).then_some(byte)
}

#[cfg(unix)]
fn of_bytes(bytes: Vec<u8>) -> PathBuf {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    OsString::from_vec(bytes).into()
}

#[cfg(windows)]
fn of_bytes(bytes: Vec<u8>) -> PathBuf {
    use std::ffi::OsString;
    use std::os::windows::ffi::OsStringExt;
    OsString::from_wide(&wide(&bytes)).into()
}

#[cfg(not(any(unix, windows)))]
fn of_bytes(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// The 16-bit units of a name on Windows. Its encoded bytes are UTF-8, except that a lone surrogate has three bytes.
#[cfg(any(windows, test))]
fn wide(mut bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(bytes.len());
    while !bytes.is_empty() {
        if let [0xed, middle @ 0xa0..=0xbf, last @ 0x80..=0xbf, rest @ ..] = bytes {
            units.push(0xd000 | u16::from(middle & 0x3f) << 6 | u16::from(last & 0x3f));
            bytes = rest;
            continue;
        }
        let Some(chunk) = bytes.utf8_chunks().next() else {
            break;
        };
        let valid = chunk.valid();
        units.extend(valid.encode_utf16());
        let mut read = valid.len();
        if valid.is_empty() {
            // No Windows name contains such a byte.
            units.push(0xfffd);
            read += chunk.invalid().len();
        }
        bytes = bytes.get(read..).unwrap_or_default();
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::cases;
    use proptest::prelude::*;
    use std::path::Path;

    #[test]
    fn units_of_windows_are_read_from_their_bytes() {
        let of_text: Vec<u16> = "Añ😀\\x".encode_utf16().collect();
        assert_eq!(wide("Añ😀\\x".as_bytes()), of_text);
        assert_eq!(
            wide(b"a\xed\xa0\x80\xed\xbf\xbfb"),
            [97, 0xd800, 0xdfff, 98]
        );
        assert_eq!(wide(b"\xed\xa0a\xff"), [0xfffd, 0xfffd, 97, 0xfffd]);
    }

    #[test]
    fn separators_have_one_form_on_windows() {
        for (name, shown) in [
            (r"corpus/games\meder\a.pgn", "corpus/games/meder/a.pgn"),
            (r"C:\games\a.pgn", "C:/games/a.pgn"),
            (r"..\xfc.pgn", "../xfc.pgn"),
            (r"\\server\share\a.pgn", "//server/share/a.pgn"),
        ] {
            assert_eq!(text(name.as_bytes(), true), shown);
            assert!(!is_verbatim(name.as_bytes()));
        }
        assert_eq!(text(b"a\\\xed\xa0\x80", true), r"a/\xed\xa0\x80");
        assert!(is_verbatim(br"\\?\C:\a.pgn") && is_verbatim(br"\\.\pipe\games"));
    }

    #[cfg(unix)]
    fn named(bytes: &[u8]) -> &Path {
        use std::os::unix::ffi::OsStrExt;
        OsStr::from_bytes(bytes).as_ref()
    }

    #[cfg(unix)]
    #[test]
    fn texts_of_names() {
        for (name, text) in [
            (&b""[..], ""),
            (b"a/b.pgn", "a/b.pgn"),
            (b"M\xfcller.pgn", r"M\xfcller.pgn"),
            (b"M\xf6ller.pgn", r"M\xf6ller.pgn"),
            ("Müller.pgn".as_bytes(), "Müller.pgn"),
            ("\u{fffd}".as_bytes(), "\u{fffd}"),
            (b"\xc3", r"\xc3"),
            (b"\xf0\x9f\x98", r"\xf0\x9f\x98"),
            (br"M\xfcller", r"M\x5cxfcller"),
            (br"M\x5cxfc", r"M\x5cx5cxfc"),
            // No escapes.
            (br"C:\x\xg0\x4f\xF0\xf", r"C:\x\xg0\x4f\xF0\xf"),
            (b"\\\xfc", r"\\xfc"),
            (b"\\x\xfc", r"\x\xfc"),
            (b"\\xf\xfc", r"\xf\xfc"),
            (b"\\\\xfc", r"\\x5cxfc"),
        ] {
            assert_eq!(to_text(named(name)), text);
            assert_eq!(to_path(text), named(name), "{text}");
        }
    }

    #[cfg(unix)]
    proptest! {
        #![proptest_config(cases(4_000))]

        #[test]
        fn a_name_comes_back_from_its_text(
            name in prop::collection::vec(
                prop_oneof![
                    prop::sample::select(&br"\\\\xxx5c58fcaF0/. "[..]),
                    prop::sample::select(&b"\xc3\xbc\xf0\x9f\x98\x80\xff\xed\xa0\xef\xbf\xbd"[..]),
                    any::<u8>(),
                ],
                0..24,
            ),
        ) {
            let text = to_text(named(&name));
            let path = to_path(&text);
            prop_assert_eq!(path.as_path(), named(&name), "{}", text);
            // The text of a name is text: only what may be an escape differs from it.
            if let Ok(known) = std::str::from_utf8(&name)
                && !known.contains(r"\x")
            {
                prop_assert_eq!(text, known);
            }
        }
    }
}
