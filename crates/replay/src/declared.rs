//! What tags and options state about how to read a game.

use crate::finding::wording;
use crate::finding::{Code, Finding, Severity};
use crate::options::{Options, RulesChoice};
use std::borrow::Cow;
use std::collections::HashMap;
use tridex_archive::date::{Date, DateHint};
use tridex_archive::game::WrittenTag;
use tridex_archive::{Game, GameResult, decode, is_standard_result, result_text};
use tridex_geometry::Family;
use tridex_notation::{Locale, Notation, Program, WrongFamily, position_string};
use tridex_rules::{Color, Position, RuleSystem, Setup};
use tridex_text::near;
use tridex_text::printable;

/// The tag of a game that could not be read completely. Its value states where its text ends early, or what is missing.
/// A record with this tag is invalid, so that it is never mistaken for the game that was played.
pub const UNREADABLE: &str = "Unreadable";

/// How a game is to be read, as far as its tags and the options state it.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    /// The rule system.
    pub(crate) rules: Option<RuleSystem>,
    pub(crate) notation: Option<Notation>,
    pub(crate) locale: Option<Locale>,
    /// The program in whose format it is written.
    pub(crate) program: Option<Program>,
    /// The start position, and the offset of its tag.
    pub(crate) start: Option<(Setup, u64)>,
    /// Whether the start position is the one stored in [`StartCache`].
    pub(crate) repeats: bool,
    /// The result of the tags, and the offset of its tag.
    pub(crate) result: Option<(GameResult, u64)>,
    /// The offset of the tag which states that a player lost on time or by forfeit.
    pub(crate) forfeit: Option<u64>,
    /// Whether the tags name a game that is not one of the rule systems, and the options do not override that.
    pub(crate) is_of_no_system: bool,
    /// What the date shows about the order of day and month.
    pub(crate) date_hint: Option<DateHint>,
    /// Findings about tags.
    pub(crate) findings: Vec<Finding>,
    /// The finding that a notation is named which is not for the board of the rules.
    pub(crate) unused_notation: Option<Finding>,
}

/// The last position that a game set up. Many games set up the same one.
#[derive(Debug, Default)]
pub(crate) struct StartCache {
    /// The text from which it was read, and the rule system of that game.
    of: Option<(Vec<u8>, Option<RuleSystem>)>,
    /// `None` if it is the usual start position of the system.
    setup: Option<Setup>,
    /// The position under the rule system for which it was last requested.
    position: Option<Position>,
}

impl StartCache {
    /// The position that a game sets up, under a rule system. `None` if it sets up none, or one that cannot be played.
    pub(crate) fn position(&mut self, declared: &Declared, rules: RuleSystem) -> Option<Position> {
        let (setup, _) = declared.start.as_ref()?;
        if !declared.repeats {
            return Position::from_setup(rules, setup).ok();
        }
        if let Some(position) = self.position.as_ref().filter(|p| p.rules() == rules) {
            return Some(position.clone());
        }
        self.position = Position::from_setup(rules, setup).ok();
        self.position.clone()
    }
}

/// Returns the rule system whose name is one or two slips away from an unknown name. A slip is an additional, missing
/// or wrong character, or two exchanged ones. Returns `None` if no name is that near, or if several are equally near.
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

