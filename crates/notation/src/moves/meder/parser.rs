//! The reader of Meder's notation. Every function is the grammar's rule of the same name.

use crate::moves::common::{
    Parsed, byte, capture, castling_move, figurine, hyphen, maybe, note_if, piece_letter,
    promotion, stop, tail, whole,
};
use crate::text::{
    BoardText, Level, Locale, MoveKind, MoveText, Notation, Note, Notes, Origin, PieceText, Place,
    SyntaxError,
};
use tridex_geometry::Wing;
use tridex_geometry::stair::{Corner, MainBoard, Pin, Surface};
use tridex_rules::Role;

/// Reads one token in the letters of a language; without one, in English.
///
/// # Errors
/// If the token is not a word of the notation; the error says where and what was expected.
///
/// ```
/// use tridex_notation::{MoveKind, moves::meder};
///
/// let text = meder::parse(b"Nxc6B+", None)?;
/// assert!(text.capture && matches!(text.kind, MoveKind::Piece(_)));
/// assert_eq!(meder::parse(b"Nx6B", None).unwrap_err().expected, "a file z, a, b, c, d or e");
/// # Ok::<(), tridex_notation::SyntaxError>(())
/// ```
pub fn parse(token: &[u8], locale: Option<Locale>) -> Result<MoveText, SyntaxError> {
    crate::parse(Notation::Meder, token, locale)
}

/// Reads any token by the grammar.
pub(crate) fn by_grammar(token: &[u8], locale: Locale) -> Result<MoveText, SyntaxError> {
    whole(token, |input| moved(input, locale))
}

/// `move`.
pub(super) fn moved(input: &[u8], locale: Locale) -> Parsed<'_, MoveText> {
    match input {
        // A rank also may begin a pawn's move (`0a1W`), so a zero or an O is castling only before a hyphen.
        [b'0' | b'O' | b'o', b'-' | 0xE2, ..] => castling_move(input),
        [
            b'Q' | b'K' | b'D' | b'q' | b'k',
            b'L' | b'l' | b'P' | b'p',
            b'0'..=b'9',
            ..,
        ] => board_move(input, locale),
        _ => piece_move(input, locale),
    }
}

/// `board_move`: `QL3`, `KL1-KL3`, and our `QL1r`, `QL1-QL3r`, `QL4/a8BQ`.
pub(super) fn board_move(input: &[u8], locale: Locale) -> Parsed<'_, MoveText> {
    let (input, (first, mut notes)) = pin(input, locale)?;
    let (input, second) = match hyphen(input) {
        Ok((rest, ())) => {
            let (rest, (second, more)) = pin(rest, locale)?;
            notes = notes.and(more);
            (rest, Some(second))
        }
        Err(_) => (input, None),
    };
    let (input, turned) = match input {
        [b'r', rest @ ..] => (rest, true),
        _ => (input, false),
    };
    let (input, promotion) = match input {
        [b'/', ..] => {
            let (rest, (place, role, more)) = board_promotion(input, locale)?;
            notes = notes.and(more);
            (rest, Some((place, role)))
        }
        _ => (input, None),
    };
    let (input, tail) = tail(input)?;
    let kind = MoveKind::Board(BoardText {
        from: second.map(|_| first),
        to: second.unwrap_or(first),
        either_surface: false,
        turned,
        promotion,
    });
    Ok((input, tail.on(kind, false, notes)))
}

/// `board_promotion`: the pawn's square once the board has moved, and the new piece.
pub(super) fn board_promotion(input: &[u8], locale: Locale) -> Parsed<'_, (Place, Role, Notes)> {
    let (input, ()) = byte(input, "a slash", |b| (b == b'/').then_some(()))?;
    let (input, (place, notes)) = square(input, locale)?;
    let (input, role) = promotion(input, locale)?;
    Ok((input, (place, role, notes)))
}

