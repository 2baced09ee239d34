//! The findings of a game that was followed, collected on request.

mod corrections;
mod search;
mod sheet;
#[cfg(test)]
mod tests;

use crate::finding::trace::Trace;
use crate::finding::wording::{
    self, MOST_ALTERNATIVES, canonical, first_half, in_full, number, of_break, of_token,
    ply_number, shown,
};
use crate::finding::{Code, Finding, Severity, Status};
use crate::reading::Ply;
use crate::replay::{Broken, Played, Replay};
use crate::style::Style;
use crate::style::token::{Token, token_of, tokens};
use tridex_archive::game::Numbering;
use tridex_archive::{Game, Item, decode, fold};
use tridex_notation::resolve::{Mismatch, has_one_square};
use tridex_notation::{TokenNote, slips};
use tridex_rules::Position;

impl Played<'_> {
    /// Returns the findings, with messages, in the order of their offsets. Lines and columns are not filled in.
    ///
    /// ```
    /// use tridex_archive::{Limits, game, pgn};
    /// use tridex_replay::{Options, replay_with};
    ///
    /// let text = b"[Variant \"meder\"]\n\n1. b4N b9B *\n";
    /// let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
    /// let first = replay_with(&games[0], &Options::default(), |game| game.findings().remove(0));
    /// assert_eq!((first.ply, first.token.as_str()), (2, "b9B"));
    /// ```
    #[must_use]
    pub fn findings(&self) -> Vec<Finding> {
        if self.has_no_findings() {
            return Vec::new();
        }
        of_game(self)
    }

    /// Returns the error with the lowest offset if the game is invalid.
    #[must_use]
    pub fn first_error(&self) -> Option<Finding> {
        if self.status() != Status::Invalid {
            return None;
        }
        let mut found = self.findings().into_iter();
        found.find(|found| found.severity == Severity::Error)
    }

    /// Returns the game as an owned value, with all findings.
    #[must_use]
    pub fn to_replay(&self) -> Replay {
        let replay: &Replay = self;
        Replay {
            findings: self.findings(),
            lines: Vec::new(),
            ..replay.clone()
        }
    }
}

/// All findings of a game, in the order of their offsets.
fn of_game(played: &Played<'_>) -> Vec<Finding> {
    let (game, replay): (_, &Replay) = (played.game(), played);
    let mut found = replay.findings.clone();
    found.extend(replay.lines.iter().cloned());
    if let Some(broken) = &replay.broken {
        found.extend(of_broken(played, broken));
    } else if let Numbering::Gap(gap) = game.numbers.numbering()
        && let Some(reported) = found
            .iter_mut()
            .find(|found| found.code == Code::MoveNumber && found.at == gap.at)
    {
        corrections::add(
            reported,
            replay,
            &tokens(game, played.cache()),
            None,
            game.numbers.numbering(),
        );
    }
    found.sort_by_key(|found| (found.at, found.code));
    let last = found.last().map_or(game.at, |last| last.at);
    found.extend(wording::uncounted(
        replay.omitted,
        &game.damage,
        last,
        replay.reading.strict,
    ));
    found
}

/// The findings about the place where the main line breaks: why it does, and whether the record is truncated there.
fn of_broken(played: &Played<'_>, broken: &Broken) -> Vec<Finding> {
    let (game, replay): (_, &Replay) = (played.game(), played);
    let Some(event) = game.events().get(broken.event) else {
        return Vec::new();
    };
    let (before, token) = (&broken.before, Token::of(game, event));
    let sheet = replay.reading.hands[before.turn() as usize];
    let mut finding = of_break(before, &broken.fault, &token, sheet.notation);
    finding.ply = ply_number(broken.ply);
    // Add the legal moves that are one slip away from the token.
    let near = slips::corrections(before, sheet.notation, sheet.locale, &token.text);
    let near = near.into_iter().map(|near| near.text);
    finding.offer(near, MOST_ALTERNATIVES);
    if broken.is_truncated {
        return vec![wording::truncated(&token, finding.ply), finding];
    }
    // If the start position of the record could not be used, no correction of a move makes the game legal.
    let mut others = replay.findings.iter();
    if others.any(|found| found.code == Code::StartPosition) {
        return vec![finding];
    }
    let (tokens, place) = (tokens(game, played.cache()), Some(broken.ply));
    // Nothing is known about the tokens after an unrecorded move, so corrections are not searched for there.
    if broken.ply >= tokens.len() {
        return vec![finding];
    }
    corrections::add(
        &mut finding,
        replay,
        &tokens,
        place,
        game.numbers.numbering(),
    );
    vec![finding]
}

