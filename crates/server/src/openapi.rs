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

/// What fields of a table of openings are: its own position, not a part of which games count.
const OF_THE_TABLE: [(&str, &str); 3] = [
    ("rules", "The rule system of the table."),
    ("position", "The position, as a position string."),
    (
        "moves",
        "The moves that lead to the position, from the start.",
    ),
];

/// The description. Parameters that are not fields of requests are among its components, which is where they are taken
/// from.
pub(crate) static TEXT: LazyLock<String> = LazyLock::new(|| {
    let text = include_str!("assets/openapi.json");
    let mut description: Value = serde_json::from_str(text).unwrap_or_default();
    let mut own = description["components"]["parameters"].take();
    own["sort"]["schema"]["enum"] = json!(SortKey::ALL.map(SortKey::name));
    for name in WRITING {
        own[name]["schema"]["enum"] = json!(Notation::ALL.map(Notation::name));
    }
    for (path, names) in API.iter() {
        let parameters = &mut description["paths"][*path]["get"]["parameters"];
        let queries = names.iter().map(|name| parameter(&own, path, name));
        let all = parameters.as_array().into_iter().flatten().cloned();
        *parameters = all.chain(queries).collect();
    }
    if let Some(components) = description["components"].as_object_mut() {
        components.remove("parameters");
    }
    let text = serde_json::to_string_pretty(&description);
    text.unwrap_or_default() + "\n"
});

fn parameter(own: &Value, path: &str, name: &str) -> Value {
    let Some(field) = Field::find(name) else {
        return own[name].clone();
    };
    let of_the_table = OF_THE_TABLE.iter().find(|(of, _)| *of == field.name);
    let is_table = path.ends_with("/openings");
    let description = match (of_the_table, is_table, field.name == name) {
        (_, _, false) => format!("The same as {}.", field.name),
        (Some((_, help)), true, _) => (*help).to_owned(),
        _ => format!("{}. {}", field.help, field.detail),
    };
    let mut schema = match field.kind {
        FieldKind::Number(least, u32::MAX) => json!({ "type": "integer", "minimum": least }),
        FieldKind::Number(least, most) => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        FieldKind::Choice(names) => json!({ "type": "string", "enum": names() }),
        FieldKind::Switch if field.value.is_empty() => json!({ "type": "boolean" }),
        FieldKind::Switch => json!({ "type": ["boolean", "string"] }),
        _ => json!({ "type": "string" }),
    };
    if field.is_many {
        schema = json!({ "type": "array", "items": schema });
    }
    let mut parameter = json!({
        "name": name,
        "in": "query",
        "description": description.trim_end(),
        "schema": schema,
    });
    if field.is_many {
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
