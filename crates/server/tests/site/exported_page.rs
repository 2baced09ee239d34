//! The page, in a real browser: opened from disk, played through, in pictures.

use serde_json::Value;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tridex_archive::{Game, Limits, game, pgn};
use tridex_browser::Browser;
use tridex_notation::Notation;
use tridex_page::{OutputStyle, PageGame, PageWriter};
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

pub(crate) fn corpus(name: &str, skip: usize, take: usize) -> Vec<Game<'static>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games");
    let text = std::fs::read_to_string(root.join(name)).unwrap();
    games(&text).into_iter().skip(skip).take(take).collect()
}

/// A page of games on disk.
pub(crate) fn page(folder: &TempDir, games: &[Game<'_>], notation: Notation) -> PathBuf {
    let file = folder.path().join("a page.html");
    let mut page = PageWriter::new(std::fs::File::create(&file).unwrap(), HOSTILE).unwrap();
    for game in games {
        let shown = replay_with(game, &Options::default(), |played| {
            PageGame::new(played, OutputStyle::of(notation))
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

/// Nothing went wrong, and nothing but the file was requested.
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
    browser.wait("document.querySelectorAll('.tx-column use').length === 2");
    browser.screenshot("page-column");
    browser.hover((at.0, 5.0));
    browser.wait("document.querySelectorAll('.tx-column use').length === 0");
    browser.key("ArrowRight");
    let status = now(&mut browser);
    assert!(
        status.starts_with("1. c3W \u{b7} Black to move") && status.contains("quiet"),
        "{status}"
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

/// The end of a move by itself: what moves, and whether every piece is drawn where its attributes put it.
const MOTION: &str = "(() => { const pieces = [...document.querySelectorAll('.tx-men use')]; \
    const ends = pieces.map((one) => one.getAttribute('transform').match(/[-\\d.]+/g).map(Number)); \
    const seen = pieces.map((one) => { const { e, f } = new DOMMatrix(getComputedStyle(one).transform); return [e, f]; }); \
    return { pieces: pieces.length, moving: document.getAnimations().length, \
    away: seen.filter(([x, y], i) => Math.hypot(x - ends[i][0], y - ends[i][1]) > 0.5).length, \
    old: pieces.filter((one) => one.known).length }; })()";

#[test]
fn pieces_and_boards_glide_to_where_they_go() {
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    // In this game a board moves, and pieces are captured.
    let late = corpus("generated/meder.pgn", 0, 1);
    let file = page(&folder, &late, Notation::Meder);
    browser.size(1440, 900);
    let step = |browser: &mut Browser, button: &str| {
        let act = format!(
            "(() => {{ for (const one of document.querySelectorAll('.tx-men use')) one.known = true; \
             document.querySelector('.tx-{button}').click(); \
             for (const one of document.getAnimations()) {{ one.pause(); one.currentTime = 110; }} return {MOTION}; }})()"
        );
        browser.eval(&act)
    };
    for (view, is_space) in [("flat", false), ("space", true)] {
        browser.open_file(&file, "#g1m0");
        if is_space {
            browser.key("v");
        }
        let plies = browser.eval("document.querySelectorAll('.tx-moves a.tx-main').length");
        let plies = plies.as_u64().unwrap().min(60);
        let (mut moved, mut boards, mut captured) = (0, 0, 0);
        for ply in 1..=plies {
            let men = men(&mut browser);
            let there = step(&mut browser, "forth");
            let pieces = there["pieces"].as_u64().unwrap();
            assert!(there["moving"].as_u64() > Some(0), "{view} {ply}: {there}");
            // No piece is drawn again.
            assert_eq!(there["old"], there["pieces"], "{view} {ply}");
            captured += men - pieces;
            let away = there["away"].as_u64().unwrap();
            match away {
                0 => boards += 1,
                _ => moved += 1,
            }
            if ply == 9 {
                for (frame, at) in [0, 55, 110, 165, 215].into_iter().enumerate() {
                    browser.eval(&format!(
                        "document.getAnimations().forEach((one) => one.currentTime = {at})"
                    ));
                    browser.screenshot(&format!("motion-{view}-{frame}"));
                }
            }
            // The next move begins before this one has ended.
            if ply % 3 == 0 {
                browser.eval("document.getAnimations().forEach((one) => one.finish())");
                browser.wait(&format!("{MOTION}.moving === 0 && {MOTION}.away === 0"));
            }
        }
        assert!(
            moved > 20 && captured > 0,
            "{view}: {moved} {boards} {captured}"
        );
        let back = step(&mut browser, "back");
        assert!(back["moving"].as_u64() > Some(0), "{view}: {back}");
        // A jump through the game shows the end alone.
        let start = step(&mut browser, "first");
        assert_eq!(
            (&start["moving"], &start["pieces"]),
            (&0.into(), &32.into()),
            "{view}"
        );
    }
    let reduced =
        serde_json::json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]});
    browser.ask("Emulation.setEmulatedMedia", reduced);
    let still = step(&mut browser, "forth");
    assert_eq!((&still["moving"], &still["away"]), (&0.into(), &0.into()));
    assert_eq!(still["old"], still["pieces"]);
    is_quiet(&mut browser);
}

/// The side of a square of a main board in pixels.
const SIDE: &str = "(() => { const svg = document.querySelector('.tx-board'); const [, , width, height] = \
    svg.getAttribute('viewBox').split(' ').map(Number); \
    return 40 * Math.min(svg.clientWidth / width, svg.clientHeight / height); })()";

#[test]
fn squares_are_large() {
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    for (system, notation, sides) in [
        ("meder", Notation::Meder, [54.0, 64.0, 40.0]),
        ("millennium", Notation::Millennium, [38.0, 64.0, 40.0]),
    ] {
        let games = corpus(&format!("generated/{system}.pgn"), 0, 1);
        let file = page(&folder, &games, notation);
        for ((width, height), least) in [(1440, 900), (2560, 1440)].into_iter().zip(sides) {
            browser.size(width, height);
            browser.open_file(&file, "#g1m0");
            let side = browser.eval(SIDE).as_f64().unwrap();
            assert!(side >= least, "{system} {width}: {side}");
        }
        // On a telephone one level alone.
        browser.phone(360, 740);
        browser.open_file(&file, "#g1m0");
        browser.eval("document.querySelectorAll('.tx-level')[2].click()");
        let side = browser.eval(SIDE).as_f64().unwrap();
        assert!(side >= sides[2], "{system}: {side}");
        browser.screenshot(&format!("level-{system}"));
        let pressed = "[...document.querySelectorAll('.tx-level')].findIndex((one) => one.ariaPressed === 'true')";
        assert_eq!(browser.eval(pressed), 2);
        // The level follows the moves.
        let mut levels = vec![];
        for _ in 0..16 {
            browser.eval("document.querySelector('.tx-forth').click()");
            levels.push(browser.eval(pressed).as_u64().unwrap());
            let seen = browser.eval(
                "(() => { document.getAnimations().forEach((one) => one.finish()); \
                 const box = document.querySelector('.tx-board').getBoundingClientRect(); \
                 const mark = [...document.querySelectorAll('.tx-under use')].at(-1).getBoundingClientRect(); \
                 return mark.left >= box.left - 1 && mark.right <= box.right + 1 && mark.top >= box.top - 1 && mark.bottom <= box.bottom + 1; })()",
            );
            assert_eq!(seen, true, "{system}: the move is in sight");
        }
        levels.sort_unstable();
        levels.dedup();
        assert!(levels.len() > 1 && levels[0] > 0, "{levels:?}");
        browser.screenshot(&format!("level-{system}-later"));
        browser.eval("document.querySelectorAll('.tx-level')[0].click()");
        assert!(browser.eval(SIDE).as_f64().unwrap() < 36.0);
        browser.phone(740, 360);
        browser.wait("!document.querySelector('.tx-levels').offsetParent");
    }
    is_quiet(&mut browser);
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
        browser.eval("document.documentElement.scrollWidth <= 390 && innerWidth === 390"),
        true
    );
    let small = "[...document.querySelectorAll('.tx-player button, .tx-player select')].filter((b) => b.offsetParent && \
                 (b.offsetWidth < 44 || b.offsetHeight < 44)).length";
    assert_eq!(browser.eval(small), 0);
    browser.key("v");
    browser.eval("scrollTo(0, 0)");
    browser.screenshot("page-telephone-stand");
    // Another game of the page, from the list: by the keyboard, then by its words.
    let at = browser.middle("button.tx-games");
    browser.swipe(at, at);
    browser.wait("document.activeElement.type === 'search'");
    let rows = "[...document.querySelectorAll('.tx-rows button')].length";
    assert_eq!(browser.eval(rows), 3);
    browser.screenshot("page-telephone-list");
    let small = "[...document.querySelectorAll('dialog button, dialog input')].filter((b) => b.offsetParent && \
                 (b.offsetWidth < 40 || b.offsetHeight < 40)).length";
    assert_eq!(browser.eval(small), 0);
    if let Some(faults) = browser.axe() {
        assert_eq!(faults, Vec::<String>::new());
    }
    for key in ["ArrowDown", "ArrowDown", "ArrowDown", "Enter"] {
        browser.key(key);
    }
    assert!(now(&mut browser).starts_with("start position"));
    let name = "document.querySelector('.tx-name').textContent";
    assert!(browser.text(name).starts_with("3. "));
    assert_eq!(
        browser.eval("document.querySelector('dialog[open]')"),
        Value::Null
    );
    // This game has no clocks, and therefore no graph below its buttons.
    let at = browser.middle("button.tx-games");
    browser.swipe(at, at);
    browser.wait("document.activeElement.type === 'search'");
    browser.type_text("no such player");
    assert_eq!(browser.eval(rows), 0);
    assert_eq!(
        browser.text("document.querySelector('.tx-count').textContent"),
        "0 of 3 games"
    );
    browser.key("Escape");
    assert!(browser.text(name).starts_with("3. "));
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
            "[document.querySelectorAll('.tx-picture svg').length, document.querySelectorAll('button, .tx-stage').length, \
             document.querySelector('.tx-text').offsetHeight > 20, document.querySelector('.tx-text').textContent.length > 20]",
        );
        assert_eq!(seen, serde_json::json!([1, 0, true, true]));
    }
    browser.script(true);
    let file = page(&folder, &games[..1], Notation::Meder);
    browser.open_file(&file, "#g1m2");
    browser.on_paper(true);
    browser.screenshot("page-on-paper");
    let buttons = browser
        .eval("[...document.querySelectorAll('button')].filter((b) => b.offsetHeight > 0).length");
    assert_eq!(buttons, 0);
    // The marked move has a diagram; the board shows the same position as before.
    let pieces = "[...document.querySelectorAll('.tx-board .tx-men use')].map((use) => use.getAttribute('transform')).sort().join()";
    let before = browser.text(pieces);
    browser.eval("dispatchEvent(new Event('beforeprint'))");
    let diagrams = "[...document.querySelectorAll('.tx-moves figure')].map((one) => [one.lastChild.textContent, one.querySelectorAll('use').length > 30, \
                    one.querySelector('svg').getBoundingClientRect().width > 100])";
    assert_eq!(
        browser.eval(diagrams),
        serde_json::json!([["1. c3W", true, true]])
    );
    assert_eq!(browser.text(pieces), before);
    browser.screenshot("page-on-paper-diagram");
    browser.eval("dispatchEvent(new Event('afterprint'))");
    assert_eq!(browser.eval(diagrams), serde_json::json!([]));
    browser.on_paper(false);
    let pdf = browser.pdf("page");
    assert!(pdf.starts_with(b"%PDF-") && pdf.len() > 5000);
    is_quiet(&mut browser);
}

