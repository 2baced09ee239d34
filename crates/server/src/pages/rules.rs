//! How the pieces of a rule system move: a piece alone with the kings, the squares that it reaches, and why it reaches no
//! other. Every square is a link, so no script is needed.

use super::shell;
use crate::board::{self, Spot, SpotLink};
use crate::fault::Fault;
use crate::model;
use crate::params::{Params, VIEW};
use crate::reply::Reply;
use crate::site::Request;
use maud::html;
use tridex_geometry::Square;
use tridex_notation::{Notation, messages, position_string};
use tridex_picture::{Ink, Marks, all_squares};
use tridex_rules::{Castling, Color, Move, Piece, Position, Role, RuleSystem, Setup};

/// The path of the page.
const HERE: &str = "/rules";

/// `/rules`
pub(crate) fn page(request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[&["rules", "piece", "at", "to"], &VIEW])?;
    let rules = params.rules()?.unwrap_or_default();
    let role = params.read_as("piece", "K, Q, R, B, N or P", |text| {
        let role = |role: &Role| role.letter().to_string() == text;
        Role::ALL.into_iter().find(role)
    })?;
    let role = role.unwrap_or(Role::Knight);
    let square = |name| {
        params.read_as(name, "a square, such as s0", |text| {
            match Spot::read(text, rules.family()) {
                Some(Spot::Square(square)) => Some(square),
                _ => None,
            }
        })
    };
    let (at, to) = (square("at")?, square("to")?);
    let at = at.unwrap_or_else(|| showcase(rules, role));
    let setup = alone(rules, role, at);
    let name = |square| board::square_name(rules, &setup, square);
    let position = Position::from_setup(rules, &setup);
    let mut marks = Marks::default();
    match &position {
        Ok(position) => marks.moves_of(position, at),
        Err(_) => marks.squares.push((at, Ink::Green)),
    }
    let reached: Vec<Square> = marks.reached.iter().map(|(square, _)| *square).collect();
    let links: Vec<SpotLink> = all_squares(rules.family())
        .filter(|square| *square != at)
        .map(|square| link(params, &setup, rules, square, reached.contains(&square)))
        .collect();
    let why = to.filter(|to| *to != at).and_then(|to| {
        let position = position.as_ref().ok()?;
        let (from, promotion) = (at, None);
        let why = position.explain(Move::Piece {
            from,
            to,
            promotion,
        })?;
        marks.squares.push((to, Ink::Red));
        let why = messages::explain(position, Notation::of(rules), &why);
        let (first, rest) = why.split_at_checked(1)?;
        Some(first.to_uppercase() + rest + ".")
    });
    let fen = position_string::to_string(&setup);
    let role_name = role.name();
    let content = html! {
        div.setup {
            (board::fitting(rules, &setup, params, &marks, &links))
            div.tools {
                (shell::systems(params, HERE, Some(rules)))
                (shell::choice("Piece", role_name, Role::ALL.into_iter().rev().map(|other| {
                    let letter = other.letter().to_string();
                    let changes = [("piece", &*letter), ("at", ""), ("to", "")];
                    (params.link(HERE, &changes), other.name().to_owned(), other.name().to_owned())
                })))
                p.status role="status" {
                    @match (&position, &why) {
                        (Err(fault), _) => (format!("Choose another square for the {role_name}: {fault}.")),
                        (Ok(_), Some(why)) => (why),
                        (Ok(_), None) => {
                            (format!("From {} the {role_name} reaches ", name(at))) b { (squares(reached.len())) } ": "
                            (reached.iter().map(|square| name(*square)).collect::<Vec<_>>().join(" "))
                        }
                    }
                }
                p.hint { "Click a marked square to move the piece there, or another square to read why it cannot go there." }
                (board::view_links(params, |changes| params.link(HERE, changes)))
                h2 { (model::title(rules)) }
                p { (rules.facts().summary) }
                p { small { "After: " (rules.facts().source) "." } }
                p.actions {
                    a.button href=(params.just(&VIEW).link("/setup", &[("rules", rules.name()), ("position", &fen)])) { "Set up this position" }
                    a.button href=(params.just(&VIEW).link("/openings", &[("rules", rules.name())])) { "Openings" }
                }
            }
        }
    };
    Ok(shell::reply(request, "How the pieces move", None, &content))
}

/// `1 square`, `12 squares`.
fn squares(count: usize) -> String {
    super::numbers::counted(count as u64, "square", "squares")
}

/// White's piece alone with the kings; the king itself alone with that of Black.
fn alone(rules: RuleSystem, role: Role, at: Square) -> Setup {
    let mut setup = rules.start();
    let own = Piece::new(Color::White, role);
    let kings = |piece: Piece| piece.role == Role::King && piece != own;
    let others: Vec<Square> = setup
        .pieces()
        .filter(|(_, piece)| !kings(*piece))
        .map(|(square, _)| square)
        .collect();
    for square in others {
        setup.set_piece(square, None);
    }
    setup.castling = Castling::NONE;
    setup.set_piece(at, Some(own));
    setup
}

/// The square from which a piece has the most moves; of several the last.
fn showcase(rules: RuleSystem, role: Role) -> Square {
    let start = rules.start();
    let is_free = |square: &Square| {
        let king = |piece: Piece| piece.role == Role::King && piece.color == Color::Black;
        !start.piece(*square).is_some_and(king)
    };
    let moves = |square: &Square| {
        let position = Position::from_setup(rules, &alone(rules, role, *square));
        let own = |position: Position| {
            let mut marks = Marks::default();
            marks.moves_of(&position, *square);
            marks.reached.len()
        };
        position.map_or(0, own)
    };
    let squares = all_squares(rules.family()).filter(is_free);
    squares.max_by_key(moves).unwrap_or_else(|| Square::new(0))
}

/// The link of a square: to the piece there if it can go there, or to the reason if it cannot.
fn link(
    params: &Params,
    setup: &Setup,
    rules: RuleSystem,
    square: Square,
    is_reached: bool,
) -> SpotLink {
    let spot = Spot::Square(square);
    let name = spot.name();
    let changes = match is_reached {
        true => [("at", &*name), ("to", "")],
        false => [("to", &*name), ("", "")],
    };
    let words = spot.words(rules, setup);
    SpotLink {
        spot,
        address: params.link(HERE, &changes),
        label: match is_reached {
            true => format!("to {words}"),
            false => format!("why not to {words}"),
        },
        lift: None,
    }
}
