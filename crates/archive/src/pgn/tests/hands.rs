//! Forms that people write: every line is a text and its events.

use super::{check, read};

#[test]
fn numbers_and_castling() {
    check(&[
        (
            "1 b4N b5B 2: c3W a6N 3/ d4N 4) d5N 5.) e4N 6.)e5N",
            "game | no 1 | <b4N> | <b5B> | no 2: | <c3W> | <a6N> | no 3/ | <d4N> | no 4) | <d5N> | no 5.) | <e4N> | \
             no 6.) | <e5N> | end",
        ),
        (
            "1. b4N c5B 2. 00 000 3. O-O o-o-o 4. 0 - 0 O - O",
            "game | no 1. | <b4N> | <c5B> | no 2. | <00> | <000> | no 3. | <O-O> | <o-o-o> | no 4. | <0 - 0> | \
             <O - O> | end",
        ),
        (
            "1. 0\u{2013}0 0\u{2013}0\u{2013}0",
            "game | no 1. | <0\u{2013}0> | <0\u{2013}0\u{2013}0> | end",
        ),
    ]);
    assert_eq!(
        read(b"1. 0\x960 a6N"),
        "game | no 1. | <0\u{2013}0> | <a6N> | end"
    );
}

#[test]
fn moves_over_blanks_and_what_stands_behind_them() {
    check(&[
        (
            "1) e3, WB - e5, NB  c8, BB x c7, BB",
            "game | no 1) | <e3, WB - e5, NB> | <c8, BB x c7, BB> | end",
        ),
        (
            "1. b2W \u{2013} b4N QP1 - QP3 2. 1B2 \u{2212} 1B4",
            "game | no 1. | <b2W \u{2013} b4N> | <QP1 - QP3> | no 2. | <1B2 \u{2212} 1B4> | end",
        ),
        (
            "1. b4N, b5B. 2. c3W; a6N",
            "game | no 1. | <b4N> | <b5B> | no 2. | <c3W> | <a6N> | end",
        ),
        (
            "1. d8B (Q) d1W(D) 2. b4(N) a3(QL1)",
            "game | no 1. | <d8B (Q)> | <d1W(D)> | no 2. | <b4(N)> | <a3(QL1)> | end",
        ),
        (
            "1. d8B (Q)+ d1W (Q)Anna",
            "game | no 1. | <d8B (Q)+> | <d1W> | ( | <Q> | ) | <Anna> | end",
        ),
        (
            "9. QL6 z9QL6Q KL1 e0KL1N 10. QL6 z8B 11. QL5 a8BQ+ QL2 a8BQ",
            "game | no 9. | <QL6> | <z9QL6Q> | <KL1> | <e0KL1N> | no 10. | <QL6> | <z8B> | no 11. | <QL5> | <a8BQ+> | <QL2> | \
             <a8BQ> | end",
        ),
        (
            "1. b4N ch b5B mate 2. c3W dis ch a6N dbl. ch 3. d4N + d5N dis. 4. e4N",
            "game | no 1. | <b4N> | word + | <b5B> | word # | no 2. | <c3W> | word + | <a6N> | word + | no 3. | <d4N> | \
             word + | <d5N> | {dis.} | no 4. | <e4N> | end",
        ),
        (
            "1. b4N = b5B =? 2. c3W draw? a6N remis?",
            "game | no 1. | <b4N> | draw? | <b5B> | draw? | no 2. | <c3W> | draw? | <a6N> | draw? | end",
        ),
        (
            "1. b4N b5B 2. -- --",
            "game | no 1. | <b4N> | <b5B> | no 2. | <--> | <--> | end",
        ),
    ]);
}

#[test]
fn times_and_remarks_in_brackets() {
    check(&[
        (
            "1. b4N 0:05 b5B (0:07) 2. c3W [1:30:00] a6N 12:04",
            "game | no 1. | <b4N> | {[%clk 0:05]} | <b5B> | {[%clk 0:07]} | no 2. | <c3W> | {[%clk 1:30:00]} | <a6N> | \
             {[%clk 12:04]} | end",
        ),
        (
            "1. b4N (sealed) b5B(s) 2. c3W (10 minutes left) (the 40th move) a6N (forfeit)",
            "game | no 1. | <b4N> | {sealed} | <b5B> | {s} | no 2. | <c3W> | {10 minutes left} | {the 40th move} | \
             <a6N> | {forfeit} | end",
        ),
        // These contain moves.
        (
            "1. b4N (1. c4N b5B) b5B (O-O) (c5B or so) ()",
            "game | no 1. | <b4N> | ( | no 1. | <c4N> | <b5B> | ) | <b5B> | ( | <O-O> | ) | ( | <c5B> | <or> | <so> | ) | \
             ( | ) | end",
        ),
    ]);
}

