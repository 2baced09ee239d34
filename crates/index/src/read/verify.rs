//! Checks a whole index for damage.

use crate::error::{At, IndexError, Result};
use crate::model::board_trail::boards;
use crate::storage::columns::Column;
use crate::storage::file_names::{CHECKSUMS, KEYS, MANAGED, META, MOVES, is_segment};
use crate::storage::folder::Folder;
use crate::storage::own_checksum::without_checksum;
use crate::storage::position_lists::builder;
use crate::storage::prepare::Preparer;
use crate::storage::segment::Segment;
use crate::storage::snapshot::Snapshot;
use crate::storage::store::Store;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashSet};
use std::error::Error;
use std::path::{Path, PathBuf};
use tantivy::directory::OwnedBytes;
use tantivy::directory::footer::Footer;
use tantivy::index::SegmentComponent;
use tantivy::{Directory, HasLen};
use tridex_rules::Move;

/// The result of checking an index.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Verification {
    /// The number of games that were replayed.
    pub games: u64,
    /// The damage found: the file or folder, and what is wrong.
    pub faults: Vec<(PathBuf, String)>,
}

impl Verification {
    fn tell(&mut self, path: &Path, what: impl Into<String>) {
        self.faults.push((path.to_owned(), what.into()));
    }

    /// Unwraps a result, and reports its error as a fault.
    fn read<T>(&mut self, read: Result<T>, path: &Path) -> Option<T> {
        match read {
            Ok(read) => return Some(read),
            Err(IndexError::Damaged { path, what }) => self.faults.push((path, what)),
            Err(other) => self.tell(path, other.to_string()),
        }
        None
    }
}

/// The greatest number of faults in games that are reported; more would add nothing.
const ENOUGH: usize = 100;

/// Checks an index: it compares the checksums of all files, replays every game and checks the legality of every move,
/// computes the columns and packed moves of every game and the lists of positions again and compares them, and checks
/// the numbers of the games. `progress` is called with the number of games done.
///
/// If a checksum does not match, nothing else is checked.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # tridex_index::example::write(folder.path())?;
/// let report = tridex_index::verify(folder.path(), |_games| {})?;
/// assert!(!format!("{report:?}").is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if there is no index, if it has another version, or if the system reports an error. Damage is not
/// an error but part of the result.
pub fn verify(root: &Path, progress: impl Fn(u64) + Sync) -> Result<Verification> {
    let mut report = Verification::default();
    let mut look = || {
        // This does not read the list of files, which only writers need. `verify_managed` checks it.
        let store = Store::read(root)?;
        verify_files(&store, &mut report)?;
        if report.faults.is_empty() {
            let snapshot = Snapshot::of(store)?;
            report.faults.extend(snapshot.damage());
            if report.faults.is_empty() {
                snapshot.verify(&progress, &mut report);
            }
        }
        Ok(())
    };
    match look() {
        damage @ Err(IndexError::Damaged { .. }) => report.read(damage, root),
        looked => Some(looked?),
    };
    Ok(report)
}

/// Compares the checksums of all files before anything in them is used.
fn verify_files(store: &Store, report: &mut Verification) -> Result<()> {
    let root = &store.root;
    let metas = store.index.load_metas().at(root)?;
    let mut living: BTreeSet<String> = [META.to_owned()].into();
    for meta in &metas.segments {
        let id = meta.id().uuid_string();
        let sums = store.folder.checksums(&id).at(root);
        let Some(sums) = report.read(sums, root) else {
            continue;
        };
        for kind in sums.kinds() {
            match report.read(store.folder.file(&id, kind).at(root), root) {
                Some(file) if file.is_whole() => {
                    living.insert(file.name.to_string_lossy().into_owned());
                }
                Some(file) => report.tell(&root.join(&file.name), "a checksum does not fit"),
                None => {}
            }
        }
        let written = store.folder.kinds(&id).at(root)?.into_iter();
        for kind in written.filter(|kind| sums.kinds().all(|known| known != kind)) {
            report.tell(&root.join(format!("{id}.{kind}")), "it has no checksums");
        }
        // The checksums do not cover two files: their own, and that of deleted games. The release of tantivy that wrote
        // the other files also wrote the checksums; another release may have deleted games later.
        let kind = sums.kinds().next().map(|kind| format!("{id}.{kind}"));
        let release = kind.and_then(|name| Some(footer(store, Path::new(&name)).ok()?.0.version));
        let mut rest = vec![(PathBuf::from(format!("{id}.{CHECKSUMS}")), release)];
        if meta.has_deletes() {
            rest.push((meta.relative_path(SegmentComponent::Delete), None));
        }
        for (name, release) in rest {
            living.insert(name.to_string_lossy().into_owned());
            if let Err(what) = verify_whole(store, &name, release) {
                report.tell(&root.join(name), what.to_string());
            }
        }
    }
    verify_managed(&store.folder, &living, report);
    Ok(())
}

/// The footer that tantivy puts at the end of a file, and the bytes from there on.
fn footer(store: &Store, name: &Path) -> Result<(Footer, OwnedBytes), Box<dyn Error>> {
    let file = store.folder.open_read(name)?;
    let (footer, body) = Footer::extract_footer(file.clone())?;
    Ok((footer, file.read_bytes_slice(body.len()..file.len())?))
}

