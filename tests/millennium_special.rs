//! Millennium 3D Chess (seed 002), Sections 3 and 4: castling, en passant, promotion, check, mate and draws.

use crate::cube_support::{
    assert_stays_away, board, images, mates, passing, place, placement, three,
};
use crate::support::{
    assert_goes, assert_illegal, assert_legal, goes, legal, line, men, piece, play, position,
    promotions, read, set, setup_fault, square, written, written_as,
};
use tridex_geometry::Square;
use tridex_notation::{Notation, WriteOptions, names};
use tridex_rules::{
    CastlingSide, Color, Fault, Move, Outcome, Position, Role, RuleSystem, SetupError,
};

const RULES: RuleSystem = RuleSystem::Millennium;

#[track_caller]
fn at(men: &str, fields: &str) -> Position {
    board(RULES, men, fields)
}

// 3.1 Castling

const EMPTY: &str = "8/8/8/8/8/8/8/8";

/// A position from its levels 3 and 1; level 2 is empty.
#[track_caller]
fn home(three: &str, one: &str, fields: &str) -> Position {
    position(RULES, &format!("{three}|{EMPTY}|{one} {fields}"))
}

const WHITE_HOME: &str = "8/8/8/8/8/8/8/R3K2R";
const BLACK_HOME: &str = "r3k2r/8/8/8/8/8/8/8";

#[test]
fn article_3_1_castling_on_both_sides() {
    let p = home(BLACK_HOME, WHITE_HOME, "w KQkq - - 0 10");
    let short = play(&p, "0-0");
    assert_eq!(men(&short), set("K1g1 R1f1 R1a1 k3e8 r3a8 r3h8"));
    let long = play(&p, "0-0-0");
    assert_eq!(men(&long), set("K1c1 R1d1 R1h1 k3e8 r3a8 r3h8"));
    // Black, and White's rights are gone after it.
    let both = play(&short, "0-0-0");
    assert_eq!(men(&both), set("K1g1 R1f1 R1a1 k3c8 r3d8 r3h8"));
    assert!(both.castling().is_empty());
    let both = play(&long, "0-0");
    assert_eq!(men(&both), set("K1c1 R1d1 R1h1 k3g8 r3f8 r3a8"));
    // It is written 0-0 and 0-0-0.
    assert_eq!(written(&p, Move::Castle(CastlingSide::King)), "0-0");
    assert_eq!(written(&p, Move::Castle(CastlingSide::Queen)), "0-0-0");
    // The king's two steps are castling, not a move of the king.
    assert_stays_away(&p, "1e1", "1g1 1c1", "Millennium 2.6");
}

#[test]
fn article_3_1_a_first_move_of_king_and_rook() {
    let p = home(BLACK_HOME, WHITE_HOME, "w KQkq - - 0 10");
    // The king goes and comes back: both are lost, for White alone.
    let king = play(&p, "K2e1 K2e8 K1e1 K3e8");
    assert!(king.castling().is_empty());
    assert_illegal(&king, "0-0", "Millennium 3.1[a]");
    assert_illegal(&king, "0-0-0", "Millennium 3.1[a]");
    // One rook goes and comes back: the other may still castle.
    let rook = play(&p, "R1h2 R3a7 R1h1 R3a8");
    assert_illegal(&rook, "0-0", "Millennium 3.1[a]");
    assert_legal(&rook, "0-0-0");
    let rook = play(&rook, "R2a1");
    assert_illegal(&rook, "0-0-0", "Millennium 3.1[a]");
    assert_legal(&rook, "0-0");
    // A rook taken at home is gone for castling, also when another stands there (ruling C3).
    let p = at("K1e1 R1h1 R1g4 r1h8 k3a8", "b K - -");
    let p = play(&p, "Rx1h1+ K1e2 R1h8 R1g1 R2h8 K1e1 R1h8 R1h1 R2h8");
    assert_eq!(men(&p), set("K1e1 R1h1 r2h8 k3a8"));
    assert_illegal(&p, "0-0", "Millennium 3.1[a]");
}

