//! The home page: the size of the index, example searches and some games.

use super::{form, game_list, numbers, search, shell};
use crate::board;
use crate::fault::Fault;
use crate::model::{self, written};
use crate::params::Params;
use crate::reply::Reply;
use crate::site::Request;
use maud::{Markup, html};
use std::cmp::Reverse;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use tridex_index::{HitRow, Hits, IndexedGame, Query, SearchOptions};
use tridex_notation::Notation;
use tridex_picture::{Marks, View};
use tridex_rules::{Color, Move, Position, Role, RuleSystem};

/// How many games each list has.
const LISTED: u64 = 5;

/// `/`
pub(crate) fn page(request: &Request) -> Result<Reply, Fault> {
    request.params.only(&[&["random"]])?;
    let index = &request.index;
    let games = index.games();
    let newest = part(request, &Query::All, games.saturating_sub(LISTED), LISTED)?;
    let newest = model::rows(request, &newest)?;
    // The same address always lists the same games: a pseudo-random first one, and others at equal distances after it.
    let turn: u32 = request.params.number("random")?.unwrap_or(0);
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let from = hasher.hash_one((turn, games)) % games.max(1);
    let mut random = Vec::new();
    for i in 0..LISTED.min(games) {
        let one = part(request, &Query::All, (from + i * games / LISTED) % games, 1)?;
        random.extend(model::rows(request, &one)?);
    }
    let others = turn.wrapping_add(1).to_string();
    let shown = match newest.last() {
        Some(row) => model::sound(index.game(tridex_index::find_game(index, &row.id)?))?,
        None => None,
    };
    let mut systems = Vec::new();
    for rules in RuleSystem::ALL {
        let games = part(request, &Query::Rules(*rules), 0, 0)?.total;
        systems.push((*rules, games));
    }
    let view = Params::default();
    let content = html! {
        p.counts {
            b { (numbers::number(games)) } " games, " b { (numbers::number(index.positions())) } " positions"
        }
        (form::quick(&view, None))
        (board::pieces())
        div.face {
            @if let Some(game) = &shown { (scene(game)?) }
            section {
                h2 { "Searches" }
                @if let (Some(game), Some(row)) = (&shown, newest.last()) { (examples(game, row)?) }
                @else { p { "The index is empty: add games with `tridex index`." } }
            }
        }
        h2 { "Five games on boards above each other" }
        ul.systems { @for (rules, games) in systems { (card(rules, games)) } }
        div.home {
            section { h2 { "Newest games" } (game_list::games("Newest games", &newest, &view)) }
            section {
                h2 { "Random games" }
                (game_list::games("Random games", &random, &view))
                p { a href=(view.link("/", &[("random", &others)])) data-swap="" data-key="random" { "Other games" } }
            }
        }
        details {
            summary { "All search fields" }
            (search::fields(&request.params, true))
        }
    };
    let title = "Games of three-dimensional chess";
    Ok(shell::reply(request, title, None, &content))
}

/// Some of the games that match a query, in the order of the index.
fn part(request: &Request, query: &Query, offset: u64, limit: u64) -> Result<Hits, Fault> {
    let options = SearchOptions::default()
        .offset(offset as usize)
        .limit(limit as usize);
    Ok(request.index.search(query, &options)?)
}

/// A game that plays on by itself. Without a script it is the last position.
fn scene(game: &IndexedGame) -> Result<Markup, Fault> {
    let plies = game.entry.moves.len() as u32;
    let (position, marks) = board::position_in(game, None, plies)?;
    let address = format!("/game/{:016x}", game.id);
    Ok(html! {
        section.scene aria-label="A game" {
            div data-viewer=(format!("/viewer/{:016x}", game.id)) data-plays {
                a.shown href=(format!("{address}?ply={plies}")) {
                    (board::small(&position, &marks, View::Flat))
                    span { "Last position" }
                }
            }
            p { a href=(address) { (game.title()) } }
        }
    })
}

/// A rule system: its start position, its name in full, and where to read, to search and to explore.
fn card(rules: RuleSystem, games: u64) -> Markup {
    let start = Position::start(rules);
    let to = |path| Params::default().link(path, &[("rules", rules.name())]);
    html! {
        li {
            a href=(to("/rules")) tabindex="-1" aria-hidden="true" { (board::small(&start, &Marks::default(), View::Stand)) }
            h3 { (model::title(rules)) }
            p { (rules.facts().summary) }
            p.downloads {
                a href=(to("/rules")) { "How the pieces move" } " "
                @if games > 0 {
                    a href=(to("/search")) { (numbers::counted(games, "game", "games")) } " "
                    a href=(to("/openings")) { "Openings" }
                } @else { "no games" }
            }
        }
    }
}

/// The letters of a side's pieces except the pawns, then `*` for any others: `KQRB*`.
fn pieces(position: &Position, color: Color) -> String {
    let setup = position.to_setup();
    let pieces = setup.pieces().map(|(_, piece)| piece);
    let pieces = pieces.filter(|piece| piece.color == color && piece.role != Role::Pawn);
    let mut roles: Vec<Role> = pieces.map(|piece| piece.role).collect();
    roles.sort_by_key(|role| Reverse(*role));
    roles.into_iter().map(Role::letter).chain(['*']).collect()
}

/// Example searches, one for each of some fields. All but the last are sure to find the game.
fn examples(game: &IndexedGame, row: &HitRow) -> Result<Markup, Fault> {
    let rules = game.entry.rules;
    let mut position = game.entry.start_position()?;
    let (mut moves, mut square) = (Vec::new(), String::new());
    for played in game.entry.moves.iter().take(2) {
        moves.push(written(Notation::of(rules), &position, *played)?);
        position.play_unchecked(*played);
        if let Move::Piece { to, .. } = *played
            && let Some(piece) = position.piece_at(to)
        {
            let name = board::square_name(rules, &position.to_setup(), to);
            square = format!("{}@{name}", piece.letter());
        }
    }
    let sequence = moves.join(" then ");
    let moves = moves.join(" ");
    let opening = game.opening.as_ref();
    let opening = opening.map_or_else(String::new, |opening| format!("\"{opening}\""));
    let middle = board::position_in(game, None, game.entry.moves.len() as u32 / 2)?.0;
    let fen = model::fen(&middle);
    let [white, black] = Color::ALL.map(|color| pieces(&middle, color));
    let examples = [
        ("player", &*row.white),
        ("event", &row.event),
        ("date", row.date.get(..4).unwrap_or_default()),
        ("result", row.result),
        ("opening", &opening),
        ("moves", &moves),
        ("sequence", &sequence),
        ("position", &fen),
        ("plan", &fen),
        ("pattern", &square),
        ("material", &format!("{white}:{black}")),
        ("pattern", "check"),
    ];
    let is_known = |value: &str| !value.is_empty() && !value.starts_with(['?', '*']);
    let examples = examples.into_iter().filter(|(_, value)| is_known(value));
    Ok(html! {
        ul.examples {
            @for (name, value) in examples {
                li { a href=(Params::default().link("/search", &[("rules", rules.name()), (name, value)])) {
                    b { (form::label(name)) } " " span { @if value == fen { "the middle of the last game" } @else { (value) } }
                } }
            }
        }
    })
}
