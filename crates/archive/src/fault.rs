//! Why a source could not be read.

use std::io;

use tridex_text::printable;

/// The error of a source that could not be read, or not to its end.
///
/// ```
/// use tridex_archive::source::{OpenOptions, Source};
///
/// let pdf = Box::new(&b"%PDF-1.7 ..."[..]);
/// let error = Source::Stdin.open_reader(pdf, &OpenOptions::default()).unwrap_err();
/// assert_eq!(error.code, "no-record");
/// assert_eq!(error.message, "this is a PDF document, not a game record");
/// assert_eq!(error.to_string(), "-: this is a PDF document, not a game record");
/// ```
#[derive(Debug, thiserror::Error)]
#[error("{}: {message}", printable(.name))]
#[non_exhaustive]
pub struct SourceError {
    /// Name of the source, raw.
    pub name: String,
    /// A name of the fault for programs, which never changes:
    ///
    /// - `cannot-open`; `folder`: it is a folder, but a file is expected; `cannot-list`: a folder cannot be listed;
    /// - `cannot-read`; `stopped`: [`OpenOptions::cancel`](crate::source::OpenOptions::cancel) was cancelled during a wait;
    /// - `corrupt`: compressed data is damaged or ends too early; `too-large`: it decompresses to too many bytes, or is
    ///   a text with markup that is too long;
    /// - `no-record`: it is a known kind of file that is not a game record; `unknown-encoding`;
    /// - `no-columns`: it is a score sheet whose header does not name the moves;
    /// - `empty`: it has no text; `no-games`: it has text, or zeros, but no game;
    /// - `no-file`: it cannot be split, since it is not a regular file; `changed`: it has changed since it was split.
    pub code: &'static str,
    /// What is wrong, without the name of the source.
    pub message: String,
}

impl SourceError {
    pub(crate) fn new(name: String, code: &'static str, message: String) -> Self {
        Self {
            name,
            code,
            message,
        }
    }

    /// The fault as an error of a reader, which has no name for its source.
    pub(crate) fn of_reader(code: &'static str, message: String) -> io::Error {
        io::Error::other(Self::new(String::new(), code, message))
    }

    /// The error for a known kind of data that is not a game record.
    pub(crate) fn foreign(code: &'static str, what: &str) -> io::Error {
        Self::of_reader(code, format!("this is {what}, not a game record"))
    }
}
