//! How far a game goes under each rule system, where all were asked for.

use crate::findings;
use crate::guess::{self, Tokens};
use crate::line::Line;
use crate::setting::Setting;
use tridex_notation::Notation;
use tridex_rules::{Position, RuleSystem};

/// How far a game goes under a rule system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Under {
    /// The system.
    pub rules: RuleSystem,
    /// How many plies can be replayed.
    pub plies: usize,
    /// The token that cannot be replayed, empty where the game cannot even start, and why; none if the game is legal.
    pub fault: Option<(String, String)>,
}

impl Under {
    /// Whether every ply can be replayed.
    #[must_use]
    pub const fn is_legal(&self) -> bool {
        self.fault.is_none()
    }

    /// A game followed under a system.
    fn followed(rules: RuleSystem, line: &Line, tokens: &Tokens<'_>, notation: Notation) -> Self {
        let fault = line.broken.as_ref().zip(tokens.get(line.plies.len()));
        Self {
            rules,
            plies: line.plies.len(),
            fault: fault.map(|(fault, token)| {
                let why = findings::of_break(&line.last, fault, &token, notation);
                (tridex_archive::decode(token.text).into_owned(), why.message)
            }),
        }
    }

    /// A game whose start position the system does not have.
    fn unplayable(rules: RuleSystem, setting: &Setting) -> Self {
        let why = setting.start.as_ref().and_then(|(setup, _)| {
            let fault = Position::from_setup(rules, setup).err()?;
            Some(fault.to_string())
        });
        Self {
            rules,
            plies: 0,
            fault: Some((String::new(), why.unwrap_or_default())),
        }
    }
}

/// How a game goes under each system of the board, in the order of the systems.
pub(crate) fn all(
    setting: &Setting,
    lines: &[(RuleSystem, Line)],
    tokens: &Tokens<'_>,
    notation: Notation,
) -> Vec<Under> {
    let mut systems = guess::systems(notation);
    systems.sort_unstable();
    let under = systems.into_iter().map(|rules| {
        match lines.iter().find(|(followed, _)| *followed == rules) {
            Some((_, line)) => Under::followed(rules, line, tokens, notation),
            None => Under::unplayable(rules, setting),
        }
    });
    under.collect()
}
