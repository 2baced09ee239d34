//! What the options of every command say about the output.

use crate::options::common::{Common, ProgressForm, When};
use std::io;
use std::io::IsTerminal as _;
use std::sync::OnceLock;

/// The options for the output of every command.
#[derive(Clone, Copy, Debug)]
struct Manner {
    color: When,
    quiet: bool,
    progress: ProgressForm,
}

static MANNER: OnceLock<Manner> = OnceLock::new();

/// Sets what `--color`, `--quiet` and `--progress` say.
pub(crate) fn choose(common: &Common) {
    let progress = match common.progress {
        // A quiet run has no bar, unless one was requested.
        ProgressForm::Auto if common.quiet || common.no_progress => ProgressForm::None,
        progress => progress,
    };
    // Set once, at the start.
    let _ = MANNER.set(Manner {
        color: common.color,
        quiet: common.quiet,
        progress,
    });
}

/// Whether only results are wanted.
pub(crate) fn is_quiet() -> bool {
    MANNER.get().is_some_and(|manner| manner.quiet)
}

/// How progress is shown.
pub(crate) fn progress() -> ProgressForm {
    MANNER
        .get()
        .map_or(ProgressForm::Auto, |manner| manner.progress)
}

/// Whether there is to be a bar on standard error.
pub(crate) fn has_bar() -> bool {
    progress() == ProgressForm::Auto && io::stderr().is_terminal()
}

pub(crate) fn is_colored(terminal: bool) -> bool {
    match MANNER.get().map(|manner| manner.color) {
        Some(When::Always) => true,
        Some(When::Never) => false,
        _ => {
            terminal
                && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty())
                && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}
