//! Folders that are removed again if they stay empty.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder for results. When the value is dropped, the folders that it created and that are still empty are removed.
///
/// ```
/// use tridex_archive::write::NewFolder;
///
/// let parent = std::env::temp_dir().join(format!("tridex-folder-{}", std::process::id()));
/// let path = parent.join("results");
/// drop(NewFolder::create(&path)?);
/// assert!(!parent.exists());
///
/// let folder = NewFolder::create(&path)?;
/// std::fs::write(path.join("games.pgn"), "1. b4N *\n")?;
/// drop(folder);
/// assert!(path.join("games.pgn").exists());
/// # std::fs::remove_dir_all(&parent)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct NewFolder {
    /// The folders that were created, the innermost first.
    created: Vec<PathBuf>,
}

impl NewFolder {
    /// Creates a folder, and its parents that do not exist.
    ///
    /// # Errors
    /// If the system refuses. Nothing that was created remains then.
    pub fn create(path: &Path) -> io::Result<Self> {
        let parents = path.ancestors();
        let parents = parents.filter(|parent| !parent.as_os_str().is_empty());
        let missing = parents.take_while(|parent| fs::symlink_metadata(parent).is_err());
        let folder = Self {
            created: missing.map(Path::to_owned).collect(),
        };
        fs::create_dir_all(path)?;
        Ok(folder)
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        for folder in &self.created {
            // Fails if something is in it, or another process has removed it.
            let _ = fs::remove_dir(folder);
        }
    }
}
