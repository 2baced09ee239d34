//! Finds the parts of a heading: players, dates, numbers of games.

use std::ops::Range;

use tridex_words::{Context, is_dash, meaning};

use crate::date::Date;
use crate::lex;
use crate::words;

/// Whether a line names the players, the date, or the number of the game. A player alone without a colon is not enough:
/// `White Won`.
pub(super) fn is_title(line: &[u8]) -> bool {
    let text = lex::decode(line);
    let parts = Parts::of(&text);
    parts.is_numbered || parts.tags.len() > usize::from(parts.is_bare)
}

/// Whether a line names a tag.
pub(super) fn has_key(line: &[u8]) -> bool {
    !keys_of(&lex::decode(line)).is_empty()
}

/// The parts of a heading.
#[derive(Default)]
pub(crate) struct Parts<'t> {
    /// The tags that it states: the name, the value as written.
    pub(crate) tags: Vec<(&'static str, &'t str)>,
    /// The parts that are not tags.
    pub(crate) rest: Vec<&'t str>,
    /// It begins with the number of a game.
    pub(super) is_numbered: bool,
    /// It names players without a colon: `White Anna`.
    is_bare: bool,
    /// It names two players with a dash between them.
    pub(super) is_pair: bool,
}

/// Whether a line names players after keys: `White: Anna`, `White Anna`.
pub(super) fn names_players(line: &[u8]) -> bool {
    let text = lex::decode(line);
    let keys = keys_of(&text).into_iter().chain(bare_keys(&text));
    keys.into_iter().any(|(tag, _)| elo_of(tag).is_some())
}

/// Whether a line begins with the key of a date. A misread date may look like a number and a move: `Date: l2.03.20l9`.
pub(super) fn begins_with_date(line: &[u8]) -> bool {
    let text = lex::decode(line);
    let first = keys_of(&text).into_iter().next();
    first.is_some_and(|(tag, key)| tag == "Date" && key.start == 0)
}

/// The text after the key of a result at the start of a line: `Result: White wins`.
pub(super) fn stated_result(line: &[u8]) -> Option<&[u8]> {
    let text = std::str::from_utf8(line).ok()?;
    let keys = keys_of(text);
    let [("Result", key)] = keys.as_slice() else {
        return None;
    };
    (key.start == 0).then(|| trimmed(text.get(key.end..).unwrap_or_default()).as_bytes())
}

/// The number of a page without a word before it, and whether its form shows that it is one: `- 2 -`, `[2]`, `2/3`,
/// `2 of 3`. A number alone may be that of a move.
pub(super) fn page_number(line: &str) -> Option<(u32, bool)> {
    let is_frame = |c: char| c.is_whitespace() || is_dash(c) || "~*[]".contains(c);
    let inner = line.trim_matches(is_frame);
    let is_framed = line.starts_with(is_frame) && line.ends_with(is_frame);
    if inner.len() < line.len() && !is_framed || words::result_text(line.as_bytes()).is_some() {
        return None;
    }
    let number = |text: &str| {
        let digits = text.trim();
        let is_number = (1..=3).contains(&digits.len())
            && !digits.starts_with('0')
            && digits.bytes().all(|b| b.is_ascii_digit());
        digits.parse::<u32>().ok().filter(|_| is_number)
    };
    if let Some(page) = number(inner) {
        return Some((page, is_framed));
    }
    let between = inner.find(|c: char| !c.is_ascii_digit())?;
    let (page, rest) = inner.split_at(between);
    let of = rest.trim_end_matches(|c: char| c.is_ascii_digit());
    let pages = rest.get(of.len()..)?;
    let is_of = matches!(
        of.trim(),
        "/" | "of" | "von" | "de" | "di" | "van" | "sur" | "z" | "из"
    );
    let (page, pages) = (number(page)?, number(pages)?);
    (is_of && page <= pages).then_some((page, true))
}

