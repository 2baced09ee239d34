//! What the numbers before the moves of a main line say of moves that are missing, or too many.

use super::damages::MOST_FINDINGS;

/// A number in front of a move that is not the number of that move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misnumbered {
    /// The number that stands there.
    pub found: u32,
    /// The number of the move that is due.
    pub due: u32,
    /// Black's move is due where White's number stands.
    pub black_is_due: bool,
    /// It is the first number of the game.
    pub is_first: bool,
    /// Its offset in the source.
    pub at: u64,
    /// How many bytes it takes.
    pub len: usize,
    /// How many plies stand before it.
    pub plies: i64,
    /// How many stand before the last number that followed.
    pub since: i64,
    /// How many half moves are missing before it, if it is right; less than 0 for those too many.
    pub shift: i64,
    /// Whether the next number follows it.
    pub holds: bool,
}

/// What the numbers of a game say of moves that are missing, or too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// Nothing: there are none.
    Absent,
    /// All moves are there.
    Sound,
    /// The first number is not that of the first move: a line may be missing before it.
    Late,
    /// Before this number some are missing.
    Gap(Misnumbered),
}

/// The numbers of the moves of a main line, counted in half moves from the number 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    /// The half move that the first move was, by the number before it.
    first: Option<i64>,
    /// The same by the last number that did not follow. Should the next agree with it, a line of the sheet is missing;
    /// should it not, one number was wrong.
    other: Option<i64>,
    /// Where the last number stands that did not follow, in plies.
    other_at: i64,
    /// What `other` was before the numbers there.
    earlier: Option<i64>,
    /// How many plies stand before the last number that followed.
    since: i64,
    pub(super) wrong: Vec<Misnumbered>,
}

impl Numbers {
    pub(super) fn clear(&mut self) {
        self.first = None;
        self.other = None;
        self.other_at = 0;
        self.earlier = None;
        self.since = 0;
        self.wrong.clear();
    }

    #[inline]
    pub(super) fn take(&mut self, text: &[u8], at: u64, moves: i64) {
        let mut found = 0_u32;
        let mut digits = 0;
        for byte in text.iter().take(6) {
            let digit = match byte {
                b'0'..=b'9' => byte - b'0',
                // The reader takes these letters for ones.
                b'l' | b'I' => 1,
                _ => break,
            };
            found = found * 10 + u32::from(digit);
            digits += 1;
        }
        let is_black = text.get(digits..digits + 2) == Some(b"..");
        self.take_half(found * 2 + u32::from(is_black), text.len(), at, moves);
    }

    /// The same of a number in half moves.
    #[inline]
    pub(super) fn take_half(&mut self, half: u32, len: usize, at: u64, moves: i64) {
        let found = half / 2;
        match self.first {
            Some(first) if (first + moves) >> 1 == i64::from(found) => {
                self.other = None;
                self.since = moves;
            }
            _ => self.stray(found, i64::from(half), moves, at, len),
        }
    }

    #[cold]
    fn stray(&mut self, found: u32, half: i64, moves: i64, at: u64, len: usize) {
        let Some(first) = self.first else {
            self.first = Some(half - moves);
            if half - moves != 2 {
                self.tell(found, [2 + moves, half, moves], true, at, len);
            }
            return;
        };
        if self
            .other
            .is_some_and(|other| (other + moves) >> 1 == half >> 1)
        {
            self.first = self.other.take();
            self.since = moves;
            if let Some(last) = self.wrong.last_mut() {
                last.holds = true;
            }
            return;
        }
        if self.other_at != moves {
            self.earlier = self.other;
        }
        self.other = Some(half - moves);
        self.other_at = moves;
        self.tell(found, [first + moves, half, moves], false, at, len);
    }

    /// Takes back what was told of numbers behind the last move, of which there are so many: a printed sheet has numbers
    /// for more moves than were played, and no move can be missing before one that was never made.
    pub(super) fn close(&mut self, moves: i64) {
        self.wrong.retain(|wrong| wrong.plies < moves);
        if self.other.is_some() && self.other_at >= moves {
            self.other = self.earlier;
        }
    }

    /// What the numbers say of moves that are missing.
    pub(super) fn say(&self) -> Numbering {
        if self.first.is_none() || self.since == 0 {
            return Numbering::Absent;
        }
        // Where no number follows, it may be the number that is wrong.
        let last = self.wrong.last().filter(|_| self.other.is_some());
        let gap = self.wrong.iter().find(|wrong| wrong.holds).or(last);
        match gap {
            Some(gap) if gap.is_first => Numbering::Late,
            Some(gap) => Numbering::Gap(*gap),
            None if self.wrong.iter().any(|wrong| wrong.is_first) => Numbering::Late,
            None => Numbering::Sound,
        }
    }

    fn tell(
        &mut self,
        found: u32,
        [due, half, plies]: [i64; 3],
        is_first: bool,
        at: u64,
        len: usize,
    ) {
        if self.wrong.len() < MOST_FINDINGS {
            self.wrong.push(Misnumbered {
                found,
                due: u32::try_from(due >> 1).unwrap_or(0),
                black_is_due: due & 1 == 1 && half & 1 == 0,
                is_first,
                at,
                len,
                plies,
                since: self.since,
                // A number of White's may stand before a move of Black's, dots and all left out.
                shift: half - due,
                holds: false,
            });
        }
    }
}
