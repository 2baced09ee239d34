//! Converts games of the index to records, in any notation of their board.

use crate::model::annotation::Annotation;
use crate::model::indexed_game::IndexedGame;
use std::iter::Peekable;
use std::slice;
use tridex_archive::{Game, Item};
use tridex_notation::{Notation, WriteOptions, WrongFamily, position_string};
use tridex_rules::Position;

/// The mark for the places that a search found. It is a comment in the form of a command, so that programs that do not
/// know it ignore it.
const FOUND: &str = "[%found]";

/// Tags that concern how a game is written, and tags whose content the index stores elsewhere. Without them a game has
/// the same tags in every notation.
pub const NOTATION_TAGS: [&str; 6] = ["Variant", "Notation", "Locale", "SetUp", "FEN", "Result"];

impl IndexedGame {
    /// Converts the game to a record with tags, moves, and everything else the index stores. Each place in `found`, a
    /// variation and a ply, gets the comment `[%found]`: see [`Hit::plies`](crate::Hit::plies).
    ///
    /// ```
    /// # use tridex_index::GameIndex;
    /// # let folder = tempfile::tempdir()?;
    /// # tridex_index::example::write(folder.path())?;
    /// let index = GameIndex::open(folder.path())?;
    /// let game = index.game(tridex_index::find_game(&index, "games.pgn:1")?)?;
    /// let record = game.record(tridex_notation::Notation::Manual, None)?;
    /// let first = record.main_line().next().map(|(token, _at)| token.into_owned());
    /// assert_eq!(first.as_deref(), Some("c3,WB-c5,NB"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the notation belongs to another board.
    pub fn record(
        &self,
        notation: Notation,
        found: impl IntoIterator<Item = (Option<u32>, u32)>,
    ) -> Result<Game<'static>, WrongFamily> {
        let entry = &self.entry;
        let game = self.heading(notation);
        // The start was valid when the game was added.
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

    /// The record of the game without its moves and notes.
    #[must_use]
    pub fn heading(&self, notation: Notation) -> Game<'static> {
        let entry = &self.entry;
        let mut game = Game::new();
        let is_notation_tag = |name: &str| {
            let mut known = NOTATION_TAGS.iter();
            known.any(|known| known.eq_ignore_ascii_case(name))
        };
        for (name, value) in &entry.tags {
            if !is_notation_tag(name) {
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
        game
    }
}

struct Writer<'g> {
    indexed: &'g IndexedGame,
    notation: Notation,
    notes: Peekable<slice::Iter<'g, Annotation>>,
    /// The places to mark.
    found: Vec<(Option<u32>, u32)>,
    game: Game<'static>,
    text: String,
    /// The lines being written, the innermost last.
    open: Vec<Line>,
    /// The number of the next variation that has moves.
    next: u32,
}

/// A line being written.
#[derive(Default)]
struct Line {
    /// Its index among the variations; `None` for the main line, and for a variation before its first move.
    variation: Option<u32>,
    /// Plies from the start of the game.
    ply: u32,
    /// The number of its moves that are written.
    played: usize,
    /// The positions before and after its last move. Boxed, because in a deeply nested record most lines have no moves.
    at: Option<Box<[Position; 2]>>,
}

impl Writer<'_> {
    /// Writes all lines, without recursion, since they may be nested to any depth.
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

    /// Marks a place if it was found. Called after a move and its marks, and at the beginning of the game.
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

    /// Writes the NAGs and draw offers that follow a move.
    fn marks(&mut self) {
        while let Some(Annotation::Item(item @ (Item::Nag(_) | Item::DrawOffer))) =
            self.notes.peek()
        {
            self.game.push(item.as_deref());
            self.notes.next();
        }
    }

    /// Called before each move of a line: if it is the first of a variation, sets the variation's number and positions.
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

    /// Writes the next move of the line and marks its place if it was found. If it is the last before a note, its signs
    /// and marks are written too. Returns false if there is no move.
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
