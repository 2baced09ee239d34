//! What options need to have an effect: one table for all commands.
//!
//! An option that would be ignored next to others on the command line is refused by name, before anything is read or
//! written. An option that asks for what the command does anyway is not ignored: `--marks` in a notation that always has
//! marks. `tests/data/options.txt` tries every option of every command.

use crate::app::Command;
use crate::commands::convert::ConvertFormat;
use crate::commands::index::STANDARD_INPUT;
use crate::commands::search::{HitFormat, SearchArgs};
use crate::commands::show::ViewName;
use crate::commands::stats::Grouping;
use crate::failure::Failure;
use crate::io::emit::RowFormat;
use crate::io::question;
use crate::options::fields::Saved;
use crate::options::reading::Reading;
use crate::options::values::{RulesWish, Target};
use crate::options::writing::{GameFormat, OutputFile, TableFormat};
use crate::term::settings;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory};
use std::path::{Path, PathBuf};
use tridex_index::{Query, SortKey};
use tridex_notation::Notation;

/// Options that have no effect without something else.
pub(crate) struct Need {
    /// The commands that have the options.
    commands: &'static [&'static str],
    /// The options, by their ids.
    options: &'static [&'static str],
    /// Whether they have an effect.
    is_met: fn(&Command) -> bool,
    /// Where they have none, and what to do: the end of "--option has no effect".
    otherwise: &'static str,
}

/// How the files of a command are read.
const READING: &[&str] = &[
    "strict",
    "from",
    "from_locale",
    "encoding",
    "max_decompressed",
];

