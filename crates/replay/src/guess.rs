//! How a sheet is written that does not say so.

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::findings::shown;
use crate::line::{Hands, Reading, Token, Writing, read_line};
use crate::setting::Setting;
use crate::token::token_of;
use std::borrow::Cow;
use tridex_archive::{Game, is_unrecorded};
use tridex_geometry::Family;
use tridex_notation::{Locale, MoveText, Notation, Program, TokenNote};
use tridex_rules::{Position, RuleSystem};
use tridex_words::enumeration;

/// How many tokens are read to find out how a sheet is written.
const SAMPLE: usize = 400;

/// The tokens of a main line.
pub(crate) struct Tokens<'l>(Vec<(Cow<'l, [u8]>, u64)>);

impl<'l> Tokens<'l> {
    pub(crate) fn of(game: &'l Game<'_>) -> Self {
        // A move that was not recorded ends what can be read.
        let tokens = game
            .main_events()
            .map(|(_, event)| (token_of(game, event), game.place(event)))
            .take_while(|(token, _)| !is_unrecorded(token));
        Self(tokens.collect())
    }

    /// The tokens in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Token<'_>> + Clone {
        self.from(0)
    }

    /// Those from one on.
    pub(crate) fn from(&self, first: usize) -> impl Iterator<Item = Token<'_>> + Clone {
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
pub(crate) fn assumed(game: &Game<'_>, setting: &Setting) -> Option<Writing> {
    if let Some(program) = setting.program {
        return Some(Writing::by(program));
    }
    let locale = setting.locale.unwrap_or(Locale::English);
    let notation = match (setting.notation, setting.rules) {
        (Some(notation), _) => notation,
        (None, Some(rules)) => Notation::of(rules),
        (None, None) => {
            let first = game
                .main_events()
                .next()
                .map(|(_, event)| token_of(game, event))?;
            let family = family(setting);
            let notation = Notation::ALL.into_iter().find(|notation| {
                family.is_none_or(|family| family == notation.family())
                    && tridex_notation::parse(*notation, &first, Some(locale))
                        .is_ok_and(|text| is_plain(&text))
            })?;
            // `1c2-1c3` is a pawn's move in Millennium's notation, and in small letters any move in that of chess3.
            if notation == Notation::Millennium
                && tridex_notation::parse(Notation::Chess3, &first, Some(locale)).is_ok()
            {
                return None;
            }
            notation
        }
    };
    Some(Writing::of(notation, locale))
}

/// The family of boards, if it is known.
fn family(setting: &Setting) -> Option<Family> {
    let of_start = || setting.start.as_ref().map(|(setup, _)| setup.family());
    setting.rules.map(RuleSystem::family).or_else(of_start)
}

/// How many of the tokens are words as written, without those that only a lenient reader takes, and with them.
fn words<'t>(tokens: impl Iterator<Item = Token<'t>>, writing: Writing) -> (usize, usize) {
    let (mut read, mut plain) = (0, 0);
    for token in tokens {
        if let Ok(text) = writing.parse(token.text) {
            read += 1;
            plain += usize::from(is_plain(&text));
        }
    }
    (plain, read)
}

fn is_plain(text: &MoveText) -> bool {
    !text.notes.has(TokenNote::Ocr)
        && !text.notes.has(TokenNote::ForeignLetter)
        && !text.notes.has(TokenNote::OtherNotation)
        && !text.notes.has(TokenNote::MissingLevel)
        && !text.notes.has(TokenNote::Case)
        && !text.notes.has(TokenNote::PawnLetter)
}

/// Whether a notation has letters for pieces, so that it is written in languages.
const fn has_languages(notation: Notation) -> bool {
    matches!(notation, Notation::Meder | Notation::Millennium)
}