#[test]
fn ends_of_games() {
    for (end, result) in [
        ("1 - 0", "1-0"),
        ("0 - 1", "0-1"),
        ("0 : 1", "0-1"),
        ("1:0", "1-0"),
        ("½-½", "1/2-1/2"),
        ("½ - ½", "1/2-1/2"),
        ("½ : ½", "1/2-1/2"),
        ("½", "1/2-1/2"),
        ("1/2 - 1/2", "1/2-1/2"),
        ("1/2", "1/2-1/2"),
        ("0,5-0,5", "1/2-1/2"),
        ("0.5:0.5", "1/2-1/2"),
        ("1/2-0", "1/2-0"),
        ("0-1/2", "0-1/2"),
        ("0:0", "0:0"),
    ] {
        let text = format!("1. b4N b5B {end}\n1. c3W a6N");
        let expected = format!(
            "game | no 1. | <b4N> | <b5B> | = {result} | end | game | no 1. | <c3W> | <a6N> | end"
        );
        assert_eq!(read(text.as_bytes()), expected, "{end}");
    }
    check(&[
        (
            "1. b4N b5B +:-",
            "game | no 1. | <b4N> | <b5B> | {+:-} | = 1-0 | end",
        ),
        (
            "1. b4N b5B -:+",
            "game | no 1. | <b4N> | <b5B> | {-:+} | = 0-1 | end",
        ),
        (
            "1. b4N b5B remis",
            "game | no 1. | <b4N> | <b5B> | {remis} | = 1/2-1/2 | end",
        ),
        (
            "1. b4N b5B\nDraw agreed.",
            "game | no 1. | <b4N> | <b5B> | {Draw agreed.} | = 1/2-1/2 | end",
        ),
        (
            "1. b4N b5B White resigns",
            "game | no 1. | <b4N> | <b5B> | {White resigns} | = 0-1 | end",
        ),
        (
            "1. b4N b5B 2. resigns",
            "game | no 1. | <b4N> | <b5B> | no 2. | {resigns} | = 0-1 | end",
        ),
        (
            "1. b4N resigns",
            "game | no 1. | <b4N> | {resigns} | = 1-0 | end",
        ),
        // Castling, and results.
        (
            "[Result \"0-0\"]\n\n1. b4N b5B 2. 0-0 0-0\n\n[Result \"1-0\"]\n\n1. b4N 0-0",
            "game | tag Result=0-0 | no 1. | <b4N> | <b5B> | no 2. | <0-0> | = 0:0 | end | game | tag Result=1-0 | \
             no 1. | <b4N> | <0-0> | !no-result 0 | end",
        ),
        (
            "1. b4N b5B. 0-0",
            "game | no 1. | <b4N> | <b5B> | <0-0> | end",
        ),
        (
            "1. b4N b5B 2. 0-0",
            "game | no 1. | <b4N> | <b5B> | no 2. | <0-0> | end",
        ),
        // A stated result is used.
        (
            "1. b4N resigns 0-1",
            "game | no 1. | <b4N> | {resigns} | = 0-1 | end",
        ),
        (
            "1. b4N b5B\nBlack lost on time at move 2; 1-0\n",
            "game | no 1. | <b4N> | <b5B> | {Black lost on time at move 2;} | = 1-0 | end",
        ),
        (
            "1. b4N b5B 1-0\nBlack overstepped the time.\n",
            "game | no 1. | <b4N> | <b5B> | {Black overstepped the time.} | = 1-0 | end",
        ),
        (
            "1. b4N b5B\nWe did not finish; the board had to go back.\n",
            "game | no 1. | <b4N> | <b5B> | {We did not finish; the board had to go back.} | end",
        ),
        // A move without its rank is an error and not a comment.
        ("1. b4N Nc 1-0", "game | no 1. | <b4N> | <Nc> | = 1-0 | end"),
        ("1. b4N QLl", "game | no 1. | <b4N> | <QLl> | end"),
        (
            "1. b4N castles 2. c3W",
            "game | no 1. | <b4N> | <castles> | no 2. | <c3W> | end",
        ),
    ]);
}

