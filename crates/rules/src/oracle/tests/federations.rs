//! Seed 004.

use super::*;
use crate::Outcome;
use crate::oracle::outcome;

const RULES: RuleSystem = RuleSystem::Federation;
const HOME: &str = "Q1 K1 Q6 K6";

#[test]
fn the_twenty_first_moves() {
    // The boards are above now, but the knights' way to rank 3 leads over gaps, which do not matter.
    let mut expected = String::new();
    for file in ["a", "b", "c", "d"] {
        for to in ["3W", "3N", "4W", "4N"] {
            expected += &format!("{file}2W-{file}{to} ");
        }
    }
    expected += "z1QL-a3W z1QL-a3N e1KL-d3W e1KL-d3N";
    let mut found = all(RULES, &start(RULES));
    found.sort();
    assert_eq!(found, words(&expected));
}

#[test]
fn lines_are_paths_without_gaps() {
    let setup = setup(HOME, "Re0KL pe8kl");
    moves_are(RULES, &setup, "e0KL", "e1KL d0KL");
}

#[test]
fn a_path_may_pass_beside_a_piece_4_2() {
    // Own pawn on b3W: over it by b3N, and then not down to b4W again (4.3).
    let setup = setup(HOME, "Rb1W Pb3W Pa1W Pa1QL Pc1W");
    moves_are(RULES, &setup, "b1W", "b2W b3N b4N b5N b5B b6N b6B b7B b8B");
    // Under a pawn on b3N: b4W, and from there up two tiers at once if one likes.
    let under = super::setup(HOME, "Rb1W Pb3N Pa1W Pa1QL Pc1W");
    moves_are(
        RULES,
        &under,
        "b1W",
        "b2W b3W b4W b4N b5N b5B b6N b6B b7B b8B",
    );
}

#[test]
fn only_one_vertical_direction_4_3() {
    // b5N is held: up to b5B, and never down to b6N.
    let rising = setup(HOME, "Rb4N Pb5N Pa4N Pc4N Pa4W Pc4W Pb3N Pb3W");
    moves_are(RULES, &rising, "b4N", "b5B b6B b7B b8B");
    // Falling from Black's board.
    let falling = setup(HOME, "Rb7B Pb8B Pa7B Pc7B Pb5B Pb5N");
    moves_are(RULES, &falling, "b7B", "b6N b6B");
    let through = setup(HOME, "Rb7B Pb8B Pa7B Pc7B Pb5B Pb3N");
    moves_are(RULES, &through, "b7B", "b6N b6B b5N b4N b4W b3W b2W b1W");
}

#[test]
fn captures_are_on_the_level_of_the_step_before_1_3() {
    // b3N cannot be taken from b2W; b4N can, from b3N, and b4W, from b3W.
    let beside = setup(HOME, "Rb1W pb3N Pa1W Pa1QL Pc1W");
    moves_are(
        RULES,
        &beside,
        "b1W",
        "b2W b3W b4W b4N b5N b5B b6N b6B b7B b8B",
    );
    let both = setup(HOME, "Rb1W pb4N pb4W Pa1W Pa1QL Pc1W");
    moves_are(RULES, &both, "b1W", "b2W b3W b3N b4N b4W");
    let over = setup(HOME, "Rb1W Pb3W pb4N pb4W Pa1W Pa1QL Pc1W");
    moves_are(RULES, &over, "b1W", "b2W b3N b4N");
    // The attack board is of White's level (4.4).
    let board = setup(HOME, "Ra2W pa1QL pa1W Pb2W Pa3W Pa3N");
    moves_are(RULES, &board, "a2W", "a1QL a1W");
    let raised = setup("Q3 K1 Q6 K6", "Ra4W pa3QL Pb4W Pb4N Pa5N Pa5B Pa3W");
    // QL stands on the Neutral board: the pawn on a3QL is not of the rook's level. Over a3N the rook gets to a2QL, but
    // not down again to a2W.
    moves_are(RULES, &raised, "a4W", "a3N a2QL");
}

#[test]
fn king_and_knight_take_on_their_own_level_f2() {
    // b4N is on another level; a2W and c2W are attacked by the knight on b4W, and d3W is not next to the king.
    let king = setup(HOME, "Kb3W nb4W nb4N");
    moves_are(
        RULES,
        &king,
        "b3W",
        "b4W b2W a3W a3N c3W c3N a4W a4N c4W c4N",
    );
    let knight = setup(HOME, "Nb2W pc4W pc4N pa4N Pd1W pd3N");
    moves_are(RULES, &knight, "b2W", "c4W a4W d3W d1KL z1QL a0QL");
}

