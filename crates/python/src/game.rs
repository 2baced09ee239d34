//! Games of a file, replayed.

use crate::errors;
use crate::finding::{Finding, dictionary, json_line};
use crate::moves::Move;
use crate::names::{self, Reading};
use crate::position::Position;
use crate::tree::GameTree;
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tridex_core::archive::Game as Record;
use tridex_core::archive::source::{Source, SourceError};
use tridex_core::archive::write::second_names;
use tridex_core::replay::GameRow;
use tridex_core::replay::{Options, Replay};
use tridex_core::{CheckedGame, Notation, ReplayedGame};

/// What a game is: its moves, how it is written and how it ended, and everything that was found.
#[pyclass(frozen, subclass, module = "tridex")]
pub(crate) struct Verdict {
    source: Arc<str>,
    number: u64,
    line: u64,
    replay: Replay,
}

impl Verdict {
    pub(crate) fn of(game: CheckedGame) -> Self {
        Self {
            source: game.source,
            number: game.number,
            line: game.line,
            replay: game.replay,
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.source
    }

    fn as_row(&self) -> GameRow<'_> {
        let report = &self.replay;
        let row = GameRow::new(&self.source, self.number, self.line, report);
        match report.under().is_empty() {
            true => row,
            false => row.under_all(report.under()),
        }
    }
}

#[pymethods]
impl Verdict {
    /// The name of the file; `-` for a text.
    #[getter]
    fn source(&self) -> &str {
        &self.source
    }

    /// The number of the game in its file, from 1.
    #[getter]
    fn number(&self) -> u64 {
        self.number
    }

    /// The line it begins on.
    #[getter]
    fn line(&self) -> u64 {
        self.line
    }

    /// `valid`, `warned`, `ambiguous` or `invalid`.
    #[getter]
    fn status(&self) -> &'static str {
        self.replay.status().as_str()
    }

    /// The rule system it was replayed under.
    #[getter]
    fn rules(&self) -> &'static str {
        self.replay.rules().name()
    }

    /// The notation it is written in.
    #[getter]
    fn notation(&self) -> &'static str {
        self.replay.style().notation.name()
    }

    /// The language of its letters.
    #[getter]
    fn locale(&self) -> &'static str {
        self.replay.style().locale.code()
    }

    /// The number of moves that could be read.
    #[getter]
    fn plies(&self) -> usize {
        self.replay.moves().len()
    }

    /// The result of the record: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[getter]
    fn result(&self) -> &'static str {
        self.replay.result().as_str()
    }

    /// How the rules have ended the game, such as `1-0 checkmate`; None if they have not.
    #[getter]
    fn outcome(&self) -> Option<String> {
        self.replay.outcome().map(|outcome| outcome.to_string())
    }

    /// What was found, in the order of its places.
    #[getter]
    fn findings(&self) -> Vec<Finding> {
        let found = self.replay.findings().iter();
        found.map(|found| Finding::new(found.clone())).collect()
    }

    /// The moves of the main line, as far as they could be read.
    #[getter]
    fn moves(&self) -> Vec<Move> {
        let mut position = self.replay.start().clone();
        let moves = self.replay.moves().iter();
        let named = moves.map(|mv| {
            let named = Move::of(&position, *mv);
            position.play_unchecked(*mv);
            named
        });
        named.collect()
    }

    /// The moves of the main line as a notation writes them; without a name that of the rules.
    #[pyo3(signature = (notation = None))]
    fn tokens(&self, notation: Option<&str>) -> PyResult<Vec<String>> {
        use tridex_core::Play;
        let own = Notation::of(self.replay.rules());
        let notation = notation.map_or(Ok(own), names::notation)?;
        let mut position = self.replay.start().clone();
        let moves = self.replay.moves().iter();
        let tokens = moves.map(|mv| {
            let token = position.write(*mv, notation);
            position.play_unchecked(*mv);
            token.map_err(names::of_other_board)
        });
        tokens.collect()
    }

    /// The position it starts from.
    fn start(&self) -> Position {
        Position::of(self.replay.start().clone())
    }

    /// The position after the last move that could be read.
    fn end(&self) -> Position {
        Position::of(self.replay.last().clone())
    }

    /// The positions of the main line, that at the start first; each without a move stack.
    fn positions(&self) -> Positions {
        Positions {
            at: Mutex::new((self.replay.start().clone(), 0)),
            moves: self.replay.moves().to_vec(),
        }
    }

    /// The game as a line of JSON, as the command `tridex validate --format ndjson` writes it.
    #[getter]
    fn json(&self) -> PyResult<String> {
        json_line(&self.as_row())
    }

    /// The same as a dictionary.
    fn row<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dictionary(py, &self.as_row())
    }

    fn __len__(&self) -> usize {
        self.replay.moves().len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        let (status, rules) = (self.status(), self.rules());
        let (source, number, plies) = (&self.source, self.number, self.plies());
        format!(
            "<{source}:{number}: {status}, {rules}, {plies} plies, {}>",
            self.result()
        )
    }
}

