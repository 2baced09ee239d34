//! The description of the interface: `assets/openapi.json`, with the parameters of each address from the table of fields
//! and that of the site's own.

use crate::params::{OPENINGS, SEARCH, SEARCH_MORE, WRITING};
use serde_json::{Value, json};
use std::sync::LazyLock;
use tridex_index::{Field, FieldKind, SortKey};
use tridex_notation::Notation;

/// The addresses of the interface, each with the names of its parameters.
pub static API: LazyLock<[(&str, Vec<&str>); 6]> = LazyLock::new(|| {
    [
        ("/api/v1/search", [SEARCH.as_slice(), &SEARCH_MORE].concat()),
        ("/api/v1/openings", [OPENINGS.as_slice(), &WRITING].concat()),
        ("/api/v1/games/{id}", WRITING.to_vec()),
        ("/api/v1/moves", vec!["rules", "fen", "position"]),
        ("/api/v1/statistics", SEARCH.clone()),
        ("/api/v1/openapi.json", Vec::new()),
    ]
});

const ANY: FieldKind = FieldKind::Number(0, u32::MAX);
const SORTS: FieldKind = FieldKind::Choice(|| SortKey::ALL.map(SortKey::name).to_vec());
const NOTATIONS: FieldKind =
    FieldKind::Choice(|| Notation::ALL.into_iter().map(Notation::name).collect());

/// Parameters that are not fields of requests: name, kind and help.
const OWN: &[(&str, FieldKind, &str)] = &[
    (
        "limit",
        ANY,
        "Maximum number of hits (default 50, at most 1000).",
    ),
    ("offset", ANY, "Skip this many hits."),
    ("sort", SORTS, "Sort hits by this; unknown values last."),
    ("reverse", FieldKind::Switch, "Reverse the order."),
    (
        "count",
        FieldKind::Switch,
        "Accepted because the command has this option; games are always counted.",
    ),
    (
        "min-games",
        ANY,
        "Omit moves that were played in fewer games.",
    ),
    (
        "boards",
        FieldKind::Switch,
        "Also the first moves of the attack boards.",
    ),
    (
        "layouts",
        FieldKind::Switch,
        "Also the layouts of the attack boards.",
    ),
    ("to", NOTATIONS, "The notation in which moves are written."),
    ("notation", NOTATIONS, "The same as to."),
];

/// What fields of a table of openings are: its own position, not a part of which games count.
const OF_THE_TABLE: [(&str, &str); 3] = [
    ("rules", "The rule system of the table."),
    ("position", "The position, as a position string."),
    (
        "moves",
        "The moves that lead to the position, from the start.",
    ),
];

/// The description.
pub(crate) static TEXT: LazyLock<String> = LazyLock::new(|| {
    let text = include_str!("assets/openapi.json");
    let mut description: Value = serde_json::from_str(text).unwrap_or_default();
    for (path, names) in API.iter() {
        let queries = names.iter().map(|name| parameter(path, name));
        let id = path.ends_with("{id}").then(|| {
            json!({
                "name": "id",
                "in": "path",
                "required": true,
                "description": "16 hexadecimal digits, as hits have them; or file and number as FILE:K.",
                "schema": { "type": "string" },
            })
        });
        description["paths"][*path]["get"]["parameters"] = id.into_iter().chain(queries).collect();
    }
    let text = serde_json::to_string_pretty(&description);
    text.unwrap_or_default() + "\n"
});

fn parameter(path: &str, name: &str) -> Value {
    let mut parameter = json!({ "name": name, "in": "query" });
    if let Some((_, kind, help)) = OWN.iter().find(|(own, ..)| *own == name) {
        parameter["description"] = (*help).into();
        parameter["schema"] = schema(*kind);
        return parameter;
    }
    let Some(field) = Field::find(name) else {
        return parameter;
    };
    let of_the_table = OF_THE_TABLE.iter().find(|(of, _)| *of == field.name);
    let is_table = path.ends_with("/openings");
    parameter["description"] = match (of_the_table, is_table, field.name == name) {
        (_, _, false) => format!("The same as {}.", field.name),
        (Some((_, help)), true, _) => (*help).to_owned(),
        _ => format!("{}. {}", field.help, field.detail)
            .trim_end()
            .to_owned(),
    }
    .into();
    parameter["schema"] = schema(field.kind);
    if field.is_switch() && !field.value.is_empty() {
        parameter["schema"] = json!({ "type": ["boolean", "string"] });
    }
    if field.is_many {
        parameter["schema"] = json!({ "type": "array", "items": parameter["schema"] });
        parameter["explode"] = true.into();
    }
    if is_table && name == "rules" {
        parameter["required"] = true.into();
    }
    if name == field.name {
        parameter["example"] = field.example.into();
    }
    parameter
}

fn schema(kind: FieldKind) -> Value {
    match kind {
        FieldKind::Number(least, most) => {
            let mut schema = json!({ "type": "integer", "minimum": least });
            if most < u32::MAX {
                schema["maximum"] = most.into();
            }
            schema
        }
        FieldKind::Choice(names) => json!({ "type": "string", "enum": names() }),
        FieldKind::Switch => json!({ "type": "boolean" }),
        _ => json!({ "type": "string" }),
    }
}
