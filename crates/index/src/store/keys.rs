//! Which games reach a position: lists of games by the first bits of the position's key.
//!
//! The keys of a segment are cut to so many bits that a few positions share each *bucket*; whatever else is in the
//! bucket of a position is told apart by replaying the game. A bucket's list costs little more than the information
//! that is in it: the number of games in Golomb-Rice form, then the gaps between their numbers in the same form with
//! a parameter that follows from how many there are.
//!
//! Format (of the file `.keys`): the magic word; the *directory*; the buckets; the bits of the key, the games and the
//! positions, as 32, 32 and 64 bits; the magic word again. Numbers of fixed size are little endian. Bits are written
//! least significant first. Buckets are in groups of 64, each group begins at a byte; the directory has the byte offset
//! of every group, counted from the first, and of the end, as 32 bits. A
//! bucket is `rice(n, 2)`; if n is not zero and below 256, n gaps; if it is 256 or more, the length of the gaps in bits
//! (32 bits), then the gaps. A gap is the difference to the game before (to -1 for the first), less one, as
//! `rice(gap, low)` with `low` = floor(log2(max(1, games / n))).

use super::folder::Checked;
use crate::bits::{BitReader, BitWriter};
use std::ops::Range;

const GROUP: u32 = 64;
/// How many games a bucket has for its length to be written in front.
const LONG: u64 = 256;
/// About how many positions a bucket holds.
const PER_BUCKET: u64 = 4;

/// How many games reach a position that is *shared*: such positions have tables of their own.
pub(crate) const SHARED: usize = 512;
const MAGIC: &[u8; 8] = b"TRIDEXK2";
/// What is behind the buckets: bits, games, positions, the magic word.
const TRAILER: usize = 24;

/// Lists ready to be written.
#[derive(Debug)]
pub(crate) struct Lists {
    /// The bytes of the file.
    pub(crate) bytes: Vec<u8>,
    /// The first 32 bits of the keys of positions that many games may share, in order.
    pub(crate) shared: Vec<u32>,
    /// How many of its positions are such, by game.
    pub(crate) hits: Vec<u16>,
}

/// How many bits of the key a collection of that many positions is divided by.
pub(crate) fn bits_for(positions: u64) -> u32 {
    (positions / PER_BUCKET).max(1).ilog2().clamp(6, 28)
}

/// Keys (their first 32 bits) of some games on their way into the lists, in the order of the games.
pub(crate) trait Keys {
    /// Hands every key of which the first bits are some to a function, with its game; `None` if they cannot be had.
    fn each(&self, first: u32, bits: u32, f: &mut dyn FnMut(u32, u32)) -> Option<()>;
}

/// The first bits of (the first 32 bits of) a key.
#[inline]
pub(crate) fn first_bits(key: u32, bits: u32) -> u32 {
    key.checked_shr(32 - bits).unwrap_or(0)
}

