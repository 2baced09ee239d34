//! Variations, from where they branch off, without recursion however deep they are nested.

use super::findings;
use super::line::{Reading, Token, read_line};
use crate::diagnostic::Diagnostic;
use crate::record::{Game, Item};
use tridex_rules::{Move, Position};

/// A line that is being walked along.
struct Frame {
    moves: Vec<Move>,
    next: usize,
    /// The position before the last move, from which a variation starts.
    before: Position,
    now: Position,
    /// Whether a token could not be read: what follows has no position.
    dead: bool,
}

impl Frame {
    fn new(start: &Position, moves: Vec<Move>, dead: bool) -> Self {
        Self {
            moves,
            next: 0,
            before: start.clone(),
            now: start.clone(),
            dead,
        }
    }

    fn step(&mut self) -> Option<Move> {
        let mv = if self.dead {
            None
        } else {
            self.moves.get(self.next).copied()
        };
        match mv {
            Some(mv) => {
                self.before.clone_from(&self.now);
                self.now.play_unchecked(mv);
                self.next += 1;
            }
            None => self.dead = true,
        }
        mv
    }
}

/// For each item the move it is, main line and variations alike.
pub(super) fn read(
    items: &[Item<'_>],
    start: &Position,
    main: &[Move],
    reading: Reading,
    findings: &mut Vec<Diagnostic>,
) -> Vec<Option<Move>> {
    let ends = ends(items);
    let mut read = vec![None; items.len()];
    let mut stack = vec![Frame::new(start, main.to_vec(), false)];
    for (index, item) in items.iter().enumerate() {
        let Some(frame) = stack.last_mut() else {
            break;
        };
        match item {
            Item::Move { .. } => {
                let mv = frame.step();
                if let Some(place) = read.get_mut(index) {
                    *place = mv;
                }
            }
            Item::VariationStart => {
                let tokens = own_tokens(items, &ends, index);
                let dead = frame.dead || frame.next == 0;
                let from = frame.before.clone();
                let moves = if dead {
                    Vec::new()
                } else {
                    let line = read_line(&from, &tokens, reading);
                    findings::of_variation(&from, &tokens, &line, reading, findings);
                    line.plies.into_iter().map(|ply| ply.mv).collect()
                };
                stack.push(Frame::new(&from, moves, dead));
            }
            Item::VariationEnd if stack.len() > 1 => {
                stack.pop();
            }
            _ => {}
        }
    }
    read
}

/// For each start of a variation the index of its end, or of the end of the game.
fn ends(items: &[Item<'_>]) -> Vec<usize> {
    let mut ends = vec![items.len(); items.len()];
    let mut open = Vec::new();
    for (index, item) in items.iter().enumerate() {
        match item {
            Item::VariationStart => open.push(index),
            Item::VariationEnd => {
                if let Some(start) = open.pop()
                    && let Some(end) = ends.get_mut::<usize>(start)
                {
                    *end = index;
                }
            }
            _ => {}
        }
    }
    ends
}

/// The tokens of a variation without those of the variations inside it.
fn own_tokens<'s>(items: &[Item<'s>], ends: &[usize], start: usize) -> Vec<Token<'s>> {
    let mut tokens = Vec::new();
    let end = ends.get(start).copied().unwrap_or(start);
    let mut index = start + 1;
    while index < end {
        match items.get(index) {
            Some(Item::Move { text, at }) => tokens.push(Token {
                text: text.as_bytes(),
                at: *at,
            }),
            Some(Item::VariationStart) => {
                index = ends.get(index).copied().unwrap_or(end).max(index);
            }
            _ => {}
        }
        index += 1;
    }
    tokens
}

/// A move in the course of a walk.
#[derive(Debug)]
pub struct Step<'a> {
    /// The position before the move.
    pub before: &'a Position,
    /// The move.
    pub mv: Move,
}

/// Visits every item of a game in order, with position and move where it is a move that was read.
pub fn walk<'g>(
    game: &'g Game,
    start: &Position,
    read: &[Option<Move>],
    mut visit: impl FnMut(Item<'g>, Option<Step<'_>>),
) {
    let mut stack = vec![(start.clone(), start.clone())];
    for (index, item) in game.items().enumerate() {
        let Some((before, now)) = stack.last_mut() else {
            break;
        };
        match item {
            Item::Move { .. } => {
                let mv = read.get(index).copied().flatten();
                visit(item, mv.map(|mv| Step { before: now, mv }));
                if let Some(mv) = mv {
                    before.clone_from(now);
                    now.play_unchecked(mv);
                }
                continue;
            }
            Item::VariationStart => {
                let from = before.clone();
                stack.push((from.clone(), from));
            }
            Item::VariationEnd if stack.len() > 1 => {
                stack.pop();
            }
            _ => {}
        }
        visit(item, None);
    }
}
