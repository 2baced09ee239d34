//! The cube board: 8 files, 8 ranks, 3 levels, 192 squares that never move.
//!
//! Index of a [`Square`]: `64 * level + 8 * rank + file`, all counted from 0. A level is one word of a set.
//!
//! ```
//! use tridex_geometry::cube::{CubeSet, between, flat_reach, is_cut_off, offset, try_square};
//!
//! let a1 = try_square(0, 0, 0).unwrap();
//! let c3 = try_square(2, 2, 2).unwrap();
//! let b2 = offset(a1, 1, 1, 1).unwrap();
//! assert_eq!(between(a1, c3), Some(CubeSet::of(b2)));
//! assert!(is_cut_off(a1, c3, &[CubeSet::of(b2), CubeSet::EMPTY]));
//!
//! // Along the rank (direction 0) a rook on a1 reaches the first occupied square, d1.
//! let d1 = try_square(0, 3, 0).unwrap();
//! let reach = flat_reach(a1, 0, CubeSet::of(d1));
//! assert_eq!(reach.count(), 3);
//! assert!(reach.contains(d1));
//! ```

use crate::{Shade, Square, SquareSet};

/// The number of squares of the cube.
pub const SQUARES: usize = 192;
/// The number of levels of the cube.
pub const LEVELS: u8 = 3;

/// A set of cube squares; word `l` is level `l + 1`.
pub type CubeSet = SquareSet<3>;

/// The squares of the first rank in the word of a level.
pub const RANK_1: u64 = 0xFF;
/// The squares of the last rank in the word of a level.
pub const RANK_8: u64 = RANK_1 << 56;

/// The square of a level `0..3`, a file `0..8` and a rank `0..8`, or `None` outside the cube.
///
/// ```
/// use tridex_geometry::cube::{LEVELS, try_square};
///
/// assert_eq!(try_square(1, 4, 0).map(|square| square.index()), Some(68));
/// assert_eq!(try_square(LEVELS, 4, 0), None);
/// ```
#[must_use]
#[inline]
pub const fn try_square(level: u8, file: u8, rank: u8) -> Option<Square> {
    if level < LEVELS && file < 8 && rank < 8 {
        Square::try_new(level << 6 | rank << 3 | file)
    } else {
        None
    }
}

/// The level of a square, `0..3` from the lowest.
#[must_use]
#[inline]
pub const fn level(square: Square) -> u8 {
    square.index() as u8 >> 6
}

/// The file of a square, `0..8` from `a`.
#[must_use]
#[inline]
pub const fn file(square: Square) -> u8 {
    square.index() as u8 & 7
}

/// The rank of a square, `0..8` from White's side.
#[must_use]
#[inline]
pub const fn rank(square: Square) -> u8 {
    square.index() as u8 >> 3 & 7
}

/// The colour of a square: `a1` is dark on every level, so the near right corner is light.
///
/// ```
/// use tridex_geometry::{Shade, cube};
///
/// let a1 = cube::try_square(2, 0, 0).unwrap();
/// assert_eq!(cube::shade(a1), Shade::Dark);
/// ```
#[must_use]
pub const fn shade(square: Square) -> Shade {
    if (file(square) + rank(square)).is_multiple_of(2) {
        Shade::Dark
    } else {
        Shade::Light
    }
}

/// The square `files`, `ranks` and `levels` away, if it is on the board.
///
/// ```
/// use tridex_geometry::cube::{offset, try_square};
///
/// let a1 = try_square(0, 0, 0).unwrap();
/// assert_eq!(offset(a1, 1, 2, 0), try_square(0, 1, 2));
/// assert_eq!(offset(a1, -1, 0, 0), None);
/// ```
#[must_use]
#[inline]
pub const fn offset(square: Square, files: i8, ranks: i8, levels: i8) -> Option<Square> {
    let (f, r, l) = (
        file(square) as i8 + files,
        rank(square) as i8 + ranks,
        level(square) as i8 + levels,
    );
    if f < 0 || r < 0 || l < 0 {
        return None;
    }
    try_square(l as u8, f as u8, r as u8)
}

/// Returns the corresponding square of the other side: the same file, with rank and level counted from the opposite
/// end.
///
/// ```
/// use tridex_geometry::cube::{mirrored, try_square};
///
/// let white_king = try_square(0, 4, 0).unwrap();
/// assert_eq!(Some(mirrored(white_king)), try_square(2, 4, 7));
/// assert_eq!(mirrored(mirrored(white_king)), white_king);
/// ```
#[must_use]
pub const fn mirrored(square: Square) -> Square {
    let (rank, level) = (7 - 2 * rank(square) as i8, 2 - 2 * level(square) as i8);
    match offset(square, 0, rank, level) {
        Some(square) => square,
        None => square,
    }
}

/// The squares strictly between two squares of one straight line in space, or `None` if no line joins them.
///
/// Each step of a line changes the level by at most one, so a line between levels has at most one square in between.
///
/// ```
/// use tridex_geometry::cube::{between, try_square};
///
/// let a1 = try_square(0, 0, 0).unwrap();
/// assert_eq!(between(a1, try_square(0, 7, 7).unwrap()).map(|set| set.count()), Some(6));
/// assert_eq!(between(a1, try_square(0, 1, 2).unwrap()), None, "a knight's leap");
/// ```
#[must_use]
#[inline]
pub fn between(a: Square, b: Square) -> Option<CubeSet> {
    let (passed, level) = passed(a, b);
    let mut set = CubeSet::EMPTY;
    set.0[level] = passed;
    (passed != u64::MAX).then_some(set)
}

