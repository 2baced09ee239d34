//! Output for people.

pub(crate) mod counts;
pub(crate) mod progress;
pub(crate) mod report;
pub(crate) mod settings;
pub(crate) mod table;
pub(crate) mod terminal;
