//! An index of games.

use crate::archives::archives;
use crate::errors;
use crate::finding::{Problem, dictionary};
use crate::names::{self, Reading};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tridex_core::archive::write;
use tridex_core::index::{
    GameIndex, HitRow, IndexError, IndexOptions, MoveTable, OpeningBook, OpeningOrder, OpeningRow,
    OpeningTree, SearchOptions, SearchRequest, SortKey, TreeOptions, Writer, find_game,
    position_after, position_for,
};
use tridex_core::replay::finding::Severity;
use tridex_core::{
    Cancel, IndexUpdateError, Notation, NoveltyFinder, Position, Report, ReportOptions, RunEvent,
    STANDARD_INPUT,
};

/// Indices that are open for search, as one.
#[pyclass(frozen, module = "tridex")]
pub(crate) struct Index {
    index: GameIndex,
    book: OpeningBook,
}

/// Fails if damage was found, because an answer without the games of damaged files is incomplete.
fn whole(index: &GameIndex) -> Result<(), IndexError> {
    match index.damage().into_iter().next() {
        Some((path, what)) => Err(IndexError::Damaged { path, what }),
        None => Ok(()),
    }
}

/// A value of a field: a text or several, a number, or a switch.
#[derive(FromPyObject)]
enum Value {
    // Must come before the number, because a Python `bool` is also an `int`.
    Switch(bool),
    Number(u32),
    Text(String),
    Texts(Vec<String>),
}

/// Builds a request from a query in words and from fields. Names of fields have `_` for `-`, and a field that is None
/// is ignored.
fn request(
    py: Python<'_>,
    query: &str,
    fields: Option<&Bound<'_, PyDict>>,
) -> PyResult<SearchRequest> {
    let mut request = SearchRequest::default();
    let mut set = |name: &str, value: String| {
        let set = request.set(name, value);
        set.map_err(|fault| errors::of_query(py, &fault))
    };
    if !query.is_empty() {
        set("query", query.to_owned())?;
    }
    for (name, value) in fields.into_iter().flatten() {
        let name = name.extract::<String>()?.replace('_', "-");
        match value.extract::<Option<Value>>()? {
            None => {}
            Some(Value::Switch(is_on)) => {
                set(&name, if is_on { "yes" } else { "no" }.to_owned())?;
            }
            Some(Value::Number(number)) => set(&name, number.to_string())?,
            Some(Value::Text(text)) => set(&name, text)?,
            Some(Value::Texts(texts)) => texts.into_iter().try_for_each(|text| set(&name, text))?,
        }
    }
    Ok(request)
}

/// The position after moves, or of a position string, or the start.
fn position(
    py: Python<'_>,
    moves: Option<&str>,
    fen: Option<&str>,
    rules: Option<&str>,
) -> PyResult<Position> {
    let rules = rules.map(names::rules).transpose()?;
    let own = rules.unwrap_or_default();
    let position = match (moves, fen) {
        (Some(moves), _) => position_after(own, moves),
        (None, Some(fen)) => position_for(rules, fen),
        (None, None) => Ok(Position::start(own)),
    };
    position.map_err(|fault| errors::of_query(py, &fault))
}

#[pymethods]
impl Index {
    #[new]
    #[pyo3(signature = (*folders))]
    fn new(py: Python<'_>, folders: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let folders: Vec<PathBuf> = folders.extract::<Vec<PathBuf>>()?;
        let paths: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
        let index = py.detach(|| GameIndex::open_all(&paths));
        Ok(Self {
            index: index.map_err(|fault| errors::of_index(py, &fault))?,
            book: OpeningBook::bundled(),
        })
    }

    /// The number of positions.
    #[getter]
    fn positions(&self, py: Python<'_>) -> PyResult<u64> {
        let positions = self.index.positions();
        whole(&self.index).map_err(|fault| errors::of_index(py, &fault))?;
        Ok(positions)
    }

    /// The damaged files that were found so far: their paths, and what is wrong with them. The games of these files cannot be
    /// read; searches, tables and counts raise DatabaseError.
    #[getter]
    fn damage(&self) -> Vec<(PathBuf, String)> {
        self.index.damage()
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        whole(&self.index).map_err(|fault| errors::of_index(py, &fault))?;
        Ok(usize::try_from(self.index.games()).unwrap_or(usize::MAX))
    }

