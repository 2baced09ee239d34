//! `moves`: all legal moves of a position.

use crate::failure::{Exit, Failure};
use crate::io::output;
use crate::io::position::set_up;
use crate::options::values::{LOCALE, NOTATION, RULES, agree};
use crate::options::writing::{OutputFile, PawnCaptures};
use clap::Args;
use tridex_notation::{Locale, Notation, WriteOptions};
use tridex_rules::RuleSystem;

/// List all legal moves of a position, one a line, sorted.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tridex moves --rules meder
  tridex moves --rules federation --notation manual --fen \"$(tridex position game.pgn --ply 4)\"")]
pub(crate) struct MovesArgs {
    /// The rule system.
    #[arg(long, value_parser = RULES, value_name = "SYSTEM")]
    pub(crate) rules: RuleSystem,
    /// The position, in quotation marks; without it the start.
    #[arg(long, visible_alias = "position", value_name = "FEN")]
    pub(crate) fen: Option<String>,
    /// The notation to write; without it the system's own.
    #[arg(long, visible_alias = "to", value_parser = NOTATION, value_name = "NOTATION")]
    pub(crate) notation: Option<Notation>,
    /// The language to write, in notations with letters for pieces.
    #[arg(long, visible_alias = "to-locale", value_parser = LOCALE, value_name = "CODE")]
    pub(crate) locale: Option<Locale>,
    /// How pawn captures are written in Meder's notation: `aWxb4W` or `axb4W`.
    #[arg(long, value_enum, default_value_t = PawnCaptures::Full, value_name = "STYLE")]
    pub(crate) pawn_captures: PawnCaptures,
    /// Write check and mate marks also where they are not customary.
    #[arg(long)]
    pub(crate) marks: bool,
    #[command(flatten)]
    pub(crate) output: OutputFile,
}

pub(crate) fn run(args: &MovesArgs) -> Result<Exit, Failure> {
    agree(Some(args.rules), args.notation)?;
    let position = set_up(args.rules, args.fen.as_deref())?;
    let notation = args
        .notation
        .unwrap_or_else(|| Notation::of(position.rules()));
    let options = WriteOptions {
        locale: args.locale.unwrap_or(tridex_notation::Locale::English),
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
