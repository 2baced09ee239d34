//! The index on the disk: one of tantivy's, with files of ours in every segment.
//!
//! - `schema` says which fields there are and what an index must agree with; `document` is a game on its way in.
//! - `plugin` keeps moves (`.moves`), positions (`.keys`), tables of what many games share (`.tables`) and checksums
//!   (`.sums`) beside tantivy's own files, through writing, merging and deleting.
//! - `keys` reads which games reach a position, `lists` makes that; `tables` has what is played from it.
//! - `folder` looks at a checksum of whatever is read for the first time.
//! - `writer` adds, `commit` makes it safe, `merge` plans, `reader` opens, `verify` looks everything through.

pub(crate) mod columns;
pub(crate) mod commit;
pub(crate) mod document;
pub(crate) mod folder;
pub(crate) mod keys;
pub(crate) mod lists;
pub(crate) mod merge;
pub(crate) mod plugin;
pub(crate) mod reader;
pub(crate) mod schema;
pub(crate) mod segment;
pub(crate) mod tables;
pub(crate) mod verify;
pub(crate) mod writer;
