mod oracle;

use super::parser::{self, ONE_PLY, Sequences};
use super::run::SequenceMatcher;
use super::tokens;
use super::*;
use crate::model::board_trail::Observer;
use crate::model::entry::{GameEntry, Variation};
use crate::model::game_bytes::{self, GameBytes};
use crate::model::signature::Signature;
use crate::model::systems;
use crate::query::parsing::{MAX_LENGTH, MAX_NESTING};
use crate::testing::{Dice, random_game};
use tridex_grammar::examples::{self, takes};
use tridex_notation::position_string;
use tridex_rules::{Move, Position, RuleSystem};

#[test]
fn the_grammar_and_its_functions_agree() {
    /// The language in which the name `x` is known.
    const KNOWN: Sequences<'_> = Sequences {
        names: &["x"],
        depth: 0,
    };
    examples::check::<str>(
        include_str!("../../../../../grammars/sequence.ebnf"),
        &[
            ("sequence", |t| Sequence::parse(t).is_ok()),
            ("chain", |t| takes(t, |t| KNOWN.chain(t))),
            ("link", |t| takes(t, parser::link)),
            ("guarded", |t| takes(t, |t| KNOWN.guarded(t))),
            ("part", |t| takes(t, |t| KNOWN.part(t))),
            ("times", |t| takes(t, parser::times)),
            ("conjunction", |t| takes(t, |t| KNOWN.conjunction(t))),
            ("factor", |t| takes(t, |t| KNOWN.factor(t))),
            ("pattern", |t| takes(t, parser::pattern)),
            ("material", |t| takes(t, parser::material)),
            ("description", |t| takes(t, |t| KNOWN.description(t))),
            ("color", |t| takes(t, tokens::color)),
            ("subject", |t| takes(t, |t| KNOWN.subject(t))),
            ("who", |t| takes(t, |t| KNOWN.who(t))),
            ("piece", |t| takes(t, |t| KNOWN.piece(t))),
            ("name", |t| takes(t, tokens::name)),
            ("role", |t| takes(t, tokens::role)),
            ("detail", |t| {
                let board = ["carries", "empty", "turns"];
                let subject = match board.iter().any(|word| t.starts_with(word)) {
                    true => Subject::Board(None),
                    false => Subject::Any,
                };
                takes(t, |t| KNOWN.detail(t, &subject))
            }),
            ("spot", |t| takes(t, tokens::spot)),
            ("file", |t| takes(t, tokens::file)),
            ("rank", |t| takes(t, tokens::rank)),
            ("written", |t| takes(t, tokens::written)),
        ],
    );
}

/// The faults of `tests/data/sequence_faults.txt`: see there.
#[test]
fn messages_name_the_place_and_what_is_expected_there() {
    let lines = include_str!("../../../../../tests/data/sequence_faults.txt").lines();
    let mut wrong = String::new();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (text, message) = line.split_once(" | ").unwrap();
        let fault = Sequence::parse(text).expect_err(text);
        let found = format!("{} {}", fault.span.start, fault.expectation());
        if found != message {
            wrong.push_str(&format!("{text} | {found}\n"));
        }
    }
    assert!(wrong.is_empty(), "found:\n{wrong}");
}

