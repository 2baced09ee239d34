//! The reader of NDJSON: a JSON object for each game, each on its own line.
//!
//! The fields are those that conversion writes: `source`, `game`, `rules`, `notation`, `start`, `tags`, `moves`,
//! `result`, and also `locale` and `movetext`. All may be missing, and others are ignored. `rules`, `notation`,
//! `locale` and `start` become the tags `Variant`, `Notation`, `Locale` and `FEN` unless `tags` has them. `movetext`,
//! with all items between the moves, is used instead of `moves` if there is one; different moves in the two are damage.
//! Every line that is not blank counts as a game, so games are numbered like lines. A line that begins with `%` is
//! skipped, as in PGN: files of rejects have such lines.

use std::borrow::Cow;
use std::ops::Range;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::cut::Cut;
use crate::game::{self, Game};
use crate::interner::{Interner, text_before};
use crate::lex::{self, escape};
use crate::pgn::read_fragment;
use crate::visit::{BATCH_GAMES, Damage, GameResult, Limits, Visitor};
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
    let words = &mut Interner::default();
    read_part(bytes, base, limits, None, words, visitor);
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
        has_moves: false,
        result: None,
    };
    let mut games = 0;
    for (place, line) in lines(bytes, limits) {
        games += 1;
        let cut = cut.filter(|_| place.end >= bytes.len());
        reader.line(place, line, cut);
    }
    games
}

/// The lines that are not blank, each with its place; `None` if it exceeds the limit.
fn lines<'b>(
    bytes: &'b [u8],
    limits: &Limits,
) -> impl Iterator<Item = (Range<usize>, Option<&'b [u8]>)> {
    let (max, mut start) = (limits.max_game, 0);
    let ends = memchr::memchr_iter(b'\n', bytes).map(|at| at + 1);
    ends.chain([bytes.len()]).filter_map(move |end| {
        let line = bytes.get(start..end)?;
        // Concatenated files may have a byte order mark between them.
        let first = lex::skip_blanks(line, 0);
        let place = start + first..end;
        let text = line.get(first..)?.trim_ascii_end();
        start = end;
        if line.len() > max {
            return Some((end - line.len()..end, None));
        }
        (!text.is_empty() && !text.starts_with(b"%")).then_some((place, Some(text)))
    })
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
    (end > 0).then_some(Cut {
        dropping,
        ..Cut::at(end)
    })
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
    /// Whether the line has moves so far, and the result among them.
    has_moves: bool,
    result: Option<(GameResult, u64)>,
}

