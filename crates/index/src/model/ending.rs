//! How a game ended.

use tridex_rules::Outcome;
use tridex_text::names::fold;
use tridex_words::{Context, meaning};

tridex_text::enum_table! {
    /// How a game ended: by the rules, or as its record states.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum GameEnding(
        /// Its name in queries.
        name: &'static str
    ) {
        /// Mate.
        Mate("mate"),
        /// Stalemate.
        Stalemate("stalemate"),
        /// The last position occurred for the third time.
        Repetition("repetition"),
        /// Neither side can ever mate.
        Material("material"),
        /// A player resigned.
        Resignation("resignation"),
        /// A player ran out of time.
        Time("time"),
        /// The players agreed on a draw.
        Agreement("agreement"),
    }
}

/// A comment after the last move states how the game ended if all its words are known, and there are no more than these.
const MOST_WORDS: usize = 8;

impl GameEnding {
    /// Returns the ending of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ending| ending.name() == name)
    }

    /// Whether the rules end the game, so that the record need not state it.
    #[must_use]
    pub const fn is_by_rules(self) -> bool {
        matches!(
            self,
            Self::Mate | Self::Stalemate | Self::Repetition | Self::Material
        )
    }

    /// Its number on disk; 0 means unknown.
    pub(crate) const fn code(self) -> u64 {
        self as u64 + 1
    }

    /// The ending with a number on disk.
    pub(crate) fn of_code(code: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|ending| ending.code() == code)
    }

    /// What the tag `Termination` states.
    pub(crate) fn of_tag(text: &str) -> Option<Self> {
        let words = fold(text);
        let words: Vec<&str> = words.split_ascii_whitespace().collect();
        Self::of_words(&words)
    }

    /// What a comment after the last move states, if it states nothing else.
    pub(crate) fn of_comment(text: &str) -> Option<Self> {
        if text.len() > 64 {
            return None;
        }
        let words = fold(text);
        let words: Vec<&str> = words.split_ascii_whitespace().collect();
        let is_known = |word: &&str| meaning(Context::Ending, word).is_some();
        match words.len() <= MOST_WORDS && words.iter().all(is_known) {
            true => Self::of_words(&words),
            false => None,
        }
    }

    fn of_words(words: &[&str]) -> Option<Self> {
        let has = |wanted| {
            let mut meanings = words.iter().map(|word| meaning(Context::Ending, word));
            meanings.any(|meaning| meaning == Some(wanted))
        };
        let is_resigned = has("resigns") || has("gives") && has("up");
        let is_noun = |word: &&str| word.starts_with("resignation");
        match () {
            () if has("flag") => Some(Self::Time),
            () if is_resigned || words.iter().any(is_noun) => Some(Self::Resignation),
            () if has("agreed") || words.contains(&"agreement") => Some(Self::Agreement),
            () => None,
        }
    }
}

impl From<Outcome> for GameEnding {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Checkmate { .. } => Self::Mate,
            Outcome::Stalemate => Self::Stalemate,
            Outcome::Material => Self::Material,
            Outcome::Repetition => Self::Repetition,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_state_the_end_are_understood() {
        for (tag, ending) in [
            ("time forfeit", Some(GameEnding::Time)),
            ("Time forfeit", Some(GameEnding::Time)),
            ("normal", None),
            ("Kirk won by resignation", Some(GameEnding::Resignation)),
            ("Spock won on time", Some(GameEnding::Time)),
            ("Game drawn by agreement", Some(GameEnding::Agreement)),
            ("abandoned", None),
            ("", None),
        ] {
            assert_eq!(GameEnding::of_tag(tag), ending, "{tag}");
        }
        for (comment, ending) in [
            ("Black resigns", Some(GameEnding::Resignation)),
            ("aufgegeben", Some(GameEnding::Resignation)),
            ("draw agreed", Some(GameEnding::Agreement)),
            ("White wins on time", Some(GameEnding::Time)),
            ("a good time to resign", None),
            ("the sealed move", None),
        ] {
            assert_eq!(GameEnding::of_comment(comment), ending, "{comment}");
        }
        for ending in GameEnding::ALL {
            assert_eq!(GameEnding::of_code(ending.code()), Some(ending));
            assert_eq!(GameEnding::from_name(ending.name()), Some(ending));
        }
        assert_eq!(GameEnding::of_code(0), None);
    }
}
