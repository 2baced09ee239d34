//! Packed moves: about ten bits a move on the stair board, twelve on the cube.
//!
//! Format 1. Bits are written least significant first. Let *k* be the number of squares on which the side to move has
//! pieces. A move begins with a symbol, which has as many bits as the number *k*:
//!
//! - below *k*: the piece on the symbol-th of those squares in index order goes to a square (6 bits on the stair
//!   board, 8 on the cube), without promotion;
//! - *k*: another kind of move, given by 2 bits:
//!   - 0: an attack board goes to a pin as it is: board (2 bits), pin (5); or, if the pin is 31, which is no pin, the
//!     player passes in a variation;
//!   - 1: the same with more to it: board (2), pin (5), whether it turns (1), whether a pawn is promoted (1) and if so
//!     its square (6) and the piece (2, in the order of [`Role::PROMOTIONS`]);
//!   - 2: a pawn's promotion or en passant: the pawn as above (a symbol below *k*), the square of arrival, and 4 bits:
//!     the piece; or 4 for en passant; or for both 5 more than the piece;
//!   - 3: castling: 0 on the king's side, 1 on the queen's (1 bit).
//!
//! The stream has no end mark; the number of moves is stored elsewhere.
//!
//! Reading a move takes only the squares of the side to move, so a replay is cheap.

use crate::codec::bits::{BitReader, BitWriter};
use tridex_geometry::stair::{AttackBoard, Pin};
use tridex_geometry::{Family, Square, SquareSet};
use tridex_rules::{BoardPromotion, CastlingSide, Move, Placement, Position, Role};

/// The number of this format.
pub const PACKED_MOVES_FORMAT: u8 = 1;

type Set = SquareSet<3>;

/// The number in place of a pin if a player passes.
const PASS: u64 = 31;

/// The number of bits for a square of arrival.
#[inline]
fn target_bits(at: &Placement) -> u32 {
    match at.family() {
        Family::Stair => 6,
        Family::Cube => 8,
    }
}

/// Appends a move, which must be legal on the board, to a stream.
pub(crate) fn write(at: &Placement, m: Move, out: &mut BitWriter) {
    let own = at.side(at.turn());
    let special = u64::from(at.count(at.turn()));
    let width = symbol_bits(special);
    if let Move::Piece {
        from,
        to,
        promotion: None,
    } = m
    {
        out.put(ordinal(own, from), width);
        out.put(to.index() as u64, target_bits(at));
        return;
    }
    out.put(special, width);
    match m {
        Move::Piece {
            from,
            to,
            promotion,
        }
        | Move::EnPassant {
            from,
            to,
            promotion,
        } => {
            out.put(2, 2);
            out.put(ordinal(own, from), width);
            out.put(to.index() as u64, target_bits(at));
            let role = promotion.map(promotion_code);
            let code = match m {
                Move::EnPassant { .. } => role.map_or(4, |role| 5 + role),
                _ => role.unwrap_or(0),
            };
            out.put(code, 4);
        }
        Move::Pass => {
            out.put(0, 4);
            out.put(PASS, 5);
        }
        Move::Castle(side) => {
            out.put(3, 2);
            out.put(side as u64, 1);
        }
        Move::Board {
            board,
            to,
            turned,
            promotion,
        } => {
            let has_more = turned || promotion.is_some();
            out.put(has_more.into(), 2);
            out.put(board as u64, 2);
            out.put(to.index() as u64, 5);
            if has_more {
                out.put(turned.into(), 1);
                out.put(promotion.is_some().into(), 1);
            }
            if let Some(BoardPromotion { square, role }) = promotion {
                out.put(square.index() as u64 & 63, 6);
                out.put(promotion_code(role), 2);
            }
        }
    }
}

/// Reads the next move of a stream. Returns `None` if the bits do not describe a move on this board. Does not check
/// that the move is legal.
#[inline]
pub(crate) fn read(at: &Placement, bits: &mut BitReader<'_>) -> Option<Move> {
    let own = at.side(at.turn());
    let special = u64::from(at.count(at.turn()));
    let width = symbol_bits(special);
    let symbol = bits.take(width);
    if symbol < special {
        let to = bits.take(target_bits(at));
        return Some(Move::Piece {
            from: nth(own, symbol)?,
            to: Square::try_new(to as u8)?,
            promotion: None,
        });
    }
    if symbol > special {
        return None;
    }
    read_special(at, own, width, bits)
}

