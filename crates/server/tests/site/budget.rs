//! Limits of work: searches that end, places for clients, what is answered in any case, and how long things are cached.

use crate::port::{Served, request};
use crate::support::{Answer, add_all, annotated, entries, good, links, shelf, site};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tridex_archive::Item;
use tridex_index::{Annotation, GameEntry};
use tridex_rules::RuleSystem;
use tridex_rules::random::{Dice, game};
use tridex_server::{Site, SiteOptions};

/// The index of many long games.
fn many() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Dice::new(24);
    let games: Vec<GameEntry> = (1..=50)
        .map(|number| {
            let rules = RuleSystem::Meder;
            GameEntry::new(number, rules, game(rules, &mut dice, 200))
        })
        .collect();
    add_all(folder.path(), (0..150).map(|i| format!("{i}.pgn")), &games);
    folder
}

/// A request of 4 kB that takes long: every position of every game is tried for hundreds of mates.
fn heavy(path: &str) -> String {
    format!("{path}pattern={}", vec!["mate"; 500].join("+or+"))
}

/// What is answered at once, even to who has no place.
const AT_ONCE: [&str; 3] = ["/health", "/favicon.ico", "/api/v1/openapi.json"];

/// How long an answer may take that waits for nothing, on a machine that has much else to do.
const SOON: Duration = Duration::from_secs(5);

/// The status of a request on a connection that stays open, and the connection.
fn begun(served: &Served, address: &str) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(served.address).unwrap();
    let request = format!("GET {address} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    BufReader::new(stream)
}

fn status(stream: &mut BufReader<TcpStream>) -> u16 {
    let mut line = String::new();
    stream.read_line(&mut line).unwrap();
    let status = line
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    status.unwrap_or_else(|| panic!("{line:?}"))
}

#[test]
fn a_search_ends_when_its_time_is_up_and_when_its_client_leaves() {
    let folder = many();
    let site = |longest| {
        let mut options = SiteOptions::default();
        // One of them for each client.
        options.answers = 2;
        options.wait = Duration::from_secs(30);
        options.longest = longest;
        Site::open(&[folder.path()], options).unwrap()
    };
    let light = request("GET", "/api/v1/search?date=2001&limit=0", "localhost");
    for path in [
        "/api/v1/search?",
        "/search?sort=white&",
        "/statistics?",
        "/download/games.pgn?",
    ] {
        let address = heavy(path);
        let short = Served::new(&site(Duration::from_millis(300)));
        let answer = short.sent(request("GET", &address, "localhost").as_bytes());
        assert!(answer.starts_with("HTTP/1.1 503 "), "{path}: {answer}");
        assert!(answer.contains("took too long") && answer.contains("retry-after: 2"));
        let since = Instant::now();
        assert_eq!(short.status(&light), 200, "{path}");
        assert!(since.elapsed() < SOON, "{path}: {:?}", since.elapsed());

        let long = Served::new(&site(Duration::from_secs(600)));
        let client = begun(&long, &address);
        std::thread::sleep(Duration::from_millis(300));
        drop(client);
        let since = Instant::now();
        assert_eq!(long.status(&light), 200, "{path}");
        assert!(since.elapsed() < SOON, "{path}: {:?}", since.elapsed());
    }
}

#[test]
fn one_address_gets_its_places_and_what_costs_nothing_is_answered() {
    let folder = many();
    let mut options = SiteOptions::default();
    options.answers = 4;
    options.wait = Duration::from_millis(300);
    options.longest = Duration::from_secs(600);
    let site = Site::open(&[folder.path()], options).unwrap();
    let served = Served::new(&site);
    let style = links(&good("/").text());
    let style = style.iter().find(|link| link.contains("/style-")).unwrap();
    // The first two have the places of this client, as soon as a third request is refused.
    let begin = |_| begun(&served, &heavy("/api/v1/search?"));
    let mut held: Vec<_> = (0..2).map(begin).collect();
    while served.status(&request("GET", "/", "localhost")) != 429 {}
    held.extend((0..2).map(begin));
    for address in AT_ONCE.into_iter().chain([style.as_str()]) {
        let since = Instant::now();
        let status = served.status(&request("GET", address, "localhost"));
        assert_eq!(status, 200, "{address}");
        assert!(since.elapsed() < SOON, "{address}: {:?}", since.elapsed());
    }
    let answer = served.sent(request("GET", "/", "localhost").as_bytes());
    assert!(answer.starts_with("HTTP/1.1 429 "), "{answer}");
    assert!(answer.contains("2 requests of yours") && answer.contains("retry-after: 2"));
    for refused in &mut held[2..] {
        assert_eq!(status(refused), 429);
    }
    drop(held);
    let since = Instant::now();
    while served.status(&request("GET", "/", "localhost")) != 200 {
        assert!(since.elapsed() < SOON, "{:?}", since.elapsed());
    }
}

