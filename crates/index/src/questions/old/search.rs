//! Answering questions.
//!
//! A question is made ready once ([`Question`]): all of it that can be is one query of tantivy, with conditions of ours
//! beside those about words; what only a replay can answer is asked of the games that query leaves. Segments are asked
//! one after the other, and no more of them than hits are wanted.

use super::condition::{Segments, Trouble};
use super::making::{Making, Node, Source};
use super::position::Target;
use super::replay::Replay;
use crate::error::{IndexError, MAX_REPLAYS, told};
use crate::game::line::{Found, Place};
use crate::questions::game_set::GameSet;
use crate::questions::query::Query;
use crate::questions::search::{Hit, Hits, SearchOptions};
use crate::questions::stop::Stop;
use crate::store::reader::{GameId, GameIndex, Part};
use crate::store::segment::Segment;
use rayon::prelude::*;
use std::sync::Arc;
use tantivy::DocId;

/// A question, made ready for an index.
pub(crate) struct Question<'p> {
    part: &'p Part,
    root: Node,
    /// The positions asked for, in the order of the question.
    positions: Vec<Arc<Target>>,
    /// The sequences asked for, in the order of the question.
    sequences: Vec<Arc<Replay>>,
    trouble: Trouble,
}

/// What was found in a segment.
#[derive(Default)]
struct Answer {
    games: GameSet,
    /// Where, for each part that was replayed.
    places: Vec<Vec<(DocId, Found)>>,
}

/// How many games are replayed before it is looked whether there are hits enough; more from time to time.
const PORTION: usize = 2_048;

impl GameIndex {
    pub(crate) fn old_search(
        &self,
        query: &Query,
        options: &SearchOptions,
    ) -> Result<Hits, IndexError> {
        let mut hits = Hits {
            total: 0,
            is_whole: true,
            is_partial: false,
            hits: Vec::new(),
        };
        for (index, part) in (0..).zip(&self.parts) {
            let question = Question::new(part, query, options.variations, &self.stop)?;
            question.collect(index, options, &mut hits)?;
        }
        hits.is_partial = self.is_damaged();
        Ok(hits)
    }
}

impl<'p> Question<'p> {
    pub(crate) fn new(
        part: &'p Part,
        query: &Query,
        variations: bool,
        stop: &Stop,
    ) -> Result<Self, IndexError> {
        let asked = query.replays();
        if asked > MAX_REPLAYS {
            return Err(IndexError::TooMuch(asked));
        }
        let trouble = Trouble::new(stop);
        let mut making = Making {
            part,
            segments: Segments(Arc::new(part.segments.clone())),
            variations,
            sequences: Vec::new(),
            is_asked_for: true,
            trouble: &trouble,
        };
        let root = making.node(query)?;
        let sequences = making.sequences;
        let mut positions = Vec::new();
        super::making::positions(query, part.store.identity.variations, &mut positions);
        Ok(Self {
            part,
            root,
            positions,
            sequences,
            trouble,
        })
    }

    fn collect(
        &self,
        index: u32,
        options: &SearchOptions,
        hits: &mut Hits,
    ) -> Result<(), IndexError> {
        let segments = &self.part.segments;
        if options.count && segments.len() > 1 && self.is_broad() {
            let ask = |segment| {
                let mut answer = Answer::default();
                let is_whole = self.run(segment, &mut answer, None)?;
                Ok((is_whole, answer))
            };
            let answers: Vec<_> = segments.par_iter().map(ask).collect();
            for (segment, answer) in segments.iter().zip(answers) {
                self.add(segment, answer, index, options, hits)?;
            }
            return Ok(());
        }
        for segment in segments {
            let wanted = options.offset.saturating_add(options.limit);
            let missing = wanted.saturating_sub(usize::try_from(hits.total).unwrap_or(usize::MAX));
            if !options.count && missing == 0 {
                hits.is_whole = false;
                return Ok(());
            }
            let enough = (!options.count).then_some(missing);
            let mut answer = Answer::default();
            let answered = self.run(segment, &mut answer, enough);
            let answered = answered.map(|is_whole| (is_whole, answer));
            self.add(segment, answered, index, options, hits)?;
        }
        Ok(())
    }

