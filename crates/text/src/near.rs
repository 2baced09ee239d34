//! Suggests names for a misspelt word.

use strsim::osa_distance;

/// Returns the names that are closest to an unknown word. They may be at most one slip away, or two if the name is
/// long. A slip is an extra, missing or wrong character, or two adjacent characters exchanged. If no name is that
/// close, returns those that begin with the word, provided that it has at least three characters. Case, hyphens,
/// underscores and blanks do not matter.
///
/// ```
/// use tridex_text::near;
/// assert_eq!(near("playr", &["player", "plies"]), ["player"]);
/// assert_eq!(near("mill", &["meder", "millennium"]), ["millennium"]);
/// assert_eq!(near("UTF16", &["utf-8", "utf-16be", "utf-16le"]), ["utf-16be", "utf-16le"]);
/// assert!(near("size", &["player", "plies"]).is_empty());
/// ```
#[must_use]
pub fn near<'n>(word: &str, names: &[&'n str]) -> Vec<&'n str> {
    // A long text is not a misspelt name.
    if word.len() > 64 {
        return Vec::new();
    }
    let word = plain(word);
    let slips = |name: &str| {
        let name = plain(name);
        let slips = osa_distance(&word, &name);
        // Two slips would leave too little of a short name.
        (slips <= 1 + usize::from(name.len() > 6)).then_some(slips)
    };
    let least = names.iter().filter_map(|name| slips(name)).min();
    let is_near = |name: &str| match least {
        Some(_) => slips(name) == least,
        None => word.chars().count() >= 3 && plain(name).starts_with(&word),
    };
    names.iter().copied().filter(|name| is_near(name)).collect()
}

/// A name in lower case without hyphens, underscores and blanks.
fn plain(name: &str) -> String {
    let parts = name.split(|c: char| matches!(c, '-' | '_') || c.is_whitespace());
    parts.collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_slips_beginnings_and_other_signs_are_found() {
        let names = [
            "player", "from-top", "white", "whites", "utf-16be", "utf-16le", "QL",
        ];
        for (word, found) in [
            ("plyaer", &["player"] as &[_]),
            ("Player", &["player"]),
            ("fromtop", &["from-top"]),
            ("from_top", &["from-top"]),
            ("whit", &["white"]),
            ("wh", &[]),
            ("utf16", &["utf-16be", "utf-16le"]),
            ("pla", &["player"]),
            ("", &[]),
            ("ql", &["QL"]),
            ("draughts", &[]),
        ] {
            assert_eq!(near(word, &names), found, "{word}");
        }
        assert!(near(&"white".repeat(1_000), &names).is_empty());
    }
}
