//! `crates/rules/RULINGS.md` is complete: every citation of a ruling names one of its headings, code and tests cite every
//! heading, and the tests that a heading names exist.
//!
//! A citation is the word "ruling" with one name or several after it. A name is in small letters and has a hyphen. Labels that
//! name nothing (a letter and a number for a ruling, a number for a rule text) are refused in comments and headings.

use crate::support::none_of;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const RULINGS: &str = "crates/rules/RULINGS.md";
/// This file has names and labels that are wrong on purpose.
const THIS: &str = "tests/rules/rulings.rs";

/// The fields of a ruling, in their order; the one in the middle may be missing.
const FIELDS: [&str; 6] = [
    "Question",
    "Decision",
    "Texts",
    "Reason",
    "Also considered",
    "Tests",
];
const OPTIONAL: &str = "Also considered";

/// The rule texts by the names with which they are cited.
const TITLES: [&str; 5] = ["Meder", "Starfleet manual", "WTDCF", "Millennium", "Chess3"];

/// Text files of the repository by their path.
fn files() -> BTreeMap<String, String> {
    fn walk(folder: &Path, files: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(ROOT).unwrap().to_str().unwrap();
            let name = name.replace('\\', "/");
            let is_built = path.join("CACHEDIR.TAG").exists();
            if path.is_dir() {
                // What programs make, and games, which cite nothing.
                let is_left_out = is_built
                    || name.starts_with('.') && name != ".ci"
                    || ["target", "fuzz/target", "fuzz/corpus", "corpus/games"].contains(&&*name);
                if !is_left_out {
                    walk(&path, files);
                }
                continue;
            }
            const ENDINGS: [&str; 14] = [
                "rs", "md", "txt", "ebnf", "epd", "toml", "js", "ts", "py", "pyi", "html", "css",
                "json", "tsv",
            ];
            let ending = path.extension().and_then(|ending| ending.to_str());
            if ending.is_some_and(|ending| ENDINGS.contains(&ending))
                && let Ok(text) = fs::read_to_string(&path)
            {
                files.insert(name, text);
            }
        }
    }
    let mut files = BTreeMap::new();
    walk(Path::new(ROOT), &mut files);
    files
}

/// A ruling: its fields with their texts.
type Ruling = Vec<(String, String)>;

/// The rulings of the page by their names.
fn rulings(page: &str) -> Result<BTreeMap<String, Ruling>, Vec<String>> {
    let mut rulings = BTreeMap::<String, Ruling>::new();
    let mut faults = Vec::new();
    let mut now: Option<String> = None;
    for line in page.lines() {
        if let Some(name) = line.strip_prefix("### ") {
            if name_at(name) != Some((name, "")) {
                faults.push(format!("`{name}` is no name of a ruling"));
            }
            if rulings.insert(name.to_owned(), Vec::new()).is_some() {
                faults.push(format!("{name} occurs twice"));
            }
            now = Some(name.to_owned());
        } else if line.starts_with('#') {
            now = None;
        } else if let Some(name) = &now {
            let fields = rulings.get_mut(name).unwrap();
            let begun = line
                .strip_prefix("- **")
                .and_then(|rest| rest.split_once("**:"));
            match (begun, fields.last_mut()) {
                (Some((field, text)), _) => fields.push((field.to_owned(), text.trim().to_owned())),
                (None, Some((_, text))) => {
                    text.push(' ');
                    text.push_str(line.trim());
                }
                (None, None) => {}
            }
        }
    }
    for (name, fields) in &rulings {
        let given: Vec<&str> = fields.iter().map(|(field, _)| &**field).collect();
        let wanted = FIELDS.into_iter();
        let wanted: Vec<&str> = wanted
            .filter(|field| *field != OPTIONAL || given.contains(field))
            .collect();
        if given != wanted {
            faults.push(format!("{name} has the fields {given:?}, not {wanted:?}"));
        }
        for (field, text) in fields {
            if text.trim().is_empty() {
                faults.push(format!("{name}: {field} is empty"));
            }
            if field == "Texts" {
                for part in text.split("; ") {
                    if !TITLES.iter().any(|title| part.trim().starts_with(title)) {
                        faults.push(format!(
                            "{name}: `{part}` begins with no title of a rule text"
                        ));
                    }
                }
            }
        }
    }
    match faults.is_empty() {
        true => Ok(rulings),
        false => Err(faults),
    }
}

