//! The pages, walked by their links as somebody does who has no script.

use crate::port::Served;
use crate::support::{
    Answer, NASTY, add, entries, good, json, links, patient, quoted, shelf, site,
};
use tridex_index::{GameEntry, read_moves};
use tridex_notation::position_string;
use tridex_rules::{Position, RuleSystem};
use tridex_server::Site;

fn page(address: &str) -> String {
    let answer = good(address);
    assert_eq!(
        answer.header("content-type"),
        Some("text/html; charset=utf-8"),
        "{address}"
    );
    let text = answer.text();
    assert!(
        text.starts_with("<!DOCTYPE html>") && text.ends_with("</html>"),
        "{address}"
    );
    // What the policy would stop anyhow.
    for inline in [
        "<script>",
        " style=\"",
        "javascript:",
        " onclick",
        " onerror=alert(1)>",
    ] {
        assert!(!text.contains(inline), "{address}: {inline}");
    }
    text
}

#[test]
fn every_link_of_every_page_leads_somewhere() {
    let mut waiting = vec!["/".to_owned()];
    let mut seen: Vec<String> = Vec::new();
    // Of each kind of page only some are read.
    const EACH: usize = 25;
    while let Some(address) = waiting.pop() {
        let kind = |address: &str| {
            let path = address.split('?').next().unwrap_or_default();
            let deep = path.starts_with("/game/") || path.starts_with("/api/v1/games/");
            if deep {
                path.rsplit_once('/')
                    .map_or(path, |(start, _)| start)
                    .to_owned()
            } else {
                path.to_owned()
            }
        };
        if seen.contains(&address)
            || seen
                .iter()
                .filter(|known| kind(known) == kind(&address))
                .count()
                >= EACH
        {
            continue;
        }
        seen.push(address.clone());
        let answer = good(&address);
        if answer.header("content-type") == Some("text/html; charset=utf-8") {
            let found = links(&page(&address))
                .into_iter()
                .filter(|link| link.starts_with('/'));
            waiting.extend(found.map(|link| link.split('#').next().unwrap_or_default().to_owned()));
        }
    }
    for path in [
        "/",
        "/search",
        "/setup",
        "/openings",
        "/statistics",
        "/guide",
        "/guide/boards",
        "/board.svg",
        "/download/games.pgn",
        "/download/games.csv",
        "/download/games.ndjson",
        "/download/openings.csv",
        "/api/v1/openings",
        "/api/v1/openapi.json",
        "/assets/style",
        "/assets/icon",
    ] {
        let is_there = seen
            .iter()
            .any(|address| address.split(['?', '-']).next() == Some(path));
        assert!(is_there, "nothing links to {path}");
    }
    assert!(seen.iter().any(|address| address.starts_with("/game/")));
}

#[test]
fn results_come_page_by_page_and_none_twice() {
    let (mut address, mut games) = ("/search?player=kirk&limit=20".to_owned(), Vec::new());
    loop {
        let text = page(&address);
        let found = links(&text)
            .into_iter()
            .filter(|link| link.starts_with("/game/"));
        games.extend(found);
        let next = text
            .split_once("rel=\"next\" href=\"")
            .map(|(_, rest)| rest);
        let Some((next, _)) = next.and_then(|next| next.split_once('"')) else {
            break;
        };
        address = next.replace("&amp;", "&");
    }
    let count = games.len();
    games.sort();
    games.dedup();
    assert_eq!((count, games.len()), (150, 150));
}

/// The link with a key, if it is there.
fn keyed(page: &str, key: &str) -> Option<String> {
    let (before, _) = page.split_once(&format!("data-key=\"{key}\""))?;
    let (_, link) = before.rsplit_once("<a ")?;
    links(link).pop()
}

#[test]
fn a_position_set_up_by_links_finds_its_game() {
    // What every game of the index has: the start. A knight goes from b... by touching it and its goal.
    let text = page("/setup?rules=millennium");
    let taken = page(&keyed(&text, "s12").unwrap());
    assert!(taken.contains("hand=s12"), "the pawn on e2 is in the hand");
    let moved = page(&keyed(&taken, "s28").unwrap());
    let mut expected = RuleSystem::Millennium.start();
    let pawn = expected.piece(tridex_geometry::Square::new(12));
    expected.set_piece(tridex_geometry::Square::new(12), None);
    expected.set_piece(tridex_geometry::Square::new(28), pawn);
    let line = position_string::to_string(&expected);
    let placement = line.split(' ').next().unwrap();
    assert!(moved.contains(placement), "{placement}");
    let search = links(&moved)
        .into_iter()
        .find(|link| link.starts_with("/search?") && link.contains("loose"))
        .unwrap();
    page(&search);
    let pattern = links(&moved)
        .into_iter()
        .find(|link| link.contains("pattern="))
        .unwrap();
    page(&pattern);
}

