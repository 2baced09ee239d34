//! Writes movetext in lines, item by item.

use std::borrow::Cow;

use super::WIDTH;
use crate::game::{Game, Item};
use crate::lex::fold;
use crate::pgn::semicolons::may_be_moves;
use crate::words::{has_prose, is_ruled, is_text};
use tridex_words::moves::is_unfinished;

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
    numbering: Numbering,
    lines: Lines,
    before: Before,
    /// The rows of a score sheet; without it the moves of the main line are together.
    sheet: Option<Sheet>,
}

impl Movetext {
    /// Movetext in lines under 80 characters.
    pub fn in_lines() -> Self {
        let mut movetext = Self::default();
        movetext.lines.width = Some(WIDTH);
        movetext
    }

    /// Movetext on one line, without escape lines.
    pub fn on_one_line() -> Self {
        Self::default()
    }

    /// Movetext in the cells of a score sheet, without the numbers of the main line.
    pub(super) fn in_cells() -> Self {
        Self {
            sheet: Some(Sheet::default()),
            ..Self::default()
        }
    }

    /// Begins a game whose first move has this number.
    pub fn begin(&mut self, number: u32, is_black: bool) {
        self.numbering.ply = u64::from(number.max(1)) * 2 + u64::from(is_black);
        self.numbering.interrupted = true;
        self.numbering.open.clear();
        self.lines.clear();
        self.before = Before::default();
    }

    /// Begins a game in memory. Move numbers begin with that of its `FEN` tag.
    pub fn begin_game(&mut self, game: &Game<'_>) {
        let fen = game.tag("FEN").unwrap_or_default();
        let mut fields = fen.split_ascii_whitespace();
        let is_black = fields.nth(1) == Some("b");
        let number = fields.last().and_then(|field| field.parse::<u32>().ok());
        self.begin(number.unwrap_or(1), is_black);
    }

    /// Adds a move that is already written: the first `length` of some ASCII letters, and the evaluation mark after it.
    #[inline]
    pub fn push_letters(&mut self, letters: &[u8; 32], length: usize, judgement: &[u8]) {
        if !self.before.is_over {
            let text = [letters.get(..length).unwrap_or_default(), judgement].concat();
            return self.push(Item::Move(&String::from_utf8_lossy(&text)));
        }
        self.numbered_move();
        self.lines.letters(letters, length);
        if !judgement.is_empty() {
            self.lines.lengthen(judgement);
        }
    }

    #[inline]
    fn numbered_move(&mut self) {
        let place = self.numbering.place();
        let number = self.numbering.of_move();
        if let Some(sheet) = &mut self.sheet
            && self.numbering.open.is_empty()
        {
            // Items before the first move are in its cell.
            if let Some(last) = sheet.place.replace(place) {
                sheet.end_cell(last, &mut self.lines);
            }
        } else if let Some((number, dots)) = number {
            self.lines.number(number, dots);
        }
    }

    /// Adds an item. Items before the first move that belong to a move - marks, draw offers, words, variations - are
    /// written as comments, so that they can be read again.
    pub fn push(&mut self, item: Item<&str>) {
        if self.before.is_over {
            self.put(item);
        } else {
            self.push_before(item);
        }
    }

    fn put(&mut self, item: Item<&str>) {
        match item {
            Item::Move(text) => {
                self.numbered_move();
                // Two words of a language in a row would be read as text, and a part of a move with the next word as one
                // move; a number separates them.
                let mut words = text.split(' ');
                self.numbering.interrupted =
                    words.any(|word| is_text(word.as_bytes())) || is_unfinished(text.as_bytes());
            }
            // An unmatched `)` is omitted.
            Item::VariationEnd if self.numbering.open.is_empty() => return,
            _ => self.numbering.between(item),
        }
        self.lines.item(item);
    }