/// The name of a ruling at the beginning of a text, and what follows it.
fn name_at(text: &str) -> Option<(&str, &str)> {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let is_name = name.contains('-')
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.ends_with('-');
    is_name.then_some((name, rest))
}

/// A text in one line, without the marks of comments.
fn in_one_line(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let line = line.trim_start();
        let marks = ["///", "//!", "//", "#", "(*", "*"];
        let mark = marks.into_iter().find(|mark| line.starts_with(mark));
        line[mark.map_or(0, str::len)..].trim()
    });
    lines.collect::<Vec<_>>().join(" ")
}

/// The names of rulings that a text cites.
fn citations(text: &str) -> BTreeSet<String> {
    let text = in_one_line(text);
    let mut cited = BTreeSet::new();
    for (at, word) in text.match_indices("uling") {
        let rest = &text[at + word.len()..];
        let rest = rest.strip_prefix('s').unwrap_or(rest);
        let mut rest = rest.strip_prefix(' ').and_then(name_at);
        while let Some((name, after)) = rest {
            cited.insert(name.to_owned());
            let joined = [", and ", " and ", ", "].into_iter();
            rest = joined
                .filter_map(|word| after.strip_prefix(word))
                .find_map(name_at);
        }
    }
    for (at, link) in text.match_indices("RULINGS.md#") {
        cited.extend(name_at(&text[at + link.len()..]).map(|(name, _)| name.to_owned()));
    }
    cited
}

fn is_test(file: &str) -> bool {
    file.starts_with("tests/")
        || file.contains("/tests/")
        || file.ends_with("/tests.rs")
        || file.starts_with("corpus/")
}

fn is_code(file: &str) -> bool {
    !is_test(file)
        && (file.starts_with("crates/") && file.ends_with(".rs") || file.ends_with(".ebnf"))
}

/// What is wrong with the rulings and those who cite them.
fn faults_of_citations(files: &BTreeMap<String, String>) -> Vec<String> {
    let rulings = match rulings(&files[RULINGS]) {
        Ok(rulings) => rulings,
        Err(faults) => return faults,
    };
    let mut faults = Vec::new();
    let mut cited: [BTreeSet<String>; 2] = Default::default();
    for (file, text) in files.iter().filter(|(file, _)| **file != THIS) {
        for name in citations(text) {
            if !rulings.contains_key(&name) {
                faults.push(format!(
                    "{file} cites {name}, which is no heading of {RULINGS}"
                ));
            }
            let by = [is_code(file), is_test(file)];
            for (cited, _) in cited.iter_mut().zip(by).filter(|(_, by)| *by) {
                cited.insert(name.clone());
            }
        }
    }
    for (name, fields) in &rulings {
        for (cited, what) in cited.iter().zip(["code", "test"]) {
            if !cited.contains(name) {
                faults.push(format!("no {what} cites {name}"));
            }
        }
        let tests = fields.iter().find(|(field, _)| field == "Tests");
        faults.extend(faults_of_tests(
            name,
            tests.map_or("", |(_, text)| text),
            files,
        ));
    }
    faults
}

/// What is wrong with the tests a ruling names: `file`: "title", "title".
fn faults_of_tests(name: &str, tests: &str, files: &BTreeMap<String, String>) -> Vec<String> {
    let mut faults = Vec::new();
    let mut cites_it = false;
    let mut named = 0;
    for part in tests.split("- `").skip(1) {
        let (file, titles) = part.split_once('`').unwrap_or((part, ""));
        let Some(text) = files.get(file) else {
            faults.push(format!("{name}: there is no file {file}"));
            continue;
        };
        cites_it |= citations(text).contains(name);
        for title in titles.split('"').skip(1).step_by(2) {
            named += 1;
            let is_there = match file.ends_with(".rs") {
                true => text.contains(&format!("fn {title}()")),
                false => text
                    .lines()
                    .any(|line| line.strip_prefix("= ") == Some(title)),
            };
            if !is_there {
                faults.push(format!("{name}: {file} has no test `{title}`"));
            }
        }
    }
    if named == 0 || !cites_it {
        faults.push(format!("{name}: no file of its tests cites it"));
    }
    faults
}

