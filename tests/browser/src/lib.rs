//! For tests only: pages driven in a real headless Chromium, over the browser's own DevTools protocol.
//!
//! [`Browser::launch`] starts one with an empty profile and gives `None`, with a word on standard error, where there is
//! none: the test is skipped then. What a page does wrong - exceptions, complaints of the console, breaches of its
//! Content-Security-Policy - is kept until [`Browser::faults`] asks; [`Browser::axe`] looks for faults of accessibility.
//! Pictures of pages go to `target/pages`.
//!
//! A fault of the browser itself is a fault of the test run, so everything here panics where it cannot go on.
//!
//! Written here because a WebSocket (`tungstenite`) and a dozen commands are enough; `chromiumoxide` would bring an
//! asynchronous runtime and generated types for the whole protocol.
#![forbid(unsafe_code)]
#![allow(clippy::missing_panics_doc)]

mod axe;
mod clicks;
mod wire;

pub use clicks::{Clicks, Drawing, Seen};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use wire::Wire;

/// How long anything is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// A browser with one page.
#[derive(Debug)]
pub struct Browser {
    wire: Wire,
    faults: Vec<String>,
    requests: Vec<String>,
}

/// Says why something is not tested. What tests print is only shown when they fail, but this must be seen.
fn say(why: &str) {
    let _ = writeln!(std::io::stderr(), "{why}");
}

