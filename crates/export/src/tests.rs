//! Files are read again by this crate's reader and row by row.

use crate::columns::Rows;
use crate::{Exporter, GAMES, GameRows, POSITIONS, SCHEMA_KEY, SCHEMA_VERSION, Tables};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use tridex_index::{GameEntry, GameResult, Preparer, read_moves};
use tridex_notation::position_string;
use tridex_rules::{Color, Position, RuleSystem};

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

/// A knight moves out and back, so the start position is repeated, with another move.
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
        // The folder has no other files.
        assert_eq!(fs::read_dir(&to).unwrap().count(), 2);
    }
    assert!(files[0] == files[1]);

    let file = folder.path().join("all").join(POSITIONS);
    let keys = numbers_of(&file, "key");
    assert!(keys.is_sorted());
    assert!(keys.iter().any(|key| key.unwrap() < 0), "keys are signed");
    let starts = keys
        .iter()
        .filter(|key| **key == Some(Position::start(RuleSystem::Meder).key() as i64));
    assert_eq!(starts.count(), 40);
    // Rows may be read from anywhere.
    let some = read(&file, |rows| {
        let some = Rows {
            from: 5,
            count: 9,
            ..*rows
        };
        some.numbers("key")
    });
    assert_eq!(some, keys[5..14]);
    let words = words_of(&file, "move");
    assert_eq!(words.iter().filter(|word| word.is_none()).count(), 40);
    let fresh = read(&file, |rows| rows.flags("fresh"));
    assert!(fresh.iter().all(|fresh| *fresh == Some(true)));
}

