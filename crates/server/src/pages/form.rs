//! Fields of forms, and the query that a form has sent.

use crate::fault::Fault;
use crate::params::Params;
use maud::{Markup, html};
use tridex_index::Field;

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

/// The field for a whole query, with the other parameters of the search.
///
/// A fault of this query marks its place in the field.
pub(crate) fn quick(params: &Params, fault: Option<&Fault>) -> Markup {
    let text = params.get("query");
    let place = fault.and_then(|fault| fault.place_in(text?));
    let rest = params.without(&["query", "offset", "count"]);
    html! {
        form.quick action="/search" method="get" role="search" aria-label="By a query" {
            label for="quick" { "Search for games" }
            input type="text" id="quick" name="query" value=[text] autocomplete="off" spellcheck="false"
                aria-describedby="quick-hint" aria-invalid=[place.map(|_| "true")] data-fault=[place];
            (hidden(rest.pairs()))
            button type="submit" { "Find games" }
            small id="quick-hint" { "For example player:spock after:2001 not result:1/2-1/2" }
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
