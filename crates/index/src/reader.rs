//! An index as it was at a commit.

use crate::entry::{GameEntry, GameResult, Variation, find_tag};
use crate::error::{IndexError, damaged, guarded};
use crate::fields::{self, Fields};
use crate::game_set::GameSet;
use crate::line::{GameBytes, prefix};
use crate::manifest::{self, Manifest, fields_path};
use crate::segment::Segment;
use crate::systems::HOLE;
use crate::writer::open_segments;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::{ReloadPolicy, Searcher};
use tridex_rules::{Move, RuleSystem, Setup};

/// One or several indices, open for questions.
///
/// It shows them as they were when it was opened, whatever writers do meanwhile; open again to see what is new.
pub struct GameIndex {
    pub(crate) parts: Vec<Part>,
}

/// One of the indices.
pub(crate) struct Part {
    pub(crate) root: PathBuf,
    pub(crate) manifest: Manifest,
    pub(crate) segments: Vec<Arc<Segment>>,
    pub(crate) fields: Fields,
    pub(crate) searcher: Searcher,
    /// The games that were not deleted.
    pub(crate) alive: GameSet,
    /// Whether positions of variations are found.
    pub(crate) variations: bool,
}

/// A game of an index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameId {
    /// Which of the indices that are open together.
    pub index: u32,
    /// Its number there; another after the game has changed.
    pub game: u32,
}

/// A game taken out of an index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndexedGame {
    /// What it is known by, wherever it is; written as 16 hexadecimal digits.
    pub id: u64,
    /// Where it is from.
    pub source: String,
    /// The name of its opening, if it has one.
    pub opening: Option<String>,
    /// The game.
    pub entry: GameEntry,
}

impl IndexedGame {
    /// The moves that lead to the place after `ply` plies in a line: the main line, or one of the variations.
    #[must_use]
    pub fn line_to(&self, variation: Option<u32>, ply: u32) -> Option<Vec<Move>> {
        prefix(&self.entry.moves, &self.entry.variations, variation, ply)
    }
}

/// What a list of hits shows of a game: cheaper than [`IndexedGame`], for it reads no moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSummary {
    /// What the game is known by.
    pub id: u64,
    /// Where it is from.
    pub source: String,
    /// Its number there, from 1.
    pub number: u32,
    /// The rules it was played under.
    pub rules: RuleSystem,
    /// How many plies it has.
    pub plies: u32,
    /// The result.
    pub result: GameResult,
    /// The name of its opening, if it has one.
    pub opening: Option<String>,
    /// Its tags.
    pub tags: Vec<(String, String)>,
}

impl GameSummary {
    /// The value of a tag, by its name without regard to case; `None` also for `?`.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        find_tag(&self.tags, name)
    }
}

impl GameIndex {
    /// Opens an index.
    ///
    /// # Errors
    /// If there is none, it is of another version, or it is damaged so that it shows.
    pub fn open(root: &Path) -> Result<Self, IndexError> {
        Self::open_all(&[root])
    }

    /// Opens several indices to be searched as one.
    ///
    /// # Errors
    /// As [`GameIndex::open`], for the first that fails.
    pub fn open_all(roots: &[&Path]) -> Result<Self, IndexError> {
        let parts = roots
            .iter()
            .map(|root| Part::open(root))
            .collect::<Result<_, _>>()?;
        Ok(Self { parts })
    }

