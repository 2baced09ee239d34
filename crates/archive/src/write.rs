//! Writers: PGN in its export layout, scoresheets, NDJSON, and files that appear whole or not at all.
//!
//! What is written reads back as the same game. Where a form has no way to say something, the
//! nearest that it has is used: an escape line in a cell becomes a comment.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};

use crate::json;
use crate::record::{Game, Item, folded};
use crate::visit::GameResult;

mod atomic;
mod plain;
mod table;
pub use atomic::AtomicFile;
pub use plain::{PlainMoves, plain_pgn};
pub use table::Table;
pub(crate) use table::defusing;

/// Characters of a line of movetext, at most.
const WIDTH: usize = 79;

/// The tags that come first, in this order, and what stands there where nothing is known.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Writes a game in PGN's export layout: the seven-tag roster first and whole, then the other tags
/// as they stand, movetext in lines under 80 characters, and an empty line at the end.
///
/// A line is broken only at blanks, so one longer word makes a longer line; a move is one word even
/// where it holds blanks. Numbers are counted from the `FEN` tag's.
///
/// # Errors
///
/// Those of `out`.
pub fn pgn(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    let result = game.result.unwrap_or(GameResult::Unknown).as_str();
    for (name, default) in ROSTER {
        let default = if name == "Result" { result } else { default };
        tag(name, game.tag(name).unwrap_or(default), out)?;
    }
    let mut roster = [false; ROSTER.len()];
    for (name, value) in &game.tags {
        let known = ROSTER.iter().position(|(known, _)| known == name);
        match known.and_then(|i| roster.get_mut(i)) {
            // Its first value stands above.
            Some(seen) if !*seen => *seen = true,
            _ => tag(name, value, out)?,
        }
    }
    writeln!(out)?;
    let mut lines = Lines::new(Some(WIDTH));
    lines.items(&settled(game));
    lines.word(result);
    lines.finish();
    out.write_all(lines.out.as_bytes())?;
    writeln!(out, "\n")
}

fn tag(name: &str, value: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut text = format!("[{}", tag_name(name));
    text.push_str(" \"");
    for c in value.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            // A tag is one line.
            '\n' | '\r' => text.push(' '),
            _ => text.push(c),
        }
    }
    text.push_str("\"]\n");
    out.write_all(text.as_bytes())
}

/// A name that can be read again.
fn tag_name(name: &str) -> String {
    let mut out: String = name
        .chars()
        .map(|c| {
            let allowed = c.is_ascii_alphanumeric() || !c.is_ascii() || "_+#=:-".contains(c);
            if allowed { c } else { '_' }
        })
        .take(100)
        .collect();
    if !out.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out.insert(0, 'X');
    }
    out
}

/// The movetext of a game on one line, without its result, as [`ndjson`](crate::ndjson) reads it.
#[must_use]
pub fn movetext(game: &Game) -> String {
    let mut lines = Lines::new(None);
    lines.items(&settled(game));
    lines.finish();
    lines.out
}

/// The game as it can be read again: what stands before the first move and belongs to one - marks, draw offers, words,
/// variations - stands in comments. A game of which no move could be read has nothing else.
fn settled(game: &Game) -> Cow<'_, Game> {
    let may_come_first = |item: &Item<'_>| {
        matches!(
            item,
            Item::Comment(_) | Item::LineComment(_) | Item::Escape(_)
        )
    };
    let is_move = |item: &Item<'_>| matches!(item, Item::Move { .. });
    match game.items().find(|item| !may_come_first(item)) {
        Some(first) if !is_move(&first) => {}
        _ => return Cow::Borrowed(game),
    }
    let mut out = game.clone();
    out.clear_items();
    // What stands in a comment is one word for each item, and no comment itself.
    let mut inside = Lines::new(None);
    let (mut depth, mut begun) = (0_usize, false);
    for item in game.items() {
        begun |= depth == 0 && is_move(&item);
        if begun || depth == 0 && may_come_first(&item) {
            out.push(item);
            continue;
        }
        match item {
            Item::VariationStart => depth += 1,
            Item::VariationEnd if depth == 0 => continue,
            Item::VariationEnd => depth -= 1,
            _ => {}
        }
        match item {
            Item::Comment(text) | Item::LineComment(text) | Item::Escape(text) => {
                inside.word(&format!("({})", folded(text)));
            }
            item => inside.item(item),
        }
        if depth == 0 {
            aside(&mut inside, &mut out);
        }
    }
    for _ in 0..depth {
        inside.close();
    }
    aside(&mut inside, &mut out);
    Cow::Owned(out)
}

