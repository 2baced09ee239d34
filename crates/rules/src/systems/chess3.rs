//! Chess3 ("Chess-Cubed"), Classic Games Company, 1971 (seed 003).

use crate::articles::{Articles, CastlingArticles};
use crate::cube::{CubeRules, Steps, Tables};
use crate::material::{AGAINST_ALL, Helpless};
use crate::piece::Role;
use tridex_geometry::cube::{CubeSet, RANK_1, RANK_8};
use tridex_geometry::{Square, SquareSet};

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
    const TABLES: &'static Tables = &TABLES;
    /// The text breaks off before promotion: the last rank of any level (Q3).
    const PROMOTION: [CubeSet; 2] = [SquareSet([RANK_8; 3]), SquareSet([RANK_1; 3])];
    /// Found by the search, as the text breaks off (Q6).
    const HELPLESS: Helpless = &[
        (Role::Knight, AGAINST_ALL),
        (Role::Bishop, AGAINST_ALL),
        (Role::Rook, AGAINST_ALL),
    ];

    const ARTICLES: Articles = Articles {
        pieces: [
            "Chess3, The Pawn",
            "Chess3, The Knight",
            "Chess3, The Bishop",
            "Chess3, The Rook",
            "Chess3, The Queen",
            "Chess3, The King",
        ],
        squares: "Chess3, The 3D Playing Field",
        attack_boards: "Chess3, The 3D Playing Field",
        turn: "Chess3, Moving and Capturing",
        stays: "Chess3, Moving and Capturing",
        own_piece: "Chess3, Moving and Capturing",
        blocked: "Chess3, Moving and Capturing",
        king_safety: "Chess3, The King",
        // The text breaks off before these; it leaves them to the basic rules of chess.
        en_passant: "Chess3, ruling Q2",
        promotion: "Chess3, ruling Q3",
        promotion_rank: "Chess3, ruling Q3",
        castling: CastlingArticles::all("Chess3, ruling Q4"),
        // All that is left is about pawns.
        ..Articles::all("Chess3, The Pawn")
    };

    /// Any pawn move, as in ordinary chess (Q5).
    fn is_progress(_from: Square, _to: Square) -> bool {
        true
    }
}
