//! What strangers do: signals, pipes that nobody writes to, text that drives a terminal, files that are no games.

use crate::program::fed;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn tridex(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tridex"));
    command.args(arguments).current_dir(folder);
    command.stdin(Stdio::null());
    command
}

/// Whether a process has started so far that it handles SIGTERM, if the system shows that.
#[cfg(unix)]
fn handles_signals(pid: u32) -> Option<bool> {
    const TERM: u32 = 15;
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let mut lines = status.lines();
    let mask = lines.find_map(|line| line.strip_prefix("SigCgt:"))?;
    let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
    Some(mask >> (TERM - 1) & 1 == 1)
}

/// Sends a signal to a process that runs, and gives its exit code; it may take a second, and some more for a machine
/// that is busy.
#[cfg(unix)]
fn code_after(mut child: Child, signal: &str) -> Option<i32> {
    let started = Instant::now();
    while handles_signals(child.id()) == Some(false) && started.elapsed().as_secs() < 10 {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "it waits");
    let pid = child.id().to_string();
    let since = Instant::now();
    let sent = Command::new("kill").args([signal, &pid]).status().unwrap();
    assert!(sent.success());
    while since.elapsed() < Duration::from_secs(3) {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    panic!("still there after {:?}", since.elapsed());
}

/// The device has no room for a single byte.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_in_our_own_words() {
    let folder = tempfile::tempdir().unwrap();
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = tridex(folder.path(), &["moves", "--rules", "meder"]);
    let output = command.stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8_lossy(&output.stderr);
    let expected = "the disk is full, so the output is incomplete";
    assert!(complaint.contains(expected), "{complaint}");
}

#[cfg(unix)]
#[test]
fn who_waits_for_input_ends_when_asked_with_the_code_of_the_signal() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let pipe = at.join("pipe.pgn");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let commands: [&[&str]; 5] = [
            &["validate", "-"],
            &["validate", "pipe.pgn"],
            &["convert", "-", "--to", "meder", "--output", "out.pgn"],
            &["index", "pipe.pgn", "--index", "db"],
            &["position", "pipe.pgn"],
        ];
        for command in commands {
            let mut child = tridex(at, command);
            child.stdin(Stdio::piped());
            child.stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = child.spawn().unwrap();
            // Kept, so that there is no end of input.
            let _input = child.stdin.take();
            assert_eq!(code_after(child, signal), Some(code), "{command:?}");
            assert!(!at.join("out.pgn").exists());
        }
    }
    let mut left: Vec<_> = fs::read_dir(at)
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    left.retain(|name| name != "pipe.pgn" && name != "db");
    assert!(left.is_empty(), "{left:?}");
}

#[cfg(unix)]
#[test]
fn a_killed_writer_leaves_nothing_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let many = [
        "generate", "--rules", "meder", "--games", "1000000", "--seed", "1",
    ];
    let mut command = tridex(at, &many);
    command.args(["--output", "games.pgn"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    child.kill().unwrap();
    child.wait().unwrap();
    // Where files without names are not to be had, the next writer removes what the killed one left.
    let few = [
        "generate", "--rules", "meder", "--games", "1", "--seed", "1", "--output", "one.pgn",
    ];
    assert!(tridex(at, &few).status().unwrap().success());
    let left: Vec<_> = fs::read_dir(at)
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(left, ["one.pgn"]);
}

/// A pipe in a folder was waited for and a device read without end.
#[cfg(unix)]
#[test]
fn folders_yield_regular_files_only() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("games")).unwrap();
    fs::write(at.join("games/a.pgn"), "1. b4N b5B *\n").unwrap();
    let pipe = at.join("games/pipe.pgn");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    std::os::unix::fs::symlink("/dev/zero", at.join("games/zero.pgn")).unwrap();
    let output = tridex(at, &["validate", "games", "--format", "ndjson"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stdout.iter().filter(|b| **b == b'\n').count(), 1);
}

/// Text that a terminal would obey, in tags, comments and moves.
const NASTY: &str = "[Event \"\u{1b}[2J\u{7}\"]\n[White \"=1+1\"]\n[Black \"\u{9b}31m\u{202e}\u{7f}\"]\n\
    [Variant \"meder\"]\n\n1. b4N {\u{1b}]0;title\u{7}} b5B\u{1b}[31m *\n";

