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

use serde::de::IgnoredAny;

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
    let mut games = 0;
    for (place, line) in lines(bytes, limits) {
        games += 1;
        let text = lex::decode(line.unwrap_or_default());
        // Without a branch, so that many bytes are compared at once.
        let has_controls = text
            .bytes()
            .fold(false, |found, byte| found | (byte < b' '));
        let mut reader = Reader {
            line: text.as_bytes(),
            is_decoded: matches!(text, Cow::Owned(_)),
            has_controls,
            at: base + place.start as u64,
            limits,
            words,
            v,
            has_moves: false,
            result: None,
        };
        reader.v.begin_game(reader.at);
        match line {
            Some(line) => {
                reader.line(line.len(), cut.filter(|_| place.end >= bytes.len()));
            }
            None => reader.v.damage(Damage::TooLong, reader.at, 1),
        }
        reader.v.end_game(base + place.end as u64);
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

/// Reads a line.
struct Reader<'r, V: ?Sized> {
    line: &'r [u8],
    /// Places inside the line are known only if it needed no decoding.
    is_decoded: bool,
    /// Whether the line has control characters, which are a fault in a string.
    has_controls: bool,
    at: u64,
    limits: &'r Limits,
    words: &'r mut Interner,
    v: &'r mut V,
    /// Whether the line has moves so far, and the result among them.
    has_moves: bool,
    result: Option<(GameResult, u64)>,
}

impl<V: Visitor + ?Sized> Reader<'_, V> {
    fn line(&mut self, len: usize, cut: Option<Damage>) {
        let read = |has_plain_list| Record::read(self.line, self.has_controls, has_plain_list);
        match read(true).or_else(|_| read(false)) {
            Ok(record) => self.record(&record),
            Err(rest) => {
                let column = (self.line.len() - rest.len()).min(len - 1);
                let (at, len) = (self.at + column as u64, len - column);
                self.v.damage(cut.unwrap_or(Damage::BadJson), at, len);
            }
        }
    }

    fn damage(&mut self, damage: Damage, part: &[u8]) {
        self.v.damage(damage, self.place(part), part.len());
    }

    /// The offset of a part of the line, or that of the line for a text that had escapes.
    fn place(&self, part: &[u8]) -> u64 {
        let place = (part.as_ptr() as usize).wrapping_sub(self.line.as_ptr() as usize);
        let is_there = place <= self.line.len() && !self.is_decoded;
        self.at + (place * usize::from(is_there)) as u64
    }

    fn record(&mut self, record: &Record<'_>) {
        let tags = &record.tags;
        for (name, value) in tags {
            self.v.tag(name, &escaped(value.clone()), self.place(name));
            if **name == *b"Result" && words::result_text(value).is_none() {
                self.damage(Damage::BadResult, value);
            }
        }
        let has = |name: &[u8]| tags.iter().any(|(tag, _)| **tag == *name);
        for ((_, name), value) in FIELDS.iter().zip(&record.texts) {
            let value = value.as_ref().filter(|value| !value.is_empty());
            if let Some(value) = value.filter(|_| !name.is_empty() && !has(name)) {
                let at = self.place(value);
                self.v.tag(name, &escaped(value.clone()), at);
                if *name == b"FEN" && !has(b"SetUp") {
                    self.v.tag(b"SetUp", b"1", at);
                }
            }
        }
        let [.., movetext, result] = &record.texts;
        if let Some(text) = movetext {
            if let Some(list) = record.moves
                && let Some((at, len)) = difference(list, self.place(list), text, self.limits)
            {
                let at = if self.is_decoded { self.at } else { at };
                self.v.damage(Damage::MovesDiffer, at, len);
            }
            self.movetext(text, self.place(text));
        } else if let Some(list) = record.moves {
            self.list(list);
        }
        if let Some(text) = result {
            match words::result_text(text) {
                Some(found) if self.result.is_none_or(|(old, _)| old == found) => {
                    self.result = self.result.or(Some((found, self.place(text))));
                }
                Some(_) => self.damage(Damage::StrayResult, text),
                None => self.damage(Damage::BadResult, text),
            }
        }
        if let Some((result, at)) = self.result {
            self.v.result(result, at);
        }
    }

    fn movetext(&mut self, text: &[u8], at: u64) {
        let has_moves = &mut self.has_moves;
        let found = read_fragment(text, at, self.limits, has_moves, self.words, self.v);
        self.result = self.result.or(found);
    }

    /// Reads a list of movetexts. Nearly all of them are known words.
    fn list(&mut self, list: &[u8]) {
        let start = self.place(list) + 1;
        if list.starts_with(b"\"") {
            let len = string(list, true).map_or(0, |(text, _)| text.len());
            return self.v.damage(Damage::MovesNoList, start, len);
        }
        let mut rest = list.get(1..).unwrap_or_default().trim_ascii_start();
        while rest != b"]" {
            let place = (list.len() - rest.len()) * usize::from(!self.is_decoded);
            let at = start + place as u64;
            let word = rest.strip_prefix(b"\"").unwrap_or_default();
            let known = word.first_chunk().and_then(|near| {
                let (key, length) = text_before(near, b'"')?;
                Some((word.split_at_checked(length)?, self.words.known_move(key)?))
            });
            let after = if let Some(((word, quote), id)) = known {
                self.has_moves = true;
                self.v.move_token(word, at, id);
                quote.get(1..).unwrap_or_default()
            } else if let Ok((text, after)) = string(rest, self.has_controls) {
                self.movetext(&text, at);
                after
            } else {
                return self.damage(Damage::BadJson, rest);
            };
            rest = match expect(after, b',') {
                Ok(next) => next,
                Err(end) if end == b"]" => end,
                Err(fault) => return self.damage(Damage::BadJson, fault),
            };
        }
    }
}

