//! Converts replayed games to entries for an index.

use tridex_archive::Item;
use tridex_index::{GameEnding, GameEntry, GameEntryBuilder, NOTATION_TAGS};
use tridex_replay::Played;

/// Converts a replayed game to an entry for an index. `number` is its number in its file.
///
/// ```
/// use tridex_archive::{Limits, game, pgn};
/// use tridex_core::index_entry;
/// use tridex_replay::{Options, replay_with};
///
/// let text = b"[Variant \"meder\"]\n[White \"Kirk\"]\n\n1. b4N b5B *\n";
/// let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
/// let entry = replay_with(&games[0], &Options::default(), |game| index_entry(1, game));
/// assert_eq!((entry.moves.len(), entry.tag("White")), (2, Some("Kirk")));
/// ```
#[must_use]
pub fn index_entry(number: u32, game: &Played<'_>) -> GameEntry {
    let entry = if game.is_annotated() {
        let mut builder = GameEntryBuilder::default();
        game.each_item(|item, read| match item {
            Item::Move(text) => builder.play(text, read),
            item => builder.note(item.map(|text| (*text).to_owned())),
        });
        builder.finish(number, game.rules())
    } else {
        GameEntry::new(number, game.rules(), game.moves().to_vec())
    };
    GameEntry {
        start: game.is_set_up().then(|| game.start().to_setup()),
        tags: other_tags(game),
        result: game.result(),
        ending: game.outcome().map(GameEnding::from),
        ..entry
    }
}

/// The tags of the entry: those that no other field of it holds.
fn other_tags(game: &Played<'_>) -> Vec<(String, String)> {
    let mut tags = Vec::new();
    game.each_written_tag(|name, value| {
        if !NOTATION_TAGS
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name))
        {
            tags.push((name.to_owned(), value.to_owned()));
        }
    });
    tags
}
