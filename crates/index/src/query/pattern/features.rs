//! Features of a placement that players have words for: passed pawns, and the balance of material.

use super::PawnKind;
use tridex_geometry::stair::RANKS;
use tridex_geometry::{Square, cube};
use tridex_rules::{Color, Placement, Role};

/// The values of pieces in pawns: queen 9, rook 5, bishop and knight 3. The rule systems do not define any; these are
/// the usual ones, and they only compare positions.
const VALUES: [(Role, i32); 5] = [
    (Role::Queen, 9),
    (Role::Rook, 5),
    (Role::Bishop, 3),
    (Role::Knight, 3),
    (Role::Pawn, 1),
];

/// The value of White's pieces, less that of Black's, in pawns.
pub(super) fn balance(at: &Placement) -> i32 {
    let worth = |color: Color| -> i32 {
        let kinds = VALUES.iter();
        kinds
            .map(|(role, value)| value * at.pieces(color, *role).count() as i32)
            .sum()
    };
    worth(Color::White) - worth(Color::Black)
}

/// The ranks of a level of the cube.
const CUBE_RANKS: u8 = 8;

/// The greatest number of files of a board.
const MOST_FILES: usize = 8;

/// A pawn's file and how many ranks it has advanced, counted from its own side of the board.
type Pawn = (usize, u8);

/// How many pawns of a side are of a kind.
pub(super) fn pawns(kind: PawnKind, color: Color, at: &Placement) -> u32 {
    let mut own = [0_u32; MOST_FILES];
    // The rank of the enemy pawn nearest to its start on each file: it stops all pawns on lower ranks.
    let mut enemy_last: [Option<u8>; MOST_FILES] = [None; MOST_FILES];
    let ours = pawns_of(color, color, at);
    for (file, _) in &ours {
        own[*file] += 1;
    }
    for (file, rank) in pawns_of(color.other(), color, at) {
        let last = &mut enemy_last[file];
        *last = Some(last.map_or(rank, |known| known.max(rank)));
    }
    let beside = |file: usize| [file.checked_sub(1), Some(file + 1)].into_iter().flatten();
    let is_of_kind = |(file, rank): &&Pawn| match kind {
        PawnKind::Passed => {
            let mut files = beside(*file).chain([*file]);
            !files.any(|file| {
                let enemy = enemy_last.get(file).copied().flatten();
                enemy.is_some_and(|enemy| enemy > *rank)
            })
        }
        PawnKind::Doubled => own.get(*file).is_some_and(|pawns| *pawns > 1),
        PawnKind::Isolated => {
            let mut files = beside(*file);
            files.all(|file| own.get(file).is_none_or(|pawns| *pawns == 0))
        }
    };
    ours.iter().filter(is_of_kind).count() as u32
}

/// The pawns of a side, as the other side or it sees them: ranks are counted from the side of `seen_by`.
fn pawns_of(color: Color, seen_by: Color, at: &Placement) -> Vec<Pawn> {
    let pawns = at.pieces(color, Role::Pawn).into_iter();
    let place = |square: Square| {
        let (file, rank, ranks) = match at.layout() {
            Some(layout) => {
                let column = layout.column(square);
                (column.file(), column.rank(), RANKS)
            }
            None => (cube::file(square), cube::rank(square), CUBE_RANKS),
        };
        let advanced = match seen_by {
            Color::White => rank,
            Color::Black => ranks - 1 - rank,
        };
        (usize::from(file), advanced)
    };
    pawns.map(place).collect()
}
