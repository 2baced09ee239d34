//! A click hits what is drawn: the visible middle of every piece and of every empty square, under all rules, in every view,
//! from both sides, at four sizes. Links and the viewer are found from the drawing, not by their selectors.

use crate::browser::{Shown, shown};
use crate::exported_page::{games, page};
use tridex_browser::{Browser, Clicks, Drawing};
use tridex_geometry::Family;
use tridex_notation::Notation;
use tridex_rules::RuleSystem;

/// Telephone, tablet, desk, large screen.
const SIZES: [(u32, u32); 4] = [(360, 740), (820, 1180), (1440, 900), (2560, 1440)];

/// The number of squares of a board.
fn squares(rules: RuleSystem) -> usize {
    match rules.family() {
        Family::Stair => 64,
        Family::Cube => 192,
    }
}

#[track_caller]
fn check(clicks: &Clicks, rules: RuleSystem, is_flat: bool, what: &str) {
    assert_eq!(clicks.squares, squares(rules), "{what}");
    assert!(clicks.wrong.is_empty(), "{what}: {:#?}", clicks.wrong);
    // In the 3-D view a piece can hide a square behind it, which nobody can click then.
    let most = if is_flat { 0 } else { squares(rules) / 8 };
    assert!(
        clicks.hidden <= most,
        "{what}: {} are hidden",
        clicks.hidden
    );
}

/// Every page with a picture that has links.
fn pictures(shown: &mut Shown, (width, height): (u32, u32)) {
    shown.browser.size(width, height);
    for &rules in RuleSystem::ALL {
        for (page, view) in [
            ("/setup?hand=N", "flat"),
            ("/setup?hand=N", "stand"),
            ("/setup?hand=N&turned=1", "stand"),
            ("/openings?", "flat"),
            ("/openings?turned=1", "stand"),
        ] {
            let address = format!("{page}&rules={}&view={view}", rules.name());
            shown.open(&address);
            let clicks = shown.browser.clicks(Drawing::Picture);
            let what = format!("{address} {width}x{height}");
            check(&clicks, rules, view == "flat", &what);
            assert_eq!(clicks.pieces, pieces(rules), "{what}");
            // The mouse itself hits the same.
            shown.browser.eval(
                "addEventListener('click', (event) => { event.preventDefault(); event.stopPropagation(); \
                 globalThis.hit = event.target.closest('a')?.dataset.key ?? null; }, true)",
            );
            for at in clicks.linked.iter().step_by(9) {
                let (x, y) = shown.browser.bring(Drawing::Picture, *at);
                let under = format!("document.elementFromPoint({x}, {y}).closest('a').dataset.key");
                let key = shown.browser.text(&under);
                shown.browser.click_at((x, y));
                assert_eq!(shown.browser.text("globalThis.hit"), key, "{what}");
            }
        }
    }
}

fn pieces(rules: RuleSystem) -> usize {
    rules.start().pieces().count()
}

/// The viewer in each of its views, from both sides.
fn viewer(shown: &mut Shown, (width, height): (u32, u32)) {
    shown.browser.size(width, height);
    // The games of the shelf are under one system after another.
    for game in 1..=RuleSystem::ALL.len() {
        let rules = RuleSystem::ALL[game % RuleSystem::ALL.len()];
        shown.open(&format!("/game/games.pgn:{game}?ply=0"));
        shown.browser.wait("document.querySelector('.tx-ready')");
        views(&mut shown.browser, rules, &format!("{width}x{height}"));
        shown.open(&format!("/game/games.pgn:{game}?ply=0&view=stand&turned=1"));
        shown.browser.wait("document.querySelector('.tx-ready')");
        view(&mut shown.browser, rules, "turned", "Stand");
    }
}

/// Goes through the views of the viewer that a page shows.
fn views(browser: &mut Browser, rules: RuleSystem, what: &str) {
    let mut seen = Vec::new();
    for _ in 0..3 {
        let now = browser.text("document.querySelector('.tx-view').textContent");
        view(browser, rules, what, &now);
        seen.push(now);
        browser.eval("document.querySelector('.tx-view').click()");
    }
    seen.sort();
    assert_eq!(seen, ["Column", "Flat", "Stand"], "{what}");
}

