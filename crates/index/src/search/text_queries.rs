//! Queries about words in the texts of games, as tantivy queries.

use crate::query::logic::Logic;
use crate::storage::schema::{FIELDS, TextFields};
use crate::text::text_field::TextField;
use crate::text::words::{WordQuery, Words};
use tantivy::Term;
use tantivy::query::{FuzzyTermQuery, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};

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

/// Converts words to tantivy queries. All words must be in the same text.
pub(crate) fn query(field: TextField, words: &Words) -> Logic<Box<dyn Query>> {
    // Without words, nothing matches.
    let has_words = !words.words.is_empty();
    let texts = FIELDS.texts.iter();
    let texts = texts.filter(|text| has_words && covers(field, text.spec.field));
    Logic::Or(texts.map(|text| in_text(text, words)).collect())
}

fn in_text(text: &TextFields, words: &Words) -> Logic<Box<dyn Query>> {
    // Names are spelled in several ways.
    let wanted: Vec<WordQuery> = match text.spec.is_name {
        true => words.words.iter().map(WordQuery::short).collect(),
        false => words.words.clone(),
    };
    let spellings = || wanted.iter().map(WordQuery::text);
    if let Some(whole) = text.whole.filter(|_| words.is_whole) {
        let name: Vec<&str> = spellings().collect();
        return word_query(whole, &WordQuery::Is(name.join(" ")));
    }
    if words.is_phrase && wanted.len() > 1 {
        let terms = spellings().map(|word| Term::from_field_text(text.words, word));
        return Logic::Leaf(Box::new(PhraseQuery::new(terms.collect())));
    }
    let one = |word: &WordQuery| {
        let initials = word.initials().filter(|_| is_player(text.spec.field));
        let ways = [word.clone()].into_iter().chain(initials);
        Logic::Or(ways.map(|word| word_query(text.words, &word)).collect())
    };
    Logic::And(wanted.iter().map(one).collect())
}

fn word_query(field: Field, word: &WordQuery) -> Logic<Box<dyn Query>> {
    let term = Term::from_field_text(field, word.text());
    Logic::Leaf(match word {
        WordQuery::Is(_) => Box::new(TermQuery::new(term, IndexRecordOption::Basic)),
        WordQuery::Begins(_) => Box::new(FuzzyTermQuery::new_prefix(term, 0, true)),
        WordQuery::Like(_, letters) => Box::new(FuzzyTermQuery::new(term, (*letters).min(2), true)),
    })
}
