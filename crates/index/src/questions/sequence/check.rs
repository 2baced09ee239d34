//! The tests of a sequence, made ready for the rules of one system.

use super::positions::Positions;
use super::{Load, MAX_NAMES, MoveTest, Node, Spot, Subject, Who};
use crate::game::signature::Signature;
use crate::questions::material::Material;
use crate::questions::pattern::compile::{Matcher, Pins, Squares, pins, squares, uses_under_pins};
use tridex_geometry::stair::{AttackBoard, Column, ColumnSet, Pin};
use tridex_geometry::{Family, Square, SquareSet, cube};
use tridex_rules::{CastlingSide, Color, Move, Piece, Placement, Role, RuleSystem};

/// A test under the rules of one system.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    Constant(bool),
    Move(Box<MoveCheck>),
    Pattern(Box<Matcher>),
    Material(Material),
    Not(Box<Test>),
    And(Vec<Test>),
    Or(Vec<Test>),
}

/// A description of moves whose places are squares and pins.
#[derive(Clone, Debug)]
pub(crate) struct MoveCheck {
    test: MoveTest,
    from: Vec<Squares>,
    to: Vec<Squares>,
    promoted_on: Vec<Squares>,
    pins: [Option<Pins>; 2],
    /// Whether pieces known by their names matter.
    is_personal: bool,
    /// Whether a board may turn, so that it can move and stay on its pin.
    may_turn: bool,
}

/// The pieces that have names, by the squares they were on at the start of the line.
pub(crate) type Named = [u8; MAX_NAMES];

/// No piece.
pub(crate) const NOBODY: u8 = u8::MAX;

/// A ply: the position, and the move that led to it.
pub(crate) struct Ply<'a> {
    pub(crate) number: u32,
    pub(crate) at: &'a Placement,
    pub(crate) event: Option<&'a Event>,
}

/// A move, and what it does to pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    m: Move,
    by: Color,
    /// The piece that moves on its own; in castling there is none.
    piece: Option<Piece>,
    captured: Option<Piece>,
    /// The pin that a board leaves.
    pin: Option<Pin>,
    carried: [Option<(Square, Piece)>; 4],
}

/// Which piece is on which square: each known by the square it was on at the start of the line.
#[derive(Clone, Debug)]
pub(crate) struct Tracks {
    rules: RuleSystem,
    on: [u8; Square::CAPACITY],
    /// The piece that moved, the one that was captured, and those that were carried.
    moved: u8,
    captured: u8,
    carried: [u8; 4],
}

impl Event {
    #[inline]
    pub(crate) fn of(before: &Placement, m: Move) -> Self {
        let mut event = Self {
            m,
            by: before.turn(),
            piece: None,
            captured: None,
            pin: None,
            carried: [None; 4],
        };
        match m {
            Move::Piece { from, to, .. } => {
                event.piece = before.piece_at(from);
                event.captured = before.piece_at(to);
            }
            Move::EnPassant { from, .. } => {
                event.piece = before.piece_at(from);
                event.captured = event.piece.map(|pawn| Piece {
                    color: pawn.color.other(),
                    ..pawn
                });
            }
            Move::Castle(_) => {}
            Move::Board { board, .. } => {
                event.pin = before.layout().map(|layout| layout.pin(board));
                for (slot, square) in event.carried.iter_mut().zip(board.squares().resized::<3>()) {
                    *slot = before.piece_at(square).map(|piece| (square, piece));
                }
            }
        }
        event
    }
}

impl Tracks {
    pub(crate) fn new(rules: RuleSystem) -> Self {
        Self {
            rules,
            on: std::array::from_fn(|square| square as u8),
            moved: NOBODY,
            captured: NOBODY,
            carried: [NOBODY; 4],
        }
    }

    /// Follows a move.
    pub(crate) fn follow(&mut self, before: &Placement, event: &Event) {
        (self.moved, self.captured, self.carried) = (NOBODY, NOBODY, [NOBODY; 4]);
        match event.m {
            Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => {
                self.moved = self.on[from.index()];
                if let Some((square, _)) =
                    event.captured.and_then(|_| before.effect(event.m).captured)
                {
                    self.captured = self.on[square.index()];
                }
                self.on[to.index()] = self.moved;
            }
            Move::Castle(side) => {
                if let Some(squares) = self.rules.castling_squares(event.by, side) {
                    let both = [squares.king, squares.rook];
                    let there = both.map(|(from, _)| self.on[from.index()]);
                    for ((_, to), piece) in both.into_iter().zip(there) {
                        self.on[to.index()] = piece;
                    }
                }
            }
            Move::Board { board, turned, .. } => {
                for (id, carried) in self.carried.iter_mut().zip(event.carried) {
                    *id = carried.map_or(NOBODY, |(square, _)| self.on[square.index()]);
                }
                if turned {
                    let before = self.on;
                    for square in board.squares() {
                        self.on[board.turned(square).index()] = before[square.index()];
                    }
                }
            }
        }
    }
}

