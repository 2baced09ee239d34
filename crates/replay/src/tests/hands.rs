//! Sheets as people write them, read as a whole.

use crate::finding::{Code, Severity, Status};
use crate::{Options, Replay, RulesChoice, each};
use tridex_archive::split::Splitter;
use tridex_archive::{Container, GameResult, Limits};
use tridex_notation::{Locale, Notation, WriteOptions};
use tridex_rules::{Move, Position, Role, RuleSystem};

pub(super) fn reports(bytes: &[u8], container: Container, options: &Options) -> Vec<Replay> {
    let mut reports = Vec::new();
    for batch in Splitter::new(bytes, container, Limits::default()) {
        let batch = batch.expect("what is in memory can be read");
        each(&batch, options, |played| reports.push(played.to_replay()));
    }
    reports
}

/// The findings of the only game of a sheet: code and message.
fn findings(text: &str, options: &Options) -> Vec<String> {
    let found = reports(text.as_bytes(), Container::Movetext, options);
    let [report] = found.as_slice() else {
        panic!("{} games", found.len());
    };
    let stated = report.findings().iter();
    stated
        .map(|found| format!("{}: {}", found.code.as_str(), found.message))
        .collect()
}

#[test]
fn numbers_that_do_not_follow() {
    let stated = |text: &str| findings(text, &Options::default());
    assert_eq!(stated("1. b4N b5B 2. c3W a6N"), [""; 0]);
    assert_eq!(
        stated("1. b4N b5B 3. c3W a6N 4. Nc2W"),
        ["move-number: found move number 3, expected 2: moves may be missing before it"]
    );
    // One number is wrong, and those after it are not.
    assert_eq!(
        stated("1. b4N b5B 2. c3W a6N 8. Nc2W c6B 4. d4N"),
        ["move-number: found move number 8, expected 3: moves may be missing before it"]
    );
    assert_eq!(
        stated("1. b4N 2. c6B c3W"),
        [
            "move-number: found move number 2, expected Black's move 1: a move may be missing before it"
        ]
    );
    assert_eq!(stated("b4N 1... b5B 2. c3W 2... a6N"), [""; 0]);
}

#[test]
fn numbers_with_no_move_behind_them_say_nothing() {
    let mut sheet = String::from("no,white,black\n1,b4N,b5B\n2,c3W,a6N\n");
    let blank: String = (3..=60).map(|number| format!("{number},,\n")).collect();
    let stated = |text: &str| {
        let found = reports(text.as_bytes(), Container::Csv, &Options::default());
        assert_eq!(found.len(), 1);
        (found[0].status, found[0].findings().len())
    };
    // The system is inferred, which is reported of every such game.
    let (status, told) = stated(&sheet);
    sheet.push_str(&blank);
    assert_eq!(stated(&sheet), (status, told));
    // White moved last.
    let sheet = format!("no,white,black\n1,b4N,b5B\n2,c3W,\n{blank}");
    assert_eq!(stated(&sheet), (status, told));
    let stated = |text: &str| findings(text, &Options::default());
    assert_eq!(stated("1. b4N b5B 2. c3W 3. *"), [""; 0]);
    assert_eq!(stated("1. b4N b5B 2. c3W a6N 7. 8. *"), [""; 0]);
    assert_eq!(stated("1. b4N b5B 2. c3W (2. d4N) 3. *"), [""; 0]);
    // The finding about a number with a move after it remains, and so does the one about missing moves.
    let late = reports(
        b"1. b4N b5B 2. c3W a6N 4. Nc2W c6B 9. *",
        Container::Movetext,
        &Options::default(),
    );
    let found: Vec<_> = late[0]
        .findings()
        .iter()
        .filter(|f| f.token == "4")
        .collect();
    assert_eq!(late[0].findings().len(), 1, "{:?}", late[0].findings());
    assert!(!found[0].corrections.is_empty());
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
    assert_eq!(
        (both[1].result, alone[0].result),
        (GameResult::Unknown, GameResult::Unknown)
    );
    let won = unknown.replace('*', "0-1");
    let won = reports(won.as_bytes(), Container::Pgn, &Options::default());
    assert_eq!(won[0].result, GameResult::Black);
}

