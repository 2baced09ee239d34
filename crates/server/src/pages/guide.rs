//! The guide, as pages of the site.

use super::shell;
use crate::fault::Fault;
use crate::reply::{Reply, SVG};
use crate::site::Request;
use maud::{Markup, PreEscaped, html};
use std::sync::LazyLock;
use tridex_guide::Page;

/// Below this address are the pages of the guide.
const BASE: &str = "/guide";

/// All pages as HTML, made once.
static TEXTS: LazyLock<Vec<(&'static Page, String)>> = LazyLock::new(|| {
    let pages = tridex_guide::pages();
    pages
        .map(|page| (page, scrolling(&page.html(BASE))))
        .collect()
});

/// A page whose wide parts scroll on their own, also by keyboard.
fn scrolling(text: &str) -> String {
    text.replace("<pre>", "<pre tabindex=\"0\">")
        .replace(
            "<table>",
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table>",
        )
        .replace("</table>", "</table></div>")
}

/// `/guide` and `/guide/{name}`. Without a name, the first page.
pub(crate) fn page(request: &Request) -> Result<Reply, Fault> {
    request.params.only(&[])?;
    let is_asked = |page: &Page| request.name.is_empty() || page.name == request.name;
    let place = TEXTS.iter().position(|(page, _)| is_asked(page));
    let place = place.ok_or_else(Fault::not_found)?;
    let (page, text) = TEXTS.get(place).ok_or_else(Fault::not_found)?;
    let near = |place: Option<usize>| TEXTS.get(place?).map(|(page, _)| *page);
    let content = html! {
        div.guide {
            (contents(page))
            article {
                (PreEscaped(text))
                nav.near aria-label="Neighbouring pages" {
                    @if let Some(page) = near(place.checked_sub(1)) { p { "Before: " (link(page)) } }
                    @if let Some(page) = near(place.checked_add(1)) { p { "Next: " (link(page)) } }
                }
            }
        }
    };
    Ok(shell::untitled(request, page.title, &content))
}

/// `/guide/pictures/{name}`
pub(crate) fn picture(request: &Request) -> Result<Reply, Fault> {
    let picture = tridex_guide::picture(&request.name).ok_or_else(Fault::not_found)?;
    Ok(Reply::whole(SVG, picture))
}

fn contents(here: &Page) -> Markup {
    html! {
        nav.contents aria-label="The guide" {
            @for part in tridex_guide::parts() {
                @if !part.title.is_empty() { h2 { (part.title) } }
                ul {
                    @for page in &part.pages {
                        li { a href={ (BASE) "/" (page.name) } aria-current=[(page == here).then_some("page")] { (page.title) } }
                    }
                }
            }
        }
    }
}

fn link(page: &Page) -> Markup {
    html! { a href={ (BASE) "/" (page.name) } { (page.title) } }
}
