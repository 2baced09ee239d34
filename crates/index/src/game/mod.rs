//! What a game is to the index: its moves in little space, the boards they lead to, what is known of it as a whole.

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
