//! The data for the script as JSON: one object for each game, and one for what games share. `web/viewer/wire.js` describes
//! all of it.

use crate::game::{More, Node, PageGame, Piece};
use crate::packing::{json, listed};
use crate::scenery::Scenery;
use serde::Serialize;
use std::collections::BTreeMap;
use tridex_picture::Space;
use tridex_rules::Position;

/// Choices for [`player`](crate::player).
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PlayerOptions {
    /// The variation that is shown first, numbered in the order of the variations' first moves; `None` for the main
    /// line.
    pub line: Option<usize>,
    /// The ply of this line that is shown first, counted from the start of the game; the last one if the line is
    /// shorter.
    pub ply: usize,
    /// Plies of the main line that match a query. They are marked among the moves.
    pub found: Vec<usize>,
    /// Omit the picture of the last position, which is for readers without script.
    pub no_picture: bool,
}

tridex_text::setters! {
    impl[] PlayerOptions {
        line: Option<usize>,
        ply: usize,
        found: Vec<usize>,
        no_picture: bool,
    }
}

#[derive(Serialize)]
struct Data<'a> {
    title: String,
    /// Numbers of tags in the shared table.
    tags: Vec<usize>,
    result: &'a str,
    /// The names of the notations that readers can choose.
    notations: Vec<String>,
    /// Numbers in the shared tables: the boards, the start, the layouts.
    shape: usize,
    start: usize,
    layouts: Vec<usize>,
    /// Numbers of moves in the shared table, in base 36.
    moves: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    more: BTreeMap<usize, Rare<'a>>,
    text: Vec<Token>,
    /// The node that is shown first, and the nodes that match a query.
    at: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    found: Vec<usize>,
}

/// What only some moves have.
#[derive(Serialize)]
struct Rare<'a> {
    #[serde(flatten)]
    more: &'a More,
    /// The number of the rights in the shared table, if they change.
    #[serde(skip_serializing_if = "Option::is_none")]
    rights: Option<usize>,
}

/// A part of the text of a game: a number of moves, or other text after a letter for its kind.
#[derive(Serialize)]
#[serde(untagged)]
enum Token {
    Moves(usize),
    Other(String),
}

/// A game as JSON that cannot end the HTML element around it.
pub(crate) fn data(game: &PageGame, options: &PlayerOptions, scenery: &mut Scenery) -> String {
    let is_at = |ply| move |node: &Node| node.place == (None, ply);
    let on_main = |ply: &usize| game.nodes.iter().position(is_at(*ply));
    let plain = More::default();
    let notations: Vec<_> = game
        .spellings
        .iter()
        .map(|spelling| spelling.notation)
        .collect();
    let space = space(game);
    let mut moves = String::new();
    for node in game.nodes.iter().skip(1) {
        let [from, to] = node.step;
        let played = format!("{from:02x}{to:02x} {}", node.words.join(" "));
        listed(scenery.moves.number(played, String::clone), &mut moves);
    }
    let data = Data {
        title: game.title(),
        tags: game
            .tags
            .iter()
            .map(|tag| scenery.tags.number(tag.clone(), Clone::clone))
            .collect(),
        result: game.result,
        notations: game.notations(),
        shape: scenery.shape(game.start.family(), space),
        start: scenery.start(&game.start),
        layouts: game
            .layouts
            .iter()
            .map(|position| scenery.layout(position, space, &notations))
            .collect(),
        moves,
        more: (0..)
            .zip(&game.nodes)
            .filter(|(_, node)| node.more != plain)
            .map(|(i, Node { more, .. })| {
                let rights = more.rights.clone();
                let rights = rights.map(|rights| scenery.rights.number(rights, String::clone));
                (i, Rare { more, rights })
            })
            .collect(),
        text: tokens(&game.text),
        at: game.node(options.line, options.ply),
        found: options.found.iter().filter_map(on_main).collect(),
    };
    json(&data)
}

fn tokens(text: &[Piece]) -> Vec<Token> {
    let mut tokens = Vec::new();
    for piece in text {
        let other = match piece {
            Piece::Move { .. } => {
                match tokens.last_mut() {
                    Some(Token::Moves(moves)) => *moves += 1,
                    _ => tokens.push(Token::Moves(1)),
                }
                continue;
            }
            Piece::Comment(text) => format!("c{text}"),
            Piece::Score(text) => format!("e{text}"),
            Piece::Clock(text) => format!("k{text}"),
            Piece::Word(text) => format!("w{text}"),
            Piece::Open => "(".to_owned(),
            Piece::Close => ")".to_owned(),
        };
        tokens.push(Token::Other(other));
    }
    tokens
}

/// Space for every layout of a game, so that all its pictures have the same frame.
pub(crate) fn space(game: &PageGame) -> Space {
    Space::of(game.layouts.iter().filter_map(Position::layout))
}
