//! The answers of the API: what serde writes, and the JSON Schemas of the description.
//!
//! Fields of the answers are never renamed or dropped. Their doc comments are in the description, for clients of the API.
//! Except in lists of hits and openings, fields are in alphabetical order, as `serde_json` sorts them in a `Value`.

use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tridex_index::{FirstBoardRow, HitRow, OpeningRow, ReachedRow, ResultCounts, schemas};
use tridex_page::{LegalMove, Spot};

/// An answer, with a note if files of the index are damaged.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "{T}")]
pub(crate) struct Noted<'a, T> {
    #[serde(flatten)]
    pub(crate) value: &'a T,
    #[serde(flatten)]
    pub(crate) note: Note,
}

/// A note on damage; nothing if there is none.
#[derive(Serialize, JsonSchema, Default)]
pub(crate) struct Note {
    /// Present, and true, if files of the index are damaged. Every answer then has the header Tridex-Damaged. An answer
    /// that may lack games has status 500, the property error, and the games that can be read.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) damaged: bool,
    /// Present if the answer may lack games.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(crate) error: Option<&'static str>,
    /// The same as `damaged`, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(crate) note: Option<&'static str>,
}

/// An error.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Fault")]
pub(crate) struct Refusal {
    /// How many characters of the text are understood.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "usize")]
    pub(crate) at: Option<usize>,
    /// Words that may have been meant there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    pub(crate) did_you_mean: Option<Vec<String>>,
    /// What is wrong.
    pub(crate) error: String,
    /// What was expected there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(crate) expected: Option<String>,
    /// What is not understood: the query, or the value of a parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(crate) text: Option<String>,
    /// Present, and true, if files of the index are damaged. Every answer then has the header Tridex-Damaged.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) damaged: bool,
    /// The same as `damaged`, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(crate) note: Option<&'static str>,
}

/// Games that match a query.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Found {
    /// The number of games that match. It is null only if the request has count=0 and counting them would take long.
    pub(crate) games: Option<u64>,
    /// A lower bound of the number of games. Present only if `games` is null.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub(crate) games_at_least: Option<u64>,
    /// The first games after the offset, at most as many as the limit.
    pub(crate) hits: Vec<HitRow>,
}

/// The moves played from a position.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Openings {
    /// The rule system.
    #[schemars(schema_with = "schemas::rules")]
    pub(crate) rules: &'static str,
    /// The notation of the moves.
    pub(crate) notation: &'static str,
    /// The position, as a position string.
    pub(crate) fen: String,
    /// The name of the position, if it has one.
    pub(crate) name: Option<String>,
    #[serde(flatten)]
    pub(crate) total: ResultCounts,
    /// The moves, those played in most games first.
    pub(crate) moves: Vec<OpeningRow>,
    /// Present if the request has boards: the first moves of the attack boards.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<FirstBoardRow>")]
    pub(crate) boards: Option<Vec<FirstBoardRow>>,
    /// Present if the request has layouts: the layouts of the attack boards that games reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<ReachedRow>")]
    pub(crate) layouts: Option<Vec<ReachedRow>>,
}

/// A line of NDJSON, from which a [`Game`] is made.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameLine {
    game: u64,
    movetext: Option<String>,
    /// The moves with their judgements.
    #[serde(rename = "moves")]
    _moves: IgnoredAny,
    notation: String,
    result: String,
    rules: String,
    source: String,
    start: String,
    tags: BTreeMap<String, String>,
}

/// A game.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Game {
    /// The positions from the start to the end, as position strings.
    fens: Vec<String>,
    /// The number of the game in its source, from 1.
    game: u64,
    /// The id of the game, as 16 hexadecimal digits.
    id: String,
    /// Present if the game has more than moves, such as comments and variations.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    movetext: Option<String>,
    /// The moves, without judgements.
    moves: Vec<String>,
    /// The notation of the moves.
    notation: String,
    /// The name of the opening.
    opening: Option<String>,
    /// The result.
    #[schemars(schema_with = "schemas::result")]
    result: String,
    /// The rule system.
    #[schemars(schema_with = "schemas::rules")]
    rules: String,
    /// The source of the game.
    source: String,
    /// The start position, as a position string.
    start: String,
    /// The tags of the game.
    tags: BTreeMap<String, String>,
}

