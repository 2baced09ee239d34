//! Finding the games that match a query.
//!
//! `collect` evaluates a query as a `plan` whose leaves are words (`text_queries`), facts in columns (`column_queries`)
//! and tests of replayed games (`board_test`, `position`). `sort` orders the matches. `filter` tests games that are in no
//! index. `gather` counts over the games that match, and `requests` looks up the games that a request names. All of them
//! end soon after a `Stop` is raised.

pub(crate) mod board_test;
pub(crate) mod collect;
pub(crate) mod column_queries;
pub(crate) mod filter;
pub(crate) mod gather;
pub(crate) mod plan;
pub(crate) mod position;
pub(crate) mod requests;
pub(crate) mod sort;
pub(crate) mod text_queries;
