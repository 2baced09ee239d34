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
