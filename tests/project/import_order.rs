//! The files of a crate import each other in one direction only.
//!
//! They are read as text: a path that begins with `crate::` or `super::` leads to the file that it names, and a name that
//! `lib.rs` exports to the file it comes from. A file depends on its child files, and these may use what it has: of these
//! two directions only the first counts. `lib.rs` itself and tests may import all.
//!
//! What the reader of records does not know stands in none of its files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{read_dir, read_to_string};
use std::path::Path;

use tridex_words::{Context, words};

/// The folders of the crates that have no circle, with the file at their root.
const CRATES: [(&str, &str); 16] = [
    ("grammar/src", "lib.rs"),
    ("geometry/src", "lib.rs"),
    ("rules/src", "lib.rs"),
    ("notation/src", "lib.rs"),
    ("archive/src", "lib.rs"),
    ("replay/src", "lib.rs"),
    ("tree/src", "lib.rs"),
    ("index/src", "lib.rs"),
    ("picture/src", "lib.rs"),
    ("page/src", "lib.rs"),
    ("export/src", "lib.rs"),
    ("core/src", "lib.rs"),
    ("server/src", "lib.rs"),
    ("wasm/src", "lib.rs"),
    ("python/src", "lib.rs"),
    ("cli", "main.rs"),
];

/// The text of files by their path, as `stair::lines`, without comments and tests.
type Files = BTreeMap<String, String>;

fn read(folder: &Path, parent: &str, files: &mut Files) {
    for entry in read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let file = match (parent, path.file_stem().unwrap().to_str().unwrap()) {
            (_, "lib" | "main" | "tests" | "testing") => continue,
            (_, "mod") => parent.to_owned(),
            ("", stem) => stem.to_owned(),
            (_, stem) => format!("{parent}::{stem}"),
        };
        if path.is_dir() {
            read(&path, &file, files);
        } else {
            let text = read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let code = text.lines().map(|line| line.split("//").next().unwrap());
            files.insert(file, code.collect::<Vec<_>>().join("\n"));
        }
    }
}

/// The paths after a prefix: `a::b` of `crate::a::b`, both of `crate::{a::b, c}`.
fn paths<'t>(text: &'t str, prefix: &str) -> Vec<&'t str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    let mut found = Vec::new();
    for (at, _) in text.match_indices(prefix) {
        let rest = &text[at + prefix.len()..];
        let names = match rest.strip_prefix('{') {
            _ if text[..at].ends_with(is_part) => continue,
            Some(group) => group.split('}').next().unwrap(),
            None => rest.split(|c| !is_part(c)).next().unwrap(),
        };
        let names = names.split(',').map(str::trim);
        found.extend(names.map(|name| name.split(' ').next().unwrap()));
    }
    found
}

/// The file to which a path leads: the longest part of it that is one.
fn file(path: &str, files: &Files) -> Option<String> {
    let mut path = path;
    while !files.contains_key(path) {
        path = path.rsplit_once("::")?.0;
    }
    Some(path.to_owned())
}

/// What a file imports. Names that are in none are those of `lib.rs`.
fn imports(name: &str, text: &str, files: &Files, root: &str) -> BTreeSet<String> {
    let parent = name.rsplit_once("::").map_or("", |(parent, _)| parent);
    let exported = |name: &str| {
        let mut exports = root.split("pub use ").skip(1);
        exports.find_map(|export| {
            let (from, names) = export.split(';').next()?.split_once("::")?;
            let mut names = names.split(|c: char| !c.is_alphanumeric() && c != '_');
            names.any(|exported| exported == name).then_some(from)
        })
    };
    let absolute = paths(text, "crate::").into_iter().filter_map(|path| {
        let first = path.split("::").next()?;
        assert!(
            first == "self" || root.contains(first),
            "{name}: where is {path}?"
        );
        file(path, files).or_else(|| file(exported(first)?, files))
    });
    let beside = paths(text, "super::").into_iter();
    let beside = beside.filter_map(|path| file(&format!("{parent}::{path}"), files));
    let children = files
        .keys()
        .filter(|file| file.rsplit_once("::").is_some_and(|(of, _)| of == name));
    let mut all: BTreeSet<_> = absolute.chain(beside).chain(children.cloned()).collect();
    all.retain(|file| name != file && !name.starts_with(&format!("{file}::")));
    all
}

/// The files of a crate, each with the files it imports.
pub(super) fn graph(name: &str, root: &str) -> BTreeMap<String, BTreeSet<String>> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("crates/{name}"));
    let mut files = Files::new();
    read(&src, "", &mut files);
    let root = read_to_string(src.join(root)).unwrap();
    let imports = files
        .iter()
        .map(|(file, text)| (file.clone(), imports(file, text, &files, &root)));
    imports.collect()
}

