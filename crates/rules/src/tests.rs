//! Tables with their source; laws over random games are in the workspace's `tests/`.

use crate::articles::Subject;
use crate::random::{self, Dice};
use crate::{
    BoardPromotion, Color, KEY_VERSION, Move, Position, Role, RuleSystem, Setup, SetupError,
};
use std::collections::BTreeSet;
use tridex_geometry::stair::{AttackBoard, Layout, attack_board};
use tridex_geometry::{Family, Square, Wing};

/// Numbers of an independent implementation of the same rulings.
const PERFT: [(RuleSystem, &[u64]); 5] = [
    (RuleSystem::Meder, &[1, 20, 400, 9_128, 207_888]),
    (RuleSystem::Manual, &[1, 18, 324, 7_640, 177_376]),
    (RuleSystem::Federation, &[1, 20, 400, 10_079, 249_519]),
    (RuleSystem::Millennium, &[1, 100, 9_992, 1_061_917]),
    (RuleSystem::Chess3, &[1, 76, 5_768, 477_120]),
];

#[test]
fn perft_from_the_start() {
    for (rules, counts) in PERFT {
        let start = Position::start(rules);
        for (depth, count) in (0..).zip(counts) {
            assert_eq!(start.perft(depth), *count, "{} {depth}", rules.name());
        }
    }
}

#[test]
fn keys_never_change() {
    let keys = RuleSystem::ALL
        .iter()
        .map(|rules| format!("{:016x}", Position::start(*rules).key()))
        .collect::<Vec<_>>();
    // A changed number here re-keys every collection in the world: it is a new `KEY_VERSION`.
    let pinned = [
        "dc2f5192cd92a856",
        "2b1e4e40e6c76384",
        "1375ac8a3b7d2b64",
        "c9454cb8262d374d",
        "c9454cb8262d374d",
    ];
    assert_eq!((KEY_VERSION, keys), (2, pinned.map(String::from).to_vec()));
}

#[test]
fn a_setup_of_the_other_family_is_refused() {
    for (rules, other) in [
        (RuleSystem::Meder, RuleSystem::Millennium),
        (RuleSystem::Chess3, RuleSystem::Manual),
    ] {
        assert_eq!(
            Position::from_setup(rules, &other.start()),
            Err(SetupError::WrongFamily)
        );
    }
}

#[test]
fn every_start_survives_the_way_through_a_setup() {
    for rules in RuleSystem::ALL {
        let start = Position::start(*rules);
        assert_eq!(start.to_setup(), rules.start());
        assert_eq!(Position::from_setup(*rules, &start.to_setup()), Ok(start));
    }
}

/// The square in a world in which two attack boards have changed names.
fn renamed(square: Square, boards: [AttackBoard; 2]) -> Square {
    let [a, b] = boards;
    let other = match attack_board(square) {
        Some(board) if board == a => b,
        Some(board) if board == b => a,
        _ => return square,
    };
    Square::new(other.square(0, 0).index() as u8 + square.index() as u8 % 4)
}

/// The same pieces on the same places of the same pins, but two boards have changed names.
fn with_boards_renamed(setup: &Setup, boards: [AttackBoard; 2]) -> Setup {
    let layout = setup.layout.unwrap();
    let mut pins = layout.pins();
    pins.swap(boards[0] as usize, boards[1] as usize);
    let mut other = Setup::empty(Some(Layout::try_new(pins).unwrap()));
    for (square, piece) in setup.pieces() {
        other.set_piece(renamed(square, boards), Some(piece));
    }
    other.turn = setup.turn;
    other.castling = setup.castling;
    other.en_passant = setup.en_passant.map(|square| renamed(square, boards));
    // A pawn on a board that is not at home has no double step to lose, and none is listed.
    other.moved = setup
        .moved
        .into_iter()
        .filter(|square| renamed(*square, boards) == *square)
        .collect();
    (other.halfmoves, other.fullmoves) = (setup.halfmoves, setup.fullmoves);
    other
}

fn renamed_move(m: Move, boards: [AttackBoard; 2]) -> Move {
    let at = |square| renamed(square, boards);
    match m {
        Move::Piece {
            from,
            to,
            promotion,
        } => Move::Piece {
            from: at(from),
            to: at(to),
            promotion,
        },
        Move::EnPassant {
            from,
            to,
            promotion,
        } => Move::EnPassant {
            from: at(from),
            to: at(to),
            promotion,
        },
        Move::Castle(_) | Move::Pass => m,
        Move::Board {
            board,
            to,
            turned,
            promotion,
        } => Move::Board {
            board: match boards {
                [a, b] if board == a => b,
                [a, b] if board == b => a,
                _ => board,
            },
            to,
            turned,
            promotion: promotion.map(|p| BoardPromotion {
                square: at(p.square),
                ..p
            }),
        },
    }
}

