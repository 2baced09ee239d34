//! A position of three-dimensional chess, drawn.
//!
//! [`text`] draws every board of a position side by side in plain characters, with what belongs to the position and is
//! seen on no board: whose turn it is, which rights are left, and on the stair board where the attack boards stand and
//! what stacks up in a column.
//!
//! ```
//! use tridex_picture::{TextOptions, text};
//! use tridex_rules::{Position, RuleSystem};
//!
//! let drawn = text(&Position::start(RuleSystem::Meder), &TextOptions::default());
//! assert!(drawn.starts_with("meder, move 1: White to move\n"));
//! // White's queen's-side attack board stands on pin QL1: rook and queen on rank 0.
//! assert!(drawn.lines().any(|line| line.starts_with(" 0") && line.contains("R Q")));
//! ```
#![forbid(unsafe_code)]

mod canvas;
mod cube;
mod names;
mod stair;
#[cfg(test)]
mod tests;

pub use names::Labels;

use canvas::Canvas;
use names::Names;
use std::fmt::Write as _;
use tridex_geometry::{Shade, SquareSet};
use tridex_rules::{Castling, CastlingSide, Color, Piece, Position, Role};

/// Choices for a drawing in characters.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TextOptions {
    /// Whose names for files, ranks, boards and pins are used.
    pub labels: Labels,
    /// Draw the men as Unicode's chess symbols instead of letters (capitals are White's).
    pub figurines: bool,
}

/// Draws a position in characters: lines of at most 80 columns below the first lines, each ended by a newline, without
/// blanks at their ends. Plain ASCII unless figurines are asked for.
///
/// On the stair board: the three main boards from the lowest and the four attack boards (by the name they keep, with the
/// pin they stand on), all with their ranks on common lines; the plan from the top, in which every existing square of a
/// column has one sign, the highest first; the pins with the boards on them. On the cube: the three levels, the lowest
/// at the left.
#[must_use]
pub fn text(position: &Position, options: &TextOptions) -> String {
    let names = Names::new(position, options.labels);
    let men = Men {
        figurines: options.figurines,
    };
    let mut out = head(position, &names);
    out.push('\n');
    match position.layout() {
        Some(layout) => stair::draw(position, layout, &names, men, &mut out),
        None => cube::draw(position, &names, men, &mut out),
    }
    out
}

/// The lines above the boards.
fn head(position: &Position, names: &Names<'_>) -> String {
    let mut out = String::new();
    // Writing to a `String` cannot fail.
    let _ = write!(
        out,
        "{}, move {}: {} to move",
        position.rules().name(),
        position.fullmoves(),
        position.turn()
    );
    match position.outcome() {
        Some(outcome) => {
            let _ = write!(out, ", game over: {outcome}");
        }
        None if position.is_check() => out.push_str(", in check"),
        None => {}
    }
    let _ = write!(out, "\nCastling: {}.", rights(position.castling()));
    let _ = write!(out, " Half moves: {}.", position.halfmoves());
    if let Some(pawn) = position.en_passant() {
        let _ = write!(
            out,
            " En passant: the pawn on {} has just advanced two.",
            names.square(pawn)
        );
    }
    out.push('\n');
    let moved = position.to_setup().moved;
    if moved != SquareSet::EMPTY {
        let squares: Vec<_> = moved.into_iter().map(|s| names.square(s)).collect();
        let _ = writeln!(
            out,
            "Pawns on start squares that are no longer unmoved: {}.",
            squares.join(" ")
        );
    }
    out
}

fn rights(castling: Castling) -> String {
    let sides: Vec<String> = Color::ALL
        .into_iter()
        .filter_map(|color| {
            let left: Vec<_> = [(CastlingSide::King, "0-0"), (CastlingSide::Queen, "0-0-0")]
                .into_iter()
                .filter(|(side, _)| castling.has(color, *side))
                .map(|(_, name)| name)
                .collect();
            (!left.is_empty()).then(|| format!("{color} {}", left.join(" ")))
        })
        .collect();
    if sides.is_empty() {
        "none".to_owned()
    } else {
        sides.join(", ")
    }
}

/// How men and empty squares are drawn: one character each.
#[derive(Clone, Copy, Debug)]
struct Men {
    figurines: bool,
}

impl Men {
    fn sign(self, piece: Option<Piece>, shade: Shade) -> char {
        match (piece, shade) {
            (Some(piece), _) if self.figurines => figurine(piece),
            (Some(piece), _) => piece.letter(),
            (None, Shade::Light) => '.',
            (None, Shade::Dark) => ':',
        }
    }

    /// What the signs mean.
    const fn legend(self) -> &'static str {
        if self.figurines {
            "Empty squares: . light, : dark."
        } else {
            "Men: capitals White, small letters Black. Empty squares: . light, : dark."
        }
    }
}

/// Unicode's symbol, U+2654 (white king) to U+265F (black pawn).
const fn figurine(piece: Piece) -> char {
    match (piece.color, piece.role) {
        (Color::White, Role::King) => '\u{2654}',
        (Color::White, Role::Queen) => '\u{2655}',
        (Color::White, Role::Rook) => '\u{2656}',
        (Color::White, Role::Bishop) => '\u{2657}',
        (Color::White, Role::Knight) => '\u{2658}',
        (Color::White, Role::Pawn) => '\u{2659}',
        (Color::Black, Role::King) => '\u{265A}',
        (Color::Black, Role::Queen) => '\u{265B}',
        (Color::Black, Role::Rook) => '\u{265C}',
        (Color::Black, Role::Bishop) => '\u{265D}',
        (Color::Black, Role::Knight) => '\u{265E}',
        (Color::Black, Role::Pawn) => '\u{265F}',
    }
}
