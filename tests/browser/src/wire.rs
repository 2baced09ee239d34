//! The process of the browser, and the line to it.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket, client};

/// Names under which the browser is known, the distribution's first.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Nothing is asked of the network, nothing is shown, nothing is kept.
const FLAGS: [&str; 12] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--remote-debugging-port=0",
];

#[derive(Debug)]
pub(crate) struct Wire {
    process: Child,
    socket: WebSocket<TcpStream>,
    session: String,
    last: u64,
    _profile: TempDir,
}

impl Wire {
    pub(crate) fn launch() -> Option<Self> {
        let profile = tempfile::tempdir().expect("a folder for the profile");
        let mut process = NAMES.into_iter().find_map(|name| {
            Command::new(name)
                .args(FLAGS)
                .arg(format!("--user-data-dir={}", profile.path().display()))
                .arg("about:blank")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .ok()
        })?;
        let said = process.stderr.take().expect("it was asked for");
        let mut lines = BufReader::new(said).lines().map_while(Result::ok);
        let address =
            lines.find_map(|line| Some(line.strip_prefix("DevTools listening on ")?.to_owned()));
        // A name under which no browser is: some distributions have a script there that says where to get one.
        let Some(address) = address else {
            let _ = process.kill();
            let _ = process.wait();
            return None;
        };
        // Its remarks are read to the end, or it would wait for somebody to take them.
        std::thread::spawn(move || lines.for_each(drop));
        let host = address.trim_start_matches("ws://");
        let host = host.split('/').next().unwrap_or_default();
        let stream = TcpStream::connect(host).expect("the browser is there");
        let patience = Some(Duration::from_secs(60));
        stream.set_read_timeout(patience).expect("a limit of time");
        stream.set_nodelay(true).expect("small messages go at once");
        let (socket, _) = client(address.as_str(), stream).expect("the browser speaks");
        let mut wire = Self {
            process,
            socket,
            session: String::new(),
            last: 0,
            _profile: profile,
        };
        let target = wire.must("Target.createTarget", json!({"url": "about:blank"}));
        let wish = json!({"targetId": target["targetId"], "flatten": true});
        let session = wire.must("Target.attachToTarget", wish);
        wire.session = session["sessionId"].as_str().unwrap_or_default().to_owned();
        Some(wire)
    }

    fn must(&mut self, method: &str, params: Value) -> Value {
        let (answer, _) = self.ask(method, params);
        answer.unwrap_or_else(|fault| panic!("{method}: {fault}"))
    }

    /// Sends a wish; gives the answer, or the fault, and what the browser told in between.
    pub(crate) fn ask(
        &mut self,
        method: &str,
        params: Value,
    ) -> (Result<Value, String>, Vec<Value>) {
        self.last += 1;
        let mut wish = json!({"id": self.last, "method": method, "params": params});
        if !self.session.is_empty() {
            wish["sessionId"] = json!(self.session);
        }
        self.socket
            .send(Message::text(wish.to_string()))
            .expect("the browser hears");
        let mut events = Vec::new();
        loop {
            let said = self
                .socket
                .read()
                .unwrap_or_else(|fault| panic!("{method}: the browser says nothing more: {fault}"));
            let Message::Text(said) = said else { continue };
            let said: Value = serde_json::from_str(&said).expect("the browser speaks JSON");
            if said["id"] != self.last {
                events.push(said);
                continue;
            }
            let answer = match said.get("error") {
                Some(fault) => Err(fault.to_string()),
                None => Ok(said["result"].clone()),
            };
            return (answer, events);
        }
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        // Its own processes end with it if it ends by itself.
        let wish = json!({"id": 0, "method": "Browser.close"});
        let _ = self.socket.send(Message::text(wish.to_string()));
        let since = Instant::now();
        while since.elapsed() < Duration::from_secs(5) {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
