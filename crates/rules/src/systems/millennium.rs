//! Millennium Three Dimensional Chess, William L. D'Agostino, 2001 (seed 002).

use crate::articles::{Articles, CastlingArticles};
use crate::cube::{CubeRules, Steps, Tables, gains_rank};
use crate::material::{AGAINST_ALL, Helpless};
use crate::piece::Role;
use tridex_geometry::cube::{CubeSet, RANK_1, RANK_8};
use tridex_geometry::{Square, SquareSet};

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
    const TABLES: &'static Tables = &TABLES;
    /// 3.3: only on the starting rank *and level* of the opposing king.
    const PROMOTION: [CubeSet; 2] = [SquareSet([0, 0, RANK_8]), SquareSet([RANK_1, 0, 0])];
    /// 4.7, found by the search: a rook mates only if the other side's own man is in its king's way, and a queen in the way
    /// can always help.
    const HELPLESS: Helpless = &[
        (Role::Knight, AGAINST_ALL),
        (Role::Bishop, AGAINST_ALL),
        (Role::Rook, &[None, Some(Role::Queen)]),
    ];

    const ARTICLES: Articles = Articles {
        pieces: [
            "Millennium 2.7",
            "Millennium 2.2",
            "Millennium 2.3",
            "Millennium 2.4",
            "Millennium 2.5",
            "Millennium 2.6",
        ],
        squares: "Millennium 1.1",
        attack_boards: "Millennium 1.1",
        pawn_forward: "Millennium 2.7",
        pawn_distance: "Millennium 2.7",
        pawn_ahead: "Millennium 2.7",
        pawn_takes: "Millennium 2.7",
        en_passant: "Millennium 3.2",
        promotion: "Millennium 3.3",
        promotion_rank: "Millennium 3.3",
        castling: CastlingArticles {
            lost: "Millennium 3.1[a]",
            occupied: "Millennium 3.1[b]",
            attacked: "Millennium 3.1[c], [d]",
            ..CastlingArticles::all("Millennium 3.1")
        },
        king_safety: "Millennium 2.6",
        // Own pieces, pieces in the way, and whose piece it is.
        ..Articles::all("Millennium 2.1")
    };

    /// 4.5: a pawn that only changes its level has not advanced (Q5).
    fn is_progress(from: Square, to: Square) -> bool {
        gains_rank(from, to)
    }
}
