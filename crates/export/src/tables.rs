//! The moves played from a position, read from Parquet.

use crate::POSITIONS;
use crate::columns::Rows;
use crate::error::ExportError;
use crate::seal::{self, Groups};
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::statistics::Statistics;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use tridex_index::{GameResult, MoveRow, MoveTable, ResultCounts};
use tridex_notation::{Notation, parse, resolve};
use tridex_rules::Position;

/// A folder of positions, as [`crate::Exporter`] or an engine wrote it: `positions.parquet` in it is a file, or a folder
/// of files.
#[derive(Clone, Debug)]
pub struct Tables {
    files: Vec<PathBuf>,
}

/// Results of games, some of which are to be subtracted.
#[derive(Clone, Copy, Default, Debug)]
struct Sum {
    /// In the order of [`SUMS`].
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
    /// Finds the files of a folder.
    ///
    /// # Errors
    /// If there are none, or the folder cannot be read.
    pub fn open(folder: &Path) -> Result<Self, ExportError> {
        let path = folder.join(POSITIONS);
        let none = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => ExportError::Nothing(folder.to_owned()),
            _ => ExportError::io(&path)(error),
        };
        if !fs::metadata(&path).map_err(none)?.is_dir() {
            return Ok(Self { files: vec![path] });
        }
        let mut files = Vec::new();
        for entry in fs::read_dir(&path).map_err(none)? {
            let name = entry.map_err(ExportError::io(&path))?.file_name();
            // Engines write markers and checksums next to their parts.
            let is_part = name.to_str().is_some_and(|name| {
                !name.starts_with(['.', '_'])
                    && Path::new(name).extension() == Some("parquet".as_ref())
            });
            if is_part {
                files.push(path.join(name));
            }
        }
        if files.is_empty() {
            return Err(ExportError::Nothing(folder.to_owned()));
        }
        files.sort();
        Ok(Self { files })
    }

    /// The table of a position: the moves that games of its rule system play from it, after any moves before.
    /// [`tridex_index::GameIndex::openings`] returns the same table for the same games.
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged.
    pub fn openings(&self, position: &Position) -> Result<MoveTable, ExportError> {
        let mut total = Sum::default();
        let mut moves: HashMap<String, Sum> = HashMap::new();
        for path in &self.files {
            let found = read(path, position)?;
            total.add(&found.total, 1);
            for (word, sum) in found.moves {
                moves.entry(word).or_default().add(&sum, 1);
            }
        }
        let notation = Notation::of(position.rules());
        let mut rows = Vec::with_capacity(moves.len());
        for (word, sum) in moves {
            let read = parse(notation, word.as_bytes(), None).ok();
            let played = read.and_then(|text| resolve::resolve(&text, position).ok());
            let Some(played) = played else {
                let path = self.files.first().cloned().unwrap_or_default();
                return Err(ExportError::Move { path, word });
            };
            let mut after = position.clone();
            after.play_unchecked(played);
            rows.push(MoveRow {
                played,
                after,
                results: sum.results(),
            });
        }
        rows.sort_by(|a, b| {
            let by_games = b.results.games.cmp(&a.results.games);
            by_games.then(a.played.cmp(&b.played))
        });
        Ok(MoveTable {
            total: total.results(),
            moves: rows,
        })
    }
}

/// Reads the statistics of a position from a file.
fn read(path: &Path, position: &Position) -> Result<Found, ExportError> {
    let fault = ExportError::parquet(path);
    let io = ExportError::io(path);
    let damaged = || ExportError::Damaged(path.to_owned());
    let mut file = File::open(path).map_err(io)?;
    let seal = seal::is_whole(&mut file).map_err(io)?;
    if seal == Some(false) {
        return Err(damaged());
    }
    let reader = SerializedFileReader::new(file.try_clone().map_err(io)?).map_err(fault)?;
    let footer = reader.metadata().file_metadata();
    let groups = Groups::of(footer, seal.is_some()).ok_or_else(damaged)?;
    let columns = columns_of(&reader, path)?;
    let key = position.key() as i64;
    let mut found = Found::default();
    for number in 0..reader.num_row_groups() {
        let group = reader.get_row_group(number).map_err(fault)?;
        let group = &*group;
        if !is_sound(group.metadata()) {
            let what = "the place of a column is not in the file".to_owned();
            return Err(fault(ParquetError::General(what)));
        }
        if !may_have(group, &columns, key) {
            continue;
        }
        if !groups.is_whole(&mut file, number).map_err(io)? {
            return Err(damaged());
        }
        let mut rows = Rows {
            group,
            columns: &columns,
            from: 0,
            count: usize::try_from(group.metadata().num_rows()).unwrap_or(0),
        };
        // Only those from the first row with the key to the last one.
        let keys = rows.numbers("key").map_err(fault)?;
        let Some(first) = keys.iter().position(|k| *k == Some(key)) else {
            continue;
        };
        let last = keys.iter().rposition(|k| *k == Some(key));
        let last = last.unwrap_or(first);
        (rows.from, rows.count) = (first, last - first + 1);
        let keys = keys.get(first..=last).unwrap_or_default();
        add(&rows, keys, position, &mut found).map_err(fault)?;
    }
    Ok(found)
}

