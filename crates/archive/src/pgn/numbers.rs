//! Move numbers, and other words that begin with a digit: castling, times, results.

use tridex_words::moves;

use super::{Engine, Phase, Stop};
use crate::lex;
use crate::visit::{Damage, GameResult, Unusual, Visitor};
use crate::words;

impl Engine<'_> {
    /// Reads a word that begins with a digit: a number, a result, or a move.
    #[inline(always)]
    pub(super) fn number<V: Visitor + ?Sized>(&mut self, v: &mut V) -> Option<Stop> {
        let start = self.pos;
        if self.bytes.get(start) == Some(&b'0')
            && let Some(stop) = self.zero(v)
        {
            return stop;
        }
        let mut i = start + 1;
        while self.bytes.get(i).is_some_and(u8::is_ascii_digit) {
            i += 1;
        }
        match self.bytes.get(i) {
            Some(b'.') => {
                i += 1;
                while self.bytes.get(i) == Some(&b'.') {
                    i += 1;
                }
                match self.bytes.get(i) {
                    Some(b')') if self.game.depth == 0 => i += 1,
                    None | Some(0x80..) => i = self.dots(i),
                    // `2.1.2004`, or a move directly after its number.
                    Some(b'0'..=b'9') => return self.move_number::<true, V>(v, start, i),
                    Some(_) => {}
                }
            }
            Some(b'-' | b':' | b'/') => {
                let end = lex::word_end(self.bytes, i + 1);
                return self.number_sign(v, i, end);
            }
            Some(b')') if self.game.depth == 0 || self.game.parenthesis_numbers => {
                self.game.parenthesis_numbers = true;
                i += 1;
            }
            Some(&b) if lex::in_word(b) => {
                let end = lex::word_end(self.bytes, i + 1);
                return self.move_word(v, start, end);
            }
            Some(0x80..) => return self.number_high(v, i),
            Some(b' ' | b'\t') if matches!(self.bytes.get(i + 1), Some(b'-' | b':' | 0x80..)) => {
                return self.number_spaced(v, i);
            }
            Some(_) => {
                return self.move_number::<true, V>(v, start, i);
            }
            None => {}
        }
        self.move_number::<false, V>(v, start, i)
    }

    /// Digits up to `i`, and a dash, a colon or a slash in a word up to `end`: a result, a time, castling, a number.
    #[inline(never)]
    fn number_sign<V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        i: usize,
        end: usize,
    ) -> Option<Stop> {
        let start = self.pos;
        let word = words::bare(self.slice(start, end));
        if let Some(result) = words::result_word(word) {
            return self.result_at(v, result, start, end);
        }
        if words::is_time(word) && self.follows_move() {
            self.clock(v, start, end, word);
            return None;
        }
        let is_sign = |b: &u8| b.is_ascii_digit() || matches!(b, b'-' | b':' | b'/');
        if self.bytes.get(i) != Some(&b'-') && !word.get(i - start + 1).is_some_and(is_sign) {
            // `1:` and `1/`, with or without a blank before the move.
            return self.move_number::<true, V>(v, start, i + 1);
        }
        self.move_word(v, start, end)
    }

    /// Reads castling, and a result that begins with a zero and a dot. `None` if it is something else.
    #[inline(never)]
    fn zero<V: Visitor + ?Sized>(&mut self, v: &mut V) -> Option<Option<Stop>> {
        let start = self.pos;
        let end = lex::word_end(self.bytes, start + 1);
        let word = self.slice(start, end);
        let bare = words::bare(word);
        if self.is_last_zero(end) && words::result_text(bare) == Some(GameResult::BothLost) {
            return Some(self.result(v, GameResult::BothLost, start, end));
        }
        if moves::is_castling(word) {
            return Some(self.move_word(v, start, end));
        }
        // `0.5`
        words::result_word(bare).map(|result| self.result(v, result, start, end))
    }

    /// Digits up to `i`, a blank, and perhaps a dash: `1 - 0`, `0 - 0`, or a number.
    #[inline(never)]
    fn number_spaced<V: Visitor + ?Sized>(&mut self, v: &mut V, i: usize) -> Option<Stop> {
        let start = self.pos;
        match self.spaced_result(start) {
            Some((Some(result), end)) => {
                self.unusual(v, Unusual::Result, start, end);
                self.result(v, result, start, end)
            }
            Some((None, end)) => self.move_word(v, start, end),
            None => self.move_number::<true, V>(v, start, i),
        }
    }

    /// A result from `start` to `end`, which may be the first half of one with blanks: `½ - ½`.
    pub(super) fn result_at<V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        result: GameResult,
        start: usize,
        end: usize,
    ) -> Option<Stop> {
        let is_half = result == GameResult::Draw && end - start <= 3;
        match self.spaced_result(start).filter(|_| is_half) {
            Some((Some(result), end)) => {
                self.unusual(v, Unusual::Result, start, end);
                self.result(v, result, start, end)
            }
            _ => self.result(v, result, start, end),
        }
    }

    /// Digits up to `i`, before a byte that is not ASCII: `1…`, `1–0`, `1` and a hard blank.
    #[inline(never)]
    fn number_high<V: Visitor + ?Sized>(&mut self, v: &mut V, i: usize) -> Option<Stop> {
        let start = self.pos;
        if lex::high_blank(self.bytes, i) > 0 {
            return self.move_number::<true, V>(v, start, i);
        }
        if lex::dot_len(self.bytes, i) > 0 {
            let end = self.dots(i);
            return self.move_number::<true, V>(v, start, end);
        }
        let end = lex::word_end(self.bytes, i);
        if let Some(result) = words::result_word(words::bare(self.slice(start, end))) {
            return self.result_at(v, result, start, end);
        }
        self.move_word(v, start, end)
    }

    /// Skips dots from `i` on.
    fn dots(&self, mut i: usize) -> usize {
        loop {
            match lex::dot_len(self.bytes, i) {
                0 => return i,
                n => i += n,
            }
        }
    }

    /// A move number from `start` to `end`. `BARE`: it may be the day of a date, since it has no full stop, or no blank
    /// follows it.
    #[inline(always)]
    pub(super) fn move_number<const BARE: bool, V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        start: usize,
        end: usize,
    ) -> Option<Stop> {
        if self.game.phase != Phase::Moves {
            if let Some(stop) = self.gate(v, end) {
                return stop;
            }
            if !self.is_among_moves() {
                if self.may_be_date(end) && self.heading(v) {
                    return None;
                }
                self.game.held = Some((start, end));
                self.pos = end;
                return None;
            }
        } else if !self.is_cell
            && self.game.depth == 0
            && (self.slice(start, end) == b"1." || BARE && self.may_be_date(end))
            && lex::after_empty_line(self.bytes, self.game.start, start)
            && (self.slice(start, end) == b"1." || self.begins_titles(start))
        {
            return Some(Stop::Boundary);
        }
        self.pos = end;
        if self.live() {
            v.move_number(self.slice(start, end), self.at(start));
        }
        None
    }

    #[inline(never)]
    pub(super) fn result<V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        result: GameResult,
        start: usize,
        end: usize,
    ) -> Option<Stop> {
        if self.game.depth > 0 {
            match self.game.phase {
                // In a variation that is skipped.
                Phase::Between | Phase::Tags => {}
                // A variation after the result of the game.
                Phase::AfterResult => self.damage(v, Damage::StrayResult, start, end),
                Phase::Moves | Phase::Pending => {
                    let word = self.slice(start, end);
                    if self.live() && word.contains(&b',') {
                        // In a table `0,5-0,5` might be two cells.
                        v.trailing_word(result.to_string().as_bytes(), self.at(start));
                    } else if self.live() {
                        v.trailing_word(word, self.at(start));
                    }
                    // The last of several may be the result of the game too.
                    self.game.phase = Phase::Pending;
                    self.game.pending = Some((result, start));
                }
            }
            self.pos = end;
            return None;
        }
        match self.game.phase {
            Phase::Between if !self.is_cell => {
                self.damage(v, Damage::StrayResult, start, end);
            }
            Phase::AfterResult => {
                self.damage(v, Damage::StrayResult, start, end);
            }
            Phase::Between | Phase::Tags | Phase::Moves | Phase::Pending => {
                self.open_game(v, start);
                self.open_moves(v, start);
                self.game.held = None;
                self.game.phase = Phase::AfterResult;
                if self.is_cell {
                    self.game.pending = Some((result, start));
                } else {
                    v.result(result, self.at(start));
                }
            }
        }
        self.pos = end;
        None
    }
}