#[test]
fn headings_are_no_games() {
    check(&[
        (
            "Game 1\nWhite: Anna Black: Bert\n\n1. a3N a6N 1-0\n\nGame 2\nWhite: Carla\nBlack: Dora\n\n1. b4N b5B 0-1\n",
            "game | {Game 1} | tag White=Anna | tag Black=Bert | no 1. | <a3N> | <a6N> | = 1-0 | end | \
             game | {Game 2} | tag White=Carla | tag Black=Dora | no 1. | <b4N> | <b5B> | = 0-1 | end",
        ),
        (
            "Game 4: Maeve O'Tarrell - Wren Kestrel 1:0 (Millennium)\n\n1 B3d3 N2g6 2 3h4 N2f8",
            "game | tag White=Maeve O'Tarrell | tag Black=Wren Kestrel | tag Result=1-0 | tag ResultAsWritten=1:0 | {Game 4:} | {Millennium} | \
             no 1 | <B3d3> | <N2g6> | no 2 | <3h4> | <N2f8> | end",
        ),
        (
            "Club evening, board 1\n12 July 2012\n1. b4N",
            "game | {Club evening, board 1} | tag Date=2012.07.12 | no 1. | <b4N> | end",
        ),
        (
            "2.1.2004    Einsatz: 5 €\n\n1. b4N",
            "game | tag Date=2004.01.02 | {Einsatz: 5 €} | no 1. | <b4N> | end",
        ),
        (
            "Game 12. Wren Kestrel - Begona Ruiz y Pena\n(federation rules)\n\n1. a3W b5B",
            "game | tag White=Wren Kestrel | tag Black=Begona Ruiz y Pena | {Game 12.} | {federation rules} | no 1. | \
             <a3W> | <b5B> | end",
        ),
        // A block of tags below.
        (
            "Game 1\nAnna - Bert\n[Variant \"meder\"]\n1. b4N *\n\nGame 2\nLi - Bert, 2019-03-14\n\n[Black \"Wu\"]\n\n1. c3W *",
            "game | {Game 1} | tag White=Anna | tag Black=Bert | tag Variant=meder | no 1. | <b4N> | = * | end | \
             game | {Game 2} | {Li - Bert, 2019-03-14} | tag Black=Wu | no 1. | <c3W> | = * | end",
        ),
        // Tags take precedence; a game without a result ends before the next heading.
        (
            "[White \"Anna\"]\n\nWhite: Bert\n1. b4N b5B\n\nGame 2\n1. c3W",
            "game | tag White=Anna | {White: Bert} | no 1. | <b4N> | <b5B> | end | game | {Game 2} | no 1. | <c3W> | end",
        ),
        // No game follows.
        (
            "Shopping: bread, milk\nWhite: wine\n",
            "!stray-word 21 | !stray-word 11",
        ),
        (
            "1. b4N b5B 1-0\n\nThanks to all who came.\n",
            "game | no 1. | <b4N> | <b5B> | {Thanks to all who came.} | = 1-0 | end",
        ),
    ]);
    assert_eq!(
        read("Partie 2\nWei\u{df}: J\u{f6}rg \u{84}Jojo\u{93} Gr\u{fc}nwaldt \u{96} Schwarz: \u{c4}nne\n1. d4N".chars().map(|c| c as u8).collect::<Vec<_>>().as_slice()),
        "game | {Partie 2} | tag White=Jörg „Jojo“ Grünwaldt | tag Black=Änne | no 1. | <d4N> | end"
    );
}

#[test]
fn players_are_named_after_the_moves() {
    let moves = "game | no 1. | <b4N> | <b5B>";
    let both = "tag White=Ann | tag Black=Bob";
    for (text, events) in [
        ("Ann - Bob", format!("{both} | end")),
        ("White: Ann\nBlack: Bob", format!("{both} | end")),
        (
            "\nWhite Ann, Black Bob, 1-0",
            format!("{both} | = 1-0 | end"),
        ),
        ("1-0\n\nAnn - Bob\n", format!("{both} | = 1-0 | end")),
        (
            "1-0\nWhite: Ann\nBlack: Bob\nDate: 14.3.2019\n",
            format!("{both} | tag Date=2019.03.14 | = 1-0 | end"),
        ),
        (
            "\nWhite: Ann  Black: Bob\nResult: 1-0",
            format!("{both} | = 1-0 | end"),
        ),
        (
            "Ann - Bob 1-0\n\n1. c3W",
            format!("{both} | = 1-0 | end | game | no 1. | <c3W> | end"),
        ),
        (
            "1-0\nAnn - Bob\n\nGame 2\n1. c3W",
            format!("{both} | = 1-0 | end | game | {{Game 2}} | no 1. | <c3W> | end"),
        ),
        // They belong to the next game.
        (
            "1-0\n\nAnn - Bob\n\n1. c3W",
            format!("= 1-0 | end | game | {both} | no 1. | <c3W> | end"),
        ),
        (
            "1-0\nAnn - Bob\n1. c3W",
            format!("= 1-0 | end | game | {both} | no 1. | <c3W> | end"),
        ),
        // A remark about a player.
        (
            "White: a good move\n2. c3W",
            "{White: a good move} | no 2. | <c3W> | end".to_owned(),
        ),
        ("White: better\n", "{White: better} | end".to_owned()),
        (
            "White: resigns\n",
            "{White: resigns} | = 0-1 | end".to_owned(),
        ),
    ] {
        let text = format!("1. b4N b5B\n{text}");
        assert_eq!(
            read(text.as_bytes()),
            format!("{moves} | {events}"),
            "{text}"
        );
    }
    let text = b"Ann - Bob\n1. b4N b5B\nAnn - Bob\n\n1-0";
    assert_eq!(
        read(text),
        format!("game | {both} | no 1. | <b4N> | <b5B> | {{Ann - Bob}} | = 1-0 | end")
    );
}

