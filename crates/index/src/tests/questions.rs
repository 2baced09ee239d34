//! Queries by chance, each with the obvious way to answer it from a game and all its positions.

use super::DATES;
use super::brute;
use super::texts::{record_question, tag_question, text_question};
use crate::testing::Dice;
use crate::*;
use std::collections::BTreeMap;
use tridex_geometry::{Square, cube};
use tridex_rules::{Color, Position, RuleSystem};

/// A game with all positions of its lines.
pub(super) struct Scanned {
    pub(super) source: String,
    pub(super) entry: GameEntry,
    pub(super) lines: Vec<brute::Line>,
}

impl Scanned {
    /// The positions of the main line.
    pub(super) fn positions(&self) -> &[Position] {
        &self.lines[0].positions
    }
}

pub(super) fn scanned(source: &str, entry: &GameEntry) -> Scanned {
    Scanned {
        source: source.to_owned(),
        entry: entry.clone(),
        lines: brute::lines(entry),
    }
}

/// A variation, none for the main line, and a ply from the start of the game.
pub(super) type Place = (Option<u32>, u32);

/// What is found in a game, if it matches.
pub(super) type Found = Option<Match>;

/// Where a game matches: nowhere, if nothing on the board was searched.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Match {
    pub(super) places: Vec<Place>,
    /// The variation that has the last ply of it.
    pub(super) line: Option<u32>,
}

impl Match {
    /// At one place.
    pub(super) fn at(place: Place) -> Self {
        Self {
            places: vec![place],
            line: place.0,
        }
    }
}

/// A query, and the obvious way to answer it.
pub(super) type Question = (Query, String, Box<dyn Fn(&Scanned) -> Found + Send + Sync>);

pub(super) fn yes(holds: bool) -> Found {
    holds.then(Match::default)
}

/// The first position of a game of which something is true. An index of variations has the positions of all of them.
fn first_ply(game: &Scanned, holds: impl Fn(&Position) -> bool) -> Found {
    let mut lines = game.lines.iter();
    lines.find_map(|line| line.first(&holds).map(Match::at))
}

fn number_question(dice: &mut Dice) -> Question {
    match dice.roll(6) {
        0 => {
            let date = DATES[dice.roll(3)];
            let range = [
                "2001.04",
                "2001",
                "..2001.04.25",
                "2001.04.27..",
                "1999..2006.02",
            ][dice.roll(5)];
            let _ = date;
            let parsed = DateRange::parse(range).unwrap();
            (
                Query::Date(parsed),
                format!("date {range}"),
                Box::new(move |g| {
                    // Day by day, as somebody with a calendar would.
                    let date = Date::parse(g.entry.tag("Date")?).ok()?;
                    let possible =
                        (1..=12)
                            .flat_map(|m| (1..=31).map(move |d| (m, d)))
                            .filter(|(m, d)| {
                                date.month.is_none_or(|month| month == *m)
                                    && date.day.is_none_or(|day| day == *d)
                            });
                    let number = |(m, d): (u8, u8)| {
                        u32::from(date.year) * 10_000 + u32::from(m) * 100 + u32::from(d)
                    };
                    yes(possible.map(number).any(|day| {
                        parsed.from.is_none_or(|from| day >= from)
                            && parsed.to.is_none_or(|to| day <= to)
                    }))
                }),
            )
        }
        1 => {
            let result = GameResult::ALL[dice.roll(7)];
            (
                Query::Result(result),
                result.as_str().to_owned(),
                Box::new(move |g| yes(g.entry.result == result)),
            )
        }
        2 => {
            let rules = RuleSystem::ALL[dice.roll(5)];
            (
                Query::Rules(rules),
                rules.name().to_owned(),
                Box::new(move |g| yes(g.entry.rules == rules)),
            )
        }
        3 => {
            let (a, b) = (dice.roll(60) as u32, 20 + dice.roll(100) as u32);
            (
                Query::Plies(Some(a), Some(b)),
                format!("plies {a}..{b}"),
                Box::new(move |g| yes((a as usize..=b as usize).contains(&g.entry.moves.len()))),
            )
        }
        4 => {
            let least = [1_800, 2_000, 2_100][dice.roll(3)];
            (
                Query::Ratings(Some(least), None),
                format!("elo {least}.."),
                Box::new(move |g| {
                    let rating = |tag| g.entry.tag(tag).and_then(|t| t.parse::<u32>().ok());
                    yes(["WhiteElo", "BlackElo"]
                        .map(rating)
                        .iter()
                        .all(|r| r.is_some_and(|r| r >= least)))
                }),
            )
        }
        _ => {
            let query = Query::parse("result:1-0 or result:0-1").unwrap();
            (
                query,
                "decided".to_owned(),
                Box::new(|g| {
                    yes(matches!(
                        g.entry.result,
                        GameResult::White | GameResult::Black
                    ))
                }),
            )
        }
    }
}

/// The pieces in each column, and the side to move.
fn plan(position: &Position) -> (Color, BTreeMap<(u8, u8), Vec<tridex_rules::Piece>>) {
    let mut columns: BTreeMap<(u8, u8), Vec<_>> = BTreeMap::new();
    for i in 0..position.family().squares() {
        let square = Square::new(i as u8);
        if let Some(piece) = position.piece_at(square) {
            let column = match position.layout() {
                Some(layout) => (layout.column(square).file(), layout.column(square).rank()),
                None => (cube::file(square), cube::rank(square)),
            };
            columns.entry(column).or_default().push(piece);
        }
    }
    for pieces in columns.values_mut() {
        pieces.sort_by_key(|p| p.letter());
    }
    (position.turn(), columns)
}

