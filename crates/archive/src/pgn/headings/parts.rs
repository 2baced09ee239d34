//! What a heading says: players, dates, numbers of games.

use tridex_words::{Context, meaning};

use crate::date::Date;
use crate::lex;
use crate::words;

/// Whether a line says who played, when, or which game follows. A player alone without a colon does not: `White Won`.
pub(super) fn is_title(line: &[u8]) -> bool {
    let mut parts = Parts::default();
    parts.read(line);
    let is_player = || parts.tags.len() == 1 && player_of(line).is_some();
    parts.is_numbered || !parts.tags.is_empty() && !is_player()
}

/// Which player a line names without a colon, if it names no other: `White Anna`.
pub(super) fn player_of(line: &[u8]) -> Option<&'static str> {
    match *bare_keys(line).as_slice() {
        [Key { tag, .. }] => Some(tag),
        _ => None,
    }
}

/// What a heading says.
#[derive(Default)]
pub(super) struct Parts {
    /// Tags with their values, and where those stand in the line.
    pub(super) tags: Vec<(&'static str, Vec<u8>, usize)>,
    /// What is no tag, as ranges of the line.
    pub(super) rest: Vec<(usize, usize)>,
    /// It begins with the number of a game.
    is_numbered: bool,
}

impl Parts {
    pub(super) fn read(&mut self, line: &[u8]) {
        let mut keys = keys_of(line);
        if keys.is_empty() {
            keys = bare_keys(line);
        }
        if keys.is_empty() {
            self.read_plain(line);
            return;
        }
        let first = keys.first().map_or(0, |key| key.start);
        self.push_rest(line, 0, first);
        for (i, key) in keys.iter().enumerate() {
            let end = keys.get(i + 1).map_or(line.len(), |next| next.start);
            let (from, to) = within(line, key.end, end);
            if from < to {
                self.push_value(line, key.tag, from, to);
            }
        }
    }

    fn push_value(&mut self, line: &[u8], tag: &'static str, from: usize, to: usize) {
        let mut value = line.get(from..to).unwrap_or_default();
        if let Some(elo) = elo_of(tag)
            && let Some((name, inside)) = before_brackets(value)
        {
            if is_rating(inside) {
                self.push_part(line, tag, name);
                self.push_part(line, elo, inside);
                return;
            }
            let (start, end) = place_in(line, inside);
            self.push_rest(line, start, end);
            value = name;
        }
        let date = (tag == "Date").then(|| Date::parse(&lex::decode(value)).ok());
        match date.flatten() {
            Some(date) => self.push_date(date, from),
            None => self.tags.push((tag, value.to_vec(), from)),
        }
    }

    fn push_date(&mut self, date: Date, at: usize) {
        self.tags.push(("Date", date.to_string().into_bytes(), at));
    }

    /// A tag with a slice of the line as its value.
    fn push_part(&mut self, line: &[u8], tag: &'static str, value: &[u8]) {
        let (at, _) = place_in(line, value);
        self.tags.push((tag, value.to_vec(), at));
    }

    fn push_rest(&mut self, line: &[u8], from: usize, to: usize) {
        let (from, to) = within(line, from, to);
        if from < to {
            self.rest.push((from, to));
        }
    }

    /// A line without keys: the number of a game, two players and a result, a date, or just words.
    fn read_plain(&mut self, line: &[u8]) {
        let Ok(text) = std::str::from_utf8(line) else {
            // Places in what is decoded are none of the line.
            self.read_decoded(line);
            return;
        };
        let mut from = 0;
        if let Some(end) = game_number(text) {
            self.is_numbered = true;
            self.push_rest(line, 0, end);
            from = end;
        }
        let skipped = text.len() - text.trim_start().len();
        if let Some((date, end)) = Date::at_start(text.trim_start()) {
            self.push_date(date, skipped);
            self.push_rest(line, skipped + end, line.len());
            return;
        }
        let (from, to) = within(line, from, line.len());
        let body = text.get(from..to).unwrap_or_default();
        if self.read_pair(line, body).is_none() {
            self.push_rest(line, from, to);
        }
    }

