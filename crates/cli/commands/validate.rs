//! `validate`: replays every game, and reports every finding with its place.

use crate::failure::{Failure, Trouble};
use crate::ineffective::Ineffective;
use crate::io::output::Rows;
use crate::io::run::{self, Seen};
use crate::options::reading::Reading;
use crate::options::values::{COUNTS, Format, TABLES, agree, format};
use crate::options::writing::Results;
use crate::session::Session;
use crate::term::counts::Tally;
use crate::term::report;
use crate::term::terminal::Paint;
use clap::Args;
use std::io::Write;
use std::time::Instant;
use tridex_archive::Ordinal;
use tridex_archive::batch::Batch;
use tridex_archive::line_index::LineIndex;
use tridex_archive::write::TableRow;
use tridex_core::RunEvent;
use tridex_replay::GameRow;
use tridex_replay::finding::Problem;
use tridex_replay::finding::{Finding, Severity, Status};
use tridex_replay::{Played, Replay, RulesChoice, each};
use tridex_text::printable;

/// Replay every game and report errors, with their places and the legal moves there.
#[derive(Args, Debug)]
#[command(mut_arg("format", |arg| arg.long_help("\
Output format [default: extension of --output, else text]

With `--problems` the default is csv. The counts go to standard error, except in text.")),
    after_help = "\
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
    #[arg(long, value_parser = format(COUNTS), default_value = "text", value_name = "FORMAT", help_heading = "Results")]
    pub(crate) summary: Format,
    #[command(flatten)]
    pub(crate) results: Results,
}

impl ValidateArgs {
    /// How many errors, or invalid games, are reported before the run stops.
    const fn limit(&self) -> Option<u64> {
        match self.fail_fast {
            true => Some(1),
            false => self.max_errors,
        }
    }

    fn wants(&self, severity: Severity) -> bool {
        !self.errors_only || severity == Severity::Error
    }

    /// Whether every rule system is tried.
    fn is_any(&self) -> bool {
        self.reading.rules == Some(RulesChoice::Any)
    }
}

pub(crate) fn run(args: &ValidateArgs, session: &Session) -> Result<(), Failure> {
    let format = args.results.format(match args.problems {
        true => &[Format::Csv, Format::Ndjson],
        false => TABLES,
    })?;
    args.results.check(session, format)?;
    Ineffective {
        options: &["problems"],
        where_: "in text, because it prints a table",
        instead: "use --format csv or ndjson",
    }
    .unless(format != Format::Text, session)?;
    Ineffective {
        options: &["summary"],
        where_: "with --quiet, which omits the counts",
        instead: "omit one of the two",
    }
    .unless(!session.is_quiet(), session)?;
    agree(args.reading.only(), args.reading.from)?;
    if args.verbose && session.is_quiet() {
        return Err(Failure::message("--verbose cannot be used with --quiet"));
    }
    let write = |out: &mut dyn Write| write_all(args, session, format, out);
    args.results.output.write(session, format, write)
}

fn write_all(
    args: &ValidateArgs,
    session: &Session,
    format: Format,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let since = Instant::now();
    let options = args.reading.options();
    let is_text = format == Format::Text;
    let (rows, paint) = (
        args.results.rows(format),
        args.results.output.paint(session),
    );
    let columns = match args.problems {
        true => Problem::COLUMNS.to_vec(),
        false if args.is_any() => [GameRow::COLUMNS, &["legal"]].concat(),
        false => GameRow::COLUMNS.to_vec(),
    };
    out.write_all(&rows.heading(&columns)?)?;
    let mut left = args.limit();
    let read = |source: &str, batch: &Batch, _: &Ordinal, seen: &mut Seen| {
        let mut writer = Writer {
            found: Found::default(),
            source,
            line_index: batch.line_index(),
            args,
            format,
            rows,
            paint,
        };
        let rest = each(batch, &options, |game| writer.game(game, seen));
        if !is_text && !args.problems {
            // Reported on standard error, so that the output has only rows of games.
            seen.stray(source, &rest, batch);
            return writer.found;
        }
        for found in seen.strays(&rest, batch) {
            writer.finding(None, &found);
        }
        writer.found
    };
    let total = run::follow(session, &args.reading, read, |done, seen, progress| {
        let mut step = Ok(());
        let text = match done {
            RunEvent::Games(_, mut found) => {
                step = found.cut(&mut left, seen);
                found.text
            }
            RunEvent::Fault(found) if args.problems && args.wants(found.fault.severity) => {
                rows.row(&found.fault.problem(&found.file))
            }
            _ => Vec::new(),
        };
        if !text.is_empty() {
            progress.suspend(|| out.write_all(&text))?;
        }
        step
    })?;
    if left == Some(0) {
        let option = match args.fail_fast {
            true => "--fail-fast",
            false => "--max-errors",
        };
        session.remark(&format!(
            "stopped by {option}; the remaining games were not read"
        ));
    }
    // If no source could be read, the error messages are enough for people. Programs still get counts of zero.
    let is_table = args.summary == Format::Text;
    let has_failed = session.is_cancelled() || session.exit_code() == Trouble::InFiles as u8;
    let is_empty = is_table && has_failed && total.counts.games == 0;
    if !session.is_quiet() && !is_empty {
        let summary = if is_table {
            let paint = if is_text {
                paint
            } else {
                session.stderr_paint()
            };
            total.table(since.elapsed().as_secs_f64(), paint)
        } else {
            serde_json::to_string(&total).map_err(Failure::message)? + "\n"
        };
        // In the formats for programs, standard output has only the results.
        match is_text {
            true => out.write_all(summary.as_bytes())?,
            false => std::io::stderr().write_all(summary.as_bytes())?,
        }
    }
    Ok(())
}

