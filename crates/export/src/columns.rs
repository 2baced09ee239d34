//! The columns of a file: how they are declared, written by rows, and read.

use crate::error::ExportFault;
use crate::footer_checksum::{self, Summed};
use crate::{SCHEMA_KEY, SCHEMA_VERSION};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{KeyValue, SortingColumn};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::RowGroupReader;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, IntoInnerError};
use std::ops::Range;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::NamedTempFile;

/// A column of a file: its name, how its values are stored, and how to get its value from a row.
#[derive(Debug)]
pub(crate) struct Column<R>(
    pub(crate) &'static str,
    pub(crate) Storage,
    pub(crate) Value<R>,
);

/// How the values of a column are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Storage {
    /// Each distinct value once, in a dictionary.
    Shared,
    /// Each value in full, for columns whose values hardly ever repeat.
    Plain,
    /// Differences between consecutive numbers.
    Deltas,
}

/// Gets a column's value from a row. The variant determines the column's type.
#[derive(Debug)]
pub(crate) enum Value<R> {
    Long(fn(&R) -> i64),
    Int(fn(&R) -> i32),
    MaybeInt(fn(&R) -> Option<i32>),
    /// Days since 1970.
    MaybeDate(fn(&R) -> Option<i32>),
    Flag(fn(&R) -> bool),
    /// The bits of a number as 16 hexadecimal digits.
    Hex(fn(&R) -> i64),
    Text(fn(&R) -> &str),
    MaybeText(fn(&R) -> Option<&str>),
}

impl<R> Value<R> {
    /// The repetition and type in Parquet's schema syntax, and the annotation that follows the column's name.
    const fn kind(&self) -> (&'static str, &'static str) {
        match self {
            Self::Long(_) => ("REQUIRED INT64", ""),
            Self::Int(_) => ("REQUIRED INT32", ""),
            Self::MaybeInt(_) => ("OPTIONAL INT32", ""),
            Self::MaybeDate(_) => ("OPTIONAL INT32", "(DATE)"),
            Self::Flag(_) => ("REQUIRED BOOLEAN", ""),
            Self::Hex(_) | Self::Text(_) => ("REQUIRED BYTE_ARRAY", "(STRING)"),
            Self::MaybeText(_) => ("OPTIONAL BYTE_ARRAY", "(STRING)"),
        }
    }

    fn write(&self, rows: &[R], out: &mut SerializedColumnWriter<'_>) -> Result<()> {
        let rows = rows.iter();
        match self {
            Self::Long(of) => put::<Int64Type>(out, rows.map(|row| Some(of(row)))),
            Self::Int(of) => put::<Int32Type>(out, rows.map(|row| Some(of(row)))),
            Self::MaybeInt(of) | Self::MaybeDate(of) => put::<Int32Type>(out, rows.map(of)),
            Self::Flag(of) => put::<BoolType>(out, rows.map(|row| Some(of(row)))),
            Self::Hex(of) => put_texts(out, rows.map(|row| Some(format!("{:016x}", of(row))))),
            Self::Text(of) => put_texts(out, rows.map(|row| Some(of(row)))),
            Self::MaybeText(of) => put_texts(out, rows.map(of)),
        }
    }
}

/// Writes the values of a column.
fn put<T: DataType>(
    out: &mut SerializedColumnWriter<'_>,
    values: impl Iterator<Item = Option<T::T>>,
) -> Result<()> {
    // The definition levels of an optional column: 1 for a row with a value, 0 for one without.
    let mut levels = Vec::new();
    let values = values.inspect(|value| levels.push(value.is_some().into()));
    let there: Vec<T::T> = values.flatten().collect();
    let out = out.typed::<T>();
    let is_optional = out.get_descriptor().max_def_level() > 0;
    let levels = is_optional.then_some(levels.as_slice());
    out.write_batch(&there, levels, None).map(|_| ())
}

/// Writes texts as slices of one buffer, which takes a single allocation.
fn put_texts<S: AsRef<str>>(
    out: &mut SerializedColumnWriter<'_>,
    texts: impl Iterator<Item = Option<S>>,
) -> Result<()> {
    let mut all = Vec::new();
    let place = |text: Option<S>| {
        let start = all.len();
        all.extend_from_slice(text?.as_ref().as_bytes());
        Some(start..all.len())
    };
    let places: Vec<_> = texts.map(place).collect();
    let all = ByteArray::from(all);
    let part = |place: Range<usize>| all.slice(place.start, place.len());
    put::<ByteArrayType>(out, places.into_iter().map(|place| place.map(part)))
}

type Out = Summed<BufWriter<File>>;

/// A Parquet file that is written under a temporary name and gets its final name once it is complete.
#[derive(Debug)]
pub(crate) struct Output<R> {
    writer: SerializedFileWriter<Out>,
    columns: Vec<Column<R>>,
    /// The rows of the current row group, not yet written.
    rows: Vec<R>,
    /// Length and checksum of each row group.
    groups: Vec<(u64, u32)>,
    /// The file with its temporary name.
    file: NamedTempFile,
    path: PathBuf,
}

