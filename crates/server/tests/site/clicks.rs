//! A click hits what is drawn: the visible middle of every piece and of every empty square, under all rules, in every view,
//! from both sides, at four sizes. Links and the viewer are found from the drawing, not by their selectors.

use crate::browser::{Shown, shown_with};
use crate::exported_page::{corpus, page};
use crate::support::quoted;
use std::sync::OnceLock;
use tridex_archive::Game;
use tridex_browser::{Browser, Clicks, Drawing, Seen};
use tridex_geometry::Family;
use tridex_geometry::stair::AttackBoard;
use tridex_index::GameEntry;
use tridex_notation::{Fen, Notation, position_string};
use tridex_replay::{Options, replay_with};
use tridex_rules::{Move, Position, RuleSystem};

/// Telephone, tablet, desk, large screen.
const SIZES: [(u32, u32); 4] = [(360, 740), (820, 1180), (1440, 900), (2560, 1440)];

/// The number of squares of a board.
fn squares(rules: RuleSystem) -> usize {
    match rules.family() {
        Family::Stair => 64,
        Family::Cube => 192,
    }
}

/// The site with the games that these tests need.
fn shown() -> Option<Shown> {
    let late = late().iter().map(|late| late.game.clone()).collect();
    shown_with(vec![("late.pgn", late), ("in-front.pgn", vec![in_front()])])
}

/// The squares and the pieces of a position.
fn counts(position: &Position) -> (usize, usize) {
    let squares = squares(position.rules());
    (squares, position.to_setup().pieces().count())
}

/// A position in which attack boards have moved, and the game of the shelf that reaches it.
struct Late {
    position: Position,
    game: GameEntry,
    source: Game<'static>,
    ply: usize,
}

/// One for each system, in their order, of the games of the corpus: that with the most moved boards, or a later one of the
/// cube.
fn late() -> &'static [Late] {
    static LATE: OnceLock<Vec<Late>> = OnceLock::new();
    LATE.get_or_init(|| (1..).zip(RuleSystem::ALL).map(Late::new).collect())
}

/// The games of the corpus under a system.
fn lines(rules: RuleSystem) -> Vec<(Game<'static>, Vec<Move>)> {
    let games = corpus(&format!("generated/{}.pgn", rules.name()), 0, 40).into_iter();
    let moves =
        |game: &Game<'_>| replay_with(game, &Options::default(), |played| played.moves().to_vec());
    games.map(|game| (game.clone(), moves(&game))).collect()
}

impl Late {
    fn new((number, &rules): (u32, &RuleSystem)) -> Self {
        let start = Position::start(rules);
        let mut best: Option<(usize, Self)> = None;
        for (source, moves) in lines(rules) {
            let mut position = start.clone();
            for (ply, played) in moves.iter().enumerate() {
                let moved = match (position.layout(), start.layout()) {
                    (Some(now), Some(then)) => {
                        let changed = |board: &&AttackBoard| now.pin(**board) != then.pin(**board);
                        AttackBoard::ALL.iter().filter(changed).count()
                    }
                    _ => ply.min(30),
                };
                if best.as_ref().is_none_or(|(most, _)| moved > *most) {
                    let late = Self {
                        position: position.clone(),
                        game: GameEntry::new(number, rules, moves.clone()),
                        source: source.clone(),
                        ply,
                    };
                    best = Some((moved, late));
                }
                position.play_unchecked(*played);
            }
        }
        let (most, late) = best.unwrap();
        assert!(most > 0, "{}: {most} boards have moved", rules.name());
        late
    }

    fn of(rules: RuleSystem) -> &'static Self {
        late().iter().find(|late| late.game.rules == rules).unwrap()
    }

    fn fen(&self) -> String {
        Fen::of(&self.position).to_string()
    }

    fn address(&self) -> String {
        format!("/game/late.pgn:{}?ply={}", self.game.number, self.ply)
    }
}

