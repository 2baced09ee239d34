//! `convert`: games written in another notation.

use crate::failure::{Exit, Failure};
use crate::io::fault::Fault;
use crate::io::run::{Going, Seen};
use crate::io::{output, run};
use crate::options::reading::Reading;
use crate::options::values::{LOCALE, PROGRAM, RulesWish, TARGET, Target, agree};
use crate::options::writing::{CsvStyle, OutputFile, PawnCaptures};
use crate::term::rows::ProblemTable;
use crate::term::style::Paint;
use crate::term::{report, terminal};
use clap::builder::ArgPredicate;
use clap::{Args, ValueEnum};
use std::cell::Cell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tridex_archive::batch::Batch;
use tridex_archive::container::Container;
use tridex_archive::places::Places;
use tridex_archive::write::{self, JsonHead, SheetWriter, TableStyle, push_tag};
use tridex_archive::{Game, Ordinal, printable};
use tridex_notation::{Locale, Program, WriteOptions, WrongFamily, position_string};
use tridex_page::{GAMES, PageGame, PageWriter, Spelling};
use tridex_replay::diagnostic::{Code, Diagnostic, Severity, Status};
use tridex_replay::report::Problem;
use tridex_replay::{
    Converter, Converts, Options, Played, Report, Wording, read_converting, repair_with,
    write_dialect,
};
use tridex_rules::RuleSystem;

