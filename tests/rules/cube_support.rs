//! What the tests of the two cube systems share, besides [`crate::support`].

use crate::support::position;
use tridex_geometry::{Square, cube};
use tridex_rules::{Position, RuleSystem};

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
