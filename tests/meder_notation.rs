//! Meder's Appendix E (seed 000), the algebraic notation: every sentence and every example, and the sample game.

use crate::support::*;
use tridex_geometry::{Square, Wing, stair};
use tridex_notation::{CheckMark, Level, Locale, MovePattern, Notation, WriteOptions, parse};
use tridex_replay::diagnostic::Status;
use tridex_rules::RuleSystem::Meder;
use tridex_rules::{CastlingSide, Move, Position, Role};

fn at(line: &str) -> Position {
    position(Meder, line)
}

/// Every token is read as one legal move and written again exactly so.
#[track_caller]
fn assert_written(position: &Position, tokens: &str) {
    for token in tokens.split_whitespace() {
        assert_eq!(written(position, read(position, token)), token);
    }
}

/// The token fits several legal moves.
#[track_caller]
fn assert_ambiguous(position: &Position, token: &str, count: usize) {
    assert_eq!(readings(position, token).len(), count, "{token}");
}

const SHORT: WriteOptions = WriteOptions {
    full_pawn_captures: false,
    ..UNMARKED
};

#[test]
fn e1_files_z_to_e_and_e2_ranks_0_to_9() {
    let p = Position::start(Meder);
    let layout = p.layout().expect("a stair board");
    for (file, letter) in ["z", "a", "b", "c", "d", "e"].iter().enumerate() {
        for index in 0..64 {
            let square = Square::new(index);
            if usize::from(layout.column(square).file()) == file {
                assert!(square_name(&p, square).starts_with(letter));
            }
        }
    }
    // White stands on ranks 0 to 2, Black on 7 to 9.
    for man in men(&p) {
        let rank: u32 = man[2..3].parse().expect("a rank");
        let white = man.starts_with(|c: char| c.is_ascii_uppercase());
        assert!(if white { rank <= 2 } else { rank >= 7 }, "{man}");
    }
    for token in ["Nf3W", "Nz", "Na", "N33W"] {
        assert!(
            parse(Notation::Meder, token.as_bytes(), None).is_err(),
            "{token}"
        );
    }
}

#[test]
fn e3_levels() {
    let level = |token: &str| match text(Meder, token).kind {
        MovePattern::Piece(piece) => piece.to.level,
        _ => None,
    };
    assert_eq!(level("Nb3W"), Some(Level::Main(stair::MainBoard::White)));
    assert_eq!(level("Nb3N"), Some(Level::Main(stair::MainBoard::Neutral)));
    assert_eq!(level("Nb5B"), Some(Level::Main(stair::MainBoard::Black)));
    for number in 1..=6 {
        for (letter, wing) in [("QL", Wing::Queen), ("KL", Wing::King)] {
            let pin = stair::Pin::over(wing, stair::Corner::new(number));
            assert_eq!(
                level(&format!("Na1{letter}{number}")),
                Some(Level::Pin(pin))
            );
        }
    }
    for token in ["Na1QL0", "Na1QL7", "Na1KL", "Na1X"] {
        assert!(
            parse(Notation::Meder, token.as_bytes(), None).is_err(),
            "{token}"
        );
    }
}

#[test]
fn e4_each_square_has_one_name() {
    // Also with boards that overlap: pins 2 and 5 cover the same columns.
    for line in [
        "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
        "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q2:2/2|KL@K2:2/2|ql@Q5:2/2|kl@K5:2/2 w - - - 0 10",
        "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@Q2:2/2|ql@Q3:2/2|kl@Q4:2/2 w - - - 0 10",
    ] {
        let p = at(line);
        let names: std::collections::BTreeSet<String> =
            (0..64).map(|i| square_name(&p, Square::new(i))).collect();
        assert_eq!(names.len(), 64);
        for name in &names {
            assert_eq!(square_name(&p, square(&p, name)), *name);
        }
    }
}

#[test]
fn e5_pieces_by_their_first_letter() {
    let role = |token: &str| match text(Meder, token).kind {
        MovePattern::Piece(piece) => piece.role,
        _ => None,
    };
    let letters = [
        ("K", Role::King),
        ("Q", Role::Queen),
        ("R", Role::Rook),
        ("B", Role::Bishop),
        ("N", Role::Knight),
    ];
    for (letter, wanted) in letters {
        assert_eq!(role(&format!("{letter}c6B")), Some(wanted));
    }
}

