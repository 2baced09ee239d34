//! Removes the games of files that no longer exist.

use super::STANDARD_INPUT;
use super::stamps::is_from_here;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tridex_archive::file_name;
use tridex_index::{IndexError, Writer};

/// Files that no longer exist, but whose games were not removed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Unpruned {
    /// Folders that are missing or empty, perhaps because their disk is not mounted, with the number of their files in
    /// the index.
    pub missing: BTreeMap<PathBuf, u64>,
    /// How many files may exist in another folder, because their names are relative to it.
    pub elsewhere: u64,
}

/// Removes the games of files that no longer exist from an index. If a whole folder is missing or empty, its games stay,
/// because its disk may not be mounted. `roots` are folders whose files are known to have been read from the current
/// folder; the others must have been read from it by [`Archives::update_index`](crate::Archives::update_index).
///
/// # Errors
/// If the index cannot be read.
pub fn prune_index(writer: &mut Writer, roots: &[PathBuf]) -> Result<Unpruned, IndexError> {
    let mut unpruned = Unpruned::default();
    for name in writer.sources()? {
        let path = file_name::to_path(&name);
        let path = path.as_path();
        // A path that cannot be checked may still exist.
        if name == STANDARD_INPUT || !matches!(path.try_exists(), Ok(false)) {
            continue;
        }
        let root = roots.iter().find(|root| path.starts_with(root));
        if root.is_none() && !is_from_here(path, writer.stamp(&name)) {
            unpruned.elsewhere += 1;
            continue;
        }
        let folder = root.map(PathBuf::as_path).or(path.parent()).unwrap_or(path);
        if is_missing(folder) {
            *unpruned.missing.entry(folder.to_owned()).or_default() += 1;
        } else {
            writer.remove_source(&name)?;
        }
    }
    Ok(unpruned)
}

/// Whether a folder is missing, or empty like the mount point of a disk that is not mounted.
fn is_missing(folder: &Path) -> bool {
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    match std::fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        // A path on the command line may be a file.
        Err(_) => !folder.is_file(),
    }
}
