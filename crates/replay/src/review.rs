//! The findings of a game that was followed, gone through once more.

mod claims;

use crate::course::{Broken, Course, Remark};
use crate::diagnostic::{Code, Diagnostic, Omitted, Severity};
use crate::findings::{
    self, MOST_ALTERNATIVES, canonical, first_half, in_full, number, of_break, of_token,
    ply_number, record, shown,
};
use crate::guess::Tokens;
use crate::line::{Reading, Token, Writing};
use crate::repair;
use crate::token::token_of;
use crate::trace::Trace;
use tridex_archive::game::{Event, Numbering};
use tridex_archive::{Game, Item, decode, fold};
use tridex_notation::resolve::Mismatch;
use tridex_notation::{Notation, Note, slips};
use tridex_rules::{Move, Position};

/// Everything that is to be said of a game, in order of place.
pub(crate) fn of_game(game: &Game<'_>, course: &Course) -> Vec<Diagnostic> {
    let mut found = course.early.clone();
    let (main, side) = of_lines(game, course);
    found.extend(main);
    found.extend(side);
    found.extend(claims::of_claims(game, course));
    found.extend(course.late.iter().cloned());
    if course.broken.is_none()
        && let Numbering::Gap(gap) = game.numbering()
    {
        let mut found = found.iter_mut();
        if let Some(told) = found.find(|f| f.code == Code::MoveNumber && f.at == gap.at) {
            let (tokens, reading) = (Tokens::of(game), course.reading);
            repair::explain(
                told,
                &course.start,
                &tokens,
                None,
                reading,
                game.numbering(),
            );
        }
    }
    let places = game.damage.found().iter();
    let places = places.filter(|(what, _, _)| course.counts(*what));
    found.extend(places.map(|(what, at, len)| findings::damage(*what, *at, *len)));
    found.sort_by_key(|found| (found.at, found.code));
    for omitted in [course.omitted, Omitted::of(&game.damage)] {
        found.extend(omitted.finding(found.last().map_or(game.at, |last| last.at)));
    }
    found
}

/// What is to be said of the main line, and of variations.
fn of_lines(game: &Game<'_>, course: &Course) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let (mut main, mut side) = (Vec::new(), Vec::new());
    let broken = course.broken.iter().chain(&course.broken_variations);
    let remarked = course.remarks.iter().map(|remark| remark.event);
    let Some(last) = remarked.chain(broken.map(|broken| broken.event)).max() else {
        return (main, side);
    };
    let hands = course.reading.hands;
    let mut remarks = course.remarks.iter().peekable();
    let mut variations = course.broken_variations.iter().peekable();
    walk(game, course, |step| {
        let here = |event: u32| event as usize == step.index;
        let remark = remarks.next_if(|remark| here(remark.event));
        let broken = course.broken.as_ref().filter(|broken| here(broken.event));
        let variation = variations.next_if(|broken| here(broken.event));
        if remark.is_none() && broken.is_none() && variation.is_none() {
            return true;
        }
        let sheet = hands.of(step.before.turn());
        let text = token_of(game, step.event);
        let token = Token {
            text: &text,
            at: game.place(step.event),
        };
        if let (Some(remark), Some(mv)) = (remark, step.mv) {
            let found = if remark.is_main { &mut main } else { &mut side };
            of_ply(step.before, mv, remark, &token, sheet, found);
        }
        if let Some(broken) = broken {
            let ply = broken.ply as usize;
            let mut finding = of_break(step.before, &broken.fault, &token, sheet.notation);
            finding.ply = ply_number(ply);
            let (tokens, reading) = (Tokens::of(game), course.reading);
            for other in near(step.before, &token, reading) {
                if !finding.alternatives.contains(&other) {
                    finding.alternatives.push(other);
                }
            }
            finding.alternatives.truncate(MOST_ALTERNATIVES);
            if broken.is_truncated {
                main.push(record::truncated(&token, finding.ply));
            } else {
                let (start, numbering) = (&course.start, game.numbering());
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
fn walk(game: &Game<'_>, course: &Course, mut visit: impl FnMut(Step<'_>) -> bool) {
    let mut outer: Vec<(Position, Position)> = Vec::new();
    let (mut before, mut now) = (course.start.clone(), course.start.clone());
    let mut moves = course.moves.iter();
    let mut side_moves = course.side_moves.iter();
    for (index, event) in game.events().iter().enumerate() {
        match event.kind {
            Item::Move(is_replaced) => {
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
                if is_replaced {
                    before.clone_from(&now);
                }
                if let Some(mv) = mv {
                    now.play_unchecked(mv);
                }
            }
            Item::VariationStart => {
                outer.push((before.clone(), now));
                now = before.clone();
            }
            Item::VariationEnd => {
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
            let trace = findings::guess(before, notation, token.text, mv, several);
            say(Warning, trace.code(), trace.message(), trace.readings());
        }
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

/// The tokens that were read as one of several moves: indices of their events.
pub(crate) fn guesses(game: &Game<'_>, course: &Course) -> Vec<(usize, Trace)> {
    let guessed = course.remarks.iter();
    let mut guessed = guessed
        .filter(|remark| remark.readings.len() > 1)
        .peekable();
    let mut found = Vec::new();
    if guessed.peek().is_none() {
        return found;
    }
    walk(game, course, |step| {
        let here = |remark: &&Remark| remark.event as usize == step.index;
        if let (Some(remark), Some(mv)) = (guessed.next_if(here), step.mv) {
            let notation = course.reading.hands.of(step.before.turn()).notation;
            let token = token_of(game, step.event);
            let trace = findings::guess(step.before, notation, &token, mv, &remark.readings);
            found.push((step.index, trace));
        }
        guessed.peek().is_some()
    });
    found
}

/// The findings of a conversion, from the traces it left in a game that starts from a position.
pub(crate) fn of_traces(game: &Game<'_>, start: &Position, mut tell: impl FnMut(Diagnostic)) {
    // The last move of the line, and how many half moves there are up to it.
    let mut line = (None, 0_usize);
    let mut outer = Vec::new();
    for event in game.events() {
        match event.kind {
            Item::Move(_) => line = (Some(event), line.1 + 1),
            Item::VariationStart => {
                outer.push(line);
                line = (None, line.1.saturating_sub(1));
            }
            Item::VariationEnd => line = outer.pop().unwrap_or((None, line.1)),
            Item::Comment(_) | Item::LineComment(_) => {
                let (last, plies) = line;
                let place = |last| (game.place(last), token_of(game, last).len());
                let (at, len) = last.map_or((game.at, 0), place);
                let comment = fold(decode(game.text(event)));
                Trace::take(&comment, |trace| {
                    let mut finding = Diagnostic {
                        token: trace.token.clone(),
                        len,
                        alternatives: trace.readings(),
                        ..Diagnostic::of_game(Severity::Warning, trace.code(), at, trace.message())
                    };
                    // What was left out was the next move.
                    let plies = plies + usize::from(trace.text.is_empty());
                    if let Some(ply) = plies.checked_sub(1) {
                        finding.number = number(first_half(start) + ply);
                        finding.ply = ply_number(ply);
                    }
                    if !outer.is_empty() {
                        in_variation(&mut finding);
                    }
                    tell(finding);
                });
            }
            _ => {}
        }
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
