use super::*;
use crate::messages::alternatives;
use crate::testing::{Random, meder_move, position, random_games};
use crate::text::{Departure, PiecePattern};
use crate::text::{Locale, Notation, WriteOptions};
use crate::{parse, write, write_played};
use std::collections::BTreeMap;
use tridex_rules::{Color, RuleSystem};

/// House law: `read(write(m)) == m` for every legal move in every notation of the family, without any mismatch. Gives
/// back how many moves of each kind were seen.
fn read_of_write_is_the_move(
    rules: RuleSystem,
    options: &WriteOptions,
    games: u64,
) -> BTreeMap<&'static str, u32> {
    let (mut text, mut again) = (String::new(), String::new());
    let mut seen = BTreeMap::new();
    random_games(rules, games, 120, |position, moves| {
        for mv in moves {
            *seen.entry(kind(*mv)).or_default() += 1;
            let mut after = position.clone();
            after.play_unchecked(*mv);
            for notation in Notation::ALL
                .into_iter()
                .filter(|n| n.family() == rules.family())
            {
                text.clear();
                write(notation, position, *mv, options, &mut text).unwrap();
                let read = parse(notation, text.as_bytes(), Some(options.locale))
                    .unwrap_or_else(|e| panic!("{notation:?} {text}: {e:?}"));
                assert!(read.notes.is_empty(), "{text}");
                match resolve(&read, position) {
                    Ok(found) => assert_eq!(found, *mv, "{notation:?} {text} in {position:?}"),
                    Err(e) => panic!("{notation:?} {text}: {e:?} for {mv:?} in {position:?}"),
                }
                assert!(marks(&read, position, *mv, &after).is_empty(), "{text}");
                again.clear();
                write_played(notation, position, *mv, &after, options, &mut again).unwrap();
                assert_eq!(again, text);
            }
        }
    });
    seen
}

const fn kind(mv: Move) -> &'static str {
    match mv {
        Move::Piece {
            promotion: Some(_), ..
        } => "promotion",
        Move::Piece { .. } => "piece",
        Move::Pass => "pass",
        Move::EnPassant { .. } => "en passant",
        Move::Castle(_) => "castling",
        Move::Board {
            promotion: Some(_), ..
        } => "promotion by a board",
        Move::Board { turned: true, .. } => "turn",
        Move::Board { .. } => "board",
    }
}

#[test]
fn read_of_write_is_the_move_under_every_system() {
    let every = ["piece", "promotion", "en passant"];
    for (rules, more) in [
        (
            RuleSystem::Meder,
            &["castling", "board", "promotion by a board"][..],
        ),
        (RuleSystem::Manual, &["board", "turn"]),
        (
            RuleSystem::Federation,
            &["castling", "board", "turn", "promotion by a board"],
        ),
        (RuleSystem::Millennium, &["castling"]),
    ] {
        let seen = read_of_write_is_the_move(rules, &WriteOptions::default(), 60);
        for kind in every.iter().chain(more) {
            assert!(seen.contains_key(kind), "{rules:?} has no {kind}: {seen:?}");
        }
    }
    // Pawns of chess3 have six ranks to go: no promotion is expected.
    let seen = read_of_write_is_the_move(RuleSystem::Chess3, &WriteOptions::default(), 20);
    assert!(seen["piece"] > 100_000);
}

#[test]
fn read_of_write_is_the_move_with_other_options() {
    for locale in Locale::ALL {
        let options = WriteOptions {
            locale,
            full_pawn_captures: false,
            marks: Some(locale != Locale::Dutch),
        };
        for rules in RuleSystem::ALL {
            let seen = read_of_write_is_the_move(*rules, &options, 3);
            assert!(seen["piece"] > 5_000, "{rules:?}: {seen:?}");
        }
    }
}

#[test]
fn no_two_legal_moves_are_written_alike() {
    for rules in RuleSystem::ALL {
        random_games(*rules, 4, 80, |position, moves| {
            for notation in Notation::ALL
                .into_iter()
                .filter(|n| n.family() == rules.family())
            {
                let mut texts: Vec<String> = moves
                    .iter()
                    .map(|mv| {
                        let mut text = String::new();
                        let options = WriteOptions {
                            marks: Some(false),
                            ..WriteOptions::default()
                        };
                        write(notation, position, *mv, &options, &mut text).unwrap();
                        text
                    })
                    .collect();
                texts.sort();
                assert!(
                    texts.windows(2).all(|two| two[0] != two[1]),
                    "{texts:?} in {position:?}"
                );
            }
        });
    }
}

