//! How the game ended: by the rules, by its record, and whether the two agree.

use super::findings;
use super::line::{Line, Token};
use crate::GameResult;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::record::Game;
use std::collections::HashMap;
use tridex_rules::{Color, Outcome, Position};

pub(super) struct Verdict {
    pub(super) result: GameResult,
    pub(super) outcome: String,
}

pub(super) fn of(
    game: &Game,
    start: &Position,
    line: &Line,
    tokens: &[Token<'_>],
    found: &mut Vec<Diagnostic>,
) -> Verdict {
    let tag = game.find_tag("Result").and_then(|(value, at)| {
        crate::result_word(value.trim().as_bytes()).map(|result| (result, at))
    });
    let behind = game.result.map(|result| (result, game.result_at));
    let result = behind
        .or(tag)
        .map_or(GameResult::Unknown, |(result, _)| result);
    if let (Some((behind, at)), Some((tag, _))) = (behind, tag)
        && behind != tag
    {
        found.push(Diagnostic::of_game(
            Severity::Warning,
            Code::ResultMismatch,
            at,
            format!("the result behind the moves is {behind}, the tag says {tag}"),
        ));
    }
    let repeated = history(start, line, tokens, found);
    let by_rules = line
        .last
        .outcome()
        .or(repeated.then_some(Outcome::Repetition));
    if line.is_whole()
        && let Some(outcome) = by_rules
        && contradicts(outcome, result)
    {
        let at = behind.or(tag).map_or(game.at, |(_, at)| at);
        found.push(Diagnostic::of_game(
            Severity::Error,
            Code::Result,
            at,
            format!(
                "the record says {result}, but the final position is {}",
                described(outcome)
            ),
        ));
    }
    Verdict {
        result,
        outcome: by_rules.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string()),
    }
}

fn described(outcome: Outcome) -> &'static str {
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

/// Whether a stated result cannot be right (ruling C4).
fn contradicts(outcome: Outcome, result: GameResult) -> bool {
    let right = match outcome {
        Outcome::Checkmate {
            winner: Color::White,
        } => GameResult::White,
        Outcome::Checkmate {
            winner: Color::Black,
        } => GameResult::Black,
        Outcome::Stalemate | Outcome::Material | Outcome::Repetition => GameResult::Draw,
    };
    result != GameResult::Unknown && result != right
}

/// Goes through the game once more for draws that ended it and draws that could have been claimed. Returns whether the
/// final position is one that ends the game by repetition.
fn history(
    start: &Position,
    line: &Line,
    tokens: &[Token<'_>],
    found: &mut Vec<Diagnostic>,
) -> bool {
    let rules = start.rules();
    let mut position = start.clone();
    // The whole game, not only what follows the last progress: a board may carry a pawn there and back, and on the
    // cube a pawn may go up and down again.
    let mut times: HashMap<u64, u32> = HashMap::from([(position.key(), 1)]);
    let (mut over, mut threefold, mut fifty) = (false, false, false);
    if position.is_dead() && !line.plies.is_empty() {
        over = true;
        let message =
            "the game was drawn before it began: neither side can ever mate; the record plays on"
                .to_owned();
        found.push(findings::at_ply(
            Severity::Warning,
            Code::GameOver,
            start,
            tokens,
            0,
            message,
        ));
    }
    let mut repeated = false;
    for (ply, step) in line.plies.iter().enumerate() {
        let last = ply + 1 == line.plies.len() && line.is_whole();
        position.play_unchecked(step.mv);
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
            let message = format!(
                "after this move the game was {}, which ends it at once; the record plays on",
                described(outcome)
            );
            found.push(findings::at_ply(
                Severity::Warning,
                Code::GameOver,
                start,
                tokens,
                ply,
                message,
            ));
        }
        if repeated && !threefold && !rules.repetition_ends() && rules.claim_after().is_some() {
            threefold = true;
            let message =
                "with this move the position stands for the third time: a draw could be claimed"
                    .to_owned();
            found.push(findings::at_ply(
                Severity::Info,
                Code::Threefold,
                start,
                tokens,
                ply,
                message,
            ));
        }
        if !fifty
            && rules
                .claim_after()
                .is_some_and(|n| position.halfmoves() >= n)
        {
            fifty = true;
            let message =
                "fifty moves of each side without progress: a draw could be claimed".to_owned();
            found.push(findings::at_ply(
                Severity::Info,
                Code::FiftyMoves,
                start,
                tokens,
                ply,
                message,
            ));
        }
    }
    repeated && rules.repetition_ends()
}
