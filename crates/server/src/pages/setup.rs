//! A position set up by hand.
//!
//! The whole state is in the address: rules, position, and what the hand holds. Every square of the drawn board is a link
//! to the page on which what the hand holds has been put there; so no script is needed.

use super::layout;
use crate::board::{self, Drawn, Spot, SpotLink};
use crate::params::{LOOKING, Params};
use crate::reply::{Fault, Reply};
use crate::site::{Request, Site};
use crate::texts;
use maud::{Markup, html};
use tridex_geometry::stair::{AttackBoard, Layout, Pin, Surface};
use tridex_geometry::{Family, Square};
use tridex_notation::names::{manual_board, pin_in_strings};
use tridex_notation::position_string;
use tridex_picture::{Ink, Marks};
use tridex_rules::{Castling, Color, Piece, Position, Role, RuleSystem, Setup, SetupError};

/// What the hand holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hand {
    /// Nothing: what is touched next is taken up.
    Empty,
    /// A man of which there are any number.
    Man(Piece),
    /// The man of a square.
    Taken(Square),
    /// An attack board.
    Board(AttackBoard),
    /// What takes men away.
    Rubber,
}

impl Hand {
    fn read(text: &str) -> Option<Self> {
        if let Some(number) = text.strip_prefix('s') {
            return number
                .parse()
                .ok()
                .and_then(Square::try_new)
                .map(Self::Taken);
        }
        if let Some(board) = board_named(text) {
            return Some(Self::Board(board));
        }
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (Some('x'), None) => Some(Self::Rubber),
            (Some(letter), None) => Piece::from_letter(letter).map(Self::Man),
            _ => None,
        }
    }

    fn name(self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Man(piece) => piece.letter().to_string(),
            Self::Taken(square) => format!("s{}", square.index()),
            Self::Board(board) => manual_board(board).to_owned(),
            Self::Rubber => "x".to_owned(),
        }
    }
}

fn board_named(name: &str) -> Option<AttackBoard> {
    AttackBoard::ALL
        .into_iter()
        .find(|board| manual_board(*board) == name)
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

/// What is said to this page.
const KNOWN: [&str; 8] = [
    "rules", "position", "fen", "hand", "put", "pin", "do", "moves",
];

/// `/setup`
pub(crate) fn page(_: &Site, request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[&KNOWN, &LOOKING])?;
    let (state, fault) = state(params)?;
    let fen = position_string::to_string(&state.setup);
    let content = html! {
        h1 { (texts::SET_UP_TITLE) }
        p { (texts::SET_UP_HOW) }
        (layout::complaint(fault.as_ref()))
        (systems(params, &state))
        (palette(params, &state, &fen))
        (drawn(params, &state, &fen).markup())
        (board::looks(params.look(), |changes| address(params, &state, &fen, state.hand, changes)))
        (asking(params, &state, &fen))
        (by_text(params, &state, &fen))
    };
    let mut reply = Reply::page(request, texts::SET_UP_TITLE, "/setup", &content);
    if let Some(fault) = fault {
        reply.status = fault.status;
    }
    Ok(reply)
}

