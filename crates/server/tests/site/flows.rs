//! What readers do on the site, in a real browser: every page at three sizes, light and dark, with and without script; moves
//! tried out on the board of a game, positions set up by dragging, results sorted and opened, by mouse, finger and keyboard.
//! Pictures are stored under `target/pages`. Where there is no Chromium the tests say so and pass.

use crate::browser::{MOVED, Shown, shown, square};
use crate::support::{entries, quoted};
use tridex_notation::{Notation, names, position_string};
use tridex_rules::{Move, Position, RuleSystem};

/// Every kind of page.
const PAGES: [(&str, &str); 14] = [
    ("home", "/"),
    ("results", "/search?player=kirk&limit=20"),
    ("pattern", "/search?pattern=check&limit=10&sort=date"),
    ("openings", "/openings?rules=meder"),
    ("setup", "/setup?rules=meder"),
    ("setup-cube", "/setup?rules=chess3&hand=N"),
    ("rules", "/rules?rules=meder&piece=B&to=s0"),
    ("rules-cube", "/rules?rules=millennium&piece=N"),
    ("statistics", "/statistics?rules=meder&player=kirk"),
    ("player", "/player?name=Spock"),
    ("game", "/game/wanted.pgn:1?ply=5&found=5"),
    ("guide", "/guide"),
    ("guide-boards", "/guide/boards"),
    ("fault", "/nothing"),
];

fn every_page(width: u32, height: u32) {
    let Some(mut shown) = shown() else {
        return;
    };
    if width < 1000 {
        shown.browser.phone(width, height);
    } else {
        shown.browser.size(width, height);
    }
    for is_dark in [false, true] {
        shown.browser.dark(is_dark);
        let theme = if is_dark { "dark" } else { "light" };
        for (name, address) in PAGES {
            shown.open(address);
            if name == "game" {
                shown.browser.wait("document.querySelector('.tx-ready')");
            }
            let moved = shown.browser.eval(MOVED);
            assert_eq!(moved[0], 0, "{name} {width}: {moved}");
            if name == "fault" {
                shown.browser.faults();
            }
            shown.look(&format!("{name}-{width}-{theme}"));
        }
        shown.browser.script(false);
        let there = PAGES.iter().filter(|(name, _)| *name != "fault");
        for (name, address) in there {
            shown.open(address);
            shown
                .browser
                .screenshot(&format!("serve-{name}-{width}-{theme}-no-script"));
            let wide =
                "document.documentElement.scrollWidth > document.documentElement.clientWidth";
            assert_eq!(
                shown.browser.eval(wide),
                false,
                "{name} {width} without script"
            );
            // Content is there, and more than one link leads on.
            let seen = "document.querySelector('main').innerText.length > 20 && document.querySelectorAll('main a').length > 0";
            assert_eq!(
                shown.browser.eval(seen),
                true,
                "{name} {width} without script"
            );
        }
        shown.browser.script(true);
    }
    shown.open("/");
    assert_eq!(shown.browser.faults(), Vec::<String>::new());
}

#[test]
fn every_page_on_a_telephone() {
    every_page(360, 640);
}

#[test]
fn every_page_on_a_tablet() {
    every_page(768, 1024);
}

#[test]
fn every_page_on_a_desk() {
    every_page(1440, 900);
}

const NOW: &str = "document.querySelector('.tx-now').textContent";
const TARGETS: &str = "document.querySelectorAll('.tx-over [href$=\"-go\"]').length";