/// The status of a request on a connection of its own, with one more header.
fn status_with(served: &Served, address: &str, header: &str) -> u16 {
    let request = request("GET", address, "localhost");
    served.status(&request.replace("Connection", &format!("{header}\r\nConnection")))
}

#[test]
fn behind_a_proxy_each_client_has_its_own_limit_and_nobody_else_can_pretend() {
    let folder = many();
    for (proxy, is_trusted) in [("127.0.0.1", true), ("::1", false)] {
        let mut options = SiteOptions::default();
        options.answers = 4;
        options.wait = Duration::from_millis(300);
        options.longest = Duration::from_secs(600);
        options.trusted_proxies = vec![proxy.parse().unwrap()];
        let site = Site::open(&[folder.path()], options).unwrap();
        let served = Served::new(&site);
        let mut held = Vec::new();
        // One client has all that one client may have, each time with another forged address before its own.
        for i in 0..2 {
            let mut stream = TcpStream::connect(served.address).unwrap();
            let forged = format!("X-Forwarded-For: 198.51.100.{i}, 192.0.2.1\r\n\r\n");
            let heavy = format!(
                "GET {} HTTP/1.1\r\nHost: localhost\r\n{forged}",
                heavy("/api/v1/search?")
            );
            stream.write_all(heavy.as_bytes()).unwrap();
            held.push(stream);
        }
        let since = Instant::now();
        while status_with(&served, "/", "X-Forwarded-For: 192.0.2.1") != 429 {
            assert!(since.elapsed() < Duration::from_secs(20));
        }
        let expected = if is_trusted { 200 } else { 429 };
        for other in [
            "X-Forwarded-For: 192.0.2.2",
            "Forwarded: for=192.0.2.3",
            "X-Forwarded-For: 192.0.2.1, 192.0.2.4",
        ] {
            assert_eq!(
                status_with(&served, "/", other),
                expected,
                "{proxy} {other}"
            );
        }
        // What cannot be read counts for the proxy, which has begun nothing.
        for other in [
            "X-Forwarded-For: nonsense",
            "Forwarded: for=_x",
            "Accept: */*",
        ] {
            assert_eq!(
                status_with(&served, "/", other),
                expected,
                "{proxy} {other}"
            );
        }
        assert_eq!(
            status_with(&served, "/", "X-Forwarded-For: 198.51.100.9, 192.0.2.1"),
            429
        );
    }
}

