//! The same game under different names, notations, languages and rules tags, found by the moves played.
//!
//! Two records are the same game if they start from the same placement with the same side to move and the same moves
//! are played. How they are written, by whom and under which rule system does not matter; where two systems start with the same pieces on the same squares these starts are one. One game
//! is the beginning of another if its moves are the other's first ones. A record some of whose moves cannot be read
//! is compared with no other. Where a token is ambiguous, the reading taken counts. Records of one game that state other
//! players are reported as such, since two who play the same moves are not one. Records whose results conflict, such as
//! 1-0 and 0-1, are reported apart and all kept, unless results are to be ignored: [`Kind::ConflictingResult`].
//!
//! A [`Part`] is read from each batch, on any thread; a [`Collector`] takes the parts in order and
//! [`finish`](Collector::finish)es with [`Found`], which tells the groups and writes what is kept.
//!
//! Moves are hashed along the game by a function that never changes; games of equal hash are compared move by move.
//! In memory a game takes 72 bytes, and each spelling of a name its own once, while the collection is read, and under 144 while it is compared. Its moves, three
//! bytes each, wait in a temporary file, as does the text of all games if the ones kept are to be written; nothing is
//! read twice, so standard input will do.

mod moves;
mod names;
mod prefix;
mod spool;

pub use names::{Spelling, Spellings};

use crate::{self as replay, Damages, Options, Sink};
use moves::Starts;
use names::Names;
use serde::{Serialize, Serializer};
use spool::{MoveSpool, TextSpool};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use tridex_archive::GameResult;
use tridex_archive::batch::Batch;
use tridex_archive::places::Places;
use tridex_archive::write;

/// Which of several records of a game is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Keep {
    /// The one that comes first.
    #[default]
    First,
    /// The longest game; of equal ones the first.
    Longest,
    /// The one with most comments, judgements and moves of variations; of equal ones the first.
    Annotated,
}

/// What counts as one too many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Which record is kept. A game that is the beginning of another is never kept in its place, since moves would be
    /// lost; where it begins several, this chooses which of them stands for it.
    pub keep: Keep,
    /// Whether games that are the beginning of another are found too.
    pub prefix: bool,
    /// Games of fewer plies are compared with no other.
    pub least_plies: u32,
    /// Whether records whose results conflict are dropped too.
    pub ignore_result: bool,
}

impl Default for Choice {
    /// The first of equal games; games without moves are not equal.
    fn default() -> Self {
        Self {
            keep: Keep::First,
            prefix: false,
            least_plies: 1,
            ignore_result: false,
        }
    }
}

/// A record of the collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Name of the source.
    #[serde(serialize_with = "serialize_name")]
    pub source: Arc<str>,
    /// Number of the game in it, from 1.
    pub game: u64,
    /// The line it begins on.
    pub line: u64,
    /// How many plies it has.
    pub plies: u32,
    /// How many comments, judgements, draw offers and moves of variations.
    pub annotations: u32,
    /// White's name, `?` if it is not known.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The result the record states.
    pub result: &'static str,
}

fn serialize_name<S: Serializer>(name: &Arc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(name)
}

/// Why a record is reported with another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// It is the same game: it is dropped.
    Same,
    /// It is the beginning of the game: it is dropped.
    Prefix,
    /// It is the same game or its beginning, but another result is stated: it is kept.
    #[serde(rename = "conflicting-result")]
    ConflictingResult,
}

impl Kind {
    /// The kind as machines see it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Prefix => "prefix",
            Self::ConflictingResult => "conflicting-result",
        }
    }
}

/// A record that is kept with those that are dropped for it, or that conflict with it. Every record is dropped once at
/// most, and none that is kept for another is itself dropped. As JSON
/// `{"kind","keep","drop":[...],"plies","differs":[...],"conflicting":[...]}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    /// Why they are here.
    pub kind: Kind,
    /// The record that is kept.
    pub keep: Place,
    /// The records that are dropped, in order; none where results conflict.
    pub drop: Vec<Place>,
    /// How many plies the game that is kept has.
    pub plies: u32,
    /// What some other record states otherwise than the one that is kept: `white`, `black`, `result`. Names that belong
    /// together and what is not known are no difference.
    pub differs: Vec<&'static str>,
    /// The records that are kept although they are the same game or its beginning, in order: their results conflict.
    pub conflicting: Vec<Place>,
}

