//! The reader of games in JSON: an object for each game.
//!
//! In NDJSON each object is on its own line. Every line that is not blank counts as a game, so games are numbered like
//! lines. As in PGN, a line that begins with `%` is skipped: files of rejects have such lines. In a JSON document the
//! objects are in an array, or each takes several lines.
//!
//! The fields are those that conversion writes: `source`, `game`, `rules`, `notation`, `start`, `tags`, `moves`,
//! `result`, and also `locale` and `movetext`. Every field may be missing, and unknown fields are ignored. `rules`,
//! `notation`, `locale` and `start` become the tags `Variant`, `Notation`, `Locale` and `FEN`, unless `tags` has them.
//! `moves` is a list of moves, or one string with all of them. If there is a `movetext`, which has all items between
//! the moves too, it is used instead of `moves`. If the two have different moves, that is reported as damage.

mod document;
mod record;

use std::borrow::Cow;
use std::ops::Range;

pub(crate) use self::document::{REACH, cut as cut_document, is_document, next_object};
pub(crate) use self::record::Record;
use self::record::{Read, Text};
use crate::cut::Cut;
use crate::game::{self, Game};
use crate::interner::Interner;
use crate::lex;
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
    read_records(lines(bytes, limits), (bytes, base), limits, cut, words, v)
}

/// [`read_part`] of a JSON document.
pub(crate) fn read_document<V: Visitor + ?Sized>(
    bytes: &[u8],
    base: u64,
    limits: &Limits,
    cut: Option<Damage>,
    words: &mut Interner,
    v: &mut V,
) -> u32 {
    let records = document::records(bytes, limits);
    read_records(records, (bytes, base), limits, cut, words, v)
}

fn read_records<'b, V: Visitor + ?Sized>(
    records: impl Iterator<Item = (Range<usize>, Option<&'b [u8]>)>,
    (bytes, base): (&'b [u8], u64),
    limits: &Limits,
    cut: Option<Damage>,
    words: &mut Interner,
    v: &mut V,
) -> u32 {
    let mut games = 0;
    let is_unclosed = cut == Some(Damage::UnclosedArray);
    let cut = cut.filter(|_| !is_unclosed);
    let mut records = records.peekable();
    while let Some((place, line)) = records.next() {
        games += 1;
        let text = lex::decode(line.unwrap_or_default());
        let mut reader = Reader {
            line: &text,
            is_decoded: matches!(text, Cow::Owned(_)),
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
        let text = bytes.trim_ascii_end();
        let is_whole = text.ends_with(b"}") || text.ends_with(b",");
        if is_unclosed && is_whole && records.peek().is_none() {
            reader
                .v
                .damage(Damage::UnclosedArray, base + text.len() as u64, 0);
        }
        reader.v.end_game(base + place.end as u64);
    }
    games
}

/// The lines that are not blank, each with its range. The text is `None` if the line is too long.
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

/// Finds the first line end after `target` bytes or, if there is none, the last one. `eof`: no text follows.
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
    // The text is long enough to see that a line is too long.
    let dropping = end == 0 && bytes.len() > limits.max_game;
    let end = if dropping { bytes.len() } else { end };
    (end > 0).then_some(Cut {
        dropping,
        ..Cut::at(end)
    })
}

/// Reads a record.
struct Reader<'r, V: ?Sized> {
    line: &'r str,
    /// Whether the record needed decoding. If so, offsets inside it are unknown.
    is_decoded: bool,
    at: u64,
    limits: &'r Limits,
    words: &'r mut Interner,
    v: &'r mut V,
    /// Whether the record has had moves so far.
    has_moves: bool,
    result: Option<(GameResult, u64)>,
}

