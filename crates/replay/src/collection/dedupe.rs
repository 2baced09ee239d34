//! Finds records of the same game under different names, notations and languages, by the moves played.
//!
//! Two records are the same game if they have the same start placement, side to move, moves and rule system. The
//! notation and the writer do not matter. A record that states no rule system gets that of the other records with its
//! moves, if these agree. Games under different rules are different games: if two records have the same start and the
//! same moves under two rule systems, both are retained and reported as [`DuplicateKind::OtherRules`]. One game is the
//! beginning of another if it has the same rules and its moves are the first moves of the other. A record is not
//! compared if some of its moves cannot be read. If a token is ambiguous, the reading that was chosen counts. If the
//! records of a game name different players, the group lists that difference, since different players may have played
//! the same moves. Records whose results conflict, such as 1-0 and 0-1, are reported separately as
//! [`DuplicateKind::ConflictingResult`] and never dropped, unless results are to be ignored.
//!
//! A [`RecordBatch`] is read from each batch, on any thread. A [`Collector`] receives them in order, and
//! [`Collector::finish`] returns the [`Duplicates`], which list the groups and write the remaining games.
//!
//! The moves of each game are hashed to 128 bits, by a function that never changes. Games with the same hash are
//! treated as the same game: among 10^9 games, the chance that two different ones share a hash is below one in 10^20.
//! Each game takes less than 144 bytes of memory, besides the distinct spellings of names. The text of all games is
//! stored in a temporary file if the remaining games are to be written. The moves, three bytes each, are stored in
//! another one if beginnings are to be found. The source is read only once, so it may be standard input.
//!
//! Records that differ in a few plies ([`Choice::near`]) are probably records of one game with slips. They are reported
//! as [`DuplicateKind::Near`] and retained; [`reconcile`](crate::reconcile) finds their game. Then the moves of all games
//! are in memory, three bytes each.

mod merging;
mod moves;
mod names;
mod near;
mod spool;

pub use names::{NameSpelling, Spellings};

use crate::{self as replay, Options};
use moves::Hash;
use names::Names;
use near::{NearPair, NearRecord};
use serde::Serialize;
use spool::Spool;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::{self, Write};
use std::sync::Arc;
use tridex_archive::GameResult;
use tridex_archive::batch::Batch;
use tridex_archive::game::Damages;
use tridex_archive::write::{self, TableRow};
use tridex_rules::RuleSystem;

/// Which record of a game is retained.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Keep {
    /// The one that comes first.
    #[default]
    First,
    /// The longest game, or the first of several equally long ones.
    Longest,
    /// The one with the most comments, judgements, draw offers and moves of variations, or the first of several equal
    /// ones.
    Annotated,
}

/// Which records count as duplicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Which record is retained. A game that is the beginning of another is never retained in its place, since moves
    /// would be lost. If it is the beginning of several games, this also chooses which of them it is a duplicate of.
    pub keep: Keep,
    /// Whether to find games that are the beginning of another, too.
    pub prefix: bool,
    /// Games with fewer plies are not compared.
    pub least_plies: u32,
    /// Whether to drop records even if their results conflict.
    pub ignore_result: bool,
    /// Also report records that differ in up to this many plies, or of which one ends early at a slip.
    pub near: Option<u32>,
    /// Whether the retained record gets the tags, annotations and times of the records that are dropped in favor of it.
    pub merge: bool,
}

impl Default for Choice {
    /// Retains the first record of each game, and does not compare games without moves.
    fn default() -> Self {
        Self {
            keep: Keep::First,
            prefix: false,
            least_plies: 1,
            ignore_result: false,
            near: None,
            merge: false,
        }
    }
}

/// A record of the collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordPlace {
    /// Name of the source.
    pub source: Arc<str>,
    /// Number of the game in it, from 1.
    pub game: u64,
    /// The line it begins on.
    pub line: u64,
    /// How many plies it has.
    pub plies: u32,
    /// The number of comments, judgements, draw offers and moves of variations.
    pub annotations: u32,
    /// White's name, `?` if it is not known.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The result the record states.
    pub result: &'static str,
    /// The rule system.
    pub rules: &'static str,
}

