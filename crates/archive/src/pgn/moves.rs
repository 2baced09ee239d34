//! Moves, numbers and results.

use super::{Engine, Phase, Stop};
use crate::lex;
use crate::visit::{Damage, Flow, GameResult, Visitor};
use crate::words;

/// What a piece of movetext may do where it stands.
enum Gate {
    Open,
    /// It belongs to a variation that is left out.
    Ignore,
    Boundary,
}

impl Engine<'_> {
    /// Makes way for a move or a number at `pos`.
    #[inline(always)]
    fn gate<const FRAGMENT: bool, V: Visitor + ?Sized>(&mut self, v: &mut V) -> Gate {
        if self.phase == Phase::Moves {
            Gate::Open
        } else {
            self.gate_rare::<FRAGMENT, V>(v)
        }
    }

    #[inline(never)]
    fn gate_rare<const FRAGMENT: bool, V: Visitor + ?Sized>(&mut self, v: &mut V) -> Gate {
        match self.phase {
            Phase::Moves => Gate::Open,
            Phase::Between | Phase::Tags => {
                if self.depth > 0 {
                    Gate::Ignore
                } else {
                    Gate::Open
                }
            }
            Phase::AfterResult if self.depth > 0 || FRAGMENT => Gate::Open,
            Phase::AfterResult => Gate::Boundary,
            Phase::Pending => {
                self.conclude(v, self.pos);
                if FRAGMENT { Gate::Open } else { Gate::Boundary }
            }
        }
    }

    /// Reads a word as a move. `rare_e` says that it may be `etc.` or `e.p.`.
    #[inline(always)]
    pub(super) fn word<const FRAGMENT: bool, V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        rare_e: bool,
    ) -> Option<Stop> {
        let start = self.pos;
        let end = lex::word_end(self.bytes, start + 1);
        if rare_e
            && matches!(
                self.bytes.get(start + 1),
                Some(b't' | b'T' | b'.' | b'p' | b'P')
            )
            && self.word_e(v, start, end)
        {
            return None;
        }
        self.move_word::<FRAGMENT, V>(v, start, end)
    }

    /// Takes the word from `start` to `end` as a move.
    #[inline(always)]
    pub(super) fn move_word<const FRAGMENT: bool, V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        start: usize,
        mut end: usize,
    ) -> Option<Stop> {
        if self.goes_on(end) {
            end = self.extend(end);
        }
        if self.phase != Phase::Moves {
            return self.move_rare::<FRAGMENT, V>(v, start, end);
        }
        self.pos = end;
        if self.live() && v.move_token(self.slice(start, end), self.at(start)) == Flow::Skip {
            self.mute = 0;
        }
        None
    }

    /// A move where it is not one of many.
    #[inline(never)]
    fn move_rare<const FRAGMENT: bool, V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        start: usize,
        end: usize,
    ) -> Option<Stop> {
        if !FRAGMENT
            && self.depth == 0
            && matches!(
                self.phase,
                Phase::Between | Phase::Tags | Phase::AfterResult
            )
            && lex::at_line_start(self.bytes, self.start, start, true)
            && let Some(end) = lex::tag_without_bracket(self.bytes, start, &mut self.seen_end)
        {
            if self.phase == Phase::AfterResult {
                return Some(Stop::Boundary);
            }
            self.phase = Phase::Tags;
            self.damage(v, Damage::TagMalformed, start, end);
            self.pos = end;
            return None;
        }
        match self.gate::<FRAGMENT, V>(v) {
            Gate::Boundary => return Some(Stop::Boundary),
            Gate::Ignore => {
                self.pos = end;
                return None;
            }
            Gate::Open => {}
        }
        let mut pause = false;
        if matches!(self.phase, Phase::Between | Phase::Tags) {
            self.phase = Phase::Moves;
            self.has_moves = true;
            let first = self.held.map_or(start, |(from, _)| from);
            self.open_game(v, first);
            self.open_moves(v, first);
            if let Some((from, to)) = self.held.take()
                && self.live()
            {
                v.move_number(self.slice(from, to), self.at(from));
            }
            pause = self.pause;
        }
        self.pos = end;
        if self.live() && v.move_token(self.slice(start, end), self.at(start)) == Flow::Skip {
            self.mute = 0;
        }
        pause.then_some(Stop::Paused)
    }

    pub(super) fn open_game<V: Visitor + ?Sized>(&mut self, v: &mut V, at: usize) {
        if !self.begun {
            self.begun = true;
            v.begin_game(self.at(at));
        }
    }

    pub(super) fn open_moves<V: Visitor + ?Sized>(&mut self, v: &mut V, at: usize) {
        if !self.moves_open {
            self.moves_open = true;
            if v.begin_moves(self.at(at)) == Flow::Skip {
                self.mute = 0;
            }
        }
    }

    /// Whether a word that ends at `end` may go on after that.
    #[inline(always)]
    fn goes_on(&mut self, end: usize) -> bool {
        if end >= 1 && self.bytes.get(end - 1) == Some(&b',') {
            return true;
        }
        match self.bytes.get(end..) {
            Some([b'(', ..]) => true,
            // The next word is `e.p.` only if it begins so; what begins with another blank has to
            // be looked at.
            Some([_, next, ..]) => matches!(next, b'e' | b'E') || *next <= b' ' || *next >= 0x80,
            _ => {
                self.seen_end = true;
                false
            }
        }
    }

    /// Where a move that seems to end at `end` does end, with what belongs to it: `(Q)`, `e.p.`,
    /// the rest of `b4, WB-b5, NB`.
    #[inline(never)]
    fn extend(&mut self, mut end: usize) -> usize {
        loop {
            if self.bytes.get(end) == Some(&b'(') {
                // `z2QL2(QL2)`, a board that is claimed.
                match self.bytes.get(end + 1..end + 5) {
                    Some([b'A'..=b'Z', b'L', b'1'..=b'6', b')']) => {
                        end = lex::word_end(self.bytes, end + 5);
                        continue;
                    }
                    Some(_) => {}
                    None => self.seen_end = true,
                }
                // `d8B(Q)`, `d8B(♕)`; `(=)` is something else.
                let piece = match self.bytes.get(end + 1) {
                    Some(b) if b.is_ascii_alphabetic() => 1,
                    Some(0x80..) => lex::char_len(self.bytes, end + 1),
                    Some(_) => return end,
                    None => {
                        self.seen_end = true;
                        return end;
                    }
                };
                match self.bytes.get(end + 1 + piece) {
                    Some(b')') => {
                        end = lex::word_end(self.bytes, end + 2 + piece);
                        continue;
                    }
                    Some(_) => return end,
                    None => {
                        self.seen_end = true;
                        return end;
                    }
                }
            }
            let Some(next) = self.next_word(end) else {
                return end;
            };
            let next_end = lex::word_end(self.bytes, next + 1);
            if next_end == self.bytes.len() {
                self.seen_end = true;
            }
            let first = self.bytes.get(next).copied().unwrap_or(0);
            if self.is_open_square(end) && first.is_ascii_alphabetic()
                || words::is_en_passant(self.slice(next, next_end))
            {
                end = next_end;
                continue;
            }
            return end;
        }
    }

    /// Whether the word before `end` ends like `b4,`, a square without its level.
    fn is_open_square(&self, end: usize) -> bool {
        let Some(word) = self.bytes.get(self.pos..end) else {
            return false;
        };
        let Some(square) = word.strip_suffix(b",") else {
            return false;
        };
        let digits = square
            .iter()
            .rev()
            .take_while(|b| b.is_ascii_digit())
            .count();
        let file = square
            .len()
            .checked_sub(digits + 1)
            .and_then(|i| square.get(i));
        digits > 0 && file.is_some_and(|b| matches!(b, b'a'..=b'f' | b'A'..=b'F'))
    }

    /// The first byte of the word that follows `end`, if no more than one line end lies between.
    fn next_word(&mut self, end: usize) -> Option<usize> {
        let mut breaks = 0;
        let mut i = end;
        while i < end + 64 {
            match self.bytes.get(i) {
                None => {
                    self.seen_end = true;
                    return None;
                }
                Some(b'\n') => {
                    breaks += usize::from(i == end || self.bytes.get(i - 1) != Some(&b'\r'));
                    i += 1;
                }
                Some(b'\r') => {
                    breaks += 1;
                    i += 1;
                }
                Some(&byte) if lex::is_blank(byte) => i += 1,
                Some(&byte) => match lex::high_blank(self.bytes, i) {
                    0 => {
                        if byte >= 0x80 && i + 3 > self.bytes.len() {
                            self.seen_end = true;
                        }
                        return (i > end && breaks <= 1).then_some(i);
                    }
                    n => i += n,
                },
            }
        }
        None
    }

    /// Reads what begins with a digit: a number, a result, or a move.
    #[inline(always)]
    pub(super) fn number<const FRAGMENT: bool, V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
    ) -> Option<Stop> {
        let start = self.pos;
        let mut i = start + 1;
        while self.bytes.get(i).is_some_and(u8::is_ascii_digit) {
            i += 1;
        }
        match self.bytes.get(i) {
            Some(b'.') => {
                i += 1;
                while self.bytes.get(i) == Some(&b'.') {
                    i += 1;
                }
                if self.bytes.get(i).is_none_or(|&b| b >= 0x80) {
                    i = self.dots(i);
                }
            }
            Some(b'-' | b':' | b'/') => {
                let end = lex::word_end(self.bytes, i + 1);
                if end == self.bytes.len() {
                    self.seen_end = true;
                }
                if let Some(result) = words::result_word(self.slice(start, end)) {
                    return self.result::<FRAGMENT, V>(v, result, start, end);
                }
                return self.move_word::<FRAGMENT, V>(v, start, end);
            }
            Some(b')') if self.depth == 0 || self.parenthesis_numbers => {
                self.parenthesis_numbers = true;
                i += 1;
            }
            Some(&b) if lex::in_word(b) => {
                let end = lex::word_end(self.bytes, i + 1);
                return self.move_word::<FRAGMENT, V>(v, start, end);
            }
            Some(0x80..) => return self.number_high::<FRAGMENT, V>(v, i),
            Some(_) => {}
            None => self.seen_end = true,
        }
        self.move_number::<FRAGMENT, V>(v, start, i)
    }

    /// Digits up to `i`, before a byte that is not ASCII: `1…`, `1–0`, `1` and a hard blank.
    #[inline(never)]
    fn number_high<const FRAGMENT: bool, V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        i: usize,
    ) -> Option<Stop> {
        let start = self.pos;
        if i + 3 > self.bytes.len() {
            self.seen_end = true;
        }
        if lex::high_blank(self.bytes, i) > 0 {
            return self.move_number::<FRAGMENT, V>(v, start, i);
        }
        if lex::dot_len(self.bytes, i) > 0 {
            let end = self.dots(i);
            return self.move_number::<FRAGMENT, V>(v, start, end);
        }
        let end = lex::word_end(self.bytes, i);
        if end == self.bytes.len() {
            self.seen_end = true;
        }
        if let Some(result) = words::result_word(self.slice(start, end)) {
            return self.result::<FRAGMENT, V>(v, result, start, end);
        }
        self.move_word::<FRAGMENT, V>(v, start, end)
    }

    /// Skips dots from `i` on.
    fn dots(&mut self, mut i: usize) -> usize {
        loop {
            if i + 3 > self.bytes.len() {
                self.seen_end = true;
            }
            match lex::dot_len(self.bytes, i) {
                0 => return i,
                n => i += n,
            }
        }
    }

    #[inline(always)]
    fn move_number<const FRAGMENT: bool, V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        start: usize,
        end: usize,
    ) -> Option<Stop> {
        if self.phase != Phase::Moves {
            match self.gate::<FRAGMENT, V>(v) {
                Gate::Boundary => return Some(Stop::Boundary),
                Gate::Ignore => {
                    self.pos = end;
                    return None;
                }
                Gate::Open => {}
            }
            if matches!(self.phase, Phase::Between | Phase::Tags) {
                self.held = Some((start, end));
                self.pos = end;
                return None;
            }
        } else if !FRAGMENT
            && self.depth == 0
            && self.slice(start, end) == b"1."
            && lex::after_empty_line(self.bytes, self.start, start)
        {
            return Some(Stop::Boundary);
        }
        self.pos = end;
        if self.live() {
            v.move_number(self.slice(start, end), self.at(start));
        }
        None
    }

    #[inline(never)]
    pub(super) fn result<const FRAGMENT: bool, V: Visitor + ?Sized>(
        &mut self,
        v: &mut V,
        result: GameResult,
        start: usize,
        end: usize,
    ) -> Option<Stop> {
        if self.depth > 0 {
            match self.phase {
                // In a variation that is left out.
                Phase::Between | Phase::Tags => {}
                // A variation after the result, which has been stated.
                Phase::AfterResult => self.damage(v, Damage::StrayResult, start, end),
                Phase::Moves | Phase::Pending => {
                    if self.live() {
                        v.trailing_word(self.slice(start, end), self.at(start));
                    }
                    // Of several the last may be the game's too.
                    self.phase = Phase::Pending;
                    self.pending = Some((result, start, end));
                }
            }
            self.pos = end;
            return None;
        }
        match self.phase {
            Phase::Between if !FRAGMENT => {
                self.damage(v, Damage::StrayResult, start, end);
            }
            Phase::AfterResult => {
                self.damage(v, Damage::StrayResult, start, end);
            }
            Phase::Between | Phase::Tags | Phase::Moves | Phase::Pending => {
                self.open_game(v, start);
                self.open_moves(v, start);
                self.held = None;
                self.phase = Phase::AfterResult;
                if FRAGMENT {
                    self.pending = Some((result, start, end));
                } else {
                    v.result(result, self.at(start));
                }
            }
        }
        self.pos = end;
        None
    }
}
