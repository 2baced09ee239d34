//! Computes answers, which other modules write as pages, JSON or files.

use crate::board;
use crate::fault::{Fault, TOO_LONG};
use crate::params::{OF_THE_TABLE, Params, SEARCH};
use crate::site::Request;
use std::io::{self, Write};
use std::sync::{Arc, LazyLock};
use tridex_archive::Game;
use tridex_archive::write::{self, JsonHead};
use tridex_geometry::{Family, Square};
use tridex_index::{
    Hit, HitRow, Hits, IndexError, IndexedGame, MoveRow, OpeningBook, OpeningRow, PositionMatch,
    PositionQuery, Query, ResultCounts, Statistics,
};
use tridex_notation::position_string::system_for;
use tridex_notation::programs::board_of_any_position;
use tridex_notation::{Fen, Notation, WriteOptions, position_string};
use tridex_rules::{Move, Piece, Position, RuleSystem, Setup};

/// How many hits an answer has if the request sets no limit.
pub(crate) const SHOWN: usize = 50;

/// The most hits on one page or in one JSON answer. Downloads have no such limit.
const MOST: usize = 1_000;

/// Parameters whose meaning depends on the rule system.
const NEED_RULES: [&str; 5] = ["opening", "position", "moves", "game", "ply"];

static BOOK: LazyLock<OpeningBook> = LazyLock::new(OpeningBook::bundled);

/// How far the games that match a request are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Count {
    /// Not at all: only the hits matter.
    Nothing,
    /// As far as that is quick. The hits come soon, even if counting all games takes long.
    Briefly,
    /// All of them. If that takes too long, there are the hits and the number of games found so far.
    AsFarAsPossible,
    /// All of them. If that takes too long, the request fails.
    All,
}

/// The number of hits that a request limits its answer to.
///
/// # Errors
/// If it is not a number, or more than an answer may have.
pub(crate) fn limit(params: &Params) -> Result<usize, Fault> {
    match params.number("limit")?.unwrap_or(SHOWN) {
        limit if limit > MOST => Err(Fault::asked(format!(
            "limit is at most {MOST}; offset gives what follows"
        ))),
        limit => Ok(limit),
    }
}

/// The games that match a request, at most `limit` of them.
///
/// # Errors
/// If the request cannot be understood, or the time is over and nothing was found.
pub(crate) fn found(request: &Request, limit: usize, count: Count) -> Result<Hits, Fault> {
    found_by(request, &request.params, limit, count)
}

/// Like [`found`], for other parameters than those of the request.
pub(crate) fn found_by(
    request: &Request,
    params: &Params,
    limit: usize,
    count: Count,
) -> Result<Hits, Fault> {
    let mut asking = params.asking();
    let options = &mut asking.options;
    options.offset = params.number("offset")?.unwrap_or(0);
    options.limit = limit;
    options.sort = params.sort()?;
    options.sample = params.sample()?;
    options.count = count != Count::Nothing;
    if count == Count::Briefly {
        options.count_until = Some(request.times.count_until);
        // One more hit shows whether there is another page.
        options.limit = limit.saturating_add(1);
    }
    if matches!(count, Count::Briefly | Count::AsFarAsPossible) {
        options.until = Some(request.times.until);
    }
    let mut found = request.index.answer(&asking)?;
    if !found.is_whole && found.total == 0 && count != Count::Nothing {
        return Err(Fault::new(503, TOO_LONG));
    }
    found.hits.truncate(limit);
    Ok(found)
}

/// The rows that lists show for the games found. Damaged games are skipped; the index remembers that games may be
/// missing.
pub(crate) fn rows(request: &Request, found: &Hits) -> Result<Vec<HitRow>, Fault> {
    let row = |hit: &Hit| {
        let game = sound(request.index.summary(hit.id)).transpose()?;
        Some(game.map(|game| HitRow::new(hit, game)))
    };
    found.hits.iter().filter_map(row).collect()
}

/// The game with an id, or with a file name and a number.
pub(crate) fn game(request: &Request, name: &str) -> Result<IndexedGame, Fault> {
    let index = &request.index;
    Ok(index.game(tridex_index::find_game(index, name)?)?)
}

/// The value that was read, or `None` if the game is damaged. The index then remembers that games may be missing.
pub(crate) fn sound<T>(read: Result<T, IndexError>) -> Result<Option<T>, Fault> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(IndexError::Damaged { .. }) => Ok(None),
        Err(fault) => Err(fault.into()),
    }
}

/// The moves played from a position.
pub(crate) struct Table {
    pub(crate) position: Position,
    pub(crate) notation: Notation,
    pub(crate) fen: String,
    pub(crate) name: Option<String>,
    pub(crate) total: ResultCounts,
    pub(crate) rows: Vec<OpeningRow>,
    /// The moves of the rows as the index returns them, in the same order.
    pub(crate) moves: Vec<MoveRow>,
    filter: Query,
}

impl Table {
    /// Reads the table that a request describes.
    pub(crate) fn ask(request: &Request) -> Result<Self, Fault> {
        Self::of(request, &request.params)
    }

    /// Reads the table that parameters describe.
    pub(crate) fn of(request: &Request, params: &Params) -> Result<Self, Fault> {
        let none = || Fault::asked("rules is needed: the rule system of the table");
        let rules = params.rules()?.ok_or_else(none)?;
        let notation = params.notation(rules)?;
        let position = match params.get("moves") {
            Some(moves) => tridex_index::position_after(rules, moves)?,
            None => position(params)?,
        };
        let asking = params.without(&OF_THE_TABLE).asking();
        let filter = asking.query(&request.index)?;
        let table = request.index.openings(&position, &filter)?;
        let least = params.number("min-games")?.unwrap_or(1_u64);
        let mut moves = table.moves;
        moves.retain(|row| row.results.games >= least);
        let row = |row| OpeningRow::new(row, &position, notation, &BOOK);
        let rows = moves.iter().map(row).collect::<Result<_, _>>()?;
        Ok(Self {
            fen: fen(&position),
            name: BOOK.name(&position).map(str::to_owned),
            total: table.total,
            position,
            notation,
            rows,
            moves,
            filter,
        })
    }

