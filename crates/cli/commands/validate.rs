//! `validate`: every game replayed, every finding with its place.

use crate::failure::{Exit, Failure};
use crate::io::emit::{self, Row, RowFormat};
use crate::io::fault::Fault;
use crate::io::run::{Going, Seen};
use crate::io::{output, pieces, run};
use crate::options::reading::Reading;
use crate::options::values::{RulesWish, agree};
use crate::options::writing::{CsvStyle, OutputFile, SummaryFormat, TableFormat};
use crate::term::counts::Tally;
use crate::term::style::Paint;
use crate::term::{report, settings, terminal};
use clap::Args;
use serde::Serialize;
use std::io::{self, Write};
use tridex_archive::batch::Batch;
use tridex_archive::game::Damages;
use tridex_archive::places::Places;
use tridex_replay::diagnostic::{Diagnostic, Severity, Status};
use tridex_replay::report::{GameRow, Problem};
use tridex_replay::{Played, Report, each};

/// Replay every game and report errors, with their places and the legal moves there.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tridex validate archive/                                 every game below a folder
  tridex validate archive/ --problems -o problems.csv      a table with one row for each finding
  tridex validate archive/ --errors-only --max-errors 20   the first twenty errors
  tridex validate game.pgn --rules any                     under which systems is it legal?
  tridex validate - --format ndjson < games.pgn            one JSON line for each game
  tridex validate sheet.csv --strict                       ambiguous and foreign moves are errors")]
pub(crate) struct ValidateArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Print one row for each finding, not for each game
    ///
    /// A table in CSV or JSON lines: the place, the code, the message and the legal moves.
    #[arg(long, help_heading = "Results")]
    pub(crate) problems: bool,
    /// Print only invalid games and errors
    #[arg(long, help_heading = "Results")]
    pub(crate) errors_only: bool,
    /// Print a line for every game, also for valid ones
    #[arg(long, conflicts_with_all = ["errors_only", "problems", "quiet"], help_heading = "Results")]
    pub(crate) verbose: bool,
    /// Stop after N errors
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Results")]
    pub(crate) max_errors: Option<u64>,
    /// Stop after the first invalid game
    #[arg(long, conflicts_with = "max_errors", help_heading = "Results")]
    pub(crate) fail_fast: bool,
    /// Format of the counts at the end
    #[arg(long, value_enum, default_value_t = SummaryFormat::Text, value_name = "FORMAT", help_heading = "Results")]
    pub(crate) summary: SummaryFormat,
    /// Output format [default: extension of --output, else text]
    ///
    /// With `--problems` the default is csv. The counts go to standard error, except in text.
    #[arg(
        long,
        short,
        value_enum,
        value_name = "FORMAT",
        help_heading = "Output"
    )]
    pub(crate) format: Option<TableFormat>,
    #[command(flatten)]
    pub(crate) output: OutputFile,
    #[command(flatten)]
    pub(crate) csv: CsvStyle,
}

impl ValidateArgs {
    /// The format of the results.
    pub(crate) fn format(&self) -> TableFormat {
        let of_name = || self.output.form();
        self.format.or_else(of_name).unwrap_or(match self.problems {
            true => TableFormat::Csv,
            false => TableFormat::Text,
        })
    }
}

pub(crate) fn run(args: &ValidateArgs) -> Result<Exit, Failure> {
    let form = Form::of(args)?;
    let write = |out: &mut dyn Write| write_all(args, &form, out);
    emit::to_output(form.format, &args.output, write)
}

