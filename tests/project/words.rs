//! The words that comments, docs and messages avoid, because a plain word of the field says the same.
//!
//! All comments, docs and string literals of the crates in [`CRATES`], the text of their READMEs, and the comments of the
//! grammars are searched. What is right in one place is in [`ALLOWED`]. Names of types, functions, modules and files may
//! not be metaphors either: see [`METAPHORS`].

use std::collections::BTreeSet;
use std::fs::{read_dir, read_to_string};
use std::path::{Path, PathBuf};

/// The crates whose words have been revised.
const CRATES: [&str; 17] = [
    "archive", "words", "text", "grammar", "geometry", "export", "rules", "notation", "index",
    "core", "wasm", "python", "cli", "replay", "picture", "page", "server",
];

/// Words and phrases to avoid, with better ones.
const AVOIDED: [(&str, &str); 54] = [
    ("told", "reported"),
    ("tell", "report"),
    ("tells", "reports"),
    ("telling", "reporting"),
    ("says", "states, has"),
    ("said", "stated"),
    ("whatever", "every, regardless of"),
    ("whoever", "who"),
    ("whichever", "any"),
    ("stands", "is"),
    ("stand", "are"),
    ("behind", "after"),
    ("beside", "next to, besides"),
    ("anew", "again"),
    ("mended", "corrected"),
    ("nought", "zero"),
    ("noughts", "zeros"),
    ("odd", "unusual"),
    ("men", "pieces"),
    ("lest", "so that ... not"),
    ("nobody", "no one, nothing"),
    ("kept", "stored"),
    ("asked", "requested"),
    ("hears", "receives"),
    ("foresee", "predict"),
    ("unfold", "decompress"),
    ("unfolds", "decompresses"),
    ("unfolded", "decompressed"),
    ("a further", "another"),
    ("as it stands", "unchanged"),
    ("broke off", "ended"),
    ("fell short", "failed"),
    ("go on", "continue"),
    ("goes on", "continues"),
    ("gone through", "read"),
    ("hangs on", "depends on"),
    ("has no say", "does not affect"),
    ("in figures", "numeric"),
    ("in passing", "en passant"),
    ("is none of", "is not one of"),
    ("left alone", "not changed"),
    ("left aside", "ignored"),
    ("left out", "omitted, skipped"),
    ("look at", "read, examine"),
    ("looked at", "read, examined"),
    ("looked for", "searched"),
    ("of ours", "our"),
    ("passed over", "skipped"),
    ("so many", "N, this number of"),
    ("taken for", "read as"),
    ("the other way round", "reversed"),
    ("what becomes of", "the result of"),
    ("what came of", "the result of"),
    ("who asks", "the caller"),
];

/// Where one of these words is right: a part of a file's path, the word, and a part of the line.
const ALLOWED: [(&str, &str, &str); 23] = [
    ("geometry/src/stair/pin.rs", "behind", "in front of it"),
    ("geometry/src/stair/pin.rs", "odd", "odd below the board"),
    // The name of a view.
    ("python/README.md", "stand", "view=\"stand\""),
    ("python/src/position.rs", "stand", "stand"),
    ("cli/commands/show.rs", "stand", "stand"),
    ("picture/src/lib.rs", "stand", "*stand*"),
    ("picture/src/lib.rs", "stand", "View::Stand"),
    ("picture/README.md", "stand", "*stand*"),
    ("tests/gallery/pictures.rs", "stand", "stand"),
    ("server/", "stand", "stand view"),
    ("server/", "stand", "Stand"),
    ("server/", "stand", "-stand"),
    ("server/", "stand", "=stand"),
    ("server/src/board.rs", "stand", "stand"),
    ("server/src/params.rs", "stand", "stand"),
    ("server/tests/site/flows.rs", "stand", "stand"),
    ("server/tests/site/clicks.rs", "stand", "stand"),
    ("page/README.md", "stand", "`\"Stand\"`"),
    // A class of elements.
    ("picture/src/svg.rs", "men", "men"),
    ("wasm/tests/page.rs", "men", ".tx-men"),
    ("server/tests/site/", "men", ".tx-men"),
    (
        "replay/src/collection/generate/annotate.rs",
        "nobody",
        "Nobody has ever played this.",
    ),
    // Names of counts, which programs read.
    ("cli/commands/dedupe.rs", "kept", "kept"),
];