#[test]
fn a_page_has_its_first_hits_before_all_games_are_counted() {
    let folder = many();
    let site = |counting, longest| {
        let mut options = SiteOptions::default();
        (options.counting, options.longest) = (counting, longest);
        Site::open(&[folder.path()], options).unwrap()
    };
    let hours = Duration::from_secs(3_600);
    let (counts, hurries) = (site(hours, hours), site(Duration::ZERO, hours));
    let json = |site: &Site, address: &str| -> Value {
        let answer = site.answer(address).unwrap();
        assert_eq!(answer.code(), 200, "{address}: {}", answer.text());
        serde_json::from_slice(answer.body()).unwrap()
    };
    const CHECKS: &str = "/api/v1/search?pattern=check&limit=20&offset=7";
    let whole = json(&counts, CHECKS);
    let games = whole["games"].as_u64().unwrap();
    assert!(
        games > 1_000 && whole.get("games_at_least").is_none(),
        "{games}"
    );
    // All games are counted unless the client does not want that, or unless it is quick.
    assert_eq!(json(&hurries, CHECKS), whole);
    assert_eq!(json(&counts, &format!("{CHECKS}&count=0")), whole);
    let first = json(&hurries, &format!("{CHECKS}&count=0"));
    assert_eq!(first["hits"], whole["hits"]);
    assert_eq!(first["games"], Value::Null);
    let least = first["games_at_least"].as_u64().unwrap();
    assert!((28..games).contains(&least), "{least}");
    // Beyond the last game, and if there is none, all are counted.
    let none = json(&hurries, "/api/v1/search?count=0&pattern=Q%3D30");
    assert_eq!(none, serde_json::json!({ "games": 0, "hits": [] }));

    let page = hurries.answer("/search?pattern=check").unwrap().text();
    assert!(
        page.contains("+ games</b>") && page.contains("Next page"),
        "{page}"
    );
    assert_eq!(page.matches("<td class=\"white\">").count(), 50);
    let link = links(&page)
        .into_iter()
        .find(|link| link.contains("count=1"))
        .unwrap();
    let page = hurries.answer(&link).unwrap().text();
    let thousands = format!("<b>{}\u{a0}{:03} games</b>", games / 1_000, games % 1_000);
    assert!(
        page.contains(&thousands) && !page.contains("Count all games"),
        "{page}"
    );
    assert_eq!(
        counts
            .answer("/search?pattern=check")
            .unwrap()
            .text()
            .matches(&thousands)
            .count(),
        1
    );

    // If counting takes too long, the hits stay.
    let slow = format!("/search?count=1&pattern={}check", "mate+or+".repeat(20));
    // The time for an answer is raised until it is enough for the first hits. Counting takes many times longer.
    let times = (0..10).map(|power| Duration::from_millis(25 << power));
    let mut answers = times.map(|time| site(Duration::ZERO, time).answer(&slow).unwrap());
    let answer = answers.find(|answer| answer.code() == 200).unwrap();
    let page = answer.text();
    assert!(
        page.contains("+ games</b>") && page.contains("took too long and was stopped"),
        "{page}"
    );
    assert_eq!(page.matches("<td class=\"white\">").count(), 50);
    // In another order the first hits are not known before all games are searched.
    let short = site(Duration::ZERO, Duration::from_millis(100));
    let sorted = short.answer(&format!("{slow}&sort=date")).unwrap();
    assert_eq!(sorted.code(), 503);
}

#[test]
fn clients_that_take_nothing_hold_a_few_big_answers_and_no_more() {
    // A game of 12 MB, more than the system takes on the way.
    let mut long = annotated();
    let story = "a long story ".repeat(1_000_000);
    long.notes.push(Annotation::Item(Item::Comment(story)));
    let shelf = shelf(&[("long.pgn", vec![long]), ("games.pgn", entries(3, 5))]);
    let mut options = SiteOptions::default();
    options.wait = Duration::from_millis(300);
    let site = Site::open(&[shelf.folder.path()], options).unwrap();
    for address in [
        "/download/games.ndjson",
        "/api/v1/games/long.pgn:1",
        "/game/long.pgn:1",
    ] {
        let served = Served::new(&site);
        let mut stalled: Vec<_> = (0..64).map(|_| begun(&served, address)).collect();
        let statuses: Vec<u16> = stalled.iter_mut().map(status).collect();
        let taken = statuses.iter().filter(|status| **status == 200).count();
        assert!((1..=4).contains(&taken), "{address}: {statuses:?}");
        assert!(
            statuses
                .iter()
                .all(|status| matches!(status, 200 | 429 | 503))
        );
        // What is small is answered to the same client.
        for address in [
            "/health",
            "/",
            "/api/v1/search",
            "/download/openings.csv?rules=meder",
        ] {
            let status = served.status(&request("GET", address, "localhost"));
            assert_eq!(status, 200, "{address}");
        }
        drop(stalled);
        // And the whole of it to who takes it.
        let since = Instant::now();
        loop {
            let old = format!("GET {address} HTTP/1.0\r\nHost: localhost\r\n\r\n");
            let answer = served.sent(old.as_bytes());
            if answer.contains(" 200 OK") {
                assert_eq!(
                    answer.matches("a long story").count(),
                    1_000_000,
                    "{address}"
                );
                break;
            }
            assert!(since.elapsed() < Duration::from_secs(20), "{address}");
        }
    }
}

