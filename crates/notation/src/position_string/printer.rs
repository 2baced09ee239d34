//! Writes position strings.

use super::CASTLING_LETTERS;
use crate::names;
use crate::text::Notation;
use tridex_geometry::stair::{AttackBoard, Column, Layout, MainBoard, Pin, Surface};
use tridex_geometry::{Square, Wing, cube};
use tridex_rules::{Castling, Piece, Setup};

/// The position string of a setup, in a new string. See [`write()`].
///
/// ```
/// use tridex_notation::position_string;
/// use tridex_rules::RuleSystem;
/// let line = position_string::to_string(&RuleSystem::Millennium.start());
/// assert!(line.ends_with(" w KQkq - - 0 1"), "{line}");
/// ```
#[must_use]
pub fn to_string(setup: &Setup) -> String {
    let mut out = String::with_capacity(160);
    write(setup, &mut out);
    out
}

/// Appends the canonical position string of a setup.
pub fn write(setup: &Setup, out: &mut String) {
    match &setup.layout {
        Some(layout) => {
            for main in MainBoard::ALL.into_iter().rev() {
                write_ranks(out, 4, 4, |file, rank| {
                    let column = Column::try_new(file + 1, main.near_rank() + rank)?;
                    setup.piece(main.square(column)?)
                });
                out.push('|');
            }
            for (i, attack) in AttackBoard::ALL.into_iter().enumerate() {
                if i > 0 {
                    out.push('|');
                }
                out.push_str(names::manual_board(attack));
                out.push('@');
                let pin = layout.pin(attack);
                out.push(wing_letter(pin.wing()));
                write_pin_tail(pin, out);
                out.push(':');
                write_ranks(out, 2, 2, |dx, dy| setup.piece(attack.square(dx, dy)));
            }
        }
        None => {
            for level in (0..cube::LEVELS).rev() {
                write_ranks(out, 8, 8, |file, rank| {
                    setup.piece(cube::try_square(level, file, rank)?)
                });
                if level > 0 {
                    out.push('|');
                }
            }
        }
    }
    out.push_str(if setup.turn.is_white() { " w " } else { " b " });
    write_castling(setup.castling, out);
    out.push(' ');
    let layout = setup.layout.as_ref();
    match setup.en_passant {
        Some(pawn) => write_square(layout, pawn, out),
        None => out.push('-'),
    }
    out.push(' ');
    write_moved(setup, out);
    out.push(' ');
    write_number(setup.halfmoves, out);
    out.push(' ');
    write_number(setup.fullmoves, out);
}

fn write_ranks(out: &mut String, width: u8, ranks: u8, piece: impl Fn(u8, u8) -> Option<Piece>) {
    let empties = |count: u8, out: &mut String| {
        if count > 0 {
            out.push(char::from(b'0' + count));
        }
    };
    for rank in (0..ranks).rev() {
        let mut empty = 0;
        for file in 0..width {
            match piece(file, rank) {
                Some(piece) => {
                    empties(empty, out);
                    empty = 0;
                    out.push(piece.letter());
                }
                None => empty += 1,
            }
        }
        empties(empty, out);
        if rank > 0 {
            out.push('/');
        }
    }
}

/// Writes castling rights, `KQkq` or `-`.
pub(crate) fn write_castling(castling: Castling, out: &mut String) {
    if castling.is_empty() {
        out.push('-');
    }
    for (letter, color, side) in CASTLING_LETTERS {
        if castling.has(color, side) {
            out.push(letter);
        }
    }
}

fn write_moved(setup: &Setup, out: &mut String) {
    let layout = setup.layout.as_ref();
    let mut squares: Vec<String> = setup
        .moved
        .into_iter()
        .map(|square| {
            let mut name = String::new();
            write_square(layout, square, &mut name);
            name
        })
        .collect();
    if squares.is_empty() {
        out.push('-');
        return;
    }
    squares.sort_unstable();
    for (i, square) in squares.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        out.push_str(square);
    }
}

/// Appends a square as position strings spell it: Meder's way on the stair board, with a `v` after pins under the
/// boards; level, file, rank on the cube (`layout` is `None`).
fn write_square(layout: Option<&Layout>, square: Square, out: &mut String) {
    let notation = match layout {
        Some(_) => Notation::Meder,
        None => Notation::Millennium,
    };
    out.push_str(&names::square(notation, layout, square));
}

fn write_pin_tail(pin: Pin, out: &mut String) {
    out.push(char::from(b'0' + pin.corner().number()));
    if pin.surface() == Surface::Under {
        out.push('v');
    }
}

fn write_number(number: u32, out: &mut String) {
    use std::fmt::Write as _;
    // Writing to a `String` cannot fail.
    let _ = write!(out, "{number}");
}
const fn wing_letter(wing: Wing) -> char {
    match wing {
        Wing::Queen => 'Q',
        Wing::King => 'K',
    }
}
