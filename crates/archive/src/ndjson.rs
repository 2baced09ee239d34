//! The reader of NDJSON: a JSON object for each game, each on its own line.
//!
//! The fields are those that conversion writes: `source`, `game`, `rules`, `notation`, `start`, `tags`, `moves`,
//! `result`, and also `locale` and `movetext`. All may be missing, and others are ignored. `rules`, `notation`,
//! `locale` and `start` become the tags `Variant`, `Notation`, `Locale` and `FEN` unless `tags` has them. `movetext`,
//! with all items between the moves, is used instead of `moves` if there is one; different moves in the two are damage.
//! Every line that is not blank counts as a game, so games are numbered like lines. A line that begins with `%` is
//! skipped, as in PGN: files of rejects have such lines.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess};
use serde_json::value::RawValue;

use crate::cut::Cut;
use crate::interner::{Interner, text_before};
use crate::lex::{self, escape};
use crate::pgn::{Fragment, read_fragment};
use crate::visit::{BATCH_GAMES, Damage, Flow, GameResult, Limits, TagLimiter, Visitor};
use crate::words;

/// Reads all games of a text, or of whole lines of one. `base` is the offset of its first byte in its source.
///
/// ```
/// use tridex_archive::{Limits, game, ndjson};
///
/// let line = br#"{"tags": {"White": "Anna"}, "moves": ["b4N", "b5B"], "result": "1-0"}"#;
/// let games = game::collect(|v| ndjson::read_games(line, 0, &Limits::default(), v));
/// assert_eq!(games[0].tag("White").as_deref(), Some("Anna"));
/// assert_eq!(games[0].main_line().count(), 2);
/// ```
pub fn read_games<V: Visitor + ?Sized>(bytes: &[u8], base: u64, limits: &Limits, visitor: &mut V) {
    read_part(bytes, base, limits, None, &mut Interner::default(), visitor);
}

/// Reads a part of a text whose last game may have been `cut`. Returns the number of games.
pub(crate) fn read_part<V: Visitor + ?Sized>(
    bytes: &[u8],
    base: u64,
    limits: &Limits,
    cut: Option<Damage>,
    words: &mut Interner,
    v: &mut V,
) -> u32 {
    let mut reader = Reader {
        base,
        limits,
        words,
        v,
        state: Fragment::default(),
        result: None,
    };
    let (mut pos, mut games) = (0, 0);
    while let Some(line) = next_line(bytes, pos, limits) {
        pos = line.end;
        games += 1;
        reader.line(&line, cut.filter(|_| pos >= bytes.len()));
    }
    games
}

/// Whether a text contains a game.
pub(crate) fn holds_game(bytes: &[u8], limits: &Limits) -> bool {
    next_line(bytes, 0, limits).is_some()
}

/// A line that is not blank.
struct Line<'b> {
    /// `None` if it exceeds the limit.
    text: Option<&'b [u8]>,
    start: usize,
    /// After its line feed.
    end: usize,
}

fn next_line<'b>(bytes: &'b [u8], from: usize, limits: &Limits) -> Option<Line<'b>> {
    let mut start = from;
    loop {
        let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let len = memchr::memchr(b'\n', rest);
        let end = start + len.map_or(rest.len(), |n| n + 1);
        let line = bytes.get(start..end)?;
        // Concatenated files may have a byte order mark between them.
        let first = lex::skip_blanks(line, 0);
        let text = line.get(first..)?.trim_ascii_end();
        if line.len() > limits.max_game {
            let text = None;
            return Some(Line { text, start, end });
        } else if !text.is_empty() && !text.starts_with(b"%") {
            let (text, start) = (Some(text), start + first);
            return Some(Line { text, start, end });
        }
        start = end;
    }
}

/// Finds the first line end after `target` bytes, or else the last one. `eof`: no text follows.
pub(crate) fn cut(bytes: &[u8], limits: &Limits, target: usize, eof: bool) -> Option<Cut> {
    let mut end = 0;
    for (line, at) in (1..).zip(memchr::memchr_iter(b'\n', bytes)) {
        end = at + 1;
        if end >= target || line >= BATCH_GAMES {
            return Some(Cut::at(end));
        }
    }
    if eof {
        return Some(Cut::at(bytes.len()));
    }
    // Enough of a line to see that it is too long.
    let dropping = end == 0 && bytes.len() > limits.max_game;
    let end = if dropping { bytes.len() } else { end };
    (end > 0).then_some(Cut::new(end, None, dropping))
}

/// Replaces the list of moves in a line.
const NO_MOVES: &str = "\"\"";