    /// Whether positions of variations are found too, in every one of the indices.
    #[must_use]
    pub fn has_variations(&self) -> bool {
        self.parts.iter().all(|part| part.variations)
    }

    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.parts.iter().map(|part| part.alive.count()).sum()
    }

    /// How many positions there are to be found. Where variations are in the index, those of the variations of games
    /// deleted since the last merge are counted too.
    #[must_use]
    pub fn positions(&self) -> u64 {
        let entries = self
            .parts
            .iter()
            .flat_map(|part| part.manifest.segments.iter().zip(&part.segments));
        entries
            .map(|(entry, segment)| segment.positions_left(entry))
            .sum()
    }

    /// How many bytes each part of the indices takes, by name.
    #[must_use]
    pub fn sizes(&self) -> Vec<(&'static str, u64)> {
        let mut sizes: Vec<(&'static str, u64)> = Vec::new();
        let mut add = |name, bytes| match sizes.iter_mut().find(|(n, _)| *n == name) {
            Some((_, sum)) => *sum += bytes,
            None => sizes.push((name, bytes)),
        };
        for part in &self.parts {
            for (name, bytes) in part.segments.iter().flat_map(|segment| segment.sizes()) {
                add(name, bytes);
            }
            if let Ok(usage) = part.searcher.space_usage() {
                add("texts", usage.total().get_bytes());
            }
        }
        sizes
    }

    /// All games in their order.
    pub fn ids(&self) -> impl Iterator<Item = GameId> + '_ {
        (0..)
            .zip(&self.parts)
            .flat_map(|(index, part)| part.alive.iter().map(move |game| GameId { index, game }))
    }

    /// What a list shows of a game.
    ///
    /// # Errors
    /// If there is no such game, or it is damaged.
    pub fn summary(&self, id: GameId) -> Result<GameSummary, IndexError> {
        let (part, segment, game) = self.locate(id)?;
        let record = part.record(id.game)?;
        let (source, number) = segment.place(game).ok_or_else(|| gone(part))?;
        let bytes = segment.game(game);
        Ok(GameSummary {
            id: segment.content(game),
            source: source.to_owned(),
            number,
            rules: bytes.rules().ok_or_else(|| gone(part))?,
            plies: bytes.plies,
            result: segment.result(game),
            opening: Some(record.opening).filter(|name| !name.is_empty()),
            tags: record.tags,
        })
    }

    /// A game with everything the index keeps of it.
    ///
    /// # Errors
    /// If there is no such game, or it is damaged.
    pub fn game(&self, id: GameId) -> Result<IndexedGame, IndexError> {
        let (part, segment, game) = self.locate(id)?;
        let record = part.record(id.game)?;
        let (source, number) = segment.place(game).ok_or_else(|| gone(part))?;
        let bytes = segment.game(game);
        let unreadable = || damaged(&segment.path, "a game cannot be read");
        let (start, moves, variations) = lines(&bytes).ok_or_else(unreadable)?;
        Ok(IndexedGame {
            id: segment.content(game),
            source: source.to_owned(),
            opening: Some(record.opening).filter(|name| !name.is_empty()),
            entry: GameEntry {
                number,
                rules: bytes.rules().ok_or_else(unreadable)?,
                start,
                tags: record.tags,
                moves,
                variations,
                comments: record.comments,
                result: segment.result(game),
            },
        })
    }

    /// Where a game is from.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn source(&self, id: GameId) -> Result<String, IndexError> {
        let (part, segment, game) = self.locate(id)?;
        let (source, _) = segment.place(game).ok_or_else(|| gone(part))?;
        Ok(source.to_owned())
    }

    fn locate(&self, id: GameId) -> Result<(&Part, &Segment, u32), IndexError> {
        let part = self
            .parts
            .get(id.index as usize)
            .ok_or_else(|| IndexError::NotAnIndex(PathBuf::new()))?;
        let segment = part.segment_of(id.game).ok_or_else(|| gone(part))?;
        Ok((part, segment, id.game - segment.base))
    }
}

fn gone(part: &Part) -> IndexError {
    damaged(&part.root, "there is no such game")
}

type Lines = (Option<Setup>, Vec<Move>, Vec<Variation>);

fn lines(bytes: &GameBytes<'_>) -> Option<Lines> {
    Some((bytes.setup(), bytes.moves()?, bytes.variations()?))
}

impl Part {
    fn open(root: &Path) -> Result<Self, IndexError> {
        let variations =
            manifest::describe(root)?.ok_or_else(|| IndexError::NotAnIndex(root.to_owned()))?;
        let (index, fields) = fields::open(&fields_path(root))?;
        // A writer may commit, and sweep away what it replaced, while the files are opened one after the other.
        let mut tries = 0;
        loop {
            tries += 1;
            let payload = index.load_metas()?.payload;
            let opened = Manifest::of_payload(root, payload.as_deref()).and_then(|manifest| {
                let segments = open_segments(root, &manifest)?;
                let searcher = guarded(root, || {
                    let reader = index
                        .reader_builder()
                        .reload_policy(ReloadPolicy::Manual)
                        .try_into()?;
                    Ok(reader.searcher())
                })?;
                Ok((manifest, segments, searcher))
            });
            let settled = index.load_metas()?.payload == payload;
            match opened {
                Ok((manifest, segments, searcher)) if settled => {
                    let alive = alive(&manifest, &segments);
                    return Ok(Self {
                        root: root.to_owned(),
                        manifest,
                        segments,
                        fields,
                        searcher,
                        alive,
                        variations,
                    });
                }
                Err(error) if settled || tries > 20 => return Err(error),
                _ if tries > 20 => return Err(IndexError::Locked(root.to_owned())),
                _ => {}
            }
        }
    }

    /// The segment of a game, if there is one.
    pub(crate) fn segment_of(&self, game: u32) -> Option<&Segment> {
        let after = self.segments.partition_point(|s| s.base <= game);
        let segment = self.segments.get(after.checked_sub(1)?)?;
        (game - segment.base < segment.games).then_some(segment)
    }

    pub(crate) fn record(&self, game: u32) -> Result<fields::Record, IndexError> {
        self.fields
            .record(&self.searcher, game, &self.root)?
            .ok_or_else(|| gone(self))
    }

    /// A bound of the numbers of games.
    pub(crate) fn bound(&self) -> u32 {
        self.manifest.next_game
    }
}

fn alive(manifest: &Manifest, segments: &[Arc<Segment>]) -> GameSet {
    let mut alive = GameSet::empty(manifest.next_game);
    for (entry, segment) in manifest.segments.iter().zip(segments) {
        let whole = entry.deleted.is_empty() && segment.holes() == 0;
        for game in 0..segment.games {
            if whole || (!entry.is_deleted(game) && segment.code(game) != HOLE) {
                alive.insert(segment.base + game);
            }
        }
    }
    alive
}
