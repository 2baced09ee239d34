//! The table of words.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Where in a record a word is read. A word has at most one meaning in each context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Context {
    /// After a move: `check`, `mate`, `kind` (of a check).
    Check,
    /// How a game ended: `draw`, `agreed`, `resigns`, `gives` and `up` (together the same as `resigns`), `not`, `White`,
    /// `Black`; or another known comment: `remark`.
    Ending,
    /// Before the colon in a heading. The meaning is the name of a tag.
    Key,
    /// The header of a column, without blanks and punctuation. The meaning is the name of a tag or of another column.
    Column,
    /// Before the number of a game: `Game`, `Board`.
    Game,
    /// Between the names of two players: `versus`.
    Versus,
    /// In a date. The meaning is the number of the month.
    Month,
    /// Instead of a move that cannot be read: `illegible`.
    Illegible,
    /// Castling in two words: `castling`, and `short` or `long`.
    Castling,
}

impl Context {
    const ALL: [(&str, Self); 9] = [
        ("check", Self::Check),
        ("ending", Self::Ending),
        ("key", Self::Key),
        ("column", Self::Column),
        ("game", Self::Game),
        ("versus", Self::Versus),
        ("month", Self::Month),
        ("illegible", Self::Illegible),
        ("castling", Self::Castling),
    ];
}

/// One spelling from a row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VocabularyWord {
    /// The word, in small letters.
    pub spelling: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
    /// The code of its language; `other` for any language except the seven.
    pub language: &'static str,
}

/// The words of each context, in the order of the table.
static WORDS: LazyLock<[Vec<VocabularyWord>; Context::ALL.len()]> = LazyLock::new(|| {
    let mut words = [const { Vec::new() }; Context::ALL.len()];
    for line in include_str!("vocabulary.tsv").lines().skip(1) {
        let [contexts, meaning, language, spellings] = line.split('\t').collect::<Vec<_>>()[..]
        else {
            continue;
        };
        let is_named = |(name, _): &&(&str, Context)| contexts.split(' ').any(|word| word == *name);
        for (_, context) in Context::ALL.iter().filter(is_named) {
            words[*context as usize].extend(spellings.split(' ').map(|spelling| VocabularyWord {
                spelling,
                meaning,
                language,
            }));
        }
    }
    words
});

/// The meanings of each context, by spelling.
static MEANINGS: LazyLock<[HashMap<&str, &str>; Context::ALL.len()]> = LazyLock::new(|| {
    let pair = |word: &VocabularyWord| (word.spelling, word.meaning);
    std::array::from_fn(|context| WORDS[context].iter().map(pair).collect())
});

/// All words of a context.
///
/// ```
/// use tridex_words::{Context, words};
///
/// assert!(words(Context::Month).iter().any(|word| word.spelling == "januar" && word.language == "de"));
/// ```
#[must_use]
pub fn words(context: Context) -> &'static [VocabularyWord] {
    &WORDS[context as usize]
}

/// The meaning of a lower-case word in a context, if the table has it.
///
/// ```
/// use tridex_words::{Context, meaning};
///
/// assert_eq!(meaning(Context::Month, "januar"), Some("1"));
/// ```
#[must_use]
pub fn meaning(context: Context, word: &str) -> Option<&'static str> {
    MEANINGS[context as usize].get(word).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LANGUAGES: [&str; 7] = ["en", "de", "fr", "nl", "cs", "es", "it"];

    #[test]
    fn every_row_is_read() {
        for line in include_str!("vocabulary.tsv").lines().skip(1) {
            let cells: Vec<&str> = line.split('\t').collect();
            let [contexts, meaning, language, spellings] = cells[..] else {
                panic!("{line}");
            };
            assert!(
                language == "other" || LANGUAGES.contains(&language),
                "{line}"
            );
            for name in contexts.split(' ') {
                let context = Context::ALL.iter().find(|(known, _)| *known == name);
                let (_, context) = context.unwrap_or_else(|| panic!("{line}"));
                for spelling in spellings.split(' ') {
                    assert!(
                        words(*context).contains(&VocabularyWord {
                            spelling,
                            meaning,
                            language
                        }),
                        "{line}"
                    );
                }
            }
        }
    }

    #[test]
    fn every_word_is_small_and_has_one_meaning_in_its_context() {
        for (_, context) in Context::ALL {
            for word in words(context) {
                assert_eq!(word.spelling, word.spelling.to_lowercase());
                assert_ne!(word.spelling, "", "{word:?}");
                assert_eq!(meaning(context, word.spelling), Some(word.meaning));
            }
        }
    }

    #[test]
    fn every_language_has_the_words_that_all_need() {
        let months = (1..=12).map(|month| (Context::Month, month.to_string()));
        let others = [
            (Context::Check, "check"),
            (Context::Check, "mate"),
            (Context::Ending, "White"),
            (Context::Ending, "Black"),
            (Context::Ending, "draw"),
            (Context::Ending, "not"),
            (Context::Castling, "castling"),
            (Context::Castling, "short"),
            (Context::Castling, "long"),
            (Context::Key, "Event"),
            (Context::Key, "Site"),
            (Context::Key, "Date"),
            (Context::Key, "Result"),
            (Context::Column, "White"),
            (Context::Column, "Black"),
            (Context::Column, "Move"),
            (Context::Column, "Result"),
        ];
        let others = others.map(|(context, meaning)| (context, meaning.to_owned()));
        for (context, meaning) in months.chain(others) {
            for language in LANGUAGES {
                let is_it =
                    |word: &&VocabularyWord| word.language == language && word.meaning == meaning;
                let word = words(context).iter().find(is_it);
                assert!(word.is_some(), "{context:?} {meaning} {language}");
            }
        }
    }
}
