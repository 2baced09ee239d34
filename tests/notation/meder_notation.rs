//! Meder's Appendix E, the algebraic notation: the names of all squares, and the sample game. Its sentences and
//! examples are in `tests/data/notation/meder.txt`.

use crate::support::*;
use tridex_geometry::Square;
use tridex_replay::finding::Status;
use tridex_rules::Position;
use tridex_rules::RuleSystem::Meder;

fn at(line: &str) -> Position {
    position(Meder, line)
}

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
fn the_sample_game() {
    let moves = "1. b4N b5B 2. c3W a6N 3. Nc2W c6B 4. a3N a6S 5. a3W Bd6N 6. Ba2W Nc7B 7. Qb1W Qb8B \
                 8. Nb2W Ra9QL6 9. Ra0QL1 0-0 10. Ra1W Nb7B 11. Nd4W a5B 12. Nd3N d6B 13. Nxc6B Qa8B \
                 14. Na5N Nxa5N 15. bxa5N a4W 16. Nb4N a5B 17. Nd3N (=)";
    let found = replayed(&format!("[Variant \"meder\"]\n\n{moves} *\n"));
    assert_eq!(found.moves().len(), 33, "{:?}", found.findings());
    assert_eq!(found.status(), Status::Ambiguous);
    // 4... a6S has the German letter of Black's board.
    let level = &found.findings()[0];
    assert_eq!(
        (level.ply, level.token.as_str(), level.code.as_str()),
        (8, "a6S", "dialect")
    );
    // 11... a5B can be played by either of two pawns, and both let the game go on to its end.
    let twice = &found.findings()[1];
    assert_eq!(
        (twice.ply, twice.token.as_str(), twice.code.as_str()),
        (22, "a5B", "ambiguous")
    );
    assert_eq!(twice.alternatives.len(), 2, "{:?}", twice.alternatives);
    assert_eq!(found.findings().len(), 2);
    // 9... 0-0: Black's king and rook have changed places.
    assert_eq!(piece(found.last(), "e9KL6"), Some('k'));
    assert_eq!(piece(found.last(), "d9KL6"), Some('r'));
}
