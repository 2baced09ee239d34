//! Creates the lists of positions, whose format is described in [`reader`](super::reader).

use crate::codec::bits::BitWriter;
use crate::model::game_set::GameSet;
use crate::storage::per_game::PerGame;
use crate::storage::position_lists::reader::{
    GROUP, LONG, MAGIC, PER_BUCKET, SHARED, TRAILER, low_bits,
};
use rayon::prelude::*;

/// Lists ready to be written.
#[derive(Debug)]
pub(crate) struct Lists {
    /// The bytes of the file.
    pub(crate) bytes: Vec<u8>,
    /// The first 32 bits of the keys of positions that many games may share, in ascending order.
    pub(crate) shared: Vec<u32>,
    /// For each game, the number of its positions among these.
    pub(crate) hits: Vec<u16>,
}

/// The number of bits of the key that select a bucket in a segment with this number of positions.
pub(crate) fn bits_for(positions: u64) -> u32 {
    (positions / PER_BUCKET).max(1).ilog2().clamp(6, 28)
}

/// Replays games, each once, on several threads. Returns the first 32 bits of the keys of each game's positions, and
/// other results of the replay. `None` if a game cannot be replayed.
pub(crate) fn gather<T: Send>(
    games: u32,
    replayed: impl Fn(u32) -> Option<(Vec<u32>, T)> + Sync,
) -> Option<(PerGame<u32>, Vec<T>)> {
    let all: Option<Vec<_>> = (0..games).into_par_iter().map(&replayed).collect();
    let (mut keys, mut others) = (PerGame::default(), Vec::new());
    for (own, other) in all? {
        keys.push(&own);
        others.push(other);
    }
    Some((keys, others))
}

/// Creates the lists of a segment; `None` if there are too many positions for one segment. Takes five bytes per
/// position besides the keys, whose memory is released before the lists are written.
pub(crate) fn build(keys: PerGame<u32>) -> Option<Lists> {
    let (games, positions) = (keys.games(), keys.all.len() as u64);
    let bits = bits_for(positions);
    let bucket_of = |key: u32| (key >> (32 - bits)) as usize;
    // For each bucket, first the number of its keys, then the offset at which it begins among the games of all buckets,
    // and finally, once its games are there, the offset at which it ends.
    let mut places = vec![0_u32; 1 << bits];
    for key in &keys.all {
        places[bucket_of(*key)] += 1;
    }
    let mut crowded = GameSet::default();
    let mut sum = 0;
    for (bucket, place) in (0..).zip(&mut places) {
        if *place as usize >= SHARED {
            crowded.insert(bucket);
        }
        (*place, sum) = (sum, sum + *place);
    }
    let mut reaching = vec![0_u32; positions as usize];
    // The keys in crowded buckets, each with its game.
    let mut often = Vec::new();
    for game in 0..games {
        for key in keys.get(game)? {
            let bucket = bucket_of(*key);
            let place = &mut places[bucket];
            reaching[*place as usize] = game;
            *place += 1;
            if crowded.contains(bucket as u32) {
                often.push(u64::from(*key) << 32 | u64::from(game));
            }
        }
    }
    drop(keys);
    let (mut shared, mut hits) = (Vec::new(), vec![0_u16; games as usize]);
    often.sort_unstable();
    for same in often.chunk_by(|a, b| a >> 32 == b >> 32) {
        if same.len() < SHARED {
            continue;
        }
        shared.push((same[0] >> 32) as u32);
        for entry in same {
            let hits = &mut hits[*entry as u32 as usize];
            *hits = hits.saturating_add(1);
        }
    }
    // The lists grow after the directory, which is filled in last. They take less than two bytes per position.
    let groups = places.chunks(GROUP as usize);
    let start = MAGIC.len() + (groups.len() + 1) * 4;
    let mut out = BitWriter::default();
    out.bytes.reserve(start + positions as usize * 2 + TRAILER);
    out.bytes.extend_from_slice(MAGIC);
    out.bytes.resize(start, 0);
    let mut offsets = Vec::with_capacity(groups.len() + 1);
    let (mut list, mut begin) = (Vec::new(), 0);
    for ends in groups {
        offsets.push(out.bytes.len() - start);
        for end in ends {
            list.clear();
            list.extend_from_slice(&reaching[begin..*end as usize]);
            // A game that reaches a bucket several times is listed once.
            list.dedup();
            put_list(&list, games, &mut out);
            begin = *end as usize;
        }
        out.align();
    }
    offsets.push(out.bytes.len() - start);
    let mut bytes = out.bytes;
    let (directory, _) = bytes[MAGIC.len()..start].as_chunks_mut();
    for (entry, offset) in directory.iter_mut().zip(offsets) {
        *entry = u32::try_from(offset).ok()?.to_le_bytes();
    }
    bytes.extend_from_slice(&bits.to_le_bytes());
    bytes.extend_from_slice(&games.to_le_bytes());
    bytes.extend_from_slice(&positions.to_le_bytes());
    bytes.extend_from_slice(MAGIC);
    Some(Lists {
        bytes,
        shared,
        hits,
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::checksums::Checked;
    use crate::storage::position_lists::reader::Reader;
    use crate::testing::Dice;
    use std::collections::BTreeMap;

    fn sample(positions: usize, games: u32) -> (PerGame<u32>, BTreeMap<u64, Vec<u32>>) {
        let mut dice = Dice::new(positions as u64);
        let common: Vec<u64> = (0..20).map(|_| dice.next()).collect();
        let mut keys = PerGame::default();
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
    fn every_bucket_gives_back_its_games_once_each() {
        for (positions, games) in [(1, 1), (3, 40), (80, 2_000)] {
            let (keys, expected) = sample(positions, games);
            let bits = bits_for(keys.all.len() as u64);
            let lists = build(keys).unwrap();
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
                let key = bucket << (64 - bits);
                assert_eq!(reader.list(key).as_ref(), Some(list));
            }
        }
    }

    #[test]
    fn positions_that_many_games_share_are_found() {
        let mut dice = Dice::new(9);
        let games = SHARED as u32 * 2;
        let mut keys = PerGame::default();
        for game in 0..games {
            let mut own = vec![7, dice.next() as u32];
            own.extend((game % 2 == 0).then_some(1 << 31));
            own.extend((game % 3 == 0).then_some(1 << 30));
            keys.push(&own);
        }
        let lists = build(keys).unwrap();
        assert_eq!(lists.shared, [7, 1 << 31]);
        for (game, hits) in (0..games).zip(lists.hits) {
            assert_eq!(hits, if game % 2 == 0 { 2 } else { 1 });
        }
    }

    #[test]
    fn damaged_lists_are_refused_or_give_games_that_exist() {
        let (keys, _) = sample(30, 500);
        let lists = build(keys).unwrap();
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
        let mut keys = PerGame::default();
        for _ in 0..10_000 {
            let own: Vec<u32> = (0..80).map(|_| dice.next() as u32).collect();
            keys.push(&own);
        }
        let positions = keys.all.len() as u64;
        let lists = build(keys).unwrap();
        let rate = lists.bytes.len() as f64 / positions as f64;
        assert!(rate < 2.0, "{rate}");
    }
}
