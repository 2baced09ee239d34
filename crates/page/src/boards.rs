//! What both the games and the scenery of a page need from a position.

use tridex_geometry::Square;
use tridex_geometry::stair::MainBoard;
use tridex_notation::Fen;
use tridex_rules::{Position, Role};

/// The number of fixed boards of the stair board. The movable boards are numbered after them.
pub(crate) const FIXED: usize = MainBoard::ALL.len();

/// The piece on a square: 0 for none, 1 to 6 for White's pawn to king, 7 to 12 for Black's.
pub(crate) fn man_on(position: &Position, square: Square) -> u8 {
    position.piece_at(square).map_or(0, |piece| {
        let role = Role::ALL.iter().position(|role| *role == piece.role);
        let role = role.unwrap_or_default() as u8 + 1;
        role + if piece.color.is_white() { 0 } else { 6 }
    })
}

/// Castling rights, the en passant square and moved pawns, as in a position string.
pub(crate) fn rights(position: &Position) -> String {
    let line = Fen::of(position).to_string();
    let fields: Vec<&str> = line.split(' ').collect();
    fields.get(2..5).unwrap_or_default().join(" ")
}

/// The index of a position's layout among the known ones, to which a new layout is added.
pub(crate) fn layout_of(known: &mut Vec<Position>, position: &Position) -> usize {
    let found = known
        .iter()
        .rposition(|other| other.layout() == position.layout());
    found.unwrap_or_else(|| {
        known.push(position.clone());
        known.len() - 1
    })
}
