//! The names of the files of an index.

/// The file with the state of the index at its last commit.
pub(crate) const META: &str = "meta.json";
/// The file that lists the files tantivy has created and not yet removed.
pub(crate) const MANAGED: &str = ".managed.json";
/// The extension of the file of moves.
pub(crate) const MOVES: &str = "moves";
/// The extension of the file of lists of positions.
pub(crate) const KEYS: &str = "keys";
/// The extension of the file of tables.
pub(crate) const TABLES: &str = "tables";
/// The extension of the file of checksums.
pub(crate) const CHECKSUMS: &str = "sums";
/// The content of a segment's files by extension. Not every segment has all of them. Files with other extensions are
/// checked too, see [`Folder::kinds`](crate::storage::folder::Folder::kinds).
pub(crate) const PARTS: [(&str, &str); 9] = [
    ("term", "texts"),
    ("idx", "texts"),
    ("pos", "texts"),
    ("fieldnorm", "texts"),
    ("fast", "columns"),
    ("store", "texts"),
    (MOVES, "moves"),
    (KEYS, "positions"),
    (TABLES, "tables"),
];

/// The content of a segment's file, by extension.
pub(crate) fn part_of(kind: &str) -> &'static str {
    let found = PARTS.iter().find(|(known, _)| *known == kind);
    match found {
        Some((_, part)) => part,
        None if kind == CHECKSUMS => "checksums",
        None => "others",
    }
}

/// The prefix of the names of files that are not complete yet.
pub(crate) const HALF_WRITTEN: &str = ".tmp";

/// The extension of a file that tantivy removes before a segment is committed.
pub(crate) const TEMPORARY: &str = "store.temp";

/// Whether a name is the id of a segment: 32 hexadecimal digits.
pub(crate) fn is_segment(name: &str) -> bool {
    name.len() == 32 && name.bytes().all(|b| b.is_ascii_hexdigit())
}