/// Words that names of types, functions, constants, modules and files may not contain, with better ones.
const METAPHORS: [(&str, &str); 19] = [
    ("scribe", "builder, writer"),
    ("stretches", "per game"),
    ("border", "ffi, boundary"),
    ("growing", "builder"),
    ("steering", "notation tags"),
    ("wish", "detail, request"),
    ("sameness", "match"),
    ("intake", "unchanged, stamps"),
    ("sift", "filter"),
    ("seal", "checksum"),
    ("sealed", "with checksum"),
    ("unsealed", "without checksum"),
    ("hole", "deleted"),
    ("room", "space, capacity"),
    ("rooms", "modules, layers"),
    ("seam", "boundary"),
    ("seams", "boundaries"),
    ("survey", "statistics"),
    ("surveys", "statistics"),
];

/// Names that are metaphors only as a whole.
const WHOLE_METAPHORS: [(&str, &str); 4] = [
    ("look", "test, compare"),
    ("looks", "intervals, attempts"),
    ("places", "positions, limits"),
    ("question", "query, plan"),
];

/// Names that are metaphors and stay for now: a part of the path, and the name.
const ALLOWED_NAMES: [(&str, &str); 1] = [
    // Words of drawing.
    ("picture/src/svg/artist.rs", "look"),
];

/// The avoided words of a text, which may be of any kind.
pub(crate) fn avoided(text: &str) -> Vec<(&'static str, &'static str)> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let text = format!(" {} ", words.join(" "));
    let found = AVOIDED
        .iter()
        .filter(|(word, _)| text.contains(&format!(" {word} ")));
    found.copied().collect()
}

/// The length of a string literal of Rust at the start of a text, and its content.
fn literal(text: &str) -> Option<(usize, &str)> {
    let body = text.strip_prefix('b').unwrap_or(text);
    if let Some(raw) = body.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let inside = raw[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        let length = inside.find(&end)?;
        let before = text.len() - inside.len();
        return Some((before + length + end.len(), &inside[..length]));
    }
    let inside = body.strip_prefix('"')?;
    let mut escaped = false;
    let length = inside.find(|c| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    })?;
    Some((text.len() - inside.len() + length + 1, &inside[..length]))
}

/// The comments and the string literals of a file of Rust, each with the number of its line. The lines of a paragraph of
/// comments are one text, since a phrase may continue on the next line.
fn texts(code: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let (mut at, mut counted, mut line, mut last_comment) = (0, 0, 1, 0);
    while let Some(c) = code[at..].chars().next() {
        let rest = &code[at..];
        line += code[counted..at].matches('\n').count();
        counted = at;
        let is_in_name = code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if rest.starts_with("//") {
            let comment = rest.split('\n').next().unwrap();
            let text = comment.trim_start_matches(['/', '!']).trim();
            match found.last_mut() {
                Some((_, before)) if last_comment + 1 == line && !text.is_empty() => {
                    *before += " ";
                    *before += text;
                }
                _ => found.push((line, text.to_owned())),
            }
            last_comment = line;
            at += comment.len();
        } else if let Some((length, inside)) = literal(rest).filter(|_| !is_in_name) {
            // Escapes are not words.
            let inside = inside.replace("\\n", " ").replace('\\', " ");
            found.push((line, inside));
            at += length;
        } else if ["'\"'", "'\\\"'"]
            .iter()
            .any(|quote| rest.starts_with(quote))
        {
            at += rest[1..].find('\'').unwrap() + 2;
        } else {
            at += c.len_utf8();
        }
    }
    found
}

/// The comments of a grammar, without the examples among them, each with the number of its line.
fn comments(grammar: &str) -> Vec<(usize, String)> {
    let starts = grammar.match_indices("(*");
    let comments = starts.filter_map(|(at, _)| {
        let comment = grammar[at + 2..].split("*)").next()?.trim();
        let is_example = comment.starts_with("+ ") || comment.starts_with("- ");
        // What is quoted is an example too.
        let text: String = comment.split('"').step_by(2).collect();
        (!is_example).then(|| (grammar[..at].matches('\n').count() + 1, text))
    });
    comments.collect()
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path
            .extension()
            .is_some_and(|kind| kind == "rs" || kind == "ebnf")
        {
            found.push(path);
        }
    }
}

