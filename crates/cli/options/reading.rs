//! Where games come from and how they are read.

use crate::options::values::{ENCODING, LOCALE, NOTATION, bytes};
use clap::Args;
use std::path::PathBuf;
use tridex_archive::encoding::Encoding;
use tridex_notation::{Locale, Notation};

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