/// The place and the length of the first move in a list at an offset that differs from the moves in a text, or of the
/// last one if the list ends before the text. An empty or invalid list has no differences.
fn difference(list: &[u8], at: u64, text: &[u8], limits: &Limits) -> Option<(u64, usize)> {
    // Without blanks and marks.
    let main_line = |read: &dyn Fn(&mut dyn Visitor)| -> Vec<(String, u64)> {
        let games = game::collect(|v| read(v));
        let is_invalid = |(damage, ..): &(Damage, u64, usize)| *damage == Damage::BadJson;
        let games = games
            .iter()
            .filter(|game| !game.damage.iter().any(is_invalid));
        let moves = games.flat_map(Game::main_line).map(|(token, at)| {
            let token = token.trim_end_matches(['+', '#', '!', '?']);
            (token.replace(|c: char| c.is_ascii_whitespace(), ""), at)
        });
        moves.collect()
    };
    let before = b"{\"moves\":";
    let line = [before, list, b"}"].concat();
    let list = main_line(&|v| read_games(&line, 0, limits, v));
    let last = list.last()?;
    let text = main_line(&|v| {
        read_fragment(text, 0, limits, &mut false, &mut Interner::default(), v);
        v.end_game(0);
    });
    let mut pairs = list.iter().zip(&text);
    let differs = pairs.find(|((one, _), (other, _))| one != other);
    let (word, found) = match differs {
        Some((found, _)) => found,
        None if list.len() == text.len() => return None,
        None => list.get(text.len()).unwrap_or(last),
    };
    Some((at + found - before.len() as u64, word.len()))
}

/// The fields of a record that are texts, and the tags that they become.
const FIELDS: [(&[u8], &[u8]); 6] = [
    (b"rules", b"Variant"),
    (b"notation", b"Notation"),
    (b"locale", b"Locale"),
    (b"start", b"FEN"),
    (b"movetext", b""),
    (b"result", b""),
];

#[derive(Default)]
struct Record<'t> {
    /// The values of [`FIELDS`].
    texts: [Option<Text<'t>>; FIELDS.len()],
    /// Tags in the order of the record, also if a name occurs twice. Numbers are read as written; other values are
    /// ignored.
    tags: Vec<(Text<'t>, Text<'t>)>,
    /// The moves as they are written.
    moves: Option<&'t [u8]>,
}

/// A text, borrowed from the line if it has no escapes.
type Text<'t> = Cow<'t, [u8]>;

