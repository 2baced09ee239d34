//! Text between moves that PGN has no form for: times, marks in words, results with blanks, comments in parentheses.

use tridex_words::moves;

use super::{Engine, Phase, Stop};
use crate::lex;
use crate::visit::{Damage, Ending, GameResult, Unusual, Visitor};
use crate::words::{self, MarkWord};

/// The maximum length of a comment in parentheses.
const REACH: usize = 512;

impl Engine<'_> {
    /// Reports a word that is not a move. `None` if it is a move.
    #[inline(never)]
    pub(super) fn other_word<V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        start: usize,
        end: usize,
    ) -> Option<Option<Stop>> {
        let word = self.slice(start, end);
        if word.iter().any(u8::is_ascii_digit) || moves::looks_like_move(word) {
            return None;
        }
        if self.word_e(v, start, end) {
            return Some(None);
        }
        let is_among_moves = self.game.phase == Phase::Moves && self.game.depth == 0;
        if !self.is_cell
            && is_among_moves
            && self.begins_words(start)
            && let Some(stop) = self.line_within(v, start)
        {
            return Some(stop);
        }
        let is_within = self.follows_move();
        if is_within && self.mark_word(v, start, end) {
            return Some(None);
        }
        if is_within
            && is_among_moves
            && let Some(stop) = self.known_end(start, end)
        {
            self.report_words(v, start, stop);
            return Some(None);
        }
        if !self.is_cell
            && is_among_moves
            && words::is_text(word)
            && let Some(stop) = self.text_end(start, false)
        {
            self.report_words(v, start, stop);
            return Some(None);
        }
        None
    }

    /// Whether text at `pos` may be about a move before it: there is one, and the game is not over, except in a
    /// variation after the result.
    pub(super) fn follows_move(&self) -> bool {
        self.game.has_moves
            && match self.game.phase {
                Phase::Moves | Phase::Pending => true,
                Phase::AfterResult => self.game.depth > 0,
                Phase::Between | Phase::Tags => false,
            }
    }

    /// Reports a mark in words: `ch`, `dis ch`, `mate`, `draw?`.
    pub(super) fn mark_word<V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        start: usize,
        mut end: usize,
    ) -> bool {
        let Some(mut mark) = words::mark_word(self.slice(start, end)) else {
            return false;
        };
        if mark == MarkWord::Kind {
            // `dis` alone is not a mark.
            let next = lex::skip_spaces(self.bytes, end);
            let next_end = lex::word_end(self.bytes, next);
            let word = self.slice(next, next_end);
            mark = match words::mark_word(word) {
                _ if next_end > self.game.limit => return false,
                _ if word == b"+" => MarkWord::Check,
                Some(mark @ (MarkWord::Check | MarkWord::Mate)) => mark,
                _ => return false,
            };
            end = next_end;
        }
        let what = match mark {
            MarkWord::Offer => Unusual::Offer,
            MarkWord::Check | MarkWord::Kind | MarkWord::Mate => Unusual::Mark,
        };
        self.unusual(v, what, start, end);
        self.aside(v, start, end, |v, at| match mark {
            MarkWord::Check | MarkWord::Kind => v.suffix_mark(b"+", at),
            MarkWord::Mate => v.suffix_mark(b"#", at),
            MarkWord::Offer => v.draw_offer(at),
        });
        true
    }

    /// The end of a known comment that begins with the word from `start` to `end`: `remis`, `Black resigns`, `sealed`.
    fn known_end(&self, start: usize, end: usize) -> Option<usize> {
        if words::is_remark(self.slice(start, end)) {
            return Some(end);
        }
        let mut stop = None;
        let (mut from, mut to) = (start, end);
        let mut is_known = false;
        let is_letter = |b: &u8| b.is_ascii_alphabetic() || *b >= 0x80;
        if !self.bytes.get(start).is_some_and(is_letter) {
            return None;
        }
        for _ in 0..4 {
            is_known |= words::begins_ending(self.slice(from, to));
            if is_known && words::ending(self.slice(start, to)).is_some() {
                stop = Some(to);
            }
            let Some(next) = self.next_word(to) else {
                break;
            };
            let is_beyond = next >= self.game.limit && !self.is_cell;
            if is_beyond || !self.bytes.get(next).is_some_and(is_letter) {
                break;
            }
            from = next;
            to = lex::word_end(self.bytes, next + 1);
        }
        stop
    }

    /// The end of the game as stated by words at `at`, with the player who resigned if the place of the words shows it.
    pub(super) fn ending_at(&self, ending: Ending, at: usize) -> Ending {
        if !matches!(ending, Ending::ResignedUnnamed(_)) {
            return ending;
        }
        // The words are in the place of a move: after a number, or after a number and a move.
        let mut words = self.words_before(at);
        Ending::ResignedUnnamed(match (words.next().map(turn), words.next().map(turn)) {
            (Some(Some(Turn::White)), _) => Some(GameResult::Black),
            (Some(Some(Turn::Black)), _) | (Some(None), Some(Some(Turn::White))) => {
                Some(GameResult::White)
            }
            (Some(None), Some(Some(Turn::Black))) => Some(GameResult::Black),
            _ => None,
        })
    }

    /// Reports a game without a result whose record may be truncated before `at`: its moves end with the number of the
    /// next move, or a tag states a result. Several numbers in a row are those of a printed form.
    #[inline(never)]
    pub(super) fn truncated<V: Visitor + ?Sized>(&self, v: &mut V, at: usize) {
        // If a part of the text was dropped, its last words are not those of the game.
        if self.game.phase != Phase::Moves || self.game.lost.is_some() {
            return;
        }
        let text = self.slice(self.game.start, at);
        let blanks = text.iter().rev().take_while(|b| lex::is_blank(**b)).count();
        let end = self.game.start + text.len() - blanks;
        let mut words = self.words_before(end);
        let is_number = |word: &[u8]| turn(word).is_some();
        let number = words.next().filter(|word| is_number(word)).map(<[u8]>::len);
        let number = number.filter(|len| self.game.words_to <= end - len);
        if let Some(len) = number.filter(|_| !words.next().is_some_and(is_number)) {
            self.damage(v, Damage::EndsInNumber, end - len, end);
        } else if self.game.has_tags
            && self
                .game
                .tagged
                .is_some_and(|tagged| tagged != GameResult::Unknown)
        {
            self.damage(v, Damage::NoResult, end, end);
        }
    }

    /// The words shortly before `at`, the last first.
    fn words_before(&self, at: usize) -> impl Iterator<Item = &[u8]> {
        let near = self.slice(at.saturating_sub(64).max(self.game.start), at);
        near.rsplit(|b| lex::is_blank(*b))
            .filter(|word| !word.is_empty())
    }

    /// Whether the word before `at` is the number of a move.
    pub(super) fn follows_number(&self, at: usize) -> bool {
        self.words_before(at).next().and_then(turn).is_some()
    }

    /// [`words::spaced_result`] at `start`, and its end.
    pub(super) fn spaced_result(&self, start: usize) -> Option<(Option<GameResult>, usize)> {
        let (result, len) = words::spaced_result(self.bytes.get(start..)?)?;
        // Bytes after the limit must not affect earlier decisions.
        (start + len <= self.game.limit).then_some((result, start + len))
    }

    /// Reports text in parentheses without moves. `None` if it is something else.
    pub(super) fn bracket<V: Visitor + ?Sized>(&mut self, v: &mut V) -> Option<Option<Stop>> {
        let start = self.pos;
        let end = self.words_in_brackets(start)?;
        let text = words::trimmed(self.slice(start + 1, end));
        let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
        let after = text.get(digits..).unwrap_or_default();
        let is_number = after.is_empty() || digits > 0 && after.starts_with(b".");
        if is_number || text == b"--" {
            return None;
        }
        if words::is_time(text) && self.game.has_moves {
            self.clock(v, start, end + 1, text);
        } else {
            if text != b"s" && !words::has_prose(text) {
                return None;
            }
            if self.begins_next_game(start) {
                return Some(Some(Stop::Boundary));
            }
            if !self.is_among_moves() && self.game.depth == 0 && !self.game.moves_open {
                self.take_heading(v, start + 1, end);
                self.pos = end + 1;
                self.game.words_to = end + 1;
                return Some(None);
            }
            self.unusual(v, Unusual::Remark, start, end + 1);
            if self.live() {
                v.comment(text, self.at(start));
            }
            self.pos = end + 1;
            if self.game.words_to > self.game.start
                && lex::skip_spaces(self.bytes, self.game.words_to) == start
            {
                // `We stopped (it was late) and went home.`
                self.game.words_to = end + 1;
            }
        }
        Some(None)
    }

    /// The parenthesis that closes the one at `start`, if no move, move number or result is between them.
    pub(super) fn words_in_brackets(&self, start: usize) -> Option<usize> {
        let mut word = start + 1;
        let mut end = word;
        loop {
            let byte = *self.bytes.get(end).filter(|_| end < start + REACH)?;
            let closes = byte == b')';
            if closes || lex::is_blank(byte) {
                let text = self.slice(word, end);
                let is_number =
                    text.first().is_some_and(u8::is_ascii_digit) && text.ends_with(b".");
                let is_result = words::result_word(words::bare(text)).is_some();
                if is_number || is_result || moves::looks_like_move(text) || text.starts_with(b"%")
                {
                    return None;
                }
                if closes {
                    return Some(end);
                }
                word = end + 1;
            } else if matches!(byte, b'(' | b'{' | b'}' | b'[' | b']' | b'$' | b';' | b'"') {
                return None;
            }
            end += 1;
        }
    }

    /// Reports text in an unusual form.
    pub(super) fn unusual<V: Visitor + ?Sized>(
        &self,
        v: &mut V,
        what: Unusual,
        start: usize,
        end: usize,
    ) {
        if self.live() {
            v.unusual(what, self.slice(start, end), self.at(start));
        }
    }

    /// Reports a time as the clock time of the move before it.
    pub(super) fn clock<V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        start: usize,
        end: usize,
        time: &[u8],
    ) {
        self.unusual(v, Unusual::Time, start, end);
        let clock = words::clock(time);
        self.aside(v, start, end, |v, at| v.comment(&clock, at));
    }

    /// Whether a `0-0` that ends at `end` is a result: the last word of a game whose tag states it.
    pub(super) fn is_last_zero(&self, end: usize) -> bool {
        if self.game.tagged != Some(GameResult::BothLost) || self.game.depth > 0 {
            return false;
        }
        let next = lex::skip_blanks(self.bytes, end);
        let begins_next = || {
            lex::tag_shape(self.bytes, next).is_some()
                || lex::after_empty_line(self.bytes, self.game.start, next)
        };
        next < self.game.limit && (next >= self.bytes.len() || begins_next())
    }
}

/// The side to move after a number.
#[derive(Clone, Copy)]
enum Turn {
    White,
    Black,
}

/// Reads a word as the number of a move: `12`, `12.`, `12...`, `12.)`.
fn turn(word: &[u8]) -> Option<Turn> {
    let digits = word.iter().take_while(|b| b.is_ascii_digit()).count();
    let tail = word.get(digits..)?;
    let is_number = tail.iter().all(|b| matches!(b, b'.' | b')' | b':' | b'/'));
    (digits > 0 && is_number).then_some(if tail.len() > 2 {
        Turn::Black
    } else {
        Turn::White
    })
}
