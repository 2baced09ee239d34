//! `man`: man pages.

use crate::failure::{Exit, Failure};
use clap::Command;
use std::path::Path;

/// Writes a man page for the program and one for each command.
pub(crate) fn write_all(directory: &Path, program: Command) -> Result<Exit, Failure> {
    let written = clap_mangen::generate_to(program, directory);
    written.map_err(|fault| Failure::at(directory, fault))?;
    Ok(Exit::Good)
}
