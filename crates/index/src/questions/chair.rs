//! A position seen in a mirror, or from the other player's chair.

use tridex_geometry::stair::{Layout, Pin};
use tridex_geometry::{Square, cube};
use tridex_rules::{Castling, CastlingSide, Color, Piece, RuleSystem, Setup};

/// The position with the king's side and the queen's side exchanged. `None` if somebody may still castle: then nothing
/// is reversed.
pub(crate) fn mirrored(setup: &Setup) -> Option<Setup> {
    if setup.castling != Castling::NONE {
        return None;
    }
    let square = |square: Square| {
        let index = square.index() as u8;
        match (setup.layout, index) {
            // Of a row of eight, and of four on a fixed board.
            (None, _) => Square::new(index ^ 7),
            (_, ..48) => Square::new(index ^ 3),
            // The board of the other wing, its two files exchanged.
            _ => Square::new(48 + ((index - 48) ^ 0b0101)),
        }
    };
    let pin = |pin: Pin| Pin::new(pin.wing().other(), pin.corner(), pin.surface());
    let layout = match &setup.layout {
        Some(layout) => Some(exchanged(layout, [1, 0, 3, 2], pin)?),
        None => None,
    };
    Some(seen(setup, layout, square, |color| color))
}

/// The position from the other chair, under some rules: colours, ranks, boards and levels exchanged. `None` if the
/// boards cannot be there.
pub(crate) fn swapped(setup: &Setup, rules: RuleSystem) -> Option<Setup> {
    let square = |square: Square| {
        let index = square.index() as u8;
        match (setup.layout, index) {
            (None, _) => {
                let (level, rank) = (cube::level(square), cube::rank(square));
                let there =
                    cube::try_square(cube::LEVELS - 1 - level, cube::file(square), 7 - rank);
                there.unwrap_or(square)
            }
            // White's board and Black's exchanged, and the rows of each.
            (_, ..48) => Square::new(16 * (2 - index / 16) + ((index % 16) ^ 0b1100)),
            _ => Square::new(48 + ((index - 48) ^ 0b1010)),
        }
    };
    let layout = match &setup.layout {
        Some(layout) => {
            let upside_down = is_upside_down(rules);
            let pin = |pin: Pin| match upside_down {
                true => pin.mirrored().other_surface(),
                false => pin.mirrored(),
            };
            Some(exchanged(layout, [2, 3, 0, 1], pin)?)
        }
        None => None,
    };
    let mut there = seen(setup, layout, square, Color::other);
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if setup.castling.has(color, side) {
                there.castling = there.castling.with(color.other(), side);
            }
        }
    }
    Some(there)
}

/// Whether one player's attack boards hang below where the other's are above: then the chairs differ in that too.
fn is_upside_down(rules: RuleSystem) -> bool {
    rules.start().layout.is_some_and(|layout| {
        let [white, _, black, _] = layout.pins();
        white.surface() != black.surface()
    })
}

/// Each board on the pin that its counterpart's becomes.
fn exchanged(layout: &Layout, boards: [usize; 4], pin: impl Fn(Pin) -> Pin) -> Option<Layout> {
    let pins = layout.pins();
    let there = boards.map(|board| pins.get(board).copied().map(&pin));
    let [a, b, c, d] = there;
    Layout::try_new([a?, b?, c?, d?]).ok()
}

/// The same pieces elsewhere; no castling.
fn seen(
    setup: &Setup,
    layout: Option<Layout>,
    square: impl Fn(Square) -> Square,
    color: impl Fn(Color) -> Color,
) -> Setup {
    let mut there = Setup::empty(layout);
    for (from, piece) in setup.pieces() {
        there.set_piece(
            square(from),
            Some(Piece::new(color(piece.color), piece.role)),
        );
    }
    there.turn = color(setup.turn);
    there.en_passant = setup.en_passant.map(&square);
    there.moved = setup.moved.into_iter().map(&square).collect();
    there.halfmoves = setup.halfmoves;
    there.fullmoves = setup.fullmoves;
    there
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Dice, random_game};
    use tridex_rules::Position;

    /// As many moves may be played, and to change chairs twice changes nothing.
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
                    // There are rules under which no one may castle at the start, and Black's start is not a position of them.
                    setup.fullmoves = 9;
                    let there = swapped(&setup, *rules).unwrap();
                    assert_eq!(swapped(&there, *rules).as_ref(), Some(&setup));
                    let there = Position::from_setup(*rules, &there).unwrap();
                    let moves = Position::from_setup(*rules, &setup).unwrap();
                    let moves = moves.legal_moves().len();
                    assert_eq!(
                        there.legal_moves().len(),
                        moves,
                        "{} {setup:?}",
                        rules.name()
                    );
                    if let Some(image) = mirrored(&setup) {
                        mirrors += 1;
                        assert_eq!(mirrored(&image).as_ref(), Some(&setup));
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
