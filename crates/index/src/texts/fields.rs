//! The searchable texts of games, and what is only wanted of games that were found.

use super::words::{Word, Words, wholes};
use crate::bits::{Bytes, put_varint};
use crate::game::entry::{find_tag, put_tags};
use crate::game::notes::Note;
use crate::questions::stop::{Stop, Stoppable};
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

/// What is stored of a game to be shown: tags, notes, the name of its opening.
///
/// Format: 1 if there are no notes, else 3; the number of tags, and name and value of each; the number of notes, and each
/// (see [`Note::put`]); the name of the opening. Numbers are in groups of seven bits, texts follow their lengths. (1 and
/// 2 were once formats of comments by their places.)
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Record {
    pub(crate) tags: Vec<(String, String)>,
    pub(crate) notes: Vec<Note>,
    pub(crate) opening: String,
}

/// The format of a record without notes, and of one with notes.
const PLAIN: u64 = 1;
const NOTED: u64 = 3;

/// Writes tags and notes; the name of the opening is still to follow.
pub(crate) fn put_record(out: &mut Vec<u8>, tags: &[(String, String)], notes: &[Note]) {
    put_varint(out, if notes.is_empty() { PLAIN } else { NOTED });
    put_tags(out, tags);
    put_varint(out, notes.len() as u64);
    notes.iter().for_each(|note| note.put(out));
}

impl Record {
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let mut bytes = Bytes(bytes);
        let format = bytes.varint()?;
        let mut record = Self::default();
        for _ in 0..bytes.varint()? {
            let name = bytes.text()?.to_owned();
            record.tags.push((name, bytes.text()?.to_owned()));
        }
        for _ in 0..bytes.varint()? {
            record.notes.push(Note::read(&mut bytes)?);
        }
        bytes.text()?.clone_into(&mut record.opening);
        let is_known = format
            == if record.notes.is_empty() {
                PLAIN
            } else {
                NOTED
            };
        (is_known && bytes.0.is_empty()).then_some(record)
    }
}

/// The texts and the record of a game, as tantivy takes them.
pub(crate) fn document(
    fields: &Fields,
    tags: &[(String, String)],
    notes: &[Note],
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
        document.add_text(field, value);
        if let Some(whole) = whole {
            wholes(value).for_each(|name| document.add_text(whole, name));
        }
    }
    for text in notes.iter().filter_map(Note::comment) {
        document.add_text(fields.comments, text);
    }
    if !opening.is_empty() {
        document.add_text(fields.opening, opening);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::put_bytes;
    use tridex_archive::Item;

    #[test]
    fn records_come_back_and_cut_ones_are_refused() {
        let mut record = Record {
            tags: vec![
                ("White", "Davis"),
                ("Black", "D'Agostino"),
                ("Event", "Correspondence – 2006"),
            ]
            .into_iter()
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .collect(),
            notes: Vec::new(),
            opening: "Column Four".into(),
        };
        let text = || "the sealed move".to_owned();
        let notes = vec![
            Note::Item(Item::Comment(text())),
            Note::Moves(12),
            Note::Signs("!?".to_owned()),
            Note::Item(Item::Nag(255)),
            Note::Item(Item::DrawOffer),
            Note::Item(Item::VariationStart),
            Note::Item(Item::LineComment(text())),
            Note::Item(Item::Escape(text())),
            Note::Item(Item::Word("etc.".to_owned())),
            Note::Item(Item::Move("--".to_owned())),
            Note::Item(Item::VariationEnd),
        ];
        for notes in [Vec::new(), notes] {
            record.notes = notes;
            let mut bytes = Vec::new();
            put_record(&mut bytes, &record.tags, &record.notes);
            put_bytes(&mut bytes, record.opening.as_bytes());
            assert_eq!(Record::read(&bytes).as_ref(), Some(&record));
            for cut in 0..bytes.len() {
                assert_eq!(Record::read(&bytes[..cut]), None);
            }
        }
    }
}
