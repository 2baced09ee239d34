//! What tags and options say of the reading of a game.

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::{Options, RulesChoice, findings};
use std::borrow::Cow;
use std::collections::HashMap;
use tridex_archive::date::Date;
use tridex_archive::game::WrittenTag;
use tridex_archive::{Game, GameResult, decode, is_standard_result, printable, result_text};
use tridex_geometry::Family;
use tridex_notation::{Locale, Notation, Program, WrongFamily, near, position_string};
use tridex_rules::{Color, Position, RuleSystem, Setup};

/// The tag of a game that was not read whole: its text ends early, or lacks something, and the value gives the place.
/// A record with this tag is invalid, so that it is never mistaken for the game that was played.
pub const UNREADABLE: &str = "Unreadable";

/// How a game is to be read, as far as that is known.
#[derive(Debug, Default)]
pub(crate) struct Setting {
    /// The rule system.
    pub(crate) rules: Option<RuleSystem>,
    pub(crate) notation: Option<Notation>,
    pub(crate) locale: Option<Locale>,
    /// The program in whose dialect it is written.
    pub(crate) program: Option<Program>,
    /// The position it starts from, and where that is written.
    pub(crate) start: Option<(Setup, u64)>,
    /// That is the one stored in [`SetUp`].
    pub(crate) repeats: bool,
    /// The result of the tags, and where it is written.
    pub(crate) result: Option<(GameResult, u64)>,
    /// The place of the tag by which a player lost on time or by forfeit.
    pub(crate) forfeit: Option<u64>,
    /// The tags name a game that is not one of the five, and the options do not try them.
    pub(crate) is_of_no_system: bool,
    /// What was not understood.
    pub(crate) findings: Vec<Diagnostic>,
    /// That a notation is named which has no words for the board of the rules.
    pub(crate) unused_notation: Option<Diagnostic>,
}

/// The position that a game before this one set up, and the text it was read from: many games set up the same.
#[derive(Debug, Default)]
pub(crate) struct SetUp {
    text: Vec<u8>,
    setup: Option<Setup>,
    /// The same to be played, under one system.
    position: Option<Position>,
}

impl SetUp {
    /// The position of a setting that sets one up, under a system.
    pub(crate) fn position(&mut self, setting: &Setting, rules: RuleSystem) -> Option<Position> {
        let (setup, _) = setting.start.as_ref()?;
        if !setting.repeats {
            return Position::from_setup(rules, setup).ok();
        }
        if let Some(position) = self.position.as_ref().filter(|p| p.rules() == rules) {
            return Some(position.clone());
        }
        self.position = Position::from_setup(rules, setup).ok();
        self.position.clone()
    }
}

/// The first tag of a name.
type Found<'g> = Option<WrittenTag<'g>>;

/// The rule system whose name is one or two slips away from a name that is none: a character too many or too few, another
/// one, two exchanged. `None` if no system's is, or those of several are equally near.
///
/// ```
/// use tridex_replay::near_system;
/// use tridex_rules::RuleSystem;
///
/// assert_eq!(near_system("milennium"), Some(RuleSystem::Millennium));
/// assert_eq!(near_system("shogi"), None);
/// ```
#[must_use]
pub fn near_system(name: &str) -> Option<RuleSystem> {
    let names = RuleSystem::ALL.iter().map(|rules| rules.name());
    match near(name, &names.collect::<Vec<_>>()).as_slice() {
        [name] => RuleSystem::from_name(name),
        _ => None,
    }
}

