//! An archive of two thousand files in five systems, a twentieth of them damaged in twelve ways, made from a seed: the table
//! of problems names every damaged file and no sound one, rejects can be traced, and repaired games say what stood there.

use crate::program::fed;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Output;
use tridex_rules::RuleSystem;
use tridex_rules::random::Dice;

/// Files of the archive; every twentieth is damaged.
const FILES: usize = 2_000;
const SEED: u64 = 0xDA3A6E;

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Damage {
    /// A crash left no bytes.
    Empty,
    /// A crash left its length, and zeros.
    Zeros,
    /// It is a picture.
    Binary,
    /// A packed file that was cut off.
    HalfPacked,
    /// The end of the file is inside a move.
    CutInMove,
    /// The end of the file is between two moves; the tag has a result.
    CutBetweenMoves,
    /// A square that no board has.
    Illegal,
    /// A move and its answer were left out, with their number.
    MissingLine,
    /// Two players of the white pieces.
    TwoTags,
    /// A result as people write it.
    WordsAsResult,
    /// Names in Windows-1250.
    OtherEncoding,
    /// A scanner read `0` for `O`, or doubled a letter: one slip that the rest of the game explains.
    Slip,
}

const WAYS: [Damage; 12] = [
    Damage::Empty,
    Damage::Zeros,
    Damage::Binary,
    Damage::HalfPacked,
    Damage::CutInMove,
    Damage::CutBetweenMoves,
    Damage::Illegal,
    Damage::MissingLine,
    Damage::TwoTags,
    Damage::WordsAsResult,
    Damage::OtherEncoding,
    Damage::Slip,
];

/// Where the movetext of a game begins.
fn movetext(game: &str) -> usize {
    game.find("]\n\n").expect("tags and moves") + 3
}

/// The places of the moves of the main line, without numbers and the result.
fn moves(game: &str) -> Vec<std::ops::Range<usize>> {
    let start = movetext(game);
    let mut found = Vec::new();
    let mut at = start;
    for word in game[start..].split_inclusive([' ', '\n']) {
        let token = word.trim_end();
        if !token.is_empty()
            && !token.ends_with('.')
            && !["1-0", "0-1", "1/2-1/2", "*"].contains(&token)
        {
            found.push(at..at + token.len());
        }
        at += word.len();
    }
    found
}

fn replaced(game: &str, place: std::ops::Range<usize>, with: &str) -> String {
    [&game[..place.start], with, &game[place.end..]].concat()
}

