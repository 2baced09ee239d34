//! The reader of PGN and of bare movetext.
//!
//! A game begins with a tag after movetext, with a second `Event` tag, with a second block of tags after an empty line,
//! with a move or a number after a result, or with the number `1.` after an empty line and moves. (Some files have an
//! empty line after every tag: a single tag and an empty line are a block only if the next tag is `Event`, has the name of
//! the game's first, or is followed by another tag without an empty line.) A comment that follows a result and an empty line belongs to the next game, and so do words; among the moves a
//! title of the next game (`Game 2`, `White: Anna`) begins it behind an empty line. A tag begins wherever `[Name "` stands
//! outside of a comment.
//!
//! Three decisions hold for every text, however it comes in pieces: what a game says hangs only on bytes from its own
//! first one on, and on none behind its end but whether the text goes on there; what lies behind a game's limit has no
//! say in what stands before it; and a game that is skipped ends where it would end if read.

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
use crate::visit::{Damage, Flow, GameResult, Limits, TagTeller, Visitor};

/// Reads all games of a text, and tells `visitor` what stands there.
///
/// `base` is the offset of the text's first byte in its source, and is added to every offset. Any
/// bytes are a text. The time is linear in their number, and the memory used does not depend
/// on it.
pub fn read_games<V: Visitor + ?Sized>(bytes: &[u8], base: u64, limits: &Limits, visitor: &mut V) {
    // A byte order mark is no text, and hides no column.
    let mark = match bytes.strip_prefix(BYTE_ORDER_MARK) {
        Some(_) if base == 0 => BYTE_ORDER_MARK.len(),
        _ => 0,
    };
    let text = bytes.get(mark..).unwrap_or_default();
    let mut words = Interner::default();
    read_part(text, base + mark as u64, limits, None, &mut words, visitor);
}

/// The same, where the last game may have been `cut`, and why. Returns how many games there are.
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

/// Whether a text holds a game.
pub(crate) fn holds_game(bytes: &[u8], limits: &Limits) -> bool {
    let mut engine = Engine::new(bytes, 0, limits);
    while engine.run(&mut Nothing) == Stop::Boundary && !engine.game.begun {
        engine.begin(engine.pos);
    }
    engine.game.begun
}

/// Hears nothing.
pub(crate) struct Nothing;

impl Visitor for Nothing {}

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
    /// Nothing of a game yet.
    #[default]
    Between,
    /// Tags, no move.
    Tags,
    Moves,
    /// After a result within a variation: if no `)` comes, it was the game's.
    Pending,
    AfterResult,
}

/// The value of [`Game::mute`] when no event is left out.
const NOTHING_MUTED: usize = usize::MAX;

/// What some editors put before a text.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Bytes that blanks after a game, and what is read ahead of it, may take beyond its own limit.
const SLACK: usize = 64 << 10;

/// Bytes from its first one on that a game may look at.
pub(crate) fn reach(limits: &Limits) -> usize {
    limits
        .max_game
        .saturating_add(limits.max_comment)
        .saturating_add(SLACK)
}

/// What is known of the game that is being read.
#[derive(Default)]
pub(crate) struct Game {
    start: usize,
    /// The first byte that is too much for one game.
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
    /// Lines before the moves that are about the game, from and to.
    heads: Vec<(usize, usize)>,
    /// Where the last words end that were read as such, or the last comment that ends with its line.
    words_to: usize,
    /// The result that words state, if nothing else does.
    implied: Option<(GameResult, usize)>,
    has_moves: bool,
    moves_open: bool,
    /// Numbers are written `12)`.
    parenthesis_numbers: bool,
    /// A number before the first move.
    held: Option<(usize, usize)>,
    pending: Option<(GameResult, usize)>,
    depth: usize,
    /// Events at this level of variations and above are left out.
    mute: usize,
    /// Where the variations that are open were opened, the outermost first.
    open: Vec<u64>,
    /// `end_game` was called, or there was no game.
    over: bool,
    /// The rest of the game was dropped up to a tag line. A text cut here reads the same up to the loss.
    pub(crate) lost: Option<usize>,
}

impl Game {
    /// The result that has not been told: of a variation that turned out to be none, or of words.
    fn stated(&self) -> Option<(GameResult, usize)> {
        let implied = self.implied.filter(|_| self.phase == Phase::Moves);
        self.pending.or(implied)
    }
}

/// One game after another, from a text that is there as a whole, or up to its end.
pub(crate) struct Engine<'b> {
    text: &'b [u8],
    /// `text` as far as the current game may look. No piece of text, be it a word without end,
    /// reaches beyond it.
    bytes: &'b [u8],
    base: u64,
    max_game: usize,
    max_comment: usize,
    max_depth: usize,
    /// Bytes from its first one on that a game may look at.
    reach: usize,
    /// Reads one cell or string within a game: no tags, no escape lines, no further games.
    is_cell: bool,
    braces: CloseBraces,
    words: Interner,
    pub(crate) pos: usize,
    /// What is wrong with the end of the text.
    cut: Option<Damage>,
    tags: TagTeller,
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
            tags: TagTeller::new(limits),
            game: Game::default(),
            #[cfg(test)]
            piecewise: false,
        };
        engine.begin(0);
        engine
    }

    /// An engine within a game, for the text of one cell or string. `state` is what the one before
    /// it left.
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

    /// Whether the whole of what the current game may look at is there, so that more text would change nothing.
    pub(crate) fn has_its_reach(&self) -> bool {
        self.text.len() >= self.game.start.saturating_add(self.reach)
    }

    /// Whether the current game has moves, or is over: a tag begins the next one.
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

    /// Reads on to the end of the game.
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

    /// Whether what stands at `pos`, beyond the limit, is too much for the game. Blanks may go on
    /// for a while, and a tag begins the next game.
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

    /// Ends a game that is longer than games are. If it was over, or none, nothing is lost.
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
        // One character shows that there is more; half of one would be taken for another.
        let more = lex::char_len(self.text, from);
        self.game.lost = Some((from + more).min(self.text.len()));
        // From here on the whole text is looked at.
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

    /// Closes the variations that are open, and takes a result that stood in one for the game's.
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
            self.drop_heads(v);
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

/// Reads the text of one cell or string within a game. `state` is what the one before it left; returned are what this one
/// leaves, and the result it states. `words` are those that are known.
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

/// What one fragment of a game leaves to the next.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Fragment {
    pub(crate) has_moves: bool,
    pub(crate) skipped: bool,
}