/// Found by machine: the status was that of a warning, and none was given.
#[test]
fn a_level_that_leaves_nothing_open_is_no_warning() {
    let text = "[Variant \"meder\"]\n\n1. b3W b5B 2. Bb2W a6N 3. Bc1 *\n";
    let found = &reports(text.as_bytes(), Container::Pgn, &Options::default())[0];
    let told: Vec<_> = found
        .findings()
        .iter()
        .map(|f| (f.severity, f.code))
        .collect();
    assert_eq!(
        told,
        [(Severity::Info, Code::MissingLevel)],
        "{:?}",
        found.findings()
    );
    assert_eq!(found.status(), Status::Valid);
}

#[test]
fn a_notation_of_the_other_board_is_not_used() {
    let stated = "tag: chess3 is a notation for the cube board, and meder is played on the stair board: this notation is \
                not used";
    let moves = "1. b4N b5B 2. c3W a6N *";
    let tagged = format!("[Variant \"meder\"]\n[Notation \"chess3\"]\n\n{moves}\n");
    let options = Options {
        notation: Some(Notation::Chess3),
        ..Options::default()
    };
    let asked = format!("[Variant \"meder\"]\n\n{moves}\n");
    for (text, options) in [(tagged, Options::default()), (asked, options)] {
        let found = reports(text.as_bytes(), Container::Pgn, &options);
        let told = found[0].findings().iter();
        let told: Vec<String> = told
            .map(|found| format!("{}: {}", found.code.as_str(), found.message))
            .collect();
        assert_eq!(told, [stated], "{text}");
        assert_eq!(found[0].status, Status::Warned);
        assert_eq!(found[0].moves.len(), 4);
    }
    // Where the game breaks besides, the list of what is legal has the words of the board it is played on.
    let broken = "[Variant \"meder\"]\n[Notation \"chess3\"]\n\n1. b4N b5B 2. c9W a6N *\n";
    let found = reports(broken.as_bytes(), Container::Pgn, &Options::default());
    let listed = found[0].findings().iter().flat_map(|f| &f.alternatives);
    assert!(listed.clone().count() > 0);
    assert!(listed.into_iter().all(|text| !text.is_empty()));
}

#[test]
fn a_move_that_was_not_recorded_ends_what_can_be_replayed() {
    assert_eq!(
        findings("1. b4N b5B 2. -- --", &Options::default()),
        ["not-recorded: this move was not recorded; what follows cannot be replayed"]
    );
}

#[test]
fn a_declared_language_is_binding() {
    let text = "1. b4N b5B 2. c3W a6S";
    let options = Options {
        locale: Some(Locale::English),
        ..Options::default()
    };
    assert_eq!(
        findings(text, &Options::default()),
        ["dialect: `a6S` is read as a6B in German letters"]
    );
    let bound = findings(text, &options);
    assert!(
        bound.iter().all(|stated| !stated.starts_with("dialect")),
        "{bound:?}"
    );
    assert!(!bound.is_empty());
}

#[test]
fn dates_that_cannot_be() {
    for (date, stated) in [
        (
            "2004.02.30",
            "tag: the date \"2004.02.30\": this day does not exist",
        ),
        (
            "2.1.04",
            "tag: the date \"2.1.04\": ambiguous date: expected a date such as 2004.01.31",
        ),
    ] {
        let text = format!("[Date \"{date}\"]\n[Variant \"meder\"]\n\n1. b4N *\n");
        assert_eq!(findings(&text, &Options::default()), [stated]);
    }
    for date in [
        "2004.02.29",
        "2004.??.??",
        "????.??.??",
        "12 July 2012",
        "2.1.2004",
    ] {
        let text = format!("[Date \"{date}\"]\n[Variant \"meder\"]\n\n1. b4N *\n");
        assert_eq!(findings(&text, &Options::default()), [""; 0], "{date}");
    }
}

/// The only game of a sheet.
pub(super) fn only(text: &str, options: &Options) -> Replay {
    let mut found = reports(text.as_bytes(), Container::Movetext, options);
    assert_eq!(found.len(), 1, "{text}");
    found.remove(0)
}

