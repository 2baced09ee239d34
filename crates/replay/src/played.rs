//! A game as it was replayed.

use crate::course::Course;
use crate::diagnostic::{Code, Diagnostic, Severity, Status};
use crate::findings::shown;
use crate::review;
use crate::token::token_of;
use crate::trace::Trace;
use crate::under::Under;
use crate::writing::Writing;
use std::borrow::Cow;
use tridex_archive::date::{Date, DateFault};
use tridex_archive::game::WrittenTag;
use tridex_archive::places::Places;
use tridex_archive::write::second_names;
use tridex_archive::{Game, GameResult, Item, decode, is_standard_result};
use tridex_notation::{Locale, Notation, Program};
use tridex_rules::{Move, Outcome, Position, RuleSystem};

/// The tag that keeps the words of a tag `Result` which is not written as records have it. The game's result is written in
/// its place.
pub(crate) const AS_WRITTEN: &str = "ResultAsWritten";

/// The name under which an unusable tag of a start position, notation or rule system is written: `FENAsWritten`.
pub(crate) fn unused_name(tag: &WrittenTag<'_>, has_start: bool) -> Option<&'static str> {
    let is = |name: &str| tag.name.eq_ignore_ascii_case(name.as_bytes());
    let (is_used, name): (fn(&str) -> bool, _) = if is("Variant") {
        (
            |value| RuleSystem::from_name(value).is_some(),
            "VariantAsWritten",
        )
    } else if is("Notation") {
        (
            |value| Notation::from_name(value).is_some(),
            "NotationAsWritten",
        )
    } else if is("Locale") {
        (
            |value| Locale::from_code(value).is_some(),
            "LocaleAsWritten",
        )
    } else if is("FEN") && !has_start {
        (|_| false, "FENAsWritten")
    } else {
        return None;
    };
    let text = tag.text();
    let value = text.trim();
    let is_empty = matches!(value, "" | "?" | "-");
    let is_lost = !is_empty && !is_used(value) && Program::from_name(value).is_none();
    is_lost.then_some(name)
}

/// The tag with the text of a date whose standard form does not have all of it.
pub(crate) const DATE_AS_WRITTEN: &str = "DateAsWritten";

/// A date in the form of PGN if it is written in another one, and whether its text is to be stored too: it has words, or
/// only its year is certain (`3/4/2019`).
pub(crate) fn standard_date(tag: &WrittenTag<'_>) -> Option<(String, bool)> {
    if !tag.name.eq_ignore_ascii_case(b"Date") {
        return None;
    }
    let is_standard = |value: &[u8]| {
        let parts = value.iter().enumerate();
        value.len() == 10
            && parts.into_iter().all(|(at, b)| match at {
                4 | 7 => *b == b'.',
                _ => b.is_ascii_digit() || *b == b'?',
            })
    };
    if is_standard(tag.value) {
        return None;
    }
    let text = tag.text();
    let is_digits = text
        .chars()
        .all(|c| c.is_ascii_digit() || ". -/?".contains(c));
    let (standard, has_all) = match Date::parse(&text) {
        Ok(date) => (date.to_string(), is_digits),
        Err(DateFault::Unclear) => {
            let mut groups = text.split(|c: char| !c.is_ascii_digit());
            let year = groups.find(|group| group.len() == 4)?;
            (format!("{year}.??.??"), false)
        }
        Err(_) => return None,
    };
    (standard != text).then_some((standard, !has_all))
}

/// A tag as it is written again, if it is.
pub(crate) fn again(tag: WrittenTag<'_>) -> Option<WrittenTag<'_>> {
    let is_result = tag.name.eq_ignore_ascii_case(b"Result");
    if !is_result || is_standard_result(tag.value) {
        return Some(tag);
    }
    let name = AS_WRITTEN.as_bytes();
    let says_something = !tag.text().trim().is_empty();
    says_something.then_some(WrittenTag { name, ..tag })
}

/// A game that was replayed, valid until the next one is read. [`Played::report`] is the same as a value of its own.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    number: u64,
    game: &'a Game<'a>,
    course: &'a Course,
}

/// Declares what a game has: the name, the type, and where it is.
macro_rules! parts {
    ($game:ident: $($(#[$about:meta])* $name:ident: $type:ty = $part:expr;)*) => {
        impl<'a> Played<'a> {
            $($(#[$about])*
            #[must_use]
            pub fn $name(&self) -> $type {
                let $game = self;
                $part
            })*
        }
    };
}

parts! { game:
    /// What its record states.
    game: &'a Game<'a> = game.game;

    /// Number of the game in its source, from 1.
    number: u64 = game.number;

    /// Offset of the game in the decompressed source.
    at: u64 = game.game.at;

    /// Whether it can be replayed.
    ///
    /// ```
    /// use tridex_archive::{Limits, game, pgn};
    /// use tridex_replay::{Options, diagnostic::Status, replay_with};
    /// use tridex_rules::RuleSystem;
    ///
    /// let text = b"[Variant \"meder\"]\n\n1. b4N {good} b5B *\n";
    /// let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
    /// replay_with(&games[0], &Options::default(), |game| {
    ///     assert_eq!((game.status(), game.rules(), game.plies()), (Status::Valid, RuleSystem::Meder, 2));
    ///     assert!(game.is_whole() && game.is_annotated() && !game.is_set_up() && game.states_rules());
    ///     assert!(game.has_no_findings() && game.first_error().is_none() && game.unreadable().is_none());
    ///     assert_eq!((game.moves().len(), game.at(), game.under().len()), (2, 0, 0));
    ///     let mut items = 0;
    ///     game.each_item(|_item, _read| items += 1);
    ///     assert_eq!(items, 3);
    ///     let _ = (game.start(), game.writing(), game.bytes(false), game.report());
    /// });
    /// ```
    status: Status = game.course.status;

    /// The rule system it was replayed under.
    rules: RuleSystem = game.course.start.rules();

    /// Whether the record or an option names the rule system; else it is the likeliest under which the game is legal.
    states_rules: bool = game.course.states_rules;

    /// How it is written; where each player has letters of his own, how White's moves are.
    writing: Writing = game.course.reading.hands[0];

    /// The position it starts from.
    start: &'a Position = &game.course.start;

    /// Whether the record sets up a position.
    is_set_up: bool = game.course.is_set_up;

    /// The moves of the main line, as far as they could be read.
    moves: &'a [Move] = &game.course.moves;

    /// The position after them.
    last: &'a Position = &game.course.last;

    /// The result the record states.
    result: GameResult = game.course.result;

    /// How the rules have ended the game, if they have.
    outcome: Option<Outcome> = game.course.outcome;

    /// How far the game is legal under each rule system, if all were tried; else nothing.
    under: &'a [Under] = &game.course.under;
}

impl<'a> Played<'a> {
    pub(crate) const fn new(number: u64, game: &'a Game<'a>, course: &'a Course) -> Self {
        Self {
            number,
            game,
            course,
        }
    }

    /// The game as it is in its source, without blanks and a byte order mark around it, and its offset in the decompressed
    /// source; nothing of a game in memory. With `after_last` it begins where the game before it ended, so that
    /// comments before its tags belong to it; else [at its own place](Played::at). A sheet's rows mean nothing without its
    /// heading.
    #[must_use]
    pub fn bytes(&self, after_last: bool) -> (u64, &'a [u8]) {
        self.game.bytes(after_last)
    }

    /// Whether the start position that the record names, if it names one, could be used.
    pub(crate) fn has_start(&self) -> bool {
        let misplaced = |found: &Diagnostic| found.code == Code::StartPosition;
        !self.course.findings.iter().any(misplaced)
    }

    /// Whether every move of the main line could be read. The game may be invalid all the same: its result may
    /// contradict the board, or its record may be damaged.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let course = self.course;
        let misplaced = |found: &Diagnostic| found.code == Code::StartPosition;
        course.moves.len() == course.tokens && !course.findings.iter().any(misplaced)
    }

    /// What of the record is lost to who only reads the moves: where they break off, or what is damaged. `None` if nothing
    /// is; a result that contradicts the board loses nothing.
    #[must_use]
    pub fn unreadable(&self) -> Option<String> {
        let course = self.course;
        if !self.is_whole() {
            let read = course.moves.len();
            let token = self
                .game
                .main_events()
                .nth(read)
                .map(|(_, event)| format!(": {}", shown(&token_of(self.game, event))));
            return Some(format!("after ply {read}{}", token.unwrap_or_default()));
        }
        let mut damages = self.game.damage.iter();
        let lost = damages.find(|(damage, _, _)| damage.is_lossy())?;
        Some(format!("in part: {}", lost.0))
    }

    /// How many plies were played, in the main line and in variations.
    #[must_use]
    pub fn plies(&self) -> usize {
        let side = self.course.side_moves.iter().flatten().count();
        self.course.moves.len() + side
    }

    /// Whether there is anything but moves of the main line.
    #[must_use]
    pub fn is_annotated(&self) -> bool {
        self.game.events().len() > self.course.tokens
    }

    /// Hands each tag to a function, name and value, as it is written again: the words of a result that is not written as
    /// records have it as `ResultAsWritten`, a name that is there already with a number ([`second_names`]).
    pub fn each_written_tag(&self, mut take: impl FnMut(&str, &str)) {
        let has_start = self.has_start();
        let tags = self
            .game
            .written_tags()
            .map(|tag| match unused_name(&tag, has_start) {
                Some(name) => WrittenTag {
                    name: name.as_bytes(),
                    ..tag
                },
                None => tag,
            });
        let tags = tags.filter_map(again);
        let mut renamed = second_names(tags.clone().map(|tag| tag.name))
            .into_iter()
            .peekable();
        for (n, tag) in tags.enumerate() {
            let date = standard_date(&tag);
            if let Some((_, true)) = date {
                take(DATE_AS_WRITTEN, &tag.text());
            }
            let text = date.map_or_else(|| tag.text(), |(date, _)| Cow::Owned(date));
            match renamed.next_if(|(place, _)| *place == n) {
                Some((_, name)) => take(&name, &text),
                None => take(&decode(tag.name), &text),
            }
        }
    }

    /// Names and values of the tags.
    #[must_use]
    pub fn tags(&self) -> Vec<(String, String)> {
        let tags = self.game.tags();
        tags.map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect()
    }

    /// Passes every item of the movetext to a function, in order, moves with the move they were read as.
    pub fn each_item(&self, take: impl FnMut(Item<&str>, Option<Move>)) {
        self.items(&[], take);
    }

    /// The same with the [`Trace`] of each guess as a comment after its move.
    pub fn each_traced_item(&self, take: impl FnMut(Item<&str>, Option<Move>)) {
        self.items(&self.course.guesses, take);
    }

    /// [`Played::each_item`] with traces after the events of some indices, in order.
    fn items(&self, guesses: &[(usize, Trace)], mut take: impl FnMut(Item<&str>, Option<Move>)) {
        let mut guesses = guesses.iter().peekable();
        let (mut moves, mut side_moves) = (self.course.moves.iter(), self.course.side_moves.iter());
        let mut depth = 0_usize;
        for (index, event) in self.game.events().iter().enumerate() {
            let mut played = None;
            match event.kind {
                Item::Move(_) if depth == 0 => played = moves.next().copied(),
                Item::Move(_) => played = side_moves.next().copied().flatten(),
                Item::VariationStart => depth += 1,
                Item::VariationEnd => depth = depth.saturating_sub(1),
                _ => {}
            }
            take(self.game.item(event).as_deref(), played);
            if let Some((_, trace)) = guesses.next_if(|(at, _)| *at == index) {
                take(Item::Comment(&trace.to_string()), None);
            }
        }
    }

    /// What was found, in order of place, in words. Lines and columns are not filled in.
    ///
    /// ```
    /// use tridex_archive::{Limits, game, pgn};
    /// use tridex_replay::{Options, replay_with};
    ///
    /// let text = b"[Variant \"meder\"]\n\n1. b4N b9B *\n";
    /// let games = game::collect(|reader| pgn::read_games(text, 0, &Limits::default(), reader));
    /// let first = replay_with(&games[0], &Options::default(), |game| game.diagnostics().remove(0));
    /// assert_eq!((first.ply, first.token.as_str()), (2, "b9B"));
    /// ```
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        if self.has_no_findings() {
            return Vec::new();
        }
        review::of_game(self.game, self.course)
    }

    /// Whether there are no findings.
    #[must_use]
    pub fn has_no_findings(&self) -> bool {
        let course = self.course;
        course.status == Status::Valid && course.findings.is_empty() && course.lines.is_empty()
    }

    /// The finding that makes the game invalid, the first in order of place.
    #[must_use]
    pub fn first_error(&self) -> Option<Diagnostic> {
        if self.status() != Status::Invalid {
            return None;
        }
        let mut found = self.diagnostics().into_iter();
        found.find(|found| found.severity == Severity::Error)
    }

    /// All findings, as a value of its own.
    #[must_use]
    pub fn report(&self) -> Report {
        Report {
            status: self.status(),
            rules: self.rules(),
            writing: self.writing(),
            start: self.start().clone(),
            is_set_up: self.is_set_up(),
            moves: self.moves().to_vec(),
            last: self.last().clone(),
            is_whole: self.is_whole(),
            result: self.result(),
            outcome: self.outcome(),
            under: self.under().to_vec(),
            diagnostics: self.diagnostics(),
        }
    }
}

/// What became of a game.
#[derive(Clone, Debug)]
pub struct Report {
    /// Whether it can be replayed.
    pub status: Status,
    /// The rule system it was replayed under.
    pub rules: RuleSystem,
    /// How it is written; where each player has letters of his own, how White's moves are.
    pub writing: Writing,
    /// The position it starts from.
    pub start: Position,
    /// Whether the record sets up a position.
    pub is_set_up: bool,
    /// The moves of the main line, as far as they could be read.
    pub moves: Vec<Move>,
    /// The position after them.
    pub last: Position,
    /// Whether every move of the main line could be read.
    pub is_whole: bool,
    /// The result the record states.
    pub result: GameResult,
    /// How the rules have ended the game, if they have.
    pub outcome: Option<Outcome>,
    /// How far it is legal under each rule system, if all were tried; else nothing.
    pub under: Vec<Under>,
    /// What was found, in order of place.
    pub diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// Fills in lines and columns.
    pub fn place(&mut self, places: &mut Places<'_>) {
        for found in &mut self.diagnostics {
            found.place(places);
        }
    }
}