/// `piece_move`: `Nc2W`, `Nbxc5N`, `aWxb4W`, `d8BQ` and every longer way to say it.
pub(super) fn piece_move(input: &[u8], locale: Locale) -> Parsed<'_, MoveText> {
    let (input, named) = maybe(input, |input| piece(input, locale));
    let (role, mut notes) = named.unwrap_or((Role::Pawn, Notes::NONE));
    let (input, from, captured, to) = if let (rest, Some(())) = maybe(input, capture) {
        let (rest, (to, more)) = square(rest, locale)?;
        notes = notes.and(more);
        (rest, Origin::default(), true, to)
    } else {
        let (rest, (first, more)) = place(input, locale)?;
        notes = notes.and(more);
        let (rest, captured) = maybe(rest, capture);
        let (rest, joined) = match captured {
            Some(()) => (rest, None),
            None => maybe(rest, hyphen),
        };
        let goes_on =
            captured.is_some() || joined.is_some() || rest.first().is_some_and(|b| is_file(*b));
        if goes_on {
            if role == Role::Pawn && first.file.is_none() && first.rank.is_none() {
                return stop(input, "a piece, a file or a rank");
            }
            let (rest, (to, more)) = square(rest, locale)?;
            notes = notes.and(more);
            (rest, first, captured.is_some(), to)
        } else {
            let (Some(file), Some(rank)) = (first.file, first.rank) else {
                let expected = match (first.level, first.rank, first.file) {
                    (None, None, Some(_)) => "a rank, a level or a capture mark",
                    _ => "the square of arrival",
                };
                return stop(rest, expected);
            };
            let to = Place {
                file,
                rank,
                level: first.level,
            };
            (rest, Origin::default(), false, to)
        }
    };
    let (input, promotion) = match role {
        Role::Pawn => maybe(input, |input| promotion(input, locale)),
        _ => (input, None),
    };
    let (input, tail) = tail(input)?;
    let notes = note_if(notes, to.level.is_none(), Note::MissingLevel);
    let kind = MoveKind::Piece(PieceText {
        role: Some(role),
        from,
        to,
        promotion,
    });
    Ok((input, tail.on(kind, captured, notes)))
}

/// `piece`: the letter of a piece or a figurine. A small letter that is no file is read with a note, and so is a `P`
/// for a pawn, where it is not the letter of another piece.
pub(super) fn piece(input: &[u8], locale: Locale) -> Parsed<'_, (Role, Notes)> {
    let expected = "the letter of a piece";
    let Some((first, rest)) = input.split_first() else {
        return stop(input, expected);
    };
    match first {
        b'A'..=b'Z' => match piece_letter(input, locale) {
            Ok((rest, role)) => Ok((rest, (role, Notes::NONE))),
            Err(_) if *first == b'P' => Ok((rest, (Role::Pawn, Notes::NONE))),
            Err(error) => Err(error),
        },
        b'f'..=b'w' => {
            let capital = [first.to_ascii_uppercase()];
            match piece_letter(&capital, locale) {
                Ok((_, role)) => Ok((rest, (role, Notes::NONE.with(Note::Case)))),
                Err(_) => stop(input, expected),
            }
        }
        0xE2 => {
            let (rest, role) = figurine(input)?;
            Ok((rest, (role, Notes::NONE)))
        }
        _ => stop(input, expected),
    }
}

/// `place`: a square, or the part of it that tells where a piece comes from.
pub(super) fn place(input: &[u8], locale: Locale) -> Parsed<'_, (Origin, Notes)> {
    let (rest, file) = maybe(input, file);
    let (rest, rank) = maybe(rest, rank);
    let (rest, level) = maybe(rest, |input| level(input, locale));
    if file.is_none() && rank.is_none() && level.is_none() {
        return stop(input, "a file z, a, b, c, d or e");
    }
    let (level, notes) = match level {
        Some((level, notes)) => (Some(level), notes),
        None => (None, Notes::NONE),
    };
    Ok((rest, (Origin { file, rank, level }, notes)))
}

