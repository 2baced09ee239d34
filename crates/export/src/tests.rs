//! What is written is read back, by this crate's reader and by the rows alone.

use crate::columns::{flags, numbers, texts};
use crate::{Exporter, GAMES, GameRows, POSITIONS, Tables};
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::{self, File};
use std::path::Path;
use tridex_index::{GameEntry, GameResult, Preparer, read_moves};
use tridex_rules::{Position, RuleSystem};

fn entry(number: u32, rules: RuleSystem, moves: &str, result: &str) -> GameEntry {
    let mut entry = GameEntry::new(number, rules, read_moves(rules, moves).unwrap());
    entry.result = GameResult::from_name(result).unwrap();
    entry.tags.push(("White".into(), format!("Weiß {number}")));
    entry
        .tags
        .push(("Date".into(), format!("20{:02}.??.??", number % 30)));
    if number.is_multiple_of(2) {
        entry
            .tags
            .push(("WhiteElo".into(), format!("{}", 1500 + number)));
    }
    entry
}

/// A knight goes out and back, so that the start comes again and another move is played there.
const BACK: &str = "1. Nc3W Nc6B 2. Nd1W Nd8B 3. b4N b5B";

fn games() -> Vec<GameEntry> {
    let mut games = Vec::new();
    for number in 0..40 {
        let moves = match number % 4 {
            0 => "1. b4N b5B 2. c3W a6N",
            1 => "1. b4N b5B",
            2 => "1. c3W",
            _ => "1. b4N",
        };
        let result = ["1-0", "0-1", "1/2-1/2", "*"][(number as usize / 3) % 4];
        games.push(entry(number + 1, RuleSystem::Meder, moves, result));
    }
    games
}

fn export(folder: &Path, games: &[GameEntry], memory: usize) -> crate::Exported {
    let mut exporter = Exporter::sorting(folder, memory).unwrap();
    let preparer = Preparer::without_index(None);
    for game in games {
        let id = preparer.prepare(game).unwrap().id();
        let rows = GameRows::new(id, "a.pgn", None, game).unwrap();
        exporter.take(rows).unwrap();
    }
    exporter.finish().unwrap()
}

#[test]
fn positions_are_sorted_whatever_fits_into_memory() {
    let folder = tempfile::tempdir().unwrap();
    let games = games();
    let mut files = Vec::new();
    for (name, memory) in [("all", 10_000), ("some", 7)] {
        let to = folder.path().join(name);
        let done = export(&to, &games, memory);
        assert_eq!(
            (done.games, done.positions),
            (40, 40 + 4 * 10 + 2 * 10 + 2 * 10)
        );
        files.push(fs::read(to.join(POSITIONS)).unwrap());
        assert_eq!(files.last().unwrap().len() as u64, done.bytes[1]);
        // Nothing else is left in the folder.
        assert_eq!(fs::read_dir(&to).unwrap().count(), 2);
    }
    assert!(files[0] == files[1]);

    let file = File::open(folder.path().join("all").join(POSITIONS)).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let group = reader.get_row_group(0).unwrap();
    let rows = group.metadata().num_rows() as usize;
    let keys = numbers(&*group, 0, 0, rows).unwrap();
    assert!(keys.is_sorted());
    assert!(keys.iter().any(|key| key.unwrap() < 0), "keys are signed");
    let starts = keys
        .iter()
        .filter(|key| **key == Some(Position::start(RuleSystem::Meder).key() as i64));
    assert_eq!(starts.count(), 40);
    // Rows may be read from anywhere.
    assert_eq!(numbers(&*group, 0, 5, 9).unwrap(), keys[5..14]);
    let words = texts(&*group, 2, 0, rows).unwrap();
    assert_eq!(words.iter().filter(|word| word.is_none()).count(), 40);
    assert!(
        flags(&*group, 5, 0, rows)
            .unwrap()
            .iter()
            .all(|fresh| *fresh == Some(true))
    );
}

