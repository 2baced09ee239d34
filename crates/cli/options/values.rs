//! Values of options that are names out of a list: read as they always were, and known to the completions of shells.

use crate::failure::Failure;
use clap::builder::{PossibleValue, TypedValueParser};
use std::ffi::OsStr;
use tridex_archive::encoding::Encoding;
use tridex_index::SortKey;
use tridex_notation::{Locale, Notation, Program};
use tridex_rules::RuleSystem;

/// How a name is read, and which names there are. What is read may be spelled in other ways too.
#[derive(Debug)]
pub(crate) struct Known<T> {
    pub(crate) read: fn(&str) -> Result<T, String>,
    pub(crate) names: fn() -> Vec<&'static str>,
}

// Derived it would ask the same of `T`.
impl<T> Clone for Known<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Known<T> {}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Known<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        TypedValueParser::parse_ref(&self.read, command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

fn rule_names() -> Vec<&'static str> {
    RuleSystem::ALL.iter().map(|rules| rules.name()).collect()
}

/// What hits are ordered by.
pub(crate) const SORT_KEY: Known<SortKey> = Known {
    read: |name| {
        let names = || {
            format!(
                "hits are sorted by {}",
                SortKey::ALL.map(SortKey::name).join(", ")
            )
        };
        SortKey::from_name(name).ok_or_else(names)
    },
    names: || SortKey::ALL.map(SortKey::name).to_vec(),
};

/// A rule system.
pub(crate) const RULES: Known<RuleSystem> = Known {
    read: rules,
    names: rule_names,
};

/// A rule system, or `any`.
pub(crate) const RULES_CHOICE: Known<RulesWish> = Known {
    read: rules_choice,
    names: || {
        let mut names = rule_names();
        names.push("any");
        names
    },
};

/// A notation.
pub(crate) const NOTATION: Known<Notation> = Known {
    read: notation,
    names: || {
        Notation::ALL
            .iter()
            .map(|notation| notation.name())
            .collect()
    },
};

/// A notation, or `own`.
pub(crate) const TARGET: Known<Target> = Known {
    read: target,
    names: || {
        let mut names: Vec<_> = Notation::ALL
            .iter()
            .map(|notation| notation.name())
            .collect();
        names.push("own");
        names
    },
};

/// An encoding of text.
pub(crate) const ENCODING: Known<Encoding> = Known {
    read: encoding,
    names: || Encoding::NAMES.to_vec(),
};

/// A language.
pub(crate) const LOCALE: Known<Locale> = Known {
    read: locale,
    // Spanish and Italian letters are the same.
    names: || {
        Locale::ALL
            .iter()
            .map(|locale| locale.code())
            .chain(["it"])
            .collect()
    },
};

/// A program for which games are written.
pub(crate) const PROGRAM: Known<Program> = Known {
    read: dialect,
    names: || Program::WITH_GAMES.map(Program::name).to_vec(),
};

fn dialect(name: &str) -> Result<Program, String> {
    let known = Program::from_name(name);
    known
        .filter(|program| Program::WITH_GAMES.contains(program))
        .ok_or_else(|| {
            let names = Program::WITH_GAMES.map(Program::name).join(", ");
            format!("games can be written for {names}")
        })
}

/// Whose position strings are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FenStyle {
    /// Our own.
    Tridex,
    /// Those of another program.
    Program(Program),
    /// Those of tridchessboard.js by columns.
    Columns,
}

impl FenStyle {
    /// What our own are called.
    const OWN: &str = "tridex";
    /// What those by columns are called.
    const COLUMNS: &str = "tridchessboard-columns";

    fn names() -> Vec<&'static str> {
        let programs = Program::WITH_POSITIONS.into_iter().map(Program::name);
        let own = std::iter::once(Self::OWN);
        own.chain(programs).chain([Self::COLUMNS]).collect()
    }
}

/// A program, or our own way to write positions.
pub(crate) const FEN_STYLE: Known<FenStyle> = Known {
    read: fen_style,
    names: FenStyle::names,
};

fn fen_style(name: &str) -> Result<FenStyle, String> {
    let is = |known: &str| name.trim().eq_ignore_ascii_case(known);
    if is(FenStyle::OWN) {
        return Ok(FenStyle::Tridex);
    }
    if is(FenStyle::COLUMNS) {
        return Ok(FenStyle::Columns);
    }
    Program::from_name(name)
        .filter(|program| Program::WITH_POSITIONS.contains(program))
        .map(FenStyle::Program)
        .ok_or_else(|| {
            let names = FenStyle::names().join(", ");
            format!("positions can be written for {names}")
        })
}

fn rules(name: &str) -> Result<RuleSystem, String> {
    RuleSystem::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = RuleSystem::ALL.iter().map(|rules| rules.name()).collect();
        let near = tridex_replay::near_system(name)
            .map(|rules| format!("did you mean {}? ", rules.name()))
            .unwrap_or_default();
        format!("{near}the rule systems are {}", names.join(", "))
    })
}

fn rules_choice(name: &str) -> Result<RulesWish, String> {
    if name.eq_ignore_ascii_case("any") {
        return Ok(RulesWish::Any);
    }
    rules(name)
        .map(RulesWish::Only)
        .map_err(|fault| format!("{fault}, or any"))
}

/// The notation that games are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// That of each game's rule system.
    Own,
    In(Notation),
}

impl Target {
    /// The notation for a game of a rule system.
    pub(crate) fn of(self, rules: RuleSystem) -> Notation {
        match self {
            Self::Own => Notation::of(rules),
            Self::In(notation) => notation,
        }
    }

    /// The one that was named.
    pub(crate) const fn named(self) -> Option<Notation> {
        match self {
            Self::Own => None,
            Self::In(notation) => Some(notation),
        }
    }
}

fn target(name: &str) -> Result<Target, String> {
    if name.eq_ignore_ascii_case("own") {
        return Ok(Target::Own);
    }
    notation(name)
        .map(Target::In)
        .map_err(|message| format!("{message}, and `own`"))
}

fn notation(name: &str) -> Result<Notation, String> {
    Notation::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Notation::ALL.iter().map(|n| n.name()).collect();
        format!("the notations are {}", names.join(", "))
    })
}

fn locale(code: &str) -> Result<Locale, String> {
    Locale::from_code(code).ok_or_else(|| {
        let codes: Vec<&str> = Locale::ALL.iter().map(|l| l.code()).collect();
        format!("the languages are {}, it", codes.join(", "))
    })
}

fn encoding(name: &str) -> Result<Encoding, String> {
    Encoding::from_name(name).ok_or_else(|| {
        let name = name.to_lowercase();
        let near = |known: &&str| strsim::jaro_winkler(&name, known);
        let mut known = Encoding::NAMES;
        known.sort_by(|a, b| near(b).total_cmp(&near(a)));
        let near: Vec<&str> = known.iter().take(3).copied().collect();
        format!(
            "did you mean {}? other names are those of the Encoding Standard",
            near.join(", ")
        )
    })
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

/// Refuses a notation in which the games of a rule system cannot be written. Nothing is refused that is not said.
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
    let fault = || "a number of bytes, such as 1000000, 64M or 20G".to_owned();
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