/// A line without its list of moves, which is most of it, and the range of the list. `None` if there is another list or
/// an escape inside: only a list of strings can be found by its end.
fn without_moves(line: &str) -> Option<(String, Range<usize>)> {
    const BEFORE: &str = "\"moves\":";
    let start = memchr::memmem::find(line.as_bytes(), b"\"moves\":[\"")? + BEFORE.len();
    let list = line.get(start..)?;
    let length = memchr::memmem::find(list.as_bytes(), b"\"]")? + 2;
    let inner = list.get(1..length)?;
    let is_simple = memchr::memchr2(b'\\', b'[', inner.as_bytes()).is_none();
    let rest = [line.get(..start)?, NO_MOVES, list.get(length..)?].concat();
    is_simple.then_some((rest, start..start + length))
}

/// The offset of `part` in `text`, if it is a slice of it.
fn offset_in(text: &str, part: &str) -> Option<usize> {
    let offset = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    (offset + part.len() <= text.len()).then_some(offset)
}

/// Reads one line after the other.
struct Reader<'r, V: ?Sized> {
    base: u64,
    limits: &'r Limits,
    words: &'r mut Interner,
    v: &'r mut V,
    /// The state of the moves of the line, and the result among them.
    state: Fragment,
    result: Option<(GameResult, u64)>,
}

impl<V: Visitor + ?Sized> Reader<'_, V> {
    fn line(&mut self, line: &Line<'_>, cut: Option<Damage>) {
        let at = self.base + line.start as u64;
        let end = self.base + line.end as u64;
        self.v.begin_game(at);
        let Some(bytes) = line.text else {
            self.v.begin_moves(at);
            self.v.damage(Damage::TooLong, at, 1);
            return self.v.end_game(end);
        };
        let text = lex::decode(bytes);
        let (rest, gap) = without_moves(&text).unwrap_or_default();
        let record = match serde_json::from_str::<Record<'_>>(&rest) {
            Ok(record) if offset_in(&rest, record.moves()) == Some(gap.start) => {
                Ok((record, text.get(gap.clone()).unwrap_or_default()))
            }
            // A list is not an object, although serde would read its values as the fields in order.
            _ if !text.starts_with('{') => Err(1),
            _ => match serde_json::from_str::<Record<'_>>(&text) {
                Ok(record) if record.moves().starts_with(['[', '"']) => {
                    let moves = record.moves();
                    Ok((record, moves))
                }
                Ok(record) => Err(1 + offset_in(&text, record.moves()).unwrap_or_default()),
                Err(error) => Err(error.column()),
            },
        };
        match record {
            Ok((record, moves)) => {
                // Places inside the line are known only if it needed no decoding.
                let place = |part: &str| {
                    let Cow::Borrowed(text) = &text else {
                        return at;
                    };
                    let moved = |n| match n < gap.start {
                        true => n,
                        false => n + gap.len() - NO_MOVES.len(),
                    };
                    let found = offset_in(text, part);
                    let found = found.or_else(|| offset_in(&rest, part).map(moved));
                    at + found.unwrap_or(0) as u64
                };
                self.record(&record, moves, at, &place);
            }
            Err(column) => {
                self.v.begin_moves(at);
                let column = column.min(bytes.len()).saturating_sub(1);
                let (at, len) = (at + column as u64, bytes.len() - column);
                self.v.damage(cut.unwrap_or(Damage::BadJson), at, len);
            }
        }
        self.v.end_game(end);
    }

    fn record(&mut self, record: &Record<'_>, moves: &str, at: u64, place: &dyn Fn(&str) -> u64) {
        let tags = &record.tags.0;
        let mut limiter = TagLimiter::new(self.limits);
        for (name, value) in tags {
            let tag = (name.as_bytes(), &*escape(value.as_bytes()));
            limiter.report(self.v, tag, place(name), name.len());
            if name == "Result" && words::result_text(value.as_bytes()).is_none() {
                self.v.damage(Damage::BadResult, place(value), value.len());
            }
        }
        let has = |name: &str| tags.iter().any(|(tag, _)| tag == name);
        for (name, value) in [
            ("Variant", &record.rules),
            ("Notation", &record.notation),
            ("Locale", &record.locale),
            ("FEN", &record.start),
        ] {
            let Some(Text(value)) = value else { continue };
            if value.is_empty() || has(name) {
                continue;
            }
            let value_at = place(value);
            let escaped = escape(value.as_bytes());
            self.v.tag(name.as_bytes(), &escaped, value_at);
            if name == "FEN" && !has("SetUp") {
                self.v.tag(b"SetUp", b"1", value_at);
            }
        }
        self.state = Fragment {
            has_moves: false,
            skipped: self.v.begin_moves(at) == Flow::Skip,
        };
        self.result = None;
        if let Some(Text(text)) = &record.movetext {
            let list: Vec<Text<'_>> = serde_json::from_str(moves).unwrap_or_default();
            if let Some((at, len)) = difference(&list, text, place, self.limits) {
                self.v.damage(Damage::MovesDiffer, at, len);
            }
            self.movetext(text, place(text));
        } else if moves.starts_with('"') {
            let Text(text) = serde_json::from_str(moves).unwrap_or_default();
            let at = place(moves) + 1;
            self.v.damage(Damage::MovesNoList, at, text.len());
        } else {
            self.list(moves, place);
        }
        if let Some(Text(text)) = &record.result {
            let text_at = place(text);
            match words::result_text(text.as_bytes()) {
                Some(found) if self.result.is_none_or(|(old, _)| old == found) => {
                    self.result = self.result.or(Some((found, text_at)));
                }
                Some(_) => self.v.damage(Damage::StrayResult, text_at, text.len()),
                None => self.v.damage(Damage::BadResult, text_at, text.len()),
            }
        }
        if let Some((result, at)) = self.result {
            self.v.result(result, at);
        }
    }

    fn movetext(&mut self, text: &str, at: u64) {
        let (text, limits) = (text.as_bytes(), self.limits);
        let (after, found) = read_fragment(text, at, limits, self.state, self.words, self.v);
        self.state = after;
        self.result = self.result.or(found);
    }

    /// Reads a list of movetexts. Nearly all of them are known words.
    fn list(&mut self, list: &str, place: &dyn Fn(&str) -> u64) {
        let mut rest = list.get(1..).unwrap_or_default().trim_ascii_start();
        while rest.as_bytes().first() != Some(&b']') {
            let known = rest.as_bytes().strip_prefix(b"\"").and_then(|word| {
                let (key, length) = text_before(word.first_chunk()?, b'"')?;
                Some((word.get(..length)?, self.words.known_move(key)?))
            });
            let length = if let Some((word, id)) = known {
                if !self.state.skipped {
                    self.state.has_moves = true;
                    let flow = self.v.known_move(word, place(rest) + 1, id);
                    self.state.skipped = flow == Flow::Skip;
                }
                word.len() + 2
            } else {
                let mut values = serde_json::Deserializer::from_str(rest).into_iter();
                let Some(Ok(Text(text))) = values.next() else {
                    return self.v.damage(Damage::BadJson, place(rest), rest.len());
                };
                self.movetext(&text, place(rest) + 1);
                values.byte_offset()
            };
            let next = rest.get(length..).unwrap_or_default().trim_ascii_start();
            rest = match next.as_bytes().first() {
                Some(b',') => next.get(1..).unwrap_or_default().trim_ascii_start(),
                Some(b']') => next,
                _ => return self.v.damage(Damage::BadJson, place(next), next.len()),
            };
        }
    }
}

