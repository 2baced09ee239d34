//! The reader of PGN and of bare movetext.
//!
//! A game begins with a tag after movetext, with a second `Event` tag, with a second block of tags after an empty line,
//! with a move or a number after a result, or with the number `1.` after an empty line and moves. (Some files have an
//! empty line after every tag: a single tag and an empty line are a block only if the next tag is `Event`, has the name
//! of the game's first tag, or is followed by another tag without an empty line.) A comment after a result and an empty
//! line belongs to the next game, and so do words; among the moves a title (`Game 2`, `White: Anna`) after an empty
//! line begins the next game. `[Name "` outside of a comment begins a tag everywhere.
//!
//! Three rules hold for every text, however it is split: the events of a game depend only on its own bytes, and on
//! whether text follows; the bytes after the limit of a game do not affect the events before it; and a skipped game
//! ends where it ends if it is read.

mod between;
#[cfg(test)]
mod grammar;
mod headings;
mod moves;
mod numbers;
mod remarks;
mod run;
pub(crate) mod semicolons;
#[cfg(test)]
pub(crate) mod tests;
mod tokens;

use std::ops::Range;

use crate::interner::Interner;
use crate::lex::{self, CLASS, Class, CloseBraces};
use crate::visit::{Damage, Flow, GameResult, Limits, TagLimiter, Visitor};

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
    let mark = match bytes.strip_prefix(BYTE_ORDER_MARK) {
        Some(_) if base == 0 => BYTE_ORDER_MARK.len(),
        _ => 0,
    };
    let text = bytes.get(mark..).unwrap_or_default();
    let mut words = Interner::default();
    read_part(text, base + mark as u64, limits, None, &mut words, visitor);
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
    let mut engine = Engine::new(bytes, base, limits);
    engine.cut = cut;
    std::mem::swap(&mut engine.words, words);
    let mut games = 0;
    loop {
        let stop = engine.run(visitor);
        games += u32::from(engine.game.begun);
        if stop == Stop::End {
            std::mem::swap(&mut engine.words, words);
            return games;
        }
        engine.begin(engine.pos);
    }
}

/// Whether a text contains a game.
pub(crate) fn holds_game(bytes: &[u8], limits: &Limits) -> bool {
    let mut engine = Engine::new(bytes, 0, limits);
    while engine.skip() == Stop::Boundary && !engine.game.begun {
        engine.begin(engine.pos);
    }
    engine.game.begun
}

/// A visitor that ignores all events.
pub(crate) struct Ignore;

impl Visitor for Ignore {}

/// Why [`Engine::run`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The next game begins at `pos`.
    Boundary,
    /// The text is over.
    End,
}

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

/// The value of [`Game::mute`] if no event is omitted.
const NOTHING_MUTED: usize = usize::MAX;

/// Some editors write it before a text.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Bytes beyond the limit of a game for blanks after it and for reading ahead.
const SLACK: usize = 64 << 10;

/// The maximum of bytes that reading a game may examine.
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
    /// Name of the first tag.
    first_tag: Range<usize>,
    /// Tags since the game's beginning or the last empty line.
    block: usize,
    /// A tag in brackets was read.
    has_tags: bool,
    /// The result of the tags.
    tagged: Option<GameResult>,
    /// Headings: start and end of the lines before the moves.
    headings: Vec<(usize, usize)>,
    /// The end of the last words read as text, or of the last comment to the end of a line.
    words_to: usize,
    /// The result stated by words, if nothing else states one.
    implied: Option<(GameResult, usize)>,
    has_moves: bool,
    moves_open: bool,
    /// Numbers are written `12)`.
    parenthesis_numbers: bool,
    /// A number before the first move.
    held: Option<(usize, usize)>,
    pending: Option<(GameResult, usize)>,
    depth: usize,
    /// Events at this level of variations and deeper are omitted.
    mute: usize,
    /// The starts of the open variations, the outermost first.
    open: Vec<u64>,
    /// `end_game` was called, or there was no game.
    over: bool,
    /// The rest of the game was dropped up to a tag line. A text cut here gives the same events up to the loss.
    pub(crate) lost: Option<usize>,
}

impl Game {
    /// The result that has not been reported yet: from an unclosed variation, or from words.
    fn stated(&self) -> Option<(GameResult, usize)> {
        let implied = self.implied.filter(|_| self.phase == Phase::Moves);
        self.pending.or(implied)
    }
}

/// Reads one game after another from a text.
pub(crate) struct Engine<'b> {
    text: &'b [u8],
    /// The part of `text` that the current game may examine. No word or comment extends beyond it.
    bytes: &'b [u8],
    base: u64,
    max_game: usize,
    max_comment: usize,
    max_depth: usize,
    /// The maximum of bytes that reading a game may examine.
    reach: usize,
    /// Reads one cell or string within a game: without tags, escape lines and other games.
    is_cell: bool,
    braces: CloseBraces,
    words: Interner,
    pub(crate) pos: usize,
    /// The damage at the end of the text.
    cut: Option<Damage>,
    tags: TagLimiter,
    pub(crate) game: Game,
    /// No run of moves is read at once.
    #[cfg(test)]
    piecewise: bool,
}