/// A queen above a board can go to a square there, or capture the queen on the square before it.
const IN_FRONT: &str = "k7/8/8/8/8/8/8/8|8/8/8/8/3Q4/8/8/8|8/8/8/8/8/3q4/8/7K w - - - 0 1";

/// A game of the shelf that starts there.
fn in_front() -> GameEntry {
    let start = position_string::parse(IN_FRONT).unwrap();
    GameEntry {
        start: Some(start),
        ..GameEntry::new(1, RuleSystem::Chess3, Vec::new())
    }
}

/// Every page with a picture that has links.
fn pictures(shown: &mut Shown, (width, height): (u32, u32)) {
    shown.browser.size(width, height);
    for &rules in RuleSystem::ALL {
        let (start, late) = (Position::start(rules), Late::of(rules));
        let fen = quoted(&late.fen());
        for (page, view, position) in [
            // With something selected every square has a link, else only those with a piece.
            ("/setup?hand=N".to_owned(), "flat", &start),
            ("/setup?hand=N".to_owned(), "stand", &start),
            (
                format!("/setup?hand=N&turned=1&position={fen}"),
                "flat",
                &late.position,
            ),
            (
                format!("/setup?hand=N&turned=1&position={fen}"),
                "stand",
                &late.position,
            ),
            (
                format!("/setup?turned=0&position={fen}"),
                "stand",
                &late.position,
            ),
            ("/openings?".to_owned(), "flat", &start),
            ("/openings?turned=1".to_owned(), "stand", &start),
        ] {
            let address = format!("{page}&rules={}&view={view}", rules.name());
            shown.open(&address);
            let clicks = shown.browser.clicks(Drawing::Picture);
            let what = format!("{address} {width}x{height}");
            clicks.check(counts(position), view == "flat", &what);
            clicked(&mut shown.browser, &clicks, &what);
        }
        // Where the moves of a piece go, each seen as a spot.
        for looks in ["", "&view=stand", "&turned=1", "&view=stand&turned=1"] {
            shown.open(&format!("/openings?rules={}{looks}", rules.name()));
            let first = "document.querySelector('.spots [data-piece][data-lift]').dataset.lift";
            let first = shown.browser.text(first);
            shown.open(&first);
            let clicks = shown.browser.clicks(Drawing::Picture);
            let what = format!("{first} {width}x{height}");
            clicks.check(counts(&start), !looks.contains("stand"), &what);
            assert!(clicks.spots > 0, "{what}");
        }
    }
}

/// The mouse itself hits what a script finds: of what has a link, each ninth.
fn clicked(browser: &mut Browser, clicks: &Clicks, what: &str) {
    browser.eval(
        "addEventListener('click', (event) => { event.preventDefault(); event.stopPropagation(); \
         for (const area of document.querySelectorAll('.spots .hit')) area.classList.remove('hit'); \
         const { key, for: other } = event.target.closest('.spots a')?.dataset ?? {}; \
         document.querySelector(`.spots [data-key=\"${key ?? other}\"] polygon`)?.classList.add('hit'); }, true)",
    );
    let live: Vec<&Seen> = clicks.seen.iter().filter(|one| one.is_live).collect();
    assert!(!live.is_empty(), "{what}");
    for one in live.into_iter().step_by(9) {
        let at = browser.bring(Drawing::Picture, one.at);
        browser.click_at(at);
        let hit = browser.corner_of(Drawing::Picture, ".hit");
        one.check(hit, what);
    }
}

