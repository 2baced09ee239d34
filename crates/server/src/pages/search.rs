//! The search form.

use super::form;
use crate::params::{Params, VIEW};
use maud::{Markup, html};
use tridex_index::{FIELDS, Field, FieldGroup, FieldKind, SortKey};

/// The form: a control for each field, with its current value. Fields that few readers need are collapsed unless one
/// has a value.
pub(crate) fn fields(params: &Params, is_open: bool) -> Markup {
    let setup = params.just(&["rules", "position", "view", "turned"]);
    // The page has a field for the whole query above these.
    let of = |group| {
        let own = FIELDS.iter().filter(|field| field.name != "query");
        own.filter(move |field| field.group == group)
    };
    let is_filled = |group| of(group).any(|field| params.value(field).is_some());
    let controls = |group| {
        html! {
            @for field in of(group).filter(|field| !field.is_switch()) {
                (control(params, field))
                @if field.name == "position" {
                    p.field { a.button href=(setup.link("/setup", &[])) { "Set it up on the board" } }
                }
            }
            @if of(group).any(Field::is_switch) {
                div.flags {
                    @for field in of(group).filter(|field| field.is_switch()) {
                        (flag(field.name, &field.label(), params.value(field)))
                    }
                }
            }
        }
    };
    let sort = params.get("sort");
    let is_sorted = sort.or(params.get("reverse")).is_some();
    let reverse = params.get("reverse").filter(|_| params.flag("reverse"));
    let more = html! {
        (controls(FieldGroup::More))
        (select("sort", "Order", "that of the index", SortKey::ALL.map(SortKey::name), sort))
        div.flags { (flag("reverse", "in reverse", reverse)) }
    };
    html! {
        form.search action="/search" method="get" role="search" aria-label="By fields" {
            fieldset {
                legend { "The game" }
                (controls(FieldGroup::Game))
            }
            (form::folded("On the board", is_open || is_filled(FieldGroup::Board), &controls(FieldGroup::Board)))
            (form::folded("More fields", is_sorted || is_filled(FieldGroup::More), &more))
            (form::hidden(params.just(&[&VIEW[..], &["query"]].concat()).pairs()))
            p { button type="submit" { "Find games" } }
        }
    }
}

/// The control of a field that takes a value.
fn control(params: &Params, field: &Field) -> Markup {
    let given = params.value(field);
    if let FieldKind::Choice(names) | FieldKind::Choices(names) = field.kind {
        return select(field.name, &field.label(), "any", names(), given);
    }
    let hint = match field.detail.is_empty() {
        true => format!("{}.", field.help),
        false => field.detail.replace('`', ""),
    };
    let id = format!("f-{}", field.name);
    form::field(&id, field.name, &field.label(), given, Some(&hint))
}

fn select<'a>(
    name: &str,
    label: &str,
    none: &str,
    values: impl IntoIterator<Item = &'a str>,
    given: Option<&str>,
) -> Markup {
    let id = format!("f-{name}");
    // Addresses may name several values, or a value that is not in the list.
    let values: Vec<&str> = values.into_iter().collect();
    let other = given.filter(|given| !values.contains(given));
    html! {
        div.field {
            label for=(id) { (label) }
            select id=(id) name=(name) {
                option value="" { (none) }
                @for value in values.into_iter().chain(other) {
                    option value=(value) selected[given == Some(value)] { (value) }
                }
            }
        }
    }
}

/// A checkbox. If the parameter has another value than `1`, the checkbox preserves it.
fn flag(name: &str, label: &str, given: Option<&str>) -> Markup {
    let id = format!("f-{name}");
    html! {
        div.flag {
            input type="checkbox" id=(id) name=(name) value=(given.unwrap_or("1")) checked[given.is_some()];
            label for=(id) { (label) }
        }
    }
}
