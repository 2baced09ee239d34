//! The moves of a game as bytes that can be compared: a hash of the start, and three bytes for each move.
//!
//! One game is the beginning of another exactly if the other's bytes begin with its bytes. Rule systems are not part of
//! the bytes and are compared separately.

use crate::Played;
use std::iter;
use tridex_geometry::stair::Layout;
use tridex_rules::random::Dice;
use tridex_rules::{CastlingSide, Move, Position, Role};

/// Bytes of a start, and of a move.
pub(super) const START: usize = 16;
pub(super) const MOVE: usize = 3;

/// The bytes of a game.
pub(super) fn of(game: &Played<'_>) -> Vec<u8> {
    let moves = game.moves().iter().flat_map(|mv| code(*mv));
    start(game.start()).into_iter().chain(moves).collect()
}

/// A hash of the start position: pieces, side to move, and the corners of the attack boards, above or below. So the
/// manual's and the federation's starts are equal, and so are millennium's and chess3's.
fn start(position: &Position) -> [u8; START] {
    let setup = position.to_setup();
    let boards = setup.layout.iter().flat_map(Layout::pins);
    let boards = boards.map(|pin| u64::from(pin.corner().number()) | (pin.wing() as u64) << 8);
    let pieces = setup.pieces().map(|(square, piece)| {
        square.index() as u64 | (piece.role as u64) << 8 | (piece.color as u64) << 16
    });
    // The family is hashed too, since the squares of both board families have the same numbers.
    let turn = setup.turn as u64 | (setup.family() as u64) << 8;
    let words = iter::once(turn).chain(boards).chain(pieces);
    let Hash([one, other]) = words.fold(Hash::BEGUN, Hash::step);
    (u128::from(one) << 64 | u128::from(other)).to_le_bytes()
}

/// Three bytes that differ for different moves of a position.
fn code(mv: Move) -> [u8; MOVE] {
    let role = |role: Option<Role>| role.map_or(0, |role| role as u8);
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
        Move::Pass => [0, 2, 16],
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

/// The number of plies of a record. It always fits, since the limit on the bytes of a game's text is lower.
pub(super) fn plies(record: &[u8]) -> u32 {
    let moves = record.len().saturating_sub(START) / MOVE;
    u32::try_from(moves).unwrap_or(u32::MAX)
}

/// A hash of the moves played so far. Each byte of the start and each move takes one step. The two lanes begin with
/// different numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Hash([u64; 2]);

impl Hash {
    const BEGUN: Self = Self([0x7472_6964_6578_0001, 0x7472_6964_6578_0002]);

    /// Uses our own random numbers, which no change in a library can affect.
    fn step(self, word: u64) -> Self {
        Self(self.0.map(|lane| Dice::nth(lane, word).next_number()))
    }
}

/// The hashes of a record: of its start, and after each move.
pub(super) fn hashes(record: &[u8]) -> impl Iterator<Item = Hash> {
    let (start, moves) = record.split_at(START.min(record.len()));
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
    use tridex_rules::RuleSystem;
    use tridex_rules::random;

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
        let records: [(u8, &[u8]); 6] = [
            (0, &[]),
            (1, &[]),
            (0, &[1, 2, 0]),
            (0, &[1, 2, 0, 0, 0, 0]),
            (0, &[2, 1, 0]),
            (1, &[1, 2, 0]),
        ];
        let hashes = records.map(|(start, moves)| hash(&[&[start; START], moves].concat()));
        for (i, one) in hashes.iter().enumerate() {
            assert!(hashes.iter().skip(i + 1).all(|other| other != one));
        }
        let [one, other] = [5_120_552_615_428_848_754, 6_317_609_787_041_571_851];
        assert_eq!(hashes[2], Hash([one, other]));
    }
}
