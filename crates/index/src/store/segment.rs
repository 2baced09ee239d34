//! A segment of an index, open for queries.

use super::columns::{Column, OWN_START, PROMOTIONS, Row, facts_of};
use super::folder::{Folder, KEYS, MOVES, TABLES};
use super::keys;
use super::moves::Moves;
use super::record::Record;
use super::schema::{FIELDS, SORTED, SOURCE, TEXTS};
use super::tables::Tables;
use crate::error::{At, IndexError, Result, damaged};
use crate::game::line::GameBytes;
use crate::game::signature::{SIGNATURE_WORDS, Signature};
use crate::game::systems;
use crate::questions::game_set::GameSet;
use crate::questions::results::Facts;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use tantivy::columnar::{Cardinality, ColumnValues, StrColumn};
use tantivy::schema::document::Value;
use tantivy::store::StoreReader;
use tantivy::{DocId, SegmentReader, TantivyDocument};

/// The values of a column, by game.
pub(crate) type Values = Arc<dyn ColumnValues<u64>>;

/// The values of a column where every game has one, as in all our columns; 0 for a game that has none.
fn values_of(column: tantivy::columnar::Column<u64>) -> Values {
    match column.get_cardinality() {
        Cardinality::Full => column.values,
        _ => column.first_or_default_col(0),
    }
}

/// What is made once, when it is needed.
#[inline]
fn once<T>(place: &OnceLock<T>, make: impl FnOnce() -> tantivy::Result<T>) -> tantivy::Result<&T> {
    match place.get() {
        Some(made) => Ok(made),
        None => make().map(|made| place.get_or_init(|| made)),
    }
}

/// How many values are unpacked at once.
const BLOCK: usize = 64;
/// Up to how many games may be skipped between two that are read in order.
const GAP: u32 = 8;

/// A column that is mostly read for one game after the other: then many values are unpacked at once.
pub(crate) struct InOrder {
    values: Values,
    block: [u64; BLOCK],
    /// The game of the first value unpacked, and how many there are.
    first: DocId,
    len: u32,
    /// The game that would be next.
    next: DocId,
}

impl InOrder {
    pub(crate) fn of(values: &Values) -> Self {
        Self {
            values: Arc::clone(values),
            block: [0; BLOCK],
            first: 0,
            len: 0,
            next: 0,
        }
    }

    #[inline]
    pub(crate) fn get(&mut self, doc: DocId) -> u64 {
        let at = doc.wrapping_sub(self.first);
        if at < self.len {
            self.next = doc + 1;
            return self.block[at as usize % BLOCK];
        }
        self.unpack(doc)
    }

    #[inline(never)]
    fn unpack(&mut self, doc: DocId) -> u64 {
        let is_in_order = doc.wrapping_sub(self.next) <= GAP;
        self.next = doc + 1;
        if !is_in_order {
            return self.values.get_val(doc);
        }
        let len = self.values.num_vals().saturating_sub(doc);
        (self.first, self.len) = (doc, len.min(BLOCK as u32));
        let block = &mut self.block[..self.len as usize];
        self.values.get_range(u64::from(doc), block);
        block.first().copied().unwrap_or(0)
    }
}

/// A segment of an index. Its games are called by their place in it here, as tantivy does.
pub(crate) struct Segment {
    pub(crate) reader: SegmentReader,
    folder: Folder,
    pub(super) moves: Moves,
    /// The lists of games by position.
    pub(crate) lists: keys::Reader,
    /// What many of its games share.
    pub(crate) tables: Tables,
    columns: [OnceLock<Values>; Column::COUNT],
    texts: [OnceLock<Option<StrColumn>>; SORTED + 1],
    records: OnceLock<StoreReader>,
    /// The games that were not deleted.
    pub(crate) alive: GameSet,
    /// The numbers of the first and the last game, deleted ones included.
    pub(crate) first: u32,
    pub(crate) last: u32,
}

