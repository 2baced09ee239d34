//! The laws of `tridex_notation::laws` over random games of every rule system.
//!
//! Cheap laws are asked at every ply of every game, the others at every ply of some games or at some plies of all. The
//! games are the same in every run; a law that breaks names the position.

use std::sync::atomic::{AtomicU64, Ordering};
use tridex_geometry::Square;
use tridex_geometry::stair::{Layout, Pin, Surface};
use tridex_notation::laws::{self, Broken, Held, Mirror};
use tridex_notation::{Locale, Notation, WriteOptions};
use tridex_rules::random::{self, Dice};
use tridex_rules::{
    Castling, CastlingSide, Color, Move, Piece, Position, Role, RuleSystem, Setup, SetupError,
};

/// Games of each system; the run of ignored tests has more.
const GAMES: u64 = 300;
const SEED: u64 = 0x1A75;
const PLIES: usize = 110;

/// The positions of the `index`-th game of a system, with the moves played in them; the last has none.
fn positions(rules: RuleSystem, index: u64) -> impl Iterator<Item = (Position, Option<Move>)> {
    let moves = random::game(rules, &mut Dice::nth(SEED, index), PLIES);
    let mut moves = moves.into_iter();
    let mut next = Some(Position::start(rules));
    std::iter::from_fn(move || {
        let position = next.take()?;
        let m = moves.next();
        if let Some(m) = m {
            let mut after = position.clone();
            after.play_unchecked(m);
            next = Some(after);
        }
        Some((position, m))
    })
}

/// Runs work over the numbers `0..count` on two threads, and fails with the first law broken. Gives back the sum of
/// what the work counted.
fn on_two_threads(count: u64, work: impl Fn(u64) -> Result<u64, Broken> + Sync) -> u64 {
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let run = || -> Held {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return Ok(());
            }
            match work(index) {
                Ok(n) => done.fetch_add(n, Ordering::Relaxed),
                Err(broken) => {
                    next.store(count, Ordering::Relaxed);
                    return Err(broken);
                }
            };
        }
    };
    let both = std::thread::scope(|scope| {
        let threads = [scope.spawn(run), scope.spawn(run)];
        threads.map(|thread| thread.join().expect("no law panics"))
    });
    for held in both {
        if let Err(broken) = held {
            panic!("{broken}");
        }
    }
    done.into_inner()
}

/// A law at every `every`-th position of `games` games of each system; fails if fewer than `least` positions of a system
/// were seen.
fn over_games(
    games: u64,
    every: u64,
    least: u64,
    law: impl Fn(&Position, &mut Dice) -> Held + Sync,
) {
    for rules in RuleSystem::ALL {
        let seen = on_two_threads(games, |index| {
            let mut dice = Dice::nth(index, 7);
            let mut count = 0;
            for (ply, (position, _)) in (index..).zip(positions(*rules, index)) {
                if ply % every == 0 {
                    law(&position, &mut dice)?;
                    count += 1;
                }
            }
            Ok(count)
        });
        assert!(seen >= least, "{}: only {seen} positions", rules.name());
    }
}

#[test]
fn cheap_laws_hold_at_every_ply_and_games_cross_notations() {
    cheap_laws_hold(GAMES, 15_000);
}

#[test]
#[ignore = "20,000 games of each system: some minutes in a release build"]
fn cheap_laws_hold_in_many_games() {
    cheap_laws_hold(20_000, 1_000_000);
}

/// Every cheap law at every ply of `games` games of each system; fails if fewer than `least` plies of a system were seen.
fn cheap_laws_hold(games: u64, least: u64) {
    for rules in RuleSystem::ALL {
        let plies = on_two_threads(games, |index| {
            let moves = random::game(*rules, &mut Dice::nth(SEED, index), PLIES);
            let start = Position::start(*rules);
            laws::crosses_notations(&start, &moves, &WriteOptions::default())?;
            let mut position = start;
            laws::every_ply(&position)?;
            for m in &moves {
                position.play_unchecked(*m);
                laws::every_ply(&position)?;
            }
            Ok(moves.len() as u64)
        });
        assert!(plies >= least, "{}: only {plies} plies", rules.name());
    }
}

#[test]
fn is_legal_iff_listed() {
    over_games(8, 12, 50, |position, _| laws::legal_is_listed(position));
}

#[test]
fn moves_to_agree_with_the_list() {
    over_games(150, 5, 2_000, |position, _| {
        laws::moves_to_are_listed(position)
    });
}

