//! Blanks that are missing or superfluous: two moves written as one token, or one move as two.

use super::{Edit, Search, cost};
use crate::frontier::Way;
use crate::style::Style;
use std::rc::Rc;
use tridex_archive::game::Misnumbered;
use tridex_rules::{Move, Position};

/// The slip of two moves without a blank between them.
pub(in crate::explain) const GLUED: &str = "two moves written as one";
/// The slip of a move with a blank in it.
const SPLIT: &str = "a move written as two";
/// Signs that somebody may write between two moves.
const BETWEEN: [char; 8] = ['-', '\u{2013}', '\u{2014}', ',', '.', '/', ';', '|'];
/// The longest token that is divided, and the shortest move.
const LONGEST: usize = 24;
const SHORTEST: usize = 2;

impl Search<'_> {
    /// Tries hypotheses about the token that breaks the game. The move numbers in `gap` may show whether a move is
    /// missing or superfluous there.
    pub(super) fn blanks(&mut self, gap: Option<&Misnumbered>) {
        let Some(broken) = self.ways.len().checked_sub(1) else {
            return;
        };
        let assumed = |missing: i64, index: usize| {
            let is_told = gap.is_some_and(|gap| {
                gap.found - gap.expected == missing
                    && (gap.since..=gap.plies).contains(&(index as i64))
            });
            match is_told {
                true => cost::BLANK_NUMBERED,
                false => cost::BLANK + self.misnumbered,
            }
        };
        let (glued, split) = (assumed(1, broken), assumed(-1, broken));
        self.glued(broken, glued);
        self.split(broken, split);
        if let Some(before) = broken.checked_sub(1) {
            self.split(before, split);
        }
    }

    /// Tries the hypothesis that a token is two moves.
    fn glued(&mut self, index: usize, assumed: u32) {
        let Ok(token) = std::str::from_utf8(self.sheet.written(index)) else {
            return;
        };
        if token.len() > LONGEST || token.len() < 2 * SHORTEST {
            return;
        }
        for way in Rc::clone(&self.ways[index]).iter() {
            for (at, _) in token.char_indices() {
                let (first, second) = token.split_at(at);
                let (first, second) = (
                    first.trim_end_matches(BETWEEN),
                    second.trim_start_matches(BETWEEN),
                );
                if first.len() < SHORTEST || second.len() < SHORTEST || !self.sheet.spend(1) {
                    continue;
                }
                let Some((white, after)) = self.play(&way.position, first) else {
                    continue;
                };
                let Some((black, last)) = self.play(&after, second) else {
                    continue;
                };
                let texts = [(&way.position, white), (&after, black)]
                    .map(|(position, mv)| self.spelled(position, mv));
                let [Some(white), Some(black)] = texts else {
                    continue;
                };
                let mut ways = vec![Way::new(last, way.cost + assumed)];
                if let Ok(cost) = self.rest(&mut ways, self.limit(), index + 1) {
                    let edits = vec![
                        Edit::new(index, false, white, GLUED),
                        Edit::new(index + 1, true, black, GLUED),
                    ];
                    self.add(cost, edits);
                }
            }
        }
    }

    /// Tries the hypothesis that a token and the next one are one move.
    fn split(&mut self, index: usize, assumed: u32) {
        if index >= self.ways.len() {
            return;
        }
        let (first, second) = (self.sheet.written(index), self.sheet.written(index + 1));
        if first.is_empty() || second.is_empty() || first.len() + second.len() > LONGEST {
            return;
        }
        let token = [first, second].concat();
        let Ok(token) = std::str::from_utf8(&token) else {
            return;
        };
        for way in Rc::clone(&self.ways[index]).iter() {
            let Some((mv, after)) = self.play(&way.position, token) else {
                continue;
            };
            let Some(text) = self.spelled(&way.position, mv) else {
                continue;
            };
            let mut ways = vec![Way::new(after, way.cost + assumed)];
            if let Ok(cost) = self.rest(&mut ways, self.limit(), index + 2) {
                let edits = vec![
                    Edit::new(index, false, text, SPLIT),
                    Edit::new(index + 1, false, String::new(), SPLIT),
                ];
                self.add(cost, edits);
            }
        }
    }

    /// The only legal move that a text can mean in the style of the player to move, and the position after it.
    fn play(&self, position: &Position, text: &str) -> Option<(Move, Position)> {
        let hand: Style = self.sheet.reading.hands[position.turn() as usize];
        let meaning = hand.word(text.as_bytes())?;
        let moves = hand.candidates(&meaning, position);
        let [only] = *moves else {
            return None;
        };
        let mut after = position.clone();
        after.play_unchecked(only);
        Some((only, after))
    }
}
