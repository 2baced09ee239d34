use super::*;
use crate::query::date_range::DateRange;
use crate::query::material::Material;
use crate::query::parsing::{MAX_LENGTH, MAX_NESTING};
use crate::query::pattern::Pattern;
use crate::query::query_language::Tree;
use crate::text::text_field::TextField;
use crate::text::words::Words;
use tridex_grammar::examples::{self, takes};
use tridex_rules::RuleSystem;

#[test]
fn the_grammar_and_its_functions_agree() {
    examples::check::<str>(
        include_str!("../../../../../grammars/query.ebnf"),
        &[
            ("query", |t| Query::parse(t).is_ok()),
            ("any_of", |t| takes(t, query_language::any_of(0))),
            ("all_of", |t| takes(t, query_language::all_of(0))),
            ("factor", |t| takes(t, query_language::factor(0))),
            ("term", |t| {
                takes(t, query_language::term) && Query::parse(t).is_ok()
            }),
            ("name", |t| takes(t, query_language::name)),
            ("value", |t| takes(t, query_language::value)),
        ],
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
        ("lelo:x", 0, "the name of a field; did you mean elo:?"),
        ("layout:QL3", 9, "@ and a pin such as Q4, QL4 or QP8"),
        ("layout:\"ql@Q4  kl@X\"", 18, "a pin such as Q4, QL4 or QP8"),
        (
            "layout:check",
            7,
            "an attack board and its pin, such as ql@Q4",
        ),
        (
            "layout:\"\"",
            8,
            "an attack board and its pin, such as ql@Q4",
        ),
        ("player:spock date:never", 18, "a date"),
        ("(spock", 6, "a closing bracket"),
        (
            "x pattern:\"N@c6 nd check\"",
            16,
            "and, or, or the end of the pattern",
        ),
        ("position:\"4/4 x\"", 13, ""),
        ("moves:\"b4N zz\"", 11, "a legal move (meder, "),
        ("date:\"x \\\"y\"", 6, "a date"),
        ("pattern:\"N@c6 \\\" x\"", 14, "and, or"),
    ] {
        let error = Query::parse(text).unwrap_err();
        assert_eq!(error.span.start, offset, "{text}: {error}");
        assert!(error.expectation().starts_with(expected), "{text}: {error}");
    }
}

/// For every fault of a text, what is expected there has a name.
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
    // A language within a language within a language.
    let nested = |text: &str| {
        format!(
            "{}{text}{}",
            "(".repeat(MAX_NESTING),
            ")".repeat(MAX_NESTING)
        )
    };
    let sequence = nested(&format!("pattern({})", nested("check")));
    let query = format!("sequence:\"{sequence}\"");
    assert!(Query::parse(&nested(&query)).is_ok());
    assert!(Query::parse(&nested(&query.replace("check", "chess"))).is_err());
    for before in ["check and ", "check or ", "check and check or check and "] {
        let text = format!("{before}(").repeat(MAX_NESTING) + "check" + &")".repeat(MAX_NESTING);
        assert!(Query::parse(&text).is_ok(), "{text}");
    }
    assert!(Query::parse(&"(".repeat(MAX_LENGTH)).is_err());
    assert!(Query::parse(&"-".repeat(MAX_LENGTH)).is_err());
    assert!(Query::parse(&"a ".repeat(MAX_LENGTH)).is_err());
}

