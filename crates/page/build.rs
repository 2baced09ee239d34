//! Puts the scripts of `web` together: each entry and the modules that it imports, in the order of their imports, become one
//! classic script. Pages that are opened from disk cannot load modules. Scripts and style
//! sheets lose the blanks and comments that mean nothing.
//!
//! It uses the standard library alone, so that `crates/wasm/build` can compile it by itself.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The scripts and their entries.
const SCRIPTS: [(&str, &str); 4] = [
    ("viewer.js", "viewer/index.js"),
    ("site.js", "site/index.js"),
    ("game.js", "site/game.js"),
    ("sheet.js", "sheet/index.js"),
];

fn main() {
    let folder = |name| PathBuf::from(env::var_os(name).unwrap_or_else(|| panic!("no {name}")));
    let (web, out) = (folder("CARGO_MANIFEST_DIR").join("web"), folder("OUT_DIR"));
    println!("cargo::rerun-if-changed=web");
    for (name, entry) in SCRIPTS {
        let mut bundle = Bundle::default();
        let script = match bundle.add(&web, entry, &mut Vec::new()) {
            Ok(()) => format!("\"use strict\";\n(() => {{\n{}}})();\n", bundle.text),
            Err(why) => panic!("{name}: {why}"),
        };
        fs::write(out.join(name), script).unwrap_or_else(|why| panic!("{name}: {why}"));
    }
    let source = folder("CARGO_MANIFEST_DIR").join("src");
    for name in ["viewer.css", "page.css"] {
        println!("cargo::rerun-if-changed=src/{name}");
        let text = fs::read_to_string(source.join(name));
        let text = text.unwrap_or_else(|why| panic!("{name}: {why}"));
        fs::write(out.join(name), compact_style(&text))
            .unwrap_or_else(|why| panic!("{name}: {why}"));
    }
}

/// A style sheet without comments and without blanks that mean nothing. Ours have neither in texts.
fn compact_style(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        out += before;
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out += rest;
    let lines = out.lines().map(str::trim).filter(|line| !line.is_empty());
    let out = lines.collect::<Vec<_>>().join("\n");
    let pairs = [
        (" { ", "{"),
        ("; ", ";"),
        (": ", ":"),
        (", ", ","),
        (";}", "}"),
        (" }", "}"),
    ];
    let short = |text: String, (long, short): (&str, &str)| text.replace(long, short);
    pairs.into_iter().fold(out + "\n", short)
}

/// The modules that are put together.
#[derive(Default)]
struct Bundle {
    text: String,
    /// The modules that are in `text`.
    added: Vec<String>,
    /// Where each name is declared that is visible to all modules: they share one function.
    names: BTreeMap<String, String>,
}

impl Bundle {
    /// Adds a module after those that it imports. `path` is its path in `web`, and `outer` has the modules that are being
    /// added.
    fn add(&mut self, web: &Path, path: &str, outer: &mut Vec<String>) -> Result<(), String> {
        if self.added.iter().any(|added| added == path) {
            return Ok(());
        }
        if outer.iter().any(|other| other == path) {
            return Err(format!("{path} imports itself, by {}", outer.join(", ")));
        }
        outer.push(path.to_owned());
        let source = fs::read_to_string(web.join(path)).map_err(|why| format!("{path}: {why}"))?;
        let mut text = String::new();
        let (mut is_comment, mut is_template) = (false, false);
        for line in source.lines() {
            let start = line.trim_start();
            if is_template {
                is_template = !ends_template(line);
                text.push_str(line);
                text.push('\n');
                continue;
            }
            // Comments of whole lines: readers of the pages do not need them.
            if is_comment || start.starts_with("/**") {
                is_comment = !start.ends_with("*/");
                continue;
            }
            if start.is_empty() || start.starts_with("//") {
                continue;
            }
            if let Some(imported) = line.strip_prefix("import ") {
                self.add(web, &imported_path(path, imported)?, outer)?;
                continue;
            }
            let line = match line.strip_prefix("export ") {
                Some(line) if line.starts_with("default") || line.starts_with(['{', '*']) => {
                    return Err(format!("{path}: this export is not known here: {line}"));
                }
                Some(line) => line,
                None => line,
            };
            for name in declared(line) {
                if let Some(other) = self.names.insert(name.to_owned(), path.to_owned()) {
                    return Err(format!("{path} and {other} both declare {name}"));
                }
            }
            is_template = ends_template(line);
            compact_script(&without_types(line.trim_start()), &mut text);
            text.push('\n');
        }
        outer.pop();
        self.text.push_str(&text);
        self.added.push(path.to_owned());
        Ok(())
    }
}

