//! A game of the index written down again, in any notation of its board.

use crate::game::notes::Annotation;
use crate::store::reader::IndexedGame;
use std::iter::Peekable;
use std::slice;
use tridex_archive::{Game, Item};
use tridex_notation::{Notation, WriteOptions, WrongFamily, position_string};
use tridex_rules::Position;

/// What is put where something was found: as a comment in the form of commands, so that programs that know nothing of it
/// pass over it.
const FOUND: &str = "[%found]";

/// Tags that say how a game is written, or what the index keeps anyhow. Without them a game is the same game in every
/// notation.
pub const STEERING: [&str; 6] = ["Variant", "Notation", "Locale", "SetUp", "FEN", "Result"];

impl IndexedGame {
    /// The game as a record: tags, moves, and everything else it holds. The places at which something was found, each a
    /// variation and a ply, get the comment `[%found]`: see [`Hit::places`](crate::Hit::places).
    ///
    /// ```
    /// # use tridex_index::{GameEntry, GameIndex, IndexOptions, Writer, read_moves};
    /// # use tridex_rules::RuleSystem;
    /// # let folder = tempfile::tempdir()?;
    /// # let mut writer = Writer::open(folder.path(), IndexOptions::default())?;
    /// # writer.begin_source("games.pgn")?;
    /// # let mut game = GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "b4N b5B c3W a6N")?);
    /// # game.tags.push(("White".into(), "Kirk, James".into()));
    /// # writer.add_all(&[game])?;
    /// # writer.end_source(None);
    /// # writer.finish()?;
    /// let index = GameIndex::open(folder.path())?;
    /// let game = index.game(tridex_index::find_game(&index, "games.pgn:1")?)?;
    /// let record = game.record(tridex_notation::Notation::Manual, None)?;
    /// let first = record.main_line().next().map(|(token, _at)| token.into_owned());
    /// assert_eq!(first.as_deref(), Some("c3,WB-c5,NB"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the notation is that of another board.
    pub fn record(
        &self,
        notation: Notation,
        found: impl IntoIterator<Item = (Option<u32>, u32)>,
    ) -> Result<Game<'static>, WrongFamily> {
        let entry = &self.entry;
        let mut game = Game::new();
        let is_steering = |name: &str| {
            let mut known = STEERING.iter();
            known.any(|known| known.eq_ignore_ascii_case(name))
        };
        for (name, value) in &entry.tags {
            if !is_steering(name) {
                game.push_tag(name, value);
            }
        }
        game.set_tag("Result", entry.result.as_str());
        game.set_tag("Variant", entry.rules.name());
        game.set_tag("Notation", notation.name());
        if let Some(setup) = &entry.start {
            game.set_tag("SetUp", "1");
            game.set_tag("FEN", &position_string::to_string(setup));
        }
        game.result = Some(entry.result);
        // What the index holds could be played when it was put there.
        let start = entry.start_position();
        let start = start.unwrap_or_else(|_| Position::start(entry.rules));
        let writer = Writer {
            indexed: self,
            notation,
            notes: entry.notes.iter().peekable(),
            found: found.into_iter().collect(),
            game,
            text: String::new(),
            open: Vec::new(),
            next: 0,
        };
        writer.lines(start)
    }
}

struct Writer<'g> {
    indexed: &'g IndexedGame,
    notation: Notation,
    notes: Peekable<slice::Iter<'g, Annotation>>,
    /// The places at which something was found.
    found: Vec<(Option<u32>, u32)>,
    game: Game<'static>,
    text: String,
    /// The lines that are being written, the innermost last.
    open: Vec<Line>,
    /// The variation that the next line with moves is.
    next: u32,
}

/// A line that is being written.
#[derive(Default)]
struct Line {
    /// Its place among the variations; none for the main line, and for a variation before its first move.
    variation: Option<u32>,
    /// Plies from the start of the game.
    ply: u32,
    /// How many of its moves are written.
    played: usize,
    /// The positions before and after its last move. Most lines of a record that is nested without end have no moves.
    at: Option<Box<[Position; 2]>>,
}

impl Writer<'_> {
    /// Writes all lines, however deep they are nested, without recursion.
    fn lines(mut self, start: Position) -> Result<Game<'static>, WrongFamily> {
        self.open.push(Line {
            at: Some(Box::new([start.clone(), start])),
            ..Line::default()
        });
        self.marks();
        self.place(None, 0);
        while let Some(note) = self.notes.next() {
            match note {
                Annotation::Moves(count) => {
                    for left in (0..*count).rev() {
                        if !self.play(left == 0)? {
                            break;
                        }
                    }
                }
                Annotation::Item(Item::VariationStart) => {
                    let ply = self.open.last().map_or(0, |line| line.ply);
                    self.open.push(Line {
                        ply: ply.saturating_sub(1),
                        ..Line::default()
                    });
                    self.game.push(Item::VariationStart);
                }
                Annotation::Item(Item::VariationEnd) => self.close(),
                Annotation::Item(item) => self.game.push(item.as_deref()),
                Annotation::Signs(text) => self.game.push(Item::Word(text)),
            }
        }
        while self.open.len() > 1 {
            self.close();
        }
        while self.play(true)? {}
        Ok(self.game)
    }

    /// A place after a move and its marks, or at the beginning of the game: the line, and the plies from the start.
    fn place(&mut self, line: Option<u32>, ply: u32) {
        if self.found.contains(&(line, ply)) {
            self.game.push(Item::Comment(FOUND));
        }
    }

    fn close(&mut self) {
        if self.open.len() > 1 {
            self.open.pop();
            self.game.push(Item::VariationEnd);
        }
    }

    /// The judgement of a move in signs.
    fn marks(&mut self) {
        while let Some(Annotation::Item(item @ (Item::Nag(_) | Item::DrawOffer))) =
            self.notes.peek()
        {
            self.game.push(item.as_deref());
            self.notes.next();
        }
    }

    /// The variation that is open has its first move.
    fn begin_variation(&mut self) {
        if let [.., outer, line] = self.open.as_mut_slice()
            && line.variation.is_none()
        {
            line.variation = Some(self.next);
            let before = outer.at.as_ref().map(|at| &at[0]);
            line.at = before.map(|before| Box::new([before.clone(), before.clone()]));
            self.next += 1;
        }
    }

    /// Writes the next move of the line and reports its place, with the signs and marks that follow if it is the last before
    /// a note; false if there is none.
    fn play(&mut self, is_last: bool) -> Result<bool, WrongFamily> {
        self.begin_variation();
        let entry = &self.indexed.entry;
        let Some(line) = self.open.last_mut() else {
            return Ok(false);
        };
        let moves = match line.variation {
            None => Some(&entry.moves),
            Some(i) => entry.variations.get(i as usize).map(|line| &line.moves),
        };
        let next = moves.and_then(|moves| moves.get(line.played));
        let (Some(next), Some(at)) = (next, &mut line.at) else {
            return Ok(false);
        };
        let [before, now] = &mut **at;
        let options = WriteOptions::default();
        self.text.clear();
        tridex_notation::write(self.notation, now, *next, &options, &mut self.text)?;
        before.clone_from(now);
        now.play_unchecked(*next);
        line.ply += 1;
        line.played += 1;
        let (variation, ply) = (line.variation, line.ply);
        if is_last && let Some(Annotation::Signs(signs)) = self.notes.peek() {
            self.text.push_str(signs);
            self.notes.next();
        }
        self.game.push(Item::Move(&self.text));
        if is_last {
            self.marks();
        }
        self.place(variation, ply);
        Ok(true)
    }
}