#[test]
fn crates_avoid_words_that_a_reader_has_to_guess() {
    let mut wrong = Vec::new();
    let mut unused: BTreeSet<_> = ALLOWED.into_iter().collect();
    let mut searched = 0;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = CRATES.map(|name| root.join("crates").join(name));
    for folder in folders.into_iter().chain([root.join("grammars")]) {
        let mut paths = Vec::new();
        files(&folder, &mut paths);
        let readme = folder.join("README.md");
        paths.extend(readme.is_file().then_some(readme));
        for path in paths {
            let file = read_to_string(&path).unwrap();
            let texts = match path.extension() {
                Some(kind) if kind == "md" => vec![(1, file)],
                Some(kind) if kind == "ebnf" => comments(&file),
                _ => texts(&file),
            };
            searched += texts.len();
            for (line, text) in texts {
                for (word, better) in avoided(&text) {
                    let allowed = ALLOWED.into_iter().find(|(part_of_path, allowed, part)| {
                        path.to_string_lossy().contains(part_of_path)
                            && *allowed == word
                            && text.contains(part)
                    });
                    match allowed {
                        Some(allowed) => {
                            unused.remove(&allowed);
                        }
                        None => {
                            wrong.push(format!("{}:{line}: {word} -> {better}", path.display()))
                        }
                    }
                }
            }
        }
    }
    assert!(searched > 3_000, "{searched}");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(unused.is_empty(), "not needed: {unused:?}");
}

#[test]
fn a_word_is_found_in_comments_and_literals_and_not_in_code() {
    let code = "/// It is\n/// told.\n\nfn told() -> char { '\"' } // said\nlet a = r#\"whatever \"stands\"\"#; b\"so\\nmany\"; \"\\\"odd\"";
    let found: Vec<_> = texts(code)
        .iter()
        .flat_map(|(line, text)| avoided(text).into_iter().map(|(word, _)| (*line, word)))
        .collect();
    assert_eq!(
        found,
        [
            (1, "told"),
            (4, "said"),
            (5, "whatever"),
            (5, "stands"),
            (5, "so many"),
            (5, "odd")
        ]
    );
}

/// The words of a name: `GameEntry` has `game` and `entry`, as `game_entry` has.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        let begins_word = c.is_uppercase() && !before.is_uppercase();
        if begins_word || c == '_' {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c != '_') {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The metaphor in a name, with a better word.
fn metaphor(name: &str) -> Option<(&'static str, &'static str)> {
    let words = words_of(name);
    let is_part = |(word, _): &(&str, &str)| words.iter().any(|part| part == word);
    let is_whole = |(word, _): &(&str, &str)| words == [*word];
    let part = METAPHORS.into_iter().find(is_part);
    part.or_else(|| WHOLE_METAPHORS.into_iter().find(is_whole))
}

/// The names that a file of Rust declares, without those of its tests.
fn declared(code: &str) -> Vec<&str> {
    const KINDS: [&str; 9] = [
        "struct", "enum", "union", "trait", "type", "fn", "const", "static", "mod",
    ];
    let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let mut names = Vec::new();
    for line in code.lines() {
        let line = line.split("//").next().unwrap();
        let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let pairs = words.windows(2).filter(|pair| KINDS.contains(&pair[0]));
        names.extend(pairs.map(|pair| pair[1]));
    }
    names
}

#[test]
fn names_are_not_metaphors() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut wrong, mut searched) = (Vec::new(), 0);
    let mut unused: BTreeSet<_> = ALLOWED_NAMES.into_iter().collect();
    let mut paths = Vec::new();
    files(&root.join("crates"), &mut paths);
    for path in paths {
        let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
        let is_skipped = ["tests", "tests.rs", "benches", "examples", "target"];
        if parts.iter().any(|part| is_skipped.contains(part)) {
            continue;
        }
        let code = read_to_string(&path).unwrap();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let names = declared(&code);
        searched += names.len();
        for name in names.into_iter().chain([stem]) {
            let Some((word, better)) = metaphor(name) else {
                continue;
            };
            let is_allowed = |(part, allowed): &&(&str, &str)| {
                path.to_string_lossy().contains(part) && words_of(name).join("_") == *allowed
            };
            match ALLOWED_NAMES.iter().find(is_allowed) {
                Some(allowed) => {
                    unused.remove(allowed);
                }
                None => wrong.push(format!("{}: {name}: {word} -> {better}", path.display())),
            }
        }
    }
    assert!(searched > 4_000, "{searched}");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(unused.is_empty(), "not needed: {unused:?}");
}

#[test]
fn a_metaphor_is_found_in_every_form_of_a_name() {
    let code = "pub(crate) struct GrowingTable;\nfn is_seam() {}\nconst SEAM_HEAD: u8 = 1; // fn survey\nmod tests;";
    let found: Vec<_> = declared(code).into_iter().filter_map(metaphor).collect();
    let words: Vec<&str> = found.iter().map(|(word, _)| *word).collect();
    assert_eq!(words, ["growing", "seam", "seam"]);
    assert_eq!(metaphor("Look").map(|(word, _)| word), Some("look"));
    assert_eq!(metaphor("looks_like_move"), None);
    assert_eq!(metaphor("SearchRequest"), None);
}
