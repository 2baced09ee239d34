//! A game read from an index.

use crate::model::entry::{GameEntry, find_tag};
use crate::model::game_bytes::prefix;
use tridex_archive::GameResult;
use tridex_rules::{Move, RuleSystem};
use tridex_text::names::game_title;

/// Identifies a game in a [`GameIndex`](crate::GameIndex).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameId {
    /// Which of the indices opened together has the game.
    pub index: u32,
    /// Its number in that index. A game that is updated gets a new number.
    pub game: u32,
}

/// A game read from an index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndexedGame {
    /// Its id, the same in every index; written as 16 hexadecimal digits.
    pub id: u64,
    /// The name of its source, usually its file.
    pub source: String,
    /// The name of its opening, if it has one.
    pub opening: Option<String>,
    /// The game.
    pub entry: GameEntry,
}

impl IndexedGame {
    /// Returns the first `ply` moves of a line: the main line, or one of the variations. `None` if the line is shorter.
    #[must_use]
    pub fn line_to(&self, variation: Option<u32>, ply: u32) -> Option<Vec<Move>> {
        prefix(&self.entry.moves, &self.entry.variations, variation, ply)
    }

    /// Returns the title of the game: see [`HitRow::title`](crate::HitRow::title).
    #[must_use]
    pub fn title(&self) -> String {
        let [white, black, event] =
            ["White", "Black", "Event"].map(|name| self.entry.tag(name).unwrap_or_default());
        let title = game_title(white, black, event);
        title.unwrap_or_else(|| format!("{}:{}", self.source, self.entry.number))
    }
}

/// The data of a game that a list of hits shows. Reading it is faster than reading an [`IndexedGame`], because no moves
/// are read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSummary {
    /// Its id.
    pub id: u64,
    /// The name of its source, usually its file.
    pub source: String,
    /// Its number in the source, from 1.
    pub number: u32,
    /// The rules it was played under.
    pub rules: RuleSystem,
    /// The number of plies.
    pub plies: u32,
    /// The result.
    pub result: GameResult,
    /// The name of its opening, if it has one.
    pub opening: Option<String>,
    /// Its tags.
    pub tags: Vec<(String, String)>,
}

impl GameSummary {
    /// Returns the value of a tag, whose name is matched without regard to case. Returns `None` also for `?`.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        find_tag(&self.tags, name)
    }
}
