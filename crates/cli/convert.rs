//! `convert`: games written in another notation.

use crate::args::{ConvertArgs, GameFormat};
use crate::diagnose;
use crate::failure::{Exit, Failure};
use crate::input::{self, Job, STOP};
use crate::output::{self, Paint};
use crate::tally::{Progress, Tally};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tridex_archive::diagnostic::Severity;
use tridex_archive::record::Game;
use tridex_archive::replay::{Converter, Options, Wording, convert, repair_game, replay};
use tridex_archive::split::Batch;
use tridex_archive::swift::{self, Clean, Witness};
use tridex_archive::write::{self, AtomicFile, JsonHead, SheetWriter};
use tridex_archive::{pipeline, printable};
use tridex_notation::{Locale, WriteOptions, WrongFamily, position_string};
use tridex_rules::{Move, Position, RuleSystem};

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

fn work(job: Job, args: &ConvertArgs, options: &Options, wording: Wording, paint: Paint) -> Answer {
    match job {
        Job::Failed(fault) => Answer {
            failed: Some(fault),
            ..Answer::default()
        },
        Job::Games(source, batch) => {
            let mut pass = Pass {
                answer: Answer::default(),
                converter: if args.format == GameFormat::Pgn {
                    Converter::new(wording)
                } else {
                    Converter::to_games(wording)
                },
                source: &source,
                number: batch.first_game,
                batch: &batch,
                args,
                options,
                wording,
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
    converter: Converter,
    source: &'a str,
    number: u64,
    batch: &'a Batch,
    args: &'a ConvertArgs,
    options: &'a Options,
    wording: Wording,
    paint: Paint,
}

impl Witness for Pass<'_> {
    const NEEDS_REMARKS: bool = true;
    const WANTS_BEFORE: bool = true;

    fn begin(&mut self, rules: RuleSystem) {
        self.converter.begin(rules);
    }

    #[inline]
    fn before(&mut self, position: &Position, mv: Move, _token: &[u8]) {
        self.converter.before(position, mv);
    }

    #[inline]
    fn after(&mut self, position: &Position) {
        self.converter.after(position);
    }

    fn clean(&mut self, clean: Clean<'_>) {
        self.answer.tally.count_clean(clean.moves.len());
        let head = Head {
            source: self.source,
            number: self.number,
            rules: clean.start.rules(),
            start: clean.start,
            at: clean.at,
        };
        let done = if self.args.format == GameFormat::Pgn {
            self.converter.write_pgn(&clean, &mut self.answer.text)
        } else {
            let converted = self.converter.finish(&clean);
            converted.map(|game| self.answer.write(game, &head, self.args, self.wording))
        };
        if let Err(fault) = done {
            self.answer.refuse(fault, &head, self.batch, self.paint);
        }
        self.number += 1;
    }

    fn careful(&mut self, game: &mut Game) {
        let mut report = replay(game, self.options);
        if self.args.repair {
            report = repair_game(game, report, self.options);
        }
        let places = &mut self.batch.places();
        report.place(places);
        self.answer.tally.count(&report);
        for found in &report.diagnostics {
            if found.severity != Severity::Info {
                let findings = &mut self.answer.findings;
                diagnose::draw(
                    findings,
                    self.paint,
                    self.source,
                    self.number,
                    found,
                    places,
                );
            }
        }
        let head = Head {
            source: self.source,
            number: self.number,
            rules: report.rules,
            start: &report.start,
            at: game.at,
        };
        match convert(game, &report, self.wording) {
            Ok(converted) => self
                .answer
                .write(&converted, &head, self.args, self.wording),
            Err(fault) => self.answer.refuse(fault, &head, self.batch, self.paint),
        }
        self.number += 1;
    }

    fn stray(&mut self, rest: Game) {
        self.answer
            .stray(self.source, &rest, self.batch, self.paint);
    }
}

/// Which game it is.
struct Head<'a> {
    source: &'a str,
    number: u64,
    rules: RuleSystem,
    start: &'a Position,
    at: u64,
}

impl Answer {
    fn refuse(&mut self, fault: WrongFamily, head: &Head<'_>, batch: &Batch, paint: Paint) {
        let place = batch.places().place(head.at);
        self.refused = true;
        self.findings.push_str(&format!(
            "{}:{}:{}: {}: game {} is played under {} and cannot be written so: {fault}\n",
            printable(head.source),
            place.line,
            place.column,
            paint.error("error"),
            head.number,
            head.rules.name(),
        ));
    }

    fn write(&mut self, converted: &Game, head: &Head<'_>, args: &ConvertArgs, wording: Wording) {
        // Writing to memory does not fail.
        let _ = match args.format {
            GameFormat::Pgn => write::pgn(converted, &mut self.text),
            GameFormat::Ndjson => {
                let head = JsonHead {
                    source: head.source,
                    game: head.number,
                    rules: head.rules.name(),
                    notation: wording.notation.name(),
                    start: &position_string::to_string(&head.start.to_setup()),
                };
                write::ndjson(converted, &head, &mut self.text)
            }
            GameFormat::Csv => {
                self.games.push((head.number, converted.clone()));
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
