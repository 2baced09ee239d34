//! Requests and their answers.
//!
//! The same words have the same answer on a command line and over HTTP. [`fields::FIELDS`] lists everything by which
//! games can be searched. A [`request`] has values of these fields; `language` parses the query language, whose terms
//! are the same fields. `rows` has the machine-readable forms of answers, and `record` converts a game to a record.
//!
//! A [`Query`](query::Query) is built from the parts in `query`, `pattern`, `material` and `sequence`. They share
//! `logic` for `and`, `or` and `not`, and `symmetry` for the board in a mirror or from the other side. `search`
//! evaluates a query as a `tree` whose leaves are words, `facts` and tests of replayed games (`replay`, `position`).
//! `openings` counts the moves played from a position, and `survey` counts whole games, both for the games that a
//! search finds. All of them end soon after a `stop` is raised.

pub(crate) mod common;
pub(crate) mod date;
pub(crate) mod facts;
pub(crate) mod fields;
pub(crate) mod game_set;
pub(crate) mod language;
pub(crate) mod logic;
pub(crate) mod material;
pub(crate) mod openings;
pub(crate) mod pattern;
pub(crate) mod position;
pub(crate) mod query;
pub(crate) mod query_error;
pub(crate) mod record;
pub(crate) mod replay;
pub(crate) mod request;
pub(crate) mod results;
pub(crate) mod rows;
pub(crate) mod search;
pub(crate) mod sequence;
pub(crate) mod sort;
pub(crate) mod stop;
pub(crate) mod survey;
pub(crate) mod symmetry;
pub(crate) mod tree;