    /// Adds an item before the first move, or that move.
    #[cold]
    fn push_before(&mut self, item: Item<&str>) {
        let before = &mut self.before;
        let is_outside = before.depth == 0;
        before.is_over = is_outside && matches!(item, Item::Move(_));
        match item {
            Item::Move(_) if is_outside => return self.put(item),
            Item::Comment(text) | Item::LineComment(text) | Item::Escape(text) => {
                if is_outside {
                    return self.put(item);
                }
                let text = fold(Cow::Borrowed(text));
                return before.inside.word(&format!("({text})"));
            }
            Item::VariationStart => before.depth += 1,
            Item::VariationEnd if is_outside => return,
            Item::VariationEnd => before.depth -= 1,
            _ => {}
        }
        before.inside.item(item);
        if before.depth == 0 {
            self.end_before();
        }
    }

    /// Writes the items before the first move, which form a comment.
    fn end_before(&mut self) {
        let before = &mut self.before;
        for _ in 0..std::mem::take(&mut before.depth) {
            before.inside.close();
        }
        let mut inside = std::mem::take(&mut before.inside);
        inside.finish();
        let text = String::from_utf8_lossy(&inside.out);
        if !text.is_empty() {
            self.put(Item::Comment(&text.replace('{', "(").replace('}', ")")));
        }
    }

    /// Closes the open variations, and ends the game with its result if it has one. The text is valid until the next
    /// game begins.
    pub fn finish(&mut self, result: Option<&str>) -> &[u8] {
        self.end_before();
        for _ in &self.numbering.open {
            self.lines.close();
        }
        if let Some(result) = result {
            self.lines.word(result);
        }
        self.lines.finish();
        &self.lines.out
    }

    /// Ends a game, and returns its rows, at least one.
    pub(super) fn finish_rows(&mut self) -> Vec<(u64, [String; 2])> {
        self.finish(None);
        let next = self.numbering.place();
        let mut sheet = self.sheet.take().unwrap_or_default();
        sheet.end_cell(sheet.place.unwrap_or(next), &mut self.lines);
        sheet.rows
    }
}

/// The score sheet of a game.
#[derive(Clone, Debug, Default)]
struct Sheet {
    /// The number of each row, White's cell and Black's.
    rows: Vec<(u64, [String; 2])>,
    /// The number and the side of the current cell, if the first move was added.
    place: Option<(u64, bool)>,
}

impl Sheet {
    /// Puts the text of a cell into its row.
    fn end_cell(&mut self, (number, is_black): (u64, bool), text: &mut Lines) {
        text.finish();
        let cell = String::from_utf8_lossy(&text.out).into_owned();
        text.clear();
        if self.rows.last().is_none_or(|(last, _)| *last != number) {
            self.rows.push((number, Default::default()));
        }
        if let Some((_, [white_cell, black_cell])) = self.rows.last_mut() {
            *(if is_black { black_cell } else { white_cell }) = cell;
        }
    }
}

/// The items before the first move of a game.
#[derive(Clone, Debug, Default)]
struct Before {
    /// Whether the first move was added.
    is_over: bool,
    /// The text of a comment: one word for each item.
    inside: Lines,
    /// The number of open variations.
    depth: usize,
}

/// The number of the next move.
#[derive(Clone, Debug, Default)]
struct Numbering {
    /// Twice the number, and one for Black.
    ply: u64,
    /// Black's move needs a number too.
    interrupted: bool,
    /// `ply` at the beginning of each open variation.
    open: Vec<u64>,
}

impl Numbering {
    /// The number of the next move, and whether it is Black's.
    fn place(&self) -> (u64, bool) {
        (self.ply / 2, self.ply % 2 == 1)
    }

    /// Counts a move. Returns its number and the number of dots, if it is written with a number.
    #[inline]
    fn of_move(&mut self) -> Option<(u64, usize)> {
        let (number, is_black) = self.place();
        let is_written = !is_black || self.interrupted;
        self.ply += 1;
        self.interrupted = false;
        is_written.then_some((number, if is_black { 3 } else { 1 }))
    }

    /// Counts an item that is not a move.
    fn between(&mut self, item: Item<&str>) {
        match item {
            Item::VariationStart => {
                self.open.push(self.ply);
                self.ply = self.ply.saturating_sub(1).max(2);
                self.interrupted = true;
            }
            Item::VariationEnd => {
                self.ply = self.open.pop().unwrap_or(self.ply);
                self.interrupted = true;
            }
            Item::Comment(_) | Item::LineComment(_) | Item::Escape(_) => self.interrupted = true,
            Item::Move(_) | Item::Word(_) | Item::Nag(_) | Item::DrawOffer => {}
        }
    }
}

