//! `tridex convert --format html`: a page that plays games through. What a browser makes of it is looked at by the crate
//! of the pages.

use crate::program::fed;
use std::path::Path;
use std::process::Output;

fn page(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    fed(
        folder,
        &[&["convert", "--format", "html"], arguments].concat(),
        input,
    )
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// How many games a page has.
fn games(page: &str) -> usize {
    page.matches("<article ").count()
}

const GAME: &[u8] =
    b"[White \"Kirk\"]\n[Variant \"meder\"]\n\n1. c3W {quiet} a6N (1... a5B 2. b4N) 2. b4N 1-0\n";

#[test]
fn games_of_all_systems_stand_on_one_page_the_same_on_any_number_of_threads() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let made = |threads: &str| {
        page(
            root,
            &["corpus/games/generated", "--to", "own", "-j", threads],
            b"",
        )
    };
    let one = made("1");
    assert!(one.status.success(), "{}", text(&one.stderr));
    assert_eq!(one.stdout, made("4").stdout);
    let page = text(&one.stdout);
    assert!(games(&page) > 20, "{}", games(&page));
    for notation in ["meder", "manual", "millennium", "chess3"] {
        assert!(
            page.contains(&format!("\"notations\":[\"{notation}\"")),
            "{notation}"
        );
    }
    assert!(page.contains("<title>generated</title>"));
}

#[test]
fn the_moves_are_written_as_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    for (options, word) in [
        (&["--to", "meder"][..], ">1. c3W "),
        (&["--to", "manual"], ">1. d3,WB-d4,WB "),
        (&["--to", "meder", "--to-locale", "de"], ">1. c3W "),
    ] {
        let done = page(folder.path(), &[&["-"][..], options].concat(), GAME);
        assert!(done.status.success(), "{}", text(&done.stderr));
        let page = text(&done.stdout);
        assert!(page.contains(word), "{word}");
        assert!(page.contains("<span class=\"tx-comment\">quiet</span>"));
        assert!(page.contains("Kirk \u{2013} ?, 1\u{2013}0"));
    }
    let knight = b"[Variant \"meder\"]\n\n1. Nc3W *\n";
    for (options, word) in [
        (&["--to", "meder", "--to-locale", "de"][..], ">1. Sc3W "),
        (&["--to", "meder", "--figurines"], ">1. \u{2658}c3W "),
    ] {
        let done = page(folder.path(), &[&["-"][..], options].concat(), knight);
        assert!(
            text(&done.stdout).contains(word),
            "{word}: {}",
            text(&done.stderr)
        );
    }
}

#[test]
fn games_that_break_off_are_shown_up_to_there_or_left_out_and_other_boards_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let broken =
        b"[Variant \"meder\"]\n\n1. c3W a6N 2. Qz9 b5N *\n\n[Variant \"meder\"]\n\n1. b4N *\n";
    let kept = page(folder.path(), &["-", "--to", "meder"], broken);
    assert_eq!(kept.status.code(), Some(1));
    let shown = text(&kept.stdout);
    assert_eq!(games(&shown), 2);
    assert!(shown.contains("<dt>Unreadable</dt><dd>after ply 2: Qz9</dd>"));
    assert!(shown.contains("<span class=\"tx-word\">Qz9</span>"));
    let dropped = page(
        folder.path(),
        &["-", "--to", "meder", "--invalid", "drop"],
        broken,
    );
    assert_eq!(games(&text(&dropped.stdout)), 1);
    let other = page(folder.path(), &["-", "--to", "millennium"], GAME);
    assert_eq!(other.status.code(), Some(1));
    assert_eq!(games(&text(&other.stdout)), 0);
    assert!(text(&other.stdout).contains("There is no game on this page."));
    assert!(text(&other.stderr).contains("cannot be written in this notation"));
}

#[test]
fn a_page_holds_a_thousand_games() {
    let folder = tempfile::tempdir().unwrap();
    let many = b"[Variant \"meder\"]\n\n1. c3W *\n\n".repeat(1001);
    let done = page(
        folder.path(),
        &["-", "--to", "meder", "-o", "many.html"],
        &many,
    );
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
    assert!(
        text(&done.stderr).contains(
            "an HTML page holds at most 1000 games; the remaining games were not written"
        )
    );
    let written = std::fs::read_to_string(folder.path().join("many.html")).unwrap();
    assert_eq!(games(&written), 1000);
    assert!(written.ends_with("</html>\n"));
    let exact = page(
        folder.path(),
        &["-", "--to", "meder"],
        &b"[Variant \"meder\"]\n\n1. c3W *\n\n".repeat(1000),
    );
    assert!(exact.status.success(), "{}", text(&exact.stderr));
}
