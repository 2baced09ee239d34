use super::*;
use tridex_geometry::stair::{AttackBoard, Board, Column, Corner, Layout, MainBoard, Pin, Surface};
use tridex_geometry::{Square, Wing, cube};
use tridex_rules::{Move, RuleSystem, Setup};

fn drawn(position: &Position) -> String {
    text(position, &TextOptions::default())
}

/// Compares line by line, which shows where two drawings part.
fn assert_drawn(drawn: &str, expected: &str) {
    for (i, (a, b)) in (1..).zip(drawn.lines().zip(expected.lines())) {
        assert_eq!(a, b, "line {i} of\n{drawn}");
    }
    assert_eq!(drawn, expected);
}

fn position(rules: RuleSystem, setup: &Setup) -> Position {
    Position::from_setup(rules, setup).expect("a playable setup")
}

#[test]
fn the_start_of_meders_game() {
    // Start squares: Meder, Article 3.5 and the sample game (ruling start-position).
    assert_drawn(
        &drawn(&Position::start(RuleSystem::Meder)),
        "\
meder, move 1: White to move
Castling: White 0-0 0-0-0, Black 0-0 0-0-0. Halfmove clock: 0.

    White's  Neutral  Black's  QL      KL      ql      kl
    W        N        B        QL1     KL1     QL6     KL6
                               over W  over W  over B  over B
 9                                             r q     k r      9
 8                    n b b n                  p p     p p      8
 7                    p p p p                                   7
 6           . : . :  . : . :                                   6
 5           : . : .  : . : .                                   5
 4  . : . :  . : . :                                            4
 3  : . : .  : . : .                                            3
 2  P P P P                                                     2
 1  N B B N                    P P     P P                      1
 0                             R Q     K R                      0
    a b c d  a b c d  a b c d  z a     d e     z a     d e

Plan from the top             Pins and the boards on them
 9  r   q           k   r
 8  p   pn  b   b   pn  p     B  far   QL6  ql   KL6  kl
 7      p   p   p   p         B  near  QL5  -    KL5  -
 6      ..  ::  ..  ::        N  far   QL4  -    KL4  -
 5      ::  ..  ::  ..        N  near  QL3  -    KL3  -
 4      ..  ::  ..  ::        W  far   QL2  -    KL2  -
 3      ::  ..  ::  ..        W  near  QL1  QL   KL1  KL
 2      P   P   P   P
 1  P   PN  B   B   PN  P
 0  R   Q           K   R
    z   a   b   c   d   e

Pieces: capitals White, small letters Black. Empty squares: . light, : dark.
Plan: one sign for each square of a column, the highest first.
",
    );
}

#[test]
fn the_start_of_the_manuals_game_has_boards_below() {
    // Starfleet manual, Figure 3 and 1.8: White's attack boards below White's board, Black's above Black's.
    assert_drawn(
        &drawn(&Position::start(RuleSystem::Manual)),
        "\
manual, move 1: White to move
Castling: none. Halfmove clock: 0.

    White's  Neutral  Black's  QL        KL        ql       kl
    WB       NB       BB       QP1       KP1       QP12     KP12
                               under WB  under WB  over BB  over BB
10                                                 r p      p r      10
 9                    b q k b                      n p      p n       9
 8                    p p p p                                         8
 7           . : . :  . : . :                                         7
 6           : . : .  : . : .                                         6
 5  . : . :  . : . :                                                  5
 4  : . : .  : . : .                                                  4
 3  P P P P                                                           3
 2  B Q K B                    N P       P N                          2
 1                             R P       P R                          1
    b c d e  b c d e  b c d e  a b       e f       a b      e f

Plan from the top             Pins and the boards on them
10  r   p           p   r              under   over      under   over
 9  n   pb  q   k   pb  n     BB far   QP11 -  QP12 ql   KP11 -  KP12 kl
 8      p   p   p   p         BB near  QP9  -  QP10 -    KP9  -  KP10 -
 7      ..  ::  ..  ::        NB far   QP7  -  QP8  -    KP7  -  KP8  -
 6      ::  ..  ::  ..        NB near  QP5  -  QP6  -    KP5  -  KP6  -
 5      ..  ::  ..  ::        WB far   QP3  -  QP4  -    KP3  -  KP4  -
 4      ::  ..  ::  ..        WB near  QP1  QL QP2  -    KP1  KL KP2  -
 3      P   P   P   P
 2  N   BP  Q   K   BP  N
 1  R   P           P   R
    a   b   c   d   e   f

Pieces: capitals White, small letters Black. Empty squares: . light, : dark.
Plan: one sign for each square of a column, the highest first.
",
    );
}