impl Browser {
    /// Starts a browser with an empty profile. `None` where there is none to be started.
    #[must_use]
    pub fn launch() -> Option<Self> {
        let Some(wire) = Wire::launch() else {
            say("skipped: there is no Chromium on this machine");
            return None;
        };
        let mut browser = Self {
            wire,
            faults: Vec::new(),
            requests: Vec::new(),
        };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.ask(&format!("{domain}.enable"), json!({}));
        }
        browser.size(1280, 900);
        Some(browser)
    }

    /// Says something in the browser's protocol and gives the answer.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let (answer, events) = self.wire.ask(method, params);
        for event in &events {
            self.hear(event);
        }
        answer.unwrap_or_else(|fault| panic!("{method}: {fault}"))
    }

    fn hear(&mut self, event: &Value) {
        let params = &event["params"];
        match event["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" => self.faults.push(format!(
                "exception: {}",
                params["exceptionDetails"]["exception"]["description"]
            )),
            "Runtime.consoleAPICalled" if params["type"] == "error" => {
                self.faults.push(format!("console: {}", params["args"]));
            }
            "Log.entryAdded" if params["entry"]["level"] == "error" => {
                self.faults
                    .push(format!("log: {}", params["entry"]["text"]));
            }
            "Network.requestWillBeSent" => {
                let url = params["request"]["url"].as_str().unwrap_or_default();
                self.requests.push(url.to_owned());
            }
            _ => {}
        }
    }

    /// Goes to an address and waits until it is loaded.
    pub fn open(&mut self, url: &str) {
        // From one place of a page to another there is nothing to be loaded.
        self.ask("Page.navigate", json!({"url": "about:blank"}));
        self.wait("document.readyState === 'complete'");
        let answer = self.ask("Page.navigate", json!({"url": url}));
        assert!(
            answer["errorText"].is_null(),
            "{url}: {}",
            answer["errorText"]
        );
        let here = json!(url);
        self.wait(&format!(
            "document.readyState === 'complete' && location.href.split('#')[0] === {here}.split('#')[0]"
        ));
    }

    /// Goes back by one page, as the browser's button does.
    pub fn back(&mut self) {
        let history = self.ask("Page.getNavigationHistory", json!({}));
        let at = history["currentIndex"].as_u64().unwrap_or_default();
        let before = &history["entries"][at.saturating_sub(1) as usize]["id"];
        self.ask("Page.navigateToHistoryEntry", json!({"entryId": before}));
    }

    /// Goes to a file of this machine.
    pub fn open_file(&mut self, path: &Path, fragment: &str) {
        let path = path.canonicalize().expect("the file is there");
        let mut url = String::from("file://");
        for byte in path.to_string_lossy().bytes() {
            if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
                url.push(char::from(byte));
            } else {
                url.push_str(&format!("%{byte:02X}"));
            }
        }
        self.open(&format!("{url}{fragment}"));
    }

    /// The value of an expression in the page; of a promise, what it brings.
    pub fn eval(&mut self, expression: &str) -> Value {
        let wish = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.ask("Runtime.evaluate", wish);
        let fault = &answer["exceptionDetails"];
        assert!(fault.is_null(), "{expression}: {fault}");
        answer["result"]["value"].clone()
    }

    /// The text of an expression in the page.
    pub fn text(&mut self, expression: &str) -> String {
        self.eval(expression)
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Waits until an expression becomes true. It is not while a page goes or comes, whatever is wrong with it then.
    pub fn wait(&mut self, expression: &str) {
        let wish = json!({"expression": format!("!!({expression})"), "returnByValue": true});
        let since = Instant::now();
        loop {
            let (answer, events) = self.wire.ask("Runtime.evaluate", wish.clone());
            for event in &events {
                self.hear(event);
            }
            if answer.is_ok_and(|answer| answer["result"]["value"] == true) {
                return;
            }
            assert!(
                since.elapsed() < PATIENCE,
                "never became true: {expression}"
            );
            std::thread::sleep(Duration::from_millis(15));
        }
    }

    /// Presses a key by its name, such as `ArrowRight`, `Enter`, `Tab`, `a`.
    pub fn key(&mut self, name: &str) {
        let (code, number, text) = match name {
            "Tab" => ("Tab", 9, ""),
            "Enter" => ("Enter", 13, "\r"),
            "Escape" => ("Escape", 27, ""),
            " " => ("Space", 32, " "),
            "End" => ("End", 35, ""),
            "Delete" => ("Delete", 46, ""),
            "Home" => ("Home", 36, ""),
            "ArrowLeft" => ("ArrowLeft", 37, ""),
            "ArrowUp" => ("ArrowUp", 38, ""),
            "ArrowRight" => ("ArrowRight", 39, ""),
            "ArrowDown" => ("ArrowDown", 40, ""),
            letter => ("", 0, letter),
        };
        let mut press = json!({
            "type": "keyDown", "key": name, "code": code, "windowsVirtualKeyCode": number
        });
        if !text.is_empty() {
            press["text"] = json!(text);
        }
        self.ask("Input.dispatchKeyEvent", press.clone());
        press["type"] = json!("keyUp");
        self.ask("Input.dispatchKeyEvent", press);
    }

    /// Writes into whatever has the focus.
    pub fn type_text(&mut self, text: &str) {
        self.ask("Input.insertText", json!({"text": text}));
    }

    /// The middle of the first element that a selector finds, scrolled into sight.
    pub fn middle(&mut self, selector: &str) -> (f64, f64) {
        let selector = json!(selector);
        let place = self.eval(&format!(
            "(() => {{ const it = document.querySelector({selector}); if (!it) return null; \
             it.scrollIntoView({{block: 'center', behavior: 'instant'}}); \
             const r = it.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        ));
        match (place[0].as_f64(), place[1].as_f64()) {
            (Some(x), Some(y)) => (x, y),
            _ => panic!("nothing here is {selector}"),
        }
    }

    fn mouse(&mut self, kind: &str, at: (f64, f64), held: bool) {
        let button = if kind == "mouseMoved" && !held {
            "none"
        } else {
            "left"
        };
        let wish = json!({
            "type": kind, "x": at.0, "y": at.1, "button": button, "buttons": u8::from(held), "clickCount": 1
        });
        self.ask("Input.dispatchMouseEvent", wish);
    }

    /// Moves the mouse.
    pub fn hover(&mut self, at: (f64, f64)) {
        self.mouse("mouseMoved", at, false);
    }

    /// Clicks at a point of the window.
    pub fn click_at(&mut self, at: (f64, f64)) {
        self.hover(at);
        self.mouse("mousePressed", at, true);
        self.mouse("mouseReleased", at, false);
    }

    /// Clicks the first element that a selector finds.
    pub fn click(&mut self, selector: &str) {
        let at = self.middle(selector);
        self.click_at(at);
    }

    /// Drags with the mouse from one point of the window to another.
    pub fn drag(&mut self, from: (f64, f64), to: (f64, f64)) {
        self.hover(from);
        self.mouse("mousePressed", from, true);
        for step in 1..=4 {
            let part = f64::from(step) / 4.0;
            let at = (
                from.0 + (to.0 - from.0) * part,
                from.1 + (to.1 - from.1) * part,
            );
            self.mouse("mouseMoved", at, true);
        }
        self.mouse("mouseReleased", to, false);
    }

    /// Drags with the right button from one point of the window to another; a click where both are one.
    pub fn right_drag(&mut self, from: (f64, f64), to: (f64, f64)) {
        for (kind, at, held) in [
            ("mouseMoved", from, 0),
            ("mousePressed", from, 2),
            ("mouseMoved", to, 2),
            ("mouseReleased", to, 0),
        ] {
            let wish = json!({
                "type": kind, "x": at.0, "y": at.1, "button": "right", "buttons": held, "clickCount": 1
            });
            self.ask("Input.dispatchMouseEvent", wish);
        }
    }

    /// Strokes the screen with a finger from one point to another; a tap where both are one.
    pub fn swipe(&mut self, from: (f64, f64), to: (f64, f64)) {
        let touch = |kind: &str, points: Value| json!({"type": kind, "touchPoints": points});
        let at = |(x, y): (f64, f64)| json!([{"x": x, "y": y}]);
        self.ask("Input.dispatchTouchEvent", touch("touchStart", at(from)));
        if from != to {
            for step in 1..=4 {
                let part = f64::from(step) / 4.0;
                let here = (
                    from.0 + (to.0 - from.0) * part,
                    from.1 + (to.1 - from.1) * part,
                );
                self.ask("Input.dispatchTouchEvent", touch("touchMove", at(here)));
            }
        }
        self.ask("Input.dispatchTouchEvent", touch("touchEnd", json!([])));
    }

    /// Makes the window so large, in pixels.
    pub fn size(&mut self, width: u32, height: u32) {
        self.metrics(width, height, false);
    }

    /// Makes it the window of a telephone with a touch screen.
    pub fn phone(&mut self, width: u32, height: u32) {
        self.metrics(width, height, true);
    }

    fn metrics(&mut self, width: u32, height: u32, mobile: bool) {
        let wish =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile});
        self.ask("Emulation.setDeviceMetricsOverride", wish);
        let wish = json!({"enabled": mobile, "maxTouchPoints": 1});
        self.ask("Emulation.setTouchEmulationEnabled", wish);
    }

    /// Sets whether the reader wishes dark pages.
    pub fn dark(&mut self, wished: bool) {
        let value = if wished { "dark" } else { "light" };
        let wish = json!({"features": [{"name": "prefers-color-scheme", "value": value}]});
        self.ask("Emulation.setEmulatedMedia", wish);
    }

    /// Sets whether pages are shown as they would be printed.
    pub fn on_paper(&mut self, wished: bool) {
        let media = if wished { "print" } else { "" };
        self.ask("Emulation.setEmulatedMedia", json!({"media": media}));
    }

    /// Sets whether the pages that are opened from now on may run scripts of their own.
    pub fn script(&mut self, allowed: bool) {
        let wish = json!({"value": !allowed});
        self.ask("Emulation.setScriptExecutionDisabled", wish);
    }

    /// Keeps a picture of the window as `target/pages/NAME.png`.
    pub fn screenshot(&mut self, name: &str) {
        let answer = self.ask("Page.captureScreenshot", json!({"format": "png"}));
        keep(&format!("{name}.png"), &answer["data"]);
    }

    /// Keeps a picture of the whole page, however long it is.
    pub fn screenshot_whole(&mut self, name: &str) {
        let wish = json!({"format": "png", "captureBeyondViewport": true});
        let answer = self.ask("Page.captureScreenshot", wish);
        keep(&format!("{name}.png"), &answer["data"]);
    }

    /// Prints the page to `target/pages/NAME.pdf`; gives the bytes.
    pub fn pdf(&mut self, name: &str) -> Vec<u8> {
        let wish = json!({"printBackground": true, "paperWidth": 8.27, "paperHeight": 11.69});
        let answer = self.ask("Page.printToPDF", wish);
        keep(&format!("{name}.pdf"), &answer["data"])
    }

    /// What went wrong in pages since this was asked last.
    pub fn faults(&mut self) -> Vec<String> {
        // What was said last may not have been heard yet.
        self.eval("new Promise((done) => setTimeout(done, 50))");
        std::mem::take(&mut self.faults)
    }

    /// The addresses that pages asked for since this was asked last.
    pub fn requests(&mut self) -> Vec<String> {
        self.eval("0");
        let mut asked = std::mem::take(&mut self.requests);
        asked.retain(|url| url != "about:blank");
        asked
    }

    /// Faults of accessibility that axe-core finds in the page as it stands, each with where it is. `None`, with a word on
    /// standard error, where axe-core cannot be had.
    pub fn axe(&mut self) -> Option<Vec<String>> {
        let Some(source) = axe::source() else {
            say("not looked at for accessibility: axe-core could not be had (npm)");
            return None;
        };
        self.eval(&format!("{source}\n;0"));
        let found = self.eval(axe::RUN);
        let found = found.as_array().cloned().unwrap_or_default();
        Some(
            found
                .iter()
                .map(|one| one.as_str().unwrap_or_default().to_owned())
                .collect(),
        )
    }
}

/// The folder of the pictures.
#[must_use]
pub fn shots() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/pages");
    std::fs::create_dir_all(&folder).expect("a folder for the pictures");
    folder
}

fn keep(name: &str, data: &Value) -> Vec<u8> {
    let bytes = STANDARD
        .decode(data.as_str().unwrap_or_default())
        .expect("what the browser sends is base64");
    std::fs::write(shots().join(name), &bytes).expect("the picture is kept");
    bytes
}
