//! `position`: the position string after some plies of a game.

use crate::args::{FenStyle, PositionArgs};
use crate::failure::{Exit, Failure};
use crate::{input, output};
use tridex_notation::programs::tridchessboard;
use tridex_notation::{Program, position_string};

pub(crate) fn run(args: &PositionArgs) -> Result<Exit, Failure> {
    let report = input::one_game(args.file.as_deref(), &args.which, args.rules)?;
    let position = input::position_of(&report, args.which.ply)?;
    let setup = position.to_setup();
    let (title, text) = match args.fen_style {
        FenStyle::Tridex => ("tridex", Some(position_string::to_string(&setup))),
        FenStyle::Program(program) => (program.title(), program.write_position(&setup)),
        FenStyle::Columns => (
            Program::Tridchessboard.title(),
            tridchessboard::write_columns(&setup),
        ),
    };
    let none = || Failure::message(format!("{title} has no words for this board"));
    let text = text.ok_or_else(none)?;
    output::to_file_or_stdout(&args.output, |out| {
        writeln!(out, "{text}")?;
        Ok(Exit::Good)
    })
}
