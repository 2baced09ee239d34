use super::*;
use crate::game::{More, Piece};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use tridex_archive::{Game, Item, Limits, game, pgn};
use tridex_notation::{Fen, Notation};
use tridex_replay::{Options, replay_with};

fn games(text: &str) -> Vec<Game<'static>> {
    game::collect(|reader| pgn::read_games(text.as_bytes(), 0, &Limits::default(), reader))
}

fn shown(text: &str, notation: Notation) -> PageGame {
    let games = games(text);
    replay_with(&games[0], &Options::default(), |played| {
        PageGame::new(played, OutputStyle::of(notation)).unwrap()
    })
}

/// A game with everything a page shows; moves are Meder's. The fourth move is none.
fn annotated(name: &str) -> String {
    format!(
        "[White \"{name}\"]\n[Black \"Spock\"]\n[Event \"{name} Open\"]\n[Variant \"meder\"]\n\n\
         1. c3W {{quiet [%csl Rc3W,Ga6][%cal Gb1Wc3N] [%clk 0:01:00][%eval 0.35]}} a6N!? 2. b4N $14 (2. b3W {{{name}}} b5B) b5B \
         3. Qz9 b5N 0-1\n"
    )
}

fn page(name: &str) -> String {
    let mut page = PageWriter::new(Vec::new(), name).unwrap();
    for name in [name, "Uhura"] {
        page.add(&shown(&annotated(name), Notation::Meder)).unwrap();
    }
    String::from_utf8(page.finish().unwrap()).unwrap()
}

#[test]
fn a_game_is_a_tree_and_a_broken_line_ends_there() {
    let read = shown(&annotated("Kirk"), Notation::Meder);
    let parents: Vec<usize> = read.nodes.iter().map(|node| node.parent).collect();
    // Start, c3W a6N b4N, the variation b3W b5B from after a6N, b5B after b4N; `Qz9` breaks the line.
    assert_eq!(parents, [0, 0, 1, 2, 2, 4, 3]);
    let places: Vec<_> = read.nodes.iter().map(|node| node.place).collect();
    let main = [0, 1, 2, 3, 4].map(|ply| (None, ply));
    assert_eq!(places[..4], main[..4]);
    assert_eq!(places[4..], [(Some(0), 3), (Some(0), 4), main[4]]);
    let numbers: Vec<&str> = read.nodes.iter().map(|node| node.number.as_str()).collect();
    assert_eq!(numbers, ["", "1.", "1...", "2.", "2.", "2...", "2..."]);
    let first = &read.nodes[1];
    assert_eq!(first.words, ["c3W", "d3,WB-d4,WB"]);
    assert_eq!((first.more.marked.len(), first.more.arrows.len()), (2, 1));
    assert_ne!(first.step[0], first.step[1]);
    let judged: Vec<&str> = read
        .nodes
        .iter()
        .map(|node| node.more.judgement.as_str())
        .collect();
    assert_eq!(judged, ["", "", "!?", " \u{2a72}", "", "", ""]);
    let written: Vec<&str> = read
        .text
        .iter()
        .filter_map(|piece| match piece {
            Piece::Comment(written) | Piece::Clock(written) | Piece::Word(written) => {
                Some(written.as_str())
            }
            _ => None,
        })
        .collect();
    assert_eq!(written, ["0:01:00", "quiet", "Kirk", "Qz9", "b5N"]);
    assert!(
        read.tags
            .contains(&("Unreadable".to_owned(), "after ply 4: Qz9".to_owned()))
    );
}

#[test]
fn a_place_in_a_line_is_found_by_its_plies() {
    let read = shown(&annotated("Kirk"), Notation::Meder);
    let at: Vec<usize> = (0..5).map(|ply| read.node(None, ply)).collect();
    assert_eq!(at, [0, 1, 2, 3, 6]);
    let at: Vec<usize> = (0..6).map(|ply| read.node(Some(0), ply)).collect();
    assert_eq!(at, [0, 1, 2, 4, 5, 5]);
    assert_eq!(read.node(None, 99), 6);
}

#[test]
fn a_variation_before_the_first_move_is_no_main_line() {
    let read = shown(
        "[Variant \"meder\"]\n\n(1. b4N) 1. c3W *\n",
        Notation::Meder,
    );
    let nodes = read.nodes.iter().filter(|node| node.place.0.is_none());
    let main: Vec<&str> = nodes
        .map(|node| node.words.first().map_or("", String::as_str))
        .collect();
    assert_eq!(main, ["", "c3W"]);
}

