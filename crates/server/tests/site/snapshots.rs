//! The answers of the interface and the form of the search, as they were last agreed on.
//!
//! `tests/data/openapi.json` is the description, `tests/data/answers.txt` has each address after `GET `, then the status and what was answered; a form is one tag a
//! line. Where answers change on purpose, `TRIDEX_SNAPSHOTS=write cargo test -p tridex-server snapshots` writes the file
//! again, and the difference is read before it is committed.

use crate::support::{Answer, good, quoted, site};
use std::path::Path;

/// The addresses: every parameter of every table, alone and together, and what is refused.
fn addresses() -> Vec<String> {
    let fen = quoted("r1/r1/5/1pn2p/bnp2b/p2kqp/6/PQK2P/BNP2B/1PN2P/1R/1R w KQkq - 0 1");
    let start = tridex_notation::position_string::to_string(
        &tridex_rules::Position::start(tridex_rules::RuleSystem::Meder).to_setup(),
    );
    let start = quoted(&start);
    let mut all: Vec<String> = [
        "",
        "player=kirk",
        "player=kirk&player=spock",
        "player=%22James+Kirk%22",
        "player=%3DKirk%2C+James+3",
        "white=kirk&black=spock",
        "side=white&player=spock",
        "event=evening+1",
        "site=enterprise",
        "round=1",
        "text=before",
        "text=%22first+move%22",
        "opening=column",
        "date=2001..2003.06",
        "after=2020",
        "before=2003",
        "result=1-0",
        "result=*",
        "rules=meder",
        "plies=40",
        "elo=2000..",
        "source=own",
        "moves=b4N+b5B",
        "moves=b4N&rules=meder",
        "moves=b4N&loose=1",
        "moves=b4N&swapped=1",
        "moves=b4N&mirrored=1",
        "game=games.pgn:5&ply=2",
        "game=games.pgn:5",
        "pattern=check",
        "pattern=N@c2W&mirrored=on&swapped=1&variations=1",
        "material=QKR*B*N*P*:KR*B*N*P*&lasting=3&swapped=1",
        "layout=QL@Q1",
        "sequence=takes+than+check",
        "query=player:kirk+after:2010+not+result:1-0",
        "query=kirk&query=rules:manual",
        "query=pattern:check+or+text:before",
        "sort=date&reverse=1",
        "sort=white&offset=2",
        "count=1",
        // What is refused.
        "plaier=kirk",
        "date=2001.13",
        "date=2003..2001",
        "date=2.1.04",
        "result=2-0",
        "rules=meder3",
        "position=zz",
        "fen=4/4/zz",
        "moves=b4N+zz",
        "moves=b4N&game=games.pgn:1",
        "game=nothing",
        "game=games.pgn:999",
        "game=games.pgn:1&ply=9999",
        "ply=3",
        "loose=1",
        "mirrored=1",
        "swapped=1",
        "lasting=3",
        "lasting=0&material=KQ:KR",
        "pattern=N@c6+nd",
        "material=KQR:KX",
        "plan=zz",
        "query=playr:kirk",
        "query=(kirk",
        "query=date:never",
        "query=moves:%22b4N+zz%22",
        "query=pattern:%22N@c6+nd+check%22",
        "sort=size",
        "reverse=1",
        "limit=x",
        "limit=1001",
        "offset=-1",
    ]
    .iter()
    .map(|query| format!("/api/v1/search?limit=2&{query}"))
    .collect();
    all.extend([
        format!("/api/v1/search?limit=2&position={fen}"),
        format!("/api/v1/search?limit=2&position={start}"),
        format!("/api/v1/search?limit=2&fen={start}&rules=meder&loose=1"),
        format!("/api/v1/search?limit=2&plan={start}"),
    ]);
    all.extend(
        [
            "",
            "rules=meder",
            "rules=meder&moves=b4N",
            "rules=meder&player=kirk&side=white&date=2001..&result=1-0",
            "rules=manual&event=evening&min-games=2&to=manual",
            "rules=meder&query=spock&boards=1&layouts=1",
            "rules=meder&moves=zz",
            "rules=meder&fen=zz",
            "rules=meder&side=white",
            "rules=meder&side=red&player=kirk",
            "rules=meder&to=chess3",
            "rules=meder&to=nothing",
            "rules=meder&date=never",
            "rules=meder&nonsense=1",
        ]
        .iter()
        .map(|query| format!("/api/v1/openings?{query}")),
    );
    all.extend([
        format!("/api/v1/openings?rules=meder&fen={start}&min-games=3"),
        "/api/v1/games/games.pgn:3".to_owned(),
        "/api/v1/games/games.pgn:5?to=meder".to_owned(),
        "/api/v1/games/0000000000000000".to_owned(),
        "/api/v1/games/nothing".to_owned(),
        "/".to_owned(),
        "/search?player=kirk&pattern=check&sort=date&reverse=1&limit=2".to_owned(),
        "/search?query=playr:kirk".to_owned(),
        "/games.csv?player=kirk&limit=3".to_owned(),
        "/openings.csv?rules=meder".to_owned(),
    ]);
    all
}

/// Of a page the form of the search, one tag a line; or else the text of the page.
fn of_page(page: &str) -> String {
    let part = |from: &str, to: &str| {
        let rest = page.split_once(from)?.1;
        Some(format!("{from}{}{to}", rest.split_once(to)?.0))
    };
    let form = part("<form class=\"search\"", "</form>").or_else(|| part("<main", "</main>"));
    form.unwrap_or_else(|| page.to_owned())
        .replace("><", ">\n<")
}

#[test]
fn snapshots() {
    let mut now = String::new();
    for address in addresses() {
        let answer = site().answer(&address).unwrap();
        let text = answer.text();
        let shown = match answer.header("content-type") {
            Some(kind) if kind.starts_with("text/html") => of_page(&text),
            _ => text,
        };
        now.push_str(&format!(
            "GET {address}\n{}\n{}\n\n",
            answer.code(),
            shown.trim_end()
        ));
    }
    agree("answers.txt", &now);
}

#[test]
fn snapshot_of_the_description() {
    agree("openapi.json", &good("/api/v1/openapi.json").text());
}

/// What is answered is what was agreed on, or is written again.
fn agree(file: &str, now: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(file);
    if std::env::var_os("TRIDEX_SNAPSHOTS").is_some_and(|wish| wish == "write") {
        std::fs::write(&path, now).unwrap();
    }
    let before = std::fs::read_to_string(&path).unwrap();
    let (mut lines, mut address) = (before.lines(), "");
    for line in now.lines() {
        if line.starts_with("GET ") {
            address = line;
        }
        let agreed = lines.next().unwrap_or_default();
        assert_eq!(line, agreed, "{file}: {address}; see the head of this test");
    }
    assert_eq!(lines.next(), None, "{file}: an answer is missing");
}
