//! Answers as rows, in the machine forms. Fields are added, never renamed or dropped.

use crate::game::book::OpeningBook;
use crate::questions::openings::MoveRow;
use crate::questions::results::ResultCounts;
use crate::questions::search::Hit;
use crate::store::reader::GameSummary;
use serde::Serialize;
use tridex_notation::{Notation, WriteOptions, WrongFamily, position_string};
use tridex_rules::Position;

/// A hit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct HitRow {
    /// What the game is known by: 16 hexadecimal digits.
    pub id: String,
    /// Where it is from.
    pub source: String,
    /// Its number there, from 1.
    pub game: u32,
    /// White's name; `?` if unknown, here and below.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The event.
    pub event: String,
    /// The site.
    pub site: String,
    /// The date, `????.??.??` if unknown.
    pub date: String,
    /// The round.
    pub round: String,
    /// The result.
    pub result: &'static str,
    /// The rule system.
    pub rules: &'static str,
    /// How many plies the game has.
    pub plies: u32,
    /// The ply of the first match on the board; none if nothing on the board was searched.
    pub ply: Option<u32>,
    /// The name of the opening.
    pub opening: Option<String>,
    /// Whether that ply is one of a variation.
    pub variation: bool,
    /// The plies of the sequence that was searched for. JSON has them only if there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<u32>,
}

impl HitRow {
    /// The row of a hit and its game.
    #[must_use]
    pub fn new(hit: &Hit, game: GameSummary) -> Self {
        let tag = |name| game.tag(name).unwrap_or("?").to_owned();
        Self {
            id: format!("{:016x}", game.id),
            game: game.number,
            white: tag("White"),
            black: tag("Black"),
            event: tag("Event"),
            site: tag("Site"),
            date: game.tag("Date").unwrap_or("????.??.??").to_owned(),
            round: tag("Round"),
            result: game.result.as_str(),
            rules: game.rules.name(),
            plies: game.plies,
            ply: hit.ply,
            variation: hit.variation.is_some(),
            steps: hit.steps.iter().map(|(_, ply)| *ply).collect(),
            opening: game.opening,
            source: game.source,
        }
    }

    /// The columns of a table, each with what a row has there.
    const TABLE: [Column<Self>; 16] = [
        ("id", |row| row.id.clone()),
        ("source", |row| row.source.clone()),
        ("game", |row| row.game.to_string()),
        ("white", |row| row.white.clone()),
        ("black", |row| row.black.clone()),
        ("event", |row| row.event.clone()),
        ("site", |row| row.site.clone()),
        ("date", |row| row.date.clone()),
        ("round", |row| row.round.clone()),
        ("result", |row| row.result.to_owned()),
        ("rules", |row| row.rules.to_owned()),
        ("plies", |row| row.plies.to_string()),
        ("ply", |row| cell(row.ply)),
        ("opening", |row| cell(row.opening.as_ref())),
        ("variation", |row| row.variation.to_string()),
        ("steps", |row| {
            let steps: Vec<String> = row.steps.iter().map(u32::to_string).collect();
            steps.join(" ")
        }),
    ];

    /// The names of [`HitRow::cells`].
    pub const COLUMNS: [&'static str; 16] = names(&Self::TABLE);

    /// The row as cells of a table.
    #[must_use]
    pub fn cells(&self) -> [String; 16] {
        Self::TABLE.map(|(_, cell)| cell(self))
    }
}

/// A column of a table: its name, and its cell of a row.
type Column<T> = (&'static str, fn(&T) -> String);

const fn names<T, const N: usize>(table: &[Column<T>; N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut place = 0;
    while place < N {
        names[place] = table[place].0;
        place += 1;
    }
    names
}

fn cell<T: ToString>(value: Option<T>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// A move of a table of openings.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OpeningRow {
    /// The move, as it is written.
    #[serde(rename = "move")]
    pub played: String,
    /// The results of the games in which it was played.
    #[serde(flatten)]
    pub results: ResultCounts,
    /// The position after the move.
    pub fen: String,
    /// The name of that position, if it has one.
    pub name: Option<String>,
}

impl OpeningRow {
    /// The row of a move that was played from `position`.
    ///
    /// # Errors
    /// If the notation is that of another board.
    pub fn new(
        row: &MoveRow,
        position: &Position,
        notation: Notation,
        book: &OpeningBook,
    ) -> Result<Self, WrongFamily> {
        let mut played = String::new();
        let options = WriteOptions::default();
        tridex_notation::write(notation, position, row.played, &options, &mut played)?;
        Ok(Self {
            played,
            results: row.results,
            fen: position_string::to_string(&row.after.to_setup()),
            name: book.name(&row.after).map(str::to_owned),
        })
    }

    /// The columns of a table, each with what a row has there.
    const TABLE: [Column<Self>; 11] = [
        ("move", |row| row.played.clone()),
        ("games", |row| row.results.games.to_string()),
        ("white", |row| row.results.white.to_string()),
        ("draws", |row| row.results.draws.to_string()),
        ("black", |row| row.results.black.to_string()),
        ("fen", |row| row.fen.clone()),
        ("score", |row| cell(row.results.score())),
        ("average", |row| cell(row.results.average_rating())),
        ("last_year", |row| cell(row.results.last_year)),
        ("small", |row| row.results.is_small().to_string()),
        ("name", |row| cell(row.name.as_ref())),
    ];

    /// The names of [`OpeningRow::cells`].
    pub const COLUMNS: [&'static str; 11] = names(&Self::TABLE);

    /// The row as cells of a table.
    #[must_use]
    pub fn cells(&self) -> [String; 11] {
        Self::TABLE.map(|(_, cell)| cell(self))
    }
}
