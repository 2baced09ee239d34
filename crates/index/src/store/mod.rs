//! The index on disk: a tantivy index, with files of our own in every segment.
//!
//! - `schema` defines the fields and what an index must agree with. `prepare` converts a game to a `document`. `record`
//!   is the part of it that is shown.
//! - `plugin` maintains `moves` (`.moves`), positions (`.keys`), tables (`.tables`) and checksums (`.sums`) next to
//!   tantivy's own files while segments are written, merged and deleted.
//! - `keys` reads which games reach a position, and `lists` creates that file. `tables` has counts for positions that
//!   many games reach.
//! - `stretches` holds values of games, one game after another, from which these files are made.
//! - `folder` checks everything that is read for the first time.
//! - `open` opens the folder, and `reader` its content. `writer` adds games to segments that are `growing`, and
//!   commits. `merge` plans merges. `verify` checks the whole index.
//! - `merge_source` reads the games of other indices, and `previous` those of the previous version.

pub(crate) mod columns;
pub(crate) mod document;
pub(crate) mod folder;
pub(crate) mod growing;
pub(crate) mod keys;
pub(crate) mod lists;
pub(crate) mod merge;
pub(crate) mod merge_source;
pub(crate) mod moves;
pub(crate) mod open;
pub(crate) mod plugin;
pub(crate) mod prepare;
pub(crate) mod previous;
pub(crate) mod reader;
pub(crate) mod record;
pub(crate) mod schema;
pub(crate) mod segment;
pub(crate) mod stretches;
pub(crate) mod tables;
pub(crate) mod verify;
pub(crate) mod writer;
