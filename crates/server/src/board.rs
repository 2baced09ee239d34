//! The drawn board with its links. A link selects a square, an attack board or a pin.

use crate::fault::Fault;
use crate::params::Params;
use maud::{Markup, PreEscaped, html};
use tridex_geometry::stair::{AttackBoard, Layout, Pin, Surface};
use tridex_geometry::{Family, Square};
use tridex_index::IndexedGame;
use tridex_notation::{Notation, names};
use tridex_picture::{
    Arrangement, Ink, LinkTarget, Marks, PictureLink, PictureOptions, Space, Stage, Theme, View,
    all_squares, linked_svg, piece_definitions, piece_id, svg,
};
use tridex_rules::{Piece, Position, RuleSystem, Setup};

/// What a reader can select on a page with a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spot {
    /// A square.
    Square(Square),
    /// An attack board, selected by the strip at its outer edge.
    Board(AttackBoard),
    /// A free pin to which a board can move. It covers the squares that the board would have there.
    Pin(AttackBoard, Pin),
    /// A piece of the palette next to the board, or the eraser (`None`).
    Piece(Option<Piece>),
}

impl Spot {
    /// Its name in addresses. It is also the key of its link, so that the keyboard focus stays on it when the page
    /// changes.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Square(square) => format!("s{}", square.index()),
            Self::Board(board) => names::manual_board(board).to_owned(),
            Self::Pin(_, pin) => format!("p{}", names::pin_in_strings(pin)),
            Self::Piece(piece) => piece.map_or('x', Piece::letter).to_string(),
        }
    }

    /// A description of it, with the piece if it is an occupied square.
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

    /// Finds a square, an attack board, a piece or the eraser by its name.
    pub(crate) fn read(name: &str, family: Family) -> Option<Self> {
        let squares = all_squares(family).map(Self::Square);
        let boards = AttackBoard::ALL.into_iter().map(Self::Board);
        let pieces = kinds().map(Some).chain([None]).map(Self::Piece);
        let mut all = squares.chain(boards).chain(pieces);
        all.find(|spot| spot.name() == name)
    }

    /// Its area on the board; `None` for a piece of the palette.
    fn target(self) -> Option<LinkTarget> {
        match self {
            Self::Square(square) => Some(LinkTarget::Square(square)),
            Self::Board(board) => Some(LinkTarget::Board(board)),
            Self::Pin(board, pin) => Some(LinkTarget::Pin(board, pin)),
            Self::Piece(_) => None,
        }
    }

    /// The marks on its squares while it is selected.
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
    /// The address of the page with this selected, if it can be dragged.
    pub(crate) lift: Option<String>,
}

impl SpotLink {
    /// The link as a part of the picture.
    fn drawn(&self, setup: &Setup) -> Option<PictureLink> {
        let mut attributes = vec![("href", self.address.clone()), ("data-swap", String::new())];
        let piece = match self.spot {
            Spot::Square(square) => setup.piece(square).map(piece_id),
            _ => None,
        };
        attributes.extend(self.lift.clone().map(|lift| ("data-lift", lift)));
        attributes.extend(piece.map(|piece| ("data-piece", piece)));
        Some(PictureLink {
            target: self.spot.target()?,
            key: self.spot.name(),
            label: self.label.clone(),
            attributes,
        })
    }
}

/// The nominal width of the drawing. Pages scale it to the space they have.
const WIDTH: u32 = 960;

/// The stage of a drawing with names, with the space that `Space::of` leaves for boards that move.
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
        space: Space::of(layout),
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
    picture(
        rules,
        setup,
        params,
        &marks,
        links,
        Arrangement::Column,
        false,
    )
}

/// A board for windows of every size: upright windows show its levels above each other, wide ones next to each other. In the
/// stand view it is the same picture for all. A script removes the picture that is not shown.
pub(crate) fn fitting(
    rules: RuleSystem,
    setup: &Setup,
    params: &Params,
    marks: &Marks,
    links: &[SpotLink],
) -> Markup {
    let picture = |arrangement| picture(rules, setup, params, marks, links, arrangement, true);
    html! {
        div.boards {
            (pieces())
            (picture(Arrangement::Column))
            @if params.view() == View::Flat { (picture(Arrangement::Row)) }
        }
    }
}

fn picture(
    rules: RuleSystem,
    setup: &Setup,
    params: &Params,
    marks: &Marks,
    links: &[SpotLink],
    arrangement: Arrangement,
    has_pieces: bool,
) -> Markup {
    let layout = setup.layout.as_ref();
    let stage = stage(params, setup.family(), arrangement, layout);
    // If a board can move below a corner, the places above and below it must be separate.
    let is_below = |(_, pin): &(AttackBoard, Pin)| pin.surface() == Surface::Under;
    let space = match marks.pins.iter().any(is_below) {
        true => stage.space.with_pairs(),
        false => stage.space,
    };
    let options = PictureOptions::default()
        .view(stage.view)
        .arrangement(Some(stage.arrangement))
        .side(stage.side)
        .width(WIDTH)
        .theme(Theme::Page)
        .names(Some(true))
        .marks(marks.clone())
        .space(Some(space))
        .omits_definitions(has_pieces);
    let links: Vec<PictureLink> = links.iter().filter_map(|link| link.drawn(setup)).collect();
    html! {
        div.board.row[arrangement == Arrangement::Row] { (PreEscaped(linked_svg(rules, setup, &options, &links))) }
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

/// A small board without names, for a page that has the [`pieces`]. Screen readers skip it, because the page has its
/// content as text too.
pub(crate) fn small(position: &Position, marks: &Marks, view: View) -> Markup {
    let options = PictureOptions::default()
        .view(view)
        .arrangement(Some(Arrangement::Row))
        .theme(Theme::Page)
        .names(Some(false))
        .marks(marks.clone())
        .omits_definitions(true);
    html! { span.small aria-hidden="true" { (PreEscaped(svg(position, &options))) } }
}

/// The corners of a square as the points of a polygon, in squares of the stage.
pub(crate) fn outline(stage: &Stage, layout: Option<&Layout>, square: Square) -> Option<String> {
    let corners = LinkTarget::Square(square).outline(stage, layout)?;
    Some(
        corners
            .map(|at| format!("{:.2},{:.2}", at.x, at.y))
            .join(" "),
    )
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

/// The name of a square in the notation of a rule system.
pub(crate) fn square_name(rules: RuleSystem, setup: &Setup, square: Square) -> String {
    names::square(Notation::of(rules), setup.layout.as_ref(), square)
}

/// Links to the other view, and to the board from the other side.
pub(crate) fn view_links(params: &Params, address: impl Fn(&[(&str, &str)]) -> String) -> Markup {
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
