//! Ruling dead-material: a draw by material is declared for those pieces that can never mate, and the search finds
//! which.

mod search;

use rayon::prelude::*;
use search::Mates;
use std::sync::LazyLock;
use tridex_geometry::{Square, cube};
use tridex_rules::{Color, Piece, Position, Role, RuleSystem, Setup, oracle};

const MEN: [Option<Role>; 6] = [
    None,
    Some(Role::Pawn),
    Some(Role::Knight),
    Some(Role::Bishop),
    Some(Role::Rook),
    Some(Role::Queen),
];

/// What the search finds: under which rules, the man of the side that mates, that of the other, and a mate if any.
type Answer = (RuleSystem, Role, Option<Role>, Option<Position>);

/// All answers, found once for all tests.
static ANSWERS: LazyLock<Vec<Answer>> = LazyLock::new(|| {
    let questions = RuleSystem::ALL.iter().flat_map(|rules| {
        let pairs = MEN
            .into_iter()
            .flatten()
            .flat_map(|with| MEN.map(|against| (with, against)));
        pairs.map(|(with, against)| (*rules, with, against))
    });
    let answer = |(rules, with, against)| {
        let search = Mates::new(rules, with, against);
        let mate = (0..search.parts()).find_map(|part| search.find(part));
        (rules, with, against, mate)
    };
    questions
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(answer)
        .collect()
});

/// A mate with these pieces, found in any placement on any layout.
fn mate(rules: RuleSystem, with: Role, against: Option<Role>) -> Option<&'static Position> {
    let found = ANSWERS
        .iter()
        .find(|answer| (answer.0, answer.1, answer.2) == (rules, with, against));
    found.expect("every question was searched").3.as_ref()
}

/// Any position with these pieces, White's and Black's, besides the kings.
fn any_position(rules: RuleSystem, white: Option<Role>, black: Option<Role>) -> Position {
    let start = rules.start();
    let men: Vec<Piece> = [
        Some(Piece::new(Color::White, Role::King)),
        Some(Piece::new(Color::Black, Role::King)),
        white.map(|role| Piece::new(Color::White, role)),
        black.map(|role| Piece::new(Color::Black, role)),
    ]
    .into_iter()
    .flatten()
    .collect();
    // Each on the start square of a piece of its kind and colour: nothing attacks a king there.
    let mut setup = Setup::empty(start.layout);
    for man in men {
        let square = start
            .pieces()
            .find(|(_, piece)| *piece == man)
            .map(|(square, _)| square);
        setup.set_piece(square.expect("every man is there at the start"), Some(man));
    }
    Position::from_setup(rules, &setup)
        .unwrap_or_else(|fault| panic!("{white:?} {black:?}: {fault}"))
}

/// The sets of pieces that the search finds no mate for, on either side, nor for any that they may become by captures
/// and promotions.
fn dead_by_search(rules: RuleSystem) -> Vec<(Option<Role>, Option<Role>)> {
    let mut mates = Vec::new();
    for with in MEN.into_iter().flatten() {
        for against in MEN {
            if mate(rules, with, against).is_some() {
                mates.push((Some(with), against));
            }
        }
    }
    let alive = |one: Option<Role>, other: Option<Role>| {
        let becomes = |man: Option<Role>| match man {
            Some(Role::Pawn) => MEN.to_vec(),
            man => vec![None, man],
        };
        becomes(one).into_iter().any(|with| {
            becomes(other)
                .into_iter()
                .any(|against| mates.contains(&(with, against)))
        })
    };
    let all = MEN
        .into_iter()
        .flat_map(|one| MEN.map(|other| (one, other)));
    all.filter(|(one, other)| !alive(*one, *other) && !alive(*other, *one))
        .collect()
}

/// Where the rule text ends the game when no one can mate, the table is what the search finds.
#[test]
fn what_is_declared_dead_is_what_the_search_finds() {
    for rules in [
        RuleSystem::Meder,
        RuleSystem::Millennium,
        RuleSystem::Chess3,
    ] {
        let found = dead_by_search(rules);
        for white in MEN {
            for black in MEN {
                let position = any_position(rules, white, black);
                let dead = found.contains(&(white, black));
                assert_eq!(
                    position.is_dead(),
                    dead,
                    "{}: {white:?} v {black:?}",
                    rules.name()
                );
            }
        }
    }
}

/// A player whose pieces can mate can win on time.
#[test]
fn who_can_mate_is_what_the_search_finds() {
    for rules in RuleSystem::ALL {
        for white in MEN.into_iter().filter(|man| *man != Some(Role::Pawn)) {
            for black in MEN.into_iter().filter(|man| *man != Some(Role::Pawn)) {
                let found = white.is_some_and(|man| {
                    mate(*rules, man, black).is_some() || mate(*rules, man, None).is_some()
                });
                let position = any_position(*rules, white, black);
                assert_eq!(
                    position.can_mate(Color::White),
                    found,
                    "{}: {white:?} v {black:?}",
                    rules.name()
                );
            }
        }
    }
}

