//! The moves of a segment.
//!
//! Format of the file `.moves`: the magic word; the games, one after the other (see [`GameBytes`]); where each ends,
//! counted from the first (4 bytes each, little endian); the number of games (4 bytes); the magic word again.

use super::folder::Checked;
use crate::game::line::GameBytes;

const MAGIC: &[u8; 8] = b"TRIDEXM2";
/// What follows the ends of the games.
const TRAILER: usize = 12;

/// The file of moves, while it grows.
#[derive(Default, Debug)]
pub(crate) struct MovesBuilder {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl MovesBuilder {
    /// Appends the bytes of a game.
    pub(super) fn push(&mut self, game: &[u8]) {
        self.bytes.extend_from_slice(game);
        self.ends.push(self.bytes.len() as u32);
    }

    pub(super) fn game(&self, game: u32) -> Option<GameBytes<'_>> {
        let start = match game.checked_sub(1) {
            Some(before) => *self.ends.get(before as usize)?,
            None => 0,
        };
        let end = *self.ends.get(game as usize)? as usize;
        GameBytes::read(self.bytes.get(start as usize..end)?)
    }

    /// How many games there are.
    pub(super) fn games(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The bytes of the file.
    pub(super) fn finish(&self) -> Vec<u8> {
        let numbers = self.ends.iter().copied().chain([self.games()]);
        let numbers: Vec<u8> = numbers.flat_map(u32::to_le_bytes).collect();
        [MAGIC, self.bytes.as_slice(), &numbers, MAGIC].concat()
    }
}

/// The file of moves of a segment.
#[derive(Clone, Debug)]
pub(crate) struct Moves {
    file: Checked,
    /// How many games there are.
    pub(crate) games: u32,
    /// Where the ends of the games begin.
    ends: usize,
}

impl Moves {
    /// The games of a file; `None` if it is damaged.
    pub(crate) fn open(file: Checked) -> Option<Self> {
        let (end, trailer) = file.trailer(TRAILER, MAGIC)?;
        let games = u32::from_le_bytes(*trailer.first_chunk()?);
        let ends = end.checked_sub((games as usize).checked_mul(4)?)?;
        (ends >= MAGIC.len()).then_some(Self { file, games, ends })
    }

    /// The bytes of a game; `None` if there is no such game, or it is damaged.
    #[inline]
    pub(crate) fn get(&self, game: u32) -> Option<&[u8]> {
        if game >= self.games {
            return None;
        }
        let at = self.ends + game as usize * 4;
        let start = match game {
            0 => 0,
            _ => u32::from_le_bytes(*self.file.get(at - 4..at)?.first_chunk()?),
        };
        let end = u32::from_le_bytes(*self.file.get(at..at + 4)?.first_chunk()?);
        let (start, end) = (MAGIC.len() + start as usize, MAGIC.len() + end as usize);
        (start <= end && end <= self.ends).then_some(())?;
        self.file.get(start..end)
    }
}
