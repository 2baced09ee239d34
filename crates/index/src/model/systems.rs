//! The numbers of the rule systems on disk, and the start of their games.

use crate::model::signature::counts;
use std::sync::LazyLock;
use tridex_rules::{Placement, Position, RuleSystem, Setup};

/// The version of the rules that an index was built with. It must be raised when a change of the rules alters what a
/// packed game means or which positions it reaches. A test of this module notices most such changes.
pub const RULES_VERSION: u32 = 1;

/// The number of rule systems for which there are numbers on disk. These have three bits, and the greatest once meant a
/// deleted game.
pub(crate) const MOST_SYSTEMS: u8 = 7;

/// The start of games under a rule system.
#[derive(Debug)]
pub(crate) struct Start {
    /// The number of the system on disk.
    pub(crate) code: u8,
    pub(crate) rules: RuleSystem,
    pub(crate) position: Position,
    /// The key of the position, stored because computing it is slow.
    pub(crate) key: u64,
    pub(crate) board: Placement,
    /// The number of pieces of each kind, by colour.
    pub(crate) counts: [[u8; 5]; 2],
}

/// The starts, indexed by the number of the system.
static STARTS: LazyLock<[Option<Start>; MOST_SYSTEMS as usize]> = LazyLock::new(|| {
    std::array::from_fn(|code| {
        let mut systems = RuleSystem::ALL.iter().copied();
        let rules = systems.find(|rules| usize::from(rules.facts().number) == code)?;
        let position = Position::start(rules);
        let board = position.placement();
        Some(Start {
            code: rules.facts().number,
            rules,
            key: position.key(),
            counts: counts(&board),
            position,
            board,
        })
    })
});

/// The start of games under the system with this number on disk.
#[inline]
pub(crate) fn start(code: u8) -> Option<&'static Start> {
    STARTS.get(usize::from(code))?.as_ref()
}

/// The number of a system on disk.
pub(crate) const fn code(rules: RuleSystem) -> u8 {
    rules.facts().number
}

/// The placement of a setup whose rules are not known. Any system on its board gives the same one, since rules affect
/// only castling.
pub(crate) fn placement(setup: &Setup) -> Placement {
    let mut systems = RuleSystem::ALL.iter().copied();
    let known = systems.find(|rules| rules.family() == setup.family());
    known.unwrap_or_default().placement(setup)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::entry::hash;
    use crate::testing::{Dice, random_game};

    #[test]
    fn every_system_has_a_number() {
        for rules in RuleSystem::ALL {
            assert_eq!(start(code(*rules)).map(|s| s.rules), Some(*rules));
        }
        // Indices on disk contain these numbers, so they must never change.
        let numbers = ["meder", "manual", "federation", "millennium", "chess3"];
        for (number, name) in (0..).zip(numbers) {
            assert_eq!(start(number).map(|s| s.rules.name()), Some(name));
        }
    }

    /// Pins the keys of all positions of a few games. If this fails, games reach other positions than before: raise
    /// [`RULES_VERSION`], so that existing indices are rebuilt, and pin the new numbers. A new
    /// [`KEY_VERSION`](tridex_rules::KEY_VERSION) alone also changes these numbers, but nothing that is stored.
    #[test]
    fn games_pass_the_positions_they_always_did() {
        let pinned = [
            "89368f570cd85306",
            "70e0fbf43cd76a9a",
            "7e20e14cd3228885",
            "3dc520c58e667aea",
            "9ad3727d7aa0dad4",
        ];
        let found: Vec<_> = RuleSystem::ALL
            .iter()
            .map(|rules| {
                let mut keys = Vec::new();
                for seed in 0..20 {
                    let mut position = Position::start(*rules);
                    for m in random_game(*rules, 100, &mut Dice::new(seed)) {
                        position.play_unchecked(m);
                        keys.extend_from_slice(&position.key().to_le_bytes());
                    }
                }
                format!("{:016x}", hash(&keys))
            })
            .collect();
        assert_eq!(
            (RULES_VERSION, found.as_slice()),
            (1, pinned.map(String::from).as_slice())
        );
    }
}