impl<V: Visitor + ?Sized> Reader<'_, V> {
    fn line(&mut self, len: usize, cut: Option<Damage>) {
        let column = match record::read(self.line) {
            Ok(record) => return self.record(&record),
            Err(column) => column.min(len - 1),
        };
        // If the list of moves is damaged, the moves before the damage are read.
        let sound = record::without_rest_of_list(self.line, column);
        let sound = sound.as_deref().filter(|_| cut.is_none());
        if let Some(Ok(mut record)) = sound.map(record::read) {
            record.not_a_move = record.not_a_move.or(Some(column));
            return self.record(&record);
        }
        let (at, len) = (self.at + column as u64, len - column);
        self.v.damage(cut.unwrap_or(Damage::BadJson), at, len);
    }

    fn damage(&mut self, damage: Damage, text: &Text<'_>) {
        let at = self.place(text.at);
        self.v.damage(damage, at, text.text.len());
    }

    /// The offset in the source of an offset in the record.
    fn place(&self, place: usize) -> u64 {
        self.at + (place * usize::from(!self.is_decoded)) as u64
    }

    fn record(&mut self, record: &Read<'_>) {
        let tags = &record.tags;
        for (name, value) in tags {
            let at = self.place(name.at);
            self.v.tag(name.text.as_bytes(), &value.escaped(), at);
            if name.text == "Result" && words::result_text(value.text.as_bytes()).is_none() {
                self.damage(Damage::BadResult, value);
            }
        }
        let has = |name: &str| tags.iter().any(|(tag, _)| tag.text == name);
        for (name, value) in &record.fields {
            let value = value.as_ref().filter(|value| !value.text.is_empty());
            if let Some(value) = value.filter(|_| !has(name)) {
                let at = self.place(value.at);
                self.v.tag(name.as_bytes(), &value.escaped(), at);
                if *name == "FEN" && !has("SetUp") {
                    self.v.tag(b"SetUp", b"1", at);
                }
            }
        }
        if let Some(text) = &record.movetext {
            let differs = match record.not_a_move {
                None => difference(&record.moves, text, self.limits),
                Some(_) => None,
            };
            if let Some((at, len)) = differs {
                self.v.damage(Damage::MovesDiffer, self.place(at), len);
            }
            self.movetext(text);
        } else {
            for text in &record.moves {
                self.movetext(text);
            }
        }
        if let Some(at) = record.not_a_move {
            let len = self.line.len() - at;
            self.v.damage(Damage::BadJson, self.place(at), len);
        }
        if let Some(text) = &record.result {
            match words::result_text(text.text.as_bytes()) {
                Some(found) if self.result.is_none_or(|(old, _)| old == found) => {
                    self.result = self.result.or(Some((found, self.place(text.at))));
                }
                Some(_) => self.damage(Damage::StrayResult, text),
                None => self.damage(Damage::BadResult, text),
            }
        }
        if let Some((result, at)) = self.result {
            self.v.result(result, at);
        }
    }

    fn movetext(&mut self, text: &Text<'_>) {
        let (at, has_moves) = (self.place(text.at), &mut self.has_moves);
        let text = text.text.as_bytes();
        let found = read_fragment(text, at, self.limits, has_moves, self.words, self.v);
        self.result = self.result.or(found);
    }
}

