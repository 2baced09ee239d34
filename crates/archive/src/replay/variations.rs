//! Variations, from where they branch off, without recursion however deep they are nested.

use super::line::{Reading, Token, read_line};
use super::{Event, Script, findings};
use crate::diagnostic::Diagnostic;
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

/// For each event the move it is, main line and variations alike.
pub(super) fn read(
    script: &Script,
    start: &Position,
    main: &[Move],
    reading: Reading,
    findings: &mut Vec<Diagnostic>,
) -> Vec<Option<Move>> {
    let ends = ends(script);
    let mut read = vec![None; script.events.len()];
    let mut stack = vec![Frame::new(start, main.to_vec(), false)];
    for (index, (event, _)) in script.events.iter().enumerate() {
        let Some(frame) = stack.last_mut() else {
            break;
        };
        match event {
            Event::Move(_) => {
                let mv = frame.step();
                if let Some(place) = read.get_mut(index) {
                    *place = mv;
                }
            }
            Event::VariationStart => {
                let tokens = own_tokens(script, &ends, index);
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
            Event::VariationEnd if stack.len() > 1 => {
                stack.pop();
            }
            _ => {}
        }
    }
    read
}

/// For each start of a variation the index of its end, or of the end of the game.
fn ends(script: &Script) -> Vec<usize> {
    let mut ends = vec![script.events.len(); script.events.len()];
    let mut open = Vec::new();
    for (index, (event, _)) in script.events.iter().enumerate() {
        match event {
            Event::VariationStart => open.push(index),
            Event::VariationEnd => {
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
fn own_tokens<'s>(script: &'s Script, ends: &[usize], start: usize) -> Vec<Token<'s>> {
    let mut tokens: Vec<(std::ops::Range<usize>, u64)> = Vec::new();
    let end = ends.get(start).copied().unwrap_or(start);
    let mut index = start + 1;
    while index < end {
        match script.events.get(index) {
            Some((Event::Move(range), at)) => tokens.push((range.clone(), *at)),
            Some((Event::SuffixMark(range), _)) => super::join_mark(&mut tokens, range),
            Some((Event::VariationStart, _)) => {
                index = ends.get(index).copied().unwrap_or(end).max(index);
            }
            _ => {}
        }
        index += 1;
    }
    tokens
        .into_iter()
        .map(|(range, at)| Token {
            text: script.bytes(&range),
            at,
        })
        .collect()
}

/// A move in the course of a walk.
#[derive(Debug)]
pub struct Step<'a> {
    /// Index of the event.
    pub index: usize,
    /// The position before the move.
    pub before: &'a Position,
    /// The move.
    pub mv: Move,
}

/// Visits every event of a script in order, with position and move where it is a move that was read.
pub fn walk<'s>(
    script: &'s Script,
    start: &Position,
    read: &[Option<Move>],
    mut visit: impl FnMut(&'s Event, u64, Option<Step<'_>>),
) {
    let mut stack = vec![(start.clone(), start.clone())];
    for (index, (event, at)) in script.events.iter().enumerate() {
        let Some((before, now)) = stack.last_mut() else {
            break;
        };
        match event {
            Event::Move(_) => {
                let mv = read.get(index).copied().flatten();
                let step = mv.map(|mv| Step {
                    index,
                    before: now,
                    mv,
                });
                visit(event, *at, step);
                if let Some(mv) = mv {
                    before.clone_from(now);
                    now.play_unchecked(mv);
                }
                continue;
            }
            Event::VariationStart => {
                let from = before.clone();
                stack.push((from.clone(), from));
            }
            Event::VariationEnd if stack.len() > 1 => {
                stack.pop();
            }
            _ => {}
        }
        visit(event, *at, None);
    }
}
