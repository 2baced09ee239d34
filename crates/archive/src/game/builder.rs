//! Builds games from the events of a reader.

use super::numbers::half_moves;
use super::{Damages, Game, Item};
use crate::interner::TokenId;
use crate::visit::{Damage, Ending, Flow, GameResult, Unusual, Visitor};

/// Receives the games of a [`GameBuilder`].
pub trait GameReceiver<'b> {
    /// Whether a token is a part of the move before it, which was written as several words. The token's word has the number
    /// `_id`, if it is the whole token.
    #[inline]
    fn joins(&mut self, _game: &Game<'b>, _token: &[u8], _id: TokenId) -> bool {
        false
    }

    /// Receives a game. Its memory is reused for the next one, so clone it to store it.
    fn keep(&mut self, game: &mut Game<'b>);
}

/// All games, one after the other.
impl<'b> GameReceiver<'b> for Vec<Game<'b>> {
    fn keep(&mut self, game: &mut Game<'b>) {
        // A clone has no unused capacity.
        self.push(game.clone());
    }
}

/// A visitor that builds [`Game`]s from their events.
///
/// ```
/// use tridex_archive::game::GameBuilder;
/// use tridex_archive::{Limits, pgn};
///
/// let text = b"1. b4N 1-0\n\n1. c3W 0-1\n";
/// let mut builder = GameBuilder::new(text, 0, Vec::new());
/// pgn::read_games(text, 0, &Limits::default(), &mut builder);
/// let (games, damage) = builder.finish();
/// assert_eq!(games.len(), 2);
/// assert!(damage.found().is_empty());
/// ```
#[derive(Debug)]
pub struct GameBuilder<'b, K> {
    game: Game<'b>,
    keeper: K,
}

impl<'b, K: GameReceiver<'b>> GameBuilder<'b, K> {
    /// Builds games whose text is mostly in `bytes`, which begin at the offset `at` of their source, and passes them to
    /// `keeper`.
    pub fn new(bytes: &'b [u8], at: u64, keeper: K) -> Self {
        Self {
            game: Game::within(bytes, at),
            keeper,
        }
    }

    /// The keeper, and the damage after the last game.
    pub fn finish(self) -> (K, Damages) {
        (self.keeper, self.game.damage)
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
    let mut builder = GameBuilder::new(&[], 0, Vec::new());
    read(&mut builder);
    builder.keeper
}

impl<'b, K: GameReceiver<'b>> Visitor for GameBuilder<'b, K> {
    fn begin_game(&mut self, at: u64) {
        // Comments before the game have been added already.
        self.game.at = at;
    }

    fn tag(&mut self, name: &[u8], raw_value: &[u8], at: u64) {
        self.game.push_raw_tag(name, raw_value, at);
    }

    fn move_number(&mut self, text: &[u8], at: u64) {
        self.known_number(text, at, half_moves(text));
    }

    #[inline(always)]
    fn known_number(&mut self, text: &[u8], at: u64, half_moves: u32) {
        let game = &mut self.game;
        game.line.is_numbered = true;
        if game.outer.is_empty() {
            let plies = game.line.plies;
            game.numbers.take(half_moves, text.len(), at, plies);
        }
    }

    fn move_token(&mut self, token: &[u8], at: u64) -> Flow {
        self.known_move(token, at, TokenId::NONE)
    }

    #[inline(always)]
    fn known_move(&mut self, token: &[u8], at: u64, id: TokenId) -> Flow {
        if self.keeper.joins(&self.game, token, id) {
            self.game.join(" ", token);
        } else {
            self.game.add(Item::Move(false), token, id, at);
        }
        Flow::Go
    }

    fn comment(&mut self, text: &[u8], at: u64) {
        self.game.add(Item::Comment(false), text, TokenId::NONE, at);
    }

    fn line_comment(&mut self, text: &[u8], at: u64) {
        self.game.push_raw(Item::LineComment(text), at);
    }

    fn escape_line(&mut self, text: &[u8], at: u64) {
        self.game.push_raw(Item::Escape(text), at);
    }

    fn nag(&mut self, nag: u8, at: u64) {
        self.game.add(Item::Nag(nag), &[], TokenId::NONE, at);
    }

    fn suffix_mark(&mut self, text: &[u8], at: u64) {
        self.game.add_mark(text, at);
    }

    fn draw_offer(&mut self, at: u64) {
        self.game.add(Item::DrawOffer, &[], TokenId::NONE, at);
    }

    fn begin_variation(&mut self, at: u64) -> Flow {
        self.game.push_raw(Item::VariationStart, at);
        Flow::Go
    }

    fn end_variation(&mut self, at: u64) {
        self.game.push_raw(Item::VariationEnd, at);
    }

    fn trailing_word(&mut self, text: &[u8], at: u64) {
        self.game.push_raw(Item::Word(text), at);
    }

    fn result(&mut self, result: GameResult, at: u64) {
        self.game.result = Some(result);
        self.game.result_at = at;
    }

    fn damage(&mut self, damage: Damage, at: u64, len: usize) {
        self.game.damage.push(damage, at, len);
    }

    fn unusual(&mut self, what: Unusual, text: &[u8], at: u64) {
        let mut known = self.game.unusual.iter_mut();
        match known.find(|(known, ..)| *known == what) {
            Some((.., count)) => *count += 1,
            None => {
                let text = self.game.memory.store(text);
                self.game.unusual.push((what, text, at, 1));
            }
        }
    }

    fn ending(&mut self, text: &[u8], ending: Ending, at: u64) {
        let text = self.game.memory.store(text);
        self.game.ending = Some((ending, text, at));
    }

    fn end_game(&mut self, at: u64) {
        self.game.finish(at);
        self.keeper.keep(&mut self.game);
        self.game.begin(at);
    }
}
