//! A position in plain characters.

mod canvas;
mod cube;
mod stair;
#[cfg(test)]
mod tests;

use crate::marks::LastMove;
use crate::names::{Labels, Names};
use canvas::Style;
use std::fmt::Write as _;
use tridex_geometry::{Shade, Square, SquareSet};
use tridex_rules::{Castling, CastlingSide, Color, Piece, Position, Role};

/// Choices for a drawing in characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextOptions {
    /// Whose names for files, ranks, boards and pins are used.
    pub labels: Labels,
    /// Draw the pieces as Unicode's chess symbols instead of letters (capitals are White's).
    pub figurines: bool,
    /// Show squares, sides, the last move and a check by control sequences of a terminal.
    pub color: bool,
    /// How many columns a line may take: 80, or more, or down to 60; nothing is drawn narrower.
    pub width: usize,
    /// The side at the bottom: for Black every board is turned by 180 degrees, and Black's boards are the first.
    pub side: Color,
    /// The last move, seen only with colour.
    pub last: Option<LastMove>,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self {
            labels: Labels::default(),
            figurines: false,
            color: false,
            width: 80,
            side: Color::White,
            last: None,
        }
    }
}

/// Draws a position in characters: below the first lines at most [`TextOptions::width`] columns
/// wide, each line ended by a newline, without
/// blanks at their ends. Plain ASCII without figurines.
///
/// On the stair board: the three main boards from the lowest and the four attack boards (by the name they keep, with the
/// pin they are on), all with their ranks on common lines; the plan from the top, in which every existing square of a
/// column has one sign, the highest first; the pins with the boards on them. On the cube: the three levels, the lowest
/// at the left.
///
/// ```
/// use tridex_picture::{TextOptions, text};
/// use tridex_rules::{Position, RuleSystem};
///
/// let drawn = text(&Position::start(RuleSystem::Meder), &TextOptions::default());
/// assert!(drawn.contains("Plan from the top"));
/// ```
#[must_use]
pub fn text(position: &Position, options: &TextOptions) -> String {
    let names = Names::new(position.rules(), position.layout(), options.labels);
    let last = options.last.as_ref();
    let mut moved: SquareSet<3> = last
        .into_iter()
        .flat_map(|last| last.squares.iter().copied())
        .collect();
    if let Some(board) = last.and_then(|last| last.board) {
        moved |= board.squares().into_iter().collect();
    }
    let style = PieceStyle {
        figurines: options.figurines,
        color: options.color,
        side: options.side,
        moved,
        check: position.is_check().then(|| position.king(position.turn())),
    };
    let width = options.width.max(60);
    let mut out = String::new();
    let head = head(position, &names);
    if width < 80 {
        for line in head.lines() {
            wrap(line, width, &mut out);
        }
    } else {
        out.push_str(&head);
    }
    out.push('\n');
    match position.layout() {
        Some(layout) => stair::draw(position, layout, &names, style, width, &mut out),
        None => cube::draw(position, &names, style, width, &mut out),
    }
    out
}

/// Appends a line, cut between words where it is too long.
fn wrap(line: &str, width: usize, out: &mut String) {
    let mut taken = 0;
    for word in line.split(' ') {
        let wide = word.chars().count();
        if taken > 0 && taken + 1 + wide > width {
            out.push('\n');
            taken = 0;
        } else if taken > 0 {
            out.push(' ');
            taken += 1;
        }
        out.push_str(word);
        taken += wide;
    }
    out.push('\n');
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

/// How pieces and empty squares are drawn: one character each.
#[derive(Clone, Copy, Debug)]
struct PieceStyle {
    figurines: bool,
    color: bool,
    /// The side at the bottom.
    side: Color,
    /// Squares of the last move.
    moved: SquareSet<3>,
    /// The square of a king in check.
    check: Option<Square>,
}

impl PieceStyle {
    /// The sign of a square with its look.
    fn cell(self, square: Square, piece: Option<Piece>, shade: Shade) -> (char, Style) {
        let style = Style {
            shade: Some(shade),
            piece_color: piece.map(|piece| piece.color),
            last: self.moved.contains(square),
            check: self.check == Some(square),
        };
        (self.sign(piece, shade), style)
    }

    /// Numbers from 0 in the order in which this side sees them: White's order, or reversed.
    fn seen(self, count: u8) -> impl DoubleEndedIterator<Item = u8> + ExactSizeIterator {
        (0..count).map(move |i| match self.side {
            Color::White => i,
            Color::Black => count - 1 - i,
        })
    }

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
            "Pieces: capitals White, small letters Black. Empty squares: . light, : dark."
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
