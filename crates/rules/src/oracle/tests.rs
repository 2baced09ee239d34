//! Positions set up by hand, with the moves the rule texts give them, and the counts from the start.
//!
//! The positions are in the tables of `tests/data/oracle`, in lines of these words:
//!
//! ```text
//! rules SYSTEM ...      in the head of a table or of a record: under which rules it holds
//! home PINS             of the attack boards, where a position names none
//! = TITLE               a record
//! start                 the start of a game
//! at [PINS:] PIECES     a position, White to move, move 9
//! set WORD VALUE        changes it: turn, castling, fullmoves, halfmoves, moved
//! with PIECES           the same with more pieces
//! after MOVES           after moves from it
//! then MOVES            after more moves
//! moves SQUARE: ...     exactly these, of the piece there; of boards: `boards: ...`; of all: `all: ...`
//! can, cannot MOVES     some that are among them, and that are not
//! holds SQUARE=PIECE    `-` for none
//! castling, halfmoves, en-passant, moved, outcome, check, attacks
//! ```
//!
//! Squares are written by Meder's coordinates and the *name* of the board (`z0QL` is on White's queen's-side board
//! wherever it is), cube squares as `1e2`. Kings are omitted where they do not matter.

mod cubes;
mod meders;

use super::{attacks, is_check, legal_moves, outcome, perft, play, start};
use crate::{Castling, CastlingSide, Color, Move, Outcome, Piece, Role, RuleSystem, Setup};
use tridex_geometry::stair::{AttackBoard, Board, Corner, Layout, MainBoard, Pin, Surface, board};
use tridex_geometry::{Square, Wing, cube};

const FILES: &str = "zabcde";
const BOARDS: [&str; 4] = ["QL", "KL", "ql", "kl"];

/// A stair square: on attack boards files and ranks of even number come first, wherever the board is.
fn stair_square(text: &str) -> Square {
    let file = FILES.find(&text[..1]).unwrap() as u8;
    let rank: u8 = text[1..2].parse().unwrap();
    match &text[2..] {
        "W" => Square::new(4 * (rank - 1) + file - 1),
        "N" => Square::new(16 + 4 * (rank - 3) + file - 1),
        "B" => Square::new(32 + 4 * (rank - 5) + file - 1),
        name => {
            let index = BOARDS.iter().position(|board| *board == name).unwrap();
            AttackBoard::ALL[index].square(file % 2, rank % 2)
        }
    }
}

fn cube_square(text: &str) -> Square {
    let level: u8 = text[..1].parse().unwrap();
    let file = text.as_bytes()[1] - b'a';
    let rank: u8 = text[2..].parse().unwrap();
    cube::try_square(level - 1, file, rank - 1).unwrap()
}

fn square(setup: &Setup, text: &str) -> Square {
    if setup.layout.is_some() {
        let square = stair_square(text);
        assert_eq!(
            name(setup, square),
            text,
            "no such square with these boards"
        );
        square
    } else {
        cube_square(text)
    }
}

fn name(setup: &Setup, square: Square) -> String {
    let Some(layout) = setup.layout else {
        let file = (b'a' + cube::file(square)) as char;
        return format!(
            "{}{file}{}",
            cube::level(square) + 1,
            cube::rank(square) + 1
        );
    };
    let column = layout.column(square);
    let file = usize::from(column.file());
    let board = match board(square) {
        Board::Main(MainBoard::White) => "W",
        Board::Main(MainBoard::Neutral) => "N",
        Board::Main(MainBoard::Black) => "B",
        Board::Attack(board) => BOARDS[board as usize],
    };
    format!("{}{}{board}", &FILES[file..=file], column.rank())
}

/// `Q1`, `K3v`.
fn pin(text: &str) -> Pin {
    let wing = if text.starts_with('Q') {
        Wing::Queen
    } else {
        Wing::King
    };
    let surface = if text.ends_with('v') {
        Surface::Under
    } else {
        Surface::Over
    };
    Pin::new(wing, Corner::new(text[1..2].parse().unwrap()), surface)
}

fn pin_name(pin: Pin) -> String {
    let wing = if pin.wing() == Wing::Queen { 'Q' } else { 'K' };
    let surface = if pin.surface() == Surface::Under {
        "v"
    } else {
        ""
    };
    format!("{wing}{}{surface}", pin.corner().number())
}

/// Pieces such as `Ke1KL pb4N`; pins of `QL KL ql kl`, or nothing for the cube. White to move, move 9.
fn setup(pins: &str, pieces: &str) -> Setup {
    let pins: Vec<Pin> = pins.split_whitespace().map(pin).collect();
    let layout = match pins.as_slice() {
        [] => None,
        pins => Some(Layout::try_new(pins.try_into().unwrap()).unwrap()),
    };
    let mut setup = Setup::empty(layout);
    put(&mut setup, pieces);
    setup.fullmoves = 9;
    setup
}

