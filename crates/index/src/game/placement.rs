//! The key games are found by: what stands where, and whose turn it is.
//!
//! It leaves castling rights, lost double steps and en passant out, so that one list of positions serves both the exact
//! question (ruling C7), which is settled by replay, and the loose one. It is the sum without carry of one number for
//! each piece on its square, one for each attack board on its pin, and one if Black is to move. The numbers are our own
//! and never change, for indices are ordered by them: SplitMix64 started at a fixed seed.

use tridex_geometry::stair::{AttackBoard, Pin};
use tridex_geometry::{Family, Square};
use tridex_rules::Color;

/// The number of this way to make keys.
pub(crate) const PLACEMENT_KEY_VERSION: u32 = 1;

struct Numbers {
    stair: [[u64; 12]; 64],
    cube: [[u64; 12]; Square::CAPACITY],
    pins: [[u64; Pin::COUNT]; 4],
    black: u64,
}

const fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = *state;
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

const fn fill<const N: usize, const M: usize>(state: &mut u64) -> [[u64; N]; M] {
    let mut table = [[0; N]; M];
    let mut i = 0;
    while i < M {
        let mut j = 0;
        while j < N {
            table[i][j] = next(state);
            j += 1;
        }
        i += 1;
    }
    table
}

static NUMBERS: Numbers = {
    let mut state = 0x7472_6964_6578_0101; // "tridex", placement keys, version 1
    Numbers {
        stair: fill(&mut state),
        cube: fill(&mut state),
        pins: fill(&mut state),
        black: next(&mut state),
    }
};

/// The number of a piece (0 to 11, White's pawn first) on a square.
#[inline]
pub(crate) fn piece(family: Family, piece: usize, square: Square) -> u64 {
    match family {
        Family::Stair => NUMBERS.stair[square.index() & 63][piece],
        Family::Cube => NUMBERS.cube[square.index()][piece],
    }
}

/// The number of a board on a pin.
#[inline]
pub(crate) fn pin(board: AttackBoard, pin: Pin) -> u64 {
    NUMBERS.pins[board as usize][pin.index()]
}

/// The number of a turn.
#[inline]
pub(crate) fn turn(color: Color) -> u64 {
    match color {
        Color::White => 0,
        Color::Black => NUMBERS.black,
    }
}

#[cfg(test)]
mod tests {
    use crate::game::systems;
    use tridex_rules::RuleSystem;

    #[test]
    fn keys_never_change() {
        let keys: Vec<_> = RuleSystem::ALL
            .iter()
            .map(|rules| {
                let start = systems::start(systems::code(*rules)).unwrap();
                format!("{:016x}", start.board.key())
            })
            .collect();
        let pinned = [
            "5d4d6ebb91166919",
            "03abc32b07cc4b3c",
            "54ca2f39e1b98b17",
            "ebd84223273b550e",
            "ebd84223273b550e",
        ];
        assert_eq!(keys, pinned);
    }
}
