//! Reads position strings. Every rule of `grammars/position.ebnf` has a function of its name here or in `ranks.rs`.

use super::CASTLING_LETTERS;
use super::ranks::{Pieces, board_ranks, level_ranks, rank, ranks};
use crate::names;
use crate::text::{Coordinates, Level, Locale};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, one_of, space1};
use nom::combinator::{eof, flat_map, map_opt, not, opt, peek, success, value};
use nom::sequence::preceded;
use tridex_geometry::stair::{AttackBoard, Board, Corner, Layout, MainBoard, Pin, Surface};
use tridex_geometry::{Family, Square, SquareSet, Wing, cube};
use tridex_grammar::{
    Parsed, SyntaxError, Text, TextPart, distinct, each, expected, meaning, whole, within,
};
use tridex_rules::{Castling, Color, Piece, Setup};

/// Reads a position string of either family.
///
/// These deviations are accepted, and the writer does not repeat them: spaces around the text, several spaces between
/// fields, attack boards, castling letters and moved pawns in any order, pins written `QL1` instead of `Q1`, adjacent
/// counts of empty squares, and both counters omitted (they default to 0 and 1).
///
/// ```
/// use tridex_notation::position_string;
/// use tridex_rules::RuleSystem;
/// let start = RuleSystem::Meder.start();
/// let line = position_string::to_string(&start);
/// assert_eq!(position_string::parse(&line)?, start);
/// let error = position_string::parse("8/8 w").unwrap_err();
/// assert_eq!(error.part.map(|part| part.name), Some("placement"));
/// # Ok::<(), tridex_notation::SyntaxError>(())
/// ```
///
/// # Errors
/// The byte offset at which the text could not be read, and the field there. Whether the position can be played is
/// checked by [`Position::from_setup`](tridex_rules::Position::from_setup).
pub fn parse(text: &str) -> Result<Setup, SyntaxError> {
    whole(text, END, position)
}

/// A field of a position string, with the message for a text in which it is missing.
pub(crate) struct Field {
    part: TextPart,
    missing: &'static str,
}

impl Field {
    const fn new(name: &'static str, missing: &'static str) -> Self {
        let text = "position string";
        let part = TextPart { text, name };
        Self { part, missing }
    }

    /// Parses a space and then the field by a rule.
    fn after_space<'a, T>(&self, rule: impl Text<'a, T>) -> impl Text<'a, T> {
        let space = (
            expected(self.missing, space1),
            expected(self.missing, not(eof)),
        );
        preceded(space, rule)
    }

    /// The same, but errors name the field.
    fn of<'a, T>(&'static self, rule: impl Text<'a, T>) -> impl Text<'a, T> {
        within(&self.part, self.after_space(rule))
    }
}

static PLACEMENT: Field = Field::new("placement", "a placement");
static TURN: Field = Field::new("side to move", "a space and the side to move");
static CASTLING: Field = Field::new("castling", "a space and the castling rights");
static EN_PASSANT: Field = Field::new("en passant", "a space and the en passant square");
static MOVED: Field = Field::new("moved pawns", "a space and the moved pawns");
static HALFMOVES: Field = Field::new("half-move count", "a space and the half-move count");
static FULLMOVES: Field = Field::new("move number", "a space and the move number");

const END: &str = "the end of the position string";

pub(super) fn position(input: &str) -> Parsed<&str, Setup> {
    let blank = || take_while(char::is_whitespace);
    let placed = within(&PLACEMENT.part, placement);
    let (rest, mut setup) = preceded(blank(), placed).parse(input)?;
    let layout = setup.layout;
    let layout = layout.as_ref();
    let end = || within(&FULLMOVES.part, preceded(blank(), expected(END, eof)));
    let counters = alt((
        value((setup.halfmoves, setup.fullmoves), peek(end())),
        (HALFMOVES.of(counter), FULLMOVES.of(counter)),
    ));
    let mut fields = (
        TURN.of(turn),
        CASTLING.of(castling),
        EN_PASSANT.of(en_passant(layout)),
        MOVED.of(moved(layout)),
        counters,
        end(),
    );
    let rest = {
        let (rest, (turn, castling, en_passant, moved, counters, _)) = fields.parse(rest)?;
        (setup.turn, setup.castling) = (turn, castling);
        (setup.en_passant, setup.moved) = (en_passant, moved);
        (setup.halfmoves, setup.fullmoves) = counters;
        rest
    };
    Ok((rest, setup))
}

