//! A position to play on.

use crate::errors;
use crate::moves::Move;
use crate::names;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use tridex_core::notation::position_string;
use tridex_core::picture::{self, Marks, PictureOptions, Theme, View};
use tridex_core::{Color, Notation, Play, PositionError, Square, notation};

/// A position under a rule system: `Position("meder")` is its start, `Position("meder", fen)` that of a position string.
/// Without rules it is the start under Meder's, or `Position(fen=fen)` under the first rules that allow the position.
///
/// >>> from tridex import Position
/// >>> position = Position("millennium")
/// >>> position.play("1. 1e4 3e5")
/// [Move('1e4'), Move('3e5')]
/// >>> position.turn, len(position.legal_moves), position.is_check()
/// ('white', 108, False)
/// >>> position.pop()
/// Move('3e5')
#[pyclass(module = "tridex")]
pub(crate) struct Position {
    pub(crate) now: tridex_core::Position,
    /// The earlier positions, each with the move that was played there.
    before: Vec<(tridex_core::Position, tridex_core::Move)>,
}

impl Position {
    pub(crate) const fn of(now: tridex_core::Position) -> Self {
        Self {
            now,
            before: Vec::new(),
        }
    }

    fn play_one(&mut self, mv: tridex_core::Move) {
        self.before.push((self.now.clone(), mv));
        self.now.play_unchecked(mv);
    }

    /// The legal move that an argument means. The argument is a move or a token.
    pub(crate) fn meant(
        &self,
        py: Python<'_>,
        mv: &Bound<'_, PyAny>,
    ) -> PyResult<tridex_core::Move> {
        if let Ok(mv) = mv.cast::<Move>() {
            let mv = mv.get();
            return match self.now.is_legal(mv.played) && self.is_of_board(mv) {
                true => Ok(mv.played),
                false => Err(errors::of_illegal(py, &self.now, mv.played, mv.text())),
            };
        }
        let Ok(token) = mv.cast::<PyString>() else {
            return Err(PyTypeError::new_err("expected a Move or the text of one"));
        };
        let read = self.now.read(&token.to_cow()?);
        read.map_err(|fault| errors::of_token(py, &fault))
    }

    fn is_of_board(&self, mv: &Move) -> bool {
        mv.family == self.now.family()
    }

    /// The notation with a name, or without a name that of the rules.
    fn notation_of(&self, name: Option<&str>) -> PyResult<Notation> {
        let own = Notation::of(self.now.rules());
        name.map_or(Ok(own), names::notation)
    }

    /// The name of a square under the rules.
    fn name_of(&self, square: Square) -> String {
        notation::names::square(Notation::of(self.now.rules()), self.now.layout(), square)
    }

    fn square(&self, name: &str) -> PyResult<Square> {
        let found = picture::find_squares(&self.now, None, name);
        match found.as_slice() {
            [square] => Ok(*square),
            [] => Err(PyValueError::new_err(format!(
                "{name:?} is not a square of this board"
            ))),
            several => {
                let names = several.iter().map(|square| self.name_of(*square));
                let names = names.collect::<Vec<_>>().join(", ");
                Err(PyValueError::new_err(format!(
                    "{name:?} is several squares: {names}"
                )))
            }
        }
    }

    fn picture(&self, how: &Drawing) -> PyResult<PictureOptions<'static>> {
        let views = ["flat", "stand"];
        let view = match how.view.as_str() {
            "flat" => View::Flat,
            "stand" => View::Stand,
            name => return Err(names::unknown("view", name, &views)),
        };
        let theme = match how.theme.as_str() {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            name => return Err(names::unknown("theme", name, &["light", "dark"])),
        };
        let side = match how.side.as_str() {
            "white" => Color::White,
            "black" => Color::Black,
            name => return Err(names::unknown("side", name, &["white", "black"])),
        };
        let mut marks = match self.before.last() {
            Some((before, mv)) if how.last_move => Marks::after(before, *mv),
            _ => Marks::default(),
        };
        if let Some(square) = &how.moves_of {
            marks.moves_of(&self.now, self.square(square)?);
        }
        Ok(PictureOptions::default()
            .view(view)
            .theme(theme)
            .side(side)
            .width(how.width)
            .marks(marks))
    }
}

/// How a picture is drawn.
struct Drawing {
    view: String,
    side: String,
    theme: String,
    width: u32,
    last_move: bool,
    moves_of: Option<String>,
}

