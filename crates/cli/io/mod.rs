//! Where games come from, and where results go.

pub(crate) mod emit;
pub(crate) mod entries;
pub(crate) mod fault;
pub(crate) mod indices;
pub(crate) mod interrupt;
pub(crate) mod memory;
pub(crate) mod one_game;
pub(crate) mod opening_names;
pub(crate) mod output;
pub(crate) mod pieces;
pub(crate) mod position;
pub(crate) mod question;
pub(crate) mod run;
pub(crate) mod saved;
pub(crate) mod sources;
