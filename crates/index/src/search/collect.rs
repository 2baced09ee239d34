//! Searching games.
//!
//! A query becomes a [`Plan`] once. For each segment in order, the plan returns candidates. Those that need
//! a board test are replayed in parallel, until there are as many matches as requested.

use crate::error::Result;
use crate::model::entry::hash;
use crate::model::game_bytes::{LinePly, line_at};
use crate::model::game_set::GameSet;
use crate::model::indexed_game::GameId;
use crate::query::expression::Query;
use crate::query::options::{SearchOptions, SortKey};
use crate::read::index::GameIndex;
use crate::search::board_test::BoardTest;
use crate::search::plan::{Candidates, Condition, Cost, Plan};
use crate::search::sort;
use crate::storage::columns::Column;
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
            _ if options.sample.is_some() => {
                sample(&plans, options, &mut hits)?;
            }
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
    let found = all_found(plans)?;
    hits.total = found.iter().map(|found| found.matches.games.count()).sum();
    first_of(&found, key, reverse, options, hits)
}

/// The matches in a segment, and where they are.
struct Found<'p, 'q> {
    index: u32,
    plan: &'p Plan<'q>,
    segment: &'p Segment,
    matches: SegmentMatches<'p>,
}

/// All matches.
fn all_found<'p, 'q>(plans: &'p [Plan<'q>]) -> Result<Vec<Found<'p, 'q>>> {
    let mut all = Vec::new();
    for (index, plan) in (0..).zip(plans) {
        let options = SearchOptions::default();
        let found = plan.all_matches(&options);
        for (segment, matches) in plan.snapshot.segments.iter().zip(found) {
            if let Some(matches) = plan.snapshot.answered(matches)? {
                all.push(Found {
                    index,
                    plan,
                    segment,
                    matches,
                });
            }
        }
    }
    Ok(all)
}

/// Finds all matches, picks some at random, and makes hits of those on the requested page of their order.
fn sample(plans: &[Plan<'_>], options: &SearchOptions, hits: &mut Hits) -> Result<()> {
    let (wanted, seed) = options.sample.unwrap_or_default();
    let mut found = all_found(plans)?;
    // Every game has a number of its own by chance. The least ones are picked.
    let mut all = Vec::new();
    for (number, found) in found.iter().enumerate() {
        let read = || -> Result<Vec<_>> {
            let ids = found.segment.column(Column::Content)?;
            let games = found.matches.games.iter();
            let by_chance = |doc| {
                hash(
                    [seed, ids.get_val(doc)]
                        .map(u64::to_le_bytes)
                        .as_flattened(),
                )
            };
            Ok(games.map(|doc| (by_chance(doc), number, doc)).collect())
        };
        all.extend(found.plan.snapshot.answered(read())?.unwrap_or_default());
    }
    if wanted < all.len() {
        all.select_nth_unstable(wanted);
        all.truncate(wanted);
    }
    for (number, found) in found.iter_mut().enumerate() {
        let picked = all.iter().filter(|(_, of, _)| *of == number);
        found.matches.games = picked.map(|(_, _, doc)| *doc).collect();
    }
    hits.total = all.len() as u64;
    match options.sort {
        Some((SortKey::Ply, reverse)) => {
            let all = SearchOptions::default();
            in_order(&found, &all, hits)?;
            let order = sort::comparator(reverse);
            hits.hits.sort_by(|a, b| order.compare(&b.ply, &a.ply));
            hits.hits
                .truncate(options.offset.saturating_add(options.limit));
            hits.hits.drain(..options.offset.min(hits.hits.len()));
            Ok(())
        }
        Some((key, reverse)) => first_of(&found, key, reverse, options, hits),
        None => in_order(&found, options, hits),
    }
}

/// Makes hits of the matches on the requested page, in the order of the index.
fn in_order(found: &[Found<'_, '_>], options: &SearchOptions, hits: &mut Hits) -> Result<()> {
    let games = found.iter().flat_map(|found| {
        let docs = found.matches.games.iter();
        docs.map(move |doc| (found, doc))
    });
    let page: Vec<_> = games.skip(options.offset).take(options.limit).collect();
    hits.hits = of_each(&page, |(found, doc)| {
        let hit = found
            .plan
            .hit(found.index, found.segment, *doc, &found.matches);
        found.plan.snapshot.answered(hit)
    })?;
    Ok(())
}

/// Makes hits of the matches on the requested page of an order.
fn first_of(
    found: &[Found<'_, '_>],
    key: SortKey,
    reverse: bool,
    options: &SearchOptions,
    hits: &mut Hits,
) -> Result<()> {
    let total = usize::try_from(hits.total).unwrap_or(usize::MAX);
    let wanted = options.offset.saturating_add(options.limit).min(total);
    let mut first = sort::First::new(key, reverse, wanted);
    for (number, found) in found.iter().enumerate() {
        found.plan.stop.check()?;
        let added = first.add(number, found.segment, &found.matches.games);
        found.plan.snapshot.answered(added)?;
    }
    let mut page = first.into_sorted();
    page.drain(..options.offset.min(page.len()));
    let of_page = of_each(&page, |(number, doc)| {
        let found = &found[*number];
        let hit = found
            .plan
            .hit(found.index, found.segment, *doc, &found.matches);
        found.plan.snapshot.answered(hit)
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
