//! Which games reach a position: lists of games by the first bits of the position's key.
//!
//! The keys of a segment are cut to so many bits that a few positions share each *bucket*; whatever else is in the
//! bucket of a position is told apart by replaying the game. A bucket's list costs little more than the information
//! that is in it: the number of games in Golomb-Rice form, then the gaps between their numbers in the same form with
//! a parameter that follows from how many there are.
//!
//! Format (a part of the segment's): bits are written least significant first. Buckets are in groups of 64, each group
//! begins at a byte; the *directory* has the byte offset of every group, and of the end, as 32 bits, little endian. A
//! bucket is `rice(n, 2)`; if n is not zero and below 256, n gaps; if it is 256 or more, the length of the gaps in bits
//! (32 bits), then the gaps. A gap is the difference to the game before (to -1 for the first), less one, as
//! `rice(gap, low)` with `low` = floor(log2(max(1, games / n))).

use crate::bits::{BitReader, BitWriter};

const GROUP: u32 = 64;
/// How many games a bucket has for its length to be written in front.
const LONG: u64 = 256;
/// About how many positions a bucket holds.
const PER_BUCKET: u64 = 4;

/// A position on its way into the lists: the first 32 bits of the key above the number of the game.
#[inline]
pub(crate) fn entry(key: u64, game: u32) -> u64 {
    key & 0xFFFF_FFFF_0000_0000 | u64::from(game)
}

/// Lists ready to be written.
#[derive(Debug)]
pub(crate) struct Lists {
    /// How many bits of the key number the buckets.
    pub(crate) bits: u32,
    pub(crate) directory: Vec<u8>,
    pub(crate) data: Vec<u8>,
}

/// How many bits of the key a collection of that many positions is divided by.
pub(crate) fn bits_for(positions: u64) -> u32 {
    (positions / PER_BUCKET).max(1).ilog2().clamp(6, 28)
}

/// Makes the lists of a segment of `games` games from its positions, which come in the order of the games.
pub(crate) fn build(entries: Vec<u64>, games: u32) -> Lists {
    let bits = bits_for(entries.len() as u64);
    let entries = sort_by_bucket(entries, bits);
    let groups = (1_u32 << bits) / GROUP;
    let mut directory = Vec::with_capacity((groups as usize + 1) * 4);
    let mut out = BitWriter::default();
    let mut data = Vec::new();
    let mut list = Vec::new();
    let mut rest = entries.as_slice();
    for group in 0..groups {
        data.append(&mut out.drain());
        directory.extend_from_slice(&(data.len() as u32).to_le_bytes());
        for bucket in group * GROUP..(group + 1) * GROUP {
            let count = rest
                .iter()
                .take_while(|e| **e >> (64 - bits) == u64::from(bucket))
                .count();
            let (here, after) = rest.split_at(count);
            rest = after;
            list.clear();
            list.extend(here.iter().map(|e| *e as u32));
            // A game that reaches the bucket twice is there once.
            list.dedup();
            put_list(&list, games, &mut out);
        }
        out.align();
    }
    data.append(&mut out.drain());
    directory.extend_from_slice(&(data.len() as u32).to_le_bytes());
    Lists {
        bits,
        directory,
        data,
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
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a> {
    pub(crate) bits: u32,
    pub(crate) games: u32,
    pub(crate) directory: &'a [u8],
    pub(crate) data: &'a [u8],
}

impl Reader<'_> {
    /// The games of a key's bucket in their order; `None` if the lists are damaged.
    pub(crate) fn games(&self, key: u64) -> Option<Vec<u32>> {
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
        let offset = |i: u32| {
            let at = i as usize * 4;
            let bytes = self.directory.get(at..at + 4)?;
            Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize)
        };
        let bytes = self.data.get(offset(group)?..offset(group + 1)?)?;
        Some(BitReader::new(bytes, 0))
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

    fn sample(positions: usize, games: u32) -> (Vec<u64>, BTreeMap<u64, Vec<u32>>) {
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
                entries.push(entry(key, game));
                let list = expected.entry(key >> (64 - bits)).or_default();
                if list.last() != Some(&game) {
                    list.push(game);
                }
            }
        }
        (entries, expected)
    }

    #[test]
    fn every_bucket_gives_back_its_games_once_each() {
        for (positions, games) in [(1, 1), (3, 40), (80, 2_000)] {
            let (entries, expected) = sample(positions, games);
            let lists = build(entries, games);
            let reader = Reader {
                bits: lists.bits,
                games,
                directory: &lists.directory,
                data: &lists.data,
            };
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
                assert_eq!(
                    reader.games(bucket << (64 - lists.bits)).as_ref(),
                    Some(list)
                );
            }
        }
    }

    #[test]
    fn damaged_lists_are_refused_or_give_games_that_exist() {
        let (entries, _) = sample(30, 500);
        let lists = build(entries, 500);
        let mut dice = Dice::new(1);
        for _ in 0..2_000 {
            let (mut directory, mut data) = (lists.directory.clone(), lists.data.clone());
            let damaged = if dice.roll(2) == 0 {
                &mut directory
            } else {
                &mut data
            };
            let at = dice.roll(damaged.len());
            damaged[at] ^= 1 << dice.roll(8);
            let reader = Reader {
                bits: lists.bits,
                games: 500,
                directory: &directory,
                data: &data,
            };
            if let Some(games) = reader.games(dice.next()) {
                assert!(games.iter().all(|game| *game < 500));
            }
        }
    }

    #[test]
    fn a_position_takes_about_two_bytes() {
        let mut dice = Dice::new(2);
        let games = 10_000;
        let entries: Vec<_> = (0..games)
            .flat_map(|game| (0..80).map(move |_| game))
            .map(|game| entry(dice.next(), game))
            .collect();
        let count = entries.len();
        let lists = build(entries, games);
        let rate = (lists.data.len() + lists.directory.len()) as f64 / count as f64;
        assert!(rate < 2.0, "{rate}");
    }
}
