//! Findings put into words.

mod claims;
pub(crate) mod record;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::follow::{Broken, Course, Remark};
use crate::guess::{self, Tokens};
use crate::line::{Break, Hands, Line, Reading, Token, Writing};
use crate::log::{Event, Kind, Log, Misnumbered, Numbering};
use crate::repair;
use crate::setting::Setting;
use crate::trace::{Cause, Trace};
use tridex_archive::{Damage, Unusual, decode, printable};
use tridex_geometry::Family;
use tridex_notation::programs::tridchessboard;
use tridex_notation::resolve::Mismatch;
use tridex_notation::{Notation, Note, Notes, Program, WriteOptions, messages, names, slips};
use tridex_rules::{Color, Move, Position, RuleSystem};

/// The most alternatives that are listed.
const MOST_ALTERNATIVES: usize = 12;

/// Everything that is to be said of a game, in order of place.
pub(crate) fn of_game(log: &Log<'_>, course: &Course) -> Vec<Diagnostic> {
    let mut found = course.early.clone();
    let (main, side) = of_lines(log, course);
    found.extend(main);
    found.extend(side);
    found.extend(claims::of_claims(log, course));
    found.extend(course.late.iter().cloned());
    if course.broken.is_none()
        && let Numbering::Gap(gap) = log.numbering()
    {
        let mut found = found.iter_mut();
        if let Some(told) = found.find(|f| f.code == Code::MoveNumber && f.at == gap.at) {
            let (tokens, reading) = (Tokens::of(log), course.reading);
            repair::explain(told, &course.start, &tokens, None, reading, log.numbering());
        }
    }
    let places = log.damage.found().iter();
    let places = places.filter(|(what, _, _)| course.counts(*what));
    found.extend(places.map(|(what, at, len)| damage(*what, *at, *len)));
    found.sort_by_key(|found| (found.at, found.code));
    for omitted in [course.omitted, log.damage.more()] {
        found.extend(omitted.finding(found.last().map_or(log.at, |last| last.at)));
    }
    found
}

/// What is to be said of the main line, and of variations.
fn of_lines(log: &Log<'_>, course: &Course) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let (mut main, mut side) = (Vec::new(), Vec::new());
    let broken = course.broken.iter().chain(&course.broken_variations);
    let remarked = course.remarks.iter().map(|remark| remark.event);
    let Some(last) = remarked.chain(broken.map(|broken| broken.event)).max() else {
        return (main, side);
    };
    let hands = course.reading.hands;
    let mut remarks = course.remarks.iter().peekable();
    let mut variations = course.broken_variations.iter().peekable();
    walk(log, course, |step| {
        let here = |event: u32| event as usize == step.index;
        let remark = remarks.next_if(|remark| here(remark.event));
        let broken = course.broken.as_ref().filter(|broken| here(broken.event));
        let variation = variations.next_if(|broken| here(broken.event));
        if remark.is_none() && broken.is_none() && variation.is_none() {
            return true;
        }
        let sheet = hands.of(step.before.turn());
        let text = log.token(step.event);
        let token = Token {
            text: &text,
            at: log.place(step.event),
        };
        if let (Some(remark), Some(mv)) = (remark, step.mv) {
            let found = if remark.is_main { &mut main } else { &mut side };
            of_ply(step.before, mv, remark, &token, sheet, found);
        }
        if let Some(broken) = broken {
            let ply = broken.ply as usize;
            let mut finding = of_break(step.before, &broken.fault, &token, sheet.notation);
            finding.ply = ply_number(ply);
            let (tokens, reading) = (Tokens::of(log), course.reading);
            for other in near(step.before, &token, reading) {
                if !finding.alternatives.contains(&other) {
                    finding.alternatives.push(other);
                }
            }
            finding.alternatives.truncate(MOST_ALTERNATIVES);
            if broken.is_truncated {
                main.push(record::truncated(&token, finding.ply));
            } else {
                let (start, numbering) = (&course.start, log.numbering());
                repair::explain(&mut finding, start, &tokens, Some(ply), reading, numbering);
            }
            main.push(finding);
        }
        if let Some(broken) = variation {
            side.push(of_variation(step.before, broken, &token, sheet.notation));
            side.extend(broken.is_truncated.then(|| record::truncated(&token, 0)));
        }
        !here(last)
    });
    (main, side)
}