#[test]
fn article_3_1_b_nothing_between_king_and_rook() {
    for (held, short, long) in [
        ("1f1", false, true),
        ("1g1", false, true),
        ("1d1", true, false),
        ("1c1", true, false),
        ("1b1", true, false),
        // Other levels and ranks do not matter.
        ("2f1", true, true),
        ("2d1", true, true),
        ("1b2", true, true),
    ] {
        let p = at(&format!("K1e1 R1a1 R1h1 k3e8 B{held}"), "w KQ - -");
        for (token, free) in [("0-0", short), ("0-0-0", long)] {
            if free {
                assert_legal(&p, token);
            } else {
                assert_illegal(&p, token, "Millennium 3.1[b]");
            }
        }
    }
    // The other side's piece is in the way as well: a knight on 1b1 attacks 1d2 and 3c1, and no square of the king's.
    let p = at("K1e1 R1a1 R1h1 k3e8 n1b1", "w KQ - -");
    assert_illegal(&p, "0-0-0", "Millennium 3.1[b]");
    assert_legal(&p, "0-0");
}

#[test]
fn article_3_1_c_not_out_of_check() {
    // By a rook on the file, straight above, on the slope; a knight two levels up; a bishop; a queen across.
    for attacker in ["r1e8", "r3e1", "r3e3", "n3f1", "n2e3", "b3g3", "q1h4"] {
        let p = at(&format!("K1e1 R1a1 R1h1 k3a8 {attacker}"), "w KQ - -");
        assert!(p.is_check(), "{attacker}");
        for token in ["0-0", "0-0-0"] {
            assert_illegal(&p, token, "Millennium 3.1[c], [d]");
        }
    }
}

#[test]
fn article_3_1_d_not_into_or_through_attack() {
    for (attacker, short, long) in [
        ("r1f8", false, true),
        ("r1g8", false, true),
        ("r1d8", true, false),
        ("r1c8", true, false),
        // From the levels above: straight down, down the slope of a rank, down a diagonal, a knight's leap.
        ("b3h3", false, true),
        ("n3g2", false, true),
        ("n3c2", true, false),
        ("b3e3", false, false),
        // What attacks rook or knight's square only does not matter.
        ("r1b8", true, true),
        ("r1a8", true, true),
        ("r1h8", true, true),
    ] {
        let p = at(&format!("K1e1 R1a1 R1h1 k3a8 {attacker}"), "w KQ - -");
        assert!(!p.is_check(), "{attacker}");
        for (token, free) in [("0-0", short), ("0-0-0", long)] {
            if free {
                assert_legal(&p, token);
            } else {
                assert_illegal(&p, token, "Millennium 3.1[c], [d]");
            }
        }
    }
}

#[test]
fn article_3_1_not_on_another_level() {
    // King and rook that stand on level 2 above their homes have no castling, and cannot be said to.
    let line = format!("4k3/8/8/8/8/8/8/8|8/8/8/8/8/8/8/R3K2R|{EMPTY} w KQ - - 0 10");
    assert_eq!(
        setup_fault(RULES, &line),
        SetupError::Castling(Color::White, CastlingSide::King)
    );
}

// 3.2 En passant

#[test]
fn article_3_2_black_takes_a_pawn_that_advanced_two() {
    let p = at("P1e2 p1f4 K1a1 k3h8", "w - - -");
    let p = play(&p, "1e4");
    assert_eq!(passing(&p), set("1f4x1e3"));
    let after = play(&p, "fx1e3");
    assert_eq!(men(&after), set("p1e3 K1a1 k3h8"));
    // It is a capture, and sets the count back.
    assert!(p.is_capture(read(&p, "fx1e3")));
    assert_eq!(after.halfmoves(), 0);
}

