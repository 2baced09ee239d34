//! Builds a game step by step, from the items of its record.

use crate::model::annotation::Annotation;
use crate::model::entry::{GameEntry, Variation};
use crate::model::game_bytes::MAX_VARIATIONS;
use tridex_archive::{Item, Unread};
use tridex_rules::{Move, RuleSystem};
/// Collects the lines and notes of a game in the order of its record.
///
/// ```
/// use tridex_archive::{Item, Unread};
/// use tridex_index::{GameEntryBuilder, read_moves};
/// use tridex_rules::RuleSystem;
///
/// let main = read_moves(RuleSystem::Meder, "b4N b5B")?;
/// let other = read_moves(RuleSystem::Meder, "b4N a6N")?;
/// let mut builder = GameEntryBuilder::default();
/// builder.play("b4N!", Some(main[0]));
/// builder.play("b5B", Some(main[1]));
/// builder.note(Item::VariationStart);
/// builder.play("a6N", Some(other[1]));
/// builder.play("--", None);
/// builder.note(Item::VariationEnd);
/// let game = builder.finish(1, RuleSystem::Meder);
/// assert_eq!(game.moves, main);
/// assert_eq!(game.variations[0].moves, other[1..]);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct GameEntryBuilder {
    moves: Vec<Move>,
    variations: Vec<Variation>,
    notes: Vec<Annotation>,
    here: Line,
    /// The lines that enclose the current one, the main line first.
    outer: Vec<Line>,
    unread: Unread,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Line {
    /// Its index among the variations; `None` for the main line, and for a variation before its first move.
    variation: Option<u32>,
    /// Plies from the start of the game.
    ply: u32,
    /// Whether the rest of the line cannot be replayed, because a move is missing.
    is_lost: bool,
}

impl GameEntryBuilder {
    /// Adds the next token of the line, with the legal move it was read as. If `read` is `None`, or if the game already
    /// has [`MAX_VARIATIONS`] variations and this would be the first move of another, this token and the rest of the
    /// line become a comment at the end of the line: see [`Unread`].
    pub fn play(&mut self, token: &str, read: Option<Move>) {
        let is_main = self.outer.is_empty();
        let here = &mut self.here;
        let has_place =
            is_main || here.variation.is_some() || self.variations.len() < MAX_VARIATIONS;
        let Some(played) = read.filter(|_| has_place && !here.is_lost) else {
            here.is_lost = true;
            let item = self
                .unread
                .add(token)
                .map(|item| item.map(|text| (*text).to_owned()));
            return self.notes.extend(item.map(Annotation::Item));
        };
        if !is_main && here.variation.is_none() {
            here.variation = u32::try_from(self.variations.len()).ok();
            self.variations.push(Variation {
                parent: self.outer.last().and_then(|outer| outer.variation),
                ply: here.ply,
                moves: Vec::new(),
            });
        }
        here.ply += 1;
        match here.variation {
            None => self.moves.push(played),
            Some(line) => {
                if let Some(line) = self.variations.get_mut(line as usize) {
                    line.moves.push(played);
                }
            }
        }
        match self.notes.last_mut() {
            Some(Annotation::Moves(count)) => *count += 1,
            _ => self.notes.push(Annotation::Moves(1)),
        }
        let signs = token.trim_end_matches(['!', '?']).len();
        if let Some(signs) = token.get(signs..).filter(|signs| !signs.is_empty()) {
            self.notes.push(Annotation::Signs(signs.to_owned()));
        }
    }

    /// Adds another item of the record. A move is treated as a token that could not be read.
    pub fn note(&mut self, item: Item<String>) {
        match item {
            Item::Move(token) => return self.play(&token, None),
            Item::VariationStart => self.open(),
            Item::VariationEnd => return self.close(),
            // Unread tokens are written first, so that the comment still follows them.
            Item::Comment(_) | Item::LineComment(_) => self.tell_unread(),
            _ => {}
        }
        self.notes.push(Annotation::Item(item));
    }

    fn close(&mut self) {
        if let Some(outer) = self.outer.pop() {
            self.here = outer;
            self.tell_unread();
            self.notes.push(Annotation::Item(Item::VariationEnd));
        }
    }

    fn tell_unread(&mut self) {
        let comment = self.unread.take().map(Item::Comment);
        self.notes.extend(comment.map(Annotation::Item));
    }

    fn open(&mut self) {
        let from = self.here;
        self.tell_unread();
        // A variation that has no moves yet has no move to replace.
        let is_bare = from.variation.is_none() && !self.outer.is_empty();
        self.outer.push(from);
        self.here = Line {
            variation: None,
            ply: from.ply.saturating_sub(1),
            is_lost: from.is_lost || is_bare || from.ply == 0,
        };
    }

    /// Returns the game, without tags, starting at the start position of its rules.
    #[must_use]
    pub fn finish(mut self, number: u32, rules: RuleSystem) -> GameEntry {
        while !self.outer.is_empty() {
            self.close();
        }
        self.tell_unread();
        // Moves at the end of the main line need no note.
        if let Some(Annotation::Moves(_)) = self.notes.last() {
            self.notes.pop();
        }
        GameEntry {
            variations: self.variations,
            notes: self.notes,
            ..GameEntry::new(number, rules, self.moves)
        }
    }
}

/// Whether the notes of a game visit its lines in their order, and each variation to its end.
pub(crate) fn fit(game: &GameEntry) -> bool {
    let (mut here, mut outer) = (Line::default(), Vec::new());
    let mut next = 0;
    let variation = |line: u32| game.variations.get(line as usize);
    for note in &game.notes {
        match note {
            Annotation::Moves(count) => {
                if !outer.is_empty() && here.variation.is_none() {
                    let parent = outer.last().and_then(|outer: &Line| outer.variation);
                    match variation(next) {
                        Some(line) if (line.parent, line.ply) == (parent, here.ply) => {}
                        _ => return false,
                    }
                    here.variation = Some(next);
                    next += 1;
                }
                here.ply = here.ply.saturating_add(*count);
            }
            Annotation::Item(Item::VariationStart) => {
                let ply = here.ply.saturating_sub(1);
                outer.push(here);
                here = Line {
                    ply,
                    ..Line::default()
                };
            }
            Annotation::Item(Item::VariationEnd) => {
                let ends = |line: &Variation| line.ply as usize + line.moves.len();
                let end = here.variation.and_then(variation).map(ends);
                match outer.pop() {
                    Some(from) if end.is_none_or(|end| end == here.ply as usize) => here = from,
                    _ => return false,
                }
            }
            _ => {}
        }
    }
    outer.is_empty()
        && here.ply as usize <= game.moves.len()
        && next as usize == game.variations.len()
}
