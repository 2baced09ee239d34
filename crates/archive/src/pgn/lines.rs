//! Reads lines of words. Before the moves they are headings, with the players, the date or the number of the game: tags
//! or comments of the following game, and never a separate game. Among the moves and after them they are comments.

use std::ops::Range;

use tridex_words::moves::is_en_passant;

use super::headings::{self, Parts, is_proper_name};
use super::items::{MOST_NAMES, comment};
use super::run::is_move;
use super::semicolons::is_glued;
use super::{Attempt, Engine, Phase, Stop};
use crate::date::Date;
use crate::item::Item;
use crate::lex::{self, escape};
use crate::visit::{Damage, GameResult, Unusual, Visitor};
use crate::words::{self, Kind};

/// The maximum length of a line of words.
const LINE: usize = 512;

/// The maximum length of several such lines.
const TAIL: usize = 4096;

impl<'a, V: Visitor + ?Sized> Engine<'a, V> {
    /// Reads the line at `start`, or the rest of it, if it is text.
    pub(super) fn line(&mut self, start: usize) -> Attempt {
        if self.is_cell || self.game.depth > 0 {
            return Ok(false);
        } else if self.game.phase == Phase::AfterResult {
            return self.words_after(start);
        }
        let (begins_line, words_to) = (self.at_line_start(start), self.game.words_to);
        // The line may also continue the last text, with only spaces between them.
        let follows_words = || lex::skip_spaces(self.bytes, words_to) == start;
        if !begins_line && (words_to == self.game.start || !follows_words()) {
            return Ok(false);
        } else if self.game.phase == Phase::Moves {
            if begins_line && self.take_players_after(start) {
                return Ok(true);
            }
            if let Some((result, from, end)) = self.result_line(start) {
                self.unusual(Unusual::Result, start, end);
                self.result(result, from, end)?;
                return Ok(true);
            }
            let is_result = || headings::stated_result(self.text_to_line_end(start)).is_some();
            if self.after_empty_line(start)
                && !is_result()
                && self.titles_from(start, false) == Some(true)
            {
                let headings = self.repeated_headings(start);
                let Some(headings) = headings.or_else(|| self.last_lines(start)) else {
                    return Err(Stop::Boundary);
                };
                for (from, to) in headings {
                    self.report_words(from, to);
                }
                return Ok(true);
            }
            return Ok(self.sentence(start, true));
        }
        let tag = lex::tag_without_bracket(self.bytes, start);
        if let Some(([name, value], end)) = tag.filter(|_| begins_line) {
            self.take_tag(name, value, end)?;
            self.game.phase = Phase::Tags;
            self.skip_damage(Damage::TagMalformed, end)?;
            return Ok(true);
        }
        let heading = self.heading_line(start);
        let is_ruled = |end| words::is_ruled(self.slice(start, end));
        let heading = heading.filter(|(_, end)| self.game.held.is_none() || is_ruled(*end));
        if let Some((_, end)) = heading {
            self.take_heading(start, end);
        }
        Ok(heading.is_some())
    }

    /// Stores a heading until it is known that a game follows. After tags a game has begun, and the heading is reported
    /// at once. A stroke may separate it from the first move.
    pub(super) fn take_heading(&mut self, start: usize, end: usize) {
        let is_loose = |b: &&u8| lex::is_blank(**b) || matches!(b, b'/' | b'|');
        let loose = self.slice(start, end).iter().rev().take_while(is_loose);
        self.game.headings.push((start, end - loose.count()));
        if self.game.begun {
            self.report_headings(false);
        }
        self.pos = end;
        self.game.words_to = end;
    }

