use crate::examples::{Accepts, check, takes};
use crate::{
    Noted, Notes, Parsed, SyntaxError, TextPart, as_one, bytes, distinct, each, expected, inside,
    letter, meaning, refuse, require, whole, within,
};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till1};
use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{cut, opt, success};
use nom::sequence::preceded;

const END: &str = "the end of the text";

fn fault<T: std::fmt::Debug>(read: Result<T, SyntaxError>) -> (usize, &'static str) {
    let SyntaxError {
        offset, expected, ..
    } = read.unwrap_err();
    (offset, expected)
}

fn number(input: &str) -> Parsed<&str, u8> {
    meaning(digit1, "a number up to 255", |digits: &str| {
        digits.parse().ok()
    })
    .parse(input)
}

#[test]
fn the_furthest_failure_is_reported() {
    let pair = |input| (expected("a letter", tag("a")), number, char('b')).parse(input);
    let other = |input| {
        (expected("a sign", tag("-")), number)
            .map(|(a, b)| (a, b, 'b'))
            .parse(input)
    };
    let either = |text| whole(text, END, alt((pair, other)));
    for (text, offset, expected) in [
        ("", 0, "a sign"),
        ("x", 0, "a sign"),
        ("a999b", 1, "a number up to 255"),
        ("a1", 2, "something else"),
        ("-1b", 2, END),
    ] {
        assert_eq!(fault(either(text)), (offset, expected), "{text}");
    }
    assert_eq!(either("a7b"), Ok(("a", 7, 'b')));
}

#[test]
fn a_part_is_named_in_its_errors() {
    static SIDE: TextPart = TextPart {
        text: "position",
        name: "side",
    };
    let side = || within(&SIDE, expected("w or b", one_of("wb")));
    let rule = |input| (tag("1 "), side()).parse(input);
    let error = whole("1 x", END, rule).unwrap_err();
    assert_eq!(error.part, Some(&SIDE));
    assert_eq!(
        error.to_string(),
        "position, side (byte 2): expected w or b"
    );
    let error = whole("2", END, rule).unwrap_err();
    assert_eq!(error.to_string(), "expected something else at byte 0");
}

#[test]
fn what_is_required_leaves_no_alternative() {
    let even = |number: u8| number.is_multiple_of(2).then_some(number);
    let soft = alt((meaning(number, "an even number", even), success(0)));
    assert_eq!(fault(whole("3", END, soft)), (0, END));
    let hard = alt((require(number, "an even number", even), success(0)));
    assert_eq!(fault(whole("3", END, hard)), (0, "an even number"));
}

#[test]
fn a_name_is_read_whole_or_not_at_all() {
    let name = || take_till1(|c| c == ' ');
    let rule = |input| {
        (
            char('@'),
            as_one("a name", inside(name(), (char('a'), number))),
        )
            .parse(input)
    };
    assert!(whole("@a12", END, rule).is_ok());
    for text in ["@", "@b", "@ax", "@a12x", "@a999 "] {
        assert_eq!(fault(whole(text, END, rule)), (1, "a name"), "{text}");
    }
    // The offset inside of it, where it is not one thing.
    let rule = |input| (inside(name(), (char('a'), cut(number))), tag(" b")).parse(input);
    assert_eq!(fault(whole("ax b", END, rule)).0, 1);
    assert_eq!(fault(whole("a1 c", END, rule)).0, 2);
}

#[test]
fn no_item_of_a_list_is_twice_in_it() {
    let list = || distinct(char(','), number, |a, b| a == b, "another number");
    assert_eq!(whole("3,1,2", END, list()), Ok(vec![3, 1, 2]));
    for (text, offset, expected) in [
        ("3,1,3", 4, "another number"),
        ("3,1,", 4, "something else"),
        ("3,999", 2, "a number up to 255"),
        ("3 1", 1, END),
        ("", 0, "something else"),
    ] {
        assert_eq!(
            fault(whole(text, END, list())),
            (offset, expected),
            "{text}"
        );
    }
    let letters = || distinct(success(()), one_of("KQ"), |a, b| a == b, "another letter");
    assert_eq!(whole("QK", END, letters()), Ok(vec!['Q', 'K']));
    assert_eq!(fault(whole("QKQ", END, letters())), (2, "another letter"));
    assert_eq!(fault(whole("Qk", END, letters())), (1, END));
}