/// All needs of all options.
pub(crate) const NEEDS: &[Need] = &[
    Need {
        commands: &[
            "convert", "validate", "stats", "dedupe", "generate", "search", "openings",
        ],
        options: &["csv_delimiter", "bom", "csv_formulas"],
        is_met: writes_csv,
        otherwise: "without a table in CSV; add --format csv",
    },
    Need {
        commands: &[
            "convert", "validate", "position", "moves", "stats", "dedupe", "generate", "search",
            "openings", "plan",
        ],
        options: &["no_clobber"],
        is_met: |command| match command {
            Command::Convert(args) if args.rejects.is_some() || args.problems.is_some() => true,
            _ => output_of(command).is_some_and(|output| output.path().is_some()),
        },
        otherwise: "without a file to write; add --output FILE",
    },
    Need {
        commands: &["show"],
        options: &["no_clobber"],
        is_met: |command| pictures(command).any(|file| file.as_os_str() != "-"),
        otherwise: "without a file to write; add --svg FILE or --png FILE",
    },
    Need {
        commands: &["show"],
        options: &[
            "view",
            "arrange",
            "size",
            "theme",
            "colors",
            "coordinates",
            "highlight",
            "arrow",
            "moves_of",
        ],
        is_met: |command| pictures(command).next().is_some(),
        otherwise: "without a picture; add --svg FILE or --png FILE",
    },
    Need {
        commands: &["show"],
        options: &["arrange"],
        is_met: |command| matches!(command, Command::Show(args) if args.drawn.view == ViewName::Flat),
        otherwise: "on the 3-D view; omit it, or use --view flat",
    },
    Need {
        commands: &["show"],
        options: &["figurines"],
        is_met: |command| pictures(command).next().is_none(),
        otherwise: "on a picture, which always has figurines; omit it",
    },
    Need {
        commands: &["show"],
        options: &["game", "ply", "last_move"],
        is_met: |command| {
            let Command::Show(args) = command else {
                return false;
            };
            args.file.is_some() || !args.which.index.is_empty()
        },
        otherwise: "without a game; name its file, or the folder of its index with --index",
    },
    Need {
        commands: &["show", "position"],
        options: &["from", "from_locale", "encoding"],
        is_met: |command| match command {
            Command::Show(args) => args.file.is_some(),
            Command::Position(args) => args.file.is_some(),
            _ => false,
        },
        otherwise: "without a file; an index stores moves, not their text",
    },
    Need {
        commands: &["convert", "moves", "generate"],
        options: &["to_locale"],
        is_met: |command| target(command) != Some(Notation::Manual),
        otherwise: "in the manual's notation, which has no piece letters; omit it, or choose another notation \
                    (--to)",
    },
    Need {
        commands: &["convert", "moves"],
        options: &["pawn_captures"],
        is_met: |command| target(command).is_none_or(|notation| notation == Notation::Meder),
        otherwise: "outside Meder's notation; omit it, or choose that notation (--to meder)",
    },
    Need {
        commands: &["convert"],
        options: &["figurines"],
        is_met: |command| {
            let has_letters = |notation| matches!(notation, Notation::Meder | Notation::Millennium);
            target(command).is_none_or(has_letters)
        },
        otherwise: "in a notation without piece letters; omit it, or choose meder or millennium (--to)",
    },
    Need {
        commands: &["validate"],
        options: &["problems"],
        is_met: |command| matches!(command, Command::Validate(args) if args.format() != TableFormat::Text),
        otherwise: "in text, because it prints a table; use --format csv or ndjson",
    },
    Need {
        commands: &["validate"],
        options: &["summary"],
        is_met: |_| !settings::is_quiet(),
        otherwise: "with --quiet, which omits the counts; omit one of the two",
    },
    Need {
        commands: &["stats", "export"],
        options: READING,
        is_met: reads_files,
        otherwise: "on games of an index, which stores moves, not their text; omit it, or name files",
    },
    Need {
        commands: &["stats"],
        options: &["rules"],
        is_met: reads_files,
        otherwise: "on games of an index; search them with --query rules:SYSTEM",
    },
    Need {
        commands: &["export"],
        options: &["rules"],
        is_met: reads_files,
        otherwise: "on games of an index, whose rules are stored; omit it, or name files",
    },
    Need {
        commands: &["stats"],
        options: &["names"],
        is_met: |command| {
            matches!(command, Command::Stats(args) if args.by == Some(Grouping::Opening)
                || !args.fields.request.is_empty() && args.index.is_empty())
        },
        otherwise: "without names of openings in the output; add --by opening",
    },
    Need {
        commands: &["dedupe"],
        options: &["format", "players"],
        is_met: |command| matches!(command, Command::Dedupe(args) if reports(&args.output)),
        otherwise: "if games are written to standard output; write them to a file: --output FILE",
    },
    Need {
        commands: &["dedupe"],
        options: &["prefix", "keep", "min_plies"],
        is_met: |command| matches!(command, Command::Dedupe(args) if !args.players || args.output.file.is_some()),
        otherwise: "on a list of names; omit it, or write the games: --output FILE",
    },
    Need {
        commands: &["index"],
        options: READING,
        is_met: reads_files,
        otherwise: "without files to read; name them",
    },
    Need {
        commands: &["index"],
        options: &["rules"],
        is_met: reads_files,
        otherwise: "without files to read; name them",
    },
    Need {
        commands: &["index"],
        options: &["names"],
        is_met: |command| {
            reads_files(command) || matches!(command, Command::Index(args) if args.rename)
        },
        otherwise: "without files to read; name them, or add --rename for the games of the index",
    },
    Need {
        commands: &["index"],
        options: &["variations"],
        is_met: |command| {
            reads_files(command)
                || matches!(command, Command::Index(args) if !args.merge.is_empty())
        },
        otherwise: "without games to add; name their files, or other indices with --merge",
    },
    Need {
        commands: &["index"],
        options: &["name"],
        is_met: |command| {
            let paths = reading(command).map_or(&[][..], |reading| &reading.paths);
            paths.iter().any(|path| path.as_os_str() == STANDARD_INPUT)
        },
        otherwise: "without standard input; add -",
    },
    Need {
        commands: &["search", "openings"],
        options: &["questions"],
        is_met: |command| saved(command).is_some_and(|saved| !saved.ask.is_empty()),
        otherwise: "without the name of a query in the file; add --ask NAME",
    },
    Need {
        commands: &["search", "openings"],
        options: &["ask"],
        is_met: |command| saved(command).is_some_and(|saved| saved.questions.is_some()),
        otherwise: "without the file of saved queries; add --questions FILE",
    },
    Need {
        commands: &["search"],
        options: &["reverse"],
        is_met: |command| matches!(command, Command::Search(args) if args.sort.is_some()),
        otherwise: "without an order to reverse; add --sort WHAT",
    },
    Need {
        commands: &["search"],
        options: &["count"],
        is_met: |command| {
            matches!(command, Command::Search(args)
                if matches!(args.format, HitFormat::Text | HitFormat::Ndjson))
        },
        otherwise: "in this format, which lists games; use --format text or ndjson",
    },
    Need {
        commands: &["search"],
        options: &["mark", "notation"],
        is_met: |command| matches!(command, Command::Search(args) if args.format == HitFormat::Pgn),
        otherwise: "without PGN output; add --format pgn",
    },
    Need {
        commands: &["search"],
        options: &["sort"],
        is_met: |command| {
            !matches!(command, Command::Search(args) if args.sort == Some(SortKey::Ply))
                || is_about_board(command)
        },
        otherwise: "with ply without a search on the board; add a position, moves, a pattern, a sequence or material",
    },
    Need {
        commands: &["search"],
        options: &["mark"],
        is_met: is_about_board,
        otherwise: "without a search on the board; add a position, moves, a pattern, a sequence or material",
    },
    Need {
        commands: &["search"],
        options: &["variations"],
        is_met: |command| matches!(command, Command::Search(args) if asks(args, |query| query.replays() > 0)),
        otherwise: "without --pattern, --sequence, --material or --from-top; positions of variations are found only if the index has them",
    },
    Need {
        commands: &["openings"],
        options: &["boards", "layouts"],
        is_met: |command| matches!(command, Command::Openings(args) if args.format != TableFormat::Csv),
        otherwise: "in CSV, which is a table of moves only; use --format text or ndjson",
    },
];