#[test]
fn attack_boards_are_moved_to_pins() {
    let text = page("/setup?rules=meder&hand=QL");
    let moved = page(&keyed(&text, "pQ3").unwrap());
    assert!(moved.contains("QL@Q3:"), "the board is there");
    // Castling rights that cannot be any more are gone, so that it can be searched.
    assert!(moved.contains("Find this position"), "{moved}");
    assert_eq!(keyed(&text, "pK1"), None, "another board is there");
}

#[test]
fn castling_rights_are_set_one_by_one_where_king_and_rook_allow_it() {
    let right = |text: &str, letter: &str| keyed(text, &format!("right-{letter}"));
    let start = page("/setup?rules=meder");
    let without = page(&right(&start, "K").unwrap());
    assert!(without.contains(" w Qkq"), "{without}");
    let again = page(&right(&without, "K").unwrap());
    assert!(again.contains(" w KQkq"), "{again}");
    let empty = page(&keyed(&start, "clear").unwrap());
    assert_eq!(right(&empty, "K"), None);
    assert_eq!(empty.matches("aria-disabled").count(), 4, "{empty}");
    // Without Black's king the position is illegal; the rights that it has can still be taken away.
    let king = tridex_rules::Position::start(tridex_rules::RuleSystem::Meder);
    let king = king.king(tridex_rules::Color::Black).index();
    let erasing = page("/setup?rules=meder&hand=x");
    let illegal = page(&keyed(&erasing, &format!("s{king}")).unwrap());
    assert!(illegal.contains("Not legal"), "{illegal}");
    assert!(right(&illegal, "K").is_some());
    assert_eq!(illegal.matches("aria-disabled").count(), 0, "{illegal}");
}

#[test]
fn a_board_without_kings_can_be_drawn_and_its_men_searched_for() {
    let knight = page("/setup?rules=meder&hand=N");
    let cleared = page(&keyed(&knight, "clear").unwrap());
    let cleared = page(&keyed(&cleared, "s5").unwrap());
    assert!(cleared.contains("White has no king"), "the reason is shown");
    let pattern = links(&cleared)
        .into_iter()
        .find(|link| link.contains("pattern="))
        .unwrap();
    let found = page(&pattern);
    assert!(found.contains("games"), "{found}");
}

#[test]
fn a_game_marks_and_links_every_ply_of_a_sequence() {
    let found = page("/search?rules=meder&sequence=b4N+then+c3W+then+Nc2W");
    let links_of = |text: &str, part: &str| {
        let found = links(text).into_iter();
        found.filter(|link| link.contains(part)).collect::<Vec<_>>()
    };
    let games = links_of(&found, "found=1+3+5");
    let plies = ["ply=1&", "ply=3&", "ply=5&"];
    for ply in plies {
        assert!(games.iter().any(|link| link.contains(ply)), "{games:?}");
    }
    let game = page(&games[0]);
    assert_eq!(game.matches("(found here)").count(), 3, "{game}");
    let line = game.split("class=\"matches\"").nth(1).unwrap();
    let line = line.split("</span>").next().unwrap();
    let there: Vec<String> = links(line);
    assert_eq!(there.len(), 3, "{line}");
    for (link, ply) in there.iter().zip(["1", "3", "5"]) {
        assert!(link.ends_with(&format!("ply={ply}")), "{link}");
        assert_eq!(page(link).matches("(found here)").count(), 3);
    }
    let data = good(&games[0].replace("/game/", "/viewer/")).text();
    let marked = data.split("\"found\":[").nth(1).unwrap().split(']').next();
    assert_eq!(marked.unwrap().split(',').count(), 3, "{marked:?}");
    // One ply is marked among the moves only, and what is no number is refused.
    let one = games[0].replace("found=1+3+5", "found=3");
    assert!(!page(&one).contains("Found at"));
    let wrong = games[0].replace("found=1+3+5", "found=1+x");
    assert_eq!(site().answer(&wrong).unwrap().code(), 400);
}