/// The pins to which a board in the hand can go.
fn pins(shown: &mut Shown, (width, height): (u32, u32)) {
    shown.browser.size(width, height);
    let stairs = RuleSystem::ALL.iter();
    for &rules in stairs.filter(|rules| rules.family() == Family::Stair) {
        let late = Late::of(rules);
        for (position, board) in [(&Position::start(rules), "QL"), (&late.position, "kl")] {
            let fen = quoted(&Fen::of(position).to_string());
            for looks in ["", "&view=stand", "&turned=1", "&view=stand&turned=1"] {
                let address = format!(
                    "/setup?rules={}&hand={board}&position={fen}{looks}",
                    rules.name()
                );
                shown.open(&address);
                let clicks = shown.browser.clicks(Drawing::Picture);
                let what = format!("{address} {width}x{height}");
                // Four boards are on twelve pins, and there are as many below.
                let free = if rules.uses_under_pins() { 20 } else { 8 };
                assert_eq!(clicks.pins, free, "{what}");
                clicks.check(counts(position), !looks.contains("stand"), &what);
                let seen = clicks.seen.iter().filter(|one| one.what == "pin").count();
                assert_eq!(seen, free, "{what}");
            }
        }
    }
}

/// The viewer in each of its views, from both sides.
fn viewer(shown: &mut Shown, (width, height): (u32, u32)) {
    shown.browser.size(width, height);
    // The games of the shelf are under one system after another.
    for game in 1..=RuleSystem::ALL.len() {
        let rules = RuleSystem::ALL[game % RuleSystem::ALL.len()];
        let what = format!("{} {width}x{height}", rules.name());
        shown.open(&format!("/game/games.pgn:{game}?ply=0"));
        shown.browser.wait("document.querySelector('.tx-ready')");
        shown
            .browser
            .click_views(counts(&Position::start(rules)), &what);
        let late = Late::of(rules);
        shown.open(&format!("{}&turned=1", late.address()));
        shown.browser.wait("document.querySelector('.tx-ready')");
        shown
            .browser
            .click_views(counts(&late.position), &format!("{what} turned"));
    }
}

/// A page that was exported, opened from disk.
fn exported(browser: &mut Browser, (width, height): (u32, u32)) {
    let folder = tempfile::tempdir().unwrap();
    browser.size(width, height);
    for &rules in RuleSystem::ALL {
        let late = Late::of(rules);
        let file = page(
            &folder,
            std::slice::from_ref(&late.source),
            Notation::of(rules),
        );
        let what = format!("{} exported {width}x{height}", rules.name());
        browser.open_file(&file, "#g1m0");
        browser.click_views(counts(&Position::start(rules)), &what);
        let there = format!(
            "document.querySelectorAll('.tx-moves a.tx-main')[{}].click()",
            late.ply - 1
        );
        browser.eval(&there);
        browser.key("f");
        browser.click_views(counts(&late.position), &format!("{what} turned"));
    }
}

/// A spot that shows where a piece can go is drawn in front of the pieces, and a click on it plays that move, even where the
/// piece that it hides could be captured.
#[test]
fn a_spot_in_front_of_a_piece_plays_its_move() {
    let Some(mut shown) = shown() else {
        return;
    };
    shown.browser.size(1440, 900);
    shown.open("/game/in-front.pgn:1?ply=0&view=stand");
    let is_ready = "document.querySelector('.tx-try')?.list.options.length > 1";
    shown.browser.wait(is_ready);
    let clicks = shown.browser.clicks(Drawing::Viewer);
    for one in clicks
        .seen
        .iter()
        .filter(|one| one.is_live && one.is_piece())
    {
        let at = shown.browser.bring(Drawing::Viewer, one.at);
        shown.browser.click_at(at);
        // A spot that hides a part of a piece that can be captured.
        let spot = shown.browser.eval(
            "(() => { const takes = [...document.querySelectorAll('.tx-over [href$=\"-take\"]')]; \
             for (const spot of document.querySelectorAll('.tx-over [href$=\"-go\"]')) { \
             const r = spot.getBoundingClientRect(); \
             for (let i = 0; i < 400; i++) { \
             const at = [r.x + (i % 20 + 0.5) / 20 * r.width, r.y + (Math.floor(i / 20) + 0.5) / 20 * r.height]; \
             const all = document.elementsFromPoint(...at); \
             const man = all.find((one) => one.matches('.tx-men > use')); \
             if (all[0] === spot && man && takes.some((one) => one.dataset.square === man.dataset.square)) \
             return [...at, spot.getAttribute('transform')]; } } return null; })()",
        );
        if let (Some(x), Some(y)) = (spot[0].as_f64(), spot[1].as_f64()) {
            shown.browser.click_at((x, y));
            shown
                .browser
                .wait("!document.querySelector('.tx-leave').hidden");
            let last = format!(
                "[...document.querySelectorAll('.tx-under [href$=\"-last\"]')].some((one) => one.getAttribute('transform') === {})",
                spot[2]
            );
            assert_eq!(shown.browser.eval(&last), true, "{one:?}");
            return;
        }
        let aside = shown.browser.bring(Drawing::Viewer, (2.0, 2.0));
        shown.browser.click_at(aside);
    }
    panic!("no spot is in front of a piece that can be captured");
}

