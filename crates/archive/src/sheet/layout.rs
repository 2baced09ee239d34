//! The layout of a score sheet: its delimiter and the meaning of its columns.

use tridex_words::Context;

use super::rows::{Cell, Rows};
use crate::lex;
use crate::pgn::BYTE_ORDER_MARK;
use crate::words;

/// A player, by the column of the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    White,
    Black,
}

impl Side {
    pub(super) const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// The meaning of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Game,
    Number,
    /// The number of a half-move, and the half-move.
    Ply,
    Move,
    /// A player's moves.
    Moves(Side),
    /// All moves of a game.
    Movetext,
    Result,
    Comment,
    /// The clock time after a player's move.
    Clock(Side),
    /// Tags in the form of PGN.
    Tags,
    /// A tag of this name.
    Tag(String),
}

impl Column {
    /// The position of a cell among those of its row when they are reported.
    pub(super) const fn order(&self) -> u8 {
        match self {
            // The name of a game is not reported.
            Self::Game | Self::Number | Self::Ply => 0,
            Self::Move | Self::Movetext => 1,
            Self::Moves(side) => 1 + 2 * *side as u8,
            Self::Clock(side) => 2 + 2 * *side as u8,
            _ => 5,
        }
    }
}

const MOVES: [Column; 2] = [Column::Moves(Side::White), Column::Moves(Side::Black)];

/// The layout of a score sheet: its delimiter, its columns and what is above them.
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
    pub(super) delimiter: u8,
    pub(super) columns: Vec<Column>,
    /// Offset of the end of the header, if there is one.
    pub(super) header_end: u64,
    /// The lines above the header, each with its offset.
    pub(super) title: Vec<(u64, Vec<u8>)>,
    /// Whether each row has a whole game.
    pub(super) has_game_in_row: bool,
    /// Whether each row has moves of one player, whom its first cell names.
    pub(super) has_side_in_row: bool,
    /// The cells of the header, which may be repeated on each page.
    pub(super) header: Vec<String>,
}

/// The maximum number of rows above a header.
const MOST_TITLES: usize = 10;

/// Bytes used to detect a layout.
pub(crate) const LAYOUT_HEAD: usize = 64 << 10;

impl SheetLayout {
    /// Detects the layout from the first rows of a sheet, whose first byte has the offset `base`.
    pub fn detect(head: &[u8], base: u64) -> Self {
        let positional = || {
            let first = FirstRow::of(head);
            Self {
                delimiter: first.delimiter,
                columns: positional(&first.cells),
                header_end: base + first.start as u64,
                title: Vec::new(),
                has_game_in_row: false,
                has_side_in_row: false,
                header: Vec::new(),
            }
        };
        let layout = Self::with_header(head, base).or_else(|| Self::with_sides(head, base));
        layout.unwrap_or_else(positional)
    }

    /// The layout of a sheet with White's moves in a row and Black's in the next one, perhaps below a row of numbers.
    fn with_sides(head: &[u8], base: u64) -> Option<Self> {
        let mut row = FirstRow::of(head);
        let separator = row.separator;
        let is_numbers = |cells: &[String]| {
            let mut numbers = cells.iter().skip(1).filter(|cell| !cell.is_empty());
            cells.len() > 2 && numbers.all(|cell| number(cell.as_bytes()).is_some())
        };
        if is_numbers(&row.cells) {
            row = FirstRow::at(head, row.end, separator);
        }
        let side = |row: &FirstRow| words::side(row.cells.first()?.trim_matches(':').as_bytes());
        let next = FirstRow::at(head, row.end, separator);
        let are_sides = (side(&row), side(&next)) == (Some("White"), Some("Black"));
        (are_sides && row.cells.len() > 2).then(|| Self {
            delimiter: row.delimiter,
            columns: Vec::new(),
            header_end: base + row.start as u64,
            title: Vec::new(),
            has_game_in_row: false,
            has_side_in_row: true,
            header: Vec::new(),
        })
    }

    /// Whether the columns of the moves are repeated: blocks of rows side by side.
    pub(super) fn has_blocks(&self) -> bool {
        let numbers = self
            .columns
            .iter()
            .filter(|column| **column == Column::Number);
        let white = self.columns.iter().filter(|column| **column == MOVES[0]);
        numbers.count() > 1 && white.count() > 1
    }

    /// Whether a row repeats the header, as at the top of another page.
    pub(super) fn is_header(&self, cells: &[Cell<'_>]) -> bool {
        let is_named = |cell: &Cell<'_>| {
            let name = self.header.get(cell.column);
            name.is_some_and(|name| name.as_bytes().eq_ignore_ascii_case(cell.trimmed()))
        };
        // Nearly always the first cell decides.
        let names = || self.header.iter().filter(|name| !name.is_empty()).count();
        !cells.is_empty() && cells.iter().all(is_named) && cells.len() == names()
    }

