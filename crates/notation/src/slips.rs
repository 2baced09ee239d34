//! Slips of the pen, the keyboard or a scanner: finds the legal moves that a token may have been meant to be.
//!
//! A token that cannot be parsed, or fits no legal move, was usually meant to be a move, but a zero was read as an `O`,
//! two letters were exchanged, one is missing, or the level is wrong. [`corrections`] compares the token with the short
//! and the full spelling of each legal move and lists the moves that are one slip away. It starts from the legal moves
//! and not from the grammar, so it works in every notation. Only the rest of the game can show which of these moves is
//! right.

use crate::letters::Letters;
use crate::names::{figurine_role, letter_of_role, push_square};
use crate::resolve::{candidates, prefer_marked};
use crate::text::{Locale, MovePattern, MoveText, Notation, WriteOptions, split_end};
use crate::{parse, write_unmarked};
use tridex_geometry::Square;
use tridex_geometry::stair::{AttackBoard, Pin};
use tridex_rules::{Move, MoveList, Position, Role};
use tridex_words::plain_letters;

/// The kinds of slips, the likeliest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Slip {
    /// Only the case, blanks, commas, brackets or equals signs differ.
    Case,
    /// A character was read as one that looks like it: `0` and `O`, `1` and `l`, `8` and `B`, `rn` and `m`.
    Misread,
    /// Two neighbouring characters are exchanged.
    Swapped,
    /// A character is missing.
    Missing,
    /// A character is doubled.
    Doubled,
    /// A neighbouring key was hit.
    NextKey,
    /// The level or the board is wrong.
    Level,
    /// A character is wrong, or there is one too many.
    Character,
    /// The wrong kind of piece is named.
    Piece,
}

impl Slip {
    /// How unlikely the slip is, from `0` for the likeliest. Slips of the same cost are equally likely.
    ///
    /// ```
    /// use tridex_notation::slips::Slip;
    ///
    /// assert!(Slip::Misread.cost() < Slip::Piece.cost());
    /// ```
    pub const fn cost(self) -> u8 {
        match self {
            Self::Case => 0,
            Self::Misread | Self::Swapped | Self::Missing | Self::Doubled | Self::NextKey => 1,
            Self::Level | Self::Character => 2,
            Self::Piece => 3,
        }
    }

    /// A description that can follow a colon.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Case => "capitals and small letters",
            Self::Misread => "a misread character",
            Self::Swapped => "two exchanged characters",
            Self::Missing => "a missing character",
            Self::Doubled => "a doubled character",
            Self::NextKey => "an adjacent key",
            Self::Level => "another level",
            Self::Character => "a wrong character",
            Self::Piece => "another piece",
        }
    }
}

/// A legal move that is one slip away from a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CorrectedMove {
    /// The slip.
    pub slip: Slip,
    /// The move.
    pub mv: Move,
    /// Its canonical spelling, without check or mate mark.
    pub text: String,
}

/// Returns the legal moves that are one slip away from a token, each with its likeliest slip. They are ordered by the
/// cost of the slip, then in the order of [`Move`]. Marks and comment marks at the end of the token are ignored.
///
/// This takes some tens of microseconds, because it examines every legal move. Other languages and notations are not
/// tried.
///
/// ```
/// use tridex_notation::{Locale, Notation, slips::{Slip, corrections}};
/// use tridex_rules::{Position, RuleSystem};
///
/// let start = Position::start(RuleSystem::Chess3);
/// let found = corrections(&start, Notation::Chess3, Locale::English, b"lB2-1B4");
/// assert_eq!((found[0].slip, found[0].text.as_str()), (Slip::Misread, "1B2-1B4"));
/// ```
pub fn corrections(
    position: &Position,
    notation: Notation,
    locale: Locale,
    token: &[u8],
) -> Vec<CorrectedMove> {
    let text = parse(notation, token, Some(locale)).ok();
    let found = SlipFinder::new(notation, locale).find(position, token, text.as_ref());
    found
        .into_iter()
        .filter_map(|NearMove { slip, mv }| {
            let text = canonical(position, notation, locale, mv)?;
            let text = text.as_str().to_owned();
            Some(CorrectedMove { slip, mv, text })
        })
        .collect()
}