/// A column of the first row group.
fn read<T>(
    file: &Path,
    column: impl Fn(&Rows<'_>) -> Result<Vec<Option<T>>, ParquetError>,
) -> Vec<Option<T>> {
    let reader = SerializedFileReader::new(File::open(file).unwrap()).unwrap();
    let names = reader.metadata().file_metadata().schema_descr().columns();
    let names = names.iter().enumerate();
    let columns = names.map(|(i, column)| (column.path().string(), i));
    let group = reader.get_row_group(0).unwrap();
    let rows = Rows {
        group: &*group,
        columns: &columns.collect(),
        from: 0,
        count: group.metadata().num_rows() as usize,
    };
    column(&rows).unwrap()
}

fn numbers_of(file: &Path, name: &str) -> Vec<Option<i64>> {
    read(file, |rows| rows.numbers(name))
}

fn words_of(file: &Path, name: &str) -> Vec<Option<String>> {
    read(file, |rows| rows.words(name))
}

#[test]
fn positions_are_readable_and_their_games_are_known() {
    let folder = tempfile::tempdir().unwrap();
    // Two games of one id.
    let twice = [
        entry(1, RuleSystem::Meder, BACK, "0:0"),
        entry(2, RuleSystem::Chess3, "1. 1B3", "*"),
    ];
    let again = entry(1, RuleSystem::Meder, BACK, "0:0");
    let games = [&twice[..], &[GameEntry { number: 3, ..again }]].concat();
    export(folder.path(), &games, 2);
    let at = folder.path().join(POSITIONS);
    let keys = numbers_of(&at, "key");
    let (hex, turns) = (words_of(&at, "key_hex"), words_of(&at, "turn"));
    let (rules, positions) = (words_of(&at, "rules"), words_of(&at, "position"));
    for (row, key) in keys.iter().enumerate() {
        let rules = RuleSystem::from_name(rules[row].as_deref().unwrap()).unwrap();
        let setup = position_string::parse(positions[row].as_deref().unwrap()).unwrap();
        let position = Position::from_setup(rules, &setup).unwrap();
        assert_eq!(Some(position.key() as i64), *key);
        assert_eq!(hex[row], Some(format!("{:016x}", position.key())));
        let turn = match position.turn() {
            Color::White => "white",
            Color::Black => "black",
        };
        assert_eq!(turns[row].as_deref(), Some(turn));
    }
    assert_eq!(keys.len(), 7 + 2 + 7);
    // The key of each table is unique, the id is not.
    let number = numbers_of(&at, "number");
    let source = words_of(&at, "source");
    let rows: BTreeSet<_> = source
        .iter()
        .zip(&number)
        .zip(numbers_of(&at, "ply"))
        .collect();
    assert_eq!(rows.len(), keys.len());
    assert_eq!(
        numbers_of(&at, "game")
            .iter()
            .collect::<BTreeSet<_>>()
            .len(),
        2
    );
    let at = folder.path().join(GAMES);
    assert_eq!(numbers_of(&at, "number"), [Some(1), Some(2), Some(3)]);
    assert_eq!(words_of(&at, "result")[0].as_deref(), Some("0:0"));
    let ids: Vec<_> = numbers_of(&at, "game")
        .iter()
        .map(|id| id.map(|id| format!("{id:016x}")))
        .collect();
    assert_eq!(words_of(&at, "id"), ids);
    for name in [GAMES, POSITIONS] {
        let file = File::open(folder.path().join(name)).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let pairs = reader
            .metadata()
            .file_metadata()
            .key_value_metadata()
            .unwrap();
        let version = pairs.iter().find(|pair| pair.key == SCHEMA_KEY).unwrap();
        assert_eq!(version.value, Some(SCHEMA_VERSION.to_string()));
    }
}

/// The dates of `tests/data/dates.txt`, which also test validate and the index.
#[test]
fn dates_are_read_as_everywhere() {
    let table = include_str!("../../../tests/data/dates.txt");
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<(&str, &str)> = rows.map(|line| line.split_once(" | ").unwrap()).collect();
    let game = |(written, _): &(&str, &str)| {
        let mut game = GameEntry::new(1, RuleSystem::Meder, Vec::new());
        game.tags.push(("Date".to_owned(), (*written).to_owned()));
        game
    };
    let folder = tempfile::tempdir().unwrap();
    export(
        folder.path(),
        &rows.iter().map(game).collect::<Vec<_>>(),
        100,
    );
    let at = folder.path().join(GAMES);
    let (years, days) = (numbers_of(&at, "year"), numbers_of(&at, "played_on"));
    for (row, (written, read)) in rows.iter().enumerate() {
        let year = read.get(..4).and_then(|year| year.parse().ok());
        assert_eq!(years[row], year, "{written}");
        let is_day = year.is_some() && !read.contains('?');
        assert_eq!(days[row].is_some(), is_day, "{written}");
    }
    let day = |read: &str| days[rows.iter().position(|row| row.0 == read).unwrap()];
    assert_eq!(day("2004.01.31"), Some(12_448));
    assert_eq!(day("31.1.2004"), Some(12_448));
    assert_eq!(day("0001.01.01"), Some(-719_162));
}

#[test]
fn games_have_their_tags() {
    let folder = tempfile::tempdir().unwrap();
    export(folder.path(), &games(), 1_000);
    let file = folder.path().join(GAMES);
    let text = |name: &str| words_of(&file, name).swap_remove(0);
    assert_eq!(text("source").as_deref(), Some("a.pgn"));
    assert_eq!(text("white").as_deref(), Some("Weiß 1"));
    assert_eq!(text("black"), None);
    assert_eq!(text("rules").as_deref(), Some("meder"));
    assert_eq!(text("moves").as_deref(), Some("b4N b5B c3W a6N"));
    assert_eq!(
        text("tags").as_deref(),
        Some(r#"[["White","Weiß 1"],["Date","2001.??.??"]]"#)
    );
    let number = |name: &str, row: usize| numbers_of(&file, name)[row];
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
    let games: Vec<u64> = table.moves.iter().map(|row| row.results.games).collect();
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
    // With any bit flipped: the correct result or an error.
    let ask = || {
        let table = Tables::open(at)?.openings(&start)?;
        let moves = table.moves.iter().map(|row| (row.played, row.results));
        Ok::<_, crate::ExportError>((table.total, moves.collect::<Vec<_>>()))
    };
    fs::write(at.join(POSITIONS), &whole).unwrap();
    let right = ask().unwrap();
    let mut found = 0;
    for place in (0..whole.len()).step_by(3) {
        let mut other = whole.clone();
        other[place] ^= 1 << (place % 8);
        fs::write(at.join(POSITIONS), &other).unwrap();
        match ask() {
            Ok(answer) => assert_eq!(answer, right, "byte {place}"),
            Err(_) => found += 1,
        }
    }
    // The first bytes and the indices of pages are not read.
    assert!(found * 30 > whole.len() * 8, "{found} of {}", whole.len());
    // A file of this program without a checksum.
    let mark = b"tridex.seal";
    let found = whole.windows(mark.len()).position(|bytes| bytes == mark);
    let mut other = whole.clone();
    other[found.unwrap()..][..mark.len()].copy_from_slice(b"other.words");
    fs::write(at.join(POSITIONS), &other).unwrap();
    assert!(fault(at).contains("checksum mismatch"));
    fs::write(at.join(POSITIONS), &whole[..whole.len() / 2]).unwrap();
    assert!(!fault(at).is_empty());
}
