//! One module for each move notation, each with one reader and one writer.
//!
//! A reader takes one token (with the `e.p.` or `(=)` that follows it, if any) and says what its words are; it asks no
//! position. A writer gives the canonical spelling of a legal move.
//!
//! Each module has the same two functions: `parse(token: &[u8], locale: Option<Locale>) -> Result<MoveText,
//! SyntaxError>` and `write(position: &Position, mv: Move, options: &WriteOptions, out: &mut String)`.

pub(crate) mod common;
#[cfg(test)]
pub(crate) mod grammar;

pub mod chess3;
pub mod manual;
pub mod meder;
pub mod millennium;

use crate::text::{CheckMark, Level, MoveKind, MoveText, Notes, Origin, PieceText, Place};
use tridex_geometry::stair::{Board, MainBoard, board};
use tridex_geometry::{Family, cube};
use tridex_rules::{Departure, PlainMove, Target};

/// The words of a plain move.
fn plain_text(plain: &PlainMove, family: Family, mark: CheckMark) -> MoveText {
    let to = match plain.to {
        Target::OnPin(pin, column) => Place {
            file: column.file(),
            rank: column.rank(),
            level: Some(Level::Pin(pin)),
        },
        Target::Square(square) if family == Family::Cube => Place {
            file: cube::file(square),
            rank: cube::rank(square),
            level: Some(Level::Cube(cube::level(square))),
        },
        Target::Square(square) => {
            let index = square.index() as u8;
            let main = match board(square) {
                Board::Main(main) => main,
                // A target names an attack board by its pin.
                Board::Attack(_) => MainBoard::Black,
            };
            Place {
                file: index % 4 + 1,
                rank: main.near_rank() + index % 16 / 4,
                level: Some(Level::Main(main)),
            }
        }
    };
    let said = |part| (part != Departure::ANY).then_some(part);
    let level = said(plain.from.level).map(|level| match family {
        Family::Cube => Level::Cube(level),
        Family::Stair => Level::Main(MainBoard::ALL[usize::from(level) % 3]),
    });
    let kind = MoveKind::Piece(PieceText {
        role: Some(plain.role),
        from: Origin {
            file: said(plain.from.file),
            rank: said(plain.from.rank),
            level,
        },
        to,
        promotion: None,
    });
    let tail = common::Tail {
        mark,
        ..common::Tail::default()
    };
    tail.on(kind, plain.captures, Notes::NONE)
}