/// A legal move that is one slip away from a token, without its spelling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NearMove {
    /// The slip.
    pub slip: Slip,
    /// The move.
    pub mv: Move,
}

/// Finds the legal moves that are one slip away from a token, in a notation and a language. It does the same as
/// [`corrections`], for a caller that has many tokens and does not need the spelling of every move.
///
/// ```
/// use tridex_notation::{Locale, Notation, slips::{Slip, SlipFinder}};
/// use tridex_rules::{Position, RuleSystem};
///
/// let start = Position::start(RuleSystem::Chess3);
/// let mut finder = SlipFinder::new(Notation::Chess3, Locale::English);
/// assert_eq!(finder.find(&start, b"lB2-1B4", None)[0].slip, Slip::Misread);
/// ```
#[derive(Debug)]
pub struct SlipFinder {
    notation: Notation,
    locale: Locale,
    /// The pins of the attack boards in the last position.
    pins: Option<[Pin; 4]>,
    /// The names of squares in that layout, computed when first needed, each with its characters as bits.
    names: Vec<(Letters, u64)>,
}

impl SlipFinder {
    /// Creates a finder for a notation and a language.
    pub const fn new(notation: Notation, locale: Locale) -> Self {
        Self {
            notation,
            locale,
            pins: None,
            names: Vec::new(),
        }
    }

    /// Returns the moves in the order of [`corrections`]. `text` is the parsed token, if it could be parsed.
    pub fn find(
        &mut self,
        position: &Position,
        token: &[u8],
        text: Option<&MoveText>,
    ) -> Vec<NearMove> {
        if self.notation.family() != position.family() || token.len() > LONGEST {
            return Vec::new();
        }
        let pins = position
            .layout()
            .map(|layout| AttackBoard::ALL.map(|board| layout.pin(board)));
        if self.names.is_empty() || self.pins != pins {
            self.pins = pins;
            self.names = vec![(Letters::new(), 0); Square::CAPACITY];
        }
        // Letters of other alphabets are replaced by the ASCII letters they look like.
        let plain = plain_letters(token);
        let (body, _) = split_end(plain.as_deref().unwrap_or(token), b"!?+#.,; ");
        let capitals = self.in_capitals(body);
        let written = Written::new(capitals.as_deref().unwrap_or(body), self.locale);
        let mut found: Vec<NearMove> = Vec::with_capacity(16);
        let mut add = |slip: Slip, mv: Move| match found.iter_mut().find(|known| known.mv == mv) {
            Some(known) => known.slip = known.slip.min(slip),
            None => found.push(NearMove { slip, mv }),
        };
        if let Some(text) = text {
            nearby(position, text, &mut add);
        }
        for mv in position.legal_moves() {
            self.each(position, &written, mv, |spelled| {
                if let Some(slip) = written.slip(spelled) {
                    add(slip, mv);
                }
            });
        }
        found.sort_unstable_by_key(|near| (near.slip.cost(), near.mv));
        found
    }

    /// A token of Chess3 whose files are all small letters, with capitals. The notation has capitals, and reads either; without
    /// this, each file would be a slip of its own.
    fn in_capitals(&self, body: &[u8]) -> Option<Vec<u8>> {
        let is_small = |byte: &u8| (b'a'..=b'h').contains(byte);
        let is_capital = |byte: &u8| (b'A'..=b'H').contains(byte);
        let are_small = body.iter().any(is_small) && !body.iter().any(is_capital);
        (self.notation == Notation::Chess3 && are_small).then(|| {
            let capital = |byte: &u8| match is_small(byte) {
                true => byte.to_ascii_uppercase(),
                false => *byte,
            };
            body.iter().map(capital).collect()
        })
    }

