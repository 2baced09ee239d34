//! Which fields an index has, and what it must agree with to be understood.

use super::columns::Column;
use super::folder::{Folder, META, is_segment};
use super::plugin::GamesPlugin;
use crate::error::{IndexError, damaged, io, told};
use crate::game::packed::PACKED_MOVES_FORMAT;
use crate::game::systems::RULES_VERSION;
use crate::texts::words::Folding;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::directory::{Directory, Lock};
use tantivy::schema::{
    FAST, Field, FieldType, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{RawTokenizer, TextAnalyzer};
use tantivy::{Index, IndexSettings};

/// The version of the index's files. Raised whenever an index made before can no longer be read.
pub const INDEX_VERSION: u32 = 3;

/// What an index was made with. It is kept as the parameters of a field of the schema.
#[derive(Clone, Copy, Serialize, Deserialize, PartialEq, Eq, Debug)]
pub(crate) struct Identity {
    version: u32,
    rules: u32,
    keys: u32,
    moves: u8,
    /// Whether positions of variations are found too.
    pub(crate) variations: bool,
}

/// The name of the type of that field.
const IDENTITY: &str = "tridex";

impl Identity {
    fn new(variations: bool) -> Self {
        Self {
            version: INDEX_VERSION,
            rules: RULES_VERSION,
            keys: tridex_rules::KEY_VERSION,
            moves: PACKED_MOVES_FORMAT,
            variations,
        }
    }

    /// Whether this program understands an index of that identity.
    fn check(&self, root: &Path) -> Result<(), IndexError> {
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
                });
            }
        }
        Ok(())
    }
}

/// The fields of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    pub(crate) columns: [Field; Column::COUNT],
    pub(crate) record: Field,
    pub(crate) source: Field,
    pub(crate) white: Field,
    pub(crate) black: Field,
    pub(crate) event: Field,
    pub(crate) site: Field,
    pub(crate) round: Field,
    pub(crate) comments: Field,
    pub(crate) opening: Field,
    /// Names as a whole: White's, Black's, event, site.
    pub(crate) whole: [Field; 4],
}

/// The name of the field of sources.
pub(crate) const SOURCE: &str = "source";
const WORDS: &str = "tridex_words";
const NAMES: &str = "tridex_names";
const WHOLE: &str = "tridex_whole";

fn schema(identity: Identity) -> (Schema, Fields) {
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
    let fields = Fields {
        columns: Column::NAMES.map(|name| builder.add_u64_field(name, FAST)),
        record: builder.add_bytes_field("record", STORED),
        source: builder.add_text_field(SOURCE, whole.clone() | FAST),
        white: builder.add_text_field("white", names.clone()),
        black: builder.add_text_field("black", names.clone()),
        event: builder.add_text_field("event", names.clone()),
        site: builder.add_text_field("site", names),
        round: builder.add_text_field("round", words.clone()),
        comments: builder.add_text_field("comments", words.clone()),
        opening: builder.add_text_field("opening", words),
        whole: ["white_whole", "black_whole", "event_whole", "site_whole"]
            .map(|name| builder.add_text_field(name, whole.clone())),
    };
    (builder.build(), fields)
}

/// The fields of every index: they depend on nothing.
pub(crate) fn fields() -> Fields {
    schema(Identity::new(false)).1
}

/// tantivy's index of a folder, ready to be used.
#[derive(Clone)]
pub(crate) struct Store {
    pub(crate) root: PathBuf,
    pub(crate) folder: Folder,
    pub(crate) index: Index,
    pub(crate) fields: Fields,
    pub(crate) identity: Identity,
}

/// What there is in a folder.
enum Found {
    /// An index.
    Index,
    /// Nothing, or what a creation left that was cut short.
    Nothing,
    /// Something else.
    Other,
}

impl Store {
    /// Opens the index of a folder to be read.
    ///
    /// # Errors
    /// If there is none, it is of another version, or it is damaged so that it shows.
    pub(crate) fn read(root: &Path) -> Result<Self, IndexError> {
        match look(root)? {
            Found::Index => Self::open(root, true),
            _ => Err(IndexError::NotAnIndex(root.to_owned())),
        }
    }

