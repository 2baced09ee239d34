//! Games that are the beginning of another.
//!
//! Every game is gone through once more, and after each of its plies it is asked whether a whole game has that hash.

use super::moves::{Hash, MOVE, start_len};
use super::spool::MoveSpool;
use super::{Choice, Entry, Keep};
use std::io;

/// For each leader that is the beginning of another the leader of the game that stands for it: one that is itself the
/// beginning of none.
pub(super) fn longer(
    entries: &[Entry],
    leaders: &[usize],
    kept: &[usize],
    choice: Choice,
    spool: &mut MoveSpool,
) -> io::Result<Vec<Option<usize>>> {
    let known = Known::new(entries, leaders);
    let mut begins = vec![false; entries.len()];
    each(&known, entries, leaders, spool, |short, _| {
        if let Some(begins) = begins.get_mut(short) {
            *begins = true;
        }
    })?;
    let mut longer = vec![None; entries.len()];
    if !begins.contains(&true) {
        return Ok(longer);
    }
    // How good a game is as the one that stands for its beginnings: more is better, and of equal ones the first.
    let merit = |long: usize| {
        let record = kept.get(long).copied().unwrap_or(long);
        let entry = entries.get(record);
        match choice.keep {
            Keep::First => 0,
            Keep::Longest => entry.map_or(0, |entry| entry.plies),
            Keep::Annotated => entry.map_or(0, |entry| entry.annotations),
        }
    };
    each(&known, entries, leaders, spool, |short, long| {
        if begins.get(long) == Some(&true) {
            return;
        }
        if let Some(best) = longer.get_mut(short)
            && best.is_none_or(|best| merit(long) > merit(best))
        {
            *best = Some(long);
        }
    })?;
    Ok(longer)
}

/// Hands over every pair of leaders of which the one is the beginning of the other.
fn each(
    known: &Known,
    entries: &[Entry],
    leaders: &[usize],
    spool: &mut MoveSpool,
    mut found: impl FnMut(usize, usize),
) -> io::Result<()> {
    let (mut long, mut short) = (Vec::new(), Vec::new());
    for (game, entry) in entries.iter().enumerate() {
        if leaders.get(game) != Some(&game) {
            continue;
        }
        spool.read(entry.at, entry.len, &mut long)?;
        let start = start_len(&long);
        let (first, moves) = long.split_at(start.min(long.len()));
        let mut hash = Hash::of_start(first);
        let mut len = start;
        for mv in moves.chunks_exact(MOVE) {
            for other in known.with(hash.value()) {
                let Some(other_entry) = entries.get(*other) else {
                    continue;
                };
                if other_entry.len as usize == len {
                    spool.peek(other_entry.at, other_entry.len, &mut short)?;
                    if long.starts_with(&short) {
                        found(*other, game);
                    }
                }
            }
            hash = hash.after(mv);
            len += MOVE;
        }
    }
    Ok(())
}

/// The leaders by their hashes.
struct Known {
    /// Sorted.
    hashes: Vec<u64>,
    games: Vec<usize>,
    /// One bit for each of the highest bits of a hash that is there: most questions end here.
    bits: Vec<u64>,
    shift: u32,
}

impl Known {
    fn new(entries: &[Entry], leaders: &[usize]) -> Self {
        let mut pairs: Vec<(u64, usize)> = entries
            .iter()
            .enumerate()
            .filter(|(game, _)| leaders.get(*game) == Some(game))
            .map(|(game, entry)| (entry.hash, game))
            .collect();
        pairs.sort_unstable();
        // Sixteen bits or more for each game.
        let size = (pairs.len() * 16).next_power_of_two().max(64);
        let shift = 64 - size.trailing_zeros();
        let mut bits = vec![0_u64; size / 64];
        for (hash, _) in &pairs {
            let place = hash >> shift;
            if let Some(word) = bits.get_mut((place / 64) as usize) {
                *word |= 1 << (place % 64);
            }
        }
        let (hashes, games) = pairs.into_iter().unzip();
        Self {
            hashes,
            games,
            bits,
            shift,
        }
    }

    /// The leaders of this hash.
    fn with(&self, hash: u64) -> &[usize] {
        let place = hash >> self.shift;
        let word = self.bits.get((place / 64) as usize).copied();
        if word.unwrap_or(0) >> (place % 64) & 1 == 0 {
            return &[];
        }
        let from = self.hashes.partition_point(|other| *other < hash);
        let behind = self.hashes.get(from..).unwrap_or_default();
        let count = behind.iter().take_while(|other| **other == hash).count();
        self.games.get(from..from + count).unwrap_or_default()
    }
}