/// A game whose every word is of the page: its annotations, a capture, clocks of both sides.
const TOLD: &str = "[White \"Ada\"]\n[Black \"Uhura\"]\n[Variant \"meder\"]\n[Result \"0-1\"]\n\n\
    1. c3W {[%csl Rc3W,Ga6B][%cal Gb1Wc3N]} {[%clk 1:29:58]} 1... a6N $5 {[%clk 1:28:11]} (1... a5B {other} 2. b4N \
    (2. b3W b5B) 2... b5B) 2. b4N! $14 b5B 0-1\n";

#[test]
fn a_game_is_copied_in_every_notation_and_read_back() {
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let given = games(TOLD);
    let file = page(&folder, &given, Notation::Meder);
    browser.open_file(&file, "#g1m2");
    browser.click(".tx-share");
    let copied = |browser: &mut Browser, what: &str| {
        browser.eval(&format!(
            "(() => {{ const s = document.querySelector('.tx-what'); s.value = '{what}'; s.dispatchEvent(new Event('change')); }})()"
        ));
        browser.text("document.querySelector('.tx-copied').value")
    };
    // What was copied makes the same page, but for the tag of its notation.
    let made = |game: &Game<'_>| {
        let shown = replay_with(game, &Options::default(), |played| {
            let mut shown = PageGame::new(played, OutputStyle::of(Notation::Meder)).unwrap();
            shown.set_tag("Notation", "");
            shown
        });
        tridex_page::player(&shown, &tridex_page::PlayerOptions::default())
    };
    for (what, word) in [("0", "1. c3W "), ("1", "1. d3,WB-d4,WB ")] {
        let pgn = copied(&mut browser, what);
        assert!(pgn.contains(word) && pgn.contains("$14"), "{pgn}");
        let read = games(&pgn);
        assert_eq!(read.len(), 1, "{pgn}");
        assert_eq!(made(&read[0]), made(&given[0]), "{pgn}");
    }
    let mut position = tridex_rules::Position::start(tridex_rules::RuleSystem::Meder);
    let wanted = replay_with(&given[0], &Options::default(), |played| {
        let moves = played.moves().iter().copied().take(2);
        for mv in moves {
            position.play_unchecked(mv);
        }
        tridex_notation::Fen::of(&position).to_string()
    });
    assert_eq!(copied(&mut browser, "position"), wanted);
    let svg = copied(&mut browser, "svg");
    assert!(
        svg.starts_with("<svg") && !svg.contains("var(") && svg.contains("#wK"),
        "{svg}"
    );
    browser.screenshot("page-share");
    if let Some(faults) = browser.axe() {
        assert_eq!(faults, Vec::<String>::new());
    }
    is_quiet(&mut browser);
}

