//! Seeds 002 and 003: the piece tables of both texts, example by example.

use super::*;
use crate::Outcome;
use crate::oracle::outcome;

const MILLENNIUM: RuleSystem = RuleSystem::Millennium;
const CHESS3: RuleSystem = RuleSystem::Chess3;
const BOTH: [RuleSystem; 2] = [MILLENNIUM, CHESS3];

#[test]
fn knights() {
    // 002, 2.2; 003, "The Knight": the same eight.
    for rules in BOTH {
        moves_are(
            rules,
            &setup("", "N1b1"),
            "1b1",
            "1a3 1c3 1d2 2b3 2d1 3a1 3b2 3c1",
        );
    }
}

#[test]
fn bishops() {
    // 002, 2.3, Figure 3; 003 (its 1P4 is 1F4).
    for rules in BOTH {
        moves_are(
            rules,
            &setup("", "B1c1"),
            "1c1",
            "1a3 1b2 1d2 1e3 1f4 1g5 1h6 2b2 2d2 3a3 3e3",
        );
    }
}

#[test]
fn rooks() {
    let flat = "1a2 1a3 1a4 1a5 1a6 1a7 1a8 1b1 1c1 1d1 1e1 1f1 1g1 1h1";
    moves_are(
        MILLENNIUM,
        &setup("", "R1a1"),
        "1a1",
        &format!("{flat} 2a1 2a2 2b1 3a1 3a3 3c1"),
    );
    moves_are(
        CHESS3,
        &setup("", "R1a1"),
        "1a1",
        &format!("{flat} 2a1 3a1"),
    );
}

#[test]
fn queens() {
    // 002, 2.5, Figure 5. 003 gives her the same directions.
    let expected = "1a1 1a4 1b1 1b3 1c1 1c2 1d2 1d3 1d4 1d5 1d6 1d7 1d8 1e1 1e2 1f1 1f3 1g1 1g4 1h1 1h5 \
                    2c1 2c2 2d1 2d2 2e1 2e2 3b1 3b3 3d1 3d3 3f1 3f3";
    for rules in BOTH {
        moves_are(rules, &setup("", "Q1d1"), "1d1", expected);
    }
}

#[test]
fn kings() {
    // 002, Figure 6: 2e1 is there, which the list in 2.6 leaves out.
    for rules in BOTH {
        moves_are(
            rules,
            &setup("", "K1e1"),
            "1e1",
            "1d1 1d2 1e2 1f1 1f2 2d1 2d2 2e1 2e2 2f1 2f2",
        );
        // 003: from level 3 to 2, never to 1.
        moves_are(
            rules,
            &setup("", "K3a8"),
            "3a8",
            "3a7 3b7 3b8 2a7 2a8 2b7 2b8",
        );
    }
}

#[test]
fn sliders_stop_at_the_first_piece() {
    // Straight up, over a held middle level, in neither system.
    for rules in BOTH {
        let setup = setup("", "R1a1 P2a1 p1a3 P1b1");
        let slopes = if rules == MILLENNIUM {
            "2a2 3a3 2b1 3c1"
        } else {
            ""
        };
        moves_are(rules, &setup, "1a1", &format!("1a2 1a3 {slopes}"));
    }
    let bishop = setup("", "B1c1 p2d2 P1b2 P1d2");
    for rules in BOTH {
        moves_are(rules, &bishop, "1c1", "2b2 3a3 2d2");
    }
}

