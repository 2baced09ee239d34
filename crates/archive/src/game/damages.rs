//! What is wrong with a record.

use crate::visit::Damage;

/// At most so many findings of one kind are kept of a game; the others are counted.
pub const MOST_FINDINGS: usize = 1_000;

/// What was wrong with a record: every place up to [`MOST_FINDINGS`], and how many more there were.
#[derive(Clone, Debug, Default)]
pub struct Damages {
    found: Vec<(Damage, u64, usize)>,
    more: u64,
    more_lose: bool,
}

impl Damages {
    /// Adds a place: what, the offset, and how many bytes.
    pub fn push(&mut self, damage: Damage, at: u64, len: usize) {
        if self.found.len() < MOST_FINDINGS {
            self.found.push((damage, at, len));
        } else {
            self.more += 1;
            self.more_lose |= damage.loses();
        }
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        self.found.clear();
        self.more = 0;
        self.more_lose = false;
    }

    /// The places that were kept: what is wrong, its offset, and how many bytes it takes.
    #[must_use]
    pub fn found(&self) -> &[(Damage, u64, usize)] {
        &self.found
    }

    /// How many were only counted.
    #[must_use]
    pub const fn more(&self) -> u64 {
        self.more
    }

    /// Whether [something is lost](Damage::loses) by one of these.
    #[must_use]
    pub const fn more_lose(&self) -> bool {
        self.more_lose
    }
}
