//! Options of every command.

use crate::options::asking::Side;
use clap::{Args, ValueEnum};

/// What every command has.
#[derive(Args, Debug)]
pub(crate) struct Common {
    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub(crate) color: When,
    /// Results only: no counts at the end, no progress, and on standard error only what could not be read or written.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// How far the run is, on standard error: a bar if that is a terminal, or one JSON line each half second.
    #[arg(long, global = true, value_enum, default_value_t = ProgressForm::Auto, value_name = "FORM")]
    pub(crate) progress: ProgressForm,
    /// No bar: the same as `--progress none`.
    #[arg(long, global = true, conflicts_with = "progress")]
    pub(crate) no_progress: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
    /// No colour of the output but a player's, which `openings` takes for its `--side`.
    #[value(hide = true)]
    White,
    /// The other player's.
    #[value(hide = true)]
    Black,
}

/// How progress is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ProgressForm {
    /// A bar, if standard error is a terminal.
    Auto,
    /// Lines of JSON: `bytes`, `total` (null if unknown), `games`, `plies`, `seconds`, `done`.
    Json,
    /// Nothing.
    None,
}

impl When {
    /// The side that is meant, if it is one.
    pub(crate) const fn side(self) -> Option<Side> {
        match self {
            Self::White => Some(Side::White),
            Self::Black => Some(Side::Black),
            Self::Auto | Self::Always | Self::Never => None,
        }
    }
}