    /// Calls `take` with the spellings of a move: the canonical form, the short form of a pawn's capture, and the form
    /// with both squares in full. Skips moves that are certainly more than one slip away from the token.
    fn each(
        &mut self,
        position: &Position,
        written: &Written,
        mv: Move,
        mut take: impl FnMut(&Letters),
    ) {
        let (notation, locale) = (self.notation, self.locale);
        let canonical = || canonical(position, notation, locale, mv);
        let (Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. }) = mv else {
            canonical().iter().for_each(take);
            return;
        };
        // One slip can remove two characters only if they are adjacent, and no such pair is part of a square or begins
        // with the letter of a piece.
        let (name, letters) = self.name(position, to);
        let lacking = letters & !written.known;
        if lacking & lacking.wrapping_sub(1) != 0 {
            return;
        }
        let name = *name;
        let Some(role) = position.piece_at(from).map(|piece| piece.role) else {
            return;
        };
        // The other notations always write both squares and never the letter of a piece.
        let is_short = notation.has_letters();
        let letter = letter_of_role(locale, role).filter(|_| is_short);
        if letter.is_some_and(|letter| !written.begins_or_ends(letter, &name)) {
            return;
        }
        canonical().iter().for_each(&mut take);
        let captures = position.is_capture(mv);
        if role == Role::Pawn && captures {
            let short = WriteOptions {
                locale,
                full_pawn_captures: false,
                marks: None,
            };
            let short = write_unmarked(notation, position, mv, &short);
            short.iter().for_each(&mut take);
        }
        if !is_short || written.bytes.len() + 1 < SHORTEST_FULL {
            return;
        }
        let mut full = Letters::new();
        if let Some(letter) = letter {
            full.push_letter(letter);
        }
        full.push_str(self.name(position, from).0.as_str());
        full.push_letter(if captures { b'x' } else { b'-' });
        full.push_str(name.as_str());
        if let Some(letter) = mv.promotion().and_then(|role| letter_of_role(locale, role)) {
            full.push_letter(letter);
        }
        take(&full);
    }

    /// The name of a square.
    fn name(&mut self, position: &Position, square: Square) -> &(Letters, u64) {
        let known = &mut self.names[square.index()];
        if known.1 == 0 {
            let (name, layout) = (&mut known.0, position.layout());
            push_square(self.notation, self.locale, layout, square, name);
            known.1 = bits(name.letters());
        }
        known
    }
}

/// Longer tokens are never moves.
const LONGEST: usize = 40;

/// The characters of a token that distinguish moves, also as bits.
struct Written {
    bytes: Vec<u8>,
    known: u64,
}

impl Written {
    /// Drops commas, blanks, brackets and equals signs. Replaces every capture mark by `x`, every dash by `-` and
    /// figurines by letters. Any other character that is not ASCII becomes a zero byte, which occurs in no spelling.
    fn new(text: &[u8], locale: Locale) -> Self {
        let mut bytes = Vec::with_capacity(text.len());
        for letter in String::from_utf8_lossy(text).chars() {
            match letter {
                ' ' | '\t' | ',' | '=' | '(' | ')' => {}
                ':' | 'X' | '\u{D7}' => bytes.push(b'x'),
                dash if tridex_words::is_dash(dash) => bytes.push(b'-'),
                '\u{2654}'..='\u{265F}' => {
                    bytes.extend(
                        figurine_role(letter).and_then(|role| letter_of_role(locale, role)),
                    );
                }
                '\u{FE0E}' | '\u{FE0F}' => {}
                letter => bytes.push(u8::try_from(letter).ok().filter(u8::is_ascii).unwrap_or(0)),
            }
        }
        let known = SIGNS | bits(&bytes);
        Self { bytes, known }
    }

