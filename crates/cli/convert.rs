//! `convert`: games written in another notation.

use crate::args::{ConvertArgs, GameFormat, RulesWish, agree};
use crate::diagnose;
use crate::failure::{Exit, Failure};
use crate::input;
use crate::output::{self, Paint};
use crate::survey::{self, Seen};
use std::io::Write;
use tridex_archive::places::Places;
use tridex_archive::printable;
use tridex_archive::record::{Game, Item};
use tridex_archive::write::{self, JsonHead, SheetWriter, TableStyle};
use tridex_notation::{Locale, Program, WriteOptions, WrongFamily, position_string};
use tridex_replay::diagnostic::{Diagnostic, Severity};
use tridex_replay::{
    Converter, Options, Played, Report, Sink, Wording, convert, read, repair_game, write_dialect,
};
use tridex_rules::{Move, Position};

pub(crate) fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    let rules = args.rules.and_then(RulesWish::only);
    agree(rules, args.reading.notation)?;
    agree(rules, Some(args.to))?;
    let style = args.csv.of(args.format == GameFormat::Csv)?;
    output::to_file_or_stdout(&args.output, |out| write_all(args, style, out))
}

fn write_all(args: &ConvertArgs, style: TableStyle, out: &mut dyn Write) -> Result<Exit, Failure> {
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
    let paint = Paint::stderr();
    let work = |source: &str, batch: &_, seen: &mut Seen| {
        let mut pass = Pass::new(source, batch, args, &options, wording, style, paint);
        pass.row_number = seen.before + 1;
        let rest = read(batch, &options, &mut pass);
        seen.tally.add(&pass.seen.tally);
        seen.aside.push_str(&pass.seen.aside);
        seen.fell_short = pass.seen.fell_short;
        seen.stray(source, &rest, batch);
        pass.text
    };
    if args.format == GameFormat::Csv {
        SheetWriter::styled(&mut *out, style)?.finish()?;
    }
    let (_, exit) = survey::run(&args.reading, work, |_, text, _| out.write_all(&text))?;
    Ok(exit)
}

/// Goes through the games of a batch.
struct Pass<'a> {
    /// The games, written.
    text: Vec<u8>,
    seen: Seen,
    converter: Converter,
    source: &'a str,
    number: u64,
    /// The same counted over all sources: in a sheet, games of one number would be one game.
    row_number: u64,
    places: Places<'a>,
    args: &'a ConvertArgs,
    options: &'a Options,
    wording: Wording,
    style: TableStyle,
    paint: Paint,
}

impl<'a> Pass<'a> {
    fn new(
        source: &'a str,
        batch: &'a tridex_archive::split::Batch,
        args: &'a ConvertArgs,
        options: &'a Options,
        wording: Wording,
        style: TableStyle,
        paint: Paint,
    ) -> Self {
        Self {
            text: Vec::new(),
            seen: Seen::default(),
            converter: if args.format == GameFormat::Pgn {
                Converter::new(wording)
            } else {
                Converter::to_games(wording)
            },
            source,
            number: batch.first_game,
            row_number: batch.first_game,
            places: batch.places(),
            args,
            options,
            wording,
            style,
            paint,
        }
    }
}

impl Sink for Pass<'_> {
    const REMARKS: bool = true;
    const STEPS: bool = true;

    fn begin(&mut self, start: &Position) {
        self.converter.begin(start);
    }

    #[inline]
    fn before(&mut self, position: &Position, mv: Move, _is_main: bool) {
        self.converter.before(position, mv);
    }

    #[inline]
    fn after(&mut self, position: &Position, token: &[u8], _is_main: bool) {
        self.converter.after(position, token);
    }

    fn between(&mut self, item: Item<'_>) {
        self.converter.between(item);
    }

    fn unread(&mut self, token: &[u8]) {
        self.converter.unread(token);
    }

    fn game(&mut self, played: &Played<'_>) {
        let done = if played.says_nothing() {
            self.seen.tally.count(played, || None);
            self.finish(played)
        } else {
            self.with_findings(played)
        };
        if let Err(fault) = done {
            self.refuse(&fault, played);
        }
        self.number += 1;
        self.row_number += 1;
    }
}

