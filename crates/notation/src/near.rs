//! Names with a slip.

use strsim::osa_distance;

/// The names nearest to an unknown one, if they are one slip away, or two where the name is long: a
/// character too many or too few, another one, two exchanged. The case of letters does not matter.
///
/// ```
/// use tridex_notation::near;
/// assert_eq!(near("playr", &["player", "plies"]), ["player"]);
/// assert!(near("size", &["player", "plies"]).is_empty());
/// ```
pub fn near<'n>(text: &str, names: &[&'n str]) -> Vec<&'n str> {
    let text = text.trim().to_lowercase();
    // A long text is no name with a slip.
    if text.len() > 64 {
        return Vec::new();
    }
    let slips = |name: &str| {
        let slips = osa_distance(&text, name);
        // In a short name two slips leave little of it.
        (slips <= 1 + usize::from(name.len() > 6)).then_some(slips)
    };
    let least = names.iter().filter_map(|name| slips(name)).min();
    let nearest = names
        .iter()
        .filter(|name| least.is_some() && slips(name) == least);
    nearest.copied().collect()
}