impl Group {
    /// Writes the group as one line of JSON.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        tridex_archive::json::to_writer(out, self)?;
        out.write_all(b"\n")
    }

    /// The names of [`Group::rows`].
    pub const COLUMNS: [&'static str; 17] = [
        "kind",
        "source",
        "game",
        "line",
        "plies",
        "keep_source",
        "keep_game",
        "keep_line",
        "keep_plies",
        "differs",
        "white",
        "black",
        "result",
        "keep_white",
        "keep_black",
        "keep_result",
        "dropped",
    ];

    /// The records other than [`Group::keep`].
    pub fn others(&self) -> impl Iterator<Item = &Place> {
        self.drop.iter().chain(&self.conflicting)
    }

    /// The group as rows of a table, one for each of [`Group::others`].
    pub fn rows(&self) -> impl Iterator<Item = [String; 17]> {
        self.others().map(|other| {
            [
                self.kind.as_str().to_owned(),
                other.source.as_ref().to_owned(),
                other.game.to_string(),
                other.line.to_string(),
                other.plies.to_string(),
                self.keep.source.as_ref().to_owned(),
                self.keep.game.to_string(),
                self.keep.line.to_string(),
                self.keep.plies.to_string(),
                self.differs.join(" "),
                other.white.clone(),
                other.black.clone(),
                other.result.to_owned(),
                self.keep.white.clone(),
                self.keep.black.clone(),
                self.keep.result.to_owned(),
                if self.drop.is_empty() { "no" } else { "yes" }.to_owned(),
            ]
        })
    }
}

/// The games of a batch, ready for the [`Collector`].
#[derive(Debug, Default)]
pub struct Part {
    games: Vec<Played>,
    /// What was played in each, as [`moves`] writes it, one behind the other.
    records: Vec<u8>,
    /// The games as PGN, one behind the other.
    text: Vec<u8>,
    /// The players of each, one behind the other.
    names: String,
}

#[derive(Clone, Copy, Debug)]
struct Played {
    number: u64,
    line: u64,
    annotations: u32,
    /// None if it was not read to its end.
    played: Option<moves::Played>,
    /// Length of its text.
    text: usize,
    /// Lengths of White's and Black's name.
    names: [usize; 2],
    result: GameResult,
}

impl Part {
    /// Reads a batch, and hands every game to `seen`. With `texts` the games are also put into PGN, as they are written.
    /// The second value is damage that belongs to no game.
    pub fn read(
        batch: &Batch,
        options: &Options,
        texts: bool,
        seen: impl FnMut(&replay::Played<'_>),
    ) -> (Self, Damages) {
        let mut part = Self::default();
        let reading = Reading {
            part: &mut part,
            places: batch.places(),
            starts: Starts::new(),
            seen,
        };
        let rest = if texts {
            replay::read(batch, options, &mut WithTexts(reading))
        } else {
            replay::read(batch, options, &mut Bare(reading))
        };
        (part, rest)
    }
}

/// Takes the games of a batch.
struct Reading<'p, F> {
    part: &'p mut Part,
    places: Places<'p>,
    starts: Starts,
    seen: F,
}

impl<F: FnMut(&replay::Played<'_>)> Reading<'_, F> {
    fn game(&mut self, game: &replay::Played<'_>, texts: bool) {
        (self.seen)(game);
        let part = &mut *self.part;
        let played = game
            .is_whole()
            .then(|| self.starts.record(game, &mut part.records));
        let from = part.text.len();
        if texts {
            // Writing to memory does not fail.
            let _ = write::pgn(&game.to_game(), &mut part.text);
        }
        let names = ["White", "Black"].map(|player| {
            let from = part.names.len();
            game.each_tag(|name, value| {
                // The first of a name counts.
                if name == player && part.names.len() == from {
                    part.names.push_str(value);
                }
            });
            part.names.len() - from
        });
        part.games.push(Played {
            number: game.number(),
            line: self.places.place(game.at()).line,
            annotations: game.annotations(),
            played,
            text: part.text.len() - from,
            names,
            result: game.result(),
        });
    }
}

struct Bare<'p, F>(Reading<'p, F>);

