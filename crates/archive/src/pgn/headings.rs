//! Headings: lines before the moves with the players, the date or the number of the game. They become tags or comments
//! of the following game, and are never a separate game.

mod parts;

use tridex_words::moves::{is_en_passant, looks_like_move};

use super::{Engine, Phase, Stop};
use crate::date::Date;
use crate::lex::{self, escape};
use crate::visit::{Damage, Unusual, Visitor};
use crate::words;

/// The maximum length of a line of words.
const LINE: usize = 512;

/// The maximum length of several such lines.
const TAIL: usize = 4096;

impl Engine<'_> {
    /// Reads the line at `pos`, or the rest of it, as a heading, if it is one and is before the first move.
    #[inline(never)]
    pub(super) fn heading<V: Visitor + ?Sized>(&mut self, v: &mut V) -> bool {
        let start = self.pos;
        let is_before = !self.is_cell && !self.is_among_moves() && self.game.depth == 0;
        if !is_before || self.game.held.is_some() || !self.begins_words(start) {
            return false;
        }
        let Some(line) = self.line_of_words(start) else {
            return false;
        };
        let Some(len) = self.heading_len(start, line) else {
            return false;
        };
        self.take_heading(v, start, start + len);
        // A slash may separate it from the first move.
        while matches!(self.bytes.get(self.pos), Some(b' ' | b'\t' | b'/' | b'|')) {
            self.pos += 1;
        }
        true
    }

    /// Whether a number that ends at `end` may be a day: `12 July`, `2.1.2004`. A move number is followed by a blank
    /// and a move.
    #[inline(always)]
    pub(super) fn may_be_date(&self, end: usize) -> bool {
        match (self.bytes.get(end.wrapping_sub(1)), self.bytes.get(end)) {
            (Some(b'.'), Some(next)) => next.is_ascii_digit(),
            (Some(b'0'..=b'9'), Some(b' ' | b'\t')) => {
                let next = lex::skip_spaces(self.bytes, end);
                let word = self.bytes.get(next..next + 2).unwrap_or_default();
                word.iter().all(|b| b.is_ascii_alphabetic() || *b >= 0x80)
            }
            _ => false,
        }
    }

    /// Stores a heading until it is known that a game follows. After tags a game has begun, and the heading is reported
    /// at once.
    pub(super) fn take_heading<V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        start: usize,
        end: usize,
    ) {
        if self.game.begun {
            self.report_heading(v, start, end, &mut Vec::new());
        } else {
            self.game.headings.push((start, end));
        }
        self.pos = end;
        self.game.words_to = end;
    }

    /// Reports the stored headings as tags and comments of the game that has begun.
    #[inline(never)]
    pub(super) fn report_headings<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        let mut tags = Vec::new();
        for (start, end) in std::mem::take(&mut self.game.headings) {
            self.report_heading(v, start, end, &mut tags);
        }
    }

    /// Reports one heading. `known` are the tags of the headings before it: the first value of a tag is used, and a line
    /// that repeats one is a comment.
    fn report_heading<V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        start: usize,
        end: usize,
        known: &mut Vec<&'static str>,
    ) {
        let line = self.slice(start, end);
        self.unusual(v, Unusual::Heading, start, end);
        let parts = parts::Parts::of(line);
        if self.game.has_tags || parts.tags.iter().any(|tag| known.contains(&tag.name)) {
            v.comment(words::trimmed(line), self.at(start));
            return;
        }
        for tag in parts.tags {
            known.push(tag.name);
            let (mut name, value) = (tag.name, tag.value(line));
            let (from, to) = (start + tag.place.start, start + tag.place.end);
            if name == "Result" {
                let found = words::result_text(&value);
                self.game.tagged = self.game.tagged.or(found);
                if !words::is_standard_result(&value) {
                    // The words are stored too, and the result is reported in standard form.
                    name = "ResultAsWritten";
                    match found.map(|found| found.as_str().as_bytes()) {
                        Some(result) => v.tag(b"Result", result, self.at(from)),
                        None => self.damage(v, Damage::BadResult, from, to),
                    }
                }
            }
            v.tag(name.as_bytes(), &escape(&value), self.at(from));
        }
        for rest in parts.rest {
            let at = self.at(start + rest.start);
            v.comment(line.get(rest).unwrap_or_default(), at);
        }
    }

    /// Reports headings without a following game.
    pub(super) fn drop_headings<V: Visitor + ?Sized>(&mut self, v: &mut V) {
        for (start, end) in std::mem::take(&mut self.game.headings) {
            self.damage(v, Damage::StrayWord, start, end);
        }
    }

    /// Reports words at `pos`, after a finished game, as its comment. False if they belong to the next game, or are not
    /// words.
    #[inline(never)]
    pub(super) fn words_after<V: Visitor + ?Sized>(&mut self, v: &mut V) -> bool {
        let start = self.pos;
        if self.game.phase != Phase::AfterResult {
            return false;
        }
        let Some(end) = self.plain_words(start) else {
            return false;
        };
        if lex::after_empty_line(self.bytes, self.game.start, start) && !self.ends_in_words(start) {
            return false;
        }
        self.report_words(v, start, end);
        true
    }

    /// The end of the words of a line from `start` on, up to its end or a result, if they are not a title.
    fn plain_words(&self, start: usize) -> Option<usize> {
        let line = self.line_of_words(start)?;
        let len = self.heading_len(start, line)?;
        let is_whole = start + len == line.words;
        (is_whole && !parts::is_title(self.slice(start, line.end))).then_some(line.words)
    }

    /// Whether only a few lines of words, without a title, follow up to the end of the text. Such lines alone are not a
    /// game, so no batch ends among them while a game follows.
    fn ends_in_words(&self, start: usize) -> bool {
        let most = TAIL.min(self.max_game);
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
        let word_end = lex::word_end(self.bytes, start + 1);
        let word = self.slice(start, word_end);
        word.first().is_some_and(u8::is_ascii_alphabetic)
            && !words::is_etc(word)
            && !is_en_passant(word)
            && self.bytes.get(end).is_none_or(|b| lex::is_newline(*b))
            && lex::tag_without_bracket(self.bytes, start).is_none()
    }

    /// Reads the line at `pos` if it is text that does not begin with a letter: `14 mins left each`, `# White Black`,
    /// `=====`.
    #[inline(always)]
    pub(super) fn text_line<V: Visitor + ?Sized>(&mut self, v: &mut V) -> Option<Option<Stop>> {
        let before = self.slice(self.game.start, self.pos).last();
        if self.is_cell || self.game.depth > 0 || before.is_some_and(|b| !lex::is_blank(*b)) {
            return None;
        }
        self.text_line_rare(v)
    }

    #[inline(never)]
    fn text_line_rare<V: Visitor + ?Sized>(&mut self, v: &mut V) -> Option<Option<Stop>> {
        let start = self.pos;
        if !lex::at_line_start(self.bytes, self.game.start, start, true)
            || self.begins_with_number(start)
            || !self.may_be_text(start)
        {
            return None;
        }
        match self.game.phase {
            Phase::Between | Phase::Tags => self.heading(v).then_some(None),
            Phase::Moves => self.line_within(v, start),
            // A mark belongs to the game, except before text after an empty line, which belongs to the next game.
            Phase::AfterResult if self.begins_next_game(start) => {
                let (_, [from, to]) = self.first_words(start);
                words::is_text(self.slice(from, to)).then_some(Some(Stop::Boundary))
            }
            Phase::AfterResult | Phase::Pending => None,
        }
    }

    /// `12.` is a move number in every line.
    fn begins_with_number(&self, start: usize) -> bool {
        let line = self.bytes.get(start..).unwrap_or_default();
        let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
        digits > 0 && lex::dot_len(line, digits) > 0
    }

    /// Whether a line is worth examining: neither its first nor its second word may be a move.
    fn may_be_text(&self, start: usize) -> bool {
        let (first, second) = self.first_words(start);
        ![first, second]
            .into_iter()
            .any(|[from, to]| looks_like_move(self.slice(from, to)))
    }

    /// The first two words of a line.
    fn first_words(&self, start: usize) -> ([usize; 2], [usize; 2]) {
        let first = lex::word_end(self.bytes, start + 1);
        let next = lex::skip_spaces(self.bytes, first);
        let second = lex::word_end(self.bytes, next);
        ([start, first], [next, second])
    }

    /// Reads the line at `start`, among the moves of a game, which begins with a word that is not a move.
    #[inline(never)]
    pub(super) fn line_within<V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        start: usize,
    ) -> Option<Option<Stop>> {
        if lex::after_empty_line(self.bytes, self.game.start, start) && self.begins_titles(start) {
            return Some(Some(Stop::Boundary));
        }
        let end = self.text_end(start, true)?;
        self.report_words(v, start, end);
        Some(None)
    }

    /// The end of the text that begins at `start` among the moves of a game. `begins_line`: only text is before it on
    /// its line.
    pub(super) fn text_end(&self, start: usize, begins_line: bool) -> Option<usize> {
        let line = self.line_of_words(start)?;
        let line = self.slice(start, line.words);
        if begins_line && Self::states_end(line) {
            return None;
        }
        // One word after a number on the line before is in the place of a move.
        let is_whole = begins_line && !self.follows_number(start);
        words::text_len(line, is_whole).map(|len| start + len)
    }

    /// Whether a line is a number and a statement of the game's end: `12 resigns`.
    fn states_end(line: &[u8]) -> bool {
        words::words_of(line).next().is_some_and(|first| {
            let (digits, after) = words::numbered(first.text);
            let rest = line.get(first.at + first.text.len() - after.len()..);
            digits > 0 && words::ending(rest.unwrap_or_default()).is_some()
        })
    }

    /// Whether one of the lines from `start` on, up to the next empty one, is a title, and those before it are words.
    pub(super) fn begins_titles(&self, start: usize) -> bool {
        let mut at = start;
        let mut player = None;
        while at < start + TAIL
            && let Some(line) = self.line_of_words(at)
            && let Some(len) = self.heading_len(at, line)
        {
            let text = self.slice(at, at + len);
            let before = std::mem::replace(&mut player, parts::player_of(text));
            if parts::is_title(text) || before.is_some() && player.is_some() && before != player {
                return true;
            }
            if at + len != line.words || !self.is_whole_line(at, line.end) {
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
    pub(super) fn report_words<V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        start: usize,
        end: usize,
    ) {
        let text = words::trimmed(self.slice(start, end));
        let ending = words::ending(text).filter(|_| self.game.phase == Phase::Moves);
        if let Some(ending) = ending.map(|ending| self.ending_at(ending, start)) {
            self.game.implied = ending.result().map(|result| (result, start));
            v.ending(text, ending, self.at(start));
        } else {
            self.unusual(v, Unusual::Prose, start, end);
        }
        if self.live() {
            v.comment(text, self.at(start));
        }
        self.pos = end;
        self.game.words_to = end;
    }

    /// Whether words may begin at `start`: at the start of a line, or after other words of the line.
    pub(super) fn begins_words(&self, start: usize) -> bool {
        lex::at_line_start(self.bytes, self.game.start, start, true)
            || self.game.words_to > self.game.start
                && lex::skip_spaces(self.bytes, self.game.words_to) == start
    }

    /// The line, or the rest of it, at `start`, if it may be text: not too long, and wholly within the limit of the
    /// game. It ends at comments, tags and brackets, and after its first result: the text after a result may be part of
    /// another game and must not affect this one.
    fn line_of_words(&self, start: usize) -> Option<Line> {
        let reach = (start + LINE).min(self.bytes.len());
        let near = self.slice(start, reach);
        // A semicolon in a sentence follows a word; one after a blank begins a comment.
        let mut before = b' ';
        // Brackets without moves are part of the line.
        let mut inside = 0..0;
        let mut is_end = |(n, b): (usize, &u8)| {
            let before = std::mem::replace(&mut before, *b);
            if *b == b'(' {
                let close = self.words_in_brackets(start + n);
                let close = close.filter(|close| {
                    let text = self.slice(start + n, *close);
                    *close < self.game.limit && !text.iter().any(|b| lex::is_newline(*b))
                });
                inside = close.map_or(n..n, |close| n..close + 1 - start);
            }
            b"\n\r{}[]$".contains(b)
                || b"()".contains(b) && !inside.contains(&n)
                || *b == b';' && lex::is_blank(before)
        };
        let (end, is_whole) = match near.iter().enumerate().position(&mut is_end) {
            Some(n) => (start + n, true),
            None => (reach, reach < start + LINE),
        };
        let most = end.min(self.game.limit);
        let (words, end) = match self.first_result(start, most) {
            Some((words, end)) => (words, end),
            None if is_whole => (end, end),
            None => return None,
        };
        // It is not known whether a line continues at the limit: a batch may end there.
        (start < words && end <= most && end < self.game.limit).then_some(Line { words, end })
    }

    /// The first result of a line.
    fn first_result(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        let mut at = start;
        while at < end {
            let skipped = lex::high_blank(self.bytes, at).max(lex::dot_len(self.bytes, at));
            let begins = |&b: &u8| lex::in_word(b) || b >= 0x80;
            if skipped > 0 || !self.bytes.get(at).is_some_and(begins) {
                at += skipped.max(1);
                continue;
            }
            if let Some(len) = words::leading_result(self.slice(at, end)) {
                return Some((at, at + len));
            }
            let to = lex::word_end(self.bytes, at);
            let word = self.slice(at, to);
            // A result may be directly after a number.
            let digits = word.iter().take_while(|b| b.is_ascii_digit()).count();
            at = match word.get(digits) {
                Some(b'.' | b':' | b'/') if digits > 0 => at + digits + 1,
                Some(0x80..) if lex::dot_len(self.bytes, at + digits) > 0 => at + digits,
                _ => to.max(at + 1),
            };
        }
        None
    }

    /// The length of the heading in a line before the first move: all of it, or the part before a number and a move, or
    /// before a result, unless the result belongs to the heading. `None` if the line is not a heading.
    fn heading_len(&self, start: usize, line: Line) -> Option<usize> {
        let whole = self.slice(start, line.end);
        let end = if parts::is_title(whole) {
            line.end
        } else {
            line.words
        };
        let line = self.slice(start, end);
        let len = words::before_moves(line);
        let head = line.get(..len)?;
        let mix = words::mix(head);
        if mix.moves > 0 {
            // `White: Anna, board b2`. Without such a key a move is not a part of a heading.
            let is_keyed = !mix.begins_with_move && parts::has_key(head);
            return (is_keyed && 3 * mix.moves <= mix.prose).then_some(len);
        }
        // `12. resigns` is in the place of a move.
        let is_text = (mix.prose > 0 || words::is_ruled(head)) && !Self::states_end(head);
        (is_text || Date::at_start(lex::decode(head).trim()).is_some()).then_some(len)
    }
}

/// A line, or a part of one, that may be words: the end of the words, and the end of a result after them.
#[derive(Clone, Copy)]
struct Line {
    words: usize,
    end: usize,
}