    /// Two players in a part of a line: `Anna - Bert 1:0`, `Anna (1850) - Bert (1900)`.
    fn read_pair(&mut self, line: &[u8], text: &str) -> Option<()> {
        let mut dashes = [" - ", " – ", " — "].iter();
        let mut words = tridex_words::words(Context::Versus).iter();
        let (white, tail) = dashes.find_map(|dash| text.split_once(dash)).or_else(|| {
            words.find_map(|word| text.split_once(&[" ", word.spelling, " "].concat()))
        })?;
        let (tail, result) = split_result(tail.trim_end());
        let (white, white_elo) = split_brackets(white.trim());
        let (black, inside) = split_brackets(tail.trim());
        let is_rating = |inside: &&str| is_rating(inside.as_bytes());
        if white_elo.is_some_and(|inside| !is_rating(&inside)) || !is_name(white) || !is_name(black)
        {
            return None;
        }
        let black_elo = inside.filter(is_rating);
        for (tag, value) in [
            ("White", Some(white)),
            ("WhiteElo", white_elo),
            ("Black", Some(black)),
            ("BlackElo", black_elo),
            ("Result", result),
        ] {
            if let Some(value) = value {
                self.push_part(line, tag, value.as_bytes());
            }
        }
        if let Some(rest) = inside.filter(|_| black_elo.is_none()) {
            let (start, end) = place_in(line, rest.as_bytes());
            self.push_rest(line, start, end);
        }
        Some(())
    }

    /// The same for a line that is not UTF-8, of which only what takes no places is read.
    fn read_decoded(&mut self, line: &[u8]) {
        let text = lex::decode(line);
        self.is_numbered = game_number(&text).is_some();
        match Date::at_start(text.trim_start()) {
            Some((date, end)) if text.get(..end).is_some_and(str::is_ascii) => {
                let skipped = line.len() - line.trim_ascii_start().len();
                self.push_date(date, skipped);
                self.push_rest(line, skipped + end, line.len());
            }
            _ => self.push_rest(line, 0, line.len()),
        }
    }
}

/// A word with a colon that names a tag.
struct Key {
    tag: &'static str,
    /// Where the word begins.
    start: usize,
    /// Behind the colon.
    end: usize,
}

/// Whether a line names a tag.
pub(super) fn has_key(line: &[u8]) -> bool {
    !keys_of(line).is_empty()
}

fn keys_of(line: &[u8]) -> Vec<Key> {
    memchr::memchr_iter(b':', line)
        .filter_map(|colon| {
            let before = line.get(..colon)?;
            let before = before.trim_ascii_end();
            let start = before
                .iter()
                .rposition(|b| lex::is_blank(*b) || *b == b',' || *b == b'(')
                .map_or(0, |n| n + 1);
            let word = lex::decode(before.get(start..)?).to_lowercase();
            let tag = meaning(Context::Key, &word)?;
            Some(Key {
                tag,
                start,
                end: colon + 1,
            })
        })
        .collect()
}

/// Names of White and Black without a colon, with which a line begins: `White Anna  Black Bert`. A name has no small words
/// but short ones: those of a sentence or of the heading of a table are not names.
fn bare_keys(line: &[u8]) -> Vec<Key> {
    let key = |word: words::Word<'_>| {
        let text = lex::decode(word.text).to_lowercase();
        let tag = meaning(Context::Key, &text)?;
        elo_of(tag).map(|_| Key {
            tag,
            start: word.at,
            end: word.at + word.text.len(),
        })
    };
    let keys: Vec<Key> = words::words_of(line).filter_map(key).collect();
    let are_names = keys.iter().enumerate().all(|(i, key)| {
        let end = keys.get(i + 1).map_or(line.len(), |next| next.start);
        let (from, to) = within(line, key.end, end);
        let name = line.get(from..to).unwrap_or_default();
        let name = before_brackets(name).map_or(name, |(name, _)| name);
        std::str::from_utf8(name).is_ok_and(|name| {
            let is_small = |word: &str| word.chars().all(char::is_lowercase);
            // `van der Wolk`
            let mut words = name.split_whitespace();
            is_name(name) && words.all(|word| !is_small(word) || word.chars().count() <= 3)
        })
    });
    let is_first = keys.first().is_some_and(|key| key.start == 0);
    if is_first && keys.len() <= 2 && are_names && words::ending(line).is_none() {
        keys
    } else {
        Vec::new()
    }
}

