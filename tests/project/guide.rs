//! The guide, `crates/guide`: its commands are run, its pictures are those the program draws, its pages are complete.
//!
//! `TRIDEX_TEXTS=write cargo test --test tests guide` draws the pictures again and writes what the commands print now.

use super::readme::{agree, blocks, follow, printed, workplace};
use super::words::avoided;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of the guide.
fn guide(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("crates/guide")
        .join(name)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The pages that the table of contents lists, in its order.
fn pages() -> Vec<String> {
    let contents = read(&guide("src/SUMMARY.md"));
    let links = contents.split("](").skip(1);
    let pages: Vec<String> = links
        .map(|link| link.split(')').next().unwrap().to_owned())
        .collect();
    assert!(pages.len() >= 10, "{pages:?}");
    pages
}

/// The names of the files in a folder with an extension.
fn files(folder: &Path, extension: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let names = entries.map(|entry| entry.file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(extension)).collect()
}

/// Whether pictures and answers are written again instead of compared.
fn is_written() -> bool {
    std::env::var_os("TRIDEX_TEXTS").is_some_and(|value| value == "write")
}

/// A page with the present answers of its commands. An answer that is shortened stays shortened at the same line.
fn answered(text: &str, folder: &Path) -> String {
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    let mut kind = None;
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        if let Some(fence) = line.strip_prefix("```") {
            kind = kind.is_none().then(|| fence.to_owned());
        } else if kind.as_deref() == Some("sh") && line.starts_with("tridex ") {
            if !line.starts_with("tridex serve ") {
                printed(folder, line);
            }
        } else if kind.as_deref() == Some("console")
            && let Some(command) = line.strip_prefix("$ ")
        {
            let is_answer = |line: &&str| !line.starts_with("$ ") && !line.starts_with("```");
            let mut shown = Vec::new();
            while let Some(line) = lines.next_if(is_answer) {
                shown.push(line);
            }
            let (_, found) = printed(folder, command);
            let found: Vec<&str> = found.lines().map(str::trim_end).collect();
            let answer = match shown.iter().position(|line| *line == "...") {
                _ if agree(&shown, &found) => shown,
                Some(cut) if cut < found.len() => [&found[..cut], &["..."]].concat(),
                _ => found,
            };
            for line in answer {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}

/// Every page begins in its own folder with a copy of the corpus, so that it can be followed alone.
#[cfg(unix)]
#[test]
fn the_guides_commands_print_what_they_show() {
    use rayon::prelude::*;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if is_written() {
        for page in pages() {
            let file = guide("src").join(page);
            let text = answered(&read(&file), workplace(root).path());
            fs::write(file, text).unwrap();
        }
    }
    let counts: Vec<(u32, u32)> = pages()
        .par_iter()
        .map(|page| {
            let counts = follow(
                root,
                &Path::new("crates/guide/src").join(page),
                workplace(root).path(),
            );
            (counts.shown, counts.run)
        })
        .collect();
    let shown: u32 = counts.iter().map(|(shown, _)| shown).sum();
    let run: u32 = counts.iter().map(|(_, run)| run).sum();
    assert!(shown >= 60 && run >= 10, "{shown} {run}");
}

/// The pages are those of the table of contents, each begins with what its reader will be able to do, and its links and
/// pictures exist.
#[test]
fn the_guide_is_complete() {
    let pages = pages();
    let listed: BTreeSet<String> = pages.iter().cloned().collect();
    let mut there = files(&guide("src"), ".md");
    there.remove("SUMMARY.md");
    assert_eq!(listed, there);
    let mut shown = BTreeSet::new();
    for page in &pages {
        let text = read(&guide("src").join(page));
        let mut lines = text.lines().filter(|line| !line.is_empty());
        assert!(lines.next().unwrap().starts_with("# "), "{page}");
        assert!(
            lines.next().unwrap().starts_with("After this page you "),
            "{page}"
        );
        for link in text.split("](").skip(1) {
            let link = link.split(')').next().unwrap();
            if link.contains("://") {
                continue;
            }
            assert!(guide("src").join(link).exists(), "{page}: {link}");
            shown.extend(link.strip_prefix("pictures/").map(str::to_owned));
        }
    }
    assert_eq!(shown, files(&guide("src/pictures"), ".svg"));
}

/// The prose of the guide avoids the words that the rest of the project avoids.
#[test]
fn the_guide_is_in_plain_words() {
    for page in pages() {
        let text = read(&guide("src").join(&page));
        let code: BTreeSet<String> = blocks(&text).into_iter().flat_map(|b| b.lines).collect();
        let prose = text.lines().filter(|line| !code.contains(*line));
        let prose: Vec<&str> = prose.collect();
        let prose = prose.join("\n");
        // Every second part between backquotes is code.
        let plain: String = prose.split('`').step_by(2).collect();
        let found = avoided(&plain);
        assert!(found.is_empty(), "{page}: {found:?}");
        let longest = prose.lines().filter(|line| !line.starts_with(['|', '!']));
        let longest = longest.map(|line| line.chars().count()).max().unwrap();
        assert!(longest <= 130, "{page}: a line of {longest} characters");
    }
}

/// The pictures are those that `tridex show` draws with the options in `pictures.txt`.
#[cfg(unix)]
#[test]
fn the_guides_pictures_are_current() {
    let list = read(&guide("pictures.txt"));
    let folder = tempfile::tempdir().unwrap();
    let root = env!("CARGO_MANIFEST_DIR");
    let mut made = BTreeSet::new();
    let mut old = Vec::new();
    for line in list
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let (name, options) = line.split_once(' ').unwrap();
        let file = format!("{name}.svg");
        let drawn = folder.path().join(&file);
        let program = env!("CARGO_BIN_EXE_tridex");
        let command = format!("'{program}' show {options} --svg '{}'", drawn.display());
        let output = Command::new("sh")
            .args(["-c", &command])
            .current_dir(root)
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {message}");
        let committed = guide("src/pictures").join(&file);
        if is_written() {
            fs::copy(&drawn, &committed).unwrap();
        } else if fs::read(&drawn).unwrap() != fs::read(&committed).unwrap_or_default() {
            old.push(file.clone());
        }
        assert!(
            fs::metadata(&committed).unwrap().len() < 60_000,
            "{name} is too large"
        );
        assert!(made.insert(file), "{name} twice");
    }
    assert!(old.is_empty(), "not what is drawn today: {old:?}");
    assert_eq!(
        made,
        files(&guide("src/pictures"), ".svg"),
        "pictures.txt lists all of them"
    );
}