/// Write games in another notation or format.
#[derive(Args, Debug)]
#[command(mut_arg("from_locale", |arg| arg.alias(None)),
    after_help = "\
Examples:
  tridex convert sheet.txt --to manual                     to the manual's notation, as PGN
  tridex convert evening/                                  each game to its own system's notation
  tridex convert sheet.csv --from-locale de --to meder     a German score sheet to English letters
  tridex convert old/ --to meder --format ndjson           every game of a folder, one JSON line each
  tridex convert bad.pgn --repair --output good.pgn        correct slips
  tridex convert bad.pgn --invalid drop --rejects rejects.pgn --output good.pgn
  tridex convert game.pgn --dialect star-trek-tri-dimensional   for another program
  tridex convert game.pgn -o game.html                     a page to play it through, for a friend
  cat game.pgn | tridex convert - --to chess3")]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Notation to write; `own` is that of each game's rule system
    #[arg(
        long,
        value_parser = TARGET,
        value_name = "NOTATION",
        default_value = "own",
        default_value_if("dialect", ArgPredicate::IsPresent, "meder"), help_heading = "Output")]
    pub(crate) to: Target,
    /// Language of the piece letters to write [default: en]
    #[arg(long, alias = "locale", value_parser = LOCALE, value_name = "CODE", help_heading = "Output")]
    pub(crate) to_locale: Option<Locale>,
    /// Write games for this program to read
    #[arg(
        long,
        value_parser = PROGRAM,
        value_name = "PROGRAM",
        conflicts_with_all = [
            "to", "to_locale", "pawn_captures", "marks", "no_marks", "figurines", "repair", "no_trace", "source", "format"
        ], help_heading = "Output")]
    pub(crate) dialect: Option<Program>,
    /// Pawn captures in Meder's notation: `aWxb4W` or `axb4W`
    #[arg(long, value_enum, default_value_t = PawnCaptures::Full, value_name = "STYLE", help_heading = "Output")]
    pub(crate) pawn_captures: PawnCaptures,
    /// Always write check and mate marks
    #[arg(long, conflicts_with = "no_marks", help_heading = "Output")]
    pub(crate) marks: bool,
    /// Never write check and mate marks
    #[arg(long, help_heading = "Output")]
    pub(crate) no_marks: bool,
    /// Write pieces as figurines, in notations with piece letters
    #[arg(long, help_heading = "Output")]
    pub(crate) figurines: bool,
    /// Correct up to three slips, if only one correction is legal
    ///
    /// A game is corrected if exactly one way to correct it makes all of it legal. Each correction is reported.
    #[arg(long, help_heading = "Output")]
    pub(crate) repair: bool,
    /// Omit the comments `[%tridex ...]` that mark guesses and corrections
    ///
    /// Such a comment holds the token of the source, and `validate` reports it again. Those of the source are omitted too.
    #[arg(long, help_heading = "Output")]
    pub(crate) no_trace: bool,
    /// What to do with games that cannot be read completely
    #[arg(long, value_enum, default_value_t = InvalidGames::Keep, value_name = "WHAT", help_heading = "Output")]
    pub(crate) invalid: InvalidGames,
    /// Also copy invalid games, unchanged, to this file
    ///
    /// A line `% FILE:LINE: game N` before each names its place. Text in another encoding is copied as UTF-8. An archive, and
    /// lines of JSON, can be read again; rows of a score sheet have lost their header.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) rejects: Option<PathBuf>,
    /// Also write the findings of `validate --problems` to this file
    ///
    /// One row for each finding, repair, guess, inferred result and rejected game: CSV, or JSON lines if the name ends in
    /// `.ndjson` or `.jsonl`.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) problems: Option<PathBuf>,
    /// Add a tag `Source` with the file and number of each game
    ///
    /// Rejected games of archives have it too.
    #[arg(long, help_heading = "Output")]
    pub(crate) source: bool,
    /// Output format [default: extension of --output, else pgn]
    #[arg(long, short, value_enum, default_value_t = ConvertFormat::Pgn, hide_default_value = true, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: ConvertFormat,
    #[command(flatten)]
    pub(crate) output: OutputFile,
    #[command(flatten)]
    pub(crate) csv: CsvStyle,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum InvalidGames {
    /// Write the legal part, with a tag `Unreadable`
    Keep,
    /// Skip them
    Drop,
    /// Stop at the first; no file is written
    Stop,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ConvertFormat {
    /// An archive in PGN
    #[value(alias = "archive")]
    Pgn,
    /// One JSON object a line
    Ndjson,
    /// A score sheet: one row a move
    Csv,
    /// A page for any browser that plays the games through, at most 1,000 of them
    #[value(alias = "page")]
    Html,
}

pub(crate) fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    let rules = args.reading.rules.and_then(RulesWish::only);
    agree(rules, args.reading.from)?;
    agree(rules, args.to.named())?;
    let beside = [
        ("--rejects", args.rejects.as_deref()),
        ("--problems", args.problems.as_deref()),
    ];
    for (option, file) in beside {
        if let Some(file) = file {
            apart(option, file, args)?;
        }
    }
    let style = args.csv.style();
    let table = args
        .problems
        .as_deref()
        .map(|file| ProblemTable::of_file(file, style));
    let is_stopped = Cell::new(false);
    output::to_file_or_stdout(&args.output, |out| {
        let exit = to_side_file(args.rejects.as_deref(), args, |rejects| {
            to_side_file(args.problems.as_deref(), args, |problems| {
                let outs = Outs {
                    games: &mut *out,
                    rejects,
                    problems,
                };
                write_all(args, style, table, outs, &is_stopped)
            })
        })?;
        if is_stopped.get() {
            let goes_on = "use `--invalid keep` or `--invalid drop` to continue";
            terminal::complain(&format!("stopped at the first invalid game; {goes_on}"));
            return Err(Failure::Stopped);
        }
        Ok(exit)
    })
}

/// Where a conversion writes to.
struct Outs<'o> {
    games: &'o mut dyn Write,
    rejects: &'o mut dyn Write,
    problems: &'o mut dyn Write,
}

/// Has a second file written, or nothing if there is none.
fn to_side_file(
    path: Option<&Path>,
    args: &ConvertArgs,
    write: impl FnOnce(&mut dyn Write) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    match path {
        Some(path) => output::to_file(path, args.output.no_clobber, write),
        None => write(&mut io::sink()),
    }
}

