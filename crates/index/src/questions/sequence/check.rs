//! The tests of a sequence, made ready for the rules of one system.

use super::{Leaf, Load, MAX_NAMES, MoveTest, Node, Subject, Who};
use crate::game::line::Later;
use crate::game::signature::Signature;
use crate::questions::logic::Logic;
use crate::questions::material::Material;
use crate::questions::pattern::Place;
use crate::questions::pattern::compile::{Matcher, Squares, squares};
use tridex_geometry::stair::{AttackBoard, Pin};
use tridex_geometry::{Family, Square};
use tridex_rules::{CastlingSide, Color, Move, Piece, Placement, Role, RuleSystem};

/// A test under the rules of one system.
pub(crate) type Test = Logic<Check>;

/// A part of a test.
#[derive(Clone, Debug)]
pub(crate) enum Check {
    /// Moves that no game of the rules has.
    Never,
    Move(Box<MoveCheck>),
    Pattern(Box<Matcher>),
    Material(Material),
}

/// A description of moves whose places are squares and pins.
#[derive(Clone, Debug)]
pub(crate) struct MoveCheck {
    test: MoveTest,
    from: Option<Squares>,
    to: Option<Squares>,
    promoted_on: Option<Squares>,
    /// Whether pieces known by their names matter.
    is_personal: bool,
    /// Whether a board may turn, so that it can move and stay on its pin.
    may_turn: bool,
}

/// The pieces that have names, by the squares they were on at the start of the line.
pub(crate) type Named = [u8; MAX_NAMES];

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
    piece: Option<(Square, Piece)>,
    captured: Option<(Square, Piece)>,
    /// The pin that a board leaves.
    pin: Option<Pin>,
    carried: [Option<(Square, Piece)>; 4],
}

/// Which piece is on which square: each known by the square it was on at the start of the line.
#[derive(Clone, Debug)]
pub(crate) struct Tracks {
    rules: RuleSystem,
    on: [u8; Square::CAPACITY],
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
                event.piece = before.piece_at(from).map(|piece| (from, piece));
                event.captured = before.piece_at(to).map(|piece| (to, piece));
            }
            Move::EnPassant { from, .. } => {
                event.piece = before.piece_at(from).map(|piece| (from, piece));
                event.captured = before.effect(m).captured;
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
        }
    }

    /// Follows a move.
    pub(crate) fn follow(&mut self, event: &Event) {
        match event.m {
            Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. } => {
                self.on[to.index()] = self.on[from.index()];
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
        node.map(&|leaf| match leaf {
            Leaf::Move(test) => MoveCheck::new(test, rules)
                .map_or(Check::Never, |check| Check::Move(Box::new(check))),
            Leaf::Pattern(pattern) => Check::Pattern(Box::new(Matcher::new(pattern, rules))),
            Leaf::Material(material) => Check::Material(material.clone()),
            // The parser makes no tests of sequences.
            Leaf::Chain(_) => Check::Never,
        })
    }

    /// Whether it holds at a ply, if pieces, boards and turn are enough to know: `None` if the position is needed, or pieces are
    /// known by their names.
    #[inline]
    pub(crate) fn holds_at(&self, ply: &Ply<'_>) -> Option<bool> {
        self.holds(&|check| match check {
            Check::Never => Some(false),
            Check::Move(check) => check.holds(ply),
            Check::Pattern(matcher) => matcher.matches_board(ply.at, ply.number),
            Check::Material(material) => Some(material.holds(ply.at)),
        })
    }

    /// The ways in which it holds at a ply if some pieces have names: the names there are then.
    pub(crate) fn ways(
        &self,
        ply: &Ply<'_>,
        tracks: &Tracks,
        later: &mut Later<'_>,
        named: Named,
        ways: &mut Vec<Named>,
    ) {
        match (self, self.holds_at(ply)) {
            (_, Some(false)) => {}
            (Self::Leaf(Check::Move(check)), _) => check.ways(ply, tracks, later, named, ways),
            (Self::And(parts), _) => {
                let mut all = vec![named];
                for part in parts {
                    let mut more = Vec::new();
                    for named in all {
                        part.ways(ply, tracks, later, named, &mut more);
                    }
                    all = different(more);
                }
                ways.append(&mut all);
            }
            (Self::Or(parts), _) => {
                let mut all = Vec::new();
                for part in parts {
                    part.ways(ply, tracks, later, named, &mut all);
                }
                ways.append(&mut different(all));
            }
            (_, Some(true)) => ways.push(named),
            (Self::Leaf(Check::Pattern(matcher)), None) => {
                let position = later.position(ply.number);
                if position.is_some_and(|position| matcher.matches(ply.at, position, ply.number)) {
                    ways.push(named);
                }
            }
            (Self::Not(part), None) => {
                let mut found = Vec::new();
                part.ways(ply, tracks, later, named, &mut found);
                if found.is_empty() {
                    ways.push(named);
                }
            }
            // These are known at once.
            (Self::Leaf(Check::Never | Check::Material(_)), None) => {}
        }
    }

    /// Whether it may hold somewhere in a game of which only the signature is known. Never wrongly false.
    pub(crate) fn may_match(&self, signature: &Signature) -> bool {
        self.may_hold(&|check| match check {
            Check::Never => false,
            Check::Move(check) => check.may_hold(signature),
            Check::Pattern(matcher) => matcher.may_match(signature),
            Check::Material(material) => material.may_hold(signature),
        })
    }
}

