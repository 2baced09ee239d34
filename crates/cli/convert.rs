//! `convert`: games written in another notation.

use crate::args::{ConvertArgs, ConvertFormat, InvalidGames, RulesWish, Target, agree};
use crate::diagnose;
use crate::failure::{Exit, Failure};
use crate::input;
use crate::output::{self, Paint};
use crate::survey::{self, Going, Seen};
use std::cell::Cell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tridex_archive::container::Container;
use tridex_archive::places::Places;
use tridex_archive::printable;
use tridex_archive::record::{Game, Item};
use tridex_archive::write::{self, JsonHead, SheetWriter, TableStyle};
use tridex_notation::{Locale, Program, WriteOptions, WrongFamily, position_string};
use tridex_page::{GAMES, PageGame, PageWriter, Spelling};
use tridex_replay::diagnostic::{Code, Diagnostic, Severity, Status};
use tridex_replay::{
    Converter, Options, Played, Report, Sink, Wording, read, repair_game, replay_with,
    write_dialect,
};
use tridex_rules::{Move, Position, RuleSystem};

pub(crate) fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    let rules = args.rules.and_then(RulesWish::only);
    agree(rules, args.reading.notation)?;
    agree(rules, args.to.named())?;
    let style = args.csv.of(args.format == ConvertFormat::Csv)?;
    if let Some(rejects) = &args.rejects {
        apart(rejects, args)?;
    }
    let is_stopped = Cell::new(false);
    output::to_file_or_stdout(&args.output, |out| {
        let exit = match &args.rejects {
            Some(path) => output::to_file(path, args.output.no_clobber, |rejects| {
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

/// Refuses a file of rejects that would take the place of a source or of the results.
fn apart(rejects: &Path, args: &ConvertArgs) -> Result<(), Failure> {
    let refuse = |what: &str| {
        let shown = printable(&rejects.to_string_lossy()).into_owned();
        Err(Failure::message(format!("--rejects {shown}: {what}")))
    };
    if rejects.as_os_str() == "-" {
        return refuse("games that are rejected go to a file, not to standard output");
    }
    let place = output::place(rejects);
    if args.output.path().map(output::place) == Some(place.clone()) {
        return refuse("the results go to this file");
    }
    // A folder holds it only if it is there already.
    let is_read = |path: &PathBuf| {
        let source = output::place(path);
        place == source || rejects.exists() && place.starts_with(&source)
    };
    match args.reading.paths.iter().any(is_read) {
        true => refuse("this file is one of those that are read"),
        false => Ok(()),
    }
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
        Made {
            text: pass.text,
            games: pass.games,
            rejects: pass.rejects,
            is_stopped: pass.is_stopped,
        }
    };
    if args.format == ConvertFormat::Csv {
        SheetWriter::styled(&mut *out, style)?.finish()?;
    }
    let mut out = match args.format {
        ConvertFormat::Html => Out::Page(PageWriter::new(out, &title(args))?),
        _ => Out::Text(out),
    };
    let mut is_full = false;
    let (files, none) = (&args.reading, |_: &input::Fault| None);
    let (_, exit) = survey::run_until(files, &options, work, none, |_, made, seen, progress| {
        seen.tell(progress)?;
        match &mut out {
            Out::Page(page) => {
                for game in &made.games {
                    if page.games() == GAMES {
                        is_full = true;
                        break;
                    }
                    page.add(game)?;
                }
            }
            Out::Text(out) => out.write_all(&made.text)?,
        }
        rejects.write_all(&made.rejects)?;
        is_stopped.set(made.is_stopped);
        let ends = made.is_stopped || is_full;
        Ok(if ends { Going::Enough } else { Going::On })
    })?;
    if let Out::Page(page) = out {
        page.finish()?;
    }
    if is_full {
        output::complain(&format!(
            "a page holds {GAMES} games; those behind them are left out"
        ));
        return Ok(exit.max(Exit::FellShort));
    }
    Ok(exit)
}

/// Where games go: as they were written, or to a page.
enum Out<'o> {
    Text(&'o mut dyn Write),
    Page(PageWriter<&'o mut dyn Write>),
}

/// What a page is called: the files it was made from.
fn title(args: &ConvertArgs) -> String {
    let paths = &args.reading.paths;
    let names: Vec<String> = paths
        .iter()
        .take(3)
        .map(|path| {
            let name = path.file_name().unwrap_or(path.as_os_str());
            name.to_string_lossy().into_owned()
        })
        .collect();
    let more = if paths.len() > names.len() {
        ", ..."
    } else {
        ""
    };
    format!("{}{more}", names.join(", "))
}

/// What was made of some games.
struct Made {
    text: Vec<u8>,
    games: Vec<PageGame>,
    rejects: Vec<u8>,
    is_stopped: bool,
}

/// Goes through the games of a batch.
struct Pass<'a> {
    /// The games, written; or those of a page, which are written in order, in one go.
    text: Vec<u8>,
    games: Vec<PageGame>,
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
            games: Vec::new(),
            rejects: Vec::new(),
            is_stopped: false,
            seen: Seen::default(),
            converter: finish(if args.format == ConvertFormat::Pgn {
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
            Some((game, _)) if self.args.format == ConvertFormat::Html => {
                let shown = replay_with(&game, self.options, |played| {
                    PageGame::new(played, self.spelling(played.rules()))
                })?;
                self.keep(shown);
                Ok(())
            }
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
            ConvertFormat::Html => {
                let shown = PageGame::new(played, self.spelling(played.rules()))?;
                self.keep(shown);
                Ok(())
            }
            ConvertFormat::Pgn => self.converter.finish_pgn(played, &mut self.text),
            ConvertFormat::Ndjson => {
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
            ConvertFormat::Csv => {
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
            ConvertFormat::Pgn => write::pgn(converted, &mut self.text),
            ConvertFormat::Ndjson => {
                let head = JsonHead {
                    source: self.source,
                    game: self.number,
                    rules: report.rules.name(),
                    notation: self.args.to.of(report.rules).name(),
                    start: &position_string::to_string(&report.start.to_setup()),
                };
                write::ndjson(converted, &head, &mut self.text)
            }
            ConvertFormat::Csv => {
                let mut sheet = SheetWriter::styled_rows(&mut self.text, self.style);
                let written = sheet.write(self.row_number, converted);
                written.and_then(|()| sheet.finish().map(drop))
            }
            // Kept with what was played.
            ConvertFormat::Html => Ok(()),
        };
    }

    /// How the moves of a game are written on a page.
    fn spelling(&self, rules: RuleSystem) -> Spelling {
        Spelling {
            wording: Wording {
                notation: self.args.to.of(rules),
                ..self.wording
            },
            figurines: self.args.figurines,
        }
    }

    /// Keeps a game for the page.
    fn keep(&mut self, mut game: PageGame) {
        if let Some(source) = self.source_tag() {
            game.set_tag("Source", &source);
        }
        self.games.push(game);
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
