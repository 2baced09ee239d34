//! The index on the disk: one of tantivy's, with our files in every segment.
//!
//! - `schema` has the fields and what an index must agree with; `prepare` makes a game a `document`, of which `record` is
//!   what is shown.
//! - `plugin` keeps `moves` (`.moves`), positions (`.keys`), tables of what many games share (`.tables`) and checksums
//!   (`.sums`) next to tantivy's own files, through writing, merging and deleting.
//! - `keys` reads which games reach a position, `lists` makes that; `tables` has what is played from it.
//! - `stretches` has values of games, one game after the other, from which these files are made.
//! - `folder` compares the checksum of everything that is read for the first time.
//! - `open` opens the folder, `reader` what is in it; `writer` adds and commits, by segments that are `growing`; `merge`
//!   plans; `verify` reads everything.
//! - `merge_source` has the games of other indices, `previous` reads those of the version before.

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