/// Pieces on named squares; the first two numbers are file and rank in Meder's counting.
fn stair_setup(pins: [Pin; 4], pieces: &[(Board, u8, u8, char)]) -> Setup {
    let layout = Layout::try_new(pins).expect("four pins");
    let mut setup = Setup::empty(Some(layout));
    for (board, file, rank, letter) in pieces {
        let square = layout
            .square(*board, Column::new(*file, *rank))
            .expect("a square of the board");
        setup.set_piece(square, Piece::from_letter(*letter));
    }
    setup
}

/// A middle game of the manual's rules: boards on both surfaces, six squares in column a5 (manual b6).
fn piled_up() -> Position {
    let pin = |wing, number, surface| Pin::new(wing, Corner::new(number), surface);
    let ql = Board::Attack(AttackBoard::WhiteQueen);
    let kl = Board::Attack(AttackBoard::WhiteKing);
    let black_ql = Board::Attack(AttackBoard::BlackQueen);
    let [w, n, b] = MainBoard::ALL.map(Board::Main);
    let setup = stair_setup(
        [
            pin(Wing::Queen, 2, Surface::Under),
            pin(Wing::Queen, 2, Surface::Over),
            pin(Wing::Queen, 5, Surface::Over),
            pin(Wing::Queen, 5, Surface::Under),
        ],
        &[
            (ql, 1, 5, 'R'),
            (kl, 0, 5, 'N'),
            (black_ql, 1, 5, 'q'),
            (b, 1, 5, 'p'),
            (n, 1, 5, 'P'),
            (w, 3, 1, 'K'),
            (b, 2, 8, 'k'),
        ],
    );
    position(RuleSystem::Manual, &setup)
}

#[test]
fn a_pile_of_boards_in_the_manuals_words() {
    assert_drawn(
        &drawn(&piled_up()),
        "\
manual, move 1: White to move
Castling: none. Halfmove clock: 0.

    White's  Neutral  Black's  QL        KL       ql       kl
    WB       NB       BB       QP3       QP4      QP10     QP9
                               under WB  over WB  over BB  under BB
10                                                                   10
 9                    . k . :                                         9
 8                    : . : .                                         8
 7           . : . :  . : . :                                         7
 6           P . : .  p . : .  . R       N :      . q      . :        6
 5  . : . :  . : . :           : .       : .      : .      : .        5
 4  : . : .  : . : .                                                  4
 3  . : . :                                                           3
 2  : . K .                                                           2
 1                                                                    1
    b c d e  b c d e  b c d e  a b       a b      a b      a b

Plan from the top
10
 9          .       k       .       :
 8          :       .       :       .
 7          ..      ::      ..      ::
 6  ..N.    qp:P:R  ..      ::      ..
 5  ::::    ......  ::      ..      ::
 4          ::      ..      ::      ..
 3          .       :       .       :
 2          :       .       K       .
 1
    a       b       c       d       e       f

Pins and the boards on them
         under   over      under   over
BB far   QP11 -  QP12 -    KP11 -  KP12 -
BB near  QP9  kl QP10 ql   KP9  -  KP10 -
NB far   QP7  -  QP8  -    KP7  -  KP8  -
NB near  QP5  -  QP6  -    KP5  -  KP6  -
WB far   QP3  QL QP4  KL   KP3  -  KP4  -
WB near  QP1  -  QP2  -    KP1  -  KP2  -

Pieces: capitals White, small letters Black. Empty squares: . light, : dark.
Plan: one sign for each square of a column, the highest first.
",
    );
}

#[test]
fn the_same_position_in_meders_words() {
    let options = TextOptions {
        labels: Some(Notation::Meder),
        ..TextOptions::default()
    };
    let drawn = text(&piled_up(), &options);
    for line in [
        "    W        N        B        QL2v     QL2     QL5     QL5v",
        "                               under W  over W  over B  under B",
        " 5           P . : .  p . : .  . R      N :     . q     . :       5",
        "    a b c d  a b c d  a b c d  z a      z a     z a     z a",
        " 5  ..N.    qp:P:R  ..      ::      ..",
        "B  near  QL5v kl QL5  ql   KL5v -  KL5  -",
    ] {
        assert!(drawn.lines().any(|own| own == line), "{line}\n{drawn}");
    }
}

