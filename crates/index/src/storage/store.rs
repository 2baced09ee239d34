//! Opens the index in a folder, or creates one.

use crate::error::{At, IndexError, Result, Upgrade, damaged, of_store};
use crate::storage::file_names::{MANAGED, META, is_segment};
use crate::storage::folder::Folder;
use crate::storage::plugin::GamesPlugin;
use crate::storage::schema::{INDEX_VERSION, Identity, identity, register, schema};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::directory::{Directory, Lock};
use tantivy::{Index, IndexSettings};
use tridex_archive::write::NewFolder;

/// The tantivy index in a folder, ready for use.
#[derive(Clone)]
pub(crate) struct Store {
    pub(crate) root: PathBuf,
    pub(crate) folder: Folder,
    pub(crate) index: Index,
    pub(crate) identity: Identity,
}

impl Store {
    /// Opens the index in a folder for reading.
    ///
    /// # Errors
    /// Returns an error if there is none, if it has another version, or if opening it finds damage.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        match has_index(root) {
            Ok(true) => Self::open(root, true),
            Ok(false) | Err(IndexError::NotEmpty(_)) => {
                Err(IndexError::NotAnIndex(root.to_owned()))
            }
            Err(error) => Err(error),
        }
    }

    /// Opens an index of the previous version. Only what both versions have in common may be read.
    ///
    /// # Errors
    /// Returns an error if opening it finds damage.
    pub(crate) fn read_previous(root: &Path) -> Result<Self> {
        Self::of_any_version(root, true)
    }

    /// Opens the index in a folder for writing, or creates one if there is none.
    ///
    /// # Errors
    /// As [`Store::read`], or if the folder contains something else.
    pub(crate) fn write(root: &Path, variations: bool) -> Result<(Self, Option<NewIndex>)> {
        let created = match has_index(root)? {
            true => None,
            false => create(root, Identity::new(variations))?,
        };
        Ok((Self::open(root, false)?, created))
    }

    fn open(root: &Path, is_read_only: bool) -> Result<Self> {
        let store = Self::of_any_version(root, is_read_only)?;
        store.identity.check(root)?;
        let (schema, _) = schema(store.identity);
        if store.index.schema() != schema {
            let what = "the fields are not those of an index";
            return Err(damaged(&root.join(META), what));
        }
        Ok(store)
    }

    fn of_any_version(root: &Path, is_read_only: bool) -> Result<Self> {
        let folder = Folder::open(root, is_read_only).at(root)?;
        let mut index = Index::open(folder.clone()).at(root)?;
        let identity = identity(&index.schema())
            .ok_or_else(|| damaged(&root.join(META), "it describes something else"))?;
        index.register_plugin(plugin(&folder, identity));
        register(&index);
        Ok(Self {
            root: root.to_owned(),
            folder,
            index,
            identity,
        })
    }
}

/// Whether a folder contains an index. If not, it does not exist, is empty, or has the remains of an interrupted
/// creation. Modifiers nothing.
///
/// # Errors
/// Returns an error if the folder contains something else. A folder with only a part of an index is damaged.
fn has_index(root: &Path) -> Result<bool> {
    let entries = match std::fs::read_dir(root) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return Err(IndexError::NotAFolder(root.to_owned()));
        }
        entries => entries.at(root)?,
    };
    let (mut is_strange, mut files) = (false, 0);
    for entry in entries {
        let name = entry.at(root)?.file_name();
        let name = name.to_string_lossy();
        if name == META {
            return Ok(true);
        }
        if name == "tridex.json" {
            // Version 1 stored texts and games separately and had this file as its description.
            return Err(IndexError::Version {
                path: root.to_owned(),
                what: "the format",
                found: 1,
                known: INDEX_VERSION.into(),
                upgrade: Upgrade::Rebuild,
            });
        }
        files += u32::from(name.split('.').next().is_some_and(is_segment));
        is_strange |= !name.starts_with('.');
    }
    if files > 0 {
        let what = format!("it is missing, though {files} files of an index are there");
        return Err(damaged(&root.join(META), what));
    }
    match is_strange {
        true => Err(IndexError::NotEmpty(root.to_owned())),
        false => Ok(false),
    }
}

/// The plugin that stores games in the segments of an index.
fn plugin(folder: &Folder, identity: Identity) -> Arc<GamesPlugin> {
    Arc::new(GamesPlugin {
        folder: folder.clone(),
        identity,
    })
}

/// A new index without a commit. Dropping it removes the index, and the folders that were created for it.
pub(crate) struct NewIndex {
    /// `None` if the index is not to be removed.
    folder: Option<Folder>,
    /// Dropped after the files are removed.
    _created: NewFolder,
}

impl NewIndex {
    /// Leaves the index in place.
    pub(crate) fn keep(mut self) {
        self.folder = None;
    }
}

impl Drop for NewIndex {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            // Another process may be about to create an index here.
            let _lock = folder.acquire_lock(&create_lock());
            remove(&folder.path);
        }
    }
}

/// The file that a process locks while it creates an index or removes a new one. Every index has it, and no other
/// folder does.
pub const INDEX_MARK: &str = ".tridex-create.lock";

fn create_lock() -> Lock {
    Lock {
        filepath: PathBuf::from(INDEX_MARK),
        is_blocking: true,
    }
}

/// Removes the files of an index without a commit.
fn remove(root: &Path) {
    // First the file that makes the folder an index.
    let _ = std::fs::remove_file(root.join(META));
    // Then segments that were written and not committed.
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    for name in names.filter(|name| name.split('.').next().is_some_and(is_segment)) {
        let _ = std::fs::remove_file(root.join(name));
    }
    for name in [
        MANAGED,
        ".tantivy-meta.lock",
        ".tantivy-writer.lock",
        INDEX_MARK,
    ] {
        let _ = std::fs::remove_file(root.join(name));
    }
}

/// Creates an index in a folder that is empty or does not exist. If several processes try at once, one of them creates
/// it. Returns `None` if another process did.
fn create(root: &Path, identity: Identity) -> Result<Option<NewIndex>> {
    let created = NewFolder::create(root).at(root)?;
    let folder = Folder::open(root, false).at(root)?;
    let _lock = folder.acquire_lock(&create_lock()).at(root)?;
    if root.join(META).exists() {
        return Ok(None);
    }
    // Removes the remains of an interrupted creation.
    let name = root.join(MANAGED);
    match std::fs::remove_file(&name) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(of_store(&name, error)),
        _ => {}
    }
    let (schema, _) = schema(identity);
    let settings = IndexSettings {
        // Otherwise each writer of a segment would start a thread of its own.
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    };
    let made = Index::builder()
        .schema(schema)
        .settings(settings)
        .register_plugin(plugin(&folder, identity))
        .open_or_create(folder.clone());
    match made {
        Ok(_) => Ok(Some(NewIndex {
            folder: Some(folder),
            _created: created,
        })),
        Err(fault) => {
            remove(root);
            Err(fault).at(root)
        }
    }
}
