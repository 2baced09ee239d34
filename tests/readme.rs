//! The commands of the README, run, with what they print compared.

use std::fs;
use std::path::Path;

/// The commands run in a folder of their own with a copy of the corpus, for some of them leave something behind.
#[test]
fn the_readmes_commands_print_what_it_shows() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = folder.path().join("README.md");
    fs::copy(root.join("README.md"), &readme).unwrap();
    // Where commands run that stand in README.md.
    copy_all(
        &root.join("corpus"),
        &folder.path().join("README.in/corpus"),
    );
    trycmd::TestCases::new().case(readme);
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_all(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
