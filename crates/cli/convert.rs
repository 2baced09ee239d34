//! `convert`: games written in another notation.

use crate::args::{ConvertArgs, GameFormat, InvalidGames, RulesWish, Target, agree};
use crate::diagnose;
use crate::failure::{Exit, Failure};
use crate::input;
use crate::output::{self, Paint};
use crate::survey::{self, Going, Seen};
use std::cell::Cell;
use std::io::{self, Write};
use tridex_archive::container::Container;
use tridex_archive::places::Places;
use tridex_archive::printable;
use tridex_archive::record::{Game, Item};
use tridex_archive::write::{self, JsonHead, SheetWriter, TableStyle};
use tridex_notation::{Locale, Program, WriteOptions, WrongFamily, position_string};
use tridex_replay::diagnostic::{Code, Diagnostic, Severity, Status};
use tridex_replay::{
    Converter, Options, Played, Report, Sink, Wording, read, repair_game, write_dialect,
};
use tridex_rules::{Move, Position, RuleSystem};

pub(crate) fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    let rules = args.rules.and_then(RulesWish::only);
    agree(rules, args.reading.notation)?;
    agree(rules, args.to.named())?;
    let style = args.csv.of(args.format == GameFormat::Csv)?;
    let is_stopped = Cell::new(false);
    output::to_file_or_stdout(&args.output, |out| {
        let exit = match &args.rejects {
            Some(path) => output::to_file(path, |rejects| {
                write_all(args, style, out, rejects, &is_stopped)
            }),
            None => write_all(args, style, out, &mut io::sink(), &is_stopped),
        }?;
        if is_stopped.get() {
            let goes_on = "`--invalid keep` or `drop` goes on";
            output::complain(&format!("stopped at the first invalid game; {goes_on}"));
            return Err(Failure::Stopped);
        }
        Ok(exit)
    })
}

fn write_all(
    args: &ConvertArgs,
    style: TableStyle,
    out: &mut dyn Write,
    rejects: &mut dyn Write,
    is_stopped: &Cell<bool>,
) -> Result<Exit, Failure> {
    let options = input::options(&args.reading, args.rules, args.from_locale);
    let wording = Wording {
        notation: args.to.of(RuleSystem::Meder),
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
        (pass.text, pass.rejects, pass.is_stopped)
    };
    if args.format == GameFormat::Csv {
        SheetWriter::styled(&mut *out, style)?.finish()?;
    }
    let (_, exit) = survey::run_until(
        &args.reading,
        work,
        |_, (text, invalid, stops), seen, progress| {
            seen.tell(progress)?;
            out.write_all(&text)?;
            rejects.write_all(&invalid)?;
            is_stopped.set(stops);
            Ok(if stops { Going::Enough } else { Going::On })
        },
    )?;
    Ok(exit)
}

/// Goes through the games of a batch.
struct Pass<'a> {
    /// The games, written.
    text: Vec<u8>,
    /// Those that are invalid, as they stood.
    rejects: Vec<u8>,
    /// Whether the run is to end here.
    is_stopped: bool,
    seen: Seen,
    /// For games that are written while they are followed, and for those that were repaired.
    converter: Converter,
    again: Converter,
    is_pgn: bool,
    source: &'a str,
    number: u64,
    /// The same counted over all sources: in a sheet, games of one number would be one game.
    row_number: u64,
    places: Places<'a>,
    args: &'a ConvertArgs,
    options: &'a Options,
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
        let finish = |converter: Converter| {
            let converter = match args.to {
                Target::Own => converter.in_own(),
                Target::In(_) => converter,
            };
            if args.figurines {
                converter.with_figurines()
            } else {
                converter
            }
        };
        Self {
            text: Vec::new(),
            rejects: Vec::new(),
            is_stopped: false,
            seen: Seen::default(),
            converter: finish(if args.format == GameFormat::Pgn {
                Converter::new(wording)
            } else {
                Converter::to_games(wording)
            }),
            again: finish(Converter::to_games(wording)),
            is_pgn: batch.container() == Container::Pgn,
            source,
            number: batch.first_game,
            row_number: batch.first_game,
            places: batch.places(),
            args,
            options,
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
        if self.is_stopped {
            return;
        }
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
            if report
                .diagnostics
                .iter()
                .any(|found| found.code == Code::Repaired)
            {
                found.clone_from(&report.diagnostics);
                mended = Some((game, report));
            }
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
        let status = mended
            .as_ref()
            .map_or(played.status(), |(_, report)| report.status);
        if status == Status::Invalid {
            if self.args.rejects.is_some() {
                self.reject(played);
            }
            self.is_stopped = self.args.invalid == InvalidGames::Stop;
            if self.args.invalid != InvalidGames::Keep {
                return Ok(());
            }
        }
        match mended {
            None => self.finish(played),
            Some((game, report)) => {
                let (mut converted, _) = self.again.convert(&game, self.options)?;
                if let Some(source) = self.source_tag() {
                    converted.set_tag("Source", &source);
                }
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

    /// The file and the number of a game, if that is to stand in a tag.
    fn source_tag(&self) -> Option<String> {
        let place = || format!("{}:{}", self.source, self.number);
        self.args.source.then(place)
    }

    /// Keeps an invalid game as it stood: byte for byte if it is one of an archive that says where it begins, else its
    /// record.
    fn reject(&mut self, played: &Played<'_>) {
        let bytes = played.bytes().trim_ascii();
        if self.is_pgn && bytes.starts_with(b"[") {
            self.rejects.extend_from_slice(bytes);
            self.rejects.extend_from_slice(b"\n\n");
        } else {
            // Writing to memory does not fail.
            let _ = write::pgn(&played.to_game(), &mut self.rejects);
        }
    }

    /// Writes the game that was converted while it was followed.
    fn finish(&mut self, played: &Played<'_>) -> Result<(), WrongFamily> {
        if let Some(program) = self.args.dialect {
            self.write_dialect(program, played);
            return Ok(());
        }
        if let Some(source) = self.source_tag() {
            self.converter.add_tag("Source", &source);
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
                    notation: self.args.to.of(rules).name(),
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
                    notation: self.args.to.of(report.rules).name(),
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
