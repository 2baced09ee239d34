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

mod games;
mod layout;
mod rows;
#[cfg(test)]
mod tests;

use self::games::{End, GameRow, Games, is_empty};
pub(crate) use self::games::{Part, candidates, cut_by_reading, is_seam};
pub use self::layout::SheetLayout;
use self::layout::{Column, Side};
pub(crate) use self::layout::{LAYOUT_HEAD, lacks_moves, looks_like_sheet};
use self::rows::Cell;
use crate::interner::{Interner, TokenId};
use crate::lex::{self, escape};
use crate::pgn::read_fragment;
use crate::visit::{Damage, Ending, GameResult, Limits, TagLimiter, Unusual, Visitor};
use crate::words;

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
    let part = Part {
        bytes,
        base,
        layout,
        limits,
    };
    read_part(part, None, &mut Interner::default(), visitor);
}

/// Reads a part of a sheet whose last game may have been `cut`. Returns the number of games.
pub(crate) fn read_part<V: Visitor + ?Sized>(
    part: Part<'_>,
    cut: Option<Damage>,
    words: &mut Interner,
    v: &mut V,
) -> u32 {
    let mut games = Games::new(part);
    let mut count = 0;
    loop {
        let next = games.next(words);
        let damage = match next {
            End::NextGame => None,
            End::TooLong => Some(Damage::TooLong),
            End::Text => cut,
        };
        let mut reader = Reader {
            part,
            words,
            v,
            has_moves: false,
            result: None,
            next: None,
            cell: (part.base, Side::White),
            turn: Side::White,
            has_moved: false,
            is_damaged: false,
            depth: 0,
            implied: None,
        };
        reader.game(&games, damage);
        count += u32::from(games.is_game);
        if next == End::Text {
            return count;
        }
    }
}

/// Reads the rows of a game, and passes on the events of the cells. A move of the player who is not to move is reported
/// as misplaced.
struct Reader<'r, V: ?Sized> {
    part: Part<'r>,
    words: &'r mut Interner,
    v: &'r mut V,
    has_moves: bool,
    result: Option<(GameResult, u64)>,
    /// The side to move, if it is known.
    next: Option<Side>,
    /// Offset of the cell, and the player of its column.
    cell: (u64, Side),
    /// The player of the next move of the cell.
    turn: Side,
    has_moved: bool,
    is_damaged: bool,
    depth: usize,
    /// The result if a player resigned and only the column shows who.
    implied: Option<(GameResult, u64)>,
}

