//! Where games come from.

use crate::failure::Trouble;
use crate::options::reading::Reading;
use crate::session::Session;
use tridex_archive::source::{EXTENSIONS, Walk};
use tridex_core::{Archives, Origin};
use tridex_index::INDEX_MARK;
use tridex_notation::Locale;
use tridex_text::printable;

/// The archives at the given paths or of the given plan. Files that this run writes are skipped.
pub(crate) fn archives(session: &Session, reading: &Reading) -> Archives {
    let mut archives = Archives::of(match &reading.plan {
        Some(plan) => Origin::Plan(plan.clone()),
        None => Origin::Paths(reading.paths.clone()),
    });
    archives.open.encoding = reading.encoding;
    archives.open.language = reading.from_locale.map(Locale::code);
    archives.open.max_decompressed = reading.max_decompressed;
    archives.options = reading.options();
    archives.threads = reading.threads.map(usize::from);
    archives.except = session.written();
    archives.mark = Some(INDEX_MARK);
    archives
}

/// Reports files that were skipped, and folders without games. If there was nothing to read at all, that is noted for
/// the exit code.
pub(crate) fn report_notes(session: &Session, walk: &Walk) {
    for name in &walk.skipped {
        let name = printable(name);
        session.remark(&format!(
            "{name}: skipped, because the results are written to this file"
        ));
    }
    let nothing = walk.sources == 0 && !session.is_cancelled();
    let extensions = EXTENSIONS
        .map(|extension| format!(".{extension}"))
        .join(" ");
    for folder in walk.folders() {
        let examples = folder.examples.iter().map(|name| printable(name));
        let mut names = examples.collect::<Vec<_>>().join(", ");
        if folder.passed_over > folder.examples.len() as u64 {
            names.push_str(", ...");
        }
        let plural = if folder.passed_over == 1 { "" } else { "s" };
        let skipped = format!(
            "skipped {} file{plural} with an extension other than {extensions} ({names}); name a file to read it",
            folder.passed_over,
        );
        let message = match (folder.sources, folder.passed_over) {
            (0, 0) if folder.is_marked => {
                "this folder is an index; name it with --index".to_owned()
            }
            (0, 0) => "no files in this folder".to_owned(),
            (0, _) => format!("no games in this folder: {skipped}"),
            _ => skipped,
        };
        let message = format!("{}: {message}", printable(&folder.name));
        match nothing {
            true => session.complain(&message),
            false => session.remark(&message),
        }
    }
    session.note_if(Trouble::InFiles, nothing);
}
