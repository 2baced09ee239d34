//! What several parts of the program read - dates, names, results - they read alike: `tests/data/dates.txt`,
//! `names.txt` and `results.txt`.

use crate::program::fed;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The rows of a table, each cut at a separator.
fn rows(table: &'static str, separator: &str) -> Vec<Vec<&'static str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    let rows = lines.filter(|line| line.contains(separator));
    let rows = rows.map(|line| line.split(separator).map(str::trim).collect());
    rows.collect()
}

/// An index `db` of `a.pgn`: a game for each value of a tag, in order.
fn indexed(at: &Path, tag: &str, values: &[&str]) {
    let mut text = String::new();
    for value in values {
        text +=
            &format!("[Event \"e\"]\n[Variant \"meder\"]\n[{tag} \"{value}\"]\n\n1. b4N b5B\n\n");
    }
    fs::write(at.join("a.pgn"), text).unwrap();
    let made = fed(at, &["index", "a.pgn", "--index", "db", "-q"], b"");
    assert!(made.status.code().is_some_and(|code| code < 2), "{made:?}");
}

fn lines(at: &Path, arguments: &[&str]) -> Option<Vec<Value>> {
    let output = fed(at, &[arguments, &["--format", "ndjson"]].concat(), b"");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    output
        .status
        .code()
        .is_some_and(|code| code < 2)
        .then(|| lines.collect())
}

/// The numbers of the games found from 0, or none if the query is refused.
fn found(at: &Path, query: &[&str]) -> Option<BTreeSet<usize>> {
    let hits = lines(at, &[&["search", "--index", "db"], query].concat())?;
    let game = |hit: &Value| usize::try_from(hit["game"].as_u64().unwrap()).unwrap() - 1;
    Some(hits.iter().map(game).collect())
}

#[test]
fn dates() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let rows = rows(include_str!("../data/dates.txt"), "|");
    let written: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    indexed(at, "Date", &written);
    let reports = lines(at, &["validate", "a.pgn"]).unwrap();
    assert_eq!(reports.len(), rows.len());
    let is_date = |read: &str| read.starts_with(|c: char| c.is_ascii_digit());
    for (game, (row, report)) in rows.iter().zip(&reports).enumerate() {
        let (written, read) = (row[0], row[1]);
        let findings = report["diagnostics"].as_array().unwrap().iter();
        let findings = findings.map(|finding| finding["message"].as_str().unwrap());
        let of_date: Vec<&str> = findings
            .filter(|text| text.starts_with("the date"))
            .collect();
        match read.strip_prefix("no date: ") {
            Some(why) => assert!(
                of_date.len() == 1 && of_date[0].contains(why),
                "{written}: {of_date:?}"
            ),
            None => assert_eq!(of_date, [""; 0], "{written}"),
        }
        let asked = found(at, &["--date", written]);
        match is_date(read) {
            true => {
                assert!(
                    asked.as_ref().is_some_and(|games| games.contains(&game)),
                    "{written}: {asked:?}"
                );
                assert_eq!(asked, found(at, &["--date", read]), "{written}");
                assert_eq!(
                    asked,
                    found(at, &[&format!("date:\"{written}\"")]),
                    "{written}"
                );
            }
            // It means a date that is not known.
            false if written == "?" => assert!(asked.unwrap().contains(&game)),
            false => assert_eq!(asked, None, "{written}"),
        }
        if let Some(certain) = row.get(2) {
            let games = found(at, &["--date", certain]).unwrap();
            assert!(games.contains(&game), "{written}: {games:?}");
        }
    }
    let dated = (0..)
        .zip(&rows)
        .filter(|(_, row)| row.iter().skip(1).any(|read| is_date(read)));
    assert_eq!(
        found(at, &["--date", "0001..9999"]),
        Some(dated.map(|(game, _)| game).collect())
    );
}

#[test]
fn names() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let table = include_str!("../data/names.txt");
    let (groups, queries) = table.split_once("\n\n").unwrap();
    let groups: Vec<Vec<&str>> = groups
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let names: Vec<&str> = groups.iter().flatten().copied().collect();
    indexed(at, "White", &names);
    let of = |games: Option<BTreeSet<usize>>| -> BTreeSet<&str> {
        games.unwrap().into_iter().map(|game| names[game]).collect()
    };
    for group in &groups {
        for name in group {
            let found = of(found(at, &["--player", name]));
            assert_eq!(found, group.iter().copied().collect(), "{name}");
        }
    }
    let deduped = lines(at, &["dedupe", "a.pgn", "--names"]).unwrap();
    let mut deduped: Vec<BTreeSet<String>> = deduped
        .iter()
        .map(|group| {
            assert_eq!(group["sure"], true, "{group}");
            let names = group["names"].as_array().unwrap().iter();
            names
                .map(|name| name["name"].as_str().unwrap().to_owned())
                .collect()
        })
        .collect();
    let several = groups.iter().filter(|group| group.len() > 1);
    let mut expected: Vec<BTreeSet<String>> = several
        .map(|group| group.iter().map(|name| (*name).to_owned()).collect())
        .collect();
    deduped.sort();
    expected.sort();
    assert_eq!(deduped, expected);
    for row in queries.lines().filter(|line| !line.starts_with('#')) {
        let (query, expected) = row.split_once('>').unwrap();
        let expected: BTreeSet<&str> = expected.split('|').map(str::trim).collect();
        assert_eq!(
            of(found(at, &["--white", query.trim()])),
            expected,
            "{query}"
        );
    }
}

#[test]
fn results() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let rows = rows(include_str!("../data/results.txt"), "|");
    let written: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    indexed(at, "Result", &written);
    let reports = lines(at, &["validate", "a.pgn"]).unwrap();
    let hits = lines(at, &["search", "--index", "db"]).unwrap();
    let archive = fed(at, &["search", "--index", "db", "--format", "pgn"], b"");
    let archive = String::from_utf8(archive.stdout).unwrap();
    let tags: Vec<&str> = archive
        .lines()
        .filter(|line| line.starts_with("[Result "))
        .collect();
    assert_eq!([reports.len(), hits.len(), tags.len()], [rows.len(); 3]);
    for (game, row) in rows.iter().enumerate() {
        let [written, read] = row[..] else {
            panic!("{row:?}")
        };
        assert_eq!(reports[game]["result"], read, "{written}");
        assert_eq!(hits[game]["result"], read, "{written}");
        assert_eq!(tags[game], format!("[Result \"{read}\"]"), "{written}");
        let alike = (0..)
            .zip(&rows)
            .filter(|(_, row)| row[1] == read)
            .map(|(game, _)| game);
        let alike: BTreeSet<usize> = alike.collect();
        assert_eq!(
            found(at, &["--result", written]),
            Some(alike.clone()),
            "{written}"
        );
        assert_eq!(
            found(at, &[&format!("result:\"{written}\"")]),
            Some(alike),
            "{written}"
        );
    }
    let unknown = (0..).zip(&rows).filter(|(_, row)| row[1] == "*");
    let unknown: BTreeSet<usize> = unknown.map(|(game, _)| game).collect();
    assert_eq!(found(at, &["--result", "?"]), Some(unknown));
    for none in ["2-0", "-", ""] {
        assert_eq!(found(at, &["--result", none]), None, "{none}");
    }
}