#[test]
fn millennium_pawns_2_7() {
    // Figures 7, 8 and 9.
    moves_are(
        MILLENNIUM,
        &setup("", "P1e2"),
        "1e2",
        "1e3 1e4 2e2 2e3 3e2 3e4",
    );
    moves_are(MILLENNIUM, &setup("", "P2e3"), "2e3", "1e3 1e4 2e4 3e3 3e4");
    moves_are(
        MILLENNIUM,
        &setup(
            "",
            "P2e4 p1d5 p1f5 p2d5 p2f5 p3d5 p3f5 p1e5 p2e5 p3e5 p1e4 p3e4",
        ),
        "2e4",
        "1d5 1f5 2d5 2f5 3d5 3f5",
    );
    // Blocked on the first step, and on the second.
    moves_are(MILLENNIUM, &setup("", "P1e2 n2e2 n1e4 n2e3"), "1e2", "1e3");
    moves_are(
        MILLENNIUM,
        &setup("", "P1e2 n3e2 n3e4 n1e3"),
        "1e2",
        "2e2 2e3",
    );
    // Black's, from level 3.
    moves_are(
        MILLENNIUM,
        &black(setup("", "p3b7")),
        "3b7",
        "3b6 3b5 2b7 1b7 2b6 1b5",
    );
    // Up and down again, but then without the double step.
    let back = line(
        MILLENNIUM,
        &setup("", "P1e2 K1a1 k3h8"),
        "1e2-2e2 3h8-3h7 2e2-1e2 3h7-3h8",
    );
    assert_eq!(moved(&back), ["1e2"]);
    moves_are(MILLENNIUM, &back, "1e2", "1e3 2e2 2e3");
}

#[test]
fn chess3_pawns() {
    moves_are(CHESS3, &setup("", "P1b2"), "1b2", "1b3 1b4 2b2 3b2");
    moves_are(CHESS3, &setup("", "P1b2 n2b2 n1b4"), "1b2", "1b3");
    moves_are(CHESS3, &setup("", "P2e4"), "2e4", "2e5 1e4 3e4");
    // Diagonally on its level, straight forward one level up or down.
    moves_are(
        CHESS3,
        &setup(
            "",
            "P2e4 p2d5 p2f5 p1e5 p3e5 p1d5 p3d5 p1f5 p3f5 p2e5 p1e4 p3e4",
        ),
        "2e4",
        "2d5 2f5 1e5 3e5",
    );
    // 3B7 to 2B7 and back takes two moves.
    let setup = black(setup("", "p3b7 K1a1 k3h8"));
    let there = line(CHESS3, &setup, "3b7-2b7 1a1-1a2 2b7-3b7 1a2-1a1");
    moves_are(CHESS3, &there, "3b7", "3b6 2b7");
}

#[test]
fn millennium_en_passant_3_2() {
    let takers = "p1d4 p1f4 p2d4 p2f4 p3d4 p3f4";
    let before = setup("", &format!("P1e2 {takers}"));
    // On one level: pawns of levels 1 and 2.
    let flat = go(MILLENNIUM, &before, "1e2-1e4");
    for (taker, can) in [
        ("1d4", true),
        ("1f4", true),
        ("2d4", true),
        ("2f4", true),
        ("3d4", false),
        ("3f4", false),
    ] {
        assert_eq!(
            has(MILLENNIUM, &flat, &format!("{taker}-1e3ep")),
            can,
            "{taker}"
        );
    }
    // On a slope: all six, on 2e3.
    let slope = go(MILLENNIUM, &before, "1e2-3e4");
    for taker in ["1d4", "1f4", "2d4", "2f4", "3d4", "3f4"] {
        assert!(
            has(MILLENNIUM, &slope, &format!("{taker}-2e3ep")),
            "{taker}"
        );
    }
    let taken = go(MILLENNIUM, &slope, "1f4-2e3ep");
    piece_is(&taken, "3e4", None);
    piece_is(&taken, "2e3", Some('p'));
    // Straight up: 2f3 takes on 3e2 only.
    let up = go(MILLENNIUM, &setup("", "P1e2 p2f3"), "1e2-3e2");
    assert_eq!(up.en_passant, None);
    assert!(has(MILLENNIUM, &up, "2f3-3e2"));
    assert!(!has(MILLENNIUM, &up, "2f3-2e2ep"));
    // Black's pawns likewise.
    let down = go(MILLENNIUM, &black(setup("", "p3e7 P2d5")), "3e7-1e5");
    assert!(has(MILLENNIUM, &down, "2d5-2e6ep"));
}

#[test]
fn chess3_en_passant_q7() {
    let before = setup("", "P1e2 p2e4 p1d4 p2d4 p1f4");
    let after = go(CHESS3, &before, "1e2-1e4");
    for (taker, can) in [("2e4", true), ("1d4", true), ("1f4", true), ("2d4", false)] {
        assert_eq!(
            has(CHESS3, &after, &format!("{taker}-1e3ep")),
            can,
            "{taker}"
        );
    }
    piece_is(&go(CHESS3, &after, "2e4-1e3ep"), "1e4", None);
}

