//! The pages.

pub(crate) mod game;
pub(crate) mod home;
pub(crate) mod layout;
pub(crate) mod openings;
pub(crate) mod player;
pub(crate) mod results;
pub(crate) mod search;
pub(crate) mod setup;
pub(crate) mod statistics;
