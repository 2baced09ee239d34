//! A pass over the games of a batch for commands that only want to know what was played.

use crate::diagnostic::Code;
use crate::record::{Game, folded};
use crate::replay::{Options, Report, replay};
use crate::split::Batch;
use crate::swift::{self, Clean, Witness};

/// A game that was replayed.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Offset of its first byte in the unfolded source.
    pub at: u64,
    /// What was found. Lines and columns are not filled in.
    pub report: Report,
    /// Whether every move of the main line could be read. The game may be invalid all the same: its result may
    /// contradict the board, or its record may be damaged.
    pub whole: bool,
}

/// Replays each game of a batch and hands it to `sink`, in order. Returns what belongs to no game: damage.
pub fn each(batch: &Batch, options: &Options, sink: impl FnMut(Replayed)) -> Game {
    let mut each = Each {
        options,
        sink,
        rest: Game::new(),
    };
    swift::read(batch, options, &mut each);
    each.rest
}

/// The tags of a game in which nothing was found, decoded as the careful reader does it.
#[must_use]
pub fn tags(game: &Clean<'_>) -> Vec<(String, String)> {
    let tags = game.tags.iter();
    tags.map(|(name, value, _)| {
        let value = folded(&crate::unescape(value));
        (crate::decode(name).into_owned(), value)
    })
    .collect()
}

struct Each<'o, F> {
    options: &'o Options,
    sink: F,
    rest: Game,
}

impl<F: FnMut(Replayed)> Witness for Each<'_, F> {
    const NEEDS_REMARKS: bool = false;
    const WANTS_BEFORE: bool = false;

    fn clean(&mut self, game: Clean<'_>) {
        (self.sink)(Replayed {
            at: game.at,
            report: game.report(),
            whole: true,
        });
    }

    fn careful(&mut self, game: &mut Game) {
        let report = replay(game, self.options);
        let misplaced = |code| code == Code::StartPosition;
        let whole = report.moves.len() == game.main_line().count()
            && !report.diagnostics.iter().any(|found| misplaced(found.code));
        (self.sink)(Replayed {
            at: game.at,
            report,
            whole,
        });
    }

    fn stray(&mut self, rest: Game) {
        self.rest = rest;
    }
}
