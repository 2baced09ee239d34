//! A position in plain characters.

mod canvas;
mod cube;
mod stair;
#[cfg(test)]
mod tests;

use crate::describe::status;
use crate::marks::LastMove;
use crate::names::Names;
use crate::scene::Scene;
use crate::shade;
use canvas::{Canvas, Style};
use tridex_geometry::{Shade, Square, SquareSet};
use tridex_notation::Notation;
use tridex_rules::{Castling, CastlingSide, Color, Piece, Position, Role};

/// Choices for a drawing in characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextOptions {
    /// The notation of the names for files, ranks, boards and pins; by default that of the rules.
    pub labels: Option<Notation>,
    /// Draw the pieces as Unicode's chess symbols instead of letters (capitals are White's).
    pub figurines: bool,
    /// Show squares, sides, the last move and a check in colour, with control sequences of a terminal.
    pub color: bool,
    /// How many columns a line may take, by default 80. Less than 60 is treated as 60.
    pub width: usize,
    /// The side at the bottom: for Black every board is turned by 180 degrees, and Black's boards are the first.
    pub side: Color,
    /// The last move, shown only with `color`.
    pub last: Option<LastMove>,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self {
            labels: None,
            figurines: false,
            color: false,
            width: 80,
            side: Color::White,
            last: None,
        }
    }
}

/// Draws a position in characters. Every line ends with a newline, and no line ends with blanks. Lines have at most
/// [`TextOptions::width`] columns; only the first ones, above the boards, may be longer if the width is 80 or more. The
/// text is plain ASCII unless figurines are requested.
///
/// On the stair board it draws the three main boards, the viewer's own first, and the four attack boards (by their
/// permanent names, with the pins they are on). All have their ranks on common lines; if the width is too small, the
/// attack boards follow below. Then come the plan from the top, with one character for every square of a column, the
/// highest first, and the pins with the boards on them. On the cube it draws the three levels, the viewer's own at the
/// left.
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
    let last = options.last.as_ref();
    let mut moved: SquareSet<3> = last
        .into_iter()
        .flat_map(|last| last.squares.iter().copied())
        .collect();
    if let Some(board) = last.and_then(|last| last.board) {
        moved |= board.squares().into_iter().collect();
    }
    let scene = Scene::of(position);
    let sketch = Sketch {
        scene: &scene,
        names: Names::new(scene.rules, scene.layout(), options.labels),
        options,
        width: options.width.max(60),
        moved,
    };
    let mut out = String::new();
    let head = head(&scene, &sketch.names);
    if sketch.width < 80 {
        for line in head.lines() {
            wrap(line, sketch.width, &mut out);
        }
    } else {
        out.push_str(&head);
    }
    out.push('\n');
    match scene.layout() {
        Some(layout) => stair::draw(&sketch, layout, &mut out),
        None => cube::draw(&sketch, &mut out),
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
fn head(scene: &Scene, names: &Names<'_>) -> String {
    let setup = &scene.setup;
    let status = match scene.outcome {
        Some(outcome) => format!("{} to move, game over: {outcome}", setup.turn),
        None => status(scene),
    };
    let mut out = format!(
        "{}, move {}: {status}\nCastling: {}. Halfmove clock: {}.",
        scene.rules.name(),
        setup.fullmoves,
        rights(setup.castling),
        setup.halfmoves
    );
    if let Some(pawn) = setup.en_passant {
        let pawn = names.square(pawn);
        out += &format!(" En passant: the pawn on {pawn} has just advanced two.");
    }
    out.push('\n');
    if !setup.moved.is_empty() {
        let squares = setup.moved.into_iter().map(|square| names.square(square));
        let squares = squares.collect::<Vec<_>>().join(" ");
        out += &format!("Pawns on start squares that are no longer unmoved: {squares}.\n");
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

/// A position that is being drawn.
struct Sketch<'a> {
    scene: &'a Scene,
    names: Names<'a>,
    options: &'a TextOptions,
    /// How many columns a line may take.
    width: usize,
    /// Squares of the last move.
    moved: SquareSet<3>,
}

impl Sketch<'_> {
    /// Numbers from 0 in the order in which the side at the bottom sees them: White's order, or reversed.
    fn seen(&self, count: u8) -> impl DoubleEndedIterator<Item = u8> + ExactSizeIterator + use<> {
        let side = self.options.side;
        (0..count).map(move |i| match side {
            Color::White => i,
            Color::Black => count - 1 - i,
        })
    }

    /// The sign of a square with its look: one character.
    fn cell(&self, square: Square) -> (char, Style) {
        let piece = self.scene.setup.piece(square);
        let shade = shade(self.scene.layout(), square);
        let sign = match (piece, shade) {
            (Some(piece), _) if self.options.figurines => figurine(piece),
            (Some(piece), _) => piece.letter(),
            (None, Shade::Light) => '.',
            (None, Shade::Dark) => ':',
        };
        let style = Style {
            shade: Some(shade),
            piece_color: piece.map(|piece| piece.color),
            last: self.moved.contains(square),
            check: self.scene.checked == Some(square),
        };
        (sign, style)
    }

    /// Writes the numbers of all ranks, the farthest first, from a row on and ending before a column.
    fn ranks(&self, sheet: &mut Canvas, top: usize, end: usize, count: u8) {
        for (row, rank) in (top..).zip(self.seen(count).rev()) {
            let (_, label) = self.names.file_and_rank(0, rank);
            sheet.put(row, end - label.len().min(2), &label);
        }
    }

    /// Draws a board below its titles: the squares that it has in some files, and the letters of these files below
    /// `ranks` ranks. Returns its width.
    fn board(
        &self,
        sheet: &mut Canvas,
        left: usize,
        titles: &[&str],
        (first, files): (u8, u8),
        ranks: u8,
        square: impl Fn(u8, u8) -> Option<Square>,
    ) -> usize {
        let mut width = 2 * usize::from(files) - 1;
        for (row, title) in titles.iter().enumerate() {
            sheet.put(row, left, title);
            width = width.max(title.chars().count());
        }
        for (at, file) in (left..).step_by(2).zip(self.seen(files)) {
            let file = first + file;
            for (row, rank) in (titles.len()..).zip(self.seen(ranks).rev()) {
                if let Some(square) = square(file, rank) {
                    sheet.square(row, at, self.cell(square));
                }
            }
            let (letter, _) = self.names.file_and_rank(file, 0);
            sheet.put(titles.len() + usize::from(ranks), at, &letter);
        }
        width
    }

    /// Appends what the characters mean.
    fn legend(&self, out: &mut String) {
        let legend = match self.options.figurines {
            true => "Empty squares: . light, : dark.",
            false => "Pieces: capitals White, small letters Black. Empty squares: . light, : dark.",
        };
        wrap(legend, self.width, out);
    }
}

/// Unicode's symbol, U+2654 (white king) to U+265F (black pawn).
fn figurine(piece: Piece) -> char {
    let first = if piece.color.is_white() {
        '\u{2654}'
    } else {
        '\u{265A}'
    };
    let beyond = Role::King as u32 - piece.role as u32;
    char::from_u32(u32::from(first) + beyond).unwrap_or(first)
}