/// Each of some ways once: otherwise they would double with each `or` that is joined to others.
fn different(mut ways: Vec<Named>) -> Vec<Named> {
    ways.sort_unstable();
    ways.dedup();
    ways
}

impl MoveCheck {
    /// `None` if no move of the rules is described.
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
            is_personal: test.pieces().any(|who| who.known.is_some()),
            may_turn: rules.uses_under_pins(),
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
        let needs_piece =
            self.from.is_some() || self.to.is_some() || test.takes != Load::Any || test.en_passant;
        let is_on = |squares: Option<Squares>, square: Square| {
            squares.is_none_or(|squares| squares.set(after).contains(square))
        };
        let fits = match (&test.subject, event.m) {
            (Subject::Any, Move::Castle(_) | Move::Board { .. }) => !needs_piece,
            (
                Subject::Any | Subject::Piece,
                Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. },
            ) => {
                test.moves.fits(event.piece.map(|(_, piece)| piece))
                    && is_on(self.from, from)
                    && is_on(self.to, to)
                    && test.takes.fits(event.captured.map(|(_, piece)| piece))
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
                    let pins = place.and_then(|place| place.pins);
                    pins.is_none_or(|pins| pin.is_some_and(|pin| pins.holds(pin)))
                };
                board.is_none_or(|board| board == moved)
                    && on_pin(self.from, event.pin)
                    && on_pin(self.to, Some(to))
                    && test.turned.is_none_or(|asked| asked == turned)
                    && promotion.is_none_or(|p| is_on(self.promoted_on, p.square))
                    && test
                        .carries
                        .fits(event.carried.into_iter().flatten().map(|(_, piece)| piece))
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
        later: &mut Later<'_>,
        named: Named,
        ways: &mut Vec<Named>,
    ) {
        let Some(event) = ply.event else {
            return;
        };
        let test = &self.test;
        let mut named = named;
        for (load, there) in [(&test.moves, event.piece), (&test.takes, event.captured)] {
            if let (Load::Piece(who), Some((square, _))) = (load, there) {
                match who.is(tracks.on[square.index()], named) {
                    Some(then) => named = then,
                    None => return,
                }
            }
        }
        if test.check || test.mate {
            let position = later.position(ply.number);
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
                let carried = event.carried.into_iter().flatten();
                let fits = carried.filter(|(_, piece)| who.fits(*piece));
                let is = |(square, _): (Square, _)| who.is(tracks.on[square.index()], named);
                ways.extend(fits.filter_map(is));
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
            let places = [self.from, self.to].into_iter().flatten();
            let mut pins = places.filter_map(|place| place.pins);
            board.is_none_or(|board| board == other)
                && (self.may_turn || been.count_ones() > 1)
                && pins.all(|pins| pins.0 & been != 0)
        })
    }
}

impl Load {
    /// Whether the pieces that are there are the requested ones.
    #[inline]
    fn fits(&self, there: impl IntoIterator<Item = Piece>) -> bool {
        let mut there = there.into_iter();
        match self {
            Self::Any => true,
            Self::Nothing => there.next().is_none(),
            Self::Piece(who) => there.any(|piece| who.fits(piece)),
        }
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
