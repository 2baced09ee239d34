//! Infers the style of a record that does not state it.

use crate::declared::Declared;
use crate::finding::wording::{of_text, shown};
use crate::finding::{Code, Finding, Severity};
use crate::reading::PlayerStyles;
use crate::style::Style;
use crate::style::token::{Token, token_of};
use std::cmp::Reverse;
use tridex_archive::Game;
use tridex_geometry::Family;
use tridex_notation::{Locale, MoveText, Notation, Program, TokenNote};
use tridex_rules::RuleSystem;
use tridex_text::enumeration;

/// The number of tokens that are read to infer the style of a record.
const SAMPLE: usize = 400;

/// The style that is assumed until a token contradicts it: the one that the tags name, else English letters and the
/// notation of the rule system, else the first notation in which the first token parses. `None` if there is no such
/// notation.
///
/// If every token parses in this style, no other guess can explain more of them.
pub(crate) fn assumed(game: &Game<'_>, declared: &Declared) -> Option<Style> {
    if let Some(program) = declared.program {
        return Some(Style::by(program));
    }
    let locale = declared.locale.unwrap_or(Locale::English);
    if let Some(notation) = declared.notation.or(declared.rules.map(Notation::of)) {
        return Some(Style::of(notation, locale));
    }
    let (_, first) = game.main_events().next()?;
    let first = token_of(game, first);
    let is_word = |style: &Style| style.parse(&first).is_ok_and(|text| is_plain(&text));
    let assumed = candidates(None, family(declared), Some(locale)).find(is_word)?;
    // `1c2-1c3` is a pawn's move in Millennium's notation, and in small letters any move in that of chess3.
    let is_ambiguous = assumed.notation == Notation::Millennium
        && Style::of(Notation::Chess3, locale).parse(&first).is_ok();
    (!is_ambiguous).then_some(assumed)
}

/// The board family, if it is known.
fn family(declared: &Declared) -> Option<Family> {
    let of_start = || declared.start.as_ref().map(|(setup, _)| setup.family());
    declared.rules.map(RuleSystem::family).or_else(of_start)
}

/// All styles that a game may have, given its notation or board family and its language, as far as they are known.
fn candidates(
    notation: Option<Notation>,
    family: Option<Family>,
    locale: Option<Locale>,
) -> impl Iterator<Item = Style> {
    let is_notation = move |n: &Notation| match notation {
        Some(known) => known == *n,
        None => family.is_none_or(|family| family == n.family()),
    };
    let notations = Notation::ALL.into_iter().filter(is_notation);
    notations.flat_map(move |notation| {
        let is_locale = move |l: &Locale| match locale {
            Some(known) => known == *l,
            None => notation.has_letters() || *l == Locale::English,
        };
        let locales = Locale::ALL.into_iter().filter(is_locale);
        locales.map(move |locale| Style::of(notation, locale))
    })
}

/// How many tokens parse in a style: exactly as written, and including those that only a lenient reader accepts.
type Counted = ((usize, usize), Style);

fn count<'t>(tokens: impl Iterator<Item = &'t Token<'t>>, style: Style) -> Counted {
    let (mut plain, mut read) = (0, 0);
    for text in tokens.filter_map(|token| token.word(style)) {
        read += 1;
        plain += usize::from(is_plain(&text));
    }
    ((plain, read), style)
}

/// The style in which most tokens parse, and the first of several equal ones.
fn best(counted: impl Iterator<Item = Counted>) -> Option<Counted> {
    counted.reduce(|best, next| if next.0 > best.0 { next } else { best })
}

fn is_plain(text: &MoveText) -> bool {
    text.notes.without(TokenNote::Spelling).is_empty()
}

/// The styles in which the most tokens parse: one notation, and every language in which equally many tokens parse. The
/// language in which the most are plain comes first. A language other than English must explain at least two tokens more than English does, since a single one is more
/// likely to be a slip.
fn likeliest<'t>(
    tokens: impl Iterator<Item = &'t Token<'t>> + Clone,
    styles: impl Iterator<Item = Style>,
) -> Vec<Counted> {
    let mut counted: Vec<Counted> = styles.map(|style| count(tokens.clone(), style)).collect();
    // In the order of notations, English before other languages, and programs last.
    let Some((most, first)) = best(counted.iter().copied()) else {
        return counted;
    };
    // If every move has two squares and none has a piece letter, they are hardly all pawn moves in Millennium's
    // notation. They are moves in that of chess3, in small letters.
    let has_letter =
        |token: &Token<'_>| matches!(token.text.first(), Some(b'A'..=b'N' | b'P'..=b'Z'));
    let mut alone = None;
    if first.notation == Notation::Millennium && most.1 > 0 && !tokens.clone().any(has_letter) {
        let is_read =
            |((_, read), style): &&Counted| style.notation == Notation::Chess3 && *read == most.1;
        alone = counted.iter().find(is_read);
    }
    let is_like_it =
        |style: &Style| (style.notation, style.program) == (first.notation, first.program);
    let is_english = |((plain, _), style): &&Counted| {
        is_like_it(style) && style.locale == Locale::English && plain + 1 >= most.0
    };
    if let Some(alone) = alone.or_else(|| counted.iter().find(is_english)) {
        return vec![*alone];
    }
    // German has its own letter for the upper board, but many write `b5B` all the same. So a language in which every
    // token parses, some of them leniently, is not worse than one in which all are plain.
    let is_like = |(_, read): (usize, usize)| read == most.1;
    counted.retain(|(words, style)| is_like(*words) && is_like_it(style));
    counted.sort_by_key(|((plain, _), _)| Reverse(*plain));
    counted
}

