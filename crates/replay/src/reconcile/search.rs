//! Searches for the games that explain several records at the lowest cost.
//!
//! The search proceeds ply by ply. A node of a layer is a position together with the progress in each record. An edge
//! is a move, with what each record has for it. All edges are stored, so the lattice contains every way that was
//! followed, and the cost of the cheapest game through each edge is known afterwards ([`Lattice::edges_within`]).
//!
//! If the next tokens of two records mean the same legal move, only that move is followed. Otherwise every move that
//! some record supports is followed: the moves that its next token means, those one slip away from it, and those that
//! the tokens after it mean, in case moves were exchanged.

use super::costs::{self, Cost};
use super::sheet::{Agreement, Fit, Sheet};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tridex_notation::resolve::preference;
use tridex_rules::{Move, Position};

/// The most records that are compared.
pub(super) const MOST_RECORDS: usize = 3;

/// How much is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Breadth {
    /// The most nodes of a layer.
    pub(super) nodes: usize,
    /// How much more than the cheapest node of its layer a node may cost.
    pub(super) cutoff: Cost,
    /// Whether slips within exchanged tokens are tried.
    pub(super) is_thorough: bool,
}

/// What a record has for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Has {
    /// A token that agrees with it.
    Token(u16, Agreement),
    /// A token that agrees with it, in another place than that of the move.
    Exchanged(u16, Agreement),
    /// A token that does not resemble it.
    Unreadable(u16),
    /// A token for a move that was not recorded.
    NotRecorded(u16),
    /// Nothing, although the record continues.
    Omitted,
    /// Nothing, since the record has ended.
    Ended,
}

impl Has {
    /// The token, if there is one.
    pub(super) const fn token(self) -> Option<usize> {
        match self {
            Self::Token(token, _)
            | Self::Exchanged(token, _)
            | Self::Unreadable(token)
            | Self::NotRecorded(token) => Some(token as usize),
            Self::Omitted | Self::Ended => None,
        }
    }

    /// Whether the record supports the move.
    pub(super) const fn is_support(self) -> bool {
        matches!(self, Self::Token(..) | Self::Exchanged(..))
    }

    /// Whether the record has a slip, other than exchanged moves.
    const fn is_slip(self) -> bool {
        matches!(
            self,
            Self::Token(_, Agreement::Slip(_) | Agreement::Marks)
                | Self::Unreadable(_)
                | Self::Omitted
        )
    }
}

/// How far a record was read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Progress {
    /// The first token that is not read.
    next: u16,
    /// The tokens after it that are read, as bits.
    taken: u8,
    /// Whether the last move is omitted, or the end was counted.
    is_idle: bool,
    /// Whether the last two moves were exchanged with each other.
    is_shifted: bool,
    /// By how much the numbers of the record are ahead of the plies.
    ahead: i16,
}

/// The half move of the first ply, since the first move has the number 1.
const FIRST_HALF: i16 = 2;

impl Progress {
    const START: Self = Self {
        next: 0,
        taken: 0,
        is_idle: false,
        is_shifted: false,
        ahead: FIRST_HALF,
    };

    /// The progress after the token at this distance was read.
    fn after(mut self, distance: u16) -> Self {
        self.is_idle = false;
        if distance > 0 {
            self.taken |= 1 << (distance - 1);
            return self;
        }
        self.is_shifted = self.taken == 1;
        loop {
            self.next += 1;
            let is_read = self.taken & 1 != 0;
            self.taken >>= 1;
            if !is_read {
                return self;
            }
        }
    }

    fn left(self, tokens: usize) -> usize {
        tokens - usize::from(self.next) - self.taken.count_ones() as usize
    }
}

/// A position with the progress in each record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The index of the position in its layer.
    pub(super) position: u32,
    progress: [Progress; MOST_RECORDS],
    /// The cost of the cheapest way from the start.
    pub(super) cost: Cost,
}