#[test]
fn a_game_of_the_other_board_is_refused() {
    let games = games(&annotated("Kirk"));
    let refused = replay_with(&games[0], &Options::default(), |played| {
        PageGame::new(played, OutputStyle::of(Notation::Millennium)).is_err()
    });
    assert!(refused);
}

#[test]
fn hostile_names_are_harmless() {
    let hostile = "</script><script>alert(1)</script><img src=x onerror=alert(1)>'&\u{202e}";
    let page = page(hostile);
    // The script of the page, the data of two games, and what they share.
    assert_eq!(page.matches("<script").count(), 4);
    assert_eq!(page.matches("</script>").count(), 4);
    assert!(!page.contains("<img") && !page.contains('\u{202e}'));
    let policy = "content=\"default-src 'none'; script-src 'sha256-";
    assert!(
        page.contains(policy),
        "one script and one style sheet are allowed"
    );
    // Nothing is requested from anywhere.
    let links = page.matches("http").count();
    let known = page.matches("http://www.w3.org/2000/svg").count();
    let policies = page.matches("http-equiv").count();
    assert_eq!(links, known + policies);
    assert!(!page.contains("style=\"") && !page.contains("onclick"));
}

/// The line ends of a checkout change nothing: a page contains exactly the text whose hash its policy names.
#[test]
fn scripts_and_styles_with_any_line_ends_make_the_same_page() {
    let of = |ends: &str| {
        let [script, style] = [SCRIPT, &style()].map(|text| {
            let lines: Vec<&str> = text.lines().collect();
            lines.join(ends)
        });
        let page = PageWriter::with_parts(Vec::new(), "", script.into(), style.into()).unwrap();
        String::from_utf8(page.finish().unwrap()).unwrap()
    };
    let page = of("\n");
    assert!(!page.contains('\r'));
    for ends in ["\r\n", "\r"] {
        assert!(of(ends) == page, "{ends:?}");
    }
    let script = || SCRIPT.replace("\r\n", "\n").replace('\n', "\r\n");
    let with_script = PageWriter::with_script(Vec::new(), "", script()).unwrap();
    let with_script = with_script.finish().unwrap();
    assert!(!with_script.contains(&b'\r'));
}

/// The properties that `web/viewer/wire.js` describes, by the names of the objects.
fn described() -> BTreeMap<String, BTreeSet<String>> {
    let text = include_str!("../web/viewer/wire.js");
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut name = String::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix(" * @typedef {object} ") {
            name = rest.to_owned();
        } else if let Some((_, rest)) = line.split_once(" * @property {") {
            let (_, rest) = rest.rsplit_once("} ").unwrap_or_default();
            let property = rest.split(' ').next().unwrap_or_default();
            let property = property.trim_matches(['[', ']']).to_owned();
            found.entry(name.clone()).or_default().insert(property);
        }
    }
    found
}

/// The names of the properties of some objects together.
fn properties<'a>(objects: impl IntoIterator<Item = &'a Value>) -> BTreeSet<String> {
    let objects = objects
        .into_iter()
        .map(|object| object.as_object().unwrap());
    objects.flat_map(|object| object.keys().cloned()).collect()
}

/// A game with everything that data has, from `annotated`, but with a board that moves.
fn complete() -> PageGame {
    let tags = format!("[SetUp \"1\"]\n[FEN \"{EMPTY_BOARD}\"]\n[Variant");
    let text = annotated("Kirk").replace("3. Qz9 b5N", &format!("3. {BOARD_MOVE}"));
    let text = text.replace("[Variant", &tags);
    shown(&text, Notation::Meder)
}

/// Its start: White has an attack board without pieces, which can move.
const EMPTY_BOARD: &str = "nbbn/pppp/4/4|4/4/4/4|4/4/PPPP/NBBN|QL@Q1:2/2|KL@K1:PP/KR|ql@Q6:rq/pp|kl@K6:kr/pp \
                           w - - - 0 1";

/// A move of that board at the end of the game.
const BOARD_MOVE: &str = "QL2";

