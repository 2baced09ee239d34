//! Searches for the slips that explain why a game breaks.
//!
//! At first, a hypothesis is a single slip: a token is not the move that was meant, two moves are exchanged, or a move
//! is missing or written twice. It explains the game if everything after it can then be replayed. Each assumption has a
//! cost, and so does the evidence against it: false marks, and tokens that fit several moves. A slip may be far before
//! the break. For example, a knight on the wrong level is noticed only when it moves again. So every ply before the
//! break is tried.
//!
//! Only if no single slip explains the game, several are assumed: see [`several`].

pub(super) mod blanks;
mod several;

use self::several::Partial;
use super::sheet::{Sheet, against};
use crate::frontier::Way;
use crate::reading::Reading;
use crate::style::token::Token;
use rustc_hash::FxHashMap;
use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;
use tridex_archive::game::{Misnumbered, Numbering};
use tridex_notation::slips::{NearMove, SlipFinder};
use tridex_notation::split_end;
use tridex_rules::{Move, Position};

/// The costs of assumptions. An assumption that is ten times less likely costs about four more.
mod cost {
    use tridex_notation::slips::Slip;

    /// Two moves exchanged.
    pub(super) const EXCHANGED: u32 = 8;
    /// A blank missing or too many, so that two moves are one token or one move is two.
    pub(super) const BLANK: u32 = 4;
    /// The same where the move numbers show it.
    pub(super) const BLANK_NUMBERED: u32 = 1;
    /// A move missing or written twice, in a game without move numbers.
    pub(super) const UNNUMBERED: u32 = 12;
    /// Moves missing or written twice, where the move numbers show it.
    pub(super) const NUMBERED: u32 = 5;
    /// Added if the two missing moves are Black's and White's next, which is less likely than a missing line of the
    /// score sheet.
    pub(super) const ACROSS: u32 = 4;
    /// Wrong move numbers: they show missing moves where none are missing.
    pub(super) const MISNUMBERED: u32 = 10;
    /// A slip in one token. In a token that does not parse, a wrong character that neither resembles the intended one
    /// nor is next to it on the keyboard costs one more. So it is not a likely explanation if a similar character or an
    /// adjacent key is one, too. In a token that parses, it may be a wrong square or piece.
    pub(super) const fn of(slip: Slip, is_word: bool) -> u32 {
        let is_stray = matches!(slip, Slip::Character) && !is_word;
        4 * slip.cost() as u32 + 1 + is_stray as u32
    }
}

/// The maximum number of tokens that are read to find one slip, and then to find several.
pub(super) const STEPS: [u64; 2] = [100_000, 200_000];

/// A hypothesis is not likely if it costs this much more than the best.
const MARGIN: u32 = 5;
/// A hypothesis is not listed if it costs more than this above the best.
const LISTED: u32 = 12;
/// The orders in which exchanged tokens are read, and the names of these slips.
const SWAPS: [(&[usize], &str); 3] = [
    (&[1, 0], "two moves exchanged"),
    (&[2, 1, 0], "two moves of one player exchanged"),
    (&[2, 3, 0, 1], "two lines exchanged"),
];
/// A game with more tokens is not searched.
const LONGEST: usize = 1_000;

/// A change to the tokens of the main line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Edit {
    /// Index of the token that is changed or before which the text is inserted.
    pub(super) token: usize,
    /// Whether the text is inserted.
    pub(super) is_new: bool,
    /// The new text; empty if the token is removed.
    pub(super) text: String,
    /// What went wrong.
    pub(super) slip: &'static str,
}

impl Edit {
    const fn new(token: usize, is_new: bool, text: String, slip: &'static str) -> Self {
        Self {
            token,
            is_new,
            text,
            slip,
        }
    }
}

/// A slip that explains the game, or several slips that explain it together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Hypothesis {
    pub(super) cost: u32,
    pub(super) edits: Vec<Edit>,
    pub(super) slip: &'static str,
}

/// The result of a search.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct Found {
    /// The likeliest first.
    pub(super) hypotheses: Vec<Hypothesis>,
    /// Whether the first is the only one that is likely.
    pub(super) is_sure: bool,
    /// Whether the search ended at its limit.
    pub(super) is_cut: bool,
}

