//! The searchable texts of games.

use super::words::{WordQuery, Words};
use crate::store::schema::Fields;
use tantivy::Term;
use tantivy::query::{FuzzyTermQuery, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};

/// A text of a game that can be searched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TextField {
    /// Either player.
    Player,
    /// White's name.
    White,
    /// Black's name.
    Black,
    /// The event.
    Event,
    /// The site.
    Site,
    /// The round.
    Round,
    /// Comments.
    Comments,
    /// The name of the opening.
    Opening,
    /// Any of them.
    Any,
}

fn places(fields: &Fields, field: TextField) -> Vec<Field> {
    match field {
        TextField::Player => vec![fields.white, fields.black],
        TextField::White => vec![fields.white],
        TextField::Black => vec![fields.black],
        TextField::Event => vec![fields.event],
        TextField::Site => vec![fields.site],
        TextField::Round => vec![fields.round],
        TextField::Comments => vec![fields.comments],
        TextField::Opening => vec![fields.opening],
        TextField::Any => vec![
            fields.white,
            fields.black,
            fields.event,
            fields.site,
            fields.round,
            fields.comments,
            fields.opening,
        ],
    }
}

fn whole_of(fields: &Fields, field: Field) -> Option<Field> {
    let names = [fields.white, fields.black, fields.event, fields.site];
    let i = names.iter().position(|name| *name == field)?;
    fields.whole.get(i).copied()
}

/// Queries for words: any of the texts, of which all of the words, of which any of the spellings.
pub(crate) type Ways = Vec<Vec<Vec<Box<dyn Query>>>>;

/// Words of a query; all of them are in the same text.
pub(crate) fn query(fields: &Fields, field: TextField, words: &Words) -> Ways {
    // No words: nothing can be without them.
    let places = match words.words() {
        [] => Vec::new(),
        _ => places(fields, field),
    };
    let in_place = |place: Field| in_place(fields, place, words);
    places.into_iter().map(in_place).collect()
}

fn in_place(fields: &Fields, place: Field, words: &Words) -> Vec<Vec<Box<dyn Query>>> {
    let whole = whole_of(fields, place);
    // What has a whole is a name; names are spelled in several ways.
    let asked: Vec<WordQuery> = match whole {
        Some(_) => words.words().iter().map(WordQuery::short).collect(),
        None => words.words().to_vec(),
    };
    let texts = || asked.iter().map(WordQuery::text);
    if let Some(whole) = whole.filter(|_| words.is_whole()) {
        let name: Vec<&str> = texts().collect();
        return vec![vec![word_query(whole, &WordQuery::Is(name.join(" ")))]];
    }
    if words.is_phrase() && asked.len() > 1 {
        let terms = texts().map(|word| Term::from_field_text(place, word));
        return vec![vec![Box::new(PhraseQuery::new(terms.collect()))]];
    }
    let is_player = [fields.white, fields.black].contains(&place);
    let one = |word: &WordQuery| {
        let initials = word.initials().filter(|_| is_player);
        let ways = [word.clone()].into_iter().chain(initials);
        ways.map(|word| word_query(place, &word)).collect()
    };
    asked.iter().map(one).collect()
}

fn word_query(field: Field, word: &WordQuery) -> Box<dyn Query> {
    let term = Term::from_field_text(field, word.text());
    match word {
        WordQuery::Is(_) => Box::new(TermQuery::new(term, IndexRecordOption::Basic)),
        WordQuery::Begins(_) => Box::new(FuzzyTermQuery::new_prefix(term, 0, true)),
        WordQuery::Like(_, letters) => Box::new(FuzzyTermQuery::new(term, (*letters).min(2), true)),
    }
}