#[test]
fn e6_letters_of_other_countries_and_figurines() {
    let p =
        at("4/4/4/4|4/N3/4/4|4/1B2/Q3/1R2|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    let read_in = |locale: Locale, token: &str| {
        let text = parse(Notation::Meder, token.as_bytes(), Some(locale))
            .unwrap_or_else(|fault| panic!("{token}: {fault:?}"));
        tridex_notation::resolve::resolve(&text, &p).unwrap_or_else(|e| panic!("{token}: {e}"))
    };
    let knight = read(&p, "Nc6B");
    // In German S is also the level of Black's board.
    assert_eq!(read_in(Locale::German, "Sc6S"), knight);
    assert_eq!(read_in(Locale::French, "Cc6B"), knight);
    assert_eq!(read_in(Locale::Dutch, "Pc6B"), knight);
    assert_eq!(read_in(Locale::Czech, "Jc6B"), knight);
    assert_eq!(read_in(Locale::Spanish, "Cc6B"), knight);
    // The article's own two: fou and loper.
    let bishop = read(&p, "Bd5N");
    assert_eq!(read_in(Locale::French, "Fd5N"), bishop);
    assert_eq!(read_in(Locale::Dutch, "Ld5N"), bishop);
    // The position of an attack board likewise.
    assert_eq!(read_in(Locale::German, "DP3"), read(&p, "QL3"));
    // Figurines in any.
    assert_eq!(read_in(Locale::English, "\u{2658}c6B"), knight);
    assert_eq!(read_in(Locale::German, "\u{2657}d5N"), bishop);
    // Written so, too.
    let german = WriteOptions {
        locale: Locale::German,
        ..UNMARKED
    };
    assert_eq!(written_as(&p, knight, &german), "Sc6S");
}

