//! A position set up by hand.
//!
//! The whole state is in the address: rules, position, and what the hand holds. Every square of the drawn board is a link
//! to the page on which what the hand holds has been put there; so no script is needed.

use super::layout;
use crate::board::{self, Spot, SpotLink};
use crate::fault::Fault;
use crate::params::{LOOKING, Params};
use crate::reply::Reply;
use crate::site::Request;
use maud::{Markup, html};
use tridex_geometry::stair::{AttackBoard, Pin, Surface};
use tridex_geometry::{Family, Square};
use tridex_notation::names::{manual_board, pin_in_strings};
use tridex_notation::position_string;
use tridex_picture::Marks;
use tridex_rules::{CastlingSide, Color, Piece, Position, RuleSystem, Setup};

/// What the hand holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hand {
    /// Nothing: what is touched next is taken up.
    Empty,
    /// A piece of which there are any number.
    Piece(Piece),
    /// The piece of a square, or an attack board.
    Taken(Spot),
    /// What removes pieces.
    Rubber,
}

impl Hand {
    fn read(text: &str) -> Option<Self> {
        match Spot::read(text) {
            Some(spot) => Some(Self::Taken(spot)),
            None if text == "x" => Some(Self::Rubber),
            None => board::read_piece(text).map(Self::Piece),
        }
    }

    fn name(self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Piece(piece) => piece.letter().to_string(),
            Self::Taken(spot) => spot.name(),
            Self::Rubber => "x".to_owned(),
        }
    }

    /// What it is called where it is selected, unless its own text is there.
    fn label(self) -> Option<String> {
        match self {
            Self::Piece(piece) => Some(board::piece_name(piece)),
            Self::Taken(Spot::Board(board)) => {
                Some(format!("{} attack board", manual_board(board)))
            }
            Self::Empty | Self::Taken(_) | Self::Rubber => None,
        }
    }
}

/// The page's state.
struct Editor<'a> {
    params: &'a Params,
    rules: RuleSystem,
    setup: Setup,
    /// The position as a text.
    fen: String,
    hand: Hand,
}

/// The parameters of this page.
const KNOWN: [&str; 9] = [
    "rules", "position", "fen", "hand", "put", "pin", "do", "moves", "once",
];

/// The castling rights, by their letters in position strings.
const RIGHTS: [(&str, Color, CastlingSide, &str); 4] = [
    ("K", Color::White, CastlingSide::King, "0-0"),
    ("Q", Color::White, CastlingSide::Queen, "0-0-0"),
    ("k", Color::Black, CastlingSide::King, "0-0"),
    ("q", Color::Black, CastlingSide::Queen, "0-0-0"),
];

const TITLE: &str = "Set up a position";

/// `/setup`
pub(crate) fn page(request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[&KNOWN, &LOOKING])?;
    let (editor, fault) = Editor::open(params)?;
    let content = html! {
        h1 { (TITLE) }
        p.hint { "Drag pieces and boards to where they go, or click a piece, then its target square. A strip at the side of an attack board selects the board." }
        (layout::complaint(fault.as_ref()))
        (layout::systems(params, "/setup", Some(editor.rules)))
        div.setup {
            (editor.drawn())
            div.tools {
                (editor.status())
                (editor.palette())
                (editor.rights())
                (board::looks(params, |changes| editor.address(editor.hand, changes)))
                (editor.asking())
                (editor.by_text())
            }
        }
    };
    Ok(layout::reply(request, TITLE, fault.as_ref(), &content))
}

