//! The page on which readers set up a position.
//!
//! The whole state is in the address: rules, position and selection. Every square that can be clicked is a link to the
//! state after the click, so no script is needed.

use super::{form, shell};
use crate::board::{self, Spot, SpotLink};
use crate::fault::Fault;
use crate::model;
use crate::params::{Params, VIEW};
use crate::reply::Reply;
use crate::site::Request;
use maud::{Markup, html};
use tridex_geometry::stair::{AttackBoard, Pin, Surface};
use tridex_geometry::{Family, Square};
use tridex_notation::names::{manual_board, pin_in_strings};
use tridex_notation::position_string;
use tridex_picture::{Marks, all_squares};
use tridex_rules::{CastlingSide, Color, Position, RuleSystem, Setup};

/// The page's state.
#[derive(Clone)]
struct Editor<'a> {
    params: &'a Params,
    rules: RuleSystem,
    setup: Setup,
    /// What is selected.
    hand: Option<Spot>,
    /// Why the rules are not those of the address.
    note: Option<String>,
    /// The text of the position, if it cannot be read. The board then shows the start position.
    unread: Option<&'a str>,
}

/// The castling rights, with their letters in position strings.
const RIGHTS: [(&str, Color, CastlingSide, &str); 4] = [
    ("K", Color::White, CastlingSide::King, "0-0"),
    ("Q", Color::White, CastlingSide::Queen, "0-0-0"),
    ("k", Color::Black, CastlingSide::King, "0-0"),
    ("q", Color::Black, CastlingSide::Queen, "0-0-0"),
];

/// `/setup`
pub(crate) fn page(request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[&["rules", "position", "hand", "moves"], &VIEW])?;
    let (editor, fault) = Editor::open(params)?;
    let content = html! {
        div.setup {
            (editor.drawn())
            div.tools {
                p.hint { "Drag pieces and boards to where they go, or click a piece, then its target square. A strip at the side of an attack board selects the board." }
                (shell::systems(params, "/setup", Some(editor.rules)))
                @if let Some(note) = &editor.note { p.note role="status" { (note) } }
                (editor.status())
                (editor.palette())
                (editor.rights())
                (board::view_links(params, |changes| editor.address(changes)))
                @if editor.unread.is_none() { (editor.asking()) }
                (editor.by_text())
            }
        }
    };
    let title = "Set up a position";
    Ok(shell::reply(request, title, fault.as_ref(), &content))
}

impl<'a> Editor<'a> {
    /// Reads the state from the address. If its position cannot be read, the page reports the error, leaves the text in
    /// its field and shows the start position.
    fn open(params: &'a Params) -> Result<(Self, Option<Fault>), Fault> {
        let wanted = params.rules()?.unwrap_or_default();
        let (rules, note, read) = match (model::meant(params)?, params.get("moves")) {
            (Some(meant), _) => (meant.rules, meant.note, meant.setup),
            (None, Some(moves)) => {
                let read = tridex_index::position_after(wanted, moves);
                let read = read.map(|position| position.to_setup());
                (wanted, None, read.map_err(Fault::from))
            }
            (None, None) => (wanted, None, Ok(wanted.start())),
        };
        let (setup, fault) = match read {
            Ok(setup) => (setup, None),
            Err(fault) => (rules.start(), Some(fault)),
        };
        let read = |name: &str| Spot::read(name, rules.family());
        let hand = params.read_as("hand", "a piece, a board or a square", read)?;
        let mut editor = Self {
            params,
            rules,
            setup,
            hand,
            note,
            unread: params.get("position").filter(|_| fault.is_some()),
        };
        rules.drop_lost_rights(&mut editor.setup);
        Ok((editor, fault))
    }

    /// Changes the state as a click on `spot` does.
    fn touch(&mut self, spot: Spot) {
        let setup = &mut self.setup;
        self.hand = match (spot, self.hand) {
            (Spot::Square(square), Some(Spot::Piece(piece))) => {
                // A second click removes the piece.
                let put = piece.filter(|_| setup.piece(square) != piece);
                setup.set_piece(square, put);
                self.hand
            }
            (Spot::Square(square), Some(Spot::Square(from))) => {
                let taken = setup.piece(from);
                setup.set_piece(from, None);
                setup.set_piece(square, taken);
                None
            }
            (Spot::Square(square), _) => setup.piece(square).map(|_| spot),
            (Spot::Pin(board, pin), _) => {
                let layout = setup.layout.as_ref();
                setup.layout = layout.and_then(|layout| layout.moved(board, pin).ok());
                None
            }
            (Spot::Board(_) | Spot::Piece(_), _) => Some(spot),
        };
    }