/// Makes the lists of a segment of `games` games with so many positions. Memory is bounded: where there are more
/// positions than `at_once`, of which each takes 16 bytes while they are sorted, the keys are asked for several times, a
/// part of them each time. The lists do not depend on that.
pub(crate) fn build(keys: &dyn Keys, games: u32, positions: u64, at_once: u64) -> Option<Lists> {
    let bits = bits_for(positions);
    let pass_bits = positions
        .div_ceil(at_once.max(1))
        .next_power_of_two()
        .ilog2()
        .min(bits - 6);
    let groups = (1_u32 << bits) / GROUP;
    // The directory is filled in while the lists grow behind it; they take less than two bytes a position.
    let (mut directory, start) = (MAGIC.len(), MAGIC.len() + (groups as usize + 1) * 4);
    let mut bytes = Vec::with_capacity(start + positions as usize * 2 + TRAILER);
    bytes.extend_from_slice(MAGIC);
    bytes.resize(start, 0);
    let mut put_offset = |bytes: &mut Vec<u8>| {
        let offset = u32::try_from(bytes.len() - start).ok()?;
        let entry = bytes.get_mut(directory..directory + 4)?;
        entry.copy_from_slice(&offset.to_le_bytes());
        directory += 4;
        Some(())
    };
    let mut out = BitWriter::default();
    let mut list = Vec::new();
    let (mut shared, mut hits) = (Vec::new(), vec![0_u16; games as usize]);
    for pass in 0..1_u32 << pass_bits {
        // Some more than there are of a part as a rule: what nearly all games share is in one of them.
        let share = positions >> pass_bits;
        let mut entries = Vec::with_capacity((share + share / 4) as usize);
        keys.each(pass, pass_bits, &mut |key, game| {
            entries.push(u64::from(key) << 32 | u64::from(game));
        })?;
        let entries = sort_by_bucket(entries, bits);
        let mut rest = entries.as_slice();
        for group in pass * (groups >> pass_bits)..(pass + 1) * (groups >> pass_bits) {
            bytes.append(&mut out.drain());
            put_offset(&mut bytes)?;
            for bucket in group * GROUP..(group + 1) * GROUP {
                let count = rest
                    .iter()
                    .take_while(|e| **e >> (64 - bits) == u64::from(bucket))
                    .count();
                let (here, after) = rest.split_at(count);
                rest = after;
                if count >= SHARED {
                    find_shared(here, &mut shared, &mut hits);
                }
                list.clear();
                list.extend(here.iter().map(|e| *e as u32));
                // A game that reaches the bucket twice is there once.
                list.dedup();
                put_list(&list, games, &mut out);
            }
            out.align();
        }
    }
    bytes.append(&mut out.drain());
    put_offset(&mut bytes)?;
    bytes.extend_from_slice(&bits.to_le_bytes());
    bytes.extend_from_slice(&games.to_le_bytes());
    bytes.extend_from_slice(&positions.to_le_bytes());
    bytes.extend_from_slice(MAGIC);
    shared.sort_unstable();
    Some(Lists {
        bytes,
        shared,
        hits,
    })
}

/// Finds the keys of a bucket that come often, and counts them by game.
#[cold]
fn find_shared(bucket: &[u64], shared: &mut Vec<u32>, hits: &mut [u16]) {
    let mut entries = bucket.to_vec();
    entries.sort_unstable();
    for same in entries.chunk_by(|a, b| a >> 32 == b >> 32) {
        if same.len() < SHARED {
            continue;
        }
        shared.extend(same.first().map(|entry| (entry >> 32) as u32));
        for entry in same {
            if let Some(hits) = hits.get_mut(*entry as u32 as usize) {
                *hits = hits.saturating_add(1);
            }
        }
    }
}

fn put_list(list: &[u32], games: u32, out: &mut BitWriter) {
    let n = list.len() as u64;
    out.rice(n, 2);
    if n == 0 {
        return;
    }
    let low = low_bits(games, n);
    let put_gaps = |out: &mut BitWriter| {
        let mut next = 0;
        for game in list {
            out.rice(u64::from(game - next), low);
            next = game + 1;
        }
    };
    if n >= LONG {
        let mut gaps = BitWriter::default();
        put_gaps(&mut gaps);
        out.put(gaps.len(), 32);
    }
    put_gaps(out);
}

#[inline]
fn low_bits(games: u32, n: u64) -> u32 {
    (u64::from(games) / n).max(1).ilog2()
}

/// Orders entries by the first `bits` bits, keeping the order of those that agree: as many passes as needed of 11
/// bits at most.
fn sort_by_bucket(mut from: Vec<u64>, bits: u32) -> Vec<u64> {
    let passes = bits.div_ceil(11);
    let width = bits.div_ceil(passes);
    let mut to = vec![0; from.len()];
    for pass in 0..passes {
        let shift = 64 - bits + pass * width;
        let mask = (1_u64 << width.min(64 - shift)) - 1;
        let digit = |entry: &u64| (entry >> shift & mask) as usize;
        let mut places = vec![0_usize; mask as usize + 1];
        for entry in &from {
            places[digit(entry)] += 1;
        }
        let mut sum = 0;
        for place in &mut places {
            let count = *place;
            *place = sum;
            sum += count;
        }
        for entry in &from {
            let place = &mut places[digit(entry)];
            to[*place] = *entry;
            *place += 1;
        }
        std::mem::swap(&mut from, &mut to);
    }
    from
}

