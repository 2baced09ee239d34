//! The slips that explain why a game breaks.
//!
//! A hypothesis is one slip at first: a token that is another move than was meant, two moves exchanged, one missing or
//! written twice. It counts if everything after it can then be replayed. Each assumption has a cost, and so has what
//! contradicts it: marks that are not true, words that fit several moves. A slip may precede the break by far - a
//! knight on the wrong level is missed only when it should move on - so every ply before the break is tried.
//!
//! Only if no slip alone explains the game, several are assumed: see [`several`].

mod several;
mod shared;

use self::several::{Learned, Partial};
use self::shared::Trial;
use super::sheet::{Sheet, Way, Words, against};
use crate::findings::first_half;
use crate::line::Reading;
use crate::token::Token;
use std::collections::HashMap;
use std::rc::Rc;
use tridex_archive::game::{Misnumbered, Numbering};
use tridex_notation::{WriteOptions, split_end, write_unmarked};
use tridex_rules::{Move, Position};

/// The cost of assumptions. A tenth of the likelihood is about four.
mod cost {
    use tridex_notation::slips::Slip;

    /// Two moves exchanged.
    pub(super) const EXCHANGED: u32 = 8;
    /// Moves missing, or written twice, where the numbers do not show it.
    pub(super) const UNNUMBERED: u32 = 12;
    /// The same where the numbers show it.
    pub(super) const NUMBERED: u32 = 5;
    /// A line of the sheet is likelier to be missing than Black's move and White's next.
    pub(super) const ACROSS: u32 = 4;
    /// Numbers that show missing moves where none are missing, or none where some are.
    pub(super) const MISNUMBERED: u32 = 10;
    /// A slip in one token. In a token that is no word, a character that neither resembles the intended one nor is near
    /// it on the keyboard is not considered if another does; in a word it may be another square or piece.
    pub(super) const fn of(slip: Slip, is_word: bool) -> u32 {
        let is_stray = matches!(slip, Slip::Character) && !is_word;
        4 * slip.cost() as u32 + 1 + is_stray as u32
    }
}

/// How much is done to find the slips of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// How many tokens are read, at most, to find one slip.
    pub(super) one: u64,
    /// How many are read, at most, for more than one.
    pub(super) several: u64,
    /// Whether replays are shortened, which changes no result and is counted as if they were not.
    pub(super) shortcuts: bool,
}

impl Effort {
    pub(super) const USUAL: Self = Self {
        one: 100_000,
        several: 200_000,
        shortcuts: true,
    };
}

/// A hypothesis that costs so much more than the best is not likely.
const MARGIN: u32 = 5;
/// Those that cost so much more are not listed.
const LISTED: u32 = 12;
/// The orders in which some tokens in a row are read that were exchanged.
const SWAPS: [&[usize]; 3] = [&[1, 0], &[2, 1, 0], &[2, 3, 0, 1]];
/// A longer game is not searched.
const LONGEST: usize = 1_000;

/// A change to the tokens of the main line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Edit {
    /// Index of the token that is changed, or before which the text is inserted.
    pub(super) token: usize,
    /// Whether the text is inserted.
    pub(super) is_new: bool,
    /// The new text; empty if the token is removed.
    pub(super) text: String,
    /// The number of halves of moves before it: 24 for White's twelfth move.
    pub(super) halves: usize,
    /// What went wrong.
    pub(super) slip: &'static str,
}

impl Edit {
    /// Another text for a token, or none, after a number of halves of moves.
    const fn new(token: usize, text: String, halves: usize, slip: &'static str) -> Self {
        Self {
            token,
            is_new: false,
            text,
            halves,
            slip,
        }
    }
}

/// A slip that explains the game, or several that do together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Hypothesis {
    pub(super) cost: u32,
    pub(super) edits: Vec<Edit>,
    pub(super) slip: &'static str,
}

/// What was found.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct Found {
    /// The likeliest first.
    pub(super) hypotheses: Vec<Hypothesis>,
    /// Whether the first is the only one that is likely.
    pub(super) is_sure: bool,
    /// Whether the search ended at its limit.
    pub(super) is_cut: bool,
}

