//! Reads and writes the dialects of other programs. Each dialect has a module and a grammar.
//!
//! Each [`Program`] has its own notation. Its moves are parsed into a [`MoveText`] and looked up in a position, as
//! moves in any other notation are, and tridex reports them in Meder's notation. The formats were derived from public
//! files; no code of the programs is used here.
//!
//! Files of another program, Parmen, cannot be read yet. Its `gamelist.txt` uses either a "standard" or a "Romulan"
//! notation. No sample of either is known, and according to the author the tournament notation is wrong in places.

pub mod commence;
pub mod star_trek;
#[cfg(test)]
pub(crate) mod testing;
pub mod tridchessboard;
pub mod web_trid;

use crate::position_string;
use crate::resolve;
use crate::text::{MovePattern, MoveText, Notation};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{map_opt, value};
use std::fmt::{self, Display, Formatter};
use tridex_geometry::stair::{Column, Layout, Surface};
use tridex_geometry::{Family, Square};
use tridex_grammar::{Parsed, SyntaxError, between, expected};
use tridex_rules::{CastlingSide, Move, MoveList, Position, Role, Setup};

/// A program whose records tridex reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Program {
    /// "Star Trek Tri-Dimensional", a game for the desktop.
    StarTrek,
    /// tridchessboard.js, a board for web pages.
    Tridchessboard,
    /// Commence Software's Tri-Dimensional Chess, for telephone and desktop.
    Commence,
    /// Web TriD, a page with a Java applet.
    WebTriD,
}

impl Program {
    /// All programs.
    pub const ALL: [Self; 4] = [
        Self::StarTrek,
        Self::Tridchessboard,
        Self::Commence,
        Self::WebTriD,
    ];

    /// The programs for which tridex can write positions.
    pub const WITH_POSITIONS: [Self; 2] = [Self::StarTrek, Self::Tridchessboard];

    /// The programs for which tridex can write games.
    pub const WITH_GAMES: [Self; 1] = [Self::StarTrek];

