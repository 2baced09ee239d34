//! The reader of score sheets in CSV.
//!
//! A row has a number, White's move and Black's. A header in one of seven languages names the columns; without one the
//! order is game, number, white, black, where the first two may be missing. The delimiter is a comma, a semicolon or a
//! tab; quoted cells may contain it.
//!
//! A cell is movetext: besides its move it may have marks, comments, variations and a draw offer. Another column
//! becomes a tag if all its values in a game are equal (empty cells do not count), else a comment on each row.
//!
//! A game begins where the `game` column changes (an empty cell there means the same game) or, without such a column,
//! where the numbers begin again at 1.

mod cut;
mod plain;
mod rows;
#[cfg(test)]
mod tests;

use tridex_words::Context;

pub(crate) use self::cut::cut;
use self::cut::is_too_long;
use self::plain::{PlainForm, PlainRow};
use self::rows::{Cells, Row, Rows, Stored};
use crate::interner::{Interner, TokenId, key_of};
use crate::lex::{self, escape};
use crate::pgn::{Fragment, read_fragment};
use crate::visit::{Damage, Ending, Flow, GameResult, Limits, TagLimiter, Unusual, Visitor};
use crate::words;

/// The meaning of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Column {
    Game,
    Number,
    White,
    Black,
    Result,
    Comment,
    /// The clock time after a player's move.
    Clock(Side),
    /// Tags in the form of PGN.
    Tags,
    /// A tag of this name.
    Tag(String),
}

/// The layout of a score sheet: its delimiter and its columns.
///
/// ```
/// use tridex_archive::{Limits, game, sheet};
///
/// let text = b"Nr;Weiss;Schwarz\n1;b4N;b5B\n2;c3W;\n";
/// let layout = sheet::SheetLayout::detect(text, 0);
/// let games = game::collect(|v| sheet::read_games(text, 0, &layout, &Limits::default(), v));
/// assert_eq!(games[0].main_line().count(), 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetLayout {
    delimiter: u8,
    columns: Vec<Column>,
    /// The columns that show where a game begins: its name, the number, and White's moves.
    telling: Vec<(usize, Column)>,
    /// Offset at which the header ends, if there is one.
    header_end: u64,
}

/// Bytes used to detect a layout.
pub(crate) const LAYOUT_HEAD: usize = 64 << 10;

impl SheetLayout {
    /// Detects the layout from the first rows of a sheet, whose first byte has the offset `base`.
    #[must_use]
    pub fn detect(head: &[u8], base: u64) -> Self {
        let delimiter = delimiter_of(head);
        let mut rows = Rows::whole(head, delimiter);
        let mut layout = Self {
            delimiter,
            columns: Vec::new(),
            telling: Vec::new(),
            header_end: base,
        };
        let Some(row) = rows.next_row() else {
            layout.set_columns(positional(0));
            return layout;
        };
        let cells = texts_of(rows.cells(&row));
        if let Some(columns) = header(&cells) {
            layout.set_columns(columns);
            layout.header_end = base + row.end as u64;
        } else {
            let numbers = cells.iter().take_while(|cell| number(cell).is_some());
            layout.set_columns(positional(numbers.count()));
        }
        layout
    }

    /// Whether each row begins with the name of its game.
    fn begins_with_game(&self) -> bool {
        let columns = self
            .columns
            .iter()
            .filter(|column| **column == Column::Game);
        self.columns.first() == Some(&Column::Game) && columns.count() == 1
    }

    fn set_columns(&mut self, columns: Vec<Column>) {
        let tells =
            |column: &Column| matches!(column, Column::Game | Column::Number | Column::White);
        let telling = columns.iter().cloned().enumerate();
        self.telling = telling.filter(|(_, column)| tells(column)).collect();
        self.columns = columns;
    }
}

/// Whether a text begins like a score sheet.
pub(crate) fn looks_like_sheet(head: &[u8]) -> bool {
    let mut rows = Rows::whole(head, delimiter_of(head));
    let Some(row) = rows.next_row().filter(|row| row.len() >= 2) else {
        return false;
    };
    let cells = texts_of(rows.cells(&row));
    header(&cells).is_some() || cells.first().is_some_and(|cell| number(cell).is_some())
}

