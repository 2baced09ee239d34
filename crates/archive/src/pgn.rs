//! The reader of PGN and of bare movetext.
//!
//! A game begins with a tag after movetext, with a second `Event` tag, with tags after an empty line if one of them is
//! `Event` or has the name of a tag of the game, with a move or a number after a result, or with the number `1.` after
//! an empty line and moves. After a result and an empty line, comments and words belong to the next game. Among the
//! moves, a title (`Game 2`, `White: Anna`) after an empty line begins the next game. `[Name "` outside of a comment
//! begins a tag everywhere.
//!
//! Two rules hold for every text, however it is split. The events of a game depend only on its own bytes, and on
//! whether text follows. The bytes after the limit of a game do not affect the events before it.

pub(crate) mod headings;
mod items;
mod lines;
mod run;
pub(crate) mod semicolons;
#[cfg(test)]
pub(crate) mod tests;
mod word;

use std::ops::Range;

use crate::interner::{Interner, Known};
use crate::item::Item;
use crate::lex::{self, is_blank};
use crate::visit::{Damage, GameResult, Limits, Visitor};

/// Reads all games of a text, and reports them to `visitor`.
///
/// `base` is the offset of the text's first byte in its source, and is added to every offset. All bytes are valid
/// input. The time is linear in their number; the memory does not depend on it.
///
/// ```
/// use tridex_archive::{Limits, game, pgn};
///
/// let text = b"[White \"Anna\"]\n\n1. b4N b5B 1-0\n\n[White \"Bert\"]\n\n*\n";
/// let games = game::collect(|v| pgn::read_games(text, 0, &Limits::default(), v));
/// let white: Vec<_> = games.iter().filter_map(|game| game.tag("White")).collect();
/// assert_eq!(white, ["Anna", "Bert"]);
/// ```
pub fn read_games<V: Visitor + ?Sized>(bytes: &[u8], base: u64, limits: &Limits, visitor: &mut V) {
    // A byte order mark is not text and has no column.
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).filter(|_| base == 0);
    let text = text.unwrap_or(bytes);
    let base = base + (bytes.len() - text.len()) as u64;
    let words = &mut Interner::default();
    read_part(text, base, limits, None, words, visitor);
}

/// Reads a part of a text whose last game may have been `cut`. Returns the number of games.
pub(crate) fn read_part<V: Visitor + ?Sized>(
    bytes: &[u8],
    base: u64,
    limits: &Limits,
    cut: Option<Damage>,
    words: &mut Interner,
    visitor: &mut V,
) -> u32 {
    let mut engine = Engine::new(bytes, base, limits, words, visitor);
    engine.cut = cut;
    let mut games = 0;
    while engine.run() == Stop::Boundary {
        games += u32::from(engine.game.begun);
        engine.begin(engine.pos);
    }
    games + u32::from(engine.game.begun)
}

/// A visitor that ignores all events.
pub(crate) struct Ignore;

impl Visitor for Ignore {}

/// An engine that reports to [`Ignore`]. All code that only counts or cuts shares one compiled reader.
pub(crate) type Skipping<'a> = Engine<'a, dyn Visitor + 'a>;

/// Why [`Engine::run`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The next game begins at `pos`.
    Boundary,
    /// The text is over.
    End,
}

/// The outcome of reading an item: an error if the game ends before it or in it.
type Step = Result<(), Stop>;

/// Whether something was read. The errors are those of [`Step`].
type Attempt = Result<bool, Stop>;

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Phase {
    /// Before a game.
    #[default]
    Between,
    /// Tags, before the first move.
    Tags,
    Moves,
    /// After a result within a variation: without a `)` it is the result of the game.
    Pending,
    AfterResult,
}

/// The byte order mark, which some editors write before a text.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Bytes beyond the limit of a game for blanks after it and for reading ahead.
const SLACK: usize = 64 << 10;

/// The maximum number of bytes that are examined to read a game.
pub(crate) fn reach(limits: &Limits) -> usize {
    limits
        .max_game
        .saturating_add(limits.max_comment)
        .saturating_add(SLACK)
}

