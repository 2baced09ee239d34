//! A folder as a club has it: thousands of games of all systems, compressed in three ways, and ten damaged files.

use std::io::Write;
use std::path::Path;
use std::process::Command;

const GAMES: usize = 150;

fn tridex(args: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_tridex"))
        .args(args)
        .output()
        .unwrap()
}

fn generated(rules: &str, seed: &str) -> Vec<u8> {
    let games = GAMES.to_string();
    tridex(&[
        "generate", "--rules", rules, "--games", &games, "--seed", seed,
    ])
    .stdout
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

const WHOLE: &str = "[Event \"Whole\"]\n[Variant \"meder\"]\n\n1. b4N b5B 2. c3W a6N *\n\n";

/// What stands between two whole games, the line of it that is at fault, and the code of the finding.
const DAMAGED: [(&str, u64, &str); 10] = [
    (
        "[Event \"E\"]\n[Variant \"meder\"]\n\n1. b4N {no end b5B *\n\n",
        9,
        "damage",
    ),
    (
        "[Event \"E\"\n[Variant \"meder\"]\n\n1. b4N b5B *\n\n",
        6,
        "damage",
    ),
    (
        "[Event \"E]\n[Variant \"meder\"]\n\n1. b4N b5B *\n\n",
        6,
        "damage",
    ),
    (
        "[Event \"E\"]\n[Variant \"meder\"]\n\n1. b4N b5B ) *\n\n",
        9,
        "damage",
    ),
    (
        "[Event \"E\"]\n[Variant \"meder\"]\n\n1. b4N b5B (1... d5B *\n\n",
        9,
        "damage",
    ),
    (
        "[Event \"E\"]\n[Variant \"meder\"]\n\n1. b4N b5B $999 *\n\n",
        9,
        "damage",
    ),
    (
        "[Event \"E\"]\n[Variant \"meder\"]\n\n1. b4N\nNb5B *\n\n",
        10,
        "illegal",
    ),
    (
        "[Event \"E\"]\n[Variant \"meder\"]\n\n1. b4N\n\u{1}\u{2}7~ *\n\n",
        10,
        "syntax",
    ),
    (
        "[Event \"E\"]\n[Variant \"meder\"]\n[SetUp \"1\"]\n[FEN \"4/4\"]\n\n1. b4N *\n\n",
        9,
        "start-position",
    ),
    (
        "[Event \"E\"]\n[Result \"1-0\"]\n[Variant \"meder\"]\n\n1. b4N b5B 0-1\n\n",
        10,
        "result-mismatch",
    ),
];

fn fill(folder: &Path) -> usize {
    let text = generated("meder", "1");
    std::fs::write(folder.join("a.pgn.gz"), gzip(&text)).unwrap();
    let text = generated("manual", "2");
    std::fs::write(
        folder.join("b.pgn.zst"),
        zstd::encode_all(&text[..], 1).unwrap(),
    )
    .unwrap();
    let text = generated("federation", "3");
    std::fs::write(folder.join("c.pgn.bz2"), bzip2(&text)).unwrap();
    std::fs::write(folder.join("d.pgn"), generated("millennium", "4")).unwrap();
    // Two members of one file, as `cat a.gz b.gz` makes them.
    let mut members = gzip(&generated("chess3", "5"));
    members.extend(gzip(&generated("chess3", "6")));
    std::fs::write(folder.join("e.pgn.gz"), members).unwrap();
    for (i, (damaged, _, _)) in DAMAGED.iter().enumerate() {
        let text = format!("{WHOLE}{damaged}{WHOLE}");
        std::fs::write(folder.join(format!("x{i}.pgn")), text).unwrap();
    }
    6 * GAMES + 3 * DAMAGED.len()
}

#[test]
fn every_damaged_spot_is_reported_once_at_its_place_and_every_whole_game_counted() {
    let folder = tempfile::tempdir().unwrap();
    let expected = fill(folder.path());
    let name = folder.path().to_str().unwrap();
    let output = tridex(&["validate", "--quiet", "--format", "ndjson", name]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let rows: Vec<serde_json::Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), expected);
    for (i, (_, line, code)) in DAMAGED.iter().enumerate() {
        let file = format!("x{i}.pgn");
        let of_file: Vec<_> = rows
            .iter()
            .filter(|row| row["source"].as_str().unwrap().ends_with(&file))
            .collect();
        let found: Vec<_> = of_file
            .iter()
            .flat_map(|row| row["diagnostics"].as_array().unwrap())
            .collect();
        assert_eq!(found.len(), 1, "{file}: {found:?}");
        assert_eq!(found[0]["line"], *line, "{file}: {}", found[0]);
        assert_eq!(found[0]["code"], *code, "{file}: {}", found[0]);
        // The games before and after are whole.
        assert_eq!(of_file[0]["status"], "valid", "{file}");
        assert_eq!(of_file[2]["status"], "valid", "{file}");
    }
    let others = rows.iter().filter(|row| {
        let source = row["source"].as_str().unwrap();
        !source.contains("/x")
    });
    assert!(others.clone().all(|row| row["status"] == "valid"));
    assert_eq!(others.count(), 6 * GAMES);
}

#[test]
fn a_broken_compressed_file_gives_its_games_up_to_there_and_stops_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let text = generated("millennium", "7");
    let whole = gzip(&text);
    std::fs::write(folder.path().join("a.pgn.gz"), &whole[..whole.len() / 2]).unwrap();
    std::fs::write(folder.path().join("b.pgn"), WHOLE).unwrap();
    let output = tridex(&[
        "validate",
        "--format",
        "ndjson",
        folder.path().to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        complaint.contains("the gzip data is damaged or incomplete"),
        "{complaint}"
    );
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().count() > GAMES / 4);
    assert!(text.lines().last().unwrap().contains("b.pgn"));
}

#[test]
fn what_may_unfold_is_capped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.pgn.gz");
    std::fs::write(&path, gzip(&vec![b' '; 8 << 20])).unwrap();
    let output = tridex(&[
        "validate",
        "--max-decompressed",
        "1M",
        path.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("decompresses to more than 1048576 bytes")
    );
}
