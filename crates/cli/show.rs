//! `show`: a position, drawn.

use crate::args::ShowArgs;
use crate::failure::{Exit, Failure};
use crate::{input, output};
use std::io::Write;
use tridex_notation::Notation;
use tridex_picture::{Labels, TextOptions, text};

pub(crate) fn run(args: &ShowArgs) -> Result<Exit, Failure> {
    let position = match (&args.file, args.rules) {
        (Some(file), rules) => {
            let report = input::one_game(file, &args.which, rules)?;
            input::position_of(&report, args.which.ply)?
        }
        (None, Some(rules)) => input::set_up(rules, args.fen.as_deref())?,
        (None, None) => {
            return Err(Failure::message(
                "name a file, or a rule system with --rules",
            ));
        }
    };
    let options = TextOptions {
        labels: args
            .labels
            .map_or(Labels::OfTheRules, |notation| match notation {
                Notation::Meder => Labels::Meder,
                Notation::Manual => Labels::Manual,
                Notation::Millennium => Labels::Millennium,
                Notation::Chess3 => Labels::Chess3,
            }),
        figurines: args.figurines,
    };
    let mut out = output::stdout();
    out.write_all(text(&position, &options).as_bytes())?;
    out.flush()?;
    Ok(Exit::Good)
}
