//! Searching games.
//!
//! A query becomes a tree once ([`Question`]). For each segment in order, the tree returns candidates. Those that need
//! a check are replayed in parallel, until there are as many matches as requested.

use crate::error::{IndexError, MAX_REPLAYS, Result};
use crate::model::game_bytes::{Place, line_at};
use crate::model::game_set::GameSet;
use crate::model::indexed_game::GameId;
use crate::model::stop::Stop;
use crate::query::expression::Query;
use crate::query::options::{SearchOptions, SortKey};
use crate::read::index::GameIndex;
use crate::search::board_test::Replay;
use crate::search::plan::{Candidates, Cost, Node};
use crate::search::sort;
use crate::storage::segment::Segment;
use crate::storage::snapshot::Snapshot;
use rayon::prelude::*;
use tantivy::DocId;

/// A game that matches a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The game.
    pub id: GameId,
    /// The ply of the match: that at which the position, pattern or material first occurs, or at which a sequence
    /// begins. `None` if the query is not about the board. If the query has several such parts, positions come first,
    /// then sequences; among equals, the first in the query counts. In a query with `or`, a pattern or a balance counts
    /// only if the game matches because of it.
    pub ply: Option<u32>,
    /// The variation that has this ply, as an index into the game's variations; `None` in the main line.
    pub variation: Option<u32>,
    /// The variation that has the last ply of the match. A sequence, or a balance that lasts, may begin before the
    /// variation does, because the moves that lead to a variation belong to its line.
    pub line: Option<u32>,
    /// The plies of the first sequence of the query that matches, each with its variation.
    pub steps: Vec<(Option<u32>, u32)>,
}

impl Hit {
    /// The places of the match: the ply of the hit and the plies of its sequence, each with its variation.
    pub fn places(&self) -> impl Iterator<Item = (Option<u32>, u32)> {
        let first = self.ply.map(|ply| (self.variation, ply));
        let first = first.filter(|first| !self.steps.contains(first));
        first.into_iter().chain(self.steps.iter().copied())
    }
}

/// The games that match a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hits {
    /// The number of games that match. If [`Hits::is_whole`] is false, the number found before the search ended.
    pub total: u64,
    /// Whether all games were searched.
    pub is_whole: bool,
    /// Whether games are missing because files of the index are damaged: see [`GameIndex::damage`].
    pub is_partial: bool,
    /// The requested hits, in the requested order.
    pub hits: Vec<Hit>,
}

/// A query prepared for an index.
pub(crate) struct Question<'p> {
    snapshot: &'p Snapshot,
    root: Node,
    /// Whether the query needs replays other than those that rule out other positions of a list.
    replays: bool,
    stop: Stop,
}

/// The matches of a segment.
struct Answer {
    games: GameSet,
    /// Where the games match, in the order of the games; only for games that were replayed.
    places: Vec<(DocId, Option<Place>)>,
    /// Whether all candidates were checked.
    is_whole: bool,
}

/// The number of candidates in the first portion. After each portion the search ends if there are enough matches.
/// Portions double up to [`SHIFT`].
const FIRST: usize = 2_048;
/// The number of games that the threads check before they may switch to other work, so that a short query need not wait
/// for the end of a long one.
const SHIFT: usize = 8_192;

impl GameIndex {
    /// Returns the games that match a query. Games of damaged files are omitted, and [`Hits::is_partial`] reports that.
    ///
    /// ```
    /// # use tridex_index::{GameEntry, GameIndex, IndexOptions, Writer, read_moves};
    /// # use tridex_rules::RuleSystem;
    /// # let folder = tempfile::tempdir()?;
    /// # let mut writer = Writer::open(folder.path(), IndexOptions::default())?;
    /// # writer.begin_source("games.pgn")?;
    /// # let mut game = GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "b4N b5B c3W a6N")?);
    /// # game.tags.push(("White".into(), "Kirk, James".into()));
    /// # writer.add_all(&[game])?;
    /// # writer.end_source(None);
    /// # writer.finish()?;
    /// use tridex_index::{Query, SearchOptions, SortKey};
    /// let index = GameIndex::open(folder.path())?;
    /// let query = Query::parse("player:kirk not result:0-1")?;
    /// let by_length = SortKey::from_name("plies").map(|key| (key, true));
    /// let options = SearchOptions { limit: 10, sort: by_length, ..SearchOptions::default() };
    /// assert_eq!(index.search(&query, &options)?.total, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the query cannot be used with the index, or the search was stopped.
    pub fn search(&self, query: &Query, options: &SearchOptions) -> Result<Hits> {
        let mut hits = Hits {
            total: 0,
            is_whole: true,
            is_partial: false,
            hits: Vec::new(),
        };
        let questions = self.snapshots.iter();
        let questions = questions.map(|snapshot| Question::new(snapshot, query, &self.stop));
        let questions: Vec<Question<'_>> = questions.collect::<Result<_>>()?;
        match options.sort {
            Some((SortKey::Ply, reverse)) => {
                let all = SearchOptions {
                    offset: 0,
                    limit: usize::MAX,
                    ..*options
                };
                for (index, question) in (0..).zip(&questions) {
                    question.collect(index, &all, &mut hits)?;
                }
                let hits = &mut hits.hits;
                sort::by_ply(hits, reverse);
                hits.truncate(options.offset.saturating_add(options.limit));
                hits.drain(..options.offset.min(hits.len()));
            }
            Some((key, reverse)) => sorted(&questions, key, reverse, options, &mut hits)?,
            None => {
                for (index, question) in (0..).zip(&questions) {
                    question.collect(index, options, &mut hits)?;
                }
            }
        }
        hits.is_partial = self.is_damaged();
        Ok(hits)
    }
}

