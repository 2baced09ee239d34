//! `convert`: writes games in another notation or format.

use crate::failure::{Failure, Trouble};
use crate::ineffective::{Ineffective, check_captures, check_letters};
use crate::io::output::{self, Rows};
use crate::io::run::{self, Seen};
use crate::options::edits::EditOptions;
use crate::options::reading::Reading;
use crate::options::values::{Format, LOCALE, PROGRAM, TARGET, Target, agree, format, one_of};
use crate::options::writing::{PAWN_CAPTURES, Results};
use crate::session::Session;
use crate::term::report;
use crate::term::terminal::{Paint, named};
use clap::builder::ArgPredicate;
use clap::{ArgAction, Args};
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use tridex_archive::Ordinal;
use tridex_archive::batch::Batch;
use tridex_archive::container::Container;
use tridex_archive::file_name;
use tridex_archive::line_index::{LineColumn, LineIndex};
use tridex_archive::source::Compression;
use tridex_archive::write::{TableRow, push_tag, sheet_heading};
use tridex_core::{
    ArrangedGames, GameArrangement, GameFormat, GameKey, GameOrder, GameTree, HowWritten, Invalid,
    MergedGame, Rewriting, RewrittenGame, RunEvent, Split, SplitBy, TreeMerger, split_tree,
};
use tridex_notation::{Locale, Notation, Program, WriteOptions, WrongFamily};
use tridex_page::{GAMES, PageWriter};
use tridex_replay::Played;
use tridex_replay::finding::Problem;
use tridex_replay::finding::{Finding, Severity, Status};
use tridex_text::printable;

/// The formats of games.
const FORMATS: &[Format] = &[Format::Pgn, Format::Ndjson, Format::Csv, Format::Html];