/// The middle of an element of the board, without scrolling.
fn spot(shown: &mut Shown, element: &str) -> (f64, f64) {
    let at = shown.browser.eval(&format!(
        "(() => {{ const r = ({element}).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
    ));
    (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
}

/// The game of the shelf, at its start, in the viewer.
fn viewer(shown: &mut Shown, address: &str) {
    shown.open(address);
    shown
        .browser
        .wait("document.querySelector('.tx-try')?.list.options.length > 1");
}

/// Writes a move.
fn write(shown: &mut Shown, text: &str) {
    shown
        .browser
        .eval("document.querySelector('.tx-try').select()");
    shown.browser.type_text(text);
    shown.browser.key("Enter");
}

#[test]
fn moves_are_tried_out_by_clicks_by_dragging_and_by_the_keyboard() {
    let Some(mut shown) = shown() else {
        return;
    };
    shown.browser.size(1440, 900);
    viewer(&mut shown, "/game/wanted.pgn:1?ply=0");
    let pawn = "document.querySelector('.tx-men use[href=\"#wP\"]')";
    let first = "document.querySelector('.tx-over [href$=\"-go\"]')";
    // Click and click. What is clicked twice is no longer selected.
    let at = spot(&mut shown, pawn);
    shown.browser.click_at(at);
    shown.browser.wait(&format!("{TARGETS} > 0"));
    shown.look("try-selected");
    shown.browser.click_at(at);
    shown.browser.wait(&format!("{TARGETS} === 0"));
    shown.browser.click_at(at);
    shown.browser.wait(&format!("{TARGETS} > 0"));
    let to = spot(&mut shown, first);
    shown.browser.click_at(to);
    shown
        .browser
        .wait("!document.querySelector('.tx-leave').hidden");
    assert!(
        shown.browser.text(NOW).starts_with("1. "),
        "{}",
        shown.browser.text(NOW)
    );
    shown.look("try-line");
    // By dragging, Black's answer; it is dropped elsewhere first.
    let black = "[...document.querySelectorAll('.tx-men use[href=\"#bP\"]')].at(-1)";
    let at = spot(&mut shown, black);
    shown.browser.drag(at, (5.0, 5.0));
    assert!(shown.browser.text(NOW).starts_with("1. "));
    shown.browser.click_at(at);
    shown.browser.wait(&format!("{TARGETS} > 0"));
    let to = spot(&mut shown, first);
    shown.browser.click_at(at);
    shown.browser.wait(&format!("{TARGETS} === 0"));
    shown.browser.drag(at, to);
    shown.browser.wait(&format!("{NOW}.startsWith('1... ')"));
    // By the keyboard: a move is written; what is none is reported.
    write(&mut shown, "Zz9");
    shown
        .browser
        .wait("!document.querySelector('.tx-try').validity.valid");
    write(&mut shown, "d3w");
    shown.browser.wait(&format!("{NOW}.startsWith('2. d3W')"));
    // Back through the line, on again, and out of it.
    shown
        .browser
        .eval("document.querySelector('.tx-moves').focus()");
    shown.browser.key("ArrowLeft");
    shown.browser.wait(&format!("{NOW}.startsWith('1... ')"));
    shown.browser.key("ArrowRight");
    shown.browser.wait(&format!("{NOW}.startsWith('2. ')"));
    // The moves are a variation of the game. The address names them, so that they are there when the page is loaded again.
    let tried = "document.querySelectorAll('.tx-moves .tx-variation .tx-tried').length";
    assert_eq!(shown.browser.eval(tried), 3);
    assert!(
        shown
            .browser
            .text("location.hash")
            .starts_with("#g1m0&lines=0~")
    );
    shown
        .browser
        .eval("document.body.dataset.old = ''; location.reload()");
    shown.browser.wait(&format!(
        "!('old' in document.body.dataset) && {NOW}?.startsWith('2. d3W')"
    ));
    assert_eq!(shown.browser.eval(tried), 3);
    // What is deleted is gone with what follows it.
    shown.browser.key("Delete");
    shown.browser.wait(&format!("{NOW}.startsWith('1... ')"));
    assert_eq!(shown.browser.eval(tried), 2);
    shown.browser.key("Escape");
    shown
        .browser
        .wait("document.querySelector('.tx-leave').hidden");
    assert!(shown.browser.text(NOW).starts_with("start position"));
    // A move of the game itself opens no line.
    write(&mut shown, "b4N");
    shown.browser.wait(&format!("{NOW}.startsWith('1. b4N')"));
    assert_eq!(
        shown
            .browser
            .eval("document.querySelector('.tx-leave').hidden"),
        true
    );
}

#[test]
fn moves_are_tried_out_with_a_finger() {
    let Some(mut shown) = shown() else {
        return;
    };
    shown.browser.phone(390, 844);
    viewer(&mut shown, "/game/wanted.pgn:1?ply=0");
    // One level is shown at first, with squares for a finger. It follows the moves, and all boards can be seen.
    let large = "(() => { const svg = document.querySelector('.tx-board'); const box = svg.getAttribute('viewBox').split(' '); \
                 return 40 * Math.min(svg.clientWidth / box[2], svg.clientHeight / box[3]); })()";
    let side = shown.browser.eval(large).as_f64().unwrap();
    assert!(side > 40.0, "{side}");
    shown.look("phone-level");
    let level = "[...document.querySelectorAll('.tx-level')].findIndex((one) => one.ariaPressed === 'true')";
    assert_eq!(shown.browser.eval(level), 1);
    shown.browser.key("ArrowRight");
    assert_eq!(shown.browser.eval(level), 2);
    shown.browser.key("ArrowLeft");
    let all = spot(&mut shown, "document.querySelector('.tx-level')");
    shown.browser.swipe(all, all);
    assert_eq!(shown.browser.eval(level), 0);
    // The browser remembers that.
    shown.browser.phone(360, 640);
    viewer(&mut shown, "/game/wanted.pgn:1?ply=0");
    assert_eq!(shown.browser.eval(level), 0);
    let at = spot(
        &mut shown,
        "document.querySelector('.tx-men use[href=\"#wP\"]')",
    );
    shown.browser.swipe(at, at);
    shown.browser.wait(&format!("{TARGETS} > 0"));
    shown.look("try-touch");
    let to = spot(
        &mut shown,
        "document.querySelector('.tx-over [href$=\"-go\"]')",
    );
    shown.browser.swipe(to, to);
    shown
        .browser
        .wait("!document.querySelector('.tx-leave').hidden");
    shown.look("try-touch-line");
    // A piece is dragged with the finger; the moves are not turned by it.
    let at = spot(
        &mut shown,
        "[...document.querySelectorAll('.tx-men use[href=\"#bP\"]')].at(-1)",
    );
    shown.browser.swipe(at, at);
    shown.browser.wait(&format!("{TARGETS} > 0"));
    let to = spot(
        &mut shown,
        "document.querySelector('.tx-over [href$=\"-go\"]')",
    );
    shown.browser.swipe(at, at);
    shown.browser.wait(&format!("{TARGETS} === 0"));
    shown.browser.swipe(at, to);
    shown.browser.wait(&format!("{NOW}.startsWith('1... ')"));
    // So is one whose square is touched next to it; the page stays where it is.
    let next_to = |shown: &mut Shown, piece: &str| {
        let corner = shown.browser.eval(&format!(
            "(() => {{ const use = {piece}, m = use.getScreenCTM(); \
             const p = new DOMPoint(-48, -4).matrixTransform(m); return [p.x, p.y, document.elementFromPoint(p.x, p.y) === use]; }})()"
        ));
        assert_eq!(corner[2], false, "the point is on the piece");
        (corner[0].as_f64().unwrap(), corner[1].as_f64().unwrap())
    };
    let piece = "document.querySelectorAll('.tx-men use[href=\"#wP\"]')[1]";
    let at = next_to(&mut shown, piece);
    shown.browser.swipe(at, at);
    shown.browser.wait(&format!("{TARGETS} > 0"));
    let to = spot(
        &mut shown,
        "document.querySelector('.tx-over [href$=\"-go\"]')",
    );
    let at = next_to(&mut shown, piece);
    shown.browser.swipe(at, at);
    shown.browser.wait(&format!("{TARGETS} === 0"));
    let scrolled = shown.browser.eval("scrollY");
    shown.browser.swipe(at, to);
    shown.browser.wait(&format!("{NOW}.startsWith('2. ')"));
    assert_eq!(shown.browser.eval("scrollY"), scrolled);
    shown.browser.click(".tx-leave");
    shown
        .browser
        .wait("document.querySelector('.tx-leave').hidden");
    // Next to the pieces the finger still turns the moves.
    let (x, y) = spot(&mut shown, "document.querySelector('.tx-board')");
    shown.browser.swipe((x + 60.0, y), (x - 60.0, y));
    shown.browser.wait(&format!("{NOW}.startsWith('1. b4N')"));
}

/// A game of the shelf, a ply of it, and an attack board that can move there.
fn board_to_move() -> (u32, usize, String) {
    for entry in entries(7, 200)
        .iter()
        .filter(|entry| entry.rules == RuleSystem::Meder)
    {
        let mut position = Position::start(RuleSystem::Meder);
        for (ply, played) in entry.moves.iter().enumerate() {
            let mut boards = position
                .legal_moves()
                .into_iter()
                .filter_map(|legal| match legal {
                    Move::Board {
                        board,
                        turned: false,
                        ..
                    } => Some(board),
                    _ => None,
                });
            if let Some(board) = boards.next() {
                let layout = position.layout().unwrap();
                let name = names::board(Notation::Meder, layout, board);
                return (entry.number, ply, name);
            }
            position.play_unchecked(*played);
        }
    }
    panic!("some board can move");
}

#[test]
fn attack_boards_are_moved_in_the_viewer() {
    let Some(mut shown) = shown() else {
        return;
    };
    shown.browser.size(1440, 900);
    let (game, ply, board) = board_to_move();
    let address = format!("/game/games.pgn:{game}?ply={ply}");
    let name = format!(
        "[...document.querySelectorAll('.tx-boards text')].find((one) => one.textContent === '{board}')"
    );
    for view in ["flat", "stand"] {
        viewer(&mut shown, &address);
        if view == "stand" {
            shown.browser.key("v");
        }
        let at = spot(&mut shown, &name);
        shown.browser.click_at(at);
        let pins = "document.querySelectorAll('.tx-over [href$=\"-pin\"]')";
        shown.browser.wait(&format!("{pins}.length > 0"));
        shown.look(&format!("try-board-{view}"));
        let to = spot(&mut shown, &format!("{pins}[0]"));
        let at = spot(&mut shown, &name);
        shown.browser.click_at(at);
        shown.browser.wait(&format!("{pins}.length === 0"));
        shown.browser.drag(at, to);
        shown.browser.wait(
            "!document.querySelector('.tx-leave').hidden || document.querySelector('dialog[open]')",
        );
        // Where the board can also be turned the reader chooses.
        if shown
            .browser
            .eval("document.querySelector('dialog[open]') !== null")
            == true
        {
            shown.look(&format!("try-choice-{view}"));
            shown.browser.key("Enter");
            shown.browser.key("Tab");
            shown
                .browser
                .eval("document.querySelector('dialog[open] .tx-choice')?.click()");
        }
        shown
            .browser
            .wait("!document.querySelector('.tx-leave').hidden");
        shown.look(&format!("try-board-moved-{view}"));
    }
}

#[test]
fn pieces_and_boards_are_dragged_where_they_are_set_up() {
    let Some(mut shown) = shown() else {
        return;
    };
    for is_touch in [false, true] {
        if is_touch {
            shown.browser.phone(768, 1024);
        } else {
            shown.browser.size(1440, 900);
        }
        shown.open("/setup?rules=meder");
        let drag = |shown: &mut Shown, from: (f64, f64), to: (f64, f64)| match is_touch {
            true => shown.browser.swipe(from, to),
            false => shown.browser.drag(from, to),
        };
        let link = |index: u8| format!("document.querySelector('{}')", square(index));
        // The pawn of b2W goes to the neutral board; its squares follow those of White's.
        let Move::Piece { from, to, .. } =
            tridex_index::read_moves(RuleSystem::Meder, "b4N").unwrap()[0]
        else {
            panic!("a pawn moves");
        };
        let (from, to) = (from.index() as u8, to.index() as u8);
        shown
            .browser
            .eval("document.querySelector('.palette').scrollIntoView()");
        let middle = spot(&mut shown, &link(from));
        // Empty squares are links only once something is selected.
        shown.browser.eval(&format!("{}.focus()", link(from)));
        shown.browser.key("Enter");
        shown.browser.wait(&link(to));
        let goal = spot(&mut shown, &link(to));
        shown.open("/setup?rules=meder");
        shown
            .browser
            .eval("document.querySelector('.palette').scrollIntoView()");
        drag(&mut shown, middle, goal);
        let piece = format!("document.querySelector('[data-key=s{to}]')");
        shown
            .browser
            .wait(&format!("{piece}?.dataset.piece === 'wP'"));
        shown
            .browser
            .wait("document.querySelector('.legality').textContent.includes('Nothing selected')");
        // A knight from the palette takes its place.
        let knight = spot(&mut shown, "document.querySelector('[data-key=hn]')");
        drag(&mut shown, knight, goal);
        shown
            .browser
            .wait(&format!("{piece}?.dataset.piece === 'bN'"));
        shown.look(if is_touch {
            "setup-dragged-touch"
        } else {
            "setup-dragged"
        });
        // A board to another pin.
        let handle = spot(&mut shown, "document.querySelector('.spots [data-key=QL]')");
        shown
            .browser
            .eval("document.querySelector('.spots [data-key=QL]').focus()");
        shown.browser.key("Enter");
        shown
            .browser
            .wait("document.querySelector('.spots [data-key=pQ3]')");
        let pin = spot(
            &mut shown,
            "document.querySelector('.spots [data-key=pQ3]')",
        );
        shown.browser.back();
        shown
            .browser
            .wait("!document.querySelector('.spots [data-key=pQ3]')");
        drag(&mut shown, handle, pin);
        shown
            .browser
            .wait("document.querySelector('#position').value.includes('QL@Q3')");
        // Dropped outside the board nothing changes.
        let before = shown
            .browser
            .text("document.querySelector('#position').value");
        drag(&mut shown, goal, (2.0, 2.0));
        shown
            .browser
            .eval("new Promise((done) => setTimeout(done, 200))");
        assert_eq!(
            shown
                .browser
                .text("document.querySelector('#position').value"),
            before
        );
        assert_eq!(shown.browser.faults(), Vec::<String>::new());
    }
    // Why a position is not legal is shown at once.
    shown.open("/setup?rules=meder");
    shown.browser.click("[data-key=clear]");
    shown
        .browser
        .wait("!document.querySelector('[data-piece]')");
    let legality = "document.querySelector('.legality').textContent";
    assert!(
        shown
            .browser
            .text(legality)
            .starts_with("Not legal under meder: ")
    );
    shown.look("setup-illegal");
}

#[test]
fn results_are_sorted_refined_and_opened_and_players_have_a_page() {
    let Some(mut shown) = shown() else {
        return;
    };
    shown.browser.size(1440, 900);
    shown.open("/search?player=kirk&rules=meder");
    let dates = "[...document.querySelectorAll('td.date')].map((cell) => cell.textContent)";
    for (order, sorted) in [
        ("ascending", "(a > b ? 1 : -1)"),
        ("descending", "(a < b ? 1 : -1)"),
    ] {
        shown.browser.click("[data-key=sort-date]");
        shown
            .browser
            .wait(&format!("document.querySelector('th[aria-sort={order}]')"));
        let is_sorted = format!(
            "(() => {{ const all = {dates}.filter(Boolean); return all.length > 5 && \
             [...all].sort((a, b) => {sorted}).every((date, i) => date === all[i]); }})()"
        );
        assert_eq!(shown.browser.eval(&is_sorted), true, "{order}");
    }
    // The fields are above what is found. A condition less.
    let above = "document.querySelector('#quick').compareDocumentPosition(document.querySelector('table.hits')) & Node.DOCUMENT_POSITION_FOLLOWING";
    assert_eq!(shown.browser.eval(above), 4);
    let count = "Number.parseInt(document.querySelector('main [role=status] b').textContent)";
    let before = shown.browser.eval(count).as_u64().unwrap();
    shown.browser.click("[aria-label='Remove rules']");
    shown.browser.wait(&format!("{count} > {before}"));
    // A row is a link wherever it is clicked.
    shown.open("/search?player=kirk&black=spock&rules=meder");
    let result = spot(&mut shown, "document.querySelector('td.result')");
    shown.browser.click_at(result);
    shown.browser.wait("location.pathname.startsWith('/game/')");
    shown.browser.wait("document.querySelector('.tx-ready')");
    shown.browser.click("h1 a:last-child");
    shown.browser.wait("location.pathname === '/player'");
    shown.look("player-of-game");
    // By the keyboard: the first game of the list.
    shown
        .browser
        .eval("document.querySelector('.games a').focus()");
    shown.browser.key("Enter");
    shown.browser.wait("location.pathname.startsWith('/game/')");
    // Every example of the first page finds something.
    shown.open("/");
    let examples = shown
        .browser
        .eval("[...document.querySelectorAll('.examples a')].map((a) => a.getAttribute('href'))");
    let examples = examples.as_array().unwrap();
    assert!(examples.len() > 6, "{examples:?}");
    for example in examples {
        shown.open(example.as_str().unwrap());
        assert_eq!(
            shown.browser.eval("document.querySelector('.fault')"),
            serde_json::Value::Null,
            "{example}"
        );
        assert_eq!(
            shown
                .browser
                .eval("document.querySelectorAll('.query li').length > 0"),
            true,
            "{example}"
        );
    }
    shown.open("/");
    let random = "document.querySelector('[aria-label=\"Random games\"]').textContent";
    let before = shown.browser.text(random);
    shown.browser.click("[data-key=random]");
    shown
        .browser
        .wait(&format!("{random} !== {}", serde_json::json!(before)));
}

#[test]
fn queries_are_completed_marked_and_relaxed_and_results_show_their_boards() {
    let Some(mut shown) = shown() else {
        return;
    };
    shown.browser.size(1440, 900);
    // Every page completes its field: what the list has is a whole query.
    for address in ["/statistics?rules=meder", "/", "/game/wanted.pgn:1"] {
        shown.open(address);
        shown.browser.key("/");
        shown.browser.type_text("mate player:spo");
        shown
            .browser
            .wait("document.activeElement.list?.options[0]?.value === 'mate player:Spock'");
    }
    // A mistake is selected in the field.
    shown.open("/search?query=spock+mate(");
    let selected = "(() => { const field = document.activeElement; \
                    return field.value.slice(0, field.selectionStart) + '|' + field.getAttribute('aria-invalid'); })()";
    assert_eq!(shown.browser.text(selected), "spock mate(|true");
    shown.browser.type_text("x");
    assert_eq!(
        shown
            .browser
            .eval("document.activeElement.getAttribute('aria-invalid')"),
        serde_json::Value::Null
    );
    shown.browser.faults();
    // The part that hides the games is omitted.
    shown.open("/search?query=player:spock+event:nowhere");
    shown.look("relaxed");
    shown.browser.click("main .examples li:last-child a");
    shown
        .browser
        .wait("document.querySelectorAll('table.hits tbody tr').length > 3");
    // The mouse on a row shows its board, and so does the keyboard.
    let row = spot(
        &mut shown,
        "document.querySelector('tbody tr:nth-child(2) td.result')",
    );
    let board = "(() => { const one = document.querySelector('.peek'); return !one.hidden && one.complete && one.naturalWidth > 0; })()";
    shown.browser.hover(row);
    shown.browser.wait(board);
    shown.look("peek");
    shown.browser.hover((5.0, 5.0));
    shown.browser.wait("document.querySelector('.peek').hidden");
    shown.browser.key("Tab");
    shown
        .browser
        .eval("document.querySelector('tbody tr:nth-child(3) td.white a').focus()");
    shown.browser.wait(board);
    shown.browser.key("Escape");
    assert_eq!(
        shown.browser.eval("document.querySelector('.peek').hidden"),
        true
    );
    // On to the next game found, and back, by the keys for what was searched for.
    shown.open("/search?sequence=b4N+then+c3W&rules=meder");
    shown.open("/search?pattern=check&rules=meder");
    shown.browser.click("tbody tr:nth-child(2) td.result");
    let here = |number: u32| {
        format!(
            "document.querySelector('.tx-ready') && document.querySelector('.around')?.textContent.includes('Game {number} ')"
        )
    };
    shown.browser.wait(&here(2));
    shown.look("game-found");
    shown.browser.key("n");
    shown.browser.wait(&here(3));
    shown.browser.key("p");
    shown.browser.wait(&here(2));
    shown.browser.key("p");
    shown.browser.wait(&here(1));
    // An element shows a game at an address, or reports why not.
    shown.open("/game/wanted.pgn:1");
    shown.browser.eval(
        "for (const [src, id] of [['/viewer/wanted.pgn:1?ply=3', 'other'], ['/viewer/none', 'broken']]) { \
         const one = document.createElement('tridex-game'); one.setAttribute('src', src); one.id = id; document.body.append(one); }",
    );
    shown
        .browser
        .wait("document.querySelector('#other .tx-now')?.textContent.startsWith('2. c3W')");
    shown
        .browser
        .wait("document.querySelector('#broken').textContent.includes('/viewer/none: 400')");
    shown.browser.faults();
    // The game alone, for a frame.
    for (width, height) in [(600, 400), (1440, 900)] {
        shown.browser.size(width, height);
        shown.open("/embed/wanted.pgn:1?ply=3");
        shown.browser.wait("document.querySelector('.tx-ready')");
        shown.look(&format!("embed-{width}"));
    }
}

#[test]
fn a_game_plays_on_the_first_page_unless_motion_is_reduced() {
    let Some(mut shown) = shown() else {
        return;
    };
    shown.browser.size(1440, 900);
    shown.open("/");
    shown.browser.wait(&format!(
        "document.querySelector('.tx-scene') && {NOW}.startsWith('1... ')"
    ));
    // It can be stopped, and leaves the address and the keys of the page alone.
    shown.browser.click(".tx-play");
    let stopped = shown.browser.text(NOW);
    shown.browser.key("ArrowRight");
    assert_eq!(shown.browser.text(NOW), stopped);
    assert_eq!(shown.browser.text("location.hash"), "");
    shown.look("home-playing");
    // By finger.
    shown.browser.phone(390, 844);
    shown.open("/");
    shown.browser.wait("document.querySelector('.tx-scene')");
    let forth = shown.browser.middle(".tx-forth");
    shown.browser.swipe(forth, forth);
    shown.browser.wait(&format!("{NOW} !== 'start position'"));
    shown.look("home-phone");
    let reduced =
        serde_json::json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]});
    shown.browser.ask("Emulation.setEmulatedMedia", reduced);
    shown.open("/");
    shown.browser.wait("document.querySelector('.tx-scene')");
    assert_eq!(
        shown
            .browser
            .text("document.querySelector('.tx-play').getAttribute('aria-label')"),
        "Play on"
    );
    assert!(shown.browser.text(NOW).starts_with("start position"));
}

