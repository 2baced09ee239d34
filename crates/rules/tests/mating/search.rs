//! Which pieces can mate: a search through every placement on every layout (ruling dead-material).
//!
//! A draw by material is no matter of opinion. For the sets of pieces with at most one next to each king this module looks
//! at all placements there are, boards included, and finds a mate if there is one. What the rule systems declare drawn
//! ([`Position::is_dead`]) is held to it by the tests.
//!
//! # Why the search is complete
//!
//! White mates; by the mirror that swaps the sides Black can do the same. The search runs over layouts, squares of
//! Black's king, of White's piece and of White's king, and of Black's piece if he has one. Two things make it short, and
//! neither loses a mate:
//!
//! - *A piece more never attacks for another.* In all systems another piece on the board can only close lines, so what a
//!   man attacks alone on the board holds everything it attacks in company. A square next to Black's king that neither
//!   White's piece alone nor White's king alone attacks is a way out, unless Black's own piece is on it. With two such
//!   squares there is no mate; with one, Black's piece has to be there.
//! - *Boards are examined twice.* How pieces move depends on the pins that hold boards, not on whose boards they are.
//!   So the layouts of the first look are the sets of four pins, and only where no piece of Black can help are the
//!   boards given to their owners in all six ways, and the board moves examined. (Which of an owner's two boards is
//!   on a pin changes nothing but the start squares of pawns, and Black's pawn is taken to have moved, as then it has
//!   the fewest moves.)
//!
//! What is left is put up as a [`Position`] and its legal moves are listed.

use std::ops::ControlFlow::{Break, Continue};
use tridex_geometry::stair::{self, Layout, Pin, Surface};
use tridex_geometry::{Family, Square, SquareSet, cube};
use tridex_rules::{Color, Move, Piece, Position, Role, RuleSystem, Setup, SetupError};

/// The search for mates that White gives with one piece next to the king, while Black has one or none.
#[derive(Clone, Debug)]
pub(crate) struct Mates {
    rules: RuleSystem,
    with: Role,
    against: Option<Role>,
    layouts: Vec<Option<Layout>>,
}

impl Mates {
    /// The search for mates with a piece that is no king, against another or a bare king.
    pub(crate) fn new(rules: RuleSystem, with: Role, against: Option<Role>) -> Self {
        let layouts = match rules.family() {
            Family::Cube => vec![None],
            Family::Stair => layouts(rules),
        };
        Self {
            rules,
            with,
            against,
            layouts,
        }
    }

    /// How many parts the search has: one for each layout. They do not depend on one another.
    pub(crate) fn parts(&self) -> usize {
        self.layouts.len()
    }

    /// A position of one part in which Black is mated, if there is one; `None` also for a part that does not exist.
    pub(crate) fn find(&self, part: usize) -> Option<Position> {
        let layout = *self.layouts.get(part)?;
        let board = Board::new(self.rules, layout, self.with);
        let squares =
            || (0..self.rules.family().squares()).filter_map(|i| Square::try_new(i as u8));
        for lone in squares() {
            for man in squares() {
                if !board.attacks(man).contains(lone) {
                    continue;
                }
                let open = board.ways_out(lone, man);
                for king in squares() {
                    if king == lone || king == man || board.guards(king).contains(lone) {
                        continue;
                    }
                    let ways_out = open.minus(*board.guards(king));
                    let mate = match (self.against, ways_out.first()) {
                        (None, None) => self.mate(layout, lone, man, king, None),
                        (None, Some(_)) => None,
                        (Some(role), None) => squares()
                            .filter(|square| ![lone, man, king].contains(square))
                            .find_map(|square| {
                                self.mate(layout, lone, man, king, Some((square, role)))
                            }),
                        (Some(role), Some(square)) => {
                            if ways_out.more_than_one() || square == man || square == king {
                                continue;
                            }
                            self.mate(layout, lone, man, king, Some((square, role)))
                        }
                    };
                    if mate.is_some() {
                        return mate;
                    }
                }
            }
        }
        None
    }

    /// The pieces of a placement as a mate, if it is one for some owners of the boards.
    fn mate(
        &self,
        layout: Option<Layout>,
        lone: Square,
        man: Square,
        king: Square,
        other: Option<(Square, Role)>,
    ) -> Option<Position> {
        let mut setup = Setup::empty(layout);
        setup.turn = Color::Black;
        setup.set_piece(lone, Some(Piece::new(Color::Black, Role::King)));
        setup.set_piece(king, Some(Piece::new(Color::White, Role::King)));
        setup.set_piece(man, Some(Piece::new(Color::White, self.with)));
        if let Some((square, role)) = other {
            setup.set_piece(square, Some(Piece::new(Color::Black, role)));
            if role == Role::Pawn {
                setup.moved.insert(square);
            }
        }
        let position = self.playable(&mut setup)?;
        if !position.is_check() || a_piece_helps(&position) {
            return None;
        }
        let Some(layout) = layout else {
            return position.is_checkmate().then_some(position);
        };
        // Every board may be each of the four: its squares go with it.
        orders().find_map(|order| {
            let mut pins = layout.pins();
            for (board, pin) in order.into_iter().zip(layout.pins()) {
                *pins.get_mut(board)? = pin;
            }
            let mut renamed = Setup::empty(Layout::try_new(pins).ok());
            renamed.turn = setup.turn;
            for (square, piece) in setup.pieces() {
                renamed.set_piece(on_board(square, order), Some(piece));
            }
            for square in setup.moved {
                renamed.moved.insert(on_board(square, order));
            }
            let position = self.playable(&mut renamed)?;
            position.is_checkmate().then_some(position)
        })
    }

