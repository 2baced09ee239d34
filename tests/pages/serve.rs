//! `serve` as a user runs it: the same answers as the command gives, and the end by a signal.

use crate::search::index::support::{collection, good, index, rows};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A site that is ended with the test.
pub(crate) struct Served {
    child: Child,
    /// Host and port.
    at: String,
}

impl Served {
    pub(crate) fn new(folder: &Path, arguments: &[&str]) -> Self {
        let free: &[&str] = match arguments.contains(&"--listen") {
            true => &[],
            false => &["--port", "0"],
        };
        let mut child = Command::new(env!("CARGO_BIN_EXE_tridex"))
            .args(["serve", "--index", "db"])
            .args(free)
            .args(arguments)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let at = line.strip_prefix("listening on http://");
        let at = at.and_then(|at| at.strip_suffix("/\n"));
        let at = at.unwrap_or_else(|| panic!("{line:?}")).to_owned();
        Self { child, at }
    }

    /// The body of an answer that is good.
    fn get(&self, address: &str) -> Vec<u8> {
        let mut stream = TcpStream::connect(&self.at).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        write!(
            stream,
            "GET {address} HTTP/1.0\r\nHost: {}\r\n\r\n",
            self.at
        )
        .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let text = String::from_utf8_lossy(&answer);
        assert!(text.contains(" 200 OK\r\n"), "{address}: {text}");
        let head = text.find("\r\n\r\n").unwrap() + 4;
        answer.split_off(head)
    }

