//! One small correction that makes the whole rest of a game legal.
//!
//! Tried are a wrong or missing level, and what the readers of other writings make of the token; each is kept only if
//! every token after it can then be replayed without another correction. Where exactly one does, it is a suggestion;
//! where several do, nobody can know.

use super::findings::in_full;
use super::line::{Break, Reading, Token, read_line};
use tridex_notation::{MoveKind, MoveText, Note, PieceText, Place, resolve};
use tridex_rules::{MoveList, Position};

/// The only correction of the token at `ply` that lets the rest be replayed from `position`, spelled in full.
pub(super) fn suggestion(
    position: &Position,
    tokens: &[Token<'_>],
    ply: usize,
    fault: &Break,
    reading: Reading,
) -> Option<String> {
    let mut fitting = corrections(position, tokens.get(ply)?, fault, reading);
    let rest = tokens.get(ply + 1..)?;
    fitting.retain(|mv| {
        let mut after = position.clone();
        after.play_unchecked(*mv);
        read_line(&after, rest, reading).is_whole()
    });
    match fitting.as_slice() {
        [only] => Some(in_full(position, reading.writing.notation, *only)),
        _ => None,
    }
}

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
                if let Ok(text) =
                    tridex_notation::parse(writing.notation, shorter, Some(writing.locale))
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
