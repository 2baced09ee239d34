//! Groups the spellings of players' names that may be one player's.
//!
//! `Grünwaldt, Jörg`, `Joerg Gruenwaldt`, `J. Grunwaldt` and `GRÜNWALDT, Jörg` are one player, as far as names show:
//! order, accents, their two-letter forms, capitals and initials make no difference. If `A. Bert` may be Anna or Alex,
//! it belongs to neither, and that is reported.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::iter;
use tridex_archive::write::TableRow;
use tridex_text::names::{fold, short};

/// The spellings of players' names in a collection, each with a number.
#[derive(Debug, Default)]
pub(super) struct Names {
    numbers: HashMap<String, u32>,
    /// Each spelling, with the number of its occurrences.
    spellings: Vec<(String, u64)>,
}

/// A spelling, with the number of its occurrences in a collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NameSpelling {
    /// As it is written.
    pub name: String,
    /// The number of games in which it is White's name, plus those in which it is Black's.
    pub games: u64,
}

/// Spellings that may be one player's. As JSON `{"sure","names":[{"name","games"}]}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Spellings {
    /// The number of the group, from 1. Only tables have it.
    #[serde(skip)]
    pub group: usize,
    /// Whether all may be the same player. If not, the first spelling is short for several different ones.
    pub sure: bool,
    /// The spellings, the commonest first. If the group is not sure, the short one comes before the others.
    pub names: Vec<NameSpelling>,
}

/// One row for each spelling.
impl TableRow for Spellings {
    const COLUMNS: &'static [&'static str] = &["group", "sure", "name", "games"];

    fn cells(&self) -> Vec<Vec<String>> {
        let (group, sure) = (self.group.to_string(), if self.sure { "yes" } else { "no" });
        let row = |of: &NameSpelling| {
            vec![
                group.clone(),
                sure.to_owned(),
                of.name.clone(),
                of.games.to_string(),
            ]
        };
        self.names.iter().map(row).collect()
    }
}

impl Names {
    /// Counts a spelling and returns its number, or 0 for an unknown name.
    pub(super) fn add(&mut self, name: &str) -> u32 {
        let name = name.trim();
        if matches!(name, "" | "?" | "-") {
            return 0;
        }
        // Memory cannot hold more names than there are numbers.
        let next = self.spellings.len() as u32 + 1;
        let number = *self.numbers.entry(name.to_owned()).or_insert(next);
        if number == next {
            self.spellings.push((name.to_owned(), 0));
        }
        self.spellings[number as usize - 1].1 += 1;
        number
    }

    /// The spelling with a number, or `?` for 0.
    pub(super) fn name(&self, number: u32) -> &str {
        let place = (number as usize).checked_sub(1);
        place.map_or("?", |place| &self.spellings[place].0)
    }

    /// Whether two numbers may be one player: one of them is unknown, or their spellings belong together.
    pub(super) fn may_be_one(&self, one: u32, other: u32) -> bool {
        let (one, other) = (one.min(other), one.max(other));
        one == 0 || one == other || belong(&words(self.name(one)), &words(self.name(other)))
    }

    /// The groups of spellings that belong together, sorted by their first spelling.
    pub(super) fn groups(&self) -> Vec<Spellings> {
        // Spellings with the same words always belong together, so they form a class.
        let mut classes: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for (index, (name, _)) in self.spellings.iter().enumerate() {
            classes.entry(words(name)).or_default().push(index);
        }
        let (words, members): (Vec<Vec<String>>, Vec<Vec<usize>>) = classes.into_iter().unzip();
        let in_full = |class: usize| words[class].iter().filter(|word| word.len() > 1);
        let mut with_word: HashMap<&str, Vec<usize>> = HashMap::new();
        for class in 0..words.len() {
            for word in in_full(class) {
                with_word.entry(word).or_default().push(class);
            }
        }
        // For each class, the other classes that may be the same player.
        let near = |class: usize| {
            let others = in_full(class).flat_map(|word| &with_word[word.as_str()]);
            let others: BTreeSet<usize> = others.copied().collect();
            let others = others.into_iter().filter(|other| *other != class);
            let others = others.filter(|other| belong(&words[class], &words[*other]));
            others.collect()
        };
        let near: Vec<Vec<usize>> = (0..words.len()).map(near).collect();
        // A class that may belong to two others which exclude each other joins neither.
        let is_short = |others: &Vec<usize>| {
            let mut pairs = others.iter().enumerate();
            pairs.any(|(i, one)| {
                let mut later = others[i + 1..].iter();
                later.any(|other| !near[*one].contains(other))
            })
        };
        let is_short: Vec<bool> = near.iter().map(is_short).collect();
        let mut found = Vec::new();
        let mut taken = vec![false; words.len()];
        for (class, near) in near.iter().enumerate() {
            let mut rest = Vec::new();
            if is_short[class] {
                let first = self.spelled(&members[class]);
                rest.extend(near.iter().flat_map(|other| &members[*other]));
                let names = [first, self.sorted(&rest)].concat();
                found.push((false, names));
            } else if !taken[class] {
                let others = near.iter().filter(|other| !is_short[**other]);
                for member in iter::once(&class).chain(others) {
                    taken[*member] = true;
                    rest.extend(&members[*member]);
                }
                let names = self.sorted(&rest);
                if names.len() > 1 {
                    found.push((true, names));
                }
            }
        }
        found.sort_by_cached_key(|(_, names)| names.first().map(|first| first.name.clone()));
        let groups = (1..).zip(found);
        let groups = groups.map(|(group, (sure, names))| Spellings { group, sure, names });
        groups.collect()
    }

