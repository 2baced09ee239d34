//! Reads a line of tokens as moves and follows every reading of an ambiguous token to the end.
//!
//! The readings form layers, one for each ply. A node is a move, and its parents are the nodes of the previous layer
//! that it follows. Readings that lead to the same position by the same move become one node with several parents. So
//! the layers stay small even if many tokens are ambiguous.

use super::{Evidence, Meant, Node, TooMany, Way, Weights, Words, expand};
use crate::reading::{Break, PlayerStyles, Ply, Reading};
use crate::style::Style;
use crate::style::interpret::{alternatives, besides};
use crate::style::token::Token;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use tridex_archive::is_pass;
use tridex_notation::MoveText;
use tridex_notation::resolve::Mismatches;
use tridex_rules::{Color, PlayedMove, Position};

/// The best reading is the one with the fewest tokens that disagree with their moves.
const WEIGHTS: Weights = Weights {
    token: 1,
    mark: 0,
    unmarked_check: 0,
    several: 0,
};

/// The maximum number of positions that are followed at a time, unless a move was not recorded.
const MOST_READINGS: usize = 64;

/// The maximum number of positions that are followed after a move that was not recorded.
const MOST_UNRECORDED: usize = 1024;

/// One ply of the log.
#[derive(Clone, Debug)]
struct Layer {
    /// The readings of the token.
    texts: Vec<(MoveText, Style)>,
    nodes: Vec<Node>,
    /// Whether a position of the previous layer allowed several moves.
    several: bool,
}

/// A line that was read to its end or to a break.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The plies up to the end or the break.
    pub plies: Vec<Ply>,
    /// Why reading stopped before the end. The token that could not be read has the index `plies.len()`.
    pub broken: Option<Break>,
    /// The position after the last ply.
    pub last: Position,
}

impl Line {
    /// A rank for comparing readings of a line. More plies are better. If the numbers of plies are equal, fewer tokens
    /// that needed an assumption are better.
    pub(crate) fn reach(&self, hands: PlayerStyles) -> (usize, Reverse<usize>) {
        let assumed = self.plies.iter().filter(|ply| ply.assumes(hands));
        (self.plies.len(), Reverse(assumed.count()))
    }
}