#[test]
fn article_3_2_which_pawns_can_take() {
    // 1e2-1e4: the pawns on levels 1 and 2; those on level 3 are two levels from 1e3.
    let pawns = "p1d4 p1f4 p2d4 p2f4 p3d4 p3f4";
    let p = at(&format!("P1e2 {pawns} K1a1 k3h8"), "w - - -");
    let flat = play(&p, "1e4");
    assert_eq!(passing(&flat), set("1d4x1e3 1f4x1e3 2d4x1e3 2f4x1e3"));
    for from in ["3d4", "3f4"] {
        let m = Move::EnPassant {
            from: square(&flat, from),
            to: square(&flat, "1e3"),
            promotion: None,
        };
        let explanation = flat.explain(m).expect("not legal");
        assert_eq!(explanation.article, "Millennium 3.2");
        assert!(matches!(explanation.fault, Fault::PassesNot { .. }));
    }
    // 1e2-3e4: all six, and they land on 2e3.
    let slope = play(&p, "3e4");
    assert_eq!(
        passing(&slope),
        set("1d4x2e3 1f4x2e3 2d4x2e3 2f4x2e3 3d4x2e3 3f4x2e3")
    );
    let after = play(&slope, "1d4x2e3");
    assert_eq!(piece(&after, "2e3"), Some('p'));
    assert_eq!(piece(&after, "3e4"), None);
    // Neither 1e3 nor 3e3 was crossed.
    assert_illegal(&slope, "1d4x1e3", "Millennium 2.7");
    assert_illegal(&slope, "3d4x3e3", "Millennium 2.7");
}

#[test]
fn article_3_2_black_pawns_are_taken_alike() {
    let pawns = "P1c5 P1e5 P2c5 P2e5 P3c5 P3e5";
    let p = at(&format!("p3d7 {pawns} K1a1 k1h8"), "b - - -");
    assert_eq!(
        passing(&play(&p, "3d5")),
        set("3c5x3d6 3e5x3d6 2c5x3d6 2e5x3d6")
    );
    assert_eq!(
        passing(&play(&p, "1d5")),
        set("1c5x2d6 1e5x2d6 2c5x2d6 2e5x2d6 3c5x2d6 3e5x2d6")
    );
}

#[test]
fn article_3_2_only_from_the_fifth_rank_and_on_the_next_file() {
    let p = at("P1e2 p1d3 p1f5 p1c4 p1g4 p2e4 p1h3 K1a1 k3h8", "w - - -");
    let p = play(&p, "1e4");
    assert_eq!(passing(&p), set(""));
    assert_eq!(p.en_passant(), Some(place("1e4")));
}

#[test]
fn article_3_2_only_at_once() {
    let p = at("P1e2 p1f4 K1a1 k3h8", "w - - -");
    let p = play(&p, "1e4 K2h8 K2a1");
    assert_eq!(passing(&p), set(""));
    assert_illegal(&p, "fx1e3", "Millennium 2.7");
    assert_eq!(p.en_passant(), None);
}

#[test]
fn article_3_2_only_after_two_squares_at_once() {
    // One square, twice; and a step up, then one forward.
    let p = at("P1e2 p1f4 p2f4 K1a1 k3h8", "w - - -");
    let p = play(&p, "1e3 K2h8 1e4");
    assert_eq!(passing(&p), set(""));
    let p = at("P1e3 p1f4 p2f4 K1a1 k3h8", "w - - -");
    assert_eq!(passing(&play(&p, "2e4")), set(""));
}

#[test]
fn article_3_2_none_on_the_sixth_rank_after_two_levels() {
    // Ruling Q2: the double step straight up is not answered in passing.
    let p = at("P1e2 p2f3 p1f3 p3f3 p2d3 K1a1 k3h8", "w - - -");
    let p = play(&p, "3e2");
    assert_eq!((passing(&p), p.en_passant()), (set(""), None));
    assert_illegal(&p, "2f3x2e2", "Millennium 2.7");
    // By an ordinary capture it is: 2f3 takes on 3e2.
    let after = play(&p, "2f3x3e2");
    assert_eq!(piece(&after, "3e2"), Some('p'));
    assert_eq!(piece(&after, "2f3"), None);
}

