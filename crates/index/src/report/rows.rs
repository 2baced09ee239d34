//! Answers as rows, in machine-readable forms. Fields may be added, but are never renamed or dropped.

use crate::model::indexed_game::GameSummary;
use crate::model::opening_book::OpeningBook;
use crate::model::results::ResultCounts;
use crate::report::openings::MoveRow;
use crate::search::collect::Hit;
use serde::Serialize;
use tridex_notation::{Fen, Notation, WriteOptions, WrongFamily};
use tridex_rules::Position;
use tridex_text::names::game_title;

/// A hit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(
    feature = "schemas",
    derive(schemars::JsonSchema),
    schemars(rename = "Hit")
)]
pub struct HitRow {
    /// The id of the game, as 16 hexadecimal digits.
    pub id: String,
    /// The source of the game.
    pub source: String,
    /// The number of the game in its source, from 1.
    pub game: u32,
    /// White's name; `?` if unknown, as in the following fields.
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
    #[cfg_attr(feature = "schemas", schemars(schema_with = "super::schemas::result"))]
    pub result: &'static str,
    /// The rule system.
    #[cfg_attr(feature = "schemas", schemars(schema_with = "super::schemas::rules"))]
    pub rules: &'static str,
    /// The number of plies.
    pub plies: u32,
    /// The ply of the first match on the board, if the query is about the board.
    pub ply: Option<u32>,
    /// The name of the opening.
    pub opening: Option<String>,
    /// Whether the last ply of the match is in a variation. Earlier plies of the match may be moves that lead to the
    /// variation, which belong to its line.
    pub variation: bool,
    /// The plies of the sequence in the query. JSON omits them if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<u32>,
}

impl HitRow {
    /// Creates the row of a hit and its game.
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
            variation: hit.line.is_some() || hit.steps.iter().any(|(line, _)| line.is_some()),
            steps: hit.steps.iter().map(|(_, ply)| *ply).collect(),
            opening: game.opening,
            source: game.source,
        }
    }

    /// The title of the game in lists: its players, else its event, else its source and number.
    #[must_use]
    pub fn title(&self) -> String {
        let title = game_title(&self.white, &self.black, &self.event);
        title.unwrap_or_else(|| format!("{}:{}", self.source, self.game))
    }
}

tridex_archive::columns! { HitRow, row:
    "id" => row.id,
    "source" => row.source,
    "game" => row.game,
    "white" => row.white,
    "black" => row.black,
    "event" => row.event,
    "site" => row.site,
    "date" => row.date,
    "round" => row.round,
    "result" => row.result,
    "rules" => row.rules,
    "plies" => row.plies,
    "ply" => cell(row.ply),
    "opening" => cell(row.opening.as_ref()),
    "variation" => row.variation,
    "steps" => {
        let steps: Vec<String> = row.steps.iter().map(u32::to_string).collect();
        steps.join(" ")
    },
}

fn cell<T: ToString>(value: Option<T>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// A row of a move table.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(
    feature = "schemas",
    derive(schemars::JsonSchema),
    schemars(rename = "Move")
)]
pub struct OpeningRow {
    /// The move in the requested notation.
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
            fen: Fen::of(&row.after).to_string(),
            name: book.name(&row.after).map(str::to_owned),
        })
    }
}

tridex_archive::columns! { OpeningRow, row:
    "move" => row.played,
    "games" => row.results.games,
    "white" => row.results.white,
    "draws" => row.results.draws,
    "black" => row.results.black,
    "fen" => row.fen,
    "score" => cell(row.results.score()),
    "average" => cell(row.results.average_rating()),
    "last_year" => cell(row.results.last_year),
    "small" => row.results.is_small(),
    "name" => cell(row.name.as_ref()),
}
