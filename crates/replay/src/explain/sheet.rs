//! Replays the tokens of a main line many times from different positions, to see whether they are legal there and how
//! well they fit.
//!
//! Only the possible positions and their costs are stored, so that thousands of hypotheses about one record can be
//! tried.

use crate::frontier::{Way, Weights, Words, expand};
use crate::reading::Reading;
use crate::style::Style;
use crate::style::interpret::alternatives;
use crate::style::token::Token;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::mem::replace;
use std::ops::Range;
use std::rc::Rc;
use std::slice::from_ref;
use tridex_notation::resolve::names_no_square;
use tridex_notation::{CheckMark, MoveText};
use tridex_rules::Color;

/// The costs of evidence against a reading, in the unit of [`cost`](super::cost).
pub(super) mod against {
    /// A false mark of a capture, check or mate, or a false `e.p.`.
    pub(crate) const MARK: u32 = 6;
    /// A check without a mark, in a record that marks checks.
    pub(crate) const NO_MARK: u32 = 3;
    /// A token that fits several moves.
    pub(crate) const SEVERAL: u32 = 3;
    /// A token in another language or notation, or with a misread character.
    pub(crate) const FOREIGN: u32 = 8;
}

/// The maximum number of positions that are followed at a time.
const MOST_WAYS: usize = 16;

/// A token, parsed in the style of a player.
#[derive(Debug)]
struct Parsed<'t> {
    text: Cow<'t, [u8]>,
    style: Style,
    /// Its meaning in the player's own style.
    own: Option<(MoveText, Style)>,
    /// Its meanings in other languages and notations, in groups that are equally likely.
    others: OnceCell<Vec<Vec<(MoveText, Style)>>>,
}

impl<'t> Parsed<'t> {
    fn of(text: Cow<'t, [u8]>, style: Style, own: Option<MoveText>) -> Self {
        Self {
            text,
            style,
            own: own.map(|text| (text, style)),
            others: OnceCell::new(),
        }
    }

    /// The meanings in other languages and notations, parsed when first needed.
    fn others(&self, bound: bool) -> &[Vec<(MoveText, Style)>] {
        let read = || alternatives(&self.text, self.style, bound);
        self.others.get_or_init(read)
    }
}

/// The costs of reading a token, without that of an unmarked check.
const WEIGHTS: Weights = Weights {
    token: 0,
    mark: against::MARK,
    unmarked_check: 0,
    several: against::SEVERAL,
};

/// The tokens of a main line, each parsed once.
pub(super) struct Sheet<'t> {
    pub(super) tokens: &'t [Token<'t>],
    pub(super) reading: Reading,
    /// The tokens parsed in White's style and in Black's. There is only one list if both players write in the same
    /// style.
    words: Vec<Vec<Parsed<'t>>>,
    /// The original tokens where others are assumed, each with the index of its list and its index in it.
    replaced: Vec<(usize, usize, Parsed<'t>)>,
    /// Whether the record marks checks.
    pub(super) has_marks: bool,
    /// The number of tokens that may still be read. If it is 0, the search may be incomplete.
    pub(super) steps: u64,
    /// The first token that parses in the player's style but fits only in another language.
    forced: usize,
    next: Vec<Way>,
}