#[test]
fn boards_that_have_crossed_the_table_keep_their_names() {
    // Black's queen's board on White's near king's corner, White's on Black's far queen's corner.
    let pin = |wing, number| Pin::over(wing, Corner::new(number));
    let black_ql = Board::Attack(AttackBoard::BlackQueen);
    let setup = stair_setup(
        [
            pin(Wing::Queen, 6),
            pin(Wing::King, 3),
            pin(Wing::King, 1),
            pin(Wing::King, 6),
        ],
        &[
            (black_ql, 5, 0, 'q'),
            (Board::Main(MainBoard::Neutral), 2, 4, 'K'),
            (Board::Main(MainBoard::Black), 3, 8, 'k'),
        ],
    );
    let drawn = drawn(&position(RuleSystem::Meder, &setup));
    for line in [
        "    White's  Neutral  Black's  QL      KL      ql      kl",
        "    W        N        B        QL6     KL3     KL1     KL6",
        "                               over B  over N  over W  over B",
        " 0                                             : q              0",
        "    a b c d  a b c d  a b c d  z a     d e     d e     d e",
        " 8  :    ..   :    k    ::   .      B  far   QL6  QL   KL6  kl",
        // Three squares lie in d3: White's board, the Neutral board and KL above it.
        " 3       ::   ..   ::   ...  :      W  near  QL1  -    KL1  ql",
        " 0                      :    q",
    ] {
        assert!(drawn.lines().any(|own| own == line), "{line}\n{drawn}");
    }
}

#[test]
fn the_cube_has_its_levels_side_by_side() {
    assert_drawn(
        &drawn(&Position::start(RuleSystem::Millennium)),
        "\
millennium, move 1: White to move
Castling: White 0-0 0-0-0, Black 0-0 0-0-0. Halfmove clock: 0.

    Level 1, White's     Level 2              Level 3, Black's
 8  . : . : . : . :   8  . : . : . : . :   8  r n b q k b n r
 7  : . : . : . : .   7  : . : . : . : .   7  p p p p p p p p
 6  . : . : . : . :   6  . : . : . : . :   6  . : . : . : . :
 5  : . : . : . : .   5  : . : . : . : .   5  : . : . : . : .
 4  . : . : . : . :   4  . : . : . : . :   4  . : . : . : . :
 3  : . : . : . : .   3  : . : . : . : .   3  : . : . : . : .
 2  P P P P P P P P   2  . : . : . : . :   2  . : . : . : . :
 1  R N B Q K B N R   1  : . : . : . : .   1  : . : . : . : .
    a b c d e f g h      a b c d e f g h      a b c d e f g h

Pieces: capitals White, small letters Black. Empty squares: . light, : dark.
",
    );
    let drawn = drawn(&Position::start(RuleSystem::Chess3));
    assert!(drawn.contains("\n    A B C D E F G H      A B C D E F G H      A B C D E F G H\n"));
}

#[test]
fn figurines_and_an_en_passant_square() {
    let mut setup = Setup::empty(None);
    let at = |level, file, rank| cube::try_square(level, file, rank).expect("a square");
    for (square, letter) in [
        (at(0, 4, 0), 'K'),
        (at(0, 4, 1), 'P'),
        (at(2, 4, 7), 'k'),
        (at(1, 3, 3), 'p'),
    ] {
        setup.set_piece(square, Piece::from_letter(letter));
    }
    let mut position = position(RuleSystem::Millennium, &setup);
    let two = Move::Piece {
        from: at(0, 4, 1),
        to: at(2, 4, 3),
        promotion: None,
    };
    position
        .play(two)
        .expect("a double step that changes two levels");
    let options = TextOptions {
        figurines: true,
        labels: Some(Notation::Chess3),
        ..TextOptions::default()
    };
    assert_drawn(
        &text(&position, &options),
        "\
millennium, move 1: Black to move
Castling: none. Halfmove clock: 0. En passant: the pawn on 3E4 has just advanced two.

    Level 1, White's     Level 2              Level 3, Black's
 8  . : . : . : . :   8  . : . : . : . :   8  . : . : ♚ : . :
 7  : . : . : . : .   7  : . : . : . : .   7  : . : . : . : .
 6  . : . : . : . :   6  . : . : . : . :   6  . : . : . : . :
 5  : . : . : . : .   5  : . : . : . : .   5  : . : . : . : .
 4  . : . : . : . :   4  . : . ♟ . : . :   4  . : . : ♙ : . :
 3  : . : . : . : .   3  : . : . : . : .   3  : . : . : . : .
 2  . : . : . : . :   2  . : . : . : . :   2  . : . : . : . :
 1  : . : . ♔ . : .   1  : . : . : . : .   1  : . : . : . : .
    A B C D E F G H      A B C D E F G H      A B C D E F G H

Empty squares: . light, : dark.
",
    );
}