/// Adds what was gathered as a comment.
fn aside(inside: &mut Lines, out: &mut Game) {
    inside.finish();
    let text = std::mem::replace(inside, Lines::new(None)).out;
    if !text.is_empty() {
        out.push(Item::Comment(&text.replace('{', "(").replace('}', ")")));
    }
}

/// Which move comes next.
struct Numbering {
    /// Twice the number, and one for Black.
    ply: u64,
    /// Black's move needs a number too.
    interrupted: bool,
    /// `ply` where the variations that are open began.
    open: Vec<u64>,
}

impl Numbering {
    fn new(game: &Game) -> Self {
        let mut fields = game.tag("FEN").unwrap_or("").split_ascii_whitespace();
        let black = fields.nth(1) == Some("b");
        let number = fields.last().and_then(|field| field.parse::<u32>().ok());
        Self {
            ply: u64::from(number.unwrap_or(1).max(1)) * 2 + u64::from(black),
            interrupted: true,
            open: Vec::new(),
        }
    }

    fn number(&self) -> u64 {
        self.ply / 2
    }

    fn is_black(&self) -> bool {
        self.ply % 2 == 1
    }

    /// Goes on to the next item. Returns the number a move is to have.
    fn take(&mut self, item: &Item<'_>) -> Option<String> {
        match item {
            Item::Move { .. } => {
                let number = match (self.is_black(), self.interrupted) {
                    (false, _) => Some(format!("{}.", self.number())),
                    (true, true) => Some(format!("{}...", self.number())),
                    (true, false) => None,
                };
                self.ply += 1;
                self.interrupted = false;
                return number;
            }
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
            Item::Word(_) | Item::Nag(_) | Item::DrawOffer => {}
        }
        None
    }
}

/// Words put into lines.
struct Lines {
    out: String,
    /// Characters in the last line of `out`.
    column: usize,
    /// The last word, to which a `)` may still be added.
    word: String,
    /// Parentheses that the next word gets.
    prefix: String,
    /// Characters of a line; without, all is one line and there are no escape lines.
    width: Option<usize>,
}

impl Lines {
    fn new(width: Option<usize>) -> Self {
        Self {
            out: String::new(),
            column: 0,
            word: String::new(),
            prefix: String::new(),
            width,
        }
    }

    fn items(&mut self, game: &Game) {
        let mut numbering = Numbering::new(game);
        for item in game.items() {
            // A `)` too many would end nothing.
            if item == Item::VariationEnd && numbering.open.is_empty() {
                continue;
            }
            if let Some(number) = numbering.take(&item) {
                self.word(&number);
            }
            self.item(item);
        }
        for _ in &numbering.open {
            self.close();
        }
    }

    fn item(&mut self, item: Item<'_>) {
        match item {
            Item::Move { text, .. } | Item::Word(text) => self.word(text),
            Item::Comment(text) => self.comment(text),
            Item::LineComment(text) => self.line_comment(text),
            Item::Escape(text) if self.width.is_some() => self.escape(text),
            Item::Escape(text) => self.comment(&format!("%{text}")),
            Item::Nag(nag) => self.word(&format!("${nag}")),
            Item::DrawOffer => self.word("(=)"),
            Item::VariationStart => self.prefix.push('('),
            Item::VariationEnd => self.close(),
        }
    }

    fn word(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.flush();
        self.word.push_str(&self.prefix);
        self.prefix.clear();
        self.word.push_str(text);
    }

    fn close(&mut self) {
        if !self.prefix.is_empty() {
            let prefix = std::mem::take(&mut self.prefix);
            self.word(&prefix);
        }
        self.word.push(')');
    }

