//! Where the squares of the stair board are, as a plain list.

use crate::{Color, Piece, Role, Setup};
use tridex_geometry::stair::{AttackBoard, Corner, Layout, LayoutError, Pin, Surface};
use tridex_geometry::{Square, Wing};

/// A square with its column and the tier of its board (0 White's, 1 Neutral, 2 Black's).
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) square: Square,
    pub(super) file: i8,
    pub(super) rank: i8,
    pub(super) tier: i8,
}

/// Every square there is now.
pub(super) struct Plan(Vec<Place>);

/// The four steps along files and ranks.
pub(super) const STRAIGHT: [(i8, i8); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
/// The four steps along diagonals.
pub(super) const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
/// The eight leaps of the knight.
pub(super) const LEAPS: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// The steps a piece can make, or can begin a line with.
pub(super) fn steps(role: Role) -> Vec<(i8, i8)> {
    match role {
        Role::Rook => STRAIGHT.to_vec(),
        Role::Bishop => DIAGONAL.to_vec(),
        Role::Queen | Role::King => [STRAIGHT, DIAGONAL].concat(),
        Role::Knight => LEAPS.to_vec(),
        Role::Pawn => Vec::new(),
    }
}

/// The first file and rank an attack board covers on a pin.
fn near_left(pin: Pin) -> (i8, i8) {
    let file = match pin.wing() {
        Wing::Queen => 0,
        Wing::King => 4,
    };
    let rank = match pin.corner().number() {
        1 => 0,
        2 | 5 => 4,
        3 => 2,
        4 => 6,
        _ => 8,
    };
    (file, rank)
}

impl Plan {
    pub(super) fn of(setup: &Setup) -> Self {
        let mut places = Vec::new();
        for index in 0..48_u8 {
            let (board, inside) = ((index / 16) as i8, (index % 16) as i8);
            places.push(Place {
                square: Square::new(index),
                file: 1 + inside % 4,
                rank: 1 + 2 * board + inside / 4,
                tier: board,
            });
        }
        if let Some(layout) = &setup.layout {
            for board in AttackBoard::ALL {
                let pin = layout.pin(board);
                let (file, rank) = near_left(pin);
                // WTDCF 4.4: the board counts as part of the level it is on.
                let tier = (pin.corner().number() as i8 - 1) / 2;
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    places.push(Place {
                        square: board.square(dx, dy),
                        file: file + dx as i8,
                        rank: rank + dy as i8,
                        tier,
                    });
                }
            }
        }
        Self(places)
    }

    /// The place of a square. Squares that do not exist get one far outside, from which nothing is reached.
    pub(super) fn place(&self, square: Square) -> Place {
        self.0
            .iter()
            .copied()
            .find(|place| place.square == square)
            .unwrap_or(Place {
                square,
                file: 100,
                rank: 100,
                tier: 0,
            })
    }

    /// The squares of a column from the lowest index; none in a gap or outside the plan.
    pub(super) fn column(&self, file: i8, rank: i8) -> Vec<Square> {
        self.0
            .iter()
            .filter(|place| place.file == file && place.rank == rank)
            .map(|place| place.square)
            .collect()
    }
}

/// Whether a file and a rank are on the plan of 6 by 10.
pub(super) fn on_plan(file: i8, rank: i8) -> bool {
    (0..6).contains(&file) && (0..10).contains(&rank)
}

/// The pawn's capturing columns: diagonally in front.
pub(super) fn pawn_strikes(plan: &Plan, from: Square, color: Color) -> Vec<Square> {
    let at = plan.place(from);
    let mut squares = plan.column(at.file - 1, at.rank + color.forward());
    squares.extend(plan.column(at.file + 1, at.rank + color.forward()));
    squares
}

/// Squares of the column that the pawn just advanced has crossed, if a pawn of `color` on `from` attacks that column.
/// Landing levels are free in all three systems (Meder 3.4(d), Starfleet manual 6.6(c), WTDCF 3.7.3; ruling
/// en-passant-landing).
pub(super) fn en_passant(setup: &Setup, from: Square, color: Color) -> Vec<Square> {
    let plan = Plan::of(setup);
    let Some(passed) = setup.en_passant else {
        return Vec::new();
    };
    let passed = plan.place(passed);
    // The pawn advanced toward us, so the crossed column is one step in front of us on its way back.
    let crossed = plan.column(passed.file, passed.rank + color.forward());
    pawn_strikes(&plan, from, color)
        .into_iter()
        .filter(|square| crossed.contains(square))
        .collect()
}

/// Whether a pawn has gone two ranks at once.
pub(super) fn is_double_step(setup: &Setup, from: Square, to: Square) -> bool {
    let plan = Plan::of(setup);
    (plan.place(from).rank - plan.place(to).rank).abs() == 2
}

/// Pins next to a pin by Meder 3.6 (ruling adjacent-pins): the next pins of the same or the next main board, and the
/// one across. The Federation's text (WTDCF 3.7) describes the same neighbours.
pub(super) fn next_pins_over(pin: Pin) -> Vec<Pin> {
    let along: &[u8] = match pin.corner().number() {
        1 => &[2, 3],
        2 => &[1, 3, 4],
        3 => &[1, 2, 4, 5],
        4 => &[2, 3, 5, 6],
        5 => &[3, 4, 6],
        _ => &[4, 5],
    };
    let mut pins: Vec<Pin> = along
        .iter()
        .map(|number| Pin::over(pin.wing(), Corner::new(*number)))
        .collect();
    pins.push(Pin::over(pin.wing().other(), pin.corner()));
    pins
}

