//! Chooses the rule system and the style of a game whose tags do not name them.

use super::under;
use super::{Follower, State, infer};
use crate::frontier::line::{Line, read_line};
use crate::options::RulesChoice;
use crate::reading::{PlayerStyles, Ply, Reading};
use crate::sink::Sink;
use crate::style::token::tokens;
use std::cmp::Reverse;
use tridex_archive::Game;
use tridex_rules::RuleSystem;

impl Follower {
    /// Follows the game under the likeliest rule system and in the likeliest style. Returns no system if the start
    /// position cannot be played under it.
    pub(super) fn first_choice<S: Sink>(
        &mut self,
        game: &Game<'_>,
        sink: &mut S,
    ) -> (Option<RuleSystem>, PlayerStyles) {
        let declared = &self.declared;
        let assumed = infer::assumed(game, declared);
        let is_named = declared.notation.is_some() && declared.locale.is_some();
        self.is_open = assumed.is_some() && declared.program.is_none() && !is_named;
        let mut hands = match assumed {
            Some(style) => [style; 2],
            None => self.guessed(game),
        };
        loop {
            let rules = self.likeliest(hands);
            if let Some(start) = self.start(rules) {
                let followed = self.follow(game, &start, State::Certain, hands, sink);
                if followed.is_ok() {
                    self.is_open = false;
                    return (Some(rules), hands);
                }
            } else if !self.is_open {
                if self.declared.rules.is_some() {
                    let finding = under::unplayable(rules, &self.declared);
                    self.replay.findings.push(finding);
                }
                self.nowhere(game, rules, hands, sink);
                return (None, hands);
            }
            self.is_open = false;
            hands = self.guessed(game);
        }
    }

    /// Infers the styles of the players from all tokens. If several languages explain them equally well, the one in
    /// which the game can be followed furthest wins. Of those, the one in which the fewest tokens need the letters of
    /// another language, and then the one with the fewest other assumptions.
    fn guessed(&mut self, game: &Game<'_>) -> PlayerStyles {
        let tokens = tokens(game, &self.cache);
        let all = infer::hands(&tokens, &self.declared);
        if let [only] = all.as_slice() {
            return *only;
        }
        let mut reach = |hands: PlayerStyles| {
            let reading = Reading {
                hands,
                ..Reading::unknown()
            };
            let start = self.start(self.likeliest(hands))?;
            let line = read_line(&start, &tokens, reading);
            let is_foreign = |ply: &&Ply| !hands.contains(&ply.style);
            let foreign = line.plies.iter().filter(is_foreign).count();
            let (plies, assumed) = line.reach(hands);
            Some((plies, Reverse(foreign), assumed))
        };
        let furthest = all.into_iter().min_by_key(|hands| Reverse(reach(*hands)));
        furthest.unwrap_or(Reading::unknown().hands)
    }

    /// Tries all rule systems of the board family, because none was named and either the likeliest does not explain the
    /// game or all are requested.
    pub(super) fn other_choices<S: Sink>(
        &mut self,
        game: &Game<'_>,
        followed: Option<RuleSystem>,
        hands: PlayerStyles,
        sink: &mut S,
    ) {
        let (tokens, reading) = (tokens(game, &self.cache), self.replay.reading);
        let mut follow = |rules| {
            let start = self.start(rules)?;
            Some(read_line(&start, &tokens, reading))
        };
        let systems = infer::systems(hands[0].notation).into_iter();
        let lines: Vec<(RuleSystem, Option<Line>)> =
            systems.map(|rules| (rules, follow(rules))).collect();
        let reached = lines
            .iter()
            .filter_map(|(rules, line)| Some((line.as_ref()?.reach(hands), *rules)));
        let furthest = reached.min_by_key(|(reach, _)| Reverse(*reach));
        let furthest = furthest.map(|(_, rules)| rules);
        let fallback = self.likeliest(hands);
        let (replay, declared) = (&mut self.replay, &self.declared);
        let is_any = self.options.rules == RulesChoice::Any;
        if is_any || furthest.is_some_and(|rules| rules != fallback) {
            let mut all = under::all(&lines, declared, &tokens, hands[0].notation);
            let finding = furthest.map(|rules| under::legal_under(game.at, rules, &all));
            replay.findings.extend(finding);
            if is_any {
                all.sort_by_key(|under| under.rules);
                replay.under = all;
            }
        }
        let Some(rules) = furthest else {
            replay.findings.push(under::unplayable(fallback, declared));
            return;
        };
        if followed != Some(rules)
            && let Some(start) = self.start(rules)
        {
            // Cannot fail: the style is no longer in doubt.
            let _ = self.follow(game, &start, State::Certain, hands, sink);
        }
    }

    /// The rule system that is tried first.
    fn likeliest(&self, hands: PlayerStyles) -> RuleSystem {
        let of_notation = || infer::systems(hands[0].notation).first().copied();
        let likeliest = self.declared.rules.or_else(of_notation);
        likeliest.unwrap_or_default()
    }
}
