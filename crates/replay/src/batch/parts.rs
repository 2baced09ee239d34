//! An open source in parts: batches of whole games, and faults of its text.

use crate::Fault;
use std::collections::VecDeque;
use std::sync::Arc;
use tridex_archive::batch::Batch;
use tridex_archive::line_index::{LineColumn, LineIndex};
use tridex_archive::source::{Input, SourceError};

/// A part of an open source.
#[derive(Debug)]
pub enum Part {
    /// Whole games.
    Games(Arc<Batch>),
    /// A fault of the text of the source. More parts may follow.
    Noted(Fault),
    /// The source could not be read to its end, or has no games. No part follows.
    Failed(SourceError),
}

/// The batches of an open source, each after the faults of its text.
///
/// ```
/// use tridex_archive::source::{OpenOptions, Source};
/// use tridex_replay::{Part, Parts};
///
/// let text = &b"[Variant \"meder\"]\n\n1. b4N b5B 1-0\n\n[Variant \"meder\"]\n\n1. c3W *\n"[..];
/// let input = Source::Stdin.open_reader(Box::new(text), &OpenOptions::default())?;
/// for part in Parts::new(input) {
///     match part {
///         Part::Games(batch) => assert_eq!(batch.all_games().len(), 2),
///         Part::Noted(fault) => eprintln!("{fault:?}"),
///         Part::Failed(error) => return Err(error),
///     }
/// }
/// # Ok::<(), tridex_archive::source::SourceError>(())
/// ```
#[derive(Debug)]
pub struct Parts {
    batches: Input,
    ready: VecDeque<Part>,
}

impl Parts {
    /// Returns the parts of an open source.
    #[must_use]
    pub fn new(batches: Input) -> Self {
        Self {
            batches,
            ready: VecDeque::new(),
        }
    }
}

impl Iterator for Parts {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        if self.ready.is_empty() {
            let batch = self.batches.next();
            let (end, mut line_index) = match &batch {
                Some(Ok(batch)) => (batch.end_offset(), batch.line_index()),
                _ => (
                    u64::MAX,
                    LineIndex::new(&[], 0, LineColumn { line: 1, column: 1 }),
                ),
            };
            for notice in self.batches.notices(end) {
                let place = line_index.place(notice.at);
                let noted = Fault::of_notice(notice, place);
                self.ready.push_back(Part::Noted(noted));
            }
            self.ready.extend(batch.map(|batch| match batch {
                Ok(batch) => Part::Games(batch),
                Err(error) => Part::Failed(error),
            }));
        }
        self.ready.pop_front()
    }
}
