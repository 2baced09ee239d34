//! One small correction that makes the whole rest of a game legal.
//!
//! Tried are a wrong or missing level, and what the readers of other writings make of the token; each is kept only if
//! every token after it can then be replayed without another correction. Where exactly one does, it is a suggestion;
//! where several do, nobody can know.

use crate::diagnostic::{Code, Diagnostic, Severity, Status};
use crate::findings::in_full;
use crate::guess::Tokens;
use crate::line::{Break, Reading, Token, read_line};
use crate::{Options, Report};
use tridex_archive::record::Game;
use tridex_notation::{MoveKind, MoveText, Note, PieceText, Place, resolve};
use tridex_rules::{MoveList, Position};

/// The only correction of the token at `ply` that lets the rest be replayed from `position`, spelled in full.
pub(crate) fn suggestion(
    position: &Position,
    tokens: &Tokens<'_>,
    ply: usize,
    fault: &Break,
    reading: Reading,
) -> Option<String> {
    if tokens.len().saturating_sub(ply + 1) > LONGEST_REST {
        return None;
    }
    let mut fitting = corrections(position, &tokens.get(ply)?, fault, reading);
    fitting.retain(|mv| {
        let mut after = position.clone();
        after.play_unchecked(*mv);
        read_line(&after, tokens.from(ply + 1), reading).is_whole()
    });
    match fitting.as_slice() {
        [only] => Some(in_full(position, reading.writing.notation, *only)),
        _ => None,
    }
}

/// A longer game is not replayed again for every correction of one token.
const LONGEST_REST: usize = 2_000;

/// The game with its suggestion carried out, and that of the next broken token, until it can be replayed or nothing is
/// to be suggested; and the report on it, in which each correction is listed.
#[must_use]
pub fn repair_game(game: &mut Game, mut report: Report, options: &Options) -> Report {
    let mut made = Vec::new();
    // A suggestion makes the whole rest legal, so one round does it for each broken line.
    while let Some(found) = report.diagnostics.iter().find(|d| d.suggestion.is_some()) {
        let Some(text) = found.suggestion.clone() else {
            break;
        };
        let message = format!("`{}` is corrected to {text}", found.token);
        let note = Diagnostic {
            severity: Severity::Warning,
            code: Code::Repaired,
            message,
            alternatives: Vec::new(),
            suggestion: None,
            ..found.clone()
        };
        let at = found.at;
        if made.len() >= MOST_REPAIRS || !game.replace_move(at, &text) {
            break;
        }
        made.push(note);
        report = crate::replay(game, options);
    }
    if !made.is_empty() {
        report.diagnostics.extend(made);
        report
            .diagnostics
            .sort_by_key(|found| (found.at, found.code));
        report.status = Status::of(&report.diagnostics);
    }
    report
}

/// More corrections than these nobody would call small.
const MOST_REPAIRS: usize = 8;

/// The legal moves one small correction away from a token.
fn corrections(
    position: &Position,
    token: &Token<'_>,
    fault: &Break,
    reading: Reading,
) -> MoveList {
    let mut found = MoveList::new();
    let mut fitting = MoveList::new();
    for text in misspellings(token, fault, reading) {
        resolve::candidates(&text, position, &mut fitting);
        found.append(&mut fitting);
    }
    found.sort();
    found.dedup();
    found
}

fn misspellings(token: &Token<'_>, fault: &Break, reading: Reading) -> Vec<MoveText> {
    let mut texts = Vec::new();
    match fault {
        Break::Illegal(text) => texts.extend(without_level(text)),
        Break::Syntax(_) => {
            // A level letter that is none: the token without its last characters.
            for cut in 1..=3 {
                let Some(shorter) = token
                    .text
                    .len()
                    .checked_sub(cut)
                    .and_then(|n| token.text.get(..n))
                else {
                    break;
                };
                let writing = reading.writing;
                if let Ok(text) = writing.parse(shorter)
                    && text.notes.has(Note::MissingLevel)
                {
                    texts.push(text);
                    break;
                }
            }
        }
        Break::Ambiguous(..) | Break::TooMany => {}
    }
    texts
}

/// The same words on any level.
fn without_level(text: &MoveText) -> Option<MoveText> {
    let MoveKind::Piece(piece) = text.kind else {
        return None;
    };
    let to = Place {
        level: None,
        ..piece.to
    };
    Some(MoveText {
        kind: MoveKind::Piece(PieceText { to, ..piece }),
        ..*text
    })
}
