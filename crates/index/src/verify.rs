//! Looking an index through for damage.

use crate::error::IndexError;
use crate::fields;
use crate::game_set::GameSet;
use crate::manifest::{self, Manifest, fields_path};
use crate::postings;
use crate::prepare::Preparer;
use crate::reader::{GameId, GameIndex, Part};
use crate::segment::Segment;
use crate::systems::HOLE;
use crate::writer::{open_segments, position_keys};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// What looking an index through has found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Verification {
    /// How many games were replayed.
    pub games: u64,
    /// What is damaged: the file or folder, and what does not fit.
    pub faults: Vec<(PathBuf, String)>,
}

impl Verification {
    fn tell(&mut self, path: &Path, what: impl Into<String>) {
        self.faults.push((path.to_owned(), what.into()));
    }

    fn note(&mut self, error: IndexError, path: &Path) {
        match error {
            IndexError::Damaged { path, what } => self.faults.push((path, what)),
            other => self.tell(path, other.to_string()),
        }
    }
}

/// How many faults are told; more of them tell nothing new.
const ENOUGH: usize = 100;

/// Looks an index through: checksums of all files; every game replayed with every move checked, and everything the
/// index has of it made anew and compared; every list of positions made anew and compared; every game in the searchable
/// texts once. `progress` is told how many games are done.
///
/// Where checksums do not fit, nothing else is looked at.
///
/// # Errors
/// If there is no index, it is of another version, or the system refuses; damage is no error here but the answer.
pub fn verify(root: &Path, progress: impl Fn(u64) + Sync) -> Result<Verification, IndexError> {
    let mut report = Verification::default();
    match verify_files(root, &mut report).and_then(|()| GameIndex::open(root)) {
        Ok(index) if report.faults.is_empty() => index.verify(progress),
        Ok(_) | Err(IndexError::Damaged { .. } | IndexError::Fields(_))
            if !report.faults.is_empty() =>
        {
            Ok(report)
        }
        Err(error @ (IndexError::Damaged { .. } | IndexError::Fields(_))) => {
            report.note(error, root);
            Ok(report)
        }
        Err(error) => Err(error),
        Ok(_) => Ok(report),
    }
}

/// Compares the checksums of all files, without believing any of them.
fn verify_files(root: &Path, report: &mut Verification) -> Result<(), IndexError> {
    if manifest::describe(root)?.is_none() {
        return Err(IndexError::NotAnIndex(root.to_owned()));
    }
    let folder = fields_path(root);
    let (index, _) = fields::open(&folder)?;
    for file in index.validate_checksum()? {
        report.tell(&folder.join(file), "a checksum does not fit");
    }
    let manifest = Manifest::of_payload(root, index.load_metas()?.payload.as_deref())?;
    for segment in open_segments(root, &manifest)? {
        if let Err(error) = segment.verify() {
            report.note(error, &segment.path);
        }
    }
    Ok(())
}

impl GameIndex {
    fn verify(&self, progress: impl Fn(u64) + Sync) -> Result<Verification, IndexError> {
        let mut report = Verification::default();
        for (index, part) in (0..).zip(&self.parts) {
            part.verify_texts(&mut report);
            for (entry, segment) in part.manifest.segments.iter().zip(&part.segments) {
                part.verify_lists(segment, &mut report);
                let alive: Vec<u32> = (0..segment.games)
                    .filter(|game| !entry.is_deleted(*game) && segment.code(*game) != HOLE)
                    .collect();
                for games in alive.chunks(4_096) {
                    let faults: Vec<String> = games
                        .par_iter()
                        .filter_map(|game| {
                            let game = segment.base + game;
                            let fault = self.verify_game(part, GameId { index, game }).err()?;
                            Some(format!("game {game}: {fault}"))
                        })
                        .collect();
                    for fault in faults {
                        if report.faults.len() < ENOUGH {
                            report.tell(&segment.path, fault);
                        }
                    }
                    report.games += games.len() as u64;
                    progress(report.games);
                }
            }
        }
        Ok(report)
    }

    fn verify_game(&self, part: &Part, id: GameId) -> Result<(), String> {
        let segment = part.segment_of(id.game).ok_or("it is nowhere")?;
        let ordinal = id.game - segment.base;
        let game = self.game(id).map_err(|error| error.to_string())?;
        let entry = &game.entry;
        let start = entry.start_position().map_err(|fault| fault.to_string())?;
        let mut position = start.clone();
        for (ply, m) in (1..).zip(&entry.moves) {
            position
                .play(*m)
                .map_err(|_| format!("the move of ply {ply} may not be played"))?;
        }
        for variation in &entry.variations {
            let before = game.line_to(variation.parent, variation.ply);
            let before = before.ok_or("a variation leaves a line that is not there")?;
            let mut position = start.clone();
            for m in before.iter().chain(&variation.moves) {
                position
                    .play(*m)
                    .map_err(|_| "a move of a variation may not be played")?;
            }
        }
        let preparer = Preparer {
            fields: part.fields,
            variations: part.variations,
            book: None,
        };
        let again = preparer
            .prepare(entry)
            .map_err(|rejection| rejection.to_string())?;
        if again.row != segment.row(ordinal) || again.game != segment.game(ordinal).bytes {
            return Err("what is kept of it does not fit its moves".to_owned());
        }
        Ok(())
    }
}

impl Part {
    /// That the texts are of the games that are there.
    fn verify_texts(&self, report: &mut Verification) {
        let folder = fields_path(&self.root);
        match self.fields.all(&self.searcher, &self.root) {
            Ok(mut games) => {
                games.sort_unstable();
                let mut set = GameSet::empty(self.bound());
                games.iter().for_each(|game| set.insert(*game));
                if set.count() != games.len() as u64 {
                    report.tell(&folder, "a game is there more than once");
                }
                if set != self.alive {
                    report.tell(&folder, "the games are not those of the segments");
                }
            }
            Err(error) => report.note(error, &folder),
        }
    }

    /// The lists of positions, which are what the games make of them.
    fn verify_lists(&self, segment: &Segment, report: &mut Verification) {
        let keys: Vec<Option<Vec<u32>>> = (0..segment.games)
            .into_par_iter()
            .map(|game| match segment.code(game) {
                HOLE => Some(Vec::new()),
                _ => position_keys(&segment.game(game), self.variations),
            })
            .collect();
        let mut entries = Vec::new();
        for (game, keys) in (0..).zip(keys) {
            let Some(keys) = keys else {
                report.tell(
                    &segment.path,
                    format!("game {}: it cannot be read", segment.base + game),
                );
                return;
            };
            entries.extend(
                keys.into_iter()
                    .map(|key| postings::entry(u64::from(key) << 32, game)),
            );
        }
        if entries.len() as u64 != segment.positions {
            report.tell(&segment.path, "the number of positions does not fit");
        }
        let lists = postings::build(entries, segment.games);
        let kept = segment.lists();
        if lists.bits != kept.bits || lists.directory != kept.directory || lists.data != kept.data {
            report.tell(&segment.path, "the lists of positions do not fit the games");
        }
    }
}
