//! Option values that are names from a list, which shell completion offers.

use crate::failure::Failure;
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::ffi::OsStr;
use tridex_archive::date::DateOrder;
use tridex_archive::encoding::Encoding;
use tridex_index::SortKey;
use tridex_notation::{Locale, Notation, Program};
use tridex_replay::RulesChoice;
use tridex_rules::RuleSystem;
use tridex_text::enumeration;
use tridex_text::near;

/// A parser for one of some names, each with its value and its help.
pub(crate) fn one_of<T: Copy + Send + Sync + 'static>(
    known: &'static [(&'static str, T, &'static str)],
) -> impl TypedValueParser<Value = T> {
    let names = known.iter().map(|(name, _, help)| {
        let help = Some(*help).filter(|help| !help.is_empty());
        PossibleValue::new(*name).help(help)
    });
    PossibleValuesParser::new(names).try_map(|given| {
        let found = known.iter().find(|(name, ..)| *name == given);
        found.map(|(_, value, _)| *value).ok_or("unknown name")
    })
}

/// A parser for `on` or `off`.
pub(crate) fn on_or_off() -> impl TypedValueParser<Value = bool> {
    one_of(&[("on", true, ""), ("off", false, "")])
}

/// Values that are names: how to read one, and the names to list. `read` may accept other spellings too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<T> {
    pub(crate) read: fn(&str) -> Option<T>,
    pub(crate) names: fn() -> Vec<&'static str>,
}

/// The most names that a message lists.
const LISTED: usize = 9;

/// The most names that a message suggests.
const SUGGESTED: usize = 3;

