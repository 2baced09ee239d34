//! A sheet replayed again and again, from many positions: is what follows legal, and how well does it fit?
//!
//! Only the possible positions and the evidence against each are stored, so that thousands of hypotheses
//! about one sheet can be tried.

use crate::alternatives::alternatives;
use crate::line::{Reading, Writing};
use crate::token::Token;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;
use tridex_notation::resolve::{candidates, marks_of, names_no_square};
use tridex_notation::{CheckMark, MoveText, San, parse};
use tridex_rules::{Color, MoveList, Playable, PlayedMove, Position, Task};

/// What speaks against a reading, in the unit of [`cost`](super::cost).
pub(super) mod against {
    /// A mark of capture, check or mate, or `e.p.`, that is not true.
    pub(crate) const MARK: u32 = 6;
    /// A check without its mark on a sheet that marks checks.
    pub(crate) const NO_MARK: u32 = 3;
    /// Words that fit several moves.
    pub(crate) const SEVERAL: u32 = 3;
    /// Another language, another notation, a misread character.
    pub(crate) const FOREIGN: u32 = 8;
}

/// How many positions are followed at a time.
const MOST_WAYS: usize = 16;

/// A position that is possible, and the cost of the way to it.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) position: Position,
    pub(super) cost: u32,
}

/// A token in the hand of a player, and what it means.
#[derive(Clone, Debug)]
pub(super) struct Words<'t> {
    text: Cow<'t, [u8]>,
    writing: Writing,
    /// If it has a usual shape.
    san: Option<San>,
    /// As the sheet is written.
    own: OnceCell<Option<MoveText>>,
    /// In other languages and notations, groups of equal likelihood.
    others: OnceCell<Vec<Vec<MoveText>>>,
}

impl<'t> Words<'t> {
    fn of(text: Cow<'t, [u8]>, writing: Writing) -> Self {
        Self {
            san: San::read(writing.notation, &text, writing.locale),
            text,
            writing,
            own: OnceCell::new(),
            others: OnceCell::new(),
        }
    }

    /// What it means as the sheet is written.
    fn own(&self) -> Option<&MoveText> {
        let writing = self.writing;
        let parse = || parse(writing.notation, &self.text, Some(writing.locale)).ok();
        self.own.get_or_init(parse).as_ref()
    }

    /// What it means in other languages and notations.
    fn others(&self, bound: bool) -> &[Vec<MoveText>] {
        self.others.get_or_init(|| {
            let groups = alternatives(&self.text, self.writing, bound).into_iter();
            let texts = groups.map(|group| group.into_iter().map(|(text, _)| text).collect());
            texts.collect()
        })
    }

    /// Whether it is a word.
    pub(super) fn is_word(&self) -> bool {
        self.san.is_some() || self.own().is_some()
    }
}