#[test]
fn article_3_2_a_position_says_it_only_of_a_pawn_that_can_have_advanced_two() {
    let says = |men: &str, fields: &str| format!("{} {fields}", placement(men));
    // 1e2-1e4 and 1e2-3e4 are double steps; 2e4 is not reached by one, 1e3 and 3e2 are not two ranks on.
    for (pawn, fits) in [
        ("1e4", true),
        ("3e4", true),
        ("2e4", false),
        ("1e3", false),
        ("3e2", false),
        ("1e5", false),
    ] {
        let line = says(&format!("P{pawn} K1a1 k3h8"), &format!("b - {pawn} -"));
        if fits {
            assert_eq!(position(RULES, &line).en_passant(), Some(place(pawn)));
        } else {
            let fault = SetupError::EnPassant(place(pawn));
            assert_eq!(setup_fault(RULES, &line), fault, "{pawn}");
        }
    }
    // Nor of the mover's own pawn, a piece, an empty square, or across a held one.
    for (men, fields) in [
        ("P1e4 K1a1 k3h8", "w - 1e4 -"),
        ("N1e4 K1a1 k3h8", "b - 1e4 -"),
        ("P1e4 K1a1 k3h8", "b - 1d4 -"),
        ("P1e4 N1e3 K1a1 k3h8", "b - 1e4 -"),
        ("P3e4 N2e3 K1a1 k3h8", "b - 3e4 -"),
    ] {
        let fault = setup_fault(RULES, &says(men, fields));
        assert!(
            matches!(fault, SetupError::EnPassant(_)),
            "{men}: {fault:?}"
        );
    }
}

#[test]
fn article_3_2_pieces_do_not_take_in_passing() {
    let p = at("P1e2 n1f5 b2f4 K1a1 k3h8", "w - - -");
    let p = play(&p, "1e4");
    for from in ["1f5", "2f4"] {
        let m = Move::EnPassant {
            from: place(from),
            to: place("1e3"),
            promotion: None,
        };
        assert!(!p.is_legal(m));
        assert!(matches!(
            p.explain(m).unwrap().fault,
            Fault::NotAPawn { .. }
        ));
    }
    // The bishop goes to 1e3, and the pawn stays.
    let after = play(&p, "B1e3");
    assert_eq!(piece(&after, "1e4"), Some('P'));
}

#[test]
fn article_3_2_not_if_it_exposes_the_king() {
    // Both pawns leave the fifth rank, and the rook looks along it.
    let p = at("K3a5 P3e5 p3d5 r3h5 k1a8", "w - 3d5 -");
    assert_eq!(passing(&p), set(""));
    assert_illegal(&p, "ex3d6", "Millennium 2.6");
    // A pawn of another level may, for its own leaves the line shut.
    let p = at("K3a5 P2e5 P3e5 p3d5 r3h5 k1a8", "w - 3d5 -");
    assert_eq!(passing(&p), set("2e5x3d6"));
    // And it answers a check that the double step gave.
    let p = at("K3c4 P3e5 p3d5 k1a8", "w - 3d5 -");
    assert!(p.is_check());
    assert_eq!(passing(&p), set("3e5x3d6"));
}

// 3.3 Promotion

#[test]
fn article_3_3_promotion_on_the_kings_rank_and_level() {
    for file in 'a'..='h' {
        let (from, to) = (format!("3{file}7"), format!("3{file}8"));
        let p = at(&format!("P{from} K1d1 k1d4"), "w - - -");
        assert_eq!(promotions(&p, &from, &to), "QRBN", "{to}");
        let (from, to) = (format!("1{file}2"), format!("1{file}1"));
        let p = at(&format!("p{from} K3d4 k3d8"), "b - - -");
        assert_eq!(promotions(&p, &from, &to), "QRBN", "{to}");
    }
    let p = at("P3b7 K1d1 k1d4", "w - - -");
    for (token, letter) in [
        ("3b8=Q", 'Q'),
        ("3b8=R", 'R'),
        ("3b8=B", 'B'),
        ("3b8=N", 'N'),
    ] {
        let after = play(&p, token);
        assert_eq!(piece(&after, "3b8"), Some(letter));
        assert_eq!(after.halfmoves(), 0);
    }
}

#[test]
fn article_3_3_to_no_king_and_never_a_pawn_still() {
    let p = at("P3b7 K1d1 k1d4", "w - - -");
    for promotion in [None, Some(Role::King), Some(Role::Pawn)] {
        let m = Move::Piece {
            from: place("3b7"),
            to: place("3b8"),
            promotion,
        };
        assert!(!p.is_legal(m), "{promotion:?}");
        assert_eq!(p.explain(m).unwrap().article, "Millennium 3.3");
    }
    // Nor does a piece become another, or a pawn elsewhere.
    let p = at("R3b7 P2c6 K1d1 k1d4", "w - - -");
    for (from, to) in [("3b7", "3b8"), ("2c6", "2c7")] {
        let m = Move::Piece {
            from: place(from),
            to: place(to),
            promotion: Some(Role::Queen),
        };
        assert_eq!(p.explain(m).unwrap().article, "Millennium 3.3");
    }
}

