//! Reads the examples of the container's grammar.

use crate::testing::plain_script;
use crate::visit::Limits;

#[test]
fn the_examples_of_the_grammar_are_read_as_it_says() {
    let text = include_str!("../../../../../grammars/archive.ebnf");
    let (mut rules, mut examples) = (Vec::new(), 0);
    for line in text.lines().map(str::trim) {
        let inside = line
            .strip_prefix("(*")
            .and_then(|line| line.strip_suffix("*)"));
        let example = inside.and_then(|inside| inside.split_once("=>"));
        if let Some((record, events)) = example {
            let record = record.trim().replace("\\n", "\n");
            let read = plain_script(|v| {
                crate::pgn::read_games(record.as_bytes(), 0, &Limits::default(), v);
            });
            assert_eq!(read, events.trim(), "{record:?}");
            examples += 1;
        } else if let Some((name, _)) = line.split_once(" = ")
            && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
        {
            assert_ne!(examples, 0, "no example of {:?}", rules.last());
            examples = 0;
            rules.push(name.to_owned());
        } else if rules.is_empty() {
            // The head of the text.
            examples = 1;
        }
    }
    assert_ne!(examples, 0, "no example of {:?}", rules.last());
    let events = [
        "tag",
        "move_number",
        "move_token",
        "comment",
        "line_comment",
        "escape_line",
        "nag",
        "suffix_mark",
        "draw_offer",
        "variation",
        "trailing_word",
        "result",
    ];
    for event in events {
        assert!(rules.iter().any(|rule| rule == event), "{event}");
    }
}
