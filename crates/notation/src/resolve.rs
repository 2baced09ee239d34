//! From words to moves: which legal moves of a position a [`MoveText`] can mean.
//!
//! The words are looked up from the square of arrival backwards, so only the pieces that could come there are asked and
//! no list of all moves is made. Reading is lenient: a capture mark, `e.p.` or check mark that does not agree with the
//! move chosen does not stop it, but [`marks`] tells of it.

mod error;
mod marks;
#[cfg(test)]
mod tests;

pub use error::ResolveError;
pub use marks::{Mismatch, Mismatches, marks, marks_of};

use crate::moves::common::takes_en_passant;
use crate::text::{BoardText, Level, MoveKind, MoveText, Origin, PieceText, Place};
use tridex_geometry::stair::{
    AttackBoard, Board, Column, ColumnSet, FILES, Layout, Pin, RANKS, Surface,
};
use tridex_geometry::{Family, Square, SquareSet, cube};
use tridex_rules::{BoardPromotion, Move, MoveList, Position, Role};

type Set = SquareSet<3>;

/// The one legal move that the words mean.
///
/// # Errors
/// If the words name a place that does not exist now, fit no legal move, or fit several.
pub fn resolve(text: &MoveText, position: &Position) -> Result<Move, ResolveError> {
    resolve_with(text, position, &mut MoveList::new())
}

/// [`resolve`] with a list that is reused from move to move, so that nothing is allocated.
///
/// # Errors
/// As [`resolve`].
pub fn resolve_with(
    text: &MoveText,
    position: &Position,
    scratch: &mut MoveList,
) -> Result<Move, ResolveError> {
    candidates(text, position, scratch);
    match scratch.as_slice() {
        [only] => Ok(*only),
        [] => Err(error::explain(text, position)),
        several => Err(ResolveError::Ambiguous(several.to_vec())),
    }
}

/// All legal moves that the words fit, in the order of [`Move`]; the list is cleared first.
///
/// A capture mark or `e.p.` chooses among several moves that fit otherwise; alone it excludes none. A level that is
/// not written can be any. A promotion that is not written fits the move without promotion if there is one, else every
/// promotion.
pub fn candidates(text: &MoveText, position: &Position, out: &mut MoveList) {
    out.clear();
    match &text.kind {
        MoveKind::Piece(piece) => piece_candidates(piece, position, out),
        MoveKind::Castle(side) => {
            let castle = Move::Castle(*side);
            if position.is_legal(castle) {
                out.push(castle);
            }
        }
        MoveKind::Board(board) => board_candidates(board, position, out),
    }
    if out.len() > 1 {
        prefer(out, |mv| position.is_capture(mv) == text.capture);
        prefer(out, |mv| takes_en_passant(mv) == text.en_passant);
        out.sort_unstable();
        out.dedup();
    }
}

/// The order in which moves that fit the same words are tried: the order of [`Move`], but a queen before other pieces where
/// only the promotion is open.
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

/// The one legal move that plain words mean: castling, or a piece or pawn to a square with its level, nothing promoted. `None` where
/// it is for [`candidates`] to say what there is.
#[must_use]
#[inline]
pub fn only_candidate(text: &MoveText, position: &Position) -> Option<Move> {
    let piece = match &text.kind {
        MoveKind::Piece(piece) => piece,
        MoveKind::Castle(side) => {
            let castle = Move::Castle(*side);
            return position.is_legal(castle).then_some(castle);
        }
        MoveKind::Board(_) => return None,
    };
    if piece.promotion.is_some() || piece.to.level.is_none() {
        return None;
    }
    let to = square_named(&piece.to, position)?;
    match piece.role {
        Some(role) => position.only_move_to(role, to, departures(&piece.from, position)),
        None => {
            let from = departures(&piece.from, position);
            let at = from.first().filter(|_| !from.more_than_one())?;
            position.only_move_to(position.piece_at(at)?.role, to, from)
        }
    }
}

