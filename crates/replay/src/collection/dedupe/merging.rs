//! Merges the annotations of duplicates into the record that is retained.

use crate::reconcile::merge::{self, Annotated, letter};
use tridex_archive::game::Event;
use tridex_archive::{Game, GameResult, Item, Limits, game, pgn, write};

/// A retained record as PGN with the tags and annotations of others of the same game, or of its beginning.
pub(super) fn merged(kept: &[u8], others: &[Vec<u8>]) -> Vec<u8> {
    let limits = Limits::default();
    let read = |text: &[u8]| game::collect(|reader| pgn::read_games(text, 0, &limits, reader));
    let own = read(kept);
    let others: Vec<Game<'_>> = others.iter().flat_map(|text| read(text)).collect();
    let Some(own) = own.first() else {
        return kept.to_vec();
    };
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = write::pgn(&merged_game(own, &others), &mut text);
    text
}

fn merged_game(own: &Game<'_>, others: &[Game<'_>]) -> Game<'static> {
    let all: Vec<&Game<'_>> = std::iter::once(own).chain(others).collect();
    let tags = merge::tags(&all);
    let mut out = Game::new();
    let mut added: Vec<(String, String)> = tags.tags;
    for (name, value) in own.tags() {
        let known = added
            .iter()
            .position(|(known, _)| known.eq_ignore_ascii_case(&name));
        // A tag that the record has twice stays so.
        let merged = known.map(|known| added.remove(known).1);
        out.push_tag(&name, merged.as_deref().unwrap_or(&value));
    }
    for (name, value) in &added {
        out.push_tag(name, value);
    }
    let result = merge::results(&all).into_iter().flatten().next();
    if own.tag("Result").is_none_or(|tag| tag == "*")
        && let Some(result) = result
    {
        out.set_tag("Result", result.as_str());
    }
    for tag in &tags.differences {
        let values = tag.values.iter().enumerate();
        let values = values.filter_map(|(record, value)| {
            Some(format!("{} has {}", letter(record), value.as_ref()?))
        });
        let text = format!("{}: {}", tag.name, values.collect::<Vec<_>>().join(", "));
        out.push(Item::Comment(&text.replace(['{', '}'], "")));
    }
    let tokens: Vec<Vec<String>> = all
        .iter()
        .map(|game| {
            game.main_line()
                .map(|(text, _)| text.into_owned())
                .collect()
        })
        .collect();
    let annotations: Vec<Vec<Vec<&Event>>> =
        all.iter().map(|game| merge::annotations(game)).collect();
    let own_tokens = tokens.first().map(Vec::as_slice).unwrap_or_default();
    let bare = |token: &str| token.trim_end_matches(['+', '#', '!', '?']).to_owned();
    let has_style = |theirs: &[String]| {
        let same = theirs
            .iter()
            .zip(own_tokens)
            .filter(|(one, other)| bare(one) == bare(other));
        same.count() * 2 >= theirs.len()
    };
    let after = |index: usize| -> Vec<Annotated<'_>> {
        let records = all.iter().zip(&annotations).zip(&tokens).enumerate();
        let items = records.map(|(record, ((game, annotations), tokens))| Annotated {
            record,
            game,
            items: annotations.get(index).cloned().unwrap_or_default(),
            has_style: record == 0 || has_style(tokens),
        });
        items.collect()
    };
    merge::push(&mut out, &after(0));
    for (index, token) in own_tokens.iter().enumerate() {
        out.push(Item::Move(token));
        merge::push(&mut out, &after(index + 1));
    }
    out.result = own
        .result
        .filter(|result| *result != GameResult::Unknown)
        .or(result)
        .or(own.result);
    out
}
