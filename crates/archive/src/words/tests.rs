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

/// Comments on a game that states no result.
#[test]
fn what_did_not_happen_is_no_ending() {
    for text in [
        "White never resigned!",
        "White should have resigned here.",
        "Here Black could have resigned.",
        "Black resigned before White could reply",
        "if Black resigns",
        "Weiß gibt nicht auf",
        "Weiß hätte aufgegeben",
        "Les noirs n'ont pas abandonné, ne abandonnent pas",
        "Las blancas nunca abandonan",
        "draw offered",
        "remis abgelehnt",
        "Remis?",
        "White wins a pawn",
    ] {
        assert_eq!(super::ending(text.as_bytes()), None, "{text}");
    }
}

/// The result that a comment states, and whether a player resigned.
#[test]
fn sentences_state_who_won() {
    use crate::visit::GameResult::{Black, Draw, White};
    for (text, result, is_resignation) in [
        ("White resigned after a long think", Black, true),
        ("Black resigned a few moves later", White, true),
        ("White resigned, Black was winning", Black, true),
        ("Abandonan las negras", White, true),
        ("Schwarz gibt nach langem Kampf auf", White, true),
        ("Black lost on time", White, false),
        ("White's flag fell", Black, false),
        ("Las negras pierden por tiempo", White, false),
        ("Schwarz überschritt die Zeit", White, false),
        ("Gagné par les Blancs", White, false),
        ("Nulle par accord mutuel.", Draw, false),
        ("Remis durch Vereinbarung", Draw, false),
        ("Tablas de mutuo acuerdo.", Draw, false),
        ("draw agreed after a long fight", Draw, false),
    ] {
        let found = super::ending(text.as_bytes());
        let found = found.map(|found| (found.result, found.is_resignation));
        assert_eq!(found, Some((Some(result), is_resignation)), "{text}");
    }
}

/// Remarks without any sign, next to moves. Both moves of the number are there, or the remark is between them.
#[test]
fn remarks_next_to_moves_are_comments() {
    let remarks = "good|bad|weak|forcé|blunder!!|schlecht|dudoso|no|takes|Zeitnot|a blunder|a good idea|I did not see this|\
        better b5N|not a7B|better was a7B|- a bad move|Remisangebot|// bad|=> weak|\u{b9}|:(|\u{2013} a remark|(bad)|\
        (first wrote a7B)|* see note|*) see note|bad, but played at once";
    for remark in remarks.split('|') {
        for text in [
            format!("1. b4N b5B   {remark}\n2. c3W a6N\n"),
            format!("1. b4N b5B {remark} \n2. c3W a6N *\n"),
            format!("1... b5B {remark}\n2. c3W a6N\n"),
        ] {
            let read = plain_script(|v| pgn::read_games(text.as_bytes(), 0, &Limits::default(), v));
            let moves = read.matches('<').count();
            assert_eq!(
                moves,
                text.matches("b5B").count().min(1) + text.matches("b4N").count() + 2,
                "{text}: {read}"
            );
            assert!(
                !read.contains('!') || remark.contains('!'),
                "{text}: {read}"
            );
            assert!(read.contains("<c3W> | <a6N>"), "{text}: {read}");
        }
    }
    for (text, moves) in [
        ("1. b4N good b5B 2. c3W a6N\n", 4),
        // Something is in the place of Black's move.
        ("1. b4N good\n2. c3W a6N\n", 4),
        // The moves may be written without numbers.
        ("1. b4N b5B good c3W a6N c2W\n", 6),
    ] {
        let read = plain_script(|v| pgn::read_games(text.as_bytes(), 0, &Limits::default(), v));
        assert_eq!(read.matches('<').count(), moves, "{text}: {read}");
    }
}

#[test]
fn castling_in_words_is_a_move_in_seven_languages() {
    let words = |meaning: &'static str| {
        let all = tridex_words::words(Context::Castling).iter();
        all.filter(move |word| word.meaning == meaning)
    };
    let mut phrases = Vec::new();
    for castling in words("castling") {
        for (length, sign) in [("short", "0-0"), ("long", "0-0-0")] {
            let same = words(length).filter(|word| word.language == castling.language);
            for length in same {
                phrases.push((format!("{} {}", castling.spelling, length.spelling), sign));
                phrases.push((format!("{} {}.", length.spelling, castling.spelling), sign));
            }
        }
    }
    assert!(phrases.len() > 60);
    for (phrase, sign) in phrases {
        for text in [
            format!("1. b4N b5B 2. {phrase} a6N 3. c2W\n"),
            format!("1. b4N b5B\n2. c3W\n   {phrase}\n3. c2W\n"),
            format!("1. b4N b5B 2. c3W {phrase}\n"),
        ] {
            let read = plain_script(|v| pgn::read_games(text.as_bytes(), 0, &Limits::default(), v));
            assert!(read.contains(&format!("<{sign}>")), "{text}: {read}");
            assert!(!read.contains('{'), "{text}: {read}");
        }
        let text = format!("1. b4N b5B {phrase} was better\n2. c3W a6N\n");
        let read = plain_script(|v| pgn::read_games(text.as_bytes(), 0, &Limits::default(), v));
        assert_eq!(read.matches('<').count(), 4, "{text}: {read}");
    }
}
