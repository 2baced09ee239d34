//! Fields: everything that a search can name.

use crate::query::clause::{Clause, Modifiers};
use crate::query::query_language::{Tree, Value};
use crate::query_error::QueryError;

/// A field: one row of [`FIELDS`](crate::FIELDS).
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name: `--name` on a command line, `?name=` in an address, `name:` in a query.
    pub name: &'static str,
    /// Other names that are accepted.
    pub aliases: &'static [&'static str],
    /// See [`Field::label`].
    pub(crate) label: &'static str,
    /// The placeholder for a value in help texts, such as `NAME`. Empty if the field is only set or not. A switch with
    /// a placeholder may also be given a value.
    pub value: &'static str,
    /// The kind of its values.
    pub kind: FieldKind,
    /// The group it belongs to.
    pub group: FieldGroup,
    /// Whether it may be given several times. All its values must then match.
    pub is_many: bool,
    /// The fields that this field modifies. At least one of them must be given too. Empty if it modifies none.
    pub goes_with: &'static [&'static str],
    /// What it does, in one line.
    pub help: &'static str,
    /// Further explanation.
    pub detail: &'static str,
    /// An example of a value.
    pub example: &'static str,
    pub(crate) parse: fn(&Value, &mut Modifiers) -> Result<Clause, QueryError>,
}

/// The kind of values a field has.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum FieldKind {
    /// Any text.
    Text,
    /// A number, with the smallest and the greatest value.
    Number(u32, u32),
    /// One of a list of names.
    Choice(fn() -> Vec<&'static str>),
    /// One or more names of a list, with commas between them.
    Choices(fn() -> Vec<&'static str>),
    /// `yes` or `no`. Without a value it means `yes`.
    Switch,
}

/// The groups of fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FieldGroup {
    /// Players, dates and other fields that are often needed.
    Game,
    /// Fields about the game that are needed less often.
    More,
    /// Positions and parts of them.
    Board,
}

impl Field {
    /// Its name in forms and messages.
    ///
    /// ```
    /// use tridex_index::Field;
    ///
    /// let label = |name| Field::find(name).expect("a field").label();
    /// assert_eq!((label("date"), label("elo")), ("Date".into(), "Ratings".into()));
    /// ```
    #[must_use]
    pub fn label(&self) -> String {
        match self.label {
            "" => self.name[..1].to_uppercase() + &self.name[1..],
            label => label.to_owned(),
        }
    }

    /// Whether it is a switch, which needs no value.
    #[must_use]
    pub const fn is_switch(&self) -> bool {
        matches!(self.kind, FieldKind::Switch)
    }

    /// Converts a value. Modifiers to other fields are added to `changes`.
    pub(crate) fn read(
        &self,
        value: &Value,
        modifiers: &mut Modifiers,
    ) -> Result<Clause, QueryError> {
        let clause = (self.parse)(value, modifiers).map_err(|error| error.of(self.title()))?;
        // Without moves, the position is that of the start. Every game matches a query without words.
        let is_allowed = match &clause {
            Clause::Moves => true,
            Clause::Words(tree) => *tree == Tree::And(Vec::new()),
            _ => false,
        };
        match value.text.trim().is_empty() && !is_allowed {
            true => {
                let expected = format!("a value such as {}", self.example);
                Err(QueryError::at(&value.text, 0, expected).of(self.title()))
            }
            false => Ok(clause),
        }
    }

    /// What messages call its value, such as "the date".
    pub(crate) fn title(&self) -> String {
        match (self.value, self.name) {
            ("FEN", name) => format!("the position of --{name}"),
            ("", name) => format!("the value of --{name}"),
            // The labels of these fields are not singular nouns.
            (_, "elo") => "the rating".to_owned(),
            (_, "ply") => "the number of plies".to_owned(),
            ("DATE", name) if name != "date" => format!("the date of --{name}"),
            _ => format!("the {}", self.label().to_lowercase()),
        }
    }
}
