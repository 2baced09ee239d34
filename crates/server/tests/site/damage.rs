//! A damaged index: nothing that lacks something looks whole.

use crate::support::{Answer, add_all, entries};
use bytes::Bytes;
use hyper::Response;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tridex_rules::random::Dice;
use tridex_server::{Site, SiteOptions};

/// One of every kind of answer that is made from the index.
const ADDRESSES: [&str; 21] = [
    "/",
    "/health",
    "/search",
    "/search?player=kirk&sort=white&limit=1000",
    "/search?pattern=check",
    "/search?game=games.pgn:3&ply=4",
    "/setup?rules=meder",
    "/game/more.pgn:12?ply=5",
    "/openings?rules=meder",
    "/openings?rules=meder&moves=b4N&player=kirk&boards=1",
    "/statistics",
    "/statistics?rules=chess3&player=kirk",
    "/api/v1/search?limit=1000",
    "/api/v1/search?material=Q:Q&date=2001..2009&sort=date&limit=20&offset=5",
    "/api/v1/openings?rules=meder&boards=1&layouts=1",
    "/api/v1/openings?rules=federation&player=kirk",
    "/api/v1/games/games.pgn:5",
    "/download/games.pgn",
    "/download/games.ndjson?event=evening",
    "/download/games.csv",
    "/download/openings.csv?rules=meder",
];

const NOTE: &str = "Files of the index are damaged: games may be missing here.";

/// One answer of a new site; nothing if the index cannot be opened, or the answer is broken off.
fn ask(folder: &Path, address: &str) -> Option<Response<Bytes>> {
    let site = Site::open(&[folder], SiteOptions::default()).ok()?;
    site.answer(address).ok()
}

/// Whether an answer shows to people and programs that it may lack something.
fn is_noted(address: &str, answer: &Response<Bytes>) -> bool {
    let header = answer.header("tridex-damaged");
    let is_in_body = match answer.header("content-type").unwrap_or_default() {
        kind if kind.starts_with("text/html") => {
            answer.text().contains(&format!("role=\"alert\">{NOTE}"))
        }
        "application/json" => {
            let noted: serde_json::Value = serde_json::from_slice(answer.body()).unwrap();
            let note = noted["note"].as_str().unwrap_or_default();
            noted["damaged"] == true && note.starts_with(NOTE)
        }
        // A position lacks nothing.
        "image/svg+xml" => header.is_some(),
        _ => {
            let name = answer.header("content-disposition").unwrap_or_default();
            name.contains("filename=\"partial-")
        }
    };
    let is_in_header = header.is_some_and(|header| header.starts_with(NOTE));
    assert_eq!(is_in_body, is_in_header, "{address}: {header:?}");
    is_in_header
}

/// The files of an index, by kind.
fn files(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.retain(|path| path.extension().is_none_or(|kind| kind != "lock"));
    files.sort_by_key(|path| path.extension().map(ToOwned::to_owned));
    files
}

#[test]
fn no_flipped_bit_leaves_an_answer_that_looks_whole_and_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let games = entries(7, 150);
    // Files of several blocks: what is in others than the first is only read when it is needed.
    let sources = ["games.pgn", "more.pgn", "x.pgn", "y.pgn", "z.pgn"];
    add_all(root, sources.map(str::to_owned), &games);
    let right = ADDRESSES.map(|address| {
        let answer = ask(root, address).unwrap();
        assert_eq!(answer.code(), 200, "{address}: {}", answer.text());
        assert!(!is_noted(address, &answer), "{address}");
        answer
    });
    let mut dice = Dice::new(23);
    let mut noted: BTreeMap<&str, u32> = BTreeMap::new();
    let mut refused = 0;
    for path in files(root) {
        let bytes = std::fs::read(&path).unwrap();
        for _ in 0..5 {
            let mut turned = bytes.clone();
            let at = dice.below(turned.len() as u32) as usize;
            turned[at] ^= 1 << dice.below(8);
            std::fs::write(&path, &turned).unwrap();
            for (address, right) in ADDRESSES.iter().zip(&right) {
                let Some(answer) = ask(root, address) else {
                    refused += 1;
                    continue;
                };
                let parts =
                    |of: &Response<Bytes>| (of.status(), of.headers().clone(), of.body().clone());
                if parts(&answer) == parts(right) {
                    continue;
                }
                if answer.code() != 200 {
                    refused += 1;
                    continue;
                }
                let place = format!("{address}, {} byte {at}", path.display());
                assert!(is_noted(address, &answer), "{place}: {}", answer.text());
                *noted.entry(address).or_default() += 1;
            }
        }
        std::fs::write(&path, &bytes).unwrap();
    }
    assert!(refused > 0);
    // Every one of them has met damage and answered.
    assert!(noted.len() > ADDRESSES.len() - 4, "{noted:?}");
}

#[test]
fn a_download_in_which_damage_is_met_is_broken_off_and_the_next_says_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let games = entries(7, 150);
    let sources = (0..20).map(|i| format!("{i}.pgn"));
    add_all(folder.path(), sources, &games);
    let mut paths = files(folder.path()).into_iter();
    let records = paths.find(|path| path.extension().is_some_and(|kind| kind == "store"));
    let records = records.unwrap();
    let mut bytes = std::fs::read(&records).unwrap();
    // In the first block: the first games can be found, and not be read.
    bytes[100] ^= 1;
    std::fs::write(&records, bytes).unwrap();
    for form in ["pgn", "ndjson", "csv"] {
        let site = Site::open(&[folder.path()], SiteOptions::default()).unwrap();
        let address = format!("/download/games.{form}");
        assert!(site.answer(&address).is_err(), "{form}");
        let again = site.answer(&address).unwrap();
        assert!(again.code() == 200 && is_noted(&address, &again), "{form}");
        assert!(!again.body().is_empty(), "{form}");
        // A game that is there but cannot be read is not one that there is not.
        let game = site.answer("/api/v1/games/0.pgn:1").unwrap();
        assert_eq!(game.code(), 500);
        assert!(is_noted("a game", &game), "{}", game.text());
    }
}
