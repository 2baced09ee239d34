//! Running the program on an index, and the games of one that are known without it.

use crate::program::fed;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;
use tridex_archive::{Game, Limits, game, pgn};
use tridex_replay::{Options, Replay, replay};
use tridex_rules::Position;

pub(crate) const SYSTEMS: [&str; 5] = ["meder", "manual", "federation", "millennium", "chess3"];

pub(crate) const SAMPLE: &str = "corpus/games/meder/sample-game/clean.pgn";

pub(crate) fn tridex(folder: &Path, arguments: &[&str]) -> Output {
    fed(folder, arguments, b"")
}

pub(crate) fn complaint(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// What a command prints that ends well and has nothing to complain of.
#[track_caller]
pub(crate) fn good(folder: &Path, arguments: &[&str]) -> String {
    let output = tridex(folder, arguments);
    assert_eq!(complaint(&output), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

pub(crate) fn rows(text: &str) -> Vec<Value> {
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The counts `added, updated, unchanged, rejected, removed, games` of a run.
pub(crate) fn counts(output: &[u8]) -> [u64; 6] {
    let row: Value = serde_json::from_slice(output).unwrap();
    [
        "added",
        "updated",
        "unchanged",
        "rejected",
        "removed",
        "games",
    ]
    .map(|field| row[field].as_u64().unwrap())
}

/// Adds what the arguments name to the index `db` of a folder.
#[track_caller]
pub(crate) fn index(folder: &Path, arguments: &[&str]) -> [u64; 6] {
    let mut all = vec!["index", "--index", "db", "--format", "ndjson"];
    all.extend(arguments);
    counts(good(folder, &all).as_bytes())
}

/// The hits of a search in the index `db` of a folder.
#[track_caller]
pub(crate) fn search(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let mut all = vec!["search", "--index", "db", "--format", "ndjson"];
    all.extend(arguments);
    rows(&good(folder, &all))
}

/// A game by its file and number.
pub(crate) type Name = (String, u64);

pub(crate) fn names(hits: &[Value]) -> BTreeSet<Name> {
    let name = |hit: &Value| {
        let source = hit["source"].as_str().unwrap().to_owned();
        (source, hit["game"].as_u64().unwrap())
    };
    let names: BTreeSet<Name> = hits.iter().map(name).collect();
    assert_eq!(names.len(), hits.len(), "a game comes twice");
    names
}

/// A game as it is known without any index.
pub(crate) struct Known {
    pub(crate) name: Name,
    pub(crate) game: Game<'static>,
    tags: HashMap<String, String>,
    pub(crate) replay: Replay,
    positions: OnceLock<Vec<Position>>,
}

impl Known {
    pub(crate) fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("?", String::as_str)
    }

    /// All positions of the main line.
    pub(crate) fn positions(&self) -> &[Position] {
        self.positions.get_or_init(|| {
            let mut position = self.replay.start().clone();
            let mut all = vec![position.clone()];
            for played in self.replay.moves() {
                position.play_unchecked(*played);
                all.push(position.clone());
            }
            all
        })
    }

    /// First ply at which something holds.
    pub(crate) fn first(&self, holds: impl Fn(&Position, u32) -> bool) -> Option<u64> {
        let found = (0..).zip(self.positions()).find(|(ply, p)| holds(p, *ply));
        found.map(|(ply, _)| u64::from(ply))
    }
}

/// A folder with an index `db` of games of all systems, made once, and the games themselves.
pub(crate) struct Collection {
    pub(crate) folder: PathBuf,
    pub(crate) games: Vec<Known>,
}

pub(crate) fn collection() -> &'static Collection {
    static MADE: OnceLock<Collection> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = collection_folder();
        let mut games = Vec::new();
        for source in [
            "chess3.pgn",
            "federation.pgn",
            "manual.pgn",
            "meder.pgn",
            "millennium.pgn",
            "sample.pgn",
        ] {
            let bytes = fs::read(folder.join(source)).unwrap();
            let read =
                game::collect(|visitor| pgn::read_games(&bytes, 0, &Limits::default(), visitor));
            let owned = |(name, value): (Cow<'_, str>, Cow<'_, str>)| {
                (name.into_owned(), value.into_owned())
            };
            for (number, game) in (1..).zip(read) {
                // The first of a name counts.
                let tags = game.tags().rev();
                games.push(Known {
                    name: (source.to_owned(), number),
                    replay: replay(&game, &Options::default()),
                    tags: tags.map(owned).collect(),
                    game,
                    positions: OnceLock::new(),
                });
            }
        }
        Collection { folder, games }
    })
}

/// The folder of the collection, made once for each build of the program: also where every test has a process of its own.
fn collection_folder() -> PathBuf {
    let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("index-collection");
    let built = fs::metadata(env!("CARGO_BIN_EXE_tridex")).unwrap();
    let built = built.modified().unwrap().duration_since(UNIX_EPOCH);
    let folder = all.join(built.unwrap().as_nanos().to_string());
    if folder.exists() {
        return folder;
    }
    // Those of older builds.
    for old in fs::read_dir(&all).into_iter().flatten().flatten() {
        if !old.file_name().to_string_lossy().starts_with("new-") {
            let _ = fs::remove_dir_all(old.path());
        }
    }
    let new = all.join(format!("new-{}", std::process::id()));
    fs::create_dir_all(&new).unwrap();
    make_collection(&new);
    // Another process may have been quicker.
    if fs::rename(&new, &folder).is_err() {
        fs::remove_dir_all(&new).unwrap();
    }
    folder
}

fn make_collection(folder: &Path) {
    // One seed would give the games of all systems the same players.
    for (rules, seed) in SYSTEMS.into_iter().zip(["11", "12", "13", "14", "15"]) {
        let ask = format!(
            "generate --rules {rules} --games 60 --seed {seed} --annotated --output {rules}.pgn"
        );
        good(folder, &ask.split(' ').collect::<Vec<_>>());
    }
    fs::copy(SAMPLE, folder.join("sample.pgn")).unwrap();
    let files: Vec<String> = SYSTEMS.iter().map(|rules| format!("{rules}.pgn")).collect();
    let mut files: Vec<&str> = files.iter().map(String::as_str).collect();
    files.push("sample.pgn");
    assert_eq!(index(folder, &files), [301, 0, 0, 0, 0, 301]);
}
