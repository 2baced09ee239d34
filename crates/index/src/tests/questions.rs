//! Queries by chance, each with the obvious way to answer it from a game and all its positions.

use super::DATES;
use super::texts::text_question;
use crate::testing::Dice;
use crate::*;
use std::collections::BTreeMap;
use tridex_geometry::{Square, cube};
use tridex_notation::{Notation, names};
use tridex_rules::{Color, Position, Role, RuleSystem};

/// A game with all positions of its main line.
pub(super) struct Scanned {
    pub(super) source: String,
    pub(super) entry: GameEntry,
    pub(super) positions: Vec<Position>,
}

pub(super) fn scanned(source: &str, entry: &GameEntry) -> Scanned {
    let mut position = entry.start_position().unwrap();
    let mut positions = vec![position.clone()];
    for m in &entry.moves {
        position.play(*m).unwrap();
        positions.push(position.clone());
    }
    Scanned {
        source: source.to_owned(),
        entry: entry.clone(),
        positions,
    }
}

/// A query, and the obvious way to answer it: whether a game answers it, and from which ply.
pub(super) type Question = (
    Query,
    String,
    Box<dyn Fn(&Scanned) -> Option<Option<u32>> + Send + Sync>,
);

pub(super) fn yes(holds: bool) -> Option<Option<u32>> {
    holds.then_some(None)
}

fn first_ply(game: &Scanned, holds: impl Fn(&Position, u32) -> bool) -> Option<Option<u32>> {
    (0..)
        .zip(&game.positions)
        .find(|(ply, p)| holds(p, *ply))
        .map(|(ply, _)| Some(ply))
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
    let ply = match dice.roll(3) {
        0 => dice.roll(3).min(game.positions.len() - 1),
        _ => dice.roll(game.positions.len()),
    };
    let wanted = game.positions[ply].clone();
    let setup = wanted.to_setup();
    match dice.roll(4) {
        0 => {
            let query = PositionQuery::of_position(&wanted, Sameness::Exact);
            (
                query.into(),
                format!("position {setup:?}"),
                Box::new(move |g| {
                    if g.entry.rules != wanted.rules() {
                        return None;
                    }
                    first_ply(g, |p, _| p.key() == wanted.key())
                }),
            )
        }
        1 => {
            // Without the rules: any system in which the position can be played, each with its own key.
            let query = PositionQuery::new(setup.clone(), Sameness::Exact).unwrap();
            (
                query.into(),
                format!("any rules, {setup:?}"),
                Box::new(move |g| {
                    let here = Position::from_setup(g.entry.rules, &setup).ok()?;
                    first_ply(g, |p, _| p.key() == here.key())
                }),
            )
        }
        2 => {
            let query = PositionQuery::new(setup.clone(), Sameness::Loose).unwrap();
            (
                query.into(),
                format!("loose {setup:?}"),
                Box::new(move |g| {
                    first_ply(g, |p, _| {
                        p.family() == setup.family()
                            && p.placement().is_same(&p.rules().placement(&setup))
                    })
                }),
            )
        }
        _ => {
            let query = PositionQuery::new(setup, Sameness::Plan).unwrap();
            let (target, family) = (plan(&wanted), wanted.family());
            (
                query.into(),
                format!("plan {target:?}"),
                Box::new(move |g| {
                    if g.entry.rules.family() != family {
                        return None;
                    }
                    first_ply(g, |p, _| {
                        p.occupied().count() == wanted.occupied().count() && plan(p) == target
                    })
                }),
            )
        }
    }
}