/// How each player writes, as far as that is not known: the likeliest first. Two languages are thought of where they
/// explain two tokens more than one does.
pub(crate) fn hands(tokens: &Tokens<'_>, setting: &Setting) -> Vec<Hands> {
    // Another language needs two tokens that speak for it.
    if let (Some(notation), None) = (setting.notation, setting.locale) {
        let english = Writing::of(notation, Locale::English);
        let (plain, _) = words(tokens.iter().take(SAMPLE), english);
        if plain + 1 >= tokens.len().min(SAMPLE) {
            return vec![Hands::both(english)];
        }
    }
    let one = writings(tokens, setting);
    let alike = || one.iter().copied().map(Hands::both).collect();
    let Some(first) = one.first().copied() else {
        return Vec::new();
    };
    if setting.locale.is_some() || !has_languages(first.notation) {
        return alike();
    }
    let side = |begins: bool| {
        let skipped = usize::from(begins == setting.begins_black());
        tokens.iter().take(SAMPLE).skip(skipped).step_by(2)
    };
    let (whole, _) = words(tokens.iter().take(SAMPLE), first);
    let (white, black) = (languages(side(true), first), languages(side(false), first));
    let (Some((most, _)), Some((most_black, _))) = (white.first(), black.first()) else {
        return alike();
    };
    if most + most_black < whole + 2 {
        return alike();
    }
    let pairs = white.iter().flat_map(|(_, white)| {
        black.iter().map(|(_, black)| Hands {
            white: *white,
            black: *black,
        })
    });
    pairs.collect()
}

/// The languages that explain the most of some tokens, with how many those are. Others than English need two tokens that
/// speak for them.
fn languages<'t>(
    tokens: impl Iterator<Item = Token<'t>> + Clone,
    sheet: Writing,
) -> Vec<(usize, Writing)> {
    let counted: Vec<(usize, Writing)> = Locale::ALL
        .into_iter()
        .map(|locale| {
            let writing = Writing { locale, ..sheet };
            (words(tokens.clone(), writing).0, writing)
        })
        .collect();
    let most = counted.iter().map(|(count, _)| *count).max().unwrap_or(0);
    if let Some(english) = counted.first()
        && most <= english.0 + 1
    {
        return vec![*english];
    }
    counted
        .into_iter()
        .filter(|(count, _)| *count == most)
        .collect()
}

/// The notation of the other board that a game is written in, though it is to be played under these rules: more of its
/// tokens are words there than in any notation of the rules' own board.
pub(crate) fn of_other_board(tokens: &Tokens<'_>, rules: RuleSystem) -> Option<Notation> {
    let most = |is_own: bool| {
        let notations = Notation::ALL.into_iter();
        let there = notations.filter(|n| (n.family() == rules.family()) == is_own);
        let writings = there.flat_map(|notation| {
            let locales = Locale::ALL.into_iter();
            let spoken = move |l: &Locale| has_languages(notation) || *l == Locale::English;
            locales
                .filter(spoken)
                .map(move |l| Writing::of(notation, l))
        });
        let counted = writings.map(|writing| {
            let words = words(tokens.iter().take(SAMPLE), writing);
            (words, writing.notation)
        });
        // Of equals the first.
        counted.reduce(|best, next| if next.0 > best.0 { next } else { best })
    };
    let ((own, _), (other, notation)) = (most(true)?, most(false)?);
    (other > own).then_some(notation)
}