impl<'b> Engine<'b> {
    pub(crate) fn new(bytes: &'b [u8], base: u64, limits: &Limits) -> Self {
        let mut engine = Self {
            text: bytes,
            bytes,
            base,
            max_game: limits.max_game,
            max_comment: limits.max_comment,
            max_depth: limits.max_depth,
            reach: reach(limits),
            is_cell: false,
            braces: CloseBraces::default(),
            words: Interner::default(),
            pos: 0,
            cut: None,
            tags: TagLimiter::new(limits),
            game: Game::default(),
            #[cfg(test)]
            piecewise: false,
        };
        engine.begin(0);
        engine
    }

    /// An engine within a game, for the text of one cell or string. `state` is the state after the previous one.
    pub(crate) fn fragment(bytes: &'b [u8], base: u64, limits: &Limits, state: Fragment) -> Self {
        let mut engine = Self::new(bytes, base, limits);
        engine.bytes = bytes;
        engine.is_cell = true;
        engine.game.begun = true;
        engine.game.moves_open = true;
        engine.game.has_moves = state.has_moves;
        engine.game.phase = if state.has_moves {
            Phase::Moves
        } else {
            Phase::Tags
        };
        engine.game.mute = if state.skipped { 0 } else { NOTHING_MUTED };
        engine
    }

    /// Begins a game at `at`.
    pub(crate) fn begin(&mut self, at: usize) {
        self.pos = at;
        let reach = at.saturating_add(self.reach);
        self.bytes = self.text.get(..reach).unwrap_or(self.text);
        self.tags.begin();
        self.game = Game {
            start: at,
            limit: at.saturating_add(self.max_game),
            words_to: at,
            mute: NOTHING_MUTED,
            ..Game::default()
        };
    }

    /// Whether the text has all bytes that the current game may examine, so that more text would not change it.
    pub(crate) fn has_its_reach(&self) -> bool {
        self.text.len() >= self.game.start.saturating_add(self.reach)
    }

    /// Whether the current game has moves, or is over, so that a tag begins the next one.
    pub(crate) fn is_among_moves(&self) -> bool {
        !matches!(self.game.phase, Phase::Between | Phase::Tags)
    }

    fn at(&self, pos: usize) -> u64 {
        self.base + pos as u64
    }

