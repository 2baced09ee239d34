//! Explains in plain English why a move is not legal.
//!
//! [`explain`] turns an [`Explanation`] of the rules into a sentence, with squares spelled in a notation. [`reason`]
//! does the same for a token that fits no legal move, and [`alternatives`] lists the moves that its writer may have
//! meant. Sentences start with a small letter, have no full stop and end with the article, because they follow a
//! position in the text and a colon.
//!
//! ```
//! use tridex_notation::{Notation, parse, messages};
//! use tridex_rules::{Position, RuleSystem};
//!
//! let start = Position::start(RuleSystem::Meder);
//! let text = parse(Notation::Meder, b"Ra3W", None).unwrap();
//! assert_eq!(
//!     messages::reason(&text, &start, Notation::Meder),
//!     "the rook on z0QL1 does not move to a3W: a rook moves along files and ranks; \
//!      the rook on e0KL1 does not move to a3W: a rook moves along files and ranks (Meder 3.2(b))"
//! );
//! ```

#[cfg(test)]
mod tests;
mod token;

pub(crate) use token::main_board;
pub use token::{ALTERNATIVES, alternatives, reason};

use crate::names;
use crate::text::{Coordinates, Notation};
use tridex_geometry::stair::{AttackBoard, Column, Layout, Pin};
use tridex_geometry::{Family, Square, SquareSet};
use tridex_rules::{
    CastlingFault, CastlingSide, Color, Explanation, Move, MoveFault, Position, Role,
};
use tridex_text::enumeration;

/// Returns the sentence for an explanation that [`Position::explain`] returned for this position.
///
/// ```
/// use tridex_notation::{Notation, messages};
/// use tridex_rules::{CastlingSide, Move, Position, RuleSystem};
/// let start = Position::start(RuleSystem::Meder);
/// let why = start.explain(Move::Castle(CastlingSide::King)).expect("a reason");
/// let words = messages::explain(&start, Notation::Meder, &why);
/// assert!(words.ends_with("(Meder 3.5(a)(ii)(1)[a])"), "{words}");
/// ```
pub fn explain(position: &Position, notation: Notation, explanation: &Explanation) -> String {
    let sentence = Speaker { position, notation }.sentence(explanation);
    format!("{sentence} ({})", explanation.article)
}

/// The name of a side.
const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// How a kind of piece moves on the stair board. On the cube this depends on the rule system.
const fn manner(role: Role) -> &'static str {
    match role {
        Role::Pawn => "a pawn advances straight and takes one square diagonally forward",
        Role::Knight => "a knight leaps two columns one way and one column the other",
        Role::Bishop => "a bishop moves along diagonals",
        Role::Rook => "a rook moves along files and ranks",
        Role::Queen => "a queen moves along files, ranks and diagonals",
        Role::King => "a king moves to a neighbouring column",
    }
}

/// Names squares, pieces and boards of a position in a notation.
#[derive(Clone, Copy)]
struct Speaker<'a> {
    position: &'a Position,
    notation: Notation,
}

