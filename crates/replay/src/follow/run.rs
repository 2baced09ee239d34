//! The moves of a line that take no more than to be found: nearly all, played in a loop that is compiled once for each rule
//! system.

use super::keys::Draws;
use crate::course::Course;
use crate::memo::Memo;
use crate::sink::{Silent, Sink};
use crate::writing::Writing;
use tridex_archive::game::Event;
use tridex_archive::{Game, Item};
use tridex_notation::{CheckMark, San};
use tridex_rules::{Move, Playable, PlayedMove, Position, Task};

/// Who receives the steps of a run.
pub(super) trait Steps<P> {
    /// Plays the one legal move that a token means, if there is one.
    fn play(&mut self, san: &San, now: &mut P, step: Step<'_>) -> Option<(Move, PlayedMove)>;
    /// [`Sink::between`]
    fn between(&mut self, game: &Game<'_>, event: &Event);
}

/// A token, and whether it is one of the main line.
#[derive(Clone, Copy)]
pub(super) struct Step<'t> {
    pub(super) token: &'t [u8],
    pub(super) is_main: bool,
}

impl<P: Playable> Steps<P> for Silent {
    #[inline(always)]
    fn play(&mut self, san: &San, now: &mut P, _: Step<'_>) -> Option<(Move, PlayedMove)> {
        san.follow(now)
    }

    #[inline(always)]
    fn between(&mut self, _: &Game<'_>, _: &Event) {}
}

/// Hands the steps to a sink.
pub(super) struct To<'s, S>(pub(super) &'s mut S);

impl<S: Sink> Steps<Position> for To<'_, S> {
    #[inline(always)]
    fn play(
        &mut self,
        san: &San,
        now: &mut Position,
        step: Step<'_>,
    ) -> Option<(Move, PlayedMove)> {
        let found = san.follow_with(now, |before, mv| self.0.before(before, mv, step.is_main))?;
        self.0.after(now, step.token, step.is_main);
        Some(found)
    }

    fn between(&mut self, game: &Game<'_>, event: &Event) {
        self.0.between(game.item(event).as_deref());
    }
}

/// Where a run ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Halt {
    /// Before an event, or after the last.
    Before(usize),
    /// After a move with a mark that is not true.
    Mark(usize, Move, San),
}

/// The parts of a [`Follower`](super::Follower) that a run changes.
pub(super) struct Run<'f> {
    pub(super) game: &'f Game<'f>,
    /// The first event.
    pub(super) from: usize,
    pub(super) sans: &'f mut Memo<San>,
    /// How each player writes.
    pub(super) hands: [(Writing, u8); 2],
    pub(super) course: &'f mut Course,
    /// The position before the last move, if a variation replaces that, or if its mark is not true.
    pub(super) before: &'f mut Position,
    pub(super) plies: &'f mut u32,
    pub(super) draws: &'f mut Draws,
    pub(super) is_main: bool,
}

impl Task for Run<'_> {
    type Output = Halt;

    fn run<P: Playable>(self, position: &mut P) -> Halt {
        self.go(position, &mut Silent)
    }
}

impl Run<'_> {
    /// Plays as far as nothing takes more.
    pub(super) fn go<P: Playable, S: Steps<P>>(self, now: &mut P, steps: &mut S) -> Halt {
        let events = self.game.events().iter().enumerate();
        for (index, event) in events.skip(self.from) {
            let Item::Move(is_replaced) = event.kind else {
                if matches!(event.kind, Item::VariationStart | Item::VariationEnd) {
                    return Halt::Before(index);
                }
                steps.between(self.game, event);
                continue;
            };
            let token = || self.game.text(event);
            let hand = self.hands[now.turn() as usize];
            let Some(san) = self.sans.read(hand, event.word, token, Writing::san) else {
                return Halt::Before(index);
            };
            let mark = san.mark();
            if is_replaced || mark != CheckMark::None {
                now.save_to(self.before);
            }
            let step = Step {
                token: token(),
                is_main: self.is_main,
            };
            let Some((mv, played)) = steps.play(san, now, step) else {
                return Halt::Before(index);
            };
            *self.plies += 1;
            if self.is_main {
                self.course.moves.push(mv);
                self.draws.add(mv, &played, now);
            } else {
                self.course.side_moves.push(Some(mv));
            }
            if !san.mark_fits(&played, now) {
                return Halt::Mark(index, mv, *san);
            }
        }
        Halt::Before(self.game.events().len())
    }
}
