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
use crate::text::{Coordinates, Departure, Level, MovePattern, MoveText, PiecePattern};
use tridex_geometry::stair::Column;
use tridex_geometry::{Family, SquareSet};
use tridex_rules::{Move, MoveList, Position, Role};

type Set = SquareSet<3>;

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
    let mut found = MoveList::new();
    candidates(text, position, &mut found);
    match found.as_slice() {
        [only] => Ok(*only),
        [] => Err(error::explain(text, position)),
        _ => Err(ResolveError::Ambiguous(found)),
    }
}

/// All legal moves that the words fit, in the order of [`Move`]; the list is cleared first.
///
/// A capture mark or `e.p.` chooses among several moves that fit otherwise; alone it excludes none. A level that is
/// not written can be any. A promotion that is not written fits the move without promotion if there is one, else every
/// promotion.
///
/// ```
/// use tridex_notation::{Notation, parse, resolve::candidates};
/// use tridex_rules::{MoveList, Position, RuleSystem};
/// let mut found = MoveList::new();
/// // The level is missing: b4W or b4N.
/// let text = parse(Notation::Meder, b"b4", None)?;
/// candidates(&text, &Position::start(RuleSystem::Meder), &mut found);
/// assert_eq!(found.len(), 2);
/// # Ok::<(), tridex_notation::SyntaxError>(())
/// ```
pub fn candidates(text: &MoveText, position: &Position, out: &mut MoveList) {
    out.clear();
    position.moves_like(&text.kind, out);
    prefer_marked(text, position, out);
}

/// Of the legal moves that words fit, those that their marks of capture and `e.p.` choose, in the order of [`Move`].
pub(crate) fn prefer_marked(text: &MoveText, position: &Position, out: &mut MoveList) {
    if out.len() > 1 {
        prefer(out, |mv| position.is_capture(mv) == text.capture);
        prefer(out, |mv| takes_en_passant(mv) == text.en_passant);
        out.sort_unstable();
        out.dedup();
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
#[must_use]
pub fn preference(mv: Move) -> (Move, u8) {
    let rank = |role| match role {
        None => 0,
        Some(Role::Queen) => 1,
        Some(Role::Rook) => 2,
        Some(Role::Bishop) => 3,
        Some(_) => 4,
    };
    let way = match mv {
        Move::Piece { from, to, .. } => Move::Piece {
            from,
            to,
            promotion: None,
        },
        Move::EnPassant { from, to, .. } => Move::EnPassant {
            from,
            to,
            promotion: None,
        },
        Move::Board {
            board, to, turned, ..
        } => Move::Board {
            board,
            to,
            turned,
            promotion: None,
        },
        Move::Castle(_) => mv,
    };
    (way, rank(mv.promotion()))
}

/// Whether each place that the words name without a level is one square only, in the position: then the level was not
/// needed.
#[must_use]
pub fn has_one_square(text: &MoveText, position: &Position) -> bool {
    let MovePattern::Piece(piece) = &text.kind else {
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
#[must_use]
pub fn names_no_square(text: &MoveText) -> bool {
    let MovePattern::Piece(piece) = &text.kind else {
        return false;
    };
    let Some(Level::Main(main)) = piece.to.level else {
        return false;
    };
    let column = Column::try_new(piece.to.file, piece.to.rank);
    column.and_then(|column| main.square(column)).is_none()
}

/// Legal moves near to what the words say, for a message when nothing fits: the same piece or board to the same column
/// at any level, in the order of [`Move`].
///
/// ```
/// use tridex_notation::{Notation, parse, resolve::alternatives};
/// use tridex_rules::{Position, RuleSystem};
///
/// let text = parse(Notation::Meder, b"b4B", None)?;
/// assert_eq!(alternatives(&text, &Position::start(RuleSystem::Meder)).len(), 2); // b4W, b4N
/// # Ok::<(), tridex_notation::SyntaxError>(())
/// ```
#[must_use]
pub fn alternatives(text: &MoveText, position: &Position) -> MoveList {
    let mut out = MoveList::new();
    match &text.kind {
        MovePattern::Piece(piece) => {
            let wide = PiecePattern {
                from: Departure::default(),
                to: Coordinates {
                    level: None,
                    ..piece.to
                },
                promotion: None,
                ..*piece
            };
            // Where the notation does not name the piece, the one at the square of departure is meant.
            let own = own_pieces(position) & piece.from.squares(position.layout());
            let roles = Role::ALL.into_iter().filter(|role| match piece.role {
                Some(named) => named == *role,
                None => own
                    .into_iter()
                    .any(|s| position.piece_at(s).is_some_and(|p| p.role == *role)),
            });
            for role in roles {
                let wide = PiecePattern {
                    role: Some(role),
                    ..wide
                };
                position.moves_like(&MovePattern::Piece(wide), &mut out);
            }
        }
        MovePattern::Castle(_) => {
            out.extend(
                tridex_rules::CastlingSide::ALL
                    .into_iter()
                    .map(Move::Castle)
                    .filter(|castle| position.is_legal(*castle)),
            );
        }
        MovePattern::Board(board) => {
            out = position.legal_moves();
            let mover = position.layout().and_then(|layout| {
                let from = board.from?;
                layout
                    .board_on(from)
                    .or_else(|| layout.board_on(from.other_surface()))
            });
            out.retain(|mv| match (*mv, mover) {
                (Move::Board { board, .. }, Some(mover)) => board == mover,
                (Move::Board { to, .. }, None) => {
                    to.corner() == board.to.corner() && to.wing() == board.to.wing()
                }
                _ => false,
            });
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// Keeps the moves that satisfy the condition, if any does.
#[inline]
fn prefer(moves: &mut MoveList, condition: impl Fn(Move) -> bool) {
    if moves.len() > 1 && moves.iter().any(|mv| condition(*mv)) {
        moves.retain(|mv| condition(*mv));
    }
}

/// The squares of the side to move.
fn own_pieces(position: &Position) -> Set {
    Role::ALL.into_iter().fold(Set::EMPTY, |set, role| {
        set | position.pieces(position.turn(), role)
    })
}

/// Whether a square of the other family is written.
pub(crate) fn is_of_family(text: &MoveText, family: Family) -> bool {
    let level = match &text.kind {
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
