//! The answers as JSON. Parameters are named as the command's options, and the same question gets the same answer. Others than
//! those of the description are refused before.

use crate::board;
use crate::fault::Fault;
use crate::model::{self, MOST, SHOWN, fen, start_of};
use crate::openapi;
use crate::reply::{JSON, Reply};
use crate::site::Request;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use tridex_index::{HitRow, ResultCounts, Survey};
use tridex_notation::names::{manual_board, pin_in_strings};
use tridex_page::{LegalMove, legal_moves};
use tridex_rules::Piece;

pub(crate) fn description(_: &Request) -> Result<Reply, Fault> {
    Ok(Reply::whole(JSON, openapi::TEXT.as_str()))
}

#[derive(Serialize)]
struct Found {
    games: u64,
    hits: Vec<HitRow>,
    /// Only where it is so.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
}

pub(crate) fn search(request: &Request) -> Result<Reply, Fault> {
    let limit = request.params.number("limit")?.unwrap_or(SHOWN);
    if limit > MOST {
        let why = format!("limit is at most {MOST}; offset gives what follows");
        return Err(Fault::asked(why));
    }
    let found = model::found(request, limit)?;
    let found = Found {
        games: found.total,
        hits: model::rows(request, &found)?,
        partial: request.index.is_damaged(),
    };
    Reply::json(request, &found)
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
    Reply::json(request, &table)
}

#[derive(Serialize)]
struct Game<'a> {
    id: &'a str,
    source: &'a str,
    game: u32,
    rules: &'static str,
    notation: &'static str,
    start: String,
    tags: BTreeMap<Cow<'a, str>, Cow<'a, str>>,
    moves: Vec<String>,
    result: &'static str,
    opening: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    movetext: Option<String>,
    /// The position after each ply, the start first.
    fens: Vec<String>,
}

pub(crate) fn game(request: &Request) -> Result<Reply, Fault> {
    let found = model::game(request, &request.name)?;
    let entry = &found.entry;
    let notation = request.params.notation(entry.rules)?;
    let record = found.record(notation, None)?;
    let mut position = entry.start_position()?;
    let (mut moves, mut fens) = (Vec::new(), vec![fen(&position)]);
    for played in &entry.moves {
        moves.push(model::written(notation, &position, *played)?);
        position.play_unchecked(*played);
        fens.push(fen(&position));
    }
    let game = Game {
        id: &format!("{:016x}", found.id),
        source: &found.source,
        game: entry.number,
        rules: entry.rules.name(),
        notation: notation.name(),
        start: start_of(entry),
        tags: record.tags().rev().collect(),
        moves,
        result: entry.result.as_str(),
        opening: found.opening.as_deref(),
        movetext: record
            .is_annotated()
            .then(|| tridex_archive::write::movetext(&record)),
        fens,
    };
    Reply::json(request, &game)
}

#[derive(Serialize)]
struct Moves {
    rules: &'static str,
    fen: String,
    moves: Vec<LegalMove>,
}

/// `/api/v1/moves`: the legal moves of a position.
pub(crate) fn moves(request: &Request) -> Result<Reply, Fault> {
    let position = model::position(request)?;
    let moves = Moves {
        rules: position.rules().name(),
        fen: fen(&position),
        moves: legal_moves(&position),
    };
    Reply::json(request, &moves)
}

/// The counts of the games of one rule system.
#[derive(Serialize)]
struct Counted {
    rules: &'static str,
    #[serde(flatten)]
    total: ResultCounts,
    /// Games by their number of plies, and by the year.
    lengths: BTreeMap<u32, u64>,
    years: BTreeMap<u16, u64>,
    first_boards: Vec<FirstBoard>,
    /// How often each kind of piece came to each square by a move of its own.
    visits: BTreeMap<char, BTreeMap<String, u64>>,
}

#[derive(Serialize)]
struct FirstBoard {
    board: &'static str,
    from: String,
    to: String,
    games: u64,
}

/// `/api/v1/statistics`: counts of the games that match a query.
pub(crate) fn statistics(request: &Request) -> Result<Reply, Fault> {
    let counted = |survey: &Survey| {
        let visits = |piece: Piece| {
            let visits = model::visits(survey, piece).into_iter();
            let visits = visits.filter(|(.., count)| *count > 0);
            let visits = visits.map(|(_, name, count)| (name, count)).collect();
            (piece.letter(), visits)
        };
        let first_boards = survey.first_boards.iter();
        let first_boards = first_boards.map(|((board, from, to), games)| FirstBoard {
            board: manual_board(*board),
            from: pin_in_strings(*from),
            to: pin_in_strings(*to),
            games: *games,
        });
        Counted {
            rules: survey.rules.name(),
            total: survey.total,
            lengths: survey.lengths.clone(),
            years: survey.years.clone(),
            first_boards: first_boards.collect(),
            visits: board::kinds().map(visits).collect(),
        }
    };
    let all = model::surveys(request)?;
    let mut systems: Vec<Counted> = all.iter().map(counted).collect();
    if let Some(rules) = request.params.rules()? {
        systems.retain(|system| system.rules == rules.name());
    }
    Reply::json(request, &BTreeMap::from([("systems", systems)]))
}

/// `/health`: that the site answers, and how many games it has. It takes no place and reads no file.
pub(crate) fn health(request: &Request) -> Result<Reply, Fault> {
    request.params.only(&[])?;
    let games = ("games", request.index.games());
    Reply::json(request, &BTreeMap::from([games]))
}
