//! The files of this crate import each other in one direction only.
//!
//! The files are read as text: every path that begins with `crate::`, `super::` or a submodule leads to the file that
//! it names, and names that `lib.rs` gives out lead to where they come from. `lib.rs` itself and tests may see all.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Modules by their path, as `stair::lines`, with their text: no comments, no tests.
type Modules = BTreeMap<String, String>;

fn read(folder: &Path, prefix: &str, into: &mut Modules) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        // The oracle, which nothing imports, is one room of its own.
        if matches!(stem.as_str(), "tests" | "lib" | "layers" | "oracle") {
            continue;
        }
        let module = match (prefix, stem.as_str()) {
            ("", _) => stem,
            (_, "mod") => prefix.to_owned(),
            _ => format!("{prefix}::{stem}"),
        };
        if path.is_dir() {
            read(&path, &module, into);
        } else {
            let text = std::fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let code = text.lines().map(|line| line.split("//").next().unwrap());
            into.insert(module, code.collect::<Vec<_>>().join("\n"));
        }
    }
}

/// The paths that follow a prefix in a text: `a::b` for `crate::a::b`, both for `crate::{a::b, c}`.
fn paths(text: &str, prefix: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (at, _) in text.match_indices(prefix) {
        if text[..at].ends_with(|c| is_word(c) || c == ':') {
            continue;
        }
        let rest = &text[at + prefix.len()..];
        let names = match rest.strip_prefix('{') {
            Some(group) => group.split('}').next().unwrap().split(',').collect(),
            None => vec![rest],
        };
        for name in names {
            let end = |c: char| !is_word(c) && c != ':';
            found.push(name.trim().split(end).next().unwrap().to_owned());
        }
    }
    found
}

/// The file that a path from the root leads to: the longest part of it that is a module.
fn file(path: &str, modules: &Modules) -> Option<String> {
    let parts: Vec<_> = path.split("::").collect();
    (1..=parts.len())
        .rev()
        .map(|n| parts[..n].join("::"))
        .find(|part| modules.contains_key(part))
}

fn imports(
    module: &str,
    text: &str,
    modules: &Modules,
    names: &BTreeMap<String, String>,
) -> BTreeSet<String> {
    let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
    let above = |path: String| {
        if parent.is_empty() {
            path
        } else {
            format!("{parent}::{path}")
        }
    };
    let mut all = BTreeSet::new();
    for path in paths(text, "crate::") {
        let first = path.split("::").next().unwrap();
        let from = names.get(first).cloned().or_else(|| file(&path, modules));
        all.insert(from.unwrap_or_else(|| panic!("{module}: where is crate::{path}?")));
    }
    for path in paths(text, "super::").into_iter().map(above) {
        all.insert(file(&path, modules).unwrap_or_else(|| panic!("{module}: where is {path}?")));
    }
    for child in modules.keys() {
        if let Some(name) = child
            .strip_prefix(module)
            .and_then(|rest| rest.strip_prefix("::"))
            && !name.contains("::")
            && !paths(text, &format!("{name}::")).is_empty()
        {
            all.insert(child.clone());
        }
    }
    all.remove(module);
    all
}

#[test]
fn no_file_imports_one_that_imports_it() {
    let mut modules = Modules::new();
    read(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        "",
        &mut modules,
    );
    let root = include_str!("lib.rs");
    let mut names = BTreeMap::new();
    for line in root.split("pub use ").skip(1) {
        let (module, rest) = line.split_once("::").unwrap();
        for name in rest
            .split(';')
            .next()
            .unwrap()
            .trim_matches(['{', '}'])
            .split(',')
        {
            names.insert(name.trim().to_owned(), module.to_owned());
        }
    }
    let mut left: BTreeMap<_, _> = modules
        .iter()
        .map(|(module, text)| (module.clone(), imports(module, text, &modules, &names)))
        .collect();
    assert!(
        left.values().map(BTreeSet::len).sum::<usize>() > 100,
        "the imports were not found"
    );
    // Those that import nothing that is left are taken away, until none is left or all are in a circle.
    loop {
        let free: Vec<_> = left
            .iter()
            .filter(|(_, of)| of.is_empty())
            .map(|(m, _)| m.clone())
            .collect();
        if free.is_empty() {
            break;
        }
        for module in &free {
            left.remove(module);
            for of in left.values_mut() {
                of.remove(module);
            }
        }
    }
    assert!(
        left.is_empty(),
        "these files import each other in circles: {left:#?}"
    );
}
