//! What can go wrong with an index.

use crate::parsing::LanguageError;
use std::path::{Path, PathBuf};

/// Why an index cannot be used, or a question not be answered.
#[derive(Debug)]
#[non_exhaustive]
pub enum IndexError {
    /// The operating system refused something.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it said.
        error: std::io::Error,
    },
    /// There is no index in the folder.
    NotAnIndex(PathBuf),
    /// The folder holds other things than an index; nothing was written to it.
    NotEmpty(PathBuf),
    /// The index was made by a version of this program that kept or understood games otherwise. Make it again from the
    /// games in another folder; nothing was changed.
    Version {
        /// The folder.
        path: PathBuf,
        /// What differs: the format, or the rules.
        what: &'static str,
        /// The number in the index.
        found: u64,
        /// The number of this program.
        known: u64,
    },
    /// Another process is writing to the index.
    Locked(PathBuf),
    /// A file of the index is not as it was written.
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        what: String,
    },
    /// The full-text part of the index failed.
    Fields(String),
    /// A query, pattern or material signature was not understood.
    Language(LanguageError),
    /// A position to search for fits none of the rule systems in question.
    Setup(tridex_rules::SetupError),
}

impl std::fmt::Display for IndexError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
            Self::NotAnIndex(path) => write!(f, "{}: there is no index here", path.display()),
            Self::NotEmpty(path) => write!(
                f,
                "{}: the folder holds other things than an index",
                path.display()
            ),
            Self::Version {
                path,
                what,
                found,
                known,
            } => write!(
                f,
                "{}: the index has version {found} of {what}, this program version {known}; make the index again \
                 from the games, in another folder",
                path.display()
            ),
            Self::Locked(path) => write!(
                f,
                "{}: another process is writing to the index",
                path.display()
            ),
            Self::Damaged { path, what } => {
                write!(f, "{}: the index is damaged: {what}", path.display())
            }
            Self::Fields(what) => write!(f, "the index failed: {what}"),
            Self::Language(error) => error.fmt(f),
            Self::Setup(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for IndexError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(error),
            Self::Language(error) => Some(error),
            Self::Setup(error) => Some(error),
            _ => None,
        }
    }
}

impl From<LanguageError> for IndexError {
    fn from(error: LanguageError) -> Self {
        Self::Language(error)
    }
}

impl From<tantivy::TantivyError> for IndexError {
    fn from(error: tantivy::TantivyError) -> Self {
        Self::Fields(error.to_string())
    }
}

/// Names the file an operation was about.
pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> IndexError + '_ {
    move |error| IndexError::Io {
        path: path.to_owned(),
        error,
    }
}

/// A file that is not as it was written.
pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> IndexError {
    IndexError::Damaged {
        path: path.to_owned(),
        what: what.into(),
    }
}

/// Runs what tantivy does with files of an index. Checksums are not compared when an index is opened, and tantivy
/// panics on some damaged files; that is told as damage here.
pub(crate) fn guarded<T>(
    path: &Path,
    work: impl FnOnce() -> Result<T, IndexError>,
) -> Result<T, IndexError> {
    // What is shared with the work is only read, or thrown away with the error.
    let work = std::panic::AssertUnwindSafe(work);
    std::panic::catch_unwind(work)
        .unwrap_or_else(|_| Err(damaged(path, "the searchable texts cannot be read")))
}
