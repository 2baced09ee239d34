//! Values of the games of a segment, one game after the other.

/// Values of several games in one vector.
#[derive(Default, Debug)]
pub(crate) struct Stretches<T> {
    pub(super) all: Vec<T>,
    /// The offset at which the values of each game end.
    pub(super) ends: Vec<u32>,
}

impl<T: Copy> Stretches<T> {
    /// Appends the values of the next game.
    pub(super) fn push(&mut self, game: &[T]) {
        self.all.extend_from_slice(game);
        self.ends.push(self.all.len() as u32);
    }

    /// The number of games.
    pub(super) fn games(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The values of a game.
    pub(super) fn get(&self, game: u32) -> Option<&[T]> {
        let start = match game.checked_sub(1) {
            Some(before) => *self.ends.get(before as usize)?,
            None => 0,
        };
        let end = *self.ends.get(game as usize)?;
        self.all.get(start as usize..end as usize)
    }
}
