//! Chess3 ("Chess-Cubed"), Classic Games Company, 1971.

use crate::articles::Subject;
use crate::cube::{CUBE_FACTS, CubeRules, Steps, Tables};
use crate::facts::SystemFacts;
use crate::material::AGAINST_ALL;
use crate::piece::Role;
use tridex_geometry::SquareSet;
use tridex_geometry::cube::RANK_8;

#[derive(Clone, PartialEq)]
pub(crate) struct Chess3;

static TABLES: Tables = Tables::new(&Steps {
    // The Bishop: one square diagonally for each level it changes.
    bishop: &[(1, 1, 0), (1, 1, 1)],
    // The Rook: changes levels only straight up and down (its 1AI is 1A1, ruling text-misprints).
    rook: &[(1, 0, 0), (0, 1, 0), (0, 0, 1)],
    // The Pawn: forward, or straight up or down; never both at once (ruling advance-or-change-level).
    pawn: &[(0, 1, 0), (0, 0, 1), (0, 0, -1)],
    // The Pawn: like a bishop on its level. Between levels "forward diagonally", which the text also uses for a queen's
    // step straight ahead and one level up or down (ruling straight-pawn-captures).
    pawn_capture: &[(1, 1, 0), (-1, 1, 0), (0, 1, 1), (0, 1, -1)],
});

impl CubeRules for Chess3 {
    const FACTS: &'static SystemFacts = &SystemFacts {
        name: "chess3",
        aliases: &["chess-cubed", "chess cubed", "chess 3"],
        number: 4,
        notation: "chess3",
        source: "Chess3 (Chess-Cubed), Classic Games Company, 1971",
        summary: "Chess3, or Chess-Cubed, by the Classic Games Company, 1971: three boards of 64 squares. Every step may be \
            one level up or down as well.",
        // The text ends before promotion: the last rank of any level (ruling promotion-rank).
        promotion_squares: SquareSet([RANK_8; 3]),
        // Results of the search, since the text ends before this (ruling dead-material).
        helpless: &[
            (Role::Knight, AGAINST_ALL),
            (Role::Bishop, AGAINST_ALL),
            (Role::Rook, AGAINST_ALL),
        ],
        article,
        ..CUBE_FACTS
    };
    const TABLES: &'static Tables = &TABLES;
}

/// The article about a subject.
fn article(subject: Subject) -> &'static str {
    match subject {
        Subject::Piece(role) => [
            "Chess3, The Pawn",
            "Chess3, The Knight",
            "Chess3, The Bishop",
            "Chess3, The Rook",
            "Chess3, The Queen",
            "Chess3, The King",
        ][role as usize],
        Subject::Squares | Subject::AttackBoards => "Chess3, The 3D Playing Field",
        Subject::Turn
        | Subject::Passing
        | Subject::Stays
        | Subject::OwnPiece
        | Subject::Blocked => "Chess3, Moving and Capturing",
        Subject::KingSafety => "Chess3, The King",
        // The text ends before these and refers to the basic rules of chess (ruling rest-as-in-chess).
        Subject::EnPassant => "Chess3, ruling cube-en-passant",
        Subject::Promotion | Subject::PromotionRank => "Chess3, ruling promotion-rank",
        Subject::Castling(_) => "Chess3, ruling cube-castling",
        // The remaining subjects are about pawns.
        _ => "Chess3, The Pawn",
    }
}
