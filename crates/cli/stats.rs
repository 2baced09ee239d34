//! `stats`: what a collection holds, counted.

use crate::args::{StatsArgs, TableFormat};
use crate::failure::{Exit, Failure};
use crate::output::Paint;
use crate::{input, output, survey};
use std::fmt::Write as _;
use std::io::Write;
use tridex_archive::write::Table;
use tridex_replay::each;
use tridex_replay::stats::{Count, Row, Stats};
use unicode_width::UnicodeWidthStr;

/// How many of the most frequent keys people are shown unless they say otherwise.
const TOP: usize = 10;

/// Kinds that take a line for each key in the text; the others stand on one line.
const LISTED: [&str; 5] = [
    "first-move",
    "first-reply",
    "board-move",
    "board-arrival",
    "layout",
];

pub(crate) fn run(args: &StatsArgs) -> Result<Exit, Failure> {
    let options = input::options(&args.reading, args.rules, args.locale);
    let mut stats = Stats::default();
    let exit = survey::count(
        &args.reading,
        |source, batch, seen| {
            let mut part = Stats::default();
            let rest = each(batch, &options, |game| {
                seen.tally.count_replayed(game.status(), game.moves().len());
                part.add(game);
            });
            seen.stray(source, &rest, batch);
            part
        },
        |_, part| {
            stats.join(&part);
            Ok(())
        },
    )?;
    let mut out = match args.format {
        TableFormat::Text => output::drawn(),
        TableFormat::Ndjson | TableFormat::Csv => output::stdout(),
    };
    match args.format {
        TableFormat::Text => {
            let rows = stats.rows(Some(args.top.unwrap_or(TOP)));
            out.write_all(table(&rows, Paint::stdout()).as_bytes())?;
        }
        TableFormat::Ndjson => {
            for row in stats.rows(args.top) {
                row.write_json(&mut out)?;
            }
        }
        TableFormat::Csv => {
            let mut table = Table::new(&mut out);
            table.row(Row::COLUMNS)?;
            for row in stats.rows(args.top) {
                table.row(row.cells())?;
            }
            table.finish()?;
        }
    }
    out.flush()?;
    Ok(exit)
}

/// The counts for people.
fn table(rows: &[Row], paint: Paint) -> String {
    let mut text = String::new();
    for system in rows.chunk_by(|a, b| a.rules == b.rules) {
        if !text.is_empty() {
            text.push('\n');
        }
        for kind in system.chunk_by(|a, b| a.kind == b.kind) {
            let Some(first) = kind.first() else {
                continue;
            };
            match first.kind {
                "games" => {
                    let heading = format!("{}: {} games", first.rules, first.count);
                    let _ = writeln!(text, "{}", paint.bold(&heading));
                }
                "length" => histogram(kind, paint, &mut text),
                listed if LISTED.contains(&listed) => list(kind, paint, &mut text),
                _ => {
                    let counts = kind.iter().filter(|row| row.count != Count::Whole(0));
                    let counts: Vec<String> = counts.map(counted).collect();
                    let _ = writeln!(text, "  {:<16}{}", first.kind, counts.join(", "));
                }
            }
        }
    }
    text
}

fn counted(row: &Row) -> String {
    if row.key == "all" {
        row.count.to_string()
    } else {
        format!("{} {}", row.key, row.count)
    }
}

/// One line for each key.
fn list(rows: &[Row], paint: Paint, text: &mut String) {
    let width = rows.iter().map(|row| row.key.width()).max().unwrap_or(0);
    let mut name = rows.first().map_or("", |row| row.kind);
    for row in rows {
        let gap = " ".repeat(width - row.key.width());
        let _ = writeln!(
            text,
            "  {}{}{gap} {:>9}",
            paint.faint(&format!("{name:<16}")),
            row.key,
            row.count.to_string()
        );
        name = "";
    }
}

/// Lengths in ten classes or so.
fn histogram(rows: &[Row], paint: Paint, text: &mut String) {
    let lengths: Vec<(u64, u64)> = rows
        .iter()
        .filter_map(|row| match row.count {
            Count::Whole(count) => Some((row.key.parse().ok()?, count)),
            Count::Mean(_) => None,
        })
        .collect();
    let longest = lengths.iter().map(|(plies, _)| *plies).max().unwrap_or(0);
    // 5, 10, 20, 50, 100 and so on: the least that gives no more than twelve classes.
    let steps = [5_u64, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
    let step = steps.into_iter().find(|step| longest / step < 12);
    let step = step.unwrap_or(longest / 12 + 1);
    let mut classes = vec![0_u64; usize::try_from(longest / step + 1).unwrap_or(1)];
    for (plies, count) in &lengths {
        let class = usize::try_from(plies / step).ok();
        if let Some(class) = class.and_then(|class| classes.get_mut(class)) {
            *class += count;
        }
    }
    let most = classes.iter().copied().max().unwrap_or(1).max(1);
    let mut name = "length";
    let mut from = 0;
    let least = classes.iter().position(|count| *count > 0).unwrap_or(0);
    for (class, count) in classes.iter().enumerate() {
        if class >= least {
            let range = format!("{from}-{}", from + step - 1);
            let bar = "#".repeat((count * 40).div_ceil(most) as usize);
            let line = format!("  {name:<16}{range:<11}{count:>9} {}", paint.faint(&bar));
            let _ = writeln!(text, "{}", line.trim_end());
            name = "";
        }
        from += step;
    }
}
