//! Words: numbers, results, marks, times, ends of games, and moves, which are all words that are nothing else.

use tridex_words::moves;

use super::run::{is_move, number_of};
use super::{Attempt, Engine, Phase, Step, Stop};
use crate::lex;
use crate::visit::{Damage, Ending, Flow, GameResult, Unusual, Visitor};
use crate::words::{self, MarkWord, Number};

impl<'a, V: Visitor + ?Sized> Engine<'a, V> {
    /// Reads a word, as a move unless it is something else.
    #[inline(never)]
    pub(super) fn word(&mut self) -> Step {
        let start = self.pos;
        let skip = lex::high_blank(self.bytes, start).max(lex::dot_len(self.bytes, start));
        if skip > 0 {
            self.pos += skip;
            return Ok(());
        }
        let end = lex::word_end(self.bytes, start);
        if self.is_in_run() && is_move(self.slice(start, end)) {
            return self.move_word(start, end);
        }
        if self.line(start, end)?
            || self.number(start, end)?
            || self.mark(start, end)
            || self.words_within(start, end)
        {
            return Ok(());
        }
        self.move_word(start, end)
    }

    /// Reads the result at `start`, also with blanks: `1 - 0`, `½ - ½`.
    fn result_word(&mut self, start: usize, end: usize) -> Attempt {
        let word = self.slice(start, end);
        let bare = words::bare(word);
        if word.first().is_none_or(u8::is_ascii_alphabetic) {
            return Ok(false);
        }
        let found = match self.is_last_zero(word, end) {
            true => Some(GameResult::BothLost),
            false => words::result_word(bare),
        };
        let may_go_on = match found {
            Some(result) => result == GameResult::Draw && word.len() <= 3,
            None => word.iter().all(u8::is_ascii_digit),
        };
        let spaced =
            || words::spaced_result(self.slice(start, self.bytes.len().min(self.game.limit)));
        match may_go_on.then(spaced).flatten() {
            Some((Some(result), len)) => {
                self.unusual(Unusual::Result, start, start + len);
                self.result(result, start, start + len)?;
            }
            // Castling.
            Some((None, len)) if found.is_none() => self.move_word(start, start + len)?,
            _ => {
                let Some(result) = found else {
                    return Ok(false);
                };
                if word.starts_with(b"+") || word.starts_with(b"-") {
                    // `+:-`: the form of the result is preserved as a comment.
                    if self.game.depth == 0 && self.game.phase == Phase::Moves {
                        self.tell(start, |v, at| v.comment(word, at));
                    }
                    self.unusual(Unusual::Result, start, end);
                }
                self.result(result, start, end)?;
            }
        }
        Ok(true)
    }

    /// Reports a result, unless the game has one or there is no game. One in a variation is a word.
    fn result(&mut self, result: GameResult, start: usize, end: usize) -> Step {
        let word = self.slice(start, end);
        self.pos = end;
        match (self.game.phase, self.game.depth > 0) {
            // In a variation that is skipped.
            (Phase::Between | Phase::Tags, true) => {}
            (Phase::Moves | Phase::Pending, true) => {
                let standard = result.as_str().as_bytes();
                // In a table `0,5-0,5` might be two cells.
                let word = if word.contains(&b',') { standard } else { word };
                self.tell(start, |v, at| v.trailing_word(word, at));
                // The last of several may be the result of the game too.
                self.game.phase = Phase::Pending;
                self.game.pending = Some((result, start));
            }
            (Phase::AfterResult, _) => self.damage(Damage::StrayResult, start, end),
            (Phase::Between, false) if !self.is_cell => {
                self.damage(Damage::StrayResult, start, end);
            }
            (_, false) => {
                self.open_game(start);
                self.open_moves(start);
                self.game.held = None;
                self.game.phase = Phase::AfterResult;
                if self.is_cell {
                    self.game.pending = Some((result, start));
                } else {
                    let at = self.at(start);
                    self.v.result(result, at);
                }
            }
        }
        Ok(())
    }

    /// Whether a word that ends at `end` is the result `0-0`: the last word of a game whose tag states it.
    fn is_last_zero(&self, word: &[u8], end: usize) -> bool {
        let lost = Some(GameResult::BothLost);
        if self.game.tagged != lost
            || self.game.depth > 0
            || words::result_text(words::bare(word)) != lost
        {
            return false;
        }
        let next = lex::skip_blanks(self.bytes, end);
        next < self.game.limit
            && (next >= self.bytes.len()
                || lex::tag_shape(self.bytes, next).is_some()
                || self.after_empty_line(next))
    }