    /// The name used in options and tags.
    pub const fn name(self) -> &'static str {
        match self {
            Self::StarTrek => "star-trek-tri-dimensional",
            Self::Tridchessboard => "tridchessboard",
            Self::Commence => "commence",
            Self::WebTriD => "web-trid",
        }
    }

    /// The title of the program.
    pub const fn title(self) -> &'static str {
        match self {
            Self::StarTrek => "Star Trek Tri-Dimensional",
            Self::Tridchessboard => "tridchessboard.js",
            Self::Commence => "Commence's Tri-Dimensional Chess",
            Self::WebTriD => "Web TriD",
        }
    }

    /// Returns the program with a name or title, without regard to case.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.trim();
        Self::ALL.into_iter().find(|program| {
            program.name().eq_ignore_ascii_case(name) || program.title().eq_ignore_ascii_case(name)
        })
    }

    /// The notation that messages about its games use.
    pub const fn notation(self) -> Notation {
        Notation::Meder
    }

    /// Whether its notation is Meder's except for details, so that the parser of Meder's notation reads its ordinary
    /// moves.
    ///
    /// ```
    /// use tridex_notation::Program;
    ///
    /// for program in Program::ALL {
    ///     assert_eq!(Program::from_name(program.name()), Some(program));
    ///     assert!(!program.title().is_empty());
    ///     // Only one of them writes squares as Meder does, and marks what is taken.
    ///     assert_eq!(program.writes_meder(), program.marks_captures());
    /// }
    /// ```
    pub const fn writes_meder(self) -> bool {
        matches!(self, Self::StarTrek)
    }

    /// Whether it marks captures, en passant too.
    pub const fn marks_captures(self) -> bool {
        matches!(self, Self::StarTrek)
    }

    /// Reads one token.
    ///
    /// ```
    /// use tridex_notation::Program;
    /// assert!(Program::StarTrek.parse(b"Q/KL5-KL6").is_ok());
    /// assert!(Program::Tridchessboard.parse(b"Nb3W").is_err());
    /// ```
    ///
    /// # Errors
    /// If the program would not write the token, or if the token describes something that our rules do not have.
    pub fn parse(self, token: &[u8]) -> Result<MoveText, SyntaxError> {
        match self {
            Self::StarTrek => star_trek::parse_move(token),
            Self::Tridchessboard => tridchessboard::parse_move(token),
            Self::Commence => commence::parse_move(token),
            Self::WebTriD => web_trid::parse_move(token),
        }
    }

    /// The legal moves that a token of this program can mean, in order: those of [`resolve::candidates`], or, if there
    /// are none, castling written as a king's move.
    #[must_use]
    pub fn candidates(self, text: &MoveText, position: &Position) -> MoveList {
        let mut moves = resolve::candidates(text, position);
        if moves.is_empty() && !self.writes_meder() {
            moves.extend(castling(text, position));
        }
        moves
    }

    /// Detects by its shape the program that wrote a position. `None` for our own position strings.
    pub fn of_position(text: &str) -> Option<Self> {
        let mut fields = text.split_ascii_whitespace();
        let (boards, placement) = (fields.next()?, fields.next()?);
        if star_trek::looks_like_boards(boards) && placement.contains('/') {
            Some(Self::StarTrek)
        } else if tridchessboard::looks_like_position(boards, placement) {
            Some(Self::Tridchessboard)
        } else {
            None
        }
    }

    /// Reads a position.
    ///
    /// # Errors
    /// Where and why the text cannot be read, or that no positions of the program are known. Whether the position can
    /// be played is checked by [`Position::from_setup`].
    pub fn parse_position(self, text: &str) -> Result<Setup, SyntaxError> {
        match self {
            Self::StarTrek => star_trek::parse(text),
            Self::Tridchessboard => tridchessboard::parse(text),
            Self::Commence | Self::WebTriD => Err(SyntaxError::new(
                0,
                "a position of another program (of this one's none are known)",
            )),
        }
    }

    /// Writes a position; `None` if the program cannot represent it.
    ///
    /// ```
    /// use tridex_notation::programs::{Program, parse_any_position};
    /// use tridex_rules::RuleSystem;
    ///
    /// let start = RuleSystem::Manual.start();
    /// if let Some(text) = Program::Tridchessboard.write_position(&start) {
    ///     assert_eq!(parse_any_position(&text)?.1, Some(Program::Tridchessboard));
    /// }
    /// # Ok::<(), tridex_notation::programs::PositionFault>(())
    /// ```
    pub fn write_position(self, setup: &Setup) -> Option<String> {
        match self {
            Self::StarTrek => star_trek::write(setup),
            Self::Tridchessboard => tridchessboard::write(setup),
            Self::Commence | Self::WebTriD => None,
        }
    }
}

/// Reads our own position strings and those of any program; also returns the program.
///
/// # Errors
/// Where and why the text cannot be read.
pub fn parse_any_position(text: &str) -> Result<(Setup, Option<Program>), PositionFault> {
    let Some(program) = Program::of_position(text) else {
        let setup = position_string::parse(text).map_err(PositionFault::Own)?;
        return Ok((setup, None));
    };
    // Positions of programs have no blanks before them.
    let read = program.parse_position(text.trim());
    let setup = read.map_err(|mut fault| {
        fault.offset += text.len() - text.trim_start().len();
        PositionFault::Program(program, fault)
    })?;
    Ok((setup, Some(program)))
}

/// Guesses the board family from the shape of a text, even if the text cannot be parsed. `None` if it looks neither
/// like one of our own position strings nor like one of any program.
#[must_use]
pub fn board_of_any_position(text: &str) -> Option<Family> {
    // All the programs use the stair board.
    let by_program = Program::of_position(text).map(|_| Family::Stair);
    by_program.or_else(|| position_string::board_of(text))
}

/// Where and why a text cannot be read as a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PositionFault {
    /// The error of our own position string.
    Own(SyntaxError),
    /// The error of a program's position.
    Program(Program, SyntaxError),
}

impl PositionFault {
    /// The byte of the text at which reading stopped.
    #[must_use]
    pub const fn offset(&self) -> usize {
        match self {
            Self::Own(fault) | Self::Program(_, fault) => fault.offset,
        }
    }

