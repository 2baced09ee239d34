//! The answers as JSON. Parameters are named as the command's options, and the same question gets the same answer.

use crate::fault::Fault;
use crate::model::{self, MOST, SHOWN, start_of};
use crate::openapi::{self, API};
use crate::reply::{JSON, Reply};
use crate::site::{Request, Site};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use tridex_archive::Item;
use tridex_geometry::Square;
use tridex_index::{FirstBoardRow, HitRow, Met, OpeningRow, ReachedRow, ResultCounts, Survey};
use tridex_notation::names::{manual_board, pin_in_strings};
use tridex_notation::position_string;
use tridex_page::{LegalMove, legal_moves};
use tridex_rules::{Color, Piece, Position, Role};

pub(crate) fn description(_: &Site, request: &Request) -> Result<Reply, Fault> {
    request.params.only(&[])?;
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

pub(crate) fn search(_: &Site, request: &Request) -> Result<Reply, Fault> {
    request.params.only(&[&API[0].1])?;
    let limit = request.params.number("limit")?.unwrap_or(SHOWN);
    if limit > MOST {
        return Err(Fault::asked(format!(
            "limit is at most {MOST}; offset gives what follows"
        )));
    }
    let (found, hits) = model::found_rows(request, limit)?;
    let found = Found {
        games: found.total,
        hits,
        partial: request.is_damaged(),
    };
    Reply::json(request, &found)
}

#[derive(Serialize)]
struct Openings {
    rules: &'static str,
    notation: &'static str,
    fen: String,
    name: Option<String>,
    #[serde(flatten)]
    total: ResultCounts,
    moves: Vec<OpeningRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    boards: Option<Vec<FirstBoardRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layouts: Option<Vec<ReachedRow>>,
}

pub(crate) fn openings(site: &Site, request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[&API[1].1])?;
    let table = model::Table::ask(site, request)?;
    let (wants_boards, wants_layouts) = (params.flag("boards"), params.flag("layouts"));
    let tables = match wants_boards || wants_layouts {
        true => Some(table.boards(request)?),
        false => None,
    };
    let (boards, layouts) = tables.map(|tables| (tables.first, tables.layouts)).unzip();
    let openings = Openings {
        rules: table.rules.name(),
        notation: table.notation.name(),
        fen: position_string::to_string(&table.position.to_setup()),
        name: site.inner.book.name(&table.position).map(str::to_owned),
        total: table.total,
        moves: table.rows,
        boards: boards.filter(|_| wants_boards),
        layouts: layouts.filter(|_| wants_layouts),
    };
    Reply::json(request, &openings)
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

pub(crate) fn game(_: &Site, request: &Request) -> Result<Reply, Fault> {
    request.params.only(&[&API[2].1])?;
    let index = &request.index;
    let found = index.game(tridex_index::find_game(index, &request.name)?)?;
    let entry = &found.entry;
    let notation = request.params.notation(entry.rules)?;
    let record = found.record(notation, None)?;
    let (mut moves, mut last) = (Vec::new(), String::new());
    found.walk(notation, |met| match met {
        Met::Item(Item::Move(text)) => text.trim_end_matches(['!', '?']).clone_into(&mut last),
        // A move that was not recorded has no place.
        Met::Place(None, 1..) => moves.push(std::mem::take(&mut last)),
        _ => {}
    })?;
    let mut position = entry.start_position()?;
    let line = |position: &Position| position_string::to_string(&position.to_setup());
    let mut fens = vec![line(&position)];
    for played in &entry.moves {
        position.play_unchecked(*played);
        fens.push(line(&position));
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
pub(crate) fn moves(_: &Site, request: &Request) -> Result<Reply, Fault> {
    request.params.only(&[&API[3].1])?;
    let position = model::position(request)?;
    let moves = Moves {
        rules: position.rules().name(),
        fen: position_string::to_string(&position.to_setup()),
        moves: legal_moves(&position),
    };
    Reply::json(request, &moves)
}

#[derive(Serialize)]
struct Statistics {
    systems: Vec<Counted>,
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
pub(crate) fn statistics(_: &Site, request: &Request) -> Result<Reply, Fault> {
    request.params.only(&[&API[4].1])?;
    let counted = |survey: &Survey| {
        let start = survey.rules.start();
        let squares = || (0..survey.rules.family().squares() as u8).filter_map(Square::try_new);
        let pieces = Color::ALL.into_iter();
        let pieces = pieces.flat_map(|color| Role::ALL.map(|role| Piece::new(color, role)));
        let visits = |piece: Piece| {
            let visits = squares().map(|square| {
                let name = crate::board::square_name(survey.rules, &start, square);
                (name, survey.arrivals(piece, square))
            });
            let visits = visits.filter(|(_, count)| *count > 0).collect();
            (piece.letter(), visits)
        };
        Counted {
            rules: survey.rules.name(),
            total: survey.total,
            lengths: survey.lengths.clone(),
            years: survey.years.clone(),
            first_boards: survey
                .first_boards
                .iter()
                .map(|((board, from, to), games)| FirstBoard {
                    board: manual_board(*board),
                    from: pin_in_strings(*from),
                    to: pin_in_strings(*to),
                    games: *games,
                })
                .collect(),
            visits: pieces.map(visits).collect(),
        }
    };
    let all = model::surveys(request)?;
    let mut systems: Vec<Counted> = all.iter().map(counted).collect();
    if let Some(rules) = request.params.rules()? {
        systems.retain(|system| system.rules == rules.name());
    }
    Reply::json(request, &Statistics { systems })
}

#[derive(Serialize)]
struct Health {
    games: u64,
}

/// `/health`: that the site answers, and how many games it has. It takes no place and reads no file.
pub(crate) fn health(_: &Site, request: &Request) -> Result<Reply, Fault> {
    request.params.only(&[])?;
    let games = request.index.games();
    Reply::json(request, &Health { games })
}