impl<R> Output<R> {
    /// Begins a file in a folder. `sorted_by` is the number of the column by which the rows are sorted, if there is
    /// one.
    pub(crate) fn new(
        folder: &Path,
        name: &str,
        columns: Vec<Column<R>>,
        sorted_by: Option<i32>,
    ) -> std::result::Result<Self, ExportFault> {
        let mut schema = format!("message {} {{", name.trim_end_matches(".parquet"));
        for Column(name, _, value) in &columns {
            let (kind, meaning) = value.kind();
            schema += &format!("{kind} {name} {meaning};");
        }
        let schema = parse_message_type(&(schema + "}"))?;
        let sorted = sorted_by.map(|column_idx| {
            vec![SortingColumn {
                column_idx,
                descending: false,
                nulls_first: true,
            }]
        });
        let version = KeyValue::new(SCHEMA_KEY.to_owned(), SCHEMA_VERSION.to_string());
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("tridex ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(vec![version]))
            .set_sorting_columns(sorted)
            // No query searches a range of position strings, so their statistics would be of no use.
            .set_column_statistics_enabled("position".into(), EnabledStatistics::None);
        for Column(name, storage, _) in &columns {
            let name = || ColumnPath::from(*name);
            if *storage != Storage::Shared {
                properties = properties.set_column_dictionary_enabled(name(), false);
            }
            if *storage == Storage::Deltas {
                let deltas = Encoding::DELTA_BINARY_PACKED;
                properties = properties.set_column_encoding(name(), deltas);
            }
        }
        let file = tempfile::Builder::new()
            .prefix(".tmp-")
            .tempfile_in(folder)?;
        let out = BufWriter::with_capacity(1 << 18, file.reopen()?);
        let out = Summed::new(out);
        let properties = Arc::new(properties.build());
        let mut writer = SerializedFileWriter::new(out, Arc::new(schema), properties)?;
        // The checksums do not cover the bytes before the first row group.
        writer.flush()?;
        writer.inner_mut().take();
        Ok(Self {
            writer,
            columns,
            rows: Vec::new(),
            groups: Vec::new(),
            file,
            path: folder.join(name),
        })
    }

    /// Adds a row and returns how many rows wait for [`Output::end_group`].
    pub(crate) fn push(&mut self, row: R) -> usize {
        self.rows.push(row);
        self.rows.len()
    }

    /// Writes the rows since the last call as a row group, if there are any.
    pub(crate) fn end_group(&mut self) -> std::result::Result<(), ExportFault> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for Column(_, _, value) in &self.columns {
            let mut writer = group.next_column()?.ok_or_else(other_kind)?;
            value.write(&self.rows, &mut writer)?;
            writer.close()?;
        }
        group.close()?;
        self.rows.clear();
        self.writer.flush()?;
        self.groups.push(self.writer.inner_mut().take());
        Ok(())
    }

    /// Completes the file and gives it its final name. Returns its length in bytes.
    pub(crate) fn finish(mut self) -> std::result::Result<u64, ExportFault> {
        self.end_group()?;
        for value in footer_checksum::values(&self.groups) {
            self.writer.append_key_value_metadata(value);
        }
        let out = self.writer.into_inner()?.into_inner();
        let mut file = out.into_inner().map_err(IntoInnerError::into_error)?;
        footer_checksum::close(&mut file)?;
        file.sync_all()?;
        let bytes = file.metadata()?.len();
        // A temporary file is readable only by its owner, but others must be able to read the result.
        #[cfg(unix)]
        file.set_permissions(PermissionsExt::from_mode(0o644))?;
        let persisted = self.file.persist(&self.path);
        persisted.map_err(|error| error.error)?;
        Ok(bytes)
    }
}

/// Reads rows of a column. A row without a value is `None`, which only an optional column has.
fn rows<T: DataType>(
    mut reader: parquet::column::reader::ColumnReaderImpl<T>,
    from: usize,
    count: usize,
) -> Result<Vec<Option<T::T>>> {
    reader.skip_records(from)?;
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let (read, there, _) = reader.read_records(count, Some(&mut levels), None, &mut values)?;
    if read != count || there != values.len() {
        return Err(ParquetError::General("a column is too short".to_owned()));
    }
    if levels.is_empty() {
        // A required column has no levels.
        levels.resize(count, 1);
    }
    let mut values = values.into_iter();
    let of_level = |level: &i16| if *level > 0 { values.next() } else { None };
    Ok(levels.iter().map(of_level).collect())
}

fn other_kind() -> ParquetError {
    ParquetError::General("a column has an unexpected type".to_owned())
}

/// A range of rows in a row group.
pub(crate) struct Rows<'a> {
    pub(crate) group: &'a dyn RowGroupReader,
    /// The columns of the file by their names.
    pub(crate) columns: &'a HashMap<String, usize>,
    pub(crate) from: usize,
    pub(crate) count: usize,
}

impl Rows<'_> {
    fn column(&self, name: &str) -> Result<ColumnReader> {
        let column = self.columns.get(name).ok_or_else(other_kind)?;
        self.group.get_column_reader(*column)
    }

    /// The values of an `INT32` or `INT64` column.
    pub(crate) fn numbers(&self, column: &str) -> Result<Vec<Option<i64>>> {
        match self.column(column)? {
            ColumnReader::Int32ColumnReader(reader) => {
                let narrow = rows(reader, self.from, self.count)?;
                Ok(narrow.into_iter().map(|n| n.map(i64::from)).collect())
            }
            reader => self.typed::<Int64Type>(reader),
        }
    }

    /// The values of a text column.
    pub(crate) fn words(&self, column: &str) -> Result<Vec<Option<String>>> {
        let texts = self.typed::<ByteArrayType>(self.column(column)?)?;
        let word = |text: ByteArray| text.as_utf8().map(str::to_owned);
        let words = texts.into_iter().map(|text| text.map(word).transpose());
        words.collect()
    }

    /// The values of a boolean column.
    pub(crate) fn flags(&self, column: &str) -> Result<Vec<Option<bool>>> {
        self.typed::<BoolType>(self.column(column)?)
    }

    fn typed<T: DataType>(&self, reader: ColumnReader) -> Result<Vec<Option<T::T>>> {
        let reader = T::get_column_reader(reader).ok_or_else(other_kind)?;
        rows(reader, self.from, self.count)
    }
}
