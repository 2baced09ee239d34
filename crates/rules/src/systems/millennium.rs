//! Millennium Three Dimensional Chess, William L. D'Agostino, 2001 (seed 002).

use crate::cube::{CubeRules, Steps, Tables, gains_rank};
use crate::explain::Fault;
use crate::state::CastlingFault;
use crate::{Color, Role, RuleSystem};
use tridex_geometry::Square;
use tridex_geometry::cube::{level, rank};

/// The rules of this file.
pub(crate) struct Millennium;

static TABLES: Tables = Tables::new(&Steps {
    // 2.3: on its level, or one level for each diagonal step.
    bishop: &[(1, 1, 0), (1, 1, 1)],
    // 2.4: along file or rank, straight up, or one level for each step along file or rank.
    rook: &[(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)],
    // 2.7: forward, up or down, or both at once.
    pawn: &[(0, 1, 0), (0, 0, 1), (0, 0, -1), (0, 1, 1), (0, 1, -1)],
    pawn_capture: &[
        (1, 1, -1),
        (1, 1, 0),
        (1, 1, 1),
        (-1, 1, -1),
        (-1, 1, 0),
        (-1, 1, 1),
    ],
});

impl CubeRules for Millennium {
    const SYSTEM: RuleSystem = RuleSystem::Millennium;
    const TABLES: &'static Tables = &TABLES;

    /// 3.3: only on the starting rank *and level* of the opposing king.
    fn promotes(color: Color, square: Square) -> bool {
        match color {
            Color::White => level(square) == 2 && rank(square) == 7,
            Color::Black => level(square) == 0 && rank(square) == 0,
        }
    }

    /// 4.5: a pawn that only changes its level has not advanced (Q5).
    fn is_progress(from: Square, to: Square) -> bool {
        gains_rank(from, to)
    }

    fn article(fault: &Fault) -> &'static str {
        match fault {
            Fault::NotASquare { .. } | Fault::NoAttackBoards => "Millennium 1.1",
            Fault::Shape { role } | Fault::NotAPawn { role } => match role {
                Role::Pawn => "Millennium 2.7",
                Role::Knight => "Millennium 2.2",
                Role::Bishop => "Millennium 2.3",
                Role::Rook => "Millennium 2.4",
                Role::Queen => "Millennium 2.5",
                Role::King => "Millennium 2.6",
            },
            Fault::PawnNotForward
            | Fault::PawnTooFar
            | Fault::DoubleStepLost
            | Fault::PawnTakesAhead { .. }
            | Fault::NothingToTake { .. } => "Millennium 2.7",
            Fault::PromotionMissing { .. }
            | Fault::PromotionNotHere { .. }
            | Fault::PromotesNoPiece { .. }
            | Fault::PromotionTo { .. } => "Millennium 3.3",
            Fault::OnlyEnPassant { .. }
            | Fault::NoDoubleStep
            | Fault::NotCrossed { .. }
            | Fault::CrossedHeld { .. }
            | Fault::PassesNot { .. } => "Millennium 3.2",
            Fault::Castling { fault } => match fault {
                CastlingFault::Lost => "Millennium 3.1[a]",
                CastlingFault::Occupied(_) => "Millennium 3.1[b]",
                CastlingFault::Attacked(_) => "Millennium 3.1[c], [d]",
                _ => "Millennium 3.1",
            },
            Fault::Exposed { .. } => "Millennium 2.6",
            // Own pieces, pieces in the way, and whose piece it is.
            _ => "Millennium 2.1",
        }
    }
}