/// A test that holds somewhere in a game, or nearly.
fn pattern_text(games: &[Scanned], dice: &mut Dice, depth: usize) -> String {
    let game = &games[dice.roll(games.len())];
    let position = &game.positions[dice.roll(game.positions.len())];
    let squares: Vec<Square> = position.occupied().into_iter().collect();
    let square = squares[dice.roll(squares.len())];
    let piece = position.piece_at(square).unwrap();
    let notation = match position.layout() {
        Some(_) => [Notation::Meder, Notation::Manual][dice.roll(2)],
        None => Notation::Millennium,
    };
    let name = names::square(notation, position.layout(), square);
    let letter = piece.letter();
    match dice.roll(if depth == 0 { 8 } else { 11 }) {
        0 | 1 => format!("{letter}@{name}"),
        2 if notation == Notation::Meder => format!("{letter}@{}", &name[..2]),
        2 if notation == Notation::Millennium => format!("{letter}@{}", &name[1..]),
        2 => format!("a@{}", name.split_once(',').map_or("W", |(_, board)| board)),
        3 => {
            let count = position.pieces(piece.color, piece.role).count();
            let compare = ["=", "!=", "<", "<=", ">", ">="][dice.roll(6)];
            format!("{letter}{compare}{count}")
        }
        4 => match position.layout() {
            Some(layout) => {
                let board = tridex_geometry::stair::AttackBoard::ALL[dice.roll(4)];
                let pin = names::pin(notation, layout.pin(board));
                format!("{}@{pin}", names::board(Notation::Manual, layout, board))
            }
            None => format!("{letter}@{}>={}", 1 + dice.roll(3), 1 + dice.roll(3)),
        },
        5 => "check".to_owned(),
        6 => ["white to move", "black to move", "mate"][dice.roll(3)].to_owned(),
        7 => {
            let from = dice.roll(60);
            format!("ply {from}..{}", from + dice.roll(20))
        }
        8 => format!("not ({})", pattern_text(games, dice, depth - 1)),
        n => {
            let join = ["and", "or"][n % 2];
            let (a, b) = (
                pattern_text(games, dice, depth - 1),
                pattern_text(games, dice, depth - 1),
            );
            format!("({a}) {join} ({b})")
        }
    }
}

fn board_question(games: &[Scanned], dice: &mut Dice) -> Question {
    if dice.roll(4) > 0 {
        let text = pattern_text(games, dice, 2);
        let (mirrored, swapped) = (dice.roll(6) == 0, dice.roll(6) == 0);
        let query = Query::pattern(Pattern::parse(&text).unwrap(), mirrored, swapped);
        let Query::Pattern(pattern) = query.clone() else {
            panic!("a pattern");
        };
        return (
            query,
            format!("pattern {text} {mirrored} {swapped}"),
            Box::new(move |g| first_ply(g, |p, ply| pattern.matches(p, ply))),
        );
    }
    let game = &games[dice.roll(games.len())];
    let position = &game.positions[dice.roll(game.positions.len())];
    let count = |color, role| position.pieces(color, role).count();
    let kinds = [
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
    ];
    let wide = dice.roll(2) as u32;
    let side = |color| {
        kinds.map(|role| {
            let n: u32 = count(color, role);
            (role, n.saturating_sub(wide), n + wide)
        })
    };
    let sides = [side(Color::White), side(Color::Black)];
    let write = |side: &[(Role, u32, u32); 5]| {
        side.iter()
            .map(|(r, a, b)| format!("{}{a}..{b}", r.letter()))
            .collect::<String>()
    };
    let lasting = 1 + dice.roll(8);
    let either = dice.roll(2) == 0;
    let text = format!("K{}:K{} for {lasting}", write(&sides[0]), write(&sides[1]));
    let query = Query::material(Material::parse(&text).unwrap(), either);
    (
        query,
        format!("material {text} {either}"),
        Box::new(move |g| {
            let holds = |p: &Position, swap: bool| {
                Color::ALL.into_iter().all(|color| {
                    let side = &sides[usize::from((color == Color::White) == swap)];
                    side.iter()
                        .all(|(role, a, b)| (*a..=*b).contains(&p.pieces(color, *role).count()))
                })
            };
            let lasts = |swap| {
                (0..)
                    .zip(g.positions.windows(lasting))
                    .find(|(_, w)| w.iter().all(|p| holds(p, swap)))
            };
            let plain = lasts(false).map(|(ply, _)| ply);
            let swapped = if either {
                lasts(true).map(|(ply, _)| ply)
            } else {
                None
            };
            // The first of the two.
            plain.into_iter().chain(swapped).min().map(Some)
        }),
    )
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

fn sequence_question(dice: &mut Dice) -> Question {
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
            let plies = sequence.plies_by_definition(&g.positions[0], &g.entry.moves);
            plies.first().map(|ply| Some(*ply))
        }),
    )
}

pub(super) fn question(games: &[Scanned], dice: &mut Dice, depth: usize) -> Question {
    match dice.roll(if depth == 0 { 8 } else { 12 }) {
        0 if dice.roll(3) == 0 => sequence_question(dice),
        0 | 1 => text_question(dice),
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
                    Some(a.or(b))
                }),
            )
        }
    }
}
