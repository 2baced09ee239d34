//! Prepares games for the index. This part of adding a game needs no index, so several threads can do it at once.

use crate::model::board_trail::Observer;
use crate::model::contents::Contents;
use crate::model::ending::GameEnding;
use crate::model::entry::{GameEntry, hash};
use crate::model::entry_builder;
use crate::model::game_bytes::{self, MAX_PLIES, MAX_VARIATIONS};
use crate::model::opening_book::OpeningBook;
use crate::model::systems;
use crate::storage::columns::{
    Column, NO_REPEAT, OWN_START, PROMOTIONS, Row, VARIATIONS, date_code, result_code,
};
use crate::storage::document::{BYTES_A_POSITION, GameDoc, LEAST_WEIGHT, document};
use crate::storage::stored_record::put_record;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tridex_archive::date::Date;
use tridex_rules::{Move, Placement, SetupError};

/// Why a game cannot be added to an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Rejection {
    /// Its start position is invalid.
    #[error("the game's start cannot be played: {0}")]
    Start(SetupError),
    /// It has more than [`MAX_PLIES`] plies.
    #[error("the game has more than {MAX_PLIES} plies")]
    TooLong,
    /// A variation leaves a line that does not come before it, or leaves it at a ply that the line does not have; or
    /// there are more than [`MAX_VARIATIONS`] variations; or the notes do not agree with the lines.
    #[error("a variation leaves a line that is not there")]
    Variation,
}

/// Prepares games for an index. Threads can share it.
#[derive(Clone)]
pub struct Preparer {
    pub(crate) variations: bool,
    pub(crate) book: Option<Arc<OpeningBook>>,
}

/// A game that is ready to be added to the index it was prepared for.
#[derive(Debug)]
pub struct Prepared {
    pub(crate) doc: GameDoc,
}

impl Prepared {
    /// Returns the id of the game: a hash of rules, start, moves, variations, tags, notes and result. It does not
    /// depend on the notation or the source.
    #[must_use]
    pub fn id(&self) -> u64 {
        *self.doc.row.get(Column::Content)
    }
}