#[test]
fn article_3_3_not_on_the_other_levels() {
    for (level, file) in [(1, 'a'), (1, 'h'), (2, 'd'), (2, 'e')] {
        let (from, to) = (format!("{level}{file}7"), format!("{level}{file}8"));
        let p = at(&format!("P{from} K1c1 k1c3"), "w - - -");
        assert_eq!(promotions(&p, &from, &to), "-", "{to}");
    }
    for (level, file) in [(3, 'a'), (3, 'h'), (2, 'd'), (2, 'e')] {
        let (from, to) = (format!("{level}{file}2"), format!("{level}{file}1"));
        let p = at(&format!("p{from} K3c6 k3c8"), "b - - -");
        assert_eq!(promotions(&p, &from, &to), "-", "{to}");
    }
    // Such a pawn goes up or down, a level at a time, and is promoted where it arrives on level 3 or 1.
    let p = at("P1e8 K1c1 k1c3", "w - - -");
    assert_eq!(promotions(&p, "1e8", "2e8"), "-");
    assert_goes(&p, "1e8", "2e8");
    let p = at("P2e8 K1c1 k1c3", "w - - -");
    assert_eq!(promotions(&p, "2e8", "3e8"), "QRBN");
    assert_eq!(promotions(&p, "2e8", "1e8"), "-");
    assert_goes(&p, "2e8", "1e8 3e8");
    // By a slope and by a capture too.
    let p = at("P2e7 n3d8 n2f8 K1c1 k1c3", "w - - -");
    assert_eq!(promotions(&p, "2e7", "3e8"), "QRBN");
    assert_eq!(promotions(&p, "2e7", "3d8"), "QRBN");
    assert_eq!(promotions(&p, "2e7", "2e8"), "-");
    assert_eq!(promotions(&p, "2e7", "2f8"), "-");
}

#[test]
fn article_3_3_no_pawn_stands_on_its_last_rank_and_level() {
    for (man, name) in [("P3a8", "3a8"), ("p1h1", "1h1")] {
        let with = |man: &str| {
            let knight = format!("N{}", &man[1..]);
            line(&at(&format!("{knight} K1c3 k3c6"), "w - - -")).replace('N', &man[..1])
        };
        assert_eq!(
            setup_fault(RULES, &with(man)),
            SetupError::PawnOnLastRank(place(name))
        );
    }
    // Elsewhere on the first and last rank they do.
    let p = at("P1a8 P2h8 P1b1 p3a1 p2h1 p3b8 K1c3 k3c6", "w - - -");
    assert_goes(&p, "1b1", "1b2 2b1 2b2");
}

#[test]
fn article_3_3_the_new_piece_checks_mates_and_stalemates_at_once() {
    let p = at("P3b7 K1a1 k3e8", "w - - -");
    assert!(play(&p, "3b8=Q").is_check());
    assert!(play(&p, "3b8=R").is_check());
    assert!(!play(&p, "3b8=B").is_check());
    assert!(!play(&p, "3b8=N").is_check());
    let marks = |token: &str| written_as(&p, read(&p, token), &WriteOptions::default());
    assert_eq!([marks("3b8=Q"), marks("3b8=N")], ["3b8=Q+", "3b8=N"]);
}

#[test]
fn article_3_4_illegal_moves_are_not_played() {
    let p = at("K1e1 k3h8 r2b1 N2e1", "w - - -");
    let before = line(&p);
    let mut now = p.clone();
    for (from, to) in [
        ("1e1", "2d1"),
        ("1e1", "1e3"),
        ("2e1", "2e2"),
        ("3h8", "3h7"),
    ] {
        let m = Move::Piece {
            from: place(from),
            to: place(to),
            promotion: None,
        };
        let refused = now.play(m).unwrap_err();
        assert_eq!(refused.0, m);
    }
    assert_eq!(line(&now), before);
    now.play(read(&p, "K1d2")).unwrap();
    assert_eq!(now.turn(), Color::Black);
}