fn texts_of(cells: Cells<'_>) -> Vec<String> {
    let texts = (0..cells.len()).map(|i| lex::decode(cells.get(i)).trim().to_owned());
    texts.collect()
}

/// The delimiter: of tab, semicolon and comma the first that is in the first line outside of quotes. The comma is last
/// because cells may contain it.
fn delimiter_of(head: &[u8]) -> u8 {
    let from = lex::skip_blanks(head, 0);
    let line = head.get(from..).unwrap_or_default();
    let line = line
        .split(|&b| lex::is_newline(b))
        .next()
        .unwrap_or_default();
    let mut quoted = false;
    let mut seen = [false; 256];
    for &byte in line {
        if byte == b'"' {
            quoted = !quoted;
        } else if !quoted && let Some(seen) = seen.get_mut(usize::from(byte)) {
            *seen = true;
        }
    }
    [b'\t', b';']
        .into_iter()
        .find(|&b| seen.get(usize::from(b)) == Some(&true))
        .unwrap_or(b',')
}

/// The columns of a sheet without a header whose first row begins with `numbers` numbers.
fn positional(numbers: usize) -> Vec<Column> {
    match numbers {
        0 => vec![Column::White, Column::Black],
        1 => vec![Column::Number, Column::White, Column::Black],
        _ => vec![Column::Game, Column::Number, Column::White, Column::Black],
    }
}

/// The columns of a header. `None` if it does not name both players' moves.
fn header(cells: &[String]) -> Option<Vec<Column>> {
    let columns: Vec<Column> = cells.iter().map(|cell| column_of(cell)).collect();
    (columns.contains(&Column::White) && columns.contains(&Column::Black)).then_some(columns)
}

fn column_of(cell: &str) -> Column {
    let name: String = cell
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == '#')
        .flat_map(char::to_lowercase)
        .collect();
    if name.is_empty() {
        return Column::Comment;
    }
    match tridex_words::meaning(Context::Column, &name) {
        Some("Game") => Column::Game,
        Some("Number") => Column::Number,
        Some("White") => Column::White,
        Some("Black") => Column::Black,
        Some("Result") => Column::Result,
        Some("Comment") => Column::Comment,
        Some("WhiteClock") => Column::Clock(Side::White),
        Some("BlackClock") => Column::Clock(Side::Black),
        Some("Tags") => Column::Tags,
        Some("WhitePlayer") => Column::Tag("White".to_owned()),
        Some("BlackPlayer") => Column::Tag("Black".to_owned()),
        Some(tag) => Column::Tag(tag.to_owned()),
        None => Column::Tag(tag_name(cell)),
    }
}

