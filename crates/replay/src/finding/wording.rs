//! The messages of findings.

use crate::finding::trace::{Cause, Trace};
use crate::finding::{Code, Finding, Severity};
use crate::reading::{Break, Ply};
use crate::style::Style;
use crate::style::token::Token;
use tridex_archive::batch::Batch;
use tridex_archive::game::{Damages, MOST_FINDINGS, Misnumbered};
use tridex_archive::{Damage, GameResult, Unusual, decode, is_pass};
use tridex_notation::programs::tridchessboard;
use tridex_notation::resolve::candidates;
use tridex_notation::{Locale, Notation, Program, TokenNote, TokenNotes, messages, names};
use tridex_rules::{Color, Move, Position};
use tridex_text::enumeration;
use tridex_text::printable;

/// The maximum number of alternatives that a finding lists.
pub(crate) const MOST_ALTERNATIVES: usize = 12;

/// The trace of a token that was read as one of several moves.
pub(crate) fn guess(before: &Position, notation: Notation, token: &[u8], read: &Ply) -> Trace {
    let full = |mv: &Move| in_full(before, notation, *mv);
    Trace {
        token: shown(token),
        text: full(&read.mv),
        cause: Cause::Guess(read.readings.iter().map(full).collect()),
    }
}

/// The trace of an unrecorded move that was filled in.
pub(crate) fn filled_in(before: &Position, notation: Notation, token: &[u8], mv: Move) -> Trace {
    let why = "not recorded; only this move fits the rest of the game";
    Trace {
        token: shown(token),
        text: canonical(before, notation, mv),
        cause: Cause::Repair(why.to_owned()),
    }
}

/// The number of the next half-move in a position, as [`number`] counts half-moves.
pub(crate) fn first_half(start: &Position) -> usize {
    2 * start.fullmoves() as usize + usize::from(start.turn() == Color::Black)
}

/// Why a line breaks at a token, with the legal moves near it.
pub(crate) fn of_break(
    position: &Position,
    fault: &Break,
    token: &Token<'_>,
    notation: Notation,
) -> Finding {
    let written = shown(&token.text);
    let mut moves = Vec::new();
    if let Break::Syntax(_) | Break::Illegal(_) = fault
        && is_pass(&token.text)
        && let Some(why) = position.explain(Move::Pass)
    {
        let article = why.article;
        let message = format!(
            "`{written}` means that a player passes, which the rules do not allow ({article}); it is read only in a \
             variation, when the player is not in check"
        );
        return of_token(Severity::Error, Code::Illegal, position, token, message);
    }
    let (code, message) = match fault {
        Break::Syntax(stopped) => (
            Code::Syntax,
            format!(
                "`{written}` is not a move in the {} notation: expected {} at character {}",
                notation.name(),
                stopped.expected,
                characters(&token.text, stopped.offset) + 1
            ),
        ),
        Break::Unusual(text) => {
            moves = candidates(text, position);
            let message = match moves.as_slice() {
                [] => messages::reason(text, position, notation),
                [only] => format!(
                    "`{written}` is not how the notation writes {}",
                    canonical(position, notation, *only)
                ),
                _ => format!("`{written}` is not written as the notation has it"),
            };
            (unusual(text.notes), message)
        }
        Break::Illegal(text) => {
            let lacks_level = text.notes.has(TokenNote::MissingLevel);
            if lacks_level {
                moves = candidates(text, position);
            }
            let message = if moves.is_empty() {
                // The missing level is not the problem: no legal move fits on any level. The finding lists similar
                // legal moves.
                moves = messages::alternatives(text, position);
                messages::reason(text, position, notation)
            } else {
                format!("`{written}` does not say on which level")
            };
            let code = if lacks_level { Code::MissingLevel } else { Code::Illegal };
            (code, message)
        }
        Break::Ambiguous(moves) => {
            let readings = moves.iter().map(|mv| in_full(position, notation, *mv));
            let readings: Vec<String> = readings.collect();
            let message = format!("`{written}` is ambiguous: {}", enumeration(&readings, "or"));
            let broken = of_token(Severity::Error, Code::Ambiguous, position, token, message);
            return Finding { alternatives: readings, ..broken };
        }
        Break::TooMany => (
            Code::Ambiguous,
            "too many tokens up to this one are ambiguous: more than 64 different positions are possible".to_owned(),
        ),
    };
    let mut finding = of_token(Severity::Error, code, position, token, message);
    if matches!(code, Code::Syntax | Code::MissingLevel)
        && let Some(other) = of_other_board(&token.text, notation)
    {
        let name = other.name();
        finding.message +=
            &format!("; it is a move in the {name} notation, which is for another board");
    }
    let legal = moves.into_iter();
    let legal = legal.map(|mv| canonical(position, notation, mv));
    finding.offer(legal, MOST_ALTERNATIVES);
    finding
}

/// The notation of the other board in which a token is a move exactly as written.
fn of_other_board(token: &[u8], notation: Notation) -> Option<Notation> {
    let is_plain = |other: &Notation| {
        let read = Style::of(*other, Locale::English).parse(token);
        other.family() != notation.family() && read.is_ok_and(|text| text.notes.is_empty())
    };
    Notation::ALL.into_iter().find(is_plain)
}

