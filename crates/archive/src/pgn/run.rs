//! Reads sequences of moves, their numbers and short comments, which are nearly all of a game.
//!
//! The events are the same as from the functions of `moves` and `between`, which read everything that is not read here.
//! A test compares the two.

use tridex_words::moves;

use super::Engine;
use crate::interner::{Interner, KEY_BYTES, Key, Known, TokenId, first_word, key_of};
use crate::lex;
use crate::visit::{Flow, Visitor};

/// Whether a word is a move between any neighbours: one whole word, without a comma or full stop at its end.
fn is_move(word: &[u8]) -> bool {
    moves::is_plain_move(word)
        && lex::word_end(word, 1) == word.len()
        && !matches!(word.last(), Some(b',' | b'.'))
}

/// Whether nothing after a word and the blank at `end` can belong to it.
#[inline(always)]
fn ends(bytes: &[u8], end: usize) -> bool {
    let Some([blank, next, third]) = bytes.get(end..end + 3) else {
        return false;
    };
    !moves::may_go_on(*next, *third) && matches!(blank, b' ' | b'\n' | b'\r')
}

impl Engine<'_> {
    /// Reads moves, numbers and short comments up to anything else. Only called among moves.
    #[inline(always)]
    pub(super) fn run_of_moves<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        // No decision here depends on bytes after the end.
        const REACH: usize = 3;
        let bytes = self.bytes;
        let end_of_run = self.game.limit.min(bytes.len().saturating_sub(REACH));
        let mut pos = self.pos;
        while let Some(near) = bytes
            .get(pos..)
            .and_then(|rest| rest.first_chunk::<KEY_BYTES>())
        {
            if near.starts_with(b"{") && pos < end_of_run {
                let Some(close) = lex::near_comment_end(bytes, pos, self.max_comment) else {
                    break;
                };
                if self.live() {
                    v.comment(self.slice(pos + 1, close), self.at(pos));
                }
                pos = close + 1;
                pos += usize::from(is_space(bytes, pos));
                continue;
            }
            let Some((key, length)) = first_word(near) else {
                break;
            };
            let end = pos + length;
            let word = near.get(..length).unwrap_or_default();
            if end >= end_of_run {
                break;
            }
            match self
                .words
                .find(key)
                .unwrap_or_else(|| self.learn(key, word))
            {
                Known::Other if near.first().is_some_and(|byte| lex::is_blank(*byte)) => {
                    pos += 1;
                    continue;
                }
                Known::Other => break,
                Known::Move(id) => {
                    if !ends(bytes, end) {
                        break;
                    }
                    if self.live() && v.known_move(word, self.at(pos), id) == Flow::Skip {
                        self.game.mute = 0;
                    }
                    pos = end + 1;
                }
                Known::Number(half) => {
                    if self.live() {
                        v.known_number(word, self.at(pos), half);
                    }
                    pos = end + usize::from(is_space(bytes, end));
                }
            }
        }
        self.pos = pos;
    }

    /// Classifies a word that is not known yet.
    #[inline(never)]
    fn learn(&mut self, key: Key, word: &[u8]) -> Known {
        let known = if is_move(word) {
            Known::Move(TokenId::NONE)
        } else {
            number(word).map_or(Known::Other, Known::Number)
        };
        self.words.insert(key, known)
    }
}

/// Whether a space or a line feed is at a place.
#[inline(always)]
fn is_space(bytes: &[u8], pos: usize) -> bool {
    matches!(bytes.get(pos), Some(b' ' | b'\n'))
}

/// Reads a fragment that is a single move, as nearly every cell of a sheet is. `None` if it is something else.
pub(super) fn lone_move(words: &mut Interner, fragment: &[u8]) -> Option<TokenId> {
    let Some(key) = key_of(fragment) else {
        return is_move(fragment).then_some(TokenId::NONE);
    };
    match words.find(key) {
        Some(Known::Move(id)) => Some(id),
        None if is_move(fragment) => match words.insert(key, Known::Move(TokenId::NONE)) {
            Known::Move(id) => Some(id),
            _ => None,
        },
        _ => None,
    }
}

/// A number of up to three digits with one dot or three, in half moves. `None` for `1.`, which may begin a game.
fn number(word: &[u8]) -> Option<u32> {
    let digits = word.iter().take_while(|b| b.is_ascii_digit()).count();
    let (digits, dots) = word.split_at(digits);
    let is_black = dots == b"...";
    if !(1..=3).contains(&digits.len())
        || !(is_black || dots == b".")
        || word == b"1."
        || digits.first() == Some(&b'0')
    {
        return None;
    }
    let number = digits
        .iter()
        .fold(0, |number, digit| 10 * number + u32::from(digit - b'0'));
    Some(2 * number + u32::from(is_black))
}
