//! One slip in a sheet, as pens, keyboards and scanners make them.

use tridex_notation::Notation;
use tridex_rules::random::Dice;

/// The kinds of slips.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Kind {
    Missing,
    Doubled,
    NextKey,
    Misread,
    Swapped,
    Level,
    Piece,
    MovesExchanged,
    OfOnePlayer,
    MissingMove,
    MissingLine,
    Number,
}

impl Kind {
    pub(crate) const ALL: [Self; 12] = [
        Self::Missing,
        Self::Doubled,
        Self::NextKey,
        Self::Misread,
        Self::Swapped,
        Self::Level,
        Self::Piece,
        Self::MovesExchanged,
        Self::OfOnePlayer,
        Self::MissingMove,
        Self::MissingLine,
        Self::Number,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Missing => "a character missing",
            Self::Doubled => "a character doubled",
            Self::NextKey => "an adjacent key",
            Self::Misread => "a character misread",
            Self::Swapped => "two characters exchanged",
            Self::Level => "another level",
            Self::Piece => "another piece, or square of departure",
            Self::MovesExchanged => "White's and Black's move exchanged",
            Self::OfOnePlayer => "two moves of one player exchanged",
            Self::MissingMove => "a missing move",
            Self::MissingLine => "a missing line",
            Self::Number => "a wrong number",
        }
    }
}

