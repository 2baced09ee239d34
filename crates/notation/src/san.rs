//! The tokens of which games mostly consist, read byte by byte and played without a list.
//!
//! Nine tokens of ten are a piece or a pawn to a square, a capture, castling, or a board to a pin, perhaps with a mark of
//! check and a comment mark. [`San::read`] reads those, in every notation and every language at the same cost, some ten
//! times faster than the grammars in [`moves`](crate::moves); [`San::follow`] plays the one legal move that is meant.
//! Both are accelerators only. What `read` reads, the grammars read alike, and what
//! `follow` plays is the only one of the [`candidates`](crate::resolve::candidates): laws hold them to that. Where either gives `None`, it is for the
//! slow ones to say what there is.

use crate::moves::common::split_tail;
use crate::names::{main_board_of_letter, role_of_letter, wing_of_letter};
use crate::resolve::prefer_marked;
use crate::text::{
    BoardPattern, CheckMark, Coordinates, Departure, Level, Locale, MovePattern, MoveText,
    Notation, PiecePattern, Tail, TokenNotes,
};
use tridex_geometry::Wing;
use tridex_geometry::stair::{AttackBoard, Board, Column, Corner, MainBoard, Pin, Surface};
use tridex_rules::{CastlingSide, Move, MoveList, Playable, PlayedMove, Position, Role};

/// A token of one of the usual shapes, understood as words but not yet looked up in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct San {
    kind: MovePattern,
    capture: bool,
    mark: CheckMark,
    suffix: u8,
}

/// What moves, where, and whether a capture is written.
type Words = (MovePattern, bool);

impl San {
    /// Reads a token if it has one of the usual shapes, in the letters of a language.
    ///
    /// ```
    /// use tridex_notation::{Locale, Notation, San};
    /// use tridex_rules::{Position, RuleSystem};
    /// let san = San::read(Notation::Meder, b"Nb3W", Locale::English).expect("a usual token");
    /// let mut position = Position::start(RuleSystem::Meder);
    /// let found = san.find(&position);
    /// assert_eq!(san.follow(&mut position).map(|(m, _)| m), found);
    /// ```
    #[must_use]
    #[inline]
    pub fn read(notation: Notation, token: &[u8], locale: Locale) -> Option<Self> {
        let (way, tail) = split_tail(token)?;
        let Tail { mark, suffix, .. } = tail;
        let is_usual = Tail {
            mark,
            suffix,
            ..Tail::default()
        };
        if tail != is_usual {
            return None;
        }
        let (kind, capture) = match notation {
            Notation::Meder => meder(way, locale).or_else(|| meder_promotion(way, locale)),
            Notation::Manual => manual(way),
            Notation::Millennium => millennium(way, locale),
            Notation::Chess3 => chess3(way),
        }?;
        Some(Self {
            kind,
            capture,
            mark,
            suffix,
        })
    }

    /// The mark of check or mate.
    #[must_use]
    #[inline]
    pub const fn mark(&self) -> CheckMark {
        self.mark
    }

    /// Whether the mark of check or mate, if there is one, is true after the move has been played.
    #[must_use]
    #[inline]
    pub fn mark_fits(&self, played: &PlayedMove, after: &impl Playable) -> bool {
        match self.mark {
            CheckMark::None => true,
            CheckMark::Check => played.check,
            CheckMark::Mate => after.is_checkmate(),
        }
    }

    /// The one legal move that is meant, with captures as they are written; `None` where that is for [`candidates`](crate::resolve::candidates) to
    /// say.
    #[must_use]
    #[inline]
    pub fn find(&self, position: &Position) -> Option<Move> {
        position.find(&self.kind, self.capture).one()
    }

    /// [`San::find`], and plays what it finds.
    #[inline]
    pub fn follow(&self, position: &mut impl Playable) -> Option<(Move, PlayedMove)> {
        let mut played = PlayedMove::default();
        let mv = position.follow(&self.kind, self.capture, &mut played)?;
        Some((mv, played))
    }

    /// [`San::follow`]; if nothing is played, `out` has the legal moves that fit regardless of marks, from which
    /// [`San::prefer`] makes the [`candidates`](crate::resolve::candidates): one search instead of two.
    ///
    /// ```
    /// use tridex_notation::{Locale, Notation, San};
    /// use tridex_rules::{MoveList, Position, RuleSystem};
    /// let (mut position, mut out) = (Position::start(RuleSystem::Meder), MoveList::new());
    /// // Nothing is captured: no move is played, one is listed.
    /// let san = San::read(Notation::Meder, b"Nxb3W", Locale::English).expect("a usual token");
    /// assert!(san.follow_or_list(&mut position, &mut out).is_none());
    /// san.prefer(&position, &mut out);
    /// assert_eq!(out.len(), 1);
    /// ```
    #[inline]
    pub fn follow_or_list(
        &self,
        position: &mut impl Playable,
        out: &mut MoveList,
    ) -> Option<(Move, PlayedMove)> {
        let mut played = PlayedMove::default();
        let mv = position.follow_or_list(&self.kind, self.capture, &mut played, out)?;
        Some((mv, played))
    }