#[test]
fn long_deep_and_wide_sequences_are_refused() {
    let deep = |n: usize| format!("{}check{}", "(".repeat(n), ")".repeat(n));
    assert!(Sequence::parse(&deep(MAX_NESTING)).is_ok());
    assert!(Sequence::parse(&deep(MAX_NESTING + 1)).is_err());
    for before in [
        "check and ",
        "check or ",
        "check then ",
        "check until ",
        "check or check then not check before check and check and ",
    ] {
        let text = format!("{before}(").repeat(MAX_NESTING) + "check" + &")".repeat(MAX_NESTING);
        let read = Sequence::parse(&text).map(|_| ());
        let is_read = match &read {
            Ok(()) => true,
            Err(fault) => fault.expected.starts_with("fewer tests") || fault.expected == ONE_PLY,
        };
        assert!(is_read, "{text}: {read:?}");
    }
    assert!(Sequence::parse(&"(".repeat(MAX_LENGTH)).is_err());
    assert!(Sequence::parse(&"not ".repeat(MAX_LENGTH / 4 - 2)).is_err());
    assert!(Sequence::parse(&"pattern(".repeat(500)).is_err());
    let steps = |n: usize| vec!["check"; n].join(" then ");
    assert!(Sequence::parse(&steps(MAX_STEPS)).is_ok());
    assert!(Sequence::parse(&steps(MAX_STEPS + 1)).is_err());
    let fault = Sequence::parse("((check 60000 times) 60000 times) 60000 times").unwrap_err();
    assert_eq!(fault.span.start, 0);
    let named = |n: usize| format!("N as x then B as y then {} then x takes y", steps(n));
    assert!(Sequence::parse(&named(MAX_NAMED_STEPS - 3)).is_ok());
    assert!(Sequence::parse(&named(MAX_NAMED_STEPS)).is_err());
    assert!(Sequence::parse("N as x then N as y then N as z then x takes").is_err());
}

#[test]
fn hostile_sequences_take_little_time_and_memory() {
    let or = |n: usize| vec!["(move or move)"; n].join(" and ");
    let texts = [
        or(100),
        format!("({}) 32 times", or(100)),
        "(piece as x) 31 times then check and mate and x".to_owned(),
        "piece as x then piece as y then (piece as x then piece as y) 4 times then x takes y and takes x"
            .to_owned(),
        "(move next move) 15 times in a row then mate".to_owned(),
        format!("{} then mate and not mate", ["(not mate until move or move)"; 8].join(" then ")),
    ];
    for text in texts {
        let sequence = Sequence::parse(&text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        let search = SequenceMatcher::new(&sequence);
        for rules in RuleSystem::ALL {
            let moves = random_game(*rules, 50, &mut Dice::new(8));
            let game = Packed::of(&Position::start(*rules), &moves, &[]);
            search.plies(&game.bytes(), false).unwrap();
        }
    }
}

#[test]
fn no_text_makes_the_reader_panic() {
    let texts = [
        "white QL then within 20 plies white 0-0-0 or N takes Q next check 3 times in a row",
        "board carries black P as x then not (x or check) before x takes N from c6B to rank 7",
        "pattern(N@c6B and (Q=0)) until material(KQ:KR) then kl from Q4 to Q5 empty turns mate",
    ];
    let strange = [
        "(",
        ")",
        "é",
        "\u{0}",
        "99999999999",
        "not",
        "as",
        " x ",
        "♞",
        "until",
        "0-0",
    ];
    let mut dice = Dice::new(78);
    for _ in 0..5_000 {
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
        if let Err(fault) = Sequence::parse(&text) {
            assert!(text.is_char_boundary(fault.span.start), "{text:?}");
        }
    }
}

#[test]
fn mirrored_and_swapped_sequences_are_read_from_mirrored_and_swapped_texts() {
    // What a pin means from the other side depends on the rules; its name is that under most.
    let named = |sequence: &Sequence| {
        format!("{sequence:?}").replace("is_turned: true", "is_turned: false")
    };
    let same =
        |a: Sequence, b: &str| assert_eq!(named(&a), named(&Sequence::parse(b).unwrap()), "{b}");
    let read = |text| Sequence::parse(text).unwrap();
    same(
        read("white QL from Q1 to Q3 then black 0-0-0 and pattern(N@c6B)").seen(Symmetry::Mirror),
        "white KL from K1 to K3 then black 0-0 and pattern(N@b6B)",
    );
    same(
        read("white QL from Q1 to Q3 then black 0-0-0 and pattern(N@c6B)").seen(Symmetry::Swap),
        "black ql from Q6 to Q4 then white 0-0-0 and pattern(n@c3W)",
    );
    same(
        read("not P to rank 2 before N takes black Q to rank 8 then material(KQ:KR)")
            .seen(Symmetry::Mirror),
        "not P to rank 2 before N takes black Q to rank 8 then material(KQ:KR)",
    );
    same(
        read("not P from c6 before N takes black Q to 3H8 then material(KQ:KR)")
            .seen(Symmetry::Swap),
        "not P from c3 before N takes white Q to 1H1 then material(KR:KQ)",
    );
    for text in [
        "Nxc6B then b3,WB-b5,NB next QL3 or 1e4 then 1B2x1C3",
        "(piece as x then x takes to rank 3) 3 times until mate",
    ] {
        if let Ok(sequence) = Sequence::parse(text) {
            assert_eq!(
                sequence.seen(Symmetry::Mirror).seen(Symmetry::Mirror),
                sequence,
                "{text}"
            );
            assert_eq!(
                sequence.seen(Symmetry::Swap).seen(Symmetry::Swap),
                sequence,
                "{text}"
            );
        }
    }
}

/// A game as the index stores it.
struct Packed(Vec<u8>);

impl Packed {
    fn of(start: &Position, moves: &[Move], variations: &[Variation]) -> Self {
        let rules = start.rules();
        let is_own = start.key() != Position::start(rules).key();
        let setup = is_own.then(|| start.to_setup());
        let mut game = GameEntry::new(1, rules, moves.to_vec());
        game.variations = variations.to_vec();
        let (code, board) = (systems::code(rules), start.placement());
        let written = game_bytes::write(code, &board, setup.as_ref(), &game, |_, _| {}, |_| {});
        Self(written.unwrap().0)
    }

    fn bytes(&self) -> GameBytes<'_> {
        GameBytes::read(&self.0).unwrap()
    }
}

