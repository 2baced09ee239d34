//! A sheet replayed again and again, from many positions: is what follows legal, and how well does it fit?
//!
//! Only the possible positions and the evidence against each are stored, so that thousands of hypotheses
//! about one sheet can be tried.

use crate::alternatives::alternatives;
use crate::guess::Tokens;
use crate::line::{Reading, Writing};
use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;
use tridex_notation::resolve::{candidates, marks_of, names_no_square};
use tridex_notation::{CheckMark, MoveText, San};
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

/// What a token means.
#[derive(Debug, Default)]
struct Words {
    /// If it has a usual shape.
    san: Option<San>,
    /// As the sheet is written.
    own: OnceCell<Option<MoveText>>,
    /// In other languages and notations, groups of equal likelihood.
    others: OnceCell<Vec<Vec<MoveText>>>,
}

impl Words {
    /// What the token means as the sheet is written.
    fn own(&self, token: &[u8], writing: Writing) -> Option<&MoveText> {
        let parse = || tridex_notation::parse(writing.notation, token, Some(writing.locale)).ok();
        self.own.get_or_init(parse).as_ref()
    }

    /// What it means in other languages and notations.
    fn others(&self, token: &[u8], writing: Writing, bound: bool) -> &[Vec<MoveText>] {
        self.others.get_or_init(|| {
            let groups = alternatives(token, writing, bound).into_iter();
            let texts = groups.map(|group| group.into_iter().map(|(text, _)| text).collect());
            texts.collect()
        })
    }
}

/// How the sheet is read with what is assumed, up to the token at which it breaks.
///
/// What is replayed after a slip often comes to the same position as the line: a piece that went another way is captured
/// or arrives all the same. Equal positions, counters included, allow the same moves, so the replay continues as the line
/// does, and breaks where it breaks; the tokens are counted as if they were read.
#[derive(Debug, Default)]
struct Line {
    /// The positions before each token.
    ways: Vec<Rc<[Way]>>,
    /// The placement key of the first of them.
    keys: Vec<u64>,
    /// No token from this one on was read in a way that is not tried in a replay.
    plain_from: usize,
    /// Whether a replay breaks at the last token.
    breaks: bool,
}

/// The tokens of a main line, understood once.
pub(super) struct Sheet<'t> {
    tokens: &'t Tokens<'t>,
    reading: Reading,
    /// The texts assumed in place of some of them, by their index.
    assumed: Vec<(usize, Vec<u8>)>,
    /// What the written ones mean; in the order of `words`, with the index in it.
    kept: Vec<(usize, Words)>,
    /// What each means in White's hand; where Black's is another, in that after them all.
    words: Vec<Words>,
    /// Whether checks are marked on it.
    has_marks: bool,
    found: MoveList,
    /// How many tokens may still be read.
    steps: u64,
    /// Whether replays are shortened.
    shortcuts: bool,
    next: Vec<Way>,
    line: Line,
}

impl<'t> Sheet<'t> {
    pub(super) fn new(
        tokens: &'t Tokens<'t>,
        reading: Reading,
        steps: u64,
        shortcuts: bool,
    ) -> Self {
        let white = Some(reading.hands.white);
        let black = Some(reading.hands.black).filter(|_| reading.hands.are_two());
        let hands = white.into_iter().chain(black);
        let words = hands.flat_map(|writing| {
            tokens.iter().map(move |token| Words {
                san: San::read(writing.notation, token.text, writing.locale),
                ..Words::default()
            })
        });
        let words: Vec<Words> = words.collect();
        let mut sans = words.iter().filter_map(|words| words.san);
        Self {
            tokens,
            reading,
            assumed: Vec::new(),
            kept: Vec::new(),
            has_marks: sans.any(|san| san.mark() != CheckMark::None),
            words,
            found: MoveList::with_capacity(128),
            steps,
            shortcuts,
            next: Vec::new(),
            line: Line::default(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The token at an index as it is written; nothing after the last.
    pub(super) fn written(&self, index: usize) -> &'t [u8] {
        self.tokens.get(index).map_or(&[], |token| token.text)
    }

    /// Assumes texts at some places, instead of what is written there and of what was assumed before.
    pub(super) fn assume<'s>(&mut self, texts: impl Iterator<Item = (usize, &'s str)>) {
        for (at, words) in self.kept.drain(..).rev() {
            if let Some(known) = self.words.get_mut(at) {
                *known = words;
            }
        }
        self.assumed.clear();
        let hands = self.reading.hands;
        for (index, text) in texts {
            let text = text.as_bytes().to_vec();
            for (at, writing) in [
                (index, hands.white),
                (index + self.tokens.len(), hands.black),
            ] {
                if let Some(words) = self.words.get_mut(at) {
                    let other = Words {
                        san: San::read(writing.notation, &text, writing.locale),
                        ..Words::default()
                    };
                    self.kept.push((at, std::mem::replace(words, other)));
                }
            }
            self.assumed.push((index, text));
        }
    }

