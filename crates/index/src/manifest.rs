//! Which files make up an index at a commit.
//!
//! An index is a folder: `tridex.json` says of which version it is; `fields` holds the searchable texts; `games` the
//! segments, and a manifest for each commit. The commit of the texts carries the number of the manifest, and it alone
//! makes a commit: whatever it does not name was never there, and is swept away by the next writer.

use crate::bits::{Bytes, put_bytes, put_varint};
use crate::error::{IndexError, damaged, io};
use crate::packed::PACKED_MOVES_FORMAT;
use crate::placement::PLACEMENT_KEY_VERSION;
use crate::systems::RULES_VERSION;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The version of the index's files. Raised whenever an index made before can no longer be read.
pub const INDEX_VERSION: u32 = 1;

const DESCRIPTION: &str = "tridex.json";
const PAYLOAD: &str = "tridex manifest ";

/// The folder of the texts.
pub(crate) fn fields_path(root: &Path) -> PathBuf {
    root.join("fields")
}

/// The folder of segments and manifests.
pub(crate) fn games_path(root: &Path) -> PathBuf {
    root.join("games")
}

/// What `tridex.json` says.
#[derive(Serialize, Deserialize, Debug)]
struct Description {
    format: String,
    version: u32,
    rules: u32,
    keys: u32,
    moves: u8,
    /// Whether positions of variations are found too.
    variations: bool,
}

/// Looks whether a folder holds an index that this program understands; tells whether positions of variations are in
/// it. `None` if there is none.
pub(crate) fn describe(root: &Path) -> Result<Option<bool>, IndexError> {
    let path = root.join(DESCRIPTION);
    let text = match std::fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io(&path)(error)),
    };
    let found: Description =
        serde_json::from_slice(&text).map_err(|error| damaged(&path, error.to_string()))?;
    if found.format != "tridex-index" {
        return Err(damaged(&path, "it describes something else"));
    }
    let known: [(&'static str, u64, u64); 4] = [
        ("the format", found.version.into(), INDEX_VERSION.into()),
        ("the rules", found.rules.into(), RULES_VERSION.into()),
        (
            "the position keys",
            found.keys.into(),
            PLACEMENT_KEY_VERSION.into(),
        ),
        (
            "the packed moves",
            found.moves.into(),
            PACKED_MOVES_FORMAT.into(),
        ),
    ];
    for (what, found, known) in known {
        if found != known {
            return Err(IndexError::Version {
                path: root.to_owned(),
                what,
                found,
                known,
            });
        }
    }
    Ok(Some(found.variations))
}

/// Describes a new index in a folder that is empty or not there.
pub(crate) fn create(root: &Path, variations: bool) -> Result<(), IndexError> {
    std::fs::create_dir_all(root).map_err(io(root))?;
    for entry in std::fs::read_dir(root).map_err(io(root))? {
        let name = entry.map_err(io(root))?.file_name();
        // What a creation leaves that was cut short.
        if !name.to_string_lossy().starts_with("tridex.json.") {
            return Err(IndexError::NotEmpty(root.to_owned()));
        }
    }
    let description = Description {
        format: "tridex-index".to_owned(),
        version: INDEX_VERSION,
        rules: RULES_VERSION,
        keys: PLACEMENT_KEY_VERSION,
        moves: PACKED_MOVES_FORMAT,
        variations,
    };
    let path = root.join(DESCRIPTION);
    let text = serde_json::to_string_pretty(&description)
        .map_err(|error| damaged(&path, error.to_string()))?;
    let beside = root.join("tridex.json.new");
    write_whole(&beside, text.as_bytes(), true)?;
    std::fs::rename(&beside, &path).map_err(io(&path))?;
    sync_folder(root)
}

/// Writes a file and makes sure that it is on the disk.
fn write_whole(path: &Path, bytes: &[u8], replace: bool) -> Result<(), IndexError> {
    let write = || {
        let mut file = if replace {
            File::create(path)?
        } else {
            File::create_new(path)?
        };
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(io(path))
}

/// Makes sure that new names in a folder are on the disk.
pub(crate) fn sync_folder(path: &Path) -> Result<(), IndexError> {
    if cfg!(unix) {
        File::open(path)
            .and_then(|folder| folder.sync_all())
            .map_err(io(path))?;
    }
    Ok(())
}

/// A segment of a commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SegmentEntry {
    /// The number of its file.
    pub(crate) file: u64,
    /// The number of its first game.
    pub(crate) base: u32,
    /// How many games it has, deleted ones included.
    pub(crate) games: u32,
    /// How many positions.
    pub(crate) positions: u64,
    /// One bit a game, set if it was deleted since; empty if none was.
    pub(crate) deleted: Vec<u8>,
}

impl SegmentEntry {
    pub(crate) fn name(&self) -> String {
        segment_name(self.file)
    }

    pub(crate) fn is_deleted(&self, game: u32) -> bool {
        self.deleted
            .get(game as usize / 8)
            .is_some_and(|byte| byte >> (game % 8) & 1 != 0)
    }

