//! The reader of score sheets in CSV.
//!
//! A row has a number, White's move and Black's. A header in one of seven languages names the columns. Without a header
//! the order is game, number, white, black, and the first two may be missing. The delimiter is a comma, a semicolon or
//! a tab, or the one that the first line names (`sep=|`). Quoted cells may contain it. csv-core splits rows into cells.
//!
//! A cell is movetext: besides its move it may have marks, comments, variations and a draw offer. Any other column
//! becomes a tag if all its values in a game are equal (empty cells do not count). Otherwise each value becomes a
//! comment on its row.
//!
//! A game begins where the `game` column changes (an empty cell there means the same game) or, without such a column,
//! where the numbers begin again at 1.
//!
//! Two other kinds of sheets are recognised by their headers: with a column `moves` each row is a game, and with the
//! columns `ply` and `move` each row is a half-move.

mod games;
mod layout;
mod rows;
#[cfg(test)]
mod tests;

use self::games::{End, is_empty};
pub(crate) use self::games::{Games, Part, candidates, cut_by_reading, is_boundary};
pub use self::layout::SheetLayout;
use self::layout::{Column, Side};
pub(crate) use self::layout::{LAYOUT_HEAD, lacks_moves, looks_like_sheet};
use self::rows::{Cell, Rows};
use crate::date::Date;
use crate::interner::{Interner, TokenId, key_of};
use crate::item::Item;
use crate::lex::{self, escape};
use crate::pgn::headings::Parts;
use crate::pgn::read_fragment;
use crate::visit::{Damage, Ending, GameResult, Limits, Unusual, Visitor};
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
    let games = Games::new(layout.part(bytes, base, limits));
    read_part(games, None, &mut Interner::default(), visitor);
}