#[test]
fn machine_forms_hold_nothing_that_drives_a_terminal_or_a_spreadsheet() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("a.pgn"), NASTY).unwrap();
    let commands: [&[&str]; 5] = [
        &["validate", "a.pgn", "--format", "ndjson"],
        &["convert", "a.pgn", "--to", "meder", "--format", "ndjson"],
        &["stats", "a.pgn", "--format", "ndjson"],
        &["validate", "a.pgn"],
        &["validate", "a.pgn", "--format", "csv"],
    ];
    for command in commands {
        let output = tridex(at, command).output().unwrap();
        for text in [output.stdout, output.stderr] {
            let text = String::from_utf8(text).unwrap();
            let bad = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
            assert!(!text.contains(bad), "{command:?}: {text:?}");
        }
    }
    // A pipe gets the bytes of an archive, and formulas are words; both are read again as they were. Only controls of
    // 80 to 9F are no part of any text: such a byte is a letter of Windows-1252.
    let sheet = tridex(
        at,
        &["convert", "a.pgn", "--to", "meder", "--format", "csv"],
    )
    .output()
    .unwrap()
    .stdout;
    assert!(!String::from_utf8_lossy(&sheet).contains(",=1+1"));
    fs::write(at.join("a.csv"), &sheet).unwrap();
    let back = tridex(at, &["convert", "a.csv", "--to", "meder"])
        .output()
        .unwrap()
        .stdout;
    let back = String::from_utf8(back).unwrap();
    for tag in [
        "[White \"=1+1\"]",
        "[Event \"\u{1b}[2J\u{7}\"]",
        "[Black \"›31m\u{202e}\u{7f}\"]",
    ] {
        assert!(back.contains(tag), "{back:?}");
    }
}

/// Of two games the second was swallowed, and its tags with it.
#[test]
fn two_blocks_of_tags_are_two_games() {
    let folder = tempfile::tempdir().unwrap();
    let text = b"[White \"a\"]\n[Variant \"meder\"]\n\n[White \"b\"]\n[Variant \"meder\"]\n\n1. b4N b5B *\n";
    let output = fed(
        folder.path(),
        &["validate", "-", "--format", "ndjson"],
        text,
    );
    let plies: Vec<u64> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["plies"]
                .as_u64()
                .unwrap()
        })
        .collect();
    assert_eq!(plies, [0, 2]);
}

/// What is written of a game without a first move was damage to our own reader.
#[test]
fn a_game_of_which_nothing_can_be_read_is_written_so_that_it_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(
        at.join("a.pgn"),
        "[Variant \"meder\"]\n\n1. Nz9Q! $3 (=) (1. b4N {x}) etc. b5B 1-0\n",
    )
    .unwrap();
    for (format, file) in [("pgn", "b.pgn"), ("ndjson", "b.ndjson"), ("csv", "b.csv")] {
        let convert = [
            "convert", "a.pgn", "--to", "meder", "--format", format, "--output", file,
        ];
        tridex(at, &convert).output().unwrap();
        let seen = tridex(at, &["validate", file, "--format", "ndjson"])
            .output()
            .unwrap();
        let line = String::from_utf8(seen.stdout).unwrap();
        assert_eq!(line.lines().count(), 1, "{line}");
        assert!(!line.contains("\"damage\""), "{line}");
    }
}

/// The first games of two files had the same number in the sheet, and were one game to its reader.
#[test]
fn games_of_several_files_in_one_sheet_stay_apart() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("a.pgn"), "1. b4N *\n").unwrap();
    fs::write(at.join("b.pgn"), "1. c4N b5B *\n").unwrap();
    let convert = [
        "convert", "a.pgn", "b.pgn", "--to", "manual", "--format", "csv", "--output", "c.csv",
    ];
    assert!(tridex(at, &convert).output().unwrap().status.success());
    let seen = tridex(at, &["validate", "c.csv", "--format", "ndjson"])
        .output()
        .unwrap();
    let plies: Vec<u64> = String::from_utf8_lossy(&seen.stdout)
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["plies"]
                .as_u64()
                .unwrap()
        })
        .collect();
    assert_eq!(plies, [1, 2]);
}

/// A program was one game of thousands of broken words.
#[test]
fn a_file_that_is_no_text_is_one_complaint() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let numbers: Vec<u8> = (0..20_000_u32)
        .flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes())
        .collect();
    for name in ["a.pgn", "a.csv", "a.ndjson", "a"] {
        fs::write(at.join(name), &numbers).unwrap();
        let seen = tridex(at, &["validate", name, "--format", "ndjson"])
            .output()
            .unwrap();
        assert_eq!(seen.status.code(), Some(2));
        assert!(seen.stdout.is_empty(), "{name}");
        // Behind it stands the summary.
        let said = String::from_utf8(seen.stderr).unwrap();
        let complaints: Vec<&str> = said
            .lines()
            .filter(|line| line.starts_with("tridex:"))
            .collect();
        let [complaint] = complaints[..] else {
            panic!("{said}");
        };
        assert!(complaint.contains("binary data"), "{complaint}");
        assert!(!said.contains("error"), "{said}");
    }
}