/// Every field has all that those who ask make of it, and its example is read, by itself and in a query.
#[test]
fn every_field_is_whole() {
    let mut names = Vec::new();
    for field in FIELDS {
        let name = field.name;
        names.push(name);
        names.extend(field.aliases);
        assert!(!field.help.is_empty(), "{name}");
        assert!(
            field.help.split(' ').count() <= 12,
            "{name}: {}",
            field.help
        );
        let check = |text| field.read(&Value::given(text), &mut Modifiers::default());
        assert!(check(field.example).is_ok(), "{name}");
        for other in field.goes_with {
            assert!(
                Field::find(other).is_some_and(|found| found.name == *other),
                "{name}: {other}"
            );
        }
        for called in [name].iter().chain(field.aliases) {
            let example = field.example.replace('"', "\\\"");
            let tree = query_language::parse(&format!("{called}:\"{example}\"")).unwrap();
            let Tree::Leaf(term) = tree else {
                panic!("{name} is a term");
            };
            assert_eq!(
                Field::find(term.name.as_deref().unwrap()).unwrap().name,
                name
            );
            assert!(
                field.read(&term.value, &mut Modifiers::default()).is_ok(),
                "{name}"
            );
        }
        if field.is_switch() {
            assert!(check("no").is_ok() && check("perhaps").is_err(), "{name}");
        }
        let grammar = include_str!("../../../../../grammars/query.ebnf");
        assert!(
            grammar.contains(&format!(" {name}")),
            "{name} is in the grammar"
        );
        let readme = include_str!("../../../README.md");
        assert!(
            readme.contains(&format!("`{name}`")),
            "{name} is in the README"
        );
    }
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "a name means two things");
}

/// Options and the same fields in words ask for the same.
#[test]
fn options_and_words_are_one_language() {
    let start = tridex_notation::position_string::to_string(&RuleSystem::Meder.start());
    let cases: &[&[(&str, &str)]] = &[
        &[("player", "kirk"), ("side", "white")],
        &[("player", "\"James Kirk\""), ("event", "\"open air\"")],
        &[
            ("date", "2001..2003"),
            ("after", "2002"),
            ("result", "1/2-1/2"),
        ],
        &[("rules", "meder"), ("position", &start), ("swapped", "yes")],
        &[
            ("rules", "meder"),
            ("moves", "b4N b5B"),
            ("loose", "on"),
            ("mirrored", "1"),
        ],
        &[
            ("from-top", &start),
            ("mirrored", "yes"),
            ("swapped", "yes"),
        ],
        &[
            ("pattern", "N@c6"),
            ("layout", "QL@Q1"),
            ("swapped", "yes"),
            ("mirrored", "no"),
        ],
        &[
            ("material", "KQR:KRB"),
            ("lasting", "7"),
            ("swapped", "yes"),
        ],
        &[("pattern", "check"), ("variations", "yes")],
        &[
            ("sequence", "white QL then white 0-0-0"),
            ("swapped", "yes"),
            ("mirrored", "yes"),
        ],
        &[
            ("round", "3"),
            ("elo", "2000.."),
            ("plies", "..40"),
            ("source", "a.pgn"),
            ("id", "ff"),
        ],
    ];
    for case in cases {
        let mut request = SearchRequest::default();
        let mut words = String::new();
        for (name, value) in *case {
            request.set(name, *value).unwrap();
            let quoted = format!("\"{}\"", value.replace('"', "\\\""));
            let is_word = !value.contains([' ', '"']);
            let value = if is_word { (*value).to_owned() } else { quoted };
            words.push_str(&format!("{name}:{value} "));
        }
        let given = request.query_without_index().unwrap();
        // In any order.
        assert_eq!(
            given,
            in_order(Query::parse(&words).unwrap(), &given),
            "{words}"
        );
        assert!(Query::parse(&format!("not ({words})")).is_ok(), "{words}");
    }
}

/// The same query with its parts in the order of another.
fn in_order(query: Query, other: &Query) -> Query {
    match (query, other) {
        (Query::And(mut parts), Query::And(order)) => {
            parts.sort_by_key(|part| order.iter().position(|known| known == part));
            Query::And(parts)
        }
        (Query::InVariations(part), Query::InVariations(other)) => {
            Query::InVariations(Box::new(in_order(*part, other)))
        }
        (query, _) => query,
    }
}