/// Reads the games of a part of a sheet. The last game may have been `cut`. Returns their number.
pub(crate) fn read_part<V: Visitor + ?Sized>(
    mut games: Games<'_>,
    cut: Option<Damage>,
    words: &mut Interner,
    v: &mut V,
) -> u32 {
    let mut count = 0;
    loop {
        let next = games.next();
        let damage = match next {
            End::NextGame => None,
            End::TooLong => Some(Damage::TooLong),
            End::Text => cut,
        };
        let mut reader = Reader {
            part: games.part,
            title: &[],
            words,
            v,
            has_moves: false,
            result: None,
            next: None,
            cell: (games.part.base, Side::White),
            turn: Side::White,
            has_moved: false,
            is_damaged: false,
            depth: 0,
            implied: None,
            first_ply: None,
            has_blocks: games.part.layout.has_blocks(),
        };
        if games.part.base < games.part.layout.header_end && count == 0 {
            reader.title = &games.part.layout.title;
        }
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
    /// The lines above the header, for the first game.
    title: &'r [(u64, Vec<u8>)],
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
    /// The result if a player resigned and only the column shows which one.
    implied: Option<(GameResult, u64)>,
    /// The number of the first half-move, if they are numbered.
    first_ply: Option<u32>,
    /// Blocks of rows are side by side, so a number may follow any move.
    has_blocks: bool,
}

impl<V: Visitor + ?Sized> Reader<'_, V> {
    /// Reports a game, and the damage at its end. Rows that are all damaged are not a game.
    fn game(&mut self, games: &Games<'_>, damage: Option<Damage>) {
        let end = self.part.base + games.end as u64;
        let mut varying = Vec::new();
        if let Some(first) = games.game.first()
            && games.is_game
        {
            self.v.begin_game(self.part.base + first.start as u64);
            varying = self.tags(games);
            self.titles();
        }
        for row in &games.game {
            if let Some(damage) = row.damage {
                let at = self.part.base + row.start as u64;
                self.v.damage(damage, at, row.end - row.start);
                // After an unreadable row the side to move is unknown.
                self.next = None;
            } else {
                self.row(games.rows.cells(row), &varying);
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

    /// Reports the lines above the header, as tags or comments.
    fn titles(&mut self) {
        let layout = self.part.layout;
        let mut known: Vec<String> = Vec::new();
        for column in &layout.columns {
            known.extend(match column {
                Column::Tag(name) => Some(name.clone()),
                Column::Result => Some("Result".to_owned()),
                _ => None,
            });
        }
        for (at, line) in self.title {
            let mut rows = Rows::new(line, layout.delimiter);
            let row = rows.next_row();
            let cells = row.iter().flat_map(|row| rows.cells(row));
            let cells = cells.map(|cell| lex::decode(cell.trimmed()).into_owned());
            // A wide gap separates a value from the next key.
            let text = cells.collect::<Vec<_>>().join("  ");
            let parts = Parts::of(&text);
            let is_known = |(name, _): &(&str, &str)| known.iter().any(|known| known == name);
            if parts.tags.is_empty() || parts.tags.iter().any(is_known) {
                self.v.item(Item::Comment(line), *at);
                continue;
            }
            for (name, value) in parts.tags {
                known.push(name.to_owned());
                let date = Date::parse(value).ok().filter(|_| name == "Date");
                let date = date.map(|date| date.to_string());
                let result = words::result_text(value.as_bytes()).filter(|_| name == "Result");
                let plain = result.map(|result| result.as_str().to_owned());
                let plain = date.or(plain);
                let value = plain.as_deref().unwrap_or(value);
                self.v.tag(name.as_bytes(), &escape(value.as_bytes()), *at);
                self.result = self.result.or(result.map(|result| (result, *at)));
            }
            for part in parts.rest {
                self.v.item(Item::Comment(part.as_bytes()), *at);
            }
        }
    }

    /// Reports the tags. Returns for each column whether its values differ.
    fn tags(&mut self, games: &Games<'_>) -> Vec<bool> {
        // The first value of each column, and whether another row has a different value.
        let mut values: Vec<(Option<&Cell<'_>>, bool)> = Vec::new();
        for row in &games.game {
            values.resize(values.len().max(row.columns), (None, false));
            for cell in games.rows.cells(row) {
                let column = self.part.layout.columns.get(cell.column);
                let is_tag = matches!(column, Some(Column::Tag(_) | Column::Tags));
                if let Some((value, varies)) = values.get_mut(cell.column).filter(|_| is_tag) {
                    let first = value.get_or_insert(cell);
                    *varies |= first.trimmed() != cell.trimmed();
                }
            }
        }
        for ((value, varies), column) in values.iter().zip(&self.part.layout.columns) {
            let Some(cell) = value else { continue };
            let (text, at) = (cell.trimmed(), self.at(cell));
            match column {
                Column::Tag(name) if !varies => {
                    self.v.tag(name.as_bytes(), &escape(text), at);
                    let is_setup =
                        |column: &Column| matches!(column, Column::Tag(name) if name == "SetUp");
                    if name == "FEN" && !self.part.layout.columns.iter().any(is_setup) {
                        self.v.tag(b"SetUp", b"1", at);
                    }
                }
                Column::Tags => tags_of_cell(text, at, self.v),
                _ => {}
            }
        }
        values.into_iter().map(|(_, varies)| varies).collect()
    }

    /// Reports a row. Values of `varying` columns become comments.
    fn row(&mut self, cells: &[Cell<'_>], varying: &[bool]) {
        let layout = self.part.layout;
        if layout.has_side_in_row {
            return self.side_row(cells);
        }
        let mut has_moved = [None; 2];
        let mut ply_side = self.next.unwrap_or(Side::White);
        for cell in cells {
            let Some(column) = layout.columns.get(cell.column) else {
                continue;
            };
            let (text, at) = (cell.trimmed(), self.at(cell));
            match column {
                // The number of the game, not of a move.
                Column::Number if layout.has_game_in_row => {}
                Column::Number => {
                    if self.has_blocks {
                        self.next = None;
                    }
                    let half_moves = words::number_alone(text).unwrap_or(0);
                    self.v.move_number(text, at, half_moves);
                }
                Column::Ply => {
                    let Some(ply) = layout::number(text).and_then(|ply| u32::try_from(ply).ok())
                    else {
                        self.v.damage(Damage::SheetRow, at, text.len());
                        continue;
                    };
                    let first = *self.first_ply.get_or_insert(ply);
                    // If the first half-move has the number 0, numbers begin at 0, else at 1.
                    let half_moves = ply.saturating_add(2 - first.min(1));
                    ply_side = [Side::White, Side::Black][half_moves as usize % 2];
                    self.v.move_number(text, at, half_moves);
                }
                Column::Move => {
                    self.moves(at, &cell.text, ply_side);
                }
                Column::Movetext => {
                    let (limits, has_moves) = (self.part.limits, &mut self.has_moves);
                    let found =
                        read_fragment(&cell.text, at, limits, has_moves, self.words, self.v);
                    self.merge_result(found, 0);
                }
                Column::Moves(side) => {
                    let has_moved = &mut has_moved[*side as usize];
                    let moved = self.moves(at, &cell.text, *side);
                    *has_moved = moved.or(*has_moved);
                }
                // A time belongs to the move of the row. Other text is a comment.
                Column::Clock(side) => match has_moved[*side as usize] {
                    Some(true) if words::is_time(text) => {
                        self.v.item(Item::Comment(&words::clock(text)), at);
                    }
                    Some(_) => self.v.item(Item::Comment(text), at),
                    None => {}
                },
                Column::Result => match words::result_text(text) {
                    Some(found) => self.merge_result(Some((found, at)), text.len()),
                    None => self.v.damage(Damage::BadResult, at, text.len()),
                },
                Column::Comment => self.v.item(Item::Comment(text), at),
                Column::Tag(name) if varying.get(cell.column) == Some(&true) => {
                    let comment = [name.as_bytes(), b": ", text].concat();
                    self.v.item(Item::Comment(&comment), at);
                }
                _ => {}
            }
        }
    }

    /// Reports a row with moves of one player. The game puts the moves of both players in order.
    fn side_row(&mut self, cells: &[Cell<'_>]) {
        let side = cells.first().and_then(|cell| {
            let name = cell.trimmed();
            words::side(name.strip_suffix(b":").unwrap_or(name))
        });
        let from = usize::from(side.is_some());
        for cell in cells.get(from..).unwrap_or_default() {
            self.next = None;
            let side = if side == Some("Black") {
                Side::Black
            } else {
                Side::White
            };
            self.moves(self.at(cell), &cell.text, side);
        }
    }

    fn at(&self, cell: &Cell<'_>) -> u64 {
        self.part.base + cell.at as u64
    }

    /// Reads a cell of a player's moves. Returns whether the player has moved, or `None` for an empty cell.
    fn moves(&mut self, at: u64, text: &[u8], side: Side) -> Option<bool> {
        if let Some(id) = key_of(text).and_then(|key| self.words.known_move(key)) {
            self.has_moves = true;
            self.turn = side;
            self.move_token(text, at, id);
            return Some(true);
        }
        (!is_empty(text.trim_ascii())).then(|| self.movetext(text, at, side))
    }

    /// Reads a cell that is not a single known move. Returns whether the player has moved.
    #[inline(never)]
    fn movetext(&mut self, text: &[u8], at: u64, side: Side) -> bool {
        (self.cell, self.turn) = ((at, side), side);
        (self.has_moved, self.is_damaged) = (false, false);
        (self.depth, self.implied) = (0, None);
        let (limits, mut has_moves) = (self.part.limits, self.has_moves);
        let mut words = std::mem::take(self.words);
        // Most cells are one move and are read above, so a compiled reader for cells alone would not pay.
        let visitor: &mut dyn Visitor = self;
        let found = read_fragment(text, at, limits, &mut has_moves, &mut words, visitor);
        (*self.words, self.has_moves) = (words, has_moves);
        let found = found.or(self.implied);
        if self.is_damaged && !self.has_moved {
            self.next = None;
        }
        // A result is at the end of its cell.
        let before = found.map_or(0, |(_, there)| there.saturating_sub(at));
        let before = usize::try_from(before).unwrap_or(usize::MAX);
        let len = text.trim_ascii_end().len();
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
fn tags_of_cell<V: Visitor + ?Sized>(cell: &[u8], base: u64, v: &mut V) {
    let mut pos = 0;
    loop {
        pos = lex::skip_blanks(cell, pos);
        if pos >= cell.len() {
            return;
        }
        let at = base + pos as u64;
        match lex::tag(cell, pos, || true) {
            Some(lex::Tag {
                text: Some([name, value]),
                end,
                damage,
            }) if cell.get(pos) == Some(&b'[') => {
                let name = cell.get(name).unwrap_or_default();
                let value = cell.get(value).unwrap_or_default();
                v.tag(name, value, at);
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

impl<V: Visitor + ?Sized> Visitor for Reader<'_, V> {
    fn move_number(&mut self, text: &[u8], at: u64, half_moves: u32) {
        self.v.move_number(text, at, half_moves);
    }

    #[inline(always)]
    fn move_token(&mut self, token: &[u8], at: u64, id: TokenId) {
        if self.depth == 0 {
            if self.next.is_some_and(|next| next != self.turn) {
                self.v.damage(Damage::SheetRow, at, token.len());
            }
            self.has_moved = true;
            self.turn = self.turn.other();
            self.next = Some(self.turn);
        }
        self.v.move_token(token, at, id);
    }

    fn item(&mut self, item: Item<&[u8]>, at: u64) {
        match item {
            Item::VariationStart => self.depth += 1,
            Item::VariationEnd => self.depth -= usize::from(self.depth > 0),
            _ => {}
        }
        self.v.item(item, at);
    }

    fn unusual(&mut self, what: Unusual, text: &[u8], at: u64) {
        self.v.unusual(what, text, at);
    }

    fn ending(&mut self, text: &[u8], ending: Ending, at: u64) {
        let mut ending = ending;
        if ending.result.is_none() {
            // After a move in the same cell the other player resigns.
            let (cell, side) = self.cell;
            let result = match (side, at > cell) {
                (Side::White, false) | (Side::Black, true) => GameResult::Black,
                (Side::Black, false) | (Side::White, true) => GameResult::White,
            };
            ending.result = Some(result);
            self.implied = Some((result, at));
        }
        self.v.ending(text, ending, at);
    }

    fn damage(&mut self, damage: Damage, at: u64, len: usize) {
        self.is_damaged = true;
        self.v.damage(damage, at, len);
    }
}
