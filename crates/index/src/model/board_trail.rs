//! The attack board moves of a game, and the facts of its signature, collected while the game is packed.

use crate::model::game_bytes::{GameBytes, Step};
use crate::model::signature::counts;
use tridex_geometry::stair::{AttackBoard, Pin};
use tridex_rules::{Color, Move, Placement};

/// The first move of an attack board: the board, the pin it leaves, the pin it reaches, and who moves it.
pub(crate) type FirstMove = (AttackBoard, Pin, Pin, Color);

/// The layouts and first moves of the attack boards in a game's main line. Empty for a game on the cube.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct BoardTrail {
    /// The layouts the game reaches, as the pins of the boards: each once, in the order of the game.
    pub(crate) layouts: Vec<[Pin; 4]>,
    /// The first move of each board that moves, in the order of the game.
    pub(crate) first: Vec<FirstMove>,
    /// The current pins of the boards.
    now: Option<[Pin; 4]>,
}

impl BoardTrail {
    /// Records the next placement of the game and the move that led to it. `played` is `None` for the first placement.
    #[inline]
    pub(crate) fn see(&mut self, played: Option<Move>, at: &Placement) {
        if let None | Some(Move::Board { .. }) = played {
            self.see_boards(played, at);
        }
    }

    fn see_boards(&mut self, played: Option<Move>, at: &Placement) {
        let Some(layout) = at.layout() else {
            return;
        };
        let pins = layout.pins();
        if let (Some(Move::Board { board, to, .. }), Some(before)) = (played, self.now)
            && self.first.iter().all(|(moved, ..)| *moved != board)
        {
            let from = before.get(board as usize).copied().unwrap_or(to);
            self.first.push((board, from, to, at.turn().other()));
        }
        if !self.layouts.contains(&pins) {
            self.layouts.push(pins);
        }
        self.now = Some(pins);
    }
}

/// Collects the trail of the attack boards and, for each kind of piece, the smallest number on the board.
#[derive(Clone, Debug)]
pub(crate) struct Observer {
    pub(crate) boards: BoardTrail,
    /// The smallest count so far, by colour and kind.
    least: [[u8; 5]; 2],
    pieces: u32,
}

impl Observer {
    pub(crate) fn new(at: &Placement) -> Self {
        let mut boards = BoardTrail::default();
        boards.see(None, at);
        Self {
            boards,
            least: counts(at),
            pieces: at.total(),
        }
    }

    /// Records the position after a move.
    #[inline]
    pub(crate) fn see(&mut self, at: &Placement, played: Move) {
        // Only captures and promotions change the counts.
        if played.promotion().is_some() || at.total() != self.pieces {
            self.pieces = at.total();
            let counts = counts(at);
            let least = self.least.as_flattened_mut().iter_mut();
            let least = least.zip(counts.as_flattened());
            least.for_each(|(least, count)| *least = *count.min(least));
        }
        self.boards.see(Some(played), at);
    }

    /// Three words for the columns of the index. The first two have the pins that each attack board was on, 24 bits a
    /// board: White's boards, then Black's. The third has the smallest counts, four bits each, White's first; 15 means
    /// 15 or more.
    pub(crate) fn words(&self) -> [u64; 3] {
        let mut pins = [0; 2];
        for (board, pin) in self.boards.layouts.iter().flat_map(|pins| (0..).zip(pins)) {
            pins[board / 2] |= 1 << (24 * (board % 2) + pin.index());
        }
        let least = self.least.as_flattened().iter().rev();
        let least = least.fold(0, |word, least| word << 4 | u64::from(*least.min(&15)));
        [pins[0], pins[1], least]
    }
}

/// Returns the trail of a game's attack boards, and calls a function with the first 32 bits of each position's key;
/// positions of variations are included if `variations` is set. Returns `None` if the game is damaged.
#[inline]
pub(crate) fn boards(
    game: &GameBytes<'_>,
    variations: bool,
    mut each: impl FnMut(u32),
) -> Option<BoardTrail> {
    let (mut trail, mut played) = (BoardTrail::default(), None);
    game.lines(variations, |line, variation, first| {
        line.walk(|at, _, ply, next| {
            if ply >= first {
                each((at.key() >> 32) as u32);
            }
            if variation.is_none() {
                trail.see(played, at);
                played = next;
            }
            Step::Go
        })
    })?;
    Some(trail)
}
