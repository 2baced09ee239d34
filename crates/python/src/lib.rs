//! The Python module `tridex`: positions, moves, notations, records and an index of games of three-dimensional chess.
//! `tridex-core` does all of the work. This crate has only names, conversions of values, and the exceptions.
#![forbid(unsafe_code)]

mod archives;
mod collection;
mod errors;
mod explain;
mod finding;
mod game;
mod index;
mod moves;
mod names;
mod position;
mod reconcile;
mod stream;
mod tree;

use pyo3::prelude::*;

/// Three-dimensional chess: positions, moves, notations, game records, an index of games.
///
/// >>> import tridex
/// >>> position = tridex.Position("meder")
/// >>> position.push("b4N")
/// Move('b4N')
/// >>> position.turn
/// 'black'
#[pymodule(name = "tridex")]
mod tridex {
    #[pymodule_export]
    use crate::archives::{Conversion, Problems, Validation, Verdicts, convert, validate};
    #[pymodule_export]
    use crate::collection::{crosstable, dedupe, stats, stats_by};
    #[pymodule_export]
    use crate::errors::{DatabaseError, Error, FileError, MoveError, PositionError, QueryError};
    #[pymodule_export]
    use crate::explain::explain;
    #[pymodule_export]
    use crate::finding::{Change, Correction, Finding, Problem};
    #[pymodule_export]
    use crate::game::{Game, Games, Positions, Verdict, read_games};
    #[pymodule_export]
    use crate::index::{Index, index};
    #[pymodule_export]
    use crate::moves::Move;
    #[pymodule_export]
    use crate::position::{LegalMoves, Position};
    #[pymodule_export]
    use crate::reconcile::{Difference, Reconciled, reconcile};
    #[pymodule_export]
    use crate::tree::{GameNode, GameTree};

    use super::*;
    use pyo3::types::PyTuple;
    use tridex_core::{Locale, Notation, RuleSystem};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        let rules = RuleSystem::ALL.iter().map(|rules| rules.name());
        module.add("RULES", PyTuple::new(py, rules.collect::<Vec<_>>())?)?;
        let notations = Notation::ALL.map(Notation::name);
        module.add("NOTATIONS", PyTuple::new(py, notations)?)?;
        module.add("LOCALES", PyTuple::new(py, Locale::ALL.map(Locale::code))?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
