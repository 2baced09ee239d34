//! A game's lines as the index keeps them: start, main line and variations in one stretch of bytes.
//!
//! Format: a byte with the number of its rules (3 bits), whether it starts somewhere else than they say and whether it
//! has variations (1 bit each); the number of its plies; then its lines: if it has a start of its own, the length and
//! text of the position string; the packed main line; if the game has variations, their number and each one's parent (0
//! for the main line, else its place among the variations plus one), the ply after which it leaves, the number of its
//! plies and the length and bytes of its packed moves. All numbers are in groups of seven bits.

use super::systems::{self, Start};
use crate::bits::{Bytes, put_bytes, put_varint};
use crate::game::entry::{GameEntry, Variation};
use crate::game::packed::{self, Running, pack_line};
use tridex_notation::position_string;
use tridex_rules::{Move, Placement, Position, Setup};

/// The longest game an index takes, in plies of its main line.
pub const MAX_PLIES: usize = 32_767;

/// How many variations of a game are stored.
pub const MAX_VARIATIONS: usize = 1_000;

/// A game on the board: everything stored of it but tags and comments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameBytes<'a> {
    /// How games of its rules start.
    pub(crate) start: &'static Start,
    /// How many plies the main line has.
    pub(crate) plies: u32,
    /// Whether it starts somewhere else than the rules say.
    pub(crate) own_start: bool,
    /// Whether it has variations.
    pub(crate) has_variations: bool,
    /// The bytes; more may follow.
    pub(crate) bytes: &'a [u8],
}

impl<'a> GameBytes<'a> {
    /// The game of some bytes; `None` if they are damaged.
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

    /// The setup the game starts from, if it is not that of its rules.
    pub(crate) fn setup(&self) -> Option<Setup> {
        let text = Bytes(self.bytes).text().filter(|_| self.own_start)?;
        position_string::parse(text).ok()
    }

    /// Sets the board up and goes to the first move; `None` if the bytes are damaged.
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

    /// Hands the main line to a function, then, if requested, the variations in their order, until it returns something: each
    /// as a game by itself, with which variation it is and the first ply that is its own. `None` if the bytes are damaged.
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

    /// Hands every board of the main line to a function with its ply until the function is satisfied; those of
    /// variations too, if requested, each variation after its parent. `None` if the bytes are damaged.
    #[inline]
    pub(crate) fn find(
        &self,
        variations: bool,
        mut f: impl FnMut(&Placement, &mut Later<'_>, u32) -> Step,
    ) -> Option<Option<Place>> {
        self.lines(variations, |line, variation, first| {
            let found = line.walk(|at, later, ply, _| match ply < first {
                true => Step::Go,
                false => f(at, later, ply),
            })?;
            Some(found.map(|ply| (variation, ply)))
        })
    }

    /// Hands every board of the main line to a function with its ply and the move that follows, until the function is
    /// satisfied; the ply at which it was. The function can ask for the position too, which costs several times as much
    /// as the board. `None` if the bytes are damaged.
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
                true => Some(packed::read(&running.board, &mut running.bits)?),
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

/// The positions of a game, each made only when it is needed.
pub(crate) struct Later<'a> {
    game: GameBytes<'a>,
    /// The position that was needed last, with what follows it.
    reached: Option<Box<(Running<'a>, Position, u32)>>,
    /// Whether one could not be made.
    is_damaged: bool,
}

impl Later<'_> {
    /// The key of the position after some plies: see [`Later::position`].
    pub(crate) fn key(&mut self, ply: u32) -> Option<u64> {
        match ply == 0 && !self.game.own_start {
            true => Some(self.game.start.key),
            false => self.position(ply).map(Position::key),
        }
    }

    /// The position after some plies, never fewer than before; `None` if the bytes are damaged.
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
            let m = packed::read(&running.board, &mut running.bits)?;
            running.board.play(m);
            position.play_unchecked(m);
            *at += 1;
        }
        Some(())
    }
}

/// What a function that is shown positions wants next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// The next position of the line.
    Go,
    /// Nothing more: this is the one.
    Here,
    /// Nothing more of this line: no later position of it can match.
    Over,
}

/// A place in a game: the variation, if it is in one, and the ply from the start of the game.
pub(crate) type Place = (Option<u32>, u32);

/// The line that has a ply of a line: this one, or one of those that it leaves.
pub(crate) fn line_at(variations: &[Variation], mut line: Option<u32>, ply: u32) -> Option<u32> {
    while let Some(variation) = variations.get(line? as usize) {
        if ply > variation.ply {
            break;
        }
        line = variation.parent;
    }
    line
}

/// The moves that lead to the place after `ply` plies in a line: those of its parents, and its own.
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

/// The bytes of a game, of which start and setup are known, and where its lines begin. `each` is handed every board of the main
/// line with the move that led to it, `besides` every board of the variations. `None` if one of these leaves a line that is not
/// there.
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
