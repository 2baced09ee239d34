//! The OpenAPI description. Its schemas are made from the structs of `answers` and from the rows of the index, its
//! parameters from the search fields and the site's own parameters below.

use crate::answers::{Found, Game, Moves, Noted, Openings, Refusal, Statistics};
use crate::params::{OPENINGS, SEARCH, SEARCH_MORE, WRITING};
use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator, json_schema};
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

const ABOUT: &str = "Questions to an index of games of three-dimensional chess. Only GET and HEAD are answered. Status 429 or \
                     503 with Retry-After: too many requests or connections are in progress, from this client or altogether; \
                     503 also for an answer that took too long. Parameters are named as the options of the command; hits are \
                     the objects of its NDJSON. Fields are added, never renamed or dropped.";

/// What the description states about one address.
struct Operation {
    id: &'static str,
    summary: &'static str,
    /// What a successful answer contains.
    answer: &'static str,
    schema: fn(&mut SchemaGenerator) -> Schema,
    /// What replaces the general description of a parameter: its name, and keys with their values.
    parameters: Value,
    can_fail: bool,
}

/// The operations, in the order of [`API`].
fn operations() -> [Operation; 6] {
    let operation = |id, summary, answer, schema| Operation {
        id,
        summary,
        answer,
        schema,
        parameters: json!({}),
        can_fail: true,
    };
    [
        operation(
            "search",
            "The games that answer a question",
            "The number of games that answer, and some of them.",
            SchemaGenerator::subschema_for::<Noted<'_, Found>>,
        ),
        Operation {
            parameters: json!({
                "rules": { "required": true, "description": "The rule system of the table." },
                "position": { "description": "The position, as a position string." },
                "moves": { "description": "The moves that lead to the position, from the start." },
            }),
            ..operation(
                "openings",
                "The moves played from a position",
                "The moves, those played in most games first.",
                SchemaGenerator::subschema_for::<Noted<'_, Openings>>,
            )
        },
        operation(
            "game",
            "A game",
            "The game.",
            SchemaGenerator::subschema_for::<Noted<'_, Game>>,
        ),
        Operation {
            parameters: json!({
                "rules": { "description": "The rule system [default: meder]." },
                "position": { "description": "A position string [default: the start position]." },
            }),
            ..operation(
                "moves",
                "The legal moves of a position",
                "The moves.",
                SchemaGenerator::subschema_for::<Noted<'_, Moves>>,
            )
        },
        operation(
            "statistics",
            "Counts of the games that answer a query, by rule system",
            "The counts.",
            SchemaGenerator::subschema_for::<Noted<'_, Statistics>>,
        ),
        Operation {
            can_fail: false,
            ..operation(
                "description",
                "This description",
                "This description.",
                |_| json_schema!({ "type": "object" }),
            )
        },
    ]
}

/// The description as text.
pub(crate) static TEXT: LazyLock<String> = LazyLock::new(|| {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings =
        settings.with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut generator = settings.into_generator();
    let fault = generator.subschema_for::<Refusal>();
    let content = |schema: &Schema| json!({ "application/json": { "schema": schema } });
    let mut paths = json!({});
    for ((path, names), operation) in API.iter().zip(operations()) {
        let answer = (operation.schema)(&mut generator);
        let mut responses = json!({
            "200": { "description": operation.answer, "content": content(&answer) },
        });
        if operation.can_fail {
            responses["default"] = json!({
                "description": "An error, with its message.",
                "content": content(&fault),
            });
        }
        let id = path.ends_with("{id}").then(|| {
            json!({
                "name": "id",
                "in": "path",
                "description": "16 hexadecimal digits, as hits have them; or file and number as FILE:K.",
                "required": true,
                "schema": { "type": "string" },
            })
        });
        let queries = names.iter().map(|name| {
            let mut parameter = parameter(name);
            let own = operation.parameters[*name].as_object();
            for (key, value) in own.into_iter().flatten() {
                parameter[key] = value.clone();
            }
            parameter
        });
        paths[*path]["get"] = json!({
            "operationId": operation.id,
            "summary": operation.summary,
            "responses": responses,
            "parameters": id.into_iter().chain(queries).collect::<Value>(),
        });
    }
    let licence = "MIT OR Apache-2.0";
    let description = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "tridex serve",
            "version": "1",
            "description": ABOUT,
            "license": { "name": licence, "identifier": licence },
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": { "schemas": generator.take_definitions(true) },
    });
    let text = serde_json::to_string_pretty(&description);
    text.unwrap_or_default() + "\n"
});

/// The description of a parameter.
fn parameter(name: &str) -> Value {
    let Some(field) = Field::find(name) else {
        return own_parameter(name);
    };
    let description = format!("{}. {}", field.help, field.detail);
    let mut schema = match field.kind {
        FieldKind::Number(least, most) => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        FieldKind::Choice(names) => json!({ "type": "string", "enum": names() }),
        FieldKind::Choices(names) => json!({ "type": "string", "examples": names() }),
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

/// The description of a parameter that is no search field.
fn own_parameter(name: &str) -> Value {
    let count = || json!({ "type": "integer", "minimum": 0 });
    let switch = || json!({ "type": "boolean" });
    let (description, schema) = match name {
        "limit" => (
            "Maximum number of hits (default 50, at most 1000).",
            count(),
        ),
        "offset" => ("Skip this many hits.", count()),
        "sort" => (
            "Sort hits by this; unknown values last.",
            json!({ "type": "string", "enum": SortKey::ALL.map(SortKey::name) }),
        ),
        "reverse" => ("Reverse the order.", switch()),
        "sample" => ("Pick this many of the games at random.", count()),
        "seed" => ("The seed of the sample (default 0).", count()),
        "count" => (
            "All games are counted unless this is 0. Then the hits come soon: if counting takes long, `games` is null and \
             `games_at_least` is a lower bound. A request with limit=0 returns the number alone.",
            switch(),
        ),
        "min-games" => ("Omit moves that were played in fewer games.", count()),
        "boards" => ("Also the first moves of the attack boards.", switch()),
        "layouts" => ("Also the layouts of the attack boards.", switch()),
        "to" => (
            "The notation in which moves are written.",
            json!({ "type": "string", "enum": Notation::ALL.map(Notation::name) }),
        ),
        _ => return Value::Null,
    };
    json!({ "name": name, "in": "query", "description": description, "schema": schema })
}