/// Every position one move away from the games, not only those that were chosen.
#[test]
fn setups_keys_and_play_agree_after_every_legal_move() {
    over_games(100, 10, 700, |position, _| {
        for m in position.legal_moves() {
            laws::illegal_is_refused(position, m)?;
            let mut after = position.clone();
            after.play_unchecked(m);
            laws::position_is_its_setup(&after)?;
            laws::outcome_agrees(&after)?;
        }
        Ok(())
    });
}

#[test]
fn illegal_moves_are_refused_and_explained() {
    illegal_moves_are_refused(15, 100);
}

#[test]
#[ignore = "600 games of each system: minutes in a release build"]
fn illegal_moves_of_many_games_are_refused_and_explained() {
    illegal_moves_are_refused(600, 4_000);
}

fn illegal_moves_are_refused(games: u64, least: u64) {
    over_games(games, 10, least, |position, dice| {
        // About 300 of all moves that can be said, and all that may be played.
        let stride = match position.layout() {
            Some(_) => 199,
            None => 1_777,
        };
        let skip = dice.below(stride) as usize;
        for m in laws::every_move(position)
            .skip(skip)
            .step_by(stride as usize)
            .chain(position.legal_moves())
        {
            laws::illegal_is_refused(position, m)?;
            laws::explains_what_is_illegal(position, m)?;
        }
        Ok(())
    });
}

/// Near misses need explaining more often than nonsense: moves of the side's own pieces, and of the boards.
#[test]
fn moves_of_own_pieces_are_explained() {
    over_games(4, 25, 10, |position, _| {
        for m in laws::every_move(position).filter(|m| match m {
            Move::Piece {
                from, promotion, ..
            } => {
                promotion.is_none()
                    && position
                        .piece_at(*from)
                        .is_some_and(|piece| piece.color == position.turn())
            }
            Move::EnPassant { promotion, .. } => promotion.is_none(),
            Move::Castle(_) | Move::Pass => true,
            Move::Board { promotion, .. } => promotion.is_none(),
        }) {
            laws::explains_what_is_illegal(position, m)?;
        }
        Ok(())
    });
}

#[test]
fn what_is_written_is_read_as_the_move() {
    over_games(300, 4, 6_000, |position, _| {
        laws::written_is_read(position, &WriteOptions::default())
    });
}

#[test]
fn what_is_written_with_other_options_is_read_as_the_move() {
    over_games(300, 12, 2_000, |position, dice| {
        let locales = Locale::ALL;
        let options = WriteOptions::default()
            .locale(locales[dice.below(locales.len() as u32) as usize])
            .full_pawn_captures(dice.one_in(2))
            .marks([None, Some(true), Some(false)][dice.below(3) as usize]);
        laws::written_is_read(position, &options)
    });
}

#[test]
fn perft_is_the_same_in_the_mirror() {
    over_games(60, 13, 300, |position, dice| {
        // Both mirrors see the moves everywhere and the games of two moves at every third position.
        let depth = if dice.one_in(3) { 2 } else { 1 };
        for mirror in Mirror::ALL {
            laws::perft_is_mirrored(position, mirror, depth)?;
        }
        Ok(())
    });
}

/// Both sides' arrangements are one in the mirror, so the start is seen as itself with Black to move.
#[test]
fn every_start_is_seen_as_itself() {
    for rules in RuleSystem::ALL {
        let mut setup = rules.start();
        setup.fullmoves = 2;
        let mut seen = Mirror::Sides.setup(*rules, &setup).expect("from move 2 on");
        assert_eq!(seen.turn, Color::Black);
        seen.turn = Color::White;
        // The manual's boards start below White's pins and above Black's, which the mirror turns over.
        assert_eq!(seen, setup, "{}", rules.name());
        let start = Position::from_setup(*rules, &setup).expect("it can be played");
        laws::perft_is_mirrored(&start, Mirror::Sides, 3)
            .unwrap_or_else(|broken| panic!("{broken}"));
        setup.castling = Castling::NONE;
        let start = Position::from_setup(*rules, &setup).expect("it can be played");
        laws::perft_is_mirrored(&start, Mirror::Wings, 2)
            .unwrap_or_else(|broken| panic!("{broken}"));
    }
}

#[test]
fn the_engine_agrees_with_the_oracle() {
    over_games(60, 5, 700, |position, _| laws::fast_is_slow(position));
}

#[test]
fn the_engine_lists_the_moves_of_the_oracle() {
    over_games(300, 18, 1_300, |position, _| {
        laws::fast_list_is_slow_list(position)
    });
}