/// A game with its record: tags, comments, variations.
#[pyclass(frozen, extends = Verdict, module = "tridex")]
pub(crate) struct Game {
    record: Record<'static>,
    options: Options,
}

impl Game {
    pub(crate) fn of(source: Arc<str>, game: ReplayedGame) -> PyClassInitializer<Self> {
        let verdict = Verdict {
            source,
            number: game.number,
            line: game.line,
            replay: game.replay,
        };
        PyClassInitializer::from(verdict).add_subclass(Self {
            record: game.record,
            options: game.options,
        })
    }

    /// The record, and how it is read.
    pub(crate) fn record(&self) -> (&Record<'static>, Options) {
        (&self.record, self.options)
    }

    /// The game as a value of the library.
    fn replayed(&self, verdict: &Verdict) -> ReplayedGame {
        ReplayedGame {
            number: verdict.number,
            line: verdict.line,
            options: self.options,
            record: self.record.clone(),
            replay: verdict.replay.clone(),
        }
    }
}

#[pymethods]
impl Game {
    /// The tags, in their order; the second of a name is there as `Event_2`, as it is written.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        let mut renamed = second_names(self.record.written_tags().map(|tag| tag.name))
            .into_iter()
            .peekable();
        for (n, (name, value)) in self.record.tags().enumerate() {
            match renamed.next_if(|(place, _)| *place == n) {
                Some((_, name)) => tags.set_item(name, value)?,
                None => tags.set_item(name, value)?,
            }
        }
        Ok(tags)
    }

    /// The game as PGN in a notation of its board, with comments, NAGs and variations; without a name in that of its rules.
    #[pyo3(signature = (notation = None))]
    fn to_pgn(slf: &Bound<'_, Self>, notation: Option<&str>) -> PyResult<String> {
        let verdict = slf.as_super().get();
        let own = Notation::of(verdict.replay.rules());
        let notation = notation.map_or(Ok(own), names::notation)?;
        let game = slf.get().replayed(verdict);
        let pgn = slf.py().detach(|| game.to_pgn(notation));
        pgn.map_err(names::of_other_board)
    }

    /// The game as a tree of positions, which can be changed and written; the game itself does not change.
    fn tree(slf: &Bound<'_, Self>) -> GameTree {
        let game = slf.get().replayed(slf.as_super().get());
        GameTree::of(slf.py().detach(|| game.tree()))
    }

    fn __str__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Self::to_pgn(slf, None)
    }
}

/// The positions of a game, one after another.
#[pyclass(frozen, module = "tridex")]
pub(crate) struct Positions {
    /// The next position, and the number of moves that lead to it. At the end, that number is one more than there are
    /// moves.
    at: Mutex<(tridex_core::Position, usize)>,
    moves: Vec<tridex_core::Move>,
}

#[pymethods]
impl Positions {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self) -> Option<Position> {
        let mut at = self.at.lock().unwrap_or_else(PoisonError::into_inner);
        let (position, ply) = &mut *at;
        if *ply > self.moves.len() {
            return None;
        }
        let here = position.clone();
        if let Some(mv) = self.moves.get(*ply) {
            position.play_unchecked(*mv);
        }
        *ply += 1;
        Some(Position::of(here))
    }
}

/// The games of a file or a text, one after another.
#[pyclass(frozen, module = "tridex")]
pub(crate) struct Games {
    games: Mutex<tridex_core::Games>,
    source: Arc<str>,
    raised: Raised,
}

#[pymethods]
impl Games {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<Game>>> {
        let next = py.detach(|| {
            let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
            games.next()
        });
        // KeyboardInterrupt and SystemExit are raised at once, even if games that were read before are left.
        if let Some(error) = self
            .raised
            .take_if(|error| !error.is_instance_of::<PyException>(py))
        {
            return Err(error);
        }
        match next {
            None => Ok(None),
            Some(Ok(game)) => Py::new(py, Game::of(Arc::clone(&self.source), game)).map(Some),
            Some(Err(fault)) => Err(self.raised.or(py, &fault)),
        }
    }

    /// Damage between games that belongs to none of them, found since this was called last.
    fn damage(&self, py: Python<'_>) -> Vec<Finding> {
        let damage = py.detach(|| {
            let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
            games.damage()
        });
        damage.into_iter().map(Finding::new).collect()
    }
}

