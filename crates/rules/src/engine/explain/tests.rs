//! The law of explanations: there is one exactly where the move is illegal, and what it claims is true. Checked on
//! positions of random games, for every pair of squares, every castling and every move of every board.

use crate::random::Dice;
use crate::{
    BoardPromotion, Castling, CastlingFault, CastlingSide, Color, Explanation, Move, MoveFault,
    Position, Role, RuleSystem,
};
use std::collections::BTreeSet;
use std::ops::ControlFlow::{Break, Continue};
use tridex_geometry::stair::{AttackBoard, Pin};
use tridex_geometry::{Family, Square, SquareSet};

/// A small generator of random numbers; the same games on every run.
struct Random(Dice);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n as u32) as usize
    }

    /// A legal move; every third time one of a board, if there is one, so that the layouts vary.
    fn pick(&mut self, moves: &[Move]) -> Option<Move> {
        if moves.is_empty() {
            return None;
        }
        let boards: Vec<_> = moves
            .iter()
            .filter(|m| matches!(m, Move::Board { .. }))
            .collect();
        if !boards.is_empty() && self.below(3) == 0 {
            return Some(*boards[self.below(boards.len())]);
        }
        Some(moves[self.below(moves.len())])
    }
}

fn squares(position: &Position) -> impl Iterator<Item = Square> + Clone {
    (0..position.family().squares()).map(|i| Square::new(i as u8))
}

/// Everything that could be tried: all pairs of squares with and without promotion, all castlings, all board moves.
fn attempts(position: &Position) -> Vec<Move> {
    let mut all = Vec::new();
    // One square beyond the stair board too.
    let targets: Vec<_> = squares(position)
        .chain(Square::try_new(position.family().squares().min(191) as u8))
        .collect();
    for from in squares(position) {
        if position.piece_at(from).is_none() && from.index() % 16 != 0 {
            continue;
        }
        for to in &targets {
            let to = *to;
            for promotion in [None, Some(Role::Queen), Some(Role::King)] {
                all.push(Move::Piece {
                    from,
                    to,
                    promotion,
                });
            }
            if from.index() % 4 == 0 || position.en_passant().is_some() {
                all.push(Move::EnPassant {
                    from,
                    to,
                    promotion: None,
                });
            }
        }
    }
    all.extend(CastlingSide::ALL.map(Move::Castle));
    for board in AttackBoard::ALL {
        let mut promotions = vec![None];
        let corners = squares(position).filter(|s| s.index() >= 32 || s.index() < 4);
        for square in corners.filter(|s| s.index() < 64) {
            if position
                .piece_at(square)
                .is_some_and(|p| p.role == Role::Pawn)
            {
                for role in [Role::Queen, Role::King] {
                    promotions.push(Some(BoardPromotion { square, role }));
                }
            }
        }
        for to in Pin::all() {
            for turned in [false, true] {
                for promotion in &promotions {
                    all.push(Move::Board {
                        board,
                        to,
                        turned,
                        promotion: *promotion,
                    });
                }
            }
        }
    }
    all
}

/// The fault once some pieces are gone, or `None` inside if the move is legal then; nothing if there is no such position.
fn without(position: &Position, gone: SquareSet<3>, m: Move) -> Option<Option<MoveFault>> {
    let mut setup = position.to_setup();
    for square in gone {
        setup.set_piece(square, None);
        setup.moved.remove(square);
    }
    setup.castling = Castling::NONE;
    if setup.en_passant.is_some_and(|square| gone.contains(square)) {
        setup.en_passant = None;
    }
    let position = Position::from_setup(position.rules(), &setup).ok()?;
    Some(position.explain(m).map(|e| e.fault))
}