#[test]
fn fast_attacks_are_slow_attacks() {
    over_games(20, 11, 100, |position, _| laws::attacks_are_slow(position));
}

/// A position that no game has led to: men anywhere, boards anywhere, rights where they can be had. `None` where the
/// throw cannot be played.
fn scattered(rules: RuleSystem, dice: &mut Dice) -> Option<Position> {
    let start = rules.start();
    let layout = match start.layout {
        None => None,
        Some(home) if dice.one_in(3) => Some(home),
        Some(_) => {
            let pins: Vec<Pin> = Pin::all().collect();
            let pins = [(); 4].map(|()| pins[dice.below(24) as usize]);
            let over = |pin: Pin| {
                if pin.surface() == Surface::Under {
                    pin.other_surface()
                } else {
                    pin
                }
            };
            let pins = if rules == RuleSystem::Manual {
                pins
            } else {
                pins.map(over)
            };
            Some(Layout::try_new(pins).ok()?)
        }
    };
    let mut setup = Setup::empty(layout);
    let squares = rules.family().squares() as u32;
    // Some men stay at home, so that castling and double steps are there too.
    let (stays, only_castling) = (dice.below(4), dice.one_in(3));
    for (square, piece) in start.pieces() {
        let castles = matches!(piece.role, Role::King | Role::Rook);
        let stays = if only_castling {
            castles || piece.role == Role::Pawn && dice.one_in(3)
        } else {
            dice.below(4) < stays
        };
        if stays && (layout == start.layout || square.index() < 48) {
            setup.set_piece(square, Some(piece));
        }
    }
    let kings: Vec<Square> = start
        .pieces()
        .filter(|(_, piece)| piece.role == Role::King)
        .map(|(square, _)| square)
        .collect();
    for _ in 0..dice.below(squares / 8 + 16) {
        let square = Square::try_new(dice.below(squares) as u8)?;
        let color = Color::ALL[dice.below(2) as usize];
        // As many pawns as pieces; kings come last.
        let role = match dice.below(8) {
            n @ 1..=4 => Role::ALL[n as usize],
            _ => Role::Pawn,
        };
        if !kings.contains(&square) || dice.one_in(4) {
            setup.set_piece(square, Some(Piece::new(color, role)));
        }
    }
    for color in Color::ALL {
        let king = Piece::new(color, Role::King);
        if !setup.pieces().any(|(_, piece)| piece == king) {
            let square = Square::try_new(dice.below(squares) as u8)?;
            setup.set_piece(square, Some(king));
        }
        for side in CastlingSide::ALL {
            if dice.one_in(2) {
                setup.castling = setup.castling.with(color, side);
            }
        }
    }
    setup.turn = Color::ALL[dice.below(2) as usize];
    setup.fullmoves = 1 + dice.below(4);
    setup.halfmoves = dice.below(3);
    for (square, piece) in start.pieces() {
        let pawn = piece.role == Role::Pawn && setup.piece(square) == Some(piece);
        if pawn && layout == start.layout && dice.one_in(3) {
            setup.moved.insert(square);
        }
    }
    // What cannot be is taken away.
    for _ in 0..40 {
        match Position::from_setup(rules, &setup) {
            Ok(_) => break,
            Err(SetupError::PawnOnLastRank(pawn)) => {
                setup.set_piece(pawn, None);
            }
            Err(SetupError::Castling(color, side)) => {
                setup.castling = setup.castling.without(color, side);
            }
            Err(SetupError::OpponentInCheck) if dice.one_in(3) => setup.turn = setup.turn.other(),
            Err(SetupError::OpponentInCheck) => {
                let nth = dice.below(8) as usize;
                let man = setup
                    .pieces()
                    .filter(|(_, piece)| piece.role != Role::King)
                    .nth(nth);
                if let Some((square, _)) = man {
                    setup.set_piece(square, None);
                }
            }
            Err(SetupError::Moved(square)) => setup.moved.remove(square),
            Err(_) => return None,
        }
    }
    let mover = setup.turn.other();
    let mut advanced: Vec<Square> = setup
        .pieces()
        .filter(|(_, piece)| *piece == Piece::new(mover, Role::Pawn))
        .map(|(square, _)| square)
        .collect();
    // The pawn that has advanced is any one of those that can have.
    while !advanced.is_empty() {
        let pawn = advanced.swap_remove(dice.below(advanced.len() as u32) as usize);
        let mut with = setup.clone();
        with.en_passant = Some(pawn);
        if let Ok(position) = Position::from_setup(rules, &with) {
            return Some(answered(&position, dice).unwrap_or(position));
        }
    }
    Position::from_setup(rules, &setup).ok()
}