    /// Some spellings, with the number of their occurrences.
    fn spelled(&self, of: &[usize]) -> Vec<NameSpelling> {
        let spelling = |index: &usize| {
            let (name, games) = self.spellings[*index].clone();
            NameSpelling { name, games }
        };
        of.iter().map(spelling).collect()
    }

    /// The same spellings, the commonest first.
    fn sorted(&self, of: &[usize]) -> Vec<NameSpelling> {
        let mut names = self.spelled(of);
        names.sort_by(|a, b| (b.games, &a.name).cmp(&(a.games, &b.name)));
        names
    }
}

/// The words of a name, folded and sorted, so that its spellings have the same words.
fn words(name: &str) -> Vec<String> {
    let folded = fold(name).replace('\'', "");
    let mut words: Vec<String> = folded.split_ascii_whitespace().map(short).collect();
    words.sort_unstable();
    words
}

/// Whether two names may be one player's. They must share a word in full. All other words must be equal too, or one the
/// initial of the other. If the names share at least two words in full, one of them may have additional words.
fn belong(one: &[String], other: &[String]) -> bool {
    if one == other {
        return true;
    }
    let mut left: Vec<&String> = other.iter().collect();
    let mut rest = Vec::new();
    let mut same = 0;
    for word in one {
        match left.iter().position(|candidate| *candidate == word) {
            Some(place) => {
                same += usize::from(word.len() > 1);
                left.remove(place);
            }
            None => rest.push(word),
        }
    }
    if same == 0 {
        return false;
    }
    let mut over = 0;
    for word in rest {
        let fits = |candidate: &&String| {
            let is_initial = word.len() == 1 || candidate.len() == 1;
            is_initial
                && (candidate.starts_with(word.as_str()) || word.starts_with(candidate.as_str()))
        };
        match left.iter().position(fits) {
            Some(place) => {
                left.remove(place);
            }
            None => over += 1,
        }
    }
    match (over, left.len()) {
        (0, 0) => true,
        (0, _) | (_, 0) => same > 1,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(names: &[&str]) -> Vec<String> {
        let mut all = Names::default();
        for name in names {
            all.add(name);
        }
        let spelled = |group: Spellings| {
            let names: Vec<&str> = group.names.iter().map(|n| n.name.as_str()).collect();
            format!(
                "{}: {}",
                if group.sure { "one" } else { "?" },
                names.join(" | ")
            )
        };
        all.groups().into_iter().map(spelled).collect()
    }

    #[test]
    fn order_accents_capitals_and_initials_make_no_difference() {
        let found = groups(&[
            "Grünwaldt, Jörg",
            "Joerg Gruenwaldt",
            "Grünwaldt, Jörg",
            "J. Grunwaldt",
            "GRÜNWALDT, J",
            "Anna Bert",
            "Bert, Anna",
            "Bert, Anna Maria",
            "Weißkopf, Änne",
            "Aenne Weisskopf",
            "Łucja Jarosz",
            "jarosz, lucja",
            "O'Tarrell, Maeve",
            "Maeve OTarrell",
        ]);
        assert_eq!(
            found,
            [
                "one: Aenne Weisskopf | Weißkopf, Änne",
                "one: Anna Bert | Bert, Anna | Bert, Anna Maria",
                "one: Grünwaldt, Jörg | GRÜNWALDT, J | J. Grunwaldt | Joerg Gruenwaldt",
                "one: Maeve OTarrell | O'Tarrell, Maeve",
                "one: jarosz, lucja | Łucja Jarosz",
            ]
        );
    }

    #[test]
    fn other_players_are_others() {
        for (one, other) in [
            ("Anna Bert", "Alex Bert"),
            ("Anna Bert", "Anna Berg"),
            ("A. Bert", "B. Bert"),
            ("A. B.", "Anna Bert"),
            ("Anna", "Anna Bert"),
            ("Anna Bert Cole", "Anna Dean"),
        ] {
            assert_eq!(groups(&[one, other]), [""; 0], "{one} | {other}");
        }
        assert_eq!(groups(&["?", "?", "", "-"]), [""; 0]);
    }

    #[test]
    fn an_initial_that_fits_two_belongs_to_neither() {
        assert_eq!(
            groups(&["Anna Bert", "Bert, A.", "Alex Bert", "Bert, Anna"]),
            [
                "one: Anna Bert | Bert, Anna",
                "?: Bert, A. | Alex Bert | Anna Bert | Bert, Anna"
            ]
        );
    }
}
