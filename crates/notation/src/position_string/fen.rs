//! A position string as a value.

use super::{parse, printer::write};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use tridex_grammar::SyntaxError;
use tridex_rules::{Position, RuleSystem, Setup, SetupError};

/// The setup that a position string states: its text is [`Display`], and it is read by [`str::parse`].
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
    /// Of a position.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        Self(position.to_setup())
    }

    /// The position under a rule system.
    ///
    /// # Errors
    /// If it cannot be played.
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

    /// [`parse`]
    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        parse(text).map(Self)
    }
}