/// What is in a circle of a graph, or between two. Those at the bottom and those at the top are taken away until nothing
/// more can be.
fn circles(mut left: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    let is_end = |left: &BTreeMap<_, BTreeSet<String>>, file: &String| {
        left.get(file).is_some_and(BTreeSet::is_empty) || !left.values().any(|of| of.contains(file))
    };
    while let Some(end) = left.keys().find(|file| is_end(&left, file)).cloned() {
        left.remove(&end);
        for of in left.values_mut() {
            of.remove(&end);
        }
    }
    left
}

#[test]
fn no_file_imports_one_that_imports_it() {
    for (name, root) in CRATES {
        let graph = graph(name, root);
        let count: usize = graph.values().map(BTreeSet::len).sum();
        // The modules of a crate with a handful of files may be independent.
        assert!(
            2 * count >= graph.len() || graph.len() <= 5,
            "{name}: {count} imports found"
        );
        let left = circles(graph);
        assert!(
            left.is_empty(),
            "{name}: files import each other in circles: {left:#?}"
        );
    }
}

/// The crates whose folders do not import each other in circles. A folder is a file at the root with its child files.
const FOLDERS: [&str; 4] = ["rules/src", "notation/src", "archive/src", "replay/src"];

#[test]
fn no_folder_imports_one_that_imports_it() {
    let folder = |file: &str| file.split("::").next().unwrap().to_owned();
    for (name, root) in CRATES {
        if !FOLDERS.contains(&name) {
            continue;
        }
        let mut folders: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (file, imports) in graph(name, root) {
            let own = folder(&file);
            let others = imports
                .iter()
                .map(|file| folder(file))
                .filter(|to| *to != own);
            folders.entry(own.clone()).or_default().extend(others);
        }
        let left = circles(folders);
        assert!(
            left.is_empty(),
            "{name}: folders import each other in circles: {left:#?}"
        );
    }
}

/// What `lib.rs` itself declares is for other crates: a file that needed it would import from the top.
#[test]
fn no_file_of_a_lower_crate_imports_what_its_root_declares() {
    for name in FOLDERS {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("crates/{name}"));
        let root = read_to_string(src.join("lib.rs")).unwrap();
        let declared: BTreeSet<&str> = root
            .lines()
            .filter_map(|line| {
                let line = line.strip_prefix("pub ").unwrap_or(line);
                let line = line.strip_prefix("const ").unwrap_or(line);
                let (word, rest) = line.split_once(' ')?;
                let is_item = ["struct", "enum", "trait", "fn", "type", "static"].contains(&word);
                is_item.then(|| {
                    rest.split(|c: char| !c.is_alphanumeric() && c != '_')
                        .next()
                })?
            })
            .collect();
        let mut files = Files::new();
        read(&src, "", &mut files);
        for (file, text) in &files {
            let mut firsts = paths(text, "crate::")
                .into_iter()
                .filter_map(|path| path.split("::").next());
            let from_root = firsts.find(|first| declared.contains(first));
            assert_eq!(from_root, None, "{name}: {file}");
        }
    }
}

/// What only a notation says, as literals of Rust begin: castling, en passant, files, pins, levels, signs.
const OF_NOTATIONS: [&str; 24] = [
    "\"O-O",
    "\"o-o",
    "\"0-0-0",
    "\"00\"",
    "\"e.p",
    "\"ep",
    "=b'e'",
    "=b'f'",
    "=b'F'",
    "='e'",
    "='f'",
    "='h'",
    "\"QL",
    "\"KL",
    "\"WB",
    "\"NB",
    "b'x'",
    "b\"x\"",
    "\\u{d7}",
    "\\u{2020}",
    "\\u{265",
    "\"++\"",
    "\"+-\"",
    "\"=?",
];

/// What a move may look like is said in `tridex_words::moves`, and nowhere in the reader of records.
#[test]
fn the_archive_says_no_word_of_a_notation() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/archive/src");
    let mut files = Files::new();
    read(&src, "", &mut files);
    let checks = words(Context::Check).iter();
    let checks = checks.map(|word| format!("\"{}\"", word.spelling));
    let signs = OF_NOTATIONS.map(str::to_owned).into_iter();
    for sign in signs.chain(checks) {
        for (file, text) in &files {
            let line = text.lines().find(|line| line.contains(&sign));
            assert_eq!(line, None, "{file} says {sign}");
        }
    }
}
