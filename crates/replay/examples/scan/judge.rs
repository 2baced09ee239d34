//! What became of a sheet with its slips.

use crate::slips::{Kind, Slipped, slip};
use std::borrow::Cow;
use std::collections::BTreeMap;
use tridex_archive::container::Container;
use tridex_archive::split::Splitter;
use tridex_archive::{Game, Limits};
use tridex_notation::Notation;
use tridex_notation::resolve::candidates;
use tridex_replay::finding::{Code, Finding, Severity, Status};
use tridex_replay::generate::Recipe;
use tridex_replay::{Options, Replay, each, repair_game, replay};
use tridex_rules::random::Dice;
use tridex_rules::{Move, RuleSystem};

/// What became of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Fate {
    /// The game that was played, whether the slip was read over or repaired.
    Restored,
    /// Not changed; the slip is reported where it is, and what was meant is in the list.
    Listed,
    /// Not changed; a finding is where the slip is, without what was meant.
    Here,
    /// Not changed; the finding is elsewhere.
    Elsewhere,
    /// What was written is itself another game, legal to the letter: it cannot be known. Of several slips: one of those
    /// that were left so.
    Legal,
    /// Another game by a repair, which is reported.
    WronglyRepaired,
    /// Another game, and not a word.
    Silent,
}

impl Fate {
    pub(crate) const ALL: [Self; 7] = [
        Self::Restored,
        Self::Listed,
        Self::Here,
        Self::Elsewhere,
        Self::Legal,
        Self::WronglyRepaired,
        Self::Silent,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Restored => "restored",
            Self::Listed => "listed",
            Self::Here => "here",
            Self::Elsewhere => "elsewhere",
            Self::Legal => "legal",
            Self::WronglyRepaired => "wrong",
            Self::Silent => "silent",
        }
    }
}

/// Counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) fates: BTreeMap<(Kind, Fate), u32>,
    /// Sheets with exactly one reading of least cost, and those of them restored.
    pub(crate) unique: u32,
    pub(crate) unique_restored: u32,
    /// Repairs.
    pub(crate) repairs: u32,
    /// Examples of what went wrong.
    pub(crate) examples: Vec<(Fate, String)>,
}

impl Table {
    pub(crate) fn join(mut self, other: Self) -> Self {
        for (key, count) in other.fates {
            *self.fates.entry(key).or_default() += count;
        }
        self.unique += other.unique;
        self.unique_restored += other.unique_restored;
        self.repairs += other.repairs;
        self.examples.extend(other.examples);
        self
    }

    pub(crate) fn count(&self, kinds: &[Kind], fate: Fate) -> u32 {
        let of = |kind: &Kind| self.fates.get(&(*kind, fate)).copied().unwrap_or(0);
        kinds.iter().map(of).sum()
    }

    /// How many had each fate, in one line.
    pub(crate) fn summary(&self, kinds: &[Kind]) -> String {
        let counts = Fate::ALL.map(|fate| format!("{} {}", self.count(kinds, fate), fate.name()));
        counts.join(", ")
    }

    /// A row for each kind, the sum, and what share of what.
    pub(crate) fn text(&self, kinds: &[Kind]) -> String {
        let row = |name: &str, kinds: &[Kind]| {
            let counts = Fate::ALL.map(|fate| self.count(kinds, fate).to_string());
            format!("| {name} | {} |\n", counts.join(" | "))
        };
        let mut text = format!("| slip | {} |\n", Fate::ALL.map(Fate::name).join(" | "));
        text.push_str(&format!("|---|{}\n", "---:|".repeat(Fate::ALL.len())));
        for kind in kinds {
            text.push_str(&row(kind.name(), &[*kind]));
        }
        text.push_str(&row("all", kinds));
        let percent = |part: u32, whole: u32| 100.0 * f64::from(part) / f64::from(whole.max(1));
        let count = |fate| self.count(kinds, fate);
        text.push_str(&format!(
            "\n{} sheets have one reading of least cost; {} of them are restored, {:.1} %\n",
            self.unique,
            self.unique_restored,
            percent(self.unique_restored, self.unique)
        ));
        let wrong = count(Fate::WronglyRepaired);
        text.push_str(&format!(
            "{} repairs, {wrong} of them to another game, {:.2} %\n",
            self.repairs,
            percent(wrong, self.repairs)
        ));
        let listed = count(Fate::Listed);
        let rest = listed + count(Fate::Here) + count(Fate::Elsewhere);
        text.push_str(&format!(
            "{rest} are reported and not changed; {listed} of them with what was meant in the list, {:.1} %\n",
            percent(listed, rest)
        ));
        text
    }
}