impl<F: FnMut(&replay::Played<'_>)> Sink for Bare<'_, F> {
    fn game(&mut self, game: &replay::Played<'_>) {
        self.0.game(game, false);
    }
}

struct WithTexts<'p, F>(Reading<'p, F>);

impl<F: FnMut(&replay::Played<'_>)> Sink for WithTexts<'_, F> {
    const REMARKS: bool = true;

    fn game(&mut self, game: &replay::Played<'_>) {
        self.0.game(game, true);
    }
}

/// What is kept in memory of a game that is compared.
#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u64,
    /// Where what was played stands in the spool, and its length.
    at: u64,
    len: u32,
    plies: u32,
    /// Which game of the collection it is.
    ordinal: u64,
    number: u64,
    line: u64,
    source: u32,
    annotations: u32,
    /// Numbers of White's and Black's name.
    white: u32,
    black: u32,
    result: GameResult,
}

/// Takes the parts of a collection in order.
#[derive(Debug)]
pub struct Collector {
    choice: Choice,
    sources: Vec<Arc<str>>,
    entries: Vec<Entry>,
    games: u64,
    records: MoveSpool,
    texts: Option<TextSpool>,
    names: Names,
}

impl Collector {
    /// An empty collection. With `texts` the parts are to be read with texts too.
    ///
    /// # Errors
    /// If there can be no temporary files.
    pub fn new(choice: Choice, texts: bool) -> io::Result<Self> {
        Ok(Self {
            choice,
            sources: Vec::new(),
            entries: Vec::new(),
            games: 0,
            records: MoveSpool::new()?,
            texts: if texts { Some(TextSpool::new()?) } else { None },
            names: Names::default(),
        })
    }

    /// Takes a part of a source.
    ///
    /// # Errors
    /// Those of the temporary files.
    pub fn add(&mut self, source: &Arc<str>, part: &Part) -> io::Result<()> {
        if self.sources.last() != Some(source) {
            self.sources.push(Arc::clone(source));
        }
        let source = u32::try_from(self.sources.len() - 1)
            .map_err(|_| io::Error::other("too many sources"))?;
        let (mut record_at, mut text_at, mut name_at) = (0, 0, 0);
        for game in &part.games {
            let [white, black] = game.names.map(|length| {
                let name = part.names.get(name_at..name_at + length);
                name_at += length;
                self.names.add(name.unwrap_or_default())
            });
            let ordinal = self.games;
            self.games += 1;
            if let Some(texts) = &mut self.texts {
                let text = part.text.get(text_at..text_at + game.text);
                texts.push(text.unwrap_or_default())?;
                text_at += game.text;
            }
            let Some(played) = game.played else {
                continue;
            };
            let record = part.records.get(record_at..record_at + played.len as usize);
            record_at += played.len as usize;
            if played.plies < self.choice.least_plies {
                continue;
            }
            self.entries.push(Entry {
                hash: played.hash,
                at: self.records.push(record.unwrap_or_default())?,
                len: played.len,
                plies: played.plies,
                ordinal,
                number: game.number,
                line: game.line,
                source,
                annotations: game.annotations,
                white,
                black,
                result: game.result,
            });
        }
        Ok(())
    }

    /// Compares the games.
    ///
    /// # Errors
    /// Those of the temporary files.
    pub fn finish(mut self) -> io::Result<Found> {
        let leaders = self.leaders()?;
        let kept = self.representatives(&leaders);
        let longer = if self.choice.prefix {
            prefix::longer(
                &self.entries,
                &leaders,
                &kept,
                self.choice,
                &mut self.records,
            )?
        } else {
            Vec::new()
        };
        let mut drops = Vec::new();
        for (game, leader) in leaders.iter().enumerate() {
            let of = |index: &[usize], at: usize| index.get(at).copied().unwrap_or(at);
            let own = of(&kept, *leader);
            match longer.get(*leader).copied().flatten() {
                Some(longer) => drops.push((of(&kept, longer), Kind::Prefix, game)),
                None if own != game => drops.push((own, Kind::Same, game)),
                None => {}
            }
        }
        drops.sort_unstable();
        let pairs = match self.choice.ignore_result {
            true => drops,
            false => self.by_result(drops, &leaders),
        };
        Ok(Found {
            sources: self.sources,
            entries: self.entries,
            games: self.games,
            pairs,
            texts: self.texts,
            names: self.names,
        })
    }

