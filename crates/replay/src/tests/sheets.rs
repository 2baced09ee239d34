//! The table of sheets as people type them.

use super::hands::reports;
use crate::finding::Code;
use crate::{Options, Replay};
use tridex_archive::split::Splitter;
use tridex_archive::{Container, Game, Interner, Item, Limits, game};

/// The rows of `tests/data/sheets.txt`: a sheet, and what is read of each of its games.
#[test]
fn the_table_of_sheets_is_read_as_it_says() {
    let table = include_str!("../../../../tests/data/sheets.txt");
    let (mut rows, mut wrong) = (0, Vec::new());
    for row in table.lines() {
        let Some((sheet, expected)) = row.split_once(" => ") else {
            assert!(row.is_empty() || row.starts_with('#'), "{row}");
            continue;
        };
        rows += 1;
        let sheet = sheet.replace("\\n", "\n");
        let found = reports(sheet.as_bytes(), Container::Pgn, &Options::default());
        let games = game::collect(|v| {
            for batch in Splitter::new(sheet.as_bytes(), Container::Pgn, Limits::default()) {
                let batch = batch.expect("what is in memory can be read");
                batch.read(&mut Interner::default(), v);
            }
        });
        let found: Vec<String> = found.iter().zip(&games).map(read_of).collect();
        let found = found.join(" || ");
        if found != expected {
            wrong.push(format!("{row}\n    {found}"));
        }
    }
    assert!(rows > 0);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A game in a row: its status, how many moves were read, and the other findings.
fn read_of((report, game): (&Replay, &Game<'_>)) -> String {
    let tags = game.tags().map(|(name, value)| format!("{name}={value}"));
    let comments = game.items().filter_map(|item| match item {
        Item::Comment(text) => Some(format!("{{{text}}}")),
        Item::LineComment(text) => Some(format!(";{text}")),
        _ => None,
    });
    let separators = report
        .findings()
        .iter()
        .filter(|found| found.code == Code::Unusual && found.message.contains("a move separator"));
    let separators = separators.map(|found| found.message.clone());
    let status = format!("{:?}", report.status()).to_lowercase();
    let head = format!("{status} {}", report.moves().len());
    let all = std::iter::once(head)
        .chain(tags)
        .chain(comments)
        .chain(separators);
    all.collect::<Vec<_>>().join(" | ")
}
