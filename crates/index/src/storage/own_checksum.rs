//! The checksums of the two small files that tantivy replaces as a whole, `meta.json` and `.managed.json`. Each contains
//! its own, in a form that other readers ignore.

use crate::storage::file_names::{MANAGED, META};
use std::path::Path;

/// For a file that is replaced as a whole: how it begins, and how it begins once its checksum is inserted. The checksum
/// is an additional member of `meta.json` and an additional name in `.managed.json`. Programs that do not know it
/// ignore it.
fn openings(name: &Path) -> Option<(&'static str, &'static str)> {
    match name.to_str() {
        Some(META) => Some(("{", "{\n  \"checksum\": \"")),
        Some(MANAGED) => Some(("[", "[\".checksum-")),
        _ => None,
    }
}

/// Inserts the checksum, if the file is one that contains its own.
pub(crate) fn with_checksum(name: &Path, bytes: &[u8]) -> Vec<u8> {
    let written = openings(name).and_then(|(open, start)| {
        let rest = bytes.strip_prefix(open.as_bytes())?;
        let is_last = rest.trim_ascii_start().starts_with(b"]");
        let joint = if is_last { "" } else { "," };
        // Lower case only, so that exactly one text is valid for each checksum.
        let mark = format!("{start}{:08x}\"{joint}", crc32fast::hash(rest));
        Some([mark.as_bytes(), rest].concat())
    });
    written.unwrap_or_else(|| bytes.to_vec())
}

/// Removes the checksum; `None` if it does not match.
pub(crate) fn without_checksum(name: &Path, bytes: &[u8]) -> Option<Vec<u8>> {
    let Some((open, start)) = openings(name) else {
        return Some(bytes.to_vec());
    };
    let rest = bytes.get(start.len() + 9..)?;
    let rest = rest.strip_prefix(b",").unwrap_or(rest);
    let file = [open.as_bytes(), rest].concat();
    (with_checksum(name, &file) == bytes).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_byte_of_a_file_with_its_checksum_can_be_turned() {
        for (name, text) in [
            (META, "{\n  \"segments\": [],\n  \"opstamp\": 0\n}\n"),
            (MANAGED, "[\"a.idx\",\"b.idx\"]\n"),
            (MANAGED, "[]\n"),
        ] {
            let name = Path::new(name);
            let bytes = with_checksum(name, text.as_bytes());
            assert_eq!(
                without_checksum(name, &bytes).as_deref(),
                Some(text.as_bytes())
            );
            let json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
            assert!(json.is_object() || json.is_array());
            for at in 0..bytes.len() {
                for bit in 0..8 {
                    let mut turned = bytes.clone();
                    turned[at] ^= 1 << bit;
                    assert_eq!(without_checksum(name, &turned), None, "byte {at}");
                }
                assert_eq!(without_checksum(name, &bytes[..at]), None, "cut at {at}");
            }
        }
    }
}
