//! Rules based on the board of the Starfleet Technical Manual.
//!
//! Differences from Meder's rules: a line is a path of consecutive squares, so gaps stop it. A column stops a line only
//! if all its squares are occupied. There is no castling. A player moves only their own boards: empty ones move to
//! another pin, occupied ones turn. Pins below the boards are used too.

use crate::articles::Subject;
use crate::facts::SystemFacts;
use crate::fault::MoveFault;
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::stair::board::{BoardState, Stair, main, on};
use crate::stair::boards::board_move;
use crate::stair::{Blocking, STAIR_FACTS, StairRules, explain};
use std::ops::ControlFlow;
use tridex_geometry::stair::{
    AttackBoard, Column, ColumnSet, Direction, FILES, Layout, MainBoard, Pin, Surface,
    adjacent_any_surface, is_adjacent_any_surface, shade,
};
use tridex_geometry::{Square, SquareSet};

#[derive(Clone, PartialEq)]
pub(crate) struct Manual;

const QL: AttackBoard = AttackBoard::WhiteQueen;
const KL: AttackBoard = AttackBoard::WhiteKing;
const W: MainBoard = MainBoard::White;

/// Figure 3, which is also the Federation's arrangement (ruling start-position).
pub(crate) const WHITE: [(Square, Role); 16] = [
    (on(QL, 0, 0), Role::Rook),
    (on(QL, 1, 0), Role::Pawn),
    (on(QL, 0, 1), Role::Knight),
    (on(QL, 1, 1), Role::Pawn),
    (on(KL, 0, 0), Role::Pawn),
    (on(KL, 1, 0), Role::Rook),
    (on(KL, 0, 1), Role::Pawn),
    (on(KL, 1, 1), Role::Knight),
    (main(W, 1, 1), Role::Bishop),
    (main(W, 2, 1), Role::Queen),
    (main(W, 3, 1), Role::King),
    (main(W, 4, 1), Role::Bishop),
    (main(W, 1, 2), Role::Pawn),
    (main(W, 2, 2), Role::Pawn),
    (main(W, 3, 2), Role::Pawn),
    (main(W, 4, 2), Role::Pawn),
];