/// Puts pieces on squares that are empty.
fn put(setup: &mut Setup, pieces: &str) {
    for piece in pieces.split_whitespace() {
        let held = Piece::from_letter(piece.chars().next().unwrap());
        assert!(held.is_some(), "{piece}");
        let square = square(setup, &piece[1..]);
        assert_eq!(setup.piece(square), None, "{piece}");
        setup.set_piece(square, held);
    }
}

fn spell(setup: &Setup, mv: Move) -> String {
    let letter =
        |role: Option<Role>| role.map_or(String::new(), |role| format!("={}", role.letter()));
    match mv {
        Move::Piece {
            from,
            to,
            promotion,
        } => {
            format!(
                "{}-{}{}",
                name(setup, from),
                name(setup, to),
                letter(promotion)
            )
        }
        Move::EnPassant {
            from,
            to,
            promotion,
        } => {
            format!(
                "{}-{}ep{}",
                name(setup, from),
                name(setup, to),
                letter(promotion)
            )
        }
        Move::Pass => "pass".into(),
        Move::Castle(CastlingSide::King) => "0-0".into(),
        Move::Castle(CastlingSide::Queen) => "0-0-0".into(),
        Move::Board {
            board,
            to,
            turned,
            promotion,
        } => {
            let mut next = setup.clone();
            next.layout = Some(setup.layout.unwrap().moved(board, to).unwrap());
            let promotion = promotion.map_or(String::new(), |promotion| {
                format!(
                    "/{}={}",
                    name(&next, promotion.square),
                    promotion.role.letter()
                )
            });
            let turned = if turned { "r" } else { "" };
            format!(
                "{}>{}{turned}{promotion}",
                BOARDS[board as usize],
                pin_name(to)
            )
        }
    }
}

fn all(rules: RuleSystem, setup: &Setup) -> Vec<String> {
    legal_moves(rules, setup)
        .into_iter()
        .map(|mv| spell(setup, mv))
        .collect()
}

/// Expected words, sorted: `=*` means the four promotions, `=?` these and staying a pawn.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        if let Some(stem) = word.strip_suffix("=*") {
            words.extend(["Q", "R", "B", "N"].map(|letter| format!("{stem}={letter}")));
        } else if let Some(stem) = word.strip_suffix("=?") {
            words.extend(["=Q", "=R", "=B", "=N"].map(|letter| format!("{stem}{letter}")));
            // A board move that promotes nothing does not name the pawn's square.
            words.push(stem.split('/').next().unwrap().to_string());
        } else {
            words.push(word.to_string());
        }
    }
    words.sort();
    words
}

/// Plays several moves.
fn line(rules: RuleSystem, setup: &Setup, moves: &str) -> Setup {
    moves.split_whitespace().fold(setup.clone(), |setup, mv| {
        let found = legal_moves(rules, &setup)
            .into_iter()
            .find(|found| spell(&setup, *found) == mv);
        let Some(found) = found else {
            panic!("{mv} is not among {:?}", all(rules, &setup));
        };
        play(rules, &setup, found)
    })
}

const RIGHTS: [(char, Color, CastlingSide); 4] = [
    ('K', Color::White, CastlingSide::King),
    ('Q', Color::White, CastlingSide::Queen),
    ('k', Color::Black, CastlingSide::King),
    ('q', Color::Black, CastlingSide::Queen),
];

/// A record of a table, under one rule system.
struct Record<'t> {
    rules: RuleSystem,
    home: &'t str,
    /// What `at`, `start` and `set` make.
    base: Setup,
    /// After moves, or with more pieces.
    now: Setup,
}