/// How most of the tokens are written, as far as that is not known: the likeliest first, then others that explain as many
/// tokens. A language other than English needs more than one token that speaks for it: a lone one is read as the slip it
/// is.
fn writings(tokens: &Tokens<'_>, setting: &Setting) -> Vec<Writing> {
    let (notation, locale, family) = (setting.notation, setting.locale, family(setting));
    let mut counted = Vec::new();
    for candidate in Notation::ALL {
        if notation.is_some_and(|known| known != candidate)
            || notation.is_none() && family.is_some_and(|known| known != candidate.family())
        {
            continue;
        }
        for letters in Locale::ALL {
            let languages = has_languages(candidate);
            if locale.is_some_and(|known| known != letters)
                || !languages && locale.is_none() && letters != Locale::English
            {
                continue;
            }
            let writing = Writing::of(candidate, letters);
            counted.push((words(tokens.iter().take(SAMPLE), writing), writing));
        }
    }
    // Other programs write for the stair board.
    if notation.is_none() && locale.is_none() && family != Some(Family::Cube) {
        for program in Program::ALL {
            // That one is known by its tags: its moves are Meder's notation.
            if !program.writes_meder() {
                let writing = Writing::by(program);
                counted.push((words(tokens.iter().take(SAMPLE), writing), writing));
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
    // Where every move has two squares and none has a piece's letter, hardly all of them are pawns' moves in Millennium's
    // notation: they are those of chess3, in small letters.
    let squares = counted.iter().find(|((_, words), writing)| {
        writing.notation == Notation::Chess3 && *words == read && read > 0
    });
    if let Some((_, writing)) = squares
        && first.notation == Notation::Millennium
        && tokens
            .iter()
            .take(SAMPLE)
            .all(|token| !matches!(token.text.first(), Some(b'A'..=b'N' | b'P'..=b'Z')))
    {
        return vec![*writing];
    }
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
    all: &[Hands],
    tokens: &Tokens<'_>,
    mut start: impl FnMut(Hands) -> Option<Position>,
) -> Hands {
    let english = Hands::both(Writing::of(Notation::Meder, Locale::English));
    let first = all.first().copied().unwrap_or(english);
    if all.len() < 2 {
        return first;
    }
    let mut reach = |hands: Hands| {
        let reading = Reading {
            hands,
            strict: false,
            bound: false,
        };
        let line = read_line(&start(hands)?, tokens.iter(), reading);
        // Tokens that had to be read in yet another way speak against a language.
        let own = line.plies.iter().filter(|ply| !ply.assumes(hands));
        Some((line.plies.len(), own.count()))
    };
    let mut best = (reach(first), first);
    for hands in all.iter().skip(1) {
        let found = reach(*hands);
        if found > best.0 {
            best = (found, *hands);
        }
    }
    best.1
}

/// The tokens that are words in this writing and none in English letters: what decided for a language.
fn deciding<'t>(tokens: impl Iterator<Item = Token<'t>>, writing: Writing) -> Vec<Token<'t>> {
    let reads = |token: &Token<'_>, locale| {
        let writing = Writing { locale, ..writing };
        writing.parse(token.text).is_ok_and(|t| is_plain(&t))
    };
    tokens
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

/// In which language a sheet is written that does not say so, or in which each player writes.
pub(crate) fn language(
    at: u64,
    tokens: &Tokens<'_>,
    hands: Hands,
    black_first: bool,
) -> Diagnostic {
    let because = |writing: Writing, skip: usize, step: usize| {
        let tokens = tokens.iter().skip(skip).step_by(step);
        let deciding: Vec<String> = deciding(tokens, writing)
            .into_iter()
            .map(|token| format!("`{}`", shown(token.text)))
            .collect();
        match deciding.len() {
            0 => String::new(),
            _ => format!(" because of {}", deciding.join(", ")),
        }
    };
    let message = if hands.are_two() {
        let (white, black) = (usize::from(black_first), usize::from(!black_first));
        format!(
            "White's moves are read in {} letters{}, Black's in {} letters{}",
            hands.white.locale.name(),
            because(hands.white, white, 2),
            hands.black.locale.name(),
            because(hands.black, black, 2),
        )
    } else {
        format!(
            "the sheet is read in {} letters{}",
            hands.white.locale.name(),
            because(hands.white, 0, 1),
        )
    };
    Diagnostic::of_game(Severity::Info, Code::NotationInferred, at, message)
}

/// A game is written in a notation of the other board than that of the rules it is to be played under.
pub(crate) fn other_board(game: &Game<'_>, notation: Notation, rules: RuleSystem) -> Diagnostic {
    let written = match notation {
        Notation::Meder => "Meder's",
        Notation::Manual => "the manual's",
        Notation::Millennium => "Millennium's",
        Notation::Chess3 => "chess3's",
    };
    let board = match rules.family() {
        Family::Stair => "stair",
        Family::Cube => "cube",
    };
    let playable = systems(notation);
    let names: Vec<&str> = playable.iter().map(|rules| rules.name()).collect();
    let message = format!(
        "the game is written in {written} notation, which does not describe the {board} board of {}; choose the rule \
         system {}, or none",
        rules.name(),
        enumeration(&names, "or")
    );
    let first = game.main_events().next().map(|(_, event)| event);
    let token = first.map(|event| token_of(game, event)).unwrap_or_default();
    let at = first.map_or(game.at, |event| game.place(event));
    Diagnostic {
        token: shown(&token),
        len: token.len(),
        ..Diagnostic::of_game(Severity::Error, Code::OtherRules, at, message)
    }
}
