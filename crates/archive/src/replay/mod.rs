//! A game replayed: every move found among the legal ones, every finding with its place.
//!
//! [`replay`] reads the main line with all readings of ambiguous tokens followed to the end, the variations from where
//! they branch off, and compares the result with the final position. It is careful rather than fast; [`swift`](crate::swift) does the
//! same for games in which nothing is to be found, and hands all others to this module.

mod alternatives;
mod convert;
mod findings;
mod guess;
mod line;
mod repair;
#[cfg(test)]
mod tests;
mod variations;
mod verdict;

pub use convert::{Converter, Wording, convert};
pub use findings::damage;
pub use line::{Break, Line, Ply, Reading, Token, Writing, read_line};
pub use repair::repair_game;
pub use variations::{Step, walk};

use crate::diagnostic::{Code, Diagnostic, Severity, Status};
use crate::record::{Game, Item};
use crate::{GameResult, places::Places};
use tridex_geometry::Family;
use tridex_notation::{Locale, Notation, position_string};
use tridex_rules::{Move, Position, RuleSystem};

/// Which rule systems a game is replayed under.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RulesChoice {
    /// The one the tags name; without a name the likeliest under which the game is legal.
    #[default]
    AsTagged,
    /// This one, whatever the tags say.
    Only(RuleSystem),
    /// Every one of the notation's board family, reporting where each breaks.
    Any,
}

/// How games are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The rule systems.
    pub rules: RulesChoice,
    /// The notation, whatever the tags say.
    pub notation: Option<Notation>,
    /// The language, whatever the tags say.
    pub locale: Option<Locale>,
    /// Whether ambiguous and foreign tokens are errors.
    pub strict: bool,
}

/// What became of a game.
#[derive(Clone, Debug)]
pub struct Report {
    /// Whether it can be replayed.
    pub status: Status,
    /// The rule system it was replayed under.
    pub rules: RuleSystem,
    /// How it is written.
    pub writing: Writing,
    /// The position it starts from.
    pub start: Position,
    /// Whether that is not the system's own start.
    pub set_up: bool,
    /// The moves of the main line, as far as they could be read.
    pub moves: Vec<Move>,
    /// The position after them.
    pub last: Position,
    /// For each item of the game the move it was read as, if it is one; empty if only the main line was followed.
    pub read: Vec<Option<Move>>,
    /// The result the record states.
    pub result: GameResult,
    /// How the game has ended by the rules, as the contract writes it: `*` if it has not.
    pub outcome: String,
    /// What was found, in order of place.
    pub diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// The report on a game in which nothing was found.
    pub(crate) fn clean(game: &crate::swift::Clean<'_>) -> Self {
        Self {
            status: Status::Valid,
            rules: game.start.rules(),
            writing: game.writing,
            start: game.start.clone(),
            set_up: false,
            moves: game.moves.to_vec(),
            last: game.last.clone(),
            read: Vec::new(),
            result: game.result,
            outcome: game
                .outcome
                .map_or_else(|| "*".to_owned(), |outcome| outcome.to_string()),
            diagnostics: Vec::new(),
        }
    }

    /// Fills in lines and columns.
    pub fn place(&mut self, places: &mut Places<'_>) {
        for found in &mut self.diagnostics {
            let place = places.place(found.at);
            (found.line, found.column) = (place.line, place.column);
        }
    }
}

/// Replays a game.
#[must_use]
pub fn replay(game: &Game, options: &Options) -> Report {
    let mut findings = Vec::new();
    let items: Vec<Item<'_>> = game.items().collect();
    let tokens: Vec<Token<'_>> = game
        .main_line()
        .map(|(text, at)| Token {
            text: text.as_bytes(),
            at,
        })
        .collect();
    let wishes = Wishes::of(game, options, &mut findings);
    let family = wishes
        .rules
        .map(RuleSystem::family)
        .or(wishes.start.as_ref().map(|(setup, _)| setup.family()));
    let start_of = |rules: RuleSystem| match &wishes.start {
        Some((setup, _)) => Position::from_setup(rules, setup).ok(),
        None => Some(Position::start(rules)),
    };
    let writings = guess::writings(&tokens, wishes.notation, wishes.locale, family);
    let writing = furthest(&writings, &wishes, &tokens, start_of);
    if wishes.locale.is_none() && writing.locale != Locale::English {
        findings.push(findings::language(game.at, &tokens, writing));
    }
    let reading = Reading {
        writing,
        strict: options.strict,
    };
    let (rules, line) = choose(
        &wishes,
        reading,
        &tokens,
        start_of,
        game,
        options,
        &mut findings,
    );
    let start = start_of(rules).unwrap_or_else(|| Position::start(rules));
    findings::of_line(&start, &tokens, &line, reading, &mut findings);
    let moves: Vec<Move> = line.plies.iter().map(|ply| ply.mv).collect();
    let read = variations::read(&items, &start, &moves, reading, &mut findings);
    let verdict = verdict::of(game, &start, &line, &tokens, &mut findings);
    findings.extend(
        game.damage
            .iter()
            .map(|(damage, at, len)| findings::damage(*damage, *at, *len)),
    );
    findings.sort_by_key(|found| (found.at, found.code));
    Report {
        status: Status::of(&findings),
        rules,
        writing,
        set_up: wishes.start.is_some(),
        start,
        moves,
        last: line.last,
        read,
        result: verdict.result,
        outcome: verdict.outcome,
        diagnostics: findings,
    }
}

