//! The findings of a game that was followed, made from what was noted on the way.

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
use tridex_archive::game::Numbering;
use tridex_archive::{Game, Item, decode, fold};
use tridex_notation::resolve::Mismatch;
use tridex_notation::{Notation, TokenNote, slips};
use tridex_rules::Position;

/// All findings of a game, in order of place.
pub(crate) fn of_game(game: &Game<'_>, course: &Course) -> Vec<Diagnostic> {
    let mut found = course.early.clone();
    found.extend(of_lines(game, course));
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

/// The findings of the main line, and of variations, in order of events.
fn of_lines(game: &Game<'_>, course: &Course) -> Vec<Diagnostic> {
    let hands = course.reading.hands;
    let (mut main, mut side) = (Vec::new(), Vec::new());
    for remark in &course.remarks {
        let sheet = hands.of(remark.before.turn());
        let found = if remark.is_main { &mut main } else { &mut side };
        with_token(game, remark.event, |token| {
            of_ply(remark, token, sheet, |finding| {
                found.push((remark.event, finding))
            });
        });
    }
    for broken in &course.broken_variations {
        let notation = hands.of(broken.before.turn()).notation;
        with_token(game, broken.event, |token| {
            side.push((broken.event, of_variation(broken, token, notation)));
            let truncated = broken.is_truncated.then(|| record::truncated(token, 0));
            side.extend(truncated.map(|finding| (broken.event, finding)));
        });
    }
    side.sort_by_key(|(event, _)| *event);
    if let Some(broken) = &course.broken {
        with_token(game, broken.event, |token| {
            let (finding, truncated) = of_broken(game, course, broken, token);
            let findings = truncated.into_iter().chain([finding]);
            main.extend(findings.map(|finding| (broken.event, finding)));
        });
    }
    let found = main.into_iter().chain(side);
    found.map(|(_, finding)| finding).collect()
}

/// Calls a function with the token of an event.
fn with_token(game: &Game<'_>, event: u32, take: impl FnOnce(&Token<'_>)) {
    if let Some(event) = game.events().get(event as usize) {
        let text = token_of(game, event);
        let at = game.place(event);
        take(&Token { text: &text, at });
    }
}

/// Why the main line breaks off, and that its record ends there.
fn of_broken(
    game: &Game<'_>,
    course: &Course,
    broken: &Broken,
    token: &Token<'_>,
) -> (Diagnostic, Option<Diagnostic>) {
    let (ply, reading) = (broken.ply as usize, course.reading);
    let sheet = reading.hands.of(broken.before.turn());
    let mut finding = of_break(&broken.before, &broken.fault, token, sheet.notation);
    finding.ply = ply_number(ply);
    for other in near(&broken.before, token, reading) {
        if !finding.alternatives.contains(&other) {
            finding.alternatives.push(other);
        }
    }
    finding.alternatives.truncate(MOST_ALTERNATIVES);
    if broken.is_truncated {
        let truncated = record::truncated(token, finding.ply);
        return (finding, Some(truncated));
    }
    let (start, numbering) = (&course.start, game.numbering());
    let tokens = Tokens::of(game);
    repair::explain(&mut finding, start, &tokens, Some(ply), reading, numbering);
    (finding, None)
}

/// Why a variation cannot be followed. Nothing in it makes the game invalid.
fn of_variation(broken: &Broken, token: &Token<'_>, notation: Notation) -> Diagnostic {
    let finding = of_break(&broken.before, &broken.fault, token, notation);
    Diagnostic {
        severity: Severity::Warning,
        code: Code::Variation,
        ply: 0,
        message: format!("this variation cannot be followed: {}", finding.message),
        ..finding
    }
}

/// The findings of a ply that was read.
fn of_ply(remark: &Remark, token: &Token<'_>, sheet: Writing, mut found: impl FnMut(Diagnostic)) {
    let (before, mv) = (&remark.before, remark.mv);
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
        found(finding);
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
    if notes.has(TokenNote::Ocr) {
        let how = "with a likely misread character put right";
        say(Warning, Code::Ocr, taken(how), Vec::new());
    }
    if notes.has(TokenNote::PawnLetter) {
        let how = "with `P` for a pawn, which the notation does not write";
        say(Warning, Code::Dialect, taken(how), Vec::new());
    }
    if notes.has(TokenNote::MissingLevel) && remark.readings.is_empty() {
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
    if notes.has(TokenNote::Spelling) {
        let how = "though the notation spells it otherwise";
        say(Info, Code::Spelling, taken(how), Vec::new());
    }
    if notes.has(TokenNote::Case) {
        let how = "regardless of case";
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
                "`{}` fits several moves; the rest of the game is legal only with {}",
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
    let guessed = guessed.filter(|remark| remark.readings.len() > 1);
    let mut found = Vec::new();
    for remark in guessed {
        let notation = course.reading.hands.of(remark.before.turn()).notation;
        with_token(game, remark.event, |token| {
            let (before, token) = (&remark.before, token.text);
            let trace = findings::guess(before, notation, token, remark.mv, &remark.readings);
            found.push((remark.event as usize, trace));
        });
    }
    found
}

/// The findings of a conversion, from the traces it left in a game that starts from a position.
pub(crate) fn of_traces(
    game: &Game<'_>,
    start: &Position,
    mut tell: impl FnMut(&Trace, Diagnostic),
) {
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
                    // The move that is missing was the next one.
                    let plies = plies + usize::from(trace.text.is_empty());
                    if let Some(ply) = plies.checked_sub(1) {
                        finding.number = number(first_half(start) + ply);
                        finding.ply = ply_number(ply);
                    }
                    if !outer.is_empty() {
                        in_variation(&mut finding);
                    }
                    tell(&trace, finding);
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