    /// Reads a word that does not begin with a letter: a number, a result, castling, a time.
    fn number(&mut self, start: usize, end: usize) -> Attempt {
        let word = self.slice(start, end);
        let digits = word.iter().take_while(|b| b.is_ascii_digit()).count();
        let after = word.get(digits..).unwrap_or_default();
        let has_dot = lex::dot_len(after, 0) > 0;
        let is_misread = words::is_misread_number(word);
        // `12.` cannot be anything else.
        if !is_misread && (word.starts_with(b"0") || digits == 0 || !has_dot) {
            if digits > 0 && moves::is_castling(word) && !self.is_last_zero(word, end) {
                self.move_word(start, end)?;
                return Ok(true);
            } else if self.result_word(start, end)? {
                return Ok(true);
            } else if words::is_time(words::bare(word)) && self.follows_move() {
                self.clock(start, end, words::bare(word));
                return Ok(true);
            }
        }
        let mut to = start + digits;
        match after {
            _ if is_misread => {
                self.unusual(Unusual::Number, start, end);
                to = end;
            }
            _ if digits == 0 => return Ok(false),
            [] => {
                let is_numbering = self.game.depth == 0 || self.game.parenthesis_numbers;
                if is_numbering && self.bytes.get(to) == Some(&b')') {
                    self.game.parenthesis_numbers = true;
                    to += 1;
                }
            }
            // `1:` and `1/`, with or without a blank before the move.
            [b':' | b'/', b'0'..=b'9' | b'-' | b':' | b'/', ..] => return Ok(false),
            [b':' | b'/', ..] => to += 1,
            _ if has_dot => {
                to = lex::skip_dots(self.bytes, to);
                to += usize::from(self.game.depth == 0 && self.bytes.get(to) == Some(&b')'));
            }
            _ => return Ok(false),
        }
        self.move_number(start, to)?;
        Ok(true)
    }

    fn move_number(&mut self, start: usize, end: usize) -> Step {
        if self.gate(start, end)? {
            return Ok(());
        }
        let number = self.slice(start, end);
        if !self.is_among_moves() {
            self.game.held = Some((start, end));
        } else if number == b"1."
            && self.game.phase == Phase::Moves
            && self.game.depth == 0
            && !self.is_cell
            && self.after_empty_line(start)
        {
            return Err(Stop::Boundary);
        } else {
            self.tell(start, |v, at| v.move_number(number, at));
        }
        self.pos = end;
        Ok(())
    }

    /// Prepares for a move or a number from `start` to `end`. True if it is skipped, or read as text.
    fn gate(&mut self, start: usize, end: usize) -> Attempt {
        let is_inside = self.game.depth > 0;
        match self.game.phase {
            Phase::Between | Phase::Tags if is_inside => {
                // It belongs to a variation that is skipped.
                self.pos = end;
                return Ok(true);
            }
            Phase::Pending => {
                self.conclude(start);
                if !self.is_cell {
                    return match self.line(start, end)? {
                        true => Ok(true),
                        false => Err(Stop::Boundary),
                    };
                }
            }
            // A move or number after a finished game begins the next one.
            Phase::AfterResult if !is_inside && !self.is_cell => return Err(Stop::Boundary),
            _ => {}
        }
        Ok(false)
    }

    /// Reads the word from `start` to `end`, and what belongs to it, as a move.
    fn move_word(&mut self, start: usize, end: usize) -> Step {
        let end = self.move_end(end);
        if self.game.phase != Phase::Moves {
            if self.gate(start, end)? {
                return Ok(());
            }
            self.begin_moves(start);
        }
        self.pos = end;
        let token = moves::without_stops(self.slice(start, end));
        let at = self.at(start);
        if self.live() {
            let id = number_of(self.words, token);
            if self.v.known_move(token, at, id) == Flow::Skip {
                self.game.mute = 0;
            }
        }
        Ok(())
    }

    /// Opens the moves of the game before its first move, and reports the number before it.
    fn begin_moves(&mut self, start: usize) {
        if self.is_among_moves() {
            return;
        }
        self.game.phase = Phase::Moves;
        self.game.has_moves = true;
        let first = self.game.held.map_or(start, |(from, _)| from);
        self.open_game(first);
        self.open_moves(first);
        if let Some((from, to)) = self.game.held.take() {
            let number = self.slice(from, to);
            self.tell(from, |v, at| v.move_number(number, at));
        }
    }

    /// The end of a move whose first word ends at `end`, with all its parts.
    fn move_end(&self, mut end: usize) -> usize {
        while let Some(to) = self.part_after(end) {
            end = to;
        }
        end
    }