/// A sheet with its slips.
#[derive(Debug)]
pub(crate) struct Slipped {
    /// The movetext.
    pub(crate) text: String,
    /// The plies that are not written as they were played, or are not written, counted from 0.
    pub(crate) plies: Vec<usize>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Word {
    Number(usize),
    Move(usize, String),
}

/// A sheet with slips of these kinds, each somewhere else; none if it has no place for one of them.
pub(crate) fn slip(
    kinds: &[Kind],
    notation: Notation,
    tokens: &[String],
    dice: &mut Dice,
) -> Option<Slipped> {
    let mut words = Vec::new();
    for (ply, token) in tokens.iter().enumerate() {
        if ply % 2 == 0 {
            words.push(Word::Number(ply / 2 + 1));
        }
        words.push(Word::Move(ply, token.clone()));
    }
    let mut plies = Vec::new();
    for kind in kinds {
        let (after, slipped) = (0..100).find_map(|_| {
            let at = dice.below(tokens.len() as u32) as usize;
            let mut after = words.clone();
            let slipped = slip_at(*kind, notation, tokens, at, &mut after, dice)?;
            let is_apart = slipped.iter().all(|ply| !plies.contains(ply));
            is_apart.then_some((after, slipped))
        })?;
        words = after;
        plies.extend(slipped);
    }
    let text: Vec<String> = words
        .into_iter()
        .map(|word| match word {
            Word::Number(number) => format!("{number}."),
            Word::Move(_, text) => text,
        })
        .collect();
    Some(Slipped {
        text: text.join(" "),
        plies,
    })
}

/// Makes a slip at a ply, and returns which plies are concerned.
fn slip_at(
    kind: Kind,
    notation: Notation,
    tokens: &[String],
    at: usize,
    words: &mut Vec<Word>,
    dice: &mut Dice,
) -> Option<Vec<usize>> {
    let place = |words: &[Word], ply: usize| {
        let is_it = |word: &Word| matches!(word, Word::Move(known, _) if *known == ply);
        words.iter().position(is_it)
    };
    let number = |words: &[Word], ply: usize| {
        let place = place(words, ply)?.checked_sub(1)?;
        matches!(words.get(place)?, Word::Number(_)).then_some(place)
    };
    let mut plies = vec![at];
    match kind {
        Kind::MovesExchanged | Kind::OfOnePlayer => {
            let at = if kind == Kind::MovesExchanged {
                at & !1
            } else {
                at
            };
            let other = at + if kind == Kind::MovesExchanged { 1 } else { 2 };
            if tokens.get(other)? == tokens.get(at)? {
                return None;
            }
            let (first, second) = (place(words, at)?, place(words, other)?);
            words.swap(first, second);
            plies = vec![at, other];
        }
        Kind::MissingMove => {
            // A move missing at the end leaves no trace.
            tokens.get(at + 1)?;
            words.remove(place(words, at)?);
        }
        Kind::MissingLine => {
            let first = at & !1;
            tokens.get(first + 2)?;
            let from = number(words, first)?;
            if place(words, first + 1)? != from + 2 {
                return None;
            }
            words.drain(from..from + 3);
            plies = vec![first, first + 1];
        }
        Kind::Number => {
            let first = at & !1;
            let place = number(words, first)?;
            if let Some(Word::Number(number)) = words.get_mut(place) {
                *number = wrong_number(*number, dice);
            }
            plies = vec![first];
        }
        _ => {
            let token = tokens.get(at)?;
            let marks = token.len() - token.trim_end_matches(['+', '#']).len();
            let (body, marks) = token.split_at(token.len() - marks);
            let body = in_token(kind, notation, body.as_bytes().to_vec(), dice)?;
            let text = format!("{}{marks}", String::from_utf8(body).ok()?);
            if text == *token {
                return None;
            }
            let place = place(words, at)?;
            *words.get_mut(place)? = Word::Move(at, text);
        }
    }
    Some(plies)
}

/// A number with a digit changed, or two swapped, or one too many.
fn wrong_number(number: usize, dice: &mut Dice) -> usize {
    match dice.below(3) {
        0 => number * 10 + number % 10,
        1 if number > 9 && number / 10 % 10 != number % 10 && number < 100 => {
            number % 10 * 10 + number / 10
        }
        _ => number + 1 + dice.below(3) as usize,
    }
}

fn pick<T: Copy>(of: &[T], dice: &mut Dice) -> Option<T> {
    of.get(dice.below(of.len() as u32) as usize).copied()
}

fn in_token(kind: Kind, notation: Notation, mut body: Vec<u8>, dice: &mut Dice) -> Option<Vec<u8>> {
    let at = dice.below(body.len() as u32) as usize;
    match kind {
        Kind::Missing => {
            body.remove(at);
        }
        Kind::Doubled => body.insert(at, body[at]),
        Kind::NextKey => body[at] = next_key(body[at], dice)?,
        Kind::Misread => {
            let (from, to) = pick(&MISREAD, dice)?;
            let places: Vec<usize> = (0..body.len())
                .filter(|at| body[*at..].starts_with(from))
                .collect();
            let at = pick(&places, dice)?;
            body.splice(at..at + from.len(), to.iter().copied());
        }
        Kind::Swapped => {
            if at + 1 >= body.len() || body[at] == body[at + 1] {
                return None;
            }
            body.swap(at, at + 1);
        }
        Kind::Level => return other_level(notation, body, dice),
        Kind::Piece => return other_piece(notation, body, dice),
        _ => return None,
    }
    Some(body)
}

/// What machines and people take for each other.
const MISREAD: [(&[u8], &[u8]); 18] = [
    (b"0", b"O"),
    (b"O", b"0"),
    (b"1", b"l"),
    (b"1", b"I"),
    (b"8", b"B"),
    (b"B", b"8"),
    (b"5", b"S"),
    (b"2", b"Z"),
    (b"6", b"b"),
    (b"b", b"6"),
    (b"9", b"g"),
    (b"c", b"e"),
    (b"e", b"c"),
    (b"N", b"H"),
    (b"W", b"VV"),
    (b"3", b"B"),
    (b"7", b"1"),
    (b"4", b"A"),
];

/// The key to the left or to the right, letters in the case they are in.
fn next_key(key: u8, dice: &mut Dice) -> Option<u8> {
    const ROWS: [&[u8]; 4] = [b"1234567890-=", b"qwertyuiop", b"asdfghjkl", b"zxcvbnm,"];
    let row = ROWS
        .into_iter()
        .find(|row| row.contains(&key.to_ascii_lowercase()))?;
    let at = row.iter().position(|k| *k == key.to_ascii_lowercase())?;
    let at = if dice.one_in(2) {
        at.checked_sub(1)?
    } else {
        at + 1
    };
    let other = *row.get(at)?;
    Some(if key.is_ascii_uppercase() {
        other.to_ascii_uppercase()
    } else {
        other
    })
}

/// The square of arrival, or the pin, on another level.
fn other_level(notation: Notation, mut body: Vec<u8>, dice: &mut Dice) -> Option<Vec<u8>> {
    let length = body.len();
    match notation {
        Notation::Meder => match body.last()? {
            last @ (b'W' | b'N' | b'B') => {
                let others: Vec<u8> = b"WNB".iter().copied().filter(|l| l != last).collect();
                body[length - 1] = pick(&others, dice)?;
            }
            last @ b'1'..=b'6' if length > 2 && body[length - 2] == b'L' => {
                let others: Vec<u8> = (b'1'..=b'6').filter(|l| l != last).collect();
                body[length - 1] = pick(&others, dice)?;
            }
            _ => return None,
        },
        Notation::Manual => {
            let board = body.rsplit(|b| *b == b',').next()?.to_vec();
            let others = ["WB", "NB", "BB", "KL", "QL", "kl", "ql"];
            if !others.iter().any(|other| other.as_bytes() == board) {
                return None;
            }
            body.truncate(length - board.len());
            body.extend(pick(&others, dice)?.bytes());
        }
        Notation::Millennium | Notation::Chess3 => {
            let level = body.get_mut(length.checked_sub(3)?)?;
            if !level.is_ascii_digit() {
                return None;
            }
            let others: Vec<u8> = (b'1'..=b'3').filter(|l| l != level).collect();
            *level = pick(&others, dice)?;
        }
    }
    Some(body)
}

/// Another letter for the piece; where the notation has none, another square of departure.
fn other_piece(notation: Notation, mut body: Vec<u8>, dice: &mut Dice) -> Option<Vec<u8>> {
    match notation {
        Notation::Meder | Notation::Millennium => {
            let own = *body.first()?;
            let is_board = body.get(1) == Some(&b'L');
            if is_board || !b"KQRBN".contains(&own) {
                return None;
            }
            let others: Vec<u8> = b"KQRBN".iter().copied().filter(|l| *l != own).collect();
            body[0] = pick(&others, dice)?;
        }
        Notation::Manual => {
            let files: Vec<u8> = (b'a'..=b'f').filter(|f| *f != body[0]).collect();
            if !body.contains(&b',') {
                return None;
            }
            body[0] = pick(&files, dice)?;
        }
        Notation::Chess3 => {
            if body.len() < 7 {
                return None;
            }
            let files: Vec<u8> = (b'A'..=b'H').filter(|f| *f != body[1]).collect();
            body[1] = pick(&files, dice)?;
        }
    }
    Some(body)
}
