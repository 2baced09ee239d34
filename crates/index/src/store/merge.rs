//! Which segments become one.

use std::ops::Range;

/// What the plan knows of a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Size {
    /// Its games, deleted ones included.
    pub(crate) games: u32,
    pub(crate) deleted: u32,
    pub(crate) positions: u64,
}

/// How many segments of about a size make one bigger one.
const MERGE_FACTOR: usize = 8;
/// The greatest segment merging makes, in positions: merging takes memory with it.
const MERGE_LIMIT: u64 = 1 << 23;
/// From how many segments on big ones are merged too. Until then a question costs less than the merging.
const MANY_SEGMENTS: usize = 8;

/// Segments that follow each other and should become one: one of which most was deleted; eight or more of a size class
/// or smaller ones; and, where there are many, as many as may be in one segment, if none of them makes up most of it.
pub(crate) fn plan(segments: &[Size]) -> Option<Range<usize>> {
    let wasted = |s: &Size| u64::from(s.deleted) * 2 > u64::from(s.games);
    if let Some(i) = segments.iter().position(wasted) {
        return Some(i..i + 1);
    }
    let class = |s: &Size| (s.positions / 4_096).max(1).ilog(MERGE_FACTOR as u64);
    // The segments from one on that fit together.
    let stretch = |start: usize, limit: u32| {
        let mut total = 0;
        let rest = segments.get(start..).unwrap_or_default();
        let fit = rest.iter().take_while(|s| {
            total += s.positions;
            class(s) <= limit && total <= MERGE_LIMIT
        });
        fit.count()
    };
    for limit in 0..8 {
        let mut start = 0;
        while start < segments.len() {
            let count = stretch(start, limit);
            if count >= MERGE_FACTOR {
                return Some(start..start + count);
            }
            start += count.max(1);
        }
    }
    if segments.len() <= MANY_SEGMENTS {
        return None;
    }
    let worth = |range: &Range<usize>| {
        let part = segments.get(range.clone()).unwrap_or_default();
        let total: u64 = part.iter().map(|s| s.positions).sum();
        let greatest = part.iter().map(|s| s.positions).max().unwrap_or(0);
        part.len() > 1 && greatest * 2 <= total
    };
    (0..segments.len())
        .map(|start| start..start + stretch(start, u32::MAX))
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
    fn segments_are_merged_when_there_are_eight_of_a_size_or_too_many() {
        assert_eq!(plan(&segments(&[100; 7])), None);
        assert_eq!(plan(&segments(&[100; 8])), Some(0..8));
        let mut mixed = vec![4_000_000];
        mixed.extend([100; 8]);
        assert_eq!(plan(&segments(&mixed)), Some(1..9));
        // Too big to become one.
        assert_eq!(plan(&segments(&[4_000_000; 8])), None);
        assert_eq!(plan(&segments(&[4_000_000; 9])), Some(0..2));
        assert_eq!(plan(&segments(&[8_000_000; 50])), None);
        let mut deleted = segments(&[4_000_000; 3]);
        deleted[1].deleted = 501;
        assert_eq!(plan(&deleted), Some(1..2));
    }

    #[test]
    fn merging_comes_to_an_end_and_leaves_few_segments() {
        let mut sizes: Vec<u64> = Vec::new();
        let mut written = 0;
        for size in [4_000_000; 400] {
            sizes.push(size);
            while let Some(range) = plan(&segments(&sizes)) {
                let total: u64 = sizes[range.clone()].iter().sum();
                written += total;
                sizes.splice(range, [total]);
            }
        }
        assert!(sizes.len() <= 400 / 2 + 8, "{}", sizes.len());
        assert!(written <= 400 * 4_000_000 * 2, "{written}");
    }
}
