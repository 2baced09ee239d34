//! The moves of a segment.
//!
//! Format of the file `.moves`: the magic word; the games, one after the other (see
//! [`GameBytes`](crate::model::game_bytes::GameBytes)); the offset at which each game ends, counted from the first game (4
//! bytes each, little endian); the number of games (4 bytes); the magic word again.

use crate::storage::checksums::Checked;
use crate::storage::per_game::PerGame;

const MAGIC: &[u8; 8] = b"TRIDEXM2";
/// The length of the part after the ends of the games.
const TRAILER: usize = 12;

/// The content of the file for some games.
pub(crate) fn write(games: &PerGame<u8>) -> Vec<u8> {
    let numbers = games.ends.iter().copied().chain([games.games()]);
    let numbers: Vec<u8> = numbers.flat_map(u32::to_le_bytes).collect();
    [MAGIC, games.all.as_slice(), &numbers, MAGIC].concat()
}

/// The file of moves of a segment.
#[derive(Clone, Debug)]
pub(crate) struct Moves {
    file: Checked,
    /// The number of games.
    pub(crate) games: u32,
    /// The offset of the list of ends.
    ends: usize,
}

impl Moves {
    /// Opens a file of moves; `None` if it is damaged.
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
