//! `reconcile`: finds the game that two or three records of it explain best.

use crate::failure::{Failure, Trouble};
use crate::ineffective::{self, Ineffective};
use crate::io::output::{self, Rows};
use crate::io::run;
use crate::options::reading::Reading;
use crate::options::values::{Format, LOCALE, TARGET, Target, agree, format};
use crate::options::writing::Results;
use crate::session::Session;
use crate::term::terminal;
use clap::Args;
use serde::Serialize;
use std::io::{Cursor, Write};
use std::path::PathBuf;
use std::sync::Arc;
use tridex_archive::source::{OpenOptions, Source};
use tridex_archive::write::{TableRow, pgn, sheet_heading};
use tridex_archive::{Game, Ordinal};
use tridex_core::{Invalid, Rewriting};
use tridex_notation::{Locale, Notation, WriteOptions};
use tridex_page::{GAMES, PageWriter};
use tridex_replay::reconcile::{Difference, Reconciled, RecordTraits, pair, reconcile_in};
use tridex_replay::{Options, Style};
use tridex_text::printable;

/// The formats of games.
const FORMATS: &[Format] = &[Format::Pgn, Format::Ndjson, Format::Csv, Format::Html];

/// Find the one game that two or three records of it explain best.
#[derive(Args, Debug)]
#[command(mut_arg("from_locale", |arg| arg.alias(None)),
    mut_arg("format", |arg| arg.value_parser(format(FORMATS)).help(
        "Output format [default: extension of --output, else pgn]")),
    after_help = "\
Both players write a game down, in any notation, language and layout, and each makes slips, omits
moves or stops early. The game that needs the fewest slips is written, with a comment at each move
in which the records differ: A is the first record, B the second. If several moves are likely, all
are named. Different results are reported, and the game gets none. If the files have more than one
game each, records are paired by players, date, round and moves.

The exit code is 0 if everything is decided, and 1 if not.

Examples:
  tridex reconcile white.txt black.txt                     one game from two score sheets
  tridex reconcile white.csv black.pgn arbiter.txt --to meder --output game.pgn
  tridex reconcile white.txt black.txt --problems differences.csv
  tridex reconcile evening/ --dry-run                      which records are of one game?
  tridex reconcile evening/ --output games.pgn             all pairs of a folder")]
pub(crate) struct ReconcileArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Only list which records are of one game
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Notation to write; `own` is that of each game's rule system
    #[arg(long, value_parser = TARGET, value_name = "NOTATION", default_value = "own")]
    pub(crate) to: Target,
    /// Language of the piece letters to write [default: en]
    #[arg(long, alias = "locale", value_parser = LOCALE, value_name = "CODE")]
    pub(crate) to_locale: Option<Locale>,
    /// Omit the comments `[%tridex ...]` that mark undecided moves
    #[arg(long)]
    pub(crate) no_trace: bool,
    /// Also write the differences to this file
    ///
    /// One row for each difference: CSV, or JSON lines if the name ends in `.ndjson` or `.jsonl`.
    #[arg(long, value_name = "FILE")]
    pub(crate) problems: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) results: Results,
}

/// A record that was read.
struct Record {
    place: RecordPlace,
    game: Game<'static>,
    traits: RecordTraits,
}

/// Where a record is.
#[derive(Clone, Debug, Serialize)]
struct RecordPlace {
    source: Arc<str>,
    game: u64,
    line: u64,
    white: String,
    black: String,
}

/// Records of one game.
#[derive(Clone, Debug, Serialize)]
struct Pair {
    /// The number of the game, from 1.
    pair: usize,
    records: Vec<RecordPlace>,
}

/// One row for each record.
impl TableRow for Pair {
    const COLUMNS: &'static [&'static str] =
        &["pair", "record", "source", "game", "line", "white", "black"];

    fn cells(&self) -> Vec<Vec<String>> {
        let rows = self.records.iter().zip('A'..).map(|(place, letter)| {
            vec![
                self.pair.to_string(),
                letter.to_string(),
                place.source.to_string(),
                place.game.to_string(),
                place.line.to_string(),
                place.white.clone(),
                place.black.clone(),
            ]
        });
        rows.collect()
    }
}

/// A difference with the number of its game.
#[derive(Clone, Debug, Serialize)]
struct PairDifference {
    pair: usize,
    #[serde(flatten)]
    difference: Difference,
}

impl TableRow for PairDifference {
    const COLUMNS: &'static [&'static str] = &[
        "pair",
        "ply",
        "number",
        "kind",
        "text",
        "a",
        "a_read_as",
        "b",
        "b_read_as",
        "c",
        "c_read_as",
        "readings",
        "message",
    ];

    fn cells(&self) -> Vec<Vec<String>> {
        let mut rows = self.difference.cells();
        rows.iter_mut()
            .for_each(|row| row.insert(0, self.pair.to_string()));
        rows
    }
}