/// Whether a line is the number of a page: `Page 2`, `Seite 2/3`.
pub(super) fn is_page(text: &str) -> bool {
    let mut words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let is_page = |word: &str| meaning(Context::Game, &word.to_lowercase()) == Some("Page");
    words.next().is_some_and(is_page)
        && words.clone().count() <= 3
        && words
            .next()
            .is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether a line without words of a language certainly has no move: `Rd 1 Bd 3`, `WHITE BLACK`, `3/4/2019`, `Page 2`.
pub(super) fn has_no_move(line: &[u8]) -> bool {
    let text = lex::decode(line);
    let is_date = |word: &str| {
        let separators = word.chars().filter(|c| ".-/".contains(*c)).count();
        separators == 2
            && word
                .chars()
                .all(|c| c.is_ascii_digit() || ".-/".contains(c))
            && word.len() >= 6
    };
    let is_column = |word: &str| {
        let word = word.trim_matches('|').to_lowercase();
        meaning(Context::Column, &word).is_some() || meaning(Context::Key, &word).is_some()
    };
    let is_between = |c: char| c.is_whitespace() || c == '|';
    let words: Vec<&str> = text
        .split(is_between)
        .filter(|word| !word.is_empty())
        .collect();
    let is_every_word = |is: &dyn Fn(&str) -> bool| words.iter().all(|word| is(word));
    match words.len() {
        0 => false,
        1 => is_every_word(&is_date),
        _ => {
            is_every_word(&is_date)
                || is_every_word(&is_column)
                || is_page(&text)
                || is_diagram(&words)
                || Parts::of(&text).is_pair
                || !numbered_keys(&text).is_empty()
        }
    }
}

/// Whether the words of a line are a row of a diagram of a board, or the letters of its files: `8 r n b q`, `4 | . | P |`.
fn is_diagram(words: &[&str]) -> bool {
    let is_rank = |word: &&str| word.len() <= 2 && word.bytes().all(|b| b.is_ascii_digit());
    let words = match words {
        [first, rest @ ..] if is_rank(first) => rest,
        words => words,
    };
    let words = match words {
        [rest @ .., last] if is_rank(last) => rest,
        words => words,
    };
    let is_square = |word: &&str| {
        let mut letters = word.chars();
        let first = letters.next().is_some_and(|c| !c.is_ascii_digit());
        first && letters.next().is_none()
    };
    words.len() >= 3 && words.iter().all(is_square)
}

/// The round and the board of a line that has nothing else: `Rd 1 Bd 3`, `Bd. 2`.
fn numbered_keys(text: &str) -> Vec<(&'static str, &str)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let pairs = words.chunks(2).map(|pair| {
        let [word, number] = pair else { return None };
        let word = word.trim_end_matches(['.', ':', '#']).to_lowercase();
        let tag = match meaning(Context::Key, &word) {
            Some("Round") => "Round",
            _ if meaning(Context::Game, &word) == Some("Board") => "Board",
            _ => return None,
        };
        let number = number.trim_end_matches([',', ';', '.']);
        let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        is_number.then_some((tag, number))
    });
    pairs.collect::<Option<Vec<_>>>().unwrap_or_default()
}

impl<'t> Parts<'t> {
    /// The tags with the names of the players.
    pub(super) fn players(&self) -> impl Iterator<Item = (&'static str, &'t str)> {
        let tags = self.tags.iter().copied();
        tags.filter(|(tag, _)| elo_of(tag).is_some())
    }

    pub(crate) fn of(text: &'t str) -> Self {
        let mut parts = Self::default();
        if let Some((side, name)) = player_of_label(text) {
            // `Ann Berger, 1850`
            let rating = name
                .rsplit_once(',')
                .map(|(name, rating)| (name, rating.trim()));
            let rating = rating.filter(|(_, rating)| is_rating(rating));
            parts.push_value(side, rating.map_or(name, |(name, _)| name));
            parts
                .tags
                .extend(rating.and_then(|(_, rating)| Some((elo_of(side)?, rating))));
            return parts;
        }
        let mut keys = keys_of(text);
        if keys.is_empty() {
            keys = bare_keys(text);
            parts.is_bare = !keys.is_empty();
        }
        let Some((_, first)) = keys.first() else {
            parts.read_plain(text);
            return parts;
        };
        parts.push_rest(text.get(..first.start).unwrap_or_default());
        for (tag, value) in values(text, &keys).filter(|(_, value)| !value.is_empty()) {
            parts.push_value(tag, value);
        }
        parts
    }

