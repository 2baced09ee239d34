//! Chess3 ("Chess-Cubed"), Classic Games Company, 1971 (seed 003).

use crate::cube::{CubeRules, Steps, Tables};
use crate::explain::Fault;
use crate::{Color, Role, RuleSystem};
use tridex_geometry::Square;
use tridex_geometry::cube::rank;

/// The rules of this file.
pub(crate) struct Chess3;

static TABLES: Tables = Tables::new(&Steps {
    // The Bishop: one square diagonally for each level it changes.
    bishop: &[(1, 1, 0), (1, 1, 1)],
    // The Rook: changes levels only straight up and down.
    rook: &[(1, 0, 0), (0, 1, 0), (0, 0, 1)],
    // The Pawn: forward, or straight up or down; never both at once (Q7).
    pawn: &[(0, 1, 0), (0, 0, 1), (0, 0, -1)],
    // The Pawn: like a bishop on its level, else "forward diagonally" up or down, which is the queen's word for a step
    // straight ahead and a level (Q7).
    pawn_capture: &[(1, 1, 0), (-1, 1, 0), (0, 1, 1), (0, 1, -1)],
});

impl CubeRules for Chess3 {
    const SYSTEM: RuleSystem = RuleSystem::Chess3;
    const TABLES: &'static Tables = &TABLES;

    /// The text breaks off before promotion: the last rank of any level (Q3).
    fn promotes(color: Color, square: Square) -> bool {
        match color {
            Color::White => rank(square) == 7,
            Color::Black => rank(square) == 0,
        }
    }

    /// Any pawn move, as in ordinary chess (Q5).
    fn is_progress(_from: Square, _to: Square) -> bool {
        true
    }

    fn article(fault: &Fault) -> &'static str {
        match fault {
            Fault::NotASquare { .. } | Fault::NoAttackBoards => "Chess3, The 3D Playing Field",
            Fault::NoPiece { .. }
            | Fault::NotYours { .. }
            | Fault::Stays { .. }
            | Fault::OwnPiece { .. }
            | Fault::Blocked { .. } => "Chess3, Moving and Capturing",
            Fault::Shape { role } | Fault::NotAPawn { role } => match role {
                Role::Pawn => "Chess3, The Pawn",
                Role::Knight => "Chess3, The Knight",
                Role::Bishop => "Chess3, The Bishop",
                Role::Rook => "Chess3, The Rook",
                Role::Queen => "Chess3, The Queen",
                Role::King => "Chess3, The King",
            },
            // The text breaks off before these; it leaves them to the basic rules of chess.
            Fault::Castling { .. } => "Chess3, ruling Q4",
            Fault::PromotionMissing { .. }
            | Fault::PromotionNotHere { .. }
            | Fault::PromotesNoPiece { .. }
            | Fault::PromotionTo { .. } => "Chess3, ruling Q3",
            Fault::OnlyEnPassant { .. }
            | Fault::NoDoubleStep
            | Fault::NotCrossed { .. }
            | Fault::CrossedHeld { .. }
            | Fault::PassesNot { .. } => "Chess3, ruling Q2",
            Fault::Exposed { .. } => "Chess3, The King",
            _ => "Chess3, The Pawn",
        }
    }
}