    fn comment(&mut self, text: &str) {
        let text = folded(text);
        if text.contains('}') {
            // Braces cannot hold it.
            self.line_comment(&text);
            return;
        }
        let text = format!("{{{text}}}");
        let mut from = 0;
        for (at, _) in text.match_indices(' ') {
            // A line end reads as one space, so only a single one may become one. What begins a
            // tag or an escape line is not put at the start of a line.
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
        self.word(&format!(";{}", folded(text)));
        self.flush();
        self.newline();
    }

    fn escape(&mut self, text: &str) {
        self.finish();
        self.newline();
        self.out.push('%');
        self.out.push_str(&folded(text));
        self.column = 1;
        self.newline();
    }

    fn newline(&mut self) {
        if self.column > 0 {
            self.out.push('\n');
            self.column = 0;
        }
    }

    /// Puts the last word into a line.
    fn flush(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let length = self.word.chars().count();
        if self.column > 0 {
            if self
                .width
                .is_some_and(|width| self.column + 1 + length > width)
            {
                self.newline();
            } else {
                self.out.push(' ');
                self.column += 1;
            }
        }
        self.out.push_str(&self.word);
        self.column += length;
        self.word.clear();
    }

    fn finish(&mut self) {
        if !self.prefix.is_empty() {
            let prefix = std::mem::take(&mut self.prefix);
            self.word(&prefix);
        }
        self.flush();
    }
}

/// Tags with a column of their own, and its name.
const SHEET_TAGS: [(&str, &str); 10] = [
    ("event", "Event"),
    ("site", "Site"),
    ("date", "Date"),
    ("round", "Round"),
    ("whiteplayer", "White"),
    ("blackplayer", "Black"),
    ("variant", "Variant"),
    ("notation", "Notation"),
    ("locale", "Locale"),
    ("fen", "FEN"),
];

/// Writes scoresheets: a row for each number of each game, and what is said of the whole game in its
/// first row. Tags without a column stand together in the last, as PGN writes them.
#[derive(Debug)]
pub struct SheetWriter<W: Write> {
    out: Table<W>,
}

impl<W: Write> SheetWriter<W> {
    /// Begins a sheet with its header.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn new(out: W) -> io::Result<Self> {
        let mut sheet = Self::rows(out);
        let columns = ["game", "no", "white", "black", "result"];
        let tags = SHEET_TAGS.iter().map(|&(column, _)| column);
        sheet
            .out
            .row(columns.into_iter().chain(tags).chain(["tags"]))?;
        Ok(sheet)
    }

    /// Goes on with a sheet whose header is written already.
    pub fn rows(out: W) -> Self {
        Self {
            out: Table::new(out),
        }
    }

    /// Adds a game, numbered `number`.
    ///
    /// # Errors
    ///
    /// Those of the sheet's writer.
    pub fn write(&mut self, number: u64, game: &Game) -> io::Result<()> {
        let mut first = Some(Self::of_game(game)?);
        for row in rows(game) {
            let mut record = vec![number.to_string(), row.number.to_string()];
            record.extend(row.cells);
            match first.take() {
                Some(cells) => record.extend(cells),
                None => record.resize(record.len() + 2 + SHEET_TAGS.len(), String::new()),
            }
            self.out.row(&record)?;
        }
        Ok(())
    }

    /// The cells that are filled in the first row: the result, and the tags.
    fn of_game(game: &Game) -> io::Result<Vec<String>> {
        let result = game.result.map_or("", GameResult::as_str);
        let mut cells = vec![result.to_owned()];
        let mut used = vec![false; game.tags.len()];
        for (_, name) in SHEET_TAGS {
            let at = game.tags.iter().position(|(tag, _)| tag == name);
            let value = at.and_then(|at| game.tags.get(at)).map(|(_, value)| value);
            // Blanks at the ends do not count in a cell.
            let value = value.filter(|value| value.trim() == *value && !value.is_empty());
            if let (Some(_), Some(used)) = (value, at.and_then(|at| used.get_mut(at))) {
                *used = true;
            }
            cells.push(value.cloned().unwrap_or_default());
        }
        let mut others = Vec::new();
        for ((name, value), used) in game.tags.iter().zip(used) {
            // Reading gives it to every start position.
            let implied = name == "SetUp" && value == "1" && game.tag("FEN").is_some();
            if !used && !implied {
                tag(name, value, &mut others)?;
            }
        }
        let others = String::from_utf8_lossy(&others);
        cells.push(others.trim_end().replace('\n', " "));
        Ok(cells)
    }