fn read_special(at: &Placement, own: Set, width: u32, bits: &mut BitReader<'_>) -> Option<Move> {
    match bits.take(2) {
        kind @ (0 | 1) => {
            let board = AttackBoard::ALL[bits.take(2) as usize & 3];
            let pin = bits.take(5);
            if kind == 0 && pin == PASS {
                return Some(Move::Pass);
            }
            let to = Pin::all().nth(pin as usize)?;
            let turned = kind == 1 && bits.take(1) == 1;
            let promotion = match kind == 1 && bits.take(1) == 1 {
                true => Some(BoardPromotion {
                    square: Square::try_new(bits.take(6) as u8)?,
                    role: Role::PROMOTIONS[bits.take(2) as usize & 3],
                }),
                false => None,
            };
            at.layout()?;
            Some(Move::Board {
                board,
                to,
                turned,
                promotion,
            })
        }
        2 => {
            let from = nth(own, bits.take(width))?;
            let to = Square::try_new(bits.take(target_bits(at)) as u8)?;
            let code = bits.take(4) as usize;
            let promotion = match code {
                4 => None,
                _ => Some(*Role::PROMOTIONS.get(code.checked_sub(5).unwrap_or(code))?),
            };
            Some(match code < 4 {
                true => Move::Piece {
                    from,
                    to,
                    promotion,
                },
                false => Move::EnPassant {
                    from,
                    to,
                    promotion,
                },
            })
        }
        _ => Some(Move::Castle(CastlingSide::ALL[bits.take(1) as usize & 1])),
    }
}

/// The number of bits needed for the numbers from 0 to `k`.
#[inline]
fn symbol_bits(k: u64) -> u32 {
    64 - k.leading_zeros()
}

fn promotion_code(role: Role) -> u64 {
    Role::PROMOTIONS
        .iter()
        .position(|r| *r == role)
        .unwrap_or_default() as u64
}

/// How many squares of the set come before this one.
fn ordinal(set: Set, square: Square) -> u64 {
    let (word, bit) = (square.index() >> 6, square.index() & 63);
    let (before, rest) = set.0.split_at(word);
    let here = rest.first().map(|word| word & ((1 << bit) - 1));
    let words = before.iter().copied().chain(here);
    words.map(|word| u64::from(word.count_ones())).sum()
}

/// The square of the set that has `n` squares before it. Finds first the word, then the byte (the last with at most `n`
/// ones below it), then the bit in the byte. Clearing one bit after another would take fewer instructions, but an
/// eighth more time, because the processor cannot predict the end of that loop.
#[inline]
fn nth(set: Set, mut n: u64) -> Option<Square> {
    const TOP: u64 = ONES << 7;
    for (i, word) in set.0.into_iter().enumerate() {
        let sums = sums_by_byte(word);
        let passed = ((((n.min(64) * ONES) | TOP) - sums) & TOP) >> 7;
        let shift = passed.wrapping_mul(ONES) >> 56 << 3;
        if shift < 64 {
            let before = sums << 8 >> shift & 0xFF;
            let byte = (word >> shift & 0xFF) as usize;
            let bit = shift as u8 + SELECT[byte][(n - before) as usize & 7];
            return Square::try_new((i << 6) as u8 | bit);
        }
        n -= sums >> 56;
    }
    None
}

/// A word with a one in each byte.
const ONES: u64 = u64::MAX / 255;

/// For each byte of a word, the number of ones in it and in the bytes below it, in the same byte of the result. Current
/// processors have an instruction that counts the ones of a word, but the build targets do not require it.
#[inline]
const fn sums_by_byte(word: u64) -> u64 {
    let pairs = word - ((word >> 1) & (u64::MAX / 3));
    let fours = (pairs & (u64::MAX / 5)) + ((pairs >> 2) & (u64::MAX / 5));
    ((fours + (fours >> 4)) & (u64::MAX / 17)).wrapping_mul(ONES)
}

/// For each byte, the position of the bit that has a given number of ones before it.
static SELECT: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[byte][n] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// A packed line during its replay.
pub(crate) struct Running<'a> {
    pub(crate) board: Placement,
    pub(crate) bits: BitReader<'a>,
}

impl<'a> Running<'a> {
    pub(crate) fn new(board: Placement, packed: &'a [u8]) -> Self {
        Self {
            board,
            bits: BitReader::new(packed),
        }
    }

    /// Plays the next moves and returns them; `None` if they cannot be read.
    pub(crate) fn line(&mut self, plies: u32) -> Option<Vec<Move>> {
        let mut moves = Vec::new();
        for _ in 0..plies {
            let m = read(&self.board, &mut self.bits)?;
            if self.bits.is_overrun() {
                return None;
            }
            self.board.play(m);
            moves.push(m);
        }
        Some(moves)
    }
}

/// Packs a line of legal moves from a board. `each` is called after every move with the new board and the move.
pub(crate) fn pack_line(
    mut board: Placement,
    moves: &[Move],
    mut each: impl FnMut(&Placement, Move),
) -> Vec<u8> {
    let mut out = BitWriter::default();
    for m in moves {
        write(&board, *m, &mut out);
        board.play(*m);
        each(&board, *m);
    }
    out.finish()
}

