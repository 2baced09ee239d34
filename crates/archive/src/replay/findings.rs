//! Findings put into words.

use super::line::{Break, Line, Ply, Reading, Token, Writing};
use super::{Wishes, guess, repair};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::{Damage, decode, printable};
use tridex_notation::resolve::Mismatch;
use tridex_notation::{Notation, Note, WriteOptions, messages, names};
use tridex_rules::{Color, Move, Position, RuleSystem};

/// The most alternatives that are listed.
const MOST_ALTERNATIVES: usize = 12;

/// The findings of the main line.
pub(super) fn of_line(
    start: &Position,
    tokens: &[Token<'_>],
    line: &Line,
    reading: Reading,
    found: &mut Vec<Diagnostic>,
) {
    let mut before = start.clone();
    for (ply, (step, token)) in line.plies.iter().zip(tokens).enumerate() {
        of_ply(&before, step, token, ply, reading, found);
        before.play_unchecked(step.mv);
    }
    if let Some(fault) = &line.broken
        && let Some(token) = tokens.get(line.plies.len())
    {
        let mut broken = of_break(&line.last, fault, token, reading);
        broken.ply = ply_number(line.plies.len());
        broken.suggestion =
            repair::suggestion(&line.last, tokens, line.plies.len(), fault, reading);
        found.push(broken);
    }
}

/// The findings of a variation: nothing in it makes the game invalid.
pub(super) fn of_variation(
    start: &Position,
    tokens: &[Token<'_>],
    line: &Line,
    reading: Reading,
    found: &mut Vec<Diagnostic>,
) {
    let first = found.len();
    let mut before = start.clone();
    for (ply, (step, token)) in line.plies.iter().zip(tokens).enumerate() {
        of_ply(&before, step, token, ply, reading, found);
        before.play_unchecked(step.mv);
    }
    for note in found.iter_mut().skip(first) {
        note.ply = 0;
        note.message = format!("in a variation: {}", note.message);
        if note.code == Code::Ambiguous {
            note.code = Code::Variation;
        }
    }
    if let Some(fault) = &line.broken
        && let Some(token) = tokens.get(line.plies.len())
    {
        let broken = of_break(&line.last, fault, token, reading);
        found.push(Diagnostic {
            severity: Severity::Warning,
            code: Code::Variation,
            ply: 0,
            message: format!("this variation cannot be followed: {}", broken.message),
            ..broken
        });
    }
}

/// What is to be said of a ply that was read.
fn of_ply(
    before: &Position,
    step: &Ply,
    token: &Token<'_>,
    ply: usize,
    reading: Reading,
    found: &mut Vec<Diagnostic>,
) {
    let Writing { notation, locale } = reading.writing;
    let canonical = || canonical(before, notation, step.mv);
    let mut say = |severity, code, message: String, alternatives: Vec<String>| {
        let base = of_token(severity, code, before, token, message);
        found.push(Diagnostic {
            ply: ply_number(ply),
            alternatives,
            ..base
        });
    };
    let taken = |how: &str| format!("`{}` is read as {} {how}", shown(token.text), canonical());
    use Severity::{Info, Warning};
    if step.writing.notation != notation {
        let how = format!("in the {} notation", step.writing.notation.name());
        say(Warning, Code::OtherNotation, taken(&how), Vec::new());
    } else if step.writing.locale != locale {
        let how = format!("in {} letters", language_name(step.writing.locale));
        say(Warning, Code::Dialect, taken(&how), Vec::new());
    }
    let notes = step.text.notes;
    if notes.has(Note::Ocr) {
        let how = "with a likely misread character put right";
        say(Warning, Code::Ocr, taken(how), Vec::new());
    }
    if notes.has(Note::Case) {
        let how = "though upper and lower case differ";
        say(Info, Code::Case, taken(how), Vec::new());
    }
    for mismatch in step.mismatches.iter() {
        let code = match mismatch {
            Mismatch::CaptureWritten | Mismatch::CaptureMissing => Code::CaptureMark,
            Mismatch::EnPassantWritten | Mismatch::EnPassantMissing => Code::EnPassantMark,
            Mismatch::CheckWritten | Mismatch::MateWritten => Code::CheckMark,
        };
        say(
            Warning,
            code,
            format!("{mismatch} ({})", canonical()),
            Vec::new(),
        );
    }
    match step.readings.as_slice() {
        [] => {}
        [only] => {
            let message = format!(
                "`{}` fits several moves; only {} lets the rest of the game be replayed",
                shown(token.text),
                in_full(before, notation, *only)
            );
            say(Warning, Code::AmbiguityResolved, message, Vec::new());
        }
        several => {
            let readings: Vec<String> = several
                .iter()
                .map(|mv| in_full(before, notation, *mv))
                .collect();
            let message = format!(
                "`{}` is ambiguous: {} let the whole game be replayed; {} is taken",
                shown(token.text),
                readings.join(" and "),
                in_full(before, notation, step.mv)
            );
            say(Warning, Code::Ambiguous, message, readings);
        }
    }
}

/// Why a line breaks at a token, with the legal moves near it.
fn of_break(position: &Position, fault: &Break, token: &Token<'_>, reading: Reading) -> Diagnostic {
    let notation = reading.writing.notation;
    let error = |code, message| of_token(Severity::Error, code, position, token, message);
    match fault {
        Break::Syntax(stopped) => error(
            Code::Syntax,
            format!(
                "`{}` is not a move in the {} notation: {} is expected at character {}",
                shown(token.text),
                notation.name(),
                stopped.expected,
                characters(token.text, stopped.offset) + 1
            ),
        ),
        Break::Illegal(text) if text.notes.has(Note::MissingLevel) => {
            let mut fits = Vec::new();
            tridex_notation::resolve::candidates(text, position, &mut fits);
            let message = if fits.is_empty() {
                messages::reason(text, position, notation)
            } else {
                format!("`{}` does not say on which level", shown(token.text))
            };
            let mut broken = error(Code::MissingLevel, message);
            broken.alternatives = listed(position, notation, fits);
            broken
        }
        Break::Illegal(text) => {
            let mut broken = error(Code::Illegal, messages::reason(text, position, notation));
            broken.alternatives =
                listed(position, notation, messages::alternatives(text, position));
            broken
        }
        Break::Ambiguous(_, moves) => {
            let readings: Vec<String> =
                moves.iter().map(|mv| in_full(position, notation, *mv)).collect();
            let message = format!("`{}` is ambiguous: {}", shown(token.text), readings.join(" or "));
            let mut broken = error(Code::Ambiguous, message);
            broken.alternatives = readings;
            broken
        }
        Break::TooMany => error(
            Code::Ambiguous,
            "too many tokens up to this one are ambiguous: more than 64 different positions are possible".to_owned(),
        ),
    }
}

fn listed(position: &Position, notation: Notation, moves: Vec<Move>) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for mv in moves {
        let text = canonical(position, notation, mv);
        if !texts.contains(&text) && texts.len() < MOST_ALTERNATIVES {
            texts.push(text);
        }
    }
    texts
}

/// A finding at a ply of the main line.
pub(super) fn at_ply(
    severity: Severity,
    code: Code,
    start: &Position,
    tokens: &[Token<'_>],
    ply: usize,
    message: String,
) -> Diagnostic {
    let (text, at) = tokens
        .get(ply)
        .map_or((&b""[..], 0), |token| (token.text, token.at));
    let halves = 2 * start.fullmoves() as usize + usize::from(start.turn() == Color::Black) + ply;
    Diagnostic {
        ply: ply_number(ply),
        number: number(halves),
        token: shown(text),
        len: text.len(),
        ..Diagnostic::of_game(severity, code, at, message)
    }
}

fn of_token(
    severity: Severity,
    code: Code,
    before: &Position,
    token: &Token<'_>,
    message: String,
) -> Diagnostic {
    let halves = 2 * before.fullmoves() as usize + usize::from(before.turn() == Color::Black);
    Diagnostic {
        number: number(halves),
        token: shown(token.text),
        len: token.text.len(),
        ..Diagnostic::of_game(severity, code, token.at, message)
    }
}

/// `12.` or `12...` for a count of halves of moves, 24 being White's twelfth.
fn number(halves: usize) -> String {
    let dots = if halves.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}", halves / 2)
}

fn ply_number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

/// A token as it may be shown: decoded, control characters visible.
fn shown(token: &[u8]) -> String {
    printable(&decode(token)).into_owned()
}

/// How many characters stand before a byte.
fn characters(token: &[u8], bytes: usize) -> usize {
    decode(token.get(..bytes).unwrap_or(token)).chars().count()
}

/// The canonical spelling of a move, without marks.
pub(super) fn canonical(position: &Position, notation: Notation, mv: Move) -> String {
    let options = WriteOptions {
        marks: Some(false),
        ..WriteOptions::default()
    };
    let mut text = String::new();
    // A notation of the other family has no words for the move; then there is nothing to show.
    let _ = tridex_notation::write(notation, position, mv, &options, &mut text);
    text
}

/// A move with its whole square of departure.
pub(super) fn in_full(position: &Position, notation: Notation, mv: Move) -> String {
    let (from, to, passing, promotion) = match mv {
        Move::Piece {
            from,
            to,
            promotion,
        } => (from, to, "", promotion),
        Move::EnPassant {
            from,
            to,
            promotion,
        } => (from, to, " e.p.", promotion),
        Move::Castle(_) | Move::Board { .. } => return canonical(position, notation, mv),
    };
    let letter = match position.piece_at(from) {
        Some(piece) if piece.role != tridex_rules::Role::Pawn => piece.role.letter().to_string(),
        _ => String::new(),
    };
    let square = |square| names::square(notation, position.layout(), square);
    let sign = if position.is_capture(mv) { 'x' } else { '-' };
    let promotion = promotion.map_or_else(String::new, |role| format!("={}", role.letter()));
    format!(
        "{letter}{}{sign}{}{promotion}{passing}",
        square(from),
        square(to)
    )
}

/// The finding that a place of the container is damaged.
#[must_use]
pub fn damage(damage: Damage, at: u64, len: usize) -> Diagnostic {
    let severity = if damage.loses() {
        Severity::Error
    } else {
        Severity::Warning
    };
    Diagnostic {
        len,
        ..Diagnostic::of_game(severity, Code::Damage, at, damage.to_string())
    }
}

/// In which language a sheet is written that does not say so.
pub(super) fn language(at: u64, tokens: &[Token<'_>], writing: Writing) -> Diagnostic {
    let deciding: Vec<String> = guess::deciding(tokens, writing)
        .into_iter()
        .map(|token| format!("`{}`", shown(token)))
        .collect();
    let message = format!(
        "the sheet is read in {} letters because of {}",
        language_name(writing.locale),
        deciding.join(", ")
    );
    Diagnostic::of_game(Severity::Info, Code::NotationInferred, at, message)
}

fn language_name(locale: tridex_notation::Locale) -> &'static str {
    use tridex_notation::Locale;
    match locale {
        Locale::English => "English",
        Locale::German => "German",
        Locale::French => "French",
        Locale::Dutch => "Dutch",
        Locale::Czech => "Czech",
        Locale::Spanish => "Spanish or Italian",
    }
}

/// The position of the FEN tag cannot be played.
pub(super) fn unplayable(rules: RuleSystem, wishes: &Wishes) -> Diagnostic {
    let (why, at) = match &wishes.start {
        Some((setup, at)) => (
            Position::from_setup(rules, setup)
                .err()
                .map_or_else(String::new, |fault| fault.to_string()),
            *at,
        ),
        None => (String::new(), 0),
    };
    Diagnostic::of_game(
        Severity::Error,
        Code::StartPosition,
        at,
        format!(
            "the position in the FEN tag cannot be played under {}: {why}",
            rules.name()
        ),
    )
}

/// Under which systems a game is legal, and where it breaks under the others.
pub(super) fn legal_under(
    at: u64,
    rules: RuleSystem,
    line: &Line,
    others: &[(RuleSystem, Line)],
    tokens: &[Token<'_>],
    reading: Reading,
) -> Diagnostic {
    let mut legal = Vec::new();
    let mut broken = Vec::new();
    for (rules, line) in std::iter::once((rules, line)).chain(others.iter().map(|(r, l)| (*r, l))) {
        match (&line.broken, tokens.get(line.plies.len())) {
            (Some(fault), Some(token)) => {
                let why = of_break(&line.last, fault, token, reading);
                broken.push(format!(
                    "not under {}: ply {} `{}`: {}",
                    rules.name(),
                    line.plies.len() + 1,
                    shown(token.text),
                    why.message
                ));
            }
            _ => legal.push(rules.name()),
        }
    }
    let head = if legal.is_empty() {
        "legal under none of the systems".to_owned()
    } else {
        format!("legal under {}", legal.join(" and "))
    };
    let message = std::iter::once(head)
        .chain(broken)
        .collect::<Vec<_>>()
        .join("; ");
    Diagnostic::of_game(Severity::Info, Code::OtherRules, at, message)
}
