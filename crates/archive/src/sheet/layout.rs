//! The layout of a score sheet: its delimiter and the meaning of its columns.

use tridex_words::Context;

use super::rows::Rows;
use crate::lex;

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
    /// A player's moves.
    Moves(Side),
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
    /// The place of its cell among those of a row when they are reported.
    pub(super) const fn order(&self) -> u8 {
        match self {
            Self::Number => 0,
            Self::Moves(side) => 1 + 2 * *side as u8,
            Self::Clock(side) => 2 + 2 * *side as u8,
            _ => 5,
        }
    }
}

const MOVES: [Column; 2] = [Column::Moves(Side::White), Column::Moves(Side::Black)];

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
    pub(super) delimiter: u8,
    pub(super) columns: Vec<Column>,
    /// Offset at which the header ends, if there is one.
    pub(super) header_end: u64,
}

/// Bytes used to detect a layout.
pub(crate) const LAYOUT_HEAD: usize = 64 << 10;

impl SheetLayout {
    /// Detects the layout from the first rows of a sheet, whose first byte has the offset `base`.
    pub fn detect(head: &[u8], base: u64) -> Self {
        let (delimiter, cells, end) = first_row(head);
        let (columns, header_end) = match header(&cells) {
            Some(columns) => (columns, base + end as u64),
            None => (positional(&cells), base),
        };
        Self {
            delimiter,
            columns,
            header_end,
        }
    }

    /// The delimiters after the moves in rows of a game, a number and two moves, and whether the game comes first: if
    /// these columns are the first ones, in this order, and `game` may be missing.
    pub(super) fn plain(&self) -> Option<(bool, Vec<u8>)> {
        let (is_named, rest) = match self.columns.as_slice() {
            [Column::Game, rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let rest = rest.strip_prefix(&[Column::Number])?.strip_prefix(&MOVES)?;
        let moves =
            |column: &Column| matches!(column, Column::Game | Column::Number | Column::Moves(_));
        let delimiters = vec![self.delimiter; rest.len()];
        (!rest.iter().any(moves)).then_some((is_named, delimiters))
    }
}

/// Whether a text begins like a score sheet.
pub(crate) fn looks_like_sheet(head: &[u8]) -> bool {
    let (_, cells, _) = first_row(head);
    let [first, _, ..] = cells.as_slice() else {
        return false;
    };
    header(&cells).is_some() || number(first.as_bytes()).is_some() || known_names(&cells) > 1
}

/// Whether a sheet has a header that names some columns, but not the moves.
pub(crate) fn lacks_moves(head: &[u8]) -> bool {
    let (_, cells, _) = first_row(head);
    header(&cells).is_none() && known_names(&cells) > 0
}

/// The number of known columns that a first row names. A row with a long cell or with digits, as moves have, names none.
fn known_names(cells: &[String]) -> usize {
    let is_name = |cell: &String| cell.len() < 30 && !cell.contains(|c: char| c.is_numeric());
    let is_header = cells.len() > 1 && cells.iter().all(is_name);
    let known = cells.iter().filter(|cell| meaning_of(cell).is_some());
    if is_header { known.count() } else { 0 }
}

/// The delimiter of a sheet, the cells of its first row that is not empty, and the end of that row.
fn first_row(head: &[u8]) -> (u8, Vec<String>, usize) {
    let delimiter = delimiter_of(head);
    let mut rows = Rows::new(head, delimiter);
    rows.pos = head.iter().take_while(|b| lex::is_newline(**b)).count();
    let mut texts = Vec::new();
    if let Some(row) = rows.next_row() {
        texts.resize(row.columns, String::new());
        for cell in rows.cells(&row) {
            if let Some(text) = texts.get_mut(cell.column) {
                *text = lex::decode(&cell.text).trim().to_owned();
            }
        }
    }
    (delimiter, texts, rows.pos)
}

/// The delimiter: of tab, semicolon and comma the first that is in the first line outside of quotes. The comma is last
/// because cells may contain it.
fn delimiter_of(head: &[u8]) -> u8 {
    let head = head.get(lex::skip_blanks(head, 0)..).unwrap_or_default();
    let line = head.get(..lex::line_end(head, 0)).unwrap_or_default();
    let outside = line.split(|b| *b == b'"').step_by(2);
    let is_there = |mark: &u8| outside.clone().any(|part| part.contains(mark));
    [b'\t', b';'].into_iter().find(is_there).unwrap_or(b',')
}

/// The columns of a sheet without a header, by the numbers at the beginning of its first row.
fn positional(cells: &[String]) -> Vec<Column> {
    let is_number = |cell: &&String| number(cell.as_bytes()).is_some();
    let before = match cells.iter().take_while(is_number).count() {
        0 => &[][..],
        1 => &[Column::Number],
        _ => &[Column::Game, Column::Number],
    };
    [before, &MOVES].concat()
}

/// The columns of a header. `None` if it does not name both players' moves.
fn header(cells: &[String]) -> Option<Vec<Column>> {
    let columns: Vec<Column> = cells.iter().map(|cell| column_of(cell)).collect();
    let has_both = MOVES.iter().all(|moves| columns.contains(moves));
    has_both.then_some(columns)
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
pub(super) fn number(cell: &[u8]) -> Option<u64> {
    let digits = std::str::from_utf8(cell.strip_suffix(b".").unwrap_or(cell)).ok()?;
    digits.parse().ok().filter(|_| !digits.starts_with('+'))
}