    /// Sets the number of steps for the rest of the search.
    pub(super) const fn allow(&mut self, steps: u64) {
        self.steps = steps;
    }

    /// Whether checks are marked on the sheet.
    pub(super) const fn has_marks(&self) -> bool {
        self.has_marks
    }

    pub(super) const fn reading(&self) -> Reading {
        self.reading
    }

    /// Takes some of the steps; false if there are none left.
    pub(super) fn spend(&mut self, steps: u64) -> bool {
        self.steps = self.steps.saturating_sub(steps);
        self.steps > 0
    }

    /// Whether replays are shortened.
    pub(super) const fn has_shortcuts(&self) -> bool {
        self.shortcuts
    }

    /// How many tokens may still be read.
    pub(super) const fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether all steps were taken, so that something may not have been seen.
    pub(super) const fn is_exhausted(&self) -> bool {
        self.steps == 0
    }

    /// Whether a token as it is written is a word in the hand of a player.
    pub(super) fn is_word(&self, index: usize, color: Color) -> bool {
        let hands = self.reading.hands;
        let is_other = color == Color::Black && hands.are_two();
        let at = if is_other { self.tokens.len() } else { 0 } + index;
        let words = self.words.get(at);
        words.is_some_and(|words| {
            words.san.is_some() || words.own(self.written(index), hands.of(color)).is_some()
        })
    }

    /// Whether a token means no move in any position, so that nothing which leaves it as it is explains anything.
    pub(super) fn never_fits(&self, index: usize) -> bool {
        let (reading, hands) = (self.reading, self.reading.hands);
        let black = Some((self.tokens.len(), hands.black)).filter(|_| hands.are_two());
        let mut all = [Some((0, hands.white)), black].into_iter().flatten();
        all.all(|(other, writing)| {
            let Some(words) = self.words.get(index + other) else {
                return false;
            };
            let token = text_at(self.tokens, &self.assumed, index);
            match words.own(token, writing) {
                Some(text) => !reading.takes(text) || names_no_square(text),
                None => {
                    let others = words.others(token, writing, reading.bound);
                    reading.strict || others.iter().flatten().all(names_no_square)
                }
            }
        })
    }

    /// Adds the positions before each token to those that are known, up to the token `last` or the one at which the
    /// game breaks. What is replayed from then on may come to them again: see [`Line`].
    pub(super) fn extend(&mut self, ways: &mut Vec<Rc<[Way]>>, last: usize) {
        let mut next = Vec::new();
        while let Some(known) = ways.last() {
            let index = ways.len() - 1;
            next.clear();
            next.extend_from_slice(known);
            let is_plain = self.step(&mut next, index, false, false);
            self.line.breaks = !is_plain;
            if index == last {
                break;
            }
            if !is_plain {
                next.clear();
                next.extend_from_slice(known);
                if !self.step(&mut next, index, true, false) {
                    break;
                }
                self.line.plain_from = self.line.plain_from.max(index + 1);
            }
            ways.push(next.as_slice().into());
        }
        let key = |ways: &Rc<[Way]>| ways.first().map_or(0, |way| way.position.placement_key());
        self.line.keys = ways.iter().map(key).collect();
        self.line.ways.clone_from(ways);
    }

    /// Whether a replay has come to the one position of the line before a token, so that it continues as the line does.
    fn has_joined(&self, way: &Way, token: usize, limit: u32) -> bool {
        let line = &self.line;
        // A limit that was lowered may end a replay earlier.
        self.shortcuts
            && line.breaks
            && token >= line.plain_from
            && limit > u32::MAX / 2
            && line.keys.get(token) == Some(&way.position.placement_key())
            && line
                .ways
                .get(token)
                .is_some_and(|ways| matches!(&**ways, [known] if known.position == way.position))
    }