/// `square`: file, rank and level (Article E4); the level may be missing.
pub(super) fn square(input: &[u8], locale: Locale) -> Parsed<'_, (Place, Notes)> {
    let (input, file) = file(input)?;
    let (input, rank) = rank(input)?;
    let (input, level) = maybe(input, |input| level(input, locale));
    let (level, notes) = match level {
        Some((level, notes)) => (Some(level), notes),
        None => (None, Notes::NONE),
    };
    Ok((input, (Place { file, rank, level }, notes)))
}

#[inline]
const fn is_file(b: u8) -> bool {
    matches!(b, b'z' | b'a'..=b'e')
}

/// `file` (Article E1).
#[inline]
pub(super) fn file(input: &[u8]) -> Parsed<'_, u8> {
    byte(input, "a file z, a, b, c, d or e", |b| match b {
        b'z' => Some(0),
        b'a'..=b'e' => Some(b - b'a' + 1),
        _ => None,
    })
}

/// `rank` (Article E2).
#[inline]
pub(super) fn rank(input: &[u8]) -> Parsed<'_, u8> {
    byte(input, "a rank from 0 to 9", |b| {
        b.is_ascii_digit().then(|| b - b'0')
    })
}

/// `level` (Article E3).
#[inline]
pub(super) fn level(input: &[u8], locale: Locale) -> Parsed<'_, (Level, Notes)> {
    match main_level(input, locale) {
        Ok((rest, (board, notes))) => Ok((rest, (Level::Main(board), notes))),
        Err(_) => match pin(input, locale) {
            Ok((rest, (pin, notes))) => Ok((rest, (Level::Pin(pin), notes))),
            Err(_) => stop(input, "a level: W, N, B or a pin such as QL1"),
        },
    }
}

/// `main_level`: `W`, `N`, `B`; in German `S` for `B`. Small letters are read with a note; a small `b` before a rank is
/// a file.
#[inline]
pub(super) fn main_level(input: &[u8], locale: Locale) -> Parsed<'_, (MainBoard, Notes)> {
    let german = matches!(locale, Locale::German);
    let plain = Notes::NONE;
    let (board, notes) = match input {
        [b'W', ..] => (MainBoard::White, plain),
        [b'N', ..] => (MainBoard::Neutral, plain),
        [b'B', ..] => (
            MainBoard::Black,
            note_if(plain, german, Note::ForeignLetter),
        ),
        [b'S', ..] if german => (MainBoard::Black, plain),
        [b'w', ..] => (MainBoard::White, plain.with(Note::Case)),
        [b'n', ..] => (MainBoard::Neutral, plain.with(Note::Case)),
        [b's', ..] if german => (MainBoard::Black, plain.with(Note::Case)),
        [b'b', b'0'..=b'9', ..] => return stop(input, "a level"),
        [b'b', ..] => (
            MainBoard::Black,
            note_if(plain.with(Note::Case), german, Note::ForeignLetter),
        ),
        _ => return stop(input, "a level"),
    };
    Ok((input.get(1..).unwrap_or_default(), (board, notes)))
}

/// `pin`: `QL1` to `KL6`; in German also `DP1`, `KP1`, `DL1`. Our `v` behind it means the pin below the board.
#[inline]
pub(super) fn pin(input: &[u8], locale: Locale) -> Parsed<'_, (Pin, Notes)> {
    let german = matches!(locale, Locale::German);
    let [side, kind, number, rest @ ..] = input else {
        return stop(input, "a pin such as QL1");
    };
    let mut notes = Notes::NONE;
    let wing = match side.to_ascii_uppercase() {
        b'Q' => {
            notes = note_if(notes, german, Note::ForeignLetter);
            Wing::Queen
        }
        b'D' if german => Wing::Queen,
        b'K' => Wing::King,
        _ => return stop(input, "a pin such as QL1"),
    };
    match kind.to_ascii_uppercase() {
        b'L' => {}
        b'P' if german => {}
        _ => return stop(input, "a pin such as QL1"),
    }
    notes = note_if(
        notes,
        side.is_ascii_lowercase() || kind.is_ascii_lowercase(),
        Note::Case,
    );
    let Some(corner) = Corner::try_new(number.wrapping_sub(b'0')) else {
        return stop(
            input.get(2..).unwrap_or_default(),
            "the number of a pin, 1 to 6",
        );
    };
    let (rest, surface) = match rest {
        [b'v', rest @ ..] => (rest, Surface::Under),
        _ => (rest, Surface::Over),
    };
    Ok((rest, (Pin::new(wing, corner, surface), notes)))
}