impl<'a> Editor<'a> {
    /// The state that an address means. A position that cannot be read is reported, and the start is shown.
    fn open(params: &'a Params) -> Result<(Self, Option<Fault>), Fault> {
        let rules = params.rules()?.unwrap_or(RuleSystem::Meder);
        let read = match (params.position(), params.get("moves")) {
            (Some(text), _) => position_string::parse(text.trim())
                .map_err(|found| Fault::asked(format!("The position cannot be read: {found}"))),
            (None, Some(moves)) => tridex_index::position_after(rules, moves)
                .map(|position| position.to_setup())
                .map_err(Fault::from),
            (None, None) => Ok(rules.start()),
        };
        let (setup, fault) = match read {
            Ok(setup) if setup.family() == rules.family() => (setup, None),
            // Another system was chosen: its own start is meant.
            Ok(_) => (rules.start(), None),
            Err(fault) => (rules.start(), Some(fault)),
        };
        let is_here = |square: &Square| square.index() < rules.family().squares();
        let hand = params.read_as("hand", "a piece, a board or a square", Hand::read)?;
        // A square of the other board is none here.
        let may_hold =
            |hand: &Hand| !matches!(hand, Hand::Taken(Spot::Square(square)) if !is_here(square));
        let mut editor = Self {
            params,
            rules,
            setup,
            fen: String::new(),
            hand: hand.filter(may_hold).unwrap_or(Hand::Empty),
        };
        params.read_as("do", "clear, turn, K, Q, k, q", |action| editor.act(action))?;
        if let Some(square) = params.number("put")? {
            let square = Square::try_new(square).filter(is_here);
            editor.touch(square.ok_or_else(|| Fault::asked("There is no such square."))?);
            // What was dragged is not put down twice.
            if params.flag("once") {
                editor.hand = Hand::Empty;
            }
        }
        let named = |name: &str| Pin::all().find(|pin| pin_in_strings(*pin) == name);
        if let Some(pin) = params.read_as("pin", "a pin such as Q3", named)?
            && let Hand::Taken(Spot::Board(board)) = editor.hand
            && let Some(layout) = &editor.setup.layout
        {
            let moved = layout.moved(board, pin);
            let moved = moved.map_err(|_| Fault::asked("There is a board on that pin already."))?;
            editor.setup.layout = Some(moved);
            editor.hand = Hand::Empty;
        }
        rules.drop_lost_rights(&mut editor.setup);
        editor.fen = position_string::to_string(&editor.setup);
        Ok((editor, fault))
    }

    /// Empties the board, gives the move to the other side, or gives a castling right or takes it away.
    fn act(&mut self, action: &str) -> Option<()> {
        let setup = &mut self.setup;
        match action {
            "clear" => {
                let turn = setup.turn;
                *setup = Setup::empty(setup.layout);
                setup.turn = turn;
            }
            "turn" => {
                setup.turn = setup.turn.other();
                setup.en_passant = None;
            }
            right => {
                let mut rights = RIGHTS.into_iter();
                let (_, color, side, _) = rights.find(|(letter, ..)| *letter == right)?;
                setup.castling = match setup.castling.has(color, side) {
                    true => setup.castling.without(color, side),
                    false => setup.castling.with(color, side),
                };
            }
        }
        Some(())
    }

    /// Touches a square with the hand.
    fn touch(&mut self, square: Square) {
        let there = self.setup.piece(square);
        match self.hand {
            Hand::Piece(piece) => {
                // Touched again it goes away.
                let put = (there != Some(piece)).then_some(piece);
                self.setup.set_piece(square, put);
            }
            Hand::Taken(Spot::Square(from)) => {
                let taken = self.setup.piece(from);
                self.setup.set_piece(from, None);
                self.setup.set_piece(square, taken);
                self.hand = Hand::Empty;
            }
            Hand::Rubber => self.setup.set_piece(square, None),
            Hand::Empty | Hand::Taken(_) => {
                let taken = Hand::Taken(Spot::Square(square));
                self.hand = there.map_or(Hand::Empty, |_| taken);
            }
        }
    }

    /// Why the position cannot be played.
    fn illegal(&self) -> Option<tridex_rules::SetupError> {
        Position::from_setup(self.rules, &self.setup).err()
    }

    /// The name of a square.
    fn name(&self, square: Square) -> String {
        board::square_name(self.rules, &self.setup, square)
    }

    /// The address of this page with a hand, and what changes.
    fn address(&self, hand: Hand, changes: &[(&str, &str)]) -> String {
        let state = [("position", self.fen.as_str()), ("hand", &hand.name())];
        self.elsewhere("/setup", &[&state, changes].concat())
    }

    /// The address of a page that is about the same rules.
    fn elsewhere(&self, path: &str, changes: &[(&str, &str)]) -> String {
        let rules = [("rules", self.rules.name())];
        let looks = self.params.just(&LOOKING);
        looks.link(path, &[&rules, changes].concat())
    }

