//! Pairs of score sheets of one game, each with its own slips, reconciled: how many games come back.
//!
//! ```sh
//! cargo run --release -p tridex-replay --example reconcile -- --games 1000 --seed 1
//! ```
//!
//! Each player makes a slip in 4 of 100 plies (`--slips` in 1,000), and in 4 of 10 pairs one of them stops up to 15
//! plies early. `--sheets 3` adds a third record. `--show FATE` prints every pair that had this fate.
#![allow(missing_docs)]

#[expect(dead_code, reason = "the other example makes more kinds of slips")]
#[path = "scan/slips.rs"]
mod slips;

use rayon::prelude::*;
use slips::{Kind, slip};
use std::collections::BTreeMap;
use std::time::Instant;
use tridex_archive::{Game, Limits, game, pgn};
use tridex_notation::Notation;
use tridex_replay::generate::Recipe;
use tridex_replay::reconcile::{PlyReading, reconcile};
use tridex_replay::{Options, replay};
use tridex_rules::RuleSystem;
use tridex_rules::random::Dice;

/// What became of a pair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Fate {
    /// The game that was played, with nothing undecided.
    Exact,
    /// The game that was played, with plies that are undecided.
    ExactMarked,
    /// Another game, but every ply that differs is undecided and has the move that was played among its readings.
    Listed,
    /// Another game, and every ply that differs is undecided, but not all of them list the move that was played.
    Unlisted,
    /// Another game, and a ply that differs is decided: it is wrong without a mark.
    Unmarked,
    /// No game.
    Refused,
}

impl Fate {
    const ALL: [Self; 6] = [
        Self::Exact,
        Self::ExactMarked,
        Self::Listed,
        Self::Unlisted,
        Self::Unmarked,
        Self::Refused,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::ExactMarked => "exact-marked",
            Self::Listed => "listed",
            Self::Unlisted => "unlisted",
            Self::Unmarked => "unmarked",
            Self::Refused => "refused",
        }
    }
}

#[derive(Default)]
struct Table {
    fates: BTreeMap<Fate, u32>,
    marks: usize,
    /// Pairs listed whose moves cost as much as those that were chosen.
    ties: u32,
    plies: usize,
    micros: Vec<u128>,
    examples: Vec<(Fate, String)>,
}

impl Table {
    fn join(mut self, other: Self) -> Self {
        for (fate, count) in other.fates {
            *self.fates.entry(fate).or_default() += count;
        }
        self.marks += other.marks;
        self.ties += other.ties;
        self.plies += other.plies;
        self.micros.extend(other.micros);
        self.examples.extend(other.examples);
        self
    }

    fn row(&self, name: &str) -> String {
        let all: u32 = self.fates.values().sum();
        let percent = |fates: &[Fate]| {
            let count: u32 = fates.iter().filter_map(|fate| self.fates.get(fate)).sum();
            format!("{:.1} %", 100.0 * f64::from(count) / f64::from(all.max(1)))
        };
        let counts = Fate::ALL.map(|fate| self.fates.get(&fate).copied().unwrap_or(0).to_string());
        let exact = percent(&[Fate::Exact, Fate::ExactMarked]);
        let listed = percent(&[Fate::Exact, Fate::ExactMarked, Fate::Listed]);
        let mut micros = self.micros.clone();
        micros.sort_unstable();
        let at = |share: usize| micros.get(micros.len() * share / 100).copied().unwrap_or(0) as f64;
        format!(
            "| {name} | {} | {exact} | {listed} | {} | {:.1} | {:.1} / {:.1} |\n",
            counts.join(" | "),
            self.ties,
            self.marks as f64 / f64::from(all.max(1)),
            at(50) / 1000.0,
            at(99) / 1000.0,
        )
    }
}

/// How the sheets are made.
#[derive(Clone, Copy)]
struct Plan {
    seed: u64,
    /// Slips in 1,000 plies.
    slips: u32,
    sheets: usize,
}

fn main() -> Result<(), String> {
    let (mut games, mut show, mut only) = (1000, None, None);
    let mut plan = Plan {
        seed: 1,
        slips: 40,
        sheets: 2,
    };
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
            "--seed" => plan.seed = number()?,
            "--slips" => plan.slips = number()? as u32,
            "--sheets" => plan.sheets = number()?.clamp(2, 3) as usize,
            "--rules" => only = RuleSystem::from_name(&value),
            "--show" => show = Some(value),
            _ => {
                return Err(format!(
                    "--games N, --seed N, --slips N, --sheets N, --rules SYSTEM or --show FATE, not {name}"
                ));
            }
        }
    }
    let names = Fate::ALL.map(Fate::name).join(" | ");
    println!(
        "| rules | {names} | restored | restored or listed | ties | plies marked | ms, median / 99 % |"
    );
    println!("|---|{}", "---:|".repeat(Fate::ALL.len() + 5));
    let mut all = Table::default();
    for rules in RuleSystem::ALL {
        if only.is_some_and(|only| only != *rules) {
            continue;
        }
        let table = (0..games)
            .into_par_iter()
            .map(|index| try_pair(*rules, plan, index))
            .reduce(Table::default, Table::join);
        print!("{}", table.row(rules.name()));
        all = all.join(table);
    }
    print!("{}", all.row("all"));
    if let Some(fate) = show {
        for (_, example) in all.examples.iter().filter(|(f, _)| f.name() == fate) {
            println!("{example}\n");
        }
    }
    Ok(())
}

