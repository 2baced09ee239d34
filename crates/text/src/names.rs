//! Folds names and other texts for comparison: removes case and accents and transliterates to Latin letters.
//!
//! All code that compares names uses [`fold`] for texts and [`short`] for the words of a name, so a search finds a
//! player under every spelling of the name.

use deunicode::deunicode_char;

/// Returns the title of a game for a list: its players, or its event if neither player is known. `None` if the event is
/// not known either. Empty texts and `?` count as unknown.
///
/// ```
/// use tridex_text::names::game_title;
///
/// assert_eq!(game_title("Kirk", "?", "Evening").as_deref(), Some("Kirk – ?"));
/// assert_eq!(game_title("?", "", "Evening").as_deref(), Some("Evening"));
/// assert_eq!(game_title("?", "?", "?"), None);
/// ```
#[must_use]
pub fn game_title(white: &str, black: &str, event: &str) -> Option<String> {
    let known = |name: &str| !name.trim().trim_matches('?').is_empty();
    if known(white) || known(black) {
        let [white, black] = [white, black].map(|name| if known(name) { name } else { "?" });
        return Some(format!("{white} \u{2013} {black}"));
    }
    known(event).then(|| event.to_owned())
}

/// Returns the words of a text in small Latin letters and digits, separated by blanks. An apostrophe inside a word
/// becomes `'`. `D’Agostino, José` is folded to `d'agostino jose`, and `Чехов` to `chekhov`.
///
/// Letters of other scripts are transliterated. A letter without a transliteration only loses its case. Every character
/// that is neither a letter nor a digit separates words.
///
/// ```
/// use tridex_text::names::fold;
///
/// assert_eq!(fold("D’Agostino, José"), fold("D'AGOSTINO Jose"));
/// assert_eq!(fold("Чехов"), "chekhov");
/// ```
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c.is_ascii_alphanumeric() => out.push(c.to_ascii_lowercase()),
            // A combining accent.
            '\u{300}'..='\u{36F}' => {}
            '\'' | '`' | '´' | '‘' | '’' | 'ʻ' | 'ʼ' | '′' => part(&mut out, '\''),
            c if c.is_alphanumeric() => match deunicode_char(c) {
                Some(letters) => letters.chars().for_each(|letter| match letter {
                    // In a transliteration this marks a soft consonant and is not an apostrophe.
                    '\'' | '`' => {}
                    letter if letter.is_ascii_alphanumeric() => {
                        out.push(letter.to_ascii_lowercase());
                    }
                    _ => part(&mut out, ' '),
                }),
                None => out.extend(c.to_lowercase()),
            },
            _ => part(&mut out, ' '),
        }
    }
    part(&mut out, ' ');
    out.pop();
    out
}

/// Ends a word with a blank, or a part of a word with an apostrophe.
fn part(out: &mut String, by: char) {
    if by == ' ' && out.ends_with('\'') {
        out.pop();
    }
    if !out.is_empty() && !out.ends_with([' ', '\'']) {
        out.push(by);
    }
}

/// Shortens a folded word of a name: `ae`, `oe`, `ue` and `aa`, which people write if their keyboard lacks `ä`, `ö`,
/// `ü` and `å`, become `a`, `o`, `u` and `a`. A word that would become a single letter is not changed, because it would
/// look like an initial.
///
/// ```
/// use tridex_text::names::{fold, short};
///
/// assert_eq!(short("joerg"), short(&fold("Jörg")));
/// ```
pub fn short(word: &str) -> String {
    let mut near = word.as_bytes().windows(2);
    if !near.any(|two| matches!(two, b"ae" | b"oe" | b"ue" | b"aa")) {
        // Most words have no such pair. Calling `replace` four times for them would take a seventh of the time of
        // indexing.
        return word.to_owned();
    }
    let pairs = [("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a")];
    let short = pairs
        .iter()
        .fold(word.to_owned(), |word, (two, one)| word.replace(two, one));
    if short.len() > 1 {
        short
    } else {
        word.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_folded_alike_however_they_are_written() {
        for (text, folded) in [
            ("D'Agostino, José", "d'agostino jose"),
            ("D’AGOSTINO (Jose\u{301})", "d'agostino jose"),
            ("d agostino jose", "d agostino jose"),
            ("Weißkopf, Änne", "weisskopf anne"),
            ("ŁUCJA Øster-Ådahl", "lucja oster adahl"),
            ("Чехов, Ольга", "chekhov olga"),
            ("Θεόδωρος", "theodoros"),
            ("北京", "bei jing"),
            ("'quoted' rock 'n' roll'", "quoted rock n roll"),
            ("12½ – 7×3 €", "121 2 7 3"),
            ("\u{e000} \u{1900}", "\u{1900}"),
            ("  ,. ' ", ""),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
    }

    #[test]
    fn words_of_names_are_short_alike() {
        for (word, expected) in [
            ("gruenwaldt", "grunwaldt"),
            ("joerg", "jorg"),
            ("haakonsdatter", "hakonsdatter"),
            ("kirk", "kirk"),
            ("ae", "ae"),
        ] {
            assert_eq!(short(word), expected);
        }
    }
}
