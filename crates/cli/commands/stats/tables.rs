//! `stats --by` and `stats --crosstable`: tables for people.

use crate::term::table::{self, column};
use crate::term::terminal::Paint;
use std::fmt::Write as _;
use tridex_core::{GroupRow, Grouping, Standing};
use tridex_text::printable;

/// How many rows text shows without `--top`.
pub(super) const TOP: usize = 20;

/// Formats the rows of groups.
pub(super) fn groups(
    rows: &[GroupRow<'_>],
    grouping: Grouping,
    paint: Paint,
    width: Option<usize>,
) -> String {
    let column = |heading, cell: fn(&GroupRow<'_>) -> String| column(heading, rows, cell);
    let name = match grouping {
        Grouping::Pair => "player",
        _ => grouping.name(),
    };
    let [won, drawn, lost, score] = match grouping.is_of_players() {
        true => ["won", "drawn", "lost", "score"],
        false => ["White won", "drawn", "Black won", "White's score"],
    };
    let has_unknown = rows.iter().any(|row| row.without_result > 0);
    let mut columns = vec![
        column(name, |row| row.key.to_owned()).cut(12),
        column("opponent", |row| {
            row.opponent.unwrap_or_default().to_owned()
        })
        .cut(12),
        column("games", |row| row.count.to_string()),
        column("as White", |row| row.as_white.unwrap_or(0).to_string()),
        column(won, |row| row.won.to_string()),
        column(drawn, |row| row.drawn.to_string()),
        column(lost, |row| row.lost.to_string()),
        column("no result", |row| row.without_result.to_string()).goes(4),
        column("points", |row| format!("{:.1}", row.points)).goes(5),
        column(score, |row| table::percent(row.score)),
        column("average plies", |row| format!("{:.1}", row.average_plies)).goes(1),
        column("rules", |row| row.rules.to_owned()).goes(3),
        column("first", |row| row.first.clone().unwrap_or_default()).goes(2),
        column("last", |row| row.last.clone().unwrap_or_default()).goes(6),
    ];
    columns.retain(|column| match column.heading {
        "opponent" => grouping == Grouping::Pair,
        "as White" | "points" => grouping.is_of_players(),
        "no result" => has_unknown,
        "rules" => grouping != Grouping::System,
        "first" | "last" => !grouping.is_of_time(),
        _ => true,
    });
    let mut text = String::new();
    table::draw(columns, width, paint, &mut text);
    text
}

/// The headings of the results against each player. With more players, a list has the games of each.
const NUMBERS: [&str; 16] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16",
];

/// Formats cross tables.
pub(super) fn crosstables(rows: &[Standing], paint: Paint, width: Option<usize>) -> String {
    let mut text = String::new();
    let of_event = |a: &Standing, b: &Standing| (&a.event, a.rules) == (&b.event, b.rules);
    for rows in rows.chunk_by(of_event) {
        if !text.is_empty() {
            text.push('\n');
        }
        if let Some(first) = rows.first() {
            let players = match rows.len() {
                1 => "1 player".to_owned(),
                several => format!("{several} players"),
            };
            let event = printable(&first.event);
            let heading = format!("{event} ({}): {players}", first.rules);
            let _ = writeln!(text, "{}", paint.bold(&heading));
        }
        one_table(rows, paint, width, &mut text);
    }
    text
}

/// A number in the row of a player.
type Count = fn(&Standing) -> usize;

fn one_table(rows: &[Standing], paint: Paint, width: Option<usize>, text: &mut String) {
    let numbered: Vec<(usize, &Standing)> = (1..).zip(rows).collect();
    let column =
        |heading, cell: fn(&(usize, &Standing)) -> String| column(heading, &numbered, cell);
    let mut columns = vec![
        column("", |(number, _)| number.to_string()),
        column("player", |(_, row)| row.player.clone()).cut(12),
    ];
    if rows.iter().any(|row| row.rating.is_some()) {
        let rating = |row: &Standing| row.rating.map_or_else(String::new, |r| r.to_string());
        columns.push(table::column("rating", rows, rating).goes(1));
    }
    match NUMBERS.get(..rows.len()) {
        Some(headings) => columns.extend(headings.iter().zip(1..).map(|(heading, other)| {
            table::column(heading, &numbered, |(number, row)| {
                against(*number, row, other)
            })
        })),
        None => columns.push(column("results", |(_, row)| row.short_results()).cut(20)),
    }
    columns.extend([
        column("games", |(_, row)| row.games.to_string()).goes(2),
        column("points", |(_, row)| format!("{:.1}", row.points)),
        column("Sonneborn-Berger", |(_, row)| {
            format!("{:.2}", row.sonneborn_berger)
        })
        .goes(4),
        column("Buchholz", |(_, row)| format!("{:.1}", row.buchholz)).goes(3),
    ]);
    let counts: [(&'static str, Count); 4] = [
        ("no result *", |row| row.without_result),
        ("no moves + = -", |row| row.without_moves),
        ("byes", |row| row.byes),
        ("copies omitted", |row| row.copies),
    ];
    for (heading, count) in counts {
        if rows.iter().any(|row| count(row) > 0) {
            columns.push(table::column(heading, rows, |row| count(row).to_string()));
        }
    }
    table::draw(columns, width, paint, text);
}

/// The results of a player against another, in the order of the games.
fn against(number: usize, row: &Standing, other: usize) -> String {
    if number == other {
        return "x".to_owned();
    }
    let results = row.results.iter();
    let results = results.filter(|result| result.row == Some(other));
    results.map(|result| result.sign()).collect()
}
