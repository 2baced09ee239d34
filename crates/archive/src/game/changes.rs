//! Changes of a game.

use super::memory::in_a_line;
use super::{Game, Item};
use crate::interner::TokenId;

impl Game<'_> {
    /// A copy that owns its text, decoded. Notes about the way it was written - numbers, unusual forms, words about its
    /// end - are omitted: the copy is meant to be changed, and is another record then.
    #[must_use]
    pub fn to_owned_game(&self) -> Game<'static> {
        let mut copy = Game {
            base: self.base,
            at: self.at,
            result: self.result,
            result_at: self.result_at,
            damage: self.damage.clone(),
            ..Game::default()
        };
        for tag in self.written_tags() {
            let name = in_a_line(tag.name);
            copy.add_tag(name.as_bytes(), tag.text().as_bytes(), tag.at, false);
        }
        for event in &self.events {
            copy.push_at(self.item(event).as_deref(), self.place(event));
        }
        copy
    }

    /// Replaces the move at an offset; false if there is none.
    ///
    /// ```
    /// use tridex_archive::{Limits, game, pgn, write};
    ///
    /// let text = b"1. b4N b5B 3. c3W *";
    /// let games = game::collect(|v| pgn::read_games(text, 0, &Limits::default(), v));
    /// let mut game = games[0].to_owned_game();
    /// assert!(game.replace_move(3, "a4N"));
    /// assert!(game.insert_comment(3, "corrected"));
    /// assert!(game.remove_move(14));
    /// assert_eq!(write::movetext(&game), "1. a4N {corrected} 1... b5B");
    /// ```
    pub fn replace_move(&mut self, at: u64, text: &str) -> bool {
        let Some(index) = self.move_at(at) else {
            return false;
        };
        let text = self.memory.store(text.as_bytes());
        if let Some(event) = self.events.get_mut(index) {
            event.word = TokenId::NONE;
            event.text = text;
        }
        true
    }

    /// Inserts a move before the move at an offset; false if there is none. It has the same offset.
    ///
    /// ```
    /// use tridex_archive::{Limits, game, pgn, write};
    ///
    /// let mut game = game::collect(|v| pgn::read_games(b"1. b4N c3W", 0, &Limits::default(), v)).remove(0);
    /// assert!(game.insert_move(7, "b5B"));
    /// assert_eq!(write::movetext(&game), "1. b4N b5B 2. c3W");
    /// ```
    pub fn insert_move(&mut self, before: u64, text: &str) -> bool {
        let index = self.move_at(before);
        self.insert(index, Item::Move(text), before)
    }

    /// Inserts a comment after the move at an offset; false if there is none.
    pub fn insert_comment(&mut self, after: u64, text: &str) -> bool {
        let index = self.move_at(after).map(|index| index + 1);
        self.insert(index, Item::Comment(text), after)
    }

    fn insert(&mut self, index: Option<usize>, item: Item<&str>, at: u64) -> bool {
        let Some(index) = index else {
            return false;
        };
        self.push_at(item, at);
        if let Some(event) = self.events.pop() {
            self.events.insert(index, event);
        }
        self.rebuild(Self::put);
        true
    }

    /// Removes the move at an offset; false if there is none. Its comments and variations stay.
    pub fn remove_move(&mut self, at: u64) -> bool {
        let Some(index) = self.move_at(at) else {
            return false;
        };
        self.events.remove(index);
        self.rebuild(Self::put);
        true
    }

    fn move_at(&self, at: u64) -> Option<usize> {
        let mut events = self.events.iter();
        events.position(|event| matches!(event.kind, Item::Move(_)) && self.place(event) == at)
    }
}