    /// Continues from a token to another as the line does, at the same additional cost.
    fn join(&mut self, ways: &mut Vec<Way>, tokens: Range<usize>) -> Result<(), usize> {
        let broken = self.line.ways.len() - 1;
        let read = self.line.ways.get(tokens.start..tokens.end.min(broken + 1));
        let read = read.unwrap_or_default();
        let cost = |ways: &[Way]| ways.first().map_or(0, |way| way.cost);
        let (before, of_line) = (cost(ways), read.first().map_or(0, |ways| cost(ways)));
        let steps = read.iter().map(|ways| ways.len() as u64).sum();
        if !self.spend(steps) || tokens.end > broken {
            return Err(broken);
        }
        let there = self.line.ways.get(tokens.end);
        let there = there.iter().flat_map(|ways| ways.iter());
        let joined = there.map(|way| Way {
            position: way.position.clone(),
            cost: before + (way.cost - of_line),
        });
        *ways = joined.collect();
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
                let hands = self.reading.hands;
                let usual = Usual {
                    words: &self.words,
                    black: if hands.are_two() {
                        self.tokens.len()
                    } else {
                        0
                    },
                    keys: &self.line.keys,
                    has_marks: self.has_marks,
                    tokens: next..tokens.end,
                    cost,
                    limit,
                    steps: &mut self.steps,
                    found: &mut self.found,
                };
                // In a browser one loop for all systems, which is less to load.
                let (token, end) = if cfg!(target_family = "wasm") {
                    usual.run(position)
                } else {
                    position.with_system(usual)
                };
                next = token;
                match end {
                    End::Whole => return Ok(()),
                    End::Ended => return Err(next),
                    End::Listed => is_listed = true,
                    End::Unusual => {}
                    End::Near => continue,
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
        let hands = self.reading.hands;
        let other = if turn == Color::Black && hands.are_two() {
            self.tokens.len()
        } else {
            0
        };
        let words = self
            .words
            .get(index + other)
            .filter(|_| index < self.tokens.len());
        let Some(words) = words else {
            return false;
        };
        let (reading, writing) = (self.reading, hands.of(turn));
        let token = text_at(self.tokens, &self.assumed, index);
        self.next.clear();
        let mut is_word = words.san.is_some();
        if let ([way], Some(san)) = (ways.as_mut_slice(), &words.san) {
            if !is_listed
                && let Some((_, played)) = san.follow_or_list(&mut way.position, &mut self.found)
            {
                way.cost += against_mark(san, &played, &way.position, self.has_marks);
                return true;
            }
            san.prefer(&way.position, &mut self.found);
            play_each(san.text(), way, 0, &self.found, &mut self.next);
        } else if let Some(text) = words.own(token, writing) {
            is_word = true;
            if reading.takes(text) {
                let texts = std::slice::from_ref(text);
                follow(texts, ways, 0, &mut self.found, &mut self.next);
            }
        }
        if self.next.is_empty() && !reading.strict && (any || !is_word) {
            for group in words.others(token, writing, reading.bound) {
                follow(
                    group,
                    ways,
                    against::FOREIGN,
                    &mut self.found,
                    &mut self.next,
                );
                if !self.next.is_empty() {
                    break;
                }
            }
        }
        let several = self.next.len() > 1;
        std::mem::swap(ways, &mut self.next);
        !(ways.is_empty() || several && reading.strict)
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
    words: &'a [Words],
    /// How much further Black's words are.
    black: usize,
    /// [`Line::keys`]
    keys: &'a [u64],
    has_marks: bool,
    tokens: Range<usize>,
    cost: &'a mut u32,
    limit: u32,
    steps: &'a mut u64,
    found: &'a mut MoveList,
}

/// Why [`Usual`] ends.
enum End {
    /// All tokens were followed.
    Whole,
    /// The token fits nowhere, no steps are left, or the cost is too high.
    Ended,
    /// The token means several moves, or one with another mark; those it fits are listed.
    Listed,
    /// The token has no usual shape.
    Unusual,
    /// The pieces are where they are in the line before the token.
    Near,
}

impl Task for Usual<'_> {
    type Output = (usize, End);

    fn run<P: Playable>(self, position: &mut P) -> (usize, End) {
        for token in self.tokens.clone() {
            let is_black = position.turn() == Color::Black;
            let at = token + if is_black { self.black } else { 0 };
            let Some(san) = self.words.get(at).and_then(|words| words.san.as_ref()) else {
                return (token, End::Unusual);
            };
            let played = san.follow_or_list(position, self.found);
            if played.is_none() && !self.found.is_empty() {
                return (token, End::Listed);
            }
            *self.steps = self.steps.saturating_sub(1);
            let Some((_, played)) = played else {
                // It is a word, so that no other language is tried.
                return (token, End::Ended);
            };
            *self.cost += against_mark(san, &played, position, self.has_marks);
            if *self.steps == 0 || *self.cost > self.limit {
                return (token, End::Ended);
            }
            if self.keys.get(token + 1) == Some(&played.placement) {
                return (token + 1, End::Near);
            }
        }
        (self.tokens.end, End::Whole)
    }
}

/// What is written at a place, or assumed.
fn text_at<'a>(tokens: &'a Tokens<'_>, assumed: &'a [(usize, Vec<u8>)], index: usize) -> &'a [u8] {
    let other = assumed.iter().find(|(at, _)| *at == index);
    match other {
        Some((_, text)) => text,
        None => tokens.get(index).map_or(&[], |token| token.text),
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
