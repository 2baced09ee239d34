//! A player: games, results by colour and rule system, openings, opponents.

use super::{game_list, numbers, shell};
use crate::charts;
use crate::fault::Fault;
use crate::model;
use crate::params::Params;
use crate::reply::Reply;
use crate::site::Request;
use maud::{Markup, html};
use std::collections::BTreeMap;
use tridex_index::{GameResult, SearchRequest};

/// How many games are counted at most.
const COUNTED: usize = 10_000;

/// How many games, openings and opponents are listed.
const LISTED: usize = 12;

/// Numbers of games won, drawn, lost, and with another result.
type Results = [u64; 4];

/// `/player`
pub(crate) fn page(request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[&["name"]])?;
    let name = params.get("name").unwrap_or_default().trim();
    let whole = format!("={}", name.trim_start_matches('='));
    if name.is_empty() {
        return Err(Fault::asked("`name` is missing: the name of the player"));
    }
    let mut asking = SearchRequest::default();
    asking.set("player", whole.as_str())?;
    asking.options.limit = COUNTED;
    let found = request.index.answer(&asking)?;
    let mut by_side: BTreeMap<(&'static str, &'static str), Results> = BTreeMap::new();
    let (mut openings, mut opponents) = (BTreeMap::new(), BTreeMap::new());
    let mut games = model::rows(request, &found)?;
    let own = name.trim_start_matches('=').to_lowercase();
    for row in &games {
        let is_white = row.white.to_lowercase() == own || row.black.to_lowercase() != own;
        let (side, other) = match is_white {
            true => ("White", &row.black),
            false => ("Black", &row.white),
        };
        let at = match (GameResult::from_name(row.result), is_white) {
            (Some(GameResult::White), true) | (Some(GameResult::Black), false) => 0,
            (Some(GameResult::Draw), _) => 1,
            (Some(GameResult::White), false) | (Some(GameResult::Black), true) => 2,
            _ => 3,
        };
        by_side.entry((row.rules, side)).or_default()[at] += 1;
        if let Some(opening) = &row.opening {
            openings.entry(opening.clone()).or_insert([0; 4])[at] += 1;
        }
        opponents.entry(other.clone()).or_insert([0; 4])[at] += 1;
    }
    games.sort_by_cached_key(game_list::latest);
    games.truncate(LISTED);
    let nothing = Params::default();
    let link = |changes: &[(&str, &str)]| {
        let player = [("player", whole.as_str())];
        nothing.link("/search", &[&player, changes].concat())
    };
    let content = html! {
        p.status role="status" {
            b { (numbers::counted(found.total, "game", "games")) }
            @if found.total > COUNTED as u64 { " (the first " (numbers::number(COUNTED as u64)) " are counted)" }
        }
        @if found.total == 0 {
            p { "No player has exactly this name. " a href=(nothing.link("/search", &[("player", name)])) { "Search for names like it" } }
        } @else {
            p.downloads {
                a href=(link(&[])) { "All games" } " "
                a href=(nothing.link("/statistics", &[("player", &whole)])) { "Statistics" }
            }
            div.home {
                (results("Results by rules and colour", "Rules and colour", by_side.into_iter().map(|((rules, side), counts)| {
                    let side_link = if side == "White" { "white" } else { "black" };
                    let address = nothing.link("/search", &[("rules", rules), (side_link, &whole)]);
                    (html! { a href=(address) { (rules) ", " (side) } }, counts)
                })))
                section { h2 { "Latest games" } (game_list::games("Latest games", &games, &nothing)) }
                @if !openings.is_empty() {
                    (results("Openings", "Opening", most(openings).into_iter().map(|(name, counts)| {
                        (html! { a href=(link(&[("opening", &format!("\"{name}\""))])) { (name) } }, counts)
                    })))
                }
                (results("Opponents", "Opponent", most(opponents).into_iter().map(|(name, counts)| (game_list::player(&name), counts))))
            }
        }
    };
    Ok(shell::reply(request, name, None, &content))
}

/// Those with the most games first.
fn most(counts: BTreeMap<String, Results>) -> Vec<(String, Results)> {
    let mut all: Vec<_> = counts.into_iter().collect();
    all.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.iter().sum::<u64>()));
    all.truncate(LISTED);
    all
}

fn results(title: &str, column: &str, rows: impl Iterator<Item = (Markup, Results)>) -> Markup {
    let rows = html! {
        @for (name, [won, drawn, lost, other]) in rows {
            tr {
                td { (name) }
                td.number { (numbers::number(won + drawn + lost + other)) }
                td { (charts::bar(["won", "drawn", "lost"], [won, drawn, lost])) }
            }
        }
    };
    let columns = [column, "Games", "Won, drawn, lost"];
    html! { section { h2 { (title) } (numbers::table(Some("moves"), &columns, &rows)) } }
}
