//! Spellings of players' names that belong together.
//!
//! `Grünwaldt, Jörg`, `Joerg Gruenwaldt`, `J. Grunwaldt` and `GRÜNWALDT, Jörg` are one player, as names show:
//! order, accents, their two-letter forms, capitals and initials make no difference. `A. Bert` may be Anna or Alex; then it
//! belongs to neither, and that is reported.

use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use tridex_archive::names::{fold, short};

/// The players of a collection, each spelling with a number.
#[derive(Debug, Default)]
pub(super) struct Names {
    numbers: HashMap<String, u32>,
    /// Each spelling, and how often it occurs.
    spellings: Vec<(String, u64)>,
}

/// A spelling, and how often it occurs in a collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NameSpelling {
    /// As it is written.
    pub name: String,
    /// How many times, with White and with Black.
    pub games: u64,
}

/// Spellings that may be one player's. As JSON `{"sure","names":[{"name","games"}]}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Spellings {
    /// Whether each can be every other; if not, the first is short for several that differ.
    pub sure: bool,
    /// The commonest first; of those that are not sure first the short one.
    pub names: Vec<NameSpelling>,
}

impl Spellings {
    /// The names of [`Spellings::rows`].
    pub const COLUMNS: [&'static str; 4] = ["group", "sure", "name", "games"];

    /// The spellings as cells of a table, one below the other, with a number for the group.
    pub fn rows(&self, group: usize) -> impl Iterator<Item = [String; 4]> {
        let sure = if self.sure { "yes" } else { "no" };
        self.names.iter().map(move |spelling| {
            [
                group.to_string(),
                sure.to_owned(),
                spelling.name.clone(),
                spelling.games.to_string(),
            ]
        })
    }
}

impl Names {
    /// The number of a spelling, which is counted; 0 of a name that is not known.
    pub(super) fn add(&mut self, name: &str) -> u32 {
        let name = name.trim();
        if matches!(name, "" | "?" | "-") {
            return 0;
        }
        let number = match self.numbers.get(name) {
            Some(number) => *number,
            None => {
                // More names than numbers there cannot be in memory.
                let number = u32::try_from(self.spellings.len() + 1).unwrap_or(0);
                self.numbers.insert(name.to_owned(), number);
                self.spellings.push((name.to_owned(), 0));
                number
            }
        };
        let place = (number as usize).checked_sub(1);
        if let Some((_, games)) = place.and_then(|place| self.spellings.get_mut(place)) {
            *games += 1;
        }
        number
    }

    /// The spelling of a number.
    pub(super) fn name(&self, number: u32) -> &str {
        let place = (number as usize).checked_sub(1);
        let found = place.and_then(|place| self.spellings.get(place));
        found.map_or("?", |(name, _)| name)
    }

    /// Whether two numbers can be one player: one is not known, or their spellings belong together.
    pub(super) fn may_be_one(&self, one: u32, other: u32) -> bool {
        let (one, other) = (one.min(other), one.max(other));
        one == 0 || one == other || belong(&words(self.name(one)), &words(self.name(other)))
    }

    /// The spellings that belong together, by their first.
    pub(super) fn groups(&self) -> Vec<Spellings> {
        // Spellings with the same words are one, regardless of other spellings.
        let mut classes: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for (index, (name, _)) in self.spellings.iter().enumerate() {
            classes.entry(words(name)).or_default().push(index);
        }
        let classes: Vec<(Vec<String>, Vec<usize>)> = classes.into_iter().collect();
        let mut with_word: HashMap<&str, Vec<usize>> = HashMap::new();
        for (class, (words, _)) in classes.iter().enumerate() {
            for word in words.iter().filter(|word| word.len() > 1) {
                let there = with_word.entry(word).or_default();
                if there.last() != Some(&class) {
                    there.push(class);
                }
            }
        }
        // Those that each could be.
        let mut near: Vec<Vec<usize>> = vec![Vec::new(); classes.len()];
        for (class, (words, _)) in classes.iter().enumerate() {
            let words_in_full = words.iter().filter(|word| word.len() > 1);
            let mut others: Vec<usize> = words_in_full
                .filter_map(|word| with_word.get(word.as_str()))
                .flatten()
                .copied()
                .filter(|other| *other != class)
                .collect();
            others.sort_unstable();
            others.dedup();
            others.retain(|other| classes.get(*other).is_some_and(|(o, _)| belong(words, o)));
            if let Some(place) = near.get_mut(class) {
                *place = others;
            }
        }
        let of = |class: usize| near.get(class).map_or(&[][..], Vec::as_slice);
        // A class that could belong to two others, which exclude each other, joins neither.
        let is_short = |class: usize| {
            let others = of(class);
            let mut pairs = others.iter().enumerate();
            pairs.any(|(i, one)| {
                let mut later = others.iter().skip(i + 1);
                later.any(|other| !of(*one).contains(other))
            })
        };
        let short: Vec<bool> = (0..classes.len()).map(is_short).collect();
        let is_short = |class: usize| short.get(class) == Some(&true);
        let mut found = Vec::new();
        let mut taken = vec![false; classes.len()];
        for class in 0..classes.len() {
            let mut group = vec![class];
            if is_short(class) {
                group.extend(of(class));
                found.push(self.spelled(&classes, &group, false));
                continue;
            }
            if taken.get(class) == Some(&true) {
                continue;
            }
            group.extend(of(class).iter().filter(|other| !is_short(**other)));
            for member in &group {
                if let Some(flag) = taken.get_mut(*member) {
                    *flag = true;
                }
            }
            let group = self.spelled(&classes, &group, true);
            if group.names.len() > 1 {
                found.push(group);
            }
        }
        found.sort_by(|a, b| {
            a.names
                .first()
                .map(|n| &n.name)
                .cmp(&b.names.first().map(|n| &n.name))
        });
        found
    }

    fn spelled(
        &self,
        classes: &[(Vec<String>, Vec<usize>)],
        group: &[usize],
        sure: bool,
    ) -> Spellings {
        let spelling = |index: &usize| {
            let (name, games) = self.spellings.get(*index)?;
            Some(NameSpelling {
                name: name.clone(),
                games: *games,
            })
        };
        let of = |class: &usize| {
            let members = classes.get(*class).map_or(&[][..], |(_, members)| members);
            members.iter().filter_map(spelling)
        };
        let mut names: Vec<NameSpelling> = group.iter().flat_map(of).collect();
        let first = if sure {
            0
        } else {
            group.first().map_or(0, |c| of(c).count())
        };
        if let Some(rest) = names.get_mut(first..) {
            rest.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name)));
        }
        Spellings { sure, names }
    }
}

/// The words of a name, sorted, as all its spellings have them.
fn words(name: &str) -> Vec<String> {
    let folded = fold(name).replace('\'', "");
    let mut words: Vec<String> = folded.split_ascii_whitespace().map(short).collect();
    words.sort_unstable();
    words
}

/// Whether two names can be one player's: a word of theirs is the same in full, and the others are the same, an initial for
/// a word, or - besides two equal words - another name that only one has.
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