#[test]
fn a_game_is_played_through_by_links() {
    let hits = json("/api/v1/search?text=variation");
    let id = hits["hits"][0]["id"].as_str().unwrap();
    let mut address = format!("/game/{id}");
    let mut titles = Vec::new();
    loop {
        let text = page(&address);
        let title = text
            .split("<title>")
            .nth(2)
            .unwrap()
            .split("</title>")
            .next()
            .unwrap()
            .to_owned();
        titles.push(title);
        let next = links(&text);
        let marked = text.split("rel=\"next\"").next().unwrap();
        if marked.len() == text.len() {
            break;
        }
        // The link before the mark.
        let link = marked
            .rsplit("href=\"")
            .next()
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .replace("&amp;", "&");
        assert!(next.contains(&link));
        address = link;
    }
    assert_eq!(titles.len(), 7, "{titles:?}");
    assert!(
        titles[0].ends_with("move 1: White to move")
            && titles[6].ends_with("move 4: White to move"),
        "{titles:?}"
    );
    let text = page(&format!("/game/{id}?ply=3&found=3"));
    assert!(
        text.contains("(found here)")
            && text.contains("in the variation")
            && text.contains("before the first move")
    );
    assert!(text.contains("c3W!"), "the mark is at its move");
    // Into the variation and out again.
    let inside = page(&format!("/game/{id}?line=0&ply=3"));
    let back = inside
        .split("rel=\"prev\"")
        .next()
        .unwrap()
        .rsplit("href=\"")
        .next()
        .unwrap();
    assert!(
        back.starts_with(&format!("/game/{id}?ply=2")),
        "{}",
        &back[..60]
    );
    for (query, status) in [
        ("ply=7", 404),
        ("line=1", 404),
        ("line=0&ply=4", 404),
        ("ply=x", 400),
        ("to=chess3", 400),
    ] {
        assert_eq!(
            site()
                .answer(&format!("/game/{id}?{query}"))
                .unwrap()
                .code(),
            status,
            "{query}"
        );
    }
}

#[test]
fn openings_are_walked_by_touching_the_board() {
    let start = page("/openings?rules=meder");
    let from = links(&start)
        .into_iter()
        .find(|link| link.contains("from=s"))
        .unwrap();
    let chosen = page(&from);
    let next = links(&chosen)
        .into_iter()
        .find(|link| link.contains("moves=") && !link.contains("from="))
        .unwrap();
    let there = page(&next);
    assert!(there.contains("reach this position") || there.contains("reaches this position"));
    assert!(
        links(&there)
            .iter()
            .any(|link| link == "/openings?rules=meder"),
        "back to the start"
    );
    let tables = page("/openings?rules=meder&boards=1");
    assert!(
        tables.contains("Layouts of the attack boards")
            && tables.contains("QL@Q1 KL@K1 ql@Q6 kl@K6")
    );
}