/// The answers themselves, so that a search that finds nothing, or everything, is seen.
#[test]
fn the_answers_of_the_search() {
    use Role::{Bishop, Knight, Rook};
    let bare = (None, None);
    // Under Meder's rules a king above or below the other one guards every way out, and any check mates.
    assert_eq!(dead_by_search(RuleSystem::Meder), [bare]);
    let minors = [None, Some(Knight), Some(Bishop)];
    let is_minor = |man: &Option<Role>| minors.contains(man);
    let dead = dead_by_search(RuleSystem::Millennium);
    assert_eq!(dead.len(), 9 + 2);
    for (one, other) in dead {
        let rook_alone = [(Some(Rook), None), (None, Some(Rook))].contains(&(one, other));
        assert!(
            is_minor(&one) && is_minor(&other) || rook_alone,
            "{one:?} v {other:?}"
        );
    }
    let dead = dead_by_search(RuleSystem::Chess3);
    assert_eq!(dead.len(), 16);
    for man in dead.into_iter().flat_map(|(one, other)| [one, other]) {
        assert!(is_minor(&man) || man == Some(Rook), "{man:?}");
    }
}

/// Each mate that is found is one by the slow rules too.
#[test]
fn the_oracle_sees_the_mates() {
    let mut seen = 0;
    for rules in RuleSystem::ALL {
        for with in MEN.into_iter().flatten() {
            for against in MEN {
                if let Some(mate) = mate(*rules, with, against) {
                    let setup = mate.to_setup();
                    assert_eq!(oracle::legal_moves(*rules, &setup), [], "{setup:?}");
                    assert!(oracle::is_check(*rules, &setup, Color::Black), "{setup:?}");
                    assert_eq!(setup.pieces().count(), 3 + usize::from(against.is_some()));
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 90, "only {seen} mates");
}

/// The search of the rules is held to one that is as slow as it is simple, on the cube: king and one man against king.
#[test]
fn a_slow_search_of_the_cube_finds_the_same() {
    for rules in [RuleSystem::Millennium, RuleSystem::Chess3] {
        for role in [Role::Rook, Role::Bishop, Role::Knight] {
            // 20 squares of Black's king by 191 by 190, less those in which the kings touch.
            let (mates, seen) = mates(rules, role);
            assert_eq!(mates, 0, "{role:?}");
            assert!(seen > 600_000, "{role:?}: only {seen} positions");
            assert_eq!(mate(rules, role, None), None);
        }
        assert!(mates(rules, Role::Queen).0 > 0);
    }
}

/// The slow search looks at one of sixteen images of a position; here is that they are alike.
#[test]
fn images_of_a_position_are_alike() {
    let mut checks = 0;
    for n in (0..192_u32 * 192 * 192).step_by(1_009) {
        let pick = |n: u32| Square::new((n % 192) as u8);
        let squares = [pick(n), pick(n / 192), pick(n / 192 / 192)];
        for role in [Role::Rook, Role::Queen] {
            let seen = |i: usize| {
                let [lone, king, piece] = squares.map(|square| images(square)[i]);
                if lone == king || king == piece || lone == piece {
                    return None;
                }
                let position =
                    Position::from_setup(RuleSystem::Millennium, &three(lone, king, piece, role))
                        .ok()?;
                Some((position.is_check(), position.legal_moves().len()))
            };
            let first = seen(0);
            checks += u32::from(first.is_some_and(|(check, _)| check));
            for i in 1..16 {
                assert_eq!(seen(i), first, "{squares:?} {role:?} image {i}");
            }
        }
    }
    assert!(checks > 500);
}

/// King and one piece against king: how many positions with Black to move are mate, and how many were examined.
///
/// A board of 8 by 8 squares on three levels looks the same when files are reversed, ranks are, files and ranks are
/// swapped, or levels are reversed, and so do the moves of all pieces but pawns. So Black's king needs to be on twenty
/// of the 192 squares only: two levels, and on each a triangle of ten. `images` are the sixteen ways to see a square.
fn mates(rules: RuleSystem, role: Role) -> (u32, u32) {
    let (mut mates, mut seen) = (0, 0);
    let all = || (0..192).map(Square::new);
    for lone in all().filter(|square| is_first_image(*square)) {
        for king in all().filter(|square| *square != lone) {
            for piece in all().filter(|square| *square != lone && *square != king) {
                let setup = three(lone, king, piece, role);
                // Kings side by side cannot be; the rest can.
                let Ok(position) = Position::from_setup(rules, &setup) else {
                    continue;
                };
                seen += 1;
                mates += u32::from(position.is_check() && !position.has_legal_move());
            }
        }
    }
    (mates, seen)
}

/// Black to move with a bare king against king and piece.
fn three(lone: Square, king: Square, piece: Square, role: Role) -> Setup {
    use Color::{Black, White};
    let mut setup = Setup::empty(None);
    setup.turn = Black;
    setup.set_piece(lone, Some(Piece::new(Black, Role::King)));
    setup.set_piece(king, Some(Piece::new(White, Role::King)));
    setup.set_piece(piece, Some(Piece::new(White, role)));
    setup
}

fn is_first_image(square: Square) -> bool {
    images(square).into_iter().min() == Some(square)
}

/// Where a square is seen when the board is reversed and turned in all sixteen ways, always in the same order.
fn images(square: Square) -> Vec<Square> {
    let (level, file, rank) = (cube::level(square), cube::file(square), cube::rank(square));
    let mut seen = Vec::new();
    for level in [level, 2 - level] {
        for file in [file, 7 - file] {
            for rank in [rank, 7 - rank] {
                seen.extend(cube::try_square(level, file, rank));
                seen.extend(cube::try_square(level, rank, file));
            }
        }
    }
    seen
}
