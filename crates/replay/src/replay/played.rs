//! A game that was just replayed, with its record.

use super::Replay;
use super::tags::{DATE_AS_WRITTEN, again, standard_date, unused_name};
use crate::finding::trace::Trace;
use crate::finding::wording::shown;
use crate::style::cache::ParseCache;
use crate::style::token::token_of;
use std::borrow::Cow;
use std::ops::Deref;
use tridex_archive::game::WrittenTag;
use tridex_archive::write::second_names;
use tridex_archive::{Game, Item, decode};
use tridex_rules::Move;

/// A game that was replayed, with its record. It is valid until the next game is read. [`Played::to_replay`] returns an
/// owned [`Replay`].
///
/// ```
/// use tridex_archive::{Limits, game, pgn};
/// use tridex_replay::{Options, finding::Status, replay_with};
/// use tridex_rules::RuleSystem;
///
/// let text = b"[Variant \"meder\"]\n\n1. b4N {good} b5B *\n";
/// let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
/// replay_with(&games[0], &Options::default(), |game| {
///     assert_eq!((game.status(), game.rules(), game.plies()), (Status::Valid, RuleSystem::Meder, 2));
///     assert!(game.is_whole() && game.is_annotated() && !game.is_set_up() && game.states_rules());
///     assert!(game.has_no_findings() && game.first_error().is_none() && game.unreadable().is_none());
///     assert_eq!((game.moves().len(), game.at(), game.under().len()), (2, 0, 0));
///     let mut items = 0;
///     game.each_item(|_item, _read| items += 1);
///     assert_eq!(items, 3);
///     let _ = (game.start(), game.style(), game.bytes(false), game.to_replay());
/// });
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    number: u64,
    game: &'a Game<'a>,
    replay: &'a Replay,
    cache: &'a ParseCache,
}

impl Deref for Played<'_> {
    type Target = Replay;

    fn deref(&self) -> &Replay {
        self.replay
    }
}

impl<'a> Played<'a> {
    pub(crate) const fn new(
        number: u64,
        game: &'a Game<'a>,
        replay: &'a Replay,
        cache: &'a ParseCache,
    ) -> Self {
        Self {
            number,
            game,
            replay,
            cache,
        }
    }

    /// Returns the record of the game.
    #[must_use]
    pub fn game(&self) -> &'a Game<'a> {
        self.game
    }

    /// The cache of the tokens of its archive.
    pub(crate) fn cache(&self) -> &'a ParseCache {
        self.cache
    }

    /// Returns the number of the game in its source, from 1.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the offset of the game in the decompressed source.
    #[must_use]
    pub fn at(&self) -> u64 {
        self.game.at
    }

    /// Returns the bytes of the game in its source, without surrounding blanks and byte order mark, and their offset in
    /// the decompressed source. Empty for a game that was made in memory. With `after_last`, the bytes begin where the
    /// previous game ended, so that comments before the tags belong to the game. Without it, they begin [at the
    /// game](Played::at). The row of a table cannot be read without the table's heading.
    #[must_use]
    pub fn bytes(&self, after_last: bool) -> (u64, &'a [u8]) {
        self.game.bytes(after_last)
    }

    /// Returns what is missing from the moves: after which ply they end early, or what damage lost. `None` if nothing
    /// is missing. A result that contradicts the final position does not count.
    #[must_use]
    pub fn unreadable(&self) -> Option<String> {
        if !self.is_whole() {
            let read = self.moves.len();
            let token = self
                .game
                .main_events()
                .nth(read)
                .map(|(_, event)| format!(": {}", shown(&token_of(self.game, event))));
            return Some(format!("after ply {read}{}", token.unwrap_or_default()));
        }
        let mut damages = self.game.damage.iter();
        let lost = damages.find(|(damage, _, _)| damage.is_lossy())?;
        Some(format!("in part: {}", lost.0))
    }

    /// Whether the record has anything but moves of the main line. A move that was not recorded counts too, unless it
    /// was filled in, and so does a sign such as `!?` after a move.
    #[must_use]
    pub fn is_annotated(&self) -> bool {
        let has_sign = |token: &[u8]| matches!(token.last(), Some(b'!' | b'?'));
        let mut moves = self.game.events().iter();
        self.game.events().len() > self.tokens || moves.any(|mv| has_sign(self.game.text(mv)))
    }

    /// Passes the name and value of each tag to a function, as they are written again. A result tag that is not in
    /// standard form is renamed to `ResultAsWritten`, and a name that occurs again gets a number ([`second_names`]).
    pub fn each_written_tag(&self, mut take: impl FnMut(&str, &str)) {
        let has_start = self.has_start();
        let tags = self
            .game
            .written_tags()
            .map(|tag| match unused_name(&tag, has_start) {
                Some(name) => WrittenTag {
                    name: name.as_bytes(),
                    ..tag
                },
                None => tag,
            });
        let tags = tags.filter_map(again);
        let mut renamed = second_names(tags.clone().map(|tag| tag.name))
            .into_iter()
            .peekable();
        for (n, tag) in tags.enumerate() {
            let date = standard_date(&tag);
            if let Some((_, true)) = date {
                take(DATE_AS_WRITTEN, &tag.text());
            }
            let text = date.map_or_else(|| tag.text(), |(date, _)| Cow::Owned(date));
            match renamed.next_if(|(place, _)| *place == n) {
                Some((_, name)) => take(&name, &text),
                None => take(&decode(tag.name), &text),
            }
        }
    }

    /// Returns the names and values of the tags.
    #[must_use]
    pub fn tags(&self) -> Vec<(String, String)> {
        let tags = self.game.tags();
        tags.map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect()
    }

    /// Passes every item of the movetext to a function, in order. For a token that was read, the second argument is its
    /// move.
    pub fn each_item(&self, take: impl FnMut(Item<&str>, Option<Move>)) {
        self.items(&[], take);
    }

    /// Like [`Played::each_item`], with the [`Trace`] of each guess as a comment after its move.
    pub fn each_traced_item(&self, take: impl FnMut(Item<&str>, Option<Move>)) {
        self.items(&self.guesses, take);
    }

    /// Like [`Played::each_item`], with traces after the events at some indices, which are in order.
    fn items(&self, guesses: &[(usize, Trace)], mut take: impl FnMut(Item<&str>, Option<Move>)) {
        let mut guesses = guesses.iter().peekable();
        let (mut moves, mut side_moves) = (self.moves.iter(), self.side_moves.iter());
        let mut depth = 0_usize;
        for (index, event) in self.game.events().iter().enumerate() {
            let mut played = None;
            match event.kind {
                Item::Move(_) if depth == 0 => played = moves.next().copied(),
                Item::Move(_) => played = side_moves.next().copied().flatten(),
                Item::VariationStart => depth += 1,
                Item::VariationEnd => depth = depth.saturating_sub(1),
                _ => {}
            }
            take(self.game.item(event).as_deref(), played);
            if let Some((_, trace)) = guesses.next_if(|(at, _)| *at == index) {
                take(Item::Comment(&trace.to_string()), None);
            }
        }
    }
}
