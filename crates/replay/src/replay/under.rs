//! How far a game is legal under each rule system.

use serde::{Serialize, Serializer};
use tridex_rules::RuleSystem;

/// How far a game is legal under one rule system. As JSON, fields are added, never renamed or dropped.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Under {
    /// The system.
    #[serde(serialize_with = "name")]
    pub rules: RuleSystem,
    /// Whether every ply can be replayed.
    #[serde(rename = "legal")]
    pub is_legal: bool,
    /// How many plies can be replayed.
    pub plies: usize,
    /// The token that cannot be replayed; empty if the start position cannot be played, `None` if the game is legal.
    pub token: Option<String>,
    /// Why it cannot be replayed.
    pub message: Option<String>,
}

fn name<S: Serializer>(rules: &RuleSystem, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(rules.name())
}
