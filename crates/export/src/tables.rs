//! The moves played from a position, read from Parquet.

use crate::POSITIONS;
use crate::columns::Rows;
use crate::error::{At, ExportError, ExportFault};
use crate::footer_checksum::{self, Groups};
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::statistics::Statistics;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use tridex_index::{GameResult, MoveRow, MoveTable, ResultCounts};
use tridex_notation::{Notation, parse, resolve};
use tridex_rules::Position;

/// A folder of positions that [`crate::Exporter`] or a query engine wrote. In it, `positions.parquet` is a file or a
/// folder of files.
#[derive(Clone, Debug)]
pub struct Tables {
    files: Vec<PathBuf>,
}

/// Counts of game results. They are signed, because some are to be subtracted.
#[derive(Clone, Copy, Default, Debug)]
struct Sum {
    /// The counts, in the order of [`SUMS`].
    counts: [i128; 6],
    last_year: Option<u16>,
}

impl Sum {
    fn add(&mut self, other: &Self, times: i128) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more * times;
        }
        self.last_year = self.last_year.max(other.last_year);
    }

    fn results(&self) -> ResultCounts {
        let counts = self.counts.map(|n| u64::try_from(n).unwrap_or(0));
        let [games, white, draws, black, ratings, rated] = counts;
        ResultCounts {
            games,
            white,
            draws,
            black,
            last_year: self.last_year,
            ratings: (ratings, rated),
        }
    }
}

/// The statistics of a position.
#[derive(Default, Debug)]
struct Found {
    total: Sum,
    moves: HashMap<String, Sum>,
}

impl Tables {
    /// Finds the files of positions in a folder.
    ///
    /// # Errors
    /// Returns an error if there are none, or if the folder cannot be read.
    pub fn open(folder: &Path) -> Result<Self, ExportError> {
        let path = folder.join(POSITIONS);
        match files_of(&path) {
            Ok(files) if !files.is_empty() => Ok(Self { files }),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error).at(&path),
            _ => Err(ExportFault::Nothing).at(folder),
        }
    }

    /// Returns the table of a position: the moves that games of its rule system play from it, regardless of how they
    /// reached it. [`tridex_index::GameIndex::openings`] returns the same table for the same games.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or is damaged, or if a move in it cannot be played.
    pub fn openings(&self, position: &Position) -> Result<MoveTable, ExportError> {
        let mut found = Found::default();
        for path in &self.files {
            read(path, position, &mut found).at(path)?;
        }
        let notation = Notation::of(position.rules());
        let mut rows = Vec::with_capacity(found.moves.len());
        for (word, sum) in found.moves {
            let read = parse(notation, word.as_bytes(), None).ok();
            let Some(played) = read.and_then(|text| resolve::resolve(&text, position).ok()) else {
                return Err(ExportFault::Move(word)).at(&self.files[0]);
            };
            let mut after = position.clone();
            after.play_unchecked(played);
            rows.push(MoveRow {
                played,
                after,
                results: sum.results(),
            });
        }
        rows.sort_by_key(|row| (Reverse(row.results.games), row.played));
        Ok(MoveTable {
            total: found.total.results(),
            moves: rows,
        })
    }
}

/// The file of positions at a path, or the files of a folder there.
fn files_of(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !fs::metadata(path)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let name = entry?.file_name();
        // Query engines write markers and checksums next to their parts.
        let is_part = name.to_str().is_some_and(|name| {
            !name.starts_with(['.', '_']) && Path::new(name).extension() == Some("parquet".as_ref())
        });
        if is_part {
            files.push(path.join(name));
        }
    }
    files.sort();
    Ok(files)
}

/// Adds the statistics of a position in a file.
fn read(path: &Path, position: &Position, found: &mut Found) -> Result<(), ExportFault> {
    let mut file = File::open(path)?;
    let checksum = footer_checksum::is_whole(&mut file)?;
    if checksum == Some(false) {
        return Err(ExportFault::Damaged);
    }
    let reader = SerializedFileReader::new(file.try_clone()?)?;
    let footer = reader.metadata().file_metadata();
    let groups = Groups::of(footer, checksum.is_some()).ok_or(ExportFault::Damaged)?;
    let columns = columns_of(&reader)?;
    let key = position.key() as i64;
    for number in 0..reader.num_row_groups() {
        let group = &*reader.get_row_group(number)?;
        if !is_sound(group.metadata()) {
            let what = "the place of a column is not in the file".to_owned();
            return Err(ParquetError::General(what).into());
        }
        if !may_have(group, &columns, key) {
            continue;
        }
        if !groups.is_whole(&mut file, number)? {
            return Err(ExportFault::Damaged);
        }
        let mut rows = Rows {
            group,
            columns: &columns,
            from: 0,
            count: usize::try_from(group.metadata().num_rows()).unwrap_or(0),
        };
        // Reads only the rows from the first with the key to the last.
        let keys = rows.numbers("key")?;
        let is_here = |found: &Option<i64>| *found == Some(key);
        let ends = (
            keys.iter().position(is_here),
            keys.iter().rposition(is_here),
        );
        if let (Some(first), Some(last)) = ends {
            (rows.from, rows.count) = (first, last - first + 1);
            add(&rows, &keys[first..=last], position, found)?;
        }
    }
    Ok(())
}

