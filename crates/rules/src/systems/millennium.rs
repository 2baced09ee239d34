//! Millennium Three Dimensional Chess, William L. D'Agostino, 2001 (seed 002).

use crate::articles::{Articles, CastlingArticles};
use crate::cube::{CubeRules, Steps, Tables, gains_rank};
use crate::material::{AGAINST_ALL, Helpless};
use crate::piece::{Color, Role};
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
    const TABLES: &'static Tables = &TABLES;
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
}
