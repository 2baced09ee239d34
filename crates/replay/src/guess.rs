//! How a sheet is written that does not say so.

use crate::line::{Reading, Token, Writing, read_line};
use crate::log::Log;
use crate::setting::Setting;
use std::borrow::Cow;
use tridex_geometry::Family;
use tridex_notation::{Locale, MoveText, Notation, Note, Program};
use tridex_rules::{Position, RuleSystem};

/// As many tokens as are looked at to find out how a sheet is written.
const SAMPLE: usize = 400;

/// The tokens of a main line.
pub(crate) struct Tokens<'l>(Vec<(Cow<'l, [u8]>, u64)>);

impl<'l> Tokens<'l> {
    pub(crate) fn of(log: &'l Log<'_>) -> Self {
        let tokens = log.main_line();
        Self(
            tokens
                .map(|(_, event)| (log.token(event), log.place(event)))
                .collect(),
        )
    }

    /// The tokens in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Token<'_>> {
        self.from(0)
    }

    /// Those from one on.
    pub(crate) fn from(&self, first: usize) -> impl Iterator<Item = Token<'_>> {
        let tokens = self.0.get(first..).unwrap_or_default();
        tokens.iter().map(|(text, at)| Token { text, at: *at })
    }

    pub(crate) fn get(&self, index: usize) -> Option<Token<'_>> {
        self.from(index).next()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// How a game is written if nothing in it speaks against that: as its tags say, else in English and in the notation of its
/// rule system, else in the first notation in which its first token is a word. None if that is none.
///
/// Should every token be a word written so, no other guess explains more of them.
pub(crate) fn assumed(log: &Log<'_>, setting: &Setting) -> Option<Writing> {
    if let Some(program) = setting.program {
        return Some(Writing::by(program));
    }
    let locale = setting.locale.unwrap_or(Locale::English);
    let notation = match (setting.notation, setting.rules) {
        (Some(notation), _) => notation,
        (None, Some(rules)) => Notation::of(rules),
        (None, None) => {
            let first = log.main_line().next().map(|(_, event)| log.token(event))?;
            let family = family(setting);
            Notation::ALL.into_iter().find(|notation| {
                family.is_none_or(|family| family == notation.family())
                    && tridex_notation::parse(*notation, &first, Some(locale))
                        .is_ok_and(|text| is_plain(&text))
            })?
        }
    };
    Some(Writing::of(notation, locale))
}

/// The family of boards, if it is known.
fn family(setting: &Setting) -> Option<Family> {
    let of_start = || setting.start.as_ref().map(|(setup, _)| setup.family());
    setting.rules.map(RuleSystem::family).or_else(of_start)
}

/// How many of the tokens are words as written: a count, and the same without those that only a lenient reader takes.
fn words(tokens: &Tokens<'_>, writing: Writing) -> (usize, usize) {
    let (mut read, mut plain) = (0, 0);
    for token in tokens.iter().take(SAMPLE) {
        if let Ok(text) = writing.parse(token.text) {
            read += 1;
            plain += usize::from(is_plain(&text));
        }
    }
    (plain, read)
}

fn is_plain(text: &MoveText) -> bool {
    !text.notes.has(Note::Ocr)
        && !text.notes.has(Note::ForeignLetter)
        && !text.notes.has(Note::OtherNotation)
        && !text.notes.has(Note::MissingLevel)
        && !text.notes.has(Note::Case)
}

/// How most of the tokens are written, as far as that is not known: the likeliest first, then others that explain as many
/// tokens. A language other than English needs more than one token that speaks for it: a lone one is read as the slip it
/// is.
pub(crate) fn writings(tokens: &Tokens<'_>, setting: &Setting) -> Vec<Writing> {
    let (notation, locale, family) = (setting.notation, setting.locale, family(setting));
    let mut counted = Vec::new();
    for candidate in Notation::ALL {
        if notation.is_some_and(|known| known != candidate)
            || notation.is_none() && family.is_some_and(|known| known != candidate.family())
        {
            continue;
        }
        for letters in Locale::ALL {
            let languages = candidate == Notation::Meder;
            if locale.is_some_and(|known| known != letters)
                || !languages && locale.is_none() && letters != Locale::English
            {
                continue;
            }
            let writing = Writing::of(candidate, letters);
            counted.push((words(tokens, writing), writing));
        }
    }
    // Other programs write for the stair board.
    if notation.is_none() && locale.is_none() && family != Some(Family::Cube) {
        for program in Program::ALL {
            // That one is known by its tags: its moves are Meder's notation.
            if !program.writes_meder() {
                let writing = Writing::by(program);
                counted.push((words(tokens, writing), writing));
            }
        }
    }
    // A stable sort: English before other languages, and in the order of notations; programs last.
    counted.sort_by_key(|((plain, read), _)| std::cmp::Reverse((*plain, *read)));
    let Some(((most, read), first)) = counted.first().copied() else {
        return vec![Writing::of(
            notation.unwrap_or(Notation::Meder),
            locale.unwrap_or(Locale::English),
        )];
    };
    let english = counted.iter().find(|(_, writing)| {
        writing.notation == first.notation
            && writing.locale == Locale::English
            && writing.program.is_none()
    });
    if let Some(((plain, _), writing)) = english
        && locale.is_none()
        && first.program.is_none()
        && most <= plain + 1
    {
        return vec![*writing];
    }
    counted
        .into_iter()
        .filter(|(count, writing)| {
            *count == (most, read)
                && (writing.notation, writing.program) == (first.notation, first.program)
        })
        .map(|(_, writing)| writing)
        .collect()
}

/// Of several languages that explain the tokens equally well the one in which the game can be followed furthest from
/// its start.
pub(crate) fn furthest(
    writings: &[Writing],
    tokens: &Tokens<'_>,
    mut start: impl FnMut(Writing) -> Option<Position>,
) -> Writing {
    let english = Writing::of(Notation::Meder, Locale::English);
    let first = writings.first().copied().unwrap_or(english);
    if writings.len() < 2 {
        return first;
    }
    let mut reach = |writing: Writing| {
        let reading = Reading {
            writing,
            strict: false,
        };
        let line = read_line(&start(writing)?, tokens.iter(), reading);
        // Tokens that had to be read in yet another way speak against a language.
        let own = line.plies.iter().filter(|ply| ply.writing == writing);
        Some((line.plies.len(), own.count()))
    };
    let mut best = (reach(first), first);
    for writing in writings.iter().skip(1) {
        let found = reach(*writing);
        if found > best.0 {
            best = (found, *writing);
        }
    }
    best.1
}

/// The tokens that are words in this writing and none in English letters: what decided for a language.
pub(crate) fn deciding<'t>(tokens: &'t Tokens<'_>, writing: Writing) -> Vec<Token<'t>> {
    let reads = |token: &Token<'_>, locale| {
        let writing = Writing { locale, ..writing };
        writing.parse(token.text).is_ok_and(|t| is_plain(&t))
    };
    tokens
        .iter()
        .filter(|token| reads(token, writing.locale) && !reads(token, Locale::English))
        .take(5)
        .collect()
}

/// The systems of a board family, the one whose text uses the notation first.
pub(crate) fn systems(notation: Notation) -> Vec<RuleSystem> {
    let mut systems: Vec<RuleSystem> = RuleSystem::ALL
        .iter()
        .copied()
        .filter(|rules| rules.family() == notation.family())
        .collect();
    let own = systems
        .iter()
        .copied()
        .find(|rules| Notation::of(*rules) == notation);
    systems.sort_by_key(|rules| Some(*rules) != own);
    systems
}
