//! Options that several commands have.

pub(crate) mod edits;
pub(crate) mod fields;
pub(crate) mod negation;
pub(crate) mod reading;
pub(crate) mod values;
pub(crate) mod writing;