/// A click on a drawn piece selects it, and the next one on a drawn square puts it there, with and without scripts.
#[test]
fn a_drawn_piece_is_put_on_a_drawn_square() {
    let Some(mut shown) = shown() else {
        return;
    };
    for has_script in [true, false] {
        shown.browser.script(has_script);
        for (width, height) in SIZES {
            shown.browser.size(width, height);
            for looks in ["", "&view=stand&turned=1"] {
                shown.open(&format!("/setup?rules=meder{looks}"));
                let clicks = shown.browser.clicks(Drawing::Picture);
                let what = format!("{looks} {width}x{height}, scripts: {has_script}");
                let knight = clicks.seen.iter().find(|one| one.what == "#wN");
                let knight = knight.unwrap_or_else(|| panic!("no knight is seen: {what}"));
                let at = shown.browser.bring(Drawing::Picture, knight.at);
                shown.browser.click_at(at);
                let status = "document.querySelector('.legality')?.textContent ?? ''";
                shown
                    .browser
                    .wait(&format!("({status}).includes('White knight on ')"));
                let to = clicks.seen.iter().find(|one| one.what == "empty square");
                let to = to.unwrap();
                let at = shown.browser.bring(Drawing::Picture, to.at);
                shown.browser.click_at(at);
                shown
                    .browser
                    .wait(&format!("({status}).includes('Nothing selected')"));
                let now = shown.browser.clicks(Drawing::Picture);
                let there = now.seen.iter().filter(|one| one.what == "#wN");
                let is_there = |one: &Seen| {
                    (one.corner.0 - to.corner.0).hypot(one.corner.1 - to.corner.1) < 1.0
                };
                assert_eq!(there.filter(|one| is_there(one)).count(), 1, "{what}");
            }
        }
    }
}

#[test]
fn no_part_of_the_viewer_covers_another() {
    let Some(mut shown) = shown() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let late = Late::of(RuleSystem::Meder);
    let file = page(&folder, std::slice::from_ref(&late.source), Notation::Meder);
    // Telephones upright and on their side, tablets, a desk.
    for (width, height) in [
        (360, 740),
        (390, 664),
        (740, 360),
        (768, 1024),
        (820, 1180),
        (1440, 900),
    ] {
        shown.browser.phone(width, height);
        for address in [
            "/game/wanted.pgn:1?ply=5",
            "/game/wanted.pgn:1?ply=5&found=5+6",
            &format!("{}&view=stand", late.address()),
        ] {
            shown.open(address);
            shown.browser.wait("document.querySelector('.tx-ready')");
            // The board is in sight with the buttons that turn the moves.
            let bottom =
                "document.querySelector('.tx-steps').getBoundingClientRect().bottom - innerHeight";
            let below = shown.browser.eval(bottom).as_f64().unwrap();
            assert!(
                height < width || below <= 1.0,
                "{address} {width}x{height}: {below} pixels are below the window"
            );
            shown
                .browser
                .is_uncovered(&format!("{address} {width}x{height}"));
        }
        shown.look(&format!("game-end-{width}"));
        shown.browser.open_file(&file, "#g1m20");
        shown
            .browser
            .is_uncovered(&format!("exported {width}x{height}"));
        shown
            .browser
            .screenshot(&format!("page-end-{width}x{height}"));
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
        ("&turned=0", ("Flat", false)),
        ("&view=stand&turned=1", ("Stand", true)),
    ] {
        let (name, is_turned) = view(&mut shown, &format!("{game}{looks}"));
        assert_eq!((name.as_str(), is_turned), expected, "{looks}");
        // The button turns the board from there.
        let pressed = "document.querySelector('.tx-flip').getAttribute('aria-pressed')";
        let is_pressed = |pressed: &str| pressed == "true";
        assert_eq!(is_pressed(&shown.browser.text(pressed)), is_turned);
        shown.browser.key("f");
        assert_eq!(is_pressed(&shown.browser.text(pressed)), !is_turned);
        let near = "document.querySelector('.tx-near').textContent.includes('Spock')";
        assert_eq!(shown.browser.eval(near), !is_turned, "{looks}");
    }
}

