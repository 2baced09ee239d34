//! Hits, for people and for machines.

use crate::term::style::Paint;
use crate::term::table::Yields;
use crate::term::{report, settings, table};
use tridex_archive::printable;
use tridex_index::{HitRow as Row, Hits};
use unicode_width::UnicodeWidthStr;

/// How the table of hits gives way on a narrow terminal.
const YIELDS: [Yields; 7] = [
    cut("white", 9, false),
    cut("black", 9, false),
    Yields {
        goes: Some(3),
        ..cut("opening", 10, false)
    },
    cut("game", 12, true),
    goes("plies", 1),
    goes("rules", 2),
    goes("id", 4),
];

const fn cut(column: &'static str, least: usize, keeps_end: bool) -> Yields {
    Yields {
        column,
        least: Some(least),
        keeps_end,
        goes: None,
    }
}

const fn goes(column: &'static str, turn: u8) -> Yields {
    Yields {
        column,
        least: None,
        keeps_end: false,
        goes: Some(turn),
    }
}

/// The hits for people.
pub(super) fn table(
    rows: &[Row],
    found: &Hits,
    offset: usize,
    paint: Paint,
    width: Option<usize>,
) -> String {
    let total = found.total;
    let has_plies = rows.iter().any(|row| row.ply.is_some());
    let mut lines = vec![heading(has_plies)];
    lines.extend(rows.iter().map(|row| line(row, has_plies)));
    let mut text = String::new();
    let gone = table::fit(&mut lines, width, &YIELDS);
    if !rows.is_empty() {
        table::align(&lines, paint, &mut text);
    }
    if settings::is_quiet() {
        return text;
    }
    let shown = rows.len() as u64;
    let counted = if found.is_whole { total } else { shown };
    let games = if counted == 1 { "game" } else { "games" };
    let mut summary = match shown {
        _ if !found.is_whole => {
            format!("{shown} {games} shown; there may be more, --count counts them")
        }
        shown if shown + (offset as u64).min(total) < total => {
            format!("{shown} of {total} {games}; --limit shows more")
        }
        _ => format!("{total} {games}"),
    };
    if !rows.is_empty() && !gone.is_empty() {
        summary.push_str(&format!("; no room for {}", gone.join(", ")));
    }
    text.push_str(&paint.faint(&format!("{summary}\n")));
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
        let first = row.ply.filter(|ply| row.steps.first() != Some(ply));
        let plies = first.iter().chain(&row.steps);
        let plies: Vec<String> = plies.map(|ply| format!("{ply}{mark}")).collect();
        cells.push(plies.join(" "));
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
    format!("{}…", report::head(&name, LONGEST - 1))
}