impl Setting {
    /// Reads the tags; the first of each name counts.
    pub(crate) fn of(game: &Game<'_>, options: &Options, known: &mut SetUp) -> Self {
        const NAMES: [&str; 8] = [
            "Variant",
            "Notation",
            "Locale",
            "FEN",
            "Result",
            "Date",
            "Termination",
            UNREADABLE,
        ];
        let mut first = [None; NAMES.len()];
        for tag in game.written_tags() {
            for (name, place) in NAMES.iter().zip(&mut first) {
                if tag.name.eq_ignore_ascii_case(name.as_bytes()) {
                    place.get_or_insert(tag);
                }
            }
        }
        let [
            variant,
            mut notation,
            locale,
            fen,
            result,
            date,
            termination,
            unreadable,
        ] = first;
        let mut setting = Self::default();
        setting.repeated_tags(game);
        let forced = match options.rules {
            RulesChoice::Only(rules) => Some(rules),
            RulesChoice::Any | RulesChoice::AsTagged => None,
        };
        let is_settled = forced.is_some() || options.rules == RulesChoice::Any;
        // The value of nearly every tag is one of our own words.
        let own_rules = variant.and_then(|tag| rules_of(tag.value));
        let own_notation = notation.and_then(|tag| notation_of(tag.value));
        let wrote = |tag: Found<'_>| {
            let tag = tag?;
            Some((Program::from_name(&tag.text())?, tag.at))
        };
        // A program that is named in the place of a rule system plays by the rules of its notation.
        let mut program = match own_rules {
            Some(_) => None,
            None => wrote(variant).filter(|(program, _)| program.writes_meder()),
        };
        setting.rules = forced;
        if program.is_some() {
            setting.rules = forced.or((!is_settled).then_some(RuleSystem::Meder));
        } else if !is_settled {
            setting.rules = own_rules.or_else(|| setting.system(variant));
        }
        if own_notation.is_none() {
            program = program.or_else(|| wrote(notation));
        }
        if let Some((program, at)) = program
            && options.notation.is_none()
            && matches!(options.locale, None | Some(Locale::English))
        {
            setting.program = Some(program);
            setting.findings.push(findings::written_by(program, at));
            notation = None;
        }
        // An option for the notation applies to all games, and the tag is not read.
        let said = match options.notation {
            Some(asked) => Some((asked, game.at)),
            None => notation.and_then(|tag| {
                let named = || setting.named(Some(tag), "the notation", Notation::from_name);
                Some((own_notation.or_else(named)?, tag.at))
            }),
        };
        setting.notation = said.and_then(|(notation, at)| setting.of_this_board(notation, at));
        setting.locale = options
            .locale
            .or_else(|| setting.named(locale, "the language", Locale::from_code));
        setting.date(date);
        setting.forfeit = termination.and_then(|tag| {
            // Regardless of the other characters in a value, letters of ASCII are what they are in its bytes.
            let words: [&[u8]; 3] = [b"time", b"forfeit", b"flag"];
            let holds = |word: &&[u8]| {
                let mut places = tag.value.windows(word.len());
                places.any(|there| there.eq_ignore_ascii_case(word))
            };
            words.iter().any(holds).then_some(tag.at)
        });
        setting.unreadable(unreadable);
        setting.start = fen.and_then(|fen| setting.start_position(fen, known));
        // Star Trek's program sets up every game, also where it starts as it always does.
        if let (Some((setup, _)), Some(rules)) = (&setting.start, setting.rules)
            && setting.program.is_some()
            && *setup == rules.start()
        {
            setting.start = None;
        }
        setting.result = result.and_then(|tag| {
            let value = tag.text();
            let word = result_text(value.as_bytes())?;
            if !is_standard_result(value.as_bytes()) {
                let finding = findings::result_tag(&value, word, tag.at, options.strict);
                setting.findings.push(finding);
            }
            Some((word, tag.at))
        });
        setting
    }

    fn report(&mut self, severity: Severity, code: Code, at: u64, message: String) {
        let finding = Diagnostic::of_game(severity, code, at, message);
        self.findings.push(finding);
    }

    /// Reports tags that have two values.
    fn repeated_tags(&mut self, game: &Game<'_>) {
        // Nearly no game has a tag twice: one bit for each name shows whether any may.
        let mut seen = 0_u64;
        let may_repeat = game.written_tags().fold(false, |may_repeat, tag| {
            let name = tag.name;
            let ends = [name.first(), name.last()].map(|b| b.map_or(0, |b| usize::from(b | 0x20)));
            let bit = 1 << ((ends[0] * 31 + ends[1] * 7 + name.len()) & 63);
            let is_seen = seen & bit != 0;
            seen |= bit;
            may_repeat | is_seen
        });
        if !may_repeat {
            return;
        }
        let mut first: HashMap<Vec<u8>, Cow<'_, str>> = HashMap::new();
        for tag in game.written_tags() {
            let value = tag.text();
            let name = tag.name.to_ascii_lowercase();
            let known = first.entry(name).or_insert_with(|| value.clone());
            if known.trim() != value.trim() {
                let finding = findings::two_values(&decode(tag.name), known, &value, tag.at);
                self.findings.push(finding);
            }
        }
    }

    /// Whether Black has the first move.
    pub(crate) fn begins_black(&self) -> bool {
        let setup = self.start.as_ref().map(|(setup, _)| setup);
        setup.is_some_and(|setup| setup.turn == Color::Black)
    }

    /// What a tag names, if it has a value and that is known.
    fn named<T>(
        &mut self,
        tag: Found<'_>,
        what: &str,
        named: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let tag = tag?;
        let value = tag.text();
        if matches!(value.trim(), "" | "?") {
            return None;
        }
        let known = named(&value);
        if known.is_none() {
            let message = format!(
                "{what} \"{}\" is not known; it is inferred from the moves",
                printable(&value)
            );
            self.report(Severity::Warning, Code::Tag, tag.at, message);
        }
        known
    }

    /// A notation, if it has words for the board that the game is played on: else nothing written in it means anything, and
    /// the game is read as if none had been named.
    fn of_this_board(&mut self, notation: Notation, at: u64) -> Option<Notation> {
        let Some(rules) = self.rules.filter(|r| r.family() != notation.family()) else {
            return Some(notation);
        };
        let board = match rules.family() {
            Family::Stair => "stair board",
            Family::Cube => "cube board",
        };
        let message = format!(
            "{}, and {} is played on the {board}: this notation is not used",
            WrongFamily { notation },
            rules.name()
        );
        let finding = Diagnostic::of_game(Severity::Warning, Code::Tag, at, message);
        self.unused_notation = Some(finding);
        None
    }

    /// The rule system that a tag names. None is guessed for another game's name.
    fn system(&mut self, tag: Found<'_>) -> Option<RuleSystem> {
        let tag = tag?;
        let value = tag.text();
        if matches!(value.trim(), "" | "?") {
            return None;
        }
        let known = RuleSystem::from_name(&value);
        if known.is_none() {
            self.is_of_no_system = true;
            let names: Vec<&str> = RuleSystem::ALL.iter().map(|rules| rules.name()).collect();
            let near = near_system(&value)
                .map(|rules| format!(" (did you mean {}?)", rules.name()))
                .unwrap_or_default();
            let message = format!(
                "\"{}\" is not one of the rule systems {}{near}; it is read only as one of them, or any, by an option",
                printable(&value),
                names.join(", ")
            );
            self.report(Severity::Error, Code::Tag, tag.at, message);
        }
        known
    }

    /// Reports a date that cannot be read or cannot be.
    fn date(&mut self, tag: Found<'_>) {
        let Some(tag) = tag else {
            return;
        };
        let is_unknown = tag
            .value
            .iter()
            .all(|b| matches!(b, b'?' | b'.' | b' ' | b'-'));
        if is_unknown {
            return;
        }
        let value = tag.text();
        if let Err(fault) = Date::parse(&value) {
            let message = format!("the date \"{}\": {fault}", printable(&value));
            self.report(Severity::Warning, Code::Tag, tag.at, message);
        }
    }

    /// A record that is marked as incomplete is not taken as a game.
    fn unreadable(&mut self, tag: Found<'_>) {
        if let Some(tag) = tag {
            let message = format!(
                "the record is marked as incomplete; it could not be read {}",
                printable(tag.text().trim())
            );
            self.report(Severity::Error, Code::Unreadable, tag.at, message);
        }
    }

    /// The set-up position of the tag `FEN`.
    fn start_position(&mut self, tag: WrittenTag<'_>, known: &mut SetUp) -> Option<(Setup, u64)> {
        let (raw, at) = (tag.value, tag.at);
        if let Some(setup) = &known.setup
            && known.text == raw
        {
            self.repeats = true;
            return Some((setup.clone(), at));
        }
        let value = tag.text();
        let value = value.trim();
        let by = Program::of_position(value);
        let (read, as_written) = match by {
            Some(program) => (
                program
                    .parse_position(value)
                    .map_err(|fault| fault.to_string()),
                format!(", as {} writes it,", program.title()),
            ),
            None => (
                position_string::parse(value).map_err(|fault| fault.to_string()),
                String::new(),
            ),
        };
        let setup = match read {
            Ok(setup) => setup,
            Err(fault) => {
                let message =
                    format!("the position in the FEN tag{as_written} cannot be read: {fault}");
                self.report(Severity::Error, Code::StartPosition, at, message);
                return None;
            }
        };
        if let Some(program) = by.filter(|by| self.program != Some(*by)) {
            self.findings.push(findings::set_up_by(program, value, at));
        }
        // Text in quotes or written by a program has more than one form.
        if by.is_none() && !raw.contains(&b'\\') {
            *known = SetUp {
                text: raw.to_vec(),
                setup: Some(setup.clone()),
                position: None,
            };
            self.repeats = true;
        }
        Some((setup, at))
    }
}

/// The rule system whose name a value is, letter for letter. No program has such a name.
fn rules_of(value: &[u8]) -> Option<RuleSystem> {
    let mut all = RuleSystem::ALL.iter().copied();
    all.find(|rules| rules.name().as_bytes() == value)
}

/// The notation whose name a value is, letter for letter. No program has such a name.
fn notation_of(value: &[u8]) -> Option<Notation> {
    let mut all = Notation::ALL.into_iter();
    all.find(|notation| notation.name().as_bytes() == value)
}
