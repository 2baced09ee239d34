//! What the script needs to know of a game, as JSON.

use crate::game::{Node, PageGame};
use crate::scenery::{Scenery, Shape, Shared, men, shape};
use serde::Serialize;
use tridex_picture::{MAN, Room, SQUARE};
use tridex_rules::Position;

#[derive(Serialize)]
struct Data<'a> {
    /// The side of a square in the units of the pictures, and how large a man is drawn.
    unit: f64,
    man: f64,
    shape: Shape,
    layouts: Vec<Shared>,
    /// What readers can choose among.
    notations: Vec<String>,
    /// The men at the start.
    start: Vec<u8>,
    nodes: &'a [Node],
    /// The node that is shown first, and those that were found.
    at: usize,
    found: &'a [usize],
}

/// A game as JSON in which nothing can end the element it stands in.
pub(crate) fn data(game: &PageGame, at: usize, found: &[usize], scenery: &mut Scenery) -> String {
    let room = room(game);
    let notations: Vec<_> = game
        .spellings
        .iter()
        .map(|spelling| spelling.wording.notation)
        .collect();
    let data = Data {
        unit: SQUARE,
        man: MAN,
        shape: shape(game.start.family(), room),
        layouts: game
            .layouts
            .iter()
            .map(|position| scenery.layout(position, room, &notations))
            .collect(),
        notations: game.notations(),
        start: men(&game.start),
        nodes: &game.nodes,
        at,
        found,
    };
    // Numbers and texts only: nothing here that JSON has no word for.
    let json = serde_json::to_string(&data).unwrap_or_default();
    let mut out = String::with_capacity(json.len() + json.len() / 8);
    for sign in json.chars() {
        match sign {
            // The first ends the element, or begins a comment in it; the others are for readers of XML.
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            _ => out.push(sign),
        }
    }
    out
}

/// Room for every layout of a game, so that its boards keep their frame.
pub(crate) fn room(game: &PageGame) -> Room {
    Room::of(game.layouts.iter().filter_map(Position::layout))
}
