//! The tests of a sequence, compiled for one rule system.

use super::{Leaf, Load, MAX_NAMES, MoveTest, Name, Node, Subject, Who};
use crate::model::game_bytes::Later;
use crate::model::signature::Signature;
use crate::query::logic::Logic;
use crate::query::material::Material;
use crate::query::pattern::compile::{Squares, squares};
use crate::query::pattern::{Atom, Place, PlyNumber};
use tridex_geometry::stair::{AttackBoard, Pin};
use tridex_geometry::{Family, Square, SquareSet};
use tridex_rules::{CastlingSide, Color, Move, Piece, Placement, Position, Role, RuleSystem};

/// A test compiled for one rule system.
#[derive(Debug)]
pub(crate) struct Test {
    logic: Logic<Check>,
    /// Whether it gives a piece a name, or refers to a piece by its name.
    pub(crate) has_names: bool,
}

/// A part of a test.
#[derive(Debug)]
enum Check {
    Move(Box<MoveCheck>),
    Atom(Atom<Option<Squares>>),
    Material(Material),
}

/// A description of moves whose places are compiled to squares and pins.
#[derive(Debug)]
struct MoveCheck {
    test: MoveTest,
    from: Option<Squares>,
    to: Option<Squares>,
    promoted_on: Option<Squares>,
    /// Whether boards may turn under the rules, so that a board can move and stay on its pin.
    may_turn: bool,
}

/// The named pieces, each identified by the square it was on at the start of the line.
pub(crate) type Named = [u8; MAX_NAMES];

/// The piece on each square, identified by the square it was on at the start of the line.
pub(crate) type Tracks = [u8; Square::CAPACITY];

/// A ply: the position, and the move that led to it.
pub(crate) struct Ply<'a> {
    pub(crate) number: u32,
    /// Whether it is the last of its line.
    pub(crate) is_last: bool,
    pub(crate) at: &'a Placement,
    pub(crate) event: Option<&'a Event>,
    pub(crate) tracks: &'a Tracks,
}

/// A piece that a move affects, on its square before the move.
type Found = Option<(Square, Piece)>;

/// A move and its effect on pieces.
#[derive(Debug)]
pub(crate) struct Event {
    m: Move,
    by: Color,
    /// The piece that moves on its own; `None` for castling.
    piece: Found,
    captured: Found,
    /// For a board move, the pin that the board leaves and the pieces it carries. Boxed, because few moves are board
    /// moves, and every move has an event.
    board: Option<Box<(Pin, [Found; 4])>>,
}

impl Event {
    #[inline]
    pub(crate) fn of(before: &Placement, m: Move) -> Self {
        let on = |square: Square| before.piece_at(square).map(|piece| (square, piece));
        let (mut piece, mut captured, mut board) = (None, None, None);
        match m {
            Move::Piece { from, to, .. } => (piece, captured) = (on(from), on(to)),
            Move::EnPassant { from, .. } => {
                (piece, captured) = (on(from), before.effect(m).captured);
            }
            Move::Castle(_) | Move::Pass => {}
            Move::Board { board: moved, .. } => {
                let mut carried = [None; 4];
                for (slot, square) in carried.iter_mut().zip(moved.squares()) {
                    *slot = on(square);
                }
                board = before
                    .layout()
                    .map(|layout| Box::new((layout.pin(moved), carried)));
            }
        }
        Self {
            m,
            by: before.turn(),
            piece,
            captured,
            board,
        }
    }

    fn carried(&self) -> [Found; 4] {
        self.board.as_ref().map_or([None; 4], |board| board.1)
    }

    /// The squares of the pieces that the move moves, after it. A board's squares all count.
    fn arrived(&self, rules: RuleSystem) -> SquareSet<3> {
        match self.m {
            Move::Piece { to, .. } | Move::EnPassant { to, .. } => [to].into_iter().collect(),
            Move::Board { board, .. } => board.squares().resized(),
            Move::Castle(side) => {
                let squares = rules.castling_squares(self.by, side);
                let both = squares.map(|squares| [squares.king.1, squares.rook.1]);
                both.into_iter().flatten().collect()
            }
            Move::Pass => SquareSet::EMPTY,
        }
    }

