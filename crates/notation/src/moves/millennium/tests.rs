use super::super::cube::level;
use super::*;
use crate::moves::grammar::{self, takes};
use crate::position_string;
use crate::resolve::{ResolveError, resolve};
use crate::text::CheckMark;
use crate::text::{Locale, SyntaxError};
use crate::write;
use tridex_rules::{CastlingSide, RuleSystem};

fn parse(token: &[u8], locale: Option<Locale>) -> Result<MoveText, SyntaxError> {
    crate::parse(Notation::Millennium, token, locale)
}

/// English letters as they should be.
const EN: Hand = Hand::of(Locale::English);

fn place(name: &str) -> Coordinates {
    square(EN).parse(name.as_bytes()).expect(name).1.it
}

fn origin(name: &str) -> Departure {
    match name {
        "" => Departure::default(),
        name => departure(EN).parse(name.as_bytes()).expect(name).1.it,
    }
}

#[test]
fn the_grammar_and_the_functions_agree() {
    grammar::check(
        include_str!("../../../../../grammars/millennium.ebnf"),
        &[
            ("move", |t| parse(t, None).is_ok()),
            ("man_move", |t| takes(t, man_move(EN))),
            ("man", |t| takes(t, man(EN))),
            ("way", |t| takes(t, way(EN))),
            ("departure", |t| takes(t, departure(EN))),
            ("square", |t| takes(t, square(EN))),
            ("aside", |t| takes(t, aside)),
            ("level", |t| takes(t, level)),
            ("file", |t| takes(t, file(EN))),
            ("rank", |t| takes(t, rank)),
        ],
    );
}

#[test]
fn words_are_understood() {
    use Role::{Bishop, Knight, Pawn, Queen, Rook};
    type Case<'a> = (&'a str, Role, &'a str, bool, &'a str, Option<Role>);
    // Token, piece, said of the departure, capture, arrival, promotion.
    let table: &[Case<'_>] = &[
        ("1e4", Pawn, "", false, "1e4", None),
        ("P1e4", Pawn, "", false, "1e4", None),
        ("N2b3", Knight, "", false, "2b3", None),
        ("♞2b3", Knight, "", false, "2b3", None),
        ("Nx2b3", Knight, "", true, "2b3", None),
        ("N:2b3", Knight, "", true, "2b3", None),
        ("ex2d5", Pawn, "e", true, "2d5", None),
        ("Bx2d5", Bishop, "", true, "2d5", None),
        ("bx2d5", Pawn, "b", true, "2d5", None),
        ("b2d5", Pawn, "b", false, "2d5", None),
        ("bd5", Pawn, "b", false, "d5", None),
        ("Nb2d3", Knight, "b", false, "2d3", None),
        ("Nbx2d3", Knight, "b", true, "2d3", None),
        ("N1b2d3", Knight, "1b", false, "2d3", None),
        ("Nb12d3", Knight, "b1", false, "2d3", None),
        ("Nb5d3", Knight, "b5", false, "d3", None),
        ("N1b1-2b3", Knight, "1b1", false, "2b3", None),
        ("N1b1\u{2013}2b3", Knight, "1b1", false, "2b3", None),
        ("N1b1x2b3", Knight, "1b1", true, "2b3", None),
        ("N1b12b3", Knight, "1b1", false, "2b3", None),
        ("1e4x2d5", Pawn, "1e4", true, "2d5", None),
        ("1e4-2e4", Pawn, "1e4", false, "2e4", None),
        ("3e8=Q", Pawn, "", false, "3e8", Some(Queen)),
        ("3e8Q", Pawn, "", false, "3e8", Some(Queen)),
        ("3e8(R)", Pawn, "", false, "3e8", Some(Rook)),
        ("dx3e8=N", Pawn, "d", true, "3e8", Some(Knight)),
        ("2d3e.p.", Pawn, "", false, "2d3", None),
    ];
    for (token, role, from, capture, to, promotion) in table {
        let text = parse(token.as_bytes(), None).unwrap_or_else(|e| panic!("{token}: {e:?}"));
        assert_eq!(
            (text.kind, text.capture),
            (
                MovePattern::Piece(PiecePattern {
                    role: Some(*role),
                    from: origin(from),
                    to: place(to),
                    promotion: *promotion,
                }),
                *capture
            ),
            "{token}"
        );
        let unlevelled = place(to).level.is_none();
        assert_eq!(
            text.notes.has(TokenNote::MissingLevel),
            unlevelled,
            "{token}"
        );
    }
}

