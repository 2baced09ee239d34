//! The index on disk: a tantivy index, with files of our own in every segment.
//!
//! - `schema` defines the fields and what an index must agree with. `prepare` converts a game to a `document`, whose part
//!   that is shown is the `stored_record`.
//! - `plugin` maintains moves (`.moves`, `moves_file`), positions (`.keys`, `position_lists`), tables (`.tables`,
//!   `move_tables`) and checksums (`.sums`) next to tantivy's own files while segments are written, merged and deleted.
//! - `per_game` holds values of games, one game after another, from which these files are made.
//! - `folder` checks everything that is read for the first time, by `checksums` of blocks, or by the `own_checksum` of a
//!   file.
//! - `store` opens or creates the index in a folder, `snapshot` is the index as of a commit, and `segment` one of its
//!   segments.
//! - `merge_source` reads the games of other indices, and `previous_version` those of an index of the previous version.

pub(crate) mod checksums;
pub(crate) mod columns;
pub(crate) mod document;
pub(crate) mod file_names;
pub(crate) mod folder;
pub(crate) mod merge_source;
pub(crate) mod move_tables;
pub(crate) mod moves_file;
pub(crate) mod own_checksum;
pub(crate) mod per_game;
pub(crate) mod plugin;
pub(crate) mod position_lists;
pub(crate) mod prepare;
pub(crate) mod previous_version;
pub(crate) mod schema;
pub(crate) mod segment;
pub(crate) mod snapshot;
pub(crate) mod store;
pub(crate) mod stored_record;