/// `white` or `black`.
pub(crate) const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (rules = None, fen = None))]
    pub(crate) fn new(py: Python<'_>, rules: Option<&str>, fen: Option<&str>) -> PyResult<Self> {
        let rules = rules.map(names::rules).transpose()?;
        let Some(fen) = fen else {
            let rules = rules.unwrap_or_default();
            return Ok(Self::of(tridex_core::Position::start(rules)));
        };
        let setup = position_string::parse(fen).map_err(PositionError::Words);
        let position = setup.and_then(|setup| {
            let rules = rules.unwrap_or_else(|| position_string::system_for(&setup, None));
            tridex_core::Position::from_setup(rules, &setup).map_err(PositionError::Setup)
        });
        let position = position.map_err(|fault| errors::of_position(py, &fault))?;
        Ok(Self::of(position))
    }

    /// The rule system.
    #[getter]
    fn rules(&self) -> &'static str {
        self.now.rules().name()
    }

    /// The side to move: `white` or `black`.
    #[getter]
    fn turn(&self) -> &'static str {
        color_name(self.now.turn())
    }

    /// The number of the move, from 1.
    #[getter]
    fn fullmove_number(&self) -> u32 {
        self.now.fullmoves()
    }

    /// Moves of either side since the last progress.
    #[getter]
    fn halfmove_clock(&self) -> u32 {
        self.now.halfmoves()
    }

    /// The 64-bit key: equal for positions that are the same under their rules, regardless of the counters.
    #[getter]
    fn key(&self) -> u64 {
        self.now.key()
    }

    /// The moves that were pushed, the first first.
    #[getter]
    fn move_stack(&self) -> Vec<Move> {
        let played = self.before.iter();
        played.map(|(before, mv)| Move::of(before, *mv)).collect()
    }

    /// The legal moves.
    #[getter]
    fn legal_moves(&self) -> LegalMoves {
        LegalMoves {
            position: self.now.clone(),
            moves: self.now.legal_moves(),
        }
    }

    /// Pieces by square, in the names of the rules: capital letters are White's.
    #[getter]
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let pieces = PyDict::new(py);
        for square in self.now.occupied() {
            if let Some(piece) = self.now.piece_at(square) {
                pieces.set_item(self.name_of(square), piece.letter())?;
            }
        }
        Ok(pieces)
    }

    /// The letter of the piece on a square, named in any notation of the board; None if the square is empty.
    fn piece_at(&self, square: &str) -> PyResult<Option<char>> {
        let piece = self.now.piece_at(self.square(square)?);
        Ok(piece.map(tridex_core::Piece::letter))
    }

    /// The position string.
    fn fen(&self) -> String {
        self.now.fen()
    }

    /// The legal move that a token means, in any notation of the board. Raises MoveError if it means none, or several.
    fn parse(&self, py: Python<'_>, token: &str) -> PyResult<Move> {
        let read = self.now.read(token);
        let mv = read.map_err(|fault| errors::of_token(py, &fault))?;
        Ok(Move::of(&self.now, mv))
    }

    /// A legal move as a notation writes it, with the marks that are customary there; without a name that of the rules.
    #[pyo3(signature = (r#move, notation = None))]
    fn notation(
        &self,
        py: Python<'_>,
        r#move: &Bound<'_, PyAny>,
        notation: Option<&str>,
    ) -> PyResult<String> {
        let mv = self.meant(py, r#move)?;
        let notation = self.notation_of(notation)?;
        self.now.write(mv, notation).map_err(names::of_other_board)
    }

    /// Whether a move is legal here.
    fn is_legal(&self, r#move: &Move) -> bool {
        self.is_of_board(r#move) && self.now.is_legal(r#move.played)
    }

    /// Whether a move captures.
    fn is_capture(&self, r#move: &Move) -> bool {
        self.is_legal(r#move) && self.now.is_capture(r#move.played)
    }

    /// Plays a move, or a token that means one, and returns it. Raises MoveError if it is not legal; the position does not
    /// change then.
    fn push(&mut self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<Move> {
        let mv = self.meant(py, r#move)?;
        let played = Move::of(&self.now, mv);
        self.play_one(mv);
        Ok(played)
    }

    /// Plays the moves of a line, in any notation of the board; move numbers are skipped. Raises MoveError at the first
    /// token that is not a legal move; the position does not change then.
    fn play(&mut self, py: Python<'_>, line: &str) -> PyResult<Vec<Move>> {
        let moves = self.now.read_all(line);
        let moves = moves.map_err(|fault| errors::of_token(py, &fault))?;
        let mut played = Vec::with_capacity(moves.len());
        for mv in moves {
            played.push(Move::of(&self.now, mv));
            self.play_one(mv);
        }
        Ok(played)
    }

    /// Takes the last move back and returns it. Raises IndexError if there is none.
    fn pop(&mut self) -> PyResult<Move> {
        let last = self.before.pop();
        let (before, mv) =
            last.ok_or_else(|| PyIndexError::new_err("pop from empty move stack"))?;
        let played = Move::of(&before, mv);
        self.now = before;
        Ok(played)
    }

    /// The last move. Raises IndexError if there is none.
    fn peek(&self) -> PyResult<Move> {
        let last = self.before.last();
        let (before, mv) = last.ok_or_else(|| PyIndexError::new_err("no move was played"))?;
        Ok(Move::of(before, *mv))
    }

    /// Whether the king of the side to move is attacked.
    fn is_check(&self) -> bool {
        self.now.is_check()
    }

    /// Whether the side to move is mated.
    fn is_checkmate(&self) -> bool {
        self.now.is_checkmate()
    }

    /// Whether the position ends the game.
    fn is_game_over(&self) -> bool {
        self.now.outcome().is_some()
    }

    /// How the position ends the game, such as `1-0 checkmate` or `1/2-1/2 stalemate`; None if it does not.
    fn outcome(&self) -> Option<String> {
        self.now.outcome().map(|outcome| outcome.to_string())
    }

    /// The number of sequences of legal moves of a length.
    fn perft(&self, py: Python<'_>, depth: u32) -> u64 {
        py.detach(|| self.now.perft(depth))
    }

    /// A copy with its move stack; without it if `stack` is false.
    #[pyo3(signature = (*, stack = true))]
    fn copy(&self, stack: bool) -> Self {
        Self {
            now: self.now.clone(),
            before: match stack {
                true => self.before.clone(),
                false => Vec::new(),
            },
        }
    }

    /// The position as an SVG document. `view` is `flat` or `stand`, `theme` `light` or `dark`, `side` the side at the
    /// bottom; `moves_of` marks the legal moves of the piece on a square.
    #[pyo3(signature = (*, view = "flat", side = "white", theme = "light", width = 800, last_move = true, moves_of = None))]
    fn svg(
        &self,
        view: &str,
        side: &str,
        theme: &str,
        width: u32,
        last_move: bool,
        moves_of: Option<String>,
    ) -> PyResult<String> {
        let how = Drawing {
            view: view.to_owned(),
            side: side.to_owned(),
            theme: theme.to_owned(),
            width,
            last_move,
            moves_of,
        };
        Ok(picture::svg(&self.now, &self.picture(&how)?))
    }

    /// The same as PNG.
    #[pyo3(signature = (*, view = "flat", side = "white", theme = "light", width = 800, last_move = true, moves_of = None))]
    fn png(
        &self,
        py: Python<'_>,
        view: &str,
        side: &str,
        theme: &str,
        width: u32,
        last_move: bool,
        moves_of: Option<String>,
    ) -> PyResult<std::borrow::Cow<'static, [u8]>> {
        let how = Drawing {
            view: view.to_owned(),
            side: side.to_owned(),
            theme: theme.to_owned(),
            width,
            last_move,
            moves_of,
        };
        let options = self.picture(&how)?;
        let drawn = py.detach(|| picture::png(&self.now, &options));
        let drawn = drawn.map_err(|fault| PyValueError::new_err(fault.to_string()))?;
        Ok(drawn.into())
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg("flat", "white", "light", 800, true, None)
    }

    fn __repr__(&self) -> String {
        self.now.draw().trim_end().to_owned()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.now == other.now
    }
}

/// The legal moves of a position: iterable, with a length, and `move in position.legal_moves`.
#[pyclass(frozen, module = "tridex")]
pub(crate) struct LegalMoves {
    position: tridex_core::Position,
    moves: Vec<tridex_core::Move>,
}

#[pymethods]
impl LegalMoves {
    fn __len__(&self) -> usize {
        self.moves.len()
    }

    fn __contains__(&self, r#move: &Move) -> bool {
        r#move.family == self.position.family() && self.position.is_legal(r#move.played)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let moves = self.moves.iter();
        let moves: Vec<Move> = moves.map(|mv| Move::of(&self.position, *mv)).collect();
        moves.into_pyobject(py)?.call_method0("__iter__")
    }

    fn __getitem__(&self, index: isize) -> PyResult<Move> {
        let at = match index {
            0.. => index.unsigned_abs(),
            _ => self.moves.len().wrapping_sub(index.unsigned_abs()),
        };
        let found = self.moves.get(at);
        let found = found.ok_or_else(|| PyIndexError::new_err("no legal move of this number"))?;
        Ok(Move::of(&self.position, *found))
    }

    fn __repr__(&self) -> String {
        let texts = self
            .moves
            .iter()
            .map(|mv| Move::of(&self.position, *mv).text().to_owned());
        format!("<LegalMoves {}>", texts.collect::<Vec<_>>().join(" "))
    }
}
