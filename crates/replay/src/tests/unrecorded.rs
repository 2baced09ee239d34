//! A move that was not recorded is filled in if one legal move alone lets the rest be played.

use crate::collection::generate::Recipe;
use crate::finding::{Code, Finding};
use crate::{Options, Replay, replay};
use tridex_archive::{Limits, game, pgn};
use tridex_notation::{Notation, WriteOptions, write};
use tridex_rules::random::Dice;
use tridex_rules::{Position, RuleSystem};

fn read(text: &str) -> Replay {
    let games = game::collect(|v| pgn::read_games(text.as_bytes(), 0, &Limits::default(), v));
    assert_eq!(games.len(), 1, "{text}");
    replay(&games[0], &Options::default())
}

/// The tokens of a generated game, and its moves.
fn generated(rules: RuleSystem, seed: u64) -> (Vec<String>, Replay) {
    let recipe = Recipe {
        plies: 40,
        ..Recipe::new(rules, seed)
    };
    let truth = replay(&recipe.game(0), &Options::default());
    let mut position = Position::start(rules);
    let tokens = truth.moves().iter().map(|mv| {
        let mut token = String::new();
        let options = WriteOptions::default();
        write(Notation::of(rules), &position, *mv, &options, &mut token).unwrap();
        position.play_unchecked(*mv);
        token
    });
    (tokens.collect(), truth)
}

fn record(rules: RuleSystem, tokens: &[String]) -> String {
    let mut text = format!("[Variant \"{}\"]\n\n", rules.name());
    for (ply, token) in tokens.iter().enumerate() {
        if ply % 2 == 0 {
            text += &format!("{}. ", ply / 2 + 1);
        }
        text += &format!("{token} ");
    }
    text + "*\n"
}

#[test]
fn a_move_is_filled_in_if_and_only_if_no_other_lets_the_rest_be_played() {
    let mut dice = Dice::new(53);
    let (mut filled, mut open) = (0, 0);
    for rules in RuleSystem::ALL {
        for seed in 0..4 {
            let (tokens, truth) = generated(*rules, seed);
            // Two moves at least follow.
            let ply = dice.below(tokens.len() as u32 - 2) as usize;
            let sign = ["--", "???", "xxx", "illegible", "unleserlich"][dice.below(5) as usize];
            let mut holed = tokens.clone();
            holed[ply] = sign.to_owned();
            let text = record(*rules, &holed);
            let found = read(&text);
            let mut position = Position::start(*rules);
            truth.moves()[..ply].iter().for_each(|mv| {
                position.play_unchecked(*mv);
            });
            // Marks of capture and check after it are evidence too, and so is how much has to be forgiven.
            let mut fitting: Vec<usize> = Vec::new();
            for mv in position.legal_moves() {
                let mut token = String::new();
                let options = WriteOptions::default().full_pawn_captures(true);
                write(Notation::of(*rules), &position, mv, &options, &mut token).unwrap();
                let mut tried = tokens.clone();
                tried[ply] = token;
                let tried = read(&record(*rules, &tried));
                if tried.is_whole() {
                    let is_mark = |f: &&Finding| {
                        matches!(
                            f.code,
                            Code::CaptureMark
                                | Code::CheckMark
                                | Code::EnPassantMark
                                | Code::Ocr
                                | Code::Dialect
                                | Code::OtherNotation
                        )
                    };
                    fitting.push(tried.findings().iter().filter(is_mark).count());
                }
            }
            let least = fitting.iter().min().copied();
            let best = fitting.iter().filter(|marks| Some(**marks) == least);
            match best.count() {
                0 => panic!("the move that was played fits: {text}"),
                1 => {
                    filled += 1;
                    assert_eq!(found.moves(), truth.moves(), "{text}");
                    let finding = found.findings().iter().find(|f| f.code == Code::Repaired);
                    assert_eq!(finding.unwrap().token, sign);
                }
                _ => {
                    open += 1;
                    assert_eq!(found.moves(), &truth.moves()[..ply], "{text}");
                    let is_said = |f: &Finding| f.code == Code::NotRecorded;
                    assert!(found.findings().iter().any(is_said), "{text}");
                }
            }
        }
    }
    assert!(filled >= 5 && open >= 5, "{filled} filled in, {open} open");
}

#[test]
fn a_filled_move_is_noted_in_what_is_converted_and_nothing_is_filled_in_strictly() {
    let text = "[Variant \"meder\"]\n\n1. b4N b5B 2. ??? a6N 3. Nc4W {sure?} *\n";
    let found = read(text);
    assert_eq!(
        found.findings()[0].message,
        "`???` is corrected to Nb2W (not recorded; only this move fits the rest of the game)"
    );
    let games = game::collect(|v| pgn::read_games(text.as_bytes(), 0, &Limits::default(), v));
    let converted = crate::Converter::to_games(crate::OutputStyle::of(Notation::Meder))
        .convert(&games[0], &Options::default())
        .unwrap();
    let written = tridex_archive::write::movetext(&converted);
    assert!(written.contains("2. Nb2W {[%tridex repaired"), "{written}");
    let strict = Options {
        strict: true,
        ..Options::default()
    };
    assert_eq!(replay(&games[0], &strict).moves().len(), 2);
    // The last move of a record may be anything.
    assert_eq!(
        read("[Variant \"meder\"]\n\n1. b4N b5B 2. -- *\n")
            .moves()
            .len(),
        2
    );
}
