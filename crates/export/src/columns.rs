//! The columns of a file: how they are declared, written by rows, and read.

use crate::error::ExportError;
use crate::seal::{self, Summed};
use crate::{SCHEMA_KEY, SCHEMA_VERSION};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::reader::ColumnReader;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{KeyValue, SortingColumn};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::reader::RowGroupReader;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use std::collections::HashMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::NamedTempFile;

/// The columns of a file. Their order is that of the cells of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// The name, the type and the presence of each, in the form of the library.
    pub(crate) schema: &'static str,
    /// Columns whose values hardly ever repeat. Those of the others are stored once, in a dictionary.
    pub(crate) plain: &'static [&'static str],
    /// Columns of numbers whose differences are stored.
    pub(crate) deltas: &'static [&'static str],
    /// The number of columns by which the rows are sorted.
    pub(crate) sorted_by: usize,
}

/// A value of a row.
#[derive(Clone, Debug)]
pub(crate) enum Cell<'a> {
    None,
    Long(i64),
    Int(i32),
    Flag(bool),
    Text(&'a [u8]),
    /// A text that many rows share.
    Word(ByteArray),
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text.as_bytes())
    }
}

impl From<i32> for Cell<'_> {
    fn from(number: i32) -> Self {
        Self::Int(number)
    }
}

impl From<ByteArray> for Cell<'_> {
    fn from(word: ByteArray) -> Self {
        Self::Word(word)
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell<'_> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::None, Into::into)
    }
}

/// The values of a column that wait for their row group: all of one kind.
#[derive(Default)]
struct Values {
    longs: Vec<i64>,
    ints: Vec<i32>,
    flags: Vec<bool>,
    words: Vec<ByteArray>,
    /// Texts that are all different, one after another in one allocation, and their ends.
    texts: Vec<u8>,
    ends: Vec<usize>,
    /// Whether a row may have no value.
    is_optional: bool,
    /// 1 where there is a value; of an optional column.
    levels: Vec<i16>,
}

impl Values {
    fn push(&mut self, cell: Cell<'_>) {
        if self.is_optional {
            self.levels.push((!matches!(cell, Cell::None)).into());
        }
        match cell {
            Cell::None => {}
            Cell::Long(number) => self.longs.push(number),
            Cell::Int(number) => self.ints.push(number),
            Cell::Flag(flag) => self.flags.push(flag),
            Cell::Word(word) => self.words.push(word),
            Cell::Text(text) => {
                self.texts.extend_from_slice(text);
                self.ends.push(self.texts.len());
            }
        }
    }

    /// The texts, as parts of one text.
    fn take_texts(&mut self) -> Vec<ByteArray> {
        let all = ByteArray::from(std::mem::take(&mut self.texts));
        let mut from = 0;
        let part = |end| {
            let start = std::mem::replace(&mut from, end);
            all.slice(start, end - start)
        };
        self.ends.drain(..).map(part).collect()
    }

    fn write(&mut self, writer: &mut ColumnWriter<'_>) -> Result<()> {
        let levels = std::mem::take(&mut self.levels);
        let levels = self.is_optional.then_some(levels.as_slice());
        match writer {
            ColumnWriter::Int64ColumnWriter(out) => out.write_batch(&self.longs, levels, None)?,
            ColumnWriter::Int32ColumnWriter(out) => out.write_batch(&self.ints, levels, None)?,
            ColumnWriter::BoolColumnWriter(out) => out.write_batch(&self.flags, levels, None)?,
            ColumnWriter::ByteArrayColumnWriter(out) => {
                let texts = self.take_texts();
                self.words.extend(texts);
                out.write_batch(&self.words, levels, None)?
            }
            _ => return Err(other_kind()),
        };
        self.longs.clear();
        self.ints.clear();
        self.flags.clear();
        self.words.clear();
        Ok(())
    }
}

/// The bits of a signed number as 16 hexadecimal digits.
pub(crate) fn hex(number: i64) -> [u8; 16] {
    let digit = |place: usize| match (number >> (60 - 4 * place) & 15) as u8 {
        digit @ 0..=9 => b'0' + digit,
        letter => b'a' + letter - 10,
    };
    std::array::from_fn(digit)
}

type Out = Summed<BufWriter<File>>;