/// The moves of a game as a notation writes them, without marks.
fn written(report: &Replay, notation: Notation) -> String {
    let mut position = report.start().clone();
    let mut words = Vec::new();
    for mv in report.moves() {
        words.push(crate::finding::wording::canonical(&position, notation, *mv));
        position.play_unchecked(*mv);
    }
    words.join(" ")
}

/// What is found, by its codes.
fn codes(report: &Replay) -> Vec<&'static str> {
    let found = report.findings().iter();
    found.map(|found| found.code.as_str()).collect()
}

pub(super) fn under(rules: RuleSystem) -> Options {
    Options {
        rules: RulesChoice::Only(rules),
        ..Options::default()
    }
}

#[test]
fn capitals_small_letters_and_levels_in_brackets_are_read() {
    let options = under(RuleSystem::Meder);
    for sheet in ["1. B4N b5b 2. C3w a6n", "1. b4/N b5(B) 2. c3W a6N"] {
        let report = only(sheet, &options);
        let found = written(&report, Notation::Meder);
        assert_eq!(found, "b4N b5B c3W a6N", "{sheet}: {:?}", report.findings());
        assert!(!report.findings().is_empty(), "no finding: {sheet}");
    }
}

#[test]
fn a_level_that_is_left_out() {
    // The only square of that name: a note. One of several, of which one can be reached: a warning.
    let options = under(RuleSystem::Meder);
    let report = only("1. b4N b5B 2. c3 a6N 3. Nc2 c6B", &options);
    assert_eq!(report.moves().len(), 6, "{:?}", report.findings());
    assert_eq!(codes(&report), ["ambiguous", "missing-level"]);
    assert!(report.findings().iter().any(|found| found.token == "Nc2"));
    let report = only("1. b3-b5 c8,BB-c7,BB", &under(RuleSystem::Manual));
    assert_eq!(
        written(&report, Notation::Manual),
        "b3,WB-b5,WB c8,BB-c7,BB"
    );
    assert!(codes(&report).contains(&"ambiguous"));
    // The one square of that name is read: reported like any move, with what would be legal.
    let report = only("1. b4N b5B 2. Nc2", &options);
    let found = &report.findings()[0];
    assert!(
        found.message.contains("own pawn is on c2W"),
        "{}",
        found.message
    );
    assert!(!found.alternatives.is_empty(), "{found:?}");
    let strict = Options {
        strict: true,
        ..options
    };
    let report = only("1. b4N b5B 2. Nc2", &strict);
    assert_eq!(
        (report.moves().len(), codes(&report)),
        (2, vec!["missing-level"])
    );
}

#[test]
fn strict_reading_refuses_what_hands_make() {
    let strict = Options {
        strict: true,
        ..under(RuleSystem::Meder)
    };
    for sheet in ["1. b4N b5B 2. C3W", "1. Pb4N b5B"] {
        let report = only(sheet, &strict);
        assert_eq!(report.status(), Status::Invalid, "{sheet}");
        let lenient = only(sheet, &under(RuleSystem::Meder));
        assert_ne!(
            lenient.status,
            Status::Invalid,
            "{sheet}: {:?}",
            lenient.findings()
        );
        assert!(!lenient.findings().is_empty(), "no finding: {sheet}");
    }
}

#[test]
fn numbers_that_are_wrong_or_missing() {
    let wrong = only("1. b4N b5B 99. c3W a6N", &Options::default());
    assert_eq!(codes(&wrong), ["move-number"]);
    assert!(wrong.findings()[0].message.contains("expected 2"));
    let missing = only("1. b4N b5B 3. d4N a6N", &Options::default());
    assert!(codes(&missing).contains(&"move-number"));
}

