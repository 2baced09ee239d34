use super::*;
use crate::questions::parsing::{MAX_LENGTH, MAX_NESTING, Parsed};
use crate::testing::{Accepts, check_grammar};

fn takes<T>(parser: fn(&str) -> Parsed<'_, T>, text: &str) -> bool {
    matches!(parser(text), Ok(("", _)))
}

#[test]
fn the_grammar_and_its_functions_agree() {
    let functions: &[(&str, Accepts)] = &[
        ("query", |t| Query::parse(t).is_ok()),
        ("term", |t| takes(parser::term, t)),
        ("value", |t| takes(parser::value, t)),
    ];
    check_grammar(
        include_str!("../../../../../grammars/query.ebnf"),
        functions,
    );
}

#[test]
fn questions_mean_what_they_say() {
    let read = |text| Query::parse(text).unwrap();
    assert_eq!(read(""), Query::All);
    assert_eq!(read("spock"), Query::text(TextField::Any, "spock"));
    let Query::And(parts) = read("player:spock after:2001 text:\"sealed move\"") else {
        panic!("three parts");
    };
    assert_eq!(
        parts,
        [
            Query::text(TextField::Player, "spock"),
            Query::Date(DateRange {
                from: Some(20_011_232),
                to: None
            }),
            Query::Text(TextField::Comments, Words::phrase("sealed move")),
        ]
    );
    // `and` binds more than `or`, `not` most.
    let Query::Or(parts) = read("a b or not c and d") else {
        panic!("two parts");
    };
    assert_eq!(parts.len(), 2);
    assert!(matches!(&parts[1], Query::And(both) if matches!(both[0], Query::Not(_))));
    let Query::Date(before) = read("before:2001") else {
        panic!("a date");
    };
    for (date, inside) in [
        ("2000.12.31", true),
        ("2000.??.??", true),
        ("2001.01.01", false),
        ("2001.??.??", false),
    ] {
        assert_eq!(
            before.holds(crate::Date::parse(date).ok()),
            inside,
            "{date}"
        );
    }
}

#[test]
fn faults_are_told_with_their_place() {
    for (text, offset, expected) in [
        (
            "spock colour:white",
            6,
            "the name of a field such as player:, date: or pattern: (the help of search",
        ),
        (
            "playr:kirk",
            0,
            "the name of a field; did you mean player:?",
        ),
        (
            "kirk Evnt:x",
            5,
            "the name of a field; did you mean event:?",
        ),
        ("lplan:x", 0, "the name of a field; did you mean plan:?"),
        (
            "layout:QL3",
            7,
            "@ and a pin such as Q4, QL4 or QP8 (in the quoted text, byte 2)",
        ),
        (
            "layout:\"ql@Q4  kl@X\"",
            7,
            "a pin such as Q4, QL4 or QP8 (in the quoted text, byte 10)",
        ),
        (
            "layout:check",
            7,
            "an attack board and its pin, such as ql@Q4",
        ),
        (
            "layout:\"\"",
            7,
            "an attack board and its pin, such as ql@Q4",
        ),
        ("player:spock date:never", 18, "a date"),
        ("(spock", 6, "a closing bracket"),
        (
            "x pattern:\"N@c6 nd check\"",
            10,
            "and, or, or the end of the pattern (in the quoted text, byte 5)",
        ),
        ("position:\"4/4\"", 9, "a position that can be played"),
    ] {
        let error = Query::parse(text).unwrap_err();
        assert_eq!(error.offset, offset, "{text}: {error}");
        assert!(error.expected.starts_with(expected), "{text}: {error}");
    }
}

/// The names of the fields are those that are read.
#[test]
fn every_field_that_is_named_is_read() {
    for name in parser::FIELDS {
        let read = Query::parse(&format!("{name}:\u{1}"));
        let is_known = |error: LanguageError| !error.expected.contains("the name of a field");
        assert!(read.map_or_else(is_known, |_| true), "{name}");
    }
}

/// Whatever is wrong with a text, what is expected there has a name.
#[test]
fn what_is_expected_is_named() {
    let mut faults = 0;
    for grammar in [
        include_str!("../../../../../grammars/query.ebnf"),
        include_str!("../../../../../grammars/pattern.ebnf"),
    ] {
        let examples = grammar.lines().filter_map(|line| {
            let example = line.trim().strip_prefix("(* ")?.strip_suffix(" *)")?;
            example.strip_prefix(['+', '-'])
        });
        for example in examples.map(str::trim) {
            let cuts = example.char_indices().map(|(at, _)| at);
            for at in cuts.chain([example.len()]) {
                let (before, rest) = example.split_at(at);
                let mut other = rest.chars();
                other.next();
                for text in [before.to_owned(), format!("{before}?{}", other.as_str())] {
                    let found = [
                        Query::parse(&text).err(),
                        Pattern::parse(&text).err(),
                        Pattern::layout(&text).err(),
                        Material::parse(&text).err(),
                    ];
                    for fault in found.into_iter().flatten() {
                        faults += 1;
                        let expected = &fault.expected;
                        assert!(!expected.contains("something"), "{text:?}: {expected}");
                        assert!(!expected.is_empty(), "{text:?}");
                    }
                }
            }
        }
    }
    assert!(faults > 1_000, "{faults}");
}

#[test]
fn long_and_deep_questions_are_refused() {
    let deep = |n: usize| format!("{}a{}", "(".repeat(n), ")".repeat(n));
    assert!(Query::parse(&deep(MAX_NESTING)).is_ok());
    assert!(Query::parse(&deep(MAX_NESTING + 1)).is_err());
    assert!(Query::parse(&"(".repeat(MAX_LENGTH)).is_err());
    assert!(Query::parse(&"-".repeat(MAX_LENGTH)).is_err());
    assert!(Query::parse(&"a ".repeat(MAX_LENGTH)).is_err());
}