/// The examples of `tests/data/sequences.txt`: see there.
#[test]
fn examples_match_at_their_plies() {
    let mut game: Option<(Position, Vec<Move>)> = None;
    let (mut count, mut faults) = (0, String::new());
    for line in include_str!("../../../../../tests/data/sequences.txt").lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some((start, moves)) = line.split_once(": ") {
            let (rules, setup) = start.split_once(' ').unwrap_or((start, ""));
            let rules = RuleSystem::from_name(rules).unwrap();
            let start = match setup {
                "" => Position::start(rules),
                setup => {
                    let setup = position_string::parse(setup).unwrap();
                    Position::from_setup(rules, &setup).unwrap()
                }
            };
            let moves = tridex_notation::read_moves(&start, moves);
            game = Some((
                start,
                moves.unwrap_or_else(|fault| panic!("{line}: {fault:?}")),
            ));
            continue;
        }
        let (text, expected) = line.split_once(" | ").unwrap();
        let (text, expected) = (text.trim_end(), expected.trim());
        let sequence = Sequence::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        let (start, moves) = game.clone().unwrap();
        let packed = Packed::of(&start, &moves, &[]);
        let search = SequenceMatcher::new(&sequence);
        let found = search.plies(&packed.bytes(), false).unwrap();
        let shown = |plies: Vec<u32>| match plies.is_empty() {
            true => "none".to_owned(),
            false => plies
                .iter()
                .map(u32::to_string)
                .collect::<Vec<_>>()
                .join(" "),
        };
        let found = shown(found.into_iter().map(|(_, ply)| ply).collect());
        let mut fault = |found: String, who: &str| {
            if found != expected {
                faults.push_str(&format!("{text} | {expected}: {who} finds {found}\n"));
            }
        };
        fault(found, "the automaton");
        let slow = oracle::first(&sequence.0, &start, &moves);
        fault(shown(slow), "the oracle");
        count += 1;
    }
    assert!(faults.is_empty(), "{faults}");
    assert!(count >= 150, "{count} examples");
}

