//! How games are read.

use tridex_archive::date::DateOrder;
use tridex_notation::{Locale, Notation};
use tridex_rules::RuleSystem;

/// Which rule systems a game is replayed under.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RulesChoice {
    /// The one that the tags name. If they name none, the likeliest one under which the game is legal.
    #[default]
    AsTagged,
    /// This one, regardless of the tags.
    Only(RuleSystem),
    /// All rule systems of the notation's board family. A finding reports where the game breaks under each.
    Any,
}

/// How games are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// The rule systems.
    pub rules: RulesChoice,
    /// The notation, regardless of the tags.
    pub notation: Option<Notation>,
    /// The language, regardless of the tags.
    pub locale: Option<Locale>,
    /// Whether reading is strict: ambiguous tokens, and tokens that are not in the notation and language of the game,
    /// are errors.
    pub strict: bool,
    /// The order of day, month and year in ambiguous dates (`3/4/2019`). Without it, only their year is used.
    pub dates: Option<DateOrder>,
    /// Whether to correct tags and comments in UTF-8 that were read as Windows-1252 (`JÃ¶rg`). Each correction leaves a
    /// trace. Without this, they are reported.
    pub mends_text: bool,
}

tridex_text::setters! {
    impl[] Options {
        rules: RulesChoice,
        notation: Option<Notation>,
        locale: Option<Locale>,
        strict: bool,
        dates: Option<DateOrder>,
        mends_text: bool,
    }
}
