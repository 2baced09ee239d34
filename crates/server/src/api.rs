//! The answers as JSON. Parameters are named as the command's options, and the same question gets the same answer.

use crate::download::start_of;
use crate::params::{OPENINGS, SEARCH, SEARCH_MORE, WRITING};
use crate::reply::{Fault, JSON, Reply};
use crate::site::{Request, Site};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use tridex_archive::Item;
use tridex_geometry::Square;
use tridex_index::{
    BoardTables, Came, FirstBoardRow, HitRow, Hits, Met, OpeningRow, PositionQuery, Query,
    ReachedRow, Sameness, SearchOptions, Survey,
};
use tridex_notation::names::{manual_board, pin_in_strings};
use tridex_notation::{Notation, position_string};
use tridex_page::{LegalMove, legal_moves};
use tridex_rules::{Color, Piece, Position, Role, RuleSystem};

/// How many hits are given unless more are asked for.
pub(crate) const SHOWN: usize = 50;

/// How many hits are given at most in one answer.
pub(crate) const MOST: usize = 1_000;

/// What the answers are: see `openapi.json`.
const DESCRIPTION: &str = include_str!("assets/openapi.json");

/// The addresses of the interface, each with the names of its parameters.
pub const API: [(&str, &[&[&str]]); 6] = [
    ("/api/v1/search", &[&SEARCH, &SEARCH_MORE]),
    ("/api/v1/openings", &[&OPENINGS, &WRITING]),
    ("/api/v1/games/{id}", &[&WRITING]),
    ("/api/v1/moves", &[&["rules", "fen", "position"]]),
    ("/api/v1/statistics", &[&SEARCH, &["lasting"]]),
    ("/api/v1/openapi.json", &[]),
];

pub(crate) fn description(_: &Site, request: &Request) -> Result<Reply, Fault> {
    request.params.only(&[])?;
    Ok(Reply::whole(JSON, DESCRIPTION))
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
    let index = &request.index;
    let asking = params.asking()?;
    let query = asking.question(index, Query::All)?;
    let offset = params.number("offset")?.unwrap_or(0_usize);
    let options = SearchOptions {
        offset,
        limit,
        count: true,
        variations: params.flag("variations"),
    };
    Ok(match params.sort()? {
        Some((key, reverse)) => index.search_sorted(&query, &options, key, reverse)?,
        None => index.search(&query, &options)?,
    })
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
        let asking = params.asking()?;
        let position = match (&asking.moves, &asking.position) {
            (Some(moves), _) => tridex_index::position_after(rules, moves)?,
            (None, Some(fen)) => tridex_index::position_of(rules, fen)?,
            (None, None) => Position::start(rules),
        };
        if asking.side.is_some() && asking.player.is_empty() {
            return Err(Fault::asked(crate::texts::SIDE_OF_A_PLAYER));
        }
        let filter = asking.filter()?;
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
struct Moves {
    rules: &'static str,
    fen: String,
    moves: Vec<LegalMove>,
}

/// `/api/v1/moves`: the legal moves of a position.
pub(crate) fn moves(_: &Site, request: &Request) -> Result<Reply, Fault> {
    request.params.only(API[3].1)?;
    let position = position(request)?;
    let moves = Moves {
        rules: position.rules().name(),
        fen: position_string::to_string(&position.to_setup()),
        moves: legal_moves(&position),
    };
    Reply::json(request, &moves)
}

/// The position that `rules` and `fen` mean; the start of the rules without `fen`.
pub(crate) fn position(request: &Request) -> Result<Position, Fault> {
    let params = &request.params;
    let rules = params.rules()?.unwrap_or(RuleSystem::Meder);
    Ok(match params.get("fen").or_else(|| params.get("position")) {
        Some(fen) => tridex_index::position_of(rules, fen)?,
        None => Position::start(rules),
    })
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
    total: Came,
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
    request.params.only(API[4].1)?;
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
            total: Came::new(&survey.total),
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
    let all = crate::pages::statistics::surveys(request)?;
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
