//! Finds missing and extra moves of a main line by its move numbers.

use super::MOST_FINDINGS;
use super::columns::{Numbered, by_column};
use super::rows;

/// A move number that is not the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misnumbered {
    /// The number found, in half moves: two for each move, and one more for Black's.
    pub found: i64,
    /// The expected number, in half moves. If it is Black's, White's number may be found, with the dots omitted.
    pub expected: i64,
    /// It is the first number of the game.
    pub is_first: bool,
    /// Its offset in the source.
    pub at: u64,
    /// Its length in bytes.
    pub len: usize,
    /// The number of plies before it.
    pub plies: i64,
    /// The number of plies before the last expected number.
    pub since: i64,
    /// Whether the next number agrees with it.
    pub holds: bool,
}

/// Whether moves of a game are missing, by its numbers.
///
/// ```
/// use tridex_archive::game::{self, Numbering};
/// use tridex_archive::{Limits, pgn};
///
/// let games = game::collect(|v| {
///     pgn::read_games(b"1. b4N b5B 3. c3W c6B 4. b5N *", 0, &Limits::default(), v);
/// });
/// let Numbering::Gap(gap) = games[0].numbers.numbering() else { panic!() };
/// assert_eq!((gap.found, gap.expected), (6, 4));
/// assert_eq!(games[0].numbers.wrong, [gap]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// Unknown: no number after the first move agrees with the numbers before it.
    Absent,
    /// No move is missing.
    Sound,
    /// The first number is not that of the first move: a line may be missing before it.
    Late,
    /// Moves are missing before this number, or superfluous.
    Gap(Misnumbered),
    /// No number is unexpected, but there is one move too many before this one, which is White's after a move of
    /// White.
    Surplus(Misnumbered),
}

/// The numbers of the moves of a main line, counted in half moves from the number 0.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// The number of the first move, in half moves, according to the first number or to later ones that agree.
    first: Option<i64>,
    /// The same according to the last unexpected number. If the next number agrees, a line of the sheet is missing. If
    /// not, only that number is wrong.
    other: Option<i64>,
    /// The number of plies before the last unexpected number.
    other_at: i64,
    /// The value of `other` before the unexpected numbers at `other_at`.
    earlier: Option<i64>,
    /// The number of plies before the last expected number.
    since: i64,
    /// The last expected number, in half moves.
    last: u32,
    /// The first number of White's move before a move of Black, without the same number before.
    surplus: Option<Misnumbered>,
    /// The numbers that are not the expected ones.
    pub wrong: Vec<Misnumbered>,
    /// All numbers, if the second one is not the expected one: they may be those of columns side by side.
    all: Vec<Numbered>,
}

impl Numbers {
    /// Adds a number, whose text is `len` bytes long.
    #[inline]
    pub(super) fn take(&mut self, number: Numbered, len: usize) {
        match self.first {
            Some(first) if (first + number.plies) >> 1 == i64::from(number.half / 2) => {
                if first + number.plies == i64::from(number.half) + 1 && number.half != self.last {
                    self.put_surplus(number, len);
                }
                self.other = None;
                self.since = number.plies;
                self.last = number.half;
                if self.all.len() > 1 {
                    self.store(number);
                } else {
                    self.all.clear();
                }
            }
            _ => self.stray(number, len),
        }
    }

    #[cold]
    fn put_surplus(&mut self, number: Numbered, len: usize) {
        let (found, plies) = (i64::from(number.half), number.plies);
        let since = self.since;
        self.surplus.get_or_insert(Misnumbered {
            found,
            expected: found + 1,
            is_first: false,
            at: number.at,
            len,
            plies,
            since,
            holds: false,
        });
    }

    #[cold]
    fn store(&mut self, number: Numbered) {
        if self.all.len() < MOST_FINDINGS {
            self.all.push(number);
        }
    }

    /// The order in which the numbers are to be read, if they are those of columns side by side. `plies` is the length of the
    /// main line.
    pub(super) fn columns(&self, plies: i64) -> Option<Vec<usize>> {
        by_column(&self.all, plies)
    }

    /// The order in which the moves are to be read, if each has a number and White's are before Black's.
    pub(super) fn sides(&self, plies: i64) -> Option<Vec<usize>> {
        rows::by_numbers(&self.all, plies)
    }