/// The pin above a corner, by its number.
pub(super) fn over(wing: Wing, corner: u8) -> Pin {
    Pin::over(wing, Corner::new(corner))
}

/// Whether any board is on the over pin of a corner.
pub(super) fn is_board_on(setup: &Setup, wing: Wing, corner: u8) -> bool {
    setup.layout.is_some_and(|layout| {
        AttackBoard::ALL
            .into_iter()
            .any(|board| layout.pin(board) == over(wing, corner))
    })
}

/// Whether no board is on a pin.
pub(super) fn is_vacant(layout: &Layout, pin: Pin) -> bool {
    AttackBoard::ALL
        .into_iter()
        .all(|board| layout.pin(board) != pin)
}

/// The boards after one has gone elsewhere.
pub(super) fn with_pin(
    layout: &Layout,
    board: AttackBoard,
    to: Pin,
) -> Result<Layout, LayoutError> {
    Layout::try_new(AttackBoard::ALL.map(|other| {
        if other == board {
            to
        } else {
            layout.pin(other)
        }
    }))
}

/// The four squares of an attack board.
pub(super) fn board_squares(board: AttackBoard) -> [Square; 4] {
    [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| board.square(dx, dy))
}

/// Where a square of a board is after the board has been turned by 180 degrees.
pub(super) fn turned(board: AttackBoard, square: Square) -> Square {
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        if board.square(dx, dy) == square {
            return board.square(1 - dx, 1 - dy);
        }
    }
    square
}

/// The pieces on an attack board.
pub(super) fn on_board(setup: &Setup, board: AttackBoard) -> Vec<(Square, Piece)> {
    board_squares(board)
        .into_iter()
        .filter_map(|square| Some((square, setup.piece(square)?)))
        .collect()
}

/// Whether a board is marked as a side's.
pub(super) fn owner(board: AttackBoard) -> Color {
    match board {
        AttackBoard::WhiteQueen | AttackBoard::WhiteKing => Color::White,
        AttackBoard::BlackQueen | AttackBoard::BlackKing => Color::Black,
    }
}

/// The board of a side and a wing.
pub(super) fn board_of(color: Color, wing: Wing) -> AttackBoard {
    match (color, wing) {
        (Color::White, Wing::Queen) => AttackBoard::WhiteQueen,
        (Color::White, Wing::King) => AttackBoard::WhiteKing,
        (Color::Black, Wing::Queen) => AttackBoard::BlackQueen,
        (Color::Black, Wing::King) => AttackBoard::BlackKing,
    }
}

/// A square of a main board, by tier, file and Meder's rank, which must be on it.
pub(super) fn main(tier: u8, file: u8, rank: u8) -> Square {
    Square::new(16 * tier + 4 * (rank - 1 - 2 * tier) + file - 1)
}

/// A square of a side's first board rank (1 for White, 8 for Black), by file.
pub(super) fn home_rank(color: Color, file: u8) -> Square {
    match color {
        Color::White => main(0, file, 1),
        Color::Black => main(2, file, 8),
    }
}

/// An offset on a side's attack board as White would count it: Black's ranks run the other way.
pub(super) fn mirrored(color: Color, board: AttackBoard, dx: u8, dy: u8) -> Square {
    match color {
        Color::White => board.square(dx, dy),
        Color::Black => board.square(dx, 1 - dy),
    }
}

/// Start squares of pawns: four in front on the main board, and the given offsets (as White counts) on the boards of
/// the two wings while these are on their home pins.
pub(super) fn pawn_homes(
    setup: &Setup,
    color: Color,
    surface: Surface,
    queen: [(u8, u8); 2],
    king: [(u8, u8); 2],
) -> Vec<Square> {
    let mut squares: Vec<Square> = (1..=4)
        .map(|file| match color {
            Color::White => main(0, file, 2),
            Color::Black => main(2, file, 7),
        })
        .collect();
    for (wing, offsets) in [(Wing::Queen, queen), (Wing::King, king)] {
        let board = board_of(color, wing);
        let home = home_pin(color, wing, surface);
        if setup.layout.is_some_and(|layout| layout.pin(board) == home) {
            for (dx, dy) in offsets {
                squares.push(mirrored(color, board, dx, dy));
            }
        }
    }
    squares
}

/// Where a side's board starts; White's boards above or below, Black's always above.
pub(super) fn home_pin(color: Color, wing: Wing, white: Surface) -> Pin {
    match color {
        Color::White => Pin::new(wing, Corner::new(1), white),
        Color::Black => over(wing, 6),
    }
}

/// A start position: pieces of White's board's first rank from file `a`, and of the two boards by offset.
pub(super) fn start(
    white: Surface,
    rank: [Role; 4],
    queen: [(u8, u8, Role); 4],
    king: [(u8, u8, Role); 4],
) -> Setup {
    let pins = AttackBoard::ALL.map(|board| home_pin(owner(board), board.wing(), white));
    let mut setup = Setup::empty(Layout::try_new(pins).ok());
    for color in Color::ALL {
        for (file, role) in (1..).zip(rank) {
            setup.set_piece(home_rank(color, file), Some(Piece::new(color, role)));
        }
        for (wing, pieces) in [(Wing::Queen, queen), (Wing::King, king)] {
            let board = board_of(color, wing);
            for (dx, dy, role) in pieces {
                setup.set_piece(
                    mirrored(color, board, dx, dy),
                    Some(Piece::new(color, role)),
                );
            }
        }
        for file in 1..=4 {
            let square = match color {
                Color::White => main(0, file, 2),
                Color::Black => main(2, file, 7),
            };
            setup.set_piece(square, Some(Piece::new(color, Role::Pawn)));
        }
    }
    setup
}
