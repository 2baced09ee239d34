//! The searchable texts of games, and what is only wanted of games that were found: one document a game.

use crate::bits::{Bytes, put_bytes, put_varint};
use crate::entry::find_tag;
use crate::error::{IndexError, damaged, guarded, io};
use crate::words::{Word, Words, analyzer, compose, fold};
use std::path::Path;
use std::sync::Arc;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::Column;
use tantivy::directory::MmapDirectory;
use tantivy::query::{
    AllQuery, BooleanQuery, EmptyQuery, FuzzyTermQuery, PhraseQuery, Query, TermQuery,
};
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, Schema, TantivyDocument, TextFieldIndexing,
    TextOptions, Value,
};
use tantivy::tokenizer::{RawTokenizer, TextAnalyzer};
use tantivy::{DocAddress, DocId, DocSet, Index, Score, Searcher, SegmentReader, TERMINATED, Term};

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

/// The fields of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    game: Field,
    record: Field,
    white: Field,
    black: Field,
    event: Field,
    site: Field,
    round: Field,
    comments: Field,
    opening: Field,
    /// Names as a whole: White's, Black's, event, site.
    whole: [Field; 4],
}

const WORDS: &str = "tridex_words";
const WHOLE: &str = "tridex_whole";

pub(crate) fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let text = |tokenizer, option| {
        TextOptions::default().set_indexing_options(
            TextFieldIndexing::default()
                .set_tokenizer(tokenizer)
                .set_index_option(option)
                .set_fieldnorms(false),
        )
    };
    let words = text(WORDS, IndexRecordOption::WithFreqsAndPositions);
    let whole = text(WHOLE, IndexRecordOption::Basic);
    let fields = Fields {
        game: builder.add_u64_field("game", FAST | INDEXED),
        record: builder.add_bytes_field("record", STORED),
        white: builder.add_text_field("white", words.clone()),
        black: builder.add_text_field("black", words.clone()),
        event: builder.add_text_field("event", words.clone()),
        site: builder.add_text_field("site", words.clone()),
        round: builder.add_text_field("round", words.clone()),
        comments: builder.add_text_field("comments", words.clone()),
        opening: builder.add_text_field("opening", words),
        whole: ["white_whole", "black_whole", "event_whole", "site_whole"]
            .map(|name| builder.add_text_field(name, whole.clone())),
    };
    (builder.build(), fields)
}