/// Parses the five fields of FEN that follow a placement, and adds them to the setup `placed`.
pub(crate) fn fields<'a>(
    placed: Setup,
    en_passant: impl Text<'a, Option<Square>>,
) -> impl Text<'a, Setup> {
    let fields = (
        TURN.after_space(turn),
        CASTLING.after_space(castling),
        EN_PASSANT.after_space(en_passant),
        HALFMOVES.after_space(counter),
        FULLMOVES.after_space(counter),
    );
    fields.map(move |(turn, castling, en_passant, halfmoves, fullmoves)| {
        let mut setup = placed.clone();
        (setup.turn, setup.castling, setup.en_passant) = (turn, castling, en_passant);
        (setup.halfmoves, setup.fullmoves) = (halfmoves, fullmoves);
        setup
    })
}

/// Guesses the board family from the shape of a text, even if the text cannot be parsed; `None` if it does not look
/// like a position.
///
/// ```
/// use tridex_geometry::Family;
/// use tridex_notation::position_string::board_of;
///
/// assert_eq!(board_of("nbbnn/pppp/4/4|4/"), Some(Family::Stair));
/// assert_eq!(board_of("rnbqkbnrr/pppppppp/8/8"), Some(Family::Cube));
/// assert_eq!(board_of("b4N b5B"), None);
/// ```
#[must_use]
pub fn board_of(text: &str) -> Option<Family> {
    let placement = text.split_ascii_whitespace().next()?;
    let (first, rest) = placement.split_once('/')?;
    let squares = |rank: &str| -> u32 { rank.chars().map(|c| c.to_digit(10).unwrap_or(1)).sum() };
    // Whether the width is closer to four squares than to eight.
    let is_narrow = |rank: &str| squares(rank) < 6;
    let second = rest.split(['/', '|']).next().unwrap_or_default();
    match placement.contains('@') || is_narrow(first) && is_narrow(second) {
        true => Some(Family::Stair),
        false => Some(Family::Cube),
    }
}

/// The board family of a text. Only the stair board has pins, or a first board of at most four ranks whose first rank
/// has at most four squares.
fn family(text: &str) -> Family {
    let placement = text.split_ascii_whitespace().next().unwrap_or("");
    if placement.contains('@') {
        return Family::Stair;
    }
    let first_board = placement.split('|').next().unwrap_or("");
    let first_rank = first_board.split('/').next().unwrap_or("");
    let width: u32 = first_rank
        .chars()
        .map(|c| c.to_digit(10).unwrap_or(1))
        .sum();
    if width <= 4 && first_board.split('/').count() <= 4 {
        Family::Stair
    } else {
        Family::Cube
    }
}

pub(super) fn placement(input: &str) -> Parsed<&str, Setup> {
    match family(input) {
        Family::Stair => stair_placement(input),
        Family::Cube => cube_placement(input),
    }
}

/// A setup with only these pieces.
pub(crate) fn setup_of(layout: Option<Layout>, pieces: impl IntoIterator<Item = Pieces>) -> Setup {
    let mut setup = Setup::empty(layout);
    for (square, piece) in pieces.into_iter().flatten() {
        setup.set_piece(square, Some(piece));
    }
    setup
}

pub(super) fn stair_placement(input: &str) -> Parsed<&str, Setup> {
    let bar = |what| expected(what, char('|'));
    let mains = each(
        MainBoard::ALL.into_iter().rev(),
        |input, _| bar("`|` and the next board").parse(input),
        |input, board, _| main_board(board).parse(input),
    );
    let attacks = each(
        AttackBoard::ALL,
        |input, _| bar("`|` and the next attack board").parse(input),
        |input, _, before: &[Attached]| attack_board(before).parse(input),
    );
    let boards = (mains, bar("`|` and the next board"), attacks);
    meaning(
        boards,
        "attack boards on four pins",
        |(mains, _, attacks)| {
            let pin = |board| Some(attacks.iter().find(|attached| attached.board == board)?.pin);
            let [a, b, c, d] = AttackBoard::ALL.map(pin);
            let layout = Layout::try_new([a?, b?, c?, d?]).ok()?;
            let attacks = attacks.into_iter().map(|attached| attached.pieces);
            Some(setup_of(Some(layout), mains.into_iter().chain(attacks)))
        },
    )
    .parse(input)
}