/// Whether a search asks for something on the board.
fn is_about_board(command: &Command) -> bool {
    let Command::Search(args) = command else {
        return false;
    };
    args.fields.request.has("game") || asks(args, Query::is_about_board)
}

/// Refuses the first option of the command line that would have no effect.
///
/// # Errors
/// The option, why it has none, and what to do.
pub(crate) fn check(command: &Command, matches: &ArgMatches) -> Result<(), Failure> {
    let Some((name, given)) = matches.subcommand() else {
        return Ok(());
    };
    let is_given = |option: &&&str| given.value_source(option) == Some(ValueSource::CommandLine);
    for need in NEEDS.iter().filter(|need| need.commands.contains(&name)) {
        if let Some(option) = need.options.iter().find(is_given)
            && !(need.is_met)(command)
        {
            let long = long_name(name, option);
            let otherwise = need.otherwise;
            return Err(Failure::message(format!(
                "--{long} has no effect {otherwise}"
            )));
        }
    }
    Ok(())
}

/// The name that an option has on the command line.
fn long_name(command: &str, option: &str) -> String {
    let program = super::Cli::command();
    let mut options = program
        .find_subcommand(command)
        .into_iter()
        .flat_map(clap::Command::get_arguments);
    let found = options.find(|known| known.get_id() == option);
    let long = found.and_then(clap::Arg::get_long);
    long.unwrap_or(option).to_owned()
}

fn writes_csv(command: &Command) -> bool {
    match command {
        Command::Convert(args) => {
            let table = args.problems.as_deref();
            args.format == ConvertFormat::Csv || table.is_some_and(RowFormat::is_csv_file)
        }
        Command::Validate(args) => args.format() == TableFormat::Csv,
        Command::Stats(args) => args.format == TableFormat::Csv,
        Command::Dedupe(args) => args.format == TableFormat::Csv && reports(&args.output),
        Command::Generate(args) => args.format == GameFormat::Csv,
        Command::Search(args) => args.format == HitFormat::Csv,
        Command::Openings(args) => args.format == TableFormat::Csv,
        _ => false,
    }
}

/// Whether `dedupe` prints its report: games on standard output take its place.
fn reports(output: &OutputFile) -> bool {
    output.file.is_none() || output.path().is_some()
}

fn output_of(command: &Command) -> Option<&OutputFile> {
    Some(match command {
        Command::Convert(args) => &args.output,
        Command::Validate(args) => &args.output,
        Command::Position(args) => &args.output,
        Command::Moves(args) => &args.output,
        Command::Stats(args) => &args.output,
        Command::Dedupe(args) => &args.output,
        Command::Generate(args) => &args.output,
        Command::Search(args) => &args.output,
        Command::Openings(args) => &args.output,
        Command::Plan(args) => &args.output,
        _ => return None,
    })
}

/// The files of the pictures that `show` draws.
fn pictures(command: &Command) -> impl Iterator<Item = &Path> {
    let files: [&Option<PathBuf>; 2] = match command {
        Command::Show(args) => [&args.drawn.svg, &args.drawn.png],
        _ => [&None, &None],
    };
    files.into_iter().filter_map(|file| file.as_deref())
}

