//! Traces: commands that a conversion or a repair leaves at moves that it guessed or corrected.
//!
//! A converted move is canonical and legal, so without a trace nothing would show that it was guessed or that the
//! record had another token there. A trace is a command within a comment, like `[%clk 1:29:44]`. [`read`](crate::read)
//! reports it as the finding from which it was made, with the same code:
//!
//! ```text
//! trace  = "[%tridex " , ( guess | repair ) , "]" ;
//! guess  = "read " , string , " as " , string , " of" , " " , string , { " " , string } ;
//! repair = "repaired " , string , " to " , string , " for " , string ;
//! ```
//!
//! Strings are JSON strings, with brackets and braces escaped (`\u005d`), so that neither the command nor its comment
//! ends within a string. Texts stay in the notation of the source, since they quote what it had.

use crate::finding::{Code, Finding, Severity};
use serde_json::{Deserializer, Value};
use std::fmt::{self, Write};

/// The beginning of a trace.
pub(crate) const COMMAND: &str = "[%tridex";

/// Bytes that every trace contains and no other command begins with.
pub(crate) const SIGN: &[u8] = b"%tridex";

/// The token that was written, and the move that replaced it.
///
/// ```
/// use tridex_replay::Trace;
///
/// let comment = "a slip? [%tridex repaired \"Nc22W\" to \"Nc2W\" for \"a doubled character\"]";
/// let mut traces = Vec::new();
/// assert_eq!(Trace::take(comment, |trace| traces.push(trace)), "a slip?");
/// assert_eq!(traces[0].message(), "`Nc22W` is corrected to Nc2W (a doubled character)");
/// assert!(comment.ends_with(&traces[0].to_string()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The token as it was written; empty if a move was inserted.
    pub token: String,
    /// The move as which the token was read, or the text that replaced it; empty if the token was removed.
    pub text: String,
    /// Why the two differ.
    pub cause: Cause,
}

/// Why a move is not what was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The token was read as one of several moves that fit it and let the rest of the game be replayed. Lists all of
    /// them.
    Guess(Vec<String>),
    /// A slip was corrected, or an unrecorded move filled in. States what went wrong, in a few words.
    Repair(String),
}

impl Trace {
    /// Passes each trace of a comment to `take` and returns the rest of the comment. Malformed traces remain.
    pub fn take(comment: &str, mut take: impl FnMut(Self)) -> String {
        let mut out = String::new();
        let mut rest = comment;
        while let Some((before, after)) = rest.split_once(COMMAND) {
            out.push_str(before);
            let said = after.split_once(']');
            rest = match said.and_then(|(said, behind)| Some((Self::parse(said)?, behind))) {
                Some((trace, behind)) => {
                    take(trace);
                    behind
                }
                None => {
                    out.push_str(COMMAND);
                    after
                }
            };
        }
        out.push_str(rest);
        out.trim().to_owned()
    }

    /// Parses the text between the name of the command and its closing bracket.
    fn parse(said: &str) -> Option<Self> {
        let (verb, rest) = said.strip_prefix(' ')?.trim_start().split_once(' ')?;
        let (to, because) = match verb {
            "read" => ("as", "of"),
            "repaired" => ("to", "for"),
            _ => return None,
        };
        let (token, rest) = string(rest)?;
        let (text, rest) = string(rest.trim_start().strip_prefix(to)?)?;
        let mut rest = rest.trim_start().strip_prefix(because)?;
        let mut said = Vec::new();
        while let Some((one, behind)) = string(rest) {
            said.push(one);
            rest = behind;
        }
        let cause = match (verb, said.as_slice(), rest.trim()) {
            ("read", [_, ..], "") => Cause::Guess(said),
            ("repaired", [slip], "") => Cause::Repair(slip.clone()),
            _ => return None,
        };
        Some(Self { token, text, cause })
    }

    /// The finding that reports it at an offset.
    pub(crate) fn finding(&self, at: u64) -> Finding {
        let (code, alternatives) = match &self.cause {
            Cause::Guess(readings) => (Code::Ambiguous, readings.clone()),
            Cause::Repair(_) => (Code::Repaired, Vec::new()),
        };
        Finding {
            token: self.token.clone(),
            alternatives,
            ..Finding::of_game(Severity::Warning, code, at, self.message())
        }
    }

