//! The drawn board with its links.
//!
//! The picture and the links lie over each other as two drawings of the same size: a picture is one thing to a screen
//! reader, and its links are others. What can be chosen is a square, an attack board or a pin.

use crate::fault::Fault;
use crate::params::Params;
use maud::{Markup, PreEscaped, html};
use tridex_geometry::stair::{AttackBoard, Layout, Pin, Surface};
use tridex_geometry::{Family, Square, Wing};
use tridex_index::IndexedGame;
use tridex_notation::{Notation, names};
use tridex_picture::{
    Arrangement, Ink, Marks, PictureOptions, Room, Slab, Stage, Theme, View, all_squares,
    piece_definitions, piece_id, setup_svg, svg,
};
use tridex_rules::{Piece, Position, RuleSystem, Setup};

/// What can be touched on a page with a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spot {
    /// A square.
    Square(Square),
    /// An attack board, by its name next to it.
    Board(AttackBoard),
    /// A free pin, for a board: the place that the board would have there.
    Pin(AttackBoard, Pin),
    /// A piece of which there are any number, next to the board; or what removes pieces.
    Piece(Option<Piece>),
}

impl Spot {
    /// Its name in addresses, and of its link, so that the keyboard stays on it when the page changes.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Square(square) => format!("s{}", square.index()),
            Self::Board(board) => names::manual_board(board).to_owned(),
            Self::Pin(_, pin) => format!("p{}", names::pin_in_strings(pin)),
            Self::Piece(piece) => piece.map_or('x', Piece::letter).to_string(),
        }
    }

    /// What it is, and what is on it.
    pub(crate) fn words(self, rules: RuleSystem, setup: &Setup) -> String {
        match self {
            Self::Square(square) => {
                let name = square_name(rules, setup, square);
                let piece = setup.piece(square).map(piece_name);
                piece.map_or(name.clone(), |piece| format!("{piece} on {name}"))
            }
            Self::Board(board) => format!("board {}", names::manual_board(board)),
            Self::Pin(_, pin) => format!("pin {}", names::pin_in_strings(pin)),
            Self::Piece(piece) => piece.map_or("eraser".to_owned(), piece_name),
        }
    }

    /// What can be selected on a kind of board, by its name.
    pub(crate) fn read(name: &str, family: Family) -> Option<Self> {
        let squares = all_squares(family).map(Self::Square);
        let boards = AttackBoard::ALL.into_iter().map(Self::Board);
        let pieces = kinds().map(Some).chain([None]).map(Self::Piece);
        let mut all = squares.chain(boards).chain(pieces);
        all.find(|spot| spot.name() == name)
    }

    /// Its squares, as they are marked where it is selected.
    pub(crate) fn marked(self) -> Vec<(Square, Ink)> {
        let blue = |square| (square, Ink::Blue);
        match self {
            Self::Square(square) => vec![blue(square)],
            Self::Board(board) | Self::Pin(board, _) => {
                board.squares().into_iter().map(blue).collect()
            }
            Self::Piece(_) => Vec::new(),
        }
    }
}

/// A link on a board.
pub(crate) struct SpotLink {
    pub(crate) spot: Spot,
    pub(crate) address: String,
    /// What it does, for screen readers.
    pub(crate) label: String,
    /// The address on which what is here is selected, if it can be dragged.
    pub(crate) lift: Option<String>,
}

/// The width of the drawing; pages show it as wide as there is room.
const WIDTH: u32 = 960;

/// Where the boards of a drawing with names are: all places that a board could go to have room.
pub(crate) fn stage(
    params: &Params,
    family: Family,
    arrangement: Arrangement,
    layout: Option<&Layout>,
) -> Stage {
    Stage {
        family,
        view: params.view(),
        arrangement,
        side: params.side(),
        room: Room::of(layout),
        named: true,
    }
}

