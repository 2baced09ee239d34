//! Conditions on games as queries of tantivy.
//!
//! A [`Condition`] proposes games of a segment and tests them; [`Conditioned`] makes a query of it that tantivy joins
//! with those about words. A test is only made for games that the other parts of a question leave, so that a costly one
//! costs little beside a rare name.

use crate::error::IndexError;
use crate::questions::date::DateRange;
use crate::questions::game_set::GameSet;
use crate::questions::stop::Stop;
use crate::store::columns::{Column, Flags, date_of, ratings_of};
use crate::store::segment::{InOrder, Segment};
use std::sync::{Arc, Mutex, PoisonError};

use tantivy::query::{EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::{DocId, DocSet, Score, SeekDangerResult, SegmentReader, TERMINATED, TantivyError};
use tridex_archive::GameResult;

/// Whether a game is one of those.
pub(crate) type Test = Box<dyn FnMut(DocId) -> bool + Send>;

/// Games that may be those asked for, and how to know.
pub(crate) struct Proposal {
    /// The games in their order; all of the segment without.
    pub(crate) games: Option<Vec<DocId>>,
    /// `None` if they all are.
    pub(crate) test: Option<Test>,
    /// What a test costs, in steps through a list.
    pub(crate) cost: u64,
}

impl Proposal {
    /// The games among some that are those asked for; some of them once it was stopped.
    pub(crate) fn games_within(self, within: &GameSet, stop: &Stop) -> GameSet {
        let Self { games, test, .. } = self;
        let mut test = match (&games, test) {
            (None, None) => return within.clone(),
            (_, test) => test,
        };
        let mut found = within.none();
        let mut take = |doc| {
            if !stop.is_raised() && test.as_mut().is_none_or(|test| test(doc)) {
                found.insert(doc);
            }
        };
        match games {
            Some(games) => games
                .into_iter()
                .filter(|doc| within.contains(*doc))
                .for_each(take),
            None => within.iter().for_each(&mut take),
        }
        found
    }
}

/// A condition on games.
pub(crate) trait Condition: Send + Sync + std::fmt::Debug + 'static {
    /// The games of a segment that may fulfil it. `trouble` takes what goes wrong in the tests.
    ///
    /// # Errors
    /// If what it needs of the segment is damaged.
    fn propose(&self, segment: &Arc<Segment>, trouble: &Trouble) -> Result<Proposal, IndexError>;

    /// Whether it proposes every game there is.
    fn is_broad(&self) -> bool {
        false
    }
}

/// What went wrong while tantivy ran a question, and what ends it: tantivy has no words for our faults, and no stop.
#[derive(Clone, Debug)]
pub(crate) struct Trouble {
    kept: Arc<Mutex<Option<IndexError>>>,
    pub(crate) stop: Stop,
}

impl Trouble {
    /// None yet.
    pub(crate) fn new(stop: &Stop) -> Self {
        Self {
            kept: Arc::default(),
            stop: stop.clone(),
        }
    }

    /// Keeps a fault; the first is reported.
    pub(crate) fn keep(&self, error: IndexError) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get_or_insert(error);
    }

    /// Gives the fault back, if there was one. A question that was stopped has no other.
    ///
    /// # Errors
    /// The fault.
    pub(crate) fn take(&self) -> Result<(), IndexError> {
        self.stop.check()?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.take().map_or(Ok(()), Err)
    }
}

/// A condition as a query.
#[derive(Clone, Debug)]
pub(crate) struct Conditioned {
    pub(crate) condition: Arc<dyn Condition>,
    pub(crate) segments: Segments,
    pub(crate) trouble: Trouble,
}

/// The segments that are asked.
#[derive(Clone)]
pub(crate) struct Segments(pub(crate) Arc<Vec<Arc<Segment>>>);

impl std::fmt::Debug for Segments {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} segments", self.0.len())
    }
}

impl Query for Conditioned {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(self.clone()))
    }
}

impl Conditioned {
    fn chosen(&self, reader: &SegmentReader) -> tantivy::Result<Chosen> {
        let mut segments = self.segments.0.iter();
        let segment = segments.find(|segment| segment.id() == reader.segment_id());
        let segment = segment.ok_or_else(|| TantivyError::InternalError("a segment".to_owned()))?;
        let begun = self.trouble.stop.check();
        match begun.and_then(|()| self.condition.propose(segment, &self.trouble)) {
            Ok(proposal) => Ok(Chosen {
                proposal,
                stop: self.trouble.stop.clone(),
                bound: reader.max_doc(),
                at: 0,
                doc: 0,
            }),
            Err(error) => {
                let told = TantivyError::InternalError(error.to_string());
                self.trouble.keep(error);
                Err(told)
            }
        }
    }
}

impl Weight for Conditioned {
    fn scorer(&self, reader: &SegmentReader, _: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let mut chosen = self.chosen(reader)?;
        chosen.go(0);
        Ok(Box::new(chosen))
    }

    fn scorer_danger(
        &self,
        reader: &SegmentReader,
        target: DocId,
        _: Score,
    ) -> tantivy::Result<(SeekDangerResult, Box<dyn Scorer>)> {
        let mut chosen = self.chosen(reader)?;
        let found = chosen.seek_danger(target);
        Ok((found, Box::new(chosen)))
    }