/// The state that an address means. A position that cannot be read is told, and the start stands there.
fn state(params: &Params) -> Result<(State, Option<Fault>), Fault> {
    let rules = params.rules()?.unwrap_or(RuleSystem::Meder);
    let mut fault = None;
    let mut setup = rules.start();
    if let Some(text) = params.get("position").or_else(|| params.get("fen")) {
        match position_string::parse(text.trim()) {
            Ok(read) if read.family() == rules.family() => setup = read,
            // Another system was chosen: its own start is meant.
            Ok(_) => {}
            Err(found) => fault = Some(Fault::asked(texts::position_fault(&found.to_string()))),
        }
    } else if let Some(moves) = params.get("moves") {
        match tridex_index::position_after(rules, moves) {
            Ok(position) => setup = position.to_setup(),
            Err(found) => fault = Some(found.into()),
        }
    }
    let hand = params
        .read_as("hand", texts::A_HAND, Hand::read)?
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
        Some("castling") => state.toggle_castling(),
        Some(other) => {
            return Err(Fault::asked(texts::unreadable(
                "do",
                other,
                "clear, turn, castling",
            )));
        }
    }
    if let Some(square) = params.number::<u8>("put")? {
        let square =
            Square::try_new(square).filter(|square| square.index() < rules.family().squares());
        let square = square.ok_or_else(|| Fault::asked(texts::NO_SQUARE))?;
        state.touch(square);
    }
    if let Some(pin) = params.read_as("pin", texts::A_PIN, pin_named)? {
        state.move_board(pin)?;
    }
    state.settle();
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
            Hand::Man(piece) => {
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
            self.setup.layout = Some(moved.map_err(|_| Fault::asked(texts::PIN_TAKEN))?);
            self.hand = Hand::Empty;
        }
        Ok(())
    }

    fn clear(&mut self) {
        let turn = self.setup.turn;
        self.setup = Setup::empty(self.setup.layout);
        self.setup.turn = turn;
    }

    /// All castling rights, or none if there are some.
    fn toggle_castling(&mut self) {
        self.setup.castling = match self.setup.castling == Castling::NONE {
            true => self.rules.start().castling,
            false => Castling::NONE,
        };
    }

    /// Takes away what cannot be any more since men or boards have gone elsewhere: rights, the pawn that may be taken in
    /// passing, pawns that have moved.
    fn settle(&mut self) {
        // Each round takes one thing away, of which there are no more than squares and rights.
        for _ in 0..Square::CAPACITY + 8 {
            match Position::from_setup(self.rules, &self.setup) {
                Err(SetupError::Castling(color, side)) => {
                    self.setup.castling = self.setup.castling.without(color, side)
                }
                Err(SetupError::EnPassant(_)) => self.setup.en_passant = None,
                Err(SetupError::Moved(square)) => self.setup.moved.remove(square),
                _ => return,
            }
        }
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
        });
    }
    if let Some(layout) = &state.setup.layout {
        for board in AttackBoard::ALL {
            links.push(SpotLink {
                spot: Spot::Board(board),
                address: to(&[("hand", manual_board(board))]),
                label: texts::take_board(manual_board(board)),
            });
        }
        if let Hand::Board(held) = state.hand {
            for pin in free_pins(state.rules, layout) {
                let name = pin_in_strings(pin);
                links.push(SpotLink {
                    spot: Spot::Pin(held, pin),
                    label: texts::board_to(manual_board(held), &name),
                    address: to(&[("pin", &name)]),
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

/// Pins that a board may be put on: those on which none stands, below the boards only where the rules know them.
fn free_pins(rules: RuleSystem, layout: &Layout) -> impl Iterator<Item = Pin> {
    let used = layout.pins();
    let is_there = move |pin: &Pin| {
        !used.contains(pin) && (rules.uses_under_pins() || pin.surface() == Surface::Over)
    };
    Pin::all().filter(is_there)
}

fn label(state: &State, square: Square, there: Option<Piece>) -> String {
    let name = state.name(square);
    let man = there.map(texts::man);
    match (state.hand, man) {
        (Hand::Empty | Hand::Board(_), Some(man)) => texts::take(&man, &name),
        (Hand::Man(piece), Some(_)) if there == Some(piece) => {
            texts::remove(&texts::man(piece), &name)
        }
        (Hand::Man(piece), _) => texts::put(&texts::man(piece), &name),
        (Hand::Taken(from), _) => {
            let held = state.setup.piece(from).map(texts::man);
            texts::put(held.as_deref().unwrap_or_default(), &name)
        }
        (Hand::Rubber, Some(man)) => texts::remove(&man, &name),
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
        Hand::Empty | Hand::Man(_) | Hand::Rubber => {}
    }
    marks
}

/// The choice of a rule system.
fn systems(params: &Params, state: &State) -> Markup {
    html! {
        nav.choice aria-label=(texts::RULES) {
            @for rules in RuleSystem::ALL {
                a href=(params.just(&LOOKING).link("/setup", &[("rules", rules.name())])) data-swap=""
                    data-key=(rules.name()) aria-current=[(*rules == state.rules).then_some("true")] { (rules.name()) }
            }
        }
    }
}

/// What can be taken into the hand, and what can be done at once.
fn palette(params: &Params, state: &State, fen: &str) -> Markup {
    let to = |hand, changes: &[(&str, &str)]| address(params, state, fen, hand, changes);
    let hold = |hand: Hand, name: &str| {
        let is_held = state.hand == hand;
        html! {
            a href=(to(if is_held { Hand::Empty } else { hand }, &[])) data-swap=""
                data-key=(format!("h{}", hand.name())) aria-current=[is_held.then_some("true")] { (name) }
        }
    };
    html! {
        nav.palette aria-label=(texts::PALETTE) {
            @for color in Color::ALL {
                div {
                    span { (color) ":" }
                    @for role in Role::ALL.into_iter().rev() { (hold(Hand::Man(Piece::new(color, role)), role.name())) }
                }
            }
            div {
                (hold(Hand::Rubber, texts::RUBBER))
                @if state.rules.family() == Family::Stair {
                    @for board in AttackBoard::ALL { (hold(Hand::Board(board), manual_board(board))) }
                }
                a href=(to(state.hand, &[("do", "clear")])) data-swap="" data-key="clear" { (texts::CLEAR) }
                a href=(to(state.hand, &[("do", "turn")])) data-swap="" data-key="turn" {
                    (texts::to_move(state.setup.turn.other()))
                }
                @if state.rules.start().castling != Castling::NONE {
                    a href=(to(state.hand, &[("do", "castling")])) data-swap="" data-key="castling" {
                        @if state.setup.castling == Castling::NONE { (texts::MAY_CASTLE) } @else { (texts::MAY_NOT_CASTLE) }
                    }
                }
            }
        }
        p.told role="status" { (held(state)) }
    }
}

fn held(state: &State) -> String {
    match state.hand {
        Hand::Empty => texts::HAND_EMPTY.to_owned(),
        Hand::Man(piece) => texts::hand_holds(&texts::man(piece)),
        Hand::Taken(square) => {
            let man = state.setup.piece(square).map(texts::man);
            texts::hand_moves(man.as_deref().unwrap_or_default(), &state.name(square))
        }
        Hand::Board(board) => texts::hand_board(manual_board(board)),
        Hand::Rubber => texts::HAND_RUBBER.to_owned(),
    }
}

/// What can be asked with the position.
fn asking(params: &Params, state: &State, fen: &str) -> Markup {
    let fault = Position::from_setup(state.rules, &state.setup).err();
    let rules = state.rules.name();
    let looks = params.just(&LOOKING);
    let to =
        |changes: &[(&str, &str)]| looks.link("/search", &[&[("rules", rules)], changes].concat());
    let pattern = pattern(state);
    html! {
        section.actions aria-label=(texts::FIND) {
            @match fault {
                None => {
                    a.button href=(to(&[("position", fen)])) data-key="exact" { (texts::FIND_EXACT) }
                    a.button href=(to(&[("position", fen), ("loose", "1")])) { (texts::FIND_LOOSE) }
                    a.button href=(looks.link("/openings", &[("rules", rules), ("fen", fen)])) { (texts::FIND_OPENINGS) }
                }
                Some(fault) => p { (texts::unplayable(rules, &fault.to_string())) }
            }
            a.button href=(to(&[("plan", fen)])) { (texts::FIND_PLAN) }
            @if !pattern.is_empty() {
                a.button href=(to(&[("pattern", &pattern)])) data-key="pattern" { (texts::FIND_MEN) }
            }
            @if fault.is_none() {
                a href=(looks.link("/board.svg", &[("rules", rules), ("fen", fen)])) download="" { (texts::SVG) }
            }
        }
    }
}

/// The men on the board as a pattern, with the attack boards that have left their first place.
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
                label for="position" { (texts::POSITION) }
                input type="text" id="position" name="position" value=(fen) autocomplete="off" spellcheck="false";
            }
            p { button type="submit" { (texts::SET_UP_BUTTON) } }
        }
    }
}
