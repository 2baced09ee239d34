//! Finds records that differ in a few plies, or of which one ends early at a slip.
//!
//! Records are compared if they share some moves in a row. Only a part of these runs is looked up: those whose hash is a
//! multiple of a number. The choice depends on the moves alone, so an omitted ply or a different beginning does not
//! change it.

use super::RecordPlace;
use super::moves::{MOVE, START};
use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use tridex_text::names::fold;

/// A record that is compared.
#[derive(Clone, Debug)]
pub(super) struct NearRecord {
    pub(super) place: RecordPlace,
    /// The moves that could be read, as [`moves`](super::moves) writes them.
    pub(super) moves: Vec<u8>,
    /// Whether all moves could be read.
    pub(super) is_whole: bool,
}

/// Two records that are nearly the same game.
#[derive(Clone, Debug)]
pub(super) struct NearPair {
    pub(super) first: RecordPlace,
    pub(super) second: RecordPlace,
}

/// The moves in a row by which records are found.
const RUN: usize = 6;

/// One in this many runs is looked up.
const ONE_IN: u64 = 3;

/// Runs that more records have are too common to be looked up, such as those of an opening.
const MOST_ALIKE: usize = 200;

/// A record that ends at a slip is compared if it has this many plies before it.
const LEAST_BROKEN: usize = 8;

type Code = [u8; MOVE];

fn codes(record: &NearRecord) -> &[Code] {
    let moves = record.moves.get(START..).unwrap_or_default();
    moves.as_chunks().0
}

/// The pairs of records that differ in at least one and at most `most` plies, in order. A record that ends at a slip is
/// compared with the beginning of the other one. Records of other rules, of another start, or of other players are not
/// compared.
pub(super) fn pairs(records: &[NearRecord], most: usize) -> Vec<NearPair> {
    let mut known: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, record) in records.iter().enumerate() {
        let mut keys = BTreeSet::new();
        for (place, run) in codes(record).windows(RUN).enumerate() {
            let mut hasher = DefaultHasher::new();
            (record.place.rules, record.moves.get(..START), run).hash(&mut hasher);
            let key = hasher.finish();
            // Short games may have no other run.
            if (place == 0 || key.is_multiple_of(ONE_IN)) && keys.insert(key) {
                known.entry(key).or_default().push(index);
            }
        }
    }
    let mut alike: BTreeSet<(usize, usize)> = BTreeSet::new();
    for group in known.values().filter(|group| group.len() <= MOST_ALIKE) {
        for (place, one) in group.iter().enumerate() {
            alike.extend(group.iter().skip(place + 1).map(|other| (*one, *other)));
        }
    }
    let pairs = alike.into_iter().filter_map(|(one, other)| {
        let (first, second) = (records.get(one)?, records.get(other)?);
        is_near(first, second, most).then(|| NearPair {
            first: first.place.clone(),
            second: second.place.clone(),
        })
    });
    pairs.collect()
}

fn is_near(first: &NearRecord, second: &NearRecord, most: usize) -> bool {
    let names = [
        (&first.place.white, &second.place.white),
        (&first.place.black, &second.place.black),
    ];
    if names.iter().any(|(one, other)| are_others(one, other)) {
        return false;
    }
    let (one, other) = (codes(first), codes(second));
    match (first.is_whole, second.is_whole) {
        (true, true) => one != other && distance(one, other, most, false) <= most,
        (false, false) => false,
        (true, false) => is_beginning(other, one, most),
        (false, true) => is_beginning(one, other, most),
    }
}

/// Whether the readable moves of a broken record are nearly the beginning of another.
fn is_beginning(broken: &[Code], whole: &[Code], most: usize) -> bool {
    broken.len() >= LEAST_BROKEN && distance(broken, whole, most, true) <= most
}

/// Whether two names are certainly those of different players: they have no word in common.
fn are_others(one: &str, other: &str) -> bool {
    let words = |name: &str| -> BTreeSet<String> {
        let name = fold(name);
        let words = name.split_whitespace().map(str::to_owned);
        words
            .filter(|word| word.chars().any(char::is_alphanumeric))
            .collect()
    };
    let (one, other) = (words(one), words(other));
    !one.is_empty() && !other.is_empty() && one.is_disjoint(&other)
}

/// The number of plies to replace, insert or remove in order to get the other moves, or more than `most` if it is
/// greater. With `is_open`, plies at the end of `other` do not count.
fn distance(one: &[Code], other: &[Code], most: usize, is_open: bool) -> usize {
    if !is_open && one.len().abs_diff(other.len()) > most {
        return most + 1;
    }
    // Row `i` has the distances of the first `i` moves of `one` to the first moves of `other`, near the diagonal only.
    let width = 2 * most + 1;
    let far = most + 1;
    let mut row: Vec<usize> = (0..width)
        .map(|at| at.checked_sub(most).unwrap_or(far))
        .collect();
    for (i, code) in one.iter().enumerate() {
        let mut next = vec![far; width];
        for at in 0..width {
            // The number of moves of `other`.
            let Some(j) = (i + 1 + at).checked_sub(most) else {
                continue;
            };
            if j > other.len() {
                break;
            }
            let removed = row.get(at + 1).copied().unwrap_or(far) + 1;
            let inserted = match at.checked_sub(1) {
                Some(before) if j > 0 => next[before] + 1,
                _ => far,
            };
            let replaced = match j.checked_sub(1).and_then(|j| other.get(j)) {
                Some(theirs) => row[at] + usize::from(theirs != code),
                None => far,
            };
            next[at] = removed.min(inserted).min(replaced).min(far);
        }
        row = next;
        if row.iter().all(|distance| *distance >= far) {
            return far;
        }
    }
    if is_open {
        return row.into_iter().min().unwrap_or(far);
    }
    let end = (other.len() + most).checked_sub(one.len());
    end.and_then(|end| row.get(end)).copied().unwrap_or(far)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<Code> {
        text.bytes().map(|byte| [byte, 0, 0]).collect()
    }

    #[test]
    fn plies_to_replace_insert_or_remove_are_counted() {
        for (one, other, closed, open) in [
            ("abcdef", "abcdef", 0, 0),
            ("abcdef", "abxdef", 1, 1),
            ("abcdef", "abdef", 1, 1),
            ("abcdef", "abcdefg", 1, 0),
            ("abcdef", "abcdefghijk", 3, 0),
            ("abcdef", "cbadef", 2, 2),
            ("abcdef", "uvwxyz", 3, 3),
            ("", "", 0, 0),
            ("", "ab", 2, 0),
        ] {
            let (a, b) = (moves(one), moves(other));
            assert_eq!(distance(&a, &b, 2, false), closed.min(3), "{one} {other}");
            assert_eq!(distance(&a, &b, 2, true), open.min(3), "{one} {other}");
            assert_eq!(distance(&b, &a, 2, false), closed.min(3), "{other} {one}");
        }
    }

    #[test]
    fn names_differ_if_they_have_no_word_in_common() {
        assert!(!are_others("Kirk, J.", "James Kirk"));
        assert!(!are_others("?", "Kirk"));
        assert!(are_others("Spock", "Kirk"));
    }
}
