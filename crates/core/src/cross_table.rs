//! Cross tables of tournaments: points, results against each other, ratings and tie-breaks.
//!
//! The games of one event make one table. Only tags and results count, so a game whose moves cannot be read counts too.

use crate::groups::{halves, known};
use serde::{Serialize, Serializer};
use std::cmp::Reverse;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use tridex_archive::GameResult;
use tridex_archive::date::Date;
use tridex_replay::Played;
use tridex_rules::RuleSystem;
use tridex_text::names::fold;

/// Names that tournament programs write for the missing opponent of a player who has a bye.
const BYES: [&str; 4] = ["bye", "spielfrei", "freilos", "exempt"];

/// The games of tournaments. It stores the names, the result and the round of every game.
#[derive(Clone, Debug, Default)]
pub struct CrossTables(BTreeMap<(Option<RuleSystem>, String), Vec<Pairing>>);

/// A game of a tournament.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Pairing {
    players: [Box<str>; 2],
    ratings: [Option<u16>; 2],
    result: GameResult,
    rules: RuleSystem,
    round: Box<str>,
    date: Option<Date>,
    plies: usize,
    /// A hash of the moves.
    moves: u64,
}

impl Pairing {
    fn of(game: &Played<'_>) -> Self {
        let tag = |name: &str| game.game().tag(name).unwrap_or_default();
        let name = |name: &str| Box::from(known(&tag(name)));
        let rating = |name: &str| tag(name).trim().parse().ok().filter(|rating| *rating > 0);
        let mut hasher = DefaultHasher::new();
        game.moves().hash(&mut hasher);
        Self {
            players: [name("White"), name("Black")],
            ratings: [rating("WhiteElo"), rating("BlackElo")],
            result: game.result(),
            rules: game.rules(),
            round: name("Round"),
            date: Date::parse(&tag("Date")).ok(),
            plies: game.moves().len(),
            moves: hasher.finish(),
        }
    }

    /// The order of the games: by round, then by date.
    fn order(&self) -> (Vec<u32>, &str, Option<Date>) {
        let parts = self.round.split('.').map(|part| part.trim().parse());
        // Rounds that are not numbers come last.
        let numbers = parts.collect::<Result<_, _>>();
        let numbers = numbers.unwrap_or_else(|_| vec![u32::MAX]);
        (numbers, &self.round, self.date)
    }
}

/// A player in a table. Fields are added, never renamed or dropped.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct Standing {
    /// The event; `?` if it is not known.
    pub event: String,
    /// The rule system, or `all` if the event has games of several.
    pub rules: &'static str,
    /// The rank, from 1. Players whose points and tie-breaks are equal share a rank.
    pub rank: usize,
    /// The player.
    pub player: String,
    /// The last known rating.
    pub rating: Option<u16>,
    /// The games with a result against other players.
    pub games: usize,
    /// How many the player won.
    pub won: usize,
    /// How many were drawn.
    pub drawn: usize,
    /// How many the player lost. Both may lose.
    pub lost: usize,
    /// The points of these games and of the byes.
    pub points: f64,
    /// The sum over all games of the player's points times the points of the opponent in the whole table.
    pub sonneborn_berger: f64,
    /// The sum over all games of the points of the opponent in the whole table.
    pub buchholz: f64,
    /// Games without a result, which do not count above.
    pub without_result: usize,
    /// Games with a result but without moves, such as forfeits. They count like all others.
    pub without_moves: usize,
    /// Byes, which count for the points only.
    pub byes: usize,
    /// Further records of the same games, which do not count.
    pub copies: usize,
    /// Every game, in the order of rounds and dates.
    #[serde(serialize_with = "as_list")]
    pub results: Vec<CrossResult>,
}

/// A game in the row of a player.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
pub struct CrossResult {
    /// The opponent; `None` for a bye.
    pub opponent: Option<String>,
    /// The number of the opponent's row in the table, from 1.
    pub row: Option<usize>,
    /// The player's color: `white` or `black`.
    pub color: &'static str,
    /// The player's points; `None` if the game has no result.
    pub points: Option<f64>,
    /// Whether the record has moves.
    pub has_moves: bool,
    /// The round; `?` if it is not known.
    pub round: String,
}

