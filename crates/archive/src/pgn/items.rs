//! Reads items that are not words: comments, variations, brackets, tags.

use std::ops::Range;

use super::semicolons::separates_moves;
use super::{Attempt, Engine, Phase, Step, Stop};
use crate::item::Item;
use crate::lex::{self, Tag};
use crate::unread::is_unrecorded;
use crate::visit::{Damage, GameResult, Unusual, Visitor};
use crate::words;

/// The maximum number of tag names that are stored to recognise the tags of the next game.
pub(super) const MOST_NAMES: usize = 64;

/// Returns text as a comment. A comment in braces cannot contain a closing brace.
pub(super) fn comment(text: &[u8]) -> Item<&[u8]> {
    match text.contains(&b'}') {
        true => Item::LineComment(text),
        false => Item::Comment(text),
    }
}

impl<'a, V: Visitor + ?Sized> Engine<'a, V> {
    pub(super) fn dollar(&mut self) -> Step {
        let start = self.pos;
        let after = self.slice(start + 1, self.bytes.len());
        let digits = after.iter().take_while(|b| b.is_ascii_digit()).count();
        let mut end = start + 1 + digits;
        // `$-1` and `$1a` are damaged as a whole.
        if matches!(
            after.get(digits),
            Some(b'-' | b'+' | b'a'..=b'z' | b'A'..=b'Z')
        ) {
            end = lex::word_end(self.bytes, end);
        }
        let nag = std::str::from_utf8(self.slice(start + 1, end));
        match nag.ok().and_then(|nag| nag.parse().ok()) {
            Some(nag) => self.aside(start, end, Item::Nag(nag)),
            None => self.damaged_nag(start, end),
        }
    }

    /// Reads `$ 1` as a NAG, and any other sign or number as a comment.
    #[cold]
    fn damaged_nag(&mut self, start: usize, end: usize) -> Step {
        let next = lex::skip_spaces(self.bytes, end);
        let word_end = lex::word_end(self.bytes, next);
        let word = self.slice(next, word_end);
        let number = std::str::from_utf8(word)
            .ok()
            .filter(|_| next > end && end == start + 1);
        self.damage(Damage::BadNag, start, end);
        match number.and_then(|number| number.parse().ok()) {
            Some(nag) if word_end < self.game.limit => self.aside(start, word_end, Item::Nag(nag)),
            _ => self.keep_text(start, end, self.slice(start, end)),
        }
    }

    /// Reports damaged text as a comment of the game, if the game has begun.
    pub(super) fn keep_text(&mut self, start: usize, end: usize, text: &[u8]) -> Step {
        let text = words::trimmed(text);
        if self.game.begun && !text.is_empty() {
            let item = comment(text);
            self.tell(start, item);
        }
        self.pos = end;
        Ok(())
    }

    pub(super) fn quote(&mut self) -> Step {
        if self.line(self.pos)? {
            return Ok(());
        }
        let (start, end) = (self.pos, self.past_closing(b'"'));
        let inside = self.slice(start + 1, end.saturating_sub(1).max(start + 1));
        let has_moves = words::words(inside).any(|(_, kind)| kind == words::Kind::Move);
        if has_moves {
            // Only the quotation mark is damage.
            return self.skip_damage(Damage::StrayQuote, start + 1);
        }
        self.damage(Damage::StrayQuote, start, end);
        self.keep_text(start, end, inside)
    }

    /// The offset after the next `closing` on this line, if it is near. Otherwise the offset after the byte at `pos`.
    fn past_closing(&self, closing: u8) -> usize {
        const NEAR: usize = 256;
        let next = self.pos + 1;
        let near = self.slice(next, self.bytes.len().min(self.pos + NEAR));
        let line = near.get(..lex::line_end(near, 0)).unwrap_or_default();
        memchr::memchr(closing, line).map_or(next, |n| next + n + 1)
    }

    pub(super) fn open_parenthesis(&mut self) -> Step {
        let start = self.pos;
        if self.words_in_parentheses()? {
            return Ok(());
        }
        self.drop_pending();
        self.pos = start + 1;
        self.game.depth += 1;
        let depth = self.game.depth;
        if depth == 1 {
            self.game.outermost = start;
        }
        self.tell(start, Item::VariationStart);
        let skipped = match depth {
            depth if depth == self.limits.max_depth + 1 => Damage::TooDeep,
            1 if !self.game.has_moves => Damage::VariationBeforeMove,
            _ => return Ok(()),
        };
        self.damage(skipped, start, start + 1);
        Ok(())
    }

