//! Games of plain moves, written while they are read: nothing stands between the moves but blanks and line ends.

use super::{ROSTER, WIDTH, tag};
use crate::lex;
use crate::record::folded;
use crate::visit::GameResult;
use tridex_notation::Letters;

/// The movetext of a game of plain moves, put into lines while the moves come: what [`pgn`](super::pgn) makes of the same moves.
#[derive(Clone, Debug)]
pub struct PlainMoves {
    out: Vec<u8>,
    /// The end of the last line, as far as it is not in `out`: where letters are stored in fixed sizes.
    line: [u8; 2 * WIDTH],
    filled: usize,
    column: usize,
    plies: u32,
}

impl Default for PlainMoves {
    fn default() -> Self {
        Self {
            out: Vec::new(),
            line: [0; 2 * WIDTH],
            filled: 0,
            column: 0,
            plies: 0,
        }
    }
}

impl PlainMoves {
    /// Takes all moves out; the next game begins with White's first move.
    pub fn clear(&mut self) {
        self.out.clear();
        self.filled = 0;
        self.column = 0;
        self.plies = 0;
    }

    /// Adds a move of the game.
    #[inline]
    pub fn push(&mut self, mv: &str) {
        self.number();
        self.word(mv.as_bytes(), mv.chars().count());
    }

    /// Adds a move of the game that is spelled already.
    #[inline]
    pub fn push_letters(&mut self, mv: &Letters) {
        self.number();
        self.store(mv.room(), mv.len());
    }

    /// Adds the number of the move that comes, if it is White's.
    #[inline]
    fn number(&mut self) {
        let number = self.plies / 2 + 1;
        let second = !self.plies.is_multiple_of(2);
        self.plies += 1;
        if second {
            return;
        }
        let digit = |ten: u32| b'0' + (number / ten % 10) as u8;
        match number {
            0..10 => self.store(&[digit(1), b'.', 0, 0], 2),
            10..100 => self.store(&[digit(10), digit(1), b'.', 0], 3),
            100..1000 => self.store(&[digit(100), digit(10), digit(1), b'.'], 4),
            _ => {
                let text = format!("{number}.");
                self.word(text.as_bytes(), text.len());
            }
        }
    }

    /// Makes room for a word that takes so many columns, with a blank or a line end before it.
    #[inline]
    fn part(&mut self, length: usize) {
        if self.column == 0 {
            return;
        }
        let fits = self.column + 1 + length <= WIDTH;
        if let Some(gap) = self.line.get_mut(self.filled) {
            *gap = if fits { b' ' } else { b'\n' };
            self.filled += 1;
        }
        self.column += 1;
        if !fits {
            self.flush();
            self.column = 0;
        }
    }

    /// Adds a word of `length` ASCII letters, the first of `letters`.
    #[inline]
    fn store<const N: usize>(&mut self, letters: &[u8; N], length: usize) {
        self.part(length);
        self.column += length;
        if let Some(room) = self.line.get_mut(self.filled..self.filled + N) {
            room.copy_from_slice(letters);
            self.filled += length;
        } else {
            // Lines are flushed before they get so long.
            self.flush();
            self.out
                .extend_from_slice(letters.get(..length).unwrap_or_default());
        }
    }

    /// Adds a word of any length.
    fn word(&mut self, text: &[u8], length: usize) {
        self.part(length);
        self.flush();
        self.out.extend_from_slice(text);
        self.column += length;
    }

    fn flush(&mut self) {
        let line = self.line.get(..self.filled).unwrap_or_default();
        self.out.extend_from_slice(line);
        self.filled = 0;
    }
}

/// Writes a game of plain moves as [`pgn`](super::pgn) would: tags as they stand raw in their source, other tags behind them, moves,
/// result.
pub fn plain_pgn(
    raw_tags: &[(&[u8], &[u8])],
    more: &[(&str, &str)],
    moves: &mut PlainMoves,
    result: GameResult,
    out: &mut Vec<u8>,
) {
    for (name, default) in ROSTER {
        let default = if name == "Result" {
            result.as_str()
        } else {
            default
        };
        match raw_tags.iter().find(|(raw, _)| *raw == name.as_bytes()) {
            Some((_, value)) => raw_tag(name.as_bytes(), value, out),
            None => raw_tag(name.as_bytes(), default.as_bytes(), out),
        }
    }
    let mut roster = [false; ROSTER.len()];
    for (name, value) in raw_tags {
        let known = ROSTER
            .iter()
            .position(|(known, _)| known.as_bytes() == *name);
        match known.and_then(|i| roster.get_mut(i)) {
            Some(seen) if !*seen => *seen = true,
            _ => raw_tag(name, value, out),
        }
    }
    for (name, value) in more {
        raw_tag(name.as_bytes(), value.as_bytes(), out);
    }
    out.push(b'\n');
    let result = result.as_str();
    moves.word(result.as_bytes(), result.len());
    out.extend_from_slice(&moves.out);
    out.extend_from_slice(b"\n\n");
}

/// Writes a tag whose value stands as in its source; nearly always it can stand so again.
fn raw_tag(name: &[u8], value: &[u8], out: &mut Vec<u8>) {
    let plain_name = name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.len() <= 100
        && name.iter().all(u8::is_ascii_alphanumeric);
    let ends = |b: &u8| matches!(b, b'\\' | b'"' | b'\n' | b'\r');
    let plain_value =
        !value.iter().any(ends) && (value.is_ascii() || str::from_utf8(value).is_ok());
    if plain_name && plain_value {
        out.push(b'[');
        out.extend_from_slice(name);
        out.extend_from_slice(b" \"");
        out.extend_from_slice(value);
        out.extend_from_slice(b"\"]\n");
    } else {
        let value = folded(&lex::unescape(value));
        // Writing to memory does not fail.
        let _ = tag(&lex::decode(name), &value, out);
    }
}
