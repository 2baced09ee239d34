//! JSON Schemas of values that rows have as text.

use crate::model::results::ResultCounts;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
use tridex_archive::GameResult;
use tridex_rules::RuleSystem;

/// The schema of the result of a game.
#[must_use]
pub fn result(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": GameResult::ALL.map(|result| result.as_str()) })
}

/// The schema of the name of a rule system.
#[must_use]
pub fn rules(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = RuleSystem::ALL.iter().map(|rules| rules.name()).collect();
    json_schema!({ "type": "string", "enum": names })
}

/// The columns of [`ResultCounts`], as they are serialized.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only the schema is used")]
struct Columns {
    /// The number of games, including unfinished ones and those of unknown result.
    games: u64,
    /// Games won by White.
    white: u64,
    /// Drawn games.
    draws: u64,
    /// Games won by Black.
    black: u64,
    /// White's share of the points, 0 to 1, with four decimals; null if no result is known.
    score: Option<f64>,
    /// The average of the known ratings of the side that moved.
    average: Option<u64>,
    /// The latest year in which one of the games was played, if any year is known.
    last_year: Option<u16>,
    /// Whether there are too few games for a conclusion: fewer than ten with a result.
    small: bool,
}

impl JsonSchema for ResultCounts {
    fn schema_name() -> Cow<'static, str> {
        "Results".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Columns::json_schema(generator)
    }
}