/// Why a variation cannot be followed. Nothing in it makes the game invalid.
fn of_variation(
    position: &Position,
    broken: &Broken,
    token: &Token<'_>,
    notation: Notation,
) -> Diagnostic {
    let finding = of_break(position, &broken.fault, token, notation);
    Diagnostic {
        severity: Severity::Warning,
        code: Code::Variation,
        ply: 0,
        message: format!("this variation cannot be followed: {}", finding.message),
        ..finding
    }
}

/// A token in the course of a walk.
struct Step<'a> {
    /// Its index among the events.
    index: usize,
    /// The event.
    event: &'a Event,
    /// The position before it, or before the token at which its line breaks off.
    before: &'a Position,
    /// The move it was read as.
    mv: Option<Move>,
}

/// Goes through the tokens of a game, main line and variations as they stand, until the visitor says no.
fn walk(log: &Log<'_>, course: &Course, mut visit: impl FnMut(Step<'_>) -> bool) {
    let mut outer: Vec<(Position, Position)> = Vec::new();
    let (mut before, mut now) = (course.start.clone(), course.start.clone());
    let mut moves = course.moves.iter();
    let mut side_moves = course.side_moves.iter();
    for (index, event) in log.events().iter().enumerate() {
        match event.kind {
            Kind::Move | Kind::Fork => {
                let mv = if outer.is_empty() {
                    moves.next().copied()
                } else {
                    side_moves.next().copied().flatten()
                };
                let step = Step {
                    index,
                    event,
                    before: &now,
                    mv,
                };
                if !visit(step) {
                    return;
                }
                if event.kind == Kind::Fork {
                    before.clone_from(&now);
                }
                if let Some(mv) = mv {
                    now.play_unchecked(mv);
                }
            }
            Kind::Open => {
                outer.push((before.clone(), now));
                now = before.clone();
            }
            Kind::Close => {
                if let Some(line) = outer.pop() {
                    (before, now) = line;
                }
            }
            _ => {}
        }
    }
}

/// What is to be said of a ply that was read.
fn of_ply(
    before: &Position,
    mv: Move,
    remark: &Remark,
    token: &Token<'_>,
    sheet: Writing,
    found: &mut Vec<Diagnostic>,
) {
    let Writing {
        notation, locale, ..
    } = sheet;
    let canonical = || canonical(before, notation, mv);
    let mut say = |severity, code, message: String, alternatives: Vec<String>| {
        let mut finding = of_token(severity, code, before, token, message);
        finding.alternatives = alternatives;
        if remark.is_main {
            finding.ply = ply_number(remark.ply as usize);
        } else {
            in_variation(&mut finding);
        }
        found.push(finding);
    };
    let taken = |how: &str| format!("`{}` is read as {} {how}", shown(token.text), canonical());
    use Severity::{Info, Warning};
    if remark.writing.notation != notation {
        let how = format!("in the {} notation", remark.writing.notation.name());
        say(Warning, Code::OtherNotation, taken(&how), Vec::new());
    } else if remark.writing.locale != locale {
        let how = format!("in {} letters", remark.writing.locale.name());
        say(Warning, Code::Dialect, taken(&how), Vec::new());
    }
    let notes = remark.notes;
    if notes.has(Note::Ocr) {
        let how = "with a likely misread character put right";
        say(Warning, Code::Ocr, taken(how), Vec::new());
    }
    if notes.has(Note::PawnLetter) {
        let how = "with `P` for a pawn, which the notation does not write";
        say(Warning, Code::Dialect, taken(how), Vec::new());
    }
    if notes.has(Note::MissingLevel) && remark.readings.is_empty() {
        let (severity, how) = if remark.is_only_square {
            (Info, "the only square of that name")
        } else {
            (Warning, "the only level to which it can go")
        };
        let message = format!(
            "`{}` does not say on which level; it is read as {}, {how}",
            shown(token.text),
            canonical()
        );
        say(severity, Code::MissingLevel, message, Vec::new());
    }
    if notes.has(Note::Spelling) {
        let how = "though the notation spells it otherwise";
        say(Info, Code::Spelling, taken(how), Vec::new());
    }
    if notes.has(Note::Case) {
        let how = "though upper and lower case differ";
        say(Info, Code::Case, taken(how), Vec::new());
    }
    for mismatch in remark.mismatches.iter() {
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
    match remark.readings.as_slice() {
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
            let trace = guess(before, notation, token.text, mv, several);
            say(Warning, trace.code(), trace.message(), trace.readings());
        }
    }
}

