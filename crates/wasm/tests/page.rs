//! The page in a real browser, opened from disk. It is put together by `crates/wasm/build`.

use std::path::{Path, PathBuf};
use tridex_archive::{Limits, game, pgn};
use tridex_browser::Browser;
use tridex_replay::{Options, replay_with};
use tridex_rules::{Position, RuleSystem};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The page; nothing, with a word, where it has not been built.
fn page() -> Option<PathBuf> {
    let page = Path::new(ROOT).join("target/wasm/tridex.html");
    if !page.exists() {
        let why = "skipped: there is no page (crates/wasm/build)";
        let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{why}\n").as_bytes());
        return None;
    }
    Some(page)
}

fn open() -> Option<Browser> {
    let page = page()?;
    let mut browser = Browser::launch()?;
    browser.open_file(&page, "");
    browser.wait("document.documentElement.classList.contains('ready')");
    Some(browser)
}

/// Writes a text into the field, as somebody does who pastes it.
fn paste(browser: &mut Browser, text: &str) {
    browser
        .eval("document.getElementById('text').focus(); document.getElementById('text').select()");
    browser.type_text(text);
}

/// Writes a move into the viewer's field.
fn try_move(browser: &mut Browser, written: &str) {
    browser.click("#viewer .tx-try");
    browser.type_text(written);
    browser.key("Enter");
}

fn printed() -> String {
    let file = Path::new(ROOT).join("corpus/games/meder/sample-game/as-printed.txt");
    std::fs::read_to_string(file).unwrap()
}

fn status(browser: &mut Browser) -> String {
    browser.text("document.getElementById('status').textContent")
}

fn value(browser: &mut Browser, id: &str) -> String {
    browser.text(&format!("document.getElementById('{id}').value"))
}

/// Nothing went wrong, and nothing was loaded but the page.
fn is_quiet(browser: &mut Browser) {
    assert_eq!(browser.faults(), Vec::<String>::new());
    let requests = browser.requests();
    let own = |url: &String| url.starts_with("file:") || url.starts_with("blob:");
    assert!(requests.iter().all(own), "{requests:?}");
}

const FINDINGS: &str = "document.querySelectorAll('.finding').length";

#[test]
fn the_printed_sheet_is_read_corrected_converted_and_played_through() {
    let Some(mut browser) = open() else { return };
    paste(&mut browser, &printed());
    browser.wait(&format!("{FINDINGS} === 2"));
    assert_eq!(status(&mut browser), "1 game: 1 ambiguous; 33 plies");
    assert_eq!(
        browser.text("document.querySelector('.finding mark').textContent"),
        "a6S"
    );
    assert_eq!(
        browser.text("document.querySelectorAll('.finding mark')[1].textContent"),
        "a5B"
    );
    for (name, width, height, dark) in [
        ("light-wide", 1440, 900, false),
        ("dark-wide", 1440, 900, true),
        ("light-phone", 360, 640, false),
        ("dark-phone", 360, 640, true),
    ] {
        match width < 500 {
            true => browser.phone(width, height),
            false => browser.size(width, height),
        }
        browser.dark(dark);
        browser.eval("new Promise((done) => setTimeout(done, 300))");
        browser.screenshot(&format!("wasm-{name}"));
        browser.screenshot_whole(&format!("wasm-{name}-whole"));
        let wide = browser.eval("document.documentElement.scrollWidth <= innerWidth");
        assert_eq!(wide, true, "{name} is wider than the window");
        if let Some(found) = browser.axe() {
            assert_eq!(found, Vec::<String>::new(), "{name}");
        }
    }
    browser.size(1440, 900);
    // A reading is chosen: it is in the text then, which is read again.
    browser.click(".finding .choice[aria-label='Write a6B-a5B for a5B']");
    browser.wait(&format!("{FINDINGS} === 1"));
    assert!(value(&mut browser, "text").contains("11. Nd4W a6B-a5B\n"));
    assert_eq!(status(&mut browser), "1 game: 1 warned; 33 plies");
    // Played through by the keys of the viewer.
    browser.eval("document.activeElement.blur()");
    browser.key("End");
    browser.wait("document.querySelector('#viewer .tx-now').textContent.includes('Nd3N')");
    browser.key("Home");
    browser.key("ArrowRight");
    browser.wait("document.querySelector('#viewer .tx-now').textContent.includes('b4N')");
    // Converted into each notation of the board.
    browser.eval("document.getElementById('converting').open = true");
    for (notation, first) in [
        ("manual", "1. c3,WB-c5,NB c8,BB-c6,BB"),
        ("meder", "1. b4N b5B"),
    ] {
        browser.eval(&format!(
            "document.getElementById('to').value = '{notation}'"
        ));
        browser.click("#convert");
        browser.wait(&format!(
            "document.getElementById('converted').value.includes('{first}')"
        ));
    }
    assert_eq!(
        browser.text("document.getElementById('converted-status').textContent"),
        "1 game written"
    );
    is_quiet(&mut browser);
}