#[test]
fn each_player_writes_in_a_language() {
    // A lone word of another language is read as the slip it is.
    let sheet = "1. c3N c6B 2. 0-0 d5N 3. a3N 0-0 4. a3W Nc6N 5. b4N b5N 6. aNa4N Ba6N 7. aNxb5N Nb6N \
                 8. b6B Nb4W 9. La3N c5B 10. c4W Bb5B 11. d3W d4W 12. d4N";
    let report = only(sheet, &Options::default());
    assert_eq!(report.moves().len(), 23, "{:?}", report.findings());
    assert!(codes(&report).contains(&"dialect"));
    for (rules, notation) in [
        (RuleSystem::Meder, Notation::Meder),
        (RuleSystem::Millennium, Notation::Millennium),
    ] {
        for (white, black) in [
            (Locale::Dutch, Locale::English),
            (Locale::English, Locale::French),
            (Locale::Czech, Locale::Dutch),
        ] {
            let (sheet, moves) = a_game(rules, notation, [white, black]);
            let report = only(&sheet, &under(rules));
            let stated = report.findings();
            assert_eq!(
                report.moves(),
                moves,
                "{rules:?} {white:?} {black:?}: {stated:?}\n{sheet}"
            );
            assert!(
                stated
                    .iter()
                    .any(|found| found.message.starts_with("White's moves are read in"))
            );
        }
    }
}

/// A game of moves picked by a fixed rule, White's and Black's in letters of their own.
fn a_game(rules: RuleSystem, notation: Notation, letters: [Locale; 2]) -> (String, Vec<Move>) {
    let mut position = Position::start(rules);
    let (mut sheet, mut moves) = (String::new(), Vec::new());
    let mut seed = 7_usize;
    for ply in 0..60 {
        let legal = position.legal_moves();
        // Pieces rather than pawns, for only they have letters.
        let pieces: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|mv| match mv {
                Move::Piece { from, .. } => position
                    .piece_at(*from)
                    .is_some_and(|piece| piece.role != Role::Pawn),
                _ => false,
            })
            .collect();
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let list = if pieces.is_empty() || seed >> 60 == 0 {
            &legal
        } else {
            &pieces
        };
        let Some(mv) = list.get((seed >> 33) % list.len().max(1)).copied() else {
            break;
        };
        let options = WriteOptions {
            locale: letters[ply % 2],
            ..WriteOptions::default()
        };
        if ply % 2 == 0 {
            sheet.push_str(&format!("{}. ", ply / 2 + 1));
        }
        tridex_notation::write(notation, &position, mv, &options, &mut sheet).unwrap();
        sheet.push(' ');
        position.play_unchecked(mv);
        moves.push(mv);
    }
    (sheet, moves)
}

#[test]
fn the_letter_of_a_pawn_may_be_that_of_a_knight() {
    let report = only("1. Pb4N b5B", &under(RuleSystem::Meder));
    assert_eq!(codes(&report), ["dialect"], "{:?}", report.findings());
    assert!(report.findings()[0].message.contains("`P`"));
}

#[test]
fn rule_systems_that_are_none_of_the_five() {
    for name in ["Raumschach", "bartmess", "standard"] {
        let sheet = format!("[Variant \"{name}\"]\n\n1. b4N b5B *\n");
        let report = only(&sheet, &Options::default());
        assert_eq!(
            (report.status(), report.moves().len()),
            (Status::Invalid, 0)
        );
        assert!(
            report.findings()[0]
                .message
                .contains("not one of the rule systems")
        );
        let any = Options {
            rules: RulesChoice::Any,
            ..Options::default()
        };
        assert_eq!(only(&sheet, &any).moves.len(), 2);
        assert_eq!(only(&sheet, &under(RuleSystem::Meder)).moves.len(), 2);
    }
}

#[test]
fn a_name_with_a_slip_is_told_what_it_is_near() {
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
        let sheet = format!("[Variant \"{name}\"]\n\n1. b4N b5B *\n");
        let report = only(&sheet, &Options::default());
        let stated = &report.findings()[0].message;
        let asked = near.map(|rules| format!("did you mean {}?", rules.name()));
        assert_eq!(stated.contains("did you mean"), near.is_some(), "{stated}");
        assert!(
            asked.is_none_or(|asked| stated.contains(&asked)),
            "{stated}"
        );
    }
}

