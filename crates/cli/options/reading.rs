//! Where games come from and how they are read.

use crate::failure::Failure;
use crate::ineffective::Ineffective;
use crate::options::values::{DATES, ENCODING, LOCALE, NOTATION, RULES_CHOICE, bytes};
use crate::session::Session;
use clap::Args;
use std::path::{Path, PathBuf};
use tridex_archive::date::DateOrder;
use tridex_archive::encoding::Encoding;
use tridex_notation::{Locale, Notation};
use tridex_replay::{Options, RulesChoice};
use tridex_rules::RuleSystem;

/// Games of files.
#[derive(Args, Debug)]
pub(crate) struct Reading {
    /// Files, folders (searched recursively), or - for standard input
    ///
    /// Duplicate paths are read once.
    #[arg(required_unless_present = "plan", value_name = "PATHS")]
    pub(crate) paths: Vec<PathBuf>,
    /// Read the pieces of files listed in this plan
    ///
    /// Instead of paths: a file that `tridex plan` wrote, or - for standard input. The games give the same results as in
    /// a run over the whole files.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "paths",
        help_heading = "Input"
    )]
    pub(crate) plan: Option<PathBuf>,
    /// Rule system of all games, instead of their tags; or `any`
    ///
    /// With `any`, each game is read under the first system that makes it legal; `validate` lists all such systems.
    #[arg(long, value_parser = RULES_CHOICE, value_name = "SYSTEM", help_heading = "Input")]
    pub(crate) rules: Option<RulesChoice>,
    /// Notation of all games, instead of their tags
    #[arg(long, alias = "notation", value_parser = NOTATION, value_name = "NOTATION", help_heading = "Input")]
    pub(crate) from: Option<Notation>,
    /// Language of the piece letters, instead of the games' tags
    #[arg(long, alias = "locale", value_parser = LOCALE, value_name = "CODE", help_heading = "Input")]
    pub(crate) from_locale: Option<Locale>,
    /// Encoding of the files, such as windows-1250 or latin2
    ///
    /// A byte order mark in a file overrides it. Without this option a file is read as UTF-8; if it is not UTF-8, its
    /// encoding is guessed and reported. Lines and columns count characters; byte offsets are in the text converted to UTF-8.
    #[arg(long, value_parser = ENCODING, hide_possible_values = true, value_name = "NAME", help_heading = "Input")]
    pub(crate) encoding: Option<Encoding>,
    /// Order of day, month and year in ambiguous dates
    ///
    /// `dmy` reads 3/4/2019 as 3 April, `mdy` as 4 March. A year of two digits is from 1970 to 2069. Without this option
    /// only a year of four digits is used, and a note at the end names the order that other dates of the same files have.
    /// The original text stays in the tag `DateAsWritten`.
    #[arg(long, value_parser = DATES, value_name = "ORDER", help_heading = "Input")]
    pub(crate) dates: Option<DateOrder>,
    /// Reject ambiguous moves, and moves in another language, notation or spelling
    #[arg(long, help_heading = "Input")]
    pub(crate) strict: bool,
    /// Limit the decompressed size of a file, such as 64M or 20G
    #[arg(long, hide_short_help = true, value_name = "BYTES", value_parser = bytes, help_heading = "Input")]
    pub(crate) max_decompressed: Option<u64>,
    /// Number of threads [default: all cores]
    ///
    /// The output does not depend on this number.
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), help_heading = "Input")]
    pub(crate) threads: Option<u16>,
}

impl Reading {
    /// Whether files are named.
    pub(crate) fn is_named(&self) -> bool {
        !self.paths.is_empty() || self.plan.is_some()
    }

    /// The rule system, if one is named.
    pub(crate) const fn only(&self) -> Option<RuleSystem> {
        match self.rules {
            Some(RulesChoice::Only(rules)) => Some(rules),
            _ => None,
        }
    }

    /// Refuses options for reading files if no files are read. The arguments are the reasons, for these options and for
    /// `--rules`; the names of the options are filled in.
    pub(crate) fn check(
        &self,
        session: &Session,
        otherwise: Ineffective<'_>,
        rules: Ineffective<'_>,
    ) -> Result<(), Failure> {
        let reading = Ineffective {
            options: &[
                "strict",
                "dates",
                "from",
                "from-locale",
                "encoding",
                "max-decompressed",
            ],
            ..otherwise
        };
        let rules = Ineffective {
            options: &["rules"],
            ..rules
        };
        reading.unless(self.is_named(), session)?;
        rules.unless(self.is_named(), session)
    }

    /// How the games are read.
    pub(crate) fn options(&self) -> Options {
        Options::default()
            .rules(self.rules.unwrap_or_default())
            .notation(self.from)
            .locale(self.from_locale)
            .strict(self.strict)
            .dates(self.dates)
            .mends_text(false)
    }
}

/// Which game of a file or of an index.
#[derive(Args, Debug)]
#[command(next_help_heading = "Input")]
pub(crate) struct Which {
    /// Folder of an index that contains the game; repeatable
    #[arg(long, value_name = "DIR", conflicts_with = "file", requires = "game")]
    pub(crate) index: Vec<PathBuf>,
    /// Number of the game in the file, from 1; or its id
    ///
    /// In an index, name the game by its id, as `search` prints it, or by its file and number: FILE:K.
    #[arg(long, default_value = "1", value_name = "GAME")]
    pub(crate) game: String,
    /// Number of plies to play [default: all]
    #[arg(long, value_name = "N")]
    pub(crate) ply: Option<usize>,
    /// Notation of the game, instead of its tags
    #[arg(long, alias = "notation", value_parser = NOTATION, value_name = "NOTATION")]
    pub(crate) from: Option<Notation>,
    /// Language of the piece letters, instead of the game's tags
    #[arg(long, alias = "locale", value_parser = LOCALE, value_name = "CODE")]
    pub(crate) from_locale: Option<Locale>,
    /// Encoding of the file, such as windows-1250 or latin2
    #[arg(long, conflicts_with = "index", value_parser = ENCODING, hide_possible_values = true, value_name = "NAME")]
    pub(crate) encoding: Option<Encoding>,
}

impl Which {
    /// Refuses options for reading a file if none is read.
    pub(crate) fn check(&self, session: &Session, file: Option<&Path>) -> Result<(), Failure> {
        let reading = Ineffective {
            options: &["from", "from-locale", "encoding"],
            where_: "without a file",
            instead: "an index stores moves, not their text",
        };
        reading.unless(file.is_some(), session)
    }
}
