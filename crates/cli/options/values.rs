//! Values of options that are names out of a list, which the completions of shells offer.

use crate::failure::Failure;
use clap::builder::{PossibleValue, TypedValueParser};
use std::ffi::OsStr;
use tridex_archive::encoding::Encoding;
use tridex_index::SortKey;
use tridex_notation::{Locale, Notation, Program};
use tridex_rules::RuleSystem;

/// Values that are names: how one is read, and the names to list. Other spellings of them may be read too.
#[derive(Debug)]
pub(crate) struct Known<T> {
    read: fn(&str) -> Option<T>,
    names: fn() -> Vec<&'static str>,
}

// Derived it would require the same of `T`.
impl<T> Clone for Known<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Known<T> {}

/// As many names as a message lists.
const LISTED: usize = 8;

/// The least likeness of a name that is suggested.
const LIKENESS: f64 = 0.75;

impl<T> Known<T> {
    /// The message about a name that is none: those that there are, and the nearest.
    fn expected(&self, name: &str) -> String {
        let name = name.trim().to_lowercase();
        let mut known = (self.names)();
        let list = match known.len() {
            ..=LISTED => format!("expected {}", known.join(", ")),
            _ => "other names are those of the Encoding Standard".to_owned(),
        };
        let is_short = known.len() <= LISTED;
        let likeness = |known: &str| strsim::jaro_winkler(&name, known);
        known.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
        known.truncate(if is_short { 1 } else { 3 });
        known.retain(|near| !is_short || likeness(near) >= LIKENESS);
        match known.is_empty() {
            true => list,
            false => format!("did you mean {}? {list}", known.join(", ")),
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
        let known = *self;
        let read = move |name: &str| (known.read)(name).ok_or_else(|| known.expected(name));
        TypedValueParser::parse_ref(&read, command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

fn rule_names() -> Vec<&'static str> {
    RuleSystem::ALL.iter().map(|rules| rules.name()).collect()
}

fn notation_names() -> Vec<&'static str> {
    Notation::ALL
        .iter()
        .map(|notation| notation.name())
        .collect()
}

/// Names and one more.
fn and(mut names: Vec<&'static str>, more: &'static str) -> Vec<&'static str> {
    names.push(more);
    names
}

/// The column by which hits are sorted.
pub(crate) const SORT_KEY: Known<SortKey> = Known {
    read: SortKey::from_name,
    names: || SortKey::ALL.map(SortKey::name).to_vec(),
};

/// A rule system.
pub(crate) const RULES: Known<RuleSystem> = Known {
    read: RuleSystem::from_name,
    names: rule_names,
};

/// A rule system, or `any`.
pub(crate) const RULES_CHOICE: Known<RulesWish> = Known {
    read: |name| match name.eq_ignore_ascii_case("any") {
        true => Some(RulesWish::Any),
        false => RuleSystem::from_name(name).map(RulesWish::Only),
    },
    names: || and(rule_names(), "any"),
};

/// A notation.
pub(crate) const NOTATION: Known<Notation> = Known {
    read: Notation::from_name,
    names: notation_names,
};

/// A notation, or `own`.
pub(crate) const TARGET: Known<Target> = Known {
    read: |name| match name.eq_ignore_ascii_case("own") {
        true => Some(Target::Own),
        false => Notation::from_name(name).map(Target::In),
    },
    names: || and(notation_names(), "own"),
};

/// An encoding of text.
pub(crate) const ENCODING: Known<Encoding> = Known {
    read: Encoding::from_name,
    names: || Encoding::names().collect(),
};

/// A language.
pub(crate) const LOCALE: Known<Locale> = Known {
    read: Locale::from_code,
    // Spanish and Italian letters are the same.
    names: || {
        and(
            Locale::ALL.iter().map(|locale| locale.code()).collect(),
            "it",
        )
    },
};

/// A program for which games are written.
pub(crate) const PROGRAM: Known<Program> = Known {
    read: |name| Program::from_name(name).filter(|program| Program::WITH_GAMES.contains(program)),
    names: || Program::WITH_GAMES.map(Program::name).to_vec(),
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

/// The name of our own dialect.
const OWN: &str = "tridex";
/// The name of the dialect by columns.
const COLUMNS: &str = "tridchessboard-columns";

/// A dialect of position strings.
pub(crate) const FEN_STYLE: Known<FenStyle> = Known {
    read: |name| match name.trim().to_lowercase().as_str() {
        OWN => Some(FenStyle::Tridex),
        COLUMNS => Some(FenStyle::Columns),
        name => Program::from_name(name)
            .filter(|program| Program::WITH_POSITIONS.contains(program))
            .map(FenStyle::Program),
    },
    names: || {
        let programs = Program::WITH_POSITIONS.into_iter().map(Program::name);
        [OWN].into_iter().chain(programs).chain([COLUMNS]).collect()
    },
};

/// The notation to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// That of each game's rule system.
    Own,
    In(Notation),
}

impl Target {
    /// The one that was named.
    pub(crate) const fn named(self) -> Option<Notation> {
        match self {
            Self::Own => None,
            Self::In(notation) => Some(notation),
        }
    }
}

/// A rule system, or all that may apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RulesWish {
    Only(RuleSystem),
    Any,
}

impl RulesWish {
    /// The system, if one is named.
    pub(crate) const fn only(self) -> Option<RuleSystem> {
        match self {
            Self::Only(rules) => Some(rules),
            Self::Any => None,
        }
    }
}

/// Refuses a notation in which the games of a rule system cannot be written. An option that is not given is not refused.
///
/// # Errors
/// That no game of the system can be written, or is written, so.
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

/// `64M`, `64MiB`, `20G`, or a plain number of bytes.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let fault = || "expected a number of bytes, such as 1000000, 64M or 20G".to_owned();
    let text = text.trim();
    let text = text.strip_suffix("iB").unwrap_or(text);
    let (digits, unit) = match text.char_indices().last() {
        Some((i, 'k' | 'K')) => (text.get(..i), 1 << 10),
        Some((i, 'm' | 'M')) => (text.get(..i), 1 << 20),
        Some((i, 'g' | 'G')) => (text.get(..i), 1 << 30),
        _ => (Some(text), 1),
    };
    let number: u64 = digits.ok_or_else(fault)?.parse().map_err(|_| fault())?;
    number.checked_mul(unit).ok_or_else(fault)
}