/// Scans game `index` of a seed with this many slips, and adds the result.
pub(crate) fn scan(
    rules: RuleSystem,
    notation: Notation,
    seed: u64,
    index: u64,
    slips: u64,
) -> Table {
    let mut table = Table::default();
    let recipe = Recipe {
        notation,
        ..Recipe::new(rules, seed)
    };
    let game = recipe.game(index);
    let tokens: Vec<String> = game
        .main_line()
        .map(|(text, _)| text.into_owned())
        .collect();
    let mut dice = Dice::nth(seed ^ 0x0051_1950, index);
    let kind = Kind::ALL[index as usize % Kind::ALL.len()];
    // Those after the first are of any kind.
    let mut kinds = vec![kind];
    for _ in 1..slips {
        kinds.push(Kind::ALL[dice.below(Kind::ALL.len() as u32) as usize]);
    }
    let Some(slipped) = slip(&kinds, notation, &tokens, &mut dice) else {
        return table;
    };
    let truth = replay(&game, &Options::default());
    assert_eq!(truth.status(), Status::Valid, "a generated game is valid");
    let result = game.tag("Result").unwrap_or(Cow::Borrowed("*"));
    let text = format!(
        "[Result \"{result}\"]\n[Variant \"{}\"]\n[Notation \"{}\"]\n\n{} {result}\n",
        rules.name(),
        notation.name(),
        slipped.text
    );
    let (fate, taken) = judge(&text, &slipped, &tokens, truth.moves(), kind, &mut table);
    *table.fates.entry((kind, fate)).or_default() += 1;
    if matches!(
        fate,
        Fate::Silent | Fate::WronglyRepaired | Fate::Elsewhere | Fate::Here | Fate::Listed
    ) {
        let place = slipped.plies[0];
        let meant: Vec<&str> = slipped
            .plies
            .iter()
            .map(|ply| tokens[*ply].as_str())
            .collect();
        let example = format!(
            "{} in {} ({}), ply {} of {}, meant {}{taken}: {text}",
            rules.name(),
            notation.name(),
            kind.name(),
            place + 1,
            tokens.len(),
            meant.join(" ")
        );
        table.examples.push((fate, example));
    }
    table
}

/// What became of a sheet, and what was done to it.
fn judge(
    text: &str,
    slipped: &Slipped,
    tokens: &[String],
    truth: &[Move],
    kind: Kind,
    table: &mut Table,
) -> (Fate, String) {
    let options = Options::default();
    let Some((game, read)) = read_sheet(text, &options) else {
        return (Fate::Elsewhere, String::new());
    };
    let listed = read.findings().iter().flat_map(|found| &found.corrections);
    let least = listed.clone().map(|correction| correction.cost).min();
    let is_unique = listed.filter(|c| Some(c.cost) == least).count() == 1;
    let made = repair_game(&game, read.findings(), &options);
    let repaired = made.is_some();
    let after = made.map_or_else(|| read.clone(), |(_, after)| after);
    table.repairs += u32::from(repaired);
    table.unique += u32::from(is_unique);
    if after.is_whole() && after.moves() == truth {
        table.unique_restored += u32::from(is_unique);
        return (Fate::Restored, String::new());
    }
    if repaired {
        let suggested = read.findings().iter();
        let mut suggested = suggested.filter(|found| found.is_sure);
        let taken = suggested.find_map(|found| found.corrections.first());
        // Of several slips those that were put right may have been the ones that cannot be overlooked.
        let is_right = taken.is_some_and(|correction| {
            correction.changes.iter().all(|change| {
                let ply = (change.ply as usize).wrapping_sub(1);
                let meant = tokens.get(ply).filter(|_| slipped.plies.contains(&ply));
                meant.is_some_and(|meant| bare(meant) == bare(&change.text))
            })
        });
        let words = taken.map(|taken| format!(", {}: {}", taken.slip, taken.words()));
        let fate = if is_right {
            Fate::Legal
        } else {
            Fate::WronglyRepaired
        };
        return (fate, words.unwrap_or_default());
    }
    (
        unrepaired(text, slipped, tokens, truth, kind, &read),
        String::new(),
    )
}

