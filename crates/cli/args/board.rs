//! What can be said to the commands that look at one position.

use super::common::{OutputFile, PawnCaptures, Which};
use super::drawn::Drawn;
use super::known::{LOCALE, NOTATION, RULES};
use super::programs::{FEN_STYLE, FenStyle};
use super::rules;
use clap::Args;
use std::path::PathBuf;
use tridex_notation::{Locale, Notation};
use tridex_rules::RuleSystem;

#[derive(Args, Debug)]
pub(crate) struct PositionArgs {
    /// The file, or - for standard input.
    #[arg(required_unless_present = "index")]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) which: Which,
    /// The rule system, whatever the tags say.
    #[arg(long, value_parser = RULES, value_name = "SYSTEM")]
    pub(crate) rules: Option<RuleSystem>,
    /// Whose position string to write: our own, or that of another program.
    #[arg(long, value_parser = FEN_STYLE, default_value = "tridex", value_name = "PROGRAM")]
    pub(crate) fen_style: FenStyle,
    #[command(flatten)]
    pub(crate) output: OutputFile,
}

#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// The file, or - for standard input. Without it `--fen` or the start position of `--rules` is drawn.
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) which: Which,
    /// A position string, in quotation marks.
    #[arg(
        long,
        visible_alias = "position",
        value_name = "FEN",
        conflicts_with_all = ["file", "index"]
    )]
    pub(crate) fen: Option<String>,
    /// The rule system, whatever the tags say.
    #[arg(long, value_parser = RULES, value_name = "SYSTEM", required_unless_present_any = ["file", "index"])]
    pub(crate) rules: Option<RuleSystem>,
    /// Draw pieces as chess figures instead of letters.
    #[arg(long)]
    pub(crate) figurines: bool,
    /// Whose words label boards, files and ranks.
    #[arg(long, value_parser = NOTATION, value_name = "NOTATION")]
    pub(crate) labels: Option<Notation>,
    #[command(flatten)]
    pub(crate) drawn: Drawn,
}

#[derive(Args, Debug)]
pub(crate) struct MovesArgs {
    /// The rule system.
    #[arg(long, value_parser = RULES, value_name = "SYSTEM")]
    pub(crate) rules: RuleSystem,
    /// The position, in quotation marks; without it the start.
    #[arg(long, visible_alias = "position", value_name = "FEN")]
    pub(crate) fen: Option<String>,
    /// The notation to write; without it the system's own.
    #[arg(long, visible_alias = "to", value_parser = NOTATION, value_name = "NOTATION")]
    pub(crate) notation: Option<Notation>,
    /// The language to write, in notations with letters for pieces.
    #[arg(long, visible_alias = "to-locale", value_parser = LOCALE, value_name = "CODE")]
    pub(crate) locale: Option<Locale>,
    /// How pawn captures are written in Meder's notation: `aWxb4W` or `axb4W`.
    #[arg(long, value_enum, default_value_t = PawnCaptures::Full, value_name = "STYLE")]
    pub(crate) pawn_captures: PawnCaptures,
    /// Write check and mate marks also where they are not customary.
    #[arg(long)]
    pub(crate) marks: bool,
    #[command(flatten)]
    pub(crate) output: OutputFile,
}

#[derive(Args, Debug)]
pub(crate) struct PerftArgs {
    /// The length of the sequences in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    pub(crate) depth: u32,
    /// The rule system.
    #[arg(long, value_parser = RULES, value_name = "SYSTEM")]
    pub(crate) rules: RuleSystem,
    /// The position, in quotation marks; without it the start.
    #[arg(long, visible_alias = "position", value_name = "FEN")]
    pub(crate) fen: Option<String>,
    /// Count behind each first move apart.
    #[arg(long)]
    pub(crate) divide: bool,
}

#[derive(Args, Debug)]
pub(crate) struct DeadpositionsArgs {
    /// The rule system; without it all five.
    #[arg(long, value_parser = rules, value_name = "SYSTEM")]
    pub(crate) rules: Option<RuleSystem>,
    /// Print a mate for each set of men that has one.
    #[arg(long)]
    pub(crate) mates: bool,
}