    /// The position of a setup; a pawn that is listed as moved but not on a start square is taken off that list.
    fn playable(&self, setup: &mut Setup) -> Option<Position> {
        match Position::from_setup(self.rules, setup) {
            Err(SetupError::Moved(_)) => {
                setup.moved = SquareSet::EMPTY;
                Position::from_setup(self.rules, setup).ok()
            }
            result => result.ok(),
        }
    }
}

/// Whether the side to move has a legal move of a piece. It has no right to castle here.
fn a_piece_helps(position: &Position) -> bool {
    position
        .for_each_legal(|m| match m {
            Move::Board { .. } => Continue(()),
            _ => Break(()),
        })
        .is_break()
}

/// All sets of four pins, as layouts.
fn layouts(rules: RuleSystem) -> Vec<Option<Layout>> {
    let both = rules.start().layout.is_some_and(|layout| {
        layout
            .pins()
            .iter()
            .any(|pin| pin.surface() == Surface::Under)
    });
    let pins: Vec<Pin> = Pin::all()
        .filter(|pin| both || pin.surface() == Surface::Over)
        .collect();
    let mut layouts = Vec::new();
    for (a, first) in pins.iter().enumerate() {
        for (b, second) in pins.iter().enumerate().skip(a + 1) {
            for (c, third) in pins.iter().enumerate().skip(b + 1) {
                for fourth in pins.iter().skip(c + 1) {
                    let layout = Layout::try_new([*first, *second, *third, *fourth]);
                    layouts.extend(layout.ok().map(Some));
                }
            }
        }
    }
    layouts
}

/// The six ways to give four boards to their owners: the board that the `i`th becomes, White's being 0 and 1.
fn orders() -> impl Iterator<Item = [usize; 4]> {
    [
        [0, 1, 2, 3],
        [0, 2, 1, 3],
        [0, 2, 3, 1],
        [2, 0, 1, 3],
        [2, 0, 3, 1],
        [2, 3, 0, 1],
    ]
    .into_iter()
}

/// The square of a board that has become another board; squares of the main boards stay.
fn on_board(square: Square, order: [usize; 4]) -> Square {
    let Some(attack) = square.index().checked_sub(FIRST_ATTACK_SQUARE) else {
        return square;
    };
    order
        .get(attack / 4)
        .and_then(|board| Square::try_new((FIRST_ATTACK_SQUARE + 4 * board + attack % 4) as u8))
        .unwrap_or(square)
}

/// Squares of attack boards follow those of the three main boards.
const FIRST_ATTACK_SQUARE: usize = 48;

/// What the pieces attack alone on a board, from every square.
struct Board {
    /// Squares White's piece attacks.
    attacks: Vec<SquareSet<3>>,
    /// Squares a king attacks.
    guards: Vec<SquareSet<3>>,
    /// Squares Black's king may go to on a board without other pieces.
    steps: Vec<SquareSet<3>>,
}

impl Board {
    fn new(rules: RuleSystem, layout: Option<Layout>, with: Role) -> Self {
        let squares = || (0..rules.family().squares() as u8).map(Square::new);
        let table = |color, role, sees: fn(&Position, Square, Square) -> bool| {
            let seen = |from| {
                let Some(position) = alone(rules, layout, Piece::new(color, role), from) else {
                    assert_eq!(role, Role::Pawn, "only a pawn cannot be everywhere");
                    return SquareSet::EMPTY;
                };
                let sees = |to: &Square| *to != from && sees(&position, from, *to);
                squares().filter(sees).collect()
            };
            squares().map(seen).collect()
        };
        let attacks = |position: &Position, from, to| {
            let by = position.turn().other();
            position.attackers(to, by).contains(from)
        };
        Self {
            attacks: table(Color::White, with, attacks),
            guards: table(Color::White, Role::King, attacks),
            steps: table(Color::Black, Role::King, Position::reaches),
        }
    }

    fn attacks(&self, from: Square) -> &SquareSet<3> {
        &self.attacks[from.index()]
    }

    fn guards(&self, from: Square) -> &SquareSet<3> {
        &self.guards[from.index()]
    }

    /// The squares Black's king may go to if only White's piece blocks or attacks him. Capturing that piece is a case of
    /// its own (Federation 1.3).
    fn ways_out(&self, lone: Square, man: Square) -> SquareSet<3> {
        let steps = self.steps[lone.index()].minus(*self.attacks(man));
        if self.guards(lone).contains(man) {
            steps.with(man)
        } else {
            steps.without(man)
        }
    }
}

/// A piece of the side that is not to move with two kings that are in none of its ways; `None` if it cannot be there.
fn alone(
    rules: RuleSystem,
    layout: Option<Layout>,
    piece: Piece,
    from: Square,
) -> Option<Position> {
    let is_apart = |a: Square, b: Square| match layout {
        Some(layout) => {
            let (a, b) = (layout.column(a), layout.column(b));
            a != b && stair::between(a, b).is_none()
        }
        None => a != b && cube::between(a, b).is_none(),
    };
    let squares = || (0..rules.family().squares() as u8).map(Square::new);
    let mut kings = squares().filter(|square| is_apart(from, *square));
    let first = kings.next()?;
    let own = if piece.role == Role::King {
        from
    } else {
        first
    };
    let other = kings.find(|square| is_apart(own, *square))?;
    let mut setup = Setup::empty(layout);
    setup.turn = piece.color.other();
    setup.set_piece(own, Some(Piece::new(piece.color, Role::King)));
    setup.set_piece(other, Some(Piece::new(setup.turn, Role::King)));
    setup.set_piece(from, Some(piece));
    Position::from_setup(rules, &setup).ok()
}
