//! What the tests of the two cube systems share, besides [`crate::support`].

use crate::support::position;
use tridex_geometry::{Square, cube};
use tridex_rules::{Piece, Position, Role, RuleSystem, Setup};

/// A position from men such as `N1b1` (small letters for Black, squares in either case) and the other fields of a
/// position string, `w KQ - -`. A cube of 192 squares written out hides the three men that matter.
#[track_caller]
pub(crate) fn board(rules: RuleSystem, men: &str, fields: &str) -> Position {
    position(rules, &format!("{} {fields}", placement(men)))
}

/// The placement field of a position string.
#[track_caller]
pub(crate) fn placement(men: &str) -> String {
    try_placement(men).unwrap_or_else(|fault| panic!("{fault}"))
}

/// [`placement`], or what is wrong with the men.
pub(crate) fn try_placement(men: &str) -> Result<String, String> {
    let mut cells = [['1'; 8]; 24];
    for man in men.split_whitespace() {
        let (letter, name) = man
            .split_at_checked(1)
            .ok_or("a man is a letter and a square")?;
        let index = try_place(name)
            .ok_or_else(|| format!("{name} is no square"))?
            .index();
        let (level, rank, file) = (index / 64, index / 8 % 8, index % 8);
        let cell = &mut cells[8 * (2 - level) + 7 - rank][file];
        if *cell != '1' {
            return Err(format!("two men on {name}"));
        }
        *cell = letter
            .chars()
            .next()
            .ok_or("a man is a letter and a square")?;
    }
    let ranks: Vec<String> = cells.iter().map(|rank| rank.iter().collect()).collect();
    let levels: Vec<String> = ranks.chunks(8).map(|level| level.join("/")).collect();
    Ok(levels.join("|"))
}

/// The square of a name in either notation of the cube.
#[track_caller]
pub(crate) fn place(name: &str) -> Square {
    try_place(name).unwrap_or_else(|| panic!("{name} is no square"))
}

fn try_place(name: &str) -> Option<Square> {
    match name.as_bytes() {
        [level, file, rank] => cube::try_square(
            level.wrapping_sub(b'1'),
            file.to_ascii_lowercase().wrapping_sub(b'a'),
            rank.wrapping_sub(b'1'),
        ),
        _ => None,
    }
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