    /// Updates the tracks of all pieces that the move affects.
    pub(crate) fn follow(&self, rules: RuleSystem, tracks: &mut Tracks) {
        let before = *tracks;
        let mut put = |from: Square, to: Square| tracks[to.index()] = before[from.index()];
        match self.m {
            Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => put(from, to),
            Move::Pass => {}
            Move::Castle(side) => {
                let squares = rules.castling_squares(self.by, side);
                let both = squares.map(|squares| [squares.king, squares.rook]);
                both.into_iter()
                    .flatten()
                    .for_each(|(from, to)| put(from, to));
            }
            Move::Board { board, turned, .. } => {
                for square in board.squares().into_iter().filter(|_| turned) {
                    put(square, board.turned(square));
                }
            }
        }
    }
}

impl Test {
    pub(crate) fn new(node: &Node, rules: RuleSystem) -> Self {
        let logic = node.bind(&|leaf| match leaf {
            Leaf::Move(test) => match MoveCheck::new(test, rules) {
                Some(check) => Logic::Leaf(Check::Move(Box::new(check))),
                None => Logic::Or(Vec::new()),
            },
            Leaf::Pattern(pattern) => pattern.0.map(&|atom| Check::Atom(atom.ready(rules))),
            Leaf::Material(material) => Logic::Leaf(Check::Material(material.clone())),
            // The parser never makes a test of a chain.
            Leaf::Chain(_) => Logic::Or(Vec::new()),
        });
        let has_names = logic.has(&|check| match check {
            Check::Move(check) => {
                let mut pieces = check.test.pieces();
                pieces.any(|who| who.known.is_some() || who.named.is_some())
            }
            Check::Atom(_) | Check::Material(_) => false,
        });
        Self { logic, has_names }
    }

    /// Whether the test holds at a ply; `None` if that depends on the position or on names.
    #[inline]
    pub(crate) fn holds(&self, ply: &Ply<'_>, position: Option<&Position>) -> Option<bool> {
        self.logic.holds(&|check| check.holds(ply, position))
    }

    /// The ways in which the test holds at a ply, given the names so far. Each way is the names after it.
    pub(crate) fn ways(&self, ply: &Ply<'_>, later: &mut Later<'_>, named: Named) -> Vec<Named> {
        ways(&self.logic, named, &mut |check, named| match check {
            Check::Move(check) => check.ways(ply, later, named),
            check => {
                let held = check.holds(ply, None);
                let held = held.or_else(|| check.holds(ply, later.position(ply.number)));
                Vec::from_iter((held == Some(true)).then_some(named))
            }
        })
    }

    /// Whether the test may hold somewhere in a game with this signature. Never wrongly false.
    pub(crate) fn may_match(&self, signature: &Signature) -> bool {
        self.logic.may_hold(&|check| match check {
            Check::Move(check) => check.may_hold(signature),
            Check::Atom(atom) => atom.may_hold(signature),
            Check::Material(material) => material.may_hold(signature),
        })
    }
}

/// The names after a test, without duplicates. Otherwise their number would double with each `or` that is joined to
/// others.
fn ways(
    logic: &Logic<Check>,
    named: Named,
    leaf: &mut impl FnMut(&Check, Named) -> Vec<Named>,
) -> Vec<Named> {
    match logic {
        Logic::Leaf(check) => leaf(check, named),
        Logic::Not(part) => match ways(part, named, leaf).is_empty() {
            true => vec![named],
            false => Vec::new(),
        },
        Logic::And(parts) => parts.iter().fold(vec![named], |all, part| {
            let more = all.into_iter().flat_map(|named| ways(part, named, leaf));
            different(more.collect())
        }),
        Logic::Or(parts) => {
            let more = parts.iter().flat_map(|part| ways(part, named, leaf));
            different(more.collect())
        }
    }
}

