//! Numbers as text, and tables of them.

use maud::{Markup, html};

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
