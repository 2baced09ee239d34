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

impl GameBytes<'_> {
    /// What its main line does with the attack boards; every board of the line is handed to a function. `None` if the
    /// bytes are damaged.
    pub(crate) fn boards(&self, mut each: impl FnMut(&Placement)) -> Option<BoardTrail> {
        let mut trail = BoardTrail::default();
        let mut played = None;
        self.walk(|at, _, _, next| {
            trail.see(played, at);
            each(at);
            played = next;
            Step::Go
        })?;
        Some(trail)
    }
}

/// The first 32 bits of the keys of a game's positions, and what it does with the attack boards; `None` if the game is
/// damaged.
pub(crate) fn keys_and_boards(
    game: &GameBytes<'_>,
    variations: bool,
) -> Option<(Vec<u32>, BoardTrail)> {
    let short = |at: &Placement| (at.key() >> 32) as u32;
    let mut keys = Vec::with_capacity(game.plies as usize + 1);
    let trail = game.boards(|at| keys.push(short(at)))?;
    if variations && game.has_variations {
        keys.clear();
        game.find(true, |at, _, _| {
            keys.push(short(at));
            Step::Go
        })?;
    }
    Some((keys, trail))
}