/// The value of a tag, without its quotation marks.
fn tag(game: &str, name: &str) -> std::ops::Range<usize> {
    let head = format!("[{name} \"");
    let start = game.find(&head).expect("a tag of the roster") + head.len();
    start..start + game[start..].find("\"]").expect("the end of a tag")
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// The bytes of a damaged file.
fn damaged(game: &str, damage: Damage, dice: &mut Dice) -> Vec<u8> {
    let moves = moves(game);
    // Somewhere in the middle, so that the game goes on before and after.
    let middle = moves.len() / 3 + dice.below(moves.len() as u32 / 3) as usize;
    let place = moves[middle].clone();
    match damage {
        Damage::Empty => Vec::new(),
        Damage::Zeros => vec![0; game.len()],
        Damage::Binary => [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice(), &[7; 64]].concat(),
        Damage::HalfPacked => {
            let packed = gzip(game.as_bytes());
            packed[..packed.len() / 2].to_vec()
        }
        Damage::CutInMove => game[..place.end - 1].into(),
        Damage::CutBetweenMoves => {
            let cut = &game[..place.end];
            replaced(cut, tag(cut, "Result"), "1-0").into_bytes()
        }
        Damage::Illegal => replaced(game, place, "Nb9W").into_bytes(),
        Damage::MissingLine => {
            let white = middle - middle % 2;
            let number = game[..moves[white].start]
                .trim_end()
                .rfind(char::is_whitespace)
                .unwrap();
            replaced(game, number..moves[white + 1].end, "").into_bytes()
        }
        Damage::TwoTags => game
            .replacen("[Black ", "[White \"Somebody else\"]\n[Black ", 1)
            .into_bytes(),
        Damage::WordsAsResult => {
            let written = match &game[tag(game, "Result")] {
                "1-0" => "1:0",
                "0-1" => "0:1",
                "1/2-1/2" => "remis",
                _ => "?",
            };
            replaced(game, tag(game, "Result"), written).into_bytes()
        }
        Damage::OtherEncoding => {
            let text = replaced(
                game,
                tag(game, "White"),
                "Čapek, Jiří; Šťastný, Přemysl; Žižka, Ondřej",
            );
            let text = replaced(&text, tag(&text, "Black"), "Dvořák, Zdeněk");
            let text = replaced(&text, tag(&text, "Site"), "Třebíč");
            let (bytes, _, lost) = encoding_rs::WINDOWS_1250.encode(&text);
            assert!(!lost, "{text}");
            bytes.into_owned()
        }
        Damage::Slip => {
            // The last letter or digit twice; castling and captures have too many readings, and marks follow it.
            let is_plain = |range: &&std::ops::Range<usize>| {
                let token = &game[(*range).clone()];
                !token.starts_with('0') && !token.contains(['x', '=', '+', '#', '!', '?'])
            };
            let at = moves[middle..]
                .iter()
                .find(is_plain)
                .expect("a plain move")
                .end;
            format!("{}{}", &game[..at], &game[at - 1..]).into_bytes()
        }
    }
}

fn run(at: &Path, arguments: &[&str]) -> Output {
    fed(at, arguments, b"")
}

/// Makes the archive in folders of a hundred files; gives the damage of each damaged file, by its path.
fn make(folder: &Path) -> BTreeMap<String, Damage> {
    let mut dice = Dice::new(SEED);
    let each = FILES / RuleSystem::ALL.len();
    let mut made = BTreeMap::new();
    for (nth, rules) in RuleSystem::ALL.iter().enumerate() {
        let count = each.to_string();
        let generate = [
            "generate",
            "--rules",
            rules.name(),
            "--games",
            &count,
            "--seed",
            "11",
        ];
        let text = String::from_utf8(run(folder, &generate).stdout).unwrap();
        let games: Vec<String> = text
            .split("[Event ")
            .skip(1)
            .map(|game| format!("[Event {game}"))
            .collect();
        assert_eq!(games.len(), each);
        for (i, game) in games.iter().enumerate() {
            let number = nth * each + i;
            // Short games have no middle to damage; the next one is taken.
            let damage = (number % 20 == 7).then(|| WAYS[number / 20 % WAYS.len()]);
            let into = format!("{}/{:02}", rules.name(), i / 100);
            fs::create_dir_all(folder.join(&into)).unwrap();
            let packed =
                damage == Some(Damage::HalfPacked) || damage.is_none() && number.is_multiple_of(31);
            let path = format!("{into}/{i:03}.pgn{}", if packed { ".gz" } else { "" });
            let bytes = match damage {
                Some(damage) => damaged(game, damage, &mut dice),
                None if packed => gzip(game.as_bytes()),
                None => game.as_bytes().to_vec(),
            };
            fs::write(folder.join(&path), bytes).unwrap();
            if let Some(damage) = damage {
                made.insert(path, damage);
            }
        }
    }
    made
}

/// Rows of the table of problems, by file.
fn problems(lines: &[u8]) -> BTreeMap<String, Vec<Value>> {
    let mut found: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in std::str::from_utf8(lines).unwrap().lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let file = row["file"].as_str().unwrap().to_owned();
        found.entry(file).or_default().push(row);
    }
    found
}