pub(super) fn cube_placement(input: &str) -> Parsed<&str, Setup> {
    let bar = |input, _: &u8| expected("`|` and the next level", char('|')).parse(input);
    let levels = (0..cube::LEVELS).rev();
    each(levels, bar, |input, level, _| {
        cube_level(level).parse(input)
    })
    .map(|pieces| setup_of(None, pieces))
    .parse(input)
}

pub(super) fn main_board<'a>(board: MainBoard) -> impl Text<'a, Pieces> {
    ranks(board_ranks(Board::Main(board)), stair_rank)
}

pub(super) fn cube_level<'a>(level: u8) -> impl Text<'a, Pieces> {
    ranks(level_ranks(level), cube_rank)
}

/// An attack board, its pin and its pieces.
pub(super) struct Attached {
    board: AttackBoard,
    pin: Pin,
    pieces: Pieces,
}

/// Parses an attack board; neither the board nor its pin may be among those in `before`.
pub(super) fn attack_board<'a>(before: &[Attached]) -> impl Text<'a, Attached> {
    let is_new = |board| before.iter().all(|other| other.board != board);
    let is_free = |pin| before.iter().all(|other| other.pin != pin);
    let board = meaning(
        expected("an attack board: QL, KL, ql or kl", board_name),
        "an attack board that is not yet placed",
        move |board| is_new(board).then_some(board),
    );
    let pin = meaning(pin, "a pin without another attack board", move |pin| {
        is_free(pin).then_some(pin)
    });
    let on = expected("`@` and a pin", char('@'));
    let colon = expected("`:` and the two ranks of the attack board", char(':'));
    flat_map((board, on, pin, colon), |(board, _, pin, _)| {
        ranks(board_ranks(Board::Attack(board)), attack_rank).map(move |pieces| Attached {
            board,
            pin,
            pieces,
        })
    })
}

pub(super) fn stair_rank<'a>(
    squares: impl Iterator<Item = Square> + Clone,
) -> impl Text<'a, Pieces> {
    let what = "a piece letter or a count of empty squares, four squares in all";
    rank(squares, what, piece)
}

pub(super) fn attack_rank<'a>(
    squares: impl Iterator<Item = Square> + Clone,
) -> impl Text<'a, Pieces> {
    let what = "a piece letter or a count of empty squares, two squares in all";
    rank(squares, what, piece)
}

pub(super) fn cube_rank<'a>(
    squares: impl Iterator<Item = Square> + Clone,
) -> impl Text<'a, Pieces> {
    let what = "a piece letter or a count of empty squares, eight squares in all";
    rank(squares, what, piece)
}

pub(super) fn board_name(input: &str) -> Parsed<&str, AttackBoard> {
    let name = |board| value(board, tag(names::manual_board(board)));
    alt(AttackBoard::ALL.map(name)).parse(input)
}

pub(super) fn pin(input: &str) -> Parsed<&str, Pin> {
    let wing = expected("a pin: Q or K and a number 1 to 6", wing);
    (wing, opt(char('L')), pin_tail)
        .map(|(wing, _, (corner, surface))| Pin::new(wing, corner, surface))
        .parse(input)
}

pub(super) fn wing(input: &str) -> Parsed<&str, Wing> {
    alt((value(Wing::Queen, char('Q')), value(Wing::King, char('K')))).parse(input)
}

/// The number of a pin, and `v` if the pin is under the board.
pub(super) fn pin_tail(input: &str) -> Parsed<&str, (Corner, Surface)> {
    let corner = map_opt(one_of("123456"), |digit| {
        Corner::try_new(digit as u8 - b'0')
    });
    let under = value(Surface::Under, char('v'));
    (
        expected("a pin number 1 to 6", corner),
        opt(under).map(|under| under.unwrap_or(Surface::Over)),
    )
        .parse(input)
}

