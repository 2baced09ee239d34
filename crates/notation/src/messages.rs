//! Why a move is not legal, in plain English and in the words of the board.
//!
//! [`explain`] puts an [`Explanation`] of the rules into a sentence whose squares are spelled in a notation; [`reason`]
//! does so for a token that fits no legal move, and [`alternatives`] lists the moves its writer may have had in mind.
//! Sentences begin small, have no full stop and end with the article: they are made to follow a place and a colon.
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

pub use token::{ALTERNATIVES, alternatives, reason};

use crate::names;
use crate::text::{Coordinates, Notation};
use tridex_geometry::stair::{AttackBoard, Column, Layout, Pin};
use tridex_geometry::{Family, Square, SquareSet};
use tridex_rules::{
    CastlingFault, CastlingSide, Color, Explanation, Move, MoveFault, Position, Role,
};
use tridex_words::enumeration;

/// The sentence for an explanation of [`Position::explain`], in the position it was given for.
///
/// ```
/// use tridex_notation::{Notation, messages};
/// use tridex_rules::{CastlingSide, Move, Position, RuleSystem};
/// let start = Position::start(RuleSystem::Meder);
/// let why = start.explain(Move::Castle(CastlingSide::King)).expect("a reason");
/// let words = messages::explain(&start, Notation::Meder, &why);
/// assert!(words.ends_with("(Meder 3.5(a)(ii)(1)[a])"), "{words}");
/// ```
#[must_use]
pub fn explain(position: &Position, notation: Notation, explanation: &Explanation) -> String {
    let sentence = Speaker { position, notation }.sentence(explanation);
    format!("{sentence} ({})", explanation.article)
}

/// The name of a side at the beginning of a sentence part.
const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// How a kind of piece moves on the stair board; the cube's systems differ among themselves.
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

fn number(count: u32) -> String {
    match count {
        2 => "two".to_owned(),
        3 => "three".to_owned(),
        4 => "four".to_owned(),
        other => other.to_string(),
    }
}

/// Names things of a position in a notation.
#[derive(Clone, Copy)]
struct Speaker<'a> {
    position: &'a Position,
    notation: Notation,
}

