//! What a game does with the attack boards.

use super::line::GameBytes;
use tridex_geometry::Family;
use tridex_geometry::stair::{AttackBoard, Layout, Pin};
use tridex_rules::{Color, Move};

/// The first move of an attack board: the board, the pin it leaves, the one it goes to, and who moves it.
pub(crate) type FirstMove = (AttackBoard, Pin, Pin, Color);

impl GameBytes<'_> {
    /// The layouts the main line passes, each once, in their order; `None` if the bytes are damaged.
    pub(crate) fn layouts(&self) -> Option<Vec<Layout>> {
        let mut running = self.begin()?;
        let mut seen: Vec<Layout> = Vec::new();
        let mut see = |layout: Option<&Layout>| {
            if let Some(layout) = layout
                && seen.iter().all(|known| known.pins() != layout.pins())
            {
                seen.push(*layout);
            }
        };
        see(running.board.layout());
        for _ in 0..self.plies {
            if matches!(running.step()?, Move::Board { .. }) {
                see(running.board.layout());
            }
        }
        (!running.bits.is_overrun()).then_some(seen)
    }

    /// The first move of each attack board in the main line; `None` if the bytes are damaged.
    pub(crate) fn first_board_moves(&self) -> Option<Vec<FirstMove>> {
        let mut first: Vec<FirstMove> = Vec::new();
        if self.rules()?.family() == Family::Cube {
            return Some(first);
        }
        let mut running = self.begin()?;
        for _ in 0..self.plies {
            let mover = running.board.turn();
            let layout = running.board.layout().copied();
            let m = running.step()?;
            if let (Move::Board { board, to, .. }, Some(layout)) = (m, layout)
                && first.iter().all(|(moved, ..)| *moved != board)
            {
                first.push((board, layout.pin(board), to, mover));
                if first.len() == AttackBoard::ALL.len() {
                    break;
                }
            }
        }
        (!running.bits.is_overrun()).then_some(first)
    }
}