    /// A query for the games that match the filter and reach the position.
    pub(crate) fn query(&self) -> Query {
        let there = PositionQuery::of_position(&self.position, PositionMatch::Exact);
        self.filter.clone().and(there.into())
    }
}

/// The position that `rules` and `position` describe. Without `position` it is the start position of the rules. Without
/// `rules`, the first rules that allow the position apply.
pub(crate) fn position(params: &Params) -> Result<Position, Fault> {
    let rules = params.rules()?;
    Ok(match params.get("position") {
        Some(fen) => tridex_index::position_for(rules, fen)?,
        None => Position::start(rules.unwrap_or_default()),
    })
}

/// The position of a page with the rule system it belongs to, and a note if the address names another one.
pub(crate) struct Meant {
    pub(crate) rules: RuleSystem,
    pub(crate) note: Option<String>,
    /// The position, or what is wrong with its text.
    pub(crate) setup: Result<Setup, Fault>,
}

/// Reads the position of a page; `None` if the address has none. If the position belongs to the other board, the rules
/// change with it, so a reader who pastes it need not choose its rules first.
pub(crate) fn meant(params: &Params) -> Result<Option<Meant>, Fault> {
    let Some(text) = params.get("position") else {
        return Ok(None);
    };
    let wanted = params.rules()?;
    let setup = tridex_index::setup_of(text);
    let board = match &setup {
        Ok(setup) => Some(setup.family()),
        Err(_) => board_of_any_position(text),
    };
    let on_board = |rules: &RuleSystem| board.is_none_or(|board| board == rules.family());
    let first = RuleSystem::ALL.iter().copied().find(on_board);
    let rules = match &setup {
        Ok(setup) => system_for(setup, wanted),
        Err(_) => wanted.filter(on_board).or(first).unwrap_or_default(),
    };
    let board = match rules.family() {
        Family::Stair => "stair board",
        Family::Cube => "cube board",
    };
    let note = wanted.filter(|wanted| *wanted != rules).map(|wanted| {
        format!(
            "This is a position of the {board}, so the rules are now {}, not {}.",
            rules.name(),
            wanted.name()
        )
    });
    Ok(Some(Meant {
        rules,
        note,
        setup: setup.map_err(Fault::from),
    }))
}

/// The statistics of the games that match a request, one for each rule system.
pub(crate) fn statistics(request: &Request) -> Result<Arc<Vec<Statistics>>, Fault> {
    let params = &request.params;
    // Each rule system has its own statistics anyway, so `rules` limits the query only if another parameter depends on
    // it.
    let needs_rules = NEED_RULES.iter().any(|name| params.get(name).is_some());
    let apart = if needs_rules { "" } else { "rules" };
    let counted = params.just(&SEARCH).without(&[apart]);
    let (name, kept) = (counted.link("", &[]), &request.opened.counts);
    if let Some(known) = kept.blocking_lock().get(&name) {
        return Ok(Arc::clone(known));
    }
    let query = counted.asking().query(&request.index)?;
    // Counting all games continues even after the time limit, so that the next request finds the result.
    let index = match query {
        Query::All => &request.opened.index,
        _ => &request.index,
    };
    let counts = Arc::new(index.statistics(&query)?);
    let mut kept = kept.blocking_lock();
    kept.retain(|name, _| name.is_empty());
    kept.insert(name, Arc::clone(&counts));
    Ok(counts)
}

/// Every square with its name and how often a kind of piece moved to it.
pub(crate) fn visits(statistics: &Statistics, piece: Piece) -> Vec<(Square, String, u64)> {
    let start = statistics.rules.start();
    let visits = tridex_picture::all_squares(statistics.rules.family()).map(|square| {
        let name = board::square_name(statistics.rules, &start, square);
        (square, name, statistics.arrivals(piece, square))
    });
    visits.collect()
}

/// A move as it is written in a notation.
pub(crate) fn written(
    notation: Notation,
    position: &Position,
    played: Move,
) -> Result<String, Fault> {
    let (mut text, options) = (String::new(), WriteOptions::default());
    tridex_notation::write(notation, position, played, &options, &mut text)?;
    Ok(text)
}

/// The name of a rule system in full.
pub(crate) fn title(rules: RuleSystem) -> &'static str {
    match rules.name() {
        "meder" => "Meder\u{2019}s tournament rules",
        "manual" => "Technical Manual rules",
        "federation" => "World Federation laws",
        "millennium" => "Millennium 3D Chess",
        "chess3" => "Chess-Cubed (Chess3)",
        name => name,
    }
}

/// The position string (FEN) of a position.
pub(crate) fn fen(position: &Position) -> String {
    Fen::of(position).to_string()
}

/// Writes a game as a line of JSON.
pub(crate) fn write_json(
    game: &IndexedGame,
    notation: Notation,
    record: &Game<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let entry = &game.entry;
    let start = entry.start.clone();
    let head = JsonHead {
        source: &game.source,
        game: entry.number.into(),
        rules: entry.rules.name(),
        notation: notation.name(),
        start: &position_string::to_string(&start.unwrap_or_else(|| entry.rules.start())),
    };
    write::ndjson(record, &head, out)
}
