//! A game as it was replayed, made what the index takes.

use tridex_archive::Item;
use tridex_index::{GameEntry, STEERING, Scribe};
use tridex_replay::Played;

/// A game that was replayed.
pub(super) fn of_game(number: u32, game: &Played<'_>) -> GameEntry {
    let entry = if game.is_annotated() {
        let mut scribe = Scribe::default();
        game.each_item(|item, read| match item {
            Item::Move(text) => scribe.play(text, read),
            item => scribe.note(item.map(str::to_owned)),
        });
        scribe.finish(number, game.rules())
    } else {
        GameEntry::new(number, game.rules(), game.moves().to_vec())
    };
    GameEntry {
        start: game.is_set_up().then(|| game.start().to_setup()),
        tags: kept(game),
        result: game.result(),
        ..entry
    }
}

/// The tags that are kept: those that no field of the entry holds.
fn kept(game: &Played<'_>) -> Vec<(String, String)> {
    let mut tags = Vec::new();
    game.each_written_tag(|name, value| {
        if !STEERING
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name))
        {
            tags.push((name.to_owned(), value.to_owned()));
        }
    });
    tags
}
