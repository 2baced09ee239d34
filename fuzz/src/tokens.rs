//! Tokens of the move notations, read in positions of random games.

use crate::held;
use std::sync::OnceLock;
use tridex_geometry::Family;
use tridex_notation::{Locale, Notation, laws, readings};
use tridex_rules::random::{Dice, game};
use tridex_rules::{Position, RuleSystem};

/// Games of each system from which positions are taken.
const GAMES: u64 = 12;
/// A position is taken every so many plies.
const EVERY: usize = 9;
/// Lines of one input that are read; the rest would only repeat what they do.
const LINES: usize = 6;
/// The same where they are played with, too.
const MEANT: usize = 4;

/// Positions of random games of a board family.
fn pool(family: Family) -> &'static [Position] {
    static POOLS: OnceLock<[Vec<Position>; 2]> = OnceLock::new();
    let pools = POOLS.get_or_init(|| [Family::Stair, Family::Cube].map(positions));
    match family {
        Family::Stair => &pools[0],
        Family::Cube => &pools[1],
    }
}

fn positions(family: Family) -> Vec<Position> {
    let mut pool = Vec::new();
    for rules in RuleSystem::ALL.iter().filter(|r| r.family() == family) {
        for index in 0..GAMES {
            let mut position = Position::start(*rules);
            let moves = game(*rules, &mut Dice::nth(0xF022, index), 140);
            for (ply, m) in moves.into_iter().enumerate() {
                if ply % EVERY == index as usize % EVERY {
                    pool.push(position.clone());
                }
                position.play_unchecked(m);
            }
            pool.push(position);
        }
    }
    pool
}

/// Every line of the data is a token: it is read or refused as the laws say, in the language of its tags and in one
/// other.
///
/// # Panics
/// If a law is broken.
pub fn read(notation: Notation, data: &[u8]) {
    for (number, token) in data.split(|b| *b == b'\n').take(LINES).enumerate() {
        held(laws::token_is_stable(notation, token, None));
        let nth = dice(token, number).below(Locale::ALL.len() as u32);
        let locale = Locale::ALL[nth as usize];
        held(laws::token_is_stable(notation, token, Some(locale)));
        if notation == Notation::Meder {
            for (locale, text) in readings(notation, token, None) {
                assert!(
                    usize::from(text.suffix) <= token.len(),
                    "{locale:?}: {text:?}"
                );
            }
        }
    }
}

/// Every line of the data is a token. The first byte says of which notation; what it means in some positions of both
/// board families are legal moves, written and read again.
///
/// # Panics
/// If a law is broken.
pub fn meaning(data: &[u8]) {
    let (first, rest) = data.split_first().unwrap_or((&0, &[]));
    let notation = Notation::ALL[usize::from(*first) % Notation::ALL.len()];
    for (number, token) in rest.split(|b| *b == b'\n').take(MEANT).enumerate() {
        let mut dice = dice(token, number);
        for family in [Family::Stair, Family::Cube] {
            let pool = pool(family);
            let tries = if family == notation.family() { 3 } else { 1 };
            for _ in 0..tries {
                let position = &pool[dice.below(pool.len() as u32) as usize];
                let locale = match dice.below(4) {
                    0 => Some(Locale::ALL[dice.below(Locale::ALL.len() as u32) as usize]),
                    _ => None,
                };
                held(laws::token_means_legal_moves(
                    position, notation, token, locale,
                ));
                held(laws::a_plain_token_has_one_candidate(
                    position,
                    notation,
                    token,
                    locale.unwrap_or(Locale::English),
                ));
            }
        }
    }
}

/// Dice that fall alike for the same token.
fn dice(token: &[u8], number: usize) -> Dice {
    // FNV-1a.
    let hash = token.iter().fold(0xCBF2_9CE4_8422_2325_u64, |hash, b| {
        (hash ^ u64::from(*b)).wrapping_mul(0x0100_0000_01B3)
    });
    Dice::nth(hash, number as u64)
}
