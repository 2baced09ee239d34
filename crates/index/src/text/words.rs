//! Words to search for in names and texts, without regard to case and accents.

use tantivy::tokenizer::{PreTokenizedStream, PreTokenizedString, Token, Tokenizer};
use tridex_text::names::{fold, short};

/// How a word must match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WordQuery {
    /// Exactly this word.
    Is(String),
    /// A word that begins with these letters.
    Begins(String),
    /// A word that differs in at most this number of letters, one or two. Two neighbouring letters exchanged count as
    /// one.
    Like(String, u8),
}

/// Words to search for.
///
/// ```
/// use tridex_index::{WordQuery, Words};
/// let words = Words::parse("Kirk jam* Spok~");
/// assert_eq!(words.words[1], WordQuery::Begins("jam".into()));
/// assert_eq!(words.words[2], WordQuery::Like("spok".into(), 1));
/// assert!(Words::parse("=Émile Zola").is_whole);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words {
    /// The words.
    pub words: Vec<WordQuery>,
    /// Whether they must follow each other.
    pub is_phrase: bool,
    /// Whether the name must have no other words.
    pub is_whole: bool,
}

/// The token before the first word of a tag's value, and the one after the last. A whole value is a phrase between
/// them. They are so long, and so unlike words, that no misspelt word matches them.
pub(crate) const ENDS: [&str; 2] = ["\u{2}\u{2}\u{2}", "\u{3}\u{3}\u{3}"];

impl Words {
    /// Parses words. All must be there, in any order. `spo*` matches the beginning of a word. `spok~` may differ in one
    /// letter, `spok~2` in two. With `=` in front, the whole name must be exactly these words in this order.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        match text.trim().strip_prefix('=') {
            Some(text) => Self {
                is_whole: true,
                ..Self::phrase(text)
            },
            None => Self {
                words: loose(text),
                is_phrase: false,
                is_whole: false,
            },
        }
    }

    /// Creates a phrase: words that must follow each other as written.
    ///
    /// ```
    /// use tridex_index::Words;
    ///
    /// assert!(Words::phrase("sealed move").is_phrase);
    /// assert!(!Words::parse("sealed move").is_phrase);
    /// ```
    #[must_use]
    pub fn phrase(text: &str) -> Self {
        Self {
            words: folded(text).map(WordQuery::Is).collect(),
            is_phrase: true,
            is_whole: false,
        }
    }
}

type Make = fn(String) -> WordQuery;

/// The marks at the end of a word, and the query that each makes.
const MARKS: [(&str, Make); 4] = [
    ("*", WordQuery::Begins),
    ("~", |word| WordQuery::Like(word, 1)),
    ("~1", |word| WordQuery::Like(word, 1)),
    ("~2", |word| WordQuery::Like(word, 2)),
];

/// Words that may have marks.
fn loose(text: &str) -> Vec<WordQuery> {
    let mut words = Vec::new();
    for piece in text.split_whitespace() {
        let mut marks = MARKS.into_iter();
        let marked = marks.find_map(|(mark, make)| Some((piece.strip_suffix(mark)?, make)));
        let (piece, make) = marked.unwrap_or((piece, WordQuery::Is));
        let mut pieces: Vec<String> = folded(piece).collect();
        let last = pieces.pop();
        words.extend(pieces.into_iter().map(WordQuery::Is));
        words.extend(last.map(make));
    }
    words
}

impl WordQuery {
    /// The word without its mark.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Is(word) | Self::Begins(word) | Self::Like(word, _) => word,
        }
    }

    /// An additional meaning of the word in a player's name. An initial also matches every first name that begins with
    /// it. A name that may be misspelled also matches its initial.
    pub(crate) fn initials(&self) -> Option<Self> {
        match self {
            Self::Is(word) if word.chars().count() == 1 => Some(Self::Begins(word.clone())),
            Self::Like(word, _) => word.chars().next().map(|c| Self::Is(c.into())),
            _ => None,
        }
    }

    /// The word in the form that all spellings of a name share.
    pub(crate) fn short(&self) -> Self {
        match self {
            Self::Is(word) => Self::Is(short(word)),
            // Shortening depends on the next letter, which is unknown after the last one, so that one stays.
            Self::Begins(word) => {
                let last = word.char_indices().next_back().map_or(0, |(at, _)| at);
                let (head, last) = word.split_at(last);
                Self::Begins(short(head) + last)
            }
            Self::Like(word, letters) => Self::Like(short(word), *letters),
        }
    }
}

/// The words of a query, without apostrophes.
fn folded(text: &str) -> impl Iterator<Item = String> {
    let text = fold(text).replace('\'', "");
    let words: Vec<String> = text.split_ascii_whitespace().map(str::to_owned).collect();
    words.into_iter()
}

