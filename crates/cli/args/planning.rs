//! What can be said to the commands that prepare work for many machines: archives cut into pieces, games as Parquet.

use super::asking::SummaryFormat;
use super::bytes;
use super::common::{OutputFile, Reading, RulesWish};
use super::known::{ENCODING, LOCALE, RULES_CHOICE};
use clap::Args;
use std::path::PathBuf;
use tridex_archive::encoding::Encoding;
use tridex_notation::Locale;

#[derive(Args, Debug)]
pub(crate) struct PlanArgs {
    /// Files and folders (searched for game files). A file that is met twice is cut once. On other machines they must
    /// be found under the same names.
    #[arg(required = true, value_name = "PATHS")]
    pub(crate) paths: Vec<PathBuf>,
    /// About how many bytes of a file a piece takes, such as 500K or 64MiB. A piece ends behind the first game that
    /// brings it there.
    #[arg(long, value_parser = bytes, default_value = "64MiB", value_name = "BYTES")]
    pub(crate) target: u64,
    /// The encoding of the files; readers of the plan are given the same.
    #[arg(long, value_parser = ENCODING, hide_possible_values = true, value_name = "NAME")]
    pub(crate) encoding: Option<Encoding>,
    #[command(flatten)]
    pub(crate) output: OutputFile,
}

#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The folder of an index of which the games are exported, instead of files; of several all.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["paths", "plan"])]
    pub(crate) index: Vec<PathBuf>,
    /// The folder to write `games.parquet` and `positions.parquet` into; it is made if it is not there, and files of
    /// these names in it are replaced.
    #[arg(long, value_name = "DIR")]
    pub(crate) parquet: PathBuf,
    /// The rule system, whatever the tags say, or `any`: the first under which the game is legal.
    #[arg(long, value_parser = RULES_CHOICE, value_name = "SYSTEM")]
    pub(crate) rules: Option<RulesWish>,
    /// The language the games are written in, whatever their tags say.
    #[arg(long, visible_alias = "from-locale", value_parser = LOCALE, value_name = "CODE")]
    pub(crate) locale: Option<Locale>,
    /// Names of openings beside the bundled ones: CSV with name, moves and, if wanted, rule system. Games of an index
    /// keep the names they have there.
    #[arg(long, value_name = "FILE", conflicts_with = "index")]
    pub(crate) names: Option<PathBuf>,
    /// What comes out at the end: text for people, or one JSON line.
    #[arg(long, short, value_enum, default_value_t = SummaryFormat::Text, value_name = "FORMAT")]
    pub(crate) format: SummaryFormat,
}
