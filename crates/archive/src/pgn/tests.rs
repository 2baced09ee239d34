mod grammar;
mod hands;
pub(crate) mod random;

use super::*;
use crate::interner::TokenId;
use crate::testing::{plain_script, script};

fn read(text: &[u8]) -> String {
    plain_script(|v| read_games(text, 0, &Limits::default(), v))
}

/// Compares the events of texts, without offsets.
fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(read(text.as_bytes()), *expected, "reading {text:?}");
    }
}

#[test]
fn a_game_with_everything_and_its_offsets() {
    let text = "[Event \"a\"]\n[Site  \"b \\\"c\\\" \\\\\"]\n\n1. b4N! {good} b5B $3 ( 1... c5B?! ) (=)\n2. Nc2W ; so\n% no\n1-0\n";
    let lines = script(|v| read_games(text.as_bytes(), 100, &Limits::default(), v));
    let expected = [
        "100 game",
        "100 tag Event=a",
        "112 tag Site=b \\\"c\\\" \\\\",
        "134 no 1.",
        "137 <b4N!>",
        "142 {good}",
        "149 <b5B>",
        "153 $3",
        "156 (",
        "158 no 1...",
        "163 <c5B?!>",
        "169 )",
        "171 draw?",
        "175 no 2.",
        "178 <Nc2W>",
        "183 ; so",
        "188 % no",
        "193 = 1-0",
        "197 end",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn words_and_numbers() {
    check(&[
        ("12.Nc2W", "game | no 12. | <Nc2W> | end"),
        (
            "1...e5 2 f4N 3) f5N",
            "game | no 1... | <e5> | no 2 | <f4N> | no 3) | <f5N> | end",
        ),
        (
            "1.1e4 3e8=Q 2.1B2-1B4 2a4N 0-0 0-0-0+",
            "game | no 1. | <1e4> | <3e8=Q> | no 2. | <1B2-1B4> | <2a4N> | <0-0> | <0-0-0+> | end",
        ),
        ("1. ...Nc6 .. d5B....", "game | no 1. | <Nc6> | <d5B> | end"),
        (
            "1… c5B 2.… d5B",
            "game | no 1… | <c5B> | no 2.… | <d5B> | end",
        ),
        (
            "17. Nd3N (=) .... etc.",
            "game | no 17. | <Nd3N> | draw? | word etc. | end",
        ),
        ("a4N ETC b4N", "game | <a4N> | word ETC | <b4N> | end"),
        // Attached marks are part of the token; a separate one is another event.
        (
            "a4N!? a5N ! a6N ?! a7N +- a8N + a9N # a1N =",
            "game | <a4N!?> | <a5N> | $1 | <a6N> | $6 | <a7N> | $18 | <a8N> | word + | <a9N> | word # | <a1N> | draw? | end",
        ),
        (
            "a4N$5$255 a5N ± ∓",
            "game | <a4N> | $5 | $255 | <a5N> | $16 | $17 | end",
        ),
        (
            "a4N - b4N -- x c4N",
            "game | <a4N - b4N> | <--> | <x> | <c4N> | end",
        ),
        ("♘c2W Sc2W–c4N", "game | <♘c2W> | <Sc2W–c4N> | end"),
        (
            "a4N\u{a0}b4N\u{feff}c4N\u{2003}1\u{a0}d4N",
            "game | <a4N> | <b4N\u{feff}c4N> | no 1 | <d4N> | end",
        ),
        ("* a4N", "!stray-result 1 | game | <a4N> | end"),
        ("a4* **", "game | <a4*> | !stray-word 2 | {**} | end"),
    ]);
}

#[test]
fn words_that_go_on_over_blanks() {
    check(&[
        (
            "1. b4, WB-b5, NB c3, NBxd4,\n WB=Q",
            "game | no 1. | <b4, WB-b5, NB> | <c3, NBxd4,\\n WB=Q> | end",
        ),
        (
            "axb6N e.p. bxc3N ep+ axb6N\r\ne.p b4N",
            "game | <axb6N e.p.> | <bxc3N ep+> | <axb6N\\r\\ne.p> | <b4N> | end",
        ),
        (
            "axb6N e.p.! exd5N e4N",
            "game | <axb6N e.p.!> | <exd5N> | <e4N> | end",
        ),
        (
            "d8B(Q)+ e8(♕) f8(=) g8 (Q)",
            "game | <d8B(Q)+> | <e8(♕)> | <f8> | draw? | <g8 (Q)> | end",
        ),
        // None of these continues.
        ("b4N, b5B", "game | <b4N> | <b5B> | end"),
        ("b4, {x} WB", "game | <b4> | {x} | <WB> | end"),
        ("b4, 1-0", "game | <b4> | = 1-0 | end"),
        ("b4,\n\nWB", "game | <b4> | <WB> | end"),
        ("b4N {x} e.p.", "game | <b4N> | {x} | word e.p. | end"),
        ("b4N - b5N x c6N", "game | <b4N - b5N> | <x> | <c6N> | end"),
    ]);
}

#[test]
fn results_and_where_games_begin() {
    check(&[
        (
            "e4 1-0 d4 0-1 c4 1/2-1/2 b4 *",
            "game | <e4> | = 1-0 | end | game | <d4> | = 0-1 | end | game | <c4> | = 1/2-1/2 | end | game | <b4> | = * | end",
        ),
        (
            "e4 1:0 1. d4 0:1 2. c4 ½-½ 3. b4 1/2",
            "game | <e4> | = 1-0 | end | game | no 1. | <d4> | = 0-1 | end | game | no 2. | <c4> | = 1/2-1/2 | end | game | no 3. | <b4> | = 1/2-1/2 | end",
        ),
        ("e4 1–0 {so} $1", "game | <e4> | {so} | $1 | = 1-0 | end"),
        (
            "e4 1-0 1-0",
            "game | <e4> | !stray-result 3 | {1-0} | = 1-0 | end",
        ),
        (
            "e4 1-0\n\n{next} d4",
            "game | <e4> | = 1-0 | end | {next} | game | <d4> | end",
        ),
        (
            "1. e4 e5\n\n1. d4 d5\n2. c4",
            "game | no 1. | <e4> | <e5> | end | game | no 1. | <d4> | <d5> | no 2. | <c4> | end",
        ),
        (
            "1. e4\n1. d4\n\n1... d5",
            "game | no 1. | <e4> | no 1. | <d4> | no 1... | <d5> | end",
        ),
        (
            "[Event \"a\"]\n[Event \"b\"]\n*",
            "game | tag Event=a | end | game | tag Event=b | = * | end",
        ),
        (
            "[Event \"a\"][Site \"b\"] e4 [Event \"c\"] d4",
            "game | tag Event=a | tag Site=b | <e4> | end | game | tag Event=c | <d4> | end",
        ),
        (
            "[Event \"a\"]\n{one}\n[Site \"b\"]\n",
            "game | tag Event=a | {one} | tag Site=b | end",
        ),
        (
            "e4 (d4 1-0) e5 1-0",
            "game | <e4> | ( | <d4> | word 1-0 | ) | <e5> | = 1-0 | end",
        ),
        (
            "e4 (d4 1-0\n\nc4 c5 *",
            "game | <e4> | ( | <d4> | word 1-0 | !unclosed-variation 1 | ) | = 1-0 | end | game | <c4> | <c5> | = * | end",
        ),
        ("", ""),
        (" \n\0\t\r\n", ""),
        (
            "{nothing} ; at all\n% here",
            "{nothing} | ; at all | % here",
        ),
        ("12. 13.", ""),
    ]);
}

#[test]
fn two_blocks_of_tags_are_two_games() {
    check(&[
        (
            "[White \"a\"]\n[Black \"b\"]\n\n[White \"c\"]\n\n1. e4 *",
            "game | tag White=a | tag Black=b | end | game | tag White=c | no 1. | <e4> | = * | end",
        ),
        (
            "[White \"a\"]\r\n[Black \"b\"]\r\n \r\n[Round \"2\"]\r\n",
            "game | tag White=a | tag Black=b | tag Round=2 | end",
        ),
        // Consecutive tags, and a repeated name, are one block.
        (
            "[White \"a\"]\n[White \"b\"]\n1. e4 *",
            "game | tag White=a | tag White=b | no 1. | <e4> | = * | end",
        ),
        // An empty line after every tag.
        (
            "[Event \"a\"]\n\n[White \"b\"]\n\n1. e4 *\n\n[Event \"c\"]\n\n[White \"d\"]\n\n*",
            "game | tag Event=a | tag White=b | no 1. | <e4> | = * | end | \
             game | tag Event=c | tag White=d | = * | end",
        ),
        (
            "[White \"a\"]\n\n[Black \"b\"]\n\n[White \"c\"]\n\n[Black \"d\"]\n\n",
            "game | tag White=a | tag Black=b | end | game | tag White=c | tag Black=d | end",
        ),
        // A single tag is a block too if the next tags are one, or begin a game.
        (
            "[Variant \"meder\"]\n\n[White \"b\"]\n[Black \"c\"]\n\n1. e4 *",
            "game | tag Variant=meder | tag White=b | tag Black=c | no 1. | <e4> | = * | end",
        ),
        (
            "[White \"a\"]\n\n[Site \"b\"] [Round \"1\"]\n\n1. e4 *",
            "game | tag White=a | tag Site=b | tag Round=1 | no 1. | <e4> | = * | end",
        ),
        (
            "[White \"a\"]\n\n[Event \"b\"]\n\n1. e4 *",
            "game | tag White=a | end | game | tag Event=b | no 1. | <e4> | = * | end",
        ),
        // The text after the empty line is not a tag.
        (
            "[White \"a\"]\n[Black \"b\"]\n\n[x] 1. e4 *",
            "game | tag White=a | tag Black=b | {[x]} | !tag-malformed 3 | no 1. | <e4> | = * | end",
        ),
    ]);
}

/// Some editors write the variations of the last move after the result.
#[test]
fn variations_after_the_result() {
    check(&[
        (
            "1. b4N * (1. c4N $2) {x} d4N",
            "game | no 1. | <b4N> | ( | no 1. | <c4N> | $2 | ) | {x} | = * | end | game | <d4N> | end",
        ),
        ("*(Q)", "!stray-result 1 | !variation-before-move 1"),
    ]);
}

#[test]
fn line_ends_and_coding() {
    check(&[
        (
            "\u{feff}[Event \"a\"]\r\n\r\n1. e4 ;x\r\ne5\r\n%y\r\n*",
            "game | tag Event=a | no 1. | <e4> | ;x | <e5> | %y | = * | end",
        ),
        (
            "[Event \"a\"]\r\r1. e4 ;x\re5\r%y\r*",
            "game | tag Event=a | no 1. | <e4> | ;x | <e5> | %y | = * | end",
        ),
        ("\u{feff}%first\ne4", "%first | game | <e4> | end"),
        ("e4\0e5\0\0*\0", "game | <e4> | <e5> | = * | end"),
        (
            "e4\u{1b}[2J",
            "game | <e4\u{1b}> | !stray-bracket 1 | <2J> | end",
        ),
    ]);
    assert_eq!(
        read(b"[White \"M\xfcller\"]\n\ne4\xa0e5 {gr\xfc\xdfe} \xbd-\xbd"),
        "game | tag White=Müller | <e4> | <e5> | {grüße} | = 1/2-1/2 | end"
    );
}

#[test]
fn comments() {
    check(&[
        (
            "e4 {a (b) ; c\n% d [Event \"x\"]\n[Event \"y\"]\n} e5",
            "game | <e4> | {a (b) ; c\\n% d [Event \"x\"]\\n[Event \"y\"]\\n} | <e5> | end",
        ),
        (
            "e4 ; {a\ne5 { ; } *",
            "game | <e4> | ; {a | <e5> | { ; } | = * | end",
        ),
        (
            "e4 {a {b} c}",
            "game | <e4> | {a {b} | <c> | !stray-brace 1 | end",
        ),
        (
            "e4 {} e5{x}e6",
            "game | <e4> | {} | <e5> | {x} | <e6> | end",
        ),
        // An unclosed comment ends at the next tag line, or is lost.
        (
            "e4 {a\ne5\n[Event \"b\"]\n\nd4 *",
            "game | <e4> | !unclosed-comment 1 | end | game | tag Event=b | <d4> | = * | end",
        ),
        (
            "e4 {a\n[Event \"b\"]\n\nd4 {ok} *",
            "game | <e4> | !unclosed-comment 1 | end | game | tag Event=b | <d4> | {ok} | = * | end",
        ),
        ("e4 {a e5", "game | <e4> | !unclosed-comment 1 | end"),
        // In both cases the result may have been in it.
        (
            "[Result \"1-0\"]\n\ne4 {a\n[Event \"b\"]\n\nd4 *",
            "game | tag Result=1-0 | <e4> | !unclosed-comment 1 | end | game | tag Event=b | <d4> | = * | end",
        ),
        (
            "[Result \"1-0\"]\n\ne4 {a",
            "game | tag Result=1-0 | <e4> | !unclosed-comment 1 | end",
        ),
        // Only a line can end it.
        (
            "e4 {a [Event \"b\"] e5",
            "game | <e4> | !unclosed-comment 1 | end",
        ),
        (
            "e4 %no\n %no",
            "game | <e4> | !stray-word 3 | {%no} | !stray-word 3 | {%no} | end",
        ),
    ]);
}

#[test]
fn tags_that_are_damaged() {
    check(&[
        (
            "[Event \"a\"\n[Site \"b\"]\ne4",
            "game | tag Event=a | !tag-bracket 10 | tag Site=b | <e4> | end",
        ),
        (
            "[Event \"a\" [Site \"b\"]\ne4",
            "game | tag Event=a | !tag-bracket 11 | tag Site=b | <e4> | end",
        ),
        (
            "[Event \"a]\n[Site \"b\"]\ne4",
            "game | tag Event=a | !tag-unclosed 10 | tag Site=b | <e4> | end",
        ),
        (
            "[Event a\"]\n[Site \"b\"]\ne4",
            "game | tag Event=a | !tag-malformed 10 | tag Site=b | <e4> | end",
        ),
        (
            "Event \"a\"]\n[Site \"b\"]\ne4",
            "game | tag Event=a | !tag-malformed 10 | tag Site=b | <e4> | end",
        ),
        (
            "d4 1-0\n\nEvent \"a\"]\n[Site \"b\"]\ne4",
            "game | <d4> | = 1-0 | end | game | tag Event=a | !tag-malformed 10 | tag Site=b | <e4> | end",
        ),
        (
            "d4 1-0\n\n[Event a]\n[Site \"b\"]\ne4",
            "game | <d4> | = 1-0 | end | game | tag Event=a | !tag-malformed 9 | tag Site=b | <e4> | end",
        ),
        (
            "[A \"the \"big\" one\"]\ne4",
            "game | tag A=the \"big\" one | !tag-quotes 19 | <e4> | end",
        ),
        (
            "[A \"C:\\dir\\\"]\ne4",
            "game | tag A=C:\\dir\\ | !tag-quotes 13 | <e4> | end",
        ),
        (
            "[A \"two\nlines\"]\n[B \"c\"]\ne4",
            "game | tag A=two\\nlines | !tag-line-break 15 | tag B=c | <e4> | end",
        ),
        (
            "[A \"a\" junk\n[B \"c\"]\ne4",
            "game | tag A=a\" junk | !tag-malformed 11 | tag B=c | <e4> | end",
        ),
        // Every part of the game but its tags exists: it is a game.
        (
            "[Event a]\n*",
            "game | tag Event=a | !tag-malformed 9 | = * | end",
        ),
        ("[Event a]\n", "game | tag Event=a | !tag-malformed 9 | end"),
        (
            "e4 [note] e5 ] [",
            "game | <e4> | !stray-bracket 6 | {note} | <e5> | !stray-bracket 1 | !stray-bracket 1 | end",
        ),
        (
            "e4 \"King\" e5 \" e6",
            "game | <e4> | !stray-quote 6 | {King} | <e5> | !stray-quote 1 | <e6> | end",
        ),
    ]);
}

#[test]
fn variations_and_marks_out_of_place() {
    check(&[
        (
            "e4 (=) ( = ) (d4 (c4)) e5",
            "game | <e4> | draw? | draw? | ( | <d4> | ( | <c4> | ) | ) | <e5> | end",
        ),
        (
            "e4 ) e5 (d5 (c5) *",
            "game | <e4> | !stray-parenthesis 1 | <e5> | ( | <d5> | ( | <c5> | ) | word * | !unclosed-variation 1 | ) | = * | end",
        ),
        ("(d4 d5) e4", "!variation-before-move 1 | game | <e4> | end"),
        (
            "[Event \"a\"]\n(d4 d5\n[Site \"b\"]\n\ne4",
            "game | tag Event=a | !variation-before-move 1 | tag Site=b | <e4> | end",
        ),
        (
            "$1 (=) ! etc. e4 $ $256",
            "game | {$1} | {(=)} | {!} | {etc.} | <e4> | !bad-nag 1 | {$} | !bad-nag 4 | {$256} | end",
        ),
        (
            "e4 (1) d4 2) c4)",
            "game | <e4> | {1} | <d4> | no 2) | <c4> | !stray-parenthesis 1 | end",
        ),
        (
            "1) e4 (1) d4 2) c4)",
            "game | no 1) | <e4> | {1} | <d4> | no 2) | <c4> | !stray-parenthesis 1 | end",
        ),
        (
            "e4 1-0 (d4 d5) *",
            "game | <e4> | ( | <d4> | <d5> | ) | !stray-result 1 | {*} | = 1-0 | end",
        ),
    ]);
}

#[test]
fn deep_nesting_costs_no_stack_and_one_report() {
    let mut text = b"e4 ".to_vec();
    text.extend(std::iter::repeat_n(b'(', 100_000));
    text.extend_from_slice(b"e5");
    text.extend(std::iter::repeat_n(b')', 100_000));
    text.extend_from_slice(b" d5 ) 1-0");
    let lines = script(|v| read_games(&text, 0, &Limits::default(), v));
    let count = |end: &str| lines.iter().filter(|line| line.ends_with(end)).count();
    assert_eq!(count(" ("), 1_000);
    assert_eq!(count(" )"), 1_000);
    assert_eq!(count("<e5>"), 0);
    assert_eq!(count("<d5>"), 1);
    let damage: Vec<&String> = lines.iter().filter(|line| line.contains('!')).collect();
    assert_eq!(damage, ["1003 !too-deep 1", "200009 !stray-parenthesis 1"]);
    assert_eq!(lines.last().map(String::as_str), Some("200014 end"));

    // And if they are not closed.
    text.truncate(100_003);
    let lines = script(|v| read_games(&text, 0, &Limits::default(), v));
    let damage: Vec<&String> = lines.iter().filter(|line| line.contains('!')).collect();
    assert_eq!(damage, ["1003 !too-deep 1", "3 !unclosed-variation 1"]);
    assert_eq!(
        lines.iter().filter(|line| line.ends_with(" )")).count(),
        1_000
    );
}

#[test]
fn games_that_are_too_long_end_at_the_next_tag_line() {
    let limits = Limits::new(40, 20, 3);
    let moves = "e4 e5 ".repeat(20);
    let text = format!("[Event \"a\"]\n\n{moves}\n[Event \"b\"]\n\nd4 *");
    let lines = plain_script(|v| read_games(text.as_bytes(), 0, &limits, v));
    assert_eq!(
        lines,
        "game | tag Event=a | <e4> | <e5> | <e4> | <e5> | <e4> | <e5> | <e4> | <e5> | <e4> \
         | !too-long 1 | end | game | tag Event=b | <d4> | = * | end"
    );
    // Blanks after a game do not count.
    let text = format!("e4 *{}[Event \"b\"]\nd4", "\n".repeat(100));
    let lines = plain_script(|v| read_games(text.as_bytes(), 0, &limits, v));
    assert_eq!(
        lines,
        "game | <e4> | = * | end | game | tag Event=b | <d4> | end"
    );
    // The number of tags is limited too.
    let text = "[A \"b\"]\n".repeat(20);
    let lines = plain_script(|v| read_games(text.as_bytes(), 0, &limits, v));
    assert_eq!(lines.matches("!too-long").count(), 3, "{lines}");
}

#[test]
fn a_word_without_end_is_no_burden() {
    let limits = Limits::default();
    let long = "x".repeat(20 << 20);
    let text = format!("[Event \"a\"]\n\n{long}\n[Event \"b\"]\n\nd4 *");
    let mut games = Vec::new();
    let lines = script(|v| read_games(text.as_bytes(), 0, &limits, v));
    games.extend(lines.iter().filter(|line| !line.contains('<')));
    assert_eq!(
        games.iter().filter(|line| line.ends_with(" game")).count(),
        2
    );
    assert!(lines.iter().all(|line| line.len() < 10 << 20));
}

#[test]
fn every_move_has_the_number_of_its_word() {
    #[derive(Default)]
    struct Numbers(Vec<(String, TokenId)>);
    impl Visitor for Numbers {
        fn move_token(&mut self, token: &[u8], _: u64, id: TokenId) {
            self.0.push((lex::decode(token).into_owned(), id));
        }
    }
    // The first move of a game, and one with a stop after it, are not read like the others.
    let text = "1. b4N b5B 2. b4N, 0-0 3. b5B *\n\n1. b4N 0-0 *";
    let mut heard = Numbers::default();
    read_games(text.as_bytes(), 0, &Limits::default(), &mut heard);
    let moves: Vec<&str> = heard.0.iter().map(|(token, _)| &**token).collect();
    assert_eq!(moves, ["b4N", "b5B", "b4N", "0-0", "b5B", "b4N", "0-0"]);
    for (token, id) in &heard.0 {
        assert_ne!(*id, TokenId::NONE, "{token}");
        for (other, other_id) in &heard.0 {
            assert_eq!(token == other, id == other_id, "{token} {other}");
        }
    }
}
