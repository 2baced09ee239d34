//! Replaces letters by the ASCII letters they look like.

/// Returns the ASCII character that a character looks like, `Some(None)` if the character is invisible, and `None` if
/// it looks like no ASCII character.
///
/// This covers Cyrillic and Greek letters that look like Latin ones, and full-width letters, digits and signs.
/// Invisible are soft hyphens, zero-width characters and marks of the writing direction.
///
/// ```
/// use tridex_words::plain_letter;
///
/// assert_eq!(plain_letter('\u{430}'), Some(Some(b'a')));
/// assert_eq!(plain_letter('\u{ff14}'), Some(Some(b'4')));
/// assert_eq!(plain_letter('\u{ad}'), Some(None));
/// assert_eq!(plain_letter('\u{436}'), None);
/// ```
#[must_use]
pub fn plain_letter(c: char) -> Option<Option<u8>> {
    /// Pairs of strings: foreign letters, and at the same positions the Latin letters they look like.
    const ALIKE: [(&str, &str); 2] = [
        (
            "аАВсСеЕНкКмМоОрРтТхХуУѕЅіІјЈԁһԚԝ",
            "aABcCeEHkKmMoOpPtTxXyYsSiIjJdhQw",
        ),
        ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοѵ", "ABEZHIKMNOPTYXov"),
    ];
    match c {
        '\u{ad}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}' => Some(None),
        '\u{ff01}'..='\u{ff5e}' => u8::try_from(c as u32 - 0xff01 + 0x21).ok().map(Some),
        c if c.is_ascii() => Some(Some(c as u8)),
        c => ALIKE.iter().find_map(|(foreign, latin)| {
            let place = foreign.chars().position(|one| one == c)?;
            latin.as_bytes().get(place).copied().map(Some)
        }),
    }
}

/// Converts a word to ASCII. Returns `None` if it is in ASCII already, has more than 64 bytes, or has a character that
/// looks like no ASCII character.
///
/// ```
/// use tridex_words::plain_letters;
///
/// assert_eq!(plain_letters("\u{430}4W".as_bytes()).as_deref(), Some(&b"a4W"[..]));
/// assert_eq!(plain_letters(b"a4W"), None);
/// ```
#[must_use]
pub fn plain_letters(word: &[u8]) -> Option<Vec<u8>> {
    /// The maximum length of a word that may be a move.
    const LONGEST: usize = 64;
    if word.is_ascii() || word.len() > LONGEST {
        return None;
    }
    let letters = std::str::from_utf8(word).ok()?.chars().map(plain_letter);
    let letters: Option<Vec<_>> = letters.collect();
    Some(letters?.into_iter().flatten().collect())
}