#[test]
fn the_first_lines_tell_check_mate_rights_and_moved_pawns() {
    let start = RuleSystem::Meder.start();
    let a2 = MainBoard::White
        .square(Column::new(1, 2))
        .expect("a2 of White's board");
    let mut setup = start.clone();
    setup.castling = Castling::ALL.without(Color::White, CastlingSide::King);
    setup.moved = SquareSet::of(a2);
    let drawn_setup = |setup: &Setup, labels| {
        let options = TextOptions {
            labels,
            figurines: false,
            ..TextOptions::default()
        };
        let drawn = text(&position(RuleSystem::Meder, setup), &options);
        drawn.lines().take(3).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        drawn_setup(&setup, None),
        "meder, move 1: White to move\n\
         Castling: White 0-0-0, Black 0-0 0-0-0. Halfmove clock: 0.\n\
         Pawns on start squares that are no longer unmoved: a2W."
    );
    assert!(drawn_setup(&setup, Some(Notation::Manual)).ends_with("unmoved: b3,WB."));
    // Labels of the other family are of no use here.
    assert!(drawn_setup(&setup, Some(Notation::Chess3)).ends_with("unmoved: a2W."));

    // One queen gives check, four of them mate.
    let mut setup = Setup::empty(None);
    let at = |level, file, rank| cube::try_square(level, file, rank).expect("a square");
    for (square, letter) in [(at(2, 0, 7), 'k'), (at(0, 4, 0), 'K'), (at(2, 7, 7), 'Q')] {
        setup.set_piece(square, Piece::from_letter(letter));
    }
    setup.turn = Color::Black;
    let in_check = position(RuleSystem::Millennium, &setup);
    assert!(drawn(&in_check).starts_with("millennium, move 1: Black to move, in check\n"));
    for (square, letter) in [(at(2, 7, 6), 'Q'), (at(1, 7, 7), 'Q'), (at(1, 7, 6), 'Q')] {
        setup.set_piece(square, Piece::from_letter(letter));
    }
    let mated = position(RuleSystem::Millennium, &setup);
    assert!(
        drawn(&mated).starts_with("millennium, move 1: Black to move, game over: 1-0 checkmate\n")
    );
}

#[test]
fn every_position_is_drawn_whole_and_in_eighty_columns() {
    let mut state = 42_usize;
    for rules in RuleSystem::ALL {
        for labels in [None, Some(Notation::Meder), Some(Notation::Manual)] {
            let mut position = Position::start(*rules);
            for _ in 0..250 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                // Boards move as often as pieces do, where they can.
                let boards: Vec<_> = moves
                    .iter()
                    .filter(|m| matches!(m, Move::Board { .. }))
                    .collect();
                let played = match boards.get((state >> 40) % (2 * boards.len()).max(1)) {
                    Some(board) => **board,
                    None => moves[(state >> 33) % moves.len()],
                };
                position.play_unchecked(played);
                let figurines = TextOptions {
                    labels,
                    figurines: true,
                    ..TextOptions::default()
                };
                let plain = TextOptions {
                    labels,
                    figurines: false,
                    ..TextOptions::default()
                };
                check(&position, &text(&position, &figurines));
                assert!(text(&position, &plain).is_ascii());
            }
        }
    }
}

/// Every piece is there, on the stair board once among the boards and once in the plan, and no line is too long.
fn check(position: &Position, drawn: &str) {
    let mut pieces: Vec<char> = (0..position.family().squares() as u8)
        .filter_map(|i| position.piece_at(Square::new(i)))
        .map(figurine)
        .collect();
    if position.layout().is_some() {
        pieces.extend_from_slice(&pieces.clone());
    }
    pieces.sort_unstable();
    let mut seen: Vec<char> = drawn.chars().filter(|sign| !sign.is_ascii()).collect();
    seen.sort_unstable();
    assert_eq!(seen, pieces, "{drawn}");
    for line in drawn.lines().skip(4) {
        assert!(line.chars().count() <= 80, "{line}");
        assert_eq!(line, line.trim_end());
    }
}