/// The place and the length of the first move in a list that differs from the moves in a text, or of the last one if
/// the list ends before the text. An empty list has no differences.
fn difference(
    list: &[Text<'_>],
    text: &str,
    place: &dyn Fn(&str) -> u64,
    limits: &Limits,
) -> Option<(u64, usize)> {
    let main_line = |texts: &[Text<'_>]| {
        let (mut line, mut words) = (MainLine::default(), Interner::default());
        let mut state = Fragment::default();
        for Text(text) in texts {
            let (bytes, v): (_, &mut dyn Visitor) = (text.as_bytes(), &mut line);
            (state, _) = read_fragment(bytes, place(text), limits, state, &mut words, v);
        }
        line.moves
    };
    let list = main_line(list);
    let last = list.last()?;
    let text = main_line(&[Text(Cow::Borrowed(text))]);
    let mut pairs = list.iter().zip(&text);
    let differs = pairs.find(|((one, _), (other, _))| one != other);
    let (word, at) = match differs {
        Some((found, _)) => found,
        None if list.len() == text.len() => return None,
        None => list.get(text.len()).unwrap_or(last),
    };
    Some((*at, word.len()))
}

/// The moves outside of variations, without blanks and marks, with their offsets.
#[derive(Default)]
struct MainLine {
    depth: usize,
    moves: Vec<(Vec<u8>, u64)>,
}

impl Visitor for MainLine {
    fn move_token(&mut self, token: &[u8], at: u64) -> Flow {
        if self.depth == 0 {
            let mut word: Vec<u8> = token
                .iter()
                .copied()
                .filter(|b| !lex::is_blank(*b))
                .collect();
            while word.pop_if(|last| b"+#!?".contains(last)).is_some() {}
            self.moves.push((word, at));
        }
        Flow::Go
    }

    fn begin_variation(&mut self, _at: u64) -> Flow {
        self.depth += 1;
        Flow::Go
    }

    fn end_variation(&mut self, _at: u64) {
        self.depth -= 1;
    }
}

#[derive(Deserialize)]
struct Record<'t> {
    #[serde(borrow, default)]
    rules: Option<Text<'t>>,
    #[serde(borrow, default)]
    notation: Option<Text<'t>>,
    #[serde(borrow, default)]
    locale: Option<Text<'t>>,
    #[serde(borrow, default)]
    start: Option<Text<'t>>,
    #[serde(borrow, default)]
    tags: Tags<'t>,
    #[serde(borrow, default)]
    moves: Option<&'t RawValue>,
    #[serde(borrow, default)]
    movetext: Option<Text<'t>>,
    #[serde(borrow, default)]
    result: Option<Text<'t>>,
}