#[test]
fn what_follows_a_move_is_read() {
    let read = |token: &str| parse(token.as_bytes(), None).expect(token);
    assert_eq!(read("N2b3+").mark, CheckMark::Check);
    assert_eq!(read("Qx2f2#").mark, CheckMark::Mate);
    assert_eq!(read("Qx2f2++").mark, CheckMark::Mate);
    assert!(read("ex2d3e.p.").en_passant);
    assert!(read("1e4 (=)").draw_offer);
    assert_eq!(read("1e4!?").suffix, 2);
    assert_eq!(read("0-0").kind, MovePattern::Castle(CastlingSide::King));
    assert_eq!(
        read("O-O-O+").kind,
        MovePattern::Castle(CastlingSide::Queen)
    );
}

#[test]
fn letters_are_those_of_the_language() {
    let read = |token: &str, locale| match parse(token.as_bytes(), Some(locale)) {
        Ok(MoveText {
            kind: MovePattern::Piece(text),
            ..
        }) => text.role,
        _ => None,
    };
    assert_eq!(read("S2b3", Locale::German), Some(Role::Knight));
    assert_eq!(read("P2b3", Locale::Dutch), Some(Role::Knight));
    assert_eq!(read("P2b3", Locale::English), Some(Role::Pawn));
    assert_eq!(read("S2b3", Locale::English), None);
}

#[test]
fn errors_say_where_and_what() {
    let table = [
        ("", 0, MAN),
        ("Z2b3", 0, MAN),
        ("y2b3", 0, MAN),
        ("N", 1, "a file a to h"),
        ("N2", 2, "a file a to h"),
        ("N2i3", 2, "a file a to h"),
        ("4e4", 0, "a level 1 to 3"),
        ("1e9", 2, "a rank 1 to 8"),
        ("ex", 2, "a file a to h"),
        ("ex4d5", 2, "a level 1 to 3"),
        ("e", 1, "a rank 1 to 8"),
        ("1e4-", 4, "a file a to h"),
        ("1e4 x", 3, "the end of the move"),
        ("3e8=K", 3, "the end of the move"),
        ("0-1", 2, "castling, 0-0 or 0-0-0"),
    ];
    for (token, offset, expected) in table {
        assert_eq!(
            parse(token.as_bytes(), None),
            Err(SyntaxError { offset, expected }),
            "{token}"
        );
    }
}