/// The forms of a whole name: without apostrophes, and with blanks in their place.
pub(crate) fn wholes(name: &str) -> impl Iterator<Item = String> {
    let folded = fold(name);
    let parted = folded.contains('\'').then(|| folded.replace('\'', " "));
    let whole = |name: String| {
        let words: Vec<String> = name.split(' ').map(short).collect();
        words.join(" ")
    };
    [Some(folded.replace('\'', "")), parted]
        .into_iter()
        .flatten()
        .map(whole)
}

/// Splits texts into the words of the index, as [`fold`] writes them. A word with an apostrophe is indexed in parts,
/// and as a whole at the position of each part. For names, each word is also indexed in the form that all spellings
/// share ([`short`]).
#[derive(Clone, Copy)]
pub(crate) struct Folding {
    is_name: bool,
    /// Whether the words are between [`ENDS`].
    has_ends: bool,
}

impl Folding {
    /// For texts.
    pub(crate) const TEXT: Self = Self {
        is_name: false,
        has_ends: false,
    };
    /// For names.
    pub(crate) const NAME: Self = Self {
        is_name: true,
        has_ends: false,
    };
    /// For values of tags, which may be names.
    pub(crate) const TAG: Self = Self {
        is_name: true,
        has_ends: true,
    };
}

/// Longer words are not indexed.
const LONGEST: usize = 128;

impl Tokenizer for Folding {
    type TokenStream<'a> = PreTokenizedStream;

    fn token_stream(&mut self, text: &str) -> PreTokenizedStream {
        let mut tokens: Vec<Token> = Vec::new();
        let mut put = |text: String, position: usize| {
            let mut here = tokens
                .iter()
                .rev()
                .take_while(|token| token.position == position);
            if text.len() < LONGEST && !here.any(|token| token.text == text) {
                tokens.push(Token {
                    position,
                    text,
                    ..Token::default()
                });
            }
        };
        let mut position = 0;
        if self.has_ends {
            put(ENDS[0].to_owned(), position);
            position += 1;
        }
        for word in fold(text).split_ascii_whitespace() {
            let whole = word.contains('\'').then(|| word.replace('\'', ""));
            for part in word.split('\'') {
                for form in [Some(part.to_owned()), whole.clone()].into_iter().flatten() {
                    if self.is_name {
                        put(short(&form), position);
                    }
                    put(form, position);
                }
                position += 1;
            }
        }
        if self.has_ends {
            put(ENDS[1].to_owned(), position);
        }
        let text = String::new();
        PreTokenizedStream::from(PreTokenizedString { text, tokens })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tantivy::tokenizer::TokenStream;

    #[test]
    fn every_spelling_of_a_name_asks_for_the_same_words() {
        let asked = |text: &str| -> Vec<String> {
            let words = Words::parse(text);
            let short = words.words.iter().map(WordQuery::short);
            short.map(|word| word.text().to_owned()).collect()
        };
        for text in [
            "Müller Jörg",
            "Mueller, Joerg",
            "Mu\u{308}ller jorg",
            "MULLER Jørg",
        ] {
            assert_eq!(asked(text), ["muller", "jorg"], "{text}");
        }
        assert_eq!(asked("=Goethe, Ägidius"), ["gothe", "agidius"]);
        assert_eq!(asked("D’Agostino"), ["dagostino"]);
        assert_eq!(asked("Чехов"), asked("Chekhov"));
        // What follows the last letter is not known.
        assert_eq!(asked("mue*"), ["mue"]);
        assert_eq!(asked("muel*"), ["mul"]);
        assert_eq!(asked("mül*"), ["mul"]);
        assert_eq!(asked("  ,. "), [""; 0]);
    }

    #[test]
    fn words_are_in_the_index_in_all_their_forms() {
        let kept = |text: &str, is_name: bool| {
            let mut folding = if is_name {
                Folding::NAME
            } else {
                Folding::TEXT
            };
            let mut stream = folding.token_stream(text);
            let mut kept: Vec<Vec<String>> = Vec::new();
            while let Some(token) = stream.next() {
                kept.resize(token.position + 1, Vec::new());
                kept[token.position].push(token.text.clone());
            }
            let words = kept.iter().map(|forms| forms.join("|"));
            words.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(kept("Kirk, James", true), "kirk james");
        assert_eq!(kept("Mueller, Jörg", true), "muller|mueller jorg");
        assert_eq!(kept("Mueller, Jörg", false), "mueller jorg");
        assert_eq!(
            kept("D'Agostino, Ada", true),
            "d|dagostino agostino|dagostino ada"
        );
        assert_eq!(kept(&"x".repeat(200), false), "");
        let wholes = |name| wholes(name).collect::<Vec<_>>();
        assert_eq!(wholes("Goethe, Ägidius"), ["gothe agidius"]);
        assert_eq!(wholes("D'Agostino"), ["dagostino", "d agostino"]);
    }
}