impl Segment {
    /// Opens our files, after those that tantivy has opened.
    ///
    /// # Errors
    /// If one is missing or damaged.
    pub(crate) fn open(reader: SegmentReader, folder: &Folder) -> Result<Self> {
        let root = &folder.path;
        let id = reader.segment_id().uuid_string();
        let path = |kind: &str| root.join(format!("{id}.{kind}"));
        let file = |kind| folder.file(&id, kind).at(root);
        let broken = |kind: &str| damaged(&path(kind), "the file is truncated");
        let moves = Moves::open(file(MOVES)?).ok_or_else(|| broken(MOVES))?;
        let lists = keys::Reader::open(file(KEYS)?).ok_or_else(|| broken(KEYS))?;
        let tables = Tables::open(file(TABLES)?).ok_or_else(|| broken(TABLES))?;
        let games = reader.max_doc();
        if moves.games != games || lists.games != games {
            return Err(damaged(&path(MOVES), "the file belongs to another segment"));
        }
        let alive = match reader.has_deletes() {
            false => GameSet::full(games),
            true => {
                let mut alive = GameSet::empty(games);
                reader.doc_ids_alive().for_each(|doc| alive.insert(doc));
                alive
            }
        };
        let mut segment = Self {
            reader,
            folder: folder.clone(),
            moves,
            lists,
            tables,
            columns: Default::default(),
            texts: Default::default(),
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

    /// How many games it has, deleted ones included.
    pub(crate) fn games(&self) -> u32 {
        self.reader.max_doc()
    }

    /// The folder of the index.
    pub(crate) fn root(&self) -> &Path {
        &self.folder.path
    }

    /// The path of one of its files.
    pub(crate) fn path(&self, kind: &str) -> PathBuf {
        let id = self.reader.segment_id().uuid_string();
        self.folder.path.join(format!("{id}.{kind}"))
    }

    /// A fault of one of its files.
    pub(crate) fn fault(&self, kind: &str, what: &str) -> IndexError {
        damaged(&self.path(kind), what)
    }

    /// A game that cannot be read.
    pub(crate) fn unreadable(&self) -> IndexError {
        self.fault(MOVES, "a game cannot be read")
    }

    /// A column.
    ///
    /// # Errors
    /// If it is damaged.
    #[inline]
    pub(crate) fn column(&self, column: Column) -> Result<&Values> {
        self.column_at(column as usize)
    }

    #[inline]
    fn column_at(&self, place: usize) -> Result<&Values> {
        let name = Column::NAMES[place];
        let values = once(&self.columns[place], || {
            self.reader.fast_fields().u64(name).map(values_of)
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

    /// The place of the game of a number, if it is here and was not deleted.
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

    /// What the columns say of a game.
    ///
    /// # Errors
    /// If one is damaged.
    pub(crate) fn row(&self, doc: DocId) -> Result<Row> {
        let mut row = Row::default();
        for (place, value) in row.0.iter_mut().enumerate() {
            *value = self.column_at(place)?.get_val(doc);
        }
        Ok(row)
    }

    /// What goes into scores; `None` if a column is damaged.
    #[inline]
    pub(crate) fn facts(&self, doc: DocId) -> Option<Facts> {
        facts_of(|column| self.value(column, doc).ok())
    }

    /// What is known of whole games, by game.
    ///
    /// # Errors
    /// If a column is damaged.
    pub(crate) fn signatures(&self) -> Result<impl FnMut(DocId) -> Signature + use<>> {
        let column = |column| self.column(column).map(InOrder::of);
        let (mut rules, mut flags) = (column(Column::Rules)?, column(Column::Flags)?);
        let mut plies = column(Column::Plies)?;
        let mut words: [InOrder; SIGNATURE_WORDS] = [
            column(Column::WhitePins)?,
            column(Column::BlackPins)?,
            column(Column::Least)?,
        ];
        Ok(move |doc| {
            let (rules, flags) = (rules.get(doc) as u8, flags.get(doc));
            let start = systems::start(rules).filter(|_| flags & OWN_START == 0);
            let most = [0, 1].map(|color| {
                let start = start.filter(|_| flags & PROMOTIONS[color] == 0);
                start.map(|start| &start.counts[color])
            });
            let words = words.each_mut().map(|values| values.get(doc));
            Signature::from_words(&words, plies.get(doc) as u32, most)
        })
    }

    /// A game on the board; `None` if it is damaged.
    #[inline]
    pub(crate) fn game(&self, doc: DocId) -> Option<GameBytes<'_>> {
        GameBytes::read(self.moves.get(doc)?)
    }

    /// How many positions its games have that were not deleted; those of variations of deleted games are counted too.
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

    /// A column of texts, by the name of its field: the texts and, by game, which. `None` if no game has one.
    ///
    /// # Errors
    /// If it is damaged.
    fn texts(&self, field: &str) -> Result<Option<&StrColumn>> {
        let place = TEXTS[..SORTED].iter().position(|(name, _)| *name == field);
        // The last is that of the sources.
        let place = &self.texts[place.unwrap_or(SORTED)];
        let texts = once(place, || self.reader.fast_fields().str(field));
        texts.map(Option::as_ref).at(self.root())
    }

    /// Texts of a column by their numbers, which must be in order.
    ///
    /// # Errors
    /// If one cannot be read.
    fn read_texts(&self, texts: &StrColumn, which: &[u64]) -> Result<Vec<String>> {
        let mut found = Vec::with_capacity(which.len());
        let take = |text: &[u8]| found.push(String::from_utf8_lossy(text).into_owned());
        match texts.dictionary().sorted_ords_to_term_cb(which, take) {
            Ok(true) => Ok(found),
            _ => Err(self.fault("fast", "a text of the games cannot be read")),
        }
    }

    /// A text of some games, by the name of its field; games without one are omitted. Each block of texts is unpacked
    /// once.
    ///
    /// # Errors
    /// If the column is damaged.
    pub(crate) fn texts_of(&self, field: &str, games: &[DocId]) -> Result<Vec<(DocId, String)>> {
        let Some(texts) = self.texts(field)? else {
            return Ok(Vec::new());
        };
        let which = |doc: &DocId| Some((texts.ords().first(*doc)?, *doc));
        let mut found: Vec<(u64, DocId)> = games.iter().filter_map(which).collect();
        found.sort_unstable();
        let (which, games): (Vec<u64>, Vec<DocId>) = found.into_iter().unzip();
        Ok(games
            .into_iter()
            .zip(self.read_texts(texts, &which)?)
            .collect())
    }

    /// Where a game is from.
    ///
    /// # Errors
    /// If the column is damaged.
    pub(crate) fn source(&self, doc: DocId) -> Result<String> {
        let found = self.texts_of(SOURCE, &[doc])?.pop();
        let missing = || self.fault("fast", "the source of a game cannot be read");
        found.map(|(_, name)| name).ok_or_else(missing)
    }

    /// Where some games are from: each name once.
    ///
    /// # Errors
    /// If the column is damaged.
    pub(crate) fn sources(&self, games: impl Iterator<Item = DocId>) -> Result<Vec<String>> {
        let missing = || self.fault("fast", "the sources are missing");
        let sources = self.texts(SOURCE)?.ok_or_else(missing)?;
        let which = games.filter_map(|doc| sources.ords().first(doc));
        let which: BTreeSet<u64> = which.collect();
        self.read_texts(sources, &Vec::from_iter(which))
    }

    /// What is stored of a game to be shown.
    ///
    /// # Errors
    /// If it is damaged.
    pub(crate) fn record(&self, doc: DocId) -> Result<Record> {
        let document = once(&self.records, || {
            Ok(self.reader.get_store_reader(RECORDS)?)
        });
        let document = document.and_then(|records| records.get::<TantivyDocument>(doc));
        let document = document.at(self.root())?;
        document
            .get_first(FIELDS.record)
            .and_then(|value| value.as_bytes().and_then(Record::read))
            .ok_or_else(|| self.fault("store", "the record of a game cannot be read"))
    }
}

/// How many blocks of records stay unpacked.
const RECORDS: usize = 16;
