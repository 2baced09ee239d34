//! What the tests of the two cube systems share, besides [`crate::support`].

use crate::support::{line, position, square};
use std::collections::BTreeSet;
use tridex_geometry::{Square, cube};
use tridex_rules::{Move, Piece, Position, Role, RuleSystem, Setup};

/// A position from men such as `N1b1` (small letters for Black, squares in either case) and the other fields of a
/// position string, `w KQ - -`. A cube of 192 squares written out hides the three men that matter.
#[track_caller]
pub(crate) fn board(rules: RuleSystem, men: &str, fields: &str) -> Position {
    position(rules, &format!("{} {fields}", placement(men)))
}

/// The placement field of a position string.
#[track_caller]
pub(crate) fn placement(men: &str) -> String {
    let mut cells = [['1'; 8]; 24];
    for man in men.split_whitespace() {
        let (letter, name) = man.split_at(1);
        let index = place(name).index();
        let (level, rank, file) = (index / 64, index / 8 % 8, index % 8);
        let cell = &mut cells[8 * (2 - level) + 7 - rank][file];
        assert_eq!(*cell, '1', "two men on {name}");
        *cell = letter.chars().next().expect("a letter");
    }
    let ranks: Vec<String> = cells.iter().map(|rank| rank.iter().collect()).collect();
    let levels: Vec<String> = ranks.chunks(8).map(|level| level.join("/")).collect();
    levels.join("|")
}

/// The square of a name in either notation of the cube.
#[track_caller]
pub(crate) fn place(name: &str) -> Square {
    let bytes = name.as_bytes();
    let found = match bytes {
        [level, file, rank] => cube::try_square(
            level.wrapping_sub(b'1'),
            file.to_ascii_lowercase().wrapping_sub(b'a'),
            rank.wrapping_sub(b'1'),
        ),
        _ => None,
    };
    found.unwrap_or_else(|| panic!("{name} is no square"))
}

/// The piece on a square may not go to any of these squares, and the reason cites the article.
#[track_caller]
pub(crate) fn assert_stays_away(position: &Position, from: &str, squares: &str, article: &str) {
    for name in squares.split_whitespace() {
        let m = Move::Piece {
            from: square(position, from),
            to: square(position, name),
            promotion: None,
        };
        let explanation = position.explain(m);
        assert!(
            !position.is_legal(m) && !position.legal_moves().contains(&m),
            "{from} to {name} is legal\n{}",
            line(position)
        );
        assert_eq!(
            explanation.map(|explanation| explanation.article),
            Some(article),
            "{from} to {name}: {explanation:?}"
        );
    }
}

/// The pawns that can take en passant, and where they land: `1d4x1e3`.
pub(crate) fn passing(position: &Position) -> BTreeSet<String> {
    let name = |square| crate::support::square_name(position, square);
    position
        .legal_moves()
        .into_iter()
        .filter_map(|m| match m {
            Move::EnPassant { from, to, .. } => Some(format!("{}x{}", name(from), name(to))),
            _ => None,
        })
        .collect()
}

/// King and one piece against king: how many positions with Black to move are mate, and how many of them were looked at.
///
/// A board of 8 by 8 squares on three levels looks the same when files are reversed, ranks are, files and ranks are
/// swapped, or levels are reversed, and so do the moves of all pieces but pawns. So Black's king needs to stand on twenty
/// of the 192 squares only: two levels, and on each a triangle of ten. `images` are the sixteen ways to see a square.
pub(crate) fn mates(rules: RuleSystem, role: Role) -> (u32, u32) {
    let (mut mates, mut seen) = (0, 0);
    let all = || (0..192).map(Square::new);
    for lone in all().filter(|square| is_first_image(*square)) {
        for king in all().filter(|square| *square != lone) {
            for piece in all().filter(|square| *square != lone && *square != king) {
                let setup = three(lone, king, piece, role);
                // Kings side by side cannot be; the rest can.
                let Ok(position) = Position::from_setup(rules, &setup) else {
                    continue;
                };
                seen += 1;
                mates += u32::from(position.is_check() && !position.has_legal_move());
            }
        }
    }
    (mates, seen)
}

/// Black to move with a bare king against king and piece.
pub(crate) fn three(lone: Square, king: Square, piece: Square, role: Role) -> Setup {
    use tridex_rules::Color::{Black, White};
    let mut setup = Setup::empty(None);
    setup.turn = Black;
    setup.set_piece(lone, Some(Piece::new(Black, Role::King)));
    setup.set_piece(king, Some(Piece::new(White, Role::King)));
    setup.set_piece(piece, Some(Piece::new(White, role)));
    setup
}

fn is_first_image(square: Square) -> bool {
    images(square).into_iter().min() == Some(square)
}

/// Where a square is seen when the board is reversed and turned in all sixteen ways, always in the same order.
pub(crate) fn images(square: Square) -> Vec<Square> {
    let (level, file, rank) = (cube::level(square), cube::file(square), cube::rank(square));
    let mut seen = Vec::new();
    for level in [level, 2 - level] {
        for file in [file, 7 - file] {
            for rank in [rank, 7 - rank] {
                seen.extend(cube::try_square(level, file, rank));
                seen.extend(cube::try_square(level, rank, file));
            }
        }
    }
    seen
}
