//! `tridex`: reads, checks, converts and finds game scores of three-dimensional chess.
//!
//! One file for each command. Results go to standard output, everything else to standard error.
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | all good |
//! | 1 | the data has problems, such as an invalid game |
//! | 2 | wrong use, or a file that cannot be read or written |
//! | 130, 143 | stopped by Ctrl-C, or by SIGTERM |
#![deny(unsafe_code)]

mod app;
mod commands;
mod failure;
mod io;
mod needs;
mod options;
mod term;

use app::{Cli, Command};
use clap::CommandFactory;
use clap::error::ErrorKind;
use commands::{
    completions, convert, dedupe, export, generate, index, man, moves, openings, perft, plan,
    position, search, serve, show, stats, validate,
};
use failure::{Exit, Failure};
use io::{interrupt, memory};
use std::process::ExitCode;
use term::{settings, terminal};

/// The hint where an argument follows a value that has blanks.
const QUOTES: &str =
    "put a position, moves or a pattern with blanks in quotation marks: --fen '... w - - 0 1'";

fn main() -> ExitCode {
    memory::give_large_blocks_back();
    // clap prints help, version and wrong use, and ends with 0 or 2.
    let (cli, matches) = Cli::read().unwrap_or_else(|fault| {
        let _ = fault.print();
        if fault.kind() == ErrorKind::UnknownArgument && app::lacks_quotes(std::env::args_os()) {
            terminal::complain(QUOTES);
        }
        std::process::exit(fault.exit_code())
    });
    interrupt::watch();
    settings::choose(&cli.common);
    let end = match needs::check(&cli.command, &matches).and_then(|()| run(&cli)) {
        Ok(exit) => exit.into(),
        Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Err(Failure::Stopped) => Exit::HasProblems.into(),
        Err(Failure::Message(message)) => {
            terminal::complain(&message);
            ExitCode::from(2)
        }
    };
    interrupt::exit_code().map_or(end, ExitCode::from)
}

fn run(cli: &Cli) -> Result<Exit, Failure> {
    match &cli.command {
        Command::Convert(args) => convert::run(args),
        Command::Validate(args) => validate::run(args),
        Command::Position(args) => position::run(args),
        Command::Show(args) => show::run(args),
        Command::Moves(args) => moves::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Stats(args) => stats::run(args),
        Command::Dedupe(args) => dedupe::run(args),
        Command::Generate(args) => generate::run(args),
        Command::Index(args) => index::run(args),
        Command::Search(args) => search::run(args),
        Command::Openings(args) => openings::run(args),
        Command::Plan(args) => plan::run(args),
        Command::Export(args) => export::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Completions { shell } => completions::run(*shell, &mut Cli::command()),
        Command::Man { directory } => man::write_all(directory, Cli::command()),
    }
}