fn different(mut ways: Vec<Named>) -> Vec<Named> {
    ways.sort_unstable();
    ways.dedup();
    ways
}

impl Check {
    /// See [`Test::holds`].
    #[inline]
    fn holds(&self, ply: &Ply<'_>, position: Option<&Position>) -> Option<bool> {
        match self {
            Self::Move(check) => check.holds(ply, position),
            Self::Atom(atom) => {
                let number = PlyNumber {
                    number: ply.number,
                    is_last: ply.is_last,
                };
                atom.holds(ply.at, position, number)
            }
            Self::Material(material) => Some(material.holds(ply.at)),
        }
    }
}

impl MoveCheck {
    /// Compiles a description; `None` if no move under the rules fits it.
    fn new(test: &MoveTest, rules: RuleSystem) -> Option<Self> {
        if matches!(test.subject, Subject::Board(_)) && rules.family() == Family::Cube {
            return None;
        }
        let known = |place: Option<Place>| match place {
            None => Some(None),
            Some(place) => squares(place, rules).map(Some),
        };
        Some(Self {
            from: known(test.from)?,
            to: known(test.to)?,
            promoted_on: known(test.promoted_on)?,
            test: test.clone(),
            may_turn: rules.uses_under_pins(),
        })
    }

    #[inline]
    fn holds(&self, ply: &Ply<'_>, position: Option<&Position>) -> Option<bool> {
        let is_known = || self.test.pieces().any(|who| who.known.is_some());
        match ply.event.is_some_and(|event| self.fits(event, ply.at)) {
            false => Some(false),
            true if is_known() => None,
            true => self.is_given(ply, position),
        }
    }

    /// Whether the move gives check or mate, if that is required; `None` if the position is needed.
    #[inline]
    fn is_given(&self, ply: &Ply<'_>, position: Option<&Position>) -> Option<bool> {
        let test = &self.test;
        let given = match (test.mate, test.check) {
            (true, _) => position.map(Position::is_checkmate),
            (_, true) => position.map(Position::is_check),
            _ => Some(true),
        };
        if !(test.double_check || test.discovered_check) || given == Some(false) {
            return given;
        }
        let position = position?;
        let turn = position.turn();
        let attackers = position.attackers(position.king(turn), turn.other());
        let moved = ply.event.map(|event| event.arrived(position.rules()));
        let is_discovered = || !attackers.minus(moved.unwrap_or_default()).is_empty();
        Some(
            (!test.double_check || attackers.count() >= 2)
                && (!test.discovered_check || is_discovered()),
        )
    }

