//! `validate`: every game replayed, every finding with its place.

use crate::args::{TableFormat, ValidateArgs};
use crate::failure::{Exit, Failure};
use crate::output::{self, Paint};
use crate::survey::{self, Seen};
use crate::{diagnose, input};
use std::io::{self, Write};
use tridex_archive::places::Places;
use tridex_archive::split::Batch;
use tridex_archive::write::Table;
use tridex_replay::diagnostic::{Severity, Status};
use tridex_replay::report::Row;
use tridex_replay::{Played, Report, each};

pub(crate) fn run(args: &ValidateArgs) -> Result<Exit, Failure> {
    let options = input::options(&args.reading, args.rules, args.locale);
    let paint = Paint::stdout();
    let mut out = match args.format {
        TableFormat::Text => output::drawn(),
        TableFormat::Ndjson | TableFormat::Csv => output::stdout(),
    };
    if args.format == TableFormat::Csv {
        out.write_all(&csv_line(&Row::COLUMNS.map(str::to_owned))?)?;
    }
    let (total, exit) = survey::run(
        &args.reading,
        |source, batch, seen| {
            let mut writer = Writer {
                text: Vec::new(),
                source,
                number: batch.first_game,
                places: batch.places(),
                args,
                paint,
            };
            let rest = each(batch, &options, |game| writer.game(game, seen));
            let mut text = writer.text;
            if args.format == TableFormat::Text {
                stray(source, &rest, batch, paint, &mut text, seen);
            } else {
                seen.stray(source, &rest, batch);
            }
            text
        },
        |_, text, progress| {
            if text.is_empty() {
                return Ok(());
            }
            progress.suspend(|| out.write_all(&text))
        },
    )?;
    if args.format == TableFormat::Text {
        write!(out, "{}", total.table(paint))?;
    }
    out.flush()?;
    Ok(exit)
}

/// Damage behind the last game of a source, told among the findings.
fn stray(
    source: &str,
    rest: &tridex_replay::Damages,
    batch: &Batch,
    paint: Paint,
    text: &mut Vec<u8>,
    seen: &mut Seen,
) {
    let mut drawn = String::new();
    let errors = diagnose::draw_stray(&mut drawn, paint, source, batch, rest);
    seen.tally.add_stray(errors);
    text.extend_from_slice(drawn.as_bytes());
}

/// Writes what is said of the games of a batch.
struct Writer<'a> {
    text: Vec<u8>,
    source: &'a str,
    number: u64,
    places: Places<'a>,
    args: &'a ValidateArgs,
    paint: Paint,
}

impl Writer<'_> {
    fn game(&mut self, game: &Played<'_>, seen: &mut Seen) {
        let is_bare = self.args.format == TableFormat::Text && !self.args.verbose;
        if is_bare && game.says_nothing() {
            seen.tally.count(game, || None);
        } else {
            // The games come in order, and so do their places; the game's own is before those of its findings.
            let line = self.places.place(game.at()).line;
            let mut report = game.report();
            report.place(&mut self.places);
            let mut errors = report.diagnostics.iter();
            let first = errors.find(|found| found.severity == Severity::Error);
            seen.tally.count(game, || first.map(|found| found.code));
            self.report(line, &report);
        }
        self.number += 1;
    }

    fn report(&mut self, line: u64, report: &Report) {
        let Self {
            source,
            number,
            args,
            paint,
            ..
        } = *self;
        match args.format {
            TableFormat::Text => {
                let mut text = String::new();
                for found in &report.diagnostics {
                    if !args.errors_only || found.severity == Severity::Error {
                        diagnose::draw(&mut text, paint, source, number, found, &self.places);
                    }
                }
                let named = args.verbose && !(args.errors_only && report.status != Status::Invalid);
                if named {
                    text.push_str(&verdict(source, number, line, report, paint));
                }
                self.text.extend_from_slice(text.as_bytes());
            }
            TableFormat::Ndjson => {
                let row = Row::new(source, number, line, report);
                // Writing to memory does not fail.
                let _ = row.write_json(&mut self.text);
            }
            TableFormat::Csv => {
                let row = Row::new(source, number, line, report);
                self.text.extend(csv_line(&row.cells()).unwrap_or_default());
            }
        }
    }
}

/// One line about a whole game.
fn verdict(source: &str, number: u64, line: u64, report: &Report, paint: Paint) -> String {
    let status = report.status.as_str();
    let status = match report.status {
        Status::Valid => paint.info(status),
        Status::Warned | Status::Ambiguous => paint.warning(status),
        Status::Invalid => paint.error(status),
    };
    format!(
        "{}:{line}:1: game {number}: {status}, {}, {} plies, {}{}\n",
        tridex_archive::printable(source),
        report.rules.name(),
        report.moves.len(),
        report.result,
        report
            .outcome
            .map_or_else(String::new, |outcome| format!(" ({outcome})"))
    )
}

fn csv_line(cells: &[String; 13]) -> io::Result<Vec<u8>> {
    let mut table = Table::new(Vec::new());
    table.row(cells)?;
    table.finish()
}
