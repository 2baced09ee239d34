//! The answers as JSON, and their description.

use crate::support::{Answer, good, json, quoted, site};
use serde_json::Value;
use std::collections::BTreeSet;
use tridex_index::{FIELDS, SearchOptions, SearchRequest};
use tridex_rules::{Position, RuleSystem};
use tridex_text::names;

/// The parameters that the description gives an address.
fn described(description: &Value, path: &str) -> BTreeSet<String> {
    let parameters = description["paths"][path]["get"]["parameters"]
        .as_array()
        .unwrap();
    let queries = parameters
        .iter()
        .filter(|parameter| parameter["in"] == "query");
    queries
        .map(|parameter| parameter["name"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn the_description_names_every_address_and_every_parameter() {
    let description = json("/api/v1/openapi.json");
    assert!(description["openapi"].as_str().unwrap().starts_with("3."));
    let paths: BTreeSet<&str> = description["paths"]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let known: BTreeSet<&str> = tridex_server::API.iter().map(|(path, _)| *path).collect();
    assert_eq!(paths, known);
    for (path, parameters) in tridex_server::API.iter() {
        let known: BTreeSet<String> = parameters.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(described(&description, path), known, "{path}");
        // A name that is not there is refused.
        let address = path.replace("{id}", "0000000000000000");
        let answer = site().answer(&format!("{address}?nonsense=1")).unwrap();
        assert_eq!(answer.code(), 400, "{path}");
        assert!(answer.text().contains("nonsense"), "{path}");
    }
    // Nothing else is there under the prefix.
    for address in [
        "/api/v1/",
        "/api/v1/nothing",
        "/api/v2/search",
        "/api/v1/games/",
    ] {
        let answer = site().answer(address).unwrap();
        assert_eq!(
            (answer.code(), answer.header("content-type")),
            (404, Some("application/json")),
            "{address}"
        );
    }
}

/// Forbids properties that a schema does not describe: OpenAPI allows them, our answers have none.
fn forbid_undescribed_properties(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.contains_key("properties") {
                let closed = fields.entry("additionalProperties");
                closed.or_insert(Value::Bool(false));
            }
            fields.values_mut().for_each(forbid_undescribed_properties);
        }
        Value::Array(items) => items.iter_mut().for_each(forbid_undescribed_properties),
        _ => {}
    }
}

/// Asserts that an answer conforms to a schema of the description.
fn assert_conforms(description: &Value, schema: &str, answer: &Value, address: &str) {
    let mut components = description["components"].clone();
    forbid_undescribed_properties(&mut components);
    let root = serde_json::json!({
        "$ref": format!("#/components/schemas/{schema}"),
        "components": components,
    });
    let validator = jsonschema::draft202012::new(&root).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(answer)
        .map(|error| format!("{address}: {}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn answers_are_what_the_description_says() {
    let description = json("/api/v1/openapi.json");
    let id = json("/api/v1/search?text=variation")["hits"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    for (name, address) in [
        ("Found", "/api/v1/search".to_owned()),
        ("Found", "/api/v1/search?pattern=check&limit=3".to_owned()),
        (
            "Found",
            "/api/v1/search?sequence=takes+then+check&limit=3".to_owned(),
        ),
        (
            "Openings",
            "/api/v1/openings?rules=meder&boards=1&layouts=1".to_owned(),
        ),
        ("Openings", "/api/v1/openings?rules=chess3".to_owned()),
        ("Game", format!("/api/v1/games/{id}")),
        ("Game", "/api/v1/games/games.pgn:5".to_owned()),
    ] {
        assert_conforms(&description, name, &json(&address), &address);
    }
    let fault = site().answer("/api/v1/search?date=x").unwrap();
    assert_eq!(fault.code(), 400);
    let text: Value = serde_json::from_slice(fault.body()).unwrap();
    assert_conforms(&description, "Fault", &text, "/api/v1/search?date=x");
    assert!(
        text["error"].as_str().unwrap().contains("a date such as"),
        "{text}"
    );
}

/// Every field is a parameter of the site, its form and its description, and its example is understood.
#[test]
fn every_field_is_a_parameter_a_control_and_described() {
    let description = json("/api/v1/openapi.json");
    let form = good("/search").text();
    for field in FIELDS {
        let described = described(&description, "/api/v1/search");
        assert!(described.contains(field.name), "{}", field.name);
        let control = format!("name=\"{}\"", field.name);
        assert_eq!(form.matches(&control).count(), 1, "{}", field.name);
        let with = match field.name {
            "ply" => "&game=games.pgn:3",
            "side" => "&player=kirk",
            "lasting" => "&material=KQ:KR",
            "loose" | "mirrored" | "swapped" => "&moves=b4N",
            _ => "",
        };
        let example = match field.name {
            "game" => "games.pgn:3",
            _ => field.example,
        };
        let address = format!("/api/v1/search?{}={}{with}", field.name, quoted(example));
        let answer = good(&address);
        assert!(answer.text().contains("\"games\""), "{address}");
        for alias in field.aliases {
            let other = address.replace(&format!("?{}=", field.name), &format!("?{alias}="));
            assert_eq!(good(&other).text(), answer.text(), "{other}");
        }
    }
}

#[test]
fn the_site_finds_what_the_index_finds() {
    let folder = tempfile::tempdir().unwrap();
    crate::support::add(folder.path(), "games.pgn", &crate::support::entries(7, 150));
    let index = tridex_index::GameIndex::open(folder.path()).unwrap();
    let site =
        tridex_server::Site::open(&[folder.path()], tridex_server::SiteOptions::default()).unwrap();
    for (address, asked) in [
        ("player=kirk*", &[("player", "kirk*")][..]),
        ("rules=manual", &[("rules", "manual")]),
        (
            "pattern=check&swapped=1",
            &[("pattern", "check"), ("swapped", "yes")],
        ),
        ("query=plies:20..40", &[("query", "plies:20..40")]),
        (
            "date=2004..2009&result=1-0",
            &[("date", "2004..2009"), ("result", "1-0")],
        ),
    ] {
        let mut asking = SearchRequest::default();
        for (name, value) in asked {
            asking.set(name, *value).unwrap();
        }
        let query = asking.query(&index).unwrap();
        let found = index.search(&query, &SearchOptions::default()).unwrap();
        assert!(found.total > 0, "{address} asks for something");
        let answer = site
            .answer(&format!("/api/v1/search?limit=1000&{address}"))
            .unwrap();
        let answer: Value = serde_json::from_slice(answer.body()).unwrap();
        assert_eq!(answer["games"], found.total, "{address}");
        let ids: Vec<String> = found
            .hits
            .iter()
            .map(|hit| format!("{:016x}", index.summary(hit.id).unwrap().id))
            .collect();
        let answered: Vec<&str> = answer["hits"]
            .as_array()
            .unwrap()
            .iter()
            .map(|hit| hit["id"].as_str().unwrap())
            .collect();
        assert_eq!(answered, ids, "{address}");
    }
}

#[test]
fn a_game_comes_with_every_position() {
    let game = json("/api/v1/games/games.pgn:5");
    let moves = game["moves"].as_array().unwrap();
    let fens = game["fens"].as_array().unwrap();
    assert_eq!(moves.len() + 1, fens.len());
    let rules = RuleSystem::from_name(game["rules"].as_str().unwrap()).unwrap();
    let mut position = Position::start(rules);
    for (played, fen) in moves.iter().zip(&fens[1..]) {
        let read = tridex_notation::read_moves(&position, played.as_str().unwrap()).unwrap();
        position.play(read[0]).unwrap();
        assert_eq!(
            tridex_notation::Fen::of(&position).to_string(),
            fen.as_str().unwrap()
        );
    }
    for (address, status) in [
        ("0123456789abcdef", 404),
        ("nothing", 400),
        ("games.pgn:999", 404),
        ("games.pgn%3A5", 200),
    ] {
        assert_eq!(
            site()
                .answer(&format!("/api/v1/games/{address}"))
                .unwrap()
                .code(),
            status,
            "{address}"
        );
    }
}

#[test]
fn limits_are_kept_and_pages_fit_together() {
    let all = json("/api/v1/search?limit=1000");
    let all = all["hits"].as_array().unwrap();
    assert_eq!(all.len(), 151);
    let part = json("/api/v1/search?limit=10&offset=45");
    assert_eq!(part["games"], 151);
    assert_eq!(part["hits"].as_array().unwrap()[..], all[45..55]);
    assert_eq!(json("/api/v1/search")["hits"].as_array().unwrap().len(), 50);
    assert_eq!(
        site().answer("/api/v1/search?limit=1001").unwrap().code(),
        400
    );
    let sorted = json("/api/v1/search?limit=1000&sort=white&reverse=1");
    let listed: Vec<&str> = sorted["hits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["white"].as_str().unwrap())
        .collect();
    assert!(
        listed
            .windows(2)
            .all(|pair| names::fold(pair[0]) >= names::fold(pair[1])),
        "{listed:?}"
    );
}

#[test]
fn downloads_are_limited_as_the_api_is() {
    let ids = |query: &str| -> Vec<String> {
        let found = json(&format!("/api/v1/search?{query}"));
        let hits = found["hits"].as_array().unwrap().iter();
        hits.map(|hit| hit["id"].as_str().unwrap().to_owned())
            .collect()
    };
    for query in [
        "rules=meder&limit=3",
        "limit=5&offset=145",
        "limit=5&offset=149",
        "player=kirk&sort=date&limit=4&offset=2",
        "limit=0",
        "limit=1000",
    ] {
        let csv = good(&format!("/download/games.csv?{query}")).text();
        let rows: Vec<String> = csv
            .lines()
            .skip(1)
            .filter_map(|row| row.split(',').next().map(str::to_owned))
            .collect();
        assert_eq!(rows, ids(query), "{query}");
        let ndjson = good(&format!("/download/games.ndjson?{query}")).text();
        assert_eq!(ndjson.lines().count(), rows.len(), "{query}");
        let pgn = good(&format!("/download/games.pgn?{query}")).text();
        assert_eq!(pgn.matches("[Result ").count(), rows.len(), "{query}");
    }
    let all = good("/download/games.ndjson").text();
    assert_eq!(all.lines().count(), 151);
    for address in [
        "/download/games.pgn?limit=x",
        "/download/games.csv?limit=-1",
    ] {
        assert_eq!(site().answer(address).unwrap().code(), 400, "{address}");
    }
}

#[test]
fn downloads_hold_the_games_that_were_asked_for() {
    let question = "query=player:kirk&rules=meder";
    let found = json(&format!("/api/v1/search?{question}&limit=1000"));
    let count = found["games"].as_u64().unwrap() as usize;
    let answer = good(&format!("/download/games.pgn?{question}"));
    assert_eq!(
        answer.header("content-disposition"),
        Some("attachment; filename=\"games.pgn\"")
    );
    assert_eq!(answer.text().matches("[White \"Kirk").count(), count);
    assert_eq!(
        good(&format!("/download/games.ndjson?{question}"))
            .text()
            .lines()
            .count(),
        count
    );
    let csv = good(&format!("/download/games.csv?{question}")).text();
    assert_eq!(csv.lines().count(), count + 1);
    assert!(csv.starts_with("id,source,game,white,"));
    let rows = good("/download/openings.csv?rules=meder").text();
    let moves = json("/api/v1/openings?rules=meder")["moves"]
        .as_array()
        .unwrap()
        .len();
    assert_eq!(rows.lines().count(), moves + 1);
    let other = good(&format!(
        "/download/games.pgn?query={}&to=manual",
        quoted("rules:meder")
    ));
    assert!(other.text().contains("[Notation \"manual\"]"));
}

/// A move is tried out: the legal moves of a position, and the line that it makes.
#[test]
fn legal_moves_are_listed_and_played() {
    let fen =
        tridex_notation::position_string::to_string(&Position::start(RuleSystem::Meder).to_setup());
    let listed = json(&format!("/api/v1/moves?rules=meder&fen={}", quoted(&fen)));
    assert_eq!(listed, json("/api/v1/moves?rules=meder"));
    let description = json("/api/v1/openapi.json");
    assert_conforms(&description, "Moves", &listed, "/viewer/moves");
    let moves = listed["moves"].as_array().unwrap();
    let legal = Position::start(RuleSystem::Meder).legal_moves();
    assert_eq!(moves.len(), legal.len());
    for (described, played) in moves.iter().zip(&legal) {
        let written = described["move"].as_str().unwrap();
        let line = json(&format!(
            "/viewer/line?rules=meder&fen={}&moves={}",
            quoted(&fen),
            quoted(written)
        ));
        assert_eq!(line["games"].as_array().unwrap().len(), 1);
        assert_eq!(
            line["games"][0]["text"],
            serde_json::json!([1]),
            "{written}"
        );
        let read = tridex_index::read_moves(RuleSystem::Meder, written).unwrap();
        assert_eq!(read, [*played], "{written}");
        assert_eq!(described["words"]["meder"], described["move"]);
        assert!(described["words"]["manual"].is_string());
    }
    let fault = site().answer("/viewer/line?rules=meder&moves=zz").unwrap();
    assert_eq!(fault.code(), 400);
}

#[test]
fn statistics_are_those_of_the_page() {
    let counted = json("/api/v1/statistics?player=kirk");
    let description = json("/api/v1/openapi.json");
    assert_conforms(&description, "Statistics", &counted, "/api/v1/statistics");
    let systems = counted["systems"].as_array().unwrap();
    assert_eq!(systems.len(), RuleSystem::ALL.len());
    for system in systems {
        let rules = system["rules"].as_str().unwrap();
        let page = good(&format!("/statistics?player=kirk&rules={rules}")).text();
        let text = format!("<p>{} games under the rules {rules}</p>", system["games"]);
        assert!(page.contains(&text), "{text}");
        let of_one = json(&format!("/api/v1/statistics?player=kirk&rules={rules}"));
        assert_eq!(of_one["systems"], serde_json::json!([system]));
    }
}
