//! The names on a drawing in one notation: files, ranks, boards, pins, squares.

use crate::marks::all_squares;
use tridex_geometry::Square;
use tridex_geometry::cube;
use tridex_geometry::stair::{AttackBoard, Layout, MainBoard, Pin};
use tridex_notation::names::{self, manual_board, manual_main_board, meder_board};
use tridex_notation::{Coordinates, Locale, Notation};
use tridex_rules::{Position, RuleSystem};

/// The names for one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names<'a> {
    notation: Notation,
    layout: Option<&'a Layout>,
}

impl<'a> Names<'a> {
    /// A notation of the other board family is replaced by that of the rules.
    pub(crate) fn new(
        rules: RuleSystem,
        layout: Option<&'a Layout>,
        notation: Option<Notation>,
    ) -> Self {
        let notation = notation.filter(|notation| notation.family() == rules.family());
        Self {
            notation: notation.unwrap_or(Notation::of(rules)),
            layout,
        }
    }

    /// The letter of a file and the number of a rank.
    pub(crate) fn file_and_rank(&self, file: u8, rank: u8) -> (String, String) {
        let level = None;
        let place = names::place(self.notation, &Coordinates { file, rank, level });
        let (file, rank) = place.split_at(1);
        (file.to_owned(), rank.to_owned())
    }

    /// The letter of a square's file and the number of its rank.
    pub(crate) fn column(&self, square: Square) -> (String, String) {
        match self.layout.map(|layout| layout.column(square)) {
            Some(column) => self.file_and_rank(column.file(), column.rank()),
            None => self.file_and_rank(cube::file(square), cube::rank(square)),
        }
    }

    /// The name of a square's column.
    fn column_name(&self, square: Square) -> String {
        let (file, rank) = self.column(square);
        file + &rank
    }

    /// The short name of a main board.
    pub(crate) fn main_board(&self, main: MainBoard) -> String {
        match self.notation {
            Notation::Manual => manual_main_board(main).to_owned(),
            _ => char::from(meder_board(Locale::English, main)).to_string(),
        }
    }

    /// The name of a pin.
    pub(crate) fn pin(&self, pin: Pin) -> String {
        names::pin(self.notation, pin)
    }

    /// The name of the board on a pin, as a picture shows it: Meder names a board by its pin, the manual by itself.
    pub(crate) fn board_on(&self, board: AttackBoard, pin: Pin) -> String {
        match self.notation {
            Notation::Manual => format!("{} {}", manual_board(board), self.pin(pin)),
            _ => self.pin(pin),
        }
    }

    /// The full name of a square.
    pub(crate) fn square(&self, square: Square) -> String {
        names::square(self.notation, self.layout, square)
    }
}

/// The squares that a name means on the board of a position, in any notation: a square (`c6B`, `d7,BB`, `2e4`), or all
/// squares of a column (`c6`, `e4`). The two stair notations use the same names for different columns. The notation
/// `labels` has precedence, then that of the rules. Empty if the name means nothing here.
///
/// ```
/// use tridex_notation::{Notation, names};
/// use tridex_picture::find_squares;
/// use tridex_rules::{Position, RuleSystem};
///
/// let start = Position::start(RuleSystem::Meder);
/// let squares = find_squares(&start, None, "b4");
/// let names = squares.iter().map(|at| names::square(Notation::Meder, start.layout(), *at));
/// assert_eq!(names.collect::<Vec<_>>(), ["b4W", "b4N"]);
/// ```
#[must_use]
pub fn find_squares(position: &Position, labels: Option<Notation>, name: &str) -> Vec<Square> {
    let notations = [labels, None].into_iter().chain(Notation::ALL.map(Some));
    let readings = notations.flat_map(|notation| {
        let names = Names::new(position.rules(), position.layout(), notation);
        [Names::square, Names::column_name].map(|spelled| (names, spelled))
    });
    let mut found = readings.map(|(names, spelled)| {
        let squares = all_squares(position.family());
        squares
            .filter(|square| spelled(&names, *square) == name)
            .collect::<Vec<_>>()
    });
    found
        .find(|squares| !squares.is_empty())
        .unwrap_or_default()
}
