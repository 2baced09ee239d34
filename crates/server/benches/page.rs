//! How soon a page is there in a real browser, by the clock: its first board, another of its games, its list of games; and how
//! long a frame of the glass board takes while it turns.
//! `cargo bench -p tridex-server --bench page -- GAMES.html`

use serde_json::json;
use std::path::PathBuf;
use tridex_browser::Browser;

/// Keeps the time of the first board, counted from the beginning of the navigation.
const FIRST: &str = "
    new MutationObserver((_, observer) => {
        if (!document.querySelector('.tx-board use')) return;
        observer.disconnect();
        requestAnimationFrame(() => { window.first = performance.now(); });
    }).observe(document, { childList: true, subtree: true });
";

/// The median of what frames take on the main thread, in milliseconds, while keys turn the glass board: script, style, layout
/// and paint. Other threads make the pixels at the same time.
const TURNED: &str = "
    new Promise((done) => {
        const taken = [];
        const { port1, port2 } = new MessageChannel();
        let since = 0;
        port1.onmessage = () => {
            taken.push(performance.now() - since);
            if (taken.length < 120) requestAnimationFrame(turn);
            else done(taken.slice(20).sort((a, b) => a - b)[50]);
        };
        const turn = () => {
            // The viewer draws in the next frame, between these two.
            requestAnimationFrame(() => { since = performance.now(); });
            document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true }));
            requestAnimationFrame(() => port2.postMessage(0));
        };
        turn();
    })
";

/// The milliseconds from an action until a condition is true and painted.
fn taken(browser: &mut Browser, action: &str, condition: &str) -> f64 {
    let timed = format!(
        "new Promise((done) => {{
            const since = performance.now();
            const look = () => {condition}
                ? requestAnimationFrame(() => done(performance.now() - since))
                : setTimeout(look, 0);
            {action};
            look();
        }})"
    );
    browser.eval(&timed).as_f64().unwrap_or_default()
}

fn main() {
    let given = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let Some(file) = given.map(PathBuf::from) else {
        println!("no page is given: nothing to be measured");
        return;
    };
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    browser.ask(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({"source": FIRST}),
    );
    for _ in 0..5 {
        browser.open_file(&file, "");
        browser.wait("window.first > 0");
        let first = browser.eval("window.first").as_f64().unwrap_or_default();
        let name = "document.querySelector('.tx-name').textContent";
        let game = taken(
            &mut browser,
            "location.hash = '#g500m20'",
            &format!("{name}.startsWith('500.')"),
        );
        let list = taken(
            &mut browser,
            "document.querySelector('.tx-games').click()",
            "document.querySelectorAll('.tx-rows li').length > 0",
        );
        browser.open_file(&file, "#g1m0&glass=-28,27");
        browser.wait("document.querySelector('.tx-stage')?.dataset.shown === 'Glass'");
        let turned = browser.eval(TURNED).as_f64().unwrap_or_default();
        println!(
            "first board {first:.0} ms, another game {game:.0} ms, list {list:.0} ms, a frame that turns {turned:.1} ms"
        );
    }
    assert_eq!(browser.faults(), Vec::<String>::new());
}