tridex_text::enum_table! {
    /// Why a record is reported with another.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum DuplicateKind(
        /// The kind as machines see it.
        as_str: &'static str
    ) {
        /// It is the same game, so it is dropped.
        Same("same"),
        /// It is the beginning of the game, so it is dropped.
        Prefix("prefix"),
        /// It is the same game or its beginning, but with another result, so it is retained.
        ConflictingResult("conflicting-result"),
        /// It has the same start and the same moves, but under another rule system, so it is retained.
        OtherRules("other-rules"),
        /// It differs in a few plies, or one of the two ends early at a slip, so it is retained.
        Near("near"),
    }
}

impl DuplicateKind {
    /// Whether a record of this kind is dropped.
    #[must_use]
    pub const fn is_dropped(self) -> bool {
        matches!(self, Self::Same | Self::Prefix)
    }
}

/// A record that is retained, and the records that are dropped in favor of it or conflict with it. Every record is
/// dropped at most once, and never in favor of a record that is itself dropped. As JSON
/// `{"kind","keep","drop":[...],"plies","differs":[...],"conflicting":[...]}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DuplicateGroup {
    /// Why the records are grouped.
    pub kind: DuplicateKind,
    /// The record that is retained.
    pub keep: RecordPlace,
    /// The records that are dropped, in order. Empty if results or rules conflict.
    pub drop: Vec<RecordPlace>,
    /// How many plies the retained game has.
    pub plies: u32,
    /// What differs between the retained record and at least one other: `white`, `black`, `result`, `rules`. Two
    /// spellings that may be one player's name do not differ, nor does a value that is not known.
    pub differs: Vec<&'static str>,
    /// The records that are retained although they are the same game or its beginning, in order, because results or
    /// rules conflict.
    pub conflicting: Vec<RecordPlace>,
}

impl DuplicateGroup {
    /// Returns the records other than [`DuplicateGroup::keep`].
    pub fn others(&self) -> impl Iterator<Item = &RecordPlace> {
        self.drop.iter().chain(&self.conflicting)
    }
}

/// One row for each of [`DuplicateGroup::others`].
impl TableRow for DuplicateGroup {
    const COLUMNS: &'static [&'static str] = GroupRow::COLUMNS;

    fn cells(&self) -> Vec<Vec<String>> {
        let rows = self.others().map(|other| GroupRow { of: self, other });
        rows.flat_map(|row| row.cells()).collect()
    }
}

/// A record of a group, with the one that is retained.
struct GroupRow<'g> {
    of: &'g DuplicateGroup,
    other: &'g RecordPlace,
}

tridex_archive::columns! { GroupRow<'_>, row:
    "kind" => row.of.kind.as_str(),
    "source" => row.other.source,
    "game" => row.other.game,
    "line" => row.other.line,
    "plies" => row.other.plies,
    "keep_source" => row.of.keep.source,
    "keep_game" => row.of.keep.game,
    "keep_line" => row.of.keep.line,
    "keep_plies" => row.of.keep.plies,
    "differs" => row.of.differs.join(" "),
    "white" => row.other.white,
    "black" => row.other.black,
    "result" => row.other.result,
    "keep_white" => row.of.keep.white,
    "keep_black" => row.of.keep.black,
    "keep_result" => row.of.keep.result,
    "dropped" => if row.of.drop.is_empty() { "no" } else { "yes" },
    "rules" => row.other.rules,
    "keep_rules" => row.of.keep.rules,
}

/// The games of a batch, prepared for a [`Collector`].
#[derive(Debug, Default)]
pub struct RecordBatch(Vec<Record>);

#[derive(Debug)]
struct Record {
    number: u64,
    line: u64,
    annotations: u32,
    /// What was played, as [`moves`] writes it, as far as it was read.
    moves: Vec<u8>,
    /// Whether the game was read to its end.
    is_whole: bool,
    /// The game as PGN.
    text: Vec<u8>,
    /// White's and Black's name.
    names: [String; 2],
    result: GameResult,
    rules: RuleSystem,
    /// Whether the record or an option names the rule system.
    states_rules: bool,
}