/// Write games in another notation or format.
#[derive(Args, Debug)]
#[command(mut_arg("from_locale", |arg| arg.alias(None)),
    mut_arg("format", |arg| arg.value_parser(format(FORMATS)).help(
        "Output format [default: extension of --output, else pgn]")),
    after_help = "\
Examples:
  tridex convert sheet.txt --to manual                     to the manual's notation, as PGN
  tridex convert evening/                                  each game to its own system's notation
  tridex convert sheet.csv --from-locale de --to meder     a German score sheet to English letters
  tridex convert old/ --to meder --format ndjson           one JSON line for each game
  tridex convert bad.pgn --repair --output good.pgn        correct slips
  tridex convert bad.pgn --invalid drop --rejects rejects.pgn --output good.pgn
  tridex convert game.pgn --dialect star-trek-tri-dimensional   for another program
  tridex convert old/ --sort date --output all.pgn         in the order of dates
  tridex convert all.pgn --split year --output year.pgn    year-2001.pgn, year-2002.pgn and so on
  tridex convert old/ --merge-tree --output tree.pgn       one tree with counts
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
        default_value_if("dialect", ArgPredicate::IsPresent, "meder"))]
    pub(crate) to: Target,
    /// Language of the piece letters to write [default: en]
    #[arg(long, alias = "locale", value_parser = LOCALE, value_name = "CODE")]
    pub(crate) to_locale: Option<Locale>,
    /// Write games for this program to read
    #[arg(
        long,
        value_parser = PROGRAM,
        value_name = "PROGRAM",
        conflicts_with_all = [
            "to", "to_locale", "pawn_captures", "marks", "no_marks", "figurines", "repair", "no_trace", "source", "format"
        ])]
    pub(crate) dialect: Option<Program>,
    /// Pawn captures in Meder's notation: `aWxb4W` or `axb4W`
    #[arg(long, value_parser = one_of(PAWN_CAPTURES), action = ArgAction::Set, default_value = "full", value_name = "STYLE")]
    pub(crate) pawn_captures: bool,
    /// Always write check and mate marks
    #[arg(long, conflicts_with = "no_marks")]
    pub(crate) marks: bool,
    /// Never write check and mate marks
    #[arg(long)]
    pub(crate) no_marks: bool,
    /// Write pieces as figurines, in notations with piece letters
    #[arg(long)]
    pub(crate) figurines: bool,
    /// Correct up to three slips, if only one correction is legal
    ///
    /// A game is corrected only if there is exactly one way to make the whole game legal. Each correction is reported.
    #[arg(long)]
    pub(crate) repair: bool,
    /// Omit the comments `[%tridex ...]` that mark guesses and corrections
    ///
    /// Such a comment contains the original token, so that `validate` can report it again. Those already in the source are
    /// omitted too.
    #[arg(long)]
    pub(crate) no_trace: bool,
    /// What to do with games that cannot be read or written
    #[arg(long, value_parser = one_of(INVALID), default_value = "keep", value_name = "WHAT")]
    pub(crate) invalid: Invalid,
    #[command(flatten)]
    pub(crate) edits: EditOptions,
    /// Also copy games not read or written whole to this file
    ///
    /// They are copied unchanged, each after a line `% FILE:LINE: game N`. A game without tags gets a tag `Source`, or it
    /// would be read as a part of the game before it. Text in another encoding is converted to UTF-8. PGN
    /// and JSON lines can be read again; rows of a score sheet cannot, for lack of a header.
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Option<PathBuf>,
    /// Also write the findings of `validate --problems` to this file
    ///
    /// One row for each finding, repair, guess, inferred result and rejected game: CSV, or JSON lines if the name ends in
    /// `.ndjson` or `.jsonl`.
    #[arg(long, value_name = "FILE")]
    pub(crate) problems: Option<PathBuf>,
    /// Add a tag `Source` with the file and number of each game
    ///
    /// A game that already has this tag keeps it.
    /// Rejected PGN games get it too.
    #[arg(long)]
    pub(crate) source: bool,
    /// Sort the games
    ///
    /// The games wait in a temporary file until all are read; the memory has only the sort keys. Games without the value
    /// come last, and equal games stay in their order.
    #[arg(long, value_parser = one_of(ORDERS), value_name = "ORDER")]
    pub(crate) sort: Option<GameOrder>,
    /// Reverse the order of --sort
    #[arg(long, requires = "sort")]
    pub(crate) reverse: bool,
    /// Write several files: of N games each, or by a tag
    ///
    /// WHAT is a number of games, `event`, `site`, `player` (each game goes to the files of both players), `year` or
    /// `system`. `--output games.pgn` gives the names: `games-Club Evening.pgn`. Signs that are not safe in names become `_`,
    /// and names that differ only in case, accents or signs get a number. The files appear after all games are read.
    #[arg(long, value_parser = split, value_name = "WHAT", requires = "output", conflicts_with = "no_clobber")]
    pub(crate) split: Option<Split>,
    /// Let --split overwrite existing files
    #[arg(long, requires = "split")]
    pub(crate) force: bool,
    /// Merge games into one tree with counts for each start position
    ///
    /// Each tree is a game with variations, in PGN. Comments have the number of games that reach the position, by any order
    /// of moves, and the tags of each game at its end, so that `--split-tree` restores the games. Comments and variations
    /// of the games are omitted. The tree is in memory.
    #[arg(long, conflicts_with_all = NOT_FOR_TREES)]
    pub(crate) merge_tree: bool,
    /// Split trees into games
    ///
    /// A tree of `--merge-tree` gives the games that were merged. In other games, each line becomes a game.
    #[arg(long, conflicts_with = "merge_tree", conflicts_with_all = NOT_FOR_TREES)]
    pub(crate) split_tree: bool,
    #[command(flatten)]
    pub(crate) results: Results,
}

