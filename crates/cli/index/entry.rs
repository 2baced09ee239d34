//! A game as it was replayed, made what the index takes.

use tridex_archive::record::Item;
use tridex_index::{GameEntry, Mark, STEERING, Variation, comment_place};
use tridex_replay::Played;

/// A game that was replayed.
pub(super) fn of_game(number: u32, game: &Played<'_>) -> GameEntry {
    let mut lines = Lines::default();
    if game.is_annotated() {
        game.each_item(|item, read| match item {
            Item::Move { .. } => lines.play(read),
            Item::VariationStart => lines.open(),
            Item::VariationEnd => lines.close(),
            Item::Comment(text) | Item::LineComment(text) | Item::Escape(text) => {
                lines.comment(text);
            }
            Item::Nag(number) => lines.mark(Mark::Judgement(number)),
            Item::DrawOffer => lines.mark(Mark::DrawOffer),
            Item::Word(_) => {}
        });
    }
    // Those that stand behind a variation belong to the move before it.
    lines.marks.sort_by_key(|(place, _)| *place);
    GameEntry {
        start: game.is_set_up().then(|| game.start().to_setup()),
        tags: kept(game.tags()),
        variations: lines.variations,
        comments: lines.comments,
        marks: lines.marks,
        result: game.result(),
        ..GameEntry::new(number, game.rules(), game.moves().to_vec())
    }
}

fn kept(mut tags: Vec<(String, String)>) -> Vec<(String, String)> {
    tags.retain(|(name, _)| {
        !STEERING
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name))
    });
    tags
}

/// Follows main line and variations through the items of a game.
#[derive(Default)]
struct Lines {
    variations: Vec<Variation>,
    comments: Vec<(u32, String)>,
    marks: Vec<(u32, Mark)>,
    /// The line that is followed.
    here: Line,
    /// Those it branches off from, the main line first.
    outer: Vec<Line>,
}

#[derive(Clone, Copy, Default)]
struct Line {
    /// Its place among the variations; none for the main line, and for a variation before its first move.
    variation: Option<u32>,
    /// Plies from the start of the game.
    ply: u32,
    /// Whether nothing was played in the line so far.
    is_bare: bool,
    /// Whether it is lost: what is in it has no position.
    is_lost: bool,
    /// How many comments and marks there were when it was opened.
    said: (usize, usize),
}

impl Lines {
    fn play(&mut self, read: Option<tridex_rules::Move>) {
        let here = &mut self.here;
        let Some(played) = read.filter(|_| !here.is_lost) else {
            here.is_lost = true;
            return;
        };
        if here.is_bare {
            here.is_bare = false;
            here.variation = u32::try_from(self.variations.len()).ok();
            self.variations.push(Variation {
                parent: self.outer.last().and_then(|outer| outer.variation),
                ply: here.ply,
                moves: Vec::new(),
            });
        }
        here.ply += 1;
        let own = here
            .variation
            .and_then(|i| self.variations.get_mut(i as usize));
        if let Some(own) = own {
            own.moves.push(played);
        }
    }

    /// A variation replaces the move before it.
    fn open(&mut self) {
        let from = self.here;
        self.outer.push(from);
        self.here = Line {
            variation: None,
            ply: from.ply.saturating_sub(1),
            is_bare: true,
            // A variation that nothing was played in has no move to be replaced.
            is_lost: from.is_lost || from.is_bare || from.ply == 0,
            said: (self.comments.len(), self.marks.len()),
        };
    }

    fn close(&mut self) {
        let Some(outer) = self.outer.pop() else {
            return;
        };
        if self.here.is_bare {
            // There is no such variation: what was said in it is said where it would have left.
            let place = comment_place(outer.variation, outer.ply);
            let (comments, marks) = self.here.said;
            let comments = self.comments.iter_mut().skip(comments);
            comments.for_each(|comment| comment.0 = place);
            let marks = self.marks.iter_mut().skip(marks);
            marks.for_each(|mark| mark.0 = place);
        }
        self.here = outer;
    }

    fn comment(&mut self, text: &str) {
        self.comments.push((self.place(), text.to_owned()));
    }

    fn mark(&mut self, mark: Mark) {
        self.marks.push((self.place(), mark));
    }

    /// What is said now is said of this place.
    fn place(&self) -> u32 {
        let line = if self.here.is_bare {
            // The variation that its first move will make.
            u32::try_from(self.variations.len()).ok()
        } else {
            self.here.variation
        };
        comment_place(line, self.here.ply)
    }
}
