//! Seed 000.

use super::*;
use crate::Outcome;
use crate::oracle::{attacks, is_check, outcome};

const RULES: RuleSystem = RuleSystem::Meder;
const HOME: &str = "Q1 K1 Q6 K6";

#[test]
fn the_twenty_first_moves() {
    let mut expected = String::new();
    for file in ["a", "b", "c", "d"] {
        for to in ["3W", "3N", "4W", "4N"] {
            expected += &format!("{file}2W-{file}{to} ");
        }
    }
    expected += "a1W-b3W a1W-b3N d1W-c3W d1W-c3N";
    let mut found = all(RULES, &start(RULES));
    found.sort();
    assert_eq!(found, words(&expected));
}

#[test]
fn lines_run_over_gaps_3_1_e() {
    // Ruling M1: the rook on e0 takes on e8 across six gaps, and finds a0 and z0 behind b0 and c0.
    let setup = setup(HOME, "Re0KL pe8kl");
    moves_are(RULES, &setup, "e0KL", "e1KL e8kl d0KL a0QL z0QL");
}

#[test]
fn a_piece_blocks_on_every_level_3_1_c() {
    let own = setup(HOME, "Rb1W Pb4N");
    moves_are(
        RULES,
        &own,
        "b1W",
        "b2W b3W b3N b4W a1W a1QL z1QL c1W d1W d1KL e1KL",
    );
    let enemy = setup(HOME, "Rb1W pb4N");
    moves_are(
        RULES,
        &enemy,
        "b1W",
        "b2W b3W b3N b4W b4N a1W a1QL z1QL c1W d1W d1KL e1KL",
    );
}

#[test]
fn never_straight_up_or_down_3_1_d() {
    let setup = setup(HOME, "Ka1W");
    moves_are(RULES, &setup, "a1W", "z0QL a0QL z1QL b1W a2W b2W");
}

#[test]
fn a_bishop_may_not_stop_in_a_gap() {
    // From d1: e0; c2, b3, a4 and not z5; not e2; not c0.
    let setup = setup(HOME, "Bd1W");
    moves_are(RULES, &setup, "d1W", "e0KL c2W b3W b3N a4W a4N");
}

#[test]
fn a_knight_leaps_to_every_level_3_3() {
    let setup = setup(HOME, "Nc2W Pb2W pc3N");
    moves_are(
        RULES,
        &setup,
        "c2W",
        "d4W d4N b4W b4N a3W a3N a1W a1QL e1KL d0KL",
    );
}

#[test]
fn pawns_advance_3_4_a_b() {
    moves_are(RULES, &setup(HOME, "Pa2W"), "a2W", "a3W a3N a4W a4N");
    moves_are(RULES, &setup(HOME, "Pa2W na3N"), "a2W", "a3W");
    moves_are(RULES, &setup(HOME, "Pa2W na4N"), "a2W", "a3W a3N a4W");
    moves_are(RULES, &setup(HOME, "Pa3W na4W"), "a3W", "a4N");
    moves_are(RULES, &setup("Q2 K1 Q6 K6", "Pa3W"), "a3W", "a4W a4N a4QL");
    // On their board at home; nothing exists in front of z1.
    let edge = setup(HOME, "Pz1QL Pa1QL");
    moves_are(RULES, &edge, "z1QL", "");
    moves_are(RULES, &edge, "a1QL", "a2W a3W a3N");
    // A board in front of z1, and not on its own home pin.
    moves_are(RULES, &setup("Q1 K1 Q3 K6", "Pz1QL"), "z1QL", "z2ql z3ql");
    moves_are(RULES, &setup("Q3 K1 Q6 K6", "Pa3QL"), "a3QL", "a4W a4N");
    // Ruling C2: the square alone is not enough, nor the other board on the pin.
    let mut back = setup(HOME, "Pa2W");
    back.moved.insert(stair_square("a2W"));
    moves_are(RULES, &back, "a2W", "a3W a3N");
    moves_are(RULES, &setup("Q6 K1 Q1 K6", "Pa1ql"), "a1ql", "a2W");
}

#[test]
fn pawns_capture_on_any_level_3_4_c() {
    let setup = setup(HOME, "Pb3W na4W na4N nc4N");
    moves_are(RULES, &setup, "b3W", "b4W b4N a4W a4N c4N");
    let black_pawn = black(super::setup(HOME, "pb6N Nc5B Na5N"));
    moves_are(RULES, &black_pawn, "b6N", "b5N b5B c5B a5N");
}

