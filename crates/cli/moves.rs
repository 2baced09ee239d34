//! `moves`: all legal moves of a position.

use crate::args::{MovesArgs, agree};
use crate::failure::{Exit, Failure};
use crate::{input, output};
use tridex_notation::WriteOptions;

pub(crate) fn run(args: &MovesArgs) -> Result<Exit, Failure> {
    agree(Some(args.rules), args.notation)?;
    let position = input::set_up(args.rules, args.fen.as_deref())?;
    let notation = args
        .notation
        .unwrap_or_else(|| input::own_notation(position.rules()));
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