#[test]
fn games_have_their_tags() {
    let folder = tempfile::tempdir().unwrap();
    export(folder.path(), &games(), 1_000);
    let reader = SerializedFileReader::new(File::open(folder.path().join(GAMES)).unwrap()).unwrap();
    let names: Vec<String> = reader
        .metadata()
        .file_metadata()
        .schema_descr()
        .columns()
        .iter()
        .map(|column| column.path().string())
        .collect();
    let group = reader.get_row_group(0).unwrap();
    let text = |name: &str| {
        let column = names.iter().position(|n| n == name).unwrap();
        let value = texts(&*group, column, 0, 1).unwrap().remove(0);
        value.map(|value| value.as_utf8().unwrap().to_owned())
    };
    assert_eq!(text("source").as_deref(), Some("a.pgn"));
    assert_eq!(text("white").as_deref(), Some("Weiß 1"));
    assert_eq!(text("black"), None);
    assert_eq!(text("rules").as_deref(), Some("meder"));
    assert_eq!(text("moves").as_deref(), Some("b4N b5B c3W a6N"));
    assert_eq!(
        text("tags").as_deref(),
        Some(r#"[["White","Weiß 1"],["Date","2001.??.??"]]"#)
    );
    let number = |name: &str, row: usize| {
        let column = names.iter().position(|n| n == name).unwrap();
        numbers(&*group, column, row, 1).unwrap()[0]
    };
    assert_eq!(number("year", 0), Some(2001));
    assert_eq!(number("year", 29), Some(2000));
    assert_eq!(number("white_elo", 0), None);
    assert_eq!(number("white_elo", 1), Some(1502));
    assert_eq!(number("plies", 0), Some(4));
}

#[test]
fn a_game_that_comes_back_counts_once_and_once_for_each_move() {
    let folder = tempfile::tempdir().unwrap();
    let back = entry(1, RuleSystem::Meder, BACK, "1-0");
    let plain = entry(2, RuleSystem::Meder, "1. b4N", "0-1");
    export(folder.path(), &[back, plain], 3);
    let tables = Tables::open(folder.path()).unwrap();
    let start = Position::start(RuleSystem::Meder);
    let table = tables.openings(&start).unwrap();
    assert_eq!(
        (table.total.games, table.total.white, table.total.black),
        (2, 1, 1)
    );
    let games: Vec<u64> = table.moves.iter().map(|row| row.score.games).collect();
    assert_eq!(games, [2, 1]);
    assert_eq!(table.total.last_year, Some(2002));
    assert_eq!(table.total.average_rating(), Some(1502));
    // Of another rule system there are none, though it may have the same key.
    let other = Position::start(RuleSystem::Federation);
    assert_eq!(tables.openings(&other).unwrap().total.games, 0);
}

#[test]
fn what_is_no_table_of_positions_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let start = Position::start(RuleSystem::Meder);
    let fault = |at: &Path| match Tables::open(at).and_then(|tables| tables.openings(&start)) {
        Ok(_) => panic!("read"),
        Err(fault) => fault.to_string(),
    };
    assert!(fault(at).contains("there is no positions.parquet"));
    fs::create_dir(at.join(POSITIONS)).unwrap();
    fs::write(at.join(POSITIONS).join("_SUCCESS"), b"").unwrap();
    assert!(fault(at).contains("there is no positions.parquet"));
    fs::remove_dir_all(at.join(POSITIONS)).unwrap();
    fs::write(at.join(POSITIONS), b"PAR1 no").unwrap();
    assert!(fault(at).contains("positions.parquet"));
    export(at, &games(), 1_000);
    let whole = fs::read(at.join(POSITIONS)).unwrap();
    fs::copy(at.join(GAMES), at.join(POSITIONS)).unwrap();
    assert!(fault(at).contains("the column `"));
    // Whatever byte is another one: an answer or a fault, no panic.
    for place in (0..whole.len()).step_by(whole.len() / 60) {
        let mut other = whole.clone();
        other[place] ^= 0x55;
        fs::write(at.join(POSITIONS), &other).unwrap();
        let _ = Tables::open(at).and_then(|tables| tables.openings(&start));
    }
    fs::write(at.join(POSITIONS), &whole[..whole.len() / 2]).unwrap();
    assert!(!fault(at).is_empty());
}
