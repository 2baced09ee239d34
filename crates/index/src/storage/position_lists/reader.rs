//! Lists of the games that reach a position, by the first bits of the position's key.
//!
//! The keys of a segment are cut to a length at which a few positions share each *bucket*. A replay of the games in the
//! bucket rules out its other positions. A bucket's list takes little more space than its information requires: the
//! number of games in Golomb-Rice form, then the gaps between their numbers in the same form, with a parameter that
//! depends on the number of games.
//!
//! Format (of the file `.keys`): the magic word; the *directory*; the buckets; the number of bits of the key, the
//! number of games and the number of positions, as 32, 32 and 64 bits; the magic word again. Numbers of fixed size are
//! little endian. Bits are written least significant first. Buckets are in groups of 64, and each group begins at a
//! byte. The directory has the byte offset of every group, counted from the first group, and of the end, as 32 bits
//! each. A bucket is `rice(n, 2)`; then, if n is not zero and below 256, n gaps; if n is 256 or more, the length of the
//! gaps in bits (32 bits), then the gaps. A gap is the difference to the game before (to -1 for the first), less one,
//! as `rice(gap, low)` with `low` = floor(log2(max(1, games / n))). [`builder`](super::builder) creates the lists.

use crate::codec::bits::BitReader;
use crate::storage::checksums::Checked;
use std::ops::Range;

pub(crate) const GROUP: u32 = 64;
/// From this number of games on, a bucket has the length of its gaps in front.
pub(crate) const LONG: u64 = 256;
/// The approximate number of positions in a bucket.
pub(crate) const PER_BUCKET: u64 = 4;

/// A position that at least this number of games reach is *shared*. Shared positions have tables of their own.
pub(crate) const SHARED: usize = 512;
pub(crate) const MAGIC: &[u8; 8] = b"TRIDEXK2";
/// The length of the part after the buckets: bits, games, positions, the magic word.
pub(crate) const TRAILER: usize = 24;

/// The number of low bits of a gap that are written unchanged, for `n` of `games` games.
#[inline]
pub(crate) fn low_bits(games: u32, n: u64) -> u32 {
    (u64::from(games) / n).max(1).ilog2()
}

/// The lists of a segment.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    file: Checked,
    bits: u32,
    /// The number of games the segment was written with.
    pub(crate) games: u32,
    /// The number of positions in the segment.
    pub(crate) positions: u64,
    /// Where the buckets begin and end.
    data: Range<usize>,
}

impl Reader {
    /// Opens a file of lists; `None` if it is damaged.
    pub(crate) fn open(file: Checked) -> Option<Self> {
        let (end, trailer) = file.trailer(TRAILER, MAGIC)?;
        let number = |at: usize| Some(u32::from_le_bytes(*trailer.get(at..)?.first_chunk()?));
        let (bits, games) = (number(0)?, number(4)?);
        let positions = u64::from_le_bytes(*trailer.get(8..)?.first_chunk()?);
        if !(6..=28).contains(&bits) {
            return None;
        }
        let start = MAGIC.len() + ((1_usize << bits) / GROUP as usize + 1) * 4;
        (start <= end).then_some(())?;
        Some(Self {
            file,
            bits,
            games,
            positions,
            data: start..end,
        })
    }

    /// Whether the file has exactly these bytes.
    pub(crate) fn are(&self, bytes: &[u8]) -> bool {
        self.file.body() == Some(bytes.len()) && self.file.get(0..bytes.len()) == Some(bytes)
    }

    /// The games in the bucket of a key, in order; `None` if the lists are damaged.
    pub(crate) fn list(&self, key: u64) -> Option<Vec<u32>> {
        let bucket = (key >> (64 - self.bits)) as u32;
        let mut bits = self.group(bucket / GROUP)?;
        for _ in 0..bucket % GROUP {
            self.read_list(&mut bits, None)?;
        }
        let mut games = Vec::new();
        self.read_list(&mut bits, Some(&mut games))?;
        Some(games)
    }

    /// Calls a function with every bucket and its games. `None` if the lists are damaged.
    #[cfg(test)]
    pub(crate) fn for_each(&self, mut f: impl FnMut(u32, &[u32])) -> Option<()> {
        let mut games = Vec::new();
        for group in 0..(1 << self.bits) / GROUP {
            let mut bits = self.group(group)?;
            for bucket in group * GROUP..(group + 1) * GROUP {
                games.clear();
                self.read_list(&mut bits, Some(&mut games))?;
                f(bucket, &games);
            }
        }
        Some(())
    }

    fn group(&self, group: u32) -> Option<BitReader<'_>> {
        let at = MAGIC.len() + group as usize * 4;
        let entries = self.file.get(at..at + 8)?;
        let offset = |entry: &[u8]| Some(u32::from_le_bytes(*entry.first_chunk()?) as usize);
        let start = self.data.start.checked_add(offset(entries)?)?;
        let end = self.data.start.checked_add(offset(entries.get(4..)?)?)?;
        (start <= end && end <= self.data.end).then_some(())?;
        Some(BitReader::new(self.file.get(start..end)?))
    }

    /// Reads a list into a vector, or skips it if there is none.
    fn read_list(&self, bits: &mut BitReader<'_>, mut list: Option<&mut Vec<u32>>) -> Option<()> {
        let n = bits.rice(2);
        if n == 0 {
            return (!bits.is_overrun()).then_some(());
        }
        if n > u64::from(self.games) {
            return None;
        }
        if n >= LONG {
            let length = bits.take(32);
            if list.is_none() {
                bits.at += length;
                return Some(());
            }
        }
        let low = low_bits(self.games, n);
        let mut next = 0_u64;
        for _ in 0..n {
            let game = next + bits.rice(low);
            if game >= u64::from(self.games) || bits.is_overrun() {
                return None;
            }
            if let Some(list) = &mut list {
                list.push(game as u32);
            }
            next = game + 1;
        }
        Some(())
    }
}
