//! Hits, for people and for machines.

use crate::output::Paint;
use serde::Serialize;
use std::io::{self, Write};
use tridex_archive::{json, printable};
use tridex_index::{GameSummary, Hit, Hits};
use unicode_width::UnicodeWidthStr;

/// A hit's line in the machine forms. Fields are added, never renamed or dropped.
#[derive(Serialize)]
pub(super) struct Row {
    id: String,
    source: String,
    game: u32,
    white: String,
    black: String,
    event: String,
    site: String,
    date: String,
    round: String,
    result: &'static str,
    rules: &'static str,
    plies: u32,
    /// First ply at which what was asked of the board occurs; none if nothing was.
    ply: Option<u32>,
    opening: Option<String>,
    /// Whether that ply is one of a variation.
    variation: bool,
}

impl Row {
    pub(super) fn new(hit: &Hit, game: GameSummary) -> Self {
        let tag = |name| game.tag(name).unwrap_or("?").to_owned();
        Self {
            id: format!("{:016x}", game.id),
            game: game.number,
            white: tag("White"),
            black: tag("Black"),
            event: tag("Event"),
            site: tag("Site"),
            date: game.tag("Date").unwrap_or("????.??.??").to_owned(),
            round: tag("Round"),
            result: game.result.name(),
            rules: game.rules.name(),
            plies: game.plies,
            ply: hit.ply,
            variation: hit.in_variation,
            opening: game.opening,
            source: game.source,
        }
    }

    pub(super) fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        json::to_writer(out, self)?;
        out.write_all(b"\n")
    }

    pub(super) const COLUMNS: [&'static str; 15] = [
        "id",
        "source",
        "game",
        "white",
        "black",
        "event",
        "site",
        "date",
        "round",
        "result",
        "rules",
        "plies",
        "ply",
        "opening",
        "variation",
    ];

    pub(super) fn cells(&self) -> [String; 15] {
        let text = |text: &str| text.to_owned();
        [
            text(&self.id),
            text(&self.source),
            self.game.to_string(),
            text(&self.white),
            text(&self.black),
            text(&self.event),
            text(&self.site),
            text(&self.date),
            text(&self.round),
            text(self.result),
            text(self.rules),
            self.plies.to_string(),
            self.ply.map(|ply| ply.to_string()).unwrap_or_default(),
            self.opening.clone().unwrap_or_default(),
            self.variation.to_string(),
        ]
    }
}

/// The hits for people.
pub(super) fn table(rows: &[Row], found: &Hits, offset: usize, paint: Paint) -> String {
    let total = found.total;
    let has_plies = rows.iter().any(|row| row.ply.is_some());
    let mut lines = vec![heading(has_plies)];
    lines.extend(rows.iter().map(|row| line(row, has_plies)));
    let mut text = String::new();
    if !rows.is_empty() {
        align(&lines, paint, &mut text);
    }
    let shown = rows.len() as u64;
    let counted = if found.is_whole { total } else { shown };
    let games = if counted == 1 { "game" } else { "games" };
    let told = match shown {
        _ if !found.is_whole => {
            format!("{shown} {games} shown; there may be more, --count counts them\n")
        }
        shown if shown + (offset as u64).min(total) < total => {
            format!("{shown} of {total} {games}; --limit shows more\n")
        }
        _ => format!("{total} {games}\n"),
    };
    text.push_str(&paint.faint(&told));
    text
}

fn heading(has_plies: bool) -> Vec<String> {
    let names = [
        "date", "white", "black", "result", "rules", "plies", "at", "opening", "id", "game",
    ];
    let shown = names.into_iter().filter(|name| has_plies || *name != "at");
    shown.map(str::to_owned).collect()
}

fn line(row: &Row, has_plies: bool) -> Vec<String> {
    let text = |text: &str| printable(text).into_owned();
    let mut cells = vec![
        text(&row.date),
        short(&row.white),
        short(&row.black),
        text(row.result),
        text(row.rules),
        row.plies.to_string(),
    ];
    if has_plies {
        let mark = if row.variation { "v" } else { "" };
        cells.push(
            row.ply
                .map(|ply| format!("{ply}{mark}"))
                .unwrap_or_default(),
        );
    }
    cells.push(text(row.opening.as_deref().unwrap_or_default()));
    cells.push(text(&row.id));
    cells.push(format!("{}:{}", printable(&row.source), row.game));
    cells
}

/// A name that leaves room for the others.
fn short(name: &str) -> String {
    const LONGEST: usize = 28;
    let name = printable(name);
    if name.width() <= LONGEST {
        return name.into_owned();
    }
    format!("{}…", crate::diagnose::head(&name, LONGEST - 1))
}

/// Puts cells below each other, the first line being the heading.
pub(crate) fn align(lines: &[Vec<String>], paint: Paint, text: &mut String) {
    let columns = lines.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.width()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    // Columns of numbers stand to the right.
    let is_number = |column: usize| {
        let mut cells = lines.iter().skip(1).filter_map(|line| line.get(column));
        cells.all(|cell| {
            let number = cell.trim_end_matches(['v', '%', '-']);
            number.split('.').count() < 3 && number.chars().all(|c| c.is_ascii_digit() || c == '.')
        })
    };
    let right: Vec<bool> = (0..columns).map(is_number).collect();
    for (i, line) in lines.iter().enumerate() {
        let mut shown = String::new();
        for ((cell, width), right) in line.iter().zip(&widths).zip(&right) {
            let gap = " ".repeat(width - cell.width());
            if !shown.is_empty() {
                shown.push_str("  ");
            }
            if *right {
                shown.push_str(&gap);
                shown.push_str(cell);
            } else {
                shown.push_str(cell);
                shown.push_str(&gap);
            }
        }
        let shown = shown.trim_end();
        text.push_str(&if i == 0 {
            paint.bold(shown)
        } else {
            shown.to_owned()
        });
        text.push('\n');
    }
}
