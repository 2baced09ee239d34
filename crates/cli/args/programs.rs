//! Programs for which games and positions are written.

use super::known::Known;
use tridex_notation::Program;

/// A program for which games are written.
pub(crate) const PROGRAM: Known<Program> = Known {
    read: dialect,
    names: || Program::WITH_GAMES.map(Program::name).to_vec(),
};

fn dialect(name: &str) -> Result<Program, String> {
    let known = Program::from_name(name);
    known
        .filter(|program| Program::WITH_GAMES.contains(program))
        .ok_or_else(|| {
            let names = Program::WITH_GAMES.map(Program::name).join(", ");
            format!("games can be written for {names}")
        })
}

/// Whose position strings are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FenStyle {
    /// Our own.
    Tridex,
    /// Those of another program.
    Program(Program),
    /// Those of tridchessboard.js by columns.
    Columns,
}

impl FenStyle {
    /// What our own are called.
    const OWN: &str = "tridex";
    /// What those by columns are called.
    const COLUMNS: &str = "tridchessboard-columns";

    fn names() -> Vec<&'static str> {
        let programs = Program::WITH_POSITIONS.into_iter().map(Program::name);
        let own = std::iter::once(Self::OWN);
        own.chain(programs).chain([Self::COLUMNS]).collect()
    }
}

/// A program, or our own way to write positions.
pub(crate) const FEN_STYLE: Known<FenStyle> = Known {
    read: fen_style,
    names: FenStyle::names,
};

fn fen_style(name: &str) -> Result<FenStyle, String> {
    let is = |known: &str| name.trim().eq_ignore_ascii_case(known);
    if is(FenStyle::OWN) {
        return Ok(FenStyle::Tridex);
    }
    if is(FenStyle::COLUMNS) {
        return Ok(FenStyle::Columns);
    }
    Program::from_name(name)
        .filter(|program| Program::WITH_POSITIONS.contains(program))
        .map(FenStyle::Program)
        .ok_or_else(|| {
            let names = FenStyle::names().join(", ");
            format!("positions can be written for {names}")
        })
}
