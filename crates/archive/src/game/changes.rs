//! A game that is changed.

use super::memory::in_a_line;
use super::{Game, Item};
use crate::interner::TokenId;

impl Game<'_> {
    /// The same game with its text of its own, decoded. What reading noticed of how it was written - numbers, unusual
    /// forms, words about its end - is not in it: it is to be changed, and then is another record.
    #[must_use]
    pub fn to_kept(&self) -> Game<'static> {
        let mut kept = Game {
            base: self.base,
            at: self.at,
            result: self.result,
            result_at: self.result_at,
            damage: self.damage.clone(),
            ..Game::default()
        };
        for tag in self.written_tags() {
            let name = in_a_line(tag.name);
            kept.add_tag(name.as_bytes(), tag.text().as_bytes(), tag.at, false);
        }
        for event in &self.events {
            kept.push_at(self.item(event).as_deref(), self.place(event));
        }
        kept
    }

    /// Writes another text in the place of the move at an offset; false if there is none.
    pub fn replace_move(&mut self, at: u64, text: &str) -> bool {
        let Some(index) = self.move_at(at) else {
            return false;
        };
        let text = self.memory.keep(text.as_bytes());
        if let Some(event) = self.events.get_mut(index) {
            event.word = TokenId::NONE;
            event.text = text;
        }
        true
    }

    /// Puts a move in before the move at an offset; false if there is none. It is found at the same offset, before that
    /// move.
    pub fn insert_move(&mut self, before: u64, text: &str) -> bool {
        let index = self.move_at(before);
        self.insert(index, Item::Move(text), before)
    }

    /// Puts a comment in behind the move at an offset; false if there is none.
    pub fn insert_comment(&mut self, behind: u64, text: &str) -> bool {
        let index = self.move_at(behind).map(|index| index + 1);
        self.insert(index, Item::Comment(text), behind)
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

    /// Takes the move at an offset out; false if there is none. What is said of it stays.
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