// 4.0 Special rules

#[test]
fn article_4_1_check_must_be_answered() {
    // A rook checks down the slope 3e3, 2e2, 1e1: take it, step between, or leave.
    let p = at("K1e1 k1h8 r3e3 N3c2 R2a2 P1a2", "w - - -");
    assert!(p.is_check());
    assert_legal(&p, "Nx3e3 R2e2 K1d1 K2d1");
    assert_stays_away(&p, "1a2", "1a3 2a3", "Millennium 2.6");
    assert_stays_away(&p, "1e1", "2e2", "Millennium 2.6");
    let all = legal(&p);
    for quiet in ["1a3", "1a4", "R2a3", "N3a3"] {
        assert!(
            !all.contains(&quiet.to_owned()),
            "{quiet} leaves the king in check"
        );
    }
}

#[test]
fn article_4_1_discovered_and_double_check() {
    // The knight leaves the file of rook and king; on 3d6 it gives check itself.
    let p = at("R3e1 N3e4 K1a1 k3e8 r3h6 b1c8", "w - - -");
    let discovered = play(&p, "N3g5");
    assert!(discovered.is_check());
    assert_legal(&discovered, "R3e6 K3d8");
    let double = play(&p, "N3d6");
    assert!(double.is_check());
    // The rook takes the knight or steps between, and the other check stays.
    assert_illegal(&double, "Rx3d6", "Millennium 2.6");
    assert_illegal(&double, "R3e6", "Millennium 2.6");
    assert!(
        double
            .legal_moves()
            .iter()
            .all(|m| matches!(m, Move::Piece { from, .. } if *from == place("3e8")))
    );
}

#[test]
fn article_4_2_checkmate() {
    let mate = at("k3h8 Q2g7 K1f6", "b - - -");
    assert!(mate.is_check() && mate.is_checkmate());
    assert_eq!(
        mate.outcome(),
        Some(Outcome::Checkmate {
            winner: Color::White
        })
    );
    assert_eq!(legal(&mate), [""; 0]);
    // Not mate where the king takes the queen, a rook takes her, or a rook steps between.
    let unprotected = at("k3h8 Q2g7 K1f4", "b - - -");
    assert_eq!(legal(&unprotected), ["Kx2g7"]);
    let taken = at("k3h8 Q2g7 K1f6 r2a7", "b - - -");
    assert_eq!(legal(&taken), ["Rx2g7"]);
    assert_eq!((taken.is_checkmate(), taken.outcome()), (false, None));
    // The mark of mate is written.
    let before = at("k3h8 Q2g1 K1f6", "w - - -");
    let m = read(&before, "Q2g7");
    assert_eq!(written_as(&before, m, &WriteOptions::default()), "Q2g7#");
}

#[test]
fn article_4_3_stalemate() {
    // A pawn more than king and rook, so that material does not end it.
    let p = at("k3h8 R2g7 K1g7 P1a2", "b - - -");
    assert!(!p.is_check() && !p.has_legal_move());
    assert_eq!(p.outcome(), Some(Outcome::Stalemate));
    // With a move left it is none.
    let p = at("k3h8 R2g7 K1g7 P1a2 p3a5", "b - - -");
    assert_eq!(p.outcome(), None);
}

#[test]
fn article_4_5_the_count_of_fifty_moves() {
    assert_eq!(RULES.claim_after(), Some(100));
    let p = at(
        "P1e2 P2c8 P2a3 n2b4 N1g1 p3a7 p1h7 K1e1 R1h1 k3h8",
        "w K - - 30 40",
    );
    assert_eq!(p.halfmoves(), 30);
    // A pawn that only changes level has not advanced, whether by one level or by two (ruling Q5).
    for (tokens, count) in [
        ("2e2", 31),
        ("3e2", 31),
        ("2e2 2a7", 32),
        ("1e3", 0),
        ("2e3", 0),
        ("1e4", 0),
        ("3e4", 0),
        ("N1f3", 31),
        ("K1d1", 31),
        ("3c8=Q", 0),
        ("1c8", 31),
        ("ax2b4", 0),
        ("N1f3 N2a6", 32),
        ("N1f3 1h6", 0),
    ] {
        assert_eq!(play(&p, tokens).halfmoves(), count, "{tokens}");
    }
    // Castling counts on.
    let p = at("K1e1 R1h1 P1a2 k3h8", "w K - - 99 80");
    let p = play(&p, "0-0");
    assert_eq!((p.halfmoves(), p.outcome()), (100, None));
}