impl RecordBatch {
    /// Reads a batch and passes every game to `seen`. With `texts`, the games are also stored as PGN, with their tokens
    /// as written. The second value is the damage that belongs to no game.
    pub fn read(
        batch: &Batch,
        options: &Options,
        texts: bool,
        mut seen: impl FnMut(&replay::Played<'_>),
    ) -> (Self, Damages) {
        let (mut records, mut line_index) = (Vec::new(), batch.line_index());
        let rest = replay::each(batch, options, |game| {
            seen(game);
            let mut text = Vec::new();
            if texts {
                // Writing to memory does not fail.
                let _ = write::pgn(game.game(), &mut text);
            }
            let name = |player| {
                let mut tags = game.game().tags();
                let tag = tags.find(|(name, value)| name == player && !value.is_empty());
                tag.map_or_else(String::new, |(_, value)| value.into_owned())
            };
            records.push(Record {
                number: game.number(),
                line: line_index.place(game.at()).line,
                annotations: game.game().annotations(),
                moves: moves::of(game),
                is_whole: game.is_whole(),
                text,
                names: ["White", "Black"].map(name),
                result: game.result(),
                rules: game.rules(),
                states_rules: game.states_rules(),
            });
        });
        (Self(records), rest)
    }
}

/// What stays in memory for each game that is compared.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// What was played.
    hash: Hash,
    /// The first entry that is the same game. Set when all entries have been added.
    leader: usize,
    /// The index of the game in the collection, from 0.
    ordinal: usize,
    number: u64,
    line: u64,
    plies: u32,
    source: u32,
    annotations: u32,
    /// The numbers of White's and Black's names.
    white: u32,
    black: u32,
    result: GameResult,
    rules: RuleSystem,
    states_rules: bool,
}

/// Collects the batches of a collection, in order.
///
/// ```
/// use tridex_archive::source::{OpenOptions, Source};
/// use tridex_replay::Options;
/// use tridex_replay::dedupe::{Choice, Collector, DuplicateKind, RecordBatch};
///
/// let text = &b"[Variant \"meder\"]\n\n1. b4N b5B 1-0\n\n[Variant \"meder\"]\n\nb4N b5B 1-0\n"[..];
/// let input = Source::Stdin.open_reader(Box::new(text), &OpenOptions::default())?;
/// let mut collector = Collector::new(Choice::default(), false)?;
/// let source = "club.pgn".into();
/// for batch in input {
///     let batch = batch?;
///     let (records, _damage) = RecordBatch::read(&batch, &Options::default(), false, |_| ());
///     collector.add(&source, &records)?;
/// }
/// let mut found = collector.finish()?;
/// assert_eq!((found.compared(), found.count(DuplicateKind::Same)), (2, 1));
/// let group = found.groups().next().ok_or("no group")?;
/// assert_eq!((group.keep.game, group.drop[0].game), (1, 2));
/// assert!(found.names().is_empty());
/// // Without texts nothing is written.
/// let mut remaining = Vec::new();
/// found.write_remaining(&mut remaining)?;
/// assert!(remaining.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Collector {
    choice: Choice,
    sources: Vec<Arc<str>>,
    entries: Vec<Entry>,
    /// The first entry of each hash and rule system. Set when all entries have been added.
    leaders: HashMap<(Hash, RuleSystem), usize>,
    games: usize,
    /// The records to be compared ply by ply, if near ones are to be found.
    near: Vec<NearRecord>,
    /// The moves of each entry, if beginnings are to be found.
    moves: Option<Spool>,
    /// The text of each game, if the retained ones are to be written.
    texts: Option<Spool>,
    names: Names,
}

impl Collector {
    /// Returns an empty collection. If `texts` is set, the batches must be read with texts, too.
    ///
    /// # Errors
    /// If a temporary file cannot be created.
    pub fn new(choice: Choice, texts: bool) -> io::Result<Self> {
        Ok(Self {
            choice,
            sources: Vec::new(),
            entries: Vec::new(),
            leaders: HashMap::new(),
            games: 0,
            near: Vec::new(),
            moves: choice.prefix.then(Spool::new).transpose()?,
            texts: texts.then(Spool::new).transpose()?,
            names: Names::default(),
        })
    }

    /// Whether the collection stores the texts of its games, so that [`Duplicates::write_remaining`] can write them.
    #[must_use]
    pub const fn has_texts(&self) -> bool {
        self.texts.is_some()
    }

