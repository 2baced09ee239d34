//! Converts a game to rows. This needs no file, so several threads can do it at once.

use std::collections::HashMap;
use tridex_index::{Date, GameEntry, GameResult};
use tridex_notation::{Notation, WriteOptions, position_string, write_unmarked};
use tridex_rules::{Color, Position, RuleSystem, SetupError};

/// The rows of a game, ready to be written.
#[derive(Clone, Debug)]
pub struct GameRows {
    pub(crate) game: GameRow,
    pub(crate) plies: Vec<PlyRow>,
    /// The position strings of all plies, one after another.
    pub(crate) positions: String,
}

/// The row of a game.
#[derive(Clone, Debug)]
pub(crate) struct GameRow {
    pub(crate) id: i64,
    pub(crate) source: String,
    pub(crate) number: u32,
    pub(crate) rules: RuleSystem,
    /// The tags of [`GameRow::TAGS`].
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
    /// The tags with their own columns.
    const TAGS: [&str; 6] = ["White", "Black", "Event", "Site", "Date", "Round"];

    /// The value of one of them.
    pub(crate) fn tag(&self, place: usize) -> Option<&str> {
        self.texts[place].as_deref()
    }
}

/// A position of a game.
#[derive(Clone, Debug)]
pub(crate) struct PlyRow {
    pub(crate) key: i64,
    /// The range of its move in [`GameRow::moves`]; both 0 at the end of the game.
    pub(crate) word: (u32, u32),
    pub(crate) turn: Color,
    pub(crate) fresh: bool,
    pub(crate) again: bool,
    /// The end of its position string in [`GameRows::positions`]; it begins at the end of the previous one.
    pub(crate) position_end: u32,
}

impl PlyRow {
    /// The row of a position, whose string is added to those of the game.
    fn new(position: &Position, word: (u32, u32), positions: &mut String) -> Self {
        position_string::write(&position.to_setup(), positions);
        Self {
            key: position.key() as i64,
            word,
            turn: position.turn(),
            fresh: true,
            again: false,
            position_end: positions.len() as u32,
        }
    }
}

impl GameRows {
    /// The rows of a game. All its moves must be legal; rows of other games have no meaning. `id` is the id of the game
    /// in an index: [`tridex_index::Prepared::id`].
    ///
    /// # Errors
    /// If its start position is invalid.
    pub fn new(
        id: u64,
        source: &str,
        opening: Option<&str>,
        entry: &GameEntry,
    ) -> Result<Self, SetupError> {
        let mut position = entry.start_position()?;
        let notation = Notation::of(entry.rules);
        let options = WriteOptions::default();
        let mut moves = String::with_capacity(entry.moves.len() * 6);
        let mut plies = Vec::with_capacity(entry.moves.len() + 1);
        let mut positions = String::with_capacity(plies.capacity() * 96);
        for mv in &entry.moves {
            if !moves.is_empty() {
                moves.push(' ');
            }
            let from = moves.len() as u32;
            // The notation of a rule system describes its board.
            if let Ok(letters) = write_unmarked(notation, &position, *mv, &options) {
                moves.push_str(letters.as_str());
            }
            let word = (from, moves.len() as u32);
            plies.push(PlyRow::new(&position, word, &mut positions));
            position.play_unchecked(*mv);
        }
        plies.push(PlyRow::new(&position, (0, 0), &mut positions));
        mark_repeats(&mut plies, &moves);
        let date = entry.tag("Date").and_then(|text| Date::parse(text).ok());
        let text = |name| entry.tag(name).map(str::to_owned);
        let rating = |name| {
            let rating = entry.tag(name).and_then(|text| text.parse::<u16>().ok());
            rating.filter(|rating| *rating != 0).map(i32::from)
        };
        let own_start = entry.start.as_ref();
        let own_start = own_start.filter(|setup| **setup != entry.rules.start());
        Ok(Self {
            game: GameRow {
                id: id as i64,
                source: source.to_owned(),
                number: entry.number,
                rules: entry.rules,
                texts: GameRow::TAGS.map(text),
                year: date.map(|date| i32::from(date.year)),
                played_on: date.and_then(Date::days_since_1970),
                ratings: [rating("WhiteElo"), rating("BlackElo")],
                result: entry.result,
                plies: i32::try_from(entry.moves.len()).unwrap_or(i32::MAX),
                opening: opening.map(str::to_owned),
                start: own_start.map(position_string::to_string),
                moves,
                // Pairs of texts can always be written.
                tags: serde_json::to_string(&entry.tags).unwrap_or_default(),
            },
            plies,
            positions,
        })
    }

    /// The number of positions of the game, with its start and its end.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.plies.len()
    }
}

/// Marks repeated positions, and the repeated moves from them.
fn mark_repeats(plies: &mut [PlyRow], moves: &str) {
    let mut keys: Vec<i64> = plies.iter().map(|ply| ply.key).collect();
    keys.sort_unstable();
    // Hardly any game repeats a position.
    if keys.windows(2).all(|pair| pair.first() != pair.last()) {
        return;
    }
    let mut seen: HashMap<i64, Vec<&str>> = HashMap::new();
    for ply in plies {
        let word = moves.get(ply.word.0 as usize..ply.word.1 as usize);
        let word = word.unwrap_or_default();
        let played = seen.entry(ply.key).or_default();
        ply.again = !played.is_empty();
        ply.fresh = !played.contains(&word);
        played.push(word);
    }
}