/// Refuses a second file that would take the place of a source, of the results or of another.
fn apart(option: &str, file: &Path, args: &ConvertArgs) -> Result<(), Failure> {
    let refuse = |what: &str| {
        let shown = printable(&file.to_string_lossy()).into_owned();
        Err(Failure::message(format!("{option} {shown}: {what}")))
    };
    if file.as_os_str() == "-" {
        return refuse("expected a file, not standard output");
    }
    let place = output::place(file);
    let sides = [&args.rejects, &args.problems].into_iter().flatten();
    if sides.filter(|side| output::place(side) == place).count() > 1 {
        return refuse("--rejects and --problems name the same file");
    }
    if args.output.path().map(output::place) == Some(place.clone()) {
        return refuse("the results are written to this file");
    }
    // A folder holds it only if it is there already.
    let is_read = |path: &PathBuf| {
        let source = output::place(path);
        place == source || file.exists() && place.starts_with(&source)
    };
    match args.reading.paths.iter().any(is_read) {
        true => refuse("this file is also an input"),
        false => Ok(()),
    }
}

fn write_all(
    args: &ConvertArgs,
    style: TableStyle,
    table: Option<ProblemTable>,
    outs: Outs<'_>,
    is_stopped: &Cell<bool>,
) -> Result<Exit, Failure> {
    let options = args.reading.options();
    let wording = Wording {
        notation: args.to.of(RuleSystem::Meder),
        options: WriteOptions {
            locale: args.to_locale.unwrap_or(Locale::English),
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
        pass.seen = Seen::after(seen.before.clone());
        pass.table = table;
        let rest = read_converting(batch, &options, &mut pass);
        for finding in tridex_replay::strays(&rest, batch) {
            pass.problem(None, &finding);
        }
        seen.tally.add(&pass.seen.tally);
        seen.aside.push_str(&pass.seen.aside);
        seen.fell_short = pass.seen.fell_short;
        seen.stray(source, &rest, batch);
        Made {
            text: pass.text,
            games: pass.games,
            rejects: pass.rejects,
            problems: pass.problems,
            is_stopped: pass.is_stopped,
        }
    };
    let Outs {
        games: out,
        rejects,
        problems,
    } = outs;
    if let Some(table) = table {
        problems.write_all(&table.heading()?)?;
    }
    if args.format == ConvertFormat::Csv {
        SheetWriter::styled(&mut *out, style)?.finish()?;
    }
    let mut out = match args.format {
        ConvertFormat::Html => Out::Page(Box::new(PageWriter::new(out, &title(args))?)),
        _ => Out::Text(out),
    };
    let mut is_full = false;
    // A file that is not read, or not as it should be, has a row too.
    let of_file = |fault: &Fault| {
        table.map(|table| {
            let mut made = Made::default();
            table.push(&fault.problem(), &mut made.problems);
            made
        })
    };
    let files = &args.reading;
    let (_, exit) = run::run_until(files, &options, work, of_file, |_, made, seen, progress| {
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
        problems.write_all(&made.problems)?;
        is_stopped.set(made.is_stopped);
        let ends = made.is_stopped || is_full;
        Ok(if ends { Going::Enough } else { Going::On })
    })?;
    if let Out::Page(page) = out {
        page.finish()?;
    }
    if is_full {
        terminal::complain(&format!(
            "an HTML page holds at most {GAMES} games; the remaining games were not written"
        ));
        return Ok(exit.max(Exit::FellShort));
    }
    Ok(exit)
}

/// Where games go: as they were written, or to a page.
enum Out<'o> {
    Text(&'o mut dyn Write),
    Page(Box<PageWriter<&'o mut dyn Write>>),
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
#[derive(Default)]
struct Made {
    text: Vec<u8>,
    games: Vec<PageGame>,
    rejects: Vec<u8>,
    problems: Vec<u8>,
    is_stopped: bool,
}

/// A game that was corrected, converted.
enum Corrected {
    Game(Box<Result<Game<'static>, WrongFamily>>),
    Page(Box<Result<PageGame, WrongFamily>>),
}

/// Goes through the games of a batch.
struct Pass<'a> {
    /// The games, written; or those of a page, which are written in order, in one go.
    text: Vec<u8>,
    games: Vec<PageGame>,
    /// Those that are invalid, as they are in the source.
    rejects: Vec<u8>,
    /// Rows of the table of problems, and its form, if there is one.
    problems: Vec<u8>,
    table: Option<ProblemTable>,
    /// Whether the run is to end here.
    is_stopped: bool,
    seen: Seen,
    /// For games that are written while they are followed, and for those that were repaired.
    converter: Converter,
    again: Converter,
    container: Container,
    source: &'a str,
    batch: &'a Batch,
    number: u64,
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
        batch: &'a Batch,
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
            let converter = match args.no_trace {
                true => converter.without_traces(),
                false => converter,
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
            problems: Vec::new(),
            table: None,
            is_stopped: false,
            seen: Seen::after(Ordinal::known(0)),
            converter: finish(if args.format == ConvertFormat::Pgn {
                Converter::new(wording)
            } else {
                Converter::to_games(wording)
            }),
            again: finish(Converter::to_games(wording)),
            container: batch.container(),
            source,
            batch,
            number: 1,
            places: batch.places(),
            args,
            options,
            wording,
            style,
            paint,
        }
    }
}

impl Converts for Pass<'_> {
    fn converter(&mut self) -> &mut Converter {
        &mut self.converter
    }

    fn game(&mut self, played: &Played<'_>) {
        if self.is_stopped {
            return;
        }
        self.number = played.number();
        let done = if played.says_nothing() {
            self.seen.tally.count(played, || None);
            self.finish(played)
        } else {
            self.with_findings(played)
        };
        if let Err(fault) = done {
            self.refuse(&fault, played);
        }
    }
}

impl Pass<'_> {
    /// Tells what was found in a game and writes it, corrected if that is asked for.
    fn with_findings(&mut self, played: &Played<'_>) -> Result<(), WrongFamily> {
        let mut found = played.diagnostics();
        let mut mended = None;
        if self.args.repair && found.iter().any(|found| found.is_sure) {
            mended = self.repaired(played, &found);
            if let Some((_, report)) = &mended {
                found.clone_from(&report.diagnostics);
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
        for finding in &found {
            self.problem(Some(self.number), finding);
        }
        let status = mended
            .as_ref()
            .map_or(played.status(), |(_, report)| report.status);
        if status == Status::Invalid {
            self.reject(played);
            self.is_stopped = self.args.invalid == InvalidGames::Stop;
            if self.args.invalid != InvalidGames::Keep {
                return Ok(());
            }
        }
        match mended {
            None => self.finish(played),
            Some((Corrected::Page(shown), _)) => {
                self.keep((*shown)?);
                Ok(())
            }
            Some((Corrected::Game(converted), report)) => {
                let mut converted = (*converted)?;
                if let Some(source) = self.source_tag() {
                    converted.set_tag("Source", &source);
                }
                self.write(&converted, &report);
                Ok(())
            }
        }
    }

    /// A game with its one likely correction, as it is to be written, and the report on it.
    fn repaired(
        &mut self,
        played: &Played<'_>,
        found: &[Diagnostic],
    ) -> Option<(Corrected, Report)> {
        let (game, options) = (played.game(), self.options);
        if self.args.format == ConvertFormat::Html {
            let page = |played: &Played<'_>| PageGame::new(played, self.spelling(played.rules()));
            let (shown, report) = repair_with(game, found, options, page)?;
            return Some((Corrected::Page(Box::new(shown)), report));
        }
        let (converted, report) = self.again.repair(game, found, options)?;
        Some((Corrected::Game(Box::new(converted)), report))
    }

    fn tell(&mut self, found: &[Diagnostic]) {
        for finding in found {
            if finding.severity != Severity::Info {
                let (source, number, places) = (self.source, self.number, &self.places);
                let aside = &mut self.seen.aside;
                report::draw(aside, self.paint, source, number, finding, places);
            }
        }
    }

    /// The file and the number of a game, if that is to stand in a tag.
    fn source_tag(&self) -> Option<String> {
        let place = || format!("{}:{}", self.source, self.number);
        self.args.source.then(place)
    }

    /// Adds a row to the table of problems.
    fn problem(&mut self, game: Option<u64>, finding: &Diagnostic) {
        if let Some(table) = self.table {
            table.push(
                &Problem::new(self.source, game, finding),
                &mut self.problems,
            );
        }
    }

    /// Reports in the table that a game is not among the results, or was copied to the rejects.
    fn rejected(&mut self, severity: Severity, played: &Played<'_>, why: String) {
        let mut finding = Diagnostic::of_game(severity, Code::Rejected, played.at(), why);
        finding.place(&mut self.places);
        self.problem(Some(self.number), &finding);
    }

    /// Copies an invalid game to the rejects, if there are some, and reports what was done with it.
    fn reject(&mut self, played: &Played<'_>) {
        let mut done = Vec::new();
        if let Some(rejects) = &self.args.rejects {
            self.copy(played);
            let file = rejects.to_string_lossy();
            done.push(format!("copied to {}", printable(&file)));
        }
        if self.args.invalid != InvalidGames::Keep {
            done.push("not converted".to_owned());
        }
        if !done.is_empty() {
            let why = format!("invalid game: {}", done.join(", "));
            self.rejected(Severity::Warning, played, why);
        }
    }

    /// Copies a game to the rejects: an escape line with its place, as PGN has them, and its bytes. The tag `Source` is added
    /// to a game of an archive if that is requested, and if it has no tags: else it would continue the game before it.
    fn copy(&mut self, played: &Played<'_>) {
        let is_archive = matches!(self.container, Container::Pgn | Container::Movetext);
        let (at, bytes) = played.bytes(is_archive);
        let line = self.places.place(at).line;
        let (source, number) = (printable(self.source), self.number);
        let escape = format!("% {source}:{line}: game {number}\n");
        self.rejects.extend_from_slice(escape.as_bytes());
        // They may follow a comment.
        let has_tags = played.bytes(false).1.starts_with(b"[");
        if is_archive && (self.args.source || !has_tags) {
            let place = format!("{}:{number}", self.source);
            push_tag("Source", &place, &mut self.rejects);
            if !has_tags {
                self.rejects.push(b'\n');
            }
        }
        self.rejects.extend_from_slice(bytes);
        self.rejects.extend_from_slice(b"\n\n");
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
                let number = self.row_number();
                let game = self.converter.finish_game(played)?;
                let mut sheet = SheetWriter::styled_rows(&mut self.text, self.style);
                // Writing to memory does not fail.
                let written = sheet.write(number, game);
                let _ = written.and_then(|()| sheet.finish().map(drop));
                Ok(())
            }
        }
    }

    /// The number of the game counted over all sources: in a sheet, games of one number would be one game.
    fn row_number(&self) -> u64 {
        self.seen.before.get() + 1 + self.number - self.batch.first_game()
    }

    /// Writes a game as another program does.
    fn write_dialect(&mut self, program: Program, played: &Played<'_>) {
        let (kind, said) = match write_dialect(program, played, &mut self.text) {
            Ok(0) => return,
            Ok(left_out) => (
                self.paint.warning("warning"),
                format!(
                    "{left_out} comments, judgements and variations were omitted: {} does not support them",
                    program.title()
                ),
            ),
            Err(fault) => {
                self.seen.fell_short = true;
                let said = format!("not written: {fault}");
                self.rejected(Severity::Error, played, said.clone());
                (self.paint.error("error"), said)
            }
        };
        let place = self.places.place(played.at());
        let (line, column, number) = (place.line, place.column, self.number);
        let source = printable(self.source);
        let aside = format!("{source}:{line}:{column}: {kind}: game {number}: {said}\n");
        self.seen.aside.push_str(&aside);
    }

    /// Writes a game that was corrected.
    fn write(&mut self, converted: &Game<'_>, report: &Report) {
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
                let number = self.row_number();
                let mut sheet = SheetWriter::styled_rows(&mut self.text, self.style);
                let written = sheet.write(number, converted);
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
            traces: !self.args.no_trace,
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
        let rules = played.rules().name();
        let why = format!("is a {rules} game and cannot be written in this notation: {fault}");
        self.seen.aside.push_str(&format!(
            "{}:{}:{}: {}: game {} {why}\n",
            printable(self.source),
            place.line,
            place.column,
            self.paint.error("error"),
            self.number,
        ));
        self.rejected(Severity::Error, played, format!("the game {why}"));
    }
}