#[test]
fn a_sequence_is_composed_step_by_step_and_found() {
    let Some(mut shown) = shown() else {
        return;
    };
    shown.browser.size(1440, 900);
    shown.open("/search");
    shown
        .browser
        .eval("for (const one of document.querySelectorAll('details')) one.open = true");
    let set = |shown: &mut Shown, row: usize, name: &str, value: &str| {
        shown.browser.eval(&format!(
            "(() => {{ const one = document.querySelector('.rows li:nth-child({row}) [name={name}]'); \
             one.value = '{value}'; one.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
        ));
    };
    let text = "document.getElementById('f-sequence').value";
    let seen =
        |name: &str| format!("document.querySelector('.rows [name={name}]').checkVisibility()");
    // What a step can have depends on its move.
    set(&mut shown, 1, "what", "knight");
    set(&mut shown, 1, "takes", "takes queen");
    set(&mut shown, 1, "to", "c6B");
    set(&mut shown, 1, "gives", "check");
    assert_eq!(shown.browser.text(text), "knight takes queen to c6B check");
    assert_eq!(shown.browser.eval(&seen("board")), false);
    assert_eq!(shown.browser.eval(&seen("joint")), false);
    set(&mut shown, 1, "to", "");
    set(&mut shown, 1, "gives", "");
    set(&mut shown, 1, "who", "white");
    set(&mut shown, 1, "what", "board");
    assert_eq!(shown.browser.text(text), "white board");
    assert_eq!(shown.browser.eval(&seen("board")), true);
    shown.browser.click(".composer .more");
    set(&mut shown, 1, "joint", "then within");
    set(&mut shown, 1, "plies", "20");
    set(&mut shown, 2, "who", "white");
    set(&mut shown, 2, "what", "0-0-0");
    shown.look("sequence");
    let wanted = "white board then within 20 plies white 0-0-0";
    assert_eq!(shown.browser.text(text), wanted);
    // A step more, and away again.
    shown.browser.click(".composer .more");
    assert_eq!(shown.browser.text(text), format!("{wanted} then move"));
    shown.browser.click(".rows li:last-child button");
    assert_eq!(shown.browser.text(text), wanted);
    shown.browser.click("form.search button[type=submit]");
    shown
        .browser
        .wait("new URLSearchParams(location.search).has('sequence')");
    assert_eq!(
        shown
            .browser
            .text("[...new URLSearchParams(location.search).keys()].join()"),
        "sequence",
        "neither rows nor empty fields are parameters"
    );
    shown
        .browser
        .wait("document.querySelector('main [role=status] b')");
    shown.look("sequence-found");
    assert_eq!(
        shown
            .browser
            .eval("document.querySelectorAll('.hits tbody tr').length > 0"),
        true
    );
    shown.browser.phone(360, 640);
    shown.open("/search");
    shown
        .browser
        .eval("for (const one of document.querySelectorAll('details')) one.open = true");
    shown
        .browser
        .eval("document.querySelector('.composer').scrollIntoView()");
    shown.look("sequence-360");
}

