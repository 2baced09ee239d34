//! The writer of Meder's notation.

use crate::letters::Letters;
use crate::moves::common::{PASS, push_castling, push_promotion, rivals, takes_en_passant, way_of};
use crate::names::{
    letter_of_role, push_meder_file, push_meder_level, push_meder_pin, push_meder_square,
    push_number,
};
use crate::text::{
    BoardPattern, Coordinates, Departure, Locale, MovePattern, PiecePattern, WriteOptions,
};
use tridex_geometry::stair::{AttackBoard, Layout, Pin, board};
use tridex_geometry::{Square, SquareSet};
use tridex_rules::{BoardPromotion, Move, MoveList, Position, Role};

/// Writes a legal move of a stair position in its canonical form, without check or mate mark.
///
/// `position` is the position before the move. If the move is not legal in it, the text is meaningless. For a position
/// of the cube, nothing is written.
pub(crate) fn write(position: &Position, mv: Move, options: &WriteOptions, out: &mut Letters) {
    let Some(layout) = position.layout() else {
        return;
    };
    let locale = options.locale;
    match mv {
        Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => {
            write_piece(position, layout, (from, to), mv, options, out);
            push_promotion("", mv.promotion(), locale, out);
            if takes_en_passant(mv) {
                out.push_str("e.p.");
            }
        }
        Move::Castle(side) => push_castling(side, out),
        Move::Pass => out.push_str(PASS),
        Move::Board {
            board,
            to,
            turned,
            promotion,
        } => {
            write_board(position, layout, (board, to, turned), locale, out);
            if let Some(promotion) = promotion {
                write_board_promotion(layout, (board, to), promotion, locale, out);
            }
        }
    }
}

/// Writes a piece's move up to and including the square of arrival.
fn write_piece(
    position: &Position,
    layout: &Layout,
    (from, to): (Square, Square),
    mv: Move,
    options: &WriteOptions,
    out: &mut Letters,
) {
    let role = position.piece_at(from).map_or(Role::Pawn, |p| p.role);
    let capture = position.is_capture(mv);
    let others = position.pieces(position.turn(), role).without(from);
    let mut alike_moves = MoveList::new();
    if !others.is_empty()
        && (role != Role::Pawn || !capture || needs_rivals(layout, from, others, options))
    {
        let alike = PiecePattern {
            role: Some(role),
            from: Departure::default(),
            to: Coordinates::of(to, Some(layout)),
            promotion: None,
        };
        // The `x` distinguishes a capture from an advance of another pawn.
        alike_moves = rivals(position, alike, from, capture);
    }
    let origin = Leaving {
        layout,
        from,
        rivals: &alike_moves,
    };
    if let Some(letter) = letter_of_role(options.locale, role) {
        out.push_letter(letter);
    }
    let parts = match (role, capture) {
        (Role::Pawn, false) => origin.first_enough(&[NOTHING, RANK, FILE_LEVEL, RANK_LEVEL]),
        (Role::Pawn, true) if options.full_pawn_captures => origin.first_enough(&[FILE_LEVEL]),
        (Role::Pawn, true) => origin.first_enough(&[FILE, FILE_LEVEL]),
        _ => origin.first_enough(&[
            NOTHING, FILE, RANK, LEVEL, FILE_RANK, FILE_LEVEL, RANK_LEVEL,
        ]),
    };
    origin.write(parts, options.locale, out);
    if capture {
        out.push_letter(b'x');
    }
    push_meder_square(options.locale, layout, to, out);
}

/// Whether a pawn's capture can be ambiguous with that of another pawn. If file and level are always written, it can be
/// only with a pawn on the same file and board. This check avoids the search in nearly all cases.
fn needs_rivals(
    layout: &Layout,
    from: Square,
    others: SquareSet<3>,
    options: &WriteOptions,
) -> bool {
    !options.full_pawn_captures
        || others.into_iter().any(|other| {
            board(other) == board(from) && layout.column(other).file() == layout.column(from).file()
        })
}

/// The parts of the square of departure that are written.
#[derive(Clone, Copy)]
struct Parts {
    file: bool,
    rank: bool,
    level: bool,
}

const fn parts(file: bool, rank: bool, level: bool) -> Parts {
    Parts { file, rank, level }
}

const NOTHING: Parts = parts(false, false, false);
const FILE: Parts = parts(true, false, false);
const RANK: Parts = parts(false, true, false);
const LEVEL: Parts = parts(false, false, true);
const FILE_RANK: Parts = parts(true, true, false);
const FILE_LEVEL: Parts = parts(true, false, true);
const RANK_LEVEL: Parts = parts(false, true, true);
const FULL: Parts = parts(true, true, true);

/// The square of departure, and the moves of other pieces from which it must be distinguished.
struct Leaving<'a> {
    layout: &'a Layout,
    from: Square,
    rivals: &'a [Move],
}

impl Leaving<'_> {
    /// The first choice of parts that fits no rival, or the full square (Article E11, E12).
    fn first_enough(&self, choices: &[Parts]) -> Parts {
        choices
            .iter()
            .copied()
            .find(|parts| self.is_enough(*parts))
            .unwrap_or(FULL)
    }

    fn is_enough(&self, parts: Parts) -> bool {
        let own = self.layout.column(self.from);
        !self.rivals.iter().any(|rival| {
            let Some((from, _)) = way_of(*rival) else {
                return false;
            };
            let column = self.layout.column(from);
            (!parts.file || column.file() == own.file())
                && (!parts.rank || column.rank() == own.rank())
                && (!parts.level || board(from) == board(self.from))
        })
    }

    fn write(&self, parts: Parts, locale: Locale, out: &mut Letters) {
        let column = self.layout.column(self.from);
        if parts.file {
            push_meder_file(column.file(), out);
        }
        if parts.rank {
            push_number(column.rank(), out);
        }
        if parts.level {
            push_meder_level(locale, self.layout, self.from, out);
        }
    }
}

/// Writes a board's move without its promotion. The pin of arrival is enough unless another board could go there
/// (Article E13) or the board turns while moving.
fn write_board(
    position: &Position,
    layout: &Layout,
    (board, to, turned): (AttackBoard, Pin, bool),
    locale: Locale,
    out: &mut Letters,
) {
    let from = layout.pin(board);
    if from != to && (turned || another_board_can_go(position, board, to)) {
        push_meder_pin(locale, from, out);
        out.push_letter(b'-');
    }
    push_meder_pin(locale, to, out);
    if turned {
        out.push_letter(b'r');
    }
}

fn another_board_can_go(position: &Position, board: AttackBoard, to: Pin) -> bool {
    let to_pin = MovePattern::Board(BoardPattern {
        from: None,
        to,
        either_surface: false,
        turned: false,
        promotion: None,
    });
    position
        .moves_like(&to_pin)
        .iter()
        .any(|other| matches!(*other, Move::Board { board: b, .. } if b != board))
}

/// Writes our extension `/a8BQ`: the pawn's square after the board has moved, and the new piece.
fn write_board_promotion(
    layout: &Layout,
    (board, to): (AttackBoard, Pin),
    promotion: BoardPromotion,
    locale: Locale,
    out: &mut Letters,
) {
    out.push_letter(b'/');
    let after = layout.moved_unchecked(board, to);
    push_meder_square(locale, &after, promotion.square, out);
    push_promotion("", Some(promotion.role), locale, out);
}
