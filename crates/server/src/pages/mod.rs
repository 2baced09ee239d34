//! The pages.

mod form;
pub(crate) mod game;
mod game_list;
pub(crate) mod guide;
pub(crate) mod home;
pub(crate) mod numbers;
pub(crate) mod openings;
pub(crate) mod player;
pub(crate) mod results;
pub(crate) mod rules;
pub(crate) mod search;
pub(crate) mod setup;
pub(crate) mod shell;
pub(crate) mod statistics;
