//! The 64-bit key of a position.
//!
//! The numbers are our own and never change: collections are keyed by them. They come from SplitMix64 (Steele, Lea,
//! Flood, 2014) started at a fixed seed, and a test pins keys of known positions, so that no upgrade of any library can
//! re-key a collection.
//!
//! A key compares what repetition compares (ruling C7): pieces and boards, whose turn, castling rights, double steps
//! that are lost, and the en passant square when such a capture is legal. The rule system is not part of it.

use crate::{Color, Role};
use tridex_geometry::Square;
use tridex_geometry::stair::{AttackBoard, Pin};

/// Stair squares use the first 64 rows, cube squares the others, so that the two families never share a number.
const ROWS: usize = 64 + Square::CAPACITY;

struct Numbers {
    pieces: [[u64; 12]; ROWS],
    pins: [[u64; Pin::COUNT]; 4],
    castling: [u64; 16],
    en_passant: [u64; ROWS],
    moved: [u64; ROWS],
    black: u64,
}

const fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = *state;
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

static NUMBERS: Numbers = {
    let mut state = 0x7472_6964_6578_0001; // "tridex", version 1 of the keys
    let mut numbers = Numbers {
        pieces: [[0; 12]; ROWS],
        pins: [[0; Pin::COUNT]; 4],
        castling: [0; 16],
        en_passant: [0; ROWS],
        moved: [0; ROWS],
        black: 0,
    };
    let mut i = 0;
    while i < ROWS {
        let mut p = 0;
        while p < 12 {
            numbers.pieces[i][p] = splitmix(&mut state);
            p += 1;
        }
        numbers.en_passant[i] = splitmix(&mut state);
        numbers.moved[i] = splitmix(&mut state);
        i += 1;
    }
    let mut b = 0;
    while b < 4 {
        let mut p = 0;
        while p < Pin::COUNT {
            numbers.pins[b][p] = splitmix(&mut state);
            p += 1;
        }
        b += 1;
    }
    let mut c = 0;
    while c < 16 {
        numbers.castling[c] = splitmix(&mut state);
        c += 1;
    }
    numbers.black = splitmix(&mut state);
    numbers
};

#[inline]
const fn row<const W: usize>(square: Square) -> usize {
    if W == 1 {
        square.index() & 63
    } else {
        64 + square.index()
    }
}

#[inline]
pub(crate) fn piece<const W: usize>(color: Color, role: Role, square: Square) -> u64 {
    NUMBERS.pieces[row::<W>(square)][color as usize * 6 + role as usize]
}

#[inline]
pub(crate) fn pin(board: AttackBoard, pin: Pin) -> u64 {
    NUMBERS.pins[board as usize][pin.index()]
}

#[inline]
pub(crate) fn castling(rights: crate::Castling) -> u64 {
    NUMBERS.castling[rights.0 as usize & 15]
}

#[inline]
pub(crate) fn en_passant<const W: usize>(square: Square) -> u64 {
    NUMBERS.en_passant[row::<W>(square)]
}

#[inline]
pub(crate) fn moved<const W: usize>(square: Square) -> u64 {
    NUMBERS.moved[row::<W>(square)]
}

#[inline]
pub(crate) fn turn(color: Color) -> u64 {
    match color {
        Color::White => 0,
        Color::Black => NUMBERS.black,
    }
}
