//! A public type has a name of its own: no two types, traits or aliases that a user of the workspace can reach have one
//! name.
//!
//! The crates are read as text. What a chain of `pub mod` leads to from `lib.rs` can be reached, and so can what a `pub use`
//! names in any file of the crate; what a crate only passes on from another one is not defined there and does not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{read_dir, read_to_string};
use std::path::{Path, PathBuf};

/// A file of a crate: its module path, and its code without comments and tests.
struct File {
    path: PathBuf,
    modules: Vec<String>,
    code: String,
}

fn files(folder: &Path, modules: &[String], found: &mut Vec<File>) {
    for entry in read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let mut modules = modules.to_vec();
        if !["lib", "mod"].contains(&stem.as_str()) {
            modules.push(stem);
        }
        if path.is_dir() {
            files(&path, &modules, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            let text = read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let lines = text.lines().map(|line| line.split("//").next().unwrap());
            let code = lines.collect::<Vec<_>>().join("\n");
            found.push(File {
                path,
                modules,
                code,
            });
        }
    }
}

fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The public types and traits that a text defines, those in macros included.
fn definitions(code: &str) -> BTreeSet<&str> {
    let names = code.lines().filter_map(|line| {
        let (kind, rest) = line.trim_start().strip_prefix("pub ")?.split_once(' ')?;
        let is_type = ["struct", "enum", "trait", "type"].contains(&kind);
        let name = rest.split(|c| !is_part_of_name(c)).next()?;
        is_type.then_some(name)
    });
    names.collect()
}

/// The names of each `pub use`, with the last module of its path.
fn exports(code: &str) -> BTreeSet<(&str, &str)> {
    let mut found = BTreeSet::new();
    for rest in code.split("pub use ").skip(1) {
        let statement = rest.split(';').next().unwrap();
        let (path, names) = statement.split_once('{').unwrap_or(("", statement));
        for item in names.split(',') {
            let name = item.rsplit("::").next().unwrap();
            let modules = item
                .strip_suffix(name)
                .filter(|modules| !modules.is_empty());
            let module = modules.unwrap_or(path).trim().trim_end_matches("::");
            let module = module.rsplit("::").next().unwrap();
            let name = name.trim_matches(|c| !is_part_of_name(c));
            found.insert((module, name));
        }
    }
    found
}

/// The types that a user of a crate can reach, with the files that define them.
fn reached(files: &[File]) -> BTreeSet<(&str, &Path)> {
    let of = |modules: &[String]| files.iter().find(|file| file.modules == modules);
    let is_open = |file: &File| {
        (0..file.modules.len()).all(|depth| {
            let opens = format!("pub mod {};", file.modules[depth]);
            of(&file.modules[..depth]).is_some_and(|parent| parent.code.contains(&opens))
        })
    };
    let exports: BTreeSet<_> = files.iter().flat_map(|file| exports(&file.code)).collect();
    let mut found = BTreeSet::new();
    for file in files {
        let module = file.modules.last().map_or("", String::as_str);
        let names = definitions(&file.code).into_iter();
        let names = names.filter(|name| is_open(file) || exports.contains(&(module, name)));
        found.extend(names.map(|name| (name, file.path.as_path())));
    }
    found
}

#[test]
fn no_two_public_types_have_one_name() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let mut defined: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    for entry in read_dir(&crates).unwrap() {
        let src = entry.unwrap().path().join("src");
        if !src.join("lib.rs").is_file() {
            continue;
        }
        let mut all = Vec::new();
        files(&src, &[], &mut all);
        for (name, path) in reached(&all) {
            let path = path.strip_prefix(&crates).unwrap().to_owned();
            defined.entry(name.to_owned()).or_default().insert(path);
        }
    }
    assert!(defined.len() > 200, "{}", defined.len());
    defined.retain(|_, paths| paths.len() > 1);
    assert!(
        defined.is_empty(),
        "several types have one name: {defined:#?}"
    );
}

#[test]
fn types_are_found_where_they_are_defined() {
    let file = |modules: &[&str], code: &str| File {
        path: modules.join("/").into(),
        modules: modules.iter().map(|&module| module.to_owned()).collect(),
        code: code.to_owned(),
    };
    let all = [
        file(
            &[],
            "pub mod open;\nmod shut;\npub use shut::{inner::Deep,\n  Shown};\npub use tridex_rules::Piece;",
        ),
        file(&["open"], "pub struct Seen<T>(T);\nstruct Hidden;\n"),
        file(
            &["shut"],
            "pub(crate) enum Here {}\npub enum Shown {}\npub trait Unseen {}",
        ),
        file(
            &["shut", "inner"],
            "    pub type Deep = u8;\npub struct Shown;",
        ),
    ];
    let found: Vec<_> = reached(&all).into_iter().map(|(name, _)| name).collect();
    assert_eq!(found, ["Deep", "Seen", "Shown"]);
}