/// A drag, the wheel, keys and buttons turn the glass board. Clicks hit what is drawn at each angle, which the address names.
#[test]
fn the_glass_board_is_turned() {
    let Some(mut shown) = shown() else {
        return;
    };
    shown.browser.size(1440, 900);
    let ready = "document.querySelector('.tx-ready')";
    for rules in [RuleSystem::Meder, RuleSystem::Millennium] {
        let late = Late::of(rules);
        for angle in ["140,40", "-78,13", "0,74"] {
            let address = format!("{}#g1m{}&glass={angle}", late.address(), late.ply);
            shown.open(&address);
            shown.browser.wait(ready);
            shown
                .browser
                .click_view(counts(&late.position), "Glass", &address);
        }
    }
    let address = format!(
        "{}#g1m0&glass=-28,27",
        Late::of(RuleSystem::Meder).address()
    );
    shown.open(&address);
    shown.browser.wait(ready);
    let mut now = String::new();
    let mut changed = |shown: &mut Shown, what: &str| {
        let other = format!("location.hash !== '{now}' && location.hash.includes('{what}')");
        shown.browser.wait(&other);
        now = shown.browser.text("location.hash");
    };
    changed(&mut shown, "glass=-28,27");
    let from = shown.browser.bring(Drawing::Viewer, (700.0, 6.0));
    shown.browser.drag(from, (from.0 - 100.0, from.1 + 20.0));
    changed(&mut shown, "glass=-63,34");
    shown.browser.eval(
        "document.querySelector('.tx-board').dispatchEvent(new WheelEvent('wheel', { deltaY: -100, cancelable: true, bubbles: true, clientX: 400, clientY: 400 }))",
    );
    changed(&mut shown, ",1.2,");
    shown.browser.key("3");
    changed(&mut shown, "glass=-78,13");
    shown
        .browser
        .eval("document.querySelector('.tx-angles button:nth-child(4)').click()");
    changed(&mut shown, "glass=0,74");
    shown.look("glass");
    // The browser remembers the view for other games.
    shown.open("/game/games.pgn:1?ply=0");
    shown.browser.wait(ready);
    let view = "document.querySelector('.tx-view').textContent";
    assert_eq!(shown.browser.text(view), "Glass");
    shown.browser.key("v");
    shown.browser.wait(&format!("{view} === 'Column'"));
    shown.open("/game/games.pgn:2?ply=0");
    shown.browser.wait(ready);
    assert_eq!(shown.browser.text(view), "Flat");
}

macro_rules! at_every_size {
    ($($name:ident $size:literal;)*) => {$(
        #[test]
        fn $name() {
            if let Some(mut shown) = shown() {
                pictures(&mut shown, SIZES[$size]);
                pins(&mut shown, SIZES[$size]);
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
