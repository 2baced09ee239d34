//! What comes out and where it goes.

use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use tridex_archive::source::Compression;
use tridex_archive::write::TableStyle;

/// Where results go.
#[derive(Args, Debug)]
pub(crate) struct OutputFile {
    /// The file to write, or - for standard output. It appears only when everything is written, compressed if its name
    /// ends in `.gz`, `.zst` or `.bz2`.
    #[arg(id = "output", long = "output", short = 'o', value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Leave a file alone that is there already, and end with 2.
    #[arg(long)]
    pub(crate) no_clobber: bool,
}

impl OutputFile {
    /// The file, if it is not standard output.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.file.as_deref().filter(|file| file.as_os_str() != "-")
    }

    /// The form that the end of the file's name stands for, if it is one of the command's: `.csv`, `.html`, `.pgn.gz`.
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
    /// What stands between the cells of CSV: `,` `;` (in a shell within quotation marks) or `tab`.
    #[arg(long, value_parser = delimiter, value_name = "SIGN")]
    csv_delimiter: Option<u8>,
    /// Begin CSV with the mark by which spreadsheets know UTF-8.
    #[arg(long)]
    bom: bool,
    /// What becomes of cells that a spreadsheet would run: an apostrophe before them, or nothing.
    #[arg(long, value_enum, value_name = "HOW")]
    csv_formulas: Option<Formulas>,
}

impl CsvStyle {
    /// The style of the table that comes out.
    pub(crate) fn style(&self) -> TableStyle {
        let plain = TableStyle::default();
        TableStyle {
            delimiter: self.csv_delimiter.unwrap_or(plain.delimiter),
            bom: self.bom,
            keeps_formulas: self.csv_formulas == Some(Formulas::Keep),
        }
    }
}

/// What becomes of cells that a spreadsheet would run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Formulas {
    /// They get an apostrophe before them, which spreadsheets take for "this is text" (as without this option).
    Defuse,
    /// They stay as they are.
    Keep,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum PawnCaptures {
    Full,
    Short,
}

impl PawnCaptures {
    pub(crate) const fn is_full(self) -> bool {
        matches!(self, Self::Full)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum GameFormat {
    /// An archive.
    #[value(alias = "archive")]
    Pgn,
    /// One JSON line a game.
    Ndjson,
    /// A scoresheet.
    Csv,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TableFormat {
    Text,
    Ndjson,
    Csv,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SummaryFormat {
    Text,
    Ndjson,
}

/// What stands between the cells of CSV.
fn delimiter(text: &str) -> Result<u8, String> {
    match text {
        "," | "comma" => Ok(b','),
        ";" | "semicolon" => Ok(b';'),
        "\t" | "\\t" | "tab" => Ok(b'\t'),
        _ => Err("`,` `;` or `tab`".to_owned()),
    }
}