    pub(crate) fn json(&self, address: &str) -> Value {
        serde_json::from_slice(&self.get(address)).unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A value as it stands in an address.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => out.push(byte.into()),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// The parameters of options: an option without a value is a parameter that is 1.
fn parameters(options: &[&str]) -> String {
    let mut pairs = Vec::new();
    let mut rest = options.iter().peekable();
    while let Some(option) = rest.next() {
        let name = option.strip_prefix("--").unwrap();
        let value = rest.next_if(|next| !next.starts_with("--"));
        pairs.push(format!("{name}={}", quoted(value.unwrap_or(&"1"))));
    }
    pairs.join("&")
}

const START: &str = "nbbn/pppp/4/4|4/4/4/4|4/4/PPPP/NBBN|QL@Q1:PP/RQ|KL@K1:PP/KR|ql@Q6:rq/pp|kl@K6:kr/pp w KQkq - - 0 1";

/// Questions of every kind.
const QUESTIONS: [&[&str]; 34] = [
    &[],
    &["--player", "kirk"],
    &["--player", "a*"],
    &["--player", "o*", "--player", "e*"],
    &["--white", "j*"],
    &["--black", "s*", "--result", "1-0"],
    &["--result", "1/2-1/2"],
    &["--result", "*"],
    &["--event", "generated"],
    &["--site", "?"],
    &["--date", "2001..2010"],
    &["--date", "2005"],
    &["--date", "..1999"],
    &["--rules", "millennium"],
    &["--rules", "federation", "--result", "0-1"],
    &["--text", "time"],
    &["--opening", "rising"],
    &["--position", START],
    &["--position", START, "--loose"],
    &["--position", START, "--rules", "meder"],
    &["--fen", START, "--mirrored", "--swapped"],
    &["--plan", START],
    &["--moves", "b4N b5B"],
    &["--moves", "1e4", "--swapped"],
    &["--game", "meder.pgn:3", "--ply", "4"],
    &["--game", "chess3.pgn:1", "--ply", "1", "--loose"],
    &["--pattern", "check"],
    &["--pattern", "QL@Q3 or KL@K3", "--swapped"],
    &["--pattern", "N@c6", "--pattern", "check", "--mirrored"],
    &["--material", "KQ*:K*", "--lasting", "4"],
    &["--pattern", "mate", "--variations"],
    &["--sort", "date"],
    &["--sort", "white", "--reverse"],
    &["--rules", "meder", "--pattern", "check", "--sort", "ply"],
];

#[test]
fn the_site_answers_as_the_command_does() {
    let folder = &collection().folder;
    let served = Served::new(folder, &[]);
    assert!(served.at.starts_with("127.0.0.1:"), "{}", served.at);
    let mut found = 0;
    for options in QUESTIONS {
        let mut command = vec!["search", "--index", "db", "--format", "ndjson"];
        command.extend(options);
        let hits = rows(&good(folder, &command));
        let answer = served.json(&format!(
            "/api/v1/search?limit=1000&{}",
            parameters(options)
        ));
        assert_eq!(answer["games"], hits.len(), "{options:?}");
        assert_eq!(answer["hits"].as_array().unwrap(), &hits, "{options:?}");
        found += usize::from(!hits.is_empty());
    }
    assert!(
        found > QUESTIONS.len() / 2,
        "{found} questions find something"
    );
}

#[test]
fn openings_and_games_are_those_of_the_command() {
    let folder = &collection().folder;
    let served = Served::new(folder, &[]);
    for options in [
        &["--rules", "meder"][..],
        &["--rules", "manual", "--min-games", "2", "--to", "meder"],
        &["--rules", "millennium", "--moves", "1e4"],
        &[
            "--rules", "meder", "--fen", START, "--player", "a*", "--side", "white",
        ],
        &[
            "--rules",
            "chess3",
            "--result",
            "1-0",
            "--date",
            "1990..2020",
        ],
    ] {
        let mut command = vec!["openings", "--index", "db", "--format", "ndjson"];
        command.extend(options);
        let moves = rows(&good(folder, &command));
        let answer = served.json(&format!("/api/v1/openings?{}", parameters(options)));
        assert_eq!(answer["moves"].as_array().unwrap(), &moves, "{options:?}");
    }
    let options = ["--rules", "meder", "--boards", "--layouts"];
    let mut command = vec!["openings", "--index", "db", "--format", "ndjson"];
    command.extend(options);
    let lines = rows(&good(folder, &command));
    let answer = served.json(&format!("/api/v1/openings?{}", parameters(&options)));
    let parts = ["moves", "boards", "layouts"].map(|part| answer[part].as_array().unwrap().clone());
    assert_eq!(parts.concat(), lines);
    for game in ["meder.pgn:3", "federation.pgn:7", "chess3.pgn:60"] {
        let pgn = good(
            folder,
            &[
                "search",
                "--index",
                "db",
                "--format",
                "pgn",
                &format!("id:{}", id(&served, game)),
            ],
        );
        let download = served.get(&format!(
            "/download/games.pgn?query=id:{}",
            id(&served, game)
        ));
        assert_eq!(String::from_utf8(download).unwrap(), pgn, "{game}");
        let known = served.json(&format!("/api/v1/games/{}", quoted(game)));
        let line = good(
            folder,
            &["position", "--index", "db", "--game", game, "--ply", "6"],
        );
        assert_eq!(known["fens"][6], line.trim_end(), "{game}");
    }
    let csv = good(
        folder,
        &[
            "search", "--index", "db", "--format", "csv", "--rules", "manual",
        ],
    );
    let download = served.get("/download/games.csv?rules=manual");
    assert_eq!(String::from_utf8(download).unwrap(), csv);
}

fn id(served: &Served, game: &str) -> String {
    let game = served.json(&format!("/api/v1/games/{}", quoted(game)));
    game["id"].as_str().unwrap().to_owned()
}

#[test]
fn games_that_are_added_meanwhile_are_seen() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let more = |seed: &str| {
        let file = format!("{seed}.pgn");
        good(
            at,
            &[
                "generate", "--rules", "meder", "--games", "10", "--seed", seed, "--output", &file,
            ],
        );
        index(at, &[&file]);
    };
    more("1");
    let served = Served::new(at, &[]);
    assert_eq!(served.json("/api/v1/search")["games"], 10);
    more("2");
    let mut seen = Value::Null;
    for _ in 0..100 {
        seen = served.json("/api/v1/search")["games"].clone();
        if seen == 20 {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(seen, 20);
}

#[cfg(unix)]
#[test]
fn it_ends_by_signals_with_their_codes() {
    let folder = &collection().folder;
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let mut served = Served::new(folder, &["--listen", "127.0.0.1:0"]);
        served.get("/");
        let pid = served.child.id().to_string();
        assert!(
            Command::new("kill")
                .args([signal, &pid])
                .status()
                .unwrap()
                .success()
        );
        assert_eq!(served.child.wait().unwrap().code(), Some(code));
        let mut told = String::new();
        served
            .child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut told)
            .unwrap();
        assert_eq!(told, "");
    }
}

/// A shell that ignores SIGHUP, as `nohup` does, starts the program.
#[cfg(target_os = "linux")]
#[test]
fn a_hangup_that_is_ignored_ends_nothing() {
    let mut child = Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$0\" serve --index db --port 0"])
        .arg(env!("CARGO_BIN_EXE_tridex"))
        .current_dir(&collection().folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    assert!(line.starts_with("listening on "), "{line}");
    let pid = child.id().to_string();
    for signal in ["-HUP", "-TERM"] {
        let sent = Command::new("kill").args([signal, &pid]).status();
        assert!(sent.unwrap().success());
        std::thread::sleep(Duration::from_millis(500));
    }
    assert_eq!(child.wait().unwrap().code(), Some(143));
}

