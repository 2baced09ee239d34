//! What all pages have in common.

use crate::assets::{ICON, SCRIPT, STYLE};
use crate::fault::{DAMAGED, Fault};
use crate::params::{LOOKING, Params};
use crate::reply::{HTML, Reply};
use crate::site::{Damage, Request};
use hyper::StatusCode;
use maud::{DOCTYPE, Markup, Render, html};
use std::cmp::Reverse;
use tridex_index::{Field, HitRow};
use tridex_rules::RuleSystem;

/// A page. `here` is the address of its menu entry, and `is_damaged` is whether games may be missing.
pub(crate) fn page(title: &str, here: &str, is_damaged: bool, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " - tridex" }
                link rel="stylesheet" href=(STYLE.address);
                link rel="icon" href=(ICON.address) type="image/svg+xml";
                // The browser paints nothing before it has read the whole page, because the columns of half a table
                // have other widths.
                link rel="expect" href="#status" blocking="render";
                script src=(SCRIPT.address) defer blocking="render" {}
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                header.top {
                    a.name href="/" { "tridex" }
                    nav aria-label="Pages" {
                        @for (address, name) in [("/search", "Search"), ("/openings", "Openings"), ("/setup", "Set up"), ("/statistics", "Statistics")] {
                            a href=(address) aria-current=[(address == here).then_some("page")] { (name) }
                        }
                    }
                }
                main id="main" tabindex="-1" {
                    @if is_damaged { p.fault role="alert" { (DAMAGED) } }
                    (content)
                }
                footer { p { "All pages work without scripts. The same answers as JSON: " a href="/api/v1/openapi.json" { "description of the API" } } }
                div.live id="status" role="status" aria-live="polite" {}
            }
        }
    }
}

/// An answer with a page below its title. If there is a `fault`, the page reports it and the answer has its status.
/// Call it after all reading, since the page reports the damage that was found.
pub(crate) fn reply(
    request: &Request,
    title: &str,
    fault: Option<&Fault>,
    content: &Markup,
) -> Reply {
    let content = titled(title, fault, content);
    let status = fault.map_or(200, |fault| fault.status);
    untitled(request, title, &content).with_status(status)
}

/// Like `reply`, for a page that shows its title itself.
pub(crate) fn untitled(request: &Request, title: &str, content: &Markup) -> Reply {
    let page = page(
        title,
        request.path,
        request.damage() != Damage::None,
        content,
    );
    Reply::whole(HTML, page.into_string())
}

/// Splits an answer into its value or a mistake in the request (400), which pages report above their form, where it can
/// be corrected. Other errors are returned.
pub(crate) fn understood<T>(answer: Result<T, Fault>) -> Result<(Option<T>, Option<Fault>), Fault> {
    match answer {
        Ok(answer) => Ok((Some(answer), None)),
        Err(fault) if fault.status == 400 => Ok((None, Some(fault))),
        Err(fault) => Err(fault),
    }
}

/// The page of a request that is not answered.
pub(crate) fn fault(fault: &Fault, is_damaged: bool) -> Markup {
    let status = StatusCode::from_u16(fault.status).ok();
    let title = status.and_then(|status| status.canonical_reason());
    let title = title.unwrap_or("Error");
    let content = titled(title, Some(fault), &html! { p { a href="/" { "Home" } } });
    page(title, "", is_damaged, &content)
}

/// Links of which one is current, each with its address, its key and its text.
pub(crate) fn choice(
    label: &str,
    now: &str,
    choices: impl IntoIterator<Item = (String, String, String)>,
) -> Markup {
    html! {
        nav.choice aria-label=(label) {
            @for (address, key, text) in choices {
                a href=(address) data-swap="" data-key=(key) aria-current=[(key == now).then_some("true")] { (text) }
            }
        }
    }
}

/// Links to the page under each rule system. Of the parameters only the view of the board is preserved.
pub(crate) fn systems(params: &Params, path: &str, now: Option<RuleSystem>) -> Markup {
    let names = RuleSystem::ALL.iter().map(|rules| rules.name());
    let address = |name| params.just(&LOOKING).link(path, &[("rules", name)]);
    let choices = names.map(|name| (address(name), name.to_owned(), name.to_owned()));
    choice("Rules", now.map_or("", RuleSystem::name), choices)
}

/// A table with the names of its columns.
pub(crate) fn table(class: Option<&str>, columns: &[&str], rows: &Markup) -> Markup {
    html! {
        table class=[class] {
            thead { tr { @for name in columns { th scope="col" { (name) } } } }
            tbody { (rows) }
        }
    }
}