    /// Why the position cannot be played.
    fn illegal(&self) -> Option<tridex_rules::SetupError> {
        Position::from_setup(self.rules, &self.setup).err()
    }

    /// The name of a square.
    fn name(&self, square: Square) -> String {
        board::square_name(self.rules, &self.setup, square)
    }

    /// The position string.
    fn fen(&self) -> String {
        position_string::to_string(&self.setup)
    }

    /// The address of this state, with changes to the view.
    fn address(&self, view: &[(&str, &str)]) -> String {
        let (fen, hand) = (self.fen(), self.hand.map(Spot::name).unwrap_or_default());
        let state = [("position", fen.as_str()), ("hand", &hand)];
        self.elsewhere("/setup", &[&state, view].concat())
    }

    /// The address of the state after a change.
    fn after(&self, change: impl FnOnce(&mut Self)) -> String {
        let mut next = self.clone();
        change(&mut next);
        next.address(&[])
    }

    /// The address of this position with something else selected.
    fn holding(&self, hand: Option<Spot>) -> String {
        self.after(|next| next.hand = hand)
    }

    /// The address of a page with the same rules and the same view.
    fn elsewhere(&self, path: &str, changes: &[(&str, &str)]) -> String {
        let rules = [("rules", self.rules.name())];
        let view = self.params.just(&VIEW);
        view.link(path, &[&rules, changes].concat())
    }

    /// The board, with links on everything that can be clicked.
    fn drawn(&self) -> Markup {
        let is_piece = |square: &Square| self.setup.piece(*square).is_some();
        let squares = all_squares(self.rules.family());
        let squares = squares.filter(|square| self.hand.is_some() || is_piece(square));
        let boards = AttackBoard::ALL.into_iter();
        let boards = boards.filter(|_| self.setup.layout.is_some());
        let pins = self.free_pins();
        let free = pins.iter().map(|(board, pin)| Spot::Pin(*board, *pin));
        let spots = squares.map(Spot::Square).chain(boards.map(Spot::Board));
        let links = spots.chain(free).map(|spot| SpotLink {
            spot,
            address: self.after(|next| next.touch(spot)),
            label: self.label(spot),
            lift: match spot {
                Spot::Square(square) if !is_piece(&square) => None,
                Spot::Pin(..) => None,
                _ => Some(self.holding(Some(spot))),
            },
        });
        let links: Vec<SpotLink> = links.collect();
        let marks = Marks {
            squares: self.hand.map_or_else(Vec::new, Spot::marked),
            pins,
            ..Marks::default()
        };
        board::fitting(self.rules, &self.setup, self.params, &marks, &links)
    }

    /// The free pins to which the selected board can move. Pins below the main boards are included only if the rules
    /// use them.
    fn free_pins(&self) -> Vec<(AttackBoard, Pin)> {
        let (Some(Spot::Board(held)), Some(layout)) = (self.hand, &self.setup.layout) else {
            return Vec::new();
        };
        let has_lower = self.rules.uses_under_pins();
        let pins = Pin::all().filter(|pin| has_lower || pin.surface() == Surface::Over);
        let free = pins.filter(|pin| !layout.pins().contains(pin));
        free.map(|pin| (held, pin)).collect()
    }

    /// What a click does.
    fn label(&self, spot: Spot) -> String {
        let square = match spot {
            Spot::Square(square) => square,
            Spot::Pin(board, _) => {
                let (board, pin) = (manual_board(board), spot.words(self.rules, &self.setup));
                return format!("put the board {board} on {pin}");
            }
            _ => return format!("select the {}", spot.words(self.rules, &self.setup)),
        };
        let (name, there) = (self.name(square), self.setup.piece(square));
        let (does, piece, at) = match (self.hand, there) {
            (Some(Spot::Square(from)), _) => ("put", self.setup.piece(from), "on"),
            (Some(Spot::Piece(Some(piece))), _) if there != Some(piece) => {
                ("put", Some(piece), "on")
            }
            (_, None) => return name,
            (Some(Spot::Piece(_)), _) => ("remove", there, "from"),
            _ => ("select", there, "on"),
        };
        let piece = piece.map(board::piece_name).unwrap_or_default();
        format!("{does} the {piece} {at} {name}")
    }

