//! What a game is to the index.

use crate::bits::put_bytes;
use tridex_rules::{Move, Position, RuleSystem, Setup, SetupError};

/// The result a record claims.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum GameResult {
    /// `*`: unknown or unfinished.
    #[default]
    Unknown,
    /// `1-0`.
    White,
    /// `0-1`.
    Black,
    /// `1/2-1/2`.
    Draw,
}

impl GameResult {
    /// All results, in the order of their numbers in the index.
    pub const ALL: [Self; 4] = [Self::Unknown, Self::White, Self::Black, Self::Draw];

    /// How it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unknown => "*",
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// The result of its written form; `½-½`, `1/2` and `=` are draws too.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name.trim() {
            "1/2" | "½-½" | "=" => Some(Self::Draw),
            name => Self::ALL.into_iter().find(|result| result.name() == name),
        }
    }
}

/// A line of moves that leaves another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// The variation it leaves, as its place in [`GameEntry::variations`], which must be before this one's; `None` for
    /// the main line.
    pub parent: Option<u32>,
    /// After how many plies, counted from the start of the game, it leaves; its first move replaces the next move of
    /// the parent.
    pub ply: u32,
    /// Its moves, all legal.
    pub moves: Vec<Move>,
}

/// A game as it is handed to the index: replayed, every move found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameEntry {
    /// Its number in its source, from 1.
    pub number: u32,
    /// The rules it was played under.
    pub rules: RuleSystem,
    /// Where it starts; `None` for the start position of the rules.
    pub start: Option<Setup>,
    /// Tags in the order of the record. Known to the index, without regard to case: `White`, `Black`, `Event`, `Site`,
    /// `Date`, `Round`, `WhiteElo`, `BlackElo`; of a repeated tag the first counts. All are kept.
    pub tags: Vec<(String, String)>,
    /// The moves of the main line, all legal.
    pub moves: Vec<Move>,
    /// Other lines.
    pub variations: Vec<Variation>,
    /// Comments with the ply they follow (0: before the first move), in the order of the record.
    pub comments: Vec<(u32, String)>,
    /// The result.
    pub result: GameResult,
}

impl GameEntry {
    /// A game without tags that starts where the rules say.
    #[must_use]
    pub fn new(number: u32, rules: RuleSystem, moves: Vec<Move>) -> Self {
        Self {
            number,
            rules,
            start: None,
            tags: Vec::new(),
            moves,
            variations: Vec::new(),
            comments: Vec::new(),
            result: GameResult::Unknown,
        }
    }

    /// The value of a tag, by its name without regard to case; `None` also for `?`, which says that it is unknown.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        find_tag(&self.tags, name)
    }

    /// The position the game starts from.
    ///
    /// # Errors
    /// If it cannot be played under the rules of the game.
    pub fn start_position(&self) -> Result<Position, SetupError> {
        match &self.start {
            Some(setup) => Position::from_setup(self.rules, setup),
            None => Ok(Position::start(self.rules)),
        }
    }
}

pub(crate) fn find_tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter()
        .find(|(key, _)| key.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.trim())
        .filter(|value| !value.is_empty() && *value != "?")
}

/// A stable 64-bit hash of bytes: FNV-1a over words with a final mixing. It is our own, so that no library can change
/// what the games of an index are called.
#[must_use]
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut state = 0xCBF2_9CE4_8422_2325_u64 ^ bytes.len() as u64;
    let (words, rest) = bytes.as_chunks::<8>();
    let tail = rest
        .iter()
        .rev()
        .fold(0, |word, byte| word << 8 | u64::from(*byte));
    for word in words.iter().map(|w| u64::from_le_bytes(*w)).chain([tail]) {
        state = (state ^ word).wrapping_mul(0x0000_0100_0000_01B3);
        state ^= state >> 29;
    }
    let z = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// Appends tags in their order.
pub(crate) fn put_tags(out: &mut Vec<u8>, tags: &[(String, String)]) {
    crate::bits::put_varint(out, tags.len() as u64);
    for (name, value) in tags {
        put_bytes(out, name.as_bytes());
        put_bytes(out, value.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_never_changes() {
        assert_eq!(hash(b""), hash(b""));
        assert_ne!(hash(b"\0"), hash(b""));
        assert_ne!(hash(b"12345678"), hash(b"12345678\0"));
        // Pinned: games of existing indices are known by these numbers.
        assert_eq!(format!("{:016x}", hash(b"tridex")), "5c9283b5f4897723");
    }

    #[test]
    fn results_are_read_as_they_are_written() {
        for result in GameResult::ALL {
            assert_eq!(GameResult::from_name(result.name()), Some(result));
        }
        assert_eq!(GameResult::from_name("2-0"), None);
    }
}