/// A move from a node of one layer to a node of the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) parent: u32,
    pub(super) child: u32,
    pub(super) mv: Move,
    cost: Cost,
    pub(super) has: [Has; MOST_RECORDS],
}

impl Edge {
    fn is_exchanged(&self) -> bool {
        let mut has = self.has.iter();
        has.any(|has| matches!(has, Has::Exchanged(..)))
    }

    /// Whether the tokens of the records mean the move without a slip, and those of two records or more.
    pub(super) fn is_agreed(&self) -> bool {
        let is_sound = |has: &&Has| {
            matches!(
                has,
                Has::Token(_, Agreement::Exact | Agreement::Foreign) | Has::Ended
            )
        };
        let ended = self.has.iter().filter(|has| matches!(has, Has::Ended));
        self.has.iter().all(|has| is_sound(&has)) && ended.count() + 2 <= MOST_RECORDS
    }

    /// Whether the records have the same tokens for another move, and one of them with a slip.
    pub(super) fn slips_where(&self, other: &Self) -> bool {
        let mut both = self.has.iter().zip(&other.has);
        let is_same = both.all(|(own, theirs)| own.token() == theirs.token());
        let is_slip = |has: &Has| matches!(has, Has::Token(_, Agreement::Slip(_)));
        is_same && self.has.iter().any(is_slip)
    }
}

/// The nodes after some plies, and the edges that lead to them.
#[derive(Debug, Default)]
pub(super) struct Layer {
    pub(super) positions: Vec<Position>,
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
}

/// All ways that were followed.
#[derive(Debug)]
pub(super) struct Lattice {
    pub(super) layers: Vec<Layer>,
    /// The nodes at which the records are read: the layer, the node, and the cost of the tokens that are left.
    ends: Vec<(usize, u32, Cost)>,
    /// The cost of the cheapest game.
    pub(super) least: Cost,
    /// Whether nodes were dropped because there were too many.
    pub(super) is_cut: bool,
}

/// What a move that no record has costs at least, besides the omission.
const LEAST_UNRECORDED: Cost = 200;

/// What nearly every slip costs at least.
const LEAST_SLIP: Cost = 600;

/// The most tokens that may be left at the end.
const MOST_LEFT: usize = 3;

/// The most plies that all records may omit together, beyond the tokens of the longest.
const MOST_OMITTED: usize = 24;

/// The records certainly differ more than records of one game do if the cheapest game costs more than this, and a part
/// of it for each ply.
const HOPELESS: Cost = 3_000;

/// The same for each ply.
const HOPELESS_PLY: Cost = 150;

/// Why there is no game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoGame {
    /// A broader search may find one.
    TooNarrow,
    /// The records differ too much.
    TooDifferent,
}

/// Searches for the games that explain the records.
///
/// # Errors
/// If there is none.
pub(super) fn search(
    start: &Position,
    sheets: &mut [Sheet],
    breadth: Breadth,
    most_margin: Cost,
) -> Result<Lattice, NoGame> {
    let first = Layer {
        positions: vec![start.clone()],
        nodes: vec![Node {
            position: 0,
            progress: [Progress::START; MOST_RECORDS],
            cost: 0,
        }],
        edges: Vec::new(),
    };
    let mut lattice = Lattice {
        layers: vec![first],
        ends: Vec::new(),
        least: Cost::MAX,
        is_cut: false,
    };
    let longest = sheets.iter().map(|sheet| sheet.tokens.len()).max();
    for ply in 0..=longest.unwrap_or(0) + MOST_OMITTED {
        let Some(layer) = lattice.layers.last() else {
            break;
        };
        let least = layer.nodes.iter().map(|node| node.cost).min();
        let most = HOPELESS.saturating_add(HOPELESS_PLY.saturating_mul(ply as Cost));
        if least.is_some_and(|least| least > most) && lattice.ends.is_empty() {
            return Err(NoGame::TooDifferent);
        }
        for (index, node) in (0..).zip(&layer.nodes) {
            let left = (sheets.iter().zip(node.progress))
                .map(|(sheet, progress)| progress.left(sheet.tokens.len()));
            let left: usize = left.sum();
            if left <= MOST_LEFT {
                let cost = left as Cost * costs::SUPERFLUOUS;
                lattice.ends.push((ply, index, cost));
                lattice.least = lattice.least.min(node.cost + cost);
            }
        }
        let most = lattice.least.saturating_add(most_margin);
        let mut step = Step::new(layer, sheets, breadth, ply, most);
        (0..layer.nodes.len()).for_each(|node| step.expand(node));
        let (next, is_cut) = step.finish();
        lattice.is_cut |= is_cut;
        if next.nodes.is_empty() {
            break;
        }
        lattice.layers.push(next);
    }
    match lattice.least {
        Cost::MAX => Err(NoGame::TooNarrow),
        _ => Ok(lattice),
    }
}