    pub(super) fn close_parenthesis(&mut self) -> Step {
        let start = self.pos;
        if self.game.depth == 0 {
            return self.skip_damage(Damage::StrayParenthesis, start + 1);
        }
        self.drop_pending();
        self.tell(start, Item::VariationEnd);
        self.game.depth -= 1;
        self.pos += 1;
        Ok(())
    }

    /// A result in a variation is not the game's if the variation continues or ends.
    fn drop_pending(&mut self) {
        if self.game.phase == Phase::Pending {
            self.game.phase = Phase::Moves;
            self.game.stated = None;
        }
    }

    /// Reads text in parentheses without moves: a draw offer, a time, a heading or a comment.
    fn words_in_parentheses(&mut self) -> Attempt {
        let start = self.pos;
        if self.result_in_parentheses()? {
            return Ok(true);
        }
        if self.unrecorded_in_brackets(b')')? {
            return Ok(true);
        }
        let close = words::closing_parenthesis(self.bytes, start);
        let Some(close) = close.or_else(|| self.sentence_in_parentheses(start)) else {
            return Ok(false);
        };
        let (text, end) = (words::trimmed(self.slice(start + 1, close)), close + 1);
        let is_number =
            |text: &[u8]| !text.is_empty() && text.iter().all(|b| b.is_ascii_digit() || *b == b'.');
        if is_number(text) && self.game.has_moves {
            // Minutes, or a number somebody circled.
            self.unusual(Unusual::Remark, start, end);
            self.tell(start, Item::Comment(text));
        } else if text == b"=" {
            self.aside(start, end, Item::DrawOffer)?;
        } else if words::is_time(text) && self.game.has_moves {
            self.clock(start, end, text)?;
        } else if text != b"s" && !words::has_prose(text) {
            return Ok(false);
        } else if self.begins_next_game(start) {
            return Err(Stop::Boundary);
        } else if self.game.depth == 0
            && self.game.phase == Phase::Moves
            && words::ending(text).is_some()
        {
            let from = start
                + 1
                + self
                    .slice(start + 1, close)
                    .iter()
                    .take_while(|b| lex::is_blank(**b))
                    .count();
            self.report_words(from, from + text.len());
            self.game.words_to = end;
        } else if self.game.depth > 0 || self.is_cell || self.is_among_moves() {
            self.unusual(Unusual::Remark, start, end);
            self.tell(start, Item::Comment(text));
        } else {
            self.take_heading(start + 1, close);
            self.game.words_to = end;
        }
        self.pos = end;
        Ok(true)
    }

    /// The end of the parenthesis at `start` if a sentence is in it, in which a few words are moves: `(I should have played
    /// a4N)`. The words of a language are three times as many, and no number shows that a variation begins.
    fn sentence_in_parentheses(&self, start: usize) -> Option<usize> {
        const REACH: usize = 256;
        let end = self.bytes.len().min(self.game.limit).min(start + REACH);
        let near = self.slice(start + 1, end);
        let close = memchr::memchr3(b')', b'(', b'{', near)?;
        let text = near
            .get(..close)
            .filter(|_| near.get(close) == Some(&b')'))?;
        let (mut moves, mut prose) = (0, 0);
        for (_, kind) in words::words(text) {
            match kind {
                words::Kind::Move => moves += 1,
                words::Kind::Prose => prose += 1,
                words::Kind::Number(_, true) | words::Kind::Result(_) => return None,
                _ => {}
            }
        }
        (self.game.depth == 0 && prose >= 3 * moves && moves > 0).then_some(start + 1 + close)
    }

    /// Reads a move that was not recorded, in the brackets at `pos`. They must follow a move number: `3. [illegible]`.
    fn unrecorded_in_brackets(&mut self, closing: u8) -> Attempt {
        const REACH: usize = 24;
        let start = self.pos;
        let near = self.slice(start + 1, self.bytes.len().min(start + REACH));
        let Some(close) = memchr::memchr(closing, near) else {
            return Ok(false);
        };
        let inside = near.get(..close).unwrap_or_default();
        let text = inside.trim_ascii();
        let from = start + 1 + inside.len() - inside.trim_ascii_start().len();
        let end = start + close + 2;
        if !is_unrecorded(text)
            || end > self.game.limit
            || words::number_alone(self.words_before(start)[0]).is_none()
        {
            return Ok(false);
        }
        if self.gate(start, end)? {
            return Ok(true);
        }
        self.begin_moves(start);
        self.pos = end;
        self.report_move(text, from);
        Ok(true)
    }