    /// Adds a tag, and the rating or other text in brackets after a name.
    fn push_value(&mut self, tag: &'static str, value: &'t str) {
        let Some(elo) = elo_of(tag) else {
            // `23.10.2015   Start: 19:30`: a wide gap before an unknown key.
            let (value, rest) = match value.split_once("  ") {
                Some((value, rest)) if rest.contains(':') => (value, rest),
                _ => (value, ""),
            };
            self.push_rest(rest);
            return self.tags.push((tag, value));
        };
        let (value, result) = split_result(value);
        // `Anna; 2021-11-05`
        let (value, rest) = value.split_once(';').unwrap_or((value, ""));
        self.push_rest(rest);
        let value = trimmed(value);
        self.tags.extend(result.map(|result| ("Result", result)));
        let (value, rating) = split_rating(value);
        self.tags.extend(rating.map(|rating| (elo, rating)));
        let (name, inside) = player(value);
        self.tags.push((tag, name));
        if rating.is_none() && is_rating(inside) {
            self.tags.push((elo, inside));
        } else {
            self.push_rest(inside);
        }
    }

    fn push_rest(&mut self, part: &'t str) {
        self.rest
            .extend(Some(trimmed(part)).filter(|part| !part.is_empty()));
    }

    /// Reads a line without keys: the number of a game, two players and a result, a date, or only words.
    fn read_plain(&mut self, text: &'t str) {
        let number = game_number(text);
        let (number, body) = text.split_at(number.unwrap_or(0));
        self.is_numbered = !number.is_empty();
        self.push_rest(number);
        let body = trimmed(body);
        let numbered = numbered_keys(body);
        if !numbered.is_empty() {
            self.tags.extend(numbered);
        } else if words::result_word(body.as_bytes()).is_some() {
            self.tags.push(("Result", body));
        } else if let Some((players, rest)) = players_with_sides(body) {
            self.tags.extend(players);
            self.push_rest(rest);
        } else if let Some((_, end)) = Date::at_start(body) {
            let (date, rest) = body.split_at(end);
            self.tags.push(("Date", date));
            self.push_rest(rest);
        } else if self.read_pair(body).is_none() {
            self.push_rest(body);
        }
    }

    /// Reads two players in a part of a line: `Anna - Bert 1:0`, `Anna (1850) - Bert (1900)`.
    fn read_pair(&mut self, part: &'t str) -> Option<()> {
        let mut dashes = [" - ", " – ", " — "].iter();
        let mut words = tridex_words::words(Context::Versus).iter();
        let (white, tail) = dashes.find_map(|dash| part.split_once(dash)).or_else(|| {
            words.find_map(|word| part.split_once(&[" ", word.spelling, " "].concat()))
        })?;
        let (mut black, result) = split_result(tail.trim_end());
        // `Kirk vs Spock, Enterprise, 2267-03-05`
        let mut after = "";
        if !is_name(black.trim())
            && let Some((name, rest)) = black.split_once(',')
        {
            (black, after) = (name, rest);
        }
        let (white, black) = (white.trim(), black.trim());
        if !is_name(white) || !is_name(black) {
            return None;
        }
        self.push_value("White", white);
        self.push_value("Black", black);
        self.tags.extend(result.map(|result| ("Result", result)));
        for part in after.split(',') {
            match Date::parse(part.trim()) {
                Ok(_) => self.tags.push(("Date", part.trim())),
                Err(_) => self.push_rest(part),
            }
        }
        self.is_pair = true;
        Some(())
    }
}

/// The side and the player that a label before a row of moves names, up to its colon: `White (Ann):`.
pub(super) fn player_of_label(label: &str) -> Option<(&'static str, &str)> {
    let label = label.trim_end().strip_suffix(':')?;
    let (side, name) = words::labelled_side(label)?;
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == ',' || c == ' ');
    (is_proper_name(plain) && !plain.ends_with('(')).then_some((side, name))
}

