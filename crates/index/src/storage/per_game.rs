//! Values of the games of a segment, one game after the other.

/// Values of several games in one vector.
#[derive(Default, Debug)]
pub(crate) struct PerGame<T> {
    pub(crate) all: Vec<T>,
    /// The offset at which the values of each game end.
    pub(crate) ends: Vec<u32>,
}

impl<T: Copy> PerGame<T> {
    /// Appends the values of the next game.
    pub(crate) fn push(&mut self, game: &[T]) {
        self.all.extend_from_slice(game);
        self.ends.push(self.all.len() as u32);
    }

    /// The number of games.
    pub(crate) fn games(&self) -> u32 {
        self.ends.len() as u32
    }

    /// The values of a game.
    pub(crate) fn get(&self, game: u32) -> Option<&[T]> {
        let start = match game.checked_sub(1) {
            Some(before) => *self.ends.get(before as usize)?,
            None => 0,
        };
        let end = *self.ends.get(game as usize)?;
        self.all.get(start as usize..end as usize)
    }
}
