//! What is fixed about a rule system: its names, its start position, its castlings, its draws.
//!
//! Each file in `systems/` has one [`SystemFacts`]. It states White's side of the board; Black's is the mirror image.

use crate::articles::Subject;
use crate::castling::{Castling, CastlingSide, CastlingSquares};
use crate::fault::CastlingFault;
use crate::material::Helpless;
use crate::piece::{Color, Piece, Role};
use crate::setup::Setup;
use tridex_geometry::stair::{self, Layout};
use tridex_geometry::{Family, Square, SquareSet, cube};

/// What happens to a pawn that arrives on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arrival {
    /// It stays a pawn.
    Stays,
    /// It becomes another piece.
    MustPromote,
    /// Its owner may make it another piece.
    MayPromote,
}

impl Arrival {
    /// What the pawn can become, in the order in which choices are listed. `None` means that it stays a pawn.
    #[inline]
    pub(crate) const fn choices(self) -> &'static [Option<Role>] {
        const ALL: [Option<Role>; 5] = {
            let [a, b, c, d] = Role::PROMOTIONS;
            [None, Some(a), Some(b), Some(c), Some(d)]
        };
        match self {
            Self::Stays => &[None],
            Self::MayPromote => &ALL,
            Self::MustPromote => ALL.split_at(1).1,
        }
    }
}

/// One castling of a rule system.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CastlingRule {
    /// The squares of departure and arrival of king and rook.
    pub(crate) squares: CastlingSquares,
    /// The squares that must be vacant.
    pub(crate) path: SquareSet<3>,
    /// The squares that must not be attacked before castling, besides that of the king.
    pub(crate) safe: SquareSet<3>,
}

/// The facts about a rule system that do not depend on a position.
#[derive(Debug)]
#[non_exhaustive]
pub struct SystemFacts {
    /// The name used in options, tags and output.
    pub name: &'static str,
    /// Other spellings of the name.
    pub aliases: &'static [&'static str],
    /// The number that identifies the system in files. It never changes. It must be below 7: an index stores it in
    /// three bits, and there 7 marks a deleted game.
    pub number: u8,
    /// The board it is played on.
    pub family: Family,
    /// The name of the notation of its games, unless they name another.
    pub notation: &'static str,
    /// The rule text: its title, its author and its year.
    pub source: &'static str,
    /// A description for users: what is special about the system, in a few sentences.
    pub summary: &'static str,
    /// The layout of the attack boards at the start; `None` on the cube.
    pub home: Option<Layout>,
    /// White's pieces at the start.
    pub(crate) white: &'static [(Square, Role)],
    /// White's castlings, the king's side first; `None` if the system has no castling.
    pub(crate) castlings: Option<[CastlingRule; 2]>,
    /// The fault to report if one of the `safe` squares of a castling is attacked.
    pub(crate) castling_attacked: fn(Square) -> CastlingFault,
    /// Whether castling may be a player's first move in a game from the start position.
    pub castles_first: bool,
    /// A superset of the squares on which White's pawns can promote.
    pub(crate) promotion_squares: SquareSet<3>,
    /// What happens to a pawn on its last rank.
    pub(crate) on_last: Arrival,
    /// Whether attack boards may also be below main boards.
    pub under_pins: bool,
    /// Whether the third occurrence of a position ends the game at once (ruling repetition-ends-game); elsewhere a
    /// player may claim a draw.
    pub repetition_ends: bool,
    /// The number of halfmoves without progress after which a draw can be claimed.
    pub claim_after: Option<u32>,
    /// The pieces that never mate alone (ruling dead-material). Empty if every kind of piece can.
    pub(crate) helpless: Helpless,
    /// The article that makes a win on time a draw if the winner cannot mate (ruling win-on-time), if the text has one.
    pub win_on_time: Option<&'static str>,
    /// The article about a subject, with the name of the rule text: `Meder 3.1(c)`.
    pub(crate) article: fn(Subject) -> &'static str,
}

/// The set of a list of squares.
pub(crate) const fn set_of(squares: &[Square]) -> SquareSet<3> {
    let mut set = SquareSet::EMPTY;
    let mut i = 0;
    while i < squares.len() {
        set = with(set, squares[i]);
        i += 1;
    }
    set
}

