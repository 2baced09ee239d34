//! `tridex`: reads, checks, converts and finds game scores of three-dimensional chess.
//!
//! There is one file for each command, in `commands`. Results go to standard output, everything else to standard error.
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | success |
//! | 1 | the data has problems, such as an invalid game |
//! | 2 | wrong use, a file that cannot be read or written, or no file to read |
//! | 130, 143 | stopped by Ctrl-C, or by SIGTERM |
//! | 129 | stopped by SIGHUP |
#![deny(unsafe_code)]

mod app;
mod commands;
mod failure;
mod ineffective;
mod io;
mod options;
mod session;
mod term;

use app::Cli;
use clap::error::ErrorKind;
use failure::{Failure, Trouble};
use io::{interrupt, memory};
use session::Session;
use std::io::IsTerminal as _;
use std::process::ExitCode;
use std::sync::Arc;
use term::settings::When;
use term::terminal::{self, Paint};

/// The hint about an unknown argument that may be part of a value without quotation marks.
const QUOTES: &str =
    "put a position, moves or a pattern with blanks in quotation marks: --fen '... w - - 0 1'";

fn main() -> ExitCode {
    memory::give_large_blocks_back();
    // clap prints help, version and wrong use, and ends with 0 or 2.
    let (cli, matches) = Cli::read().unwrap_or_else(|fault| {
        let _ = fault.print();
        if fault.kind() == ErrorKind::UnknownArgument && app::lacks_quotes(std::env::args_os()) {
            let paint = Paint::new(When::Auto, std::io::stderr().is_terminal());
            terminal::complain(paint, QUOTES);
        }
        std::process::exit(fault.exit_code())
    });
    let interrupt = interrupt::watch();
    let session = Session::new(&cli.common, app::given(matches), Arc::clone(&interrupt));
    let end = match cli.command.run(&session) {
        Ok(()) => session.exit_code(),
        Err(Failure::ClosedPipe) => 0,
        Err(Failure::Stopped) => session.exit_code().max(Trouble::InData as u8),
        Err(Failure::Message(message)) => {
            session.complain(&message);
            Trouble::InFiles as u8
        }
    };
    interrupt.exit_code().unwrap_or(end).into()
}