/// Opens the documents of an index, or makes an empty place for them.
pub(crate) fn open(path: &Path) -> Result<(Index, Fields), IndexError> {
    let (schema, fields) = schema();
    std::fs::create_dir_all(path).map_err(io(path))?;
    let directory = MmapDirectory::open(path).map_err(|e| IndexError::Fields(e.to_string()))?;
    let index = Index::open_or_create(directory, schema)?;
    index.tokenizers().register(WORDS, analyzer());
    index
        .tokenizers()
        .register(WHOLE, TextAnalyzer::from(RawTokenizer::default()));
    Ok((index, fields))
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
    crate::entry::put_tags(out, tags);
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

impl Fields {
    /// A document that lacks only the number of the game.
    pub(crate) fn document(
        &self,
        tags: &[(String, String)],
        comments: &[(u32, String)],
        opening: &str,
        record: &[u8],
    ) -> TantivyDocument {
        let mut document = TantivyDocument::default();
        let named = [
            (self.white, "White", Some(self.whole[0])),
            (self.black, "Black", Some(self.whole[1])),
            (self.event, "Event", Some(self.whole[2])),
            (self.site, "Site", Some(self.whole[3])),
            (self.round, "Round", None),
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
            document.add_text(self.comments, compose(text));
        }
        if !opening.is_empty() {
            document.add_text(self.opening, compose(opening));
        }
        document.add_bytes(self.record, record);
        document
    }

    /// Gives a document the number of its game.
    pub(crate) fn number(&self, document: &mut TantivyDocument, game: u32) {
        document.add_u64(self.game, game.into());
    }

    /// What finds the document of a game.
    pub(crate) fn term(&self, game: u32) -> Term {
        Term::from_field_u64(self.game, game.into())
    }

    fn places(&self, field: TextField) -> Vec<Field> {
        match field {
            TextField::Player => vec![self.white, self.black],
            TextField::White => vec![self.white],
            TextField::Black => vec![self.black],
            TextField::Event => vec![self.event],
            TextField::Site => vec![self.site],
            TextField::Round => vec![self.round],
            TextField::Comments => vec![self.comments],
            TextField::Opening => vec![self.opening],
            TextField::Any => vec![
                self.white,
                self.black,
                self.event,
                self.site,
                self.round,
                self.comments,
                self.opening,
            ],
        }
    }

    fn whole_of(&self, field: Field) -> Option<Field> {
        let names = [self.white, self.black, self.event, self.site];
        let i = names.iter().position(|name| *name == field)?;
        self.whole.get(i).copied()
    }

    /// A question about words; the words of one question are all in the same text.
    pub(crate) fn query(&self, field: TextField, words: &Words) -> Box<dyn Query> {
        let places = self.places(field);
        let of_place = |place: Field| -> Box<dyn Query> {
            if let Some(whole) = words.whole()
                && let Some(field) = self.whole_of(place)
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

    /// The numbers of the games a question finds, in any order.
    pub(crate) fn find(
        &self,
        searcher: &Searcher,
        query: &dyn Query,
        path: &Path,
    ) -> Result<Vec<u32>, IndexError> {
        guarded(path, || Ok(searcher.search(query, &Games)?))
    }

    /// The numbers of all games there are documents of.
    pub(crate) fn all(&self, searcher: &Searcher, path: &Path) -> Result<Vec<u32>, IndexError> {
        self.find(searcher, &AllQuery, path)
    }

    /// The record of a game, if there is one.
    pub(crate) fn record(
        &self,
        searcher: &Searcher,
        game: u32,
        path: &Path,
    ) -> Result<Option<Record>, IndexError> {
        guarded(path, || self.read_record(searcher, game, path))
    }

    fn read_record(
        &self,
        searcher: &Searcher,
        game: u32,
        path: &Path,
    ) -> Result<Option<Record>, IndexError> {
        let term = self.term(game);
        for (ordinal, segment) in (0..).zip(searcher.segment_readers()) {
            let index = segment.inverted_index(self.game)?;
            let postings = index
                .read_postings(&term, IndexRecordOption::Basic)
                .map_err(io(path))?;
            let Some(mut postings) = postings else {
                continue;
            };
            let mut doc = postings.doc();
            while doc != TERMINATED {
                if !segment.is_deleted(doc) {
                    let document: TantivyDocument = searcher.doc(DocAddress::new(ordinal, doc))?;
                    let record = document
                        .get_first(self.record)
                        .and_then(|value| value.as_bytes().and_then(Record::read));
                    return match record {
                        Some(record) => Ok(Some(record)),
                        None => Err(damaged(path, "a game's record cannot be read")),
                    };
                }
                doc = postings.advance();
            }
        }
        Ok(None)
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

/// Collects the numbers of games.
struct Games;

struct GamesOfSegment {
    games: Arc<dyn tantivy::columnar::ColumnValues<u64>>,
    found: Vec<u32>,
}

impl Collector for Games {
    type Fruit = Vec<u32>;
    type Child = GamesOfSegment;

    fn for_segment(&self, _: u32, segment: &SegmentReader) -> tantivy::Result<GamesOfSegment> {
        let column: Column<u64> = segment.fast_fields().u64("game")?;
        Ok(GamesOfSegment {
            games: column.first_or_default_col(u64::MAX),
            found: Vec::new(),
        })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(&self, fruits: Vec<Vec<u32>>) -> tantivy::Result<Vec<u32>> {
        Ok(fruits.concat())
    }
}

impl SegmentCollector for GamesOfSegment {
    type Fruit = Vec<u32>;

    fn collect(&mut self, doc: DocId, _: Score) {
        self.found.extend(u32::try_from(self.games.get_val(doc)));
    }

    fn harvest(self) -> Vec<u32> {
        self.found
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
