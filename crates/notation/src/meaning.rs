//! Explains in plain English what a token means, without a position.
//!
//! [`meanings`] parses a token in every notation, language and program, and [`Meaning::words`] puts each different
//! result into words. If nothing can read the token, [`near_tokens`] lists spellings that differ in one place and can be
//! read.
//!
//! ```
//! use tridex_notation::meaning::meanings;
//! use tridex_notation::{Locale, Notation};
//!
//! let found = meanings(b"Rd0KL1", &Notation::ALL, None);
//! assert_eq!(found[0].words(), "a rook moves to d0KL1");
//! // In French, Spanish and Italian, R is the letter of the king.
//! assert_eq!(found[1].words(), "a king moves to d0KL1");
//! assert_eq!(found[1].locales, [Locale::French, Locale::Spanish]);
//! ```

mod near;
#[cfg(test)]
mod tests;
mod words;

pub use near::{NEAR_TOKENS, NearToken, near_tokens};
pub use words::{Named, castling_way};

use crate::text::{Locale, MoveText, Notation, TokenNotes};
use crate::{Program, parse};
use tridex_grammar::SyntaxError;

/// One meaning of a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meaning {
    /// The notation in which the token can be read. For a program it is the one that messages about it use.
    pub notation: Notation,
    /// The program, if the token is in its dialect.
    pub program: Option<Program>,
    /// The languages in which the token has this meaning, in the order of [`Locale::ALL`]. Empty for a program.
    pub locales: Vec<Locale>,
    /// The parsed token, read in the first of the languages.
    pub text: MoveText,
}

impl Meaning {
    /// Whether every language gives the token this meaning, because it has no letters that differ.
    ///
    /// ```
    /// use tridex_notation::Notation;
    /// use tridex_notation::meaning::meanings;
    ///
    /// assert!(meanings(b"b4N", &[Notation::Meder], None)[0].is_in_every_language());
    /// assert!(!meanings(b"Nb4N", &[Notation::Meder], None)[0].is_in_every_language());
    /// ```
    #[must_use]
    pub fn is_in_every_language(&self) -> bool {
        self.locales.len() == Locale::ALL.len()
    }
}

/// Returns every meaning of a token in some notations: in one language, or in all of them. Languages that give the same
/// meaning are listed together. Without a language and with several notations, the dialects of programs whose
/// [notation](Program::notation) is among them are read too, unless a notation gives the same meaning. Unusual spellings
/// are read only if the token is not spelled as one of the notations spells it.
#[must_use]
pub fn meanings(token: &[u8], notations: &[Notation], locale: Option<Locale>) -> Vec<Meaning> {
    let mut found: Vec<Meaning> = Vec::new();
    for notation in notations {
        let first = found.len();
        for locale in chosen(locale) {
            let Ok(text) = parse(*notation, token, Some(locale)) else {
                continue;
            };
            let own = found.iter_mut().skip(first);
            match own.into_iter().find(|known| is_same(&known.text, &text)) {
                Some(known) => known.locales.push(locale),
                None => found.push(Meaning {
                    notation: *notation,
                    program: None,
                    locales: vec![locale],
                    text,
                }),
            }
        }
    }
    if locale.is_none() && notations.len() > 1 {
        let known = |program: &Program| notations.contains(&program.notation());
        for program in Program::ALL.into_iter().filter(known) {
            let Ok(text) = program.parse(token) else {
                continue;
            };
            if !found.iter().any(|known| is_same(&known.text, &text)) {
                found.push(Meaning {
                    notation: program.notation(),
                    program: Some(program),
                    locales: Vec::new(),
                    text,
                });
            }
        }
    }
    // If the token is spelled as some notation spells it, deviations from the others are not meant.
    if found.iter().any(is_usual) {
        found.retain(is_usual);
    }
    // English first, because most records are.
    let first = locale.unwrap_or(Locale::English);
    found.sort_by_key(|meaning| {
        let is_first = meaning.locales.contains(&first);
        (meaning.program.is_some(), !is_first)
    });
    found
}

/// Why a token is no move in some notations: for each, the error of the language that could read most of it.
///
/// ```
/// use tridex_notation::Notation;
/// use tridex_notation::meaning::faults;
///
/// let found = faults(b"Nc2Y", &[Notation::Meder], None);
/// assert_eq!(found[0].1.offset, 3);
/// ```
#[must_use]
pub fn faults(
    token: &[u8],
    notations: &[Notation],
    locale: Option<Locale>,
) -> Vec<(Notation, SyntaxError)> {
    let of = |notation: &Notation| {
        let errors =
            chosen(locale).filter_map(|locale| parse(*notation, token, Some(locale)).err());
        // Of several equal maxima `max_by_key` returns the last; the first is the English one.
        let errors: Vec<SyntaxError> = errors.collect();
        let furthest = errors.into_iter().rev().max_by_key(|error| error.offset)?;
        Some((*notation, furthest))
    };
    notations.iter().filter_map(of).collect()
}

/// The languages to read: the one that is named, or all.
fn chosen(locale: Option<Locale>) -> impl Iterator<Item = Locale> + Clone {
    let all = Locale::ALL.into_iter();
    all.filter(move |other| locale.is_none_or(|locale| locale == *other))
}

/// Whether the spelling is that of the notation.
fn is_usual(meaning: &Meaning) -> bool {
    meaning.text.notes.is_empty()
}

/// Whether two parsed tokens mean the same, regardless of how unusual their spelling was.
fn is_same(one: &MoveText, other: &MoveText) -> bool {
    let plain = |text: &MoveText| MoveText {
        notes: TokenNotes::NONE,
        ..*text
    };
    plain(one) == plain(other)
}