/// What is noted of a token that was read as one of several moves.
pub(crate) fn guess(
    before: &Position,
    notation: Notation,
    token: &[u8],
    mv: Move,
    readings: &[Move],
) -> Trace {
    let full = |mv: &Move| in_full(before, notation, *mv);
    Trace {
        token: shown(token),
        text: full(&mv),
        cause: Cause::Guess(readings.iter().map(full).collect()),
    }
}

/// The tokens that were read as one of several moves: indices of their events.
pub(crate) fn guesses(log: &Log<'_>, course: &Course) -> Vec<(usize, Trace)> {
    let guessed = course.remarks.iter();
    let mut guessed = guessed
        .filter(|remark| remark.readings.len() > 1)
        .peekable();
    let mut found = Vec::new();
    if guessed.peek().is_none() {
        return found;
    }
    walk(log, course, |step| {
        let here = |remark: &&Remark| remark.event as usize == step.index;
        if let (Some(remark), Some(mv)) = (guessed.next_if(here), step.mv) {
            let notation = course.reading.hands.of(step.before.turn()).notation;
            let token = log.token(step.event);
            let trace = guess(step.before, notation, &token, mv, &remark.readings);
            found.push((step.index, trace));
        }
        guessed.peek().is_some()
    });
    found
}

/// The findings of a conversion, from the traces it left in a game that starts from a position.
pub(crate) fn of_traces(log: &Log<'_>, start: &Position, mut tell: impl FnMut(Diagnostic)) {
    for (place, comment) in log.traced() {
        Trace::take(&comment, |trace| {
            // What was left out was the next move.
            let plies = place.plies + usize::from(trace.text.is_empty());
            let (at, len) = place.of.unwrap_or((log.at, 0));
            let mut finding = Diagnostic {
                token: trace.token.clone(),
                len,
                alternatives: trace.readings(),
                ..Diagnostic::of_game(Severity::Warning, trace.code(), at, trace.message())
            };
            if let Some(ply) = plies.checked_sub(1) {
                finding.number = number(first_half(start) + ply);
                finding.ply = ply_number(ply);
            }
            if !place.is_main {
                in_variation(&mut finding);
            }
            tell(finding);
        });
    }
}

/// Makes the finding of a move that of one in a variation.
fn in_variation(finding: &mut Diagnostic) {
    finding.ply = 0;
    finding.message.insert_str(0, "in a variation: ");
    if finding.code == Code::Ambiguous {
        finding.code = Code::Variation;
    }
}

/// Halves of moves before a position, as [`number`] counts them.
fn first_half(start: &Position) -> usize {
    2 * start.fullmoves() as usize + usize::from(start.turn() == Color::Black)
}