/// Words put into lines.
#[derive(Clone, Debug, Default)]
struct Lines {
    out: Vec<u8>,
    /// Characters in the last line of `out`.
    column: usize,
    /// The start of the last word, to which a `)` may still be added; `None` if a line end follows it.
    last: Option<usize>,
    /// Parentheses to open before the next word.
    prefix: usize,
    /// The maximum length of a line; without it everything is on one line, without escape lines.
    width: Option<usize>,
}

impl Lines {
    fn clear(&mut self) {
        self.out.clear();
        (self.column, self.last, self.prefix) = (0, None, 0);
    }

    fn item(&mut self, item: Item<&str>) {
        match item {
            Item::Move(text) | Item::Word(text) => self.token(text),
            Item::Comment(text) => self.comment(text),
            Item::LineComment(text) => self.line_comment(text),
            Item::Escape(text) if self.width.is_some() => self.escape(text),
            Item::Escape(text) => self.comment(&format!("%{text}")),
            Item::Nag(nag) => self.word(&format!("${nag}")),
            Item::DrawOffer => self.word("(=)"),
            Item::VariationStart => self.prefix += 1,
            Item::VariationEnd => self.close(),
        }
    }

    /// Begins a word of `length` characters: writes a blank or a line end, and the parentheses that open before it.
    #[inline]
    fn part(&mut self, length: usize) {
        let length = length + self.prefix;
        if self.column > 0 {
            let fits = self.fits(length);
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

    /// Adds a word in the place of a move. A word of a language may exceed the width: alone on the next line it would
    /// be read as text.
    fn token(&mut self, text: &str) {
        let length = characters(text.as_bytes()) + self.prefix;
        // `July e.p.` is one token of two words.
        let may_be_text = || has_prose(text.as_bytes()) || is_ruled(text.as_bytes());
        if self.fits(length) || self.column == 0 || !may_be_text() {
            return self.word(text);
        }
        let width = self.width.take();
        self.word(text);
        self.width = width;
    }

    /// Adds a word.
    fn word(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.part(characters(text.as_bytes()));
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Adds the first `length` of some ASCII letters. Copying all of them and truncating takes no loop.
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
    }

    /// Appends ASCII letters to the last word, which moves to the next line if it does not fit any more.
    fn lengthen(&mut self, letters: &[u8]) {
        let Some(last) = self.last else {
            return;
        };
        self.out.extend_from_slice(letters);
        self.column += letters.len();
        if self.width.is_some_and(|width| self.column > width)
            && let Some(gap) = last.checked_sub(1).and_then(|gap| self.out.get_mut(gap))
            && *gap == b' '
        {
            *gap = b'\n';
            let word = self.out.get(last..).unwrap_or_default();
            self.column = characters(word);
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

    /// Writes parentheses without a following word as a word.
    fn lone_prefix(&mut self) {
        if self.prefix > 0 {
            self.part(0);
        }
    }

    fn comment(&mut self, text: &str) {
        let text = fold(Cow::Borrowed(text));
        if text.contains('}') {
            // A comment in braces cannot contain `}`.
            self.line_comment(&text);
            return;
        }
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
        self.word(&format!(";{}", fold(Cow::Borrowed(text))));
        self.newline();
    }

    fn escape(&mut self, text: &str) {
        self.finish();
        self.newline();
        self.out.push(b'%');
        self.out
            .extend_from_slice(fold(Cow::Borrowed(text)).as_bytes());
        self.column = 1;
        self.newline();
    }

    fn newline(&mut self) {
        if self.column > 0 {
            self.out.push(b'\n');
            self.column = 0;
        }
        self.last = None;
    }

    fn finish(&mut self) {
        self.lone_prefix();
        self.last = None;
    }
}

/// The number of characters of a text in UTF-8.
fn characters(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}
