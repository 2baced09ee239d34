//! Positions: of a text under a rule system, and of a game after some plies.

use crate::failure::Failure;
use crate::term::terminal;
use tridex_notation::Program;
use tridex_notation::programs::{self, tridchessboard};
use tridex_replay::Report;
use tridex_rules::{Position, RuleSystem};

/// The position of a string under a rule system, or the system's start.
pub(crate) fn set_up(rules: RuleSystem, fen: Option<&str>) -> Result<Position, Failure> {
    let Some(fen) = fen else {
        return Ok(Position::start(rules));
    };
    let fen = fen.trim();
    let read = programs::parse_any_position(fen);
    let (setup, program) =
        read.map_err(|fault| Failure::message(format!("the position cannot be read: {fault}")))?;
    if program == Some(Program::Tridchessboard) && tridchessboard::is_older(fen) {
        let title = Program::Tridchessboard.title();
        terminal::remark(&format!(
            "the position was read in the form of older versions of {title}"
        ));
    }
    Position::from_setup(rules, &setup).map_err(|fault| {
        let name = rules.name();
        Failure::message(format!("the position is not legal under {name}: {fault}"))
    })
}

/// The position of a game after the requested plies, and whether the game could be replayed that far.
pub(crate) fn position_of(report: &Report, ply: Option<usize>) -> Result<Position, Failure> {
    let count = report.moves.len();
    let broken = || {
        report
            .diagnostics
            .iter()
            .find(|found| found.severity == tridex_replay::diagnostic::Severity::Error)
    };
    let ply = match (ply, broken()) {
        (Some(ply), _) if ply <= count => ply,
        (None, None) => count,
        (None, Some(fault)) => {
            return Err(Failure::message(format!(
                "the game has an error after ply {count}: {}:{}: {}",
                fault.line, fault.column, fault.message
            )));
        }
        (Some(ply), Some(fault)) => {
            return Err(Failure::message(format!(
                "no ply {ply}: the game has an error after ply {count}: {}:{}: {}",
                fault.line, fault.column, fault.message
            )));
        }
        (Some(ply), None) => {
            return Err(Failure::message(format!(
                "no ply {ply}: the game has {count} plies"
            )));
        }
    };
    let mut position = report.start.clone();
    for mv in report.moves.iter().take(ply) {
        position.play_unchecked(*mv);
    }
    Ok(position)
}
