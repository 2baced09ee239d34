//! Runs the examples of a grammar file through the functions of the same names.
//!
//! A grammar is a text of rules `name = ... ;`. After each rule are its examples, one comment each: `(* + token *)`
//! is taken whole by the rule's function, `(* - token *)` is not. A token with blanks at its ends is put in double
//! quotes.

use crate::rule::{Stop, whole};
use nom::{Input, Parser};

/// Whether a rule takes a whole text.
pub(crate) fn takes<I: Input, T>(text: I, rule: impl Parser<I, Output = T, Error = Stop>) -> bool {
    whole(text, "the end", rule).is_ok()
}

/// A rule's function: whether it takes the whole token.
pub(crate) type Accepts = fn(&[u8]) -> bool;

/// Checks every example of the text, that every rule has a function and examples both ways, and that every function
/// has a rule.
pub(crate) fn check(text: &str, functions: &[(&str, Accepts)]) {
    let mut seen = Vec::new();
    let mut current: Option<(&str, Accepts, [usize; 2])> = None;
    let close = |rule: &Option<(&str, Accepts, [usize; 2])>| {
        if let Some((name, _, [good, bad])) = rule {
            assert!(*good > 0, "rule {name} has no accepted example");
            assert!(*bad > 0, "rule {name} has no rejected example");
        }
    };
    for line in text.lines() {
        let line = line.trim();
        if let Some(example) = line.strip_prefix("(*").and_then(|l| l.strip_suffix("*)")) {
            let example = example.trim();
            let (accepted, token) = match example.split_at_checked(2) {
                Some(("+ ", token)) => (true, token),
                Some(("- ", token)) => (false, token),
                _ => continue,
            };
            let token = token.trim();
            let token = token
                .strip_prefix('"')
                .and_then(|t| t.strip_suffix('"'))
                .unwrap_or(token);
            let Some((name, function, counts)) = &mut current else {
                panic!("example {token:?} before any rule");
            };
            assert_eq!(
                function(token.as_bytes()),
                accepted,
                "rule {name}, example {token:?}"
            );
            counts[usize::from(!accepted)] += 1;
        } else if let Some((name, _)) = line.split_once(" =")
            && name
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        {
            close(&current);
            let Some((_, function)) = functions.iter().find(|(known, _)| *known == name) else {
                panic!("rule {name} has no function");
            };
            assert!(!seen.contains(&name), "rule {name} is written twice");
            seen.push(name);
            current = Some((name, *function, [0; 2]));
        }
    }
    close(&current);
    for (name, _) in functions {
        assert!(seen.contains(name), "function {name} has no rule");
    }
}
