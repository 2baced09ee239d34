//! `moves`: all legal moves of a position.

use crate::failure::Failure;
use crate::ineffective::{check_captures, check_letters};
use crate::io::one_game::SetUp;
use crate::options::values::{Format, LOCALE, NOTATION, agree, one_of};
use crate::options::writing::{OutputFile, PAWN_CAPTURES};
use crate::session::Session;
use clap::{ArgAction, Args};
use tridex_notation::{Locale, Notation, WriteOptions};

/// List the legal moves of a position, sorted, one per line.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tridex moves --rules meder
  tridex moves --rules federation --to manual --fen \"$(tridex position game.pgn --ply 4)\"")]
pub(crate) struct MovesArgs {
    #[command(flatten)]
    pub(crate) position: SetUp,
    /// Notation to write [default: that of the rule system]
    #[arg(long, alias = "notation", value_parser = NOTATION, value_name = "NOTATION", help_heading = "Output")]
    pub(crate) to: Option<Notation>,
    /// Language of the piece letters to write [default: en]
    #[arg(long, alias = "locale", value_parser = LOCALE, value_name = "CODE", help_heading = "Output")]
    pub(crate) to_locale: Option<Locale>,
    /// Pawn captures in Meder's notation: `aWxb4W` or `axb4W`
    #[arg(long, value_parser = one_of(PAWN_CAPTURES), action = ArgAction::Set, default_value = "full", value_name = "STYLE", help_heading = "Output")]
    pub(crate) pawn_captures: bool,
    /// Always write check and mate marks
    #[arg(long, help_heading = "Output")]
    pub(crate) marks: bool,
    #[command(flatten)]
    pub(crate) output: OutputFile,
}

pub(crate) fn run(args: &MovesArgs, session: &Session) -> Result<(), Failure> {
    args.output.check(session)?;
    args.output.check_ending(&["txt"])?;
    let position = args.position.read(session)?;
    let rules = position.rules();
    let notation = args.to.unwrap_or(Notation::of(rules));
    check_letters(session, Some(notation))?;
    check_captures(session, Some(notation))?;
    agree(Some(rules), args.to)?;
    let options = WriteOptions::default()
        .locale(args.to_locale.unwrap_or(Locale::English))
        .full_pawn_captures(args.pawn_captures)
        .marks(args.marks.then_some(true));
    let mut lines = Vec::new();
    for mv in position.legal_moves() {
        let mut line = String::new();
        tridex_notation::write(notation, &position, mv, &options, &mut line)
            .map_err(Failure::message)?;
        lines.push(line + "\n");
    }
    lines.sort_unstable();
    let text = lines.concat();
    args.output.write(session, Format::Text, |out| {
        Ok(out.write_all(text.as_bytes())?)
    })
}
