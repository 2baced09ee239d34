//! The 64-bit key of a position.
//!
//! Collections are keyed by these numbers, so they change only with [`KEY_VERSION`]. They come from SplitMix64 (Steele,
//! Lea, Flood, 2014) with a fixed seed, and a test pins the keys of known positions. No upgrade of a library can re-key
//! a collection.
//!
//! A key covers what the repetition rule compares (ruling same-position): the pieces and their places; the pins and
//! which side's board is on each, but not which of its two; whose turn it is; castling rights; double steps that are
//! not lost; and the en passant square if such a capture is legal. The rule system is not part of it.

use crate::castling::Castling;
use crate::piece::{Color, Piece};
use tridex_geometry::stair::{AttackBoard, Layout, Pin};
use tridex_geometry::{Square, SquareSet};

/// The version of the keys. A collection that is keyed by them has to store it, and has to be rebuilt if the version
/// changes.
///
/// Version 1 distinguished the two boards of one owner.
pub const KEY_VERSION: u32 = 2;

/// The cells of the stair board: the squares of the main boards, and four for each pin.
const STAIR_CELLS: usize = 48 + 4 * Pin::COUNT;
/// The cells of both families, which share no number.
const CELLS: usize = STAIR_CELLS + Square::CAPACITY;

/// Number `n` of the sequence. Computing it takes as long as reading it from a table, which would be 35 kB.
const fn number(n: usize) -> u64 {
    const SEED: u64 = 0x7472_6964_6578_0000 + KEY_VERSION as u64; // "tridex" and the version
    mixed(SEED.wrapping_add((n as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
}

/// Numbers of each cell: twelve for the pieces and one for en passant.
const KEYS_OF_CELL: usize = 13;
/// Where the numbers of the pins begin: first White's boards, then Black's. Castling and Black's turn follow.
const PINS: usize = CELLS * KEYS_OF_CELL;
const CASTLING: usize = PINS + 2 * Pin::COUNT;
const BLACK: usize = CASTLING + 16;

/// Mixes a word: every bit of the result depends on every bit of the input, and different words give different results.
const fn mixed(z: u64) -> u64 {
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// A cell of the key: a square of the cube, a square of a main board, or a square of a pin. Its 13 numbers are consecutive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct KeyCell(u16);

impl KeyCell {
    /// A square of the cube.
    #[inline(always)]
    pub(crate) const fn cube(square: Square) -> Self {
        Self((STAIR_CELLS + square.index()) as u16)
    }

    /// A square of the stair board, in the current layout.
    #[inline(always)]
    pub(crate) const fn stair(layout: &Layout, square: Square) -> Self {
        Self(layout.place(square) as u16)
    }
}

#[inline(always)]
pub(crate) const fn piece(piece: Piece, at: KeyCell) -> u64 {
    numbered(piece.color as usize * 6 + piece.role as usize, at)
}

/// The number of a piece given by its index: the role, plus six if it is black.
#[inline(always)]
pub(crate) const fn numbered(piece: usize, at: KeyCell) -> u64 {
    number(at.0 as usize * KEYS_OF_CELL + piece)
}

#[inline]
pub(crate) const fn pin(board: AttackBoard, pin: Pin) -> u64 {
    number(PINS + pin.index() + if board.is_white() { 0 } else { Pin::COUNT })
}

#[inline]
pub(crate) const fn castling(rights: Castling) -> u64 {
    number(CASTLING + (rights.0 as usize & 15))
}

#[inline]
pub(crate) const fn en_passant(at: KeyCell) -> u64 {
    number(at.0 as usize * KEYS_OF_CELL + KEYS_OF_CELL - 1)
}

/// The number of a set of pawns that have not lost their double step. Their boards are on their home pins, so squares
/// are as good as places.
#[inline]
pub(crate) fn unmoved<const W: usize>(pawns: SquareSet<W>) -> u64 {
    pawns.0.iter().fold(0, |all, word| mixed(all ^ *word))
}

#[inline]
pub(crate) const fn turn(color: Color) -> u64 {
    match color {
        Color::White => 0,
        Color::Black => number(BLACK),
    }
}
