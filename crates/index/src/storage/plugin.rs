//! A tantivy plugin that stores moves, positions, tables and checksums as files of each segment.
//!
//! A merge replays all games that were not deleted, so the lists and tables are the same as if the segment had been
//! written at once.

use crate::model::board_trail::{BoardTrail, boards};
use crate::model::game_bytes::GameBytes;
use crate::model::results::Facts;
use crate::storage::columns::facts_of;
use crate::storage::document::GameDoc;
use crate::storage::file_names::{CHECKSUMS, KEYS, MOVES, TABLES};
use crate::storage::folder::{Folder, write_file};
use crate::storage::move_tables;
use crate::storage::moves_file;
use crate::storage::per_game::PerGame;
use crate::storage::position_lists::builder;
use crate::storage::schema::Identity;
use crate::storage::segment::Segment as Opened;
use std::any::Any;
use tantivy::indexer::doc_id_mapping::{DocIdMapping, MappingType};
use tantivy::schema::Schema;
use tantivy::schema::document::ErasedDocument;
use tantivy::{
    DocId, PluginMergeContext, PluginWriter, PluginWriterContext, Segment, SegmentPlugin,
    TantivyError,
};

fn wrong(what: &str) -> TantivyError {
    TantivyError::DataCorruption(tantivy::error::DataCorruption::comment_only(what))
}

/// The plugin that stores games in the segments of an index.
pub(crate) struct GamesPlugin {
    pub(crate) folder: Folder,
    pub(crate) identity: Identity,
}

impl SegmentPlugin for GamesPlugin {
    fn extensions(&self) -> &[&str] {
        &[MOVES, KEYS, TABLES, CHECKSUMS]
    }

    fn create_writer(&self, _: &PluginWriterContext<'_>) -> tantivy::Result<Box<dyn PluginWriter>> {
        Ok(Box::new(GamesWriter {
            folder: self.folder.clone(),
            games: Games::default(),
        }))
    }

    fn merge(&self, context: PluginMergeContext<'_>) -> tantivy::Result<()> {
        if context.doc_id_mapping.mapping_type() == MappingType::Shuffled {
            return Err(wrong("the games of an index keep their order"));
        }
        let mut games = Games::default();
        let unreadable = || wrong("a game cannot be read");
        for reader in context.readers {
            let part = Opened::open(reader.clone(), &self.folder);
            let part = part.map_err(|error| wrong(&error.to_string()))?;
            for doc in reader.doc_ids_alive() {
                let moves = part.moves.get(doc).ok_or_else(unreadable)?;
                games.moves.push(moves);
                games.facts.push(part.facts(doc).ok_or_else(unreadable)?);
            }
        }
        // Each game is replayed once, both for its keys and for the trail of its attack boards.
        let replayed = |game| {
            let game = GameBytes::read(games.moves.get(game)?)?;
            let mut keys = Vec::with_capacity(game.plies as usize + 1);
            let trail = boards(&game, self.identity.variations, |key| keys.push(key))?;
            Some((keys, trail))
        };
        let gathered = builder::gather(games.moves.games(), replayed);
        (games.keys, games.trails) = gathered.ok_or_else(unreadable)?;
        games.write(context.target_segment, &self.folder)
    }
}

/// The games of a segment during writing.
#[derive(Default)]
struct Games {
    moves: PerGame<u8>,
    facts: Vec<Facts>,
    trails: Vec<BoardTrail>,
    keys: PerGame<u32>,
}

impl Games {
    /// Writes the files of the plugin.
    fn write(self, segment: &Segment, folder: &Folder) -> tantivy::Result<()> {
        let lists = builder::build(self.keys);
        let lists = lists.ok_or_else(|| wrong("there are too many positions for a segment"))?;
        let tables = move_tables::build(&self.moves, &self.facts, &self.trails, &lists);
        let tables = tables.ok_or_else(|| wrong("a game cannot be read"))?;
        write_file(segment, KEYS, &lists.bytes)?;
        write_file(segment, TABLES, &tables)?;
        write_file(segment, MOVES, &moves_file::write(&self.moves))?;
        folder.write_checksums(segment)
    }
}

/// Collects the games of a segment.
struct GamesWriter {
    folder: Folder,
    games: Games,
}

impl PluginWriter for GamesWriter {
    fn add_document(
        &mut self,
        _: DocId,
        document: &dyn ErasedDocument,
        _: &Schema,
    ) -> tantivy::Result<()> {
        let document = document.as_any().downcast_ref::<GameDoc>();
        let document = document.ok_or_else(|| wrong("what is added is no game"))?;
        self.games.moves.push(&document.game);
        self.games.trails.push(document.boards.clone());
        self.games.keys.push(&document.keys);
        let facts = facts_of(|column| Some(*document.row.get(column)));
        self.games.facts.extend(facts);
        Ok(())
    }

    fn serialize(
        self: Box<Self>,
        segment: &Segment,
        mapping: Option<&DocIdMapping>,
    ) -> tantivy::Result<()> {
        if mapping.is_some() {
            return Err(wrong("the games of an index keep their order"));
        }
        self.games.write(segment, &self.folder)
    }

    fn mem_usage(&self) -> usize {
        // Only tantivy's own threads use this. Here the weight of the games determines the end of a segment.
        0
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