#[test]
fn a_board_and_the_pawn_it_brings_to_its_last_rank() {
    // A white pawn rides on the queen's board.
    let fen = "2k1/4/4/4|4/4/4/4|4/4/4/2K1|QL@Q5:P1/2|KL@K1:2/2|ql@Q1:2/2|kl@K6:2/2 w - - - 0 10";
    for token in [
        "QL6Q",
        "QL6=Q",
        "QL6(Q)",
        "QL5-QL6Q",
        "QL6 z9QL6Q",
        "QL6/z9QL6Q",
        "QL5-QL6 z9QL6Q",
    ] {
        let sheet =
            format!("[Variant \"meder\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. {token} *\n");
        let report = only(&sheet, &Options::default());
        assert_eq!(report.moves().len(), 1, "{token}: {:?}", report.findings());
        assert_eq!(report.moves()[0].promotion(), Some(Role::Queen), "{token}");
    }
    let sheet = format!("[Variant \"meder\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. QL6 *\n");
    let report = only(&sheet, &Options::default());
    assert_eq!(
        report.moves().first().and_then(|mv| mv.promotion()),
        Some(Role::Queen)
    );
    assert_eq!(report.status(), Status::Ambiguous);
}

/// A game from a position under meder.
fn set_up(placement: &str, moves: &str) -> String {
    format!("[Variant \"meder\"]\n[SetUp \"1\"]\n[FEN \"{placement} w - - - 0 9\"]\n\n{moves} *\n")
}

/// Boards with nothing on them, and empty ranks.
const BARE: &str = "QL@Q1:2/2|KL@K1:2/2|ql@Q6:2/2|kl@K6:2/2";

#[test]
fn squares_whose_name_only_one_square_has() {
    let sheet = "1. c3-c5 c8,BB-c7,BB 2. c2-c3 c7,BB-c6,BB";
    let report = only(sheet, &under(RuleSystem::Manual));
    assert_eq!(report.moves().len(), 4, "{:?}", report.findings());
    let noted = report.findings().iter();
    let mut noted = noted.filter(|found| found.code.as_str() == "missing-level");
    assert!(
        noted.any(|found| found.token == "c2-c3"),
        "{:?}",
        report.findings()
    );
    // Meder's c8 is on the black level only.
    let placement = format!("4/2P1/4/4|4/4/4/4|3K/4/k3/4|{BARE}");
    let report = only(&set_up(&placement, "9. c8=Q"), &Options::default());
    assert_eq!(
        written(&report, Notation::Meder),
        "c8BQ",
        "{:?}",
        report.findings()
    );
    assert_eq!(codes(&report), ["missing-level"]);
}

#[test]
fn a_reading_that_fits_the_whole_sheet_stands_before_one_that_does_not() {
    // Two knights can go to c2W; only if the other stays on a1W is there something to capture.
    let placement = format!("3k/4/4/4|4/4/4/4|1N1K/r3/4/N3|{BARE}");
    let report = only(&set_up(&placement, "9. Nc2W Rxa1W"), &Options::default());
    assert_eq!(report.moves().len(), 2);
    assert_eq!(report.status(), Status::Warned);
    assert_eq!(codes(&report), ["ambiguity-resolved"]);
    let taken = written(&report, Notation::Meder);
    assert!(
        taken.starts_with("Nbc2W") && taken.ends_with("Rxa1W"),
        "{taken}"
    );
}

#[test]
fn a_letter_of_a_piece_is_that_piece() {
    // A pawn can go to a7B too, and `B` may have been a level or an eight.
    let placement = format!("4/4/1B2/P3|4/4/4/4|3K/4/k3/4|{BARE}");
    for moves in ["9. Ba7", "9. Ba7B"] {
        let report = only(&set_up(&placement, moves), &Options::default());
        assert_eq!(
            written(&report, Notation::Meder),
            "Ba7B",
            "{:?}",
            report.findings()
        );
        assert!(codes(&report).iter().all(|code| *code == "missing-level"));
    }
}

