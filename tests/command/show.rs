//! `tridex show`: pictures, marks, colours.

use crate::program::fed;
use std::path::Path;
use std::process::Output;

fn show(folder: &Path, arguments: &[&str]) -> Output {
    fed(folder, &[&["show"], arguments].concat(), b"")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_picture_goes_to_a_file_or_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let options = [
        "--rules", "meder", "--view", "stand", "--size", "240", "--side", "black",
    ];
    let done = show(
        folder.path(),
        &[&options[..], &["--svg", "a.svg", "--png", "a.png"]].concat(),
    );
    assert!(done.status.success(), "{}", text(&done.stderr));
    let svg = std::fs::read(folder.path().join("a.svg")).unwrap();
    let png = std::fs::read(folder.path().join("a.png")).unwrap();
    assert!(text(&svg).contains("<title>meder, move 1: White to move</title>"));
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    // Width in the header of the PNG.
    assert_eq!(png.get(16..20), Some(&240u32.to_be_bytes()[..]));
    let again = show(folder.path(), &[&options[..], &["--svg", "-"]].concat());
    assert_eq!(again.stdout, svg);
    let again = show(folder.path(), &[&options[..], &["--png", "-"]].concat());
    assert_eq!(again.stdout, png);
}

#[test]
fn marks_are_drawn_and_wrong_ones_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let plain = show(folder.path(), &["--rules", "meder", "--svg", "-"]);
    let marks = [
        vec!["--highlight", "a5"],
        vec!["--highlight", "N@a1:R"],
        vec!["--arrow", "b1W-c3N:B"],
        vec!["--moves-of", "a1W"],
        vec!["--moves-of", "QL"],
    ];
    for mark in marks {
        let marked = show(
            folder.path(),
            &[&["--rules", "meder", "--svg", "-"][..], &mark].concat(),
        );
        assert!(marked.status.success(), "{}", text(&marked.stderr));
        // Nobody can move an attack board that holds four men.
        assert_eq!(
            marked.stdout == plain.stdout,
            mark == ["--moves-of", "QL"],
            "{mark:?}"
        );
    }
    for (option, wish, named) in [
        ("--highlight", "x9", "x9"),
        ("--highlight", "a5:X", "X"),
        ("--arrow", "b1W", "b1W"),
        ("--arrow", "a5-b1W", "a5"),
        ("--moves-of", "a1N", "a1N"),
    ] {
        let refused = show(
            folder.path(),
            &["--rules", "meder", "--svg", "-", option, wish],
        );
        assert_eq!(refused.status.code(), Some(2), "{wish}");
        assert!(refused.stdout.is_empty());
        assert!(
            text(&refused.stderr).contains(&format!("{named}: ")),
            "{wish}"
        );
    }
}

#[test]
fn the_name_of_a_file_cannot_break_out_of_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let name = "a<script>&\".txt";
    std::fs::write(folder.path().join(name), "1. c3W a6N 2. b4N\n").unwrap();
    let done = show(folder.path(), &[name, "--svg", "-"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let svg = text(&done.stdout);
    assert!(
        svg.contains("<title>a&lt;script&gt;&amp;&quot;.txt: meder, move 2: Black to move</title>")
    );
}

#[test]
fn colours_come_when_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("game.txt"), "1. c3W a6N 2. b4N\n").unwrap();
    let plain = show(folder.path(), &["game.txt"]);
    assert!(!plain.stdout.contains(&0x1b));
    let colored = show(folder.path(), &["game.txt", "--color", "always"]);
    // White's man has gone from a square, which is seen on the board and on the plan, and arrived on another.
    assert_eq!(text(&colored.stdout).matches("\x1b[7m").count(), 2);
    assert_eq!(text(&colored.stdout).matches("\x1b[1;33;7m").count(), 2);
}