/// Two players with their sides in brackets, and the text before them: `Ann (White), Bob (Black)`.
fn players_with_sides(text: &str) -> Option<([(&'static str, &str); 2], &str)> {
    let (first, rest) = text.split_once('(')?;
    let (one, rest) = rest.split_once(')')?;
    let (second, rest) = rest.split_once('(')?;
    let other = rest.trim_end().strip_suffix(')')?;
    let side = |word: &str| words::side(word.trim().as_bytes());
    let (one, other) = (side(one)?, side(other)?);
    // `players   Ed`, `Signed: Ann`
    let gaps = [":", "  ", "\t", "|"];
    let gap = gaps.iter().filter_map(|gap| {
        let at = first.trim_end().rfind(gap)?;
        Some(at + gap.len())
    });
    let (before, first) = first.split_at(gap.max().unwrap_or(0));
    let second = trimmed(second);
    let second = second.strip_prefix("and ").unwrap_or(second);
    let names = [(one, first.trim()), (other, second)];
    let are_names = names.iter().all(|(_, name)| is_proper_name(name));
    (one != other && are_names).then_some((names, before))
}

/// A tag, and the range of the word that names it, with its colon.
type Key = (&'static str, Range<usize>);

/// Finds the words of a line that name tags and have a colon after them.
fn keys_of(text: &str) -> Vec<Key> {
    let key = |(colon, _): (usize, &str)| {
        let before = text.get(..colon)?.trim_end();
        let word = before.rsplit([' ', '\t', ',', '(']).next()?;
        let tag = meaning(Context::Key, &word.to_lowercase())?;
        let mut start = place_in(text, word);
        if tag == "TimeControl" {
            // `Time control`
            let first = text.get(..start)?.trim_end();
            let is_time = first.len() >= 4 && first.is_char_boundary(first.len() - 4);
            if is_time && first[first.len() - 4..].eq_ignore_ascii_case("time") {
                start = first.len() - 4;
            }
        }
        Some((tag, start..colon + 1))
    };
    let mut keys: Vec<Key> = text.match_indices([':', '=']).filter_map(key).collect();
    if keys.is_empty() {
        // `White - Anna; Black - Bert`
        let side = |part: &str| {
            let (word, _) = part.split_once(" - ")?;
            let tag = meaning(Context::Key, &word.trim().to_lowercase())?;
            let start = place_in(text, word);
            elo_of(tag).map(|_| (tag, start..start + word.len() + 3))
        };
        let sides: Vec<Key> = text.split([';', ',']).filter_map(side).collect();
        if sides.len() == 2 {
            keys = sides;
        }
    }
    keys
}

/// Finds keys for White and Black without a colon, at the start of a line: `White Anna Black Bert`. Words of a name
/// that are in lower case are short. Longer ones belong to a sentence or to the heading of a table.
fn bare_keys(text: &str) -> Vec<Key> {
    let key = |word: &str| {
        let tag = meaning(Context::Key, &word.to_lowercase())?;
        let start = place_in(text, word);
        elo_of(tag).map(|_| (tag, start..start + word.len()))
    };
    let keys: Vec<Key> = text.split_whitespace().filter_map(key).collect();
    let are_names = values(text, &keys).all(|(_, name)| is_proper_name(name));
    let is_first = keys.first().is_some_and(|(_, first)| first.start == 0);
    let is_heading = is_first && keys.len() <= 2 && are_names;
    match is_heading && words::ending(text.as_bytes()).is_none() {
        true => keys,
        false => Vec::new(),
    }
}

/// The values after keys, each up to the next key.
fn values<'t>(text: &'t str, keys: &[Key]) -> impl Iterator<Item = (&'static str, &'t str)> {
    let ends = keys.iter().skip(1).map(|(_, key)| key.start);
    let pairs = keys.iter().zip(ends.chain([text.len()]));
    pairs.map(|((tag, key), end)| (*tag, trimmed(text.get(key.end..end).unwrap_or_default())))
}

/// The tag for the rating of a player.
fn elo_of(player: &str) -> Option<&'static str> {
    match player {
        "White" => Some("WhiteElo"),
        "Black" => Some("BlackElo"),
        _ => None,
    }
}

/// A name, and the text in the brackets after it.
fn player(text: &str) -> (&str, &str) {
    let parts = text.trim_end().strip_suffix(')');
    let parts = parts.and_then(|text| text.split_once('('));
    parts.map_or((text, ""), |(name, inside)| {
        (name.trim_end(), inside.trim())
    })
}

fn is_rating(text: &str) -> bool {
    matches!(text.len(), 3 | 4) && text.bytes().all(|b| b.is_ascii_digit())
}

/// A name, and the rating after it: `Anna Elo 1750`, `Anna, DWZ: 1823`.
fn split_rating(text: &str) -> (&str, Option<&str>) {
    const NAMES: [&str; 6] = ["elo", "dwz", "fide", "rating", "nwz", "uscf"];
    let split = || {
        let (before, rating) = text.rsplit_once(char::is_whitespace)?;
        let before = before.trim_end();
        let name = before.rsplit(char::is_whitespace).next()?;
        let plain = name.trim_matches(|c: char| !c.is_alphanumeric());
        let is_named = NAMES.contains(&plain.to_lowercase().as_str()) && is_rating(rating);
        let before = before.get(..before.len() - name.len())?;
        is_named.then(|| (trimmed(before), Some(rating)))
    };
    split().unwrap_or((text, None))
}

/// The offset of a part of a text.
pub(super) fn place_in(text: &str, part: &str) -> usize {
    part.as_ptr().addr().saturating_sub(text.as_ptr().addr())
}

/// A part of a line without the blanks, dashes and commas at its ends.
fn trimmed(part: &str) -> &str {
    let is_loose = |c: char| c.is_whitespace() || is_dash(c) || matches!(c, ',' | ';' | '|' | '/');
    part.trim_start_matches(|c| is_loose(c) || c == ':')
        .trim_end_matches(is_loose)
}

/// The end of the number of a game at the start of a line: `Game 3`, `Game 12.`, `Partie 2:`.
fn game_number(text: &str) -> Option<usize> {
    let rest = text.trim_start();
    let (word, number) = rest.split_at(rest.find(|c: char| !c.is_alphabetic())?);
    meaning(Context::Game, &word.to_lowercase()).filter(|meaning| *meaning != "Page")?;
    let digits = number.trim_start().trim_start_matches('#');
    let after = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_closed = after.is_empty() || after.starts_with(['.', ':', ',', ' ', ')']);
    let end = text.len() - after.len() + usize::from(after.starts_with(['.', ':', ')']));
    (after.len() < digits.len() && is_closed).then_some(end)
}

/// Splits the longest result from the end of a text.
fn split_result(text: &str) -> (&str, Option<&str>) {
    let mut cuts = text.match_indices(char::is_whitespace);
    let found = cuts.find_map(|(cut, _)| {
        let (name, word) = text.split_at(cut);
        let word = word.trim();
        let has_score = word.starts_with(|c: char| !c.is_alphabetic());
        (has_score && words::result_text(word.as_bytes()).is_some()).then_some((name, word))
    });
    found.map_or((text, None), |(name, word)| (name, Some(word)))
}

/// Whether a text may be the name of a player, perhaps with brackets after it: a few words, no digits.
fn is_name(text: &str) -> bool {
    let name = player(text).0;
    let has_digit = |word: &str| word.contains(|c: char| c.is_ascii_digit());
    // `trekker77`
    let is_user = |word: &str| {
        let letters = word
            .chars()
            .take_while(|c| c.is_alphabetic() || matches!(c, '_' | '-'));
        letters.count() >= 4
    };
    (1..=60).contains(&name.len())
        && name.split_whitespace().count() <= 6
        && name
            .split_whitespace()
            .all(|word| !has_digit(word) || is_user(word))
        && (words::has_prose(name.as_bytes()) || name.split_whitespace().all(is_capitalised))
}

/// Whether a word is written as names are: `Ann`, `Li`. Some have only the letters of files.
fn is_capitalised(word: &str) -> bool {
    let is_in_name = |c: char| c.is_alphabetic() || matches!(c, '-' | '\'' | '’' | '.' | ',');
    word.starts_with(char::is_uppercase)
        && word.contains(char::is_lowercase)
        && word.chars().all(is_in_name)
}

/// Whether a text is a name and no sentence: words in lower case are short, and others are among them, as in `Anna van
/// der Wolk`.
pub(super) fn is_proper_name(text: &str) -> bool {
    let letters = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count();
    let is_small =
        |word: &&str| word.contains(char::is_lowercase) && !word.contains(char::is_uppercase);
    let words: Vec<&str> = player(text).0.split_whitespace().collect();
    let mut named = words
        .iter()
        .filter(|word| letters(word) > 0 && !is_small(word));
    let mut small = words.iter().filter(|word| is_small(word));
    is_name(text)
        && named.next().is_some()
        && small.all(|word| letters(word) <= 3)
        && words::ending(text.as_bytes()).is_none()
}
