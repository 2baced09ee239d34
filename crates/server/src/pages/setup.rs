//! A position set up by hand.
//!
//! The whole state is in the address: rules, position, and what the hand holds. Every square of the drawn board is a link
//! to the page on which what the hand holds has been put there; so no script is needed.

use super::layout;
use crate::board::{self, Drawn, Spot, SpotLink};
use crate::fault::Fault;
use crate::params::{LOOKING, Params};
use crate::reply::Reply;
use crate::site::{Request, Site};
use maud::{Markup, html};
use tridex_geometry::stair::{AttackBoard, Layout, Pin, Surface};
use tridex_geometry::{Family, Square};
use tridex_notation::names::{manual_board, pin_in_strings};
use tridex_notation::position_string;
use tridex_picture::{Ink, Marks};
use tridex_rules::{Castling, CastlingSide, Color, Piece, Position, Role, RuleSystem, Setup};

/// What the hand holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hand {
    /// Nothing: what is touched next is taken up.
    Empty,
    /// A piece of which there are any number.
    Piece(Piece),
    /// The piece of a square.
    Taken(Square),
    /// An attack board.
    Board(AttackBoard),
    /// What removes pieces.
    Rubber,
}

impl Hand {
    fn read(text: &str) -> Option<Self> {
        match Spot::read(text) {
            Some(Spot::Square(square)) => return Some(Self::Taken(square)),
            Some(Spot::Board(board)) => return Some(Self::Board(board)),
            _ => {}
        }
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (Some('x'), None) => Some(Self::Rubber),
            (Some(letter), None) => Piece::from_letter(letter).map(Self::Piece),
            _ => None,
        }
    }

    fn name(self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Piece(piece) => piece.letter().to_string(),
            Self::Taken(square) => Spot::Square(square).name(),
            Self::Board(board) => Spot::Board(board).name(),
            Self::Rubber => "x".to_owned(),
        }
    }
}

fn pin_named(name: &str) -> Option<Pin> {
    Pin::all().find(|pin| pin_in_strings(*pin) == name)
}

/// The page's state.
struct State {
    rules: RuleSystem,
    setup: Setup,
    hand: Hand,
}

/// The parameters of this page.
const KNOWN: [&str; 9] = [
    "rules", "position", "fen", "hand", "put", "pin", "do", "moves", "once",
];

/// The castling rights, by their letters in position strings.
const RIGHTS: [(&str, Color, CastlingSide); 4] = [
    ("K", Color::White, CastlingSide::King),
    ("Q", Color::White, CastlingSide::Queen),
    ("k", Color::Black, CastlingSide::King),
    ("q", Color::Black, CastlingSide::Queen),
];

/// What can be selected.
const A_HAND: &str = "a piece, a board or a square";

/// `/setup`
pub(crate) fn page(_: &Site, request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[&KNOWN, &LOOKING])?;
    let (state, fault) = state(params)?;
    let fen = position_string::to_string(&state.setup);
    let content = html! {
        h1 { "Set up a position" }
        p.hint { "Drag pieces and boards to where they go, or click a piece, then its target square. A strip at the side of an attack board selects the board." }
        (layout::complaint(fault.as_ref()))
        (layout::systems(Some(state.rules), |rules| params.just(&LOOKING).link("/setup", &[("rules", rules)])))
        div.setup {
            (drawn(params, &state, &fen).markup())
            div.tools {
                (status(&state))
                (palette(params, &state, &fen))
                (rights(params, &state, &fen))
                (board::looks(params.look(), |changes| address(params, &state, &fen, state.hand, changes)))
                (asking(params, &state, &fen))
                (by_text(params, &state, &fen))
            }
        }
    };
    let fault = fault.as_ref();
    Ok(layout::reply_with(
        request,
        "Set up a position",
        "/setup",
        fault,
        &content,
    ))
}

