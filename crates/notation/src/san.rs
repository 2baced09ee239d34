//! The tokens of which games mostly consist, read byte by byte and played without a list.
//!
//! Nine tokens of ten are a piece or a pawn to a square, a capture, castling, or a board to a pin, perhaps with a mark of
//! check and a comment behind. [`San::read`] reads those, in every notation and every language at the same cost, some ten
//! times faster than the grammars in [`moves`](crate::moves); [`San::follow`] plays the one legal move that is meant.
//! Both are accelerators only. What `read` reads, [`parse_by_grammar`](crate::parse_by_grammar) reads alike, and what
//! `follow` plays is the only one of the [`candidates`]: laws hold them to that. Where either says nothing, it is for the
//! slow ones to say what there is.

use crate::names::{main_board_of_letter, role_of_letter, wing_of_letter};
use crate::resolve::{candidates, only_board_move};
use crate::text::{
    BoardText, CheckMark, Level, Locale, MoveKind, MoveText, Notation, Notes, Origin, PieceText,
    Place,
};
use tridex_geometry::stair::{AttackBoard, Board, Column, Corner, MainBoard, Pin, Surface, board};
use tridex_geometry::{Family, Square, Wing, cube};
use tridex_rules::{
    CastlingSide, Departure, Move, MoveList, Played, Position, Role, Target, WrittenMove,
};

/// A token of one of the usual shapes, understood as words but not yet looked up in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct San {
    kind: Kind,
    family: Family,
    mark: CheckMark,
    suffix: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A kind of piece, and where it goes (meder, millennium).
    Man(WrittenMove),
    /// From where to where (manual, chess3).
    Squares {
        from: Target,
        to: Target,
        captures: bool,
    },
    Castle(CastlingSide),
    Board(BoardText),
    /// A pawn that becomes another piece where it goes (meder).
    Promotion(WrittenMove, Role),
}