    /// Reports the stored headings as tags and comments of the game that has begun. The first value of a tag is used,
    /// and a line that repeats one, or states a tag that is also in brackets, is a comment.
    /// `are_first`: they are those at the top.
    pub(super) fn report_headings(&mut self, are_first: bool) {
        let headings = std::mem::take(&mut self.game.headings);
        if headings.is_empty() {
            return;
        }
        let in_brackets = self.names_in_brackets();
        // `White: Anna` is more certain than a title with a dash.
        let names_players = headings
            .iter()
            .any(|(start, end)| headings::names_players(self.slice(*start, *end)));
        // A date in another line counts if no line states the date and there are no tags in brackets.
        let states_date = |(start, end): &(usize, usize)| {
            let text = lex::decode(self.slice(*start, *end));
            Parts::of(&text)
                .tags
                .iter()
                .any(|(name, _)| *name == "Date")
        };
        let mut has_date =
            !are_first || !in_brackets.is_empty() || headings.iter().any(states_date);
        for (start, end) in headings {
            let line = self.slice(start, end);
            self.unusual(Unusual::Heading, start, end);
            let text = &*lex::decode(line);
            let parts = Parts::of(text);
            // The decoded text may be longer.
            let place = |part: &str| end.min(start + headings::place_in(text, part));
            let in_brackets = |name: &str| {
                in_brackets
                    .iter()
                    .any(|known| known.eq_ignore_ascii_case(name.as_bytes()))
            };
            let is_known = |(name, _): &(&str, &str)| {
                self.game.heading_tags.contains(name) || in_brackets(name)
            };
            let is_title = names_players && parts.is_pair;
            if is_title || parts.tags.iter().any(is_known) {
                self.tell(start, comment(words::trimmed(line)));
                continue;
            }
            for (name, value) in parts.tags {
                self.game.heading_tags.push(name);
                let mut date = Date::parse(value).ok().filter(|_| name == "Date");
                if name == "Date"
                    && date.is_none()
                    && let Some(read) = Date::parse_misread(value).ok().or(Date::within(value))
                {
                    date = Some(read);
                    self.tell(place(value), comment(value.as_bytes()));
                }
                let date = date.map(|date| date.to_string());
                self.heading_tag(name, date.as_deref().unwrap_or(value), place(value));
            }
            for part in parts.rest {
                self.tell(place(part), comment(part.as_bytes()));
            }
            if !has_date && let Some(date) = Date::within(text) {
                has_date = true;
                self.game.heading_tags.push("Date");
                self.heading_tag("Date", &date.to_string(), start);
            }
        }
    }