#[test]
fn en_passant_on_a_level_of_choice_3_4_d() {
    // Black's queen's board on Q3 adds a third level to a3.
    let before = setup("Q1 K1 Q3 K6", "Pa2W pb4N pb4W pc4N");
    let after = go(RULES, &before, "a2W-a4N");
    assert_eq!(
        after.en_passant.map(|at| name(&after, at)).as_deref(),
        Some("a4N")
    );
    moves_are(RULES, &after, "b4N", "b3W b3N a3Wep a3Nep a3qlep");
    moves_are(RULES, &after, "b4W", "b3W b3N a3Wep a3Nep a3qlep");
    moves_are(RULES, &after, "c4N", "c3W c3N");
    let taken = go(RULES, &after, "b4N-a3qlep");
    piece_is(&taken, "a4N", None);
    piece_is(&taken, "b4N", None);
    piece_is(&taken, "a3ql", Some('p'));
    assert_eq!((taken.halfmoves, taken.en_passant), (0, None));
    // One step is not answered, and a move later it is too late (C3).
    let single = go(RULES, &before, "a2W-a3W");
    assert_eq!(single.en_passant, None);
    let late = setup(HOME, "Pa2W Pd2W pb4N nc8B");
    let late = line(RULES, &late, "a2W-a4N c8B-b6N d2W-d3W");
    moves_are(RULES, &late, "b4N", "b3W b3N");
}

#[test]
fn en_passant_over_a_level_only_a_board_gives() {
    let before = setup("Q1 K1 Q3 K6", "Pz1QL pa3N");
    let after = go(RULES, &before, "z1QL-z3ql");
    moves_are(RULES, &after, "a3N", "a2W a2ql z2qlep");
}

#[test]
fn where_a_pawn_is_promoted_3_4_e() {
    // Files b and c: 8. Black on a: 1 without a board on Q1, 0 with one.
    moves_are(RULES, &setup(HOME, "Pb7B"), "b7B", "b8B=*");
    moves_are(RULES, &setup(HOME, "Pa7B"), "a7B", "a8B a8ql");
    moves_are(RULES, &setup("Q1 K1 Q5 K6", "Pa7B"), "a7B", "a8B=*");
    moves_are(RULES, &setup(HOME, "Pa8B"), "a8B", "a9ql=*");
    moves_are(RULES, &setup(HOME, "Pz8ql Pa8ql"), "z8ql", "z9ql=*");
    moves_are(RULES, &setup(HOME, "Pe8kl nd9kl"), "e8kl", "e9kl=* d9kl=*");
    moves_are(RULES, &black(setup(HOME, "pa2W")), "a2W", "a1W a1QL");
    moves_are(RULES, &black(setup("Q2 K1 Q6 K6", "pa2W")), "a2W", "a1W=*");
    moves_are(
        RULES,
        &black(setup("Q2 K1 Q6 K6", "pd2W")),
        "d2W",
        "d1W d1KL",
    );
    moves_are(RULES, &black(setup(HOME, "pd1W")), "d1W", "d0KL=*");
    // Which board it is does not matter.
    moves_are(RULES, &setup("Q6 K1 Q1 K6", "Pa7B"), "a7B", "a8B a8QL");
}

#[test]
fn a_waiting_pawn_promotes_when_its_own_side_moves_the_board_3_4_e_iii() {
    let before = setup("Q6 K1 Q1 K6", "Pa8B");
    boards_are(RULES, &before, "QL>Q5/a8B=* QL>Q4/a8B=* KL>K2 KL>K3");
    let after = go(RULES, &before, "QL>Q4/a8B=N");
    piece_is(&after, "a8B", Some('N'));
    assert_eq!(after.halfmoves, 0);
    let pawn_of_black = black(setup("Q1 K6 Q3 K1", "pd1W"));
    boards_are(
        RULES,
        &pawn_of_black,
        "kl>K2/d1W=* kl>K3/d1W=* ql>Q2 ql>Q4 ql>Q5 ql>K3",
    );
}

