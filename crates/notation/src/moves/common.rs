//! What several notations spell alike: castling, check marks, draw offers, comment marks and piece letters.
//!
//! A function whose doc begins with a name is the rule of that name in `grammars/*.ebnf`.

use crate::letters::Letters;
use crate::names::{figurine_role, letter_of_role, role_of_letter};
use crate::text::Noted;
use crate::text::{
    CheckMark, Coordinates, Departure, Locale, MovePattern, MoveText, PiecePattern, Tail,
    TokenNote, TokenNotes,
};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case, take};
use nom::character::complete::{alphanumeric1, digit1, one_of, space0, space1};
use nom::combinator::{cut, eof, flat_map, map_opt, not, opt, peek, rest, rest_len, value};
use nom::multi::fold_many0;
use nom::sequence::{delimited, preceded, terminated};
use tridex_geometry::Square;
use tridex_grammar::{Parsed, Rule, SyntaxError, between, expected, letter, meaning, whole};
use tridex_rules::{CastlingSide, FoundMove, Move, MoveList, Position, Role, WrittenMove};
use tridex_words::{Mark, moves as words};

/// The parts of a player's style on which the grammars depend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hand {
    /// The language of the letters.
    pub(crate) locale: Locale,
    /// Whether a capital letter may be a file. [`read`] tries this only if the token cannot be read otherwise.
    pub(crate) any_case: bool,
}

impl Hand {
    /// The letters of a language, with files in small letters only.
    pub(crate) const fn of(locale: Locale) -> Self {
        Self {
            locale,
            any_case: false,
        }
    }
}

/// Parses a token by the rule of its notation: first as it is written and, if this fails, with capital letters as
/// files. The error is that of the first attempt.
pub(crate) fn read<'a, R: Rule<'a, MoveText>>(
    token: &'a [u8],
    locale: Locale,
    rule: impl Fn(Hand) -> R,
) -> Result<MoveText, SyntaxError> {
    let as_written = Hand::of(locale);
    let capitals = Hand {
        any_case: true,
        ..as_written
    };
    let end = "the end of the move";
    whole(token, end, rule(as_written))
        .or_else(|error| whole(token, end, rule(capitals)).map_err(|_| error))
}

/// What is written of the square of departure, whether a capture is written, and the square of arrival.
#[derive(Clone, Copy)]
pub(crate) struct Way {
    from: Departure,
    capture: bool,
    to: Coordinates,
}

impl Way {
    /// A way from a square of departure of which any part may be missing.
    pub(crate) fn new(
        from: Noted<Departure>,
        capture: bool,
        to: Noted<Coordinates>,
    ) -> Noted<Self> {
        from.zip(to).map(|(from, to)| Self { from, capture, to })
    }

    /// A way from a square of departure that is written with file and rank.
    pub(crate) fn between(
        from: Noted<Coordinates>,
        capture: bool,
        to: Noted<Coordinates>,
    ) -> Noted<Self> {
        let no_level = from.it.level.is_none();
        let from = from.map(|from| Departure {
            file: Some(from.file),
            rank: Some(from.rank),
            level: from.level,
        });
        Self::new(from, capture, to).note_if(no_level, TokenNote::MissingLevel)
    }
}

/// The written move of a piece.
pub(crate) fn piece_words(
    role: Option<Noted<Role>>,
    way: Noted<Way>,
    promotion: Option<Role>,
    tail: Tail,
) -> MoveText {
    let words = Noted::of(role).zip(way);
    let (role, Way { from, capture, to }) = words.it;
    let words = words.note_if(to.level.is_none(), TokenNote::MissingLevel);
    let kind = MovePattern::Piece(PiecePattern {
        role,
        from,
        to,
        promotion,
    });
    tail.on(kind, capture, words.notes)
}

/// `board_promotion`: the pawn's square after the move of the board, and the new piece; or the new piece alone.
pub(crate) fn board_promotion<'a, R: Rule<'a, Noted<Coordinates>>>(
    hand: Hand,
    square: impl Fn() -> R,
) -> impl Rule<'a, Noted<(Option<Coordinates>, Role)>> {
    let placed =
        || (square(), promotion(hand)).map(|(place, role)| place.map(|place| (Some(place), role)));
    alt((
        preceded(expected("a slash", tag("/")), cut(placed())),
        preceded(space1, placed()).map(|promotion| promotion.note_if(true, TokenNote::Spelling)),
        promotion(hand).map(|role| Noted::unusual((None, role), TokenNote::Spelling)),
    ))
}

