//! The packed lines of a game: start, main line and variations in one sequence of bytes.
//!
//! Format: a byte with the number of the rules (3 bits), whether the game has a start of its own (1 bit) and whether it
//! has variations (1 bit); the number of plies of the main line; then the lines. The lines are: if the game has a start
//! of its own, the length and text of its position string; the packed main line; if the game has variations, their
//! number, and for each its parent (0 for the main line, else the parent's index among the variations plus one), the
//! ply after which it leaves the parent, the number of its plies, and the length and bytes of its packed moves. All
//! numbers are in groups of seven bits.

use crate::codec::packed_moves::{self, Running, pack_line};
use crate::codec::varint::{Bytes, put_bytes, put_varint};
use crate::model::entry::{GameEntry, Variation};
use crate::model::systems::{self, Start};
use tridex_notation::position_string;
use tridex_rules::{Move, Placement, Position, Setup};

/// The greatest number of plies that the main line of an indexed game may have.
pub const MAX_PLIES: usize = 32_767;

/// The greatest number of variations of an indexed game.
pub const MAX_VARIATIONS: usize = 1_000;

/// The packed form of a game: everything the index stores except tags, comments and other notes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameBytes<'a> {
    /// The start of games under its rules.
    pub(crate) start: &'static Start,
    /// How many plies the main line has.
    pub(crate) plies: u32,
    /// Whether it has a start position other than that of its rules.
    pub(crate) own_start: bool,
    /// Whether it has variations.
    pub(crate) has_variations: bool,
    /// The lines. Bytes after them are ignored.
    pub(crate) bytes: &'a [u8],
}

impl<'a> GameBytes<'a> {
    /// Reads a game from bytes; `None` if they are damaged.
    #[inline]
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Self> {
        let (head, rest) = bytes.split_first()?;
        let mut rest = Bytes(rest);
        let plies = rest.number::<u32>()?;
        if plies > MAX_PLIES as u32 {
            return None;
        }
        Some(Self {
            start: systems::start(head & 7)?,
            plies,
            own_start: head >> 3 & 1 != 0,
            has_variations: head >> 4 & 1 != 0,
            bytes: rest.0,
        })
    }

    /// The setup the game starts from, if it differs from that of the rules.
    pub(crate) fn setup(&self) -> Option<Setup> {
        let text = Bytes(self.bytes).text().filter(|_| self.own_start)?;
        position_string::parse(text).ok()
    }