#[test]
fn promotion() {
    // 002, 3.3: on the enemy's home level only.
    moves_are(MILLENNIUM, &setup("", "P3a7"), "3a7", "3a8=* 2a7 2a8");
    moves_are(
        MILLENNIUM,
        &setup("", "P2a7"),
        "2a7",
        "3a8=* 2a8 1a8 1a7 3a7",
    );
    moves_are(MILLENNIUM, &setup("", "P2a8"), "2a8", "3a8=* 1a8");
    moves_are(MILLENNIUM, &setup("", "P1a8"), "1a8", "2a8");
    moves_are(
        MILLENNIUM,
        &black(setup("", "p2h2 N1g1")),
        "2h2",
        "1h1=* 1g1=* 2h1 3h1 1h2 3h2",
    );
    // Q3: chess3 on every level.
    moves_are(CHESS3, &setup("", "P1a7 n2a8"), "1a7", "1a8=* 2a8=* 2a7");
    moves_are(CHESS3, &black(setup("", "p2h2")), "2h2", "2h1=* 1h2 3h2");
}

#[test]
fn castling() {
    let with_rights = |pieces: &str| {
        let mut setup = setup("", pieces);
        setup.castling = Castling::ALL;
        setup
    };
    for rules in BOTH {
        let both = with_rights("K1e1 R1a1 R1h1 k3e8");
        let short = go(rules, &both, "0-0");
        piece_is(&short, "1g1", Some('K'));
        piece_is(&short, "1f1", Some('R'));
        let long = go(rules, &both, "0-0-0");
        piece_is(&long, "1c1", Some('K'));
        piece_is(&long, "1d1", Some('R'));
        for (more, king_side, queen_side) in [
            ("N1b1", true, false),
            ("N1g1", false, true),
            // On the way of the rook only.
            ("r1b8", true, true),
            // Check, passing, arrival; from another level straight down, and in millennium also along the rank.
            ("r1e8", false, false),
            ("r1f8", false, true),
            ("r1g8", false, true),
            ("r1d8", true, false),
            ("r3f1", false, rules == CHESS3),
            ("r3c1", rules == CHESS3, false),
            ("r2b1", true, rules == CHESS3),
            ("r1a8", true, true),
        ] {
            let setup = with_rights(&format!("K1e1 R1a1 R1h1 k3e8 {more}"));
            assert_eq!(has(rules, &setup, "0-0"), king_side, "{rules:?} {more}");
            assert_eq!(has(rules, &setup, "0-0-0"), queen_side, "{rules:?} {more}");
        }
        let black_too = black(with_rights("K1e1 k3e8 r3a8 r3h8"));
        piece_is(&go(rules, &black_too, "0-0-0"), "3c8", Some('k'));
        // No right, no castling.
        let mut none = both.clone();
        none.castling = Castling::NONE.with(Color::White, CastlingSide::Queen);
        assert!(!has(rules, &none, "0-0") && has(rules, &none, "0-0-0"));
        // C3: taken at home.
        let taken = go(
            rules,
            &with_rights("K1e1 R1a1 R1a8 k3e8 r3a8 r3h8"),
            "1a8-3a8",
        );
        assert!(!taken.castling.has(Color::Black, CastlingSide::Queen));
        assert!(taken.castling.has(Color::Black, CastlingSide::King));
        assert!(taken.castling.has(Color::White, CastlingSide::Queen));
    }
}

#[test]
fn counts_of_moves_q5() {
    let mut here = setup("", "K1a1 k3h8 P1e4 n2c4");
    here.halfmoves = 10;
    assert_eq!(go(MILLENNIUM, &here, "1e4-2e4").halfmoves, 11);
    assert_eq!(go(MILLENNIUM, &here, "1e4-2e5").halfmoves, 0);
    assert_eq!(go(CHESS3, &here, "1e4-2e4").halfmoves, 0);
    assert_eq!(go(CHESS3, &here, "1a1-1a2").halfmoves, 11);
    let mut top = setup("", "K1a1 k3h8 P2e8");
    top.halfmoves = 10;
    assert_eq!(go(MILLENNIUM, &top, "2e8-1e8").halfmoves, 11);
    top.set_piece(cube_square("3h8"), None);
    top.set_piece(cube_square("1h8"), Piece::from_letter('k'));
    assert_eq!(go(MILLENNIUM, &top, "2e8-3e8=N").halfmoves, 0);
}