/// The raw value of a tag. A text that had no escapes has nothing to escape.
fn escaped(text: Text<'_>) -> Text<'_> {
    match text {
        Cow::Borrowed(_) => text,
        Cow::Owned(text) => escape(&text).into_owned().into(),
    }
}

/// What was read, or else the text from the fault on.
type Parsed<'t, T> = Result<T, &'t [u8]>;

impl<'t> Record<'t> {
    /// Reads a line, and finds its moves by the end of their list if `has_plain_list`.
    fn read(line: &'t [u8], has_controls: bool, has_plain_list: bool) -> Parsed<'t, Self> {
        let mut record = Self::default();
        let rest = members(line, has_controls, |name, member| {
            if *name == *b"tags" && member.starts_with(b"{") {
                return members(member, has_controls, |name, tag| {
                    if tag.starts_with(b"\"") {
                        let (text, rest) = string(tag, has_controls)?;
                        record.tags.push((name, text));
                        return Ok(rest);
                    }
                    let (value, rest) = value(tag)?;
                    if let [b'-' | b'0'..=b'9', ..] = value {
                        record.tags.push((name, value.into()));
                    }
                    Ok(rest)
                });
            }
            let field = FIELDS.iter().position(|(field, _)| **field == *name);
            if let (Some(field), [b'"', ..]) = (field, member) {
                let (text, rest) = string(member, has_controls)?;
                let is_first = record.texts[field].replace(text).is_none();
                return is_first.then_some(rest).ok_or(member);
            }
            let list = plain_list(member).filter(|_| has_plain_list && *name == *b"moves");
            let (value, rest) = list.map_or_else(|| value(member), Ok)?;
            let is_valid = match (&*name, value) {
                (_, b"null") => true,
                (b"moves", [b'[' | b'"', ..]) => record.moves.replace(value).is_none(),
                (name, _) => field.is_none() && name != b"tags" && name != b"moves",
            };
            is_valid.then_some(rest).ok_or(member)
        })?;
        rest.is_empty().then_some(record).ok_or(rest)
    }
}

/// Skips a sign at the start of a text, and blanks on both sides of it.
#[inline]
fn expect(text: &[u8], sign: u8) -> Parsed<'_, &[u8]> {
    match text.trim_ascii_start() {
        [first, rest @ ..] if *first == sign => Ok(rest.trim_ascii_start()),
        text => Err(text),
    }
}

/// The value of any kind at the start of a text, as it is written, and what follows it.
fn value(text: &[u8]) -> Parsed<'_, (&[u8], &[u8])> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<IgnoredAny>();
    let value = values.next().ok_or(text)?;
    let rest = |at: usize| text.get(at..).unwrap_or_default();
    value.map_err(|error| rest(error.column().saturating_sub(1)))?;
    text.split_at_checked(values.byte_offset()).ok_or(text)
}

/// The string at the start of a text, borrowed if it has no escapes, and what follows it.
fn string(text: &[u8], has_controls: bool) -> Parsed<'_, (Text<'_>, &[u8])> {
    let inner = text.strip_prefix(b"\"").ok_or(text)?;
    let length = memchr::memchr2(b'"', b'\\', inner).unwrap_or(inner.len());
    match inner.split_at(length) {
        (inner, [b'"', rest @ ..]) if !has_controls => Ok((inner.into(), rest)),
        (inner, [b'"', ..]) => Ok((inner.into(), value(text)?.1)),
        _ => {
            let (value, rest) = value(text)?;
            let inner: String = serde_json::from_slice(value).map_err(|_| text)?;
            Ok((inner.into_bytes().into(), rest))
        }
    }
}

/// Reads the object at the start of a text: passes the name of each member to `read`, which reads the value at the start
/// of the text that follows and returns the rest. Returns what follows the object.
fn members<'t>(
    object: &'t [u8],
    has_controls: bool,
    mut read: impl FnMut(Text<'t>, &'t [u8]) -> Parsed<'t, &'t [u8]>,
) -> Parsed<'t, &'t [u8]> {
    let mut rest = expect(object, b'{')?;
    if let Ok(end) = expect(rest, b'}') {
        return Ok(end);
    }
    loop {
        let (name, after) = string(rest, has_controls)?;
        let after = read(name, expect(after, b':')?)?;
        match expect(after, b'}') {
            Ok(end) => return Ok(end),
            Err(after) => rest = expect(after, b',')?,
        }
    }
}

/// The list at the start of a text, and what follows it, if it has only strings without escapes, so that it can be found
/// by its end. This is most of a line.
fn plain_list(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let inner = text.strip_prefix(b"[\"")?;
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
            (
                r#"{"moves":["e4",]"e5"]}"#,
                "game | <e4> | !bad-json 6 | end",
            ),
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