/// The state that an address means. A position that cannot be read is reported, and the start is shown.
fn state(params: &Params) -> Result<(State, Option<Fault>), Fault> {
    let rules = params.rules()?.unwrap_or(RuleSystem::Meder);
    let mut fault = None;
    let mut setup = rules.start();
    if let Some(text) = params.get("position").or_else(|| params.get("fen")) {
        match position_string::parse(text.trim()) {
            Ok(read) if read.family() == rules.family() => setup = read,
            // Another system was chosen: its own start is meant.
            Ok(_) => {}
            Err(found) => {
                fault = Some(Fault::asked(format!(
                    "The position cannot be read: {found}"
                )))
            }
        }
    } else if let Some(moves) = params.get("moves") {
        match tridex_index::position_after(rules, moves) {
            Ok(position) => setup = position.to_setup(),
            Err(found) => fault = Some(found.into()),
        }
    }
    let hand = params
        .read_as("hand", A_HAND, Hand::read)?
        .unwrap_or(Hand::Empty);
    // A square of the other board is none here.
    let hand = match hand {
        Hand::Taken(square) if square.index() >= rules.family().squares() => Hand::Empty,
        hand => hand,
    };
    let mut state = State { rules, setup, hand };
    match params.get("do") {
        None => {}
        Some("clear") => state.clear(),
        Some("turn") => {
            state.setup.turn = state.setup.turn.other();
            state.setup.en_passant = None;
        }
        Some(right) => match RIGHTS.iter().find(|(letter, ..)| *letter == right) {
            Some((_, color, side)) => state.setup.castling = state.toggled(*color, *side),
            None => {
                return Err(Fault::asked(format!(
                    "invalid value `{right}` for do: expected clear, turn, K, Q, k, q"
                )));
            }
        },
    }
    if let Some(square) = params.number::<u8>("put")? {
        let square =
            Square::try_new(square).filter(|square| square.index() < rules.family().squares());
        let square = square.ok_or_else(|| Fault::asked("There is no such square."))?;
        state.touch(square);
        // What was dragged is not put down twice.
        if params.flag("once") {
            state.hand = Hand::Empty;
        }
    }
    if let Some(pin) = params.read_as("pin", "a pin such as Q3", pin_named)? {
        state.move_board(pin)?;
    }
    state.rules.drop_lost_rights(&mut state.setup);
    Ok((state, fault))
}

impl State {
    /// Touches a square with the hand.
    fn touch(&mut self, square: Square) {
        let there = self.setup.piece(square);
        match self.hand {
            Hand::Empty | Hand::Board(_) => {
                self.hand = match there {
                    Some(_) => Hand::Taken(square),
                    None => Hand::Empty,
                };
            }
            Hand::Piece(piece) => {
                // Touched again it goes away.
                let put = (there != Some(piece)).then_some(piece);
                self.setup.set_piece(square, put);
            }
            Hand::Taken(from) => {
                if from != square {
                    let taken = self.setup.piece(from);
                    self.setup.set_piece(from, None);
                    self.setup.set_piece(square, taken);
                }
                self.hand = Hand::Empty;
            }
            Hand::Rubber => self.setup.set_piece(square, None),
        }
    }

    /// Puts the board that the hand holds on a pin.
    fn move_board(&mut self, pin: Pin) -> Result<(), Fault> {
        if let (Hand::Board(board), Some(layout)) = (self.hand, &self.setup.layout) {
            let moved = layout.moved(board, pin);
            self.setup.layout =
                Some(moved.map_err(|_| Fault::asked("There is a board on that pin already."))?);
            self.hand = Hand::Empty;
        }
        Ok(())
    }

    fn clear(&mut self) {
        let turn = self.setup.turn;
        self.setup = Setup::empty(self.setup.layout);
        self.setup.turn = turn;
    }

    /// The castling rights with one of them given or taken away.
    fn toggled(&self, color: Color, side: CastlingSide) -> Castling {
        let now = self.setup.castling;
        match now.has(color, side) {
            true => now.without(color, side),
            false => now.with(color, side),
        }
    }

    /// Whether this right can be given or taken away: the position has it, or is legal with it.
    fn may_change(&self, color: Color, side: CastlingSide) -> bool {
        let mut setup = self.setup.clone();
        setup.castling = setup.castling.with(color, side);
        self.setup.castling.has(color, side) || Position::from_setup(self.rules, &setup).is_ok()
    }

    /// The name of a square.
    fn name(&self, square: Square) -> String {
        board::square_name(self.rules, &self.setup, square)
    }
}

/// The address of this page with a position and a hand, and what changes.
fn address(
    params: &Params,
    state: &State,
    fen: &str,
    hand: Hand,
    changes: &[(&str, &str)],
) -> String {
    let hand = hand.name();
    let mut all = vec![
        ("rules", state.rules.name()),
        ("position", fen),
        ("hand", &hand),
    ];
    all.extend(changes);
    params.just(&LOOKING).link("/setup", &all)
}