fn as_list<S: Serializer>(results: &[CrossResult], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(results)
}

impl CrossResult {
    /// The result as a sign: `1`, `½`, `0`, `*` without a result, and `+`, `=`, `-` for a game without moves.
    ///
    /// ```
    /// # use tridex_core::{Archives, Cancel, RunEvent};
    /// let archives = Archives::new(["../../corpus/games/meder"]);
    /// let tables = archives.cross_tables(false, &Cancel::default(), |_| Ok(()))?;
    /// let results = tables.standings().into_iter().flat_map(|standing| standing.results);
    /// assert!(results.map(|result| result.sign()).all(|sign| "10½*+=-".contains(sign)));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn sign(&self) -> char {
        let signs = if self.has_moves {
            ['0', '½', '1']
        } else {
            ['-', '=', '+']
        };
        match self.points {
            None => '*',
            Some(points) => signs[((points * 2.0) as usize).min(2)],
        }
    }
}

impl Standing {
    /// The results in short, such as `3w1 5b½ bye`: the row of the opponent, the color, and the [sign].
    ///
    /// [sign]: CrossResult::sign
    #[must_use]
    pub fn short_results(&self) -> String {
        let results = self.results.iter().map(|result| match result.row {
            Some(row) => format!("{row}{}{}", &result.color[..1], result.sign()),
            None => "bye".to_owned(),
        });
        results.collect::<Vec<_>>().join(" ")
    }
}

tridex_archive::columns! { Standing, row:
    "event" => row.event,
    "rules" => row.rules,
    "rank" => row.rank,
    "player" => row.player,
    "rating" => row.rating.map(|rating| rating.to_string()).unwrap_or_default(),
    "games" => row.games,
    "won" => row.won,
    "drawn" => row.drawn,
    "lost" => row.lost,
    "points" => row.points,
    "sonneborn_berger" => row.sonneborn_berger,
    "buchholz" => row.buchholz,
    "without_result" => row.without_result,
    "without_moves" => row.without_moves,
    "byes" => row.byes,
    "copies" => row.copies,
    "results" => row.short_results(),
}

impl CrossTables {
    /// Adds a game to the table of its event. With `per_system`, the games of each rule system make tables of their own.
    /// A game is omitted if a player is not known.
    pub fn add(&mut self, per_system: bool, game: &Played<'_>) {
        let event = game.game().tag("Event").unwrap_or_default();
        let key = (per_system.then(|| game.rules()), known(&event).to_owned());
        let pairing = Pairing::of(game);
        if pairing.players.iter().all(|name| &**name != "?") {
            self.0.entry(key).or_default().push(pairing);
        }
    }

    /// Adds the games of the next part of the collection.
    pub fn join(&mut self, other: &Self) {
        for (key, games) in &other.0 {
            self.0
                .entry(key.clone())
                .or_default()
                .extend_from_slice(games);
        }
    }

    /// Returns the rows of all tables: by event, then by points, Sonneborn-Berger score, Buchholz score and name.
    ///
    /// A record with the same players, round, date, result and moves as another is a copy and counts once. Records
    /// without moves are never copies.
    #[must_use]
    pub fn standings(&self) -> Vec<Standing> {
        let tables = self.0.iter();
        tables
            .flat_map(|((_, event), games)| table(event, games))
            .collect()
    }
}

/// What a player has in a table.
#[derive(Default)]
struct Player<'g> {
    rating: Option<u16>,
    /// Half points.
    halves: u64,
    copies: usize,
    byes: usize,
    /// The opponent, whether the player had White, half points, and the game.
    games: Vec<(Option<&'g str>, bool, Option<u64>, &'g Pairing)>,
}

/// Half points, quarter points of the Sonneborn-Berger score and half points of the Buchholz score; the name; the player.
type Row<'g> = (Reverse<(u64, u64, u64)>, &'g str, &'g Player<'g>);