impl<T> Known<T> {
    /// The message about an unknown name, with the known names and the nearest of them.
    fn expected(&self, name: &str) -> String {
        let known = (self.names)();
        let list = match known.len() <= LISTED {
            true => format!("expected {}", known.join(", ")),
            false => "expected a name of the Encoding Standard".to_owned(),
        };
        let mut near = near(name, &known);
        near.truncate(SUGGESTED);
        match near.is_empty() {
            true => list,
            false => format!("did you mean {}? {list}", enumeration(&near, "or")),
        }
    }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Known<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let known = self.clone();
        let read = move |name: &str| (known.read)(name).ok_or_else(|| known.expected(name));
        TypedValueParser::parse_ref(&read, command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

/// The names of all values.
fn all<T: Copy>(values: &[T], name: fn(T) -> &'static str) -> Vec<&'static str> {
    values.iter().copied().map(name).collect()
}

/// The column by which hits are sorted.
pub(crate) const SORT_KEY: Known<SortKey> = Known {
    read: SortKey::from_name,
    names: || all(&SortKey::ALL, SortKey::name),
};

/// A rule system.
pub(crate) const RULES: Known<RuleSystem> = Known {
    read: RuleSystem::from_name,
    names: || all(RuleSystem::ALL, RuleSystem::name),
};

/// A rule system, or `any`.
pub(crate) const RULES_CHOICE: Known<RulesChoice> = Known {
    read: |name| match name.eq_ignore_ascii_case("any") {
        true => Some(RulesChoice::Any),
        false => RuleSystem::from_name(name).map(RulesChoice::Only),
    },
    names: || [all(RuleSystem::ALL, RuleSystem::name), vec!["any"]].concat(),
};

/// A notation.
pub(crate) const NOTATION: Known<Notation> = Known {
    read: Notation::from_name,
    names: || all(&Notation::ALL, Notation::name),
};

/// The notation to write; if none is named, that of each game's rule system.
pub(crate) type Target = Option<Notation>;

/// A notation, or `own`.
pub(crate) const TARGET: Known<Target> = Known {
    read: |name| match name.eq_ignore_ascii_case("own") {
        true => Some(None),
        false => Notation::from_name(name).map(Some),
    },
    names: || [all(&Notation::ALL, Notation::name), vec!["own"]].concat(),
};

/// An encoding of text.
pub(crate) const ENCODING: Known<Encoding> = Known {
    read: Encoding::from_name,
    names: || Encoding::names().collect(),
};

/// The order of the parts of a date.
pub(crate) const DATES: Known<DateOrder> = Known {
    read: DateOrder::from_name,
    names: || all(&DateOrder::ALL, DateOrder::name),
};

/// A language. `it` is another code for Spanish, because the letters are the same.
pub(crate) const LOCALE: Known<Locale> = Known {
    read: Locale::from_code,
    names: || [all(&Locale::ALL, Locale::code), vec!["it"]].concat(),
};

/// A program for which games are written.
pub(crate) const PROGRAM: Known<Program> = Known {
    read: |name| Program::from_name(name).filter(|program| Program::WITH_GAMES.contains(program)),
    names: || all(&Program::WITH_GAMES, Program::name),
};

/// The dialect of a position string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FenStyle {
    /// Our own.
    Tridex,
    /// That of another program.
    Program(Program),
    /// That of tridchessboard.js by columns.
    Columns,
}

/// A dialect of position strings.
pub(crate) const FEN_STYLE: Known<FenStyle> = Known {
    read: |name| match name.trim().to_lowercase().as_str() {
        "tridex" => Some(FenStyle::Tridex),
        "tridchessboard-columns" => Some(FenStyle::Columns),
        name => Program::from_name(name)
            .filter(|program| Program::WITH_POSITIONS.contains(program))
            .map(FenStyle::Program),
    },
    names: || {
        let programs = all(&Program::WITH_POSITIONS, Program::name);
        [vec!["tridex"], programs, vec!["tridchessboard-columns"]].concat()
    },
};

/// The format of results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON object per line
    Ndjson,
    /// A table with a header
    Csv,
    /// An archive in PGN
    #[value(alias = "archive")]
    Pgn,
    /// A page to play the games through in any browser, at most 1,000 games
    #[value(alias = "page")]
    Html,
}

/// The formats of a command; the first is the default.
pub(crate) type Formats = &'static [Format];

/// The formats of tables.
pub(crate) const TABLES: Formats = &[Format::Text, Format::Ndjson, Format::Csv];
/// The formats of counts.
pub(crate) const COUNTS: Formats = &[Format::Text, Format::Ndjson];
/// The formats of games.
pub(crate) const GAMES: Formats = &[Format::Pgn, Format::Ndjson, Format::Csv];

/// A parser for one of some formats.
pub(crate) fn format(formats: Formats) -> impl TypedValueParser<Value = Format> {
    let names = formats.iter().filter_map(ValueEnum::to_possible_value);
    PossibleValuesParser::new(names).try_map(|name| Format::from_str(&name, false))
}

/// Refuses a notation that cannot express the games of a rule system. An option that is not given is not refused.
///
/// # Errors
/// If the notation is for another board than the rule system.
pub(crate) fn agree(rules: Option<RuleSystem>, notation: Option<Notation>) -> Result<(), Failure> {
    match (rules, notation) {
        (Some(rules), Some(notation)) if rules.family() != notation.family() => {
            Err(Failure::message(format!(
                "{} games cannot be written in this notation: {}",
                rules.name(),
                tridex_notation::WrongFamily { notation }
            )))
        }
        _ => Ok(()),
    }
}

/// Parses `64M`, `64MiB`, `20G`, or a plain number of bytes.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let text = text.strip_suffix("iB").unwrap_or(text);
    let units = [('k', 1 << 10), ('m', 1 << 20), ('g', 1 << 30)];
    let unit = units.into_iter().find_map(|(sign, unit)| {
        let digits = text.strip_suffix([sign, sign.to_ascii_uppercase()])?;
        Some((digits, unit))
    });
    let (digits, unit) = unit.unwrap_or((text, 1));
    let number: Option<u64> = digits.parse().ok();
    let bytes = number.and_then(|number| number.checked_mul(unit));
    bytes.ok_or_else(|| "expected a number of bytes, such as 1000000, 64M or 20G".to_owned())
}
