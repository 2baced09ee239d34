//! Names for a misspelt word.

use strsim::osa_distance;

/// Returns the names that an unknown word may be meant for: those that are one slip away, or two if the name is long. A slip is
/// a character too many or too few, another one, or two exchanged. If there are none, returns those of which the word is the
/// beginning, three letters at least. Case does not matter.
///
/// ```
/// use tridex_grammar::near;
/// assert_eq!(near("playr", &["player", "plies"]), ["player"]);
/// assert_eq!(near("mill", &["meder", "millennium"]), ["millennium"]);
/// assert!(near("size", &["player", "plies"]).is_empty());
/// ```
#[must_use]
pub fn near<'n>(word: &str, names: &[&'n str]) -> Vec<&'n str> {
    let word = word.trim().to_lowercase();
    // A long text is no misspelt name.
    if word.len() > 64 {
        return Vec::new();
    }
    let slips = |name: &str| {
        let slips = osa_distance(&word, &name.to_lowercase());
        // In a short name two slips leave little of it.
        (slips <= 1 + usize::from(name.len() > 6)).then_some(slips)
    };
    let least = names.iter().filter_map(|name| slips(name)).min();
    let is_near = |name: &str| match least {
        Some(_) => slips(name) == least,
        None => word.chars().count() >= 3 && name.to_lowercase().starts_with(&word),
    };
    names.iter().copied().filter(|name| is_near(name)).collect()
}