fn table(event: &str, games: &[Pairing]) -> Vec<Standing> {
    let mut games: Vec<&Pairing> = games.iter().collect();
    games.sort_by_cached_key(|game| game.order());
    let rules: BTreeSet<&RuleSystem> = games.iter().map(|game| &game.rules).collect();
    let rules = match rules.first() {
        Some(only) if rules.len() == 1 => only.name(),
        _ => "all",
    };
    let is_bye = |name: &str| BYES.contains(&fold(name).trim());
    let mut players = BTreeMap::<&str, Player<'_>>::new();
    let mut seen = BTreeSet::new();
    for game in games {
        let [white, black] = [&*game.players[0], &*game.players[1]];
        let id = (white, black, &*game.round, game.date, game.moves);
        let is_copy = game.plies > 0 && !seen.insert((id, game.result, game.rules));
        for (name, other, is_white) in [(white, black, true), (black, white, false)] {
            if is_bye(name) {
                continue;
            }
            let player = players.entry(name).or_default();
            let rating = game.ratings[usize::from(!is_white)];
            player.rating = rating.or(player.rating);
            if is_copy {
                player.copies += 1;
                continue;
            }
            let halves = halves(game.result, is_white);
            player.halves += halves.unwrap_or(0);
            player.byes += usize::from(is_bye(other));
            let other = Some(other).filter(|other| !is_bye(other));
            player.games.push((other, is_white, halves, game));
        }
    }
    let points = |name: &str| players.get(name).map_or(0, |player| player.halves);
    let mut rows: Vec<Row<'_>> = players
        .iter()
        .map(|(name, player)| {
            // Sums of quarter points and of half points.
            let (mut berger, mut buchholz) = (0, 0);
            for (other, _, halves, _) in &player.games {
                if let (Some(other), Some(halves)) = (other, halves) {
                    berger += halves * points(other);
                    buchholz += points(other);
                }
            }
            (Reverse((player.halves, berger, buchholz)), *name, player)
        })
        .collect();
    rows.sort_by_key(|(scores, name, _)| (*scores, *name));
    let numbers: BTreeMap<&str, usize> = rows.iter().map(|row| row.1).zip(1..).collect();
    let mut rank = 1;
    let standing = |(at, (scores, name, player)): (usize, &Row<'_>)| {
        if at > 0 && rows[at - 1].0 != *scores {
            rank = at + 1;
        }
        let Reverse((halves, berger, buchholz)) = scores;
        let with_result = |wanted: Option<u64>| {
            let games = player.games.iter();
            let games = games.filter(|(other, _, halves, _)| other.is_some() && *halves == wanted);
            games.count()
        };
        let [won, drawn, lost] = [2, 1, 0].map(|halves| with_result(Some(halves)));
        let results = player
            .games
            .iter()
            .map(|(other, is_white, halves, game)| CrossResult {
                opponent: other.map(str::to_owned),
                row: other.and_then(|other| numbers.get(other).copied()),
                color: if *is_white { "white" } else { "black" },
                points: halves.map(|halves| halves as f64 / 2.0),
                has_moves: game.plies > 0,
                round: game.round.to_string(),
            });
        let results: Vec<CrossResult> = results.collect();
        let without_moves = results.iter().filter(|result| {
            result.opponent.is_some() && result.points.is_some() && !result.has_moves
        });
        Standing {
            event: event.to_owned(),
            rules,
            rank,
            player: (*name).to_owned(),
            rating: player.rating,
            games: won + drawn + lost,
            won,
            drawn,
            lost,
            points: *halves as f64 / 2.0,
            sonneborn_berger: *berger as f64 / 4.0,
            buchholz: *buchholz as f64 / 2.0,
            without_result: with_result(None),
            without_moves: without_moves.count(),
            byes: player.byes,
            copies: player.copies,
            results,
        }
    };
    rows.iter().enumerate().map(standing).collect()
}
