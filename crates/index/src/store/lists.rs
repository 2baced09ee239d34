//! Making the lists of positions, of which [`keys`](super::keys) has the format.

use super::keys::{GROUP, LONG, MAGIC, PER_BUCKET, SHARED, TRAILER, low_bits};
use crate::bits::BitWriter;
use rayon::prelude::*;

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

/// Keys (their first 32 bits) of games on their way into the lists, one game after the other: four bytes a position.
#[derive(Default, Debug)]
pub(crate) struct Keys {
    keys: Vec<u32>,
    /// Where those of each game end.
    ends: Vec<u32>,
}

/// How many games are replayed at a time.
const PORTION: u32 = 4_096;

impl Keys {
    /// Those of a number of games, each replayed once, on several threads; other results of a replay are passed on in the
    /// order of the games. `None` if one cannot be replayed.
    pub(crate) fn gather<T: Send>(
        games: u32,
        replayed: impl Fn(u32) -> Option<(Vec<u32>, T)> + Sync,
        mut besides: impl FnMut(T),
    ) -> Option<Self> {
        let mut all = Self::default();
        for start in (0..games).step_by(PORTION as usize) {
            let portion = start..start.saturating_add(PORTION).min(games);
            let portion: Option<Vec<_>> = portion.into_par_iter().map(&replayed).collect();
            for (keys, other) in portion? {
                all.push(&keys);
                besides(other);
            }
        }
        Some(all)
    }

    /// Appends those of the next game.
    pub(crate) fn push(&mut self, keys: &[u32]) {
        self.keys.extend_from_slice(keys);
        self.ends.push(self.keys.len() as u32);
    }

    /// How many games there are.
    pub(crate) fn games(&self) -> u32 {
        self.ends.len() as u32
    }

    /// How many positions they have.
    pub(crate) fn positions(&self) -> u64 {
        self.keys.len() as u64
    }

    /// How many bytes they take.
    pub(crate) fn memory(&self) -> usize {
        (self.keys.len() + self.ends.len()) * 4
    }

    /// The keys of which the first bits are some, each followed by its game, in the order of the games.
    fn part(&self, first: u32, bits: u32) -> Vec<u64> {
        let is_of = |key: u32| first_bits(key, bits) == first;
        let count = self.keys.iter().filter(|key| is_of(**key)).count();
        // Every key is written and most are written over: to decide for each whether to write it takes longer. The last one
        // needs a place too.
        let mut part = vec![0; count + 1];
        let mut place = 0;
        let mut rest = self.keys.as_slice();
        let mut start = 0;
        for (game, end) in (0_u64..).zip(&self.ends) {
            let (here, after) = rest.split_at((end - start) as usize);
            for key in here {
                if let Some(entry) = part.get_mut(place) {
                    *entry = u64::from(*key) << 32 | game;
                }
                place += usize::from(is_of(*key));
            }
            (rest, start) = (after, *end);
        }
        part.truncate(count);
        part
    }
}

/// The first bits of (the first 32 bits of) a key.
#[inline]
fn first_bits(key: u32, bits: u32) -> u32 {
    key.checked_shr(32 - bits).unwrap_or(0)
}