    /// Sets up the board before the first move; `None` if the bytes are damaged.
    #[inline]
    pub(crate) fn begin(&self) -> Option<Running<'a>> {
        let mut bytes = Bytes(self.bytes);
        let board = match self.own_start {
            true => {
                let setup = position_string::parse(bytes.text()?).ok()?;
                self.start.rules.placement(&setup)
            }
            false => self.start.board.clone(),
        };
        Some(Running::new(board, bytes.0))
    }

    /// The position the game starts from; `None` if the bytes are damaged.
    fn position(&self) -> Option<Position> {
        match self.own_start {
            true => Position::from_setup(self.start.rules, &self.setup()?).ok(),
            false => Some(self.start.position.clone()),
        }
    }

    /// The moves of the main line, and the variations; `None` if the bytes are damaged.
    pub(crate) fn moves(&self) -> Option<(Vec<Move>, Vec<Variation>)> {
        let mut running = self.begin()?;
        let start = running.board.clone();
        let main = running.line(self.plies)?;
        let mut bytes = Bytes(running.bits.rest()?);
        let count: usize = match self.has_variations {
            true => bytes.number()?,
            false => 0,
        };
        if count > MAX_VARIATIONS {
            return None;
        }
        let mut variations: Vec<Variation> = Vec::with_capacity(count);
        for _ in 0..count {
            let parent = bytes.number::<u32>()?.checked_sub(1);
            let ply: u32 = bytes.number()?;
            let plies: u32 = bytes.number()?;
            let packed = bytes.bytes()?;
            let mut board = start.clone();
            for m in prefix(&main, &variations, parent, ply)? {
                board.play(m);
            }
            let moves = Running::new(board, packed).line(plies)?;
            variations.push(Variation { parent, ply, moves });
        }
        Some((main, variations))
    }

    /// Calls a function with the main line and then, if `variations` is set, with each variation in order, until it
    /// returns something. Each line is passed as a game of its own, with the number of its variation and the first ply
    /// that is not shared with its parent. Returns `None` if the bytes are damaged.
    #[inline]
    pub(crate) fn lines<T>(
        &self,
        variations: bool,
        mut f: impl FnMut(&GameBytes<'_>, Option<u32>, u32) -> Option<Option<T>>,
    ) -> Option<Option<T>> {
        match f(self, None, 0)? {
            None if variations && self.has_variations => self.in_variations(f),
            found => Some(found),
        }
    }

    #[cold]
    fn in_variations<T>(
        &self,
        mut f: impl FnMut(&GameBytes<'_>, Option<u32>, u32) -> Option<Option<T>>,
    ) -> Option<Option<T>> {
        let (main, variations) = self.moves()?;
        let start = self.begin()?;
        let head = self.bytes.strip_suffix(start.bits.rest()?)?;
        for (i, variation) in (0..).zip(&variations) {
            let mut moves = prefix(&main, &variations, variation.parent, variation.ply)?;
            moves.extend_from_slice(&variation.moves);
            let packed = pack_line(start.board.clone(), &moves, |_, _| {});
            let line = GameBytes {
                plies: moves.len() as u32,
                bytes: &[head, &packed].concat(),
                ..*self
            };
            if let Some(found) = f(&line, Some(i), variation.ply + 1)? {
                return Some(Some(found));
            }
        }
        Some(None)
    }

    /// Calls a function with every placement of the main line and its ply until the function is satisfied. If
    /// `variations` is set, the variations follow, each after its parent. Returns `None` if the bytes are damaged.
    #[inline]
    pub(crate) fn find(
        &self,
        variations: bool,
        mut f: impl FnMut(&Placement, &mut Later<'_>, u32) -> Step,
    ) -> Option<Option<LinePly>> {
        self.lines(variations, |line, variation, first| {
            let found = line.walk(|at, later, ply, _| match ply < first {
                true => Step::Go,
                false => f(at, later, ply),
            })?;
            Some(found.map(|ply| (variation, ply)))
        })
    }

    /// Calls a function with every placement of the main line, its ply and the move that follows, until the function is
    /// satisfied; returns the ply at which it was. The function can also request the full position, which costs several
    /// times as much as the placement. Returns `None` if the bytes are damaged.
    #[inline]
    pub(crate) fn walk(
        &self,
        mut f: impl FnMut(&Placement, &mut Later<'_>, u32, Option<Move>) -> Step,
    ) -> Option<Option<u32>> {
        let mut running = self.begin()?;
        let mut later = Later {
            game: *self,
            reached: None,
            is_damaged: false,
        };
        for ply in 0..=self.plies {
            let next = match ply < self.plies {
                true => Some(packed_moves::read(&running.board, &mut running.bits)?),
                false => None,
            };
            match f(&running.board, &mut later, ply, next) {
                Step::Go => {}
                Step::Here => return Some(Some(ply)),
                Step::Over => break,
            }
            if let Some(m) = next {
                running.board.play(m);
            }
        }
        (!running.bits.is_overrun() && !later.is_damaged).then_some(None)
    }
}

/// The full positions of a game, computed only on request.
pub(crate) struct Later<'a> {
    game: GameBytes<'a>,
    /// The position that was requested last, with the rest of the line and the ply.
    reached: Option<Box<(Running<'a>, Position, u32)>>,
    /// Whether a position could not be computed.
    is_damaged: bool,
}

impl Later<'_> {
    /// Whether the position after `ply` plies is the last of the line.
    pub(crate) fn is_last(&self, ply: u32) -> bool {
        ply == self.game.plies
    }

    /// The key of the position after `ply` plies: see [`Later::position`].
    pub(crate) fn key(&mut self, ply: u32) -> Option<u64> {
        match ply == 0 && !self.game.own_start {
            true => Some(self.game.start.key),
            false => self.position(ply).map(Position::key),
        }
    }

    /// The position after `ply` plies, which must not decrease between calls; `None` if the bytes are damaged.
    pub(crate) fn position(&mut self, ply: u32) -> Option<&Position> {
        self.is_damaged |= self.go_to(ply).is_none();
        self.reached.as_ref().map(|reached| &reached.1)
    }

    fn go_to(&mut self, ply: u32) -> Option<()> {
        let game = &self.game;
        let reached = match &mut self.reached {
            Some(reached) => reached,
            place => place.insert(Box::new((game.begin()?, game.position()?, 0))),
        };
        let (running, position, at) = &mut **reached;
        while *at < ply {
            let m = packed_moves::read(&running.board, &mut running.bits)?;
            running.board.play(m);
            position.play_unchecked(m);
            *at += 1;
        }
        Some(())
    }
}

/// What a function that visits positions wants next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// The next position of the line.
    Go,
    /// Nothing more: this position is the one.
    Here,
    /// Nothing more in this line: none of its later positions can match.
    Over,
}

/// A position in a game: the variation, or `None` for the main line, and the ply from the start of the game.
pub(crate) type LinePly = (Option<u32>, u32);

/// The line to which a ply belongs: this line, or if the ply comes before it leaves its parent, an outer one.
pub(crate) fn line_at(variations: &[Variation], mut line: Option<u32>, ply: u32) -> Option<u32> {
    while let Some(variation) = variations.get(line? as usize) {
        if ply > variation.ply {
            break;
        }
        line = variation.parent;
    }
    line
}

/// The first `ply` moves of the line `parent`: those of the lines it leaves, then its own.
pub(crate) fn prefix(
    main: &[Move],
    variations: &[Variation],
    parent: Option<u32>,
    ply: u32,
) -> Option<Vec<Move>> {
    let Some(place) = parent else {
        return main.get(..ply as usize).map(<[Move]>::to_vec);
    };
    let line = variations.get(place as usize)?;
    if line.parent.is_some_and(|parent| parent >= place) {
        return None;
    }
    let mut moves = prefix(main, variations, line.parent, line.ply)?;
    let own = ply.checked_sub(line.ply)?;
    moves.extend_from_slice(line.moves.get(..own as usize)?);
    Some(moves)
}

/// Packs a game whose start and setup are known. Returns the bytes, and the offset at which the lines begin. `each` is
/// called with every placement of the main line and the move that led to it, `besides` with every placement of the
/// variations. Returns `None` if a variation leaves a line that does not exist.
pub(crate) fn write(
    code: u8,
    start: &Placement,
    setup: Option<&Setup>,
    game: &GameEntry,
    mut each: impl FnMut(&Placement, Option<Move>),
    mut besides: impl FnMut(&Placement),
) -> Option<(Vec<u8>, usize)> {
    let (main, variations) = (&game.moves, &game.variations);
    let mut out = Vec::with_capacity(main.len() * 2);
    let flags = u8::from(setup.is_some()) << 3 | u8::from(!variations.is_empty()) << 4;
    out.push(code & 7 | flags);
    put_varint(&mut out, main.len() as u64);
    let lines = out.len();
    if let Some(setup) = setup {
        put_bytes(&mut out, position_string::to_string(setup).as_bytes());
    }
    each(start, None);
    let packed = pack_line(start.clone(), main, |at, m| each(at, Some(m)));
    out.extend_from_slice(&packed);
    if !variations.is_empty() {
        put_varint(&mut out, variations.len() as u64);
    }
    for variation in variations {
        put_varint(&mut out, variation.parent.map_or(0, |p| u64::from(p) + 1));
        put_varint(&mut out, variation.ply.into());
        put_varint(&mut out, variation.moves.len() as u64);
        let mut board = start.clone();
        for m in prefix(main, variations, variation.parent, variation.ply)? {
            board.play(m);
        }
        let packed = pack_line(board, &variation.moves, |at, _| besides(at));
        put_bytes(&mut out, &packed);
    }
    Some((out, lines))
}