    /// The names of the tags in brackets: those before `pos`, and those of the block of tags at `pos`.
    fn names_in_brackets(&self) -> Vec<&'a [u8]> {
        let before = self.game.tag_names.iter();
        let mut names: Vec<_> = before
            .map(|name| self.slice(name.start, name.end))
            .collect();
        let mut at = self.pos;
        while names.len() < MOST_NAMES
            && let Some((name, value)) = lex::tag_shape(self.bytes, at)
            // Bytes after the limit must not affect earlier decisions.
            && value <= self.game.limit
        {
            names.push(self.slice(name.start, name.end));
            let Some(tag) = lex::tag(self.bytes, at, || false) else {
                break;
            };
            at = lex::skip_blanks(self.bytes, tag.end);
            // Tags after an empty line may belong to the next game.
            if lex::after_empty_line(self.bytes, tag.end, at) {
                break;
            }
        }
        names
    }

    /// Reports a tag of a heading at `from`. A result is reported in standard form, and as `ResultAsWritten` if it was
    /// written in another.
    fn heading_tag(&mut self, mut name: &str, value: &str, from: usize) {
        let (at, value) = (self.at(from), value.as_bytes());
        if name == "Result" {
            let found = self.tagged(value, from, from + value.len());
            if !words::is_standard_result(value) {
                name = "ResultAsWritten";
                if let Some(result) = found {
                    self.v.tag(b"Result", result.as_str().as_bytes(), at);
                }
            }
        }
        self.v.tag(name.as_bytes(), &escape(value), at);
    }

    /// Reads words after a finished game as its comment. After an empty line they belong to the next game, except at
    /// the end of the text.
    fn words_after(&mut self, start: usize) -> Attempt {
        let is_next = self.begins_next_game(start);
        let word = self.slice(start, lex::word_end(self.bytes, start));
        let is_sign = self.bytes.get(start).is_some_and(u8::is_ascii_punctuation);
        if is_sign && !is_next && !words::is_ruled(word) {
            return Ok(false);
        }
        let is_plain = |line: &Line| {
            let is_word =
                |(_, kind): &(usize, Kind)| matches!(kind, Kind::Prose | Kind::Other | Kind::Time);
            line.words.iter().all(is_word) && line.result_end == line.end
        };
        // `1-0 FF`: the rest of the line of a result.
        if !is_next
            && !self.at_line_start(start)
            && let Some(line) = self.text_line(start).filter(is_plain)
        {
            self.report_words(start, line.end);
            return Ok(true);
        }
        if self.at_line_start(start) && self.take_players_after(start) {
            return Ok(true);
        }
        let Some((line, _)) = self.heading_line(start) else {
            return Ok(false);
        };
        let [_, moves, _] = line.count(line.end);
        if moves > 0 || headings::is_title(self.slice(start, line.result_end)) {
            return Ok(false);
        } else if is_next && self.titles_from(start, true) != Some(false) {
            return Err(Stop::Boundary);
        }
        self.report_words(start, line.end);
        Ok(true)
    }

    /// Reads the lines at `start`, which is among the moves or after them, as headings of this game, and returns whether
    /// they are. The first must name a player that nothing named before, and no move may be in them. They end with an
    /// empty line or the text. If an empty line is before them, no other game may follow.
    fn take_players_after(&mut self, start: usize) -> bool {
        let Some(lines) = self.players_after(start) else {
            return false;
        };
        for (from, to) in lines {
            let text = lex::decode(self.slice(from, to));
            match Parts::of(&text).tags.is_empty() {
                true => self.report_words(from, to),
                false => self.take_heading(from, to),
            }
        }
        true
    }

    /// The lines of [`take_players_after`](Self::take_players_after), up to a result.
    fn players_after(&self, start: usize) -> Option<Vec<(usize, usize)>> {
        let is_over = self.game.phase == Phase::AfterResult;
        let is_apart = self.after_empty_line(start);
        let is_near = self.text.len() < start + TAIL.min(self.limits.max_game);
        // If the next game may begin with this line, the line must be a title. Then it is not a part of this game if
        // it is not read here, and this game does not depend on the bytes of the next one.
        if is_apart && !is_near || !self.names_new_player(start, is_over || is_apart) {
            return None;
        }
        let mut lines = Vec::new();
        let mut at = start;
        while at < self.game.limit.min(start + TAIL).min(self.bytes.len()) {
            let word = self.slice(at, lex::word_end(self.bytes, at));
            let is_result = words::result_word(words::bare(word)).is_some();
            let is_result = is_result || !is_over && self.result_line(at).is_some();
            if is_result || lex::tag_shape(self.bytes, at).is_some() {
                // After a result that is apart from the moves the next game may begin.
                let is_last = is_result && {
                    let end = at + self.text_to_line_end(at).len();
                    lex::skip_blanks(self.bytes, end) >= self.text.len()
                };
                return (!is_over && (!is_apart || is_last)).then_some(lines);
            }
            let (line, end) = self.heading_line(at)?;
            let end = if is_over { end } else { line.end };
            if Parts::of(&lex::decode(self.slice(at, end))).is_numbered {
                return None;
            }
            lines.push((at, end));
            at = lex::skip_blanks(self.bytes, end);
            if !is_apart && lex::after_empty_line(self.bytes, end, at) {
                return Some(lines);
            }
        }
        (at >= self.text.len()).then_some(lines)
    }

    /// Whether the line at `start` names a player that neither a tag nor a heading names.
    fn names_new_player(&self, start: usize, must_be_title: bool) -> bool {
        let is_stated = |side: &str| {
            let is_in = |name: &Range<usize>| {
                let name = self.slice(name.start, name.end);
                name.eq_ignore_ascii_case(side.as_bytes())
            };
            self.game.heading_tags.contains(&side) || self.game.tag_names.iter().any(is_in)
        };
        if is_stated("White") && is_stated("Black") {
            return false;
        }
        let Some((line, end)) = self.heading_line(start) else {
            return false;
        };
        let is_over = self.game.phase == Phase::AfterResult;
        let end = if is_over { line.result_end } else { end };
        let text = lex::decode(self.slice(start, line.end));
        let parts = Parts::of(&text);
        let mut players = parts.players().peekable();
        (!must_be_title || headings::is_title(self.slice(start, end)))
            && players.peek().is_some()
            && players.all(|(side, name)| !is_stated(side) && is_proper_name(name))
    }

    /// Whether a line begins with a letter and has neither a move nor a result.
    fn is_whole(&self, start: usize, line: &Line) -> bool {
        let [_, moves, _] = line.count(line.end);
        self.bytes.get(start).is_some_and(u8::is_ascii_alphabetic)
            && moves == 0
            && line.result_end == line.end
            && self.bytes.get(line.end).is_none_or(|b| lex::is_newline(*b))
            && lex::tag_without_bracket(self.bytes, start).is_none()
    }

    /// Reads the text that begins at `start` among the moves of a game, up to the next move or number. A whole line is
    /// text if one of its words is of a language, or if it is a ruled line. A part of a line needs two such words, and
    /// they must be half of its words, because one may be a damaged move. `begins_line`: only text is before it on its
    /// line.
    pub(super) fn sentence(&mut self, start: usize, begins_line: bool) -> bool {
        let Some(line) = self.text_line(start) else {
            return false;
        };
        // `Position after 5...`
        let is_last = |at: usize| {
            let next = lex::skip_blanks(self.bytes, lex::word_end(self.bytes, at));
            let word = self.slice(next, lex::word_end(self.bytes, next));
            next > line.end && next < self.game.limit && !is_move(words::bare(word))
        };
        let is_moves = |(at, kind): &&(usize, Kind)| match kind {
            Kind::Move => true,
            Kind::Number(_, true) => !is_last(*at),
            _ => false,
        };
        let first = line.words.iter().find(is_moves);
        let end = first.map_or(line.end, |(at, _)| *at);
        let text = self.slice(start, end);
        let [words, _, prose] = line.count(end);
        // If a number ends the line before, one word is in the place of a move.
        let follows_number = || words::number_alone(self.words_before(start)[0]).is_some();
        let is_line = begins_line && end == line.end && !follows_number();
        let is_text = match is_line {
            true => prose > 0 || words::is_ruled(text) || headings::has_no_move(text),
            false => prose >= 2 && 2 * prose >= words,
        };
        if is_text {
            self.report_words(start, end);
        }
        is_text
    }

    /// Whether a title is among the lines from `start` on, up to the next empty line or, if `to_end`, up to the end of
    /// the text. `Some(false)` if the text ends without one. `None` if the empty line, or a line that is not only
    /// words, comes first, or if there are too many lines. Words alone are not a game, so no batch ends among them if a
    /// game follows.
    fn titles_from(&self, start: usize, to_end: bool) -> Option<bool> {
        if to_end && self.text.len() >= start + TAIL.min(self.limits.max_game) {
            return None;
        }
        let (mut at, mut before) = (start, start);
        while at < self.text.len().min(start + TAIL) {
            let (line, end) = self.heading_line(at)?;
            // Two lines may name a player each.
            let is_pair = !to_end && headings::is_title(self.slice(before, end));
            if is_pair || headings::is_title(self.slice(at, end)) {
                return Some(true);
            } else if !self.is_whole(at, &line) {
                return None;
            }
            (before, at) = (at, lex::skip_blanks(self.bytes, line.end));
            if !to_end && lex::after_empty_line(self.bytes, line.end, at) {
                return None;
            }
        }
        (at >= self.text.len()).then_some(false)
    }

    /// The headings from `start` on, if they are those of the next page of the same game: they state nothing that the
    /// headings before the moves do not state, and the next move has the number after the highest one.
    fn repeated_headings(&self, start: usize) -> Option<Vec<(usize, usize)>> {
        let last = self.game.highest / 2;
        if last == 0 {
            return None;
        }
        let is_border = |b: &u8| *b == b'|' || lex::is_blank(*b);
        let head = self.slice(self.game.start, self.game.moves_from);
        let head = lex::decode(head).to_lowercase();
        let mut headings = Vec::new();
        let mut at = start;
        while at < self.game.limit.min(start + TAIL).min(self.bytes.len()) {
            let near = self.slice(at, self.bytes.len().min(at + LINE));
            let number = at + near.iter().take_while(|b| is_border(b)).count();
            let word = self.slice(number, lex::word_end(self.bytes, number));
            if let Some((half, _)) = words::half_moves(word) {
                // Black's move may be on the next page.
                let is_next = half == 2 * last + 2 || half == 2 * last + 1;
                return is_next.then_some(headings);
            }
            let (_, end) = self.heading_line(at)?;
            let line = lex::decode(self.slice(at, end));
            let parts = Parts::of(&line);
            let is_stated = |text: &str| head.contains(&text.to_lowercase());
            let number = parts.rest.first().filter(|_| parts.is_numbered);
            let mut values = parts.tags.iter().map(|(_, value)| value);
            if !values.all(|value| is_stated(value)) || !number.is_none_or(|text| is_stated(text)) {
                return None;
            }
            headings.push((at, end));
            at = lex::skip_blanks(self.bytes, end);
        }
        None
    }

    /// The rest of a line, without the blanks at its end.
    pub(super) fn text_to_line_end(&self, start: usize) -> &[u8] {
        let near = self.slice(
            start,
            self.bytes.len().min(self.game.limit).min(start + LINE),
        );
        near.get(..lex::line_end(near, 0))
            .unwrap_or_default()
            .trim_ascii_end()
    }

    /// The rest of a line, without the blanks at its end. `None` if bytes after the limit of the game might belong to it.
    pub(super) fn whole_line(&self, start: usize) -> Option<&[u8]> {
        let near = self.slice(
            start,
            self.bytes.len().min(self.game.limit).min(start + LINE),
        );
        let line = near.get(..lex::line_end(near, 0))?;
        let end = start + line.len();
        let is_last = end == self.bytes.len() && end < self.game.limit;
        (line.len() < near.len() || is_last).then(|| line.trim_ascii_end())
    }

    /// Reads the label of a row with the moves of one player, if it names the player: `White (Ann): a4W 0-0`. The moves
    /// may be on the next line.
    pub(super) fn row_label(&mut self, start: usize) -> bool {
        let is_possible = matches!(self.game.phase, Phase::Between | Phase::Tags | Phase::Moves)
            && self.game.depth == 0
            && !self.is_cell
            && self.at_line_start(start);
        let Some(end) = is_possible.then(|| self.label_end(start)).flatten() else {
            return false;
        };
        let next = lex::skip_blanks(self.bytes, end);
        let word_end = lex::word_end(self.bytes, next);
        let (word, between) = (self.slice(next, word_end), self.slice(end, next));
        let is_row = lex::line_breaks(between) <= 1
            && word_end < self.game.limit
            && (is_move(words::bare(word)) || words::number_alone(word).is_some());
        if is_row {
            self.take_heading(start, end);
        }
        is_row
    }

    /// The end of the label of a row of moves at `start`, which names a player: that of a line, or its colon.
    fn label_end(&self, start: usize) -> Option<usize> {
        /// The longest label.
        const LONGEST: usize = 80;
        let line = self.text_to_line_end(start);
        let near = line.get(..LONGEST).unwrap_or(line);
        let colon = memchr::memchr(b':', near)?;
        let label = lex::decode(line.get(..=colon)?);
        if headings::player_of_label(&label).is_some() {
            return Some(start + colon + 1);
        }
        // `White: Ann` above the second row.
        let is_above = self.game.phase == Phase::Moves && self.game.highest == 0;
        (is_above && self.names_new_player(start, false)).then_some(start + line.len())
    }

    /// The end of the line at `start` if it is the number of a page: `Page 2`, `- 2 -`, `2/3`. A number alone is one if it
    /// is not the next move's and the next line begins with that.
    pub(super) fn page_number(&self, start: usize) -> Option<usize> {
        /// The longest line with the number of a page.
        const LONGEST: usize = 24;
        let may_begin = |b: u8| b.is_ascii_digit() || b >= 0x80 || b"-~*[pPsS".contains(&b);
        let first = *self.bytes.get(start)?;
        if !may_begin(first) || self.is_cell || self.game.depth > 0 || !self.at_line_start(start) {
            return None;
        }
        let line = self.text_to_line_end(start);
        let end = start + line.len();
        if line.len() > LONGEST || end >= self.game.limit {
            return None;
        }
        let text = std::str::from_utf8(line).ok()?;
        if headings::is_page(text) {
            return Some(end);
        }
        let (number, is_marked) = headings::page_number(text)?;
        let next = lex::skip_blanks(self.bytes, end);
        let word_end = lex::word_end(self.bytes, next);
        let next = words::half_moves(self.slice(next, word_end));
        let next = next.filter(|_| word_end < self.game.limit);
        let expected = self.game.highest / 2 + 1;
        let is_expected =
            |(half, _): (u32, usize)| half / 2 == expected || half + 1 == 2 * expected;
        let has_numbers = self.game.highest > 0 && self.game.phase == Phase::Moves;
        let is_page = match next {
            Some(next) if has_numbers && is_expected(next) => true,
            _ => is_marked && !(has_numbers && number == expected),
        };
        is_page.then_some(end)
    }

    /// Reports the number of a page as a comment.
    pub(super) fn take_page(&mut self, start: usize, end: usize) {
        if matches!(self.game.phase, Phase::Between | Phase::Tags) {
            return self.take_heading(start, end);
        }
        self.unusual(Unusual::Remark, start, end);
        self.tell(start, comment(self.slice(start, end)));
        (self.pos, self.game.words_to) = (end, end);
    }

    /// The result of a line after the moves that states nothing else, and where it begins and ends: `Result: 1-0`.
    fn result_line(&self, start: usize) -> Option<(GameResult, usize, usize)> {
        let line = self.text_to_line_end(start);
        let value = headings::stated_result(line)?;
        let result = words::result_text(value)?;
        let end = start + line.len();
        Some((result, end - value.len(), end))
    }

    /// The lines from `start` to the end of the text, if all of them are headings or remarks. No game follows them, so they
    /// belong to the game before them, such as the signatures of the players.
    fn last_lines(&self, start: usize) -> Option<Vec<(usize, usize)>> {
        if self.text.len() >= start + TAIL.min(self.limits.max_game) {
            return None;
        }
        let mut lines = Vec::new();
        let mut at = start;
        while at < self.text.len() {
            let (_, end) = self.heading_line(at)?;
            lines.push((at, end));
            at = lex::skip_blanks(self.bytes, end);
        }
        Some(lines)
    }

    /// Reports words as a comment, and how the game ended if they state it.
    pub(super) fn report_words(&mut self, start: usize, end: usize) {
        let text = words::trimmed(self.slice(start, end));
        let said = headings::stated_result(text).unwrap_or(text);
        let ending = words::ending(said).filter(|_| self.game.phase == Phase::Moves);
        if let Some(mut ending) = ending {
            ending.result = ending.result.or_else(|| self.resigned(start));
            self.game.implied = ending.result.map(|result| (result, start));
            let at = self.at(start);
            self.v.ending(text, ending, at);
        } else {
            self.unusual(Unusual::Prose, start, start + text.len());
        }
        self.tell(start, Item::Comment(text));
        self.pos = end;
        self.game.words_to = end;
    }

    /// The line at `start`, or the rest of it, if it may be text. It must not be too long, must be within the limit of
    /// the game, and must not begin with a move, a move number, or anything that belongs to the move before.
    fn text_line(&self, start: usize) -> Option<Line> {
        let near = self.slice(
            start,
            self.bytes.len().min(self.game.limit).min(start + LINE),
        );
        let text = near.get(..lex::line_end(near, 0))?;
        let (mut end, mut result_end) = (start + text.len(), None);
        let is_last = end == self.bytes.len() && end < self.game.limit;
        let mut is_certain = text.len() < near.len() || is_last;
        let (mut words, mut close) = (Vec::new(), None);
        for (word, kind) in words::words(text) {
            let is_stop = match kind {
                Kind::Result(_) => true,
                Kind::Sign(b'(') => {
                    close = words::closing_parenthesis(text, word.start);
                    close.is_none()
                }
                Kind::Sign(b')') => close != Some(word.start),
                // A semicolon in a sentence follows a word; one after a blank begins a comment.
                Kind::Sign(b';') => !is_glued(text, word.start),
                Kind::Sign(sign) => sign != b'"',
                _ => false,
            };
            if is_stop {
                // The text after a result may be part of another game and must not affect this one.
                result_end = matches!(kind, Kind::Result(_)).then_some(start + word.end);
                is_certain |= result_end.is_none() || word.end < text.len();
                end = start + word.start;
                break;
            }
            words.push((start + word.start, kind));
        }
        let (first, kind) = *words.first()?;
        let is_move = match kind {
            Kind::Move | Kind::Number(_, true) => true,
            Kind::Number(_, false) => {
                // `12 resigns` is in the place of a move.
                let from = lex::word_end(self.bytes, first);
                words::ending(self.slice(from, end)).is_some()
            }
            _ => {
                let word = self.slice(first, lex::word_end(self.bytes, first));
                is_en_passant(word) || words::is_etc(word)
            }
        };
        let result_end = result_end.unwrap_or(end);
        (is_certain && !is_move).then_some(Line {
            words,
            end,
            result_end,
        })
    }

    /// The end of the line at `start`, if it is text without a move and a result.
    pub(super) fn plain_line(&self, start: usize) -> Option<usize> {
        let line = self.text_line(start)?;
        let [_, moves, _] = line.count(line.end);
        (moves == 0 && line.result_end == line.end).then_some(line.end)
    }

    /// The line at `start` that is a heading before the first move, and the end of the heading. The heading ends before
    /// a move or after a result that belongs to it.
    fn heading_line(&self, start: usize) -> Option<(Line, usize)> {
        let line = self.text_line(start)?;
        if headings::begins_with_date(self.slice(start, line.end)) {
            let end = line.end;
            return Some((line, end));
        }
        let is_title = headings::is_title(self.slice(start, line.result_end));
        let end = if is_title { line.result_end } else { line.end };
        let numbered = line.words.windows(2).find_map(|pair| match pair {
            [(at, Kind::Number(_, true)), (_, Kind::Move)] => Some(*at),
            _ => None,
        });
        let end = numbered.unwrap_or(end);
        let head = self.slice(start, end);
        let [_, moves, prose] = line.count(end);
        // `White: Anna, board b2`. Without such a key a move is not a part of a heading.
        let is_text = match moves {
            0 => prose > 0 || words::is_ruled(head) || headings::has_no_move(head),
            _ => 3 * moves <= prose && headings::has_key(head),
        };
        let is_heading = is_text || Date::at_start(lex::decode(head).trim()).is_some();
        is_heading.then_some((line, end))
    }
}

/// A line, or the rest of one, that may be text.
struct Line {
    /// Where its words begin, and their kinds.
    words: Vec<(usize, Kind)>,
    /// The end of the text: a line end, a comment, brackets with moves, or a result.
    end: usize,
    /// The end of the result after it.
    result_end: usize,
}

impl Line {
    /// The numbers of words, moves, and words of a language before `end`.
    fn count(&self, end: usize) -> [usize; 3] {
        let words = self.words.iter().take_while(|(at, _)| *at < end);
        let count = |is: fn(&Kind) -> bool| words.clone().filter(|(_, kind)| is(kind)).count();
        [
            count(|kind| !matches!(kind, Kind::Sign(_))),
            count(|kind| *kind == Kind::Move),
            count(|kind| *kind == Kind::Prose),
        ]
    }
}
