//! Material: which pieces the sides have, and for how long.

use crate::model::signature::{COUNTED, Signature};
use crate::query::parsing::{blanks, keyword, positive, range, whole};
use crate::query::symmetry::Symmetry;
use crate::query_error::QueryError;
use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{anychar, char};
use nom::combinator::{cut, map_opt, opt, success, value};
use nom::multi::fold_many1;
use nom::sequence::preceded;
use tridex_grammar::{Parsed, expected};
use tridex_rules::{Color, Placement, Role};

/// A balance of material: `KQR:KRB` is king, queen and rook against king, rook and bishop, and nothing else.
///
/// A number after a letter is a count (`P3`). A range is the smallest and the greatest count (`P1..3`, `P2..`). `*` is
/// any count (`P*`). A repeated letter counts each time. Kings may be omitted. `for 10` means that the balance lasts
/// ten plies, that is, holds in ten positions in a row. The grammar is in `grammars/pattern.ebnf`.
///
/// ```
/// use tridex_index::Material;
/// let material = Material::parse("KRP1..3:KRP* for 10")?;
/// assert_eq!(material.plies(), 10);
/// # Ok::<(), tridex_index::QueryError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Material {
    /// The smallest and the greatest count by colour and kind, without kings.
    bounds: [[(u32, u32); 5]; 2],
    plies: u32,
}

impl Material {
    /// Parses a balance of material.
    ///
    /// # Errors
    /// Returns the place of the first thing that is not understood.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        whole(text, material, "a piece, a colon, for, or the end")
            .map_err(|error| error.of("the material"))
    }

    /// The number of plies for which the balance must last.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// The same balance, lasting at least this number of plies.
    ///
    /// ```
    /// use tridex_index::Material;
    /// let material = Material::parse("KQ:KR for 4")?;
    /// assert_eq!(material.clone().lasting(10).plies(), 10);
    /// assert_eq!(material.lasting(2).plies(), 4);
    /// # Ok::<(), tridex_index::QueryError>(())
    /// ```
    #[must_use]
    pub fn lasting(self, plies: u32) -> Self {
        Self {
            plies: self.plies.max(plies),
            ..self
        }
    }

    /// The balance after a symmetry. Only [`Symmetry::Swap`] changes it, by exchanging the colours.
    #[must_use]
    pub fn seen(&self, symmetry: Symmetry) -> Self {
        let mut there = self.clone();
        if symmetry == Symmetry::Swap {
            there.bounds.reverse();
        }
        there
    }

    /// Whether a position has the balance.
    pub(crate) fn holds(&self, at: &Placement) -> bool {
        self.all(|color, role, (least, most)| {
            (least..=most).contains(&at.pieces(color, role).count())
        })
    }

    /// Whether a game with this signature may have the balance. Never wrongly false.
    pub(crate) fn may_hold(&self, signature: &Signature) -> bool {
        signature.plies + 1 >= self.plies
            && self.all(|color, role, (least, most)| {
                let (fewest, greatest) = signature.counts(color, role);
                fewest <= most && greatest >= least
            })
    }

    /// Whether `is_true` holds for the bounds of every kind of piece.
    fn all(&self, is_true: impl Fn(Color, Role, (u32, u32)) -> bool) -> bool {
        Color::ALL.into_iter().all(|color| {
            let mut bounds = COUNTED.into_iter().zip(self.bounds[color as usize]);
            bounds.all(|(role, bounds)| is_true(color, role, bounds))
        })
    }
}

pub(crate) fn material(input: &str) -> Parsed<&str, Material> {
    let colon = expected("a piece or a colon", char(':'));
    let number = expected("a number of plies, 1 at least", positive);
    let lasting = preceded((blanks, keyword("for"), blanks), cut(number));
    (
        side,
        preceded(blanks, colon),
        preceded(blanks, side),
        opt(lasting),
    )
        .map(|(white, _, black, plies)| Material {
            bounds: [white, black],
            plies: plies.unwrap_or(1),
        })
        .parse(input)
}

pub(crate) fn side(input: &str) -> Parsed<&str, [(u32, u32); 5]> {
    let role = map_opt(anychar, Role::from_letter);
    let add = |mut bounds: [(u32, u32); 5], (role, (least, most)): (Role, (u32, u32))| {
        let known = COUNTED.iter().position(|kind| *kind == role);
        if let Some(bound) = known.and_then(|kind| bounds.get_mut(kind)) {
            *bound = (bound.0.saturating_add(least), bound.1.saturating_add(most));
        }
        bounds
    };
    let pieces = fold_many1((role, amount), Default::default, add);
    expected("a piece (K Q R B N P)", pieces).parse(input)
}

pub(crate) fn amount(input: &str) -> Parsed<&str, (u32, u32)> {
    let bounds = range.map(|(from, to)| (from.unwrap_or(0), to.unwrap_or(u32::MAX)));
    let any = value((0, u32::MAX), char('*'));
    alt((any, bounds, success((1, 1)))).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::systems;
    use tridex_rules::RuleSystem;

    #[test]
    fn amounts_are_read_as_they_are_meant() {
        for (text, start) in [
            ("KQR2B2N2P8:KQRRBBNNP8", true),
            ("QRRBBNNPPPPPPPP:QR*B*N*P*", true),
            ("KQ0..1R1..B..2N*P8:kqr2b2n2p8", true),
            ("KQR:KRB", false),
            ("KQR2B2N2P7:KQR2B2N2P8", false),
        ] {
            let material = Material::parse(text).unwrap();
            let at = &systems::start(systems::code(RuleSystem::Millennium))
                .unwrap()
                .board;
            assert_eq!(material.holds(at), start, "{text}");
        }
        for (text, offset) in [
            ("KQ", 2),
            ("KQ:", 3),
            (":KQ", 0),
            ("KX:K", 1),
            ("KQ:K for", 8),
            ("KQ:K for 0", 9),
            ("KP3..1:K", 2),
            ("KQ:K:K", 4),
            ("", 0),
        ] {
            assert_eq!(
                Material::parse(text).map_err(|e| e.span.start),
                Err(offset),
                "{text}"
            );
        }
    }
}