/// Finds all matches, and makes hits of those on the requested page of their order.
fn sorted(
    questions: &[Question<'_>],
    key: SortKey,
    reverse: bool,
    options: &SearchOptions,
    hits: &mut Hits,
) -> Result<()> {
    let mut matches = Vec::new();
    for (index, question) in (0..).zip(questions) {
        for (segment, answer) in question.snapshot.segments.iter().zip(question.answers()) {
            if let Some(answer) = question.snapshot.answered(answer)? {
                hits.total += answer.games.count();
                matches.push((index, question, segment, answer));
            }
        }
    }
    let total = usize::try_from(hits.total).unwrap_or(usize::MAX);
    let wanted = options.offset.saturating_add(options.limit).min(total);
    let mut first = sort::First::new(key, reverse, wanted);
    for (number, (_, question, segment, answer)) in matches.iter().enumerate() {
        question.stop.check()?;
        let added = first.add(number, segment, &answer.games);
        question.snapshot.answered(added)?;
    }
    let mut page = first.into_sorted();
    page.drain(..options.offset.min(page.len()));
    let found = of_each(&page, |(number, doc)| {
        let (index, question, segment, answer) = &matches[*number];
        let hit = question.hit(*index, segment, *doc, answer);
        question.snapshot.answered(hit)
    });
    hits.hits = found?;
    Ok(())
}

impl<'p> Question<'p> {
    pub(crate) fn new(snapshot: &'p Snapshot, query: &Query, stop: &Stop) -> Result<Self> {
        let replays = query.replays();
        if replays > MAX_REPLAYS {
            return Err(IndexError::TooMuch(replays));
        }
        Ok(Self {
            snapshot,
            root: Node::new(query, snapshot, false, stop)?,
            replays: replays > 0,
            stop: stop.clone(),
        })
    }

    /// Returns the games of a segment that match.
    ///
    /// # Errors
    /// Returns an error if something it reads is damaged, or the search was stopped.
    pub(crate) fn games(&self, segment: &Segment) -> Result<GameSet> {
        Ok(self.answer(segment, None)?.games)
    }

    fn collect(&self, index: u32, options: &SearchOptions, hits: &mut Hits) -> Result<()> {
        let mut answers = options.count.then(|| self.answers()).into_iter().flatten();
        for segment in &self.snapshot.segments {
            let wanted = options.offset.saturating_add(options.limit);
            let before = usize::try_from(hits.total).unwrap_or(usize::MAX);
            let missing = wanted.saturating_sub(before);
            if !options.count && missing == 0 {
                hits.is_whole = false;
                return Ok(());
            }
            let enough = (!options.count).then_some(missing);
            let answer = answers.next();
            let answer = answer.unwrap_or_else(|| self.answer(segment, enough));
            let found = answer.and_then(|answer| {
                let games = answer.games.iter();
                let games = games.skip(options.offset.saturating_sub(before));
                let games: Vec<DocId> = games.take(options.limit - hits.hits.len()).collect();
                let hit_of = |doc: &DocId| self.hit(index, segment, *doc, &answer).map(Some);
                Ok((of_each(&games, hit_of)?, answer))
            });
            if let Some((found, answer)) = self.snapshot.answered(found)? {
                hits.is_whole &= answer.is_whole;
                hits.total += answer.games.count();
                hits.hits.extend(found);
            }
        }
        Ok(())
    }

    /// Finds the matches in each segment, in order.
    fn answers(&self) -> impl Iterator<Item = Result<Answer>> {
        let segments = &self.snapshot.segments;
        // If every game of a segment must be read, it is faster to read several segments at once.
        let at_once = segments.len() > 1 && self.root.cost() > Cost::List;
        let all: Vec<_> = match at_once {
            true => (segments.par_iter())
                .map(|segment| self.answer(segment, None))
                .collect(),
            false => Vec::new(),
        };
        let later = segments.iter().skip(all.len());
        let later = later.map(|segment| self.answer(segment, None));
        all.into_iter().chain(later)
    }

    /// Finds the matches in a segment. May end as soon as there are `enough`.
    fn answer(&self, segment: &Segment, enough: Option<usize>) -> Result<Answer> {
        let found = self.root.candidates(segment, &segment.alive, &self.stop)?;
        let Candidates { games, check } = found;
        let mut answer = Answer {
            games,
            places: Vec::new(),
            is_whole: true,
        };
        let Some(check) = check else {
            return Ok(answer);
        };
        let candidates: Vec<DocId> = answer.games.iter().collect();
        let passes = |doc: &DocId| {
            self.stop.check()?;
            let mut place = None;
            let game = segment.game(*doc);
            let passes = game.and_then(|game| check.passes(*doc, &game, &mut place));
            let passes = passes.ok_or_else(|| segment.unreadable())?;
            Ok(passes.then_some((*doc, place)))
        };
        let enough = enough.filter(|_| self.replays).unwrap_or(usize::MAX);
        let (mut rest, mut portion) = (candidates.as_slice(), FIRST);
        while !rest.is_empty() {
            if answer.places.len() >= enough {
                answer.is_whole = false;
                break;
            }
            let (now, later) = rest.split_at(rest.len().min(portion));
            (rest, portion) = (later, SHIFT.min(portion * 2));
            answer.places.extend(of_each(now, passes)?);
        }
        answer.games = answer.places.iter().map(|(doc, _)| *doc).collect();
        Ok(answer)
    }

    /// The hit of a game that matches.
    ///
    /// # Errors
    /// Returns an error if the game is damaged, or the search was stopped.
    fn hit(&self, index: u32, segment: &Segment, doc: DocId, answer: &Answer) -> Result<Hit> {
        self.stop.check()?;
        let id = GameId {
            index,
            game: segment.number(doc)?,
        };
        let mut replays = Vec::new();
        self.root.replays(&mut replays);
        let hit = hit(segment, doc, id, &replays, &answer.places);
        hit.ok_or_else(|| segment.unreadable())
    }
}

/// Calls a function for each game, possibly in parallel. Returns what it found in the order of the games.
fn of_each<G: Sync, T: Send>(
    games: &[G],
    find: impl Fn(&G) -> Result<Option<T>> + Sync + Send,
) -> Result<Vec<T>> {
    let found = |game| find(game).transpose();
    // For a few games, waking the other threads would take longer than the work.
    match games.len() < 256 {
        true => games.iter().filter_map(found).collect(),
        false => games
            .par_iter()
            .with_min_len(64)
            .filter_map(found)
            .collect(),
    }
}

/// Creates a hit, with the place of the match on the board; `None` if the game is damaged. Positions and sequences are
/// found wherever they are in the query, other tests only if the match is due to them.
fn hit(
    segment: &Segment,
    doc: DocId,
    id: GameId,
    replays: &[&Replay],
    places: &[(DocId, Option<Place>)],
) -> Option<Hit> {
    let mut steps = Vec::new();
    for replay in replays {
        if steps.is_empty() {
            steps = replay.plies(&segment.game(doc)?)?;
        }
    }
    let mut found = None;
    for replay in replays.iter().filter(|replay| replay.is_listed()) {
        if found.is_none() {
            found = replay.find(&segment.game(doc)?)?;
        }
    }
    let known = || {
        let place = places.binary_search_by_key(&doc, |place| place.0);
        places.get(place.ok()?)?.1
    };
    let (place, line) = match (found, steps.as_slice()) {
        (None, [first, .., (line, _)]) => (Some(*first), *line),
        (None, [only]) => (Some(*only), only.0),
        (found, _) => {
            let found = found.or_else(known);
            let line = found.and_then(|(line, _)| line);
            match (found, line) {
                (Some((_, ply)), Some(_)) => {
                    let (_, variations) = segment.game(doc)?.moves()?;
                    (Some((line_at(&variations, line, ply), ply)), line)
                }
                _ => (found, line),
            }
        }
    };
    let (variation, ply) = place.unzip();
    Some(Hit {
        id,
        ply,
        variation: variation.flatten(),
        line,
        steps,
    })
}