/// A board as a part of a page.
pub(crate) fn drawn(
    rules: RuleSystem,
    setup: &Setup,
    params: &Params,
    marks: Marks,
    links: &[SpotLink],
) -> Markup {
    let layout = setup.layout.as_ref();
    let stage = stage(params, setup.family(), Arrangement::Column, layout);
    let options = PictureOptions {
        view: stage.view,
        arrangement: Some(stage.arrangement),
        side: stage.side,
        width: WIDTH,
        theme: Theme::Page,
        names: Some(true),
        marks,
        room: Some(stage.room),
        ..PictureOptions::default()
    };
    let picture = setup_svg(rules, setup, &options);
    let size = stage.size();
    let piece = |spot| match spot {
        Spot::Square(square) => setup.piece(square).map(piece_id),
        _ => None,
    };
    html! {
        div.board {
            (PreEscaped(picture))
            @if !links.is_empty() {
                svg.spots xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {:.2} {:.2}", size.x, size.y)) {
                    @for link in links {
                        @if let Some(points) = outline(&stage, layout, link.spot) {
                            a href=(link.address) aria-label=(link.label) data-swap="" data-key=(link.spot.name())
                                data-lift=[&link.lift] data-piece=[piece(link.spot)] {
                                title { (link.label) }
                                polygon points=(points) {}
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Every kind of piece, those of White first.
pub(crate) fn kinds() -> impl Iterator<Item = Piece> {
    "KQRBNPkqrbnp".chars().filter_map(Piece::from_letter)
}

/// `white knight`
pub(crate) fn piece_name(piece: Piece) -> String {
    format!("{} {}", piece.color, piece.role.name()).to_lowercase()
}

/// A picture of a piece, on a page that has a board.
pub(crate) fn piece(piece: Piece) -> Markup {
    html! {
        svg.piece viewBox="-50 -100 100 104" aria-hidden="true" focusable="false" { use href=(format!("#{}", piece_id(piece))) {} }
    }
}

/// The pictures of all pieces, for pages with small boards.
pub(crate) fn pieces() -> Markup {
    html! {
        svg.unseen aria-hidden="true" focusable="false" { (PreEscaped(piece_definitions())) }
    }
}

/// A small board without words, on a page that has the [`pieces`]. It shows what is also on the page as text.
pub(crate) fn small(position: &Position, marks: &Marks, view: View) -> Markup {
    let options = PictureOptions {
        view,
        arrangement: Some(Arrangement::Row),
        theme: Theme::Page,
        names: Some(false),
        marks: marks.clone(),
        omits_definitions: true,
        ..PictureOptions::default()
    };
    html! { span.small aria-hidden="true" { (PreEscaped(svg(position, &options))) } }
}

/// The corners of a link.
pub(crate) fn outline(stage: &Stage, layout: Option<&Layout>, spot: Spot) -> Option<String> {
    let start = Layout::start(Surface::Over);
    let layout = layout.unwrap_or(&start);
    // The near left corner, how many files and ranks there are from it, and the boards as they are or would be.
    let (slab, file, rank, files, ranks, layout) = match spot {
        Spot::Square(square) => {
            let (slab, file, rank) = stage.cell_of(square);
            (slab, f64::from(file), f64::from(rank), 1.0, 1.0, *layout)
        }
        // A strip at the outer edge of an attack board, where nothing else is: in the flat view the tie to the corner is
        // between the board and its main board.
        Spot::Board(board) => {
            let is_left = (layout.pin(board).wing() == Wing::Queen) == stage.side.is_white();
            let file = if is_left { -0.42 } else { 2.02 };
            (Slab::Attack(board), file, 0.0, 0.4, 2.0, *layout)
        }
        Spot::Pin(board, pin) => {
            let there = layout.moved(board, pin).ok()?;
            (Slab::Attack(board), 0.0, 0.0, 2.0, 2.0, there)
        }
        Spot::Piece(_) => return None,
    };
    let corners = [(0.0, 0.0), (files, 0.0), (files, ranks), (0.0, ranks)].map(|(f, r)| {
        let at = stage.point(slab, Some(&layout), file + f, rank + r);
        format!("{:.2},{:.2}", at.x, at.y)
    });
    Some(corners.join(" "))
}

/// The position of a game after some plies of a line, with the move that led there marked.
pub(crate) fn position_in(
    game: &IndexedGame,
    variation: Option<u32>,
    ply: u32,
) -> Result<(Position, Marks), Fault> {
    let none = format!("There is no ply {ply} in this line of the game.");
    let moves = game.line_to(variation, ply);
    let moves = moves.ok_or_else(|| Fault::new(404, none))?;
    let mut position = game.entry.start_position()?;
    let mut marks = Marks::default();
    if let Some((last, before)) = moves.split_last() {
        for played in before {
            position.play_unchecked(*played);
        }
        marks = Marks::after(&position, *last);
        position.play_unchecked(*last);
    }
    Ok((position, marks))
}

/// The name of a square in the words of a rule system.
pub(crate) fn square_name(rules: RuleSystem, setup: &Setup, square: Square) -> String {
    names::square(Notation::of(rules), setup.layout.as_ref(), square)
}

/// Links to the other view, and to the board from the other side.
pub(crate) fn looks(params: &Params, address: impl Fn(&[(&str, &str)]) -> String) -> Markup {
    let (view, shown) = match params.view() {
        View::Flat => ("stand", "Stand view"),
        View::Stand => ("", "Flat view"),
    };
    let turned = if params.side().is_white() { "1" } else { "" };
    html! {
        nav.looks aria-label="View of the board" {
            a href=(address(&[("view", view)])) data-swap="" data-key="view" { (shown) }
            a href=(address(&[("turned", turned)])) data-swap="" data-key="turned" { "Turn the board" }
        }
    }
}
