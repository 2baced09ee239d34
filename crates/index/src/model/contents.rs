//! What a record has besides its moves: comments, marks, clocks, evaluations, and words about its end.

use crate::model::annotation::Annotation;
use crate::model::ending::GameEnding;
use crate::model::entry::GameEntry;
use std::collections::BTreeSet;
use tridex_archive::Item;

tridex_text::enum_table! {
    /// What a record may have besides its moves.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Content(
        /// Its name in queries.
        name: &'static str
    ) {
        /// A comment with text besides commands such as `[%clk 0:05:00]`.
        Comments("comments"),
        /// A variation.
        Variations("variations"),
        /// A NAG, or a sign such as `!?`.
        Nags("nags"),
        /// A time on a clock.
        Clocks("clocks"),
        /// An evaluation.
        Evals("evals"),
    }
}

impl Content {
    /// Returns the content of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|content| content.name() == name)
    }
}

/// The signs that PGN has numbers for, from 1.
const SIGNS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// The NAG of a sign such as `!?`.
pub(crate) fn nag_of(signs: &str) -> Option<u8> {
    (1..)
        .zip(SIGNS)
        .find(|(_, known)| *known == signs)
        .map(|(nag, _)| nag)
}

/// The greatest number of seconds and of hundredths that a column has. Greater ones count as these.
const MOST: u32 = 65_534;
/// The evaluation of a forced mate, in hundredths of a pawn.
const MATE: i32 = 10_000;

/// What a record has besides its moves.
#[derive(Default, Debug)]
pub(crate) struct Contents {
    /// In the order of [`Content::ALL`].
    has: [bool; Content::ALL.len()],
    pub(crate) nags: BTreeSet<u8>,
    /// The least time on a clock in the main line, in seconds.
    pub(crate) least_clock: Option<u32>,
    /// The most that a move of the main line lost by the evaluations before and after it, in hundredths of a pawn.
    pub(crate) greatest_drop: Option<u32>,
    /// How the record states that the game ended.
    pub(crate) ending: Option<GameEnding>,
}

impl Contents {
    pub(crate) fn of(entry: &GameEntry) -> Self {
        let mut found = Self::default();
        found.set(Content::Variations, !entry.variations.is_empty());
        let (mut depth, mut plies) = (0_u32, 0_usize);
        let mut last_eval: Option<(usize, i32)> = None;
        let white_begins = entry
            .start
            .as_ref()
            .is_none_or(|setup| setup.turn.is_white());
        for note in &entry.notes {
            match note {
                Annotation::Moves(count) if depth == 0 => {
                    plies += *count as usize;
                    found.ending = None;
                }
                Annotation::Signs(signs) => {
                    found.set(Content::Nags, true);
                    found.nags.extend(nag_of(signs));
                }
                Annotation::Item(Item::Nag(nag)) => {
                    found.set(Content::Nags, true);
                    found.nags.insert(*nag);
                }
                Annotation::Item(Item::VariationStart) => depth += 1,
                Annotation::Item(Item::VariationEnd) => depth = depth.saturating_sub(1),
                Annotation::Item(Item::Word(text)) if depth == 0 => {
                    found.ending = found.ending.or(GameEnding::of_comment(text));
                }
                note => {
                    let Some(comment) = note.comment() else {
                        continue;
                    };
                    let eval = found.comment(comment, depth == 0);
                    if depth > 0 {
                        continue;
                    }
                    found.ending = found.ending.or(GameEnding::of_comment(comment));
                    let Some(eval) = eval else {
                        continue;
                    };
                    if let Some((before, last)) = last_eval
                        && before + 1 == plies
                    {
                        // The evaluation is White's. A move loses what its player's evaluation falls.
                        let is_white = (before % 2 == 0) == white_begins;
                        let lost = if is_white { last - eval } else { eval - last };
                        let lost = u32::try_from(lost).unwrap_or(0).min(MOST);
                        found.greatest_drop = found.greatest_drop.max(Some(lost));
                    }
                    last_eval = Some((plies, eval));
                }
            }
        }
        // Moves after the last note are not counted in the notes, so what was stated before them is not the end.
        if plies < entry.moves.len() {
            found.ending = None;
        }
        let tag = entry.tag("Termination").and_then(GameEnding::of_tag);
        found.ending = entry.ending.or(tag).or(found.ending);
        found
    }