    /// Whether the token may be one slip away from a spelling that begins with `letter` and ends with `name`: a slip
    /// near the end leaves the letter among the first two characters, and a slip near the start leaves the name.
    fn begins_or_ends(&self, letter: u8, name: &Letters) -> bool {
        let mut first = self.bytes.iter().take(2);
        first.any(|first| first.eq_ignore_ascii_case(&letter))
            || self.bytes.ends_with(name.letters())
    }

    /// The slip that turns the spelling into the token, if one is enough.
    fn slip(&self, spelling: &Letters) -> Option<Slip> {
        let (mut bare, mut length) = ([0; Letters::CAPACITY], 0);
        for letter in spelling.letters() {
            // A character that is not counted is overwritten by the next one.
            if let Some(place) = bare.get_mut(length) {
                *place = if *letter == b':' { b'x' } else { *letter };
            }
            length += usize::from(SIGNS & bit(*letter) == 0);
        }
        slip(&self.bytes, bare.get(..length)?)
    }
}

/// The signs of spellings that do not distinguish moves.
const SIGNS: u64 = bit(b' ') | bit(b',') | bit(b'=') | bit(b'(') | bit(b')');

/// The bit of an ASCII character, the same for a capital and a small letter.
const fn bit(letter: u8) -> u64 {
    let half = if letter < b'@' { 32 } else { 0 };
    1 << (letter & 31 | half)
}

/// The bits of several characters.
fn bits(letters: &[u8]) -> u64 {
    letters.iter().fold(0, |bits, letter| bits | bit(*letter))
}

fn canonical(position: &Position, notation: Notation, locale: Locale, mv: Move) -> Option<Letters> {
    let options = WriteOptions {
        locale,
        ..WriteOptions::default()
    };
    write_unmarked(notation, position, mv, &options).ok()
}

/// The length of the shortest full form: two squares and the sign between them.
const SHORTEST_FULL: usize = 7;

/// Adds the moves that fit the text if one part of it is ignored: a level or the kind of piece.
fn nearby(position: &Position, text: &MoveText, add: &mut impl FnMut(Slip, Move)) {
    let MovePattern::Piece(piece) = *text.pattern() else {
        return;
    };
    let (mut anywhere, mut from_anywhere) = (piece, piece);
    anywhere.to.level = None;
    from_anywhere.from.level = None;
    let mut add_level = |other| {
        let fits = candidates(&text.with_pattern(MovePattern::Piece(other)), position);
        fits.iter().for_each(|mv| add(Slip::Level, *mv));
    };
    add_level(anywhere);
    let Some(named) = piece.role else {
        return add_level(from_anywhere);
    };
    // One search finds the moves of all kinds of pieces; the marks then select among the moves of each kind.
    let mut any = if piece.promotion.is_none() {
        piece
    } else {
        from_anywhere
    };
    let is_anywhere = any.from == from_anywhere.from;
    if !is_anywhere {
        add_level(from_anywhere);
    }
    any.role = None;
    let any = MovePattern::Piece(any);
    let all = position.moves_like(&any);
    for role in Role::ALL {
        if role == named && !is_anywhere {
            continue;
        }
        let pieces = position.pieces(position.turn(), role);
        let moves = all.iter().filter(|mv| match **mv {
            Move::Piece { from, .. } | Move::EnPassant { from, .. } => pieces.contains(from),
            Move::Castle(_) | Move::Board { .. } | Move::Pass => false,
        });
        let mut fits: MoveList = moves.copied().collect();
        prefer_marked(text, position, &mut fits);
        let slip = if role == named {
            Slip::Level
        } else {
            Slip::Piece
        };
        fits.iter().for_each(|mv| add(slip, *mv));
    }
}