impl Declared {
    /// Reads the tags. Of several tags with the same name, the first counts.
    pub(crate) fn of(game: &Game<'_>, options: &Options, known: &mut StartCache) -> Self {
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
            let is_named = |name: &&str| tag.name.eq_ignore_ascii_case(name.as_bytes());
            let place = NAMES.iter().position(is_named);
            if let Some(place) = place.and_then(|place| first.get_mut(place)) {
                place.get_or_insert(tag);
            }
        }
        let [
            variant,
            notation,
            locale,
            fen,
            result,
            date,
            termination,
            unreadable,
        ] = first;
        let mut declared = Self::default();
        declared.repeated_tags(game);
        // `[FEN ""]` sets up nothing.
        let is_said = |tag: &WrittenTag<'_>| !matches!(tag.text().trim(), "" | "?" | "-");
        let fen = fen.filter(is_said);
        let [variant, notation, locale] = [variant, notation, locale].map(|tag| {
            let tag: WrittenTag<'_> = tag?;
            let value = tag.text();
            (!matches!(value.trim(), "" | "?")).then_some((value, tag.at))
        });
        let named = variant.as_ref().map(|(value, _)| &**value);
        let rules = named.and_then(RuleSystem::from_name);
        // A program that is named in place of a rule system plays by the rules of its notation.
        let by_rules = match rules {
            Some(_) => None,
            None => wrote(&variant).filter(|(program, _)| program.writes_meder()),
        };
        declared.rules = match (options.rules, &variant) {
            (RulesChoice::Only(rules), _) => Some(rules),
            (RulesChoice::Any, _) => None,
            _ if by_rules.is_some() => Some(RuleSystem::Meder),
            (RulesChoice::AsTagged, Some((value, at))) if rules.is_none() => {
                declared.no_system(value, *at);
                None
            }
            (RulesChoice::AsTagged, _) => rules,
        };
        let own = notation
            .as_ref()
            .and_then(|(value, _)| Notation::from_name(value));
        let by_notation = || own.is_none().then(|| wrote(&notation)).flatten();
        if let Some((program, at)) = by_rules.or_else(by_notation)
            && options.notation.is_none()
            && matches!(options.locale, None | Some(Locale::English))
        {
            declared.program = Some(program);
            declared.findings.push(wording::written_by(program, at));
        }
        // An option for the notation applies to all games, and the tag is not read.
        let said = match (options.notation, &notation) {
            (Some(asked), _) => Some((asked, game.at)),
            (None, Some((value, at))) if declared.program.is_none() => {
                declared.known("the notation", own, value, *at)
            }
            _ => None,
        };
        declared.notation = said.and_then(|(notation, at)| declared.of_this_board(notation, at));
        declared.locale = options.locale.or_else(|| {
            let (value, at) = locale?;
            let known = Locale::from_code(&value);
            let (locale, _) = declared.known("the language", known, &value, at)?;
            Some(locale)
        });
        if let Some(tag) = date
            // Nearly all dates have the form of PGN.
            && !matches!(tag.value, [_, _, _, _, b'.', _, _, b'.', _, _])
        {
            declared.date_hint = DateHint::of(&tag.text());
        }
        if let Some(tag) = date
            && !tag.value.iter().all(|b| b"?. -".contains(b))
            && let Err(fault) = Date::parse(&tag.text())
        {
            let message = format!("the date \"{}\": {fault}", printable(&tag.text()));
            declared.report(Severity::Warning, Code::Tag, tag.at, message);
        }
        declared.forfeit = termination.and_then(|tag| {
            // The raw bytes can be searched, since ASCII letters have the same bytes in every encoding.
            let words: [&[u8]; 3] = [b"time", b"forfeit", b"flag"];
            let holds = |word: &&[u8]| {
                let mut places = tag.value.windows(word.len());
                places.any(|there| there.eq_ignore_ascii_case(word))
            };
            words.iter().any(holds).then_some(tag.at)
        });
        if let Some(tag) = unreadable {
            // This is an error so that an incomplete record never counts as a game.
            let value = tag.text();
            let message = format!(
                "the record is marked as incomplete; it could not be read {}",
                printable(value.trim())
            );
            declared.report(Severity::Error, Code::Unreadable, tag.at, message);
        }
        declared.start = fen.and_then(|fen| declared.start_position(fen, known));
        declared.result = result.and_then(|tag| {
            let value = tag.text();
            let word = result_text(value.as_bytes())?;
            if !is_standard_result(value.as_bytes()) {
                let finding = wording::result_tag(&value, word, tag.at, options.strict);
                declared.findings.push(finding);
            }
            Some((word, tag.at))
        });
        declared
    }

    fn report(&mut self, severity: Severity, code: Code, at: u64, message: String) {
        let finding = Finding::of_game(severity, code, at, message);
        self.findings.push(finding);
    }

    /// Reports tags that have two values.
    fn repeated_tags(&mut self, game: &Game<'_>) {
        // Hardly any game has a tag twice. A filter of 64 bits shows quickly whether one may.
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
                let finding = wording::two_values(&decode(tag.name), known, &value, tag.at);
                self.findings.push(finding);
            }
        }
    }

    /// Whether Black moves first.
    pub(crate) fn begins_black(&self) -> bool {
        let setup = self.start.as_ref().map(|(setup, _)| setup);
        setup.is_some_and(|setup| setup.turn == Color::Black)
    }

    /// Returns what a tag names, with its offset, or reports that its value is not known.
    fn known<T>(&mut self, what: &str, known: Option<T>, value: &str, at: u64) -> Option<(T, u64)> {
        if known.is_none() {
            let value = printable(value);
            let message = format!("{what} \"{value}\" is not known; it is inferred from the moves");
            self.report(Severity::Warning, Code::Tag, at, message);
        }
        known.map(|known| (known, at))
    }

    /// Returns the notation if it is for the board of the rules. If it is not, the game is read as if no notation had
    /// been named, and a finding is stored.
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
        let finding = Finding::of_game(Severity::Warning, Code::Tag, at, message);
        self.unused_notation = Some(finding);
        None
    }

    /// Reports that a tag names another game. No rule system is guessed from its name.
    fn no_system(&mut self, value: &str, at: u64) {
        self.is_of_no_system = true;
        let names: Vec<&str> = RuleSystem::ALL.iter().map(|rules| rules.name()).collect();
        let near = near_system(value).map(|rules| format!(" (did you mean {}?)", rules.name()));
        let message = format!(
            "\"{}\" is not one of the rule systems {}{}; its moves are not read unless an option chooses one of these, or any",
            printable(value),
            names.join(", "),
            near.unwrap_or_default()
        );
        self.report(Severity::Error, Code::Tag, at, message);
    }

    /// Reads the start position of the tag `FEN`.
    fn start_position(
        &mut self,
        tag: WrittenTag<'_>,
        known: &mut StartCache,
    ) -> Option<(Setup, u64)> {
        let (raw, at) = (tag.value, tag.at);
        if let Some((text, rules)) = &known.of
            && (text.as_slice(), *rules) == (raw, self.rules)
        {
            self.repeats = true;
            return Some((known.setup.clone()?, at));
        }
        let value = tag.text();
        let value = value.trim();
        let by = Program::of_position(value);
        let read = match by {
            Some(program) => program.parse_position(value).map_err(|fault| {
                let title = program.title();
                format!(", as {title} writes it, cannot be read: {fault}")
            }),
            None => {
                position_string::parse(value).map_err(|fault| format!(" cannot be read: {fault}"))
            }
        };
        let report = |fault| {
            let message = format!("the position in the FEN tag{fault}");
            self.report(Severity::Error, Code::StartPosition, at, message);
        };
        let setup = read.map_err(report).ok()?;
        if let Some(program) = by.filter(|by| self.program != Some(*by)) {
            self.findings.push(wording::set_up_by(program, value, at));
        }
        // Star Trek's program and JSON lines write the start position of every game, even if it is the usual one.
        let is_usual = self.rules.is_some_and(|rules| setup == rules.start());
        let setup = (!is_usual).then_some(setup);
        // Neither a text with escapes nor a position in a program's format is cached.
        if by.is_none() && !raw.contains(&b'\\') {
            *known = StartCache {
                of: Some((raw.to_vec(), self.rules)),
                setup: setup.clone(),
                position: None,
            };
            self.repeats = true;
        }
        Some((setup?, at))
    }
}

/// The program that a tag names, if any, with the offset of the tag.
fn wrote(named: &Option<(Cow<'_, str>, u64)>) -> Option<(Program, u64)> {
    let (value, at) = named.as_ref()?;
    Some((Program::from_name(value)?, *at))
}