    /// The games that match a query in words and every field: dictionaries with the keys of `tridex search --format
    /// ndjson`. Fields are the options of `tridex search`, with `_` for `-`: `player="kirk"`, `pattern=["N@c2W", "check"]`,
    /// `moves="b4N b5B"`, `loose=True`. `sort` is `date`, `white`, `black`, `event`, `plies`, `white-elo`,
    /// `black-elo`, `elo` or `ply`. `sample` picks that many games at random, the same ones for the same `seed`.
    #[pyo3(signature = (query = "", *, limit = None, offset = 0, sort = None, reverse = false, sample = None, seed = 0, **fields))]
    fn search<'py>(
        &self,
        py: Python<'py>,
        query: &str,
        limit: Option<usize>,
        offset: usize,
        sort: Option<&str>,
        reverse: bool,
        sample: Option<usize>,
        seed: u64,
        fields: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut request = request(py, query, fields)?;
        let key = |name| {
            let names = SortKey::ALL.map(SortKey::name);
            SortKey::from_name(name).ok_or_else(|| names::unknown("order", name, &names))
        };
        request.options = SearchOptions::default()
            .offset(offset)
            .limit(limit.unwrap_or(usize::MAX))
            .count(false)
            .sample(sample.map(|sample| (sample, seed)))
            .sort(sort.map(key).transpose()?.map(|key| (key, reverse)));
        let index = &self.index;
        let rows = py.detach(|| {
            let hits = index.answer(&request)?.hits.into_iter();
            let rows = hits.map(|hit| index.summary(hit.id).map(|game| HitRow::new(&hit, game)));
            let rows = rows.collect::<Result<Vec<_>, _>>()?;
            whole(index).map(|()| rows)
        });
        let rows = rows.map_err(|fault| errors::of_index(py, &fault))?;
        rows.iter().map(|hit| dictionary(py, hit)).collect()
    }

    /// The moves that were played from a position, the most frequent first: dictionaries with the keys of `tridex openings
    /// --format ndjson`. The position is the start of the rules, or that after `moves`, or that of a position string; without
    /// rules they are Meder's, or the first that allow the position of the string. A query
    /// in words and fields, as of `search`, say which games count.
    #[pyo3(signature = (moves = None, *, fen = None, rules = None, notation = None, min_games = 1, query = "", **fields))]
    fn openings<'py>(
        &self,
        py: Python<'py>,
        moves: Option<&str>,
        fen: Option<&str>,
        rules: Option<&str>,
        notation: Option<&str>,
        min_games: u64,
        query: &str,
        fields: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let position = position(py, moves, fen, rules)?;
        let notation = notation.map_or(Ok(Notation::of(position.rules())), names::notation)?;
        let request = request(py, query, fields)?;
        let table = py.detach(|| {
            let filter = request.query(&self.index)?;
            let table = self.index.openings(&position, &filter)?;
            whole(&self.index).map(|()| table)
        });
        let MoveTable { moves, .. } = table.map_err(|fault| errors::of_index(py, &fault))?;
        let moves = moves
            .iter()
            .filter(|found| found.results.games >= min_games);
        let rows = moves.map(|found| {
            let found = OpeningRow::new(found, &position, notation, &self.book);
            dictionary(py, &found.map_err(names::of_other_board)?)
        });
        rows.collect()
    }

    /// The moves played from a position and those played after them, `depth` plies deep: dictionaries with the keys of
    /// `tridex openings --depth N --format ndjson`, each move before those that follow it. `limit` is the number of moves of
    /// each position. `sort` is `games`, `score`, `rating`, `year` or `move`. The other arguments are those of `openings`.
    #[pyo3(signature = (depth, moves = None, *, fen = None, rules = None, notation = None, min_games = 1, limit = 5, sort = "games", query = "", **fields))]
    fn opening_tree<'py>(
        &self,
        py: Python<'py>,
        depth: u32,
        moves: Option<&str>,
        fen: Option<&str>,
        rules: Option<&str>,
        notation: Option<&str>,
        min_games: u64,
        limit: usize,
        sort: &str,
        query: &str,
        fields: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let unknown = || names::unknown("order", sort, &OpeningOrder::ALL.map(OpeningOrder::name));
        let options = TreeOptions::default()
            .depth(depth)
            .min_games(min_games)
            .limit(limit)
            .order(OpeningOrder::from_name(sort).ok_or_else(unknown)?);
        let position = position(py, moves, fen, rules)?;
        let notation = notation.map_or(Ok(Notation::of(position.rules())), names::notation)?;
        let request = request(py, query, fields)?;
        let tree = py.detach(|| {
            let filter = request.query(&self.index)?;
            let table = |position: &Position| self.index.openings(position, &filter);
            let tree = OpeningTree::build(&position, &options, table)?;
            whole(&self.index).map(|()| tree)
        });
        let tree = tree.map_err(|fault| errors::of_index(py, &fault))?;
        let rows = tree.rows(notation, &self.book);
        let rows = rows.map_err(names::of_other_board)?;
        rows.iter().map(|row| dictionary(py, row)).collect()
    }

    /// The ply at which each valid game of files or a text leaves the collection, how many games had gone that way, and the
    /// newest of them: dictionaries with the keys of `tridex novelty --format ndjson`. A game does not count for itself.
    /// With `earlier`, only games of an earlier date count.
    #[pyo3(signature = (paths = None, *, text = None, earlier = false, rules = None, notation = None, locale = None, strict = false, encoding = None, dates = None, threads = None))]
    fn novelties<'py>(
        &self,
        py: Python<'py>,
        paths: Option<&Bound<'py, PyAny>>,
        text: Option<&Bound<'py, PyAny>>,
        earlier: bool,
        rules: Option<String>,
        notation: Option<String>,
        locale: Option<String>,
        strict: bool,
        encoding: Option<String>,
        dates: Option<String>,
        threads: Option<usize>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let reading = Reading {
            rules,
            notation,
            locale,
            strict,
            encoding,
            dates,
        };
        let archives = archives(paths, text, &reading, threads)?;
        let finder = NoveltyFinder {
            index: &self.index,
            earlier,
            notation: None,
        };
        let cancel = Cancel::default();
        let mut found = Vec::new();
        let done = py.detach(|| {
            archives.novelties(&finder, &cancel, |event| {
                if let RunEvent::Games(_, entries) = event {
                    found.extend(entries.games);
                }
                Ok(())
            })
        });
        done.map_err(|fault| errors::of_io(py, &fault))?;
        whole(&self.index).map_err(|fault| errors::of_index(py, &fault))?;
        found.iter().map(|row| dictionary(py, row)).collect()
    }

    /// A report on a player: a dictionary with the keys of `tridex report --player NAME --format ndjson`. `top` is the number
    /// of rows of each table. Only games that match `query` count.
    #[pyo3(signature = (name, *, top = 10, query = ""))]
    fn player_report<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        top: usize,
        query: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let asked = request(py, "", None)?;
        let request = request(py, query, None)?;
        let report = py.detach(|| {
            // The request refuses a name without words.
            let mut asked = asked;
            asked.set("player", name)?;
            asked.query(&self.index)?;
            let filter = request.query(&self.index)?;
            let options = ReportOptions::default().filter(filter).top(top);
            let report = Report::on_player(&self.index, name, &options)?;
            whole(&self.index).map(|()| report)
        });
        let report = report.map_err(|fault| errors::of_index(py, &fault))?;
        dictionary(py, &report)
    }

    /// A report on the opening of a position: a dictionary with the keys of `tridex report --rules SYSTEM --format ndjson`.
    /// The position is given as for `openings`.
    #[pyo3(signature = (moves = None, *, fen = None, rules = None, notation = None, top = 10, query = ""))]
    fn opening_report<'py>(
        &self,
        py: Python<'py>,
        moves: Option<&str>,
        fen: Option<&str>,
        rules: Option<&str>,
        notation: Option<&str>,
        top: usize,
        query: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let position = position(py, moves, fen, rules)?;
        let notation = notation.map_or(Ok(Notation::of(position.rules())), names::notation)?;
        let request = request(py, query, None)?;
        let report = py.detach(|| {
            let filter = request.query(&self.index)?;
            let options = ReportOptions::default()
                .filter(filter)
                .top(top)
                .notation(Some(notation));
            let title = self.book.name(&position).or(moves).unwrap_or_default();
            let report = Report::on_opening(&self.index, title, Some(&position), &options)?;
            whole(&self.index).map(|()| report)
        });
        let report = report.map_err(|fault| errors::of_index(py, &fault))?;
        dictionary(py, &report)
    }

    /// A game by its id, or by its file and number as in `games.pgn:12`, as PGN in a notation of its board.
    #[pyo3(signature = (name, notation = None))]
    fn game(&self, py: Python<'_>, name: &str, notation: Option<&str>) -> PyResult<String> {
        let found = py.detach(|| find_game(&self.index, name));
        let found = found.map_err(|fault| errors::of_index(py, &fault))?;
        let game = self.index.game(found);
        let game = game.map_err(|fault| errors::of_index(py, &fault))?;
        let own = Notation::of(game.entry.rules);
        let notation = notation.map_or(Ok(own), names::notation)?;
        let record = game.record(notation, None).map_err(names::of_other_board)?;
        let mut text = Vec::new();
        write::pgn(&record, &mut text)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn __repr__(&self) -> String {
        let (games, positions) = (self.index.games(), self.index.positions());
        format!("<Index of {games} games, {positions} positions>")
    }
}

