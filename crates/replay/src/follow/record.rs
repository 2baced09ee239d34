//! What the record of a game states besides its moves, once these are followed.

use super::Follower;
use crate::diagnostic::{Omitted, Status};
use crate::findings::{self, record};
use crate::{Options, verdict};
use tridex_archive::Game;

impl Follower {
    /// Reports numbers, words, characters and damage of the record.
    pub(super) fn record(&mut self, game: &Game<'_>, options: &Options) {
        for wrong in game.misnumbered() {
            // Where a game begins from a set-up position, its numbers may begin anywhere.
            if !(wrong.is_first && self.course.is_set_up) {
                self.course.worsen(Status::Warned);
                self.course.late.push(findings::misnumbered(wrong));
            }
        }
        for (what, text, at, count) in game.unusual() {
            let finding = findings::unusual_form(what, text, at, count, options.strict);
            self.course.report(finding);
        }
        let ended = verdict::of_words(game, &self.course, options.strict);
        let replaced = game
            .c1_control()
            .map(|(control, at)| record::control(control, at, options.strict));
        for finding in ended.into_iter().chain(replaced) {
            self.course.report(finding);
        }
        for (damage, _, _) in game.damage.found() {
            if !self.course.counts(*damage) {
                continue;
            }
            self.course.worsen(if damage.is_lossy() {
                Status::Invalid
            } else {
                Status::Warned
            });
        }
        self.course.worsen(Omitted::of(&game.damage).status());
    }
}
