//! Searching games.
//!
//! A query becomes a [`Plan`] once. For each segment in order, the plan returns candidates. Those that need
//! a board test are replayed in parallel, until there are as many matches as requested.

use crate::error::Result;
use crate::model::game_bytes::{LinePly, line_at};
use crate::model::game_set::GameSet;
use crate::model::indexed_game::GameId;
use crate::query::expression::Query;
use crate::query::options::{SearchOptions, SortKey};
use crate::read::index::GameIndex;
use crate::search::board_test::BoardTest;
use crate::search::plan::{Candidates, Condition, Cost, Plan};
use crate::search::sort;
use crate::storage::segment::Segment;
use rayon::prelude::*;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use std::vec;
use tantivy::DocId;
use tantivy::collector::sort_key::Comparator;

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
    /// The plies of the match: the ply of the hit and the plies of its sequence, each with its variation.
    pub fn plies(&self) -> impl Iterator<Item = (Option<u32>, u32)> {
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

/// The matches of a segment.
struct SegmentMatches<'q> {
    games: GameSet,
    /// The plies at which the games match, in the order of the games; only for games that were replayed.
    plies: Vec<(DocId, Option<LinePly>)>,
    /// The candidates that have not been checked yet, in order.
    rest: VecDeque<DocId>,
    /// The condition that candidates must meet.
    condition: Option<Condition<'q>>,
}

/// The number of candidates in the first portion. After each portion the search ends if there are enough matches.
/// Portions double up to [`MOST_AT_ONCE`].
const FIRST_PORTION: usize = 2_048;
/// The number of games that the threads check before they may switch to other work, so that a short query need not wait
/// for the end of a long one.
const MOST_AT_ONCE: usize = 8_192;
/// The number of candidates in the first portion if the search may end because of the time.
const SHORT_PORTION: usize = 256;
/// Portions get smaller if one takes longer than this, so that a search ends in time.
const LONGEST_PORTION: Duration = Duration::from_millis(50);

impl GameIndex {
    /// Returns the games that match a query. Games of damaged files are omitted, and [`Hits::is_partial`] reports that.
    ///
    /// ```
    /// # use tridex_index::GameIndex;
    /// # let folder = tempfile::tempdir()?;
    /// # tridex_index::example::write(folder.path())?;
    /// use tridex_index::{Query, SearchOptions, SortKey};
    /// let index = GameIndex::open(folder.path())?;
    /// let query = Query::parse("player:kirk not result:0-1")?;
    /// let by_length = SortKey::from_name("plies").map(|key| (key, true));
    /// let options = SearchOptions::default().limit(10).sort(by_length);
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
        let plans = self.snapshots.iter();
        let plans = plans.map(|snapshot| Plan::new(snapshot, query, &self.stop));
        let plans: Vec<Plan<'_>> = plans.collect::<Result<_>>()?;
        match options.sort {
            Some((SortKey::Ply, reverse)) => {
                let all = SearchOptions {
                    offset: 0,
                    limit: usize::MAX,
                    until: None,
                    ..*options
                };
                for (index, plan) in (0..).zip(&plans) {
                    plan.collect(index, &all, &mut hits)?;
                }
                let hits = &mut hits.hits;
                let order = sort::comparator(reverse);
                hits.sort_by(|a, b| order.compare(&b.ply, &a.ply));
                hits.truncate(options.offset.saturating_add(options.limit));
                hits.drain(..options.offset.min(hits.len()));
            }
            Some((key, reverse)) => sorted(&plans, key, reverse, options, &mut hits)?,
            None => {
                for (index, plan) in (0..).zip(&plans) {
                    plan.collect(index, options, &mut hits)?;
                }
            }
        }
        hits.is_partial = self.is_damaged();
        Ok(hits)
    }
}

