//! Messages are read by people and compared by scripts: here is every kind of them, with the position it is true of.

use super::{ALTERNATIVES, alternatives, explain, reason};
use crate::testing::random_games;
use crate::{Notation, WriteOptions, parse, position_string, resolve, write};
use tridex_rules::{CastlingSide, Move, Position, Role, RuleSystem};

/// A position string, or the start and the moves that lead to the position.
fn position(rules: RuleSystem, notation: Notation, text: &str) -> Position {
    if text.contains('@') || text.contains('|') {
        let setup = position_string::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        return Position::from_setup(rules, &setup).unwrap_or_else(|e| panic!("{text}: {e}"));
    }
    let mut position = Position::start(rules);
    for token in text.split_whitespace() {
        let words = parse(notation, token.as_bytes(), None).unwrap();
        let m = resolve::resolve(&words, &position).unwrap_or_else(|e| panic!("{token}: {e}"));
        position.play(m).unwrap();
    }
    position
}

fn check(rules: RuleSystem, notation: Notation, table: &[(&str, &str, &str)]) {
    let mut wrong = String::new();
    for (text, token, expected) in table {
        let position = position(rules, notation, text);
        let words =
            parse(notation, token.as_bytes(), None).unwrap_or_else(|e| panic!("{token}: {e:?}"));
        if let Ok(m) = resolve::resolve(&words, &position) {
            wrong.push_str(&format!("{token} is legal: {m:?}\n"));
            continue;
        }
        let found = reason(&words, &position, notation);
        if found != *expected {
            wrong.push_str(&format!(
                "{text} {token}\n  found:     {found}\n  expected: {expected}\n"
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn meder() {
    let table = [
        ("", "Ra1W", "White's own knight is on a1W (Meder 3.1(b))"),
        (
            "",
            "Rz9QL6",
            "the pawn on z1QL1 blocks column z1 on every level for the rook on z0QL1 (Meder 3.1(c))",
        ),
        (
            "",
            "z2QL3",
            "there is no attack board on pin QL3, so z2QL3 does not exist now",
        ),
        (
            "",
            "c3QL1",
            "the attack board on QL1 does not cover column c3, so c3QL1 does not exist",
        ),
        (
            "",
            "b7W",
            "White's Board does not cover column b7, so b7W does not exist",
        ),
        ("", "b0", "no square exists in column b0 now"),
        (
            "",
            "b5N",
            "the pawn on b2W cannot go as far as b5N: a pawn advances two squares at most (Meder 3.4(b))",
        ),
        (
            "",
            "c5N",
            "the pawn on c2W cannot go as far as c5N: a pawn advances two squares at most (Meder 3.4(b))",
        ),
        (
            "",
            "Bc4N",
            "the bishop on b1W does not move to c4N: a bishop moves along diagonals; the bishop on c1W does not move to c4N: a bishop moves along diagonals (Meder 3.2(c))",
        ),
        ("", "Nbc3W", "none of White's knights is on file b"),
        ("", "N3c5N", "none of White's knights is on rank 3"),
        ("", "NBc5N", "none of White's knights is on Black's Board"),
        ("", "Na8Bb6B", "the knight on a8B is Black's (Meder 1.1)"),
        ("", "Rb3Wc4N", "there is no piece on b3W (Meder 1.1)"),
        ("", "Rc2Wc3W", "there is a pawn on c2W, not a rook"),
        ("", "Kd0KL1", "the king is already on d0KL1 (Meder 3.1(d))"),
        (
            "",
            "Bb1Wc4N",
            "the bishop on b1W does not move to c4N: a bishop moves along diagonals (Meder 3.2(c))",
        ),
        (
            "",
            "aWxb3W",
            "the pawn on a2W goes to b3W only by a capture, and there is nothing to capture (Meder 3.4(c))",
        ),
        (
            "",
            "aWxb3We.p.",
            "en passant is not possible: no pawn has just advanced two squares (Meder 3.4(d))",
        ),
        (
            "",
            "b4NQ",
            "no pawn is promoted on b4N by this move (Meder 3.4(e)(ii))",
        ),
        (
            "",
            "Qa4N",
            "the knight on a1W and the pawn on a1QL1 block column a1 on every level for the queen on a0QL1 (Meder 3.1(c))",
        ),
        (
            "",
            "0-0",
            "castling may not be a player's first move (Meder 3.5(a)(ii)(1)[a])",
        ),
        (
            "b4N b5B",
            "0-0-0",
            "the queen on a0QL1 is in the way of castling on the queen's side (Meder 3.5(a)(ii)(2)[b])",
        ),
        (
            "",
            "KL2",
            "the attack board on KL1 holds four pieces; only a board with at most one may move (Meder 3.6)",
        ),
        ("", "QL6", "another attack board is on pin QL6 (Meder 3.6)"),
        (
            "",
            "QL4",
            "the attack board on QL6 holds four pieces; only a board with at most one may move (Meder 3.6)",
        ),
        ("", "QL1-QL4", "pin QL4 is not next to QL1 (Meder 3.6)"),
        ("", "QL3-QL4", "there is no attack board on pin QL3"),
        (
            "",
            "QL1-QL2r",
            "no attack board turns under these rules (Meder 3.6)",
        ),
        (
            "",
            "QL1-QL2v",
            "pin QL2v is below a main board, where these rules place no attack board (Meder 3.6)",
        ),
        (
            "b4N b5B",
            "bNxb5B",
            "the pawn on b4N cannot take the pawn on b5B: it goes there only if the square is vacant (Meder 3.4(a))",
        ),
        (
            "b3W b5B",
            "b5N",
            "the pawn on b3W could advance two squares only from its start square, which it has left (Meder 3.4(b))",
        ),
        (
            "b4N c6B b5N a5N",
            "bNxc6Ne.p.",
            "the pawn on a5N has not crossed c6N (Meder 3.4(d))",
        ),
        (
            "b4N c5N b5N a6N",
            "bNxc6Ne.p.",
            "en passant is not possible: no pawn has just advanced two squares (Meder 3.4(d))",
        ),
        (
            "b4N a6N b5N c5N",
            "dWxc6Ne.p.",
            "the pawn on d2W does not attack c6N, which the pawn on c5N has crossed (Meder 3.4(d))",
        ),
        (
            "3r/4/4/4|4/4/3Q/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:k1/2|kl@K6:2/2 w - - - 0 9",
            "Qc4W",
            "the queen on d4N would leave the king on d0KL1 attacked by the rook on d8B (Meder 3.5(b))",
        ),
        (
            "2r1/4/4/4|4/4/4/4|4/4/4/3K|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/k1|kl@K6:2/2 w - - - 0 9",
            "Kc1W",
            "the king would be attacked on c1W by the rook on c8B (Meder 3.5(b))",
        ),
        (
            "3r/4/4/4|4/4/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/k1|kl@K6:2/2 w - - - 0 9",
            "KL2",
            "the attack board on KL1 would leave the king on d4KL2 attacked by the rook on d8B (Meder 3.5(b))",
        ),
        (
            "3r/4/4/4|4/4/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/KR|ql@Q6:2/k1|kl@K6:2/2 w K - - 0 9",
            "0-0",
            "the king may not castle on the king's side while d0KL1 is attacked by the rook on d8B (Meder 3.5(a)(ii)(2)[a])",
        ),
        (
            "4/4/4/4|4/4/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/KR|ql@Q6:2/k1|kl@K6:2/2 w - - - 0 9",
            "0-0",
            "White can no longer castle on the king's side: the king, the rook or a board under them has moved, or the rook was taken (Meder 3.5(a)(ii)(1)[b], [c])",
        ),
        (
            "4/4/4/4|4/4/4/4|4/4/4/4|QL@Q3:2/P1|KL@K1:2/K1|ql@Q6:2/k1|kl@K6:2/2 w - - - 0 9",
            "QL3-QL1",
            "the attack board on QL3 carries the pawn on z2QL3, so that it may not go backward to QL1 (Meder 3.6)",
        ),
        (
            "4/4/4/4|4/4/4/4|4/4/4/4|QL@Q3:2/1p|KL@K1:2/K1|ql@Q6:2/k1|kl@K6:2/2 w - - - 0 9",
            "QL4",
            "the attack board on QL3 is not White's to move while Black's pawn is on a2QL3; the attack board on QL6 is not White's to move while Black's king is on z8QL6 (Meder 3.6)",
        ),
        (
            "4/4/4/4|4/4/4/4|4/4/4/4|QL@Q3:2/1p|KL@K1:2/K1|ql@Q6:2/2|kl@K6:2/k1 w - - - 0 9",
            "QL5",
            "the attack board on QL3 is not White's to move while Black's pawn is on a2QL3 (Meder 3.6)",
        ),
        (
            "4/4/4/4|4/4/4/4|4/4/4/4|QL@Q2:2/2|KL@Q3:2/K1|ql@Q6:2/2|kl@K6:2/k1 w - - - 0 9",
            "QL2-QL3",
            "another attack board is on pin QL3 (Meder 3.6)",
        ),
        (
            "4/4/4/4|4/4/4/4|4/4/1K2/p3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/k1 w - - - 0 9",
            "QL2",
            "the attack board on QL1 would free the pawn on a1W to become a queen that attacks the king on b2W (Meder 3.4(e)(iii))",
        ),
        (
            "4/4/4/4|4/4/4/4|4/4/2K1/p3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/k1 w - - - 0 9",
            "Nc3W",
            "White has no knight on the boards",
        ),
        (
            "4/4/4/4|4/4/4/2R1|4/2p1/4/2P1|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:2/k1 w - - - 0 9",
            "Rc3W",
            "the rook on c3N would only change its level in column c3, which is not a move (Meder 3.1(d))",
        ),
        (
            "4/4/4/4|4/4/4/2p1|4/2P1/4/2R1|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:2/k1 w - - - 0 9",
            "Rc5N",
            "the pawn on c3W and the pawn on c3N block column c3 on every level for the rook on c1W (Meder 3.1(c))",
        ),
        (
            "4/4/4/4|4/4/4/4|4/4/2K1/p3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/k1 w - - - 0 9",
            "QL2",
            "the attack board on QL1 would free the pawn on a1W to become a knight that attacks the king on c2W (Meder 3.4(e)(iii))",
        ),
    ];
    check(RuleSystem::Meder, Notation::Meder, &table);
}

#[test]
fn manual() {
    let table = [
        (
            "",
            "a1,QL-a9,ql",
            "the knight on a2,QL leaves no vacant square in column a2 for the rook on a1,QL to pass (manual 5.3)",
        ),
        (
            "",
            "a2,QL-b4,WB",
            "the first step of the knight on a2,QL would go to the gap a3, where no square exists now (manual 6.5)",
        ),
        (
            "",
            "b3,WB-b4,WB=Q",
            "no pawn is promoted on b4,WB by this move (manual 6.6(d))",
        ),
        (
            "",
            "b3,WB-b3,NB",
            "the Neutral Board does not cover column b3, so b3,NB does not exist",
        ),
        (
            "",
            "b3,WB-a1,ql",
            "the attack board ql is on QP12 and does not cover column a1, so a1,ql does not exist now",
        ),
        (
            "",
            "b3,WB-b6,WB",
            "White's Board does not cover column b6, so b6,WB does not exist",
        ),
        (
            "",
            "b3,WB-c4,WB",
            "the pawn on b3,WB goes to c4,WB only by a capture, and there is nothing to capture (manual 6.6(b))",
        ),
        (
            "",
            "b8,BB-b7,BB",
            "the pawn on b8,BB is Black's (manual 5.1(a))",
        ),
        (
            "",
            "b5,WB-b6,NB",
            "there is no piece on b5,WB (manual 5.1(a))",
        ),
        (
            "",
            "b2,WB-b3,WB",
            "White's own pawn is on b3,WB (manual 5.1(a))",
        ),
        ("", "0-0", "these rules know no castling (manual 6.1)"),
        (
            "",
            "QP12-QP10",
            "the attack board ql is Black's (manual 5.1(b))",
        ),
        (
            "",
            "QP1-QP3",
            "the attack board QL carries the rook on a1,QL, the pawn on b1,QL, the knight on a2,QL and the pawn on b2,QL and can only turn in place (manual 7.2)",
        ),
        ("", "QP7-QP9", "there is no attack board on pin QP7"),
        ("", "QP7r", "there is no attack board on pin QP7"),
        (
            "4/4/4/3k|4/4/4/4|4/4/4/2K1|QL@Q1v:2/1R|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "b1,QL-e1,KL",
            "the rook on b1,QL would cross the gap c1, where no square exists now (manual 6)",
        ),
        (
            "4/4/4/3k|4/4/4/4|4/4/4/3K|QL@Q1v:2/1N|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "b1,QL-d2,WB",
            "the first step of the knight on b1,QL would go to the gap c1, where no square exists now (manual 6.5)",
        ),
        (
            "4/4/4/3k|4/4/4/4|R3/4/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "b5,WB-b5,NB",
            "the rook on b5,WB would only change its level in column b5, which is not a move (manual 6)",
        ),
        (
            "4/4/4/3k|4/4/4/4|R3/4/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "QP1r",
            "the attack board QL is empty, and an empty board moves but does not turn (manual 7.1)",
        ),
        (
            "4/4/4/3k|4/4/4/4|R3/4/4/2K1|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "QP1-QP5",
            "pin QP5 is not next to QP1 (manual 7.1)",
        ),
        (
            "4/4/4/3k|4/4/4/4|R3/4/4/2K1|QL@Q1v:2/2|KL@Q1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "QP1-QP2",
            "the attack board KL is on pin QP2 (manual 5.1(b))",
        ),
        (
            "4/4/4/3k|4/4/4/4|R3/4/4/2K1|QL@Q1v:2/2|KL@Q1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "d2,WB-d3,WB=Q",
            "the king on d2,WB is no pawn, and only pawns are promoted (manual 6.6(d))",
        ),
        (
            "4/4/4/3k|4/4/2p1/1n2|1P2/4/4/3K|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 b - b4W - 0 9",
            "d5,NBxc4,NBe.p.",
            "the pawn on c5,WB can be captured en passant only on a vacant square, and the knight on c4,NB is in the way (manual 6.6(c))",
        ),
        (
            "4/4/4/3k|4/4/r3/p3|4/p3/4/R2K|QL@Q1v:2/2|KL@K1v:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "b2,WB-b5,WB",
            "the pawn on b4,WB and the pawn on b4,NB leave no vacant square in column b4 for the rook on b2,WB to pass (manual 5.3)",
        ),
    ];
    check(RuleSystem::Manual, Notation::Manual, &table);
}

#[test]
fn federation() {
    let table = [
        (
            "",
            "0-0",
            "the knight on e1KL1 is in the way of castling on the king's side (Federation 3.2.4)",
        ),
        (
            "",
            "KL2",
            "the attack board on KL1 holds four pieces; only a board with at most one may move (Federation 3.7)",
        ),
        (
            "",
            "QL1r",
            "the attack board on QL1 can turn only while it goes to another pin (Federation 3.7)",
        ),
        (
            "4/4/4/k3|4/4/2p1/4|4/2K1/4/4|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "Kxc4N",
            "the king on c3W takes only on the tier it comes from, and c4N is on another (Federation 1.3)",
        ),
        (
            "4/4/4/k3|4/4/2p1/2P1|4/4/4/K1R1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "Rxc4N",
            "the rook on c1W takes only on the tier it comes from, and no vacant square before c4N is on its tier (Federation 1.3)",
        ),
        (
            "4/4/4/k3|4/4/4/4|4/RP2/4/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "Rd3W",
            "the path of the rook on a3W to d3W would climb to b3N and fall back to c3W (Federation 4.3)",
        ),
        (
            "4/4/4/k3|4/4/4/R3|4/4/p3/K3|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "Ra1QL1",
            "the pawn on a2W leaves no vacant square in column a2 for the rook on a3N to pass (Federation 4.2)",
        ),
        (
            "4/4/4/k3|4/4/4/4|4/4/4/K3|QL@Q1:2/1R|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "Rd0KL1",
            "the rook on a0QL1 would cross the gap b0, where no square exists now (Federation 4.5)",
        ),
        (
            "4/4/4/k3|4/4/4/4|4/4/4/K3|QL@Q1:2/1R|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "QL2",
            "the attack board on QL1 carries the rook on a0QL1; a board moves only with a pawn alone on it (Federation 3.7)",
        ),
        (
            "4/4/4/k3|4/4/4/4|4/4/4/K3|QL@Q1:2/1R|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "KL2",
            "the attack board on KL1 is empty; a board moves only with a pawn alone on it (Federation 3.7)",
        ),
        (
            "P3/4/4/k3|4/4/4/4|4/4/4/K3|QL@Q1:2/1R|KL@K1:2/2|ql@Q6:p1/2|kl@K6:2/2 b - - - 0 9",
            "QL5",
            "the attack board on QL6 has to stay on its pin while the pawn on a8B is at that corner (Federation 3.7)",
        ),
        (
            "4/4/4/k3|4/4/4/4|4/4/4/K3|QL@Q3:P1/2|KL@K1:2/2|ql@Q6:p1/2|kl@K6:2/2 w - - - 0 9",
            "QL3-KL3r",
            "the pawn on z3QL3 would fall back to column e2 (Federation 3.7)",
        ),
        (
            "4/4/4/k3|4/4/4/4|4/4/4/K3|QL@Q3:p1/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "QL2",
            "the attack board on QL3 is not White's to move while Black's pawn is on z3QL3 (Federation 3.7)",
        ),
        (
            "4/4/4/k3|4/4/4/4|4/4/4/K3|QL@Q3:2/P1|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 0 9",
            "QL1",
            "the pawn on z2QL3 would fall back to column z0 (Federation 3.7)",
        ),
    ];
    check(RuleSystem::Federation, Notation::Meder, &table);
}

#[test]
fn millennium() {
    const EMPTY: &str = "8/8/8/8/8/8/8/8";
    let attacked = format!("{EMPTY}|{EMPTY}|4r3/8/8/8/8/k7/8/4K2R w K - - 0 9");
    let passing = format!("{EMPTY}|{EMPTY}|5r2/8/8/8/8/k7/8/4K2R w K - - 0 9");
    let pinned = format!("{EMPTY}|{EMPTY}|4r3/8/8/8/8/k7/4B3/4K2R w K - - 0 9");
    let table = [
        (
            "",
            "R1a3",
            "the pawn on 1a2 is in the way of the rook on 1a1 to 1a3 (Millennium 2.1)",
        ),
        (
            "",
            "N1b3",
            "the knight on 1b1 does not move to 1b3; the knight on 1g1 does not move to 1b3 (Millennium 2.2)",
        ),
        (
            "",
            "1e5",
            "the pawn on 1e2 cannot go as far as 1e5: a pawn advances two squares at most (Millennium 2.7)",
        ),
        (
            "1e3 3e6",
            "1e5",
            "the pawn on 1e3 could advance two squares only from its start square, which it has left (Millennium 2.7)",
        ),
        (
            "",
            "ex1d3",
            "the pawn on 1e2 goes to 1d3 only by a capture, and there is nothing to capture (Millennium 2.7)",
        ),
        ("", "K1d1", "White's own queen is on 1d1 (Millennium 2.1)"),
        (
            "",
            "0-0",
            "the bishop on 1f1 is in the way of castling on the king's side (Millennium 3.1[b])",
        ),
        (
            "",
            "0-0-0",
            "the knight on 1b1 is in the way of castling on the queen's side (Millennium 3.1[b])",
        ),
        (
            "",
            "1e4=Q",
            "no pawn is promoted on 1e4 by this move (Millennium 3.3)",
        ),
        (
            attacked.as_str(),
            "0-0",
            "the king may not castle on the king's side while 1e1 is attacked by the rook on 1e8 (Millennium 3.1[c], [d])",
        ),
        (
            attacked.as_str(),
            "R1h2",
            "the rook on 1h1 would leave the king on 1e1 attacked by the rook on 1e8 (Millennium 2.6)",
        ),
        (
            passing.as_str(),
            "0-0",
            "the king may not castle on the king's side while 1f1 is attacked by the rook on 1f8 (Millennium 3.1[c], [d])",
        ),
        (
            passing.as_str(),
            "K1f1",
            "the king would be attacked on 1f1 by the rook on 1f8 (Millennium 2.6)",
        ),
        (passing.as_str(), "Q1f1", "White has no queen on the boards"),
        (
            pinned.as_str(),
            "B1d3",
            "the bishop on 1e2 would leave the king on 1e1 attacked by the rook on 1e8 (Millennium 2.6)",
        ),
    ];
    check(RuleSystem::Millennium, Notation::Millennium, &table);
}

#[test]
fn chess3() {
    let table = [
        (
            "",
            "1B2-2B3",
            "the pawn on 1B2 goes to 2B3 only by a capture, and there is nothing to capture (Chess3, The Pawn)",
        ),
        (
            "",
            "1A1-2B1",
            "the rook on 1A1 does not move to 2B1 (Chess3, The Rook)",
        ),
        (
            "",
            "1A1-1A3",
            "the pawn on 1A2 is in the way of the rook on 1A1 to 1A3 (Chess3, Moving and Capturing)",
        ),
        (
            "",
            "1B2-1C3",
            "the pawn on 1B2 goes to 1C3 only by a capture, and there is nothing to capture (Chess3, The Pawn)",
        ),
        (
            "",
            "1B2-1A2",
            "White's own pawn is on 1A2 (Chess3, Moving and Capturing)",
        ),
        (
            "",
            "1E1-1E2",
            "White's own pawn is on 1E2 (Chess3, Moving and Capturing)",
        ),
        (
            "",
            "3A7-3A6",
            "the pawn on 3A7 is Black's (Chess3, Moving and Capturing)",
        ),
        (
            "",
            "1D4-1D5",
            "there is no piece on 1D4 (Chess3, Moving and Capturing)",
        ),
        (
            "",
            "1B2-1B5",
            "the pawn on 1B2 cannot go as far as 1B5: a pawn advances two squares at most (Chess3, The Pawn)",
        ),
        (
            "",
            "1B1-1C3=N",
            "the knight on 1B1 is no pawn, and only pawns are promoted (Chess3, ruling Q3)",
        ),
    ];
    check(RuleSystem::Chess3, Notation::Chess3, &table);
}

#[test]
fn a_word_of_the_other_family_is_told_apart() {
    let start = Position::start(RuleSystem::Meder);
    let words = parse(Notation::Millennium, b"1e4", None).unwrap();
    assert_eq!(
        reason(&words, &start, Notation::Meder),
        "the move is written for the cube, the game is on the stair board"
    );
}

/// The moves [`alternatives`] lists, as they are written.
fn listed(rules: RuleSystem, notation: Notation, token: &str) -> String {
    let start = Position::start(rules);
    let words = parse(notation, token.as_bytes(), None).unwrap();
    let moves = alternatives(&words, &start);
    assert!(moves.is_sorted() && moves.len() <= ALTERNATIVES);
    let mut out = String::new();
    for m in moves {
        out.push(' ');
        write(notation, &start, m, &WriteOptions::default(), &mut out).unwrap();
    }
    out
}

#[test]
fn alternatives_go_to_the_place_or_start_from_it() {
    let (rules, notation) = (RuleSystem::Meder, Notation::Meder);
    // To the square of arrival, by any piece.
    assert_eq!(listed(rules, notation, "Rb3W"), " Nb3W b3W");
    assert_eq!(listed(rules, notation, "Na1Wc5N"), " Nb3W Nb3N");
    assert_eq!(listed(rules, notation, "b5N"), " b3W b4W b3N b4N");
    assert_eq!(listed(rules, notation, "QL3"), "");
    assert_eq!(listed(rules, notation, "0-0"), "");
    let (rules, notation) = (RuleSystem::Millennium, Notation::Millennium);
    assert_eq!(
        listed(rules, notation, "K1e3"),
        " K2d1 K2e1 K2f1 K2d2 K2e2 K2f2 1e3"
    );
}

#[test]
fn promotions_are_named_where_they_happen() {
    let text = "4/2P1/4/4|4/4/4/4|4/4/4/4|QL@Q1:2/2|KL@K1:2/K1|ql@Q6:2/2|kl@K6:1k/2 w - - - 0 9";
    let position = position(RuleSystem::Meder, Notation::Meder, text);
    let say = |token: &str, promotion| {
        let words = parse(Notation::Meder, token.as_bytes(), None).unwrap();
        let Ok(Move::Piece { from, to, .. }) = resolve::resolve(&words, &position) else {
            panic!("{token} is no move");
        };
        let m = Move::Piece {
            from,
            to,
            promotion,
        };
        let explanation = position.explain(m).unwrap();
        explain(&position, Notation::Meder, &explanation)
    };
    assert_eq!(
        say("c8BQ", None),
        "the pawn on c8B has to become a queen, rook, bishop or knight with this move, \
         and none is named (Meder 3.4(e)(i))"
    );
    assert_eq!(
        say("c8BQ", Some(Role::King)),
        "a pawn does not become a king (Meder 3.4(e)(i))"
    );
    assert_eq!(
        say("Kd1W", Some(Role::Queen)),
        "the king on d0KL1 is no pawn, and only pawns are promoted (Meder 3.4(e)(i))"
    );
}

#[test]
fn every_illegal_castling_and_step_has_a_sentence_with_its_article() {
    for rules in RuleSystem::ALL {
        let notation = match rules.family() {
            tridex_geometry::Family::Stair => Notation::Manual,
            tridex_geometry::Family::Cube => Notation::Chess3,
        };
        let mut reported = 0;
        random_games(*rules, 3, 60, |position, legal| {
            let castles = CastlingSide::ALL.map(Move::Castle);
            // Every move backwards.
            let steps = legal.iter().map(|m| match *m {
                Move::Piece { from, to, .. } => Move::Piece {
                    from: to,
                    to: from,
                    promotion: None,
                },
                other => other,
            });
            for m in steps.chain(castles) {
                let Some(explanation) = position.explain(m) else {
                    assert!(position.is_legal(m));
                    continue;
                };
                let found = explain(position, notation, &explanation);
                assert!(
                    found.ends_with(&format!(" ({})", explanation.article)),
                    "{found}"
                );
                assert!(
                    !found.contains("may not be played") && !found.contains('?'),
                    "{found}"
                );
                reported += 1;
            }
        });
        assert!(reported > 500, "{reported}");
    }
}

#[test]
fn a_board_of_the_other_side_is_found_to_be_theirs() {
    check(
        RuleSystem::Manual,
        Notation::Meder,
        &[(
            "",
            "QL6r",
            "the attack board on QL6 is Black's (manual 5.1(b))",
        )],
    );
}