impl<V: Visitor + ?Sized> Reader<'_, V> {
    fn line(&mut self, place: Range<usize>, line: Option<&[u8]>, cut: Option<Damage>) {
        let at = self.base + place.start as u64;
        let end = self.base + place.end as u64;
        self.v.begin_game(at);
        let Some(bytes) = line else {
            self.v.damage(Damage::TooLong, at, 1);
            return self.v.end_game(end);
        };
        let text = lex::decode(bytes);
        match Record::read(&text, true).or_else(|_| Record::read(&text, false)) {
            Ok(record) => {
                // Places inside the line are known only if it needed no decoding.
                let place = |part: &str| match &text {
                    Cow::Borrowed(text) => at + offset_in(text, part).unwrap_or(0) as u64,
                    Cow::Owned(_) => at,
                };
                self.record(&record, &place);
            }
            Err(rest) => {
                let column = (text.len() - rest.len()).min(bytes.len() - 1);
                let (at, len) = (at + column as u64, bytes.len() - column);
                self.v.damage(cut.unwrap_or(Damage::BadJson), at, len);
            }
        }
        self.v.end_game(end);
    }

    fn record(&mut self, record: &Record<'_>, place: &dyn Fn(&str) -> u64) {
        let tags = &record.tags;
        for (name, value) in tags {
            let escaped = escape(value.as_bytes());
            self.v.tag(name.as_bytes(), &escaped, place(name));
            if name == "Result" && words::result_text(value.as_bytes()).is_none() {
                self.v.damage(Damage::BadResult, place(value), value.len());
            }
        }
        let has = |name: &str| tags.iter().any(|(tag, _)| tag == name);
        for ((_, name), value) in FIELDS.iter().zip(&record.texts) {
            let value = value.as_deref().unwrap_or_default();
            if !value.is_empty() && !name.is_empty() && !has(name) {
                let value_at = place(value);
                let escaped = escape(value.as_bytes());
                self.v.tag(name.as_bytes(), &escaped, value_at);
                if *name == "FEN" && !has("SetUp") {
                    self.v.tag(b"SetUp", b"1", value_at);
                }
            }
        }
        (self.has_moves, self.result) = (false, None);
        let [.., movetext, result] = &record.texts;
        let moves = record.moves.unwrap_or("[]");
        if let Some(text) = movetext {
            let list: Vec<Text<'_>> = serde_json::from_str(moves).unwrap_or_default();
            if let Some((at, len)) = difference(&list, text, place, self.limits) {
                self.v.damage(Damage::MovesDiffer, at, len);
            }
            self.movetext(text, place(text));
        } else if moves.starts_with('"') {
            let text = text(moves).unwrap_or_default();
            let at = place(moves) + 1;
            self.v.damage(Damage::MovesNoList, at, text.len());
        } else {
            self.list(moves, place);
        }
        if let Some(text) = result {
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
        let (text, has_moves) = (text.as_bytes(), &mut self.has_moves);
        let found = read_fragment(text, at, self.limits, has_moves, self.words, self.v);
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
            let after = if let Some((word, id)) = known {
                self.has_moves = true;
                self.v.move_token(word, place(rest) + 1, id);
                rest.get(word.len() + 2..).unwrap_or_default()
            } else {
                let Some((text, after)) = value(rest, true)
                    .ok()
                    .and_then(|(word, after)| Some((text(word)?, after)))
                else {
                    return self.v.damage(Damage::BadJson, place(rest), rest.len());
                };
                self.movetext(&text, place(rest) + 1);
                after
            };
            let after = after.trim_ascii_start();
            rest = match after.strip_prefix(',') {
                Some(next) => next.trim_ascii_start(),
                None if after.starts_with(']') => after,
                None => return self.v.damage(Damage::BadJson, place(after), after.len()),
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
    // Without blanks and marks.
    let main_line = |texts: &[Text<'_>]| -> Vec<(String, u64)> {
        let (mut has_moves, mut words) = (false, Interner::default());
        let games = game::collect(|v| {
            for Text(text) in texts {
                let (bytes, at) = (text.as_bytes(), place(text));
                read_fragment(bytes, at, limits, &mut has_moves, &mut words, v);
            }
            v.end_game(0);
        });
        let moves = games.iter().flat_map(Game::main_line);
        let moves = moves.map(|(token, at)| {
            let token = token.trim_end_matches(['+', '#', '!', '?']);
            (token.replace(|c: char| c.is_ascii_whitespace(), ""), at)
        });
        moves.collect()
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

/// The fields of a record that are texts, and the tags that they become.
const FIELDS: [(&str, &str); 6] = [
    ("rules", "Variant"),
    ("notation", "Notation"),
    ("locale", "Locale"),
    ("start", "FEN"),
    ("movetext", ""),
    ("result", ""),
];

#[derive(Default)]
struct Record<'t> {
    /// The values of [`FIELDS`].
    texts: [Option<Cow<'t, str>>; FIELDS.len()],
    /// Tags in the order of the record, also if a name occurs twice. Numbers are read as written; other values are
    /// ignored.
    tags: Vec<(Cow<'t, str>, Cow<'t, str>)>,
    /// The moves as they are written.
    moves: Option<&'t str>,
}

impl<'t> Record<'t> {
    /// Reads a line, and finds its moves by the end of their list if `has_plain_list`. An error is the rest of the line
    /// from the fault on.
    fn read(line: &'t str, has_plain_list: bool) -> Result<Self, &'t str> {
        let mut record = Self::default();
        // Without a branch, so that many bytes are compared at once.
        let has_controls = line
            .bytes()
            .fold(false, |found, byte| found | (byte < b' '));
        let rest = members(line, has_controls, |name, member| {
            if name == "tags" && member.starts_with('{') {
                return members(member, has_controls, |name, tag| {
                    let (value, rest) = value(tag, has_controls)?;
                    match value.as_bytes().first() {
                        Some(b'"') => record.tags.push((name, text(value).ok_or(tag)?)),
                        Some(b'-' | b'0'..=b'9') => record.tags.push((name, value.into())),
                        _ => {}
                    }
                    Ok(rest)
                });
            }
            let list = plain_list(member).filter(|_| has_plain_list && name == "moves");
            let (value, rest) = list.map_or_else(|| value(member, has_controls), Ok)?;
            let field = FIELDS.iter().position(|(field, _)| *field == name);
            let is_valid = match (field.and_then(|field| record.texts.get_mut(field)), &*name) {
                _ if value == "null" => true,
                (Some(field), _) => text(value).is_some_and(|text| field.replace(text).is_none()),
                (_, "moves") => {
                    value.starts_with(['[', '"']) && record.moves.replace(value).is_none()
                }
                _ => name != "tags",
            };
            is_valid.then_some(rest).ok_or(member)
        })?;
        match rest.trim_ascii_start() {
            "" => Ok(record),
            more => Err(more),
        }
    }
}

/// A string, borrowed from the line if it has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct Text<'t>(#[serde(borrow)] Cow<'t, str>);

/// The text of a string as it is written.
fn text(value: &str) -> Option<Cow<'_, str>> {
    let inner = value.strip_prefix('"')?.strip_suffix('"')?;
    match memchr::memchr(b'\\', inner.as_bytes()) {
        None => Some(Cow::Borrowed(inner)),
        Some(_) => serde_json::from_str(value).ok(),
    }
}

/// Finds the end of the value at the start of a text. Returns it as it is written and what follows it, or else the text
/// from the fault on.
fn value(text: &str, has_controls: bool) -> Result<(&str, &str), &str> {
    // Most strings have no escapes. Control characters in a string are a fault.
    let inner = text.strip_prefix('"').unwrap_or_default().as_bytes();
    if let Some(length) = memchr::memchr2(b'"', b'\\', inner)
        && inner.get(length) == Some(&b'"')
        && !has_controls
    {
        return text.split_at_checked(length + 2).ok_or(text);
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let value = values.next().ok_or(text)?;
    let rest = |at: usize| text.get(at..).unwrap_or_default();
    let value = value.map_err(|error| rest(error.column().saturating_sub(1)))?;
    Ok((value.get(), rest(values.byte_offset())))
}

/// Reads the object at the start of a text: passes the name of each member to `read`, which reads the value at the start
/// of the text that follows and returns the rest. Returns what follows the object, or else the text from the fault on.
fn members<'t>(
    object: &'t str,
    has_controls: bool,
    mut read: impl FnMut(Cow<'t, str>, &'t str) -> Result<&'t str, &'t str>,
) -> Result<&'t str, &'t str> {
    let mut rest = object.strip_prefix('{').ok_or(object)?.trim_ascii_start();
    if let Some(end) = rest.strip_prefix('}') {
        return Ok(end);
    }
    while rest.starts_with('"') {
        let (name, after) = value(rest, has_controls)?;
        let name = text(name).ok_or(rest)?;
        let after = after.trim_ascii_start();
        let member = after.strip_prefix(':').ok_or(after)?.trim_ascii_start();
        let after = read(name, member)?.trim_ascii_start();
        if let Some(end) = after.strip_prefix('}') {
            return Ok(end);
        }
        rest = after.strip_prefix(',').ok_or(after)?.trim_ascii_start();
    }
    Err(rest)
}

/// The list at the start of a text, and what follows it, if it has only strings without escapes, so that it can be found
/// by its end. This is most of a line.
fn plain_list(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix("[\"")?.as_bytes();
    let length = memchr::memmem::find(inner, b"\"]")?;
    let is_plain = memchr::memchr2(b'\\', b'[', inner.get(..length)?).is_none();
    text.split_at_checked(length + 4).filter(|_| is_plain)
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
             tag Variant=meder | tag Notation=manual | tag FEN=x w - 1 | tag SetUp=1 | \
             <b4, WB-b5,NB> | draw? | <c3> | = 1-0 | end"
        );
        assert_eq!(
            read(
                r#"{"rules":"a","tags":{"Variant":"b"},"moves":["x"],"movetext":"1. e4 {c} (1. d4) e5"}"#
            ),
            "game | tag Variant=b | !moves-differ 1 | no 1. | <e4> | {c} | ( | no 1. | <d4> | ) | <e5> | end"
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
    fn what_may_be_missing_or_wrong() {
        for (line, expected) in [
            ("{}", "game | end"),
            (r#"{"tags":null,"result":null,"start":null}"#, "game | end"),
            (r#"{"result":"won"}"#, "game | !bad-result 3 | end"),
            (
                r#"{"tags":{"Result":"won"}}"#,
                "game | tag Result=won | !bad-result 3 | end",
            ),
            (
                r#"{"tags":{"Result":"remis"}}"#,
                "game | tag Result=remis | end",
            ),
            (
                r#"{"moves":["e4","1-0"],"result":"0-1"}"#,
                "game | <e4> | !stray-result 3 | = 1-0 | end",
            ),
            (
                r#"{"moves":["e4]"]}"#,
                "game | <e4> | !stray-bracket 1 | end",
            ),
            ("[]", "game | !bad-json 2 | end"),
            ("nonsense", "game | !bad-json 8 | end"),
            (r#"{"moves":4}"#, "game | !bad-json 2 | end"),
            (r#"{"moves":"e4 e5"}"#, "game | !moves-no-list 5 | end"),
            (r#"{"moves":"e4 \u0065"}"#, "game | !moves-no-list 4 | end"),
        ] {
            assert_eq!(read(line), expected, "reading {line}");
        }
    }

    #[test]
    fn a_bad_line_leaves_the_next_alone() {
        let deep = "[".repeat(100_000);
        let text = format!("\u{feff}{{\"moves\":[\"a\"]}}\r\n\n{deep}\n{{\"moves\":[\"b\"]}}");
        let lines = read(&text);
        assert!(lines.starts_with("game | <a> | end | game | !bad-json"));
        assert!(lines.ends_with(" | end | game | <b> | end"), "{lines}");
    }

    /// The list of moves is found before the line is read as an object; it may belong to another object inside.
    #[test]
    fn lists_of_moves_that_are_not_those_of_the_game() {
        for (line, expected) in [
            (
                r#"{"more":{"moves":["x"]},"moves":["e4"],"result":"won"}"#,
                &["0 game", "34 <e4>", "49 !bad-result 3", "55 end"][..],
            ),
            (
                r#"{"moves":["e4"],"more":{"moves":["x"]},"result":"won"}"#,
                &["0 game", "11 <e4>", "49 !bad-result 3", "55 end"],
            ),
            (
                r#"{"more":{"moves":["x"]},"result":"1-0"}"#,
                &["0 game", "34 = 1-0", "40 end"],
            ),
            (
                r#"{"moves":["e4"],"moves":["e5"]}"#,
                &["0 game", "24 !bad-json 7", "32 end"],
            ),
            (
                r#"{"moves":["e4"]"#,
                &["0 game", "14 !bad-json 1", "16 end"],
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
                "100 game", "111 <e4>", "116 <e5>", "119 <d5>", "124 <A>", "126 <d6>", "131 end"
            ]
        );
    }
}
