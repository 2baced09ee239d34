//! Games that bytes choose, move by move, so that inputs are deep.

use crate::{held, walk};
use tridex_archive::sheet::SheetLayout;
use tridex_archive::write::{self, JsonHead, TableStyle};
use tridex_archive::{Game, Item, Limits, game::collect, ndjson, pgn, sheet};
use tridex_notation::{Notation, WriteOptions, laws, write_played};

/// The game in every notation of its family and through every other and back is the same.
///
/// # Panics
/// If a law is broken.
pub fn notations(data: &[u8]) {
    let (start, moves) = walk::game(data);
    held(laws::crosses_notations(
        &start,
        &moves,
        &WriteOptions::default(),
    ));
}

/// The engine says at the end of the game what the slow statement of the rules says, and what a position is held to.
///
/// # Panics
/// If a law is broken.
pub fn fast_slow(data: &[u8]) {
    let (start, moves) = walk::game(data);
    let mut position = start;
    for m in moves {
        assert!(position.is_legal(m));
        position.play_unchecked(m);
    }
    held(laws::every_ply(&position));
    held(laws::fast_is_slow(&position));
}

/// A game with whatever may stand between moves, chosen by bytes too, is written in every form and read again.
///
/// # Panics
/// If a law is broken.
pub fn writers(data: &[u8]) {
    let (chosen, rest) = data.split_at(data.len() / 2);
    let game = annotated(chosen, rest);
    let games = std::slice::from_ref(&game);
    let mut archive = Vec::new();
    write::pgn(&game, &mut archive).expect("writing to memory never fails");
    let read = collect(|v| pgn::read_games(&archive, 0, &Limits::default(), v));
    same(games, read, &archive);
    let mut line = Vec::new();
    write::ndjson(&game, &JsonHead::default(), &mut line).expect("writing to memory never fails");
    assert!(line.iter().all(|b| *b == b'\n' || !b.is_ascii_control()));
    let read = collect(|v| ndjson::read_games(&line, 0, &Limits::default(), v));
    same(games, read, &line);
    let (style, mut rows) = (TableStyle::default(), Vec::new());
    write::sheet_heading(style, &mut rows).expect("writing to memory never fails");
    write::sheet(1, &game, style, &mut rows).expect("writing to memory never fails");
    let layout = SheetLayout::detect(&rows, 0);
    let read = collect(|v| sheet::read_games(&rows, 0, &layout, &Limits::default(), v));
    same(games, read, &rows);
}

/// What was read has the moves that were written, and nothing is damaged.
fn same(written: &[Game<'_>], read: Vec<Game<'_>>, text: &[u8]) {
    let shown = || String::from_utf8_lossy(text).into_owned();
    assert_eq!(read.len(), written.len(), "{}", shown());
    for (read, written) in read.iter().zip(written) {
        assert_eq!(read.damage, [], "{}", shown());
        let moves = |game: &Game<'_>| -> Vec<String> {
            game.main_line()
                .map(|(text, _)| text.into_owned())
                .collect()
        };
        assert_eq!(moves(read), moves(written), "{}", shown());
        assert_eq!(read.tag("White"), written.tag("White"), "{}", shown());
    }
}

/// A game whose moves the first bytes choose, and what stands between them the others.
fn annotated(chosen: &[u8], rest: &[u8]) -> Game<'static> {
    let (start, moves) = walk::game(chosen);
    let mut others = rest.iter().copied();
    let notation = Notation::ALL
        .into_iter()
        .find(|n| n.family() == start.family());
    let mut game = Game::new();
    // A value of a tag is one line, and blanks at its ends do not count in a cell.
    let name: String = String::from_utf8_lossy(rest.get(..rest.len().min(20)).unwrap_or_default())
        .chars()
        .map(|c| if c.is_control() { '.' } else { c })
        .collect();
    game.set_tag("White", name.trim());
    let mut depth = 0;
    let mut token = String::new();
    let mut before = start;
    for m in moves {
        for _ in 0..2 {
            between(&mut game, others.next().unwrap_or(0), &token, &mut depth);
        }
        let mut after = before.clone();
        after.play_unchecked(m);
        token.clear();
        let written = notation
            .map(|n| write_played(n, &before, m, &after, &WriteOptions::default(), &mut token));
        assert!(
            matches!(written, Some(Ok(()))),
            "the notation is of the family"
        );
        while depth > 0 {
            game.push(Item::VariationEnd);
            depth -= 1;
        }
        game.push(Item::Move(&token));
        before = after;
    }
    for byte in others {
        between(&mut game, byte, &token, &mut depth);
    }
    game
}

/// Something that stands between moves.
fn between(game: &mut Game<'_>, byte: u8, token: &str, depth: &mut usize) {
    match byte {
        1..20 => game.push(Item::Nag(byte)),
        20..30 => game.push(Item::DrawOffer),
        30..40 => game.push(Item::Comment("a comment [x] (y) 1-0")),
        40..45 => game.push(Item::Comment("with a } in it")),
        45..50 => game.push(Item::LineComment("to the end of the line {")),
        50..55 => game.push(Item::Escape("escaped")),
        55..60 => game.push(Item::Word("etc.")),
        60..75 if !token.is_empty() => {
            game.push(Item::VariationStart);
            game.push(Item::Move(token));
            *depth += 1;
        }
        75..80 if !token.is_empty() && *depth > 0 => {
            game.push(Item::VariationEnd);
            *depth -= 1;
        }
        80..85 => game.push(Item::VariationStart),
        85..90 => game.push(Item::VariationEnd),
        _ => {}
    }
}
