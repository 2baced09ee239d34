//! Symmetries of the board: in a mirror, or from the other player's side.

use tridex_geometry::stair::{AttackBoard, Layout, MainBoard, Pin};
use tridex_geometry::{Family, Square, cube};
use tridex_rules::{Castling, CastlingSide, Color, Level, Piece, RuleSystem, Setup};

/// A symmetry of the board. Applied twice, each changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symmetry {
    /// The king's side and the queen's side exchanged.
    Mirror,
    /// The view from the other player's side: colours, ranks, boards and levels are exchanged.
    Swap,
}

impl Symmetry {
    pub(crate) fn color(self, color: Color) -> Color {
        match self {
            Self::Mirror => color,
            Self::Swap => color.other(),
        }
    }

    pub(crate) fn castling(self, side: CastlingSide) -> CastlingSide {
        match (self, side) {
            (Self::Swap, _) => side,
            (Self::Mirror, CastlingSide::King) => CastlingSide::Queen,
            (Self::Mirror, CastlingSide::Queen) => CastlingSide::King,
        }
    }

    pub(crate) fn board(self, board: AttackBoard) -> AttackBoard {
        match self {
            Self::Mirror => AttackBoard::of(board.is_white(), board.wing().other()),
            Self::Swap => AttackBoard::of(!board.is_white(), board.wing()),
        }
    }

    /// The image of a pin. The surface stays the same from the other side, unless the rules [turn
    /// surfaces](turns_surfaces).
    pub(crate) fn pin(self, pin: Pin) -> Pin {
        match self {
            Self::Mirror => Pin::new(pin.wing().other(), pin.corner(), pin.surface()),
            Self::Swap => pin.mirrored(),
        }
    }

    /// The image of a file on a board of `files` files.
    pub(crate) fn file(self, files: u8, file: u8) -> u8 {
        match self {
            Self::Mirror => files - 1 - file,
            Self::Swap => file,
        }
    }

    /// The image of a rank on a board of `ranks` ranks.
    pub(crate) fn rank(self, ranks: u8, rank: u8) -> u8 {
        match self {
            Self::Mirror => rank,
            Self::Swap => ranks - 1 - rank,
        }
    }

    pub(crate) fn level(self, level: Level) -> Level {
        match (self, level) {
            (Self::Swap, Level::Main(MainBoard::White)) => Level::Main(MainBoard::Black),
            (Self::Swap, Level::Main(MainBoard::Black)) => Level::Main(MainBoard::White),
            (_, Level::Main(_)) => level,
            (_, Level::Attack(board)) => Level::Attack(self.board(board)),
            (_, Level::Pin(pin)) => Level::Pin(self.pin(pin)),
            (_, Level::Cube(level)) => Level::Cube(self.rank(cube::LEVELS, level)),
        }
    }

    pub(crate) fn square(self, family: Family, square: Square) -> Square {
        let index = square.index() as u8;
        // The low bits of an index are the file, the bits above are the rank, and the rest is the board or level.
        Square::new(match (self, family, index) {
            (Self::Mirror, Family::Cube, _) => index ^ 7,
            (Self::Mirror, Family::Stair, ..48) => index ^ 3,
            (Self::Mirror, ..) => 48 + ((index - 48) ^ 0b0101),
            (Self::Swap, Family::Cube, _) => 64 * (2 - index / 64) + ((index % 64) ^ 56),
            (Self::Swap, Family::Stair, ..48) => 16 * (2 - index / 16) + ((index % 16) ^ 12),
            (Self::Swap, ..) => 48 + ((index - 48) ^ 0b1010),
        })
    }

    /// The image of a setup under a rule system. `None` if the attack boards cannot be on the exchanged pins, and for a
    /// mirror if a side may still castle, because castling is not symmetric.
    pub(crate) fn setup(self, setup: &Setup, rules: RuleSystem) -> Option<Setup> {
        if self == Self::Mirror && setup.castling != Castling::NONE {
            return None;
        }
        let is_turned = self == Self::Swap && turns_surfaces(rules);
        let layout = match &setup.layout {
            Some(layout) => {
                let pin = |board| match self.pin(layout.pin(self.board(board))) {
                    pin if is_turned => pin.other_surface(),
                    pin => pin,
                };
                Some(Layout::try_new(AttackBoard::ALL.map(pin)).ok()?)
            }
            None => None,
        };
        let square = |square| self.square(setup.family(), square);
        let mut there = Setup::empty(layout);
        for (from, piece) in setup.pieces() {
            let piece = Piece::new(self.color(piece.color), piece.role);
            there.set_piece(square(from), Some(piece));
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if setup.castling.has(color, side) {
                    there.castling = there.castling.with(self.color(color), self.castling(side));
                }
            }
        }
        there.turn = self.color(setup.turn);
        there.en_passant = setup.en_passant.map(square);
        there.moved = setup.moved.into_iter().map(square).collect();
        there.halfmoves = setup.halfmoves;
        there.fullmoves = setup.fullmoves;
        Some(there)
    }
}

/// Whether a pin above a board is below it from the other player's side. This is so under rules where one player's
/// attack boards are attached below and the other's above.
pub(crate) fn turns_surfaces(rules: RuleSystem) -> bool {
    rules.start().layout.is_some_and(|layout| {
        let [white, _, black, _] = layout.pins();
        white.surface() != black.surface()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Dice, random_game};
    use tridex_rules::Position;

    /// The image has equally many legal moves, and swapping sides twice changes nothing.
    #[test]
    fn positions_are_the_same_from_the_other_chair_and_in_the_mirror() {
        let mut mirrors = 0;
        for rules in RuleSystem::ALL {
            let mut dice = Dice::new(3);
            for _ in 0..6 {
                let mut position = Position::start(*rules);
                for m in random_game(*rules, 90, &mut dice) {
                    position.play_unchecked(m);
                    let mut setup = position.to_setup();
                    // Under some rules no one may castle at the start, and then the image of the start is invalid.
                    setup.fullmoves = 9;
                    let there = Symmetry::Swap.setup(&setup, *rules).unwrap();
                    assert_eq!(Symmetry::Swap.setup(&there, *rules).as_ref(), Some(&setup));
                    let there = Position::from_setup(*rules, &there).unwrap();
                    let moves = Position::from_setup(*rules, &setup).unwrap();
                    let moves = moves.legal_moves().len();
                    assert_eq!(
                        there.legal_moves().len(),
                        moves,
                        "{} {setup:?}",
                        rules.name()
                    );
                    if let Some(image) = Symmetry::Mirror.setup(&setup, *rules) {
                        mirrors += 1;
                        assert_eq!(
                            Symmetry::Mirror.setup(&image, *rules).as_ref(),
                            Some(&setup)
                        );
                        let image = Position::from_setup(*rules, &image).unwrap();
                        assert_eq!(
                            image.legal_moves().len(),
                            moves,
                            "{} {setup:?}",
                            rules.name()
                        );
                    }
                }
            }
        }
        assert!(mirrors > 100);
    }
}