/// The slow obvious statement of [`candidates`] for words that name everything: the legal moves with these squares.
#[test]
fn candidates_agree_with_a_filter_of_all_legal_moves() {
    for rules in [
        RuleSystem::Meder,
        RuleSystem::Manual,
        RuleSystem::Federation,
    ] {
        let mut random = Random::new(3);
        random_games(rules, 3, 100, |position, moves| {
            let layout = position.layout().unwrap();
            for mv in moves {
                let (Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. }) = *mv else {
                    continue;
                };
                let role = position.piece_at(from).unwrap().role;
                let (f, t) = (layout.column(from), layout.column(to));
                let chosen = random.below(8);
                let text = PiecePattern {
                    role: Some(role),
                    from: Departure {
                        file: (chosen & 1 != 0).then(|| f.file()),
                        rank: (chosen & 2 != 0).then(|| f.rank()),
                        level: None,
                    },
                    to: Coordinates {
                        file: t.file(),
                        rank: t.rank(),
                        level: None,
                    },
                    promotion: mv.promotion(),
                };
                let mut list = position.moves_like(&MovePattern::Piece(text));
                list.sort_unstable();
                let mut slow: MoveList = moves
                    .iter()
                    .copied()
                    .filter(|other| {
                        let (Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. }) =
                            *other
                        else {
                            return false;
                        };
                        let column = layout.column(from);
                        position.piece_at(from).is_some_and(|p| p.role == role)
                            && layout.column(to) == t
                            && text.from.file.is_none_or(|file| file == column.file())
                            && text.from.rank.is_none_or(|rank| rank == column.rank())
                            && other.promotion() == mv.promotion()
                    })
                    .collect();
                slow.sort_unstable();
                assert_eq!(list, slow);
            }
        });
    }
}

const HOME: &str = "Q1 K1 Q6 K6";

#[test]
fn a_missing_level_is_any_level() {
    let position = position(RuleSystem::Meder, Color::White, HOME, "Kc1W ka8B Nb4N");
    let text = parse(Notation::Meder, b"Nc6", None).unwrap();
    match resolve(&text, &position) {
        Err(ResolveError::Ambiguous(moves)) => {
            assert_eq!(
                moves,
                [meder_move(&position, "Nc6N"), meder_move(&position, "Nc6B")]
            );
        }
        other => panic!("{other:?}"),
    }
    // d2 has one level.
    let text = parse(Notation::Meder, b"Nd3W", None).unwrap();
    assert!(resolve(&text, &position).is_ok());
}

#[test]
fn the_capture_mark_chooses_but_does_not_exclude() {
    // Without levels: a capture on c6B, a quiet move to c6N.
    let position = position(RuleSystem::Meder, Color::White, HOME, "Kd1W ka8B Nb4N rc6B");
    let find = |token: &[u8]| resolve(&parse(Notation::Meder, token, None).unwrap(), &position);
    assert_eq!(find(b"Nxc6"), Ok(meder_move(&position, "Nxc6B")));
    assert_eq!(find(b"Nc6"), Ok(meder_move(&position, "Nc6N")));
    for (token, mismatch) in [
        (&b"Nc6B"[..], Mismatch::CaptureMissing),
        (b"Nxc6N", Mismatch::CaptureWritten),
        (b"Nc6N e.p.", Mismatch::EnPassantWritten),
    ] {
        let text = parse(Notation::Meder, token, None).unwrap();
        let mv = resolve(&text, &position).unwrap();
        let mut after = position.clone();
        after.play(mv).unwrap();
        assert_eq!(
            marks(&text, &position, mv, &after)
                .iter()
                .collect::<Vec<_>>(),
            [mismatch]
        );
    }
}

