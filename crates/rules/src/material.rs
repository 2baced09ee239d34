//! Which pieces can never mate: the table of a rule system, and its consequences (ruling dead-material).
//!
//! The tables are the results of the search in `tests/mating`, which checks that they still agree.

use crate::piece::{Color, Role};

/// The pieces of a side besides its king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Men {
    /// Nothing.
    None,
    /// One piece.
    One(Role),
    /// Two pieces or more.
    More,
}

/// The pieces that cannot mate with only their king to help. Each comes with the pieces of which the mated side may
/// have one besides its king, so that no placement is mate (`None`: a bare king). Pawns are not listed, because they
/// can be promoted.
pub(crate) type Helpless = &'static [(Role, &'static [Option<Role>])];

/// Any one piece besides the mated king, or none.
pub(crate) const AGAINST_ALL: &[Option<Role>] = &[
    None,
    Some(Role::Pawn),
    Some(Role::Knight),
    Some(Role::Bishop),
    Some(Role::Rook),
    Some(Role::Queen),
];

/// Whether a side has the material to mate, now or later in the game. Two pieces or more are assumed to suffice,
/// without a search. The array has White's pieces and Black's.
pub(crate) fn can_mate(men: [Men; 2], color: Color, helpless: Helpless) -> bool {
    let role = match men[color as usize] {
        // A bare king never mates: kings do not attack each other.
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