/// Of several languages that explain the tokens equally well the one in which the game can be followed furthest.
fn furthest(
    writings: &[Writing],
    wishes: &Wishes,
    tokens: &[Token<'_>],
    start_of: impl Fn(RuleSystem) -> Option<Position>,
) -> Writing {
    let english = Writing {
        notation: Notation::Meder,
        locale: Locale::English,
    };
    let first = writings.first().copied().unwrap_or(english);
    if writings.len() < 2 {
        return first;
    }
    let reach = |writing: &Writing| {
        let rules = wishes
            .rules
            .or_else(|| guess::systems(writing.notation).first().copied())?;
        let reading = Reading {
            writing: *writing,
            strict: false,
        };
        let line = read_line(&start_of(rules)?, tokens, reading);
        // Tokens that had to be read in yet another way speak against a language.
        let own = line.plies.iter().filter(|ply| ply.writing == *writing);
        Some((line.plies.len(), own.count()))
    };
    let mut best = (reach(&first), first);
    for writing in writings.iter().skip(1) {
        let found = reach(writing);
        if found > best.0 {
            best = (found, *writing);
        }
    }
    best.1
}

/// What options and tags say of the reading.
struct Wishes {
    rules: Option<RuleSystem>,
    notation: Option<Notation>,
    locale: Option<Locale>,
    start: Option<(tridex_rules::Setup, u64)>,
}

impl Wishes {
    fn of(game: &Game, options: &Options, findings: &mut Vec<Diagnostic>) -> Self {
        let mut tag = |name: &str, known: bool, what: &str| -> Option<String> {
            let (value, at) = game.find_tag(name)?;
            if known || value.trim().is_empty() || value.trim() == "?" {
                return None;
            }
            if !understood(name, value) {
                findings.push(Diagnostic::of_game(
                    Severity::Warning,
                    Code::Tag,
                    at,
                    format!(
                        "{what} \"{}\" is not known; it is inferred from the moves",
                        crate::printable(value)
                    ),
                ));
                return None;
            }
            Some(value.to_owned())
        };
        let forced = match options.rules {
            RulesChoice::Only(rules) => Some(rules),
            RulesChoice::Any | RulesChoice::AsTagged => None,
        };
        let any = options.rules == RulesChoice::Any;
        let tagged = tag("Variant", forced.is_some() || any, "the rule system");
        let notation = tag("Notation", options.notation.is_some(), "the notation");
        let locale = tag("Locale", options.locale.is_some(), "the language");
        let start = start_position(game, findings);
        Self {
            rules: forced.or_else(|| RuleSystem::from_name(&tagged?)),
            notation: options.notation.or_else(|| Notation::from_name(&notation?)),
            locale: options.locale.or_else(|| Locale::from_code(&locale?)),
            start,
        }
    }
}

fn understood(tag: &str, value: &str) -> bool {
    match tag {
        "Variant" => RuleSystem::from_name(value).is_some(),
        "Notation" => Notation::from_name(value).is_some(),
        _ => Locale::from_code(value).is_some(),
    }
}

/// The set-up position of the tag `FEN`, if there is one.
fn start_position(
    game: &Game,
    findings: &mut Vec<Diagnostic>,
) -> Option<(tridex_rules::Setup, u64)> {
    let (text, at) = game.find_tag("FEN")?;
    match position_string::parse(text.trim()) {
        Ok(setup) => Some((setup, at)),
        Err(fault) => {
            findings.push(Diagnostic::of_game(
                Severity::Error,
                Code::StartPosition,
                at,
                format!("the position in the FEN tag cannot be read: {fault}"),
            ));
            None
        }
    }
}

/// Finds the rule system and reads the main line under it.
#[allow(clippy::too_many_arguments)]
fn choose(
    wishes: &Wishes,
    reading: Reading,
    tokens: &[Token<'_>],
    start_of: impl Fn(RuleSystem) -> Option<Position>,
    game: &Game,
    options: &Options,
    findings: &mut Vec<Diagnostic>,
) -> (RuleSystem, Line) {
    let notation = reading.writing.notation;
    let fallback = wishes
        .rules
        .or_else(|| guess::systems(notation).first().copied())
        .unwrap_or(RuleSystem::Meder);
    if let Some(rules) = wishes.rules {
        if let Some(start) = start_of(rules) {
            return (rules, read_line(&start, tokens, reading));
        }
        findings.push(findings::unplayable(rules, wishes));
        return (rules, read_line(&Position::start(rules), &[], reading));
    }
    let any = options.rules == RulesChoice::Any;
    // The likeliest system first; the others only if it breaks, or if all are asked for.
    let likeliest = start_of(fallback).map(|start| read_line(&start, tokens, reading));
    if let Some(line) = likeliest
        && line.is_whole()
        && !any
    {
        return (fallback, line);
    }
    let mut lines = guess::under_each(&start_of, tokens, reading);
    // Of those that go as far, the first.
    let furthest = lines
        .iter()
        .enumerate()
        .max_by_key(|(i, (_, line))| (line.is_whole(), line.plies.len(), std::cmp::Reverse(*i)))
        .map(|(i, _)| i);
    let Some(best) = furthest else {
        findings.push(findings::unplayable(fallback, wishes));
        return (
            fallback,
            read_line(&Position::start(fallback), &[], reading),
        );
    };
    let (rules, line) = lines.swap_remove(best);
    if any || rules != fallback {
        lines.sort_by_key(|(rules, _)| *rules);
        findings.push(findings::legal_under(
            game.at, rules, &line, &lines, tokens, reading,
        ));
    }
    (rules, line)
}

/// Whether a notation can describe what a rule system is played on.
#[must_use]
pub fn expresses(notation: Notation, family: Family) -> bool {
    notation.family() == family
}
