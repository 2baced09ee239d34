//! Chess3 (seed 003), chapter by chapter: every square its examples name, and every square they rule out. The text breaks
//! off before castling, en passant, promotion and draws; rulings Q2 to Q7 say how they are read.

use crate::cube_support::{assert_stays_away, board, mates, passing, place, placement};
use crate::support::{
    assert_goes, assert_illegal, assert_legal, goes, legal, line, men, piece, play, position,
    promotions, read, set, setup_fault, square, written,
};
use tridex_geometry::cube;
use tridex_notation::{Notation, Note, parse};
use tridex_rules::{
    CastlingSide, Color, Fault, Move, Outcome, Position, Role, RuleSystem, SetupError,
};

const RULES: RuleSystem = RuleSystem::Chess3;

#[track_caller]
fn at(men: &str, fields: &str) -> Position {
    board(RULES, men, fields)
}

/// Whether two squares have one colour.
fn same_colour(a: &str, b: &str) -> bool {
    cube::shade(place(a)) == cube::shade(place(b))
}

// The 3D playing field

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
        assert_eq!(cube::shade(place(corner)), tridex_geometry::Shade::Light);
    }
}

#[test]
fn playing_field_sixteen_men_a_side() {
    let start = Position::start(RULES);
    let (white, black): (Vec<_>, Vec<_>) = men(&start)
        .into_iter()
        .partition(|name| name.starts_with(|c: char| c.is_ascii_uppercase()));
    assert_eq!((white.len(), black.len()), (16, 16));
    // White on the bottom level, Black, by its pawn on 3B7, on the top level (ruling Q7).
    assert!(white.iter().all(|name| name.as_bytes()[1] == b'1'));
    assert!(black.iter().all(|name| name.as_bytes()[1] == b'3'));
    assert_eq!(piece(&start, "3B7"), Some('p'));
    assert_eq!(piece(&start, "1B2"), Some('P'));
    let first = "rnbqkbnr/pppppppp/8/8/8/8/8/8|8/8/8/8/8/8/8/8|8/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - - 0 1";
    assert_eq!(line(&start), first);
}

#[test]
fn playing_field_queens_stand_on_their_own_colour() {
    use tridex_geometry::Shade::{Dark, Light};
    let start = Position::start(RULES);
    let shade = |color| {
        let queen = start.pieces(color, Role::Queen).first().unwrap();
        cube::shade(queen)
    };
    assert_eq!((shade(Color::White), shade(Color::Black)), (Light, Dark));
}

// The King

#[test]
fn king_one_cube_or_level_in_any_direction() {
    // In the middle all 26, on level 3 the seventeen it can show.
    let p = at("K2D4 k1H8", "w - - -");
    assert_eq!(goes(&p, "2D4").len(), 26);
    let p = at("K3D4 k1H8", "w - - -");
    assert_goes(
        &p,
        "3D4",
        "3C3 3C4 3C5 3D3 3D5 3E3 3E4 3E5 2C3 2C4 2C5 2D3 2D4 2D5 2E3 2E4 2E5",
    );
    // Not from level 1 to level 3 in one move, or back.
    assert_stays_away(&p, "3D4", "1D4 1D3 1C4 1E5 3D6 3B4", "Chess3, The King");
    let p = at("K1D4 k3H8", "w - - -");
    assert_stays_away(&p, "1D4", "3D4 3D5 3C4 3E3", "Chess3, The King");
}

#[test]
fn king_takes_as_it_moves_and_not_into_check() {
    let p = at("K3D4 k1H8 n2D4 P3D5 r2A5", "w - - -");
    let found = goes(&p, "3D4");
    assert!(found.contains("2D4"), "the knight can be taken");
    // Its own pawn blocks it; the rook holds rank 5 of level 2.
    assert_stays_away(&p, "3D4", "3D5", "Chess3, Moving and Capturing");
    assert_stays_away(&p, "3D4", "2C5 2D5 2E5", "Chess3, The King");
    // The other king and what is next to it.
    let p = at("K1E1 k3E3 n2E2", "w - - -");
    assert_stays_away(&p, "1E1", "2E2 2D2 2F2", "Chess3, The King");
    for king in ["k2E2", "k2E1", "k2F2", "k1F1"] {
        let touching = format!("{} w - - -", placement(&format!("K1E1 {king}")));
        assert_eq!(setup_fault(RULES, &touching), SetupError::OpponentInCheck);
    }
}

