//! `perft`: how many sequences of legal moves there are.

use crate::failure::Failure;
use crate::io::one_game::SetUp;
use crate::session::Session;
use crate::term::terminal;
use clap::Args;
use tridex_notation::{Notation, WriteOptions, write_unmarked};

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
    #[arg(long, help_heading = "Output")]
    pub(crate) divide: bool,
}

pub(crate) fn run(args: &PerftArgs, session: &Session) -> Result<(), Failure> {
    let position = args.position.read(session)?;
    let notation = Notation::of(position.rules());
    let mut lines = Vec::new();
    let mut total = 0;
    if let Some(rest) = args.depth.checked_sub(1).filter(|_| args.divide) {
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let nodes = after.perft(rest);
            total += nodes;
            let text = write_unmarked(notation, &position, mv, &WriteOptions::default());
            let text = text.map_err(Failure::message)?;
            lines.push(format!("{} {nodes}\n", text.as_str()));
        }
        lines.sort_unstable();
    } else {
        total = position.perft(args.depth);
    }
    let text = format!("{}{total}\n", lines.concat());
    Ok(terminal::print(true, |out| out.write_all(text.as_bytes()))?)
}
