//! Under which rules, and written how, a game is followed, where its tags do not say.

use super::{Doubt, Follower};
use crate::guess;
use crate::line::{Hands, Reading, read_line};
use crate::setting::Setting;
use crate::{Options, RulesChoice, Sink, under};
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
        let mut is_open =
            setting.program.is_none() && (setting.notation.is_none() || setting.locale.is_none());
        let mut hands = assumed.map(Hands::both).unwrap_or_else(|| {
            is_open = false;
            self.guessed(game, setting)
        });
        loop {
            let rules = likeliest(setting, hands);
            let start = self.start(setting, rules);
            if start.is_none() && is_open {
                is_open = false;
                hands = self.guessed(game, setting);
                continue;
            }
            let reading = Reading {
                hands,
                strict: options.strict,
                bound: setting.locale.is_some(),
            };
            let Some(start) = start else {
                if setting.rules.is_some() {
                    self.course.findings.push(under::unplayable(rules, setting));
                }
                self.nowhere(game, rules, reading, sink);
                return (None, hands);
            };
            match self.follow(game, &start, reading, is_open, sink) {
                Ok(()) => return (Some(rules), hands),
                Err(Doubt) => {
                    is_open = false;
                    hands = self.guessed(game, setting);
                }
            }
        }
    }

    /// How a game is written, by all its tokens.
    fn guessed(&mut self, game: &Game<'_>, setting: &Setting) -> Hands {
        let tokens = guess::Tokens::of(game);
        let all = guess::hands(&tokens, setting);
        guess::furthest(&all, &tokens, |hands| {
            self.start(setting, likeliest(setting, hands))
        })
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
        let reading = Reading {
            hands,
            strict: options.strict,
            bound: setting.locale.is_some(),
        };
        let notation = hands.white.notation;
        let fallback = likeliest(setting, hands);
        let tokens = guess::Tokens::of(game);
        let mut follow = |rules| {
            let start = self.start(setting, rules)?;
            Some(read_line(&start, tokens.iter(), reading))
        };
        let systems = guess::systems(notation).into_iter();
        let lines: Vec<_> = systems.map(|rules| (rules, follow(rules))).collect();
        let under = || under::all(&lines, setting, &tokens, notation);
        if options.rules == RulesChoice::Any {
            self.course.under = under();
            self.course.under.sort_by_key(|under| under.rules);
        }
        // Of those that go as far, the one that has to take the fewest tokens otherwise than they are written, and then
        // the first.
        let furthest = lines
            .iter()
            .filter_map(|(rules, line)| Some((*rules, line.as_ref()?)))
            .enumerate()
            .max_by_key(|(i, (_, line))| {
                let assumed = line.plies.iter().filter(|ply| ply.assumes(hands)).count();
                let least = std::cmp::Reverse((assumed, *i));
                (line.is_whole(), line.plies.len(), least)
            });
        let Some((_, (rules, _))) = furthest else {
            self.course
                .findings
                .push(under::unplayable(fallback, setting));
            return;
        };
        if options.rules == RulesChoice::Any || rules != fallback {
            let finding = under::legal_under(game.at, rules, under());
            self.course.findings.push(finding);
        }
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
