//! A game's lines as the index keeps them: start, main line and variations in one stretch of bytes.
//!
//! Format: if the game does not start where its rules say, the length and text of the position string; then the packed
//! main line; then, if the game has variations, their number and each one's parent (0 for the main line, else its place
//! among the variations plus one), the ply after which it leaves, the number of its plies and the length and bytes of
//! its packed moves. All numbers are in groups of seven bits.

use crate::bits::{BitReader, BitWriter, Bytes, put_bytes, put_varint};
use crate::entry::Variation;
use crate::packed::{Replay, pack_line};
use crate::systems;
use tridex_notation::position_string;
use tridex_rules::{Move, Position, RuleSystem, Setup};

/// How many variations of a game are kept.
pub const MAX_VARIATIONS: usize = 1_000;

/// A game on the board: what is kept of it besides tags and comments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameBytes<'a> {
    /// The number of its rules on disk.
    pub(crate) code: u8,
    /// How many plies the main line has.
    pub(crate) plies: u32,
    /// Whether it starts somewhere else than the rules say.
    pub(crate) own_start: bool,
    /// Whether it has variations.
    pub(crate) has_variations: bool,
    /// The bytes; more may follow.
    pub(crate) bytes: &'a [u8],
}

/// A game that is being replayed.
pub(crate) struct Running<'a> {
    pub(crate) replay: Replay,
    pub(crate) bits: BitReader<'a>,
}

impl<'a> GameBytes<'a> {
    /// The rules of the game.
    pub(crate) fn rules(&self) -> Option<RuleSystem> {
        systems::start(self.code).map(|start| start.rules)
    }

    /// The setup the game starts from, if it is not that of its rules.
    pub(crate) fn setup(&self) -> Option<Setup> {
        if !self.own_start {
            return None;
        }
        position_string::parse(Bytes(self.bytes).text()?).ok()
    }

    /// Sets the board up and goes to the first move; `None` if the bytes are damaged.
    #[inline]
    pub(crate) fn begin(&self) -> Option<Running<'a>> {
        let start = systems::start(self.code)?;
        if self.own_start {
            let mut bytes = Bytes(self.bytes);
            let setup = position_string::parse(bytes.text()?).ok()?;
            let position = Position::from_setup(start.rules, &setup).ok()?;
            return Some(Running {
                replay: Replay::new(position),
                bits: BitReader::new(bytes.0, 0),
            });
        }
        Some(Running {
            replay: start.replay.clone(),
            bits: BitReader::new(self.bytes, 0),
        })
    }

    /// The moves of the main line, and what follows them.
    fn main_line(&self) -> Option<(Replay, Vec<Move>, Bytes<'a>)> {
        let mut running = self.begin()?;
        let start = running.replay.clone();
        let mut moves = Vec::with_capacity(self.plies as usize);
        for _ in 0..self.plies {
            moves.push(running.replay.step(&mut running.bits)?);
        }
        let rest = running.bits.rest()?;
        Some((start, moves, Bytes(rest)))
    }

    /// The moves of the main line; `None` if the bytes are damaged.
    pub(crate) fn moves(&self) -> Option<Vec<Move>> {
        self.main_line().map(|(_, moves, _)| moves)
    }

    /// The variations; `None` if the bytes are damaged.
    pub(crate) fn variations(&self) -> Option<Vec<Variation>> {
        if !self.has_variations {
            return Some(Vec::new());
        }
        let (start, main, mut bytes) = self.main_line()?;
        let count: usize = bytes.number()?;
        if count > MAX_VARIATIONS {
            return None;
        }
        let mut variations: Vec<Variation> = Vec::with_capacity(count);
        for _ in 0..count {
            let parent = bytes.number::<u32>()?.checked_sub(1);
            let ply: u32 = bytes.number()?;
            let plies: u32 = bytes.number()?;
            let packed = bytes.bytes()?;
            let mut replay = start.clone();
            for m in prefix(&main, &variations, parent, ply)? {
                replay.play(m);
            }
            let mut bits = BitReader::new(packed, 0);
            let mut moves = Vec::new();
            for _ in 0..plies {
                moves.push(replay.step(&mut bits)?);
            }
            variations.push(Variation { parent, ply, moves });
        }
        Some(variations)
    }

    /// Hands every position to a function with its ply until the function is satisfied; the positions of variations
    /// too, if asked for, each variation after its parent. `None` if the bytes are damaged.
    pub(crate) fn find(
        &self,
        variations: bool,
        mut f: impl FnMut(&Replay, u32) -> bool,
    ) -> Option<Found> {
        let mut running = self.begin()?;
        if f(&running.replay, 0) {
            return Some(Found::Main(0));
        }
        for ply in 1..=self.plies {
            running.replay.step(&mut running.bits)?;
            if f(&running.replay, ply) {
                return Some(Found::Main(ply));
            }
        }
        if running.bits.is_overrun() {
            return None;
        }
        if variations && self.has_variations {
            return self.find_in_variations(f);
        }
        Some(Found::Nowhere)
    }

    fn find_in_variations(&self, mut f: impl FnMut(&Replay, u32) -> bool) -> Option<Found> {
        let main = self.moves()?;
        let variations = self.variations()?;
        let start = self.begin()?.replay;
        for variation in &variations {
            let mut replay = start.clone();
            for m in prefix(&main, &variations, variation.parent, variation.ply)? {
                replay.play(m);
            }
            for (ply, m) in (variation.ply + 1..).zip(&variation.moves) {
                replay.play(*m);
                if f(&replay, ply) {
                    return Some(Found::Variation(ply));
                }
            }
        }
        Some(Found::Nowhere)
    }
}

