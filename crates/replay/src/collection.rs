//! Many games together: statistics, duplicates, and generated games.

pub mod dedupe;
pub mod generate;
pub mod stats;