    /// Whether a move fits the description, apart from check, mate and names. `after` is the placement after it. Only a
    /// board move changes which squares the board has.
    #[inline]
    fn fits(&self, event: &Event, after: &Placement) -> bool {
        let test = &self.test;
        if test.by.is_some_and(|by| by != event.by)
            || !test.moves.fits([event.piece])
            || !test.takes.fits([event.captured])
        {
            return false;
        }
        let is_on = |squares: Option<Squares>, square: Square| {
            squares.is_none_or(|squares| squares.set(after).contains(square))
        };
        let fits = match (&test.subject, event.m) {
            (Subject::Any, Move::Castle(_) | Move::Board { .. }) => {
                self.from.is_none() && self.to.is_none() && !test.en_passant
            }
            (Subject::Any, Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. }) => {
                is_on(self.from, from)
                    && is_on(self.to, to)
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
                let on_pin = |place: Option<Squares>, pin: Option<Pin>| {
                    place.is_none_or(|place| pin.is_some_and(|pin| place.has_pin(pin)))
                };
                board.is_none_or(|board| board == moved)
                    && test.carries.fits(event.carried())
                    && on_pin(self.from, event.board.as_ref().map(|board| board.0))
                    && on_pin(self.to, Some(to))
                    && test.turned.is_none_or(|asked| asked == turned)
                    && promotion.is_none_or(|p| is_on(self.promoted_on, p.square))
            }
            _ => false,
        };
        let role = event.m.promotion();
        fits && test
            .promotes
            .is_none_or(|asked| role.is_some() && (asked.is_none() || asked == role))
    }

    /// See [`Test::ways`].
    fn ways(&self, ply: &Ply<'_>, later: &mut Later<'_>, named: Named) -> Vec<Named> {
        let Some(event) = ply.event.filter(|event| self.fits(event, ply.at)) else {
            return Vec::new();
        };
        let (piece, captured) = ([event.piece], [event.captured]);
        let loads = [
            (&self.test.moves, &piece[..]),
            (&self.test.takes, &captured[..]),
            (&self.test.carries, &event.carried()[..]),
        ];
        let mut all = vec![named];
        for (load, there) in loads {
            if let Load::Piece(who) = load {
                let is = |named: Named| {
                    let there = there.iter().flatten();
                    there.filter_map(move |(square, piece)| {
                        who.is(*piece, ply.tracks[square.index()], named)
                    })
                };
                all = all.into_iter().flat_map(is).collect();
            }
        }
        if !all.is_empty() {
            let given = self.is_given(ply, None);
            let given = given.or_else(|| self.is_given(ply, later.position(ply.number)));
            all.retain(|_| given == Some(true));
        }
        all
    }

    fn may_hold(&self, signature: &Signature) -> bool {
        let test = &self.test;
        let counts = |piece: Piece| signature.counts(piece.color, piece.role);
        let all = Color::ALL.map(|color| Role::ALL.map(|role| Piece::new(color, role)));
        let any =
            |is_so: &dyn Fn(Piece) -> bool| all.as_flattened().iter().any(|piece| is_so(*piece));
        let may_promote = || any(&|piece| piece.role == Role::Queen && counts(piece).1 == u32::MAX);
        if test.promotes.is_some() && !may_promote() {
            return false;
        }
        if let Load::Piece(who) = &test.takes
            && !any(&|piece| who.fits(piece) && counts(piece).0 != counts(piece).1)
        {
            return false;
        }
        let Subject::Board(board) = test.subject else {
            return true;
        };
        AttackBoard::ALL.into_iter().any(|other| {
            let been = signature.pins(other);
            let places = [self.from, self.to].into_iter().flatten();
            let mut pins = places.filter_map(|place| place.pins);
            board.is_none_or(|board| board == other)
                && (self.may_turn || been.count_ones() > 1)
                && pins.all(|pins| pins & been != 0)
        })
    }
}

impl Load {
    /// Whether the pieces affected fit this requirement.
    #[inline]
    fn fits<const N: usize>(&self, there: [Found; N]) -> bool {
        let mut there = there.into_iter().flatten();
        match self {
            Self::Any => true,
            Self::Nothing => there.next().is_none(),
            Self::Piece(who) => there.any(|(_, piece)| who.fits(piece)),
        }
    }
}

impl Who {
    #[inline]
    fn fits(&self, piece: Piece) -> bool {
        self.color.is_none_or(|color| color == piece.color)
            && self.role.is_none_or(|role| role == piece.role)
    }

    /// The names after a piece is matched with this description; `None` if it does not fit.
    fn is(&self, piece: Piece, id: u8, mut named: Named) -> Option<Named> {
        let is_known = |name: &Name| named.get(name.id) == Some(&id);
        if !self.fits(piece) || !self.known.as_ref().is_none_or(is_known) {
            return None;
        }
        if let Some(slot) = self.named.as_ref().and_then(|name| named.get_mut(name.id)) {
            *slot = id;
        }
        Some(named)
    }
}