    /// Writes what is left, and gives the writer back.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn finish(self) -> io::Result<W> {
        self.out.finish()
    }
}

struct SheetRow {
    number: u64,
    /// White's and Black's.
    cells: [String; 2],
}

/// The rows of a game, one at least.
fn rows(game: &Game) -> Vec<SheetRow> {
    let game = &*settled(game);
    let mut numbering = Numbering::new(game);
    let mut rows: Vec<SheetRow> = Vec::new();
    let mut cell = Lines::new(None);
    // Where the cell goes.
    let mut place = None;
    let put = |rows: &mut Vec<SheetRow>, cell: &mut Lines, place: Option<(u64, bool)>| {
        cell.finish();
        let (number, black) = place?;
        if rows.last().is_none_or(|row| row.number != number) {
            rows.push(SheetRow {
                number,
                cells: Default::default(),
            });
        }
        let [white_cell, black_cell] = &mut rows.last_mut()?.cells;
        let target = if black { black_cell } else { white_cell };
        *target = std::mem::replace(cell, Lines::new(None)).out;
        Some(())
    };
    for item in game.items() {
        if item == Item::VariationEnd && numbering.open.is_empty() {
            continue;
        }
        let next = (numbering.number(), numbering.is_black());
        let main = numbering.open.is_empty();
        let number = numbering.take(&item);
        if matches!(item, Item::Move { .. }) && main {
            // What came before the first move stands in its cell.
            if place.is_some() {
                put(&mut rows, &mut cell, place);
            }
            place = Some(next);
        } else if let Some(number) = number {
            cell.word(&number);
        }
        cell.item(item);
    }
    for _ in &numbering.open {
        cell.close();
    }
    let place = place.or(Some((numbering.number(), numbering.is_black())));
    put(&mut rows, &mut cell, place);
    rows
}

/// What a line of NDJSON says beside the game's own text.
#[derive(Clone, Copy, Debug, Default)]
pub struct JsonHead<'a> {
    /// Name of the source.
    pub source: &'a str,
    /// Number of the game in it, from 1.
    pub game: u64,
    /// Name of the rule system.
    pub rules: &'a str,
    /// Name of the notation.
    pub notation: &'a str,
    /// The position at the start.
    pub start: &'a str,
}

#[derive(Serialize)]
struct JsonGame<'a> {
    source: &'a str,
    game: u64,
    rules: &'a str,
    notation: &'a str,
    start: &'a str,
    tags: JsonTags<'a>,
    moves: JsonMoves<'a>,
    result: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    movetext: Option<String>,
}

struct JsonTags<'a>(&'a Game);

impl Serialize for JsonTags<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.tags.len()))?;
        for (name, value) in &self.0.tags {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

struct JsonMoves<'a>(&'a Game);

impl Serialize for JsonMoves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut moves = serializer.serialize_seq(None)?;
        for (text, _) in self.0.main_line() {
            moves.serialize_element(text)?;
        }
        moves.end()
    }
}

/// Writes a game as a line of NDJSON. `moves` holds the moves of the main line; where there is more
/// than these, `movetext` holds all.
///
/// # Errors
///
/// Those of `out`.
pub fn ndjson(game: &Game, head: &JsonHead<'_>, out: &mut dyn Write) -> io::Result<()> {
    let record = JsonGame {
        source: head.source,
        game: head.game,
        rules: head.rules,
        notation: head.notation,
        start: head.start,
        tags: JsonTags(game),
        moves: JsonMoves(game),
        result: game.result.unwrap_or(GameResult::Unknown).as_str(),
        movetext: game.is_annotated().then(|| movetext(game)),
    };
    json::to_writer(out, &record)?;
    writeln!(out)
}

#[cfg(test)]
mod tests;
