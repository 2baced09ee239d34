//! The fields of an index, and the versions it must agree with to be read.

use crate::codec::packed_moves::PACKED_MOVES_FORMAT;
use crate::error::{IndexError, Result, Upgrade};
use crate::model::systems::RULES_VERSION;
use crate::storage::columns::PerColumn;
use crate::text::text_field::TextField;
use crate::text::words::Folding;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::LazyLock;
use tantivy::Index;
use tantivy::schema::{
    FAST, Field, FieldType, IndexRecordOption, JsonObjectOptions, STORED, Schema,
    TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{RawTokenizer, TextAnalyzer};

/// The version of the index's files. It is raised when indices made before can no longer be read.
pub const INDEX_VERSION: u32 = 5;

/// The previous version, whose games can be read: see [`MergeSource`](crate::MergeSource).
const PREVIOUS_VERSION: u32 = 4;

/// The versions and options an index was created with. They are stored as the parameters of a field in the schema.
#[derive(Clone, Copy, Serialize, Deserialize, PartialEq, Eq, Debug)]
pub(crate) struct Identity {
    version: u32,
    rules: u32,
    keys: u32,
    moves: u8,
    /// Whether positions of variations are indexed too.
    pub(crate) variations: bool,
}

/// The type name of that field.
const IDENTITY: &str = "tridex";

impl Identity {
    pub(crate) fn new(variations: bool) -> Self {
        Self {
            version: INDEX_VERSION,
            rules: RULES_VERSION,
            keys: tridex_rules::KEY_VERSION,
            moves: PACKED_MOVES_FORMAT,
            variations,
        }
    }

    /// Checks that this program can read an index with this identity.
    pub(crate) fn check(&self, root: &Path) -> Result<()> {
        let ours = Self::new(self.variations);
        for (what, found, known) in [
            ("the format", self.version, ours.version),
            ("the rules", self.rules, ours.rules),
            ("the position keys", self.keys, ours.keys),
            ("the packed moves", self.moves.into(), ours.moves.into()),
        ] {
            if found != known {
                return Err(IndexError::Version {
                    path: root.to_owned(),
                    what,
                    found: found.into(),
                    known: known.into(),
                    upgrade: self.upgrade(),
                });
            }
        }
        Ok(())
    }
}

impl Identity {
    /// How to get an index of this version from an index with this identity, which differs.
    fn upgrade(&self) -> Upgrade {
        let ours = Self::new(self.variations);
        let parts = |of: &Self| [of.version, of.rules, of.keys, of.moves.into()];
        if parts(self)
            .iter()
            .zip(parts(&ours))
            .any(|(found, known)| *found > known)
        {
            return Upgrade::Newer;
        }
        // Reading games does not need the keys of positions.
        let is_read =
            (self.version, self.rules, self.moves) == (PREVIOUS_VERSION, ours.rules, ours.moves);
        match is_read {
            true => Upgrade::Merge,
            false => Upgrade::Rebuild,
        }
    }
}

/// The fields of a document.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    pub(crate) columns: PerColumn<Field>,
    pub(crate) record: Field,
    pub(crate) source: Field,
    /// The searchable texts, in the order of [`TEXTS`].
    pub(crate) texts: Vec<TextFields>,
    /// The words of tags that have neither a text nor a column: an object with the values by [`tag_key`].
    pub(crate) tags: Field,
    /// Labels: what the record has, and which texts are unknown. Most games have few of them.
    pub(crate) labels: Field,
}

/// The fields of a searchable text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextFields {
    pub(crate) spec: &'static TextSpec,
    /// Its words.
    pub(crate) words: Field,
    /// The whole text, if it is a name.
    pub(crate) whole: Option<Field>,
}

/// The field of the names of sources, which is also a column.
pub(crate) const SOURCE: &str = "source";

/// A searchable text: one row of [`TEXTS`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextSpec {
    pub(crate) field: TextField,
    /// The name of its field in the schema.
    pub(crate) name: &'static str,
    pub(crate) from: TextSource,
    /// Whether it is a name, which has several spellings and can also be searched as a whole.
    pub(crate) is_name: bool,
    /// Whether it also has a column, by which games are sorted.
    pub(crate) is_sorted: bool,
}

impl TextSpec {
    /// The label that separates games with this text from games without it, and whether games with the text have it. The
    /// label is given to the rarer kind of games, so that the index stays small.
    pub(crate) fn label(&self) -> (String, bool) {
        match self.from {
            TextSource::Comments => (self.name.to_owned(), true),
            TextSource::Tag(_) | TextSource::Opening => (format!("no {}", self.name), false),
        }
    }
}

/// Where a text comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TextSource {
    /// The value of a tag.
    Tag(&'static str),
    /// All comments.
    Comments,
    /// The name of the opening.
    Opening,
}