/// What became of a sheet that was left as it is.
fn unrepaired(
    text: &str,
    slipped: &Slipped,
    tokens: &[String],
    truth: &[Move],
    kind: Kind,
    read: &Replay,
) -> Fate {
    if read.status() == Status::Valid {
        let strict = Options::default().strict(true);
        let strictly = read_sheet(text, &strict);
        return if strictly.is_some_and(|(_, read)| read.status() == Status::Valid) {
            Fate::Legal
        } else {
            Fate::Silent
        };
    }
    if is_listed(read, slipped, tokens, kind) || is_read_so(read, slipped, truth) {
        return Fate::Listed;
    }
    let told = |found: &Finding| found.severity != Severity::Info;
    let here = |found: &Finding| {
        let ply = (found.ply as usize).wrapping_sub(1);
        // A missing move is noticed at the move after it.
        let behind = usize::from(matches!(
            kind,
            Kind::MissingMove | Kind::MissingLine | Kind::Number
        ));
        found.code == Code::MoveNumber
            || slipped
                .plies
                .iter()
                .any(|slip| (*slip..=slip + behind).contains(&ply))
    };
    if read
        .findings()
        .iter()
        .any(|found| told(found) && here(found))
    {
        return Fate::Here;
    }
    Fate::Elsewhere
}

/// The first game of a sheet, and its findings.
fn read_sheet(text: &str, options: &Options) -> Option<(Game<'static>, Replay)> {
    let mut first = None;
    let limits = Limits::default();
    for batch in Splitter::with_batch_bytes(text.as_bytes(), Container::Pgn, limits, text.len()) {
        let batch = batch.ok()?;
        each(&batch, options, |played| {
            first.get_or_insert_with(|| (played.game().to_owned_game(), played.to_replay()));
        });
    }
    first
}

/// A move without its mark of check or mate.
fn bare(text: &str) -> &str {
    text.trim_end_matches(['+', '#'])
}

/// Whether what was meant is among what is listed.
fn is_listed(read: &Replay, slipped: &Slipped, tokens: &[String], kind: Kind) -> bool {
    let is_meant = |ply: usize, text: &str| {
        let ply = match kind {
            // The second move of a line that is missing is put in where the first is.
            Kind::MissingLine => None,
            _ => Some(ply),
        };
        slipped
            .plies
            .iter()
            .any(|slip| ply.is_none_or(|ply| ply == *slip) && bare(&tokens[*slip]) == bare(text))
    };
    read.findings().iter().any(|found| {
        let ply = (found.ply as usize).wrapping_sub(1);
        let mut listed = found.alternatives.iter().chain(&found.missing);
        let there = listed.any(|text| is_meant(ply, text));
        let corrected = found.corrections.iter().any(|correction| {
            let mut changes = correction.changes.iter();
            changes.all(|change| is_meant((change.ply as usize).wrapping_sub(1), &change.text))
        });
        there || corrected
    })
}

/// Whether what was meant is among the readings of what can be read in several ways, which are written in full.
fn is_read_so(read: &Replay, slipped: &Slipped, truth: &[Move]) -> bool {
    let mut position = read.start().clone();
    truth.iter().enumerate().any(|(ply, meant)| {
        let before = position.clone();
        position.play_unchecked(*meant);
        let found = read.findings().iter().filter(|found| {
            slipped.plies.contains(&ply) && (found.ply as usize).wrapping_sub(1) == ply
        });
        let mut readings = found.flat_map(|found| &found.alternatives);
        readings.any(|text| {
            let text = tridex_notation::parse(read.style().notation, text.as_bytes(), None);
            text.is_ok_and(
                |text| matches!(candidates(&text, &before)[..], [only] if only == *meant),
            )
        })
    })
}