impl Lattice {
    /// For each layer and node, the cost of the cheapest way to an end.
    fn remaining(&self) -> Vec<Vec<Cost>> {
        let sizes = self.layers.iter().map(|layer| layer.nodes.len());
        let mut remaining: Vec<Vec<Cost>> = sizes.map(|size| vec![Cost::MAX; size]).collect();
        for (layer, node, cost) in &self.ends {
            remaining[*layer][*node as usize] = *cost;
        }
        for (index, layer) in self.layers.iter().enumerate().skip(1).rev() {
            let (before, after) = remaining.split_at_mut(index);
            let (Some(before), Some(after)) = (before.last_mut(), after.first()) else {
                continue;
            };
            for edge in &layer.edges {
                let cost = after[edge.child as usize].saturating_add(edge.cost);
                let known = &mut before[edge.parent as usize];
                *known = cost.min(*known);
            }
        }
        remaining
    }

    /// For each ply, the edges of games that cost at most `margin` more than the cheapest one, each with this
    /// difference.
    pub(super) fn edges_within(&self, margin: Cost) -> Vec<Vec<(Edge, Cost)>> {
        let (remaining, most) = (self.remaining(), self.least.saturating_add(margin));
        let plies = self.layers.windows(2).zip(&remaining[1..]);
        let edges = plies.map(|(pair, remaining)| {
            let edges = pair[1].edges.iter().map(|edge| {
                let before = pair[0].nodes[edge.parent as usize].cost;
                let cost = before.saturating_add(edge.cost);
                (*edge, cost.saturating_add(remaining[edge.child as usize]))
            });
            let within = edges.filter(|(_, cost)| *cost <= most);
            let mut within: Vec<(Edge, Cost)> = within
                .map(|(edge, cost)| (edge, cost - self.least))
                .collect();
            within.sort_by_key(|(edge, cost)| (*cost, preference(edge.mv)));
            within
        });
        edges.collect()
    }

    /// The edges of the cheapest game. Of several, the one whose exchanged moves are in the records that have the most
    /// other slips: a record that has more slips elsewhere is the likelier one to have them. If this does not decide,
    /// the one whose moves come first in the order of [`preference`].
    pub(super) fn cheapest(&self) -> Vec<Edge> {
        let first = self.cheapest_by([0; MOST_RECORDS]);
        if !first.iter().any(Edge::is_exchanged) {
            return first;
        }
        let mut slips = [0; MOST_RECORDS];
        for edge in &first {
            for (slips, has) in slips.iter_mut().zip(edge.has) {
                *slips += u32::from(has.is_slip());
            }
        }
        let most = slips.iter().copied().max().unwrap_or_default();
        self.cheapest_by(slips.map(|slips| most - slips))
    }