    /// Of the legal moves that fit regardless of marks those which the mark of a capture chooses, in the order of [`Move`].
    pub fn prefer(&self, position: &Position, moves: &mut MoveList) {
        prefer_marked(&self.text(), position, moves);
    }

    /// [`San::follow`] that shows a function the position before the move.
    #[inline]
    pub fn follow_with(
        &self,
        position: &mut Position,
        before: impl FnOnce(&Position, Move),
    ) -> Option<(Move, PlayedMove)> {
        position.follow_with(&self.kind, self.capture, before)
    }

    /// The same as words.
    #[must_use]
    pub fn text(&self) -> MoveText {
        MoveText {
            kind: self.kind,
            capture: self.capture,
            en_passant: false,
            mark: self.mark,
            draw_offer: false,
            suffix: self.suffix,
            notes: TokenNotes::NONE,
        }
    }
}

/// A piece of a kind, or of any, from somewhere to a place.
fn piece(role: Option<Role>, from: Departure, to: Coordinates, captures: bool) -> Words {
    let text = PiecePattern {
        role,
        from,
        to,
        promotion: None,
    };
    (MovePattern::Piece(text), captures)
}

/// From a place to a place.
fn between(from: Coordinates, to: Coordinates, captures: bool) -> Words {
    let from = Departure {
        file: Some(from.file),
        rank: Some(from.rank),
        level: from.level,
    };
    piece(None, from, to, captures)
}

/// Castling as it is written nearly always.
fn castling(way: &[u8]) -> Option<Words> {
    match way {
        b"0-0" | b"O-O" => Some((MovePattern::Castle(CastlingSide::King), false)),
        b"0-0-0" | b"O-O-O" => Some((MovePattern::Castle(CastlingSide::Queen), false)),
        _ => None,
    }
}

/// Meder's notation, from the end backwards: a piece or a pawn to a square, with at most one part of the square of
/// departure for a piece, or a file or rank with a level for a pawn; a board to a pin.
#[inline]
fn meder(way: &[u8], locale: Locale) -> Option<Words> {
    let [before @ .., file, rank, letter] = way else {
        return None;
    };
    let (before, to) = match main_board_of_letter(locale, *letter) {
        Some(main) => (before, main_place(main, *file, *rank)?),
        None => {
            let Some((before, pin)) = meder_pin(way, locale) else {
                return castling(way);
            };
            match before {
                [before @ .., file, rank @ b'0'..=b'9'] => {
                    let to = Coordinates {
                        file: meder_file(*file)?,
                        rank: rank - b'0',
                        level: Some(Level::Pin(pin)),
                    };
                    (before, to)
                }
                _ => return meder_board(before, pin, locale),
            }
        }
    };
    let (before, captures) = match before {
        [before @ .., b'x'] => (before, true),
        _ => (before, false),
    };
    // Mostly there is a piece or nothing, and then at most one part. A table is read instead of a branch taken: tokens
    // alternate too much for a processor to guess.
    let man = role_of_letter(locale, before.first().copied().unwrap_or(0));
    let parts = before.get(usize::from(man.is_some())..)?;
    let said = &PARTS[usize::from(matches!(locale, Locale::German))];
    let part = |i: usize| said[usize::from(parts.get(i).copied().unwrap_or(0))];
    let from = match parts.len() {
        0 | 1 => part(0)?,
        2 if man.is_none() => Departure {
            level: Some(part(1)?.level?),
            ..part(0)?
        },
        _ => return None,
    };
    // A pawn's capture begins with a file or a rank, perhaps with a level; its advance mostly with the square.
    let sound = match man {
        Some(_) => true,
        None if parts.is_empty() => !captures,
        None => from.file.is_some() || from.rank.is_some(),
    };
    sound.then(|| piece(Some(man.unwrap_or(Role::Pawn)), from, to, captures))
}