    /// Opens the index of a folder to be written, or makes one where there is nothing.
    ///
    /// # Errors
    /// As [`Store::read`], or if the folder holds something else.
    pub(crate) fn write(root: &Path, variations: bool) -> Result<Self, IndexError> {
        match look(root)? {
            Found::Index => {}
            Found::Other => return Err(IndexError::NotEmpty(root.to_owned())),
            Found::Nothing => create(root, Identity::new(variations))?,
        }
        Self::open(root, false)
    }

    fn open(root: &Path, is_read_only: bool) -> Result<Self, IndexError> {
        let folder = Folder::open(root, is_read_only).map_err(told(root))?;
        let mut index = Index::open(folder.clone()).map_err(told(root))?;
        let identity = identity(&index.schema())
            .ok_or_else(|| damaged(&root.join(META), "it describes something else"))?;
        identity.check(root)?;
        let (schema, fields) = schema(identity);
        if index.schema() != schema {
            return Err(damaged(
                &root.join(META),
                "the fields are not those of an index",
            ));
        }
        index.register_plugin(Arc::new(GamesPlugin::new(&folder, identity)));
        register(&index);
        Ok(Self {
            root: root.to_owned(),
            folder,
            index,
            fields,
            identity,
        })
    }
}

fn register(index: &Index) {
    for (kind, is_name) in [(WORDS, false), (NAMES, true)] {
        index.tokenizers().register(kind, Folding { is_name });
    }
    let whole = TextAnalyzer::from(RawTokenizer::default());
    index.tokenizers().register(WHOLE, whole);
}

fn identity(schema: &Schema) -> Option<Identity> {
    schema
        .fields()
        .find_map(|(_, entry)| match entry.field_type() {
            FieldType::Custom(options) if options.type_name() == IDENTITY => {
                serde_json::from_value(options.params().clone()).ok()
            }
            _ => None,
        })
}

/// Looks what a folder holds, and changes nothing. A folder in which a part of an index is missing is damaged.
fn look(root: &Path) -> Result<Found, IndexError> {
    let entries = match std::fs::read_dir(root) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
            return Err(IndexError::NotAFolder(root.to_owned()));
        }
        Err(error) => return Err(io(root)(error)),
    };
    let (mut is_strange, mut files) = (false, 0);
    for entry in entries {
        let name = entry.map_err(io(root))?.file_name();
        let name = name.to_string_lossy();
        if name == META {
            return Ok(Found::Index);
        }
        if name == "tridex.json" {
            // Version 1 kept texts and games apart, and described itself so.
            return Err(IndexError::Version {
                path: root.to_owned(),
                what: "the format",
                found: 1,
                known: INDEX_VERSION.into(),
            });
        }
        files += u32::from(name.split('.').next().is_some_and(is_segment));
        is_strange |= !name.starts_with('.');
    }
    if files > 0 {
        let what = format!("it is missing, though {files} files of an index are there");
        return Err(damaged(&root.join(META), what));
    }
    Ok(if is_strange {
        Found::Other
    } else {
        Found::Nothing
    })
}

/// Makes an index in a folder that is empty or not there; if several begin at once, one makes it for all.
fn create(root: &Path, identity: Identity) -> Result<(), IndexError> {
    std::fs::create_dir_all(root).map_err(io(root))?;
    let folder = Folder::open(root, false).map_err(told(root))?;
    let lock = Lock {
        filepath: PathBuf::from(".tridex-create.lock"),
        is_blocking: true,
    };
    let _lock = folder
        .acquire_lock(&lock)
        .map_err(|error| told(root)(tantivy::TantivyError::LockFailure(error, None)))?;
    if root.join(META).exists() {
        return Ok(());
    }
    // What a creation leaves that was cut short.
    for name in [super::folder::MANAGED] {
        match std::fs::remove_file(root.join(name)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(io(&root.join(name))(error));
            }
            _ => {}
        }
    }
    let (schema, _) = schema(identity);
    let settings = IndexSettings {
        // Each writer of a segment would get a thread of its own.
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    };
    Index::builder()
        .schema(schema)
        .settings(settings)
        .register_plugin(Arc::new(GamesPlugin::new(&folder, identity)))
        .open_or_create(folder)
        .map_err(told(root))?;
    Ok(())
}
