//! `position`: prints the position string after some plies of a game.

use crate::failure::Failure;
use crate::io::one_game::{one_game, position_of};
use crate::options::reading::Which;
use crate::options::values::{FEN_STYLE, FenStyle, Format, RULES};
use crate::options::writing::OutputFile;
use crate::session::Session;
use clap::Args;
use std::path::PathBuf;
use tridex_notation::programs::tridchessboard;
use tridex_notation::{Program, position_string};
use tridex_rules::RuleSystem;

/// Print the position string after some plies of a game.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tridex position game.pgn --game 2 --ply 12
  tridex position --index games.index --game games.pgn:2")]
pub(crate) struct PositionArgs {
    /// File, or - for standard input
    #[arg(required_unless_present = "index")]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) which: Which,
    /// Rule system, instead of the game's tags
    #[arg(long, value_parser = RULES, value_name = "SYSTEM", help_heading = "Input")]
    pub(crate) rules: Option<RuleSystem>,
    /// Dialect of the position string: that of tridex or another program
    #[arg(long, value_parser = FEN_STYLE, default_value = "tridex", value_name = "PROGRAM", help_heading = "Output")]
    pub(crate) fen_style: FenStyle,
    #[command(flatten)]
    pub(crate) output: OutputFile,
}

pub(crate) fn run(args: &PositionArgs, session: &Session) -> Result<(), Failure> {
    args.output.check(session)?;
    args.output.check_ending(&["fen", "txt"])?;
    args.which.check(session, args.file.as_deref())?;
    let report = one_game(session, args.file.as_deref(), &args.which, args.rules)?;
    let position = position_of(&report, args.which.ply)?;
    let setup = position.to_setup();
    let (title, text) = match args.fen_style {
        FenStyle::Tridex => ("tridex", Some(position_string::to_string(&setup))),
        FenStyle::Program(program) => (program.title(), program.write_position(&setup)),
        FenStyle::Columns => (
            Program::Tridchessboard.title(),
            tridchessboard::write_columns(&setup),
        ),
    };
    let none = format!("this position cannot be written in the form of {title}");
    let text = text.ok_or(Failure::Message(none))?;
    args.output
        .write(session, Format::Text, |out| Ok(writeln!(out, "{text}")?))
}
