//! A segment of an index, open for queries.

use crate::error::{At, IndexError, Result, damaged};
use crate::model::game_bytes::GameBytes;
use crate::model::game_set::GameSet;
use crate::model::results::Facts;
use crate::model::signature::Signature;
use crate::model::systems;
use crate::storage::columns::{
    Column, OWN_START, PROMOTIONS, PerColumn, Row, VARIATIONS, facts_of,
};
use crate::storage::file_names::{KEYS, MOVES, TABLES};
use crate::storage::folder::Folder;
use crate::storage::move_tables::Tables;
use crate::storage::moves_file::Moves;
use crate::storage::position_lists::reader;
use crate::storage::schema::{SCHEMA_FIELDS, SOURCE, TEXTS};
use crate::storage::stored_record::Record;
use crate::text::text_field::TextField;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use tantivy::columnar::{Cardinality, ColumnValues, StrColumn};
use tantivy::schema::Field;
use tantivy::schema::document::Value;
use tantivy::store::StoreReader;
use tantivy::{DocId, SegmentReader, TantivyDocument};
use tridex_rules::RuleSystem;
use tridex_text::names::fold;

/// The values of a column, indexed by game.
pub(crate) type Values = Arc<dyn ColumnValues<u64>>;

/// The values of a column. All our columns have a value for every game; if a game has none, it reads as 0.
fn values_of(column: tantivy::columnar::Column<u64>) -> Values {
    match column.get_cardinality() {
        Cardinality::Full => column.values,
        _ => column.first_or_default_col(0),
    }
}

/// Computes a value when it is first needed.
#[inline]
fn once<T>(place: &OnceLock<T>, make: impl FnOnce() -> tantivy::Result<T>) -> tantivy::Result<&T> {
    match place.get() {
        Some(made) => Ok(made),
        None => make().map(|made| place.get_or_init(|| made)),
    }
}

/// A segment of an index. Here, as in tantivy, a game is identified by its number in the segment.
pub(crate) struct Segment {
    pub(crate) reader: SegmentReader,
    folder: Folder,
    pub(crate) moves: Moves,
    /// The lists of games by position.
    pub(crate) lists: reader::Reader,
    /// The tables of positions that many games share.
    pub(crate) tables: Tables,
    columns: PerColumn<OnceLock<Values>>,
    sources: OnceLock<Option<StrColumn>>,
    /// The texts by which games are sorted, in the order of [`TEXTS`].
    texts: Vec<OnceLock<Option<StrColumn>>>,
    records: OnceLock<StoreReader>,
    /// The games that were not deleted.
    pub(crate) alive: GameSet,
    /// The numbers in the index of the first and the last game, including deleted ones.
    pub(crate) first: u32,
    pub(crate) last: u32,
}

/// The values of a text for some games of a segment, as [`alphabetical`] writes them and in order.
#[derive(Default)]
pub(crate) struct TextRanks {
    texts: Vec<String>,
    ords: Option<tantivy::columnar::Column<u64>>,
    of_ords: Vec<u32>,
}

impl TextRanks {
    /// The rank of the text of one of these games; `None` if the game has no such text.
    pub(crate) fn rank(&self, doc: DocId) -> Option<u32> {
        let ord = self.ords.as_ref()?.first(doc)?;
        self.of_ords.get(ord as usize).copied()
    }

    /// The text with a rank.
    pub(crate) fn text(&self, rank: u32) -> Option<&str> {
        self.texts.get(rank as usize).map(String::as_str)
    }
}