    /// The edges of the cheapest game. Of several, the one with the least sum of weights, one for each exchanged move
    /// of the records.
    fn cheapest_by(&self, weights: [u32; MOST_RECORDS]) -> Vec<Edge> {
        let weight = |edge: &Edge| -> u32 {
            let each = edge.has.iter().zip(weights);
            each.filter(|(has, _)| matches!(has, Has::Exchanged(..)))
                .map(|(_, weight)| weight)
                .sum()
        };
        let sizes = self.layers.iter().map(|layer| layer.nodes.len());
        let most = (Cost::MAX, u32::MAX);
        let mut remaining: Vec<Vec<(Cost, u32)>> = sizes.map(|size| vec![most; size]).collect();
        for (layer, node, cost) in &self.ends {
            remaining[*layer][*node as usize] = (*cost, 0);
        }
        for (index, layer) in self.layers.iter().enumerate().skip(1).rev() {
            let (before, after) = remaining.split_at_mut(index);
            let (Some(before), Some(after)) = (before.last_mut(), after.first()) else {
                continue;
            };
            for edge in &layer.edges {
                let (cost, sum) = after[edge.child as usize];
                let through = (
                    cost.saturating_add(edge.cost),
                    sum.saturating_add(weight(edge)),
                );
                let known = &mut before[edge.parent as usize];
                *known = through.min(*known);
            }
        }
        let (mut at, mut left) = (0, remaining[0][0]);
        let mut edges = Vec::new();
        for (layer, remaining) in self.layers.iter().zip(&remaining).skip(1) {
            let is_end = |(layer, node, cost): &(usize, u32, Cost)| {
                *layer == edges.len() && *node == at && (*cost, 0) == left
            };
            if self.ends.iter().any(is_end) {
                break;
            }
            let fits = |edge: &&Edge| {
                let (cost, sum) = remaining[edge.child as usize];
                let through = (
                    cost.saturating_add(edge.cost),
                    sum.saturating_add(weight(edge)),
                );
                edge.parent == at && through == left
            };
            let from = layer.edges.iter().filter(fits);
            let Some(edge) = from.min_by_key(|edge| preference(edge.mv)) else {
                break;
            };
            edges.push(*edge);
            (at, left) = (edge.child, remaining[edge.child as usize]);
        }
        edges
    }
}

/// A way in which a record agrees with a move.
#[derive(Clone, Copy, Debug)]
struct Allowed {
    mv: Move,
    progress: Progress,
    cost: Cost,
    has: Has,
}

/// Makes the next layer.
struct Step<'s> {
    layer: &'s Layer,
    sheets: &'s mut [Sheet],
    breadth: Breadth,
    ply: usize,
    /// The most that a node may cost.
    most: Cost,
    next: Layer,
    /// The nodes of the next layer by position and progress.
    known: FxHashMap<(u32, [Progress; MOST_RECORDS]), u32>,
    /// The positions of the next layer by their keys.
    by_key: FxHashMap<u64, Vec<u32>>,
    /// The position of the next layer that a move leads to.
    after: FxHashMap<(u32, Move), u32>,
    /// The moves that a token means, or is near to, in a position: position, record, token, whether near.
    fits: FxHashMap<(u32, u8, u16, bool), Rc<[Fit]>>,
}

impl<'s> Step<'s> {
    fn new(
        layer: &'s Layer,
        sheets: &'s mut [Sheet],
        breadth: Breadth,
        ply: usize,
        most: Cost,
    ) -> Self {
        Self {
            layer,
            sheets,
            breadth,
            ply,
            most,
            next: Layer::default(),
            known: FxHashMap::default(),
            by_key: FxHashMap::default(),
            after: FxHashMap::default(),
            fits: FxHashMap::default(),
        }
    }

    /// The moves that a token means in a position, or those that are one slip away from it.
    fn fits(&mut self, position: u32, record: usize, token: u16, near: bool) -> Rc<[Fit]> {
        let key = (position, record as u8, token, near);
        if let Some(known) = self.fits.get(&key) {
            return Rc::clone(known);
        }
        let at = &self.layer.positions[position as usize];
        let sheet = &mut self.sheets[record];
        let fits: Rc<[Fit]> = match near {
            true => sheet.near(at, token.into()).into(),
            false => sheet.exact(at, token.into()).into(),
        };
        self.fits.insert(key, Rc::clone(&fits));
        fits
    }

    fn tokens(&self, record: usize) -> u16 {
        self.sheets[record].tokens.len() as u16
    }

