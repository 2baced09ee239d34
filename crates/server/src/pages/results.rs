//! The games that answer a question, page by page.

use super::{layout, search};
use crate::api::{self, SHOWN};
use crate::download;
use crate::params::{LOOKING, SEARCH, SEARCH_MORE};
use crate::reply::{Fault, Reply};
use crate::site::{Request, Site};
use crate::texts;
use maud::{Markup, html};
use tridex_index::{HitRow, Hits};

/// `/search`
pub(crate) fn page(_: &Site, request: &Request) -> Result<Reply, Fault> {
    let params = &request.params;
    params.only(&[&SEARCH, &SEARCH_MORE, &LOOKING])?;
    let (fault, found) = match answer(request) {
        Ok(found) => (None, Some(found)),
        // What cannot be understood is told above the form, where it can be mended.
        Err(fault) if fault.status == 400 => (Some(fault), None),
        Err(fault) => return Err(fault),
    };
    let content = html! {
        h1 { (texts::RESULTS) }
        (layout::complaint(fault.as_ref()))
        @if let Some((found, rows)) = &found { (table(request, found, rows)?) }
        section aria-label=(texts::ASK_AGAIN) {
            h2 { (texts::ASK_AGAIN) }
            (search::fields(params, fault.is_some()))
        }
    };
    let mut reply = Reply::page(request, texts::RESULTS, "/", &content);
    if let Some(fault) = fault {
        reply.status = fault.status;
    }
    Ok(reply)
}

fn answer(request: &Request) -> Result<(Hits, Vec<HitRow>), Fault> {
    let limit = request
        .params
        .number("limit")?
        .unwrap_or(SHOWN)
        .min(api::MOST);
    api::found_rows(request, limit)
}

fn table(request: &Request, found: &Hits, rows: &[HitRow]) -> Result<Markup, Fault> {
    let params = &request.params;
    let offset = params.number("offset")?.unwrap_or(0_u64);
    let limit = params.number("limit")?.unwrap_or(SHOWN).clamp(1, api::MOST) as u64;
    let has_plies = rows.iter().any(|row| row.ply.is_some());
    let last = offset + rows.len() as u64;
    let question = download::question(params);
    let counted = params.just(&[&SEARCH[..], &["lasting"]].concat());
    let to = |offset: u64| {
        let offset = offset.to_string();
        params.link(
            "/search",
            &[("offset", if offset == "0" { "" } else { &offset })],
        )
    };
    Ok(html! {
        p.told role="status" {
            (texts::games_found(&layout::number(found.total)))
            @if !rows.is_empty() && (offset > 0 || last < found.total) {
                " " (texts::shown(offset + 1, last))
            }
        }
        @if !rows.is_empty() {
            div.wide tabindex="0" role="region" aria-label=(texts::RESULTS) {
                table {
                    thead { tr {
                        th scope="col" { (texts::DATE) }
                        th scope="col" { (texts::WHITE) }
                        th scope="col" { (texts::BLACK) }
                        th scope="col" { (texts::RESULT) }
                        th scope="col" { (texts::RULES) }
                        th scope="col" { (texts::PLIES) }
                        @if has_plies { th scope="col" { (texts::AT_PLY) } }
                        th scope="col" { (texts::OPENING) }
                        th scope="col" { (texts::EVENT) }
                        th scope="col" { (texts::GAME_LINK) }
                    } }
                    tbody { @for row in rows { (line(request, row, has_plies)) } }
                }
            }
            nav.pages aria-label=(texts::PAGES) {
                @if offset > 0 { a rel="prev" href=(to(offset.saturating_sub(limit))) { (texts::PREVIOUS_PAGE) } }
                @if last < found.total { a rel="next" href=(to(last)) { (texts::NEXT_PAGE) } }
            }
            p.downloads {
                (texts::DOWNLOAD_ALL)
                @for (path, name) in [
                    ("/download/games.pgn", "PGN"), ("/download/games.ndjson", "NDJSON"), ("/download/games.csv", "CSV"),
                ] {
                    " " a href=(question.link(path, &[])) download="" { (name) }
                }
            }
            // Only the moves of the games themselves are counted.
            @if !params.flag("variations") {
                p { a href=(counted.link("/statistics", &[])) { (texts::STATISTICS_OF_THESE) } }
            }
        }
    })
}

fn line(request: &Request, row: &HitRow, has_plies: bool) -> Markup {
    let ply = row
        .ply
        .filter(|_| !row.variation)
        .map(|ply| ply.to_string());
    let ply = ply.as_deref().unwrap_or_default();
    let looks = request.params.just(&LOOKING);
    let address = looks.link(
        &format!("/game/{}", row.id),
        &[("ply", ply), ("found", ply)],
    );
    html! {
        tr {
            td { (row.date) }
            td { (row.white) }
            td { (row.black) }
            td { (row.result) }
            td { (row.rules) }
            td.number { (row.plies) }
            @if has_plies {
                td.number { @if let Some(ply) = row.ply { (ply) @if row.variation { " " (texts::IN_VARIATION) } } }
            }
            td { (row.opening.as_deref().unwrap_or_default()) }
            td { (row.event) }
            td { a href=(address) { (texts::LOOK) span.unseen { (texts::game_of(&row.white, &row.black)) } } }
        }
    }
}