fn write_all(args: &ValidateArgs, form: &Form, out: &mut dyn Write) -> Result<Exit, Failure> {
    let options = args.reading.options();
    if form.format != TableFormat::Text {
        out.write_all(&form.heading()?)?;
    }
    let mut left = form.limit;
    let (total, exit) = run::run_until(
        &args.reading,
        &options,
        |source, batch, seen| {
            let mut writer = Writer {
                found: Found::default(),
                source,
                number: 1,
                places: batch.places(),
                form,
            };
            let rest = each(batch, &options, |game| writer.game(game, seen));
            writer.stray(&rest, batch, seen);
            writer.found
        },
        |fault| form.fault(fault),
        |_, mut found, seen, progress| {
            let going = found.cut(&mut left, seen);
            if !found.text.is_empty() {
                progress.suspend(|| out.write_all(&found.text))?;
            }
            Ok(going)
        },
    )?;
    if left == Some(0) {
        let option = if args.fail_fast {
            "--fail-fast"
        } else {
            "--max-errors"
        };
        terminal::remark(&format!(
            "stopped by {option}; the remaining games were not read"
        ));
    }
    // Where no source could be read, the reasons are the whole answer; programs get their zeros.
    let is_table = args.summary == SummaryFormat::Text;
    let is_empty = is_table && exit == Exit::Failed && total.counts.games == 0;
    if !settings::is_quiet() && !is_empty {
        // Standard output has the results alone.
        let is_aside = form.format != TableFormat::Text;
        let summary = match args.summary {
            SummaryFormat::Text if is_aside => total.table(Paint::stderr()),
            SummaryFormat::Text => total.table(form.paint),
            SummaryFormat::Ndjson => {
                let mut counts = total.summary();
                counts.pieces = pieces::taken(&args.reading);
                let mut line = serde_json::to_string(&counts).map_err(Failure::message)?;
                line.push('\n');
                line
            }
        };
        match is_aside {
            true => io::stderr().write_all(summary.as_bytes())?,
            false => out.write_all(summary.as_bytes())?,
        }
    }
    out.flush()?;
    Ok(exit)
}

/// What is written of games, and how.
struct Form {
    format: TableFormat,
    /// A row for each finding, not for each game.
    problems: bool,
    errors_only: bool,
    /// Every game is named.
    verbose: bool,
    /// Whether every system is tried.
    any: bool,
    rows: RowFormat,
    paint: Paint,
    /// After how many errors, or invalid games, nothing more is read.
    limit: Option<u64>,
    /// Whether it is games that are counted.
    by_games: bool,
}

impl Form {
    fn of(args: &ValidateArgs) -> Result<Self, Failure> {
        agree(
            args.reading.rules.and_then(RulesWish::only),
            args.reading.from,
        )?;
        let format = args.format();
        if args.verbose && settings::is_quiet() {
            return Err(Failure::message("--verbose cannot be used with --quiet"));
        }
        Ok(Self {
            format,
            problems: args.problems,
            errors_only: args.errors_only,
            verbose: args.verbose,
            any: args.reading.rules == Some(RulesWish::Any),
            rows: RowFormat {
                is_csv: format == TableFormat::Csv,
                style: args.csv.style(),
            },
            paint: output::paint(&args.output),
            limit: match args.fail_fast {
                true => Some(1),
                false => args.max_errors,
            },
            by_games: args.fail_fast,
        })
    }

    /// What is before the first row.
    fn heading(&self) -> io::Result<Vec<u8>> {
        match self.problems {
            true => self.rows.heading::<Problem<'_>>(),
            false if self.any => self.rows.heading::<UnderAll<'_>>(),
            false => self.rows.heading::<GameRow<'_>>(),
        }
    }

    fn wants(&self, severity: Severity) -> bool {
        !self.errors_only || severity == Severity::Error
    }

    /// What is written of a file that has problems besides those of its games.
    fn fault(&self, fault: &Fault) -> Option<Found> {
        let mut found = Found::default();
        if self.problems && self.wants(fault.severity()) {
            self.rows.push(&fault.problem(), &mut found.text);
        }
        Some(found)
    }

    /// Whether games without findings are not written.
    const fn is_about_findings(&self) -> bool {
        match self.format {
            TableFormat::Text => !self.verbose,
            TableFormat::Ndjson | TableFormat::Csv => self.problems || self.errors_only,
        }
    }
}

/// The row of a game that was tried under every system.
#[derive(Serialize)]
#[serde(transparent)]
struct UnderAll<'r>(GameRow<'r>);

impl Row for UnderAll<'_> {
    fn columns() -> Vec<&'static str> {
        GameRow::COLUMNS.into_iter().chain(["legal"]).collect()
    }

    fn cells(&self) -> Vec<Vec<String>> {
        let legal = self.0.legal.as_ref().map(|legal| legal.join(" "));
        vec![self.0.cells().into_iter().chain(legal).collect()]
    }
}

/// What is written of the games of a batch.
#[derive(Default)]
struct Found {
    text: Vec<u8>,
    /// Where the run may have to stop: the end of the text so far, and the counts of the games so far. No more of
    /// them than there may be errors.
    stops: Vec<(usize, Tally)>,
}

