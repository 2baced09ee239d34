//! Every grammar stands in the order of the functions that read it, file by file: whoever looks for a rule finds its function
//! at the same place.

use std::path::Path;

/// The source files that the head of a grammar names.
fn sources(grammar: &str) -> Vec<&str> {
    let (head, _) = grammar
        .split_once("*)")
        .expect("a grammar begins with a comment");
    let words = head.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')'));
    let paths = words.map(|word| word.trim_end_matches(['.', ':']));
    paths
        .filter(|word| word.starts_with("crates/") && word.ends_with(".rs"))
        .collect()
}

/// The names of the rules, in order.
fn rules(grammar: &str) -> Vec<&str> {
    let lines = grammar
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()));
    lines
        .filter_map(|line| Some(line.split_once(" =")?.0))
        .collect()
}

/// Where the function of a rule stands in a source.
fn place(source: &str, rule: &str) -> Option<usize> {
    ["(", "<"]
        .iter()
        .filter_map(|next| source.rfind(&format!("fn {rule}{next}")))
        .max()
}

#[test]
fn rules_stand_in_the_order_of_their_functions() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(root.join("grammars")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let grammar = read(&format!("grammars/{name}"));
        let (rules, sources) = (rules(&grammar), sources(&grammar));
        assert!(
            !rules.is_empty() && !sources.is_empty(),
            "{name} names no source or has no rules"
        );
        let mut found = 0;
        for path in sources {
            let source = read(path);
            let places: Vec<(&str, usize)> = rules
                .iter()
                .filter_map(|rule| Some((*rule, place(&source, rule)?)))
                .collect();
            found += places.len();
            for pair in places.windows(2) {
                if let [(one, first), (other, second)] = pair
                    && first > second
                {
                    wrong.push(format!(
                        "{name}: {one} stands before {other}, in {path} behind it"
                    ));
                }
            }
        }
        assert!(
            found * 2 > rules.len(),
            "{name}: {found} of {} rules have functions",
            rules.len()
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
