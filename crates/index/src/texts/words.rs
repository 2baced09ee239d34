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
            let words = fold(text);
            return Self {
                whole: Some(words.join(" ")),
                words: words.into_iter().map(Word::Is).collect(),
                phrase: true,
            };
        }
        let mut words = Vec::new();
        for piece in text.split_whitespace() {
            let (piece, make): (&str, fn(String) -> Word) = if let Some(p) = piece.strip_suffix('*')
            {
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
        Self {
            words,
            phrase: false,
            whole: None,
        }
    }

    /// Words that have to follow each other as they stand.
    #[must_use]
    pub fn phrase(text: &str) -> Self {
        Self {
            words: fold(text).into_iter().map(Word::Is).collect(),
            phrase: true,
            whole: None,
        }
    }

    /// The words.
    #[must_use]
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// Whether they have to follow each other.
    #[must_use]
    pub fn is_phrase(&self) -> bool {
        self.phrase
    }

    /// All the words of the name, if nothing else may be in it.
    #[must_use]
    pub fn whole(&self) -> Option<&str> {
        self.whole.as_deref()
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