impl<'t> Record<'t> {
    fn line(&mut self, word: &str, rest: &'t str) {
        let (rules, now) = (self.rules, &self.now);
        let subject = rest.split_once(':').map_or(rest, |(subject, _)| subject);
        let sorted = |found: &dyn Fn(&String) -> Option<String>| {
            let mut found: Vec<String> = all(rules, now).iter().filter_map(found).collect();
            found.sort();
            found
        };
        let has = |mv: &str| all(rules, now).iter().any(|found| found == mv);
        let listed = || words(rest.split_once(':').map_or(rest, |(_, moves)| moves));
        match word {
            "start" | "at" | "set" => {
                match word {
                    "start" => self.base = start(rules),
                    "at" => {
                        let (pins, pieces) = rest.split_once(':').unwrap_or((self.home, rest));
                        self.base = setup(pins, pieces);
                    }
                    _ => self.set(rest.split_once(' ').unwrap()),
                }
                self.now = self.base.clone();
            }
            "with" => {
                self.now = self.base.clone();
                put(&mut self.now, rest);
            }
            "after" => self.now = line(rules, &self.base, rest),
            "then" => self.now = line(rules, now, rest),
            "moves" => {
                let prefix = format!("{}-", name(now, square(now, subject)));
                let of_piece = |mv: &String| mv.strip_prefix(&prefix).map(str::to_string);
                assert_eq!(sorted(&of_piece), listed());
            }
            "boards:" => {
                let of_board = |mv: &String| mv.contains('>').then(|| mv.clone());
                assert_eq!(sorted(&of_board), listed());
            }
            "all:" => assert_eq!(sorted(&|mv| Some(mv.clone())), listed()),
            "can" => listed().iter().for_each(|mv| assert!(has(mv), "{mv}")),
            "cannot" => listed().iter().for_each(|mv| assert!(!has(mv), "{mv}")),
            "holds" => {
                for (at, held) in rest.split_whitespace().map(|w| w.split_once('=').unwrap()) {
                    let is = now.piece(square(now, at)).map_or('-', Piece::letter);
                    assert_eq!(is.to_string(), held, "{at}");
                }
            }
            "castling" => {
                let has = |right: &&(char, Color, CastlingSide)| now.castling.has(right.1, right.2);
                let rights: String = RIGHTS.iter().filter(has).map(|right| right.0).collect();
                assert_eq!(rights, rest);
            }
            "halfmoves" => assert_eq!(now.halfmoves.to_string(), rest),
            "en-passant" => {
                let at = now.en_passant.map(|at| name(now, at));
                assert_eq!(at.as_deref().unwrap_or("-"), rest);
            }
            "moved" => {
                let squares = now.moved.into_iter().map(|at| name(now, at));
                let squares: Vec<String> = squares.collect();
                assert_eq!(squares.join(" "), rest.trim_matches('-'));
            }
            "outcome" => {
                let is = match outcome(rules, now) {
                    None => "-",
                    Some(Outcome::Checkmate {
                        winner: Color::White,
                    }) => "white",
                    Some(Outcome::Checkmate {
                        winner: Color::Black,
                    }) => "black",
                    Some(Outcome::Stalemate) => "stalemate",
                    Some(Outcome::Material) => "material",
                    Some(Outcome::Repetition) => "repetition",
                };
                assert_eq!(is, rest);
            }
            "check" => assert!(is_check(rules, now, color(rest))),
            "attacks" => {
                let (from, to) = rest.split_once(' ').unwrap();
                assert!(attacks(rules, now, square(now, from), square(now, to)));
            }
            _ => panic!("no word of these tables: {word}"),
        }
    }

    fn set(&mut self, (what, value): (&str, &str)) {
        let base = &mut self.base;
        match what {
            "turn" => base.turn = color(value),
            "castling" => {
                let given = RIGHTS.iter().filter(|right| value.contains(right.0));
                base.castling = given.fold(Castling::NONE, |all, right| all.with(right.1, right.2));
            }
            "fullmoves" => base.fullmoves = value.parse().unwrap(),
            "halfmoves" => base.halfmoves = value.parse().unwrap(),
            "moved" => base.moved.insert(square(base, value)),
            _ => panic!("nothing that can be set: {what}"),
        }
    }
}

fn color(text: &str) -> Color {
    let named = |color: &&Color| format!("{color:?}").eq_ignore_ascii_case(text);
    *Color::ALL.iter().find(named).unwrap()
}

