//! Games with one slip each, or with several, read and repaired: how many come back, how many are reported, how many are another game.
//!
//! ```sh
//! cargo run --release -p tridex-replay --example scan -- --games 1000 --seed 1
//! ```
//!
//! With `--slips 2` or more every game has this many; the rows are of the first. `--show FATE` prints every sheet that had this fate.
#![allow(missing_docs)]

mod judge;
mod slips;

use judge::Table;
use rayon::prelude::*;
use slips::Kind;
use tridex_notation::Notation;
use tridex_rules::RuleSystem;

fn main() -> Result<(), String> {
    let (mut games, mut seed, mut slips, mut show) = (1000, 1, 1, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments
            .next()
            .ok_or_else(|| format!("{name} takes a value"))?;
        let number = || {
            value
                .parse::<u64>()
                .map_err(|fault| format!("{name}: {fault}"))
        };
        match name.as_str() {
            "--games" => games = number()?,
            "--seed" => seed = number()?,
            "--slips" => slips = number()?.max(1),
            "--show" => show = Some(value),
            _ => {
                return Err(format!(
                    "--games N, --seed N, --slips N or --show FATE, not {name}"
                ));
            }
        }
    }
    let mut all = Table::default();
    for rules in RuleSystem::ALL {
        for notation in Notation::ALL {
            if notation.family() != rules.family() {
                continue;
            }
            let table = (0..games)
                .into_par_iter()
                .map(|index| judge::scan(*rules, notation, seed, index, slips))
                .reduce(Table::default, Table::join);
            let summary = table.summary(&Kind::ALL);
            eprintln!("{} in {}: {summary}", rules.name(), notation.name());
            all = all.join(table);
        }
    }
    if let Some(fate) = show {
        for (_, example) in all.examples.iter().filter(|(f, _)| f.name() == fate) {
            println!("{example}");
        }
    }
    print!("{}", all.text(&Kind::ALL));
    Ok(())
}