/// The position with one more pawn, which can take the one that has just advanced; if there is none and a few throws find
/// it.
fn answered(position: &Position, dice: &mut Dice) -> Option<Position> {
    let passes = |position: &Position| {
        let moves = position.legal_moves();
        moves.iter().any(|m| matches!(m, Move::EnPassant { .. }))
    };
    if passes(position) || dice.one_in(2) {
        return None;
    }
    let pawn = Piece::new(position.turn(), Role::Pawn);
    (0..24).find_map(|_| {
        let mut setup = position.to_setup();
        let square = Square::try_new(dice.below(position.family().squares() as u32) as u8)?;
        if setup.piece(square).is_some() {
            return None;
        }
        setup.set_piece(square, Some(pawn));
        Position::from_setup(position.rules(), &setup)
            .ok()
            .filter(passes)
    })
}

#[test]
fn laws_hold_and_the_oracle_agrees_in_scattered_positions() {
    laws_hold_in_scattered_positions(1_000);
}

#[test]
#[ignore = "40,000 throws for each system: minutes in a release build"]
fn laws_hold_and_the_oracle_agrees_in_many_scattered_positions() {
    laws_hold_in_scattered_positions(40_000);
}

/// Positions no game has led to: the engine and the oracle agree there too, and every law holds.
fn laws_hold_in_scattered_positions(throws: u64) {
    for rules in RuleSystem::ALL {
        let (passing, castling, boards) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        let seen = on_two_threads(throws, |index| {
            let mut dice = Dice::nth(0x5CA7, index);
            let Some(position) = scattered(*rules, &mut dice) else {
                return Ok(0);
            };
            laws::every_ply(&position)?;
            laws::fast_list_is_slow_list(&position)?;
            match index % 8 {
                0 => laws::fast_is_slow(&position)?,
                1 => laws::moves_to_are_listed(&position)?,
                2 => laws::written_is_read(&position, &WriteOptions::default())?,
                3 => laws::attacks_are_slow(&position)?,
                4 => {
                    for m in laws::every_move(&position)
                        .skip(index as usize % 97)
                        .step_by(2_003)
                    {
                        laws::illegal_is_refused(&position, m)?;
                        laws::explains_what_is_illegal(&position, m)?;
                    }
                }
                _ => {}
            }
            for mirror in Mirror::ALL {
                laws::perft_is_mirrored(&position, mirror, 1)?;
            }
            let moves = position.legal_moves();
            let count = |kind: &AtomicU64, is: fn(&Move) -> bool| {
                kind.fetch_add(u64::from(moves.iter().any(is)), Ordering::Relaxed);
            };
            count(&passing, |m| matches!(m, Move::EnPassant { .. }));
            count(&castling, |m| matches!(m, Move::Castle(_)));
            count(&boards, |m| {
                matches!(
                    m,
                    Move::Board {
                        promotion: Some(_),
                        ..
                    }
                )
            });
            Ok(1)
        });
        let counts = [&passing, &castling, &boards].map(|n| n.load(Ordering::Relaxed));
        assert!(seen > throws / 2, "{}: only {seen} positions", rules.name());
        let few = throws / 200;
        assert!(counts[0] > few, "{}: en passant {counts:?}", rules.name());
        if *rules != RuleSystem::Manual {
            assert!(counts[1] > few, "{}: castling {counts:?}", rules.name());
            // Under the manual's rules a pawn never comes to its last rank on a board.
            let promotes = rules.start().layout.is_none() || counts[2] > few / 2;
            assert!(promotes, "{}: board promotions {counts:?}", rules.name());
        }
    }
}

/// The laws must be able to fail: a law that nothing can break says nothing.
#[test]
fn laws_can_be_broken() {
    let start = Position::start(RuleSystem::Millennium);
    // A position that play made nonsense of: White's king has been carried off its own board.
    let mut broken = start.clone();
    let king = start.king(Color::White);
    broken.play_unchecked(Move::Piece {
        from: king,
        to: start.king(Color::Black),
        promotion: None,
    });
    let held = laws::every_ply(&broken);
    assert!(held.is_err(), "a king was taken and no law minds");
    let found = laws::position_string_is_stable("8/8");
    assert_eq!(found, Ok(()), "a refused text is no broken law");
    let text = held.unwrap_err().to_string();
    assert!(text.contains("millennium"), "{text}");
    for notation in Notation::ALL {
        assert_eq!(laws::token_is_stable(notation, b"\xFF\0(((", None), Ok(()));
    }
}
