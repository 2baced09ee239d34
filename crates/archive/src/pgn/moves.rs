//! Moves, numbers and results.

use super::{Engine, Phase, Stop};
use crate::lex;
use crate::visit::{Damage, Flow, Unusual, Visitor};
use crate::words;

impl Engine<'_> {
    /// Prepares the state for a move or a number from `pos` to `end`. `Some` means that it has been dealt with.
    #[inline(always)]
    pub(super) fn gate<V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        end: usize,
    ) -> Option<Option<Stop>> {
        match self.game.phase {
            Phase::Moves => None,
            _ => self.gate_rare(v, end),
        }
    }

    #[inline(never)]
    fn gate_rare<V: Visitor + ?Sized>(&mut self, v: &mut V, end: usize) -> Option<Option<Stop>> {
        match self.game.phase {
            Phase::Between | Phase::Tags if self.game.depth > 0 => {
                // It belongs to a variation that is skipped.
                self.pos = end;
                return Some(None);
            }
            Phase::Moves | Phase::Between | Phase::Tags => return None,
            Phase::Pending => self.conclude(v, self.pos),
            Phase::AfterResult if self.game.depth > 0 => return None,
            Phase::AfterResult => {}
        }
        if self.is_cell {
            return None;
        }
        // A move or number after a finished game begins the next one, unless it is part of words about the finished
        // game.
        Some((!self.words_after(v)).then_some(Stop::Boundary))
    }

    /// Reads a word, as a move unless it is something else.
    #[inline(always)]
    pub(super) fn word<V: Visitor + ?Sized>(&mut self, v: &mut V) -> Option<Stop> {
        let start = self.pos;
        let end = lex::word_end(self.bytes, start + 1);
        match self.other_word(v, start, end) {
            Some(stop) => stop,
            None => self.move_word(v, start, end),
        }
    }

    /// Reads the word from `start` to `end` as a move.
    #[inline(always)]
    pub(super) fn move_word<V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        start: usize,
        mut end: usize,
    ) -> Option<Stop> {
        let mut to = end;
        if self.goes_on(end) {
            if words::is_misread_number(self.slice(start, end)) {
                return self.misread_number(v, start, end);
            }
            end = self.extend(end);
            to = start + tridex_words::moves::without_stops(self.slice(start, end)).len();
        }
        if self.game.phase != Phase::Moves
            && let Some(stop) = self.move_rare(v, start, end)
        {
            return stop;
        }
        self.pos = end;
        if self.live() && v.move_token(self.slice(start, to), self.at(start)) == Flow::Skip {
            self.game.mute = 0;
        }
        None
    }

    /// A number with letters instead of digits, unless a heading begins with it.
    #[inline(never)]
    fn misread_number<V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        start: usize,
        end: usize,
    ) -> Option<Stop> {
        if self.heading(v) {
            return None;
        }
        self.unusual(v, Unusual::Number, start, end);
        self.move_number::<false, V>(v, start, end)
    }

    /// A move that is not among others: it begins the moves of a game, unless it is something else.
    #[inline(never)]
    fn move_rare<V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        start: usize,
        end: usize,
    ) -> Option<Option<Stop>> {
        if !self.is_cell
            && self.game.depth == 0
            && self.game.phase != Phase::Pending
            && lex::at_line_start(self.bytes, self.game.start, start, true)
            && let Some(end) = lex::tag_without_bracket(self.bytes, start)
        {
            if self.game.phase == Phase::AfterResult {
                return Some(Some(Stop::Boundary));
            }
            self.game.phase = Phase::Tags;
            self.damage(v, Damage::TagMalformed, start, end);
            self.pos = end;
            return Some(None);
        }
        if self.heading(v) {
            return Some(None);
        }
        if let Some(stop) = self.gate(v, end) {
            return Some(stop);
        }
        if !self.is_among_moves() {
            self.game.phase = Phase::Moves;
            self.game.has_moves = true;
            let first = self.game.held.map_or(start, |(from, _)| from);
            self.open_game(v, first);
            self.open_moves(v, first);
            if let Some((from, to)) = self.game.held.take()
                && self.live()
            {
                v.move_number(self.slice(from, to), self.at(from));
            }
        }
        None
    }

    pub(super) fn open_game<V: Visitor + ?Sized>(&mut self, v: &mut V, at: usize) {
        if !self.game.begun {
            self.game.begun = true;
            let first = self.game.headings.first().map_or(at, |(start, _)| *start);
            v.begin_game(self.at(first));
            if !self.game.headings.is_empty() {
                self.report_headings(v);
            }
        }
    }

    pub(super) fn open_moves<V: Visitor + ?Sized>(&mut self, v: &mut V, at: usize) {
        if !self.game.moves_open {
            self.game.moves_open = true;
            if v.begin_moves(self.at(at)) == Flow::Skip {
                self.game.mute = 0;
            }
        }
    }
}