/// A random sequence of few words, with names where `names` is set.
fn random_sequence(rules: RuleSystem, dice: &mut Dice) -> String {
    let pick = |dice: &mut Dice, words: &[&str]| words[dice.roll(words.len())].to_owned();
    fn test(rules: RuleSystem, dice: &mut Dice, depth: usize) -> String {
        let pick = |dice: &mut Dice, words: &[&str]| words[dice.roll(words.len())].to_owned();
        if depth < 2 && dice.roll(4) == 0 {
            let (a, b) = (test(rules, dice, depth + 1), test(rules, dice, depth + 1));
            return match dice.roll(3) {
                0 => format!("({a} and {b})"),
                1 => format!("({a} or {b})"),
                _ => format!("not ({a})"),
            };
        }
        let stair = rules.start().layout.is_some();
        match dice.roll(12) {
            0 => pick(dice, &["white", "black", "move"]),
            1 => pick(
                dice,
                &[
                    "check",
                    "discovered check",
                    "takes",
                    "mate",
                    "white takes",
                    "castling",
                    "0-0",
                    "0-0-0",
                ],
            ),
            2 => pick(
                dice,
                &[
                    "pattern(check)",
                    "double check",
                    "pattern(p<8)",
                    "pattern(white to move)",
                    "pattern(ply 5..20)",
                ],
            ),
            3 => pick(
                dice,
                &[
                    "material(KQ*R*B*N*P7:KQ*R*B*N*P*)",
                    "pattern(N=1)",
                    "pattern(A@W>3)",
                ],
            ),
            4 if stair => pick(
                dice,
                &[
                    "board",
                    "white board",
                    "QL",
                    "ql",
                    "board empty",
                    "board carries",
                ],
            ),
            5 if stair => pick(
                dice,
                &[
                    "board carries P",
                    "KL from K1",
                    "board to Q4",
                    "kl turns",
                    "board carries white R",
                ],
            ),
            6 if stair => pick(
                dice,
                &[
                    "to W",
                    "N to N",
                    "P from b2",
                    "to file b",
                    "from rank 7",
                    "to c5N",
                    "b4N",
                    "Nc5N",
                ],
            ),
            4..=6 => pick(
                dice,
                &[
                    "to 2",
                    "N from 1",
                    "P to e4",
                    "to file b",
                    "from rank 7",
                    "1e4",
                    "to 2e5",
                    "1B2-1B4",
                ],
            ),
            7 => pick(
                dice,
                &[
                    "promotes",
                    "P promotes to Q",
                    "en passant",
                    "P takes",
                    "N takes P",
                ],
            ),
            _ => pick(
                dice,
                &[
                    "P", "N", "white R", "black Q", "K", "B takes", "black P", "N check",
                ],
            ),
        }
    }
    let named = dice.roll(3) == 0;
    let mut text = String::new();
    let parts = 1 + dice.roll(4);
    for i in 0..parts {
        let mut is_next = false;
        if i > 0 {
            let link = match dice.roll(8) {
                0 | 1 => "next".to_owned(),
                2 | 3 => format!("then within {} plies", 2 + dice.roll(6)),
                _ => "then".to_owned(),
            };
            is_next = link == "next";
            text.push_str(&format!(" {link} "));
        }
        if !is_next && dice.roll(6) == 0 {
            let guard = test(rules, dice, 1);
            text.push_str(&match dice.roll(2) {
                0 => format!("({guard}) until "),
                _ => format!("not ({guard}) before "),
            });
        }
        let part = match dice.roll(8) {
            0 if named && i == 0 => "(piece as x)".to_owned(),
            _ if named && i == 0 => pick(
                dice,
                &[
                    "piece as x",
                    "takes piece as x",
                    "N as x",
                    "P as x",
                    "(P as x or N as x)",
                ],
            ),
            0..=2 if named => pick(
                dice,
                &[
                    "x",
                    "x takes",
                    "takes x",
                    "(x or takes x)",
                    "not x",
                    "x as x",
                    "x takes N",
                    "piece as x",
                ],
            ),
            3 => format!(
                "({} {} {})",
                test(rules, dice, 1),
                pick(dice, &["then", "next", "or"]),
                test(rules, dice, 1)
            ),
            4 => format!(
                "({} then within 3 plies {} or {})",
                test(rules, dice, 1),
                test(rules, dice, 1),
                test(rules, dice, 1)
            ),
            5 => format!(
                "{} {} times{}",
                test(rules, dice, 1),
                2 + dice.roll(2),
                pick(dice, &["", " in a row"])
            ),
            _ => test(rules, dice, 0),
        };
        text.push_str(&part);
    }
    text
}