/// A line without the types in it, which are comments from `/**` to `*/`.
fn without_types(line: &str) -> String {
    let mut parts = line.split("/**");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once("*/") {
            Some((_, rest)) => text.push_str(rest),
            None => {
                text.push_str("/**");
                text.push_str(part);
            }
        }
    }
    text
}

/// Appends a line of a script without the blanks that mean nothing. Strings, templates and regular expressions stay as they are.
/// A line that does not end its template stays as it is from there.
fn compact_script(line: &str, out: &mut String) {
    let is_word = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '$');
    let mut rest = line;
    while let Some(sign) = rest.chars().next() {
        let last = out.chars().next_back().unwrap_or('\n');
        let is_regex = || {
            let before = out.trim_end_matches(' ');
            before.ends_with([
                '\n', '(', ',', '=', ':', '[', '!', '&', '|', '?', '{', '}', ';', '>',
            ]) || before.ends_with("return")
        };
        let length = match sign {
            '"' | '\'' | '`' => literal(rest, sign),
            '/' if is_regex() => literal(rest, '/'),
            ' ' => {
                let next = rest.trim_start_matches(' ').chars().next();
                // `a + +b` and `a - -b` differ from `a ++b` and `a --b`.
                let is_needed = next.is_some_and(|next| {
                    is_word(last) && is_word(next)
                        || last == next && matches!(next, '+' | '-' | '/')
                });
                if is_needed {
                    out.push(' ');
                }
                rest = rest.trim_start_matches(' ');
                continue;
            }
            sign => sign.len_utf8(),
        };
        let (part, after) = rest.split_at(length);
        out.push_str(part);
        rest = after;
    }
}

/// The length of the string, template or regular expression at the beginning of a text.
fn literal(text: &str, end: char) -> usize {
    let (mut is_class, mut depth) = (false, 0);
    let mut signs = text.char_indices().skip(1).peekable();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '\\' => drop(signs.next()),
            '[' if end == '/' => is_class = true,
            ']' if end == '/' => is_class = false,
            '$' if end == '`' && signs.peek().is_some_and(|(_, next)| *next == '{') => depth += 1,
            '}' if depth > 0 => depth -= 1,
            // A string or a template in a template.
            '"' | '\'' | '`' if depth > 0 => {
                let inner = at + literal(text.get(at..).unwrap_or_default(), sign);
                while signs.next_if(|(at, _)| *at < inner).is_some() {}
            }
            _ if sign == end && !is_class && depth == 0 => return at + sign.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// Whether a line begins a template that it does not end, or ends one that began before.
fn ends_template(line: &str) -> bool {
    let escaped = line.matches("\\`").count();
    (line.matches('`').count() - escaped) % 2 == 1
}

/// The path in `web` of a module that `path` imports: `{ a, b } from "./other.js";`.
fn imported_path(path: &str, imported: &str) -> Result<String, String> {
    let unknown = || format!("{path}: this import is not known here: {imported}");
    let (names, from) = imported.split_once(" from \"").ok_or_else(unknown)?;
    let from = from.strip_suffix("\";").ok_or_else(unknown)?;
    if !names.starts_with('{') || names.contains(" as ") {
        return Err(unknown());
    }
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in from.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop().ok_or_else(unknown)?;
            }
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}

/// The names that a line declares for the whole module.
fn declared(line: &str) -> Vec<&str> {
    let kinds = ["const ", "let ", "class ", "function ", "async function "];
    let Some(rest) = kinds.iter().find_map(|kind| line.strip_prefix(kind)) else {
        return Vec::new();
    };
    let is_name = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '$';
    let names = match rest.strip_prefix(['[', '{']) {
        Some(list) => list.split([']', '}']).next().unwrap_or_default(),
        None => rest.split(|sign| !is_name(sign)).next().unwrap_or_default(),
    };
    let names = names.split(',').map(str::trim);
    names.filter(|name| !name.is_empty()).collect()
}
