//! How the game ended: by the rules, by its record, and whether the two agree.

use crate::course::{Claim, Course};
use crate::diagnostic::{Code, Diagnostic, Severity, Status};
use crate::findings::shown;
use crate::setting::Setting;
use std::collections::HashMap;
use tridex_archive::{Ending, Game, GameResult};
use tridex_rules::{Color, Outcome, Position, RuleSystem};

/// Finds how a game ended. With `is_suspect` draws on the way are searched for.
pub(crate) fn give(is_suspect: bool, game: &Game<'_>, setting: &Setting, course: &mut Course) {
    let after = game.stated();
    let tag = setting.result;
    let result = after
        .or(tag)
        .map_or(GameResult::Unknown, |(result, _)| result);
    if let (Some((after, at)), Some((tag, _))) = (after, tag)
        && after != tag
    {
        course.worsen(Status::Warned);
        course.late.push(Diagnostic::of_game(
            Severity::Warning,
            Code::ResultMismatch,
            at,
            format!("the result after the moves is {after}, the tag is {tag}"),
        ));
    }
    let repeated = is_suspect && look_back(course);
    let by_rules = course
        .last
        .outcome()
        .or(repeated.then_some(Outcome::Repetition));
    if course.is_whole()
        && let Some(outcome) = by_rules
        && contradicts(outcome, result)
    {
        let at = after.or(tag).map_or(game.at, |(_, at)| at);
        course.worsen(Status::Invalid);
        course.late.push(Diagnostic::of_game(
            Severity::Error,
            Code::Result,
            at,
            format!(
                "the recorded result is {result}, but the final position is {}",
                described(outcome)
            ),
        ));
    }
    let stated = after.or(tag);
    if course.is_whole()
        && let Some(outcome) = by_rules
        && let Some((GameResult::Unknown, at)) = stated
    {
        course.worsen(Status::Warned);
        course.late.push(Diagnostic::of_game(
            Severity::Warning,
            Code::Result,
            at,
            format!(
                "the record leaves the result open, but the final position is {}",
                described(outcome)
            ),
        ));
    }
    if let Some(finding) = by_the_clock(result, setting, course) {
        course.worsen(Status::Warned);
        course.late.push(finding);
    }
    course.result = result;
    course.outcome = by_rules;
}

/// How words say that the game ended, and whether the result was set from them or agrees with them.
pub(crate) fn of_words(game: &Game<'_>, course: &Course, strict: bool) -> Option<Diagnostic> {
    let (ending, text, at) = game.ending()?;
    let result = course.result;
    let winner = match (ending, result) {
        // A result that is stated shows who has resigned.
        (Ending::ResignedUnnamed(_), GameResult::White | GameResult::Black) => Some(result),
        _ => ending.result(),
    };
    let what = match winner {
        Some(GameResult::White) => "Black resigned",
        Some(GameResult::Black) => "White resigned",
        Some(_) => "draw",
        None => "a player resigned",
    };
    let mut code = Code::Unusual;
    let how = if game.stated().is_some_and(|(_, place)| place == at) {
        format!("; result set to {result}")
    } else if winner == Some(result) {
        format!("; the result is {result}")
    } else if winner.is_none() && result == GameResult::Unknown {
        "; which one is not stated, so no result is set".to_owned()
    } else {
        code = Code::ResultMismatch;
        format!(", but the result is {result}")
    };
    let severity = if strict {
        Severity::Error
    } else {
        Severity::Warning
    };
    let message = format!("`{}`: {what}{how}", shown(text));
    Some(Diagnostic {
        token: shown(text),
        len: text.len(),
        ..Diagnostic::of_game(severity, code, at, message)
    })
}

/// A win on time or by forfeit by pieces that cannot mate: that is a draw (ruling C9).
fn by_the_clock(result: GameResult, setting: &Setting, course: &Course) -> Option<Diagnostic> {
    let winner = match result {
        GameResult::White => Color::White,
        GameResult::Black => Color::Black,
        _ => return None,
    };
    let at = setting.forfeit?;
    if !course.is_whole() || course.last.can_mate(winner) || course.last.is_checkmate() {
        return None;
    }
    let article = match course.start.rules() {
        RuleSystem::Meder => " (Meder, Article 6.9)",
        RuleSystem::Millennium => " (Millennium, Section 4.9)",
        _ => "",
    };
    let name = match winner {
        Color::White => "White",
        Color::Black => "Black",
    };
    let message = format!(
        "the recorded result is {result} without mate, but {name} has no pieces that can mate: that is a draw{article}"
    );
    let (severity, code) = (Severity::Warning, Code::Result);
    Some(Diagnostic::of_game(severity, code, at, message))
}

pub(crate) const fn described(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Checkmate {
            winner: Color::White,
        } => "mate to Black's king",
        Outcome::Checkmate {
            winner: Color::Black,
        } => "mate to White's king",
        Outcome::Stalemate => "stalemate",
        Outcome::Material => "drawn: neither side can ever mate",
        Outcome::Repetition => "drawn by its third occurrence",
    }
}

/// The result of a game that ended so.
pub(crate) const fn result_of(outcome: Outcome) -> GameResult {
    match outcome {
        Outcome::Checkmate {
            winner: Color::White,
        } => GameResult::White,
        Outcome::Checkmate {
            winner: Color::Black,
        } => GameResult::Black,
        Outcome::Stalemate | Outcome::Material | Outcome::Repetition => GameResult::Draw,
    }
}

/// Whether a stated result cannot be right (ruling C4).
fn contradicts(outcome: Outcome, result: GameResult) -> bool {
    result != GameResult::Unknown && result != result_of(outcome)
}

/// Goes through the game once more for draws that ended it and draws that could have been claimed. Returns whether the
/// final position is one that ends the game by repetition.
fn look_back(course: &mut Course) -> bool {
    let start: &Position = &course.start;
    let rules = start.rules();
    let mut position = start.clone();
    // The whole game, not only what follows the last progress: a board may carry a pawn there and back, and on the
    // cube a pawn may go up and down again.
    let mut times: HashMap<u64, u32> = HashMap::from([(position.key(), 1)]);
    let (mut over, mut threefold, mut fifty) = (false, false, false);
    let mut claims = Vec::new();
    if position.is_dead() && !course.moves.is_empty() {
        over = true;
        claims.push(Claim::OverBefore);
    }
    let mut repeated = false;
    for (ply, mv) in course.moves.iter().enumerate() {
        let last = ply + 1 == course.moves.len() && course.is_whole();
        position.play_unchecked(*mv);
        let times = times.entry(position.key()).or_default();
        *times += 1;
        repeated = *times >= 3;
        let ended = if position.is_dead() {
            Some(Outcome::Material)
        } else if repeated && rules.repetition_ends() {
            Some(Outcome::Repetition)
        } else {
            None
        };
        if let Some(outcome) = ended
            && !last
            && !over
        {
            over = true;
            claims.push(Claim::Over(ply, outcome));
        }
        if repeated && !threefold && !rules.repetition_ends() && rules.claim_after().is_some() {
            threefold = true;
            claims.push(Claim::Threefold(ply));
        }
        let has_no_progress = |n| position.halfmoves() >= n;
        if !fifty && rules.claim_after().is_some_and(has_no_progress) {
            fifty = true;
            claims.push(Claim::FiftyMoves(ply));
        }
    }
    if over {
        course.worsen(Status::Warned);
    }
    course.claims = claims;
    repeated && rules.repetition_ends()
}