/// The same with the new piece after a pawn's square: `b8BQ`.
#[cold]
fn meder_promotion(way: &[u8], locale: Locale) -> Option<Words> {
    let [way @ .., letter] = way else {
        return None;
    };
    let role = role_of_letter(locale, *letter).filter(|role| Role::PROMOTIONS.contains(role))?;
    match meder(way, locale)? {
        (MovePattern::Piece(pawn), captures) if pawn.role == Some(Role::Pawn) => {
            let promotion = Some(role);
            Some((
                MovePattern::Piece(PiecePattern { promotion, ..pawn }),
                captures,
            ))
        }
        _ => None,
    }
}

/// The pin at the end of a token of Meder's, and the bytes before it.
#[inline]
fn meder_pin(way: &[u8], locale: Locale) -> Option<(&[u8], Pin)> {
    let (way, surface) = match way {
        [way @ .., b'v'] => (way, Surface::Under),
        _ => (way, Surface::Over),
    };
    let [before @ .., side, kind, number @ b'1'..=b'6'] = way else {
        return None;
    };
    let wing = wing_of_letter(locale, *side)?;
    if !(*kind == b'L' || *kind == b'P' && matches!(locale, Locale::German)) {
        return None;
    }
    let corner = Corner::try_new(number - b'0')?;
    Some((before, Pin::new(wing, corner, surface)))
}

/// A board to a pin, perhaps from another.
fn meder_board(before: &[u8], to: Pin, locale: Locale) -> Option<Words> {
    let from = match before {
        [] => None,
        [before @ .., b'-'] => match meder_pin(before, locale)? {
            ([], pin) => Some(pin),
            _ => return None,
        },
        _ => return None,
    };
    let board = BoardPattern {
        from,
        to,
        either_surface: false,
        turned: false,
        promotion: None,
    };
    Some((MovePattern::Board(board), false))
}

/// The place of a main board by its file and rank as they are written, if there is such a square.
#[inline]
fn main_place(board: MainBoard, file: u8, rank: u8) -> Option<Coordinates> {
    // Files a to d; ranks from the board's first.
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'0'));
    (file < 4 && rank.wrapping_sub(board.near_rank()) < 4).then(|| Coordinates {
        file: file + 1,
        rank,
        level: Some(Level::Main(board)),
    })
}

/// Meder's file of a letter.
#[inline]
const fn meder_file(letter: u8) -> Option<u8> {
    match letter {
        b'z' => Some(0),
        b'a'..=b'e' => Some(letter - b'a' + 1),
        _ => None,
    }
}

/// What can be written of a departure, by its letter or digit; nothing for 0; in German and in all other languages.
static PARTS: [[Option<Departure>; 256]; 2] = {
    const UNSAID: Departure = Departure {
        file: None,
        rank: None,
        level: None,
    };
    let mut table = [[None; 256]; 2];
    let mut german = 0;
    while german < 2 {
        let locale = if german == 1 {
            Locale::German
        } else {
            Locale::English
        };
        table[german][0] = Some(UNSAID);
        let mut byte = 1;
        while byte < 256 {
            let letter = byte as u8;
            let mut part = UNSAID;
            match (meder_file(letter), crate::names::main_board(locale, letter)) {
                (Some(file), _) => part.file = Some(file),
                (_, Some(board)) => part.level = Some(Level::Main(board)),
                _ if letter.is_ascii_digit() => part.rank = Some(letter - b'0'),
                _ => {}
            }
            let is_part = part.file.is_some() || part.rank.is_some() || part.level.is_some();
            table[german][byte] = if is_part { Some(part) } else { None };
            byte += 1;
        }
        german += 1;
    }
    table
};

/// The manual's notation: from a square to a square, a board from a pin to a pin, a board that turns.
#[inline]
fn manual(way: &[u8]) -> Option<Words> {
    let Some((from, rest)) = manual_square(way) else {
        return manual_board(way).or_else(|| castling(way));
    };
    let (sign, rest) = rest.split_first()?;
    let (to, rest) = manual_square(rest)?;
    let captures = match sign {
        b'-' => false,
        b'x' => true,
        _ => return None,
    };
    rest.is_empty().then(|| between(from, to, captures))
}

/// A square as the writer spells it, if there ever is such a square.
#[inline]
fn manual_square(input: &[u8]) -> Option<(Coordinates, &[u8])> {
    let (file, rank, board, rest) = match input {
        [file, rank @ b'1'..=b'9', b',', first, second, rest @ ..] => {
            (file, rank - b'1', [*first, *second], rest)
        }
        [file, b'1', b'0', b',', first, second, rest @ ..] => (file, 9, [*first, *second], rest),
        _ => return None,
    };
    let (second, level) = BOARDS[usize::from(board[0])]?;
    if board[1] != second {
        return None;
    }
    let column = Column::try_new(file.wrapping_sub(b'a'), rank)?;
    let level = match level {
        Board::Main(main) => {
            main.square(column)?;
            Level::Main(main)
        }
        Board::Attack(attack) => Level::Attack(attack),
    };
    let place = Coordinates {
        file: column.file(),
        rank,
        level: Some(level),
    };
    Some((place, rest))
}

