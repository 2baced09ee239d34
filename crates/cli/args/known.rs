//! Values of options that are names out of a list: read as they always were, and known to the completions of shells.

use super::{RulesWish, Target, encoding, locale, notation, rules, rules_choice, target};
use clap::builder::{PossibleValue, TypedValueParser};
use std::ffi::OsStr;
use tridex_archive::encoding::Encoding;
use tridex_index::SortKey;
use tridex_notation::{Locale, Notation};
use tridex_rules::RuleSystem;

/// How a name is read, and which names there are. What is read may be spelled in other ways too.
#[derive(Debug)]
pub(crate) struct Known<T> {
    pub(super) read: fn(&str) -> Result<T, String>,
    pub(super) names: fn() -> Vec<&'static str>,
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