/// A table of names and counts, collapsed at first.
pub(crate) fn counts(summary: &str, columns: [&str; 2], rows: &[(String, u64)]) -> Markup {
    let rows = html! { @for (name, count) in rows { tr { td { (name) } td.number { (number(*count)) } } } };
    html! { details { summary { (summary) } (table(None, &columns, &rows)) } }
}

/// The title, the error if there is one, and the content.
fn titled(title: &str, fault: Option<&Fault>, content: &Markup) -> Markup {
    html! {
        h1 { (title) }
        @if let Some(fault) = fault {
            p.fault role="alert" { (fault.message) }
            @if let Some(drawn) = fault.drawn() { pre.fault tabindex="0" { (drawn) } }
        }
        (content)
    }
}

/// A text field of a form, with its label before it and a hint below.
pub(crate) fn field(
    id: &str,
    name: &str,
    label: &str,
    value: Option<&str>,
    hint: Option<&str>,
) -> Markup {
    let about = hint.map(|_| format!("{id}-hint"));
    html! {
        div.field {
            label for=(id) { (label) }
            input type="text" id=(id) name=(name) value=[value] autocomplete="off" spellcheck="false"
                aria-describedby=[&about];
            @if let Some(hint) = hint { small id=[&about] { (hint) } }
        }
    }
}

/// The field of a position string.
pub(crate) fn position(text: &str) -> Markup {
    field("position", "position", "Position (FEN)", Some(text), None)
}

/// Fields of a form that few readers need, collapsed unless `is_open`.
pub(crate) fn folded(name: &str, is_open: bool, fields: &Markup) -> Markup {
    html! {
        details open[is_open] {
            summary { (name) }
            fieldset {
                legend.unseen { (name) }
                (fields)
            }
        }
    }
}

/// Hidden fields of a form that keep other parameters.
pub(crate) fn hidden<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Markup {
    html! {
        @for (name, value) in pairs {
            input type="hidden" name=(name) value=(value);
        }
    }
}

/// What a parameter is called on pages.
pub(crate) fn label(name: &str) -> String {
    Field::find(name).map_or_else(|| name.to_owned(), Field::label)
}

/// A query as its fields, each with a link to the same page without it.
pub(crate) fn query(params: &Params, path: &str, names: &[&str]) -> Markup {
    let asked = params.just(names);
    html! {
        ul.query aria-label="Query" {
            @for (name, value) in asked.pairs() {
                li {
                    span { (label(name)) ":" } " " b { (value) } " "
                    a href=(params.link(path, &[(name, ""), ("offset", "")])) aria-label=(format!("Remove {name}")) { "\u{d7}" }
                }
            }
        }
    }
}

/// The page of a player, as a link.
pub(crate) fn player(name: &str) -> Markup {
    match name {
        "?" => html! { "?" },
        name => html! { a href=(Params::default().link("/player", &[("name", name)])) { (name) } },
    }
}

/// Games as a list of links.
pub(crate) fn games(label: &str, rows: &[HitRow], looks: &Params) -> Markup {
    html! {
        ol.games aria-label=(label) {
            @for row in rows {
                li {
                    a href=(address_at(row, row.ply, looks)) {
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
pub(crate) fn address_at(row: &HitRow, ply: Option<u32>, looks: &Params) -> String {
    let ply = ply.filter(|_| !row.variation).map(|ply| ply.to_string());
    let ply = ply.unwrap_or_default();
    let steps: Vec<String> = row.steps.iter().map(u32::to_string).collect();
    let found = match row.steps.is_empty() || row.variation {
        true => ply.clone(),
        false => steps.join(" "),
    };
    let path = format!("/game/{}", row.id);
    looks.link(&path, &[("ply", &ply), ("found", &found)])
}

/// The plies that match, each a link.
pub(crate) fn plies<T: Copy + Render>(plies: &[T], address: impl Fn(T) -> String) -> Markup {
    html! {
        @if plies.len() == 1 { "ply" } @else { "plies" }
        @for ply in plies { " " a href=(address(*ply)) { (ply) } }
    }
}

/// A number of things: `1 game`, `2 games`.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(count), if count == 1 { one } else { many })
}

/// A number with blanks between thousands.
pub(crate) fn number(count: u64) -> String {
    let digits = count.to_string().into_bytes();
    // Groups of three from the right.
    let groups = digits.rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join("\u{a0}")
}
