//! What a game does with the attack boards.

use super::line::{GameBytes, Step};
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
    /// A game that begins.
    pub(crate) fn of(start: &Placement) -> Self {
        let now = start.layout().map(|layout| layout.pins());
        Self {
            layouts: now.into_iter().collect(),
            first: Vec::new(),
            now,
        }
    }

    /// The next move of the game, and what it leads to.
    #[inline]
    pub(crate) fn see(&mut self, m: Move, after: &Placement) {
        if let Move::Board { board, to, .. } = m {
            self.see_board(board, to, after);
        }
    }

    fn see_board(&mut self, board: AttackBoard, to: Pin, after: &Placement) {
        let (Some(before), Some(layout)) = (self.now, after.layout()) else {
            return;
        };
        let pins = layout.pins();
        if self.first.iter().all(|(moved, ..)| *moved != board) {
            let from = before.get(board as usize).copied().unwrap_or(to);
            self.first.push((board, from, to, after.turn().other()));
        }
        if !self.layouts.contains(&pins) {
            self.layouts.push(pins);
        }
        self.now = Some(pins);
    }
}

impl GameBytes<'_> {
    /// What its main line does with the attack boards; `None` if the bytes are damaged.
    pub(crate) fn boards(&self) -> Option<BoardTrail> {
        let mut running = self.begin()?;
        let mut trail = BoardTrail::of(&running.board);
        if trail.now.is_some() {
            for _ in 0..self.plies {
                let m = running.step()?;
                trail.see(m, &running.board);
            }
        }
        (!running.bits.is_overrun()).then_some(trail)
    }
}

/// The first 32 bits of the keys of a game's positions, and what it does with the attack boards, from one replay; `None`
/// if the game is damaged.
pub(crate) fn keys_and_boards(
    game: &GameBytes<'_>,
    variations: bool,
) -> Option<(Vec<u32>, BoardTrail)> {
    let short = |at: &Placement| (at.key() >> 32) as u32;
    let mut keys = Vec::with_capacity(game.plies.min(1 << 15) as usize + 1);
    let mut running = game.begin()?;
    let mut trail = BoardTrail::of(&running.board);
    keys.push(short(&running.board));
    for _ in 0..game.plies {
        let m = running.step()?;
        keys.push(short(&running.board));
        trail.see(m, &running.board);
    }
    if running.bits.is_overrun() {
        return None;
    }
    if variations && game.has_variations {
        game.find_in_variations(|at, _, _| {
            keys.push(short(at));
            Step::Go
        })?;
    }
    Some((keys, trail))
}

/// The trails of games, one after the other.
#[derive(Default, Debug)]
pub(crate) struct BoardTrails {
    layouts: Vec<[Pin; 4]>,
    first: Vec<FirstMove>,
    /// Where those of each game end.
    ends: Vec<(u32, u32)>,
}

impl BoardTrails {
    /// Appends that of the next game.
    pub(crate) fn push(&mut self, trail: &BoardTrail) {
        self.layouts.extend_from_slice(&trail.layouts);
        self.first.extend_from_slice(&trail.first);
        let ends = (self.layouts.len() as u32, self.first.len() as u32);
        self.ends.push(ends);
    }

    /// The layouts and first moves of a game.
    pub(crate) fn get(&self, game: u32) -> Option<(&[[Pin; 4]], &[FirstMove])> {
        let start = match game.checked_sub(1) {
            Some(before) => *self.ends.get(before as usize)?,
            None => (0, 0),
        };
        let end = *self.ends.get(game as usize)?;
        Some((
            self.layouts.get(start.0 as usize..end.0 as usize)?,
            self.first.get(start.1 as usize..end.1 as usize)?,
        ))
    }

    /// How many bytes they take.
    pub(crate) fn memory(&self) -> usize {
        self.layouts.len() * 4 + self.first.len() * 4 + self.ends.len() * 8
    }
}
