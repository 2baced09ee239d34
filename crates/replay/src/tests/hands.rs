//! Sheets as people write them, read as a whole. Single ones are in `tests/data/hands.txt`; here are those that are made.

use crate::{Options, Replay, RulesChoice, each};
use tridex_archive::split::Splitter;
use tridex_archive::{Container, GameResult, Limits};
use tridex_notation::{Locale, Notation, WriteOptions};
use tridex_rules::random::Dice;
use tridex_rules::{Move, Position, Role, RuleSystem};

pub(super) fn reports(bytes: &[u8], container: Container, options: &Options) -> Vec<Replay> {
    let mut reports = Vec::new();
    for batch in Splitter::new(bytes, container, Limits::default()) {
        let batch = batch.expect("what is in memory can be read");
        each(&batch, options, |played| reports.push(played.to_replay()));
    }
    reports
}

/// The only game of a sheet.
pub(super) fn only(text: &str, options: &Options) -> Replay {
    let mut found = reports(text.as_bytes(), Container::Movetext, options);
    assert_eq!(found.len(), 1, "{text}");
    found.remove(0)
}

pub(super) fn under(rules: RuleSystem) -> Options {
    Options {
        rules: RulesChoice::Only(rules),
        ..Options::default()
    }
}

#[test]
fn numbers_without_moves_after_them_are_not_reported() {
    let blank: String = (3..=60).map(|number| format!("{number},,\n")).collect();
    let found = |last: &str, blank: &str| {
        let sheet = format!("no,white,black\n1,b4N,b5B\n{last}\n{blank}");
        let found = reports(sheet.as_bytes(), Container::Csv, &Options::default());
        assert_eq!(found.len(), 1);
        (found[0].status, found[0].findings().len())
    };
    // The system is inferred, which is reported of every such game.
    assert_eq!(found("2,c3W,a6N", &blank), found("2,c3W,a6N", ""));
    // White moved last.
    assert_eq!(found("2,c3W,", &blank), found("2,c3W,a6N", ""));
    // The finding about a number with a move after it remains, and so does the one about missing moves.
    let late = only(
        "1. b4N b5B 2. c3W a6N 4. Nc2W c6B 9. *",
        &Options::default(),
    );
    let [found] = late.findings() else {
        panic!("{:?}", late.findings());
    };
    assert!(found.token == "4" && !found.corrections.is_empty());
}

/// Found by machine: the style and the result were those of the game before.
#[test]
fn a_game_of_no_system_has_nothing_of_the_game_before() {
    let before = "[Variant \"chess3\"]\n[Notation \"chess3\"]\n\n1. 1E2-1E4 3E7-3E5 1-0\n\n";
    let unknown = "[Variant \"checkers\"]\n\n1. b4N b5B *\n";
    let alone = reports(unknown.as_bytes(), Container::Pgn, &Options::default());
    let both = format!("{before}{unknown}");
    let both = reports(both.as_bytes(), Container::Pgn, &Options::default());
    assert_eq!(both[1].style(), alone[0].style());
    let results = (both[1].result, alone[0].result);
    assert_eq!(results, (GameResult::Unknown, GameResult::Unknown));
    let won = unknown.replace('*', "0-1");
    let won = reports(won.as_bytes(), Container::Pgn, &Options::default());
    assert_eq!(won[0].result, GameResult::Black);
}

#[test]
fn each_player_writes_in_a_language() {
    for rules in [RuleSystem::Meder, RuleSystem::Millennium] {
        for letters in [
            [Locale::Dutch, Locale::English],
            [Locale::English, Locale::French],
            [Locale::Czech, Locale::Dutch],
        ] {
            let (sheet, moves) = a_game(rules, letters);
            let report = only(&sheet, &under(rules));
            let found = report.findings();
            assert_eq!(report.moves(), moves, "{letters:?}: {found:?}\n{sheet}");
            let mut messages = found.iter().map(|found| &found.message);
            assert!(messages.any(|text| text.starts_with("White's moves are read in")));
        }
    }
}

/// A random game, White's and Black's moves in letters of their own; mostly of pieces, for only they have letters.
fn a_game(rules: RuleSystem, letters: [Locale; 2]) -> (String, Vec<Move>) {
    let mut position = Position::start(rules);
    let (mut sheet, mut moves) = (String::new(), Vec::new());
    let mut dice = Dice::nth(7, 0);
    for ply in 0..60 {
        let mut legal = position.legal_moves();
        let is_piece = |mv: &Move| match mv {
            Move::Piece { from, .. } => {
                let piece = position.piece_at(*from);
                piece.is_some_and(|piece| piece.role != Role::Pawn)
            }
            _ => false,
        };
        if legal.iter().any(is_piece) && dice.below(16) > 0 {
            legal.retain(is_piece);
        }
        if legal.is_empty() {
            break;
        }
        let mv = legal[dice.below(legal.len() as u32) as usize];
        let options = WriteOptions::default().locale(letters[ply % 2]);
        if ply % 2 == 0 {
            sheet.push_str(&format!("{}. ", ply / 2 + 1));
        }
        let notation = Notation::of(rules);
        tridex_notation::write(notation, &position, mv, &options, &mut sheet).unwrap();
        sheet.push(' ');
        position.play_unchecked(mv);
        moves.push(mv);
    }
    (sheet, moves)
}

#[test]
fn a_name_with_a_slip_is_near_to_a_system() {
    for (name, near) in [
        ("fedderation", Some(RuleSystem::Federation)),
        ("Milennium", Some(RuleSystem::Millennium)),
        ("mede", Some(RuleSystem::Meder)),
        ("manaul", Some(RuleSystem::Manual)),
        ("chess4", Some(RuleSystem::Chess3)),
        ("Raumschach", None),
        ("bartmess", None),
        ("standard", None),
    ] {
        assert_eq!(crate::near_system(name), near, "{name}");
    }
}