#[test]
fn draws_q6() {
    for rules in BOTH {
        let ends = |pieces: &str| outcome(rules, &setup("", pieces));
        let draw = Some(Outcome::Material);
        assert_eq!(ends("K1e1 k3e8"), draw);
        assert_eq!(ends("K1e1 k3e8 N2a4"), draw);
        assert_eq!(ends("K1e1 k3e8 b2a4"), draw);
        assert_eq!(ends("K1e1 k3e8 R2a4"), draw);
        assert_eq!(ends("K1e1 k3e8 Q2a4"), None);
        assert_eq!(ends("K1e1 k3e8 P2a4"), None);
        assert_eq!(ends("K1e1 k3e8 N2a4 N2a5"), None);
        // One man each: neither knight nor bishop mates a king whose own man is in his way.
        for men in ["N2a4 n2a5", "B2a4 n2a5", "B2a4 b2a5"] {
            assert_eq!(ends(&format!("K1e1 k3e8 {men}")), draw, "{men}");
        }
        // A rook does, in millennium.
        for men in ["R2a4 r2b6", "R2a4 n2a5", "b2a4 R2a5"] {
            let wanted = draw.filter(|_| rules == CHESS3);
            assert_eq!(ends(&format!("K1e1 k3e8 {men}")), wanted, "{men}");
        }
        assert_eq!(ends("K1e1 k3e8 R2a4 p2b6"), None);
    }
    let mate = black(setup("", "k1a1 n1b2 R2a1 K3a1"));
    let winner = Color::White;
    assert_eq!(
        outcome(MILLENNIUM, &mate),
        Some(Outcome::Checkmate { winner })
    );
}

#[test]
fn king_and_rook_cannot_mate_q6() {
    no_mate_with_king_and(Role::Rook);
}

#[test]
#[ignore = "slow"]
fn king_and_bishop_or_knight_cannot_mate_q6() {
    no_mate_with_king_and(Role::Bishop);
    no_mate_with_king_and(Role::Knight);
}

/// Tries every check by king and one piece. The lone king's squares are taken up to symmetry: files, ranks and levels
/// may be mirrored, and files changed for ranks, for every piece but a pawn.
fn no_mate_with_king_and(role: Role) {
    let squares: Vec<Square> = (0..192).map(Square::new).collect();
    let mut checks = 0_u32;
    for rules in BOTH {
        for lone in &squares {
            let (level, rank, file) = (lone.index() / 64, lone.index() / 8 % 8, lone.index() % 8);
            if level > 1 || rank > 3 || file > rank {
                continue;
            }
            for attacker in &squares {
                let mut setup = Setup::empty(None);
                setup.set_piece(*attacker, Some(Piece::new(Color::White, role)));
                if attacker == lone || !crate::oracle::attacks(rules, &setup, *attacker, *lone) {
                    continue;
                }
                setup.set_piece(*lone, Some(Piece::new(Color::Black, Role::King)));
                setup.turn = Color::Black;
                for king in &squares {
                    if setup.piece(*king).is_some() {
                        continue;
                    }
                    let mut setup = setup.clone();
                    setup.set_piece(*king, Some(Piece::new(Color::White, Role::King)));
                    // Kings side by side cannot be, and a king in between is no check.
                    if crate::oracle::attacks(rules, &setup, *lone, *king)
                        || !crate::oracle::is_check(rules, &setup, Color::Black)
                    {
                        continue;
                    }
                    checks += 1;
                    assert!(
                        !legal_moves(rules, &setup).is_empty(),
                        "{rules:?} mate: {:?}",
                        setup
                            .pieces()
                            .map(|(at, piece)| format!("{}{}", piece.letter(), name(&setup, at)))
                            .collect::<Vec<_>>()
                    );
                }
            }
        }
    }
    assert!(checks > 10_000);
}
