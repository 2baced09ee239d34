//! The OpenAPI description: `assets/openapi.json`, completed with the parameters of each address. These come from the
//! search fields, and for the site's own parameters from the components of the file.

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
        ("/api/v1/moves", vec!["rules", "position"]),
        ("/api/v1/statistics", SEARCH.clone()),
        ("/api/v1/openapi.json", Vec::new()),
    ]
});

/// The description as text. Parameters that are not search fields are among the components of the file; they are moved
/// to the addresses that use them.
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
        let given = parameters.take();
        let given = given.as_array().map_or(&[][..], Vec::as_slice);
        // What a path states about a parameter replaces the general description.
        let queries = names.iter().map(|name| {
            let mut parameter = parameter(&own, name);
            let other = given.iter().find(|other| other["name"] == **name);
            for (key, value) in other.and_then(Value::as_object).into_iter().flatten() {
                parameter[key] = value.clone();
            }
            parameter
        });
        let in_path = given.iter().filter(|given| given["in"] == "path").cloned();
        *parameters = in_path.chain(queries).collect();
    }
    if let Some(components) = description["components"].as_object_mut() {
        components.remove("parameters");
    }
    let text = serde_json::to_string_pretty(&description);
    text.unwrap_or_default() + "\n"
});

fn parameter(own: &Value, name: &str) -> Value {
    let Some(field) = Field::find(name) else {
        return own[name].clone();
    };
    let description = format!("{}. {}", field.help, field.detail);
    let mut schema = match field.kind {
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
    json!({
        "name": name,
        "in": "query",
        "description": description.trim_end(),
        "schema": schema,
        "example": field.example,
    })
}
