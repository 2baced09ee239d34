//! Reads words: numbers, results, marks, times, ends of games, and moves. Every word that is nothing else is a move.

use tridex_words::{moves, plain_letter, plain_letters};

use super::run::{is_move, known};
use super::{Attempt, Engine, Phase, Step, Stop};
use crate::interner::{Known, TokenId};
use crate::item::Item;
use crate::lex;
use crate::unread::{is_pass, is_unrecorded};
use crate::visit::{Damage, GameResult, Unusual, Visitor};
use crate::words::{self, Kind};

/// The most numbers of a row above moves.
const MOST_IN_ROW: usize = 200;

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
        if self.game.phase == Phase::AfterResult
            && self.game.depth == 0
            && !self.is_cell
            && self.at_line_start(start)
            && self.is_next_row(start)
        {
            self.game.phase = Phase::Moves;
            self.game.has_early_result = true;
        }
        let mut word_end = lex::word_end(self.bytes, start);
        let mut word = self.slice(start, word_end);
        // In `a4W|d6N` the stroke is the border of a column.
        if let Some(border) = memchr::memchr(b'|', word) {
            word_end = start + border.max(1);
            word = self.slice(start, word_end);
        }
        if (self.is_in_run() || self.game.held.is_some())
            && matches!(known(self.words, word), Known::Move(_))
        {
            return self.move_word(start, word_end);
        }
        if !word.is_ascii() && self.lookalike(start, word_end)? {
            return Ok(());
        }
        if word.starts_with(b":") && self.smiley(start) {
            return Ok(());
        }
        if word == b"--" && self.begins_signature(start, word_end) {
            self.unusual(Unusual::Separator, start, word_end);
            self.pos = word_end;
            return Ok(());
        }
        if let Some(page) = self.page_number(start) {
            self.take_page(start, page);
            return Ok(());
        }
        if let Some(end) = self
            .emoticon(start, word_end)
            .or(self.footnote(start, word))
        {
            self.report_words(start, end);
            return Ok(());
        }
        let (kind, end) = words::word_at(self.bytes, start, word_end, self.game.limit);
        if kind == Kind::Prose
            && let Some((castling, end)) = self.castling_in_words(start)
        {
            if !self.gate(start, end)? {
                self.begin_moves(start);
                self.unusual(Unusual::Castling, start, end);
                self.pos = end;
                self.report_move(castling, start);
            }
            return Ok(());
        }
        if matches!(kind, Kind::Number(_, true)) {
            return self.move_number(start, end);
        } else if self.is_number_with_dash(start, word_end) {
            return self.move_number(start, word_end - 1);
        } else if self.row_label(start) || self.line(start)? {
            return Ok(());
        }
        // The text after a result may be part of the next game.
        let is_over = match self.game.phase {
            Phase::AfterResult => self.game.depth == 0,
            phase => phase == Phase::Pending,
        };
        // The border after a result in the last cell of a row.
        let is_border = word == b"|" && !self.at_line_start(start);
        let decoration = self.decoration(start, word_end);
        let decoration = decoration.filter(|_| !is_over || is_border);
        if let Some(end) = decoration {
            if self.game.has_moves {
                self.unusual(Unusual::Separator, start, end);
            }
            self.pos = end;
            return Ok(());
        } else if self.game.has_moves
            && let Some((inside, end)) = words::crossed_out(self.bytes, start, self.game.limit)
        {
            self.unusual(Unusual::Deleted, start, end);
            return self.keep_text(start, end, self.slice(inside.start, inside.end));
        } else if self.is_last_zero(word, word_end) {
            return self.result(GameResult::BothLost, start, word_end);
        }
        match kind {
            Kind::Number(..) => self.move_number(start, end),
            Kind::Result(result) => {
                // A comment preserves the form of a result such as `+:-`.
                let is_sign = word.starts_with(b"+") || word.starts_with(b"-");
                if is_sign && self.game.depth == 0 && self.game.phase == Phase::Moves {
                    self.tell(start, Item::Comment(word));
                }
                let is_misread = word.iter().any(u8::is_ascii_alphabetic);
                if is_sign || is_misread || end > word_end {
                    self.unusual(Unusual::Result, start, end);
                }
                self.result(result, start, end)
            }
            Kind::Time if self.follows_move() => self.clock(start, end, words::bare(word)),
            Kind::Prose if self.game.has_moves && is_unrecorded(word) => {
                self.move_word(start, word_end)
            }
            _ if self.game.depth > 0 && is_pass(word) => self.move_word(start, word_end),
            Kind::Other | Kind::Prose
                if self.mark(start)? || self.words_within(start, end, kind) =>
            {
                Ok(())
            }
            _ if !is_over && words::is_sign(word) => {
                if self.game.depth == 0 && !self.game.begun {
                    // A comment of the game, if one follows.
                    self.game.headings.push((start, word_end));
                } else if self.live() {
                    self.damage(Damage::StrayWord, start, word_end);
                }
                self.keep_text(start, word_end, word)
            }
            _ => self.move_word(start, end),
        }
    }

    /// Castling in words at `start`, as a move, and its end. In a sentence the words are no move.
    fn castling_in_words(&self, start: usize) -> Option<(&'static [u8], usize)> {
        let is_possible = self.is_among_moves() && self.bytes.get(start)?.is_ascii_alphabetic();
        let found = is_possible.then(|| words::castling_in_words(self.bytes, start));
        let (castling, end) = found.flatten()?;
        let next = words::words(self.text_to_line_end(end)).next();
        let is_sentence = next.is_some_and(|(_, kind)| kind == Kind::Prose);
        let is_remark = || self.game.depth == 0 && self.remark_end(start, Kind::Prose).is_some();
        (end < self.game.limit && !is_sentence && !is_remark()).then_some((castling, end))
    }

    /// The end of a face made of signs, whose bracket opens or closes nothing: `:(`, `:-)`.
    fn emoticon(&self, start: usize, end: usize) -> Option<usize> {
        let is_face = matches!(self.slice(start, end), b":" | b":-" | b":'");
        let bracket = self.slice(end, end + 2);
        let is_apart = matches!(bracket, [b'(' | b')', after] if lex::is_blank(*after));
        let is_here = self.game.phase == Phase::Moves && self.game.depth == 0 && !self.is_cell;
        let is_inside = is_here && !self.at_line_start(start);
        (is_face && is_apart && is_inside && end + 1 < self.game.limit).then_some(end + 1)
    }

    /// The end of a line that begins with an asterisk, if it refers to a note and is not the end of the game: words
    /// follow on the line, and the next line has the next number.
    fn footnote(&self, start: usize, word: &[u8]) -> Option<usize> {
        let is_here = self.game.phase == Phase::Moves && self.game.depth == 0 && !self.is_cell;
        if word != b"*" || !is_here || self.at_line_start(start) {
            return None;
        }
        let line = self.whole_line(start)?;
        let end = start + line.len();
        let note = line.get(1..).unwrap_or_default();
        let has_moves = words::words(note).any(|(_, kind)| kind == Kind::Move);
        let next = lex::skip_blanks(self.bytes, end);
        let next_end = lex::word_end(self.bytes, next);
        let next = words::half_moves(self.slice(next, next_end));
        let is_next = next.is_some_and(|(half, _)| half / 2 == self.game.highest / 2 + 1);
        let is_note = words::has_prose(note) && !has_moves;
        (is_note && is_next && next_end < self.game.limit).then_some(end)
    }

    /// Reads a smiley at the start of a line, and the words after it, as a comment: `:) thanks`.
    fn smiley(&mut self, start: usize) -> bool {
        let near = self.slice(start, self.game.limit.min(start + 3));
        let smileys = [&b":)"[..], b":-)", b":(", b":-("];
        let smiley = smileys.into_iter().find(|smiley| near.starts_with(smiley));
        let is_possible =
            self.game.begun && !self.is_cell && self.game.depth == 0 && self.at_line_start(start);
        let Some(smiley) = smiley.filter(|_| is_possible) else {
            return false;
        };
        let from = start + smiley.len();
        let from = lex::skip_spaces(self.bytes, from);
        let end = self.plain_line(from).unwrap_or(from);
        self.report_words(start, end);
        true
    }

    /// Whether a word is the line of two dashes above the signature of a letter, and not a move that was not recorded.
    fn begins_signature(&self, start: usize, end: usize) -> bool {
        let next = lex::skip_blanks(self.bytes, end);
        let word_end = lex::word_end(self.bytes, next);
        let word = self.slice(next, word_end);
        self.game.depth == 0
            && !self.is_cell
            && self.at_line_start(start)
            && self
                .bytes
                .get(lex::skip_spaces(self.bytes, end))
                .is_some_and(|b| lex::is_newline(*b))
            && word_end < self.game.limit
            && words::is_text(word)
    }

    /// Whether a word is the number of the move after it, with a dash: `12-`.
    fn is_number_with_dash(&self, start: usize, end: usize) -> bool {
        let [digits @ .., b'-'] = self.slice(start, end) else {
            return false;
        };
        let is_number =
            matches!(digits, [b'1'..=b'9', ..]) && digits.iter().all(u8::is_ascii_digit);
        let next = lex::skip_spaces(self.bytes, end);
        is_number && is_move(self.slice(next, lex::word_end(self.bytes, next)))
    }

    /// The end of a word that is only part of the layout: the border of a column, `>` or `-` at the start of a line,
    /// the `#` of `#12`, the dash of `12 -`, `W:` before a move.
    fn decoration(&self, start: usize, end: usize) -> Option<usize> {
        let word = self.slice(start, end);
        let is_dash = moves::dash_len(word) == word.len();
        let is_bullet = word == b">" || word == "\u{2022}".as_bytes() || is_dash;
        let follows_number = || words::number_alone(self.words_before(start)[0]).is_some();
        if matches!(word, b"|" | b"/" | b"\\")
            || is_bullet && self.at_line_start(start)
            || is_dash && follows_number()
        {
            return Some(end);
        } else if let [b'#', digits @ ..] = word
            && words::number_alone(digits).is_some()
        {
            return Some(start + 1);
        }
        let label = word.strip_suffix(b":");
        // `White a4W 0-0`, `White | a4W | 0-0`
        let before = self.slice(self.game.start, start).iter().rev();
        let mut before = before.skip_while(|b| matches!(b, b' ' | b'\t' | b'|'));
        let is_bare = label.is_none() && before.next().is_none_or(|b| lex::is_newline(*b));
        let side = label.or(is_bare.then_some(word)).and_then(words::side)?;
        let mut next = self.next_word(end)?;
        if is_bare && self.bytes.get(next) == Some(&b'|') {
            next = self.next_word(next + 1)?;
        } else if is_bare && word.len() == 1 {
            // A letter alone is how a program names the side of each move.
            return None;
        }
        let next = self.slice(next, lex::word_end(self.bytes, next));
        // `White: 1. a4W 2. 0-0`
        let is_number = || {
            let can_be_row = label.is_some() && self.game.depth == 0 && !self.is_cell;
            can_be_row
                && self.at_line_start(start)
                && next.ends_with(b".")
                && words::half_moves(next).is_some()
        };
        let is_before_move = is_move(words::bare(next)) || is_number();
        (is_before_move && !side.is_empty()).then_some(end)
    }

    /// Reports a result, unless the game already has one or there is no game. A result in a variation is reported as a
    /// word.
    pub(super) fn result(&mut self, result: GameResult, start: usize, end: usize) -> Step {
        let word = self.slice(start, end);
        self.pos = end;
        let is_inside = self.game.depth > 0;
        match self.game.phase {
            // The variation is skipped.
            Phase::Between | Phase::Tags if is_inside => {}
            Phase::Moves | Phase::Pending if is_inside => {
                let standard = result.as_str().as_bytes();
                // In a table `0,5-0,5` might be read as two cells.
                let word = if word.contains(&b',') { standard } else { word };
                // Alone in its parentheses the word would be read as the result of the game when the game is read
                // again.
                match self.game.has_just_opened {
                    true => self.tell(start, Item::Comment(word)),
                    false => self.tell(start, Item::Word(word)),
                }
                // The last of several results may also be that of the game.
                self.game.phase = Phase::Pending;
                self.game.stated = Some((result, start));
            }
            Phase::AfterResult => {
                self.damage(Damage::StrayResult, start, end);
                return self.keep_text(start, end, word);
            }
            Phase::Between => self.damage(Damage::StrayResult, start, end),
            Phase::Moves if self.game.has_early_result => {
                self.game.phase = Phase::AfterResult;
                if self.game.stated.is_none_or(|(stated, _)| stated != result) {
                    self.damage(Damage::StrayResult, start, end);
                    return self.keep_text(start, end, word);
                }
            }
            Phase::Tags | Phase::Moves | Phase::Pending => {
                self.open_game(start);
                self.game.held = None;
                self.game.phase = Phase::AfterResult;
                self.game.stated = Some((result, start));
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

    /// Reads the number from `start` to `end`, and a parenthesis after it: `12)`, `12.)`.
    fn move_number(&mut self, start: usize, mut end: usize) -> Step {
        let text = self.slice(start, end);
        let is_bare = text.iter().all(u8::is_ascii_digit);
        if !is_bare && words::is_misread_number(text) {
            self.unusual(Unusual::Number, start, end);
        }
        let is_closed = self.bytes.get(end) == Some(&b')');
        if is_closed && (self.game.depth == 0 || is_bare && self.game.parenthesis_numbers) {
            self.game.parenthesis_numbers |= is_bare;
            end += 1;
        }
        if self.gate(start, end)? {
            return Ok(());
        }
        if !self.is_among_moves() {
            self.hold_number(start, end);
        } else if self.slice(start, end) == b"1."
            && self.game.phase == Phase::Moves
            && self.game.depth == 0
            && !self.is_cell
            && self.after_empty_line(start)
        {
            return Err(Stop::Boundary);
        } else {
            self.report_number(start, end);
        }
        self.pos = end;
        Ok(())
    }

    /// Stores a number until a move follows. Those of a row of numbers are stored together.
    fn hold_number(&mut self, start: usize, end: usize) {
        let before = self.game.held.replace((start, end));
        let bytes = self.bytes;
        let half_moves = |(from, to)| words::number_alone(bytes.get(from..to)?);
        let follows = before.and_then(half_moves).map(|half| half + 2);
        match before.filter(|_| follows == half_moves((start, end))) {
            Some(before) if self.game.held_row.len() < MOST_IN_ROW => {
                self.game.held_row.push(before)
            }
            _ => self.game.held_row.clear(),
        }
    }

    fn report_number(&mut self, start: usize, end: usize) {
        let (number, at) = (self.slice(start, end), self.at(start));
        if self.live() {
            let half_moves = words::number_alone(number).unwrap_or(0);
            if self.game.depth == 0 {
                self.game.highest = self.game.highest.max(half_moves);
            }
            self.v.move_number(number, at, half_moves);
        }
    }

    /// Whether the line at `start` is another row of columns side by side, after a row that ended with the result. Its
    /// number follows the first number of that row, which has a higher one too.
    fn is_next_row(&self, start: usize) -> bool {
        /// The maximum length of a row.
        const ROW: usize = 256;
        let is_border = |b: &&[u8]| !b.is_empty() && *b != b"|";
        let numbers = |line: &[u8]| -> Vec<u32> {
            let words = line.split(|b| lex::is_blank(*b)).filter(is_border);
            let number = |word: &[u8]| words::half_moves(word).map(|(half, _)| half);
            words.filter_map(number).collect()
        };
        let from = start.saturating_sub(ROW).max(self.game.start);
        let line_start = |at: usize| {
            let before = self.slice(from, at);
            from + memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1)
        };
        let this = line_start(start);
        let row_end = self.slice(from, this).trim_ascii_end().len() + from;
        if self.after_empty_line(start) || row_end == this {
            return false;
        }
        let row = numbers(self.slice(line_start(row_end), row_end));
        let near = self.slice(
            start,
            self.bytes.len().min(self.game.limit).min(start + ROW),
        );
        let next = numbers(near.get(..lex::line_end(near, 0)).unwrap_or_default());
        let expected = row.first().map(|first| first + 2);
        next.first().copied() == expected && row.iter().any(|half| Some(*half) > expected)
    }

    /// Prepares for a move or a number from `start` to `end`. Returns true if it was skipped, or read as text.
    pub(super) fn gate(&mut self, start: usize, end: usize) -> Attempt {
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
                    return self.line(start)?.then_some(true).ok_or(Stop::Boundary);
                }
            }
            // A move or number after a finished game begins the next one.
            Phase::AfterResult if !is_inside && !self.is_cell => return Err(Stop::Boundary),
            _ => {}
        }
        Ok(false)
    }

    /// Reads the word from `start` to `end`, and what belongs to it, as a move.
    fn move_word(&mut self, start: usize, mut end: usize) -> Step {
        while let Some(to) = self.part_after(end) {
            end = to;
        }
        if self.game.phase != Phase::Moves {
            if self.gate(start, end)? {
                return Ok(());
            }
            self.begin_moves(start);
        }
        self.pos = end;
        self.report_move(self.slice(start, end), start);
        Ok(())
    }

    /// Reports a move at `start`. Evaluations that touch it are reported after it, as separate items.
    pub(super) fn report_move(&mut self, word: &[u8], start: usize) {
        if !self.live() {
            return;
        }
        let (mut token, mut signs) = (word, &[][..]);
        let mut id = known(self.words, token);
        if !matches!(id, Known::Move(_)) {
            token = moves::without_stops(word);
            (token, signs) = token.split_at(moves::without_evaluations(token));
            id = known(self.words, token);
        }
        let id = match id {
            Known::Move(id) | Known::Other(id) => id,
            Known::Number(_) => TokenId::NONE,
        };
        let at = self.at(start);
        self.game.has_just_opened = false;
        if self.game.depth == 0 {
            // A move follows, so the words before it did not state the end of the game.
            self.game.implied = None;
        }
        self.v.move_token(token, at, id);
        let mut place = start + token.len();
        while let Some((nag, length)) = moves::evaluation(signs) {
            self.tell(place, Item::Nag(nag));
            signs = signs.get(length..).unwrap_or_default();
            place += length;
        }
    }

    /// Reads a word with letters that look like plain ones, as a move, as a number, or as both: `１．ａ４Ｗ`. Returns false
    /// if it is neither.
    #[cold]
    fn lookalike(&mut self, start: usize, end: usize) -> Attempt {
        let word = self.slice(start, end);
        let Some(plain) = plain_letters(word) else {
            return Ok(false);
        };
        let number = words::half_moves(&plain).filter(|(_, length)| {
            *length == plain.len() || !plain.get(length - 1).is_some_and(u8::is_ascii_digit)
        });
        let (half_moves, length) = number.unwrap_or_default();
        let (number, rest) = plain.split_at(length);
        if !rest.is_empty() && !is_move(rest) {
            return Ok(false);
        }
        let is_first = number == b"1." && self.game.phase == Phase::Moves && self.game.depth == 0;
        if is_first && !self.is_cell && self.after_empty_line(start) {
            return Err(Stop::Boundary);
        }
        if self.gate(start, end)? {
            return Ok(true);
        }
        self.begin_moves(start);
        self.unusual(Unusual::Lookalike, start, end);
        self.pos = end;
        if self.live() && !number.is_empty() {
            let at = self.at(start);
            self.v.move_number(number, at, half_moves);
        }
        if !rest.is_empty() {
            // The move begins after the letters of the number.
            let text = lex::decode(word);
            let visible = |(_, c): &(usize, char)| plain_letter(*c) != Some(None);
            let mut letters = text.char_indices().filter(visible);
            let from = letters.nth(length).map_or(0, |(at, _)| at);
            self.report_move(self.slice(start + from, end), start + from);
        }
        Ok(true)
    }

    /// Opens the moves of the game before its first move, and reports the number before it.
    pub(super) fn begin_moves(&mut self, start: usize) {
        if self.is_among_moves() {
            return;
        }
        self.game.phase = Phase::Moves;
        self.game.has_moves = true;
        let row = std::mem::take(&mut self.game.held_row);
        let held = self.game.held.take();
        let row = row.into_iter().filter(|_| held.is_some()).chain(held);
        let row: Vec<_> = row.collect();
        self.game.moves_from = row.first().map_or(start, |(from, _)| *from);
        self.open_game(self.game.moves_from);
        for (from, to) in row {
            self.report_number(from, to);
        }
    }

    /// The end of the part of a move after `end`, if there is one.
    fn part_after(&self, end: usize) -> Option<usize> {
        /// The maximum number of bytes inside the brackets of a part, including the closing one.
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
            let after = inside + close + 1;
            let word_end = lex::word_end(self.bytes, after);
            let touches = next == end;
            // The words of ` (Q)Anna` do not belong to a move.
            let is_glued =
                || touches || !moves::is_prose(&lex::decode(self.slice(after, word_end)));
            let is_part = moves::is_bracketed_part(near.get(..close)?, touches) && is_glued();
            return is_part.then_some(word_end);
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
    pub(super) fn aside(&mut self, start: usize, end: usize, item: Item<&[u8]>) -> Step {
        if self.game.has_moves {
            self.tell(start, item);
        } else if self.game.depth == 0 && !self.game.begun {
            // A comment of the game, if one follows.
            self.game.headings.push((start, end));
        } else if self.game.depth == 0 {
            self.damage(Damage::StrayWord, start, end);
            return self.keep_text(start, end, self.slice(start, end));
        }
        self.pos = end;
        Ok(())
    }

    /// Reads a mark: `!`, `+`, `+-`, `e.p.`, `etc.`, `ch`, `dis ch`, `mate`, `draw?`.
    fn mark(&mut self, start: usize) -> Attempt {
        let Some(((mark, form), end)) = words::mark_at(self.bytes, start, self.game.limit) else {
            return Ok(false);
        };
        if let Some(form) = form {
            // Words such as `check` also occur in sentences, so they are only marks after a move.
            if !moves::is_draw_offer(self.slice(start, end)) && !self.follows_move() {
                return Ok(false);
            }
            self.unusual(form, start, end);
        }
        self.aside(start, end, mark)?;
        Ok(true)
    }

    /// Whether text at `pos` may be about a move before it: there is one, and the game is not over, except in a
    /// variation after the result.
    fn follows_move(&self) -> bool {
        let is_over = self.game.phase == Phase::AfterResult && self.game.depth == 0;
        self.game.has_moves && !is_over
    }

    /// Reports text in unusual form.
    pub(super) fn unusual(&mut self, what: Unusual, start: usize, end: usize) {
        let (text, at) = (self.slice(start, end), self.at(start));
        if self.live() {
            self.v.unusual(what, text, at);
        }
    }

    /// Reports a time as the clock time of the move before it.
    pub(super) fn clock(&mut self, start: usize, end: usize, time: &[u8]) -> Step {
        self.unusual(Unusual::Time, start, end);
        self.aside(start, end, Item::Comment(&words::clock(time)))
    }

    /// Reads text among the moves that does not begin a line: the end of the game, `sealed`, or a few words.
    fn words_within(&mut self, start: usize, end: usize, kind: Kind) -> bool {
        if self.game.phase != Phase::Moves || self.game.depth > 0 {
            return false;
        }
        let known = self.known_end(start, end);
        let known = known.or_else(|| self.remark_end(start, kind));
        if let Some(end) = known {
            self.report_words(start, end);
        }
        known.is_some() || kind == Kind::Prose && !self.is_cell && self.sentence(start, false)
    }

    /// The end of a known comment that begins with the word from `start` to `end`: `remis`, `Black resigns`, `sealed`.
    fn known_end(&self, start: usize, end: usize) -> Option<usize> {
        if words::is_remark(self.slice(start, end)) {
            return Some(end);
        }
        let next_end = |end: &usize| {
            let next = self
                .next_word(*end)
                .filter(|next| *next < self.game.limit)?;
            let first = self.bytes.get(next)?;
            let is_letter = first.is_ascii_alphabetic() || *first >= 0x80;
            is_letter.then(|| lex::word_end(self.bytes, next))
        };
        let ends = std::iter::successors(Some(end), next_end).take(8);
        let end = ends
            .filter(|end| words::ending(self.slice(start, *end)).is_some())
            .last()?;
        // `Black resigned before ...` is the beginning of a sentence.
        let rest = self.text_to_line_end(end);
        let next = words::words(rest).next();
        let is_sentence = next.is_some_and(|(word, kind)| word.start > 0 && kind == Kind::Prose);
        (!is_sentence).then_some(end)
    }

    /// The end of a remark that begins among moves, in the middle of a line: `2. a4N b5B a good idea`. Both players have moved
    /// before it, or it is between their moves. It reaches to the next number or result, or to the next move.
    fn remark_end(&self, start: usize, kind: Kind) -> Option<usize> {
        /// The greatest distance of the number before it.
        const NEAR: usize = 160;
        if self.is_cell || self.at_line_start(start) {
            return None;
        }
        let near = self.slice(start.saturating_sub(NEAR).max(self.game.moves_from), start);
        let line = near.rsplit(|b| lex::is_newline(*b)).next()?;
        let (mut number, mut before) = (None, 0);
        for (is_first, _, kind) in moves_in(line) {
            match kind {
                Kind::Number(half, true) => (number, before) = (Some(half), 0),
                Kind::Move => before += usize::from(is_first),
                Kind::Prose | Kind::Other | Kind::Time => {}
                Kind::Number(..) | Kind::Result(_) | Kind::Sign(_) => return None,
            }
        }
        let expected = match number {
            Some(half) if half & 1 == 1 => 1,
            _ => 2,
        };
        let rest = self.whole_line(start)?;
        let (mut moves, mut prose, mut first_move, mut end) = (0, 0, None, rest.len());
        for (is_first, word, kind) in moves_in(rest) {
            match kind {
                Kind::Number(_, true) | Kind::Result(_) => {
                    end = word.start;
                    break;
                }
                Kind::Sign(sign) if sign != b'"' && sign != b')' => {
                    end = word.start;
                    break;
                }
                Kind::Move => {
                    moves += usize::from(is_first);
                    first_move = first_move.or(Some(word.start));
                }
                Kind::Prose => prose += 1,
                _ => {}
            }
        }
        let trimmed = |end: usize| {
            let text = self.slice(start, start + end).trim_ascii_end();
            (!text.is_empty()).then(|| start + text.len())
        };
        let is_whole = before >= expected
            && match number {
                // A sign alone, such as that of a footnote, or words.
                Some(_) => moves <= prose,
                None => before == expected && moves == 0 && prose > 0,
            };
        match first_move {
            _ if is_whole => trimmed(end),
            // `2. a4N good b5B`
            Some(place)
                if number.is_some() && kind == Kind::Prose && before + moves == expected =>
            {
                trimmed(place)
            }
            _ => None,
        }
    }

    /// The result if the player to move at `at` resigns. The side to move is known if the last word is a move number,
    /// or a move after a number.
    pub(super) fn resigned(&self, at: usize) -> Option<GameResult> {
        let [last, second] = self.words_before(at).map(words::number_alone);
        let is_black = last.map(|half_moves| half_moves & 1 == 1);
        let is_black = is_black.or(second.map(|half_moves| half_moves & 1 == 0));
        is_black.map(|is_black| match is_black {
            true => GameResult::White,
            false => GameResult::Black,
        })
    }

    /// Reports a game without a result whose record may be truncated before `at`: its moves end with the number of the
    /// next move, or a tag states a result. Several numbers in a row belong to a printed form, and are not reported.
    pub(super) fn truncated(&mut self, at: usize) {
        // If a part of the text was dropped, its last words do not belong to the game.
        if self.game.phase != Phase::Moves || self.game.lost.is_some() {
            return;
        }
        let text = self.slice(self.game.start, at);
        let blanks = text.iter().rev().take_while(|b| lex::is_blank(**b)).count();
        let end = at - blanks;
        let [last, second] = self.words_before(end);
        let number = words::number_alone(last).map(|_| end - last.len());
        let number = number.filter(|number| self.game.words_to <= *number);
        let is_form = words::number_alone(second).is_some();
        let states_result = |result| result != GameResult::Unknown;
        if let Some(number) = number.filter(|_| !is_form) {
            self.damage(Damage::EndsInNumber, number, end);
        } else if !self.game.first_tag.is_empty() && self.game.tagged.is_some_and(states_result) {
            self.damage(Damage::NoResult, end, end);
        }
    }

    /// The last two words shortly before `at`, the last first.
    pub(super) fn words_before(&self, at: usize) -> [&'a [u8]; 2] {
        let near = self.slice(at.saturating_sub(64).max(self.game.start), at);
        let words = near.rsplit(|b| lex::is_blank(*b));
        let mut words = words.filter(|word| !word.is_empty());
        [(); 2].map(|()| words.next().unwrap_or_default())
    }
}

/// The words of a text, each with whether a move begins with it: `b4, WB` and `b4N - b5B` are one move.
fn moves_in(text: &[u8]) -> impl Iterator<Item = (bool, std::ops::Range<usize>, Kind)> {
    let mut is_joined = false;
    words::words(text).map(move |(word, kind)| {
        let is_first = kind == Kind::Move && !is_joined;
        let here = text.get(word.clone()).unwrap_or_default();
        is_joined = here.ends_with(b",") || moves::is_joint(here);
        (is_first, word, kind)
    })
}
