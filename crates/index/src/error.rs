//! Errors of an index.

use crate::query_error::QueryError;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tantivy::TantivyError;
use tantivy::directory::error::{LockError, OpenDirectoryError, OpenReadError, OpenWriteError};
use tridex_archive::file_name::to_text;
use tridex_text::printable;

/// The greatest number of patterns, material balances, sequences and views from the top in a query. Each of them is
/// tested on every position of the games that match the rest of the query, so the time for an answer grows with their
/// number.
pub const MAX_REPLAYS: usize = 16;

/// Why an index cannot be used or a query cannot be answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The operating system reported an error.
    #[error("{}: {error}", to_text(path))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: std::io::Error,
    },
    /// There is no space left for the index: the disk is full, or a quota or the maximum file size is reached.
    #[error("{}: there is no room left for the index", to_text(.0))]
    Full(PathBuf),
    /// There is no index in the folder.
    #[error("{}: there is no index here", to_text(.0))]
    NotAnIndex(PathBuf),
    /// The path is a file, but an index is a folder.
    #[error("{}: an index is a folder, this is a file", to_text(.0))]
    NotAFolder(PathBuf),
    /// The folder contains other files and no index. Nothing was written to it.
    #[error("{}: the folder is not empty and has no index; name an empty or a new folder", to_text(.0))]
    NotEmpty(PathBuf),
    /// A version of this program with another format or other rules made the index. Nothing was changed.
    #[error(
        "{}: the index has version {found} of {what}, but this program needs version {known}; {}",
        to_text(path),
        upgrade.advice()
    )]
    Version {
        /// The folder.
        path: PathBuf,
        /// What differs: the format, the rules, the position keys or the packed moves.
        what: &'static str,
        /// The version of the index.
        found: u64,
        /// The version that this program reads.
        known: u64,
        /// How to get an index of this version.
        upgrade: Upgrade,
    },
    /// Another process is writing to the index.
    #[error("{}: another process is writing to the index", to_text(.0))]
    Locked(PathBuf),
    /// Each attempt to open the index failed because a writer changed it meanwhile.
    #[error("{}: the index was changed each time it was opened; try again", to_text(.0))]
    Changing(PathBuf),
    /// An earlier commit of this writer failed, so it accepts nothing more. The index is as of the last successful
    /// commit.
    #[error("{}: a commit failed before, and nothing more can be added; open the index again", to_text(.0))]
    CommitFailed(PathBuf),
    /// A file of the index is not as the writer left it.
    #[error("{}: the index is damaged: {what}", to_text(path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The index has no game of this number.
    #[error("there is no game {0} in the index")]
    NoSuchGame(u32),
    /// The index has no game of this id, or of this file and number.
    #[error("there is no game {} in the index", printable(.0))]
    NoGameNamed(String),
    /// A [`Cancel`](crate::Cancel) ended the search before it had an answer.
    #[error("the search was stopped before it had an answer")]
    Stopped,
    /// The underlying storage failed in an unexpected way.
    #[error("{}: the index failed: {what}", to_text(path))]
    Failed {
        /// The folder.
        path: PathBuf,
        /// Its message.
        what: String,
    },
    /// The query has this number of patterns, material balances, sequences and views from the top. [`MAX_REPLAYS`] is
    /// the most: each of them is tested on every position of many games.
    #[error(
        "a query may have at most {MAX_REPLAYS} patterns, balances of material, sequences and views from the top; \
         this one has {0}"
    )]
    TooMuch(usize),
    /// A query or the value of a field is not understood.
    #[error("{0}")]
    Query(#[source] Box<QueryError>),
}

/// How to get an index of this version from an index of another version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Upgrade {
    /// Add its games, which it contains, to a new index: see [`MergeSource`](crate::MergeSource).
    Merge,
    /// Build it again from the files of the games. This program cannot read the games in the index.
    Rebuild,
    /// There is no way: a newer version of the program made the index.
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

/// The result of an operation on an index.
pub type Result<T, E = IndexError> = std::result::Result<T, E>;

/// Adds to an error the file or folder where it occurred.
pub(crate) trait At<T> {
    fn at(self, path: &Path) -> Result<T>;
}

impl<T, E: Into<TantivyError>> At<T> for Result<T, E> {
    fn at(self, path: &Path) -> Result<T> {
        self.map_err(|error| of_store(path, error))
    }
}

/// The error for a file that is not as the writer left it.
pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> IndexError {
    IndexError::Damaged {
        path: path.to_owned(),
        what: what.into(),
    }
}

/// Converts an error of the system or of tantivy. Files are named by their paths in the folder.
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
        // Only checksums and file formats, ours and tantivy's, cause these errors.
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
