//! What a game is to the index.

use super::notes::Annotation;
use std::io::Read;
use tridex_archive::GameResult;
use tridex_rules::{Move, Position, RuleSystem, Setup, SetupError};

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
    /// `Date`, `Round`, `WhiteElo`, `BlackElo`; of a repeated tag the first counts. All are stored.
    pub tags: Vec<(String, String)>,
    /// The moves of the main line, all legal.
    pub moves: Vec<Move>,
    /// Other lines.
    pub variations: Vec<Variation>,
    /// What the record holds besides the moves of its main line, in its order; [`Scribe`](crate::Scribe) makes lines and notes that fit
    /// one another. Moves of the main line after the last note are not counted.
    pub notes: Vec<Annotation>,
    /// The result.
    pub result: GameResult,
}

impl GameEntry {
    /// A game without tags that starts where the rules say.
    ///
    /// ```
    /// use tridex_index::{GameEntry, read_moves};
    /// use tridex_rules::RuleSystem;
    ///
    /// let mut game = GameEntry::new(1, RuleSystem::Chess3, read_moves(RuleSystem::Chess3, "1B2-1B4")?);
    /// game.tags.push(("White".into(), "Kirk".into()));
    /// assert_eq!((game.tag("white"), game.tag("Black")), (Some("Kirk"), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(number: u32, rules: RuleSystem, moves: Vec<Move>) -> Self {
        Self {
            number,
            rules,
            start: None,
            tags: Vec::new(),
            moves,
            variations: Vec::new(),
            notes: Vec::new(),
            result: GameResult::Unknown,
        }
    }

    /// The value of a tag, by its name without regard to case; `None` also for `?`, which means unknown.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        find_tag(&self.tags, name)
    }

    /// The position the game starts from.
    ///
    /// ```
    /// use tridex_index::GameEntry;
    /// use tridex_rules::{Position, RuleSystem};
    ///
    /// let game = GameEntry::new(1, RuleSystem::Meder, Vec::new());
    /// assert_eq!(game.start_position()?, Position::start(RuleSystem::Meder));
    /// # Ok::<(), tridex_rules::SetupError>(())
    /// ```
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

/// How many bytes are hashed at a time.
const HASHED: u64 = 1 << 16;

/// A hash of all bytes of a stream that no library can change: what [`Writer::stamp`](crate::Writer::stamp) may be made of.
/// It is not made against people who look for two texts of one hash.
///
/// # Errors
/// As reading.
pub fn content_hash(mut input: impl Read) -> std::io::Result<u64> {
    let mut state = 0;
    let mut block = Vec::with_capacity(HASHED as usize);
    loop {
        block.clear();
        input.by_ref().take(HASHED).read_to_end(&mut block)?;
        state = hash([state, hash(&block)].map(u64::to_le_bytes).as_flattened());
        if (block.len() as u64) < HASHED {
            return Ok(state);
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
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    words.chain([tail]).for_each(|word| {
        state = (state ^ word).wrapping_mul(0x0000_0100_0000_01B3);
        state ^= state >> 29;
    });
    let z = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
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
    fn the_hash_of_a_stream_does_not_depend_on_its_portions() {
        let bytes: Vec<u8> = (0..200_000_u32).map(|n| (n % 251) as u8).collect();
        // A stream that gives no more than this number of bytes at a time.
        struct Portions<'a>(usize, &'a [u8]);
        impl Read for Portions<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let length = buffer.len().min(self.0);
                self.1.read(&mut buffer[..length])
            }
        }
        let of = |portion, bytes| content_hash(Portions(portion, bytes)).unwrap();
        let whole = of(bytes.len(), &bytes);
        for portion in [7, 1_000, 65_536, 70_000] {
            assert_eq!(of(portion, &bytes), whole);
        }
        let mut other = bytes.clone();
        other[65_536] ^= 1;
        assert_ne!(of(1_000, &other), whole);
        assert_ne!(of(1_000, &bytes[..199_999]), whole);
        // Pinned: what was read is recognised by these numbers.
        assert_eq!(format!("{whole:016x}"), "41e495b2e3151ab5");
        assert_eq!(
            format!("{:016x}", of(7, &bytes[..131_072])),
            "34a14a1828a57098"
        );
    }
}