/// Ruling same-position (Meder 9.2, Starfleet manual 11.6): whose board is on a pin is compared, never which of that
/// owner's two. The positions are the same, have the same moves, and stay the same after every move; with boards of two
/// owners they are not.
#[test]
fn which_of_a_players_two_boards_is_on_a_pin_makes_no_difference() {
    for rules in RuleSystem::ALL
        .iter()
        .filter(|rules| rules.family() == Family::Stair)
    {
        let mut compared = 0;
        for index in 0..30 {
            let mut position = Position::start(*rules);
            for m in random::game(*rules, &mut Dice::nth(77, index), 120) {
                position.play_unchecked(m);
                let setup = position.to_setup();
                for white in [true, false] {
                    let boards = [Wing::Queen, Wing::King].map(|wing| AttackBoard::of(white, wing));
                    let renamed_setup = with_boards_renamed(&setup, boards);
                    // A right to castle or a double step belongs to a board at home, and to no other.
                    let Ok(other) = Position::from_setup(*rules, &renamed_setup) else {
                        continue;
                    };
                    let steps = |p: &Position, boards: [AttackBoard; 2]| {
                        let start = rules.start();
                        boards.into_iter().any(|board| {
                            p.layout().unwrap().pin(board) == start.layout.unwrap().pin(board)
                                && board.squares().into_iter().any(|square| {
                                    p.piece_at(square).is_some()
                                        && p.piece_at(square) == start.piece(square)
                                        && !p.to_setup().moved.contains(square)
                                })
                        })
                    };
                    if steps(&position, boards) || steps(&other, boards) {
                        continue;
                    }
                    compared += 1;
                    assert!(position.is_same(&other), "{position:?} {other:?}");
                    assert_eq!(position.key(), other.key(), "{position:?} {other:?}");
                    assert_eq!(position.placement_key(), other.placement_key());
                    assert!(position.placement().is_same(&other.placement()));
                    assert!(position != other, "they are not equal in everything");
                    let mut moves: Vec<_> = position.legal_moves();
                    let mut others: Vec<_> = other
                        .legal_moves()
                        .into_iter()
                        .map(|m| renamed_move(m, boards))
                        .collect();
                    moves.sort();
                    others.sort();
                    assert_eq!(moves, others);
                    for m in moves.into_iter().step_by(5) {
                        let (mut a, mut b) = (position.clone(), other.clone());
                        a.play(m).unwrap();
                        b.play(renamed_move(m, boards)).unwrap();
                        assert!(a.is_same(&b) && a.key() == b.key(), "{m:?} {position:?}");
                    }
                }
                let boards = [AttackBoard::WhiteQueen, AttackBoard::BlackQueen];
                if let Ok(other) =
                    Position::from_setup(*rules, &with_boards_renamed(&setup, boards))
                {
                    assert!(!position.is_same(&other), "{position:?}");
                    assert_ne!(position.key(), other.key());
                }
            }
        }
        assert!(compared > 50, "{rules:?}: {compared}");
    }
}

/// Ruling first-move-castling (Meder 3.5(a)(ii)(1)[a]): "not as the first move" speaks of a game from the start
/// position.
#[test]
fn only_a_game_from_the_start_has_a_first_move() {
    use crate::{CastlingFault, CastlingSide::King, MoveFault};
    let fault = |position: &Position| position.explain(Move::Castle(King)).map(|why| why.fault);
    let first_move = Some(MoveFault::Castling {
        fault: CastlingFault::FirstMove,
    });
    let start = Position::start(RuleSystem::Meder);
    assert_eq!(fault(&start), first_move);
    for m in start.legal_moves() {
        // Black's first move, whether the position was played to or read.
        let mut played = start.clone();
        played.play_unchecked(m);
        let read = Position::from_setup(RuleSystem::Meder, &played.to_setup()).unwrap();
        assert!(read == played);
        for position in [read, played] {
            assert_eq!(position.turn(), Color::Black);
            assert_eq!(fault(&position), first_move, "{m:?}");
        }
    }
    // Set up otherwise, castling is possible at once, with any move number.
    let mut setup = RuleSystem::Meder.start();
    let knight = setup.pieces().find(|(_, p)| p.letter() == 'N').unwrap().0;
    setup.set_piece(knight, None);
    for fullmoves in [1, 2, 30] {
        for turn in Color::ALL {
            setup.turn = turn;
            setup.fullmoves = fullmoves;
            let mut position = Position::from_setup(RuleSystem::Meder, &setup).unwrap();
            assert_eq!(
                position.play(Move::Castle(King)),
                Ok(()),
                "{turn} {fullmoves}"
            );
        }
    }
}

#[test]
fn every_system_states_its_own_facts() {
    let mut names = BTreeSet::new();
    let mut numbers = BTreeSet::new();
    for rules in RuleSystem::ALL {
        let facts = rules.facts();
        assert!(names.insert(facts.name), "two systems named {}", facts.name);
        for alias in facts.aliases {
            assert!(names.insert(alias), "two systems named {alias}");
        }
        assert!(
            facts.number < 7 && numbers.insert(facts.number),
            "{}",
            facts.name
        );
        for text in [facts.notation, facts.source, facts.summary] {
            assert!(!text.is_empty(), "{}", facts.name);
        }
        assert_eq!(facts.home.is_some(), facts.family == Family::Stair);
        for role in Role::ALL {
            let article = (facts.article)(Subject::Piece(role));
            assert!(!article.is_empty(), "{} {role:?}", facts.name);
        }
    }
}
