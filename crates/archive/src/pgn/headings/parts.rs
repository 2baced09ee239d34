//! What a heading says: players, dates, numbers of games.

use crate::date::Date;
use crate::lex;
use crate::words;

/// Words that name a tag where a colon follows them, and that tag.
const KEYS: &[(&str, &str)] = &[
    ("white", "White"),
    ("weiß", "White"),
    ("weiss", "White"),
    ("blancs", "White"),
    ("wit", "White"),
    ("bílý", "White"),
    ("bily", "White"),
    ("blancas", "White"),
    ("bianco", "White"),
    ("black", "Black"),
    ("schwarz", "Black"),
    ("noirs", "Black"),
    ("zwart", "Black"),
    ("černý", "Black"),
    ("cerny", "Black"),
    ("negras", "Black"),
    ("nero", "Black"),
    ("event", "Event"),
    ("tournament", "Event"),
    ("turnier", "Event"),
    ("tournoi", "Event"),
    ("toernooi", "Event"),
    ("turnaj", "Event"),
    ("torneo", "Event"),
    ("site", "Site"),
    ("place", "Site"),
    ("ort", "Site"),
    ("lieu", "Site"),
    ("plaats", "Site"),
    ("místo", "Site"),
    ("lugar", "Site"),
    ("luogo", "Site"),
    ("date", "Date"),
    ("datum", "Date"),
    ("fecha", "Date"),
    ("data", "Date"),
    ("round", "Round"),
    ("runde", "Round"),
    ("ronde", "Round"),
    ("kolo", "Round"),
    ("ronda", "Round"),
    ("result", "Result"),
    ("ergebnis", "Result"),
    ("résultat", "Result"),
    ("uitslag", "Result"),
    ("výsledek", "Result"),
    ("resultado", "Result"),
    ("risultato", "Result"),
    ("variant", "Variant"),
    ("rules", "Variant"),
    ("notation", "Notation"),
    ("language", "Locale"),
];

/// Words that a number of the game follows.
const GAMES: [&str; 9] = [
    "game", "partie", "partij", "partida", "partita", "spiel", "board", "brett", "table",
];

/// Whether a line says who played, when, or which game follows.
pub(super) fn is_title(line: &[u8]) -> bool {
    let mut parts = Parts::default();
    parts.read(line);
    parts.is_numbered || !parts.tags.is_empty()
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
        let keys = keys_of(line);
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
        let value = line.get(from..to).unwrap_or_default();
        let date = (tag == "Date")
            .then(|| Date::parse(&lex::decode(value)).ok())
            .flatten();
        let value = date.map_or_else(|| value.to_vec(), |date| date.to_string().into_bytes());
        self.tags.push((tag, value, from));
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
            self.tags
                .push(("Date", date.to_string().into_bytes(), skipped));
            self.push_rest(line, skipped + end, line.len());
            return;
        }
        let (from, to) = within(line, from, line.len());
        let body = text.get(from..to).unwrap_or_default();
        if let Some(pair) = Pair::of(body) {
            self.tags
                .push(("White", pair.white.as_bytes().to_vec(), from));
            self.tags.push((
                "Black",
                pair.black.as_bytes().to_vec(),
                from + pair.black_at,
            ));
            if let Some((result, at)) = pair.result {
                self.tags
                    .push(("Result", result.as_bytes().to_vec(), from + at));
            }
            if let Some((start, end)) = pair.rest {
                self.push_rest(line, from + start, from + end);
            }
            return;
        }
        self.push_rest(line, from, to);
    }

    /// The same for a line that is not UTF-8, of which only what takes no places is read.
    fn read_decoded(&mut self, line: &[u8]) {
        let text = lex::decode(line);
        self.is_numbered = game_number(&text).is_some();
        match Date::at_start(text.trim_start()) {
            Some((date, end)) if text.get(..end).is_some_and(str::is_ascii) => {
                let skipped = line.len() - line.trim_ascii_start().len();
                self.tags
                    .push(("Date", date.to_string().into_bytes(), skipped));
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
            let (_, tag) = KEYS.iter().find(|(key, _)| *key == word)?;
            Some(Key {
                tag,
                start,
                end: colon + 1,
            })
        })
        .collect()
}