/// The letter of a file, as its index in `files`. A capital letter is read, with a note, only if `hand` allows it.
pub(crate) fn file_letter<'a>(hand: Hand, files: &'a [u8]) -> impl Rule<'a, Noted<u8>> {
    letter(move |b: u8| {
        let small = b.to_ascii_lowercase();
        let file = files.iter().position(|file| *file == small)? as u8;
        let is_written = small == b || hand.any_case;
        is_written.then(|| Noted::usual(file).note_if(small != b, TokenNote::Case))
    })
}

/// The letter of a piece, or a figurine. Two deviations are read with a note: a small letter that is not a file, and
/// `P` for a pawn, unless it is the letter of another piece.
pub(crate) fn lettered<'a>(hand: Hand, files: &'a [u8]) -> impl Rule<'a, Noted<Role>> {
    alt((
        alt((figurine, piece_letter(hand))).map(Noted::usual),
        value(Noted::unusual(Role::Pawn, TokenNote::PawnLetter), tag("P")),
        small_piece_letter(hand, files).map(|role| Noted::unusual(role, TokenNote::Case)),
    ))
}

/// `castling_move`: castling and the tail of a move.
pub(crate) fn castling_move(input: &[u8]) -> Parsed<&[u8], MoveText> {
    (castling, tail)
        .map(|(side, tail)| tail.on(MovePattern::Castle(side.it), false, side.notes))
        .parse(input)
}

/// `castling`: `0-0` or `0-0-0`, also with the letters `O` or `o`, or without hyphens.
pub(crate) fn castling(input: &[u8]) -> Parsed<&[u8], Noted<CastlingSide>> {
    let joined = (zero, hyphen, cut(zero), opt((hyphen, zero)))
        .map(|(.., second)| Noted::usual(wing(second.is_some())));
    let bare = (zero, zero, opt(zero))
        .map(|(.., second)| Noted::unusual(wing(second.is_some()), TokenNote::Spelling));
    alt((joined, bare)).parse(input)
}

/// The side of castling: the queen's if there are three zeros.
const fn wing(three: bool) -> CastlingSide {
    if three {
        CastlingSide::Queen
    } else {
        CastlingSide::King
    }
}

/// `zero`.
pub(crate) fn zero(input: &[u8]) -> Parsed<&[u8], char> {
    expected("castling, 0-0 or 0-0-0", one_of("0Oo")).parse(input)
}

/// `piece_letter`: the capital letter of a piece in a language.
pub(crate) fn piece_letter<'a>(hand: Hand) -> impl Rule<'a, Role> {
    expected(
        "the letter of a piece",
        letter(move |b| role_of_letter(hand.locale, b)),
    )
}

/// `figurine`: a chess symbol of Unicode, U+2654 to U+265F, in UTF-8. The colour of the symbol does not matter.
pub(crate) fn figurine(input: &[u8]) -> Parsed<&[u8], Role> {
    let place = preceded(tag(b"\xE2\x99".as_slice()), between(0x94, 0x9F));
    let man = map_opt(place, |place| {
        figurine_role(char::from_u32(0x2654 + u32::from(place))?)
    });
    // U+265F is often followed by U+FE0E or U+FE0F, which only select text or emoji style.
    let look = opt(alt((tag("\u{FE0E}"), tag("\u{FE0F}"))));
    expected("a chess figurine", terminated(man, look)).parse(input)
}

/// `promotion`: the new piece, as `Q`, `=Q` or `(Q)`, or as a figurine.
pub(crate) fn promotion<'a>(hand: Hand) -> impl Rule<'a, Role> {
    alt((
        preceded(tag("="), new_piece(hand)),
        delimited(
            tag("("),
            new_piece(hand),
            expected("a closing bracket", tag(")")),
        ),
        new_piece(hand),
    ))
}

/// `new_piece`.
pub(crate) fn new_piece<'a>(hand: Hand) -> impl Rule<'a, Role> {
    meaning(
        alt((figurine, piece_letter(hand))),
        "a queen, rook, bishop or knight",
        |role| Role::PROMOTIONS.contains(&role).then_some(role),
    )
}

