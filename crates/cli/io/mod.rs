//! Where games come from, and where results go.

pub(crate) mod fault;
pub(crate) mod indices;
pub(crate) mod interrupt;
pub(crate) mod memory;
pub(crate) mod one_game;
pub(crate) mod output;
pub(crate) mod run;
pub(crate) mod sources;