/// Where a position was found, by its ply from the start of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    Nowhere,
    Main(u32),
    Variation(u32),
}

/// The moves that lead to the place after `ply` plies in a line: those of its parents, and its own.
pub(crate) fn prefix(
    main: &[Move],
    variations: &[Variation],
    mut parent: Option<u32>,
    mut ply: u32,
) -> Option<Vec<Move>> {
    let mut stretches = Vec::new();
    while let Some(i) = parent {
        let variation = variations.get(i as usize)?;
        if variation.parent.is_some_and(|p| p >= i) {
            return None;
        }
        let taken = ply.checked_sub(variation.ply)?;
        stretches.push(variation.moves.get(..taken as usize)?);
        (parent, ply) = (variation.parent, variation.ply);
    }
    let mut moves = main.get(..ply as usize)?.to_vec();
    for stretch in stretches.into_iter().rev() {
        moves.extend_from_slice(stretch);
    }
    Some(moves)
}

/// Writes a game. `each` is handed every position of the main line with its ply and the move that led to it.
pub(crate) fn write(
    start: &Replay,
    setup: Option<&Setup>,
    moves: &[Move],
    out: &mut Vec<u8>,
    mut each: impl FnMut(&Replay, Option<Move>),
) {
    if let Some(setup) = setup {
        put_bytes(out, position_string::to_string(setup).as_bytes());
    }
    let mut bits = BitWriter::default();
    let mut replay = start.clone();
    each(&replay, None);
    for m in moves {
        replay.write(*m, &mut bits);
        replay.play(*m);
        each(&replay, Some(*m));
    }
    out.append(&mut bits.finish());
}

/// Writes the variations of a game; `each` is handed every position of theirs. `None` if one leaves a line that is not
/// there.
pub(crate) fn write_variations(
    start: &Replay,
    main: &[Move],
    variations: &[Variation],
    out: &mut Vec<u8>,
    mut each: impl FnMut(&Replay),
) -> Option<()> {
    put_varint(out, variations.len() as u64);
    for (i, variation) in variations.iter().enumerate() {
        if variation.parent.is_some_and(|parent| parent as usize >= i) {
            return None;
        }
        put_varint(out, variation.parent.map_or(0, |p| u64::from(p) + 1));
        put_varint(out, variation.ply.into());
        put_varint(out, variation.moves.len() as u64);
        let mut replay = start.clone();
        for m in prefix(main, variations, variation.parent, variation.ply)? {
            replay.play(m);
        }
        let mut bits = BitWriter::default();
        pack_line(replay.position().clone(), &variation.moves, &mut bits);
        put_bytes(out, &bits.finish());
        for m in &variation.moves {
            replay.play(*m);
            each(&replay);
        }
    }
    Some(())
}
