//! Positions of a line, for tests of check and mate.

use crate::game::line::GameBytes;
use tridex_rules::{Move, Position};

/// Positions of a line, made when they are needed.
pub(crate) struct Positions<'a> {
    game: &'a GameBytes<'a>,
    pub(crate) moves: Vec<Move>,
    reached: Option<Box<(Position, u32)>>,
    /// Whether the start could not be read.
    pub(crate) is_damaged: bool,
}

impl<'a> Positions<'a> {
    pub(crate) fn new(game: &'a GameBytes<'a>) -> Self {
        Self {
            game,
            moves: Vec::new(),
            reached: None,
            is_damaged: false,
        }
    }

    /// The position of a ply, never one before the last that was needed; `None` if the start cannot be read.
    pub(crate) fn at(&mut self, ply: u32) -> Option<&Position> {
        if self.reached.is_none() {
            let start = self.game.start();
            self.is_damaged = start.is_none();
            self.reached = start.map(|start| Box::new((start, 0)));
        }
        let (position, reached) = &mut **self.reached.as_mut()?;
        for m in self.moves.get(*reached as usize..ply as usize)? {
            position.play_unchecked(*m);
        }
        *reached = ply;
        Some(position)
    }
}
