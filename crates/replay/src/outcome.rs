//! How a game ended by the rules and according to its record, and whether the two agree.

use crate::declared::Declared;
use crate::finding::wording::{first_half, number, of_text, ply_number, shown};
use crate::finding::{Code, Finding, Severity};
use crate::replay::Replay;
use crate::style::token::Token;
use std::collections::HashMap;
use tridex_archive::{Game, GameResult};
use tridex_rules::{Color, Outcome};

/// Determines how a game ended. With `is_suspect`, also searches for draws before its end.
pub(crate) fn give(is_suspect: bool, game: &Game<'_>, declared: &Declared, replay: &mut Replay) {
    let (after, tag) = (game.stated(), declared.result);
    if let (Some((after, at)), Some((tag, _))) = (after, tag)
        && after != tag
    {
        let message = format!("the result after the moves is {after}, the tag is {tag}");
        replay.report(Severity::Warning, Code::ResultMismatch, at, message);
    }
    let repeated = is_suspect && look_back(game, replay);
    let repeated = repeated.then_some(Outcome::Repetition);
    replay.outcome = replay.last.outcome().or(repeated);
    let stated = after.or(tag);
    replay.result = stated.map_or(GameResult::Unknown, |(result, _)| result);
    // A stated result that cannot be right (ruling stated-result).
    if replay.broken.is_none()
        && let (Some(outcome), Some((result, at))) = (replay.outcome, stated)
        && result != result_of(outcome)
    {
        let end = described(outcome);
        let (severity, stated) = match result {
            GameResult::Unknown => (Severity::Warning, "the record leaves the result open"),
            _ => (
                Severity::Error,
                &*format!("the recorded result is {result}"),
            ),
        };
        let message = format!("{stated}, but the final position is {end}");
        replay.report(severity, Code::Result, at, message);
    }
    by_the_clock(declared, replay);
}

/// The finding about words that state how the game ended. It states whether the result was set from them or agrees with
/// them.
pub(crate) fn of_words(game: &Game<'_>, replay: &Replay, strict: bool) -> Option<Finding> {
    let &(ending, ref text, at) = game.ending.as_ref()?;
    let result = replay.result;
    let winner = match (ending.is_unnamed, result) {
        // If the words do not name the player who resigned, a stated result does.
        (true, GameResult::White | GameResult::Black) => Some(result),
        _ => ending.result,
    };
    let what = match winner {
        Some(GameResult::White) if ending.is_resignation => "Black resigned",
        Some(GameResult::Black) if ending.is_resignation => "White resigned",
        Some(GameResult::White) => "White won",
        Some(GameResult::Black) => "Black won",
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
    let severity = Severity::error_if(strict, Severity::Warning);
    let message = format!("`{}`: {what}{how}", shown(text));
    Some(of_text(severity, code, (text, at), message))
}

/// Reports a win on time or by forfeit of a player whose pieces cannot mate, which is a draw (ruling win-on-time).
fn by_the_clock(declared: &Declared, replay: &mut Replay) {
    let (winner, name) = match replay.result {
        GameResult::White => (Color::White, "White"),
        GameResult::Black => (Color::Black, "Black"),
        _ => return,
    };
    let last = &replay.last;
    let Some(at) = declared.forfeit else {
        return;
    };
    if replay.broken.is_some() || last.can_mate(winner) || last.is_checkmate() {
        return;
    }
    let article = replay.start.rules().facts().win_on_time;
    let article = article.map_or(String::new(), |article| format!(" ({article})"));
    let message = format!(
        "the recorded result is {} without mate, but {name} has no pieces that can mate: that is a draw{article}",
        replay.result
    );
    replay.report(Severity::Warning, Code::Result, at, message);
}

const fn described(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Checkmate { winner } if winner.is_white() => "mate to Black's king",
        Outcome::Checkmate { .. } => "mate to White's king",
        Outcome::Stalemate => "stalemate",
        Outcome::Material => "drawn: neither side can ever mate",
        Outcome::Repetition => "drawn by its third occurrence",
    }
}

/// The result of a game with an outcome.
pub(crate) const fn result_of(outcome: Outcome) -> GameResult {
    match outcome {
        Outcome::Checkmate { winner } if winner.is_white() => GameResult::White,
        Outcome::Checkmate { .. } => GameResult::Black,
        Outcome::Stalemate | Outcome::Material | Outcome::Repetition => GameResult::Draw,
    }
}

/// Plays the game again and reports draws that ended it before its last move (ruling moves-after-draw) and draws that
/// could have been claimed (ruling claims-are-reported). Returns whether the final position ends the game by
/// repetition.
fn look_back(game: &Game<'_>, replay: &mut Replay) -> bool {
    let mut position = replay.start.clone();
    let (rules, first) = (position.rules(), first_half(&position));
    let findings = &mut replay.findings;
    // Each code is reported only once.
    let mut claim = |ply: usize, severity, code, message: &str| {
        if findings.iter().any(|found| found.code == code) {
            return;
        }
        let event = game.main_events().nth(ply).map(|(_, event)| event);
        let token = event.map(|event| Token::of(game, event));
        let token = token.unwrap_or_default();
        findings.push(Finding {
            ply: ply_number(ply),
            number: number(first + ply),
            ..of_text(severity, code, token.place(), message.to_owned())
        });
    };
    // Counts all positions of the game, not only those since the last pawn move or capture, because earlier ones may
    // recur: a board may carry a pawn there and back, and on the cube a pawn may move up and down again.
    let mut times: HashMap<u64, u32> = HashMap::from([(position.key(), 1)]);
    if position.is_dead() && !replay.moves.is_empty() {
        let message =
            "the game was drawn before it began: neither side can ever mate; the record plays on";
        claim(0, Severity::Warning, Code::GameOver, message);
    }
    let mut repeated = false;
    for (ply, mv) in replay.moves.iter().enumerate() {
        let is_last = ply + 1 == replay.moves.len() && replay.broken.is_none();
        position.play_unchecked(*mv);
        let times = times.entry(position.key()).or_default();
        *times += 1;
        repeated = *times >= 3;
        let is_drawn = repeated && rules.repetition_ends();
        if !is_last && (is_drawn || position.is_dead()) {
            let outcome = match position.is_dead() {
                true => Outcome::Material,
                false => Outcome::Repetition,
            };
            let message = format!(
                "after this move the game was {}, which ends it at once; the record plays on",
                described(outcome)
            );
            claim(ply, Severity::Warning, Code::GameOver, &message);
        }
        let Some(without_progress) = rules.claim_after() else {
            continue;
        };
        if repeated && !rules.repetition_ends() {
            let message =
                "with this move the position occurs for the third time: a draw could be claimed";
            claim(ply, Severity::Info, Code::Threefold, message);
        }
        if position.halfmoves() >= without_progress {
            let message = "fifty moves of each side without progress: a draw could be claimed";
            claim(ply, Severity::Info, Code::FiftyMoves, message);
        }
    }
    repeated && rules.repetition_ends()
}