/// Searches for the slips that explain why a game breaks at the token `broken`. In a game that does not break, searches
/// only for the missing or superfluous moves that its move numbers show. The second value is the number of steps left.
pub(super) fn search(
    start: &Position,
    tokens: &[Token<'_>],
    broken: Option<usize>,
    reading: Reading,
    numbering: Numbering,
    [one, several]: [u64; 2],
) -> (Found, u64) {
    if tokens.len() > LONGEST {
        return (Found::default(), 0);
    }
    let mut sheet = Sheet::new(tokens, reading, one);
    let gap = match numbering {
        Numbering::Gap(gap) | Numbering::Surplus(gap) => Some(gap),
        Numbering::Absent | Numbering::Late | Numbering::Sound => None,
    };
    let Some(last) = broken.or_else(|| usize::try_from(gap?.plies).ok()) else {
        return (Found::default(), 0);
    };
    let (position, cost) = (start.clone(), 0);
    let ways = sheet.read(vec![Rc::from([Way::new(position, cost)])], last);
    let culprit = broken.filter(|broken| sheet.never_fits(*broken));
    let is_told_missing = gap.is_some_and(|gap| gap.holds);
    let mut search = Search {
        written: ways.clone(),
        ways,
        sheet,
        steps_of_several: several,
        culprit,
        assumed: Partial::default(),
        partials: Vec::new(),
        corrections: vec![Vec::new(); tokens.len() + 1],
        finders: reading
            .hands
            .map(|hand| SlipFinder::new(hand.notation, hand.locale)),
        known: FxHashMap::default(),
        tried: Vec::new(),
        found: Vec::new(),
        best: u32::MAX - LISTED,
        wants_several: !is_told_missing
            && matches!(
                numbering,
                Numbering::Gap(_) | Numbering::Surplus(_) | Numbering::Sound
            ),
        misnumbered: u32::from(is_told_missing) * cost::MISNUMBERED,
    };
    if let Some(gap) = gap {
        search.gap(&gap);
    }
    let mut was_cut = false;
    if broken.is_some() {
        search.blanks(gap.as_ref());
        search.tokens();
        if search.culprit.is_none() {
            search.exchanges();
        }
        if numbering == Numbering::Absent {
            search.missing_moves();
        } else if search.wants_several {
            // On a form with printed numbers, the moves after an omitted one are in the other player's column.
            if numbering == Numbering::Sound && search.found.is_empty() {
                search.omitted_moves();
            }
            search.several();
            was_cut = search.sheet.steps == 0;
            if numbering == Numbering::Sound && culprit.is_none() {
                search.omitted_twice();
            }
        }
    }
    let (limit, is_cut) = (search.limit(), was_cut || search.sheet.steps == 0);
    let (best, mut hypotheses) = (search.best, search.found);
    hypotheses.retain(|found| found.cost <= limit);
    hypotheses.sort();
    let mut known = HashSet::new();
    hypotheses.retain(|found| known.insert(found.edits.clone()));
    let likely = hypotheses.iter().filter(|found| found.cost < best + MARGIN);
    let found = Found {
        is_sure: likely.count() == 1 && !is_cut,
        is_cut,
        hypotheses,
    };
    (found, search.sheet.steps)
}

/// The identity of a hypothesis: the index of the token, of the position before it, and of the correction or exchange.
type Trial = [usize; 3];

/// How far a hypothesis leads: the index of the token after the positions it reaches, or of the token that does not
/// fit.
type Reached = Result<usize, usize>;

struct Search<'t> {
    sheet: Sheet<'t>,
    /// The maximum number of tokens that are read to find several slips.
    steps_of_several: u64,
    /// The possible positions before each token up to the break, given the slips that are assumed.
    ways: Vec<Rc<[Way]>>,
    /// The same if no slip is assumed.
    written: Vec<Rc<[Way]>>,
    /// The token that breaks the game, if it fits in no position. Then only a change of this token, or its removal, can
    /// explain the game.
    culprit: Option<usize>,
    /// The slips that are already assumed.
    assumed: Partial,
    /// The slips with which the game continues beyond the break, but not to its end.
    partials: Vec<Partial>,
    /// The corrections of each token, and those after the last one, for each position in which they were needed.
    corrections: Vec<Vec<(Position, Rc<[NearMove]>)>>,
    /// Finds corrections in the style of each player.
    finders: [SlipFinder; 2],
    /// Where each hypothesis led, and the number of steps that took.
    known: FxHashMap<Trial, (Vec<Way>, Reached, u64)>,
    /// The positions to which the last hypothesis led.
    tried: Vec<Way>,
    /// The hypotheses that explain the game, with duplicates. There may be tens of thousands.
    found: Vec<Hypothesis>,
    /// The cost of the best hypothesis so far.
    best: u32,
    /// Whether several slips are assumed if no single slip explains the game. This requires move numbers which show
    /// that no move is missing.
    wants_several: bool,
    /// The additional cost of a hypothesis that leaves the move numbers wrong.
    misnumbered: u32,
}