#[test]
fn a_sequence_that_was_typed_is_shown_in_rows_or_kept() {
    let Some(mut shown) = shown() else {
        return;
    };
    shown.browser.size(1440, 900);
    let text = "document.getElementById('f-sequence').value";
    let rows = "document.querySelectorAll('.rows li').length";
    let choose = |shown: &mut Shown, row: usize, name: &str, value: &str| {
        shown.browser.eval(&format!(
            "(() => {{ const one = document.querySelector('.rows li:nth-child({row}) [name={name}]'); \
             one.value = '{value}'; one.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
        ));
    };
    // What the controls can write is in them, and a change of one leaves the others.
    for (typed, count, changed) in [
        (
            "rook takes queen then check",
            2,
            "white rook takes queen then check",
        ),
        (
            "black QL carries knight then within 5 plies knight from a1W to c2W check next castling mate",
            3,
            "white QL carries knight then within 5 plies knight from a1W to c2W check next castling mate",
        ),
        ("pawn promotes to queen", 1, "white pawn promotes to queen"),
        // What they cannot write stays, and steps follow it.
        (
            "board carries piece as x then within 3 plies x takes",
            1,
            "board carries piece as x then within 3 plies x takes then white",
        ),
        ("takes than check", 1, "takes than check then white"),
        (
            "not castling before mate",
            1,
            "not castling before mate then white",
        ),
    ] {
        for is_typed in [false, true] {
            let address = match is_typed {
                false => format!("/search?sequence={}", quoted(typed)),
                true => "/search".to_owned(),
            };
            shown.open(&address);
            shown
                .browser
                .eval("for (const one of document.querySelectorAll('details')) one.open = true");
            if is_typed {
                shown
                    .browser
                    .eval("document.getElementById('f-sequence').focus()");
                shown.browser.type_text(typed);
            }
            assert_eq!(shown.browser.text(text), typed);
            assert_eq!(shown.browser.eval(rows), count, "{typed}");
            let is_kept = shown
                .browser
                .eval("document.querySelector('.composer .unchanged').checkVisibility()");
            assert_eq!(
                is_kept,
                changed.starts_with(&format!("{typed} then")),
                "{typed}"
            );
            if typed.starts_with("takes than") {
                // The answer to a query that is not understood has the status of an error.
                shown.browser.faults();
                shown.look(&format!("sequence-unchanged-{is_typed}"));
            }
            choose(&mut shown, 1, "who", "white");
            assert_eq!(shown.browser.text(text), changed);
        }
    }
    shown.browser.faults();
}