impl Test {
    pub(crate) fn new(node: &Node, rules: RuleSystem) -> Self {
        let all = |parts: &[Node]| parts.iter().map(|part| Self::new(part, rules)).collect();
        match node {
            Node::Move(test) => MoveCheck::new(test, rules)
                .map_or(Self::Constant(false), |check| Self::Move(Box::new(check))),
            Node::Pattern(pattern) => Self::Pattern(Box::new(Matcher::new(pattern, rules))),
            Node::Material(material) => Self::Material(material.clone()),
            Node::Not(part) => Self::Not(Box::new(Self::new(part, rules))),
            Node::And(parts) => Self::And(all(parts)),
            Node::Or(parts) => Self::Or(all(parts)),
            // The parser makes no tests of sequences.
            Node::Chain(_) | Node::Times { .. } => Self::Constant(false),
        }
    }

    /// Whether it holds at a ply, if pieces, boards and turn are enough to know: `None` if the position is needed, or pieces are
    /// known by their names.
    #[inline]
    pub(crate) fn holds(&self, ply: &Ply<'_>) -> Option<bool> {
        match self {
            Self::Constant(known) => Some(*known),
            Self::Move(check) => check.holds(ply),
            Self::Pattern(matcher) => matcher.matches_board(ply.at, ply.number),
            Self::Material(material) => Some(material.holds(ply.at)),
            Self::Not(part) => part.holds(ply).map(|held| !held),
            Self::And(parts) => joined(parts, ply, false),
            Self::Or(parts) => joined(parts, ply, true),
        }
    }

    /// The ways in which it holds at a ply if some pieces have names: the names there are then.
    pub(crate) fn ways(
        &self,
        ply: &Ply<'_>,
        tracks: &Tracks,
        positions: &mut Positions<'_>,
        named: Named,
        ways: &mut Vec<Named>,
    ) {
        match (self, self.holds(ply)) {
            (_, Some(false)) => {}
            (Self::Move(check), _) => check.ways(ply, tracks, positions, named, ways),
            (Self::And(parts), _) => {
                let mut all = vec![named];
                for part in parts {
                    let mut more = Vec::new();
                    for named in all {
                        part.ways(ply, tracks, positions, named, &mut more);
                    }
                    all = different(more);
                }
                ways.append(&mut all);
            }
            (Self::Or(parts), _) => {
                let mut all = Vec::new();
                for part in parts {
                    part.ways(ply, tracks, positions, named, &mut all);
                }
                ways.append(&mut different(all));
            }
            (_, Some(true)) => ways.push(named),
            (Self::Pattern(matcher), None) => {
                let position = positions.at(ply.number);
                if position.is_some_and(|position| matcher.matches(ply.at, position, ply.number)) {
                    ways.push(named);
                }
            }
            (Self::Not(part), None) => {
                let mut found = Vec::new();
                part.ways(ply, tracks, positions, named, &mut found);
                if found.is_empty() {
                    ways.push(named);
                }
            }
            // These are known at once.
            (Self::Constant(_) | Self::Material(_), None) => {}
        }
    }

    /// Whether it may hold somewhere in a game of which only the signature is known. Never wrongly false.
    pub(crate) fn may_hold(&self, signature: &Signature) -> bool {
        match self {
            Self::Constant(known) => *known,
            Self::Move(check) => check.may_hold(signature),
            Self::Pattern(matcher) => matcher.may_match(signature),
            Self::Material(material) => material.may_hold(signature),
            Self::Not(_) => true,
            Self::And(parts) => parts.iter().all(|part| part.may_hold(signature)),
            Self::Or(parts) => parts.iter().any(|part| part.may_hold(signature)),
        }
    }
}