impl StairRules for Manual {
    const FACTS: &'static SystemFacts = &SystemFacts {
        name: "manual",
        aliases: &["tri-d manual", "starfleet"],
        number: 1,
        notation: "manual",
        source: "Rules drawn up after the board of the Starfleet Technical Manual",
        summary: "Rules after the board of the Starfleet Technical Manual. Lines are paths of neighbouring squares, so gaps \
            stop them. There is no castling; empty boards move, occupied ones are turned; pins below the boards are used \
            too.",
        home: Some(Layout::start(Surface::Under)),
        white: &WHITE,
        under_pins: true,
        repetition_ends: true, // 11.6, ruling repetition-ends-game
        article,
        ..STAIR_FACTS
    };
    /// 5.3 and 6: a line continues through a column as long as one of its squares is vacant, and a gap has none
    /// (rulings vacant-square-opens-column and gap-ends-line). 6.6(b) has the same rule for the double step of a pawn
    /// (ruling crossed-column).
    const BLOCKING: Blocking = Blocking::Full;

    const KNIGHT_NEEDS_STEP: bool = true;

    /// 6.5: the first step of the knight, one square along the longer leg, needs a square in that column, vacant or not
    /// (ruling knight-needs-first-step).
    #[inline]
    fn knight_columns(boards: &BoardState, from: Column) -> ColumnSet {
        let existing = boards.at.layout.existing();
        LEAPS[from.index() & 63]
            .iter()
            .filter(|(step, _)| existing.and(*step).0 != 0)
            .fold(ColumnSet::EMPTY, |all, (_, leaps)| all.or(*leaps))
    }

    /// 6.6(d): the opponent's final fixed-board rank, on any board (ruling furthest-rank).
    #[inline(always)]
    fn is_last(boards: &BoardState, color: Color, square: Square) -> bool {
        let column = boards.column(square).index();
        match color {
            Color::White => column >= 8 * usize::from(FILES),
            Color::Black => column < 2 * usize::from(FILES),
        }
    }

    /// Section 7 and 5.1(b), (c): players move only their own boards. Empty boards move, occupied ones turn
    /// (ruling own-boards-only).
    fn board_moves(
        state: &Stair,
        board: AttackBoard,
        sink: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if board.is_white() != state.turn.is_white() {
            return ControlFlow::Continue(());
        }
        let from = state.boards.at.layout.pin(board);
        let occupied = board.squares().meets(state.occupied());
        if occupied {
            let promotes = turned_pawn(state, board);
            return board_move(board, from, true, promotes, sink);
        }
        for to in adjacent_any_surface(from) {
            if state.boards.at.layout.board_on(to).is_none() {
                board_move(board, to, false, None, sink)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// 11.4, ruling dead-material: bare kings; kings and one bishop or knight; kings and one bishop each, on squares of
    /// the same colour.
    fn is_dead(state: &Stair) -> bool {
        let kings = state.roles[Role::King as usize];
        let others = state.occupied().minus(kings);
        let bishops = state.roles[Role::Bishop as usize];
        let minor = bishops | state.roles[Role::Knight as usize];
        match others.count() {
            0 => true,
            1 => others.meets(minor),
            2 => {
                let mut shades = others.into_iter().map(|s| shade(state.boards.column(s)));
                others.minus(bishops) == SquareSet::EMPTY
                    && others.meets(state.colors[0])
                    && others.meets(state.colors[1])
                    && shades.next() == shades.next()
            }
            _ => false,
        }
    }

    fn in_the_way(state: &Stair, role: Role, from: Square, to: Square) -> Option<MoveFault> {
        match role {
            Role::Knight => explain::knight_gap(state, from, to),
            _ => explain::impassable_column(state, from, to),
        }
    }

    fn why_board_stays(
        state: &Stair,
        board: AttackBoard,
        to: Pin,
        turned: bool,
    ) -> Option<MoveFault> {
        if board.is_white() != state.turn.is_white() {
            return Some(MoveFault::BoardOfOther);
        }
        let riders = board.squares() & state.occupied();
        if !riders.is_empty() {
            let in_place = to == state.boards.at.layout.pin(board);
            return (!in_place || !turned).then(|| MoveFault::OccupiedOnlyTurns {
                by: riders.resized(),
            });
        }
        if turned {
            return Some(MoveFault::EmptyDoesNotTurn);
        }
        explain::pin_fault(state, board, to, false, is_adjacent_any_surface)
    }
}

/// For each column, the four first steps of a knight along files and ranks, each with the two leaps that begin with it.
static LEAPS: [[(ColumnSet, ColumnSet); 4]; 64] = {
    let mut table = [[(ColumnSet::EMPTY, ColumnSet::EMPTY); 4]; 64];
    let mut i = 0;
    while i < Column::COUNT {
        let from = Column::new(i as u8 % FILES, i as u8 / FILES);
        let mut d = 0;
        while d < 4 {
            let (files, ranks) = Direction::ORTHOGONAL[d].step();
            if let Some(step) = from.offset(files, ranks) {
                table[i][d].0 = ColumnSet::of(step);
            }
            let mut side = -1;
            while side <= 1 {
                // Two along the longer leg, one across.
                let leap = from.offset(2 * files + side * ranks, 2 * ranks + side * files);
                if let Some(leap) = leap {
                    table[i][d].1 = table[i][d].1.or(ColumnSet::of(leap));
                }
                side += 2;
            }
            d += 1;
        }
        i += 1;
    }
    table
};

/// The square on which a pawn that turns with its board arrives on its last rank. This happens only in positions that
/// were set up: in a game, a pawn that reaches a board of the last corner is promoted at once.
fn turned_pawn(state: &Stair, board: AttackBoard) -> Option<Square> {
    let pawns = board.squares() & state.roles[Role::Pawn as usize];
    pawns.into_iter().find_map(|pawn| {
        let arrives = board.turned(pawn);
        let color = state.piece_at(pawn)?.color;
        <Manual as StairRules>::is_last(&state.boards, color, arrives).then_some(arrives)
    })
}

/// The article about a subject.
fn article(subject: Subject) -> &'static str {
    match subject {
        Subject::Piece(role) => [
            "manual 6.6",
            "manual 6.5",
            "manual 6.4",
            "manual 6.3",
            "manual 6.2",
            "manual 6.1",
        ][role as usize],
        Subject::Turn | Subject::OwnPiece => "manual 5.1(a)",
        Subject::Passing => "manual 4.1",
        Subject::ColumnFull => "manual 5.3",
        Subject::Squares | Subject::Stays | Subject::SameColumn | Subject::Gap => "manual 6",
        Subject::KnightStep => "manual 6.5",
        Subject::PawnForward => "manual 6.6(a)",
        Subject::PawnDistance | Subject::PawnAhead | Subject::PawnTakes => "manual 6.6(b)",
        Subject::EnPassant => "manual 6.6(c)",
        Subject::Promotion | Subject::PromotionRank => "manual 6.6(d)",
        // The king has no moves besides those of 6.1 (ruling no-castling).
        Subject::KingSafety => "manual 10.1",
        Subject::BoardOwner | Subject::PinTaken => "manual 5.1(b)",
        Subject::OccupiedBoard => "manual 7.2",
        Subject::Castling(_) => "manual 6.1",
        // The remaining subjects are about boards.
        _ => "manual 7.1",
    }
}