/// Options that have no effect on trees.
const NOT_FOR_TREES: [&str; 20] = [
    "dialect",
    "to_locale",
    "pawn_captures",
    "marks",
    "no_marks",
    "figurines",
    "repair",
    "no_trace",
    "invalid",
    "strip",
    "names",
    "set",
    "rename",
    "remove",
    "rejects",
    "problems",
    "source",
    "sort",
    "split",
    "format",
];

/// The orders of games.
const ORDERS: &[(&str, GameOrder, &str)] = &[
    ("date", GameOrder::Date, ""),
    ("white", GameOrder::White, ""),
    ("black", GameOrder::Black, ""),
    ("event", GameOrder::Event, ""),
    ("site", GameOrder::Site, ""),
    ("round", GameOrder::Round, ""),
    ("result", GameOrder::Result, ""),
    ("system", GameOrder::System, ""),
    ("plies", GameOrder::Plies, ""),
];

fn split(text: &str) -> Result<Split, String> {
    let names = SplitBy::ALL.map(SplitBy::name).join(", ");
    Split::from_name(text).ok_or_else(|| format!("expected a number of games from 1, or {names}"))
}

/// What to do with games that cannot be read or written.
const INVALID: &[(&str, Invalid, &str)] = &[
    (
        "keep",
        Invalid::Keep,
        "Write the legal part, with a tag `Unreadable`",
    ),
    ("drop", Invalid::Drop, "Skip them"),
    (
        "stop",
        Invalid::Stop,
        "Stop at the first; no file is written",
    ),
];

pub(crate) fn run(args: &ConvertArgs, session: &Session) -> Result<(), Failure> {
    let format = args.format()?;
    let rules = args.reading.only();
    let style = args.results.style();
    let problems = args.problems.as_deref();
    apart("--problems", problems, args)?;
    let table = problems.map(|file| Rows::of_file(file, style));
    let table = table.transpose()?;
    check(args, session, format, table)?;
    agree(rules, args.reading.from)?;
    agree(rules, args.to)?;
    apart("--rejects", args.rejects.as_deref(), args)?;
    if args.merge_tree || args.split_tree {
        return trees(args, session, format);
    }
    let refused = AtomicU64::new(0);
    let write = |out: &mut dyn Write| {
        let keeps = args.results.output.no_clobber;
        let is_stopped =
            output::results_to_file(session, args.rejects.as_deref(), keeps, |rejects| {
                output::to_file(session, problems, keeps, |problems| {
                    write_all(
                        args,
                        session,
                        format,
                        table,
                        &refused,
                        out,
                        (rejects, problems),
                    )
                })
            })?;
        if is_stopped {
            session.complain(
                "stopped at a game that is invalid or cannot be written; use `--invalid keep` or `--invalid drop` to continue",
            );
            return Err(Failure::Stopped);
        }
        let refused = refused.load(Ordering::Relaxed);
        if let Some(file) = args.results.output.path()
            && args.split.is_none()
            && refused > 0
            && args.rejects.is_none()
            && is_input(file, args)
        {
            let file = named(file);
            session.complain(&format!(
                "{file} is not overwritten: games that cannot be written would be lost ({refused}); choose another file, or add --rejects FILE"
            ));
            return Err(Failure::Stopped);
        }
        Ok(())
    };
    match args.split {
        // The files have names of their own.
        Some(_) => write(&mut io::sink()),
        None => args.results.output.write(session, format, write),
    }
}

