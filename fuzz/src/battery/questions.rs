//! Questions to a sound index, whose answers are known because the games are.

use super::{Bench, Row};
use crate::walk::{self, Made};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io;
use tridex_index::{
    GameId, GameIndex, Pattern, PositionMatch, PositionQuery, Query, SearchOptions, TextField,
};
use tridex_rules::random::Dice;
use tridex_rules::{Position, RuleSystem};

/// Bytes of the archive that is asked about.
const ARCHIVE: usize = 400_000;

/// One question in so many is a pattern, for which every position has to be looked at.
const PATTERNS: u32 = 400;

/// Numbers of games, and the plies at which what was looked for is first there, where that has one.
type Answer = BTreeMap<u32, Option<u32>>;

/// Asks an index.
pub fn rows(bench: &Bench<'_>) -> Vec<Row> {
    vec![bench.row("questions", || {
        let known = match Known::of(bench) {
            Ok(known) => known,
            Err(fault) => return Row::of("questions", [0], |_| Some(fault.to_string())),
        };
        Row::on_all_processors("questions", bench.cases(bench.size.questions), |case| {
            known.asked(bench.seed, case)
        })
    })]
}

/// An index and the games in it.
struct Known {
    index: GameIndex,
    numbers: HashMap<GameId, u32>,
    games: Vec<Made>,
    /// Games, and the plies at which they reach a position first.
    reached: HashMap<(RuleSystem, u64), Answer>,
}