fn view(browser: &mut Browser, rules: RuleSystem, what: &str, name: &str) {
    let what = format!("{} {what} {name}", rules.name());
    let now = browser.text("document.querySelector('.tx-view').textContent");
    assert_eq!(now, name, "{what}");
    let clicks = browser.clicks(Drawing::Viewer);
    check(&clicks, rules, name != "Stand", &what);
    assert_eq!(clicks.pieces, pieces(rules), "{what}");
}

/// A page that was exported, opened from disk.
fn exported(browser: &mut Browser, (width, height): (u32, u32)) {
    let folder = tempfile::tempdir().unwrap();
    browser.size(width, height);
    for &rules in RuleSystem::ALL {
        let game = games(&format!(
            "[Variant \"{}\"]\n[Result \"*\"]\n\n*\n",
            rules.name()
        ));
        let file = page(&folder, &game, Notation::of(rules));
        browser.open_file(&file, "");
        views(browser, rules, &format!("exported {width}x{height}"));
    }
}

/// The parts of the viewer that are covered by other parts, at one scroll offset.
const COVERED: &str = "(() => {
  const parts = ['.tx-now', '.tx-stage', '.tx-moves', '.tx-steps', '.tx-looks', '.tx-about'];
  const boxes = parts.map((name) => [name, document.querySelector(name).getBoundingClientRect()]);
  const covered = [];
  boxes.forEach(([name, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    if (high > 1 && wide > 1) covered.push(`${name} and ${other}: ${Math.round(wide)}x${Math.round(high)}`);
  }));
  return covered;
})()";

#[test]
fn no_part_of_the_viewer_covers_another_on_a_telephone_or_tablet() {
    let Some(mut shown) = shown() else {
        return;
    };
    for (width, height) in [(360, 740), (390, 664), (768, 1024), (820, 1180)] {
        shown.browser.phone(width, height);
        shown.open("/game/wanted.pgn:1?ply=5");
        shown.browser.wait("document.querySelector('.tx-ready')");
        let end = shown
            .browser
            .eval("document.documentElement.scrollHeight - innerHeight")
            .as_i64()
            .unwrap();
        for offset in (0..end).step_by(50).chain([end]) {
            shown
                .browser
                .eval(&format!("scrollTo({{top: {offset}, behavior: 'instant'}})"));
            let covered = shown.browser.eval(COVERED);
            let none = serde_json::json!([]);
            assert_eq!(covered, none, "{width}x{height} scrolled by {offset}");
        }
        shown.look(&format!("game-end-{width}"));
    }
}

/// A link to the 3-D view from Black's side opens it, with scripts too.
#[test]
fn a_link_names_the_view_of_a_game() {
    let Some(mut shown) = shown() else {
        return;
    };
    let view = |shown: &mut Shown, address: &str| {
        shown.open(address);
        shown.browser.wait("document.querySelector('.tx-ready')");
        // The near side's player is named below the board.
        let is_turned = "document.querySelector('.tx-near').textContent.includes('Spock')";
        let name = shown
            .browser
            .text("document.querySelector('.tx-view').textContent");
        (name, shown.browser.eval(is_turned) == true)
    };
    shown.browser.size(1440, 900);
    let game = "/game/wanted.pgn:1?ply=0";
    for (looks, expected) in [
        ("", ("Flat", false)),
        ("&view=stand", ("Stand", false)),
        ("&turned=1", ("Flat", true)),
        ("&view=stand&turned=1", ("Stand", true)),
    ] {
        let (name, is_turned) = view(&mut shown, &format!("{game}{looks}"));
        assert_eq!((name.as_str(), is_turned), expected, "{looks}");
    }
}

macro_rules! at_every_size {
    ($($name:ident $size:literal;)*) => {$(
        #[test]
        fn $name() {
            if let Some(mut shown) = shown() {
                pictures(&mut shown, SIZES[$size]);
                viewer(&mut shown, SIZES[$size]);
                exported(&mut shown.browser, SIZES[$size]);
            }
        }
    )*};
}

at_every_size! {
    clicks_hit_what_is_drawn_on_a_telephone 0;
    clicks_hit_what_is_drawn_on_a_tablet 1;
    clicks_hit_what_is_drawn_on_a_desk 2;
    clicks_hit_what_is_drawn_on_a_large_screen 3;
}