/// Whether a key may be in a group, by the group's statistics.
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

/// Whether every column has a place in the file; the library panics if one has none.
fn is_sound(group: &RowGroupMetaData) -> bool {
    group.columns().iter().all(|column| {
        column.compressed_size() >= 0
            && column.data_page_offset() >= 0
            && column.dictionary_page_offset().is_none_or(|at| at >= 0)
    })
}

/// The columns of a row for each ply.
const PLIES: [&str; 5] = ["fresh", "again", "result", "year", "elo"];
/// The columns of aggregated rows: the sums, and those to subtract.
const SUMS: [&str; 6] = ["games", "white", "draws", "black", "ratings", "rated"];
const AGAIN: [&str; 6] = [
    "again",
    "again_white",
    "again_draws",
    "again_black",
    "again_ratings",
    "again_rated",
];

/// The columns of a file by their names. All that are needed are there.
fn columns_of(
    reader: &SerializedFileReader<File>,
    path: &Path,
) -> Result<HashMap<String, usize>, ExportError> {
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
        Some(column) => Err(ExportError::Schema {
            path: path.to_owned(),
            column,
        }),
    }
}

/// Whether the rows of a file are aggregated.
fn is_summed(columns: &HashMap<String, usize>) -> bool {
    columns.contains_key("games")
}

/// Adds the statistics of some rows of a position.
fn add(
    rows: &Rows<'_>,
    keys: &[Option<i64>],
    position: &Position,
    found: &mut Found,
) -> Result<(), ParquetError> {
    let (key, name) = (position.key() as i64, position.rules().name());
    let (sums, again) = match is_summed(rows.columns) {
        true => sums(rows)?,
        false => sums_of_plies(rows)?,
    };
    let rules = rows.words("rules")?;
    let places = keys.iter().zip(&rules);
    let facts = rows.words("move")?.into_iter().zip(sums).zip(again);
    for ((found_key, rules), ((word, sum), again)) in places.zip(facts) {
        if *found_key != Some(key) || rules.as_deref() != Some(name) {
            continue;
        }
        found.total.add(&sum, 1);
        found.total.add(&again, -1);
        if let Some(word) = word {
            found.moves.entry(word).or_default().add(&sum, 1);
        }
    }
    Ok(())
}

/// The sums of each row for its move, and the part of them that does not count for the position.
fn sums(rows: &Rows<'_>) -> Result<(Vec<Sum>, Vec<Sum>), ParquetError> {
    let read = |columns: [&str; 6]| -> Result<Vec<Sum>, ParquetError> {
        let mut sums = vec![Sum::default(); rows.count];
        for (field, column) in columns.iter().enumerate() {
            for (sum, n) in sums.iter_mut().zip(rows.numbers(column)?) {
                sum.counts[field] = n.unwrap_or(0).into();
            }
        }
        Ok(sums)
    };
    let mut counted = read(SUMS)?;
    for (sum, year) in counted.iter_mut().zip(rows.numbers("last_year")?) {
        sum.last_year = year.and_then(|year| u16::try_from(year).ok());
    }
    Ok((counted, read(AGAIN)?))
}

/// The same of rows for each ply.
fn sums_of_plies(rows: &Rows<'_>) -> Result<(Vec<Sum>, Vec<Sum>), ParquetError> {
    let (fresh, again) = (rows.flags("fresh")?, rows.flags("again")?);
    let results = rows.words("result")?.into_iter();
    let facts = results.zip(rows.numbers("year")?).zip(rows.numbers("elo")?);
    let one = |((result, year), elo): ((Option<String>, Option<i64>), Option<i64>)| {
        let result = result.as_deref().and_then(GameResult::from_name);
        let is = |other| i128::from(result == Some(other));
        Sum {
            counts: [
                1,
                is(GameResult::White),
                is(GameResult::Draw),
                is(GameResult::Black),
                elo.unwrap_or(0).into(),
                elo.is_some().into(),
            ],
            last_year: year.and_then(|year| u16::try_from(year).ok()),
        }
    };
    let times = fresh.into_iter().zip(again);
    let counted = |sum: Sum, counts: bool| if counts { sum } else { Sum::default() };
    let both = facts.map(one).zip(times).map(|(sum, (fresh, again))| {
        let fresh = fresh == Some(true);
        (
            counted(sum, fresh),
            counted(sum, fresh && again == Some(true)),
        )
    });
    Ok(both.unzip())
}