impl San {
    /// Reads a token if it has one of the usual shapes, in the letters of a language.
    #[must_use]
    #[inline]
    pub fn read(notation: Notation, token: &[u8], locale: Locale) -> Option<Self> {
        let (way, mark, suffix) = tail(token);
        let kind = match notation {
            Notation::Meder => meder(way, locale).or_else(|| meder_promotion(way, locale)),
            Notation::Manual => manual(way),
            Notation::Millennium => millennium(way, locale),
            Notation::Chess3 => chess3(way),
        }?;
        Some(Self {
            kind,
            family: notation.family(),
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

    /// How many bytes at the end of the token are comment marks, `!` and `?`; 255 for more.
    #[must_use]
    #[inline]
    pub const fn suffix(&self) -> u8 {
        self.suffix
    }

    /// Whether the mark of check or mate, if there is one, is true after the move has been played.
    #[must_use]
    #[inline]
    pub fn mark_fits(&self, played: &Played, after: &Position) -> bool {
        match self.mark {
            CheckMark::None => true,
            CheckMark::Check => played.check,
            CheckMark::Mate => after.is_checkmate(),
        }
    }

    /// The one legal move that is meant, with captures as they are written; `None` where that is for [`candidates`] to
    /// say. The list is a scratch pad, so that nothing is allocated from move to move.
    #[must_use]
    #[inline]
    pub fn find(&self, position: &Position, scratch: &mut MoveList) -> Option<Move> {
        // A square of the one family is another square of the other: `b4N` would be 1f3 on the cube.
        if self.family != position.family() {
            return None;
        }
        if let Kind::Man(plain) = &self.kind {
            return position.find_written(plain);
        }
        self.find_other(position, scratch)
    }

    fn find_other(&self, position: &Position, scratch: &mut MoveList) -> Option<Move> {
        match &self.kind {
            Kind::Man(plain) => position.find_written(plain),
            Kind::Squares { from, to, captures } => position.find_between(*from, *to, *captures),
            Kind::Castle(side) => {
                let castle = Move::Castle(*side);
                position.is_legal(castle).then_some(castle)
            }
            Kind::Promotion(plain, role) => position.find_promotion(plain, *role),
            Kind::Board(board) => {
                if let Some(mv) = only_board_move(board, position) {
                    return Some(mv);
                }
                candidates(&self.text(), position, scratch);
                match scratch.as_slice() {
                    [only] => Some(*only),
                    _ => None,
                }
            }
        }
    }

    /// Plays the move that [`San::find`] has found for these words.
    #[inline]
    pub fn play(&self, position: &mut Position, mv: Move) -> Played {
        match (&self.kind, mv) {
            (Kind::Man(plain), _) => position.play_found(plain, mv),
            _ => position.play_reporting(mv),
        }
    }

    /// [`San::find`] and [`San::play`] in one go; where nothing is found nothing is played.
    #[inline]
    pub fn follow(
        &self,
        position: &mut Position,
        scratch: &mut MoveList,
    ) -> Option<(Move, Played)> {
        if self.family != position.family() {
            return None;
        }
        let mut played = Played::default();
        if let Kind::Man(plain) = &self.kind {
            return Some((position.play_written(plain, &mut played)?, played));
        }
        self.follow_other(position, scratch)
    }

    fn follow_other(
        &self,
        position: &mut Position,
        scratch: &mut MoveList,
    ) -> Option<(Move, Played)> {
        match &self.kind {
            Kind::Squares { from, to, captures } => {
                let mut played = Played::default();
                let mv = position.play_between(*from, *to, *captures, &mut played)?;
                Some((mv, played))
            }
            _ => {
                let mv = self.find_other(position, scratch)?;
                Some((mv, self.play(position, mv)))
            }
        }
    }

    /// The same as words.
    #[must_use]
    pub fn text(&self) -> MoveText {
        let (kind, capture) = match &self.kind {
            Kind::Man(plain) => (
                MoveKind::Piece(man_text(plain, self.family)),
                plain.captures,
            ),
            Kind::Squares { from, to, captures } => {
                let from = place_of(*from, self.family);
                let text = PieceText {
                    role: None,
                    from: Origin {
                        file: Some(from.file),
                        rank: Some(from.rank),
                        level: from.level,
                    },
                    to: place_of(*to, self.family),
                    promotion: None,
                };
                (MoveKind::Piece(text), *captures)
            }
            Kind::Promotion(plain, role) => {
                let text = PieceText {
                    promotion: Some(*role),
                    ..man_text(plain, self.family)
                };
                (MoveKind::Piece(text), plain.captures)
            }
            Kind::Castle(side) => (MoveKind::Castle(*side), false),
            Kind::Board(board) => (MoveKind::Board(*board), false),
        };
        MoveText {
            kind,
            capture,
            en_passant: false,
            mark: self.mark,
            draw_offer: false,
            suffix: self.suffix,
            notes: Notes::NONE,
        }
    }
}

/// The words of a square.
fn place_of(target: Target, family: Family) -> Place {
    let (column, level) = match target {
        Target::OnPin(pin, column) => (column, Level::Pin(pin)),
        Target::OnBoard(board, column) => (column, Level::Attack(board)),
        Target::Square(square) if family == Family::Cube => {
            return Place {
                file: cube::file(square),
                rank: cube::rank(square),
                level: Some(Level::Cube(cube::level(square))),
            };
        }
        Target::Square(square) => {
            let main = match board(square) {
                Board::Main(main) => main,
                // A target names an attack board as such.
                Board::Attack(_) => MainBoard::Black,
            };
            let index = square.index() as u8;
            let column = Column::new(index % 4 + 1, main.near_rank() + index % 16 / 4);
            (column, Level::Main(main))
        }
    };
    Place {
        file: column.file(),
        rank: column.rank(),
        level: Some(level),
    }
}

/// The words of a piece and where it goes.
fn man_text(plain: &WrittenMove, family: Family) -> PieceText {
    let said = |part| (part != Departure::ANY).then_some(part);
    let level = said(plain.from.level).map(|level| match family {
        Family::Cube => Level::Cube(level),
        Family::Stair => Level::Main(MainBoard::ALL[usize::from(level) % 3]),
    });
    PieceText {
        role: Some(plain.role),
        from: Origin {
            file: said(plain.from.file),
            rank: said(plain.from.rank),
            level,
        },
        to: place_of(plain.to, family),
        promotion: None,
    }
}

/// What stands before the marks of check and comment, and these.
#[inline]
fn tail(token: &[u8]) -> (&[u8], CheckMark, u8) {
    let mut way = token;
    while let [rest @ .., b'!' | b'?'] = way {
        way = rest;
    }
    let suffix = u8::try_from(token.len() - way.len()).unwrap_or(u8::MAX);
    let (way, mark) = match way {
        [way @ .., b'+', b'+'] | [way @ .., b'#'] => (way, CheckMark::Mate),
        [way @ .., b'+'] => (way, CheckMark::Check),
        _ => (way, CheckMark::None),
    };
    (way, mark, suffix)
}

/// Castling as it is written nearly always.
fn castling(way: &[u8]) -> Option<Kind> {
    match way {
        b"0-0" | b"O-O" => Some(Kind::Castle(CastlingSide::King)),
        b"0-0-0" | b"O-O-O" => Some(Kind::Castle(CastlingSide::Queen)),
        _ => None,
    }
}

/// Meder's notation, from the end backwards: a piece or a pawn to a square, with at most one part of the square of
/// departure for a piece, or a file or rank with a level for a pawn; a board to a pin.
#[inline]
fn meder(way: &[u8], locale: Locale) -> Option<Kind> {
    let [before @ .., file, rank, letter] = way else {
        return None;
    };
    let (before, to) = match main_board_of_letter(locale, *letter) {
        Some(main) => (before, Target::Square(main_square(main, *file, *rank)?)),
        None => {
            let Some((before, pin)) = meder_pin(way, locale) else {
                return castling(way);
            };
            match before {
                [before @ .., file, rank @ b'0'..=b'9'] => {
                    let column = Column::try_new(meder_file(*file)?, rank - b'0')?;
                    (before, Target::OnPin(pin, column))
                }
                _ => return meder_board(before, pin, locale),
            }
        }
    };
    let (before, captures) = match before {
        [before @ .., b'x'] => (before, true),
        _ => (before, false),
    };
    // Mostly there is a man or nothing, and then at most one part. What there is is looked up, not asked for: tokens
    // alternate too much for a processor to guess.
    let man = role_of_letter(locale, before.first().copied().unwrap_or(0));
    let parts = before.get(usize::from(man.is_some())..)?;
    let said = &PARTS[usize::from(matches!(locale, Locale::German))];
    let from = match parts {
        [place, level] if man.is_none() => Departure {
            level: said[usize::from(*level)].level,
            ..said[usize::from(*place)]
        },
        [_, _, ..] => return None,
        _ => said[usize::from(parts.first().copied().unwrap_or(0))],
    };
    let sound = match man {
        Some(_) => from != NOWHERE,
        // Before a pawn's capture stands a file or a rank, perhaps with a level; before its advance mostly nothing.
        None if parts.is_empty() => !captures,
        None => (from.file < 6 || from.rank < 10) && (parts.len() < 2 || from.level < 3),
    };
    sound.then_some(Kind::Man(WrittenMove {
        role: man.unwrap_or(Role::Pawn),
        captures,
        to,
        from,
    }))
}

/// The same with a pawn's square and the piece it becomes behind it: `b8BQ`.
#[cold]
fn meder_promotion(way: &[u8], locale: Locale) -> Option<Kind> {
    let [way @ .., letter] = way else {
        return None;
    };
    let role = role_of_letter(locale, *letter).filter(|role| Role::PROMOTIONS.contains(role))?;
    match meder(way, locale)? {
        Kind::Man(plain) if plain.role == Role::Pawn => Some(Kind::Promotion(plain, role)),
        _ => None,
    }
}

/// The pin at the end of a word of Meder's, and what stands before it.
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
fn meder_board(before: &[u8], to: Pin, locale: Locale) -> Option<Kind> {
    let from = match before {
        [] => None,
        [before @ .., b'-'] => match meder_pin(before, locale)? {
            ([], pin) => Some(pin),
            _ => return None,
        },
        _ => return None,
    };
    Some(Kind::Board(BoardText {
        from,
        to,
        either_surface: false,
        turned: false,
        promotion: None,
    }))
}

/// The square of a main board by its file and rank as they are written.
#[inline]
fn main_square(board: MainBoard, file: u8, rank: u8) -> Option<Square> {
    // Files a to d; ranks from the board's first.
    let (file, rank) = (
        file.wrapping_sub(b'a'),
        rank.wrapping_sub(b'0' + board.near_rank()),
    );
    if file > 3 || rank > 3 {
        return None;
    }
    Square::try_new(16 * board as u8 + 4 * rank + file)
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
static PARTS: [[Departure; 256]; 2] = {
    let mut table = [[NOWHERE; 256]; 2];
    let mut german = 0;
    while german < 2 {
        let locale = if german == 1 {
            Locale::German
        } else {
            Locale::English
        };
        table[german][0] = Departure::UNSAID;
        let mut byte = 1;
        while byte < 256 {
            let letter = byte as u8;
            let mut part = Departure::UNSAID;
            match (meder_file(letter), crate::names::main_board(locale, letter)) {
                (Some(file), _) => part.file = file,
                (_, Some(board)) => part.level = board as u8,
                _ if letter.is_ascii_digit() => part.rank = letter - b'0',
                _ => part = NOWHERE,
            }
            table[german][byte] = part;
            byte += 1;
        }
        german += 1;
    }
    table
};

/// Stands for letters that say nothing of a departure.
const NOWHERE: Departure = Departure {
    file: 14,
    rank: 14,
    level: 14,
};

/// The manual's notation: from a square to a square, a board from a pin to a pin, a board that turns.
#[inline]
fn manual(way: &[u8]) -> Option<Kind> {
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
    rest.is_empty()
        .then_some(Kind::Squares { from, to, captures })
}

/// A square as the writer spells it, if there ever is such a square.
#[inline]
fn manual_square(input: &[u8]) -> Option<(Target, &[u8])> {
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
    let square = match level {
        Board::Main(main) => Target::Square(main.square(column)?),
        Board::Attack(attack) => Target::OnBoard(attack, column),
    };
    Some((square, rest))
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
fn manual_board(way: &[u8]) -> Option<Kind> {
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
    Some(Kind::Board(BoardText {
        from: Some(from),
        to,
        either_surface: true,
        turned,
        promotion: None,
    }))
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
fn millennium(way: &[u8], locale: Locale) -> Option<Kind> {
    let [before @ .., level, file, rank] = way else {
        return None;
    };
    let Some(to) = cube_square(*level, file.wrapping_sub(b'a'), *rank) else {
        return castling(way);
    };
    let (before, captures, joined) = match before {
        [before @ .., b'x'] => (before, true, true),
        [before @ .., b'-'] => (before, false, true),
        _ => (before, false, false),
    };
    let man = role_of_letter(locale, before.first().copied().unwrap_or(0));
    let from = match before.get(usize::from(man.is_some())..)? {
        [] => Departure::UNSAID,
        [file @ b'a'..=b'h'] => Departure {
            file: file - b'a',
            ..Departure::UNSAID
        },
        [level @ b'1'..=b'3', file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Departure {
            file: file - b'a',
            rank: rank - b'1',
            level: level - b'1',
        },
        _ => return None,
    };
    let said = from.file != Departure::ANY;
    // Before a pawn's capture stands its file, before its advance nothing; a hyphen joins two squares.
    let sound = match man {
        Some(_) => captures || said || !joined,
        None => said == joined,
    };
    sound.then_some(Kind::Man(WrittenMove {
        role: man.unwrap_or(Role::Pawn),
        captures,
        to: Target::Square(to),
        from,
    }))
}

#[inline]
fn cube_square(level: u8, file: u8, rank: u8) -> Option<Square> {
    cube::try_square(level.wrapping_sub(b'1'), file, rank.wrapping_sub(b'1'))
}

/// The notation of Chess3: two squares in capitals.
#[inline]
fn chess3(way: &[u8]) -> Option<Kind> {
    let &[l, f, r, joint, level, file, rank] = way else {
        return castling(way);
    };
    let captures = match joint {
        b'-' => false,
        b'x' => true,
        _ => return None,
    };
    let place = |level: u8, file: u8, rank: u8| {
        let square = cube_square(level, file.wrapping_sub(b'A'), rank)?;
        Some(Target::Square(square))
    };
    let (from, to) = (place(l, f, r)?, place(level, file, rank)?);
    Some(Kind::Squares { from, to, captures })
}

#[cfg(test)]
mod tests;
