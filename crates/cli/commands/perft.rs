//! `perft`: how many sequences of legal moves there are.

use crate::failure::{Exit, Failure};
use crate::io::position::set_up;
use crate::options::values::RULES;
use crate::term::terminal;
use clap::Args;
use std::io::Write;
use tridex_notation::{Notation, WriteOptions};
use tridex_rules::RuleSystem;

/// Count the sequences of legal moves of a given length; the last line is the total.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  tridex perft 4 --rules meder\n  tridex perft 3 --rules chess3 --divide"
)]
pub(crate) struct PerftArgs {
    /// Length of the sequences in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20), help_heading = None::<&str>)]
    pub(crate) depth: u32,
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
    /// Print the count for each first move (divide)
    #[arg(long, help_heading = "Output")]
    pub(crate) divide: bool,
}

pub(crate) fn run(args: &PerftArgs) -> Result<Exit, Failure> {
    let position = set_up(args.rules, args.fen.as_deref())?;
    let mut out = terminal::stdout();
    if !args.divide || args.depth == 0 {
        writeln!(out, "{}", position.perft(args.depth))?;
        out.flush()?;
        return Ok(Exit::Good);
    }
    let notation = Notation::of(position.rules());
    let mut lines = Vec::new();
    let mut total = 0;
    for mv in position.legal_moves() {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let nodes = after.perft(args.depth - 1);
        total += nodes;
        let mut text = String::new();
        let options = WriteOptions {
            marks: Some(false),
            ..WriteOptions::default()
        };
        tridex_notation::write(notation, &position, mv, &options, &mut text)
            .map_err(Failure::message)?;
        lines.push((text, nodes));
    }
    lines.sort_unstable();
    for (text, nodes) in lines {
        writeln!(out, "{text} {nodes}")?;
    }
    writeln!(out, "{total}")?;
    out.flush()?;
    Ok(Exit::Good)
}