    /// For each entry the first that is the same game.
    fn leaders(&mut self) -> io::Result<Vec<usize>> {
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        let key = |index: &usize| self.entries.get(*index).map(|e| (e.hash, e.len));
        order.sort_unstable_by_key(|index| (key(index), *index));
        let mut leaders: Vec<usize> = (0..self.entries.len()).collect();
        let (mut one, mut other) = (Vec::new(), Vec::new());
        for run in order.chunk_by(|a, b| key(a) == key(b)) {
            if run.len() < 2 {
                continue;
            }
            // Nearly always one; more only where different games have one hash.
            let mut firsts: Vec<usize> = Vec::new();
            for game in run {
                let Some(entry) = self.entries.get(*game) else {
                    continue;
                };
                self.records.peek(entry.at, entry.len, &mut one)?;
                let mut same = None;
                for first in &firsts {
                    let Some(first_entry) = self.entries.get(*first) else {
                        continue;
                    };
                    self.records
                        .peek(first_entry.at, first_entry.len, &mut other)?;
                    if one == other {
                        same = Some(*first);
                        break;
                    }
                }
                match same {
                    Some(first) => {
                        if let Some(leader) = leaders.get_mut(*game) {
                            *leader = first;
                        }
                    }
                    None => firsts.push(*game),
                }
            }
        }
        Ok(leaders)
    }

    /// Sets records apart whose results conflict with the one they would be dropped for, or with others that would be,
    /// if that one has none. Of the same moves with the same result one is set apart, and the others are dropped for it.
    fn by_result(&self, drops: Vec<Pair>, leaders: &[usize]) -> Vec<Pair> {
        let result = |game: usize| {
            let entry = self.entries.get(game);
            entry.map_or(GameResult::Unknown, |entry| entry.result)
        };
        let weight = |game: &usize| {
            let entry = self.entries.get(*game);
            let entry = entry.filter(|_| self.choice.keep == Keep::Annotated);
            (entry.map_or(0, |entry| entry.annotations), Reverse(*game))
        };
        let mut pairs = Vec::with_capacity(drops.len());
        for of_one in drops.chunk_by(|a, b| a.0 == b.0) {
            let mut apart: BTreeMap<(usize, GameResult), Vec<usize>> = BTreeMap::new();
            let games = of_one.iter().map(|(_, _, game)| *game);
            let all = games.chain(of_one.first().map(|(kept, _, _)| *kept));
            let mut stated: Vec<GameResult> = all.map(result).filter(is_known).collect();
            stated.sort_unstable();
            stated.dedup();
            for (kept, kind, game) in of_one {
                let own = result(*game);
                if stated.len() > 1 && is_known(&own) && own != result(*kept) {
                    let moves = leaders.get(*game).copied().unwrap_or(*game);
                    apart.entry((moves, own)).or_default().push(*game);
                } else {
                    pairs.push((*kept, *kind, *game));
                }
            }
            for games in apart.values() {
                let (Some((kept, _, _)), Some(best)) =
                    (of_one.first(), games.iter().copied().max_by_key(weight))
                else {
                    continue;
                };
                pairs.push((*kept, Kind::ConflictingResult, best));
                let others = games.iter().filter(|game| **game != best);
                pairs.extend(others.map(|game| (best, Kind::Same, *game)));
            }
        }
        pairs.sort_unstable();
        pairs
    }

