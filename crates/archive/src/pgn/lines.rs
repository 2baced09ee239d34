//! Lines of words. Before the moves they are headings, with the players, the date or the number of the game: tags or
//! comments of the following game, and never a separate game. Among the moves and after them they are comments.

use tridex_words::moves::{is_en_passant, is_plain_move, looks_like_move};

use super::headings::{self, Parts};
use super::{Attempt, Engine, Phase, Stop};
use crate::date::Date;
use crate::lex::{self, escape};
use crate::visit::{Damage, Unusual, Visitor};
use crate::words;

/// The maximum length of a line of words.
const LINE: usize = 512;

/// The maximum length of several such lines.
const TAIL: usize = 4096;

impl<V: Visitor + ?Sized> Engine<'_, V> {
    /// Reads the line at `start`, or the rest of it, if it is text. Its first word ends at `end`.
    pub(super) fn line(&mut self, start: usize, end: usize) -> Attempt {
        if self.is_cell || self.game.depth > 0 {
            return Ok(false);
        }
        let is_after = self.game.phase == Phase::AfterResult;
        if !is_after && !self.at_line_start(start) && !self.follows_words(start) {
            return Ok(false);
        }
        let word = self.slice(start, end);
        // `12.` is a move number in every line, but not in `2.1.2004`.
        let (digits, rest) = words::numbered(word);
        let is_number = digits > 0
            && lex::dot_len(word, digits) > 0
            && !rest.first().is_some_and(u8::is_ascii_digit);
        let is_move =
            looks_like_move(word) || self.game.phase == Phase::Moves && is_plain_move(word);
        if is_number || is_move || words::is_etc(word) || is_en_passant(word) {
            return Ok(false);
        }
        if is_after {
            return self.words_after(start, word);
        }
        if self.game.phase != Phase::Moves {
            return Ok(self.tag_without_bracket(start) || self.heading(start));
        }
        if self.after_empty_line(start) && self.begins_titles(start) {
            return Err(Stop::Boundary);
        }
        let end = self.text_end(start, true);
        if let Some(end) = end {
            self.report_words(start, end);
        }
        Ok(end.is_some())
    }

    /// Skips a line before the moves that is a tag without its bracket.
    fn tag_without_bracket(&mut self, start: usize) -> bool {
        let end = lex::tag_without_bracket(self.bytes, start);
        if let Some(end) = end.filter(|_| self.at_line_start(start)) {
            self.game.phase = Phase::Tags;
            self.damage(Damage::TagMalformed, start, end);
            self.pos = end;
            return true;
        }
        false
    }

    /// Reads the line at `start` as a heading, if it is one.
    fn heading(&mut self, start: usize) -> bool {
        let line = self
            .heading_line(start)
            .filter(|_| self.game.held.is_none());
        let Some((_, end)) = line else {
            return false;
        };
        self.take_heading(start, end);
        // A slash may separate it from the first move.
        while matches!(self.bytes.get(self.pos), Some(b' ' | b'\t' | b'/' | b'|')) {
            self.pos += 1;
        }
        true
    }

    /// Stores a heading until it is known that a game follows. After tags a game has begun, and the heading is reported
    /// at once.
    pub(super) fn take_heading(&mut self, start: usize, end: usize) {
        self.game.headings.push((start, end));
        if self.game.begun {
            self.report_headings();
        }
        self.pos = end;
        self.game.words_to = end;
    }

    /// Reports the stored headings as tags and comments of the game that has begun. The first value of a tag is used,
    /// and a line that repeats one is a comment.
    pub(super) fn report_headings(&mut self) {
        let mut known = Vec::new();
        for (start, end) in std::mem::take(&mut self.game.headings) {
            let line = self.slice(start, end);
            self.unusual(Unusual::Heading, start, end);
            let parts = Parts::of(line);
            let is_known = |(name, ..): &(&str, String, usize)| known.contains(name);
            if self.game.has_tags || parts.tags.iter().any(is_known) {
                let at = self.at(start);
                self.v.comment(words::trimmed(line), at);
                continue;
            }
            for (name, value, at) in parts.tags {
                known.push(name);
                self.heading_tag(name, value.as_bytes(), end.min(start + at));
            }
            for (rest, at) in parts.rest {
                let at = self.at(end.min(start + at));
                self.v.comment(rest.as_bytes(), at);
            }
        }
    }

    /// Reports a tag of a heading at `from`. A result is reported in standard form, and its words are stored too.
    fn heading_tag(&mut self, mut name: &str, value: &[u8], from: usize) {
        let at = self.at(from);
        if name == "Result" {
            let found = words::result_text(value);
            self.game.tagged = self.game.tagged.or(found);
            if !words::is_standard_result(value) {
                name = "ResultAsWritten";
                match found {
                    Some(result) => self.v.tag(b"Result", result.as_str().as_bytes(), at),
                    None => self.damage(Damage::BadResult, from, from + value.len()),
                }
            }
        }
        self.v.tag(name.as_bytes(), &escape(value), at);
    }

    /// Reports headings without a following game.
    pub(super) fn drop_headings(&mut self) {
        for (start, end) in std::mem::take(&mut self.game.headings) {
            self.damage(Damage::StrayWord, start, end);
        }
    }

    /// Reads words after a finished game as its comment. After an empty line they belong to the next game, except at the
    /// end of the text.
    fn words_after(&mut self, start: usize, word: &[u8]) -> Attempt {
        let is_next = self.begins_next_game(start);
        let is_sign = word.first().is_some_and(u8::is_ascii_punctuation);
        if is_sign && !is_next && !words::is_ruled(word) {
            return Ok(false);
        }
        if self.at_line_start(start) && lex::tag_without_bracket(self.bytes, start).is_some() {
            return Err(Stop::Boundary);
        }
        let Some(end) = self.plain_words(start) else {
            return Ok(false);
        };
        if is_next && !self.ends_in_words(start) {
            return Err(Stop::Boundary);
        }
        self.report_words(start, end);
        Ok(true)
    }

    /// The end of the words of a line from `start` on, up to its end or a result, if they are not a title.
    fn plain_words(&self, start: usize) -> Option<usize> {
        let (line, end) = self.heading_line(start)?;
        (end == line.words && !headings::is_title(self.slice(start, line.end)))
            .then_some(line.words)
    }

    /// Whether only a few lines of words, without a title, follow up to the end of the text. Such lines alone are not a
    /// game, so no batch ends among them while a game follows.
    fn ends_in_words(&self, start: usize) -> bool {
        let most = TAIL.min(self.limits.max_game);
        if self.text.len() - start.min(self.text.len()) >= most {
            return false;
        }
        let mut at = start;
        while at < self.bytes.len() {
            match self.plain_words(at) {
                Some(end) if self.is_whole_line(at, end) => at = lex::skip_blanks(self.bytes, end),
                _ => return false,
            }
        }
        true
    }

    /// Whether the words from `start` to `end` are a whole line that would be a heading before a game.
    fn is_whole_line(&self, start: usize, end: usize) -> bool {
        let word = self.slice(start, lex::word_end(self.bytes, start));
        word.first().is_some_and(u8::is_ascii_alphabetic)
            && !words::is_etc(word)
            && !is_en_passant(word)
            && self.bytes.get(end).is_none_or(|b| lex::is_newline(*b))
            && lex::tag_without_bracket(self.bytes, start).is_none()
    }

    /// The end of the text that begins at `start` among the moves of a game. `begins_line`: only text is before it on
    /// its line.
    pub(super) fn text_end(&self, start: usize, begins_line: bool) -> Option<usize> {
        let line = self.line_of_words(start)?;
        let line = self.slice(start, line.words);
        if begins_line && states_end(line) {
            return None;
        }
        // One word after a number on the line before is in the place of a move.
        let is_whole = begins_line && !self.follows_number(start);
        words::text_len(line, is_whole).map(|len| start + len)
    }

    /// Whether one of the lines from `start` on, up to the next empty one, is a title, and those before it are words.
    fn begins_titles(&self, start: usize) -> bool {
        let mut at = start;
        let mut player = None;
        while at < start + TAIL
            && let Some((line, end)) = self.heading_line(at)
        {
            let text = self.slice(at, end);
            let before = std::mem::replace(&mut player, headings::player_of(text));
            if headings::is_title(text) || before.is_some() && player.is_some() && before != player
            {
                return true;
            }
            if end != line.words || !self.is_whole_line(at, line.end) {
                return false;
            }
            at = lex::skip_blanks(self.bytes, line.end);
            if lex::after_empty_line(self.bytes, line.end, at) {
                return false;
            }
        }
        false
    }

    /// Reports words as a comment, and how the game ended if they state it.
    pub(super) fn report_words(&mut self, start: usize, end: usize) {
        let text = words::trimmed(self.slice(start, end));
        let ending = words::ending(text).filter(|_| self.game.phase == Phase::Moves);
        if let Some(ending) = ending.map(|ending| self.ending_at(ending, start)) {
            self.game.implied = ending.result().map(|result| (result, start));
            let at = self.at(start);
            self.v.ending(text, ending, at);
        } else {
            self.unusual(Unusual::Prose, start, end);
        }
        self.tell(start, |v, at| v.comment(text, at));
        self.pos = end;
        self.game.words_to = end;
    }

    /// Whether only spaces are between the last text and `start`.
    pub(super) fn follows_words(&self, start: usize) -> bool {
        let words_to = self.game.words_to;
        words_to > self.game.start && lex::skip_spaces(self.bytes, words_to) == start
    }

    /// The line, or the rest of it, at `start`, if it may be text: not too long, and wholly within the limit of the
    /// game. It ends before a result: the text after a result may be part of another game and must not affect this one.
    fn line_of_words(&self, start: usize) -> Option<Line> {
        let reach = (start + LINE).min(self.bytes.len());
        let near = self.slice(start, reach);
        // Brackets without moves are part of the line.
        let mut inside = 0;
        let mut is_end = |(n, b): (usize, &u8)| match b {
            b'\n' | b'\r' | b'{' | b'}' | b'[' | b']' | b'$' => true,
            b'(' | b')' if n < inside => false,
            b'(' => {
                let close = words::closing_parenthesis(self.bytes, start + n);
                let close = close.filter(|close| {
                    let text = self.slice(start + n, *close);
                    *close < self.game.limit && !text.iter().any(|b| lex::is_newline(*b))
                });
                inside = close.map_or(n, |close| close + 1 - start);
                close.is_none()
            }
            b')' => true,
            // A semicolon in a sentence follows a word; one after a blank begins a comment.
            b';' => n == 0 || near.get(n - 1).is_some_and(|b| lex::is_blank(*b)),
            _ => false,
        };
        let (end, is_whole) = match near.iter().enumerate().position(&mut is_end) {
            Some(n) => (start + n, true),
            None => (reach, reach < start + LINE),
        };
        let most = end.min(self.game.limit);
        let (words, end) = match words::first_result(self.slice(start, most)) {
            Some((words, len)) => (start + words, start + words + len),
            None if is_whole => (end, end),
            None => return None,
        };
        // It is not known whether a line continues at the limit: a batch may end there.
        (start < words && end <= most && end < self.game.limit).then_some(Line { words, end })
    }

    /// The line of words at `start` that is a heading before the first move, and the end of the heading: all of it, or the
    /// part before a number and a move, or before a result, unless the result belongs to the heading.
    fn heading_line(&self, start: usize) -> Option<(Line, usize)> {
        let line = self.line_of_words(start)?;
        let end = match headings::is_title(self.slice(start, line.end)) {
            true => line.end,
            false => line.words,
        };
        let words = self.slice(start, end);
        let len = words::before_moves(words);
        let head = words.get(..len)?;
        let mix = words::mix(head);
        let is_heading = if mix.moves > 0 {
            // `White: Anna, board b2`. Without such a key a move is not a part of a heading.
            let is_keyed = !mix.begins_with_move && headings::has_key(head);
            is_keyed && 3 * mix.moves <= mix.prose
        } else {
            // `12. resigns` is in the place of a move.
            let is_text = (mix.prose > 0 || words::is_ruled(head)) && !states_end(head);
            is_text || Date::at_start(lex::decode(head).trim()).is_some()
        };
        is_heading.then_some((line, start + len))
    }
}

/// Whether a line is a number and a statement of the game's end: `12 resigns`.
fn states_end(line: &[u8]) -> bool {
    words::words_of(line).next().is_some_and(|(at, word)| {
        let (digits, after) = words::numbered(word);
        let rest = line.get(at + word.len() - after.len()..);
        digits > 0 && words::ending(rest.unwrap_or_default()).is_some()
    })
}

/// A line, or a part of one, that may be words: the end of the words, and the end of a result after them.
#[derive(Clone, Copy)]
struct Line {
    words: usize,
    end: usize,
}