impl Known {
    fn of(bench: &Bench<'_>) -> io::Result<Self> {
        let folder = bench.folder.join("questions");
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("games.pgn"), walk::archive(bench.seed, ARCHIVE))?;
        let run = bench
            .program
            .run(&folder, ["index", "games.pgn", "--index", "db"])?;
        if run.code != Some(0) {
            return Err(io::Error::other(
                String::from_utf8_lossy(&run.stderr).into_owned(),
            ));
        }
        let index = GameIndex::open(&folder.join("db")).map_err(io::Error::other)?;
        let mut numbers = HashMap::new();
        for id in index.ids() {
            numbers.insert(id, index.summary(id).map_err(io::Error::other)?.number);
        }
        let games: Vec<Made> = (0..numbers.len() as u64)
            .map(|number| walk::made(bench.seed, number))
            .collect();
        let mut reached: HashMap<(RuleSystem, u64), Answer> = HashMap::new();
        for (number, game) in (1..).zip(&games) {
            for (ply, position) in (0..).zip(game.positions()) {
                let answer = reached.entry((game.rules, position.key())).or_default();
                answer.entry(number).or_insert(Some(ply));
            }
        }
        Ok(Self {
            index,
            numbers,
            games,
            reached,
        })
    }

    /// One question; what is wrong with its answer.
    fn asked(&self, seed: u64, case: u64) -> Option<String> {
        let mut dice = Dice::nth(seed ^ 0xA5C, case);
        let (query, expected) = if dice.one_in(PATTERNS) {
            self.pattern(&mut dice)?
        } else {
            self.question(&mut dice, 0)
        };
        let found = match self.index.search(&query, &SearchOptions::default()) {
            Ok(found) => found,
            Err(fault) => return Some(format!("{query:?}: {fault}")),
        };
        let games: BTreeSet<u32> = found
            .hits
            .iter()
            .filter_map(|hit| self.numbers.get(&hit.id).copied())
            .collect();
        if games.len() as u64 != found.total || !games.iter().eq(expected.keys()) {
            let (there, right) = (games.len(), expected.len());
            return Some(format!(
                "{query:?}: {} hits, {there} games, right are {right}",
                found.total
            ));
        }
        // Of several parts any may say at which ply.
        let plain = matches!(query, Query::Position(_) | Query::Pattern(_));
        let ply_of = |id| {
            self.numbers
                .get(id)
                .and_then(|number| expected.get(number))
                .copied()
                .flatten()
        };
        let wrong = found
            .hits
            .iter()
            .find(|hit| plain && hit.ply != ply_of(&hit.id));
        wrong.map(|hit| {
            format!(
                "{query:?}: ply {:?}, right is {:?}",
                hit.ply,
                ply_of(&hit.id)
            )
        })
    }

    /// A question and its answer.
    fn question(&self, dice: &mut Dice, depth: u32) -> (Query, Answer) {
        match dice.below(if depth < 2 { 10 } else { 6 }) {
            0..3 => self.position(dice),
            3 => {
                let name = dice.below(60);
                let query = Query::text(TextField::White, &format!("w{name}"));
                (query, self.games(|game| game.white == format!("W{name}")))
            }
            4 => {
                let least = dice.below(120);
                let most = least + dice.below(40);
                let query = Query::Plies(Some(least), Some(most));
                (
                    query,
                    self.games(|game| (least..=most).contains(&(game.moves.len() as u32))),
                )
            }
            5 => {
                let rules = RuleSystem::ALL[dice.below(5) as usize % RuleSystem::ALL.len()];
                (Query::Rules(rules), self.games(|game| game.rules == rules))
            }
            6 => {
                let (query, answer) = self.question(dice, depth + 1);
                let mut others = self.games(|_| true);
                others.retain(|number, _| !answer.contains_key(number));
                (Query::Not(Box::new(query)), others)
            }
            7 => {
                let (a, mut all) = self.question(dice, depth + 1);
                let (b, more) = self.question(dice, depth + 1);
                for (number, ply) in more {
                    all.entry(number).or_insert(ply);
                }
                (Query::Or(vec![a, b]), all)
            }
            _ => {
                let (a, mut both) = self.question(dice, depth + 1);
                let (b, other) = self.question(dice, depth + 1);
                both.retain(|number, _| other.contains_key(number));
                (Query::And(vec![a, b]), both)
            }
        }
    }

    fn games(&self, wanted: impl Fn(&Made) -> bool) -> Answer {
        let games = (1..).zip(&self.games);
        games
            .filter(|(_, game)| wanted(game))
            .map(|(number, _)| (number, None))
            .collect()
    }

    /// A position of some game, or one move beside it.
    fn position(&self, dice: &mut Dice) -> (Query, Answer) {
        let game = &self.games[dice.below(self.games.len() as u32) as usize];
        let mut position = Position::start(game.rules);
        for m in game
            .moves
            .iter()
            .take(dice.below(game.moves.len() as u32 + 1) as usize)
        {
            position.play_unchecked(*m);
        }
        let moves = position.legal_moves();
        if dice.one_in(5) && !moves.is_empty() {
            position.play_unchecked(moves[dice.below(moves.len() as u32) as usize]);
        }
        let answer = self.reached.get(&(game.rules, position.key()));
        let query = PositionQuery::of_position(&position, PositionMatch::Exact).into();
        (query, answer.cloned().unwrap_or_default())
    }

    /// A pattern, looked for in every position.
    fn pattern(&self, dice: &mut Dice) -> Option<(Query, Answer)> {
        let files = ["a", "b", "c", "d"];
        let piece = ["N", "k", "p", "Q", "A", "a"][dice.below(6) as usize];
        let square = format!("{}{}", files[dice.below(4) as usize], 1 + dice.below(8));
        let places = ["1", "2", "3", "W", "B", "ql", "Q1v", "KP12"];
        let place = places[dice.below(8) as usize];
        let sign = ["=", "!=", "<", "<=", ">", ">="][dice.below(6) as usize];
        let text = match dice.below(6) {
            4 => format!("{piece}@{place}{sign}{}", dice.below(4)),
            5 => format!(
                "QL@{} and {piece}@{place}{sign}1",
                ["Q1v", "QP3", "K2"][dice.below(3) as usize]
            ),
            0 => format!("{piece}@{square}"),
            1 => format!("check and {piece}@{square}"),
            2 => format!(
                "not p>={} and ply {}..80",
                1 + dice.below(8),
                dice.below(60)
            ),
            _ => format!("Q=0 or {piece}@{square} and white to move"),
        };
        let pattern = Pattern::parse(&text).ok()?;
        let mut answer = Answer::new();
        for (number, game) in (1..).zip(&self.games) {
            let first = (0..)
                .zip(game.positions())
                .find(|(ply, position)| pattern.matches(position, *ply));
            if let Some((ply, _)) = first {
                answer.insert(number, Some(ply));
            }
        }
        Some((Query::Pattern(pattern), answer))
    }
}
