//! A move.

use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use std::hash::{DefaultHasher, Hash, Hasher};
use tridex_core::geometry::Family;
use tridex_core::notation::{names, write_unmarked};
use tridex_core::{Notation, Position, WriteOptions};

/// A move, as a position or a game gives it. Moves compare equal if they are the same on the same board, from any
/// position.
#[pyclass(frozen, module = "tridex", from_py_object)]
#[derive(Clone)]
pub(crate) struct Move {
    pub(crate) played: tridex_core::Move,
    pub(crate) family: Family,
    text: String,
    from: String,
    to: String,
}

impl Move {
    /// A legal move of a position.
    pub(crate) fn of(position: &Position, played: tridex_core::Move) -> Self {
        let notation = Notation::of(position.rules());
        let (from, to) = ends(position, notation, played);
        // The notation of a rule system is for its own board, so this cannot fail.
        let text = write_unmarked(notation, position, played, &WriteOptions::default());
        let text = text.map(|text| text.as_str().to_owned());
        Self {
            played,
            family: position.family(),
            text: text.unwrap_or_default(),
            from,
            to,
        }
    }

    /// The move in the notation of its rules, without marks.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

/// Where a move comes from and goes to, in a notation.
fn ends(position: &Position, notation: Notation, played: tridex_core::Move) -> (String, String) {
    use tridex_core::Move::{Board, Castle, EnPassant, Pass, Piece};
    let layout = position.layout();
    let square = |square| names::square(notation, layout, square);
    match played {
        Piece { from, to, .. } | EnPassant { from, to, .. } => (square(from), square(to)),
        Castle(_) => {
            let color = position.turn();
            let mut after = position.clone();
            after.play_unchecked(played);
            let to = names::square(notation, after.layout(), after.king(color));
            (square(position.king(color)), to)
        }
        Pass => (String::new(), String::new()),
        Board { board, to, .. } => {
            let from = layout.map(|layout| names::pin(notation, layout.pin(board)));
            (from.unwrap_or_default(), names::pin(notation, to))
        }
    }
}

#[pymethods]
impl Move {
    /// What moves: `piece`, `en-passant`, `castle` or `board`; `pass` if a player passes in a variation.
    #[getter]
    fn kind(&self) -> &'static str {
        use tridex_core::Move::{Board, Castle, EnPassant, Pass, Piece};
        match self.played {
            Piece { .. } => "piece",
            EnPassant { .. } => "en-passant",
            Castle(_) => "castle",
            Board { .. } => "board",
            Pass => "pass",
        }
    }

    /// The square of departure, of the king in a castling; the pin of departure of an attack board.
    #[getter(from_square)]
    fn departure(&self) -> &str {
        &self.from
    }

    /// The square of arrival, of the king in a castling; the pin of arrival of an attack board.
    #[getter(to_square)]
    fn arrival(&self) -> &str {
        &self.to
    }

    /// What a pawn becomes: `queen`, `rook`, `bishop`, `knight`, or None.
    #[getter]
    fn promotion(&self) -> Option<&'static str> {
        self.played.promotion().map(tridex_core::Role::name)
    }

    /// Whether an attack board turns by 180 degrees.
    #[getter]
    fn turned(&self) -> bool {
        matches!(self.played, tridex_core::Move::Board { turned: true, .. })
    }

    fn __richcmp__(&self, other: &Self, op: CompareOp) -> bool {
        op.matches((self.family, self.played).cmp(&(other.family, other.played)))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.family, self.played).hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> &str {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.text())
    }
}
