//! Written games in another order, and in several files.

use crate::groups::known;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Write};
use tridex_archive::date::Date;
use tridex_archive::write::{StoredText, TextStore};
use tridex_replay::Played;
use tridex_text::names::fold;

tridex_text::enum_table! {
    /// The order of games. Games of which the value is not known come last in both directions; games with equal values stay
    /// in the order in which they were read.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum GameOrder(
        /// Its name.
        name: &'static str
    ) {
        /// The date. A date without a day comes after all days of its month, one without a month after all of its year.
        Date("date"),
        /// The player of the white pieces, without regard to case, accents and alphabet.
        White("white"),
        /// The player of the black pieces.
        Black("black"),
        /// The event.
        Event("event"),
        /// The site.
        Site("site"),
        /// The round, by its numbers. Other rounds come after them.
        Round("round"),
        /// The result.
        Result("result"),
        /// The rule system.
        System("system"),
        /// The number of plies.
        Plies("plies"),
    }
}

impl GameOrder {
    /// Returns the order of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.name() == name)
    }

    /// The value of a game as bytes that compare as the values do; `None` if it is not known.
    fn value(self, game: &Played<'_>) -> Option<Box<[u8]>> {
        let tag = |name: &str| {
            let value = game.game().tag(name)?;
            let value = known(&value);
            (value != "?").then(|| value.to_owned())
        };
        let text = |text: String| [fold(&text).as_bytes(), &[0], text.as_bytes()].concat();
        let bytes = match self {
            Self::Date => {
                let date = Date::parse(&tag("Date")?).ok()?;
                let [month, day] = [date.month, date.day].map(|part| part.unwrap_or(u8::MAX));
                [&date.year.to_be_bytes()[..], &[month, day]].concat()
            }
            Self::White => text(tag("White")?),
            Self::Black => text(tag("Black")?),
            Self::Event => text(tag("Event")?),
            Self::Site => text(tag("Site")?),
            Self::Round => {
                let round = tag("Round")?;
                let parts = round.split('.').map(|part| part.trim().parse::<u32>());
                match parts.collect::<Result<Vec<_>, _>>() {
                    Ok(numbers) => numbers.into_iter().flat_map(u32::to_be_bytes).collect(),
                    Err(_) => [&[0xff; 5], round.as_bytes()].concat(),
                }
            }
            Self::Result => vec![game.result() as u8],
            Self::System => vec![game.rules() as u8],
            Self::Plies => (game.moves().len() as u64).to_be_bytes().to_vec(),
        };
        Some(bytes.into())
    }
}

tridex_text::enum_table! {
    /// What the games of a file have in common.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum SplitBy(
        /// Its name.
        name: &'static str
    ) {
        /// The event.
        Event("event"),
        /// The site.
        Site("site"),
        /// A player: each game is in the files of both players.
        Player("player"),
        /// The year.
        Year("year"),
        /// The rule system.
        System("system"),
    }
}

/// How games are divided into files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Split {
    /// Files of this many games, the last one of the rest.
    Every(usize),
    /// A file for each value.
    By(SplitBy),
}

impl Split {
    /// Returns the split of a name, or of a number of games from 1.
    ///
    /// ```
    /// use tridex_core::{Split, SplitBy};
    ///
    /// assert_eq!(Split::from_name("500"), Some(Split::Every(500)));
    /// assert_eq!(Split::from_name("year"), Some(Split::By(SplitBy::Year)));
    /// assert_eq!(Split::from_name("0"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name.parse() {
            Ok(0) => None,
            Ok(games) => Some(Self::Every(games)),
            Err(_) => {
                let by = SplitBy::ALL.into_iter().find(|by| by.name() == name)?;
                Some(Self::By(by))
            }
        }
    }

    /// The values of a game.
    fn values(self, game: &Played<'_>) -> Vec<String> {
        let Self::By(by) = self else {
            return Vec::new();
        };
        let tag = |name: &str| {
            let value = game.game().tag(name).unwrap_or_default();
            match known(&value) {
                "?" => "unknown".to_owned(),
                value => value.to_owned(),
            }
        };
        match by {
            SplitBy::Event => vec![tag("Event")],
            SplitBy::Site => vec![tag("Site")],
            SplitBy::Player => {
                let mut names = vec![tag("White"), tag("Black")];
                names.dedup();
                names
            }
            SplitBy::Year => {
                let date = Date::parse(&tag("Date"));
                vec![date.map_or_else(|_| "unknown".to_owned(), |date| date.year.to_string())]
            }
            SplitBy::System => vec![game.rules().name().to_owned()],
        }
    }
}

/// The order of games and their division into files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct GameArrangement {
    /// The order; `None` for that in which the games were read.
    pub order: Option<GameOrder>,
    /// Whether the order is reversed.
    pub reverse: bool,
    /// The division into files.
    pub split: Option<Split>,
}

tridex_text::setters! {
    impl[] GameArrangement {
        order: Option<GameOrder>,
        reverse: bool,
        split: Option<Split>,
    }
}

/// What an arrangement needs of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameKey {
    value: Option<Box<[u8]>>,
    parts: Vec<String>,
}

impl GameArrangement {
    /// Whether games are written in the order in which they were read, into one file.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.order.is_none() && self.split.is_none()
    }

    /// The key of a game.
    #[must_use]
    pub fn key(&self, game: &Played<'_>) -> GameKey {
        GameKey {
            value: self.order.and_then(|order| order.value(game)),
            parts: self.split.map_or_else(Vec::new, |split| split.values(game)),
        }
    }
}

/// A game that waits to be written.
#[derive(Debug)]
struct Arranged {
    value: Option<Box<[u8]>>,
    text: StoredText,
    /// The numbers of its parts.
    parts: Vec<u32>,
}