#[test]
fn a_waiting_pawn_promotes_when_the_other_side_moves_the_board_3_4_e_iii() {
    // Nothing a white piece on a8 does reaches the king on c3.
    let free = black(setup(HOME, "Pa8B kc3W"));
    boards_are(RULES, &free, "ql>Q5/a8B=* ql>Q4/a8B=* kl>K5 kl>K4");
    // A queen, a rook: along the eighth rank.
    boards_are(RULES, &black(setup(HOME, "Pa8B kd8B")), "kl>K5 kl>K4");
    // A knight alone would do it: the player of the pawn has the choice.
    boards_are(RULES, &black(setup(HOME, "Pa8B kc7B")), "kl>K5 kl>K4");
    // A bishop or queen, down to c6 or through it to d5.
    boards_are(RULES, &black(setup(HOME, "Pa8B kd5N")), "kl>K5 kl>K4");
    // Blocked on b7 and b8, the king stands where no choice reaches it.
    let safe = black(setup(HOME, "Pa8B pb7B pb8B kd8B"));
    boards_are(RULES, &safe, "ql>Q5/a8B=* ql>Q4/a8B=* kl>K5 kl>K4");
    // A black pawn there, or a white knight, is no matter.
    boards_are(
        RULES,
        &black(setup(HOME, "Na8B")),
        "ql>Q5 ql>Q4 kl>K5 kl>K4",
    );
}

#[test]
fn a_carried_pawn_promotes_3_4_e_i() {
    // z5 goes to z9; the pawn below it, on z4, would only go to z8.
    let far = setup("Q5 K1 Q2 K6", "Pz5QL");
    boards_are(RULES, &far, "QL>Q6/z9QL=* QL>Q4 QL>K5 KL>K2 KL>K3 KL>Q1");
    let near = setup("Q5 K1 Q2 K6", "Pz4QL");
    boards_are(RULES, &near, "QL>Q6 QL>Q4 QL>K5 KL>K2 KL>K3 KL>Q1");
    let black_pawn = black(setup("Q6 K6 Q3 K5", "pa2ql"));
    boards_are(RULES, &black_pawn, "ql>Q1/a0ql=* ql>K3 kl>K4 kl>K3 kl>Q5");
    let after = go(RULES, &far, "QL>Q6/z9QL=R");
    piece_is(&after, "z9QL", Some('R'));
}

#[test]
fn boards_move_to_adjacent_pins_3_6() {
    // The article's two examples.
    let third = setup("Q3 K6 Q6 K1", "");
    boards_are(RULES, &third, "QL>Q5 QL>Q4 QL>Q2 QL>K3 QL>Q1 KL>K5 KL>K4");
    let sixth = black(setup("Q1 K1 Q6 K5", ""));
    boards_are(RULES, &sixth, "ql>Q5 ql>Q4 ql>K6 kl>K6 kl>K4 kl>K3 kl>Q5");
    // Occupied: forward or sideways only, for the side whose piece it is.
    let occupied = setup("Q3 K6 Q6 K1", "Nz2QL nd8KL nd9KL");
    boards_are(RULES, &occupied, "QL>Q5 QL>Q4 QL>Q2 QL>K3");
    let captured = black(setup("Q3 K6 Q6 K1", "nz2QL Rz8ql re0kl"));
    boards_are(RULES, &captured, "QL>K3 QL>Q1 kl>Q1");
    // Two pieces hold it fast.
    boards_are(RULES, &setup("Q3 K6 Q6 K1", "Nz2QL nz3QL Nd8KL Ne8KL"), "");
    // 2 is in front of 3, 4 in front of 5.
    boards_are(
        RULES,
        &setup("Q2 K5 Q6 K1", "Nz4QL Nd4KL"),
        "QL>Q4 QL>K2 KL>K6 KL>K4 KL>Q5",
    );
}

#[test]
fn a_board_move_may_not_expose_the_king_3_5_b() {
    // The knight shields its king from the rook on file a.
    let pinned = setup("Q2 K1 Q6 K6", "Ka1W Na5QL ra8B");
    boards_are(RULES, &pinned, "QL>Q4 KL>Q1 KL>K2 KL>K3");
    // On Q4 the knight stands on a7 and still shields; on K2 it would not.
    assert!(!has(RULES, &pinned, "QL>K2"));
    // A king may ride out of check, off the file and not along it.
    let rider = setup("Q2 K1 Q6 K6", "Kz4QL rz8ql");
    boards_are(RULES, &rider, "QL>K2");
}

fn castling_setup(pieces: &str) -> Setup {
    let mut setup = setup(HOME, pieces);
    setup.castling = Castling::ALL;
    setup
}