#[test]
fn article_4_6_repetition_compares_privileges() {
    // The key is what is compared (ruling C7). Rooks go and come back, and rights are lost the first time only.
    let p = home(BLACK_HOME, WHITE_HOME, "w KQkq - - 0 10");
    let round = "R1h2 R3h7 R1h1 R3h8";
    let second = play(&p, round);
    let third = play(&second, round);
    assert_eq!(men(&p), men(&second));
    assert_ne!(p.key(), second.key(), "the king has lost a privilege");
    assert_eq!(second.key(), third.key());
    // The privilege to take in passing lasts one turn.
    let p = at("P1e2 p1f4 K1a1 k3h8", "w - - -");
    let first = play(&p, "1e4");
    let again = play(&first, "K2h8 K2a1 K3h8 K1a1 K2h8 K2a1 K3h8 K1a1");
    assert_eq!(men(&first), men(&again));
    assert_eq!(again.turn(), Color::Black);
    assert_ne!(first.key(), again.key());
    // Where nobody could take, it makes no difference.
    let p = at("P1e2 p1h4 K1a1 k3h8", "w - - -");
    let first = play(&p, "1e4");
    let again = play(&first, "K2h8 K2a1 K3h8 K1a1");
    assert_eq!(first.key(), again.key());
    // Whose turn it is matters, and so does a double step that was lost.
    let p = at("P1e2 p3a7 K1a1 k3h8", "w - - -");
    let lost = play(&p, "2e2 K2h8 1e2 K3h8");
    assert_eq!(men(&p), men(&lost));
    assert_ne!(p.key(), lost.key());
    let turn = at("P1e2 p3a7 K1a1 k3h8", "b - - -");
    assert_ne!(p.key(), turn.key());
    // It is a claim and ends nothing.
    assert!(!RULES.repetition_ends());
}

#[test]
fn article_4_7_insufficient_material() {
    for men in [
        "K1a1 k3h8",
        "K1a1 k3h8 N2d4",
        "K1a1 k3h8 n2d4",
        "K1a1 k3h8 B2d4",
        "K1a1 k3h8 b2e4",
        // Ruling Q6: the rook cannot mate either, as the next test shows.
        "K1a1 k3h8 R2d4",
        "K1a1 k3h8 r2c4",
    ] {
        for fields in ["w - - -", "b - - -"] {
            let p = at(men, fields);
            assert!(p.is_dead(), "{men}");
            assert_eq!(p.outcome(), Some(Outcome::Material), "{men}");
            assert!(
                p.has_legal_move(),
                "moves are listed all the same (ruling C5)"
            );
        }
    }
    for men in [
        "K1a1 k3h8 P2d4",
        "K1a1 k3h8 Q2d4",
        "K1a1 k3h8 N2d4 N2d5",
        "K1a1 k3h8 N2d4 n2d5",
        "K1a1 k3h8 B2d4 b2d6",
        "K1a1 k3h8 R2d4 r2e5",
        "K1a1 k3h8 R2d4 N2d5",
        "K1a1 k3h8 R2d4 P1a2",
    ] {
        let p = at(men, "w - - -");
        assert!(!p.is_dead(), "{men}");
        assert_eq!(p.outcome(), None, "{men}");
    }
}

/// Ruling Q6: 4.7 asks whether mate can be given. Every position of king and one piece against king is looked at.
#[test]
fn article_4_7_no_mate_with_king_and_rook_knight_or_bishop() {
    // 20 squares of Black's king by 191 by 190, less those in which the kings touch.
    for role in [Role::Rook, Role::Bishop, Role::Knight] {
        let (mates, seen) = mates(RULES, role);
        assert_eq!(mates, 0, "{role:?}");
        assert!(seen > 600_000, "{role:?}: only {seen} positions");
    }
    // The search can find mates: a queen gives them.
    assert!(self::mates(RULES, Role::Queen).0 > 0);
}