/// Makes the lists of a segment. Memory is bounded: where there are more positions than `at_once`, of which each takes
/// 16 bytes while they are sorted, the keys are read several times for a part of them each, on `threads` threads. The
/// lists depend on neither. `None` if there are too many for a segment.
pub(crate) fn build(keys: &Keys, at_once: u64, threads: usize) -> Option<Lists> {
    let (games, positions) = (keys.games(), keys.positions());
    let bits = bits_for(positions);
    let part_bits = positions
        .div_ceil(at_once.max(1))
        .next_power_of_two()
        .ilog2()
        .min(bits - 6);
    let groups = (1_u32 << bits) / GROUP;
    // The directory is filled in while the lists grow after it; they take less than two bytes a position.
    let (mut directory, start) = (MAGIC.len(), MAGIC.len() + (groups as usize + 1) * 4);
    let mut bytes = Vec::with_capacity(start + positions as usize * 2 + TRAILER);
    bytes.extend_from_slice(MAGIC);
    bytes.resize(start, 0);
    let mut put_offset = |bytes: &mut Vec<u8>, offset: usize| {
        let offset = u32::try_from(offset).ok()?;
        let entry = bytes.get_mut(directory..directory + 4)?;
        entry.copy_from_slice(&offset.to_le_bytes());
        directory += 4;
        Some(())
    };
    let (mut shared, mut hits) = (Vec::new(), vec![0_u16; games as usize]);
    let build = |part| Part::build(keys, games, part, part_bits, bits);
    let parts = 1_u32 << part_bits;
    for first in (0..parts).step_by(threads.max(1)) {
        let next = first..parts.min(first + threads.max(1) as u32);
        let built: Vec<Part> = match threads {
            0 | 1 => next.map(build).collect(),
            _ => next.into_par_iter().map(build).collect(),
        };
        for mut part in built {
            let before = bytes.len() - start;
            for group in part.groups {
                put_offset(&mut bytes, before + group)?;
            }
            bytes.append(&mut part.bytes);
            shared.append(&mut part.shared);
            for game in part.hits {
                if let Some(hits) = hits.get_mut(game as usize) {
                    *hits = hits.saturating_add(1);
                }
            }
        }
    }
    let end = bytes.len() - start;
    put_offset(&mut bytes, end)?;
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

/// The lists of the keys that begin with some bits.
#[derive(Default)]
struct Part {
    bytes: Vec<u8>,
    /// Where each group begins.
    groups: Vec<usize>,
    /// See [`Lists::shared`].
    shared: Vec<u32>,
    /// The games that reach one of them, once for each.
    hits: Vec<u32>,
}

impl Part {
    fn build(keys: &Keys, games: u32, part: u32, part_bits: u32, bits: u32) -> Self {
        let entries = sort_by_bucket(keys.part(part, part_bits), bits, bits - part_bits);
        let mut all = Self::default();
        let mut out = BitWriter::default();
        let mut list = Vec::new();
        let mut rest = entries.as_slice();
        let groups = 1 << (bits - part_bits - GROUP.ilog2());
        for group in part * groups..(part + 1) * groups {
            all.groups.push(all.bytes.len());
            for bucket in group * GROUP..(group + 1) * GROUP {
                let count = rest
                    .iter()
                    .take_while(|e| **e >> (64 - bits) == u64::from(bucket))
                    .count();
                let (here, after) = rest.split_at(count);
                rest = after;
                if count >= SHARED {
                    all.find_shared(here);
                }
                list.clear();
                list.extend(here.iter().map(|e| *e as u32));
                // A game that reaches the bucket twice is there once.
                list.dedup();
                put_list(&list, games, &mut out);
            }
            out.align();
            all.bytes.append(&mut out.drain());
        }
        all
    }

    /// Finds the keys of a bucket that come often, and the games they come in.
    #[cold]
    fn find_shared(&mut self, bucket: &[u64]) {
        let mut entries = bucket.to_vec();
        entries.sort_unstable();
        for same in entries.chunk_by(|a, b| a >> 32 == b >> 32) {
            if same.len() < SHARED {
                continue;
            }
            let key = same.first().map(|entry| (entry >> 32) as u32);
            self.shared.extend(key);
            self.hits.extend(same.iter().map(|entry| *entry as u32));
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

/// Orders entries by their first `bits` bits, of which all but the last `width` are the same in all, keeping the order of
/// those that agree: as many passes as needed of 11 bits at most.
fn sort_by_bucket(mut from: Vec<u64>, bits: u32, width: u32) -> Vec<u64> {
    let passes = width.div_ceil(11);
    let step = width.div_ceil(passes);
    let mut to = vec![0; from.len()];
    for pass in 0..passes {
        let shift = 64 - bits + pass * step;
        let mask = (1_u64 << step.min(width - pass * step)) - 1;
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

#[cfg(test)]
mod tests {
    use super::super::folder::Checked;
    use super::super::keys::Reader;
    use super::*;
    use crate::testing::Dice;
    use std::collections::BTreeMap;

    fn sample(positions: usize, games: u32) -> (Keys, BTreeMap<u64, Vec<u32>>) {
        let mut dice = Dice::new(positions as u64);
        let common: Vec<u64> = (0..20).map(|_| dice.next()).collect();
        let mut keys = Keys::default();
        let mut expected: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        let bits = bits_for((games as usize * positions) as u64);
        for game in 0..games {
            let mut own = Vec::new();
            for _ in 0..positions {
                let key = if dice.roll(4) == 0 {
                    common[dice.roll(20)]
                } else {
                    dice.next()
                };
                own.push((key >> 32) as u32);
                let list = expected.entry(key >> (64 - bits)).or_default();
                if list.last() != Some(&game) {
                    list.push(game);
                }
            }
            keys.push(&own);
        }
        (keys, expected)
    }

    fn reader(bytes: &[u8]) -> Reader {
        Reader::open(Checked::of(bytes)).unwrap()
    }

    #[test]
    fn every_bucket_gives_back_its_games_once_each_however_many_are_sorted_at_once() {
        for (positions, games) in [(1, 1), (3, 40), (80, 2_000)] {
            let (keys, expected) = sample(positions, games);
            let lists = build(&keys, u64::MAX, 1).unwrap();
            for (at_once, threads) in [(keys.positions() / 3, 1), (1, 1), (1, 3), (9, 2)] {
                let again = build(&keys, at_once, threads).unwrap();
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
                let key = bucket << (64 - bits_for(keys.positions()));
                assert_eq!(reader.list(key).as_ref(), Some(list));
            }
        }
    }

    #[test]
    fn positions_that_many_games_share_are_found() {
        let mut dice = Dice::new(9);
        let games = SHARED as u32 * 2;
        let mut keys = Keys::default();
        for game in 0..games {
            let mut own = vec![7, dice.next() as u32];
            own.extend((game % 2 == 0).then_some(1 << 31));
            own.extend((game % 3 == 0).then_some(1 << 30));
            keys.push(&own);
        }
        let lists = build(&keys, 100, 2).unwrap();
        assert_eq!(lists.shared, [7, 1 << 31]);
        for (game, hits) in (0..games).zip(lists.hits) {
            assert_eq!(hits, if game % 2 == 0 { 2 } else { 1 });
        }
    }

    #[test]
    fn damaged_lists_are_refused_or_give_games_that_exist() {
        let (keys, _) = sample(30, 500);
        let lists = build(&keys, u64::MAX, 1).unwrap();
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
        let mut keys = Keys::default();
        for _ in 0..10_000 {
            let own: Vec<u32> = (0..80).map(|_| dice.next() as u32).collect();
            keys.push(&own);
        }
        let lists = build(&keys, u64::MAX, 1).unwrap();
        let rate = lists.bytes.len() as f64 / keys.positions() as f64;
        assert!(rate < 2.0, "{rate}");
    }
}
