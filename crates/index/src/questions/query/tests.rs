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
        ("spock colour:white", 6, "a field: player"),
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

#[test]
fn long_and_deep_questions_are_refused() {
    let deep = |n: usize| format!("{}a{}", "(".repeat(n), ")".repeat(n));
    assert!(Query::parse(&deep(MAX_NESTING)).is_ok());
    assert!(Query::parse(&deep(MAX_NESTING + 1)).is_err());
    assert!(Query::parse(&"(".repeat(MAX_LENGTH)).is_err());
    assert!(Query::parse(&"-".repeat(MAX_LENGTH)).is_err());
    assert!(Query::parse(&"a ".repeat(MAX_LENGTH)).is_err());
}