#[test]
fn a_broken_sheet_shows_errors_under_its_words_and_what_would_be_legal() {
    let Some(mut browser) = open() else { return };
    paste(
        &mut browser,
        "[White \"</script><img src=x>\"]\n[Variant \"meder\"]\n\n1. b4N b5B 2. c9W a6N *\n",
    );
    browser.wait("document.querySelector('.finding.error mark')");
    assert_eq!(
        browser.text("document.querySelector('.finding.error mark').textContent"),
        "c9W"
    );
    browser.click(".finding.error .where");
    assert_eq!(browser.eval("document.activeElement.id"), "text");
    let selected = "(() => { const at = document.getElementById('text'); return at.value.slice(at.selectionStart, at.selectionEnd); })()";
    assert_eq!(browser.text(selected), "c9W");
    // Every choice reads.
    if browser.eval("!!document.querySelector('.finding.error .choice')") == true {
        browser.click(".finding.error .choice");
        browser.wait("!document.querySelector('.finding.error')");
    }
    is_quiet(&mut browser);
}

#[test]
fn games_are_entered_by_moves_positions_are_set_up_and_rules_are_tried() {
    let Some(mut browser) = open() else { return };
    // A game of no moves: what is tried out is written into the sheet.
    browser.eval("(() => { const at = document.getElementById('fresh'); at.value = 'meder'; at.dispatchEvent(new Event('change')); })()");
    browser.wait("document.querySelector('#viewer datalist option:nth-child(6)')");
    try_move(&mut browser, "b4N");
    browser.wait("document.getElementById('text').value.includes('1. ')");
    assert!(value(&mut browser, "text").starts_with("[Event \"?\"]"));
    browser.wait("document.querySelector('#viewer datalist option:nth-child(6)')");
    try_move(&mut browser, "b5B");
    browser.wait("document.getElementById('status').textContent.startsWith('2 plies')");
    // Setting up: an empty board cannot be played; with a piece on a square it is drawn.
    browser.click("#tab-setup");
    browser.wait("document.querySelectorAll('#boards button').length === 64");
    browser.click("#setup-empty");
    browser.wait("document.getElementById('fault').textContent.includes('White has no king')");
    assert_eq!(
        browser.eval("document.getElementById('play-from').disabled"),
        true
    );
    browser.eval("document.querySelector('#palette input[value=K]').click()");
    browser.click("#boards td button");
    browser.wait("document.getElementById('fault').textContent.includes('Black has no king')");
    browser.screenshot_whole("wasm-setup");
    browser.click("#setup-start");
    browser.wait("!document.getElementById('play-from').disabled");
    browser.click("#play-from");
    browser.wait("document.getElementById('status').textContent.startsWith('1 game')");
    // The rules of all systems, and a piece alone.
    browser.click("#tab-rules");
    for rules in ["meder", "manual", "federation", "millennium", "chess3"] {
        browser.click(&format!("#systems [data-rules={rules}]"));
        browser.wait("document.querySelector('#rules-viewer datalist option:nth-child(6)')");
        for piece in ["R", "N", "P", "K"] {
            browser.click(&format!("#pieces [data-piece={piece}]"));
            // Two kings and the piece; or the king in its place.
            let count = if piece == "K" { 2 } else { 3 };
            browser.wait(&format!(
                "document.querySelector('#rules-viewer .tx-men use[href=\"#w{piece}\"]') \
                 && document.querySelectorAll('#rules-viewer .tx-men use').length === {count}"
            ));
            browser.wait("document.querySelector('#rules-viewer datalist option:nth-child(2)')");
        }
        browser.screenshot_whole(&format!("wasm-rules-{rules}"));
    }
    if let Some(found) = browser.axe() {
        assert_eq!(found, Vec::<String>::new());
    }
    is_quiet(&mut browser);
}