/// The lists of a segment.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    file: Checked,
    bits: u32,
    games: u32,
    positions: u64,
    /// Where the buckets begin and end.
    data: Range<usize>,
}

impl Reader {
    /// The lists of a file; `None` if it is damaged.
    pub(crate) fn open(file: Checked) -> Option<Self> {
        let end = file.body()?.checked_sub(TRAILER)?;
        let trailer = file.get(end..end + TRAILER)?;
        let number = |at: usize| Some(u32::from_le_bytes(*trailer.get(at..)?.first_chunk()?));
        let (bits, games) = (number(0)?, number(4)?);
        let positions = u64::from_le_bytes(*trailer.get(8..)?.first_chunk()?);
        if trailer.get(16..)? != MAGIC || !(6..=28).contains(&bits) {
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

    /// How many games the segment was written with.
    pub(crate) fn games(&self) -> u32 {
        self.games
    }

    /// How many positions there are in it.
    pub(crate) fn positions(&self) -> u64 {
        self.positions
    }

    /// Whether the lists are the ones of a file.
    pub(crate) fn are(&self, bytes: &[u8]) -> bool {
        self.file.body() == Some(bytes.len()) && self.file.get(0..bytes.len()) == Some(bytes)
    }

    /// The games of a key's bucket in their order; `None` if the lists are damaged.
    pub(crate) fn list(&self, key: u64) -> Option<Vec<u32>> {
        let bucket = (key >> (64 - self.bits)) as u32;
        let mut bits = self.group(bucket / GROUP)?;
        for _ in 0..bucket % GROUP {
            self.skip_list(&mut bits);
        }
        let mut games = Vec::new();
        self.read_list(&mut bits, &mut games)?;
        Some(games)
    }

    /// Hands every list to a function: the bucket and its games. `None` if the lists are damaged.
    #[cfg(test)]
    pub(crate) fn for_each(&self, mut f: impl FnMut(u32, &[u32])) -> Option<()> {
        let mut games = Vec::new();
        for group in 0..(1 << self.bits) / GROUP {
            let mut bits = self.group(group)?;
            for bucket in group * GROUP..(group + 1) * GROUP {
                games.clear();
                self.read_list(&mut bits, &mut games)?;
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
        Some(BitReader::new(self.file.get(start..end)?, 0))
    }

    fn skip_list(&self, bits: &mut BitReader<'_>) {
        let n = bits.rice(2);
        if n == 0 || bits.is_overrun() {
            return;
        }
        if n >= LONG {
            let length = bits.take(32);
            bits.skip(length);
            return;
        }
        let low = low_bits(self.games, n);
        for _ in 0..n {
            bits.rice(low);
        }
    }

    fn read_list(&self, bits: &mut BitReader<'_>, games: &mut Vec<u32>) -> Option<()> {
        let n = bits.rice(2);
        if n == 0 {
            return (!bits.is_overrun()).then_some(());
        }
        if n > u64::from(self.games) {
            return None;
        }
        if n >= LONG {
            bits.take(32);
        }
        let low = low_bits(self.games, n);
        let mut next = 0_u64;
        for _ in 0..n {
            let game = next + bits.rice(low);
            if game >= u64::from(self.games) || bits.is_overrun() {
                return None;
            }
            games.push(game as u32);
            next = game + 1;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Dice;
    use std::collections::BTreeMap;

    fn sample(positions: usize, games: u32) -> (Made, BTreeMap<u64, Vec<u32>>) {
        let mut dice = Dice::new(positions as u64);
        let common: Vec<u64> = (0..20).map(|_| dice.next()).collect();
        let mut entries = Vec::new();
        let mut expected: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        let bits = bits_for((games as usize * positions) as u64);
        for game in 0..games {
            for _ in 0..positions {
                let key = if dice.roll(4) == 0 {
                    common[dice.roll(20)]
                } else {
                    dice.next()
                };
                entries.push(((key >> 32) as u32, game));
                let list = expected.entry(key >> (64 - bits)).or_default();
                if list.last() != Some(&game) {
                    list.push(game);
                }
            }
        }
        (Made(entries), expected)
    }

    /// Keys of games in their order.
    struct Made(Vec<(u32, u32)>);

    impl Keys for Made {
        fn each(&self, first: u32, bits: u32, f: &mut dyn FnMut(u32, u32)) -> Option<()> {
            let ours = self
                .0
                .iter()
                .filter(|(key, _)| first_bits(*key, bits) == first);
            ours.for_each(|(key, game)| f(*key, *game));
            Some(())
        }
    }

    fn reader(bytes: &[u8]) -> Reader {
        Reader::open(Checked::of(bytes)).unwrap()
    }

    #[test]
    fn every_bucket_gives_back_its_games_once_each_however_many_are_sorted_at_once() {
        for (positions, games) in [(1, 1), (3, 40), (80, 2_000)] {
            let (keys, expected) = sample(positions, games);
            let count = keys.0.len() as u64;
            let lists = build(&keys, games, count, u64::MAX).unwrap();
            for at_once in [count / 3, 1] {
                let again = build(&keys, games, count, at_once).unwrap();
                assert_eq!(again.bytes, lists.bytes);
                assert_eq!(
                    (again.shared, again.hits),
                    (lists.shared.clone(), lists.hits.clone())
                );
            }
            let reader = reader(&lists.bytes);
            let mut found = BTreeMap::new();
            reader
                .for_each(|bucket, list| {
                    if !list.is_empty() {
                        found.insert(u64::from(bucket), list.to_vec());
                    }
                })
                .unwrap();
            assert_eq!(found, expected);
            for (bucket, list) in &expected {
                let key = bucket << (64 - reader.bits);
                assert_eq!(reader.list(key).as_ref(), Some(list));
            }
        }
    }

    #[test]
    fn positions_that_many_games_share_are_found() {
        let mut dice = Dice::new(9);
        let games = SHARED as u32 * 2;
        let mut keys = Vec::new();
        for game in 0..games {
            keys.push((7, game));
            keys.extend((game % 2 == 0).then_some((1 << 31, game)));
            keys.extend((game % 3 == 0).then_some((1 << 30, game)));
            keys.push((dice.next() as u32, game));
        }
        let count = keys.len() as u64;
        let lists = build(&Made(keys), games, count, 100).unwrap();
        assert_eq!(lists.shared, [7, 1 << 31]);
        for (game, hits) in (0..games).zip(lists.hits) {
            assert_eq!(hits, if game % 2 == 0 { 2 } else { 1 });
        }
    }

    #[test]
    fn damaged_lists_are_refused_or_give_games_that_exist() {
        let (keys, _) = sample(30, 500);
        let count = keys.0.len() as u64;
        let lists = build(&keys, 500, count, u64::MAX).unwrap();
        let mut dice = Dice::new(1);
        for _ in 0..2_000 {
            let mut bytes = lists.bytes.clone();
            let at = dice.roll(bytes.len() - TRAILER);
            bytes[at] ^= 1 << dice.roll(8);
            if let Some(games) = reader(&bytes).list(dice.next()) {
                assert!(games.iter().all(|game| *game < 500));
            }
        }
    }

    #[test]
    fn a_position_takes_about_two_bytes() {
        let mut dice = Dice::new(2);
        let games = 10_000;
        let keys = (0..games).flat_map(|game| (0..80).map(move |_| game));
        let keys = Made(keys.map(|game| (dice.next() as u32, game)).collect());
        let count = keys.0.len() as u64;
        let lists = build(&keys, games, count, u64::MAX).unwrap();
        let rate = lists.bytes.len() as f64 / count as f64;
        assert!(rate < 2.0, "{rate}");
    }
}