#[test]
fn the_data_has_the_properties_that_the_script_describes() {
    let described = described();
    let options = PlayerOptions {
        found: vec![1],
        ..PlayerOptions::default()
    };
    let data: Value = serde_json::from_str(&viewer_data(&complete(), &options)).unwrap();
    let list = |value: &Value| value.as_array().unwrap().clone();
    let shared = &data["shared"];
    let shape = &shared["shapes"][0];
    let full = More {
        layout: Some(1),
        changes: Some(vec![1]),
        squares: Some(vec![1]),
        halfmoves: Some(1),
        rights: None,
        board: Some(1),
        check: Some(1),
        outcome: Some("mate".to_owned()),
        judgement: "!".to_owned(),
        nags: Some("$1".to_owned()),
        marked: vec![(1, 'G')],
        arrows: vec![(1, 2, 'G')],
    };
    let mut more = serde_json::to_value(&full).unwrap();
    more["rights"] = 1.into();
    let spots = legal_moves(&tridex_rules::Position::start(
        tridex_rules::RuleSystem::Meder,
    ));
    let moves = serde_json::to_value(&spots).unwrap();
    for (name, objects) in [
        ("Shared", vec![shared.clone()]),
        ("Place", list(&shared["places"])),
        ("Mount", list(&shared["mounts"])),
        ("Shape", list(&shared["shapes"])),
        ("WireView", list(&shape["views"])),
        ("WireLayout", list(&shared["layouts"])),
        ("Start", list(&shared["starts"])),
        ("WireGame", list(&data["games"])),
        ("More", vec![more]),
        ("ViewerData", vec![data.clone()]),
        ("LegalMove", list(&moves)),
    ] {
        assert_eq!(properties(&objects), described[name], "{name}");
    }
    let of_game = data["games"][0]["more"].as_object().unwrap();
    let of_game = properties(of_game.values());
    assert!(of_game.is_subset(&described["More"]), "{of_game:?}");
}

/// The data of the unit tests of the script (`web/tests/game.test.js`), without markup. `TRIDEX_TEXTS=write` writes it again.
#[test]
fn the_tests_of_the_script_have_the_data_of_today() {
    let game = complete();
    let data = viewer_data(&game, &PlayerOptions::default());
    let mut data: Value = serde_json::from_str(&data).unwrap();
    for markup in ["pieceShapes", "markShapes"] {
        data["shared"][markup] = "".into();
    }
    data["shared"]["parts"] = Value::Array(Vec::new());
    // The main line as position strings.
    let mut position = game.start.clone();
    let mut strings = vec![Fen::of(&position).to_string()];
    for word in ["c3W", "a6N", "b4N", "b5B", BOARD_MOVE] {
        let legal = position.legal_moves().into_iter();
        let found = legal
            .zip(legal_moves(&position))
            .find(|(_, one)| one.written == word);
        let (played, _) = found.unwrap_or_else(|| {
            let all: Vec<String> = legal_moves(&position)
                .into_iter()
                .map(|one| one.written)
                .collect();
            panic!("{word} is not one of {}", all.join(" "))
        });
        position.play_unchecked(played);
        strings.push(Fen::of(&position).to_string());
    }
    data["shared"]["positions"] = strings.into();
    let text = format!("{}\n", serde_json::to_string(&data).unwrap());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/web/tests/data/game.json");
    if std::env::var("TRIDEX_TEXTS").is_ok_and(|value| value == "write") {
        std::fs::write(path, &text).unwrap();
    }
    let known = std::fs::read_to_string(path).unwrap();
    assert!(
        known.replace('\r', "") == text,
        "TRIDEX_TEXTS=write cargo test -p tridex-page"
    );
}

#[test]
fn the_same_games_give_the_same_page() {
    assert_eq!(page("Kirk"), page("Kirk"));
}

#[test]
fn what_games_share_stands_on_the_page_once() {
    let text = annotated("Kirk");
    let game = shown(&text, Notation::Meder);
    let size = |games: usize| {
        let mut page = PageWriter::new(Vec::new(), "").unwrap();
        for _ in 0..games {
            page.add(&game).unwrap();
        }
        page.finish().unwrap().len()
    };
    // After the games that have a picture of their own.
    let more = size(40) - size(39);
    assert!(size(1) < 310_000, "{}", size(1));
    assert!(more < 1_200, "{more} bytes more for a game of six moves");
}

#[test]
fn a_page_is_full_at_its_bound() {
    let game = shown("[Variant \"meder\"]\n\n1. c3W *\n", Notation::Meder);
    let mut page = PageWriter::new(std::io::sink(), "").unwrap();
    for _ in 0..GAMES {
        page.add(&game).unwrap();
    }
    let full = page.add(&game).unwrap_err();
    assert_eq!(
        full.to_string(),
        format!("a page holds at most {GAMES} games")
    );
    assert_eq!(page.games(), GAMES);
}

