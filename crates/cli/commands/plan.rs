//! `plan`: divides archives into pieces that start and end between games.

use crate::failure::{Failure, Trouble};
use crate::io::sources;
use crate::options::values::{ENCODING, Format, bytes};
use crate::options::writing::OutputFile;
use crate::session::Session;
use crate::term::counts::Tally;
use crate::term::progress::Progress;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tridex_archive::encoding::Encoding;
use tridex_archive::source::{OpenOptions, walk};
use tridex_index::INDEX_MARK;
use tridex_text::json;

/// Divide files into pieces, for several processes or machines to read.
///
/// A piece is one JSON line: `path`, `offset`, `length`, `first_game`, and what else is needed to read it as part of the
/// whole file. A compressed file is one piece. `validate`, `index` and others read pieces with `--plan`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tridex plan archive/ --target 64MiB -o pieces.ndjson
  tridex validate --plan pieces.ndjson --format ndjson       the same as: tridex validate archive/ --format ndjson
  sed -n 3p pieces.ndjson | tridex validate --plan - --format ndjson   only the third piece")]
pub(crate) struct PlanArgs {
    /// Files and folders (searched recursively)
    ///
    /// Duplicate paths are read once. On other machines the files must have the same names.
    #[arg(required = true, value_name = "PATHS")]
    pub(crate) paths: Vec<PathBuf>,
    /// Approximate size of a piece, such as 500K or 64MiB
    ///
    /// A piece ends with the first game that reaches this size.
    #[arg(long, value_parser = bytes, default_value = "64MiB", value_name = "BYTES")]
    pub(crate) target: u64,
    /// Encoding of the files; give the same when reading the plan
    #[arg(long, value_parser = ENCODING, hide_possible_values = true, value_name = "NAME", help_heading = "Input")]
    pub(crate) encoding: Option<Encoding>,
    #[command(flatten)]
    pub(crate) output: OutputFile,
}

pub(crate) fn run(args: &PlanArgs, session: &Session) -> Result<(), Failure> {
    args.output.check(session)?;
    args.output.check_ending(&["ndjson", "jsonl", "txt"])?;
    args.output
        .write(session, Format::Ndjson, |out| write_all(args, session, out))
}

fn write_all(args: &PlanArgs, session: &Session, out: &mut dyn Write) -> Result<(), Failure> {
    session.catch_interrupts();
    let mut sources = walk(&args.paths)
        .until(session.cancel())
        .marked_by(INDEX_MARK);
    let mut options = OpenOptions::default();
    let consumed = Arc::new(AtomicU64::new(0));
    options.consumed = Arc::clone(&consumed);
    options.encoding = args.encoding;
    let sizes = walk(&args.paths)
        .until(session.cancel())
        .marked_by(INDEX_MARK);
    let total = sizes.map(|source| source.ok()?.size()).sum();
    let progress = Progress::start(session, total, &consumed);
    let mut tally = Tally::default();
    let complain = |fault: &str| {
        session.note(Trouble::InFiles);
        progress.suspend(|| session.complain(fault));
    };
    for source in sources.by_ref() {
        let pieces = match source.and_then(|source| source.ranges(&options, args.target)) {
            Ok(pieces) => pieces,
            Err(fault) => {
                complain(&fault.to_string());
                continue;
            }
        };
        for piece in pieces {
            match piece {
                Ok(piece) => {
                    json::write_line(out, &piece)?;
                    tally.counts.games += piece.games.unwrap_or(0);
                    progress.show(&tally);
                }
                Err(fault) => complain(&fault.to_string()),
            }
            if session.is_cancelled() {
                break;
            }
        }
    }
    progress.finish();
    sources::report_notes(session, &sources);
    if session.is_cancelled() {
        session.complain("interrupted: the plan is incomplete");
    }
    Ok(())
}