/// A range without the blanks, dashes and commas at its ends.
fn within(line: &[u8], mut from: usize, mut to: usize) -> (usize, usize) {
    let loose = |text: &[u8]| -> usize {
        match text {
            [b' ' | b'\t' | b',' | b';' | b'-' | b':' | b'|' | b'/', ..] => 1,
            // A dash of Windows-1252.
            [0x96 | 0x97, next, ..] if lex::is_blank(*next) => 1,
            [0xe2, 0x80, 0x90..=0x95, ..] => 3,
            _ => 0,
        }
    };
    while from < to {
        match loose(line.get(from..to).unwrap_or_default()) {
            0 => break,
            n => from += n,
        }
    }
    loop {
        let text = line.get(from..to).unwrap_or_default();
        let n = match text {
            [.., 0xe2, 0x80, 0x90..=0x95] => 3,
            [.., before, 0x96 | 0x97] if lex::is_blank(*before) => 1,
            [.., b' ' | b'\t' | b',' | b';' | b'-' | b'|' | b'/' | b'\r'] => 1,
            _ => break,
        };
        to -= n;
    }
    (from, to)
}

/// Where the number of a game ends with which a line begins: `Game 3`, `Game 12.`, `Partie 2:`.
fn game_number(text: &str) -> Option<usize> {
    let start = text.len() - text.trim_start().len();
    let rest = text.get(start..)?;
    let word = rest.find(|c: char| !c.is_alphabetic())?;
    if !GAMES.contains(&rest.get(..word)?.to_lowercase().as_str()) {
        return None;
    }
    let number = rest.get(word..)?;
    let digits = number.trim_start().trim_start_matches('#');
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    let end = text.len() - digits.len() + count;
    let behind = text.get(end..)?;
    let closed = behind.is_empty() || behind.starts_with(['.', ':', ',', ' ', ')']);
    (count > 0 && closed).then(|| end + usize::from(behind.starts_with(['.', ':', ')'])))
}

/// Two players in one line: `Anna - Bert 1:0`.
struct Pair<'t> {
    white: &'t str,
    black: &'t str,
    black_at: usize,
    result: Option<(&'t str, usize)>,
    /// What stands behind them.
    rest: Option<(usize, usize)>,
}

impl<'t> Pair<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let separators = [
            " - ", " – ", " — ", " vs. ", " vs ", " v ", " gegen ", " contre ", " tegen ",
        ];
        let (at, len) = separators
            .iter()
            .find_map(|sep| Some((text.find(sep)?, sep.len())))?;
        let white = text.get(..at)?.trim();
        let black_at = at + len;
        let tail = text.get(black_at..)?;
        let mut end = tail.len();
        let mut rest = None;
        if let Some(open) = tail
            .find(['(', ','])
            .filter(|open| tail.as_bytes().get(*open) == Some(&b'('))
        {
            rest = Some((black_at + open, text.len()));
            end = open;
        }
        let body = tail.get(..end)?.trim_end();
        // The longest end of it that is a result.
        let cuts = body
            .char_indices()
            .filter(|(_, c)| c.is_whitespace())
            .map(|(at, _)| at);
        let result = cuts
            .map(|cut| (body.get(cut..).unwrap_or_default().trim(), cut))
            .find(|(word, _)| {
                word.starts_with(|c: char| !c.is_alphabetic())
                    && words::result_text(word.as_bytes()).is_some()
            });
        let (black, result) = match result {
            Some((word, cut)) => {
                let at = body.len() - word.len();
                (body.get(..cut)?.trim(), Some((word, black_at + at)))
            }
            None => (body, None),
        };
        let is_name = |name: &str| {
            (1..=60).contains(&name.len())
                && name.split_whitespace().count() <= 6
                && words::has_prose(name.as_bytes())
        };
        (is_name(white) && is_name(black)).then_some(Self {
            white,
            black,
            black_at,
            result,
            rest,
        })
    }
}
