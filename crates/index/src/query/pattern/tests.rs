use super::*;
use crate::query::material;
use crate::query::parsing::{self, MAX_LENGTH, MAX_NESTING};
use crate::testing::{Dice, random_game};
use tridex_geometry::Family;
use tridex_geometry::stair::{Board as StairBoard, board as board_of};
use tridex_grammar::examples::{self, takes};
use tridex_notation::{Notation, names};
use tridex_rules::RuleSystem;

#[test]
fn the_grammar_and_its_functions_agree() {
    examples::check::<str>(
        include_str!("../../../../../grammars/pattern.ebnf"),
        &[
            ("pattern", |t| Pattern::parse(t).is_ok()),
            ("all_of", |t| takes(t, parser::all_of(0))),
            ("factor", |t| takes(t, parser::factor(0))),
            ("test", |t| takes(t, parser::test)),
            ("state", |t| takes(t, parser::state)),
            ("turn", |t| takes(t, parser::turn)),
            ("ply", |t| takes(t, parser::ply)),
            ("bishops", |t| takes(t, parser::bishops)),
            ("balance", |t| takes(t, parser::balance)),
            ("pinned", |t| takes(t, parser::pinned)),
            ("pawns", |t| takes(t, parser::pawns)),
            ("board_on", |t| takes(t, parser::board_on)),
            ("attacks", |t| takes(t, parser::attacks)),
            ("attackers", |t| takes(t, parser::attackers)),
            ("line", |t| takes(t, parser::line)),
            ("shade", |t| takes(t, parser::shade)),
            ("whole_file", |t| takes(t, parser::whole_file)),
            ("whole_rank", |t| takes(t, parser::whole_rank)),
            ("count", |t| takes(t, parser::count)),
            ("what", |t| takes(t, parser::what)),
            ("comparison_sign", |t| takes(t, parser::comparison_sign)),
            ("comparison", |t| takes(t, parser::comparison)),
            ("range", |t| takes(t, parsing::range)),
            ("number", |t| takes(t, parsing::number)),
            ("place", |t| takes(t, parser::place)),
            ("manual_square", |t| takes(t, parser::manual_square)),
            ("meder_square", |t| takes(t, parser::meder_square)),
            ("cube_square", |t| takes(t, parser::cube_square)),
            ("column", |t| takes(t, parser::column)),
            ("pin", |t| takes(t, parser::pin)),
            ("meder_pin", |t| takes(t, parser::meder_pin)),
            ("board", |t| takes(t, parser::board)),
            ("attack_board", |t| takes(t, parser::attack_board)),
            ("material", |t| takes(t, material::material)),
            ("side", |t| takes(t, material::side)),
            ("amount", |t| takes(t, material::amount)),
        ],
    );
}

/// Positions of random games, with their plies.
fn positions(rules: RuleSystem, seed: u64) -> Vec<(Position, u32)> {
    let mut dice = Dice::new(seed);
    let mut all = Vec::new();
    for _ in 0..3 {
        let mut position = Position::start(rules);
        all.push((position.clone(), 0));
        for (ply, m) in (1..).zip(random_game(rules, 120, &mut dice)) {
            position.play_unchecked(m);
            all.push((position.clone(), ply));
        }
    }
    all
}