    /// Adds the children of a node.
    fn expand(&mut self, index: usize) {
        let node = self.layer.nodes[index];
        if self.expand_agreed(index, &node) {
            return;
        }
        let records = self.sheets.len();
        let mut options: [Vec<Allowed>; MOST_RECORDS] = Default::default();
        let (mut is_exact, mut active) = (false, 0);
        for (record, options) in options.iter_mut().enumerate().take(records) {
            let progress = node.progress[record];
            active += usize::from(progress.left(self.tokens(record).into()) > 0);
            is_exact |= self.supported(record, &node, options);
        }
        let mut moves: Vec<Move> = options.iter().flatten().map(|option| option.mv).collect();
        moves.sort_unstable();
        moves.dedup();
        for mv in &moves {
            self.play(index, &node, *mv, &options, true, 0);
        }
        // A move that no record has.
        let least = node.cost.saturating_add(costs::OMITTED + LEAST_UNRECORDED);
        if active > 0 && !is_exact && least <= self.most {
            let legal = self.layer.positions[node.position as usize].legal_moves();
            let each = (f64::from(legal.len() as u32).ln() * 100.0) as Cost;
            for mv in legal {
                self.play(index, &node, mv, &options, false, each);
            }
        }
    }

    /// If the next tokens of two or more records mean the same move, and those of no record another, adds only this
    /// move and returns true.
    fn expand_agreed(&mut self, index: usize, node: &Node) -> bool {
        const PLAIN: Cost = 60;
        let (mut agreed, mut count) = (None, 0);
        let mut options: [Vec<Allowed>; MOST_RECORDS] = Default::default();
        for (record, allowed) in options.iter_mut().enumerate().take(self.sheets.len()) {
            let progress = node.progress[record];
            if progress.next >= self.tokens(record) {
                continue;
            }
            if progress.taken != 0 {
                return false;
            }
            let fits = self.fits(node.position, record, progress.next, false);
            let [fit] = &*fits else { return false };
            if fit.cost > PLAIN || agreed.is_some_and(|mv| mv != fit.mv) {
                return false;
            }
            agreed = Some(fit.mv);
            count += 1;
            let option = self.in_place(record, progress, *fit);
            // The numbers may show that moves are omitted here.
            if option.cost > PLAIN {
                return false;
            }
            allowed.push(option);
        }
        match agreed {
            Some(mv) if count > 1 => {
                self.play(index, node, mv, &options, true, 0);
                true
            }
            _ => false,
        }
    }

    /// The next token, read as a move.
    fn in_place(&self, record: usize, progress: Progress, fit: Fit) -> Allowed {
        let mut after = progress.after(0);
        let mut cost = fit.cost;
        if progress.taken == 0 {
            cost += self.numbers(record, progress.next, &mut after);
        }
        Allowed {
            mv: fit.mv,
            progress: after,
            cost,
            has: match progress.taken {
                0 => Has::Token(progress.next, fit.agreement),
                _ => Has::Exchanged(progress.next, fit.agreement),
            },
        }
    }

    /// Compares the number of a token with the ply, and returns the cost of the difference.
    fn numbers(&self, record: usize, token: u16, progress: &mut Progress) -> Cost {
        let Some(half) = self.sheets[record].tokens[usize::from(token)].half else {
            return 0;
        };
        let ahead = (half - self.ply as i64).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let before = std::mem::replace(&mut progress.ahead, ahead);
        match ahead.cmp(&before) {
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Less => costs::RUNNING_ON,
            std::cmp::Ordering::Greater if ahead == FIRST_HALF => costs::RIGHT_AGAIN,
            std::cmp::Ordering::Greater => costs::JUMP,
        }
    }