/// Merges games into trees, or splits trees into games.
fn trees(args: &ConvertArgs, session: &Session, format: Format) -> Result<(), Failure> {
    if format != Format::Pgn {
        return Err(Failure::message(
            "trees and their games are written as PGN; name a file that ends in .pgn",
        ));
    }
    args.results.output.write(session, format, |out| {
        if args.merge_tree {
            let mut merger = TreeMerger::default();
            let add = |part: &mut Vec<MergedGame>, game: &Played<'_>| {
                // A game whose moves cannot be read is reported as invalid.
                if game.is_whole() {
                    part.push(MergedGame::of(game));
                }
            };
            run::count_games(session, &args.reading, add, |part| {
                part.into_iter().for_each(|game| merger.add(game));
            })?;
            for tree in merger.trees(args.to).map_err(Failure::message)? {
                tridex_archive::write::pgn(&tree, out)?;
            }
            if merger.annotated() > 0 {
                session.remark(&format!(
                    "the tree omits the comments and variations of games ({})",
                    merger.annotated()
                ));
            }
            return Ok(());
        }
        let add = |part: &mut Vec<Result<String, WrongFamily>>, game: &Played<'_>| {
            if game.is_whole() {
                let games = split_tree(&GameTree::of(game));
                let notation = args.to.unwrap_or(Notation::of(game.rules()));
                part.extend(games.iter().map(|game| game.to_pgn(notation)));
            }
        };
        let mut written = Ok(());
        run::count_games(session, &args.reading, add, |part| {
            let mut texts = part.into_iter();
            if written.is_ok() {
                written = texts.try_for_each(|text| {
                    let text = text.map_err(Failure::message)?;
                    Ok(out.write_all(text.as_bytes())?)
                });
            }
        })?;
        written
    })
}

/// Refuses options that would have no effect.
fn check(
    args: &ConvertArgs,
    session: &Session,
    format: Format,
    table: Option<Rows>,
) -> Result<(), Failure> {
    let has_csv = format == Format::Csv || table.is_some_and(|table| table.0.is_some());
    args.results.check_csv(session, has_csv)?;
    if args.rejects.is_none() && args.problems.is_none() {
        args.results.output.check(session)?;
    }
    let target = args.to.or(args.reading.only().map(Notation::of));
    check_letters(session, target)?;
    check_captures(session, target)?;
    Ineffective {
        options: &["sort", "split"],
        where_: "on an HTML page",
        instead: "write PGN, and make the page of it",
    }
    .unless(format != Format::Html, session)?;
    if args.split.is_some() && args.results.output.path().is_none() {
        return Err(Failure::message(
            "--split: expected --output FILE, which gives the names of the files, not standard output",
        ));
    }
    Ineffective {
        options: &["figurines"],
        where_: "in a notation without piece letters",
        instead: "omit it, or choose meder or millennium (--to)",
    }
    .unless(target.is_none_or(Notation::has_letters), session)
}

/// Refuses a file for rejects or problems that is also an input, the output, or the other of the two.
fn apart(option: &str, file: Option<&Path>, args: &ConvertArgs) -> Result<(), Failure> {
    let Some(file) = file else {
        return Ok(());
    };
    let refuse = |what: &str| {
        let file = named(file);
        Err(Failure::message(format!("{option} {file}: {what}")))
    };
    if file.as_os_str() == "-" {
        return refuse("expected a file, not standard output");
    }
    let place = output::place(file);
    let sides = [&args.rejects, &args.problems].into_iter().flatten();
    if sides.filter(|side| output::place(side) == place).count() > 1 {
        return refuse("--rejects and --problems name the same file");
    }
    if args.results.output.path().map(output::place) == Some(place.clone()) {
        return refuse("this file is also the output");
    }
    match is_input(file, args) {
        true => refuse("this file is also an input"),
        false => Ok(()),
    }
}

/// Whether a file is one of the inputs, or inside an input folder.
fn is_input(file: &Path, args: &ConvertArgs) -> bool {
    let place = output::place(file);
    // A file that does not exist yet is not among the inputs in a folder.
    args.reading.paths.iter().any(|path| {
        let source = output::place(path);
        place == source || file.exists() && place.starts_with(&source)
    })
}