/// The slip that turns a spelling into a token, if one is enough.
fn slip(token: &[u8], spelling: &[u8]) -> Option<Slip> {
    if token.len().abs_diff(spelling.len()) > 1 {
        return None;
    }
    if token.eq_ignore_ascii_case(spelling) {
        return Some(Slip::Case);
    }
    let before = common(token.iter(), spelling.iter());
    let (token_rest, rest) = (token.get(before..)?, spelling.get(before..)?);
    let behind = common(token_rest.iter().rev(), rest.iter().rev());
    let wrong = token_rest.get(..token_rest.len() - behind)?;
    let right = rest.get(..rest.len() - behind)?;
    match (wrong, right) {
        ([a], [b]) if look_alike(*a, *b) => Some(Slip::Misread),
        ([a], [b]) if are_neighbours(*a, *b) => Some(Slip::NextKey),
        ([_], [_]) => Some(Slip::Character),
        ([a, b], [c, d]) if (a, b) == (d, c) => Some(Slip::Swapped),
        ([], [_]) => Some(Slip::Missing),
        ([extra], []) => {
            let beside = [before.checked_sub(1), Some(before + 1)];
            let doubled = beside
                .into_iter()
                .flatten()
                .any(|place| token.get(place) == Some(extra));
            Some(if doubled {
                Slip::Doubled
            } else {
                Slip::Character
            })
        }
        (pair @ [_, _], [one]) | ([one], pair @ [_, _]) if run_together(pair, *one) => {
            Some(Slip::Misread)
        }
        _ => None,
    }
}

fn common<'a>(a: impl Iterator<Item = &'a u8>, b: impl Iterator<Item = &'a u8>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}

/// Whether two characters look so similar that people or machines confuse them.
fn look_alike(a: u8, b: u8) -> bool {
    static PAIRS: [u128; 128] = pairs(
        &[
            b"0OoDQ",
            b"1lIi|!/L",
            b"17",
            b"5Ss",
            b"2Zz",
            b"8B",
            b"3B",
            b"6bG",
            b"9gq",
            b"4A",
            b"ceG",
            b"KRX",
            b"uvw",
        ],
        usize::MAX,
    );
    are_paired(&PAIRS, a, b)
}

/// For each character, the bits of the characters that are in the same word, at most `reach` positions away.
const fn pairs(words: &[&[u8]], reach: usize) -> [u128; 128] {
    let (mut pairs, mut word) = ([0; 128], 0);
    while word < words.len() {
        let mut i = 0;
        while i < words[word].len() {
            let mut j = 0;
            while j < words[word].len() {
                if i.abs_diff(j) <= reach {
                    pairs[words[word][i] as usize] |= 1 << words[word][j];
                }
                j += 1;
            }
            i += 1;
        }
        word += 1;
    }
    pairs
}

fn are_paired(pairs: &[u128; 128], a: u8, b: u8) -> bool {
    let of = pairs.get(usize::from(a));
    b.is_ascii() && of.is_some_and(|of| of >> b & 1 != 0)
}

/// Whether two adjacent characters look like one.
fn run_together(pair: &[u8], one: u8) -> bool {
    const PAIRS: [(&[u8], u8); 6] = [
        (b"rn", b'm'),
        (b"cl", b'd'),
        (b"vv", b'w'),
        (b"VV", b'W'),
        (b"lc", b'k'),
        (b"IV", b'N'),
    ];
    PAIRS
        .iter()
        .any(|(known, single)| *known == pair && *single == one)
}

/// Whether two keys are adjacent on any of the usual keyboard layouts.
fn are_neighbours(a: u8, b: u8) -> bool {
    static PAIRS: [u128; 128] = pairs(
        &[
            b"1234567890-=",
            b"qwertyuiop",
            b"qwertzuiop",
            b"azertyuiop",
            b"asdfghjkl",
            b"qsdfghjklm",
            b"zxcvbnm,.",
            b"yxcvbnm,.-",
        ],
        1,
    );
    are_paired(&PAIRS, a.to_ascii_lowercase(), b.to_ascii_lowercase())
}

#[cfg(test)]
mod tests;