#[test]
fn ten_thousand_games_are_read_in_the_worker_and_listed() {
    let Some(mut browser) = open() else { return };
    // One short game, many times: what is read is counted, and the page answers all the while.
    browser.eval(
        "(() => { const one = '[Variant \"meder\"]\\n\\n1. b4N b5B 2. c3W a6N 3. Nc2W c6B *\\n\\n'; \
         const data = new DataTransfer(); data.items.add(new File(['[White \"Ångström, Anna\"]\\n' + one.repeat(10000)], 'many.pgn')); \
         const at = document.getElementById('file'); at.files = data.files; at.dispatchEvent(new Event('change')); })()",
    );
    browser.wait("document.getElementById('status').textContent.startsWith('10,000 games')");
    browser.wait("document.querySelectorAll('#games li').length === 200");
    browser.click("#games li:nth-child(3) button");
    browser.wait("document.querySelector('#games [aria-current]')?.dataset.game === '3'");
    browser.wait("document.querySelector('#viewer .tx-moves').textContent.includes('Nc2W')");
    // A player's name finds the games.
    browser.eval(
        "(() => { const field = document.getElementById('player'); field.value = 'ångs'; \
         field.dispatchEvent(new Event('input')); })()",
    );
    browser.wait("document.querySelectorAll('#games li').length === 1");
    browser.wait(
        "document.querySelector('#games li').textContent.includes('Ångström, Anna \u{2013} ?')",
    );
    is_quiet(&mut browser);
}

/// Telephone, tablet, desk, large screen.
const SIZES: [(u32, u32); 4] = [(360, 740), (820, 1180), (1440, 900), (2560, 1440)];

/// The squares and the pieces of a position.
fn counts(position: &Position) -> (usize, usize) {
    let pieces = position.to_setup().pieces().count();
    (position.family().squares(), pieces)
}

