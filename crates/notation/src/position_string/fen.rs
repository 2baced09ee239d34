//! A position string as a value.

use super::{parse, printer::write};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use tridex_grammar::SyntaxError;
use tridex_rules::{Position, RuleSystem, Setup, SetupError};

/// A setup whose text is its position string: [`Display`] writes it and [`str::parse`] reads it.
///
/// ```
/// use tridex_notation::Fen;
/// use tridex_rules::{Position, RuleSystem};
///
/// let start = Position::start(RuleSystem::Meder);
/// let text = Fen::of(&start).to_string();
/// assert_eq!(text.parse::<Fen>()?.position(RuleSystem::Meder)?, start);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fen(pub Setup);

impl Fen {
    /// Returns the setup of a position.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        Self(position.to_setup())
    }

    /// Returns the position under a rule system.
    ///
    /// # Errors
    /// If the setup is not a legal position of the rule system.
    pub fn position(&self, rules: RuleSystem) -> Result<Position, SetupError> {
        Position::from_setup(rules, &self.0)
    }
}

impl Display for Fen {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(160);
        write(&self.0, &mut text);
        f.pad(&text)
    }
}

impl FromStr for Fen {
    type Err = SyntaxError;

    /// Same as [`parse`].
    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        parse(text).map(Self)
    }
}
