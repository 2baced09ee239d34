//! What several commands take: where games come from and how they are read, what comes out and where it goes.

use super::known::{ENCODING, LOCALE, NOTATION};
use super::{bytes, delimiter};
use crate::failure::Failure;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use tridex_archive::encoding::Encoding;
use tridex_archive::source::Compression;
use tridex_archive::write::TableStyle;
use tridex_notation::{Locale, Notation};
use tridex_rules::RuleSystem;

/// Where games come from and how they are read.
#[derive(Args, Debug)]
pub(crate) struct Reading {
    /// Files, folders (searched for game files), or - for standard input. A file that is met twice is read once.
    #[arg(required_unless_present = "plan", value_name = "PATHS")]
    pub(crate) paths: Vec<PathBuf>,
    /// Instead of paths, the pieces of files that a plan names: a file, or - for standard input. `tridex plan` makes
    /// plans. What comes out is what comes out of these games within the whole.
    #[arg(long, value_name = "FILE", conflicts_with = "paths")]
    pub(crate) plan: Option<PathBuf>,
    /// The notation the games are written in, whatever their tags say.
    #[arg(long, visible_alias = "from", value_parser = NOTATION, value_name = "NOTATION")]
    pub(crate) notation: Option<Notation>,
    /// The encoding of the files, such as windows-1250 or latin2.
    ///
    /// A byte order mark in a file overrides it. Without it a file is read as UTF-8; where it is not UTF-8 its encoding
    /// is guessed and reported. Lines and columns count characters; byte offsets are those of the text as UTF-8.
    #[arg(long, value_parser = ENCODING, hide_possible_values = true, value_name = "NAME")]
    pub(crate) encoding: Option<Encoding>,
    /// Refuse ambiguous tokens and tokens of another language, notation or spelling.
    #[arg(long)]
    pub(crate) strict: bool,
    /// How many threads work; the output is the same for any number.
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// How much a compressed file may unfold to, such as 64M or 20G.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) max_decompressed: Option<u64>,
}

/// Which game of a file.
#[derive(Args, Debug)]
pub(crate) struct Which {
    /// The folder of an index in which the game is, instead of a file.
    #[arg(long, value_name = "DIR", conflicts_with = "file", requires = "game")]
    pub(crate) index: Vec<PathBuf>,
    /// The number of the game in the file, from 1; of an index, its id, or its file and number as FILE:K.
    #[arg(long, default_value = "1", value_name = "GAME")]
    pub(crate) game: String,
    /// After how many plies; without it after the last.
    #[arg(long, value_name = "N")]
    pub(crate) ply: Option<usize>,
    /// The notation the game is written in, whatever its tags say.
    #[arg(long, visible_alias = "from", value_parser = NOTATION, value_name = "NOTATION")]
    pub(crate) notation: Option<Notation>,
    /// The language the game is written in, whatever its tags say.
    #[arg(long, visible_alias = "from-locale", value_parser = LOCALE, value_name = "CODE")]
    pub(crate) locale: Option<Locale>,
    /// The encoding of the file, such as windows-1250 or latin2.
    #[arg(long, conflicts_with = "index", value_parser = ENCODING, hide_possible_values = true, value_name = "NAME")]
    pub(crate) encoding: Option<Encoding>,
}

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

/// A rule system, or all that may apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RulesWish {
    Only(RuleSystem),
    Any,
}

/// Refuses a notation in which the games of a rule system cannot be written. Nothing is refused that is not said.
///
/// # Errors
/// That no game of the system can be written, or is written, so.
pub(crate) fn agree(rules: Option<RuleSystem>, notation: Option<Notation>) -> Result<(), Failure> {
    match (rules, notation) {
        (Some(rules), Some(notation)) if rules.family() != notation.family() => {
            Err(Failure::message(format!(
                "{} games are not written so: {}",
                rules.name(),
                tridex_notation::WrongFamily { notation }
            )))
        }
        _ => Ok(()),
    }
}

impl RulesWish {
    /// The system, if one is named.
    pub(crate) const fn only(self) -> Option<RuleSystem> {
        match self {
            Self::Only(rules) => Some(rules),
            Self::Any => None,
        }
    }
}
