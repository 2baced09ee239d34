//! Spellings near a token that no notation can read.

use super::{Meaning, faults, is_same, is_usual, meanings};
use crate::readings::repairs;
use crate::text::{Locale, Notation};

/// The maximum number of spellings that [`near_tokens`] returns.
pub const NEAR_TOKENS: usize = 6;

/// The longest token whose neighbours are tried. No notation needs more bytes.
const LONGEST: usize = 32;

/// What may be missing or wrong in a token: the characters of the notations, without national letters.
const CHARACTERS: &[u8] = b"WNB123456789abcdefzKQRLPgh0ABCDEFGHklqx-,=/";

/// A spelling near a token, and its first meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NearToken {
    /// The spelling.
    pub token: String,
    /// What it means.
    pub meaning: Meaning,
}

/// Returns up to [`NEAR_TOKENS`] spellings that differ from a token in one place and can be read: likely misread
/// characters first, then a character removed, changed or added, the nearest to the place where a parser stopped first.
/// A meaning is returned once, and unusual spellings only if there are no others.
///
/// ```
/// use tridex_notation::Notation;
/// use tridex_notation::meaning::near_tokens;
///
/// let found = near_tokens(b"Nc2Y", &[Notation::Meder], None);
/// assert_eq!(found[0].token, "Nc2W");
/// ```
#[must_use]
pub fn near_tokens(token: &[u8], notations: &[Notation], locale: Option<Locale>) -> Vec<NearToken> {
    let mut found: Vec<NearToken> = Vec::new();
    if token.len() > LONGEST {
        return found;
    }
    // The parser that could read most of the token shows best where it is wrong.
    let stops = faults(token, notations, locale).into_iter();
    let stop = stops
        .map(|(_, fault)| fault.offset)
        .max()
        .unwrap_or_default();
    let mut places: Vec<usize> = (0..=token.len()).collect();
    places.sort_by_key(|place| place.abs_diff(stop));
    let changed = places
        .into_iter()
        .flat_map(|place| changed_at(token, place));
    for spelling in repairs(token).into_iter().chain(changed) {
        let Ok(spelling) = String::from_utf8(spelling) else {
            continue;
        };
        let mut read = meanings(spelling.as_bytes(), notations, locale).into_iter();
        let possible = read.find(|meaning| meaning.missing_square().is_none());
        let is_new = |meaning: &Meaning| {
            let of = |known: &NearToken| (known.meaning.notation, known.meaning.program);
            let is_known = |known: &NearToken| {
                of(known) == (meaning.notation, meaning.program)
                    && is_same(&known.meaning.text, &meaning.text)
            };
            !found.iter().any(is_known)
        };
        if let Some(meaning) = possible.filter(is_new) {
            found.push(NearToken {
                token: spelling,
                meaning,
            });
        }
    }
    if found.iter().any(|near| is_usual(&near.meaning)) {
        found.retain(|near| is_usual(&near.meaning));
    }
    found.truncate(NEAR_TOKENS);
    found
}

/// The token with one character removed, changed or added at an offset.
fn changed_at(token: &[u8], at: usize) -> Vec<Vec<u8>> {
    let (before, rest) = token.split_at(at.min(token.len()));
    let mut found = Vec::new();
    if let Some((_, after)) = rest.split_first() {
        found.push([before, after].concat());
        let changed = CHARACTERS.iter();
        found.extend(changed.map(|other| [before, &[*other], after].concat()));
    }
    let added = CHARACTERS
        .iter()
        .map(|other| [before, &[*other], rest].concat());
    found.extend(added);
    found
}