/// What changes other fields changes those that `and` joins to it, and those only.
#[test]
fn changes_are_of_one_group() {
    let read = |text| Query::parse(text).unwrap();
    let swapped = Query::pattern(Pattern::parse("N@c6").unwrap(), false, true);
    let plain = Query::pattern(Pattern::parse("k@ql").unwrap(), false, false);
    assert_eq!(
        read("(pattern:N@c6 swapped:yes) or pattern:k@ql"),
        Query::Or(vec![swapped.clone(), plain.clone()])
    );
    assert_eq!(
        read("(pattern:k@ql or pattern:k@ql) and swapped:yes pattern:N@c6"),
        Query::And(vec![Query::Or(vec![plain.clone(), plain]), swapped])
    );
    for (text, what) in [
        ("swapped:yes", "--swapped"),
        ("pattern:check or mirrored:yes", "--mirrored"),
        ("pattern:check not swapped:yes", "--swapped"),
        ("(pattern:check) side:white", "--side"),
        ("material:KQ:KR mirrored:yes", "--mirrored"),
        ("loose:yes", "--loose"),
        ("ply:3", "--ply"),
        ("lasting:3", "--lasting"),
    ] {
        let error = Query::parse(text).unwrap_err();
        assert_eq!(&*error.what, what, "{text}: {error}");
        assert!(error.message("").contains(" needs "), "{error}");
    }
    assert!(
        Query::parse("game:a.pgn:1")
            .unwrap_err()
            .expected
            .contains("index")
    );
    let mut two = SearchRequest::default();
    two.set("moves", "b4N").unwrap();
    two.set("fen", "zz").unwrap();
    assert!(two.query_without_index().is_err());
}

/// What the grammars and the README define where a reader could expect something else.
#[test]
fn rare_cases_are_as_the_grammars_define_them() {
    let start = tridex_rules::Position::start(RuleSystem::Meder);
    let holds = |text| Pattern::parse(text).unwrap().matches(&start, 0);
    // Meder's rules have no lower pins, so nothing is there. A square of the other board does not exist.
    assert!(holds("*@QL1v=0") && !holds("*@QL1v"));
    assert!(!holds("*@1e4=0") && !holds("*@1e4"));
    let is_read = |text| crate::Sequence::parse(text).is_ok();
    assert!(is_read("check then within 2 plies takes until mate"));
    assert!(!is_read("check then within 1 ply takes until mate"));
    assert!(!is_read("check next takes until mate"));
    assert!(is_read("(N as x or B as x) then x takes"));
    assert!(!is_read("(N as x or B) then x takes"));
    // A group has one modifier for all its fields, and inner brackets have none of it.
    let swapped = |text| Query::parse(text).unwrap();
    assert_eq!(
        swapped("pattern:N@c6 material:KQ:KR swapped:yes"),
        Query::pattern(Pattern::parse("N@c6").unwrap(), false, true)
            .and(Query::material(Material::parse("KQ:KR").unwrap(), true))
    );
    // The greater duration counts.
    let material = |text| Query::parse(text).unwrap();
    let four = material("material:\"KQ:KR for 4\"");
    assert_eq!(material("material:\"KQ:KR for 4\" lasting:2"), four);
    assert_eq!(material("material:\"KQ:KR for 2\" lasting:4"), four);
}

/// The values `?` and `*`, comparisons and lists equal their longer forms.
#[test]
fn comparisons_and_lists_equal_their_longer_forms() {
    for (text, same) in [
        ("plies:>100", "plies:101.."),
        ("plies:<=9", "plies:..9"),
        ("date:>=2016", "date:2016.."),
        ("date:>2016", "after:2016"),
        ("date:<2016.05", "before:2016.05"),
        ("rules:meder,manual", "rules:meder or rules:manual"),
        ("rules:meder,meder", "rules:meder"),
        ("result:?", "result:*"),
        ("date:?", "not date:*"),
        ("event:?", "not event:*"),
        ("tag:Result=1-0", "result:1-0"),
        ("tag:WhiteElo=>2000", "white-elo:>2000"),
        ("has:nags,evals", "has:nags or has:evals"),
        ("nag:!!", "nag:$3"),
        ("tag:ECO=C20", "eco:C20"),
    ] {
        assert_eq!(Query::parse(text), Query::parse(same), "{text}");
    }
    for (field, value) in [
        ("player", ""),
        ("player", " "),
        ("event", "..."),
        ("tag", "Annotator="),
        ("tag", "Annotator"),
        ("source", ""),
        ("clock", ""),
        ("elo", ">"),
        ("plies", "<0"),
        ("rules", "meder,"),
        ("ending", "mate,x"),
    ] {
        let mut request = SearchRequest::default();
        request.set(field, value).unwrap();
        let error = request.query_without_index().unwrap_err();
        assert!(!error.expected.is_empty(), "{field}={value}");
    }
}
