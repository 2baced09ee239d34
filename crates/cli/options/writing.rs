//! The format of results, and the file they are written to.

use crate::failure::Failure;
use crate::ineffective::Ineffective;
use crate::options::values::{Format, Formats, TABLES, format, one_of};
use crate::session::Session;
use clap::Args;
use std::path::{Path, PathBuf};
use tridex_archive::container::extension;
use tridex_archive::source::Compression;
use tridex_archive::write::TableStyle;
use tridex_core::GameFormat;
use tridex_text::printable;

/// Where results go.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputFile {
    /// Write to this file instead of standard output (-)
    ///
    /// The file appears only when it is complete. It is compressed if its name ends in `.gz`, `.zst` or `.bz2`. An
    /// extension of another format is refused.
    #[arg(id = "output", long = "output", short = 'o', value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Do not overwrite an existing file; exit with 2
    #[arg(long)]
    pub(crate) no_clobber: bool,
}

impl OutputFile {
    /// The file, if it is not standard output.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.file.as_deref().filter(|file| file.as_os_str() != "-")
    }

    /// Refuses a file whose name ends in the extension of another format. A name without an extension is accepted.
    ///
    /// # Errors
    /// If the extension is not known. The message lists the known ones.
    pub(crate) fn check_ending(&self, known: &[&str]) -> Result<(), Failure> {
        self.path()
            .map_or(Ok(()), |file| check_ending(file, known, ""))
    }

    /// The format that is named, or that of the extension of the file, or the first of `formats`.
    pub(crate) fn format(
        &self,
        named: Option<Format>,
        formats: Formats,
    ) -> Result<Format, Failure> {
        let first = formats.first().copied().unwrap_or(Format::Text);
        let (None, Some(file)) = (named, self.path()) else {
            return Ok(named.unwrap_or(first));
        };
        // Any default format may be written to a `.txt` file.
        let ends = formats.iter().flat_map(|format| endings(*format));
        let mut known: Vec<&str> = ends.copied().collect();
        if !known.contains(&"txt") {
            known.push("txt");
        }
        check_ending(file, &known, "; or name the format with --format")?;
        let end = extension(file);
        let is_of = |format: &&Format| {
            end.as_deref()
                .is_some_and(|end| endings(**format).contains(&end))
        };
        Ok(formats.iter().find(is_of).copied().unwrap_or(first))
    }

    /// Refuses `--no-clobber` where no file is written.
    pub(crate) fn check(&self, session: &Session) -> Result<(), Failure> {
        let file = Ineffective {
            options: &["no-clobber"],
            where_: "without a file to write",
            instead: "add --output FILE",
        };
        file.unless(self.path().is_some(), session)
    }
}

/// Refuses a file with an extension, before that of a compression, that is not among `known`. `otherwise` is added to
/// the message.
///
/// # Errors
/// If the extension is not known. The message lists the known ones.
pub(crate) fn check_ending(file: &Path, known: &[&str], otherwise: &str) -> Result<(), Failure> {
    match extension(file) {
        Some(end) if !known.contains(&end.as_str()) => {
            let packed = Compression::ALL.map(Compression::extension);
            let packed = packed.into_iter().filter(|end| !end.is_empty());
            let known: Vec<String> = known.iter().map(|end| format!(".{end}")).collect();
            let what = format!(
                "the extension .{} is of no format of this command; expected {} (and {} after it to compress the file){otherwise}",
                printable(&end),
                known.join(", "),
                packed.collect::<Vec<&str>>().join(", "),
            );
            Err(Failure::at(file, what))
        }
        _ => Ok(()),
    }
}

/// The extensions of a format.
const fn endings(format: Format) -> &'static [&'static str] {
    match format {
        Format::Text => &["txt"],
        Format::Ndjson => &["ndjson", "jsonl"],
        Format::Csv => &["csv"],
        Format::Pgn => &["pgn"],
        Format::Html => &["html", "htm"],
    }
}

/// The format of results, and where they go.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct Results {
    /// Output format [default: extension of --output, else text]
    #[arg(long, short, value_parser = format(TABLES), value_name = "FORMAT")]
    format: Option<Format>,
    #[command(flatten)]
    pub(crate) output: OutputFile,
    /// CSV delimiter: `,` `;` or `tab` [default: ,]
    ///
    /// In a shell put `;` in quotation marks.
    #[arg(long, hide_short_help = true, value_parser = delimiter, value_name = "SIGN")]
    csv_delimiter: Option<u8>,
    /// Start CSV with a UTF-8 byte order mark, for spreadsheets
    #[arg(long, hide_short_help = true)]
    bom: bool,
    /// CSV cells that a spreadsheet would execute [default: defuse]
    #[arg(long, hide_short_help = true, value_parser = one_of(FORMULAS), value_name = "HOW")]
    csv_formulas: Option<bool>,
}

/// Whether cells that a spreadsheet would execute are written unchanged.
const FORMULAS: &[(&str, bool, &str)] = &[
    (
        "defuse",
        false,
        "Put an apostrophe before them, which marks them as text",
    ),
    ("keep", true, "Write them unchanged"),
];

impl Results {
    /// The format that is named, or else that of the file's extension (`.csv`, `.html`, `.pgn.gz`), or else the first that
    /// the command has.
    ///
    /// # Errors
    /// If no format is named, and the extension is not of any format of the command.
    pub(crate) fn format(&self, formats: Formats) -> Result<Format, Failure> {
        self.output.format(self.format, formats)
    }

    /// The format of a list, for a command that writes something else to the file.
    pub(crate) fn list_format(&self) -> Format {
        self.format.unwrap_or(Format::Text)
    }

    /// How CSV is written.
    pub(crate) fn style(&self) -> TableStyle {
        let plain = TableStyle::default();
        TableStyle {
            delimiter: self.csv_delimiter.unwrap_or(plain.delimiter),
            bom: self.bom,
            keeps_formulas: self.csv_formulas.unwrap_or(plain.keeps_formulas),
        }
    }

    /// The format of games for an output format.
    pub(crate) fn game_format(&self, format: Format) -> GameFormat {
        match format {
            Format::Html => GameFormat::Page,
            Format::Ndjson => GameFormat::Ndjson,
            Format::Csv => GameFormat::Csv(self.style()),
            Format::Pgn | Format::Text => GameFormat::Pgn,
        }
    }

    /// Refuses CSV options if no CSV is written.
    pub(crate) fn check_csv(&self, session: &Session, is_csv: bool) -> Result<(), Failure> {
        let csv = Ineffective {
            options: &["csv-delimiter", "bom", "csv-formulas"],
            where_: "without a table in CSV",
            instead: "add --format csv",
        };
        csv.unless(is_csv, session)
    }

    /// Refuses CSV options if no CSV is written, and file options if no file is written.
    pub(crate) fn check(&self, session: &Session, format: Format) -> Result<(), Failure> {
        self.check_csv(session, format == Format::Csv)?;
        self.output.check(session)
    }
}

/// Whether pawn captures in Meder's notation have both squares in full.
pub(crate) const PAWN_CAPTURES: &[(&str, bool, &str)] = &[
    ("full", true, "With both squares: `aWxb4W`"),
    ("short", false, "With the files of the capture: `axb4W`"),
];

/// The delimiter of CSV.
fn delimiter(text: &str) -> Result<u8, String> {
    match text {
        "," | "comma" => Ok(b','),
        ";" | "semicolon" => Ok(b';'),
        "\t" | "\\t" | "tab" => Ok(b'\t'),
        _ => Err("expected `,`, `;` or `tab`".to_owned()),
    }
}
