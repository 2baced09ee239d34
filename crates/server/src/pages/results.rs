//! The games that match a query, page by page.

use super::{form, game_list, numbers, search, shell};
use crate::board;
use crate::fault::Fault;
use crate::model::{self, Count};
use crate::params::{Params, SEARCH, SEARCH_MORE, VIEW};
use crate::reply::Reply;
use crate::site::Request;
use maud::{Markup, html};
use std::collections::HashMap;
use tridex_index::{HitRow, Hits, SortKey};
use tridex_picture::View;

/// `/search`
pub(crate) fn page(request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[&SEARCH, &SEARCH_MORE, &VIEW])?;
    let answer = || {
        let count = match params.flag("count") {
            true => Count::AsFarAsPossible,
            false => Count::Briefly,
        };
        let limit = model::limit(params)?;
        Ok((model::found(request, limit, count)?, limit))
    };
    let (found, fault) = shell::understood(answer())?;
    let content = html! {
        (form::quick(params))
        (form::query(params, "/search", &SEARCH))
        details.refine id="refine" open[fault.is_some() || params.pairs().next().is_none()] {
            summary { h2 { "All fields" } }
            (search::fields(params, fault.is_some()))
        }
        @if let Some((found, limit)) = &found { (table(request, found, *limit.max(&1) as u64)?) }
    };
    let title = "Games found";
    Ok(shell::reply(request, title, fault.as_ref(), &content))
}

/// The games of one page, at most `limit`.
fn table(request: &Request, found: &Hits, limit: u64) -> Result<Markup, Fault> {
    let params = &request.params;
    let (rows, total) = (model::rows(request, found)?, found.total);
    let offset: u64 = params.number("offset")?.unwrap_or(0);
    let last = offset + rows.len() as u64;
    // With one of these, every hit has the same position.
    let mut same = ["position", "moves", "game"].into_iter();
    let is_one = same.any(|name| params.get(name).is_some());
    let boards = boards(request, found, is_one)?;
    let question = params.just(&[&SEARCH[..], &["sort", "reverse", "sample", "seed"]].concat());
    // If the offset is beyond the last game, the previous page is the last one with games.
    let end = offset.min(total.next_multiple_of(limit));
    let before = end.saturating_sub(limit);
    let to = |offset: u64| {
        let offset = (offset > 0).then(|| offset.to_string());
        params.link("/search", &[("offset", &offset.unwrap_or_default())])
    };
    // Only a whole name has a page of a player.
    let named = params.get("player").filter(|asked| {
        let whole = asked.trim_start_matches('=').to_lowercase();
        let mut players = rows.iter().flat_map(|row| [&row.white, &row.black]);
        players.any(|player| player.to_lowercase() == whole)
    });
    Ok(html! {
        @if !boards.is_empty() { (board::pieces()) }
        div.found {
            p.status role="status" {
                b {
                    @if found.is_whole { (numbers::counted(total, "game", "games")) }
                    @else { (numbers::number(rounded_down(total))) "+ games" }
                }
                @if !rows.is_empty() && (offset > 0 || last < total) {
                    (format!(" ({} to {last} shown)", offset + 1))
                }
            }
            @if !found.is_whole {
                @if params.flag("count") { p { "Counting all games took too long and was stopped." } }
                @else { p { a href=(params.link("/search", &[("count", "1")])) data-swap="" data-key="count" { "Count all games" } } }
            }
            // Statistics do not count the moves of variations.
            @if !params.flag("variations") && !rows.is_empty() { p { a href=(params.just(&SEARCH).link("/statistics", &[])) { "Statistics of these games" } } }
            @if let Some(name) = named { p { a href=(params.just(&[]).link("/player", &[("name", name)])) { "Page of this player" } } }
            @if is_one && let Some(board) = boards.values().next() { (board) }
        }
        @if rows.is_empty() && total == 0 { (relaxed(params)) }
        @if !rows.is_empty() {
            table.hits {
                thead { tr {
                    @if !is_one && !boards.is_empty() { th scope="col" { "Found" } }
                    @for name in ["White", "Black", "Result", "Date", "Rules", "Opening", "Event", "Plies"] { (heading(params, name)) }
                } }
                tbody { @for row in &rows { (line(params, row, boards.get(&row.id).filter(|_| !is_one))) } }
            }
            p.downloads {
                "Download all these games:"
                @for (path, name) in [
                    ("/download/games.pgn", "PGN"), ("/download/games.ndjson", "NDJSON"), ("/download/games.csv", "CSV"),
                ] {
                    " " a href=(question.link(path, &[])) download="" { (name) }
                }
            }
        }
        nav.pages aria-label="Pages of results" {
            @if offset > 0 { a rel="prev" href=(to(before)) { "Previous page" } }
            @if last < total { a rel="next" href=(to(last)) { "Next page" } }
        }
    })
}

