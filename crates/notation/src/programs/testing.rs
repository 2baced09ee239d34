//! What the tests of all programs share.

use super::{Program, castling_way};
use crate::resolve::marks;
use tridex_geometry::stair::attack_board;
use tridex_rules::random::{self, Dice};
use tridex_rules::{Move, Position, RuleSystem};

/// A thousand games of Meder's are written by a function, and each move read again as that move. Every kind of move has to
/// come.
pub(crate) fn a_thousand_games(
    program: Program,
    write: impl Fn(&Position, Move, &Position) -> Option<String>,
) {
    let mut kinds = [0_u32; 7];
    for index in 0..1_000 {
        let mut position = Position::start(RuleSystem::Meder);
        for mv in random::game(RuleSystem::Meder, &mut Dice::nth(7, index), 90) {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let theirs = write(&position, mv, &after).unwrap();
            let text = program
                .parse(theirs.as_bytes())
                .unwrap_or_else(|e| panic!("{theirs}: {e}"));
            assert!(text.notes.is_empty(), "{theirs}: {:?}", text.notes);
            let fits = program.candidates(&text, &position);
            assert_eq!(fits.as_slice(), [mv], "{theirs}");
            let mut mismatches = marks(&text, &position, mv, &after);
            if !program.marks_captures() {
                mismatches = mismatches.written();
            }
            assert!(mismatches.is_empty(), "{theirs}");
            if let Move::Castle(_) = mv {
                assert_ne!(castling_way(&position, mv), None);
            }
            if let Some(count) = kinds.get_mut(kind(mv)) {
                *count += 1;
            }
            position = after;
        }
    }
    assert!(kinds.iter().all(|count| *count > 0), "{kinds:?}");
}

fn kind(mv: Move) -> usize {
    match mv {
        Move::Castle(_) => 0,
        Move::EnPassant { .. } => 1,
        Move::Board {
            promotion: Some(promoted),
            ..
        } => 2 + usize::from(attack_board(promoted.square).is_some()),
        Move::Board { .. } => 4,
        Move::Piece {
            promotion: Some(_), ..
        } => 5,
        Move::Piece { .. } | Move::Pass => 6,
    }
}
