//! Moves, their numbers and short comments, read one after another: nearly all of a game.
//!
//! What is read here is told as the functions of `moves` and `between` tell it, piece by piece, and whatever they may have
//! to look at twice is left to them. A test holds the two together.

use super::Engine;
use crate::lex::{self, CLASS, Class};
use crate::visit::{Flow, Visitor};

/// Which bytes behind a blank may begin a second part of a move that stands before it, or of a number: what is read here
/// ends before them. An `e` does only if it begins `e.p.`.
const GOES_ON: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = matches!(i as u8, 0..=b' ' | b'-' | b':' | b'x' | b'X' | b'(' | 0x80..);
        i += 1;
    }
    table
};

/// What a byte may be where a move or a number may begin, one bit each.
const KINDS: [u8; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let byte = i as u8;
        let is_word = matches!(CLASS[i], Class::Word | Class::WordE);
        let is_digit = byte.is_ascii_digit();
        table[i] = (is_word as u8 * WORD)
            | (is_digit as u8 * DIGIT)
            | ((is_digit && byte != b'0') as u8 * NUMBER)
            | (byte.is_ascii_lowercase() as u8 * SMALL)
            | (byte.is_ascii_alphabetic() as u8 * LETTER);
        i += 1;
    }
    table
};
const WORD: u8 = 1;
const DIGIT: u8 = 2;
const NUMBER: u8 = 4;
const SMALL: u8 = 8;
const LETTER: u8 = 16;

/// Whether three bytes begin a move as nearly all do: a file or a piece and a file, and a digit; or a number, a letter
/// and a digit. All is asked at once: moves differ too much for a processor to foresee answers one by one.
#[inline(always)]
fn begins_move([first, second, third]: [u8; 3]) -> bool {
    let [first, second, third] = [first, second, third].map(|byte| KINDS[usize::from(byte)]);
    let has = |kinds: u8, kind: u8| kinds & kind != 0;
    has(first, WORD) & (has(second, DIGIT) | has(second, SMALL) & has(third, DIGIT))
        | has(first, NUMBER) & has(second, LETTER) & has(third, DIGIT)
}

/// How many bytes of a move from its first one on show that it is one, as of nearly all: a file or a piece and a file, and
/// a digit; or a number, and a letter behind it.
fn usual_start(word: &[u8]) -> Option<usize> {
    match word {
        [b'0', ..] => None,
        [b'0'..=b'9', b'a'..=b'z' | b'A'..=b'Z', ..] => Some(2),
        [first, b'0'..=b'9', ..] | [first, b'a'..=b'z', b'0'..=b'9', ..]
            if matches!(CLASS[usize::from(*first)], Class::Word | Class::WordE) =>
        {
            Some(2)
        }
        _ => None,
    }
}

/// Whether nothing behind a word that ends at `end` can belong to it.
#[inline(always)]
fn ends(bytes: &[u8], end: usize) -> bool {
    if matches!(bytes.get(end.wrapping_sub(1)), Some(b',' | b'.')) {
        return false;
    }
    match bytes.get(end..) {
        Some([b'(', ..]) => false,
        Some([_, b'e' | b'E', third, ..]) => !matches!(third, b'.' | b'p' | b'P'),
        Some([_, next, ..]) => !matches!(next, b'e' | b'E') && !GOES_ON[usize::from(*next)],
        _ => false,
    }
}

/// Whether a fragment is one word that is read as a move, and nothing else, as nearly every cell of a sheet is. May say
/// no of a fragment that is one all the same.
pub(super) fn is_lone_move(bytes: &[u8]) -> bool {
    usual_start(bytes).is_some_and(|from| lex::word_end(bytes, from) == bytes.len())
        && !matches!(bytes.last(), Some(b',' | b'.'))
}

impl Engine<'_> {
    /// Reads on over moves, numbers and short comments, as long as there is nothing else. Only called among moves.
    #[inline(always)]
    pub(super) fn run_of_moves<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        // No decision here hangs on what may follow the last byte.
        const REACH: usize = 8;
        let bytes = self.bytes;
        let end_of_run = self.limit.min(bytes.len().saturating_sub(REACH));
        let mut pos = self.pos;
        while pos < end_of_run {
            let Some(near) = bytes.get(pos..).and_then(|rest| rest.first_chunk::<8>()) else {
                break;
            };
            let [first, second, third, ..] = *near;
            if !begins_move([first, second, third]) {
                if first.is_ascii_digit() {
                    let Some(length) = number(near) else { break };
                    if self.live() {
                        v.move_number(self.slice(pos, pos + length), self.at(pos));
                    }
                    pos += length;
                } else if lex::is_blank(first) {
                    pos += 1;
                } else if first == b'{'
                    && let Some(close) = lex::near_comment_end(bytes, pos, self.max_comment)
                {
                    if self.live() {
                        v.comment(self.slice(pos + 1, close), self.at(pos));
                    }
                    pos = close + 1;
                } else {
                    break;
                }
                pos += usize::from(is_space(bytes, pos));
                continue;
            }
            let end = lex::word_end(bytes, pos + 2);
            if end >= end_of_run || !ends(bytes, end) {
                break;
            }
            if self.live() && v.move_token(self.slice(pos, end), self.at(pos)) == Flow::Skip {
                self.mute = 0;
            }
            pos = end + usize::from(is_space(bytes, end));
        }
        self.pos = pos;
    }
}

/// Whether the one blank stands at a place that stands between most words.
#[inline(always)]
fn is_space(bytes: &[u8], pos: usize) -> bool {
    bytes.get(pos) == Some(&b' ')
}

/// The length of a number of up to three digits with its dots, one or three. None for the first number, which may begin a
/// game, and where what follows may belong to it: a digit does, in `2.1.2004`.
#[inline(always)]
fn number(near: &[u8; 8]) -> Option<usize> {
    let (length, next) = match *near {
        [b'0', ..] | [b'1', b'.', ..] => return None,
        [_, b'.', b'.', b'.', next, ..] => (4, next),
        [_, b'.', next, ..] => (2, next),
        [_, b'0'..=b'9', b'.', b'.', b'.', next, ..] => (5, next),
        [_, b'0'..=b'9', b'.', next, ..] => (3, next),
        [_, b'0'..=b'9', b'0'..=b'9', b'.', b'.', b'.', next, _] => (6, next),
        [_, b'0'..=b'9', b'0'..=b'9', b'.', next, ..] => (4, next),
        _ => return None,
    };
    (next < 0x80 && !matches!(next, b')' | b'.' | b'0'..=b'9')).then_some(length)
}
