//! The command line: commands and the options of all of them.

use crate::commands::convert::ConvertArgs;
use crate::commands::dedupe::DedupeArgs;
use crate::commands::export::ExportArgs;
use crate::commands::generate::GenerateArgs;
use crate::commands::index::IndexArgs;
use crate::commands::moves::MovesArgs;
use crate::commands::openings::OpeningsArgs;
use crate::commands::perft::PerftArgs;
use crate::commands::plan::PlanArgs;
use crate::commands::position::PositionArgs;
use crate::commands::search::SearchArgs;
use crate::commands::serve::ServeArgs;
use crate::commands::show::ShowArgs;
use crate::commands::stats::StatsArgs;
use crate::commands::validate::ValidateArgs;
use crate::options::common::Common;
use crate::options::writing::OutputFile;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;
use tridex_archive::printable;
use tridex_index::INDEX_VERSION;

/// What `--version` prints: the program, the format of its indices, and the version of the keys of positions in them.
static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{}\nindex format {INDEX_VERSION}\nposition keys {}",
        env!("CARGO_PKG_VERSION"),
        tridex_rules::KEY_VERSION
    )
});

/// Read, validate, convert and search game scores of three-dimensional chess.
#[derive(Parser, Debug)]
#[command(
    name = "tridex",
    version,
    long_version = LONG_VERSION.as_str(),
    propagate_version = true,
    disable_help_flag = true,
    disable_version_flag = true,
    max_term_width = 100
)]
#[command(after_help = "\
Exit codes:
  0         success
  1         the data has problems, such as an invalid game
  2         wrong use, a file that cannot be read or written, or no file to read
  130, 143  stopped by Ctrl-C or SIGTERM

Environment:
  TRIDEX_INDEX  folders of indices for search, openings and serve, if --index is not given
  NO_COLOR      no colours

Examples:
  tridex validate archive/                         check every game below a folder
  tridex convert game.txt --to manual              from Meder's notation to the manual's
  tridex show game.pgn --ply 12                    draw the position after ply 12
  tridex moves --rules millennium                  list the legal moves of the start position
  tridex index archive/ --index games.index        build an index
  tridex search --index games.index --player kirk  search it")]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Reads the command line, and which options are given on it.
    ///
    /// # Errors
    /// What clap prints: help, the version, or what is wrong. Control characters of arguments are escaped in it.
    pub(crate) fn read() -> Result<(Self, ArgMatches), clap::Error> {
        Self::of(std::env::args_os()).map_err(|fault| {
            // The same fault of arguments that can be shown; if they have none, no argument is in its message.
            let shown = |argument: OsString| printable(&argument.to_string_lossy()).into_owned();
            Self::of(std::env::args_os().map(shown))
                .err()
                .unwrap_or(fault)
        })
    }

    fn of<A: Into<OsString> + Clone>(
        arguments: impl Iterator<Item = A>,
    ) -> Result<(Self, ArgMatches), clap::Error> {
        let matches = Self::command().try_get_matches_from(arguments)?;
        let mut cli =
            Self::from_arg_matches(&matches).map_err(|fault| fault.format(&mut Self::command()))?;
        if let Some((_, given)) = matches.subcommand() {
            cli.command.take_form(given);
        }
        Ok((cli, matches))
    }
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Convert(ConvertArgs),
    Validate(ValidateArgs),
    Position(PositionArgs),
    Show(Box<ShowArgs>),
    Moves(MovesArgs),
    Perft(PerftArgs),
    Stats(StatsArgs),
    Dedupe(DedupeArgs),
    Generate(GenerateArgs),
    Index(IndexArgs),
    Search(Box<SearchArgs>),
    Openings(OpeningsArgs),
    Plan(PlanArgs),
    Export(ExportArgs),
    Serve(ServeArgs),
    /// Print completions for a shell.
    Completions {
        /// Name of the shell
        shell: clap_complete::Shell,
    },
    /// Write the man pages to a folder.
    Man {
        /// Existing folder
        directory: PathBuf,
    },
}

impl Command {
    /// Takes the format from the extension of the output file, if no option gives it.
    fn take_form(&mut self, given: &ArgMatches) {
        fn of_name<F: ValueEnum>(format: &mut F, output: &OutputFile, given: &ArgMatches) {
            if given.value_source("format") == Some(ValueSource::DefaultValue)
                && let Some(form) = output.form()
            {
                *format = form;
            }
        }
        match self {
            Self::Convert(args) if args.dialect.is_none() => {
                of_name(&mut args.format, &args.output, given);
            }
            Self::Generate(args) => of_name(&mut args.format, &args.output, given),
            Self::Search(args) if !args.count => of_name(&mut args.format, &args.output, given),
            Self::Stats(args) => of_name(&mut args.format, &args.output, given),
            Self::Openings(args) => of_name(&mut args.format, &args.output, given),
            // `validate` does it itself: what it writes without an option depends on others.
            _ => {}
        }
    }
}

/// Whether the shell may have split a value that has blanks.
pub(crate) fn lacks_quotes(mut arguments: impl Iterator<Item = OsString>) -> bool {
    const WITH_BLANKS: [&str; 7] = [
        "--fen",
        "--position",
        "--from-top",
        "--pattern",
        "--sequence",
        "--moves",
        "--text",
    ];
    arguments.any(|argument| {
        let argument = argument.to_string_lossy();
        let name = argument.split('=').next().unwrap_or_default();
        WITH_BLANKS.contains(&name)
    })
}