/// The square of a place whose level is written, if it exists now.
#[inline]
pub(crate) fn square_named(place: &Place, position: &Position) -> Option<Square> {
    match place.level? {
        Level::Cube(level) => cube::try_square(level, place.file, place.rank),
        level => {
            let layout = position.layout()?;
            let board = board_named(level, layout)?;
            layout.square(board, Column::try_new(place.file, place.rank)?)
        }
    }
}

/// Whether each place that the words name without a level is one square only, as things stand: then the level was not
/// needed.
#[must_use]
pub fn has_one_square(text: &MoveText, position: &Position) -> bool {
    let MoveKind::Piece(piece) = &text.kind else {
        return true;
    };
    let from = match (piece.from.file, piece.from.rank) {
        (Some(file), Some(rank)) => Some(Place {
            file,
            rank,
            level: piece.from.level,
        }),
        _ => None,
    };
    let is_one = |place: &Place| !arrivals(place, position).more_than_one();
    is_one(&piece.to) && from.is_none_or(|from| is_one(&from))
}

/// Whether words name a square that there never is, wherever the attack boards stand: `Nb9W`. Then they mean no move in any
/// position.
#[must_use]
pub fn names_no_square(text: &MoveText) -> bool {
    let MoveKind::Piece(piece) = &text.kind else {
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
#[must_use]
pub fn alternatives(text: &MoveText, position: &Position) -> MoveList {
    let mut out = MoveList::new();
    match &text.kind {
        MoveKind::Piece(piece) => {
            let wide = PieceText {
                from: Origin::default(),
                to: Place {
                    level: None,
                    ..piece.to
                },
                promotion: None,
                ..*piece
            };
            // Where the notation does not name the piece, the one at the square of departure is meant.
            let own = own_pieces(position) & departures(&piece.from, position);
            let roles = Role::ALL.into_iter().filter(|role| match piece.role {
                Some(named) => named == *role,
                None => own
                    .into_iter()
                    .any(|s| position.piece_at(s).is_some_and(|p| p.role == *role)),
            });
            for role in roles {
                let wide = PieceText {
                    role: Some(role),
                    ..wide
                };
                piece_candidates(&wide, position, &mut out);
            }
        }
        MoveKind::Castle(_) => {
            out.extend(
                tridex_rules::CastlingSide::ALL
                    .into_iter()
                    .map(Move::Castle)
                    .filter(|castle| position.is_legal(*castle)),
            );
        }
        MoveKind::Board(board) => {
            position.board_moves_into(&mut out);
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

#[inline]
fn piece_candidates(text: &PieceText, position: &Position, out: &mut MoveList) {
    let start = out.len();
    let origins = departures(&text.from, position);
    match (text.role, text.to.level.is_some()) {
        // By far the commonest: one kind of piece, one square.
        (Some(role), true) => {
            if let Some(to) = arrivals(&text.to, position).first() {
                position.moves_to(role, to, origins, out);
            }
        }
        (Some(role), false) => {
            for to in arrivals(&text.to, position) {
                position.moves_to(role, to, origins, out);
            }
        }
        (None, _) => {
            for from in origins & own_pieces(position) {
                let Some(piece) = position.piece_at(from) else {
                    continue;
                };
                for to in arrivals(&text.to, position) {
                    position.moves_to(piece.role, to, Set::of(from), out);
                }
            }
        }
    }
    settle_promotions(text.promotion, start, out);
}

/// Drops the moves whose promotion is not the one written; where none is written, those for which the same move
/// without promotion is there too.
#[inline]
fn settle_promotions(written: Option<Role>, start: usize, out: &mut MoveList) {
    if let [only] = out.as_slice() {
        // Nearly always: nothing to choose from.
        if written.is_some() && only.promotion() != written {
            out.clear();
        }
        return;
    }
    match written {
        Some(role) => out.retain(|mv| mv.promotion() == Some(role)),
        None => {
            let found = out.get(start..).unwrap_or_default();
            let plain = found.iter().any(|mv| mv.promotion().is_none());
            if plain && found.iter().any(|mv| mv.promotion().is_some()) {
                let staying: MoveList = found
                    .iter()
                    .copied()
                    .filter(|mv| mv.promotion().is_none())
                    .collect();
                out.retain(|mv| {
                    mv.promotion().is_none() || !staying.iter().any(|stay| same_way(*stay, *mv))
                });
            }
        }
    }
}

/// Whether two moves differ in the promotion at most.
fn same_way(a: Move, b: Move) -> bool {
    match (a, b) {
        (Move::Piece { from, to, .. }, Move::Piece { from: f, to: t, .. }) => (from, to) == (f, t),
        (
            Move::Board {
                board, to, turned, ..
            },
            Move::Board {
                board: b,
                to: t,
                turned: r,
                ..
            },
        ) => (board, to, turned) == (b, t, r),
        _ => false,
    }
}

/// The squares of the side to move.
fn own_pieces(position: &Position) -> Set {
    Role::ALL.into_iter().fold(Set::EMPTY, |set, role| {
        set | position.pieces(position.turn(), role)
    })
}

/// The squares a place can mean: one if its level is written, else one for each level; none if there is no such square
/// now.
#[inline]
pub(crate) fn arrivals(place: &Place, position: &Position) -> Set {
    match position.layout() {
        Some(layout) => arrivals_in(place, layout),
        None => match place.level {
            Some(Level::Cube(level)) => {
                cube::try_square(level, place.file, place.rank).map_or(Set::EMPTY, Set::of)
            }
            Some(_) => Set::EMPTY,
            None => (0..cube::LEVELS)
                .filter_map(|level| cube::try_square(level, place.file, place.rank))
                .collect(),
        },
    }
}

/// [`arrivals`] on a stair board.
#[inline]
pub(crate) fn arrivals_in(place: &Place, layout: &Layout) -> Set {
    let Some(column) = Column::try_new(place.file, place.rank) else {
        return Set::EMPTY;
    };
    match place.level {
        Some(Level::Main(main)) => main.square(column).map_or(Set::EMPTY, Set::of),
        None => wide(layout.stack(column).0[0]),
        Some(level) => match board_named(level, layout) {
            Some(board) => layout.square(board, column).map_or(Set::EMPTY, Set::of),
            None => Set::EMPTY,
        },
    }
}

/// The board a level means now, if there is one.
#[inline]
fn board_named(level: Level, layout: &Layout) -> Option<Board> {
    match level {
        Level::Main(main) => Some(Board::Main(main)),
        Level::Pin(pin) => layout.board_on(pin).map(Board::Attack),
        Level::Attack(attack) => Some(Board::Attack(attack)),
        Level::Cube(_) => None,
    }
}

/// The squares that agree with what is said of the square of departure.
#[inline]
pub(crate) fn departures(origin: &Origin, position: &Position) -> Set {
    if *origin == Origin::default() {
        return Set::FULL;
    }
    match position.layout() {
        Some(layout) => stair_departures(origin, layout),
        None => cube_departures(origin),
    }
}

fn stair_departures(origin: &Origin, layout: &Layout) -> Set {
    if let (Some(file), Some(rank), level) = (origin.file, origin.rank, origin.level) {
        return arrivals_in(&Place { file, rank, level }, layout);
    }
    // One bit for each rank of file `z`, and one for each file of rank 0.
    const FIRST_FILE: u64 = {
        let mut set = 0;
        let mut rank = 0;
        while rank < RANKS {
            set |= 1 << (FILES * rank);
            rank += 1;
        }
        set
    };
    const FIRST_RANK: u64 = (1 << FILES) - 1;
    let mut columns = ColumnSet::FULL;
    if let Some(file) = origin.file {
        if file >= FILES {
            return Set::EMPTY;
        }
        columns = columns.and(ColumnSet(FIRST_FILE << file));
    }
    if let Some(rank) = origin.rank {
        if rank >= RANKS {
            return Set::EMPTY;
        }
        columns = columns.and(ColumnSet(FIRST_RANK << (FILES * rank)));
    }
    let mut squares = layout.squares_of(columns).0[0];
    if let Some(level) = origin.level {
        squares &= match board_named(level, layout) {
            Some(Board::Main(main)) => main.squares().0[0],
            Some(Board::Attack(attack)) => attack.squares().0[0],
            None => 0,
        };
    }
    wide(squares)
}

fn cube_departures(origin: &Origin) -> Set {
    const FIRST_FILE: u64 = 0x0101_0101_0101_0101;
    let mut words = [u64::MAX; 3];
    if let Some(level) = origin.level {
        for (i, word) in words.iter_mut().enumerate() {
            if level != Level::Cube(i as u8) {
                *word = 0;
            }
        }
    }
    for word in &mut words {
        if let Some(file) = origin.file {
            *word &= FIRST_FILE
                .checked_shl(u32::from(file))
                .filter(|_| file < 8)
                .unwrap_or(0);
        }
        if let Some(rank) = origin.rank {
            *word &= 0xFF_u64
                .checked_shl(8 * u32::from(rank))
                .filter(|_| rank < 8)
                .unwrap_or(0);
        }
    }
    SquareSet(words)
}

const fn wide(stair: u64) -> Set {
    SquareSet([stair, 0, 0])
}

/// The pin that is meant by one that is written.
fn pin_meant(text: &BoardText, pin: Pin, position: &Position) -> Pin {
    let is_under = text.either_surface && pin.surface() == Surface::Under;
    if is_under && !position.rules().uses_under_pins() {
        pin.other_surface()
    } else {
        pin
    }
}

/// The one legal move of a board that the words plainly mean. `None` where it is for [`candidates`] to say what there is.
pub(crate) fn only_board_move(text: &BoardText, position: &Position) -> Option<Move> {
    if text.promotion.is_some() {
        return None;
    }
    let board = match text.from {
        Some(from) => {
            let layout = position.layout()?;
            Some(layout.board_on(pin_meant(text, from, position))?)
        }
        None => None,
    };
    let to = pin_meant(text, text.to, position);
    position.only_board_move(board, to, text.turned)
}

fn board_candidates(text: &BoardText, position: &Position, out: &mut MoveList) {
    let Some(layout) = position.layout() else {
        return;
    };
    let meant = |pin| pin_meant(text, pin, position);
    let to = meant(text.to);
    match text.from {
        Some(from) => {
            if let Some(board) = layout.board_on(meant(from)) {
                position.board_moves(board, out);
            }
        }
        None => position.board_moves_to(to, out),
    }
    out.retain(|mv| {
        let Move::Board {
            board,
            to: pin,
            turned,
            promotion,
        } = *mv
        else {
            return false;
        };
        pin == to
            && turned == text.turned
            && text.promotion.is_none_or(|(place, role)| {
                promotion.is_some_and(|brought| {
                    brought.role == role
                        && place.is_none_or(|place| is_at(&place, layout, (board, pin), brought))
                })
            })
    });
    if text.promotion.is_none() {
        settle_promotions(None, 0, out);
    }
}

/// Whether a pawn promoted by a board move is on the place written, as the boards stand after the move.
fn is_at(
    place: &Place,
    layout: &Layout,
    (board, to): (AttackBoard, Pin),
    promotion: BoardPromotion,
) -> bool {
    let after = layout.moved_unchecked(board, to);
    arrivals_in(place, &after).contains(promotion.square)
}

/// Whether a square of the other family is written.
pub(crate) fn is_of_family(text: &MoveText, family: Family) -> bool {
    let level = match &text.kind {
        MoveKind::Piece(piece) => piece.to.level,
        MoveKind::Castle(_) => return true,
        MoveKind::Board(_) => return family == Family::Stair,
    };
    match level {
        None => true,
        Some(Level::Cube(_)) => family == Family::Cube,
        Some(_) => family == Family::Stair,
    }
}
