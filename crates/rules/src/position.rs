//! A position that can be played: the common interface to all rule systems.

use crate::castling::Castling;
use crate::engine::Game;
use crate::engine::find::FoundMove;
use crate::fault::Explanation;
use crate::moves::{IllegalMove, Move, MoveList, PlayedMove};
use crate::outcome::Outcome;
use crate::pattern::{MovePattern, WrittenMove};
use crate::picker::{Dice, Picker};
use crate::piece::{Color, Piece, Role};
use crate::placement::Placement;
use crate::setup::{Setup, SetupError};
use crate::system::RuleSystem;
use crate::systems::{self, rule_systems};
use std::ops::ControlFlow::{self, Continue};
use std::sync::OnceLock;
use tridex_geometry::stair::Layout;
use tridex_geometry::{Family, Square, SquareSet};

/// Defines `Inner`, which holds a position of any system, and `each!`, which evaluates one expression for the position
/// of every system.
macro_rules! dispatch {
    ($(
        $(#[doc = $doc:literal])*
        $(#[cfg($when:meta)])?
        $name:ident in $module:ident on $board:ident;
    )*) => {
        #[derive(Clone, PartialEq)]
        enum Inner {
            $($(#[cfg($when)])? $name(Game<{ systems::$board }, systems::$module::$name>),)*
        }

        $(
            $(#[cfg($when)])?
            impl From<Game<{ systems::$board }, systems::$module::$name>> for Inner {
                fn from(game: Game<{ systems::$board }, systems::$module::$name>) -> Self {
                    Self::$name(game)
                }
            }
        )*

        impl Inner {
            fn from_setup(rules: RuleSystem, setup: &Setup) -> Result<Self, SetupError> {
                match rules {
                    $($(#[cfg($when)])? RuleSystem::$name => {
                        Game::from_setup(setup).map(Self::$name)
                    })*
                }
            }

            const fn rules(&self) -> RuleSystem {
                match self { $($(#[cfg($when)])? Self::$name(_) => RuleSystem::$name,)* }
            }

            fn is_same(&self, other: &Self) -> Option<bool> {
                match (self, other) {
                    $($(#[cfg($when)])? (Self::$name(game), Self::$name(other)) => game.is_same(other),)*
                    _ => Some(false),
                }
            }
        }

        macro_rules! each {
            ($inner:expr, $game:ident => $body:expr) => {
                match $inner { $($(#[cfg($when)])? Inner::$name($game) => $body,)* }
            };
        }
    };
}

rule_systems!(dispatch);

impl RuleSystem {
    /// Removes what the pieces and boards of a setup do not allow: castling rights, the pawn that can be captured en
    /// passant, and squares listed as those of moved pawns. For positions that are edited piece by piece.
    ///
    /// ```
    /// use tridex_rules::{Position, RuleSystem};
    /// let mut setup = RuleSystem::Meder.start();
    /// let rooks: Vec<_> = setup.pieces().filter(|(_, piece)| piece.letter() == 'R').collect();
    /// for (square, _) in rooks {
    ///     setup.set_piece(square, None);
    /// }
    /// assert!(Position::from_setup(RuleSystem::Meder, &setup).is_err());
    /// RuleSystem::Meder.drop_lost_rights(&mut setup);
    /// assert!(Position::from_setup(RuleSystem::Meder, &setup).is_ok());
    /// ```
    pub fn drop_lost_rights(self, setup: &mut Setup) {
        // Each round removes one item, and there are at most as many as squares and rights.
        for _ in 0..Square::CAPACITY + 8 {
            match Position::from_setup(self, setup) {
                Err(SetupError::Castling(color, side)) => {
                    setup.castling = setup.castling.without(color, side);
                }
                Err(SetupError::EnPassant(_)) => setup.en_passant = None,
                Err(SetupError::Moved(square)) => setup.moved.remove(square),
                _ => return,
            }
        }
    }
}

/// A position that can be played, under one of the rule systems.
///
/// [`Position::from_setup`] makes one from a [`Setup`] and [`Position::play`] changes it; both reject what the rules do
/// not allow. A clone copies a few hundred bytes and allocates nothing. Two positions are `==` if everything in them is
/// equal, including the counters and the identity of each attack board. [`Position::is_same`] tests whether the rules
/// treat them as the same.
#[derive(Clone, PartialEq)]
pub struct Position(Inner);

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Position")
            .field("rules", &self.rules())
            .field("setup", &self.to_setup())
            .finish()
    }
}

impl Position {
    /// The start position of a system.
    ///
    /// ```
    /// use tridex_rules::{Position, RuleSystem};
    /// assert_eq!(Position::start(RuleSystem::Chess3).occupied().count(), 32);
    /// ```
    ///
    /// # Panics
    /// Never: a test checks that every start position is playable.
    #[must_use]
    pub fn start(rules: RuleSystem) -> Self {
        static STARTS: [OnceLock<Position>; RuleSystem::ALL.len()] =
            [const { OnceLock::new() }; RuleSystem::ALL.len()];
        let start =
            STARTS[rules as usize].get_or_init(|| match Self::from_setup(rules, &rules.start()) {
                Ok(position) => position,
                Err(fault) => {
                    unreachable!("the start of {} cannot be played: {fault}", rules.name())
                }
            });
        start.clone()
    }

    /// The position of a setup under a system.
    ///
    /// ```
    /// use tridex_rules::{Color, Position, RuleSystem, SetupError};
    /// let mut setup = RuleSystem::Millennium.start();
    /// let start = Position::from_setup(RuleSystem::Millennium, &setup)?;
    /// assert_eq!(start.to_setup(), setup);
    /// setup.set_piece(start.king(Color::Black), None);
    /// let without = Position::from_setup(RuleSystem::Millennium, &setup);
    /// assert_eq!(without.unwrap_err(), SetupError::NoKing(Color::Black));
    /// # Ok::<(), SetupError>(())
    /// ```
    ///
    /// # Errors
    /// The first [`SetupError`] that makes it unplayable.
    pub fn from_setup(rules: RuleSystem, setup: &Setup) -> Result<Self, SetupError> {
        Inner::from_setup(rules, setup).map(Self)
    }

    /// The setup of this position, the inverse of [`Position::from_setup`].
    ///
    /// ```
    /// use tridex_rules::{Position, RuleSystem};
    ///
    /// let start = Position::start(RuleSystem::Federation);
    /// assert_eq!(Position::from_setup(RuleSystem::Federation, &start.to_setup())?, start);
    /// # Ok::<(), tridex_rules::SetupError>(())
    /// ```
    #[must_use]
    pub fn to_setup(&self) -> Setup {
        each!(&self.0, game => game.to_setup())
    }

    /// The placement of the pieces, without rights and counters.
    #[must_use]
    pub fn placement(&self) -> Placement {
        self.rules().placement(&self.to_setup())
    }

    /// The rule system.
    #[must_use]
    pub const fn rules(&self) -> RuleSystem {
        self.0.rules()
    }

    /// The board family.
    #[must_use]
    pub const fn family(&self) -> Family {
        self.rules().family()
    }

    /// Whose turn it is.
    #[must_use]
    #[inline]
    pub fn turn(&self) -> Color {
        each!(&self.0, game => game.state.turn)
    }

    /// The number of the move, from 1; at most 65,535.
    #[must_use]
    pub fn fullmoves(&self) -> u32 {
        each!(&self.0, game => game.state.fullmoves).into()
    }

    /// Moves of either side since the last progress (ruling counts-as-progress); at most 65,535.
    #[must_use]
    pub fn halfmoves(&self) -> u32 {
        each!(&self.0, game => game.state.halfmoves).into()
    }

    /// The layout of the attack boards; `None` on the cube.
    #[must_use]
    pub fn layout(&self) -> Option<&Layout> {
        each!(&self.0, game => game.layout())
    }

    /// The piece on a square.
    ///
    /// ```
    /// use tridex_rules::{Color, Position, Role, RuleSystem};
    /// let start = Position::start(RuleSystem::Manual);
    /// let king = start.king(Color::White);
    /// assert_eq!(start.piece_at(king).map(|piece| piece.role), Some(Role::King));
    /// ```
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        if square.index() >= self.family().squares() {
            return None;
        }
        each!(&self.0, game => game.state.piece_at(square))
    }

    /// The square of a side's king.
    #[must_use]
    pub fn king(&self, color: Color) -> Square {
        each!(&self.0, game => game.state.king(color))
    }

    /// Squares of a side's pieces of a kind.
    ///
    /// ```
    /// use tridex_rules::{Color, Position, Role, RuleSystem};
    /// let start = Position::start(RuleSystem::Federation);
    /// assert_eq!(start.pieces(Color::Black, Role::Pawn).count(), 8);
    /// ```
    #[must_use]
    pub fn pieces(&self, color: Color, role: Role) -> SquareSet<3> {
        each!(&self.0, game => game.state.pieces(color, role).resized())
    }

    /// Occupied squares.
    #[must_use]
    pub fn occupied(&self) -> SquareSet<3> {
        each!(&self.0, game => game.state.occupied().resized())
    }

    /// The castling rights of both sides.
    ///
    /// ```
    /// use tridex_rules::{Castling, Color, Position, RuleSystem};
    ///
    /// let start = Position::start(RuleSystem::Meder);
    /// assert_eq!((start.rules(), start.turn(), start.fullmoves(), start.halfmoves()), (RuleSystem::Meder, Color::White, 1, 0));
    /// assert_eq!((start.castling(), start.en_passant()), (Castling::ALL, None));
    /// assert_eq!(start.layout().is_some(), start.family() == tridex_geometry::Family::Stair);
    /// ```
    #[must_use]
    pub fn castling(&self) -> Castling {
        each!(&self.0, game => game.state.castling)
    }

    /// The square of the pawn that has just advanced two squares and may be captured en passant, whether or not a pawn
    /// can do so.
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        each!(&self.0, game => game.state.en_passant)
    }

    /// Whether the king of the side to move is attacked.
    #[must_use]
    #[inline]
    pub fn is_check(&self) -> bool {
        each!(&self.0, game => game.state.check)
    }

    /// Whether the side to move is checkmated.
    ///
    /// ```
    /// use tridex_rules::{Position, RuleSystem};
    ///
    /// let start = Position::start(RuleSystem::Chess3);
    /// assert!(start.has_legal_move() && !start.is_check() && !start.is_checkmate());
    /// ```
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_move()
    }

    /// Whether the side to move has a legal move.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        each!(&self.0, game => game.has_legal_move())
    }

    /// The pieces of a side that could capture an enemy piece on a square, even if they are pinned
    /// (ruling attack-ignores-pinning).
    ///
    /// ```
    /// use tridex_rules::{Color, Position, RuleSystem};
    /// let start = Position::start(RuleSystem::Meder);
    /// assert!(start.attackers(start.king(Color::White), Color::Black).is_empty());
    /// ```
    #[must_use]
    pub fn attackers(&self, square: Square, by: Color) -> SquareSet<3> {
        if square.index() >= self.family().squares() {
            return SquareSet::EMPTY;
        }
        each!(&self.0, game => game.attackers(square, by).resized())
    }

    /// The pinned pieces of a side: each shields its king from an enemy piece that would attack it if the pinned piece were
    /// not there. The king itself is never pinned, and it does not matter which side is to move.
    ///
    /// ```
    /// use tridex_rules::{Color, Position, RuleSystem};
    /// let start = Position::start(RuleSystem::Federation);
    /// assert!(start.pinned(Color::Black).is_empty());
    /// ```
    #[must_use]
    pub fn pinned(&self, color: Color) -> SquareSet<3> {
        each!(&self.0, game => game.pinned(color).resized())
    }

    /// Whether the piece on `from` can move to `to` by its own movement. The safety of its king and the side to move do
    /// not matter. False if no piece is on `from`, or if a piece of the same side is on `to`.
    ///
    /// ```
    /// use tridex_rules::{Move, Position, RuleSystem};
    /// let start = Position::start(RuleSystem::Millennium);
    /// for m in start.legal_moves() {
    ///     if let Move::Piece { from, to, .. } = m {
    ///         assert!(start.reaches(from, to));
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn reaches(&self, from: Square, to: Square) -> bool {
        match self.piece_at(from) {
            Some(piece) if to.index() < self.family().squares() => {
                self.piece_at(to)
                    .is_none_or(|other| other.color != piece.color)
                    && each!(&self.0, game => game.reaches(piece, from, to))
            }
            _ => false,
        }
    }

    /// All legal moves.
    ///
    /// ```
    /// use tridex_rules::{Position, RuleSystem};
    /// assert_eq!(Position::start(RuleSystem::Meder).legal_moves().len(), 20);
    /// ```
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::with_capacity(64);
        let _ = self.for_each_legal(|m| {
            moves.push(m);
            Continue(())
        });
        moves
    }

    /// Passes every legal move to a function until that returns a break.
    ///
    /// ```
    /// use std::ops::ControlFlow::{Break, Continue};
    /// use tridex_rules::{Position, RuleSystem};
    /// let start = Position::start(RuleSystem::Meder);
    /// // Stops at the first move of an attack board, of which there is none.
    /// let found = start.for_each_legal(|m| match m {
    ///     tridex_rules::Move::Board { .. } => Break(()),
    ///     _ => Continue(()),
    /// });
    /// assert!(found.is_continue());
    /// ```
    pub fn for_each_legal(&self, mut sink: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        each!(&self.0, game => game.for_each_legal(&mut sink))
    }

    /// [`Picker::pick`]
    pub(crate) fn pick(&self, picker: &mut Picker, dice: &mut Dice) -> Option<Move> {
        each!(&self.0, game => picker.pick_of(game, dice))
    }

    /// Whether the move may be played.
    ///
    /// ```
    /// use tridex_rules::{CastlingSide, Move, Position, RuleSystem};
    /// let start = Position::start(RuleSystem::Meder);
    /// assert!(!start.is_legal(Move::Castle(CastlingSide::King)));
    /// assert!(start.legal_moves().into_iter().all(|m| start.is_legal(m)));
    /// ```
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        each!(&self.0, game => game.is_legal(m))
    }

    /// Why the move may not be played, or `None` if it may. Slow; for messages.
    ///
    /// ```
    /// use tridex_rules::{CastlingSide, Move, Position, RuleSystem};
    /// let start = Position::start(RuleSystem::Meder);
    /// let why = start.explain(Move::Castle(CastlingSide::King)).expect("a reason");
    /// assert_eq!(why.article, "Meder 3.5(a)(ii)(1)[a]");
    /// ```
    #[must_use]
    pub fn explain(&self, m: Move) -> Option<Explanation> {
        each!(&self.0, game => game.explain(m))
    }

    /// Finds the legal moves that a written move can mean, captures or not as written: none, one or several. Only these
    /// are generated, so reading a token is fast.
    ///
    /// ```
    /// use tridex_geometry::stair::MainBoard;
    /// use tridex_rules::{FoundMove, Level, Departure, MovePattern, PiecePattern, Coordinates, Position, Role, RuleSystem, WrittenMove};
    /// let start = Position::start(RuleSystem::Meder);
    /// // Nc3W
    /// let knight = MovePattern::Piece(PiecePattern {
    ///     role: Some(Role::Knight),
    ///     from: Departure::default(),
    ///     to: Coordinates { file: 3, rank: 3, level: Some(Level::Main(MainBoard::White)) },
    ///     promotion: None,
    /// });
    /// assert!(matches!(start.find(&WrittenMove::new(knight, false)), FoundMove::One(m) if start.is_legal(m)));
    /// assert_eq!(start.find(&WrittenMove::new(knight, true)), FoundMove::None);
    /// ```
    #[must_use]
    #[inline]
    pub fn find(&self, written: &WrittenMove) -> FoundMove {
        each!(&self.0, game => game.find(written))
    }

    /// The legal moves that fit a pattern, captures or not. If no level is written, any level fits. If no promotion is
    /// written, the pattern means the move without promotion if there is one, else every promotion.
    ///
    /// ```
    /// use tridex_rules::{CastlingSide, MovePattern, Position, RuleSystem};
    /// let start = Position::start(RuleSystem::Meder);
    /// assert!(start.moves_like(&MovePattern::Castle(CastlingSide::Queen)).is_empty());
    /// ```
    #[must_use]
    pub fn moves_like(&self, pattern: &MovePattern) -> MoveList {
        let mut found = MoveList::new();
        let _ = each!(&self.0, game => game.moves_like(pattern, &mut |m| {
            found.push(m);
            Continue(())
        }));
        found
    }

    /// Whether two positions are the same under the repetition rule (ruling same-position): the same pieces on the same
    /// places, boards of the same owner on the same pins, the same side to move, the same castling rights and lost
    /// double steps, and the same pawn that a legal move can capture en passant. Positions of different systems are not
    /// the same.
    ///
    /// Unlike `==`, this ignores the counters and which of a player's two boards is which. Some notations name the
    /// boards, so positions that are the same can be written differently there.
    ///
    /// ```
    /// use tridex_rules::{Position, RuleSystem};
    /// let start = Position::start(RuleSystem::Meder);
    /// let mut setup = start.to_setup();
    /// setup.halfmoves = 7;
    /// let later = Position::from_setup(RuleSystem::Meder, &setup)?;
    /// assert!(start.is_same(&later) && start != later);
    /// # Ok::<(), tridex_rules::SetupError>(())
    /// ```
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let by_places = || self.placement().is_same(&other.placement());
        self.0.is_same(&other.0).unwrap_or_else(by_places)
    }

    /// A key of pieces, boards and side to move only, which is stored and costs nothing. Positions that are the same
    /// have equal keys; see [`Position::key`].
    #[must_use]
    #[inline]
    pub fn placement_key(&self) -> u64 {
        each!(&self.0, game => game.placement_key())
    }

    /// Whether the move is a capture.
    ///
    /// ```
    /// use tridex_rules::{Position, RuleSystem};
    ///
    /// let start = Position::start(RuleSystem::Millennium);
    /// assert!(start.legal_moves().into_iter().all(|mv| !start.is_capture(mv)));
    /// ```
    #[must_use]
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        each!(&self.0, game => game.is_capture(m))
    }

    /// Plays a move.
    ///
    /// ```
    /// use tridex_rules::{CastlingSide, Color, Move, Position, RuleSystem};
    /// let mut position = Position::start(RuleSystem::Chess3);
    /// assert!(position.play(Move::Castle(CastlingSide::King)).is_err());
    /// let first = position.legal_moves()[0];
    /// position.play(first)?;
    /// assert_eq!(position.turn(), Color::Black);
    /// # Ok::<(), tridex_rules::IllegalMove>(())
    /// ```
    ///
    /// # Errors
    /// If the move is not legal; the position does not change.
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(m) {
            return Err(IllegalMove(m));
        }
        self.play_unchecked(m);
        Ok(())
    }

    /// Plays a move that is known to be legal, and returns what callers need about every move. An illegal move leads to
    /// a nonsensical position, but is otherwise safe. See [`Position::play`].
    ///
    /// ```
    /// use tridex_rules::{Position, RuleSystem};
    /// let mut position = Position::start(RuleSystem::Meder);
    /// let m = position.legal_moves()[0];
    /// let played = position.play_unchecked(m);
    /// assert_eq!(played.placement, position.placement_key());
    /// assert!(!played.captures && !played.check);
    /// ```
    #[inline]
    pub fn play_unchecked(&mut self, m: Move) -> PlayedMove {
        each!(&mut self.0, game => game.play_unchecked(m))
    }

    /// Whether the side to move may pass in a variation: it is not in check, and the game has not ended (ruling
    /// pass-in-variation). [`Position::play_unchecked`] then plays [`Move::Pass`], which is never a legal move.
    ///
    /// ```
    /// use tridex_rules::{Color, Move, Position, RuleSystem};
    ///
    /// let mut position = Position::start(RuleSystem::Meder);
    /// assert!(position.can_pass() && !position.is_legal(Move::Pass));
    /// position.play_unchecked(Move::Pass);
    /// assert_eq!(position.turn(), Color::Black);
    /// ```
    #[must_use]
    pub fn can_pass(&self) -> bool {
        !self.is_check() && self.outcome().is_none()
    }

    /// Plays the move that [`Position::find`] finds, if it is exactly one. Else the position does not change.
    ///
    /// ```
    /// use tridex_rules::{CastlingSide, MovePattern, Position, RuleSystem, WrittenMove};
    /// let mut position = Position::start(RuleSystem::Meder);
    /// let castles = WrittenMove::new(MovePattern::Castle(CastlingSide::King), false);
    /// assert!(position.follow(&castles).is_none());
    /// assert_eq!(position, Position::start(RuleSystem::Meder));
    /// ```
    #[inline]
    pub fn follow(&mut self, written: &WrittenMove) -> Option<(Move, PlayedMove)> {
        each!(&mut self.0, game => game.follow(written))
    }

    /// How the game has ended, if the position alone ends it. Repetition depends on the history: see
    /// [`RuleSystem::repetition_ends`].
    ///
    /// ```
    /// use tridex_rules::{Position, RuleSystem};
    /// assert_eq!(Position::start(RuleSystem::Manual).outcome(), None);
    /// ```
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        each!(&self.0, game => game.outcome())
    }

    /// Whether neither side can ever mate, under rules that end the game at once in this case.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        each!(&self.0, game => game.is_dead())
    }

    /// Whether a side has pieces that can mate, now or later, if the other side helps (ruling dead-material). If not,
    /// some rules count a win of that side on time as a draw (Meder 6.9, Millennium 4.9). Two or more pieces besides
    /// the king are assumed to suffice, without a search.
    ///
    /// ```
    /// use tridex_rules::{Color, Position, RuleSystem};
    /// assert!(Position::start(RuleSystem::Meder).can_mate(Color::White));
    /// ```
    #[must_use]
    pub fn can_mate(&self, color: Color) -> bool {
        each!(&self.0, game => game.can_mate(color))
    }

    /// A stable 64-bit key, equal for positions that are the same (ruling same-position, [`Position::is_same`]). The
    /// rule system and the counters are not part of it. Collections that are keyed by it should store
    /// [`KEY_VERSION`](crate::KEY_VERSION).
    ///
    /// ```
    /// use tridex_rules::{Position, RuleSystem};
    /// let start = Position::start(RuleSystem::Meder);
    /// let keys: std::collections::BTreeSet<u64> = start
    ///     .legal_moves()
    ///     .into_iter()
    ///     .map(|m| {
    ///         let mut after = start.clone();
    ///         after.play_unchecked(m);
    ///         after.key()
    ///     })
    ///     .collect();
    /// assert_eq!(keys.len(), 20);
    /// ```
    #[must_use]
    #[inline]
    pub fn key(&self) -> u64 {
        each!(&self.0, game => game.key())
    }

    /// The number of sequences of `depth` legal moves.
    ///
    /// ```
    /// use tridex_rules::{Position, RuleSystem};
    /// assert_eq!(Position::start(RuleSystem::Meder).perft(2), 400);
    /// ```
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        each!(&self.0, game => game.perft(depth))
    }
}