/// Writes the games. Returns whether a game that is invalid or cannot be written stopped the run.
fn write_all(
    args: &ConvertArgs,
    session: &Session,
    format: Format,
    table: Option<Rows>,
    refused: &AtomicU64,
    out: &mut dyn Write,
    (rejects, problems): (&mut dyn Write, &mut dyn Write),
) -> Result<bool, Failure> {
    let (reading, options) = (&args.reading, args.reading.options());
    let style = args.results.style();
    let rewriting = args.rewriting(format)?;
    let arrangement = GameArrangement::default()
        .order(args.sort)
        .reverse(args.reverse)
        .split(args.split);
    let work = |source: &str, batch: &Batch, before: &Ordinal, seen: &mut Seen| {
        let mut pass = Pass {
            rejects: Vec::new(),
            problems: Vec::new(),
            seen,
            source,
            container: batch.container,
            args,
            table,
            refused,
            paint: session.stderr_paint(),
            arrangement,
            keys: Vec::new(),
        };
        let written = rewriting.batch(source, batch, before, &options, |game, line_index| {
            pass.game(game, line_index);
        });
        for finding in pass.seen.stray(source, &written.damages, batch) {
            pass.problem(None, &finding);
        }
        (written, pass.rejects, pass.problems, pass.keys)
    };
    if let Some(table) = table {
        problems.write_all(&table.heading(Problem::COLUMNS)?)?;
    }
    if format == Format::Csv && args.split.is_none() {
        sheet_heading(style, out)?;
        out.flush()?;
    }
    let mut out = match format {
        _ if !arrangement.is_plain() => {
            Out::Arranged(Box::new(ArrangedGames::new(arrangement)?), out)
        }
        Format::Html => Out::Page(Box::new(PageWriter::new(out, &title(&reading.paths))?)),
        _ => Out::Text(out),
    };
    let (mut is_full, mut is_stopped) = (false, false);
    run::follow(session, reading, work, |done, seen, progress| {
        let (written, rejected, found, keys) = match done {
            RunEvent::Games(_, made) => made,
            RunEvent::Fault(found) => {
                // A file that cannot be read, or only in part, gets a row too.
                if let Some(table) = table {
                    problems.write_all(&table.row(&found.fault.problem(&found.file)))?;
                }
                return Ok(());
            }
        };
        // Print messages about games before their results.
        seen.report(session, progress)?;
        match &mut out {
            Out::Page(page) => {
                let room = GAMES - page.games();
                is_full = written.games.len() > room;
                let mut games = written.games.iter().take(room);
                games.try_for_each(|game| page.add(game))?;
            }
            Out::Text(out) => out.write_all(&written.text)?,
            Out::Arranged(games, _) => {
                let mut start = 0;
                for (key, end) in keys.into_iter().zip(written.ends) {
                    games.push(key, &written.text[start..end])?;
                    start = end;
                }
            }
        }
        rejects.write_all(&rejected)?;
        problems.write_all(&found)?;
        is_stopped = written.is_stopped;
        match is_stopped || is_full {
            true => Err(Failure::Stopped),
            false => Ok(()),
        }
    })?;
    match out {
        Out::Page(page) => drop(page.finish()?),
        Out::Text(_) => {}
        Out::Arranged(..) if is_stopped || session.is_cancelled() => {}
        Out::Arranged(mut games, out) => write_arranged(args, session, format, &mut games, out)?,
    }
    if is_full {
        session.note(Trouble::InData);
        session.complain(&format!(
            "an HTML page holds at most {GAMES} games; the remaining games were not written"
        ));
    }
    Ok(is_stopped)
}

