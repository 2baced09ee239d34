//! Errors.

use parquet::errors::ParquetError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why Parquet could not be written or read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExportError {
    /// An error of the system.
    Io {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// The file is not Parquet, is damaged, or could not be written.
    Parquet {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A checksum of the file does not match, or is missing.
    Damaged(PathBuf),
    /// The file is Parquet, but has other columns.
    Schema {
        /// The file.
        path: PathBuf,
        /// The column that is missing or has another type.
        column: &'static str,
    },
    /// There are no positions in this folder.
    Nothing(PathBuf),
    /// A move of the file is illegal in the position of its key.
    Move {
        /// The file.
        path: PathBuf,
        /// The move.
        word: String,
    },
}

impl ExportError {
    pub(crate) fn parquet(path: &Path) -> impl Fn(ParquetError) -> Self + Copy + '_ {
        |error| Self::Parquet {
            path: path.to_owned(),
            what: error.to_string(),
        }
    }

    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Self + Copy + '_ {
        |error| Self::Io {
            path: path.to_owned(),
            error,
        }
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Parquet { path, what } => write!(f, "{}: {what}", path.display()),
            Self::Damaged(path) => write!(
                f,
                "{}: checksum mismatch: the file is damaged, or of an earlier version; `tridex export --parquet DIR` \
                 makes it again",
                path.display()
            ),
            Self::Schema { path, column } => write!(
                f,
                "{}: the column `{column}` is missing, or its type is not that of positions",
                path.display()
            ),
            Self::Nothing(path) => write!(
                f,
                "{}: there is no {} in this folder; `tridex export --parquet DIR` makes it",
                path.display(),
                crate::POSITIONS
            ),
            Self::Move { path, word } => write!(
                f,
                "{}: `{word}` cannot be played in the position of its key: the file is damaged, or of another version",
                path.display()
            ),
        }
    }
}

impl std::error::Error for ExportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}