/// Each of some ways once: otherwise they would double with each `or` that is joined to others.
fn different(mut ways: Vec<Named>) -> Vec<Named> {
    ways.sort_unstable();
    ways.dedup();
    ways
}

/// Parts of which one decides all if it is `decides`.
fn joined(parts: &[Test], ply: &Ply<'_>, decides: bool) -> Option<bool> {
    let mut known = Some(!decides);
    for part in parts {
        match part.holds(ply) {
            Some(held) if held == decides => return Some(decides),
            Some(_) => {}
            None => known = None,
        }
    }
    known
}

impl MoveCheck {
    /// `None` if no move of the rules is described.
    fn new(test: &MoveTest, rules: RuleSystem) -> Option<Self> {
        if matches!(test.subject, Subject::Board(_)) && rules.family() == Family::Cube {
            return None;
        }
        let places = |spots: &[Spot]| -> Option<Vec<Squares>> {
            spots.iter().map(|spot| on_spot(*spot, rules)).collect()
        };
        Some(Self {
            from: places(&test.from)?,
            to: places(&test.to)?,
            promoted_on: places(&test.promoted_on)?,
            pins: test.pins.map(|pin| pin.map(|pin| pins(pin, rules))),
            test: test.clone(),
            is_personal: test.pieces().any(|who| who.known.is_some()),
            may_turn: uses_under_pins(rules),
        })
    }

    #[inline]
    fn holds(&self, ply: &Ply<'_>) -> Option<bool> {
        let fits = ply.event.is_some_and(|event| self.fits(event, ply.at));
        match fits && (self.is_personal || self.test.check || self.test.mate) {
            true => None,
            false => Some(fits),
        }
    }

    /// Whether an event is one of those described, but for check, mate and names. `after` is the placement after it: the
    /// squares of the board are as before unless a board moved.
    #[inline]
    fn fits(&self, event: &Event, after: &Placement) -> bool {
        let test = &self.test;
        if test.by.is_some_and(|by| by != event.by) {
            return false;
        }
        let needs_piece = !(self.from.is_empty() && self.to.is_empty())
            || test.takes != Load::Any
            || test.en_passant;
        let is_on = |squares: &[Squares], square: Square| {
            squares
                .iter()
                .all(|squares| squares.set(after).contains(square))
        };
        let fits = match (&test.subject, event.m) {
            (Subject::Any, Move::Castle(_) | Move::Board { .. }) => !needs_piece,
            (
                Subject::Any | Subject::Piece(_),
                Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. },
            ) => {
                let is_who = match &test.subject {
                    Subject::Piece(who) => event.piece.is_some_and(|piece| who.fits(piece)),
                    _ => true,
                };
                is_who
                    && is_on(&self.from, from)
                    && is_on(&self.to, to)
                    && match &test.takes {
                        Load::Any => true,
                        Load::Nothing => event.captured.is_none(),
                        Load::Piece(who) => event.captured.is_some_and(|piece| who.fits(piece)),
                    }
                    && (!test.en_passant || matches!(event.m, Move::EnPassant { .. }))
            }
            (Subject::Castling(side), Move::Castle(made)) => {
                side.is_none_or(|side: CastlingSide| side == made)
            }
            (
                Subject::Board(board),
                Move::Board {
                    board: moved,
                    to,
                    turned,
                    promotion,
                },
            ) => {
                let on_pin = |pins: Option<Pins>, pin: Option<Pin>| {
                    pins.is_none_or(|pins| pin.is_some_and(|pin| pins.holds(pin)))
                };
                board.is_none_or(|board| board == moved)
                    && on_pin(self.pins[0], event.pin)
                    && on_pin(self.pins[1], Some(to))
                    && test.turned.is_none_or(|asked| asked == turned)
                    && promotion.is_none_or(|p| is_on(&self.promoted_on, p.square))
                    && match &test.carries {
                        Load::Any => true,
                        Load::Nothing => event.carried.iter().all(Option::is_none),
                        Load::Piece(who) => {
                            let mut carried = event.carried.iter().flatten();
                            carried.any(|(_, piece)| who.fits(*piece))
                        }
                    }
            }
            _ => false,
        };
        fits && match test.promotes {
            None => true,
            Some(asked) => {
                let role = event.m.promotion();
                role.is_some() && (asked.is_none() || asked == role)
            }
        }
    }

    /// [`Test::ways`] of an event that fits.
    fn ways(
        &self,
        ply: &Ply<'_>,
        tracks: &Tracks,
        positions: &mut Positions<'_>,
        named: Named,
        ways: &mut Vec<Named>,
    ) {
        let Some(event) = ply.event else {
            return;
        };
        let test = &self.test;
        let mut named = Some(named);
        if let Subject::Piece(who) = &test.subject {
            named = named.and_then(|named| who.is(tracks.moved, named));
        }
        if let Load::Piece(who) = &test.takes {
            named = named.and_then(|named| who.is(tracks.captured, named));
        }
        let Some(named) = named else {
            return;
        };
        if test.check || test.mate {
            let position = positions.at(ply.number);
            let gives = position.is_some_and(|position| match test.mate {
                true => position.is_checkmate(),
                false => position.is_check(),
            });
            if !gives {
                return;
            }
        }
        match &test.carries {
            Load::Piece(who) => {
                let carried = event.carried.iter().zip(tracks.carried);
                let fits = carried
                    .filter(|(carried, _)| carried.is_some_and(|(_, piece)| who.fits(piece)));
                ways.extend(fits.filter_map(|(_, id)| who.is(id, named)));
            }
            Load::Any | Load::Nothing => ways.push(named),
        }
    }

    fn may_hold(&self, signature: &Signature) -> bool {
        let counts = |color, role| signature.counts(color, role);
        let test = &self.test;
        let may_promote = |color| counts(color, Role::Queen).1 == u32::MAX;
        if test.promotes.is_some() && !Color::ALL.into_iter().any(may_promote) {
            return false;
        }
        if let Load::Piece(who) = &test.takes {
            let mut roles = Role::ALL
                .into_iter()
                .filter(|role| who.role.is_none_or(|r| r == *role));
            let taken = |role| {
                let mut colors = Color::ALL.into_iter();
                colors.any(|color| counts(color, role).0 != counts(color, role).1)
            };
            if !roles.any(taken) {
                return false;
            }
        }
        let Subject::Board(board) = test.subject else {
            return true;
        };
        AttackBoard::ALL.into_iter().any(|other| {
            let been = signature.pins(other);
            let mut pins = self.pins.iter().flatten();
            board.is_none_or(|board| board == other)
                && (self.may_turn || been.count_ones() > 1)
                && pins.all(|pins| pins.0 & been != 0)
        })
    }
}

