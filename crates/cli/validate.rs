//! `validate`: every game replayed, every finding with its place.

use crate::args::{TableFormat, ValidateArgs};
use crate::diagnose;
use crate::failure::{Exit, Failure};
use crate::input::{self, Job, STOP};
use crate::output::{self, Paint};
use crate::tally::{Progress, Tally};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tridex_archive::diagnostic::{Severity, Status};
use tridex_archive::pipeline;
use tridex_archive::record::Game;
use tridex_archive::replay::{Options, Report, replay};
use tridex_archive::report::Row;
use tridex_archive::split::Batch;
use tridex_archive::swift::{self, Clean, Witness};

/// What became of some games: text for standard output, and the counts.
#[derive(Default)]
struct Answer {
    text: Vec<u8>,
    /// Damage that belongs to no game, for standard error where the output is for machines.
    aside: String,
    tally: Tally,
    failed: Option<String>,
}

pub(crate) fn run(args: &ValidateArgs) -> Result<Exit, Failure> {
    input::catch_interrupts();
    let options = input::options(&args.reading, args.rules, args.locale);
    let consumed = Arc::new(AtomicU64::new(0));
    let progress = Progress::start(input::total_bytes(&args.reading), &consumed);
    let paint = Paint::stdout();
    let mut out = output::stdout();
    if args.format == TableFormat::Csv {
        out.write_all(&csv_line(&Row::COLUMNS.map(str::to_owned))?)?;
    }
    let mut total = Tally::default();
    let mut exit = Exit::Good;
    let done = pipeline::run(
        input::jobs(&args.reading, &consumed),
        input::threads(&args.reading),
        &STOP,
        |job| work(job, args, &options, paint),
        |answer: Answer| {
            if let Some(fault) = answer.failed {
                exit = Exit::Failed;
                progress.suspend(|| output::complain(&fault));
            }
            if !answer.aside.is_empty() {
                progress.suspend(|| io::stderr().write_all(answer.aside.as_bytes()))?;
            }
            total.add(&answer.tally);
            progress.show(&total);
            if answer.text.is_empty() {
                return Ok(());
            }
            progress.suspend(|| out.write_all(&answer.text))
        },
    );
    progress.finish();
    done?;
    if args.format == TableFormat::Text {
        write!(out, "{}", total.table(paint))?;
    }
    out.flush()?;
    if input::interrupted() {
        output::complain(&format!("interrupted after {} games", total.games));
        return Ok(Exit::Failed);
    }
    if total.fell_short() {
        exit = exit.max(Exit::FellShort);
    }
    Ok(exit)
}

fn work(job: Job, args: &ValidateArgs, options: &Options, paint: Paint) -> Answer {
    match job {
        Job::Failed(fault) => Answer {
            failed: Some(fault),
            ..Answer::default()
        },
        Job::Games(source, batch) => {
            let mut pass = Pass {
                answer: Answer::default(),
                source: &source,
                number: batch.first_game,
                batch: &batch,
                args,
                options,
                paint,
            };
            swift::read(&batch, options, &mut pass);
            pass.answer
        }
    }
}

/// Goes through the games of a batch.
struct Pass<'a> {
    answer: Answer,
    source: &'a str,
    number: u64,
    batch: &'a Batch,
    args: &'a ValidateArgs,
    options: &'a Options,
    paint: Paint,
}

impl Witness for Pass<'_> {
    const NEEDS_REMARKS: bool = false;
    const WANTS_BEFORE: bool = false;

    fn clean(&mut self, game: Clean<'_>) {
        if self.args.format == TableFormat::Text && !self.args.verbose {
            self.answer.tally.count_clean(game.moves.len());
        } else {
            self.report(game.at, game.report());
        }
        self.number += 1;
    }

    fn careful(&mut self, game: &mut Game) {
        self.report(game.at, replay(game, self.options));
        self.number += 1;
    }

    fn stray(&mut self, rest: Game) {
        let Self {
            source,
            batch,
            args,
            paint,
            ..
        } = *self;
        self.answer.stray(source, &rest, batch, args, paint);
    }
}

impl Pass<'_> {
    fn report(&mut self, at: u64, report: Report) {
        let Self {
            source,
            number,
            batch,
            args,
            paint,
            ..
        } = *self;
        self.answer
            .game(source, number, at, report, batch, args, paint);
    }
}

impl Answer {
    #[allow(clippy::too_many_arguments)]
    fn game(
        &mut self,
        source: &str,
        number: u64,
        at: u64,
        mut report: Report,
        batch: &Batch,
        args: &ValidateArgs,
        paint: Paint,
    ) {
        let mut places = batch.places();
        report.place(&mut places);
        self.tally.count(&report);
        match args.format {
            TableFormat::Text => {
                let mut text = String::new();
                for found in &report.diagnostics {
                    if !args.errors_only || found.severity == Severity::Error {
                        diagnose::draw(&mut text, paint, source, number, found, &places);
                    }
                }
                let named = args.verbose && !(args.errors_only && report.status != Status::Invalid);
                if named {
                    let line = places.place(at).line;
                    text.push_str(&verdict(source, number, line, &report, paint));
                }
                self.text.extend_from_slice(text.as_bytes());
            }
            TableFormat::Ndjson => {
                let line = places.place(at).line;
                let row = Row::new(source, number, line, &report);
                // Writing to memory does not fail.
                let _ = row.write_json(&mut self.text);
            }
            TableFormat::Csv => {
                let line = places.place(at).line;
                let row = Row::new(source, number, line, &report);
                self.text.extend(csv_line(&row.cells()).unwrap_or_default());
            }
        }
    }

    /// Damage after the last game of a source, which belongs to none.
    fn stray(
        &mut self,
        source: &str,
        rest: &Game,
        batch: &Batch,
        args: &ValidateArgs,
        paint: Paint,
    ) {
        let mut places = batch.places();
        let mut text = String::new();
        for (damage, at, len) in &rest.damage {
            let place = places.place(*at);
            let mut found = tridex_archive::replay::damage(*damage, *at, *len);
            (found.line, found.column) = (place.line, place.column);
            self.tally.stray(&found);
            diagnose::draw(&mut text, paint, source, 0, &found, &places);
        }
        if args.format == TableFormat::Text {
            self.text.extend_from_slice(text.as_bytes());
        } else {
            self.aside.push_str(&text);
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
        if report.outcome == "*" {
            String::new()
        } else {
            format!(" ({})", report.outcome)
        }
    )
}

fn csv_line(cells: &[String; 13]) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(cells)?;
    writer
        .into_inner()
        .map_err(|fault| io::Error::other(fault.to_string()))
}