/// The state of the game that is being read.
#[derive(Default)]
pub(crate) struct Game {
    start: usize,
    /// The first byte beyond the limit of one game.
    limit: usize,
    phase: Phase,
    /// `begin_game` was called.
    pub(crate) begun: bool,
    has_event: bool,
    /// The name of the first tag; empty if there are no tags in brackets.
    first_tag: Range<usize>,
    /// The names of the tags.
    tag_names: Vec<Range<usize>>,
    /// The result of the tags.
    tagged: Option<GameResult>,
    /// Headings: start and end of the lines before the moves.
    headings: Vec<(usize, usize)>,
    /// The names of the tags that headings state.
    heading_tags: Vec<&'static str>,
    /// The end of the last words read as text, or of the last comment to the end of a line.
    words_to: usize,
    /// The result stated by words, if nothing else states one.
    implied: Option<(GameResult, usize)>,
    has_moves: bool,
    /// Numbers are written `12)`.
    parenthesis_numbers: bool,
    /// A number before the first move.
    held: Option<(usize, usize)>,
    /// Numbers directly before it, each one more than the number before: those above rows of moves.
    held_row: Vec<(usize, usize)>,
    /// The offset of the first move, or of its number.
    moves_from: usize,
    /// The highest number of a move of the main line, in half moves.
    highest: u32,
    /// The result was at the end of a row of columns, and moves follow it.
    has_early_result: bool,
    /// The result. Also one in a variation, if it may be that of the game.
    stated: Option<(GameResult, usize)>,
    depth: usize,
    /// The last item was the beginning of a variation.
    has_just_opened: bool,
    /// The start of the outermost open variation.
    outermost: usize,
    /// Set if the rest of the game was dropped up to a tag line: an offset after the loss. A text that is cut here
    /// gives the same events up to the loss.
    pub(crate) lost: Option<usize>,
}

impl Game {
    /// The result, also from an unclosed variation, or from words.
    fn result(&self) -> Option<(GameResult, usize)> {
        let implied = self.implied.filter(|_| self.phase == Phase::Moves);
        self.stated.or(implied)
    }
}

/// Reads one game after another from a text.
pub(crate) struct Engine<'a, V: Visitor + ?Sized> {
    v: &'a mut V,
    words: &'a mut Interner,
    text: &'a [u8],
    /// The part of `text` that the current game may examine. No word or comment extends beyond it.
    bytes: &'a [u8],
    base: u64,
    limits: &'a Limits,
    /// Reads one cell or string within a game: without tags, escape lines and other games.
    is_cell: bool,
    pub(crate) pos: usize,
    /// The damage at the end of the text.
    cut: Option<Damage>,
    pub(crate) game: Game,
    /// Turns off `run_of_moves`.
    #[cfg(test)]
    piecewise: bool,
}

impl<'a, V: Visitor + ?Sized> Engine<'a, V> {
    pub(crate) fn new(
        bytes: &'a [u8],
        base: u64,
        limits: &'a Limits,
        words: &'a mut Interner,
        v: &'a mut V,
    ) -> Self {
        let mut engine = Self {
            v,
            words,
            text: bytes,
            bytes,
            base,
            limits,
            is_cell: false,
            pos: 0,
            cut: None,
            game: Game::default(),
            #[cfg(test)]
            piecewise: false,
        };
        engine.begin(0);
        engine
    }

    /// Begins a game at `at`.
    pub(crate) fn begin(&mut self, at: usize) {
        self.pos = at;
        let reach = at.saturating_add(reach(self.limits));
        self.bytes = self.text.get(..reach).unwrap_or(self.text);
        let mut tag_names = std::mem::take(&mut self.game.tag_names);
        tag_names.clear();
        self.game = Game {
            start: at,
            limit: at.saturating_add(self.limits.max_game),
            words_to: at,
            tag_names,
            ..Game::default()
        };
    }