impl Search<'_> {
    fn limit(&self) -> u32 {
        self.best + LISTED
    }

    fn add(&mut self, cost: u32, mut edits: Vec<Edit>) {
        let slip = self.assumed.with(&mut edits);
        self.best = self.best.min(cost);
        self.found.push(Hypothesis { cost, edits, slip });
    }

    /// Tries a hypothesis about some tokens, at the cost `slip`, from a possible position before them. If the game can
    /// then be replayed to its end, the hypothesis is added with its edits. If the game only continues beyond the
    /// break, it is stored as a partial explanation.
    ///
    /// `start` plays the tokens at a cost of no more than a limit, and replaces the ways by those after the tokens. Its
    /// error is the index of the token that does not fit.
    fn suppose(
        &mut self,
        trial: Trial,
        tokens: Range<usize>,
        way: &Way,
        slip: u32,
        start: impl FnOnce(&mut Self, &mut Vec<Way>, u32) -> Result<(), usize>,
        edits: impl FnOnce(&Self) -> Option<Vec<Edit>>,
    ) {
        let cost = self.assumed.cost + way.cost + slip + self.misnumbered;
        let Some(limit) = self.limit().checked_sub(cost) else {
            return;
        };
        let mut ways = std::mem::take(&mut self.tried);
        let (end, last, left) = (tokens.end, self.sheet.tokens.len(), self.sheet.steps);
        let first = self.assumed.first(last);
        // The positions before the first changed token do not depend on what is assumed, so they can be reused. Once an
        // explanation is found, the limit cuts off some of them, so they are not stored.
        let is_open = end <= first && self.found.is_empty();
        let known = self.known.get(&trial).filter(|(_, reached, _)| {
            is_open && reached.map_or_else(|token| token < first, |token| token == first)
        });
        let reached = if let Some((known, reached, steps)) = known {
            ways.clone_from(known);
            let is_left = self.sheet.spend(*steps);
            if is_left { *reached } else { Err(first) }
        } else {
            let position = way.position.clone();
            ways.clear();
            ways.push(Way::new(position, 0));
            let started = start(self, &mut ways, limit);
            let (sheet, tokens) = (&mut self.sheet, end..first);
            let through =
                started.and_then(|()| sheet.through(&mut ways, limit, tokens, &self.ways));
            let reached = through.map(|()| end.max(first));
            if is_open && sheet.steps > 0 {
                ways.truncate(if reached.is_ok() { ways.len() } else { 0 });
                let known = (ways.clone(), reached, left - sheet.steps);
                self.known.insert(trial, known);
            }
            reached
        };
        let rest = reached.and_then(|from| self.rest(&mut ways, limit, from));
        self.tried = ways;
        // Skip hypotheses whose own tokens cannot be played, and those that are no use as partial explanations.
        if rest.is_err_and(|reached| reached < end || !self.goes_on(reached)) {
            return;
        }
        match (edits(self), rest) {
            (None, _) => {}
            (Some(edits), Ok(rest)) => self.add(cost + rest, edits),
            (Some(edits), Err(reached)) => self.store_partial(slip, reached, edits),
        }
    }

    /// Returns the lowest cost of replaying the tokens from index `from` to the end, if it is within the limit. The
    /// error is the index of the token that does not fit.
    fn rest(&mut self, ways: &mut Vec<Way>, limit: u32, from: usize) -> Result<u32, usize> {
        ways.retain(|way| way.cost <= limit);
        let least = |ways: &[Way]| ways.iter().map(|way| way.cost).min();
        least(ways).ok_or(from)?;
        let last = self.sheet.tokens.len();
        self.sheet.through(ways, limit, from..last, &self.ways)?;
        least(ways).ok_or(last)
    }

    /// Tries hypotheses in which one token is not the move that was meant, the nearest to the break first.
    fn tokens(&mut self) {
        for index in (self.culprit.unwrap_or(0)..self.ways.len()).rev() {
            if self.assumed.holds(index) {
                continue;
            }
            for (number, way) in Rc::clone(&self.ways[index]).iter().enumerate() {
                let position = &way.position;
                let Some(near) = self.near(index, position) else {
                    return;
                };
                let token = self.sheet.written(index);
                let is_word = self.sheet.word(index, position.turn()).is_some();
                for (count, near) in near.iter().enumerate() {
                    let play = |search: &mut Self, ways: &mut Vec<Way>, _| {
                        for Way { position, cost, .. } in ways {
                            let played = position.play_unchecked(near.mv);
                            let mut read =
                                search.ways.get(index + 1).into_iter().flat_map(|w| &**w);
                            if read.any(|read| read.position == *position) {
                                return Err(index);
                            }
                            *cost = search.marks(token, played.check, position);
                        }
                        Ok(())
                    };
                    let edits = |search: &Self| {
                        let mut text = search.spelled(position, near.mv)?;
                        let (_, tail) = split_end(token, b"!?+#");
                        text.push_str(&String::from_utf8_lossy(tail));
                        Some(vec![Edit::new(index, false, text, near.slip.name())])
                    };
                    let trial = [index, number, SWAPS.len() + count];
                    let cost = cost::of(near.slip, is_word);
                    self.suppose(trial, index..index + 1, way, cost, play, edits);
                }
            }
        }
    }

    /// The cost of a false mark of check or mate at the end of a token, or of an unmarked check.
    fn marks(&self, token: &[u8], check: bool, after: &Position) -> u32 {
        let is_true = match split_end(token, b"!?").0 {
            [.., b'#'] | [.., b'+', b'+'] => after.is_checkmate(),
            [.., b'+'] => check,
            _ if check && self.sheet.has_marks => return against::NO_MARK,
            _ => true,
        };
        if is_true { 0 } else { against::MARK }
    }

    /// Tries hypotheses in which moves were exchanged: White's and Black's, two of one player, or two lines of the
    /// score sheet.
    fn exchanges(&mut self) {
        let last = self.sheet.tokens.len();
        for index in (0..self.ways.len().min(last.saturating_sub(1))).rev() {
            let written = [0, 1, 2, 3].map(|place| self.sheet.written(index + place));
            for (number, way) in Rc::clone(&self.ways[index]).iter().enumerate() {
                for (count, (order, slip)) in SWAPS.into_iter().enumerate() {
                    if !self.sheet.spend(1) {
                        return;
                    }
                    let tokens = index..index + order.len();
                    if tokens.end + self.assumed.vouched() > last {
                        continue;
                    }
                    let moved = || {
                        let places = order.iter().copied().enumerate();
                        places.filter(|(place, other)| place != other)
                    };
                    if moved().all(|(place, other)| written[place] == written[other])
                        || moved().any(|(place, _)| self.assumed.holds(index + place))
                    {
                        continue;
                    }
                    let play = |search: &mut Self, ways: &mut Vec<Way>, limit| {
                        for (place, other) in order.iter().enumerate() {
                            let token = index + other;
                            let played = search.sheet.through(ways, limit, token..token + 1, &[]);
                            played.map_err(|_| index + place)?;
                        }
                        // Both orders usually lead to the same position, and then the game breaks as before.
                        let known = search.ways.get(index + order.len());
                        let is_known = |way: &Way| {
                            let mut known = known.into_iter().flat_map(|known| &**known);
                            known.any(|known| known.position.is_same(&way.position))
                        };
                        let is_new = !ways.iter().all(is_known);
                        is_new.then_some(()).ok_or(index + order.len() - 1)
                    };
                    let edits = |_: &Self| {
                        let edits = moved().map(|(place, other)| {
                            let text = String::from_utf8_lossy(written[other]).into_owned();
                            Edit::new(index + place, false, text, slip)
                        });
                        Some(edits.collect())
                    };
                    let trial = [index, number, count];
                    self.suppose(trial, tokens, way, cost::EXCHANGED, play, edits);
                }
            }
        }
    }

    /// Tries hypotheses in which a move is missing or written twice, in a game without move numbers.
    fn missing_moves(&mut self) {
        for index in (self.culprit.unwrap_or(0)..self.ways.len()).rev() {
            let token = self.sheet.written(index);
            let near = [-2, -1, 1, 2].map(|by| index.wrapping_add_signed(by));
            if near.map(|other| self.sheet.written(other)).contains(&token) {
                self.written_twice(index, 1, cost::UNNUMBERED);
            }
            self.missing(index, 1, cost::UNNUMBERED);
        }
    }

    /// Tries hypotheses in which a move is missing although the move numbers do not show it.
    fn omitted_moves(&mut self) {
        for index in (self.culprit.unwrap_or(0)..self.ways.len()).rev() {
            self.missing(index, 1, cost::UNNUMBERED);
        }
    }

    /// Tries hypotheses in which moves are missing or superfluous about where the move numbers show it.
    fn gap(&mut self, gap: &Misnumbered) {
        let place = |plies: i64| usize::try_from(plies).unwrap_or(usize::MAX);
        let (first, last) = (place(gap.since), place(gap.plies));
        for index in (first..=last.min(self.ways.len().saturating_sub(1))).rev() {
            match gap.found - gap.expected {
                1 => self.missing(index, 1, cost::NUMBERED),
                2 if index > first => {
                    let is_across = (last - index) % 2 == 1;
                    let across = if is_across { cost::ACROSS } else { 0 };
                    self.missing(index, 2, cost::NUMBERED + across);
                }
                -2..=-1 => {
                    let count = place(gap.expected - gap.found);
                    if index + count <= last {
                        self.written_twice(index, count, cost::NUMBERED);
                    }
                }
                _ => {}
            }
        }
    }

    /// Tries the hypothesis that some tokens are superfluous.
    fn written_twice(&mut self, index: usize, count: usize, assumed: u32) {
        // Of two equal tokens, only the second is removed.
        if count == 1 && self.sheet.written(index) == self.sheet.written(index + 1) {
            return;
        }
        let slip = ["a move too many", "a line too many"][usize::from(count > 1)];
        for way in Rc::clone(&self.ways[index]).iter() {
            let (position, cost) = (way.position.clone(), way.cost + assumed);
            let mut ways = vec![Way::new(position, cost)];
            if let Ok(cost) = self.rest(&mut ways, self.limit(), index + count) {
                let edits = index..index + count;
                let edits = edits.map(|token| Edit::new(token, false, String::new(), slip));
                self.add(cost, edits.collect());
            }
        }
    }

    /// Tries hypotheses in which one or two moves are missing before a token.
    fn missing(&mut self, index: usize, count: usize, assumed: u32) {
        if self.culprit.is_none() {
            for way in Rc::clone(&self.ways[index]).iter() {
                self.insert(index, &way.position, count, way.cost + assumed, &[]);
            }
        }
    }

    /// Inserts `count` legal moves before a token. `others` are the moves inserted so far, each with the position
    /// before it.
    fn insert(
        &mut self,
        index: usize,
        position: &Position,
        count: usize,
        cost: u32,
        others: &[(&Position, Move)],
    ) {
        let slip = [several::OMITTED, "a missing line"][usize::from(count > 1)];
        for mv in position.legal_moves() {
            if self.sheet.steps == 0 {
                return;
            }
            let mut after = position.clone();
            after.play_unchecked(mv);
            let moves = [others, &[(position, mv)]].concat();
            if moves.len() < count {
                self.insert(index, &after, count, cost, &moves);
                continue;
            }
            let position = after;
            let mut ways = vec![Way::new(position, cost)];
            if let Ok(cost) = self.rest(&mut ways, self.limit(), index) {
                let edit = |(position, mv): &(&Position, Move)| {
                    let text = self.spelled(position, *mv)?;
                    Some(Edit::new(index, true, text, slip))
                };
                if let Some(edits) = moves.iter().map(edit).collect() {
                    self.add(cost, edits);
                }
            }
        }
    }

    fn spelled(&self, position: &Position, mv: Move) -> Option<String> {
        self.sheet.reading.hands[position.turn() as usize].spelled(position, mv, true)
    }
}
