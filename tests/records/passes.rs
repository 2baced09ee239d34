//! A player passes in a variation, as annotators write it to show a threat (ruling pass-in-variation).

use crate::program::fed;
use std::fs;
use tridex_archive::{Limits, game, pgn};
use tridex_core::GameTree;
use tridex_notation::{Notation, WriteOptions, position_string, write};
use tridex_replay::{Options, OutputStyle, replay_with};
use tridex_rules::random::Dice;
use tridex_rules::{Move, Position, RuleSystem};

/// How programs write a pass.
const FORMS: [&str; 7] = ["Z0", "--", "<>", "@@@@", "null", "pass", "Pass"];

/// The tree of the only game of a text.
fn tree(text: &str) -> GameTree {
    let games = game::collect(|reader| {
        pgn::read_games(text.as_bytes(), 0, &Limits::default(), reader);
    });
    assert_eq!(games.len(), 1, "{text}");
    replay_with(&games[0], &Options::default(), |played| {
        assert!(played.has_no_findings(), "{text}");
        GameTree::of(played)
    })
}

#[test]
fn a_pass_in_a_variation_is_played_and_written_again() {
    for system in RuleSystem::ALL.iter().copied() {
        let rules = system.name();
        let notation = Notation::of(system);
        let mut line = GameTree::new(system);
        let moves: Vec<_> = std::iter::repeat_n((), 3)
            .map(|()| {
                let last = line.main_line().last().unwrap_or(line.root());
                let mv = line.position(last).legal_moves()[0];
                line.play(last, mv).unwrap();
                mv
            })
            .collect();
        let words = line.movetext(notation).unwrap();
        let words: Vec<&str> = words
            .split(' ')
            .filter(|word| !word.ends_with('.'))
            .collect();
        for form in FORMS {
            let text = format!(
                "[Variant \"{rules}\"]\n\n1. {} {} (1... {form} 2. {} {{threat}}) 2. {} *\n",
                words[0], words[1], words[2], words[2]
            );
            let tree = tree(&text);
            let root = tree.main_line().next().unwrap();
            let pass = tree.node(root).unwrap().children().nth(1).unwrap();
            let threat = tree.node(pass).unwrap().next().unwrap();
            let played = [pass, threat].map(|id| tree.node(id).unwrap().played());
            assert_eq!(played, [Some(Move::Pass), Some(moves[2])], "{text}");
            for other in Notation::ALL {
                let Ok(record) = tree.to_record(&OutputStyle::of(other)) else {
                    assert_ne!(other.family(), system.family());
                    continue;
                };
                let movetext = tridex_archive::write::movetext(&record);
                assert!(movetext.contains("(1... Z0 2. "), "{movetext}");
                let again = self::tree(&tree.to_pgn(other).unwrap());
                assert_eq!(again.movetext(other).unwrap(), movetext);
            }
        }
    }
}

#[test]
fn nobody_passes_in_the_main_line_or_in_check() {
    let folder = tempfile::tempdir().unwrap();
    let codes = |text: &str| {
        let arguments = ["validate", "-f", "ndjson", "-q", "-"];
        let output = fed(folder.path(), &arguments, text.as_bytes());
        String::from_utf8(output.stdout).unwrap()
    };
    for form in FORMS {
        let main = format!("[Variant \"meder\"]\n\n1. a4W {form} 2. c4W d6N *\n");
        let found = codes(&main);
        assert!(
            found.contains("\"invalid\"") || found.contains("not-recorded"),
            "{main}{found}"
        );
    }
    assert!(
        codes("[Variant \"meder\"]\n\n1. a4W Z0 *\n")
            .contains("the rules do not allow (Meder 1.1)")
    );
    let mut dice = Dice::new(7);
    let mut position = Position::start(RuleSystem::Meder);
    while !position.is_check() {
        let moves = position.legal_moves();
        position.play_unchecked(moves[dice.below(moves.len() as u32) as usize]);
    }
    assert!(!position.can_pass() && position.has_legal_move());
    let fen = position_string::to_string(&position.to_setup());
    let number = position.fullmoves();
    let dots = if position.turn().is_white() {
        "."
    } else {
        "..."
    };
    let check = format!(
        "[Variant \"meder\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{number}{dots} MOVE ({number}{dots} Z0) *\n"
    );
    let escape = position.legal_moves()[0];
    let mut text = String::new();
    write(
        Notation::Meder,
        &position,
        escape,
        &WriteOptions::default(),
        &mut text,
    )
    .unwrap();
    let found = codes(&check.replace("MOVE", &text));
    assert!(
        found.contains("this variation cannot be followed") && found.contains("passes"),
        "{found}"
    );
}

#[test]
fn a_position_after_a_pass_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = fed(folder.path(), arguments, b"");
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {complaint}");
        String::from_utf8(output.stdout).unwrap()
    };
    let text = "[Variant \"meder\"]\n\n1. a4W d6N (1... Z0 2. 0-0 b6B) 2. 0-0 0-0 *\n";
    fs::write(folder.path().join("threat.pgn"), text).unwrap();
    run(&["index", "threat.pgn", "--index", "db", "--variations", "-q"]);
    let castled = [
        "search",
        "--index",
        "db",
        "--variations",
        "--sequence",
        "white 0-0 next P to b6B",
        "-f",
        "ndjson",
    ];
    assert_eq!(run(&castled).lines().count(), 1);
    let found = run(&["search", "--index", "db", "-f", "pgn", "-q"]);
    assert!(found.contains("(1... Z0 2. 0-0 b6B)"), "{found}");
    assert!(run(&["index", "verify", "--index", "db"]).contains("faults                0"));
    let page = run(&[
        "convert",
        "--to",
        "own",
        "--format",
        "html",
        "-o",
        "-",
        "threat.pgn",
    ]);
    assert!(page.contains("Z0"));
}
