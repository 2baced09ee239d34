//! Builds games from the events of a reader.

use super::columns::Numbered;
use super::{Damages, Game, Item};
use crate::interner::TokenId;
use crate::visit::{Damage, Ending, GameResult, Unusual, Visitor};
use crate::words;

/// The maximum number of tags of a game.
const MOST_TAGS: usize = 1_000;

/// A visitor that builds [`Game`]s from their events.
///
/// ```
/// use tridex_archive::game::GameBuilder;
/// use tridex_archive::{Limits, pgn};
///
/// let text = b"1. b4N 1-0\n\n1. c3W 0-1\n";
/// let mut builder = GameBuilder::new(text, 0, |_, _, _| false);
/// pgn::read_games(text, 0, &Limits::default(), &mut builder);
/// let (games, damage) = builder.finish();
/// assert_eq!(games.len(), 2);
/// assert!(damage.is_empty());
/// ```
#[derive(Debug)]
pub struct GameBuilder<'b, J> {
    game: Game<'b>,
    games: Vec<Game<'b>>,
    joins: J,
}

impl<'b, J: FnMut(&Game<'b>, &[u8], TokenId) -> bool> GameBuilder<'b, J> {
    /// Builds games whose text is mostly in `bytes`, which begin at the offset `at` of their source. A move may be
    /// written as several tokens: `joins` decides whether a token is a part of the move before it. It also gets the
    /// number of the token, if that is a known word.
    pub fn new(bytes: &'b [u8], at: u64, joins: J) -> Self {
        Self {
            game: Game::within(bytes, at),
            games: Vec::new(),
            joins,
        }
    }

    /// The games, and the damage after the last one.
    pub fn finish(self) -> (Vec<Game<'b>>, Damages) {
        (self.games, self.game.damage)
    }
}

/// Collects all games that `read` reports to its visitor. They own their text.
///
/// ```
/// use tridex_archive::{Limits, game, pgn};
///
/// let games = game::collect(|v| pgn::read_games(b"1. b4N b5B 1-0", 0, &Limits::default(), v));
/// assert_eq!(games[0].main_line().count(), 2);
/// ```
pub fn collect(read: impl FnOnce(&mut dyn Visitor)) -> Vec<Game<'static>> {
    let mut builder = GameBuilder::new(&[], 0, |_, _, _| false);
    read(&mut builder);
    builder.games
}

impl<'b, J: FnMut(&Game<'b>, &[u8], TokenId) -> bool> Visitor for GameBuilder<'b, J> {
    fn begin_game(&mut self, at: u64) {
        // Comments before the game have been added already.
        self.game.at = at;
    }

    fn tag(&mut self, name: &[u8], raw_value: &[u8], at: u64) {
        let count = self.game.tags.len();
        if count == MOST_TAGS {
            self.damage(Damage::TooManyTags, at, name.len() + raw_value.len() + 5);
        }
        // One tag too many is stored, so that the damage is reported only once. It is removed at the end of the game.
        if count <= MOST_TAGS {
            self.game.push_raw_tag(name, raw_value, at);
        }
    }

    #[inline(always)]
    fn move_number(&mut self, text: &[u8], at: u64, half_moves: u32) {
        let game = &mut self.game;
        game.line.is_numbered = true;
        if game.outer.is_empty() {
            let number = Numbered {
                half: half_moves,
                plies: game.line.plies,
                events: game.events.len(),
                at,
            };
            game.numbers.take(number, text.len());
        }
    }

    #[inline(always)]
    fn move_token(&mut self, token: &[u8], at: u64, id: TokenId) {
        if (self.joins)(&self.game, token, id) {
            self.game.join(" ", token);
        } else {
            self.game.add(Item::Move(false), token, id, at);
        }
    }

    #[inline(always)]
    fn item(&mut self, item: Item<&[u8]>, at: u64) {
        match item {
            Item::Word(word) if words::is_mark(word) => self.game.add_mark(word, at),
            // Many records have a comment after each move, so this path must be fast.
            Item::Comment(text) => self.game.add(Item::Comment(false), text, TokenId::NONE, at),
            item => self.game.push_raw(item, at),
        }
    }

    fn result(&mut self, result: GameResult, at: u64) {
        self.game.result = Some(result);
        self.game.result_at = at;
    }

    fn damage(&mut self, damage: Damage, at: u64, len: usize) {
        self.game.damage.push((damage, at, len));
    }

    fn unusual(&mut self, what: Unusual, text: &[u8], at: u64) {
        let mut known = self.game.unusual.iter_mut();
        match known.find(|(known, ..)| *known == what) {
            Some((.., count)) => *count += 1,
            None => self.game.unusual.push((what, text.to_vec(), at, 1)),
        }
    }

    fn ending(&mut self, text: &[u8], ending: Ending, at: u64) {
        self.game.ending = Some((ending, text.to_vec(), at));
    }

    fn end_game(&mut self, at: u64) {
        let game = &mut self.game;
        game.end = at;
        game.tags.truncate(MOST_TAGS);
        let plies = game.outer.first().unwrap_or(&game.line).plies;
        if let Some(order) = game.numbers.columns(plies) {
            let (row, at) = game.read_by_column(&order, plies);
            self.unusual(Unusual::Columns, row.as_bytes(), at);
        } else if (game.numbers.may_have_rows() || game.numbers.sides(plies).is_some())
            && let Some((row, at)) = game.read_by_side(plies)
        {
            self.unusual(Unusual::Rows, &row, at);
        }
        let game = &mut self.game;
        game.numbers.close(plies);
        // A clone has no unused capacity.
        self.games.push(self.game.clone());
        self.game.begin(at);
    }
}
