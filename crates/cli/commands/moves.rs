//! `moves`: all legal moves of a position.

use crate::failure::{Exit, Failure};
use crate::io::output;
use crate::io::position::set_up;
use crate::options::values::{LOCALE, NOTATION, RULES, agree};
use crate::options::writing::{OutputFile, PawnCaptures};
use clap::Args;
use tridex_notation::{Locale, Notation, WriteOptions};
use tridex_rules::RuleSystem;

/// List the legal moves of a position, sorted, one per line.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tridex moves --rules meder
  tridex moves --rules federation --to manual --fen \"$(tridex position game.pgn --ply 4)\"")]
pub(crate) struct MovesArgs {
    /// Rule system
    #[arg(long, value_parser = RULES, value_name = "SYSTEM", help_heading = "Position")]
    pub(crate) rules: RuleSystem,
    /// Position string, in quotation marks [default: the start position]
    #[arg(
        long,
        visible_alias = "position",
        value_name = "FEN",
        help_heading = "Position"
    )]
    pub(crate) fen: Option<String>,
    /// Notation to write [default: that of the rule system]
    #[arg(long, alias = "notation", value_parser = NOTATION, value_name = "NOTATION", help_heading = "Output")]
    pub(crate) to: Option<Notation>,
    /// Language of the piece letters to write [default: en]
    #[arg(long, alias = "locale", value_parser = LOCALE, value_name = "CODE", help_heading = "Output")]
    pub(crate) to_locale: Option<Locale>,
    /// Pawn captures in Meder's notation: `aWxb4W` or `axb4W`
    #[arg(long, value_enum, default_value_t = PawnCaptures::Full, value_name = "STYLE", help_heading = "Output")]
    pub(crate) pawn_captures: PawnCaptures,
    /// Always write check and mate marks
    #[arg(long, help_heading = "Output")]
    pub(crate) marks: bool,
    #[command(flatten)]
    pub(crate) output: OutputFile,
}

pub(crate) fn run(args: &MovesArgs) -> Result<Exit, Failure> {
    agree(Some(args.rules), args.to)?;
    let position = set_up(args.rules, args.fen.as_deref())?;
    let notation = args.to.unwrap_or_else(|| Notation::of(position.rules()));
    let options = WriteOptions {
        locale: args.to_locale.unwrap_or(tridex_notation::Locale::English),
        full_pawn_captures: args.pawn_captures.is_full(),
        marks: args.marks.then_some(true),
    };
    let mut lines = Vec::new();
    for mv in position.legal_moves() {
        let mut line = String::new();
        tridex_notation::write(notation, &position, mv, &options, &mut line)
            .map_err(Failure::message)?;
        lines.push(line);
    }
    lines.sort_unstable();
    output::to_file_or_stdout(&args.output, |out| {
        for line in lines {
            writeln!(out, "{line}")?;
        }
        Ok(Exit::Good)
    })
}
