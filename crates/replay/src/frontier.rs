//! A line of tokens read as moves, with every reading of an ambiguous token followed to the end.
//!
//! The readings form layers, one for each ply: a node is a move with the nodes of the layer before that it follows.
//! Readings that meet again in the same position become one node with several parents, so that a game stays small
//! however many tokens of it are ambiguous.

use crate::reading::{Break, PlayerStyles, Ply, Reading};
use crate::style::Style;
use crate::style::interpret::{alternatives, besides};
use crate::style::token::Token;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use tridex_notation::MoveText;
use tridex_notation::resolve::{Mismatches, marks, preference};
use tridex_rules::{Color, Move, Position};

/// One reading of a token in one of the positions that are possible before it.
#[derive(Clone, Debug)]
struct Node {
    mv: Move,
    /// Index of the reading of the token, among `Layer::texts`.
    text: usize,
    /// Nodes of the layer before, those on a way with the fewest such tokens as [`Node::least`] counts.
    parents: Vec<usize>,
    mismatches: Mismatches,
    /// The fewest tokens up to this one that say something which does not agree with the move.
    least: u32,
}

#[derive(Clone, Debug)]
struct Layer {
    texts: Vec<(MoveText, Style)>,
    nodes: Vec<Node>,
    /// Whether some position before it allowed several moves.
    several: bool,
}

/// A line that was read as far as it goes.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The plies up to the end or the break.
    pub plies: Vec<Ply>,
    /// Why reading stopped before the end; it stopped at the token `plies.len()`.
    pub broken: Option<Break>,
    /// The position after the last ply.
    pub last: Position,
}

impl Line {
    /// How far it goes, and the fewer of its tokens are taken otherwise than these players write them, the better.
    pub(crate) fn reach(&self, hands: PlayerStyles) -> (usize, Reverse<usize>) {
        let assumed = self.plies.iter().filter(|ply| ply.assumes(hands));
        (self.plies.len(), Reverse(assumed.count()))
    }
}

/// How many different positions are followed at a time, unless a move was not recorded.
const MOST_READINGS: usize = 64;

/// How many are followed after a move that was not recorded.
const MOST_UNRECORDED: usize = 1024;

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
    /// The positions after the nodes of the last layer.
    positions: Vec<Position>,
    start: Position,
    /// How many different positions are followed at a time.
    most: usize,
}

impl Frontier {
    /// No token was read yet.
    pub(crate) fn new(start: &Position, reading: Reading) -> Self {
        Self {
            reading,
            layers: Vec::new(),
            positions: vec![start.clone()],
            start: start.clone(),
            most: MOST_READINGS,
        }
    }

    /// Whether all readings have come to one position: what follows cannot choose among them any more.
    pub(crate) fn is_settled(&self) -> bool {
        self.positions.len() == 1
    }

    /// The number of positions that are possible after the last token.
    pub(crate) fn width(&self) -> usize {
        self.positions.len()
    }