    /// Adds the moves that a record supports. Returns whether its next token means a legal move.
    fn supported(&mut self, record: usize, node: &Node, options: &mut Vec<Allowed>) -> bool {
        let (progress, tokens) = (node.progress[record], self.tokens(record));
        if progress.next >= tokens {
            return false;
        }
        let (position, next) = (node.position, progress.next);
        let exact = self.fits(position, record, next, false);
        for fit in exact.iter() {
            options.push(self.in_place(record, progress, *fit));
        }
        // Every slip costs so much that the search for slips would be in vain.
        let may_slip = node.cost.saturating_add(LEAST_SLIP) <= self.most;
        let near = may_slip.then(|| self.fits(position, record, next, true));
        for fit in near.iter().flat_map(|fits| fits.iter()) {
            if !exact.iter().any(|known| known.mv == fit.mv) {
                options.push(self.in_place(record, progress, *fit));
            }
        }
        // The distances of later tokens that may belong here, and the cost.
        let open = if progress.is_shifted {
            costs::STILL_SHIFTED
        } else {
            costs::EXCHANGED
        };
        let distances: &[(u16, Cost)] = match progress.taken {
            0 => &[(1, open), (2, costs::EXCHANGED)],
            0b10 => &[(1, 0)],
            1 => &[(2, costs::EXCHANGED)],
            _ => &[],
        };
        for (distance, cost) in distances {
            let token = next + distance;
            // Exchanged moves fill the same rows as the moves in order would.
            let (mut opened, mut cost) = (progress, *cost);
            if progress.taken == 0 {
                cost += self.numbers(record, next, &mut opened);
            }
            if token >= tokens {
                continue;
            }
            let is_near = may_slip && (progress.taken == 0b10 || self.breadth.is_thorough);
            for near in [false, true].into_iter().take(1 + usize::from(is_near)) {
                for fit in self.fits(position, record, token, near).iter() {
                    let is_known = |option: &Allowed| {
                        option.mv == fit.mv && option.has.token() == Some(token.into())
                    };
                    if near && options.iter().any(is_known) {
                        continue;
                    }
                    options.push(Allowed {
                        mv: fit.mv,
                        progress: opened.after(*distance),
                        cost: cost + fit.cost,
                        has: match progress.taken {
                            // The opponent's move between two exchanged ones is in its place.
                            0b10 => Has::Token(token, fit.agreement),
                            _ => Has::Exchanged(token, fit.agreement),
                        },
                    });
                    if *distance == 1 && progress.taken == 0 && !near {
                        // The next token is no move of the game.
                        let mut skipped = progress;
                        let extra = self.numbers(record, token, &mut skipped);
                        options.push(Allowed {
                            mv: fit.mv,
                            progress: skipped.after(0).after(0),
                            cost: extra + costs::SUPERFLUOUS + fit.cost,
                            has: Has::Token(token, fit.agreement),
                        });
                    }
                }
            }
        }
        !exact.is_empty()
    }

    /// The ways in which a record allows any move.
    fn any(&self, record: usize, mv: Move, progress: Progress, out: &mut Vec<Allowed>) {
        let idle = Progress {
            is_idle: true,
            ..progress
        };
        let token = self.sheets[record].tokens.get(usize::from(progress.next));
        let Some(token) = token else {
            let cost = match progress.is_idle {
                true => costs::STILL_ENDED,
                false => costs::ENDED,
            };
            return out.push(Allowed {
                mv,
                progress: idle,
                cost,
                has: Has::Ended,
            });
        };
        let cost = match progress.is_idle {
            true => costs::OMITTED_AGAIN,
            false => costs::OMITTED,
        };
        out.push(Allowed {
            mv,
            progress: idle,
            cost,
            has: Has::Omitted,
        });
        let mut after = progress.after(0);
        let mut cost = match progress.taken {
            0 => self.numbers(record, progress.next, &mut after),
            _ => 0,
        };
        let has = match token.is_unrecorded {
            true => Has::NotRecorded(progress.next),
            false => Has::Unreadable(progress.next),
        };
        cost += match token.is_unrecorded {
            true => costs::NOT_RECORDED,
            false => costs::UNREADABLE,
        };
        out.push(Allowed {
            mv,
            progress: after,
            cost,
            has,
        });
    }