    /// The palette: pieces, the eraser and attack boards.
    fn palette(&self) -> Markup {
        let hold = |spot: Spot| {
            let (label, shown) = match spot {
                Spot::Piece(Some(piece)) => (Some(board::piece_name(piece)), board::piece(piece)),
                Spot::Board(_) => (Some(spot.name() + " attack board"), html! { (spot.name()) }),
                _ => (None, html! { "remove" }),
            };
            let is_held = self.hand == Some(spot);
            // Everything but the eraser can be dragged.
            let lift = label.as_ref().map(|_| self.holding(Some(spot)));
            html! {
                a href=(self.holding((!is_held).then_some(spot))) data-swap="" data-key=(format!("h{}", spot.name()))
                    data-lift=[lift] aria-current=[is_held.then_some("true")] aria-label=[&label] title=[&label] { (shown) }
            }
        };
        html! {
            nav.palette aria-label="Pieces and boards" {
                @for color in Color::ALL {
                    div {
                        span { (color) ":" }
                        @for piece in board::kinds().filter(|piece| piece.color == color) { (hold(Spot::Piece(Some(piece)))) }
                    }
                }
                div {
                    (hold(Spot::Piece(None)))
                    @if self.rules.family() == Family::Stair {
                        @for board in AttackBoard::ALL { (hold(Spot::Board(board))) }
                    }
                }
            }
        }
    }

    /// Links that change the turn and the castling rights, and that empty the board.
    fn rights(&self) -> Markup {
        let turned = self.after(|next| {
            next.setup.turn = next.setup.turn.other();
            next.setup.en_passant = None;
        });
        let emptied = self.after(|next| {
            next.setup = Setup::empty(next.setup.layout);
            next.setup.turn = self.setup.turn;
        });
        let castling = self.setup.castling;
        // A right can always be removed, but added only if the position is legal with it.
        let changed = |color, side| {
            let mut next = self.clone();
            let has = castling.has(color, side);
            next.setup.castling = match has {
                true => castling.without(color, side),
                false => castling.with(color, side),
            };
            (has || next.illegal().is_none()).then(|| next.address(&[]))
        };
        html! {
            nav.rights aria-label="Turn and castling rights" {
                a href=(turned) data-swap="" data-key="turn" { "let " (self.setup.turn.other()) " move" }
                a href=(emptied) data-swap="" data-key="clear" { "empty the board" }
                span { "Castling:" }
                @for (letter, color, side, name) in RIGHTS {
                    @if let Some(address) = changed(color, side) {
                        a href=(address) data-swap="" data-key=(format!("right-{letter}"))
                            aria-current=[castling.has(color, side).then_some("true")] { (color) " " (name) }
                    } @else { a role="link" aria-disabled="true" title="Not in this position" { (color) " " (name) } }
                }
            }
        }
    }

    /// Whether the position is legal, and if not why. Then what is selected.
    fn status(&self) -> Markup {
        let held = self.hand.map(|spot| spot.words(self.rules, &self.setup));
        let held = held.unwrap_or_else(|| "nothing".to_owned());
        let next = match self.hand {
            None => ".",
            Some(Spot::Piece(Some(_))) => ": click squares to put it there, again to remove it.",
            Some(Spot::Piece(None)) => ": click pieces to remove them.",
            Some(Spot::Square(_)) => ": click its target square.",
            Some(_) => ": click its target pin.",
        };
        let (first, rest) = held.split_at(1);
        html! {
            p.legality role="status" {
                @match self.illegal() {
                    _ if self.unread.is_some() => b.bad { "The board shows the start position, not the text below." }
                    None => b.good { "Legal position." }
                    Some(fault) => b.bad { "Not legal under " (self.rules.name()) ": " (fault) "." }
                }
                " " (first.to_uppercase()) (rest) " selected" (next)
            }
        }
    }

    /// Links to searches with the position.
    fn asking(&self) -> Markup {
        let fen = &*self.fen();
        let pattern = self.pattern();
        html! {
            section.actions aria-label="Find games" {
                @if self.illegal().is_none() {
                    a.button href=(self.elsewhere("/search", &[("position", fen)])) data-key="exact" { "Find this position" }
                    a.button href=(self.elsewhere("/search", &[("position", fen), ("loose", "1")])) { "Ignore castling and en passant rights" }
                    a.button href=(self.elsewhere("/openings", &[("position", fen)])) { "What is played here" }
                    a.button href=(self.elsewhere("/board.svg", &[("position", fen)])) download="" { "Picture (SVG)" }
                }
                a.button href=(self.elsewhere("/search", &[("plan", fen)])) { "Find it as seen from the top" }
                @if !pattern.is_empty() {
                    a.button href=(self.elsewhere("/search", &[("pattern", &pattern)])) data-key="pattern" { "Positions with at least these pieces" }
                }
            }
        }
    }

    /// The pieces on the board as a pattern, with the attack boards that are not on their starting pins.
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

    /// The form for typing or pasting a position.
    fn by_text(&self) -> Markup {
        html! {
            form.text action="/setup" method="get" {
                (form::hidden(self.params.just(&VIEW).with("rules", self.rules.name()).pairs()))
                (form::position(self.unread.unwrap_or(&self.fen())))
                p { button type="submit" { "Set up" } }
            }
        }
    }
}
