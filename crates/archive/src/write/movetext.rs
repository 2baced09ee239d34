//! Fast code: if move numbers are formatted by `format!`, converting takes 22 % longer. Writes movetext in lines, item by item.

use std::borrow::Cow;

use crate::game::{Game, Item};
use crate::lex::{PARAGRAPH, fold, paragraphs};
use crate::pgn::semicolons::may_be_moves;
use crate::words::{has_prose, is_ruled, is_text};
use tridex_words::moves::is_unfinished;

/// The maximum of characters in a line.
const WIDTH: usize = 79;

/// The movetext of one game after another, in lines or on one line, with move numbers.
///
/// ```
/// use tridex_archive::{Item, write::Movetext};
///
/// let mut movetext = Movetext::on_one_line();
/// movetext.begin(12, true);
/// movetext.push(Item::Move("b5B"));
/// movetext.push(Item::Nag(1));
/// movetext.push(Item::Move("c3W"));
/// assert_eq!(movetext.finish(Some("1-0")), b"12... b5B $1 13. c3W 1-0");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Movetext {
    out: Vec<u8>,
    /// The maximum length of a line. Without it everything is on one line, and escape lines become comments.
    width: Option<usize>,
    /// Characters in the last line of `out`.
    column: usize,
    /// The start of the last word, to which a `)` may still be added; `None` if a line end follows it.
    last: Option<usize>,
    /// The start and end of the last move number, which stays on one line with its move.
    number: (usize, usize),
    /// Parentheses to open before the next word.
    prefix: usize,
    /// Twice the number of the next move, plus one for Black's.
    ply: u64,
    /// Whether Black's next move needs a number too.
    interrupted: bool,
    /// `ply` at the beginning of each open variation.
    open: Vec<u64>,
    /// Whether the first move was added.
    has_moves: bool,
    /// The items before the first move, which become a comment, and the number of open variations in it.
    before: String,
    depth: usize,
    /// For a score sheet, whose main line has no numbers: `ply` and the text of each cell.
    cells: Option<Vec<(u64, String)>>,
}

impl Movetext {
    /// Movetext in lines under 80 characters.
    pub fn in_lines() -> Self {
        Self {
            width: Some(WIDTH),
            ..Self::default()
        }
    }

    /// Movetext on one line. Escape lines become comments.
    pub fn on_one_line() -> Self {
        Self::default()
    }

    /// Returns the cells of a game in a score sheet, at least one. Each has twice the number of its move, plus one for
    /// Black's, and its text.
    pub(super) fn cells(game: &Game<'_>) -> Vec<(u64, String)> {
        let mut movetext = Self {
            cells: Some(Vec::new()),
            ..Self::default()
        };
        movetext.game(game);
        movetext.finish(None);
        movetext.end_cell();
        movetext.cells.unwrap_or_default()
    }

    /// Begins a game whose first move has this number.
    pub fn begin(&mut self, number: u32, is_black: bool) {
        self.out.clear();
        *self = Self {
            out: std::mem::take(&mut self.out),
            width: self.width,
            ply: u64::from(number.max(1)) * 2 + u64::from(is_black),
            interrupted: true,
            cells: self.cells.take(),
            ..Self::default()
        };
    }

    /// Begins a game and adds its items. Its `FEN` tag gives the first move number.
    pub(super) fn game(&mut self, game: &Game<'_>) {
        let fen = game.tag("FEN").unwrap_or_default();
        let mut fields = fen.split_ascii_whitespace();
        let is_black = fields.nth(1) == Some("b");
        let number = fields.last().and_then(|field| field.parse::<u32>().ok());
        self.begin(number.unwrap_or(1), is_black);
        game.items().for_each(|item| self.push(item.as_deref()));
    }

    /// Adds a move whose text is the first `length` of some ASCII letters, and the evaluation mark after it.
    #[inline]
    pub fn push_letters(&mut self, letters: &[u8; 32], length: usize, judgement: &[u8]) {
        if self.depth > 0 {
            let text = [letters.get(..length).unwrap_or_default(), judgement].concat();
            return self.push(Item::Move(&String::from_utf8_lossy(&text)));
        }
        self.begin_move();
        self.letters(letters, length);
        if !judgement.is_empty() {
            self.lengthen(judgement);
        }
    }

    /// Adds an item. Before the first move, items that belong to a move - marks, draw offers, words, variations - are
    /// written as comments, so that they can be read again.
    pub fn push(&mut self, item: Item<&str>) {
        match item {
            _ if !self.has_moves && self.push_before(item) => {}
            Item::Move(text) => {
                self.begin_move();
                // Two words of a language in a row would be read as text, and a part of a move and the next word would
                // be read as one move. A number separates them.
                let mut words = text.split(' ');
                self.interrupted =
                    words.any(|word| is_text(word.as_bytes())) || is_unfinished(text.as_bytes());
                self.token(text);
            }
            Item::Word(text) => self.token(text),
            Item::Nag(nag) => self.word(&format!("${nag}")),
            Item::DrawOffer => self.word("(=)"),
            Item::VariationStart => {
                self.open.push(self.ply);
                self.ply = self.ply.saturating_sub(1).max(2);
                self.interrupted = true;
                self.prefix += 1;
            }
            Item::VariationEnd => {
                // An unmatched `)` is omitted.
                if let Some(ply) = self.open.pop() {
                    self.ply = ply;
                    self.interrupted = true;
                    self.close();
                }
            }
            Item::Comment(text) => self.comment(text),
            Item::LineComment(text) => self.line_comment(text),
            Item::Escape(text) => self.escape(text),
        }
    }