/// Checks a file that has only tantivy's own checksum: whether the checksum matches, and whether the footer is as
/// tantivy writes it, in the given release or, if none is given, in any release that this program can read.
fn verify_whole(
    store: &Store,
    name: &Path,
    release: Option<tantivy::Version>,
) -> Result<(), Box<dyn Error>> {
    if !store.index.directory().validate_checksum(name)? {
        return Err("a checksum does not fit".into());
    }
    let (footer, end) = footer(store, name)?;
    let is_known =
        footer.is_compatible().is_ok() && release.is_none_or(|release| footer.version == release);
    match is_known && end.starts_with(&serde_json::to_vec(&footer)?) {
        true => Ok(()),
        false => Err("the end of the file is not what is written there".into()),
    }
}

/// Checks the list of files that tantivy has created. A file in use that is missing from the list would never be
/// removed.
fn verify_managed(folder: &Folder, living: &BTreeSet<String>, report: &mut Verification) {
    let path = folder.path.join(MANAGED);
    let list = match std::fs::read(&path) {
        Ok(bytes) => without_checksum(Path::new(MANAGED), &bytes),
        Err(error) => return report.tell(&path, error.to_string()),
    };
    let list: Option<HashSet<String>> = list.and_then(|list| serde_json::from_slice(&list).ok());
    let Some(list) = list else {
        return report.tell(&path, "a checksum does not fit");
    };
    if let Some(missing) = living.iter().find(|name| !list.contains(*name)) {
        report.tell(&path, format!("{missing} is not in it"));
    }
    let is_ours = |name: &String| name == META || name.split('.').next().is_some_and(is_segment);
    if let Some(strange) = list.iter().find(|name| !is_ours(name)) {
        report.tell(&path, format!("{strange:?} is in it"));
    }
}

impl Snapshot {
    fn verify(&self, progress: &(impl Fn(u64) + Sync), report: &mut Verification) {
        let mut next = 0;
        for segment in &self.segments {
            let numbers = self.verify_numbers(segment, &mut next);
            report.read(numbers, &self.store.root);
            report.read(self.verify_lists(segment), &self.store.root);
            let alive: Vec<u32> = segment.alive.iter().collect();
            for games in alive.chunks(4_096) {
                let faults: Vec<String> = games
                    .par_iter()
                    .filter_map(|doc| {
                        let fault = self.verify_game(segment, *doc).err()?;
                        Some(format!("game {doc} of the segment: {fault}"))
                    })
                    .collect();
                for fault in faults {
                    if report.faults.len() < ENOUGH {
                        report.tell(&segment.path(MOVES), fault);
                    }
                }
                report.games += games.len() as u64;
                progress(report.games);
            }
        }
    }

    /// Checks that the numbers of games increase, across segments too, and are smaller than the next number.
    fn verify_numbers(&self, segment: &Segment, next: &mut u32) -> Result<()> {
        for doc in 0..segment.games() {
            let number = segment.number(doc)?;
            if number < *next || number >= self.state.next_game {
                return Err(segment.fault("fast", "the numbers of the games do not rise"));
            }
            *next = number + 1;
        }
        Ok(())
    }

    fn verify_game(&self, segment: &Segment, doc: u32) -> Result<(), Box<dyn Error>> {
        let game = self.game(segment, doc)?;
        let entry = &game.entry;
        let start = entry.start_position()?;
        let mut position = start.clone();
        for (ply, m) in (1..).zip(&entry.moves) {
            let played = position.play(*m);
            played.map_err(|_| format!("the move of ply {ply} may not be played"))?;
        }
        for variation in &entry.variations {
            let before = game.line_to(variation.parent, variation.ply);
            let before = before.ok_or("a variation leaves a line that is not there")?;
            let mut position = start.clone();
            for m in before.iter().chain(&variation.moves) {
                if *m == Move::Pass && position.can_pass() {
                    position.play_unchecked(*m);
                    continue;
                }
                let played = position.play(*m);
                played.map_err(|_| "a move of a variation may not be played")?;
            }
        }
        let preparer = Preparer {
            variations: self.store.identity.variations,
            book: None,
        };
        let mut again = preparer.prepare(entry)?.doc;
        let row = segment.row(doc)?;
        // The number in the index does not follow from the moves.
        again.row.set(Column::Game, *row.get(Column::Game));
        let kept = segment.moves.get(doc);
        match again.row == row && kept == Some(again.game.as_slice()) {
            true => Ok(()),
            false => Err("what is stored of it does not fit its moves".into()),
        }
    }

    /// Checks that the lists of positions are those that follow from the games.
    fn verify_lists(&self, segment: &Segment) -> Result<()> {
        // The lists include deleted games.
        let variations = self.store.identity.variations;
        let replayed = |doc| {
            let mut keys = Vec::new();
            boards(&segment.game(doc)?, variations, |key| keys.push(key))?;
            Some((keys, ()))
        };
        let gathered = builder::gather(segment.games(), replayed);
        match gathered.and_then(|(keys, _)| builder::build(keys)) {
            Some(lists) if segment.lists.are(&lists.bytes) => Ok(()),
            Some(_) => Err(segment.fault(KEYS, "the lists of positions do not fit the games")),
            None => Err(segment.fault(KEYS, "a game cannot be read")),
        }
    }
}
