//! Errors.

use parquet::errors::ParquetError;
use std::io;
use std::path::{Path, PathBuf};

/// Why Parquet could not be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// An error of the system.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error.
        #[source]
        error: io::Error,
    },
    /// The file is not Parquet, is damaged, or could not be written.
    #[error("{}: {what}", .path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A checksum of the file does not match, or is missing.
    #[error(
        "{}: checksum mismatch: the file is damaged, or of an earlier version; `tridex export --parquet DIR` makes it \
         again",
        .0.display()
    )]
    Damaged(PathBuf),
    /// The file is Parquet, but has other columns.
    #[error(
        "{}: the column `{column}` is missing, or its type is not that of positions",
        .path.display()
    )]
    Schema {
        /// The file.
        path: PathBuf,
        /// The column that is missing or has another type.
        column: &'static str,
    },
    /// There are no positions in this folder.
    #[error(
        "{}: there is no {} in this folder; `tridex export --parquet DIR` makes it",
        .0.display(),
        crate::POSITIONS
    )]
    Nothing(PathBuf),
    /// A move of the file is illegal in the position of its key.
    #[error(
        "{}: `{word}` cannot be played in the position of its key: the file is damaged, or of another version",
        .path.display()
    )]
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