    /// Adds a batch of a source.
    ///
    /// # Errors
    /// If a temporary file cannot be written, or there are too many sources.
    pub fn add(&mut self, source: &Arc<str>, part: &RecordBatch) -> io::Result<()> {
        if self.sources.last() != Some(source) {
            self.sources.push(Arc::clone(source));
        }
        let source = u32::try_from(self.sources.len() - 1)
            .map_err(|_| io::Error::other("too many sources"))?;
        for record in &part.0 {
            let [white, black] = record.names.each_ref().map(|name| self.names.add(name));
            let ordinal = self.games;
            self.games += 1;
            if let Some(texts) = &mut self.texts {
                texts.push(&record.text)?;
            }
            let moves = &record.moves;
            let plies = moves::plies(moves);
            if plies < self.choice.least_plies {
                continue;
            }
            if self.choice.near.is_some() {
                self.near.push(NearRecord {
                    place: RecordPlace {
                        source: self.sources.last().map_or_else(|| "".into(), Arc::clone),
                        game: record.number,
                        line: record.line,
                        plies,
                        annotations: record.annotations,
                        white: self.names.name(white).to_owned(),
                        black: self.names.name(black).to_owned(),
                        result: record.result.as_str(),
                        rules: record.rules.name(),
                    },
                    moves: moves.clone(),
                    is_whole: record.is_whole,
                });
            }
            if !record.is_whole {
                continue;
            }
            if let Some(spool) = &mut self.moves {
                spool.push(moves)?;
            }
            self.entries.push(Entry {
                hash: moves::hash(moves),
                leader: 0,
                ordinal,
                number: record.number,
                line: record.line,
                plies,
                source,
                annotations: record.annotations,
                white,
                black,
                result: record.result,
                rules: record.rules,
                states_rules: record.states_rules,
            });
        }
        Ok(())
    }

    /// Finds the first entry of each game. A record that states no rule system gets the only one that other records
    /// with the same moves state.
    fn lead(&mut self) {
        let mut stated: HashMap<Hash, BTreeSet<RuleSystem>> = HashMap::new();
        for entry in self.entries.iter().filter(|entry| entry.states_rules) {
            stated.entry(entry.hash).or_default().insert(entry.rules);
        }
        for (game, entry) in self.entries.iter_mut().enumerate() {
            if !entry.states_rules
                && let Some(stated) = stated.get(&entry.hash)
                && let (Some(rules), 1) = (stated.first(), stated.len())
            {
                entry.rules = *rules;
            }
            let key = (entry.hash, entry.rules);
            entry.leader = *self.leaders.entry(key).or_insert(game);
        }
    }

    /// Compares the games.
    ///
    /// # Errors
    /// If a temporary file cannot be read.
    pub fn finish(mut self) -> io::Result<Duplicates> {
        self.lead();
        let kept = self.representatives();
        let longer = match self.moves.take() {
            Some(moves) => self.longer(moves, &kept)?,
            None => BTreeMap::new(),
        };
        let entries = self.entries.iter().enumerate();
        let drops = entries.filter_map(|(game, entry)| {
            let own = kept[entry.leader];
            match longer.get(&entry.leader) {
                Some(longer) => Some((kept[*longer], DuplicateKind::Prefix, game)),
                None => (own != game).then_some((own, DuplicateKind::Same, game)),
            }
        });
        let mut drops: Vec<Pair> = drops.collect();
        drops.sort_unstable();
        let dropped: HashSet<usize> = drops.iter().map(|(_, _, game)| *game).collect();
        let mut pairs = match self.choice.ignore_result {
            true => drops,
            false => self.by_result(drops),
        };
        pairs.extend(self.other_rules(&kept, &dropped));
        pairs.sort_unstable();
        let near = self
            .choice
            .near
            .map(|most| near::pairs(&self.near, most as usize));
        self.near = Vec::new();
        Ok(Duplicates {
            collected: self,
            pairs,
            near: near.unwrap_or_default(),
        })
    }

    /// Maps each leader that is the beginning of another game to the leader in favor of which it is dropped. That one
    /// is not the beginning of any game.
    fn longer(&self, mut moves: Spool, kept: &[usize]) -> io::Result<BTreeMap<usize, usize>> {
        // The longest other game that is the beginning of each game.
        let mut beginnings: BTreeMap<usize, usize> = BTreeMap::new();
        let mut bytes = Vec::new();
        moves.read(
            |game| self.entries[game].leader == game,
            |game, record| {
                bytes.clear();
                record.read_to_end(&mut bytes)?;
                let rules = self.entries[game].rules;
                let known = moves::hashes(&bytes);
                let known = known.filter_map(|hash| self.leaders.get(&(hash, rules)));
                let longest = known.copied().filter(|other| *other != game).last();
                beginnings.extend(longest.map(|longest| (game, longest)));
                Ok(())
            },
        )?;
        // A game that is the beginning of several is dropped in favor of the one with the greatest merit, or the first
        // of equal ones.
        let merit = |game: usize| self.merit(kept[game]);
        let begun: HashSet<&usize> = beginnings.values().collect();
        let mut longer: BTreeMap<usize, usize> = BTreeMap::new();
        for game in beginnings.keys().filter(|game| !begun.contains(game)) {
            // The beginning of a beginning is a beginning, too.
            let mut next = beginnings.get(game);
            while let Some(beginning) = next {
                let best = longer.entry(*beginning).or_insert(*game);
                if merit(*game) > merit(*best) {
                    *best = *game;
                }
                next = beginnings.get(beginning);
            }
        }
        Ok(longer)
    }

