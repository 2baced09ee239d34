//! The command line: the commands, and the options that all of them share.

use crate::commands::{
    convert, dedupe, explain, export, generate, index, moves, novelty, openings, perft, plan,
    position, reconcile, report, search, serve, show, stats, validate,
};
use crate::failure::{Failure, worded};
use crate::options::negation;
use crate::session::Session;
use crate::term::settings::Common;
use crate::term::terminal;
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;
use tridex_archive::file_name;
use tridex_index::INDEX_VERSION;
use tridex_text::printable;

/// What `--version` prints: the version of the program, of the index format, and of the position keys.
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
    max_term_width = 100,
    mut_subcommands(|command| command.mut_args(with_heading).mut_subcommands(|job| job.mut_args(with_heading)))
)]
#[command(after_help = "\
Exit codes:
  0         success
  1         the data has problems, such as an invalid game
  2         wrong use, a file that cannot be read or written, or no file to read
  130, 143  stopped by Ctrl-C or SIGTERM
  129       stopped by SIGHUP: its terminal was closed

Environment:
  TRIDEX_INDEX  folders of indices for search, openings and serve, if --index is not given
  NO_COLOR      no colours

Examples:
  tridex validate archive/                         check every game below a folder
  tridex convert game.txt --to manual              from Meder's notation to the manual's
  tridex show game.pgn --ply 12                    draw the position after ply 12
  tridex moves --rules millennium                  list the legal moves of the start position
  tridex explain Rd0KL1                            what a move means, in words
  tridex index archive/ --index games.index        build an index
  tridex search --index games.index --player kirk  search it")]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Parses the command line. The matches show which options were given.
    ///
    /// # Errors
    /// The message that clap prints: the help, the version, or what is wrong. Control characters in arguments are
    /// escaped.
    pub(crate) fn read() -> Result<(Self, ArgMatches), clap::Error> {
        Self::of(std::env::args_os()).map_err(|fault| {
            // Parse the arguments again in printable form, to get a message that is safe to show. If these are valid,
            // the first message contains no argument.
            let shown = |argument: OsString| printable(&file_name::escape(argument)).into_owned();
            Self::of(std::env::args_os().map(shown))
                .err()
                .unwrap_or(fault)
        })
    }

    fn of<A: Into<OsString> + Clone>(
        arguments: impl Iterator<Item = A>,
    ) -> Result<(Self, ArgMatches), clap::Error> {
        let marked = negation::mark(&Self::command(), arguments.map(Into::into));
        let marked = marked.map_err(|(argument, command)| {
            let what = format!(
                "`{}` is part of a query; `{command}` takes one with an index: --query='{}'",
                file_name::escape(&argument),
                file_name::escape(&argument)
            );
            Self::command().error(ErrorKind::UnknownArgument, what)
        })?;
        let matches = Self::command().try_get_matches_from(marked)?;
        let cli = Self::from_arg_matches(&matches);
        let cli = cli.map_err(|fault| fault.format(&mut Self::command()))?;
        Ok((cli, matches))
    }
}