#[test]
fn numbers_of_pages_are_comments() {
    for page in [
        "- 2 -",
        "-2-",
        "\n\u{2013} 2 \u{2013}\n",
        "2/3",
        "\n2 / 3",
        "[2]",
        "Page 2",
        "p. 2",
        "Seite 2 von 3",
        "-- 2 of 3 --",
        "4",
        "\n4\n",
    ] {
        let text = format!("1. b4N b5B\n{page}\n2. c3W");
        let expected = format!(
            "game | no 1. | <b4N> | <b5B> | {{{}}} | no 2. | <c3W> | end",
            page.trim()
        );
        assert_eq!(read(text.as_bytes()), expected, "{text}");
    }
    check(&[
        // At the top, and after the result.
        (
            "- 1 -\n1. b4N b5B 1-0\n\n- 2 -\n",
            "game | {1} | no 1. | <b4N> | <b5B> | {- 2 -} | = 1-0 | end",
        ),
        // These are the numbers of moves.
        (
            "1\nb4N\nb5B\n2\nc3W",
            "game | no 1 | <b4N> | <b5B> | no 2 | <c3W> | end",
        ),
        (
            "1\nb4N\nb5B\n3\nc3W",
            "game | no 1 | <b4N> | <b5B> | no 3 | <c3W> | end",
        ),
        (
            "1. b4N b5B\n1/2\n",
            "game | no 1. | <b4N> | <b5B> | = 1/2-1/2 | end",
        ),
    ]);
}

#[test]
fn a_result_tag_that_is_none_is_reported() {
    check(&[
        (
            "[Result \"won by White\"]\n\n1. b4N",
            "game | tag Result=won by White | !bad-result 23 | no 1. | <b4N> | end",
        ),
        (
            "[Result \"½ - ½\"]\n*",
            "game | tag Result=½ - ½ | = * | end",
        ),
        ("[Result \"?\"]\n*", "game | tag Result=? | = * | end"),
        ("[Result \"draw\"]\n*", "game | tag Result=draw | = * | end"),
    ]);
}

/// The result of a heading becomes a standard result in the tag, and its words are stored too.
#[test]
fn a_heading_states_a_result_as_a_tag_has_it() {
    for (written, result) in [
        ("1-0", "1-0"),
        ("0-1", "0-1"),
        ("1/2-1/2", "1/2-1/2"),
        ("*", "*"),
        ("1:0", "1-0"),
        ("0:1", "0-1"),
        ("½:½", "1/2-1/2"),
        ("½-½", "1/2-1/2"),
        ("0,5-0,5", "1/2-1/2"),
        ("1/2", "1/2-1/2"),
        ("1 - 0", "1-0"),
        // Results by decision of an arbiter are not changed.
        ("1/2-0", "1/2-0"),
        ("0-1/2", "0-1/2"),
    ] {
        let tags = match written == result {
            true => format!("tag Result={result}"),
            false => format!("tag Result={result} | tag ResultAsWritten={written}"),
        };
        let moves = "no 1. | <b4N> | end";
        let text = format!("Anna - Bert {written}\n1. b4N");
        let expected = format!("game | tag White=Anna | tag Black=Bert | {tags} | {moves}");
        assert_eq!(read(text.as_bytes()), expected);
        let text = format!("White: Anna\nResult: {written}\n1. b4N");
        let expected = format!("game | tag White=Anna | {tags} | {moves}");
        assert_eq!(read(text.as_bytes()), expected);
    }
    check(&[(
        "Result: won\n1. b4N",
        "game | !bad-result 3 | tag ResultAsWritten=won | no 1. | <b4N> | end",
    )]);
}

