//! The fields of an index, and the versions it must agree with to be read.

use crate::codec::packed_moves::PACKED_MOVES_FORMAT;
use crate::error::{IndexError, Result, Upgrade};
use crate::model::systems::RULES_VERSION;
use crate::storage::columns::Column;
use crate::text::words::Folding;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::LazyLock;
use tantivy::Index;
use tantivy::schema::{
    FAST, Field, FieldType, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{RawTokenizer, TextAnalyzer};

/// The version of the index's files. It is raised when indices made before can no longer be read.
pub const INDEX_VERSION: u32 = 4;

/// The previous version, whose games can be read: see [`MergeSource`](crate::MergeSource).
const PREVIOUS_VERSION: u32 = 3;

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
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    pub(crate) columns: [Field; Column::COUNT],
    pub(crate) record: Field,
    pub(crate) source: Field,
    /// The fields of [`TEXTS`].
    pub(crate) texts: [Field; 7],
    /// Whole names: White's, Black's, event, site.
    pub(crate) whole: [Field; NAMED],
}

/// The field of the names of sources, which is also a column.
pub(crate) const SOURCE: &str = "source";
/// The fields of searchable texts, names first: the field, and the tag whose value it has. Comments and openings have
/// no tag.
pub(crate) const TEXTS: [(&str, &str); 7] = [
    ("white", "White"),
    ("black", "Black"),
    ("event", "Event"),
    ("site", "Site"),
    ("round", "Round"),
    ("comments", ""),
    ("opening", ""),
];
/// The indices of the last two.
pub(crate) const COMMENTS: usize = 5;
pub(crate) const OPENING: usize = 6;
/// The number of texts that are names, which can also be searched as a whole.
pub(crate) const NAMED: usize = 4;
/// The number of texts that also have columns, by which games are sorted.
pub(crate) const SORTED: usize = 3;
const WORDS: &str = "tridex_words";
const NAMES: &str = "tridex_names";
const WHOLE: &str = "tridex_whole";

pub(crate) fn schema(identity: Identity) -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let text = |tokenizer, option| {
        TextOptions::default().set_indexing_options(
            TextFieldIndexing::default()
                .set_tokenizer(tokenizer)
                .set_index_option(option)
                .set_fieldnorms(false),
        )
    };
    let [words, names] =
        [WORDS, NAMES].map(|kind| text(kind, IndexRecordOption::WithFreqsAndPositions));
    let whole = text(WHOLE, IndexRecordOption::Basic);
    let parameters = serde_json::to_value(identity).unwrap_or_default();
    builder.add_custom_field("identity", IDENTITY, parameters);
    let names_in_columns = names.clone() | FAST;
    let fields = Fields {
        columns: Column::NAMES.map(|name| builder.add_u64_field(name, FAST)),
        record: builder.add_bytes_field("record", STORED),
        source: builder.add_text_field(SOURCE, whole.clone() | FAST),
        texts: std::array::from_fn(|place| {
            let options = match place {
                _ if place < SORTED => &names_in_columns,
                _ if place < NAMED => &names,
                _ => &words,
            };
            builder.add_text_field(TEXTS[place].0, options.clone())
        }),
        whole: std::array::from_fn(|place| {
            builder.add_text_field(&format!("{}_whole", TEXTS[place].0), whole.clone())
        }),
    };
    (builder.build(), fields)
}

/// The fields, which are the same for every index.
pub(crate) static FIELDS: LazyLock<Fields> = LazyLock::new(|| schema(Identity::new(false)).1);

/// Registers the analyzers of the texts.
pub(crate) fn register(index: &Index) {
    for (kind, is_name) in [(WORDS, false), (NAMES, true)] {
        index.tokenizers().register(kind, Folding { is_name });
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
