//! The moves played from a position, read from Parquet.

use crate::POSITIONS;
use crate::columns::{flags, numbers, texts};
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
        ResultCounts::of_counts(
            games,
            [white, draws, black],
            self.last_year,
            (ratings, rated),
        )
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
    let columns = Columns::of(&reader, path)?;
    let key = position.key() as i64;
    let mut found = Found::default();
    for number in 0..reader.num_row_groups() {
        let group = reader.get_row_group(number).map_err(fault)?;
        let group = &*group;
        if !is_sound(group.metadata()) {
            let what = "the place of a column is not in the file".to_owned();
            return Err(fault(ParquetError::General(what)));
        }
        if !may_have(group, columns.key, key) {
            continue;
        }
        if !groups.is_whole(&mut file, number).map_err(io)? {
            return Err(damaged());
        }
        let Some((from, count)) = rows_of(group, columns.key, key).map_err(fault)? else {
            continue;
        };
        let rows = Rows { group, from, count };
        let here = Here { key, position };
        columns.add(&rows, &here, &mut found).map_err(fault)?;
    }
    Ok(found)
}

/// Whether a key may be in a group, by the group's statistics.
fn may_have(group: &dyn RowGroupReader, column: usize, key: i64) -> bool {
    let column = group.metadata().columns().get(column);
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

/// A range of rows of a group that contains those of a key: the first and the number.
fn rows_of(
    group: &dyn RowGroupReader,
    column: usize,
    key: i64,
) -> Result<Option<(usize, usize)>, ParquetError> {
    let meta = group.metadata();
    let rows = usize::try_from(meta.num_rows()).unwrap_or(0);
    let keys = numbers(group, column, 0, rows)?;
    let first = keys.iter().position(|k| *k == Some(key));
    let last = keys.iter().rposition(|k| *k == Some(key));
    Ok(first
        .zip(last)
        .map(|(first, last)| (first, last - first + 1)))
}

/// Some rows of a group.
struct Rows<'a> {
    group: &'a dyn RowGroupReader,
    from: usize,
    count: usize,
}

impl Rows<'_> {
    fn numbers(&self, column: usize) -> Result<Vec<Option<i64>>, ParquetError> {
        numbers(self.group, column, self.from, self.count)
    }

    fn flags(&self, column: usize) -> Result<Vec<Option<bool>>, ParquetError> {
        flags(self.group, column, self.from, self.count)
    }

    fn words(&self, column: usize) -> Result<Vec<Option<String>>, ParquetError> {
        let texts = texts(self.group, column, self.from, self.count)?;
        let word = |text: parquet::data_type::ByteArray| text.as_utf8().map(str::to_owned);
        texts
            .into_iter()
            .map(|text| text.map(word).transpose())
            .collect()
    }
}

/// The requested position.
struct Here<'a> {
    key: i64,
    position: &'a Position,
}

/// The indices of the columns of a file.
struct Columns {
    key: usize,
    rules: usize,
    word: usize,
    kind: Kind,
}

enum Kind {
    /// A row for each ply: fresh, again, result, year, elo.
    Plies([usize; 5]),
    /// Aggregated rows: games, white, draws, black, ratings, rated; the same of those to subtract; the last year.
    Sums([usize; 6], [usize; 6], usize),
}

const SUMS: [&str; 6] = ["games", "white", "draws", "black", "ratings", "rated"];
const AGAIN: [&str; 6] = [
    "again",
    "again_white",
    "again_draws",
    "again_black",
    "again_ratings",
    "again_rated",
];

impl Columns {
    fn of(reader: &SerializedFileReader<File>, path: &Path) -> Result<Self, ExportError> {
        let schema = reader.metadata().file_metadata().schema_descr();
        let place = |name: &'static str| {
            let mut columns = schema.columns().iter();
            let place = columns.position(|column| column.path().string() == name);
            place.ok_or_else(|| ExportError::Schema {
                path: path.to_owned(),
                column: name,
            })
        };
        let all = |names: [&'static str; 6]| -> Result<[usize; 6], ExportError> {
            let mut places = [0; 6];
            for (at, name) in places.iter_mut().zip(names) {
                *at = place(name)?;
            }
            Ok(places)
        };
        let kind = match place("games") {
            Ok(_) => Kind::Sums(all(SUMS)?, all(AGAIN)?, place("last_year")?),
            Err(_) => Kind::Plies([
                place("fresh")?,
                place("again")?,
                place("result")?,
                place("year")?,
                place("elo")?,
            ]),
        };
        Ok(Self {
            key: place("key")?,
            rules: place("rules")?,
            word: place("move")?,
            kind,
        })
    }

    /// Adds the statistics of some rows of a position.
    fn add(&self, rows: &Rows<'_>, here: &Here<'_>, found: &mut Found) -> Result<(), ParquetError> {
        let keys = rows.numbers(self.key)?;
        let rules = rows.words(self.rules)?;
        let words = rows.words(self.word)?;
        let (sums, again) = self.kind.sums(rows)?;
        let name = here.position.rules().name();
        let asked = keys
            .iter()
            .zip(&rules)
            .map(|(key, rules)| *key == Some(here.key) && rules.as_deref() == Some(name));
        let facts = words.into_iter().zip(sums).zip(again);
        for (is_asked, ((word, sum), again)) in asked.zip(facts) {
            if !is_asked {
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
}

impl Kind {
    /// The sums of each row for its move, and the part of them that does not count for the position.
    fn sums(&self, rows: &Rows<'_>) -> Result<(Vec<Sum>, Vec<Sum>), ParquetError> {
        match self {
            Self::Plies([fresh, again, result, year, elo]) => {
                let (fresh, again) = (rows.flags(*fresh)?, rows.flags(*again)?);
                let results = rows.words(*result)?;
                let (years, elos) = (rows.numbers(*year)?, rows.numbers(*elo)?);
                let facts = results.iter().zip(years).zip(elos);
                let one = |((result, year), elo): ((&Option<String>, Option<i64>), Option<i64>)| {
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
                let sums: Vec<Sum> = facts.map(one).collect();
                let counted = |of: &[Option<bool>]| -> Vec<Sum> {
                    let sums = sums.iter().zip(of);
                    let or_none = |(sum, is): (&Sum, &Option<bool>)| match is {
                        Some(true) => *sum,
                        _ => Sum::default(),
                    };
                    sums.map(or_none).collect()
                };
                let both = fresh.iter().zip(&again);
                let both: Vec<Option<bool>> = both.map(|(f, a)| Some((*f)? && (*a)?)).collect();
                Ok((counted(&fresh), counted(&both)))
            }
            Self::Sums(sums, again, year) => {
                let years = rows.numbers(*year)?;
                let read = |places: &[usize; 6]| -> Result<Vec<Sum>, ParquetError> {
                    let mut sums = vec![Sum::default(); rows.count];
                    for (field, place) in places.iter().enumerate() {
                        for (sum, n) in sums.iter_mut().zip(rows.numbers(*place)?) {
                            sum.counts[field] = n.unwrap_or(0).into();
                        }
                    }
                    Ok(sums)
                };
                let mut counted = read(sums)?;
                for (sum, year) in counted.iter_mut().zip(years) {
                    sum.last_year = year.and_then(|year| u16::try_from(year).ok());
                }
                Ok((counted, read(again)?))
            }
        }
    }
}
