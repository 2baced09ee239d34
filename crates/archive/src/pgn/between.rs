//! Items between moves: marks, comments, variations, tags.

use std::ops::Range;

use tridex_words::moves;

use super::semicolons::separates_moves;
use super::{Engine, NOTHING_MUTED, Phase, Stop};
use crate::lex::{self, CommentEnd, Tag};
use crate::visit::{Damage, Flow, Unusual, Visitor};
use crate::words;

impl Engine<'_> {
    /// `etc.` or `e.p.`; false if the word is something else.
    #[inline(never)]
    pub(super) fn word_e<V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        start: usize,
        end: usize,
    ) -> bool {
        let word = self.slice(start, end);
        let etc = words::is_etc(word);
        if !etc && !moves::is_en_passant(word) {
            return false;
        }
        self.aside(v, start, end, |v, at| {
            if etc {
                v.trailing_word(word, at);
            } else {
                v.suffix_mark(word, at);
            }
        });
        true
    }

    /// Reports an item that belongs to the move before it.
    pub(super) fn aside<V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        start: usize,
        end: usize,
        report: impl FnOnce(&mut V, u64),
    ) {
        if !self.game.has_moves {
            if self.game.depth == 0 {
                self.damage(v, Damage::StrayWord, start, end);
            }
        } else if self.live() {
            report(v, self.at(start));
        }
        self.pos = end;
    }

    /// Reads a word that begins with a sign, or with a character that is not ASCII: a blank, a dot, a result, a mark,
    /// or a move.
    pub(super) fn sign<V: Visitor + ?Sized>(&mut self, v: &mut V) -> Option<Stop> {
        let start = self.pos;
        let skip = lex::high_blank(self.bytes, start).max(lex::dot_len(self.bytes, start));
        if skip > 0 {
            self.pos += skip;
            return None;
        }
        let end = lex::word_end(self.bytes, start);
        let word = self.slice(start, end);
        if let Some(result) = words::result_word(words::bare(word)) {
            if word.starts_with(b"+") || word.starts_with(b"-") {
                // `+:-`: the form of the result is preserved as a comment.
                if self.game.depth == 0
                    && self.live()
                    && self.game.has_moves
                    && self.game.phase == Phase::Moves
                {
                    v.comment(word, self.at(start));
                }
                self.unusual(v, Unusual::Result, start, end);
            }
            return self.result_at(v, result, start, end);
        }
        if moves::is_draw_offer(word) {
            self.unusual(v, Unusual::Offer, start, end);
            self.aside(v, start, end, |v, at| v.draw_offer(at));
        } else if let Some(nag) = words::nag_of_mark(word) {
            self.aside(v, start, end, |v, at| v.nag(nag, at));
        } else if words::is_check_sign(word) {
            self.aside(v, start, end, |v, at| v.suffix_mark(word, at));
        } else {
            let stop = if word.first().is_some_and(u8::is_ascii) {
                self.mark_word(v, start, end).then_some(None)
            } else {
                self.other_word(v, start, end)
            };
            return stop.unwrap_or_else(|| self.move_word(v, start, end));
        }
        None
    }

    pub(super) fn dollar<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        let start = self.pos;
        let after = self.bytes.get(start + 1..).unwrap_or_default();
        let digits = after.iter().take_while(|b| b.is_ascii_digit());
        let len = digits.clone().count();
        let end = start + 1 + len;
        let nag = digits
            .map(|b| b - b'0')
            .try_fold(0_u8, |nag, digit| nag.checked_mul(10)?.checked_add(digit));
        match nag.filter(|_| len > 0) {
            Some(nag) => self.aside(v, start, end, |v, at| v.nag(nag, at)),
            None => {
                self.damage(v, Damage::BadNag, start, end);
                self.pos = end;
            }
        }
    }

    pub(super) fn quote<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        let start = self.pos;
        let end = self.past_closing(start, b'"');
        self.damage(v, Damage::StrayQuote, start, end);
        self.pos = end;
    }

    /// The offset after the next `closing` on this line, if it is near; else after the byte at `start`.
    fn past_closing(&self, start: usize, closing: u8) -> usize {
        const NEAR: usize = 256;
        let window = (start + NEAR).min(self.bytes.len());
        let rest = self.slice(start + 1, window);
        match memchr::memchr3(closing, b'\n', b'\r', rest) {
            Some(n) if rest.get(n) == Some(&closing) => start + n + 2,
            _ => start + 1,
        }
    }

    pub(super) fn open_parenthesis<V: Visitor + ?Sized>(&mut self, v: &mut V) -> Option<Stop> {
        let start = self.pos;
        let equals = lex::skip_blanks(self.bytes, start + 1);
        let close = lex::skip_blanks(self.bytes, equals + 1);
        if (self.bytes.get(equals), self.bytes.get(close)) == (Some(&b'='), Some(&b')')) {
            self.aside(v, start, close + 1, |v, at| v.draw_offer(at));
            return None;
        }
        if let Some(stop) = self.bracket(v) {
            return stop;
        }
        self.drop_pending();
        self.pos = start + 1;
        self.game.depth += 1;
        if self.game.depth > self.max_depth {
            if self.game.depth == self.max_depth + 1 {
                self.damage(v, Damage::TooDeep, start, start + 1);
            }
            self.game.mute = self.game.mute.min(self.game.depth);
            return None;
        }
        self.game.open.push(self.at(start));
        if !self.game.has_moves {
            if self.game.depth == 1 {
                self.damage(v, Damage::VariationBeforeMove, start, start + 1);
            }
            self.game.mute = self.game.mute.min(self.game.depth);
        } else if self.live_at(self.game.depth - 1)
            && v.begin_variation(self.at(start)) == Flow::Skip
        {
            self.game.mute = self.game.depth;
        }
        None
    }

    fn live_at(&self, depth: usize) -> bool {
        depth < self.game.mute
    }

    pub(super) fn close_parenthesis<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        let start = self.pos;
        self.pos += 1;
        if self.game.depth == 0 {
            self.damage(v, Damage::StrayParenthesis, start, start + 1);
            return;
        }
        self.drop_pending();
        self.leave_variation(v, start);
    }

    /// A result in a variation is not the game's if the variation continues or ends.
    fn drop_pending(&mut self) {
        if self.game.phase == Phase::Pending {
            self.game.phase = Phase::Moves;
            self.game.pending = None;
        }
    }

    pub(super) fn leave_variation<V: Visitor + ?Sized>(&mut self, v: &mut V, at: usize) {
        let depth = self.game.depth;
        self.game.depth -= 1;
        self.game.open.truncate(self.game.depth);
        if self.game.mute == depth {
            self.game.mute = NOTHING_MUTED;
        } else if depth < self.game.mute {
            v.end_variation(self.at(at));
        }
    }

    pub(super) fn comment<V: Visitor + ?Sized>(&mut self, v: &mut V) -> Option<Stop> {
        let start = self.pos;
        if !self.is_cell && self.begins_next_game(start) {
            return Some(Stop::Boundary);
        }
        let near = lex::near_comment_end(self.bytes, start, self.max_comment);
        let end = if let Some(close) = near {
            CommentEnd::Closed(close)
        } else if self.is_cell {
            match memchr::memchr(b'}', self.slice(start, self.bytes.len())) {
                Some(n) => CommentEnd::Closed(start + n),
                None => CommentEnd::Lost,
            }
        } else {
            lex::comment_end(self.bytes, start, self.max_comment, &mut self.braces)
        };
        match end {
            CommentEnd::Closed(close) => {
                if self.live() {
                    v.comment(self.slice(start + 1, close), self.at(start));
                }
                self.pos = close + 1;
                None
            }
            CommentEnd::Recover(line) => {
                self.damage(v, Damage::UnclosedComment, start, start + 1);
                self.pos = line;
                self.game.words_to = line;
                // Among tags too: the text between is unknown.
                Some(Stop::Boundary)
            }
            CommentEnd::Lost => {
                self.damage(v, Damage::UnclosedComment, start, start + 1);
                if self.is_cell {
                    self.pos = self.bytes.len();
                    return None;
                }
                Some(self.lose(v, start + 1))
            }
        }
    }

    pub(super) fn line_comment<V: Visitor + ?Sized>(&mut self, v: &mut V) -> Option<Stop> {
        let start = self.pos;
        if !self.is_cell && self.begins_next_game(start) {
            return Some(Stop::Boundary);
        }
        let limit = if self.is_cell {
            usize::MAX
        } else {
            self.game.limit
        };
        if (self.game.phase == Phase::Moves || self.game.held.is_some())
            && separates_moves(self.bytes, [self.game.start, start, limit])
        {
            self.unusual(v, Unusual::Separator, start, start + 1);
            self.pos = start + 1;
            return None;
        }
        let end = lex::line_end(self.bytes, start);
        if self.live() {
            v.line_comment(self.slice(start + 1, end), self.at(start));
        }
        self.pos = end;
        self.game.words_to = end;
        None
    }

    /// Whether a comment at `at` is between two games and belongs to the second.
    pub(super) fn begins_next_game(&self, at: usize) -> bool {
        self.game.phase == Phase::AfterResult
            && self.game.depth == 0
            && lex::after_empty_line(self.bytes, self.game.start, at)
    }

    pub(super) fn escape<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        let start = self.pos;
        let first = start == self.game.start
            || self
                .bytes
                .get(start.wrapping_sub(1))
                .is_some_and(|&b| lex::is_newline(b));
        if first && !self.is_cell {
            let end = lex::line_end(self.bytes, start);
            if self.live() {
                v.escape_line(self.slice(start + 1, end), self.at(start));
            }
            self.pos = end;
            self.game.words_to = end;
        } else {
            let end = lex::word_end(self.bytes, start + 1);
            self.damage(v, Damage::StrayWord, start, end);
            self.pos = end;
        }
    }

    pub(super) fn tag<V: Visitor + ?Sized>(&mut self, v: &mut V) -> Option<Stop> {
        if !self.is_cell && !self.is_among_moves() && self.game.depth == 0 {
            if self.game.block > 0 && self.begins_next_block() {
                return Some(Stop::Boundary);
            }
            // The common case: tags one after another.
            while let Some((name, value)) = lex::plain_tag(self.bytes, self.pos) {
                // A quote and a bracket follow the value.
                let end = value.end + 2;
                if !self.take_tag(v, name, value, end) {
                    return Some(Stop::Boundary);
                }
                match self.bytes.get(self.pos..) {
                    Some([b'\n', b'[', ..]) if self.pos + 1 < self.game.limit => self.pos += 1,
                    _ => return None,
                }
            }
        }
        let start = self.pos;
        let tag = if self.is_cell {
            Tag::Other
        } else {
            let loose = self.game.phase != Phase::Moves
                && self.game.depth == 0
                && lex::at_line_start(self.bytes, self.game.start, start, true);
            lex::tag(self.bytes, start, loose)
        };
        if let Tag::Other = tag {
            let end = self.past_closing(start, b']');
            if let [b'[', time @ .., b']'] = self.slice(start, end)
                && words::is_time(time.trim_ascii())
                && self.game.has_moves
            {
                self.clock(v, start, end, time.trim_ascii());
                return None;
            }
            self.damage(v, Damage::StrayBracket, start, end);
            self.pos = end;
            return None;
        }
        if self.is_among_moves() {
            return Some(Stop::Boundary);
        }
        // A variation before the first move ends here at the latest.
        self.conclude(v, start);
        match tag {
            Tag::Read {
                name,
                value,
                end,
                damage,
            } => {
                if !self.take_tag(v, name, value, end) {
                    return Some(Stop::Boundary);
                }
                if let Some(damage) = damage {
                    self.damage(v, damage, start, end);
                }
            }
            Tag::Broken { end, damage } => {
                self.game.phase = Phase::Tags;
                self.damage(v, damage, start, end);
                self.pos = end;
            }
            Tag::Other => {}
        }
        None
    }

    /// Whether the tag at `pos` begins another game's block of tags, though this game has no moves.
    #[inline(never)]
    fn begins_next_block(&mut self) -> bool {
        if !lex::after_empty_line(self.bytes, self.game.start, self.pos) {
            return false;
        }
        let Some((name, _)) = lex::tag_shape(self.bytes, self.pos) else {
            return false;
        };
        let first = self.slice(self.game.first_tag.start, self.game.first_tag.end);
        let name = self.slice(name.start, name.end);
        if self.game.block > 1 || name == first || name == b"Event" || self.is_in_block() {
            return true;
        }
        self.game.block = 0;
        false
    }

    /// Whether another tag follows the one at `pos` with no empty line between them.
    fn is_in_block(&self) -> bool {
        let Tag::Read { end, .. } = lex::tag(self.bytes, self.pos, true) else {
            return false;
        };
        let next = lex::skip_blanks(self.bytes, end);
        // Bytes after the limit must not affect earlier decisions.
        next < self.game.limit
            && lex::tag_shape(self.bytes, next).is_some()
            && !lex::after_empty_line(self.bytes, end, next)
    }

    /// Reports the tag at `pos` and moves to its end; false if it is a second `Event`, which begins the next game.
    #[inline]
    fn take_tag<V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        name: Range<usize>,
        value: Range<usize>,
        end: usize,
    ) -> bool {
        let start = self.pos;
        let range = name;
        let name = self.slice(range.start, range.end);
        if name == b"Event" {
            if self.game.has_event {
                return false;
            }
            self.game.has_event = true;
        }
        if self.game.first_tag.is_empty() {
            self.game.first_tag = range;
        }
        self.game.block += 1;
        self.game.phase = Phase::Tags;
        self.game.has_tags = true;
        self.open_game(v, start);
        let tag = (name, self.slice(value.start, value.end));
        let at = self.at(start);
        self.tags.report(v, tag, at, end - start);
        self.pos = end;
        if name.len() == 6 && name.eq_ignore_ascii_case(b"Result") {
            let found = words::result_text(self.slice(value.start, value.end));
            self.game.tagged = self.game.tagged.or(found);
            if found.is_none() {
                self.damage(v, Damage::BadResult, start, end);
            }
        }
        true
    }
}
