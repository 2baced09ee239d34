//! The description of the interface: `assets/openapi.json`, with the parameters of each address from the table of fields
//! and that of the site's own.

use crate::params::{OPENINGS, SEARCH, SEARCH_MORE, WRITING};
use serde_json::{Value, json};
use std::sync::LazyLock;
use tridex_index::{Field, FieldKind, SortKey};
use tridex_notation::Notation;

/// The addresses of the interface, each with the names of its parameters.
pub const API: [(&str, &[&[&str]]); 6] = [
    ("/api/v1/search", &[&SEARCH, &SEARCH_MORE]),
    ("/api/v1/openings", &[&OPENINGS, &WRITING]),
    ("/api/v1/games/{id}", &[&WRITING]),
    ("/api/v1/moves", &[&["rules", "fen", "position"]]),
    ("/api/v1/statistics", &[&SEARCH]),
    ("/api/v1/openapi.json", &[]),
];

/// A parameter that is not a field of requests.
struct Own {
    name: &'static str,
    kind: FieldKind,
    help: &'static str,
}

const ANY: FieldKind = FieldKind::Number(0, u32::MAX);
const NOTATIONS: FieldKind =
    FieldKind::Choice(|| Notation::ALL.into_iter().map(Notation::name).collect());

const OWN: &[Own] = &[
    Own {
        name: "limit",
        kind: ANY,
        help: "Maximum number of hits (default 50, at most 1000).",
    },
    Own {
        name: "offset",
        kind: ANY,
        help: "Skip this many hits.",
    },
    Own {
        name: "sort",
        kind: FieldKind::Choice(|| SortKey::ALL.map(SortKey::name).to_vec()),
        help: "Sort hits by this; unknown values last.",
    },
    Own {
        name: "reverse",
        kind: FieldKind::Switch,
        help: "Reverse the order.",
    },
    Own {
        name: "count",
        kind: FieldKind::Switch,
        help: "Accepted because the command has this option; games are always counted.",
    },
    Own {
        name: "min-games",
        kind: ANY,
        help: "Omit moves that were played in fewer games.",
    },
    Own {
        name: "boards",
        kind: FieldKind::Switch,
        help: "Also the first moves of the attack boards.",
    },
    Own {
        name: "layouts",
        kind: FieldKind::Switch,
        help: "Also the layouts of the attack boards.",
    },
    Own {
        name: "to",
        kind: NOTATIONS,
        help: "The notation in which moves are written.",
    },
    Own {
        name: "notation",
        kind: NOTATIONS,
        help: "The same as to.",
    },
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
    for (path, groups) in API {
        let names = groups.iter().flat_map(|names| names.iter());
        let queries = names.map(|name| parameter(path, name));
        let id = path.ends_with("{id}").then(|| {
            json!({
                "name": "id",
                "in": "path",
                "required": true,
                "description": "16 hexadecimal digits, as hits have them; or file and number as FILE:K.",
                "schema": { "type": "string" },
            })
        });
        description["paths"][path]["get"]["parameters"] = id.into_iter().chain(queries).collect();
    }
    let text = serde_json::to_string_pretty(&description);
    text.unwrap_or_default() + "\n"
});

fn parameter(path: &str, name: &str) -> Value {
    let mut parameter = json!({ "name": name, "in": "query" });
    if let Some(own) = OWN.iter().find(|own| own.name == name) {
        parameter["description"] = own.help.into();
        parameter["schema"] = schema(own.kind);
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
