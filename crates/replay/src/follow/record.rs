//! What the record of a game says besides its moves, once these are followed.

use super::Follower;
use crate::diagnostic::Status;
use crate::findings::{self, record};
use crate::log::Log;
use crate::{Options, verdict};

impl Follower {
    /// Reports numbers, words, characters and damage of the record.
    pub(super) fn record(&mut self, log: &Log<'_>, options: &Options) {
        for wrong in log.misnumbered() {
            // Where a game goes on from a set-up position, its numbers may begin anywhere.
            if !(wrong.is_first && self.course.is_set_up) {
                self.course.worsen(Status::Warned);
                self.course.late.push(findings::misnumbered(wrong));
            }
        }
        for (what, text, at, count) in log.unusual() {
            let finding = findings::unusual_form(what, text, at, count, options.strict);
            self.course.report(finding);
        }
        let ended = verdict::of_words(log, &self.course, options.strict);
        let replaced = log
            .c1_control()
            .map(|(control, at)| record::control(control, at, options.strict));
        for finding in ended.into_iter().chain(replaced) {
            self.course.report(finding);
        }
        for (damage, _, _) in log.damage.found() {
            if !self.course.counts(*damage) {
                continue;
            }
            self.course.worsen(if damage.loses() {
                Status::Invalid
            } else {
                Status::Warned
            });
        }
        self.course.worsen(log.damage.more().status());
    }
}
