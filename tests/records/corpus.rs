//! The bundled corpus: what is valid is, and every invalid sheet is invalid for its own reason.

use std::path::Path;
use tridex_archive::source::{OpenOptions, Source, walk};
use tridex_replay::finding::{Severity, Status};
use tridex_replay::{Options, Replay, replay};

pub(crate) fn reports(path: &Path) -> Vec<Replay> {
    let mut reports = Vec::new();
    for source in walk([path]) {
        let source: Source = source.unwrap();
        for batch in source.open(&OpenOptions::default()).unwrap() {
            let batch = batch.unwrap();
            for game in batch.all_games() {
                let mut report = replay(&game, &Options::default());
                report.place(&mut batch.line_index());
                reports.push(report);
            }
        }
    }
    reports
}

#[test]
fn every_game_of_the_corpus_is_legal() {
    let reports = reports(Path::new("corpus/games"));
    assert!(reports.len() > 100);
    for report in &reports {
        assert_ne!(report.status(), Status::Invalid, "{:?}", report.findings());
    }
    let ambiguous = reports.iter().filter(|r| r.status() == Status::Ambiguous);
    assert_eq!(ambiguous.count(), 1, "only the sample game as printed");
}

#[test]
fn every_invalid_sheet_is_invalid_for_its_own_reason() {
    let table = [
        ("bad-start.pgn", "start-position", "White has no king"),
        (
            "blocked-column.txt",
            "illegal",
            "block column a1 on every level",
        ),
        ("board-crowded.txt", "illegal", "holds four pieces"),
        (
            "castling-first.txt",
            "illegal",
            "may not be a player's first move",
        ),
        (
            "cube-level.txt",
            "illegal",
            "the knight on 1g1 does not move to 2f3",
        ),
        (
            "into-check.pgn",
            "illegal",
            "would leave the king on d0KL1 attacked by the rook on d8KL6",
        ),
        ("manual-gap.pgn", "illegal", "would cross the gap d1"),
        (
            "no-such-square.txt",
            "illegal",
            "there is no attack board on pin QL3",
        ),
        (
            "not-a-word.txt",
            "syntax",
            "expected a file z, a, b, c, d or e at character 3",
        ),
        ("own-piece.txt", "illegal", "b2W"),
        ("sheet.csv", "illegal", "block column a8 on every level"),
        (
            "truncated.txt",
            "syntax",
            "expected a rank, a level or a capture mark",
        ),
        ("unclosed-comment.pgn", "damage", "unclosed comment"),
        (
            "wrong-family.pgn",
            "missing-level",
            "no square exists in column e4",
        ),
        (
            "wrong-level.txt",
            "illegal",
            "the Neutral Board does not cover column c2",
        ),
        ("wrong-result.pgn", "result", "the recorded result is 1-0"),
    ];
    for (file, code, words) in table {
        let reports = reports(&Path::new("corpus/invalid").join(file));
        let error = reports
            .iter()
            .flat_map(|report| report.findings())
            .find(|found| found.severity == Severity::Error)
            .unwrap_or_else(|| panic!("{file} is valid"));
        assert_eq!(error.code.as_str(), code, "{file}: {}", error.message);
        assert!(error.message.contains(words), "{file}: {}", error.message);
    }
    let files = std::fs::read_dir("corpus/invalid").unwrap().count();
    // One more for SOURCE.txt, one for two-dialects.txt, which is legal.
    assert_eq!(files, table.len() + 2);
}

#[test]
fn two_dialects_in_one_sheet_are_read_with_warnings() {
    let reports = reports(Path::new("corpus/invalid/two-dialects.txt"));
    let [report] = reports.as_slice() else {
        panic!("one game");
    };
    assert_eq!(report.status(), Status::Warned, "{:?}", report.findings());
    let codes: Vec<&str> = report.findings().iter().map(|d| d.code.as_str()).collect();
    assert_eq!(codes, ["other-notation", "dialect"]);
}

#[test]
fn every_folder_says_where_it_comes_from() {
    let mut folders = vec![std::path::PathBuf::from("corpus")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        let mut has_files = false;
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                has_files = true;
            }
        }
        if has_files {
            seen += 1;
            assert!(folder.join("SOURCE.txt").exists(), "{}", folder.display());
        }
    }
    assert!(seen >= 5);
}