/// A kind of slip. Characters, levels, pieces, omitted and exchanged moves are equally frequent.
fn kind(dice: &mut Dice) -> Kind {
    const CHARACTERS: [Kind; 4] = [Kind::NextKey, Kind::Misread, Kind::Doubled, Kind::Swapped];
    match dice.below(6) {
        0 => CHARACTERS[dice.below(4) as usize],
        1 => Kind::Missing,
        2 => Kind::Level,
        3 => Kind::Piece,
        4 if dice.one_in(2) => Kind::MovesExchanged,
        4 => Kind::OfOnePlayer,
        _ => Kind::MissingMove,
    }
}

/// A sheet with its slips, up to `end`.
fn sheet(notation: Notation, tokens: &[String], end: usize, plan: Plan, dice: &mut Dice) -> String {
    let mut kinds = Vec::new();
    for _ in 0..end {
        if dice.below(1000) < plan.slips {
            kinds.push(kind(dice));
        }
    }
    let mut text = None;
    while text.is_none() {
        text = slip(&kinds, notation, &tokens[..end], dice);
        kinds.pop();
    }
    let text = text.map(|slipped| slipped.text).unwrap_or_default();
    // On half of the sheets the numbers are printed, so they show where a move was omitted. On the others they run on.
    if dice.one_in(2) {
        return text;
    }
    let moves = text.split(' ').filter(|word| {
        let number = word.strip_suffix('.');
        !number.is_some_and(|number| number.bytes().all(|sign| sign.is_ascii_digit()))
    });
    let numbered = moves.enumerate().map(|(ply, word)| match ply % 2 {
        0 => format!("{}. {word}", ply / 2 + 1),
        _ => word.to_owned(),
    });
    numbered.collect::<Vec<_>>().join(" ")
}

/// The first game of a text.
fn read(text: &str) -> Option<Game<'static>> {
    let limits = Limits::default();
    let games = game::collect(|reader| pgn::read_games(text.as_bytes(), 0, &limits, reader));
    games.into_iter().next()
}

fn try_pair(rules: RuleSystem, plan: Plan, index: u64) -> Table {
    let mut dice = Dice::nth(plan.seed ^ 0x7265_636f, index);
    let recipe = Recipe::new(rules, plan.seed);
    let game = recipe.game(index);
    let truth = replay(&game, &Options::default());
    let notation = Notation::of(rules);
    let tokens: Vec<String> = game
        .main_line()
        .map(|(text, _)| text.into_owned())
        .collect();
    let mut ends = vec![tokens.len(); plan.sheets];
    if dice.below(10) < 4 {
        let early = dice.below(16) as usize;
        let who = dice.below(plan.sheets as u32) as usize;
        ends[who] = tokens.len().saturating_sub(early).max(1);
    }
    let texts: Vec<String> = ends
        .iter()
        .map(|end| {
            let text = sheet(notation, &tokens, *end, plan, &mut dice);
            format!(
                "[Variant \"{}\"]\n[Notation \"{}\"]\n\n{text} *\n",
                rules.name(),
                notation.name()
            )
        })
        .collect();
    let games: Option<Vec<Game<'static>>> = texts.iter().map(|text| read(text)).collect();
    let mut table = Table::default();
    let Some(games) = games else {
        return table;
    };
    let games: Vec<&Game<'_>> = games.iter().collect();
    let started = Instant::now();
    let found = reconcile(&games, &Options::default());
    table.micros.push(started.elapsed().as_micros());
    let mut wrong = String::new();
    let fate = match found {
        Err(why) => {
            wrong = why.to_string();
            Fate::Refused
        }
        Ok(found) => {
            table.plies = found.plies().len();
            table.marks = found.plies().iter().filter(|ply| !ply.is_decided()).count();
            let is_same = found.moves() == truth.moves();
            let mut is_tie = true;
            let mut is_listed = found.plies().len() == truth.moves().len();
            // A game that is too short, or too long, is marked if a ply that differs is, or the last one.
            let last = found.plies().last();
            let mut is_marked = is_listed || last.is_some_and(|last| !last.is_decided());
            let mut differs = false;
            for (ply, (own, meant)) in found.plies().iter().zip(truth.moves()).enumerate() {
                if own.mv != *meant {
                    let readings: Vec<&str> =
                        own.readings.iter().map(|r| r.text.as_str()).collect();
                    wrong.push_str(&format!(
                        "ply {}: {} of {readings:?}, not {}; ",
                        ply + 1,
                        own.text,
                        tokens[ply]
                    ));
                    let text = tokens[ply].trim_end_matches(['+', '#']);
                    let is_it =
                        |reading: &&PlyReading| reading.mv == *meant || reading.text == text;
                    let mut meant = own.readings.iter().filter(is_it);
                    let meant = meant.next();
                    is_listed &= meant.is_some();
                    // After a ply that differs, the same text may be another move.
                    let is_same = differs && own.text == text;
                    is_marked = (is_marked || !differs) && (is_same || !own.is_decided());
                    differs = true;
                    is_tie &= meant.is_some_and(|meant| meant.cost == 0);
                }
            }
            table.ties = u32::from(!is_same && is_listed && is_tie);
            match (is_same, is_listed, is_marked) {
                (true, ..) if found.is_decided() => Fate::Exact,
                (true, ..) => Fate::ExactMarked,
                (false, true, _) => Fate::Listed,
                (false, false, true) => Fate::Unlisted,
                (false, false, false) => Fate::Unmarked,
            }
        }
    };
    *table.fates.entry(fate).or_default() += 1;
    if fate != Fate::Exact {
        let meant = tokens.join(" ");
        let example = format!(
            "{} {index}: {wrong}\n{meant}\n{}",
            rules.name(),
            texts.join("")
        );
        table.examples.push((fate, example));
    }
    table
}
