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
use tridex_index::{Field, HitRow, Hits, SortKey};
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
        (form::quick(params, fault.as_ref()))
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
        @if rows.is_empty() && total == 0 { (relaxed(request)) }
        @if !rows.is_empty() {
            table.hits {
                thead { tr {
                    @if !is_one && !boards.is_empty() { th scope="col" { "Found" } }
                    @for name in ["White", "Black", "Result", "Date", "Rules", "Opening", "Event", "Plies"] { (heading(params, name)) }
                } }
                tbody { @for (number, row) in (offset..).zip(&rows) {
                    (line(&in_list(params, &question, number), row, boards.get(&row.id).filter(|_| !is_one)))
                } }
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

/// The parameters of a game's page besides its position: the view, and the list of results that the game is in.
fn in_list(params: &Params, question: &Params, number: u64) -> Params {
    let list = question.link("", &[]);
    params
        .just(&VIEW)
        .with("list", list.trim_start_matches('?'))
        .with("nth", &number.to_string())
}

/// A part of a query that finds nothing.
struct Clause {
    label: String,
    value: String,
    /// The query without it, and that with it alone.
    without: Params,
    alone: Params,
    /// The same query if the names in it may have a wrong letter.
    near: Option<Params>,
}

/// The parts of the query of a request. The parts of its field for a whole query are separate.
fn clauses(params: &Params) -> Vec<Clause> {
    let mut clauses = Vec::new();
    let all: Vec<(&str, &str)> = params.pairs().collect();
    for (number, &(name, value)) in all.iter().enumerate() {
        if !SEARCH.contains(&name) {
            continue;
        }
        let parts = match name {
            "query" => tridex_index::query_parts(value).unwrap_or_default(),
            _ => Vec::new(),
        };
        let is_name = Field::find(name).is_some_and(|field| field.value == "NAME");
        let is_plain = is_name && !value.ends_with(['~', '*', '?', '"']) && !value.starts_with('=');
        let near = || params.replaced(number, Some(format!("{}~", value.trim_end())));
        let alone = |value: &str| params.just(&["rules"]).with(name, value);
        if parts.len() < 2 {
            clauses.push(Clause {
                label: form::label(name),
                value: value.to_owned(),
                without: params.replaced(number, None),
                alone: alone(value),
                near: is_plain.then(near),
            });
        }
        for (left_out, part) in parts.iter().enumerate().filter(|_| parts.len() > 1) {
            let others = parts.iter().enumerate();
            let others = others.filter(|(other, _)| *other != left_out);
            let others: Vec<&str> = others.map(|(_, part)| *part).collect();
            clauses.push(Clause {
                label: form::label(name),
                value: (*part).to_owned(),
                without: params.replaced(number, Some(others.join(" "))),
                alone: alone(part),
                near: None,
            });
        }
    }
    clauses
}

/// What can be omitted from a query that finds nothing, with the number of games that are found then.
fn relaxed(request: &Request) -> Markup {
    let clauses = clauses(&request.params);
    let count = |params: &Params| {
        let found =
            model::found_by(request, &params.without(&["offset"]), 0, Count::Briefly).ok()?;
        let counted = numbers::counted(found.total, "game", "games");
        let text = match found.is_whole {
            true => counted,
            false => format!("at least {counted}"),
        };
        Some((found.total, text))
    };
    let link = |params: &Params| params.link("/search", &[("offset", "")]);
    let near = clauses.iter().filter_map(|clause| {
        let near = clause.near.as_ref()?;
        let (_, text) = count(near).filter(|(games, _)| *games > 0)?;
        Some((link(near), clause, text))
    });
    let near: Vec<_> = near.collect();
    // Without some fields others mean nothing.
    let counted = clauses.iter().filter_map(|clause| {
        let (_, text) = count(&clause.without)?;
        Some((clause, text, count(&clause.alone)))
    });
    html! {
        @if clauses.len() > 1 {
            p { "No game matches all of this. Search again without one of its parts:" }
            ul.examples {
                @for (clause, text, alone) in counted {
                    li { a href=(link(&clause.without)) {
                        "without " b { (clause.label) ": " (clause.value) } ": " (text)
                        @if let Some((_, alone)) = alone { small { " (this part alone: " (alone) ")" } }
                    } }
                }
            }
        } @else {
            p { "No game matches this. Names and words must be written as in the games; a part of a name is enough." }
        }
        @if !near.is_empty() {
            p { "A wrong letter in the name?" }
            ul.examples {
                @for (address, clause, text) in near {
                    li { a href=(address) { b { (clause.label) ": " (clause.value) "~" } ": " (text) } }
                }
            }
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

/// A row of the table. `view` has the other parameters of the game's page.
fn line(view: &Params, row: &HitRow, board: Option<&Markup>) -> Markup {
    let address = game_list::address_at(row, row.ply, view);
    let about = row.title();
    html! {
        tr {
            @if let Some(board) = board {
                td.board-cell { (board) (plies(row, view)) }
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
