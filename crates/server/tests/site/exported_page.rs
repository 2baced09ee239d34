//! The page, in a real browser: opened from disk, played through, looked at.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tridex_archive::{Game, Limits, game, pgn};
use tridex_browser::Browser;
use tridex_notation::Notation;
use tridex_page::{PageGame, PageWriter, Spelling};
use tridex_replay::{Options, replay_with};

/// A name that would like to be markup.
const HOSTILE: &str =
    "</script><script>document.title='caught'</script><img src=x onerror=alert(1)>'&\u{202e}";

/// Everything that a page shows in one game: comments, a clock, judgements, marks in both colours, variations in variations.
fn annotated() -> String {
    format!(
        "[White \"{HOSTILE}\"]\n[Black \"Uhura\"]\n[Event \"Ten Forward Open\"]\n[Date \"2024.05.??\"]\n\
         [Variant \"meder\"]\n[Result \"1-0\"]\n\n\
         1. c3W {{quiet [%csl Rc3W,Ga6][%cal Gb1Wc3N,Bc3Wc4W] [%clk 1:29:58]}} a6N $5 (1... a5B {{{HOSTILE}}} 2. b4N (2. b3W \
         b5B) b5B) 2. b4N! b5B 1-0\n"
    )
}

fn games(text: &str) -> Vec<Game<'static>> {
    game::collect(|reader| pgn::read_games(text.as_bytes(), 0, &Limits::default(), reader))
}

fn corpus(name: &str, skip: usize, take: usize) -> Vec<Game<'static>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games");
    let text = std::fs::read_to_string(root.join(name)).unwrap();
    games(&text).into_iter().skip(skip).take(take).collect()
}

