//! The 64-bit key of a position.
//!
//! The numbers are our own and never change: collections are keyed by them. They come from SplitMix64 (Steele, Lea,
//! Flood, 2014) started at a fixed seed, and a test pins keys of known positions, so that no upgrade of any library can
//! re-key a collection.
//!
//! A key compares what repetition compares (ruling same-position): pieces on their places, whose board is on a pin but
//! never which of that owner's two, whose turn, castling rights, double steps that are not lost, and the en passant
//! square when such a capture is legal. The rule system is not part of it.

use crate::castling::Castling;
use crate::piece::{Color, Piece};
use tridex_geometry::stair::{AttackBoard, Layout, Pin};
use tridex_geometry::{Square, SquareSet};

/// The version of the keys. A collection that is keyed by them has to store it, and to be rebuilt when it
/// is another.
///
/// Version 1 distinguished the two boards of one owner.
pub const KEY_VERSION: u32 = 2;

/// Places of the stair board: squares of the main boards, and four for each pin.
const STAIR_PLACES: usize = 48 + 4 * Pin::COUNT;
/// The two families never share a number.
const ROWS: usize = STAIR_PLACES + Square::CAPACITY;

/// Number `n` of the sequence. It takes as long as to read it from a table, which would be 70 kB.
const fn number(n: usize) -> u64 {
    const SEED: u64 = 0x7472_6964_6578_0000 + KEY_VERSION as u64; // "tridex" and the version
    mixed(SEED.wrapping_add((n as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
}

/// Numbers of each place: those of the pieces, and that of en passant.
const OF_PLACE: usize = 13;
/// Where the numbers of the pins begin, of White's boards and of Black's, those of castling, and that of Black's turn.
const PINS: usize = ROWS * OF_PLACE;
const CASTLING: usize = PINS + 2 * Pin::COUNT;
const BLACK: usize = CASTLING + 16;

/// A word of which every bit depends on every bit of another; different words give different ones.
const fn mixed(z: u64) -> u64 {
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// A place, whose numbers follow one another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Row(u16);

impl Row {
    /// A square of the cube.
    #[inline(always)]
    pub(crate) const fn cube(square: Square) -> Self {
        Self((STAIR_PLACES + square.index()) as u16)
    }

    /// A square of the stair board, in the current layout.
    #[inline(always)]
    pub(crate) const fn stair(layout: &Layout, square: Square) -> Self {
        Self(layout.place(square) as u16)
    }
}

#[inline(always)]
pub(crate) const fn piece(piece: Piece, at: Row) -> u64 {
    numbered(piece.color as usize * 6 + piece.role as usize, at)
}

/// That of a piece by its number: its role, and six more if it is black.
#[inline(always)]
pub(crate) const fn numbered(piece: usize, at: Row) -> u64 {
    number(at.0 as usize * OF_PLACE + piece)
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
pub(crate) const fn en_passant(at: Row) -> u64 {
    number(at.0 as usize * OF_PLACE + OF_PLACE - 1)
}

/// The number of a set of pawns that have not lost their double step. Their boards are at home, so that squares are
/// places.
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
