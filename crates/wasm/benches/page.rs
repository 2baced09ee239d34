//! Speed of the page in a real browser, by the clock: of the worker that reads, and from the choice of a file to the
//! counts of its games on the page:
//! `cargo bench -p tridex-wasm --bench page -- GAMES.pgn`, after `crates/wasm/build`. The command does the same job with
//! `tridex validate GAMES.pgn --format ndjson --threads 1 --output /dev/null`.

use serde_json::json;
use std::path::{Path, PathBuf};
use tridex_browser::Browser;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/wasm/tridex.html");

/// Keeps the seconds in which the worker has read.
const LISTEN: &str = "
    window.Worker = class extends Worker {
        constructor(...given) {
            super(...given);
            this.addEventListener('message', ({ data }) => {
                if (data.value?.seconds) window.read = data.value.seconds;
            });
        }
    };
";

/// The page counts from the choice of the file; the observer sees the counts when they are shown.
const OBSERVE: &str = "
    const status = document.getElementById('status');
    document.getElementById('file').addEventListener('change', () => {
        window.since = performance.now();
        window.taken = 0;
    }, true);
    new MutationObserver(() => {
        if (/plies/.test(status.textContent) && !window.taken) {
            window.taken = (performance.now() - window.since) / 1000;
        }
    }).observe(status, { childList: true, characterData: true, subtree: true });
";

fn main() {
    let given = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let Some(file) = given.map(PathBuf::from) else {
        println!("no file of games is given: nothing to be measured");
        return;
    };
    let file = file.canonicalize().expect("the file of games exists");
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    browser.ask(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({"source": LISTEN}),
    );
    browser.open_file(Path::new(PAGE), "");
    browser.wait("document.documentElement.classList.contains('ready')");
    browser.eval(OBSERVE);
    let document = browser.ask("DOM.getDocument", json!({}));
    let root = &document["root"]["nodeId"];
    let input = browser.ask(
        "DOM.querySelector",
        json!({"nodeId": root, "selector": "#file"}),
    );
    for _ in 0..5 {
        browser.eval("window.taken = 0");
        browser.ask(
            "DOM.setFileInputFiles",
            json!({"nodeId": input["nodeId"], "files": [file]}),
        );
        browser.wait("window.taken > 0");
        let mut seconds = |name: &str| browser.eval(name).as_f64().unwrap_or_default();
        let (read, taken) = (seconds("window.read"), seconds("window.taken"));
        let status = browser.text("document.getElementById('status').textContent");
        println!("read in {read:.2} s, shown after {taken:.2} s: {status}");
    }
    assert_eq!(browser.faults(), Vec::<String>::new());
}