    /// The end of the part of a move after `end`, if there is one.
    fn part_after(&self, end: usize) -> Option<usize> {
        /// The maximum of bytes inside the brackets of a part, with the closing one.
        const BRACKETS: usize = 5;
        let before = self.slice(self.pos, end);
        if let Some([b' ' | b'\n', next, third]) = self.bytes.get(end..end + 3)
            && !moves::may_go_on(*next, *third)
            && !before.ends_with(b",")
        {
            return None;
        }
        let next = match self.bytes.get(end)? {
            b'(' => end,
            _ => self.next_word(end)?,
        };
        if self.bytes.get(next) == Some(&b'(') {
            let inside = next + 1;
            let near = self.slice(inside, self.bytes.len().min(inside + BRACKETS));
            let close = near.iter().position(|b| *b == b')')?;
            let is_part = moves::is_bracketed_part(near.get(..close)?, next == end);
            return is_part.then(|| lex::word_end(self.bytes, inside + close + 1));
        }
        let next_end = lex::word_end(self.bytes, next);
        let from = lex::skip_spaces(self.bytes, next_end);
        let to = lex::word_end(self.bytes, from);
        // Bytes after the limit must not affect earlier decisions.
        let after = if to > self.game.limit {
            &[]
        } else {
            self.slice(from, to)
        };
        match moves::words_joined(before, self.slice(next, next_end), after) {
            0 => None,
            1 => Some(next_end),
            _ => Some(to),
        }
    }

    /// The first byte of the word after `end`, if at most one line end is between them.
    fn next_word(&self, end: usize) -> Option<usize> {
        const NEAR: usize = 64;
        let next = lex::skip_blanks(self.bytes, end);
        let between = self.slice(end, next);
        let is_near = (1..NEAR).contains(&between.len()) && next < self.bytes.len();
        (is_near && lex::line_breaks(between) <= 1).then_some(next)
    }

    /// Reports an item that belongs to the move before it.
    pub(super) fn aside(&mut self, start: usize, end: usize, report: impl FnOnce(&mut V, u64)) {
        if self.game.has_moves {
            self.tell(start, report);
        } else if self.game.depth == 0 {
            self.damage(Damage::StrayWord, start, end);
        }
        self.pos = end;
    }

    /// Reads a mark: `!`, `+`, `+-`, `e.p.`, `etc.`, `ch`, `dis ch`, `mate`, `draw?`.
    fn mark(&mut self, start: usize, end: usize) -> bool {
        let word = self.slice(start, end);
        if moves::looks_like_move(word) {
            return false;
        } else if moves::is_draw_offer(word) {
            self.unusual(Unusual::Offer, start, end);
            self.aside(start, end, |v, at| v.draw_offer(at));
        } else if let Some(nag) = words::nag_of_mark(word) {
            self.aside(start, end, |v, at| v.nag(nag, at));
        } else if words::is_etc(word) {
            self.aside(start, end, |v, at| v.trailing_word(word, at));
        } else if words::is_check_sign(word) || moves::is_en_passant(word) {
            self.aside(start, end, |v, at| v.suffix_mark(word, at));
        } else {
            return self.follows_move() && self.mark_word(start, end);
        }
        true
    }

    /// Whether text at `pos` may be about a move before it: there is one, and the game is not over, except in a
    /// variation after the result.
    fn follows_move(&self) -> bool {
        let is_over = self.game.phase == Phase::AfterResult && self.game.depth == 0;
        self.game.has_moves && !is_over
    }

    /// Reports a mark in words.
    fn mark_word(&mut self, start: usize, mut end: usize) -> bool {
        let Some(mut mark) = words::mark_word(self.slice(start, end)) else {
            return false;
        };
        if mark == MarkWord::Kind {
            // `dis` alone is not a mark.
            let next = lex::skip_spaces(self.bytes, end);
            end = lex::word_end(self.bytes, next);
            let word = self.slice(next, end);
            mark = match words::mark_word(word) {
                _ if end > self.game.limit => return false,
                _ if word == b"+" => MarkWord::Check,
                Some(mark @ (MarkWord::Check | MarkWord::Mate)) => mark,
                _ => return false,
            };
        }
        let is_offer = mark == MarkWord::Offer;
        let what = if is_offer {
            Unusual::Offer
        } else {
            Unusual::Mark
        };
        self.unusual(what, start, end);
        self.aside(start, end, |v, at| match mark {
            MarkWord::Check | MarkWord::Kind => v.suffix_mark(b"+", at),
            MarkWord::Mate => v.suffix_mark(b"#", at),
            MarkWord::Offer => v.draw_offer(at),
        });
        true
    }

