//! What a game does with the attack boards, and what else is noted of it while it is written.

use super::line::{GameBytes, Step};
use super::signature::counts;
use tridex_geometry::stair::{AttackBoard, Pin};
use tridex_rules::{Color, Move, Placement};

/// The first move of an attack board: the board, the pin it leaves, the one it goes to, and who moves it.
pub(crate) type FirstMove = (AttackBoard, Pin, Pin, Color);

/// What the main line of a game does with the attack boards; nothing on the cube.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct BoardTrail {
    /// The layouts it passes, by their pins: each once, in their order.
    pub(crate) layouts: Vec<[Pin; 4]>,
    /// The first move of each board that moves, in their order.
    pub(crate) first: Vec<FirstMove>,
    /// Where the boards are now.
    now: Option<[Pin; 4]>,
}

impl BoardTrail {
    /// The next board of the game, and the move that led to it; without one it is the first.
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

/// What the attack boards of a game do, and how many pieces of each kind are on the board at least.
#[derive(Clone, Debug)]
pub(crate) struct Observer {
    pub(crate) boards: BoardTrail,
    /// By colour and kind.
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

    /// Takes note of the position after a move.
    #[inline]
    pub(crate) fn see(&mut self, at: &Placement, played: Move) {
        // Counts change with a capture or a promotion only.
        if played.promotion().is_some() || at.total() != self.pieces {
            self.pieces = at.total();
            let counts = counts(at);
            let least = self.least.as_flattened_mut().iter_mut();
            let least = least.zip(counts.as_flattened());
            least.for_each(|(least, count)| *least = *count.min(least));
        }
        self.boards.see(Some(played), at);
    }

    /// The words of an index: the pins that each attack board has stood on, 24 bits a board, of White's boards and of Black's;
    /// least counts, four bits each, White's first, 15 for more.
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

/// What the main line of a game does with the attack boards; a function is handed the first 32 bits of the keys of its
/// positions, of those of variations too if they count. `None` if the game is damaged.
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
