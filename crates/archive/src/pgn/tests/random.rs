//! Random texts give the same events for every way of reading them.

use crate::interner::Interner;
use proptest::prelude::*;

use crate::pgn::*;
use crate::testing::{Script, cases, event, script};

/// Fragments for damaged texts. Games mostly of moves, with a little of everything between them.
fn movetext() -> impl Strategy<Value = Vec<u8>> {
    let moves = prop::sample::select(vec![
        "b4N",
        "Nc2W",
        "e5N+",
        "Bxa0QL1!?",
        "b4,WB-c5,NB",
        "1b3",
        "ex2d5",
        "1B2x1C3",
        "0-0",
        "QL1-QL3",
        "e4,",
        "b4.",
        "12b3",
    ]);
    let rest = prop::sample::select(vec![
        "e.p.",
        "ep",
        "etc.",
        "1.",
        "1...",
        "2.",
        "13...",
        "12)",
        "7",
        "07.",
        "{c}",
        "{[%clk\n1:0:00]}",
        "{a\n[b \"c\"]\n",
        "}",
        "(",
        ")",
        "(Q)",
        "$3",
        "!",
        "+-",
        "-",
        "x",
        "1-0",
        "1/2",
        "*",
        "\n\n",
        "\r\n",
        "\t",
        "[Event \"a\"]\n",
        ";c\n",
        "\u{a0}",
        "é",
        "…",
        "\0",
    ]);
    let numbers = (2..40_u8).prop_map(|n| format!("{n}."));
    let words = prop_oneof![
        4 => moves.prop_map(str::to_owned),
        2 => numbers,
        2 => rest.prop_map(str::to_owned),
    ];
    let gaps = prop::sample::select(vec![" ", " ", " ", "\n", "", "  "]);
    prop::collection::vec((words, gaps), 0..24).prop_map(|parts| {
        let all = parts
            .into_iter()
            .flat_map(|(word, gap)| [word, gap.to_owned()]);
        all.collect::<String>().into_bytes()
    })
}

