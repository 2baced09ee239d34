//! Errors.

use parquet::errors::ParquetError;
use std::io;
use std::path::{Path, PathBuf};
use tridex_index::file_name::to_text;

/// Why Parquet could not be written or read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", to_text(.path))]
pub struct ExportError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub fault: ExportFault,
}

/// What is wrong with a file or a folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportFault {
    /// The operating system reported an error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is not Parquet, is damaged, or could not be written.
    #[error(transparent)]
    Parquet(ParquetError),
    /// A checksum of the file does not match, or is missing.
    #[error(
        "checksum mismatch: the file is damaged, or of an earlier version; `tridex export --parquet DIR` makes it again"
    )]
    Damaged,
    /// The file is Parquet, but this column is missing.
    #[error("the column `{0}` is missing")]
    Schema(&'static str),
    /// The folder has no file of positions.
    #[error(
        "there is no {} in this folder; `tridex export --parquet DIR` makes it",
        crate::POSITIONS
    )]
    Nothing,
    /// A move in the file is illegal in the position that its key identifies.
    #[error(
        "`{0}` cannot be played in the position of its key: the file is damaged, or of another version"
    )]
    Move(String),
}

impl From<ParquetError> for ExportFault {
    fn from(fault: ParquetError) -> Self {
        match fault {
            // The file could not be read or written, which has nothing to do with Parquet.
            ParquetError::External(fault) => match fault.downcast::<io::Error>() {
                Ok(fault) => Self::Io(*fault),
                Err(other) => Self::Parquet(ParquetError::External(other)),
            },
            other => Self::Parquet(other),
        }
    }
}

/// Adds to a fault the file or folder where it occurred.
pub(crate) trait At<T> {
    fn at(self, path: &Path) -> Result<T, ExportError>;
}

impl<T, F: Into<ExportFault>> At<T> for Result<T, F> {
    fn at(self, path: &Path) -> Result<T, ExportError> {
        self.map_err(|fault| ExportError {
            path: path.to_owned(),
            fault: fault.into(),
        })
    }
}
