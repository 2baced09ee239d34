//! Queries about words in the texts of games, as tantivy queries.

use crate::query::logic::Logic;
use crate::storage::schema::{FIELDS, TEXTS};
use crate::text::text_field::TextField;
use crate::text::words::{WordQuery, Words};
use tantivy::Term;
use tantivy::query::{FuzzyTermQuery, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};

impl TextField {
    /// The range of its texts in [`TEXTS`], whose order is the same.
    fn places(self) -> std::ops::Range<usize> {
        match self {
            Self::Player => 0..2,
            Self::Any => 0..TEXTS.len(),
            one => one as usize - 1..one as usize,
        }
    }
}

/// Converts words to tantivy queries. All words must be in the same text.
pub(crate) fn query(field: TextField, words: &Words) -> Logic<Box<dyn Query>> {
    // Without words, nothing matches.
    let places = match words.words.as_slice() {
        [] => 0..0,
        _ => field.places(),
    };
    Logic::Or(places.map(|place| in_place(place, words)).collect())
}

fn in_place(place: usize, words: &Words) -> Logic<Box<dyn Query>> {
    let field = FIELDS.texts[place];
    let whole = FIELDS.whole.get(place);
    // A text that has a field for the whole name is a name, and names are spelled in several ways.
    let asked: Vec<WordQuery> = match whole {
        Some(_) => words.words.iter().map(WordQuery::short).collect(),
        None => words.words.clone(),
    };
    let texts = || asked.iter().map(WordQuery::text);
    if let Some(whole) = whole.filter(|_| words.is_whole) {
        let name: Vec<&str> = texts().collect();
        return word_query(*whole, &WordQuery::Is(name.join(" ")));
    }
    if words.is_phrase && asked.len() > 1 {
        let terms = texts().map(|word| Term::from_field_text(field, word));
        return Logic::Leaf(Box::new(PhraseQuery::new(terms.collect())));
    }
    let is_player = TextField::Player.places().contains(&place);
    let one = |word: &WordQuery| {
        let initials = word.initials().filter(|_| is_player);
        let ways = [word.clone()].into_iter().chain(initials);
        Logic::Or(ways.map(|word| word_query(field, &word)).collect())
    };
    Logic::And(asked.iter().map(one).collect())
}

fn word_query(field: Field, word: &WordQuery) -> Logic<Box<dyn Query>> {
    let term = Term::from_field_text(field, word.text());
    Logic::Leaf(match word {
        WordQuery::Is(_) => Box::new(TermQuery::new(term, IndexRecordOption::Basic)),
        WordQuery::Begins(_) => Box::new(FuzzyTermQuery::new_prefix(term, 0, true)),
        WordQuery::Like(_, letters) => Box::new(FuzzyTermQuery::new(term, (*letters).min(2), true)),
    })
}