#[test]
fn en_passant_may_promote_under_the_manual() {
    // Starfleet manual 6.6(c) and (d), ruling furthest-rank: a white pawn goes from a0 to a2 (manual b1 to b3); a black
    // pawn takes it on a1, its last rank.
    let mut setup = crate::testing::setup("Q1v K1v Q6 K6", "Kd3W kd8B Pa2W pb2W");
    setup.en_passant = Some(crate::testing::square(
        setup.layout.as_ref().unwrap(),
        "a2W",
    ));
    setup.turn = Color::Black;
    setup.moved.insert(setup.en_passant.unwrap());
    let position = Position::from_setup(RuleSystem::Manual, &setup).unwrap();
    let layout = position.layout().unwrap();
    let queen = Move::EnPassant {
        from: crate::testing::square(layout, "b2W"),
        to: crate::testing::square(layout, "a1W"),
        promotion: Some(Role::Queen),
    };
    assert!(position.is_legal(queen));
    let spelled = |notation| {
        let mut text = String::new();
        write(
            notation,
            &position,
            queen,
            &WriteOptions::default(),
            &mut text,
        )
        .unwrap();
        text
    };
    assert_eq!(spelled(Notation::Meder), "bWxa1WQe.p.");
    assert_eq!(spelled(Notation::Manual), "c3,WBxb2,WB=Qe.p.");
    for token in ["bWxa1WQe.p.", "c3,WBxb2,WB=Qe.p."] {
        let words = Notation::ALL
            .into_iter()
            .find_map(|notation| parse(notation, token.as_bytes(), None).ok())
            .unwrap();
        let MovePattern::Piece(piece) = *words.pattern() else {
            panic!("{token}");
        };
        assert!(words.en_passant && words.captures());
        assert_eq!(piece.promotion, Some(Role::Queen));
        assert_eq!(resolve(&words, &position), Ok(queen), "{token}");
    }
}

#[test]
fn federation_pawns_may_stay_pawns() {
    // Ruling optional-promotion: promotion is a choice, so the word without a piece means the pawn.
    let position = position(RuleSystem::Federation, Color::White, HOME, "Kd1W kd5N Pb7B");
    let plain = meder_move(&position, "b8B");
    assert_eq!(plain.promotion(), None);
    assert_eq!(meder_move(&position, "b8BQ").promotion(), Some(Role::Queen));
}

#[test]
fn reasons_when_nothing_fits() {
    let position = position(
        RuleSystem::Meder,
        Color::White,
        HOME,
        "Kd1W kb8B rd6N Nd3W Pb4N",
    );
    for (token, reason) in [
        ("Nd9W", "the square of arrival is not on that board"),
        (
            "Nd0KL2",
            "no attack board on that pin covers the square of arrival",
        ),
        ("Nc0", "no square lies in the column of arrival"),
        ("Nz5-c5N", "the square of departure does not exist now"),
        ("Qd4N", "the side to move has no queen there"),
        ("Nb5N", "no such piece can legally go there"), // pinned
        ("b5NQ", "no pawn is promoted by that move"),
        ("KL3-KL4", "there is no attack board on that pin"),
        ("KL6-KL4", "the attack board cannot legally make that move"),
        ("0-0-0", "castling on the queen's side is not legal now"),
    ] {
        let text = parse(Notation::Meder, token.as_bytes(), None).unwrap();
        assert_eq!(
            resolve(&text, &position).unwrap_err().to_string(),
            reason,
            "{token}"
        );
    }
    let cube = parse(Notation::Millennium, b"1e4", None).unwrap();
    assert_eq!(resolve(&cube, &position), Err(ResolveError::WrongFamily));
    let start = Position::start(RuleSystem::Millennium);
    let stair = parse(Notation::Meder, b"b4N", None).unwrap();
    assert_eq!(resolve(&stair, &start), Err(ResolveError::WrongFamily));
    let board = parse(Notation::Meder, b"QL3", None).unwrap();
    assert_eq!(resolve(&board, &start), Err(ResolveError::WrongFamily));
}

#[test]
fn alternatives_are_the_same_move_on_other_levels() {
    let position = position(RuleSystem::Meder, Color::White, HOME, "Kc1W ka8B Nb4N");
    let text = parse(Notation::Meder, b"Nc6W", None).unwrap();
    assert!(resolve(&text, &position).is_err());
    let listed = alternatives(&text, &position);
    for other in ["Nc6N", "Nc6B"] {
        assert!(listed.contains(&meder_move(&position, other)), "{other}");
    }
    let text = parse(Notation::Meder, b"QL1-QL4", None).unwrap();
    assert_eq!(
        alternatives(&text, &position),
        [
            meder_move(&position, "QL1-QL2"),
            meder_move(&position, "QL1-QL3")
        ]
    );
}

#[test]
fn a_queen_comes_first_where_only_the_promotion_is_open() {
    let position = position(RuleSystem::Meder, Color::White, HOME, "Kd1W kd5N Pb7B");
    let text = parse(Notation::Meder, b"b8B", None).unwrap();
    let moves = candidates(&text, &position);
    assert_eq!(moves.len(), 4);
    let first = moves.iter().copied().min_by_key(|mv| preference(*mv));
    assert_eq!(first.and_then(Move::promotion), Some(Role::Queen));
}