#[test]
fn what_comes_from_games_and_requests_is_escaped() {
    let name = quoted(NASTY);
    for address in [
        format!("/search?player={name}"),
        format!("/search?query={name}"),
        format!("/search?pattern={name}"),
        format!("/search?{name}={name}"),
        format!("/setup?rules=meder&position={name}"),
        format!("/openings?rules=meder&moves={name}"),
        format!("/openings?rules={name}"),
        format!("/game/{name}"),
        format!("/{name}"),
        "/search".to_owned(),
        "/search?player=sarek".to_owned(),
    ] {
        let text = site().answer(&address).unwrap().text();
        assert!(text.starts_with("<!DOCTYPE html>"), "{address}");
        assert!(
            !text.contains("<script>") && !text.contains("<img"),
            "{address}"
        );
    }
    let id = json("/api/v1/search?black=sarek")["hits"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let text = page(&format!("/game/{id}"));
    assert!(
        text.contains("&lt;script&gt;alert(1)"),
        "the name is shown as it is written"
    );
    assert!(text.contains("own &lt;b&gt;name"), "{text}");
}

#[test]
fn statistics_count_every_game() {
    let text = page("/statistics?rules=meder");
    assert!(text.contains("games under the rules meder"));
    for piece in ["K", "q", "P"] {
        assert!(
            page(&format!("/statistics?rules=chess3&piece={piece}"))
                .contains("aria-label=\"How often each square")
        );
    }
    assert_eq!(site().answer("/statistics?piece=KK").unwrap().code(), 400);
}

#[test]
fn statistics_count_the_games_that_answer_a_question() {
    for question in [
        "player=Kirk",
        "white=%22James+3%22&result=1-0",
        "rules=meder&pattern=N@c6",
        "moves=b4N&rules=meder",
        "date=2009",
    ] {
        for rules in RuleSystem::ALL.iter().map(|rules| rules.name()) {
            let found = json(&format!(
                "/api/v1/search?{question}&query=rules:{rules}&limit=0"
            ));
            let count = format!("<p>{} games under the rules {rules}</p>", found["games"]);
            let text = page(&format!("/statistics?{question}&query=rules:{rules}"));
            assert_eq!(
                text.contains(&count),
                found["games"] != 0,
                "{question} {rules}: {count}"
            );
        }
    }
    // The counts of the other systems are a step away from those of one.
    for (question, are_shown) in [
        ("result=1-0&rules=meder", true),
        ("rules=meder", true),
        ("moves=b4N&rules=meder", false),
    ] {
        let text = page(&format!("/statistics?{question}"));
        assert_eq!(text.contains("rules=chess3"), are_shown, "{question}");
    }
    // A question that cannot be understood, and one that statistics cannot answer.
    assert_eq!(site().answer("/statistics?pattern=N@").unwrap().code(), 400);
    assert_eq!(site().answer("/statistics?sort=date").unwrap().code(), 400);
    assert!(page("/search?player=Kirk").contains("href=\"/statistics?player=Kirk\""));
}

#[test]
fn a_commit_is_seen_and_an_index_without_games_has_all_pages() {
    let shelf = shelf(&[]);
    for address in [
        "/",
        "/search",
        "/setup",
        "/openings?rules=manual&boards=1",
        "/statistics",
        "/download/games.csv",
    ] {
        assert_eq!(shelf.site.answer(address).unwrap().code(), 200, "{address}");
    }
    add(shelf.folder.path(), "late.pgn", &entries(1, 5));
    // Changes are searched from time to time only.
    let since = std::time::Instant::now();
    while shelf.site.games() == 0 && since.elapsed().as_secs() < 10 {
        std::thread::sleep(std::time::Duration::from_millis(50));
        shelf.site.answer("/").unwrap();
    }
    let found: serde_json::Value = serde_json::from_slice(
        shelf
            .site
            .answer("/api/v1/search?player=kirk")
            .unwrap()
            .body(),
    )
    .unwrap();
    assert_eq!(found["games"], 5);
}

#[test]
fn pictures_are_those_of_the_position() {
    let fen = position_string::to_string(&Position::start(RuleSystem::Chess3).to_setup());
    let by_fen = good(&format!(
        "/board.svg?rules=chess3&fen={}&view=stand",
        quoted(&fen)
    ));
    let start = good("/board.svg?rules=chess3&view=stand");
    assert_eq!(by_fen.body(), start.body());
    assert_eq!(by_fen.header("content-type"), Some("image/svg+xml"));
    assert_eq!(
        by_fen.header("content-disposition"),
        Some("attachment; filename=\"board.svg\"")
    );
}

/// The text that a form's field for a position has.
fn position_field(page: &str) -> String {
    let (_, field) = page.split_once("name=\"position\" value=\"").unwrap();
    field.split('"').next().unwrap().to_owned()
}

fn start(rules: RuleSystem) -> String {
    position_string::to_string(&Position::start(rules).to_setup())
}

#[test]
fn a_position_that_cannot_be_read_stays_in_its_field_with_a_mark_below_it() {
    let meder = start(RuleSystem::Meder);
    let cube = start(RuleSystem::Millennium);
    // The text, the rules that are chosen, how many characters are understood.
    let end = meder.find(' ').unwrap();
    let cases = [
        (meder.replacen(' ', "p ", 1), "meder", end),
        (meder.replacen("/pppp", "/ppppp", 1), "meder", 9),
        (cube.replacen("/pppp", "/ppppp", 1), "millennium", 17),
        (format!("{cube} x"), "millennium", cube.len() + 1),
        ("4/4/4/4|4/1\u{fc}2/4".to_owned(), "meder", 11),
    ];
    for (text, rules, at) in cases {
        for address in ["/setup", "/openings"] {
            for chosen_rules in ["meder", "chess3"] {
                let page_address =
                    format!("{address}?rules={chosen_rules}&position={}", quoted(&text));
                let answer = site().answer(&page_address).unwrap();
                assert_eq!(answer.code(), 400, "{page_address}");
                let page = answer.text();
                assert_eq!(position_field(&page), text, "{page_address}");
                assert!(!page.contains("Legal position"), "{page_address}");
                // The marker is below the character.
                let drawn = page
                    .split("<pre class=\"fault\" tabindex=\"0\">")
                    .nth(1)
                    .unwrap();
                let (above, below) = drawn.split_once('\n').unwrap();
                let column = below.chars().position(|c| c == '^').unwrap();
                let marked = above.chars().nth(column);
                assert_eq!(marked, text.chars().nth(at), "{page_address}: {drawn}");
                let family = RuleSystem::from_name(rules).unwrap().family();
                let chosen = RuleSystem::ALL.iter().find(|rules| {
                    page.contains(&format!("data-key=\"{0}\" aria-current", rules.name()))
                });
                assert_eq!(
                    chosen.map(|rules| rules.family()),
                    Some(family),
                    "{page_address}"
                );
            }
        }
        // Programs get the place as a number.
        for address in [
            "/api/v1/moves?",
            "/api/v1/openings?rules=meder&",
            "/api/v1/search?",
        ] {
            let answer = site()
                .answer(&format!("{address}position={}", quoted(&text)))
                .unwrap();
            assert_eq!(answer.code(), 400, "{address}: {text}");
            let fault: serde_json::Value = serde_json::from_slice(answer.body()).unwrap();
            assert_eq!(fault["at"], at, "{address}: {text}");
            assert_eq!(fault["text"], text, "{address}");
        }
        let picture = site().answer(&format!("/board.svg?position={}", quoted(&text)));
        assert_eq!(picture.unwrap().code(), 400);
    }
}

#[test]
fn the_board_of_a_position_chooses_the_rules_and_a_note_reports_it() {
    for rules in RuleSystem::ALL {
        // Castling rights that some rules do not have are omitted.
        let text = start(*rules).replace("KQkq", "-");
        for address in ["/setup", "/openings"] {
            for asked in RuleSystem::ALL {
                let asked_name = asked.name();
                let setup = position_string::parse(&text).unwrap();
                let is_playable = Position::from_setup(*asked, &setup).is_ok();
                if address == "/openings" && asked.family() == rules.family() && !is_playable {
                    continue;
                }
                let page = page(&format!(
                    "{address}?rules={asked_name}&position={}",
                    quoted(&text)
                ));
                let is_of_board = asked.family() == rules.family();
                let note = format!(", not {asked_name}.");
                assert_eq!(page.contains(&note), !is_of_board, "{asked_name}: {text}");
                let chosen =
                    |name: &str| page.contains(&format!("data-key=\"{name}\" aria-current"));
                assert_eq!(chosen(asked_name), is_of_board, "{asked_name}: {text}");
                if !is_of_board {
                    let own = Position::from_setup(*rules, &position_string::parse(&text).unwrap());
                    assert!(own.is_ok());
                    assert!(chosen(
                        position_string::system_for(&own.unwrap().to_setup(), None).name()
                    ));
                }
                if address == "/setup" {
                    assert_eq!(position_field(&page), text, "{asked_name}");
                }
                // Every link of the page keeps the rules.
                let of_other = links(&page).into_iter().filter(|link| {
                    link.contains("position=") && link.contains(&format!("rules={asked_name}&"))
                });
                assert!(is_of_board || of_other.count() == 0, "{asked_name}: {text}");
            }
        }
        // Without rules the first that allow the position are meant; rules of the other board are an error.
        let moves = json(&format!("/api/v1/moves?position={}", quoted(&text)));
        let family = RuleSystem::from_name(moves["rules"].as_str().unwrap()).unwrap();
        assert_eq!(family.family(), rules.family());
        assert_eq!(moves["fen"], text);
        let other = RuleSystem::ALL
            .iter()
            .find(|other| other.family() != rules.family())
            .unwrap();
        for address in [
            "/api/v1/moves",
            "/api/v1/openings",
            "/api/v1/search",
            "/board.svg",
        ] {
            let address = format!(
                "{address}?rules={}&position={}",
                other.name(),
                quoted(&text)
            );
            let answer = site().answer(&address).unwrap();
            assert_eq!(answer.code(), 400, "{address}");
            let message = answer.text();
            assert!(
                message.contains(&format!(
                    "that of {}",
                    match rules.name() {
                        "millennium" | "chess3" => "millennium and chess3",
                        _ => "meder, manual and federation",
                    }
                )),
                "{message}"
            );
        }
    }
}

#[test]
fn a_game_without_players_is_called_by_its_event_or_its_source() {
    let moves = read_moves(RuleSystem::Meder, "b4N b5B").unwrap();
    let game = |number: u32, tags: &[(&str, &str)]| {
        let mut entry = GameEntry::new(number, RuleSystem::Meder, moves.clone());
        let tags = tags
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        entry.tags = tags.collect();
        entry
    };
    let games = vec![
        game(1, &[("White", "?"), ("Event", "Sample Game")]),
        game(2, &[("Black", "Spock"), ("Event", "Evening")]),
        game(3, &[("Event", "?"), ("Site", "Mars")]),
    ];
    let shelf = shelf(&[("unknown.pgn", games)]);
    let text = |address: &str| shelf.site.answer(address).unwrap().text();
    for (number, title) in [
        (1, "Sample Game"),
        (2, "? \u{2013} Spock"),
        (3, "unknown.pgn:3"),
    ] {
        let page = text(&format!("/game/unknown.pgn:{number}"));
        assert!(
            page.contains(&format!("<title>{title} - tridex</title>")),
            "{page}"
        );
        let heading = page
            .split("<h1>")
            .nth(1)
            .unwrap()
            .split("</h1>")
            .next()
            .unwrap();
        assert_eq!(heading.contains("\u{2013}"), number == 2, "{heading}");
        let newest = format!("<b>{title}</b>");
        assert!(text("/").contains(&newest), "{title}");
        assert!(text("/openings?rules=meder").contains(&newest), "{title}");
        assert!(
            text("/search").contains(&format!("aria-label=\"{title}\"")),
            "{title}"
        );
    }
    let viewer: serde_json::Value = serde_json::from_str(&text("/viewer/unknown.pgn:1")).unwrap();
    assert_eq!(viewer["games"][0]["title"], "Sample Game");
    assert!(text("/").contains(">unknown.pgn:3</a>"));
}

#[test]
fn the_guide_is_served_with_its_pictures_and_nothing_else() {
    let text = page("/guide/boards");
    assert!(text.contains("<h1>The boards in pictures</h1>"), "{text}");
    assert!(text.contains("href=\"/guide/rules\""));
    assert_eq!(
        good("/guide/pictures/bishop.svg").header("content-type"),
        Some("image/svg+xml")
    );
    for address in [
        "/guide/nothing",
        "/guide/pictures/nothing.svg",
        "/guide/pictures/..%2FSUMMARY.md",
        "/guide/SUMMARY",
    ] {
        assert_eq!(site().answer(address).unwrap().code(), 404, "{address}");
    }
    assert_eq!(site().answer("/guide?colour=red").unwrap().code(), 400);
}

#[test]
fn a_query_is_completed() {
    let completed = |query: &str| {
        let answer = json(&format!("/complete?query={}", quoted(query)));
        let values = answer["values"].as_array().unwrap().iter();
        let values: Vec<String> = values
            .map(|value| value.as_str().unwrap().to_owned())
            .collect();
        (answer["from"].as_u64().unwrap(), values)
    };
    // Fields, and names of players.
    let (from, values) = completed("mate pla");
    assert_eq!((from, &*values[0]), (5, "player:"));
    let (from, values) = completed("kir");
    assert_eq!(from, 0);
    assert!(
        values.contains(&"player:\"Kirk, James 3\"".to_owned()),
        "{values:?}"
    );
    // Values: of a list, of a list after a comma, names with their accents and blanks.
    assert_eq!(completed("result:1/2-1").1, ["result:1/2-1/2"]);
    assert!(
        completed("rules:meder,ma")
            .1
            .contains(&"rules:meder,manual".to_owned())
    );
    assert_eq!(completed("side:").1, ["side:white", "side:black"]);
    let (from, values) = completed("(check or white:\"kirk, ja");
    assert_eq!(from, 10);
    assert_eq!(values.len(), 7, "{values:?}");
    assert!(
        values
            .iter()
            .all(|value| value.starts_with("white:\"Kirk, James "))
    );
    // Each of them is a query that finds something.
    for value in values {
        let found = json(&format!("/api/v1/search?query={}", quoted(&value)));
        assert!(found["games"].as_u64() > Some(0), "{value}");
    }
    for nothing in [
        "nofield:x",
        "player:\"zzz",
        "date:20x",
        "player:=",
        "player:~*",
        "\\",
    ] {
        assert_eq!(completed(nothing).1, Vec::<String>::new(), "{nothing}");
    }
    assert_eq!(site().answer("/complete?text=x").unwrap().code(), 400);
}

#[test]
fn what_is_not_understood_is_marked_in_its_field() {
    let answer = site().answer("/search?query=m%C3%A4x+mate%28").unwrap();
    assert_eq!(answer.code(), 400);
    let page = answer.text();
    assert!(
        page.contains("aria-invalid=\"true\" data-fault=\""),
        "{page}"
    );
    // A fault of another field does not mark this one.
    let answer = site().answer("/search?query=mate&date=x").unwrap();
    assert_eq!(answer.code(), 400);
    assert!(!answer.text().contains("data-fault"));
}

#[test]
fn a_search_without_hits_counts_what_each_part_hides() {
    let nothing = page("/search?query=player%3Akirk+event%3Anowhere&rules=meder");
    let count = |query: &str| {
        let found = json(&format!("/api/v1/search?{query}"));
        found["games"].as_u64().unwrap()
    };
    let kirk = count("player=kirk&rules=meder");
    assert!(nothing.contains("No game matches all of this"), "{nothing}");
    assert!(
        nothing.contains(&format!(
            "event:nowhere</b>: {kirk} games<small> (this part alone: 0 games)"
        )),
        "{nothing}"
    );
    assert!(nothing.contains("player:kirk</b>: 0 games"), "{nothing}");
    let links = links(&nothing);
    let without = links.iter().find(|link| {
        link.contains("query=player%3Akirk&") || link.ends_with("query=player%3Akirk")
    });
    assert_eq!(
        good(without.unwrap())
            .text()
            .matches("<td class=\"white\">")
            .count() as u64,
        kirk.min(50)
    );
    // A name with a wrong letter.
    let page = page("/search?player=kork");
    assert!(page.contains("A wrong letter in the name?"), "{page}");
    let near = count("player=kork~");
    assert!(page.contains(&format!("kork~</b>: {near} games")), "{page}");
}

#[test]
fn games_found_lead_to_each_other() {
    let first = page("/search?player=kirk&rules=meder&sort=date");
    let rows: Vec<String> = links(&first)
        .into_iter()
        .filter(|link| link.starts_with("/game/"))
        .collect();
    assert!(rows.len() > 5);
    let linked = |page: &str, rel: &str| {
        let (_, rest) = page.split_once(&format!("rel=\"{rel}\" href=\""))?;
        Some(rest.split_once('"')?.0.replace("&amp;", "&"))
    };
    let mut at = rows[0].clone();
    assert_eq!(linked(&page(&at), "prev"), None);
    for expected in &rows[1..] {
        at = linked(&page(&at), "next").unwrap();
        assert_eq!(&at, expected);
    }
    assert_eq!(
        linked(&page(&at), "prev").as_ref(),
        rows.iter().rev().nth(1)
    );
    assert!(
        links(&page(&at))
            .iter()
            .any(|link| link.starts_with("/search?player=kirk&rules=meder&sort=date"))
    );
    // The last game of all has none after it; a list that is no query is refused.
    let count = json("/api/v1/search?player=kirk&rules=meder")["games"]
        .as_u64()
        .unwrap();
    let game = at.split('?').next().unwrap().to_owned();
    let list = quoted("player=kirk&rules=meder&sort=date");
    let last = page(&format!("{game}?list={list}&nth={}", count - 1));
    assert!(linked(&last, "next").is_none() && linked(&last, "prev").is_some());
    for wrong in ["list=nothing%3Dx&nth=1", "list=player%3Dkirk&nth=x"] {
        assert_eq!(
            site().answer(&format!("{game}?{wrong}")).unwrap().code(),
            400,
            "{wrong}"
        );
    }
    page(&format!("{game}?list={list}&nth=18446744073709551615"));
}

#[test]
fn a_game_has_pictures_for_links_to_it() {
    let id = "games.pgn:3";
    let page = page(&format!("/game/{id}?ply=4"));
    let (_, rest) = page.split_once("property=\"og:image\" content=\"").unwrap();
    let picture = rest.split_once('"').unwrap().0;
    let picture = picture.strip_prefix("http://localhost").unwrap();
    assert!(picture.ends_with(".png?ply=4"), "{picture}");
    let png = good(picture);
    assert_eq!(png.header("content-type"), Some("image/png"));
    assert!(png.body().starts_with(b"\x89PNG"));
    let svg = |query: &str| good(&format!("/picture/{id}.svg{query}")).text();
    assert!(svg("?ply=0") != svg("") && svg("?theme=dark") != svg(""));
    // Beyond the end is the end.
    assert_eq!(svg("?ply=9999"), svg(""));
    for (address, code) in [
        (format!("/picture/{id}.gif"), 404),
        (format!("/picture/{id}"), 400),
        (format!("/picture/{id}.svg?ply=x"), 400),
        (format!("/picture/{id}.svg?line=9&ply=1"), 404),
        (
            format!("/picture/{id}.png?size=4294967295&ply=0&size=x"),
            400,
        ),
        ("/picture/0000000000000001.svg".to_owned(), 404),
    ] {
        assert_eq!(site().answer(&address).unwrap().code(), code, "{address}");
    }
    // A file with one game has the names of its players.
    let file =
        good("/download/games.pgn?game=games.pgn:3&ply=0&limit=1&player=spock&query=white:kirk");
    let name = file.header("content-disposition").unwrap();
    assert!(
        name.contains("kirk-james") && name.ends_with("spock.pgn\""),
        "{name}"
    );
}

#[test]
fn a_game_is_embedded_if_the_site_allows_it() {
    let shelf = shelf(&[("games.pgn", entries(3, 5))]);
    for is_allowed in [false, true] {
        let mut options = patient();
        options.embedding = is_allowed;
        let site = Site::open(&[shelf.folder.path()], options).unwrap();
        let answer = site.answer("/embed/games.pgn:1?ply=2").unwrap();
        assert_eq!(answer.code(), 200);
        assert_eq!(answer.header("x-frame-options").is_none(), is_allowed);
        let policy = answer.header("content-security-policy").unwrap();
        assert_eq!(policy.contains("frame-ancestors"), !is_allowed);
        let page = answer.text();
        assert!(
            page.contains("data-viewer=\"/viewer/") && !page.contains("class=\"top\""),
            "{page}"
        );
        // No other page is shown in a frame.
        let other = site.answer("/game/games.pgn:1").unwrap();
        assert_eq!(other.header("x-frame-options"), Some("DENY"));
        let served = Served::new(&site);
        let asked = |address: &str, dest: &str| {
            served.status(&format!(
                "GET {address} HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n\
                 Sec-Fetch-Dest: {dest}\r\nConnection: close\r\n\r\n"
            ))
        };
        let framed = if is_allowed { 200 } else { 403 };
        assert_eq!(asked("/embed/games.pgn:1", "iframe"), framed);
        assert_eq!(asked("/embed/games.pgn:1", "object"), 403);
        assert_eq!(asked("/game/games.pgn:1", "iframe"), 403);
        assert_eq!(asked("/search", "iframe"), 403);
    }
}

#[test]
fn every_rule_system_shows_how_its_pieces_move() {
    let home = page("/");
    for rules in RuleSystem::ALL {
        assert!(home.contains(&format!("/rules?rules={}", rules.name())));
        for piece in ["K", "Q", "R", "B", "N", "P"] {
            let page = page(&format!("/rules?rules={}&piece={piece}", rules.name()));
            assert!(
                page.contains(" reaches <b>")
                    && page.contains(rules.facts().summary.split(['\'', '&']).next().unwrap()),
                "{page}"
            );
            // A marked square leads to the piece there, and another one to the reason.
            let links = links(&page);
            let there = links.iter().find(|link| link.contains("at=s")).unwrap();
            assert!(self::page(there).contains(" reaches <b>"), "{there}");
            let why = links.iter().find(|link| link.contains("to=s")).unwrap();
            let shown = self::page(why);
            let shown = shown
                .split("role=\"status\">")
                .nth(1)
                .unwrap()
                .split("</p>")
                .next()
                .unwrap();
            assert!(
                shown.starts_with(char::is_uppercase) && shown.ends_with(")."),
                "{why}: {shown}"
            );
        }
    }
    // The square of Black's king, one that does not exist, and what is no piece.
    let start = RuleSystem::Meder.start();
    let king = start
        .pieces()
        .find(|(_, piece)| piece.letter() == 'k')
        .unwrap()
        .0;
    let shown = page(&format!("/rules?piece=R&at=s{}", king.index()));
    assert!(
        shown.contains("Choose another square for the rook: "),
        "{shown}"
    );
    for wrong in ["at=s64", "at=QL", "piece=x", "to=x"] {
        let answer = site()
            .answer(&format!("/rules?rules=meder&{wrong}"))
            .unwrap();
        assert_eq!(answer.code(), 400, "{wrong}");
    }
}
