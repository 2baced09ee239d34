//! A position on one line, in FEN's shape: `placement side castling enpassant moved halfmove fullmove`.
//!
//! The normative grammar is `grammars/position.ebnf`; its rules are named after the functions of `parser.rs`. The text
//! itself shows the board family. [`parse`] accepts extra spaces, unordered lists and missing counters. [`write()`]
//! writes every [`Setup`] in exactly one form.
//!
//! ```
//! use tridex_notation::position_string;
//!
//! let line = "4/4/4/4|4/1K2/4/4|4/4/4/4|QL@Q2:2/2|KL@K1v:2/2|ql@Q6:2/k1|kl@K6:2/2 w - - - 0 1";
//! let setup = position_string::parse(line)?;
//! assert_eq!(position_string::to_string(&setup), line);
//!
//! let error = position_string::parse("4/4/4/4|4/1X2/4/4|").unwrap_err();
//! assert_eq!(error.offset, 11);
//! # Ok::<(), tridex_notation::SyntaxError>(())
//! ```

mod fen;
pub(crate) mod parser;
pub(crate) mod printer;
pub(crate) mod ranks;

pub use fen::Fen;
pub use parser::{board_of, parse};
pub use printer::{to_string, write};

use tridex_rules::{CastlingSide, Color, Position, RuleSystem, Setup};

/// Returns the rule system for a position: `wanted`, if it is played on this board; otherwise the first system of the
/// board that allows the position, or the first of the board if none does.
///
/// ```
/// use tridex_notation::position_string::system_for;
/// use tridex_rules::RuleSystem;
///
/// let cube = RuleSystem::Chess3.start();
/// assert_eq!(system_for(&cube, Some(RuleSystem::Chess3)), RuleSystem::Chess3);
/// assert_eq!(system_for(&cube, Some(RuleSystem::Meder)), RuleSystem::Millennium);
/// assert_eq!(system_for(&RuleSystem::Manual.start(), None), RuleSystem::Manual);
/// ```
#[must_use]
pub fn system_for(setup: &Setup, wanted: Option<RuleSystem>) -> RuleSystem {
    let family = setup.family();
    if let Some(wanted) = wanted.filter(|wanted| wanted.family() == family) {
        return wanted;
    }
    let systems = || RuleSystem::ALL.iter().copied();
    let allows = |rules: &RuleSystem| Position::from_setup(*rules, setup).is_ok();
    let first = systems().find(|rules| rules.family() == family);
    let first = first.unwrap_or_default();
    systems()
        .filter(|rules| rules.family() == family)
        .find(allows)
        .unwrap_or(first)
}

/// The letters of the castling rights in canonical order.
const CASTLING_LETTERS: [(char, Color, CastlingSide); 4] = [
    ('K', Color::White, CastlingSide::King),
    ('Q', Color::White, CastlingSide::Queen),
    ('k', Color::Black, CastlingSide::King),
    ('q', Color::Black, CastlingSide::Queen),
];

#[cfg(test)]
mod tests;
