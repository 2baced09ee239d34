//! Properties of all positions and all texts, each as a function that checks one case.
//!
//! Tests call these functions with the positions of random games, and fuzzers call them with bytes. A property that
//! holds returns `Ok(())`. Otherwise the error names the property, the position or the text, and what was found. The
//! functions themselves never panic, so a panic is always a bug in the code under test.
//!
//! They are in this crate because most of them need both the rules and the notations.
//!
//! ```
//! use tridex_notation::laws;
//! use tridex_rules::{Position, RuleSystem};
//!
//! for rules in RuleSystem::ALL {
//!     let start = Position::start(*rules);
//!     laws::every_ply(&start)?;
//!     laws::written_is_read(&start, &Default::default())?;
//! }
//! # Ok::<(), laws::Broken>(())
//! ```

mod games;
mod mirror;
mod moves;
mod slow;
mod texts;

pub use games::crosses_notations;
pub use mirror::{Mirror, perft_is_mirrored};
pub use moves::{
    board_moves_are_listed, every_move, explains_what_is_illegal, illegal_is_refused,
    legal_is_listed, moves_to_are_listed,
};
pub use slow::{attacks_are_slow, fast_is_slow, fast_list_is_slow_list};
pub use texts::{
    a_plain_token_has_one_candidate, position_string_is_stable, setup_is_stable, token_is_stable,
    token_means_legal_moves, written_is_read,
};

use crate::Fen;
use tridex_rules::{MoveList, Outcome, Position};

/// A property that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The property, in a few words.
    pub law: &'static str,
    /// Where: the rule system and the position string, or the text that was read.
    pub at: String,
    /// What was found instead.
    pub found: String,
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "not so: {}: {} at {}", self.law, self.found, self.at)
    }
}

impl std::error::Error for Broken {}

/// The result of checking a property in one case.
pub type Held = Result<(), Broken>;

/// Describes the case: rule system and position string.
fn place(position: &Position) -> String {
    let setup = Fen::of(position).to_string();
    format!("{} {setup}", position.rules().name())
}

/// A property in a few words, and a function that describes the case.
struct Law<At>(&'static str, At);

impl<At: Fn() -> String> Law<At> {
    /// Returns `Ok` if the condition holds, otherwise an error with what was found.
    fn holds(self, condition: bool, found: &dyn std::fmt::Debug) -> Held {
        if condition {
            return Ok(());
        }
        Err(Broken {
            law: self.0,
            at: (self.1)(),
            found: format!("{found:?}"),
        })
    }
}

/// Checks the properties of a position that are cheap enough for every ply of every game: the round trips of its setup
/// and its position string, its key, check and outcome against the list of moves, the moves of the attack boards, and
/// that every listed move is legal and listed once.
///
/// # Errors
/// The first property that does not hold.
pub fn every_ply(position: &Position) -> Held {
    let mut moves = position.legal_moves();
    position_is_its_setup(position)?;
    outcome_fits(position, moves.is_empty())?;
    moves::boards_fit(position, &moves)?;
    each_is_legal_once(position, &mut moves)
}

/// `from_setup(to_setup(p)) == p`. The key is the same whether it was updated move by move or computed from the setup,
/// and the position string of the setup is read as the same setup.
///
/// # Errors
/// If the property does not hold.
pub fn position_is_its_setup(position: &Position) -> Held {
    let setup = position.to_setup();
    let (law, at) = ("from_setup(to_setup(p)) == p", || place(position));
    match Position::from_setup(position.rules(), &setup) {
        Ok(again) => {
            Law("the key updated move by move is the key of the setup", at).holds(
                again.key() == position.key(),
                &(position.key(), again.key()),
            )?;
            Law(law, at).holds(
                again == *position && again.to_setup() == setup,
                &(&again, &position),
            )?;
        }
        Err(fault) => Law(law, at).holds(false, &fault)?,
    }
    setup_is_stable(&setup)
}

/// Check, mate, stalemate and the outcome agree with the list of legal moves and with the attackers of the king.
///
/// # Errors
/// If the property does not hold.
pub fn outcome_agrees(position: &Position) -> Held {
    outcome_fits(position, position.legal_moves().is_empty())
}

fn outcome_fits(position: &Position, none: bool) -> Held {
    let law = "check, mate and outcome agree with moves and attackers";
    let at = || place(position);
    let turn = position.turn();
    let attackers = position.attackers(position.king(turn), turn.other());
    let check = position.is_check();
    Law(law, at).holds(check != attackers.is_empty(), &(&check, &attackers))?;
    Law(law, at).holds(position.has_legal_move() != none, &!none)?;
    Law(law, at).holds(
        position.is_checkmate() == (check && none),
        &position.is_checkmate(),
    )?;
    let other = position.king(turn.other());
    Law(law, at).holds(position.attackers(other, turn).is_empty(), &other)?;
    let fits = match position.outcome() {
        Some(Outcome::Checkmate { winner }) => check && none && winner == turn.other(),
        Some(Outcome::Stalemate) => !check && none,
        Some(Outcome::Material) => position.is_dead(),
        Some(Outcome::Repetition) => false,
        None => !none && !position.is_dead(),
    };
    Law(law, at).holds(fits, &position.outcome())
}

/// Every listed move is legal, and listed once.
fn each_is_legal_once(position: &Position, moves: &mut MoveList) -> Held {
    let at = || place(position);
    moves.sort_unstable();
    let mut before = None;
    for m in moves {
        Law("a listed move is legal", at).holds(position.is_legal(*m), &m)?;
        Law("a move is listed once", at).holds(before != Some(*m), &m)?;
        before = Some(*m);
    }
    Ok(())
}
