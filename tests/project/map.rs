//! The map of the crates, `crates/README.md`: what it names is there.

use std::path::{Path, PathBuf};

/// The places that are named in backquotes and begin with a folder of the repository or of `crates`.
fn places(map: &str, root: &Path) -> Vec<(String, [PathBuf; 2])> {
    let quoted = map.split('`').skip(1).step_by(2);
    let paths = quoted.filter(|text| {
        text.contains('/') && !text.contains([' ', '<', '*', ':']) && !text.contains("X.rs")
    });
    let named = paths.filter_map(|path| {
        let (first, _) = path.split_once('/')?;
        let bases = [root.join("crates"), root.to_owned()];
        let base = bases.into_iter().find(|base| base.join(first).is_dir())?;
        let exact = base.join(path);
        let file = base.join(format!("{path}.rs"));
        Some((path.to_owned(), [exact, file]))
    });
    named.collect()
}

#[test]
fn the_map_names_what_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let map = std::fs::read_to_string(root.join("crates/README.md")).unwrap();
    let places = places(&map, root);
    assert!(places.len() > 80, "{}", places.len());
    let missing: Vec<_> = places
        .iter()
        .filter(|(_, files)| !files.iter().any(|file| file.exists()))
        .map(|(path, _)| path)
        .collect();
    assert!(missing.is_empty(), "crates/README.md names {missing:?}");
}
