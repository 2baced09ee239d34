//! How games are read.

use tridex_notation::{Locale, Notation};
use tridex_rules::RuleSystem;

/// Which rule systems a game is replayed under.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RulesChoice {
    /// The one the tags name; without a name the likeliest under which the game is legal.
    #[default]
    AsTagged,
    /// This one, regardless of the tags.
    Only(RuleSystem),
    /// Every one of the notation's board family, reporting where each breaks.
    Any,
}

/// How games are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The rule systems.
    pub rules: RulesChoice,
    /// The notation, regardless of the tags.
    pub notation: Option<Notation>,
    /// The language, regardless of the tags.
    pub locale: Option<Locale>,
    /// Whether ambiguous and foreign tokens are errors.
    pub strict: bool,
}
