//! What was played, in bytes that can be compared: the start, and three bytes for each move.
//!
//! The start is one byte for the pieces every game of a system starts with, and else 255, two bytes of length
//! (least significant first) and the placement with the side to move, as position strings write them. So one game
//! begins with another exactly if its bytes begin with the other's.

use crate::Played as Game;
use std::iter;
use tridex_geometry::Square;
use tridex_notation::position_string;
use tridex_rules::{CastlingSide, Move, Piece, Position, Role, RuleSystem, Setup};

/// Bytes of a move.
pub(super) const MOVE: usize = 3;

/// The placements games start from.
pub(super) struct Starts(Vec<Start>);

/// A system's start.
struct Start {
    position: Position,
    text: String,
    /// Number of the first system that has the same pieces on the same squares. The manual's and the federation's
    /// start differ only in the level of White's boards, and millennium's and chess3's not at all.
    number: u8,
}

impl Starts {
    pub(super) fn new() -> Self {
        let mut seen: Vec<Vec<(Square, Piece)>> = Vec::new();
        let starts = RuleSystem::ALL.iter().map(|rules| {
            let setup = rules.start();
            let pieces: Vec<(Square, Piece)> = setup.pieces().collect();
            let first = seen.iter().position(|other| *other == pieces);
            let number = first.unwrap_or(seen.len());
            seen.push(pieces);
            Start {
                position: Position::start(*rules),
                text: placement(&setup),
                number: number as u8,
            }
        });
        Self(starts.collect())
    }

    /// The bytes of a game.
    pub(super) fn record(&self, game: &Game<'_>) -> Vec<u8> {
        let mut bytes = self.start(game);
        bytes.extend(game.moves().iter().flat_map(|mv| code(*mv)));
        bytes
    }

    fn start(&self, game: &Game<'_>) -> Vec<u8> {
        let own = self.0.iter().find(|start| start.position == *game.start());
        if let Some(own) = own {
            return vec![own.number];
        }
        let text = placement(&game.start().to_setup());
        if let Some(start) = self.0.iter().find(|start| start.text == text) {
            return vec![start.number];
        }
        let len = u16::try_from(text.len()).unwrap_or(u16::MAX);
        let [low, high] = len.to_le_bytes();
        [u8::MAX, low, high]
            .into_iter()
            .chain(text.bytes().take(len.into()))
            .collect()
    }
}

/// Placement and side to move: the position from which a game starts, without rights and counters.
fn placement(setup: &Setup) -> String {
    let line = position_string::to_string(setup);
    let fields: Vec<&str> = line.split(' ').take(2).collect();
    fields.join(" ")
}

/// Length of the start of a record.
pub(super) fn start_len(record: &[u8]) -> usize {
    match record {
        [u8::MAX, low, high, ..] => 3 + usize::from(u16::from_le_bytes([*low, *high])),
        _ => 1,
    }
}

/// Different bytes for different moves.
fn code(mv: Move) -> [u8; MOVE] {
    let role = |role: Option<Role>| match role {
        None | Some(Role::Pawn | Role::King) => 0,
        Some(Role::Knight) => 1,
        Some(Role::Bishop) => 2,
        Some(Role::Rook) => 3,
        Some(Role::Queen) => 4,
    };
    match mv {
        Move::Piece {
            from,
            to,
            promotion,
        } => [from.index() as u8, to.index() as u8, role(promotion)],
        Move::EnPassant {
            from,
            to,
            promotion,
        } => [from.index() as u8, to.index() as u8, 8 | role(promotion)],
        Move::Castle(side) => [0, u8::from(side == CastlingSide::Queen), 16],
        Move::Board {
            board,
            to,
            turned,
            promotion,
        } => {
            let place = board as u8 | (to.index() as u8) << 2 | u8::from(turned) << 7;
            let square = promotion.map_or(0, |promotion| promotion.square.index() as u8);
            let role = role(promotion.map(|promotion| promotion.role));
            [place, square, 32 | role]
        }
    }
}

/// How many plies a record has. No more than a game's text has bytes, and those are limited to less.
pub(super) fn plies(record: &[u8]) -> u32 {
    let moves = record.len().saturating_sub(start_len(record)) / MOVE;
    u32::try_from(moves).unwrap_or(u32::MAX)
}

/// The hash of what was played so far: one step for each byte of the start, and one for each move, in two lanes that begin
/// with different numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Hash([u64; 2]);

impl Hash {
    const BEGUN: Self = Self([0x7472_6964_6578_0001, 0x7472_6964_6578_0002]);

    /// SplitMix64's mixing, which no library can change.
    fn step(self, word: u64) -> Self {
        Self(self.0.map(|lane| {
            let z = (lane ^ word).wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ z >> 31
        }))
    }
}

/// The hashes of a record: of its start, and after each move.
pub(super) fn hashes(record: &[u8]) -> impl Iterator<Item = Hash> {
    let (start, moves) = record.split_at(start_len(record).min(record.len()));
    let start = start.iter().map(|byte| u64::from(*byte));
    let start = start.fold(Hash::BEGUN, Hash::step);
    let after = moves.as_chunks().0.iter().scan(start, |hash, [a, b, c]| {
        *hash = hash.step(u64::from_le_bytes([*a, *b, *c, 1, 0, 0, 0, 0]));
        Some(*hash)
    });
    iter::once(start).chain(after)
}

/// The hash of a whole record.
pub(super) fn hash(record: &[u8]) -> Hash {
    hashes(record).last().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use tridex_rules::random::{self, Dice};

    #[test]
    fn moves_of_one_position_have_codes_of_their_own() {
        for rules in RuleSystem::ALL {
            for index in 0..10 {
                let mut position = Position::start(*rules);
                let mut codes: HashMap<[u8; MOVE], Move> = HashMap::new();
                for mv in random::game(*rules, &mut Dice::nth(4, index), 120) {
                    for mv in position.legal_moves() {
                        let same = codes.insert(code(mv), mv).is_none_or(|other| other == mv);
                        assert!(same, "{mv:?}");
                    }
                    position.play_unchecked(mv);
                }
            }
        }
    }

    #[test]
    fn the_hash_never_changes_and_tells_starts_moves_and_lengths_apart() {
        let records: [&[u8]; 6] = [
            &[0],
            &[1],
            &[0, 1, 2, 0],
            &[0, 1, 2, 0, 0, 0, 0],
            &[0, 2, 1, 0],
            &[255, 1, 0, b'x', 1, 2, 0],
        ];
        let hashes = records.map(hash);
        for (i, one) in hashes.iter().enumerate() {
            assert!(hashes.iter().skip(i + 1).all(|other| other != one));
        }
        let [one, other] = [15_821_958_394_259_461_482, 123_042_044_985_317_790];
        assert_eq!(hashes[2], Hash([one, other]));
    }
}
