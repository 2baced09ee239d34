//! The table of jobs in `crates/core/README.md`: every command is in it, and what it names in Python and on the site is there.

use crate::command::texts::commands;
use std::fs::read_to_string;
use std::path::Path;

/// The names in backquotes.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Whether the type stub has a function, a class, or a method or field of a class.
fn is_in_stub(stub: &str, name: &str) -> bool {
    let (class, member) = name.split_once('.').unwrap_or((name, ""));
    let has = |text: &str, head: &str| {
        text.match_indices(head)
            .any(|(at, _)| text[at + head.len()..].starts_with(['(', ':']))
    };
    if member.is_empty() {
        return has(stub, &format!("\ndef {class}")) || has(stub, &format!("\nclass {class}"));
    }
    let of_class = stub
        .split("\nclass ")
        .find(|text| text.starts_with(&format!("{class}:")));
    of_class.is_some_and(|text| has(text, &format!("\n    def {member}")))
}

#[test]
fn the_table_of_jobs_has_every_command_and_names_what_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let read = |path: &str| read_to_string(root.join(path)).unwrap();
    let (readme, stub) = (read("core/README.md"), read("python/tridex.pyi"));
    let routes = read("server/src/routes.rs");
    let rows: Vec<Vec<&str>> = readme
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    let listed: Vec<&str> = rows.iter().flat_map(|row| quoted(row[0])).collect();
    assert_eq!(listed, commands());
    for row in &rows {
        assert_eq!(row.len(), 4, "{row:?}");
        for cell in &row[1..] {
            let reason = cell.strip_prefix("no: ");
            let words = reason.map_or(3, |reason| reason.split(' ').count());
            assert!(words >= 3, "a reason: {row:?}");
        }
        for name in quoted(row[2])
            .iter()
            .filter(|_| !row[2].starts_with("no: "))
        {
            assert!(is_in_stub(&stub, name), "{name}");
        }
        for address in quoted(row[3]) {
            assert!(routes.contains(&format!("(\"{address}\", ")), "{address}");
        }
    }
    assert!(!is_in_stub(&stub, "reconvert") && !is_in_stub(&stub, "Position.search"));
}