#[test]
fn castling_3_5_a_ii() {
    // King's side: they change places. Queen's side: over a0 and two gaps.
    let both = castling_setup("Rz0QL Kd0KL Re0KL kb8B");
    let short = go(RULES, &both, "0-0");
    piece_is(&short, "e0KL", Some('K'));
    piece_is(&short, "d0KL", Some('R'));
    let long = go(RULES, &both, "0-0-0");
    piece_is(&long, "a0QL", Some('K'));
    piece_is(&long, "d0KL", Some('R'));
    piece_is(&long, "z0QL", None);
    assert!(!long.castling.has(Color::White, CastlingSide::King));
    assert!(long.castling.has(Color::Black, CastlingSide::King));

    // (1)[a]: not as the first move of a game; a set-up position is in the middle of one, whatever its number (C10).
    let game = start(RULES);
    assert!(!has(RULES, &game, "0-0"));
    let mut later = game.clone();
    later.fullmoves = 2;
    assert!(has(RULES, &later, "0-0"));
    let mut first = both.clone();
    first.fullmoves = 1;
    assert!(has(RULES, &first, "0-0") && has(RULES, &first, "0-0-0"));
    // (2)[a]: squares before and after; the gaps and the rook do not count.
    for (enemy, king_side, queen_side) in [
        ("rd9kl", false, false),
        ("re9kl", false, true),
        ("ra8B", true, false),
        ("rb7B", true, true),
        ("rz8ql", true, true),
    ] {
        let setup = castling_setup(&format!("Rz0QL Kd0KL Re0KL kc8B {enemy}"));
        assert_eq!(has(RULES, &setup, "0-0"), king_side, "{enemy}");
        assert_eq!(has(RULES, &setup, "0-0-0"), queen_side, "{enemy}");
    }
    // (2)[b]
    let between = castling_setup("Rz0QL Qa0QL Kd0KL Re0KL kb8B");
    assert!(has(RULES, &between, "0-0") && !has(RULES, &between, "0-0-0"));

    let black_too = black(castling_setup("Kb1W rz9ql kd9kl re9kl"));
    let after = go(RULES, &black_too, "0-0-0");
    piece_is(&after, "a9ql", Some('k'));
    piece_is(&after, "d9kl", Some('r'));
    assert!(has(RULES, &black_too, "0-0"));
}

#[test]
fn white_castles_from_the_second_move_on() {
    let first = start(RULES);
    assert!(!has(RULES, &first, "0-0"));
    let black_first = go(RULES, &first, "b2W-b4N");
    assert!(!has(RULES, &black_first, "0-0"));
    assert!(has(RULES, &go(RULES, &black_first, "b7B-b5B"), "0-0"));
}

#[test]
fn castling_is_lost_c3() {
    let both = castling_setup("Rz0QL Kd0KL Re0KL kb8B rz9ql");
    let left = |mv: &str| {
        let castling = go(RULES, &both, mv).castling;
        CastlingSide::ALL.map(|side| castling.has(Color::White, side))
    };
    assert_eq!(left("d0KL-d1KL"), [false, false]);
    assert_eq!(left("e0KL-e1KL"), [false, true]);
    assert_eq!(left("z0QL-z1QL"), [true, false]);
    // The rook alone on its board, carried away.
    assert_eq!(left("QL>Q2"), [true, false]);
    // Taken at home, over the gaps of file z.
    let black_turn = black(both.clone());
    let taken = go(RULES, &black_turn, "z9ql-z0QL");
    assert!(!taken.castling.has(Color::White, CastlingSide::Queen));
    assert!(!taken.castling.has(Color::Black, CastlingSide::Queen));
    assert!(taken.castling.has(Color::White, CastlingSide::King));
}

#[test]
fn boards_forget_double_steps_c2() {
    // A pawn rides to the other side and back.
    let setup = setup("Q1 K2 Q6 K6", "Pz1QL Kc1W kc8B");
    let there = line(RULES, &setup, "QL>K1 c8B-b8B QL>Q1 b8B-c8B");
    assert_eq!(moved(&there), ["z1QL"]);
    assert_eq!(there.halfmoves, 1);
    // A pawn that comes to a start square by its own move.
    let walk = super::setup(HOME, "Pa1QL kc8B");
    assert_eq!(moved(&go(RULES, &walk, "a1QL-a2W")), ["a2W"]);
}

#[test]
fn a_board_that_carries_a_pawn_resets_the_count_c6() {
    let mut setup = setup("Q2 K1 Q6 K6", "Nz4QL Kc1W kc8B");
    setup.halfmoves = 7;
    assert_eq!(go(RULES, &setup, "QL>Q4").halfmoves, 8);
    let mut pawn = super::setup("Q2 K1 Q6 K6", "Pz4QL Kc1W kc8B");
    pawn.halfmoves = 7;
    assert_eq!(go(RULES, &pawn, "QL>Q4").halfmoves, 0);
}

