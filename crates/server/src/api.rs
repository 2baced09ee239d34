//! The answers as JSON. Parameters are named as the command's options, and the same question gets the same answer.

use crate::download::start_of;
use crate::openapi;
use crate::params::{OF_THE_TABLE, OPENINGS, SEARCH, SEARCH_MORE, WRITING};
use crate::reply::{Fault, JSON, Reply};
use crate::site::{Request, Site};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use tridex_archive::Item;
use tridex_index::{
    BoardTables, Came, FirstBoardRow, HitRow, Hits, Met, OpeningRow, PositionQuery, Query,
    ReachedRow, Sameness,
};
use tridex_notation::{Notation, position_string};
use tridex_rules::{Position, RuleSystem};

/// How many hits are given unless more are asked for.
pub(crate) const SHOWN: usize = 50;

/// How many hits are given at most in one answer.
pub(crate) const MOST: usize = 1_000;

/// The addresses of the interface, each with the names of its parameters.
pub const API: [(&str, &[&[&str]]); 4] = [
    ("/api/v1/search", &[&SEARCH, &SEARCH_MORE]),
    ("/api/v1/openings", &[&OPENINGS, &WRITING]),
    ("/api/v1/games/{id}", &[&WRITING]),
    ("/api/v1/openapi.json", &[]),
];

pub(crate) fn description(_: &Site, request: &Request) -> Result<Reply, Fault> {
    request.params.only(API[3].1)?;
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
    request.params.only(API[0].1)?;
    let limit = request.params.number("limit")?.unwrap_or(SHOWN);
    if limit > MOST {
        return Err(Fault::asked(crate::texts::most_hits(MOST)));
    }
    let (found, hits) = found_rows(request, limit)?;
    let found = Found {
        games: found.total,
        hits,
        partial: request.is_damaged(),
    };
    Reply::json(request, &found)
}

/// The games that answer a request, so many of them at most.
pub(crate) fn found(request: &Request, limit: usize) -> Result<Hits, Fault> {
    let params = &request.params;
    let mut asking = params.asking();
    asking.options.offset = params.number("offset")?.unwrap_or(0);
    asking.options.limit = limit;
    asking.sort = params.sort()?;
    Ok(request.index.answer(&asking)?)
}

/// The same with what lists show of the games; those that are damaged are left out, and the index remembers it.
pub(crate) fn found_rows(request: &Request, limit: usize) -> Result<(Hits, Vec<HitRow>), Fault> {
    let index = &request.index;
    let found = found(request, limit)?;
    let mut rows = Vec::with_capacity(found.hits.len());
    for hit in &found.hits {
        match index.summary(hit.id) {
            Ok(game) => rows.push(HitRow::new(hit, game)),
            Err(tridex_index::IndexError::Damaged { .. }) => {}
            Err(fault) => return Err(fault.into()),
        }
    }
    Ok((found, rows))
}

/// The moves played from a position.
pub(crate) struct Table {
    pub(crate) rules: RuleSystem,
    pub(crate) position: Position,
    pub(crate) filter: Query,
    pub(crate) notation: Notation,
    pub(crate) total: Came,
    /// Moves of the index, in the order of the rows; those that are left out are not here.
    pub(crate) moves: Vec<tridex_index::MoveRow>,
    pub(crate) rows: Vec<OpeningRow>,
}

impl Table {
    /// Asks for the table of a request.
    pub(crate) fn ask(site: &Site, request: &Request) -> Result<Self, Fault> {
        let params = &request.params;
        let rules = params.rules()?;
        let rules = rules.ok_or_else(|| Fault::asked(crate::texts::RULES_NEEDED))?;
        let notation = params.notation(rules)?;
        let position = match (params.get("moves"), params.position()) {
            (Some(moves), _) => tridex_index::position_after(rules, moves)?,
            (None, Some(fen)) => tridex_index::position_of(rules, fen)?,
            (None, None) => Position::start(rules),
        };
        let filter = params.asking_without(&OF_THE_TABLE).query(&request.index)?;
        let table = request.index.openings(&position, &filter)?;
        let least = params.number("min-games")?.unwrap_or(1_u64);
        let mut moves = table.moves;
        moves.retain(|row| row.score.games >= least);
        let row = |row| OpeningRow::new(row, &position, notation, &site.inner.book);
        let rows = moves.iter().map(row).collect::<Result<_, _>>()?;
        Ok(Self {
            rules,
            filter,
            notation,
            total: Came::new(&table.total),
            moves,
            rows,
            position,
        })
    }

    /// What the attack boards do in the games that reach the position.
    pub(crate) fn boards(&self, request: &Request) -> Result<BoardTables, Fault> {
        let there = PositionQuery::of_position(&self.position, Sameness::Exact);
        Ok(request
            .index
            .boards(&self.filter.clone().and(there.into()))?)
    }
}

#[derive(Serialize)]
struct Openings {
    rules: &'static str,
    notation: &'static str,
    fen: String,
    name: Option<String>,
    #[serde(flatten)]
    total: Came,
    moves: Vec<OpeningRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    boards: Option<Vec<FirstBoardRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layouts: Option<Vec<ReachedRow>>,
}

pub(crate) fn openings(site: &Site, request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(API[1].1)?;
    let table = Table::ask(site, request)?;
    let (wants_boards, wants_layouts) = (params.flag("boards"), params.flag("layouts"));
    let tables = match wants_boards || wants_layouts {
        true => Some(table.boards(request)?),
        false => None,
    };
    let boards = tables.as_ref().filter(|_| wants_boards);
    let layouts = tables.as_ref().filter(|_| wants_layouts);
    let openings = Openings {
        rules: table.rules.name(),
        notation: table.notation.name(),
        fen: position_string::to_string(&table.position.to_setup()),
        name: site.inner.book.name(&table.position).map(str::to_owned),
        total: table.total,
        moves: table.rows,
        boards: boards.map(|tables| tables.first.iter().map(FirstBoardRow::new).collect()),
        layouts: layouts.map(|tables| tables.layouts.iter().map(ReachedRow::new).collect()),
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
    request.params.only(API[2].1)?;
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
    let mut position = match entry.start_position() {
        Ok(position) => position,
        Err(fault) => return Err(Fault::new(500, fault.to_string())),
    };
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
struct Health {
    games: u64,
}

/// `/health`: that the site answers, and how many games it has. It takes no place and reads no file.
pub(crate) fn health(_: &Site, request: &Request) -> Result<Reply, Fault> {
    request.params.only(&[])?;
    let games = request.index.games();
    Reply::json(request, &Health { games })
}