    /// Pairs the retained records of games with the same start and moves under different rule systems: the first with
    /// each other one. A game that is dropped as the beginning of another is not reported.
    fn other_rules(&self, kept: &[usize], dropped: &HashSet<usize>) -> Vec<Pair> {
        let mut first: HashMap<Hash, usize> = HashMap::new();
        let leaders = self.entries.iter().enumerate();
        let leaders = leaders.filter(|(game, entry)| entry.leader == *game);
        let left = leaders.filter(|(game, _)| !dropped.contains(&kept[*game]));
        let pairs = left.filter_map(|(game, entry)| {
            let first = *first.entry(entry.hash).or_insert(game);
            let pair = (kept[first], DuplicateKind::OtherRules, kept[game]);
            (first != game).then_some(pair)
        });
        pairs.collect()
    }

    /// Retains records whose results conflict with that of the record in favor of which they would be dropped. If that
    /// one has no result, they are retained if they conflict with each other. Of the records with the same moves and
    /// the same result, one is retained, and the others are dropped in favor of it.
    fn by_result(&self, drops: Vec<Pair>) -> Vec<Pair> {
        let result = |game: usize| self.entries[game].result;
        let mut pairs = Vec::with_capacity(drops.len());
        for of_one in drops.chunk_by(|a, b| a.0 == b.0) {
            let kept = of_one[0].0;
            let mut apart: BTreeMap<(usize, GameResult), Vec<usize>> = BTreeMap::new();
            let games = of_one.iter().map(|(_, _, game)| *game).chain([kept]);
            let stated: BTreeSet<GameResult> = games.map(result).filter(is_known).collect();
            for (_, kind, game) in of_one {
                let own = result(*game);
                if stated.len() > 1 && is_known(&own) && own != result(kept) {
                    let moves = self.entries[*game].leader;
                    apart.entry((moves, own)).or_default().push(*game);
                } else {
                    pairs.push((kept, *kind, *game));
                }
            }
            for games in apart.into_values() {
                let best = games.iter().copied();
                let best = best.max_by_key(|game| (self.merit(*game), Reverse(*game)));
                pairs.extend(best.map(|best| (kept, DuplicateKind::ConflictingResult, best)));
                let others = games.into_iter().filter(|game| Some(*game) != best);
                let kept = best.unwrap_or(kept);
                pairs.extend(others.map(|game| (kept, DuplicateKind::Same, game)));
            }
        }
        pairs.sort_unstable();
        pairs
    }

    /// Maps each leader to the record of its game that is retained.
    fn representatives(&self) -> Vec<usize> {
        let mut kept: Vec<usize> = (0..self.entries.len()).collect();
        for (game, entry) in self.entries.iter().enumerate() {
            let best = &mut kept[entry.leader];
            if self.merit(game) > self.merit(*best) {
                *best = game;
            }
        }
        kept
    }

    /// The number by which the record to retain is chosen: the higher, the better.
    fn merit(&self, game: usize) -> u32 {
        match self.choice.keep {
            Keep::First => 0,
            Keep::Longest => self.entries[game].plies,
            Keep::Annotated => self.entries[game].annotations,
        }
    }
}

/// The retained record, why another one is reported with it, and that one.
type Pair = (usize, DuplicateKind, usize);

fn is_known(result: &GameResult) -> bool {
    *result != GameResult::Unknown
}

/// The duplicates of a collection.
#[derive(Debug)]
pub struct Duplicates {
    collected: Collector,
    /// Sorted.
    pairs: Vec<Pair>,
    near: Vec<NearPair>,
}

