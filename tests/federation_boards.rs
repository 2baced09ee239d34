//! The Laws of the World Tri Dimensional Chess Federation (seed 004), law 3.7 on attack boards. The paragraphs have no
//! numbers; ruling F4 reads them.

use crate::support::*;
use tridex_rules::RuleSystem::Federation;
use tridex_rules::{Color, Position};

fn at(line: &str) -> Position {
    position(Federation, line)
}

#[test]
fn law_3_7_only_a_pawn_that_stands_alone_moves_a_board() {
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:1P/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "QL1", "QL2 QL2r QL3 QL3r");
    assert_eq!(play(&p, "QL3").turn(), Color::Black);
    assert_eq!(piece(&play(&p, "QL3"), "a3QL3"), Some('P'));
    assert_eq!(piece(&play(&p, "QL3r"), "z2QL3"), Some('P'));
    // No empty board, whoever's.
    assert_board_goes(&p, "KL1", "");
    assert_illegal(&p, "KL1-KL2", "Federation 3.7");
    // No other piece.
    let p =
        at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:1N/2|KL@K1:2/1R|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "QL1", "");
    assert_board_goes(&p, "KL1", "");
    assert_illegal(&p, "QL1-QL3", "Federation 3.7");
    // Not with another piece beside the pawn, of either side.
    for line in [
        "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:1P/P1|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
        "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:1P/N1|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
        "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:1P/n1|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10",
    ] {
        assert_board_goes(&at(line), "QL1", "");
        assert_illegal(&at(line), "QL1-QL3", "Federation 3.7");
    }
    // Whose the board is by its name does not matter, whose the pawn is does.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q3:1P/2|kl@K6:2/2 w - - - 0 10");
    assert!(!board_goes(&p, "QL3").is_empty());
    assert_board_goes(&passed(&p), "QL3", "");
    // It is a pawn's move (ruling C6), and it does not turn in place.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:1P/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 9 20");
    assert_eq!(play(&p, "QL3").halfmoves(), 0);
    expect_reason(&p, "QL1r", "(Federation 3.7");
}

#[test]
fn law_3_7_to_the_side_or_to_the_nearest_pins_turned_or_not_and_never_back() {
    // From pin 3 on the far row: 5, 4, 2 and the side. To 1 the pawn would fall back, and turned to the side too.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q3:1P/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "QL3", "QL5 QL5r QL4 QL4r QL2 QL2r KL3");
    assert_illegal(&p, "QL3-QL1", "Federation 3.7");
    assert_illegal(&p, "QL3-KL3r", "Federation 3.7");
    assert_illegal(&p, "QL3-QL6", "Federation 3.7");
    // On the near row a turn gains a rank.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q3:2/P1|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "QL3", "QL5 QL5r QL4 QL4r QL2 QL2r KL3 KL3r");
    let after = play(&p, "QL3-KL3r");
    assert_eq!(piece(&after, "e3KL3"), Some('P'));
    assert_eq!(piece(&play(&p, "QL3-KL3"), "d2KL3"), Some('P'));
    // From 4, ranks 6 and 7: on to 6 only, and to the side.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q4:2/1P|KL@K1:2/2|ql@Q1:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(
        &p,
        "QL4",
        "QL6 QL6r/z9QL6Q QL6r/z9QL6R QL6r/z9QL6B QL6r/z9QL6N QL6r KL4 KL4r",
    );
    // The same corners for Black, downward.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q4:2/1p|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 b - - - 0 10");
    assert_board_goes(&p, "QL4", "QL2 QL2r QL3 QL3r QL5 QL5r KL4");
    // The pin has to be vacant.
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q3:1P/2|KL@K3:2/2|ql@Q4:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "QL3", "QL5 QL5r QL2 QL2r");
    assert_illegal(&p, "QL3-KL3", "Federation 3.7");
}

