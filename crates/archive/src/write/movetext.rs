//! Writes movetext in lines, item by item.

use std::borrow::Cow;

use crate::game::{Game, Item};
use crate::lex::fold;
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
    /// In lines; else everything is on one line, without escape lines.
    is_in_lines: bool,
    /// The start of the last word, to which a `)` may still be added, its characters, and those of its line before it, with
    /// the blank.
    last: usize,
    length: usize,
    column: usize,
    /// The last word may not move to the next line.
    is_bound: bool,
    /// Parentheses to open before the next word.
    prefix: usize,
    /// Twice the number of the next move, and one for Black.
    ply: u64,
    /// Black's move needs a number too.
    interrupted: bool,
    /// `ply` at the beginning of each open variation.
    open: Vec<u64>,
    /// Whether the first move was added.
    has_moves: bool,
    /// A comment of items before the first move, and the number of its open variations.
    before: String,
    depth: usize,
    /// For a score sheet, whose main line has no numbers: `ply` and the text of each cell.
    cells: Option<Vec<(u64, String)>>,
}

impl Movetext {
    /// Movetext in lines under 80 characters.
    pub fn in_lines() -> Self {
        Self {
            is_in_lines: true,
            ..Self::default()
        }
    }

    /// Movetext on one line, without escape lines.
    pub fn on_one_line() -> Self {
        Self::default()
    }

    /// The cells of a game in a score sheet, at least one: twice its number, and one for Black, and its text.
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
            is_in_lines: self.is_in_lines,
            ply: u64::from(number.max(1)) * 2 + u64::from(is_black),
            interrupted: true,
            cells: self.cells.take(),
            ..Self::default()
        };
    }

    /// Begins a game, whose move numbers begin with that of its `FEN` tag, and adds its items.
    pub(super) fn game(&mut self, game: &Game<'_>) {
        let fen = game.tag("FEN").unwrap_or_default();
        let mut fields = fen.split_ascii_whitespace();
        let is_black = fields.nth(1) == Some("b");
        let number = fields.last().and_then(|field| field.parse::<u32>().ok());
        self.begin(number.unwrap_or(1), is_black);
        game.items().for_each(|item| self.push(item.as_deref()));
    }

    /// Adds a move that is already written: the first `length` of some ASCII letters, and the evaluation mark after it.
    #[inline]
    pub fn push_letters(&mut self, letters: &[u8; 32], length: usize, judgement: &[u8]) {
        if self.depth > 0 {
            let text = [letters.get(..length).unwrap_or_default(), judgement].concat();
            return self.push(Item::Move(&String::from_utf8_lossy(&text)));
        }
        self.begin_move();
        self.begin_word();
        let end = self.out.len() + length.min(letters.len());
        // Copying all of them and truncating takes no loop.
        self.out.extend_from_slice(letters);
        self.out.truncate(end);
        self.out.extend_from_slice(judgement);
        self.length += length + judgement.len();
    }

    /// Adds an item. Items before the first move that belong to a move - marks, draw offers, words, variations - are
    /// written as comments, so that they can be read again.
    pub fn push(&mut self, item: Item<&str>) {
        match item {
            _ if !self.has_moves && self.push_before(item) => {}
            Item::Move(text) => {
                self.begin_move();
                // Two words of a language in a row would be read as text, and a part of a move with the next word as one
                // move; a number separates them.
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

    /// Adds an item before the first move to a comment; false if it needs none.
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
        if !self.is_at_start() {
            self.end_word();
        }
        &self.out
    }

    /// Counts a move, and writes its number if it is White's or does not follow a move directly.
    #[inline]
    fn begin_move(&mut self) {
        let is_black = self.ply % 2 == 1;
        if self.cells.is_some() && self.open.is_empty() {
            // Items before the first move are in its cell.
            if self.has_moves {
                self.end_cell();
            }
        } else if !is_black || self.interrupted {
            self.number(self.ply / 2, if is_black { "..." } else { "." });
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

    /// Begins a word: writes a blank and the parentheses that open before it.
    #[inline]
    fn begin_word(&mut self) {
        if !self.is_at_start() {
            self.end_word();
            self.out.push(b' ');
        }
        (self.last, self.length) = (self.out.len(), self.prefix);
        for _ in 0..std::mem::take(&mut self.prefix) {
            self.out.push(b'(');
        }
    }

    /// Ends the last word, which moves to the next line if there is no room for it.
    #[inline]
    fn end_word(&mut self) {
        self.column += self.length + 1;
        let is_bound = std::mem::take(&mut self.is_bound);
        if self.column > WIDTH + 1
            && self.is_in_lines
            && !is_bound
            && let Some(gap) = self.last.checked_sub(1).and_then(|at| self.out.get_mut(at))
        {
            (*gap, self.column) = (b'\n', self.length + 1);
        }
    }

    /// Whether nothing is in the last line.
    fn is_at_start(&self) -> bool {
        matches!(self.out.last(), None | Some(b'\n'))
    }

    /// Adds a word in the place of a move.
    fn token(&mut self, text: &str) {
        self.word(text);
        // A word of a language may exceed the width: alone on the next line it would be read as text. `July e.p.` is one
        // token of two words.
        self.is_bound = has_prose(text.as_bytes()) || is_ruled(text.as_bytes());
    }

    /// Adds a word.
    fn word(&mut self, text: &str) {
        if !text.is_empty() {
            self.begin_word();
            self.out.extend_from_slice(text.as_bytes());
            self.length += text.chars().count();
        }
    }

    /// Adds a number with its dots.
    #[inline]
    fn number(&mut self, number: u64, dots: &str) {
        self.begin_word();
        let mut digits = itoa::Buffer::new();
        self.out.extend_from_slice(digits.format(number).as_bytes());
        self.out.extend_from_slice(dots.as_bytes());
        self.length = self.out.len() - self.last;
    }

    fn close(&mut self) {
        self.lone_prefix();
        if self.is_at_start() {
            self.word(")");
        } else {
            self.out.push(b')');
            self.length += 1;
        }
    }

    /// Writes parentheses without a following word as a word.
    fn lone_prefix(&mut self) {
        if self.prefix > 0 {
            self.begin_word();
        }
    }

    fn comment(&mut self, text: &str) {
        let text = fold(Cow::Borrowed(text));
        if text.contains('}') {
            // A comment in braces cannot contain `}`.
            return self.line_comment(&text);
        }
        self.interrupted = true;
        let text = format!("{{{text}}}");
        let mut from = 0;
        for at in memchr::memchr_iter(b' ', text.as_bytes()) {
            // A line end is read as one space, so only a single space may become one. Text like a tag or an escape line
            // must not be at the start of a line.
            let before = text.get(..at).unwrap_or_default();
            let after = text.get(at + 1..).unwrap_or_default();
            if before.ends_with([' ', '\t']) || after.starts_with([' ', '\t', '[', '%']) {
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
        if !self.is_in_lines {
            return self.comment(&format!("%{text}"));
        }
        self.lone_prefix();
        self.newline();
        self.whole_line("%", text);
    }

    /// Adds text that ends with its line, after its sign.
    fn whole_line(&mut self, sign: &str, text: &str) {
        self.interrupted = true;
        self.word(&[sign, &fold(Cow::Borrowed(text))].concat());
        self.newline();
    }

    fn newline(&mut self) {
        if !self.is_at_start() {
            self.end_word();
            self.out.push(b'\n');
        }
        self.column = 0;
    }
}
