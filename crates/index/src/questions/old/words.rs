//! The searchable texts of games.

use super::stopping::Stoppable;
use crate::questions::stop::Stop;
use crate::store::schema::Fields;
use crate::texts::fields::TextField;
use crate::texts::words::{Word, Words};
use tantivy::Term;
use tantivy::query::{BooleanQuery, EmptyQuery, FuzzyTermQuery, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};

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

/// A question about words; the words of one question are all in the same text.
pub(crate) fn query(
    fields: &Fields,
    field: TextField,
    words: &Words,
    stop: &Stop,
) -> Box<dyn Query> {
    let places = places(fields, field);
    match (words.words(), places.as_slice()) {
        // No words: nothing can be without them.
        ([], _) => Box::new(EmptyQuery),
        (_, [only]) => in_place(fields, *only, words, stop),
        _ => {
            let parts = places.into_iter();
            let parts = parts.map(|place| in_place(fields, place, words, stop));
            Box::new(BooleanQuery::union(parts.collect()))
        }
    }
}

/// A question about words in one text.
fn in_place(fields: &Fields, place: Field, words: &Words, stop: &Stop) -> Box<dyn Query> {
    let whole = whole_of(fields, place);
    // What has a whole is a name; names are spelled in several ways.
    let asked: Vec<Word> = match whole {
        Some(_) => words.words().iter().map(Word::short).collect(),
        None => words.words().to_vec(),
    };
    let texts = || asked.iter().map(Word::text);
    if let Some(whole) = whole.filter(|_| words.is_whole()) {
        let name: Vec<&str> = texts().collect();
        return word_query(whole, &Word::Is(name.join(" ")), stop);
    }
    if words.is_phrase() && asked.len() > 1 {
        let terms = texts().map(|word| Term::from_field_text(place, word));
        return Box::new(PhraseQuery::new(terms.collect()));
    }
    let is_player = [fields.white, fields.black].contains(&place);
    let one = |word: &Word| {
        let initials = word.initials().filter(|_| is_player);
        let ways = [word.clone()].into_iter().chain(initials);
        any_of(ways.map(|word| word_query(place, &word, stop)).collect())
    };
    Box::new(BooleanQuery::intersection(asked.iter().map(one).collect()))
}

fn any_of(mut parts: Vec<Box<dyn Query>>) -> Box<dyn Query> {
    match parts.len() {
        1 => parts.remove(0),
        _ => Box::new(BooleanQuery::union(parts)),
    }
}

fn word_query(field: Field, word: &Word, stop: &Stop) -> Box<dyn Query> {
    let term = Term::from_field_text(field, word.text());
    let query = match word {
        Word::Is(_) => return Box::new(TermQuery::new(term, IndexRecordOption::Basic)),
        Word::Begins(_) => FuzzyTermQuery::new_prefix(term, 0, true),
        Word::Like(_, letters) => FuzzyTermQuery::new(term, (*letters).min(2), true),
    };
    Box::new(Stoppable {
        query: Box::new(query),
        stop: stop.clone(),
    })
}
