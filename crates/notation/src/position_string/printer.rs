//! Writes position strings.

use super::CASTLING_LETTERS;
use super::ranks::{board_ranks, level_ranks, write_ranks};
use crate::letters::Letters;
use crate::names;
use crate::text::Notation;
use tridex_geometry::stair::{AttackBoard, Board, MainBoard};
use tridex_geometry::{Square, cube};
use tridex_rules::Setup;

/// The position string of a setup, in a new string. See [`write()`].
///
/// ```
/// use tridex_notation::position_string;
/// use tridex_rules::RuleSystem;
/// let line = position_string::to_string(&RuleSystem::Millennium.start());
/// assert!(line.ends_with(" w KQkq - - 0 1"), "{line}");
/// ```
pub fn to_string(setup: &Setup) -> String {
    let mut out = String::with_capacity(160);
    write(setup, &mut out);
    out
}

/// Appends the canonical position string of a setup.
pub fn write(setup: &Setup, out: &mut String) {
    let layout = setup.layout.as_ref();
    let letter = |square| Some(setup.piece(square)?.letter());
    match layout {
        Some(layout) => {
            for main in MainBoard::ALL.into_iter().rev() {
                write_ranks(board_ranks(Board::Main(main)), letter, out);
                out.push('|');
            }
            for (i, attack) in AttackBoard::ALL.into_iter().enumerate() {
                if i > 0 {
                    out.push('|');
                }
                let mut place = Letters::new();
                place.push_str(names::manual_board(attack));
                place.push_letter(b'@');
                names::push_pin_in_strings(layout.pin(attack), &mut place);
                place.push_letter(b':');
                out.push_str(place.as_str());
                write_ranks(board_ranks(Board::Attack(attack)), letter, out);
            }
        }
        None => {
            for level in (0..cube::LEVELS).rev() {
                write_ranks(level_ranks(level), letter, out);
                if level > 0 {
                    out.push('|');
                }
            }
        }
    }
    // Position strings spell squares as Meder does on the stair board, and as level, file and rank on the cube.
    let notation = match layout {
        Some(_) => Notation::Meder,
        None => Notation::Millennium,
    };
    let name = |square| names::square(notation, layout, square);
    let mut moved: Vec<String> = setup.moved.into_iter().map(name).collect();
    moved.sort_unstable();
    let moved = if moved.is_empty() {
        "-"
    } else {
        &moved.join(",")
    };
    write_fields(setup, name, &[" ", moved].concat(), out);
}

/// Writes the fields of FEN that follow a placement, and inserts `rest` after the en passant field.
pub(crate) fn write_fields(
    setup: &Setup,
    name: impl Fn(Square) -> String,
    rest: &str,
    out: &mut String,
) {
    use std::fmt::Write as _;
    out.push_str(if setup.turn.is_white() { " w " } else { " b " });
    if setup.castling.is_empty() {
        out.push('-');
    }
    for (letter, color, side) in CASTLING_LETTERS {
        if setup.castling.has(color, side) {
            out.push(letter);
        }
    }
    let pawn = setup.en_passant.map_or_else(|| "-".to_owned(), name);
    let (halfmoves, fullmoves) = (setup.halfmoves, setup.fullmoves);
    // Writing to a `String` cannot fail.
    let _ = write!(out, " {pawn}{rest} {halfmoves} {fullmoves}");
}