impl Speaker<'_> {
    fn square(self, square: Square) -> String {
        names::square(self.notation, self.position.layout(), square)
    }

    fn square_in(self, layout: Option<&Layout>, square: Square) -> String {
        names::square(self.notation, layout.or(self.position.layout()), square)
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

    /// `the attack board on KL1`, in the manual's words `the attack board KL`.
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

    fn pieces(self, squares: SquareSet<3>) -> String {
        let pieces: Vec<String> = squares
            .into_iter()
            .map(|square| self.piece(square))
            .collect();
        enumeration(&pieces, "and")
    }

    /// The owner of the piece on a square.
    fn owner(self, square: Square) -> &'static str {
        side(
            self.position
                .piece_at(square)
                .map_or(self.position.turn().other(), |piece| piece.color),
        )
    }

    /// What moves.
    fn mover(self, attempt: Move) -> String {
        match attempt {
            Move::Piece { from, .. } | Move::EnPassant { from, .. } => self.piece(from),
            Move::Castle(_) => "castling".to_owned(),
            Move::Board { board, .. } => self.board(board),
        }
    }

    /// Where it would arrive.
    fn arrival(self, attempt: Move) -> String {
        match attempt {
            Move::Piece { to, .. } | Move::EnPassant { to, .. } => self.square(to),
            Move::Castle(CastlingSide::King) => "the king's side".to_owned(),
            Move::Castle(CastlingSide::Queen) => "the queen's side".to_owned(),
            Move::Board { to, .. } => self.pin(to),
        }
    }

    /// The layout after a move of a board.
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
        let attempt = explanation.attempt;
        let (mover, arrival) = (self.mover(attempt), self.arrival(attempt));
        match explanation.fault {
            MoveFault::NotASquare { .. } => "there is no such square".to_owned(),
            MoveFault::NoPiece { square } => {
                format!("there is no piece on {}", self.square(square))
            }
            MoveFault::NotYours { square } => {
                format!("{} is {}'s", self.piece(square), self.owner(square))
            }
            MoveFault::Stays { square } => {
                let (role, square) = (self.role(square), self.square(square));
                format!("the {role} is already on {square}")
            }
            MoveFault::OwnPiece { square } => format!(
                "{}'s own {} is on {}",
                self.owner(square),
                self.role(square),
                self.square(square)
            ),
            MoveFault::SameColumn { column } => format!(
                "{mover} would only change its level in column {}, which is not a move",
                self.column(column)
            ),
            MoveFault::Shape { role } => match self.position.family() {
                Family::Stair => {
                    format!("{mover} does not move to {arrival}: {}", manner(role))
                }
                Family::Cube => format!("{mover} does not move to {arrival}"),
            },
            MoveFault::Blocked { .. }
            | MoveFault::ColumnBlocked { .. }
            | MoveFault::ColumnFull { .. }
            | MoveFault::Gap { .. }
            | MoveFault::KnightGap { .. }
            | MoveFault::TakesOnTier { .. }
            | MoveFault::TurnsBack { .. } => self.obstacle(attempt, explanation.fault),
            MoveFault::PawnNotForward => format!("{mover} never goes backward or sideways"),
            MoveFault::PawnTooFar => {
                format!(
                    "{mover} cannot go as far as {arrival}: a pawn advances two squares at most"
                )
            }
            MoveFault::DoubleStepLost => format!(
                "{mover} could advance two squares only from its start square, which it has left"
            ),
            MoveFault::PawnTakesAhead { square } => format!(
                "{mover} cannot take {}: it goes there only if the square is vacant",
                self.piece(square)
            ),
            MoveFault::NothingToTake { .. } => {
                format!(
                    "{mover} goes to {arrival} only by a capture, and there is nothing to capture"
                )
            }
            MoveFault::OnlyEnPassant { victim } => format!(
                "{mover} goes to {arrival} only by capturing {} en passant",
                self.piece(victim)
            ),
            MoveFault::PromotionMissing { .. }
            | MoveFault::PromotionNotHere { .. }
            | MoveFault::PromotesNoPiece { .. }
            | MoveFault::PromotionTo { .. } => self.promotion(attempt, explanation.fault),
            MoveFault::NotAPawn { .. } => {
                format!("{mover} is not a pawn, and only pawns capture en passant")
            }
            MoveFault::NoDoubleStep => {
                "en passant is not possible: no pawn has just advanced two squares".to_owned()
            }
            MoveFault::NotCrossed { victim } => {
                format!("{} has not crossed {arrival}", self.piece(victim))
            }
            MoveFault::CrossedHeld { square, victim } => format!(
                "{} can be captured en passant only on a vacant square, and {} is in the way",
                self.piece(victim),
                self.piece(square)
            ),
            MoveFault::PassesNot { victim } => format!(
                "{mover} does not attack {arrival}, which {} has crossed",
                self.piece(victim)
            ),
            MoveFault::Castling { fault } => self.castling(attempt, fault),
            MoveFault::Exposed { .. } | MoveFault::PromotionExposes { .. } => {
                self.exposed(attempt, explanation.fault)
            }
            fault => self.board_fault(attempt, fault),
        }
    }

    /// What is in the way of a piece.
    fn obstacle(self, attempt: Move, fault: MoveFault) -> String {
        let (mover, arrival) = (self.mover(attempt), self.arrival(attempt));
        match fault {
            MoveFault::Blocked { by } => {
                format!("{} is in the way of {mover} to {arrival}", self.piece(by))
            }
            MoveFault::ColumnBlocked { column, by } => {
                let verb = if by.more_than_one() {
                    "block"
                } else {
                    "blocks"
                };
                let (pieces, column) = (self.pieces(by), self.column(column));
                format!("{pieces} {verb} column {column} on every level for {mover}")
            }
            MoveFault::ColumnFull { column, by } => {
                let verb = if by.more_than_one() {
                    "leave"
                } else {
                    "leaves"
                };
                let (pieces, column) = (self.pieces(by), self.column(column));
                format!("{pieces} {verb} no vacant square in column {column} for {mover} to pass")
            }
            MoveFault::Gap { column } => format!(
                "{mover} would cross the gap {}, where no square exists now",
                self.column(column)
            ),
            MoveFault::KnightGap { column } => format!(
                "the first step of {mover} would go to the gap {}, where no square exists now",
                self.column(column)
            ),
            MoveFault::TakesOnTier { adjacent: true, .. } => {
                format!("{mover} takes only on the tier it comes from, and {arrival} is on another")
            }
            MoveFault::TakesOnTier { .. } => format!(
                "{mover} takes only on the tier it comes from, \
                 and no vacant square before {arrival} is on its tier"
            ),
            MoveFault::TurnsBack { turn, back } => {
                let layout = self.position.layout();
                let falls = layout.is_some_and(|l| l.tier(back) < l.tier(turn));
                let (turn, back) = (self.square(turn), self.square(back));
                let way = if falls {
                    format!("climb to {turn} and fall back to {back}")
                } else {
                    format!("fall to {turn} and climb back to {back}")
                };
                format!("the path of {mover} to {arrival} would {way}")
            }
            _ => format!("{mover} does not move to {arrival}"),
        }
    }

    fn promotion(self, attempt: Move, fault: MoveFault) -> String {
        let after = self.layout_after(attempt);
        match fault {
            MoveFault::PromotionMissing { square } => format!(
                "the pawn on {} has to become a queen, rook, bishop or knight with this move, \
                 and none is named",
                self.square_in(after.as_ref(), square)
            ),
            MoveFault::PromotionNotHere { square } => format!(
                "no pawn is promoted on {} by this move",
                self.square_in(after.as_ref(), square)
            ),
            MoveFault::PromotesNoPiece { .. } => {
                format!(
                    "{} is no pawn, and only pawns are promoted",
                    self.mover(attempt)
                )
            }
            MoveFault::PromotionTo { role } => format!("a pawn does not become a {}", role.name()),
            _ => "the promotion is not possible".to_owned(),
        }
    }

    fn castling(self, attempt: Move, fault: CastlingFault) -> String {
        let wing = self.arrival(attempt);
        let by = |square| {
            let by = self
                .position
                .attackers(square, self.position.turn().other())
                .first();
            by.map_or_else(String::new, |by| format!(" by {}", self.piece(by)))
        };
        match fault {
            CastlingFault::Lost => {
                let side = side(self.position.turn());
                format!(
                    "{side} can no longer castle on {wing}: \
                     the king, the rook or a board under them has moved, or the rook was taken"
                )
            }
            CastlingFault::None => "these rules know no castling".to_owned(),
            CastlingFault::FirstMove => "castling may not be a player's first move".to_owned(),
            CastlingFault::Occupied(square) => {
                format!("{} is in the way of castling on {wing}", self.piece(square))
            }
            CastlingFault::Attacked(square) => {
                let (name, by) = (self.square(square), by(square));
                format!("the king may not castle on {wing} while {name} is attacked{by}")
            }
            CastlingFault::RookAttacked(square) => {
                let (rook, by) = (self.piece(square), by(square));
                format!("the king may not castle on {wing} while {rook} is attacked{by}")
            }
        }
    }

    /// The king after the move.
    fn exposed(self, attempt: Move, fault: MoveFault) -> String {
        match fault {
            MoveFault::Exposed {
                king,
                by,
                attacker,
                layout,
            } => {
                let name = |square| self.square_in(layout.as_ref(), square);
                let (king, by, attacker) = (name(king), name(by), attacker.name());
                let own = self.position.king(self.position.turn());
                let walks = match attempt {
                    Move::Piece { from, .. } => from == own,
                    Move::Castle(_) => true,
                    _ => false,
                };
                if walks {
                    format!("the king would be attacked on {king} by the {attacker} on {by}")
                } else {
                    let mover = self.mover(attempt);
                    format!(
                        "{mover} would leave the king on {king} attacked by the {attacker} on {by}"
                    )
                }
            }
            MoveFault::PromotionExposes {
                pawn,
                role,
                king,
                layout,
            } => {
                let name = |square| self.square_in(layout.as_ref(), square);
                format!(
                    "{} would free the pawn on {} to become a {} that attacks the king on {}",
                    self.mover(attempt),
                    name(pawn),
                    role.name(),
                    name(king)
                )
            }
            _ => "the king would be attacked".to_owned(),
        }
    }

    fn board_fault(self, attempt: Move, fault: MoveFault) -> String {
        let (board, arrival) = (self.mover(attempt), self.arrival(attempt));
        match fault {
            MoveFault::NoAttackBoards => "the cube has no attack boards".to_owned(),
            MoveFault::PinNotUsed { pin } => format!(
                "pin {} is below a main board, where these rules place no attack board",
                self.pin(pin)
            ),
            MoveFault::BoardCrowded { by } => format!(
                "{board} holds {} pieces; only a board with at most one may move",
                number(by.count())
            ),
            MoveFault::BoardRider { rider } => format!(
                "{board} is not {}'s to move while {}'s {} is on {}",
                side(self.position.turn()),
                self.owner(rider),
                self.role(rider),
                self.square(rider)
            ),
            MoveFault::BoardOfOther => {
                format!("{board} is {}'s", side(self.position.turn().other()))
            }
            MoveFault::BoardStays => format!("{board} would stay on its pin"),
            MoveFault::PinNotAdjacent { from } => {
                format!("pin {arrival} is not next to {}", self.pin(from))
            }
            MoveFault::PinTaken { by } => match self.notation {
                Notation::Manual => format!("{} is on pin {arrival}", self.board(by)),
                _ => format!("another attack board is on pin {arrival}"),
            },
            MoveFault::BoardBackward { rider } => format!(
                "{board} carries {}, so that it may not go backward to {arrival}",
                self.piece(rider)
            ),
            MoveFault::BoardDoesNotTurn => "no attack board turns under these rules".to_owned(),
            MoveFault::OccupiedOnlyTurns { by } => {
                format!(
                    "{board} carries {} and can only turn in place",
                    self.pieces(by)
                )
            }
            MoveFault::EmptyDoesNotTurn => {
                format!("{board} is empty, and an empty board moves but does not turn")
            }
            MoveFault::NoTurnInPlace => {
                format!("{board} can turn only while it goes to another pin")
            }
            MoveFault::NoPawnAboard => {
                format!("{board} is empty; a board moves only with a pawn alone on it")
            }
            MoveFault::RiderNotPawn { rider, .. } => format!(
                "{board} carries {}; a board moves only with a pawn alone on it",
                self.piece(rider)
            ),
            MoveFault::CornerHeld { pawn } => format!(
                "{board} has to stay on its pin while {} is at that corner",
                self.piece(pawn)
            ),
            MoveFault::PawnFallsBack { pawn, column } => format!(
                "{} would fall back to column {}",
                self.piece(pawn),
                self.column(column)
            ),
            // A fault this version of the words does not know.
            _ => "the move may not be played".to_owned(),
        }
    }
}
