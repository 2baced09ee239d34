//! Which pieces can never mate: the table of a rule system, and what follows from it (ruling dead-material).
//!
//! The tables are not believed but found, by the search of `tests/mating`, which holds them to it.

use crate::piece::{Color, Role};

/// The pieces of a side besides its king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Men {
    /// Nothing.
    None,
    /// One man.
    One(Role),
    /// Two pieces or more.
    More,
}

/// The pieces that cannot mate alone next to their king, each with what the mated side may have besides its own (`None`: a bare
/// king) so that no placement is mate. Pawns are missing, because they may be promoted.
pub(crate) type Helpless = &'static [(Role, &'static [Option<Role>])];

/// Any piece, or none, next to the mated king.
pub(crate) const AGAINST_ALL: &[Option<Role>] = &[
    None,
    Some(Role::Pawn),
    Some(Role::Knight),
    Some(Role::Bishop),
    Some(Role::Rook),
    Some(Role::Queen),
];

/// Whether a side has the material to mate, now or later in the game. Two pieces or more of one side are
/// assumed to suffice; they are not searched. The array has White's and Black's.
pub(crate) fn can_mate(men: [Men; 2], color: Color, helpless: Helpless) -> bool {
    let role = match men[color as usize] {
        // Kings are never next to each other.
        Men::None => return false,
        Men::More | Men::One(Role::Pawn) => return true,
        Men::One(role) => role,
    };
    let Some((_, no_mate)) = helpless.iter().find(|(man, _)| *man == role) else {
        return true;
    };
    match men[color.other() as usize] {
        Men::None => !no_mate.contains(&None),
        // A pawn may become any piece, and any piece may be taken.
        Men::One(Role::Pawn) => AGAINST_ALL.iter().any(|man| !no_mate.contains(man)),
        Men::One(man) => !no_mate.contains(&None) || !no_mate.contains(&Some(man)),
        Men::More => true,
    }
}

/// Whether neither side has the material to mate.
pub(crate) fn is_dead(men: [Men; 2], helpless: Helpless) -> bool {
    !Color::ALL
        .into_iter()
        .any(|color| can_mate(men, color, helpless))
}
