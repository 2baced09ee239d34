//! `position`: the position string after some plies of a game.

use crate::args::PositionArgs;
use crate::failure::{Exit, Failure};
use crate::{input, output};
use tridex_notation::position_string;

pub(crate) fn run(args: &PositionArgs) -> Result<Exit, Failure> {
    let report = input::one_game(args.file.as_deref(), &args.which, args.rules)?;
    let position = input::position_of(&report, args.which.ply)?;
    output::to_file_or_stdout(&args.output, |out| {
        writeln!(out, "{}", position_string::to_string(&position.to_setup()))?;
        Ok(Exit::Good)
    })
}