/// The board, every square of it a link.
fn drawn<'a>(params: &Params, state: &'a State, fen: &str) -> Drawn<'a> {
    let to = |changes: &[(&str, &str)]| address(params, state, fen, state.hand, changes);
    let mut links = Vec::new();
    for square in board::squares(state.rules.family()) {
        let there = state.setup.piece(square);
        if state.hand == Hand::Empty && there.is_none() {
            continue;
        }
        links.push(SpotLink {
            spot: Spot::Square(square),
            address: to(&[("put", &square.index().to_string())]),
            label: label(state, square, there),
            lift: there.map(|_| address(params, state, fen, Hand::Taken(square), &[])),
        });
    }
    if let Some(layout) = &state.setup.layout {
        for board in AttackBoard::ALL {
            links.push(SpotLink {
                spot: Spot::Board(board),
                address: to(&[("hand", manual_board(board))]),
                lift: Some(to(&[("hand", manual_board(board))])),
                label: format!("select the board {}", manual_board(board)),
            });
        }
        if let Hand::Board(held) = state.hand {
            for pin in free_pins(state.rules, layout) {
                let name = pin_in_strings(pin);
                links.push(SpotLink {
                    spot: Spot::Pin(held, pin),
                    label: format!("put the board {} on pin {name}", manual_board(held)),
                    address: to(&[("pin", &name)]),
                    lift: None,
                });
            }
        }
    }
    Drawn {
        rules: state.rules,
        setup: &state.setup,
        look: params.look(),
        marks: marks(state),
        links,
    }
}

/// Pins that a board may be put on: those without one, below the boards only where the rules know them.
fn free_pins(rules: RuleSystem, layout: &Layout) -> impl Iterator<Item = Pin> {
    let used = layout.pins();
    let is_there = move |pin: &Pin| {
        !used.contains(pin) && (rules.uses_under_pins() || pin.surface() == Surface::Over)
    };
    Pin::all().filter(is_there)
}

fn label(state: &State, square: Square, there: Option<Piece>) -> String {
    let name = state.name(square);
    let there_now = there.map(name_of);
    match (state.hand, there_now) {
        (Hand::Empty | Hand::Board(_), Some(piece)) => format!("select the {piece} on {name}"),
        (Hand::Piece(piece), Some(_)) if there == Some(piece) => {
            format!("remove the {} from {name}", name_of(piece))
        }
        (Hand::Piece(piece), _) => format!("put the {} on {name}", name_of(piece)),
        (Hand::Taken(from), _) => {
            let held = state.setup.piece(from).map(name_of);
            format!("put the {} on {name}", held.unwrap_or_default())
        }
        (Hand::Rubber, Some(piece)) => format!("remove the {piece} from {name}"),
        (_, None) => name,
    }
}

fn marks(state: &State) -> Marks {
    let mut marks = Marks::default();
    match state.hand {
        Hand::Taken(square) => marks.squares.push((square, Ink::Blue)),
        Hand::Board(held) => {
            marks
                .squares
                .extend(held.squares().into_iter().map(|square| (square, Ink::Blue)));
            let there = state
                .setup
                .layout
                .as_ref()
                .map(|layout| free_pins(state.rules, layout));
            marks
                .pins
                .extend(there.into_iter().flatten().map(|pin| (held, pin)));
        }
        Hand::Empty | Hand::Piece(_) | Hand::Rubber => {}
    }
    marks
}

/// What can be selected.
fn palette(params: &Params, state: &State, fen: &str) -> Markup {
    let to = |hand, changes: &[(&str, &str)]| address(params, state, fen, hand, changes);
    let hold = |hand: Hand, shown: Markup| {
        let is_held = state.hand == hand;
        html! {
            a href=(to(if is_held { Hand::Empty } else { hand }, &[])) data-swap=""
                data-key=(format!("h{}", hand.name())) aria-current=[is_held.then_some("true")]
                data-lift=[matches!(hand, Hand::Piece(_) | Hand::Board(_)).then(|| to(hand, &[]))]
                aria-label=[label_of(hand)] title=[label_of(hand)] { (shown) }
        }
    };
    html! {
        nav.palette aria-label="Pieces and boards" {
            @for color in Color::ALL {
                div {
                    span { (color) ":" }
                    @for role in Role::ALL.into_iter().rev() { (hold(Hand::Piece(Piece::new(color, role)), board::piece(Piece::new(color, role)))) }
                }
            }
            div {
                (hold(Hand::Rubber, html! { "remove" }))
                @if state.rules.family() == Family::Stair {
                    @for board in AttackBoard::ALL { (hold(Hand::Board(board), html! { (manual_board(board)) })) }
                }
            }
        }
    }
}