/// The searchable texts. The order is that of the fields in the schema.
pub(crate) const TEXTS: &[TextSpec] = &[
    TextSpec {
        field: TextField::White,
        name: "white",
        from: TextSource::Tag("White"),
        is_name: true,
        is_sorted: true,
    },
    TextSpec {
        field: TextField::Black,
        name: "black",
        from: TextSource::Tag("Black"),
        is_name: true,
        is_sorted: true,
    },
    TextSpec {
        field: TextField::Event,
        name: "event",
        from: TextSource::Tag("Event"),
        is_name: true,
        is_sorted: true,
    },
    TextSpec {
        field: TextField::Site,
        name: "site",
        from: TextSource::Tag("Site"),
        is_name: true,
        is_sorted: false,
    },
    TextSpec {
        field: TextField::Round,
        name: "round",
        from: TextSource::Tag("Round"),
        is_name: false,
        is_sorted: false,
    },
    TextSpec {
        field: TextField::Comments,
        name: "comments",
        from: TextSource::Comments,
        is_name: false,
        is_sorted: false,
    },
    TextSpec {
        field: TextField::Opening,
        name: "opening",
        from: TextSource::Opening,
        is_name: false,
        is_sorted: false,
    },
];

/// The tags whose values are in columns. Others have words.
const TAGS_IN_COLUMNS: [&str; 4] = ["Date", "Result", "WhiteElo", "BlackElo"];

/// Whether the values of a tag are with those of other tags.
pub(crate) fn is_other_tag(name: &str) -> bool {
    let mut in_columns = TAGS_IN_COLUMNS.into_iter();
    text_of_tag(name).is_none() && !in_columns.any(|tag| tag.eq_ignore_ascii_case(name))
}

/// The text that has the values of a tag; `None` if it has none.
pub(crate) fn text_of_tag(name: &str) -> Option<TextField> {
    let has = |spec: &&TextSpec| match spec.from {
        TextSource::Tag(tag) => tag.eq_ignore_ascii_case(name),
        TextSource::Comments | TextSource::Opening => false,
    };
    TEXTS.iter().find(has).map(|spec| spec.field)
}

/// The name under which the values of a tag are indexed. tantivy gives control characters a meaning of their own.
pub(crate) fn tag_key(name: &str) -> String {
    name.to_ascii_lowercase()
        .replace(|c: char| c.is_control(), " ")
}

const WORDS: &str = "tridex_words";
const NAMES: &str = "tridex_names";
const TAGS: &str = "tridex_tags";
const WHOLE: &str = "tridex_whole";

pub(crate) fn schema(identity: Identity) -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let indexing = |tokenizer, option| {
        TextFieldIndexing::default()
            .set_tokenizer(tokenizer)
            .set_index_option(option)
            .set_fieldnorms(false)
    };
    let text = |tokenizer, option| {
        TextOptions::default().set_indexing_options(indexing(tokenizer, option))
    };
    let positions = IndexRecordOption::WithFreqsAndPositions;
    let [words, names] = [WORDS, NAMES].map(|kind| text(kind, positions));
    let tags = JsonObjectOptions::default().set_indexing_options(indexing(TAGS, positions));
    let whole = text(WHOLE, IndexRecordOption::Basic);
    let parameters = serde_json::to_value(identity).unwrap_or_default();
    builder.add_custom_field("identity", IDENTITY, parameters);
    let columns = PerColumn::of(|column| builder.add_u64_field(column.name(), FAST));
    let record = builder.add_bytes_field("record", STORED);
    let source = builder.add_text_field(SOURCE, whole.clone() | FAST);
    // The words of all texts come first in the schema.
    let words_of = TEXTS.iter().map(|spec| {
        let options = match (spec.is_name, spec.is_sorted) {
            (false, false) => words.clone(),
            (false, true) => words.clone() | FAST,
            (true, false) => names.clone(),
            (true, true) => names.clone() | FAST,
        };
        builder.add_text_field(spec.name, options)
    });
    let words_of: Vec<Field> = words_of.collect();
    let texts = TEXTS.iter().zip(words_of).map(|(spec, words)| {
        let name = format!("{}_whole", spec.name);
        let whole = spec
            .is_name
            .then(|| builder.add_text_field(&name, whole.clone()));
        TextFields { spec, words, whole }
    });
    let texts = texts.collect();
    let tags = builder.add_json_field("tags", tags);
    let labels = builder.add_text_field("labels", whole);
    let fields = Fields {
        columns,
        record,
        source,
        texts,
        tags,
        labels,
    };
    (builder.build(), fields)
}

/// The fields, which are the same for every index.
pub(crate) static SCHEMA_FIELDS: LazyLock<Fields> =
    LazyLock::new(|| schema(Identity::new(false)).1);

/// Registers the analyzers of the texts.
pub(crate) fn register(index: &Index) {
    for (kind, folding) in [
        (WORDS, Folding::TEXT),
        (NAMES, Folding::NAME),
        (TAGS, Folding::TAG),
    ] {
        index.tokenizers().register(kind, folding);
    }
    let whole = TextAnalyzer::from(RawTokenizer::default());
    index.tokenizers().register(WHOLE, whole);
}

/// Reads the identity of an index from its schema.
pub(crate) fn identity(schema: &Schema) -> Option<Identity> {
    schema
        .fields()
        .find_map(|(_, entry)| match entry.field_type() {
            FieldType::Custom(options) if options.type_name() == IDENTITY => {
                serde_json::from_value(options.params().clone()).ok()
            }
            _ => None,
        })
}