/// Puts the valid games of files and folders into the index of a folder, which is made if there is none; if no game could be
/// read, it is not made. Returns counts by the names of `tridex index --format ndjson`, and `problems`: the files that could
/// not be read. Files that have not changed since they were indexed, here or by the command, are not read again: their games
/// are `unchanged`.
///
/// >>> import tempfile, tridex
/// >>> folder = tempfile.TemporaryDirectory()
/// >>> done = tridex.index("corpus/games/meder/sample-game/clean.pgn", folder.name)
/// >>> done["added"], done["rejected"]
/// (1, 0)
/// >>> tridex.index("corpus/games/meder/sample-game/clean.pgn", folder.name)["unchanged"]
/// 1
/// >>> tridex.Index(folder.name).search(moves="b4N b5B")[0]["ply"]
/// 2
#[pyfunction]
#[pyo3(signature = (paths, folder, *, rules = None, notation = None, locale = None, strict = false, encoding = None, dates = None, threads = None, variations = false))]
pub(crate) fn index<'py>(
    py: Python<'py>,
    paths: &Bound<'py, PyAny>,
    folder: PathBuf,
    rules: Option<String>,
    notation: Option<String>,
    locale: Option<String>,
    strict: bool,
    encoding: Option<String>,
    dates: Option<String>,
    threads: Option<usize>,
    variations: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let reading = Reading {
        rules,
        notation,
        locale,
        strict,
        encoding,
        dates,
    };
    let archives = archives(Some(paths), None, &reading, threads)?;
    let options = IndexOptions::default()
        .variations(variations)
        .book(Some(Arc::new(OpeningBook::bundled())));
    let of_index = |fault| errors::of_index(py, &fault);
    let writer = py.detach(|| Writer::open(&folder, options));
    let mut writer = writer.map_err(of_index)?;
    let cancel = Cancel::default();
    let mut interrupt: PyResult<()> = Ok(());
    let done = thread::scope(|scope| {
        let work = scope.spawn(|| {
            let mut files = Vec::new();
            let observer = |event| {
                if let RunEvent::Fault(found) = event
                    && found.fault.severity == Severity::Error
                {
                    files.push(found);
                }
                Ok::<(), IndexUpdateError>(())
            };
            let see = |_: &_, _: &_, _: &_| ();
            let update =
                archives.update_index(&mut writer, STANDARD_INPUT, &cancel, see, observer)?;
            archives.require_files(&update.walk)?;
            Ok((update.rejected, files))
        });
        while !work.is_finished() {
            py.detach(|| thread::sleep(PATIENCE));
            if let Err(fault) = py.check_signals() {
                interrupt = Err(fault);
                cancel.cancel();
            }
        }
        work.join()
    });
    let done = done.map_err(|_| PyRuntimeError::new_err("the thread that reads has ended"))?;
    let (rejected, files) = done.map_err(|fault| errors::of_indexing(py, &fault))?;
    if let Err(interrupt) = interrupt {
        py.detach(|| writer.stop()).map_err(of_index)?;
        return Err(interrupt);
    }
    let is_vain =
        writer.is_new() && writer.summary().added == 0 && (rejected > 0 || !files.is_empty());
    let summary = py.detach(|| match is_vain {
        // When the writer is dropped, it removes the index that it created.
        true => Ok(writer.summary()),
        false => writer.finish(),
    });
    let summary = summary.map_err(of_index)?;
    let counts = PyDict::new(py);
    for (name, count) in [
        ("added", summary.added),
        ("updated", summary.updated),
        ("unchanged", summary.unchanged),
        ("rejected", rejected),
        ("removed", summary.removed),
        ("games", summary.games),
        ("positions", summary.positions),
    ] {
        counts.set_item(name, count)?;
    }
    let problems: Vec<Problem> = files.iter().map(Problem::of_file).collect();
    counts.set_item("problems", problems)?;
    Ok(counts)
}

/// How long Python waits before it checks for an interrupt.
const PATIENCE: Duration = Duration::from_millis(20);