#[test]
fn the_knight_leaps_over_gaps_and_pieces_3_5() {
    let setup = setup(HOME, "Ne1KL Pd1KL Pd1W Pd2W");
    moves_are(RULES, &setup, "e1KL", "d3W d3N c2W");
}

#[test]
fn pawns_3_7() {
    // Two steps never go up and down, and need a vacant square to pass.
    moves_are(RULES, &setup(HOME, "Pa2W"), "a2W", "a3W a3N a4W a4N");
    moves_are(RULES, &setup(HOME, "Pa2W na3W"), "a2W", "a3N a4N");
    moves_are(RULES, &setup(HOME, "Pa2W na3N"), "a2W", "a3W a4W a4N");
    moves_are(RULES, &setup(HOME, "Pa2W na4N na4W"), "a2W", "a3W a3N");
    moves_are(RULES, &setup(HOME, "Pa0QL"), "a0QL", "a1W a1QL a2W");
    // Captures on the pawn's own level.
    moves_are(
        RULES,
        &setup(HOME, "Pb3W na4W na4N nc4N"),
        "b3W",
        "b4W b4N a4W",
    );
    // From a board, whose level is the main board's.
    moves_are(RULES, &setup(HOME, "Pz1QL na2W"), "z1QL", "a2W");
}

#[test]
fn en_passant_on_any_level_3_7_3() {
    let before = setup(HOME, "Pa2W na3W pb4W");
    let after = go(RULES, &before, "a2W-a4N");
    moves_are(RULES, &after, "b4W", "b3W b3N a3Nep");
    let free = go(RULES, &setup(HOME, "Pa2W pb4W"), "a2W-a4N");
    moves_are(RULES, &free, "b4W", "b3W b3N a3Wep a3Nep");
}

#[test]
fn promotion_is_a_choice_3_7() {
    moves_are(RULES, &setup(HOME, "Pb7B"), "b7B", "b8B=?");
    moves_are(RULES, &setup(HOME, "Pa7B"), "a7B", "a8B a8ql");
    moves_are(RULES, &setup(HOME, "Pa8B"), "a8B", "a9ql=?");
    moves_are(RULES, &setup("Q1 K1 Q5 K6", "Pa7B"), "a7B", "a8B=?");
    moves_are(RULES, &setup("Q1 K1 Q5 K6", "Pd7B"), "d7B", "d8B d8kl");
    // A pawn that stayed one has nowhere to go.
    let stayed = go(RULES, &setup(HOME, "Pb7B kc7B"), "b7B-b8B");
    piece_is(&stayed, "b8B", Some('P'));
    let mut white_again = stayed.clone();
    white_again.turn = Color::White;
    moves_are(RULES, &white_again, "b8B", "");
}

#[test]
fn pawns_move_their_board_3_7() {
    // d1 on KL: forward to K2 and K3 turned or not; sideways only without losing a rank.
    let setup = setup("Q4 K1 Q6 K6", "Pd1KL");
    boards_are(RULES, &setup, "KL>K2 KL>K2r KL>K3 KL>K3r KL>Q1");
    let near = super::setup("Q4 K1 Q6 K6", "Pd0KL");
    boards_are(RULES, &near, "KL>K2 KL>K2r KL>K3 KL>K3r KL>Q1 KL>Q1r");
    // Never from 2 to 3, whose ranks are lower.
    let second = super::setup("Q1 K2 Q6 K6", "Pd4KL");
    boards_are(RULES, &second, "KL>K4 KL>K4r KL>Q2 KL>Q2r");
    // Nobody else on it, no other piece, not the other side's pawn, not an empty board.
    boards_are(RULES, &super::setup("Q4 K1 Q6 K6", "Pd1KL Pe1KL"), "");
    boards_are(RULES, &super::setup("Q4 K1 Q6 K6", "Nd1KL"), "");
    boards_are(RULES, &super::setup("Q4 K1 Q6 K6", "pd1KL"), "");
    boards_are(RULES, &super::setup("Q4 K1 Q6 K6", ""), "");
    // Any board, by the pawn's owner.
    let hers = black(super::setup("Q4 K1 Q6 K6", "pd1KL"));
    boards_are(RULES, &hers, "KL>Q1 KL>Q1r/a0KL=?");
    let after = go(RULES, &setup, "KL>K3r");
    piece_is(&after, "e2KL", Some('P'));
    assert_eq!(after.halfmoves, 0);
}

