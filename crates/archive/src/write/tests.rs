use proptest::prelude::*;

use super::*;
use crate::Item;
use crate::game::collect;
use crate::pgn::tests::random::nasty;
use crate::sheet::{SheetLayout, read_games};
use crate::testing::cases;
use crate::{Limits, ndjson as json};

fn read_pgn(text: &[u8]) -> Vec<Game<'static>> {
    collect(|v| crate::pgn::read_games(text, 0, &Limits::default(), v))
}

fn read_sheet(text: &[u8]) -> Vec<Game<'static>> {
    let layout = SheetLayout::detect(text, 0);
    collect(|v| read_games(text, 0, &layout, &Limits::default(), v))
}

fn read_json(text: &[u8]) -> Vec<Game<'static>> {
    collect(|v| json::read_games(text, 0, &Limits::default(), v))
}

fn to_pgn(games: &[Game<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    for game in games {
        pgn(game, &mut out).unwrap();
    }
    out
}

fn to_sheet(games: &[Game<'_>]) -> Vec<u8> {
    let (mut out, style) = (Vec::new(), TableStyle::default());
    sheet_heading(style, &mut out).unwrap();
    for (number, game) in (1..).zip(games) {
        sheet(number, game, style, &mut out).unwrap();
    }
    out
}

fn to_json(games: &[Game<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    for game in games {
        ndjson(game, &JsonHead::default(), &mut out).unwrap();
    }
    out
}

const FULL: &str = "{before} [White \"A \\\"B\\\" \\\\\"]\n[Clock \"0:10\"]\n[Event \"e\"]\n\n\
    1. b4N! $3 {[%clk 0:09]} b5B (1... c5B {why} (1... d5B) 2. Nc2W ;really\n) (1... a6N (=)) \
    2. c3W (=) etc. 1/2-1/2";

#[test]
fn the_export_layout() {
    let expected = "[Event \"e\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
        [White \"A \\\"B\\\" \\\\\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n[Clock \"0:10\"]\n\n\
        {before} 1. b4N! $3 {[%clk 0:09]} 1... b5B (1... c5B {why} (1... d5B) 2. Nc2W\n\
        ;really\n) (1... a6N (=)) 2. c3W (=) etc. 1/2-1/2\n\n";
    let text = to_pgn(&read_pgn(FULL.as_bytes()));
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}

#[test]
fn a_game_without_a_first_move_is_read_again_without_damage() {
    let mut game = Game::new();
    for item in [
        Item::Escape("line"),
        Item::Comment("not read: Nz9"),
        Item::Nag(3),
        Item::DrawOffer,
        Item::Word("etc."),
        Item::VariationStart,
        Item::Move("b4N"),
        Item::Comment("why"),
        Item::VariationStart,
        Item::Move("c3W"),
        Item::VariationEnd,
        Item::LineComment("a } brace"),
        Item::VariationEnd,
        Item::VariationEnd,
        Item::VariationStart,
        Item::Nag(1),
    ] {
        game.push(item);
    }
    let games = std::slice::from_ref(&game);
    let pgn = String::from_utf8(to_pgn(games)).unwrap();
    let expected =
        "\n%line\n{not read: Nz9} {$3} {(=)} {etc.} {(b4N (why) (c3W) (a ) brace))} {($1)} *\n\n";
    assert!(pgn.ends_with(expected), "{pgn}");
    for read in [
        read_pgn(pgn.as_bytes()),
        read_json(&to_json(games)),
        read_sheet(&to_sheet(games)),
    ] {
        let [read] = &read[..] else {
            panic!("one game is written as one: {read:?}");
        };
        assert_eq!(read.damage, [], "{read:?}");
        assert_eq!(read.main_line().count(), 0);
    }
}

#[test]
fn a_cell_that_looks_like_a_formula_is_read_again_as_it_was() {
    for value in ["=1+1", "@x", "-2+3", "+x", "'=x", "'x", "-5", "''-5"] {
        let mut game = Game::new();
        game.set_tag("White", value);
        game.push(Item::Move("b4N"));
        game.push(Item::Comment("=1"));
        let text = to_sheet(std::slice::from_ref(&game));
        let read = read_sheet(&text);
        let shown = String::from_utf8_lossy(&text);
        assert_eq!(read.len(), 1, "{shown}");
        assert_eq!(read[0].tag("White").as_deref(), Some(value), "{shown}");
        assert!(!shown.contains(",=") && !shown.contains(",@"), "{shown}");
    }
}

#[test]
fn numbers_go_on_from_the_start_position() {
    let text = "[FEN \"k b - - - 0 12\"]\n\nKb1 (Kb2 Kc3) Kd4 *";
    let text = to_pgn(&read_pgn(text.as_bytes()));
    let text = String::from_utf8(text).unwrap();
    assert!(
        text.ends_with("\n\n12... Kb1 (12... Kb2 13. Kc3) 13. Kd4 *\n\n"),
        "{text}"
    );
}

#[test]
fn lines_are_short_and_words_stay_whole() {
    let mut text = String::from("e4 {");
    for i in 0..200 {
        text.push_str(&format!("word{i} "));
    }
    text.push_str("} ");
    for i in 0..200 {
        text.push_str(&format!(
            "b{i}, WB-b5,NB{} ",
            ")".repeat(i % 3).replace(')', "!")
        ));
    }
    text.push_str(&format!("{{{}}} 1-0", "x".repeat(200)));
    let games = read_pgn(text.as_bytes());
    let written = String::from_utf8(to_pgn(&games)).unwrap();
    let long: Vec<&str> = written.lines().filter(|l| l.chars().count() > 79).collect();
    assert_eq!(long, [format!("{{{}}}", "x".repeat(200))]);
    let shortest = written.lines().skip(8).filter(|l| l.len() > 60).count();
    assert!(shortest > 50, "lines are filled");
    assert!(written.lines().all(|l| !l.ends_with(',')));
    assert_eq!(read_pgn(written.as_bytes()).len(), 1);
}

#[test]
fn no_line_is_broken_between_a_number_and_its_move() {
    // Moves of every length at every column, with marks and brackets after them, which lengthen the last word.
    for width in (1..40).step_by(3) {
        for shift in 0..80 {
            let mut game = Game::new();
            let comment = "x".repeat(shift);
            game.push(Item::Comment(&comment));
            for ply in 0..40 {
                let text = format!("{}4", "N".repeat(width + ply % 3));
                game.push(Item::Move(&text));
                if ply % 5 == 4 {
                    game.push(Item::VariationStart);
                    game.push(Item::Move(&text));
                    game.push(Item::VariationEnd);
                }
            }
            let mut movetext = Movetext::in_lines();
            movetext.game(&game);
            let written = String::from_utf8_lossy(movetext.finish(Some("1-0"))).into_owned();
            for line in written.lines() {
                assert!(!line.ends_with('.'), "{width} {shift}: {line}");
                assert!(line.len() <= 83, "{width} {shift}: {line}");
                assert!(line.starts_with('{') || line.len() <= 79, "{line}");
            }
            assert_eq!(written.lines().collect::<Vec<_>>().join(" "), {
                let mut movetext = Movetext::on_one_line();
                movetext.game(&game);
                String::from_utf8_lossy(movetext.finish(Some("1-0"))).into_owned()
            });
        }
    }
}

#[test]
fn a_sheet() {
    let sheet = String::from_utf8(to_sheet(&read_pgn(FULL.as_bytes()))).unwrap();
    let expected = "game,no,white,black,result,event,site,date,round,whiteplayer,blackplayer,variant,notation,locale,fen,tags\n\
        1,1,{before} b4N! $3 {[%clk 0:09]},\"b5B (1... c5B {why} (1... d5B) 2. Nc2W ;really\n) (1... a6N (=))\",1/2-1/2,e,,,,\"A \"\"B\"\" \\\",,,,,,\"[Clock \"\"0:10\"\"]\"\n\
        1,2,c3W (=) etc.,,,,,,,,,,,,,\n";
    assert_eq!(sheet, expected);
    let black_first = to_sheet(&read_pgn(b"[FEN \"k b - - - 0 12\"]\n\nKb1 Kb2 *"));
    let black_first = String::from_utf8(black_first).unwrap();
    assert!(black_first.contains("\n1,12,,Kb1,*,"), "{black_first}");
    assert!(black_first.contains("\n1,13,Kb2,,,"), "{black_first}");
    // The row of a move has its number, also where a variation after it is not closed.
    let mut game = Game::new();
    for text in ["b4N", "b5B", "c3W", "(", "c3N", "c6B", "d3W"] {
        game.push(match text {
            "(" => Item::VariationStart,
            text => Item::Move(text),
        });
    }
    let unclosed = String::from_utf8(to_sheet(&[game])).unwrap();
    assert!(
        unclosed.ends_with("\n1,2,c3W (2. c3N c6B 3. d3W),,,,,,,,,,,,,\n"),
        "{unclosed}"
    );
}

#[test]
fn a_line_of_ndjson() {
    let mut out = Vec::new();
    let head = JsonHead {
        source: "a.pgn",
        game: 2,
        rules: "meder",
        notation: "meder",
        start: "x w",
    };
    let games = read_pgn(b"[White \"A\"]\n\n1. b4N b5B 1-0 2. c3W {x} *");
    for game in &games {
        ndjson(game, &head, &mut out).unwrap();
    }
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "{\"source\":\"a.pgn\",\"game\":2,\"rules\":\"meder\",\"notation\":\"meder\",\"start\":\"x w\",\
         \"tags\":{\"White\":\"A\"},\"moves\":[\"b4N\",\"b5B\"],\"result\":\"1-0\"}\n\
         {\"source\":\"a.pgn\",\"game\":2,\"rules\":\"meder\",\"notation\":\"meder\",\"start\":\"x w\",\
         \"tags\":{},\"moves\":[\"c3W\"],\"result\":\"*\",\"movetext\":\"1. c3W {x}\"}\n"
    );
}

#[test]
fn texts_that_once_were_written_differently() {
    for text in [
        &b"\n\n[Site \"q\"]\n1-0(=)"[..],
        b"\xe2 *\n( *\n1-0",
        b"\xe2 *\n( *\n\xe2",
        b"10-1( 1-0\n\n1-0(Q)",
        b"\xe2(1-0[1-0;",
        b")[-\n+[Event \"x\"][Event \"x\"]",
        b"\\\"e.p.{[E",
        b"]\xf4\x90\x80\xa0[Event \"x\"]",
        b"b4,\nx; 2. c3W[Event \"x\"]",
        b"1. b4,; WB 2. c3W",
    ] {
        let items = |games: &[Game<'_>]| -> Vec<String> {
            let all = games.iter().flat_map(Game::items);
            all.map(|item| format!("{item:?}")).collect()
        };
        let games = read_pgn(text);
        assert_eq!(
            items(&read_pgn(&to_pgn(&games))),
            items(&games),
            "{}",
            text.escape_ascii()
        );
        assert_eq!(
            items(&read_json(&to_json(&games))),
            items(&games),
            "{}",
            text.escape_ascii()
        );
    }
}

/// A game as each container stores it: with a result.
fn stated<'g>(game: &Game<'g>) -> Game<'g> {
    let mut game = game.clone();
    game.result = game.result.or(Some(GameResult::Unknown));
    game
}

/// Whether a word is digits and a comma, and what follows.
fn begins_like_a_row(word: &str) -> bool {
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    after.len() < word.len() && after.trim_start_matches('.').starts_with(',')
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn what_is_written_as_pgn_reads_the_same(text in nasty()) {
        let games = read_pgn(&text);
        let written = to_pgn(&games);
        let again = read_pgn(&written);
        prop_assert_eq!(games.len(), again.len());
        for (game, again) in games.iter().zip(&again) {
            prop_assert_eq!(again.damage.as_slice(), &[]);
            let game = stated(game);
            let [all, all_again] = [&game, again].map(|game| game.items().collect::<Vec<_>>());
            prop_assert_eq!(all, all_again);
            prop_assert_eq!(game.result, again.result);
            let tags = tags_of(again);
            for tag in written_tags(&game) {
                prop_assert!(tags.contains(&tag), "{:?}", tag);
            }
        }
        // Writing it again gives the same text.
        prop_assert_eq!(&to_pgn(&again), &written);
    }

    #[test]
    fn a_way_through_ndjson_loses_nothing(text in nasty()) {
        let games = read_pgn(&text);
        let again = read_json(&to_json(&games));
        prop_assert_eq!(games.len(), again.len());
        for (game, again) in games.iter().zip(&again) {
            let game = stated(game);
            prop_assert_eq!(written_tags(&game), tags_of(again));
            prop_assert_eq!(game.result, again.result);
            prop_assert_eq!(escapes_as_comments(&game), escapes_as_comments(again));
        }
    }

    #[test]
    fn records_are_one_game_in_every_container_with_all_their_tags(games in prop::collection::vec(record(), 1..4)) {
        for (write, read) in [
            (to_pgn as fn(&[Game<'_>]) -> Vec<u8>, read_pgn as fn(&[u8]) -> Vec<Game<'static>>),
            (to_json, read_json),
            (to_sheet, read_sheet),
        ] {
            let text = write(&games);
            let again = read(&text);
            let shown = String::from_utf8_lossy(&text);
            prop_assert_eq!(again.len(), games.len(), "{}", shown);
            for (game, again) in games.iter().zip(&again) {
                prop_assert_eq!(stated(again).result, stated(game).result, "{}", shown);
                let tags = tags_of(again);
                for (name, value) in written_tags(game) {
                    let names = [tags::written_name(&name), name];
                    let found = tags.iter().find(|(name, other)| names.contains(name) && *other == value);
                    prop_assert!(found.is_some(), "{:?} {:?} {:?} {}", names, value, tags, shown);
                }
            }
            // Through all of them and back.
            prop_assert_eq!(read(&write(&again)).len(), games.len(), "{}", shown);
        }
    }

    #[test]
    fn a_way_through_a_sheet_loses_nothing(text in nasty()) {
        // A cell with only a dash has no move.
        let games: Vec<Game<'_>> = read_pgn(&text)
            .into_iter()
            .filter(|game| game.main_line().all(|(text, _)| !["-", "–"].contains(&&*text)))
            // After a line end within a cell `12,` would be the start of a row.
            .filter(|game| game.main_line().all(|(text, _)| !begins_like_a_row(&text)))
            .collect();
        let again = read_sheet(&to_sheet(&games));
        prop_assert_eq!(games.len(), again.len());
        for (game, again) in games.iter().zip(&again) {
            prop_assert_eq!(game.result, again.result);
            prop_assert_eq!(escapes_as_comments(game), escapes_as_comments(again));
            let tags = tags_of(again);
            for (name, value) in written_tags(game) {
                let tag = (name, value);
                prop_assert!(tags.contains(&tag) || tag.1.is_empty(), "{:?}", tag);
            }
        }
    }
}

/// A record as a file or a program may have it: tags of any name and value, some of them twice.
fn record() -> impl Strategy<Value = Game<'static>> {
    let names = prop_oneof![
        4 => prop::sample::select(vec![
            "Event", "White", "Black", "Result", "Date", "Site", "Round", "Locale", "Variant", "Notation", "Event_2",
            "Event_3", "event", "X", "Annotator", "SetUp", "FEN", "game", "tags", "no", "comment", "move",
        ])
        .prop_map(str::to_owned),
        1 => "[ -~é]{0,12}",
        1 => Just("long".repeat(30)),
    ];
    let values = prop_oneof![
        3 => "[A-Za-zé, .\"\\\\'=+@?*-]{0,12}",
        1 => any::<String>(),
        1 => prop::sample::select(vec!["", "?", "1-0", "0-1", "*", "half", "=1+1", "]", "[Event \"x\"]", "\n\n", "1", "de"])
            .prop_map(str::to_owned),
    ];
    (prop::collection::vec((names, values), 0..9), nasty()).prop_map(|(tags, text)| {
        let mut game = Game::new();
        for (name, value) in &tags {
            game.push_tag(name, value);
        }
        if let Some(read) = read_pgn(&text).first() {
            read.items().for_each(|item| game.push(item.as_deref()));
            game.result = read.result;
        }
        game
    })
}

/// The tags, values on one line without blanks at their ends.
fn tags_of(game: &Game<'_>) -> Vec<(String, String)> {
    let tags = game.tags();
    tags.map(|(name, value)| (name.into_owned(), value.trim().to_owned()))
        .collect()
}

/// The tags with the names under which they are written.
fn written_tags(game: &Game<'_>) -> Vec<(String, String)> {
    let mut tags = tags_of(game);
    for (place, name) in second_names(game.written_tags().map(|tag| tag.name)) {
        tags[place].0 = name;
    }
    tags
}

/// The items; a container without lines may store an escape line as a comment.
fn escapes_as_comments(game: &Game<'_>) -> Vec<String> {
    game.items()
        .map(|item| match item {
            Item::Escape(text) => format!("comment %{text}"),
            Item::Comment(text) | Item::LineComment(text) => format!("comment {text}"),
            Item::Move(text) => format!("move {text}"),
            other => format!("{other:?}"),
        })
        .collect()
}
