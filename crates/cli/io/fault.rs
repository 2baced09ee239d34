//! Findings about files that belong to no game, and their effect on the exit code.

use crate::failure::Trouble;
use crate::session::Session;
use tridex_core::FileFault;
use tridex_replay::finding::Severity;

/// The finding with the name of the file.
pub(crate) fn message(fault: &FileFault) -> String {
    match fault.fault.is_guess {
        true => format!("{fault}: --encoding NAME sets another"),
        false => fault.to_string(),
    }
}

/// Reports the finding on standard error. An error is also noted for the exit code; other findings are not reported
/// with `--quiet`.
pub(crate) fn report(session: &Session, fault: &FileFault) {
    match fault.fault.severity {
        Severity::Error => {
            let trouble = match fault.is_content {
                true => Trouble::InData,
                false => Trouble::InFiles,
            };
            session.note(trouble);
            session.complain(&message(fault));
        }
        Severity::Warning | Severity::Info => session.remark(&message(fault)),
    }
}
