//! The writer of the manual's notation.

use crate::letters::Letters;
use crate::moves::common::{PASS, push_castling, push_promotion, takes_en_passant};
use crate::names::{push_manual_pin, push_manual_square, push_manual_squares};
use crate::text::WriteOptions;
use tridex_rules::{Move, Position};

/// Writes a legal move of a stair position in its canonical form, without check or mate mark.
///
/// `position` is the position before the move. If the move is not legal in it, the text is meaningless. For a position
/// of the cube, nothing is written.
pub(crate) fn write(position: &Position, mv: Move, options: &WriteOptions, out: &mut Letters) {
    let Some(layout) = position.layout() else {
        return;
    };
    match mv {
        Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => {
            let sign = if position.is_capture(mv) { b'x' } else { b'-' };
            push_manual_squares(layout, (from, to), sign, out);
            push_promotion("=", mv.promotion(), options.locale, out);
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
            let from = layout.pin(board);
            push_manual_pin(from, out);
            if from != to {
                out.push_letter(b'-');
                push_manual_pin(to, out);
            }
            if turned {
                out.push_letter(b'r');
            }
            if let Some(promotion) = promotion {
                let after = layout.moved_unchecked(board, to);
                out.push_letter(b'/');
                push_manual_square(&after, promotion.square, out);
                push_promotion("=", Some(promotion.role), options.locale, out);
            }
        }
    }
}
