//! The definition of the head of `mod.rs`, word by word: every match is made, and the first one chosen. It takes what a move
//! does to pieces from two positions, and knows a piece by where it comes from.

use crate::query::pattern::Place;
use crate::query::sequence::run::is_closer;
use crate::query::sequence::{Leaf, Load, MoveTest, Node, Sequence, Subject, Who};
use std::collections::{BTreeMap, BTreeSet};
use tridex_geometry::stair::{Board, Pin, board};
use tridex_geometry::{Square, cube};
use tridex_rules::{Departure, Level, Move, Piece, Position, Role, RuleSystem};

type Names = BTreeMap<usize, u8>;

/// A match: its plies, and the names there are after it.
type Match = (Vec<u32>, Names);

/// A ply: the position before the move and its pieces by name, the move, and the position after it.
struct Moment {
    before: Option<(Position, BTreeMap<Square, u8>, Move)>,
    after: Position,
}

impl Sequence {
    /// The plies of the first match in a game; none without one.
    pub(crate) fn plies_by_definition(&self, start: &Position, moves: &[Move]) -> Vec<u32> {
        first(&self.0, start, moves)
    }
}

/// The plies of the first match; none without one.
pub(super) fn first(root: &Node, start: &Position, moves: &[Move]) -> Vec<u32> {
    let mut moments = vec![Moment {
        before: None,
        after: start.clone(),
    }];
    let mut pieces: BTreeMap<Square, u8> = start
        .occupied()
        .into_iter()
        .map(|s| (s, s.index() as u8))
        .collect();
    for m in moves {
        let before = moments.last().unwrap().after.clone();
        let mut after = before.clone();
        after.play(*m).unwrap();
        let there = moved(&before, *m, &pieces);
        moments.push(Moment {
            before: Some((before, pieces, *m)),
            after,
        });
        pieces = there;
    }
    let all = matches(root, &moments, None, &Names::new());
    let best = all
        .into_iter()
        .map(|(plies, _)| plies)
        .reduce(|best, plies| {
            let (last, other) = (best.last(), plies.last());
            match other < last || other == last && is_closer(&plies, &best) {
                true => plies,
                false => best,
            }
        });
    best.unwrap_or_default()
}

/// Where each piece is after a move.
fn moved(before: &Position, m: Move, pieces: &BTreeMap<Square, u8>) -> BTreeMap<Square, u8> {
    let mut there = pieces.clone();
    match m {
        Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => {
            let piece = there.remove(&from).unwrap();
            if let Some((square, _)) = before.placement().effect(m).captured {
                there.remove(&square);
            }
            there.insert(to, piece);
        }
        Move::Castle(side) => {
            let squares = before
                .rules()
                .castling_squares(before.turn(), side)
                .unwrap();
            let king = there.remove(&squares.king.0).unwrap();
            let rook = there.remove(&squares.rook.0).unwrap();
            there.insert(squares.king.1, king);
            there.insert(squares.rook.1, rook);
        }
        Move::Pass => {}
        Move::Board { board, turned, .. } => {
            if turned {
                let turned = there
                    .iter()
                    .map(|(square, piece)| (board.turned(*square), *piece));
                there = turned.collect();
            }
        }
    }
    there
}

/// All matches of a part that begin after a ply (`None`: at the start of the line).
fn matches(node: &Node, moments: &[Moment], after: Option<u32>, names: &Names) -> Vec<Match> {
    let begin = after.map_or(0, |ply| ply + 1);
    let mut found = Vec::new();
    match node {
        Node::Leaf(Leaf::Chain(parts)) => {
            // What is matched so far, and the last ply of it.
            let mut so_far: Vec<(Match, Option<u32>)> = vec![((Vec::new(), names.clone()), after)];
            for part in parts {
                let mut more = Vec::new();
                for ((plies, names), last) in so_far {
                    for (next, names_then) in matches(&part.node, moments, last, &names) {
                        let gap = last.map_or(1, |ply| ply + 1)..next[0];
                        let is_near = part
                            .limit
                            .is_none_or(|limit| last.is_some_and(|last| next[0] - last <= limit));
                        let is_guarded = part.guard.as_ref().is_none_or(|guard| {
                            let mut gap = gap;
                            gap.all(|ply| !ways(guard, moments, ply, &names).is_empty())
                        });
                        if is_near && is_guarded {
                            let last = next.last().copied();
                            let plies = plies.iter().copied().chain(next).collect();
                            more.push(((plies, names_then), last));
                        }
                    }
                }
                more.sort();
                more.dedup();
                so_far = more;
            }
            found.extend(so_far.into_iter().map(|(one, _)| one));
        }
        Node::Or(parts) if !node.is_test() => {
            for part in parts {
                found.extend(matches(part, moments, after, names));
            }
        }
        test => {
            for ply in begin..moments.len() as u32 {
                let ways = ways(test, moments, ply, names);
                found.extend(ways.into_iter().map(|names| (vec![ply], names)));
            }
        }
    }
    found
}

