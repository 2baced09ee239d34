//! Queries, and the languages in which they are written.
//!
//! The same words have the same answer on a command line and over HTTP. [`field_table::FIELDS`] lists everything by
//! which games can be searched. A [`request`] has values of these fields; `query_language` parses the query language,
//! whose terms are the same fields. A value becomes a `clause`, and `lower` converts the clauses of both to a query.
//!
//! A [`Query`](expression::Query) is built from the parts in `expression`, `pattern`, `material` and `sequence`. They
//! share `logic` for `and`, `or` and `not`, and `symmetry` for the board in a mirror or from the other side.

pub(crate) mod clause;
pub(crate) mod date_range;
pub(crate) mod expression;
pub(crate) mod field_table;
pub(crate) mod fields;
pub(crate) mod logic;
pub(crate) mod lower;
pub(crate) mod material;
pub(crate) mod options;
pub(crate) mod parsing;
pub(crate) mod pattern;
pub(crate) mod positions;
pub(crate) mod query_language;
pub(crate) mod request;
pub(crate) mod sequence;
pub(crate) mod symmetry;
pub(crate) mod values;
pub(crate) mod wanted;
