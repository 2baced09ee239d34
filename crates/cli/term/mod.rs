//! What people see: colours, tables, findings, progress.

pub(crate) mod caret;
pub(crate) mod counts;
pub(crate) mod progress;
pub(crate) mod report;
pub(crate) mod settings;
pub(crate) mod style;
pub(crate) mod table;
pub(crate) mod terminal;