/// The tokens of a main line, understood once.
pub(super) struct Sheet<'t> {
    tokens: &'t [Token<'t>],
    pub(super) reading: Reading,
    /// Those that are read, in White's hand and in Black's.
    words: [Vec<Words<'t>>; 2],
    /// The written ones in whose places others are assumed, with the numbers of the hand and the token.
    kept: Vec<(usize, usize, Words<'t>)>,
    /// Whether checks are marked on it.
    pub(super) has_marks: bool,
    found: MoveList,
    /// How many tokens may still be read.
    pub(super) steps: u64,
    /// Whether replays are shortened.
    pub(super) shortcuts: bool,
    next: Vec<Way>,
    /// How the sheet is read with what is assumed, up to the token at which it breaks: the positions before each token.
    ///
    /// What is replayed after a slip often comes to the same position as this line: a piece that went another way is captured
    /// or arrives all the same. Equal positions, counters included, allow the same moves, so the replay continues as the line
    /// does, and breaks where it breaks; the tokens are counted as if they were read.
    pub(super) ways: Vec<Rc<[Way]>>,
    /// The placement key of the first of them.
    keys: Vec<u64>,
    /// No token from this one on was read in a way that is not tried in a replay.
    plain_from: usize,
    /// Whether a replay breaks at the last token.
    breaks: bool,
}

impl<'t> Sheet<'t> {
    pub(super) fn new(
        tokens: &'t [Token<'t>],
        reading: Reading,
        steps: u64,
        shortcuts: bool,
    ) -> Self {
        let words_of = |writing| -> Vec<Words<'t>> {
            let words = |token: &'t Token<'t>| Words::of((&*token.text).into(), writing);
            tokens.iter().map(words).collect()
        };
        let [white, black] = reading.hands;
        let white_words = words_of(white);
        // Mostly both write alike.
        let black_words = if black == white {
            white_words.clone()
        } else {
            words_of(black)
        };
        let words = [white_words, black_words];
        let mut sans = words.iter().flatten().filter_map(|words| words.san);
        Self {
            tokens,
            reading,
            kept: Vec::new(),
            has_marks: sans.any(|san| san.mark() != CheckMark::None),
            words,
            found: MoveList::with_capacity(128),
            steps,
            shortcuts,
            next: Vec::new(),
            ways: Vec::new(),
            keys: Vec::new(),
            plain_from: 0,
            breaks: false,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The token at an index as it is written; nothing after the last.
    pub(super) fn written(&self, index: usize) -> &'t [u8] {
        self.tokens.get(index).map_or(&[], |token| &token.text)
    }

    /// The token at an index in the hand of a player.
    pub(super) fn words(&self, index: usize, color: Color) -> Option<&Words<'t>> {
        self.words[color as usize].get(index)
    }

    /// Assumes texts at some places, instead of what is written there and of what was assumed before.
    pub(super) fn assume<'s>(&mut self, texts: impl Iterator<Item = (usize, &'s str)>) {
        for (hand, index, words) in self.kept.drain(..).rev() {
            self.words[hand][index] = words;
        }
        for (index, text) in texts {
            for color in Color::ALL {
                if let Some(words) = self.words[color as usize].get_mut(index) {
                    let text = text.as_bytes().to_vec().into();
                    let other = Words::of(text, self.reading.hands[color as usize]);
                    let written = std::mem::replace(words, other);
                    self.kept.push((color as usize, index, written));
                }
            }
        }
    }

    /// Takes some of the steps; false if there are none left.
    pub(super) fn spend(&mut self, steps: u64) -> bool {
        self.steps = self.steps.saturating_sub(steps);
        self.steps > 0
    }

    /// Whether all steps were taken, so that something may not have been seen.
    pub(super) const fn is_exhausted(&self) -> bool {
        self.steps == 0
    }

    /// Whether a token means no move in any position, so that nothing which leaves it as it is explains anything.
    pub(super) fn never_fits(&self, index: usize) -> bool {
        let Reading { strict, bound, .. } = self.reading;
        let mut words = Color::ALL
            .iter()
            .filter_map(|color| self.words(index, *color));
        words.all(|words| match words.own() {
            Some(text) => !self.reading.takes(text) || names_no_square(text),
            None => strict || words.others(bound).iter().flatten().all(names_no_square),
        })
    }

    /// Adds the positions before each token to those that are known, up to the token `last` or the one at which the
    /// game breaks. What is replayed from then on may come to them again: see [`Sheet::ways`].
    pub(super) fn extend(&mut self, mut ways: Vec<Rc<[Way]>>, last: usize) {
        while let Some(known) = ways.last() {
            let (index, mut next) = (ways.len() - 1, known.to_vec());
            self.breaks = !self.step(&mut next, index, false, false);
            if index == last {
                break;
            }
            if self.breaks {
                next = known.to_vec();
                if !self.step(&mut next, index, true, false) {
                    break;
                }
                self.plain_from = self.plain_from.max(index + 1);
            }
            ways.push(next.into());
        }
        let key = |ways: &Rc<[Way]>| ways.first().map_or(0, |way| way.position.placement_key());
        self.keys = ways.iter().map(key).collect();
        self.ways = ways;
    }

    /// Whether a replay has come to the one position of the line before a token, so that it continues as the line does.
    fn has_joined(&self, way: &Way, token: usize, limit: u32) -> bool {
        // A limit that was lowered may end a replay earlier.
        self.shortcuts
            && self.breaks
            && token >= self.plain_from
            && limit > u32::MAX / 2
            && self.keys.get(token) == Some(&way.position.placement_key())
            && matches!(&*self.ways[token], [known] if known.position == way.position)
    }

    /// Continues from a token to another as the line does, at the same additional cost.
    fn join(&mut self, ways: &mut Vec<Way>, tokens: Range<usize>) -> Result<(), usize> {
        let line = &self.ways;
        let broken = line.len() - 1;
        let last = tokens.end.min(broken + 1);
        let steps = line[tokens.start..last]
            .iter()
            .map(|ways| ways.len() as u64);
        let steps = steps.sum();
        let cost = |ways: &[Way]| ways.first().map_or(0, |way| way.cost);
        let (before, of_line) = (cost(ways), cost(&line[tokens.start]));
        if tokens.end <= broken {
            *ways = line[tokens.end].to_vec();
            for way in ways {
                way.cost = before + (way.cost - of_line);
            }
        }
        if !self.spend(steps) || tokens.end > broken {
            return Err(broken);
        }
        Ok(())
    }

    /// Follows tokens in a row from some positions; the error is the first of them that fits nowhere, or only at a higher
    /// cost than `limit`.
    pub(super) fn through(
        &mut self,
        ways: &mut Vec<Way>,
        limit: u32,
        tokens: Range<usize>,
    ) -> Result<(), usize> {
        let mut next = tokens.start;
        while next < tokens.end {
            let mut is_listed = false;
            if let [way] = ways.as_slice()
                && self.has_joined(way, next, limit)
            {
                return self.join(ways, next..tokens.end);
            }
            if let [Way { position, cost }] = ways.as_mut_slice()
                && self.shortcuts
            {
                let usual = Usual {
                    words: &self.words,
                    keys: &self.keys,
                    has_marks: self.has_marks,
                    tokens: next..tokens.end,
                    cost,
                    limit,
                    steps: &mut self.steps,
                    found: &mut self.found,
                };
                // In a browser one loop for all systems, which is less to load.
                (next, is_listed) = if cfg!(target_family = "wasm") {
                    usual.run(position)
                } else {
                    position.with_system(usual)
                };
                if !is_listed {
                    if self.steps == 0 || *cost > limit {
                        return Err(next - 1);
                    }
                    continue;
                }
            }
            // What can be read in several ways takes so much longer.
            if !self.spend(ways.len() as u64) || !self.step(ways, next, false, is_listed) {
                return Err(next);
            }
            ways.retain(|way| way.cost <= limit);
            if ways.is_empty() {
                return Err(next);
            }
            next += 1;
        }
        Ok(())
    }

    /// Follows a token; false if it fits nowhere. With `any` a word that does not fit is tried in other languages
    /// too, not only what is no word. With `is_listed` it is known not to be played at once, and the moves it fits are
    /// listed.
    fn step(&mut self, ways: &mut Vec<Way>, index: usize, any: bool, is_listed: bool) -> bool {
        let turn = ways.first().map_or(Color::White, |way| way.position.turn());
        let Some(words) = self.words[turn as usize].get(index) else {
            return false;
        };
        let (reading, found, next) = (self.reading, &mut self.found, &mut self.next);
        next.clear();
        if let ([way], Some(san)) = (ways.as_mut_slice(), &words.san) {
            if !is_listed && let Some((_, played)) = san.follow_or_list(&mut way.position, found) {
                way.cost += against_mark(san, &played, &way.position, self.has_marks);
                return true;
            }
            san.prefer(&way.position, found);
            play_each(san.text(), way, 0, found, next);
        } else if let Some(text) = words.own().filter(|text| reading.takes(text)) {
            follow(std::slice::from_ref(text), ways, 0, found, next);
        }
        if next.is_empty() && !reading.strict && (any || !words.is_word()) {
            for group in words.others(reading.bound) {
                follow(group, ways, against::FOREIGN, found, next);
                if !next.is_empty() {
                    break;
                }
            }
        }
        std::mem::swap(ways, next);
        !(ways.is_empty() || ways.len() > 1 && reading.strict)
    }
}

