//! Chess3: what has another shape than a row of `tests/data/chess3.txt`.

use crate::rules::cube_support::{board, place};
use crate::support::{goes, line, play, square};
use tridex_geometry::{Shade, cube};
use tridex_rules::{Color, Move, MoveFault, Position, Role, RuleSystem};

const RULES: RuleSystem = RuleSystem::Chess3;

#[track_caller]
fn at(men: &str, fields: &str) -> Position {
    board(RULES, men, fields)
}

/// Whether two squares have one colour.
fn same_colour(a: &str, b: &str) -> bool {
    cube::shade(place(a)) == cube::shade(place(b))
}

#[test]
fn playing_field_three_levels_of_64() {
    assert_eq!(RULES.family().squares(), 192);
    let start = Position::start(RULES);
    // 3A1, 2D5, 1F7 are level, file and rank.
    for (name, level, file, rank) in [("3A1", 2, 0, 0), ("2D5", 1, 3, 4), ("1F7", 0, 5, 6)] {
        assert_eq!(
            Some(square(&start, name)),
            cube::try_square(level, file, rank),
            "{name}"
        );
    }
    // A white cube at the right hand of each player.
    for corner in ["1H1", "2H1", "3H1", "1A8", "2A8", "3A8"] {
        assert_eq!(cube::shade(place(corner)), Shade::Light);
    }
}

#[test]
fn playing_field_the_start() {
    // White on the bottom level, Black, by its pawn on 3B7, on the top level (ruling black-starts-on-top).
    let start = Position::start(RULES);
    let first = "rnbqkbnr/pppppppp/8/8/8/8/8/8|8/8/8/8/8/8/8/8|8/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - - 0 1";
    assert_eq!(line(&start), first);
    // The queens stand on their own colour.
    let shade = |color| {
        let queen = start.pieces(color, Role::Queen).first().unwrap();
        cube::shade(queen)
    };
    assert_eq!(
        (shade(Color::White), shade(Color::Black)),
        (Shade::Light, Shade::Dark)
    );
}

#[test]
fn queen_never_goes_more_than_two_cubes_when_changing_levels() {
    let p = at("Q1D4 K3A8 k3H7", "w - - -");
    for to in goes(&p, "1D4") {
        let (from, to) = (place("1D4"), place(&to));
        let levels = cube::level(to).abs_diff(cube::level(from));
        let files = cube::file(to).abs_diff(cube::file(from));
        let ranks = cube::rank(to).abs_diff(cube::rank(from));
        if levels > 0 {
            assert!(files == 0 || files == levels, "{files} files");
            assert!(ranks == 0 || ranks == levels, "{ranks} ranks");
        }
    }
}

#[test]
fn queen_colours_of_squares_on_slopes() {
    let p = at("Q1D4 K3A8 k3H7", "w - - -");
    let found = goes(&p, "1D4");
    // Straight up or along a diagonal she keeps her colour; forward, sideways or backward one level changes it, two do
    // not.
    for (to, keeps) in [
        ("2D4", true),
        ("3D4", true),
        ("2C3", true),
        ("2E5", true),
        ("3B6", true),
        ("2D5", false),
        ("2D3", false),
        ("2C4", false),
        ("2E4", false),
        ("3D6", true),
        ("3D2", true),
        ("3B4", true),
        ("3F4", true),
    ] {
        assert!(found.contains(to), "{to}");
        assert_eq!(same_colour("1D4", to), keeps, "{to}");
    }
}

#[test]
fn bishop_stays_on_its_colour() {
    // The kings stand on the other colour, out of the way.
    for (from, kings) in [
        ("1C1", "K3H1 k1A8"),
        ("1H8", "K3H1 k1A8"),
        ("2D5", "K3G1 k1B8"),
        ("3F1", "K3G1 k1B8"),
        ("2A4", "K3G1 k1B8"),
    ] {
        let p = at(&format!("B{from} {kings}"), "w - - -");
        let found = goes(&p, from);
        assert!(!found.is_empty());
        for to in found {
            assert!(same_colour(from, &to), "{from} to {to}");
        }
    }
}

#[test]
fn en_passant_of_a_pawn_that_does_not_take_there_is_told_so() {
    let p = at("P1E2 p1D4 p2D4 K1A1 k3H8", "w - - -");
    let p = play(&p, "1E2-1E4");
    let m = Move::EnPassant {
        from: place("2D4"),
        to: place("1E3"),
        promotion: None,
    };
    assert!(matches!(
        p.explain(m).unwrap().fault,
        MoveFault::PassesNot { .. }
    ));
}

/// Ruling rest-as-in-chess.
#[test]
fn claims_are_those_of_chess() {
    assert_eq!(RULES.claim_after(), Some(100));
    assert!(!RULES.repetition_ends());
}