/// Finds all matches, and makes hits of those on the requested page of their order.
fn sorted(
    plans: &[Plan<'_>],
    key: SortKey,
    reverse: bool,
    options: &SearchOptions,
    hits: &mut Hits,
) -> Result<()> {
    let mut found = Vec::new();
    for (index, plan) in (0..).zip(plans) {
        for (segment, matches) in plan
            .snapshot
            .segments
            .iter()
            .zip(plan.all_matches(&SearchOptions::default()))
        {
            if let Some(matches) = plan.snapshot.answered(matches)? {
                hits.total += matches.games.count();
                found.push((index, plan, segment, matches));
            }
        }
    }
    let total = usize::try_from(hits.total).unwrap_or(usize::MAX);
    let wanted = options.offset.saturating_add(options.limit).min(total);
    let mut first = sort::First::new(key, reverse, wanted);
    for (number, (_, plan, segment, matches)) in found.iter().enumerate() {
        plan.stop.check()?;
        let added = first.add(number, segment, &matches.games);
        plan.snapshot.answered(added)?;
    }
    let mut page = first.into_sorted();
    page.drain(..options.offset.min(page.len()));
    let of_page = of_each(&page, |(number, doc)| {
        let (index, plan, segment, matches) = &found[*number];
        let hit = plan.hit(*index, segment, *doc, matches);
        plan.snapshot.answered(hit)
    });
    hits.hits = of_page?;
    Ok(())
}

impl Plan<'_> {
    /// Returns the games of a segment that match.
    ///
    /// # Errors
    /// Returns an error if something it reads is damaged, or the search was stopped.
    pub(crate) fn games(&self, segment: &Segment) -> Result<GameSet> {
        Ok(self.matches(segment, &SearchOptions::default())?.games)
    }

    fn collect(&self, index: u32, options: &SearchOptions, hits: &mut Hits) -> Result<()> {
        let mut at_once = self.at_once(options);
        for segment in &self.snapshot.segments {
            let wanted = options.offset.saturating_add(options.limit);
            let before = usize::try_from(hits.total).unwrap_or(usize::MAX);
            let missing = wanted.saturating_sub(before);
            let matches = at_once.next();
            if matches.is_none() && (options.is_over() || missing == 0 && !options.counts()) {
                hits.is_whole = false;
                return Ok(());
            }
            let matches = matches.unwrap_or_else(|| self.matches(segment, options));
            let matches = matches.and_then(|mut matches| {
                self.check(segment, &mut matches, options, missing)?;
                Ok(matches)
            });
            let found = matches.and_then(|matches| {
                let games = matches.games.iter();
                let games = games.skip(options.offset.saturating_sub(before));
                let games: Vec<DocId> = games.take(options.limit - hits.hits.len()).collect();
                let hit_of = |doc: &DocId| self.hit(index, segment, *doc, &matches).map(Some);
                Ok((of_each(&games, hit_of)?, matches))
            });
            if let Some((found, matches)) = self.snapshot.answered(found)? {
                hits.is_whole &= matches.rest.is_empty();
                hits.total += matches.games.count();
                hits.hits.extend(found);
            }
        }
        Ok(())
    }

    /// Finds the matches in each segment, in order.
    fn all_matches(
        &self,
        options: &SearchOptions,
    ) -> impl Iterator<Item = Result<SegmentMatches<'_>>> {
        let at_once = self.at_once(options);
        let later = self.snapshot.segments.iter().skip(at_once.len());
        at_once.chain(later.map(|segment| self.matches(segment, options)))
    }

    /// The matches in all segments, found at once if every game of a segment must be read, which is faster; else nothing.
    fn at_once(&self, options: &SearchOptions) -> vec::IntoIter<Result<SegmentMatches<'_>>> {
        let segments = &self.snapshot.segments;
        let is_slow = segments.len() > 1 && self.root.cost() > Cost::List;
        if !options.counts() || !is_slow {
            return Vec::new().into_iter();
        }
        let all = segments.par_iter();
        let all = all.map(|segment| self.matches(segment, options));
        all.collect::<Vec<_>>().into_iter()
    }

    /// Finds the matches in a segment, all of them if they are counted. Otherwise [`Self::check`] continues.
    fn matches(&self, segment: &Segment, options: &SearchOptions) -> Result<SegmentMatches<'_>> {
        let found = self.root.candidates(segment, &segment.alive, &self.stop)?;
        let Candidates { games, condition } = found;
        let mut matches = SegmentMatches {
            games,
            plies: Vec::new(),
            rest: VecDeque::new(),
            condition,
        };
        if matches.condition.is_some() {
            matches.rest = matches.games.iter().collect();
            self.check(segment, &mut matches, options, 0)?;
        }
        Ok(matches)
    }

    /// Checks candidates until `enough` games match, or longer if games are counted.
    fn check(
        &self,
        segment: &Segment,
        matches: &mut SegmentMatches<'_>,
        options: &SearchOptions,
        enough: usize,
    ) -> Result<()> {
        let SegmentMatches {
            games,
            plies,
            rest,
            condition: Some(condition),
        } = matches
        else {
            return Ok(());
        };
        if rest.is_empty() {
            return Ok(());
        }
        let passes = |doc: &DocId| {
            self.stop.check()?;
            let mut at = None;
            let game = segment.game(*doc);
            let passes = game.and_then(|game| condition.is_met(*doc, &game, &mut at));
            let passes = passes.ok_or_else(|| segment.unreadable())?;
            Ok(passes.then_some((*doc, at)))
        };
        let is_enough = |found: usize| {
            // Without other replays, checking the rest is quick.
            let is_enough = found >= enough && (self.needs_replay || options.is_timed());
            options.is_over() || is_enough && !options.counts()
        };
        let mut portion = match options.is_timed() {
            true => SHORT_PORTION,
            false => FIRST_PORTION,
        };
        while !rest.is_empty() && !is_enough(plies.len()) {
            let since = Instant::now();
            let now: Vec<DocId> = rest.drain(..rest.len().min(portion)).collect();
            plies.extend(of_each(&now, passes)?);
            portion = match since.elapsed() {
                long if options.is_timed() && long > LONGEST_PORTION => (portion / 2).max(1),
                _ => MOST_AT_ONCE.min(portion * 2),
            };
        }
        *games = plies.iter().map(|(doc, _)| *doc).collect();
        Ok(())
    }

    /// The hit of a game that matches.
    ///
    /// # Errors
    /// Returns an error if the game is damaged, or the search was stopped.
    fn hit(
        &self,
        index: u32,
        segment: &Segment,
        doc: DocId,
        matches: &SegmentMatches<'_>,
    ) -> Result<Hit> {
        self.stop.check()?;
        let id = GameId {
            index,
            game: segment.number(doc)?,
        };
        let mut tests = Vec::new();
        self.root.board_tests(&mut tests);
        let hit = hit(segment, doc, id, &tests, &matches.plies);
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

/// Creates a hit, with the ply of the match on the board; `None` if the game is damaged. Positions and sequences are
/// found wherever they are in the query, other tests only if the match is due to them.
fn hit(
    segment: &Segment,
    doc: DocId,
    id: GameId,
    tests: &[&BoardTest],
    plies: &[(DocId, Option<LinePly>)],
) -> Option<Hit> {
    let mut steps = Vec::new();
    for test in tests {
        if steps.is_empty() {
            steps = test.plies(&segment.game(doc)?)?;
        }
    }
    let mut found = None;
    for test in tests.iter().filter(|test| test.is_listed()) {
        if found.is_none() {
            found = test.find(&segment.game(doc)?)?;
        }
    }
    let known = || {
        let at = plies.binary_search_by_key(&doc, |(doc, _)| *doc);
        plies.get(at.ok()?)?.1
    };
    let (first, line) = match (found, steps.as_slice()) {
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
    let (variation, ply) = first.unzip();
    Some(Hit {
        id,
        ply,
        variation: variation.flatten(),
        line,
        steps,
    })
}
