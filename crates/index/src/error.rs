//! What can go wrong with an index.

use crate::questions::query_error::QueryError;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tantivy::TantivyError;
use tantivy::directory::error::{LockError, OpenDirectoryError, OpenReadError, OpenWriteError};
use tridex_archive::file_name::to_text;
use tridex_text::printable;

/// How many patterns, balances of material, sequences and views from the top a query may have: for each of them every
/// position of the games that match the rest of the query is read, so that the time for an answer grows with their number.
pub const MAX_REPLAYS: usize = 16;

/// Why an index cannot be used, or a query not be answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The operating system refused something.
    #[error("{}: {error}", to_text(path))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Its message.
        #[source]
        error: std::io::Error,
    },
    /// There is no room left where the index is: the disk, a quota or the greatest size of a file is reached.
    #[error("{}: there is no room left for the index", to_text(.0))]
    Full(PathBuf),
    /// There is no index in the folder.
    #[error("{}: there is no index here", to_text(.0))]
    NotAnIndex(PathBuf),
    /// It is a file, and an index is a folder.
    #[error("{}: an index is a folder, this is a file", to_text(.0))]
    NotAFolder(PathBuf),
    /// The folder has other files and no index; nothing was written to it.
    #[error("{}: the folder is not empty and has no index; name an empty or a new folder", to_text(.0))]
    NotEmpty(PathBuf),
    /// The index was made by a version of this program that stored or understood games in another way. Nothing was changed.
    #[error(
        "{}: the index has version {found} of {what}, this program version {known}; {}",
        to_text(path),
        upgrade.advice()
    )]
    Version {
        /// The folder.
        path: PathBuf,
        /// What differs: the format, or the rules.
        what: &'static str,
        /// The number in the index.
        found: u64,
        /// The number of this program.
        known: u64,
        /// How to get an index of this version.
        upgrade: Upgrade,
    },
    /// Another process is writing to the index.
    #[error("{}: another process is writing to the index", to_text(.0))]
    Locked(PathBuf),
    /// The index was changed again each time it was opened to be read.
    #[error("{}: the index was changed each time it was opened; try again", to_text(.0))]
    Changing(PathBuf),
    /// A commit of this writer failed before; it takes nothing more. The index is as the commit before left it.
    #[error("{}: a commit failed before, and nothing more can be added; open the index again", to_text(.0))]
    CommitFailed(PathBuf),
    /// A file of the index is not as it was written.
    #[error("{}: the index is damaged: {what}", to_text(path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        what: String,
    },
    /// There is no such game in the index.
    #[error("there is no game {0} in the index")]
    NoSuchGame(u32),
    /// There is no game of this id, or of this file and number, in the index.
    #[error("there is no game {} in the index", printable(.0))]
    NoGameNamed(String),
    /// The search was ended by its [`Stop`](crate::Stop) before it had an answer.
    #[error("the search was stopped before it had an answer")]
    Stopped,
    /// The store below the index failed in a way that is not foreseen.
    #[error("{}: the index failed: {what}", to_text(path))]
    Failed {
        /// The folder.
        path: PathBuf,
        /// Its message.
        what: String,
    },
    /// A query has this number of patterns, balances of material, sequences and views from the top, more than
    /// [`MAX_REPLAYS`]: for each of them every position of many games is read.
    #[error(
        "a query may have at most {MAX_REPLAYS} patterns, balances of material, sequences and views from the top; \
         this one has {0}"
    )]
    TooMuch(usize),
    /// A query, or the value of a field, is not understood.
    #[error("{0}")]
    Query(#[source] Box<QueryError>),
}

/// How an index of another version becomes one of this version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Upgrade {
    /// By adding its games, which it contains, to a new index: see [`MergeSource`](crate::MergeSource).
    Merge,
    /// By making it again from the files of the games: this program can no longer read them in the index.
    Rebuild,
    /// Not at all: a newer program made it.
    Newer,
}

impl Upgrade {
    const fn advice(self) -> &'static str {
        match self {
            Self::Merge => "its games can be read: merge it into a new index",
            Self::Rebuild => "make the index again from the games, in another folder",
            Self::Newer => "a newer version of this program made it; use that version",
        }
    }
}

impl From<QueryError> for IndexError {
    fn from(error: QueryError) -> Self {
        Self::Query(Box::new(error))
    }
}

/// What an operation on an index gives.
pub type Result<T, E = IndexError> = std::result::Result<T, E>;

/// Names the file or folder that an operation was about.
pub(crate) trait At<T> {
    fn at(self, path: &Path) -> Result<T>;
}

impl<T, E: Into<TantivyError>> At<T> for Result<T, E> {
    fn at(self, path: &Path) -> Result<T> {
        self.map_err(|error| of_store(path, error))
    }
}

/// A file that is not as it was written.
pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> IndexError {
    IndexError::Damaged {
        path: path.to_owned(),
        what: what.into(),
    }
}

/// An error of the system or of tantivy as one of the index; files are named as they are in the folder.
pub(crate) fn of_store(path: &Path, error: impl Into<TantivyError>) -> IndexError {
    match error.into() {
        TantivyError::IoError(error) | TantivyError::LockFailure(LockError::IoError(error), _) => {
            io(path, &error)
        }
        TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(file)) => {
            damaged(&path.join(file), "the file is missing")
        }
        TantivyError::OpenReadError(OpenReadError::IoError {
            io_error,
            filepath: file,
        })
        | TantivyError::OpenWriteError(OpenWriteError::IoError {
            io_error,
            filepath: file,
        })
        | TantivyError::OpenDirectoryError(OpenDirectoryError::IoError {
            io_error,
            directory_path: file,
        }) => io(&path.join(file), &io_error),
        TantivyError::LockFailure(LockError::LockBusy, _) => IndexError::Locked(path.to_owned()),
        TantivyError::DataCorruption(what) => damaged(path, format!("{what:?}")),
        other => IndexError::Failed {
            path: path.to_owned(),
            what: other.to_string(),
        },
    }
}

fn io(path: &Path, error: &std::io::Error) -> IndexError {
    let path = path.to_owned();
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            IndexError::Full(path)
        }
        // Only checksums and formats, ours and tantivy's, report this.
        ErrorKind::InvalidData | ErrorKind::UnexpectedEof => damaged(&path, error.to_string()),
        kind => {
            let error = match error.raw_os_error() {
                Some(code) => std::io::Error::from_raw_os_error(code),
                None => std::io::Error::new(kind, error.to_string()),
            };
            IndexError::Io { path, error }
        }
    }
}