/// What speaks against the mark of check or mate of a token, or against that it has none.
#[inline]
fn against_mark(san: &San, played: &PlayedMove, after: &impl Playable, has_marks: bool) -> u32 {
    if !san.mark_fits(played, after) {
        against::MARK
    } else if has_marks && played.check && san.mark() == CheckMark::None {
        against::NO_MARK
    } else {
        0
    }
}

/// Follows tokens of usual shapes from one position as long as each means one move: what nearly every replay consists of,
/// compiled for each rule system.
struct Usual<'a> {
    words: &'a [Vec<Words<'a>>; 2],
    /// [`Sheet::keys`]
    keys: &'a [u64],
    has_marks: bool,
    tokens: Range<usize>,
    cost: &'a mut u32,
    limit: u32,
    steps: &'a mut u64,
    found: &'a mut MoveList,
}

impl Task for Usual<'_> {
    /// The token before which it ends, and whether that is one that does not mean one move: then those it fits are
    /// listed. Else all are followed, no steps are left, the cost is too high, or the pieces are where they are in the
    /// line.
    type Output = (usize, bool);

    fn run<P: Playable>(self, position: &mut P) -> (usize, bool) {
        for token in self.tokens.clone() {
            let words = self.words[position.turn() as usize].get(token);
            let Some(san) = words.and_then(|words| words.san.as_ref()) else {
                return (token, true);
            };
            let Some((_, played)) = san.follow_or_list(position, self.found) else {
                return (token, true);
            };
            *self.steps = self.steps.saturating_sub(1);
            *self.cost += against_mark(san, &played, position, self.has_marks);
            let is_over = *self.steps == 0 || *self.cost > self.limit;
            if is_over || self.keys.get(token + 1) == Some(&played.placement) {
                return (token + 1, false);
            }
        }
        (self.tokens.end, false)
    }
}

/// Plays every move that the words can mean, from every position.
fn follow(texts: &[MoveText], ways: &[Way], cost: u32, found: &mut MoveList, next: &mut Vec<Way>) {
    for way in ways {
        for text in texts {
            candidates(text, &way.position, found);
            play_each(text, way, cost, found, next);
        }
    }
}

/// Plays the moves that the words can mean in a position.
fn play_each(text: &MoveText, way: &Way, cost: u32, found: &MoveList, next: &mut Vec<Way>) {
    let several = if found.len() > 1 { against::SEVERAL } else { 0 };
    for mv in found {
        let mut position = way.position.clone();
        let played = position.play_unchecked(*mv);
        let mismatches = marks_of(text, *mv, played.captures, &position);
        let marks = mismatches.iter().count() as u32 * against::MARK;
        let cost = way.cost + cost + several + marks;
        if let Some(known) = next.iter_mut().find(|known| known.position == position) {
            known.cost = known.cost.min(cost);
        } else if next.len() < MOST_WAYS {
            next.push(Way { position, cost });
        }
    }
}
