//! The frame of all pages: head, menu, title, errors and links to variants of a page.

use crate::assets::{Asset, GAME, ICON, SCRIPT, STYLE, VIEWER};
use crate::fault::{DAMAGED, Fault};
use crate::model;
use crate::params::{Params, VIEW};
use crate::reply::{HTML, Reply};
use crate::site::{Damage, Request};
use hyper::StatusCode;
use maud::{DOCTYPE, Markup, html};
use tridex_rules::RuleSystem;

/// A page. `here` is the address of its menu entry, and `is_damaged` is whether games may be missing.
pub(crate) fn page(
    title: &str,
    here: &str,
    is_damaged: bool,
    more: &Markup,
    content: &Markup,
) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(title, here, more))
            body {
                a.skip href="#main" { "Skip to the content" }
                header.top {
                    a.name href="/" { "tridex" }
                    nav aria-label="Pages" {
                        @for (address, name) in [("/search", "Search"), ("/openings", "Openings"), ("/setup", "Set up"), ("/rules", "Rules"), ("/statistics", "Statistics"), ("/guide", "Guide")] {
                            a href=(address) aria-current=[(address == here || is_below(here, address)).then_some("page")] { (name) }
                        }
                    }
                    // The first page and that of results have a larger one.
                    @if !matches!(here, "/" | "/search") {
                        form.find action="/search" method="get" {
                            input type="text" name="query" aria-label="Search for games" placeholder="Search for games" autocomplete="off" spellcheck="false";
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

/// Whether an address is one of the pages of the guide, which the menu names once.
fn is_below(here: &str, address: &str) -> bool {
    here.strip_prefix(address)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// The head of a page, with `more` in it.
fn head(title: &str, here: &str, more: &Markup) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            title { (title) " - tridex" }
            link rel="stylesheet" href=(STYLE.address);
            link rel="icon" href=(ICON.address) type="image/svg+xml";
            // The browser paints nothing before it has read the whole page, because the columns of half a table
            // have other widths.
            link rel="expect" href="#status" blocking="render";
            @for script in scripts(here) { script src=(script.address) defer blocking="render" {} }
            (more)
        }
    }
}

/// What other programs show of a link to a page: a title, a line about it, and a picture.
pub(crate) fn preview(title: &str, about: &str, picture: &str) -> Markup {
    html! {
        meta name="description" content=(about);
        meta property="og:type" content="article";
        meta property="og:title" content=(title);
        meta property="og:description" content=(about);
        meta property="og:image" content=(picture);
        meta name="twitter:card" content="summary_large_image";
    }
}

/// A page for a frame of another page, without menu and footer.
pub(crate) fn embedded(request: &Request, title: &str, content: &Markup) -> Reply {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head(title, request.path, &html! {}))
            body.embedded {
                main id="main" {
                    h1.unseen { (title) }
                    (content)
                }
                div.live id="status" role="status" aria-live="polite" {}
            }
        }
    };
    Reply::whole(HTML, page.into_string())
}

/// The scripts of the page at an address.
fn scripts(here: &str) -> Vec<&'static Asset> {
    match here {
        "/game/{id}" | "/embed/{id}" => vec![&VIEWER, &GAME],
        // Its board plays a game.
        "/" => vec![&VIEWER, &SCRIPT],
        _ => vec![&SCRIPT],
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
    untitled_with(request, title, &html! {}, content)
}

/// Like `untitled`, with more in the head of the page.
pub(crate) fn untitled_with(
    request: &Request,
    title: &str,
    more: &Markup,
    content: &Markup,
) -> Reply {
    let page = page(
        title,
        request.path,
        request.damage() != Damage::None,
        more,
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
    page(title, "", is_damaged, &html! {}, &content)
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
    let view = params.just(&[&VIEW[..], &["piece"]].concat());
    let choices = RuleSystem::ALL.iter().map(|rules| {
        let name = rules.name();
        let address = view.link(path, &[("rules", name)]);
        (address, name.to_owned(), model::title(*rules).to_owned())
    });
    choice("Rules", now.map_or("", RuleSystem::name), choices)
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