    /// Adds the children of a node by a move: one for each combination of what the records have for it.
    fn play(
        &mut self,
        parent: usize,
        node: &Node,
        mv: Move,
        options: &[Vec<Allowed>; MOST_RECORDS],
        is_supported: bool,
        extra: Cost,
    ) {
        let records = self.sheets.len();
        let mut all: [Vec<Allowed>; MOST_RECORDS] = Default::default();
        for (record, all) in all.iter_mut().enumerate().take(records) {
            if is_supported {
                let own = options[record].iter().filter(|option| option.mv == mv);
                all.extend(own);
            }
            self.any(record, mv, node.progress[record], all);
        }
        let none = Allowed {
            mv,
            progress: Progress::START,
            cost: 0,
            has: Has::Ended,
        };
        let fill = [none];
        let of = |record: usize| match record < records {
            true => all[record].as_slice(),
            false => &fill[..],
        };
        for first in of(0) {
            for second in of(1) {
                for third in of(2) {
                    let each = [first, second, third];
                    if is_supported && !each.iter().any(|option| option.has.is_support()) {
                        continue;
                    }
                    let cost: Cost = each.iter().map(|option| option.cost).sum();
                    self.add(
                        parent,
                        node,
                        mv,
                        cost + extra,
                        each.map(|option| option.progress),
                        each.map(|option| option.has),
                    );
                }
            }
        }
    }

    fn add(
        &mut self,
        parent: usize,
        node: &Node,
        mv: Move,
        cost: Cost,
        progress: [Progress; MOST_RECORDS],
        has: [Has; MOST_RECORDS],
    ) {
        let total = node.cost + cost;
        if total > self.most {
            return;
        }
        let position = self.position(node.position, mv);
        let next = &mut self.next.nodes;
        let child = *self.known.entry((position, progress)).or_insert_with(|| {
            next.push(Node {
                position,
                progress,
                cost: total,
            });
            next.len() as u32 - 1
        });
        let known = &mut next[child as usize];
        known.cost = known.cost.min(total);
        self.most = self.most.min(total.saturating_add(self.breadth.cutoff));
        self.next.edges.push(Edge {
            parent: parent as u32,
            child,
            mv,
            cost,
            has,
        });
    }

    /// The position of the next layer after a move.
    fn position(&mut self, before: u32, mv: Move) -> u32 {
        if let Some(known) = self.after.get(&(before, mv)) {
            return *known;
        }
        let mut position = self.layer.positions[before as usize].clone();
        let played = position.play_unchecked(mv);
        let same = self.by_key.entry(played.placement).or_default();
        let positions = &mut self.next.positions;
        let known = same
            .iter()
            .find(|known| positions[**known as usize] == position);
        let index = known.copied().unwrap_or_else(|| {
            positions.push(position);
            let index = positions.len() as u32 - 1;
            same.push(index);
            index
        });
        self.after.insert((before, mv), index);
        index
    }

    /// The next layer, without the nodes that cost too much.
    fn finish(self) -> (Layer, bool) {
        let Layer {
            positions,
            nodes,
            edges,
        } = self.next;
        let mut order: Vec<u32> = (0..nodes.len() as u32).collect();
        order.retain(|index| nodes[*index as usize].cost <= self.most);
        order.sort_by_key(|index| (nodes[*index as usize].cost, *index));
        let is_cut = order.len() > self.breadth.nodes;
        order.truncate(self.breadth.nodes);
        let mut place = vec![u32::MAX; nodes.len()];
        for (new, old) in (0..).zip(&order) {
            place[*old as usize] = new;
        }
        let nodes = order.iter().map(|old| nodes[*old as usize]).collect();
        let edges = edges.into_iter().filter_map(|edge| {
            let child = place[edge.child as usize];
            (child != u32::MAX).then_some(Edge { child, ..edge })
        });
        let layer = Layer {
            edges: edges.collect(),
            positions,
            nodes,
        };
        (layer, is_cut)
    }
}