    fn set(&mut self, content: Content, has: bool) {
        self.has[content as usize] |= has;
    }

    /// Reads the commands of a comment, and returns its evaluation.
    fn comment(&mut self, comment: &str, is_main: bool) -> Option<i32> {
        let (mut rest, mut has_text, mut evaluated) = (comment, false, None);
        while let Some((before, after)) = rest.split_once("[%") {
            has_text |= !before.trim().is_empty();
            let Some((command, next)) = after.split_once(']') else {
                has_text = true;
                rest = "";
                break;
            };
            let (name, value) = command.split_once(' ').unwrap_or((command, ""));
            match name {
                "clk" => {
                    if let Some(time) = seconds(value.trim()) {
                        self.set(Content::Clocks, true);
                        let least = self.least_clock.unwrap_or(u32::MAX).min(time);
                        self.least_clock = is_main.then_some(least).or(self.least_clock);
                    }
                }
                "eval" => {
                    if let Some(eval) = evaluation(value.trim()) {
                        self.set(Content::Evals, true);
                        evaluated = Some(eval);
                    }
                }
                _ => {}
            }
            rest = next;
        }
        self.set(Content::Comments, has_text || !rest.trim().is_empty());
        evaluated
    }

    /// What the record has.
    pub(crate) fn all(&self) -> impl Iterator<Item = Content> {
        let has = Content::ALL.into_iter().zip(self.has);
        has.filter(|(_, has)| *has).map(|(content, _)| content)
    }
}

/// Reads a time on a clock, such as `0:05:00` or `1:29.5`, in whole seconds.
fn seconds(text: &str) -> Option<u32> {
    let whole = text.split_once('.').map_or(text, |(whole, _)| whole);
    let mut seconds = 0_u32;
    for part in whole.split(':') {
        if part.is_empty() || part.len() > 5 || !part.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        seconds = seconds.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    Some(seconds.min(MOST))
}

/// Reads an evaluation in pawns, such as `-0.34`, or a mate in a number of moves, such as `#-3`, in hundredths of a
/// pawn. A depth may follow a comma.
fn evaluation(text: &str) -> Option<i32> {
    let text = text.split(',').next()?.trim();
    if let Some(mate) = text.strip_prefix('#') {
        let moves: i32 = mate.parse().ok()?;
        return Some(if moves < 0 || mate.starts_with('-') {
            -MATE
        } else {
            MATE
        });
    }
    let pawns: f64 = text.parse().ok().filter(|pawns: &f64| pawns.is_finite())?;
    Some(
        (pawns * 100.0)
            .round()
            .clamp(f64::from(-MATE), f64::from(MATE)) as i32,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_and_evaluations_are_read() {
        for (text, time) in [
            ("0:05:00", Some(300)),
            ("1:29:44", Some(5_384)),
            ("0:00:59.9", Some(59)),
            ("1:30", Some(90)),
            ("7", Some(7)),
            ("99999:00:00", Some(65_534)),
            ("x", None),
            ("1::2", None),
            ("", None),
        ] {
            assert_eq!(seconds(text), time, "{text}");
        }
        for (text, eval) in [
            ("0.34", Some(34)),
            ("-1.5,20", Some(-150)),
            ("#3", Some(10_000)),
            ("#-3", Some(-10_000)),
            ("#-0", Some(-10_000)),
            ("1e9", Some(10_000)),
            ("inf", None),
            ("", None),
        ] {
            assert_eq!(evaluation(text), eval, "{text}");
        }
        assert_eq!(nag_of("?!"), Some(6));
        assert_eq!(nag_of("?!!"), None);
    }
}
