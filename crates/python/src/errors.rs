//! The exceptions, and their attributes for the place of an error.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::io;
use tridex_core::archive::source::SourceError;
use tridex_core::index;
use tridex_core::notation::messages;
use tridex_core::rules::Move;
use tridex_core::{
    IndexUpdateError, Notation, Position, PositionError as Unplayable, UnreadMove, WhyUnread,
};

create_exception!(tridex, Error, PyValueError, "What this module raises.");
create_exception!(
    tridex,
    PositionError,
    Error,
    "A position string cannot be read or played. `offset` is the byte at which reading stopped, or None."
);
create_exception!(
    tridex,
    MoveError,
    Error,
    "A move cannot be read or played. `token` is the text; `ply` counts the moves of the line before it."
);
create_exception!(
    tridex,
    FileError,
    Error,
    "A file cannot be read. `file` is its name, `code` what is wrong; where a run went on after it, `counts` and `problems` are what it found."
);
create_exception!(
    tridex,
    QueryError,
    Error,
    "A query cannot be understood. `text` is the part of it, `offset` the byte, `expected` what would be understood there."
);
create_exception!(
    tridex,
    DatabaseError,
    Error,
    "An index cannot be read or written."
);

/// Adds an attribute to an exception.
pub(crate) fn with<'py>(
    py: Python<'py>,
    error: PyErr,
    name: &str,
    value: impl IntoPyObject<'py>,
) -> PyErr {
    match error.value(py).setattr(name, value) {
        Ok(()) => error,
        Err(fault) => fault,
    }
}

/// A text that is not a position string, or a position that cannot be played.
pub(crate) fn of_position(py: Python<'_>, fault: &Unplayable) -> PyErr {
    let offset = match fault {
        Unplayable::Words(found) => Some(found.offset),
        Unplayable::Setup(_) => None,
    };
    with(
        py,
        PositionError::new_err(fault.to_string()),
        "offset",
        offset,
    )
}

/// A token that does not mean exactly one legal move of a position.
pub(crate) fn of_token(py: Python<'_>, fault: &UnreadMove) -> PyErr {
    let offset = match &fault.why {
        WhyUnread::Syntax(found) => Some(found.offset),
        WhyUnread::Meaning(_) | WhyUnread::Level => None,
    };
    let error = MoveError::new_err(fault.to_string());
    let error = with(py, error, "token", &fault.token);
    with(py, with(py, error, "ply", fault.ply), "offset", offset)
}

/// A move that is not legal in a position.
pub(crate) fn of_illegal(py: Python<'_>, position: &Position, mv: Move, written: &str) -> PyErr {
    let notation = Notation::of(position.rules());
    let why = position.explain(mv);
    let why = why.map_or_else(
        || "it is not legal".to_owned(),
        |why| messages::explain(position, notation, &why),
    );
    let error = MoveError::new_err(format!("`{written}`: {why}"));
    let error = with(py, error, "token", written);
    with(py, with(py, error, "ply", 0), "offset", None::<usize>)
}

/// A source that cannot be read, or not to its end.
pub(crate) fn of_source(py: Python<'_>, fault: &SourceError) -> PyErr {
    of_file(py, &fault.name, fault.code, &fault.to_string())
}

/// A file that cannot be read.
pub(crate) fn of_file(py: Python<'_>, file: &str, code: &str, message: &str) -> PyErr {
    let error = FileError::new_err(message.to_owned());
    with(py, with(py, error, "file", file), "code", code)
}

/// The error that ended a run over archives.
pub(crate) fn of_io(py: Python<'_>, fault: &io::Error) -> PyErr {
    let code = match fault.kind() {
        io::ErrorKind::NotFound => "no-files",
        _ => "io",
    };
    of_file(py, "", code, &fault.to_string())
}

/// An index that cannot be used, or a query that it cannot answer.
pub(crate) fn of_index(py: Python<'_>, fault: &index::IndexError) -> PyErr {
    match fault {
        index::IndexError::Query(fault) => of_query(py, fault),
        fault => DatabaseError::new_err(fault.to_string()),
    }
}

/// Games that cannot be added to an index.
pub(crate) fn of_indexing(py: Python<'_>, fault: &IndexUpdateError) -> PyErr {
    match fault {
        IndexUpdateError::Index(fault) => of_index(py, fault),
        IndexUpdateError::Io(fault) => of_io(py, fault),
    }
}

/// A query that is not understood.
pub(crate) fn of_query(py: Python<'_>, fault: &index::QueryError) -> PyErr {
    let error = QueryError::new_err(fault.message(""));
    let error = with(py, error, "text", &*fault.text);
    let error = with(py, error, "offset", fault.span.start);
    with(py, error, "expected", fault.expectation())
}