    /// Whether every game is looked at, of whatever segment: then it pays to ask several segments at once.
    fn is_broad(&self) -> bool {
        match &self.root {
            Node::Replay(_, Source::All) => true,
            Node::Index(Source::Condition(condition))
            | Node::Replay(_, Source::Condition(condition)) => condition.is_broad(),
            _ => false,
        }
    }

    /// Adds what was found in the next segment.
    fn add(
        &self,
        segment: &Arc<Segment>,
        answered: Result<(bool, Answer), IndexError>,
        index: u32,
        options: &SearchOptions,
        hits: &mut Hits,
    ) -> Result<(), IndexError> {
        let found = answered.and_then(|(is_whole, answer)| {
            let found = self.hits(segment, &answer, index, options, hits)?;
            Ok((is_whole, answer.games.count(), found))
        });
        if let Some((is_whole, count, found)) = self.part.answered(found)? {
            hits.is_whole &= is_whole;
            hits.total += count;
            hits.hits.extend(found);
        }
        Ok(())
    }

    /// The hits that are wanted of a segment.
    fn hits(
        &self,
        segment: &Arc<Segment>,
        answer: &Answer,
        index: u32,
        options: &SearchOptions,
        before: &Hits,
    ) -> Result<Vec<Hit>, IndexError> {
        let skipped = usize::try_from(before.total).unwrap_or(usize::MAX);
        let games: Vec<DocId> = answer
            .games
            .iter()
            .skip(options.offset.saturating_sub(skipped))
            .take(options.limit - before.hits.len())
            .collect();
        let hit = |doc: &DocId| {
            self.trouble.stop.check()?;
            let steps = self.steps(segment, *doc)?;
            let (ply, variation) = match self.place(segment, answer, *doc, &steps)? {
                Found::Main(ply) => (Some(ply), None),
                Found::Variation(line, ply) => (Some(ply), Some(line)),
                Found::Nowhere => (None, None),
            };
            let game = segment.number(*doc)?;
            Ok(Hit {
                id: GameId { index, game },
                ply,
                variation,
                steps,
            })
        };
        // For a few it takes longer to wake the other threads.
        match games.len() < 256 {
            true => games.iter().map(hit).collect(),
            false => games.par_iter().with_min_len(128).map(hit).collect(),
        }
    }

    /// The plies of the first sequence of the question that a game matches.
    fn steps(&self, segment: &Arc<Segment>, doc: DocId) -> Result<Vec<Place>, IndexError> {
        for replay in &self.sequences {
            let found = segment.game(doc).and_then(|game| replay.plies(&game));
            let steps = found.ok_or_else(|| segment.unreadable())?;
            if !steps.is_empty() {
                return Ok(steps);
            }
        }
        Ok(Vec::new())
    }

    /// Where a game answers the question, if it does on the board.
    fn place(
        &self,
        segment: &Arc<Segment>,
        answer: &Answer,
        doc: DocId,
        steps: &[Place],
    ) -> Result<Found, IndexError> {
        for target in &self.positions {
            let found = segment.game(doc).and_then(|game| target.find(&game));
            match found.ok_or_else(|| segment.unreadable())? {
                Found::Nowhere => {}
                found => return Ok(found),
            }
        }
        match steps.first() {
            Some((None, ply)) => return Ok(Found::Main(*ply)),
            Some((Some(line), ply)) => return Ok(Found::Variation(*line, *ply)),
            None => {}
        }
        let found = answer.places.iter().find_map(|places| {
            let at = places.binary_search_by_key(&doc, |place| place.0).ok()?;
            places.get(at).map(|place| place.1)
        });
        Ok(found.unwrap_or(Found::Nowhere))
    }