pub(crate) fn run(args: &ReconcileArgs, session: &Session) -> Result<(), Failure> {
    let format = args.results.format(FORMATS)?;
    let style = args.results.style();
    let problems = args.problems.as_deref();
    let table = problems
        .map(|file| Rows::of_file(file, style))
        .transpose()?;
    check(args, session, format, table)?;
    agree(args.reading.only(), args.reading.from)?;
    agree(args.reading.only(), args.to)?;
    if let (Some(problems), Some(output)) = (problems, args.results.output.path())
        && output::place(problems) == output::place(output)
    {
        return Err(Failure::at(
            problems,
            "--problems and --output name the same file",
        ));
    }
    args.results.output.announce(session);
    let options = args.reading.options();
    let records = read(args, session, &options)?;
    if session.is_cancelled() {
        return Ok(());
    }
    let groups = groups(args, session, &records)?;
    if args.dry_run {
        return list(args, format, &records, &groups);
    }
    let keeps = args.results.output.no_clobber;
    args.results.output.write(session, format, |out| {
        output::to_file(session, problems, keeps, |problems| {
            write_all(
                args,
                session,
                format,
                table,
                (&records, &groups),
                out,
                problems,
            )
        })
    })
}

/// Refuses options that would have no effect.
fn check(
    args: &ReconcileArgs,
    session: &Session,
    format: Format,
    table: Option<Rows>,
) -> Result<(), Failure> {
    let has_csv = format == Format::Csv || table.is_some_and(|table| table.0.is_some());
    args.results.check_csv(session, has_csv)?;
    if args.problems.is_none() {
        args.results.output.check(session)?;
    }
    Ineffective {
        options: &["to", "to-locale", "no-trace", "problems", "output"],
        where_: "with --dry-run, which writes no games",
        instead: "omit one of the two",
    }
    .unless(!args.dry_run, session)?;
    let target = args.to.or(args.reading.only().map(Notation::of));
    ineffective::check_letters(session, target)
}

/// Reads all records.
fn read(
    args: &ReconcileArgs,
    session: &Session,
    options: &Options,
) -> Result<Vec<Record>, Failure> {
    let mut records = Vec::new();
    run::games(
        session,
        &args.reading,
        |source, batch, seen| {
            let (mut games, mut line_index) = (Vec::new(), batch.line_index());
            let rest = tridex_replay::each(batch, options, |game| {
                let name = |player| game.game().tag(player).unwrap_or_default().into_owned();
                games.push((
                    game.number(),
                    line_index.place(game.at()).line,
                    [name("White"), name("Black")],
                    game.game().to_owned_record(),
                    RecordTraits::of(game),
                ));
            });
            seen.stray(source, &rest, batch);
            games
        },
        |source, games| {
            records.extend(
                games
                    .into_iter()
                    .map(|(game, line, names, record, traits)| {
                        let [white, black] = names;
                        Record {
                            place: RecordPlace {
                                source: Arc::clone(source),
                                game,
                                line,
                                white,
                                black,
                            },
                            game: record,
                            traits,
                        }
                    }),
            );
            Ok(())
        },
    )?;
    Ok(records)
}

/// The records of each game. Two or three files with one record each are of one game. Other records are paired, and those
/// without another record of their game are reported.
fn groups(
    args: &ReconcileArgs,
    session: &Session,
    records: &[Record],
) -> Result<Vec<Vec<usize>>, Failure> {
    if records.len() < 2 {
        return Err(Failure::message(format!(
            "expected two or three records of a game, not {}; name a file for each player, or a folder",
            records.len()
        )));
    }
    let of_one_each = args.reading.paths.len() == records.len()
        && records
            .windows(2)
            .all(|pair| pair[0].place.source != pair[1].place.source);
    if of_one_each && records.len() <= 3 {
        return Ok(vec![(0..records.len()).collect()]);
    }
    let traits: Vec<RecordTraits> = records.iter().map(|record| record.traits.clone()).collect();
    let groups = pair(&traits);
    let mut is_paired = vec![false; records.len()];
    for index in groups.iter().flatten() {
        if let Some(paired) = is_paired.get_mut(*index) {
            *paired = true;
        }
    }
    for (record, _) in records.iter().zip(is_paired).filter(|(_, paired)| !paired) {
        session.note(Trouble::InData);
        session.complain(&format!(
            "{}: no other record of this game",
            named(&record.place)
        ));
    }
    Ok(groups)
}

/// The place of a record, for messages.
fn named(place: &RecordPlace) -> String {
    format!(
        "{}:{}:1: game {}",
        printable(&place.source),
        place.line,
        place.game
    )
}

