//! Moves, positions, tables and checksums as files of tantivy's segments.
//!
//! When segments are merged the games that were not deleted are replayed, so that lists and tables are those that a
//! segment written at once would have.

use super::document::GameDoc;
use super::folder::{Folder, KEYS, MOVES, SUMS, TABLES, write_file};
use super::lists::{self, Keys};
use super::moves::{self, MovesBuilder};
use super::schema::Identity;
use super::segment::Segment as Opened;
use super::tables::{self, Games};
use crate::game::boards::{BoardTrails, keys_and_boards};
use crate::game::line::GameBytes;
use crate::questions::results::Facts;
use std::any::Any;
use std::sync::Arc;
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

/// What keeps games in the segments of an index.
pub(crate) struct GamesPlugin {
    folder: Folder,
    identity: Identity,
}

impl GamesPlugin {
    pub(crate) fn new(folder: &Folder, identity: Identity) -> Self {
        Self {
            folder: folder.clone(),
            identity,
        }
    }
}

impl SegmentPlugin for GamesPlugin {
    fn extensions(&self) -> &[&str] {
        &[MOVES, KEYS, TABLES, SUMS]
    }

    fn create_writer(&self, _: &PluginWriterContext<'_>) -> tantivy::Result<Box<dyn PluginWriter>> {
        Ok(Box::new(GamesWriter {
            folder: self.folder.clone(),
            games: Written::default(),
            keys: Keys::default(),
        }))
    }

    fn merge(&self, context: PluginMergeContext<'_>) -> tantivy::Result<()> {
        if context.doc_id_mapping.mapping_type() == MappingType::Shuffled {
            return Err(TantivyError::InvalidArgument(
                "the games of an index keep their order".to_owned(),
            ));
        }
        let mut merged = Merged::open(&context, &self.folder)?;
        merged.write_moves(context.target_segment)?;
        let keys = merged.replay(self.identity)?;
        write_lists(
            context.target_segment,
            keys,
            &merged,
            rayon::current_num_threads(),
        )?;
        self.folder.write_sums(context.target_segment)
    }
}

/// How many positions are sorted at a time, 16 bytes each.
const AT_ONCE: u64 = 1 << 20;

/// Writes lists and tables, on several threads.
fn write_lists(
    segment: &Segment,
    keys: Keys,
    games: &dyn Games,
    threads: usize,
) -> tantivy::Result<()> {
    let lists = lists::build(&keys, AT_ONCE, threads);
    let lists = lists.ok_or_else(|| wrong("there are too many positions for a segment"))?;
    // They take as much as the lists.
    drop(keys);
    let tables = tables::build(games, &lists).ok_or_else(|| wrong("a game cannot be read"))?;
    write_file(segment, KEYS, &lists.bytes)?;
    write_file(segment, TABLES, &tables)
}

/// Games that are being written.
#[derive(Default)]
struct Written {
    moves: MovesBuilder,
    facts: Vec<Facts>,
    trails: BoardTrails,
}

impl Games for Written {
    fn game(&self, game: u32) -> Option<GameBytes<'_>> {
        self.moves.game(game)
    }

    fn facts(&self, game: u32) -> Option<Facts> {
        self.facts.get(game as usize).copied()
    }

    fn trails(&self) -> &BoardTrails {
        &self.trails
    }
}

/// Gathers the games of a segment.
struct GamesWriter {
    folder: Folder,
    games: Written,
    keys: Keys,
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
        self.games.moves.push(&document.game());
        self.games.trails.push(&document.boards);
        self.keys.push(&document.keys);
        self.games.facts.push(Facts {
            result: document.row.result,
            year: document.row.date.map(|date| date.year),
            ratings: document.row.ratings,
        });
        Ok(())
    }

    fn serialize(
        self: Box<Self>,
        segment: &Segment,
        mapping: Option<&DocIdMapping>,
    ) -> tantivy::Result<()> {
        if mapping.is_some() {
            return Err(TantivyError::InvalidArgument(
                "the games of an index keep their order".to_owned(),
            ));
        }
        let Self {
            folder,
            games,
            keys,
        } = *self;
        // All other threads make games ready meanwhile.
        write_lists(segment, keys, &games, 1)?;
        games.moves.write(segment)?;
        folder.write_sums(segment)
    }

    fn mem_usage(&self) -> usize {
        // Sorting takes two numbers of eight bytes a key, and the keys stay in memory meanwhile.
        let sorting = self.keys.positions() as usize * 16;
        let games = self.games.moves.memory() + self.games.facts.len() * 16;
        games + self.games.trails.memory() + self.keys.memory() + sorting
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// The games of segments that become one.
struct Merged {
    parts: Vec<Arc<Opened>>,
    /// The part and the place there of each game.
    places: Vec<(u32, DocId)>,
    trails: BoardTrails,
}

impl Merged {
    fn open(context: &PluginMergeContext<'_>, folder: &Folder) -> tantivy::Result<Self> {
        let (mut parts, mut places) = (Vec::new(), Vec::new());
        for (part, reader) in (0..).zip(context.readers) {
            let opened =
                Opened::open(reader.clone(), folder).map_err(|error| wrong(&error.to_string()))?;
            places.extend(reader.doc_ids_alive().map(|doc| (part, doc)));
            parts.push(Arc::new(opened));
        }
        Ok(Self {
            parts,
            places,
            trails: BoardTrails::default(),
        })
    }

    /// Replays every game once, for its keys and for what it does with the attack boards.
    fn replay(&mut self, identity: Identity) -> tantivy::Result<Keys> {
        let mut trails = BoardTrails::default();
        let replayed = |game| keys_and_boards(&self.game(game)?, identity.variations);
        let keys = Keys::gather(self.games(), replayed, |boards| trails.push(&boards));
        self.trails = trails;
        keys.ok_or_else(|| wrong("a game cannot be read"))
    }

    fn games(&self) -> u32 {
        self.places.len() as u32
    }

    /// Writes the moves of all games, which are not held in memory meanwhile.
    fn write_moves(&self, segment: &Segment) -> tantivy::Result<()> {
        let games = (0..self.games()).map(|game| {
            let game = self.game(game);
            game.ok_or_else(|| wrong("a game cannot be read"))
        });
        moves::write_all(segment, games)
    }
}

impl Games for Merged {
    fn game(&self, game: u32) -> Option<GameBytes<'_>> {
        let (part, doc) = self.places.get(game as usize)?;
        self.parts.get(*part as usize)?.game(*doc)
    }

    fn facts(&self, game: u32) -> Option<Facts> {
        let (part, doc) = self.places.get(game as usize)?;
        self.parts.get(*part as usize)?.facts(*doc)
    }

    fn trails(&self) -> &BoardTrails {
        &self.trails
    }
}