impl Duplicates {
    /// Returns the number of games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.collected.games as u64
    }

    /// Returns the number of games that were compared.
    #[must_use]
    pub const fn compared(&self) -> u64 {
        self.collected.entries.len() as u64
    }

    /// Returns the number of records of this kind.
    #[must_use]
    pub fn count(&self, kind: DuplicateKind) -> u64 {
        if kind == DuplicateKind::Near {
            return self.near.len() as u64;
        }
        let pairs = self.pairs.iter().filter(|(_, why, _)| *why == kind);
        pairs.count() as u64
    }

    /// Returns the groups, in the order of the retained records, and then the pairs of near records. The groups of one
    /// record are in the order of their kinds.
    pub fn groups(&self) -> impl Iterator<Item = DuplicateGroup> {
        let near = self.near.iter().map(|pair| DuplicateGroup {
            kind: DuplicateKind::Near,
            keep: pair.first.clone(),
            drop: Vec::new(),
            plies: pair.first.plies,
            differs: Vec::new(),
            conflicting: vec![pair.second.clone()],
        });
        let runs = self.pairs.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
        let groups = runs.filter_map(|run| {
            let (kept, kind, _) = *run.first()?;
            let keep = self.place(kept);
            let others = run.iter().map(|(_, _, game)| self.place(*game));
            let (drop, conflicting) = match kind.is_dropped() {
                true => (others.collect(), Vec::new()),
                false => (Vec::new(), others.collect()),
            };
            Some(DuplicateGroup {
                kind,
                plies: keep.plies,
                keep,
                drop,
                differs: self.differences(kept, run),
                conflicting,
            })
        });
        groups.chain(near)
    }

    /// What differs between the retained record and at least one other.
    fn differences(&self, kept: usize, run: &[Pair]) -> Vec<&'static str> {
        let Collector { entries, names, .. } = &self.collected;
        let kept = &entries[kept];
        let differs = |what: &&'static str| {
            let mut others = run.iter().map(|(_, kind, game)| (kind, &entries[*game]));
            others.any(|(kind, entry)| match *what {
                "white" => !names.may_be_one(entry.white, kept.white),
                "black" => !names.may_be_one(entry.black, kept.black),
                "rules" => entry.rules != kept.rules,
                _ if *kind == DuplicateKind::ConflictingResult => true,
                _ => {
                    let are_known = is_known(&entry.result) && is_known(&kept.result);
                    are_known && entry.result != kept.result
                }
            })
        };
        let all = ["white", "black", "result", "rules"].into_iter();
        all.filter(differs).collect()
    }

    /// Returns the spellings of players' names that belong together; see [`Spellings`].
    #[must_use]
    pub fn names(&self) -> Vec<Spellings> {
        self.collected.names.groups()
    }

    fn place(&self, game: usize) -> RecordPlace {
        let Collector { names, sources, .. } = &self.collected;
        let entry = &self.collected.entries[game];
        RecordPlace {
            source: Arc::clone(&sources[entry.source as usize]),
            game: entry.number,
            line: entry.line,
            plies: entry.plies,
            annotations: entry.annotations,
            white: names.name(entry.white).to_owned(),
            black: names.name(entry.black).to_owned(),
            result: entry.result.as_str(),
            rules: entry.rules.name(),
        }
    }

    /// Writes all games that are not dropped, in order, as PGN. With [`Choice::merge`], a retained game gets the tags and
    /// annotations of those dropped in favor of it. Writes nothing if the collection was read without texts.
    ///
    /// # Errors
    /// If the temporary file cannot be read, or `out` cannot be written.
    pub fn write_remaining(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let entries = &self.collected.entries;
        // The records that are dropped, and the one in favor of which each is dropped.
        let dropped: HashMap<usize, usize> = self
            .pairs
            .iter()
            .filter(|(_, kind, _)| kind.is_dropped())
            .map(|(kept, _, game)| (entries[*game].ordinal, entries[*kept].ordinal))
            .collect();
        let merges = self.collected.choice.merge;
        let Some(texts) = &mut self.collected.texts else {
            return Ok(());
        };
        let mut others: HashMap<usize, Vec<Vec<u8>>> = HashMap::new();
        if merges {
            texts.read(
                |game| dropped.contains_key(&game),
                |game, text| {
                    let mut bytes = Vec::new();
                    text.read_to_end(&mut bytes)?;
                    if let Some(kept) = dropped.get(&game) {
                        others.entry(*kept).or_default().push(bytes);
                    }
                    Ok(())
                },
            )?;
        }
        texts.read(
            |game| !dropped.contains_key(&game),
            |game, text| match others.get(&game) {
                Some(others) => {
                    let mut bytes = Vec::new();
                    text.read_to_end(&mut bytes)?;
                    out.write_all(&merging::merged(&bytes, others))
                }
                None => io::copy(text, out).map(drop),
            },
        )
    }
}

#[cfg(test)]
mod tests;