fn position_question(games: &[Scanned], dice: &mut Dice) -> Question {
    let game = &games[dice.roll(games.len())];
    let positions = &game.lines[dice.roll(game.lines.len())].positions;
    let ply = match dice.roll(3) {
        0 => dice.roll(3).min(positions.len() - 1),
        _ => dice.roll(positions.len()),
    };
    let wanted = positions[ply].clone();
    let setup = wanted.to_setup();
    match dice.roll(4) {
        0 => {
            let query = PositionQuery::of_position(&wanted, PositionMatch::Exact);
            (
                query.into(),
                format!("position {setup:?}"),
                Box::new(move |g| {
                    if g.entry.rules != wanted.rules() {
                        return None;
                    }
                    first_ply(g, |p| p.key() == wanted.key())
                }),
            )
        }
        1 => {
            // Without the rules: any system in which the position can be played, each with its own key.
            let query = PositionQuery::new(setup.clone(), PositionMatch::Exact).unwrap();
            (
                query.into(),
                format!("any rules, {setup:?}"),
                Box::new(move |g| {
                    let here = Position::from_setup(g.entry.rules, &setup).ok()?;
                    first_ply(g, |p| p.key() == here.key())
                }),
            )
        }
        2 => {
            let query = PositionQuery::new(setup.clone(), PositionMatch::Loose).unwrap();
            (
                query.into(),
                format!("loose {setup:?}"),
                Box::new(move |g| {
                    first_ply(g, |p| {
                        p.family() == setup.family()
                            && p.placement().is_same(&p.rules().placement(&setup))
                    })
                }),
            )
        }
        _ => {
            let query = PositionQuery::new(setup, PositionMatch::FromTop).unwrap();
            let (target, family) = (plan(&wanted), wanted.family());
            (
                query.into(),
                format!("plan {target:?}"),
                Box::new(move |g| {
                    if g.entry.rules.family() != family {
                        return None;
                    }
                    first_ply(g, |p| {
                        p.occupied().count() == wanted.occupied().count() && plan(p) == target
                    })
                }),
            )
        }
    }
}

const SEQUENCES: [&str; 8] = [
    "N then takes",
    "castling",
    "board then within 10 plies board",
    "takes next takes",
    "P as x then x takes",
    "not takes before check",
    "white Q then black Q or promotes",
    "pattern(check) next K",
];

/// A sequence that names pieces, has guards or more than two steps.
fn long_sequence_question(dice: &mut Dice) -> Question {
    let text = SEQUENCES[dice.roll(SEQUENCES.len())];
    let query = Query::sequence(
        Sequence::parse(text).unwrap(),
        dice.roll(4) == 0,
        dice.roll(4) == 0,
    );
    let Query::Sequence(sequence) = query.clone() else {
        panic!("a sequence");
    };
    (
        query,
        format!("sequence {text}"),
        Box::new(move |g| {
            let plies = sequence.plies_by_definition(&g.positions()[0], &g.entry.moves);
            let places: Vec<Place> = plies.into_iter().map(|ply| (None, ply)).collect();
            (!places.is_empty()).then_some(Match { places, line: None })
        }),
    )
}

/// A question about patterns, sequences, balances or placements.
pub(super) fn board_question(games: &[Scanned], dice: &mut Dice) -> Question {
    match dice.roll(12) {
        0 | 1 => brute::material_question(games, dice),
        2 => brute::placement_question(games, dice),
        3..6 => brute::sequence_question(games, dice),
        _ => brute::pattern_question(games, dice),
    }
}

pub(super) fn question(games: &[Scanned], dice: &mut Dice, depth: usize) -> Question {
    match dice.roll(if depth == 0 { 8 } else { 12 }) {
        0 if dice.roll(3) == 0 => long_sequence_question(dice),
        0 if dice.roll(2) == 0 => tag_question(dice),
        0 => record_question(dice),
        1 => text_question(dice),
        2 | 3 => number_question(dice),
        4 | 5 => position_question(games, dice),
        6 | 7 => board_question(games, dice),
        8 => {
            let (query, text, scan) = question(games, dice, depth - 1);
            (
                Query::Not(Box::new(query)),
                format!("not ({text})"),
                Box::new(move |g| yes(scan(g).is_none())),
            )
        }
        9 => {
            let (a, ta, sa) = question(games, dice, depth - 1);
            let (b, tb, sb) = question(games, dice, depth - 1);
            (
                Query::Or(vec![a, b]),
                format!("({ta}) or ({tb})"),
                Box::new(move |g| sa(g).or_else(|| sb(g))),
            )
        }
        _ => {
            let (a, ta, sa) = question(games, dice, depth - 1);
            let (b, tb, sb) = question(games, dice, depth - 1);
            (
                a.and(b),
                format!("({ta}) and ({tb})"),
                Box::new(move |g| {
                    let (a, b) = (sa(g)?, sb(g)?);
                    Some(if a.places.is_empty() { b } else { a })
                }),
            )
        }
    }
}