/// The output for the games of a batch.
#[derive(Default)]
struct Found {
    text: Vec<u8>,
    /// Where the run may have to stop: the length of the text and the counts at that point. There are at most as many
    /// entries as errors may be reported.
    stops: Vec<(usize, Tally)>,
}

impl Found {
    /// Removes the text after the last error that may be reported. `left` is the number of errors that may still be
    /// reported.
    fn cut(&mut self, left: &mut Option<u64>, seen: &mut Seen) -> Result<(), Failure> {
        let Some(left) = left else {
            return Ok(());
        };
        let last = usize::try_from(*left).ok().and_then(|n| n.checked_sub(1));
        let Some((end, tally)) = last.and_then(|last| self.stops.get_mut(last)) else {
            *left -= self.stops.len() as u64;
            return Ok(());
        };
        *left = 0;
        self.text.truncate(*end);
        seen.tally = std::mem::take(tally);
        seen.aside.clear();
        Err(Failure::Stopped)
    }
}

/// Writes the findings of the games of a batch.
struct Writer<'a> {
    found: Found,
    source: &'a str,
    line_index: LineIndex<'a>,
    args: &'a ValidateArgs,
    format: Format,
    rows: Rows,
    paint: Paint,
}

impl Writer<'_> {
    fn game(&mut self, game: &Played<'_>, seen: &mut Seen) {
        let args = self.args;
        let is_listed = args.problems || self.format == Format::Text;
        let is_about_findings = (is_listed || args.errors_only) && !args.verbose;
        if is_about_findings && game.has_no_findings() {
            seen.tally.count(game, &[]);
            return;
        }
        // Lines must be looked up in order, and the game's own comes before those of its findings.
        let line = self.line_index.place(game.at()).line;
        let mut report = game.to_replay();
        report.place(&mut self.line_index);
        seen.tally.count(game, report.findings());
        let is_invalid = report.status() == Status::Invalid;
        if !is_listed && (!args.errors_only || is_invalid) {
            let mut row = GameRow::new(self.source, game.number(), line, &report);
            if args.errors_only {
                let is_error = |found: &&Finding| found.severity == Severity::Error;
                row.diagnostics.retain(is_error);
            }
            if args.is_any() {
                row = row.under_all(report.under());
            }
            self.found.text.extend(self.rows.row(&row));
        }
        for found in report.findings() {
            if is_listed {
                self.finding(Some(game.number()), found);
            }
            if found.severity == Severity::Error && !args.fail_fast {
                self.may_stop(&seen.tally);
            }
        }
        if args.verbose && is_listed {
            let verdict = verdict(self.source, game.number(), line, &report, self.paint);
            self.found.text.extend_from_slice(verdict.as_bytes());
        }
        if args.fail_fast && is_invalid {
            self.may_stop(&seen.tally);
        }
    }

    /// Notes that the run may have to stop after the text written so far.
    fn may_stop(&mut self, tally: &Tally) {
        let limit = self.args.limit().unwrap_or(0);
        if (self.found.stops.len() as u64) < limit {
            let end = self.found.text.len();
            self.found.stops.push((end, tally.clone()));
        }
    }

    /// Writes one finding. A finding without a game is damage between games.
    fn finding(&mut self, game: Option<u64>, found: &Finding) {
        if !self.args.wants(found.severity) {
            return;
        }
        if self.format == Format::Text {
            let mut text = String::new();
            report::draw(
                &mut text,
                self.paint,
                self.source,
                game,
                found,
                &self.line_index,
            );
            self.found.text.extend_from_slice(text.as_bytes());
        } else {
            let problem = Problem::new(self.source, game, found);
            self.found.text.extend(self.rows.row(&problem));
        }
    }
}

/// One line about a whole game.
fn verdict(source: &str, number: u64, line: u64, report: &Replay, paint: Paint) -> String {
    let status = match report.status() {
        Status::Valid => Severity::Info,
        Status::Warned | Status::Ambiguous => Severity::Warning,
        Status::Invalid => Severity::Error,
    };
    let status = paint.severe(status, report.status().as_str());
    let outcome = report.outcome().map(|outcome| format!(" ({outcome})"));
    format!(
        "{}:{line}:1: game {number}: {status}, {}, {} plies, {}{}\n",
        printable(source),
        report.rules().name(),
        report.moves().len(),
        report.result(),
        outcome.unwrap_or_default()
    )
}