#[test]
fn a_pasted_position_is_kept_until_it_can_be_read() {
    let Some(mut shown) = shown() else {
        return;
    };
    let start = |rules: RuleSystem| position_string::to_string(&Position::start(rules).to_setup());
    let meder = start(RuleSystem::Meder);
    let wrong = meder.replacen(' ', "ppp ", 1);
    let cube = start(RuleSystem::Millennium);
    let value = "document.getElementById('position').value";
    for (width, height) in [(1440, 900), (360, 740)] {
        shown.browser.size(width, height);
        for is_dark in [false, true] {
            shown.browser.dark(is_dark);
            shown.open("/setup?rules=meder");
            let paste = |shown: &mut Shown, text: &str| {
                shown
                    .browser
                    .eval("document.getElementById('position').select()");
                shown.browser.type_text(text);
                shown.browser.key("Enter");
            };
            paste(&mut shown, &wrong);
            shown.browser.wait("document.querySelector('pre.fault')");
            shown.browser.faults();
            assert_eq!(shown.browser.text(value), wrong);
            let theme = if is_dark { "dark" } else { "light" };
            shown.look(&format!("setup-unread-{width}-{theme}"));
            paste(&mut shown, &cube);
            shown.browser.wait("document.querySelector('.note')");
            assert_eq!(shown.browser.text(value), cube);
            let chosen = "document.querySelector('.choice [aria-current]').textContent";
            assert_eq!(shown.browser.text(chosen), "Millennium 3D Chess");
            shown.look(&format!("setup-switched-{width}-{theme}"));
            shown.open(&format!(
                "/openings?rules=meder&position={}",
                quoted(&wrong)
            ));
            shown.browser.faults();
            shown.look(&format!("openings-unread-{width}-{theme}"));
        }
    }
}

