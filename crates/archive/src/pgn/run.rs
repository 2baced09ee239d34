//! Fast code: without it validating PGN takes 68 % longer. Reads runs of moves, their numbers and short comments, which
//! are nearly all of a game.
//!
//! The events are the same as those of `word` and `items`, which read everything else. A test compares the two.

use tridex_words::moves;

use super::Engine;
use crate::interner::{Interner, KEY_BYTES, Key, Known, TokenId, first_word, key_of};
use crate::item::Item;
use crate::lex;
use crate::visit::Visitor;
use crate::words;

/// Whether a word is a move between any neighbours. It must be one whole word, without a comma or full stop at its end.
pub(super) fn is_move(word: &[u8]) -> bool {
    moves::is_plain_move(word)
        && word.is_ascii()
        && !word.contains(&b'|')
        && moves::without_evaluations(word) == word.len()
        && words::misread_result(word).is_none()
        && lex::word_end(word, 1) == word.len()
        && !matches!(word.last(), Some(b',' | b'.'))
}

/// Whether a blank is at `end` and nothing after it can belong to the word that ends there.
#[inline(always)]
fn ends(bytes: &[u8], end: usize) -> bool {
    let Some([blank, next, third]) = bytes.get(end..end + 3) else {
        return false;
    };
    !moves::may_go_on(*next, *third) && matches!(blank, b' ' | b'\n' | b'\r')
}

/// The number of bytes after a word that decide what it is.
const REACH: usize = 3;

impl<V: Visitor + ?Sized> Engine<'_, V> {
    /// Reads moves, numbers and short comments up to anything else. Only called among moves.
    #[inline(never)]
    pub(super) fn run_of_moves(&mut self) {
        // No decision depends on bytes after the end.
        let end = self.game.limit.min(self.bytes.len().saturating_sub(REACH));
        let is_live = self.live();
        let (bytes, base, max_comment) = (self.bytes, self.base, self.limits.max_comment);
        let (v, words) = (&mut *self.v, &mut *self.words);
        let mut pos = self.pos;
        let (mut has_items, mut has_moves) = (false, false);
        let mut highest = 0;
        while let Some(near) = bytes
            .get(pos..)
            .and_then(|rest| rest.first_chunk::<KEY_BYTES>())
        {
            let at = base + pos as u64;
            if near.starts_with(b"{") && pos < end {
                let Ok(close) = lex::comment_end(bytes, pos, max_comment) else {
                    break;
                };
                if is_live {
                    let text = bytes.get(pos + 1..close).unwrap_or_default();
                    v.item(Item::Comment(text), at);
                }
                has_items = true;
                pos = close + 1;
                pos += usize::from(is_space(bytes, pos));
                continue;
            }
            let Some((key, length)) = first_word(near) else {
                break;
            };
            let word_end = pos + length;
            let word = near.get(..length).unwrap_or_default();
            if word_end >= end {
                break;
            }
            match words.find(key).unwrap_or_else(|| learn(words, key, word)) {
                Known::Other(_) if near.first().is_some_and(|byte| lex::is_blank(*byte)) => {
                    pos += 1;
                }
                Known::Move(id) if ends(bytes, word_end) => {
                    if is_live {
                        v.move_token(word, at, id);
                    }
                    has_moves = true;
                    pos = word_end + 1;
                }
                Known::Number(half) => {
                    highest = highest.max(half);
                    if is_live {
                        v.move_number(word, at, half);
                    }
                    pos = word_end + usize::from(is_space(bytes, word_end));
                }
                Known::Move(_) | Known::Other(_) => break,
            }
        }
        self.pos = pos;
        self.game.has_just_opened &= !(has_items || has_moves);
        if self.game.depth == 0 {
            self.game.highest = self.game.highest.max(highest);
            if has_moves {
                self.game.implied = None;
            }
        }
    }
}

/// Classifies a word that is not known yet.
#[inline(never)]
fn learn(words: &mut Interner, key: Key, word: &[u8]) -> Known {
    words.insert(key, |id| classified(word, id))
}

fn classified(word: &[u8], id: TokenId) -> Known {
    if is_move(word) {
        return Known::Move(id);
    }
    number(word).map_or(Known::Other(id), Known::Number)
}

/// The meaning of a word by itself. Its neighbours may change it.
pub(super) fn known(words: &mut Interner, word: &[u8]) -> Known {
    match key_of(word) {
        Some(key) => words.find(key).unwrap_or_else(|| learn(words, key, word)),
        None => classified(word, TokenId::NONE),
    }
}

/// Whether a space or a line feed is at a place.
#[inline(always)]
fn is_space(bytes: &[u8], pos: usize) -> bool {
    matches!(bytes.get(pos), Some(b' ' | b'\n'))
}

/// A number of up to three digits with one dot or three, in half moves. `None` for `1.`, which may begin a game.
fn number(word: &[u8]) -> Option<u32> {
    let half = words::number_alone(word)?;
    let stops = if half & 1 == 1 { "..." } else { "." };
    let is_known = word == format!("{}{stops}", half / 2).as_bytes() && word != b"1.";
    (is_known && (2..2_000).contains(&half)).then_some(half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_usual_number_is_known_in_half_moves() {
        assert_eq!(number(b"12."), Some(24));
        assert_eq!(number(b"12..."), Some(25));
        for other in [
            &b"1."[..],
            b"0.",
            b"012.",
            b"12",
            b"12.b4N",
            b"1000.",
            b"2949673965",
        ] {
            assert_eq!(number(other), None, "{}", String::from_utf8_lossy(other));
        }
    }
}