#[test]
fn every_name_of_a_square_finds_the_piece_on_it_and_no_other_square() {
    for rules in RuleSystem::ALL {
        for (position, ply) in positions(*rules, 3).into_iter().step_by(17) {
            let matches = |text: String| {
                let pattern = Pattern::parse(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
                pattern.matches(&position, ply)
            };
            let setup = position.to_setup();
            let layout = position.layout();
            for i in 0..rules.family().squares() {
                let square = Square::new(i as u8);
                let held = setup.piece(square);
                let letter = held.map_or('_', |piece| piece.letter());
                let other = if letter == 'K' { 'k' } else { 'K' };
                for notation in Notation::ALL {
                    if notation.family() != rules.family() {
                        continue;
                    }
                    let name = names::square(notation, layout, square);
                    assert!(matches(format!("{letter}@{name}")), "{letter}@{name}");
                    assert!(!matches(format!("{other}@{name}")), "{other}@{name}");
                }
                if let (Some(layout), Some(piece)) = (layout, held) {
                    let letter = piece.letter();
                    let column = layout.column(square);
                    let meder = names::square(Notation::Meder, Some(layout), square);
                    assert!(matches(format!("{letter}@{}", &meder[..2])));
                    let manual = names::square(Notation::Manual, Some(layout), square);
                    let (place, board) = manual.split_once(',').unwrap();
                    assert!(matches(format!("{letter}@{place},*")), "{column:?}");
                    assert!(matches(format!("{letter}@{board}")));
                    if let StairBoard::Attack(attack) = board_of(square) {
                        for notation in [Notation::Meder, Notation::Manual] {
                            let pin = names::pin(notation, layout.pin(attack));
                            assert!(matches(format!("{letter}@{pin}")));
                            assert!(matches(format!("{board}@{pin}")));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn counts_and_states_are_those_of_the_position() {
    for rules in RuleSystem::ALL {
        for (position, ply) in positions(*rules, 5) {
            let matches = |text: &str| Pattern::parse(text).unwrap().matches(&position, ply);
            assert_eq!(matches("check"), position.is_check());
            assert_eq!(matches("mate"), position.is_checkmate());
            assert_eq!(matches("white to move"), position.turn() == Color::White);
            assert_eq!(matches("ply 10..40"), (10..=40).contains(&ply));
            let pawns = position.pieces(Color::Black, Role::Pawn).count();
            assert_eq!(matches("p>=3"), pawns >= 3);
            assert_eq!(matches("p!=8 and not p=7"), pawns != 8 && pawns != 7);
            let all = position.occupied().count();
            assert!(matches(&format!("*={all} and A<={all} and a>0")));
            let empty = rules.family().squares() as u32 - all;
            assert!(matches(&format!("_={empty}")));
            let boards = ["QL", "KL", "ql", "kl", "W", "N", "B", "1", "2", "3"];
            let none = boards.map(|b| format!("*@{b}=0")).join(" and ");
            assert!(!matches(&none), "a piece is on some board");
        }
    }
}

#[test]
fn a_mirrored_or_swapped_pattern_matches_the_mirrored_or_swapped_position() {
    let texts = [
        "N@c6B",
        "n@c6",
        "K@QL1",
        "r@KP12",
        "P@ql",
        "p@W>=2",
        "ql@Q4",
        "KL@KP2",
        "b@1e4",
        "B@e4",
        "q@3",
        "R@d0KL1",
        "k@f10,kl",
        "N@b4,WB",
        "white to move and not p>=3",
        "_@a1W or check",
        "z0QL1",
        "P@rank 4 on W",
        "p@file c on kl",
        "n@rank 7 on 3",
        "B@light and not b@dark",
        "same bishops or opposite bishops",
        "balance >= 2",
        "balance = 0 or pinned(n)",
        "pinned(A)>=2",
        "passed(P) and not passed(p)",
        "doubled(p)>=3 or isolated(P)",
    ];
    for text in texts {
        let Ok(pattern) = Pattern::parse(text) else {
            continue;
        };
        assert_eq!(
            pattern.seen(Symmetry::Mirror).seen(Symmetry::Mirror),
            pattern,
            "{text}"
        );
        assert_eq!(
            pattern.seen(Symmetry::Swap).seen(Symmetry::Swap),
            pattern,
            "{text}"
        );
        assert_eq!(
            pattern.seen(Symmetry::Mirror).seen(Symmetry::Swap),
            pattern.seen(Symmetry::Swap).seen(Symmetry::Mirror),
            "{text}"
        );
    }
    // As it is read under the manual's rules, and under all others.
    let swapped = |a: &str, manual: &str, others: &str| {
        for rules in RuleSystem::ALL {
            let b = match rules {
                RuleSystem::Manual => manual,
                _ => others,
            };
            let ready = |pattern: Pattern| pattern.0.map(&|atom| atom.ready(*rules));
            assert_eq!(
                ready(Pattern::parse(a).unwrap().seen(Symmetry::Swap)),
                ready(Pattern::parse(b).unwrap()),
                "{a} under {}",
                rules.name()
            );
        }
    };
    swapped("N@c6B", "n@c3W", "n@c3W");
    swapped("K@d0KL1", "k@d9KL6v", "k@d9KL6");
    swapped("K@d0KL1v", "k@d9KL6", "k@d9KL6v");
    swapped("ql@Q4", "QL@Q3v", "QL@Q3");
    swapped("ql@QP8", "QL@QP5", "QL@QP6");
    swapped("p@QL and _@KP12=0", "P@ql and _@KP1=0", "P@ql and _@KP2=0");
    swapped(
        "p@1e4 and white to move",
        "P@3e5 and black to move",
        "P@3e5 and black to move",
    );
    let mirrored = |a: &str, b: &str| {
        assert_eq!(
            Pattern::parse(a).unwrap().seen(Symmetry::Mirror),
            Pattern::parse(b).unwrap(),
            "{a}"
        );
    };
    mirrored("N@c6B", "N@b6B");
    mirrored("K@d0KL1", "K@a0QL1");
    mirrored("ql@Q4", "kl@K4");
    mirrored("N@H8", "N@A8");
    // What one player sees in the start position the other sees too.
    for rules in [
        RuleSystem::Meder,
        RuleSystem::Manual,
        RuleSystem::Millennium,
    ] {
        let start = Position::start(rules);
        for text in [
            "K@d0KL1 and R@z0QL1",
            "QL@Q1v and R@z0QL1v",
            "Q@1d1 and N@b1",
        ] {
            let pattern = Pattern::parse(text).unwrap();
            assert_eq!(
                pattern.matches(&start, 0),
                pattern.seen(Symmetry::Swap).matches(&start, 0)
            );
        }
    }
}

#[test]
fn a_place_of_the_other_family_is_nowhere() {
    let stair = Position::start(RuleSystem::Meder);
    let cube = Position::start(RuleSystem::Chess3);
    for text in ["_@1e4", "*@3", "*@h8", "*@E2"] {
        let pattern = Pattern::parse(text).unwrap();
        assert!(!pattern.matches(&stair, 0), "{text}");
        assert!(pattern.matches(&cube, 0), "{text}");
    }
    for text in ["_@c6B", "*@ql", "*@z0", "QL@Q1 or QL@Q1v", "*@a1,*"] {
        let pattern = Pattern::parse(text).unwrap();
        assert!(pattern.matches(&stair, 0), "{text}");
        assert!(!pattern.matches(&cube, 0), "{text}");
    }
    assert_eq!(stair.family(), Family::Stair);
}

#[test]
fn the_manuals_pin_numbers_mean_the_upper_pin_where_there_are_no_others() {
    let meder = Position::start(RuleSystem::Meder);
    let manual = Position::start(RuleSystem::Manual);
    let matches = |text: &str, position| Pattern::parse(text).unwrap().matches(position, 0);
    assert!(matches("QL@QP1", &meder) && matches("QL@QP2", &meder));
    assert!(matches("QL@QP1", &manual) && !matches("QL@QP2", &manual));
    assert!(matches("QL@Q1", &meder) && !matches("QL@Q1v", &meder));
    assert!(matches("QL@Q1v", &manual) && !matches("QL@Q1", &manual));
}

#[test]
fn faults_are_told_with_their_place() {
    for (text, offset) in [
        ("", 0),
        ("N@c6B and", 9),
        ("N@c6B xor check", 6),
        ("N@f9", 2),
        ("N@c9B", 2),
        ("(check", 6),
        ("Q>x", 2),
        ("ql@Q9", 3),
        ("white to go", 9),
        ("ply 9..3", 4),
    ] {
        let error = Pattern::parse(text).unwrap_err();
        assert_eq!(error.span.start, offset, "{text}: {error}");
    }
}

#[test]
fn long_and_deep_patterns_are_refused() {
    let deep = |n: usize| format!("{}check{}", "(".repeat(n), ")".repeat(n));
    assert!(Pattern::parse(&deep(MAX_NESTING)).is_ok());
    assert!(Pattern::parse(&deep(MAX_NESTING + 1)).is_err());
    for before in ["check and ", "check or ", "check and check or check and "] {
        let text = format!("{before}(").repeat(MAX_NESTING) + "check" + &")".repeat(MAX_NESTING);
        assert!(Pattern::parse(&text).is_ok(), "{text}");
    }
    assert!(Pattern::parse(&"not ".repeat(MAX_LENGTH / 4 - 2)).is_err());
    assert!(Pattern::parse(&"(".repeat(20_000)).is_err());
    assert!(Pattern::parse(&vec!["check"; 400].join(" or ")).is_ok());
    assert!(Pattern::parse(&vec!["check"; 500].join(" or ")).is_err());
}

#[test]
fn no_text_makes_a_reader_panic() {
    let texts = [
        "N@c6B and not (k@ql or p>=3) and ply 10..40",
        "ql@Q4 or KL@QP12 and white to move",
        "_@b4,NB=1 or A@1e4 and *@d0KL1 != 2",
        "KQR2:KRP1..3 for 10",
    ];
    let strange = [
        "(",
        ")",
        "@",
        "é",
        "\u{0}",
        "..",
        "99999999999",
        "not",
        "\"",
        ",",
        "♞",
    ];
    let mut dice = Dice::new(77);
    for _ in 0..20_000 {
        let mut text: Vec<char> = texts[dice.roll(texts.len())].chars().collect();
        for _ in 0..1 + dice.roll(4) {
            let at = dice.roll(text.len() + 1);
            match dice.roll(3) {
                0 => text.truncate(at),
                1 => {
                    text.splice(at..at, strange[dice.roll(strange.len())].chars());
                }
                _ => {
                    text.splice(at.min(text.len())..(at + 2).min(text.len()), []);
                }
            }
        }
        let text: String = text.into_iter().collect();
        for offset in [
            Pattern::parse(&text).err().map(|e| e.span.start),
            crate::Material::parse(&text).err().map(|e| e.span.start),
            crate::Query::parse(&text).err().map(|e| e.span.start),
            crate::Query::parse(&format!("x pattern:\"{text}\""))
                .err()
                .map(|e| e.span.start),
        ] {
            assert!(
                offset.is_none_or(|offset| offset <= text.len() + 13),
                "{text:?}"
            );
        }
    }
}
