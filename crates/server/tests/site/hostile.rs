//! Requests with bad intent.

use crate::support::{Answer, NASTY, good, quoted, site};
use tridex_rules::random::Dice;

/// Addresses to begin with.
const SEEDS: [&str; 13] = [
    "/search?player=kirk&date=2001..2003&sort=date&reverse=1&offset=3&limit=7",
    "/search?pattern=N%40c6B+and+check&mirrored=1&swapped=1",
    "/search?position=4/4/4/4|4/1K2/4/4|4/4/4/4|QL@Q2:2/2|KL@K1:2/2|ql@Q6:2/k1|kl@K6:2/2+w+-+-+-+0+1&loose=1",
    "/search?material=KQR:KRB&lasting=4",
    "/setup?rules=meder&hand=QL&view=stand&turned=1",
    "/setup?rules=millennium&hand=s12&moves=1.e4",
    "/game/games.pgn:3?ply=4&line=0&found=3",
    "/viewer/games.pgn:3?ply=4&line=0&found=3",
    "/openings?rules=meder&moves=b4N+b5B&from=s12&boards=1",
    "/statistics?rules=chess3&piece=n",
    "/api/v1/search?query=player:kirk+or+(result:1-0+and+not+rules:meder)&limit=5",
    "/api/v1/openings?rules=federation&layouts=1&min-games=2&to=manual",
    "/api/v1/games/games.pgn:7",
];

/// What addresses are mutated with.
const WORDS: [&str; 22] = [
    "..",
    "/",
    "%2e%2e%2f",
    "%00",
    "\\",
    "%ff",
    "%F0%9F%92%A9",
    "&",
    "=",
    "?",
    ";",
    "%0d%0aSet-Cookie:+a=b",
    "((((((((",
    "99999999999999999999",
    "-1",
    "~",
    "*",
    "%22",
    "%3Cscript%3E",
    "not+",
    "/etc/passwd",
    "%25",
];

fn mutated(dice: &mut Dice) -> String {
    let mut text = SEEDS[dice.below(SEEDS.len() as u32) as usize].to_owned();
    for _ in 0..=dice.below(4) {
        let at = 1 + dice.below(text.len() as u32) as usize;
        let at = (1..=at.min(text.len()))
            .rev()
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(1);
        match dice.below(4) {
            0 => text.insert_str(at, WORDS[dice.below(WORDS.len() as u32) as usize]),
            1 => text.truncate(at.max(2)),
            2 => {
                let part = text[at..].to_owned();
                text.push_str(&part);
            }
            _ => {
                if at < text.len() {
                    text.remove(at);
                }
            }
        }
    }
    text
}

#[test]
fn ten_thousand_mutated_requests_leave_it_serving() {
    let mut dice = Dice::new(13);
    let mut statuses = std::collections::BTreeMap::new();
    for _ in 0..10_000 {
        let address = mutated(&mut dice);
        let answer = match site().answer(&address) {
            // No address at all.
            Err(fault) if fault.kind() == std::io::ErrorKind::InvalidInput => continue,
            answer => answer.unwrap(),
        };
        *statuses.entry(answer.code()).or_insert(0) += 1;
        let text = answer.text();
        assert!(answer.code() < 500, "{address}: {text}");
        // A name of that kind is in the index; data may hold it, no page.
        let is_page = answer
            .header("content-type")
            .is_some_and(|kind| kind.starts_with("text/html") || kind.contains("svg"));
        assert!(!(is_page && text.contains("<script>")), "{address}");
        assert!(!text.contains("root:x:"), "{address}");
        assert!(answer.header("set-cookie").is_none(), "{address}");
    }
    // They are not all refused at the door, nor all understood.
    assert!(
        statuses.get(&200).is_some_and(|count| *count > 500),
        "{statuses:?}"
    );
    assert!(
        statuses.get(&400).is_some_and(|count| *count > 500),
        "{statuses:?}"
    );
    good("/");
}

#[test]
fn nothing_leads_out_of_the_site() {
    for path in [
        "/assets/../Cargo.toml",
        "/assets/..%2fCargo.toml",
        "/assets/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/assets/style.css",
        "/assets/style.css/..",
        "/assets/",
        "/.git/config",
        "/game/../../etc/passwd",
        "/download/games.pgn/x",
        "/api/v1/games/..%2f..%2fetc%2fpasswd",
    ] {
        let answer = site().answer(path).unwrap();
        assert!(
            matches!(answer.code(), 400 | 404),
            "{path}: {}",
            answer.code()
        );
    }
    // The names of files and folders of this machine are not parameters anywhere.
    for name in ["index", "questions", "names", "output"] {
        let answer = site()
            .answer(&format!("/api/v1/search?{name}=/etc/passwd"))
            .unwrap();
        assert_eq!(answer.code(), 400, "{name}");
    }
}

#[test]
fn every_answer_has_its_headers() {
    for address in [
        "/",
        "/nothing",
        "/search?date=x",
        "/api/v1/search",
        "/board.svg",
        "/health",
        "/favicon.ico",
    ] {
        let answer = site().answer(address).unwrap();
        let policy = answer.header("content-security-policy").unwrap();
        assert!(
            policy.starts_with("default-src 'self';") && !policy.contains("unsafe"),
            "{policy}"
        );
        assert_eq!(
            answer.header("x-content-type-options"),
            Some("nosniff"),
            "{address}"
        );
        assert_eq!(answer.header("x-frame-options"), Some("DENY"), "{address}");
        assert!(answer.header("cache-control").is_some(), "{address}");
        assert!(
            answer.header("access-control-allow-origin").is_none(),
            "{address}"
        );
    }
}

#[test]
fn long_questions_are_refused_and_deep_ones_understood_or_not() {
    let long = format!("/search?player={}", "a".repeat(tridex_server::MAX_ADDRESS));
    assert_eq!(site().answer(&long).unwrap().code(), 414);
    let deep = format!("/search?query={}", "(".repeat(4_000));
    assert_eq!(site().answer(&deep).unwrap().code(), 400);
    let many = format!("/search?{}", "pattern=check&".repeat(500));
    assert_eq!(site().answer(&many).unwrap().code(), 400);
    let nasty = site()
        .answer(&format!("/api/v1/search?player={}", quoted(NASTY)))
        .unwrap();
    assert_eq!(nasty.header("content-type"), Some("application/json"));
}