/// The search for mates looks at one of sixteen images of a position; here is that they are alike.
#[test]
fn images_of_a_position_are_alike() {
    let mut checks = 0;
    for n in (0..192_u32 * 192 * 192).step_by(1_009) {
        let pick = |n: u32| Square::new((n % 192) as u8);
        let squares = [pick(n), pick(n / 192), pick(n / 192 / 192)];
        for role in [Role::Rook, Role::Queen] {
            let seen = |i: usize| {
                let [lone, king, piece] = squares.map(|square| images(square)[i]);
                if lone == king || king == piece || lone == piece {
                    return None;
                }
                let position = Position::from_setup(RULES, &three(lone, king, piece, role)).ok()?;
                Some((position.is_check(), position.legal_moves().len()))
            };
            let first = seen(0);
            checks += u32::from(first.is_some_and(|(check, _)| check));
            for i in 1..16 {
                assert_eq!(seen(i), first, "{squares:?} {role:?} image {i}");
            }
        }
    }
    assert!(checks > 500);
}

#[test]
fn article_4_8_white_begins_and_turns_alternate() {
    let start = Position::start(RULES);
    assert_eq!((start.turn(), start.fullmoves()), (Color::White, 1));
    let p = play(&start, "1e4");
    assert_eq!((p.turn(), p.fullmoves()), (Color::Black, 1));
    let p = play(&p, "3e5");
    assert_eq!((p.turn(), p.fullmoves()), (Color::White, 2));
    // No pass, and no two moves in a row: Black's pieces may not go now.
    assert_stays_away(&p, "3e5", "3e4", "Millennium 2.1");
    assert_stays_away(&p, "1e4", "1e4", "Millennium 2.1");
    // There are no boards to move.
    assert!(
        p.legal_moves()
            .iter()
            .all(|m| !matches!(m, Move::Board { .. }))
    );
}

#[test]
fn perft_from_the_start() {
    let start = Position::start(RULES);
    assert_eq!([start.perft(1), start.perft(2)], [100, 9_992]);
    assert_eq!(start.perft(3), 1_061_917);
}

/// Davis - D'Agostino, correspondence 2006: the inventor's own game, mate on move 28.
#[test]
fn the_inventors_game_is_legal_and_ends_in_mate() {
    let game = "N2g3 B2b7 B3e3 N3c6 N2b3 B2g7 N2a5 Q1b6 N3c5 Qx1b2 Nx3b7 Q3b4 N3c5 Q3e1+ Q2e1 Q3c3+ \
                K2f1 Qx1a1 Q2c1 B2a6+ 2e2 Qx1a2 N2c7 R2h7 N1e7+ K2e8 N1c6 R1c8 Nx3c7 Rx1c2 Q2c7 Q2b1+ K1g1 \
                N3e5 Q1d7+ K2f8 B2f4 Q2d1 Bx3e5 Q3e1+ K2g1 Qx3e5 Q2e7+ K1g7 Qx3d7 B2d4+ 2e3 R2c1+ K1g1 Q3g3+ \
                2g2 R2f1+ Nx2f1 B3e3+ 2f2 Qx2f2#";
    let mut now = Position::start(RULES);
    for token in game.split_whitespace() {
        let m = read(&now, token);
        assert_eq!(
            written_as(&now, m, &WriteOptions::default()),
            token,
            "{}",
            line(&now)
        );
        now.play(m).unwrap();
    }
    assert_eq!(
        now.outcome(),
        Some(Outcome::Checkmate {
            winner: Color::Black
        })
    );
    // Its 13... K2e8 from 3e8 shows that a king steps straight down (rulings, table of steps).
    let p = at("K1e1 k3e8", "b - - -");
    assert!(goes(&p, "3e8").contains("2e8"));
    assert_eq!(
        names::square(Notation::Millennium, None, place("2e8")),
        "2e8"
    );
}
