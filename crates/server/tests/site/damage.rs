//! A damaged index: nothing that lacks something looks whole.

use crate::port::Served;
use crate::support::{Answer, add, add_all, entries, patient};
use bytes::Bytes;
use hyper::Response;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tridex_rules::random::Dice;
use tridex_server::Site;

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

/// Those of them that are about one game or position, or about the site.
const LACKING_NOTHING: [&str; 4] = [
    "/health",
    "/setup?rules=meder",
    "/game/more.pgn:12?ply=5",
    "/api/v1/games/games.pgn:5",
];

const NOTE: &str = "Files of the index are damaged: games may be missing here.";

/// One answer of a new site; nothing if the index cannot be opened, or the answer is broken off.
fn ask(folder: &Path, address: &str) -> Option<Response<Bytes>> {
    let site = Site::open(&[folder], patient()).ok()?;
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
            // Every answer with the status of an error has its message.
            assert_eq!(
                noted["error"].is_string(),
                answer.code() != 200,
                "{address}"
            );
            noted["damaged"] == true && note.starts_with(NOTE)
        }
        // A position lacks nothing, and a file has no place for a note.
        _ => header.is_some(),
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
                let place = format!("{address}, {} byte {at}", path.display());
                assert!(is_noted(address, &answer), "{place}: {}", answer.text());
                *noted.entry(address).or_default() += 1;
                // What may lack games is no success.
                let is_about_one = LACKING_NOTHING.contains(address);
                assert!(answer.code() != 200 || is_about_one, "{place}");
                refused += u32::from(answer.code() != 200);
            }
        }
        std::fs::write(&path, &bytes).unwrap();
    }
    assert!(refused > 0);
    // Every one of them has met damage and answered.
    assert!(noted.len() > ADDRESSES.len() - 4, "{noted:?}");
}

#[test]
fn a_download_in_which_damage_is_met_is_broken_off_and_the_next_is_an_error() {
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
        let site = Site::open(&[folder.path()], patient()).unwrap();
        let address = format!("/download/games.{form}");
        assert!(site.answer(&address).is_err(), "{form}");
        let again = site.answer(&address).unwrap();
        assert!(again.code() == 500 && is_noted(&address, &again), "{form}");
        // The end of the connection is the end of the answer of HTTP/1.0, so that its damage is met before.
        let site = Site::open(&[folder.path()], patient()).unwrap();
        let old = format!("GET {address} HTTP/1.0\r\nHost: localhost\r\n\r\n");
        let old = Served::new(&site).sent(old.as_bytes());
        assert!(old.starts_with("HTTP/1.0 500 "), "{form}: {old}");
        // A game that is there but cannot be read is not one that there is not.
        let game = site.answer("/api/v1/games/0.pgn:1").unwrap();
        assert_eq!(game.code(), 500);
        assert!(is_noted("a game", &game), "{}", game.text());
    }
}

/// One byte of a file that is read before the first byte is sent.
#[test]
fn no_download_succeeds_without_the_games_of_a_damaged_file() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let games = entries(7, 40);
    add_all(root, ["games.pgn".to_owned()], &games);
    let columns = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "fast");
    let columns = files(root).into_iter().find(columns).unwrap();
    let mut bytes = std::fs::read(&columns).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&columns, bytes).unwrap();
    for address in ADDRESSES {
        let site = Site::open(&[root], patient()).unwrap();
        // Damage that is met by the request itself, and damage that is known before.
        for time in ["first", "second"] {
            let answer = site.answer(address).unwrap();
            assert!(is_noted(address, &answer), "{time}: {address}");
            let is_error = answer.code() == 500;
            let is_about_no_game = ["/health", "/setup?rules=meder"].contains(&address);
            assert!(is_error != is_about_no_game, "{time}: {address}");
            if address.starts_with("/download/") {
                assert!(answer.text().contains("may lack games"), "{address}");
                assert_eq!(answer.header("content-disposition"), None, "{address}");
            }
        }
    }
}

/// Games that cannot be written in a notation are no reason for a file without them.
#[test]
fn a_notation_of_another_board_is_refused_before_the_first_byte() {
    let folder = tempfile::tempdir().unwrap();
    add(folder.path(), "games.pgn", &entries(7, 10));
    let site = Site::open(&[folder.path()], patient()).unwrap();
    for form in ["pgn", "ndjson"] {
        let answer = site
            .answer(&format!("/download/games.{form}?to=manual"))
            .unwrap();
        assert_eq!(answer.code(), 400, "{form}");
        let text = answer.text();
        assert!(text.contains("4 games of the 10 cannot"), "{text}");
        let address = format!("/download/games.{form}?to=manual&rules=meder");
        let answer = site.answer(&address).unwrap();
        assert_eq!(answer.code(), 200, "{form}");
        let games = answer.text().matches("meder").count();
        assert!(games >= 2, "{form}: {}", answer.text());
    }
}

/// A newer commit that cannot be read: the answers are those of the one before, and lack its games.
#[test]
fn an_index_that_cannot_be_opened_again_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    add(root, "games.pgn", &entries(7, 10));
    let site = Site::open(&[root], patient()).unwrap();
    let commit = root.join("meta.json");
    let right = std::fs::read(&commit).unwrap();
    let mut wrong = right.clone();
    wrong[40] ^= 1;
    wrong.push(b' ');
    let until = |code: u16| {
        let codes = std::iter::repeat_with(|| site.answer("/download/games.pgn").unwrap().code());
        codes.take(100_000).any(|found| found == code)
    };
    assert!(until(200));
    std::fs::write(&commit, &wrong).unwrap();
    assert!(until(500));
    // A game that is there lacks nothing.
    let game = site.answer("/api/v1/games/games.pgn:1").unwrap();
    assert!(game.code() == 200 && is_noted("a game", &game));
    std::fs::write(&commit, &right).unwrap();
    assert!(until(200));
}