/// A capital before a square may be the letter of a piece in another language, and the file of a pawn.
#[test]
fn a_capital_of_two_meanings_is_ambiguous_where_both_are_legal() {
    let both = format!("k3/2QP/4/4|4/4/4/4|4/4/4/K3|{BARE}");
    let pawn = format!("k3/3P/4/4|4/4/4/4|4/4/4/K3|{BARE}");
    let queen = format!("k3/2Q1/4/4|4/4/4/4|4/4/4/K3|{BARE}");
    for (tags, placement, moves, stated, taken) in [
        (
            "",
            &both,
            "9. Dd8KL6",
            &["ambiguous", "dialect"][..],
            "Qd8KL6",
        ),
        (
            "",
            &both,
            "9. Dd8KL6 Ka7B",
            &["ambiguity-resolved", "dialect"],
            "Qd8KL6 Ka7B",
        ),
        ("", &pawn, "9. Dd8KL6", &["case"], "d8KL6"),
        ("", &queen, "9. Dd8KL6", &["dialect"], "Qd8KL6"),
        // A language that is declared is the only one.
        ("[Locale \"en\"]\n", &both, "9. Dd8KL6", &["case"], "d8KL6"),
        // Letters of another language in another case are no second reading.
        ("", &both, "9. DD8KL6", &["case"], "d8KL6"),
        ("", &both, "9. dd8KL6", &[], "d8KL6"),
        ("", &both, "9. d8KL6", &[], "d8KL6"),
    ] {
        let sheet = format!("{tags}{}", set_up(placement, moves));
        let report = only(&sheet, &Options::default());
        assert_eq!(codes(&report), stated, "{moves}: {:?}", report.findings());
        assert_eq!(written(&report, Notation::Meder), taken, "{moves}");
    }
}

#[test]
fn pins_have_letters_of_every_language() {
    // The king's board: `R` is the French king, and `K` the German, Dutch and Czech one.
    let placement = "4/4/3k/4|4/4/4/4|3K/4/4/4|QL@Q1:2/2|KL@K1:P1/2|ql@Q6:2/2|kl@K6:2/2";
    for (locale, token) in [("fr", "RL2"), ("de", "KL2"), ("es", "RL2"), ("nl", "KL2")] {
        let sheet = format!(
            "[Locale \"{locale}\"]\n{}",
            set_up(placement, &format!("9. {token}"))
        );
        let report = only(&sheet, &Options::default());
        assert_eq!(
            written(&report, Notation::Meder),
            "KL2",
            "{token}: {:?}",
            report.findings()
        );
        assert_eq!(
            report.status(),
            Status::Valid,
            "{token}: {:?}",
            report.findings()
        );
    }
}

#[test]
fn systems_that_cannot_hold_a_position_are_named() {
    let fen = "4/P2k/4/4|4/4/4/4|3K/4/4/4|QL@Q1v:2/2|KL@K1:2/2|ql@Q2:2/2|kl@K6:2/2 w - - - 0 9";
    let options = Options {
        rules: RulesChoice::Any,
        ..Options::default()
    };
    let sheet = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n9. Kc4W Kd6B *\n");
    let report = only(&sheet, &options);
    assert_eq!(report.rules(), RuleSystem::Manual);
    for system in ["meder", "federation"] {
        let stated = format!("not under {system}, where the position cannot be played");
        assert!(
            report
                .findings()
                .iter()
                .any(|found| found.message.contains(&stated)),
            "{:?}",
            report.findings()
        );
    }
    // A promotion without its letter is not as good as a move that needs none.
    let report = only(&sheet.replace("Kc4W", "a8B"), &options);
    assert_eq!(
        (report.rules(), report.status()),
        (RuleSystem::Manual, Status::Ambiguous)
    );
}

#[test]
fn squares_in_small_letters_are_those_of_chess3() {
    let sheet = "1. 1c2-1c3 3e8-2d8 2. 1e2-1e4 3d8-2e7 *\n";
    let report = only(sheet, &Options::default());
    assert_eq!(report.rules(), RuleSystem::Chess3);
    assert!(
        !codes(&report).contains(&"other-notation"),
        "{:?}",
        report.findings()
    );
    // With a piece's letter it is Millennium's notation.
    let sheet = "1. 1c2-1c3 N3c6 *\n";
    let report = only(sheet, &Options::default());
    assert_eq!(report.rules(), RuleSystem::Millennium);
}

