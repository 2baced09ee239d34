//! Moves as "Star Trek Tri-Dimensional" writes them.
//!
//! The program uses Meder's notation, with its own spellings where Meder leaves a choice. The parser also reads the
//! long form of older versions. It recognizes two moves that Meder's rules do not have, so that the error can name
//! them: a board that turns, and a claim to a board that no one owns.

use crate::letters::Letters;
use crate::moves::common::{Hand, board_promotion, read, tail};
use crate::moves::meder;
use crate::programs::promoted;
use crate::resolve::preference;
use crate::text::{
    BoardPattern, CheckMark, Locale, MovePattern, MoveText, Notation, Noted, TokenNote,
    WriteOptions,
};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take};
use nom::combinator::{eof, flat_map, opt, rest_len, value, verify};
use nom::sequence::{delimited, preceded, terminated};
use tridex_geometry::stair::attack_board;
use tridex_grammar::{ParseStop, Parsed, Rule, SyntaxError, ahead, inside, refuse};
use tridex_rules::{BoardPromotion, CastlingSide, Move, Position};

/// The English letters: the program has no others.
pub(super) const EN: Hand = Hand::of(Locale::English);

/// Reads one token of a game.
///
/// ```
/// use tridex_notation::programs::star_trek;
///
/// assert!(star_trek::parse_move(b"Nb1Wc3W").is_ok());
/// assert!(star_trek::parse_move(b"Q/KL5-KL6+").is_ok());
/// let claim = star_trek::parse_move(b"Nz2QL2(QL2)").unwrap_err();
/// assert_eq!((claim.offset, claim.expected), (6, star_trek::NO_CLAIM));
/// ```
///
/// # Errors
/// If the program would not write the token. A claim to a board is reported as [`NO_CLAIM`].
pub fn parse_move(token: &[u8]) -> Result<MoveText, SyntaxError> {
    let text = read(token, Locale::English, moved)?;
    // Spellings that are unusual on a score sheet are normal for this program.
    Ok(MoveText {
        notes: text.notes.without(TokenNote::Spelling),
        ..text
    })
}

/// What is expected where the program writes a claim to a board that no one owns.
pub const NO_CLAIM: &str =
    "the end of the move, and no claim of a board (under Meder's rules every board has an owner)";

/// `move`.
fn moved<'a>(hand: Hand) -> impl Rule<'a, MoveText> {
    // A token that is not a claim is read as a move, so that the error of the move is reported.
    let refused = |input| match terminated(claim, eof).parse(input) {
        Ok((_, left)) => Err(nom::Err::Failure(ParseStop::before(left, NO_CLAIM))),
        Err(_) => refuse(input, NO_CLAIM),
    };
    alt((turn, offered(hand), refused, meder::moved(hand)))
}

/// `turn`: a board that turns in place, `⟳KL5`, or `KL5⟳` in the long form, optionally with a promotion.
pub(super) fn turn(input: &[u8]) -> Parsed<&[u8], MoveText> {
    let sign = || tag("\u{27F3}");
    let pin = alt((
        preceded(sign(), meder::exact_pin),
        terminated(meder::exact_pin, sign()),
    ));
    let promotion = opt(board_promotion(EN, || meder::square(EN, true)));
    (pin, promotion, tail)
        .map(|(to, promotion, tail)| {
            let promotion = Noted::of(promotion);
            let kind = MovePattern::Board(BoardPattern {
                from: None,
                to,
                either_surface: false,
                turned: true,
                promotion: promotion.it,
            });
            tail.on(kind, false, promotion.notes)
        })
        .parse(input)
}

/// `offered`: a draw offer as older versions write it: a single `=` before the check or mate mark.
pub(super) fn offered<'a>(hand: Hand) -> impl Rule<'a, MoveText> {
    // In Meder's notation `=+` is an evaluation, so only the end of the token shows a draw offer.
    let is_offered = ahead(|token| token.ends_with(b"=+") || token.ends_with(b"=#"));
    let but_two = flat_map(rest_len, |left| take(left.saturating_sub(2)));
    let bare = verify(inside(but_two, meder::moved(hand)), |text| {
        text.mark == CheckMark::None && !text.draw_offer && text.suffix == 0
    });
    let mark = alt((
        value(CheckMark::Check, tag("+")),
        value(CheckMark::Mate, tag("#")),
    ));
    (is_offered, bare, tag("="), mark).map(|(_, text, _, mark)| MoveText {
        mark,
        draw_offer: true,
        ..text
    })
}

/// `claim`: a move to an attack board, with the board in brackets. Returns how many bytes are left at the opening
/// bracket.
pub(super) fn claim(input: &[u8]) -> Parsed<&[u8], usize> {
    let board = delimited(tag("("), meder::exact_pin, tag(")"));
    (meder::piece_move(EN), rest_len, board, tail)
        .map(|(_, left, ..)| left)
        .parse(input)
}