/// Puts options that have no heading under `Output`. Positional arguments get no heading.
fn with_heading(option: Arg) -> Arg {
    match (option.is_positional(), option.get_help_heading()) {
        (true, _) => option.help_heading(None::<&str>),
        (false, None) => option.help_heading("Output"),
        (false, Some(_)) => option,
    }
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Convert(convert::ConvertArgs),
    Validate(validate::ValidateArgs),
    Position(position::PositionArgs),
    Show(Box<show::ShowArgs>),
    Moves(moves::MovesArgs),
    Explain(explain::ExplainArgs),
    Perft(perft::PerftArgs),
    Stats(stats::StatsArgs),
    Dedupe(dedupe::DedupeArgs),
    Reconcile(reconcile::ReconcileArgs),
    Generate(generate::GenerateArgs),
    Index(index::IndexArgs),
    Search(Box<search::SearchArgs>),
    Openings(openings::OpeningsArgs),
    Novelty(novelty::NoveltyArgs),
    Report(report::ReportArgs),
    Plan(plan::PlanArgs),
    Export(export::ExportArgs),
    Serve(serve::ServeArgs),
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
    /// Runs the command to its end.
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        match self {
            Self::Convert(args) => convert::run(args, session),
            Self::Validate(args) => validate::run(args, session),
            Self::Position(args) => position::run(args, session),
            Self::Show(args) => show::run(args, session),
            Self::Moves(args) => moves::run(args, session),
            Self::Explain(args) => explain::run(args, session),
            Self::Perft(args) => perft::run(args, session),
            Self::Stats(args) => stats::run(args, session),
            Self::Dedupe(args) => dedupe::run(args, session),
            Self::Reconcile(args) => reconcile::run(args, session),
            Self::Generate(args) => generate::run(args, session),
            Self::Index(args) => index::run(args, session),
            Self::Search(args) => search::run(args, session),
            Self::Openings(args) => openings::run(args, session),
            Self::Novelty(args) => novelty::run(args, session),
            Self::Report(args) => report::run(args, session),
            Self::Plan(args) => plan::run(args, session),
            Self::Export(args) => export::run(args, session),
            Self::Serve(args) => serve::run(args, session),
            Self::Completions { shell } => {
                let mut script = Vec::new();
                clap_complete::generate(*shell, &mut Cli::command(), "tridex", &mut script);
                Ok(terminal::print(false, |out| out.write_all(&script))?)
            }
            Self::Man { directory } => {
                let written = clap_mangen::generate_to(Cli::command(), directory);
                written.map_err(|fault| Failure::at(directory, worded(&fault)))
            }
        }
    }
}

/// The options that were given to the command.
pub(crate) fn given(mut matches: ArgMatches) -> ArgMatches {
    while let Some((_, given)) = matches.remove_subcommand() {
        matches = given;
    }
    matches
}

/// Whether an option is given whose value may contain blanks, so that the shell may have split it.
pub(crate) fn lacks_quotes(mut arguments: impl Iterator<Item = OsString>) -> bool {
    const WITH_BLANKS: &str = "--fen --position --from-top --pattern --sequence --moves --text";
    arguments.any(|argument| {
        let argument = argument.to_string_lossy();
        let name = argument.split('=').next().unwrap_or_default();
        WITH_BLANKS.split(' ').any(|option| option == name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// All commands, and those of `index`, with their names.
    fn commands(program: &clap::Command) -> Vec<(String, &clap::Command)> {
        let mut all = Vec::new();
        for command in program.get_subcommands() {
            let name = command.get_name();
            let jobs = command.get_subcommands();
            let jobs = jobs.map(|job| (format!("{name} {}", job.get_name()), job));
            all.push((name.to_owned(), command));
            all.extend(jobs.filter(|_| name != "help"));
        }
        all
    }

    /// Each command with the long names of its options. Options of all commands are listed under `*`.
    fn known() -> BTreeSet<(String, String)> {
        let mut program = Cli::command();
        program.build();
        let mut known = BTreeSet::new();
        for (name, command) in commands(&program) {
            for option in command.get_arguments().filter(|arg| !arg.is_positional()) {
                let long = option.get_long().expect("a long name");
                let name = if option.is_global_set() { "*" } else { &name };
                if !["help", "version"].contains(&long) {
                    known.insert((name.to_owned(), format!("--{long}")));
                }
            }
        }
        known
    }

    /// `options.txt` tries every option, and lists no option that does not exist.
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

    /// A line of help is short; details are in the long help.
    #[test]
    fn every_help_line_is_short() {
        const LONGEST: usize = 12;
        let mut program = Cli::command();
        program.build();
        for (name, command) in commands(&program) {
            for option in command.get_arguments() {
                let help = option.get_help().map(ToString::to_string);
                let help = help.unwrap_or_default();
                // The default value follows the help in brackets.
                let line = help.split(" [").next().unwrap_or_default();
                let words = line.split_whitespace().count();
                let option = option.get_id();
                assert!((1..=LONGEST).contains(&words), "{name} {option}: {line}");
                assert!(!line.ends_with('.'), "{name} {option}: {line}");
            }
        }
    }
}
