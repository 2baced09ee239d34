//! A game as it is added to the index.

use crate::model::annotation::Annotation;
use crate::model::ending::GameEnding;
use std::io::Read;
use tridex_archive::GameResult;
use tridex_rules::{Move, Outcome, Position, RuleSystem, Setup, SetupError};

/// A variation: a line of moves that leaves another line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// The variation that this one leaves, as an index into [`GameEntry::variations`]; it must be smaller than this
    /// one's own. `None` for the main line.
    pub parent: Option<u32>,
    /// The number of plies from the start of the game after which this variation leaves its parent. Its first move
    /// replaces the parent's next move.
    pub ply: u32,
    /// Its moves, all legal.
    pub moves: Vec<Move>,
}

/// A game to be added to the index. It was replayed, and all its moves are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameEntry {
    /// Its number in its source, from 1.
    pub number: u32,
    /// The rules it was played under.
    pub rules: RuleSystem,
    /// The start position; `None` for that of the rules.
    pub start: Option<Setup>,
    /// The tags in the order of the record. Their names are matched without regard to case. The first of repeated tags
    /// counts in searches. All tags are stored.
    pub tags: Vec<(String, String)>,
    /// The moves of the main line, all legal.
    pub moves: Vec<Move>,
    /// The variations.
    pub variations: Vec<Variation>,
    /// Everything in the record besides the moves of the main line, in order. [`GameEntryBuilder`](crate::GameEntryBuilder) produces
    /// variations and notes that agree. Moves of the main line after the last note are not counted in the notes.
    pub notes: Vec<Annotation>,
    /// The result.
    pub result: GameResult,
    /// How the rules end the game, if they do: see [`GameEntry::replayed_ending`]. Only an ending for which
    /// [`GameEnding::is_by_rules`] holds is stored. Another ending is found in the tags and the notes.
    pub ending: Option<GameEnding>,
}

impl GameEntry {
    /// Creates a game without tags that begins at the start position of its rules.
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
            ending: None,
        }
    }

    /// Returns the value of a tag, whose name is matched without regard to case. Returns `None` also for `?`, which
    /// means unknown.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        find_tag(&self.tags, name)
    }

    /// Returns the position the game starts from.
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
    /// Returns an error if the start position is invalid under the game's rules.
    pub fn start_position(&self) -> Result<Position, SetupError> {
        match &self.start {
            Some(setup) => Position::from_setup(self.rules, setup),
            None => Ok(Position::start(self.rules)),
        }
    }

    /// Replays the game and returns how the rules end it; `None` if the last position does not end it, or if the start
    /// cannot be played.
    ///
    /// ```
    /// use tridex_index::{GameEntry, read_moves};
    /// use tridex_rules::RuleSystem;
    ///
    /// let game = GameEntry::new(1, RuleSystem::Meder, read_moves(RuleSystem::Meder, "b4N b5B")?);
    /// assert_eq!(game.replayed_ending(), None);
    /// # Ok::<(), String>(())
    /// ```
    #[must_use]
    pub fn replayed_ending(&self) -> Option<GameEnding> {
        let mut position = self.start_position().ok()?;
        let mut keys = vec![position.key()];
        for m in &self.moves {
            position.play_unchecked(*m);
            keys.push(position.key());
        }
        let repeated = keys.iter().filter(|key| **key == position.key()).count() > 2;
        let is_drawn = repeated && self.rules.facts().repetition_ends;
        let repeated = is_drawn.then_some(Outcome::Repetition);
        position.outcome().or(repeated).map(GameEnding::from)
    }
}

/// How many bytes are hashed at a time.
const HASHED: u64 = 1 << 16;

/// Returns a hash of all bytes of a stream, such as [`Writer::stamp`](crate::Writer::stamp) may be made of. It is
/// stable: no version of a library can change it. It is not collision-resistant against attackers.
///
/// # Errors
/// Returns the errors of the stream.
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

/// A stable 64-bit hash of bytes: FNV-1a over words, with a final mixing step. It is our own, because no library may
/// change the ids of games in existing indices.
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
        // Pinned: these numbers identify the games of existing indices.
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
        // Pinned: these numbers identify sources that were read before.
        assert_eq!(format!("{whole:016x}"), "41e495b2e3151ab5");
        assert_eq!(
            format!("{:016x}", of(7, &bytes[..131_072])),
            "34a14a1828a57098"
        );
    }
}