/// The words below the picture are true in both themes: the ground of a square that is never reached and the colour of the
/// one that is reached most differ more than those of any other two, and the scale has both.
#[test]
fn the_map_of_visits_has_a_scale() {
    let Some(mut shown) = shown() else {
        return;
    };
    for (width, height) in [(1440, 900), (360, 740)] {
        shown.browser.size(width, height);
        for is_dark in [false, true] {
            shown.browser.dark(is_dark);
            shown.open("/statistics?rules=meder");
            let words = shown
                .browser
                .text("document.querySelector('#heat p').textContent");
            assert!(words.starts_with("The stronger the colour"), "{words}");
            assert!(!words.contains("dark"), "{words}");
            let steps = shown.browser.eval(
                "[...document.querySelectorAll('.scale .hot')].map((one) => Number(one.getAttribute('fill-opacity')))",
            );
            let steps: Vec<f64> = serde_json::from_value(steps).unwrap();
            assert!(steps.len() > 2 && steps.is_sorted(), "{steps:?}");
            assert_eq!((steps.first(), steps.last()), (Some(&0.0), Some(&1.0)));
            // The label of the last step is the label of the square that is reached most often.
            let most = "document.querySelector('#heat details td.number').textContent";
            let last = "document.querySelector('.scale text:last-of-type').textContent";
            assert_eq!(shown.browser.text(most), shown.browser.text(last));
            shown
                .browser
                .eval("document.querySelector('#heat').scrollIntoView()");
            shown.look(&format!("heat-{width}-{is_dark}"));
        }
    }
}

