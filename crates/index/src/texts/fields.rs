//! The searchable texts of games, and what is only wanted of games that were found.

use super::words::{Word, Words, compose, fold};
use crate::bits::{Bytes, put_bytes, put_varint};
use crate::game::entry::{find_tag, put_tags};
use crate::store::schema::Fields;
use tantivy::Term;
use tantivy::query::{BooleanQuery, EmptyQuery, FuzzyTermQuery, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, TantivyDocument};

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

/// What is kept of a game to be shown: tags, comments, the name of its opening.
///
/// Format 1: the format; the number of tags, and name and value of each; the number of comments, and ply and text of
/// each; the name of the opening. Numbers are in groups of seven bits, texts behind their lengths.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Record {
    pub(crate) tags: Vec<(String, String)>,
    pub(crate) comments: Vec<(u32, String)>,
    pub(crate) opening: String,
}

const RECORD_FORMAT: u64 = 1;

/// Writes tags and comments; the name of the opening is still to follow.
pub(crate) fn put_record(out: &mut Vec<u8>, tags: &[(String, String)], comments: &[(u32, String)]) {
    put_varint(out, RECORD_FORMAT);
    put_tags(out, tags);
    put_varint(out, comments.len() as u64);
    for (ply, text) in comments {
        put_varint(out, u64::from(*ply));
        put_bytes(out, text.as_bytes());
    }
}

impl Record {
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let mut bytes = Bytes(bytes);
        if bytes.varint()? != RECORD_FORMAT {
            return None;
        }
        let mut record = Self::default();
        for _ in 0..bytes.varint()? {
            let name = bytes.text()?.to_owned();
            record.tags.push((name, bytes.text()?.to_owned()));
        }
        for _ in 0..bytes.varint()? {
            let ply = bytes.number()?;
            record.comments.push((ply, bytes.text()?.to_owned()));
        }
        bytes.text()?.clone_into(&mut record.opening);
        bytes.0.is_empty().then_some(record)
    }
}

/// The texts and the record of a game, as tantivy takes them.
pub(crate) fn document(
    fields: &Fields,
    tags: &[(String, String)],
    comments: &[(u32, String)],
    opening: &str,
    record: &[u8],
) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    let named = [
        (fields.white, "White", Some(fields.whole[0])),
        (fields.black, "Black", Some(fields.whole[1])),
        (fields.event, "Event", Some(fields.whole[2])),
        (fields.site, "Site", Some(fields.whole[3])),
        (fields.round, "Round", None),
    ];
    for (field, name, whole) in named {
        let Some(value) = find_tag(tags, name) else {
            continue;
        };
        document.add_text(field, compose(value));
        if let Some(whole) = whole {
            document.add_text(whole, fold(value).join(" "));
        }
    }
    for (_, text) in comments {
        document.add_text(fields.comments, compose(text));
    }
    if !opening.is_empty() {
        document.add_text(fields.opening, compose(opening));
    }
    document.add_bytes(fields.record, record);
    document
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

/// A question about words; the words of one question are all in the same text.
pub(crate) fn query(fields: &Fields, field: TextField, words: &Words) -> Box<dyn Query> {
    let places = places(fields, field);
    let of_place = |place: Field| -> Box<dyn Query> {
        if let Some(whole) = words.whole()
            && let Some(field) = whole_of(fields, place)
        {
            return word_query(field, &Word::Is(whole.to_owned()));
        }
        phrase_query(place, words).unwrap_or_else(|| {
            let parts = words.words().iter().map(|word| word_query(place, word));
            Box::new(BooleanQuery::intersection(parts.collect()))
        })
    };
    match (words.words(), places.as_slice()) {
        // No words: nothing can be without them.
        ([], _) => Box::new(EmptyQuery),
        (_, [only]) => of_place(*only),
        _ => Box::new(BooleanQuery::union(
            places.into_iter().map(of_place).collect(),
        )),
    }
}

fn phrase_query(field: Field, words: &Words) -> Option<Box<dyn Query>> {
    if !words.is_phrase() || words.words().len() < 2 {
        return None;
    }
    let terms = words.words().iter().map(|word| match word {
        Word::Is(word) | Word::Begins(word) | Word::Like(word, _) => {
            Term::from_field_text(field, word)
        }
    });
    Some(Box::new(PhraseQuery::new(terms.collect())))
}

fn word_query(field: Field, word: &Word) -> Box<dyn Query> {
    match word {
        Word::Is(word) => Box::new(TermQuery::new(
            Term::from_field_text(field, word),
            IndexRecordOption::Basic,
        )),
        Word::Begins(start) => Box::new(FuzzyTermQuery::new_prefix(
            Term::from_field_text(field, start),
            0,
            true,
        )),
        Word::Like(word, letters) => Box::new(FuzzyTermQuery::new(
            Term::from_field_text(field, word),
            (*letters).min(2),
            true,
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_and_cut_ones_are_refused() {
        let record = Record {
            tags: vec![
                ("White", "Davis"),
                ("Black", "D'Agostino"),
                ("Event", "Correspondence – 2006"),
            ]
            .into_iter()
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .collect(),
            comments: vec![(0, "before".into()), (12, "the sealed move".into())],
            opening: "Column Four".into(),
        };
        let mut bytes = Vec::new();
        put_record(&mut bytes, &record.tags, &record.comments);
        put_bytes(&mut bytes, record.opening.as_bytes());
        assert_eq!(Record::read(&bytes), Some(record));
        for cut in 0..bytes.len() {
            assert_eq!(Record::read(&bytes[..cut]), None);
        }
    }
}