/// A click hits what is drawn: the visible middle of every piece and of every empty square, under all rules, in every view,
/// from both sides.
fn clicks_hit_what_is_drawn((width, height): (u32, u32)) {
    let Some(mut browser) = open() else { return };
    browser.size(width, height);
    // Attack boards at the sides and below other boards; a cube.
    for (rules, number, ply) in [
        (RuleSystem::Meder, 1, 88),
        (RuleSystem::Manual, 2, 60),
        (RuleSystem::Federation, 0, 40),
        (RuleSystem::Millennium, 0, 30),
        (RuleSystem::Chess3, 1, 30),
    ] {
        let what = format!("{} {width}x{height}", rules.name());
        let file = format!("corpus/games/generated/{}.pgn", rules.name());
        let text = std::fs::read_to_string(Path::new(ROOT).join(file)).unwrap();
        let text = text.split("[Event ").nth(1 + number).unwrap();
        let text = format!("[Event {}\n", text.trim());
        let games = game::collect(|v| pgn::read_games(text.as_bytes(), 0, &Limits::default(), v));
        let moves = replay_with(&games[0], &Options::default(), |played| {
            played.moves().to_vec()
        });
        let mut late = Position::start(rules);
        for played in &moves[..ply] {
            late.play_unchecked(*played);
        }
        browser.eval("document.querySelector('#viewer .tx-board')?.classList.add('before')");
        paste(&mut browser, &text);
        browser.wait(&format!(
            "document.querySelector('#viewer .tx-board:not(.before)') \
             && document.querySelectorAll('#viewer .tx-moves a.tx-main').length === {}",
            moves.len()
        ));
        browser.eval("document.querySelector('#viewer .tx-moves a').click()");
        browser.click_views(counts(&Position::start(rules)), &what);
        browser.eval(&format!(
            "document.querySelectorAll('#viewer .tx-moves a.tx-main')[{}].click()",
            ply - 1
        ));
        browser.eval("document.querySelector('#viewer .tx-flip').click()");
        browser.click_views(counts(&late), &format!("{what} turned"));
        browser.eval("scrollTo(0, 0)");
    }
    // Setting up: every square is a button, which nothing covers.
    browser.click("#tab-setup");
    for &rules in RuleSystem::ALL {
        browser.eval(&format!(
            "(() => {{ const at = document.getElementById('setup-rules'); at.value = '{}'; at.dispatchEvent(new Event('change')); }})()",
            rules.name()
        ));
        let (squares, pieces) = counts(&Position::start(rules));
        browser.wait(&format!(
            "document.querySelectorAll('#boards button').length === {squares} && document.querySelectorAll('#boards use').length === {pieces}"
        ));
        let wrong = browser.eval(
            "[...document.querySelectorAll('#boards td')].flatMap((cell) => { \
             cell.scrollIntoView({block: 'center', behavior: 'instant'}); \
             const r = (cell.querySelector('use') ?? cell).getBoundingClientRect(); \
             const front = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2); \
             return front === cell.firstChild ? [] : [cell.innerHTML]; })",
        );
        assert_eq!(wrong, serde_json::json!([]), "{}", rules.name());
    }
    is_quiet(&mut browser);
}

macro_rules! at_every_size {
    ($($name:ident $size:literal;)*) => {$(
        #[test]
        fn $name() {
            clicks_hit_what_is_drawn(SIZES[$size]);
        }
    )*};
}

at_every_size! {
    clicks_hit_what_is_drawn_on_a_telephone 0;
    clicks_hit_what_is_drawn_on_a_tablet 1;
    clicks_hit_what_is_drawn_on_a_desk 2;
    clicks_hit_what_is_drawn_on_a_large_screen 3;
}

#[test]
fn no_part_of_the_viewer_covers_another() {
    let Some(mut browser) = open() else { return };
    paste(&mut browser, &printed());
    browser.wait("document.querySelectorAll('#viewer .tx-moves a').length > 30");
    for (width, height) in [(360, 740), (390, 664), (740, 360), (820, 1180), (1440, 900)] {
        browser.phone(width, height);
        browser.is_uncovered(&format!("{width}x{height}"));
        browser.screenshot_whole(&format!("wasm-viewer-{width}x{height}"));
    }
    is_quiet(&mut browser);
}

