//! The names of squares, pins and boards in each notation.
//!
//! The name of a square depends on the notation. The name of a square on an attack board also changes when the board
//! moves. Every name therefore needs a notation and, on the stair board, a layout.

use crate::letters::Letters;
use crate::text::{Coordinates, Level, Locale, Notation};
use tridex_geometry::stair::{
    AttackBoard, Board, Layout, MainBoard, Pin, Surface, board as board_of,
};
use tridex_geometry::{Family, Square, Wing, cube};
use tridex_rules::Role;

const MEDER_FILES: [u8; 6] = *b"zabcde";

/// Returns the name of a square. On the stair board, the layout gives the pins of the attack boards. Without one, the
/// start layout of Meder's game is used.
///
/// ```
/// use tridex_geometry::{Square, stair::{AttackBoard, Layout, Surface}};
/// use tridex_notation::{Notation, names};
///
/// let layout = Layout::start(Surface::Over);
/// let king = AttackBoard::WhiteKing.square(0, 0);
/// assert_eq!(names::square(Notation::Meder, Some(&layout), king), "d0KL1");
/// assert_eq!(names::square(Notation::Manual, Some(&layout), king), "e1,KL");
/// assert_eq!(names::square(Notation::Millennium, None, Square::new(28)), "1e4");
/// assert_eq!(names::square(Notation::Chess3, None, Square::new(28)), "1E4");
/// ```
pub fn square(notation: Notation, layout: Option<&Layout>, square: Square) -> String {
    text(|out| push_square(notation, Locale::English, layout, square, out))
}

/// Returns what `push` writes as text.
fn text(push: impl FnOnce(&mut Letters)) -> String {
    let mut out = Letters::new();
    push(&mut out);
    out.as_str().to_owned()
}

/// The name of a pin in position strings: `Q3`, or `Q3v` below the board.
///
/// ```
/// use tridex_geometry::stair::{AttackBoard, MainBoard, Pin};
/// use tridex_notation::{Locale, names::{manual_board, manual_main_board, meder_board, pin_in_strings}};
///
/// assert_eq!(manual_board(AttackBoard::WhiteQueen), "QL");
/// assert_eq!(manual_main_board(MainBoard::Neutral), "NB");
/// assert_eq!(meder_board(Locale::German, MainBoard::Black), b'S');
/// assert!(Pin::all().any(|pin| pin_in_strings(pin) == "Q3"));
/// ```
pub fn pin_in_strings(pin: Pin) -> String {
    text(|out| push_pin_in_strings(pin, out))
}

pub(crate) fn push_pin_in_strings(pin: Pin, out: &mut Letters) {
    out.push_letter(match pin.wing() {
        Wing::Queen => b'Q',
        Wing::King => b'K',
    });
    push_number(pin.corner().number(), out);
    if pin.surface() == Surface::Under {
        out.push_letter(b'v');
    }
}

/// The name of a pin: `QL1`, or `QL1v` below the board (Meder); `QP2` and `QP1` for the same pins (manual). The cube's
/// notations have no pins, so Meder's names are used for them.
///
/// ```
/// use tridex_geometry::{Wing, stair::{Corner, Pin}};
/// use tridex_notation::{Notation, names};
/// let pin = Pin::over(Wing::Queen, Corner::new(3));
/// assert_eq!(names::pin(Notation::Meder, pin), "QL3");
/// assert_eq!(names::pin(Notation::Manual, pin), "QP6");
/// ```
pub fn pin(notation: Notation, pin: Pin) -> String {
    text(|out| push_level(notation, Level::Pin(pin), out))
}

/// The name of an attack board: by its pin (Meder), by its owner and home side (manual: `QL KL ql kl`).
pub fn board(notation: Notation, layout: &Layout, board: AttackBoard) -> String {
    match notation {
        Notation::Manual => manual_board(board).to_owned(),
        _ => pin(notation, layout.pin(board)),
    }
}

