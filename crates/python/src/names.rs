//! Names of rule systems, notations and the like, as arguments.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tridex_core::archive::encoding::Encoding;
use tridex_core::archive::source::OpenOptions;
use tridex_core::notation::near;
use tridex_core::replay::{Options, RulesChoice};
use tridex_core::{Locale, Notation, RuleSystem, WrongFamily};

/// An error: the name is not one of some names; with those that are near to it.
pub(crate) fn unknown(what: &str, name: &str, names: &[&str]) -> PyErr {
    let near = match near(name, names).as_slice() {
        [] => String::new(),
        near => format!(" (did you mean {}?)", near.join(" or ")),
    };
    let names = names.join(", ");
    PyValueError::new_err(format!("unknown {what} {name:?}{near}: expected {names}"))
}

/// The rule system of a name.
pub(crate) fn rules(name: &str) -> PyResult<RuleSystem> {
    RuleSystem::from_name(name).ok_or_else(|| {
        let names = RuleSystem::ALL.iter().map(|rules| rules.name());
        unknown("rule system", name, &names.collect::<Vec<_>>())
    })
}

/// The notation of a name.
pub(crate) fn notation(name: &str) -> PyResult<Notation> {
    Notation::from_name(name)
        .ok_or_else(|| unknown("notation", name, &Notation::ALL.map(Notation::name)))
}

/// The language of a code.
pub(crate) fn locale(code: &str) -> PyResult<Locale> {
    Locale::from_code(code).ok_or_else(|| unknown("language", code, &Locale::ALL.map(Locale::code)))
}

/// That a notation has no words for a board.
pub(crate) fn of_other_board(fault: WrongFamily) -> PyErr {
    PyValueError::new_err(fault.to_string())
}

/// How games are read: the arguments of every function that reads some.
#[derive(Default)]
pub(crate) struct Reading {
    pub(crate) rules: Option<String>,
    pub(crate) notation: Option<String>,
    pub(crate) locale: Option<String>,
    pub(crate) strict: bool,
    pub(crate) encoding: Option<String>,
}

impl Reading {
    /// How games are replayed.
    pub(crate) fn options(&self) -> PyResult<Options> {
        let rules = match self.rules.as_deref() {
            None => RulesChoice::AsTagged,
            Some("any") => RulesChoice::Any,
            Some(name) => RulesChoice::Only(rules(name)?),
        };
        let notation = self.notation.as_deref().map(notation).transpose()?;
        if let (RulesChoice::Only(rules), Some(notation)) = (rules, notation)
            && rules.family() != notation.family()
        {
            return Err(of_other_board(WrongFamily { notation }));
        }
        Ok(Options {
            rules,
            notation,
            locale: self.locale.as_deref().map(locale).transpose()?,
            strict: self.strict,
        })
    }

    /// How files are opened.
    pub(crate) fn open(&self) -> PyResult<OpenOptions> {
        let mut open = OpenOptions::default();
        if let Some(name) = &self.encoding {
            let encoding = Encoding::from_name(name);
            let encoding = encoding
                .ok_or_else(|| unknown("encoding", name, &Encoding::names().collect::<Vec<_>>()))?;
            open.encoding = Some(encoding);
        }
        let locale = self.locale.as_deref().map(locale).transpose()?;
        open.language = locale.map(Locale::code);
        Ok(open)
    }
}
