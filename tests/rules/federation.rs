//! The Laws of the World Tri Dimensional Chess Federation: what has another shape than a row of
//! `tests/data/federation.txt`, that is the board itself, and records of whole games. `1.3` means section 1, law 3. Law 1.2
//! only introduces section 3; law 1.8 is the players' affair.

use crate::support::*;
use tridex_geometry::Shade;
use tridex_geometry::stair::{AttackBoard, Layout, MainBoard, Surface, shade};
use tridex_replay::finding::{Code, Status};
use tridex_rules::RuleSystem::Federation;
use tridex_rules::{Color, Position, Role};

fn start() -> Position {
    Position::start(Federation)
}

#[test]
fn law_1_8_nothing_else_is_drawn_without_consent() {
    // Ruling only-stalemate-draws: no repetition, no fifty moves.
    let shuffle = "1. b4N b5B 2. Qb2W Qb7B 3. Qb1W Qb8B 4. Qb2W Qb7B 5. Qb1W Qb8B 6. Qb2W Qb7B *";
    let found = replayed(&format!("[Variant \"federation\"]\n\n{shuffle}\n"));
    assert_eq!(found.status(), Status::Valid, "{:?}", found.findings());
    assert_eq!(found.outcome(), None);
    assert!(!found.findings().iter().any(|d| d.code == Code::GameOver));
    let fen = "2k1/4/4/4|4/4/4/4|4/1R2/4/2K1|QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2 w - - - 99 90";
    let found = replayed(&format!(
        "[Variant \"federation\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n90. Rb4W Kc7B 1/2-1/2\n"
    ));
    assert_eq!(found.status(), Status::Valid, "{:?}", found.findings());
    assert!(!found.findings().iter().any(|d| d.code == Code::FiftyMoves));
}

#[test]
fn laws_2_1_to_2_4_three_levels_that_overlap_by_half() {
    let layout = Layout::start(Surface::Over);
    for (board, near) in MainBoard::ALL.into_iter().zip([1, 3, 5]) {
        let columns: Vec<_> = board
            .squares()
            .into_iter()
            .map(|s| layout.column(s))
            .collect();
        assert_eq!(columns.len(), 16);
        assert!(columns.iter().all(|c| (1..=4).contains(&c.file())));
        assert!(columns.iter().all(|c| (near..near + 4).contains(&c.rank())));
        let dark = columns.iter().filter(|c| shade(**c) == Shade::Dark);
        assert_eq!(dark.count(), 8);
    }
}

#[test]
fn law_2_5_four_attack_boards_at_the_outer_corners() {
    let p = start();
    let names = [
        "z0QL1", "a1QL1", "d0KL1", "e1KL1", "z9QL6", "a8QL6", "d8KL6", "e9KL6",
    ];
    for name in names {
        assert!(exists(&p, name), "{name}");
    }
    let layout = p.layout().expect("a stair board");
    for board in AttackBoard::ALL {
        assert_eq!(layout.pin(board).surface(), Surface::Over);
        let corner = layout.pin(board).corner().column(layout.pin(board).wing());
        assert!(layout.stack(corner).meets(board.squares()));
    }
}

#[test]
fn law_3_1_the_pieces() {
    let p = start();
    let counts = [
        (Role::King, 1),
        (Role::Queen, 1),
        (Role::Bishop, 2),
        (Role::Knight, 2),
        (Role::Rook, 2),
        (Role::Pawn, 8),
    ];
    for (role, count) in counts {
        for color in Color::ALL {
            assert_eq!(p.pieces(color, role).count(), count);
        }
    }
}