    /// Reports text in unusual form.
    pub(super) fn unusual(&mut self, what: Unusual, start: usize, end: usize) {
        let text = self.slice(start, end);
        self.tell(start, |v, at| v.unusual(what, text, at));
    }

    /// Reports a time as the clock time of the move before it.
    pub(super) fn clock(&mut self, start: usize, end: usize, time: &[u8]) {
        self.unusual(Unusual::Time, start, end);
        let clock = words::clock(time);
        self.aside(start, end, |v, at| v.comment(&clock, at));
    }

    /// Reads text among the moves that does not begin a line: the end of the game, `sealed`, or a few words.
    fn words_within(&mut self, start: usize, end: usize) -> bool {
        let word = self.slice(start, end);
        let is_word = !word.iter().any(u8::is_ascii_digit) && !moves::looks_like_move(word);
        if !is_word || self.game.phase != Phase::Moves || self.game.depth > 0 {
            return false;
        }
        let mut stop = self.known_end(start, end);
        if stop.is_none() && !self.is_cell && words::is_text(word) {
            stop = self.text_end(start, false);
        }
        if let Some(stop) = stop {
            self.report_words(start, stop);
        }
        stop.is_some()
    }

    /// The end of a known comment that begins with the word from `start` to `end`: `remis`, `Black resigns`, `sealed`.
    fn known_end(&self, start: usize, end: usize) -> Option<usize> {
        if words::is_remark(self.slice(start, end)) {
            return Some(end);
        }
        let mut stop = None;
        let (mut from, mut to) = (start, end);
        for _ in 0..4 {
            let is_letter = |b: &u8| b.is_ascii_alphabetic() || *b >= 0x80;
            if from >= self.game.limit || !self.bytes.get(from).is_some_and(is_letter) {
                break;
            }
            if words::ending(self.slice(start, to)).is_some() {
                stop = Some(to);
            }
            let Some(next) = self.next_word(to) else {
                break;
            };
            from = next;
            to = lex::word_end(self.bytes, next);
        }
        stop
    }

    /// The end of the game as stated by words at `at`, with the player who resigned if the place of the words shows it.
    pub(super) fn ending_at(&self, ending: Ending, at: usize) -> Ending {
        if !matches!(ending, Ending::ResignedUnnamed(_)) {
            return ending;
        }
        // The words are in the place of a move: after a number, or after a number and a move.
        let [last, second] = self.words_before(at).map(Number::whole);
        let is_whites = |number: Number, has_moved: bool| number.is_black == has_moved;
        let turn = match (last, second) {
            (Some(number), _) => Some(is_whites(number, false)),
            (None, Some(number)) => Some(is_whites(number, true)),
            (None, None) => None,
        };
        Ending::ResignedUnnamed(turn.map(|is_white| match is_white {
            true => GameResult::Black,
            false => GameResult::White,
        }))
    }

    /// Reports a game without a result whose record may be truncated before `at`: its moves end with the number of the
    /// next move, or a tag states a result. Several numbers in a row are those of a printed form.
    pub(super) fn truncated(&mut self, at: usize) {
        // If a part of the text was dropped, its last words are not those of the game.
        if self.game.phase != Phase::Moves || self.game.lost.is_some() {
            return;
        }
        let text = self.slice(self.game.start, at);
        let blanks = text.iter().rev().take_while(|b| lex::is_blank(**b)).count();
        let end = at - blanks;
        let [last, second] = self.words_before(end);
        let number = Number::whole(last).map(|_| end - last.len());
        let number = number.filter(|number| self.game.words_to <= *number);
        let is_form = Number::whole(second).is_some();
        let states_result = |result| result != GameResult::Unknown;
        if let Some(number) = number.filter(|_| !is_form) {
            self.damage(Damage::EndsInNumber, number, end);
        } else if self.game.has_tags && self.game.tagged.is_some_and(states_result) {
            self.damage(Damage::NoResult, end, end);
        }
    }

    /// The last two words shortly before `at`, the last first.
    fn words_before(&self, at: usize) -> [&'a [u8]; 2] {
        let near = self.slice(at.saturating_sub(64).max(self.game.start), at);
        let words = near.rsplit(|b| lex::is_blank(*b));
        let mut words = words.filter(|word| !word.is_empty());
        [(); 2].map(|()| words.next().unwrap_or_default())
    }

    /// Whether the word before `at` is the number of a move.
    pub(super) fn follows_number(&self, at: usize) -> bool {
        let [last, _] = self.words_before(at);
        Number::whole(last).is_some()
    }
}
