//! Meder's Tournament Rules (seed 000), articles 3.5 (king), 3.6 (attack boards), 5 and 9 (the end of the game).

use crate::support::*;
use tridex_replay::diagnostic::{Code, Severity, Status};
use tridex_rules::RuleSystem::Meder;
use tridex_rules::{Color, Outcome, Position, SetupError};

fn at(line: &str) -> Position {
    position(Meder, line)
}

fn start() -> Position {
    Position::start(Meder)
}

// Article 3.5: king

#[test]
fn article_3_5_a_i_one_step_to_any_square_that_is_not_attacked() {
    let p = at("4/4/4/4|4/4/4/4|1K2/4/4/4|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(
        &p,
        "b4W",
        "a3N a3W b3N b3W c3N c3W a4N a4W c4N c4W a5B a5N b5B b5N c5B c5N",
    );
    assert_illegal(&p, "Kb6N", "Meder 3.5(a)(i)");
    let p = at("4/4/4/4|4/4/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_goes(&p, "d0KL1", "c1W d1KL1 d1W e0KL1 e1KL1");
    // The other king keeps him off, on whatever level.
    let p = at("4/4/1k2/4|4/4/4/4|1K2/4/4/4|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "b4W", "a3N a3W b3N b3W c3N c3W a4N a4W c4N c4W");
    assert_illegal(&p, "Kb5N", "Meder 3.5(b)");
    // Along a line he does not get away from a rook.
    let p = at("1r2/4/4/4|4/4/4/4|1K2/4/4/4|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert!(p.is_check());
    assert_goes(&p, "b4W", "a3N a3W c3N c3W a4N a4W c4N c4W a5B a5N c5B c5N");
    assert_illegal(&p, "Kb3W", "Meder 3.5(b)");
}

const CASTLE: &str =
    "4/4/4/4|4/3n/4/4|3N/4/4/4|QL@Q1:P1/R1|KL@K1:1P/KR|ql@Q6:r1/p1|kl@K6:kr/1p w KQkq - - 0 2";

#[test]
fn article_3_5_a_ii_castling_on_both_sides() {
    let p = at(CASTLE);
    assert_legal(&p, "0-0 0-0-0");
    let short = play(&p, "0-0");
    assert_eq!(piece(&short, "e0KL1"), Some('K'));
    assert_eq!(piece(&short, "d0KL1"), Some('R'));
    assert_eq!(piece(&short, "z0QL1"), Some('R'));
    let long = play(&p, "0-0-0");
    assert_eq!(piece(&long, "a0QL1"), Some('K'));
    assert_eq!(piece(&long, "d0KL1"), Some('R'));
    assert_eq!(piece(&long, "z0QL1"), None);
    assert_eq!(piece(&long, "e0KL1"), Some('R'));
    // Black alike.
    assert_legal(&short, "0-0 0-0-0");
    let both = play(&short, "0-0-0");
    assert_eq!(piece(&both, "a9QL6"), Some('k'));
    assert_eq!(piece(&both, "d9KL6"), Some('r'));
    let both = play(&long, "0-0");
    assert_eq!(piece(&both, "e9KL6"), Some('k'));
    assert_eq!(piece(&both, "d9KL6"), Some('r'));
    // It is one move, and it cannot be done twice.
    assert_eq!(short.turn(), Color::Black);
    assert_illegal(&play(&short, "Kd8B"), "0-0", "Meder 3.5(a)(ii)(1)[b], [c]");
}

#[test]
fn article_3_5_a_ii_1_a_not_as_the_first_move() {
    // A position that was set up is none of a game from the start, whatever number its move has (ruling C10).
    for turn in ["w", "b"] {
        let line = CASTLE.replace(" w KQkq - - 0 2", &format!(" {turn} KQkq - - 0 1"));
        assert_legal(&at(&line), "0-0 0-0-0");
    }
    assert_illegal(&start(), "0-0", "Meder 3.5(a)(ii)(1)[a]");
    let p = play(&start(), "b4N");
    assert_illegal(&p, "0-0", "Meder 3.5(a)(ii)(1)[a]");
    // King and rook start side by side, so that it is possible from the second move on (ruling M10).
    let p = play(&p, "b5B");
    assert_legal(&p, "0-0");
    assert_legal(&play(&p, "0-0"), "0-0");
    assert_illegal(&p, "0-0-0", "Meder 3.5(a)(ii)(2)[b]");
}

#[test]
fn article_3_5_a_ii_1_b_not_after_the_king_has_moved() {
    let p = play(&at(CASTLE), "Kd1W Kd8B Kd0KL1 Kd9KL6");
    for token in ["0-0", "0-0-0"] {
        assert_illegal(&p, token, "Meder 3.5(a)(ii)(1)[b], [c]");
    }
    assert!(p.castling().is_empty());
    // Carried by his board is moved (ruling C3).
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/4|QL@Q1:2/R1|KL@K1:2/K1|ql@Q6:2/2|kl@K6:2/2 w Q - - 0 10");
    let p = play(&p, "KL2");
    assert!(p.castling().is_empty());
}

#[test]
fn article_3_5_a_ii_1_c_not_with_a_rook_that_has_moved() {
    let p = play(&at(CASTLE), "Ra0QL1 Ra9QL6 Rz0QL1 Rz9QL6");
    assert_illegal(&p, "0-0-0", "Meder 3.5(a)(ii)(1)[b], [c]");
    assert_legal(&p, "0-0");
    // Carried by its board alike; the other rook keeps its right.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/4|QL@Q1:2/R1|KL@K1:2/KR|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10");
    let p = play(&p, "QL2 Kc7B");
    assert_illegal(&p, "0-0-0", "Meder 3.5(a)(ii)(1)[b], [c]");
    assert_legal(&p, "0-0");
    // A rook taken at home leaves no right behind, even if another comes there.
    let p = at(
        "2k1/4/4/4|4/4/4/4|4/4/1b2/2B1|QL@Q1:R1/R1|KL@K1:2/KR|ql@Q6:2/2|kl@K6:2/2 b KQ - - 0 10",
    );
    let p = play(&p, "Bxz0QL1 Rxz0QL1 Kc7B");
    assert_illegal(&p, "0-0-0", "Meder 3.5(a)(ii)(1)[b], [c]");
    assert_legal(&p, "0-0");
    // Nor can a right be claimed without king and rook at home.
    for line in [
        "2k1/4/4/4|4/4/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:2/2 w K - - 0 10",
        "2k1/4/4/4|4/4/4/4|4/4/4/3K|QL@Q1:2/2|KL@K1:2/1R|ql@Q6:2/2|kl@K6:2/2 w K - - 0 10",
    ] {
        assert!(matches!(setup_fault(Meder, line), SetupError::Castling(..)));
    }
}

#[test]
fn article_3_5_a_ii_2_a_not_from_or_to_an_attacked_square() {
    // e0 is attacked.
    let p =
        at("2k1/4/4/4|4/4/4/4|4/1b2/4/4|QL@Q1:2/R1|KL@K1:1P/KR|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10");
    assert_illegal(&p, "0-0", "Meder 3.5(a)(ii)(2)[a]");
    assert_legal(&p, "0-0-0");
    // a0 is attacked.
    let p =
        at("2k1/4/4/4|4/r3/4/4|4/4/4/4|QL@Q1:2/R1|KL@K1:2/KR|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10");
    assert_illegal(&p, "0-0-0", "Meder 3.5(a)(ii)(2)[a]");
    assert_legal(&p, "0-0");
    // The king is in check.
    let p =
        at("2k1/4/4/4|4/3r/4/4|4/4/4/4|QL@Q1:2/R1|KL@K1:2/KR|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10");
    assert_illegal(&p, "0-0", "Meder 3.5(a)(ii)(2)[a]");
    assert_illegal(&p, "0-0-0", "Meder 3.5(a)(ii)(2)[a]");
    // It is only for the time being.
    let p = play(
        &at("2k1/4/4/4|4/r3/4/4|4/4/1P2/4|QL@Q1:2/R1|KL@K1:2/KR|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10"),
        "b3W Rc5N",
    );
    assert_legal(&p, "0-0-0");
    // Squares in between and the rook's may be attacked.
    let p =
        at("2k1/4/4/4|4/1rr1/4/4|4/4/4/4|QL@Q1:2/R1|KL@K1:2/KR|ql@Q6:2/r1|kl@K6:2/2 w KQ - - 0 10");
    assert_legal(&p, "0-0-0 0-0");
}

#[test]
fn article_3_5_a_ii_2_b_no_piece_between_king_and_rook() {
    for between in [
        "2k1/4/4/4|4/4/4/4|4/4/4/4|QL@Q1:2/RQ|KL@K1:2/KR|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10",
        "2k1/4/4/4|4/4/4/4|4/4/4/4|QL@Q1:2/Rn|KL@K1:2/KR|ql@Q6:2/2|kl@K6:2/2 w KQ - - 0 10",
    ] {
        let p = at(between);
        assert_illegal(&p, "0-0-0", "Meder 3.5(a)(ii)(2)[b]");
        assert_legal(&p, "0-0");
    }
}

#[test]
fn article_3_5_b_no_move_leaves_the_own_king_in_check() {
    // A pinned knight; a pinned rook that stays on the line.
    let p = at("2k1/4/4/4|3r/4/4/4|4/3N/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "d3W", "");
    assert_illegal(&p, "Nd3W-c5N", "Meder 3.5(b)");
    let p = at("2k1/4/4/4|3r/4/4/4|4/3R/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_goes(&p, "d3W", "d1KL1 d1W d2W d4N d4W d5B d5N d6N");
    // Above the attacker it would not stand between.
    assert_illegal(&p, "Rd6B", "Meder 3.5(b)");
    // In check: taking, blocking on any level, stepping aside.
    let p =
        at("2k1/4/4/4|R2r/1N2/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert!(p.is_check());
    assert_goes(&p, "a6N", "d6N");
    assert_goes(&p, "b5N", "d4N d4W d6N");
    assert_illegal(&p, "Nc3W", "Meder 3.5(b)");
    assert_illegal(&p, "Rd6B", "Meder 3.5(b)");
    // Two pieces of either side between: nothing is pinned.
    let p =
        at("2k1/4/4/4|3r/4/4/4|3p/3N/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_legal(&p, "Nd3W-c5N");
    // A position in which the side not to move could be taken cannot be set up.
    assert_eq!(
        setup_fault(
            Meder,
            "2k1/4/4/4|3r/4/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:2/2 b - - - 0 10"
        ),
        SetupError::OpponentInCheck
    );
    // Declaring a check is not needed: the mark may be left out.
    let p = at("2k1/4/4/4|R3/4/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_eq!(read(&p, "Ra8B"), read(&p, "Ra8B+"));
}

// Article 3.6: attack boards

/// The pins next to a pin of the same side, as Article 3.6 and its diagram give them.
const NEXT: [(usize, &[usize]); 6] = [
    (1, &[2, 3]),
    (2, &[1, 3, 4]),
    (3, &[1, 2, 4, 5]),
    (4, &[2, 3, 5, 6]),
    (5, &[3, 4, 6]),
    (6, &[4, 5]),
];

/// A position with White's board QL on a pin, with `far/near` men on it, and the other boards on pins that are not next
/// to it, or on one that is.
fn lone_board(pin: &str, men: &str, turn: &str, also: Option<&str>) -> Position {
    let side = &pin[..1];
    let other = if side == "Q" { "K" } else { "Q" };
    let number: usize = pin[1..].parse().expect("a pin's number");
    let next: Vec<String> = NEXT[number - 1]
        .1
        .iter()
        .map(|n| format!("{side}{n}"))
        .chain([format!("{other}{number}")])
        .collect();
    let all = [
        "Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "K1", "K2", "K3", "K4", "K5", "K6",
    ];
    let mut away = all
        .iter()
        .filter(|p| **p != pin && !next.iter().any(|n| n == *p));
    let mut take = || (*away.next().expect("pins enough")).to_owned();
    let pins = [take(), take(), also.map_or_else(take, str::to_owned)];
    at(&format!(
        "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@{pin}:{men}|KL@{}:2/2|ql@{}:2/2|kl@{}:2/2 {turn} - - - 0 10",
        pins[0], pins[1], pins[2]
    ))
}

#[test]
fn article_3_6_adjacent_pins() {
    for (side, other) in [("Q", "K"), ("K", "Q")] {
        for (number, next) in NEXT {
            // Levels 1 and 6 have three, 2 and 5 four, 3 and 4 five.
            let count = [3, 4, 5, 5, 4, 3][number - 1];
            assert_eq!(next.len() + 1, count);
            let mut wanted: Vec<String> = next.iter().map(|n| format!("{side}L{n}")).collect();
            wanted.push(format!("{other}L{number}"));
            let p = lone_board(&format!("{side}{number}"), "2/2", "w", None);
            assert_board_goes(&p, &format!("{side}L{number}"), &wanted.join(" "));
        }
    }
    let p = lone_board("Q1", "2/2", "w", None);
    for token in ["QL1-QL4", "QL1-KL2", "QL1-KL3", "QL1-QL6"] {
        assert_illegal(&p, token, "Meder 3.6");
    }
}

#[test]
fn article_3_6_occupied_boards_do_not_go_backward() {
    // By the rank of the corner: 1, 4, 3, 6, 5, 8 (ruling M9).
    let forward: [(usize, &str); 6] = [
        (1, "QL2 QL3 KL1"),
        (2, "QL4 KL2"),
        (3, "QL2 QL4 QL5 KL3"),
        (4, "QL6 KL4"),
        (5, "QL4 QL6 KL5"),
        (6, "KL6"),
    ];
    for (number, pins) in forward {
        let p = lone_board(&format!("Q{number}"), "1R/2", "w", None);
        assert_board_goes(&p, &format!("QL{number}"), pins);
    }
    let black: [(usize, &str); 6] = [
        (1, "KL1"),
        (2, "QL1 QL3 KL2"),
        (3, "QL1 KL3"),
        (4, "QL2 QL3 QL5 KL4"),
        (5, "QL3 KL5"),
        (6, "QL4 QL5 KL6"),
    ];
    for (number, pins) in black {
        let p = lone_board(&format!("Q{number}"), "1n/2", "b", None);
        assert_board_goes(&p, &format!("QL{number}"), pins);
    }
    let p = lone_board("Q3", "1N/2", "w", None);
    assert_illegal(&p, "QL3-QL1", "Meder 3.6");
}

#[test]
fn article_3_6_the_two_examples() {
    // A black board on QL6 reaches QL5 and QL4 forward and KL6 to the side.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:n1/2|kl@K2:2/2 b - - - 0 10");
    assert_board_goes(&p, "QL6", "QL5 QL4 KL6");
    // A white board on QL3 has QL5, QL4 and QL2 in front, KL3 beside, QL1 inverted.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q3:1N/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "QL3", "QL5 QL4 QL2 KL3");
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q3:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "QL3", "QL5 QL4 QL2 KL3 QL1");
}

#[test]
fn article_3_6_no_more_than_one_piece_whichever_it_is() {
    for piece in ["P", "N", "B", "R", "Q"] {
        let p = lone_board("Q3", &format!("1{piece}/2"), "w", None);
        assert_board_goes(&p, "QL3", "QL5 QL4 QL2 KL3");
        let p = lone_board("Q3", &format!("1{piece}/N1"), "w", None);
        assert_board_goes(&p, "QL3", "");
        assert_illegal(&p, "QL3-QL4", "Meder 3.6");
    }
    // The king rides too, and not into check.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "KL1", "KL2 KL3");
    assert_eq!(piece(&play(&p, "KL2"), "d4KL2"), Some('K'));
    let p = at("2k1/4/4/4|4/4/r3/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "KL1", "KL3");
    assert_illegal(&p, "KL2", "Meder 3.5(b)");
}

#[test]
fn article_3_6_the_piece_on_it_decides_who_controls_a_board() {
    // A white knight on Black's board.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q4:2/N1|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "QL4", "QL6 KL4");
    let black = passed(&p);
    assert_board_goes(&black, "QL4", "");
    assert_illegal(&black, "QL4-QL5", "Meder 3.6");
    // A black one on White's.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q3:1n/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 b - - - 0 10");
    assert_board_goes(&p, "QL3", "QL1 KL3");
    assert_board_goes(&passed(&p), "QL3", "");
    // One of each: nobody's.
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q3:1n/N1|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 b - - - 0 10");
    assert_board_goes(&p, "QL3", "");
    assert_board_goes(&passed(&p), "QL3", "");
    // Empty ones are their owner's by the marking, wherever they stand.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q4:2/2|KL@K1:2/2|ql@Q3:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "QL4", "QL2 QL5 QL6 KL4");
    assert_board_goes(&p, "QL3", "");
    assert_illegal(&p, "QL3-QL1", "Meder 3.6");
    assert_board_goes(&passed(&p), "QL3", "QL1 QL2 QL5 KL3");
    assert_board_goes(&passed(&p), "QL4", "");
}

#[test]
fn article_3_6_the_pin_has_to_be_vacant() {
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "QL1", "QL2 QL3");
    assert_illegal(&p, "QL1-KL1", "Meder 3.6");
    let p = lone_board("Q3", "2/2", "w", Some("Q5"));
    assert_board_goes(&p, "QL3", "QL1 QL2 QL4 KL3");
    assert_illegal(&p, "QL3-QL5", "Meder 3.6");
}

#[test]
fn article_3_6_a_board_carries_its_piece_and_is_not_turned() {
    // By whole columns; to the side by four files (z to d, a to e).
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q3:2/N1|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    for (token, name) in [
        ("QL2", "z4QL2"),
        ("QL4", "z6QL4"),
        ("QL5", "z4QL5"),
        ("QL3-KL3", "d2KL3"),
    ] {
        let after = play(&p, token);
        assert_eq!(piece(&after, name), Some('N'), "{token}");
    }
    assert_illegal(&p, "QL3-QL4r", "Meder 3.6");
    assert_illegal(&p, "QL3r", "Meder 3.6");
    // It is neither a pawn's move nor a capture unless it carries a pawn (5.5, ruling C6).
    assert_eq!(play(&p, "QL4").halfmoves(), 1);
    let pawn =
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q3:2/P1|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 7 20");
    assert_eq!(play(&pawn, "QL4").halfmoves(), 0);
}

#[test]
fn article_3_6_and_3_5_b_a_board_may_uncover_or_shield_a_king() {
    // The knight on a3 shields the king; sideways it would not.
    let p = at("r1k1/4/4/4|4/4/4/4|4/4/4/K3|QL@Q3:1N/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "QL3", "QL2 QL4 QL5");
    assert_illegal(&p, "QL3-KL3", "Meder 3.5(b)");
    // A board move parries a check.
    let p = at("r1k1/4/4/4|4/4/4/4|4/4/4/K3|QL@K3:1N/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert!(p.is_check());
    assert_board_goes(&p, "KL3", "QL3");
    assert_board_goes(&p, "KL1", "");
}

// Article 4

#[test]
fn article_4_7_a_piece_released_has_moved_the_record_holds_one_square_of_arrival() {
    // All of article 4 is about hands. What a record could say of it is that one token is one move.
    let p = at("4/4/4/4|4/4/4/4|4/1R2/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    assert_eq!(readings(&p, "Rb4N").len(), 1);
}

// Article 5: the completed game, and article 9: the drawn game

#[test]
fn article_5_1_b_and_5_3_results_by_resignation_and_agreement_are_accepted_anywhere() {
    for result in ["1-0", "0-1", "1/2-1/2", "*"] {
        let found = replayed(&format!("[Variant \"meder\"]\n\n1. b4N b5B {result}\n"));
        assert_eq!(
            found.status,
            Status::Valid,
            "{result}: {:?}",
            found.diagnostics
        );
    }
    // Mate on the board and the other side given the win is an error of the record (ruling C4).
    let fen = "2Q1/4/4/4|4/4/4/4|4/4/4/2KR|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:1k/1p w - - - 0 10";
    let game = |result: &str| {
        replayed(&format!(
            "[Variant \"meder\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n10. Qd8B# {result}\n"
        ))
    };
    assert_eq!(
        game("1-0").status,
        Status::Valid,
        "{:?}",
        game("1-0").diagnostics
    );
    let winner = Color::White;
    assert_eq!(game("1-0").outcome, Some(Outcome::Checkmate { winner }));
    assert_eq!(game("0-1").status, Status::Invalid);
    assert_eq!(game("1/2-1/2").status, Status::Invalid);
}

#[test]
fn article_5_2_stalemate() {
    // The board QL6 carries White's knight, KL6 two pieces, so that Black has no board to move either.
    let p = at("4/4/4/4|4/4/4/4|4/4/4/2KR|QL@Q1:2/2|KL@K1:2/2|ql@Q6:N1/2|kl@K6:1k/1p b - - - 0 10");
    assert!(!p.is_check() && !p.has_legal_move());
    assert_eq!(p.outcome(), Some(Outcome::Stalemate));
    // An empty board of one's own is a move.
    let p = at("4/4/4/4|4/4/4/4|4/4/4/2KR|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:1k/1p b - - - 0 10");
    assert_eq!(p.outcome(), None);
    assert_eq!(legal(&p), ["QL4", "QL5"]);
}

const SHUFFLE: &str = "1. Nb3W Nb6B 2. Na1W Na8B 3. Nb3W Nb6B 4. Na1W Na8B";

#[test]
fn article_5_4_and_9_2_the_third_occurrence_is_a_claim() {
    let found = replayed(&format!("[Variant \"meder\"]\n\n{SHUFFLE} 5. b4N *\n"));
    assert_eq!(found.status, Status::Valid, "{:?}", found.diagnostics);
    assert_eq!(found.outcome, None);
    let claim = found.diagnostics.iter().find(|d| d.code == Code::Threefold);
    let claim = claim.expect("the claim is reported");
    assert_eq!((claim.ply, claim.severity), (8, Severity::Info));
    // A knight on another level is another position.
    let other = SHUFFLE.replacen("Nb6B", "Nb6N", 1);
    let found = replayed(&format!("[Variant \"meder\"]\n\n{other} *\n"));
    assert!(
        found.diagnostics.iter().any(|d| d.code == Code::Threefold),
        "the start, three times"
    );
    let moved = "1. Nb3W Nb6B 2. Nc5N Nc4N 3. Nb3W Nb6B 4. Na1W Na8B";
    let found = replayed(&format!("[Variant \"meder\"]\n\n{moved} *\n"));
    assert!(!found.diagnostics.iter().any(|d| d.code == Code::Threefold));
}

#[test]
fn article_9_2_what_makes_positions_the_same() {
    let base =
        at("4/4/4/4|4/4/1P2/4|p3/4/4/4|QL@Q1:2/R1|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 b - - - 0 10");
    let same = |line: &str| at(line).key() == base.key();
    // Counters do not matter; the side to move does.
    assert!(same(
        "4/4/4/4|4/4/1P2/4|p3/4/4/4|QL@Q1:2/R1|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 b - - - 30 44"
    ));
    assert!(!same(
        "4/4/4/4|4/4/1P2/4|p3/4/4/4|QL@Q1:2/R1|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10"
    ));
    // Level, castling right, en passant.
    assert!(!same(
        "4/4/4/4|4/4/4/4|pP2/4/4/4|QL@Q1:2/R1|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 b - - - 0 10"
    ));
    assert!(!same(
        "4/4/4/4|4/4/1P2/4|p3/4/4/4|QL@Q1:2/R1|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 b Q - - 0 10"
    ));
    assert!(!same(
        "4/4/4/4|4/4/1P2/4|p3/4/4/4|QL@Q1:2/R1|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 b - b4N - 0 10"
    ));
    // An empty board elsewhere: other moves are possible.
    let there =
        at("4/4/4/4|4/4/1P2/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:k1/2 b - - - 0 10");
    let elsewhere =
        at("4/4/4/4|4/4/1P2/4|4/4/4/2K1|QL@Q1:2/2|KL@K2:2/2|ql@Q6:2/2|kl@K6:k1/2 b - - - 0 10");
    assert_ne!(there.key(), elsewhere.key());
    // En passant that nobody can play is none (ruling C7).
    let with =
        at("4/4/4/4|4/3p/1P2/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 b - b4N - 0 10");
    let without =
        at("4/4/4/4|4/3p/1P2/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 b - - - 0 10");
    assert_eq!(with.key(), without.key());
    // A lost double step (ruling C2).
    let fresh =
        at("4/4/4/4|4/4/4/4|4/4/1P2/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 0 10");
    let moved =
        at("4/4/4/4|4/4/4/4|4/4/1P2/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - b2W 0 10");
    assert_ne!(fresh.key(), moved.key());
}

#[test]
fn article_5_5_and_9_3_fifty_moves_are_a_claim() {
    let game = |count: u32, token: &str| {
        replayed(&format!(
            "[Variant \"meder\"]\n[SetUp \"1\"]\n[FEN \"{}\"]\n\n90. {token} Kd8B *\n",
            "4/4/4/4|4/4/4/4|4/1R2/2P1/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - HALF 90"
                .replace("HALF", &count.to_string())
        ))
    };
    let claimed = |found: &tridex_replay::Report| {
        found.diagnostics.iter().any(|d| d.code == Code::FiftyMoves)
    };
    let found = game(99, "Rb4N");
    assert_eq!(found.status, Status::Valid, "{:?}", found.diagnostics);
    assert!(claimed(&found));
    assert_eq!(found.outcome, None);
    assert!(claimed(&game(98, "Rb4N")));
    assert!(!claimed(&game(97, "Rb4N")));
    // A pawn's move begins anew.
    assert!(!claimed(&game(99, "c3W")));
}

#[test]
fn article_9_3_what_resets_the_count() {
    let p =
        at("4/4/4/4|1n2/4/4/4|4/1R2/2P1/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:k1/2 w - - - 40 60");
    assert_eq!(play(&p, "Rb4N").halfmoves(), 41);
    assert_eq!(play(&p, "c3W").halfmoves(), 0);
    assert_eq!(play(&p, "Rxb6N").halfmoves(), 0);
    assert_eq!(play(&p, "QL3").halfmoves(), 41);
}

#[test]
fn article_9_1_and_9_4_an_offer_or_a_missed_claim_changes_nothing() {
    let found = replayed("[Variant \"meder\"]\n\n1. b4N (=) b5B 2. c3W *\n");
    assert_eq!(found.status, Status::Valid, "{:?}", found.diagnostics);
    assert_eq!(found.moves.len(), 3);
}
