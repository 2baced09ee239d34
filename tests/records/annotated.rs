//! Records with everything they may hold: the index, conversion, the page and the site give the same of them.

use crate::pages::serve::Served;
use crate::search::index::support::{SYSTEMS, good, rows};
use std::collections::HashMap;
use std::fs;
use tridex_archive::{Game, Item, Limits, Unread, game, pgn};

fn games(text: &str) -> Vec<Game<'static>> {
    game::collect(|visitor| pgn::read_games(text.as_bytes(), 0, &Limits::default(), visitor))
}

/// The movetext of the only game of a text.
fn movetext(text: &str) -> &str {
    text.split_once("\n\n").unwrap().1.trim_end()
}

#[test]
fn whatever_a_record_holds_is_given_back() {
    let folder = tempfile::tempdir().unwrap();
    let table = fs::read_to_string("tests/data/annotated.txt").unwrap();
    let rows = table
        .lines()
        .filter(|row| !row.is_empty() && !row.starts_with('#'));
    let mut count = 0;
    for row in rows {
        let at = folder.path().join(count.to_string());
        fs::create_dir(&at).unwrap();
        let (given, back) = row.split_once(" => ").unwrap_or((row, row));
        let [given, back] = [given, back].map(|text| text.replace("\\n", "\n"));
        let text = format!("[Variant \"meder\"]\n[Result \"*\"]\n\n{given}\n");
        fs::write(at.join("a.pgn"), text).unwrap();
        let converted = good(&at, &["convert", "a.pgn", "--to", "meder", "-q"]);
        assert_eq!(movetext(&converted), back, "converted: {row}");
        good(&at, &["index", "a.pgn", "--index", "db", "-q", "--verify"]);
        let found = good(&at, &["search", "--index", "db", "--format", "pgn"]);
        assert_eq!(movetext(&found), back, "from the index: {row}");
        // Nothing is changed by going through the index once more.
        fs::write(at.join("b.pgn"), &found).unwrap();
        good(&at, &["index", "b.pgn", "--index", "again", "-q"]);
        let again = good(&at, &["search", "--index", "again", "--format", "pgn"]);
        assert_eq!(again, found, "{row}");
        count += 1;
    }
    assert!(count > 20);
}

/// What is read of a game, piece by piece, as a page shows it: judgements are at their moves there, and tokens that could
/// not be read are words.
fn shown(game: &Game<'_>) -> Vec<String> {
    let mut all = Vec::new();
    for item in game.items() {
        match item.as_deref() {
            Item::Move("--") => all.push("word --".to_owned()),
            Item::Move(text) => {
                all.push(format!("move {}", text.trim_end_matches(['!', '?'])));
            }
            Item::Comment(text) | Item::LineComment(text) => {
                let clock = text
                    .strip_prefix("[%clk ")
                    .and_then(|c| c.strip_suffix(']'));
                let unread = text.strip_prefix("not read: ");
                match (clock, unread) {
                    (Some(clock), _) => all.push(format!("clock {clock}")),
                    (_, Some(tokens)) => {
                        all.extend(tokens.split(' ').map(|token| format!("word {token}")));
                    }
                    _ => all.push(format!("comment {}", text.trim())),
                }
            }
            Item::DrawOffer => all.push("word (=)".to_owned()),
            Item::VariationStart => all.push("(".to_owned()),
            Item::VariationEnd => all.push(")".to_owned()),
            Item::Nag(_) => {}
            Item::Escape(_) | Item::Word(_) => panic!("{item:?}"),
        }
    }
    all
}

/// The same, read off a page: the text that is there for readers without script.
fn on_page(article: &str) -> Vec<String> {
    let text = article.split_once("class=\"tx-text\">").unwrap().1;
    let mut rest = text.split_once("</div>").unwrap().0.trim();
    let known = [
        ("<span class=\"tx-comment\">", "comment"),
        ("<span class=\"tx-clock\">", "clock"),
        ("<span class=\"tx-word\">", "word"),
    ];
    let plain = |text: &str| {
        let text = text.replace("&quot;", "\"").replace("&lt;", "<");
        let text = text.replace("&gt;", ">").replace("&#39;", "'");
        text.replace("&amp;", "&")
    };
    let mut all = Vec::new();
    while !rest.is_empty() {
        let set_off = known
            .iter()
            .find_map(|(tag, kind)| Some((rest.strip_prefix(tag)?.split_once("</span>")?, kind)));
        if let Some(((text, behind), kind)) = set_off {
            all.push(format!("{kind} {}", plain(text)));
            rest = behind.trim_start();
            continue;
        }
        if rest.starts_with('<') {
            rest = rest.split_once('>').unwrap().1.trim_start();
            continue;
        }
        let end = rest.find(|c: char| c.is_whitespace() || c == '<');
        let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
        rest = behind.trim_start();
        let is_number = word.ends_with('.') && word.starts_with(|c: char| c.is_ascii_digit());
        let is_judgement = word.starts_with([
            '=', '$', '+', '\u{221e}', '\u{b1}', '\u{2213}', '\u{2a72}', '\u{2a71}', '\u{25a1}',
            '\u{2212}', '\u{2a00}', '\u{27f3}', '\u{2192}', '\u{2191}', '\u{21c6}', '\u{2295}',
        ]);
        match word {
            "(" | ")" => all.push(word.to_owned()),
            _ if is_number || is_judgement || word == "N" => {}
            _ => all.push(format!("move {}", plain(word.trim_end_matches(['!', '?'])))),
        }
    }
    // The result stands behind the moves.
    all.pop();
    all
}