impl Segment {
    /// Opens our files. tantivy has already opened its own.
    ///
    /// # Errors
    /// Returns an error if one is missing or damaged.
    pub(crate) fn open(reader: SegmentReader, folder: &Folder) -> Result<Self> {
        let root = &folder.path;
        let id = reader.segment_id().uuid_string();
        let path = |kind: &str| root.join(format!("{id}.{kind}"));
        let file = |kind| folder.file(&id, kind).at(root);
        let broken = |kind: &str| damaged(&path(kind), "the file is truncated");
        let moves = Moves::open(file(MOVES)?).ok_or_else(|| broken(MOVES))?;
        let lists = reader::Reader::open(file(KEYS)?).ok_or_else(|| broken(KEYS))?;
        let tables = Tables::open(file(TABLES)?).ok_or_else(|| broken(TABLES))?;
        let games = reader.max_doc();
        if moves.games != games || lists.games != games {
            return Err(damaged(&path(MOVES), "the file belongs to another segment"));
        }
        let alive = match reader.has_deletes() {
            false => GameSet::full(games),
            true => reader.doc_ids_alive().collect(),
        };
        let mut segment = Self {
            reader,
            folder: folder.clone(),
            moves,
            lists,
            tables,
            columns: PerColumn::of(|_| OnceLock::new()),
            sources: OnceLock::new(),
            texts: TEXTS.iter().map(|_| OnceLock::new()).collect(),
            records: OnceLock::new(),
            alive,
            first: 0,
            last: 0,
        };
        let numbers = Arc::clone(segment.column(Column::Game)?);
        let number = |doc: u32| u32::try_from(numbers.get_val(doc)).unwrap_or(u32::MAX);
        (segment.first, segment.last) = (number(0), number(games.saturating_sub(1)));
        Ok(segment)
    }

    /// The number of games, including deleted ones.
    pub(crate) fn games(&self) -> u32 {
        self.reader.max_doc()
    }

    /// The folder of the index.
    pub(crate) fn root(&self) -> &Path {
        &self.folder.path
    }

    /// The extensions of its files that have checksums.
    pub(crate) fn kinds(&self) -> Vec<String> {
        let sums = self
            .folder
            .checksums(&self.reader.segment_id().uuid_string());
        // This cannot fail, since the checksums were read when the segment was opened.
        sums.map_or(Vec::new(), |sums| sums.kinds().map(str::to_owned).collect())
    }

    /// The path of one of its files.
    pub(crate) fn path(&self, kind: &str) -> PathBuf {
        let id = self.reader.segment_id().uuid_string();
        self.folder.path.join(format!("{id}.{kind}"))
    }

    /// The error for a damaged file of the segment.
    pub(crate) fn fault(&self, kind: &str, what: &str) -> IndexError {
        damaged(&self.path(kind), what)
    }

    /// The error for a game that cannot be read.
    pub(crate) fn unreadable(&self) -> IndexError {
        self.fault(MOVES, "a game cannot be read")
    }

    /// A column.
    ///
    /// # Errors
    /// If it is damaged.
    #[inline]
    pub(crate) fn column(&self, column: Column) -> Result<&Values> {
        let values = once(self.columns.get(column), || {
            let columns = self.reader.fast_fields();
            columns.u64(column.name()).map(values_of)
        });
        values.at(self.root())
    }

    /// The value of a column for a game.
    ///
    /// # Errors
    /// If the column is damaged.
    #[inline]
    pub(crate) fn value(&self, column: Column, doc: DocId) -> Result<u64> {
        Ok(self.column(column)?.get_val(doc))
    }

    /// The number of a game in the index.
    ///
    /// # Errors
    /// If the column is damaged.
    pub(crate) fn number(&self, doc: DocId) -> Result<u32> {
        Ok(self.value(Column::Game, doc)? as u32)
    }

