//! Converts games to rows. The conversion needs no file, so several threads can convert games at once.

use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ops::Range;
use tridex_index::{Date, GameEntry, GameResult};
use tridex_notation::{Notation, WriteOptions, position_string, write_unmarked};
use tridex_rules::{Color, RuleSystem, SetupError};

/// The rows of a game, ready to be written.
#[derive(Clone, Debug)]
pub struct GameRows {
    pub(crate) game: GameRow,
    /// The positions, each with the range of its move in [`GameRow::moves`]. The range is empty at the end of the game.
    pub(crate) plies: Vec<(PlyRow, Range<usize>)>,
}

/// The row of a game.
#[derive(Clone, Debug)]
pub(crate) struct GameRow {
    pub(crate) id: i64,
    pub(crate) source: String,
    pub(crate) number: u32,
    pub(crate) rules: RuleSystem,
    /// The values of the tags in [`GameRow::TAGS`].
    pub(crate) texts: [Option<String>; 6],
    pub(crate) year: Option<i32>,
    /// Days since 1970, if the day is known.
    pub(crate) played_on: Option<i32>,
    /// White's rating and Black's.
    pub(crate) ratings: [Option<i32>; 2],
    pub(crate) result: GameResult,
    pub(crate) plies: i32,
    pub(crate) opening: Option<String>,
    pub(crate) start: Option<String>,
    pub(crate) moves: String,
    pub(crate) tags: String,
}

impl GameRow {
    /// The tags that have columns of their own.
    const TAGS: [&str; 6] = ["White", "Black", "Event", "Site", "Date", "Round"];

    /// The value of one of these tags.
    pub(crate) fn tag(&self, place: usize) -> Option<&str> {
        self.texts[place].as_deref()
    }
}

/// A position of a game, with the data of the game.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct PlyRow {
    // Rows are sorted by their fields, in the order of declaration.
    pub(crate) key: i64,
    rules: u8,
    pub(crate) game: i64,
    pub(crate) ply: u32,
    /// The number of the source's name in the table of words.
    pub(crate) source: u32,
    pub(crate) number: u32,
    /// The number of the move in the table of words, or 0 at the end of the game.
    pub(crate) word: u32,
    pub(crate) year: Option<u16>,
    pub(crate) elo: Option<u16>,
    result: u8,
    pub(crate) fresh: bool,
    pub(crate) again: bool,
    is_blacks: bool,
    pub(crate) position: Box<str>,
}

impl PlyRow {
    pub(crate) fn rules(&self) -> RuleSystem {
        RuleSystem::ALL[usize::from(self.rules)]
    }

    pub(crate) fn result(&self) -> &'static str {
        GameResult::ALL[usize::from(self.result)].as_str()
    }

    pub(crate) const fn turn(&self) -> &'static str {
        if self.is_blacks { "black" } else { "white" }
    }
}

impl GameRows {
    /// Converts a game to rows. All its moves must be legal; otherwise the rows are meaningless. `id` is the id of the
    /// game in an index: [`tridex_index::Prepared::id`].
    ///
    /// # Errors
    /// Returns an error if the game's start position is invalid.
    pub fn new(
        id: u64,
        source: &str,
        opening: Option<&str>,
        entry: &GameEntry,
    ) -> Result<Self, SetupError> {
        let mut position = entry.start_position()?;
        let notation = Notation::of(entry.rules);
        let options = WriteOptions::default();
        let date = entry.tag("Date").and_then(|text| Date::parse(text).ok());
        let ratings = ["WhiteElo", "BlackElo"].map(|name| {
            let rating = entry.tag(name).and_then(|text| text.parse::<u16>().ok());
            rating.filter(|rating| *rating != 0)
        });
        let rules = RuleSystem::ALL.iter().position(|r| *r == entry.rules);
        let result = GameResult::ALL.iter().position(|r| *r == entry.result);
        let mut moves = String::with_capacity(entry.moves.len() * 6);
        let mut plies = Vec::with_capacity(entry.moves.len() + 1);
        let mut line = String::new();
        for mv in entry.moves.iter().map(Some).chain([None]) {
            if mv.is_some() && !moves.is_empty() {
                moves.push(' ');
            }
            let from = moves.len();
            // This cannot fail: the notation of a rule system can express every move on its board.
            if let Some(mv) = mv
                && let Ok(letters) = write_unmarked(notation, &position, *mv, &options)
            {
                moves.push_str(letters.as_str());
            }
            line.clear();
            position_string::write(&position.to_setup(), &mut line);
            let row = PlyRow {
                key: position.key() as i64,
                rules: rules.unwrap_or(0) as u8,
                game: id as i64,
                ply: plies.len() as u32,
                source: 0,
                number: entry.number,
                word: 0,
                year: date.map(|date| date.year).filter(|year| *year != 0),
                elo: ratings[position.turn() as usize],
                result: result.unwrap_or(0) as u8,
                fresh: true,
                again: false,
                is_blacks: position.turn() == Color::Black,
                position: line.as_str().into(),
            };
            plies.push((row, from..moves.len()));
            if let Some(mv) = mv {
                position.play_unchecked(*mv);
            }
        }
        mark_repeats(&mut plies, &moves);
        let own_start = entry.start.as_ref();
        let own_start = own_start.filter(|setup| **setup != entry.rules.start());
        Ok(Self {
            game: GameRow {
                id: id as i64,
                source: source.to_owned(),
                number: entry.number,
                rules: entry.rules,
                texts: GameRow::TAGS.map(|name| entry.tag(name).map(str::to_owned)),
                year: date.map(|date| date.year.into()),
                played_on: date.and_then(Date::days_since_1970),
                ratings: ratings.map(|rating| rating.map(Into::into)),
                result: entry.result,
                plies: i32::try_from(entry.moves.len()).unwrap_or(i32::MAX),
                opening: opening.map(str::to_owned),
                start: own_start.map(position_string::to_string),
                moves,
                // Serializing pairs of strings cannot fail.
                tags: serde_json::to_string(&entry.tags).unwrap_or_default(),
            },
            plies,
        })
    }

    /// The number of positions in the game, including the first and the last.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.plies.len()
    }
}

/// Marks repeated positions, and moves that were already played from them.
fn mark_repeats(plies: &mut [(PlyRow, Range<usize>)], moves: &str) {
    let mut keys: Vec<i64> = plies.iter().map(|(ply, _)| ply.key).collect();
    keys.sort_unstable();
    // Most games never repeat a position.
    if keys.windows(2).all(|pair| pair.first() != pair.last()) {
        return;
    }
    let mut seen: HashMap<i64, Vec<&str>> = HashMap::new();
    for (ply, word) in plies {
        let word = &moves[word.clone()];
        let played = seen.entry(ply.key).or_default();
        ply.again = !played.is_empty();
        ply.fresh = !played.contains(&word);
        played.push(word);
    }
}
