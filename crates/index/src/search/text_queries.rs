//! Queries about words in the texts of games: as queries of tantivy, and as tests of a single game.

use crate::query::logic::Logic;
use crate::storage::schema::{SCHEMA_FIELDS, TextFields};
use crate::text::text_field::TextField;
use crate::text::words::{Folding, WordQuery, Words};
use levenshtein_automata::{DFA, Distance, LevenshteinAutomatonBuilder};
use tantivy::query::{FuzzyTermQuery, PhraseQuery, Query, TermQuery};
use tantivy::schema::document::Value;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::tokenizer::{RawTokenizer, Token, TokenStream, Tokenizer};
use tantivy::{TantivyDocument, Term};

/// Whether a query about `wanted` searches a text.
fn covers(wanted: TextField, text: TextField) -> bool {
    match wanted {
        TextField::Any => true,
        TextField::Player => is_player(text),
        one => one == text,
    }
}

const fn is_player(text: TextField) -> bool {
    matches!(text, TextField::White | TextField::Black)
}

/// A test of the words of a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TermTest {
    field: Field,
    kind: TermKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum TermKind {
    Word(WordQuery),
    /// Words that follow each other.
    Phrase(Vec<String>),
}

/// The tests that a query for words consists of. All words must be in the same text.
pub(crate) fn tests(field: TextField, words: &Words) -> Logic<TermTest> {
    // Without words, nothing matches.
    let has_words = !words.words.is_empty();
    let texts = SCHEMA_FIELDS.texts.iter();
    let texts = texts.filter(|text| has_words && covers(field, text.spec.field));
    Logic::Or(texts.map(|text| in_text(text, words)).collect())
}

fn in_text(text: &TextFields, words: &Words) -> Logic<TermTest> {
    // Names are spelled in several ways.
    let wanted: Vec<WordQuery> = match text.spec.is_name {
        true => words.words.iter().map(WordQuery::short).collect(),
        false => words.words.clone(),
    };
    let test = |field, kind| Logic::Leaf(TermTest { field, kind });
    let spellings = || wanted.iter().map(WordQuery::text);
    if let Some(whole) = text.whole.filter(|_| words.is_whole) {
        let name: Vec<&str> = spellings().collect();
        return test(whole, TermKind::Word(WordQuery::Is(name.join(" "))));
    }
    if words.is_phrase && wanted.len() > 1 {
        let phrase = spellings().map(str::to_owned).collect();
        return test(text.words, TermKind::Phrase(phrase));
    }
    let one = |word: &WordQuery| {
        let initials = word.initials().filter(|_| is_player(text.spec.field));
        let ways = [word.clone()].into_iter().chain(initials);
        Logic::Or(
            ways.map(|word| test(text.words, TermKind::Word(word)))
                .collect(),
        )
    };
    Logic::And(wanted.iter().map(one).collect())
}

impl TermTest {
    /// The test as a query of tantivy.
    pub(crate) fn query(&self) -> Box<dyn Query> {
        let term = |text: &str| Term::from_field_text(self.field, text);
        let word = match &self.kind {
            TermKind::Phrase(words) => {
                let terms = words.iter().map(|word| term(word));
                return Box::new(PhraseQuery::new(terms.collect()));
            }
            TermKind::Word(word) => word,
        };
        let term = term(word.text());
        match word {
            WordQuery::Is(_) => Box::new(TermQuery::new(term, IndexRecordOption::Basic)),
            WordQuery::Begins(_) => Box::new(FuzzyTermQuery::new_prefix(term, 0, true)),
            WordQuery::Like(_, letters) => {
                Box::new(FuzzyTermQuery::new(term, (*letters).min(2), true))
            }
        }
    }

    /// The same test for games that are in no index.
    pub(crate) fn matcher(&self) -> TermMatcher {
        let like = match &self.kind {
            TermKind::Word(WordQuery::Like(word, letters)) => {
                // As in tantivy, two neighbouring letters exchanged count as one error.
                let builder = LevenshteinAutomatonBuilder::new((*letters).min(2), true);
                Some(builder.build_dfa(word))
            }
            _ => None,
        };
        TermMatcher {
            test: self.clone(),
            like,
        }
    }
}

/// A [`TermTest`] for games that are in no index.
pub(crate) struct TermMatcher {
    test: TermTest,
    like: Option<DFA>,
}

impl std::fmt::Debug for TermMatcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.test.fmt(f)
    }
}

impl TermMatcher {
    /// Whether a document has the words.
    pub(crate) fn matches(&self, document: &TantivyDocument) -> bool {
        let mut values = document.get_all(self.test.field);
        values.any(|value| value.as_str().is_some_and(|text| self.is_in(text)))
    }

    fn is_in(&self, text: &str) -> bool {
        let tokens = tokens(self.test.field, text);
        match &self.test.kind {
            TermKind::Word(WordQuery::Is(word)) => tokens.iter().any(|token| token.text == *word),
            TermKind::Word(WordQuery::Begins(word)) => {
                tokens.iter().any(|token| token.text.starts_with(word))
            }
            TermKind::Word(WordQuery::Like(_, letters)) => tokens.iter().any(|token| {
                let distance = self.like.as_ref().map(|like| like.eval(&token.text));
                matches!(distance, Some(Distance::Exact(errors)) if errors <= (*letters).min(2))
            }),
            TermKind::Phrase(words) => tokens.iter().any(|first| {
                (first.position..).zip(words).all(|(position, word)| {
                    let mut here = tokens.iter().filter(|token| token.position == position);
                    here.any(|token| token.text == *word)
                })
            }),
        }
    }
}

/// The tokens of a text, as the index has them.
fn tokens(field: Field, text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let take = &mut |token: &Token| tokens.push(token.clone());
    match SCHEMA_FIELDS
        .texts
        .iter()
        .find(|known| known.words == field)
    {
        Some(known) => {
            let is_name = known.spec.is_name;
            Folding { is_name }.token_stream(text).process(take);
        }
        None => RawTokenizer::default().token_stream(text).process(take),
    }
    tokens
}