/// The same words are classified in the same way wherever they are.
#[test]
fn words_are_the_same_in_sentences_brackets_and_headings() {
    check(&[
        (
            "1. b4N b5B 5min left 2. c3W",
            "game | no 1. | <b4N> | <b5B> | {5min left} | no 2. | <c3W> | end",
        ),
        (
            "1. b4N b5B\nplayed on 2.1.2004 in Graz\n2. c3W",
            "game | no 1. | <b4N> | <b5B> | {played on 2.1.2004 in Graz} | no 2. | <c3W> | end",
        ),
        // A letter typed for a one is a number everywhere.
        (
            "1. b4N b5B 2. c3W 1l.",
            "game | no 1. | <b4N> | <b5B> | no 2. | <c3W> | no 1l. | !ends-in-number 3 | end",
        ),
        (
            "1. b4N b5B\nso far l. c3W",
            "game | no 1. | <b4N> | <b5B> | {so far} | no l. | <c3W> | end",
        ),
        // Castling is a move in a line too.
        (
            "Anna sat 00\n1. b4N",
            "game | <Anna> | <sat> | <00> | no 1. | <b4N> | end",
        ),
    ]);
}

/// Truncated records, and complete ones.
#[test]
fn records_that_may_be_truncated() {
    check(&[
        (
            "1. b4N b5B 2. c3W a6N 3.",
            "game | no 1. | <b4N> | <b5B> | no 2. | <c3W> | <a6N> | no 3. | !ends-in-number 2 | end",
        ),
        (
            "1. b4N b5B 2. c3W 2...\n\n[Event \"a\"]\n\n1) b4N b5B 2)\n \n",
            "game | no 1. | <b4N> | <b5B> | no 2. | <c3W> | no 2... | !ends-in-number 4 | end | \
             game | tag Event=a | no 1) | <b4N> | <b5B> | no 2) | !ends-in-number 2 | end",
        ),
        (
            "[Result \"1-0\"]\n\n1. b4N b5B 2. c3W a6N\n",
            "game | tag Result=1-0 | no 1. | <b4N> | <b5B> | no 2. | <c3W> | <a6N> | !no-result 0 | end",
        ),
        // One report is enough.
        (
            "[Result \"½\"]\n\n1. b4N b5B 2.",
            "game | tag Result=½ | no 1. | <b4N> | <b5B> | no 2. | !ends-in-number 2 | end",
        ),
        // A result, or words that state one.
        (
            "[Result \"1-0\"]\n\n1. b4N b5B 2. 1-0",
            "game | tag Result=1-0 | no 1. | <b4N> | <b5B> | no 2. | = 1-0 | end",
        ),
        (
            "[Result \"1-0\"]\n\n1. b4N resigns",
            "game | tag Result=1-0 | no 1. | <b4N> | {resigns} | = 1-0 | end",
        ),
        // No tag, no result in it, a heading, no moves.
        (
            "1. b4N b5B 2. c3W a6N",
            "game | no 1. | <b4N> | <b5B> | no 2. | <c3W> | <a6N> | end",
        ),
        (
            "[Result \"*\"]\n\n1. b4N",
            "game | tag Result=* | no 1. | <b4N> | end",
        ),
        (
            "[Result \"?\"]\n\n1. b4N",
            "game | tag Result=? | no 1. | <b4N> | end",
        ),
        (
            "Anna - Bert 1-0\n1. b4N",
            "game | tag White=Anna | tag Black=Bert | tag Result=1-0 | no 1. | <b4N> | end",
        ),
        ("[Result \"1-0\"]\n", "game | tag Result=1-0 | end"),
        // The numbers of a printed form, and numbers without moves.
        (
            "1. b4N b5B\n2.\n3.\n",
            "game | no 1. | <b4N> | <b5B> | no 2. | no 3. | end",
        ),
        ("1. b4N ; see 3.\n", "game | no 1. | <b4N> | ; see 3. | end"),
        ("1. b4N\n% page 3", "game | no 1. | <b4N> | % page 3 | end"),
        (
            "1. b4N {see 3.} 2. {lost}",
            "game | no 1. | <b4N> | {see 3.} | no 2. | {lost} | end",
        ),
        (
            "1. b4N\nWe stopped at move 3\n",
            "game | no 1. | <b4N> | {We stopped at move 3} | end",
        ),
        (
            "1. b4N {see 3.",
            "game | no 1. | <b4N> | !unclosed-comment 1 | end",
        ),
    ]);
}