const fn with(mut set: SquareSet<3>, square: Square) -> SquareSet<3> {
    set.0[square.index() / 64] |= 1 << (square.index() % 64);
    set
}

impl SystemFacts {
    /// Defaults: the rules of ordinary chess where they apply to boards in space, and empty values for everything that
    /// a system has to state itself. A test checks that every system does.
    pub(crate) const EMPTY: Self = Self {
        name: "",
        aliases: &[],
        number: u8::MAX,
        family: Family::Cube,
        notation: "",
        source: "",
        summary: "",
        home: None,
        white: &[],
        castlings: None,
        castling_attacked: CastlingFault::Attacked,
        castles_first: true,
        promotion_squares: SquareSet::EMPTY,
        on_last: Arrival::MustPromote,
        under_pins: false,
        repetition_ends: false,
        claim_after: None,
        helpless: &[],
        win_on_time: None,
        article: |_| "",
    };

    /// Returns the corresponding square of the other side.
    const fn mirrored(&self, square: Square) -> Square {
        match self.family {
            Family::Stair => stair::mirrored(square),
            Family::Cube => cube::mirrored(square),
        }
    }

    /// A set of White's squares, and its mirror image for Black.
    const fn both_sides(&self, white: SquareSet<3>) -> [SquareSet<3>; 2] {
        let mut black = SquareSet::EMPTY;
        let mut i = 0;
        while i < self.family.squares() {
            let square = Square::new(i as u8);
            if white.contains(square) {
                black = with(black, self.mirrored(square));
            }
            i += 1;
        }
        [white, black]
    }

    /// The squares of king and rook in a castling, if the system has it.
    pub(crate) const fn castling_squares(
        &self,
        color: Color,
        side: CastlingSide,
    ) -> Option<CastlingSquares> {
        let Some(white) = self.castlings else {
            return None;
        };
        let squares = white[side as usize].squares;
        let CastlingSquares { king, rook } = squares;
        Some(match color {
            Color::White => squares,
            Color::Black => CastlingSquares {
                king: (self.mirrored(king.0), self.mirrored(king.1)),
                rook: (self.mirrored(rook.0), self.mirrored(rook.1)),
            },
        })
    }

    /// One castling of one side, if the system has castling.
    const fn castling(&self, color: Color, side: CastlingSide) -> Option<CastlingRule> {
        match (self.castlings, self.castling_squares(color, side)) {
            (Some(white), Some(squares)) => Some(CastlingRule {
                squares,
                path: self.both_sides(white[side as usize].path)[color as usize],
                safe: self.both_sides(white[side as usize].safe)[color as usize],
            }),
            _ => None,
        }
    }

    /// By colour and side: the castlings. Slow, so use it only in constants.
    pub(crate) const fn castlings(&self) -> [[Option<CastlingRule>; 2]; 2] {
        use CastlingSide::{King, Queen};
        use Color::{Black, White};
        [
            [self.castling(White, King), self.castling(White, Queen)],
            [self.castling(Black, King), self.castling(Black, Queen)],
        ]
    }

    /// By colour: the start squares of pawns. Slow, so use it only in constants.
    pub(crate) const fn pawn_starts(&self) -> [SquareSet<3>; 2] {
        let mut white = SquareSet::EMPTY;
        let mut i = 0;
        while i < self.white.len() {
            if matches!(self.white[i].1, Role::Pawn) {
                white = with(white, self.white[i].0);
            }
            i += 1;
        }
        self.both_sides(white)
    }

    /// By colour: a superset of the squares on which pawns can promote. Slow, so use it only in constants.
    pub(crate) const fn promotion_squares(&self) -> [SquareSet<3>; 2] {
        self.both_sides(self.promotion_squares)
    }

    /// The position every game starts from.
    pub(crate) fn start(&self) -> Setup {
        let mut setup = Setup::empty(self.home);
        for (square, role) in self.white {
            let sides = [*square, self.mirrored(*square)];
            for (color, at) in Color::ALL.into_iter().zip(sides) {
                setup.set_piece(at, Some(Piece::new(color, *role)));
            }
        }
        if self.castlings.is_some() {
            setup.castling = Castling::ALL;
        }
        setup
    }
}