// The Queen

#[test]
fn queen_moves_as_rook_and_bishop_and_along_slopes() {
    let p = at("Q1D1 K2A8 k2H8", "w - - -");
    let flat =
        "1A1 1A4 1B1 1B3 1C1 1C2 1D2 1D3 1D4 1D5 1D6 1D7 1D8 1E1 1E2 1F1 1F3 1G1 1G4 1H1 1H5";
    let lifted = "2C1 2C2 2D1 2D2 2E1 2E2 3B1 3B3 3D1 3D3 3F1 3F3";
    assert_goes(&p, "1D1", &format!("{flat} {lifted}"));
    // A change of level is no part of a longer way (2P3 in the text is 2F3, ruling Q8).
    assert_stays_away(&p, "1D1", "2A4 2F3 3A4 3H5", "Chess3, The Queen");
    assert_stays_away(
        &p,
        "1D1",
        "2D3 2B3 2B1 3D2 3C2 3E2 3D8",
        "Chess3, The Queen",
    );
    // On level 3 she has the same powers.
    let p = at("Q3D1 K2A8 k2H8", "w - - -");
    assert_goes(
        &p,
        "3D1",
        "3A1 3A4 3B1 3B3 3C1 3C2 3D2 3D3 3D4 3D5 3D6 3D7 3D8 3E1 3E2 3F1 3F3 3G1 3G4 3H1 3H5 \
         2C1 2C2 2D1 2D2 2E1 2E2 1B1 1B3 1D1 1D3 1F1 1F3",
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
fn queen_is_blocked_and_takes() {
    let p = at("Q1D1 K2A8 k2H8 n2D2 P2D1 n2C2 B1D3", "w - - -");
    let found = goes(&p, "1D1");
    assert!(found.contains("2D2") && found.contains("2C2"));
    assert_stays_away(
        &p,
        "1D1",
        "3D3 3B3 3D1 2D1 1D3 1D4",
        "Chess3, Moving and Capturing",
    );
    assert!(found.contains("3F3"), "nothing stands on 2E2");
}

// The Bishop

#[test]
fn bishop_example_from_1c1() {
    let p = at("B1C1 K3H1 k1H8", "w - - -");
    assert_goes(&p, "1C1", "1B2 1A3 1D2 1E3 1F4 1G5 1H6 2B2 2D2 3A3 3E3");
    assert_stays_away(&p, "1C1", "2F4 3D2", "Chess3, The Bishop");
    // Never straight up, never along a file or rank.
    assert_stays_away(
        &p,
        "1C1",
        "2C1 3C1 2C2 2B1 2D1 3C3 1C2 2A3 3B2",
        "Chess3, The Bishop",
    );
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
fn bishop_goes_two_levels_at_most_and_waits_from_afar() {
    let p = at("B1C1 K3H1 k1H8 n3E3 p2B2", "w - - -");
    assert_legal(&p, "1C1x3E3 1C1x2B2");
    assert_stays_away(&p, "1C1", "3A3", "Chess3, Moving and Capturing");
    // From level 3 it comes down as well.
    let p = at("B3E3 K3H1 k1H8", "w - - -");
    assert!(goes(&p, "3E3").is_superset(&set("2D2 1C1 2F4 1G5 2D4 1C5 2F2 1G1")));
}

// The Knight

#[test]
fn knight_example_from_1b1() {
    let p = at("N1B1 K3H1 k1H8", "w - - -");
    assert_goes(&p, "1B1", "1D2 1A3 1C3 2D1 2B3 3A1 3B2 3C1");
    assert_stays_away(
        &p,
        "1B1",
        "2B1 3B1 2A3 2C3 2D2 3B3 3D1 3C2",
        "Chess3, The Knight",
    );
    // One level and two squares, or two levels and one, in every direction.
    let p = at("N1D4 K3H1 k3H8", "w - - -");
    assert_goes(
        &p,
        "1D4",
        "1B3 1B5 1C2 1C6 1E2 1E6 1F3 1F5 2D6 2D2 2B4 2F4 3D5 3D3 3C4 3E4",
    );
}

#[test]
fn knight_is_never_blocked() {
    let p = at(
        "N1B1 K3H1 k1H8 P1A2 P1B2 p1C2 P1A1 P1C1 P2B1 p2B2 n2C1 r2A1 n3B1 P1D1",
        "w - - -",
    );
    assert_goes(&p, "1B1", "1D2 1A3 1C3 2D1 2B3 3A1 3B2 3C1");
    // But not onto its own men, and it takes the others.
    let p = at("N1B1 K3H1 k1H8 P2B3 n3B2", "w - - -");
    assert_goes(&p, "1B1", "1D2 1A3 1C3 2D1 3A1 3B2 3C1");
    assert_stays_away(&p, "1B1", "2B3", "Chess3, Moving and Capturing");
    assert_eq!(piece(&play(&p, "1B1x3B2"), "3B2"), Some('N'));
}

#[test]
fn knight_has_the_same_power_on_level_3() {
    let p = at("N3B1 K1H1 k1H8", "w - - -");
    assert_goes(&p, "3B1", "3D2 3A3 3C3 2D1 2B3 1A1 1B2 1C1");
}

// The Rook

#[test]
fn rook_example_from_1a1() {
    let p = at("R1A1 K3H1 k1H8", "w - - -");
    assert_goes(
        &p,
        "1A1",
        "1A2 1A3 1A4 1A5 1A6 1A7 1A8 1B1 1C1 1D1 1E1 1F1 1G1 1H1 2A1 3A1",
    );
    // 1AI in the text is 1A1 (ruling Q8).
    assert_stays_away(&p, "1A1", "2A8 2H1", "Chess3, The Rook");
    assert_stays_away(&p, "1A1", "2A2 2B1 3A3 3C1 2B2 1B2", "Chess3, The Rook");
}

#[test]
fn rook_from_level_2_and_blocked() {
    let p = at("R2D4 K3H1 k1H8", "w - - -");
    let found = goes(&p, "2D4");
    assert_eq!(found.len(), 16);
    assert!(found.is_superset(&set("1D4 3D4")));
    let p = at("R1A1 K3H1 k1H8 n2A1 P1C1", "w - - -");
    assert_goes(&p, "1A1", "1A2 1A3 1A4 1A5 1A6 1A7 1A8 1B1 2A1");
    assert_stays_away(&p, "1A1", "3A1 1C1 1D1", "Chess3, Moving and Capturing");
    assert_eq!(piece(&play(&p, "1A1x2A1"), "2A1"), Some('R'));
}

// The Pawn

#[test]
fn pawn_example_from_1b2() {
    let p = at("P1B2 K1E1 k3E8", "w - - -");
    assert_goes(&p, "1B2", "1B3 1B4 2B2 3B2");
    // Two squares or two levels, never both at once (ruling Q7), nor one of each.
    assert_stays_away(
        &p,
        "1B2",
        "2B3 2B4 3B3 3B4 1B5 1B1 1A3 1C3 1A2",
        "Chess3, The Pawn",
    );
    let p = at("p3B7 K1E1 k3E8", "b - - -");
    assert_goes(&p, "3B7", "3B6 3B5 2B7 1B7");
}

#[test]
fn pawn_two_steps_only_if_nothing_blocks() {
    for (held, blocked) in [
        ("1B3", "1B3 1B4"),
        ("1B4", "1B4"),
        ("2B2", "2B2 3B2"),
        ("3B2", "3B2"),
    ] {
        for letter in ["n", "N"] {
            let p = at(&format!("P1B2 K1E1 k3E8 {letter}{held}"), "w - - -");
            let all = set("1B3 1B4 2B2 3B2");
            let free: Vec<_> = all.difference(&set(blocked)).cloned().collect();
            assert_goes(&p, "1B2", &free.join(" "));
        }
    }
}

#[test]
fn pawn_after_its_first_move_one_cube_or_one_level() {
    let p = at("P1B3 K1E1 k3E8", "w - - -");
    assert_goes(&p, "1B3", "1B4 2B3");
    assert_stays_away(&p, "1B3", "1B5 3B3 2B4", "Chess3, The Pawn");
    let p = at("P2B4 K1E1 k3E8", "w - - -");
    assert_goes(&p, "2B4", "2B5 1B4 3B4");
}

#[test]
fn pawn_in_limbo_goes_down_and_returns() {
    // The text's example: 3B7 to 2B7 and back, two moves, and no first move is left (ruling C2).
    let p = at("p3B7 P1H2 K1E1 k3E8", "b - - -");
    let p = play(&p, "3B7-2B7 1H2-1H3 2B7-3B7 1H3-1H4");
    assert_eq!(piece(&p, "3B7"), Some('p'));
    assert_goes(&p, "3B7", "3B6 2B7");
    assert_stays_away(&p, "3B7", "3B5 1B7", "Chess3, The Pawn");
    assert_eq!(line(&p).split(' ').nth(4), Some("3b7"));
    // Not where a man stands.
    let p = at("p3B7 N2B7 K1E1 k3E8", "b - - -");
    assert_goes(&p, "3B7", "3B6 3B5");
}

#[test]
fn pawn_goes_forward_only() {
    for (p, from, back) in [
        (
            at("P2D4 K1E1 k3E8", "w - - -"),
            "2D4",
            "2D3 2C4 2E4 1D3 3D3 2C3 2E3 1C4 3E4",
        ),
        (
            at("p2D4 K1E1 k3E8", "b - - -"),
            "2D4",
            "2D5 2C4 2E4 1D5 3D5 2C5 2E5 1C4 3E4",
        ),
    ] {
        assert_stays_away(&p, from, back, "Chess3, The Pawn");
    }
}

#[test]
fn pawn_takes_diagonally_forward_and_forward_up_or_down() {
    // Ruling Q7: on its level as a bishop; to another level straight forward, a cube for the level.
    let p = at("P2D4 K1E1 k3H8 n2C5 n2E5 n1D5 n3D5", "w - - -");
    assert_goes(&p, "2D4", "2C5 2E5 1D5 3D5 2D5 1D4 3D4");
    let p = at("p2D4 K1H1 k3H8 N2C3 N2E3 N1D3 N3D3", "b - - -");
    assert_goes(&p, "2D4", "2C3 2E3 1D3 3D3 2D3 1D4 3D4");
    // From level 1 up, from level 3 down.
    let p = at("P1D4 K1E1 k3H8 n2D5 n1C5", "w - - -");
    assert_goes(&p, "1D4", "1C5 2D5 1D5 2D4");
    let p = at("P3D4 K1E1 k3H8 n2D5 n3E5", "w - - -");
    assert_goes(&p, "3D4", "3E5 2D5 3D5 2D4");
}

#[test]
fn pawn_takes_in_no_other_direction() {
    // Ahead, above, below, sideways, backward; and both a file and a level away, or two levels.
    let held = "2D5 1D4 3D4 2C4 2E4 1C4 3E4 2D3 2C3 2E3 1D3 3D3 1C5 3C5 1E5 3E5";
    let men: String = held.split(' ').map(|s| format!(" n{s}")).collect();
    let p = at(&format!("P2D4 K1H1 k3H8{men}"), "w - - -");
    assert_goes(&p, "2D4", "");
    assert_stays_away(&p, "2D4", held, "Chess3, The Pawn");
    let p = at("P1D4 K1H1 k3H8 n3D5 n3D6", "w - - -");
    assert_stays_away(&p, "1D4", "3D5 3D6", "Chess3, The Pawn");
    // And not where there is nothing.
    let p = at("P2D4 K1H1 k3H8", "w - - -");
    assert_stays_away(&p, "2D4", "2C5 2E5 1D5 3D5", "Chess3, The Pawn");
}

#[test]
fn pawn_guards_what_it_takes() {
    // A king may not step where a pawn takes, and may where it only advances.
    let p = at("K1E3 k3H8 p1D5 p2F5", "w - - -");
    // 1F4 is forward and down for the pawn on 2F5, and 2D4 forward and up for the one on 1D5.
    assert_stays_away(&p, "1E3", "1E4 2E4 1F4 2D4", "Chess3, The King");
    let found = goes(&p, "1E3");
    assert!(found.contains("1D4") && found.contains("2F4"), "{found:?}");
}

// What the text leaves to the basic rules of chess

#[test]
fn en_passant_q2_q7_on_the_level_and_straight() {
    let pawns = "p1D4 p1F4 p2E4 p2D4 p2F4 p3E4";
    let p = at(&format!("P1E2 {pawns} K1A1 k3H8"), "w - - -");
    let p = play(&p, "1E2-1E4");
    // Not 2D4, 2F4: a file and a level away; not 3E4: two levels.
    assert_eq!(passing(&p), set("1D4x1E3 1F4x1E3 2E4x1E3"));
    for (token, from) in [("2E4x1E3", "2E4"), ("1D4x1E3", "1D4")] {
        let after = play(&p, token);
        assert_eq!(piece(&after, "1E3"), Some('p'));
        assert_eq!((piece(&after, "1E4"), piece(&after, from)), (None, None));
    }
    assert_illegal(&p, "2D4x1E3", "Chess3, The Pawn");
    let m = Move::EnPassant {
        from: place("2D4"),
        to: place("1E3"),
        promotion: None,
    };
    assert!(matches!(
        p.explain(m).unwrap().fault,
        Fault::PassesNot { .. }
    ));
    // Black's pawns are taken alike.
    let p = at("p3D7 P3C5 P3E5 P2D5 P2C5 P1D5 K1A1 k1H8", "b - - -");
    let p = play(&p, "3D7-3D5");
    assert_eq!(passing(&p), set("3C5x3D6 3E5x3D6 2D5x3D6"));
}

#[test]
fn en_passant_at_once_and_never_after_two_levels() {
    let p = at("P1E2 p1F4 p2E3 p1D3 K1A1 k3H8", "w - - -");
    let late = play(&p, "1E2-1E4 3H8-2H8 1A1-2A1");
    assert_eq!(passing(&late), set(""));
    let up = play(&p, "1E2-3E2");
    assert_eq!((passing(&up), up.en_passant()), (set(""), None));
    // The pawn on 2E3 takes the one on 3E2 as any piece: forward and up.
    assert_legal(&up, "2E3x3E2");
    let single = play(&p, "1E2-1E3 3H8-2H8 1E3-1E4");
    assert_eq!(passing(&single), set(""));
}

#[test]
fn en_passant_is_said_only_of_a_pawn_that_can_have_advanced_two() {
    // A pawn never advances and changes levels at once (ruling Q7), so none on 3E4 has just made a double step.
    for (pawn, fits) in [
        ("1E4", true),
        ("3E4", false),
        ("2E4", false),
        ("3E2", false),
    ] {
        let field = pawn.to_lowercase();
        let line = format!("{} b - {field} -", placement(&format!("P{pawn} K1A1 k3H8")));
        if fits {
            assert_eq!(position(RULES, &line).en_passant(), Some(place(pawn)));
        } else {
            let fault = SetupError::EnPassant(place(pawn));
            assert_eq!(setup_fault(RULES, &line), fault, "{pawn}");
        }
    }
}

#[test]
fn promotion_q3_on_the_last_rank_of_any_level() {
    for level in 1..=3 {
        for file in ['A', 'D', 'H'] {
            let (from, to) = (format!("{level}{file}7"), format!("{level}{file}8"));
            let p = at(&format!("P{from} K2F1 k2F3"), "w - - -");
            assert_eq!(promotions(&p, &from, &to), "QRBN", "{to}");
            let (from, to) = (format!("{level}{file}2"), format!("{level}{file}1"));
            let p = at(&format!("p{from} K2F6 k2F8"), "b - - -");
            assert_eq!(promotions(&p, &from, &to), "QRBN", "{to}");
        }
    }
    // Forced, to these four, and on a capture too.
    let p = at("P2D7 n3D8 n2C8 n1E8 K2F1 k2F3", "w - - -");
    for to in ["2D8", "3D8", "2C8"] {
        assert_eq!(promotions(&p, "2D7", to), "QRBN", "{to}");
    }
    assert_eq!(promotions(&p, "2D7", "3D7"), "-");
    for promotion in [None, Some(Role::King), Some(Role::Pawn)] {
        let m = Move::Piece {
            from: place("2D7"),
            to: place("2D8"),
            promotion,
        };
        assert_eq!(p.explain(m).unwrap().article, "Chess3, ruling Q3");
    }
    assert_eq!(written(&p, read(&p, "2D7-2D8=N")), "2D7-2D8=N");
    for stray in ["P1A8", "P2B8", "P3C8", "p1A1", "p2B1", "p3H1"] {
        let line = format!("{} w - - -", placement(&format!("K2F6 k2D4 {stray}")));
        assert_eq!(
            setup_fault(RULES, &line),
            SetupError::PawnOnLastRank(place(&stray[1..]))
        );
    }
}

#[test]
fn castling_q4_as_in_ordinary_chess_on_the_home_level() {
    let empty = "8/8/8/8/8/8/8/8";
    let home = format!("r3k2r/8/8/8/8/8/8/8|{empty}|8/8/8/8/8/8/8/R3K2R w KQkq - - 0 10");
    let p = position(RULES, &home);
    let p1 = play(&p, "0-0 0-0-0");
    assert_eq!(men(&p1), set("K1G1 R1F1 R1A1 k3C8 r3D8 r3H8"));
    let p2 = play(&p, "0-0-0 0-0");
    assert_eq!(men(&p2), set("K1C1 R1D1 R1H1 k3G8 r3F8 r3A8"));
    // King or rook has moved.
    let moved = play(&p, "1E1-2E1 3A8-2A8 2E1-1E1 2A8-3A8");
    assert_illegal(&moved, "0-0", "Chess3, ruling Q4");
    assert_illegal(&moved, "0-0-0", "Chess3, ruling Q4");
    let black = play(&moved, "1H1-2H1");
    assert_legal(&black, "0-0");
    assert_illegal(&black, "0-0-0", "Chess3, ruling Q4");
    // Something between, out of check, through check, into check.
    for (man, short, long) in [
        ("B1G1", false, true),
        ("n1B1", true, false),
        ("r1E8", false, false),
        ("r3E1", false, false),
        ("r3F1", false, true),
        ("r3G1", false, true),
        ("r3D1", true, false),
        ("r3C1", true, false),
        // The rook may be attacked and may pass an attacked square; a rook on a slope attacks nothing here.
        ("r3B1", true, true),
        ("r3A1", true, true),
        ("r3H1", true, true),
    ] {
        let p = at(&format!("K1E1 R1A1 R1H1 k3A8 {man}"), "w KQ - -");
        for (token, free) in [("0-0", short), ("0-0-0", long)] {
            if free {
                assert_legal(&p, token);
            } else {
                assert_illegal(&p, token, "Chess3, ruling Q4");
            }
        }
    }
    let above = format!("4k3/8/8/8/8/8/8/8|8/8/8/8/8/8/8/4K2R|{empty} w K - - 0 10");
    assert_eq!(
        setup_fault(RULES, &above),
        SetupError::Castling(Color::White, CastlingSide::King)
    );
}

#[test]
fn the_count_of_moves_q5_starts_anew_with_any_pawn() {
    assert_eq!(RULES.claim_after(), Some(100));
    let p = at(
        "P1E2 P2C7 P2A3 n2B4 N1G1 p3A7 K1E1 R1H1 k3H8",
        "w - - - 30 40",
    );
    for (tokens, count) in [
        ("1E2-2E2", 0),
        ("1E2-3E2", 0),
        ("1E2-1E3", 0),
        ("1E2-1E4", 0),
        ("2C7-2C8=Q", 0),
        ("2A3x2B4", 0),
        ("1G1-1F3", 31),
        ("1E1-1D1", 31),
        ("1G1-1F3 2B4-2A6", 32),
        ("1G1-1F3 3A7-2A7", 0),
    ] {
        assert_eq!(play(&p, tokens).halfmoves(), count, "{tokens}");
    }
}

#[test]
fn the_object_of_the_game_is_checkmate() {
    // Attacked, nothing to interpose, nowhere to go.
    let p = at("k3H8 Q2G7 K1F6", "b - - -");
    assert_eq!(
        p.outcome(),
        Some(Outcome::Checkmate {
            winner: Color::White
        })
    );
    assert_eq!(legal(&p), [""; 0]);
    // A rook that takes her, a king that can go: not mate.
    assert_eq!(legal(&at("k3H8 Q2G7 K1F6 r2A7", "b - - -")), ["2A7x2G7"]);
    assert_eq!(legal(&at("k3H8 Q2G7 K1F4", "b - - -")), ["3H8x2G7"]);
    // Interposing: the queen checks along the slope 1F6, 2G7, 3H8.
    let p = at("k3H8 Q1F6 K1A1 r2G1", "b - - -");
    assert!(p.is_check());
    assert_legal(&p, "2G1-2G7");
}

#[test]
fn draws_q6() {
    for men in [
        "K1A1 k3H8",
        "K1A1 k3H8 N2D4",
        "K1A1 k3H8 b2D4",
        "K1A1 k3H8 R2D4",
    ] {
        let p = at(men, "w - - -");
        assert_eq!(p.outcome(), Some(Outcome::Material), "{men}");
    }
    for men in [
        "K1A1 k3H8 P2D4",
        "K1A1 k3H8 Q2D4",
        "K1A1 k3H8 N2D4 B2D5",
        "K1A1 k3H8 b2D4 B2D5",
        "K1A1 k3H8 r2D4 R2E5",
    ] {
        assert_eq!(at(men, "w - - -").outcome(), None, "{men}");
    }
    assert!(!RULES.repetition_ends());
}

/// Ruling Q6 for this system's rook, too.
#[test]
fn draws_q6_no_mate_with_king_and_one_piece_but_the_queen() {
    for role in [Role::Rook, Role::Bishop, Role::Knight] {
        let (mates, seen) = mates(RULES, role);
        assert_eq!(mates, 0, "{role:?}");
        assert!(seen > 600_000, "{role:?}: only {seen} positions");
    }
    assert!(self::mates(RULES, Role::Queen).0 > 0);
}

#[test]
fn stalemate_is_a_draw() {
    let p = at("k3H8 Q3G6 K1G7", "b - - -");
    assert!(!p.is_check() && !p.has_legal_move());
    assert_eq!(p.outcome(), Some(Outcome::Stalemate));
    let p = at("k3H8 Q3G6 K1G7 p3A7", "b - - -");
    assert_eq!(p.outcome(), None);
}

#[test]
fn notation_of_both_squares() {
    let start = Position::start(RULES);
    // Canonical in capitals, read in small letters and with a piece in front.
    assert_eq!(written(&start, read(&start, "1b2-1b4")), "1B2-1B4");
    assert_eq!(written(&start, read(&start, "N1B1-2B3")), "1B1-2B3");
    let small = parse(Notation::Chess3, b"1b2-1b4", None).unwrap();
    assert!(small.notes.has(Note::Case));
    for refused in ["4B2-4B4", "1B2-1B9", "1I2-1I3", "1B2 1B4", "0B2-0B3"] {
        assert!(
            parse(Notation::Chess3, refused.as_bytes(), None).is_err(),
            "{refused}"
        );
    }
}

#[test]
fn perft_from_the_start() {
    let start = Position::start(RULES);
    assert_eq!([start.perft(1), start.perft(2)], [76, 5_768]);
    assert_eq!(start.perft(3), 477_120);
}
