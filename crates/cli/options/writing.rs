//! The form of results, and the file they are written to.

use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use tridex_archive::source::Compression;
use tridex_archive::write::TableStyle;

/// Where results go.
#[derive(Args, Debug)]
pub(crate) struct OutputFile {
    /// Write to this file instead of standard output (-)
    ///
    /// The file appears only when it is complete. It is compressed if its name ends in `.gz`, `.zst` or `.bz2`.
    #[arg(
        id = "output",
        long = "output",
        short = 'o',
        value_name = "FILE",
        help_heading = "Output"
    )]
    pub(crate) file: Option<PathBuf>,
    /// Do not overwrite an existing file; exit with 2
    #[arg(long, help_heading = "Output")]
    pub(crate) no_clobber: bool,
}

impl OutputFile {
    /// The file, if it is not standard output.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.file.as_deref().filter(|file| file.as_os_str() != "-")
    }

    /// The format of the file's extension, if the command has it: `.csv`, `.html`, `.pgn.gz`.
    pub(crate) fn form<F: ValueEnum>(&self) -> Option<F> {
        let name = self.path()?.file_name()?.to_str()?.to_ascii_lowercase();
        let (name, _) = Compression::of_name(&name);
        let end = match name.rsplit_once('.')?.1 {
            "htm" => "html",
            "jsonl" => "ndjson",
            end => end,
        };
        F::from_str(end, false).ok()
    }
}

/// How CSV is written.
#[derive(Args, Debug)]
pub(crate) struct CsvStyle {
    /// CSV delimiter: `,` `;` or `tab` [default: ,]
    ///
    /// In a shell put `;` in quotation marks.
    #[arg(long, hide_short_help = true, value_parser = delimiter, value_name = "SIGN", help_heading = "Output")]
    csv_delimiter: Option<u8>,
    /// Start CSV with a UTF-8 byte order mark, for spreadsheets
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    bom: bool,
    /// CSV cells that a spreadsheet would execute [default: defuse]
    #[arg(
        long,
        hide_short_help = true,
        value_enum,
        value_name = "HOW",
        help_heading = "Output"
    )]
    csv_formulas: Option<Formulas>,
}

impl CsvStyle {
    /// The style of the table.
    pub(crate) fn style(&self) -> TableStyle {
        let plain = TableStyle::default();
        TableStyle {
            delimiter: self.csv_delimiter.unwrap_or(plain.delimiter),
            bom: self.bom,
            keeps_formulas: self.csv_formulas == Some(Formulas::Keep),
        }
    }
}

/// How cells are written that a spreadsheet would execute as a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Formulas {
    /// Put an apostrophe before them, which marks them as text
    Defuse,
    /// Write them unchanged
    Keep,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum PawnCaptures {
    /// With both squares: `aWxb4W`
    Full,
    /// With the files of the capture: `axb4W`
    Short,
}

impl PawnCaptures {
    pub(crate) const fn is_full(self) -> bool {
        matches!(self, Self::Full)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum GameFormat {
    /// An archive in PGN
    #[value(alias = "archive")]
    Pgn,
    /// One JSON object per line
    Ndjson,
    /// A score sheet, one row per move
    Csv,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TableFormat {
    /// For people
    Text,
    /// One JSON object per line
    Ndjson,
    /// A table with a header
    Csv,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SummaryFormat {
    /// For people
    Text,
    /// One JSON object on one line
    Ndjson,
}

/// The delimiter of CSV.
fn delimiter(text: &str) -> Result<u8, String> {
    match text {
        "," | "comma" => Ok(b','),
        ";" | "semicolon" => Ok(b';'),
        "\t" | "\\t" | "tab" => Ok(b'\t'),
        _ => Err("expected `,`, `;` or `tab`".to_owned()),
    }
}