    /// The board, every square of it a link.
    fn drawn(&self) -> Markup {
        let to = |changes: &[(&str, &str)]| self.address(self.hand, changes);
        let mut links = Vec::new();
        for square in board::squares(self.rules.family()) {
            let there = self.setup.piece(square);
            if self.hand == Hand::Empty && there.is_none() {
                continue;
            }
            links.push(SpotLink {
                spot: Spot::Square(square),
                address: to(&[("put", &square.index().to_string())]),
                label: self.label(square),
                lift: there.map(|_| self.address(Hand::Taken(Spot::Square(square)), &[])),
            });
        }
        let boards = AttackBoard::ALL.into_iter();
        for board in boards.filter(|_| self.setup.layout.is_some()) {
            let address = to(&[("hand", manual_board(board))]);
            links.push(SpotLink {
                spot: Spot::Board(board),
                lift: Some(address.clone()),
                address,
                label: format!("select the board {}", manual_board(board)),
            });
        }
        for (held, pin) in self.free_pins() {
            let name = pin_in_strings(pin);
            links.push(SpotLink {
                spot: Spot::Pin(held, pin),
                label: format!("put the board {} on pin {name}", manual_board(held)),
                address: to(&[("pin", &name)]),
                lift: None,
            });
        }
        let marks = Marks {
            squares: match self.hand {
                Hand::Taken(spot) => spot.marked(),
                Hand::Empty | Hand::Piece(_) | Hand::Rubber => Vec::new(),
            },
            pins: self.free_pins(),
            ..Marks::default()
        };
        board::drawn(self.rules, &self.setup, self.params, marks, &links)
    }

    /// Pins that the board in the hand may be put on: those without one, below the boards only where the rules know them.
    fn free_pins(&self) -> Vec<(AttackBoard, Pin)> {
        let (Hand::Taken(Spot::Board(held)), Some(layout)) = (self.hand, &self.setup.layout) else {
            return Vec::new();
        };
        let has_lower = self.rules.uses_under_pins();
        let pins = Pin::all().filter(|pin| has_lower || pin.surface() == Surface::Over);
        let free = pins.filter(|pin| !layout.pins().contains(pin));
        free.map(|pin| (held, pin)).collect()
    }

    /// What touching a square does.
    fn label(&self, square: Square) -> String {
        let (name, there) = (self.name(square), self.setup.piece(square));
        let (does, piece, at) = match (self.hand, there) {
            (Hand::Piece(piece), _) if there != Some(piece) => ("put", Some(piece), "on"),
            (Hand::Taken(Spot::Square(from)), _) => ("put", self.setup.piece(from), "on"),
            (_, None) => return name,
            (Hand::Piece(_) | Hand::Rubber, _) => ("remove", there, "from"),
            (Hand::Empty | Hand::Taken(_), _) => ("select", there, "on"),
        };
        let piece = piece.map(board::piece_name).unwrap_or_default();
        format!("{does} the {piece} {at} {name}")
    }

    /// What can be selected.
    fn palette(&self) -> Markup {
        let hold = |hand: Hand, shown: Markup| {
            let is_held = self.hand == hand;
            let can_be_dragged = matches!(hand, Hand::Piece(_) | Hand::Taken(_));
            html! {
                a href=(self.address(if is_held { Hand::Empty } else { hand }, &[])) data-swap=""
                    data-key=(format!("h{}", hand.name())) aria-current=[is_held.then_some("true")]
                    data-lift=[can_be_dragged.then(|| self.address(hand, &[]))]
                    aria-label=[hand.label()] title=[hand.label()] { (shown) }
            }
        };
        html! {
            nav.palette aria-label="Pieces and boards" {
                @for color in Color::ALL {
                    div {
                        span { (color) ":" }
                        @for piece in board::kinds().filter(|piece| piece.color == color) {
                            (hold(Hand::Piece(piece), board::piece(piece)))
                        }
                    }
                }
                div {
                    (hold(Hand::Rubber, html! { "remove" }))
                    @if self.rules.family() == Family::Stair {
                        @for board in AttackBoard::ALL { (hold(Hand::Taken(Spot::Board(board)), html! { (manual_board(board)) })) }
                    }
                }
            }
        }
    }

