//! Millennium and Chess3: what cannot mate (ruling dead-material).

use super::*;

const BOTH: [RuleSystem; 2] = [RuleSystem::Millennium, RuleSystem::Chess3];

#[test]
fn king_and_rook_cannot_mate() {
    no_mate_with_king_and(Role::Rook);
}

#[test]
#[ignore = "slow"]
fn king_and_bishop_or_knight_cannot_mate() {
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