#[test]
fn a_drawing_holds_its_shape_in_sixty_columns() {
    for rules in RuleSystem::ALL {
        for position in [Position::start(*rules), after_random_moves(*rules, 30)] {
            let narrow = TextOptions {
                width: 60,
                ..TextOptions::default()
            };
            let text = text(&position, &narrow);
            for line in text.lines() {
                assert!(line.chars().count() <= 60, "{line}");
            }
            // Every piece is there, on its board and (on the stair board) on the plan.
            let signs = |text: &str| {
                let pieces = text.lines().skip_while(|line| !line.is_empty());
                let pieces =
                    pieces.filter(|line| line.contains(['.', ':']) && !line.contains("Pieces"));
                pieces
                    .flat_map(str::chars)
                    .filter(|sign| ".:PRQ".contains(*sign))
                    .count()
            };
            assert!(signs(&text) >= position.family().squares() / 2, "{text}");
        }
    }
}

/// A position some plies from the start, the same for ever.
fn after_random_moves(rules: RuleSystem, plies: usize) -> Position {
    let mut position = Position::start(rules);
    for i in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play_unchecked(moves[(i * 7919 + 13) % moves.len()]);
    }
    position
}

#[test]
fn colours_mark_sides_the_last_move_and_check_and_nothing_else_changes() {
    let mut position = Position::start(RuleSystem::Millennium);
    let mv = position.legal_moves()[0];
    let last = crate::Marks::after(&position, mv).last;
    position.play_unchecked(mv);
    let colored = TextOptions {
        color: true,
        last,
        ..TextOptions::default()
    };
    let painted = text(&position, &colored);
    assert!(painted.contains("\x1b[1;33m") && painted.contains("\x1b[1;36m"));
    // The square that was left and the one arrived at.
    assert_eq!(
        painted.matches(";7m").count() + painted.matches("[7m").count(),
        2
    );
    // Squares have a ground of their shade, with the blank before them.
    for ground in ["\x1b[48;5;240m \x1b[0m", "\x1b[48;5;236m \x1b[0m"] {
        assert!(painted.contains(ground));
    }
    let mut plain = String::new();
    let mut rest = painted.as_str();
    while let Some((before, after)) = rest.split_once("\x1b[") {
        plain.push_str(before);
        rest = after
            .split_once('m')
            .expect("the end of a control sequence")
            .1;
    }
    plain.push_str(rest);
    assert_eq!(plain, drawn(&position));
}

/// From Black's side every board is turned: what is on a line and how far from its left end changes places.
#[test]
fn from_blacks_side_boards_are_turned() {
    let draw = |rules, side| {
        let options = TextOptions {
            side,
            ..TextOptions::default()
        };
        text(&Position::start(rules), &options)
    };
    let cube = draw(RuleSystem::Millennium, Color::Black);
    for line in [
        "    Level 3, Black's     Level 2              Level 1, White's",
        " 1  . : . : . : . :   1  . : . : . : . :   1  R N B K Q B N R",
        " 8  r n b k q b n r   8  : . : . : . : .   8  : . : . : . : .",
        "    h g f e d c b a      h g f e d c b a      h g f e d c b a",
    ] {
        assert!(cube.lines().any(|own| own == line), "{line}\n{cube}");
    }
    let stair = draw(RuleSystem::Meder, Color::Black);
    let rows: Vec<&str> = stair.lines().collect();
    let names = rows
        .iter()
        .position(|row| row.trim_start().starts_with("Black's  Neutral  White's"));
    let names = names.unwrap_or_else(|| panic!("{stair}"));
    // Rank 0 is the farthest, rank 9 the nearest; files run from e to z.
    assert!(
        rows[names + 3].starts_with(" 0 ") && rows[names + 12].starts_with(" 9 "),
        "{stair}"
    );
    assert!(
        rows[names + 13].starts_with("    d c b a  d c b a  d c b a  a z "),
        "{stair}"
    );
    // The same pieces as from White's side, and as wide.
    let white = draw(RuleSystem::Meder, Color::White);
    let sorted = |text: &str| {
        let mut signs: Vec<char> = text.chars().collect();
        signs.sort_unstable();
        signs.retain(|sign| *sign != ' ');
        signs
    };
    assert_eq!(sorted(&stair), sorted(&white));
}