/// What the index knows of a game.
fn signature(start: &Position, moves: &[Move]) -> Signature {
    let mut board = start.placement();
    let mut observer = Observer::new(&board);
    let most = crate::model::signature::counts(&board);
    let mut promoted = [false; 2];
    for m in moves {
        promoted[board.turn() as usize] |= m.promotion().is_some();
        board.play(*m);
        observer.see(&board, *m);
    }
    Signature {
        words: observer.words(),
        most: [0, 1].map(|color| (!promoted[color]).then_some(most[color])),
        plies: moves.len() as u32,
    }
}

#[test]
fn the_automaton_finds_what_the_definition_says() {
    let mut dice = Dice::new(26);
    let (mut matched, mut named) = (0, 0);
    for round in 0..1_500 {
        let rules = RuleSystem::ALL[round % RuleSystem::ALL.len()];
        let moves = random_game(rules, 12 + dice.roll(24), &mut dice);
        let text = random_sequence(rules, &mut dice);
        let sequence = Sequence::parse(&text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        let sequence = match dice.roll(4) {
            0 => sequence.seen(Symmetry::Swap),
            1 => sequence.seen(Symmetry::Mirror),
            _ => sequence,
        };
        let start = Position::start(rules);
        let slow = oracle::first(&sequence.0, &start, &moves);
        let signature = signature(&start, &moves);
        let packed = Packed::of(&start, &moves, &[]);
        let search = SequenceMatcher::new(&sequence);
        let fast = search.plies(&packed.bytes(), false).unwrap();
        let fast: Vec<u32> = fast.into_iter().map(|(_, ply)| ply).collect();
        assert_eq!(fast, slow, "{} round {round}: {text}", rules.name());
        let found = search.find(&packed.bytes(), false).unwrap();
        let last = slow.last().map(|ply| (None, *ply));
        assert_eq!(found, last, "{text}");
        let may_match = search.may_match(rules, &signature);
        assert!(may_match || slow.is_empty(), "{text}");
        matched += usize::from(!slow.is_empty());
        named += usize::from(text.contains(" x") && !slow.is_empty());
    }
    assert!(
        matched > 300 && named > 50,
        "{matched} matched, {named} with names"
    );
}

#[test]
fn variations_are_searched_after_the_main_line_with_the_moves_that_lead_to_them() {
    let start = Position::start(RuleSystem::Meder);
    let moves = |text: &str| crate::read_moves(RuleSystem::Meder, text).unwrap();
    let main = moves("b4N b5B c3W a6N Nc2W c6B");
    let line = |text: &str, parent, ply: u32| {
        let all = moves(text);
        Variation {
            parent,
            ply,
            moves: all[ply as usize..].to_vec(),
        }
    };
    let variations = [
        line("b4N b5B Nc3N d6B Nd5B", None, 2),
        line("b4N b5B Nc3N d6B a3N d5B", Some(0), 4),
    ];
    let game = Packed::of(&start, &main, &variations);
    let plies = |text, variations| {
        let search = SequenceMatcher::new(&Sequence::parse(text).unwrap());
        let plies = search.plies(&game.bytes(), variations).unwrap();
        let found = search.find(&game.bytes(), variations).unwrap();
        assert_eq!(found.is_none(), plies.is_empty(), "{text}");
        plies
    };
    let main = |ply| (None, ply);
    assert_eq!(plies("white N", false), [main(5)]);
    assert_eq!(plies("b4N then white N", true), [main(1), main(5)]);
    assert_eq!(plies("N 2 times", false), []);
    // The first move is of the main line.
    assert_eq!(
        plies("b5B then N 2 times", true),
        [main(2), (Some(0), 3), (Some(0), 5)]
    );
    assert_eq!(
        plies("N next d6B next a3N", true),
        [(Some(0), 3), (Some(0), 4), (Some(1), 5)]
    );
    assert_eq!(plies("c3W then d5B", true), []);
}