    /// Adds an item before the first move to a comment. Returns false if the item needs no comment.
    #[cold]
    fn push_before(&mut self, item: Item<&str>) -> bool {
        let text = match item {
            Item::Move(_)
            | Item::Comment(_)
            | Item::LineComment(_)
            | Item::Escape(_)
            | Item::VariationEnd
                if self.depth == 0 =>
            {
                return false;
            }
            Item::Move(text) | Item::Word(text) => text,
            Item::Comment(text) | Item::LineComment(text) | Item::Escape(text) => {
                &format!("({})", fold(Cow::Borrowed(text)))
            }
            Item::Nag(nag) => &format!("${nag}"),
            Item::DrawOffer => "(=)",
            Item::VariationStart => {
                self.depth += 1;
                "("
            }
            Item::VariationEnd => {
                self.depth -= 1;
                ")"
            }
        };
        let is_first = self.before.is_empty() || self.before.ends_with('(');
        if !is_first && !matches!(item, Item::VariationEnd) {
            self.before.push(' ');
        }
        self.before.push_str(text);
        if self.depth == 0 {
            self.end_before();
        }
        true
    }

    /// Writes the items before the first move, which form a comment.
    fn end_before(&mut self) {
        let closing = ")".repeat(std::mem::take(&mut self.depth));
        let text = std::mem::take(&mut self.before) + &closing;
        if !text.is_empty() {
            self.comment(&text.replace('{', "(").replace('}', ")"));
        }
    }

    /// Closes the open variations, and ends the game with its result if it has one. The text is valid until the next
    /// game begins.
    pub fn finish(&mut self, result: Option<&str>) -> &[u8] {
        self.end_before();
        while !self.open.is_empty() {
            self.push(Item::VariationEnd);
        }
        self.word(result.unwrap_or_default());
        &self.out
    }

    /// Counts a move, and writes its number if it is White's or does not follow a move directly.
    #[inline]
    fn begin_move(&mut self) {
        let is_black = self.ply % 2 == 1;
        if self.cells.is_some() && self.open.is_empty() {
            // The cell of the first move also has the items before it.
            if self.has_moves {
                self.end_cell();
            }
        } else if !is_black || self.interrupted {
            self.number(self.ply / 2, if is_black { 3 } else { 1 });
        }
        self.ply += 1;
        self.interrupted = false;
        self.has_moves = true;
    }

    /// Ends the cell of the last move, or that of the first if there are no moves.
    fn end_cell(&mut self) {
        let ply = self.ply - u64::from(self.has_moves);
        let text = String::from_utf8_lossy(&self.out).into_owned();
        self.cells.get_or_insert_default().push((ply, text));
        self.out.clear();
        self.column = 0;
    }

