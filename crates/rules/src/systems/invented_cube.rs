//! Invented for tests: rules of the cube without castling. A bishop always changes its level, and a pawn is promoted on
//! either of the far levels.

use crate::cube::{CUBE_FACTS, CubeRules, Steps, Tables};
use crate::facts::SystemFacts;
use tridex_geometry::SquareSet;
use tridex_geometry::cube::RANK_8;

#[derive(Clone, PartialEq)]
pub(crate) struct InventedCube;

static TABLES: Tables = Tables::new(&Steps {
    bishop: &[(1, 0, 1), (0, 1, 1), (1, 1, 1)],
    rook: &[(1, 0, 0), (0, 1, 0), (0, 0, 1)],
    pawn: &[(0, 1, 0), (0, 1, 1), (0, 1, -1)],
    pawn_capture: &[(1, 1, 0), (-1, 1, 0)],
});

impl CubeRules for InventedCube {
    const FACTS: &'static SystemFacts = &SystemFacts {
        name: "invented-cube",
        aliases: &["cube of tests"],
        number: 6,
        notation: "chess3",
        source: "The tests of tridex",
        summary: "Invented for tests. There is no castling, and a bishop changes its level with every step.",
        castlings: None,
        promotion_squares: SquareSet([0, RANK_8, RANK_8]),
        claim_after: None,
        article: |_| "Invented 3",
        ..CUBE_FACTS
    };
    const TABLES: &'static Tables = &TABLES;
}