    /// Reads one token more.
    pub(crate) fn step(&mut self, token: &[u8]) -> Result<(), Break> {
        let turn = self.positions.first().map_or(Color::White, Position::turn);
        let style = self.reading.hands[turn as usize];
        let plain = style.parse(token);
        if let Ok(text) = plain
            && self.reading.takes(&text)
        {
            let mut texts = vec![(text, style)];
            texts.extend(besides(token, &text, style, self.reading.bound));
            if self.follow(texts)? {
                return Ok(());
            }
        }
        let mut foreign = None;
        if !self.reading.strict {
            // Another language, another notation of the family, a misread letter: each assumes more than the one
            // before, and only what fits a legal move counts.
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
        // A word of another language that fits nothing is still a word: better say why it does not fit.
        Err(match (plain, foreign) {
            (Ok(text), _) if !self.reading.takes(&text) => Break::Unusual(text),
            (Ok(text), _) | (Err(_), Some(text)) => Break::Illegal(text),
            (Err(fault), None) => Break::Syntax(fault),
        })
    }

    /// Reads a move that was not recorded: every legal one.
    pub(crate) fn step_unrecorded(&mut self) -> Result<(), Break> {
        self.most = MOST_UNRECORDED;
        let turn = self.positions.first().map_or(Color::White, Position::turn);
        let style = self.reading.hands[turn as usize];
        let mut layer = Layer {
            texts: Vec::new(),
            nodes: Vec::new(),
            several: true,
        };
        let mut next = Vec::new();
        for (parent, position) in self.positions.iter().enumerate() {
            let least = self
                .layers
                .last()
                .map_or(0, |layer| layer.nodes[parent].least);
            for mv in position.legal_moves() {
                let spelled = style.spelled(position, mv, true);
                let Some(text) = spelled.and_then(|text| style.word(text.as_bytes())) else {
                    continue;
                };
                if next.len() >= self.most {
                    return Err(Break::TooMany);
                }
                let mut after = position.clone();
                after.play_unchecked(mv);
                next.push(after);
                layer.nodes.push(Node {
                    mv,
                    text: layer.texts.len(),
                    parents: vec![parent],
                    mismatches: Mismatches::default(),
                    least,
                });
                layer.texts.push((text, style));
            }
        }
        self.layers.push(layer);
        self.positions = next;
        Ok(())
    }

    /// Adds the layer of all moves that the texts can mean; false if they fit nothing.
    fn follow(&mut self, texts: Vec<(MoveText, Style)>) -> Result<bool, Break> {
        let mut layer = Layer {
            texts,
            nodes: Vec::new(),
            several: false,
        };
        let mut next: Vec<Position> = Vec::new();
        for (parent, position) in self.positions.iter().enumerate() {
            let mut here: Vec<(Move, usize)> = Vec::new();
            for (index, (text, style)) in layer.texts.iter().enumerate() {
                for mv in style.candidates(text, position) {
                    if !here.iter().any(|(other, _)| *other == mv) {
                        here.push((mv, index));
                    }
                }
            }
            here.sort_by_key(|(mv, _)| preference(*mv));
            layer.several |= here.len() > 1;
            let least = self
                .layers
                .last()
                .map_or(0, |layer| layer.nodes[parent].least);
            for (mv, text) in here {
                let mut after = position.clone();
                after.play_unchecked(mv);
                if let Some(same) = next.iter().position(|other| *other == after)
                    && let Some(node) = layer.nodes.get_mut(same)
                    && node.mv == mv
                {
                    let least = least + u32::from(!node.mismatches.is_empty());
                    if least < node.least {
                        node.least = least;
                        node.parents.clear();
                    }
                    if least == node.least {
                        node.parents.push(parent);
                    }
                    continue;
                }
                if next.len() >= self.most {
                    return Err(Break::TooMany);
                }
                let (words, style) = &layer.texts[text];
                let mismatches = style.reported(marks(words, position, mv, &after));
                let contradicts = u32::from(!mismatches.is_empty());
                layer.nodes.push(Node {
                    mv,
                    text,
                    parents: vec![parent],
                    mismatches,
                    least: least + contradicts,
                });
                next.push(after);
            }
        }
        if layer.nodes.is_empty() {
            return Ok(false);
        }
        if self.reading.strict && layer.several {
            let moves = layer.nodes.iter().map(|node| node.mv).collect();
            return Err(Break::Ambiguous(moves));
        }
        self.layers.push(layer);
        self.positions = next;
        Ok(true)
    }

    /// Takes the first reading that reaches the end, and reports the others. The position is that after the last ply.
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
            let (text, style) = layer.texts[node.text];
            plies.push(Ply {
                mv: node.mv,
                text,
                style,
                mismatches: node.mismatches,
                readings,
            });
            at = index;
        }
        let last = self.positions.into_iter().nth(at).unwrap_or(self.start);
        (plies, last)
    }

    /// Which nodes of each layer lie on a way to the end on which the fewest tokens say something that does not agree with
    /// the move: a reading that fits marks of capture and check is not called in question by one that does not.
    fn alive(&self) -> Vec<BTreeSet<usize>> {
        let last = self.layers.last().map_or(&[][..], |layer| &layer.nodes);
        let least = last.iter().map(|node| node.least).min();
        let is_alive = |node: &usize| Some(last[*node].least) == least;
        let mut alive: BTreeSet<usize> = (0..last.len()).filter(is_alive).collect();
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