pub(crate) fn nasty() -> impl Strategy<Value = Vec<u8>> {
    let pieces: &[&[u8]] = &[
        b"[Event \"x\"]",
        b"[Event \"",
        b"[Site \"s\"]\n",
        b"[E",
        b"[",
        b"]",
        b"\"",
        b"\\\"",
        b"\"]",
        b"Event \"y\"]",
        b"{",
        b"}",
        b"{c}",
        b"{[%clk 1:0]}",
        b";",
        b"%",
        b"(",
        b")",
        b"(=)",
        b"( = )",
        b"\n",
        b"\n",
        b"\n\n",
        b"\r\n",
        b"\r",
        b" ",
        b" ",
        b"\t",
        b"\0",
        b".",
        b"...",
        b"1.",
        b"1. ",
        b"12.",
        b"1",
        b"1)",
        b"2...",
        b"1-0",
        b"1 - 0",
        b"+:-",
        b"0,5-0,5 ",
        b" 00 ",
        b"0:05",
        b" resigns",
        b"remis\n",
        b" dis ch",
        b"(sealed)",
        b"Game 2\n",
        b"\n\nGame 3\n1. ",
        b"White: Anna  Black: Bert\n",
        b"12 July 2012\n",
        b"Anna - Bert 1:0\n",
        b"We stopped here.\n",
        b"; 2. c3W",
        b"; 1... b5B\n",
        b"a6N;\n",
        b" forgot to write ",
        b"\n14 mins left each\n",
        b"\n3rd board waits\n",
        b"# White Black W clk\n",
        b"\n=====\n",
        b"Anna (1850) - Bert (1900) 1-0\n",
        b"\nWhite Anna\n",
        b"Black Bert\n",
        b" (Meder rules)",
        b"l. ",
        b" QL6 z9QL6Q",
        b" - ",
        b" 1-0\n\n",
        b"0-1",
        b"1/2-1/2",
        b"*",
        b" *\n",
        b"\xbd-\xbd",
        b"\xc2\xbd",
        b"\xa0",
        b"\xc2\xa0",
        b"\xef\xbb\xbf",
        b"\xe2\x80\xa6",
        b"\xe2",
        b"\xe2\x80",
        b"e4",
        b"Nc2W",
        b"b4,",
        b"b4, WB",
        b"WB-b5,",
        b"e.p.",
        b"ep",
        b"e",
        b"etc.",
        b"0-0",
        b"QL1-KL3",
        b"1e4",
        b"(Q)",
        b"$1",
        b"$",
        b"!?",
        b"+",
        b"#",
        b"=",
        b"-",
        b"x",
        b"\xe2\x99\x98c2",
        b"\x1b",
        b"\n[Event \"z\"]\n\n1. e4 ",
        b"\n\n[Site \"q\"]\n",
        b" 1-0\n\n{n} ",
        b"\n\n1. d4",
    ];
    prop::collection::vec(
        prop_oneof![
            20 => prop::sample::select(pieces).prop_map(<[u8]>::to_vec),
            1 => prop::collection::vec(any::<u8>(), 0..6),
        ],
        0..60,
    )
    .prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn any_text_gives_well_formed_events_in_order(text in nasty()) {
        let limits = Limits::new(200, 60, 3);
        let lines = script(|v| read_games(&text, 0, &limits, v));
        let (mut in_game, mut depth, mut results) = (false, 0, 0);
        for line in &lines {
            let (at, what) = line.split_once(' ').unwrap();
            prop_assert!(at.parse::<usize>().unwrap() <= text.len());
            match what {
                "game" => {
                    prop_assert!(!in_game);
                    (in_game, depth, results) = (true, 0, 0);
                }
                "end" => {
                    prop_assert!(in_game && depth == 0 && results <= 1);
                    in_game = false;
                }
                "(" => depth += 1,
                ")" => depth -= 1,
                _ if what.starts_with("= ") => results += 1,
                _ if what.starts_with("tag ") => prop_assert!(in_game),
                _ if what.starts_with('<') || what.starts_with("no ") || what.starts_with('$') => {
                    prop_assert!(in_game && results == 0 || depth > 0 || what.starts_with('$'));
                }
                _ => {}
            }
            prop_assert!((0..=3).contains(&depth));
        }
        prop_assert!(!in_game);
    }

    #[test]
    fn runs_of_moves_say_what_is_said_piece_by_piece(
        text in prop_oneof![movetext(), nasty()],
    ) {
        for limits in [Limits::new(60, 12, 3), Limits::default()] {
            let (mut at_once, mut piece_by_piece) = (Script::default(), Script::default());
            read_part(&text, 0, &limits, None, &mut Interner::default(), &mut at_once);
            let mut words = Interner::default();
            let mut engine = Engine::new(&text, 0, &limits, &mut words, &mut piece_by_piece);
            engine.piecewise = true;
            while let Stop::Boundary = engine.run() {
                engine.begin(engine.pos);
            }
            prop_assert_eq!(at_once.lines, piece_by_piece.lines);
        }
    }

    #[test]
    fn a_fragment_of_one_move_says_what_the_engine_says(
        text in "[1-3e]{0,2}[NRetp.a-d0-9,/:x+#=Wév -]{0,6}".prop_map(String::into_bytes),
        has_moves: bool,
    ) {
        let read = |text: &[u8]| {
            let (mut after, mut found, mut words) = (has_moves, None, Interner::default());
            let limits = Limits::default();
            let lines = script(|v| found = read_fragment(text, 7, &limits, &mut after, &mut words, v));
            (lines, found, after)
        };
        if let Known::Move(_) = run::known(&mut Interner::default(), &text) {
            // With a blank it is not a known word.
            prop_assert_eq!(read(&text), read(&[&text[..], b" "].concat()));
        }
    }

    #[test]
    fn fragments_of_any_bytes_are_safe(text in nasty()) {
        let lines = script(|v| {
            let (limits, mut words) = (Limits::default(), Interner::default());
            read_fragment(&text, 0, &limits, &mut false, &mut words, v);
        });
        let count = |what: &str| lines.iter().filter(|line| event(line) == what).count();
        prop_assert_eq!(count("("), count(")"));
        prop_assert!(lines.iter().all(|line| !event(line).eq("game") && !event(line).starts_with("tag ")));
    }
}