impl Found {
    /// Removes what is after the last error that may be reported; `left` is their number.
    fn cut(&mut self, left: &mut Option<u64>, seen: &mut Seen) -> Going {
        let Some(left) = left else {
            return Going::On;
        };
        let last = usize::try_from(*left).ok().and_then(|n| n.checked_sub(1));
        let Some((end, tally)) = last.and_then(|last| self.stops.get_mut(last)) else {
            *left -= self.stops.len() as u64;
            return Going::On;
        };
        *left = 0;
        self.text.truncate(*end);
        seen.tally = std::mem::take(tally);
        seen.aside.clear();
        Going::Enough
    }
}

/// Writes the findings of the games of a batch.
struct Writer<'a> {
    found: Found,
    source: &'a str,
    number: u64,
    places: Places<'a>,
    form: &'a Form,
}

impl Writer<'_> {
    fn game(&mut self, game: &Played<'_>, seen: &mut Seen) {
        self.number = game.number();
        if self.form.is_about_findings() && game.has_no_findings() {
            seen.tally.count(game, &[]);
        } else {
            // The games come in order, and so do their places; the game's own is before those of its findings.
            let line = self.places.place(game.at()).line;
            let mut report = game.report();
            report.place(&mut self.places);
            seen.tally.count(game, &report.diagnostics);
            self.report(line, &report, seen);
        }
    }

    fn report(&mut self, line: u64, report: &Report, seen: &Seen) {
        let form = self.form;
        if form.problems || form.format == TableFormat::Text {
            for found in report
                .diagnostics
                .iter()
                .filter(|found| form.wants(found.severity))
            {
                self.finding(found);
                if found.severity == Severity::Error && !form.by_games {
                    self.may_stop(&seen.tally);
                }
            }
            if form.verbose {
                let verdict = verdict(self.source, self.number, line, report, form.paint);
                self.found.text.extend_from_slice(verdict.as_bytes());
            }
        } else if !form.errors_only || report.status == Status::Invalid {
            self.row(line, report);
            let errors = report.diagnostics.iter();
            let errors = errors.filter(|found| found.severity == Severity::Error);
            for _ in errors.take(if form.by_games { 0 } else { usize::MAX }) {
                self.may_stop(&seen.tally);
            }
        }
        if form.by_games && report.status == Status::Invalid {
            self.may_stop(&seen.tally);
        }
    }

    /// After what is written now the run may have to stop.
    fn may_stop(&mut self, tally: &Tally) {
        if let Some(limit) = self.form.limit
            && (self.found.stops.len() as u64) < limit
        {
            let end = self.found.text.len();
            self.found.stops.push((end, tally.clone()));
        }
    }

    /// A finding by itself.
    fn finding(&mut self, found: &Diagnostic) {
        let (form, number) = (self.form, self.number);
        match form.format {
            TableFormat::Text => {
                let mut text = String::new();
                report::draw(
                    &mut text,
                    form.paint,
                    self.source,
                    Some(number),
                    found,
                    &self.places,
                );
                self.found.text.extend_from_slice(text.as_bytes());
            }
            TableFormat::Ndjson | TableFormat::Csv => {
                let problem = Problem::new(self.source, Some(number), found);
                form.rows.push(&problem, &mut self.found.text);
            }
        }
    }

    /// The findings of a game, as one row.
    fn row(&mut self, line: u64, report: &Report) {
        let form = self.form;
        let mut row = GameRow::new(self.source, self.number, line, report);
        if form.errors_only {
            row.retain_errors();
        }
        let out = &mut self.found.text;
        match form.any {
            true => form.rows.push(&UnderAll(row.under_all(&report.under)), out),
            false => form.rows.push(&row, out),
        }
    }

    /// Damage that belongs to no game, among the findings, or apart from the rows of games.
    fn stray(&mut self, rest: &Damages, batch: &Batch, seen: &mut Seen) {
        let form = self.form;
        if form.format != TableFormat::Text && !form.problems {
            seen.stray(self.source, rest, batch);
            return;
        }
        let mut errors = 0;
        for found in tridex_replay::strays(rest, batch) {
            errors += u64::from(report::counts(&found));
            if !form.wants(found.severity) {
                continue;
            }
            if form.problems {
                let problem = Problem::new(self.source, None, &found);
                form.rows.push(&problem, &mut self.found.text);
            } else {
                let (mut text, places) = (String::new(), batch.places());
                report::draw(&mut text, form.paint, self.source, None, &found, &places);
                self.found.text.extend_from_slice(text.as_bytes());
            }
        }
        seen.tally.counts.damage += errors + rest.more();
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