/// Why a line breaks at a token, with the legal moves near it.
pub(crate) fn of_break(
    position: &Position,
    fault: &Break,
    token: &Token<'_>,
    notation: Notation,
) -> Diagnostic {
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
        Break::Unusual(text) => {
            let mut fits = Vec::new();
            tridex_notation::resolve::candidates(text, position, &mut fits);
            let message = match fits.as_slice() {
                [] => messages::reason(text, position, notation),
                [only] => format!(
                    "`{}` is not how the notation writes {}",
                    shown(token.text),
                    canonical(position, notation, *only)
                ),
                _ => format!("`{}` is not written as the notation has it", shown(token.text)),
            };
            let mut broken = error(unusual(text.notes), message);
            broken.alternatives = listed(position, notation, fits);
            broken
        }
        Break::Illegal(text) if text.notes.has(Note::MissingLevel) => {
            let mut fits = Vec::new();
            tridex_notation::resolve::candidates(text, position, &mut fits);
            let message = if fits.is_empty() {
                // The level is not what is wrong: that is told as of any move, with what would be legal.
                fits = messages::alternatives(text, position);
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
        Break::Ambiguous(moves) => {
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

/// The kind of finding for what a reader forgave.
fn unusual(notes: Notes) -> Code {
    if notes.has(Note::MissingLevel) {
        Code::MissingLevel
    } else if notes.has(Note::Case) {
        Code::Case
    } else if notes.has(Note::Spelling) {
        Code::Spelling
    } else if notes.has(Note::Ocr) {
        Code::Ocr
    } else {
        Code::Dialect
    }
}

/// The legal moves that are a slip away from a token, and what other pieces could do there.
fn near(position: &Position, token: &Token<'_>, reading: Reading) -> impl Iterator<Item = String> {
    let Writing {
        notation, locale, ..
    } = reading.hands.of(position.turn());
    let found = slips::corrections(position, notation, locale, token.text).into_iter();
    found.map(|found| found.text)
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

fn of_token(
    severity: Severity,
    code: Code,
    before: &Position,
    token: &Token<'_>,
    message: String,
) -> Diagnostic {
    Diagnostic {
        number: number(first_half(before)),
        token: shown(token.text),
        len: token.text.len(),
        ..Diagnostic::of_game(severity, code, token.at, message)
    }
}

/// `12.` or `12...` for a count of halves of moves, 24 being White's twelfth.
pub(crate) fn number(halves: usize) -> String {
    let dots = if halves.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}", halves / 2)
}

pub(crate) fn ply_number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

/// A token as it may be shown: decoded, control characters visible.
pub(crate) fn shown(token: &[u8]) -> String {
    printable(&decode(token)).into_owned()
}

/// How many characters stand before a byte.
fn characters(token: &[u8], bytes: usize) -> usize {
    decode(token.get(..bytes).unwrap_or(token)).chars().count()
}

/// The canonical spelling of a move, without marks.
pub(crate) fn canonical(position: &Position, notation: Notation, mv: Move) -> String {
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
pub(crate) fn in_full(position: &Position, notation: Notation, mv: Move) -> String {
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
    let code = match damage.is_truncation() {
        true => Code::Truncated,
        false => Code::Damage,
    };
    Diagnostic {
        len,
        ..Diagnostic::of_game(severity, code, at, damage.to_string())
    }
}

/// In which language a sheet is written that does not say so, or in which each player writes.
pub(crate) fn language(
    at: u64,
    tokens: &Tokens<'_>,
    hands: Hands,
    black_first: bool,
) -> Diagnostic {
    let because = |writing: Writing, skip: usize, step: usize| {
        let tokens = tokens.iter().skip(skip).step_by(step);
        let deciding: Vec<String> = guess::deciding(tokens, writing)
            .into_iter()
            .map(|token| format!("`{}`", shown(token.text)))
            .collect();
        match deciding.len() {
            0 => String::new(),
            _ => format!(" because of {}", deciding.join(", ")),
        }
    };
    let message = if hands.are_two() {
        let (white, black) = (usize::from(black_first), usize::from(!black_first));
        format!(
            "White's moves are read in {} letters{}, Black's in {} letters{}",
            hands.white.locale.name(),
            because(hands.white, white, 2),
            hands.black.locale.name(),
            because(hands.black, black, 2),
        )
    } else {
        format!(
            "the sheet is read in {} letters{}",
            hands.white.locale.name(),
            because(hands.white, 0, 1),
        )
    };
    Diagnostic::of_game(Severity::Info, Code::NotationInferred, at, message)
}

/// Which program has written a game.
pub(crate) fn written_by(program: Program, at: u64) -> Diagnostic {
    let message = format!("the game is read as {} writes it", program.title());
    Diagnostic::of_game(Severity::Info, Code::NotationInferred, at, message)
}

/// Which program has written a position, and in which of its ways.
pub(crate) fn set_up_by(program: Program, text: &str, at: u64) -> Diagnostic {
    let title = program.title();
    let how = match program == Program::Tridchessboard && tridchessboard::is_older(text) {
        true => format!("older versions of {title} write it"),
        false => format!("{title} writes it"),
    };
    let mut message = format!("the position in the FEN tag is read as {how}");
    let severity = if program == Program::Tridchessboard {
        message.push_str(
            "; whose the attack boards are it does not say: the two nearer to White are taken for White's",
        );
        Severity::Warning
    } else {
        Severity::Info
    };
    Diagnostic::of_game(severity, Code::NotationInferred, at, message)
}

/// That a system cannot hold the position of the FEN tag, and why.
pub(crate) fn cannot_hold(rules: RuleSystem, setting: &Setting) -> String {
    let fault = setting
        .start
        .as_ref()
        .and_then(|(setup, _)| Position::from_setup(rules, setup).err());
    let why = fault.map_or_else(String::new, |fault| format!(": {fault}"));
    format!(
        "not under {}, where the position cannot be played{why}",
        rules.name()
    )
}

/// A game is written in a notation of the other board than that of the rules it is to be played under.
pub(crate) fn other_board(log: &Log<'_>, notation: Notation, rules: RuleSystem) -> Diagnostic {
    let written = match notation {
        Notation::Meder => "Meder's",
        Notation::Manual => "the manual's",
        Notation::Millennium => "Millennium's",
        Notation::Chess3 => "chess3's",
    };
    let board = match rules.family() {
        Family::Stair => "stair",
        Family::Cube => "cube",
    };
    let playable = guess::systems(notation);
    let names: Vec<&str> = playable.iter().map(|rules| rules.name()).collect();
    let message = format!(
        "the game is written in {written} notation, not playable under {}, on the {board} board; ask for {}, or for no \
         rule system",
        rules.name(),
        names.join(" or ")
    );
    let first = log.main_line().next().map(|(_, event)| event);
    let token = first.map(|event| log.token(event)).unwrap_or_default();
    let at = first.map_or(log.at, |event| log.place(event));
    Diagnostic {
        token: shown(&token),
        len: token.len(),
        ..Diagnostic::of_game(Severity::Error, Code::OtherRules, at, message)
    }
}

/// The position of the FEN tag cannot be played.
pub(crate) fn unplayable(rules: RuleSystem, setting: &Setting) -> Diagnostic {
    let (why, at) = match &setting.start {
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
pub(crate) fn legal_under(
    at: u64,
    rules: RuleSystem,
    line: &Line,
    others: &[(RuleSystem, Line)],
    tokens: &Tokens<'_>,
    notation: Notation,
) -> Diagnostic {
    let mut legal = Vec::new();
    let mut broken = Vec::new();
    for (rules, line) in std::iter::once((rules, line)).chain(others.iter().map(|(r, l)| (*r, l))) {
        match (&line.broken, tokens.get(line.plies.len())) {
            (Some(fault), Some(token)) => {
                let why = of_break(&line.last, fault, &token, notation);
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

/// Something that is read though it is not written as it should be. Strict reading refuses it. Words among the moves are a
/// warning: whether they are words is more than a matter of spelling.
pub(crate) fn unusual_form(
    what: Unusual,
    text: &[u8],
    at: u64,
    count: u32,
    strict: bool,
) -> Diagnostic {
    let severity = match what {
        _ if strict => Severity::Error,
        Unusual::Prose => Severity::Warning,
        _ => Severity::Info,
    };
    let more = match count {
        0 | 1 => String::new(),
        n => format!(", and {} more like it", n - 1),
    };
    let message = format!("`{}` is read as {what}{more}", shown(text));
    Diagnostic {
        token: shown(text),
        len: text.len(),
        ..Diagnostic::of_game(severity, Code::Unusual, at, message)
    }
}

/// A number that is not that of the move behind it.
pub(crate) fn misnumbered(wrong: &Misnumbered) -> Diagnostic {
    let Misnumbered {
        found,
        due,
        black_is_due,
        at,
        len,
        ..
    } = *wrong;
    let message = if black_is_due {
        format!(
            "the number {found} stands where Black's move {due} is due: a move may be missing before it"
        )
    } else if found > due {
        format!("the number {found} stands where {due} is expected: moves may be missing before it")
    } else {
        format!("the number {found} stands where {due} is expected")
    };
    Diagnostic {
        token: found.to_string(),
        len,
        ..Diagnostic::of_game(Severity::Warning, Code::MoveNumber, at, message)
    }
}

/// A move that the record leaves out.
pub(crate) fn not_recorded(at: u64, token: &[u8], ply: u32) -> Diagnostic {
    let message = "this move was not recorded; what follows cannot be replayed".to_owned();
    Diagnostic {
        ply,
        token: tridex_archive::decode(token).into_owned(),
        len: token.len(),
        ..Diagnostic::of_game(Severity::Warning, Code::NotRecorded, at, message)
    }
}