impl<'t> Record<'t> {
    /// The moves as they are written; those of a record without moves are an empty list.
    fn moves(&self) -> &'t str {
        self.moves.map_or("[]", RawValue::get)
    }
}

/// A string, borrowed from the line if it has no escapes.
#[derive(Deserialize, Default)]
#[serde(transparent)]
struct Text<'t>(#[serde(borrow)] Cow<'t, str>);

/// Tags in the order of the record, also if a name occurs twice. Numbers are read as written; other values are ignored.
#[derive(Default)]
struct Tags<'t>(Vec<(Cow<'t, str>, Cow<'t, str>)>);

impl<'de: 't, 't> Deserialize<'de> for Tags<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> serde::de::Visitor<'de> for Pairs {
            type Value = Tags<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of tags")
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Tags::default())
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut tags = Vec::new();
                while let Some(Text(name)) = map.next_key()? {
                    let value: &RawValue = map.next_value()?;
                    let value = value.get();
                    let inner = value
                        .strip_prefix('"')
                        .and_then(|text| text.strip_suffix('"'));
                    match inner {
                        Some(text) if !text.contains('\\') => tags.push((name, text.into())),
                        Some(_) => {
                            let value = serde_json::from_str(value).map_err(Error::custom)?;
                            tags.push((name, value));
                        }
                        None if value.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => {
                            tags.push((name, value.into()));
                        }
                        None => {}
                    }
                }
                Ok(Tags(tags))
            }
        }
        deserializer.deserialize_any(Pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{plain_script, script};

    fn read(text: &str) -> String {
        plain_script(|v| read_games(text.as_bytes(), 0, &Limits::default(), v))
    }

    #[test]
    fn the_line_that_conversion_writes() {
        let line = r#"{"source":"a.pgn","game":3,"rules":"meder","notation":"manual","start":"x w - 1","tags":{"White":"A \"B\"","Date":"2001","White":"again","Elo":1800},"moves":["b4, WB-b5,NB (=)","c3"],"result":"1-0","more":[1]}"#;
        assert_eq!(
            read(line),
            "game | tag White=A \\\"B\\\" | tag Date=2001 | tag White=again | tag Elo=1800 | \
             tag Variant=meder | tag Notation=manual | tag FEN=x w - 1 | tag SetUp=1 | moves | \
             <b4, WB-b5,NB> | draw? | <c3> | = 1-0 | end"
        );
        assert_eq!(
            read(
                r#"{"rules":"a","tags":{"Variant":"b"},"moves":["x"],"movetext":"1. e4 {c} (1. d4) e5"}"#
            ),
            "game | tag Variant=b | moves | !moves-differ 1 | no 1. | <e4> | {c} | ( | no 1. | <d4> | ) | <e5> | end"
        );
    }

    #[test]
    fn moves_and_movetext_that_differ_are_reported() {
        for (moves, movetext, expected) in [
            (r#""e4","e5""#, "1. e4 e5", None),
            (r#""e4!","e5+""#, "1. e4 {c} (1. d4 d5) e5# $1 1-0", None),
            (r#""axb6N e.p.""#, "axb6N  e.p.", None),
            ("", "1. e4", None),
            (r#""e4","d5""#, "1. e4 e5", Some("16 !moves-differ 2")),
            (r#""e4""#, "1. e4 e5", Some("11 !moves-differ 2")),
            (r#""e4","e5","Nf3""#, "1. e4 e5", Some("21 !moves-differ 3")),
            (r#""d4""#, "1. e4 (1. d4)", Some("11 !moves-differ 2")),
        ] {
            let line = format!(r#"{{"moves":[{moves}],"movetext":"{movetext}"}}"#);
            let lines = script(|v| read_games(line.as_bytes(), 0, &Limits::default(), v));
            let damage: Vec<&str> = lines
                .iter()
                .filter(|line| line.contains('!') && !line.contains('<'))
                .map(String::as_str)
                .collect();
            assert_eq!(damage, Vec::from_iter(expected), "{line}");
        }
    }

    #[test]
    fn a_flood_of_tags_is_told_once() {
        let tags = r#""A":"b","#.repeat(1_500);
        let read = read(&format!(r#"{{"tags":{{{tags}"Z":"z"}},"moves":["e4"]}}"#));
        let with = |part: &str| read.matches(part).count();
        assert_eq!(
            (with("tag A=b"), with("tag Z"), with("!too-many-tags 1 ")),
            (1_000, 0, 1)
        );
        assert!(read.ends_with("| moves | <e4> | end"), "{read}");
    }

    #[test]
    fn what_may_be_missing_or_wrong() {
        for (line, expected) in [
            ("{}", "game | moves | end"),
            (
                r#"{"tags":null,"result":null,"start":null}"#,
                "game | moves | end",
            ),
            (r#"{"result":"won"}"#, "game | moves | !bad-result 3 | end"),
            (
                r#"{"tags":{"Result":"won"}}"#,
                "game | tag Result=won | !bad-result 3 | moves | end",
            ),
            (
                r#"{"tags":{"Result":"remis"}}"#,
                "game | tag Result=remis | moves | end",
            ),
            (
                r#"{"moves":["e4","1-0"],"result":"0-1"}"#,
                "game | moves | <e4> | !stray-result 3 | = 1-0 | end",
            ),
            (
                r#"{"moves":["e4]"]}"#,
                "game | moves | <e4> | !stray-bracket 1 | end",
            ),
            ("[]", "game | moves | !bad-json 2 | end"),
            ("nonsense", "game | moves | !bad-json 8 | end"),
            (r#"{"moves":4}"#, "game | moves | !bad-json 2 | end"),
            (
                r#"{"moves":"e4 e5"}"#,
                "game | moves | !moves-no-list 5 | end",
            ),
            (
                r#"{"moves":"e4 \u0065"}"#,
                "game | moves | !moves-no-list 4 | end",
            ),
        ] {
            assert_eq!(read(line), expected, "reading {line}");
        }
    }

    #[test]
    fn a_bad_line_leaves_the_next_alone() {
        let deep = "[".repeat(100_000);
        let text = format!("\u{feff}{{\"moves\":[\"a\"]}}\r\n\n{deep}\n{{\"moves\":[\"b\"]}}");
        let lines = read(&text);
        assert!(lines.starts_with("game | moves | <a> | end | game | moves | !bad-json"));
        assert!(
            lines.ends_with(" | end | game | moves | <b> | end"),
            "{lines}"
        );
    }

    /// The list of moves is found before the line is read as an object; it may belong to another object inside.
    #[test]
    fn lists_of_moves_that_are_not_those_of_the_game() {
        for (line, expected) in [
            (
                r#"{"more":{"moves":["x"]},"moves":["e4"],"result":"won"}"#,
                &["0 game", "0 moves", "34 <e4>", "49 !bad-result 3", "55 end"][..],
            ),
            (
                r#"{"moves":["e4"],"more":{"moves":["x"]},"result":"won"}"#,
                &["0 game", "0 moves", "11 <e4>", "49 !bad-result 3", "55 end"],
            ),
            (
                r#"{"more":{"moves":["x"]},"result":"1-0"}"#,
                &["0 game", "0 moves", "34 = 1-0", "40 end"],
            ),
            (
                r#"{"moves":["e4"],"moves":["e5"]}"#,
                &["0 game", "0 moves", "22 !bad-json 9", "32 end"],
            ),
            (
                r#"{"moves":["e4"]"#,
                &["0 game", "0 moves", "14 !bad-json 1", "16 end"],
            ),
        ] {
            let text = format!("{line}\n");
            let lines = script(|v| read_games(text.as_bytes(), 0, &Limits::default(), v));
            assert_eq!(lines, expected, "{line}");
        }
    }

    #[test]
    fn offsets_are_those_of_the_moves() {
        let text = r#"{"moves":["e4","e5 d5","A d6"]}"#;
        let lines = script(|v| read_games(text.as_bytes(), 100, &Limits::default(), v));
        assert_eq!(
            lines,
            [
                "100 game",
                "100 moves",
                "111 <e4>",
                "116 <e5>",
                "119 <d5>",
                "124 <A>",
                "126 <d6>",
                "131 end"
            ]
        );
    }
}
