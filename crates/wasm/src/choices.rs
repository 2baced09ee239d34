//! Names of rule systems, notations and languages, as requests have them.

use crate::json;
use serde::{Deserialize, Deserializer, Serialize, de};
use tridex_archive::date::DateOrder;
use tridex_geometry::Family;
use tridex_notation::{Locale, Notation};
use tridex_replay::near_system;
use tridex_rules::RuleSystem;

/// Reads a name from a short list of known names.
fn named<'de, D, T>(
    from: D,
    what: &str,
    read: impl FnOnce(&str) -> Option<T>,
    all: impl Iterator<Item = &'static str>,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
{
    let name = String::deserialize(from)?;
    read(&name).ok_or_else(|| {
        let near = near_system(&name).filter(|_| what == "rule system");
        let near = near.map(|near| format!(" (did you mean {}?)", near.name()));
        let all: Vec<&str> = all.collect();
        de::Error::custom(format_args!(
            "`{name}` is not a {what}{}: {}",
            near.unwrap_or_default(),
            all.join(", ")
        ))
    })
}

/// A rule system.
#[derive(Clone, Copy)]
pub(crate) struct Rules(pub(crate) RuleSystem);

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let all = RuleSystem::ALL.iter().map(|rules| rules.name());
        named(from, "rule system", RuleSystem::from_name, all).map(Self)
    }
}

/// A rule system, or `any`: every system of the board.
#[derive(Clone, Copy)]
pub(crate) enum RequestedRules {
    Any,
    Only(RuleSystem),
}

impl<'de> Deserialize<'de> for RequestedRules {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let all = RuleSystem::ALL.iter().map(|rules| rules.name());
        let read = |name: &str| match name {
            "any" => Some(Self::Any),
            name => RuleSystem::from_name(name).map(Self::Only),
        };
        named(from, "rule system", read, all.chain(["any"]))
    }
}

/// A notation.
#[derive(Clone, Copy)]
pub(crate) struct Named(pub(crate) Notation);

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let all = Notation::ALL.iter().map(|notation| notation.name());
        named(from, "notation", Notation::from_name, all).map(Self)
    }
}

/// A notation, or `own`: that of the rules of each game.
#[derive(Clone, Copy)]
pub(crate) struct Target(pub(crate) Option<Notation>);

impl<'de> Deserialize<'de> for Target {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let all = Notation::ALL.iter().map(|notation| notation.name());
        let read = |name: &str| match name {
            "own" => Some(Self(None)),
            name => Notation::from_name(name).map(|notation| Self(Some(notation))),
        };
        named(from, "notation", read, all.chain(["own"]))
    }
}

/// A language, by its code of two letters.
#[derive(Clone, Copy)]
pub(crate) struct Language(pub(crate) Locale);

impl<'de> Deserialize<'de> for Language {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let all = Locale::ALL.into_iter().map(Locale::code);
        let read = |code: &str| Locale::ALL.into_iter().find(|known| known.code() == code);
        named(from, "language", read, all).map(Self)
    }
}

/// The order of day, month and year in ambiguous dates.
#[derive(Clone, Copy)]
pub(crate) struct Dates(pub(crate) DateOrder);

impl<'de> Deserialize<'de> for Dates {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let all = DateOrder::ALL.into_iter().map(DateOrder::name);
        named(from, "order of dates", DateOrder::from_name, all).map(Self)
    }
}

/// All rule systems with their notations, and all languages, as JSON.
pub(crate) fn systems() -> String {
    #[derive(Serialize)]
    struct System {
        name: &'static str,
        board: &'static str,
        own: &'static str,
        about: &'static str,
        source: &'static str,
        notations: Vec<&'static str>,
    }
    #[derive(Serialize)]
    struct Choice {
        code: &'static str,
        name: &'static str,
    }
    #[derive(Serialize)]
    struct Choices {
        version: &'static str,
        systems: Vec<System>,
        locales: Vec<Choice>,
    }
    let system = |rules: &RuleSystem| System {
        name: rules.name(),
        board: match rules.family() {
            Family::Stair => "stair",
            Family::Cube => "cube",
        },
        own: Notation::of(*rules).name(),
        about: rules.facts().summary,
        source: rules.facts().source,
        notations: Notation::ALL
            .iter()
            .filter(|notation| notation.family() == rules.family())
            .map(|notation| notation.name())
            .collect(),
    };
    let locale = |locale: Locale| Choice {
        code: locale.code(),
        name: locale.name(),
    };
    json(&Choices {
        version: env!("CARGO_PKG_VERSION"),
        systems: RuleSystem::ALL.iter().map(system).collect(),
        locales: Locale::ALL.into_iter().map(locale).collect(),
    })
}