/// Writes games in their order to the output, or to the files of a division.
fn write_arranged(
    args: &ConvertArgs,
    session: &Session,
    format: Format,
    games: &mut ArrangedGames,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let parts = games.parts();
    let Some(base) = args.results.output.path().filter(|_| args.split.is_some()) else {
        let mut parts = parts.iter();
        return parts.try_for_each(|part| Ok(games.write(part, out)?));
    };
    let name = base.file_name().and_then(OsStr::to_str);
    let name = name.ok_or_else(|| {
        Failure::at(
            base,
            "expected a name in UTF-8, to which names of parts are added",
        )
    })?;
    // The name may have an extension, and another one for a compression.
    let (plain, _) = Compression::of_name(name);
    let dot = plain.rfind('.').filter(|at| *at > 0);
    let stem = dot.unwrap_or(plain.len());
    let (stem, end) = name.split_at(stem);
    let files: Vec<PathBuf> = parts
        .iter()
        .map(|part| base.with_file_name(format!("{stem}-{}{end}", part.name)))
        .collect();
    if let Some(file) = files.iter().find(|file| !args.force && file.exists()) {
        return Err(Failure::at(
            file,
            "the file exists, so no file is written; use --force to overwrite such files",
        ));
    }
    for (part, file) in parts.iter().zip(&files) {
        output::to_file(session, Some(file), !args.force, |out| {
            if format == Format::Csv {
                sheet_heading(args.results.style(), out)?;
            }
            Ok(games.write(part, out)?)
        })?;
    }
    Ok(())
}