fn position(text: &str) -> Position {
    let setup = position_string::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    Position::from_setup(RuleSystem::Millennium, &setup).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn spelled(position: &Position, mv: Move) -> String {
    let mut out = String::new();
    write(
        Notation::Millennium,
        position,
        mv,
        &WriteOptions::default(),
        &mut out,
    )
    .unwrap();
    out
}

/// Empty levels for the position strings below.
const EMPTY: &str = "8/8/8/8/8/8/8/8";
const KING_AND_PAWN: &str = "8/8/8/8/8/8/4P3/K7";

#[test]
fn departures_are_written_where_they_are_needed() {
    let full =
        |first: &str, level2: &str, level1: &str| format!("{first}|{level2}|{level1} w - - - 0 1");
    let king = "4k3/8/8/8/8/8/8/8";
    // Position, a move in long form, its canonical spelling. Knight steps: (2,1,0) in any order (seed 002, 2.2).
    let table = [
        // Alone.
        (full(king, EMPTY, "8/8/8/8/8/8/8/1N2K3"), "N1b1-2b3", "N2b3"),
        // 1b1 and 1d1 both reach 2c... only by file: (1,0,2) does not exist, (1,2,0) does: 1c3.
        (
            full(king, EMPTY, "8/8/8/8/8/8/8/1N1NK3"),
            "N1b1-1c3",
            "Nb1c3",
        ),
        (
            full(king, EMPTY, "8/8/8/8/8/8/8/1N1NK3"),
            "N1d1-1c3",
            "Nd1c3",
        ),
        // 1b1 and 1b5 both reach 2b3: the file does not tell them apart.
        (
            full(king, EMPTY, "8/8/8/1N6/8/8/8/1N2K3"),
            "N1b1-2b3",
            "N1b1-2b3",
        ),
        (
            full(king, "8/8/8/8/8/1p6/8/8", "8/8/8/1N6/8/8/8/1N2K3"),
            "N1b5x2b3",
            "N1b5x2b3",
        ),
        // Levels apart on one file: rooks on 1a1 and 3a1 both reach 2a1.
        (
            full("4k3/8/8/8/8/8/8/R7", EMPTY, "8/8/8/8/8/8/8/R3K3"),
            "R3a1-2a1",
            "R3a1-2a1",
        ),
        // Three: two on one file, one elsewhere; the one elsewhere needs its file only.
        (
            full(king, EMPTY, "8/8/8/1N6/8/8/8/1N1NK3"),
            "N1d1-1c3",
            "Nd1c3",
        ),
        (
            full(king, EMPTY, "8/8/8/1N6/8/8/8/1N1NK3"),
            "N1b1-1c3",
            "N1b1-1c3",
        ),
        // A pinned rival is none: the knight on 1e2 may not leave the file of its king.
        (
            full(
                "k3r3/8/8/8/8/8/8/8",
                "4r3/8/8/8/8/8/8/8",
                "4r3/8/8/8/8/8/4N3/N3K3",
            ),
            "N1a1-1c2",
            "N1c2",
        ),
        // Pushes: 1e4 and 2e4 can both push to 1e5 (seed 002, 2.7).
        (
            full(king, "8/8/8/8/4P3/8/8/8", "8/8/8/8/4P3/8/8/4K3"),
            "1e4-1e5",
            "1e4-1e5",
        ),
        (full(king, EMPTY, "8/8/8/8/4P3/8/8/4K3"), "1e4-2e5", "2e5"),
        // Captures: 1e4 and 2e4 can both take on 2d5; alone, the file is enough; from another file, it is enough too.
        (
            full(king, "8/8/8/3p4/4P3/8/8/8", "8/8/8/8/4P3/8/8/4K3"),
            "1e4x2d5",
            "1e4x2d5",
        ),
        (
            full(king, "8/8/8/3p4/8/8/8/8", "8/8/8/8/4P3/8/8/4K3"),
            "1e4x2d5",
            "ex2d5",
        ),
        (
            full(king, "8/8/8/3p4/2P5/8/8/8", "8/8/8/8/4P3/8/8/4K3"),
            "1e4x2d5",
            "ex2d5",
        ),
        // A capture on a square to which no other pawn could push, as it is held: judged apart.
        (
            full(king, "8/8/8/3p4/3P4/8/8/8", "8/8/8/8/4P3/8/8/4K3"),
            "1e4x2d5",
            "ex2d5",
        ),
        // Promotion.
        (
            full("k7/4P3/8/8/8/8/8/8", EMPTY, "8/8/8/8/8/8/8/4K3"),
            "3e7-3e8=R",
            "3e8=R+",
        ),
        (
            full("k7/8/8/8/8/8/8/8", "8/4P3/8/8/8/8/8/8", "8/8/8/8/8/8/8/4K3"),
            "2e7-3e8=N",
            "3e8=N",
        ),
    ];
    for (text, long, canonical) in table {
        let position = position(&text);
        let words = parse(long.as_bytes(), None).expect(long);
        let mv = resolve(&words, &position).unwrap_or_else(|e| panic!("{text} {long}: {e}"));
        assert_eq!(spelled(&position, mv), canonical, "{text} {long}");
        let words = parse(canonical.as_bytes(), None).expect(canonical);
        assert_eq!(resolve(&words, &position), Ok(mv), "{text} {canonical}");
    }
}

#[test]
fn en_passant_is_written_as_a_capture_without_a_mark() {
    // Seed 002, 3.2: White plays 1e2 to 3e4, black pawns take on 2e3.
    let mut position = position(&format!(
        "k7/8/8/8/3p4/8/8/8|{EMPTY}|8/8/8/8/5p2/8/4P3/K7 w - - - 0 1"
    ));
    position
        .play(resolve(&parse(b"3e4", None).unwrap(), &position).unwrap())
        .unwrap();
    for token in ["dx2e3", "fx2e3"] {
        let mv = resolve(&parse(token.as_bytes(), None).unwrap(), &position).unwrap();
        assert!(matches!(mv, Move::EnPassant { .. }));
        assert_eq!(spelled(&position, mv), token);
    }
}

#[test]
fn a_push_and_an_en_passant_capture_to_one_square_are_judged_apart() {
    // Chess3 lets pawns take straight ahead on other levels (ruling Q7): after 1e2-1e4 both pawns of the e file can come to
    // 1e3, the one by a push, the other by taking.
    let setup = position_string::parse(&format!(
        "k7/8/8/8/8/8/8/8|8/8/8/8/4p3/4p3/8/8|{KING_AND_PAWN} w - - - 0 1"
    ))
    .unwrap();
    let mut position = Position::from_setup(RuleSystem::Chess3, &setup).unwrap();
    let double = resolve(&parse(b"1e4", None).unwrap(), &position).unwrap();
    position.play(double).unwrap();
    for (long, short) in [("2e3-1e3", "1e3"), ("2e4x1e3", "ex1e3")] {
        let mv = resolve(&parse(long.as_bytes(), None).unwrap(), &position).unwrap();
        assert_eq!(spelled(&position, mv), short);
        let words = parse(short.as_bytes(), None).unwrap();
        assert_eq!(resolve(&words, &position), Ok(mv));
    }
}

#[test]
fn a_level_left_out_is_settled_by_the_position() {
    let position = position(&format!(
        "4k3/8/8/8/8/8/8/8|{EMPTY}|8/8/8/8/8/8/8/1N2K3 w - - - 0 1"
    ));
    let read = |token: &str| resolve(&parse(token.as_bytes(), None).unwrap(), &position);
    // Of the squares b3 a knight on 1b1 reaches 2b3 only (seed 002, 2.2).
    assert_eq!(read("Nb3"), read("N2b3"));
    assert!(read("Nb3").is_ok());
    // The king can go to 1e2 and 2e2.
    assert!(matches!(read("Ke2"), Err(ResolveError::Ambiguous(moves)) if moves.len() == 2));
}

#[test]
fn a_move_that_fits_two_pieces_is_not_settled_in_silence() {
    let position = position(&format!(
        "4k3/8/8/8/8/8/8/8|{EMPTY}|8/8/8/1N6/8/8/8/1N2K3 w - - - 0 1"
    ));
    let words = parse(b"N2b3", None).unwrap();
    match resolve(&words, &position) {
        Err(ResolveError::Ambiguous(moves)) => {
            let names: Vec<_> = moves.iter().map(|mv| spelled(&position, *mv)).collect();
            assert_eq!(names, ["N1b1-2b3", "N1b5-2b3"]);
        }
        other => panic!("{other:?}"),
    }
}

/// Davis - D'Agostino, correspondence 2006, 0-1: a game of the inventor of the rules, in his own spelling.
const DAVIS_DAGOSTINO: &str = "N2g3 B2b7 B3e3 N3c6 N2b3 B2g7 N2a5 Q1b6 N3c5 Qx1b2 Nx3b7 Q3b4 N3c5 Q3e1+ Q2e1 Q3c3+ \
    K2f1 Qx1a1 Q2c1 B2a6+ 2e2 Qx1a2 N2c7 R2h7 N1e7+ K2e8 N1c6 R1c8 Nx3c7 Rx1c2 Q2c7 Q2b1+ K1g1 N3e5 Q1d7+ K2f8 B2f4 \
    Q2d1 Bx3e5 Q3e1+ K2g1 Qx3e5 Q2e7+ K1g7 Qx3d7 B2d4+ 2e3 R2c1+ K1g1 Q3g3+ 2g2 R2f1+ Nx2f1 B3e3+ 2f2 Qx2f2#";

#[test]
fn the_inventors_game_is_read_and_written_as_he_wrote_it() {
    let mut position = Position::start(RuleSystem::Millennium);
    for (ply, token) in (1..).zip(DAVIS_DAGOSTINO.split_ascii_whitespace()) {
        let words =
            parse(token.as_bytes(), None).unwrap_or_else(|e| panic!("{ply} {token}: {e:?}"));
        let mv = resolve(&words, &position).unwrap_or_else(|e| panic!("{ply} {token}: {e}"));
        assert_eq!(spelled(&position, mv), token, "ply {ply}");
        position.play_unchecked(mv);
    }
    assert!(position.is_checkmate());
    assert_eq!(position.turn(), tridex_rules::Color::White);
}

/// Numbers that look random and are the same every time.
struct SplitMix(u64);

impl SplitMix {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

#[test]
fn every_legal_move_is_read_back_in_its_canonical_spelling_and_in_fuller_ones() {
    let mut random = SplitMix(2001);
    let mut seen = [0_usize; 4];
    for rules in [RuleSystem::Millennium, RuleSystem::Chess3] {
        for _ in 0..12 {
            let mut position = Position::start(rules);
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mut texts = Vec::new();
                // All moves now and then, a few at every ply.
                let step = if position.fullmoves().is_multiple_of(10) {
                    1
                } else {
                    17
                };
                for &mv in moves.iter().step_by(step) {
                    let text = spelled(&position, mv);
                    let words = parse(text.as_bytes(), None)
                        .unwrap_or_else(|e| panic!("{}: {text}: {e:?}", fen(&position)));
                    assert!(words.notes.is_empty(), "{text}");
                    assert_eq!(
                        crate::parse_by_grammar(
                            Notation::Millennium,
                            text.as_bytes(),
                            Locale::English
                        ),
                        Ok(words)
                    );
                    assert_eq!(
                        resolve(&words, &position),
                        Ok(mv),
                        "{}: {text}",
                        fen(&position)
                    );
                    assert_eq!(words.capture, position.is_capture(mv));
                    for fuller in fuller(&position, mv) {
                        let words = parse(fuller.as_bytes(), None).expect(&fuller);
                        assert_eq!(
                            resolve(&words, &position),
                            Ok(mv),
                            "{}: {fuller}",
                            fen(&position)
                        );
                    }
                    seen[0] += usize::from(text.contains('-') && !text.contains("0-0"));
                    seen[1] += usize::from(text.contains('='));
                    seen[2] += usize::from(text.contains('+'));
                    seen[3] += usize::from(matches!(mv, Move::Castle(_)));
                    texts.push(text);
                }
                let count = texts.len();
                texts.sort_unstable();
                texts.dedup();
                assert_eq!(
                    texts.len(),
                    count,
                    "two moves with one spelling: {}",
                    fen(&position)
                );
                let mv = moves[random.below(moves.len())];
                position.play_unchecked(mv);
            }
        }
    }
    assert!(seen.iter().all(|n| *n > 0), "{seen:?}");
}

fn fen(position: &Position) -> String {
    position_string::to_string(&position.to_setup())
}

/// Spellings that say more than is needed.
fn fuller(position: &Position, mv: Move) -> Vec<String> {
    let (Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. }) = mv else {
        return Vec::new();
    };
    let name = |square| crate::names::square(Notation::Millennium, None, square);
    let man = position.piece_at(from).expect("a man moves").role;
    let letter = letter_of_role(Locale::English, man)
        .map(|letter| char::from(letter).to_string())
        .unwrap_or_default();
    let mark = if position.is_capture(mv) { "x" } else { "-" };
    let promotion = mv
        .promotion()
        .map(|r| r.letter().to_string())
        .unwrap_or_default();
    let (from, to) = (name(from), name(to));
    let mut all = vec![format!("{letter}{from}{mark}{to}{promotion}")];
    if mark == "-" {
        all.push(format!("{letter}{from}{to}({promotion})").replace("()", ""));
    }
    all
}

#[test]
fn no_bytes_make_the_reader_panic_and_the_short_way_reads_as_the_long_one() {
    let alphabet = b"NBRQKPabceh123478xX:-=()+#!?O0. \xE2\x99\x98\x80\x93\xFFz9";
    let mut random = SplitMix(3);
    let mut words = 0;
    for _ in 0..400_000 {
        let length = random.below(9);
        let token: Vec<u8> = (0..length)
            .map(|_| alphabet[random.below(alphabet.len())])
            .collect();
        let read = parse(&token, None);
        assert_eq!(
            read,
            crate::parse_by_grammar(Notation::Millennium, &token, Locale::English),
            "{token:?}"
        );
        match read {
            Ok(_) => words += 1,
            Err(error) => assert!(error.offset <= token.len()),
        }
    }
    assert!(words > 100, "{words}");
}