#[test]
fn every_ruling_has_a_heading_and_every_heading_a_test() {
    let files = files();
    assert!(files.len() > 500, "only {} files were found", files.len());
    none_of(&faults_of_citations(&files));
}

/// The comments of a file and the titles of its records, line by line.
fn remarks<'t>(file: &str, text: &'t str) -> Vec<(usize, &'t str)> {
    let lines = (1..).zip(text.lines());
    let remark = |(number, line): (usize, &'t str)| {
        let remark = match file.rsplit('.').next() {
            Some("rs") => line.split_once("//").map(|(_, remark)| remark),
            Some("ebnf") => {
                let is_example = line.contains("(* + ") || line.contains("(* - ");
                (!is_example && !line.contains(" = ") && !line.contains(" | ")).then_some(line)
            }
            Some("txt" | "epd") => line.strip_prefix('#').or_else(|| line.strip_prefix("= ")),
            _ => None,
        };
        Some((number, remark?))
    };
    lines.filter_map(remark).collect()
}

/// A label of a ruling as it used to be: `C7`, or `Q2` where it is no pin.
fn label(remark: &str) -> Option<&str> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    for (at, letter) in remark.match_indices(['C', 'M', 'A', 'F', 'Q']) {
        let digits = &remark[at + letter.len()..];
        let end = digits.find(|c| !is_letter(c)).unwrap_or(digits.len());
        let (number, after) = digits.split_at(end);
        let before = &remark[..at];
        // Squares and pins are in backquotes, or after `@`; articles of Meder's appendices follow their title.
        let is_named = before.matches('`').count() % 2 == 1
            || before.ends_with(|c| is_letter(c) || matches!(c, '@' | '"' | '\'' | '-'))
            || ["Meder ", "Article ", "Articles ", "Figure "]
                .into_iter()
                .any(|title| before.ends_with(title));
        let is_number = matches!(number.parse(), Ok(1..=11)) && !number.starts_with('0');
        // A pin is part of a sentence; a label follows it in brackets, or begins it.
        let is_pin = letter == "Q"
            && !before.ends_with(['(', ';'])
            && !after.starts_with([')', ':'])
            && !before.trim_end_matches(' ').ends_with([',', ';']);
        if is_number && !is_named && !is_pin {
            return Some(&remark[at..at + letter.len() + number.len()]);
        }
    }
    None
}

/// The number of a rule text, as `seed 00N` or `00N, 3.4`.
fn text_number(remark: &str) -> bool {
    let lower = remark.to_lowercase();
    let is_cited = |start: &str| {
        lower.match_indices(start).any(|(at, _)| {
            let rest = &lower[at + start.len()..];
            rest.starts_with(|c: char| c.is_ascii_digit())
        })
    };
    let is_short = lower.match_indices("00").any(|(at, _)| {
        let rest = &lower[at + 2..];
        let begins = lower[..at].is_empty() || lower[..at].ends_with([' ', '(']);
        begins && rest.starts_with(['0', '1', '2', '3', '4']) && rest[1..].starts_with([',', ';'])
    });
    is_cited("seed 00") || is_cited("seeds 00") || is_short
}

/// A label in a remark that is none of a ruling: the byte C2 of UTF-8.
const NO_LABELS: [(&str, &str); 1] = [("crates/archive/src/lex.rs", "C2")];

#[test]
fn no_label_without_a_meaning_is_left() {
    let mut faults = Vec::new();
    for (file, text) in files().iter().filter(|(file, _)| **file != THIS) {
        for (number, remark) in remarks(file, text) {
            if let Some(label) = label(remark)
                && !NO_LABELS.contains(&(&**file, label))
            {
                faults.push(format!("{file}:{number}: {label}: {}", remark.trim()));
            }
        }
        for (number, line) in (1..).zip(text.lines()) {
            let is_old = line.match_indices("uling").any(|(at, word)| {
                let rest = line[at + word.len()..].trim_start_matches(['s', ',', ' ']);
                let mut next = rest.chars();
                next.next().is_some_and(|c| c.is_ascii_uppercase())
                    && next.next().is_some_and(|c| c.is_ascii_digit())
            });
            let is_prose = [".rs", ".md", ".ebnf", ".txt", ".epd"];
            if is_old || is_prose.into_iter().any(|e| file.ends_with(e)) && text_number(line) {
                faults.push(format!("{file}:{number}: {}", line.trim()));
            }
        }
    }
    none_of(&faults);
}