#[test]
fn what_cannot_be_served_is_told() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, told) in [
        (
            &["serve", "--index", "nothing"][..],
            "there is no index here",
        ),
        (&["serve"], "no index is named"),
        (
            &["serve", "--index", "nothing", "--listen", "here"],
            "invalid",
        ),
        // What no browser would send is refused before anything is opened; what it would is not.
        (
            &[
                "serve",
                "--index",
                "nothing",
                "--host",
                "http://chess.example/",
            ],
            "without scheme and path",
        ),
        (
            &[
                "serve",
                "--index",
                "nothing",
                "--host",
                "chess.example:8080",
            ],
            "without the port",
        ),
        (
            &["serve", "--index", "nothing", "--host", "0.0.0.0"],
            "--listen gives the address to listen on",
        ),
        (
            &["serve", "--index", "nothing", "--host", "*"],
            "such as chess.example",
        ),
        (
            &[
                "serve",
                "--index",
                "nothing",
                "--trusted-proxy",
                "10.0.0.0/33",
            ],
            "a network such as 10.0.0.0/8",
        ),
        (
            &[
                "serve",
                "--index",
                "nothing",
                "--trusted-proxy",
                "10.0.0.0/8",
            ],
            "there is no index here",
        ),
        (
            &["serve", "--index", "nothing", "--host", "chess.example"],
            "there is no index here",
        ),
        (
            &["serve", "--index", "nothing", "--embed"],
            "there is no index here",
        ),
    ] {
        let output = crate::program::fed(folder.path(), arguments, b"");
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(complaint.contains(told), "{arguments:?}: {complaint}");
    }
    // A port that somebody has.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = crate::program::fed(
        &collection().folder,
        &["serve", "--index", "db", "--listen", &address],
        b"",
    );
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains(&address), "{complaint}");
    assert!(
        complaint.contains("choose another with --port"),
        "{complaint}"
    );
}

/// `--open` starts the program that opens pages.
#[cfg(target_os = "linux")]
#[test]
fn a_browser_is_opened() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let opener = folder.path().join("xdg-open");
    std::fs::write(
        &opener,
        "#!/bin/sh\nprintf %s \"$1\" > \"$0.part\"; mv \"$0.part\" \"$0.url\"\n",
    )
    .unwrap();
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/bin:/usr/bin", folder.path().display());
    let mut child = Command::new(env!("CARGO_BIN_EXE_tridex"))
        .args(["serve", "--index", "db", "--port", "0", "--open"])
        .env("PATH", path)
        .current_dir(&collection().folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    let opened = folder.path().join("xdg-open.url");
    for _ in 0..1_000 {
        if opened.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let opened = std::fs::read_to_string(opened).unwrap();
    assert_eq!(line, format!("listening on {opened}\n"));
}