/// The one notation that moves are written in.
fn target(command: &Command) -> Option<Notation> {
    match command {
        Command::Convert(args) => match (args.to, args.reading.rules.and_then(RulesWish::only)) {
            (Target::In(notation), _) => Some(notation),
            (Target::Own, rules) => rules.map(Notation::of),
        },
        Command::Moves(args) => Some(args.to.unwrap_or(Notation::of(args.rules))),
        Command::Generate(args) => Some(args.to.unwrap_or(Notation::of(args.rules))),
        _ => None,
    }
}

fn reading(command: &Command) -> Option<&Reading> {
    Some(match command {
        Command::Stats(args) => &args.reading,
        Command::Export(args) => &args.reading,
        Command::Index(args) => &args.reading,
        _ => return None,
    })
}

/// Whether games are read from files.
fn reads_files(command: &Command) -> bool {
    reading(command).is_some_and(Reading::is_named)
}

fn saved(command: &Command) -> Option<&Saved> {
    match command {
        Command::Search(args) => Some(&args.saved),
        Command::Openings(args) => Some(&args.saved),
        _ => None,
    }
}

/// Whether what a search asks for is of a kind. What cannot be read is refused elsewhere, and so is a game that only an
/// index knows.
fn asks(args: &SearchArgs, is: fn(&Query) -> bool) -> bool {
    let request = question::of(&args.words, &args.fields, &args.saved);
    let query = request
        .ok()
        .and_then(|request| request.query_without_index().ok());
    query.is_none_or(|query| is(&query))
}

#[cfg(test)]
mod tests {
    use super::super::Cli;
    use super::*;
    use std::collections::BTreeSet;

    /// The commands with the long names of their options, those of all commands under `*`.
    fn known() -> BTreeSet<(String, String)> {
        let mut program = Cli::command();
        program.build();
        let mut known = BTreeSet::new();
        for command in program.get_subcommands() {
            for option in command.get_arguments().filter(|arg| !arg.is_positional()) {
                let long = option.get_long().expect("a long name");
                let name = if option.is_global_set() {
                    "*"
                } else {
                    command.get_name()
                };
                if !["help", "version"].contains(&long) {
                    known.insert((name.to_owned(), format!("--{long}")));
                }
            }
        }
        known
    }

    /// No option is added without a call that shows what it does, and none is listed that is not there.
    #[test]
    fn every_option_is_tried() {
        let mut listed = BTreeSet::new();
        let mut command = "";
        for line in include_str!("../../tests/data/options.txt").lines() {
            if let Some(name) = line.strip_prefix("= ") {
                command = name;
            } else if line.starts_with("--") {
                let option = line.split(' ').next().unwrap_or_default();
                assert!(
                    listed.insert((command.to_owned(), option.to_owned())),
                    "{command} {option} twice"
                );
            }
        }
        let known = known();
        let missing: Vec<_> = known.difference(&listed).collect();
        let unknown: Vec<_> = listed.difference(&known).collect();
        assert!(missing.is_empty(), "not tried: {missing:?}");
        assert!(unknown.is_empty(), "not there: {unknown:?}");
    }

    #[test]
    fn every_need_is_of_an_option_that_is_there() {
        let mut program = Cli::command();
        program.build();
        for need in NEEDS {
            for name in need.commands {
                let command = program.find_subcommand(name).expect("a command");
                for option in need.options {
                    let found = command.get_arguments().find(|arg| arg.get_id() == *option);
                    assert!(found.is_some(), "{name} {option}");
                }
            }
        }
    }

    /// A line of help is short; details are in the long help.
    #[test]
    fn every_help_line_is_short() {
        const LONGEST: usize = 12;
        let mut program = Cli::command();
        program.build();
        for command in program.get_subcommands() {
            for option in command.get_arguments() {
                let help = option.get_help().map(ToString::to_string);
                let help = help.unwrap_or_default();
                // Defaults are written after it.
                let line = help.split(" [").next().unwrap_or_default();
                let words = line.split_whitespace().count();
                let (name, option) = (command.get_name(), option.get_id());
                assert!((1..=LONGEST).contains(&words), "{name} {option}: {line}");
                assert!(!line.ends_with('.'), "{name} {option}: {line}");
            }
        }
    }
}
