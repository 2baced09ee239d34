//! `deadpositions`: which men can mate, found by looking at every placement (ruling C8).

use crate::args::DeadpositionsArgs;
use crate::failure::{Exit, Failure};
use crate::output;
use rayon::prelude::*;
use std::io::Write;
use tridex_notation::position_string;
use tridex_rules::mating::Mates;
use tridex_rules::{Position, Role, RuleSystem};

/// What may stand beside a king, in the order of the tables.
const MEN: [Option<Role>; 6] = [
    None,
    Some(Role::Knight),
    Some(Role::Bishop),
    Some(Role::Rook),
    Some(Role::Queen),
    Some(Role::Pawn),
];

pub(crate) fn run(args: &DeadpositionsArgs) -> Result<Exit, Failure> {
    let mut out = output::stdout();
    for rules in RuleSystem::ALL {
        if args.rules.is_none_or(|wanted| wanted == *rules) {
            table(*rules, args.mates, &mut out)?;
        }
    }
    out.flush()?;
    Ok(Exit::Good)
}

/// Searches one system and prints what was found.
fn table(rules: RuleSystem, mates: bool, out: &mut impl Write) -> Result<(), Failure> {
    writeln!(
        out,
        "{}: can the side on the left mate the side above?",
        rules.name()
    )?;
    let names: Vec<String> = MEN.iter().map(|man| name(*man)).collect();
    writeln!(out, "{:<6}{}", "", columns(&names))?;
    let mut found = Vec::new();
    for with in MEN {
        let mut row = Vec::new();
        for against in MEN {
            let mate = with.and_then(|with| search(rules, with, against));
            row.push(if mate.is_some() { "mate" } else { "-" }.to_owned());
            found.push((with, against, mate));
        }
        writeln!(out, "{:<6}{}", name(with), columns(&row))?;
        out.flush()?;
    }
    // Mate must be impossible for both sides, also after either man has been taken. A pawn may become any man.
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
    writeln!(out, "nobody can mate: {}", dead.join(", "))?;
    if mates {
        for (with, against, mate) in &found {
            if let Some(mate) = mate {
                let line = position_string::to_string(&mate.to_setup());
                writeln!(out, "{} v {}: {line}", name(*with), name(*against))?;
            }
        }
    }
    writeln!(out)?;
    Ok(())
}

/// A mate, if there is one: the first, so that every run finds the same.
fn search(rules: RuleSystem, with: Role, against: Option<Role>) -> Option<Position> {
    let search = Mates::try_new(rules, with, against)?;
    (0..search.parts())
        .into_par_iter()
        .find_map_first(|part| search.find(part))
}

/// Each pair of men once, whoever has which.
fn pairs() -> impl Iterator<Item = (Option<Role>, Option<Role>)> {
    MEN.into_iter()
        .enumerate()
        .flat_map(|(i, white)| MEN.into_iter().take(i + 1).map(move |black| (white, black)))
}

/// King and man, `KN`.
fn name(man: Option<Role>) -> String {
    std::iter::once('K').chain(man.map(Role::letter)).collect()
}

fn columns(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:<6}")).collect();
    cells.concat().trim_end().to_owned()
}
