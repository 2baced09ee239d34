//! `perft`: how many sequences of legal moves there are.

use crate::failure::{Exit, Failure};
use crate::io::one_game::SetUp;
use crate::term::terminal;
use clap::Args;
use std::io::Write;
use tridex_notation::{Notation, WriteOptions};

/// Count the sequences of legal moves of a given length; the last line is the total.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  tridex perft 4 --rules meder\n  tridex perft 3 --rules chess3 --divide"
)]
pub(crate) struct PerftArgs {
    /// Length of the sequences in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    pub(crate) depth: u32,
    #[command(flatten)]
    pub(crate) position: SetUp,
    /// Print the count for each first move (divide)
    #[arg(long)]
    pub(crate) divide: bool,
}

pub(crate) fn run(args: &PerftArgs) -> Result<Exit, Failure> {
    let position = args.position.read()?;
    let mut out = terminal::stdout(true);
    let Some(rest) = args.depth.checked_sub(1).filter(|_| args.divide) else {
        writeln!(out, "{}", position.perft(args.depth))?;
        out.flush()?;
        return Ok(Exit::Good);
    };
    let notation = Notation::of(position.rules());
    let mut lines = Vec::new();
    let mut total = 0;
    for mv in position.legal_moves() {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let nodes = after.perft(rest);
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
