//! Finds places where a sheet may be cut between games.

use super::rows::{Row, Rows};
use super::{Grouping, SheetLayout, says_moves};
use crate::cut::Cut;
use crate::visit::{BATCH_GAMES, Damage, Limits};

/// Finds the last place before which all games of a part are whole, or the first after `target` bytes. `eof`: no text
/// follows the part.
pub(crate) fn cut(
    bytes: &[u8],
    base: u64,
    layout: &SheetLayout,
    limits: &Limits,
    target: usize,
    eof: bool,
) -> Option<Cut> {
    let look = |skips| look(bytes, base, layout, limits, (target, eof), skips);
    match look(layout.begins_with_game()) {
        Some(cut) if cut.forced => look(false),
        cut => cut,
    }
}

/// One pass of [`cut`]. With `skips`, rows that begin with the same name of a game as the row before are skipped: the
/// beginning of a game is then found only from its row and the row before, and games may seem longer than they are.
fn look(
    bytes: &[u8],
    base: u64,
    layout: &SheetLayout,
    limits: &Limits,
    (target, eof): (usize, bool),
    skips: bool,
) -> Option<Cut> {
    let mut rows = Rows::new(bytes, layout.delimiter);
    let mut grouping = Grouping::default();
    let (mut games, mut game_start, mut in_game) = (0, 0, false);
    let mut has_open_quote = false;
    // The last possible end of a game. A game with an open quote has none: its last rows may read differently without
    // the text after them.
    let mut safe = 0;
    loop {
        let row = rows.next_row();
        if rows.seen_end && !eof {
            return (safe > 0).then_some(Cut::at(safe, None));
        }
        let Some(row) = row else {
            return Some(Cut::at(bytes.len(), None));
        };
        let cells = rows.cells(&row);
        let is_game = says_moves(layout, base, &row, cells);
        if is_game && grouping.take(layout, cells) {
            games += 1;
            if !has_open_quote {
                safe = row.start;
                if safe >= target || games >= BATCH_GAMES {
                    return Some(Cut::at(safe, None));
                }
            }
            game_start = row.start;
            has_open_quote = false;
        } else if is_too_long(&row, game_start, limits) {
            return Some(Cut {
                damage: in_game.then_some(Damage::TooLong),
                forced: true,
                ..Cut::at(row.start, None)
            });
        }
        in_game |= is_game;
        // What is skipped has no quotes.
        has_open_quote ^= has_odd_quotes(bytes.get(row.start..row.end));
        if skips && is_game && !grouping.game.is_empty() {
            let until = game_start.saturating_add(limits.max_game);
            rows.skip_rows_of(&grouping.game, until);
        }
        rows.give_up_last();
    }
}

fn has_odd_quotes(part: Option<&[u8]>) -> bool {
    let quotes = memchr::memchr_iter(b'"', part.unwrap_or_default()).count();
    !quotes.is_multiple_of(2)
}

/// Whether a row makes its game exceed the limit.
pub(super) fn is_too_long(row: &Row, game_start: usize, limits: &Limits) -> bool {
    row.start > game_start && row.end - game_start > limits.max_game
}