#[test]
fn clocks_captures_and_arrows_of_the_reader_are_shown_and_the_game_plays_on() {
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut shown = games(TOLD);
    shown.extend(corpus("generated/meder.pgn", 1, 1));
    let file = page(&folder, &shown, Notation::Meder);
    browser.open_file(&file, "#g1m2");
    let clocks = browser
        .eval("[...document.querySelectorAll('.tx-side .tx-clock')].map((c) => c.textContent)");
    assert_eq!(clocks, serde_json::json!(["1:28:11", "1:29:58"]));
    // Arrows and marks by the right button; the same again takes them away, and so does another move.
    let (from, to) = (
        browser.middle(".tx-men use[href='#wN']"),
        browser.middle(".tx-men use[href='#bQ']"),
    );
    let lines = "document.querySelectorAll('.tx-over > g').length";
    browser.right_drag(from, to);
    assert_eq!(browser.eval(lines), 1);
    browser.screenshot("page-arrow");
    browser.right_drag(from, to);
    assert_eq!(browser.eval(lines), 0);
    let marks = "document.querySelectorAll('.tx-under use').length";
    let before = browser.eval(marks);
    browser.right_drag(from, from);
    assert_ne!(browser.eval(marks), before);
    browser.key("ArrowRight");
    browser.key("ArrowLeft");
    assert_eq!(browser.eval(marks), before);
    // It plays to the end of the line by itself.
    browser.key(" ");
    browser.wait("document.querySelector('.tx-now').textContent.startsWith('2... b5B')");
    browser.wait("document.querySelector('.tx-play').getAttribute('aria-label') === 'Play on'");
    // Captured pieces, as pictures and in words.
    browser.eval("location.hash = '#g2m9999'");
    browser.eval("new Promise((done) => setTimeout(done))");
    browser.key("End");
    let words = browser.text("document.querySelector('.tx-stage').textContent");
    assert!(
        words.contains("Black has captured: ") && words.contains("White has captured: "),
        "{words}"
    );
    is_quiet(&mut browser);
}