/// Packs a line of legal moves that begins at a position. [`unpack_moves`] is the inverse.
///
/// ```
/// use tridex_index::{pack_moves, read_moves, unpack_moves};
/// use tridex_rules::{Position, RuleSystem};
///
/// let start = Position::start(RuleSystem::Meder);
/// let moves = read_moves(RuleSystem::Meder, "b4N b5B c3W")?;
/// let packed = pack_moves(&start, &moves);
/// assert_eq!(unpack_moves(&start, &packed, 3), Some(moves));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn pack_moves(start: &Position, moves: &[Move]) -> Vec<u8> {
    pack_line(start.placement(), moves, |_, _| {})
}

/// Unpacks the first `plies` moves of a packed line. Returns `None` if there are fewer, or if one of them is illegal.
/// [`pack_moves`] is the inverse.
#[must_use]
pub fn unpack_moves(start: &Position, packed: &[u8], plies: u32) -> Option<Vec<Move>> {
    let moves = Running::new(start.placement(), packed).line(plies)?;
    let mut position = start.clone();
    let is_legal = moves.iter().all(|m| position.play(*m).is_ok());
    is_legal.then_some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Dice, random_game};
    use tridex_rules::RuleSystem;

    #[test]
    fn the_nth_square_has_n_before_it() {
        let mut dice = Dice::new(3);
        for _ in 0..2_000 {
            let (few, many) = (dice.next() & dice.next(), dice.next() | dice.next());
            for words in [[few, 0, many], [many, few, u64::MAX], [1 << 63, 1, few]] {
                let set = Set::from_iter(words.iter().zip(0..).flat_map(|(word, i)| {
                    let bits = (0..64).filter(move |bit| word >> bit & 1 != 0);
                    bits.filter_map(move |bit: u8| Square::try_new(i << 6 | bit))
                }));
                for (n, square) in (0..).zip(set) {
                    assert_eq!(nth(set, n), Some(square));
                    assert_eq!(ordinal(set, square), n);
                }
                assert_eq!(nth(set, set.count().into()), None);
            }
        }
    }

    #[test]
    fn every_legal_move_of_random_games_comes_back() {
        for rules in RuleSystem::ALL {
            let mut dice = Dice::new(11);
            for _ in 0..20 {
                let game = random_game(*rules, 150, &mut dice);
                let mut position = Position::start(*rules);
                let mut board = position.placement();
                for m in game {
                    for legal in position.legal_moves() {
                        let mut out = BitWriter::default();
                        write(&board, legal, &mut out);
                        let bytes = out.finish();
                        assert_eq!(read(&board, &mut BitReader::new(&bytes)), Some(legal));
                    }
                    position.play_unchecked(m);
                    board.play(m);
                }
            }
        }
    }

    #[test]
    fn a_pass_comes_back() {
        for rules in RuleSystem::ALL {
            let mut line = Vec::new();
            for m in random_game(*rules, 20, &mut Dice::new(2)) {
                line.extend([m, Move::Pass, Move::Pass]);
            }
            let start = Position::start(*rules).placement();
            let packed = pack_line(start.clone(), &line, |_, _| {});
            let unpacked = Running::new(start, &packed).line(line.len() as u32);
            assert_eq!(unpacked, Some(line));
        }
    }

    #[test]
    fn a_game_takes_less_than_1_7_bytes_a_ply() {
        for rules in RuleSystem::ALL {
            let mut dice = Dice::new(5);
            let (mut plies, mut bytes) = (0, 0);
            for _ in 0..100 {
                let game = random_game(*rules, 120, &mut dice);
                let start = Position::start(*rules);
                let packed = pack_moves(&start, &game);
                assert_eq!(
                    unpack_moves(&start, &packed, game.len() as u32).as_ref(),
                    Some(&game)
                );
                plies += game.len();
                bytes += packed.len();
            }
            let rate = bytes as f64 / plies as f64;
            assert!(rate < 1.7, "{}: {rate}", rules.name());
        }
    }

    #[test]
    fn damaged_streams_are_refused_or_read_as_other_legal_moves() {
        let mut dice = Dice::new(17);
        for rules in RuleSystem::ALL {
            let start = Position::start(*rules);
            let game = random_game(*rules, 60, &mut dice);
            let packed = pack_moves(&start, &game);
            assert_eq!(unpack_moves(&start, &[], 1), None);
            for _ in 0..300 {
                let mut damaged = packed.clone();
                let at = dice.roll(damaged.len());
                damaged[at] ^= 1 << dice.roll(8);
                if let Some(moves) = unpack_moves(&start, &damaged, game.len() as u32) {
                    let again = pack_moves(&start, &moves);
                    assert_eq!(unpack_moves(&start, &again, game.len() as u32), Some(moves));
                }
            }
        }
    }
}