/// The name of a tag from that of a column: `white elo` becomes `WhiteElo`; capitals stay.
fn tag_name(cell: &str) -> String {
    let mut name = String::new();
    for word in cell.split(|c: char| !c.is_ascii_alphanumeric()) {
        let mut letters = word.chars();
        name.extend(letters.next().map(|c| c.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert_str(0, "Column");
    }
    name
}

/// The number of a row: `12`, `12.`.
fn number(cell: &str) -> Option<u64> {
    let digits = cell.trim().trim_end_matches('.');
    if digits.bytes().all(|b| b.is_ascii_digit()) {
        digits.parse().ok()
    } else {
        None
    }
}

/// Whether the number of a row is 1, if it has one.
fn is_first(cell: &[u8]) -> Option<bool> {
    match cell {
        [] => None,
        [b'1'..=b'9', rest @ ..] if rest.len() < 6 && rest.iter().all(u8::is_ascii_digit) => {
            Some(cell == b"1")
        }
        _ => number(&lex::decode(cell))
            .filter(|&n| n > 0)
            .map(|n| n == 1),
    }
}

/// Finds the beginnings of games.
#[derive(Debug, Default)]
struct Grouping {
    rows: u64,
    game: Vec<u8>,
    /// Whether the last number was greater than 1.
    is_later: bool,
    has_white: bool,
}

impl Grouping {
    /// Adds a row; true if it begins the next game.
    fn take(&mut self, layout: &SheetLayout, cells: Cells<'_>) -> bool {
        let mut game: &[u8] = &[];
        let mut first = None;
        let mut white = false;
        // A header may name thousands of columns that are empty in most rows.
        for (i, column) in layout.telling.iter().take_while(|(i, _)| *i < cells.len()) {
            let cell = trimmed(cells.get(*i));
            match column {
                Column::Game => game = cell,
                Column::Number => first = is_first(cell),
                _ => white = !is_empty_cell(cell),
            }
        }
        let is_other = !game.is_empty() && game != self.game.as_slice();
        let is_first = game.is_empty() && first == Some(true);
        let begins =
            self.rows > 0 && (is_other || is_first && (self.is_later || (white && self.has_white)));
        if begins {
            *self = Self::default();
        }
        self.rows += 1;
        if is_other {
            self.game.clear();
            self.game.extend_from_slice(game);
        }
        self.is_later = first.map_or(self.is_later, |first| !first);
        self.has_white |= white;
        begins
    }

    /// Adds plain rows of the game.
    fn take_plain(&mut self, rows: u64) {
        self.rows += rows;
        self.is_later |= rows > 0;
        self.has_white |= rows > 0;
    }
}

/// A cell without blanks around it. Nearly every cell has none.
#[inline]
fn trimmed(cell: &[u8]) -> &[u8] {
    match cell {
        [b'!'..=b'~', .., b'!'..=b'~'] | [b'!'..=b'~'] | [] => cell,
        _ => cell.trim_ascii(),
    }
}

/// Whether a cell has no move.
#[inline]
fn is_empty_cell(cell: &[u8]) -> bool {
    if cell.first().is_some_and(u8::is_ascii_alphanumeric) {
        return false;
    }
    matches!(cell.trim_ascii(), b"" | b"-" | b"\xe2\x80\x93")
        || cell.iter().all(|&b| b == b'.' || lex::is_blank(b))
}

/// The rows that are not plain.
fn cell_rows(rows: &[Stored]) -> impl Iterator<Item = &Row> {
    rows.iter().filter_map(|row| match row {
        Stored::Row(row) => Some(row),
        Stored::Plain(_) => None,
    })
}

fn is_header(layout: &SheetLayout, base: u64, row: &Row) -> bool {
    base + (row.start as u64) < layout.header_end
}

fn is_blank_row(cells: Cells<'_>) -> bool {
    (0..cells.len()).all(|i| trimmed(cells.get(i)).is_empty())
}

/// Reads all games of a sheet, or of a part of one that was cut between games. For an example see [`SheetLayout`].
///
/// `base` is the offset of the first byte in its source.
pub fn read_games<V: Visitor + ?Sized>(
    bytes: &[u8],
    base: u64,
    layout: &SheetLayout,
    limits: &Limits,
    visitor: &mut V,
) {
    let words = &mut Interner::default();
    read_part(bytes, base, layout, limits, None, words, visitor);
}

/// Reads a part of a sheet whose last game may have been `cut`. Returns the number of games.
pub(crate) fn read_part<V: Visitor + ?Sized>(
    bytes: &[u8],
    base: u64,
    layout: &SheetLayout,
    limits: &Limits,
    cut: Option<Damage>,
    words: &mut Interner,
    v: &mut V,
) -> u32 {
    let mut rows = Rows::new(bytes, layout.delimiter);
    let mut grouping = Grouping::default();
    let reader = Reader::new(layout, limits, base);
    let mut plain = PlainForm::of(layout);
    // Whether one of the stored rows is undamaged.
    let mut holds_game = false;
    let mut game_start = 0;
    let mut games = 0;
    while let Some(row) = rows.next_row() {
        let cells = rows.cells(&row);
        let is_game = says_moves(layout, base, &row, cells);
        let begins = is_game && grouping.take(layout, cells);
        let too_long = !begins && is_too_long(&row, game_start, limits);
        if too_long {
            grouping = Grouping::default();
            if is_game {
                grouping.take(layout, cells);
            }
        }
        if begins || too_long {
            let damage = too_long.then_some(Damage::TooLong);
            let end = (base + row.start as u64, damage);
            if let [before @ .., _] = rows.stored.as_slice() {
                reader.rows((&rows, before), holds_game, end, words, v);
            }
            games += u32::from(holds_game);
            holds_game = false;
            rows.keep_last();
            game_start = row.start;
        }
        holds_game |= is_game;
        if !is_game && row.damage.is_none() {
            rows.give_up_last();
        }
        if let Some(plain) = plain.as_mut().filter(|_| is_game) {
            plain.begin(&grouping.game);
            let until = game_start.saturating_add(limits.max_game);
            let read = rows.plain_rows(plain, words, until);
            grouping.take_plain(read);
        }
    }
    let end = (base + bytes.len() as u64, cut);
    reader.rows((&rows, &rows.stored), holds_game, end, words, v);
    games + u32::from(holds_game)
}

/// Whether a part of a sheet contains a game.
pub(crate) fn holds_game(bytes: &[u8], base: u64, layout: &SheetLayout) -> bool {
    let mut rows = Rows::new(bytes, layout.delimiter);
    while let Some(row) = rows.next_row() {
        if says_moves(layout, base, &row, rows.cells(&row)) {
            return true;
        }
        rows.give_up_last();
    }
    false
}

/// Whether a row belongs to a game.
fn says_moves(layout: &SheetLayout, base: u64, row: &Row, cells: Cells<'_>) -> bool {
    row.damage.is_none() && !is_header(layout, base, row) && !is_blank_row(cells)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    White,
    Black,
}

impl Side {
    const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// The state of reading the moves of a game.
struct Progress {
    state: Fragment,
    /// The side to move, if it is known.
    next: Option<Side>,
    result: Option<(GameResult, u64)>,
}

struct Reader<'l> {
    layout: &'l SheetLayout,
    limits: &'l Limits,
    base: u64,
    /// The columns of the number and of the moves, in the order of play, each kind ascending.
    order: [(Option<Side>, Vec<usize>); 3],
    /// The columns of clocks.
    clocks: Vec<usize>,
    /// The columns of tags.
    tags: Vec<usize>,
    /// The columns that are read after the moves of a row.
    after: Vec<usize>,
    /// There is a column for the tag `SetUp`.
    has_setup: bool,
}

impl<'l> Reader<'l> {
    fn new(layout: &'l SheetLayout, limits: &'l Limits, base: u64) -> Self {
        let all = |wanted: &dyn Fn(&Column) -> bool| {
            let columns = layout.columns.iter().enumerate();
            let found = columns.filter(|(_, column)| wanted(column));
            found.map(|(i, _)| i).collect::<Vec<usize>>()
        };
        let of = |wanted: Column| all(&|column| *column == wanted);
        Self {
            layout,
            limits,
            base,
            order: [
                (None, of(Column::Number)),
                (Some(Side::White), of(Column::White)),
                (Some(Side::Black), of(Column::Black)),
            ],
            clocks: [Side::White, Side::Black]
                .into_iter()
                .flat_map(|side| of(Column::Clock(side)))
                .collect(),
            tags: all(&|column| matches!(column, Column::Tag(_) | Column::Tags)),
            after: all(&|column| {
                matches!(column, Column::Result | Column::Comment | Column::Tag(_))
            }),
            has_setup: layout.columns.contains(&Column::Tag("SetUp".to_owned())),
        }
    }

    /// A cell without the apostrophe that escapes a formula, and its offset.
    #[inline]
    fn unescaped<'r>(&self, cells: Cells<'r>, column: usize) -> (u64, &'r [u8]) {
        let (at, cell) = cells.unescaped(column);
        (self.base + at as u64, cell)
    }

    /// Reports a game, and the damage at its end. Rows that are all damaged are not a game.
    fn rows<V: Visitor + ?Sized>(
        &self,
        (rows, game): (&Rows<'_>, &[Stored]),
        is_game: bool,
        (end, damage): (u64, Option<Damage>),
        words: &mut Interner,
        v: &mut V,
    ) {
        let offset = |row: &Row| self.base + row.start as u64;
        if !is_game {
            for row in cell_rows(game) {
                if let Some(damage) = row.damage {
                    v.damage(damage, offset(row), row.end - row.start);
                }
            }
            return;
        }
        // The first row of a game is not plain.
        let start = cell_rows(game).next().map_or(end, offset);
        v.begin_game(start);
        let remarks = self.tags(rows, game, v);
        let mut progress = Progress {
            state: Fragment {
                has_moves: false,
                skipped: v.begin_moves(start) == Flow::Skip,
            },
            next: None,
            result: None,
        };
        for row in game {
            let row = match row {
                Stored::Row(row) => row,
                Stored::Plain(row) => {
                    self.plain_row(rows, row, &mut progress, words, v);
                    continue;
                }
            };
            if let Some(damage) = row.damage {
                v.damage(damage, offset(row), row.end - row.start);
                // After an unreadable row the side to move is unknown.
                progress.next = None;
                continue;
            }
            let cells = rows.cells(row);
            for (side, columns) in &self.order {
                for i in columns.iter().take_while(|i| **i < cells.len()) {
                    let (at, cell) = self.unescaped(cells, *i);
                    let Some(side) = *side else {
                        let number = trimmed(cell);
                        if !progress.state.skipped && !number.is_empty() {
                            v.move_number(number, at);
                        }
                        continue;
                    };
                    let known = key_of(cell).and_then(|key| words.known_move(key));
                    let has_moved = self.moves((cell, at, side), known, &mut progress, words, v);
                    if !progress.state.skipped
                        && let Some(has_moved) = has_moved
                    {
                        self.clock(cells, (side, has_moved), v);
                    }
                }
            }
            let there = self.after.iter().take_while(|i| **i < cells.len());
            for (i, column) in there.filter_map(|i| Some((i, self.layout.columns.get(*i)?))) {
                let (at, cell) = self.unescaped(cells, *i);
                let cell = trimmed(cell);
                let is_live = !progress.state.skipped;
                if cell.is_empty() {
                    continue;
                }
                match column {
                    Column::Result => match words::result_text(cell) {
                        Some(found) => {
                            merge_result(&mut progress.result, Some((found, at)), cell.len(), v);
                        }
                        None => v.damage(Damage::BadResult, at, cell.len()),
                    },
                    Column::Comment if is_live => v.comment(cell, at),
                    Column::Tag(name) if is_live && remarks.binary_search(i).is_ok() => {
                        v.comment(&[name.as_bytes(), b": ", cell].concat(), at);
                    }
                    _ => {}
                }
            }
        }
        if let Some((result, at)) = progress.result {
            v.result(result, at);
        }
        if let Some(damage) = damage {
            v.damage(damage, end, 0);
        }
        v.end_game(end);
    }

    /// Reports a plain row.
    #[inline]
    fn plain_row<V: Visitor + ?Sized>(
        &self,
        rows: &Rows<'_>,
        row: &PlainRow,
        progress: &mut Progress,
        words: &mut Interner,
        v: &mut V,
    ) {
        let [white, black] = row.lengths;
        let white_at = row.number + usize::from(row.digits) + 1;
        let black_at = white_at + usize::from(white) + 1;
        let offset = |at: usize| self.base + at as u64;
        if !progress.state.skipped {
            let number = rows.text(row.number, row.digits);
            v.known_number(number, offset(row.number), row.half_moves);
        }
        let [white_id, black_id] = row.moves;
        let cell = (rows.text(white_at, white), offset(white_at), Side::White);
        self.moves(cell, Some(white_id), progress, words, v);
        let cell = (rows.text(black_at, black), offset(black_at), Side::Black);
        self.moves(cell, Some(black_id), progress, words, v);
    }

    /// Reports a cell of a player's moves, with its number if it is a known move. Returns whether the player has moved, or `None` for an empty cell.
    #[inline(always)]
    fn moves<V: Visitor + ?Sized>(
        &self,
        (cell, at, side): (&[u8], u64, Side),
        known: Option<TokenId>,
        progress: &mut Progress,
        words: &mut Interner,
        v: &mut V,
    ) -> Option<bool> {
        let Some(id) = known.filter(|_| !progress.state.skipped) else {
            return self.movetext((cell, at, side), progress, words, v);
        };
        if progress.next.is_some_and(|next| next != side) {
            v.damage(Damage::SheetRow, at, cell.len());
        }
        progress.state.has_moves = true;
        progress.state.skipped = v.known_move(cell, at, id) == Flow::Skip;
        progress.next = Some(side.other());
        Some(true)
    }

    /// [`moves`](Self::moves) for a cell that is not a single known move.
    #[inline(never)]
    fn movetext<V: Visitor + ?Sized>(
        &self,
        (cell, at, side): (&[u8], u64, Side),
        progress: &mut Progress,
        words: &mut Interner,
        v: &mut V,
    ) -> Option<bool> {
        if is_empty_cell(cell) {
            return None;
        }
        let mut counter = Counter {
            inner: &mut *v,
            depth: 0,
            moves: 0,
            damaged: false,
            misplaced: progress.next.is_some_and(|next| next != side),
            cell: (at, side),
            implied: None,
        };
        let state = progress.state;
        // Most cells are one move, so that a copy of the reader for cells alone would not pay.
        let visitor: &mut dyn Visitor = &mut counter;
        let (after, found) = read_fragment(cell, at, self.limits, state, words, visitor);
        let (moves, damaged) = (counter.moves, counter.damaged);
        let found = found.or(counter.implied);
        progress.state = after;
        if moves % 2 == 1 {
            progress.next = Some(side.other());
        } else if moves > 0 {
            progress.next = Some(side);
        } else if damaged {
            progress.next = None;
        }
        // A result is at the end of its cell.
        let before = found.map_or(0, |(_, there)| there.saturating_sub(at));
        let before = usize::try_from(before).unwrap_or(usize::MAX);
        let len = cell.trim_ascii_end().len().saturating_sub(before);
        merge_result(&mut progress.result, found, len, v);
        Some(moves > 0)
    }

    /// Reports a clock time, as that of the move, or else as a comment.
    fn clock<V: Visitor + ?Sized>(
        &self,
        cells: Cells<'_>,
        (side, has_moved): (Side, bool),
        v: &mut V,
    ) {
        for &column in &self.clocks {
            if self.layout.columns.get(column) != Some(&Column::Clock(side)) {
                continue;
            }
            let (at, cell) = self.unescaped(cells, column);
            match cell.trim_ascii() {
                [] => {}
                time if has_moved && words::is_time(time) => v.comment(&words::clock(time), at),
                text => v.comment(text, at),
            }
        }
    }

    /// Reports the tags. Returns the columns with different values in different rows, in ascending order.
    fn tags<V: Visitor + ?Sized>(&self, rows: &Rows<'_>, game: &[Stored], v: &mut V) -> Vec<usize> {
        // A header may name thousands of columns: only cells that exist are read.
        let longest = cell_rows(game).map(Row::len).max();
        let there = |i: &&usize| **i < longest.unwrap_or(0);
        let columns: Vec<usize> = self.tags.iter().take_while(there).copied().collect();
        // Offset and text of the first value of each column, and whether another row has a different value.
        let mut values: Vec<Option<(u64, &[u8])>> = vec![None; columns.len()];
        let mut varied = vec![false; columns.len()];
        for row in cell_rows(game) {
            let cells = rows.cells(row);
            for ((i, value), varied) in columns.iter().zip(&mut values).zip(&mut varied) {
                if *i >= cells.len() {
                    break;
                }
                let (at, cell) = self.unescaped(cells, *i);
                let cell = cell.trim_ascii();
                match value {
                    _ if cell.is_empty() => {}
                    None => *value = Some((at, cell)),
                    Some((_, first)) => *varied |= *first != cell,
                }
            }
        }
        let mut remarks = Vec::new();
        let mut limiter = TagLimiter::new(self.limits);
        for ((i, value), varied) in columns.into_iter().zip(values).zip(varied) {
            match (self.layout.columns.get(i), value) {
                (Some(Column::Tag(_)), _) if varied => remarks.push(i),
                (Some(Column::Tag(name)), Some((at, value))) => {
                    limiter.report(v, (name.as_bytes(), &escape(value)), at, value.len());
                    if name == "FEN" && !self.has_setup {
                        v.tag(b"SetUp", b"1", at);
                    }
                }
                (Some(Column::Tags), Some((at, value))) => tags_of_cell(value, at, &mut limiter, v),
                _ => {}
            }
        }
        remarks
    }
}

/// Reads the tags in one cell, in the form of PGN.
fn tags_of_cell<V: Visitor + ?Sized>(cell: &[u8], base: u64, limiter: &mut TagLimiter, v: &mut V) {
    let mut pos = 0;
    loop {
        pos = lex::skip_blanks(cell, pos);
        if pos >= cell.len() {
            return;
        }
        let at = base + pos as u64;
        match lex::tag(cell, pos, || true) {
            lex::Tag::Read {
                name,
                value,
                end,
                damage,
            } if cell.get(pos) == Some(&b'[') => {
                let name = cell.get(name).unwrap_or_default();
                let value = cell.get(value).unwrap_or_default();
                limiter.report(v, (name, value), at, end - pos);
                if let Some(damage) = damage {
                    v.damage(damage, at, end - pos);
                }
                pos = end;
            }
            _ => {
                v.damage(Damage::TagMalformed, at, cell.len() - pos);
                return;
            }
        }
    }
}

/// A sheet may state its result twice, but not two different results.
fn merge_result<V: Visitor + ?Sized>(
    result: &mut Option<(GameResult, u64)>,
    found: Option<(GameResult, u64)>,
    len: usize,
    v: &mut V,
) {
    let Some((new, at)) = found else { return };
    match *result {
        None => *result = Some((new, at)),
        Some((old, _)) if old == new => {}
        Some(_) => v.damage(Damage::StrayResult, at, len),
    }
}

/// Passes on the events of a cell, and counts its moves. If the other player is to move, the first move is reported as
/// misplaced.
struct Counter<'v, V: ?Sized> {
    inner: &'v mut V,
    depth: usize,
    moves: usize,
    damaged: bool,
    misplaced: bool,
    /// Offset of the cell, and the player of its column.
    cell: (u64, Side),
    /// The result if a player resigned and only the column shows who.
    implied: Option<(GameResult, u64)>,
}

impl<V: Visitor + ?Sized> Visitor for Counter<'_, V> {
    fn move_token(&mut self, token: &[u8], at: u64) -> Flow {
        self.known_move(token, at, TokenId::NONE)
    }

    fn known_move(&mut self, token: &[u8], at: u64, id: TokenId) -> Flow {
        if self.depth == 0 {
            self.moves += 1;
            if std::mem::take(&mut self.misplaced) {
                self.inner.damage(Damage::SheetRow, at, token.len());
            }
        }
        self.inner.known_move(token, at, id)
    }

    fn move_number(&mut self, text: &[u8], at: u64) {
        self.inner.move_number(text, at);
    }

    fn comment(&mut self, text: &[u8], at: u64) {
        self.inner.comment(text, at);
    }

    fn line_comment(&mut self, text: &[u8], at: u64) {
        self.inner.line_comment(text, at);
    }

    fn nag(&mut self, nag: u8, at: u64) {
        self.inner.nag(nag, at);
    }

    fn suffix_mark(&mut self, text: &[u8], at: u64) {
        self.inner.suffix_mark(text, at);
    }

    fn draw_offer(&mut self, at: u64) {
        self.inner.draw_offer(at);
    }

    fn begin_variation(&mut self, at: u64) -> Flow {
        let flow = self.inner.begin_variation(at);
        self.depth += usize::from(flow == Flow::Go);
        flow
    }

    fn end_variation(&mut self, at: u64) {
        self.depth -= usize::from(self.depth > 0);
        self.inner.end_variation(at);
    }

    fn trailing_word(&mut self, text: &[u8], at: u64) {
        self.inner.trailing_word(text, at);
    }

    fn unusual(&mut self, what: Unusual, text: &[u8], at: u64) {
        self.inner.unusual(what, text, at);
    }

    fn ending(&mut self, text: &[u8], ending: Ending, at: u64) {
        let mut ending = ending;
        if ending == Ending::ResignedUnnamed(None) {
            // After a move in the same cell the other player resigns.
            let (cell, side) = self.cell;
            let result = match (side, at > cell) {
                (Side::White, false) | (Side::Black, true) => GameResult::Black,
                (Side::Black, false) | (Side::White, true) => GameResult::White,
            };
            ending = Ending::ResignedUnnamed(Some(result));
            self.implied = Some((result, at));
        }
        self.inner.ending(text, ending, at);
    }

    fn damage(&mut self, damage: Damage, at: u64, len: usize) {
        self.damaged = true;
        self.inner.damage(damage, at, len);
    }
}