impl<'t> Sheet<'t> {
    pub(super) fn new(tokens: &'t [Token<'t>], reading: Reading, steps: u64) -> Self {
        let [white, black] = reading.hands;
        let hands = [white, black].into_iter().skip(usize::from(white == black));
        let words_of = |hand: Style| -> Vec<_> {
            let style = Style::of(hand.notation, hand.locale);
            let words =
                |token: &'t Token<'t>| Parsed::of((&*token.text).into(), style, token.word(style));
            tokens.iter().map(words).collect()
        };
        let words: Vec<_> = hands.map(words_of).collect();
        let texts = words.iter().flatten().filter_map(|words| words.own);
        let mut plain = texts.filter(|(text, _)| text.is_plain());
        Self {
            tokens,
            reading,
            has_marks: plain.any(|(text, _)| text.mark != CheckMark::None),
            words,
            replaced: Vec::new(),
            steps,
            forced: usize::MAX,
            next: Vec::new(),
        }
    }

    /// The token at an index as written; empty after the last one.
    pub(super) fn written(&self, index: usize) -> &'t [u8] {
        self.tokens.get(index).map_or(&[], |token| &token.text)
    }

    /// The meaning of the token at an index in the style of a player, if it parses.
    pub(super) fn word(&self, index: usize, color: Color) -> Option<&MoveText> {
        let hand = (color as usize).min(self.words.len() - 1);
        Some(&self.words[hand].get(index)?.own.as_ref()?.0)
    }

    /// Replaces some tokens by the texts that are assumed, and restores those that were replaced before.
    pub(super) fn assume<'s>(&mut self, texts: impl Iterator<Item = (usize, &'s str)>) {
        for (words, index, written) in self.replaced.drain(..) {
            self.words[words][index] = written;
        }
        for (index, text) in texts {
            for (number, words) in self.words.iter_mut().enumerate() {
                if let Some(words) = words.get_mut(index) {
                    let (text, style) = (text.as_bytes().to_vec(), words.style);
                    let own = style.word(&text);
                    let written = replace(words, Parsed::of(text.into(), style, own));
                    self.replaced.push((number, index, written));
                }
            }
        }
    }

    /// Uses up some steps. Returns false if none are left.
    pub(super) fn spend(&mut self, steps: u64) -> bool {
        self.steps = self.steps.saturating_sub(steps);
        self.steps > 0
    }

    /// Whether a token cannot mean a move in any position, so that only a change of this token can explain the game.
    pub(super) fn never_fits(&self, index: usize) -> bool {
        let Reading { strict, bound, .. } = self.reading;
        let mut words = self.words.iter().filter_map(|hand| hand.get(index));
        words.all(|words| match &words.own {
            Some((text, _)) => !self.reading.takes(text) || names_no_square(text),
            None => {
                let mut others = words.others(bound).iter().flatten();
                strict || others.all(|(text, _)| names_no_square(text))
            }
        })
    }

    /// Appends the possible positions before each token, up to the token `last` or the one at which the game breaks.
    pub(super) fn read(&mut self, mut ways: Vec<Rc<[Way]>>, last: usize) -> Vec<Rc<[Way]>> {
        let mut next = Vec::new();
        while let Some(known) = ways.last()
            && ways.len() <= last
        {
            let index = ways.len() - 1;
            let fits = [false, true].into_iter().find(|any| {
                next.clear();
                next.extend_from_slice(known);
                self.step(&mut next, index, *any)
            });
            let Some(any) = fits else {
                break;
            };
            self.forced = self.forced.min(if any { index } else { usize::MAX });
            ways.push(Rc::from(&*next));
        }
        ways
    }

    /// Follows a range of tokens from some positions. The error is the index of the first token that fits in none of
    /// them, or only at a cost above `limit`. If a position of `line`, which was read before, is reached, the rest of
    /// that line is not read again.
    pub(super) fn through(
        &mut self,
        ways: &mut Vec<Way>,
        limit: u32,
        mut tokens: Range<usize>,
        line: &[Rc<[Way]>],
    ) -> Result<(), usize> {
        let end = self.forced.min(tokens.end);
        while let Some(token) = tokens.next() {
            // A token takes one step for each way that is followed.
            if !self.spend(ways.len() as u64) || !self.step(ways, token, false) {
                return Err(token);
            }
            ways.retain(|way| way.cost <= limit);
            let after = line.get(tokens.start..).unwrap_or_default();
            let known = &after[..after.len().min((end + 1).saturating_sub(tokens.start))];
            match (ways.as_mut_slice(), known) {
                ([], _) => return Err(token),
                ([way], [at, .., last])
                    if way.position == at[0].position
                        && way.cost + last[0].cost - at[0].cost <= limit
                        && known.iter().all(|ways| ways.len() == 1) =>
                {
                    way.position.clone_from(&last[0].position);
                    way.cost += last[0].cost - at[0].cost;
                    tokens.start += known.len() - 1;
                    if !self.spend(known.len() as u64 - 1) {
                        return Err(token);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Follows a token. Returns false if it fits in none of the positions. A token that does not parse is tried in
    /// other languages and notations. With `any`, so is a token that parses but does not fit.
    fn step(&mut self, ways: &mut Vec<Way>, index: usize, any: bool) -> bool {
        let turn = ways.first().map_or(Color::White, |way| way.position.turn());
        let hand = (turn as usize).min(self.words.len() - 1);
        let Some(words) = self.words[hand].get(index) else {
            return false;
        };
        let (reading, next) = (self.reading, &mut self.next);
        let weights = Weights {
            unmarked_check: if self.has_marks { against::NO_MARK } else { 0 },
            ..WEIGHTS
        };
        next.clear();
        let own = words.own.as_ref().filter(|(text, _)| reading.takes(text));
        let mut follow = |ways: &[Way], texts, cost| {
            let mut evidence = Words {
                texts,
                weights,
                cost,
            };
            // Cannot fail: without a log, ways beyond the limit are dropped.
            let _ = expand(ways, &mut evidence, MOST_WAYS, next, None);
            !next.is_empty()
        };
        let fits = match (ways.as_mut_slice(), own) {
            (_, None) => false,
            ([way], Some(own @ (text, _))) if text.is_plain() => {
                // The usual case: a single way, which is continued in place.
                if let Some((_, played)) = way.position.follow(&text.written) {
                    way.cost += weights.of_check(text.mark, &played, &way.position);
                    return true;
                }
                follow(ways, from_ref(own), 0)
            }
            (ways, Some(own)) => follow(ways, from_ref(own), 0),
        };
        if !fits && !reading.strict && (any || words.own.is_none()) {
            let mut groups = words.others(reading.bound).iter();
            groups.find(|group| follow(ways, group, against::FOREIGN));
        }
        std::mem::swap(ways, next);
        !(ways.is_empty() || ways.len() > 1 && reading.strict)
    }
}