/// The square that a token names, spelled in a notation. The level is omitted if the token has none.
///
/// ```
/// use tridex_notation::{Coordinates, Level, Notation, names};
/// let place = Coordinates { file: 4, rank: 3, level: Some(Level::Cube(1)) };
/// assert_eq!(names::place(Notation::Millennium, &place), "2e4");
/// ```
pub fn place(notation: Notation, place: &Coordinates) -> String {
    let Coordinates { file, rank, level } = *place;
    let number = match notation {
        Notation::Meder => rank,
        _ => rank.saturating_add(1),
    };
    text(|out| {
        let level_first = notation.family() == Family::Cube;
        if let Some(level) = level.filter(|_| level_first) {
            push_level(notation, level, out);
        }
        match notation {
            Notation::Meder => push_meder_file(file, out),
            Notation::Chess3 => out.push_letter(b'A'.saturating_add(file)),
            _ => out.push_letter(b'a'.saturating_add(file)),
        }
        push_number(number, out);
        if let Some(level) = level.filter(|_| !level_first) {
            if notation == Notation::Manual {
                out.push_letter(b',');
            }
            push_level(notation, level, out);
        }
    })
}

/// The kind of piece that a capital letter means in a language. Pawns have no letter.
pub(crate) fn role_of_letter(locale: Locale, letter: u8) -> Option<Role> {
    let place = locale.letters().iter().position(|own| *own == letter)?;
    let role = Role::ALL.get(place).copied();
    role.filter(|role| *role != Role::Pawn)
}

/// The letter of a kind of piece in a language (Meder, Articles E5 and E6); `None` for a pawn.
#[inline]
pub(crate) const fn letter_of_role(locale: Locale, role: Role) -> Option<u8> {
    match role {
        Role::Pawn => None,
        _ => Some(locale.letters()[role as usize]),
    }
}

/// The kind of piece of a chess symbol of Unicode, U+2654 to U+265F.
pub(crate) fn figurine_role(figurine: char) -> Option<Role> {
    // White's symbols from king to pawn, then Black's.
    let place = (figurine as usize).checked_sub(0x2654)?;
    Role::ALL.iter().rev().cycle().take(12).nth(place).copied()
}

/// The letter of a main board in Meder's notation: `W N B`, in German `W N S` (Article E3).
pub const fn meder_board(locale: Locale, board: MainBoard) -> u8 {
    match (board, locale) {
        (MainBoard::White, _) => b'W',
        (MainBoard::Neutral, _) => b'N',
        (MainBoard::Black, Locale::German) => b'S',
        (MainBoard::Black, _) => b'B',
    }
}

/// The main board that a capital letter means in Meder's notation in a language.
pub(crate) fn main_board(locale: Locale, letter: u8) -> Option<MainBoard> {
    let mut boards = MainBoard::ALL.into_iter();
    boards.find(|board| meder_board(locale, *board) == letter)
}

/// The wing of a pin by its first letter, which is that of the queen or the king in a language (Article E6). English
/// letters are read in every language except German, which has its own names of pins; there only the common `K` is
/// read.
pub(crate) fn wing_of_letter(locale: Locale, letter: u8) -> Option<Wing> {
    let own = role_of_letter(locale, letter);
    match letter {
        b'K' => Some(Wing::King),
        b'Q' if locale != Locale::German => Some(Wing::Queen),
        _ if own == Some(Role::Queen) => Some(Wing::Queen),
        _ if own == Some(Role::King) => Some(Wing::King),
        _ => None,
    }
}

/// The manual's name of an attack board.
pub const fn manual_board(board: AttackBoard) -> &'static str {
    match board {
        AttackBoard::WhiteQueen => "QL",
        AttackBoard::WhiteKing => "KL",
        AttackBoard::BlackQueen => "ql",
        AttackBoard::BlackKing => "kl",
    }
}

/// The manual's name of a main board.
pub const fn manual_main_board(board: MainBoard) -> &'static str {
    match board {
        MainBoard::White => "WB",
        MainBoard::Neutral => "NB",
        MainBoard::Black => "BB",
    }
}

/// Writes the name of a square.
pub(crate) fn push_square(
    notation: Notation,
    locale: Locale,
    layout: Option<&Layout>,
    square: Square,
    out: &mut Letters,
) {
    const START: &Layout = &Layout::start(Surface::Over);
    let layout = layout.unwrap_or(START);
    match notation {
        Notation::Meder => push_meder_square(locale, layout, square, out),
        Notation::Manual => push_manual_square(layout, square, out),
        Notation::Millennium | Notation::Chess3 => push_cube_square(notation, square, out),
    }
}

