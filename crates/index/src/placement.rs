//! The key games are found by: what stands where, and whose turn it is.
//!
//! It leaves castling rights, lost double steps and en passant out, so that one list of positions serves both the exact
//! question (ruling C7), which is settled by replay, and the loose one. The numbers are our own and never change;
//! indices are ordered by them. They are the words of SplitMix64 started at a fixed seed.

use crate::packed::Replay;
use tridex_geometry::stair::Layout;
use tridex_geometry::{Family, SquareSet};
use tridex_rules::{Color, Role, Setup};

/// The number of this way to make keys.
pub(crate) const PLACEMENT_KEY_VERSION: u32 = 1;

const NUMBERS: [u64; 40] = {
    let mut state = 0x7472_6964_6578_0101_u64; // "tridex", placement keys, version 1
    let mut numbers = [0; 40];
    let mut i = 0;
    while i < 40 {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        numbers[i] = z ^ z >> 31;
        i += 1;
    }
    numbers
};

/// Both halves of a product folded together: every bit of both factors changes about half of the bits.
#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[inline]
fn ground(layout: Option<&Layout>, turn: Color) -> u64 {
    let pins = match layout {
        Some(layout) => layout
            .pins()
            .iter()
            .fold(0, |word, pin| word << 5 | pin.index() as u64),
        None => 0,
    };
    pins << 1 | turn as u64
}

#[inline]
fn key(family: Family, ground: u64, set: impl Fn(Color, Role) -> SquareSet<3>) -> u64 {
    let words = match family {
        Family::Stair => 1,
        Family::Cube => 3,
    };
    let mut sum = mix(ground ^ NUMBERS[36], NUMBERS[37]);
    for (r, role) in Role::ALL.into_iter().enumerate() {
        let white = set(Color::White, role);
        let black = set(Color::Black, role);
        for w in 0..words {
            let i = 6 * w + r;
            sum = sum.wrapping_add(mix(white.0[w] ^ NUMBERS[2 * i], black.0[w] ^ NUMBERS[2 * i + 1]));
        }
    }
    mix(sum ^ NUMBERS[38], NUMBERS[39])
}

/// The key of a position.
#[inline]
pub(crate) fn placement_key(at: &Replay) -> u64 {
    let position = at.position();
    key(
        position.family(),
        ground(position.layout(), position.turn()),
        |color, role| position.pieces(color, role),
    )
}

/// The key of a setup: the same as that of the position it makes, if it makes one.
pub(crate) fn setup_key(setup: &Setup) -> u64 {
    let mut sets = [[SquareSet::EMPTY; 6]; 2];
    for (square, piece) in setup.pieces() {
        sets[piece.color as usize][piece.role as usize].insert(square);
    }
    key(
        setup.family(),
        ground(setup.layout.as_ref(), setup.turn),
        |color, role| sets[color as usize][role as usize],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Dice, random_game};
    use std::collections::HashMap;
    use tridex_rules::{Position, RuleSystem};

    #[test]
    fn keys_never_change() {
        let keys: Vec<_> = RuleSystem::ALL
            .iter()
            .map(|rules| format!("{:016x}", setup_key(&rules.start())))
            .collect();
        let pinned = [
            "293c8bfb5a97ca4e",
            "c390a975de1127f7",
            "01101b27d8ad40db",
            "e37dc37bf79489fa",
            "e37dc37bf79489fa",
        ];
        assert_eq!(keys, pinned);
    }

    #[test]
    fn equal_keys_are_equal_placements_and_the_low_and_high_bits_are_spread() {
        for rules in RuleSystem::ALL {
            let mut dice = Dice::new(23);
            let mut seen: HashMap<u64, Setup> = HashMap::new();
            let mut buckets = vec![0_u32; 256];
            for _ in 0..60 {
                let mut at = Replay::new(Position::start(*rules));
                for m in random_game(*rules, 120, &mut dice) {
                    at.play(m);
                    let setup = at.position().to_setup();
                    let key = placement_key(&at);
                    assert_eq!(key, setup_key(&setup));
                    let known = seen.entry(key).or_insert_with(|| setup.clone());
                    assert_eq!(known.turn, setup.turn);
                    assert_eq!(known.layout, setup.layout);
                    assert!(known.pieces().eq(setup.pieces()));
                    buckets[(key >> 56) as usize] += 1;
                }
            }
            let most = buckets.iter().max().unwrap();
            assert!(*most < 90, "{most} of {} keys in one bucket", seen.len());
        }
    }
}
