//! Tables with their source; laws over random games are in the workspace's `tests/`.

use crate::{Position, RuleSystem, SetupError};

/// Numbers of an independent implementation of the same rulings.
const PERFT: [(RuleSystem, &[u64]); 5] = [
    (RuleSystem::Meder, &[1, 20, 400, 9_128, 207_888]),
    (RuleSystem::Manual, &[1, 18, 324, 7_640, 177_376]),
    (RuleSystem::Federation, &[1, 20, 400, 10_079, 249_519]),
    (RuleSystem::Millennium, &[1, 100, 9_992, 1_061_917]),
    (RuleSystem::Chess3, &[1, 76, 5_768, 477_120]),
];

#[test]
fn perft_from_the_start() {
    for (rules, counts) in PERFT {
        let start = Position::start(rules);
        for (depth, count) in (0..).zip(counts) {
            assert_eq!(start.perft(depth), *count, "{} {depth}", rules.name());
        }
    }
}

#[test]
fn keys_never_change() {
    let keys = RuleSystem::ALL
        .iter()
        .map(|rules| format!("{:016x}", Position::start(*rules).key()))
        .collect::<Vec<_>>();
    // A changed number here re-keys every collection in the world. Do not change it.
    let pinned = [
        "ebd7e05b9d72e1f2",
        "72471c6f13d6eb49",
        "6a4fbd7f189d2a46",
        "d620d6d96fe049df",
        "d620d6d96fe049df",
    ];
    assert_eq!(keys, pinned);
}

#[test]
fn a_setup_of_the_other_family_is_refused() {
    for (rules, other) in [
        (RuleSystem::Meder, RuleSystem::Millennium),
        (RuleSystem::Chess3, RuleSystem::Manual),
    ] {
        assert_eq!(
            Position::from_setup(rules, &other.start()),
            Err(SetupError::WrongFamily)
        );
    }
}

#[test]
fn every_start_survives_the_way_through_a_setup() {
    for rules in RuleSystem::ALL {
        let start = Position::start(*rules);
        assert_eq!(start.to_setup(), rules.start());
        assert_eq!(Position::from_setup(*rules, &start.to_setup()), Ok(start));
    }
}