    /// Returns the message of its finding.
    #[must_use]
    pub fn message(&self) -> String {
        let Self { token, text, cause } = self;
        match (cause, token.as_str(), text.as_str()) {
            (Cause::Guess(readings), ..) => format!(
                "`{token}` is ambiguous: {} make the whole game legal; read as {text}",
                readings.join(" and ")
            ),
            (Cause::Repair(slip), "", text) => format!("{text} is inserted here ({slip})"),
            (Cause::Repair(slip), token, "") => format!("`{token}` is removed ({slip})"),
            (Cause::Repair(slip), token, text) => {
                format!("`{token}` is corrected to {text} ({slip})")
            }
        }
    }
}

/// Writes the command as it appears in a comment.
impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verb, to, because, said) = match &self.cause {
            Cause::Guess(readings) => ("read", "as", "of", readings.as_slice()),
            Cause::Repair(slip) => ("repaired", "to", "for", std::slice::from_ref(slip)),
        };
        let (token, text) = (quoted(&self.token), quoted(&self.text));
        write!(f, "{COMMAND} {verb} {token} {to} {text} {because}")?;
        said.iter()
            .try_for_each(|one| write!(f, " {}", quoted(one)))?;
        f.write_char(']')
    }
}

/// A JSON string with brackets and braces escaped.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    for sign in Value::from(text).to_string().chars() {
        match sign {
            // Writing to memory does not fail.
            '[' | ']' | '{' | '}' => drop(write!(out, "\\u{:04x}", u32::from(sign))),
            _ => out.push(sign),
        }
    }
    out
}

/// Parses the JSON string at the beginning of a text. Returns the string and the rest of the text.
fn string(text: &str) -> Option<(String, &str)> {
    let mut strings = Deserializer::from_str(text).into_iter::<String>();
    let string = strings.next()?.ok()?;
    Some((string, text.get(strings.byte_offset()..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(comment: &str) -> (Vec<Trace>, String) {
        let mut traces = Vec::new();
        let rest = Trace::take(comment, |trace| traces.push(trace));
        (traces, rest)
    }

    #[test]
    fn what_is_written_is_read_again_in_any_comment() {
        let guess = |readings: &[&str]| {
            let readings = readings.iter().map(|text| (*text).to_owned());
            Cause::Guess(readings.collect())
        };
        let repair = |slip: &str| Cause::Repair(slip.to_owned());
        for (token, text, cause) in [
            ("a5B", "a6N-a5B", guess(&["a6N-a5B", "a6B-a5B"])),
            ("c4", "c2-c4 e.p.", guess(&["c2-c4 e.p."])),
            ("Nc22W", "Nc2W", repair("a doubled character")),
            ("", "Nc2W", repair("a missing move")),
            ("zz", "", repair("")),
            (
                "]}\u{7f}\\\"{[%tridex ",
                "\u{e9}  ;",
                repair("as \"of\" to"),
            ),
        ] {
            let (token, text) = (token.to_owned(), text.to_owned());
            let trace = Trace { token, text, cause };
            let command = trace.to_string();
            let inner = command.get(1..command.len() - 1).unwrap();
            assert!(!inner.contains(['[', ']', '{', '}', '\n']), "{command}");
            assert!(command.starts_with(COMMAND));
            assert_eq!(taken(&command), (vec![trace.clone()], String::new()));
            let among = format!("good {command} [%clk 1:00]{command}");
            let (traces, rest) = taken(&among);
            assert_eq!((traces.len(), rest.as_str()), (2, "good  [%clk 1:00]"));
        }
    }

    #[test]
    fn what_is_no_trace_stays() {
        for comment in [
            "",
            "tridex read",
            "[%clk 1:00]",
            "[%tridex",
            "[%tridex]",
            "[%tridex ]",
            "[%tridexread \"a\" as \"b\" of \"b\"]",
            "[%tridex read a as b of b]",
            "[%tridex read \"a\" as \"b\" of]",
            "[%tridex read \"a\" as \"b\" for \"b\"]",
            "[%tridex read \"a\" as \"b\" of \"b\" c]",
            "[%tridex repaired \"a\" to \"b\" for \"c\" \"d\"]",
            "[%tridex repaired \"a\" to \"b\" for \"c]",
            "[%tridex guessed \"a\" to \"b\" for \"c\"]",
        ] {
            assert_eq!(taken(comment), (Vec::new(), comment.to_owned()));
        }
    }
}