/// The exception that the `read` of a file object raised. Readers can return only errors of input, so the exception is
/// stored here and raised again unchanged afterwards.
#[derive(Clone, Default)]
struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    fn set(&self, error: PyErr) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }

    /// Removes and returns the exception, if it is wanted.
    fn take_if(&self, is_wanted: impl FnOnce(&PyErr) -> bool) -> Option<PyErr> {
        let mut raised = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        raised.take_if(|error| is_wanted(error))
    }

    /// The stored exception, or an error about the file if there is none.
    fn or(&self, py: Python<'_>, fault: &SourceError) -> PyErr {
        let raised = self.take_if(|_| true);
        raised.unwrap_or_else(|| errors::of_source(py, fault))
    }
}

/// A Python file object whose `read` returns text or bytes.
struct FileObject {
    object: Py<PyAny>,
    raised: Raised,
    /// Bytes of the last call that have not been consumed yet.
    rest: Vec<u8>,
}

/// How many characters or bytes are read from a file object at a time.
const PORTION: usize = 1 << 16;

impl Read for FileObject {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = Python::attach(|py| {
                let read = self.object.bind(py).call_method1("read", (PORTION,))?;
                match read.cast::<PyBytes>() {
                    Ok(bytes) => Ok(bytes.as_bytes().to_vec()),
                    Err(_) => Ok(read.extract::<String>()?.into_bytes()),
                }
            })
            .map_err(|error: PyErr| {
                self.raised.set(error);
                io::Error::other("the file object raised an exception")
            })?;
        }
        let count = out.len().min(self.rest.len());
        let rest = self.rest.split_off(count);
        for (place, byte) in out.iter_mut().zip(&self.rest) {
            *place = *byte;
        }
        self.rest = rest;
        Ok(count)
    }
}

/// The games of a file, of a text, or of a file object, replayed one after another; memory stays that of some games. PGN, bare
/// moves, CSV score sheets and NDJSON are read, plain or compressed, in any encoding.
///
/// >>> import tridex
/// >>> [game] = tridex.read_games(text="1. b4N b5B 2. c3W a6S")
/// >>> game.status, game.findings[0].message
/// ('warned', '`a6S` is read as a6B in German letters')
#[pyfunction]
#[pyo3(signature = (source = None, *, text = None, rules = None, notation = None, locale = None, strict = false, encoding = None, dates = None, repair = false))]
pub(crate) fn read_games(
    py: Python<'_>,
    source: Option<&Bound<'_, PyAny>>,
    text: Option<&Bound<'_, PyAny>>,
    rules: Option<String>,
    notation: Option<String>,
    locale: Option<String>,
    strict: bool,
    encoding: Option<String>,
    dates: Option<String>,
    repair: bool,
) -> PyResult<Games> {
    let reading = Reading {
        rules,
        notation,
        locale,
        strict,
        encoding,
        dates,
    };
    let (options, open) = (reading.options()?, reading.open()?);
    let raised = Raised::default();
    let (name, games) = match (source, text) {
        (None, Some(text)) => {
            let bytes = Box::new(io::Cursor::new(text_of(text)?));
            (
                "-".to_owned(),
                tridex_core::Games::of_reader(bytes, &open, options),
            )
        }
        (Some(object), None) if object.hasattr("read")? => {
            let name = object.getattr("name").and_then(|name| name.extract());
            let reader = Box::new(FileObject {
                object: object.clone().unbind(),
                raised: raised.clone(),
                rest: Vec::new(),
            });
            let games = py.detach(|| tridex_core::Games::of_reader(reader, &open, options));
            (name.unwrap_or_else(|_| "-".to_owned()), games)
        }
        (Some(path), None) => {
            let source = Source::new(path.extract::<PathBuf>()?.as_os_str());
            let games = py.detach(|| tridex_core::Games::open(&source, &open, options));
            (source.name(), games)
        }
        _ => {
            return Err(PyTypeError::new_err(
                "expected a file, or text=, and not both",
            ));
        }
    };
    let games = games.map_err(|fault| raised.or(py, &fault))?;
    Ok(Games {
        games: Mutex::new(games.repairing(repair)),
        source: name.into(),
        raised,
    })
}

/// The bytes of a `str` or `bytes`.
pub(crate) fn text_of(text: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(text) = text.cast::<PyString>() {
        return Ok(text.to_cow()?.as_bytes().to_vec());
    }
    let bytes = text.cast::<PyBytes>();
    let bytes = bytes.map_err(|_| PyValueError::new_err("expected str or bytes"))?;
    Ok(bytes.as_bytes().to_vec())
}
