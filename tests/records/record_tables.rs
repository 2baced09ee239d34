//! Records as tables: `tests/data/records.txt` and `hands.txt`, run by one runner.
//!
//! A line that begins with `=` is a heading. `pgn`, `txt`, `csv` and `ndjson` begin a record of that kind, and the lines
//! after it say what is found in it and written of it:
//!
//! | line | what it says |
//! |---|---|
//! | `options WORDS` | the next record is read so: `strict`, `rules=any`, `rules=NAME`, `notation=NAME`, `locale=CODE` |
//! | `games N` | the record holds so many games |
//! | `is STATUS`, `first is STATUS` | the status of the last game, or of the first |
//! | `plies N` | so many moves of the last game were read |
//! | `finds CODE \| WORDS` | the last game has a finding of this kind with these words |
//! | `no CODE` | it has none |
//! | `codes CODES` | these are the kinds of all its findings, in order; `-` if there are none |
//! | `grave SEVERITY CODE` | it has a finding of this kind that is so grave: `info`, `warning`, `error` |
//! | `offers MOVE` | a finding lists this among the legal alternatives |
//! | `reads MOVES` | these are its moves, in the notation of its rules without marks |
//! | `rules NAME` | it was played under these rules |
//! | `writes TEXT`, `lacks TEXT` | its PGN in its own notation has this text, or has not |

use crate::support::none_of;
use tridex_archive::split::Splitter;
use tridex_archive::{Container, Item, Limits};
use tridex_notation::Notation;
use tridex_notation::WriteOptions;
use tridex_replay::{Converter, Options, OutputStyle, Played, Replay, RulesChoice, Sink, read};
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

/// What `options` says.
fn options(words: &str) -> Result<Options, String> {
    let mut options = Options::default();
    for word in words.split(' ') {
        match word.split_once('=') {
            None if word == "strict" => options.strict = true,
            Some(("rules", "any")) => options.rules = RulesChoice::Any,
            Some(("rules", name)) => {
                let rules = name.parse().map_err(|fault| format!("{fault}"))?;
                options.rules = RulesChoice::Only(rules);
            }
            Some(("notation", name)) => {
                options.notation = Some(name.parse().map_err(|fault| format!("{fault}"))?);
            }
            Some(("locale", code)) => {
                options.locale = Some(code.parse().map_err(|fault| format!("{fault}"))?);
            }
            _ => return Err(format!("no option is called {word}")),
        }
    }
    Ok(options)
}

/// The moves of a game in the notation of its rules, without marks.
fn moves(report: &Replay) -> String {
    let mut position = report.start().clone();
    let notation = Notation::of(report.rules());
    let written = report.moves().iter().map(|mv| {
        let options = WriteOptions::default();
        let text = tridex_notation::write_unmarked(notation, &position, *mv, &options).unwrap();
        position.play_unchecked(*mv);
        text.as_str().to_owned()
    });
    written.collect::<Vec<_>>().join(" ")
}

fn games(container: Container, text: &str, options: &Options) -> Vec<(Replay, String)> {
    let mut games = Games {
        converter: Converter::new(OutputStyle::of(Notation::Meder)).in_own(),
        all: Vec::new(),
    };
    for batch in Splitter::new(text.as_bytes(), container, Limits::default()) {
        read(&batch.unwrap(), options, &mut games);
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
        "codes" => {
            let codes: Vec<_> = last.findings().iter().map(|f| f.code.as_str()).collect();
            let codes = if codes.is_empty() {
                "-".to_owned()
            } else {
                codes.join(" ")
            };
            (codes == rest, format!("{codes}: {:?}", found()))
        }
        "grave" => {
            let all = last.findings().iter();
            let said: Vec<_> = all
                .map(|f| format!("{} {}", f.severity.as_str(), f.code.as_str()))
                .collect();
            (said.iter().any(|said| said == rest), format!("{said:?}"))
        }
        "offers" => {
            let offered: Vec<_> = last
                .findings()
                .iter()
                .flat_map(|f| &f.alternatives)
                .collect();
            (
                offered.iter().any(|text| *text == rest),
                format!("{offered:?}"),
            )
        }
        "reads" => (
            moves(last) == rest,
            format!("{}: {:?}", moves(last), found()),
        ),
        "rules" => (last.rules().name() == rest, last.rules().name().to_owned()),
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
    let mut asked = Options::default();
    for (number, line) in (1..).zip(table.lines()) {
        if let Some(words) = line.strip_prefix("options ") {
            match options(words) {
                Ok(options) => asked = options,
                Err(fault) => faults.push(format!("{number}: {fault}")),
            }
            continue;
        }
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
            let mut text = text.replace("\\n", "\n");
            for (written, sign) in [("85", "\u{85}"), ("200b", "\u{200b}"), ("feff", "\u{feff}")] {
                text = text.replace(&format!("\\u{{{written}}}"), sign);
            }
            let text = text.replace("\\\\", "\\");
            record = Some((line, games(container, &text, &asked)));
            asked = Options::default();
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
    none_of(&faults(&table));
}

#[test]
fn hands() {
    let table = std::fs::read_to_string("tests/data/hands.txt").unwrap();
    none_of(&faults(&table));
}

#[test]
fn options_and_offers_can_fail() {
    let offers = |options: &str, token: &str| {
        let table = format!("options {options}\ntxt 1. b4N b5B 2. Nc9W\\n\noffers {token}");
        faults(&table)
    };
    assert_eq!(offers("rules=meder", "Nc3W"), [""; 0]);
    assert_eq!(offers("rules=meder", "Nc9W").len(), 1);
    assert_eq!(offers("rules=medr", "Nc3W").len(), 1);
    assert_eq!(offers("lenient", "Nc3W").len(), 1);
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
        ("codes truncated", "codes -"),
        ("grave warning truncated", "grave error truncated"),
        ("reads b4N b5B", "reads b4N"),
        ("rules meder", "rules manual"),
        ("writes 1. b4N b5B *", "writes b6B"),
        ("lacks b6B", "lacks b4N"),
        ("games 1", "game 1"),
    ] {
        assert_eq!(faults(&format!("{record}\n{right}")), [""; 0]);
        assert_eq!(faults(&format!("{record}\n{wrong}")).len(), 1, "{wrong}");
        assert_eq!(faults(right).len(), 1, "no record");
    }
}