impl Preparer {
    /// Prepares a game. All its moves must be legal; otherwise the result is meaningless, but nothing worse happens.
    ///
    /// # Errors
    /// Returns an error if the index cannot store the game.
    pub fn prepare(&self, entry: &GameEntry) -> Result<Prepared, Rejection> {
        if entry.moves.len() > MAX_PLIES {
            return Err(Rejection::TooLong);
        }
        if entry.variations.len() > MAX_VARIATIONS || !entry_builder::fit(entry) {
            return Err(Rejection::Variation);
        }
        let code = systems::code(entry.rules);
        let start = match (&entry.start, systems::start(code)) {
            (None, Some(start)) => start.board.clone(),
            _ => {
                let position = entry.start_position().map_err(Rejection::Start)?;
                position.placement()
            }
        };
        // The start position of the rules is not stored.
        let own_start = entry
            .start
            .as_ref()
            .filter(|setup| **setup != entry.rules.start());

        let plies = entry.moves.len();
        let mut positions = Vec::with_capacity(plies + 1);
        let mut observer = Observer::new(&start);
        let mut flags = own_start.map_or(0, |_| OWN_START);
        if !entry.variations.is_empty() {
            flags |= VARIATIONS;
        }
        let see = |at: &Placement, played: Option<Move>| {
            if let Some(m) = played {
                if m.promotion().is_some() {
                    // A board move may promote the other side's pawn (ruling owner-chooses-promotion), so it marks both
                    // colours.
                    let mover = at.turn().other();
                    flags |= PROMOTIONS[mover as usize];
                    if matches!(m, Move::Board { .. }) {
                        flags |= PROMOTIONS[mover.other() as usize];
                    }
                }
                observer.see(at, m);
            }
            positions.push(at.key());
        };
        let mut varied = Vec::new();
        let vary = |at: &Placement| varied.extend(self.variations.then_some(at.key()));
        let (game, lines) = game_bytes::write(code, &start, own_start, entry, see, vary)
            .ok_or(Rejection::Variation)?;
        let keys = positions.iter().chain(&varied);
        let keys: Vec<u32> = keys.map(|key| (key >> 32) as u32).collect();
        let mut record = Vec::new();
        put_record(&mut record, &entry.tags, &entry.notes);
        let content = {
            let head = [
                code,
                result_code(entry.result),
                u8::from(own_start.is_some()),
            ];
            let parts = [
                hash(&head),
                plies as u64,
                hash(&game[lines..]),
                hash(&record),
            ];
            hash(parts.map(u64::to_le_bytes).as_flattened())
        };
        let opening = self.opening(entry).unwrap_or_default();
        crate::codec::varint::put_bytes(&mut record, opening.as_bytes());
        let rating = |tag| {
            let text = entry.tag(tag).unwrap_or_default();
            u64::from(text.parse::<u16>().unwrap_or(0))
        };
        let date = entry.tag("Date").and_then(|text| Date::parse(text).ok());
        let contents = Contents::of(entry);
        let plus_one = |number: Option<u32>| number.map_or(0, |number| u64::from(number) + 1);
        let [white_pins, black_pins, least] = observer.words();
        let row = Row::of(|column| match column {
            // This is set when the game is added.
            Column::Game => 0,
            Column::Number => entry.number.into(),
            Column::Content => content,
            Column::Date => date_code(date),
            Column::Plies => plies as u64,
            Column::Repeat => first_repeat(&positions).into(),
            Column::Rules => code.into(),
            Column::Result => result_code(entry.result).into(),
            Column::WhiteElo => rating("WhiteElo"),
            Column::BlackElo => rating("BlackElo"),
            Column::Ending => contents.ending.map_or(0, GameEnding::code),
            Column::Clock => plus_one(contents.least_clock),
            Column::Drop => plus_one(contents.greatest_drop),
            Column::Flags => flags,
            Column::WhitePins => white_pins,
            Column::BlackPins => black_pins,
            Column::Least => least,
        });
        let weight = keys.len().max(record.len() / BYTES_A_POSITION);
        Ok(Prepared {
            doc: GameDoc {
                fields: document(entry, &contents, opening, &record),
                weight: LEAST_WEIGHT.max(weight as u64),
                row,
                game,
                keys,
                boards: observer.boards,
            },
        })
    }

    /// Creates a preparer without an index, for ids ([`Prepared::id`]) and names of openings only.
    #[must_use]
    pub fn without_index(book: Option<Arc<OpeningBook>>) -> Self {
        Self {
            variations: false,
            book,
        }
    }

    /// Returns the name of the deepest named position in the game's main line.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use tridex_index::{GameEntry, OpeningBook, Preparer, read_moves};
    /// use tridex_rules::RuleSystem;
    ///
    /// let book = OpeningBook::from_csv("My Opening,b4N b5B\n".as_bytes()).0;
    /// let preparer = Preparer::without_index(Some(Arc::new(book)));
    /// let game = GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "b4N b5B c3W")?);
    /// assert_eq!(preparer.opening(&game), Some("My Opening"));
    /// # Ok::<(), String>(())
    /// ```
    #[must_use]
    pub fn opening(&self, entry: &GameEntry) -> Option<&str> {
        let book = self.book.as_deref()?;
        let start = entry.start_position().ok()?;
        book.of_game(&start, &entry.moves)
    }
}

/// The first ply whose placement occurs again.
fn first_repeat(positions: &[u64]) -> u16 {
    let mut first = FxHashMap::default();
    first.reserve(positions.len());
    let repeats = (0..).zip(positions).filter_map(|(ply, key)| {
        let first = *first.entry(*key).or_insert(ply);
        (first != ply).then_some(first)
    });
    repeats.min().unwrap_or(NO_REPEAT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_position_that_comes_again_is_found() {
        assert_eq!(first_repeat(&[5, 3, 9, 3, 5]), 0);
        assert_eq!(first_repeat(&[5, 3, 9, 3, 3]), 1);
        assert_eq!(first_repeat(&[5, 3]), NO_REPEAT);
        // Different keys in the same slot of the hash table are not a repetition.
        let far = 1 << 40;
        assert_eq!(first_repeat(&[5, 5 | far]), NO_REPEAT);
        assert_eq!(first_repeat(&[5, 5 | far, 9, 5 | far]), 1);
    }
}