/// What can be omitted from a query that finds nothing.
fn relaxed(params: &Params) -> Markup {
    let asked = params.just(&SEARCH);
    let asked: Vec<(&str, &str)> = asked.pairs().collect();
    html! {
        @if asked.len() > 1 {
            p { "No game matches all of this. Search again without one of the fields:" }
            ul.examples {
                @for (name, value) in asked {
                    li { a href=(params.link("/search", &[(name, ""), ("offset", "")])) { "without " b { (form::label(name)) ": " (value) } } }
                }
            }
        } @else {
            p { "No game matches this. Names and words must be written as in the games; a part of a name is enough." }
        }
    }
}

/// Small boards of the positions found, by the ids of the games. If all hits have the same position, there is only one
/// board.
fn boards(request: &Request, found: &Hits, is_one: bool) -> Result<HashMap<String, Markup>, Fault> {
    let mut boards = HashMap::new();
    let hits = found.hits.iter().filter(|hit| hit.ply.is_some());
    for hit in hits.take(if is_one { 1 } else { usize::MAX }) {
        let (Some(ply), Ok(game)) = (hit.ply, request.index.game(hit.id)) else {
            continue;
        };
        let (position, marks) = board::position_in(&game, hit.variation, ply)?;
        let board = board::small(&position, &marks, View::Flat);
        boards.insert(format!("{:016x}", game.id), board);
    }
    Ok(boards)
}

/// The heading of a column. If the column is a sort key, the heading is a link that sorts in ascending order first,
/// then in descending order.
fn heading(params: &Params, name: &str) -> Markup {
    let key = SortKey::from_name(&name.to_lowercase()).map_or("", SortKey::name);
    let is_now = !key.is_empty() && params.get("sort") == Some(key);
    let is_down = is_now && params.flag("reverse");
    let order = is_now.then_some(if is_down { "descending" } else { "ascending" });
    let reverse = if is_now && !is_down { "1" } else { "" };
    let changes = [("sort", key), ("reverse", reverse), ("offset", "")];
    html! {
        th scope="col" aria-sort=[order] {
            @if key.is_empty() { (name) }
            @else { a href=(params.link("/search", &changes)) data-swap="" data-key=(format!("sort-{key}")) { (name) } }
        }
    }
}

/// A lower bound with two digits that count, such as 1300 for 1342.
fn rounded_down(count: u64) -> u64 {
    let unit = count
        .checked_ilog10()
        .map_or(1, |power| 10_u64.pow(power.saturating_sub(1)));
    count / unit * unit
}

/// A value as it is shown: empty if it is unknown.
fn known(value: &str) -> &str {
    if value.starts_with('?') { "" } else { value }
}

fn line(params: &Params, row: &HitRow, board: Option<&Markup>) -> Markup {
    let view = params.just(&VIEW);
    let address = game_list::address_at(row, row.ply, &view);
    let about = row.title();
    html! {
        tr {
            @if let Some(board) = board {
                td.board-cell { (board) (plies(row, &view)) }
            }
            td.white { a href=(address) aria-label=(about) { (row.white) } }
            td.black { (row.black) }
            td.result { (row.result) }
            td.date { (known(row.date.trim_end_matches(".??"))) }
            td.rules { (row.rules) }
            td.opening { (row.opening.as_deref().unwrap_or_default()) }
            td.event { (known(&row.event)) }
            td.plies { (row.plies) }
        }
    }
}

/// The plies that match, such as each step of a sequence. They are links unless they are in a variation.
fn plies(row: &HitRow, view: &Params) -> Markup {
    html! {
        @if !row.variation && !row.steps.is_empty() {
            small { (game_list::plies(&row.steps, |ply| game_list::address_at(row, Some(ply), view))) }
        } @else if let Some(ply) = row.ply { small { "ply " (ply) @if row.variation { " (variation)" } } }
    }
}