#[test]
fn requests_of_other_sites_are_refused_in_plain_words() {
    let shelf = shelf(&[("games.pgn", entries(3, 5))]);
    let served = Served::new(&shelf.site);
    let asked = |address: &str, from: &str, mode: &str, dest: &str| {
        let request = format!(
            "GET {address} HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: {from}\r\nSec-Fetch-Mode: {mode}\r\n\
             Sec-Fetch-Dest: {dest}\r\nConnection: close\r\n\r\n"
        );
        served.sent(request.as_bytes())
    };
    for address in [
        "/",
        "/api/v1/search",
        "/download/games.pgn",
        "/health",
        "/assets/x",
    ] {
        let answer = asked(address, "cross-site", "no-cors", "image");
        assert!(answer.starts_with("HTTP/1.1 403 "), "{address}: {answer}");
        assert!(answer.contains("A page of another site requested this."));
        let answer = asked(address, "same-site", "cors", "empty");
        assert!(answer.starts_with("HTTP/1.1 403 "), "{address}: {answer}");
    }
    for address in ["/", "/search?player=kirk", "/api/v1/search"] {
        let answer = asked(address, "cross-site", "navigate", "document");
        assert!(answer.starts_with("HTTP/1.1 200 "), "{address}: {answer}");
        let answer = asked(address, "same-origin", "cors", "empty");
        assert!(answer.starts_with("HTTP/1.1 200 "), "{address}: {answer}");
    }
}

#[test]
fn assets_have_a_hash_in_their_names_and_are_kept_for_good() {
    let page = good("/").text() + &good("/game/games.pgn:1").text();
    let scripts = page.split("src=\"").skip(1);
    let scripts = scripts.filter_map(|part| part.split_once('"'));
    let scripts = scripts.map(|(script, _)| script.to_owned());
    let mut assets: Vec<String> = links(&page).into_iter().chain(scripts).collect();
    assets.retain(|address| address.starts_with("/assets/"));
    assets.sort();
    assets.dedup();
    // A page without a game has no script of one.
    assert!(!good("/search").text().contains("/assets/viewer-"));
    let kinds = [
        ("/assets/game-", ".js", "text/javascript; charset=utf-8"),
        ("/assets/icon-", ".svg", "image/svg+xml"),
        ("/assets/script-", ".js", "text/javascript; charset=utf-8"),
        ("/assets/style-", ".css", "text/css; charset=utf-8"),
        ("/assets/viewer-", ".js", "text/javascript; charset=utf-8"),
    ];
    assert_eq!(assets.len(), kinds.len(), "{assets:?}");
    for (address, (begin, end, kind)) in assets.iter().zip(kinds) {
        let hash = address
            .strip_prefix(begin)
            .and_then(|rest| rest.strip_suffix(end));
        let hash = hash.unwrap_or_else(|| panic!("{address}"));
        assert!(
            hash.len() == 16 && u64::from_str_radix(hash, 16).is_ok(),
            "{address}"
        );
        let answer = good(address);
        assert_eq!(answer.header("content-type"), Some(kind));
        let cached = answer.header("cache-control").unwrap();
        assert!(
            cached.contains("max-age=31536000") && cached.contains("immutable"),
            "{cached}"
        );
        // Another text has another name; a name of no text is none.
        let other = address.replacen(&hash[..1], if hash.starts_with('0') { "1" } else { "0" }, 1);
        for gone in [other, format!("{begin}{end}"), format!("{begin}{hash}")] {
            let answer = site().answer(&gone).unwrap();
            assert_eq!(answer.code(), 404, "{gone}");
            assert_eq!(answer.header("cache-control"), Some("no-store"), "{gone}");
        }
    }
    let icon = good("/favicon.ico");
    assert_eq!(icon.body(), good(&assets[1]).body());
    assert_eq!(icon.header("cache-control"), Some("no-cache"));
    assert_eq!(good("/").header("cache-control"), Some("no-cache"));
    let health: serde_json::Value = serde_json::from_slice(good("/health").body()).unwrap();
    assert_eq!(health, serde_json::json!({ "games": 151 }));
}
