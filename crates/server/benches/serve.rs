//! How fast pages come over loopback: clients that ask without pause, each on a connection of its own.
//!
//! `cargo bench -p tridex-server -- --games 200000 --clients 32` makes an index of random games and asks it;
//! `--index DIR` asks one that is there. Without options it is small. With `--most MS` the slowest page of a hundred must
//! not take longer than N milliseconds, or it ends with 1.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tridex_index::{GameEntry, GameIndex, GameResult, IndexOptions, Writer};
use tridex_rules::RuleSystem;
use tridex_rules::random::{Dice, game};
use tridex_server::{Site, SiteOptions, serve};

struct Wishes {
    games: u32,
    clients: u32,
    requests: u32,
    index: Option<PathBuf>,
    most: Option<f64>,
}

fn wishes() -> Wishes {
    let mut wishes = Wishes {
        games: 2_000,
        clients: 32,
        requests: 60,
        index: None,
        most: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || {
            words
                .next()
                .and_then(|word| word.parse().ok())
                .expect("a number")
        };
        match word.as_str() {
            "--games" => wishes.games = number() as u32,
            "--clients" => wishes.clients = number() as u32,
            "--requests" => wishes.requests = number() as u32,
            "--most" => wishes.most = Some(number()),
            "--index" => wishes.index = words.next().map(PathBuf::from),
            // What cargo passes to every benchmark.
            _ => {}
        }
    }
    wishes
}

const NAMES: [&str; 12] = [
    "Kirk", "Spock", "McCoy", "Uhura", "Sulu", "Chekov", "Scott", "Rand", "Chapel", "Pike",
    "Sarek", "Amanda",
];

fn fill(folder: &Path, games: u32) {
    let mut writer = Writer::open(folder, IndexOptions::default()).expect("a writer");
    writer.begin_source("random.pgn").expect("a source");
    let mut dice = Dice::new(1);
    for first in (0..games).step_by(1_000) {
        let batch: Vec<GameEntry> = (first..games.min(first + 1_000))
            .map(|number| {
                let plies = 20 + dice.below(100) as usize;
                let mut entry = GameEntry::new(
                    number + 1,
                    RuleSystem::Meder,
                    game(RuleSystem::Meder, &mut dice, plies),
                );
                for side in ["White", "Black"] {
                    let name = NAMES[dice.below(12) as usize];
                    entry.tags.push((
                        side.to_owned(),
                        format!("{name}, {}", (b'A' + dice.below(26) as u8) as char),
                    ));
                }
                entry.tags.push((
                    "Date".to_owned(),
                    format!("{}.04.26", 1990 + dice.below(35)),
                ));
                entry
                    .tags
                    .push(("Event".to_owned(), format!("Evening {}", dice.below(500))));
                entry.result = GameResult::ALL[dice.below(7) as usize];
                entry
            })
            .collect();
        writer.add_all(&batch).expect("the games");
    }
    writer.end_source(None);
    writer.finish().expect("a commit");
}

/// What clients ask: the kind and the address.
fn questions(index: &GameIndex) -> Vec<(&'static str, String)> {
    let mut dice = Dice::new(2);
    let ids: Vec<_> = index.ids().collect();
    let mut all = Vec::new();
    for i in 0..400_u32 {
        let game = ids[dice.below(ids.len() as u32) as usize];
        let game = index.game(game).expect("a game");
        let ply = dice.below(game.entry.moves.len() as u32 + 1);
        let name = NAMES[dice.below(12) as usize].to_lowercase();
        let id = game.id;
        let rules = game.entry.rules.name();
        all.push(match i % 10 {
            0 => ("form", "/".to_owned()),
            1 => ("player", format!("/search?player={name}&rules={rules}")),
            2 => (
                "position",
                format!("/search?game={id:016x}&ply={ply}&rules={rules}"),
            ),
            3 => (
                "player, date",
                format!(
                    "/search?white={name}&date=2001..2010&offset={}",
                    dice.below(100)
                ),
            ),
            4 | 5 => ("game", format!("/game/{id:016x}?ply={ply}")),
            6 => ("start's openings", format!("/openings?rules={rules}")),
            7 => {
                let shown = ply.min(4) as usize;
                let moves: Vec<String> = (0..shown).map(|at| written(&game.entry, at)).collect();
                (
                    "openings",
                    format!("/openings?rules={rules}&moves={}", moves.join("%20")),
                )
            }
            8 => (
                "set up",
                format!("/setup?rules={rules}&hand=s{}", dice.below(64)),
            ),
            _ => ("statistics", format!("/statistics?rules={rules}")),
        });
    }
    all
}

