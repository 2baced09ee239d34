//! Which segments become one.
//!
//! Written here because the merged segments must follow one another, so that games keep their order. tantivy's own policies
//! pick segments by size, wherever they are.

use std::ops::Range;

/// What the plan knows of a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Size {
    /// Its games, deleted ones included.
    pub(crate) games: u32,
    pub(crate) deleted: u32,
    /// Its positions; more if its games have few.
    pub(crate) positions: u64,
}

/// The greatest segment merging makes, in positions: merging takes some twelve bytes of memory for each, those of the files
/// that are read included.
const MERGE_LIMIT: u64 = 10_000_000;
/// From how many segments on some are merged. Every query is put to each of them, and to open one takes a quarter of a
/// millisecond; but merging replays its games.
const MANY_SEGMENTS: usize = 6;

/// Segments that follow each other and should become one: one of which most was deleted; and, where there are many, as
/// many as may be in one segment, if none of them makes up most of it, so that a game is not merged again and again.
pub(crate) fn plan(segments: &[Size]) -> Option<Range<usize>> {
    let wasted = |s: &Size| u64::from(s.deleted) * 2 > u64::from(s.games);
    if let Some(i) = segments.iter().position(wasted) {
        return Some(i..i + 1);
    }
    if segments.len() <= MANY_SEGMENTS {
        return None;
    }
    let from = |start: usize| {
        let mut total = 0;
        let rest = segments.get(start..).unwrap_or_default();
        let fit = rest.iter().take_while(|s| {
            total += s.positions;
            total <= MERGE_LIMIT
        });
        start..start + fit.count()
    };
    let worth = |range: &Range<usize>| {
        let part = segments.get(range.clone()).unwrap_or_default();
        let total: u64 = part.iter().map(|s| s.positions).sum();
        let greatest = part.iter().map(|s| s.positions).max().unwrap_or(0);
        part.len() > 1 && greatest * 3 <= total * 2
    };
    (0..segments.len())
        .map(from)
        .filter(worth)
        .min_by_key(|range| std::cmp::Reverse(range.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segments(positions: &[u64]) -> Vec<Size> {
        let size = |positions: &u64| Size {
            games: 1_000,
            deleted: 0,
            positions: *positions,
        };
        positions.iter().map(size).collect()
    }

    #[test]
    fn segments_are_merged_when_there_are_too_many() {
        assert_eq!(plan(&segments(&[100; 6])), None);
        assert_eq!(plan(&segments(&[100; 7])), Some(0..7));
        // Not with one that is much bigger.
        let mut mixed = vec![4_000_000];
        mixed.extend([100; 8]);
        assert_eq!(plan(&segments(&mixed)), Some(1..9));
        mixed.splice(1.., [800]);
        assert_eq!(plan(&segments(&mixed)), None);
        // As many as fit.
        assert_eq!(plan(&segments(&[3_000_000; 11])), Some(0..3));
        assert_eq!(plan(&segments(&[4_000_000; 6])), None);
        assert_eq!(plan(&segments(&[4_000_000; 7])), Some(0..2));
        // Too big to become one.
        assert_eq!(plan(&segments(&[8_000_000; 50])), None);
        let mut deleted = segments(&[4_000_000; 3]);
        deleted[1].deleted = 501;
        assert_eq!(plan(&deleted), Some(1..2));
    }

    /// How many segments there are after `count` of a size, and how many positions were written by merging.
    fn after(count: usize, size: u64) -> (usize, u64) {
        let mut sizes: Vec<u64> = Vec::new();
        let mut written = 0;
        for size in std::iter::repeat_n(size, count) {
            sizes.push(size);
            while let Some(range) = plan(&segments(&sizes)) {
                let total: u64 = sizes[range.clone()].iter().sum();
                written += total;
                sizes.splice(range, [total]);
            }
        }
        (sizes.len(), written)
    }

    #[test]
    fn merging_comes_to_an_end_and_leaves_few_segments() {
        let (left, written) = after(400, 4_000_000);
        assert!(left <= 400 / 2 + 6, "{left}");
        assert!(written <= 400 * 4_000_000 * 2, "{written}");
        // A game at a time.
        let (left, written) = after(20_000, 80);
        assert!(left <= 9, "{left}");
        assert!(written <= 20_000 * 80 * 15, "{written}");
    }
}