#[test]
fn law_3_7_a_pawn_carried_to_the_rear_rank_may_be_promoted() {
    let p = at("2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q5:P1/2|KL@K1:2/2|ql@Q1:2/2|kl@K6:2/2 w - - - 0 10");
    let all = "QL6 QL6/z9QL6Q QL6/z9QL6R QL6/z9QL6B QL6/z9QL6N QL6r QL4 QL4r KL5";
    assert_board_goes(&p, "QL5", all);
    assert_eq!(piece(&play(&p, "QL6/z9QL6N"), "z9QL6"), Some('N'));
    let stays = play(&p, "QL6");
    assert_eq!(piece(&stays, "z9QL6"), Some('P'));
    assert_eq!(position(Federation, &line(&stays)), stays);
    assert_eq!(piece(&play(&p, "QL6r"), "a8QL6"), Some('P'));
    // It may be when it arrives anew, to the side; it does not fall back.
    let p = at("4/2k1/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q2:2/2|kl@K6:1P/2 w - - - 0 10");
    assert_board_goes(&p, "KL6", "QL6 QL6/a9QL6Q QL6/a9QL6R QL6/a9QL6B QL6/a9QL6N");
    assert_illegal(&p, "KL6-KL5", "Federation 3.7");
    // Black's pawn on the near row of pin 2 carried to pin 1.
    let p = at("2k1/4/4/4|4/2K1/4/4|4/4/4/4|QL@Q6:2/2|KL@K1:2/2|ql@Q2:2/1p|kl@K6:2/2 b - - - 0 10");
    assert!(board_goes(&p, "QL2").contains("QL1/a0QL1R"));
    assert!(board_goes(&p, "QL2").contains("QL1"));
}

#[test]
fn law_3_7_a_board_stays_while_an_opposing_pawn_stands_below_it() {
    let p =
        at("P3/2k1/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/p1|kl@K6:2/2 b - - - 0 10");
    assert_board_goes(&p, "QL6", "");
    assert_illegal(&p, "QL6-QL5", "Federation 3.7");
    let free =
        at("4/P1k1/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/p1|kl@K6:2/2 b - - - 0 10");
    assert_board_goes(&free, "QL6", "QL5 QL5r QL4 QL4r");
    // Not on the other corner, not by a piece, not by a pawn of one's own.
    for line in [
        "3P/2k1/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/p1|kl@K6:2/2 b - - - 0 10",
        "B3/2k1/4/4|4/4/4/4|4/4/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/p1|kl@K6:2/2 b - - - 0 10",
    ] {
        assert_board_goes(&at(line), "QL6", "QL5 QL5r QL4 QL4r");
    }
    // It holds for White's pawn on such a board as well: the corner is Black's.
    let p =
        at("P3/2k1/4/4|4/4/4/4|4/4/4/2K1|QL@Q6:2/P1|KL@K1:2/2|ql@Q1:2/2|kl@K2:2/2 w - - - 0 10");
    assert_board_goes(&p, "QL6", "");
    let free =
        at("4/P1k1/4/4|4/4/4/4|4/4/4/2K1|QL@Q6:2/P1|KL@K1:2/2|ql@Q1:2/2|kl@K2:2/2 w - - - 0 10");
    assert!(board_goes(&free, "QL6").contains("KL6"));
    // White's corners alike.
    let p =
        at("2k1/4/4/4|4/4/4/4|4/2K1/4/3p|QL@Q1:2/2|KL@K1:P1/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&p, "KL1", "");
    assert_illegal(&p, "KL1-KL2", "Federation 3.7");
    let free =
        at("2k1/4/4/4|4/4/4/4|4/2K1/4/p3|QL@Q1:2/2|KL@K1:P1/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert_board_goes(&free, "KL1", "KL2 KL2r KL3 KL3r");
}

#[test]
fn law_3_2_a_board_move_may_not_leave_the_own_king_in_check() {
    // Both squares of a4 are held. A vacant a4QL2 would let the rook down to the king; with the pawn on it, not.
    let p =
        at("2k1/4/4/4|4/r3/N3/4|N3/K3/4/4|QL@Q1:P1/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert!(!p.is_check());
    assert_board_goes(&p, "QL1", "QL2r QL3 QL3r");
    assert_illegal(&p, "QL1-QL2", "Federation 3.2");
    // A board that leaves takes the rook's way with it.
    let p =
        at("2k1/4/4/4|4/r3/N3/4|N3/K3/4/4|QL@Q2:P1/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 10");
    assert!(p.is_check());
    assert_board_goes(&p, "QL2", "QL4 QL4r KL2");
}