/// A file that gets its name when it is whole.
pub(crate) struct Output {
    writer: SerializedFileWriter<Out>,
    columns: Vec<Values>,
    /// The rows that wait for their row group.
    rows: usize,
    /// Length and checksum of each row group.
    groups: Vec<(u64, u32)>,
    /// The file with its temporary name.
    file: NamedTempFile,
    path: PathBuf,
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Output")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl Output {
    /// Begins a file in a folder.
    pub(crate) fn new(
        folder: &Path,
        name: &str,
        layout: &Layout,
    ) -> std::result::Result<Self, ExportError> {
        let path = folder.join(name);
        let fault = ExportError::parquet(&path);
        let schema = parse_message_type(layout.schema).map_err(fault)?;
        let fields = schema.get_fields().iter();
        let columns = fields.map(|field| Values {
            is_optional: field.is_optional(),
            ..Values::default()
        });
        let columns = columns.collect();
        let sorted = (0..).take(layout.sorted_by).map(|column| SortingColumn {
            column_idx: column,
            descending: false,
            nulls_first: true,
        });
        let sorted: Vec<SortingColumn> = sorted.collect();
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("tridex ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(vec![KeyValue::new(
                SCHEMA_KEY.to_owned(),
                SCHEMA_VERSION.to_string(),
            )]))
            .set_sorting_columns(Some(sorted).filter(|sorted| !sorted.is_empty()));
        for column in layout.plain.iter().chain(layout.deltas) {
            properties = properties.set_column_dictionary_enabled(ColumnPath::from(*column), false);
        }
        for column in layout.deltas {
            let deltas = Encoding::DELTA_BINARY_PACKED;
            properties = properties.set_column_encoding(ColumnPath::from(*column), deltas);
        }
        // Queries do not search for ranges of position strings.
        let properties = properties
            .set_column_statistics_enabled(ColumnPath::from("position"), EnabledStatistics::None);
        let properties: WriterPropertiesPtr = Arc::new(properties.build());
        let io = ExportError::io(&path);
        let file = tempfile::Builder::new()
            .prefix(".tmp-")
            .tempfile_in(folder)
            .map_err(io)?;
        let out = BufWriter::with_capacity(1 << 18, file.reopen().map_err(io)?);
        let out = Summed::new(out);
        let mut writer =
            SerializedFileWriter::new(out, Arc::new(schema), properties).map_err(fault)?;
        // The bytes before the first row group are not part of a checksum.
        writer.flush().map_err(io)?;
        writer.inner_mut().take();
        Ok(Self {
            writer,
            columns,
            rows: 0,
            groups: Vec::new(),
            file,
            path,
        })
    }

    /// Adds a row, with a cell for each column. It is written by [`Output::end_group`].
    pub(crate) fn push<const N: usize>(&mut self, row: [Cell<'_>; N]) {
        self.rows += 1;
        for (column, cell) in self.columns.iter_mut().zip(row) {
            column.push(cell);
        }
    }

    /// Writes the rows since the last call as a row group, if there are any.
    pub(crate) fn end_group(&mut self) -> std::result::Result<(), ExportError> {
        if std::mem::take(&mut self.rows) == 0 {
            return Ok(());
        }
        let fault = ExportError::parquet(&self.path);
        let mut group = self.writer.next_row_group().map_err(fault)?;
        for column in &mut self.columns {
            let writer = group.next_column().map_err(fault)?;
            let mut writer = writer.ok_or_else(|| fault(other_kind()))?;
            let written = column.write(writer.untyped());
            written.and_then(|()| writer.close()).map_err(fault)?;
        }
        group.close().map_err(fault)?;
        self.writer.flush().map_err(ExportError::io(&self.path))?;
        self.groups.push(self.writer.inner_mut().take());
        Ok(())
    }

    /// Ends the file and gives it its name. Returns its length in bytes.
    pub(crate) fn finish(mut self) -> std::result::Result<u64, ExportError> {
        self.end_group()?;
        let fault = ExportError::parquet(&self.path);
        let io = ExportError::io(&self.path);
        for value in seal::values(&self.groups) {
            self.writer.append_key_value_metadata(value);
        }
        let out = self.writer.into_inner().map_err(fault)?.into_inner();
        let mut file = out.into_inner().map_err(|error| io(error.into_error()))?;
        seal::close(&mut file).map_err(io)?;
        file.sync_all().map_err(io)?;
        let bytes = file.metadata().map_err(io)?.len();
        readable_by_all(&file).map_err(io)?;
        self.file
            .persist(&self.path)
            .map_err(|error| io(error.error))?;
        Ok(bytes)
    }
}

/// Only its owner can read a temporary file; others read results too.
#[cfg(unix)]
fn readable_by_all(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable_by_all(_file: &File) -> std::io::Result<()> {
    Ok(())
}

/// Reads rows of a column. In an optional column a row without a value is `None`.
fn rows<T: DataType>(
    mut reader: parquet::column::reader::ColumnReaderImpl<T>,
    from: usize,
    count: usize,
) -> Result<Vec<Option<T::T>>> {
    reader.skip_records(from)?;
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let mut read = 0;
    let mut all_there = 0;
    while read < count {
        let (records, there, seen) =
            reader.read_records(count - read, Some(&mut levels), None, &mut values)?;
        if records == 0 && seen == 0 {
            break;
        }
        read += records;
        all_there += there;
    }
    if read != count || all_there != values.len() {
        return Err(ParquetError::General("a column is too short".to_owned()));
    }
    // A required column has no levels.
    if levels.is_empty() {
        return Ok(values.into_iter().map(Some).collect());
    }
    let mut values = values.into_iter();
    let of_level = |level: &i16| if *level > 0 { values.next() } else { None };
    Ok(levels.iter().map(of_level).collect())
}

fn other_kind() -> ParquetError {
    ParquetError::General("a column has an unexpected type".to_owned())
}

/// Some rows of a group.
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

    /// The values of a column of signed numbers of either size.
    pub(crate) fn numbers(&self, column: &str) -> Result<Vec<Option<i64>>> {
        match self.column(column)? {
            ColumnReader::Int64ColumnReader(reader) => rows(reader, self.from, self.count),
            ColumnReader::Int32ColumnReader(reader) => {
                let narrow = rows(reader, self.from, self.count)?;
                Ok(narrow.into_iter().map(|n| n.map(i64::from)).collect())
            }
            _ => Err(other_kind()),
        }
    }

    /// The values of a column of texts.
    pub(crate) fn words(&self, column: &str) -> Result<Vec<Option<String>>> {
        let ColumnReader::ByteArrayColumnReader(reader) = self.column(column)? else {
            return Err(other_kind());
        };
        let texts = rows(reader, self.from, self.count)?.into_iter();
        let word = |text: ByteArray| text.as_utf8().map(str::to_owned);
        texts.map(|text| text.map(word).transpose()).collect()
    }

    /// The values of a boolean column.
    pub(crate) fn flags(&self, column: &str) -> Result<Vec<Option<bool>>> {
        match self.column(column)? {
            ColumnReader::BoolColumnReader(reader) => rows(reader, self.from, self.count),
            _ => Err(other_kind()),
        }
    }
}
