//! Writes a reconciled game: its moves, the annotations of all records, and comments about what differs.

use super::differences::{Difference, DifferenceKind};
use super::merge::{self, Annotated, MergedTags};
use super::{ReconciledPly, Superfluous};
use crate::Style;
use crate::finding::trace::{Cause, Trace};
use tridex_archive::game::Event;
use tridex_archive::{Game, GameResult, Item};
use tridex_notation::{Locale, judgement, position_string};
use tridex_rules::Position;

/// A record with the style it is written in.
pub(super) struct Record<'g> {
    pub(super) game: &'g Game<'g>,
    pub(super) style: Style,
}

/// Everything a game is written from.
pub(super) struct Parts<'p> {
    pub(super) records: &'p [Record<'p>],
    pub(super) start: &'p Position,
    pub(super) is_set_up: bool,
    pub(super) style: Style,
    pub(super) plies: &'p [ReconciledPly],
    pub(super) superfluous: &'p [Superfluous],
    pub(super) differences: &'p [Difference],
    pub(super) tags: &'p MergedTags,
    pub(super) result: Option<GameResult>,
}

impl Parts<'_> {
    /// The game.
    pub(super) fn game(&self) -> Game<'static> {
        let mut out = Game::new();
        self.push_tags(&mut out);
        let mut annotations: Vec<Vec<Vec<&Event>>> = self
            .records
            .iter()
            .map(|record| merge::annotations(record.game))
            .collect();
        let whole = self
            .differences
            .iter()
            .filter(|difference| difference.ply.is_none());
        for difference in whole.filter(|found| found.kind != DifferenceKind::Superfluous) {
            out.push(Item::Comment(&safe(&difference.message)));
        }
        let before = annotations
            .iter_mut()
            .map(|own| own.first_mut().map(std::mem::take));
        let before: Vec<Option<Vec<&Event>>> = before.collect();
        self.push_annotations(&mut out, before);
        let superfluous = self.places_of_superfluous();
        let mut differences = self
            .differences
            .iter()
            .filter(|found| found.ply.is_some())
            .peekable();
        let mut position = self.start.clone();
        for (index, ply) in self.plies.iter().enumerate() {
            let mut text = ply.text.clone();
            let check = position.play_unchecked(ply.mv).check;
            if self.style.notation.has_marks() && check {
                text.push(if position.is_checkmate() { '#' } else { '+' });
            }
            let judgements = ply.records.iter().map(|own| {
                let judgement = judgement(own.token.as_bytes());
                String::from_utf8_lossy(judgement).into_owned()
            });
            let judgements: Vec<String> = judgements.collect();
            let judgement = judgements.iter().find(|judgement| !judgement.is_empty());
            if let Some(judgement) = judgement {
                text.push_str(judgement);
            }
            out.push(Item::Move(&text));
            let here =
                |found: &&&Difference| found.ply.is_some_and(|ply| ply as usize == index + 1);
            while let Some(found) = differences.next_if(|found| here(&found)) {
                let mut comment = safe(&found.message);
                if found.kind == DifferenceKind::Ambiguous {
                    let token = ply.records.iter().find(|own| !own.token.is_empty());
                    let trace = Trace {
                        token: token.map_or_else(String::new, |own| own.token.clone()),
                        text: found.text.clone(),
                        cause: Cause::Guess(found.readings.clone()),
                    };
                    comment = format!("{comment} {trace}");
                }
                out.push(Item::Comment(&comment));
            }
            for (record, other) in judgements.iter().enumerate() {
                if !other.is_empty() && Some(other) != judgement {
                    let other = format!("{}: {other}", merge::letter(record));
                    out.push(Item::Comment(&other));
                }
            }
            let after =
                ply.records
                    .iter()
                    .zip(&mut annotations)
                    .enumerate()
                    .map(|(record, (own, all))| {
                        let mut items: Vec<&Event> = Vec::new();
                        let mut take = |token: usize| {
                            items.extend(
                                all.get_mut(token + 1)
                                    .map(std::mem::take)
                                    .unwrap_or_default(),
                            );
                        };
                        own.index.into_iter().for_each(&mut take);
                        for (token, _) in superfluous
                            .iter()
                            .filter(|((of, _), ply)| *of == record && *ply == index)
                            .map(|((_, token), ply)| (*token, ply))
                        {
                            take(token);
                        }
                        Some(items)
                    });
            let after: Vec<Option<Vec<&Event>>> = after.collect();
            for ((record, token), _) in superfluous.iter().filter(|(_, ply)| *ply == index) {
                let all = self.superfluous.iter();
                let token = all
                    .filter(|other| other.record == *record)
                    .find(|other| other.index == *token);
                if let Some(token) = token {
                    let name = merge::letter(*record);
                    let text = format!("{name} has {}, which is no move of the game", token.token);
                    out.push(Item::Comment(&safe(&text)));
                }
            }
            self.push_annotations(&mut out, after);
        }
        out.result = Some(self.result.unwrap_or(GameResult::Unknown));
        out
    }

    /// The ply after which each superfluous token is mentioned, by record and token.
    fn places_of_superfluous(&self) -> Vec<((usize, usize), usize)> {
        let places = self.superfluous.iter().map(|token| {
            let ply = self.plies.iter().rposition(|ply| {
                let own = ply.records.get(token.record).and_then(|own| own.index);
                own.is_some_and(|index| index < token.index)
            });
            ((token.record, token.index), ply.unwrap_or(0))
        });
        places.collect()
    }

    fn push_tags(&self, out: &mut Game<'static>) {
        let result = self.result.unwrap_or(GameResult::Unknown);
        let mut is_written = false;
        for (name, value) in &self.tags.tags {
            out.push_tag(name, value);
            if name == "Black" {
                is_written = true;
                out.push_tag("Result", result.as_str());
            }
        }
        if !is_written {
            out.push_tag("Result", result.as_str());
        }
        out.push_tag("Variant", self.start.rules().name());
        out.push_tag("Notation", self.style.notation.name());
        if self.style.locale != Locale::English && self.style.notation.has_letters() {
            out.push_tag("Locale", self.style.locale.code());
        }
        if self.is_set_up {
            out.push_tag("SetUp", "1");
            out.push_tag("FEN", &position_string::to_string(&self.start.to_setup()));
        }
    }

    fn push_annotations(&self, out: &mut Game<'static>, items: Vec<Option<Vec<&Event>>>) {
        let all = self.records.iter().zip(items).enumerate();
        let all = all.map(|(record, (own, items))| Annotated {
            record,
            game: own.game,
            items: items.unwrap_or_default(),
            has_style: own.style == self.style,
        });
        merge::push(out, &all.collect::<Vec<_>>());
    }
}

/// A text that ends no comment and contains no command.
fn safe(text: &str) -> String {
    text.replace('{', "(").replace('}', ")").replace("[%", "(%")
}
