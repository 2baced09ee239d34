//! Queries about words in the texts of games: as queries of tantivy, and as tests of a single game.

use crate::query::expression::Query as Asked;
use crate::query::logic::Logic;
use crate::storage::document::{content_label, nag_label};
use crate::storage::schema::{SCHEMA_FIELDS, TextFields, tag_key, text_of_tag};
use crate::text::text_field::TextField;
use crate::text::words::{ENDS, Folding, WordQuery, Words};
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
    /// The key of the tag, if the field has those of all tags.
    tag: Option<String>,
    kind: TermKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum TermKind {
    Word(WordQuery),
    /// Words that follow each other.
    Phrase(Vec<String>),
}

/// The tests that a query about words, tags or labels consists of; `None` for another query.
pub(crate) fn of(query: &Asked) -> Option<Logic<TermTest>> {
    Some(match query {
        Asked::Text(field, words) => tests(*field, words),
        Asked::Tag(name, words) => tag_tests(name, words),
        Asked::Known(field) => known_tests(*field),
        Asked::KnownTag(name) => known_tag_tests(name),
        Asked::Has(content) => label_test(&content_label(*content)),
        Asked::Nag(nag) => label_test(&nag_label(*nag)),
        _ => return None,
    })
}

/// The tests that a query for words consists of. All words must be in the same text.
fn tests(field: TextField, words: &Words) -> Logic<TermTest> {
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
    let test = |field, kind| {
        let tag = None;
        Logic::Leaf(TermTest { field, tag, kind })
    };
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

/// The tests that a query for words in the value of a tag consists of.
fn tag_tests(name: &str, words: &Words) -> Logic<TermTest> {
    if let Some(text) = text_of_tag(name) {
        return tests(text, words);
    }
    let wanted: Vec<WordQuery> = words.words.iter().map(WordQuery::short).collect();
    let spellings = || wanted.iter().map(|word| word.text().to_owned());
    let phrase = |words: Vec<String>| of_tag(name, TermKind::Phrase(words));
    if words.is_whole {
        let [start, end] = ENDS.map(|end| [end.to_owned()]);
        return phrase(start.into_iter().chain(spellings()).chain(end).collect());
    }
    if words.is_phrase && wanted.len() > 1 {
        return phrase(spellings().collect());
    }
    // Without words, nothing matches.
    if wanted.is_empty() {
        return Logic::Or(Vec::new());
    }
    let one = |word: &WordQuery| of_tag(name, TermKind::Word(word.clone()));
    Logic::And(wanted.iter().map(one).collect())
}

fn of_tag(name: &str, kind: TermKind) -> Logic<TermTest> {
    Logic::Leaf(TermTest {
        field: SCHEMA_FIELDS.tags,
        tag: Some(tag_key(name)),
        kind,
    })
}

/// The tests whether a text is known.
fn known_tests(field: TextField) -> Logic<TermTest> {
    let texts = SCHEMA_FIELDS.texts.iter();
    let texts = texts.filter(|text| covers(field, text.spec.field));
    let known = |text: &TextFields| {
        let (label, is_of_known) = text.spec.label();
        let has = label_test(&label);
        if is_of_known { has } else { has.negated() }
    };
    Logic::Or(texts.map(known).collect())
}

/// The test whether a tag has a known value.
fn known_tag_tests(name: &str) -> Logic<TermTest> {
    match text_of_tag(name) {
        Some(text) => known_tests(text),
        None => of_tag(name, TermKind::Word(WordQuery::Is(ENDS[0].to_owned()))),
    }
}

/// The test whether a game has a label.
fn label_test(label: &str) -> Logic<TermTest> {
    Logic::Leaf(TermTest {
        field: SCHEMA_FIELDS.labels,
        tag: None,
        kind: TermKind::Word(WordQuery::Is(label.to_owned())),
    })
}

impl TermTest {
    /// A term of the field.
    fn term(&self, text: &str) -> Term {
        match &self.tag {
            None => Term::from_field_text(self.field, text),
            Some(tag) => {
                // In a path, a dot separates the names of nested values.
                let path = tag.replace('\\', r"\\").replace('.', r"\.");
                let mut term = Term::from_field_json_path(self.field, &path, false);
                term.append_type_and_str(text);
                term
            }
        }
    }

    /// The test as a query of tantivy.
    pub(crate) fn query(&self) -> Box<dyn Query> {
        let term = |text: &str| self.term(text);
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
        let Some(tag) = &self.test.tag else {
            return values.any(|value| value.as_str().is_some_and(|text| self.is_in(text)));
        };
        let tags = values.filter_map(|value| value.as_object()).flatten();
        tags.filter(|(name, _)| name == tag)
            .any(|(_, value)| value.as_str().is_some_and(|text| self.is_in(text)))
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
        _ if field == SCHEMA_FIELDS.tags => {
            let mut folding = Folding::TAG;
            folding.token_stream(text).process(take);
        }
        Some(known) => {
            let mut folding = match known.spec.is_name {
                true => Folding::NAME,
                false => Folding::TEXT,
            };
            folding.token_stream(text).process(take);
        }
        None => RawTokenizer::default().token_stream(text).process(take),
    }
    tokens
}