/// The likeliest styles of the two players. Two languages are considered only if together they explain at least two
/// tokens more than one language does.
pub(crate) fn hands(tokens: &[Token<'_>], declared: &Declared) -> Vec<PlayerStyles> {
    let sample = tokens.iter().take(SAMPLE);
    let (notation, locale, family) = (declared.notation, declared.locale, family(declared));
    // Another language must explain at least two tokens more than English does.
    if let (Some(notation), None) = (notation, locale) {
        let ((plain, _), english) = count(sample.clone(), Style::of(notation, Locale::English));
        if plain + 1 >= tokens.len().min(SAMPLE) {
            return vec![[english; 2]];
        }
    }
    // All programs write for the stair board. One of them is recognized only by its tags, since it writes Meder's
    // notation.
    let may_be_programs = notation.is_none() && locale.is_none() && family != Some(Family::Cube);
    let programs = Program::ALL.into_iter();
    let programs = programs.filter(|program| may_be_programs && !program.writes_meder());
    let styles = candidates(notation, family, locale).chain(programs.map(Style::by));
    let one = likeliest(sample.clone(), styles);
    let alike = || one.iter().map(|(_, style)| [*style; 2]).collect();
    let Some((_, first)) = one.first().copied() else {
        return alike();
    };
    if locale.is_some() || !first.notation.has_letters() {
        return alike();
    }
    let side = |begins: bool| {
        let skipped = usize::from(begins == declared.begins_black());
        let languages = Locale::ALL.map(|locale| Style { locale, ..first });
        let tokens = sample.clone().skip(skipped).step_by(2);
        likeliest(tokens, languages.into_iter())
    };
    let (white, black) = (side(true), side(false));
    let explained = |counted: &[Counted]| counted.first().map_or(0, |((plain, _), _)| *plain);
    let ((whole, _), _) = count(sample, first);
    if explained(&white) + explained(&black) < whole + 2 {
        return alike();
    }
    let pairs = white.iter().flat_map(|&(_, white)| {
        let black = black.iter().map(|(_, black)| *black);
        black.map(move |black| [white, black])
    });
    pairs.collect()
}

/// The notation of the other board, if more tokens of a game parse in it than in any notation for the board of the
/// rules.
pub(crate) fn of_other_board(tokens: &[Token<'_>], rules: RuleSystem) -> Option<Notation> {
    let most = |is_own: bool| {
        let styles = candidates(None, None, None);
        let styles = styles.filter(|w| (w.notation.family() == rules.family()) == is_own);
        best(styles.map(|style| count(tokens.iter().take(SAMPLE), style)))
    };
    let ((own, _), (other, style)) = (most(true)?, most(false)?);
    (other > own).then_some(style.notation)
}

/// The rule systems of a notation's board family. The system whose own notation it is comes first.
pub(crate) fn systems(notation: Notation) -> Vec<RuleSystem> {
    let all = RuleSystem::ALL.iter().copied();
    let all = all.filter(|rules| rules.family() == notation.family());
    let own = all.clone().find(|rules| Notation::of(*rules) == notation);
    let others = all.filter(|rules| Some(*rules) != own);
    own.into_iter().chain(others).collect()
}

/// The finding that names the inferred language of a record, or of each player.
pub(crate) fn language(
    at: u64,
    tokens: &[Token<'_>],
    hands: PlayerStyles,
    black_first: bool,
) -> Finding {
    // The name of the letters, and the first tokens that parse with them and not with English letters.
    let letters = |style: Style, skip: usize, step: usize| {
        let reads = |token: &&Token<'_>, locale| {
            let style = Style { locale, ..style };
            style.parse(&token.text).is_ok_and(|text| is_plain(&text))
        };
        let tokens = tokens.iter().skip(skip).step_by(step);
        let deciding = tokens
            .filter(|token| reads(token, style.locale) && !reads(token, Locale::English))
            .take(5);
        let deciding: Vec<String> = deciding
            .map(|token| format!("`{}`", shown(&token.text)))
            .collect();
        let because = match deciding.len() {
            0 => String::new(),
            _ => format!(" because of {}", deciding.join(", ")),
        };
        format!("{} letters{because}", style.locale.name())
    };
    let message = if hands[0] != hands[1] {
        format!(
            "White's moves are read in {}, Black's in {}",
            letters(hands[0], usize::from(black_first), 2),
            letters(hands[1], usize::from(!black_first), 2),
        )
    } else {
        format!("the sheet is read in {}", letters(hands[0], 0, 1))
    };
    Finding::of_game(Severity::Info, Code::NotationInferred, at, message)
}

/// The finding that a game is written for another board than that of the rules it is to be played under.
pub(crate) fn other_board(game: &Game<'_>, notation: Notation, rules: RuleSystem) -> Finding {
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
    let mut first = game.main_events().map(|(_, event)| Token::of(game, event));
    let first = first.next();
    let place = first.as_ref().map_or((&[][..], game.at), Token::place);
    of_text(Severity::Error, Code::OtherRules, place, message)
}