    /// Asks a segment; tells whether all of it was looked at, which it is not where enough was found before.
    fn run(
        &self,
        segment: &Arc<Segment>,
        answer: &mut Answer,
        enough: Option<usize>,
    ) -> Result<bool, IndexError> {
        let Answer { games, places } = answer;
        let (source, parts) = match (&self.root, enough) {
            (Node::Replay(_, source), Some(_)) => (source, std::slice::from_ref(&self.root)),
            (Node::And(source, parts), Some(_)) => (source, parts.as_slice()),
            (root, _) => {
                *games = self.answer(root, segment, &segment.alive, places)?;
                return Ok(true);
            }
        };
        let proposed = self.ask(source, segment, &segment.alive)?;
        let proposed: Vec<DocId> = proposed.iter().collect();
        let mut rest = proposed.as_slice();
        let mut portion = PORTION;
        *games = GameSet::empty(segment.games());
        while !rest.is_empty() {
            if enough.is_some_and(|enough| games.count() >= enough as u64) {
                return Ok(false);
            }
            let (now, later) = rest.split_at(rest.len().min(portion));
            (rest, portion) = (later, portion * 2);
            let mut some = GameSet::empty(segment.games());
            now.iter().for_each(|doc| some.insert(*doc));
            games.add(&self.all_of(parts, segment, some, places)?);
        }
        Ok(true)
    }

    /// The games among some that a part of the question finds. Goes as deep as the question is nested.
    fn answer(
        &self,
        node: &Node,
        segment: &Arc<Segment>,
        within: &GameSet,
        places: &mut Vec<Vec<(DocId, Found)>>,
    ) -> Result<GameSet, IndexError> {
        if within.is_empty() {
            return Ok(within.clone());
        }
        Ok(match node {
            Node::Index(source) => self.ask(source, segment, within)?,
            Node::Replay(replay, source) => {
                let proposed = self.ask(source, segment, within)?;
                self.replayed(replay, segment, &proposed, places)?
            }
            Node::And(source, parts) => {
                let proposed = self.ask(source, segment, within)?;
                self.all_of(parts, segment, proposed, places)?
            }
            Node::Or(parts) => {
                let mut found = GameSet::empty(segment.games());
                for part in parts {
                    let rest = within.minus(&found);
                    found.add(&self.answer(part, segment, &rest, places)?);
                }
                found
            }
            // Where a game is not found says nothing of where it is.
            Node::Not(part) => {
                within.minus(&self.answer(part, segment, within, &mut Vec::new())?)
            }
        })
    }

    /// The games among some that all of some parts find; of replays it is known that they may.
    fn all_of(
        &self,
        parts: &[Node],
        segment: &Arc<Segment>,
        mut found: GameSet,
        places: &mut Vec<Vec<(DocId, Found)>>,
    ) -> Result<GameSet, IndexError> {
        let before = places.len();
        for part in parts {
            found = match part {
                Node::Replay(replay, _) => self.replayed(replay, segment, &found, places)?,
                part => self.answer(part, segment, &found, places)?,
            };
        }
        // The one difference: what does not match as a whole leaves no place.
        for places in &mut places[before..] {
            places.retain(|(doc, _)| found.contains(*doc));
        }
        Ok(found)
    }

    /// The games among some that a source proposes.
    fn ask(
        &self,
        source: &Source,
        segment: &Arc<Segment>,
        within: &GameSet,
    ) -> Result<GameSet, IndexError> {
        match source {
            Source::All => Ok(within.clone()),
            Source::Condition(condition) => {
                // Its own: other segments may be asked meanwhile.
                let trouble = Trouble::new(&self.trouble.stop);
                let proposal = condition.propose(segment, &trouble)?;
                let found = proposal.games_within(within, &trouble.stop);
                trouble.take().map(|()| found)
            }
            Source::Query(weight) => {
                let mut found = GameSet::empty(segment.games());
                let asked = weight.for_each_no_score(&segment.reader, &mut |docs| {
                    docs.iter().for_each(|doc| found.insert(*doc));
                });
                found.keep(within);
                // A fault of ours says more than what tantivy makes of it.
                self.trouble.take()?;
                asked.map(|()| found).map_err(told(&self.part.store.root))
            }
        }
    }

    /// The games among some that pass a replay.
    fn replayed(
        &self,
        replay: &Replay,
        segment: &Arc<Segment>,
        within: &GameSet,
        places: &mut Vec<Vec<(DocId, Found)>>,
    ) -> Result<GameSet, IndexError> {
        let games: Vec<DocId> = within.iter().collect();
        let hits = replay.run(segment, &games, &self.trouble.stop)?;
        let mut found = GameSet::empty(segment.games());
        hits.iter().for_each(|(doc, _)| found.insert(*doc));
        places.push(hits);
        Ok(found)
    }
}
