//! What other programs write: one small module for each dialect.

pub mod star_trek;