    /// Begins a word of `length` characters: writes a blank or a line end before it, and the parentheses that it opens.
    #[inline]
    fn part(&mut self, length: usize) {
        let length = length + self.prefix;
        if self.column > 0 {
            let fits = self.fits(length) || self.takes_number(self.out.len());
            self.out.push(if fits { b' ' } else { b'\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.last = Some(self.out.len());
        for _ in 0..std::mem::take(&mut self.prefix) {
            self.out.push(b'(');
        }
        self.column += length;
    }

    /// Whether the line has room for a blank and `length` characters.
    #[inline]
    fn fits(&self, length: usize) -> bool {
        let needed = self.column + 1 + length;
        self.width.is_none_or(|width| needed <= width)
    }

    /// Returns whether a move number ends at an offset. If so, moves it to the next line.
    #[cold]
    fn takes_number(&mut self, end: usize) -> bool {
        let (start, number_end) = self.number;
        if number_end != end || end == 0 {
            return false;
        }
        self.break_before(start);
        true
    }

    /// Changes the blank before a word into the end of a line.
    fn break_before(&mut self, start: usize) {
        if let Some(gap) = start.checked_sub(1).and_then(|gap| self.out.get_mut(gap))
            && *gap == b' '
        {
            *gap = b'\n';
            self.column = characters(self.out.get(start..).unwrap_or_default());
        }
    }

    /// Adds a word in the place of a move. A word of a language may exceed the width: alone on the next line it would
    /// be read as text.
    fn token(&mut self, text: &str) {
        let (width, bytes) = (self.width, text.as_bytes());
        // A token may have two words: `July e.p.`.
        if self.column > 0
            && !self.fits(characters(bytes) + self.prefix)
            && (has_prose(bytes) || is_ruled(bytes))
        {
            self.width = None;
        }
        self.word(text);
        self.width = width;
    }

    /// Adds a word.
    fn word(&mut self, text: &str) {
        if !text.is_empty() {
            self.part(characters(text.as_bytes()));
            self.out.extend_from_slice(text.as_bytes());
        }
    }

    /// Adds the first `length` of some ASCII letters. It copies all of them and truncates, which needs no loop.
    #[inline]
    fn letters<const N: usize>(&mut self, letters: &[u8; N], length: usize) {
        self.part(length);
        let end = self.out.len() + length.min(N);
        self.out.extend_from_slice(letters);
        self.out.truncate(end);
    }

    /// Adds a number with its dots.
    #[inline]
    fn number(&mut self, number: u64, dots: usize) {
        let digit = |ten: u64| b'0' + (number / ten % 10) as u8;
        if number < 1000 {
            let letters = [digit(100), digit(10), digit(1), b'.', b'.', b'.', 0, 0];
            let zeros = usize::from(number < 10) + usize::from(number < 100);
            let letters = (u64::from_le_bytes(letters) >> (8 * zeros)).to_le_bytes();
            self.letters(&letters, 3 - zeros + dots);
        } else {
            let dots = "...".get(..dots).unwrap_or_default();
            self.word(&format!("{number}{dots}"));
        }
        self.number = (self.last.unwrap_or_default(), self.out.len());
    }

    /// Appends ASCII letters to the last word, and moves that word to the next line if it no longer fits.
    fn lengthen(&mut self, letters: &[u8]) {
        let Some(last) = self.last else {
            return;
        };
        self.out.extend_from_slice(letters);
        self.column += letters.len();
        if self.width.is_some_and(|width| self.column > width)
            && (last == 0 || !self.takes_number(last - 1))
        {
            self.break_before(last);
        }
    }

    fn close(&mut self) {
        self.lone_prefix();
        if self.last.is_some() {
            self.lengthen(b")");
        } else {
            self.word(")");
        }
    }

    /// Writes open parentheses as a word if no word follows them directly.
    fn lone_prefix(&mut self) {
        if self.prefix > 0 {
            self.part(0);
        }
    }

    fn comment(&mut self, text: &str) {
        let text = paragraphs(Cow::Borrowed(text));
        if text.contains('}') {
            // A comment in braces cannot contain `}`.
            return self.line_comment(&text);
        }
        self.interrupted = true;
        let text = format!("{{{text}}}");
        let mut rest = &*text;
        while let Some((paragraph, next)) = rest.split_once(PARAGRAPH) {
            self.paragraph(paragraph);
            rest = next;
            self.out.extend_from_slice(PARAGRAPH.as_bytes());
            self.column = 0;
        }
        self.paragraph(rest);
    }

    /// Adds a comment, or a paragraph of one, which may be divided into lines.
    fn paragraph(&mut self, text: &str) {
        let mut from = 0;
        for at in memchr::memchr_iter(b' ', text.as_bytes()) {
            // A line end is read as one space, so only a single space may become one. Text that looks like a tag or an
            // escape line must not be at the start of a line.
            let before = text.get(..at).unwrap_or_default();
            let after = text.get(at + 1..).unwrap_or_default();
            // A command such as `[%clk 0:05:00]` stays on one line. Those of tridex have longer texts.
            let part = text.get(from..at).unwrap_or_default();
            let command = part.rfind("[%").and_then(|start| part.get(start..));
            let is_command = command
                .is_some_and(|command| !command.contains(']') && !command.starts_with("[%tridex"));
            if before.ends_with([' ', '\t'])
                || after.starts_with([' ', '\t', '[', '%'])
                || is_command
            {
                continue;
            }
            self.word(text.get(from..at).unwrap_or_default());
            from = at + 1;
        }
        self.word(text.get(from..).unwrap_or_default());
    }

    fn line_comment(&mut self, text: &str) {
        let is_blank = text.trim().is_empty() || text.trim_start().starts_with(';');
        let is_blank_after_bracket = self.prefix > 0 && is_blank;
        if is_blank_after_bracket || may_be_moves(text.as_bytes()) {
            // Within a line the semicolon would be a separator.
            self.lone_prefix();
            self.newline();
        }
        self.whole_line(";", text);
    }

    fn escape(&mut self, text: &str) {
        if self.width.is_none() {
            return self.comment(&format!("%{text}"));
        }
        self.lone_prefix();
        self.newline();
        self.whole_line("%", text);
    }

    /// Adds text that extends to the end of its line, and the sign before it.
    fn whole_line(&mut self, sign: &str, text: &str) {
        self.interrupted = true;
        self.word(&[sign, &fold(Cow::Borrowed(text))].concat());
        self.newline();
    }

    fn newline(&mut self) {
        if self.column > 0 {
            self.out.push(b'\n');
            self.column = 0;
        }
        self.last = None;
    }
}

/// The number of characters of a text in UTF-8.
fn characters(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}