#[test]
fn a_variation_is_promoted_and_graphs_lead_to_positions() {
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let text = "[Variant \"meder\"]\n[Result \"1-0\"]\n\n\
                1. c3W {[%clk 1:29:58] [%eval 0.2]} a6N {[%clk 1:29:00][%eval -0.1]} (1... a5B {why not} 2. b4N) 2. b4N! \
                {[%clk 1:25:58] [%eval 0.8]} b5B {[%clk 1:20:58] [%eval #3]} 1-0\n";
    let file = page(&folder, &games(text), Notation::Meder);
    browser.size(1440, 900);
    browser.open_file(&file, "#g1m2");
    // Each side has a column.
    let sides = "(() => { const [white, black] = ['b4N', 'b5B'].map((move) => [...document.querySelectorAll('.tx-moves a.tx-main')]\
                 .find((a) => a.textContent.startsWith(move)).getBoundingClientRect()); \
                 return [Math.round(white.top - black.top), black.left > white.right]; })()";
    assert_eq!(browser.eval(sides), serde_json::json!([0, true]));
    assert_eq!(
        browser.eval("document.querySelector('.tx-promote').hidden"),
        true
    );
    // By mouse: the third of five positions.
    let slider = |number: usize| format!(".tx-graph:nth-child({number}) input");
    assert_eq!(
        browser.eval("document.querySelectorAll('.tx-graph').length"),
        2
    );
    let middle = browser.middle(&slider(1));
    browser.click_at(middle);
    assert!(now(&mut browser).starts_with("1... a6N"));
    let label = "document.querySelector('.tx-graph input').getAttribute('aria-valuetext')";
    assert_eq!(browser.text(label), "1... a6N: -0.1");
    // By keyboard, on from there.
    browser.key("ArrowRight");
    browser.key("ArrowRight");
    assert_eq!(browser.text(label), "2... b5B: #3");
    let clocks = "document.querySelectorAll('.tx-graph input')[1].getAttribute('aria-valuetext')";
    assert_eq!(
        browser.text(clocks),
        "2... b5B: White 1:25:58, Black 1:20:58"
    );
    browser.screenshot("page-graphs");
    assert_eq!(browser.axe().unwrap_or_default(), Vec::<String>::new());
    // The variation has no evaluation, and becomes the main line.
    browser.eval("location.hash = '#g1m3'");
    browser.wait("document.querySelectorAll('.tx-graph').length === 1");
    browser.key("m");
    let text = "document.querySelector('.tx-moves').textContent.replace(/\\s+/g, ' ')";
    let moves = browser.text(text);
    assert!(
        moves.contains("a5B why not ( 1... a6N") && moves.ends_with("2. b4N 1\u{2013}0"),
        "{moves}"
    );
    assert_eq!(
        browser.eval("document.querySelector('.tx-promote').hidden"),
        true
    );
    // What it left is a variation now, and a click exchanges them again.
    browser.click(".tx-moves .tx-variation a");
    browser.click(".tx-promote");
    assert!(browser.text(text).contains("( 1... a5B why not 2. b4N )"));
    // One line alone is copied.
    browser.click(".tx-share");
    browser.eval(
        "(() => { const what = document.querySelector('.tx-what'); what.value = 'line'; what.dispatchEvent(new Event('change')); })()",
    );
    let copied = browser.text("document.querySelector('.tx-copied').value");
    assert!(
        copied.contains("[%eval #3]") && !copied.contains('('),
        "{copied}"
    );
    browser.key("Escape");
    // By finger.
    browser.phone(390, 844);
    browser.open_file(&file, "#g1m0");
    let middle = browser.middle(&slider(1));
    browser.swipe(middle, middle);
    browser.wait("document.querySelector('.tx-now').textContent.startsWith('1... a6N')");
    browser.screenshot("page-graphs-phone");
    is_quiet(&mut browser);
}

