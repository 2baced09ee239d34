//! Kills a process that writes an index, at random moments, and looks at what is left. Run with
//!
//! ```text
//! cargo bench -p tridex-index --bench kills -- 200
//! ```
//!
//! The number is the number of kills, five without it. The process reports after each commit how many games are safe.
//! After each kill (SIGKILL on Unix) every game it reported must be there, once, unchanged, and the index must be sound;
//! then the next process continues from there. On Unix it is also run where files may not grow (`ulimit -f`), as on a
//! full disk: the last commit must stay readable.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tridex_index::{GameEntry, GameIndex, IndexOptions, Writer, verify};
use tridex_rules::RuleSystem;
use tridex_rules::random::{self, Dice};

const GAMES: u32 = 4_000;
const SOURCE: &str = "games.pgn";

/// The game of a number: always the same.
fn game(number: u32) -> GameEntry {
    let rules = RuleSystem::ALL[number as usize % 3];
    let moves = random::game(rules, &mut Dice::nth(1, number.into()), 30);
    let mut entry = GameEntry::new(number, rules, moves);
    entry
        .tags
        .push(("White".to_owned(), format!("Player {}", number % 97)));
    entry
}

/// Writes the index, committing often, and reports what is safe.
fn write_games(root: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let mut writer = Writer::open(root, IndexOptions::default())?;
    writer.begin_source(SOURCE)?;
    for first in (1..=GAMES).step_by(160) {
        let games: Vec<_> = (first..(first + 160).min(GAMES + 1)).map(game).collect();
        writer.add_all(&games)?;
        writer.commit()?;
        println!("{}", first + games.len() as u32 - 1);
        std::io::stdout().flush()?;
    }
    writer.end_source(Some(1));
    writer.finish()?;
    println!("done");
    Ok(())
}

fn spawn(mut command: Command) -> (Child, mpsc::Receiver<String>) {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a process");
    let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    (child, receiver)
}

/// Whether the index is sound and has the first `safe` games, each once, and no other that was not given to it.
fn check(root: &Path, safe: u32) -> u32 {
    if !root.join("meta.json").exists() {
        assert_eq!(safe, 0, "the index is gone");
        return 0;
    }
    let report = verify(root, |_| {}).expect("an index");
    assert_eq!(report.faults, [], "after {safe} games");
    let index = GameIndex::open(root).expect("an index");
    let mut seen = vec![false; GAMES as usize + 1];
    for id in index.ids() {
        let found = index.game(id).expect("a game");
        let number = found.entry.number;
        assert_eq!(found.entry, game(number), "game {number} is another");
        assert!(
            !std::mem::replace(&mut seen[number as usize], true),
            "game {number} twice"
        );
    }
    let there = seen.iter().filter(|s| **s).count() as u32;
    assert!(
        (1..=safe).all(|n| seen[n as usize]),
        "a game that was safe is gone"
    );
    assert!(
        (1..=there).all(|n| seen[n as usize]),
        "a commit is there in part"
    );
    there
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [mode, root] = arguments.as_slice()
        && mode == "child"
    {
        if let Err(error) = write_games(Path::new(root)) {
            println!("failed: {error}");
            std::process::exit(1);
        }
        return;
    }
    let kills = arguments
        .iter()
        .find_map(|a| a.parse::<u32>().ok())
        .unwrap_or(5);
    let folder = tempfile::tempdir().expect("a folder");
    let me = std::env::current_exe().expect("this program");
    let child = |root: &Path| {
        let mut command = Command::new(&me);
        command.arg("child").arg(root);
        command
    };

    // How long it takes undisturbed.
    let root = folder.path().join("whole");
    let started = Instant::now();
    let (mut process, lines) = spawn(child(&root));
    assert!(process.wait().expect("an end").success());
    let whole = started.elapsed();
    assert_eq!(lines.iter().last().as_deref(), Some("done"));
    assert_eq!(check(&root, GAMES), GAMES);

    let mut dice = Dice::new(kills.into());
    let (mut round, mut done, mut finished) = (0, 0, 0);
    let mut root = folder.path().join("round-0");
    let mut safe = 0;
    while done < kills {
        let (mut process, lines) = spawn(child(&root));
        let wait = u64::from(dice.below(whole.as_micros() as u32));
        std::thread::sleep(Duration::from_micros(wait));
        process.kill().expect("a kill");
        let _ = process.wait();
        done += 1;
        let mut ended = false;
        for line in lines {
            ended |= line == "done";
            safe = line.parse().unwrap_or(safe).max(safe);
        }
        let there = check(&root, safe);
        safe = safe.max(there);
        if ended || there == GAMES {
            finished += 1;
            round += 1;
            root = folder.path().join(format!("round-{round}"));
            safe = 0;
        }
    }
    println!("{kills} kills, {finished} indices made to the end: no game lost, none twice");

    if cfg!(unix) {
        full_disk(folder.path(), &me);
    }
}

/// Runs the writer where no file may grow beyond some sizes, so that writing fails sooner or later.
fn full_disk(folder: &Path, me: &Path) {
    let mut failed = 0;
    for (i, blocks) in [1, 8, 16, 24, 32, 48, 64].into_iter().enumerate() {
        let root = folder.join(format!("full-{i}"));
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" child \"$1\"");
        let mut command = Command::new("sh");
        command.arg("-c").arg(script).arg(me).arg(&root);
        let (mut process, lines) = spawn(command);
        let ended = process.wait().expect("an end");
        let mut safe = 0;
        for line in lines {
            safe = line.parse().unwrap_or(safe);
        }
        let there = check(&root, safe);
        failed += u32::from(!ended.success());
        println!("files of {blocks} blocks at most: {there} games, {safe} of them reported safe");
        // With room again it continues to the end.
        let mut command = Command::new(me);
        command.arg("child").arg(&root);
        let (mut process, _lines) = spawn(command);
        assert!(process.wait().expect("an end").success());
        assert_eq!(check(&root, GAMES), GAMES);
    }
    assert!(failed > 0, "nothing was ever full");
}