/// All different ways to read a lone token: in the sheet's language, then in every other (noted as foreign letters),
/// then with up to three likely misreadings of a machine put right (noted as such). What the sheet's own language says
/// comes first; a reading that only repeats an earlier one is left out.
///
/// The caller keeps the readings that fit a legal move: the sample game's `a6S` is `a6B` in German letters.
pub fn readings(
    token: &[u8],
    sheet: Option<Locale>,
) -> impl Iterator<Item = (Locale, MoveText)> + use<> {
    let own = sheet.unwrap_or(Locale::English);
    let mut found: Vec<(Locale, MoveText)> = Vec::new();
    let locales = std::iter::once(own).chain(Locale::ALL.into_iter().filter(move |l| *l != own));
    for locale in locales.clone() {
        if let Ok(mut text) = parse(token, Some(locale)) {
            text.notes = note_if(text.notes, locale != own, Note::ForeignLetter);
            push_new(&mut found, locale, text);
        }
    }
    for repaired in repairs(token) {
        for locale in locales.clone() {
            if let Ok(mut text) = parse(&repaired, Some(locale)) {
                text.notes = note_if(text.notes, locale != own, Note::ForeignLetter);
                text.notes = text.notes.with(Note::Ocr);
                push_new(&mut found, locale, text);
            }
        }
    }
    found.into_iter()
}

/// Adds a reading unless another with the same words is there.
fn push_new(found: &mut Vec<(Locale, MoveText)>, locale: Locale, text: MoveText) {
    let words = |text: &MoveText| MoveText {
        notes: Notes::NONE,
        ..*text
    };
    if !found.iter().any(|(_, known)| words(known) == words(&text)) {
        found.push((locale, text));
    }
}

/// What a character may have been before a machine misread it.
const fn misread(b: u8) -> Option<u8> {
    Some(match b {
        b'O' | b'o' => b'0',
        b'l' | b'I' | b'i' | b'|' => b'1',
        b'S' | b's' => b'5',
        b'5' => b'S',
        b'B' => b'8',
        b'8' => b'B',
        _ => return None,
    })
}

/// The token with one, two or three suspicious characters put right, fewest first. Long tokens are no moves and are
/// not tried.
fn repairs(token: &[u8]) -> Vec<Vec<u8>> {
    const LONGEST: usize = 32;
    const SUSPECTS: usize = 10;
    const TOGETHER: u32 = 3;
    if token.len() > LONGEST {
        return Vec::new();
    }
    let suspects: Vec<(usize, u8)> = token
        .iter()
        .enumerate()
        .filter_map(|(i, b)| Some((i, misread(*b)?)))
        .take(SUSPECTS)
        .collect();
    let mut masks: Vec<u32> = (1..1u32 << suspects.len())
        .filter(|mask| mask.count_ones() <= TOGETHER)
        .collect();
    masks.sort_by_key(|mask| mask.count_ones());
    masks
        .into_iter()
        .map(|mask| {
            let mut repaired = token.to_vec();
            for (n, (i, b)) in suspects.iter().enumerate() {
                if mask >> n & 1 != 0
                    && let Some(slot) = repaired.get_mut(*i)
                {
                    *slot = *b;
                }
            }
            repaired
        })
        .collect()
}
