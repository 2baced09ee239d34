//! The writer of the manual's notation.

use crate::letters::Letters;
use crate::moves::common::{takes_en_passant, write_mark};
use crate::names::{letter_of_role, manual_square, push_manual_pin, push_manual_square};
use crate::text::WriteOptions;
use tridex_geometry::Square;
use tridex_geometry::stair::Layout;
use tridex_rules::{CastlingSide, Move, Position};

/// Writes a legal move of a stair position in its one canonical form, without check and mate marks unless the options
/// ask for them.
///
/// The move must be legal in the position, which is that before the move; for another move the text is of no use. In a
/// position of the cube nothing is written.
///
/// ```
/// use tridex_notation::{WriteOptions, moves::{manual, meder}, resolve};
/// use tridex_rules::{Position, RuleSystem};
///
/// let position = Position::start(RuleSystem::Meder);
/// let mv = resolve::resolve(&meder::parse(b"b4N", None)?, &position).unwrap();
/// let mut text = String::new();
/// manual::write(&position, mv, &WriteOptions::default(), &mut text);
/// assert_eq!(text, "c3,WB-c5,NB");
/// # Ok::<(), tridex_notation::SyntaxError>(())
/// ```
pub fn write(position: &Position, mv: Move, options: &WriteOptions, out: &mut String) {
    let Some(layout) = position.layout() else {
        return;
    };
    match mv {
        Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => {
            let word = squares(layout, from, to, position.is_capture(mv));
            out.push_str(word.as_str());
            if let Some(letter) = mv
                .promotion()
                .and_then(|role| letter_of_role(options.locale, role))
            {
                out.push('=');
                out.push(letter);
            }
            if takes_en_passant(mv) {
                out.push_str("e.p.");
            }
        }
        Move::Castle(CastlingSide::King) => out.push_str("0-0"),
        Move::Castle(CastlingSide::Queen) => out.push_str("0-0-0"),
        Move::Board {
            board,
            to,
            turned,
            promotion,
        } => {
            let from = layout.pin(board);
            push_manual_pin(from, out);
            if from != to {
                out.push('-');
                push_manual_pin(to, out);
            }
            if turned {
                out.push('r');
            }
            if let Some(promotion) = promotion {
                let after = layout.moved_unchecked(board, to);
                out.push('/');
                push_manual_square(&after, promotion.square, out);
                if let Some(letter) = letter_of_role(options.locale, promotion.role) {
                    out.push('=');
                    out.push(letter);
                }
            }
        }
    }
    if options.marks.unwrap_or(false) {
        write_mark(position, mv, out);
    }
}

/// The squares of a move of a piece, with the sign between them.
#[inline]
pub(crate) fn squares(layout: &Layout, from: Square, to: Square, captures: bool) -> Letters {
    let mut word = Letters::new();
    manual_square(layout, from, &mut word);
    word.push([if captures { b'x' } else { b'-' }], 1);
    manual_square(layout, to, &mut word);
    word
}