/// Pages that a remark names are in the repository.
#[test]
fn pages_that_are_named_exist() {
    let files = files();
    let pages: BTreeSet<&str> = files
        .keys()
        .filter_map(|file| file.rsplit('/').next())
        .collect();
    let mut faults = Vec::new();
    for (file, text) in files.iter().filter(|(file, _)| **file != THIS) {
        let remarks = match file.ends_with(".md") {
            true => (1..).zip(text.lines()).collect(),
            false => remarks(file, text),
        };
        for (number, remark) in remarks {
            for (at, _) in remark.match_indices(".md") {
                let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
                let start = remark[..at].rfind(|c| !is_part(c)).map_or(0, |at| at + 1);
                let page = &remark[start..at + 3];
                if !pages.contains(page.trim_start_matches('.')) {
                    faults.push(format!("{file}:{number}: there is no {page}"));
                }
            }
        }
    }
    none_of(&faults);
}

/// Each check finds what it is for.
#[test]
fn every_check_can_fail() {
    let page = "## All\n\n### some-name\n\n- **Question**: Which?\n- **Decision**: This,\n  and that.\n\
                - **Texts**: Meder 1.1; WTDCF 1.2\n- **Reason**: So.\n- **Tests**:\n  - `tests/data/a.txt`: \"A title\"\n";
    let good = [
        (RULINGS, page),
        ("crates/a/src/b.rs", "// Why (ruling\n// some-name).\n"),
        ("tests/data/a.txt", "= A title\n# Ruling some-name.\n"),
    ];
    let files = |changed: (&str, &str)| -> BTreeMap<String, String> {
        let files = good.into_iter().chain([changed]);
        files
            .map(|(file, text)| (file.to_owned(), text.to_owned()))
            .collect()
    };
    assert_eq!(faults_of_citations(&files(good[0])), [""; 0]);
    for (file, text, fault) in [
        (
            "crates/a/src/b.rs",
            "// rulings some-name and other-name",
            "cites other-name",
        ),
        ("crates/a/src/b.rs", "// nothing", "no code cites some-name"),
        ("tests/data/a.txt", "= A title", "no test cites some-name"),
        (
            "tests/data/a.txt",
            "= Another\n# ruling some-name",
            "has no test `A title`",
        ),
        (
            RULINGS,
            &page.replace("some-name", "Some"),
            "no name of a ruling",
        ),
        (
            RULINGS,
            &page.replace("- **Reason**: So.\n", ""),
            "has the fields",
        ),
        (RULINGS, &page.replace("So.", ""), "Reason is empty"),
        (
            RULINGS,
            &page.replace("WTDCF", "Law"),
            "no title of a rule text",
        ),
        (
            RULINGS,
            &page.replace("data/a", "data/b"),
            "there is no file",
        ),
        (RULINGS, &page.repeat(2), "occurs twice"),
    ] {
        let faults = faults_of_citations(&files((file, text)));
        assert!(
            faults.iter().any(|found| found.contains(fault)),
            "{fault}: {faults:?}"
        );
    }
    for (remark, found) in [
        (" ruling C7, and", Some("C7")),
        (" 3.4(b), M4: two", Some("M4")),
        (" by the clock (Q5).", Some("Q5")),
        (" 4.5, Q5", Some("Q5")),
        (" Q2: two ranks", Some("Q2")),
        (" with a board on Q4, it", None),
        (" from `Q1` or `C2` to QL@Q3", None),
        (" Meder A8 and Article C4", None),
        (" the square 3A1, F12, M0", None),
    ] {
        assert_eq!(label(remark), found, "{remark}");
    }
    for (remark, found) in [
        (" Seed 003 names", true),
        ("(seeds 000 and 001)", true),
        ("by 000, 3.6: the", true),
        ("; 003, The Knight", true),
        (" 1,000, 2,000; seed 7", false),
        (" of seed 0", false),
    ] {
        assert_eq!(text_number(remark), found, "{remark}");
    }
}
