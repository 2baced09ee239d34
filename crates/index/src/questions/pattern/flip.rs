//! Patterns seen in a mirror or from the other chair.

use super::{Node, Pattern, PinName, Place, What};
use tridex_geometry::stair::{AttackBoard, Column, FILES, MainBoard, Pin, RANKS};
use tridex_geometry::{Square, cube};
use tridex_rules::{CastlingSide, Color};

/// What an exchange does to the names in a pattern or sequence.
pub(crate) struct Flip {
    pub(crate) color: fn(Color) -> Color,
    pub(crate) board: fn(AttackBoard) -> AttackBoard,
    main: fn(MainBoard) -> MainBoard,
    pin: fn(Pin) -> Pin,
    pub(crate) column: fn(Column) -> Column,
    pub(crate) cube_column: fn((u8, u8)) -> (u8, u8),
    level: fn(u8) -> u8,
    pub(crate) castling: fn(CastlingSide) -> CastlingSide,
}

pub(crate) const MIRROR: Flip = Flip {
    color: |color| color,
    board: |board| AttackBoard::of(board.is_white(), board.wing().other()),
    main: |main| main,
    pin: |pin| Pin::new(pin.wing().other(), pin.corner(), pin.surface()),
    column: |column| moved(column, FILES - 1 - column.file(), column.rank()),
    cube_column: |(file, rank)| (7 - file, rank),
    level: |level| level,
    castling: |side| match side {
        CastlingSide::King => CastlingSide::Queen,
        CastlingSide::Queen => CastlingSide::King,
    },
};

pub(crate) const SWAP: Flip = Flip {
    color: Color::other,
    board: |board| AttackBoard::of(!board.is_white(), board.wing()),
    main: |main| match main {
        MainBoard::White => MainBoard::Black,
        MainBoard::Neutral => MainBoard::Neutral,
        MainBoard::Black => MainBoard::White,
    },
    pin: Pin::mirrored,
    column: |column| moved(column, column.file(), RANKS - 1 - column.rank()),
    cube_column: |(file, rank)| (file, 7 - rank),
    level: |level| cube::LEVELS - 1 - level,
    castling: |side| side,
};

fn moved(column: Column, file: u8, rank: u8) -> Column {
    Column::try_new(file, rank).unwrap_or(column)
}

impl Flip {
    /// A pattern after the exchange.
    pub(crate) fn pattern(&self, pattern: &Pattern) -> Pattern {
        Pattern(self.node(&pattern.0))
    }

    /// Goes as deep as the pattern is nested, which the parser bounds.
    fn node(&self, node: &Node) -> Node {
        match node {
            Node::Count {
                what,
                place,
                compare,
                number,
            } => Node::Count {
                what: match *what {
                    What::Piece { color, role } => What::Piece {
                        color: color.map(self.color),
                        role,
                    },
                    What::Empty => What::Empty,
                },
                place: self.place(*place),
                compare: *compare,
                number: *number,
            },
            Node::BoardOn { board, pin } => Node::BoardOn {
                board: (self.board)(*board),
                pin: self.pin_name(*pin),
            },
            Node::Turn(color) => Node::Turn((self.color)(*color)),
            Node::Check | Node::Mate | Node::Ply { .. } => node.clone(),
            Node::Not(part) => Node::Not(Box::new(self.node(part))),
            Node::And(parts) => Node::And(parts.iter().map(|part| self.node(part)).collect()),
            Node::Or(parts) => Node::Or(parts.iter().map(|part| self.node(part)).collect()),
        }
    }

    pub(crate) fn pin_name(&self, name: PinName) -> PinName {
        PinName {
            pin: (self.pin)(name.pin),
            ..name
        }
    }

    pub(crate) fn place(&self, place: Place) -> Place {
        match place {
            Place::Anywhere => Place::Anywhere,
            Place::Column { stair, cube } => Place::Column {
                stair: stair.map(self.column),
                cube: cube.map(self.cube_column),
            },
            Place::Main(main) => Place::Main((self.main)(main)),
            Place::Attack(board) => Place::Attack((self.board)(board)),
            Place::Pin(pin) => Place::Pin(self.pin_name(pin)),
            Place::MainSquare(square) => Place::MainSquare(self.main_square(square)),
            Place::AttackSquare(board, column) => {
                Place::AttackSquare((self.board)(board), (self.column)(column))
            }
            Place::PinSquare(pin, column) => {
                Place::PinSquare(self.pin_name(pin), (self.column)(column))
            }
            Place::Level(level) => Place::Level((self.level)(level)),
            Place::CubeSquare(square) => {
                let (file, rank) = (self.cube_column)((cube::file(square), cube::rank(square)));
                let level = (self.level)(cube::level(square));
                Place::CubeSquare(cube::try_square(level, file, rank).unwrap_or(square))
            }
        }
    }

    fn main_square(&self, square: Square) -> Square {
        let main = MainBoard::ALL[square.index() / 16 % 3];
        let within = (square.index() % 16) as u8;
        let rank = main.near_rank() + within / 4;
        Column::try_new(within % 4 + 1, rank)
            .and_then(|column| (self.main)(main).square((self.column)(column)))
            .unwrap_or(square)
    }
}