    fn explain(&self, _: &SegmentReader, _: DocId) -> tantivy::Result<Explanation> {
        Ok(Explanation::new("a condition", 1.0))
    }
}

/// The games of a segment that fulfil a condition.
struct Chosen {
    proposal: Proposal,
    /// Once it is raised there are no more games.
    stop: Stop,
    /// How many games the segment has.
    bound: DocId,
    /// The place among the proposed games.
    at: usize,
    doc: DocId,
}

impl Chosen {
    /// The first proposed game from one on.
    fn proposed(&mut self, from: DocId) -> DocId {
        let found = match &self.proposal.games {
            None => from,
            Some(games) => {
                let rest = games.get(self.at..).unwrap_or_default();
                self.at += rest.partition_point(|doc| *doc < from);
                games.get(self.at).copied().unwrap_or(TERMINATED)
            }
        };
        if found < self.bound && !self.stop.is_raised() {
            found
        } else {
            TERMINATED
        }
    }

    fn holds(&mut self, doc: DocId) -> bool {
        self.proposal.test.as_mut().is_none_or(|test| test(doc))
    }

    /// Goes to the first game from one on.
    fn go(&mut self, from: DocId) -> DocId {
        let mut doc = self.proposed(from);
        while doc != TERMINATED && !self.holds(doc) {
            doc = self.proposed(doc + 1);
        }
        self.doc = doc;
        doc
    }
}

impl DocSet for Chosen {
    fn advance(&mut self) -> DocId {
        match self.doc {
            TERMINATED => TERMINATED,
            doc => self.go(doc + 1),
        }
    }

    fn seek(&mut self, target: DocId) -> DocId {
        if self.doc >= target {
            return self.doc;
        }
        self.go(target)
    }

    fn seek_danger(&mut self, target: DocId) -> SeekDangerResult {
        if target >= TERMINATED {
            return SeekDangerResult::SeekLowerBound(TERMINATED);
        }
        let proposed = self.proposed(target);
        if proposed > target {
            return SeekDangerResult::SeekLowerBound(proposed);
        }
        if self.holds(target) {
            self.doc = target;
            return SeekDangerResult::Found;
        }
        SeekDangerResult::SeekLowerBound(self.proposed(target + 1))
    }

    fn doc(&self) -> DocId {
        self.doc
    }

    fn size_hint(&self) -> u32 {
        match &self.proposal.games {
            Some(games) => games.len() as u32,
            None => self.bound / 2,
        }
    }

    fn cost(&self) -> u64 {
        let games = match &self.proposal.games {
            Some(games) => games.len() as u64,
            None => self.bound.into(),
        };
        games * self.proposal.cost.max(1)
    }
}

impl Scorer for Chosen {
    fn score(&mut self) -> Score {
        1.0
    }
}

/// A condition on what the columns say of a game.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Columns {
    Date(DateRange),
    Result(GameResult),
    /// The number of the rules on disk.
    Rules(u8),
    Plies(Option<u32>, Option<u32>),
    Ratings(Option<u32>, Option<u32>),
    Id(u64),
    /// A part of the name of the source, in small letters.
    Source(String),
}

impl Condition for Columns {
    fn propose(&self, segment: &Arc<Segment>, _: &Trouble) -> Result<Proposal, IndexError> {
        let values = |column| segment.column(column).map(InOrder::of);
        let test: Test = match self.clone() {
            Self::Date(range) => {
                let mut dates = values(Column::Date)?;
                Box::new(move |doc| range.holds(date_of(dates.get(doc))))
            }
            Self::Result(result) => {
                let mut flags = values(Column::Flags)?;
                Box::new(move |doc| Flags::of(flags.get(doc)).result == result)
            }
            Self::Rules(code) => {
                let mut flags = values(Column::Flags)?;
                Box::new(move |doc| Flags::of(flags.get(doc)).code == code)
            }
            Self::Plies(from, to) => {
                let mut plies = values(Column::Plies)?;
                Box::new(move |doc| is_within(plies.get(doc) as u32, from, to))
            }
            Self::Ratings(from, to) => {
                let mut ratings = values(Column::Ratings)?;
                Box::new(move |doc| {
                    let both = ratings_of(ratings.get(doc));
                    both.into_iter()
                        .all(|rating| rating != 0 && is_within(rating.into(), from, to))
                })
            }
            Self::Id(id) => {
                let mut contents = values(Column::Content)?;
                Box::new(move |doc| contents.get(doc) == id)
            }
            Self::Source(part) => {
                let names = segment.source_names()?.into_iter();
                let fits: Vec<bool> = names
                    .map(|name| name.to_lowercase().contains(&part))
                    .collect();
                let sources = segment.sources()?.clone();
                Box::new(move |doc| {
                    let which = sources.ords().first(doc);
                    which.is_some_and(|which| fits.get(which as usize) == Some(&true))
                })
            }
        };
        Ok(Proposal {
            games: None,
            test: Some(test),
            cost: 2,
        })
    }

    fn is_broad(&self) -> bool {
        true
    }
}

fn is_within(number: u32, from: Option<u32>, to: Option<u32>) -> bool {
    from.is_none_or(|from| number >= from) && to.is_none_or(|to| number <= to)
}
