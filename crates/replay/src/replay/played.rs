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

/// A game that was replayed and its record, valid until the next one is read. [`Played::to_replay`] returns a [`Replay`]
/// of its own.
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

    /// What its record states.
    #[must_use]
    pub fn game(&self) -> &'a Game<'a> {
        self.game
    }

    /// What is known of the words of its archive.
    pub(crate) fn cache(&self) -> &'a ParseCache {
        self.cache
    }

    /// Number of the game in its source, from 1.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Offset of the game in the decompressed source.
    #[must_use]
    pub fn at(&self) -> u64 {
        self.game.at
    }

    /// The game as it is in its source, without blanks and a byte order mark around it, and its offset in the decompressed
    /// source; nothing of a game in memory. With `after_last` it begins where the game before it ended, so that
    /// comments before its tags belong to it; else [at its own place](Played::at). A sheet's rows mean nothing without its
    /// heading.
    #[must_use]
    pub fn bytes(&self, after_last: bool) -> (u64, &'a [u8]) {
        self.game.bytes(after_last)
    }

    /// What of the record is lost to who only reads the moves: where they break off, or what is damaged. `None` if nothing
    /// is; a result that contradicts the board loses nothing.
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

    /// Whether there is anything but moves of the main line.
    #[must_use]
    pub fn is_annotated(&self) -> bool {
        self.game.events().len() > self.tokens
    }

    /// PlayerStyles each tag to a function, name and value, as it is written again: the words of a result that is not written as
    /// records have it as `ResultAsWritten`, a name that is there already with a number ([`second_names`]).
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

    /// Names and values of the tags.
    #[must_use]
    pub fn tags(&self) -> Vec<(String, String)> {
        let tags = self.game.tags();
        tags.map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect()
    }

    /// Passes every item of the movetext to a function, in order, moves with the move they were read as.
    pub fn each_item(&self, take: impl FnMut(Item<&str>, Option<Move>)) {
        self.items(&[], take);
    }

    /// The same with the [`Trace`] of each guess as a comment after its move.
    pub fn each_traced_item(&self, take: impl FnMut(Item<&str>, Option<Move>)) {
        self.items(&self.guesses, take);
    }

    /// [`Played::each_item`] with traces after the events of some indices, in order.
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
