//! Pieces of files, as `plan` lists them and others read them.

use crate::io::fault::Fault;
use crate::options::reading::Reading;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use tridex_archive::encoding::{Encoding, Guess};
use tridex_archive::places::LineColumn;
use tridex_archive::printable;
use tridex_archive::source::{FilePiece, Source, UNCUT};
use tridex_archive::split::Seam;

/// A piece as a line of a plan. Fields are added, never renamed or dropped.
#[derive(Serialize, Deserialize, Debug)]
pub(crate) struct Record {
    /// The file, as it was named.
    path: String,
    /// Bytes of the file before the piece.
    offset: u64,
    /// Bytes of the piece.
    length: u64,
    /// The number of its first game in the file, from 1.
    first_game: u64,
    /// How many games it holds; null where that takes unfolding the file.
    games: Option<u64>,
    /// The line of its first byte in the file, from 1.
    first_line: u64,
    /// The column of its first byte, from 1.
    first_column: u64,
    /// Why the file is one piece of any size, such as `gzip`; null if it may be cut.
    uncut: Option<String>,
    /// What bytes that are not UTF-8 are read as in this piece and all that follow, if that was guessed here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    encoding: Option<String>,
    /// Whether many letters agree with the guess.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    encoding_sure: Option<bool>,
    /// Bytes of the whole file.
    size: u64,
    /// A checksum of the bytes and the numbers, in hexadecimal digits.
    seal: String,
}

impl Record {
    pub(crate) fn new(path: String, piece: &FilePiece) -> Self {
        Self {
            path,
            offset: piece.start.offset,
            length: piece.length,
            first_game: piece.start.next_game,
            games: piece.games,
            first_line: piece.start.place.line,
            first_column: piece.start.place.column,
            uncut: piece.uncut.map(str::to_owned),
            encoding: piece.guess.map(|guess| guess.encoding.name().to_owned()),
            encoding_sure: piece.guess.map(|guess| guess.is_sure),
            size: piece.size,
            seal: format!("{:08x}", piece.seal),
        }
    }

    /// The file and the piece of it.
    fn piece(self) -> Result<(Source, FilePiece), String> {
        let seal = u32::from_str_radix(&self.seal, 16);
        let seal = seal.map_err(|_| "`seal` is not eight hexadecimal digits".to_owned())?;
        let unknown = |what: &str, word: &str| {
            let word = printable(word);
            format!("`{what}`: unknown value {word}")
        };
        let uncut = self.uncut.as_deref().map(|word| {
            let uncut = UNCUT.into_iter().find(|known| *known == word);
            uncut.ok_or_else(|| unknown("uncut", word))
        });
        let encoding = self.encoding.as_deref().map(|word| {
            let encoding = Encoding::from_name(word);
            encoding.ok_or_else(|| unknown("encoding", word))
        });
        let guess = encoding.transpose()?.map(|encoding| Guess {
            encoding,
            is_sure: self.encoding_sure.unwrap_or(false),
        });
        let place = LineColumn {
            line: self.first_line,
            column: self.first_column,
        };
        if self.first_game == 0 || place.line == 0 || place.column == 0 {
            return Err("games, lines and columns count from 1".to_owned());
        }
        let piece = FilePiece {
            start: Seam {
                offset: self.offset,
                place,
                next_game: self.first_game,
            },
            length: self.length,
            games: self.games,
            uncut: uncut.transpose()?,
            guess,
            size: self.size,
            seal,
        };
        Ok((Source::File(PathBuf::from(self.path)), piece))
    }
}

/// Pieces that this run has taken from its plan.
static TAKEN: AtomicU64 = AtomicU64::new(0);

/// How many pieces this run has taken from its plan so far; `None` if it has none. It shows the sender of the plan
/// that all of it was read.
pub(crate) fn taken(reading: &Reading) -> Option<u64> {
    let plan = reading.plan.as_ref();
    plan.map(|_| TAKEN.load(Ordering::Relaxed))
}

/// Bytes that a line of a plan may have: more than the longest name of a file.
const MAX_LINE: u64 = 1 << 20;

/// The pieces of a plan, in its order; what is wrong with a line of it comes in its place.
pub(crate) fn pieces(
    plan: &Path,
) -> impl Iterator<Item = Result<(Source, FilePiece), Fault>> + use<> {
    let name = plan.to_string_lossy().into_owned();
    let opened: io::Result<Box<dyn BufRead>> = match name.as_str() {
        "-" => Ok(Box::new(io::stdin().lock())),
        _ => File::open(plan).map(|file| Box::new(BufReader::new(file)) as _),
    };
    let mut lines = Some(opened);
    let mut number = 0_u64;
    std::iter::from_fn(move || {
        loop {
            let mut line = Vec::new();
            let read = match lines.as_mut()? {
                Ok(reader) => {
                    let read = reader.take(MAX_LINE).read_until(b'\n', &mut line);
                    read.map_err(|error| format!("cannot be read: {error}"))
                }
                Err(error) => Err(format!("cannot be opened: {error}")),
            };
            number += 1;
            let said = |what: &str| {
                let message =
                    format!("not a line of a plan: {what}; create plans with `tridex plan PATHS`");
                Fault::of_plan(&name, Some(number), message)
            };
            match read {
                Ok(0) => return None,
                Ok(_) if line.trim_ascii().is_empty() => {}
                Ok(length) if length as u64 == MAX_LINE && !line.ends_with(b"\n") => {
                    lines = None;
                    return Some(Err(said("the line is too long; the rest was not read")));
                }
                Ok(_) => {
                    TAKEN.fetch_add(1, Ordering::Relaxed);
                    let record = serde_json::from_slice::<Record>(&line);
                    let record = record.map_err(|fault| printable(&fault.to_string()).into_owned());
                    return Some(record.and_then(Record::piece).map_err(|what| said(&what)));
                }
                Err(what) => {
                    lines = None;
                    return Some(Err(Fault::of_plan(&name, None, what)));
                }
            }
        }
    })
}

/// The bytes of all pieces, if they are known beforehand.
pub(crate) fn total_bytes(plan: &Path) -> Option<u64> {
    if plan.as_os_str() == "-" {
        return None;
    }
    let total = pieces(plan).map(|piece| Some(piece.ok()?.1.length)).sum();
    // They were only examined.
    TAKEN.store(0, Ordering::Relaxed);
    total
}
