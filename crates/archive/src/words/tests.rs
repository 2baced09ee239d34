use tridex_words::Context;

use crate::testing::plain_script;
use crate::visit::Limits;
use crate::{pgn, sheet};

/// Every statement of a game's end, and the result.
fn endings() -> Vec<(String, &'static str)> {
    let words = |meaning| {
        let all = tridex_words::words(Context::Ending).iter();
        let all = all.filter(move |word| word.meaning == meaning);
        all.map(|word| word.spelling)
    };
    let mut all = Vec::new();
    for resigns in words("resigns").chain(["gibt auf"]) {
        all.push((resigns.to_owned(), "0-1"));
        let white = words("White").map(|side| (side, "0-1"));
        let black = words("Black").map(|side| (side, "1-0"));
        all.extend(
            white
                .chain(black)
                .map(|(side, result)| (format!("{side} {resigns}"), result)),
        );
    }
    for drawn in words("draw").filter(|drawn| *drawn != "1/2") {
        all.push((drawn.to_owned(), "1/2-1/2"));
        all.extend(words("agreed").map(|agreed| (format!("{drawn} {agreed}"), "1/2-1/2")));
    }
    for (phrase, result) in [
        ("Schwarz gibt auf", "1-0"),
        ("Las negras abandonan", "1-0"),
        ("Il nero abbandona", "1-0"),
        ("Les noirs abandonnent", "1-0"),
        ("Remis vereinbart", "1/2-1/2"),
        ("Draw by agreement.", "1/2-1/2"),
    ] {
        all.push((phrase.to_owned(), result));
    }
    all
}

/// White is to move, so White is the player who resigns.
#[test]
fn every_ending_is_read_in_a_line_on_a_line_of_its_own_and_in_a_cell() {
    let moves = "game | no 1. | <b4N> | <b5B> | no 2. | <c3W> | <a6N>";
    let columns = "no,white,black\n1,b4N,b5B\n2,c3W,a6N\n";
    for (phrase, result) in endings() {
        for text in [
            format!("1. b4N b5B 2. c3W a6N 3. {phrase}\n"),
            format!("1. b4N b5B 2. c3W a6N\n{phrase}\n"),
        ] {
            let read = plain_script(|v| pgn::read_games(text.as_bytes(), 0, &Limits::default(), v));
            // Without a number it is unknown who resigned.
            let is_bare = !text.contains("3.") && !phrase.contains(' ') && result == "0-1"
                || phrase == "gibt auf" && !text.contains("3.");
            assert!(read.starts_with(moves), "{text}: {read}");
            assert!(!read.contains('!'), "{text}: {read}");
            assert_eq!(read.matches('<').count(), 4, "{text}: {read}");
            assert!(
                is_bare || read.ends_with(&format!(" | = {result} | end")),
                "{text}: {read}"
            );
        }
        let text = format!("{columns}3,{phrase},\n");
        let layout = sheet::SheetLayout::detect(text.as_bytes(), 0);
        let read = plain_script(|v| {
            sheet::read_games(text.as_bytes(), 0, &layout, &Limits::default(), v);
        });
        assert_eq!(read.matches('<').count(), 4, "{text}: {read}");
        assert!(!read.contains('!'), "{text}: {read}");
    }
}
