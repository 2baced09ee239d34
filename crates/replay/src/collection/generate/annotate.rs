//! The annotations of a generated game.

use super::{MoveWriter, line};
use tridex_archive::Item;
use tridex_rules::random::{Dice, Picker};
use tridex_rules::{Move, Position};

/// The greatest depth of nested variations.
const DEPTH: u32 = 3;

/// Seconds on each clock at the beginning of the game, and the seconds added for each move.
const CLOCK: (u32, u32) = (5400, 30);

const REMARKS: &str = include_str!("remarks.txt");

const MARKS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// Marks of judgement that are written as numbers. The first six of PGN are mostly written as signs, so most of these
/// are others.
const NAGS: [u8; 8] = [1, 2, 7, 10, 13, 16, 36, 146];

/// Writes the moves of a game with annotations.
pub(super) fn write(moves: &[Move], dice: Dice, writer: MoveWriter<'_>) {
    let mut position = Position::start(writer.recipe.rules);
    let mut pen = Pen {
        dice,
        writer,
        picker: Picker::new(),
    };
    if pen.dice.one_in(2) {
        pen.put(Item::Comment("Nobody has ever played this."));
    }
    let mut clocks = [CLOCK.0; 2];
    let has_clock = pen.dice.one_in(2);
    for mv in moves {
        let clock = &mut clocks[position.turn() as usize];
        *clock = clock.saturating_sub(pen.dice.below(150)).max(1) + CLOCK.1;
        let before = position.clone();
        pen.mv(&mut position, *mv);
        if has_clock {
            let (hours, minutes, seconds) = (*clock / 3600, *clock / 60 % 60, *clock % 60);
            let text = format!("[%clk {hours}:{minutes:02}:{seconds:02}]");
            pen.put(Item::Comment(&text));
        }
        pen.remarks(12);
        pen.offer();
        if pen.dice.one_in(10) {
            pen.variation(&before, *mv, 1);
            if pen.dice.one_in(4) {
                pen.variation(&before, *mv, 1);
            }
            pen.remarks(6);
        }
    }
}

struct Pen<'a> {
    dice: Dice,
    writer: MoveWriter<'a>,
    picker: Picker,
}

impl Pen<'_> {
    fn put(&mut self, item: Item<&str>) {
        self.writer.out.push(item);
    }

    fn mv(&mut self, position: &mut Position, mv: Move) {
        let mark = match self.dice.one_in(10) {
            true => MARKS[self.dice.below(6) as usize],
            false => "",
        };
        self.writer.push(position, mv, mark);
        if self.dice.one_in(12) {
            let nag = NAGS[self.dice.below(8) as usize];
            self.put(Item::Nag(nag));
        }
    }

    /// Sometimes writes a draw offer.
    fn offer(&mut self) {
        if self.dice.one_in(40) {
            self.put(Item::DrawOffer);
        }
    }

    /// Sometimes writes a pass and up to two moves after it, as authors show a threat. If nothing follows, or in check, a
    /// move that was not recorded is written.
    fn threat(&mut self, mut position: Position) {
        if !self.dice.one_in(8) {
            return;
        }
        let follow = self.dice.below(3);
        if follow == 0 || !position.can_pass() {
            self.put(Item::Move("--"));
            self.remarks(4);
            return;
        }
        self.writer.push(&mut position, Move::Pass, "");
        self.remarks(4);
        for _ in 0..follow {
            if let Some(mv) = self.picker.pick(&position, &mut self.dice) {
                self.writer.push(&mut position, mv, "");
            }
        }
    }

    /// Writes a comment, once in `rarity` calls on average.
    fn remarks(&mut self, rarity: u32) {
        if !self.dice.one_in(rarity) {
            return;
        }
        let text = line(REMARKS, self.dice.below(16));
        let is_line = self.dice.one_in(8);
        self.put(match is_line {
            true => Item::LineComment(text),
            false => Item::Comment(text),
        });
    }

    /// Writes a variation in place of the last move, if another legal move is found. Its depth is limited by [`DEPTH`].
    fn variation(&mut self, before: &Position, instead_of: Move, depth: u32) {
        let Some(first) = self.other(before, instead_of) else {
            return;
        };
        self.put(Item::VariationStart);
        self.remarks(6);
        if self.dice.one_in(12) {
            // A variation without moves.
            self.put(Item::Comment("Other moves lose."));
            self.put(Item::VariationEnd);
            return;
        }
        let mut position = before.clone();
        let mut next = Some(first);
        let mut left = 1 + self.dice.below(6);
        while let Some(mv) = next
            && left > 0
        {
            let replaced = position.clone();
            self.mv(&mut position, mv);
            if self.dice.one_in(10) {
                self.put(Item::Comment("[%clk 0:00:30]"));
            }
            self.remarks(8);
            self.offer();
            if depth < DEPTH && self.dice.one_in(5) {
                self.variation(&replaced, mv, depth + 1);
                self.remarks(6);
            }
            left -= 1;
            next = self.picker.pick(&position, &mut self.dice);
        }
        self.threat(position);
        self.put(Item::VariationEnd);
    }

    /// Picks a legal move other than this one, or gives up after four attempts.
    fn other(&mut self, position: &Position, not: Move) -> Option<Move> {
        (0..4)
            .filter_map(|_| self.picker.pick(position, &mut self.dice))
            .find(|mv| *mv != not)
    }
}