/// The small letter of a piece, read like the capital, unless it is a file.
pub(crate) fn small_piece_letter<'a>(hand: Hand, files: &'a [u8]) -> impl Rule<'a, Role> {
    letter(move |b| {
        let is_piece = b.is_ascii_lowercase() && !files.contains(&b);
        is_piece
            .then(|| role_of_letter(hand.locale, b.to_ascii_uppercase()))
            .flatten()
    })
}

/// `capture`: `x`, or `:` or the multiplication sign (U+00D7). A capital `X` is read too.
pub(crate) fn capture(input: &[u8]) -> Parsed<&[u8], ()> {
    let mark = alt((tag("x"), tag("X"), tag(":"), tag("\u{D7}")));
    expected("a capture mark, x", value((), mark)).parse(input)
}

/// `hyphen`: `-`, or a dash that typesetters use instead, optionally with blanks around it.
pub(crate) fn hyphen(input: &[u8]) -> Parsed<&[u8], ()> {
    let dash = known(|text| Some(((), words::dash_len(text))).filter(|(_, len)| *len > 0));
    delimited(blanks, expected("a hyphen", dash), blanks).parse(input)
}

/// `tail`: en passant, check, draw offer and comments.
pub(crate) fn tail(input: &[u8]) -> Parsed<&[u8], Tail> {
    let marks = alt((
        (en_passant, check_mark).map(|((), mark)| (true, mark)),
        (check_mark, opt(en_passant)).map(|(mark, passing)| (passing.is_some(), mark)),
    ));
    let marked = (marks, remarks).map(|((passing, mark), behind)| (passing, Some(mark), behind));
    let unmarked =
        (opt(en_passant), remarks, opt((check_mark, remarks))).map(|(passing, before, marked)| {
            match marked {
                Some((mark, behind)) => (passing.is_some(), Some(mark), before.and(behind)),
                None => (passing.is_some(), None, before),
            }
        });
    let written = (alt((marked, unmarked)), rest_len).map(|((en_passant, mark, remarks), left)| {
        let mut notes = TokenNotes::NONE;
        Tail {
            en_passant,
            mark: mark.map_or(CheckMark::None, |mark| mark.noted_in(&mut notes)),
            draw_offer: remarks.draw_offer,
            // A token with more than 255 bytes of praise keeps the last 255.
            suffix: remarks.comments.map_or(0, |start| {
                u8::try_from(start.saturating_sub(left)).unwrap_or(u8::MAX)
            }),
            notes,
        }
    });
    // Most tokens end with their square, so the first alternative tries this case. Without it, `tridex validate`
    // executes 4.1 % more instructions on 1,500 clean games in Chess3's notation, 1.4 % more in the manual's, 1.3 %
    // more in Millennium's and 0.7 % more in Meder's.
    alt((value(Tail::default(), eof), written)).parse(input)
}

/// Comments, draw offers and stops.
#[derive(Clone, Copy, Default)]
pub(crate) struct Remarks {
    draw_offer: bool,
    /// How many bytes were left at the start of the first comment.
    comments: Option<usize>,
}

impl Remarks {
    fn and(self, behind: Self) -> Self {
        Self {
            draw_offer: self.draw_offer || behind.draw_offer,
            comments: self.comments.or(behind.comments),
        }
    }
}

/// `remarks`.
pub(crate) fn remarks(input: &[u8]) -> Parsed<&[u8], Remarks> {
    let one = alt((
        (rest_len, comment).map(|(left, ())| Remarks {
            comments: Some(left),
            draw_offer: false,
        }),
        draw_offer.map(|()| Remarks {
            comments: None,
            draw_offer: true,
        }),
        stop.map(|()| Remarks::default()),
    ));
    fold_many0(one, Remarks::default, Remarks::and).parse(input)
}

/// `stop`: a comma or a full stop after the move.
pub(crate) fn stop(input: &[u8]) -> Parsed<&[u8], ()> {
    value((), one_of(",.;")).parse(input)
}

/// `en_passant`: `e.p.`, with or without its dots, optionally after blanks.
pub(crate) fn en_passant(input: &[u8]) -> Parsed<&[u8], ()> {
    let form = known(|text| Some(((), words::en_passant(text)?)));
    preceded(blanks, form).parse(input)
}

/// A parser from a function that returns the meaning and the length in bytes of what the text begins with.
fn known<'a, T: Clone>(find: impl Fn(&[u8]) -> Option<(T, usize)>) -> impl Rule<'a, T> {
    let found = peek(map_opt(rest, find));
    flat_map(found, |(meaning, len)| value(meaning, take(len)))
}

