//! The words of a sequence: colours, names, pieces, squares, and moves in any notation.

use super::{Load, MoveTest, Subject, Who};
use crate::query::parsing::blanks;
use crate::query::pattern::Place;
use crate::query::pattern::parser::{self as places, PIN, PLACE};
pub(super) use crate::query::pattern::parser::{whole_file as file, whole_rank as rank};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::take_while1;
use nom::combinator::{cut, map_opt, value, verify};
use nom::sequence::preceded;
use tridex_geometry::Family;
use tridex_grammar::{Parsed, Text, as_one, inside};
use tridex_notation::{CheckMark, MovePattern, MoveText, Notation, TokenNote};
use tridex_rules::{Color, Coordinates, Departure, Role};

/// The keywords of the language, which cannot be names of pieces.
pub(super) const WORDS: [&str; 47] = [
    "then",
    "next",
    "within",
    "plies",
    "ply",
    "until",
    "before",
    "not",
    "and",
    "or",
    "times",
    "in",
    "a",
    "row",
    "pattern",
    "material",
    "white",
    "black",
    "move",
    "castling",
    "castles",
    "board",
    "QL",
    "KL",
    "piece",
    "king",
    "queen",
    "rook",
    "bishop",
    "knight",
    "pawn",
    "as",
    "takes",
    "from",
    "to",
    "file",
    "rank",
    "check",
    "mate",
    "promotes",
    "passant",
    "carries",
    "empty",
    "turns",
    "en",
    "double",
    "discovered",
];

pub(super) fn color(input: &str) -> Parsed<&str, Color> {
    let white = value(Color::White, word("white"));
    alt((white, value(Color::Black, word("black")))).parse(input)
}

/// `name`: a letter, then letters, digits and `_`; neither a keyword nor a move.
pub(super) fn name(input: &str) -> Parsed<&str, &str> {
    verify(take_while1(is_part), is_name).parse(input)
}

pub(super) fn is_word(text: &str) -> bool {
    WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !is_word(text)
        && role(text).is_err()
        && written(text).is_err()
}

pub(super) fn role(input: &str) -> Parsed<&str, Role> {
    let known = |name: &str| {
        let is_it = |role: &Role| {
            role.name().eq_ignore_ascii_case(name) || name.chars().eq([role.letter()])
        };
        Role::ALL.into_iter().find(is_it)
    };
    map_opt(take_while1(is_part), known).parse(input)
}

/// A pin, as defined in `pattern.ebnf`.
pub(super) fn pin(input: &str) -> Parsed<&str, Place> {
    as_one(PIN, token(places::pin)).parse(input)
}

pub(super) fn spot(input: &str) -> Parsed<&str, Place> {
    alt((
        preceded((word("file"), blanks), cut(file)),
        preceded((word("rank"), blanks), cut(rank)),
        as_one(PLACE, token(places::place)),
    ))
    .parse(input)
}

/// `written`: a move in any notation, in every way it can be read.
pub(super) fn written(input: &str) -> Parsed<&str, Vec<MoveTest>> {
    let known = |token: &str| {
        let mut tests: Vec<MoveTest> = Vec::new();
        for notation in Notation::ALL {
            let Ok(text) = tridex_notation::parse(notation, token.as_bytes(), None) else {
                continue;
            };
            // Variants that people commonly write are accepted. Slips are not, since a query is not a record.
            let forgiven = [
                TokenNote::MissingLevel,
                TokenNote::Spelling,
                TokenNote::PawnLetter,
            ];
            let notes = forgiven
                .into_iter()
                .fold(text.notes, |notes, note| notes.without(note));
            let test = of_text(&text, notation.family());
            if notes.is_empty() && !tests.contains(&test) {
                tests.push(test);
            }
        }
        (!tests.is_empty()).then_some(tests)
    };
    map_opt(take_while1(is_part), known).parse(input)
}

pub(super) fn of_text(text: &MoveText, family: Family) -> MoveTest {
    let place = |spot| (spot != Departure::default()).then(|| Place::of(family, spot));
    let square =
        |square: Coordinates| place(places::square((square.file, square.rank), square.level));
    let test = MoveTest {
        check: text.mark == CheckMark::Check,
        mate: text.mark == CheckMark::Mate,
        ..MoveTest::default()
    };
    match *text.pattern() {
        MovePattern::Piece(piece) => MoveTest {
            moves: Load::Piece(Who {
                role: piece.role,
                ..Who::default()
            }),
            from: place(piece.from),
            to: square(piece.to),
            takes: match text.captures() || text.en_passant {
                true => Load::Piece(Who::default()),
                false => Load::Nothing,
            },
            promotes: piece.promotion.map(Some),
            en_passant: text.en_passant,
            ..test
        },
        MovePattern::Castle(side) => MoveTest {
            subject: Subject::Castling(Some(side)),
            ..test
        },
        MovePattern::Board(board) => {
            let pin = |pin| Place::pin(pin, board.either_surface);
            let (promoted_on, role) = board.promotion.unzip();
            MoveTest {
                subject: Subject::Board(None),
                from: board.from.map(pin),
                to: Some(pin(board.to)),
                turned: Some(board.turned),
                promotes: role.map(Some),
                promoted_on: promoted_on.flatten().and_then(square),
                ..test
            }
        }
    }
}

pub(super) fn is_part(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '(' | ')')
}

/// A word up to a blank or bracket, all of which must match a rule.
pub(super) fn token<'a, T>(rule: impl Text<'a, T>) -> impl Text<'a, T> {
    inside(take_while1(is_part), rule)
}

/// A keyword, in any case.
pub(super) fn word<'a>(word: &'static str) -> impl Text<'a, ()> {
    let is_it = move |token: &&str| token.eq_ignore_ascii_case(word);
    value((), verify(take_while1(is_part), is_it))
}
