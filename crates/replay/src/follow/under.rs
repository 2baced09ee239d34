//! How far a game is legal under each rule system, if its tags name none.

use crate::declared::Declared;
use crate::finding::wording::of_break;
use crate::finding::{Code, Finding, Severity};
use crate::frontier::line::Line;
use crate::replay::Under;
use crate::style::token::Token;
use tridex_archive::decode;
use tridex_notation::Notation;
use tridex_rules::{Position, RuleSystem};
use tridex_text::enumeration;
use tridex_text::printable;

/// How far a game is legal under each system, including those under which its start position cannot be played.
pub(crate) fn all(
    lines: &[(RuleSystem, Option<Line>)],
    declared: &Declared,
    tokens: &[Token<'_>],
    notation: Notation,
) -> Vec<Under> {
    let of = |(rules, line): &(RuleSystem, Option<Line>)| {
        let plies = line.as_ref().map_or(0, |line| line.plies.len());
        let fault = match line {
            Some(line) => {
                let broken = line.broken.as_ref().zip(tokens.get(plies));
                broken.map(|(fault, token)| {
                    let why = of_break(&line.last, fault, token, notation);
                    (decode(&token.text).into_owned(), why.message)
                })
            }
            None => Some((String::new(), setup_fault(declared, *rules))),
        };
        let (token, message) = fault.unzip();
        Under {
            rules: *rules,
            is_legal: token.is_none(),
            plies,
            token,
            message,
        }
    };
    lines.iter().map(of).collect()
}

/// Why the position of the FEN tag cannot be played under a system.
fn setup_fault(declared: &Declared, rules: RuleSystem) -> String {
    let setup = declared.start.as_ref().map(|(setup, _)| setup);
    let fault = setup.and_then(|setup| Position::from_setup(rules, setup).err());
    fault.map_or_else(String::new, |fault| fault.to_string())
}

/// The finding that the position of the FEN tag cannot be played.
pub(crate) fn unplayable(rules: RuleSystem, declared: &Declared) -> Finding {
    let at = declared.start.as_ref().map_or(0, |(_, at)| *at);
    let message = format!(
        "the position in the FEN tag cannot be played under {}: {}",
        rules.name(),
        setup_fault(declared, rules)
    );
    Finding::of_game(Severity::Error, Code::StartPosition, at, message)
}

/// The finding that lists the systems under which a game is legal, and where it breaks under the others. The chosen
/// system comes first, and those under which the start position cannot be played come last.
pub(crate) fn legal_under(at: u64, chosen: RuleSystem, all: &[Under]) -> Finding {
    let mut all: Vec<&Under> = all.iter().collect();
    all.sort_by_key(|under| match under.token.as_deref() {
        Some("") => (2, None),
        _ => (u8::from(under.rules != chosen), Some(under.rules)),
    });
    let legal = all.iter().filter(|under| under.is_legal);
    let legal: Vec<&str> = legal.map(|under| under.rules.name()).collect();
    let mut message = match legal.as_slice() {
        [] => "legal under none of the systems".to_owned(),
        legal => format!("legal under {}", enumeration(legal, "and")),
    };
    for under in all {
        let (Some(token), Some(why)) = (&under.token, &under.message) else {
            continue;
        };
        message.push_str("; not under ");
        message.push_str(under.rules.name());
        message.push_str(&match token.as_str() {
            "" => format!(", where the position cannot be played: {why}"),
            token => format!(": ply {} `{}`: {why}", under.plies + 1, printable(token)),
        });
    }
    Finding::of_game(Severity::Info, Code::OtherRules, at, message)
}