/// Reads a line of tokens from a position.
pub(crate) fn read_line(start: &Position, tokens: &[Token<'_>], reading: Reading) -> Line {
    let mut frontier = Frontier::new(start, reading);
    let mut broken = None;
    for token in tokens {
        if let Err(fault) = frontier.step(&token.text) {
            broken = Some(fault);
            break;
        }
    }
    let (plies, last) = frontier.finish();
    Line {
        plies,
        broken,
        last,
    }
}

/// The readings of a line, token by token.
pub(crate) struct Frontier {
    reading: Reading,
    layers: Vec<Layer>,
    /// The ways that end at the nodes of the last layer.
    ways: Vec<Way>,
    next: Vec<Way>,
    start: Position,
    /// The maximum number of positions that are followed at a time.
    most: usize,
}

impl Frontier {
    /// A frontier before the first token.
    pub(crate) fn new(start: &Position, reading: Reading) -> Self {
        Self {
            reading,
            layers: Vec::new(),
            ways: vec![Way::new(start.clone(), 0)],
            next: Vec::new(),
            start: start.clone(),
            most: MOST_READINGS,
        }
    }

    /// Whether all readings lead to one position, so that later tokens cannot decide between them.
    pub(crate) fn is_settled(&self) -> bool {
        self.ways.len() == 1
    }

    /// The number of positions that are possible after the last token.
    pub(crate) fn width(&self) -> usize {
        self.ways.len()
    }

    /// The style of the player to move.
    fn style(&self) -> Style {
        let turn = self.ways.first().map(|way| way.position.turn());
        self.reading.hands[turn.unwrap_or(Color::White) as usize]
    }

    /// Reads the next token as its player writes. Returns false if no legal move fits it.
    pub(crate) fn step_as_written(&mut self, token: &[u8]) -> Result<bool, Break> {
        let style = self.style();
        let Ok(text) = style.parse(token) else {
            return Ok(false);
        };
        if !self.reading.takes(&text) {
            return Ok(false);
        }
        let mut texts = vec![(text, style)];
        texts.extend(besides(token, &text, style, self.reading.bound));
        self.follow(texts)
    }

    /// Reads the next token.
    pub(crate) fn step(&mut self, token: &[u8]) -> Result<(), Break> {
        if self.step_as_written(token)? {
            return Ok(());
        }
        let style = self.style();
        let plain = style.parse(token);
        let mut foreign = None;
        // A pass is not a misread move. In the main line, nothing means a pass.
        if !self.reading.strict && !is_pass(token) {
            // Other languages, other notations of the family, misread letters: each group assumes more than the
            // previous one. Only readings that fit a legal move count.
            for group in alternatives(token, style, self.reading.bound) {
                let Some(first) = group.first().copied() else {
                    continue;
                };
                if self.follow(group)? {
                    return Ok(());
                }
                foreign = foreign.or(Some(first.0));
            }
        }
        // A token that parses only in another language and fits no legal move is reported as illegal, not as a syntax
        // error, because the reason why it does not fit helps more.
        Err(match (plain, foreign) {
            (Ok(text), _) if !self.reading.takes(&text) => Break::Unusual(text),
            (Ok(text), _) | (Err(_), Some(text)) => Break::Illegal(text),
            (Err(fault), None) => Break::Syntax(fault),
        })
    }

    /// Follows every legal move in place of a move that was not recorded.
    pub(crate) fn step_unrecorded(&mut self) -> Result<(), Break> {
        self.most = MOST_UNRECORDED;
        let style = self.style();
        let mut unrecorded = Unrecorded {
            style,
            texts: Vec::new(),
        };
        let mut layer = self.layer(&mut unrecorded)?;
        layer.texts = unrecorded.texts;
        layer.several = true;
        self.push(layer);
        Ok(())
    }

    /// Adds the layer of all moves that the texts can mean. Returns false if they fit no legal move.
    fn follow(&mut self, texts: Vec<(MoveText, Style)>) -> Result<bool, Break> {
        let mut words = Words {
            texts: &texts,
            weights: WEIGHTS,
            cost: 0,
        };
        let mut layer = self.layer(&mut words)?;
        if layer.nodes.is_empty() {
            return Ok(false);
        }
        if self.reading.strict && layer.several {
            let moves = layer.nodes.iter().map(|node| node.mv).collect();
            return Err(Break::Ambiguous(moves));
        }
        layer.texts = texts;
        self.push(layer);
        Ok(true)
    }

    /// The next layer, without its texts.
    fn layer(&mut self, evidence: &mut impl Evidence) -> Result<Layer, Break> {
        let (mut nodes, next) = (Vec::new(), &mut self.next);
        let several = expand(&self.ways, evidence, self.most, next, Some(&mut nodes));
        Ok(Layer {
            texts: Vec::new(),
            nodes,
            several: several.map_err(|TooMany| Break::TooMany)?,
        })
    }

    fn push(&mut self, layer: Layer) {
        self.layers.push(layer);
        std::mem::swap(&mut self.ways, &mut self.next);
    }

    /// Returns the plies of the first reading that reaches the end, with the alternatives at each ply, and the position
    /// after the last ply.
    pub(crate) fn finish(self) -> (Vec<Ply>, Position) {
        let (mut plies, mut at) = (Vec::with_capacity(self.layers.len()), 0);
        for (layer, alive) in self.layers.iter().zip(self.alive()) {
            let nodes = || alive.iter().map(|index| (*index, &layer.nodes[*index]));
            let Some((index, node)) = nodes().find(|(_, node)| node.parents.contains(&at)) else {
                break;
            };
            let mut readings = Vec::new();
            if layer.several {
                readings = nodes().map(|(_, node)| node.mv).collect();
                readings.sort();
                readings.dedup();
            }
            let (text, style) = layer.texts[node.reading];
            plies.push(Ply {
                mv: node.mv,
                text,
                style,
                mismatches: node.mismatches,
                readings,
            });
            at = index;
        }
        let last = self.ways.into_iter().nth(at);
        (plies, last.map_or(self.start, |way| way.position))
    }

    /// The nodes of each layer that lie on a way of the least cost to the end. So a reading that does not fit the marks
    /// of capture and check is no alternative to one that does.
    fn alive(&self) -> Vec<BTreeSet<usize>> {
        let least = self.ways.iter().map(|way| way.cost).min();
        let ways = self.ways.iter().enumerate();
        let cheapest = ways.filter(|(_, way)| Some(way.cost) == least);
        let mut alive: BTreeSet<usize> = cheapest.map(|(index, _)| index).collect();
        let mut all = Vec::with_capacity(self.layers.len());
        for layer in self.layers.iter().rev() {
            let parents = alive.iter().flat_map(|node| &layer.nodes[*node].parents);
            let parents = parents.copied().collect();
            all.push(std::mem::replace(&mut alive, parents));
        }
        all.reverse();
        all
    }
}

/// The evidence of a move that was not recorded: every legal move fits.
struct Unrecorded {
    style: Style,
    /// The spelling of each move, which serves as its reading.
    texts: Vec<(MoveText, Style)>,
}

impl Evidence for Unrecorded {
    fn moves(&mut self, way: &Way) -> Vec<Meant> {
        let style = self.style;
        let mut moves = Vec::new();
        for mv in way.position.legal_moves() {
            let spelled = style.spelled(&way.position, mv, true);
            let Some(text) = spelled.and_then(|text| style.word(text.as_bytes())) else {
                continue;
            };
            moves.push(Meant {
                mv,
                reading: self.texts.len(),
                cost: 0,
                progress: (),
            });
            self.texts.push((text, style));
        }
        moves
    }

    fn disagreement(&self, _: &Meant, _: &PlayedMove, _: &Position) -> (Mismatches, u32) {
        (Mismatches::default(), 0)
    }
}
