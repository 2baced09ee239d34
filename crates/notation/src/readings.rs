//! Reads a token in every language, and with likely misreadings corrected.

use crate::parse;
use crate::text::{Locale, MoveText, Notation, TokenNote, TokenNotes};

/// Returns all different readings of a single token: in the language of the score sheet, then in every other language
/// (with a note of foreign letters), then in all languages with up to three likely misread characters corrected (with a
/// note). A reading that is equal to an earlier one is omitted.
///
/// The caller keeps the readings that fit a legal move: the sample game's `a6S` is `a6B` in German letters.
///
/// ```
/// use tridex_notation::{Locale, Notation, readings};
/// let first = readings(Notation::Meder, b"a6S", None).next();
/// assert_eq!(first.map(|(locale, _)| locale), Some(Locale::German));
/// ```
pub fn readings(
    notation: Notation,
    token: &[u8],
    sheet: Option<Locale>,
) -> impl Iterator<Item = (Locale, MoveText)> + use<> {
    let own = sheet.unwrap_or(Locale::English);
    let mut found: Vec<(Locale, MoveText)> = Vec::new();
    let locales = std::iter::once(own).chain(Locale::ALL.into_iter().filter(move |l| *l != own));
    let as_written = std::iter::once((token.to_vec(), TokenNotes::NONE));
    let misread = repairs(token).into_iter();
    let misread = misread.map(|repaired| (repaired, TokenNotes::NONE.with(TokenNote::Ocr)));
    for (token, notes) in as_written.chain(misread) {
        for locale in locales.clone() {
            if let Ok(mut text) = parse(notation, &token, Some(locale)) {
                text.notes = text.notes.and(notes);
                if locale != own {
                    text.notes = text.notes.with(TokenNote::ForeignLetter);
                }
                push_new(&mut found, locale, text);
            }
        }
    }
    found.into_iter()
}

/// Adds a reading, unless one that differs only in its notes is already there.
fn push_new(found: &mut Vec<(Locale, MoveText)>, locale: Locale, text: MoveText) {
    let words = |text: &MoveText| MoveText {
        notes: TokenNotes::NONE,
        ..*text
    };
    if !found.iter().any(|(_, known)| words(known) == words(&text)) {
        found.push((locale, text));
    }
}

/// The character that a scanner may have misread as this one.
const fn misread(b: u8) -> Option<u8> {
    Some(match b {
        b'O' | b'o' => b'0',
        b'l' | b'I' | b'i' | b'|' => b'1',
        b'S' | b's' => b'5',
        b'5' => b'S',
        b'B' => b'8',
        b'8' => b'B',
        _ => return None,
    })
}

/// The token with one, two or three suspicious characters corrected, the fewest first. Long tokens are not moves and
/// are not tried.
pub(crate) fn repairs(token: &[u8]) -> Vec<Vec<u8>> {
    const LONGEST: usize = 32;
    const SUSPECTS: usize = 10;
    const TOGETHER: u32 = 3;
    if token.len() > LONGEST {
        return Vec::new();
    }
    let suspects: Vec<(usize, u8)> = token
        .iter()
        .enumerate()
        .filter_map(|(i, b)| Some((i, misread(*b)?)))
        .take(SUSPECTS)
        .collect();
    let mut masks: Vec<u32> = (1..1u32 << suspects.len())
        .filter(|mask| mask.count_ones() <= TOGETHER)
        .collect();
    masks.sort_by_key(|mask| mask.count_ones());
    masks
        .into_iter()
        .map(|mask| {
            let mut repaired = token.to_vec();
            for (n, (i, b)) in suspects.iter().enumerate() {
                if mask >> n & 1 != 0
                    && let Some(slot) = repaired.get_mut(*i)
                {
                    *slot = *b;
                }
            }
            repaired
        })
        .collect()
}

/// Replaces every `l` and `I` by `1` where a square of the cube has a digit: before its file or after it. Texts from
/// typewriters without a key for `1` have such letters: `le4`, `Nlf3`, `NlbI-2b3`. Returns `None` if there are none.
///
/// ```
/// assert_eq!(tridex_notation::typed_ones(b"Nlf3").as_deref(), Some(&b"N1f3"[..]));
/// assert_eq!(tridex_notation::typed_ones(b"Nf3"), None);
/// ```
pub fn typed_ones(token: &[u8]) -> Option<Vec<u8>> {
    let is_file = |at: Option<usize>| {
        let byte = at.and_then(|i| token.get(i));
        byte.is_some_and(|b| matches!(b, b'a'..=b'h' | b'A'..=b'H'))
    };
    let mut typed = token.to_vec();
    for (i, byte) in typed.iter_mut().enumerate() {
        let ends_square = token.get(i + 1).is_none_or(|b| !b.is_ascii_alphanumeric());
        if matches!(byte, b'l' | b'I')
            && (is_file(Some(i + 1)) || is_file(i.checked_sub(1)) && ends_square)
        {
            *byte = b'1';
        }
    }
    (typed != token).then_some(typed)
}