#[test]
fn e7_and_e9_pawns_by_the_absence_of_a_letter() {
    let p =
        at("4/4/4/3P|4/4/4/4|4/P1P1/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_written(&p, "d6B c4N a4W");
    for token in ["d6B", "c4N", "a4W"] {
        assert!(matches!(
            read(&p, token),
            Move::Piece { from, .. } if p.piece_at(from).is_some_and(|m| m.role == Role::Pawn)
        ));
    }
}

#[test]
fn e8_and_e9_attack_boards_by_the_pin_of_arrival() {
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q3:2/2|KL@K2:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_written(&p, "QL1 QL5");
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_written(&p, "KL3");
    // The longer form is read too.
    assert_eq!(read(&p, "KL1-KL3"), read(&p, "KL3"));
}

#[test]
fn e9_letter_and_square_of_arrival_without_a_hyphen() {
    let p =
        at("4/4/4/4|4/N3/4/4|4/1B2/3R/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_written(&p, "Bd5N Nc6B Rd0KL1");
}

#[test]
fn e10_captures() {
    let p = at(
        "4/4/2n1/2P1|1p2/N2p/4/4|1p1P/PB2/3R/2K1|QL@Q3:2/2|KL@K1:2/n1|ql@Q6:k1/2|kl@K5:1p/2 w - - - 0 10",
    );
    assert_written(&p, "Bxd5N Nxc6B Rxd0KL1 aWxb4W cBxb6N dWxe5KL5");
    for token in ["Bxd5N", "aWxb4W"] {
        assert!(text(Meder, token).capture && p.is_capture(read(&p, token)));
    }
    // File alone is read where it is enough, and written on request.
    assert_eq!(read(&p, "axb4W"), read(&p, "aWxb4W"));
    assert_eq!(written_as(&p, read(&p, "aWxb4W"), &SHORT), "axb4W");
}

#[test]
fn e10_en_passant_names_the_square_on_which_the_pawn_rests() {
    let p = at("4/4/4/4|4/4/p3/4|4/4/1P2/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    let p = play(&p, "b4N");
    assert_written(&p, "aNxb3We.p. aNxb3Ne.p.");
    assert_ne!(read(&p, "aNxb3We.p."), read(&p, "aNxb3Ne.p."));
    assert!(matches!(read(&p, "aNxb3We.p."), Move::EnPassant { .. }));
    // With a blank before the mark, as many write it.
    let spaced = parse(Notation::Meder, b"aNxb3W e.p.", None).expect("a word");
    assert!(spaced.en_passant);
}

#[test]
fn e11_two_identical_pieces() {
    // (1) same rank, different files; (2) same file, different ranks; (3) both different: by file; (4) by level.
    let cases = [
        (
            "4/4/4/4|4/4/4/4|4/1N1N/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10",
            "Nbc5N Ndc5N",
        ),
        (
            "4/1N2/4/4|4/4/4/4|4/1N2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10",
            "N3c5N N7c5N",
        ),
        (
            "4/4/4/4|4/4/N3/4|4/1N2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10",
            "Nbc5N Nac5N",
        ),
        (
            "4/4/4/4|4/4/4/1N2|4/1N2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10",
            "NWc5N NNc5N",
        ),
    ];
    for (line, tokens) in cases {
        let p = at(line);
        assert_written(&p, tokens);
        assert_ambiguous(&p, "Nc5N", 2);
    }
    // The same with a capture.
    let cases = [
        (
            "4/4/4/4|4/2p1/4/4|4/1N1N/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10",
            "Nbxc5N Ndxc5N",
        ),
        (
            "4/1N2/4/4|4/2p1/4/4|4/1N2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10",
            "N3xc5N N7xc5N",
        ),
        (
            "4/4/4/4|4/2p1/N3/4|4/1N2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10",
            "Nbxc5N Naxc5N",
        ),
        (
            "4/4/4/4|4/2p1/4/1N2|4/1N2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10",
            "NWxc5N NNxc5N",
        ),
    ];
    for (line, tokens) in cases {
        let p = at(line);
        assert_written(&p, tokens);
        assert_ambiguous(&p, "Nxc5N", 2);
    }
    // Only legal moves count: a pinned knight needs no mark to tell it apart.
    let p =
        at("4/4/4/4|3r/4/4/4|4/1N1N/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_written(&p, "Nc5N");
}

#[test]
fn e12_two_pawns_on_different_files() {
    let p =
        at("4/4/4/4|4/4/1p2/4|4/P1P1/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    let short = |token: &str| written_as(&p, read(&p, token), &SHORT);
    assert_eq!(short("axb4N"), "axb4N");
    assert_eq!(short("cxb4N"), "cxb4N");
    assert_ne!(read(&p, "axb4N"), read(&p, "cxb4N"));
    // E10's form names the level as well.
    assert_written(&p, "aWxb4N cWxb4N");
}

#[test]
fn e12_two_pawns_on_different_levels() {
    let p =
        at("4/4/4/4|4/4/1p2/P3|4/P3/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 10");
    assert_written(&p, "aWa4N aNa4N aWxb4N aNxb4N");
    assert_ambiguous(&p, "a4N", 2);
    assert_ambiguous(&p, "axb4N", 2);
    assert_eq!(written_as(&p, read(&p, "aNxb4N"), &SHORT), "aNxb4N");
}

#[test]
fn e13_two_attack_boards() {
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q3:2/1P|KL@K1:1P/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_written(&p, "KL1-KL3 QL3-KL3");
    assert_ambiguous(&p, "KL3", 2);
    // To the other pins each goes alone.
    assert_written(&p, "KL2 QL2 QL4 QL5");
}

#[test]
fn e14_promotion() {
    let p = at("4/3P/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K5:2/2 w - - - 0 10");
    assert_written(&p, "d8BQ d8BR d8BB d8BN");
    let p = at("4/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/1P w - - - 0 10");
    assert_written(&p, "e9KL6N");
    let p = at("4/4/4/4|4/2K1/4/4|4/4/1p2/4|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 b - - - 0 10");
    assert_written(&p, "b1WB");
    let p = at("4/4/4/4|4/2K1/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:p1/2|ql@Q6:k1/2|kl@K6:2/2 b - - - 0 10");
    assert_written(&p, "d0KL1R");
    // Without a letter it is not one move.
    assert_ambiguous(&p, "d0KL1", 4);
    // By a capture.
    let p =
        at("4/4/4/4|4/2K1/4/4|4/4/1p2/2N1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:k1/2|kl@K6:2/2 b - - - 0 10");
    assert_written(&p, "bWxc1WQ");
}

#[test]
fn e15_the_offer_of_a_draw() {
    assert!(text(Meder, "Nd3N (=)").draw_offer);
    assert!(text(Meder, "Nd3N(=)").draw_offer);
    assert!(!text(Meder, "Nd3N").draw_offer);
}

#[test]
fn abbreviations_castling() {
    assert_eq!(
        text(Meder, "0-0").kind,
        MovePattern::Castle(CastlingSide::King)
    );
    assert_eq!(
        text(Meder, "0-0-0").kind,
        MovePattern::Castle(CastlingSide::Queen)
    );
    // With the rook of e0 or e9, and with that of z0 or z9.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/4|QL@Q1:2/R1|KL@K1:2/KR|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10");
    assert_written(&p, "0-0 0-0-0");
    assert_eq!(piece(&play(&p, "0-0"), "e0KL1"), Some('K'));
    assert_eq!(piece(&play(&p, "0-0-0"), "z0QL1"), None);
    let p = at("4/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:r1/2|kl@K6:kr/2 b kq - - 0 10");
    assert_eq!(piece(&play(&p, "0-0"), "e9KL6"), Some('k'));
    assert_eq!(piece(&play(&p, "0-0-0"), "z9QL6"), None);
}

#[test]
fn abbreviations_check_and_mate() {
    assert_eq!(text(Meder, "Qd8B+").mark, CheckMark::Check);
    assert_eq!(text(Meder, "Qd8B++").mark, CheckMark::Mate);
    assert_eq!(text(Meder, "Qd8B#").mark, CheckMark::Mate);
    let marked = WriteOptions {
        marks: None,
        ..UNMARKED
    };
    let p =
        at("2Q1/4/4/4|4/4/4/4|4/4/4/2KR|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:1k/1p w - - - 0 10");
    assert_eq!(written_as(&p, read(&p, "Qd8B"), &marked), "Qd8B#");
    let p = at("2Q1/4/4/4|4/4/4/4|4/4/4/2KR|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:1k/2 w - - - 0 10");
    assert_eq!(written_as(&p, read(&p, "Qd8B"), &marked), "Qd8B+");
    assert_eq!(written_as(&p, read(&p, "Qc7B"), &marked), "Qc7B+");
    assert_eq!(written_as(&p, read(&p, "Qc6B"), &marked), "Qc6B");
}

#[test]
fn the_sample_game() {
    let moves = "1. b4N b5B 2. c3W a6N 3. Nc2W c6B 4. a3N a6S 5. a3W Bd6N 6. Ba2W Nc7B 7. Qb1W Qb8B \
                 8. Nb2W Ra9QL6 9. Ra0QL1 0-0 10. Ra1W Nb7B 11. Nd4W a5B 12. Nd3N d6B 13. Nxc6B Qa8B \
                 14. Na5N Nxa5N 15. bxa5N a4W 16. Nb4N a5B 17. Nd3N (=)";
    let found = replayed(&format!("[Variant \"meder\"]\n\n{moves} *\n"));
    assert_eq!(found.moves.len(), 33, "{:?}", found.diagnostics);
    assert_eq!(found.status, Status::Ambiguous);
    // 4... a6S has the German letter of Black's board.
    let level = &found.diagnostics[0];
    assert_eq!(
        (level.ply, level.token.as_str(), level.code.as_str()),
        (8, "a6S", "dialect")
    );
    // 11... a5B can be played by either of two pawns, and both let the game go on to its end.
    let twice = &found.diagnostics[1];
    assert_eq!(
        (twice.ply, twice.token.as_str(), twice.code.as_str()),
        (22, "a5B", "ambiguous")
    );
    assert_eq!(twice.alternatives.len(), 2, "{:?}", twice.alternatives);
    assert_eq!(found.diagnostics.len(), 2);
    // 9... 0-0: Black's king and rook have changed places.
    assert_eq!(piece(&found.last, "e9KL6"), Some('k'));
    assert_eq!(piece(&found.last, "d9KL6"), Some('r'));
}
