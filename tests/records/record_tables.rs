//! Records as tables: `tests/data/records.txt`, run by one runner.
//!
//! A line that begins with `=` is a heading. `pgn`, `txt`, `csv` and `ndjson` begin a record of that kind, and the lines
//! after it say what is found in it and written of it:
//!
//! | line | what it says |
//! |---|---|
//! | `games N` | the record holds so many games |
//! | `is STATUS`, `first is STATUS` | the status of the last game, or of the first |
//! | `plies N` | so many moves of the last game were read |
//! | `finds CODE \| WORDS` | the last game has a finding of this kind with these words |
//! | `no CODE` | it has none |
//! | `writes TEXT`, `lacks TEXT` | its PGN in its own notation has this text, or has not |

use crate::support::none_of;
use tridex_archive::split::Splitter;
use tridex_archive::{Container, Item, Limits};
use tridex_notation::Notation;
use tridex_replay::{Converter, Options, OutputStyle, Played, Replay, Sink, read};
use tridex_rules::{Move, Position};

/// The reports on the games of a record, and what is written of each.
struct Games {
    converter: Converter,
    all: Vec<(Replay, String)>,
}

impl Sink for Games {
    const STEPS: bool = true;

    fn begin(&mut self, start: &Position) {
        self.converter.begin(start);
    }

    fn before(&mut self, position: &Position, mv: Move, is_main: bool) {
        self.converter.before(position, mv, is_main);
    }

    fn after(&mut self, position: &Position, token: &[u8], is_main: bool) {
        self.converter.after(position, token, is_main);
    }

    fn between(&mut self, item: Item<&str>) {
        self.converter.between(item);
    }

    fn unread(&mut self, token: &[u8]) {
        self.converter.unread(token);
    }

    fn game(&mut self, played: &Played<'_>) {
        let mut text = Vec::new();
        self.converter.finish_pgn(played, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        self.all.push((played.to_replay(), text));
    }
}

fn games(container: Container, text: &str) -> Vec<(Replay, String)> {
    let mut games = Games {
        converter: Converter::new(OutputStyle::of(Notation::Meder)).in_own(),
        all: Vec::new(),
    };
    for batch in Splitter::new(text.as_bytes(), container, Limits::default()) {
        read(&batch.unwrap(), &Options::default(), &mut games);
    }
    games.all
}

/// Checks a line of the table against the games of its record. The error says what is there instead.
fn check(games: &[(Replay, String)], line: &str) -> Result<(), String> {
    let ([(first, _), ..], [.., (last, written)]) = (games, games) else {
        return Err("there is no game".to_owned());
    };
    let found = || {
        let found = last.findings().iter();
        let said = found.map(|found| format!("{} | {}", found.code.as_str(), found.message));
        said.collect::<Vec<_>>()
    };
    let status = |report: &Replay| report.status().as_str();
    let (word, rest) = line.split_once(' ').ok_or("a word is missing")?;
    let (holds, there) = match word {
        "games" => (rest == games.len().to_string(), games.len().to_string()),
        "is" => (
            status(last) == rest,
            format!("{} {:?}", status(last), found()),
        ),
        "first" => (
            rest.strip_prefix("is ") == Some(status(first)),
            status(first).to_owned(),
        ),
        "plies" => (
            rest == last.moves().len().to_string(),
            format!("{:?}", found()),
        ),
        "finds" => {
            let (code, words) = rest.split_once(" | ").ok_or("words are missing")?;
            let fits = |said: &String| {
                said.split_once(" | ")
                    .is_some_and(|(known, message)| known == code && message.contains(words))
            };
            (found().iter().any(fits), format!("{:?}", found()))
        }
        "no" => {
            let mut all = last.findings().iter();
            (
                !all.any(|f| f.code.as_str() == rest),
                format!("{:?}", found()),
            )
        }
        "writes" => (written.contains(rest), written.clone()),
        "lacks" => (!written.contains(rest), written.clone()),
        _ => return Err("no line begins so".to_owned()),
    };
    holds.then_some(()).ok_or(there)
}

/// What is wrong with a table, by line.
fn faults(table: &str) -> Vec<String> {
    let mut record: Option<(&str, Vec<(Replay, String)>)> = None;
    let mut faults = Vec::new();
    for (number, line) in (1..).zip(table.lines()) {
        if line.is_empty() || line.starts_with(['#', '=']) {
            continue;
        }
        let kind = line.split_once(' ').and_then(|(kind, text)| {
            let container = match kind {
                "pgn" => Container::Pgn,
                "txt" => Container::Movetext,
                "csv" => Container::Csv,
                "ndjson" => Container::Ndjson,
                "json" => Container::Json,
                _ => return None,
            };
            Some((container, text))
        });
        if let Some((container, text)) = kind {
            let text = text.replace("\\n", "\n").replace("\\u{85}", "\u{85}");
            let text = text.replace("\\\\", "\\");
            record = Some((line, games(container, &text)));
            continue;
        }
        let checked = match &record {
            Some((_, games)) => check(games, line),
            None => Err("a record is missing before it".to_owned()),
        };
        if let Err(there) = checked {
            let record = record.as_ref().map_or("", |(record, _)| record);
            faults.push(format!("{number}: {record}\n    {line}\n    but: {there}"));
        }
    }
    faults
}

#[test]
fn records() {
    let table = std::fs::read_to_string("tests/data/records.txt").unwrap();
    let faults = faults(&table);
    none_of(&faults);
}

/// Each word of the tables has a line that does not hold.
#[test]
fn every_line_can_fail() {
    let record = "txt 1. b4N b5B 2.\\n";
    for (right, wrong) in [
        ("games 1", "games 2"),
        ("is warned", "is valid"),
        ("first is warned", "first is valid"),
        ("plies 2", "plies 3"),
        ("finds truncated | no move", "finds truncated | no result"),
        ("finds truncated | no move", "finds damage | no move"),
        ("no syntax", "no truncated"),
        ("writes 1. b4N b5B *", "writes b6B"),
        ("lacks b6B", "lacks b4N"),
        ("games 1", "game 1"),
    ] {
        assert_eq!(faults(&format!("{record}\n{right}")), [""; 0]);
        assert_eq!(faults(&format!("{record}\n{wrong}")).len(), 1, "{wrong}");
        assert_eq!(faults(right).len(), 1, "no record");
    }
}