/// The names there may be if a test holds at a ply; none if it does not.
fn ways(test: &Node, moments: &[Moment], ply: u32, names: &Names) -> BTreeSet<Names> {
    let moment = &moments[ply as usize];
    let as_is = |holds: bool| holds.then(|| names.clone()).into_iter().collect();
    match test {
        Node::Leaf(Leaf::Pattern(pattern)) => as_is(pattern.matches(&moment.after, ply)),
        Node::Leaf(Leaf::Material(material)) => as_is(material.holds(&moment.after.placement())),
        Node::Not(part) => as_is(ways(part, moments, ply, names).is_empty()),
        Node::And(parts) => parts.iter().fold(as_is(true), |all, part| {
            let ways = all.iter().flat_map(|names| ways(part, moments, ply, names));
            ways.collect()
        }),
        Node::Or(parts) => {
            let ways = parts
                .iter()
                .flat_map(|part| ways(part, moments, ply, names));
            ways.collect()
        }
        Node::Leaf(Leaf::Move(test)) => described(test, moment, names),
        Node::Leaf(Leaf::Chain(_)) => unreachable!("a sequence is no test"),
    }
}

fn described(test: &MoveTest, moment: &Moment, names: &Names) -> BTreeSet<Names> {
    let none = BTreeSet::new();
    let Some((before, pieces, m)) = &moment.before else {
        return none;
    };
    let effect = before.placement().effect(*m);
    let on = |square: Square| (before.piece_at(square).unwrap(), pieces[&square]);
    // What moves on its own, what is captured, what is carried.
    let mut moves: Vec<(Piece, u8)> = Vec::new();
    let mut captured = effect.captured.map(|(square, _)| on(square));
    let mut carried: Vec<(Piece, u8)> = Vec::new();
    let subject_fits = match (&test.subject, m) {
        (_, Move::Piece { from, .. } | Move::EnPassant { from, .. }) => {
            moves.push(on(*from));
            test.subject == Subject::Any
        }
        (Subject::Any, _) => {
            captured = None;
            test.from.is_none()
                && test.to.is_none()
                && test.moves == Load::Any
                && test.takes == Load::Any
                && !test.en_passant
        }
        (Subject::Castling(asked), Move::Castle(side)) => asked.is_none_or(|asked| asked == *side),
        (Subject::Board(asked), Move::Board { board, .. }) => {
            carried.extend(effect.carried.into_iter().map(on));
            asked.is_none_or(|asked| asked == *board)
        }
        _ => false,
    };
    let (from, to) = match m {
        Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => (Some(*from), Some(*to)),
        _ => (None, None),
    };
    let pins = match m {
        Move::Board { board, to, .. } => {
            [before.layout().map(|layout| layout.pin(*board)), Some(*to)]
        }
        _ => [None, None],
    };
    let is_board = matches!(test.subject, Subject::Board(_));
    let on_pins = [test.from, test.to].iter().zip(pins).all(|(asked, pin)| {
        asked.filter(|_| is_board).is_none_or(|asked| {
            let Some(Level::Pin(named)) = asked.stair.and_then(|spot| spot.level) else {
                return false;
            };
            pin.is_some_and(|pin| is_pin(asked, named, pin, before.rules()))
        })
    });
    let role = m.promotion();
    let promoted_on = match m {
        Move::Board { promotion, .. } => promotion.map(|promotion| promotion.square),
        _ => None,
    };
    let spots = |spot: Option<Place>, square: Option<Square>| match (spot, square) {
        (Some(spot), Some(square)) => is_on(spot, square, &moment.after),
        _ => true,
    };
    let holds = subject_fits
        && test.by.is_none_or(|by| by == before.turn())
        && spots(test.from, from)
        && spots(test.to, to)
        && on_pins
        && spots(test.promoted_on, promoted_on)
        && test
            .promotes
            .is_none_or(|asked| role.is_some() && (asked.is_none() || asked == role))
        && (!test.en_passant || matches!(m, Move::EnPassant { .. }))
        && (!test.check || moment.after.is_check())
        && (!test.mate || moment.after.is_checkmate())
        && (!test.double_check || checking(&moment.after).len() >= 2)
        && (!test.discovered_check || {
            let stands_still = |square: &Square| match m {
                Move::Board { board, .. } => !board.squares().contains(*square),
                _ => before.piece_at(*square) == moment.after.piece_at(*square),
            };
            checking(&moment.after).iter().any(stands_still)
        })
        && test
            .turned
            .is_none_or(|asked| matches!(m, Move::Board { turned, .. } if *turned == asked));
    if !holds {
        return none;
    }
    let captured: Vec<_> = captured.into_iter().collect();
    let mut all = BTreeSet::from([names.clone()]);
    for (asked, there) in [
        (test.moves.clone(), moves),
        (test.takes.clone(), captured),
        (test.carries.clone(), carried),
    ] {
        all = all
            .iter()
            .flat_map(|names| loaded(&asked, &there, names))
            .collect();
    }
    all
}