/// Looks for the slips that explain why a game breaks at the token `broken`; of one that does not break only for moves of
/// which its numbers say that they are missing. The second value is how many steps are left.
pub(super) fn search(
    start: &Position,
    tokens: &[Token<'_>],
    broken: Option<usize>,
    reading: Reading,
    numbering: Numbering,
    effort: Effort,
) -> (Found, u64) {
    if tokens.len() > LONGEST {
        return (Found::default(), 0);
    }
    let mut sheet = Sheet::new(tokens, reading, effort.one, effort.shortcuts);
    let gap = match numbering {
        Numbering::Gap(gap) => Some(gap),
        Numbering::Absent | Numbering::Late | Numbering::Sound => None,
    };
    let Some(last) = broken.or_else(|| usize::try_from(gap?.plies).ok()) else {
        return (Found::default(), 0);
    };
    let first = Way {
        position: start.clone(),
        cost: 0,
    };
    sheet.extend(vec![Rc::from([first])], last);
    let culprit = broken.filter(|broken| sheet.never_fits(*broken));
    let is_told_missing = gap.is_some_and(|gap| gap.holds);
    let mut search = Search {
        written: sheet.ways.clone(),
        sheet,
        effort,
        culprit,
        assumed: Partial::default(),
        partials: Vec::new(),
        learned: (0..=tokens.len()).map(|_| Learned::default()).collect(),
        first: usize::MAX,
        room: Vec::new(),
        found: HashMap::new(),
        best: u32::MAX - LISTED,
        wants_several: !is_told_missing
            && matches!(numbering, Numbering::Gap(_) | Numbering::Sound),
        misnumbered: if is_told_missing {
            cost::MISNUMBERED
        } else {
            0
        },
    };
    if let Some(gap) = gap {
        search.gap(&gap);
    }
    if broken.is_some() {
        search.tokens();
        if search.culprit.is_none() {
            search.exchanges();
        }
        if numbering == Numbering::Absent {
            search.missing_moves();
        } else if search.wants_several {
            search.several();
        }
    }
    let left = search.sheet.steps;
    (search.finish(), left)
}

struct Search<'t> {
    sheet: Sheet<'t>,
    effort: Effort,
    /// The positions that are possible before each token, up to the break, where nothing is assumed.
    written: Vec<Rc<[Way]>>,
    /// The token that breaks the game, if it fits nowhere: then only changing or removing it explains anything.
    culprit: Option<usize>,
    /// The slips that are assumed already.
    assumed: Partial,
    /// The slips with which the game continues beyond the break, and not to its end.
    partials: Vec<Partial>,
    /// What is known of each token, and of what follows the last.
    learned: Vec<Learned>,
    /// The first token that is assumed to be another; beyond the last if none is.
    first: usize,
    /// Room for the positions of a replay.
    room: Vec<Way>,
    /// What was found, by its edits: their cost and what went wrong. There may be tens of thousands.
    found: HashMap<Vec<Edit>, (u32, &'static str)>,
    /// The cost of the best so far.
    best: u32,
    /// Whether several slips are assumed where none alone explains the game: the numbers show that nothing is
    /// missing.
    wants_several: bool,
    /// The cost of everything that leaves the numbers wrong.
    misnumbered: u32,
}

impl Search<'_> {
    fn limit(&self) -> u32 {
        self.best + LISTED
    }

    fn add(&mut self, cost: u32, mut edits: Vec<Edit>) {
        let slip = self.assumed.with(&mut edits);
        self.best = self.best.min(cost);
        let known = self.found.entry(edits).or_insert((cost, slip));
        if cost < known.0 {
            *known = (cost, slip);
        }
    }

    /// Tries a hypothesis of a certain cost about some tokens, from a position that is possible before them. If with it the game
    /// can be replayed to its end it is added, with what it changes; if only further than before it is stored.
    ///
    /// `start` plays the tokens; see [`Search::replay`].
    fn suppose(
        &mut self,
        trial: Trial,
        way: &Way,
        slip: u32,
        start: impl FnOnce(&mut Self, &mut Vec<Way>, u32) -> Result<(), usize>,
        edits: impl FnOnce(&Self) -> Option<Vec<Edit>>,
    ) {
        let cost = self.assumed.cost + way.cost + slip + self.misnumbered;
        let (rest, reached) = self.replay(trial, cost, |search, ways, limit| {
            ways.push(Way {
                position: way.position.clone(),
                cost: 0,
            });
            start(search, ways, limit)
        });
        // Its tokens are played, or it is not known whether it holds.
        let goes_on = reached >= trial.token + trial.tokens && self.goes_on(reached);
        if rest.is_none() && !goes_on {
            return;
        }
        let Some(edits) = edits(self) else {
            return;
        };
        match rest {
            Some(cost) => self.add(cost, edits),
            None => self.store_partial(slip, reached, edits),
        }
    }

    /// One token is another move than was meant. The nearest to the break come first.
    fn tokens(&mut self) {
        for index in (self.culprit.unwrap_or(0)..self.sheet.ways.len()).rev() {
            if self.assumed.holds(index) {
                continue;
            }
            for (number, way) in self.ways_before(index).iter().enumerate() {
                let position = &way.position;
                let Some(near) = self.near(index, position) else {
                    return;
                };
                let token = self.sheet.written(index);
                let words = self.sheet.words(index, position.turn());
                let is_word = words.is_some_and(Words::is_word);
                for (count, near) in near.iter().enumerate() {
                    let trial = Trial {
                        token: index,
                        tokens: 1,
                        way: number,
                        supposed: SWAPS.len() + count,
                    };
                    let play = |search: &mut Self, ways: &mut Vec<Way>, _| {
                        for way in ways {
                            let played = way.position.play_unchecked(near.mv);
                            let read = search.sheet.ways.get(index + 1);
                            let mut read = read.iter().flat_map(|ways| ways.iter());
                            if read.any(|read| read.position == way.position) {
                                return Err(index);
                            }
                            way.cost = search.marks(token, played.check, &way.position);
                        }
                        Ok(())
                    };
                    let edits = |search: &Self| {
                        let text = search.spelled(position, near.mv)?;
                        let text = with_tail(&text, token);
                        let halves = first_half(position);
                        Some(vec![Edit::new(index, text, halves, near.slip.name())])
                    };
                    self.suppose(trial, way, cost::of(near.slip, is_word), play, edits);
                }
            }
        }
    }

    /// The positions that are possible before a token.
    fn ways_before(&self, index: usize) -> Rc<[Way]> {
        Rc::clone(&self.sheet.ways[index])
    }

    /// The cost of a mark of check or mate after its token that is not true.
    fn marks(&self, token: &[u8], check: bool, after: &Position) -> u32 {
        let is_true = match split_end(token, b"!?").0 {
            [.., b'#'] | [.., b'+', b'+'] => after.is_checkmate(),
            [.., b'+'] => check,
            _ if check && self.sheet.has_marks => return against::NO_MARK,
            _ => true,
        };
        if is_true { 0 } else { against::MARK }
    }

    /// Two moves were exchanged: White's and Black's, two of one player, or two lines of the sheet.
    fn exchanges(&mut self) {
        let last = self.sheet.len();
        for index in (0..self.sheet.ways.len()).rev() {
            if index + 1 >= last {
                continue;
            }
            for (number, way) in self.ways_before(index).iter().enumerate() {
                for (supposed, order) in SWAPS.into_iter().enumerate() {
                    if !self.sheet.spend(1) {
                        return;
                    }
                    if index + order.len() + self.assumed.vouched() > last {
                        continue;
                    }
                    let token = |place: usize| self.sheet.written(index + place);
                    let places = order.iter().copied().enumerate();
                    let moved = places.filter(|(place, other)| place != other);
                    if moved
                        .clone()
                        .all(|(place, other)| token(place) == token(other))
                        || moved
                            .clone()
                            .any(|(place, _)| self.assumed.holds(index + place))
                    {
                        continue;
                    }
                    let trial = Trial {
                        token: index,
                        tokens: order.len(),
                        way: number,
                        supposed,
                    };
                    let play = |search: &mut Self, ways: &mut Vec<Way>, limit| {
                        for (place, other) in order.iter().enumerate() {
                            let token = index + other;
                            let played = search.sheet.through(ways, limit, token..token + 1);
                            played.map_err(|_| index + place)?;
                        }
                        // Mostly the same position comes of both orders, and the game breaks as it did.
                        let known = search.sheet.ways.get(index + order.len());
                        let is_known = |way: &Way| {
                            let mut known = known.iter().flat_map(|known| known.iter());
                            known.any(|known| known.position.is_same(&way.position))
                        };
                        match ways.iter().all(is_known) {
                            true => Err(index + order.len() - 1),
                            false => Ok(()),
                        }
                    };
                    let slip = match order.len() {
                        2 => "two moves exchanged",
                        3 => "two moves of one player exchanged",
                        _ => "two lines exchanged",
                    };
                    let edits = |search: &Self| {
                        let written = |place: usize| search.sheet.written(index + place);
                        let edits = moved.map(|(place, other)| {
                            let text = String::from_utf8_lossy(written(other)).into_owned();
                            let halves = first_half(&way.position) + place;
                            Edit::new(index + place, text, halves, slip)
                        });
                        Some(edits.collect())
                    };
                    self.suppose(trial, way, cost::EXCHANGED, play, edits);
                }
            }
        }
    }

    /// A move is missing, or one was written twice, and no numbers show where.
    fn missing_moves(&mut self) {
        for index in (self.culprit.unwrap_or(0)..self.sheet.ways.len()).rev() {
            let token = self.sheet.written(index);
            let near = [
                index.wrapping_sub(2),
                index.wrapping_sub(1),
                index + 1,
                index + 2,
            ];
            if near.iter().any(|other| self.sheet.written(*other) == token) {
                self.written_twice(index, 1, cost::UNNUMBERED);
            }
            self.missing(index, 1, cost::UNNUMBERED);
        }
    }

    /// The numbers show that moves are missing, or too many, and about where.
    fn gap(&mut self, gap: &Misnumbered) {
        let place = |plies: i64| usize::try_from(plies).unwrap_or(usize::MAX);
        let (first, last) = (place(gap.since), place(gap.plies));
        for index in (first..=last.min(self.sheet.ways.len().saturating_sub(1))).rev() {
            match gap.shift {
                1 => self.missing(index, 1, cost::NUMBERED),
                2 if index > first => {
                    let is_across = (last - index) % 2 == 1;
                    let across = if is_across { cost::ACROSS } else { 0 };
                    self.missing(index, 2, cost::NUMBERED + across);
                }
                -2..=-1 => {
                    let count = place(-gap.shift);
                    if index + count <= last {
                        self.written_twice(index, count, cost::NUMBERED);
                    }
                }
                _ => {}
            }
        }
    }

    /// Leaves tokens out.
    fn written_twice(&mut self, index: usize, count: usize, assumed: u32) {
        for way in self.ways_before(index).iter() {
            let position = way.position.clone();
            if let Some(cost) = self.rest(position, way.cost + assumed, index + count) {
                let slip = if count == 1 {
                    "a move too many"
                } else {
                    "a line too many"
                };
                let edits = (0..count).map(|place| {
                    let halves = first_half(&way.position) + place;
                    Edit::new(index + place, String::new(), halves, slip)
                });
                self.add(cost, edits.collect());
            }
        }
    }

    /// What speaks against the way from a position through the tokens from one on, if it leads to the end.
    fn rest(&mut self, position: Position, cost: u32, from: usize) -> Option<u32> {
        let mut ways = vec![Way { position, cost }];
        let (limit, last) = (self.limit(), self.sheet.len());
        self.play_on(&mut ways, limit, from, last).ok()?;
        ways.iter().map(|way| way.cost).min()
    }

    /// Puts one or two legal moves in before a token.
    fn missing(&mut self, index: usize, count: usize, assumed: u32) {
        if self.culprit.is_none() {
            for way in self.ways_before(index).iter() {
                self.insert(index, &way.position, count, way.cost + assumed, &[]);
            }
        }
    }

    /// Puts some legal moves in after others, each of these with the position before it.
    fn insert(
        &mut self,
        index: usize,
        position: &Position,
        count: usize,
        cost: u32,
        others: &[(&Position, Move)],
    ) {
        for mv in position.legal_moves() {
            if self.sheet.is_exhausted() {
                return;
            }
            let mut after = position.clone();
            after.play_unchecked(mv);
            let moves = [others, &[(position, mv)]].concat();
            if moves.len() < count {
                self.insert(index, &after, count, cost, &moves);
            } else if let Some(cost) = self.rest(after, cost, index) {
                let slip = match count {
                    1 => "a missing move",
                    _ => "a missing line",
                };
                let edit = |(position, mv): &(&Position, Move)| {
                    let text = self.spelled(position, *mv)?;
                    let edit = Edit::new(index, text, first_half(position), slip);
                    Some(Edit {
                        is_new: true,
                        ..edit
                    })
                };
                if let Some(edits) = moves.iter().map(edit).collect() {
                    self.add(cost, edits);
                }
            }
        }
    }

    fn spelled(&self, position: &Position, mv: Move) -> Option<String> {
        let writing = self.sheet.reading.hands[position.turn() as usize];
        let options = WriteOptions {
            locale: writing.locale,
            ..WriteOptions::default()
        };
        let text = write_unmarked(writing.notation, position, mv, &options).ok()?;
        Some(text.as_str().to_owned())
    }

    fn finish(mut self) -> Found {
        let (best, limit) = (self.best, self.limit());
        let found = std::mem::take(&mut self.found).into_iter();
        let mut hypotheses: Vec<Hypothesis> = found
            .map(|(edits, (cost, slip))| Hypothesis { cost, edits, slip })
            .filter(|found| found.cost <= limit)
            .collect();
        hypotheses.sort();
        let likely = hypotheses.iter().filter(|found| found.cost < best + MARGIN);
        let is_sure = likely.count() == 1 && !self.sheet.is_exhausted();
        Found {
            is_sure,
            is_cut: self.sheet.is_exhausted(),
            hypotheses,
        }
    }
}

/// A move with the marks after a token.
fn with_tail(text: &str, token: &[u8]) -> String {
    let mut text = text.to_owned();
    let (_, tail) = split_end(token, b"!?+#");
    text.extend(tail.iter().map(|byte| char::from(*byte)));
    text
}