#[test]
fn each_item_has_its_part() {
    let rising = |text| {
        let bar = |input, _: &u8| char('|').parse(input);
        let rule = |input, least, before: &[u8]| {
            let least = before.last().copied().unwrap_or(least);
            meaning(number, "a number that is not less", move |n| {
                (n >= least).then_some(n)
            })
            .parse(input)
        };
        whole(text, END, each([5, 0, 0], bar, rule))
    };
    assert_eq!(rising("5|6|6"), Ok(vec![5, 6, 6]));
    assert_eq!(fault(rising("4|6|6")), (0, "a number that is not less"));
    assert_eq!(fault(rising("5|6|5")), (4, "a number that is not less"));
    assert_eq!(fault(rising("5|6")).0, 3);
    assert_eq!(fault(rising("5|6|6|7")), (5, END));
}

#[test]
fn a_rule_of_bytes_reads_text() {
    let rule = |input| (bytes(letter(|b| (b == b'a').then_some(1))), char('é')).parse(input);
    assert_eq!(whole("aé", END, rule), Ok((1, 'é')));
    // Never inside of a character.
    let half = |input| bytes(letter(Some)).parse(input);
    assert!(whole("é", END, half).is_err());
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Marks(u8);

impl Notes for Marks {
    fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

#[test]
fn notes_are_those_of_all_parts() {
    let (one, two) = (Noted::<_, Marks>::unusual('a', Marks(1)), Noted::usual('b'));
    let two = two.note_if(true, Marks(4)).note_if(false, Marks(8));
    let both = one.zip(two).map(|(a, b)| [a, b]);
    assert_eq!((both.it, both.notes), (['a', 'b'], Marks(5)));
    let mut notes = Marks(2);
    assert_eq!(Noted::of(Some(both)).noted_in(&mut notes), Some(['a', 'b']));
    assert_eq!(notes, Marks(7));
    assert_eq!(Noted::<char, Marks>::of(None).notes, Marks(0));
}

const PAIR: &str = "\
pair = number, \",\", [ blank ], number ;
    (* Two of them. *)
    (* + 1,2 *)
    (* + 1, 2 *)
    (* - 1 *)
    (* - \"\" *)
    (* - \" 1,2\" *)

number = digit, { digit } ;
    (* + 12 *)
    (* - x *)
";

fn pair(input: &str) -> Parsed<&str, (u8, u8)> {
    let second = preceded((char(','), opt(char(' '))), number);
    (number, second).parse(input)
}

const FUNCTIONS: [(&str, Accepts<str>); 2] = [
    ("pair", |t| takes(t, pair)),
    ("number", |t| takes(t, number)),
];

#[test]
fn the_examples_of_a_grammar_are_run() {
    check::<str>(PAIR, &FUNCTIONS);
}

/// Every way in which a grammar and its functions may differ is found.
#[test]
fn a_grammar_that_differs_from_its_functions_is_reported() {
    let changed = |from: &str, to: &str| PAIR.replacen(from, to, 1);
    let refusing: Accepts<str> = |t| takes(t, |input| refuse::<_, ()>(input, "nothing"));
    type Case = (String, Vec<(&'static str, Accepts<str>)>, &'static str);
    let cases: [Case; 9] = [
        (
            changed("+ 1,2", "- 1,2"),
            FUNCTIONS.to_vec(),
            "example \"1,2\"",
        ),
        (changed("- 1 ", "+ 1 "), FUNCTIONS.to_vec(), "example \"1\""),
        (
            changed("- \" 1,2\"", "+ \" 1,2\""),
            FUNCTIONS.to_vec(),
            "example \" 1,2\"",
        ),
        (
            changed("    (* - x *)\n", ""),
            FUNCTIONS.to_vec(),
            "number has no rejected example",
        ),
        (
            changed("    (* + 12 *)\n", ""),
            FUNCTIONS.to_vec(),
            "number has no accepted example",
        ),
        (
            PAIR.to_owned(),
            FUNCTIONS[..1].to_vec(),
            "rule number has no function",
        ),
        (
            PAIR.to_owned(),
            [FUNCTIONS.as_slice(), &[("other", refusing)]].concat(),
            "function other has no rule",
        ),
        (
            PAIR.to_owned() + PAIR,
            FUNCTIONS.to_vec(),
            "rule pair is written twice",
        ),
        (
            "(* + 1 *)\n".to_owned() + PAIR,
            FUNCTIONS.to_vec(),
            "before any rule",
        ),
    ];
    for (grammar, functions, what) in cases {
        let found = std::panic::catch_unwind(|| check::<str>(&grammar, &functions)).unwrap_err();
        let message = found.downcast_ref::<String>().unwrap();
        assert!(message.contains(what), "{message}");
    }
}