/// A game as conversion is to write it: what follows a move that was not recorded is a comment at the end of its line. In
/// a variation `--` may mean a pass, as it does in the written game.
fn expected(game: &Game<'_>, written: &Game<'_>) -> Game<'static> {
    let marks = written.items().filter_map(|item| match item {
        Item::Move(text) => Some(text.into_owned()),
        _ => None,
    });
    let mut marks = marks.filter(|text| ["--", "Z0"].contains(&text.as_str()));
    let mut out = Game::new();
    let (mut unread, mut dead, mut outer) = (Unread::default(), false, Vec::new());
    for item in game.items() {
        let item = item.as_deref();
        match item {
            Item::Move(text) => {
                let is_mark = ["--", "Z0"].contains(&text) && !dead;
                if is_mark && marks.next().as_deref() == Some("Z0") {
                    out.push(Item::Move("Z0"));
                    continue;
                }
                dead |= text == "--";
                match dead.then(|| unread.add(text)) {
                    None => out.push(item),
                    Some(Some(item)) => out.push(item),
                    Some(None) => {}
                }
                continue;
            }
            Item::VariationStart | Item::VariationEnd => {
                if let Some(comment) = unread.take() {
                    out.push(Item::Comment(&comment));
                }
                if item == Item::VariationStart {
                    outer.push(std::mem::take(&mut dead));
                } else {
                    dead = outer.pop().unwrap();
                }
            }
            _ => {}
        }
        out.push(item);
    }
    out
}

fn items(game: &Game<'_>) -> Vec<String> {
    game.items().map(|item| format!("{item:?}")).collect()
}

#[test]
fn generated_games_are_the_same_from_the_index_from_conversion_on_the_page_and_on_the_site() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut originals = HashMap::new();
    let mut unrecorded = 0;
    for rules in SYSTEMS {
        let file = format!("{rules}.pgn");
        let ask = [
            "generate", "--rules", rules, "--games", "40", "--seed", "23", "--plies", "40",
        ];
        good(
            at,
            &[&ask[..], &["--annotated", "--output", &file]].concat(),
        );
        let text = fs::read_to_string(at.join(&file)).unwrap();
        unrecorded += text.matches("--").count() + text.matches(" Z0").count();
        let converted = games(&good(at, &["convert", &file, "--to", "own", "-q"]));
        let given = games(&text);
        assert_eq!(given.len(), 40);
        assert_eq!(converted.len(), 40);
        let page = good(
            at,
            &["convert", &file, "--to", "own", "--format", "html", "-q"],
        );
        let articles: Vec<&str> = page.split("<article ").skip(1).collect();
        assert_eq!(articles.len(), 40);
        for (number, game) in (1..).zip(&given) {
            let written = &converted[number - 1];
            assert_eq!(
                items(written),
                items(&expected(game, written)),
                "{file} {number}"
            );
            let article = articles[number - 1];
            assert_eq!(on_page(article), shown(written), "{file} {number}");
            originals.insert((file.clone(), number), written.clone());
        }
        good(at, &["index", &file, "--index", "db", "-q", "--verify"]);
    }
    assert!(unrecorded > 100, "{unrecorded}");
    let found = rows(&good(
        at,
        &["search", "--index", "db", "--format", "ndjson"],
    ));
    assert_eq!(found.len(), originals.len());
    let served = Served::new(at, &[]);
    let texts = games(&good(at, &["search", "--index", "db", "--format", "pgn"]));
    for (row, from_index) in found.iter().zip(&texts) {
        let place = (
            row["source"].as_str().unwrap().to_owned(),
            row["game"].as_u64().unwrap() as usize,
        );
        let original = &originals[&place];
        assert_eq!(items(from_index), items(original), "{place:?}");
        let id = row["id"].as_str().unwrap();
        let on_site = served.json(&format!("/api/v1/games/{id}"));
        // What has nothing but moves has no movetext.
        let moves: Vec<&str> = on_site["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|m| m.as_str().unwrap())
            .collect();
        let main: Vec<_> = original.main_line().map(|(text, _)| text).collect();
        let main = main.iter().map(|text| text.trim_end_matches(['!', '?']));
        let main: Vec<&str> = main.filter(|text| *text != "--").collect();
        assert_eq!(moves, main, "{place:?}");
        if original.is_annotated() {
            let text = format!("{}\n", on_site["movetext"].as_str().unwrap());
            assert_eq!(items(&games(&text)[0]), items(original), "{place:?}");
        }
    }
}