impl Pass<'_> {
    /// Tells what was found in a game and writes it, corrected if that is asked for.
    fn with_findings(&mut self, played: &Played<'_>) -> Result<(), WrongFamily> {
        let mut found = played.diagnostics();
        let mut mended = None;
        if self.args.repair && found.iter().any(|found| found.suggestion.is_some()) {
            let mut game = played.to_game();
            let report = repair_game(&mut game, played.report(), self.options);
            found.clone_from(&report.diagnostics);
            mended = Some((game, report));
        }
        for finding in &mut found {
            finding.place(&mut self.places);
        }
        let first = found.iter().find(|found| found.severity == Severity::Error);
        let first = first.map(|found| found.code);
        match &mended {
            None => self.seen.tally.count(played, || first),
            Some((_, report)) => self.seen.tally.count_report(report),
        }
        self.tell(&found);
        match mended {
            None => self.finish(played),
            Some((game, report)) => {
                let (converted, _) = convert(&game, self.options, self.wording)?;
                self.write(&converted, &report);
                Ok(())
            }
        }
    }

    fn tell(&mut self, found: &[Diagnostic]) {
        for finding in found {
            if finding.severity != Severity::Info {
                let (source, number, places) = (self.source, self.number, &self.places);
                let aside = &mut self.seen.aside;
                diagnose::draw(aside, self.paint, source, number, finding, places);
            }
        }
    }

    /// Writes the game that was converted while it was followed.
    fn finish(&mut self, played: &Played<'_>) -> Result<(), WrongFamily> {
        if let Some(program) = self.args.dialect {
            self.write_dialect(program, played);
            return Ok(());
        }
        match self.args.format {
            GameFormat::Pgn => self.converter.finish_pgn(played, &mut self.text),
            GameFormat::Ndjson => {
                let game = self.converter.finish_game(played)?;
                let (start, rules) = (played.start(), played.rules());
                let head = JsonHead {
                    source: self.source,
                    game: self.number,
                    rules: rules.name(),
                    notation: self.wording.notation.name(),
                    start: &position_string::to_string(&start.to_setup()),
                };
                // Writing to memory does not fail.
                let _ = write::ndjson(game, &head, &mut self.text);
                Ok(())
            }
            GameFormat::Csv => {
                let game = self.converter.finish_game(played)?;
                let mut sheet = SheetWriter::styled_rows(&mut self.text, self.style);
                // Writing to memory does not fail.
                let written = sheet.write(self.row_number, game);
                let _ = written.and_then(|()| sheet.finish().map(drop));
                Ok(())
            }
        }
    }

    /// Writes a game as another program does.
    fn write_dialect(&mut self, program: Program, played: &Played<'_>) {
        let (kind, said) = match write_dialect(program, played, &mut self.text) {
            Ok(0) => return,
            Ok(left_out) => (
                self.paint.warning("warning"),
                format!(
                    "{left_out} comments, judgements and variations are left out: {} has no place for them",
                    program.title()
                ),
            ),
            Err(fault) => {
                self.seen.fell_short = true;
                (self.paint.error("error"), format!("not written: {fault}"))
            }
        };
        let place = self.places.place(played.at());
        let (line, column, number) = (place.line, place.column, self.number);
        let source = printable(self.source);
        let aside = format!("{source}:{line}:{column}: {kind}: game {number}: {said}\n");
        self.seen.aside.push_str(&aside);
    }

    /// Writes a game that was corrected.
    fn write(&mut self, converted: &Game, report: &Report) {
        // Writing to memory does not fail.
        let _ = match self.args.format {
            GameFormat::Pgn => write::pgn(converted, &mut self.text),
            GameFormat::Ndjson => {
                let head = JsonHead {
                    source: self.source,
                    game: self.number,
                    rules: report.rules.name(),
                    notation: self.wording.notation.name(),
                    start: &position_string::to_string(&report.start.to_setup()),
                };
                write::ndjson(converted, &head, &mut self.text)
            }
            GameFormat::Csv => {
                let mut sheet = SheetWriter::styled_rows(&mut self.text, self.style);
                let written = sheet.write(self.row_number, converted);
                written.and_then(|()| sheet.finish().map(drop))
            }
        };
    }

    fn refuse(&mut self, fault: &WrongFamily, played: &Played<'_>) {
        let place = self.places.place(played.at());
        self.seen.fell_short = true;
        self.seen.aside.push_str(&format!(
            "{}:{}:{}: {}: game {} is played under {} and cannot be written so: {fault}\n",
            printable(self.source),
            place.line,
            place.column,
            self.paint.error("error"),
            self.number,
            played.rules().name(),
        ));
    }
}