impl Who {
    #[inline]
    fn fits(&self, piece: Piece) -> bool {
        self.color.is_none_or(|color| color == piece.color)
            && self.role.is_none_or(|role| role == piece.role)
    }

    /// The names there are if a piece is this one; `None` if it is another.
    fn is(&self, id: u8, mut named: Named) -> Option<Named> {
        if let Some(name) = &self.known
            && named.get(name.id).is_none_or(|known| *known != id)
        {
            return None;
        }
        if let Some(name) = &self.named
            && let Some(slot) = named.get_mut(name.id)
        {
            *slot = id;
        }
        Some(named)
    }
}

fn on_spot(spot: Spot, rules: RuleSystem) -> Option<Squares> {
    let columns = |is_in: &dyn Fn(Column) -> bool| {
        let mut set = ColumnSet::EMPTY;
        Column::all()
            .filter(|column| is_in(*column))
            .for_each(|column| set.0 |= 1 << column.index());
        Squares::Columns(set)
    };
    let squares_of = |is_in: &dyn Fn(Square) -> bool| {
        let squares = (0..3).flat_map(|level| {
            (0..64).filter_map(move |i: u8| cube::try_square(level, i % 8, i / 8))
        });
        Squares::Fixed(
            squares
                .filter(|square| is_in(*square))
                .collect::<SquareSet<3>>(),
        )
    };
    Some(match (rules.family(), spot) {
        (_, Spot::Place(place)) => return squares(place, rules),
        (Family::Stair, Spot::File { stair, .. }) => {
            let file = stair?;
            columns(&|column| column.file() == file)
        }
        (Family::Stair, Spot::Rank { stair, .. }) => {
            let rank = stair?;
            columns(&|column| column.rank() == rank)
        }
        (Family::Cube, Spot::File { cube: file, .. }) => {
            let file = file?;
            squares_of(&|square| cube::file(square) == file)
        }
        (Family::Cube, Spot::Rank { cube: rank, .. }) => {
            let rank = rank?;
            squares_of(&|square| cube::rank(square) == rank)
        }
    })
}
