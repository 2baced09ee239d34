//! Lists of games, and links to games and players.

use crate::params::Params;
use maud::{Markup, Render, html};
use std::cmp::Reverse;
use tridex_index::HitRow;

/// The page of a player, as a link.
pub(crate) fn player(name: &str) -> Markup {
    match name {
        "?" => html! { "?" },
        name => html! { a href=(Params::default().link("/player", &[("name", name)])) { (name) } },
    }
}

/// Games as a list of links.
pub(crate) fn games(label: &str, rows: &[HitRow], view: &Params) -> Markup {
    html! {
        ol.games aria-label=(label) {
            @for row in rows {
                li {
                    a href=(address_at(row, row.ply, view)) {
                        b { (row.title()) } " " span.result { (row.result) }
                        small { (facts(row)) }
                    }
                }
            }
        }
    }
}

/// A key that sorts the latest games first, and unknown parts of dates last.
pub(crate) fn latest(row: &HitRow) -> Reverse<String> {
    Reverse(row.date.replace('?', " "))
}

/// Date, system, opening, event and length in one line.
fn facts(row: &HitRow) -> String {
    let opening = row.opening.as_deref().unwrap_or_default();
    let date = row.date.trim_end_matches(".??");
    let mut parts = vec![date, row.rules, opening, &row.event];
    parts.retain(|text| !text.starts_with('?') && !text.is_empty());
    let plies = format!("{} plies", row.plies);
    parts.push(&plies);
    parts.join(" \u{b7} ")
}

/// The address of a game at a matching ply, where all matching plies are marked. For a match in a variation it is the
/// start of the game.
pub(crate) fn address_at(row: &HitRow, ply: Option<u32>, view: &Params) -> String {
    let ply = ply.filter(|_| !row.variation).map(|ply| ply.to_string());
    let ply = ply.unwrap_or_default();
    let steps: Vec<String> = row.steps.iter().map(u32::to_string).collect();
    let found = match row.steps.is_empty() || row.variation {
        true => ply.clone(),
        false => steps.join(" "),
    };
    let path = format!("/game/{}", row.id);
    view.link(&path, &[("ply", &ply), ("found", &found)])
}

/// The plies that match, each a link.
pub(crate) fn plies<T: Copy + Render>(plies: &[T], address: impl Fn(T) -> String) -> Markup {
    html! {
        @if plies.len() == 1 { "ply" } @else { "plies" }
        @for ply in plies { " " a href=(address(*ply)) { (ply) } }
    }
}