#[test]
fn the_board_fills_the_window_and_is_in_sight_with_the_move() {
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = page(
        &folder,
        &corpus("generated/meder.pgn", 1, 2),
        Notation::Meder,
    );
    // The side of a square, in pixels; with those of before.
    for (width, height, least, before) in [
        (1440, 900, 40.0, 28.0),
        (768, 1024, 36.0, 27.0),
        (360, 640, 21.0, 13.0),
    ] {
        if width < 1000 {
            browser.phone(width, height);
        } else {
            browser.size(width, height);
        }
        for is_dark in [false, true] {
            browser.dark(is_dark);
            browser.open_file(&file, "#g1m40");
            let seen = browser.eval(&format!(
                "(() => {{ const all = ['.tx-board', '.tx-now b', '.tx-moves a[aria-current]', '.tx-steps'].every((name) => {{ \
                 const r = document.querySelector(name).getBoundingClientRect(); \
                 return r.top >= 0 && r.bottom <= innerHeight + 1 && r.left >= 0 && r.right <= innerWidth; }}); \
                 const board = document.querySelector('.tx-board'); \
                 return [all, board.getScreenCTM().a * 40, document.documentElement.scrollWidth <= {width}]; }})()",
            ));
            browser.screenshot(&format!(
                "page-{width}-{}",
                if is_dark { "dark" } else { "light" }
            ));
            let square = seen[1].as_f64().unwrap();
            assert!(square >= least && least > before, "{width}: {square}");
            assert_eq!(
                (&seen[0], &seen[2]),
                (&Value::Bool(true), &Value::Bool(true)),
                "{width}"
            );
            // The moves can be read to their end without the board going out of sight.
            browser.eval("document.querySelector('.tx-moves').scrollTop = 9999");
            let stays = "document.querySelector('.tx-board').getBoundingClientRect().top >= 0";
            assert_eq!(browser.eval(stays), true, "{width}");
        }
    }
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
        PageGame::new(played, OutputStyle::of(Notation::Meder)).unwrap()
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