/// A page of games on disk.
fn page(folder: &TempDir, games: &[Game<'_>], notation: Notation) -> PathBuf {
    let file = folder.path().join("a page.html");
    let mut page = PageWriter::new(std::fs::File::create(&file).unwrap(), HOSTILE).unwrap();
    for game in games {
        let shown = replay_with(game, &Options::default(), |played| {
            PageGame::new(played, Spelling::of(notation))
        });
        page.add(&shown.unwrap()).unwrap();
    }
    page.finish().unwrap().flush().unwrap();
    file
}

fn now(browser: &mut Browser) -> String {
    browser.text("document.querySelector('.tx-now').textContent")
}

fn men(browser: &mut Browser) -> u64 {
    let men = browser.eval("document.querySelectorAll('.tx-men use').length");
    men.as_u64().unwrap_or_default()
}

/// Nothing went wrong, and nothing but the file was asked for.
fn is_quiet(browser: &mut Browser) {
    assert_eq!(browser.faults(), Vec::<String>::new());
    for url in browser.requests() {
        assert!(url.starts_with("file:///"), "{url}");
    }
}

#[test]
fn a_game_is_played_through_by_keyboard_and_by_clicks() {
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = page(&folder, &games(&annotated()), Notation::Meder);
    browser.open_file(&file, "");
    assert!(now(&mut browser).starts_with("start position \u{b7} White to move"));
    assert_eq!(men(&mut browser), 32);
    browser.screenshot("page-start");
    // Nothing jumped while the page came up.
    let jumps = browser.eval(
        "new Promise((done) => { const found = []; new PerformanceObserver((list) => found.push(...list.getEntries())) \
         .observe({type: 'layout-shift', buffered: true}); setTimeout(() => done(found.map((e) => e.value)), 300); })",
    );
    assert_eq!(jumps, serde_json::json!([]));
    // The column under the mouse is marked on every board: that of a knight at the corner, on two.
    let at = browser.middle(".tx-men use[href='#wN']");
    browser.hover(at);
    browser.wait("document.querySelectorAll('.tx-column polygon').length === 4");
    browser.screenshot("page-column");
    browser.hover((at.0, 5.0));
    browser.wait("document.querySelectorAll('.tx-column polygon').length === 0");
    browser.key("ArrowRight");
    let said = now(&mut browser);
    assert!(
        said.starts_with("1. c3W \u{b7} Black to move") && said.contains("quiet"),
        "{said}"
    );
    browser.screenshot("page-marks");
    browser.key("ArrowRight");
    assert!(now(&mut browser).starts_with("1... a6N!? "));
    // The variation, and back.
    browser.key("ArrowDown");
    assert!(now(&mut browser).starts_with("1... a5B "));
    browser.key("ArrowRight");
    browser.key("ArrowDown");
    assert!(now(&mut browser).starts_with("2. b3W "));
    browser.screenshot("page-variation");
    browser.key("Home");
    browser.key("End");
    assert!(now(&mut browser).starts_with("2... b5B "));
    browser.click(".tx-back");
    assert!(now(&mut browser).starts_with("2. b4N! "));
    browser.click("a[data-n='1']");
    assert!(now(&mut browser).starts_with("1. c3W"));
    let here = browser.text("document.querySelector('[aria-current]').id");
    assert_eq!(here, "tx-g1m1");
    // The other notation, on the board too.
    browser.eval(
        "(() => { const s = document.querySelector('.tx-notation'); s.value = '1'; \
                  s.dispatchEvent(new Event('change', {bubbles: true})); })()",
    );
    assert!(now(&mut browser).starts_with("1. d3,WB-d4,WB "));
    assert_eq!(
        browser.text("document.querySelector('#tx-g1m1').textContent"),
        "d3,WB-d4,WB"
    );
    browser.key("v");
    browser.key("f");
    browser.click(".tx-dark");
    assert_eq!(men(&mut browser), 32);
    browser.screenshot("page-stand-black-dark");
    is_quiet(&mut browser);
    // What the names wished did not happen.
    assert_eq!(
        browser
            .text("document.title")
            .replace('\u{fffd}', "\u{202e}"),
        HOSTILE
    );
    assert_eq!(browser.eval("document.images.length"), 0);
}

#[test]
fn every_board_is_shown_from_everywhere_and_nobody_is_shut_out() {
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    // White's boards at the sides, below other boards; a cube.
    for (system, notation, skip, ply) in [
        ("meder", Notation::Meder, 1, 88),
        ("manual", Notation::Manual, 2, 60),
        ("federation", Notation::Meder, 0, 40),
        ("millennium", Notation::Millennium, 0, 30),
        ("chess3", Notation::Chess3, 1, 30),
    ] {
        let games = corpus(&format!("generated/{system}.pgn"), skip, 1);
        let file = page(&folder, &games, notation);
        browser.size(1280, 900);
        browser.dark(false);
        browser.open_file(&file, "");
        for _ in 0..ply {
            browser.key("ArrowRight");
        }
        browser.screenshot(&format!("page-{system}-flat"));
        let flat = browser.text("document.querySelector('.tx-now').textContent");
        let standing = men(&mut browser);
        assert!(flat.contains("to move"), "{flat}");
        browser.key("v");
        browser.screenshot(&format!("page-{system}-stand"));
        assert_eq!(men(&mut browser), standing);
        // Every board has its squares on the picture.
        let boards = browser.eval(
            "(() => { const box = document.querySelector('.tx-board').getBoundingClientRect(); \
             return [...document.querySelectorAll('.tx-boards use, .tx-men use')].filter((part) => { \
             const r = part.getBoundingClientRect(); return r.left < box.left - 1 || r.right > box.right + 1 || \
             r.top < box.top - 1 || r.bottom > box.bottom + 1; }).length; })()",
        );
        assert_eq!(boards, 0, "{system}: parts beyond the edge");
        for is_dark in [false, true] {
            browser.dark(is_dark);
            if let Some(faults) = browser.axe() {
                assert_eq!(faults, Vec::<String>::new(), "{system}");
            }
        }
        is_quiet(&mut browser);
    }
}

#[test]
fn a_telephone_shows_it_in_a_column_and_a_finger_turns_the_moves() {
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let games = corpus("generated/meder.pgn", 1, 3);
    let file = page(&folder, &games, Notation::Meder);
    browser.phone(390, 844);
    browser.open_file(&file, "#g1m3");
    let before = now(&mut browser);
    browser.screenshot("page-telephone");
    let (x, y) = browser.middle(".tx-board");
    browser.swipe((x + 80.0, y), (x - 80.0, y + 5.0));
    let after = now(&mut browser);
    assert_ne!(before, after);
    browser.swipe((x - 80.0, y), (x + 80.0, y - 5.0));
    assert_eq!(now(&mut browser), before);
    // A finger that scrolls the page turns nothing.
    browser.swipe((x, y + 60.0), (x + 10.0, y - 60.0));
    assert_eq!(now(&mut browser), before);
    // Nothing sticks out at the right, and every button is large enough for a finger.
    assert_eq!(
        browser.eval("document.documentElement.scrollWidth <= innerWidth"),
        true
    );
    let small = "[...document.querySelectorAll('.tx-player button, .tx-player select')].filter((b) => b.offsetParent && \
                 (b.offsetWidth < 44 || b.offsetHeight < 44)).length";
    assert_eq!(browser.eval(small), 0);
    browser.key("v");
    browser.eval("scrollTo(0, 0)");
    browser.screenshot("page-telephone-stand");
    // Another game of the page.
    browser.eval(
        "(() => { const s = document.querySelector('.tx-games'); s.value = '2'; \
                  s.dispatchEvent(new Event('change', {bubbles: true})); })()",
    );
    assert!(now(&mut browser).starts_with("start position"));
    let shown =
        browser.eval("[...document.querySelectorAll('article')].map((a) => a.offsetHeight > 0)");
    assert_eq!(shown, serde_json::json!([false, false, true]));
    if let Some(faults) = browser.axe() {
        assert_eq!(faults, Vec::<String>::new());
    }
    is_quiet(&mut browser);
}

#[test]
fn without_script_and_on_paper_the_games_are_read() {
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut games = games(&annotated());
    games.extend(corpus("generated/millennium.pgn", 3, 1));
    let shown = [&games[..1], &games[1..]];
    browser.script(false);
    for (number, (games, notation)) in shown
        .into_iter()
        .zip([Notation::Meder, Notation::Millennium])
        .enumerate()
    {
        let file = page(&folder, games, notation);
        browser.open_file(&file, "");
        browser.screenshot_whole(&format!("page-no-script-{number}"));
        let seen = browser.eval(
            "[document.querySelectorAll('.tx-picture svg').length, document.querySelector('.tx-stage').offsetHeight, \
             document.querySelector('.tx-moves').offsetHeight > 20]",
        );
        assert_eq!(seen, serde_json::json!([1, 0, true]));
    }
    browser.script(true);
    let file = page(&folder, &games[..1], Notation::Meder);
    browser.open_file(&file, "#g1m2");
    browser.on_paper(true);
    browser.screenshot("page-on-paper");
    let buttons = browser
        .eval("[...document.querySelectorAll('button')].filter((b) => b.offsetHeight > 0).length");
    assert_eq!(buttons, 0);
    browser.on_paper(false);
    let pdf = browser.pdf("page");
    assert!(pdf.starts_with(b"%PDF-") && pdf.len() > 5000);
    is_quiet(&mut browser);
}

/// The picture of the README.
#[test]
fn the_picture_of_the_readme_can_be_taken() {
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.html");
    let mut page = PageWriter::new(std::fs::File::create(&file).unwrap(), "game.pgn").unwrap();
    let games = corpus("generated/meder.pgn", 1, 1);
    let shown = replay_with(&games[0], &Options::default(), |played| {
        PageGame::new(played, Spelling::of(Notation::Meder)).unwrap()
    });
    page.add(&shown).unwrap();
    page.finish().unwrap().flush().unwrap();
    browser.size(1040, 820);
    browser.open_file(&file, "#g1m0");
    browser.key("v");
    while !now(&mut browser).starts_with("44... ") {
        let before = now(&mut browser);
        browser.key("ArrowRight");
        assert_ne!(now(&mut browser), before, "the game ends too early");
    }
    browser.screenshot("readme");
    is_quiet(&mut browser);
}
