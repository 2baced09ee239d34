//! Two or three records of one game, reconciled.

use crate::errors;
use crate::finding::{dictionary, json_line};
use crate::game::Game;
use crate::names;
use pyo3::prelude::*;
use tridex_core::ReplayedGame;
use tridex_core::replay::reconcile::{Difference as Found, Reconciled as Whole, reconcile_as};
use tridex_core::replay::{Options, RulesChoice};

/// What records of a game differ in.
#[pyclass(frozen, module = "tridex")]
pub(crate) struct Difference {
    found: Found,
}

#[pymethods]
impl Difference {
    /// The ply it is about, from 1; None if it is about the game as a whole.
    #[getter]
    fn ply(&self) -> Option<u32> {
        self.found.ply
    }

    /// The number of the move, such as `12.` or `12...`; empty if it is about no move.
    #[getter]
    fn move_number(&self) -> &str {
        &self.found.number
    }

    /// `tag`, `result`, `move`, `ambiguous`, `superfluous` or `end`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.found.kind.as_str()
    }

    /// Whether the records leave it undecided.
    #[getter]
    fn is_undecided(&self) -> bool {
        self.found.kind.is_undecided()
    }

    /// What the game has: the move, the value of the tag, or the result.
    #[getter]
    fn text(&self) -> &str {
        &self.found.text
    }

    /// What each record has, as written; empty if it has nothing.
    #[getter]
    fn written(&self) -> Vec<&str> {
        self.found.written.iter().map(String::as_str).collect()
    }

    /// How each record agrees with the game, in a few words; empty for tags and results.
    #[getter]
    fn read_as(&self) -> Vec<&str> {
        self.found.read_as.iter().map(String::as_str).collect()
    }

    /// All likely moves if the ply is undecided, the likeliest first.
    #[getter]
    fn readings(&self) -> Vec<&str> {
        self.found.readings.iter().map(String::as_str).collect()
    }

    /// What differs, and why the game has what it has.
    #[getter]
    fn message(&self) -> &str {
        &self.found.message
    }

    /// The difference as a line of JSON, as `tridex reconcile --problems` writes it.
    #[getter]
    fn json(&self) -> PyResult<String> {
        json_line(&self.found)
    }

    /// The same as a dictionary.
    fn row<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dictionary(py, &self.found)
    }

    fn __repr__(&self) -> String {
        let number = &self.found.number;
        let blank = if number.is_empty() { "" } else { " " };
        format!(
            "<{number}{blank}{}: {}>",
            self.found.kind.as_str(),
            self.found.message
        )
    }
}

/// The game that explains two or three records of it best.
#[pyclass(frozen, module = "tridex")]
pub(crate) struct Reconciled {
    game: Py<Game>,
    found: Whole,
}

#[pymethods]
impl Reconciled {
    /// The game, with the tags and annotations of all records and a comment at each move in which they differ.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// Whether every move and the result are decided.
    #[getter]
    fn is_decided(&self) -> bool {
        self.found.is_decided()
    }

    /// The result that the records state: `1-0`, `0-1` or `1/2-1/2`; None if they state none, or different ones.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.found.result().map(|result| result.as_str())
    }

    /// What the records differ in: tags and the result, then moves in order, then tokens that are no moves of the game.
    #[getter]
    fn differences(&self) -> Vec<Difference> {
        let found = self.found.differences().iter().cloned();
        found.map(|found| Difference { found }).collect()
    }

    fn __len__(&self) -> usize {
        self.found.moves().len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        let undecided = self.found.differences().iter();
        let undecided = undecided.filter(|found| found.kind.is_undecided()).count();
        let differences = self.found.differences().len();
        let plural = if differences == 1 { "" } else { "s" };
        let plies = self.found.moves().len();
        format!("<{plies} plies, {differences} difference{plural}, {undecided} undecided>")
    }
}

/// Find the one game that two or three records of it explain best. The records are games of `read_games`, in any notation,
/// language and layout. A move that the records leave undecided has all its likely readings. Without `rules`, the tags of
/// the records name the rule system, or it is inferred.
///
/// >>> [white] = tridex.read_games(text="1. b4N b5B 2. c3W a6N 3. Nc22W Nc6N")
/// >>> [black] = tridex.read_games(text="1. b4N b5B 2. c3W a6 3. Sc2W Sc6N", locale="de")
/// >>> found = tridex.reconcile(white, black)
/// >>> found.is_decided, found.game.tokens("meder")
/// (True, ['b4N', 'b5B', 'c3W', 'a6N', 'Nc2W', 'Nc6N'])
/// >>> found.differences
/// [<3. move: A has Nc22W (a doubled character), B has Sc2W; Nc2W needs the fewest slips in the whole game>]
#[pyfunction]
#[pyo3(signature = (a, b, c = None, *, rules = None))]
pub(crate) fn reconcile(
    py: Python<'_>,
    a: &Bound<'_, Game>,
    b: &Bound<'_, Game>,
    c: Option<&Bound<'_, Game>>,
    rules: Option<&str>,
) -> PyResult<Reconciled> {
    let games: Vec<&Bound<'_, Game>> = [a, b].into_iter().chain(c).collect();
    let rules = rules.map(names::rules).transpose()?;
    let records = games.iter().map(|game| {
        let (record, options) = game.get().record();
        let options = match rules {
            Some(rules) => options.rules(RulesChoice::Only(rules)),
            None => options,
        };
        (record, options)
    });
    let records: Vec<_> = records.collect();
    let found = py.detach(|| reconcile_as(&records));
    let found = found.map_err(|why| errors::Error::new_err(why.to_string()))?;
    let replayed = ReplayedGame {
        number: 1,
        line: 1,
        options: Options::default(),
        record: found.game().clone(),
        replay: found.replay(),
    };
    let sources: Vec<String> = games
        .iter()
        .map(|game| game.as_super().get().name().to_owned())
        .collect();
    let game = Py::new(py, Game::of(sources.join(" + ").into(), replayed))?;
    Ok(Reconciled { game, found })
}
