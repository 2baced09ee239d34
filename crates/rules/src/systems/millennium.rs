//! Millennium Three Dimensional Chess, William L. D'Agostino, 2001.

use crate::articles::Subject;
use crate::cube::{CUBE_FACTS, CubeRules, Steps, Tables, gains_rank};
use crate::facts::SystemFacts;
use crate::fault::CastlingFault;
use crate::material::AGAINST_ALL;
use crate::piece::Role;
use tridex_geometry::cube::RANK_8;
use tridex_geometry::{Square, SquareSet};

#[derive(Clone, PartialEq)]
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
    const FACTS: &'static SystemFacts = &SystemFacts {
        name: "millennium",
        aliases: &["millennium 3d", "millennium 3d chess", "millennium3d"],
        number: 3,
        notation: "millennium",
        source: "William L. D'Agostino, Millennium 3D Chess, 2001",
        summary: "Millennium 3D Chess by William L. D'Agostino, 2001: three boards of 64 squares, one above the other. Pieces \
            move on their level, and between levels.",
        // 3.3: only on the starting rank *and level* of the opposing king (ruling promotion-rank).
        promotion_squares: SquareSet([0, 0, RANK_8]),
        // 4.7, ruling dead-material; results of the search. A rook mates only if another piece of the other side blocks
        // its king, and a blocking queen can always help.
        helpless: &[
            (Role::Knight, AGAINST_ALL),
            (Role::Bishop, AGAINST_ALL),
            (Role::Rook, &[None, Some(Role::Queen)]),
        ],
        win_on_time: Some("Millennium, Section 4.9"),
        article,
        ..CUBE_FACTS
    };
    const TABLES: &'static Tables = &TABLES;

    /// 4.5: a pawn that only changes its level has not advanced (ruling counts-as-progress).
    fn is_progress(from: Square, to: Square) -> bool {
        gains_rank(from, to)
    }
}

/// The article about a subject.
fn article(subject: Subject) -> &'static str {
    match subject {
        Subject::Piece(role) => [
            "Millennium 2.7",
            "Millennium 2.2",
            "Millennium 2.3",
            "Millennium 2.4",
            "Millennium 2.5",
            "Millennium 2.6",
        ][role as usize],
        Subject::Squares | Subject::AttackBoards => "Millennium 1.1",
        Subject::PawnForward | Subject::PawnDistance | Subject::PawnAhead | Subject::PawnTakes => {
            "Millennium 2.7"
        }
        Subject::EnPassant => "Millennium 3.2",
        Subject::Promotion | Subject::PromotionRank => "Millennium 3.3",
        Subject::KingSafety => "Millennium 2.6",
        Subject::Castling(CastlingFault::Lost) => "Millennium 3.1[a]",
        Subject::Castling(CastlingFault::Occupied(_)) => "Millennium 3.1[b]",
        Subject::Castling(CastlingFault::Attacked(_)) => "Millennium 3.1[c], [d]",
        Subject::Castling(_) => "Millennium 3.1",
        Subject::Passing => "Millennium 4.8",
        // The remaining subjects: own pieces, pieces in the way, and whose piece it is.
        _ => "Millennium 2.1",
    }
}
