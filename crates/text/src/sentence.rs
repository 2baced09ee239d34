//! Lists in sentences.

/// Joins items for a sentence: `a`, `a and b`, `a, b and c`, with `word` before the last.
///
/// ```
/// use tridex_text::enumeration;
///
/// assert_eq!(enumeration(&["meder", "manual", "federation"], "or"), "meder, manual or federation");
/// assert_eq!(enumeration(&["meder"], "or"), "meder");
/// ```
#[must_use]
pub fn enumeration<S: AsRef<str>>(items: &[S], word: &str) -> String {
    let Some((last, rest)) = items.split_last() else {
        return String::new();
    };
    let rest: Vec<&str> = rest.iter().map(AsRef::as_ref).collect();
    match rest.as_slice() {
        [] => last.as_ref().to_owned(),
        rest => format!("{} {word} {}", rest.join(", "), last.as_ref()),
    }
}
