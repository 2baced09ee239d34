//! Laws that hold for every position and every text, each written once, as a function.
//!
//! Tests call them over random games, fuzzing over bytes. A law that holds gives `Ok(())`; one that is broken names
//! which, where (a position string or the text), and how. Nothing here panics on any input, so that a panic below a law
//! is a finding of its own.
//!
//! They are in this crate because most of them need rules and spelling together.
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
    position_string_is_stable, san_is_what_the_grammar_reads, setup_is_stable, token_is_stable,
    token_means_legal_moves, written_is_read,
};

use crate::position_string;
use tridex_rules::{MoveList, Outcome, Position};

/// A law that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// Which law, in a few words.
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

/// The result of a law for one case.
pub type Held = Result<(), Broken>;

/// Where a law was tried: rule system and position string.
fn place(position: &Position) -> String {
    let setup = position_string::to_string(&position.to_setup());
    format!("{} {setup}", position.rules().name())
}

/// Holds if the condition does; otherwise broken, with what was found.
fn hold(
    condition: bool,
    law: &'static str,
    at: impl FnOnce() -> String,
    found: impl FnOnce() -> String,
) -> Held {
    if condition {
        return Ok(());
    }
    Err(Broken {
        law,
        at: at(),
        found: found(),
    })
}

/// The laws of a position that are cheap enough for every ply of every game: setup and position string round trips, the
/// key, check and outcome against the list of moves, and that every listed move is legal and listed once.
///
/// # Errors
/// The first law that is broken.
pub fn every_ply(position: &Position) -> Held {
    let mut moves = position.legal_moves();
    position_is_its_setup(position)?;
    outcome_fits(position, moves.is_empty())?;
    moves::boards_fit(position, &moves)?;
    each_is_legal_once(position, &mut moves)
}

/// `from_setup(to_setup(p)) == p`, with the same key whether it was updated move by move or computed from nothing; and the position
/// string of the setup reads back as the setup.
///
/// # Errors
/// If it is broken.
pub fn position_is_its_setup(position: &Position) -> Held {
    let setup = position.to_setup();
    let at = || place(position);
    match Position::from_setup(position.rules(), &setup) {
        Ok(again) => {
            hold(
                again.key() == position.key(),
                "the key updated move by move is the key of the setup",
                at,
                || format!("{:016x} and {:016x}", position.key(), again.key()),
            )?;
            hold(
                again == *position && again.to_setup() == setup,
                "from_setup(to_setup(p)) == p",
                at,
                || format!("{again:?} from {position:?}"),
            )?;
        }
        Err(fault) => {
            return hold(false, "from_setup(to_setup(p)) == p", at, || {
                fault.to_string()
            });
        }
    }
    setup_is_stable(&setup)
}

/// Check, mate, stalemate and the outcome agree with the list of legal moves and with who attacks the king.
///
/// # Errors
/// If it is broken.
pub fn outcome_agrees(position: &Position) -> Held {
    outcome_fits(position, position.legal_moves().is_empty())
}

fn outcome_fits(position: &Position, none: bool) -> Held {
    let law = "check, mate and outcome agree with moves and attackers";
    let at = || place(position);
    let turn = position.turn();
    let attackers = position.attackers(position.king(turn), turn.other());
    let check = position.is_check();
    hold(check != attackers.is_empty(), law, at, || {
        format!("is_check is {check}, attackers {attackers:?}")
    })?;
    hold(position.has_legal_move() != none, law, at, || {
        format!("has_legal_move is {}", !none)
    })?;
    hold(position.is_checkmate() == (check && none), law, at, || {
        format!("is_checkmate is {}", position.is_checkmate())
    })?;
    let other = position.king(turn.other());
    hold(position.attackers(other, turn).is_empty(), law, at, || {
        "the side that is not to move is in check".to_owned()
    })?;
    let fits = match position.outcome() {
        Some(Outcome::Checkmate { winner }) => check && none && winner == turn.other(),
        Some(Outcome::Stalemate) => !check && none,
        Some(Outcome::Material) => position.is_dead(),
        Some(Outcome::Repetition) => false,
        None => !none && !position.is_dead(),
    };
    hold(fits, law, at, || {
        format!("outcome {:?}", position.outcome())
    })
}

/// Every listed move is legal, and listed once.
fn each_is_legal_once(position: &Position, moves: &mut MoveList) -> Held {
    moves.sort_unstable();
    let mut before = None;
    for m in moves {
        hold(
            position.is_legal(*m),
            "a listed move is legal",
            || place(position),
            || format!("{m:?} is not"),
        )?;
        hold(
            before != Some(*m),
            "a move is listed once",
            || place(position),
            || format!("{m:?} twice"),
        )?;
        before = Some(*m);
    }
    Ok(())
}