/// Where games are written: a text, a page, or a store in which they wait for their order.
enum Out<'o> {
    Text(&'o mut dyn Write),
    Arranged(Box<ArrangedGames>, &'o mut dyn Write),
    Page(Box<PageWriter<&'o mut dyn Write>>),
}

/// The title of a page: the files it is made of.
fn title(paths: &[PathBuf]) -> String {
    const NAMED: usize = 3;
    let names = paths.iter().take(NAMED).map(|path| {
        let name = path.file_name().unwrap_or(path.as_os_str());
        file_name::to_text(name)
    });
    let names = names.collect::<Vec<_>>().join(", ");
    let more = if paths.len() > NAMED { ", ..." } else { "" };
    format!("{names}{more}")
}

impl ConvertArgs {
    fn format(&self) -> Result<Format, Failure> {
        match self.dialect {
            Some(_) => Ok(Format::Pgn),
            None => self.results.format(FORMATS),
        }
    }

    fn rewriting(&self, format: Format) -> Result<Rewriting, Failure> {
        let format = match self.dialect {
            Some(program) => GameFormat::Dialect(program),
            None => self.results.game_format(format),
        };
        let write = WriteOptions::default()
            .locale(self.to_locale.unwrap_or(Locale::English))
            .full_pawn_captures(self.pawn_captures)
            .marks((self.marks || self.no_marks).then_some(self.marks));
        let edits = self.edits.edits(!self.no_trace)?;
        let rewriting = Rewriting::default()
            .edits(edits)
            .format(format)
            .to(self.to)
            .write(write)
            .figurines(self.figurines)
            .traces(!self.no_trace)
            .repair(self.repair)
            .invalid(self.invalid)
            .source_tag(self.source);
        Ok(rewriting)
    }
}

/// Reports on the games of a batch.
struct Pass<'a> {
    /// Games that are invalid or cannot be written, as they are in the source.
    rejects: Vec<u8>,
    /// Rows of the table of problems.
    problems: Vec<u8>,
    seen: &'a mut Seen,
    source: &'a str,
    container: Container,
    args: &'a ConvertArgs,
    table: Option<Rows>,
    /// How many games could not be written.
    refused: &'a AtomicU64,
    paint: Paint,
    arrangement: GameArrangement,
    /// The keys of the games, unless they are written in the order in which they are read.
    keys: Vec<GameKey>,
}

impl Pass<'_> {
    fn game(&mut self, game: &RewrittenGame<'_>, line_index: &mut LineIndex<'_>) {
        let (paint, number) = (self.paint, game.played.number());
        if !self.arrangement.is_plain() {
            self.keys.push(self.arrangement.key(game.played));
        }
        let counts = &mut self.seen.tally.counts;
        counts.count(game.status(), game.plies(), game.findings);
        counts.dates.count(game.played.date_hint());
        for finding in game.findings {
            if finding.severity != Severity::Info {
                let aside = &mut self.seen.aside;
                report::draw(aside, paint, self.source, Some(number), finding, line_index);
            }
            self.problem(Some(number), finding);
        }
        if game.status() == Status::Invalid {
            self.reject(game, line_index);
        }
        if let HowWritten::Simplified(omitted) = game.outcome {
            let title = self.args.dialect.map_or("the program", Program::title);
            let why = format!(
                ": {omitted} comments, judgements and variations were omitted: {title} does not support them"
            );
            self.remark(Severity::Warning, game, &why, line_index);
        }
        if let Some(why) = game.refusal() {
            self.seen.has_problems = true;
            self.refused.fetch_add(1, Ordering::Relaxed);
            let (sign, subject) = match game.outcome {
                HowWritten::WrongFamily(_) => (" ", "the game "),
                _ => (": ", ""),
            };
            let mut said = format!("{sign}{why}");
            if let Some(rejects) = &self.args.rejects {
                if game.status() != Status::Invalid {
                    self.copy(game.played, line_index);
                }
                said.push_str(&format!("; copied to {}", named(rejects)));
            }
            self.remark(Severity::Error, game, &said, line_index);
            let finding = game.rejected(Severity::Error, format!("{subject}{why}"), line_index);
            self.problem(Some(number), &finding);
        }
    }

    /// Adds a line about a game to the messages for standard error.
    fn remark(
        &mut self,
        severity: Severity,
        game: &RewrittenGame<'_>,
        why: &str,
        line_index: &mut LineIndex<'_>,
    ) {
        let kind = self.paint.severe(severity, severity.as_str());
        let LineColumn { line, column } = line_index.place(game.played.at());
        let (source, number) = (printable(self.source), game.played.number());
        let aside = format!("{source}:{line}:{column}: {kind}: game {number}{why}\n");
        self.seen.aside.push_str(&aside);
    }

    /// Adds a row to the table of problems.
    fn problem(&mut self, game: Option<u64>, finding: &Finding) {
        if let Some(table) = self.table {
            let problem = Problem::new(self.source, game, finding);
            self.problems.extend(table.row(&problem));
        }
    }

    /// Copies an invalid game to the file of rejects, if there is one, and adds a row about what was done with it.
    fn reject(&mut self, game: &RewrittenGame<'_>, line_index: &mut LineIndex<'_>) {
        let mut done = Vec::new();
        if let Some(rejects) = &self.args.rejects {
            self.copy(game.played, line_index);
            done.push(format!("copied to {}", named(rejects)));
        }
        if game.outcome == HowWritten::Dropped {
            done.push("not converted".to_owned());
        }
        if !done.is_empty() {
            let why = format!("invalid game: {}", done.join(", "));
            let finding = game.rejected(Severity::Warning, why, line_index);
            self.problem(Some(game.played.number()), &finding);
        }
    }

    /// Copies a game to the rejects: a PGN escape line with its place, then its bytes. A game of an archive gets a tag
    /// `Source` if that was requested. It also gets one if it has no tags, because it would otherwise be read as part
    /// of the game before it.
    fn copy(&mut self, played: &Played<'_>, line_index: &mut LineIndex<'_>) {
        let rejects = &mut self.rejects;
        let is_archive = matches!(self.container, Container::Pgn | Container::Movetext);
        let (at, bytes) = played.bytes(is_archive);
        let line = line_index.place(at).line;
        let (source, number) = (printable(self.source), played.number());
        let escape = format!("% {source}:{line}: game {number}\n");
        rejects.extend_from_slice(escape.as_bytes());
        // A comment may come before the tags.
        let has_tags = played.bytes(false).1.starts_with(b"[");
        if is_archive && (self.args.source || !has_tags) {
            let place = format!("{}:{number}", self.source);
            push_tag("Source", &place, rejects);
            if !has_tags {
                rejects.push(b'\n');
            }
        }
        rejects.extend_from_slice(bytes);
        rejects.extend_from_slice(b"\n\n");
    }
}