fn name(fault: &MoveFault) -> String {
    let text = format!("{fault:?}");
    text.split([' ', '{', '('])
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// Checks that the fault is true.
fn check_truth(position: &Position, explanation: &Explanation, deep: bool) {
    let Explanation {
        attempt,
        fault,
        article,
    } = *explanation;
    let system = article.split(' ').next().unwrap_or_default();
    let named = system
        .trim_end_matches(',')
        .eq_ignore_ascii_case(position.rules().name());
    assert!(named, "{article}");
    let held = |square| position.piece_at(square);
    let layout = position.layout();
    let turn = position.turn();
    let context = || format!("{position:?} {attempt:?} {fault:?}");
    let departure = match attempt {
        Move::Piece { from, .. } | Move::EnPassant { from, .. } => Some(from),
        _ => None,
    };
    match fault {
        MoveFault::NoPiece { square } => assert!(held(square).is_none()),
        MoveFault::NotYours { square } => assert!(held(square).is_some_and(|p| p.color != turn)),
        MoveFault::OwnPiece { square } => assert!(held(square).is_some_and(|p| p.color == turn)),
        MoveFault::Blocked { by } => {
            assert!(held(by).is_some());
            if deep && let Some(other) = without(position, SquareSet::of(by), attempt) {
                assert_ne!(other, Some(fault), "{}", context());
            }
        }
        MoveFault::ColumnBlocked { column, by } | MoveFault::ColumnFull { column, by } => {
            let stack = layout.unwrap().stack(column);
            assert!(!by.is_empty());
            for square in by {
                assert!(held(square).is_some() && stack.contains(square));
            }
            if matches!(fault, MoveFault::ColumnFull { .. }) {
                assert_eq!(stack.count(), by.count());
            }
            if deep && let Some(other) = without(position, by, attempt) {
                assert_ne!(other, Some(fault), "{}", context());
            }
        }
        MoveFault::Gap { column } | MoveFault::KnightGap { column } => {
            assert!(layout.unwrap().stack(column).is_empty());
        }
        MoveFault::SameColumn { column } => {
            assert_eq!(layout.unwrap().column(departure.unwrap()), column);
        }
        MoveFault::TurnsBack { turn, back } => {
            let layout = layout.unwrap();
            let Move::Piece { from, to, .. } = attempt else {
                panic!("{}", context());
            };
            assert!(held(turn).is_none() && (back == to || held(back).is_none()));
            assert_ne!(layout.tier(turn), layout.tier(back));
            assert_ne!(turn, from);
        }
        MoveFault::TakesOnTier { square, adjacent } => {
            assert!(held(square).is_some_and(|p| p.color != turn));
            let layout = layout.unwrap();
            if adjacent {
                assert_ne!(layout.tier(departure.unwrap()), layout.tier(square));
            }
        }
        MoveFault::PawnTakesAhead { square } => assert!(held(square).is_some()),
        MoveFault::NothingToTake { square } => assert!(held(square).is_none()),
        MoveFault::OnlyEnPassant { victim } => {
            assert!(held(victim).is_some_and(|p| p.role == Role::Pawn && p.color != turn));
            let Move::Piece { from, to, .. } = attempt else {
                panic!("{}", context());
            };
            let passing = position.explain(Move::EnPassant {
                from,
                to,
                promotion: None,
            });
            let safe = passing.is_none_or(|e| matches!(e.fault, MoveFault::Exposed { .. }));
            assert!(safe, "{}", context());
        }
        MoveFault::DoubleStepLost | MoveFault::PawnTooFar | MoveFault::PawnNotForward => {
            let pawn = held(departure.unwrap()).unwrap();
            assert_eq!(pawn.role, Role::Pawn);
        }
        MoveFault::Exposed {
            king,
            by,
            attacker,
            layout,
        } => {
            let mut after = position.clone();
            let quiet = match attempt {
                Move::Piece { from, to, .. } => Move::Piece {
                    from,
                    to,
                    promotion: None,
                },
                Move::EnPassant { from, to, .. } => Move::EnPassant {
                    from,
                    to,
                    promotion: None,
                },
                other => other,
            };
            after.play_unchecked(quiet);
            assert_eq!(after.king(turn), king);
            assert!(after.attackers(king, turn.other()).contains(by));
            assert_eq!(after.piece_at(by).map(|p| p.role), Some(attacker));
            assert_eq!(after.layout(), layout.as_ref());
        }
        MoveFault::Shape { .. } => {
            // The piece moves like that on no board, with any other pieces: not an explanation of last resort.
            let mut gone = position.occupied();
            for color in Color::ALL {
                gone.remove(position.king(color));
            }
            let (Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. }) = attempt else {
                panic!("{}", context());
            };
            gone.remove(from);
            gone.remove(to);
            if deep && let Some(other) = without(position, gone, attempt) {
                assert_eq!(other, Some(fault), "{}", context());
            }
        }
        MoveFault::BoardStays => {
            let Move::Board { board, to, .. } = attempt else {
                panic!("{}", context());
            };
            assert_eq!(layout.unwrap().pin(board), to);
        }
        MoveFault::Castling {
            fault: CastlingFault::None,
        } => assert_eq!(position.rules(), RuleSystem::Manual),
        MoveFault::PinTaken { by } => {
            let Move::Board { board, to, .. } = attempt else {
                panic!("{}", context());
            };
            assert!(by != board && layout.unwrap().board_on(to) == Some(by));
        }
        MoveFault::BoardCrowded { by } => assert!(by.count() > 1),
        MoveFault::OccupiedOnlyTurns { by } => assert!(by.into_iter().all(|s| held(s).is_some())),
        MoveFault::BoardRider { rider } => assert!(held(rider).is_some_and(|p| p.color != turn)),
        MoveFault::BoardBackward { rider } => assert!(held(rider).is_some_and(|p| p.color == turn)),
        MoveFault::CornerHeld { pawn } | MoveFault::PawnFallsBack { pawn, .. } => {
            assert!(held(pawn).is_some_and(|p| p.role == Role::Pawn));
        }
        _ => {}
    }
}