#[test]
fn what_stands_around_the_moves_is_read_and_told() {
    let sheet = "White: Anna  Black: Bert\n\n1. b4N, 0:05 b5B (sealed) 2. c3W a6N\nDraw agreed.\n";
    let report = only(sheet, &Options::default());
    assert_eq!((report.status(), report.moves().len()), (Status::Warned, 4));
    let unusual = |report: &Replay, severity| {
        let found = report.findings().iter();
        found
            .filter(|found| found.code.as_str() == "unusual" && found.severity == severity)
            .count()
    };
    assert_eq!(
        unusual(&report, Severity::Info),
        3,
        "{:?}",
        report.findings()
    );
    assert_eq!(unusual(&report, Severity::Warning), 1);
    let strict = Options {
        strict: true,
        ..Options::default()
    };
    let report = only(sheet, &strict);
    assert_eq!(
        (report.status(), unusual(&report, Severity::Error)),
        (Status::Invalid, 4)
    );
}

/// The moves of the only game of an archive in Meder's notation, and its findings.
fn of_meder(tags: &str, moves: &str, options: &Options) -> Replay {
    let sheet = format!("[Variant \"meder\"]\n{tags}\n{moves}\n");
    let mut found = reports(sheet.as_bytes(), Container::Pgn, options);
    assert_eq!(found.len(), 1);
    found.remove(0)
}

#[test]
fn a_piece_before_a_square_without_its_level_is_no_pawn() {
    // A pawn is on a6B and could be meant only by two guesses.
    let report = of_meder("", "1. Nc3N a6B 2. a4W Ba7 *", &Options::default());
    let whole = of_meder("", "1. Nc3N a6B 2. a4W Ba7B *", &Options::default());
    assert_eq!(whole.status, Status::Valid);
    assert_eq!(report.moves(), whole.moves);
    assert_eq!(codes(&report), ["missing-level"]);
}

#[test]
fn a_promotion_without_its_level() {
    let before = "1. b4N a5B 2. a3N 0-0 3. b5B c5N 4. bBxc6Ne.p. b5N 5. cNxd7B a6N 6. 0-0 Bd6B 7.";
    let whole = of_meder("", &format!("{before} dBxc8BQ *"), &Options::default());
    assert_eq!(whole.status, Status::Valid);
    for written in ["dxc8=Q", "dBxc8=Q", "dxc8Q"] {
        let report = of_meder("", &format!("{before} {written} *"), &Options::default());
        assert_eq!(report.moves(), whole.moves, "{written}");
        assert_ne!(report.findings().len(), 0, "{written} leaves something out");
    }
}

#[test]
fn an_open_result_under_a_mate_is_told() {
    let moves = "1. c4W c6N 2. 0-0 a5N 3. b4N a6N 4. a4N 0-0 5. a2W b6B 6. Nc3W aNxb4N 7. Nd5B d5N 8. Nb6N c5N \
                 9. a5N a5B 10. Nxc8B#";
    let open = of_meder("", &format!("{moves} *"), &Options::default());
    assert_eq!(
        (open.status, codes(&open)),
        (Status::Warned, vec!["result"])
    );
    let won = of_meder("", &format!("{moves} 1-0"), &Options::default());
    assert_eq!(won.status, Status::Valid);
    let lost = of_meder("", &format!("{moves} 0-1"), &Options::default());
    assert_eq!(
        (lost.status, codes(&lost)),
        (Status::Invalid, vec!["result"])
    );
}

#[test]
fn a_letter_that_stands_for_no_pawn_is_noted() {
    // `P` is the Dutch knight, as the others of the sheet say, and no knight goes to a3N.
    let report = of_meder("", "1. Pc3N a6B 2. a4W La7B 3. Pa3N *", &Options::default());
    assert_eq!(report.status(), Status::Warned);
    let english = of_meder("", "1. Nc3N a6B 2. a4W Ba7B 3. a3N *", &Options::default());
    assert_eq!(report.moves(), english.moves);
    assert!(codes(&report).contains(&"dialect"));
    let strict = Options {
        strict: true,
        ..Options::default()
    };
    let strict = of_meder("", "1. Pc3N a6B 2. a4W La7B 3. Pa3N *", &strict);
    assert_eq!(strict.status, Status::Invalid);
}
