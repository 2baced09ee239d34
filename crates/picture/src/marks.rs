//! What is marked on a picture.

use tridex_geometry::stair::{AttackBoard, Layout, Pin};
use tridex_geometry::{Family, Square};
use tridex_rules::{Move, Position};

/// The colours of a commentator's marks, as in `[%csl]` and `[%cal]` comments. Each also has its own line style, so
/// that they differ without colour: green is solid, red has long dashes, yellow dots, and blue dashes and dots.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Ink {
    /// `G`.
    #[default]
    Green,
    /// `R`.
    Red,
    /// `Y`.
    Yellow,
    /// `B`.
    Blue,
}

impl Ink {
    /// All inks.
    pub const ALL: [Self; 4] = [Self::Green, Self::Red, Self::Yellow, Self::Blue];

    /// The letter `G R Y B`.
    #[must_use]
    pub const fn letter(self) -> char {
        ['G', 'R', 'Y', 'B'][self as usize]
    }

    /// The ink of a letter in either case.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let letter = letter.to_ascii_uppercase();
        Self::ALL.into_iter().find(|ink| ink.letter() == letter)
    }
}

/// The last move, as it is shown on the position after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LastMove {
    /// Squares whose contents have changed.
    pub squares: Vec<Square>,
    /// The board that moved or turned.
    pub board: Option<AttackBoard>,
    /// The layout before the move, if a board moved to another pin.
    pub layout: Option<Layout>,
}

/// What is marked. Squares that the board does not have are skipped.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Marks {
    /// The move that led here.
    pub last: Option<LastMove>,
    /// Squares in a commentator's colour.
    pub squares: Vec<(Square, Ink)>,
    /// Arrows from square to square.
    pub arrows: Vec<(Square, Square, Ink)>,
    /// Squares that can be reached, and whether something is captured there.
    pub reached: Vec<(Square, bool)>,
    /// Pins that a board can go to, with the board.
    pub pins: Vec<(AttackBoard, Pin)>,
}

impl Marks {
    /// Only the marks on squares that a family has.
    pub(crate) fn on(mut self, family: Family) -> Self {
        let exists = |square: &Square| square.index() < family.squares();
        if let Some(last) = &mut self.last {
            last.squares.retain(exists);
        }
        self.squares.retain(|(square, _)| exists(square));
        self.reached.retain(|(square, _)| exists(square));
        self.arrows
            .retain(|(from, to, _)| exists(from) && exists(to));
        self
    }

    /// Marks a legal move on the position after it.
    ///
    /// ```
    /// use tridex_notation::{Notation, parse, resolve::resolve};
    /// use tridex_picture::Marks;
    /// use tridex_rules::{Position, RuleSystem};
    ///
    /// let start = Position::start(RuleSystem::Meder);
    /// let mv = resolve(&parse(Notation::Meder, b"b4N", None)?, &start)?;
    /// let marks = Marks::after(&start, mv);
    /// assert_eq!(marks.last.map(|last| last.squares.len()), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn after(before: &Position, mv: Move) -> Self {
        let mut after = before.clone();
        after.play_unchecked(mv);
        let board = match mv {
            Move::Board { board, .. } => Some(board),
            _ => None,
        };
        let squares = all_squares(before.family())
            .filter(|square| before.piece_at(*square) != after.piece_at(*square))
            // A turned board is marked as a whole.
            .filter(|square| board.is_none_or(|board| !board.squares().contains(*square)))
            .collect();
        let layout = match (before.layout(), after.layout()) {
            (Some(old), Some(new)) if old.pins() != new.pins() => Some(*old),
            _ => None,
        };
        Self {
            last: Some(LastMove {
                squares,
                board,
                layout,
            }),
            ..Self::default()
        }
    }

    /// Marks a square in green, and the squares that its piece can reach by legal moves. For a king these include the
    /// one to which it castles.
    ///
    /// ```
    /// use tridex_picture::{Marks, find_squares};
    /// use tridex_rules::{Position, RuleSystem};
    ///
    /// let start = Position::start(RuleSystem::Meder);
    /// let mut marks = Marks::default();
    /// marks.moves_of(&start, find_squares(&start, None, "b2W")[0]);
    /// assert!(!marks.reached.is_empty());
    /// ```
    pub fn moves_of(&mut self, position: &Position, from: Square) {
        self.squares.push((from, Ink::Green));
        let king = position.king(position.turn());
        for mv in position.legal_moves() {
            let to = match mv {
                Move::Piece { from: f, to, .. } | Move::EnPassant { from: f, to, .. }
                    if f == from =>
                {
                    to
                }
                Move::Castle(_) if from == king => {
                    let mut after = position.clone();
                    after.play_unchecked(mv);
                    after.king(position.turn())
                }
                _ => continue,
            };
            let reached = (to, position.is_capture(mv));
            // A promotion is four moves to one square.
            if !self.reached.contains(&reached) {
                self.reached.push(reached);
            }
        }
    }

    /// The layouts whose boards are drawn as outlines: before the last move, and after each move of a board.
    pub(crate) fn layouts(&self, layout: Option<&Layout>) -> Vec<Layout> {
        let before = self.last.iter().filter_map(|last| last.layout);
        let moved = |(board, pin): &(AttackBoard, Pin)| layout?.moved(*board, *pin).ok();
        before.chain(self.pins.iter().filter_map(moved)).collect()
    }

    /// Marks the pins that a board may go to.
    ///
    /// ```
    /// use tridex_geometry::stair::AttackBoard;
    /// use tridex_picture::{Marks, Theme};
    /// use tridex_rules::{Position, RuleSystem};
    ///
    /// let mut marks = Marks::default();
    /// marks.moves_of_board(&Position::start(RuleSystem::Meder), AttackBoard::WhiteQueen);
    /// assert!(marks.pins.iter().all(|(board, _)| *board == AttackBoard::WhiteQueen));
    /// assert!(Theme::Page.css().contains("--tx-"));
    /// ```
    pub fn moves_of_board(&mut self, position: &Position, board: AttackBoard) {
        for mv in position.legal_moves() {
            if let Move::Board {
                board: moved, to, ..
            } = mv
                && moved == board
                && !self.pins.contains(&(board, to))
                && position
                    .layout()
                    .is_some_and(|layout| layout.pin(board) != to)
            {
                self.pins.push((board, to));
            }
        }
    }
}

/// Every square of a family.
pub fn all_squares(family: Family) -> impl Iterator<Item = Square> {
    (0..family.squares() as u8).filter_map(Square::try_new)
}
