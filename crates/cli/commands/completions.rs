//! `completions`: the completions of a shell.

use crate::failure::{Exit, Failure};
use crate::term::terminal;
use std::io::Write;

/// Prints the completions of a shell.
pub(crate) fn run(
    shell: clap_complete::Shell,
    program: &mut clap::Command,
) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, program, "tridex", &mut script);
    let mut out = terminal::stdout(false);
    out.write_all(&script)?;
    out.flush()?;
    Ok(Exit::Good)
}