/// Turns the reason why a variation breaks into a warning, since nothing in a variation makes the game invalid.
pub(crate) fn of_variation(why: Finding) -> Finding {
    Finding {
        severity: Severity::Warning,
        code: Code::Variation,
        ply: 0,
        message: format!("this variation cannot be followed: {}", why.message),
        ..why
    }
}

/// The findings about a ply, given the position before it and the style of the player. `guess` is the trace of a token
/// that was read as one of several moves, or of an unrecorded move that was filled in.
pub(crate) fn of_ply(
    read: &Ply,
    token: &Token<'_>,
    before: &Position,
    sheet: Style,
    guess: Option<&Trace>,
) -> Vec<Finding> {
    let (mut found, notation, notes) = (Vec::new(), sheet.notation, read.text.notes);
    let canonical = || canonical(before, notation, read.mv);
    let mut say = |severity, code, message: String| {
        found.push(of_token(severity, code, before, token, message));
    };
    let taken = |how: &str| format!("`{}` is read as {} {how}", shown(&token.text), canonical());
    use Severity::{Info, Warning};
    if read.style.notation != notation {
        let how = format!("in the {} notation", read.style.notation.name());
        say(Warning, Code::OtherNotation, taken(&how));
    } else if read.style.locale != sheet.locale {
        let how = format!("in {} letters", read.style.locale.name());
        say(Warning, Code::Dialect, taken(&how));
    }
    let pawn_letter = "with `P` for a pawn, which the notation does not write";
    let spelling = "though the notation spells it otherwise";
    for (note, severity, code, how) in [
        (
            TokenNote::Ocr,
            Warning,
            Code::Ocr,
            "with a likely misread character corrected",
        ),
        (TokenNote::PawnLetter, Warning, Code::Dialect, pawn_letter),
        (TokenNote::Spelling, Info, Code::Spelling, spelling),
        (TokenNote::Case, Info, Code::Case, "regardless of case"),
    ] {
        if notes.has(note) {
            say(severity, code, taken(how));
        }
    }
    if notes.has(TokenNote::MissingLevel) && read.readings.is_empty() {
        let (severity, how) = if has_one_square(&read.text, before) {
            (Info, "the only square of that name")
        } else {
            (Warning, "the only level to which it can go")
        };
        let message = format!(
            "`{}` does not say on which level; it is read as {}, {how}",
            shown(&token.text),
            canonical()
        );
        say(severity, Code::MissingLevel, message);
    }
    for mismatch in read.mismatches.iter() {
        let code = match mismatch {
            Mismatch::CaptureWritten | Mismatch::CaptureMissing => Code::CaptureMark,
            Mismatch::EnPassantWritten | Mismatch::EnPassantMissing => Code::EnPassantMark,
            Mismatch::CheckWritten | Mismatch::MateWritten => Code::CheckMark,
        };
        say(Warning, code, format!("{mismatch} ({})", canonical()));
    }
    if let Some(guess) = guess {
        found.push(Finding {
            number: number(first_half(before)),
            len: token.text.len(),
            ..guess.finding(token.at)
        });
    } else if let [only] = read.readings.as_slice() {
        let message = format!(
            "`{}` fits several moves; the rest of the game is legal only with {}",
            shown(&token.text),
            in_full(before, notation, *only)
        );
        say(Warning, Code::AmbiguityResolved, message);
    }
    found
}

/// The traces that a conversion left in the comments of a game, each with its finding. `start` is the start position.
pub(crate) fn of_traces(game: &Game<'_>, start: &Position) -> Vec<(Trace, Finding)> {
    let mut found = Vec::new();
    // The last move of the line, and the number of plies up to it.
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
                Trace::take(&fold(decode(game.text(event))), |trace| {
                    let mut finding = trace.finding(at);
                    finding.len = len;
                    // A trace without text is about the ply after the last one: its token was removed.
                    let plies = plies + usize::from(trace.text.is_empty());
                    if let Some(ply) = plies.checked_sub(1) {
                        finding.number = number(first_half(start) + ply);
                        finding.ply = ply_number(ply);
                    }
                    if !outer.is_empty() {
                        in_variation(&mut finding);
                    }
                    found.push((trace, finding));
                });
            }
            _ => {}
        }
    }
    found
}

/// Turns a finding about a move into one about a move in a variation.
pub(crate) fn in_variation(finding: &mut Finding) {
    finding.ply = 0;
    finding.message.insert_str(0, "in a variation: ");
    if finding.code == Code::Ambiguous {
        finding.code = Code::Variation;
    }
}