#[test]
fn a_site_shows_a_game_from_what_was_found() {
    let game = shown(&annotated("Kirk"), Notation::Manual);
    let options = PlayerOptions {
        ply: 3,
        found: vec![3, 99],
        line: None,
        no_picture: true,
    };
    let part = player(&game, &options);
    assert!(part.contains("\"at\":3,\"found\":[3]"));
    assert!(part.contains("\"notations\":[\"manual\",\"meder\"]"));
    assert!(part.contains("c3,WB-c5,NB b4N"), "both words of the move");
    assert!(!part.contains("<noscript>") && !part.contains("<style") && part.ends_with("</div>\n"));
    // A script that is not run, as data.
    assert_eq!(
        part.matches("<script type=\"application/json\"").count(),
        part.matches("<script").count()
    );
}

#[test]
fn variations_in_variations_without_end_are_no_tower_of_elements() {
    let deep = 900;
    let text = format!(
        "[Variant \"meder\"]\n\n1. c3W {}{} *\n",
        "(1. b4N ".repeat(deep),
        ")".repeat(deep)
    );
    let game = shown(&text, Notation::Meder);
    assert_eq!(game.nodes.len(), deep + 2);
    let part = player(&game, &PlayerOptions::default());
    assert_eq!(part.matches("<span class=\"tx-variation\">").count(), 24);
    assert_eq!(
        part.matches("<span").count(),
        part.matches("</span>").count()
    );
}

/// The elements of a player, if it is well-formed.
fn elements(part: &str) -> Vec<String> {
    let document =
        roxmltree::Document::parse(part).unwrap_or_else(|fault| panic!("{fault}\n{part}"));
    document
        .descendants()
        .filter(|node| node.is_element())
        .map(|node| {
            let attributes: Vec<&str> = node
                .attributes()
                .map(|attribute| attribute.name())
                .collect();
            format!("{} {}", node.tag_name().name(), attributes.join(" "))
        })
        .collect()
}

/// Regardless of names, comments and words, the elements of the page are the same, and the data is JSON.
#[test]
fn no_text_becomes_markup() {
    let nasty = [
        "<",
        ">",
        "</",
        "<!--",
        "-->",
        "<script>",
        "</script>",
        "<svg onload=x>",
        "&",
        "&lt;",
        "&#60;",
        "\"",
        "'",
        "]]>",
        "\u{0}",
        "\u{7}",
        "\u{b}",
        "\u{85}",
        "\u{202e}",
        "\u{2028}",
        "\u{fffe}",
        "\u{1f600}",
        "=",
        "`",
        "[%csl ",
        "R<",
        "]",
        "[%clk ",
        "1:2<3",
        "javascript:",
        "\\",
        " ",
    ];
    let game = |written: &str| {
        let mut game = Game::new();
        for name in ["White", "Event", written] {
            game.push_tag(name, written);
        }
        game.push_tag("Variant", "meder");
        let word = format!("x{written}");
        for item in [
            Item::Move("c3W"),
            Item::Comment(written),
            Item::VariationStart,
            Item::Move("b4N"),
            Item::LineComment(written),
            Item::VariationEnd,
            Item::Word(written),
            Item::Move(&word),
            Item::Word(written),
        ] {
            game.push(item);
        }
        let shown = replay_with(&game, &Options::default(), |played| {
            PageGame::new(played, OutputStyle::of(Notation::Meder)).unwrap()
        });
        player(&shown, &PlayerOptions::default())
    };
    let plain = elements(&game("words"));
    // What a player has without script; the rest is made by the script.
    assert!(plain.len() > 30, "{}", plain.len());
    let mut seed = 7_u64;
    for _ in 0..300 {
        let mut written = String::from("x");
        for _ in 0..8 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            written.push_str(nasty[(seed >> 33) as usize % nasty.len()]);
        }
        written.push('x');
        let part = game(&written);
        assert_eq!(elements(&part), plain, "{written:?}");
        let document = roxmltree::Document::parse(&part).unwrap();
        let data = document
            .descendants()
            .find(|node| node.attribute("class") == Some("tx-data"))
            .and_then(|node| node.text())
            .unwrap();
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["moves"].as_str().unwrap().split(' ').count(), 2);
    }
}