#[test]
fn the_theme_is_one_choice_for_all_pages_and_pictures_are_saved() {
    let Some(mut shown) = shown() else {
        return;
    };
    shown.browser.size(1440, 900);
    shown.browser.dark(false);
    shown.open("/");
    shown.browser.click(".theme");
    let ground = "getComputedStyle(document.body).backgroundColor";
    let dark = shown.browser.text(ground);
    shown.open("/openings?rules=meder");
    assert_eq!(shown.browser.text(ground), dark);
    viewer(&mut shown, "/game/wanted.pgn:1");
    assert_eq!(
        shown
            .browser
            .text("getComputedStyle(document.querySelector('.tx-stage')).backgroundColor"),
        dark
    );
    // The picture as a file of pixels.
    shown.browser.eval(
        "(() => { const make = URL.createObjectURL; URL.createObjectURL = (blob) => { globalThis.saved = blob; return make.call(URL, blob); }; \
         HTMLAnchorElement.prototype.click = () => {}; })()",
    );
    shown.browser.click(".tx-share");
    shown.browser.eval(
        "(() => { const s = document.querySelector('.tx-what'); s.value = 'png'; s.dispatchEvent(new Event('change')); })()",
    );
    shown.browser.click(".tx-download");
    shown.browser.wait("globalThis.saved?.type === 'image/png'");
    let size = shown.browser.eval("createImageBitmap(globalThis.saved).then((image) => [image.width, image.height, globalThis.saved.size])");
    assert!(
        size[0].as_u64().unwrap() > 800 && size[2].as_u64().unwrap() > 20_000,
        "{size}"
    );
    assert_eq!(shown.browser.faults(), Vec::<String>::new());
}