/// Lists the pairs.
fn list(
    args: &ReconcileArgs,
    format: Format,
    records: &[Record],
    groups: &[Vec<usize>],
) -> Result<(), Failure> {
    let pairs = (1..).zip(groups).map(|(number, group)| {
        let records = group.iter().filter_map(|index| records.get(*index));
        Ok(Pair {
            pair: number,
            records: records.map(|record| record.place.clone()).collect(),
        })
    });
    // Games have no text format, so the list is text unless a table is requested.
    let format = if format == Format::Pgn {
        Format::Text
    } else {
        format
    };
    terminal::print(format == Format::Text, |out| {
        args.results.emit(format, out, pairs, |pairs: Vec<Pair>| {
            let lines = pairs.iter().map(|pair| {
                let records = pair.records.iter().map(named).collect::<Vec<_>>();
                format!("{} = {}\n", pair.pair, records.join(" = "))
            });
            lines.collect()
        })
    })
}

/// Reconciles the records of each game, and writes the games and differences.
fn write_all(
    args: &ReconcileArgs,
    session: &Session,
    format: Format,
    table: Option<Rows>,
    (records, groups): (&[Record], &[Vec<usize>]),
    out: &mut dyn Write,
    problems: &mut dyn Write,
) -> Result<(), Failure> {
    let options = args.reading.options();
    let rewriting = Rewriting::default()
        .format(args.results.game_format(format))
        .to(args.to)
        .write(WriteOptions::default().locale(args.to_locale.unwrap_or(Locale::English)))
        .traces(!args.no_trace)
        .invalid(Invalid::Keep);
    if let Some(table) = table {
        problems.write_all(&table.heading(PairDifference::COLUMNS)?)?;
    }
    if format == Format::Csv {
        sheet_heading(args.results.style(), out)?;
    }
    let mut page = match format {
        Format::Html => Some(PageWriter::new(&mut *out, "Reconciled games")?),
        _ => None,
    };
    let mut texts: Vec<Vec<u8>> = Vec::new();
    let mut reconciled = 0_usize;
    let locale = args.to_locale.unwrap_or(Locale::English);
    // The comments name moves as the game is written.
    let output = |rules| {
        let notation = args.to.unwrap_or_else(|| Notation::of(rules));
        Some(Style::of(notation, locale))
    };
    let work = |(number, group): (usize, &Vec<usize>)| {
        let group: Vec<&Record> = group
            .iter()
            .filter_map(|index| records.get(*index))
            .collect();
        let games = group.iter().map(|record| (&record.game, options));
        let found = reconcile_in(&games.collect::<Vec<_>>(), &output);
        let names = group
            .iter()
            .map(|record| &*record.place.source)
            .collect::<Vec<_>>();
        (
            number,
            group.first().map(|first| named(&first.place)),
            names.join(" + "),
            found,
        )
    };
    run::in_order(
        session,
        (1..).zip(groups),
        |_| 1,
        args.reading.threads,
        work,
        |(number, place, source, found)| {
            let found: Reconciled = match found {
                Ok(found) => found,
                Err(why) => {
                    session.note(Trouble::InData);
                    session.complain(&format!("{}: {why}", place.unwrap_or_default()));
                    return Ok(());
                }
            };
            reconciled += 1;
            session.note_if(Trouble::InData, !found.is_decided());
            let differences = found.differences().len();
            let undecided = found
                .differences()
                .iter()
                .filter(|found| found.kind.is_undecided());
            let undecided = undecided.count();
            if differences > 0 && table.is_none() {
                let plural = if differences == 1 { "" } else { "s" };
                session.remark(&format!(
                    "{}: {differences} difference{plural}, {undecided} undecided",
                    place.unwrap_or_default()
                ));
            }
            if let Some(table) = table {
                for difference in found.differences() {
                    let row = PairDifference {
                        pair: number,
                        difference: difference.clone(),
                    };
                    problems.write_all(&table.row(&row))?;
                }
            }
            let mut text = Vec::new();
            pgn(found.game(), &mut text)?;
            let input = Source::Stdin
                .open_reader(Box::new(Cursor::new(text)), &OpenOptions::default())
                .map_err(Failure::message)?;
            for batch in input {
                let batch = batch.map_err(Failure::message)?;
                let before = Ordinal::known(number as u64 - 1);
                let written =
                    rewriting.batch(&source, &batch, &before, &Options::default(), |game, _| {
                        if let Some(why) = game.refusal() {
                            session.note(Trouble::InData);
                            session.complain(&format!("game {number} {why}"));
                        }
                    });
                match &mut page {
                    Some(page) if page.games() < GAMES => {
                        written.games.iter().try_for_each(|game| page.add(game))?;
                    }
                    Some(_) => session.complain(&format!(
                        "an HTML page holds at most {GAMES} games; game {number} was not written"
                    )),
                    None => texts.push(written.text),
                }
            }
            Ok(())
        },
    )?;
    if reconciled == 0 && !session.is_cancelled() {
        if args.results.output.path().is_some() || args.problems.is_some() {
            session.complain("no game was reconciled, so no file is written");
        }
        return Err(Failure::Stopped);
    }
    if let Some(page) = page {
        page.finish()?;
    }
    texts.iter().try_for_each(|text| out.write_all(text))?;
    Ok(())
}
