//! Answers as JSON. Parameters have the names and the meaning of the command's options. The guard has already refused
//! parameters that the description does not list.

use crate::board;
use crate::fault::Fault;
use crate::model::{self, Count, fen};
use crate::openapi;
use crate::reply::{JSON, Reply};
use crate::site::Request;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tridex_index::{HitRow, Statistics};
use tridex_notation::names::{manual_board, pin_in_strings};
use tridex_page::legal_moves;
use tridex_rules::Piece;

pub(crate) fn description(_: &Request) -> Result<Reply, Fault> {
    Ok(Reply::whole(JSON, openapi::TEXT.as_str()))
}

#[derive(Serialize)]
struct Found {
    games: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    games_at_least: Option<u64>,
    hits: Vec<HitRow>,
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
    let mut table = model::Table::ask(request)?;
    let [boards, layouts] = ["boards", "layouts"].map(|name| params.flag(name));
    if boards || layouts {
        let tables = request.index.boards(&table.query())?;
        table.boards = boards.then_some(tables.first);
        table.layouts = layouts.then_some(tables.layouts);
    }
    Reply::json(&table, request.damage())
}

/// `/api/v1/games/{id}`: a game as in NDJSON, with its id, its opening, its moves without judgements, and the positions
/// from the start to the end.
pub(crate) fn game(request: &Request) -> Result<Reply, Fault> {
    let found = model::game(request, &request.name)?;
    let notation = request.params.notation(found.entry.rules)?;
    let (record, mut line) = (found.record(notation, None)?, Vec::new());
    model::write_json(&found, notation, &record, &mut line)?;
    let mut game: Value = serde_json::from_slice(&line)?;
    let mut position = found.entry.start_position()?;
    let (mut moves, mut fens) = (Vec::new(), vec![fen(&position)]);
    for played in &found.entry.moves {
        moves.push(model::written(notation, &position, *played)?);
        position.play_unchecked(*played);
        fens.push(fen(&position));
    }
    game["id"] = format!("{:016x}", found.id).into();
    game["opening"] = found.opening.into();
    game["moves"] = moves.into();
    game["fens"] = fens.into();
    Reply::json(&game, request.damage())
}

/// `/api/v1/moves`: the legal moves of a position.
pub(crate) fn moves(request: &Request) -> Result<Reply, Fault> {
    let position = model::position(&request.params)?;
    let moves = json!({
        "rules": position.rules().name(),
        "fen": fen(&position),
        "moves": legal_moves(&position),
    });
    Reply::json(&moves, request.damage())
}

/// `/api/v1/statistics`: counts of the games that match a query.
pub(crate) fn statistics(request: &Request) -> Result<Reply, Fault> {
    let counted = |statistics: &Statistics| {
        let visits = |piece: Piece| {
            let visits = model::visits(statistics, piece).into_iter();
            let visits = visits.filter(|(.., count)| *count > 0);
            let visits = visits.map(|(_, name, count)| (name, count));
            (piece.letter(), visits.collect::<BTreeMap<_, _>>())
        };
        let first_boards = statistics.first_boards.iter();
        let first_boards = first_boards.map(|((board, from, to), games)| {
            let [from, to] = [from, to].map(|pin| pin_in_strings(*pin));
            json!({ "board": manual_board(*board), "from": from, "to": to, "games": games })
        });
        let mut counted = json!(statistics.total);
        counted["rules"] = statistics.rules.name().into();
        counted["lengths"] = json!(statistics.lengths);
        counted["years"] = json!(statistics.years);
        counted["first_boards"] = first_boards.collect();
        // How often each kind of piece moved to each square. Moves of the board under it do not count.
        counted["visits"] = json!(board::kinds().map(visits).collect::<BTreeMap<_, _>>());
        counted
    };
    let (all, rules) = (model::statistics(request)?, request.params.rules()?);
    let all = all.iter();
    let of_system = all.filter(|statistics| rules.is_none_or(|rules| statistics.rules == rules));
    let systems: Vec<Value> = of_system.map(counted).collect();
    Reply::json(&json!({ "systems": systems }), request.damage())
}

/// `/health`: shows that the site answers and how many games it has. It needs no permit and reads no file.
pub(crate) fn health(request: &Request) -> Result<Reply, Fault> {
    request.params.only(&[])?;
    let games = json!({ "games": request.index.games() });
    Reply::json(&games, request.damage())
}