/// The code for what a lenient reader accepted.
fn unusual(notes: TokenNotes) -> Code {
    let mut codes = [
        (TokenNote::MissingLevel, Code::MissingLevel),
        (TokenNote::Case, Code::Case),
        (TokenNote::Spelling, Code::Spelling),
        (TokenNote::Ocr, Code::Ocr),
    ]
    .into_iter();
    let found = codes.find(|(note, _)| notes.has(*note));
    found.map_or(Code::Dialect, |(_, code)| code)
}

/// A finding about a token, with the number of its move.
pub(crate) fn of_token(
    severity: Severity,
    code: Code,
    before: &Position,
    token: &Token<'_>,
    message: String,
) -> Finding {
    Finding {
        number: number(first_half(before)),
        ..of_text(severity, code, token.place(), message)
    }
}

/// A finding about a text of the record.
pub(crate) fn of_text(
    severity: Severity,
    code: Code,
    (text, at): (&[u8], u64),
    message: String,
) -> Finding {
    Finding {
        token: shown(text),
        len: text.len(),
        ..Finding::of_game(severity, code, at, message)
    }
}

/// The move number `12.` or `12...` of a half-move. White's twelfth move is half-move 24.
pub(crate) fn number(halves: usize) -> String {
    let dots = if halves.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}", halves / 2)
}

pub(crate) fn ply_number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

/// A token as messages show it: decoded, with control characters made visible.
pub(crate) fn shown(token: &[u8]) -> String {
    printable(&decode(token)).into_owned()
}

/// The number of characters before a byte offset.
fn characters(token: &[u8], bytes: usize) -> usize {
    decode(token.get(..bytes).unwrap_or(token)).chars().count()
}

/// The canonical spelling of a move, without marks.
pub(crate) fn canonical(position: &Position, notation: Notation, mv: Move) -> String {
    let style = Style::of(notation, Locale::English);
    // A notation for the other board cannot express the move.
    style.spelled(position, mv, true).unwrap_or_default()
}

/// A move with its full square of departure.
pub(crate) fn in_full(position: &Position, notation: Notation, mv: Move) -> String {
    let (from, to, passing) = match mv {
        Move::Piece { from, to, .. } => (from, to, ""),
        Move::EnPassant { from, to, .. } => (from, to, " e.p."),
        Move::Castle(_) | Move::Board { .. } | Move::Pass => {
            return canonical(position, notation, mv);
        }
    };
    let letter = match position.piece_at(from) {
        Some(piece) if piece.role != tridex_rules::Role::Pawn => piece.role.letter().to_string(),
        _ => String::new(),
    };
    let square = |square| names::square(notation, position.layout(), square);
    let sign = if position.is_capture(mv) { 'x' } else { '-' };
    let promotion = mv.promotion();
    let promotion = promotion.map_or_else(String::new, |role| format!("={}", role.letter()));
    format!(
        "{letter}{}{sign}{}{promotion}{passing}",
        square(from),
        square(to)
    )
}

/// Returns the finding about damage at an offset of the container.
#[must_use]
pub fn damage(damage: Damage, at: u64, len: usize, strict: bool) -> Finding {
    let severity = Severity::error_if(strict || damage.is_lossy(), Severity::Warning);
    let code = match damage.is_truncation() {
        true => Code::Truncated,
        false => Code::Damage,
    };
    Finding {
        len,
        ..Finding::of_game(severity, code, at, damage.to_string())
    }
}

/// Returns the findings about damage of a batch that belongs to no game, with lines and columns.
#[must_use]
pub fn strays(damages: &Damages, batch: &Batch) -> Vec<Finding> {
    let mut line_index = batch.line_index();
    let listed = damages.get(..MOST_FINDINGS).unwrap_or(damages);
    let last = listed.last().map_or(0, |(_, at, _)| *at);
    // Damage that belongs to no game is always an error, since its text is lost.
    let found = listed
        .iter()
        .map(|&(what, at, len)| damage(what, at, len, true));
    let mut findings: Vec<_> = found.chain(uncounted(0, damages, last, true)).collect();
    for finding in &mut findings {
        finding.place(&mut line_index);
    }
    findings
}

/// Returns the number of places of damage that are counted but not listed.
#[must_use]
pub fn unlisted(damages: &Damages) -> u64 {
    damages.len().saturating_sub(MOST_FINDINGS) as u64
}

/// Findings, at an offset, that state how many findings and how many places of damage were counted but are not listed.
pub(crate) fn uncounted(findings: u64, damages: &Damages, at: u64, strict: bool) -> Vec<Finding> {
    let more = damages.iter().skip(MOST_FINDINGS);
    let is_lossy = strict || more.clone().any(|(damage, ..)| damage.is_lossy());
    let counts = [(findings, false), (unlisted(damages), is_lossy)];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let found = counts.map(|(count, is_error)| {
        let severity = Severity::error_if(is_error, Severity::Warning);
        let message = format!("and {count} more findings like these");
        Finding::of_game(severity, Code::Omitted, at, message)
    });
    found.collect()
}