impl Speaker<'_> {
    fn square(self, square: Square) -> String {
        names::square(self.notation, self.position.layout(), square)
    }

    fn column(self, column: Column) -> String {
        let place = Coordinates {
            file: column.file(),
            rank: column.rank(),
            level: None,
        };
        names::place(self.notation, &place)
    }

    fn pin(self, pin: Pin) -> String {
        names::pin(self.notation, pin)
    }

    /// `the attack board on KL1`, or in the manual's notation `the attack board KL`.
    fn board(self, board: AttackBoard) -> String {
        let Some(layout) = self.position.layout() else {
            return "the attack board".to_owned();
        };
        let on = match self.notation {
            Notation::Manual => "",
            _ => "on ",
        };
        let name = names::board(self.notation, layout, board);
        format!("the attack board {on}{name}")
    }

    /// The kind of piece on a square.
    fn role(self, square: Square) -> &'static str {
        self.position
            .piece_at(square)
            .map_or("piece", |piece| piece.role.name())
    }

    /// `the pawn on c4N`.
    fn piece(self, square: Square) -> String {
        format!("the {} on {}", self.role(square), self.square(square))
    }

    /// The owner of the piece on a square.
    fn owner(self, square: Square) -> &'static str {
        side(
            self.position
                .piece_at(square)
                .map_or(self.position.turn().other(), |piece| piece.color),
        )
    }

    /// The piece or board that moves.
    fn mover(self, attempt: Move) -> String {
        match attempt {
            Move::Piece { from, .. } | Move::EnPassant { from, .. } => self.piece(from),
            Move::Castle(_) => "castling".to_owned(),
            Move::Board { board, .. } => self.board(board),
            Move::Pass => "passing".to_owned(),
        }
    }

    /// Where the piece or board would arrive.
    fn arrival(self, attempt: Move) -> String {
        match attempt {
            Move::Piece { to, .. } | Move::EnPassant { to, .. } => self.square(to),
            Move::Castle(CastlingSide::King) => "the king's side".to_owned(),
            Move::Castle(CastlingSide::Queen) => "the queen's side".to_owned(),
            Move::Board { to, .. } => self.pin(to),
            Move::Pass => "no square".to_owned(),
        }
    }

    /// The layout after the move.
    fn layout_after(self, attempt: Move) -> Option<Layout> {
        let layout = self.position.layout().copied();
        match attempt {
            Move::Board { board, to, .. } => {
                let layout = layout?;
                layout.moved(board, to).ok().or(Some(layout))
            }
            _ => layout,
        }
    }

    fn sentence(self, explanation: &Explanation) -> String {
        let Explanation { attempt, fault, .. } = *explanation;
        let Some(mut rest) = sentence_of(&self.key(attempt, fault)) else {
            // The table has no sentence for this fault.
            return "the move may not be played".to_owned();
        };
        let things = Things::of(fault, self.layout_after(attempt));
        let mut out = String::new();
        while let Some((text, (slot, behind))) = rest
            .split_once('{')
            .and_then(|(text, behind)| Some((text, behind.split_once('}')?)))
        {
            out.push_str(text);
            out.push_str(&self.named(slot, attempt, &things).unwrap_or_default());
            rest = behind;
        }
        out + rest
    }

    /// The key of a sentence in the table: the name of the fault and, if it has several sentences, which of them.
    fn key(self, attempt: Move, fault: MoveFault) -> String {
        let king = self.position.king(self.position.turn());
        let which = match fault {
            MoveFault::Castling { fault } => fault.name(),
            MoveFault::TakesOnTier { adjacent: true, .. } => "adjacent",
            MoveFault::TurnsBack { turn, back } => {
                let layout = self.position.layout();
                let falls = layout.is_some_and(|l| l.tier(back) < l.tier(turn));
                if falls { "falls" } else { "" }
            }
            MoveFault::Exposed { .. } => match attempt {
                Move::Castle(_) => "king",
                Move::Piece { from, .. } if from == king => "king",
                _ => "",
            },
            MoveFault::PinTaken { .. } if self.notation == Notation::Manual => "manual",
            _ => "",
        };
        format!("{} {which}", fault.name()).trim_end().to_owned()
    }

    /// The text for a slot of a sentence.
    fn named(self, slot: &str, attempt: Move, things: &Things) -> Option<String> {
        let turn = self.position.turn();
        let square_in = |square| {
            let layout = things.layout.as_ref().or(self.position.layout());
            names::square(self.notation, layout, square)
        };
        Some(match slot {
            "mover" => self.mover(attempt),
            "arrival" => self.arrival(attempt),
            "square" => square_in(things.square?),
            "other" => square_in(things.other?),
            "piece" => self.piece(things.square?),
            "other piece" => self.piece(things.other?),
            "role" => self.role(things.square?).to_owned(),
            "owner" => self.owner(things.square?).to_owned(),
            "named" => things.role?.name().to_owned(),
            "manner" => match self.position.family() {
                Family::Stair => format!(": {}", manner(things.role?)),
                Family::Cube => String::new(),
            },
            "pieces" => {
                let pieces: Vec<_> = things.pieces.into_iter().map(|s| self.piece(s)).collect();
                enumeration(&pieces, "and")
            }
            "s" => if things.pieces.more_than_one() {
                ""
            } else {
                "s"
            }
            .to_owned(),
            "count" => match things.pieces.count() {
                2 => "two".to_owned(),
                3 => "three".to_owned(),
                4 => "four".to_owned(),
                other => other.to_string(),
            },
            "column" => self.column(things.column?),
            "pin" => self.pin(things.pin?),
            "board" => self.board(things.board?),
            "side" => side(turn).to_owned(),
            "enemy" => side(turn.other()).to_owned(),
            "by" => {
                let by = self
                    .position
                    .attackers(things.square?, turn.other())
                    .first();
                format!(" by {}", self.piece(by?))
            }
            _ => return None,
        })
    }
}