impl<V: Visitor + ?Sized> Reader<'_, V> {
    /// Reports a game, and the damage at its end. Rows that are all damaged are not a game.
    fn game(&mut self, games: &Games<'_>, damage: Option<Damage>) {
        let end = self.part.base + games.end as u64;
        let mut varying = Vec::new();
        // The first row of a game is not plain.
        if let Some(GameRow::Cells(first)) = games.game.first()
            && games.is_game
        {
            let start = self.part.base + first.start as u64;
            self.v.begin_game(start);
            varying = self.tags(games);
            self.v.begin_moves(start);
        }
        for row in &games.game {
            match row {
                GameRow::Plain(row) => {
                    let cells = row.cells.map(|(at, length)| {
                        let text = rows::slice(self.part.bytes, at, at + length);
                        (text, self.part.base + at as u64)
                    });
                    let [(number, at), white, black] = cells;
                    self.v.known_number(number, at, row.half_moves);
                    for (side, (text, at), id) in [
                        (Side::White, white, row.moves[0]),
                        (Side::Black, black, row.moves[1]),
                    ] {
                        self.has_moves = true;
                        self.turn = side;
                        self.known_move(text, at, id);
                    }
                }
                GameRow::Cells(row) => match row.damage {
                    None => self.row(&row.cells, &varying),
                    Some(damage) => {
                        let at = self.part.base + row.start as u64;
                        self.v.damage(damage, at, row.end - row.start);
                        // After an unreadable row the side to move is unknown.
                        self.next = None;
                    }
                },
            }
        }
        if games.is_game {
            if let Some((result, at)) = self.result {
                self.v.result(result, at);
            }
            if let Some(damage) = damage {
                self.v.damage(damage, end, 0);
            }
            self.v.end_game(end);
        }
    }

    /// Reports the tags. Returns for each column whether its values differ.
    fn tags(&mut self, games: &Games<'_>) -> Vec<bool> {
        // The first value of each column, and whether another row has a different value.
        let mut values: Vec<(Option<&Cell<'_>>, bool)> = Vec::new();
        for row in &games.game {
            let GameRow::Cells(row) = row else { continue };
            values.resize(values.len().max(row.columns), (None, false));
            for cell in &row.cells {
                if let Some((value, varies)) = values.get_mut(cell.column) {
                    let first = value.get_or_insert(cell);
                    *varies |= first.trimmed() != cell.trimmed();
                }
            }
        }
        let mut limiter = TagLimiter::new(self.part.limits);
        for ((value, varies), column) in values.iter().zip(&self.part.layout.columns) {
            let Some(cell) = value else { continue };
            let (text, at) = (cell.trimmed(), self.at(cell));
            match column {
                Column::Tag(name) if !varies => {
                    let tag = (name.as_bytes(), &*escape(text));
                    limiter.report(self.v, tag, at, text.len());
                    let setup = Column::Tag("SetUp".to_owned());
                    if name == "FEN" && !self.part.layout.columns.contains(&setup) {
                        self.v.tag(b"SetUp", b"1", at);
                    }
                }
                Column::Tags => tags_of_cell(text, at, &mut limiter, self.v),
                _ => {}
            }
        }
        values.into_iter().map(|(_, varies)| varies).collect()
    }

    /// Reports a row. Values of columns that are `varying` in the game are comments.
    fn row(&mut self, cells: &[Cell<'_>], varying: &[bool]) {
        let columns = &self.part.layout.columns;
        let of = |wanted: Column| {
            let is_wanted = move |cell: &&Cell<'_>| columns.get(cell.column) == Some(&wanted);
            cells.iter().filter(is_wanted)
        };
        for number in of(Column::Number) {
            self.v.move_number(number.trimmed(), self.at(number));
        }
        for side in Side::BOTH {
            let mut has_moved = None;
            for cell in of(Column::Moves(side)) {
                if !is_empty(cell.trimmed()) {
                    has_moved = Some(self.movetext(cell, side));
                }
            }
            for cell in of(Column::Clock(side)) {
                // As that of the move, or else as a comment.
                let (text, at) = (cell.trimmed(), self.at(cell));
                match has_moved {
                    Some(true) if words::is_time(text) => self.v.comment(&words::clock(text), at),
                    Some(_) => self.v.comment(text, at),
                    None => {}
                }
            }
        }
        for cell in cells {
            let Some(column) = columns.get(cell.column) else {
                break;
            };
            let (text, at) = (cell.trimmed(), self.at(cell));
            match column {
                Column::Result => match words::result_text(text) {
                    Some(found) => self.merge_result(Some((found, at)), text.len()),
                    None => self.v.damage(Damage::BadResult, at, text.len()),
                },
                Column::Comment => self.v.comment(text, at),
                Column::Tag(name) if varying.get(cell.column) == Some(&true) => {
                    let comment = [name.as_bytes(), b": ", text].concat();
                    self.v.comment(&comment, at);
                }
                _ => {}
            }
        }
    }

    fn at(&self, cell: &Cell<'_>) -> u64 {
        self.part.base + cell.at as u64
    }

    /// Reports a cell of a player's moves. Returns whether the player has moved.
    #[inline(never)]
    fn movetext(&mut self, cell: &Cell<'_>, side: Side) -> bool {
        let (at, limits) = (self.at(cell), self.part.limits);
        (self.cell, self.turn) = ((at, side), side);
        (self.has_moved, self.is_damaged) = (false, false);
        (self.depth, self.implied) = (0, None);
        let (mut words, mut has_moves) = (std::mem::take(self.words), self.has_moves);
        // Most cells are one move, so that a copy of the reader for cells alone would not pay.
        let visitor: &mut dyn Visitor = self;
        let found = read_fragment(&cell.text, at, limits, &mut has_moves, &mut words, visitor);
        (*self.words, self.has_moves) = (words, has_moves);
        let found = found.or(self.implied);
        if self.is_damaged && !self.has_moved {
            self.next = None;
        }
        // A result is at the end of its cell.
        let before = found.map_or(0, |(_, there)| there.saturating_sub(at));
        let before = usize::try_from(before).unwrap_or(usize::MAX);
        let len = cell.text.trim_ascii_end().len();
        self.merge_result(found, len.saturating_sub(before));
        self.has_moved
    }

    /// A sheet may state its result twice, but not two different results.
    fn merge_result(&mut self, found: Option<(GameResult, u64)>, len: usize) {
        let Some((new, at)) = found else { return };
        let (result, _) = *self.result.get_or_insert((new, at));
        if result != new {
            self.v.damage(Damage::StrayResult, at, len);
        }
    }
}

/// Reads the tags in one cell, in the form of PGN.
fn tags_of_cell<V: Visitor + ?Sized>(cell: &[u8], base: u64, limiter: &mut TagLimiter, v: &mut V) {
    let mut pos = lex::skip_blanks(cell, 0);
    while pos < cell.len() {
        let at = base + pos as u64;
        let tag = lex::tag(cell, pos, || true).filter(|_| cell.get(pos) == Some(&b'['));
        let Some(lex::Tag {
            text: Some(text),
            end,
            damage,
        }) = tag
        else {
            return v.damage(Damage::TagMalformed, at, cell.len() - pos);
        };
        let [name, value] = text.map(|part| cell.get(part).unwrap_or_default());
        limiter.report(v, (name, value), at, end - pos);
        if let Some(damage) = damage {
            v.damage(damage, at, end - pos);
        }
        pos = lex::skip_blanks(cell, end);
    }
}

/// Methods of a visitor that call those of another.
macro_rules! pass_on {
    ($($name:ident($($value:ident: $type:ty),*);)*) => {
        $(fn $name(&mut self, $($value: $type),*) {
            self.v.$name($($value),*);
        })*
    };
}

impl<V: Visitor + ?Sized> Visitor for Reader<'_, V> {
    fn move_token(&mut self, token: &[u8], at: u64) {
        self.known_move(token, at, TokenId::NONE);
    }

    #[inline(always)]
    fn known_move(&mut self, token: &[u8], at: u64, id: TokenId) {
        if self.depth == 0 {
            if self.next.is_some_and(|next| next != self.turn) {
                self.v.damage(Damage::SheetRow, at, token.len());
            }
            self.has_moved = true;
            self.turn = self.turn.other();
            self.next = Some(self.turn);
        }
        self.v.known_move(token, at, id);
    }

    fn begin_variation(&mut self, at: u64) {
        self.depth += 1;
        self.v.begin_variation(at);
    }

    fn end_variation(&mut self, at: u64) {
        self.depth -= usize::from(self.depth > 0);
        self.v.end_variation(at);
    }

    pass_on! {
        move_number(text: &[u8], at: u64);
        comment(text: &[u8], at: u64);
        line_comment(text: &[u8], at: u64);
        nag(nag: u8, at: u64);
        suffix_mark(text: &[u8], at: u64);
        draw_offer(at: u64);
        trailing_word(text: &[u8], at: u64);
        unusual(what: Unusual, text: &[u8], at: u64);
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
        self.v.ending(text, ending, at);
    }

    fn damage(&mut self, damage: Damage, at: u64, len: usize) {
        self.is_damaged = true;
        self.v.damage(damage, at, len);
    }
}
