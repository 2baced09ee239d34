//! Names of rule systems, notations and the like, as arguments.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tridex_core::archive::date::DateOrder;
use tridex_core::archive::encoding::Encoding;
use tridex_core::archive::source::OpenOptions;
use tridex_core::replay::{Options, RulesChoice};
use tridex_core::text::UnknownName;
use tridex_core::{Locale, Notation, RuleSystem, WrongFamily};

/// An error about an unknown name, with the known names that are similar.
pub(crate) fn unknown(what: &'static str, name: &str, names: &[&'static str]) -> PyErr {
    of_unknown(UnknownName::new(what, name, names))
}

/// Converts an error about an unknown name.
fn of_unknown(fault: UnknownName) -> PyErr {
    PyValueError::new_err(fault.to_string())
}

/// The rule system with a name.
pub(crate) fn rules(name: &str) -> PyResult<RuleSystem> {
    name.parse().map_err(of_unknown)
}

/// The notation with a name.
pub(crate) fn notation(name: &str) -> PyResult<Notation> {
    name.parse().map_err(of_unknown)
}

/// The language with a code.
pub(crate) fn locale(code: &str) -> PyResult<Locale> {
    code.parse().map_err(of_unknown)
}

/// Finds an order of dates by its name.
fn dates(name: &str) -> PyResult<DateOrder> {
    let names = DateOrder::ALL.map(DateOrder::name);
    DateOrder::from_name(name).ok_or_else(|| unknown("order of dates", name, &names))
}

/// An error about a notation that cannot express moves on this board.
pub(crate) fn of_other_board(fault: WrongFamily) -> PyErr {
    PyValueError::new_err(fault.to_string())
}

/// How games are read: the arguments that every function for reading games has.
#[derive(Default)]
pub(crate) struct Reading {
    pub(crate) rules: Option<String>,
    pub(crate) notation: Option<String>,
    pub(crate) locale: Option<String>,
    pub(crate) strict: bool,
    pub(crate) encoding: Option<String>,
    pub(crate) dates: Option<String>,
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
        Ok(Options::default()
            .rules(rules)
            .notation(notation)
            .locale(self.locale.as_deref().map(locale).transpose()?)
            .strict(self.strict)
            .dates(self.dates.as_deref().map(dates).transpose()?)
            .mends_text(false))
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