    /// Deletes a game; false if it was deleted before.
    pub(crate) fn delete(&mut self, game: u32) -> bool {
        if self.deleted.is_empty() {
            self.deleted = vec![0; (self.games as usize).div_ceil(8)];
        }
        let Some(byte) = self.deleted.get_mut(game as usize / 8) else {
            return false;
        };
        let bit = 1 << (game % 8);
        let fresh = *byte & bit == 0;
        *byte |= bit;
        fresh
    }

    pub(crate) fn deleted_count(&self) -> u32 {
        self.deleted.iter().map(|byte| byte.count_ones()).sum()
    }
}

pub(crate) fn segment_name(file: u64) -> String {
    format!("{file:08}.segment")
}

fn manifest_name(number: u64) -> String {
    format!("{number:08}.manifest")
}

/// The state of an index at a commit.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Manifest {
    /// Its number; also that of the last file that was written.
    pub(crate) number: u64,
    /// The number of the next game.
    pub(crate) next_game: u32,
    /// In the order of their games.
    pub(crate) segments: Vec<SegmentEntry>,
    /// Sources that were read to their end, with a stamp of the caller's (size and time of a file, say).
    pub(crate) stamps: BTreeMap<String, u64>,
}

const OPENING: &[u8; 8] = b"TRIDEXM1";

impl Manifest {
    /// The payload of the commit this manifest belongs to.
    pub(crate) fn payload(&self) -> String {
        format!("{PAYLOAD}{}", self.number)
    }

    /// The manifest a commit names; an empty one for an index without a commit.
    pub(crate) fn of_payload(root: &Path, payload: Option<&str>) -> Result<Self, IndexError> {
        let Some(payload) = payload else {
            return Ok(Self::default());
        };
        let number = payload
            .strip_prefix(PAYLOAD)
            .and_then(|number| number.parse().ok())
            .ok_or_else(|| damaged(&fields_path(root), "the commit is not one of tridex"))?;
        let path = games_path(root).join(manifest_name(number));
        let bytes = std::fs::read(&path).map_err(io(&path))?;
        Self::decode(&bytes)
            .filter(|manifest| manifest.number == number)
            .ok_or_else(|| damaged(&path, "it is not whole"))
    }

    /// Writes the manifest and makes sure that it is on the disk.
    pub(crate) fn write(&self, root: &Path) -> Result<(), IndexError> {
        let folder = games_path(root);
        write_whole(
            &folder.join(manifest_name(self.number)),
            &self.encode(),
            false,
        )?;
        sync_folder(&folder)
    }

    /// Whether a file of the folder of games belongs to this state.
    pub(crate) fn owns(&self, name: &str) -> bool {
        name == manifest_name(self.number)
            || self.segments.iter().any(|segment| segment.name() == name)
    }

    fn encode(&self) -> Vec<u8> {
        let mut out = OPENING.to_vec();
        put_varint(&mut out, self.number);
        put_varint(&mut out, self.next_game.into());
        put_varint(&mut out, self.segments.len() as u64);
        for segment in &self.segments {
            put_varint(&mut out, segment.file);
            put_varint(&mut out, segment.base.into());
            put_varint(&mut out, segment.games.into());
            put_varint(&mut out, segment.positions);
            put_bytes(&mut out, &segment.deleted);
        }
        put_varint(&mut out, self.stamps.len() as u64);
        for (source, stamp) in &self.stamps {
            put_bytes(&mut out, source.as_bytes());
            put_varint(&mut out, *stamp);
        }
        let checksum = crc32fast::hash(&out);
        out.extend_from_slice(&checksum.to_le_bytes());
        out
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (body, checksum) = bytes.split_last_chunk::<4>()?;
        if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return None;
        }
        let mut bytes = Bytes(body.strip_prefix(OPENING)?);
        let mut manifest = Self {
            number: bytes.varint()?,
            next_game: bytes.number()?,
            ..Self::default()
        };
        for _ in 0..bytes.varint()? {
            manifest.segments.push(SegmentEntry {
                file: bytes.varint()?,
                base: bytes.number()?,
                games: bytes.number()?,
                positions: bytes.varint()?,
                deleted: bytes.bytes()?.to_vec(),
            });
        }
        for _ in 0..bytes.varint()? {
            let source = bytes.text()?.to_owned();
            manifest.stamps.insert(source, bytes.varint()?);
        }
        Some(manifest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_comes_back_and_a_damaged_one_is_refused() {
        let mut manifest = Manifest {
            number: 7,
            next_game: 300,
            segments: vec![SegmentEntry {
                file: 3,
                base: 0,
                games: 300,
                positions: 20_000,
                deleted: Vec::new(),
            }],
            stamps: BTreeMap::from([("games.pgn".to_owned(), 77)]),
        };
        assert!(manifest.segments[0].delete(299));
        assert!(!manifest.segments[0].delete(299));
        assert_eq!(manifest.segments[0].deleted_count(), 1);
        let bytes = manifest.encode();
        assert_eq!(Manifest::decode(&bytes), Some(manifest));
        for i in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[i] ^= 4;
            assert_eq!(Manifest::decode(&damaged), None);
            assert_eq!(Manifest::decode(&bytes[..i]), None);
        }
    }
}
