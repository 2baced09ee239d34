//! Scoresheets as people write them, from the command's side.

use std::process::{Command, Output};

fn tridex(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tridex"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap()
}

/// A conversion to `own` writes each game in the notation of its own system.
#[test]
fn each_game_in_its_own_notation() {
    let folder = tempfile::tempdir().unwrap();
    for (rules, notation) in [
        ("meder", "meder"),
        ("manual", "manual"),
        ("federation", "meder"),
        ("millennium", "millennium"),
        ("chess3", "chess3"),
    ] {
        let path = folder.path().join(format!("{rules}.pgn"));
        let path = path.to_str().unwrap();
        let games = [
            "generate", "--rules", rules, "--games", "3", "--seed", "5", "--output", path,
        ];
        assert_eq!(tridex(&games).status.code(), Some(0));
        let own = tridex(&["convert", path, "--to", "own"]);
        let named = tridex(&["convert", path, "--to", notation]);
        assert_eq!(own.stdout, named.stdout, "{rules}");
    }
}