/// Compares the oracle with all of a table; returns how many of its lines are checks.
fn ask(table: &str) -> usize {
    let path = format!(
        "{}/../../tests/data/oracle/{table}.txt",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    let mut records = text.split("\n= ").map(|record| {
        let lines = record.lines().map(str::trim_end).enumerate();
        lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
    });
    let head: Vec<&str> = records.next().unwrap().map(|(_, line)| line).collect();
    let named = |word: &str| {
        let lines = head.iter().filter_map(|line| line.split_once(' '));
        lines
            .clone()
            .find(|(key, _)| *key == word)
            .map(|(_, rest)| rest)
    };
    let home = named("home").unwrap_or_default();
    let mut checks = 0;
    for record in records {
        let mut lines = record.skip(1).map(|(_, line)| line).peekable();
        let own = lines.next_if(|line| line.starts_with("rules "));
        let systems = own.map_or_else(|| named("rules").unwrap(), |line| &line["rules ".len()..]);
        let lines: Vec<&str> = lines.collect();
        for rules in systems.split_whitespace() {
            let rules = RuleSystem::from_name(rules).unwrap();
            let base = start(rules);
            let now = base.clone();
            let mut record = Record {
                rules,
                home,
                base,
                now,
            };
            for line in &lines {
                let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
                // A failure is reported with its line.
                eprintln!("{} {line}", rules.name());
                record.line(word, rest);
                checks += usize::from(!["at", "start", "set", "with"].contains(&word));
            }
        }
    }
    checks
}

#[test]
fn meder_as_the_table_says() {
    assert!(ask("meder") > 90);
}

#[test]
fn manual_as_the_table_says() {
    assert!(ask("manual") > 45);
}

#[test]
fn federation_as_the_table_says() {
    assert!(ask("federation") > 65);
}

#[test]
fn the_cubes_as_their_table_says() {
    assert!(ask("cubes") > 100);
}

#[test]
fn counts_from_the_start_agree_with_an_independent_implementation() {
    let counts: [(RuleSystem, &[u64]); 5] = [
        (RuleSystem::Meder, &[20, 400, 9128]),
        (RuleSystem::Manual, &[18, 324, 7640]),
        (RuleSystem::Federation, &[20, 400, 10079]),
        (RuleSystem::Millennium, &[100, 9992]),
        (RuleSystem::Chess3, &[76, 5768]),
    ];
    for (rules, counts) in counts {
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(
                perft(rules, &start(rules), depth),
                *count,
                "{rules:?} {depth}"
            );
        }
    }
}

/// One ply deeper; some seconds where the build is optimised.
#[test]
#[ignore = "slow"]
fn counts_from_the_start_one_ply_deeper() {
    for (rules, depth, count) in [
        (RuleSystem::Meder, 4, 207_888),
        (RuleSystem::Manual, 4, 177_376),
        (RuleSystem::Federation, 4, 249_519),
        (RuleSystem::Millennium, 3, 1_061_917),
        (RuleSystem::Chess3, 3, 477_120),
    ] {
        assert_eq!(perft(rules, &start(rules), depth), count, "{rules:?}");
    }
}

/// Black's board seen from Black's chair is White's: the same position with colours changed has the same counts.
#[test]
fn colours_changed_counts_stay() {
    for rules in [
        RuleSystem::Meder,
        RuleSystem::Manual,
        RuleSystem::Federation,
        RuleSystem::Millennium,
        RuleSystem::Chess3,
    ] {
        let mut here = start(rules);
        // Castling may be forbidden as a first move, and Black's start is none.
        here.fullmoves = 2;
        // Any game will do: a fixed stride through the list of moves.
        for ply in 0..40 {
            let moves = legal_moves(rules, &here);
            here = play(rules, &here, moves[(ply * 37 + 11) % moves.len()]);
            let there = mirrored(rules, &here);
            if legal_moves(rules, &here).is_empty() {
                break;
            }
            assert_eq!(
                legal_moves(rules, &here).len(),
                legal_moves(rules, &there).len(),
                "{rules:?} {ply}"
            );
        }
    }
}

fn mirrored(rules: RuleSystem, setup: &Setup) -> Setup {
    let flip = |square: Square| -> Square {
        let index = square.index() as u8;
        if setup.layout.is_none() {
            let (level, rank, file) = (index / 64, index / 8 % 8, index % 8);
            Square::new(64 * (2 - level) + 8 * (7 - rank) + file)
        } else if index < 48 {
            let (tier, row, file) = (index / 16, index / 4 % 4, index % 4);
            Square::new(16 * (2 - tier) + 4 * (3 - row) + file)
        } else {
            // Boards change owners, their two ranks change places.
            Square::new(48 + ((index - 48) ^ 0b1010))
        }
    };
    let layout = setup.layout.map(|layout| {
        let pins = layout.pins();
        Layout::try_new([2, 3, 0, 1].map(|i: usize| {
            let pin = pins[i].mirrored();
            // In the manual Black's board is also White's turned upside down.
            if rules == RuleSystem::Manual {
                pin.other_surface()
            } else {
                pin
            }
        }))
        .unwrap()
    });
    let mut other = Setup::empty(layout);
    for (square, piece) in setup.pieces() {
        other.set_piece(
            flip(square),
            Some(Piece::new(piece.color.other(), piece.role)),
        );
    }
    other.turn = setup.turn.other();
    other.en_passant = setup.en_passant.map(flip);
    other.moved = setup.moved.into_iter().map(flip).collect();
    other.castling = Castling::NONE;
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if setup.castling.has(color, side) {
                other.castling = other.castling.with(color.other(), side);
            }
        }
    }
    other.fullmoves = setup.fullmoves;
    other
}
