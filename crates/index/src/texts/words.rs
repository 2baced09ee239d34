//! Words to look for in names and texts, without regard to case and accents.

use tantivy::tokenizer::{PreTokenizedStream, PreTokenizedString, Token, Tokenizer};
use tridex_text::names::{fold, short};

/// How a word has to be there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WordQuery {
    /// The very word.
    Is(String),
    /// A word that begins so.
    Begins(String),
    /// A word that differs in one or two letters at most; neighbours exchanged count as one.
    Like(String, u8),
}

/// Words to look for.
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
    /// Whether they have to follow each other.
    pub is_phrase: bool,
    /// Whether nothing else may be in the name.
    pub is_whole: bool,
}

impl Words {
    /// Reads words. All must be there, in any order. `spo*` is a beginning, `spok~` may differ in a letter, `spok~2` in
    /// two; an `=` in front of everything asks for the whole name, exactly these words in this order.
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

    /// Words that have to follow each other as they are written.
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

/// What marks a word as a beginning or as alike, and what it is then.
const MARKS: [(&str, Make); 4] = [
    ("*", WordQuery::Begins),
    ("~", |word| WordQuery::Like(word, 1)),
    ("~1", |word| WordQuery::Like(word, 1)),
    ("~2", |word| WordQuery::Like(word, 2)),
];

/// Words that may be marked.
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

    /// What else the word may mean in a player's name: an initial every first name that begins so, and a name
    /// that needs not be quite right for its initial.
    pub(crate) fn initials(&self) -> Option<Self> {
        match self {
            Self::Is(word) if word.chars().count() == 1 => Some(Self::Begins(word.clone())),
            Self::Like(word, _) => word.chars().next().map(|c| Self::Is(c.into())),
            _ => None,
        }
    }

    /// The word of a name as all its spellings have it.
    pub(super) fn short(&self) -> Self {
        match self {
            Self::Is(word) => Self::Is(short(word)),
            // What follows the last letter is not known.
            Self::Begins(word) => {
                let last = word.char_indices().next_back().map_or(0, |(at, _)| at);
                let (head, last) = word.split_at(last);
                Self::Begins(short(head) + last)
            }
            Self::Like(word, letters) => Self::Like(short(word), *letters),
        }
    }
}

/// The words of a query: those with an apostrophe without it.
fn folded(text: &str) -> impl Iterator<Item = String> {
    let text = fold(text).replace('\'', "");
    let words: Vec<String> = text.split_ascii_whitespace().map(str::to_owned).collect();
    words.into_iter()
}

/// A name as a whole, in the ways it may be written: with apostrophes omitted, or as blanks.
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

/// How texts become words of the index: as [`fold`] has them. A word with an apostrophe is there in parts, and whole in
/// the place of each part. Of names each word is also there as all its spellings have it ([`short`]).
#[derive(Clone)]
pub(crate) struct Folding {
    pub(crate) is_name: bool,
}

/// Longer words are omitted.
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
            let mut stream = Folding { is_name }.token_stream(text);
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
