//! What a token means, in words.

use crate::names;
use pyo3::prelude::*;
use tridex_core::Notation;
use tridex_core::notation::meaning::meanings;

/// Put into words what a move of a score sheet means: one text for each meaning, the likeliest first. Without a notation
/// and a language, every notation and language is tried. The list is empty if the token is not a move.
///
/// >>> for words in tridex.explain("Rd0KL1"):
/// ...     print(words)
/// a rook moves to d0KL1 (Meder's notation, in English)
/// a king moves to d0KL1 (Meder's notation, in French, Spanish and Italian)
/// >>> tridex.explain("Rd0KL1", locale="fr")[0].split(" (")[0]
/// 'a king moves to d0KL1'
/// >>> tridex.explain("nonsense")
/// []
#[pyfunction]
#[pyo3(signature = (token, *, notation=None, locale=None))]
pub(crate) fn explain(
    token: &str,
    notation: Option<&str>,
    locale: Option<&str>,
) -> PyResult<Vec<String>> {
    let notations = match notation {
        Some(name) => vec![names::notation(name)?],
        None => Notation::ALL.to_vec(),
    };
    let locale = locale.map(names::locale).transpose()?;
    let found = meanings(token.as_bytes(), &notations, locale).into_iter();
    let found = found.map(|meaning| format!("{} ({})", meaning.words(), meaning.source()));
    Ok(found.collect())
}
