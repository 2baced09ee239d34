//! Games in the form in which the index handles them: packed moves, the placements they lead to, and facts of whole
//! games.

pub(crate) mod boards;
pub(crate) mod book;
pub(crate) mod entry;
pub(crate) mod line;
pub(crate) mod moves;
pub(crate) mod notes;
pub(crate) mod packed;
pub(crate) mod scribe;
pub(crate) mod signature;
pub(crate) mod systems;
