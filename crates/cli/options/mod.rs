//! Options that several commands have.

pub(crate) mod asking;
pub(crate) mod common;
pub(crate) mod reading;
pub(crate) mod values;
pub(crate) mod writing;
