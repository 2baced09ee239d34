//! From words to moves: which legal moves of a position a [`MoveText`] can mean.
//!
//! The words are looked up from the square of arrival backwards, so only the pieces that could come there are tried and
//! no list of all moves is made. Reading is lenient: a capture mark, `e.p.` or check mark that does not agree with the
//! move chosen does not stop it, but [`marks`] reports it.

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

/// The one legal move that the words mean.
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
/// If the words name a place that does not exist now, fit no legal move, or fit several.
pub fn resolve(text: &MoveText, position: &Position) -> Result<Move, ResolveError> {
    let found = candidates(text, position);
    match found.as_slice() {
        [only] => Ok(*only),
        [] => Err(error::explain(text, position)),
        _ => Err(ResolveError::Ambiguous(found)),
    }
}

/// All legal moves that the words fit, in the order of [`Move`].
///
/// A capture mark or `e.p.` chooses among several moves that fit otherwise; alone it excludes none. A level that is
/// not written can be any. A promotion that is not written fits the move without promotion if there is one, else every
/// promotion.
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

/// Keeps those of the legal moves that words fit which their marks of capture and `e.p.` choose, in the order of [`Move`]:
/// of what [`Position::moves_like`] gives, the [`candidates`].
pub(crate) fn prefer_marked(text: &MoveText, position: &Position, moves: &mut MoveList) {
    if moves.len() > 1 {
        prefer(moves, |mv| position.is_capture(mv) == text.captures());
        prefer(moves, |mv| takes_en_passant(mv) == text.en_passant);
        moves.sort_unstable();
        moves.dedup();
    }
}

/// The order in which moves that fit the same words are tried: the order of [`Move`], but a queen before other pieces where
/// only the promotion is open.
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
        Move::Castle(_) => {}
    }
    (way, rank)
}

/// Whether each place that the words name without a level is one square only, in the position: then the level was not
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

/// Whether the words name a square that exists in no layout: `Nb9W`. Then they mean no move in any
/// position.
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

/// Keeps the moves that satisfy the condition, if any does.
#[inline]
fn prefer(moves: &mut MoveList, condition: impl Fn(Move) -> bool) {
    if moves.len() > 1 && moves.iter().any(|mv| condition(*mv)) {
        moves.retain(|mv| condition(*mv));
    }
}

/// The pieces of the side to move of a kind, or of any.
pub(crate) fn own(role: Option<Role>, position: &Position) -> SquareSet<3> {
    let kinds = Role::ALL.into_iter();
    kinds
        .filter(|kind| role.is_none_or(|role| role == *kind))
        .fold(SquareSet::EMPTY, |set, kind| {
            set | position.pieces(position.turn(), kind)
        })
}

/// The board on a pin that is written in a move of a board.
pub(crate) fn board_on(text: &BoardPattern, pin: Pin, layout: &Layout) -> Option<AttackBoard> {
    let other = || {
        layout
            .board_on(pin.other_surface())
            .filter(|_| text.either_surface)
    };
    layout.board_on(pin).or_else(other)
}

/// Whether a square of the other family is written.
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