    /// Reads a result in parentheses after the moves as if it had no parentheses: `(1-0)`.
    fn result_in_parentheses(&mut self) -> Attempt {
        const REACH: usize = 24;
        let start = self.pos;
        let is_heading = matches!(self.game.phase, Phase::Between | Phase::Tags)
            && !self.is_cell
            && !self.at_line_start(start);
        if self.game.depth > 0 || self.game.phase != Phase::Moves && !is_heading {
            return Ok(false);
        }
        let near = self.slice(start + 1, self.bytes.len().min(start + REACH));
        let Some(close) = memchr::memchr(b')', near) else {
            return Ok(false);
        };
        let text = near.get(..close).unwrap_or_default().trim_ascii();
        let end = start + close + 2;
        let Some(result) = words::result_word(text).filter(|_| end <= self.game.limit) else {
            return Ok(false);
        };
        if is_heading {
            // `Anna - Bert (1-0)`
            self.take_heading(start + 1, end - 1);
            (self.pos, self.game.words_to) = (end, end);
            return Ok(true);
        }
        // If the game continues, the result is a remark.
        let next = lex::skip_blanks(self.bytes, end);
        let word = self.slice(next, lex::word_end(self.bytes, next));
        let is_over = next >= self.game.limit.min(self.bytes.len())
            || lex::tag_shape(self.bytes, next).is_some()
            || self.after_empty_line(next)
            || words::is_text(word)
            || matches!(self.bytes.get(next), Some(b'{' | b';'));
        if !is_over {
            self.unusual(Unusual::Remark, start, end);
            self.keep_text(start, end, text)?;
            return Ok(true);
        }
        self.unusual(Unusual::Result, start, end);
        self.result(result, start, end)?;
        Ok(true)
    }

    pub(super) fn comment(&mut self) -> Step {
        let start = self.pos;
        let most = self.limits.max_comment;
        let line = match lex::comment_end(self.bytes, start, usize::MAX) {
            Ok(close) => {
                let mut end = close;
                if close - start > most + 1 && !self.is_cell {
                    self.damage(Damage::LongComment, start, close + 1);
                    end = start + 1 + most;
                    // Do not cut a character in two.
                    while end > start && self.bytes.get(end).is_some_and(|b| b & 0xc0 == 0x80) {
                        end -= 1;
                    }
                }
                self.tell(start, Item::Comment(self.slice(start + 1, end)));
                self.pos = close + 1;
                return Ok(());
            }
            Err(line) => line,
        };
        self.damage(Damage::UnclosedComment, start, start + 1);
        if self.is_cell {
            self.pos = self.bytes.len();
            return Ok(());
        }
        let Some(line) = line else {
            return self.lose(start + 1);
        };
        // The game ends here even if it has only tags so far, since the text in between is unknown.
        (self.pos, self.game.lost) = (line, Some(line));
        Err(Stop::Boundary)
    }

    pub(super) fn line_comment(&mut self) -> Step {
        let start = self.pos;
        if (self.game.phase == Phase::Moves || self.game.held.is_some())
            && separates_moves(self.bytes, [self.game.start, start, self.game.limit])
        {
            self.unusual(Unusual::Separator, start, start + 1);
            self.pos = start + 1;
            return Ok(());
        }
        self.rest_of_line(Item::LineComment)
    }

    pub(super) fn escape(&mut self) -> Step {
        let before = self.slice(self.game.start, self.pos).last();
        if self.is_cell || before.is_some_and(|b| !lex::is_newline(*b)) {
            let (start, end) = (self.pos, lex::word_end(self.bytes, self.pos));
            self.damage(Damage::StrayWord, start, end);
            return self.keep_text(start, end, self.slice(start, end));
        }
        self.rest_of_line(Item::Escape)
    }

