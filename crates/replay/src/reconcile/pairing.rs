//! Finds the records of one game in a collection: those with the same players, date and round, and nearly the same moves.

use super::search::MOST_RECORDS;
use crate::replay::Played;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use tridex_archive::date::Date;
use tridex_rules::RuleSystem;
use tridex_text::names::fold;

/// What is compared of a record.
///
/// ```
/// use tridex_archive::{Limits, game, pgn};
/// use tridex_replay::{Options, reconcile::{RecordTraits, pair}, replay_with};
///
/// let text = b"[White \"Anna Bell\"]\n\n1. b4N b5B 2. c3W a6N *\n\n[White \"A. Bell\"]\n\n1. b4N b5B 2. c3W a6N *\n\n\
///     [White \"Zoe\"]\n\n1. b4N b5B 2. c3W a6N *\n";
/// let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
/// let traits: Vec<_> = games.iter().map(|game| replay_with(game, &Options::default(), RecordTraits::of)).collect();
/// assert_eq!(pair(&traits), [vec![0, 1]]);
/// ```
#[derive(Clone, Debug)]
pub struct RecordTraits {
    /// The folded words of White's and Black's name; empty if it is not known.
    names: [Vec<String>; 2],
    date: String,
    round: String,
    rules: RuleSystem,
    states_rules: bool,
    /// The keys of the positions that could be read, in order.
    keys: Vec<u64>,
}

impl RecordTraits {
    /// The traits of a record.
    #[must_use]
    pub fn of(played: &Played<'_>) -> Self {
        let tag = |name: &str| {
            let value = played.game().tag(name).unwrap_or_default();
            let value = value.trim();
            let is_known = value.bytes().any(|sign| !b"?.- ".contains(&sign));
            if is_known {
                value.to_owned()
            } else {
                String::new()
            }
        };
        let name = |player: &str| {
            let name = fold(&tag(player));
            let words = name.split(|sign: char| !sign.is_alphanumeric());
            let words = words.filter(|word| !word.is_empty());
            words.map(str::to_owned).collect()
        };
        let mut position = played.start().clone();
        let keys = played
            .moves()
            .iter()
            .map(|mv| position.play_unchecked(*mv).placement);
        let date = tag("Date");
        Self {
            names: ["White", "Black"].map(name),
            date: Date::parse(&date).map_or(date, |date| date.to_string()),
            round: tag("Round"),
            rules: played.rules(),
            states_rules: played.states_rules(),
            keys: keys.collect(),
        }
    }

    /// How alike two records are; `None` if they are not of one game.
    fn likeness(&self, other: &Self) -> Option<u64> {
        if self.rules != other.rules
            && (self.states_rules && other.states_rules
                || self.rules.family() != other.rules.family())
        {
            return None;
        }
        let mut known = 0;
        for (own, theirs) in self.names.iter().zip(&other.names) {
            if own.is_empty() || theirs.is_empty() {
                continue;
            }
            if !is_same_name(own, theirs) {
                return None;
            }
            known += 1;
        }
        for (own, theirs) in [(&self.date, &other.date), (&self.round, &other.round)] {
            if !own.is_empty() && !theirs.is_empty() && !is_same_date(own, theirs) {
                return None;
            }
        }
        let keys: BTreeSet<u64> = self.keys.iter().copied().collect();
        let shared = other.keys.iter().filter(|key| keys.contains(key)).count();
        let of = self.keys.len().min(other.keys.len());
        // A slip in one of the first moves leaves nothing to compare. Then the names of both players are enough.
        let is_alike = match known {
            2 => of < 8 || shared * 3 >= of,
            1 => shared >= 4 && shared * 2 >= of,
            _ => shared >= 8 && shared * 10 >= of * 7,
        };
        is_alike.then_some(known * 1_000 + shared as u64)
    }
}

/// Whether two names may be one player's: each word of the shorter name is a word of the other, or its initial.
fn is_same_name(one: &[String], other: &[String]) -> bool {
    let (short, long) = match one.len() <= other.len() {
        true => (one, other),
        false => (other, one),
    };
    let is_one = |word: &String, other: &String| {
        word == other
            || word.chars().count() == 1 && other.starts_with(word.as_str())
            || other.chars().count() == 1 && word.starts_with(other.as_str())
    };
    let has_word = short.iter().any(|word| long.contains(word));
    has_word
        && short
            .iter()
            .all(|word| long.iter().any(|other| is_one(word, other)))
}

/// Whether two dates, or rounds, agree where both are known.
fn is_same_date(one: &str, other: &str) -> bool {
    let mut parts = one.split('.').zip(other.split('.'));
    parts.all(|(own, theirs)| own == theirs || own.contains('?') || theirs.contains('?'))
        && (one.contains('?') || other.contains('?') || one.len() == other.len())
}

/// The most records with something in common that are compared with each other.
const MOST_ALIKE: usize = 400;

/// The records of one game each, as indices: two or three records, in order. Records without another of their game are
/// in no group.
#[must_use]
pub fn pair(records: &[RecordTraits]) -> Vec<Vec<usize>> {
    // Only records that share a position early in the game, or the longest words of both names, are compared.
    let mut alike: HashMap<(u64, String), Vec<usize>> = HashMap::new();
    for (index, record) in records.iter().enumerate() {
        for ply in [3, 7, 11, 15, 23] {
            if let Some(key) = record.keys.get(ply) {
                alike.entry((*key, String::new())).or_default().push(index);
            }
        }
        let longest = record.names.each_ref().map(|words| {
            let longest = words
                .iter()
                .max_by_key(|word| (word.chars().count(), Reverse(*word)));
            longest.cloned().unwrap_or_default()
        });
        if longest.iter().all(|word| !word.is_empty()) {
            alike.entry((0, longest.join(" "))).or_default().push(index);
        }
    }
    let mut pairs: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for group in alike.values().filter(|group| group.len() <= MOST_ALIKE) {
        for (place, one) in group.iter().enumerate() {
            for other in group.iter().skip(place + 1) {
                let likeness = match (records.get(*one), records.get(*other)) {
                    (Some(own), Some(theirs)) if one != other => own.likeness(theirs),
                    _ => None,
                };
                if let Some(likeness) = likeness {
                    pairs.insert((*one.min(other), *one.max(other)), likeness);
                }
            }
        }
    }
    let mut order: Vec<(&(usize, usize), &u64)> = pairs.iter().collect();
    order.sort_by_key(|(pair, likeness)| (Reverse(**likeness), **pair));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of: HashMap<usize, usize> = HashMap::new();
    for ((one, other), _) in order {
        match (group_of.get(one).copied(), group_of.get(other).copied()) {
            (None, None) => {
                group_of.extend([(*one, groups.len()), (*other, groups.len())]);
                groups.push(vec![*one, *other]);
            }
            (Some(group), None) | (None, Some(group)) => {
                let third = if group_of.contains_key(one) {
                    *other
                } else {
                    *one
                };
                let Some(members) = groups.get_mut(group) else {
                    continue;
                };
                let is_pair = |member: &usize| {
                    pairs.contains_key(&(*member.min(&third), *member.max(&third)))
                };
                if members.len() < MOST_RECORDS && members.iter().all(is_pair) {
                    members.push(third);
                    members.sort_unstable();
                    group_of.insert(third, group);
                }
            }
            (Some(_), Some(_)) => {}
        }
    }
    groups.sort();
    groups
}