/// Games that wait to be written. Their texts are in a temporary file; the memory has the value of each game that sorts it,
/// and its position in the file.
#[derive(Debug)]
pub struct ArrangedGames {
    arrangement: GameArrangement,
    store: TextStore,
    games: Vec<Arranged>,
    parts: HashMap<String, u32>,
    /// The names of parts, in the order in which they were met.
    names: Vec<String>,
}

/// A file of a division.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamePart {
    /// What the file is named for: a safe and unique part of a name of a file, such as `Club Evening` or `03`.
    pub name: String,
    games: Vec<StoredText>,
}

impl GamePart {
    /// The number of games.
    #[must_use]
    pub fn games(&self) -> usize {
        self.games.len()
    }
}

impl ArrangedGames {
    /// Creates an empty store.
    ///
    /// # Errors
    /// If no temporary file can be created.
    pub fn new(arrangement: GameArrangement) -> io::Result<Self> {
        Ok(Self {
            arrangement,
            store: TextStore::new()?,
            games: Vec::new(),
            parts: HashMap::new(),
            names: Vec::new(),
        })
    }

    /// Adds a game. A game without a text, which could not be written, is skipped.
    ///
    /// # Errors
    /// If the temporary file cannot be written to.
    pub fn push(&mut self, key: GameKey, text: &[u8]) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        let text = self.store.push(text)?;
        let mut parts = Vec::with_capacity(key.parts.len());
        for part in key.parts {
            let next = self.names.len() as u32;
            let number = *self.parts.entry(part.clone()).or_insert(next);
            if number == next {
                self.names.push(part);
            }
            parts.push(number);
        }
        let value = key.value;
        self.games.push(Arranged { value, text, parts });
        Ok(())
    }

    /// Sorts the games and divides them. Without a division, there is one part without a name.
    #[must_use]
    pub fn parts(&mut self) -> Vec<GamePart> {
        if self.arrangement.order.is_some() {
            let is_reversed = self.arrangement.reverse;
            // The sort is stable.
            self.games.sort_by(
                |Arranged { value: one, .. }, Arranged { value: other, .. }| {
                    let unknown = one.is_none().cmp(&other.is_none());
                    unknown.then(match is_reversed {
                        true => other.cmp(one),
                        false => one.cmp(other),
                    })
                },
            );
        }
        let all = self.games.iter().map(|game| game.text);
        let part = |name, games| GamePart { name, games };
        match self.arrangement.split {
            None => vec![part(String::new(), all.collect())],
            Some(Split::Every(most)) => {
                let all: Vec<StoredText> = all.collect();
                let digits = all.len().div_ceil(most).to_string().len();
                let parts = (1..).zip(all.chunks(most));
                parts
                    .map(|(number, games)| part(format!("{number:0digits$}"), games.to_vec()))
                    .collect()
            }
            Some(Split::By(_)) => {
                let mut parts = BTreeMap::<u32, Vec<StoredText>>::new();
                for game in &self.games {
                    for number in &game.parts {
                        parts.entry(*number).or_default().push(game.text);
                    }
                }
                let names = safe_names(&self.names);
                let parts = parts.into_iter();
                parts
                    .map(|(number, games)| part(names[number as usize].clone(), games))
                    .collect()
            }
        }
    }

    /// Writes the games of a part.
    ///
    /// # Errors
    /// If the temporary file cannot be read, or those of `out`.
    pub fn write(&mut self, part: &GamePart, out: &mut dyn Write) -> io::Result<()> {
        let mut games = part.games.iter();
        games.try_for_each(|game| self.store.copy(*game, out))
    }
}

/// The most characters of a name in the name of a file.
const LONGEST: usize = 80;

/// Parts of names of files: letters, digits and a few signs remain, and everything else becomes `_`. Names that a file
/// system might not distinguish get a number.
fn safe_names(names: &[String]) -> Vec<String> {
    let mut taken = HashSet::new();
    let names = names.iter().map(|name| {
        let safe = name.chars().map(|c| match c {
            c if c.is_alphanumeric() => c,
            ' ' | '-' | '+' | ',' | '.' | '\'' => c,
            _ => '_',
        });
        let safe: String = safe.take(LONGEST).collect();
        let safe = match safe.trim_matches([' ', '.']) {
            "" => "_",
            safe => safe,
        };
        let mut unique = safe.to_owned();
        let mut number = 1;
        // Case and accents are not distinguished, nor signs, so that more names than necessary get a number.
        while !taken.insert(fold(&unique)) {
            number += 1;
            unique = format!("{safe}-{number}");
        }
        unique
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_safe_and_distinct() {
        let names = [
            "Cup",
            "cup",
            "CÜP",
            "a/b\\c",
            "..",
            "",
            "../../etc/passwd",
            "nul\0l",
            "Čapkovič, Žofie",
            "C:\\",
            "cup-2",
            "\u{202e}gpj",
            "...",
        ];
        let names = names.map(str::to_owned);
        let safe = safe_names(&names);
        let expected = ["Cup", "cup-2", "CÜP-3", "a_b_c", "_"];
        assert_eq!(safe[..5], expected);
        for name in &safe {
            assert!(!name.contains(['/', '\\', ':', '\0', '\u{202e}']), "{name}");
            assert!(
                !name.starts_with('.') && !name.ends_with(['.', ' ']),
                "{name}"
            );
        }
        let folded: HashSet<String> = safe.iter().map(|name| name.to_lowercase()).collect();
        assert_eq!(folded.len(), names.len());
        let long = safe_names(&["ä".repeat(500), "ä".repeat(501)]);
        assert!(long.iter().all(|name| name.chars().count() <= LONGEST + 2));
        assert_ne!(long[0], long[1]);
    }
}
