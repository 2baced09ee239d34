//! `convert`: games written in another notation.

use crate::args::{ConvertArgs, GameFormat};
use crate::failure::{Exit, Failure};
use crate::input::{self, Job, STOP};
use crate::output::{self, Paint};
use crate::tally::{Progress, Tally};
use crate::diagnose;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tridex_archive::diagnostic::Severity;
use tridex_archive::record::{Game, Recorder};
use tridex_archive::replay::{Options, Report, Wording, convert, repair_game, replay};
use tridex_archive::split::Batch;
use tridex_archive::write::{self, AtomicFile, JsonHead, SheetWriter};
use tridex_archive::{pipeline, printable};
use tridex_notation::{Locale, WriteOptions, position_string};

/// What became of some games.
#[derive(Default)]
struct Answer {
    /// The games, written; for a scoresheet they are written later, in one go.
    text: Vec<u8>,
    games: Vec<(u64, Game)>,
    /// Findings, for standard error.
    findings: String,
    tally: Tally,
    refused: bool,
    failed: Option<String>,
}

pub(crate) fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    input::catch_interrupts();
    match &args.output {
        None => {
            let mut out = output::stdout();
            let exit = write_all(args, &mut out)?;
            out.flush()?;
            Ok(exit)
        }
        Some(path) => {
            let fault = |fault: io::Error| {
                Failure::message(format!("{}: {fault}", printable(&path.to_string_lossy())))
            };
            let mut file = AtomicFile::create(path).map_err(fault)?;
            let exit = write_all(args, &mut file)?;
            if input::interrupted() {
                // What is not whole does not take the name.
                return Ok(exit);
            }
            file.commit().map_err(fault)?;
            Ok(exit)
        }
    }
}

fn write_all(args: &ConvertArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let options = input::options(&args.reading, args.rules, args.from_locale);
    let wording = Wording {
        notation: args.to,
        options: WriteOptions {
            locale: args.locale.unwrap_or(Locale::English),
            full_pawn_captures: args.pawn_captures.is_full(),
            marks: if args.marks {
                Some(true)
            } else if args.no_marks {
                Some(false)
            } else {
                None
            },
        },
    };
    let consumed = Arc::new(AtomicU64::new(0));
    let progress = Progress::start(input::total_bytes(&args.reading), &consumed);
    let paint = Paint::stderr();
    let mut sheet = match args.format {
        GameFormat::Csv => Some(SheetWriter::new(Vec::new())?),
        GameFormat::Pgn | GameFormat::Ndjson => None,
    };
    let mut total = Tally::default();
    let mut exit = Exit::Good;
    let done = pipeline::run(
        input::jobs(&args.reading, &consumed),
        input::threads(&args.reading),
        &STOP,
        |job| work(job, args, &options, wording, paint),
        |answer: Answer| {
            if let Some(fault) = answer.failed {
                exit = Exit::Failed;
                progress.suspend(|| output::complain(&fault));
            }
            if !answer.findings.is_empty() {
                progress.suspend(|| io::stderr().write_all(answer.findings.as_bytes()))?;
            }
            if answer.refused {
                exit = exit.max(Exit::FellShort);
            }
            total.add(&answer.tally);
            progress.show(&total);
            if let Some(sheet) = &mut sheet {
                for (number, game) in &answer.games {
                    sheet.write(*number, game)?;
                }
            }
            out.write_all(&answer.text)
        },
    );
    progress.finish();
    done?;
    if let Some(sheet) = sheet {
        out.write_all(&sheet.finish()?)?;
    }
    if input::interrupted() {
        output::complain(&format!("interrupted after {} games", total.games));
        return Ok(Exit::Failed);
    }
    if total.fell_short() {
        exit = exit.max(Exit::FellShort);
    }
    Ok(exit)
}

fn work(
    job: Job,
    args: &ConvertArgs,
    options: &Options,
    wording: Wording,
    paint: Paint,
) -> Answer {
    match job {
        Job::Failed(fault) => Answer {
            failed: Some(fault),
            ..Answer::default()
        },
        Job::Games(source, batch) => {
            let mut answer = Answer::default();
            let mut number = batch.first_game;
            let mut recorder = Recorder::new(|game: &mut Game| {
                let mut report = replay(game, options);
                if args.repair {
                    report = repair_game(game, report, options);
                }
                answer.game(&source, number, game, report, &batch, args, wording, paint);
                number += 1;
            });
            batch.read(&mut recorder);
            let rest = recorder.into_rest();
            answer.stray(&source, &rest, &batch, paint);
            answer
        }
    }
}

impl Answer {
    #[allow(clippy::too_many_arguments)]
    fn game(
        &mut self,
        source: &str,
        number: u64,
        game: &Game,
        mut report: Report,
        batch: &Batch,
        args: &ConvertArgs,
        wording: Wording,
        paint: Paint,
    ) {
        let mut places = batch.places();
        report.place(&mut places);
        self.tally.count(&report);
        for found in &report.diagnostics {
            if found.severity != Severity::Info {
                diagnose::draw(&mut self.findings, paint, source, number, found, &places);
            }
        }
        let converted = match convert(game, &report, wording) {
            Ok(converted) => converted,
            Err(fault) => {
                let place = places.place(game.at);
                self.refused = true;
                self.findings.push_str(&format!(
                    "{}:{}:{}: {}: game {number} is played under {} and cannot be written so: {fault}\n",
                    printable(source),
                    place.line,
                    place.column,
                    paint.error("error"),
                    report.rules.name(),
                ));
                return;
            }
        };
        // Writing to memory does not fail.
        let _ = match args.format {
            GameFormat::Pgn => write::pgn(&converted, &mut self.text),
            GameFormat::Ndjson => {
                let head = JsonHead {
                    source,
                    game: number,
                    rules: report.rules.name(),
                    notation: wording.notation.name(),
                    start: &position_string::to_string(&report.start.to_setup()),
                };
                write::ndjson(&converted, &head, &mut self.text)
            }
            GameFormat::Csv => {
                self.games.push((number, converted));
                Ok(())
            }
        };
    }

    fn stray(&mut self, source: &str, rest: &Game, batch: &Batch, paint: Paint) {
        let mut places = batch.places();
        for (damage, at, len) in &rest.damage {
            let place = places.place(*at);
            let mut found = tridex_archive::replay::damage(*damage, *at, *len);
            (found.line, found.column) = (place.line, place.column);
            self.tally.stray(&found);
            diagnose::draw(&mut self.findings, paint, source, 0, &found, &places);
        }
    }
}