/// The tag for the rating of a player.
fn elo_of(player: &str) -> Option<&'static str> {
    match player {
        "White" => Some("WhiteElo"),
        "Black" => Some("BlackElo"),
        _ => None,
    }
}

fn is_rating(text: &[u8]) -> bool {
    (3..=4).contains(&text.len()) && text.iter().all(u8::is_ascii_digit)
}

/// What is before the round brackets at the end of a text, and inside them.
fn before_brackets(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let open = memchr::memchr(b'(', text)?;
    let inside = text.get(open + 1..)?.trim_ascii_end().strip_suffix(b")")?;
    Some((text.get(..open)?.trim_ascii_end(), inside.trim_ascii()))
}

/// Where a part of a line is in it, a slice of the line itself.
fn place_in(line: &[u8], part: &[u8]) -> (usize, usize) {
    let from = (part.as_ptr().addr()).saturating_sub(line.as_ptr().addr());
    (from, from + part.len())
}

/// A range without the blanks, dashes and commas at its ends.
fn within(line: &[u8], from: usize, to: usize) -> (usize, usize) {
    let Some(mut text) = line.get(from..to) else {
        return (from, to);
    };
    let is_blank = |b: &u8| lex::is_blank(*b);
    loop {
        text = match text {
            [first, rest @ ..] if b" \t,;-:|/".contains(first) => rest,
            [0xe2, 0x80, 0x90..=0x95, rest @ ..] => rest,
            // A dash of Windows-1252.
            [0x96 | 0x97, rest @ ..] if rest.first().is_some_and(is_blank) => rest,
            [rest @ .., last] if b" \t,;-|/\r".contains(last) => rest,
            [rest @ .., 0xe2, 0x80, 0x90..=0x95] => rest,
            [rest @ .., 0x96 | 0x97] if rest.last().is_some_and(is_blank) => rest,
            _ => return place_in(line, text),
        };
    }
}

/// Where the number of a game ends with which a line begins: `Game 3`, `Game 12.`, `Partie 2:`.
fn game_number(text: &str) -> Option<usize> {
    let start = text.len() - text.trim_start().len();
    let rest = text.get(start..)?;
    let word = rest.find(|c: char| !c.is_alphabetic())?;
    meaning(Context::Game, &rest.get(..word)?.to_lowercase())?;
    let number = rest.get(word..)?;
    let digits = number.trim_start().trim_start_matches('#');
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    let end = text.len() - digits.len() + count;
    let behind = text.get(end..)?;
    let closed = behind.is_empty() || behind.starts_with(['.', ':', ',', ' ', ')']);
    (count > 0 && closed).then(|| end + usize::from(behind.starts_with(['.', ':', ')'])))
}

/// The longest end of a text that is a result, and what is before it.
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

/// The same of a text that may have no brackets.
fn split_brackets(text: &str) -> (&str, Option<&str>) {
    let parts = before_brackets(text.as_bytes()).and_then(|(name, inside)| {
        Some((text.get(..name.len())?, std::str::from_utf8(inside).ok()?))
    });
    parts.map_or((text, None), |(name, inside)| (name, Some(inside)))
}

/// Whether a text may be the name of a player: a few words, no figures.
fn is_name(name: &str) -> bool {
    (1..=60).contains(&name.len())
        && name.split_whitespace().count() <= 6
        && !name.contains(|c: char| c.is_ascii_digit())
        && words::has_prose(name.as_bytes())
}
