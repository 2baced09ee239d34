//! Decides which segments are merged.
//!
//! Written here because merged segments must be adjacent, so that games keep their order. tantivy's own policies choose
//! segments by size, wherever they are.

use std::ops::Range;

/// The properties of a segment that the plan depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Size {
    /// The number of games, including deleted ones.
    pub(crate) games: u32,
    pub(crate) deleted: u32,
    /// The number of positions; more if its games have few of them.
    pub(crate) positions: u64,
}

/// The size of the greatest segment that merging creates, in positions. Merging takes some twelve bytes of memory for
/// each, including the mapped files that it reads.
const MERGE_LIMIT: u64 = 10_000_000;
/// Segments are merged if there are more than this number. Every query runs on each segment, and opening one takes a
/// quarter of a millisecond, but merging replays the games.
const MANY_SEGMENTS: usize = 6;

/// Selects adjacent segments to merge into one. A segment with more than half of its games deleted comes first. If
/// there are too many segments, it selects the longest run that fits into one segment, provided that none makes up more
/// than two thirds of the run. So games are not merged again and again.
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
        // A much bigger segment is not included.
        let mut mixed = vec![4_000_000];
        mixed.extend([100; 8]);
        assert_eq!(plan(&segments(&mixed)), Some(1..9));
        mixed.splice(1.., [800]);
        assert_eq!(plan(&segments(&mixed)), None);
        // As many as fit.
        assert_eq!(plan(&segments(&[3_000_000; 11])), Some(0..3));
        assert_eq!(plan(&segments(&[4_000_000; 6])), None);
        assert_eq!(plan(&segments(&[4_000_000; 7])), Some(0..2));
        // Any two are too big for one segment.
        assert_eq!(plan(&segments(&[8_000_000; 50])), None);
        let mut deleted = segments(&[4_000_000; 3]);
        deleted[1].deleted = 501;
        assert_eq!(plan(&deleted), Some(1..2));
    }

    /// The number of segments after `count` segments of a size, and the number of positions that merging has written.
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
        // One game at a time.
        let (left, written) = after(20_000, 80);
        assert!(left <= 9, "{left}");
        assert!(written <= 20_000 * 80 * 15, "{written}");
    }
}
