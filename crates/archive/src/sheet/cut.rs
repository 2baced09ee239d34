//! Where a sheet may be cut between games.

use super::rows::{Row, Rows};
use super::{Grouping, Layout, says_moves};
use crate::cut::Cut;
use crate::visit::{BATCH_GAMES, Damage, Limits};

/// Looks for a place where a part of a sheet may be cut. Asked again with more of the same part it goes on where it was,
/// so that no row is looked at twice.
#[derive(Debug, Default)]
pub(crate) struct Cutter {
    /// Rows before this one are done.
    pos: usize,
    grouping: Grouping,
    games: u32,
    game_start: usize,
    in_game: bool,
    /// Where the first row of the game stands that was not looked at, since it begins with the game's name as all do. What
    /// else such rows say is asked only where one comes without a name.
    skipped: Option<usize>,
    /// Where the last game may end. Where that game leaves a quote open, what was taken for a row of it may be none without
    /// the rows behind it, so no cut is made there.
    safe: usize,
}

impl Cutter {
    /// Finds the last place up to which the games of a part are whole, or the first after `target`
    /// bytes. `eof` says that nothing comes after the part. What was found is given away, and the next part is another.
    pub(crate) fn cut(
        &mut self,
        bytes: &[u8],
        base: u64,
        layout: &Layout,
        limits: &Limits,
        target: usize,
        eof: bool,
    ) -> Option<Cut> {
        let cut = self.look(bytes, base, layout, limits, target, eof);
        if cut.is_some() {
            *self = Self::default();
        }
        cut
    }

    fn look(
        &mut self,
        bytes: &[u8],
        base: u64,
        layout: &Layout,
        limits: &Limits,
        target: usize,
        eof: bool,
    ) -> Option<Cut> {
        let mut rows = Rows::from(bytes, layout.delimiter, self.pos);
        loop {
            let row = rows.next_row();
            if rows.seen_end && !eof {
                return (self.safe > 0).then_some(Cut::at(self.safe, None));
            }
            let Some(row) = row else {
                return Some(Cut::at(bytes.len(), None));
            };
            let is_game = says_moves(layout, base, &row, &rows);
            if is_game
                && let Some(from) = self.skipped
                && rows.cell(0).trim_ascii().is_empty()
            {
                self.skipped = None;
                let mut passed = Rows::from(bytes, layout.delimiter, from);
                while let Some(passed_row) = passed.next_row()
                    && passed_row.start < row.start
                {
                    if says_moves(layout, base, &passed_row, &passed) {
                        self.grouping.take(layout, &passed);
                    }
                }
            }
            if is_game && self.grouping.take(layout, &rows) {
                self.skipped = None;
                self.games += 1;
                if !has_open_quote(bytes.get(self.game_start..row.start)) {
                    self.safe = row.start;
                    if row.start >= target || self.games >= BATCH_GAMES {
                        return Some(Cut::at(row.start, None));
                    }
                }
                self.game_start = row.start;
            } else if is_too_long(&row, self.game_start, limits) {
                return Some(Cut {
                    damage: self.in_game.then_some(Damage::TooLong),
                    forced: true,
                    ..Cut::at(row.start, None)
                });
            }
            self.in_game |= is_game;
            if is_game && layout.begins_with_game() && !self.grouping.game.is_empty() {
                let next = rows.pos;
                let until = self.game_start.saturating_add(limits.max_game);
                rows.skip_rows_of(&self.grouping.game, until);
                if rows.pos > next {
                    self.skipped = self.skipped.or(Some(next));
                }
            }
            self.pos = rows.pos;
        }
    }
}

fn has_open_quote(part: Option<&[u8]>) -> bool {
    let quotes = memchr::memchr_iter(b'"', part.unwrap_or_default()).count();
    !quotes.is_multiple_of(2)
}

/// Whether a row makes its game longer than games are.
pub(super) fn is_too_long(row: &Row, game_start: usize, limits: &Limits) -> bool {
    row.start > game_start && row.end - game_start > limits.max_game
}
