//! One file for each command: its arguments, and what it does.

pub(crate) mod convert;
pub(crate) mod dedupe;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod generate;
pub(crate) mod index;
pub(crate) mod moves;
pub(crate) mod novelty;
pub(crate) mod openings;
pub(crate) mod perft;
pub(crate) mod plan;
pub(crate) mod position;
pub(crate) mod reconcile;
pub(crate) mod report;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod stats;
pub(crate) mod validate;
