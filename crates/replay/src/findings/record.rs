//! What a record states in an unusual way, or in two ways.

use super::shown;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::line::Token;
use tridex_archive::{GameResult, decode, printable};

/// A control character that is read as another character: see [`decode`].
pub(crate) fn control(control: char, at: u64, strict: bool) -> Diagnostic {
    let severity = if strict {
        Severity::Error
    } else {
        Severity::Warning
    };
    let text = control.to_string();
    let message = format!(
        "the control character U+{:04X} is read as `{}`, its byte in Windows-1252",
        u32::from(control),
        decode(text.as_bytes())
    );
    Diagnostic {
        token: shown(text.as_bytes()),
        len: text.len(),
        ..Diagnostic::of_game(severity, Code::Unusual, at, message)
    }
}

/// A tag whose value is read as a result that is written in another way.
pub(crate) fn result_tag(value: &str, result: GameResult, at: u64, strict: bool) -> Diagnostic {
    let severity = match result {
        _ if strict => Severity::Error,
        GameResult::Unknown => Severity::Info,
        _ => Severity::Warning,
    };
    let value = printable(value);
    let message = format!("the result \"{value}\" is read as {result}");
    Diagnostic {
        token: value.into_owned(),
        ..Diagnostic::of_game(severity, Code::Unusual, at, message)
    }
}

/// A tag that occurs twice, with two values.
pub(crate) fn two_values(name: &str, first: &str, second: &str, at: u64) -> Diagnostic {
    let message = format!(
        "the tag {} has two values, \"{}\" and \"{}\"; the first is used",
        printable(name),
        printable(first),
        printable(second)
    );
    Diagnostic::of_game(Severity::Warning, Code::Tag, at, message)
}

/// The last word of the source is the beginning of a legal move.
pub(crate) fn truncated(token: &Token<'_>, ply: u32) -> Diagnostic {
    let message = format!(
        "the file ends with `{}`, the beginning of a move: it is not completed, and the file may be truncated",
        shown(token.text)
    );
    Diagnostic {
        ply,
        token: shown(token.text),
        len: token.text.len(),
        ..Diagnostic::of_game(Severity::Warning, Code::Truncated, token.at, message)
    }
}