fn written(entry: &GameEntry, at: usize) -> String {
    let mut position = entry.start_position().expect("a start");
    for played in entry.moves[..at].iter() {
        position.play_unchecked(*played);
    }
    let notation = tridex_notation::Notation::of(entry.rules);
    let options = tridex_notation::WriteOptions::default().marks(Some(false));
    let mut out = String::new();
    tridex_notation::write(notation, &position, entry.moves[at], &options, &mut out)
        .expect("its notation");
    out
}

/// Asks on a connection that stays open; the time until the whole answer is there.
fn ask(stream: &mut BufReader<TcpStream>, address: &str) -> Duration {
    // In one piece, as browsers send it: of several small ones each waits until the one before is acknowledged.
    let request = format!("GET {address} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let since = Instant::now();
    stream
        .get_mut()
        .write_all(request.as_bytes())
        .expect("a request");
    let (mut line, mut length, mut first) = (String::new(), 0, true);
    loop {
        line.clear();
        stream.read_line(&mut line).expect("a head");
        if std::mem::take(&mut first) {
            assert!(line.starts_with("HTTP/1.1 200 "), "{address}: {line}");
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length");
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).expect("a body");
    since.elapsed()
}

fn main() -> ExitCode {
    let wishes = wishes();
    let made = tempfile::tempdir().expect("a folder");
    let folder = wishes
        .index
        .clone()
        .unwrap_or_else(|| made.path().to_path_buf());
    if wishes.index.is_none() {
        fill(&folder, wishes.games);
    }
    let site = Site::open(&[&folder], SiteOptions::default()).expect("a site");
    let index = GameIndex::open(&folder).expect("an index");
    let questions = questions(&index);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let at: SocketAddr = listener.local_addr().expect("its address");
    let (stop, stopped) = oneshot::channel::<()>();
    let mut times: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
    let since = std::thread::scope(|scope| {
        scope.spawn(|| serve(&site, listener, async { drop(stopped.await) }));
        let connect = || BufReader::new(TcpStream::connect(at).expect("a connection"));
        // What is made once, and maps the files.
        let mut first = connect();
        questions.iter().take(40).for_each(|(_, address)| {
            ask(&mut first, address);
        });
        let since = Instant::now();
        let clients: Vec<_> = (0..wishes.clients)
            .map(|client| {
                let questions = &questions;
                scope.spawn(move || {
                    let mut stream = connect();
                    let mut dice = Dice::nth(3, client.into());
                    let mut asked = Vec::new();
                    for _ in 0..wishes.requests {
                        let (kind, address) =
                            &questions[dice.below(questions.len() as u32) as usize];
                        asked.push((*kind, ask(&mut stream, address)));
                    }
                    asked
                })
            })
            .collect();
        for client in clients {
            for (kind, time) in client.join().expect("a client") {
                times.entry(kind).or_default().push(time);
                times.entry("all").or_default().push(time);
            }
        }
        let since = since.elapsed();
        drop(stop);
        since
    });
    println!("{} games, {} clients", index.games(), wishes.clients);
    println!(
        "{:<18}{:>9}{:>10}{:>10}{:>10}",
        "page", "answers", "p50 ms", "p99 ms", "max ms"
    );
    let mut slowest = 0.0;
    for (kind, times) in &mut times {
        times.sort_unstable();
        let at =
            |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
        println!(
            "{kind:<18}{:>9}{:>10.2}{:>10.2}{:>10.2}",
            times.len(),
            at(0.5),
            at(0.99),
            at(1.0)
        );
        if *kind == "all" {
            slowest = at(0.99);
        }
    }
    let answers = times.get("all").map_or(0, Vec::len) as f64;
    println!("{:.0} answers a second", answers / since.as_secs_f64());
    match wishes.most {
        Some(most) if slowest > most => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}