    fn slice(&self, from: usize, to: usize) -> &'b [u8] {
        self.bytes.get(from..to).unwrap_or_default()
    }

    fn live(&self) -> bool {
        self.game.depth < self.game.mute
    }

    fn damage<V: Visitor + ?Sized>(&self, v: &mut V, damage: Damage, from: usize, to: usize) {
        v.damage(damage, self.at(from), to.saturating_sub(from));
    }

    /// Reads a fragment to its end.
    pub(crate) fn run_fragment<V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
    ) -> (Fragment, Option<(GameResult, u64)>) {
        self.run(v);
        self.conclude(v, self.bytes.len());
        let state = Fragment {
            has_moves: self.game.has_moves,
            skipped: self.game.mute == 0,
        };
        let result = self.game.stated();
        let result = result.map(|(result, at)| (result, self.at(at)));
        (state, result)
    }

    /// Reads to the end of the game without reporting it.
    pub(crate) fn skip(&mut self) -> Stop {
        // One compiled reader for all that only count or cut.
        self.run::<dyn Visitor>(&mut Ignore)
    }

    /// Reads to the end of the game.
    pub(crate) fn run<V: Visitor + ?Sized>(&mut self, v: &mut V) -> Stop {
        loop {
            #[cfg(test)]
            let in_runs = !self.piecewise;
            #[cfg(not(test))]
            let in_runs = true;
            if in_runs && self.game.phase == Phase::Moves {
                self.run_of_moves(v);
            }
            let Some(&byte) = self.bytes.get(self.pos) else {
                if !self.is_cell {
                    if self.bytes.len() < self.text.len() {
                        return self.too_long(v);
                    }
                    self.finish(v, self.pos, true);
                }
                return Stop::End;
            };
            let class = CLASS[byte as usize];
            if self.pos >= self.game.limit && !self.is_cell && self.is_too_much(class) {
                return self.too_long(v);
            }
            let stop = match class {
                Class::Blank => {
                    self.pos += 1;
                    None
                }
                Class::Digit => match self.text_line(v) {
                    Some(stop) => stop,
                    None => self.number(v),
                },
                Class::Word => self.word(v),
                _ => self.rare(v, class),
            };
            if let Some(stop) = stop {
                if stop == Stop::Boundary {
                    self.finish(v, self.pos, false);
                }
                return stop;
            }
        }
    }

    #[inline(never)]
    fn rare<V: Visitor + ?Sized>(&mut self, v: &mut V, class: Class) -> Option<Stop> {
        if matches!(class, Class::Mark | Class::Star | Class::Quote)
            && let Some(stop) = self.text_line(v)
        {
            return stop;
        }
        match class {
            Class::Mark | Class::Star | Class::Dot | Class::High => self.sign(v),
            Class::OpenVariation => self.open_parenthesis(v),
            Class::CloseVariation => {
                self.close_parenthesis(v);
                None
            }
            Class::OpenComment => self.comment(v),
            Class::LineComment => self.line_comment(v),
            Class::Escape => {
                self.escape(v);
                None
            }
            Class::OpenTag => self.tag(v),
            Class::Dollar => {
                self.dollar(v);
                None
            }
            Class::Quote => {
                self.quote(v);
                None
            }
            Class::CloseComment => {
                self.damage(v, Damage::StrayBrace, self.pos, self.pos + 1);
                self.pos += 1;
                None
            }
            Class::CloseTag => {
                self.damage(v, Damage::StrayBracket, self.pos, self.pos + 1);
                self.pos += 1;
                None
            }
            Class::Blank | Class::Digit | Class::Word => None,
        }
    }

    /// Whether the byte at `pos`, beyond the limit, makes the game too long. Some blanks are allowed, and a tag begins
    /// the next game.
    #[cold]
    fn is_too_much(&self, class: Class) -> bool {
        match class {
            Class::Blank => self.pos >= self.game.limit.saturating_add(SLACK),
            Class::OpenTag => {
                !self.is_among_moves() || lex::tag_shape(self.bytes, self.pos).is_none()
            }
            _ => true,
        }
    }

    /// Ends a game that exceeds the limit. If it was over, or there was none, nothing is lost.
    #[cold]
    fn too_long<V: Visitor + ?Sized>(&mut self, v: &mut V) -> Stop {
        if self.game.depth == 0 && matches!(self.game.phase, Phase::Between | Phase::AfterResult) {
            self.finish(v, self.pos, false);
            return Stop::Boundary;
        }
        self.damage(v, Damage::TooLong, self.pos, self.pos + 1);
        self.lose(v, self.pos)
    }

    /// Drops everything from `from` to the next tag line, and ends the game there.
    #[cold]
    fn lose<V: Visitor + ?Sized>(&mut self, v: &mut V, from: usize) -> Stop {
        // One character shows that there is more; a part of one would be another character.
        let more = lex::char_len(self.text, from);
        self.game.lost = Some((from + more).min(self.text.len()));
        // From here on the whole text is examined.
        self.bytes = self.text;
        let end = self.text.len();
        match lex::tag_line(self.text, from, end, false) {
            Some(line) => {
                self.pos = line;
                self.finish(v, line, false);
                Stop::Boundary
            }
            None => {
                self.pos = end;
                self.finish(v, end, true);
                Stop::End
            }
        }
    }

    /// Closes the open variations; a result within one becomes the result of the game.
    fn conclude<V: Visitor + ?Sized>(&mut self, v: &mut V, at: usize) {
        if let Some(&open) = self.game.open.first().filter(|_| self.game.has_moves) {
            v.damage(Damage::UnclosedVariation, open, 1);
        }
        while self.game.depth > 0 {
            self.leave_variation(v, at);
        }
        if self.game.phase == Phase::Pending {
            self.game.phase = Phase::AfterResult;
        }
    }

    fn finish<V: Visitor + ?Sized>(&mut self, v: &mut V, at: usize, end: bool) {
        if self.game.over {
            return;
        }
        self.game.over = true;
        self.conclude(v, at);
        if !self.game.begun {
            self.drop_headings(v);
            return;
        }
        self.open_moves(v, at);
        let cut = self.cut.filter(|_| end);
        if let Some((result, from)) = self.game.stated() {
            v.result(result, self.at(from));
        } else if cut.is_none() {
            self.truncated(v, at);
        }
        if let Some(cut) = cut {
            v.damage(cut, self.at(at), 0);
        }
        v.end_game(self.at(at));
    }
}

/// Reads the text of one cell or string within a game. `state` is the state after the previous one; the state after
/// this one is returned, with the result that it states. `words` are the known words.
pub(crate) fn read_fragment<V: Visitor + ?Sized>(
    bytes: &[u8],
    base: u64,
    limits: &Limits,
    state: Fragment,
    words: &mut Interner,
    v: &mut V,
) -> (Fragment, Option<(GameResult, u64)>) {
    let Some(id) = run::lone_move(words, bytes) else {
        let mut engine = Engine::fragment(bytes, base, limits, state);
        std::mem::swap(&mut engine.words, words);
        let found = engine.run_fragment(v);
        std::mem::swap(&mut engine.words, words);
        return found;
    };
    let skipped = state.skipped || v.known_move(bytes, base, id) == Flow::Skip;
    let after = Fragment {
        has_moves: true,
        skipped,
    };
    (after, None)
}

/// The state between the fragments of a game.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Fragment {
    pub(crate) has_moves: bool,
    pub(crate) skipped: bool,
}