    /// Whose turn it is, castling rights, an empty board.
    fn rights(&self) -> Markup {
        let to = |action: &str| self.address(self.hand, &[("do", action)]);
        // A right can be given or taken away if the position has it, or is legal with it.
        let may_change = |color, side| {
            let mut setup = self.setup.clone();
            setup.castling = setup.castling.with(color, side);
            setup == self.setup || Position::from_setup(self.rules, &setup).is_ok()
        };
        html! {
            nav.rights aria-label="Turn and castling rights" {
                a href=(to("turn")) data-swap="" data-key="turn" { "let " (self.setup.turn.other()) " move" }
                a href=(to("clear")) data-swap="" data-key="clear" { "empty the board" }
                span { "Castling:" }
                @for (letter, color, side, castling) in RIGHTS {
                    @if may_change(color, side) {
                        a href=(to(letter)) data-swap="" data-key=(format!("right-{letter}"))
                            aria-current=[self.setup.castling.has(color, side).then_some("true")] { (color) " " (castling) }
                    } @else { a role="link" aria-disabled="true" title="Not in this position" { (color) " " (castling) } }
                }
            }
        }
    }

    /// Whether the position can be played, and if not why; and what is selected.
    fn status(&self) -> Markup {
        let (held, next) = match self.hand {
            Hand::Empty => ("nothing".to_owned(), "."),
            Hand::Piece(piece) => {
                let next = ": click squares to put it there, again to remove it.";
                (board::piece_name(piece), next)
            }
            Hand::Taken(Spot::Square(square)) => {
                let piece = self.setup.piece(square).map(board::piece_name);
                let held = format!("{} on {}", piece.unwrap_or_default(), self.name(square));
                (held, ": click its target square.")
            }
            Hand::Taken(board) => (format!("board {}", board.name()), ": click its target pin."),
            Hand::Rubber => ("eraser".to_owned(), ": click pieces to remove them."),
        };
        let (first, rest) = held.split_at(1);
        html! {
            p.legality role="status" {
                @match self.illegal() {
                    None => b.good { "Legal position." }
                    Some(fault) => b.bad { "Not legal under " (self.rules.name()) ": " (fault) "." }
                }
                " " (first.to_uppercase()) (rest) " selected" (next)
            }
        }
    }

    /// Searches with the position.
    fn asking(&self) -> Markup {
        let fen = self.fen.as_str();
        let is_legal = self.illegal().is_none();
        let pattern = self.pattern();
        html! {
            section.actions aria-label="Find games" {
                @if is_legal {
                    a.button href=(self.elsewhere("/search", &[("position", fen)])) data-key="exact" { "Find this position" }
                    a.button href=(self.elsewhere("/search", &[("position", fen), ("loose", "1")])) { "Ignore castling and en passant rights" }
                    a.button href=(self.elsewhere("/openings", &[("fen", fen)])) { "What is played here" }
                }
                a.button href=(self.elsewhere("/search", &[("plan", fen)])) { "Find it as seen from the top" }
                @if !pattern.is_empty() {
                    a.button href=(self.elsewhere("/search", &[("pattern", &pattern)])) data-key="pattern" { "Positions with at least these pieces" }
                }
                @if is_legal {
                    a href=(self.elsewhere("/board.svg", &[("fen", fen)])) download="" { "Picture (SVG)" }
                }
            }
        }
    }

    /// The pieces on the board as a pattern, with the attack boards that have left their first place.
    fn pattern(&self) -> String {
        let pieces = self.setup.pieces();
        let pieces =
            pieces.map(|(square, piece)| format!("{}@{}", piece.letter(), self.name(square)));
        let mut parts: Vec<String> = pieces.collect();
        if let (Some(layout), Some(start)) = (&self.setup.layout, &self.rules.start().layout) {
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
    fn by_text(&self) -> Markup {
        html! {
            form.text action="/setup" method="get" {
                (layout::hidden([("rules", self.rules.name())].into_iter()))
                (layout::hidden(self.params.just(&LOOKING).pairs()))
                (layout::field("position", "position", "Position (FEN)", Some(&self.fen), None))
                p { button type="submit" { "Set up" } }
            }
        }
    }
}