    /// The number in the segment of a game, given its number in the index; `None` if the game is not here or was
    /// deleted.
    ///
    /// # Errors
    /// If the column is damaged.
    pub(crate) fn find(&self, number: u32) -> Result<Option<DocId>> {
        if number < self.first || number > self.last {
            return Ok(None);
        }
        let numbers = self.column(Column::Game)?;
        let (mut low, mut high) = (0, self.games());
        while low < high {
            let middle = low + (high - low) / 2;
            match numbers.get_val(middle) < u64::from(number) {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let is_it = low < self.games() && numbers.get_val(low) == u64::from(number);
        Ok((is_it && self.alive.contains(low)).then_some(low))
    }

    /// The values of all columns for a game.
    ///
    /// # Errors
    /// If one is damaged.
    pub(crate) fn row(&self, doc: DocId) -> Result<Row> {
        Row::try_of(|column| self.value(column, doc))
    }

    /// The facts of a game that go into counts; `None` if a column is damaged.
    #[inline]
    pub(crate) fn facts(&self, doc: DocId) -> Option<Facts> {
        facts_of(|column| self.value(column, doc).ok())
    }

    /// For each of some games: its rules, whether it has variations, and its signature. The inner value is `None` if
    /// the game's rules are unknown.
    ///
    /// # Errors
    /// If a column is damaged.
    pub(crate) fn signatures(
        &self,
        games: &[DocId],
    ) -> Result<Vec<Option<(RuleSystem, bool, Signature)>>> {
        // Reading many values of a column at once takes a fraction of the time.
        let values = |column| -> Result<Vec<u64>> {
            let mut values = vec![0; games.len()];
            self.column(column)?.get_vals(games, &mut values);
            Ok(values)
        };
        let (rules, flags) = (values(Column::Rules)?, values(Column::Flags)?);
        let plies = values(Column::Plies)?;
        let pins = [values(Column::WhitePins)?, values(Column::BlackPins)?];
        let least = values(Column::Least)?;
        let known = |at: usize| {
            let (start, flags) = (systems::start(rules[at] as u8)?, flags[at]);
            let signature = Signature {
                words: [pins[0][at], pins[1][at], least[at]],
                most: [0, 1].map(|color| {
                    let is_known = flags & (OWN_START | PROMOTIONS[color]) == 0;
                    is_known.then_some(start.counts[color])
                }),
                plies: plies[at] as u32,
            };
            Some((start.rules, flags & VARIATIONS != 0, signature))
        };
        Ok((0..games.len()).map(known).collect())
    }

    /// The packed form of a game; `None` if it is damaged.
    #[inline]
    pub(crate) fn game(&self, doc: DocId) -> Option<GameBytes<'_>> {
        GameBytes::read(self.moves.get(doc)?)
    }

    /// The number of positions in games that were not deleted. Variations of deleted games are included.
    ///
    /// # Errors
    /// If the column of plies is damaged.
    pub(crate) fn positions(&self) -> Result<u64> {
        if !self.reader.has_deletes() {
            return Ok(self.lists.positions);
        }
        let plies = self.column(Column::Plies)?;
        let gone = (0..self.games()).filter(|doc| !self.alive.contains(*doc));
        let gone: u64 = gone.map(|doc| plies.get_val(doc) + 1).sum();
        Ok(self.lists.positions.saturating_sub(gone))
    }

    /// Ranks the values of a text for some games, in alphabetical order. No game has a rank if the text
    /// has no column.
    ///
    /// # Errors
    /// If the column is damaged.
    pub(crate) fn text_ranks(&self, field: TextField, games: &GameSet) -> Result<TextRanks> {
        let mut texts = TEXTS.iter().zip(&self.texts);
        let column = texts.find(|(spec, _)| spec.field == field && spec.is_sorted);
        let column = column.map(|(spec, column)| self.strings(column, spec.name));
        let Some(column) = column.transpose()?.flatten() else {
            return Ok(TextRanks::default());
        };
        let ords = column.ords().clone();
        let used = games.iter().filter_map(|doc| ords.first(doc));
        let used: GameSet = used.map(|ord| ord as u32).collect();
        let used: Vec<u64> = used.iter().map(u64::from).collect();
        let mut all: Vec<(String, u64)> = Vec::with_capacity(used.len());
        let take = |text: &[u8]| {
            all.push((
                alphabetical(&String::from_utf8_lossy(text)),
                used[all.len()],
            ));
        };
        let found = column.dictionary().sorted_ords_to_term_cb(&used, take);
        if !found.is_ok_and(|found| found) {
            return Err(self.fault("fast", "a text of the games cannot be read"));
        }
        all.sort();
        let mut ranks = TextRanks {
            texts: Vec::new(),
            ords: Some(ords),
            of_ords: vec![0; used.last().map_or(0, |last| *last as usize + 1)],
        };
        for (text, ord) in all {
            if ranks.texts.last() != Some(&text) {
                ranks.texts.push(text);
            }
            ranks.of_ords[ord as usize] = ranks.texts.len() as u32 - 1;
        }
        Ok(ranks)
    }

    /// The names of the sources of some games, in order, each with its games.
    ///
    /// # Errors
    /// If the column is damaged.
    pub(crate) fn sources(
        &self,
        games: impl IntoIterator<Item = DocId>,
    ) -> Result<Vec<(String, Vec<DocId>)>> {
        let column = self.strings(&self.sources, SOURCE)?;
        let column = column.ok_or_else(|| self.fault("fast", "the sources are missing"))?;
        self.values_by_game(column, games)
    }

    fn strings<'s>(
        &self,
        column: &'s OnceLock<Option<StrColumn>>,
        name: &str,
    ) -> Result<Option<&'s StrColumn>> {
        let found = once(column, || self.reader.fast_fields().str(name));
        Ok(found.at(self.root())?.as_ref())
    }

    fn values_by_game(
        &self,
        column: &StrColumn,
        games: impl IntoIterator<Item = DocId>,
    ) -> Result<Vec<(String, Vec<DocId>)>> {
        let mut found: BTreeMap<u64, Vec<DocId>> = BTreeMap::new();
        for doc in games {
            if let Some(which) = column.ords().first(doc) {
                found.entry(which).or_default().push(doc);
            }
        }
        let which: Vec<u64> = found.keys().copied().collect();
        let mut all = Vec::with_capacity(which.len());
        let take = |text: &[u8]| all.push(String::from_utf8_lossy(text).into_owned());
        match column.dictionary().sorted_ords_to_term_cb(&which, take) {
            Ok(true) => Ok(all.into_iter().zip(found.into_values()).collect()),
            _ => Err(self.fault("fast", "a text of the games cannot be read")),
        }
    }

    /// The name of a game's source.
    ///
    /// # Errors
    /// If the column is damaged.
    pub(crate) fn source(&self, doc: DocId) -> Result<String> {
        let found = self.sources([doc])?.pop();
        let missing = || self.fault("fast", "the source of a game cannot be read");
        found.map(|(name, _)| name).ok_or_else(missing)
    }

    /// Reads the record of a game.
    ///
    /// # Errors
    /// Returns an error if it is damaged.
    pub(crate) fn record(&self, doc: DocId) -> Result<Record> {
        self.record_in(SCHEMA_FIELDS.record, doc)
    }

    /// Like [`Segment::record`], for an index that stores records in another field.
    ///
    /// # Errors
    /// Returns an error if the record is damaged.
    pub(crate) fn record_in(&self, field: Field, doc: DocId) -> Result<Record> {
        let records = once(&self.records, || {
            Ok(self.reader.get_store_reader(RECORDS)?)
        });
        let document = records.and_then(|records| records.get::<TantivyDocument>(doc));
        document
            .at(self.root())?
            .get_first(field)
            .and_then(|value| value.as_bytes().and_then(Record::read))
            .ok_or_else(|| self.fault("store", "the record of a game cannot be read"))
    }
}

/// The key that sorts a text. Case, accents and alphabet are ignored, as in a search. Texts that differ only in these are in
/// the order of their lower-case letters.
fn alphabetical(text: &str) -> String {
    let mut key = fold(text);
    key.push('\0');
    key.push_str(&text.to_lowercase());
    key
}

/// The number of blocks of records that stay decompressed in memory.
const RECORDS: usize = 16;
