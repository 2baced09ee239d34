//! Requests and their answers.
//!
//! The same words have the same answer on a command line and over HTTP: [`fields::FIELDS`] is everything by which games can
//! be searched, a [`request`] is values of these fields, `language` reads them as a query in words. `rows` has the machine
//! forms of answers, `record` writes a game as a record again.
//!
//! A [`Query`](query::Query) is put together in `query`, `pattern`, `material` and `sequence`; `logic` is what `and`, `or`
//! and `not` mean in all of them, `symmetry` how the board is seen in a mirror or from the other side. `search` evaluates it as a `tree`, of
//! which the leaves are words, `facts` and tests of replayed games (`replay`, `position`). `openings` counts what is played
//! from a position, `survey` whole games, both of the games that a search finds. All of them end soon after a `stop` is
//! raised.

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