/// Writes a legal move of a game under Meder's rules, with its draw offer and its check or mate mark. `before` and
/// `after` are the positions before and after the move. Returns `None` for what the program cannot write: a board that
/// turns, an attack board below a main board, and the cube.
pub fn write_move(
    before: &Position,
    mv: Move,
    after: &Position,
    offers_draw: bool,
) -> Option<String> {
    let layout = before.layout()?;
    crate::programs::has_over_pins_only(layout).then_some(())?;
    let mut text = match mv {
        Move::Castle(CastlingSide::King) => "O-O".to_owned(),
        Move::Castle(CastlingSide::Queen) => "O-O-O".to_owned(),
        Move::Piece { promotion, .. } => in_meder(before, mv) + &promoted(promotion),
        Move::EnPassant { promotion, .. } => {
            let plain = in_meder(before, mv);
            let way = plain.strip_suffix(EN_PASSANT).unwrap_or(&plain);
            format!("{way}{}{EN_PASSANT}", promoted(promotion))
        }
        Move::Board { turned: true, .. } | Move::Pass => return None,
        Move::Board { promotion, .. } => {
            let way = in_meder(before, mv);
            match promotion {
                None => way,
                // The board carries the promoted pawn. In the next case, the pawn was waiting under the board.
                Some(BoardPromotion { square, role }) if attack_board(square).is_some() => {
                    format!("{way}{}", role.letter())
                }
                Some(BoardPromotion { role, .. }) => format!("{}/{way}", role.letter()),
            }
        }
    };
    if offers_draw {
        text.push_str("(=)");
    }
    let mut mark = Letters::new();
    mark.push_mark(after);
    text.push_str(mark.as_str());
    Some(text)
}

const EN_PASSANT: &str = "e.p.";

/// A move in canonical Meder notation, without marks and promotion. The position must be of the stair board.
fn in_meder(position: &Position, mv: Move) -> String {
    let options = WriteOptions::default();
    let (plain, _) = preference(mv);
    crate::write_unmarked(Notation::Meder, position, plain, &options)
        .map(|letters| letters.as_str().to_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::{Program, testing::a_thousand_games};
    use crate::resolve::candidates;
    use crate::text::TokenNote;
    use tridex_rules::RuleSystem;

    #[test]
    fn a_thousand_games_come_back() {
        a_thousand_games(Program::StarTrek, |before, mv, after| {
            let theirs = write_move(before, mv, after, false)?;
            assert!(!theirs.contains(' ') && !theirs.contains("0-0"), "{theirs}");
            let offered = write_move(before, mv, after, true)?;
            let text = parse_move(offered.as_bytes()).unwrap_or_else(|e| panic!("{offered}: {e}"));
            assert!(text.draw_offer, "{offered}");
            Some(theirs)
        });
    }

    #[test]
    fn its_own_spelling_is_not_odd_and_other_rules_are_named() {
        for token in [
            "O-O",
            "d8B=Q",
            "KL5-KL6Q",
            "KL6Q",
            "KL5-KL6(Q)",
            "Q/KL5-KL6",
            "Nb1Wc3W",
            "Nb1Wxc3W(=)+",
        ] {
            let text = parse_move(token.as_bytes()).unwrap();
            assert!(!text.notes.has(TokenNote::Spelling), "{token}");
        }
        let text = parse_move(b"Nc2W=#").unwrap();
        assert!(text.draw_offer && text.mark == CheckMark::Mate);
        for (token, offset) in [
            ("Nz2QL2(QL2)", 6),
            ("z2QL2(QL2)+", 5),
            ("Nb3Nxz2QL2(QL2)", 10),
        ] {
            let error = parse_move(token.as_bytes()).unwrap_err();
            assert_eq!(
                (error.offset, error.expected),
                (offset, NO_CLAIM),
                "{token}"
            );
        }
        assert_ne!(parse_move(b"Nz2QL2(QL").unwrap_err().expected, NO_CLAIM);
        for (token, offset, expected) in [
            ("\u{27F3}", 3, "a pin such as QL1"),
            ("\u{27F3}KL", 5, "the number of a pin, 1 to 6"),
            ("KL5\u{27F3}x", 6, "the end of the move"),
            // What begins as a claim or an offer, and is a move.
            ("0-0", 3, ""),
            ("0-x", 2, "castling, 0-0 or 0-0-0"),
            ("Nc2x=+", 4, "a file z, a, b, c, d or e"),
        ] {
            let read = parse_move(token.as_bytes());
            let found = read.map_or_else(|error| (error.offset, error.expected), |_| (3, ""));
            assert_eq!(found, (offset, expected), "{token}");
        }
        let turned = parse_move("\u{27F3}KL5".as_bytes()).unwrap();
        assert!(matches!(turned.pattern(), MovePattern::Board(board) if board.turned));
        let start = Position::start(RuleSystem::Meder);
        let fits = candidates(&turned, &start);
        assert!(fits.is_empty());
    }
}