/// The finding that a game is read as a program writes it.
pub(crate) fn written_by(program: Program, at: u64) -> Finding {
    let message = format!("the game is read as {} writes it", program.title());
    Finding::of_game(Severity::Info, Code::NotationInferred, at, message)
}

/// The finding that a position is read as a program, or an older version of it, writes it.
pub(crate) fn set_up_by(program: Program, text: &str, at: u64) -> Finding {
    let title = program.title();
    let how = match program == Program::Tridchessboard && tridchessboard::is_older(text) {
        true => format!("older versions of {title} write it"),
        false => format!("{title} writes it"),
    };
    let (severity, but) = match program {
        Program::Tridchessboard => (
            Severity::Warning,
            "; it does not give the owners of the attack boards: the two nearer to White are read as White's",
        ),
        _ => (Severity::Info, ""),
    };
    let message = format!("the position in the FEN tag is read as {how}{but}");
    Finding::of_game(severity, Code::NotationInferred, at, message)
}

/// The finding about text that is not in standard form but was read. In strict reading it is an error. Prose among the
/// moves is a warning, since it might have been meant as moves.
pub(crate) fn unusual_form(
    what: Unusual,
    text: &[u8],
    at: u64,
    count: u32,
    strict: bool,
) -> Finding {
    let severity = match what {
        Unusual::Prose => Severity::Warning,
        _ => Severity::Info,
    };
    let severity = Severity::error_if(strict, severity);
    let more = match count {
        0 | 1 => String::new(),
        n => format!(", and {} more like it", n - 1),
    };
    let message = format!("`{}` is read as {what}{more}", shown(text));
    of_text(severity, Code::Unusual, (text, at), message)
}

/// The finding about a move number that is not the number of the next move.
pub(crate) fn misnumbered(wrong: &Misnumbered) -> Finding {
    let (found, expected) = (wrong.found / 2, (wrong.expected >> 1).max(0));
    let (black, missing) = match wrong.expected & 1 == 1 && wrong.found & 1 == 0 {
        true => ("Black's move ", ": a move may be missing before it"),
        false if found > expected => ("", ": moves may be missing before it"),
        false => ("", ""),
    };
    let message = format!("found move number {found}, expected {black}{expected}{missing}");
    Finding {
        token: found.to_string(),
        len: wrong.len,
        ..Finding::of_game(Severity::Warning, Code::MoveNumber, wrong.at, message)
    }
}

/// The finding about a move that was not recorded.
pub(crate) fn not_recorded(token: &Token<'_>, ply: u32) -> Finding {
    let message = "this move was not recorded; what follows cannot be replayed".to_owned();
    Finding {
        ply,
        ..of_text(Severity::Warning, Code::NotRecorded, token.place(), message)
    }
}

/// The finding about a control character that is read as another character; see [`decode`].
pub(crate) fn control(control: char, at: u64, strict: bool) -> Finding {
    let severity = Severity::error_if(strict, Severity::Warning);
    let text = control.to_string();
    let text = text.as_bytes();
    let message = format!(
        "the control character U+{:04X} is read as `{}`, its byte in Windows-1252",
        u32::from(control),
        decode(text)
    );
    of_text(severity, Code::Unusual, (text, at), message)
}

/// The finding about a text that was read in the wrong encoding before it was stored.
pub(crate) fn mojibake(text: &str, meant: &str, at: u64) -> Finding {
    let message = format!(
        "`{}` is UTF-8 that was read as Windows-1252; it means `{}`",
        shown(text.as_bytes()),
        shown(meant.as_bytes())
    );
    Finding::of_game(Severity::Warning, Code::Mojibake, at, message)
}

/// The finding about a result tag whose value is not in standard form.
pub(crate) fn result_tag(value: &str, result: GameResult, at: u64, strict: bool) -> Finding {
    let severity = match result {
        GameResult::Unknown => Severity::Info,
        _ => Severity::Warning,
    };
    let severity = Severity::error_if(strict, severity);
    let value = printable(value);
    let message = format!("the result \"{value}\" is read as {result}");
    Finding {
        token: value.into_owned(),
        ..Finding::of_game(severity, Code::Unusual, at, message)
    }
}

/// The finding about a tag that occurs with two values.
pub(crate) fn two_values(name: &str, first: &str, second: &str, at: u64) -> Finding {
    let message = format!(
        "the tag {} has two values, \"{}\" and \"{}\"; the first is used",
        printable(name),
        printable(first),
        printable(second)
    );
    Finding::of_game(Severity::Warning, Code::Tag, at, message)
}

/// The finding that the source ends with only the beginning of a legal move.
pub(crate) fn truncated(token: &Token<'_>, ply: u32) -> Finding {
    let message = format!(
        "the file ends with `{}`, the beginning of a move: it is not completed, and the file may be truncated",
        shown(&token.text)
    );
    Finding {
        ply,
        ..of_text(Severity::Warning, Code::Truncated, token.place(), message)
    }
}
