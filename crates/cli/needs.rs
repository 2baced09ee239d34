//! What options need to have an effect.
//!
//! An option that would be ignored because of others on the command line is refused by name, before anything is read or
//! written: each command begins with [`check`]. An option that requests what the command does anyway is accepted, such
//! as `--marks` in a notation that always has marks. `tests/data/options.txt` tries every option of every command.

use crate::failure::Failure;
use clap::ArgMatches;
use clap::parser::ValueSource;
use std::sync::OnceLock;
use tridex_notation::Notation;

/// The options of the command line.
static GIVEN: OnceLock<ArgMatches> = OnceLock::new();

/// Notes which options are given.
pub(crate) fn note(given: Option<&ArgMatches>) {
    // This is called once, at the start.
    let _ = GIVEN.set(given.cloned().unwrap_or_default());
}

/// Refuses the first option on the command line that would have no effect, unless its need is met. `need` is the names
/// of options, a colon, and the rest of the message after "--option has no effect": why, and what to do.
///
/// # Errors
/// If such an option was given.
pub(crate) fn check(is_met: bool, need: &str) -> Result<(), Failure> {
    let given = GIVEN.get_or_init(ArgMatches::default);
    let (names, why) = need.split_once(": ").unwrap_or((need, ""));
    // In debug builds, `value_source` panics at a name that is not an option. If no option is given, all names are
    // looked up, so tests find every wrong one.
    let is_given = |name: &&str| {
        let id = name.replace('-', "_");
        given.value_source(&id) == Some(ValueSource::CommandLine)
    };
    match names.split(' ').find(is_given) {
        Some(name) if !is_met => {
            let refusal = format!("--{name} has no effect {why}");
            Err(Failure::Message(refusal))
        }
        _ => Ok(()),
    }
}

/// Refuses a language of piece letters for a notation that has no letters.
pub(crate) fn check_letters(target: Option<Notation>) -> Result<(), Failure> {
    check(
        target != Some(Notation::Manual),
        "to-locale: in the manual's notation, which has no piece letters; omit it, or choose another notation (--to)",
    )
}

/// Refuses a style of pawn captures outside Meder's notation.
pub(crate) fn check_captures(target: Option<Notation>) -> Result<(), Failure> {
    check(
        target.is_none_or(|notation| notation == Notation::Meder),
        "pawn-captures: outside Meder's notation; omit it, or choose that notation (--to meder)",
    )
}