/// The offset and the length of the first move of a list that differs from the moves in a text. If the list ends before
/// the text, its last move counts as the one that differs. An empty list never differs.
fn difference(list: &[Text<'_>], text: &Text<'_>, limits: &Limits) -> Option<(usize, usize)> {
    // Without blanks and marks.
    let main_line = |texts: &[Text<'_>]| -> Vec<(String, usize)> {
        let (has_moves, words) = (&mut false, &mut Interner::default());
        let games = game::collect(|v| {
            for Text { text, at } in texts {
                read_fragment(text.as_bytes(), *at as u64, limits, has_moves, words, v);
            }
            v.end_game(0);
        });
        let moves = games.iter().flat_map(Game::main_line).map(|(token, at)| {
            let token = token.trim_end_matches(['+', '#', '!', '?']);
            let token = token.replace(|c: char| c.is_ascii_whitespace(), "");
            (token, usize::try_from(at).unwrap_or_default())
        });
        moves.collect()
    };
    let list = main_line(list);
    let last = list.last()?;
    let text = main_line(std::slice::from_ref(text));
    let mut pairs = list.iter().zip(&text);
    let differs = pairs.find(|((one, _), (other, _))| one != other);
    let (word, found) = match differs {
        Some((found, _)) => found,
        None if list.len() == text.len() => return None,
        None => list.get(text.len()).unwrap_or(last),
    };
    Some((*found, word.len()))
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
            (r#"{"moves":["e4",]"e5"]}"#, "game | !bad-json 7 | end"),
            (
                r#"{"tags":{"A":"b"},"moves":["e4","e5" "d4"],"result":"1-0"}"#,
                "game | tag A=b | <e4> | !bad-json 21 | = 1-0 | end",
            ),
            (
                r#"{"moves":["e4","e5,"d4"]}"#,
                "game | <e4> | !bad-json 5 | end",
            ),
            (
                r#"{"moves":["e4","e5" "d4"],"movetext":"1. e4"}"#,
                "game | no 1. | <e4> | !bad-json 25 | end",
            ),
            (
                r#"{"tags":{"A":"b" "C":"d"},"moves":["e4","e5"]}"#,
                "game | !bad-json 29 | end",
            ),
            (
                r#"{"moves":["e4",5,"e5"]}"#,
                "game | <e4> | !bad-json 8 | end",
            ),
            (r#"{"rules":5}"#, "game | !bad-json 2 | end"),
            (r#"{"tags":["e4"]}"#, "game | !bad-json 7 | end"),
            (r#"{"result":"\ud800"}"#, "game | !bad-json 9 | end"),
            (
                r#"{"rules":"a", "rules" : "b"}"#,
                "game | !bad-json 4 | end",
            ),
            (r#"{"moves":4}"#, "game | !bad-json 2 | end"),
            (
                r#"{"moves":"1. e4 \u0065\u0035 2. d4 1-0"}"#,
                "game | no 1. | <e4> | <e5> | no 2. | <d4> | = 1-0 | end",
            ),
            (
                r#"{"moves":"1. e4 d5","movetext":"1. e4 e5"}"#,
                "game | !moves-differ 2 | no 1. | <e4> | <e5> | end",
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

    /// The records of a document, each as the damage or the moves that it has.
    fn document(text: &str) -> Vec<String> {
        let read = |v: &mut crate::testing::Script| {
            let (limits, words) = (Limits::new(60, 60, 3), &mut Interner::default());
            read_document(text.as_bytes(), 0, &limits, None, words, v);
        };
        let lines = script(read).join(" ");
        let games = lines.split_inclusive(" end").map(str::trim);
        games.map(str::to_owned).collect()
    }

    #[test]
    fn documents_have_records_on_any_lines() {
        for (text, expected) in [
            ("", &[][..]),
            ("[]\n", &[]),
            ("[{}]", &["1 game 3 end"]),
            (
                r#"[{"moves":["e4"]}, {"moves":["d4"]}]"#,
                &["1 game 12 <e4> 17 end", "19 game 30 <d4> 35 end"],
            ),
            (
                "{\n \"moves\": [\n  \"e4\"\n ]\n}\n{\n}\n",
                &["0 game 17 <e4> 25 end", "26 game 29 end"],
            ),
            // Damage costs one record. A comma, a quotation mark or a bracket is missing.
            (
                r#"[{"moves":["e4" "e5"]},{"moves":["d4"]}]"#,
                &["1 game 16 !bad-json 6 23 end", "23 game 34 <d4> 39 end"],
            ),
            (
                r#"[{"moves":["e4,"e5"]},{"moves":["d4"]}]"#,
                &["1 game 16 !bad-json 5 22 end", "22 game 33 <d4> 38 end"],
            ),
            (
                r#"[{"moves":["e4"}, {"moves":["d4"]}]"#,
                &["1 game 15 !bad-json 1 18 end", "18 game 29 <d4> 34 end"],
            ),
            (
                r#"[{"moves":["e4"], {"moves":["d4"]}]"#,
                &["1 game 15 !bad-json 1 18 end", "18 game 29 <d4> 34 end"],
            ),
            (
                "[{\n\"result\": won\n},\n{\"moves\": \"d4\"}]",
                &["1 game 13 !bad-json 5 20 end", "20 game 31 <d4> 35 end"],
            ),
            (
                "% a\n{\n}\n% b\n% {\n{\"moves\": \"d4\"}\n% c",
                &["4 game 7 end", "16 game 27 <d4> 31 end"],
            ),
            // The last one has no end.
            (
                r#"[{"moves":["e4"]},{"moves":["d4""#,
                &["1 game 12 <e4> 17 end", "18 game 31 !bad-json 1 32 end"],
            ),
            // Other values are no records, and longer ones than a game may be are skipped.
            (
                r#"[1, null, {"moves":["d4"]}]"#,
                &["1 game 1 !bad-json 7 10 end", "10 game 21 <d4> 26 end"],
            ),
            (
                r#"[{"more":"----------------------------------------------------"},{}, {"moves":["d4"]}]"#,
                &["1 game 1 !too-long 1 69 end", "69 game 80 <d4> 85 end"],
            ),
        ] {
            assert_eq!(document(text), expected, "{text}");
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
