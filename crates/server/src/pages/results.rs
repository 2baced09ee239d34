//! The games that answer a query, page by page.

use super::{layout, search};
use crate::board;
use crate::download;
use crate::fault::Fault;
use crate::model::{self, SHOWN};
use crate::params::{LOOKING, SEARCH, SEARCH_MORE};
use crate::reply::Reply;
use crate::site::{Request, Site};
use maud::{Markup, html};
use std::collections::HashMap;
use tridex_index::{HitRow, Hits};

/// What gives every hit the same position.
const ONE_POSITION: [&str; 4] = ["position", "fen", "moves", "game"];

/// The columns, each with the key that sorts by it.
const COLUMNS: [(&str, &str); 8] = [
    ("White", "white"),
    ("Black", "black"),
    ("Result", ""),
    ("Date", "date"),
    ("Rules", ""),
    ("Opening", ""),
    ("Event", "event"),
    ("Plies", "plies"),
];

/// `/search`
pub(crate) fn page(_: &Site, request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[&SEARCH, &SEARCH_MORE, &LOOKING])?;
    let (fault, found) = match answer(request) {
        Ok(found) => (None, Some(found)),
        // What cannot be understood is reported above the form, where it can be corrected.
        Err(fault) if fault.status == 400 => (Some(fault), None),
        Err(fault) => return Err(fault),
    };
    let content = html! {
        h1 { "Games found" }
        (layout::complaint(fault.as_ref()))
        (layout::query(params, "/search", &SEARCH))
        @if let Some((found, rows)) = &found { (table(request, found, rows)?) }
        details.refine id="refine" open[fault.is_some() || params.pairs().next().is_none()] {
            summary { h2 { "Refine search" } }
            (search::fields(params, fault.is_some()))
        }
    };
    let fault = fault.as_ref();
    Ok(layout::reply_with(
        request,
        "Games found",
        "/search",
        fault,
        &content,
    ))
}

fn answer(request: &Request) -> Result<(Hits, Vec<HitRow>), Fault> {
    let limit = request.params.number("limit")?.unwrap_or(SHOWN);
    model::found_rows(request, limit.min(model::MOST))
}

fn table(request: &Request, found: &Hits, rows: &[HitRow]) -> Result<Markup, Fault> {
    let params = &request.params;
    let offset = params.number("offset")?.unwrap_or(0_u64);
    let limit = params
        .number("limit")?
        .unwrap_or(SHOWN)
        .clamp(1, model::MOST) as u64;
    let last = offset + rows.len() as u64;
    let is_one = ONE_POSITION.iter().any(|name| params.get(name).is_some());
    let boards = boards(request, found, is_one)?;
    let question = download::question(params);
    let counted = params.just(&SEARCH);
    let to = |offset: u64| {
        let offset = offset.to_string();
        let offset = if offset == "0" { "" } else { &offset };
        params.link("/search", &[("offset", offset)])
    };
    Ok(html! {
        @if !boards.is_empty() { (board::pieces()) }
        div.found {
            p.status role="status" {
                b { (layout::counted(found.total, "game", "games")) }
                @if !rows.is_empty() && (offset > 0 || last < found.total) {
                    (format!(" ({} to {last} shown)", offset + 1))
                }
            }
            p { a href="#refine" { "Refine search" } }
            // Only the moves of the games themselves are counted.
            @if !params.flag("variations") && !rows.is_empty() { p { a href=(counted.link("/statistics", &[])) { "Statistics of these games" } } }
            @if let Some(name) = params.get("player") { p { a href=(params.just(&[]).link("/player", &[("name", name)])) { "Page of this player" } } }
            @if is_one && let Some(board) = boards.values().next() { (board) }
        }
        @if !rows.is_empty() {
            table.hits {
                thead { tr {
                    @if !is_one && !boards.is_empty() { th scope="col" { "Found" } }
                    @for (name, key) in COLUMNS { (heading(request, name, key)) }
                } }
                tbody { @for row in rows { (line(request, row, boards.get(&row.id).filter(|_| !is_one))) } }
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
            // Beyond the last game the previous page is the last one.
            @if offset > 0 { a rel="prev" href=(to(offset.min(found.total.next_multiple_of(limit)).saturating_sub(limit))) { "Previous page" } }
            @if last < found.total { a rel="next" href=(to(last)) { "Next page" } }
        }
    })
}

/// Small boards of the positions found, by the ids of the games; of one game only if they are the same in all.
fn boards(request: &Request, found: &Hits, is_one: bool) -> Result<HashMap<String, Markup>, Fault> {
    let mut boards = HashMap::new();
    let hits = found.hits.iter().filter(|hit| hit.ply.is_some());
    for hit in hits.take(if is_one { 1 } else { usize::MAX }) {
        let (Some(ply), Ok(game)) = (hit.ply, request.index.game(hit.id)) else {
            continue;
        };
        let (position, marks) = board::position_in(&game, hit.variation, ply)?;
        boards.insert(
            format!("{:016x}", game.id),
            board::small(&position, &marks, tridex_picture::View::Flat),
        );
    }
    Ok(boards)
}

/// The heading of a column, which sorts by it: upwards first, then downwards.
fn heading(request: &Request, name: &str, key: &str) -> Markup {
    let params = &request.params;
    let is_now = !key.is_empty() && params.get("sort") == Some(key);
    let is_down = is_now && params.flag("reverse");
    let order = is_now.then_some(if is_down { "descending" } else { "ascending" });
    let reverse = if is_now && !is_down { "1" } else { "" };
    let address = params.link(
        "/search",
        &[("sort", key), ("reverse", reverse), ("offset", "")],
    );
    html! {
        th scope="col" aria-sort=[order] {
            @if key.is_empty() { (name) }
            @else { a href=(address) data-swap="" data-key=(format!("sort-{key}")) { (name) } }
        }
    }
}

/// Unknown values stay empty.
fn known(value: &str) -> &str {
    if value.starts_with('?') { "" } else { value }
}

fn line(request: &Request, row: &HitRow, board: Option<&Markup>) -> Markup {
    let address = layout::game_address(row, &request.params.just(&LOOKING));
    let about = format!("{} against {}", row.white, row.black);
    html! {
        tr {
            @if let Some(board) = board {
                td.board-cell { (board) (plies(request, row)) }
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

/// The plies that match: of a sequence each of its steps, as links unless they are of a variation.
fn plies(request: &Request, row: &HitRow) -> Markup {
    if row.variation || row.steps.is_empty() {
        return html! { @if let Some(ply) = row.ply { small { "ply " (ply) @if row.variation { " (variation)" } } } };
    }
    let looks = request.params.just(&LOOKING);
    html! { small { (layout::plies(&row.steps, |ply| layout::address_at(row, Some(ply), &looks))) } }
}
