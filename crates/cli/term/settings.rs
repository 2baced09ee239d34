//! The options of every command, and their effect on the output.

use clap::{ArgAction, Args, ValueEnum};
use std::io::{self, IsTerminal as _};

/// What every command has.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Common options")]
pub(crate) struct Common {
    /// Print only results, and errors about files
    ///
    /// No counts at the end, no progress, no findings on standard error.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Progress on standard error
    #[arg(long, global = true, value_enum, default_value_t = ProgressForm::Auto, value_name = "FORM")]
    pub(crate) progress: ProgressForm,
    /// Show no progress bar; the same as `--progress none`
    #[arg(
        long,
        hide_short_help = true,
        global = true,
        conflicts_with = "progress"
    )]
    pub(crate) no_progress: bool,
    /// Colours on the terminal
    ///
    /// `auto` uses no colours if the variable NO_COLOR is set or the output is not a terminal.
    #[arg(long, global = true, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub(crate) color: When,
    /// Print help: -h a summary, --help all options and details
    #[arg(long, short, global = true, action = ArgAction::Help)]
    help: Option<bool>,
    /// Print the version
    #[arg(long, short = 'V', global = true, action = ArgAction::Version)]
    version: Option<bool>,
}

/// When there are colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum When {
    /// On a terminal
    Auto,
    /// Also in files and pipes
    Always,
    /// Nowhere
    Never,
}

/// How progress is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ProgressForm {
    /// A bar, if standard error is a terminal
    Auto,
    /// JSON lines: `bytes`, `total` (null if unknown), `games`, `plies`, `seconds`, `done`
    Json,
    /// Nothing
    None,
}

impl Common {
    /// Whether progress is shown in a form. A quiet run has no bar, unless one was requested.
    pub(crate) fn shows(&self, form: ProgressForm) -> bool {
        if self.progress != ProgressForm::Auto {
            return self.progress == form;
        }
        let is_silent = self.quiet || self.no_progress;
        !is_silent && form == ProgressForm::Auto && io::stderr().is_terminal()
    }
}

impl When {
    /// Whether to use colours, depending on whether the output is a terminal.
    pub(crate) fn is_colored(self, is_terminal: bool) -> bool {
        let variable = |name: &str| std::env::var_os(name);
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                is_terminal
                    && variable("NO_COLOR").is_none_or(|set| set.is_empty())
                    && variable("TERM").is_none_or(|term| term != "dumb")
            }
        }
    }
}