/// Whether a piece of either side is strictly between two squares. The two must be on one straight line in space. This
/// is [`between`] and a test of its result in one step.
#[must_use]
#[inline]
pub fn is_cut_off(a: Square, b: Square, sides: &[CubeSet; 2]) -> bool {
    let (passed, level) = passed(a, b);
    passed & (sides[0].0[level] | sides[1].0[level]) != 0
}

/// The eight directions inside a level, as files and ranks. Square indices grow along the first four. The plan of the
/// stair board has the same directions.
pub const FLAT_DIRECTIONS: [(i8, i8); 8] = [
    (1, 0),
    (0, 1),
    (1, 1),
    (-1, 1),
    (-1, 0),
    (0, -1),
    (-1, -1),
    (1, -1),
];

const FLAT_RAYS: [[u64; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let mut d = 0;
    while d < 8 {
        let (df, dr) = FLAT_DIRECTIONS[d];
        let mut a = 0;
        while a < 64 {
            let mut at = Square::new(a as u8);
            while let Some(next) = offset(at, df, dr, 0) {
                table[d][a] |= 1 << next.index();
                at = next;
            }
            a += 1;
        }
        d += 1;
    }
    table
};

/// The squares seen from `from` in the direction `FLAT_DIRECTIONS[direction]` on its level, up to and including the
/// first occupied square.
#[must_use]
#[inline]
pub fn flat_reach(from: Square, direction: usize, occupied: CubeSet) -> CubeSet {
    let word = level(from) as usize % 3;
    let rays = &FLAT_RAYS[direction & 7];
    let all = rays[from.index() & 63];
    let stops = all & occupied.0[word];
    let mut set = CubeSet::EMPTY;
    set.0[word] = if stops == 0 {
        all
    } else {
        let first = if direction < 4 {
            stops.trailing_zeros()
        } else {
            63 - stops.leading_zeros()
        };
        all & !rays[first as usize]
    };
    set
}

/// The squares strictly between two squares, as a word, and the level of that word. The word is all ones if no line
/// joins the two. The branch predictor cannot guess whether they share a level, so the code does not branch on it.
#[inline]
fn passed(a: Square, b: Square) -> (u64, usize) {
    let (a, b) = (a.index(), b.index());
    let seen = BETWEEN[usize::from(WIDE[a & 255].abs_diff(WIDE[b & 255])) & 1023];
    // The level of both, or the middle level if they are two levels apart. Adjacent levels have no square in between.
    (seen.rotate_left(a.min(b) as u32), ((a + b) >> 7) % 3)
}

/// Numbers the squares so that the difference of two numbers identifies the step between them: 256 for each level, 16
/// for each rank and 1 for each file.
static WIDE: [u16; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < SQUARES {
        table[i] = ((i & 192) << 2 | (i & 56) << 1 | i & 7) as u16;
        i += 1;
    }
    table
};

/// For each difference of two numbers in [`WIDE`], the squares strictly between the two squares: the bits of one level,
/// counted from the square with the lower index. All ones if no line joins the two.
static BETWEEN: [u64; 1024] = {
    let mut table = [u64::MAX; 1024];
    let mut d = 0;
    while d < 27 {
        let (files, ranks, levels) = (d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1);
        let apart = 256 * levels + 16 * ranks + files;
        let (mut n, mut passed) = (1, 0);
        while apart > 0 && n < if levels == 0 { 8 } else { 3 } {
            table[(n * apart) as usize] = passed;
            passed |= 1 << ((n * (8 * ranks + files)) & 63);
            n += 1;
        }
        d += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_agrees_with_walking_in_all_26_directions() {
        let mut pairs = 0;
        for a in (0..192).map(Square::new) {
            let mut on_a_line = CubeSet::EMPTY;
            for d in (0..27).filter(|d| *d != 13) {
                let (df, dr, dl) = (d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1);
                let (mut at, mut walked) = (a, CubeSet::EMPTY);
                while let Some(next) = offset(at, df, dr, dl) {
                    assert_eq!(between(a, next), Some(walked));
                    assert!(!is_cut_off(a, next, &[!walked; 2]));
                    for passed in walked {
                        assert!(is_cut_off(a, next, &[CubeSet::EMPTY, CubeSet::of(passed)]));
                    }
                    walked.insert(next);
                    on_a_line.insert(next);
                    at = next;
                    pairs += 1;
                }
            }
            for b in (0..192).map(Square::new) {
                assert_eq!(between(a, b).is_some(), on_a_line.contains(b));
            }
        }
        assert!(pairs > 192 * 20);
    }

    #[test]
    fn the_near_right_corner_is_light_on_every_level() {
        for level in 0..3 {
            assert_eq!(shade(try_square(level, 7, 0).unwrap()), Shade::Light);
        }
    }
}
