//! A game of the index written down again, in any notation of its board.

use crate::game::entry::{Mark, Variation, place_of_comment};
use crate::store::reader::IndexedGame;
use tridex_archive::record::{Game, Item};
use tridex_notation::{Notation, WriteOptions, WrongFamily, position_string};
use tridex_rules::{Move, Position};

/// What is put where something was found: as a comment in the form of commands, so that programs that know nothing of it
/// pass over it.
const FOUND: &str = "[%found]";

/// Tags that say how a game is written, or what the index keeps anyhow. Without them a game is the same game in every
/// notation.
pub const STEERING: [&str; 6] = ["Variant", "Notation", "Locale", "SetUp", "FEN", "Result"];

/// What [`IndexedGame::walk`] meets on its way through a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Met<'a> {
    /// What a record holds there.
    Item(Item<'a>),
    /// The place behind a move, or at the beginning of the game: the line, and the plies from the start. What is said
    /// there follows, and a move comes just before it.
    Place(Option<u32>, u32),
}

impl IndexedGame {
    /// The game as a record: tags, moves, variations, comments and marks. The place at which something was found gets
    /// the comment `[%found]`, if it is given: the variation, and the ply.
    ///
    /// # Errors
    /// If the notation is that of another board.
    pub fn record(
        &self,
        notation: Notation,
        found: Option<(Option<u32>, u32)>,
    ) -> Result<Game, WrongFamily> {
        let entry = &self.entry;
        let mut game = Game::new();
        let tags = entry.tags.iter();
        game.tags = tags
            .filter(|(name, _)| {
                !STEERING
                    .iter()
                    .any(|known| known.eq_ignore_ascii_case(name))
            })
            .cloned()
            .collect();
        game.set_tag("Result", entry.result.as_str());
        game.set_tag("Variant", entry.rules.name());
        game.set_tag("Notation", notation.name());
        if let Some(setup) = &entry.start {
            game.set_tag("SetUp", "1");
            game.set_tag("FEN", &position_string::to_string(setup));
        }
        self.walk(notation, |met| match met {
            // A brace would end the comment.
            Met::Item(Item::Comment(text)) => game.push(Item::Comment(&text.replace('}', ")"))),
            Met::Item(item) => game.push(item),
            Met::Place(line, ply) if found == Some((line, ply)) => game.push(Item::Comment(FOUND)),
            Met::Place(..) => {}
        })?;
        game.result = Some(entry.result);
        Ok(game)
    }

    /// Goes through moves, variations, comments and marks in the order of a record.
    ///
    /// # Errors
    /// If the notation is that of another board.
    pub fn walk(&self, notation: Notation, meet: impl FnMut(Met<'_>)) -> Result<(), WrongFamily> {
        // What the index holds could be played when it was put there.
        let start = self.entry.start_position();
        let start = start.unwrap_or_else(|_| Position::start(self.entry.rules));
        let mut writer = Writer {
            indexed: self,
            notation,
            text: String::new(),
            open: Vec::new(),
            meet,
        };
        writer.lines(start)
    }
}

struct Writer<'g, F> {
    indexed: &'g IndexedGame,
    notation: Notation,
    text: String,
    /// The lines that are being written, the innermost last.
    open: Vec<Line>,
    meet: F,
}

/// A line that is being written.
struct Line {
    /// Its place among the variations; none for the main line.
    variation: Option<u32>,
    /// Plies from the start of the game.
    ply: u32,
    /// How many of its moves are written.
    played: usize,
    now: Position,
    before: Position,
    /// Variations that replace the last move and are still to be written, the first of them last.
    branches: Vec<u32>,
}

impl Line {
    fn new(variation: Option<u32>, ply: u32, now: Position) -> Self {
        Self {
            variation,
            ply,
            played: 0,
            before: now.clone(),
            now,
            branches: Vec::new(),
        }
    }
}

impl<F: FnMut(Met<'_>)> Writer<'_, F> {
    /// Writes main line and variations, however deep they are nested, without recursion.
    fn lines(&mut self, start: Position) -> Result<(), WrongFamily> {
        self.said(None, 0);
        self.open.push(Line::new(None, 0, start));
        while let Some(line) = self.open.last_mut() {
            if let Some(branch) = line.branches.pop() {
                let from = Line::new(Some(branch), line.ply - 1, line.before.clone());
                (self.meet)(Met::Item(Item::VariationStart));
                self.said(Some(branch), from.ply);
                self.open.push(from);
                continue;
            }
            let (variation, played) = (line.variation, line.played);
            let Some(next) = self.moves(variation).get(played).copied() else {
                if self.open.len() > 1 {
                    (self.meet)(Met::Item(Item::VariationEnd));
                }
                self.open.pop();
                continue;
            };
            self.play(next)?;
        }
        Ok(())
    }

    fn moves(&self, variation: Option<u32>) -> &[Move] {
        let entry = &self.indexed.entry;
        match variation {
            None => &entry.moves,
            Some(i) => {
                let variation = entry.variations.get(i as usize);
                variation.map_or(&[], |variation| &variation.moves)
            }
        }
    }

    fn play(&mut self, next: Move) -> Result<(), WrongFamily> {
        let options = WriteOptions::default();
        let Some(line) = self.open.last_mut() else {
            return Ok(());
        };
        self.text.clear();
        tridex_notation::write(self.notation, &line.now, next, &options, &mut self.text)?;
        (self.meet)(Met::Item(Item::Move {
            text: &self.text,
            at: 0,
        }));
        line.before.clone_from(&line.now);
        line.now.play_unchecked(next);
        line.ply += 1;
        line.played += 1;
        let (variation, ply) = (line.variation, line.ply);
        let leaves = |(i, other): (u32, &Variation)| {
            (other.parent == variation && other.ply + 1 == ply && !other.moves.is_empty())
                .then_some(i)
        };
        let variations = &self.indexed.entry.variations;
        line.branches = (0..).zip(variations).filter_map(leaves).collect();
        line.branches.reverse();
        self.said(variation, ply);
        Ok(())
    }

    /// What is said behind a ply of a line; what is said of lines the index did not keep stands in the main line.
    fn said(&mut self, variation: Option<u32>, ply: u32) {
        let entry = &self.indexed.entry;
        let is_here = |place: u32| {
            let (line, at) = place_of_comment(place);
            let line = line.filter(|line| (*line as usize) < entry.variations.len());
            at == ply && line == variation
        };
        for (_, mark) in entry.marks.iter().filter(|mark| is_here(mark.0)) {
            (self.meet)(Met::Item(match mark {
                Mark::Judgement(number) => Item::Nag(*number),
                Mark::DrawOffer => Item::DrawOffer,
            }));
        }
        (self.meet)(Met::Place(variation, ply));
        for (_, text) in entry.comments.iter().filter(|comment| is_here(comment.0)) {
            (self.meet)(Met::Item(Item::Comment(text)));
        }
    }
}
