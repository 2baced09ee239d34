//! The words on the drawing: files, ranks, boards, pins, squares.
//!
//! The crate that knows notations is not among those this one may use, so the few names a drawing needs are spelled
//! here.

use tridex_geometry::stair::{AttackBoard, Board, Layout, MainBoard, Pin, Surface, board};
use tridex_geometry::{Family, Square, Wing, cube};
use tridex_rules::{Position, RuleSystem};

/// Whose names are used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Labels {
    /// Those of the position's rule system; Meder's for the Federation's.
    #[default]
    OfTheRules,
    /// Files `z a` to `e`, ranks 0 to 9, boards `W N B`, pins `QL1` (seed 000, Appendix E); `QL1v` below a board.
    Meder,
    /// Files `a` to `f`, ranks 1 to 10, boards `WB NB BB`, pins `QP1` to `QP12` (seed 001, Section 2).
    Manual,
    /// Small letters on the cube.
    Millennium,
    /// Capital letters on the cube.
    Chess3,
}

/// The names for one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names<'a> {
    labels: Labels,
    layout: Option<&'a Layout>,
}

impl<'a> Names<'a> {
    /// Labels that are of the other board family are replaced by those of the rules.
    pub(crate) const fn new(rules: RuleSystem, layout: Option<&'a Layout>, labels: Labels) -> Self {
        let labels = match (rules.family(), labels) {
            (Family::Stair, Labels::Meder | Labels::Manual)
            | (Family::Cube, Labels::Millennium | Labels::Chess3) => labels,
            _ => match rules {
                RuleSystem::Meder | RuleSystem::Federation => Labels::Meder,
                RuleSystem::Manual => Labels::Manual,
                RuleSystem::Millennium => Labels::Millennium,
                RuleSystem::Chess3 => Labels::Chess3,
            },
        };
        Self { labels, layout }
    }

    /// The letter of a file.
    pub(crate) const fn file(&self, file: u8) -> char {
        let letter = match self.labels {
            Labels::Meder | Labels::OfTheRules => match file {
                0 => b'z',
                _ => b'a' + file - 1,
            },
            Labels::Manual | Labels::Millennium => b'a' + file,
            Labels::Chess3 => b'A' + file,
        };
        letter as char
    }

    /// The number of a rank.
    pub(crate) const fn rank(&self, rank: u8) -> u8 {
        match self.labels {
            Labels::Meder | Labels::OfTheRules => rank,
            _ => rank + 1,
        }
    }

    /// The short name of a main board.
    pub(crate) const fn main_board(&self, main: MainBoard) -> &'static str {
        match (self.labels, main) {
            (Labels::Manual, MainBoard::White) => "WB",
            (Labels::Manual, MainBoard::Neutral) => "NB",
            (Labels::Manual, MainBoard::Black) => "BB",
            (_, MainBoard::White) => "W",
            (_, MainBoard::Neutral) => "N",
            (_, MainBoard::Black) => "B",
        }
    }

    /// The name of a pin.
    pub(crate) fn pin(&self, pin: Pin) -> String {
        let wing = match pin.wing() {
            Wing::Queen => 'Q',
            Wing::King => 'K',
        };
        if self.labels == Labels::Manual {
            return format!("{wing}P{}", pin.manual_number());
        }
        let under = match pin.surface() {
            Surface::Under => "v",
            Surface::Over => "",
        };
        format!("{wing}L{}{under}", pin.corner().number())
    }

    /// The name of the board on a pin, as a picture shows it: Meder names a board by its pin, the manual by itself.
    pub(crate) fn board_on(&self, board: AttackBoard, pin: Pin) -> String {
        if self.labels == Labels::Manual {
            return format!("{} {}", attack_board(board), self.pin(pin));
        }
        self.pin(pin)
    }

    /// The column of a square, without board or level.
    pub(crate) fn column(&self, square: Square) -> String {
        let (file, rank) = self.file_and_rank(square);
        format!("{file}{rank}")
    }

    /// The letter of a square's file and the number of its rank.
    pub(crate) fn file_and_rank(&self, square: Square) -> (char, u8) {
        let (file, rank) = match self.layout {
            Some(layout) => {
                let column = layout.column(square);
                (column.file(), column.rank())
            }
            None => (cube::file(square), cube::rank(square)),
        };
        (self.file(file), self.rank(rank))
    }

    /// The full name of a square.
    pub(crate) fn square(&self, square: Square) -> String {
        let Some(layout) = self.layout else {
            return format!(
                "{}{}{}",
                cube::level(square) + 1,
                self.file(cube::file(square)),
                self.rank(cube::rank(square))
            );
        };
        let column = layout.column(square);
        let (file, rank) = (self.file(column.file()), self.rank(column.rank()));
        match (board(square), self.labels) {
            (Board::Main(main), Labels::Manual) => {
                format!("{file}{rank},{}", self.main_board(main))
            }
            (Board::Main(main), _) => format!("{file}{rank}{}", self.main_board(main)),
            (Board::Attack(attack), Labels::Manual) => {
                format!("{file}{rank},{}", attack_board(attack))
            }
            (Board::Attack(attack), _) => {
                format!("{file}{rank}{}", self.pin(layout.pin(attack)))
            }
        }
    }
}

/// The name an attack board keeps on every pin (seed 001, Section 2.1): White's in capitals.
pub(crate) const fn attack_board(attack: AttackBoard) -> &'static str {
    match attack {
        AttackBoard::WhiteQueen => "QL",
        AttackBoard::WhiteKing => "KL",
        AttackBoard::BlackQueen => "ql",
        AttackBoard::BlackKing => "kl",
    }
}

/// What a square of a position is called.
#[must_use]
pub fn square_name(position: &Position, labels: Labels, square: Square) -> String {
    Names::new(position.rules(), position.layout(), labels).square(square)
}

/// The squares that a name means on the board of a position, whose words ever it is in: a square (`c6B`, `d7,BB`, `2e4`),
/// or a column with all that lies above each other in it (`c6`, `e4`). Where the two stair notations mean different
/// columns by one name, the words of `labels` are heard first. Empty if the name means nothing here.
///
/// ```
/// use tridex_picture::{Labels, find_squares, square_name};
/// use tridex_rules::{Position, RuleSystem};
///
/// let start = Position::start(RuleSystem::Meder);
/// let squares = find_squares(&start, Labels::Meder, "b4");
/// let names: Vec<String> = squares.iter().map(|at| square_name(&start, Labels::Meder, *at)).collect();
/// assert_eq!(names, ["b4W", "b4N"]);
/// ```
#[must_use]
pub fn find_squares(position: &Position, labels: Labels, name: &str) -> Vec<Square> {
    let spellings = [
        labels,
        Labels::OfTheRules,
        Labels::Meder,
        Labels::Manual,
        Labels::Millennium,
        Labels::Chess3,
    ];
    for labels in spellings {
        let names = Names::new(position.rules(), position.layout(), labels);
        let squares = || crate::marks::all_squares(position.family());
        let found: Vec<Square> = squares()
            .filter(|square| names.square(*square) == name)
            .collect();
        if !found.is_empty() {
            return found;
        }
        let found: Vec<Square> = squares()
            .filter(|square| names.column(*square) == name)
            .collect();
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}
