//! A game of the index written down again, in any notation of its board.

use crate::index::STEERING;
use tridex_archive::record::{Game, Item};
use tridex_index::{IndexedGame, Mark, Variation, place_of_comment};
use tridex_notation::{Notation, WriteOptions, WrongFamily, position_string};
use tridex_rules::{Move, Position};

/// What is put where something was found: as a comment in the form of commands, so that programs that know nothing of it
/// pass over it.
const FOUND: &str = "[%found]";

/// The game as a record: tags, moves, variations, comments and marks. The place at which something was found is marked,
/// if it is given: the variation, and the ply.
pub(crate) fn of(
    indexed: &IndexedGame,
    notation: Notation,
    found: Option<(Option<u32>, u32)>,
) -> Result<Game, WrongFamily> {
    let entry = &indexed.entry;
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
    game.set_tag("Result", entry.result.name());
    game.set_tag("Variant", entry.rules.name());
    game.set_tag("Notation", notation.name());
    // What the index holds could be played when it was put there.
    let start = entry
        .start_position()
        .unwrap_or_else(|_| Position::start(entry.rules));
    if let Some(setup) = &entry.start {
        game.set_tag("SetUp", "1");
        game.set_tag("FEN", &position_string::to_string(setup));
    }
    let mut writer = Writer {
        indexed,
        notation,
        found,
        text: String::new(),
        open: Vec::new(),
    };
    writer.lines(start, &mut game)?;
    game.result = tridex_archive::result_word(entry.result.name().as_bytes());
    Ok(game)
}

struct Writer<'g> {
    indexed: &'g IndexedGame,
    notation: Notation,
    found: Option<(Option<u32>, u32)>,
    text: String,
    /// The lines that are being written, the innermost last.
    open: Vec<Line>,
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

impl Writer<'_> {
    /// Writes main line and variations, however deep they are nested, without recursion.
    fn lines(&mut self, start: Position, game: &mut Game) -> Result<(), WrongFamily> {
        self.said(None, 0, game);
        self.open.push(Line::new(None, 0, start));
        while let Some(line) = self.open.last_mut() {
            if let Some(branch) = line.branches.pop() {
                let from = Line::new(Some(branch), line.ply - 1, line.before.clone());
                game.push(Item::VariationStart);
                self.said(Some(branch), from.ply, game);
                self.open.push(from);
                continue;
            }
            let (variation, played) = (line.variation, line.played);
            let Some(next) = self.moves(variation).get(played).copied() else {
                if self.open.len() > 1 {
                    game.push(Item::VariationEnd);
                }
                self.open.pop();
                continue;
            };
            self.play(next, game)?;
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

    fn play(&mut self, next: Move, game: &mut Game) -> Result<(), WrongFamily> {
        let options = WriteOptions::default();
        let Some(line) = self.open.last_mut() else {
            return Ok(());
        };
        self.text.clear();
        tridex_notation::write(self.notation, &line.now, next, &options, &mut self.text)?;
        game.push(Item::Move {
            text: &self.text,
            at: 0,
        });
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
        self.said(variation, ply, game);
        Ok(())
    }

    /// What is said behind a ply of a line; what is said of lines the index did not keep stands in the main line.
    fn said(&self, variation: Option<u32>, ply: u32, game: &mut Game) {
        let entry = &self.indexed.entry;
        let is_here = |place: u32| {
            let (line, at) = place_of_comment(place);
            let line = line.filter(|line| (*line as usize) < entry.variations.len());
            at == ply && line == variation
        };
        for (_, mark) in entry.marks.iter().filter(|mark| is_here(mark.0)) {
            game.push(match mark {
                Mark::Judgement(number) => Item::Nag(*number),
                Mark::DrawOffer => Item::DrawOffer,
            });
        }
        if self.found == Some((variation, ply)) {
            game.push(Item::Comment(FOUND));
        }
        for (_, text) in entry.comments.iter().filter(|comment| is_here(comment.0)) {
            // A brace would end the comment.
            game.push(Item::Comment(&text.replace('}', ")")));
        }
    }
}
