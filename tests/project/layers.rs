//! The folders of a crate are layers: each imports only those below it.
//!
//! A layer is a folder, or a file, next to the root of the crate. Layers on one line are side by side, and none of them
//! imports another. `lib.rs` and tests may import all.

use super::import_order::graph;
use std::collections::{BTreeMap, BTreeSet};

/// A crate, the file at its root, and its layers from the lowest to the highest.
struct Layers {
    name: &'static str,
    root: &'static str,
    layers: &'static [&'static [&'static str]],
    /// Whether every folder and file of the crate is in a layer. Otherwise only those that are listed are checked.
    is_complete: bool,
}

const CRATES: [Layers; 3] = [
    Layers {
        name: "index/src",
        root: "lib.rs",
        layers: &[
            &["query_error"],
            &["error"],
            &["codec"],
            &["model"],
            &["text"],
            &["storage"],
            &["read", "write"],
            &["query"],
            &["search"],
            &["report", "example"],
        ],
        is_complete: true,
    },
    Layers {
        name: "server/src",
        root: "lib.rs",
        layers: &[
            &["fault"],
            &["host", "params"],
            &["board", "openapi"],
            &["site"],
            &["reply"],
            &["assets", "model"],
            &["pages"],
            &["api", "download"],
            &["routes"],
            &["guard"],
        ],
        is_complete: false,
    },
    Layers {
        name: "cli",
        root: "main.rs",
        layers: &[
            &["term"],
            &["failure"],
            &["options"],
            &["io"],
            &["commands"],
            &["app"],
        ],
        is_complete: false,
    },
];

/// The number of the layer of a file, and the name of its folder.
fn layer(of: &Layers, file: &str) -> Option<(usize, String)> {
    let name = file.split("::").next()?;
    let mut layers = of.layers.iter();
    let number = layers.position(|names| names.contains(&name))?;
    Some((number, name.to_owned()))
}

/// The imports of a crate that do not lead downwards, by file.
fn upward(of: &Layers, graph: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let mut wrong = Vec::new();
    for (file, imports) in graph {
        let Some((own, folder)) = layer(of, file) else {
            if of.is_complete {
                wrong.push(format!("{file} is in no layer"));
            }
            continue;
        };
        for import in imports {
            match layer(of, import) {
                Some((other, name)) if other >= own && name != folder => {
                    wrong.push(format!("{file} imports {import}"));
                }
                _ => {}
            }
        }
    }
    wrong
}

#[test]
fn no_layer_imports_one_above_it() {
    for of in &CRATES {
        let graph = graph(of.name, of.root);
        let wrong = upward(of, &graph);
        assert!(wrong.is_empty(), "{}: {wrong:#?}", of.name);
        for name in of.layers.iter().flat_map(|names| names.iter()) {
            let is_there = graph
                .keys()
                .any(|file| file.split("::").next() == Some(name));
            assert!(is_there, "{}: there is no {name}", of.name);
        }
    }
}

#[test]
fn an_import_of_a_higher_layer_is_noticed() {
    let [index, ..] = &CRATES;
    let graph = |file: &str, import: &str| {
        BTreeMap::from([(file.to_owned(), BTreeSet::from([import.to_owned()]))])
    };
    let is_upward = |file, import| !upward(index, &graph(file, import)).is_empty();
    assert!(is_upward("codec::bits", "model::entry"));
    assert!(is_upward("read::index", "write::writer"));
    assert!(is_upward("stray", "codec::bits"));
    assert!(!is_upward("search::plan", "query::logic"));
    assert!(!is_upward("search::plan", "search::sort"));
}
