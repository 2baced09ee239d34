//! `perft`: how many sequences of legal moves there are.

use crate::args::PerftArgs;
use crate::failure::{Exit, Failure};
use crate::{input, output};
use std::io::Write;
use tridex_notation::WriteOptions;

pub(crate) fn run(args: &PerftArgs) -> Result<Exit, Failure> {
    let position = input::set_up(args.rules, args.fen.as_deref())?;
    let mut out = output::stdout();
    if !args.divide || args.depth == 0 {
        writeln!(out, "{}", position.perft(args.depth))?;
        out.flush()?;
        return Ok(Exit::Good);
    }
    let notation = input::own_notation(position.rules());
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
