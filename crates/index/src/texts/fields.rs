//! The searchable texts of games.

use super::words::{WordQuery, Words};
use crate::questions::logic::Logic;
use crate::store::schema::{FIELDS, TEXTS};
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

impl TextField {
    /// Its places among [`TEXTS`], which are in the order of the fields.
    fn places(self) -> std::ops::Range<usize> {
        match self {
            Self::Player => 0..2,
            Self::Any => 0..TEXTS.len(),
            one => one as usize - 1..one as usize,
        }
    }
}

/// Words of a query as queries of tantivy; all of them are in the same text.
pub(crate) fn query(field: TextField, words: &Words) -> Logic<Box<dyn Query>> {
    // No words: nothing can be without them.
    let places = match words.words.as_slice() {
        [] => 0..0,
        _ => field.places(),
    };
    Logic::Or(places.map(|place| in_place(place, words)).collect())
}

fn in_place(place: usize, words: &Words) -> Logic<Box<dyn Query>> {
    let field = FIELDS.texts[place];
    let whole = FIELDS.whole.get(place);
    // What has a whole is a name; names are spelled in several ways.
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
