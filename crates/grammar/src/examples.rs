//! Runs the examples of a grammar file through the functions of the same names.
//!
//! A grammar is a text of rules `name = ... ;`, each of which begins on a new line. The examples of a rule follow it,
//! one per comment: the rule must accept the whole text of `(* + text *)` and must reject that of `(* - text *)`. A
//! text that is empty or begins or ends with a blank is written in double quotes.

use crate::{ParseStop, whole};
use nom::{Input, Parser};

/// Returns whether a rule accepts a whole text.
pub fn takes<I: Input, T>(text: I, rule: impl Parser<I, Output = T, Error = ParseStop>) -> bool {
    whole(text, "the end", rule).is_ok()
}

/// Returns whether a rule accepts a whole text; `I` is [`str`] or bytes.
pub type Accepts<I> = fn(&I) -> bool;

/// A rule of the grammar, and the numbers of its accepted and rejected examples.
struct Seen<'t, I: ?Sized> {
    name: &'t str,
    accepts: Accepts<I>,
    counts: [usize; 2],
}

/// Checks every example of a grammar. `functions` contains the name and the function of each rule.
///
/// # Panics
/// If the function of a rule disagrees with an example, if a rule has no function, is written twice or lacks an
/// accepted or a rejected example, if a function has no rule, or if an example precedes all rules.
pub fn check<I: ?Sized>(grammar: &str, functions: &[(&str, Accepts<I>)])
where
    str: AsRef<I>,
{
    let mut rules: Vec<Seen<'_, I>> = Vec::new();
    for line in grammar.lines() {
        if let Some((is_accepted, text)) = example(line.trim()) {
            let Some(rule) = rules.last_mut() else {
                panic!("example {text:?} before any rule");
            };
            let (name, found) = (rule.name, (rule.accepts)(text.as_ref()));
            assert_eq!(found, is_accepted, "rule {name}, example {text:?}");
            rule.counts[usize::from(!is_accepted)] += 1;
        } else if let Some(name) = rule_name(line) {
            let found = functions.iter().find(|(known, _)| *known == name);
            let Some((_, accepts)) = found else {
                panic!("rule {name} has no function");
            };
            let is_new = rules.iter().all(|rule| rule.name != name);
            assert!(is_new, "rule {name} is written twice");
            rules.push(Seen {
                name,
                accepts: *accepts,
                counts: [0; 2],
            });
        }
    }
    for Seen { name, counts, .. } in &rules {
        assert!(counts[0] > 0, "rule {name} has no accepted example");
        assert!(counts[1] > 0, "rule {name} has no rejected example");
    }
    for (name, _) in functions {
        let has_rule = rules.iter().any(|rule| rule.name == *name);
        assert!(has_rule, "function {name} has no rule");
    }
}

/// The example in a comment, and whether it must be accepted.
fn example(comment: &str) -> Option<(bool, &str)> {
    let inside = comment.strip_prefix("(*")?.strip_suffix("*)")?.trim();
    let text = inside.strip_prefix(['+', '-'])?;
    if !text.is_empty() && !text.starts_with(' ') {
        return None;
    }
    let text = text.trim();
    let quoted = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
    let is_padded = |text: &&str| text.trim().len() < text.len() || text.is_empty();
    Some((
        inside.starts_with('+'),
        quoted.filter(is_padded).unwrap_or(text),
    ))
}

/// The name of the rule that begins on a line.
fn rule_name(line: &str) -> Option<&str> {
    let (name, _) = line.split_once(" =")?;
    let is_part = |b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_');
    (!name.is_empty() && name.bytes().all(is_part)).then_some(name)
}
