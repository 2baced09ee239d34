//! The small languages of the index: each text is understood or refused at a place inside it, alike twice.

use crate::walk;
use tridex_index::{
    Date, DateRange, Material, OpeningBook, Pattern, Query, QueryError, Symmetry, pack_moves,
    unpack_moves,
};

fn text(data: &[u8]) -> Option<&str> {
    std::str::from_utf8(data).ok()
}

/// Reads a text twice.
fn twice<T: PartialEq + std::fmt::Debug>(
    text: &str,
    read: impl Fn(&str) -> Result<T, QueryError>,
) -> Option<T> {
    let first = read(text);
    assert_eq!(first, read(text), "read alike twice");
    if let Err(fault) = &first {
        assert_eq!(&*fault.text, text, "the text is the one that was read");
        assert!(
            text.is_char_boundary(fault.span.start),
            "refused at a place inside: {fault:?}"
        );
        assert!(!fault.expected.is_empty(), "with what was expected there");
        assert!(!fault.message("--").is_empty(), "in words");
    }
    first.ok()
}

/// A pattern; mirrored or seen from the other side twice it is the same.
///
/// # Panics
/// If a law is broken.
pub fn pattern(data: &[u8]) {
    let Some(pattern) = text(data).and_then(|text| twice(text, Pattern::parse)) else {
        return;
    };
    assert_eq!(
        pattern.seen(Symmetry::Mirror).seen(Symmetry::Mirror),
        pattern
    );
    assert_eq!(pattern.seen(Symmetry::Swap).seen(Symmetry::Swap), pattern);
}

/// A question.
///
/// # Panics
/// If a law is broken.
pub fn query(data: &[u8]) {
    if let Some(text) = text(data) {
        twice(text, Query::parse);
    }
}

/// A balance of material; seen from the other side twice it is the same.
///
/// # Panics
/// If a law is broken.
pub fn material(data: &[u8]) {
    let Some(material) = text(data).and_then(|text| twice(text, Material::parse)) else {
        return;
    };
    assert_eq!(material.seen(Symmetry::Swap).seen(Symmetry::Swap), material);
}

/// A date, and dates from one to another: a date lies in the range that it is itself.
///
/// # Panics
/// If a law is broken.
pub fn date(data: &[u8]) {
    let Some(text) = text(data) else { return };
    if let Ok(date) = Date::parse(text) {
        let (from, to) = date.range();
        assert!(from <= to, "{date:?}");
        let range = DateRange {
            from: Some(from),
            to: Some(to),
        };
        assert!(range.holds(Some(date)), "{date:?}");
    }
    let _ = DateRange::parse(text);
}

/// A file of names of openings.
///
/// # Panics
/// If a law is broken.
pub fn names(data: &[u8]) {
    let (book, faults) = OpeningBook::from_csv(data);
    assert!(book.len() <= data.len(), "a name takes a byte at least");
    for fault in faults {
        assert!(!fault.what.is_empty());
    }
}

/// Packed moves: the first half of the bytes chooses a game, which packs and unpacks to itself; the bytes as they are
/// unpack to legal moves or to nothing.
///
/// # Panics
/// If a law is broken.
pub fn packed_moves(data: &[u8]) {
    let short = data.get(..data.len().min(8)).unwrap_or_default();
    let (start, moves) = walk::game(short);
    let plies = moves.len() as u32;
    let packed = pack_moves(&start, &moves);
    assert_eq!(unpack_moves(&start, &packed, plies), Some(moves));
    let damaged = data.get(short.len()..).unwrap_or_default();
    let Some(read) = unpack_moves(&start, damaged, 6) else {
        return;
    };
    let mut position = start;
    for m in read {
        assert!(position.is_legal(m), "{m:?} in {position:?}");
        position.play_unchecked(m);
    }
}

/// A pattern and a game that bytes choose, with a line end between: what is mirrored matches where the pattern does in
/// nothing that panics, and what is not matches where it does not.
///
/// # Panics
/// If a law is broken.
pub fn patterns_mean(data: &[u8]) {
    let end = data.iter().position(|b| *b == b'\n').unwrap_or(data.len());
    let (written, rest) = data.split_at(end);
    let Some(pattern) = text(written).and_then(|text| Pattern::parse(text).ok()) else {
        return;
    };
    let opposite = text(written).and_then(|text| Pattern::parse(&format!("not ({text})")).ok());
    let (start, moves) = walk::game(rest);
    let mut position = start;
    for (ply, m) in (0..).zip(moves.into_iter().take(40)) {
        let matches = pattern.matches(&position, ply);
        if let Some(opposite) = &opposite {
            assert_ne!(matches, opposite.matches(&position, ply), "{position:?}");
        }
        let any = Pattern::any_of(vec![
            pattern.clone(),
            pattern.seen(Symmetry::Mirror),
            pattern.seen(Symmetry::Swap),
        ]);
        assert!(!matches || any.matches(&position, ply));
        position.play_unchecked(m);
    }
}