impl GameLine {
    /// The game of the line, with what the line does not have.
    pub(crate) fn with(
        self,
        id: String,
        opening: Option<String>,
        moves: Vec<String>,
        fens: Vec<String>,
    ) -> Game {
        Game {
            fens,
            game: self.game,
            id,
            movetext: self.movetext,
            moves,
            notation: self.notation,
            opening,
            result: self.result,
            rules: self.rules,
            source: self.source,
            start: self.start,
            tags: self.tags,
        }
    }
}

/// The legal moves of a position.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Moves {
    /// The position, as a position string.
    pub(crate) fen: String,
    /// The moves.
    pub(crate) moves: Vec<Legal>,
    /// The rule system.
    #[schemars(schema_with = "schemas::rules")]
    pub(crate) rules: &'static str,
}

/// A legal move.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct Legal {
    /// The index of a square, or the name of an attack board.
    #[schemars(with = "Place")]
    from: Spot,
    /// In the notation of the rules.
    #[serde(rename = "move")]
    written: String,
    /// The index of a square, or the name of a pin.
    #[schemars(with = "Place")]
    to: Spot,
    /// In every notation of the board, by the notations' names.
    words: BTreeMap<&'static str, String>,
}

impl From<LegalMove> for Legal {
    fn from(legal: LegalMove) -> Self {
        Self {
            from: legal.from,
            written: legal.written,
            to: legal.to,
            words: legal.words,
        }
    }
}

/// The schema of a [`Spot`].
struct Place;

impl JsonSchema for Place {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Place".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["integer", "string"] })
    }
}

/// Counts of the games that match a query.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Statistics {
    /// The counts, one for each rule system.
    pub(crate) systems: Vec<System>,
}

/// Counts of the games of one rule system.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct System {
    /// The average of the known ratings of the side that moved.
    pub(crate) average: Option<u64>,
    /// Games won by Black.
    pub(crate) black: u64,
    /// Drawn games.
    pub(crate) draws: u64,
    /// The first moves of attack boards.
    pub(crate) first_boards: Vec<FirstBoard>,
    /// The number of games.
    pub(crate) games: u64,
    /// The latest year in which one of them was played.
    pub(crate) last_year: Option<u16>,
    /// Games by their number of plies.
    pub(crate) lengths: BTreeMap<String, u64>,
    /// The rule system.
    #[schemars(schema_with = "schemas::rules")]
    pub(crate) rules: &'static str,
    /// White's share of the points, 0 to 1.
    pub(crate) score: Option<f64>,
    /// Whether there are too few games for a conclusion: fewer than ten with a result.
    pub(crate) small: bool,
    /// How often a kind of piece came to a square by a move of its own: by the letter of the piece and the square.
    pub(crate) visits: BTreeMap<char, BTreeMap<String, u64>>,
    /// Games won by White.
    pub(crate) white: u64,
    /// Games by the year.
    pub(crate) years: BTreeMap<String, u64>,
}

/// The first move of an attack board.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct FirstBoard {
    /// The board.
    pub(crate) board: &'static str,
    /// The pin it left.
    pub(crate) from: String,
    /// The games in which this was its first move.
    pub(crate) games: u64,
    /// The pin it went to, the same as `from` if it turned in place.
    pub(crate) to: String,
}

/// The number of games in the index.
#[derive(Serialize)]
pub(crate) struct Health {
    pub(crate) games: u64,
}

/// What can follow the beginning of a query.
#[derive(Serialize)]
pub(crate) struct Completion {
    /// The place from which the values replace the text, counted in characters.
    pub(crate) from: usize,
    pub(crate) values: Vec<String>,
}
