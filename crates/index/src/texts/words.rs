//! Words to look for in names and texts, without regard to case and accents.

use tantivy::tokenizer::{
    AsciiFoldingFilter, LowerCaser, RemoveLongFilter, SimpleTokenizer, TextAnalyzer, TokenStream,
};

/// How a word has to be there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Word {
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
/// use tridex_index::{Word, Words};
/// let words = Words::parse("Kirk jam* Spok~");
/// assert_eq!(words.words()[1], Word::Begins("jam".into()));
/// assert_eq!(words.words()[2], Word::Like("spok".into(), 1));
/// assert_eq!(Words::parse("=Émile Zola").whole(), Some("emile zola"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words {
    words: Vec<Word>,
    /// The same words as they would be written without ä, ö and ü, and with them, where that is not how they stand.
    spelled: [Vec<Word>; 2],
    phrase: bool,
    whole: Option<String>,
}

impl Words {
    /// Reads words. All must be there, in any order. `spo*` is a beginning, `spok~` may differ in a letter, `spok~2` in
    /// two; an `=` in front of everything asks for the whole name, exactly these words in this order.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        if let Some(text) = text.strip_prefix('=') {
            return Self {
                whole: Some(fold(text).join(" ")),
                ..Self::phrase(text)
            };
        }
        Self::of(loose(text), loose(&spelled_out(text)), false)
    }

    /// Of words, and the same where ä, ö and ü are spelled out.
    fn of(words: Vec<Word>, spelled_out: Vec<Word>, phrase: bool) -> Self {
        let short = words.iter().map(Word::shortened).collect();
        Self {
            spelled: [spelled_out, short],
            words,
            phrase,
            whole: None,
        }
    }

    /// Words that have to follow each other as they stand.
    #[must_use]
    pub fn phrase(text: &str) -> Self {
        let words = |text: &str| fold(text).into_iter().map(Word::Is).collect();
        Self::of(words(text), words(&spelled_out(text)), true)
    }

    /// The words.
    #[must_use]
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// The same words spelled otherwise: each as often as there are ways.
    pub(crate) fn spellings(&self) -> impl Iterator<Item = &[Word]> {
        let others = self.spelled.iter().filter(|words| **words != self.words);
        std::iter::once(&self.words)
            .chain(others)
            .map(Vec::as_slice)
    }

    /// Whether they have to follow each other.
    #[must_use]
    pub fn is_phrase(&self) -> bool {
        self.phrase
    }

    /// Whether nothing else may be in the name.
    pub(crate) fn is_whole(&self) -> bool {
        self.whole.is_some()
    }

    /// All the words of the name, if nothing else may be in it.
    #[must_use]
    pub fn whole(&self) -> Option<&str> {
        self.whole.as_deref()
    }
}

/// Words that may be marked as beginnings or as alike.
fn loose(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    for piece in text.split_whitespace() {
        let (piece, make): (&str, fn(String) -> Word) = if let Some(p) = piece.strip_suffix('*') {
            (p, Word::Begins)
        } else if let Some(p) = piece.strip_suffix("~2") {
            (p, |word| Word::Like(word, 2))
        } else if let Some(p) = piece.strip_suffix('~').or(piece.strip_suffix("~1")) {
            (p, |word| Word::Like(word, 1))
        } else {
            (piece, Word::Is)
        };
        let mut tokens = fold(piece);
        let last = tokens.pop();
        words.extend(tokens.into_iter().map(Word::Is));
        words.extend(last.map(make));
    }
    words
}

/// A text with ä, ö and ü as those write them whose keyboards have none.
fn spelled_out(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'ä' | 'Ä' | 'æ' | 'Æ' => out.push_str("ae"),
            'ö' | 'Ö' | 'ø' | 'Ø' => out.push_str("oe"),
            'ü' | 'Ü' => out.push_str("ue"),
            'å' | 'Å' => out.push_str("aa"),
            // The same in two characters.
            '\u{308}' => out.push('e'),
            other => out.push(other),
        }
    }
    out
}

impl Word {
    /// The word without what is said of it.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Is(word) | Self::Begins(word) | Self::Like(word, _) => word,
        }
    }

    /// What else the word may stand for in a player's name: an initial for every first name that begins so, and a name
    /// that needs not be quite right for its initial.
    pub(crate) fn initials(&self) -> Option<Self> {
        match self {
            Self::Is(word) if word.chars().count() == 1 => Some(Self::Begins(word.clone())),
            Self::Like(word, _) => word.chars().next().map(|c| Self::Is(c.into())),
            _ => None,
        }
    }

    /// The word as it is kept where it was written with ä, ö or ü.
    fn shortened(&self) -> Self {
        let short = |word: &str| {
            ["ae", "oe", "ue", "aa"]
                .iter()
                .fold(word.to_owned(), |word, two| {
                    word.replace(two, two.get(..1).unwrap_or_default())
                })
        };
        match self {
            Self::Is(word) => Self::Is(short(word)),
            // What is behind the last letter is not known.
            Self::Begins(word) => {
                let last = word.char_indices().next_back().map_or(0, |(at, _)| at);
                let (head, last) = word.split_at(last);
                Self::Begins(short(head) + last)
            }
            Self::Like(word, letters) => Self::Like(short(word), *letters),
        }
    }
}

/// How texts become words: at everything that is no letter or digit, without case, Latin letters without accents.
pub(crate) fn analyzer() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(128))
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .build()
}

/// Drops accents that are characters of their own, as texts from some systems have them: they would part words.
pub(crate) fn compose(text: &str) -> std::borrow::Cow<'_, str> {
    if text.contains(is_accent) {
        text.chars()
            .filter(|c| !is_accent(*c))
            .collect::<String>()
            .into()
    } else {
        text.into()
    }
}

fn is_accent(c: char) -> bool {
    ('\u{300}'..='\u{36F}').contains(&c)
}

/// The words of a text.
pub(crate) fn fold(text: &str) -> Vec<String> {
    let text = compose(text);
    let mut analyzer = analyzer();
    let mut stream = analyzer.token_stream(&text);
    let mut words = Vec::new();
    while let Some(token) = stream.next() {
        words.push(token.text.clone());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_spelled_as_keyboards_allow() {
        let spellings = |text: &str| -> Vec<String> {
            let words = Words::parse(text);
            let text = |words: &[Word]| words.iter().map(Word::text).collect::<Vec<_>>().join(" ");
            words.spellings().map(text).collect()
        };
        assert_eq!(spellings("kirk"), ["kirk"]);
        assert_eq!(spellings("Müller Jörg"), ["muller jorg", "mueller joerg"]);
        assert_eq!(spellings("Mu\u{308}ller"), ["muller", "mueller"]);
        assert_eq!(
            spellings("Mueller Jörg"),
            ["mueller jorg", "mueller joerg", "muller jorg"]
        );
        assert_eq!(
            spellings("=Goethe, Ägidius"),
            ["goethe agidius", "goethe aegidius", "gothe agidius"]
        );
        assert_eq!(spellings("mue*"), ["mue"]);
        assert_eq!(spellings("muel*"), ["muel", "mul"]);
    }

    #[test]
    fn words_are_folded_alike_however_they_are_written() {
        for text in [
            "D'Agostino, José",
            "d agostino jose",
            "D’AGOSTINO (Jose\u{301})",
        ] {
            assert_eq!(fold(text), ["d", "agostino", "jose"], "{text}");
        }
        assert_eq!(fold("Чехов"), ["чехов"]);
        assert_eq!(fold("  ,. "), Vec::<String>::new());
    }
}
