//! The example `scan`, small: what it counts has to stay above its goals.

#[path = "../examples/scan/judge.rs"]
mod judge;
#[path = "../examples/scan/slips.rs"]
mod slips;

use judge::{Fate, Table};
use rayon::prelude::*;
use slips::Kind;
use tridex_notation::Notation;
use tridex_rules::RuleSystem;

/// Games of each system in each notation: two of each kind of slip.
const GAMES: u64 = 24;

/// The results of a number of games with a number of slips each.
fn scan(games: u64, slips: u64) -> Table {
    let boards = RuleSystem::ALL.iter().flat_map(|rules| {
        let own = move |notation: &Notation| notation.family() == rules.family();
        let notations = Notation::ALL.into_iter().filter(own);
        notations.map(move |notation| (*rules, notation))
    });
    let boards: Vec<(RuleSystem, Notation)> = boards.collect();
    boards
        .into_par_iter()
        .flat_map(|(rules, notation)| {
            (0..games)
                .into_par_iter()
                .map(move |index| (rules, notation, index))
        })
        .map(|(rules, notation, index)| judge::scan(rules, notation, 7, index, slips))
        .reduce(Table::default, Table::join)
}

#[test]
fn one_slip_in_a_sheet_is_set_right_or_told_of() {
    let table = scan(GAMES, 1);
    let text = table.text(&Kind::ALL);
    let count = |fate| table.count(&Kind::ALL, fate);
    let all: u32 = Fate::ALL.into_iter().map(count).sum();
    assert_eq!(all, 240, "{}", table.summary(&Kind::ALL));
    assert_eq!(count(Fate::Silent), 0, "{text}");
    assert!(count(Fate::WronglyRepaired) <= 2, "{text}");
    assert!(table.unique_restored * 100 >= table.unique * 90, "{text}");
    assert!(count(Fate::Restored) >= 180, "{text}");
    let rest = count(Fate::Listed) + count(Fate::Here) + count(Fate::Elsewhere);
    assert!(count(Fate::Listed) * 100 >= rest * 80, "{text}");
    // Of a lone character that is wrong nearly all come back.
    let characters = [Kind::Doubled, Kind::Misread, Kind::Swapped];
    let restored = table.count(&characters, Fate::Restored);
    assert!(restored >= 55, "{text}");
}

#[test]
fn two_slips_in_a_sheet_are_seldom_another_game() {
    let table = scan(2 * GAMES, 2);
    let text = table.text(&Kind::ALL);
    let count = |fate| table.count(&Kind::ALL, fate);
    let all: u32 = Fate::ALL.into_iter().map(count).sum();
    assert!(all >= 470, "{text}");
    assert_eq!(count(Fate::Silent), 0, "{text}");
    assert!(count(Fate::WronglyRepaired) <= 3, "{text}");
    assert!(table.repairs >= 200, "{text}");
    // Where one slip alone is supposed it is one in seven.
    assert!(count(Fate::Restored) >= 190, "{text}");
}