#[test]
fn a_board_may_bring_its_pawn_to_the_furthest_rank_3_7() {
    // The front rank goes to rank 9; the rear rank gets there turned.
    let front = setup("Q1 K5 Q6 Q5", "Pe5KL");
    boards_are(RULES, &front, "KL>K6/e9KL=? KL>K6r KL>K4 KL>K4r");
    let rear = setup("Q1 K5 Q6 Q5", "Pe4KL");
    boards_are(RULES, &rear, "KL>K6 KL>K6r/d9KL=? KL>K4 KL>K4r");
    // It arrives anew on the other side.
    let anew = setup("Q1 K6 Q4 Q5", "Pe9KL");
    boards_are(RULES, &anew, "KL>Q6/a9KL=?");
    let after = go(RULES, &rear, "KL>K6r/d9KL=Q");
    piece_is(&after, "d9KL", Some('Q'));
}

#[test]
fn a_pawn_under_the_corner_holds_the_board_3_7() {
    let held = black(setup(HOME, "Pd8B pe8kl pz8ql"));
    boards_are(RULES, &held, "ql>Q5 ql>Q5r ql>Q4 ql>Q4r");
    // It holds White's own board too.
    boards_are(RULES, &setup("Q1 K6 Q6 Q5", "Pd8B Pe8KL"), "");
    // A black pawn there holds nothing.
    let own = black(setup(HOME, "pd8B pe8kl"));
    boards_are(RULES, &own, "kl>K5 kl>K5r kl>K4 kl>K4r");
    boards_are(RULES, &setup("Q1 K1 Q6 K6", "pd1W Pd1KL"), "");
}

fn castling_setup(pieces: &str) -> Setup {
    let mut setup = setup(HOME, pieces);
    setup.castling = Castling::ALL;
    setup
}

#[test]
fn castling_3_2() {
    let both = castling_setup("Kc1W Re0KL Pd0KL Pd1KL Rz0QL Pa1QL kc8B");
    let short = go(RULES, &both, "0-0");
    piece_is(&short, "e0KL", Some('K'));
    piece_is(&short, "d1W", Some('R'));
    piece_is(&short, "c1W", None);
    let long = go(RULES, &both, "0-0-0");
    piece_is(&long, "a0QL", Some('K'));
    piece_is(&long, "b1W", Some('R'));
    piece_is(&long, "z0QL", None);
    assert!(!long.castling.has(Color::White, CastlingSide::King));

    for (more, king_side, queen_side) in [
        // 3.2.4: start squares of knight, bishop, queen.
        ("Ne1KL", false, true),
        ("Bd1W", false, true),
        ("Nz1QL", true, false),
        ("Ba1W", true, false),
        ("Qb1W", true, false),
        // The king's square of arrival.
        ("Pa0QL", true, false),
        // 3.2.2: check.
        ("rc4W", false, false),
        // 3.2.3: the knight attacks the rook on e0, which is where the king would go.
        ("nd2W", false, true),
        // 3.2.5 looks at the goal only, not at the way over b1.
        ("rb4W", true, true),
    ] {
        let setup = castling_setup(&format!("Kc1W Re0KL Pd0KL Pd1KL Rz0QL Pa1QL kc8B {more}"));
        assert_eq!(has(RULES, &setup, "0-0"), king_side, "{more}");
        assert_eq!(has(RULES, &setup, "0-0-0"), queen_side, "{more}");
    }
    // 3.2.3 alone: the bishop on c3W takes on z0 over b2 and a1, and reaches neither c1 nor a0.
    let attacked_rook = castling_setup("Kc1W Rz0QL kc8B bc3W");
    assert!(!has(RULES, &attacked_rook, "0-0-0"));
    let shielded = castling_setup("Kc1W Rz0QL kc8B bc3W Pb2W");
    assert!(has(RULES, &shielded, "0-0-0"));
    // 3.2.5: the square of arrival.
    let attacked_goal = castling_setup("Kc1W Rz0QL kc8B ra3W");
    assert!(!has(RULES, &attacked_goal, "0-0-0"));

    let black_too = black(castling_setup("kc8B re9kl rz9ql Kc1W"));
    let after = go(RULES, &black_too, "0-0-0");
    piece_is(&after, "a9ql", Some('k'));
    piece_is(&after, "b8B", Some('r'));
    let after = go(RULES, &black_too, "0-0");
    piece_is(&after, "e9kl", Some('k'));
    piece_is(&after, "d8B", Some('r'));
}

#[test]
fn only_stalemate_draws_1_7() {
    assert_eq!(outcome(RULES, &setup(HOME, "Kc1W kc8B")), None);
    // No empty board moves here.
    let stalemate = black(setup("Q1 K1 Q2 K2", "Kc1W ka8B Rb1W Rd7B"));
    assert_eq!(outcome(RULES, &stalemate), Some(Outcome::Stalemate));
}
