//! Options that would have no effect.
//!
//! An option that would be ignored because of others on the command line is refused by name, before anything is read or
//! written: each command begins with [`Ineffective::unless`]. An option that requests what the command does anyway is
//! accepted, such as `--marks` in a notation that always has marks. `tests/data/options.txt` tries every option of every
//! command.

use crate::failure::Failure;
use crate::session::Session;
use tridex_notation::Notation;

/// Options that have no effect unless something holds, and why.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ineffective<'t> {
    /// The long names of the options, without `--`.
    pub(crate) options: &'static [&'static str],
    /// Where they have no effect: the words after "--option has no effect".
    pub(crate) where_: &'t str,
    /// What to do instead.
    pub(crate) instead: &'t str,
}

impl Ineffective<'_> {
    /// Refuses the first of the options that is on the command line, unless the options have an effect.
    ///
    /// # Errors
    /// If such an option was given.
    pub(crate) fn unless(self, has_effect: bool, session: &Session) -> Result<(), Failure> {
        let Self {
            options,
            where_,
            instead,
        } = self;
        // All names are looked up even if all have an effect: in debug builds a wrong name panics, so that tests find it.
        let is_given = |name: &&&str| session.is_given(&name.replace('-', "_"));
        match options.iter().find(is_given) {
            Some(name) if !has_effect => Err(Failure::Message(format!(
                "--{name} has no effect {where_}; {instead}"
            ))),
            _ => Ok(()),
        }
    }
}

/// Refuses a language of piece letters for a notation that has no letters.
pub(crate) fn check_letters(session: &Session, target: Option<Notation>) -> Result<(), Failure> {
    let letters = Ineffective {
        options: &["to-locale"],
        where_: "in the manual's notation, which has no piece letters",
        instead: "omit it, or choose another notation (--to)",
    };
    letters.unless(target != Some(Notation::Manual), session)
}

/// Refuses a style of pawn captures outside Meder's notation.
pub(crate) fn check_captures(session: &Session, target: Option<Notation>) -> Result<(), Failure> {
    let captures = Ineffective {
        options: &["pawn-captures"],
        where_: "outside Meder's notation",
        instead: "omit it, or choose that notation (--to meder)",
    };
    let is_meder = target.is_none_or(|notation| notation == Notation::Meder);
    captures.unless(is_meder, session)
}