/// The set-up shows the pieces of the pictures: White's light, Black's dark, on squares between them, on light and dark pages.
#[test]
fn the_pieces_that_are_set_up_have_their_colours_on_light_and_dark_pages() {
    let Some(mut browser) = open() else { return };
    browser.click("#tab-setup");
    browser.wait("document.querySelectorAll('#boards button').length === 64");
    for is_dark in [false, true] {
        browser.dark(is_dark);
        for (width, height) in SIZES {
            browser.size(width, height);
            browser.eval("scrollTo(0, 0)");
            let name = if is_dark { "dark" } else { "light" };
            browser.screenshot(&format!("wasm-setup-{width}-{name}"));
        }
        // The luminance of what is drawn: of a piece the mean of its filled body, of a button its ground.
        let drawn = browser.eval(
            "(() => { const light = (color) => { const [r, g, b] = color.match(/[\\d.]+/g).map(Number); return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255; }; \
             const ground = (one) => light(getComputedStyle(one).backgroundColor); \
             return [...document.querySelectorAll('#boards button, #palette span')].filter((one) => one.querySelector('use')).map((one) => { \
             const id = one.querySelector('use').getAttribute('href').slice(1); \
             const body = document.getElementById(id).querySelector('path:not([fill=none])'); \
             const letter = one.dataset.square ? one.getAttribute('aria-label').split(': ')[1][0] : one.parentNode.title[0]; \
             return [id, letter, light(getComputedStyle(body).fill), ground(one), one.textContent]; }); })()",
        );
        let drawn = drawn.as_array().unwrap();
        // 32 pieces and the twelve kinds.
        assert_eq!(drawn.len(), 44);
        for one in drawn {
            let (id, side) = (one[0].as_str().unwrap(), one[1].as_str().unwrap());
            let (body, ground) = (one[2].as_f64().unwrap(), one[3].as_f64().unwrap());
            let is_white = id.starts_with('w');
            assert_eq!(side, if is_white { "W" } else { "B" }, "{one}");
            assert!(is_white == (body > 0.5), "{one} dark: {is_dark}");
            assert!((0.15..0.97).contains(&ground), "{one} dark: {is_dark}");
            assert_eq!(one[4], "", "a piece is no text");
        }
    }
    is_quiet(&mut browser);
}

/// A position string that is pasted remains until it can be read, with a mark below its wrong character; one of the other
/// board chooses its rules.
#[test]
fn a_pasted_position_is_kept_and_chooses_its_rules() {
    let Some(mut browser) = open() else { return };
    let start = |rules: tridex_rules::RuleSystem| {
        let setup = rules.start();
        tridex_notation::position_string::to_string(&setup)
    };
    let meder = start(tridex_rules::RuleSystem::Meder);
    let wrong = meder.replacen(' ', "ppp ", 1);
    let cube = start(tridex_rules::RuleSystem::Millennium);
    let fault = "document.getElementById('fault').textContent";
    let put = |browser: &mut Browser, text: &str| {
        browser.eval("document.getElementById('fen').select()");
        browser.type_text(text);
        browser.eval("document.getElementById('fen').blur()");
    };
    for (width, height) in [(1440, 900), (360, 740)] {
        browser.size(width, height);
        for is_dark in [false, true] {
            browser.dark(is_dark);
            browser.click("#tab-setup");
            browser.click("#setup-start");
            browser.wait("document.getElementById('unread').hidden && document.querySelectorAll('#boards button').length >= 64");
            browser.eval("(() => { const at = document.getElementById('setup-rules'); at.value = 'meder'; at.dispatchEvent(new Event('change')); })()");
            browser.wait("document.querySelectorAll('#boards button').length === 64");
            put(&mut browser, &wrong);
            browser.wait("!document.getElementById('unread').hidden");
            assert_eq!(value(&mut browser, "fen"), wrong);
            let drawn = browser.text("document.getElementById('unread').textContent");
            let (above, below) = drawn.split_once('\n').unwrap();
            let column = below.find('^').unwrap();
            let marked: String = above.chars().skip(column).collect();
            assert!(marked.starts_with("ppp w KQkq"), "{drawn}");
            // A click on the board replaces nothing that was written.
            browser.click("#boards td button");
            assert_eq!(value(&mut browser, "fen"), wrong);
            browser.eval("document.getElementById('fen').scrollIntoView()");
            browser.screenshot(&format!("wasm-unread-{width}-{is_dark}"));
            put(&mut browser, &cube);
            browser.wait(&format!(
                "{fault}.includes('the rules are now millennium, not meder')"
            ));
            assert_eq!(value(&mut browser, "setup-rules"), "millennium");
            assert_eq!(value(&mut browser, "fen"), cube);
            assert_eq!(
                browser.eval("document.getElementById('unread').hidden"),
                true
            );
            browser.screenshot_whole(&format!("wasm-switched-{width}-{is_dark}"));
        }
    }
    is_quiet(&mut browser);
}