#[test]
fn every_damaged_file_of_an_archive_is_named_and_no_sound_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let made = make(at);
    assert_eq!(made.len(), FILES / 20);
    let systems: Vec<&str> = RuleSystem::ALL.iter().map(|rules| rules.name()).collect();

    let validate = [
        &["validate", "--problems", "--format", "ndjson"],
        &systems[..],
    ]
    .concat();
    let output = run(at, &validate);
    let found = problems(&output.stdout);
    let missed: Vec<_> = made
        .iter()
        .filter(|(file, _)| !found.contains_key(*file))
        .collect();
    assert!(missed.is_empty(), "damaged and not named: {missed:?}");
    let wrong: Vec<_> = found
        .iter()
        .filter(|(file, _)| !made.contains_key(*file))
        .collect();
    assert!(wrong.is_empty(), "named and not damaged: {wrong:?}");
    // Each way is reported for what it is.
    for (file, damage) in &made {
        let codes: Vec<&str> = found[file]
            .iter()
            .filter_map(|row| row["code"].as_str())
            .collect();
        let expected: &[&str] = expected(*damage);
        assert!(
            expected.iter().any(|code| codes.contains(code)),
            "{file}: {damage:?}: {codes:?}"
        );
    }
}

#[test]
fn what_is_converted_from_a_damaged_archive_can_be_traced() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let made = make(at);
    let systems: Vec<&str> = RuleSystem::ALL.iter().map(|rules| rules.name()).collect();
    let options = [
        "convert",
        "--to",
        "own",
        "--repair",
        "--invalid",
        "drop",
        "--output",
        "clean.pgn",
    ];
    let options = [
        &options[..],
        &["--rejects", "rejects.pgn", "--problems", "problems.csv"],
        &systems,
    ]
    .concat();
    let output = run(at, &options);
    assert!(
        at.join("clean.pgn").is_file(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let clean = fs::read_to_string(at.join("clean.pgn")).unwrap();
    let rejects = String::from_utf8_lossy(&fs::read(at.join("rejects.pgn")).unwrap()).into_owned();
    let table = fs::read_to_string(at.join("problems.csv")).unwrap();
    let (mut repaired, mut rejected) = (0, 0);
    for (file, damage) in &made {
        assert!(
            table.contains(file.as_str()),
            "{file}: {damage:?} is not in the table"
        );
        let bytes = fs::read(at.join(file)).unwrap();
        if rejects.contains(file.as_str()) {
            // As it was, byte for byte; of a packed file what could be unpacked, of another encoding in UTF-8.
            let is_copied = !matches!(damage, Damage::HalfPacked | Damage::OtherEncoding);
            assert!(
                !is_copied || rejects.contains(String::from_utf8_lossy(&bytes).trim_end()),
                "{file}: {damage:?}"
            );
            rejected += 1;
        } else if *damage == Damage::Slip {
            repaired += 1;
        }
    }
    assert!(rejected >= 8, "{rejected} games were rejected");
    assert!(repaired >= 4, "{repaired} games were repaired");
    // Each repair is written at its move, and reported again by who reads the clean archive.
    let traces = clean.matches("[%tridex ").count();
    assert!(traces >= repaired, "{traces} traces of {repaired} repairs");
    let again = run(
        at,
        &["validate", "--problems", "--format", "ndjson", "clean.pgn"],
    );
    let rows = problems(&again.stdout);
    let found = rows
        .values()
        .flatten()
        .filter(|row| row["code"] == "repaired")
        .count();
    assert!(found >= repaired, "{found} findings of {repaired} repairs");
}

/// The codes of which a file damaged so has one at least.
fn expected(damage: Damage) -> &'static [&'static str] {
    match damage {
        Damage::Empty => &["empty"],
        Damage::Zeros => &["zeros"],
        Damage::Binary => &["no-record"],
        Damage::HalfPacked => &["corrupt"],
        Damage::CutInMove | Damage::CutBetweenMoves => &["truncated"],
        Damage::Illegal => &["illegal", "syntax"],
        Damage::MissingLine => &["move-number"],
        Damage::TwoTags => &["tag"],
        Damage::WordsAsResult => &["unusual", "bad-result"],
        Damage::OtherEncoding => &["encoding"],
        Damage::Slip => &["illegal", "syntax", "ocr", "unusual", "ambiguous"],
    }
}
