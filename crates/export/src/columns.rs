//! Writes and reads the columns of a row group.

use crate::error::ExportError;
use crate::seal::{self, Summed};
use crate::{SCHEMA_KEY, SCHEMA_VERSION};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{KeyValue, SortingColumn};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::reader::RowGroupReader;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::NamedTempFile;

/// The values of a column and, for an optional column, whether each row has one.
#[derive(Debug)]
pub(crate) struct Values<T> {
    values: Vec<T>,
    /// 1 where there is a value.
    levels: Option<Vec<i16>>,
}

impl<T> Values<T> {
    pub(crate) const fn required() -> Self {
        Self {
            values: Vec::new(),
            levels: None,
        }
    }

    pub(crate) const fn optional() -> Self {
        Self {
            values: Vec::new(),
            levels: Some(Vec::new()),
        }
    }

    pub(crate) fn push(&mut self, value: T) {
        self.values.push(value);
        if let Some(levels) = &mut self.levels {
            levels.push(1);
        }
    }

    pub(crate) fn push_option(&mut self, value: Option<T>) {
        match value {
            Some(value) => self.push(value),
            None => {
                if let Some(levels) = &mut self.levels {
                    levels.push(0);
                }
            }
        }
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

/// The texts of a column that are all different, one after another in one allocation.
#[derive(Default)]
pub(crate) struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    pub(crate) fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
    }

    /// The added texts, as a column of parts of one text.
    fn take(&mut self) -> Values<ByteArray> {
        let all = ByteArray::from(std::mem::take(&mut self.bytes));
        let mut from = 0;
        let mut column = Values::required();
        for end in self.ends.drain(..) {
            column.push(all.slice(from, end - from));
            from = end;
        }
        column
    }
}

type Out = Summed<BufWriter<File>>;

/// Writes the columns of a row group, in the order of the schema.
pub(crate) struct Group<'a, 'b> {
    writer: &'a mut SerializedRowGroupWriter<'b, Out>,
}

impl<'a, 'b> Group<'a, 'b> {
    pub(crate) const fn new(writer: &'a mut SerializedRowGroupWriter<'b, Out>) -> Self {
        Self { writer }
    }

    fn put<D: DataType>(&mut self, column: &mut Values<D::T>) -> Result<()> {
        let Some(mut writer) = self.writer.next_column()? else {
            return Err(ParquetError::General(
                "there are more columns than the schema has".to_owned(),
            ));
        };
        writer
            .typed::<D>()
            .write_batch(&column.values, column.levels.as_deref(), None)?;
        column.values.clear();
        if let Some(levels) = &mut column.levels {
            levels.clear();
        }
        writer.close()
    }

    pub(crate) fn longs(&mut self, column: &mut Values<i64>) -> Result<()> {
        self.put::<Int64Type>(column)
    }

    pub(crate) fn ints(&mut self, column: &mut Values<i32>) -> Result<()> {
        self.put::<Int32Type>(column)
    }

    pub(crate) fn texts(&mut self, column: &mut Values<ByteArray>) -> Result<()> {
        self.put::<ByteArrayType>(column)
    }

    pub(crate) fn different_texts(&mut self, texts: &mut Texts) -> Result<()> {
        self.put::<ByteArrayType>(&mut texts.take())
    }

    pub(crate) fn flags(&mut self, column: &mut Values<bool>) -> Result<()> {
        self.put::<BoolType>(column)
    }
}

/// A file that gets its name when it is whole.
pub(crate) struct Output {
    writer: SerializedFileWriter<Out>,
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
    /// Begins a file of a schema in a folder. Columns of numbers that hardly ever repeat have no dictionary; those that
    /// the rows are sorted by are named first; of `deltas` the differences are written.
    pub(crate) fn new(
        folder: &Path,
        name: &str,
        schema: &str,
        sorted_by: usize,
        plain: &[&str],
        deltas: &[&str],
    ) -> std::result::Result<Self, ExportError> {
        let path = folder.join(name);
        let fault = ExportError::parquet(&path);
        let schema = parse_message_type(schema).map_err(fault)?;
        let sorted = (0..).take(sorted_by).map(|column| SortingColumn {
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
        for column in plain.iter().chain(deltas) {
            let column = ColumnPath::from(*column);
            properties = properties.set_column_dictionary_enabled(column, false);
        }
        for column in deltas {
            let column = ColumnPath::from(*column);
            properties = properties.set_column_encoding(column, Encoding::DELTA_BINARY_PACKED);
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
            groups: Vec::new(),
            file,
            path,
        })
    }

    /// Writes a row group.
    pub(crate) fn group(
        &mut self,
        write: impl FnOnce(&mut Group<'_, '_>) -> Result<()>,
    ) -> std::result::Result<(), ExportError> {
        let fault = ExportError::parquet(&self.path);
        let mut group = self.writer.next_row_group().map_err(fault)?;
        write(&mut Group::new(&mut group)).map_err(fault)?;
        group.close().map_err(fault)?;
        self.writer.flush().map_err(ExportError::io(&self.path))?;
        self.groups.push(self.writer.inner_mut().take());
        Ok(())
    }

    /// Ends the file and gives it its name. Returns its length in bytes.
    pub(crate) fn finish(mut self) -> std::result::Result<u64, ExportError> {
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

/// Rows of a column of signed numbers of either size.
pub(crate) fn numbers(
    group: &dyn RowGroupReader,
    column: usize,
    from: usize,
    count: usize,
) -> Result<Vec<Option<i64>>> {
    match group.get_column_reader(column)? {
        ColumnReader::Int64ColumnReader(reader) => rows(reader, from, count),
        ColumnReader::Int32ColumnReader(reader) => {
            let narrow = rows(reader, from, count)?;
            Ok(narrow.into_iter().map(|n| n.map(i64::from)).collect())
        }
        _ => Err(other_kind()),
    }
}

/// Rows of a column of texts.
pub(crate) fn texts(
    group: &dyn RowGroupReader,
    column: usize,
    from: usize,
    count: usize,
) -> Result<Vec<Option<ByteArray>>> {
    match group.get_column_reader(column)? {
        ColumnReader::ByteArrayColumnReader(reader) => rows(reader, from, count),
        _ => Err(other_kind()),
    }
}

/// Rows of a boolean column.
pub(crate) fn flags(
    group: &dyn RowGroupReader,
    column: usize,
    from: usize,
    count: usize,
) -> Result<Vec<Option<bool>>> {
    match group.get_column_reader(column)? {
        ColumnReader::BoolColumnReader(reader) => rows(reader, from, count),
        _ => Err(other_kind()),
    }
}
