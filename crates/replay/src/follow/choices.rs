//! Under which rules, and written how, a game is followed, where its tags do not say.

use super::Follower;
use crate::course::unsaid;
use crate::guess;
use crate::line::{Hands, Line, Reading, read_line};
use crate::setting::Setting;
use crate::{Options, RulesChoice, Sink, under};
use std::cmp::Reverse;
use tridex_archive::Game;
use tridex_rules::RuleSystem;

impl Follower {
    /// Follows the game under the likeliest rule system, written in the likeliest way. The system is none if the game
    /// cannot start under it.
    pub(super) fn first_choice<S: Sink>(
        &mut self,
        game: &Game<'_>,
        options: &Options,
        setting: &Setting,
        sink: &mut S,
    ) -> (Option<RuleSystem>, Hands) {
        let assumed = guess::assumed(game, setting);
        let is_named = setting.notation.is_some() && setting.locale.is_some();
        let mut is_open = assumed.is_some() && setting.program.is_none() && !is_named;
        let mut hands = match assumed {
            Some(writing) => Hands::both(writing),
            None => self.guessed(game, setting),
        };
        loop {
            let rules = likeliest(setting, hands);
            let reading = setting.reading(hands, options);
            if let Some(start) = self.start(setting, rules) {
                if self.follow(game, &start, reading, is_open, sink).is_ok() {
                    return (Some(rules), hands);
                }
            } else if !is_open {
                if setting.rules.is_some() {
                    let finding = under::unplayable(rules, setting);
                    self.course.findings.push(finding);
                }
                self.nowhere(game, rules, reading, sink);
                return (None, hands);
            }
            is_open = false;
            hands = self.guessed(game, setting);
        }
    }

    /// How a game is written, by all its tokens: of several languages that explain them equally well the one in which the
    /// game can be followed furthest from its start.
    fn guessed(&mut self, game: &Game<'_>, setting: &Setting) -> Hands {
        let tokens = guess::Tokens::of(game);
        let all = guess::hands(&tokens, setting);
        if let [only] = all.as_slice() {
            return *only;
        }
        let mut reach = |hands: Hands| {
            let reading = Reading { hands, ..unsaid() };
            let start = self.start(setting, likeliest(setting, hands))?;
            Some(read_line(&start, tokens.iter(), reading).reach(hands))
        };
        let furthest = all.into_iter().min_by_key(|hands| Reverse(reach(*hands)));
        furthest.unwrap_or(unsaid().hands)
    }

    /// No rule system was named: the others too, where the likeliest does not explain the game or all are to be tried.
    pub(super) fn other_choices<S: Sink>(
        &mut self,
        game: &Game<'_>,
        options: &Options,
        setting: &Setting,
        followed: Option<RuleSystem>,
        hands: Hands,
        sink: &mut S,
    ) {
        let reading = setting.reading(hands, options);
        let (notation, is_any) = (hands.white.notation, options.rules == RulesChoice::Any);
        let fallback = likeliest(setting, hands);
        let tokens = guess::Tokens::of(game);
        let mut follow = |rules| {
            let start = self.start(setting, rules)?;
            Some(read_line(&start, tokens.iter(), reading))
        };
        let systems = guess::systems(notation).into_iter();
        let lines: Vec<(RuleSystem, Option<Line>)> =
            systems.map(|rules| (rules, follow(rules))).collect();
        let reached = lines
            .iter()
            .filter_map(|(rules, line)| Some((line.as_ref()?.reach(hands), *rules)));
        let furthest = reached.min_by_key(|(reach, _)| Reverse(*reach));
        let furthest = furthest.map(|(_, rules)| rules);
        if is_any || furthest.is_some_and(|rules| rules != fallback) {
            let mut all = under::all(&lines, setting, &tokens, notation);
            let finding = furthest.map(|rules| under::legal_under(game.at, rules, &all));
            self.course.findings.extend(finding);
            if is_any {
                all.sort_by_key(|under| under.rules);
                self.course.under = all;
            }
        }
        let Some(rules) = furthest else {
            let finding = under::unplayable(fallback, setting);
            self.course.findings.push(finding);
            return;
        };
        if followed != Some(rules)
            && let Some(start) = self.start(setting, rules)
        {
            // The writing is settled, so no doubt of it comes back.
            let _ = self.follow(game, &start, reading, false, sink);
        }
    }
}

/// The rule system a game is followed under at first.
fn likeliest(setting: &Setting, hands: Hands) -> RuleSystem {
    setting
        .rules
        .or_else(|| guess::systems(hands.white.notation).first().copied())
        .unwrap_or(RuleSystem::Meder)
}