    /// Whether several numbers are in a row, without moves between them, or there are none, so that a row of moves may be
    /// those of one player.
    pub(super) fn may_have_rows(&self) -> bool {
        let first = self.all.first().zip(self.all.get(1));
        self.first.is_none() || first.is_some_and(|(one, next)| one.plies == next.plies)
    }

    /// The rows of numbers without moves between them: how many numbers each has, and how many plies are before it.
    /// `None` if the numbers do not follow each other.
    pub(super) fn groups(&self) -> Option<Vec<(usize, i64)>> {
        let mut groups: Vec<(usize, i64)> = Vec::new();
        for (index, number) in self.all.iter().enumerate() {
            let before = index.checked_sub(1).map(|before| self.all[before].half);
            if number.half % 2 > 0 || before.is_some_and(|before| before + 2 != number.half) {
                return None;
            }
            match groups.last_mut() {
                Some((count, plies)) if *plies == number.plies => *count += 1,
                _ => groups.push((1, number.plies)),
            }
        }
        Some(groups)
    }

    /// Takes the numbers in another order; returns them in the order in which they were written.
    pub(super) fn reorder(&mut self, order: &[usize], plies: i64) -> Vec<Numbered> {
        let all = std::mem::take(&mut self.all);
        let end = |index: usize| all.get(index + 1).map_or(plies, |next| next.plies);
        let count = |index: &usize| {
            all.get(*index)
                .map_or(0, |number| end(*index) - number.plies)
        };
        let played = order
            .iter()
            .rposition(|index| count(index) > 0)
            .unwrap_or(0);
        let mut before = order.iter().take(played);
        if order.len() == all.len() && before.any(|index| count(index) != 2) {
            // A move is missing: the numbers after it show which.
            *self = Self::default();
            let mut moves = 0;
            for index in order.iter().take(played + 1) {
                if let Some(number) = all.get(*index) {
                    let len = (number.half / 2).to_string().len() + 1;
                    let plies = moves;
                    self.take(Numbered { plies, ..*number }, len);
                }
                moves += count(index);
            }
            self.all.clear();
            return all;
        }
        let first = order.first().and_then(|first| all.get(*first));
        *self = Self {
            first: first.map(|number| i64::from(number.half)),
            since: plies,
            ..Self::default()
        };
        all
    }

    #[cold]
    fn stray(&mut self, number: Numbered, len: usize) {
        let Numbered {
            half, plies, at, ..
        } = number;
        let (half, moves) = (i64::from(half), plies);
        let is_first = self.first.is_none();
        if is_first || !self.all.is_empty() {
            self.store(number);
        }
        let expected = self.first.unwrap_or(2) + moves;
        let number = |first: i64| (first + moves) >> 1;
        if is_first {
            self.first = Some(half - moves);
            if half == expected {
                return;
            }
        } else if self.other.map(number) == Some(half >> 1) {
            self.first = self.other.take();
            self.since = moves;
            if let Some(last) = self.wrong.last_mut() {
                last.holds = true;
            }
            return;
        } else {
            if self.other_at != moves {
                self.earlier = self.other;
            }
            self.other = Some(half - moves);
            self.other_at = moves;
        }
        if self.wrong.len() < MOST_FINDINGS {
            self.wrong.push(Misnumbered {
                found: half,
                expected,
                is_first,
                at,
                len,
                plies: moves,
                since: self.since,
                holds: false,
            });
        }
    }

    /// Removes the findings about numbers after the last move: a printed sheet has numbers for more moves than were
    /// played.
    pub(super) fn close(&mut self, moves: i64) {
        self.wrong.retain(|wrong| wrong.plies < moves);
        if self.other.is_some() && self.other_at >= moves {
            self.other = self.earlier;
        }
    }

    /// Whether moves are missing.
    pub fn numbering(&self) -> Numbering {
        if self.first.is_none() || self.since == 0 {
            return Numbering::Absent;
        }
        // The last unexpected number counts if no number follows it, though it may be wrong itself.
        let last = self.wrong.last().filter(|_| self.other.is_some());
        let gap = self.wrong.iter().find(|wrong| wrong.holds).or(last);
        match gap {
            Some(gap) if gap.is_first => Numbering::Late,
            Some(gap) => Numbering::Gap(*gap),
            None if self.wrong.iter().any(|wrong| wrong.is_first) => Numbering::Late,
            None => self.surplus.map_or(Numbering::Sound, Numbering::Surplus),
        }
    }
}
