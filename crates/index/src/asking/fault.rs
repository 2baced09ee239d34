//! Why a question cannot be asked.

use crate::error::IndexError;
use crate::questions::parsing::LanguageError;
use std::fmt::{Display, Formatter};
use tridex_archive::printable;
use tridex_rules::{RuleSystem, SetupError};

/// What of a question is written in a language of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Asked {
    /// The question in words.
    Query,
    /// A date.
    Date,
    /// A position.
    Position,
    /// A position seen from the top.
    Plan,
    /// The position of a table of openings.
    Fen,
    /// A line of moves.
    Moves,
    /// A pattern.
    Pattern,
    /// A balance of material.
    Material,
}

impl Asked {
    /// What it is called in a message, as in "the pattern is not understood". Options of the command have their dashes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Query => "the query",
            Self::Date => "the date",
            Self::Position => "the position of --position",
            Self::Plan => "the position of --plan",
            Self::Fen => "the position of --fen",
            Self::Moves => "the line of moves",
            Self::Pattern => "the pattern",
            Self::Material => "the material",
        }
    }
}

/// Why a question cannot be asked.
#[derive(Debug)]
#[non_exhaustive]
pub enum AskError {
    /// A text stops making sense at a byte of it.
    NotUnderstood {
        /// What it was to be.
        asked: Asked,
        /// The text.
        text: String,
        /// The byte, at most the length of the text and the beginning of a character.
        offset: usize,
        /// What would have been understood there.
        expected: String,
    },
    /// Something is said of what is not asked for.
    Lacking {
        /// The field.
        name: &'static str,
        /// The fields of which one has to be there too.
        goes_with: &'static [&'static str],
    },
    /// A position cannot be played under a system, or under any.
    Unplayable(Option<RuleSystem>, SetupError),
    /// A game is called by something that is no name of a game.
    NoName,
    /// There is no game of this name.
    NoGame(String),
    /// The game that was named is shorter.
    NoPly {
        /// The ply that was asked for.
        ply: u32,
        /// How many there are.
        plies: usize,
    },
    /// The index cannot answer.
    Index(IndexError),
}

/// A text that stops making sense at a byte of it.
pub(super) fn at(asked: Asked, text: &str, offset: usize, expected: &str) -> AskError {
    let offset = (0..=offset.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0);
    AskError::NotUnderstood {
        asked,
        text: text.to_owned(),
        offset,
        expected: expected.to_owned(),
    }
}

impl AskError {
    pub(super) fn language(asked: Asked, text: &str, found: LanguageError) -> Self {
        at(asked, text, found.offset, &found.expected)
    }

    pub(super) const fn unplayable(rules: Option<RuleSystem>, fault: SetupError) -> Self {
        Self::Unplayable(rules, fault)
    }

    /// The message, with something before the names of fields: `--` on a command line.
    #[must_use]
    pub fn told(&self, dashes: &str) -> String {
        match self {
            Self::NotUnderstood {
                asked,
                text,
                offset,
                expected,
            } => {
                let rest = printable(text.get(*offset..).unwrap_or_default()).into_owned();
                let place = match rest.is_empty() {
                    true => "at its end".to_owned(),
                    false => format!("at `{rest}`"),
                };
                let name = asked.name().replace("--", dashes);
                format!(
                    "{name} is not understood {place}: expected {}",
                    printable(expected)
                )
            }
            Self::Lacking { name, goes_with } => {
                let named: Vec<String> = goes_with
                    .iter()
                    .map(|name| format!("{dashes}{name}"))
                    .collect();
                let listed = match named.split_last() {
                    Some((last, rest)) if !rest.is_empty() => {
                        format!("{} or {last}", rest.join(", "))
                    }
                    _ => named.concat(),
                };
                format!("{dashes}{name} goes with {listed}")
            }
            Self::Unplayable(rules, fault) => {
                let name = rules.map_or("any system", RuleSystem::name);
                format!("the position cannot be played under {name}: {fault}")
            }
            Self::NoName => format!(
                "{dashes}game is an id of 16 hexadecimal digits, or a file and a number as in games.pgn:12"
            ),
            Self::NoGame(name) => format!("there is no game {} in the index", printable(name)),
            Self::NoPly { ply, plies } => format!("there is no ply {ply}: the game has {plies}"),
            Self::Index(error) => printable(&error.to_string()).into_owned(),
        }
    }
}

impl Display for AskError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.told("--"))
    }
}

impl std::error::Error for AskError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unplayable(_, fault) => Some(fault),
            Self::Index(error) => Some(error),
            _ => None,
        }
    }
}