/// Writes a square in Meder's notation: file, rank, level (Meder, Articles E1 to E4).
#[inline]
pub(crate) fn push_meder_square(
    locale: Locale,
    layout: &Layout,
    square: Square,
    out: &mut Letters,
) {
    out.push(MEDER_COLUMNS[layout.column(square).index() & 63], 2);
    push_meder_level(locale, layout, square, out);
}

/// The file and rank of every column.
static MEDER_COLUMNS: [[u8; 2]; 64] = {
    let mut table = [[b'?'; 2]; 64];
    let mut i = 0;
    while i < 60 {
        table[i] = [MEDER_FILES[i % 6], b'0' + i as u8 / 6];
        i += 1;
    }
    table
};

/// Writes the level of a square in Meder's notation: the letter of the main board, or the pin of the attack board.
#[inline]
pub(crate) fn push_meder_level(locale: Locale, layout: &Layout, square: Square, out: &mut Letters) {
    match board_of(square) {
        Board::Main(board) => out.push_letter(meder_board(locale, board)),
        Board::Attack(board) => push_meder_pin(locale, layout.pin(board), out),
    }
}

/// Writes a file in Meder's notation.
#[inline]
pub(crate) fn push_meder_file(file: u8, out: &mut Letters) {
    out.push_letter(MEDER_FILES.get(usize::from(file)).copied().unwrap_or(b'?'));
}

/// Writes a pin in Meder's notation, `QL1`, with our `v` if it is below the board.
#[inline]
pub(crate) fn push_meder_pin(locale: Locale, pin: Pin, out: &mut Letters) {
    out.push_str(match (locale, pin.wing()) {
        (Locale::German, Wing::Queen) => "DP",
        (Locale::German, Wing::King) => "KP",
        (_, Wing::Queen) => "QL",
        (_, Wing::King) => "KL",
    });
    push_number(pin.corner().number(), out);
    if pin.surface() == Surface::Under {
        out.push_letter(b'v');
    }
}

/// Writes a square in the manual's notation (Starfleet manual 2.2).
#[inline]
pub(crate) fn push_manual_square(layout: &Layout, square: Square, out: &mut Letters) {
    let (letters, count) = manual_letters(layout, square);
    out.push_eight(letters, count);
}

/// Writes two squares and the sign between them.
#[inline]
pub(crate) fn push_manual_squares(
    layout: &Layout,
    (from, to): (Square, Square),
    sign: u8,
    out: &mut Letters,
) {
    let (letters, count) = manual_letters(layout, from);
    out.push_eight(letters | u64::from(sign) << (8 * count), count + 1);
    push_manual_square(layout, to, out);
}

/// A square in the manual's notation, packed for [`Letters::push_eight`], and its length: five or six letters.
#[inline]
fn manual_letters(layout: &Layout, square: Square) -> (u64, usize) {
    let column = layout.column(square).index() & 63;
    let board = u16::from_le_bytes(MANUAL_BOARDS[square.index() / 4 % 16]);
    // Ranks 1 to 9 have one digit.
    let count = if column < 54 { 3 } else { 4 };
    let letters = u32::from_le_bytes(MANUAL_COLUMNS[column]);
    (
        u64::from(letters) | u64::from(board) << (8 * count),
        count + 2,
    )
}

/// The file, rank and comma of every column. This is a table because most of the text of a game consists of them.
static MANUAL_COLUMNS: [[u8; 4]; 64] = {
    let mut table = [[0; 4]; 64];
    let mut i = 0;
    while i < 60 {
        let rank = i as u8 / 6 + 1;
        let file = b'a' + i as u8 % 6;
        table[i] = if rank < 10 {
            [file, b'0' + rank, b',', 0]
        } else {
            [file, b'1', b'0', b',']
        };
        i += 1;
    }
    table
};