#[test]
fn a_position_that_is_typed_before_an_answer_arrives_is_kept() {
    let Some(mut browser) = open() else { return };
    browser.click("#tab-setup");
    browser.click("#setup-start");
    browser.wait("document.querySelectorAll('#boards button').length >= 64");
    // In one task: no answer can arrive between the click and the typing.
    browser.eval(
        "(() => { window.before = document.getElementById('picture').src; \
         document.getElementById('setup-empty').click(); \
         const fen = document.getElementById('fen'); \
         fen.focus(); fen.select(); document.execCommand('insertText', false, 'xyz'); })()",
    );
    browser.wait("document.getElementById('picture').src !== window.before");
    assert_eq!(value(&mut browser, "fen"), "xyz");
    browser.eval("document.getElementById('fen').blur()");
    browser.wait("!document.getElementById('unread').hidden");
    assert_eq!(value(&mut browser, "fen"), "xyz");
    is_quiet(&mut browser);
}

#[test]
fn a_game_without_players_is_listed_by_its_event() {
    let Some(mut browser) = open() else { return };
    paste(
        &mut browser,
        "[Event \"Sample Game\"]\n\n1. b4N b5B *\n\n[White \"Kirk\"]\n\n1. b4N *\n",
    );
    browser.wait("document.querySelectorAll('#games button').length === 2");
    let list = browser.text("document.getElementById('games').textContent");
    assert!(list.contains("Game 1: Sample Game"), "{list}");
    assert!(list.contains("Game 2: Kirk \u{2013} ?"), "{list}");
    is_quiet(&mut browser);
}

#[test]
fn two_sheets_give_one_game_with_their_differences_on_the_board() {
    let Some(mut browser) = open() else { return };
    let written = "document.getElementById('pair-status').textContent";
    browser.click("#tab-pair");
    browser.eval("document.getElementById('pair-a').focus()");
    browser.type_text("1. b4N b5B 2. c3W a6N 3. Nc22W Nc6N 4. a4W");
    browser.eval("document.getElementById('pair-b').focus()");
    browser.type_text("1. b4N b5S 2. c3W a6 3. Sc2W Sc6N");
    browser.wait(&format!("{written}.startsWith('7 plies')"));
    assert_eq!(browser.text(written), "7 plies; 3 differences, 1 undecided");
    let rows = "[...document.querySelectorAll('#differences tbody tr')]";
    assert_eq!(
        browser.text(&format!(
            "{rows}.map((row) => row.cells[3].firstChild.data).join('; ').slice(0, 28)"
        )),
        "Nc2W; a4W; a4W or a4N or a3W"
    );
    // A click shows the move on the board, and the position after each reading.
    browser.click("#differences tbody tr:nth-child(3) button");
    browser.wait("document.querySelectorAll('#readings img').length === 4");
    browser.wait("document.querySelector('#pair-viewer .tx-now').textContent.includes('a4W')");
    assert!(
        browser
            .text("document.getElementById('readings').textContent")
            .contains("4. a4N")
    );
    if let Some(found) = browser.axe() {
        assert_eq!(found, Vec::<String>::new());
    }
    browser.screenshot("wasm-two-sheets");
    browser.phone(360, 640);
    let wide = browser.eval("document.documentElement.scrollWidth <= innerWidth");
    assert_eq!(wide, true, "the tab is wider than the window");
    browser.size(1440, 900);
    // The game becomes the score sheet.
    browser.click("#pair-take");
    browser.wait("document.getElementById('text').value.includes('Nc2W')");
    // Sheets of two games are refused with the reason, and an empty field with nothing.
    browser.click("#tab-pair");
    browser.eval("document.getElementById('pair-b').select()");
    browser.type_text("1. c3N c6B 2. 0-0 d5N 3. a3N 0-0 4. a3W Nc6N 5. b4N b5N");
    browser.wait(&format!("{written}.includes('records of different games')"));
    assert_eq!(
        browser.eval("document.getElementById('differences').hidden"),
        true
    );
    is_quiet(&mut browser);
}
