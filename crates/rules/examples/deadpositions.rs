//! Which pieces can mate, with at most one next to each king: all placements on all layouts (ruling dead-material).
//!
//! A game in which neither side can mate is drawn; this search is where the list of such endings comes from.
//!
//! ```text
//! cargo run --release -p tridex-rules --example deadpositions -- millennium
//! ```
//!
//! Without a rule system all five are searched.

#[path = "../tests/mating/search.rs"]
mod search;

use rayon::prelude::*;
use search::Mates;
use std::process::ExitCode;
use tridex_notation::Fen;
use tridex_rules::{Position, Role, RuleSystem};

/// The piece next to a king, in the order of the table.
const PIECES: [Option<Role>; 6] = [
    None,
    Some(Role::Knight),
    Some(Role::Bishop),
    Some(Role::Rook),
    Some(Role::Queen),
    Some(Role::Pawn),
];

/// The piece of the side that mates, that of the other side, and a mate if there is one.
type FoundMove = (Option<Role>, Option<Role>, Option<Position>);

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let named = names.iter().map(|name| RuleSystem::from_name(name));
    let Some(systems) = named.collect::<Option<Vec<_>>>() else {
        let known: Vec<&str> = RuleSystem::ALL.iter().map(|rules| rules.name()).collect();
        eprintln!("unknown rule system; expected {}", known.join(", "));
        return ExitCode::from(2);
    };
    let systems = match systems.as_slice() {
        [] => RuleSystem::ALL,
        systems => systems,
    };
    for rules in systems {
        print_table(*rules);
    }
    ExitCode::SUCCESS
}

/// Searches one system and prints the results.
fn print_table(rules: RuleSystem) {
    println!(
        "{}: can the side on the left mate the side above?",
        rules.name()
    );
    println!("{:<6}{}", "", columns(PIECES.map(name)));
    let mut found: Vec<FoundMove> = Vec::new();
    for with in PIECES {
        let row = PIECES.map(|against| {
            let mate = with.and_then(|with| search(rules, with, against));
            let cell = if mate.is_some() { "mate" } else { "-" };
            found.push((with, against, mate));
            cell.to_owned()
        });
        println!("{:<6}{}", name(with), columns(row));
    }
    // Mate must be impossible for both sides, also after either piece was captured. A pawn may become any piece.
    let mates_with = |with, against| {
        let cell = found.iter().find(|(w, a, _)| (*w, *a) == (with, against));
        cell.is_some_and(|(_, _, mate)| mate.is_some())
    };
    let alive = |white, black| {
        [white, black].contains(&Some(Role::Pawn))
            || [(white, black), (white, None), (black, white), (black, None)]
                .into_iter()
                .any(|(with, against)| mates_with(with, against))
    };
    let dead = pairs().filter(|(white, black)| !alive(*white, *black));
    let dead: Vec<String> = dead
        .map(|(white, black)| format!("{} v {}", name(white), name(black)))
        .collect();
    println!("no one can mate: {}", dead.join(", "));
    for (with, against, mate) in &found {
        if let Some(mate) = mate {
            let line = Fen::of(mate).to_string();
            println!("{} v {}: {line}", name(*with), name(*against));
        }
    }
    println!();
}

/// A mate, if there is one: the first, so that every run finds the same.
fn search(rules: RuleSystem, with: Role, against: Option<Role>) -> Option<Position> {
    let search = Mates::new(rules, with, against);
    (0..search.parts())
        .into_par_iter()
        .find_map_first(|part| search.find(part))
}

/// Each pair of pieces once, in one order.
fn pairs() -> impl Iterator<Item = (Option<Role>, Option<Role>)> {
    PIECES.into_iter().enumerate().flat_map(|(i, white)| {
        let upto = PIECES.into_iter().take(i + 1);
        upto.map(move |black| (white, black))
    })
}

/// King and piece, `KN`.
fn name(piece: Option<Role>) -> String {
    std::iter::once('K')
        .chain(piece.map(Role::letter))
        .collect()
}

fn columns(cells: [String; 6]) -> String {
    let cells = cells.map(|cell| format!("{cell:<6}"));
    cells.concat().trim_end().to_owned()
}