#[test]
fn check_mate_and_stalemate() {
    // Over the gaps of file e.
    let check = setup(HOME, "Kd0KL ke9kl Re0KL");
    assert!(is_check(RULES, &check, Color::Black));
    assert!(attacks(
        RULES,
        &check,
        stair_square("e0KL"),
        stair_square("e9kl")
    ));
    // Rooks on both ranks and one on the board at K6, so that d9 is no way out either.
    let mate = black(setup(HOME, "Kc1W kc8B Ra8B Ra7B Re9kl"));
    assert_eq!(
        outcome(RULES, &mate),
        Some(Outcome::Checkmate {
            winner: Color::White
        })
    );
    let escape = black(setup(HOME, "Kc1W kc8B Ra8B Ra7B"));
    assert_eq!(outcome(RULES, &escape), None);
    // Black's boards are held by white knights; an empty one of his could still move.
    let stalemate = black(setup("Q1 K1 Q2 K2", "Kc1W ka8B Rb1W Rd7B Nz4ql Ne4kl"));
    assert_eq!(outcome(RULES, &stalemate), Some(Outcome::Stalemate));
    let board_left = black(setup("Q1 K1 Q2 K2", "Kc1W ka8B Rb1W Rd7B Nz4ql"));
    assert_eq!(outcome(RULES, &board_left), None);
    assert_eq!(
        outcome(RULES, &setup(HOME, "Kc1W kc8B")),
        Some(Outcome::Material)
    );
    assert_eq!(outcome(RULES, &setup(HOME, "Kc1W kc8B Nb1W")), None);
}

#[test]
fn a_knight_can_mate_where_kings_stand_one_above_the_other() {
    // 3.1(d): kings of one column do not attack each other, and the upper one's every way out is next to the lower.
    // So king and knight against king is not dead (9.6), and M11 is right to declare bare kings only.
    let mate = black(setup(HOME, "Ka1W ka1QL Nb3W"));
    assert_eq!(
        outcome(RULES, &mate),
        Some(Outcome::Checkmate {
            winner: Color::White
        })
    );
    // With pin K1 vacant the king rides away on his board.
    let ride = black(setup("Q1 K2 Q6 K6", "Ka1W ka1QL Nb3W"));
    assert_eq!(all(RULES, &ride), ["QL>K1"]);
}

/// A square by Article E3: attack boards by the pin they stand on.
fn meder_name(setup: &Setup, at: Square) -> String {
    let name = name(setup, at);
    let Board::Attack(board) = board(at) else {
        return name;
    };
    let pin = setup.layout.unwrap().pin(board);
    let wing = if pin.wing() == Wing::Queen {
        "QL"
    } else {
        "KL"
    };
    format!("{}{wing}{}", &name[..2], pin.corner().number())
}

/// Whether a move is meant by a token of the sample game.
fn fits(setup: &Setup, mv: Move, token: &str) -> bool {
    let Move::Piece { from, to, .. } = mv else {
        return token == "0-0" && mv == Move::Castle(CastlingSide::King);
    };
    let role = setup.piece(from).unwrap().role;
    let (front, square) = match token.split_once('x') {
        Some(parts) => parts,
        None => token.split_at(usize::from(
            token.starts_with(|c: char| c.is_ascii_uppercase()),
        )),
    };
    let from_fits = if role == Role::Pawn {
        front.is_empty() || name(setup, from).starts_with(front)
    } else {
        front.starts_with(role.letter())
    };
    from_fits && meder_name(setup, to) == square && token.contains('x') == setup.piece(to).is_some()
}

#[test]
fn the_sample_game_has_two_readings_that_meet() {
    // "a6S" is the German for a6B.
    let tokens = "b4N b5B c3W a6N Nc2W c6B a3N a6B a3W Bd6N Ba2W Nc7B Qb1W Qb8B Nb2W Ra9QL6 \
                  Ra0QL1 0-0 Ra1W Nb7B Nd4W a5B Nd3N d6B Nxc6B Qa8B Na5N Nxa5N bxa5N a4W Nb4N \
                  a5B Nd3N";
    let mut readings = vec![start(RULES)];
    for token in tokens.split_whitespace() {
        let mut next = Vec::new();
        for setup in &readings {
            for mv in legal_moves(RULES, setup) {
                if fits(setup, mv, token) {
                    next.push(play(RULES, setup, mv));
                }
            }
        }
        assert!(!next.is_empty(), "{token}");
        readings = next;
    }
    assert_eq!(readings.len(), 2);
    assert_eq!(readings[0], readings[1]);
}