    /// The layout of a sheet that has a header, perhaps below a title.
    fn with_header(head: &[u8], base: u64) -> Option<Self> {
        let first = FirstRow::of(head);
        let (start, separator) = (first.start, first.separator);
        let mut row = first;
        for _ in 0..MOST_TITLES {
            if let Some(columns) = header(&row.cells) {
                let title = head.get(start..row.start).unwrap_or_default();
                return Some(Self {
                    delimiter: row.delimiter,
                    has_game_in_row: columns.contains(&Column::Movetext),
                    has_side_in_row: false,
                    header: row.cells,
                    columns,
                    header_end: base + row.end as u64,
                    title: title_lines(title, base + start as u64),
                });
            }
            let number = row.cells.first().map(|cell| number(cell.as_bytes()));
            if row.end >= head.len() || number.flatten().is_some() {
                return None;
            }
            row = FirstRow::at(head, row.end, separator);
        }
        None
    }

    /// Whether rows begin with the game and the number (true) or with the number alone (false). `None` if they begin
    /// otherwise, or if a later column has a game, a number or moves.
    pub(super) fn begins_with_number(&self) -> Option<bool> {
        let (is_named, rest) = match self.columns.as_slice() {
            [Column::Game, rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let rest = rest.strip_prefix(&[Column::Number])?.strip_prefix(&MOVES)?;
        let moves = |column: &Column| {
            matches!(
                column,
                Column::Game | Column::Number | Column::Moves(_) | Column::Movetext
            )
        };
        (!rest.iter().any(moves)).then_some(is_named)
    }
}

/// Whether a text begins like a score sheet.
pub(crate) fn looks_like_sheet(head: &[u8]) -> bool {
    let FirstRow { cells, .. } = FirstRow::of(head);
    let [first, _, ..] = cells.as_slice() else {
        return false;
    };
    header(&cells).is_some() || number(first.as_bytes()).is_some() || known_names(&cells) > 1
}

/// Whether a sheet has a header that names some columns, but not the moves.
pub(crate) fn lacks_moves(head: &[u8]) -> bool {
    let has_header = SheetLayout::with_header(head, 0).is_some();
    !has_header && known_names(&FirstRow::of(head).cells) > 0
}

/// The number of known columns that a first row names. A row with a long cell, or with digits as in moves, names none.
fn known_names(cells: &[String]) -> usize {
    let is_name = |cell: &String| cell.len() < 30 && !cell.contains(|c: char| c.is_numeric());
    let is_header = cells.len() > 1 && cells.iter().all(is_name);
    let known = cells.iter().filter(|cell| meaning_of(cell).is_some());
    if is_header { known.count() } else { 0 }
}

/// A row at the beginning of a sheet.
struct FirstRow {
    delimiter: u8,
    /// The delimiter that the line `sep=` names.
    separator: Option<u8>,
    cells: Vec<String>,
    start: usize,
    end: usize,
}

impl FirstRow {
    /// The first row that is not empty, after the line `sep=;` of spreadsheets.
    fn of(head: &[u8]) -> Self {
        let first = Self::at(head, 0, None);
        let end = lex::line_end(head, first.start);
        let line = head.get(first.start..end).unwrap_or_default();
        let line = line
            .strip_prefix(BYTE_ORDER_MARK)
            .unwrap_or(line)
            .trim_ascii();
        let inner = line
            .strip_prefix(b"\"")
            .and_then(|line| line.strip_suffix(b"\""));
        match inner.unwrap_or(line) {
            [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', separator] => {
                Self::at(head, end, Some(*separator))
            }
            _ => first,
        }
    }

    /// The first row that is not empty from a place on.
    fn at(head: &[u8], from: usize, separator: Option<u8>) -> Self {
        let rest = head.get(from..).unwrap_or_default();
        let start = from + rest.iter().take_while(|b| lex::is_newline(**b)).count();
        let rest = head.get(start..).unwrap_or_default();
        let delimiter = separator.unwrap_or_else(|| delimiter_of(rest));
        let mut rows = Rows::new(rest, delimiter);
        let mut cells = Vec::new();
        if let Some(row) = rows.next_row() {
            cells.resize(row.columns, String::new());
            for cell in rows.cells(&row) {
                if let Some(text) = cells.get_mut(cell.column) {
                    *text = lex::decode(&cell.text).trim().to_owned();
                }
            }
        }
        Self {
            delimiter,
            separator,
            cells,
            start,
            end: start + rows.pos,
        }
    }
}

/// The lines above a header, without empty cells and quotes at their ends.
fn title_lines(text: &[u8], base: u64) -> Vec<(u64, Vec<u8>)> {
    let is_text = |b: &u8| !b.is_ascii_whitespace() && !matches!(b, b',' | b';' | b'"');
    let mut lines = Vec::new();
    let mut from = 0;
    while from < text.len() {
        let end = lex::line_end(text, from);
        let line = text.get(from..end).unwrap_or_default();
        if let Some(first) = line.iter().position(is_text)
            && let Some(last) = line.iter().rposition(is_text)
        {
            let title = line.get(first..=last).unwrap_or_default();
            lines.push((base + (from + first) as u64, title.to_vec()));
        }
        from = end + 1;
    }
    lines
}

/// The delimiter: the first of tab, semicolon and comma that is in the first line outside of quotes. The comma is last
/// because cells may contain it.
fn delimiter_of(head: &[u8]) -> u8 {
    let head = head.get(lex::skip_blanks(head, 0)..).unwrap_or_default();
    let line = head.get(..lex::line_end(head, 0)).unwrap_or_default();
    let outside = line.split(|b| *b == b'"').step_by(2);
    let is_there = |mark: &u8| outside.clone().any(|part| part.contains(mark));
    [b'\t', b';'].into_iter().find(is_there).unwrap_or(b',')
}

/// The columns of a sheet without a header. The numbers at the beginning of the first row decide.
fn positional(cells: &[String]) -> Vec<Column> {
    let is_number = |cell: &&String| number(cell.as_bytes()).is_some();
    let before = match cells.iter().take_while(is_number).count() {
        0 => &[][..],
        1 => &[Column::Number],
        _ => &[Column::Game, Column::Number],
    };
    [before, &MOVES].concat()
}

/// The columns that a header names. `None` if it does not name the moves: those of both players, of half-moves or of
/// whole games.
fn header(cells: &[String]) -> Option<Vec<Column>> {
    let mut columns: Vec<Column> = cells.iter().map(|cell| column_of(cell)).collect();
    let has_plies = columns.contains(&Column::Ply);
    let has_games = columns.contains(&Column::Movetext) && known_names(cells) > 1;
    for column in &mut columns {
        let tag = match column {
            // Without a column `ply`, `move` is the number of a move.
            Column::Move if !has_plies => {
                *column = Column::Number;
                continue;
            }
            // In sheets of whole games these are players.
            Column::Moves(Side::White) if has_games => "White",
            Column::Moves(Side::Black) if has_games => "Black",
            Column::Movetext if !has_games => "Moves",
            _ => continue,
        };
        *column = Column::Tag(tag.to_owned());
    }
    // `White:,Anna,Black:,Bert` is a line of a title.
    let is_key = |(cell, column): (&String, &Column)| cell.ends_with(':') && MOVES.contains(column);
    let has_keys = cells.iter().zip(&columns).any(is_key);
    let has_both = !has_keys && MOVES.iter().all(|moves| columns.contains(moves));
    let has_moves = has_games || has_both || has_plies && columns.contains(&Column::Move);
    has_moves.then_some(columns)
}

/// The meaning of the name of a column, if it is known.
fn meaning_of(cell: &str) -> Option<&'static str> {
    let letters = cell.chars().filter(|c| c.is_alphanumeric() || *c == '#');
    let name: String = letters.flat_map(char::to_lowercase).collect();
    tridex_words::meaning(Context::Column, &name)
}

fn column_of(cell: &str) -> Column {
    match meaning_of(cell) {
        Some("Game") => Column::Game,
        Some("Number") => Column::Number,
        Some("Ply") => Column::Ply,
        Some("Move") => Column::Move,
        Some("Movetext") => Column::Movetext,
        Some("White") => Column::Moves(Side::White),
        Some("Black") => Column::Moves(Side::Black),
        Some("Result") => Column::Result,
        Some("Comment") => Column::Comment,
        Some("WhiteClock") => Column::Clock(Side::White),
        Some("BlackClock") => Column::Clock(Side::Black),
        Some("Tags") => Column::Tags,
        Some("WhitePlayer") => Column::Tag("White".to_owned()),
        Some("BlackPlayer") => Column::Tag("Black".to_owned()),
        Some(tag) => Column::Tag(tag.to_owned()),
        None if cell.chars().any(|c| c.is_alphanumeric() || c == '#') => {
            Column::Tag(tag_name(cell))
        }
        None => Column::Comment,
    }
}

/// Converts the name of a column to that of a tag: `white elo` becomes `WhiteElo`. Capital letters stay.
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
pub(super) fn number(cell: &[u8]) -> Option<u64> {
    let digits = std::str::from_utf8(cell.strip_suffix(b".").unwrap_or(cell)).ok()?;
    digits.parse().ok().filter(|_| !digits.starts_with('+'))
}