fn check(position: &Position, deep: bool, seen: &mut BTreeSet<String>) {
    for m in attempts(position) {
        let explanation = position.explain(m);
        assert_eq!(explanation.is_none(), position.is_legal(m), "{m:?}");
        if let Some(explanation) = explanation {
            seen.insert(name(&explanation.fault));
            check_truth(position, &explanation, deep);
        }
    }
}

/// Faults that random games of a system must have shown, so that the law is tried on all of them.
fn expected(rules: RuleSystem) -> &'static [&'static str] {
    match rules.family() {
        Family::Stair => &[
            "NoPiece",
            "NotYours",
            "OwnPiece",
            "SameColumn",
            "Shape",
            "Stays",
            "NotASquare",
            "PawnNotForward",
            "PawnTooFar",
            "DoubleStepLost",
            "PawnTakesAhead",
            "NothingToTake",
            "PromotionNotHere",
            "PromotesNoPiece",
            "NotAPawn",
            "NoDoubleStep",
            "Castling",
            "Exposed",
            "PinNotAdjacent",
            "BoardStays",
            "OnlyEnPassant",
            "NotCrossed",
            "PassesNot",
        ],
        Family::Cube => &[
            "NoPiece",
            "NotYours",
            "OwnPiece",
            "Shape",
            "Stays",
            "Blocked",
            "PawnNotForward",
            "PawnTooFar",
            "DoubleStepLost",
            "PawnTakesAhead",
            "NothingToTake",
            "PromotionNotHere",
            "PromotesNoPiece",
            "NotAPawn",
            "NoDoubleStep",
            "Castling",
            "Exposed",
            "NoAttackBoards",
        ],
    }
}

fn play(rules: RuleSystem, games: u64, plies: usize, every: usize, more: &[&str]) {
    let mut seen = BTreeSet::new();
    for game in 0..games {
        let mut random = Random(Dice::nth(3, game));
        let mut position = Position::start(rules);
        for ply in 0..plies {
            let passing = position.en_passant().is_some()
                && position.for_each_legal(|m| match m {
                    Move::EnPassant { .. } => Break(()),
                    _ => Continue(()),
                }) == Break(());
            if ply % every == (game as usize) % every || passing {
                check(&position, ply % (4 * every) == 0, &mut seen);
            }
            let moves = position.legal_moves();
            let Some(m) = random.pick(&moves) else { break };
            position.play_unchecked(m);
        }
    }
    for fault in expected(rules).iter().chain(more) {
        assert!(seen.contains(*fault), "{fault} was never seen: {seen:?}");
    }
}

#[test]
fn meder() {
    let more = [
        "ColumnBlocked",
        "PinNotUsed",
        "BoardCrowded",
        "BoardRider",
        "BoardOfOther",
        "PinTaken",
        "BoardBackward",
        "BoardDoesNotTurn",
        "PromotionMissing",
        "PromotionTo",
    ];
    play(RuleSystem::Meder, 30, 160, 11, &more);
}

#[test]
fn manual() {
    let more = [
        "ColumnFull",
        "Gap",
        "KnightGap",
        "BoardOfOther",
        "PinTaken",
        "OccupiedOnlyTurns",
        "EmptyDoesNotTurn",
        "PromotionMissing",
        "PromotionTo",
    ];
    play(RuleSystem::Manual, 30, 160, 11, &more);
}

#[test]
fn federation() {
    let more = [
        "ColumnFull",
        "Gap",
        "TakesOnTier",
        "TurnsBack",
        "NoPawnAboard",
        "BoardCrowded",
        "BoardRider",
        "RiderNotPawn",
        "NoTurnInPlace",
        "PinTaken",
        "PawnFallsBack",
        "PinNotUsed",
    ];
    play(RuleSystem::Federation, 30, 160, 11, &more);
}

#[test]
fn millennium() {
    let more = ["OnlyEnPassant", "PromotionMissing", "PromotionTo"];
    play(RuleSystem::Millennium, 40, 300, 150, &more);
}

#[test]
fn chess3() {
    let more = ["OnlyEnPassant", "PromotionMissing", "PromotionTo"];
    play(RuleSystem::Chess3, 40, 300, 150, &more);
}
