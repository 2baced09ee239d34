//! Finds the legal moves of a position that a [`MoveText`] can mean.
//!
//! The search starts at the square of arrival and tries only the pieces that could come from there, so it never lists
//! all moves. A wrong capture mark, `e.p.` or check mark does not exclude a move, but [`marks`] reports it.

mod error;
mod marks;
#[cfg(test)]
mod tests;

pub use error::ResolveError;
pub use marks::{Mismatch, Mismatches, marks, marks_of};

use crate::moves::common::takes_en_passant;
use crate::text::{BoardPattern, Coordinates, Level, MovePattern, MoveText};
use tridex_geometry::stair::{AttackBoard, Column, Layout, Pin};
use tridex_geometry::{Family, SquareSet};
use tridex_rules::{Move, MoveList, Position, Role};

/// Returns the one legal move that the text means.
///
/// ```
/// use tridex_notation::{Notation, parse, resolve::{ResolveError, resolve}};
/// use tridex_rules::{Position, RuleSystem};
/// let start = Position::start(RuleSystem::Meder);
/// assert!(resolve(&parse(Notation::Meder, b"b4N", None)?, &start).is_ok());
/// let reason = resolve(&parse(Notation::Meder, b"b5N", None)?, &start);
/// assert_eq!(reason, Err(ResolveError::CannotReach));
/// # Ok::<(), tridex_notation::SyntaxError>(())
/// ```
///
/// # Errors
/// If the text names a square that does not exist now, fits no legal move, or fits several.
pub fn resolve(text: &MoveText, position: &Position) -> Result<Move, ResolveError> {
    let found = candidates(text, position);
    match found.as_slice() {
        [only] => Ok(*only),
        [] => Err(error::explain(text, position)),
        _ => Err(ResolveError::Ambiguous(found)),
    }
}

/// Returns all legal moves that the text fits, in the order of [`Move`].
///
/// If several moves fit, a capture mark or `e.p.` (or its absence) selects among them, but it never excludes all of
/// them. A missing level matches every level. A missing promotion matches the move without promotion if there is one,
/// otherwise every promotion.
///
/// ```
/// use tridex_notation::{Notation, parse, resolve::candidates};
/// use tridex_rules::{Position, RuleSystem};
/// // The level is missing: b4W or b4N.
/// let text = parse(Notation::Meder, b"b4", None)?;
/// assert_eq!(candidates(&text, &Position::start(RuleSystem::Meder)).len(), 2);
/// # Ok::<(), tridex_notation::SyntaxError>(())
/// ```
#[must_use]
pub fn candidates(text: &MoveText, position: &Position) -> MoveList {
    let mut moves = position.moves_like(text.pattern());
    prefer_marked(text, position, &mut moves);
    moves
}

/// Reduces the moves that [`Position::moves_like`] returned for a text to its [`candidates`]: keeps those that agree
/// with its capture mark and `e.p.`, if any do, in the order of [`Move`].
pub(crate) fn prefer_marked(text: &MoveText, position: &Position, moves: &mut MoveList) {
    if moves.len() > 1 {
        prefer(moves, |mv| position.is_capture(mv) == text.captures());
        prefer(moves, |mv| takes_en_passant(mv) == text.en_passant);
        moves.sort_unstable();
        moves.dedup();
    }
}

/// Returns a key that orders moves that fit the same text: the order of [`Move`], but among moves that differ only in
/// the promotion, the queen first.
///
/// ```
/// use tridex_notation::{Notation, parse, resolve::{has_one_square, names_no_square, preference, resolve}};
/// use tridex_rules::{Position, RuleSystem};
///
/// let start = Position::start(RuleSystem::Meder);
/// let text = parse(Notation::Meder, b"b4N", None)?;
/// assert!(has_one_square(&text, &start) && !names_no_square(&text));
/// assert!(names_no_square(&parse(Notation::Meder, b"Nb9W", None)?));
/// assert_eq!(preference(resolve(&text, &start)?).1, 0); // no promotion
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn preference(mv: Move) -> (Move, u8) {
    let rank = match mv.promotion() {
        None => 0,
        Some(role) => 1 + (Role::Queen as u8).saturating_sub(role as u8),
    };
    let mut way = mv;
    match &mut way {
        Move::Piece { promotion, .. } | Move::EnPassant { promotion, .. } => *promotion = None,
        Move::Board { promotion, .. } => *promotion = None,
        Move::Castle(_) | Move::Pass => {}
    }
    (way, rank)
}

/// Whether every square that the text names without a level is unique in the position, so that the level was not
/// needed.
pub fn has_one_square(text: &MoveText, position: &Position) -> bool {
    let MovePattern::Piece(piece) = text.pattern() else {
        return true;
    };
    let from = match (piece.from.file, piece.from.rank) {
        (Some(file), Some(rank)) => Some(Coordinates {
            file,
            rank,
            level: piece.from.level,
        }),
        _ => None,
    };
    let is_one = |place: &Coordinates| !place.squares(position.layout()).more_than_one();
    is_one(&piece.to) && from.is_none_or(|from| is_one(&from))
}

/// Whether the square of arrival names a main board that does not have it, as in `Nb9W`. Such a text fits no move in
/// any position.
pub fn names_no_square(text: &MoveText) -> bool {
    let MovePattern::Piece(piece) = text.pattern() else {
        return false;
    };
    let Some(Level::Main(main)) = piece.to.level else {
        return false;
    };
    let column = Column::try_new(piece.to.file, piece.to.rank);
    column.and_then(|column| main.square(column)).is_none()
}

/// Keeps only the moves that satisfy the condition, unless none does.
#[inline]
fn prefer(moves: &mut MoveList, condition: impl Fn(Move) -> bool) {
    if moves.len() > 1 && moves.iter().any(|mv| condition(*mv)) {
        moves.retain(|mv| condition(*mv));
    }
}

/// The pieces of the side to move: those of one kind, or all of them.
pub(crate) fn own(role: Option<Role>, position: &Position) -> SquareSet<3> {
    let kinds = Role::ALL.into_iter();
    kinds
        .filter(|kind| role.is_none_or(|role| role == *kind))
        .fold(SquareSet::EMPTY, |set, kind| {
            set | position.pieces(position.turn(), kind)
        })
}

/// The attack board on a written pin, or on the other surface there if the text fits either surface.
pub(crate) fn board_on(text: &BoardPattern, pin: Pin, layout: &Layout) -> Option<AttackBoard> {
    let other = || {
        layout
            .board_on(pin.other_surface())
            .filter(|_| text.either_surface)
    };
    layout.board_on(pin).or_else(other)
}

/// Whether the text can be a move on a board of the family.
pub(crate) fn is_of_family(text: &MoveText, family: Family) -> bool {
    let level = match text.pattern() {
        MovePattern::Piece(piece) => piece.to.level,
        MovePattern::Castle(_) => return true,
        MovePattern::Board(_) => return family == Family::Stair,
    };
    match level {
        None => true,
        Some(Level::Cube(_)) => family == Family::Cube,
        Some(_) => family == Family::Stair,
    }
}
