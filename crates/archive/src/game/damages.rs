//! The faults of a record.

use crate::visit::Damage;

/// The maximum of findings of one kind stored for a game; more are only counted.
pub const MOST_FINDINGS: usize = 1_000;

/// The faults of a record: up to [`MOST_FINDINGS`] with their places, and the number of others.
///
/// ```
/// use tridex_archive::Damage;
/// use tridex_archive::game::Damages;
///
/// let mut damages = Damages::default();
/// damages.push(Damage::StrayBrace, 12, 1);
/// assert_eq!(damages.found(), [(Damage::StrayBrace, 12, 1)]);
/// assert_eq!(damages.more(), 0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Damages {
    found: Vec<(Damage, u64, usize)>,
    more: u64,
    more_lose: bool,
}

impl Damages {
    /// Adds a fault at an offset, with its length in bytes.
    pub fn push(&mut self, damage: Damage, at: u64, len: usize) {
        if self.found.len() < MOST_FINDINGS {
            self.found.push((damage, at, len));
        } else {
            self.more += 1;
            self.more_lose |= damage.is_lossy();
        }
    }

    /// The stored faults: the kind, the offset, and the length in bytes.
    pub fn found(&self) -> &[(Damage, u64, usize)] {
        &self.found
    }

    /// The number of faults that were only counted.
    pub const fn more(&self) -> u64 {
        self.more
    }

    /// Whether [text is lost](Damage::is_lossy) by one of these.
    pub const fn more_lose(&self) -> bool {
        self.more_lose
    }
}