    /// What was expected there, and in which part of the position.
    ///
    /// ```
    /// use tridex_notation::programs::parse_any_position;
    ///
    /// let fault = parse_any_position("nbbn/ppppp/4/4|4/4/4/4|4/4/PPPP/NBBN").unwrap_err();
    /// assert_eq!((fault.offset(), &*fault.expected()), (9, "`/` and the next rank (placement)"));
    /// ```
    #[must_use]
    pub fn expected(&self) -> String {
        match self {
            Self::Own(fault) => {
                let part = fault.part.map(|part| format!(" ({})", part.name));
                fault.expected.to_owned() + &part.unwrap_or_default()
            }
            Self::Program(program, fault) => {
                format!("{} (as {} writes it)", fault.expected, program.title())
            }
        }
    }
}

impl Display for PositionFault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(fault) => fault.fmt(f),
            Self::Program(program, fault) => {
                write!(f, "as {} writes it: {fault}", program.title())
            }
        }
    }
}

impl std::error::Error for PositionFault {}

/// The castling that is written as a king's move: from its square to its square after castling, or to that of its rook.
fn castling(text: &MoveText, position: &Position) -> Option<Move> {
    let MovePattern::Piece(piece) = text.pattern() else {
        return None;
    };
    if piece.promotion.is_some() || !matches!(piece.role, None | Some(Role::King)) {
        return None;
    }
    let own = |position: &Position, role| position.pieces(position.turn(), role);
    let (from, to) = (
        piece.from.squares(position.layout()),
        piece.to.squares(position.layout()),
    );
    let mut meant = CastlingSide::ALL
        .into_iter()
        .map(Move::Castle)
        .filter(|castle| {
            if !position.is_legal(*castle) {
                return false;
            }
            let Some((home, landing)) = castling_way(position, *castle) else {
                return false;
            };
            let mut after = position.clone();
            after.play_unchecked(*castle);
            let rooks = after.pieces(position.turn(), Role::Rook);
            let onto_rook = own(position, Role::Rook)
                .into_iter()
                .any(|rook| to.contains(rook) && !rooks.contains(rook));
            from.contains(home) && (to.contains(landing) || onto_rook)
        });
    match (meant.next(), meant.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// The king's squares before and after castling. The move must be legal.
pub(crate) fn castling_way(position: &Position, castle: Move) -> Option<(Square, Square)> {
    let turn = position.turn();
    let mut after = position.clone();
    after.play_unchecked(castle);
    let king = |position: &Position| position.pieces(turn, Role::King).first();
    Some((king(position)?, king(&after)?))
}

/// Whether all attack boards are above their main boards. Few programs support boards below.
pub(crate) fn has_over_pins_only(layout: &Layout) -> bool {
    let mut pins = layout.pins().into_iter();
    pins.all(|pin| pin.surface() == Surface::Over)
}

/// A column, written with the manual's files and ranks.
pub(crate) fn column(input: &[u8]) -> Parsed<&[u8], Column> {
    let file = expected("a file a to f", between(b'a', b'f'));
    let rank = alt((value(9, tag("10")), between(b'1', b'9')));
    let place = (file, expected("a rank 1 to 10", rank));
    map_opt(place, |(file, rank)| Column::try_new(file, rank)).parse(input)
}

/// `=` and the letter of the new piece, or nothing without a promotion.
pub(crate) fn promoted(role: Option<Role>) -> String {
    role.map_or_else(String::new, |role| format!("={}", role.letter()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tridex_rules::RuleSystem;

    #[test]
    fn names_are_found_and_own_positions_are_nobody_s() {
        for program in Program::ALL {
            assert_eq!(Program::from_name(program.name()), Some(program));
            assert_eq!(
                Program::from_name(&program.title().to_uppercase()),
                Some(program)
            );
        }
        assert_eq!(Program::from_name("meder"), None);
        for rules in RuleSystem::ALL {
            let own = position_string::to_string(&rules.start());
            assert_eq!(Program::of_position(&own), None, "{own}");
        }
        for program in Program::WITH_POSITIONS {
            let text = program.write_position(&RuleSystem::Meder.start()).unwrap();
            assert_eq!(Program::of_position(&text), Some(program), "{text}");
        }
        for text in ["", "1", "start", "4/4/4/4|4/4/4/4", "- -", "1 1"] {
            assert_eq!(Program::of_position(text), None, "{text}");
        }
    }
}