fn loaded(asked: &Load, there: &[(Piece, u8)], names: &Names) -> Vec<Names> {
    let is = |who: &Who, piece: &Piece, id: u8| {
        let fits = |role: Role| role == piece.role;
        let is_same = who.color.is_none_or(|color| color == piece.color)
            && who.role.is_none_or(fits)
            && who
                .known
                .as_ref()
                .is_none_or(|name| names.get(&name.id) == Some(&id));
        is_same.then(|| {
            let mut names = names.clone();
            if let Some(name) = &who.named {
                names.insert(name.id, id);
            }
            names
        })
    };
    match asked {
        Load::Any => vec![names.clone()],
        Load::Nothing if there.is_empty() => vec![names.clone()],
        Load::Nothing => Vec::new(),
        Load::Piece(who) => there
            .iter()
            .filter_map(|(piece, id)| is(who, piece, *id))
            .collect(),
    }
}

fn is_on(spot: Place, square: Square, after: &Position) -> bool {
    let fits = |asked: Option<u8>, own: u8| asked.is_none_or(|asked| asked == own);
    let Some(layout) = after.layout() else {
        let Some(Departure { file, rank, level }) = spot.cube else {
            return false;
        };
        return fits(file, cube::file(square))
            && fits(rank, cube::rank(square))
            && level.is_none_or(|level| level == Level::Cube(cube::level(square)));
    };
    let Some(Departure { file, rank, level }) = spot.stair else {
        return false;
    };
    let is_level = match (level, board(square)) {
        (None, _) => true,
        (Some(Level::Main(asked)), Board::Main(main)) => asked == main,
        (Some(Level::Attack(asked)), Board::Attack(attack)) => asked == attack,
        (Some(Level::Pin(asked)), Board::Attack(attack)) => {
            is_pin(spot, asked, layout.pin(attack), after.rules())
        }
        _ => false,
    };
    let column = layout.column(square);
    is_level && fits(file, column.file()) && fits(rank, column.rank())
}

/// Whether a pin is the one that is named. Only the manual has pins below the boards, and from the other side they are above.
fn is_pin(place: Place, named: Pin, pin: Pin, rules: RuleSystem) -> bool {
    match rules == RuleSystem::Manual {
        true if place.is_turned => pin == named.other_surface(),
        true => pin == named,
        false => pin == named || place.either_surface && pin == named.other_surface(),
    }
}

/// The squares of the pieces that give check, found one by one.
fn checking(position: &Position) -> Vec<Square> {
    let (turn, occupied) = (position.turn(), position.occupied());
    let gives = |square: &Square| {
        let piece = position.piece_at(*square).unwrap();
        piece.color != turn && position.reaches(*square, position.king(turn))
    };
    occupied.into_iter().filter(gives).collect()
}
