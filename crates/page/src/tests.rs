use super::*;
use crate::game::Piece;
use tridex_archive::{Game, Item, Limits, game, pgn};
use tridex_notation::Notation;
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
         1. c3W {{quiet [%csl Rc3W,Ga6][%cal Gb1Wc3N] [%clk 0:01:00]}} a6N!? 2. b4N $14 (2. b3W {{{name}}} b5B) b5B \
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
    assert!(size(1) < 250_000, "{}", size(1));
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