pub(crate) fn piece(input: &str) -> Parsed<&str, Piece> {
    meaning(one_of("PNBRQKpnbrqk"), "a piece letter", Piece::from_letter).parse(input)
}

pub(super) fn turn(input: &str) -> Parsed<&str, Color> {
    let letter = alt((
        value(Color::White, char('w')),
        value(Color::Black, char('b')),
    ));
    expected("the side to move, w or b", letter).parse(input)
}

pub(super) fn castling(input: &str) -> Parsed<&str, Castling> {
    const RIGHTS: &str = "castling rights out of K, Q, k, q, each at most once, or -";
    let right = map_opt(one_of("KQkq"), |letter| {
        CASTLING_LETTERS.iter().find(|(own, ..)| *own == letter)
    });
    let rights = distinct(success(()), expected(RIGHTS, right), |a, b| a == b, RIGHTS);
    let rights = rights.map(|rights| {
        let rights = rights.into_iter();
        rights.fold(Castling::NONE, |all, (_, color, side)| {
            all.with(*color, *side)
        })
    });
    alt((value(Castling::NONE, char('-')), rights)).parse(input)
}

pub(crate) fn en_passant<'a>(layout: Option<&Layout>) -> impl Text<'a, Option<Square>> {
    alt((value(None, char('-')), existing_square(layout).map(Some)))
}

pub(super) fn moved<'a>(layout: Option<&Layout>) -> impl Text<'a, SquareSet<3>> {
    let once = "a square that is not yet in the list";
    let squares = distinct(char(','), existing_square(layout), |a, b| a == b, once);
    alt((
        value(SquareSet::EMPTY, char('-')),
        squares.map(|squares| squares.into_iter().collect()),
    ))
}

/// A square in a field after the placement; it must exist in the layout that the placement gave.
pub(super) fn existing_square<'a>(layout: Option<&Layout>) -> impl Text<'a, Square> {
    let place = move |input| match layout {
        Some(_) => stair_square(input),
        None => cube_square(input),
    };
    let what = "a square that exists in this placement";
    meaning(place, what, move |place| place.square(layout))
}

pub(super) fn stair_square(input: &str) -> Parsed<&str, Coordinates> {
    let file = one_of("zabcde").map(|file| match file {
        'z' => 0,
        file => file as u8 - b'a' + 1,
    });
    let rank = one_of("0123456789").map(|digit| digit as u8 - b'0');
    (
        expected("- or a square, beginning with a file z, a to e", file),
        expected("a rank 0 to 9", rank),
        expected("a level W, N, B or a pin like QL1", stair_level),
    )
        .map(|(file, rank, level)| Coordinates {
            file,
            rank,
            level: Some(level),
        })
        .parse(input)
}

pub(super) fn stair_level(input: &str) -> Parsed<&str, Level> {
    let main = map_opt(one_of("WNB"), |letter| {
        names::main_board(Locale::English, u8::try_from(letter).ok()?)
    });
    alt((main.map(Level::Main), pin_level.map(Level::Pin))).parse(input)
}

pub(super) fn pin_level(input: &str) -> Parsed<&str, Pin> {
    (
        wing,
        expected("L and a pin number 1 to 6", char('L')),
        pin_tail,
    )
        .map(|(wing, _, (corner, surface))| Pin::new(wing, corner, surface))
        .parse(input)
}

pub(super) fn cube_square(input: &str) -> Parsed<&str, Coordinates> {
    let level = one_of("123").map(|level| level as u8 - b'1');
    let file = one_of("abcdefghABCDEFGH").map(|file| file.to_ascii_lowercase() as u8 - b'a');
    let rank = one_of("12345678").map(|rank| rank as u8 - b'1');
    (
        expected("- or a square, beginning with a level 1 to 3", level),
        expected("a file a to h", file),
        expected("a rank 1 to 8", rank),
    )
        .map(|(level, file, rank)| Coordinates {
            file,
            rank,
            level: Some(Level::Cube(level)),
        })
        .parse(input)
}

pub(super) fn counter(input: &str) -> Parsed<&str, u32> {
    let what = "a number up to 4294967295";
    let digits = expected(what, take_while1(|c: char| c.is_ascii_digit()));
    meaning(digits, what, |digits: &str| digits.parse().ok()).parse(input)
}