/// The sentence of the table for a key.
fn sentence_of(key: &str) -> Option<&'static str> {
    let mut lines = include_str!("messages/faults.txt").lines();
    lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(": "))
}

/// What a fault is about.
#[derive(Default)]
struct Things {
    square: Option<Square>,
    /// Another square: the king's, if the fault concerns a king.
    other: Option<Square>,
    column: Option<Column>,
    pieces: SquareSet<3>,
    role: Option<Role>,
    pin: Option<Pin>,
    board: Option<AttackBoard>,
    /// The layout in which the squares are named, if it is not the one before the move.
    layout: Option<Layout>,
}

impl Things {
    /// Collects the squares, pieces and boards of a fault; `after` is the layout after the attempted move.
    fn of(fault: MoveFault, after: Option<Layout>) -> Self {
        let mut of = Self::default();
        match fault {
            MoveFault::NotASquare { square }
            | MoveFault::NoPiece { square }
            | MoveFault::NotYours { square }
            | MoveFault::Stays { square }
            | MoveFault::OwnPiece { square }
            | MoveFault::Blocked { by: square }
            | MoveFault::PawnTakesAhead { square }
            | MoveFault::OnlyEnPassant { victim: square }
            | MoveFault::NotCrossed { victim: square }
            | MoveFault::PassesNot { victim: square }
            | MoveFault::BoardRider { rider: square }
            | MoveFault::BoardBackward { rider: square }
            | MoveFault::RiderNotPawn { rider: square, .. }
            | MoveFault::CornerHeld { pawn: square } => of.square = Some(square),
            MoveFault::CrossedHeld {
                square: other,
                victim: square,
            }
            | MoveFault::TurnsBack {
                turn: square,
                back: other,
            } => {
                (of.square, of.other) = (Some(square), Some(other));
            }
            MoveFault::PromotionMissing { square } | MoveFault::PromotionNotHere { square } => {
                (of.square, of.layout) = (Some(square), after);
            }
            MoveFault::Castling { fault } => match fault {
                CastlingFault::Occupied(square)
                | CastlingFault::Attacked(square)
                | CastlingFault::RookAttacked(square) => of.square = Some(square),
                CastlingFault::Lost | CastlingFault::None | CastlingFault::FirstMove => {}
            },
            MoveFault::Exposed {
                king,
                by: square,
                attacker: role,
                layout,
            }
            | MoveFault::PromotionExposes {
                pawn: square,
                role,
                king,
                layout,
            } => {
                (of.square, of.other) = (Some(square), Some(king));
                (of.role, of.layout) = (Some(role), layout);
            }
            MoveFault::SameColumn { column }
            | MoveFault::Gap { column }
            | MoveFault::KnightGap { column } => of.column = Some(column),
            MoveFault::PawnFallsBack { pawn, column } => {
                (of.square, of.column) = (Some(pawn), Some(column));
            }
            MoveFault::ColumnBlocked { column, by } | MoveFault::ColumnFull { column, by } => {
                (of.column, of.pieces) = (Some(column), by);
            }
            MoveFault::BoardCrowded { by } | MoveFault::OccupiedOnlyTurns { by } => of.pieces = by,
            MoveFault::Shape { role } | MoveFault::PromotionTo { role } => of.role = Some(role),
            MoveFault::PinNotUsed { pin } | MoveFault::PinNotAdjacent { from: pin } => {
                of.pin = Some(pin);
            }
            MoveFault::PinTaken { by } => of.board = Some(by),
            _ => {}
        }
        of
    }
}
