//! A checkout has the same bytes on every machine: git's own settings must not change line ends, on which hashes, snapshots
//! and generated games depend.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Runs git with no settings but those of its arguments; nothing if there is no git.
fn git(at: &Path, arguments: &[&str]) -> Option<Output> {
    let mut git = Command::new("git");
    let git = git
        .current_dir(at)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE");
    let done = git
        .args(["-c", "core.autocrlf=true", "-c", "core.safecrlf=false"])
        .args(arguments);
    done.output().ok()
}

#[test]
fn a_checkout_has_the_bytes_that_were_committed_whatever_the_line_ends_of_the_system() {
    let Some(listed) = git(Path::new(ROOT), &["ls-files", "-z"]).filter(|git| git.status.success())
    else {
        // The sources of a release have no history.
        return;
    };
    let listed = String::from_utf8(listed.stdout).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    assert!(git(at, &["init", "--quiet"]).unwrap().status.success());
    let names = listed.split('\0').filter(|name| !name.is_empty());
    let from = |name: &str| Path::new(ROOT).join(name);
    let files = names.filter(|name| fs::symlink_metadata(from(name)).is_ok_and(|is| is.is_file()));
    let files: Vec<&str> = files.collect();
    assert!(files.contains(&".gitattributes") && files.len() > 500);
    for name in &files {
        let to = at.join(name);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from(name), to).unwrap();
    }
    let added = git(at, &["add", "--all", "--force"]).unwrap();
    assert!(added.status.success(), "{added:?}");
    let out = git(at, &["checkout-index", "--all", "--prefix=out/"]).unwrap();
    assert!(out.status.success(), "{out:?}");
    let is_other = |name: &&&str| {
        fs::read(from(name)).unwrap() != fs::read(at.join("out").join(name)).unwrap_or_default()
    };
    let others: Vec<_> = files.iter().filter(is_other).collect();
    assert!(others.is_empty(), "{others:?}");
}