/// Whether a group may contain a key, judged by the group's statistics.
fn may_have(group: &dyn RowGroupReader, columns: &HashMap<String, usize>, key: i64) -> bool {
    let place = columns.get("key").copied().unwrap_or(0);
    let column = group.metadata().columns().get(place);
    match column.and_then(|column| column.statistics()) {
        Some(Statistics::Int64(range)) => {
            range.min_opt().is_none_or(|min| *min <= key)
                && range.max_opt().is_none_or(|max| *max >= key)
        }
        _ => true,
    }
}

/// Whether every column has valid offsets. The `parquet` crate panics on a negative one.
fn is_sound(group: &RowGroupMetaData) -> bool {
    group.columns().iter().all(|column| {
        column.compressed_size() >= 0
            && column.data_page_offset() >= 0
            && column.dictionary_page_offset().is_none_or(|at| at >= 0)
    })
}

/// The columns that a file with one row per ply must have.
const PLIES: [&str; 5] = ["fresh", "again", "result", "year", "elo"];
/// The columns that a file of aggregated rows must have: the sums, and in [`AGAIN`] the parts to subtract.
const SUMS: [&str; 6] = ["games", "white", "draws", "black", "ratings", "rated"];
const AGAIN: [&str; 6] = [
    "again",
    "again_white",
    "again_draws",
    "again_black",
    "again_ratings",
    "again_rated",
];

/// The columns of a file by name. Fails if a required column is missing.
fn columns_of(reader: &SerializedFileReader<File>) -> Result<HashMap<String, usize>, ExportFault> {
    let schema = reader.metadata().file_metadata().schema_descr();
    let names = schema.columns().iter().map(|column| column.path().string());
    let columns: HashMap<String, usize> = names.zip(0..).collect();
    let of_kind: &[&'static str] = match is_summed(&columns) {
        true => &[SUMS.as_slice(), &AGAIN, &["last_year"]].concat(),
        false => &PLIES,
    };
    let mut needed = of_kind.iter().chain(&["key", "rules", "move"]);
    match needed.find(|name| !columns.contains_key(**name)) {
        None => Ok(columns),
        Some(column) => Err(ExportFault::Schema(column)),
    }
}

/// Whether the rows of a file are aggregated.
fn is_summed(columns: &HashMap<String, usize>) -> bool {
    columns.contains_key("games")
}

/// Adds the statistics of those rows that belong to a position.
fn add(
    rows: &Rows<'_>,
    keys: &[Option<i64>],
    position: &Position,
    found: &mut Found,
) -> Result<(), ParquetError> {
    let (key, name) = (position.key() as i64, position.rules().name());
    let sums = match is_summed(rows.columns) {
        true => sums(rows)?,
        false => sums_of_plies(rows)?,
    };
    let rules = rows.words("rules")?;
    for (row, word) in rows.words("move")?.into_iter().enumerate() {
        if keys[row] != Some(key) || rules[row].as_deref() != Some(name) {
            continue;
        }
        let (sum, again) = sums(row);
        found.total.add(&sum, 1);
        found.total.add(&again, -1);
        if let Some(word) = word {
            found.moves.entry(word).or_default().add(&sum, 1);
        }
    }
    Ok(())
}

/// Returns a row's counts for its move, and the part of them that the total of the position must not include.
type Sums = Box<dyn Fn(usize) -> (Sum, Sum)>;

fn year(year: Option<i64>) -> Option<u16> {
    year.and_then(|year| u16::try_from(year).ok())
}

fn sums(rows: &Rows<'_>) -> Result<Sums, ParquetError> {
    let columns = |names: [&str; 6]| -> Result<Vec<_>, _> {
        names.iter().map(|name| rows.numbers(name)).collect()
    };
    let (counted, again) = (columns(SUMS)?, columns(AGAIN)?);
    let years = rows.numbers("last_year")?;
    Ok(Box::new(move |row| {
        let sum = |columns: &[Vec<Option<i64>>], last_year| Sum {
            counts: std::array::from_fn(|field| columns[field][row].unwrap_or(0).into()),
            last_year,
        };
        (sum(&counted, year(years[row])), sum(&again, None))
    }))
}

fn sums_of_plies(rows: &Rows<'_>) -> Result<Sums, ParquetError> {
    let (fresh, again) = (rows.flags("fresh")?, rows.flags("again")?);
    let results = rows.words("result")?;
    let (years, elos) = (rows.numbers("year")?, rows.numbers("elo")?);
    Ok(Box::new(move |row| {
        let result = results[row].as_deref().and_then(GameResult::from_name);
        let is = |other| i128::from(result == Some(other));
        let [white, draws, black] =
            [GameResult::White, GameResult::Draw, GameResult::Black].map(is);
        let (elo, rated) = (elos[row].unwrap_or(0), elos[row].is_some());
        let sum = Sum {
            counts: [1, white, draws, black, elo.into(), rated.into()],
            last_year: year(years[row]),
        };
        let counted = |counts: bool| if counts { sum } else { Sum::default() };
        let fresh = fresh[row] == Some(true);
        (counted(fresh), counted(fresh && again[row] == Some(true)))
    }))
}