impl From<Mark> for CheckMark {
    fn from(mark: Mark) -> Self {
        match mark {
            Mark::Check => Self::Check,
            Mark::Mate => Self::Mate,
        }
    }
}

/// `check_mark`: `+`, `++`, `#`, a dagger (U+2020) or double dagger (U+2021), or a word.
pub(crate) fn check_mark(input: &[u8]) -> Parsed<&[u8], Noted<CheckMark>> {
    let mark = alt((
        known(words::check_sign).map(|mark| Noted::usual(mark.into())),
        check_word.map(|mark| Noted::unusual(mark, TokenNote::Spelling)),
    ));
    expected("a check mark", mark).parse(input)
}

/// `check_word`: `ch`, `dis ch`, `mate` and other words of `tridex_words`, optionally after blanks.
pub(crate) fn check_word(input: &[u8]) -> Parsed<&[u8], CheckMark> {
    let word = known(tridex_words::mark).map(CheckMark::from);
    delimited(blanks, word, opt(tag("."))).parse(input)
}

/// `draw_offer`: `(=)`, optionally with blanks before and inside it (Meder, Article E15); or `=`, `=?`, `draw?`.
pub(crate) fn draw_offer(input: &[u8]) -> Parsed<&[u8], ()> {
    let bracketed = delimited((tag("("), blanks), tag("="), (blanks, tag(")")));
    // `=` before a letter is the sign of a promotion.
    let sign = terminated(tag("="), not(alphanumeric1));
    let words = alt((bracketed, tag("=?"), sign, tag_no_case("draw?")));
    value((), preceded(blanks, words)).parse(input)
}

/// `comment`: a mark `!` or `?`, a numeric glyph such as `$6`, or an evaluation.
pub(crate) fn comment(input: &[u8]) -> Parsed<&[u8], ()> {
    let glyph = preceded(tag("$"), expected("the number of a glyph", digit1));
    let mark = alt((value((), one_of("!?")), value((), glyph), evaluation));
    expected("a comment mark, ! or ?", mark).parse(input)
}

/// `evaluation`: a sign of the Informant that shows which side is better.
pub(crate) fn evaluation(input: &[u8]) -> Parsed<&[u8], ()> {
    value((), known(words::evaluation)).parse(input)
}

/// `blanks`: any number of spaces and tabs.
pub(crate) fn blanks(input: &[u8]) -> Parsed<&[u8], ()> {
    value((), space0).parse(input)
}

/// Writes castling, the same in all notations: `0-0` or `0-0-0`.
pub(crate) fn push_castling(side: CastlingSide, out: &mut Letters) {
    out.push_str(match side {
        CastlingSide::King => "0-0",
        CastlingSide::Queen => "0-0-0",
    });
}

/// How a pass is written in all notations, as other chess programs write it in PGN.
pub(crate) const PASS: &str = "Z0";

/// The squares of departure and arrival of a piece's move.
pub(crate) const fn way_of(mv: Move) -> Option<(Square, Square)> {
    match mv {
        Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => Some((from, to)),
        Move::Castle(_) | Move::Board { .. } | Move::Pass => None,
    }
}

/// Writes a sign and the letter of the new piece, if there is a promotion.
pub(crate) fn push_promotion(sign: &str, role: Option<Role>, locale: Locale, out: &mut Letters) {
    if let Some(letter) = role.and_then(|role| letter_of_role(locale, role)) {
        out.push_str(sign);
        out.push_letter(letter);
    }
}

/// The legal moves of other pieces that fit the same pattern as the move of the piece on `from`: captures if `capture`,
/// otherwise moves that capture nothing.
pub(crate) fn rivals(
    position: &Position,
    alike: PiecePattern,
    from: Square,
    capture: bool,
) -> MoveList {
    let alike = MovePattern::Piece(alike);
    let written = WrittenMove::new(alike, capture);
    // In most cases only the move itself fits.
    if matches!(position.find(&written), FoundMove::One(_)) {
        return MoveList::new();
    }
    let mut rivals = position.moves_like(&alike);
    rivals.retain(|rival| {
        let is_other = way_of(*rival).is_some_and(|(other, _)| other != from);
        is_other && position.is_capture(*rival) == capture
    });
    rivals
}

/// Whether a move captures en passant.
#[inline]
pub(crate) const fn takes_en_passant(mv: Move) -> bool {
    matches!(mv, Move::EnPassant { .. })
}