    /// Whether the text has all bytes that the current game may examine, so that more text would not change it.
    pub(crate) fn has_its_reach(&self) -> bool {
        self.text.len() >= self.game.start.saturating_add(reach(self.limits))
    }

    /// Whether the current game has moves, or is over, so that a tag begins the next one.
    pub(crate) fn is_among_moves(&self) -> bool {
        !matches!(self.game.phase, Phase::Between | Phase::Tags)
    }

    fn at(&self, pos: usize) -> u64 {
        self.base + pos as u64
    }

    fn slice(&self, from: usize, to: usize) -> &'a [u8] {
        self.bytes.get(from..to).unwrap_or_default()
    }

    /// Whether items are reported here: not in variations that are nested too deeply or precede the first move.
    fn live(&self) -> bool {
        let depth = self.game.depth;
        depth == 0 || self.game.has_moves && depth <= self.limits.max_depth
    }

    /// Reports an item at `from`, unless items are omitted here.
    fn tell(&mut self, from: usize, item: Item<&[u8]>) {
        let at = self.at(from);
        if self.live() {
            self.game.has_just_opened = item == Item::VariationStart;
            self.v.item(item, at);
        }
    }

    fn damage(&mut self, damage: Damage, from: usize, to: usize) {
        let at = self.at(from);
        self.v.damage(damage, at, to.saturating_sub(from));
    }

    /// Reports damage from `pos` to `end`, and skips it.
    fn skip_damage(&mut self, damage: Damage, end: usize) -> Step {
        self.damage(damage, self.pos, end);
        self.pos = end;
        Ok(())
    }

    /// Whether moves can be read without regard to their neighbours. If a tag states that both players lost, `0-0` may
    /// be the result.
    #[inline(always)]
    fn is_in_run(&self) -> bool {
        self.game.phase == Phase::Moves && self.game.tagged != Some(GameResult::BothLost)
    }

    /// Whether an empty line is directly before `at` in this game.
    fn after_empty_line(&self, at: usize) -> bool {
        lex::after_empty_line(self.bytes, self.game.start, at)
    }

    fn at_line_start(&self, at: usize) -> bool {
        lex::at_line_start(self.bytes, self.game.start, at, true)
    }

    /// Reads to the end of the game.
    pub(crate) fn run(&mut self) -> Stop {
        let stop = loop {
            if let Err(stop) = self.item() {
                break stop;
            }
        };
        if !self.is_cell {
            self.finish(stop == Stop::End);
        }
        stop
    }

    /// Reads a run of moves, if there is one, and the item after it.
    #[inline(always)]
    fn item(&mut self) -> Step {
        #[cfg(test)]
        let in_runs = !self.piecewise;
        #[cfg(not(test))]
        let in_runs = true;
        if in_runs && self.is_in_run() {
            self.run_of_moves();
        }
        let Some(&byte) = self.bytes.get(self.pos) else {
            return match self.bytes.len() < self.text.len() {
                true => self.too_long(),
                false => Err(Stop::End),
            };
        };
        if self.pos >= self.game.limit && self.is_too_much(byte) {
            return self.too_long();
        }
        match byte {
            b'(' => self.open_parenthesis(),
            b')' => self.close_parenthesis(),
            b'{' | b';' if self.begins_next_game(self.pos) => Err(Stop::Boundary),
            b'{' => self.comment(),
            b'}' => self.skip_damage(Damage::StrayBrace, self.pos + 1),
            b'[' => self.tag(),
            b']' => self.skip_damage(Damage::StrayBracket, self.pos + 1),
            b';' => self.line_comment(),
            b'%' => self.escape(),
            b'$' => self.dollar(),
            b'"' => self.quote(),
            _ if is_blank(byte) => {
                self.pos += 1;
                Ok(())
            }
            _ => self.word(),
        }
    }

    /// Whether a byte at `pos`, beyond the limit, makes the game too long. Some blanks are allowed, and a tag begins
    /// the next game.
    #[cold]
    fn is_too_much(&self, byte: u8) -> bool {
        match byte {
            b'[' => !self.is_among_moves() || lex::tag_shape(self.bytes, self.pos).is_none(),
            _ => !is_blank(byte) || self.pos >= self.game.limit.saturating_add(SLACK),
        }
    }

    /// Ends a game that exceeds the limit. If it was over, or there was none, nothing is lost.
    #[cold]
    fn too_long(&mut self) -> Step {
        if self.game.depth == 0 && matches!(self.game.phase, Phase::Between | Phase::AfterResult) {
            return Err(Stop::Boundary);
        }
        self.damage(Damage::TooLong, self.pos, self.pos + 1);
        self.lose(self.pos)
    }

    /// Drops everything from `from` to the next tag line, and ends the game there.
    #[cold]
    fn lose(&mut self, from: usize) -> Step {
        // One more character shows that the text continues. It must be whole, or it would be decoded as another
        // character.
        let more = lex::char_len(self.text, from);
        self.game.lost = Some((from + more).min(self.text.len()));
        // From here on the whole text is examined.
        self.bytes = self.text;
        let end = self.text.len();
        let line = lex::tag_line(self.text, from, end, false);
        self.pos = line.unwrap_or(end);
        Err(line.map_or(Stop::End, |_| Stop::Boundary))
    }

    /// Closes the open variations; a result within one becomes the result of the game.
    fn conclude(&mut self, at: usize) {
        if self.game.depth > 0 && self.game.has_moves {
            let open = self.game.outermost;
            self.damage(Damage::UnclosedVariation, open, open + 1);
        }
        while self.game.depth > 0 {
            self.tell(at, Item::VariationEnd);
            self.game.depth -= 1;
        }
        if self.game.phase == Phase::Pending {
            self.game.phase = Phase::AfterResult;
        }
    }

    /// Ends the game at `pos`, which may be the end of the text.
    fn finish(&mut self, is_end: bool) {
        let pos = self.pos;
        self.conclude(pos);
        if !self.game.begun {
            for (start, end) in std::mem::take(&mut self.game.headings) {
                self.damage(Damage::StrayWord, start, end);
            }
            return;
        }
        let (at, cut) = (self.at(pos), self.cut.filter(|_| is_end));
        if let Some((result, from)) = self.game.result() {
            let from = self.at(from);
            self.v.result(result, from);
        } else if cut.is_none() {
            self.truncated(pos);
        }
        if let Some(cut) = cut {
            self.v.damage(cut, at, 0);
        }
        self.v.end_game(at);
    }

    /// Begins the game, unless it has begun.
    fn open_game(&mut self, at: usize) {
        if !std::mem::replace(&mut self.game.begun, true) {
            let first = self.game.headings.first().map_or(at, |(start, _)| *start);
            let first = self.at(first);
            self.v.begin_game(first);
            self.report_headings(true);
        }
    }
}

/// Reads the text of one cell or string within a game, and returns the result that it states. `has_moves` is whether
/// the game has moves before this text, and is updated. `words` are the known words.
pub(crate) fn read_fragment<V: Visitor + ?Sized>(
    bytes: &[u8],
    base: u64,
    limits: &Limits,
    has_moves: &mut bool,
    words: &mut Interner,
    v: &mut V,
) -> Option<(GameResult, u64)> {
    // Nearly every cell is a single move.
    if let Known::Move(id) = run::known(words, bytes) {
        v.move_token(bytes, base, id);
        *has_moves = true;
        return None;
    }
    let mut engine = Engine::new(bytes, base, limits, words, v);
    (engine.bytes, engine.is_cell) = (bytes, true);
    let game = &mut engine.game;
    (game.limit, game.begun) = (usize::MAX, true);
    game.has_moves = *has_moves;
    game.phase = match has_moves {
        true => Phase::Moves,
        false => Phase::Tags,
    };
    engine.run();
    engine.conclude(bytes.len());
    *has_moves = engine.game.has_moves;
    let result = engine.game.result();
    result.map(|(result, at)| (result, engine.at(at)))
}
