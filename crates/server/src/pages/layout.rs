//! What all pages have in common.

use crate::assets::Asset;
use crate::reply::Fault;
use crate::texts;
use maud::{DOCTYPE, Markup, html};

/// Where the pages are, in the order of the menu.
const MENU: [(&str, &str); 4] = [
    ("/", texts::SEARCH),
    ("/setup", texts::SET_UP),
    ("/openings", texts::OPENINGS),
    ("/statistics", texts::STATISTICS),
];

/// A page: its title, which of the menu it is, whether games may be missing on it, and what is on it.
pub(crate) fn page(title: &str, here: &str, is_damaged: bool, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " - tridex" }
                link rel="stylesheet" href=(Asset::Style.address());
                link rel="icon" href=(Asset::Icon.address()) type="image/svg+xml";
                // Nothing is painted before the whole page is read: half a table has other columns than the whole.
                link rel="expect" href="#said" blocking="render";
                script src=(Asset::Script.address()) defer {}
            }
            body {
                a.skip href="#main" { (texts::SKIP) }
                header.top {
                    a.name href="/" { "tridex" }
                    nav aria-label=(texts::MENU) {
                        @for (address, name) in MENU {
                            a href=(address) aria-current=[(address == here).then_some("page")] { (name) }
                        }
                    }
                }
                main id="main" tabindex="-1" {
                    @if is_damaged { p.fault role="alert" { (texts::DAMAGED) } }
                    (content)
                }
                footer { p { (texts::FOOTER) " " a href="/api/v1/openapi.json" { (texts::API) } } }
                div.live id="said" role="status" aria-live="polite" {}
            }
        }
    }
}

/// A page that says why there is none.
pub(crate) fn fault(fault: &Fault, is_damaged: bool) -> Markup {
    let title = texts::fault_title(fault.status);
    page(
        title,
        "",
        is_damaged,
        &html! {
            h1 { (title) }
            p.fault { (fault.message) }
            @if let Some(drawn) = fault.drawn() { pre.fault { (drawn) } }
            p { a href="/" { (texts::TO_SEARCH) } }
        },
    )
}

/// What went wrong with what was filled in, above the form.
pub(crate) fn complaint(fault: Option<&Fault>) -> Markup {
    html! {
        @if let Some(fault) = fault {
            p.fault role="alert" { (fault.message) }
            @if let Some(drawn) = fault.drawn() { pre.fault { (drawn) } }
        }
    }
}

/// Hidden fields of a form that keep what was said.
pub(crate) fn hidden<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Markup {
    html! {
        @for (name, value) in pairs {
            input type="hidden" name=(name) value=(value);
        }
    }
}

/// A number with blanks between thousands.
pub(crate) fn number(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{a0}');
        }
        out.push(digit);
    }
    out
}