    /// Reports the rest of the line after the byte at `pos`.
    fn rest_of_line(&mut self, item: fn(&'a [u8]) -> Item<&'a [u8]>) -> Step {
        let end = lex::line_end(self.bytes, self.pos);
        self.tell(self.pos, item(self.slice(self.pos + 1, end)));
        (self.pos, self.game.words_to) = (end, end);
        Ok(())
    }

    /// Whether an item at `at` is between two games and belongs to the second.
    pub(super) fn begins_next_game(&self, at: usize) -> bool {
        self.game.phase == Phase::AfterResult
            && self.game.depth == 0
            && !self.is_cell
            && self.after_empty_line(at)
    }

    #[inline(never)]
    pub(super) fn tag(&mut self) -> Step {
        let is_outside = !self.is_cell && self.game.depth == 0;
        if is_outside
            && !self.is_among_moves()
            && !self.game.tag_names.is_empty()
            && self.begins_next_block()
        {
            return Err(Stop::Boundary);
        }
        loop {
            let start = self.pos;
            let is_loose = is_outside && self.game.phase != Phase::Moves;
            // A broken tag may also follow another tag on its line.
            let follows_tag = || {
                let before = self.slice(self.game.start, start);
                self.game.phase == Phase::Tags && before.trim_ascii_end().ends_with(b"]")
            };
            let at_line_start = || is_loose && (self.at_line_start(start) || follows_tag());
            let tag = lex::tag(self.bytes, start, at_line_start).filter(|_| !self.is_cell);
            let Some(tag) = tag else {
                let end = self.past_closing(b']');
                if let [b'[', time @ .., b']'] = self.slice(start, end)
                    && words::is_time(time.trim_ascii())
                    && self.game.has_moves
                {
                    return self.clock(start, end, time.trim_ascii());
                }
                if self.unrecorded_in_brackets(b']')? {
                    return Ok(());
                }
                if let Some(page) = self.page_number(start) {
                    self.take_page(start, page);
                    return Ok(());
                }
                return self.stray_bracket(start, end);
            };
            if self.is_among_moves() {
                return Err(Stop::Boundary);
            } else if self.game.depth > 0 {
                // A variation before the first move ends here at the latest.
                self.conclude(start);
            }
            let Tag { text, end, damage } = tag;
            match text {
                Some([name, value]) => self.take_tag(name, value, end)?,
                None if self.game.begun => self.keep_text(start, end, self.slice(start, end))?,
                None => self.game.headings.push((start, end)),
            }
            self.game.phase = Phase::Tags;
            self.pos = end;
            if let Some(damage) = damage {
                self.damage(damage, start, end);
            }
            // The common case: tags one after another.
            match self.bytes.get(end..) {
                Some([b'\n', b'[', ..]) if is_outside && end + 1 < self.game.limit => self.pos += 1,
                _ => return Ok(()),
            }
        }
    }

    /// Reports text in square brackets that are not a tag. A move in them was crossed out.
    #[cold]
    fn stray_bracket(&mut self, start: usize, end: usize) -> Step {
        let inside = self.slice(start + 1, end.saturating_sub(1).max(start + 1));
        let has_moves = words::words(inside).any(|(_, kind)| kind == words::Kind::Move);
        if has_moves && self.game.has_moves && self.bytes.get(end - 1) == Some(&b']') {
            self.unusual(Unusual::Deleted, start, end);
        } else {
            self.damage(Damage::StrayBracket, start, end);
        }
        self.keep_text(start, end, inside)
    }

    /// Whether the tags at `pos` belong to another game although this game has no moves. They do if an empty line is
    /// before them and one of them, up to the next empty line, is `Event` or has the name of a tag of this game.
    fn begins_next_block(&self) -> bool {
        /// The maximum number of tags that are examined.
        const NEAR: usize = 32;
        if !self.after_empty_line(self.pos) {
            return false;
        }
        let mut at = self.pos;
        for _ in 0..NEAR {
            let Some((name, _)) = lex::tag_shape(self.bytes, at) else {
                break;
            };
            let name = self.slice(name.start, name.end);
            let is_known = |known: &Range<usize>| {
                self.slice(known.start, known.end)
                    .eq_ignore_ascii_case(name)
            };
            if name == b"Event" || self.game.tag_names.iter().any(is_known) {
                return true;
            }
            let Some(tag) = lex::tag(self.bytes, at, || false) else {
                break;
            };
            let next = lex::skip_blanks(self.bytes, tag.end);
            // Bytes after the limit must not affect earlier decisions.
            if next >= self.game.limit || lex::after_empty_line(self.bytes, tag.end, next) {
                break;
            }
            at = next;
        }
        false
    }

    /// Reports the tag at `pos`. A second `Event` begins the next game.
    pub(super) fn take_tag(
        &mut self,
        range: Range<usize>,
        value: Range<usize>,
        end: usize,
    ) -> Step {
        let start = self.pos;
        let name = self.slice(range.start, range.end);
        let value = self.slice(value.start, value.end);
        if name == b"Event" && std::mem::replace(&mut self.game.has_event, true) {
            return Err(Stop::Boundary);
        }
        if self.game.first_tag.is_empty() {
            self.game.first_tag = range.clone();
        }
        if self.game.tag_names.len() < MOST_NAMES {
            self.game.tag_names.push(range);
        }
        self.open_game(start);
        let at = self.at(start);
        self.v.tag(name, value, at);
        if name.eq_ignore_ascii_case(b"Result") {
            self.tagged(value, start, end);
        }
        Ok(())
    }

    /// Stores the result that a tag or a heading from `start` to `end` states.
    pub(super) fn tagged(&mut self, value: &[u8], start: usize, end: usize) -> Option<GameResult> {
        let found = words::result_text(value);
        self.game.tagged = self.game.tagged.or(found);
        if found.is_none() {
            self.damage(Damage::BadResult, start, end);
        }
        found
    }
}