/// The manual's names of the boards, indexed by the index of a square divided by four.
static MANUAL_BOARDS: [[u8; 2]; 16] = {
    const fn letters(name: &str) -> [u8; 2] {
        let name = name.as_bytes();
        [name[0], name[1]]
    }
    let mut table = [[0; 2]; 16];
    let mut i = 0;
    while i < 16 {
        table[i] = letters(match board_of(Square::new(4 * i as u8)) {
            Board::Main(board) => manual_main_board(board),
            Board::Attack(board) => manual_board(board),
        });
        i += 1;
    }
    table
};

/// Writes level, file and rank of a square of the cube, the file as a capital in Chess3's notation.
#[inline]
pub(crate) fn push_cube_square(notation: Notation, square: Square, out: &mut Letters) {
    let file = match notation {
        Notation::Chess3 => b'A',
        _ => b'a',
    } + cube::file(square);
    out.push(
        [b'1' + cube::level(square), file, b'1' + cube::rank(square)],
        3,
    );
}

/// Writes a pin in the manual's notation (Starfleet manual 2.3).
#[inline]
pub(crate) fn push_manual_pin(pin: Pin, out: &mut Letters) {
    out.push_str(match pin.wing() {
        Wing::Queen => "QP",
        Wing::King => "KP",
    });
    push_number(pin.manual_number(), out);
}

fn push_level(notation: Notation, level: Level, out: &mut Letters) {
    match (level, notation) {
        (Level::Main(board), Notation::Manual) => out.push_str(manual_main_board(board)),
        (Level::Main(board), _) => out.push_letter(meder_board(Locale::English, board)),
        (Level::Pin(pin), Notation::Manual) => push_manual_pin(pin, out),
        (Level::Pin(pin), _) => push_meder_pin(Locale::English, pin, out),
        (Level::Attack(board), _) => out.push_str(manual_board(board)),
        (Level::Cube(level), _) => push_number(level.saturating_add(1), out),
    }
}

/// Writes a number of one or two digits.
#[inline]
pub(crate) fn push_number(number: u8, out: &mut Letters) {
    if number >= 10 {
        out.push_letter(b'0' + number / 10 % 10);
    }
    out.push_letter(b'0' + number % 10);
}

#[cfg(test)]
mod tests {
    use super::*;
    use tridex_geometry::stair::Corner;

    #[test]
    fn attack_squares_change_their_name_in_meder_and_keep_their_board_in_the_manual() {
        // White's KL on pin K2 makes d0KL1 into d4KL2, manual e5,KL.
        let start = Layout::start(Surface::Over);
        let square = AttackBoard::WhiteKing.square(0, 0);
        let moved = start
            .moved(
                AttackBoard::WhiteKing,
                Pin::over(Wing::King, Corner::new(2)),
            )
            .unwrap();
        assert_eq!(
            super::square(Notation::Meder, Some(&start), square),
            "d0KL1"
        );
        assert_eq!(
            super::square(Notation::Meder, Some(&moved), square),
            "d4KL2"
        );
        assert_eq!(
            super::square(Notation::Manual, Some(&moved), square),
            "e5,KL"
        );
        // Black's board on White's pin.
        let crossed = Layout::try_new([
            Pin::over(Wing::Queen, Corner::new(6)),
            Pin::over(Wing::King, Corner::new(1)),
            Pin::new(Wing::Queen, Corner::new(1), Surface::Under),
            Pin::over(Wing::King, Corner::new(6)),
        ])
        .unwrap();
        let z0 = AttackBoard::BlackQueen.square(0, 0);
        assert_eq!(super::square(Notation::Meder, Some(&crossed), z0), "z0QL1v");
        assert_eq!(super::square(Notation::Manual, Some(&crossed), z0), "a1,ql");
    }

    #[test]
    fn rank_ten_has_two_digits_in_the_manual() {
        let layout = Layout::start(Surface::Over);
        let e9 = AttackBoard::BlackKing.square(1, 1);
        assert_eq!(super::square(Notation::Meder, Some(&layout), e9), "e9KL6");
        assert_eq!(super::square(Notation::Manual, Some(&layout), e9), "f10,kl");
        assert_eq!(
            pin(Notation::Manual, Pin::over(Wing::King, Corner::new(6))),
            "KP12"
        );
    }
}