    /// For each leader the record of its game that is kept.
    fn representatives(&self, leaders: &[usize]) -> Vec<usize> {
        let mut kept: Vec<usize> = (0..leaders.len()).collect();
        if self.choice.keep != Keep::Annotated {
            return kept;
        }
        let weight = |game: usize| self.entries.get(game).map_or(0, |e| e.annotations);
        for (game, leader) in leaders.iter().enumerate() {
            if let Some(best) = kept.get_mut(*leader)
                && weight(game) > weight(*best)
            {
                *best = game;
            }
        }
        kept
    }
}

/// The record that is kept, why the other is reported with it, and the other.
type Pair = (usize, Kind, usize);

fn is_known(result: &GameResult) -> bool {
    *result != GameResult::Unknown
}

/// What was found in a collection.
#[derive(Debug)]
pub struct Found {
    sources: Vec<Arc<str>>,
    entries: Vec<Entry>,
    games: u64,
    /// Sorted.
    pairs: Vec<Pair>,
    texts: Option<TextSpool>,
    names: Names,
}

impl Found {
    /// How many games there are.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// How many of them were compared.
    #[must_use]
    pub const fn compared(&self) -> u64 {
        self.entries.len() as u64
    }

    /// How many records are of this kind.
    #[must_use]
    pub fn count(&self, kind: Kind) -> u64 {
        let pairs = self.pairs.iter().filter(|(_, why, _)| *why == kind);
        pairs.count() as u64
    }

    /// The groups, in the order of the records that are kept; of one record first those that are the same game.
    pub fn groups(&self) -> impl Iterator<Item = Group> {
        let runs = self.pairs.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
        runs.filter_map(|run| {
            let (kept, kind, _) = *run.first()?;
            let keep = self.place(kept)?;
            let others = run.iter().filter_map(|(_, _, game)| self.place(*game));
            let (drop, conflicting) = match kind {
                Kind::Same | Kind::Prefix => (others.collect(), Vec::new()),
                Kind::ConflictingResult => (Vec::new(), others.collect()),
            };
            Some(Group {
                kind,
                plies: keep.plies,
                keep,
                drop,
                differs: self.differences(kept, run),
                conflicting,
            })
        })
    }

    /// What some of the other records state otherwise than the one that is kept.
    fn differences(&self, kept: usize, run: &[Pair]) -> Vec<&'static str> {
        let Some(kept) = self.entries.get(kept) else {
            return Vec::new();
        };
        let [mut white, mut black, mut result] = [false; 3];
        for (_, kind, game) in run {
            let Some(entry) = self.entries.get(*game) else {
                continue;
            };
            white |= !self.names.may_be_one(entry.white, kept.white);
            black |= !self.names.may_be_one(entry.black, kept.black);
            result |= *kind == Kind::ConflictingResult
                || entry.result != kept.result && is_known(&entry.result) && is_known(&kept.result);
        }
        let differs = [(white, "white"), (black, "black"), (result, "result")];
        let differs = differs.into_iter().filter(|(differs, _)| *differs);
        differs.map(|(_, what)| what).collect()
    }

    /// The spellings of players' names that belong together; see [`Spellings`].
    #[must_use]
    pub fn names(&self) -> Vec<Spellings> {
        self.names.groups()
    }

    fn place(&self, game: usize) -> Option<Place> {
        let entry = self.entries.get(game)?;
        Some(Place {
            source: Arc::clone(self.sources.get(entry.source as usize)?),
            game: entry.number,
            line: entry.line,
            plies: entry.plies,
            annotations: entry.annotations,
            white: self.names.name(entry.white).to_owned(),
            black: self.names.name(entry.black).to_owned(),
            result: entry.result.as_str(),
        })
    }

    /// Writes all games that are not dropped, in order, as PGN; nothing if the collection was read without texts.
    ///
    /// # Errors
    /// Those of the temporary file and of `out`.
    pub fn write_kept(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let Some(texts) = &mut self.texts else {
            return Ok(());
        };
        let dropped = self.pairs.iter();
        let mut dropped: Vec<u64> = dropped
            .filter(|(_, kind, _)| *kind != Kind::ConflictingResult)
            .filter_map(|(_, _, game)| self.entries.get(*game))
            .map(|entry| entry.ordinal)
            .collect();
        dropped.sort_unstable();
        texts.copy_without(&dropped, out)
    }
}

#[cfg(test)]
mod tests;