/// Boards by the first letter of their names, with the second letter: a table, because no processor foresees them.
static BOARDS: [Option<(u8, Board)>; 256] = {
    let mut table = [None; 256];
    let mut i = 0;
    while i < MainBoard::ALL.len() {
        let board = MainBoard::ALL[i];
        let name = crate::names::manual_main_board(board).as_bytes();
        table[name[0] as usize] = Some((name[1], Board::Main(board)));
        i += 1;
    }
    let mut i = 0;
    while i < AttackBoard::ALL.len() {
        let board = AttackBoard::ALL[i];
        let name = crate::names::manual_board(board).as_bytes();
        table[name[0] as usize] = Some((name[1], Board::Attack(board)));
        i += 1;
    }
    table
};

/// A board from a pin to a pin, or turned on its pin.
fn manual_board(way: &[u8]) -> Option<Words> {
    let (from, rest) = manual_pin(way)?;
    let (to, turned) = match rest {
        b"r" => (from, true),
        [b'-', rest @ ..] => match manual_pin(rest)? {
            (to, []) => (to, false),
            (to, b"r") => (to, true),
            _ => return None,
        },
        _ => return None,
    };
    let board = BoardPattern {
        from: Some(from),
        to,
        either_surface: true,
        turned,
        promotion: None,
    };
    Some((MovePattern::Board(board), false))
}

fn manual_pin(input: &[u8]) -> Option<(Pin, &[u8])> {
    let (wing, rest) = match input {
        [b'Q', b'P', rest @ ..] => (Wing::Queen, rest),
        [b'K', b'P', rest @ ..] => (Wing::King, rest),
        _ => return None,
    };
    let (number, rest) = match rest {
        [b'1', digit @ b'0'..=b'2', rest @ ..] => (10 + digit - b'0', rest),
        [digit @ b'1'..=b'9', rest @ ..] => (digit - b'0', rest),
        _ => return None,
    };
    Some((Pin::from_manual(wing, number)?, rest))
}

/// The notation of Millennium, from the end backwards: a piece or a pawn to a square, perhaps with its file or its full
/// square.
#[inline]
fn millennium(way: &[u8], locale: Locale) -> Option<Words> {
    let [before @ .., level, file, rank] = way else {
        return None;
    };
    let Some(to) = cube_place(*level, file.wrapping_sub(b'a'), *rank) else {
        return castling(way);
    };
    let (before, captures, joined) = match before {
        [before @ .., b'x'] => (before, true, true),
        [before @ .., b'-'] => (before, false, true),
        _ => (before, false, false),
    };
    let man = role_of_letter(locale, before.first().copied().unwrap_or(0));
    let from = match before.get(usize::from(man.is_some())..)? {
        [] => Departure::default(),
        [file @ b'a'..=b'h'] => Departure {
            file: Some(file - b'a'),
            ..Departure::default()
        },
        [level @ b'1'..=b'3', file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Departure {
            file: Some(file - b'a'),
            rank: Some(rank - b'1'),
            level: Some(Level::Cube(level - b'1')),
        },
        _ => return None,
    };
    let said = from.file.is_some();
    // A pawn's capture begins with its file, its advance with the square; a hyphen joins two squares.
    let sound = match man {
        Some(_) => captures || said || !joined,
        None => said == joined,
    };
    sound.then(|| piece(Some(man.unwrap_or(Role::Pawn)), from, to, captures))
}

#[inline]
fn cube_place(level: u8, file: u8, rank: u8) -> Option<Coordinates> {
    let (level, rank) = (level.wrapping_sub(b'1'), rank.wrapping_sub(b'1'));
    (level < 3 && file < 8 && rank < 8).then_some(Coordinates {
        file,
        rank,
        level: Some(Level::Cube(level)),
    })
}

/// The notation of Chess3: two squares in capitals.
#[inline]
fn chess3(way: &[u8]) -> Option<Words> {
    let &[l, f, r, joint, level, file, rank] = way else {
        return castling(way);
    };
    let captures = match joint {
        b'-' => false,
        b'x' => true,
        _ => return None,
    };
    let place = |level, file: u8, rank| cube_place(level, file.wrapping_sub(b'A'), rank);
    Some(between(
        place(l, f, r)?,
        place(level, file, rank)?,
        captures,
    ))
}

#[cfg(test)]
mod tests;
