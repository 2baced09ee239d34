//! Answers as JSON. Parameters have the names and the meaning of the command's options. The guard has already refused
//! parameters that the description does not list.

use crate::answers::{
    FirstBoard, Found, GameLine, Health, Legal, Moves, Openings, Statistics, System,
};
use crate::board;
use crate::fault::Fault;
use crate::model::{self, Count, fen};
use crate::openapi;
use crate::reply::{JSON, Reply};
use crate::site::Request;
use std::collections::BTreeMap;
use tridex_notation::names::{manual_board, pin_in_strings};
use tridex_page::legal_moves;
use tridex_rules::Piece;

pub(crate) fn description(_: &Request) -> Result<Reply, Fault> {
    Ok(Reply::whole(JSON, openapi::TEXT.as_str()))
}

pub(crate) fn search(request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    let count = match params.is_off("count") {
        true => Count::Briefly,
        false => Count::All,
    };
    let found = model::found(request, model::limit(params)?, count)?;
    let found = Found {
        games: found.is_whole.then_some(found.total),
        games_at_least: (!found.is_whole).then_some(found.total),
        hits: model::rows(request, &found)?,
    };
    Reply::json(&found, request.damage())
}

pub(crate) fn openings(request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    let table = model::Table::ask(request)?;
    let [has_boards, has_layouts] = ["boards", "layouts"].map(|name| params.flag(name));
    let (mut boards, mut layouts) = (None, None);
    if has_boards || has_layouts {
        let tables = request.index.boards(&table.query())?;
        boards = has_boards.then_some(tables.first);
        layouts = has_layouts.then_some(tables.layouts);
    }
    let openings = Openings {
        rules: table.position.rules().name(),
        notation: table.notation.name(),
        fen: table.fen,
        name: table.name,
        total: table.total,
        moves: table.rows,
        boards,
        layouts,
    };
    Reply::json(&openings, request.damage())
}

/// `/api/v1/games/{id}`: a game as in NDJSON, with its id, its opening, its moves without judgements, and the positions
/// from the start to the end.
pub(crate) fn game(request: &Request) -> Result<Reply, Fault> {
    let found = model::game(request, &request.name)?;
    let notation = request.params.notation(found.entry.rules)?;
    let (record, mut line) = (found.record(notation, None)?, Vec::new());
    model::write_json(&found, notation, &record, &mut line)?;
    let game: GameLine = serde_json::from_slice(&line)?;
    let mut position = found.entry.start_position()?;
    let (mut moves, mut fens) = (Vec::new(), vec![fen(&position)]);
    for played in &found.entry.moves {
        moves.push(model::written(notation, &position, *played)?);
        position.play_unchecked(*played);
        fens.push(fen(&position));
    }
    let id = format!("{:016x}", found.id);
    let game = game.with(id, found.opening, moves, fens);
    Reply::json(&game, request.damage())
}

/// `/api/v1/moves`: the legal moves of a position.
pub(crate) fn moves(request: &Request) -> Result<Reply, Fault> {
    let position = model::position(&request.params)?;
    let moves = Moves {
        fen: fen(&position),
        moves: legal_moves(&position)
            .into_iter()
            .map(Legal::from)
            .collect(),
        rules: position.rules().name(),
    };
    Reply::json(&moves, request.damage())
}

/// `/api/v1/statistics`: counts of the games that match a query.
pub(crate) fn statistics(request: &Request) -> Result<Reply, Fault> {
    let (all, rules) = (model::statistics(request)?, request.params.rules()?);
    let all = all.iter();
    let of_system = all.filter(|statistics| rules.is_none_or(|rules| statistics.rules == rules));
    let systems = of_system.map(counted).collect();
    Reply::json(&Statistics { systems }, request.damage())
}

/// The counts of a rule system.
fn counted(statistics: &tridex_index::Statistics) -> System {
    let total = &statistics.total;
    let first_boards = statistics.first_boards.iter();
    let first_boards = first_boards.map(|((board, from, to), games)| FirstBoard {
        board: manual_board(*board),
        from: pin_in_strings(*from),
        games: *games,
        to: pin_in_strings(*to),
    });
    let visits = |piece: Piece| {
        let visits = model::visits(statistics, piece).into_iter();
        let visits = visits.filter(|(.., count)| *count > 0);
        let visits = visits.map(|(_, name, count)| (name, count));
        (piece.letter(), visits.collect())
    };
    System {
        average: total.average_rating(),
        black: total.black,
        draws: total.draws,
        first_boards: first_boards.collect(),
        games: total.games,
        last_year: total.last_year,
        lengths: by_text(&statistics.lengths),
        rules: statistics.rules.name(),
        score: total.score(),
        small: total.is_small(),
        visits: board::kinds().map(visits).collect(),
        white: total.white,
        years: by_text(&statistics.years),
    }
}

/// Counts by the text of their keys.
fn by_text<K: ToString>(counts: &BTreeMap<K, u64>) -> BTreeMap<String, u64> {
    let counts = counts.iter();
    counts
        .map(|(key, games)| (key.to_string(), *games))
        .collect()
}

/// `/health`: shows that the site answers and how many games it has. It needs no permit and reads no file.
pub(crate) fn health(request: &Request) -> Result<Reply, Fault> {
    request.params.only(&[])?;
    let games = request.index.games();
    Reply::json(&Health { games }, request.damage())
}