/// Whose turn it is, castling rights, an empty board.
fn rights(params: &Params, state: &State, fen: &str) -> Markup {
    let to = |action: &str| address(params, state, fen, state.hand, &[("do", action)]);
    html! {
        nav.rights aria-label="Turn and castling rights" {
            a href=(to("turn")) data-swap="" data-key="turn" { "let " (state.setup.turn.other()) " move" }
            a href=(to("clear")) data-swap="" data-key="clear" { "empty the board" }
            span { "Castling:" }
            @for (letter, color, side) in RIGHTS {
                @let name = html! { (color) " " @match side { CastlingSide::King => "0-0", CastlingSide::Queen => "0-0-0" } };
                @if state.may_change(color, side) {
                    a href=(to(letter)) data-swap="" data-key=(format!("right-{letter}"))
                        aria-current=[state.setup.castling.has(color, side).then_some("true")] { (name) }
                } @else { a role="link" aria-disabled="true" title="Not in this position" { (name) } }
            }
        }
    }
}

/// Whether the position can be played, and if not why; and what is selected.
fn status(state: &State) -> Markup {
    html! {
        p.legality role="status" {
            @match Position::from_setup(state.rules, &state.setup) {
                Ok(_) => b.good { "Legal position." }
                Err(fault) => b.bad { "Not legal under " (state.rules.name()) ": " (fault) "." }
            }
            " " (held(state))
        }
    }
}

fn label_of(hand: Hand) -> Option<String> {
    match hand {
        Hand::Piece(piece) => Some(name_of(piece)),
        Hand::Board(board) => Some(format!("{} attack board", manual_board(board))),
        Hand::Empty | Hand::Taken(_) | Hand::Rubber => None,
    }
}

/// `white knight`
pub(crate) fn name_of(piece: Piece) -> String {
    let color = if piece.color.is_white() {
        "white"
    } else {
        "black"
    };
    format!("{color} {}", piece.role.name())
}

/// A sentence begins with a capital letter.
fn upper(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn held(state: &State) -> String {
    match state.hand {
        Hand::Empty => "Nothing selected.".to_owned(),
        Hand::Piece(piece) => format!(
            "{} selected: click squares to put it there, again to remove it.",
            upper(&name_of(piece))
        ),
        Hand::Taken(square) => {
            let piece = state.setup.piece(square).map(name_of);
            let piece = upper(&piece.unwrap_or_default());
            format!(
                "{piece} on {} selected: click its target square.",
                state.name(square)
            )
        }
        Hand::Board(board) => format!(
            "Board {} selected: click its target pin.",
            manual_board(board)
        ),
        Hand::Rubber => "Eraser selected: click pieces to remove them.".to_owned(),
    }
}

/// Searches with the position.
fn asking(params: &Params, state: &State, fen: &str) -> Markup {
    let fault = Position::from_setup(state.rules, &state.setup).err();
    let rules = state.rules.name();
    let looks = params.just(&LOOKING);
    let to =
        |changes: &[(&str, &str)]| looks.link("/search", &[&[("rules", rules)], changes].concat());
    let pattern = pattern(state);
    html! {
        section.actions aria-label="Find games" {
            @match fault {
                None => {
                    a.button href=(to(&[("position", fen)])) data-key="exact" { "Find this position" }
                    a.button href=(to(&[("position", fen), ("loose", "1")])) { "Ignore castling and en passant rights" }
                    a.button href=(looks.link("/openings", &[("rules", rules), ("fen", fen)])) { "What is played here" }
                }
                Some(_) => {}
            }
            a.button href=(to(&[("plan", fen)])) { "Find it as seen from the top" }
            @if !pattern.is_empty() {
                a.button href=(to(&[("pattern", &pattern)])) data-key="pattern" { "Positions with at least these pieces" }
            }
            @if fault.is_none() {
                a href=(looks.link("/board.svg", &[("rules", rules), ("fen", fen)])) download="" { "Picture (SVG)" }
            }
        }
    }
}

/// The pieces on the board as a pattern, with the attack boards that have left their first place.
fn pattern(state: &State) -> String {
    let mut parts: Vec<String> = state
        .setup
        .pieces()
        .map(|(square, piece)| format!("{}@{}", piece.letter(), state.name(square)))
        .collect();
    if let (Some(layout), Some(start)) = (&state.setup.layout, &state.rules.start().layout) {
        for board in AttackBoard::ALL {
            let pin = layout.pin(board);
            if pin != start.pin(board) {
                parts.push(format!("{}@{}", manual_board(board), pin_in_strings(pin)));
            }
        }
    }
    parts.join(" and ")
}

/// The position as a text, to be written or pasted.
fn by_text(params: &Params, state: &State, fen: &str) -> Markup {
    html! {
        form.text action="/setup" method="get" {
            (layout::hidden([("rules", state.rules.name())].into_iter()))
            (layout::hidden(params.just(&LOOKING).pairs()))
            div.field {
                label for="position" { "Position (FEN)" }
                input type="text" id="position" name="position" value=(fen) autocomplete="off" spellcheck="false";
            }
            p { button type="submit" { "Set up" } }
        }
    }
}
